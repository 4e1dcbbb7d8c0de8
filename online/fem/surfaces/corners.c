/* Pressures of hard contact: at corners of the slave's faces, of mean gaps about them, so that there are as many conditions as
 * the slave has corners. With more of them pressures go up and down where meshes do not match. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "common/system/threads.h"
#include "face.h"
#include "law.h"

enum { POINT_NS = 2000 };
#define ABOUT 0.5 /* of a face: corners nearer than this have their equations made beforehand */

/* ---- Corners of faces ---- */

enum { ROOM = 64 }; /* faces about a node that are told apart */
#define SHARP 0.766 /* cosine of 40 degrees: faces that turn by more about a node have corners of their own */

static void normal_at(const sw_surfaces *s, const sw_surface_face *face, int corner, double n[3])
{
    sw_surface_patch patch;
    sw_surface_place place;
    const sw_surface_part *part;
    const int corners = face->topology->n_corners;
    sw_surface_parts(corners == 2 ? &sw_line2 : corners == 3 ? &sw_tri3 : &sw_quad4_any, &part);
    sw_surface_patch_of(s, face, NULL, &patch);
    sw_surface_see(&patch, part->corner[corner], &place);
    memcpy(n, place.n, sizeof place.n);
}

/* Corners about a node, of its `n` places in faces (4 face + corner): one, or at an edge of the body one on each of its sides, so that
 * a side that leaves the master has no part in what holds the other. */
static void divide_node(const sw_surfaces *s, sw_surface_state *state, int64_t n, const int32_t *place)
{
    double normal[ROOM][3];
    int32_t group[ROOM];
    for (int64_t i = 0; i < n; i++) {
        if (i >= ROOM) {
            state->corner_of[place[i]] = state->corner_of[place[0]];
            continue;
        }
        normal_at(s, &state->of->face[0][place[i] / 4], place[i] % 4, normal[i]);
        group[i] = (int32_t)i;
        for (int64_t j = 0; j < i; j++)
            if (group[j] != group[i] && sw_dot(normal[i], normal[j]) > SHARP)
                for (int64_t k = 0, from = group[i], to = group[j]; k <= i; k++)
                    group[k] = group[k] == from ? (int32_t)to : group[k];
    }
    for (int64_t i = 0; i < n && i < ROOM; i++) {
        int64_t j = 0;
        while (group[j] != group[i])
            j++;
        state->corner_of[place[i]] = j < i ? state->corner_of[place[j]] : (int32_t)state->n_corners++;
    }
}

static sw_status number_corners(const sw_surfaces *s, sw_surface_state *state)
{
    const sw_surface_pair *pair = state->of;
    int64_t *first = NULL;
    int32_t *place = NULL;
    sw_status status;
    SW_TRY(SW_ALLOCATE(first, s->n_nodes + 2, "corners of faces"));
    SW_TRY_GOTO(status, SW_ALLOCATE(place, 4 * pair->n_faces[0] + 1, "corners of faces"), end);
    for (int64_t f = 0; f < pair->n_faces[0]; f++)
        for (int a = 0; a < pair->face[0][f].topology->n_corners; a++)
            first[pair->face[0][f].node[a] + 2]++;
    for (int64_t i = 0; i < s->n_nodes; i++)
        first[i + 2] += first[i + 1];
    for (int64_t f = 0; f < pair->n_faces[0]; f++)
        for (int a = 0; a < pair->face[0][f].topology->n_corners; a++)
            place[first[pair->face[0][f].node[a] + 1]++] = (int32_t)(4 * f + a);
    for (int64_t i = 0; i < s->n_nodes; i++)
        divide_node(s, state, first[i + 1] - first[i], place + first[i]);
end:
    free(first);
    free(place);
    return status;
}

sw_status sw_surface_corners_open(const sw_surfaces *s, sw_surface_state *state)
{
    const sw_surface_pair *pair = state->of;
    const int64_t n = pair->n_faces[0];
    sw_status status;
    SW_TRY(SW_ALLOCATE(state->corner_of, 4 * n, "corners of faces"));
    SW_TRY(number_corners(s, state));
    SW_TRY(SW_ALLOCATE(state->corner, state->n_corners, "corners of faces"));
    status = SW_ALLOCATE(state->corner_first, state->n_corners + 2, "corners of faces");
    if (status == SW_OK)
        status = SW_ALLOCATE(state->corner_face, 4 * n, "corners of faces");
    for (int64_t f = 0; f < n && status == SW_OK; f++)
        for (int a = 0; a < pair->face[0][f].topology->n_corners; a++)
            state->corner_first[state->corner_of[4 * f + a] + 2]++;
    for (int64_t c = 0; c < state->n_corners && status == SW_OK; c++)
        state->corner_first[c + 2] += state->corner_first[c + 1];
    for (int64_t f = 0; f < n && status == SW_OK; f++)
        for (int a = 0; a < pair->face[0][f].topology->n_corners; a++)
            state->corner_face[state->corner_first[state->corner_of[4 * f + a] + 1]++] = (int32_t)f;
    return status;
}

void sw_surface_corners_close(sw_surface_state *state)
{
    for (int64_t c = 0; state->corner != NULL && c < state->n_corners; c++)
        free(state->corner[c].node);
    free(state->corner_of);
    free(state->corner);
    free(state->corner_first);
    free(state->corner_face);
}

/* Faces of the master about the corner with most of them. */
static int64_t most_about(const sw_surface_state *state, int32_t *seen)
{
    int64_t most = 0;
    for (int64_t c = 0; c < state->n_corners; c++) {
        int64_t n = 0;
        for (int64_t j = state->corner_first[c]; j < state->corner_first[c + 1]; j++)
            for (int64_t q = state->first[state->corner_face[j]]; q < state->first[state->corner_face[j] + 1];
                 q++) {
                const int32_t face = state->point[q].cut_face;
                if (face >= 0 && seen[face] != c + 1) {
                    seen[face] = (int32_t)c + 1;
                    n++;
                }
            }
        most = n > most ? n : most;
    }
    return most;
}

/* A coarse slave on a fine master would have too many nodes about a corner: it goes by points, and softly. */
sw_status sw_surface_choose_corners(const sw_surfaces *s, sw_surface_state *state)
{
    const sw_surface_law *law = &state->of->law;
    int32_t *seen;
    (void)s;
    state->by_corners = 0;
    if (!sw_surface_is_hard(law))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(seen, state->of->n_faces[1], "faces of a surface"));
    state->by_corners = most_about(state, seen) <= SW_SURFACES_ABOUT / 8;
    free(seen);
    for (int64_t q = 0; q < state->n_points && !state->by_corners; q++)
        state->point[q].stiffness *= fmin(1, SW_SURFACE_SOFT / state->hard);
    return SW_OK;
}

/* ---- At a trial ---- */

static sw_status sum_corners(const sw_surfaces *s, sw_surface_state *state, const double *u)
{
    double *gap; /* of points; INFINITY: it has no foot */
    SW_TRY(SW_ALLOCATE(gap, state->n_points, "points of contact"));
#pragma omp parallel for num_threads(sw_threads_for(state->n_points, POINT_NS)) schedule(static)
    for (int64_t q = 0; q < state->n_points; q++) {
        sw_surface_touch t;
        gap[q] = sw_surface_meet(s, state, &state->point[q], u, &t) ? t.gap : INFINITY;
    }
    for (int64_t c = 0; c < state->n_corners; c++) {
        sw_surface_corner *corner = &state->corner[c];
        corner->area = corner->gap = corner->apart = corner->stiffness = corner->pressure = corner->slope = 0;
    }
    for (int64_t q = 0; q < state->n_points; q++) {
        double value[4];
        if (isinf(gap[q]))
            continue;
        sw_surface_corner_values(state, &state->point[q], value);
        for (int a = 0; a < 4; a++)
            if (value[a] != 0) {
                sw_surface_corner *corner = &state->corner[state->corner_of[4 * state->point[q].face + a]];
                const double w = state->point[q].weight * value[a];
                double part, bend;
                corner->area += w;
                corner->apart += w * gap[q];
                corner->gap += w * sw_surface_counted(s, state, &state->point[q], gap[q], &part, &bend);
                corner->stiffness += w * state->point[q].stiffness;
            }
    }
    for (int64_t c = 0; c < state->n_corners; c++) {
        sw_surface_corner *corner = &state->corner[c];
        if (!(corner->area > 0))
            continue;
        corner->gap /= corner->area;
        corner->apart /= corner->area;
        corner->stiffness /= corner->area;
        corner->pressure = sw_surface_pressure(
            &state->of->law, corner->stiffness, corner->gap - corner->base / corner->stiffness,
            1e-3 * state->length[0], s->clings && corner->held > 0, &corner->slope);
    }
    free(gap);
    return SW_OK;
}

static sw_status add_node(sw_surface_corner *corner, int32_t node, int *more)
{
    for (int32_t i = 0; i < corner->n; i++)
        if (corner->node[i] == node)
            return SW_OK;
    if (corner->n == SW_SURFACES_ABOUT)
        return sw_error(SW_ERR_CONVERGENCE, "more than %d nodes meet about a corner of a slave surface",
                        SW_SURFACES_ABOUT);
    if (corner->n == corner->room) {
        const int32_t room = 2 * corner->room + 16;
        SW_TRY(SW_GROW(corner->node, room, "nodes about a corner"));
        corner->room = room;
    }
    corner->node[corner->n++] = node;
    *more = 1;
    return SW_OK;
}

static sw_status add_faces(sw_surfaces *s, int pair, int32_t c, int *more)
{
    sw_surface_state *state = &s->state[pair];
    sw_surface_corner *corner = &state->corner[c];
    if (corner->n == 0) {
        if (s->n_dyads == s->dyad_room) {
            const int64_t room = 2 * s->dyad_room + 64;
            SW_TRY(SW_GROW(s->dyad, room, "corners of surfaces"));
            s->dyad_room = room;
        }
        s->dyad[s->n_dyads++] = (struct sw_surface_dyad){pair, c};
    }
    for (int64_t j = state->corner_first[c]; j < state->corner_first[c + 1]; j++) {
        const int32_t f = state->corner_face[j];
        int32_t last = -1;
        for (int64_t q = state->first[f]; q < state->first[f + 1]; q++) {
            const int32_t on = state->point[q].foot.face;
            if (on < 0 || on == last)
                continue;
            const sw_surface_face *face[2] = {&state->of->face[0][f], &state->of->face[1][on]};
            for (int side = last < 0 ? 0 : 1; side < 2; side++)
                for (int a = 0; a < face[side]->topology->n_nodes; a++)
                    SW_TRY(add_node(corner, face[side]->node[a], more));
            last = on;
        }
    }
    return SW_OK;
}

sw_status sw_surface_find_corners(sw_surfaces *s, const double *u, int *more)
{
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        if (!state->by_corners || state->of->off)
            continue;
        SW_TRY(sum_corners(s, state, u));
        for (int32_t c = 0; c < state->n_corners; c++)
            if (state->corner[c].area > 0 &&
                (state->corner[c].slope != 0 || state->corner[c].apart < ABOUT * state->length[0]))
                SW_TRY(add_faces(s, k, c, more));
    }
    return SW_OK;
}

void sw_surface_forget_dyads(sw_surfaces *s)
{
    for (int64_t k = 0; k < s->n_dyads; k++)
        s->state[s->dyad[k].pair].corner[s->dyad[k].corner].n = 0;
    s->n_dyads = 0;
}

/* ---- Dyads ---- */

int64_t sw_surfaces_corners(const sw_surfaces *s) { return s->n_dyads; }

int sw_surfaces_corner_nodes(const sw_surfaces *s, int64_t k, int32_t node[SW_SURFACES_ABOUT])
{
    const sw_surface_corner *corner = &s->state[s->dyad[k].pair].corner[s->dyad[k].corner];
    memcpy(node, corner->node, (size_t)corner->n * sizeof *node);
    return corner->n;
}

static int place_in(const sw_surface_corner *corner, int32_t node)
{
    int i = 0;
    while (corner->node[i] != node)
        i++;
    return i;
}

/* A point's part: of forces by the corner's pressure, and of its mean gap. */
static void add_point(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_corner *corner,
                      const sw_surface_point *point, double share, const double *u, double *left,
                      double *right)
{
    double slope[SW_SURFACES_UNKNOWNS], weight[SW_SURFACES_NODES], along[3];
    sw_surface_touch t;
    if (!sw_surface_touch_of(s, state, point, u, &t))
        return;
    double part, bend;
    sw_surface_counted(s, state, point, t.gap, &part, &bend);
    const double size = sqrt(sw_dot(t.slip, t.slip));
    const sw_surface_face *face[2] = {&state->of->face[0][point->face],
                                      &state->of->face[1][point->foot.face]};
    sw_surface_gap_slope(s, state, point, &t, u, slope, weight);
    for (int i = 0; i < 3; i++)
        along[i] = t.n[i] - (t.slides && size > 0 ? t.by_pressure * t.slip[i] / size : 0);
    for (int side = 0, a = 0; side < 2; side++)
        for (int b = 0; b < face[side]->topology->n_nodes; b++, a++) {
            const int at = 3 * place_in(corner, face[side]->node[b]);
            for (int i = 0; i < 3; i++) {
                left[at + i] -= share * part * weight[a] * along[i];
                right[at + i] += share * part * slope[3 * a + i];
            }
        }
}

void sw_surfaces_ask_corner(const sw_surfaces *s, int64_t k, const double *u, double *left, double *right)
{
    const sw_surface_state *state = &s->state[s->dyad[k].pair];
    const int32_t c = s->dyad[k].corner;
    const sw_surface_corner *corner = &state->corner[c];
    memset(left, 0, 3 * (size_t)corner->n * sizeof *left);
    memset(right, 0, 3 * (size_t)corner->n * sizeof *right);
    if (corner->slope == 0 || state->of->off)
        return;
    for (int64_t j = state->corner_first[c]; j < state->corner_first[c + 1]; j++) {
        const int32_t f = state->corner_face[j];
        int a = 0;
        while (state->corner_of[4 * f + a] != c)
            a++;
        for (int64_t q = state->first[f]; q < state->first[f + 1]; q++) {
            double value[4];
            sw_surface_corner_values(state, &state->point[q], value);
            if (state->point[q].foot.face >= 0)
                add_point(s, state, corner, &state->point[q], state->point[q].weight * value[a], u, left,
                          right);
        }
    }
    for (int i = 0; i < 3 * corner->n; i++)
        left[i] *= corner->slope / corner->area;
}
