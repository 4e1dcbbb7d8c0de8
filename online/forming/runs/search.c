#include "search.h"

#include <math.h>
#include <string.h>

#include "common/math/elimination.h"
#include "common/math/strain_rate.h"

enum { TRIALS = 160, STALLED = 16, ON_WAY = 10 };

/* Of the largest deviatoric stress: what is sought, and what will do where round-off lets no more be found. */
static const double ENOUGH = 2e-5, AT_MOST = 1e-3;

/* Of the slope at the beginning of a way: little enough to leave it. */
static const double LITTLE = 0.3;

/* ||D|| dt that x are measured by at least, in steps that begin at rest: a tenth of an elastic strain. */
static const double LEAST_STRAIN = 1e-4;

void sw_search_gradient(const sw_search *s, double l[3][3])
{
    const sw_condition *c = s->condition;
    memcpy(l, c->base, sizeof c->base);
    for (int k = 0; k < c->free; k++)
        for (int i = 0; i < 9; i++)
            l[i / 3][i % 3] += s->x[k] * c->along[k][i / 3][i % 3];
}

void sw_search_begin(sw_search *s, const sw_condition *condition, double dt, const double guess[SW_FREE_MAX])
{
    double l[3][3];
    *s = (sw_search){.condition = condition, .dt = dt, .best_miss = INFINITY};
    memcpy(s->x, guess, sizeof s->x);
    sw_search_gradient(s, l);
    s->size = fmax(sw_strain_rate_of((const double(*)[3])l).rate, LEAST_STRAIN / dt);
}

/* ---- A trial ---- */

/* h at the step's end, and 1 where the condition is on the stress. */
static double thickness_at(const sw_search *s)
{
    const sw_condition *c = s->condition;
    double rate = c->base[2][2];
    for (int k = 0; k < c->free; k++)
        rate += s->x[k] * c->along[k][2][2];
    return c->thickness > 0 ? c->thickness * exp(rate * s->dt) : 1;
}

/* r_k = h along_k : sigma - value_k. Returns the largest over the largest stress; no number where that is none. */
static double residual_of(const sw_search *s, const double stress[6], double slip_resistance,
                          double r[SW_FREE_MAX])
{
    const sw_condition *c = s->condition;
    const double h = thickness_at(s);
    double largest = 1e-3 * slip_resistance, worst = 0, sum = 0;
    for (int k = 0; k < 6; k++) {
        largest = fmax(largest, fabs(stress[k]));
        sum += stress[k]; /* fmax would pass over what is no number */
    }
    for (int k = 0; k < c->free; k++) {
        r[k] = h * sw_contract(c->along[k], stress) - c->value[k];
        worst = fmax(worst, fabs(r[k]));
    }
    return isfinite(sum) ? worst / (h * largest) : NAN;
}

/* What the stress changes by along a direction of L. */
static void change_of(const double along[3][3], const double by_strain_rate[6][6], const double by_spin[6][3],
                      double change[6])
{
    double rate[6];
    const double spin[3] = {0.5 * (along[0][1] - along[1][0]), 0.5 * (along[0][2] - along[2][0]),
                            0.5 * (along[1][2] - along[2][1])};
    for (int k = 0; k < 6; k++) {
        const int i = sw_loading_row[k], j = sw_loading_column[k];
        rate[k] = k < 3 ? along[i][j] : along[i][j] + along[j][i];
    }
    for (int i = 0; i < 6; i++) {
        change[i] = 0;
        for (int j = 0; j < 6; j++)
            change[i] += by_strain_rate[i][j] * rate[j];
        for (int j = 0; j < 3; j++)
            change[i] += by_spin[i][j] * spin[j];
    }
}

static void jacobian_of(const sw_search *s, const double stress[6], const double by_strain_rate[6][6],
                        const double by_spin[6][3], double jacobian[SW_FREE_MAX][SW_FREE_MAX])
{
    const sw_condition *c = s->condition;
    const double h = thickness_at(s), thins = c->thickness > 0 ? s->dt : 0;
    for (int l = 0; l < c->free; l++) {
        double change[6];
        change_of(c->along[l], by_strain_rate, by_spin, change);
        for (int k = 0; k < c->free; k++)
            jacobian[k][l] = h * (sw_contract(c->along[k], change) +
                                  thins * c->along[l][2][2] * sw_contract(c->along[k], stress));
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

/* No further at once than D is large. */
static void bound_way(sw_search *s)
{
    double largest = 0;
    for (int k = 0; k < s->condition->free; k++)
        largest = fmax(largest, fabs(s->way[k]));
    for (int k = 0; k < s->condition->free && largest > s->size; k++)
        s->way[k] *= s->size / largest;
}

/* From x by Newton's step, or where that does not go down, straight down. */
static void begin_way(sw_search *s, const double r[SW_FREE_MAX], double jacobian[SW_FREE_MAX][SW_FREE_MAX])
{
    const int n = s->condition->free;
    double largest = 0, b[SW_FREE_MAX] = {0};
    for (int k = 0; k < n; k++) {
        b[k] = -r[k];
        largest = fmax(largest, fabs(r[k]));
    }
    if (!sw_solve_by_elimination(n, SW_FREE_MAX, jacobian[0], b, s->way) || !(slope_of(s, r) < 0))
        for (int k = 0; k < n; k++)
            s->way[k] = -0.1 * s->size * r[k] / largest;
    bound_way(s);
    memcpy(s->from, s->x, sizeof s->from);
    s->first = s->low = slope_of(s, r);
    s->below = s->above = s->high = 0;
    s->t = 1;
    s->on_way = 1;
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
        s->x[k] = s->from[k] + s->t * s->way[k];
}

/* ---- All ---- */

static void finish(sw_search *s, sw_search_end end, double miss)
{
    s->end = end;
    s->miss = miss;
}

/* The best one, if that will do. */
static void give_up(sw_search *s)
{
    memcpy(s->x, s->best, sizeof s->x);
    s->earlier = 1;
    finish(s, s->best_miss <= AT_MOST ? SW_SEARCH_FOUND : SW_SEARCH_FAILED, s->best_miss);
}

static void remember(sw_search *s, double miss)
{
    s->trials++;
    s->since = miss < 0.7 * s->best_miss ? 0 : s->since + 1;
    if (miss < s->best_miss) {
        s->best_miss = miss;
        memcpy(s->best, s->x, sizeof s->best);
    }
}

void sw_search_take(sw_search *s, const double stress[6], double slip_resistance,
                    const double by_strain_rate[6][6], const double by_spin[6][3])
{
    double r[SW_FREE_MAX] = {0}, jacobian[SW_FREE_MAX][SW_FREE_MAX] = {{0}};
    const double miss = residual_of(s, stress, slip_resistance, r);
    remember(s, miss);
    if (miss <= ENOUGH) {
        finish(s, SW_SEARCH_FOUND, miss);
        return;
    }
    if (s->trials >= TRIALS || (s->since >= STALLED && s->best_miss <= AT_MOST) ||
        (isnan(miss) && s->on_way == 0)) {
        give_up(s);
        return;
    }
    const double here = slope_of(s, r);
    if (!isnan(miss) && (s->on_way == 0 || s->on_way > ON_WAY || fabs(here) <= LITTLE * fabs(s->first))) {
        jacobian_of(s, stress, by_strain_rate, by_spin, jacobian);
        begin_way(s, r, jacobian);
    } else
        go_on(s, here, isnan(miss));
    place_trial(s);
}
