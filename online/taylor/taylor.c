/* A run of slipwave/taylor.h: inputs, steps (each: step.c) and what is kept of them, end. What can fail on one rank
 * is agreed upon before the ranks meet again, so that they leave together. */
#include "slipwave/taylor.h"

#include <string.h>

#include "checkpoint.h"
#include "common/job/partial.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "inputs.h"
#include "results.h"
#include "step.h"

static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- Begin ---- */

static sw_status open_all(sw_taylor *r, sw_taylor_checkpoint *c)
{
    const double started = sw_seconds();
    SW_TRY(sw_parallel_agree(is_root() ? sw_h5_claim(r->job->output.file, &r->claim) : SW_OK));
    SW_TRY(sw_taylor_checkpoint_find(r->job, c));
    SW_TRY(sw_taylor_read_inputs(r));
    SW_TRY(sw_parallel_agree(sw_taylor_steps_open(r)));
    SW_TRY(sw_parallel_agree(is_root() ? sw_h5_begin(r->job->output.file, &r->output) : SW_OK));
    if (c->is_there) {
        SW_TRY(sw_taylor_checkpoint_read(c, r));
        sw_note("resume: %lld of %lld steps kept", (long long)r->place.step, (long long)r->job->total_steps);
    }
    r->seconds.setup += sw_seconds() - started;
    return SW_OK;
}

/* ---- Steps ---- */

static int is_over(const sw_taylor *r) { return sw_loading_at(&r->walk) == NULL; }

/* What is asked for of a part's crystals: of phases, each in a group of its own. */
static sw_status write_part(const sw_taylor *r, const sw_taylor *part, int orientations, int texture)
{
    char name[64];
    hid_t group = r->output.file;
    sw_status status = SW_OK;
    snprintf(name, sizeof name, "phases/%s", part->name != NULL ? part->name : "");
    if (part->name != NULL)
        SW_TRY(sw_parallel_agree(is_root() ? sw_taylor_group(r->output.file, name, &group) : SW_OK));
    if (orientations)
        status =
            sw_population_write_orientations(&part->population, group, r->place.step, SW_POPULATION_CHUNK);
    if (texture && status == SW_OK)
        status = sw_population_write_texture(&part->population, sw_material_lattice(&part->material),
                                             part->material.c_over_a, group, r->place.step);
    if (part->name != NULL && is_root())
        H5Gclose(group);
    return status;
}

/* What the job asks for of the present step. */
static sw_status write_population(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int64_t step = r->place.step;
    const int is_last = is_over(r);
    const double started = sw_seconds();
    const int orientations =
        sw_taylor_names_step(job->output.orientations_count, job->output.orientations, step, is_last);
    const int texture =
        sw_job_given(job->source, "output.textures")
            ? sw_taylor_names_step(job->output.textures_count, job->output.textures, step, is_last)
            : orientations;
    for (int k = 0; k < sw_taylor_parts(r) && (orientations || texture); k++)
        SW_TRY(write_part(r, sw_taylor_part(r, k), orientations, texture));
    r->seconds.output += sw_seconds() - started;
    r->place.written = 1;
    return SW_OK;
}

/* A state that cannot be kept is no reason to end. */
static void keep_if_due(sw_taylor *r, sw_taylor_checkpoint *c)
{
    if (sw_taylor_checkpoint_is_due(c, r->job) && sw_taylor_checkpoint_write(c, r) != SW_OK)
        sw_warn("the state is not kept: %s", sw_error_message());
}

/* Steps from the present place on. */
static sw_status deform_all(sw_taylor *r, sw_taylor_checkpoint *c)
{
    const int64_t first = r->place.step, n = r->population.total;
    sw_progress progress;
    sw_progress_begin(&progress, r->choice.options.solver, "crystal-steps", (r->job->total_steps - first) * n,
                      r->job->run.quiet || !is_root());
    c->kept = sw_seconds();
    while (!is_over(r)) {
        SW_TRY(sw_taylor_step(r));
        sw_progress_show(&progress, (r->place.step - first) * n);
        SW_TRY(write_population(r));
        if (!is_over(r))
            keep_if_due(r, c);
    }
    return SW_OK;
}

/* Goals may have come sooner than the steps whose crystals were wanted. */
static void warn_of_absent_steps(const sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    sw_taylor_warn_of_absent_steps("output.orientations", job->output.orientations_count,
                                   job->output.orientations, r->place.step);
    sw_taylor_warn_of_absent_steps("output.textures", job->output.textures_count, job->output.textures,
                                   r->place.step);
}

/* ---- To the end ---- */

/* After a failure: the state, if all ranks were asked to stop and so have the same one; and what can be done
 * about it. */
static sw_status keep_state(sw_taylor *r, sw_taylor_checkpoint *c, sw_status status)
{
    const int64_t moved = r->place.step != c->place.step || r->place.part != c->place.part;
    int64_t broken = status != SW_ERR_INTERRUPTED;
    char message[600];
    snprintf(message, sizeof message, "%.599s", sw_error_message());
    sw_parallel_sum_counts(&broken, 1);
    if (moved && broken == 0 && sw_partial_is_kept() && sw_taylor_checkpoint_write(c, r) != SW_OK)
        return sw_error(status, "%s; the state is not kept: %.300s", message, sw_error_message());
    if (!c->is_there)
        return sw_error(status, "%s", message);
    return sw_error(status, "%s; %lld of %lld steps are kept in %s: --resume goes on", message,
                    (long long)c->place.step, (long long)r->job->total_steps, c->path);
}

static sw_status run_all(sw_taylor *r, sw_taylor_checkpoint *c)
{
    SW_TRY(open_all(r, c));
    sw_status status = r->place.written ? SW_OK : write_population(r);
    if (status == SW_OK)
        status = deform_all(r, c);
    if (status == SW_OK)
        status = sw_parallel_agree(is_root() ? sw_taylor_results_write(r) : SW_OK);
    if (status != SW_OK)
        return keep_state(r, c, status);
    warn_of_absent_steps(r);
    sw_taylor_checkpoint_remove(c);
    return SW_OK;
}

static void sum_up(const sw_taylor *r, sw_taylor_summary *summary)
{
    const sw_history *h = &r->history;
    const int64_t last = h->n - 1;
    *summary = (sw_taylor_summary){.crystals = r->population.total,
                                   .steps = last,
                                   .strain = h->strain[last],
                                   .slip_resistance = h->slip_resistance[last],
                                   .setup_time = r->seconds.setup,
                                   .wall_time = r->seconds.steps};
    memcpy(summary->cauchy_stress, h->cauchy_stress[last], sizeof summary->cauchy_stress);
}

sw_status sw_taylor_run(const sw_taylor_job *job, sw_taylor_summary *summary)
{
    sw_taylor r = {.job = job};
    sw_taylor_checkpoint c = {.path = NULL};
    sw_use_threads(&job->run);
    const sw_status status = run_all(&r, &c);
    if (status == SW_OK && summary != NULL)
        sum_up(&r, summary);
    sw_h5_abandon(&r.output);
    sw_taylor_release(&r);
    sw_taylor_checkpoint_close(&c);
    sw_claim_release(&r.claim);
    /* after the last file is gone: a rank that fails ends the others (sw_parallel_finish) */
    return sw_parallel_agree(status);
}
