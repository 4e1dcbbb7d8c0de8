#include "step.h"

#include <math.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/math/strain_rate.h"
#include "common/math/tensor.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "inputs.h"
#include "online/response/trial.h"
#include "online/response/step/twins.h"

/* A step on its way. */
typedef struct {
    const sw_loading *loading;   /* its entry */
    double l[3][3], dt, strain;  /* 1/s; s; ||D|| dt */
    sw_response_average average; /* what it ends with, of all crystals */
    int ended;                   /* its entry ends with it, before its time */
    double begun[SW_FAMILIES_MAX],
        slip[SW_FAMILIES_MAX]; /* of families, by the weights that the step is made with */
} step;

static int entry_of(const sw_taylor *r, const sw_loading *loading)
{
    return (int)(loading - r->job->loading);
}

/* ---- The crystals ---- */

/* What depends on a velocity gradient, before its first step. */
static sw_status prepare(sw_taylor *r, const step *s)
{
    const double started = sw_seconds();
    if (r->prepared == s->loading)
        return SW_OK;
    for (int k = 0; k < sw_taylor_parts(r); k++)
        SW_TRY(
            sw_parallel_agree(sw_response_prepare(sw_taylor_part(r, k)->response, (const double(*)[3])s->l)));
    r->prepared = s->loading;
    r->seconds.setup += sw_seconds() - started;
    return SW_OK;
}

/* Of a part. A step that is tried goes from those that began it, which are copied where they are heated. */
static const sw_crystals *crystals_now(const sw_taylor *r, const sw_taylor *part)
{
    return r->tries && r->place.part == 0 && r->heat.change == 0 ? &part->begun : &part->crystals;
}

/* Those that begin a step to be tried are set aside; and back. */
static void exchange(sw_taylor *r)
{
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *part = sw_taylor_part(r, k);
        sw_crystals_swap(&part->crystals, &part->begun);
        if (part->crystals.packed.word == NULL)
            part->population.crystal = part->crystals.crystal;
        part->population.packed.word = part->crystals.packed.word;
    }
    r->tries = !r->tries;
}

/* A part's means -> to all crystals', by its fraction. */
static void add_part(const sw_taylor *r, sw_taylor *part, const sw_response_average *own,
                     sw_response_average *all)
{
    const double fraction = r->phases > 0 ? part->fraction : 1;
    part->mean = *own;
    if (r->phases == 0) {
        *all = *own;
        return;
    }
    for (int i = 0; i < 9; i++)
        all->cauchy_stress[i / 3][i % 3] += fraction * own->cauchy_stress[i / 3][i % 3];
    all->slip_resistance += fraction * own->slip_resistance;
    all->slip_rate += fraction * own->slip_rate;
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

/* ---- Of when a stress is ----
 *
 * Solvers with a history leave a step with the stress at its end. The others answer to a velocity gradient as crystals
 * are: what a step begins with is the stress of the row before it, if that is of the same entry, and the last row of an
 * entry has an evaluation of its own. */
static int answers_at_once(const sw_taylor *r) { return !r->choice.solver->has_history; }

/* What given stresses left of pressure stays. */
static void keep_pressure(const sw_taylor *r, double stress[3][3])
{
    const double mean = r->given.volume.coupled ? 0 : (stress[0][0] + stress[1][1] + stress[2][2]) / 3;
    if (r->given.has_pressure && r->given.volume.by_mean_stress > 0)
        sw_elastic_volume_stretch(&r->given.volume, r->conditions.mixed.mean_stress, stress);
    for (int i = 0; i < 3 && r->given.has_pressure; i++)
        stress[i][i] += r->conditions.mixed.mean_stress - mean;
}

/* The row before a step, by what the step begins with. */
static void settle_row_before(sw_taylor *r, const sw_response_average *begun)
{
    sw_response_average row = *begun;
    if (!answers_at_once(r) || r->walk.place.step == 0)
        return;
    if (r->given.is_met) /* to more digits than crystals under the velocity gradient that was found have it */
        row = r->given.met;
    else
        keep_pressure(r, row.cauchy_stress);
    r->given.is_met = 0;
    sw_history_settle(&r->history, &row);
    for (int k = 0; k < r->phases; k++)
        sw_history_settle(&r->phase[k]->history, &r->phase[k]->mean);
}

/* Crystals of all parts, as they are, or to go on. */
static void set_parts(const sw_taylor *r, int go_on, sw_response_part part[SW_TAYLOR_PHASES])
{
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *own = sw_taylor_part(r, k);
        part[k] = (sw_response_part){.response = own->response,
                                     .fraction = r->phases > 0 ? own->fraction : 1,
                                     .from = crystals_now(r, own),
                                     .to = go_on ? &own->crystals : NULL};
    }
}

/* Parts' means of this rank -> all crystals'. */
static void add_parts(const sw_taylor *r, sw_response_part *part, sw_response_average *average)
{
    memset(average, 0, sizeof *average);
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *own = sw_taylor_part(r, k);
        sum_average(&own->population, &part[k].average);
        add_part(r, own, &part[k].average, average);
    }
}

/* Means of all crystals as they are, under l. */
static sw_status evaluate(sw_taylor *r, const double l[3][3], sw_response_average *average)
{
    const double started = sw_seconds();
    sw_response_part part[SW_TAYLOR_PHASES];
    set_parts(r, 0, part);
    SW_TRY(sw_parallel_agree(sw_response_evaluate_parts(sw_taylor_parts(r), part, l)));
    add_parts(r, part, average);
    r->seconds.steps += sw_seconds() - started;
    return SW_OK;
}

static sw_status try_evaluation(void *context, const double l[3][3], sw_response_average *average)
{
    SW_TRY(sw_parallel_agree(sw_interrupt_check()));
    return evaluate(context, l, average);
}

static int is_met_within(const sw_taylor *r)
{
    return sw_mixed_is_met_within(sw_taylor_part(r, 0)->response);
}

/* By a homogenization that finds what meets given stresses. */
static sw_status meet_within(sw_taylor *r, const sw_loading *loading, sw_mixed_state *mixed, double l[3][3],
                             sw_response_average *average)
{
    sw_response_part part[SW_TAYLOR_PHASES];
    set_parts(r, 0, part);
    SW_TRY(sw_parallel_agree(sw_mixed_meet(loading, sw_taylor_parts(r), part, mixed, l)));
    add_parts(r, part, average);
    for (int i = 0; i < 3; i++)
        average->cauchy_stress[i][i] += mixed->mean_stress;
    return SW_OK;
}

/* The same within an entry of the loading: under l or, where stresses are given, under the one that meets them, which l
 * then is; dt: s, of a step. Where stresses all but jump with the strain rate, as next to Taylor's hypothesis, a homogenization's own search
 * may go around, and one by trials finds it. */
static sw_status answer(sw_taylor *r, const sw_loading *loading, double dt, sw_mixed_state *mixed,
                        double l[3][3], sw_response_average *average)
{
    if (sw_loading_is_mixed(loading) && is_met_within(r)) {
        const sw_status status = meet_within(r, loading, mixed, l, average);
        if (status != SW_ERR_CONVERGENCE)
            return status;
    }
    if (sw_loading_is_mixed(loading))
        return sw_mixed_step(loading, r->given.volume, dt, try_evaluation, r, mixed, l, average);
    SW_TRY(evaluate(r, (const double(*)[3])l, average));
    keep_pressure(r, average->cauchy_stress);
    return SW_OK;
}

sw_status sw_taylor_settle(sw_taylor *r)
{
    const sw_loading *loading = sw_loading_at(&r->walk);
    const int64_t row = r->history.n - 1;
    sw_mixed_state mixed = r->conditions.mixed; /* the next step's stays as it is */
    sw_response_average average;
    double l[3][3];
    if (!answers_at_once(r) || loading == NULL || r->walk.place.step == 0 || r->place.part > 0 ||
        isnan(r->history.cauchy_stress[row][0][0]))
        return SW_OK;
    memcpy(l, r->history.velocity_gradient[row], sizeof l);
    SW_TRY(answer(r, loading, r->history.time[row] - r->history.time[row - 1], &mixed, l, &average));
    sw_history_settle(&r->history, &average);
    for (int k = 0; k < r->phases; k++)
        sw_history_settle(&r->phase[k]->history, &r->phase[k]->mean);
    return SW_OK;
}

/* ---- Through a step ---- */

/* By which packed crystals are rounded, the same in a run that goes on: steps, and their parts, of which more than 2^16 repeat. */
static void count_steps(const sw_taylor *r)
{
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *own = sw_taylor_part(r, k);
        own->crystals.packed.step = own->begun.packed.step = (r->place.step << 16) + (r->place.part & 0xffff);
    }
}

/* Crystals of all parts by a part of a step. */
static sw_status advance_all(sw_taylor *r, const double l[3][3], double dt, sw_response_average *average)
{
    sw_response_part part[SW_TAYLOR_PHASES];
    count_steps(r);
    set_parts(r, 1, part);
    SW_TRY(
        sw_parallel_agree(sw_response_advance_parts(sw_taylor_parts(r), part, SW_STEP_STRAIN_MOST, l, dt)));
    add_parts(r, part, average);
    for (int k = 0; k < sw_taylor_parts(r); k++)
        memcpy(sw_taylor_part(r, k)->l, part[k].velocity_gradient, sizeof part[k].velocity_gradient);
    return SW_OK;
}

/* Crystals through the parts of a step that are not yet done. */
static sw_status advance(sw_taylor *r, const double l[3][3], double dt, sw_response_average *average)
{
    const int64_t parts = parts_of_step(r, l, dt);
    memset(average, 0, sizeof *average);
    if (r->place.part >= parts) /* of a state that was kept, and then damaged: nothing would be stepped */
        return sw_error(SW_ERR_FORMAT, "/state/part = %lld: step %lld has %lld parts",
                        (long long)r->place.part, (long long)r->place.step + 1, (long long)parts);
    for (; r->place.part < parts; r->place.part++) {
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
        const double started = sw_seconds();
        if (r->place.part == 0 && r->heat.change != 0)
            SW_TRY(sw_taylor_heat_crystals(r));
        SW_TRY(advance_all(r, l, dt / (double)parts, average));
        r->seconds.steps += sw_seconds() - started;
        if (r->place.part == 0)
            settle_row_before(r, average);
    }
    return SW_OK;
}

static void begin_again(sw_taylor *r) { r->place.part = 0; }

/* ---- Under a velocity gradient, given or by given stresses ---- */

static sw_status step_given(sw_taylor *r, step *s)
{
    SW_TRY(advance(r, (const double(*)[3])s->l, s->dt, &s->average));
    r->conditions.mixed.mean_stress += sw_taylor_heat_pressure(r);
    keep_pressure(r, s->average.cauchy_stress);
    return SW_OK;
}

/* A step that is tried before it is taken. */
typedef struct {
    sw_taylor *run;
    step *step;
    sw_taylor_conditions begun; /* where the step began, as run->begun */
} trial;

static sw_status try_gradient(void *context, const double l[3][3], sw_response_average *average)
{
    const trial *t = context;
    begin_again(t->run);
    return advance(t->run, l, t->step->dt, average);
}

/* The velocity gradient that meets the given stresses, the strain, the stress in full: at the step's end or, of crystals
 * that answer at once, where it begins. */
static sw_status step_mixed(trial *t)
{
    sw_taylor *r = t->run;
    step *s = t->step;
    if (answers_at_once(r)) {
        SW_TRY(answer(r, s->loading, s->dt, &r->conditions.mixed, s->l, &s->average));
        r->given.is_met = is_met_within(r);
        r->given.met = s->average;
    } else {
        r->conditions.mixed.mean_stress += sw_taylor_heat_pressure(r);
        SW_TRY(sw_mixed_step(s->loading, r->given.volume, s->dt, try_gradient, t, &r->conditions.mixed, s->l,
                             &s->average));
    }
    s->strain = sw_strain_rate_of((const double(*)[3])s->l).rate * s->dt;
    return SW_OK;
}

static void warn_if_coarse(sw_taylor *r)
{
    const double error = r->conditions.mixed.error;
    if (error <= 1e-4 || error < 2 * r->given.told_miss)
        return;
    sw_warn("step %lld: the given stresses are met to %.1e of the largest one: that is as near as `%s` comes",
            (long long)r->place.step + 1, error, r->choice.options.solver);
    r->given.told_miss = error;
}

/* The steps' time is by the estimated D: the free components may turn out much larger. */
static void warn_if_large(sw_taylor *r, const step *s)
{
    const double twice = 2 * r->job->strain_increment;
    const char *remedy = s->loading->steps > 0 ? "more `steps` are" : "a smaller strain_increment is";
    if (s->strain > twice && !r->given.told_large)
        sw_warn("step %lld: ||D|| dt = %.3g: more than twice strain_increment = %g, as free components are "
                "faster than given ones, or `steps` few: %s more accurate",
                (long long)r->place.step + 1, s->strain, r->job->strain_increment, remedy);
    r->given.told_large |= s->strain > twice;
}

/* ---- Until a goal ---- */

/* Of crystals that answer at once: under the l that the step began with, and the stress that a goal is for. */
static sw_status try_time_at_once(sw_taylor *r, step *s)
{
    sw_mixed_state mixed = r->conditions.mixed;
    double l[3][3];
    memcpy(l, s->l, sizeof l);
    begin_again(r);
    SW_TRY(step_given(r, s));
    return s->loading->until == SW_UNTIL_STRESS ? answer(r, s->loading, s->dt, &mixed, l, &s->average)
                                                : SW_OK;
}

/* Of others; given stresses begin where the last trial found them met. */
static sw_status try_time_to_its_end(trial *t)
{
    sw_taylor *r = t->run;
    r->conditions.mixed.mean_stress = t->begun.mixed.mean_stress;
    if (sw_loading_is_mixed(t->step->loading))
        return step_mixed(t);
    begin_again(r);
    return step_given(r, t->step);
}

/* The step with another time. */
static sw_status try_time(void *context, double dt, double *after)
{
    trial *t = context;
    sw_taylor *r = t->run;
    step *s = t->step;
    s->strain *= dt / s->dt;
    s->dt = dt;
    SW_TRY(answers_at_once(r) ? try_time_at_once(r, s) : try_time_to_its_end(t));
    *after = sw_goal_after(s->loading, &r->conditions.goal, (const double(*)[3])s->l, dt,
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
static sw_status step_to_goal(trial *t)
{
    sw_taylor *r = t->run;
    step *s = t->step;
    double dt = s->dt;
    SW_TRY(sw_goal_step(s->loading, &r->conditions.goal, try_time, t, &dt, &s->ended));
    return s->ended || !is_last_of_entry(r) ? SW_OK : sw_goal_missed(s->loading, &r->conditions.goal);
}

/* ---- Tried first, or taken at once ---- */

static int is_tried_first(const sw_loading *loading)
{
    return sw_loading_is_mixed(loading) || sw_loading_seeks(loading);
}

/* Back to the beginning of a step that was not to be finished. */
static sw_status take_back(const trial *t, sw_status status)
{
    sw_taylor *r = t->run;
    r->conditions = t->begun;
    begin_again(r);
    exchange(r);
    for (int k = 0; k < sw_taylor_parts(r); k++)
        (void)sw_taylor_weigh(sw_taylor_part(r, k)); /* as it did before */
    return status;
}

/* A mean over all crystals, of all ranks, of a field of their states: value [F]. */
static sw_status mean_of_families(sw_taylor *r, const char *field, double *value)
{
    const double weight = r->population.weight_here / r->population.weight_in_all;
    sw_status status = SW_OK;
    if (r->population.count > 0)
        status = sw_crystals_mean(&r->crystals, field, value);
    SW_TRY(sw_parallel_agree(status));
    for (int k = 0; k < r->history.families; k++)
        value[k] *= weight;
    sw_parallel_sum(value, r->history.families);
    return SW_OK;
}

static const sw_twin_ranks all_ranks = {sw_parallel_agree, sw_parallel_sum, sw_parallel_sum_counts};

/* Twins turn a part's crystals, or take volume from them. */
static sw_status end_part(sw_taylor *r)
{
    if (r->history.families > 0)
        SW_TRY(mean_of_families(r, "family_slip", r->slip_ended));
    if (r->population.moving != NULL) /* a homogenization need not know of it */
        SW_TRY(sw_parallel_agree(sw_crystals_keep_weights(&r->crystals, r->population.moving)));
    SW_TRY(sw_crystals_turn_twins(r->response, r->population.first, &r->crystals, &all_ranks));
    return sw_parallel_agree(sw_taylor_weigh(r));
}

/* The last row of an entry has its stress from the crystals that it ends with. */
static sw_status end_step(sw_taylor *r, step *s)
{
    double l[3][3];
    for (int k = 0; k < sw_taylor_parts(r); k++)
        SW_TRY(end_part(sw_taylor_part(r, k)));
    memcpy(l, s->l, sizeof l);
    return answers_at_once(r) && (s->ended || is_last_of_entry(r))
               ? answer(r, s->loading, s->dt, &r->conditions.mixed, l, &s->average)
               : SW_OK;
}

static sw_status try_step(trial *t)
{
    sw_taylor *r = t->run;
    step *s = t->step;
    const int seeks = sw_loading_seeks(s->loading), at_once = answers_at_once(r);
    if (sw_loading_is_mixed(s->loading) && (at_once || !seeks))
        SW_TRY(step_mixed(t));
    if (seeks)
        SW_TRY(step_to_goal(t));
    else if (at_once)
        SW_TRY(step_given(r, s));
    return end_step(r, s);
}

static sw_status step_with_trials(sw_taylor *r, step *s)
{
    trial t = {r, s, r->conditions};
    exchange(r);
    const sw_status status = try_step(&t);
    if (status != SW_OK)
        return take_back(&t, status);
    r->tries = 0;
    if (sw_loading_is_mixed(s->loading)) {
        warn_if_coarse(r);
        warn_if_large(r, s);
    }
    return SW_OK;
}

static const sw_response_average nothing_known = {
    .cauchy_stress = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}, .slip_rate = NAN};

/* One that fails leaves crystals that are of no use, and so no answer for the row before it. */
static sw_status take_step(sw_taylor *r, step *s)
{
    sw_status status = step_given(r, s);
    if (status == SW_OK)
        status = end_step(r, s);
    if (status != SW_OK && status != SW_ERR_INTERRUPTED && r->place.part == 0)
        settle_row_before(r, &nothing_known);
    return status;
}

/* What families have slipped, where volume goes from crystals to others that have slipped more or less: what was before, and what
 * the step's own crystals made. */
static void add_up_slips(sw_taylor *r)
{
    const sw_history *h = &r->history;
    for (int k = 0; k < h->families && r->population.moving != NULL; k++)
        r->slip_ended[k] += h->family_slip[(h->n - 1) * h->families + k] - r->slip_begun[k];
}

/* ---- One after the other ---- */

/* What goes with an entry of the loading, before its first step. One whose goal is met already has none. */
static void begin_entry(sw_taylor *r)
{
    const sw_loading *loading;
    while ((loading = sw_loading_at(&r->walk)) != NULL && r->walk.place.step == 0) {
        sw_goal *goal = &r->conditions.goal;
        if (sw_loading_is_mixed(loading))
            sw_mixed_begin(loading, &r->conditions.mixed);
        if (!sw_loading_seeks(loading))
            return;
        *goal = sw_goal_begin(loading, (const double(*)[3])r->history.cauchy_stress[r->place.step]);
        if (!sw_goal_is_met(loading, goal))
            return;
        sw_warn(
            "loading[%d], after step %lld: component %s is at its goal = %g already: no step of this entry",
            entry_of(r, loading), (long long)r->place.step, sw_loading_component_names[loading->component],
            loading->goal);
        sw_loading_end(&r->walk);
    }
}

/* Where it is that crystals have no answer, or that stresses or a goal are not met. */
static sw_status name_step(const sw_taylor *r, const step *s, sw_status status)
{
    char key[SW_KEY_SIZE];
    if (status != SW_ERR_CONVERGENCE && status != SW_ERR_RANGE)
        return status;
    (void)sw_job_error(r->job->source, sw_key_path(key, "loading[%d]", entry_of(r, s->loading)),
                       ", step %lld: %.700s", (long long)r->place.step + 1, sw_error_message());
    return sw_error(status, "%s", sw_error_message());
}

/* A part's row of the history. average: of a run with one material the stress is in full. */
static sw_status add_row(sw_taylor *r, const step *s, const sw_response_average *average)
{
    double turned[SW_FAMILIES_MAX] = {0};
    add_up_slips(r);
    if (sw_twins_turn(&r->material))
        SW_TRY(mean_of_families(r, "twins_turned", turned));
    sw_history_add(&r->history, (const double(*)[3])s->l, s->dt, s->strain, average, r->slip_ended, turned);
    return SW_OK;
}

static sw_status begin_rows(sw_taylor *r)
{
    for (int k = 0; k < r->phases; k++)
        SW_TRY(sw_history_make_room(&r->phase[k]->history));
    return sw_history_make_room(&r->history);
}

static sw_status add_rows(sw_taylor *r, const step *s)
{
    for (int k = 0; k < r->phases; k++) {
        sw_taylor *phase = r->phase[k];
        step own = *s;
        memcpy(own.l, phase->l, sizeof own.l);
        if (s->strain > 0)
            own.strain *= sw_strain_rate_of((const double(*)[3])own.l).rate /
                          sw_strain_rate_of((const double(*)[3])s->l).rate;
        sw_taylor_press_phase(r, phase, (const double(*)[3])s->average.cauchy_stress,
                              (const double(*)[3])s->l, s->dt);
        SW_TRY(add_row(phase, &own, &phase->mean));
    }
    return add_row(r, s, &s->average);
}

sw_status sw_taylor_step(sw_taylor *r)
{
    step s = {.ended = 0};
    unsigned entry;
    sw_loading_next(&r->walk, &entry, &s.dt, &s.strain);
    const double temperature = sw_taylor_temperature_next(r);
    r->heat.change = isnan(r->heat.begin) ? 0 : temperature - sw_loading_temperature(&r->walk, r->heat.begin);
    s.loading = &r->job->loading[entry];
    sw_loading_estimate(s.loading, s.l);
    SW_TRY(sw_parallel_agree(begin_rows(r)));
    SW_TRY(prepare(r, &s));
    for (int k = 0; k < sw_taylor_parts(r) && r->place.part == 0; k++) { /* a step that goes on has it */
        sw_taylor *part = sw_taylor_part(r, k);
        if (part->population.moving != NULL)
            SW_TRY(mean_of_families(part, "family_slip", part->slip_begun));
    }
    const sw_status status = is_tried_first(s.loading) ? step_with_trials(r, &s) : take_step(r, &s);
    if (status != SW_OK)
        return name_step(r, &s, status);
    SW_TRY(add_rows(r, &s));
    if (!isnan(r->heat.begin))
        sw_history_set_temperature(&r->history, temperature);
    SW_TRY(sw_taylor_follow_strains(r));
    r->place = (sw_taylor_place){.step = r->place.step + 1};
    if (s.ended)
        sw_loading_end(&r->walk);
    else
        sw_loading_pass(&r->walk);
    begin_entry(r);
    return SW_OK;
}

/* ---- Before the first ---- */

/* A solver whose stress jumps with D finds no balance. */
static sw_status check_is_continuous(const sw_taylor *r)
{
    const sw_response_options *o = &r->choice.options;
    if (!r->choice.solver->has_terms && !o->nearest)
        return SW_OK;
    return sw_job_error(
        r->job->source, "solver",
        " = %s%s: its stress jumps with the strain rate: free components "
        "of the velocity gradient need grid or tabulated (linear), rigid_plastic, elastoplastic or iterative",
        o->solver, o->nearest ? ", nearest" : "");
}

static int is_of_step(const sw_taylor *r)
{
    int of_step = 0;
    for (int k = 0; k < sw_taylor_parts(r); k++)
        of_step |= sw_taylor_part(r, k)->material.slip.rate_of_step;
    return of_step;
}

/* Where slip is as fast as the step strains, it has no time of its own: what relaxes would be a matter of the number of steps. */
static sw_status check_rates(const sw_taylor *r)
{
    for (unsigned i = 0; i < r->job->loading_count && is_of_step(r); i++) {
        const sw_loading *loading = &r->job->loading[i];
        char key[SW_KEY_SIZE];
        int bears = 0;
        sw_key_path(key, "loading[%u].velocity_gradient", i);
        if (sw_loading_is_hold(loading) && !sw_loading_is_mixed(loading))
            return sw_job_error(
                r->job->source, key,
                " = 0: a hold, at which slip.rate_of_step leaves slip no rate: need a material without it");
        for (int k = 0; k < 9; k++)
            bears |= fabs(loading->stress[k / 3][k % 3]) > 0;
        if (sw_loading_is_hold(loading) && bears)
            sw_warn("%s: a hold under stress, at which slip.rate_of_step leaves slip no rate: how far it "
                    "creeps depends on the "
                    "number of steps",
                    key);
    }
    return SW_OK;
}

sw_status sw_taylor_steps_open(sw_taylor *r)
{
    const sw_taylor_job *job = r->job;
    sw_response_part part[SW_TAYLOR_PHASES];
    int is_tried = 0;
    set_parts(r, 0, part);
    if (sw_response_check_parts(sw_taylor_parts(r), part) != SW_OK)
        return sw_job_blame(job->source, "homogenization");
    SW_TRY(sw_taylor_check_holds(job, r->choice.solver));
    SW_TRY(check_rates(r));
    SW_TRY(sw_taylor_heat_open(r));
    for (unsigned i = 0; i < job->loading_count; i++) {
        r->given.are_there |= sw_loading_is_mixed(&job->loading[i]);
        is_tried |= is_tried_first(&job->loading[i]);
    }
    if (r->given.are_there)
        SW_TRY(check_is_continuous(r));
    r->given.has_pressure = r->given.are_there || !isnan(r->heat.begin);
    if (r->given.has_pressure)
        sw_taylor_find_volume(r);
    r->walk = sw_loading_begin(job->loading_count, job->loading, job->cycles, job->strain_increment);
    begin_entry(r);
    SW_TRY(sw_taylor_follow_strains(r));
    if (!is_tried)
        return SW_OK;
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *part = sw_taylor_part(r, k);
        SW_TRY(sw_crystals_make_like(part->response, &part->crystals, &part->begun));
        part->begun.weight = part->crystals.weight; /* tries count crystals alike */
    }
    return SW_OK;
}
