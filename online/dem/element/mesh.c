/* Meshes of walls: triangles checked, and a grid that finds them. */
#include <stdlib.h>

#include "common/files/hash.h"
#include "common/system/status.h"
#include "mesh.h"

enum { MOST_TRIANGLES = 10000000, MOST_CELLS = 256 }; /* the latter along an axis */
#define MOST_LENGTH 1e6                               /* m */
#define LEAST_HEIGHT 1e-9 /* of a triangle, over its longest edge: its normal is known to single precision */

/* Edges and normal of a triangle whose corners are there. */
static sw_status finish(int64_t i, sw_dem_triangle *t)
{
    double longest = 0, area;
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++) {
            if (!(fabs(t->corner[k][c]) <= MOST_LENGTH))
                return sw_error(SW_ERR_RANGE, "triangle %lld: a corner at %g m: need at most %g m",
                                (long long)i + 1, t->corner[k][c], MOST_LENGTH);
            t->edge[k][c] = t->corner[(k + 1) % 3][c] - t->corner[k][c];
        }
        longest = fmax(longest, sw_dem_dot(t->edge[k], t->edge[k]));
    }
    sw_dem_cross(t->edge[0], t->edge[1], t->normal);
    area = sqrt(sw_dem_dot(t->normal, t->normal));
    if (!(area > LEAST_HEIGHT * longest))
        return sw_error(SW_ERR_RANGE, "triangle %lld: height over longest edge = %g: need more than %g",
                        (long long)i + 1, longest > 0 ? area / longest : 0, LEAST_HEIGHT);
    for (int c = 0; c < 3; c++)
        t->normal[c] /= area;
    return SW_OK;
}

/* The box of all, its cells and how near is near; a millionth more on each side. */
static void measure(sw_dem_mesh *m, double high[3])
{
    double longest = 0, volume = 1, farthest = 0;
    for (int c = 0; c < 3; c++) {
        m->low[c] = INFINITY;
        high[c] = -INFINITY;
        for (int64_t i = 0; i < 3 * m->n; i++) {
            const double x = m->triangle[i / 3].corner[i % 3][c];
            m->low[c] = fmin(m->low[c], x);
            high[c] = fmax(high[c], x);
            farthest = fmax(farthest, fabs(x));
        }
        longest = fmax(longest, high[c] - m->low[c]);
    }
    for (int c = 0; c < 3; c++) {
        const double room = 1e-6 * longest;
        m->low[c] -= room;
        high[c] += room;
        volume *= fmax(high[c] - m->low[c], 1e-3 * longest);
    }
    m->near = 4e-7 * farthest; /* single precision, of files */
    m->width = fmax(cbrt(volume / (double)m->n), longest / MOST_CELLS);
}

static void find_cells(const sw_dem_mesh *m, sw_dem_triangle *t)
{
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3; k++) {
            low = fmin(low, t->corner[k][c]);
            high = fmax(high, t->corner[k][c]);
        }
        t->low[c] = (int32_t)((low - m->low[c]) / m->width);
        t->high[c] = (int32_t)((high - m->low[c]) / m->width);
    }
}

static int64_t cells_of(const sw_dem_triangle *t)
{
    return (int64_t)(t->high[0] - t->low[0] + 1) * (t->high[1] - t->low[1] + 1) *
           (t->high[2] - t->low[2] + 1);
}

/* Cells of a width in which all triangles are at most some 64 times each. */
static int64_t choose_cells(sw_dem_mesh *m)
{
    double high[3];
    int64_t places;
    measure(m, high);
    for (;; m->width *= 2) {
        places = 0;
        for (int c = 0; c < 3; c++)
            m->cells[c] = (int32_t)((high[c] - m->low[c]) / m->width) + 1;
        for (int64_t i = 0; i < m->n; i++) {
            find_cells(m, &m->triangle[i]);
            places += cells_of(&m->triangle[i]);
        }
        if (places <= 64 * m->n + 4096)
            return places;
    }
}

/* Count in each cell (pass 0), then write down (pass 1): first of a cell moves to its end, which is the next one's
 * beginning. */
static void fill(sw_dem_mesh *m, int pass)
{
    for (int64_t i = 0; i < m->n; i++) {
        const sw_dem_triangle *t = &m->triangle[i];
        for (int32_t a = t->low[0]; a <= t->high[0]; a++)
            for (int32_t b = t->low[1]; b <= t->high[1]; b++)
                for (int32_t c = t->low[2]; c <= t->high[2]; c++) {
                    int32_t *at = &m->first[((int64_t)a * m->cells[1] + b) * m->cells[2] + c + 1];
                    if (pass == 1)
                        m->member[*at] = (int32_t)i;
                    ++*at;
                }
    }
}

static sw_status make_grid(sw_dem_mesh *m)
{
    const int64_t places = choose_cells(m), cells = (int64_t)m->cells[0] * m->cells[1] * m->cells[2];
    int32_t before = 0;
    SW_TRY(SW_ALLOCATE(m->first, cells + 1, "cells of a mesh"));
    SW_TRY(SW_ALLOCATE(m->member, places, "triangles in cells of a mesh"));
    fill(m, 0);
    for (int64_t i = 1; i <= cells; i++) {
        const int32_t count = m->first[i];
        m->first[i] = before;
        before += count;
    }
    fill(m, 1);
    return SW_OK;
}

sw_status sw_dem_mesh_make(int64_t n, const double (*corner)[3][3], sw_dem_mesh **mesh)
{
    sw_dem_mesh *m;
    *mesh = NULL;
    if (!(n >= 1 && n <= MOST_TRIANGLES))
        return sw_error(SW_ERR_RANGE, "%lld triangles of a mesh: need 1 to %d", (long long)n, MOST_TRIANGLES);
    SW_TRY(SW_ALLOCATE(m, 1, "a mesh"));
    m->n = n;
    sw_status status = SW_ALLOCATE(m->triangle, n, "triangles of a mesh");
    for (int64_t i = 0; i < n && status == SW_OK; i++) {
        for (int k = 0; k < 9; k++)
            m->triangle[i].corner[k / 3][k % 3] = corner[i][k / 3][k % 3];
        status = finish(i, &m->triangle[i]);
    }
    if (status == SW_OK)
        status = make_grid(m);
    if (status == SW_OK)
        *mesh = m;
    else
        sw_dem_mesh_free(m);
    return status;
}

void sw_dem_mesh_free(sw_dem_mesh *mesh)
{
    if (mesh == NULL)
        return;
    free(mesh->triangle);
    free(mesh->first);
    free(mesh->member);
    free(mesh);
}

uint64_t sw_dem_mesh_hash(uint64_t h, const sw_dem_mesh *mesh)
{
    for (int64_t i = 0; i < mesh->n; i++)
        h = sw_hash(h, mesh->triangle[i].corner, sizeof mesh->triangle[i].corner);
    return h;
}

int64_t sw_dem_mesh_triangles(const sw_dem_mesh *mesh) { return mesh->n; }
