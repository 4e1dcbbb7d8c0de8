#include "taylor.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal_file.h"
#include "common/hdf5_io.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/rotation.h"
#include "common/strain_rate.h"
#include "common/tensor.h"
#include "common/yaml_input.h"
#include "online/response/response.h"
#include "texture_output.h"

/* One row a step, the first before any deformation. */
typedef struct {
    int64_t n, capacity;
    double *time, *strain, *slip_resistance, *slip_rate;
    double (*deformation_gradient)[3][3], (*velocity_gradient)[3][3], (*cauchy_stress)[3][3];
} history;

typedef struct {
    const sw_taylor_job *job;
    sw_database *database; /* NULL when the job names none */
    sw_material material;
    int64_t n_crystals, n_skipped; /* rows of the crystal file that were not indexed */
    sw_crystal *crystal;
    sw_response *response;
    history history;
    sw_h5_output output;
    int64_t total_steps;
} run;

static sw_status history_create(history *h, int64_t rows)
{
    h->capacity = rows;
    SW_TRY(SW_ALLOCATE(h->time, rows, "history"));
    SW_TRY(SW_ALLOCATE(h->strain, rows, "history"));
    SW_TRY(SW_ALLOCATE(h->slip_resistance, rows, "history"));
    SW_TRY(SW_ALLOCATE(h->slip_rate, rows, "history"));
    SW_TRY(SW_ALLOCATE(h->deformation_gradient, rows, "history"));
    SW_TRY(SW_ALLOCATE(h->velocity_gradient, rows, "history"));
    return SW_ALLOCATE(h->cauchy_stress, rows, "history");
}

static void history_free(history *h)
{
    free(h->time);
    free(h->strain);
    free(h->slip_resistance);
    free(h->slip_rate);
    free(h->deformation_gradient);
    free(h->velocity_gradient);
    free(h->cauchy_stress);
}

static void history_start(history *h, double slip_resistance)
{
    for (int i = 0; i < 3; i++)
        h->deformation_gradient[0][i][i] = 1;
    h->slip_resistance[0] = slip_resistance;
    h->n = 1;
}

/* F <- exp(L dt) F; the increment halved until the series for the exponential holds. */
static void deform(const double l[3][3], double dt, double from[3][3], double to[3][3])
{
    double increment[3][3], stretch[3][3], squared[3][3];
    int halvings = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            increment[i][j] = l[i][j] * dt;
    while (ldexp(sw_norm(increment), -halvings) > 0.01)
        halvings++;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            increment[i][j] = ldexp(increment[i][j], -halvings);
    sw_exponential_small(increment, stretch);
    for (; halvings > 0; halvings--) {
        sw_multiply(stretch, stretch, squared);
        memcpy(stretch, squared, sizeof stretch);
    }
    sw_multiply(stretch, from, to);
}

static void history_add(history *h, const double l[3][3], double dt, double strain,
                        const sw_response_average *average)
{
    const int64_t n = h->n++;
    h->time[n] = h->time[n - 1] + dt;
    h->strain[n] = h->strain[n - 1] + strain;
    h->slip_resistance[n] = average->slip_resistance;
    h->slip_rate[n] = average->slip_rate;
    deform(l, dt, h->deformation_gradient[n - 1], h->deformation_gradient[n]);
    memcpy(h->velocity_gradient[n], l, sizeof h->velocity_gradient[n]);
    memcpy(h->cauchy_stress[n], average->cauchy_stress, sizeof h->cauchy_stress[n]);
}

static sw_status make_crystals(run *r)
{
    const sw_taylor_job *job = r->job;
    double(*euler)[3] = NULL;
    r->n_crystals = job->crystals.count;
    if (job->crystals.file != NULL) {
        SW_TRY(sw_crystal_file_read(job->crystals.file, &r->n_crystals, &euler, &r->n_skipped));
    }
    const double s0 = job->initial_slip_resistance > 0 ? job->initial_slip_resistance
                                                       : r->material.slip.initial_slip_resistance;
    const sw_status status = SW_ALLOCATE(r->crystal, r->n_crystals, "crystals");
    for (int64_t n = 0; n < r->n_crystals && status == SW_OK; n++) {
        double drawn[3];
        if (euler == NULL)
            sw_random_orientation((uint64_t)job->crystals.seed, (uint64_t)n, drawn);
        for (int i = 0; i < 3; i++)
            r->crystal[n].euler[i] = (float)sw_wrap_angle(euler ? euler[n][i] : drawn[i]);
        r->crystal[n].slip_resistance = (float)s0;
    }
    free(euler);
    return status;
}

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_material(const run *r)
{
    const sw_material *own = &r->material, *made_for = &r->database->material;
    const struct {
        const char *key;
        double own, made_for;
    } shared[] = {
        {"slip.rate_sensitivity", own->slip.rate_sensitivity, made_for->slip.rate_sensitivity},
        {"slip.reference_slip_rate", own->slip.reference_slip_rate, made_for->slip.reference_slip_rate},
        {"crystal_structure", own->crystal_structure, made_for->crystal_structure}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i].own != shared[i].made_for)
            return sw_taylor_job_error(r->job, "material",
                                       " = %s: its %s = %g: need %g, for which %s was made", r->job->material,
                                       shared[i].key, shared[i].own, shared[i].made_for, r->job->database);
    return SW_OK;
}

static sw_status open_inputs(run *r)
{
    const sw_taylor_job *job = r->job;
    if (sw_same_file(job->output.file, job->database) || sw_same_file(job->output.file, job->material) ||
        sw_same_file(job->output.file, job->crystals.file))
        return sw_taylor_job_error(job, "output.file", " = %s: is an input of this job", job->output.file);
    /* a solver without a database, given a material, wants none even if the job names one */
    if (job->database != NULL && (job->material == NULL || strcmp(job->solver, "iterative") != 0))
        SW_TRY(sw_database_read(job->database, 0, &r->database));
    if (r->database != NULL && job->terms > r->database->n_terms)
        return sw_taylor_job_error(job, "terms", " = %lld: need at most the %lld that %s stores",
                                   (long long)job->terms, (long long)r->database->n_terms, job->database);
    if (job->material != NULL)
        SW_TRY(sw_material_read(job->material, &r->material));
    if (r->database != NULL && job->material == NULL)
        r->material = r->database->material;
    if (r->database != NULL)
        SW_TRY(check_material(r));
    const sw_response_options options = {.solver = job->solver,
                                         .database = r->database,
                                         .material = &r->material,
                                         .terms = job->terms,
                                         .refinement = job->refinement};
    SW_TRY(sw_response_open(&options, &r->response));
    return make_crystals(r);
}

/* Whether the job asks for the orientations of a step. */
static int wanted(const run *r, int64_t step)
{
    for (unsigned i = 0; i < r->job->output.orientations_count; i++) {
        const char *name = r->job->output.orientations[i];
        if (step == (strcmp(name, "last") == 0 ? r->total_steps : strtoll(name, NULL, 10)))
            return 1;
    }
    return 0;
}

static sw_status write_orientations(run *r, int64_t step)
{
    char name[64];
    hid_t group;
    float(*single)[3] = NULL;
    double(*euler)[3] = NULL;
    if (!wanted(r, step))
        return SW_OK;
    sw_status status = SW_ALLOCATE(single, r->n_crystals, "orientations to write");
    status = status ? status : SW_ALLOCATE(euler, r->n_crystals, "orientations to write");
    for (int64_t n = 0; n < r->n_crystals && status == SW_OK; n++)
        for (int i = 0; i < 3; i++)
            euler[n][i] = single[n][i] = r->crystal[n].euler[i];
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    status = status ? status
                    : sw_h5_write(r->output.file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){r->n_crystals, 3},
                                  single);
    snprintf(name, sizeof name, "texture/%lld", (long long)step);
    status = status ? status : sw_h5_group(r->output.file, name, &group);
    if (status == SW_OK) {
        status = sw_texture_write(group, r->n_crystals, (const double(*)[3])euler);
        H5Gclose(group);
    }
    free(single);
    free(euler);
    return status;
}

static sw_status deform_all(run *r, double *seconds, int quiet)
{
    sw_progress progress;
    int64_t step = 0;
    sw_progress_begin(&progress, r->job->solver, "crystal-steps", r->total_steps * r->n_crystals, quiet);
    for (unsigned segment = 0; segment < r->job->loading_count; segment++) {
        const sw_taylor_loading *loading = &r->job->loading[segment];
        const double(*l)[3] = (const double(*)[3])loading->velocity_gradient;
        const double rate = sw_strain_rate_of(l).rate;
        const int64_t steps = (int64_t)sw_taylor_loading_steps(loading, r->job->strain_increment);
        const double full = r->job->strain_increment / rate;
        for (int64_t k = 0; k < steps; k++) {
            sw_response_average average;
            const double dt = k + 1 < steps ? full : loading->duration - full * (double)k;
            const double started = sw_seconds();
            SW_TRY(sw_interrupt_check());
            SW_TRY(sw_response_step(r->response, l, dt, r->n_crystals, r->crystal, &average));
            *seconds += sw_seconds() - started;
            history_add(&r->history, l, dt, rate * dt, &average);
            sw_progress_show(&progress, ++step * r->n_crystals);
            SW_TRY(write_orientations(r, step));
        }
    }
    sw_progress_end(&progress);
    return SW_OK;
}

static sw_status write_history(run *r)
{
    const history *h = &r->history;
    const struct {
        const char *name;
        int rank;
        const void *data;
    } sets[] = {{"history/time", 1, h->time},
                {"history/deformation_gradient", 3, h->deformation_gradient},
                {"history/velocity_gradient", 3, h->velocity_gradient},
                {"history/strain", 1, h->strain},
                {"history/cauchy_stress", 3, h->cauchy_stress},
                {"history/slip_resistance", 1, h->slip_resistance},
                {"history/slip_rate", 1, h->slip_rate}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        SW_TRY(sw_h5_write(r->output.file, sets[i].name, H5T_NATIVE_DOUBLE, sets[i].rank,
                           (int64_t[]){h->n, 3, 3}, sets[i].data));
    return SW_OK;
}

static sw_status write_run(run *r, double seconds)
{
    hid_t group;
    char device[64];
    const int terms = strcmp(r->job->solver, "terms") == 0;
    const double crystal_steps = (double)r->n_crystals * (double)r->total_steps;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"crystals", (double)r->n_crystals},
                   {"crystals_skipped", (double)r->n_skipped},
                   {"steps", (double)r->total_steps},
                   {"terms", terms ? (double)(r->job->terms > 0 ? r->job->terms : r->database->n_terms) : 0},
                   {"refinement", terms ? (double)r->job->refinement : 0},
                   {"seed", r->job->crystals.file == NULL ? (double)r->job->crystals.seed : NAN},
                   {"wall_time", seconds},
                   {"crystal_steps_per_second", crystal_steps / seconds}};
    snprintf(device, sizeof device, "cpu, %d threads", omp_get_max_threads());
    SW_TRY(sw_h5_group(r->output.file, "run", &group));
    sw_status status = sw_h5_write_text(group, "job", r->job->text);
    status = status ? status : sw_h5_write_text(group, "program", "slipwave " SW_VERSION);
    status = status ? status : sw_h5_write_text(group, "solver", r->job->solver);
    status = status ? status : sw_h5_write_text(group, "device", device);
    status = status ? status : sw_h5_write_text(group, "material", r->material.name);
    status =
        status ? status : sw_h5_write_text(group, "material_file", r->job->material ? r->job->material : "");
    status = status ? status : sw_h5_write_text(group, "database", r->database ? r->job->database : "");
    status =
        status ? status
               : sw_h5_write_text(group, "crystal_file", r->job->crystals.file ? r->job->crystals.file : "");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value);
    H5Gclose(group);
    return status;
}

static sw_status run_all(run *r, int quiet)
{
    double seconds = 0;
    for (unsigned i = 0; i < r->job->loading_count; i++)
        r->total_steps += (int64_t)sw_taylor_loading_steps(&r->job->loading[i], r->job->strain_increment);
    SW_TRY(open_inputs(r));
    SW_TRY(history_create(&r->history, r->total_steps + 1));
    SW_TRY(sw_h5_begin(r->job->output.file, &r->output));
    history_start(&r->history, r->crystal[0].slip_resistance);
    SW_TRY(write_orientations(r, 0));
    SW_TRY(deform_all(r, &seconds, quiet));
    SW_TRY(write_history(r));
    SW_TRY(write_run(r, seconds));
    return sw_h5_commit(&r->output);
}

sw_status sw_taylor_run(const sw_taylor_job *job, int quiet)
{
    run r = {.job = job};
    const sw_status status = run_all(&r, quiet);
    sw_h5_abandon(&r.output);
    sw_response_close(r.response);
    sw_database_free(r.database);
    history_free(&r.history);
    free(r.crystal);
    return status;
}
