/* Hard contact that is softer than HARD: what pressures are added to, until surfaces pass into each other by no more than they would
 * with HARD; surfaces.h. */
#include <math.h>

#include "face.h"
#include "law.h"

/* Stiffness over HARD; 1: nothing is to be added. */
static double part_of(const sw_surface_state *state)
{
    return (state->by_corners ? state->hard : fmin(state->hard, SW_SURFACE_SOFT)) / SW_SURFACE_HARD;
}

/* Pressures by what there is of them, sums: mean gaps, and what they were with HARD. */
static void sum_depths(const sw_surfaces *s, const sw_surface_state *state, const double *u, double *depth,
                       double *allowed)
{
    *depth = *allowed = 0;
    for (int64_t c = 0; state->by_corners && c < state->n_corners; c++) {
        const sw_surface_corner *corner = &state->corner[c];
        const double force = corner->area > 0 ? corner->area * corner->pressure : 0;
        *depth += force * fabs(corner->gap);
        *allowed += force > 0 ? force * corner->pressure / corner->stiffness * part_of(state) : 0;
    }
    for (int64_t q = 0; !state->by_corners && q < state->n_points; q++) {
        sw_surface_touch t;
        if (!sw_surface_touch_of(s, state, &state->point[q], u, &t) || !(t.pressure > 0))
            continue;
        const double force = state->point[q].weight * t.pressure;
        *depth += force * fabs(t.gap);
        *allowed += force * t.pressure / state->point[q].stiffness * part_of(state);
    }
}

double sw_surfaces_too_deep(const sw_surfaces *s, int pair, const double *u)
{
    const sw_surface_state *state = &s->state[pair];
    double depth, allowed;
    if (state->of->off || !sw_surface_is_hard(&state->of->law) || !(part_of(state) < 1))
        return 0;
    sum_depths(s, state, u, &depth, &allowed);
    return depth > 0 ? depth / (SW_SURFACE_ENOUGH * allowed) : 0;
}

void sw_surfaces_augment(sw_surfaces *s, const double *u, int *more)
{
    *more = 0;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        if (!(sw_surfaces_too_deep(s, k, u) > 1))
            continue;
        *more = 1;
        for (int64_t c = 0; state->by_corners && c < state->n_corners; c++)
            state->corner[c].base = state->corner[c].area > 0 ? state->corner[c].pressure : 0;
        for (int64_t q = 0; !state->by_corners && q < state->n_points; q++) {
            sw_surface_touch t;
            const int touches = sw_surface_touch_of(s, state, &state->point[q], u, &t);
            state->point[q].base = touches ? t.pressure : 0;
        }
    }
}

/* base such that base - K' g is the pressure, as before - K g was. */
static double balanced(double base, double pressure, double ratio)
{
    return pressure > 0 ? pressure + ratio * (base - pressure) : 0;
}

/* Of slave or master more than half. */
static int has_flat_faces(const sw_surface_pair *pair)
{
    int has = 0;
    for (int side = 0; side < 2; side++) {
        int64_t flat = 0;
        for (int64_t f = 0; f < pair->n_faces[side]; f++)
            flat += pair->face[side][f].flat;
        has |= 2 * flat > pair->n_faces[side];
    }
    return has;
}

/* Of a pair: bases are those for which what was accepted is in balance; with HARD there are none. */
static void take_hardness(sw_surface_state *state, double hard)
{
    const double before = part_of(state);
    state->hard = hard;
    const double ratio = part_of(state) / before;
    const int bare = !(part_of(state) < 1);
    for (int64_t c = 0; state->by_corners && c < state->n_corners; c++) {
        sw_surface_corner *corner = &state->corner[c];
        corner->accepted_base = bare ? 0 : balanced(corner->accepted_base, corner->held, ratio);
    }
    for (int64_t q = 0; !state->by_corners && q < state->n_points; q++) {
        sw_surface_point *point = &state->point[q];
        point->accepted_base = bare ? 0 : balanced(point->accepted_base, point->pressure, ratio);
    }
    state->is_other = 1;
    state->calm = 0;
}

int sw_surfaces_soften(sw_surfaces *s, int all)
{
    int some = 0;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        if (state->of->off || !sw_surface_is_hard(&state->of->law) || !(state->hard > SW_SURFACE_LEAST) ||
            !(all || has_flat_faces(state->of)))
            continue;
        if (state->calm < 0 && state->wait < SW_SURFACE_WAIT)
            state->wait *= 2;
        take_hardness(state, fmax(SW_SURFACE_LEAST, SW_SURFACE_SOFTER * state->hard));
        some = 1;
    }
    return some;
}

void sw_surfaces_harden(sw_surfaces *s, int soon)
{
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        if (!sw_surface_is_hard(&state->of->law))
            continue;
        state->calm = (state->calm > 0 ? state->calm : 0) + soon;
        if (state->calm < state->wait)
            continue;
        if (!(state->hard < SW_SURFACE_HARD)) { /* and has been for as long as it had to wait */
            state->calm = 0;
            state->wait = 1;
            continue;
        }
        take_hardness(state, fmin(SW_SURFACE_HARD, state->hard / SW_SURFACE_SOFTER));
        state->calm = -1;
    }
}
