/* A grid of cells over a master's faces, each in all those that its box meets; face.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "face.h"

enum { MOST_CELLS = 1 << 20 };

static void box_of(const sw_surface_patch *patch, double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (int a = 0; a < patch->topology->n_nodes; a++) {
            low[i] = fmin(low[i], patch->x[a][i]);
            high[i] = fmax(high[i], patch->x[a][i]);
        }
    }
}

static void cells_of(const sw_surface_grid *g, const double low[3], const double high[3], int64_t from[3],
                     int64_t to[3])
{
    for (int i = 0; i < 3; i++) {
        const double top = (double)g->n[i] - 1;
        from[i] = (int64_t)fmin(fmax(floor((low[i] - g->low[i]) / g->size), 0), top);
        to[i] = (int64_t)fmin(fmax(floor((high[i] - g->low[i]) / g->size), 0), top);
    }
}

/* Counts faces into cells, or with `list` writes them. */
static void spread(const sw_surfaces *s, const sw_surface_state *state, const double *u, sw_surface_grid *g,
                   int list)
{
    for (int64_t f = 0; f < state->of->n_faces[1]; f++) {
        sw_surface_patch patch;
        double low[3], high[3];
        int64_t from[3], to[3];
        sw_surface_patch_of(s, &state->of->face[1][f], u, &patch);
        box_of(&patch, low, high);
        cells_of(g, low, high, from, to);
        for (int64_t i = from[0]; i <= to[0]; i++)
            for (int64_t j = from[1]; j <= to[1]; j++)
                for (int64_t k = from[2]; k <= to[2]; k++) {
                    int64_t *at = &g->first[(i * g->n[1] + j) * g->n[2] + k + 1];
                    if (list)
                        g->face[(*at)++] = (int32_t)f;
                    else
                        at[1]++;
                }
    }
}

sw_status sw_surface_grid_make(const sw_surfaces *s, const sw_surface_state *state, const double *u,
                               sw_surface_grid *g)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    sw_surface_grid_drop(g);
    for (int i = 0; i < 3; i++)
        g->low[i] = INFINITY;
    for (int64_t f = 0; f < state->of->n_faces[1]; f++) {
        sw_surface_patch patch;
        double box[2][3];
        sw_surface_patch_of(s, &state->of->face[1][f], u, &patch);
        box_of(&patch, box[0], box[1]);
        for (int i = 0; i < 3; i++) {
            g->low[i] = fmin(g->low[i], box[0][i]);
            high[i] = fmax(high[i], box[1][i]);
        }
    }
    g->size = 1.5 * state->length[1];
    int64_t cells;
    for (;; g->size *= 1.5) {
        cells = 1;
        for (int i = 0; i < 3; i++) {
            g->n[i] = (int64_t)fmin(floor((high[i] - g->low[i]) / g->size) + 1, MOST_CELLS);
            cells *= g->n[i];
            cells = cells > MOST_CELLS ? MOST_CELLS + 1 : cells;
        }
        if (cells <= MOST_CELLS)
            break;
    }
    SW_TRY(SW_ALLOCATE(g->first, cells + 3, "cells of a surface"));
    SW_TRY(SW_ALLOCATE(g->stamp, state->of->n_faces[1], "faces of a surface"));
    spread(s, state, u, g, 0);
    for (int64_t c = 0; c < cells; c++)
        g->first[c + 2] += g->first[c + 1];
    SW_TRY(SW_ALLOCATE(g->face, g->first[cells + 1] + 1, "faces of cells"));
    spread(s, state, u, g, 1);
    return SW_OK;
}

void sw_surface_grid_drop(sw_surface_grid *g)
{
    free(g->first);
    free(g->face);
    free(g->stamp);
    *g = (sw_surface_grid){0};
}

int64_t sw_surface_grid_ask(sw_surface_grid *g, const double low[3], const double high[3], int32_t *list)
{
    int64_t from[3], to[3], n = 0;
    cells_of(g, low, high, from, to);
    g->stamped++;
    for (int64_t i = from[0]; i <= to[0]; i++)
        for (int64_t j = from[1]; j <= to[1]; j++)
            for (int64_t k = from[2]; k <= to[2]; k++) {
                const int64_t cell = (i * g->n[1] + j) * g->n[2] + k;
                for (int64_t c = g->first[cell]; c < g->first[cell + 1]; c++)
                    if (g->stamp[g->face[c]] != g->stamped) {
                        g->stamp[g->face[c]] = g->stamped;
                        list[n++] = g->face[c];
                    }
            }
    return n;
}
