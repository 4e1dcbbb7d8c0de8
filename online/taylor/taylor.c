#include "taylor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/database/database.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/math/strain_rate.h"
#include "common/crystal/material_file.h"
#include "history.h"
#include "slipwave/response.h"
#include "online/response/certificate/choice.h"
#include "online/texture/population.h"

/* Of one rank. Every rank steps its own crystals and has the same history; rank 0 has the file. What can fail
 * on one rank is agreed upon before the ranks meet again, so that they leave together. */
typedef struct {
    const sw_taylor_job *job;
    sw_database *database; /* NULL when the job names none */
    sw_material material;
    sw_solver_choice choice;
    sw_response *response;
    sw_population population;
    sw_history history;
    sw_h5_output output;
    double seconds; /* of the steps */
} run;

static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- Inputs ---- */

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_material(const run *r)
{
    sw_key_difference d;
    if (!sw_keys_differ(sw_material_keys, "crystal_structure slip.rate_sensitivity slip.reference_slip_rate",
                        &r->material, &r->database->material, &d))
        return SW_OK;
    return sw_job_error(r->job->source, "material", " = %s: its %s = %s: need %s, for which %s was made",
                        r->job->material, d.key, d.a, d.b, r->job->database);
}

static sw_status read_inputs(run *r)
{
    const sw_taylor_job *job = r->job;
    const int needs_database = job->solver == SW_SOLVERS || sw_solvers[job->solver].needs_database;
    /* a solver without a database, given a material, wants none even if the job names one */
    if (job->database != NULL && (job->material == NULL || needs_database))
        SW_TRY(sw_database_read(job->database, 0, &r->database));
    if (r->database != NULL && job->terms > r->database->n_terms)
        return sw_job_error(job->source, "terms", " = %lld: need at most the %lld that %s stores",
                            (long long)job->terms, (long long)r->database->n_terms, job->database);
    if (job->material != NULL)
        SW_TRY(sw_material_read(job->material, &r->material));
    if (r->database != NULL && job->material == NULL)
        r->material = r->database->material;
    return r->database != NULL ? check_material(r) : SW_OK;
}

/* The response first: it is what finds the GPU that crystals go to. */
static sw_status open_solver(run *r)
{
    const sw_taylor_job *job = r->job;
    const double s0 = job->initial_slip_resistance > 0 ? job->initial_slip_resistance
                                                       : r->material.slip.initial_slip_resistance;
    SW_TRY(sw_response_open(&r->choice.options, &r->response));
    SW_TRY(sw_population_create(&job->crystals, r->choice.options.device, s0, &r->population));
    return sw_history_create(r->job->total_steps + 1, (double)(float)s0,
                             &r->history); /* as crystals have it */
}

static sw_status choose_solver(run *r)
{
    const sw_taylor_job *job = r->job;
    const sw_solver_request request = {.job = job->source,
                                       .solver = job->solver,
                                       .device = job->run.device,
                                       .error = job->error,
                                       .terms = job->terms,
                                       .refinement = job->refinement,
                                       .nearest = job->nearest,
                                       .database_path = job->database,
                                       .material_path = job->material,
                                       .database = r->database,
                                       .material = &r->material};
    return sw_solver_choose(&request, &r->choice);
}

static sw_status open_all(run *r)
{
    SW_TRY(sw_parallel_agree(read_inputs(r)));
    SW_TRY(sw_parallel_agree(choose_solver(r)));
    if (r->choice.why[0] != '\0')
        sw_note("auto: %s", r->choice.why);
    SW_TRY(sw_parallel_agree(open_solver(r)));
    return sw_parallel_agree(is_root() ? sw_h5_begin(r->job->output.file, &r->output) : SW_OK);
}

/* ---- Steps ---- */

static sw_status write_population(const run *r, int64_t step)
{
    const sw_taylor_job *job = r->job;
    const int orientations =
        sw_taylor_names_step(job, job->output.orientations_count, job->output.orientations, step);
    const int texture =
        sw_job_given(job->source, "output.textures")
            ? sw_taylor_names_step(job, job->output.textures_count, job->output.textures, step)
            : orientations;
    if (orientations)
        SW_TRY(sw_population_write_orientations(&r->population, r->output.file, step, SW_POPULATION_CHUNK));
    return texture ? sw_population_write_texture(&r->population, r->output.file, step) : SW_OK;
}

/* This rank's means -> those of all crystals. */
static void sum_average(const sw_population *p, sw_response_average *average)
{
    enum { NUMBERS = 11 };
    double sum[NUMBERS];
    const double weight = (double)p->count / (double)p->total;
    memcpy(sum, average->cauchy_stress, sizeof average->cauchy_stress);
    sum[9] = average->slip_resistance;
    sum[10] = average->slip_rate;
    for (int k = 0; k < NUMBERS; k++)
        sum[k] *= weight;
    sw_parallel_sum(sum, NUMBERS);
    memcpy(average->cauchy_stress, sum, sizeof average->cauchy_stress);
    average->slip_resistance = sum[9];
    average->slip_rate = sum[10];
}

/* Solvers that look a crystal's response up do so once a step, while the crystal turns: parts of a step, so
 * that the applied spin turns it by at most 0.05 rad in each. `iterative` chooses its own. */
static int64_t parts_of_step(const run *r, const double l[3][3], double dt)
{
    const double spin =
        sqrt(pow(l[0][1] - l[1][0], 2) + pow(l[0][2] - l[2][0], 2) + pow(l[1][2] - l[2][1], 2)) / 2;
    return r->choice.solver->has_history ? 1 : (int64_t)fmax(1, ceil(spin * dt / 0.05));
}

static sw_status step_all(run *r, const double l[3][3], double dt, sw_response_average *average)
{
    const sw_population *p = &r->population;
    const int64_t parts = parts_of_step(r, l, dt);
    sw_status status = SW_OK;
    memset(average, 0, sizeof *average);
    for (int64_t k = 0; k < parts && status == SW_OK; k++) {
        status = sw_interrupt_check();
        if (status == SW_OK)
            status = sw_response_step(r->response, l, dt / (double)parts, p->count, p->crystal, average);
    }
    SW_TRY(sw_parallel_agree(status));
    sum_average(p, average);
    return SW_OK;
}

static sw_status deform_all(run *r)
{
    sw_progress progress;
    int64_t step = 0;
    sw_progress_begin(&progress, r->choice.options.solver, "crystal-steps",
                      r->job->total_steps * r->population.total, r->job->run.quiet || !is_root());
    for (unsigned segment = 0; segment < r->job->loading_count; segment++) {
        const sw_loading *loading = &r->job->loading[segment];
        const double(*l)[3] = (const double(*)[3])loading->velocity_gradient;
        const double rate = sw_strain_rate_of(l).rate;
        const int64_t steps = (int64_t)sw_loading_steps(loading, r->job->strain_increment);
        const double full = r->job->strain_increment / rate;
        for (int64_t k = 0; k < steps; k++) {
            sw_response_average average;
            const double dt = k + 1 < steps ? full : loading->duration - full * (double)k;
            const double started = sw_seconds();
            SW_TRY(step_all(r, l, dt, &average));
            r->seconds += sw_seconds() - started;
            sw_history_add(&r->history, l, dt, rate * dt, &average);
            sw_progress_show(&progress, ++step * r->population.total);
            SW_TRY(write_population(r, step));
        }
    }
    sw_progress_end(&progress);
    return SW_OK;
}

/* ---- Results, on rank 0 ---- */

static sw_status write_attributes(const run *r, hid_t group)
{
    const sw_taylor_job *job = r->job;
    const sw_response_options *used = &r->choice.options;
    const sw_solver_traits *solver = r->choice.solver;
    const sw_population *p = &r->population;
    const double terms = used->terms > 0 ? (double)used->terms
                         : r->database   ? (double)r->database->n_terms
                                         : 0;
    const double refinement = (double)(used->refinement > 0 ? used->refinement : solver->standard_refinement);
    const struct {
        const char *name, *text;
    } texts[] = {
        {"job", sw_job_text(job->source)},
        {"program", "slipwave " SW_VERSION},
        {"solver", solver->name},
        {"interpolation", !solver->has_interpolation ? ""
                          : used->nearest            ? "nearest"
                                                     : "linear"},
        {"auto", r->choice.why},
        {"device", r->choice.device},
        {"crystals_place", sw_crystals_place(p->device, p->crystal)},
        {"material", r->material.name},
        {"material_file", job->material ? job->material : ""},
        {"database", r->database ? job->database : ""},
        {"crystal_file", job->crystals.file ? job->crystals.file : ""},
    };
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"crystals", (double)p->total},
        {"crystals_skipped", (double)p->skipped},
        {"steps", (double)r->job->total_steps},
        {"terms", solver->has_terms ? terms : 0},
        {"refinement", solver->standard_refinement > 0 ? refinement : 0},
        {"error", r->choice.why[0] ? job->error : NAN},
        {"certified_error", r->choice.certified_error},
        {"seed", job->crystals.file == NULL ? (double)job->crystals.seed : NAN},
        {"wall_time", r->seconds},
        {"crystal_steps_per_second", (double)p->total * (double)r->job->total_steps / r->seconds},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SW_TRY(sw_h5_write_text(group, texts[i].name, texts[i].text));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        SW_TRY(sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value));
    return SW_OK;
}

static sw_status write_results(run *r)
{
    hid_t group;
    SW_TRY(sw_history_write(r->output.file, &r->history));
    SW_TRY(sw_h5_group(r->output.file, "run", &group));
    const sw_status status = write_attributes(r, group);
    H5Gclose(group);
    SW_TRY(status);
    return sw_h5_commit(&r->output);
}

static sw_status run_all(run *r)
{
    SW_TRY(open_all(r));
    SW_TRY(write_population(r, 0));
    SW_TRY(deform_all(r));
    return is_root() ? write_results(r) : SW_OK;
}

sw_status sw_taylor_run(const sw_taylor_job *job)
{
    run r = {.job = job};
    const sw_status status = run_all(&r);
    sw_h5_abandon(&r.output);
    sw_population_free(&r.population);
    sw_response_close(r.response);
    sw_database_free(r.database);
    sw_history_free(&r.history);
    /* after the last file is gone: a rank that fails ends the others (sw_parallel_finish) */
    return sw_parallel_agree(status);
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_taylor_job *job;
    sw_status status = sw_parallel_agree(sw_taylor_job_read(arguments, &job));
    if (status == SW_OK) {
        sw_use_threads(&job->run);
        status = sw_taylor_run(job);
    }
    sw_taylor_job_free(job);
    return status;
}

const sw_command sw_taylor_command = {
    .name = "taylor",
    .summary = "deform a Taylor polycrystal",
    .about =
        "Deform a Taylor polycrystal: stress, slip resistance and texture. Options override keys of the job "
        "file.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_taylor_keys,
    .with_file = 1,
    .run = run_command};
