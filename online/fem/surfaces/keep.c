/* What surfaces have come to: sums and fields, and what is kept of interrupted runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "face.h"
#include "law.h"

/* ---- Results ---- */

static int64_t place_of(const sw_surface_state *state, int32_t node)
{
    int64_t low = 0, high = state->n_nodes - 1;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (state->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The slave's area about a point over that of its cut, which weighs it. */
static double stretch(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                      const double *u)
{
    const sw_surface_face *face = &state->of->face[0][point->face];
    sw_surface_patch then, now;
    sw_surface_place before, after;
    if (!s->finite)
        return 1;
    sw_surface_patch_of(s, face, NULL, &then);
    sw_surface_patch_of(s, face, u, &now);
    for (int a = 0; a < face->topology->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            then.x[a][i] += state->u[3 * place_of(state, face->node[a]) + i];
    sw_surface_see(&then, point->at, &before);
    sw_surface_see(&now, point->at, &after);
    const double turn = s->axisymmetric ? after.x[0] / before.x[0] : 1,
                 ratio = turn * after.area / before.area;
    return ratio > 0 && isfinite(ratio) ? ratio : 1;
}

void sw_surfaces_sum(const sw_surfaces *s, int pair, const double *u, sw_surface_sums *sums)
{
    const sw_surface_state *state = &s->state[pair];
    *sums = (sw_surface_sums){.gap = INFINITY};
    for (int64_t q = 0; q < state->n_points; q++) {
        const sw_surface_point *point = &state->point[q];
        sw_surface_touch t;
        double force[3], moment[3];
        if (!sw_surface_touch_of(s, state, point, u, &t))
            continue;
        for (int i = 0; i < 3; i++)
            force[i] = point->weight * (t.pressure * t.n[i] - t.shear[i]);
        sw_cross(t.x, force, moment);
        for (int i = 0; i < 3; i++) {
            sums->force[i] += force[i];
            sums->moment[i] += moment[i];
        }
        sums->gap = fmin(sums->gap, t.gap);
        const double now = stretch(s, state, point, u);
        sums->area += t.pressure > 0 ? now * point->weight : 0;
        sums->pressure = fmax(sums->pressure, t.pressure / now);
        sums->penetration = fmax(sums->penetration, t.pressure > 0 ? -t.gap : 0);
        sums->slip = fmax(sums->slip, t.pressure > 0 ? sw_surface_path(s, state, point, &t, u) : 0);
        sums->energy -= t.gap < 0 ? 0.5 * point->weight * t.pressure * t.gap : 0;
    }
}

/* Points weigh by the square of the node's shape function, which is not always positive itself. */
sw_status sw_surfaces_fields(const sw_surfaces *s, const double *u, double (*field)[SW_SURFACE_FIELDS],
                             uint8_t *set)
{
    double *weight;
    SW_TRY(SW_ALLOCATE(weight, s->n_nodes, "nodes of surfaces"));
    memset(field, 0, (size_t)s->n_nodes * sizeof *field);
    memset(set, 0, (size_t)s->n_nodes);
    for (int k = 0; k < s->n_pairs; k++)
        for (int64_t q = 0; q < s->state[k].n_points; q++) {
            const sw_surface_point *point = &s->state[k].point[q];
            const sw_surface_face *face = &s->state[k].of->face[0][point->face];
            const double at[3] = {point->at[0], point->at[1], 0};
            double value[SW_FORMULATION_FACE_NODES];
            sw_surface_touch t;
            if (!sw_surface_touch_of(s, &s->state[k], point, u, &t))
                continue;
            face->topology->shape(at, value, NULL);
            const double now = stretch(s, &s->state[k], point, u);
            const double of[SW_SURFACE_FIELDS] = {t.pressure / now, sqrt(sw_dot(t.shear, t.shear)) / now,
                                                  t.gap, sw_surface_path(s, &s->state[k], point, &t, u)};
            for (int a = 0; a < face->topology->n_nodes; a++) {
                const double w = point->weight * value[a] * value[a];
                weight[face->node[a]] += w;
                set[face->node[a]] = 1;
                for (int i = 0; i < SW_SURFACE_FIELDS; i++)
                    field[face->node[a]][i] += w * of[i];
            }
        }
    for (int64_t n = 0; n < s->n_nodes; n++)
        for (int i = 0; i < SW_SURFACE_FIELDS && weight[n] > 0; i++)
            field[n][i] /= weight[n];
    free(weight);
    return SW_OK;
}

/* ---- What is kept ---- */

enum { HEAD = 11, OF_CORNER = 2, NUMBERS = 32, REALS = 25 }; /* of a pair; of a point */

int64_t sw_surfaces_kept(const sw_surfaces *s)
{
    int64_t n = 0;
    for (int k = 0; k < s->n_pairs; k++)
        n += HEAD + 3 * s->state[k].n_nodes + OF_CORNER * s->state[k].n_corners +
             NUMBERS * s->state[k].n_points;
    return n;
}

/* A point's numbers into a row, or out of it. */
static void carry(sw_surface_point *p, double *row, int out)
{
    double *const real[] = {
        &p->at[0],           &p->at[1],           &p->weight,          &p->near,       &p->stiffness,
        &p->stick,           &p->offset,          &p->foot.at[0],      &p->foot.at[1], &p->foot.free[0][0],
        &p->foot.free[0][1], &p->foot.free[1][0], &p->foot.free[1][1], &p->foot.apart, &p->foot.outside,
        &p->anchor_at[0],    &p->anchor_at[1],    &p->cut[0],          &p->cut[1],     &p->pressure,
        &p->shear[0],        &p->shear[1],        &p->shear[2],        &p->slid,       &p->accepted_base};
    int32_t *const face[] = {&p->face, &p->foot.face, &p->anchor, &p->cut_face};
    int *const number[] = {&p->foot.n_free, &p->foot.at_edge};
    int at = 0;
    for (size_t i = 0; i < sizeof real / sizeof *real; i++, at++) {
        if (out)
            row[at] = *real[i];
        else
            *real[i] = row[at];
    }
    for (size_t i = 0; i < sizeof face / sizeof *face; i++, at++) {
        if (out)
            row[at] = *face[i];
        else
            *face[i] = (int32_t)row[at];
    }
    for (size_t i = 0; i < sizeof number / sizeof *number; i++, at++) {
        if (out)
            row[at] = *number[i];
        else
            *number[i] = (int)row[at];
    }
    for (; out && at < NUMBERS; at++)
        row[at] = 0;
}

void sw_surfaces_keep(const sw_surfaces *s, double *to)
{
    for (int k = 0; k < s->n_pairs; k++) {
        const sw_surface_state *state = &s->state[k];
        const double head[HEAD] = {(double)state->n_points, state->length[0], state->length[1],
                                   state->by_corners,       s->finite,        (double)state->n_nodes,
                                   state->first != NULL,    state->hard,      (double)state->calm,
                                   (double)state->wait,     state->is_other};
        memcpy(to, head, sizeof head);
        memcpy(to + HEAD, state->u, 3 * (size_t)state->n_nodes * sizeof *to);
        to += HEAD + 3 * state->n_nodes;
        for (int64_t c = 0; c < state->n_corners; c++, to += OF_CORNER) {
            to[0] = state->corner[c].accepted_base;
            to[1] = state->corner[c].held;
        }
        for (int64_t q = 0; q < state->n_points; q++, to += NUMBERS) {
            sw_surface_point point = state->point[q];
            carry(&point, to, 1);
        }
    }
}

static int is_face(const sw_surface_pair *pair, int side, double face, int or_none)
{
    return face >= (or_none ? -1 : 0) && face < (double)pair->n_faces[side] && face == floor(face);
}

static sw_status restore_points(sw_surface_state *state, const double *from)
{
    const int64_t n = state->n_points;
    int64_t *first;
    SW_TRY(SW_GROW(state->point, n + 1, "points of contact"));
    SW_TRY(SW_ALLOCATE(first, state->of->n_faces[0] + 2, "points of faces"));
    free(state->first);
    state->first = first;
    state->room = n + 1;
    for (int64_t q = 0; q < n; q++, from += NUMBERS) {
        const double *face = from + REALS;
        int good = is_face(state->of, 0, face[0], 0) && (q == 0 || face[0] >= state->point[q - 1].face);
        for (int i = 1; i < 4; i++)
            good &= is_face(state->of, 1, face[i], 1);
        for (int i = 0; i < NUMBERS; i++)
            good &= isfinite(from[i]) != 0;
        if (!good || !(face[4] >= 0 && face[4] <= 2))
            return sw_error(SW_ERR_FORMAT, "state/contacts: point %lld is none of these surfaces'",
                            (long long)q);
        carry(&state->point[q], (double *)from, 0);
        first[state->point[q].face + 1]++;
    }
    for (int64_t f = 0; f < state->of->n_faces[0]; f++)
        first[f + 1] += first[f];
    return SW_OK;
}

sw_status sw_surfaces_restore(sw_surfaces *s, int64_t n, const double *from)
{
    const double *const end = from + n;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        const int64_t corners = HEAD + 3 * state->n_nodes, before = corners + OF_CORNER * state->n_corners;
        if (end - from < before || !(from[0] >= 0 && from[0] <= (double)(end - from - before) / NUMBERS) ||
            from[5] != (double)state->n_nodes || !(from[7] > 0) ||
            !(from[8] >= -1 && from[8] <= SW_SURFACE_WAIT) || !(from[9] >= 1 && from[9] <= SW_SURFACE_WAIT))
            return sw_error(SW_ERR_FORMAT, "state/contacts: %lld numbers are none of these surfaces'",
                            (long long)n);
        state->n_points = (int64_t)from[0];
        state->length[0] = from[1];
        state->length[1] = from[2];
        state->by_corners = from[3] != 0;
        s->finite = from[4] != 0;
        memcpy(state->u, from + HEAD, 3 * (size_t)state->n_nodes * sizeof *state->u);
        state->hard = from[7];
        state->calm = (int)from[8];
        state->wait = (int)from[9];
        state->is_other = from[10] != 0;
        state->law = state->of->law;
        for (int64_t c = 0; c < state->n_corners; c++) {
            state->corner[c].accepted_base = from[corners + OF_CORNER * c];
            state->corner[c].held = from[corners + OF_CORNER * c + 1];
        }
        if (from[6] != 0)
            SW_TRY(restore_points(state, from + before));
        from += before + NUMBERS * state->n_points;
    }
    return from == end ? SW_OK
                       : sw_error(SW_ERR_FORMAT, "state/contacts: %lld numbers are none of these surfaces'",
                                  (long long)n);
}
