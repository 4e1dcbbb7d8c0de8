#include "surfaces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "face.h"
#include "law.h"

#define SHIFT 2e-3 /* of a face: a foot that has gone farther has its surfaces cut again */
#define COME 0.25  /* of a face: nodes that have moved farther */
#define FAR 0.02   /* of a face: feet of a balance that have gone farther */

/* ---- Open ---- */

/* Faces of the master by those that have a node in common with one. */
static sw_status make_neighbours(const sw_surfaces *s, sw_surface_state *state)
{
    const sw_surface_pair *pair = state->of;
    const int64_t n = pair->n_faces[1];
    int64_t *first = NULL, *of = NULL, *stamp = NULL, total = 0;
    sw_status status;
    SW_TRY(SW_ALLOCATE(state->next_first, n + 1, "faces of a surface"));
    SW_TRY_GOTO(status, SW_ALLOCATE(first, s->n_nodes + 2, "faces of nodes"), end);
    for (int64_t f = 0; f < n; f++)
        for (int a = 0; a < pair->face[1][f].topology->n_corners; a++, total++)
            first[pair->face[1][f].node[a] + 2]++;
    for (int64_t i = 0; i < s->n_nodes; i++)
        first[i + 2] += first[i + 1];
    SW_TRY_GOTO(status, SW_ALLOCATE(of, total + 1, "faces of nodes"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(stamp, n, "faces of a surface"), end);
    for (int64_t f = 0; f < n; f++)
        for (int a = 0; a < pair->face[1][f].topology->n_corners; a++)
            of[first[pair->face[1][f].node[a] + 1]++] = f;
    for (int pass = 0; pass < 2; pass++) {
        int64_t at = 0;
        for (int64_t f = 0; f < n; f++) {
            for (int a = 0; a < pair->face[1][f].topology->n_corners; a++) {
                const int32_t node = pair->face[1][f].node[a];
                for (int64_t j = first[node]; j < first[node + 1]; j++) {
                    if (of[j] == f || stamp[of[j]] == 2 * f + pass + 1)
                        continue;
                    stamp[of[j]] = 2 * f + pass + 1;
                    if (pass)
                        state->next[at] = (int32_t)of[j];
                    at++;
                }
            }
            state->next_first[f + 1] = at;
        }
        if (!pass)
            SW_TRY_GOTO(status, SW_ALLOCATE(state->next, at + 1, "faces of a surface"), end);
        memset(stamp, 0, (size_t)n * sizeof *stamp);
    }
end:
    free(first);
    free(of);
    free(stamp);
    return status;
}

static sw_status gather_nodes(const sw_surfaces *s, sw_surface_state *state)
{
    uint8_t *met;
    SW_TRY(SW_ALLOCATE(met, s->n_nodes, "nodes of a surface"));
    int64_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int side = 0; side < 2; side++)
            for (int64_t f = 0; f < state->of->n_faces[side]; f++)
                for (int a = 0; a < state->of->face[side][f].topology->n_nodes; a++)
                    met[state->of->face[side][f].node[a]] = 1;
    }
    for (int64_t i = 0; i < s->n_nodes; i++)
        n += met[i];
    state->n_nodes = n;
    sw_status status = SW_ALLOCATE(state->node, n, "nodes of a surface");
    if (status == SW_OK)
        status = SW_ALLOCATE(state->u, 3 * n, "nodes of a surface");
    n = 0;
    for (int64_t i = 0; i < s->n_nodes && status == SW_OK; i++)
        if (met[i])
            state->node[n++] = (int32_t)i;
    free(met);
    return status;
}

static double mean_softness(const sw_surface_pair *pair, int side)
{
    double sum = 0;
    for (int64_t f = 0; f < pair->n_faces[side]; f++)
        sum += pair->face[side][f].stiffness > 0 ? 1 / pair->face[side][f].stiffness : 0;
    return sum / (double)(pair->n_faces[side] > 0 ? pair->n_faces[side] : 1);
}

sw_status sw_surfaces_open(int n_pairs, const sw_surface_pair *pair, int64_t n_nodes,
                           const double (*position)[3], int dimension, int axisymmetric,
                           sw_surfaces **surfaces)
{
    sw_surfaces *s;
    sw_status status;
    *surfaces = NULL;
    SW_TRY(SW_ALLOCATE(s, 1, "surfaces"));
    *s = (sw_surfaces){.n_pairs = n_pairs,
                       .dimension = dimension,
                       .axisymmetric = axisymmetric,
                       .n_nodes = n_nodes,
                       .position = position};
    SW_TRY_GOTO(status, SW_ALLOCATE(s->state, n_pairs, "surfaces"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(s->face_first, n_pairs + 1, "surfaces"), end);
    for (int k = 0; k < n_pairs; k++) {
        s->state[k].of = &pair[k];
        s->state[k].hard = SW_SURFACE_HARD;
        s->state[k].wait = 1;
        s->face_first[k + 1] = s->face_first[k] + pair[k].n_faces[0];
        for (int side = 0; side < 2; side++)
            s->state[k].soft[side] = mean_softness(&pair[k], side);
        SW_TRY_GOTO(status, make_neighbours(s, &s->state[k]), end);
        SW_TRY_GOTO(status, gather_nodes(s, &s->state[k]), end);
        SW_TRY_GOTO(status, sw_surface_corners_open(s, &s->state[k]), end);
    }
    s->n_faces = s->face_first[n_pairs];
    SW_TRY_GOTO(status, SW_ALLOCATE(s->item_of, s->n_faces, "faces of surfaces"), end);
    for (int64_t f = 0; f < s->n_faces; f++)
        s->item_of[f] = -1;
end:
    if (status != SW_OK)
        sw_surfaces_close(s);
    else
        *surfaces = s;
    return status;
}

void sw_surfaces_close(sw_surfaces *s)
{
    if (s == NULL)
        return;
    for (int k = 0; s->state != NULL && k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        free(state->point);
        free(state->first);
        free(state->next_first);
        free(state->next);
        free(state->u);
        free(state->node);
        sw_surface_grid_drop(&state->grid);
        sw_surface_corners_close(state);
    }
    free(s->state);
    free(s->item_of);
    free(s->face_first);
    free(s->item);
    free(s->list);
    free(s->dyad);
    free(s);
}

/* ---- An increment ---- */

/* Nodes that have come so far since the cut that others may meet. */
static double farthest(const sw_surface_state *state, const double *u)
{
    double most = 0;
    for (int64_t k = 0; k < state->n_nodes; k++)
        most = fmax(most, sw_distance(&u[3 * (int64_t)state->node[k]], &state->u[3 * k]));
    return most;
}

/* How far feet have gone over the master since then. */
static double farthest_foot(const sw_surfaces *s, const sw_surface_state *state, const double *u)
{
    double most = 0;
    for (int64_t q = 0; q < state->n_points; q++) {
        const sw_surface_point *point = &state->point[q];
        sw_surface_patch patch;
        sw_surface_place now, then;
        if (point->foot.face < 0 || point->cut_face < 0)
            continue;
        sw_surface_patch_of(s, &state->of->face[1][point->foot.face], u, &patch);
        sw_surface_see(&patch, point->foot.at, &now);
        sw_surface_patch_of(s, &state->of->face[1][point->cut_face], u, &patch);
        sw_surface_see(&patch, point->cut, &then);
        most = fmax(most, sw_distance(now.x, then.x));
    }
    return most;
}

static int slides_far(const sw_surfaces *s, const sw_surface_state *state)
{
    return s->finite && !state->of->small && state->of->law.behavior != SW_SURFACE_TIED;
}

static int is_stale(const sw_surfaces *s, const sw_surface_state *state, const double *u)
{
    const double length = fmin(state->length[0], state->length[1]);
    if (state->first == NULL || state->is_other)
        return 1;
    if (!slides_far(s, state))
        return 0;
    const double moved = farthest(state, u);
    return moved > SHIFT * length && (farthest_foot(s, state, u) > SHIFT * length || moved > COME * length);
}

/* Feet are looked for from where they were cut, not from where a trial that came to nothing has left them. */
static void leave_trial(const sw_surfaces *s, sw_surface_state *state)
{
    for (int64_t q = 0; q < state->n_points && slides_far(s, state); q++) {
        sw_surface_point *point = &state->point[q];
        point->foot.face = point->cut_face;
        memcpy(point->foot.at, point->cut, sizeof point->cut);
    }
}

static void forget_items(sw_surfaces *s)
{
    s->n_items = s->n_listed = 0;
    sw_surface_forget_dyads(s);
    for (int64_t f = 0; f < s->n_faces; f++)
        s->item_of[f] = -1;
}

sw_status sw_surfaces_begin(sw_surfaces *s, const double *u, int finite, int *anew)
{
    const int changed = finite != s->finite;
    *anew = 0;
    s->finite = finite;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        SW_TRY(sw_surface_take_law(s, state, u));
        for (int64_t q = 0; q < state->n_points; q++) {
            state->point[q].run = 0;
            state->point[q].base = state->point[q].accepted_base;
        }
        for (int64_t c = 0; c < state->n_corners; c++)
            state->corner[c].base = state->corner[c].accepted_base;
        if (!is_stale(s, state, u) && !(changed && !state->of->small)) {
            leave_trial(s, state);
            continue;
        }
        SW_TRY(sw_surface_cut(s, state, u));
        *anew = 1;
    }
    *anew =
        1; /* their order is that of this increment alone, so that a run that is gone on with has the same bits */
    forget_items(s);
    return SW_OK;
}

sw_status sw_surfaces_settle(sw_surfaces *s, const double *u, int *anew)
{
    *anew = 0;
    for (int k = 0; k < s->n_pairs; k++) {
        sw_surface_state *state = &s->state[k];
        const double length = fmin(state->length[0], state->length[1]);
        if (!slides_far(s, state) || state->of->law.friction > 0 || state->of->off)
            continue;
        if (!(farthest_foot(s, state, u) > FAR * length || farthest(state, u) > length))
            continue;
        SW_TRY(sw_surface_cut(s, state, u));
        *anew = 1;
    }
    if (*anew)
        forget_items(s);
    return SW_OK;
}

void sw_surfaces_straighten(sw_surfaces *s, int straight) { s->straight = straight; }

void sw_surfaces_cling(sw_surfaces *s, const double *u)
{
    s->clings = u != NULL;
    for (int k = 0; u != NULL && k < s->n_pairs; k++)
        for (int64_t q = 0; q < s->state[k].n_points; q++) {
            sw_surface_touch t;
            sw_surface_meet(s, &s->state[k], &s->state[k].point[q], u, &t);
            s->state[k].point[q].first = t.gap;
        }
}

int sw_surfaces_rub(const sw_surfaces *s)
{
    for (int k = 0; k < s->n_pairs; k++)
        if (s->state[k].of->law.friction > 0 && s->state[k].of->law.behavior != SW_SURFACE_TIED &&
            !s->state[k].of->off)
            return 1;
    return 0;
}
