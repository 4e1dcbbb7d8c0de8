/* Where points are at a trial, and how they touch; face.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "face.h"
#include "law.h"

enum { STEPS = 20 };
#define SAME 1e-9    /* of a bound: rounding */
#define PULLS 1e-9   /* of a pressure, as which one that pulls counts for what must not be negative */
#define OVERLAP 0.02 /* of a face's length, by which it goes on beyond its edges */

/* ---- Feet ---- */

static void land_on(const sw_surfaces *s, const sw_surface_state *state, const double *u, int32_t face,
                    const double start[2], const double p[3], sw_surface_foot *foot, double beyond[2])
{
    sw_surface_patch patch;
    sw_surface_patch_of(s, &state->of->face[1][face], u, &patch);
    sw_surface_project(&patch, p, start, foot, beyond);
    foot->face = face;
}

static void middle_of(const sw_topology *t, double at[2]) { at[0] = at[1] = t->n_corners == 3 ? 1.0 / 3 : 0; }

/* The extension over the edge becomes the foot. */
static void extend(const double beyond[2], int dimension, sw_surface_foot *foot)
{
    static const double all[2][2] = {{1, 0}, {0, 1}};
    memcpy(foot->at, beyond, sizeof foot->at);
    memcpy(foot->free, all, sizeof all);
    foot->n_free = dimension;
}

/* From face to face by those that have a node in common, while one is nearer. Where the nearest place is an edge that two
 * faces share it is the foot; where it is the surface's own edge there is none. */
void sw_surface_land(const sw_surfaces *s, const sw_surface_state *state, const double *u, const double p[3],
                     int always, sw_surface_foot *foot)
{
    double beyond[2];
    const double start[2] = {foot->at[0], foot->at[1]};
    sw_surface_foot best;
    int shared = 0;
    land_on(s, state, u, foot->face, start, p, &best, beyond);
    for (int k = 0; k < STEPS && best.outside > 0; k++) {
        const int32_t from = best.face;
        shared = 0;
        for (int64_t j = state->next_first[from]; j < state->next_first[from + 1]; j++) {
            sw_surface_foot other;
            double over[2], middle[2];
            middle_of(state->of->face[1][state->next[j]].topology, middle);
            land_on(s, state, u, state->next[j], middle, p, &other, over);
            const double same = 1e-9 * state->length[1];
            if (other.apart < best.apart - same || (other.apart <= best.apart + same && other.outside == 0)) {
                best = other;
                memcpy(beyond, over, sizeof beyond);
                shared = 0;
            } else if (other.apart <= best.apart + same)
                shared = 1;
        }
        if (best.face == from)
            break;
    }
    best.at_edge = best.outside > 0 && shared;
    if (best.outside > 0 && !shared && (always || best.outside <= OVERLAP * state->length[1]))
        extend(beyond, s->dimension - 1, &best);
    else if (best.outside > 0 && !shared)
        best.face = -1;
    *foot = best;
}

void sw_surface_slave_at(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                         const double *u, double x[3], double n[3])
{
    sw_surface_patch patch;
    sw_surface_place place;
    sw_surface_patch_of(s, &state->of->face[0][point->face], u, &patch);
    sw_surface_see(&patch, point->at, &place);
    memcpy(x, place.x, sizeof place.x);
    if (n != NULL)
        memcpy(n, place.n, sizeof place.n);
}

static int is_small(const sw_surfaces *s, const sw_surface_state *state)
{
    return !s->finite || state->of->small;
}

/* A foot that stays is that of the cut. */
void sw_surface_find_point(const sw_surfaces *s, const sw_surface_state *state, const double *u,
                           sw_surface_point *point)
{
    double x[3], n[3];
    sw_surface_foot *foot = &point->foot;
    if (point->cut_face < 0 || is_small(s, state))
        return;
    if (foot->face < 0) {
        foot->face = point->cut_face;
        memcpy(foot->at, point->cut, sizeof foot->at);
    }
    sw_surface_slave_at(s, state, point, u, x, n);
    sw_surface_land(s, state, u, x, 0, foot);
    if (foot->face < 0)
        return;
    sw_surface_patch patch;
    sw_surface_place place;
    sw_surface_patch_of(s, &state->of->face[1][foot->face], u, &patch);
    sw_surface_see(&patch, foot->at, &place);
    if (!(sw_dot(n, place.n) < 0))
        foot->face = -1;
}

/* ---- Touch ---- */

static void master_at(const sw_surfaces *s, const sw_surface_state *state, int32_t face, const double at[2],
                      const double *u, sw_surface_place *place)
{
    sw_surface_patch patch;
    sw_surface_patch_of(s, &state->of->face[1][face], u, &patch);
    sw_surface_see(&patch, at, place);
}

/* Over or under an edge that two faces share the normal is the line to it, so that what presses is its distance's. */
static void turn_to_edge(const sw_surface_state *state, sw_surface_touch *t)
{
    double line[3], side;
    for (int i = 0; i < 3; i++)
        line[i] = t->x[i] - t->y[i];
    if (!(sw_to_unit(line) > 1e-9 * state->length[1]))
        return;
    side = sw_dot(line, t->n) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        t->n[i] = side * line[i];
    t->turned = 1;
}

int sw_surface_meet(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                    const double *u, sw_surface_touch *t)
{
    sw_surface_place foot;
    memset(t, 0, sizeof *t);
    if (point->foot.face < 0 || state->of->off || state->of->face[0][point->face].off ||
        state->of->face[1][point->foot.face].off)
        return 0;
    sw_surface_slave_at(s, state, point, u, t->x, NULL);
    master_at(s, state, point->foot.face, point->foot.at, u, &foot);
    memcpy(t->y, foot.x, sizeof t->y);
    master_at(s, state, point->foot.face, point->foot.at, s->finite ? u : NULL, &foot);
    memcpy(t->n, foot.n, sizeof t->n);
    if (point->foot.at_edge && !is_small(s, state))
        turn_to_edge(state, t);
    t->gap = point->offset;
    for (int i = 0; i < 3; i++)
        t->gap += t->n[i] * (t->x[i] - t->y[i]);
    return 1;
}

/* Linear between corners: those of quadratic faces have no area of their own. */
void sw_surface_corner_values(const sw_surface_state *state, const sw_surface_point *point, double value[4])
{
    const int n = state->of->face[0][point->face].topology->n_corners;
    const sw_topology *t = n == 2 ? &sw_line2 : n == 3 ? &sw_tri3 : &sw_quad4_any;
    double all[SW_FORMULATION_FACE_NODES] = {0};
    const double at[3] = {point->at[0], point->at[1], 0};
    t->shape(at, all, NULL);
    for (int a = 0; a < 4; a++)
        value[a] = a < n ? all[a] : 0;
}

int sw_surface_clings(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point)
{
    const sw_surface_law *law = &state->of->law;
    return s->clings && point->pressure > 0 && law->behavior == SW_SURFACE_LINEAR && !(law->tension > 0);
}

double sw_surface_counted(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                          double gap, double *part, double *bend)
{
    const double reach = SW_SURFACE_REACH * state->length[0];
    if (!sw_surface_clings(s, state, point))
        return sw_surface_counts(gap, reach, part, bend);
    const double first = sw_surface_counts(point->first, reach, part, bend);
    *bend = 0;
    return first + *part * (gap - point->first);
}

int sw_surface_rubs(const sw_surface_state *state)
{
    return state->of->law.friction > 0 || state->of->law.behavior == SW_SURFACE_TIED;
}

/* From its anchor to a point, along the master. */
static void from_anchor(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                        const sw_surface_touch *t, const double *u, double slip[3])
{
    sw_surface_place foot;
    double along = 0;
    master_at(s, state, point->anchor, point->anchor_at, u, &foot);
    for (int i = 0; i < 3; i++)
        along += t->n[i] * (t->x[i] - foot.x[i]);
    for (int i = 0; i < 3; i++)
        slip[i] = t->x[i] - foot.x[i] - along * t->n[i];
}

/* Without friction the anchor is under the point, where the increment began. */
double sw_surface_path(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                       const sw_surface_touch *t, const double *u)
{
    const double before = point->slid + point->run;
    double slip[3];
    if (!(t->pressure > 0) || point->anchor < 0 || (sw_surface_rubs(state) && !t->slides))
        return before;
    if (sw_surface_rubs(state))
        return before + sqrt(sw_dot(t->slip, t->slip)) - sqrt(sw_dot(t->shear, t->shear)) / point->stick;
    from_anchor(s, state, point, t, u, slip);
    return before + sqrt(sw_dot(slip, slip));
}

/* When the increment began. */
static int slid(const sw_surface_law *law, const sw_surface_point *point)
{
    double bound, by_pressure;
    sw_surface_rub(law, point->stick, point->pressure, 0, &bound, &by_pressure);
    return sqrt(sw_dot(point->shear, point->shear)) > (1 - SAME) * bound;
}

int sw_surface_touch_of(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                        const double *u, sw_surface_touch *t)
{
    const sw_surface_law *law = &state->of->law;
    const int clings = sw_surface_clings(s, state, point);
    if (!sw_surface_meet(s, state, point, u, t))
        return 0;
    if (state->by_corners) {
        double value[4], part, bend;
        sw_surface_corner_values(state, point, value);
        for (int a = 0; a < 4; a++)
            if (value[a] != 0)
                t->pressure += value[a] * state->corner[state->corner_of[4 * point->face + a]].pressure;
        sw_surface_counted(s, state, point, t->gap, &part, &bend);
        t->slope = bend * t->pressure;
        t->pressure *= part;
    } else
        t->pressure = sw_surface_pressure(law, point->stiffness, t->gap - point->base / point->stiffness,
                                          point->near, clings, &t->slope);
    t->bears = clings ? fmax(t->pressure, PULLS * point->pressure) : t->pressure;
    if (!sw_surface_rubs(state) || point->anchor < 0)
        return 1;
    from_anchor(s, state, point, t, u, t->slip);
    const double size = sqrt(sw_dot(t->slip, t->slip));
    t->slides = sw_surface_rub(law, point->stick, t->bears, size, &t->bound, &t->by_pressure);
    if (clings)
        t->slides = size > 0 && slid(law, point);
    const double more = t->by_pressure * (t->pressure - t->bears);
    for (int i = 0; i < 3; i++)
        t->shear[i] = (t->slides ? (t->bound + more) / size : point->stick) * t->slip[i];
    return 1;
}
