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

sw_goal sw_goal_begin(const sw_loading *g, const double stress[3][3])
{
    double whole[3][3], deviator[3][3];
    if (g->until != SW_UNTIL_STRESS)
        return (sw_goal){0, 0, fabs(g->goal)};
    memcpy(whole, stress, sizeof whole);
    sw_deviator(whole, deviator);
    const double first = sw_loading_component(stress, g->component);
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
    return g->until == SW_UNTIL_STRESS ? sw_loading_component(stress, g->component)
                                       : goal->now + sw_loading_component(l, g->component) * dt;
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

/* What is tried, and for what. */
typedef struct {
    const sw_loading *loading;
    const sw_goal *goal;
    sw_goal_trial *trial;
    void *context;
} search;

/* A moment of the step: where the component is then, and by how much beside its goal. */
typedef struct {
    double dt, now, miss;
} moment;

static sw_status try_at(const search *s, double dt, moment *at)
{
    double after;
    SW_TRY(s->trial(s->context, dt, &after));
    *at = (moment){dt, after, after - s->loading->goal};
    return SW_OK;
}

/* Where the line between two moments has its root, but not next to either. */
static double between(const moment *a, const moment *b, double weight_a, double weight_b)
{
    const double x = weight_a * a->miss, y = weight_b * b->miss, part = x / (x - y);
    return a->dt + (b->dt - a->dt) * fmin(fmax(part, 0.01), 0.99);
}

/* From `a`, before the goal, and `b`, beyond it and tried, to the best moment found; the last trial is of it. */
static sw_status close_in(const search *s, moment a, moment b, moment *best)
{
    const double shortest = SHORTEST * b.dt;
    double weight_a = 1, weight_b = 1;
    int side = 0; /* of the last trial: 1 beyond the goal */
    int slow = 0; /* it left most of where the goal may be, as next to a kink: the middle is tried */
    moment next = b;
    *best = b;
    for (int k = 0; k < TRIALS && b.dt - a.dt > shortest; k++) {
        const double width = b.dt - a.dt;
        SW_TRY(try_at(s, slow ? (a.dt + b.dt) / 2 : between(&a, &b, weight_a, weight_b), &next));
        if (fabs(next.miss) < fabs(best->miss))
            *best = next;
        if (is_near(s->goal, best->miss, ENOUGH))
            return SW_OK;
        const int beyond = (next.miss > 0) == (b.miss > 0);
        weight_a = !beyond ? 1 : side > 0 ? weight_a / 2 : weight_a;
        weight_b = beyond ? 1 : side < 0 ? weight_b / 2 : weight_b;
        side = beyond ? 1 : -1;
        *(beyond ? &b : &a) = next;
        slow = !slow && b.dt - a.dt > width / 2;
    }
    if (!is_near(s->goal, best->miss, AT_MOST))
        return jumped(s->loading, a.now, b.now);
    return best->dt == next.dt ? SW_OK : try_at(s, best->dt, &next);
}

sw_status sw_goal_step(const sw_loading *g, sw_goal *goal, sw_goal_trial *trial, void *context, double *dt,
                       int *ended)
{
    const search s = {g, goal, trial, context};
    const moment start = {0, goal->now, goal->now - g->goal};
    moment end;
    SW_TRY(try_at(&s, *dt, &end));
    *ended = is_near(goal, end.miss, ENOUGH);
    if (!*ended && (end.miss > 0) != (goal->first > g->goal)) {
        SW_TRY(close_in(&s, start, end, &end));
        *ended = 1;
    }
    goal->now = end.now;
    *dt = end.dt;
    return SW_OK;
}
