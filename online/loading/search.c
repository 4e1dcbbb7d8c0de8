#include "search.h"

#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/strain_rate.h"

/* Of a step: trials, those on end that are no better, ways by the same secants. Of a way: trials. */
enum { TRIALS = 240, STALLED = 16, STALLED_BY_SECANTS = 64, WAYS = 5, ON_WAY = 10 };

enum { NO_COLUMN = -1 };

/* Of the largest deviatoric stress: what is sought, what will do where trials stall, and, where the solver's own tolerance lets no
 * more be found, after all trials. */
static const double ENOUGH = 2e-5, STALLED_AT = 1e-3, AT_MOST = 5e-3;

/* Of the slope at the beginning of a way: little enough to leave it. */
static const double LITTLE = 0.3;

/* Of D's size, for differences: wide of round-off, narrow of the yield surface's turns. */
static const double WIDTH = 1e-3;

/* ||D|| dt that x are measured by at least, in holds and steps that begin at rest: a tenth of an elastic strain. */
static const double LEAST_STRAIN = 1e-4;

void sw_search_gradient(const sw_search *s, double l[3][3])
{
    const sw_condition *c = s->condition;
    memcpy(l, c->base, sizeof c->base);
    for (int k = 0; k < c->free; k++)
        for (int i = 0; i < 9; i++)
            l[i / 3][i % 3] += s->x[k] * c->along[k][i / 3][i % 3];
}

void sw_search_begin(sw_search *s, const sw_condition *condition, double dt, const double guess[SW_FREE_MAX],
                     const double (*jacobian)[SW_FREE_MAX])
{
    double given[3][3];
    *s = (sw_search){.condition = condition, .dt = dt, .column = NO_COLUMN, .best_miss = INFINITY};
    memcpy(s->x, guess, sizeof s->x);
    if (jacobian != NULL)
        memcpy(s->jacobian, jacobian, sizeof s->jacobian);
    s->ways = s->jacobian[0][0] == 0 ? WAYS : 0;
    s->size = fmax(sw_strain_rate_deviator(condition->base, given), LEAST_STRAIN / dt);
}

/* ---- A trial ---- */

/* h at the step's end, and 1 where the condition is on the stress. */
static double thickness_at(const sw_search *s, const double l[3][3])
{
    const sw_condition *c = s->condition;
    return c->thickness > 0 ? c->thickness * exp(l[2][2] * s->dt) : 1;
}

/* r_k = h along_k : sigma - value_k. Returns the largest over the largest deviatoric stress; no number where that is
 * none. */
static double residual_of(const sw_search *s, const double stress[6], double slip_resistance,
                          double r[SW_FREE_MAX])
{
    const sw_condition *c = s->condition;
    double l[3][3], largest = 1e-3 * slip_resistance, worst = 0, sum = 0;
    sw_search_gradient(s, l);
    const double h = thickness_at(s, (const double(*)[3])l);
    const double mean = sw_condition_mean_stress(c, (const double(*)[3])l, s->dt);
    for (int k = 0; k < 6; k++) {
        largest = fmax(largest, fabs(stress[k]));
        sum += stress[k]; /* fmax would pass over what is no number */
    }
    for (int k = 0; k < c->free; k++) {
        r[k] = h * (sw_contract(c->along[k], stress) + mean * sw_trace(c->along[k])) - c->value[k];
        worst = fmax(worst, fabs(r[k]));
    }
    return isfinite(sum) ? worst / (h * largest) : NAN;
}

/* What the stress changes by along a direction of L. */
static void change_of(const double along[3][3], const double by_strain_rate[6][6], const double by_spin[6][3],
                      double change[6])
{
    const double spin[3] = {0.5 * (along[0][1] - along[1][0]), 0.5 * (along[0][2] - along[2][0]),
                            0.5 * (along[1][2] - along[2][1])};
    for (int i = 0; i < 6; i++) {
        change[i] = sw_contract(along, by_strain_rate[i]);
        for (int j = 0; j < 3; j++)
            change[i] += by_spin[i][j] * spin[j];
    }
}

static void take_tangent(sw_search *s, const double stress[6], const double by_strain_rate[6][6],
                         const double by_spin[6][3])
{
    const sw_condition *c = s->condition;
    double at[3][3];
    sw_search_gradient(s, at);
    const double h = thickness_at(s, (const double(*)[3])at), thins = c->thickness > 0 ? s->dt : 0;
    for (int l = 0; l < c->free; l++) {
        double change[6];
        change_of(c->along[l], by_strain_rate, by_spin, change);
        for (int k = 0; k < c->free; k++)
            s->jacobian[k][l] = s->size * h *
                                (sw_contract(c->along[k], change) +
                                 thins * c->along[l][2][2] * sw_contract(c->along[k], stress) +
                                 c->bulk_modulus * s->dt * sw_trace(c->along[k]) * sw_trace(c->along[l]));
    }
    s->has_tangents = 1;
    s->ways = 0;
}

/* Broyden's good update: the secant from where the way began to x. */
static void take_secant(sw_search *s, const double r[SW_FREE_MAX])
{
    const int n = s->condition->free;
    double dx[SW_FREE_MAX] = {0}, square = 0;
    for (int i = 0; i < n; i++) {
        dx[i] = (s->x[i] - s->from[i]) / s->size;
        square += dx[i] * dx[i];
    }
    for (int i = 0; i < n && square > 0; i++) {
        double miss = r[i] - s->r[i];
        for (int j = 0; j < n; j++)
            miss -= s->jacobian[i][j] * dx[j];
        for (int j = 0; j < n; j++)
            s->jacobian[i][j] += miss * dx[j] / square;
    }
}

/* ---- A way ---- */

static double slope_of(const sw_search *s, const double r[SW_FREE_MAX])
{
    double sum = 0;
    for (int k = 0; k < s->condition->free; k++)
        sum += r[k] * s->way[k];
    return sum;
}

static double largest_of(const sw_search *s, const double v[SW_FREE_MAX])
{
    double largest = 0;
    for (int k = 0; k < s->condition->free; k++)
        largest = fmax(largest, fabs(v[k]));
    return largest;
}

/* Newton's step, no further at once than D is large. Returns whether it goes down. */
static int is_newtons_way_down(sw_search *s)
{
    double a[SW_FREE_MAX][SW_FREE_MAX], b[SW_FREE_MAX];
    memcpy(a, s->jacobian, sizeof a);
    for (int k = 0; k < SW_FREE_MAX; k++)
        b[k] = -s->r[k];
    if (!sw_solve_by_elimination(s->condition->free, SW_FREE_MAX, a[0], b, s->way))
        return 0;
    const double scale = s->size / fmax(largest_of(s, s->way), 1);
    for (int k = 0; k < s->condition->free; k++)
        s->way[k] *= scale;
    return slope_of(s, s->r) < 0;
}

/* By Newton's step. Where that does not go down a jacobian of secants is made anew, and by a new one it is straight down
 * instead. */
static void begin_way(sw_search *s, int is_jacobian_new)
{
    const int is_down = s->ways < WAYS && is_newtons_way_down(s);
    if (!is_down && !is_jacobian_new) {
        s->column = 0;
        return;
    }
    for (int k = 0; k < s->condition->free && !is_down; k++)
        s->way[k] = -0.1 * s->size * s->r[k] / largest_of(s, s->r);
    s->first = s->low = slope_of(s, s->r);
    s->below = s->above = s->high = 0;
    s->t = 1;
    s->on_way = 1;
    s->ways++;
}

/* By a difference: x is beside the place where the last way ended. After the last column the next way. */
static void take_column(sw_search *s, const double r[SW_FREE_MAX])
{
    for (int k = 0; k < s->condition->free; k++)
        s->jacobian[k][s->column] = (r[k] - s->r[k]) / WIDTH;
    if (++s->column < s->condition->free)
        return;
    s->column = NO_COLUMN;
    s->ways = 0;
    begin_way(s, 1);
}

/* Where on the way to try next. no_answer: the trial had none, and is too far. */
static void go_on(sw_search *s, double here, int no_answer)
{
    if (no_answer || here > 0) {
        s->low *= s->high > 0 ? 0.5 : 1;
        s->above = s->t;
        s->high = no_answer ? -3 * s->low : here; /* to a quarter of the way between */
    } else {
        s->high *= s->below > 0 ? 0.5 : 1;
        s->below = s->t;
        s->low = here;
    }
    s->t = s->high > 0 ? s->below + (s->above - s->below) * s->low / (s->low - s->high) : 2 * s->t;
    s->on_way++;
}

static void place_trial(sw_search *s)
{
    for (int k = 0; k < s->condition->free; k++)
        s->x[k] = s->from[k] + (s->column == NO_COLUMN ? s->t * s->way[k]
                                : s->column == k       ? WIDTH * s->size
                                                       : 0);
}

/* ---- All ---- */

/* With the best one, if that will do. */
static void give_up(sw_search *s)
{
    memcpy(s->x, s->best, sizeof s->x);
    s->miss = s->best_miss;
    s->earlier = 1;
    s->end = s->best_miss <= AT_MOST ? SW_SEARCH_FOUND : SW_SEARCH_FAILED;
}

static void remember(sw_search *s, double miss)
{
    s->since = miss < 0.7 * s->best_miss ? 0 : s->since + 1;
    if (miss < s->best_miss) {
        s->best_miss = miss;
        memcpy(s->best, s->x, sizeof s->best);
    }
}

static int is_over(const sw_search *s, double miss)
{
    const int stalled = s->has_tangents ? STALLED : STALLED_BY_SECANTS;
    return s->trials >= TRIALS || (s->since >= stalled && s->best_miss <= STALLED_AT) ||
           (isnan(miss) && s->trials == 1);
}

/* Whether the way is left here, at slope `here`. */
static int is_spent(const sw_search *s, double here)
{
    return s->on_way == 0 || s->on_way > ON_WAY || fabs(here) <= LITTLE * fabs(s->first);
}

int sw_search_wants_tangent(int trials) { return trials != 1; }

static void leave_way(sw_search *s, const double r[SW_FREE_MAX])
{
    memcpy(s->from, s->x, sizeof s->from);
    memcpy(s->r, r, sizeof s->r);
    begin_way(s, s->has_tangents);
}

void sw_search_take(sw_search *s, const double stress[6], double slip_resistance,
                    const double (*by_strain_rate)[6], const double (*by_spin)[3])
{
    double r[SW_FREE_MAX] = {0};
    const int is_beside = s->column != NO_COLUMN;
    const double miss = s->miss = residual_of(s, stress, slip_resistance, r), here = slope_of(s, r);
    s->trials++;
    if (!is_beside)
        remember(s, miss);
    if (!is_beside && s->on_way > 0 && !isnan(miss))
        take_secant(s, r); /* of the last trial, too: for the next step */
    if (miss <= ENOUGH)
        s->end = SW_SEARCH_FOUND;
    else if (is_over(s, miss))
        give_up(s);
    else if (is_beside)
        take_column(s, r);
    else if (isnan(miss) || !is_spent(s, here))
        go_on(s, here, isnan(miss));
    else {
        if (by_strain_rate != NULL)
            take_tangent(s, stress, by_strain_rate, by_spin);
        leave_way(s, r);
    }
    if (s->end == SW_SEARCH_ON)
        place_trial(s);
}
