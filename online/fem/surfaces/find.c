/* What a trial makes of points: feet, pressures of corners, pairs of faces; and what they remember; face.h. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "common/system/threads.h"
#include "face.h"

enum { POINT_NS = 2000 };
#define ABOUT 0.5 /* of a face: points nearer than this have their equations made beforehand */

/* ---- Pairs of faces ---- */

static sw_status item_for(sw_surfaces *s, int pair, const sw_surface_point *point, int64_t *item, int *more)
{
    int64_t *head = &s->item_of[s->face_first[pair] + point->face];
    const int32_t anchor =
        point->anchor == point->foot.face || !sw_surface_rubs(&s->state[pair]) ? -1 : point->anchor;
    for (*item = *head; *item >= 0; *item = s->item[*item].later)
        if (s->item[*item].master == point->foot.face && s->item[*item].anchor == anchor)
            return SW_OK;
    if ((s->n_items & (s->n_items - 1)) == 0) {
        const int64_t room = s->n_items > 0 ? 2 * s->n_items : 16;
        SW_TRY(SW_GROW(s->item, room, "pairs of faces"));
    }
    *item = s->n_items++;
    s->item[*item] = (sw_surface_item){
        .pair = pair, .slave = point->face, .master = point->foot.face, .anchor = anchor, .later = *head};
    *head = *item;
    *more = 1;
    return SW_OK;
}

/* Points that act, or are about to. */
static int is_about(const sw_surface_state *state, const sw_surface_touch *t)
{
    return t->pressure != 0 || t->gap < ABOUT * state->length[0];
}

/* which [points of all pairs]: their pair of faces, -1. */
static sw_status choose_items(sw_surfaces *s, const double *u, int64_t *which, int *more)
{
    int64_t at = 0;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        int64_t *const of = which + at;
#pragma omp parallel for num_threads(sw_threads_for(state->n_points, POINT_NS)) schedule(static)
        for (int64_t q = 0; q < state->n_points; q++) {
            sw_surface_touch t;
            of[q] = sw_surface_touch_of(s, state, &state->point[q], u, &t) && is_about(state, &t) ? 0 : -1;
        }
        for (int64_t q = 0; q < state->n_points; q++)
            if (of[q] >= 0)
                SW_TRY(item_for(s, k, &state->point[q], &of[q], more));
        at += state->n_points;
    }
    return SW_OK;
}

static void list_points(sw_surfaces *s, const int64_t *which)
{
    int64_t at = 0, n = 0;
    for (int64_t i = 0; i < s->n_items; i++)
        s->item[i].n = 0;
    for (int64_t q = 0; q < s->n_listed; q++)
        if (which[q] >= 0)
            s->item[which[q]].n++;
    for (int64_t i = 0; i < s->n_items; i++) {
        s->item[i].first = n;
        n += s->item[i].n;
        s->item[i].n = 0;
    }
    for (int k = 0; k < s->n_pairs; k++)
        for (int64_t q = 0; q < s->state[k].n_points; q++, at++)
            if (which[at] >= 0) {
                sw_surface_item *item = &s->item[which[at]];
                s->list[item->first + item->n++] = q;
            }
}

sw_status sw_surfaces_find(sw_surfaces *s, const double *u, int *more)
{
    int64_t all = 0, *which;
    *more = 0;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        all += state->n_points;
#pragma omp parallel for num_threads(sw_threads_for(state->n_points, POINT_NS)) schedule(dynamic, 64)
        for (int64_t q = 0; q < state->n_points; q++)
            sw_surface_find_point(s, state, u, &state->point[q]);
    }
    SW_TRY(sw_surface_find_corners(s, u, more));
    if (all > s->list_room) {
        SW_TRY(SW_GROW(s->list, all, "points of contact"));
        s->list_room = all;
    }
    s->n_listed = all;
    SW_TRY(SW_ALLOCATE(which, all, "points of contact"));
    const sw_status status = choose_items(s, u, which, more);
    if (status == SW_OK)
        list_points(s, which);
    free(which);
    return status;
}

int64_t sw_surfaces_count(const sw_surfaces *s) { return s->n_items; }

/* ---- Histories ---- */

/* The anchor from which the slip, or what is left of it, gives the shear that there is. */
static void drag_anchor(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_touch *t,
                        const double *u, sw_surface_point *point)
{
    sw_surface_foot anchor = point->foot;
    double p[3];
    if (!(t->pressure > 0) && state->of->law.behavior != SW_SURFACE_TIED) {
        point->anchor = point->foot.face;
        memcpy(point->anchor_at, point->foot.at, sizeof point->anchor_at);
        return;
    }
    if (!t->slides && sw_surface_rubs(state) && point->anchor >= 0)
        return;
    double across = 0;
    for (int i = 0; i < 3; i++)
        across += t->n[i] * (t->x[i] - t->y[i]);
    for (int i = 0; i < 3; i++) /* under the point, which is not over its foot where that stays */
        p[i] = t->x[i] - across * t->n[i] - t->shear[i] / point->stick;
    sw_surface_land(s, state, u, p, 1, &anchor);
    point->anchor = anchor.face;
    memcpy(point->anchor_at, anchor.at, sizeof point->anchor_at);
}

static void accept_point(const sw_surfaces *s, const sw_surface_state *state, const double *u,
                         sw_surface_point *point)
{
    sw_surface_touch t;
    if (!sw_surface_touch_of(s, state, point, u, &t)) {
        point->anchor = -1;
        point->pressure = point->accepted_base = 0;
        memset(point->shear, 0, sizeof point->shear);
        return;
    }
    point->slid = sw_surface_path(s, state, point, &t, u);
    point->run = 0;
    point->accepted_base = t.pressure > 0 ? point->base : 0;
    point->pressure = t.pressure;
    memcpy(point->shear, t.shear, sizeof point->shear);
    drag_anchor(s, state, &t, u, point);
}

void sw_surfaces_accept(sw_surfaces *s, const double *u)
{
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        for (int64_t c = 0; c < state->n_corners; c++) {
            sw_surface_corner *corner = &state->corner[c];
            corner->held = corner->area > 0 ? corner->pressure : 0;
            corner->accepted_base = corner->held > 0 ? corner->base : 0;
        }
#pragma omp parallel for num_threads(sw_threads_for(state->n_points, POINT_NS)) schedule(dynamic, 64)
        for (int64_t q = 0; q < state->n_points; q++)
            accept_point(s, state, u, &state->point[q]);
    }
}
