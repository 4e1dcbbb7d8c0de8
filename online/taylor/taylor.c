/* A run of slipwave/taylor.h: inputs, steps (each: step.c) and what is kept of them, end. What can fail on one rank
 * is agreed upon before the ranks meet again, so that they leave together. */
#include "slipwave/taylor.h"

#include <string.h>

#include "checkpoint.h"
#include "common/crystal/material_file.h"
#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "results.h"
#include "step.h"

static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- Inputs ---- */

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_material(const sw_taylor *r)
{
    sw_key_difference d;
    if (sw_material_suits(&r->material, &r->database->material, &d))
        return SW_OK;
    return sw_job_error(r->job->source, "material", " = %s: its %s = %s: need %s, for which %s was made",
                        r->job->material, d.key, d.a, d.b, r->job->database);
}

static sw_status age_material(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    char text[400];
    if (job->ageing.file == NULL)
        return SW_OK;
    SW_TRY(
        sw_kwn_age_material(job->source, "initial_slip_resistance", &job->ageing, &r->material, &r->ageing));
    sw_kwn_describe_ageing(&job->ageing, &r->ageing, &r->material, text, sizeof text);
    if (is_root())
        sw_note("aged: %s", text);
    return SW_OK;
}

static sw_status read_inputs(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int needs_database = job->solver == SW_SOLVERS || sw_solver_at(job->solver)->needs_database;
    /* a solver without a database, given a material, wants none even if the job names one */
    if (job->database != NULL && (job->material == NULL || needs_database))
        SW_TRY(sw_database_read(job->database, 0, &r->database));
    if (r->database != NULL && job->terms > sw_database_terms(r->database))
        return sw_job_error(job->source, "terms", " = %lld: need at most the %lld that %s stores",
                            (long long)job->terms, (long long)sw_database_terms(r->database), job->database);
    if (job->material != NULL)
        SW_TRY(sw_material_read(job->material, &r->material));
    if (r->database != NULL && job->material == NULL)
        r->material = r->database->material;
    SW_TRY(r->database != NULL ? check_material(r) : SW_OK);
    return age_material(r);
}

/* Crystals that are counted, of this rank, and rows of the history, which grow as steps come: with a goal they may be
 * fewer. */
static sw_status check_memory(const sw_taylor_job *job)
{
    const double row = 8 * 31, crystals = (double)job->crystals.count / sw_parallel_size();
    double rows = (double)job->total_steps;
    for (int i = 0; i < (int)job->loading_count; i++)
        if (sw_loading_seeks(&job->loading[i]))
            rows = 0;
    return sw_memory_check(crystals * sizeof(sw_crystal) + rows * row, "%s: %.4g crystals, %lld steps",
                           sw_job_path(job->source), crystals, (long long)job->total_steps);
}

static sw_status make_crystals(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int given = job->initial_slip_resistance > 0 && job->ageing.file == NULL;
    const double s0 = given ? job->initial_slip_resistance : r->material.slip.initial_slip_resistance;
    SW_TRY(sw_population_create(&job->crystals, r->choice.options.device, s0, &r->population));
    return sw_history_create((double)(float)s0, &r->history); /* as crystals have it */
}

static sw_status choose_solver(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const sw_solver_request request = {.job = job->source,
                                       .solver = job->solver,
                                       .device = job->run.device,
                                       .error = job->error,
                                       .error_of = (sw_certified_measure)job->error_of,
                                       .terms = job->terms,
                                       .refinement = job->refinement,
                                       .nearest = job->nearest,
                                       .database_path = job->database,
                                       .material_path = job->material,
                                       .database = r->database,
                                       .material = &r->material};
    return sw_solver_choose(&request, &r->choice);
}

static sw_status open_all(sw_taylor *r, sw_taylor_checkpoint *c)
{
    const double started = sw_seconds();
    SW_TRY(sw_taylor_checkpoint_find(r->job, c));
    SW_TRY(sw_parallel_agree(check_memory(r->job)));
    SW_TRY(sw_parallel_agree(read_inputs(r)));
    SW_TRY(sw_parallel_agree(choose_solver(r)));
    if (r->choice.why[0] != '\0')
        sw_note("auto: %s", r->choice.why);
    /* which finds the GPU that crystals go to */
    SW_TRY(sw_parallel_agree(sw_response_open(&r->choice.options, &r->response)));
    SW_TRY(sw_parallel_agree(make_crystals(r)));
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
    if (orientations)
        SW_TRY(sw_population_write_orientations(&r->population, r->output.file, step, SW_POPULATION_CHUNK));
    if (texture)
        SW_TRY(sw_population_write_texture(&r->population, r->output.file, step));
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

/* ---- Begin and end ---- */

/* After a failure: the state, if all ranks were asked to stop and so have the same one; and what can be done
 * about it. */
static sw_status keep_state(sw_taylor *r, sw_taylor_checkpoint *c, sw_status status)
{
    const int64_t moved = r->place.step != c->place.step || r->place.part != c->place.part;
    int64_t broken = status != SW_ERR_INTERRUPTED;
    char message[600];
    snprintf(message, sizeof message, "%.599s", sw_error_message());
    sw_parallel_sum_counts(&broken, 1);
    if (moved && broken == 0 && sw_taylor_checkpoint_write(c, r) != SW_OK)
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
    sw_population_free(&r.population);
    sw_mark_free(&r.mark);
    sw_response_close(r.response);
    sw_database_free(r.database);
    sw_history_free(&r.history);
    sw_taylor_checkpoint_close(&c);
    /* after the last file is gone: a rank that fails ends the others (sw_parallel_finish) */
    return sw_parallel_agree(status);
}
