#include "goal.h"

#include <math.h>
#include <string.h>

#include "common/math/tensor.h"

enum { TRIALS = 40 };

/* Of the scale: what is sought, and what will do where no more is found. Stresses under mixed conditions are met to
 * 2e-5 (mixed.c), and so no better known. */
static const double ENOUGH = 5e-5, AT_MOST = 1e-3;

/* Of the step's time: what a jump is looked for in. */
static const double SHORTEST = 1e-9;

static double component_of(const sw_loading *g, const double tensor[3][3])
{
    const int i = sw_loading_row[g->component], j = sw_loading_column[g->component];
    return (tensor[i][j] + tensor[j][i]) / 2;
}

sw_goal sw_goal_begin(const sw_loading *g, const double stress[3][3])
{
    double whole[3][3], deviator[3][3];
    if (g->until != SW_UNTIL_STRESS)
        return (sw_goal){0, 0, fabs(g->goal)};
    memcpy(whole, stress, sizeof whole);
    sw_deviator(whole, deviator);
    const double first = component_of(g, stress);
    return (sw_goal){first, first, fmax(fabs(g->goal), sw_norm(deviator))};
}

static int is_near(const sw_goal *goal, double miss, double tolerance)
{
    return fabs(miss) <= tolerance * goal->scale;
}

int sw_goal_is_met(const sw_loading *g, const sw_goal *goal)
{
    return is_near(goal, goal->now - g->goal, ENOUGH);
}

double sw_goal_after(const sw_loading *g, const sw_goal *goal, const double l[3][3], double dt,
                     const double stress[3][3])
{
    return g->until == SW_UNTIL_STRESS ? component_of(g, stress) : goal->now + component_of(g, l) * dt;
}

/* "stress 11" and the unit, of messages. */
static const char *unit_of(const sw_loading *g) { return g->until == SW_UNTIL_STRESS ? " Pa" : ""; }
static const char *kind_of(const sw_loading *g) { return g->until == SW_UNTIL_STRESS ? "stress" : "strain"; }

sw_status sw_goal_missed(const sw_loading *g, const sw_goal *goal)
{
    const char *unit = unit_of(g);
    return sw_error(
        SW_ERR_CONVERGENCE,
        "goal = %.6g%s: %s %s is %.6g%s after the entry's duration of %g s, and was %.6g%s before it",
        g->goal, unit, kind_of(g), sw_loading_component_names[g->component], goal->now, unit, g->duration,
        goal->first, unit);
}

static sw_status jumped(const sw_loading *g, double before, double after)
{
    const char *unit = unit_of(g);
    return sw_error(SW_ERR_CONVERGENCE,
                    "goal = %.6g%s: %s %s jumps over it, from %.6g to %.6g%s in a step however short",
                    g->goal, unit, kind_of(g), sw_loading_component_names[g->component], before, after, unit);
}

/* A moment of the step, and by how much the component is beside its goal there. */
typedef struct {
    double dt, miss;
} moment;

/* Where the line between two moments has its root, but not next to either. */
static double between(const moment *a, const moment *b, double weight_a, double weight_b)
{
    const double x = weight_a * a->miss, y = weight_b * b->miss, part = x / (x - y);
    return a->dt + (b->dt - a->dt) * fmin(fmax(part, 0.01), 0.99);
}

/* From `a`, before the goal, and `b`, beyond it, to the best moment found; *last: that of the last trial. */
static sw_status close_in(const sw_loading *g, const sw_goal *goal, sw_goal_trial *trial, void *context,
                          moment a, moment b, moment *best, moment *last)
{
    const double shortest = SHORTEST * b.dt;
    double weight_a = 1, weight_b = 1;
    int side = 0; /* of the last trial: 1 beyond the goal */
    int slow =
        0; /* it left more than half of where the goal may be, as next to a kink: the middle is tried */
    *best = *last = b;
    for (int k = 0; k < TRIALS && b.dt - a.dt > shortest; k++) {
        moment next = {.dt = slow ? (a.dt + b.dt) / 2 : between(&a, &b, weight_a, weight_b)};
        const double width = b.dt - a.dt;
        SW_TRY(trial(context, next.dt, &next.miss));
        next.miss -= g->goal;
        *last = next;
        if (fabs(next.miss) < fabs(best->miss))
            *best = next;
        if (is_near(goal, best->miss, ENOUGH))
            return SW_OK;
        const int beyond = (next.miss > 0) == (b.miss > 0);
        weight_a = !beyond ? 1 : side > 0 ? weight_a / 2 : weight_a;
        weight_b = beyond ? 1 : side < 0 ? weight_b / 2 : weight_b;
        side = beyond ? 1 : -1;
        *(beyond ? &b : &a) = next;
        slow = !slow && b.dt - a.dt > width / 2;
    }
    return is_near(goal, best->miss, AT_MOST) ? SW_OK : jumped(g, a.miss + g->goal, b.miss + g->goal);
}

sw_status sw_goal_step(const sw_loading *g, sw_goal *goal, sw_goal_trial *trial, void *context, double *dt,
                       int *ended)
{
    double after;
    SW_TRY(trial(context, *dt, &after));
    const moment start = {0, goal->now - g->goal}, end = {*dt, after - g->goal};
    *ended = is_near(goal, end.miss, ENOUGH);
    if (*ended || (end.miss > 0) == (goal->first > g->goal)) {
        goal->now = after;
        return SW_OK;
    }
    moment best, last;
    SW_TRY(close_in(g, goal, trial, context, start, end, &best, &last));
    if (best.dt != last.dt)
        SW_TRY(trial(context, best.dt, &after));
    goal->now = best.miss + g->goal;
    *dt = best.dt;
    *ended = 1;
    return SW_OK;
}
