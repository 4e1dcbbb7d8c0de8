#include "mixed.h"

#include <math.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/math/elimination.h"
#include "common/math/strain_rate.h"

enum { TRIALS = 240, STALLED = 5 }; /* of a step; steps with the same secants */

/* Of the largest deviatoric stress: what is sought, and what will do where the solver's own tolerance lets no
 * more be found. */
static const double ENOUGH = 2e-5, AT_MOST = 1e-3;

/* ||D|| dt of a trial, at most: beyond it crystals do not stand the stresses that are asked of them. */
static const double LARGEST_STRAIN = SW_STEP_STRAIN_MOST;

/* ||D|| dt that unknowns are measured by, at least, in holds and in steps cut short: a tenth of an elastic strain. */
static const double LEAST_STRAIN = 1e-4;

/* What is solved for. */
typedef struct {
    const sw_loading *loading;
    double bulk_modulus, dt, size; /* Pa; s; of D, 1/s */
    double mean_stress;            /* at the step's beginning */
    int n, unknown[6];             /* free components that are varied */
    int dependent;                 /* the one that tr D = 0 gives; -1: none */
    sw_mixed_trial *trial;
    void *context;
    int trials;
} problem;

/* One point: unknowns x in sizes of D, and what comes of them. */
typedef struct {
    double x[6], residual[6]; /* Pa */
    double error;             /* largest residual over the largest deviatoric stress */
    double l[3][3];
    sw_response_average average;
} point;

static double given_stress(const sw_loading *g, int k)
{
    const int i = sw_loading_row[k], j = sw_loading_column[k];
    return isnan(g->stress[i][j]) ? g->stress[j][i] : g->stress[i][j];
}

void sw_mixed_begin(const sw_loading *loading, sw_mixed_state *state)
{
    double l[3][3];
    sw_loading_estimate(loading, l);
    memset(state->jacobian, 0, sizeof state->jacobian);
    for (int k = 0; k < 6; k++)
        state->rate[k] = sw_loading_component((const double(*)[3])l, k);
}

static problem pose(const sw_loading *loading, double bulk_modulus, double dt, double mean_stress)
{
    double l[3][3];
    problem p = {.loading = loading,
                 .bulk_modulus = bulk_modulus,
                 .dt = dt,
                 .mean_stress = mean_stress,
                 .dependent = -1};
    sw_loading_estimate(loading, l);
    p.size = fmax(sw_strain_rate_of((const double(*)[3])l).rate, LEAST_STRAIN / dt);
    for (int k = 0; k < 6; k++)
        if (sw_loading_is_free(loading, k)) {
            if (bulk_modulus == 0 && k < 3 && p.dependent < 0)
                p.dependent = k;
            else
                p.unknown[p.n++] = k;
        }
    return p;
}

static void rates_at(const problem *p, const double x[6], double rate[6])
{
    double trace = 0;
    memset(rate, 0, 6 * sizeof *rate);
    for (int i = 0; i < p->n; i++)
        rate[p->unknown[i]] = x[i] * p->size;
    for (int k = 0; k < 3 && p->dependent >= 0; k++)
        if (k != p->dependent)
            trace += sw_loading_is_free(p->loading, k) ? rate[k] : p->loading->velocity_gradient[k][k];
    if (p->dependent >= 0)
        rate[p->dependent] = -trace;
}

/* The stress in full, and how far it is from the given one. */
static void add_pressure(const problem *p, double trace, point *at)
{
    double(*s)[3] = at->average.cauchy_stress, largest = 0, worst = 0; /* without the pressure */
    const double deviation = (s[0][0] + s[1][1] + s[2][2]) / 3;
    const int d = p->dependent;
    const double mean = d >= 0 ? given_stress(p->loading, d) - (s[d][d] - deviation)
                               : p->mean_stress + p->bulk_modulus * trace * p->dt;
    for (int k = 0; k < 9; k++)
        largest = fmax(largest, fabs(s[k / 3][k % 3] - (k % 4 == 0 ? deviation : 0)));
    for (int i = 0; i < 3; i++)
        s[i][i] += mean - deviation;
    for (int i = 0; i < p->n; i++) {
        const int k = p->unknown[i];
        at->residual[i] = s[sw_loading_row[k]][sw_loading_column[k]] - given_stress(p->loading, k);
        worst = fmax(worst, fabs(at->residual[i]));
    }
    at->error = worst / fmax(largest, 1e-3 * at->average.slip_resistance);
}

static sw_status evaluate(problem *p, point *at)
{
    double rate[6], deviatoric[3][3];
    rates_at(p, at->x, rate);
    sw_loading_fill(p->loading, rate, at->l);
    const double trace = at->l[0][0] + at->l[1][1] + at->l[2][2];
    memcpy(deviatoric, at->l, sizeof deviatoric);
    for (int i = 0; i < 2; i++)
        deviatoric[i][i] -= trace / 3;
    /* not by its own difference: beside a volume that changes alone, rounding would leave a trace and no more */
    deviatoric[2][2] = -(deviatoric[0][0] + deviatoric[1][1]);
    const double strain = sw_strain_rate_of((const double(*)[3])deviatoric).rate * p->dt;
    if (!(strain <= LARGEST_STRAIN))
        return sw_error(
            SW_ERR_CONVERGENCE,
            "the free components of the velocity gradient go to a strain of %.3g in a step of %.3g s: "
            "the given stresses are more than the crystals stand, or the step is too long",
            strain, p->dt);
    p->trials++;
    SW_TRY(p->trial(p->context, (const double(*)[3])deviatoric, &at->average));
    for (int k = 0; k < 9; k++) /* else fmax would pass over it */
        if (!isfinite(at->average.cauchy_stress[k / 3][k % 3]))
            return sw_error(SW_ERR_CONVERGENCE, "the mean stress is not a number");
    add_pressure(p, trace, at);
    return SW_OK;
}

/* ---- The method ---- */

/* Columns by differences of a thousandth of D's size: wide of round-off, narrow of the yield surface's turns. */
static sw_status difference(problem *p, const point *at, double jacobian[6][6])
{
    const double width = 1e-3;
    for (int j = 0; j < p->n; j++) {
        point beside = *at;
        beside.x[j] += width;
        SW_TRY(evaluate(p, &beside));
        for (int i = 0; i < p->n; i++)
            jacobian[i][j] = (beside.residual[i] - at->residual[i]) / width;
    }
    return SW_OK;
}

static void newton_step(int n, double jacobian[6][6], const point *at, double dx[6])
{
    double a[6][6], b[6] = {0}, largest = 0;
    memcpy(a, jacobian, sizeof a);
    memset(dx, 0, 6 * sizeof *dx);
    for (int i = 0; i < n; i++)
        b[i] = -at->residual[i];
    if (!sw_solve_by_elimination(n, 6, a[0], b, dx))
        memset(dx, 0, 6 * sizeof *dx);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(dx[i]));
    for (int i = 0; i < n && largest > 1; i++) /* at most as far as D is large */
        dx[i] /= largest;
}

/* Broyden's good update: the secant from `a` to `b`. */
static void update(int n, double jacobian[6][6], const point *a, const point *b)
{
    double dx[6] = {0}, square = 0;
    for (int i = 0; i < n; i++) {
        dx[i] = b->x[i] - a->x[i];
        square += dx[i] * dx[i];
    }
    for (int i = 0; i < n && square > 0; i++) {
        double miss = b->residual[i] - a->residual[i];
        for (int j = 0; j < n; j++)
            miss -= jacobian[i][j] * dx[j];
        for (int j = 0; j < n; j++)
            jacobian[i][j] += miss * dx[j] / square;
    }
}

static sw_status refuse(const problem *p, const point *at)
{
    int worst = 0;
    for (int i = 1; i < p->n; i++)
        worst = fabs(at->residual[i]) > fabs(at->residual[worst]) ? i : worst;
    const int k = p->unknown[worst];
    const double given = given_stress(p->loading, k);
    return sw_error(
        SW_ERR_CONVERGENCE,
        "stress[%d][%d] = %.6g Pa is not met: %.6g Pa after %d trials of the free velocity gradients: "
        "crystals too few for a balance, or between two answers",
        sw_loading_row[k], sw_loading_column[k], given, given + at->residual[worst], p->trials);
}

/* What the stresses that are missed do along dx: the slope of the potential whose gradient they are, which is
 * convex, so that it grows along the way and has its root where the way is best left. */
static double slope(const problem *p, const point *at, const double dx[6])
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += (p->unknown[i] < 3 ? 1 : 2) * at->residual[i] * dx[i];
    return sum;
}

/* From `at` along dx to where the slope has lost most of its size, by the Illinois rule; secants on the way. */
static sw_status go_along(problem *p, double jacobian[6][6], const double dx[6], point *at)
{
    const double first = slope(p, at, dx), little = 0.3 * fabs(first);
    double below = 0, low = first, above = 0, high = 0, t = 1;
    point next = *at;
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < p->n; i++)
            next.x[i] = at->x[i] + t * dx[i];
        SW_TRY(evaluate(p, &next));
        update(p->n, jacobian, at, &next);
        const double here = slope(p, &next, dx);
        if (fabs(here) <= little || next.error <= ENOUGH)
            break;
        if (here > 0) {
            low *= high > 0 ? 0.5 : 1;
            above = t;
            high = here;
        } else {
            high *= below > 0 ? 0.5 : 1;
            below = t;
            low = here;
        }
        t = high > 0 ? below + (above - below) * low / (low - high) : 2 * t;
    }
    *at = next;
    return SW_OK;
}

/* To a point whose error is small, or to the best one where the solver lets no better be found; the last
 * trial is of it. */
static sw_status search(problem *p, double jacobian[6][6], point *at)
{
    int since = jacobian[0][0] == 0 ? STALLED : 0; /* steps since the secants were made anew */
    SW_TRY(evaluate(p, at));
    point best = *at;
    while (!(at->error <= ENOUGH)) {
        double dx[6] = {0};
        if (p->trials >= TRIALS) {
            *at = best;
            return best.error <= AT_MOST ? evaluate(p, at) : refuse(p, &best);
        }
        newton_step(p->n, jacobian, at, dx);
        if (since >= STALLED || !(slope(p, at, dx) < 0)) {
            SW_TRY(difference(p, at, jacobian));
            newton_step(p->n, jacobian, at, dx);
            since = 0;
        }
        SW_TRY(go_along(p, jacobian, dx, at));
        since++;
        if (at->error < best.error)
            best = *at;
    }
    return SW_OK;
}

sw_status sw_mixed_step(const sw_loading *loading, double bulk_modulus, double dt, sw_mixed_trial *trial,
                        void *context, sw_mixed_state *state, double l[3][3], sw_response_average *average)
{
    problem p = pose(loading, bulk_modulus, dt, state->mean_stress);
    point at = {.error = 0};
    sw_mixed_state next = *state; /* a step that fails leaves nothing */
    p.trial = trial;
    p.context = context;
    for (int i = 0; i < p.n; i++)
        at.x[i] = state->rate[p.unknown[i]] / p.size;
    SW_TRY(search(&p, next.jacobian, &at));
    const double(*s)[3] = (const double(*)[3])at.average.cauchy_stress;
    for (int i = 0; i < p.n; i++)
        next.rate[p.unknown[i]] = at.x[i] * p.size;
    next.mean_stress = (s[0][0] + s[1][1] + s[2][2]) / 3;
    next.error = at.error;
    *state = next;
    memcpy(l, at.l, sizeof at.l);
    *average = at.average;
    return SW_OK;
}
