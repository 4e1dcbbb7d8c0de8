#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/loading/mixed.h"
#include "online/loading/search.h"
#include "online/response/step/crystals.h"
#include "online/response/step/solver.h"
#include "online/response/trial.h"

/* Runs that have not ended have the first places, so that they stay together. What is by place is said so. */
struct sw_runs {
    sw_response *response; /* borrowed */
    int64_t runs, n;       /* R; of each */
    int64_t going;         /* runs that have not ended */
    int64_t evaluations;
    int64_t *place, *run_at;                /* [R] of a run; and back */
    sw_run_state *state;                    /* [R] */
    double *same;                           /* [R] s: a dt that is the same for all */
    const sw_material **material;           /* [R] by place; NULL: the response's */
    sw_crystals crystals, tried;            /* [R n] by place: as they are; as the last try leaves them */
    float *weight;                          /* [R n] beside them; NULL: all alike */
    double (*gradient)[3][3], (*stress)[6]; /* [R] by place, as are all below */
    double (*deviatoric)[3][3]; /* the same without trace, of crystals that do not see that; else NULL */
    double *dt;                 /* s, of the step at hand */
    double *slip_resistance, *slip_rate; /* Pa, 1/s */
    double (*by_rate)[6][6], (*by_spin)[6][3];
    double told_miss; /* the largest that was warned of */
    sw_search *search;
    sw_condition *of_volume;       /* [R] where volume changes: those of the step at hand; else NULL */
    sw_elastic_volume volume;      /* there */
    int finds_itself;              /* in the step at hand the homogenization finds free rates: */
    sw_point_condition *condition; /* where it can; else NULL */
    double (*found)[SW_FREE_DIRECTIONS];
    int tangent; /* whether the trial at hand is with one; all are at the same */
};

/* ---- Made and released ---- */

static sw_status allocate_numbers(sw_runs *r)
{
    const int64_t n = r->runs;
    SW_TRY(SW_ALLOCATE(r->place, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->run_at, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->state, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->same, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->gradient, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->stress, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->dt, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->slip_resistance, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->slip_rate, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->by_rate, n, "runs"));
    SW_TRY(SW_ALLOCATE(r->by_spin, n, "runs"));
    if (sw_response_takes_volume(r->response))
        SW_TRY(SW_ALLOCATE(r->of_volume, n, "runs"));
    if (sw_mixed_is_met_within(r->response)) {
        SW_TRY(SW_ALLOCATE(r->condition, n, "runs"));
        SW_TRY(SW_ALLOCATE(r->found, n, "runs"));
    }
    return SW_ALLOCATE(r->search, n, "runs");
}

static sw_status allocate_crystals(sw_runs *r, int weighted)
{
    const int64_t n = r->runs * r->n;
    if (weighted)
        SW_TRY(sw_numbers_make(r->response->device, n, &r->weight));
    SW_TRY(sw_crystals_make(r->response, n, &r->crystals));
    r->crystals.weight = r->weight;
    return sw_crystals_make(r->response, n, &r->tried);
}

static sw_status begin(sw_runs *r, const sw_crystal *crystal, const float *weight,
                       const sw_material *const *material)
{
    if (material != NULL)
        SW_TRY(SW_ALLOCATE(r->material, r->runs, "runs")); /* NOLINT(bugprone-sizeof-expression): pointers */
    for (int64_t k = 0; k < r->runs; k++) {
        r->place[k] = r->run_at[k] = k;
        if (material != NULL)
            r->material[k] = material[k];
        SW_TRY(sw_crystals_copy(r->response->device, r->n, r->crystals.crystal + k * r->n, crystal));
        if (weight != NULL)
            SW_TRY(sw_numbers_copy(r->response->device, r->n, r->weight + k * r->n, weight));
    }
    if (sw_material_has_structure(r->response->material))
        SW_TRY(sw_crystals_set_resistance(r->response->device, r->runs * r->n, r->crystals.crystal,
                                          r->response->material->slip.initial_slip_resistance));
    SW_TRY(sw_crystals_begin(r->response, &r->crystals));
    return sw_response_prepare_each(r->response);
}

sw_status sw_runs_create(sw_response *response, int64_t runs, int64_t n_crystals, const sw_crystal *crystal,
                         const float *weight, const sw_material *const *material, sw_runs **made)
{
    sw_runs *r;
    *made = NULL;
    if (runs < 1 || n_crystals < 1 || runs > INT64_MAX / 64 / n_crystals)
        return sw_error(SW_ERR_RANGE, "%lld runs of %lld crystals: need 1 or more of each", (long long)runs,
                        (long long)n_crystals);
    SW_TRY(SW_ALLOCATE(r, 1, "runs"));
    *r = (sw_runs){.response = response,
                   .runs = runs,
                   .n = n_crystals,
                   .going = runs,
                   .volume = sw_elastic_volume_of(response)};
    sw_status status = allocate_numbers(r);
    if (status == SW_OK)
        status = allocate_crystals(r, weight != NULL);
    if (status == SW_OK)
        status = begin(r, crystal, weight, material);
    if (status == SW_OK)
        *made = r;
    else
        sw_runs_free(r);
    return status;
}

sw_status sw_runs_take_volume(sw_runs *r)
{
    if (r->of_volume != NULL || !(r->volume.bulk_modulus > 0))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(r->of_volume, r->runs, "runs"));
    return SW_ALLOCATE(r->deviatoric, r->runs, "runs");
}

void sw_runs_free(sw_runs *r)
{
    if (r == NULL)
        return;
    sw_crystals_release(&r->crystals);
    sw_crystals_release(&r->tried);
    sw_numbers_free(r->response->device, r->weight);
    free(r->place);
    free(r->run_at);
    free(r->state);
    free(r->same);
    free(r->material);
    free(r->gradient);
    free(r->deviatoric);
    free(r->stress);
    free(r->dt);
    free(r->slip_resistance);
    free(r->slip_rate);
    free(r->by_rate);
    free(r->by_spin);
    free(r->search);
    free(r->of_volume);
    free(r->condition);
    free(r->found);
    free(r);
}

/* ---- States ---- */

/* Of the runs at places first .. first + n - 1; c: crystals or tried. */
static sw_crystals some(const sw_runs *r, const sw_crystals *c, int64_t first, int64_t n)
{
    return sw_crystals_part(c, first * r->n, n * r->n);
}

static sw_crystals one(const sw_runs *r, const sw_crystals *c, int64_t place) { return some(r, c, place, 1); }

sw_status sw_runs_copy(sw_runs *to, int64_t run, const sw_runs *from, int64_t of)
{
    const int64_t at = to->place[run], there = from->place[of];
    sw_crystals copy = one(to, &to->crystals, at);
    const sw_crystals original = one(from, &from->crystals, there);
    to->state[run] = from->state[of];
    return sw_crystals_assign(&copy, &original);
}

sw_status sw_runs_crystals(const sw_runs *r, int64_t run, sw_crystal *crystal)
{
    return sw_crystals_copy(r->response->device, r->n, crystal, r->crystals.crystal + r->place[run] * r->n);
}

sw_status sw_runs_set_resistance(sw_runs *r, int64_t run, double slip_resistance)
{
    sw_crystals its = one(r, &r->crystals, r->place[run]);
    SW_TRY(sw_crystals_set_resistance(r->response->device, r->n, its.crystal, slip_resistance));
    return sw_crystals_begin(r->response, &its);
}

/* Two places change what they hold; not between a try and its end. */
static sw_status swap(sw_runs *r, int64_t a, int64_t b)
{
    sw_crystals at_a = one(r, &r->crystals, a), at_b = one(r, &r->crystals, b), spare = one(r, &r->tried, a);
    SW_TRY(sw_crystals_assign(&spare, &at_a));
    SW_TRY(sw_crystals_assign(&at_a, &at_b));
    SW_TRY(sw_crystals_assign(&at_b, &spare));
    const int64_t run = r->run_at[a];
    r->run_at[a] = r->run_at[b];
    r->run_at[b] = run;
    r->place[r->run_at[a]] = a;
    r->place[r->run_at[b]] = b;
    if (r->material != NULL) {
        const sw_material *material = r->material[a];
        r->material[a] = r->material[b];
        r->material[b] = material;
    }
    return SW_OK;
}

sw_status sw_runs_end(sw_runs *r, int64_t run)
{
    const int64_t at = r->place[run], last = r->going - 1;
    if (at > last)
        return SW_OK;
    if (at != last)
        SW_TRY(swap(r, at, last));
    r->going--;
    return SW_OK;
}

int sw_runs_is_going(const sw_runs *r, int64_t run) { return r->place[run] < r->going; }
int64_t sw_runs_going(const sw_runs *r) { return r->going; }
int64_t sw_runs_evaluations(const sw_runs *r) { return r->evaluations; }
const sw_run_state *sw_runs_state(const sw_runs *r, int64_t run) { return &r->state[run]; }

/* ---- A step ---- */

static int are_alike(const sw_runs *r, int64_t first, int64_t n)
{
    for (int64_t p = first + 1; p < first + n; p++)
        if (r->dt[p] != r->dt[first])
            return 0;
    return 1;
}

/* D less its trace, of the runs at places first .. first + n - 1. */
static void take_trace_out(const sw_runs *r, int64_t first, int64_t n)
{
    for (int64_t p = first; p < first + n; p++) {
        double(*l)[3] = r->deviatoric[p];
        memcpy(l, r->gradient[p], sizeof r->gradient[p]);
        for (int i = 0; i < 2; i++)
            l[i][i] -= sw_trace((const double(*)[3])r->gradient[p]) / 3;
        l[2][2] = -(l[0][0] + l[1][1]); /* rounding would leave a trace beside a volume that changes alone */
    }
}

/* Cauchy's deviator under the trial's p, of the runs at places first .. first + n - 1; the tangent stays without, off by p / G. */
static void stretch(const sw_runs *r, int64_t first, int64_t n)
{
    for (int64_t p = first; p < first + n; p++) {
        const sw_condition *c = r->search[p].condition;
        double *stress = r->stress[p];
        if (r->search[p].end == SW_SEARCH_NONE)
            continue;
        const double mean = (stress[0] + stress[1] + stress[2]) / 3,
                     pressed =
                         sw_condition_mean_stress(c, (const double(*)[3])r->gradient[p], r->dt[p]) + mean;
        for (int k = 0; k < 6; k++)
            stress[k] += r->volume.by_mean_stress * pressed * (stress[k] - (k < 3 ? mean : 0));
    }
}

/* The response of the runs at places first .. first + n - 1, tried. Crystals without an answer leave stresses
 * that are no numbers. */
static sw_status evaluate(sw_runs *r, int64_t first, int64_t n)
{
    const sw_crystals from = some(r, &r->crystals, first, n), to = some(r, &r->tried, first, n);
    double(*const gradient)[3][3] = r->deviatoric != NULL ? r->deviatoric : r->gradient;
    if (r->deviatoric != NULL)
        take_trace_out(r, first, n);
    sw_points points = {.points = n,
                        .each = r->n,
                        .velocity_gradient = (const double(*)[3][3])(gradient + first),
                        .dt = r->dt[first],
                        .dt_each = are_alike(r, first, n) ? NULL : r->dt + first,
                        .from = &from,
                        .to = &to,
                        .material = r->material != NULL ? r->material + first : NULL,
                        .stress = r->stress + first,
                        .slip_resistance = r->slip_resistance + first,
                        .slip_rate = r->slip_rate + first,
                        .by_strain_rate = r->tangent ? r->by_rate + first : NULL,
                        .by_spin = r->tangent ? r->by_spin + first : NULL,
                        .condition = r->finds_itself ? r->condition + first : NULL,
                        .found = r->finds_itself ? r->found + first : NULL};
    r->evaluations += n * r->n;
    const sw_status status = sw_response_step_each(r->response, &points);
    if (r->of_volume != NULL && r->volume.by_mean_stress > 0)
        stretch(r, first, n);
    return status == SW_ERR_CONVERGENCE ? SW_OK : status;
}

static int is_on(const sw_runs *r, int64_t place) { return r->search[place].end == SW_SEARCH_ON; }
static int has_no_trial(const sw_runs *r, int64_t place)
{
    return r->search[place].end == SW_SEARCH_FOUND && r->search[place].earlier;
}
static int is_found(const sw_runs *r, int64_t place) { return r->search[place].end == SW_SEARCH_FOUND; }

/* Crystals that a GPU evaluates in about the time that a call takes by itself: so many are rather evaluated in vain than
 * left out by a call more. */
enum { IN_VAIN = 1 << 17 };

static sw_status take(sw_runs *r, int64_t first, int64_t n)
{
    sw_crystals to = some(r, &r->crystals, first, n);
    const sw_crystals from = some(r, &r->tried, first, n);
    return sw_crystals_assign(&to, &from);
}

/* Do something with the places that `are`, neighbours together, and those between ones as near as `gap`. */
static sw_status do_those(sw_runs *r, int64_t gap, int (*are)(const sw_runs *, int64_t),
                          sw_status (*what)(sw_runs *, int64_t first, int64_t n))
{
    for (int64_t first = 0, end; first < r->going; first = end) {
        end = first + 1;
        if (!are(r, first))
            continue;
        for (int64_t p = end; p < r->going && p <= end + gap; p++)
            end = are(r, p) ? p + 1 : end;
        SW_TRY(what(r, first, end - first));
    }
    return SW_OK;
}

static void begin_searches(sw_runs *r, const double *dt, const sw_condition *condition)
{
    for (int64_t p = 0; p < r->going; p++) {
        const int64_t run = r->run_at[p];
        sw_search *s = &r->search[p];
        if (dt[run] == 0) {
            s->end = SW_SEARCH_NONE;
            r->dt[p] = p > 0 ? r->dt[p - 1] : 1; /* any, where it is evaluated in vain */
            continue;
        }
        r->dt[p] = dt[run];
        sw_search_begin(s, &condition[run], dt[run], r->state[run].free, NULL);
        if (condition[run].free == 0) { /* nothing to be sought */
            s->end = SW_SEARCH_FOUND;
            s->earlier = 1;
        }
        sw_search_gradient(s, r->gradient[p]);
    }
}

/* One trial of all that search. Returns in *on how many still do. */
static sw_status try_all(sw_runs *r, int64_t *on)
{
    SW_TRY(do_those(r, r->response->device == SW_CUDA ? IN_VAIN / r->n : 0, is_on, evaluate));
    *on = 0;
    for (int64_t p = 0; p < r->going; p++) {
        sw_search *s = &r->search[p];
        if (s->end != SW_SEARCH_ON)
            continue;
        sw_search_take(s, r->stress[p], r->slip_resistance[p],
                       r->tangent ? (const double(*)[6])r->by_rate[p] : NULL,
                       r->tangent ? (const double(*)[3])r->by_spin[p] : NULL);
        sw_search_gradient(s, r->gradient[p]);
        *on += s->end == SW_SEARCH_ON;
    }
    return SW_OK;
}

/* The deviator; p as the volume has changed it. */
static void keep_stress(const sw_runs *r, int64_t p, sw_run_state *state)
{
    const double *stress = r->stress[p],
                 mean = r->of_volume != NULL ? (stress[0] + stress[1] + stress[2]) / 3 : 0;
    for (int k = 0; k < 6; k++)
        state->stress[k] = stress[k] - (k < 3 ? mean : 0);
    if (r->of_volume != NULL)
        state->mean_stress =
            sw_condition_mean_stress(r->search[p].condition, (const double(*)[3])r->gradient[p], r->dt[p]);
}

/* Of those that are not twice as bad as the last one told, none. */
static void warn_if_coarse(sw_runs *r, int64_t run)
{
    const double miss = r->state[run].miss;
    if (!(miss > 1e-3) || miss < 2 * r->told_miss)
        return;
    sw_warn("polycrystal %lld of %lld: its stresses are met to %.1e of the largest one: that is as near as "
            "`%s` comes",
            (long long)run + 1, (long long)r->runs, miss, r->response->solver->traits.name);
    r->told_miss = miss;
}

static void keep_states(sw_runs *r)
{
    for (int64_t p = 0; p < r->going; p++) {
        const sw_search *s = &r->search[p];
        sw_run_state *state = &r->state[r->run_at[p]];
        if (s->end == SW_SEARCH_NONE)
            continue;
        state->failed = s->end != SW_SEARCH_FOUND || !isfinite(r->stress[p][0]);
        state->miss = s->miss;
        if (state->failed)
            continue;
        memcpy(state->velocity_gradient, r->gradient[p], sizeof state->velocity_gradient);
        keep_stress(r, p, state);
        memcpy(state->free, s->x, sizeof state->free);
        state->slip_resistance = r->slip_resistance[p];
        state->slip_rate = r->slip_rate[p];
        warn_if_coarse(r, r->run_at[p]);
    }
}

/* ---- By a homogenization that finds the free rates itself ---- */

static int is_stepped(const sw_runs *r, int64_t place) { return r->search[place].end != SW_SEARCH_NONE; }

/* Stresses that it meets are of crystals as the step begins. What they harden by in it is no matter where none is asked for; a band's
 * forces are of the end, and a rate is their n-th power. */
static int can_find(const sw_runs *r, const sw_condition *condition)
{
    for (int64_t p = 0; p < r->going; p++) {
        const sw_condition *c = &condition[r->run_at[p]];
        for (int k = 0; k < c->free && is_stepped(r, p); k++)
            if (c->value[k] != 0)
                return 0;
    }
    return r->condition != NULL;
}

static void ask(sw_runs *r)
{
    for (int64_t p = 0; p < r->going; p++) {
        const sw_condition *c = r->search[p].condition;
        if (!is_stepped(r, p))
            continue;
        memcpy(r->gradient[p], c->base, sizeof c->base);
        r->condition[p].free = c->free;
        memcpy(r->condition[p].along, c->along, sizeof c->along);
        for (int k = 0; k < c->free; k++)
            r->condition[p].value[k] = 0;
    }
}

static sw_status step_within(sw_runs *r)
{
    ask(r);
    SW_TRY(sw_interrupt_check());
    SW_TRY(do_those(r, 0, is_stepped, evaluate));
    for (int64_t p = 0; p < r->going; p++)
        if (is_stepped(r, p) && isfinite(r->stress[p][0]))
            memcpy(r->search[p].x, r->found[p], sizeof r->search[p].x);
    for (int64_t p = 0; p < r->going; p++) {
        sw_search *s = &r->search[p];
        if (!is_stepped(r, p))
            continue;
        s->end = isfinite(r->stress[p][0]) ? SW_SEARCH_FOUND : SW_SEARCH_FAILED;
        s->miss = 0;
        sw_search_gradient(s, r->gradient[p]);
    }
    return SW_OK;
}

/* ---- All of a step ---- */

sw_status sw_runs_step_each(sw_runs *r, const double *dt, const sw_condition *condition)
{
    int64_t on = 1;
    for (int64_t run = 0; r->of_volume != NULL && run < r->runs; run++) {
        r->of_volume[run] = condition[run];
        sw_condition_free_volume(&r->of_volume[run], r->volume.bulk_modulus, r->state[run].mean_stress);
    }
    begin_searches(r, dt, r->of_volume != NULL ? r->of_volume : condition);
    r->finds_itself = can_find(r, condition);
    if (r->finds_itself) {
        SW_TRY(step_within(r));
        SW_TRY(do_those(r, 0, is_found, take));
        keep_states(r);
        return SW_OK;
    }
    for (int trials = 0; on > 0; trials++) {
        SW_TRY(sw_interrupt_check());
        r->tangent = sw_search_wants_tangent(trials);
        SW_TRY(try_all(r, &on));
    }
    r->tangent = 0;
    SW_TRY(do_those(r, 0, has_no_trial, evaluate));
    SW_TRY(do_those(r, 0, is_found, take));
    keep_states(r);
    return SW_OK;
}

sw_status sw_runs_step(sw_runs *r, double dt, const sw_condition *condition)
{
    for (int64_t run = 0; run < r->runs; run++)
        r->same[run] = dt;
    return sw_runs_step_each(r, r->same, condition);
}
