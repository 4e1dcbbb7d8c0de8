/* A run of slipwave/taylor.h: inputs, steps, end. What can fail on one rank is agreed upon before the ranks
 * meet again, so that they leave together. */
#include "slipwave/taylor.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "checkpoint.h"
#include "common/crystal/material_file.h"
#include "common/math/strain_rate.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "results.h"

static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- Inputs ---- */

/* The hardening law may be another than the database's; what shaped its responses may not. */
static sw_status check_material(const sw_taylor *r)
{
    sw_key_difference d;
    if (!sw_keys_differ(sw_material_keys, "crystal_structure slip.rate_sensitivity slip.reference_slip_rate",
                        &r->material, &r->database->material, &d))
        return SW_OK;
    return sw_job_error(r->job->source, "material", " = %s: its %s = %s: need %s, for which %s was made",
                        r->job->material, d.key, d.a, d.b, r->job->database);
}

static sw_status read_inputs(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int needs_database = job->solver == SW_SOLVERS || sw_solver_at(job->solver)->needs_database;
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
static sw_status open_solver(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const double s0 = job->initial_slip_resistance > 0 ? job->initial_slip_resistance
                                                       : r->material.slip.initial_slip_resistance;
    SW_TRY(sw_response_open(&r->choice.options, &r->response));
    SW_TRY(sw_population_create(&job->crystals, r->choice.options.device, s0, &r->population));
    return sw_history_create(r->job->total_steps + 1, (double)(float)s0,
                             &r->history); /* as crystals have it */
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

/* A solver whose stress jumps with D finds no balance. */
static sw_status check_is_continuous(const sw_taylor *r)
{
    const sw_response_options *o = &r->choice.options;
    if (!r->choice.solver->has_terms && !o->nearest)
        return SW_OK;
    return sw_job_error(
        r->job->source, "solver",
        " = %s%s: its stress jumps with the strain rate: free components "
        "of the velocity gradient need grid (linear), rigid_plastic, elastoplastic or iterative",
        o->solver, o->nearest ? ", nearest" : "");
}

/* Steps of such entries are tried before they are taken. */
static int is_tried_first(const sw_loading *loading)
{
    return sw_loading_is_mixed(loading) || sw_loading_seeks(loading);
}

static int entry_of(const sw_taylor *r, const sw_loading *loading)
{
    return (int)(loading - r->job->loading);
}

/* What goes with an entry of the loading, before its first step. One whose goal is met already has none. */
static void begin_entry(sw_taylor *r)
{
    const sw_loading *loading;
    while ((loading = sw_loading_at(&r->walk)) != NULL && r->walk.place.step == 0) {
        if (sw_loading_is_mixed(loading))
            sw_mixed_begin(loading, &r->mixed.state);
        if (!sw_loading_seeks(loading))
            return;
        r->goal = sw_goal_begin(loading, (const double(*)[3])r->history.cauchy_stress[r->history.n - 1]);
        if (!sw_goal_is_met(loading, &r->goal))
            return;
        sw_warn(
            "loading[%d], after step %lld: component %s is at its goal = %g already: no step of this entry",
            entry_of(r, loading), (long long)r->history.n - 1, sw_loading_component_names[loading->component],
            loading->goal);
        sw_loading_end(&r->walk);
    }
}

/* What the loading needs beside steps. */
static sw_status open_loading(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    int is_tried = 0;
    SW_TRY(sw_taylor_check_holds(job, r->choice.solver));
    for (unsigned i = 0; i < job->loading_count; i++) {
        r->mixed.is_needed |= sw_loading_is_mixed(&job->loading[i]);
        is_tried |= is_tried_first(&job->loading[i]);
    }
    if (r->mixed.is_needed)
        SW_TRY(check_is_continuous(r));
    if (r->mixed.is_needed && r->choice.solver->has_history)
        r->mixed.bulk_modulus = (r->material.elasticity.c11 + 2 * r->material.elasticity.c12) / 3;
    r->walk = sw_loading_begin(job->loading_count, job->loading, job->cycles, job->strain_increment);
    begin_entry(r);
    return is_tried ? sw_mark_create(r->response, r->population.count, &r->mark) : SW_OK;
}

static sw_status open_all(sw_taylor *r, sw_taylor_checkpoint *c)
{
    const double started = sw_seconds();
    SW_TRY(sw_taylor_checkpoint_find(r->job, c));
    SW_TRY(sw_parallel_agree(read_inputs(r)));
    SW_TRY(sw_parallel_agree(choose_solver(r)));
    if (r->choice.why[0] != '\0')
        sw_note("auto: %s", r->choice.why);
    SW_TRY(sw_parallel_agree(open_solver(r)));
    SW_TRY(sw_parallel_agree(open_loading(r)));
    SW_TRY(sw_parallel_agree(is_root() ? sw_h5_begin(r->job->output.file, &r->output) : SW_OK));
    if (c->is_there) {
        SW_TRY(sw_taylor_checkpoint_read(c, r));
        sw_note("resume: %lld of %lld steps kept", (long long)r->place.step, (long long)r->job->total_steps);
    }
    r->seconds.setup += sw_seconds() - started;
    return SW_OK;
}

/* ---- Steps ---- */

/* What the job asks for of the present step. */
static sw_status write_population(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    const int64_t step = r->place.step;
    const int is_last = sw_loading_at(&r->walk) == NULL;
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

/* This rank's means -> those of all crystals. */
static void sum_average(const sw_population *p, sw_response_average *average)
{
    enum { NUMBERS = 11 };
    double sum[NUMBERS];
    const double weight = p->weight_here / p->weight_in_all;
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

/* Solvers take a crystal's response once a step, while the crystal turns: parts of a step, so that the applied
 * spin turns it by at most 0.05 rad in each. `iterative` chooses its own. */
static int64_t parts_of_step(const sw_taylor *r, const double l[3][3], double dt)
{
    const double spin =
        sqrt(pow(l[0][1] - l[1][0], 2) + pow(l[0][2] - l[2][0], 2) + pow(l[1][2] - l[2][1], 2)) / 2;
    return r->choice.solver->is_reference ? 1 : (int64_t)fmax(1, ceil(spin * dt / 0.05));
}

/* The parts of a step that are not yet done. */
static sw_status step_all(sw_taylor *r, const double l[3][3], double dt, sw_response_average *average)
{
    const sw_population *p = &r->population;
    const int64_t parts = parts_of_step(r, l, dt);
    memset(average, 0, sizeof *average);
    for (; r->place.part < parts; r->place.part++) {
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
        const double started = sw_seconds();
        const sw_status status =
            sw_response_step(r->response, l, dt / (double)parts, p->count, p->crystal, p->weight, average);
        SW_TRY(sw_parallel_agree(status));
        r->seconds.steps += sw_seconds() - started;
    }
    sum_average(p, average);
    return SW_OK;
}

/* What depends on a velocity gradient, before its first step. */
static sw_status prepare(sw_taylor *r, const double l[3][3])
{
    const double started = sw_seconds();
    SW_TRY(sw_parallel_agree(sw_response_prepare(r->response, l)));
    r->seconds.setup += sw_seconds() - started;
    return SW_OK;
}

/* A step that is taken. */
typedef struct {
    double l[3][3], dt, strain; /* 1/s; s; ||D|| dt */
    sw_response_average average;
    int ended; /* its entry ends with it, before its time */
} taken_step;

/* ---- Steps under mixed conditions ---- */

typedef struct {
    sw_taylor *run;
    double dt;
} mixed_trial;

static sw_status back_to_mark(sw_taylor *r)
{
    r->place.part = 0;
    return sw_parallel_agree(sw_mark_return(&r->mark, r->population.crystal));
}

static sw_status try_step(void *context, const double l[3][3], sw_response_average *average)
{
    const mixed_trial *t = context;
    SW_TRY(back_to_mark(t->run));
    return step_all(t->run, l, t->dt, average);
}

static void warn_if_coarse(sw_taylor *r)
{
    const double error = r->mixed.state.error;
    if (error > 1e-4 && !r->mixed.is_coarse)
        sw_warn(
            "step %lld: the given stresses are met to %.1e of the largest one: that is as near as `%s` comes",
            (long long)r->place.step + 1, error, r->choice.options.solver);
    r->mixed.is_coarse |= error > 1e-4;
}

/* The steps' time is by the estimated D: the free components may turn out much larger. */
static void warn_if_large(sw_taylor *r, double strain)
{
    const double twice = 2 * r->job->strain_increment;
    if (strain > twice && !r->mixed.is_large)
        sw_warn("step %lld: ||D|| dt = %.3g: more than twice strain_increment = %g: the free components are "
                "faster than the given ones, and a smaller strain_increment is more accurate",
                (long long)r->place.step + 1, strain, r->job->strain_increment);
    r->mixed.is_large |= strain > twice;
}

/* The velocity gradient that meets the conditions, the strain, the stress in full. */
static sw_status step_mixed(sw_taylor *r, const sw_loading *loading, taken_step *s)
{
    mixed_trial trial = {r, s->dt};
    SW_TRY(sw_mixed_step(loading, r->mixed.bulk_modulus, s->dt, try_step, &trial, &r->mixed.state, s->l,
                         &s->average));
    s->strain = sw_strain_rate_of((const double(*)[3])s->l).rate * s->dt;
    return SW_OK;
}

/* A step of the velocity gradient as it is given; what mixed conditions left of pressure stays. */
static sw_status step_given(sw_taylor *r, taken_step *step)
{
    double(*s)[3] = step->average.cauchy_stress;
    SW_TRY(step_all(r, (const double(*)[3])step->l, step->dt, &step->average));
    const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
    for (int i = 0; i < 3 && r->mixed.is_needed; i++)
        s[i][i] += r->mixed.state.mean_stress - mean;
    return SW_OK;
}

/* ---- Steps that are tried before they are taken ---- */

typedef struct {
    sw_taylor *run;
    const sw_loading *loading;
    double mean_stress; /* Pa: at the step's beginning */
    taken_step *step;
} end_trial;

/* The step with another time; mixed conditions begin where the last trial found them met. */
static sw_status try_end(void *context, double dt, double *after)
{
    const end_trial *t = context;
    sw_taylor *r = t->run;
    taken_step *s = t->step;
    s->strain *= dt / s->dt;
    s->dt = dt;
    r->mixed.state.mean_stress = t->mean_stress;
    if (sw_loading_is_mixed(t->loading))
        SW_TRY(step_mixed(r, t->loading, s));
    else {
        SW_TRY(back_to_mark(r));
        SW_TRY(step_given(r, s));
    }
    *after = sw_goal_after(t->loading, &r->goal, (const double(*)[3])s->l, dt,
                           (const double(*)[3])s->average.cauchy_stress);
    return SW_OK;
}

static int is_last_of_entry(const sw_taylor *r)
{
    sw_loading_walk next = r->walk;
    sw_loading_pass(&next);
    return next.place.entry > r->walk.place.entry;
}

/* To the step's end or the goal; no goal by the end of the entry's time is an error. */
static sw_status step_to_goal(sw_taylor *r, const sw_loading *loading, taken_step *s)
{
    end_trial trial = {r, loading, r->mixed.state.mean_stress, s};
    double dt = s->dt;
    SW_TRY(sw_goal_step(loading, &r->goal, try_end, &trial, &dt, &s->ended));
    return s->ended || !is_last_of_entry(r) ? SW_OK : sw_goal_missed(loading, &r->goal);
}

/* Where a step begins, to go back to. */
typedef struct {
    sw_mixed_state mixed;
    sw_goal goal;
} beginning;

/* Back to the beginning of a step that was not to be finished. */
static sw_status take_back(sw_taylor *r, const sw_loading *loading, const beginning *at, sw_status status)
{
    char message[800];
    if (status == SW_ERR_CONVERGENCE)
        snprintf(message, sizeof message, "loading[%d], step %lld: %.700s", entry_of(r, loading),
                 (long long)r->place.step + 1, sw_error_message());
    else
        snprintf(message, sizeof message, "%.799s", sw_error_message());
    r->mixed.state = at->mixed;
    r->goal = at->goal;
    r->place.part = 0;
    const sw_status back = sw_mark_return(&r->mark, r->population.crystal);
    return back == SW_OK ? sw_error(status, "%s", message) : back;
}

static sw_status step_with_trials(sw_taylor *r, const sw_loading *loading, taken_step *s)
{
    const beginning at = {r->mixed.state, r->goal};
    SW_TRY(sw_parallel_agree(sw_mark_set(&r->mark, r->population.crystal)));
    const sw_status status =
        sw_loading_seeks(loading) ? step_to_goal(r, loading, s) : step_mixed(r, loading, s);
    if (status != SW_OK)
        return take_back(r, loading, &at, status);
    if (sw_loading_is_mixed(loading)) {
        warn_if_coarse(r);
        warn_if_large(r, s->strain);
    }
    return SW_OK;
}

/* ---- All steps ---- */

/* Past a step that was taken. */
static void go_on(sw_taylor *r, const taken_step *s)
{
    sw_history_add(&r->history, (const double(*)[3])s->l, s->dt, s->strain, &s->average);
    r->place = (sw_taylor_place){.step = r->place.step + 1};
    if (s->ended)
        sw_loading_end(&r->walk);
    else
        sw_loading_pass(&r->walk);
    begin_entry(r);
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
    const sw_taylor_job *job = r->job;
    const int64_t first = r->place.step, n = r->population.total;
    unsigned segment, prepared = UINT_MAX;
    taken_step s = {.ended = 0};
    sw_progress progress;
    sw_progress_begin(&progress, r->choice.options.solver, "crystal-steps", (job->total_steps - first) * n,
                      job->run.quiet || !is_root());
    c->kept = sw_seconds();
    while (sw_loading_next(&r->walk, &segment, &s.dt, &s.strain)) {
        const sw_loading *loading = &job->loading[segment];
        s.ended = 0;
        sw_loading_estimate(loading, s.l);
        if (segment != prepared)
            SW_TRY(prepare(r, (const double(*)[3])s.l));
        prepared = segment;
        SW_TRY(is_tried_first(loading) ? step_with_trials(r, loading, &s) : step_given(r, &s));
        go_on(r, &s);
        sw_progress_show(&progress, (r->place.step - first) * n);
        SW_TRY(write_population(r));
        if (sw_loading_at(&r->walk) != NULL)
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
