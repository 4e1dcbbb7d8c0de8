#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "common/files/hdf5_io.h"
#include "common/job/partial.h"
#include "common/system/memory.h"
#include "common/system/progress.h"
#include "online/dem/backend/names.h"
#include "online/dem/batch/batch.h"
#include "online/dem/element/mesh.h"
#include "online/dem/output/output.h"
#include "online/dem/output/snapshots.h"
#include "online/dem/packing/memory.h"
#include "online/dem/packing/packing.h"
#include "warnings.h"

typedef struct {
    const sw_dem_job *job;
    sw_claim claim;         /* on the results file */
    char *partial;          /* name of the file of an unfinished run */
    int has_partial;        /* it is there, and this run's */
    int pausing;            /* the run stops for the states to be kept, and goes on */
    double kept;            /* s, when they were kept last, or the run began */
    double took;            /* s, to keep them */
    double started, before; /* s; of the runs before */
    double resumed;         /* particle-steps of the runs before */
    double packed;          /* particle-steps that packings go on from, of no run of this job */
    double expected;        /* particle-steps of all stages, roughly; 0: there are more than was thought */
    sw_dem_account work;
    sw_dem *dem;
    sw_dem_probes probes;
    sw_dem_snapshots *snapshots;
    sw_progress progress;
} run;

/* ---- Samples ---- */

static uint64_t hash_stage(uint64_t h, const sw_dem_stage *s)
{
    const double number[] = {s->ramp,
                             s->max_rate,
                             s->until,
                             s->component,
                             s->goal,
                             s->stress_tolerance,
                             (double)s->max_steps,
                             s->friction,
                             s->friction_decay,
                             s->most_servo_error,
                             s->zero_strain,
                             s->unrecorded,
                             s->wait_for_rest,
                             s->look};
    h = sw_hash(h, s->velocity_gradient, sizeof s->velocity_gradient);
    h = sw_hash(h, s->stress_driven, sizeof s->stress_driven);
    h = sw_hash(h, s->stress, sizeof s->stress);
    h = sw_hash(h, s->follow, sizeof s->follow);
    return sw_hash(h, number, sizeof number);
}

static uint64_t hash_material(uint64_t h, const sw_dem_material *m)
{
    double number[SW_DEM_MATERIAL_NUMBERS];
    sw_dem_material_numbers(m, number);
    return sw_hash(h, number, sizeof number);
}

static uint64_t hash_crystals(uint64_t h, const sw_dem_crystals *c, size_t particles)
{
    const double number[] = {(double)c->each, c->refresh, c->mean_strain_only};
    h = sw_hash(h, number, sizeof number);
    return sw_hash(h, c->crystal, particles * (size_t)c->each * sizeof *c->crystal);
}

/* But for triangles, which have a hash of their own. */
static uint64_t hash_walls(uint64_t h, const sw_dem_sample *sample)
{
    const double around[] = {sample->side[0],       sample->side[1],    sample->side[2],
                             sample->side_friction, sample->gravity[0], sample->gravity[1],
                             sample->gravity[2],    sample->n_walls};
    h = sw_hash(h, around, sizeof around);
    if (sample->membrane != NULL) {
        const sw_dem_membrane *m = sample->membrane;
        const double of[] = {m->around, m->rows, m->radius, m->height, m->stiffness, m->fixed};
        h = sw_hash(h, of, sizeof of);
    }
    for (int i = 0; i < sample->n_walls; i++) {
        const sw_dem_wall *w = &sample->wall[i];
        const double of[] = {w->shape,
                             w->radius,
                             w->growth,
                             w->force_driven,
                             w->force_driven ? w->force : 0,
                             w->force_driven ? w->max_speed : 0,
                             w->friction};
        h = sw_hash(h, w->point, sizeof w->point);
        h = sw_hash(h, w->axis, sizeof w->axis);
        h = sw_hash(h, w->velocity, sizeof w->velocity);
        h = sw_hash(h, of, sizeof of);
    }
    return h;
}

static uint64_t hash_memory(uint64_t h, const sw_dem_packing *p)
{
    h = sw_hash(h, &p->goes_on, sizeof p->goes_on);
    for (int i = 0; i < SW_DEM_MEMORIES; i++)
        h = sw_hash(h, p->memory->of[i].number,
                    (size_t)(p->memory->of[i].rows * p->memory->of[i].columns) * sizeof(double));
    return h;
}

/* All that the course of an element depends on. */
static uint64_t hash_sample(uint64_t h, const sw_dem_sample *sample)
{
    const sw_dem_numerics *n = &sample->numerics;
    const sw_dem_packing *p = &sample->packing;
    const double number[] = {n->damping_form,
                             n->damping,
                             n->step_rule,
                             n->step,
                             n->skin,
                             (double)n->control_interval,
                             (double)n->record_interval,
                             n->servo_gain,
                             n->affine,
                             n->time_scale,
                             sample->n_others,
                             p->goes_on,
                             (double)p->n_particles,
                             (double)sample->n_stages};
    const size_t particles = (size_t)p->n_particles;
    h = hash_material(h, &sample->material);
    for (int i = 0; i < sample->n_others; i++)
        h = hash_material(h, &sample->other[i]);
    if (p->material != NULL)
        h = sw_hash(h, p->material, particles);
    h = sw_hash(h, number, sizeof number);
    h = sw_hash(h, p->cell, sizeof p->cell);
    h = sw_hash(h, p->position, particles * sizeof *p->position);
    h = sw_hash(h, p->radius, particles * sizeof *p->radius);
    if (p->clump != NULL)
        h = sw_hash(h, p->clump, particles * sizeof *p->clump);
    if (p->velocity != NULL)
        h = sw_hash(h, p->velocity, particles * sizeof *p->velocity);
    if (p->spin != NULL)
        h = sw_hash(h, p->spin, particles * sizeof *p->spin);
    if (p->memory != NULL) /* hashes of others stay what they were */
        h = hash_memory(h, p);
    h = sw_hash(h, p->contact, (size_t)p->n_contacts * sizeof *p->contact);
    h = sw_hash(h, p->contact_history,
                (size_t)(p->n_contacts * p->contact_numbers) * sizeof *p->contact_history);
    if (sample->crystals != NULL)
        h = hash_crystals(h, sample->crystals, particles);
    for (int64_t s = 0; s < sample->n_stages; s++)
        h = hash_stage(h, &sample->stage[s]);
    return hash_walls(h, sample);
}

/* Steps of a stage that packs grains, which its friction tells from tests: parts of the steps that compress strewn
 * grains. Of 150 grains at 200 kPa without friction 1.2 to 2.6 times as many on top, with tan(phi) = 0.1 a quarter,
 * with 0.5 hardly any; 0.6 to 1.2 times as many for void ratios of 0.68 and 0.62. */
static double expected_of_settling(const sw_dem_stage *s, double time_step)
{
    const double strewn = 0.29 / (sqrt(2.0 / 3.0) * s->max_rate * time_step);
    return s->until == SW_DEM_UNTIL_VOID_RATIO ? strewn : strewn * fmax(0.05, 1.8 - 16 * s->friction);
}

/* Steps that a stage takes; where the servo or the grains decide, a guess for the progress line. */
static double expected_steps(const sw_dem_stage *s, double time_step)
{
    double rate = 0;
    for (int i = 0; i < 9; i++)
        rate = fmax(rate, fabs(s->velocity_gradient[i / 3][i % 3]));
    switch (s->until) {
    case SW_DEM_UNTIL_STRAIN:
        return s->goal / ((s->component < 3 ? rate : 0.5 * rate) * time_step);
    case SW_DEM_UNTIL_VOLUME_STRAIN:
        return s->goal / (3 * rate * time_step);
    case SW_DEM_UNTIL_PRESSURE: /* from strewn to packed: volume by a factor of 2.4 */
        return 0.29 / (rate * time_step);
    case SW_DEM_UNTIL_TIME:
        return s->goal / time_step;
    case SW_DEM_UNTIL_STEPS:
        return s->goal;
    case SW_DEM_UNTIL_VOID_RATIO:
    case SW_DEM_UNTIL_EQUILIBRIUM:
        if (s->friction >= 0 && s->max_rate > 0)
            return expected_of_settling(s, time_step);
        break;
    case SW_DEM_UNTILS:
        break;
    }
    return 1e4;
}

static double time_step_of(const sw_dem_sample *sample)
{
    double least = INFINITY;
    for (int64_t i = 0; i < sample->packing.n_particles; i++)
        least = fmin(least, sample->packing.radius[i]);
    return sample->numerics.step_rule == SW_DEM_STEP_FIXED
               ? sample->numerics.step
               : sample->numerics.step * least * sqrt(sample->material.density / sample->material.young);
}

static double expected_particle_steps(const sw_dem_sample *sample)
{
    const double time_step = time_step_of(sample);
    double steps = 0;
    for (int64_t s = 0; s < sample->n_stages; s++)
        steps += fmin(expected_steps(&sample->stage[s], time_step), 1e15);
    return steps * (double)sample->packing.n_particles;
}

/* What elements take at least: packings that are drawn, and the elements made of them. Of files it is not known yet. */
static sw_status check_memory(const sw_dem_job *job)
{
    double bytes = 0, particles = 0;
    for (int64_t k = 0; k < job->n_elements; k++) {
        const sw_dem_element e = sw_dem_job_element(job, k);
        const double n = e.value[SW_DEM_PARTICLES];
        if (!(n >= 1 && n <= SW_DEM_PAIR_MASK)) /* of a file */
            continue;
        particles += n;
        bytes += (double)sw_dem_element_bytes((int64_t)n) + n * 4 * sizeof(double);
    }
    return sw_memory_check(bytes, "%s: %lld elements, %.4g particles", sw_job_path(job->source),
                           (long long)job->n_elements, particles);
}

#define MOST_STEPS 1e12          /* of a stage: months of the smallest elements */
#define MOST_PARTICLE_STEPS 9e18 /* that progress can count */

/* Those that strain or time end take as many as that says, which rates may put out of reach. */
static sw_status check_steps(int64_t k, const sw_dem_sample *sample)
{
    const double time_step = time_step_of(sample);
    for (int64_t s = 0; s < sample->n_stages; s++) {
        const double steps = expected_steps(&sample->stage[s], time_step);
        if (isfinite(steps) && steps > MOST_STEPS) /* infinite where stresses alone strain it */
            return sw_error(SW_ERR_INPUT,
                            "element %lld, stage %lld: takes some %.3g steps of %.3g s: need at most %g: a "
                            "higher rate, or less strain or time",
                            (long long)k, (long long)s, steps, time_step, MOST_STEPS);
    }
    return SW_OK;
}

/* Packings are drawn by all threads. */
static sw_status make_samples(const sw_dem_job *job, sw_dem_sample *sample)
{
    sw_status status = SW_OK;
    int64_t worst = job->n_elements; /* the first element that cannot be made */
    char message[1024];
#pragma omp parallel for schedule(dynamic)
    for (int64_t k = 0; k < job->n_elements; k++) {
        const sw_status own = sw_dem_job_sample(job, k, &sample[k]);
        if (own != SW_OK)
#pragma omp critical(sw_dem_sample)
            if (k < worst) {
                worst = k;
                status = own;
                snprintf(message, sizeof message, "%s", sw_error_message());
            }
    }
    return status == SW_OK ? SW_OK : sw_error(status, "%s: %s", sw_job_path(job->source), message);
}

/* Packings whose contacts are of another law, or remember other numbers. */
static void tell_of_contacts(const sw_dem_job *job, const sw_dem_sample *sample)
{
    int64_t without = 0, first = 0;
    char name[320];
    for (int64_t k = job->n_elements - 1; k >= 0; k--)
        if (sample[k].packing.contact != NULL &&
            !sw_dem_packing_remembers(&sample[k].packing, sample[k].material.law)) {
            without++;
            first = k;
        }
    if (without == 0)
        return;
    const sw_dem_packing *p = &sample[first].packing;
    const sw_dem_law law = sample[first].material.law;
    sw_dem_job_name(job, first, name, sizeof name);
    sw_warn("%s: %lld of %lld packings are used without what their contacts remember; %s: %d "
            "numbers of %s: need %d of %s",
            sw_job_path(job->source), (long long)without, (long long)job->n_elements, name,
            p->contact_numbers,
            p->contact_law < SW_DEM_LAWS ? sw_dem_laws[p->contact_law] : "a law of another version",
            SW_DEM_SPRINGS + sw_dem_law_numbers(law), sw_dem_laws[law]);
}

static sw_status open_samples(run *r, const sw_dem_sample *sample)
{
    const sw_dem_job *job = r->job;
    uint64_t h = SW_HASH_START;
    if (job->has_crystals)
        sw_polycrystal_identify(&job->polycrystal, 0, &r->work.crystals);
    for (int64_t k = 0; k < job->n_elements; k++) {
        SW_TRY(check_steps(k, &sample[k]));
        h = hash_sample(h, &sample[k]);
        r->expected += expected_particle_steps(&sample[k]);
    }
    sw_hash_text(h, r->work.identity);
    h = SW_HASH_START;
    for (int i = 0; i < job->walls_count; i++)
        if (job->mesh[i] != NULL)
            h = sw_dem_mesh_hash(h, job->mesh[i]);
    sw_hash_text(h, r->work.meshes);
    tell_of_contacts(job, sample);
    const sw_status status = sw_dem_open(&job->options, job->n_elements, sample, &r->dem);
    return status == SW_ERR_RANGE
               ? sw_error(SW_ERR_INPUT, "%s: %s", sw_job_path(job->source), sw_error_message())
               : status;
}

static sw_status open_elements(run *r)
{
    const sw_dem_job *job = r->job;
    sw_dem_sample *sample;
    SW_TRY(check_memory(job));
    SW_TRY(SW_ALLOCATE(sample, job->n_elements, "elements"));
    sw_status status = make_samples(job, sample);
    if (status == SW_OK)
        status = open_samples(r, sample);
    for (int64_t k = 0; k < job->n_elements; k++)
        sw_dem_job_sample_free(&sample[k]);
    free(sample);
    return status;
}

/* ---- The run ---- */

static double steps_of(const run *r)
{
    double steps = 0;
    for (int64_t k = 0; k < r->job->n_elements; k++) {
        const sw_dem_rve *rve = sw_dem_get(r->dem, k);
        steps += (double)rve->state->step * (double)rve->n_particles;
    }
    return steps;
}

static void update_work(run *r)
{
    r->work.particle_steps = steps_of(r) - r->packed;
    r->work.seconds = r->before + sw_seconds() - r->started;
}

static sw_status keep_states(run *r)
{
    const double begun = sw_seconds();
    update_work(r);
    SW_TRY(sw_dem_write_partial(r->job, r->dem, &r->work, r->partial));
    r->has_partial = 1;
    r->kept = sw_seconds();
    r->took = r->kept - begun;
    return SW_OK;
}

/* Shows progress; stops the run now and then, for the states to be kept. */
static sw_status watch(void *context, sw_dem *dem, double particle_steps, int64_t finished)
{
    run *r = context;
    (void)dem;
    (void)finished;
    particle_steps += r->resumed;
    if (particle_steps > 0.99 * r->expected) /* longer than guessed, nobody knows by how much */
        r->expected = 0;
    r->progress.total = (int64_t)fmin(r->expected, MOST_PARTICLE_STEPS);
    sw_progress_show(&r->progress, (int64_t)particle_steps);
    if (!sw_partial_is_kept() || sw_seconds() - r->kept < fmax(r->job->checkpoint, 20 * r->took))
        return SW_OK;
    r->pausing = 1;
    return sw_error(SW_ERR_INTERRUPTED, "states are kept");
}

static sw_status advance(run *r)
{
    sw_status status;
    do {
        r->pausing = 0;
        status = sw_dem_run(r->dem, watch, r);
        if (status == SW_ERR_INTERRUPTED && r->pausing) {
            SW_TRY(keep_states(r));
            status = sw_interrupt_check();
        }
    } while (status == SW_OK && r->pausing);
    return status;
}

/* What failed, with what can be done about it. keep: states as they are now. */
static sw_status tell_interruption(run *r, sw_status status, int keep)
{
    char message[1024];
    snprintf(message, sizeof message, "%.900s", sw_error_message());
    const sw_status kept = keep && sw_partial_is_kept() ? keep_states(r) : SW_OK;
    if (kept != SW_OK)
        return sw_error(kept, "%s; states are not kept: %.500s", message, sw_error_message());
    (void)sw_error(status, "%s", message);
    return r->has_partial ? sw_partial_tell(status, r->partial, "states are") : status;
}

/* ---- Begin and end ---- */

static sw_status check_place(const sw_dem_job *job, const char *key, const char *path, const void *context)
{
    (void)context;
    struct stat about;
    const int there = stat(path, &about) == 0;
    if (sw_memory_files_used() || (there ? S_ISREG(about.st_mode) : errno == ENOENT))
        return SW_OK;
    return sw_job_error(job->source, key, ": %s cannot be written: %s", path,
                        !there                   ? strerror(errno)
                        : S_ISDIR(about.st_mode) ? "is a folder"
                                                 : "is a special file");
}

/* Before the work, not after: can the results be written? */
static sw_status check_places(run *r)
{
    const sw_dem_job *job = r->job;
    const char *folder = job->samples.folder == NULL ? "." : job->samples.folder;
    struct stat about;
    if (job->table != NULL && !sw_memory_files_used() &&
        (stat(folder, &about) != 0 || !S_ISDIR(about.st_mode) || access(folder, W_OK) != 0))
        return sw_job_error(job->source, "samples.folder", " = %s: need a folder that can be written",
                            folder);
    SW_TRY(sw_h5_claim(job->output.file, &r->claim));
    return sw_dem_visit_places(job, check_place, NULL);
}

static sw_status begin(run *r)
{
    const sw_dem_job *job = r->job;
    SW_TRY(check_places(r));
    r->partial = sw_file_name("%s.partial", job->output.file);
    if (r->partial == NULL)
        return SW_ERR_MEMORY;
    const int left = sw_file_is_there(r->partial);
    SW_TRY(sw_partial_meet(r->partial, left, job->run.resume));
    SW_TRY(open_elements(r));
    r->packed = steps_of(r);
    sw_dem_warn_of_units(job, r->dem);
    sw_dem_warn_of_room(job, r->dem);
    SW_TRY(sw_dem_snapshots_begin(job, r->dem, &r->snapshots));
    if (left)
        SW_TRY(sw_dem_read_partial(job, r->dem, &r->work, r->partial));
    r->has_partial = left;
    r->before = r->work.seconds;
    r->resumed = r->work.particle_steps;
    r->started = r->kept = sw_seconds();
    return SW_OK;
}

/* The first element that failed, and how many did. */
static int64_t count_failures(const run *r, int64_t *first)
{
    int64_t count = 0;
    for (int64_t k = r->job->n_elements - 1; k >= 0; k--)
        if (sw_dem_failure(r->dem, k) != SW_OK) {
            *first = k;
            count++;
        }
    return count;
}

static sw_status tell_failures(const run *r, int64_t elements, int64_t first, int64_t samples,
                               const char *sample)
{
    const sw_dem_job *job = r->job;
    if (job->table != NULL && samples > 0 &&
        job->samples.zeros_on_failure) { /* which GrainLearning goes on with */
        sw_warn("%s: %lld of %lld samples failed and are zeros; %s", job->output.file, (long long)samples,
                (long long)job->n_variants, sample);
        return SW_OK;
    }
    if (job->table != NULL && samples > 0)
        return sw_error(SW_ERR_CONVERGENCE, "%s: %lld of %lld samples failed; %s", job->output.file,
                        (long long)samples, (long long)job->n_variants, sample);
    if (elements == 0)
        return SW_OK;
    const sw_status status = sw_dem_job_failure(job, r->dem, first);
    char message[800];
    snprintf(message, sizeof message, "%s", sw_error_message());
    return sw_error(status, "%s: %lld of %lld elements failed; %s", job->output.file, (long long)elements,
                    (long long)job->n_elements, message);
}

/* sample [size]: what is wrong with the first of those that failed. */
static sw_status write_files(run *r, int64_t *failed, char *sample, size_t size)
{
    SW_TRY(sw_dem_write_packings(r->job, r->dem));
    SW_TRY(sw_dem_write_samples(r->job, r->dem, failed));
    if (*failed > 0)
        snprintf(sample, size, "%s", sw_error_message());
    return sw_dem_write_results(r->job, r->dem, r->job->has_probes ? &r->probes : NULL, &r->work);
}

static sw_status finish(run *r)
{
    char text[800], sample[1024] = "", name[SW_LINE];
    int64_t failed = 0, first = 0;
    update_work(r);
    const sw_status status = write_files(r, &failed, sample, sizeof sample);
    if (status != SW_OK)
        return tell_interruption(r, status, 1);
    if (r->has_partial)
        sw_file_remove(r->partial);
    const int64_t elements = count_failures(r, &first);
    SW_TRY(tell_failures(r, elements, first, failed, sample));
    SW_TRY(sw_dem_check_held(r->job, r->dem));
    sw_dem_warn_of_servo(r->job, r->dem);
    sw_dem_warn_of_membranes(r->job, r->dem);
    sw_dem_warn_of_void_ratio(r->job, r->dem);
    sw_dem_warn_of_overlap(r->job, r->dem);
    sw_dem_warn_of_pairs(r->job, r->dem);
    sw_dem_warn_of_sides(r->job, r->dem);
    sw_dem_warn_of_inertia(r->job, r->dem);
    sw_dem_describe_results(r->job, r->dem, text, sizeof text);
    fprintf(sw_said(), "%s: %s", sw_plain(r->job->output.file, name), text);
    const double error = sw_dem_servo_error(r->job, r->dem);
    if (error > 0)
        fprintf(sw_said(), "; stresses held to %.2g %%", 100 * error);
    putc('\n', sw_said());
    return SW_OK;
}

static sw_status run_all(run *r)
{
    const int quiet = r->job->run.quiet;
    SW_TRY(begin(r));
    if (r->has_partial && !quiet)
        sw_note("resume: %.4g particle-steps done", r->work.particle_steps);
    sw_progress_begin(&r->progress, "dem", "particle-steps", (int64_t)fmin(r->expected, MOST_PARTICLE_STEPS),
                      quiet);
    const sw_status status = advance(r);
    if (status != SW_OK)
        return tell_interruption(r, status, status == SW_ERR_INTERRUPTED || status == SW_ERR_IO);
    update_work(r);
    r->progress.total = (int64_t)r->work.particle_steps;
    sw_progress_end(&r->progress);
    const sw_status probed = r->job->has_probes ? sw_dem_run_probes(r->job, r->dem, &r->probes) : SW_OK;
    return probed == SW_OK ? finish(r) : tell_interruption(r, probed, 1);
}

sw_status sw_dem_job_run(const sw_dem_job *job)
{
    run r = {.job = job};
    const sw_status status = run_all(&r);
    sw_dem_close(r.dem);
    sw_dem_probes_free(&r.probes);
    sw_dem_snapshots_end(r.snapshots);
    sw_claim_release(&r.claim);
    free(r.partial);
    return status;
}
