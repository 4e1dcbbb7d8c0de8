/* Numbers of lattice points and cells, by all threads. */
#include "lattice.h"

#include <math.h>
#include <stdlib.h>

#include "common/system/memory.h"
#include "common/system/threads.h"

enum { LOOK_NS = 1, TOUCH_NS = 5 };

#define MUCH_LONGER \
    1.5 /* halved without that side, cells are nearer to cubes from 2^(1/2) on; measured up to 5 in bench/LOG.md */

int sw_fem_lattice_halve(int periodic, int32_t n[3], double size[3], int factor[3])
{
    double shortest = INFINITY;
    for (int i = 0; i < 3; i++) {
        factor[i] = n[i] > 1 && !(periodic && n[i] % 2) ? 2 : 1;
        shortest = factor[i] == 2 ? fmin(shortest, size[i]) : shortest;
    }
    for (int i = 0; i < 3; i++) {
        factor[i] = size[i] < MUCH_LONGER * shortest ? factor[i] : 1;
        n[i] = (n[i] + factor[i] - 1) / factor[i];
        size[i] *= factor[i];
    }
    return isfinite(shortest);
}

/* Whether one of the cells around a point in row (y, z) of points is there. */
static int is_touched(const int32_t n[3], const int32_t *cell, int64_t x, int64_t y, int64_t z)
{
    const int64_t layers = n[2] > 0 ? n[2] : 1, above = n[2] > 0 ? z : 0;
    for (int64_t k = z > 0 ? z - 1 : 0; k <= above && k < layers; k++)
        for (int64_t j = y > 0 ? y - 1 : 0; j <= y && j < n[1]; j++)
            for (int64_t i = x > 0 ? x - 1 : 0; i <= x && i < n[0]; i++)
                if (cell[sw_fem_lattice_cell(n, i, j, k)] >= 0)
                    return 1;
    return 0;
}

void sw_fem_lattice_touch(const int32_t n[3], const int32_t *cell, int32_t *node)
{
    const int64_t wide = (int64_t)n[0] + 1, rows = ((int64_t)n[1] + 1) * (n[2] + 1);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(rows *wide, TOUCH_NS))
    for (int64_t row = 0; row < rows; row++)
        for (int64_t x = 0; x < wide; x++)
            node[row * wide + x] = is_touched(n, cell, x, row % (n[1] + 1), row / (n[1] + 1)) - 1;
}

int64_t sw_fem_lattice_number(int64_t n, int32_t *at)
{
    enum { PIECES = 256 };
    int64_t first[PIECES + 1] = {0};
    const int64_t size = n / PIECES + 1;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, LOOK_NS))
    for (int64_t piece = 0; piece < PIECES; piece++) {
        int64_t many = 0;
        for (int64_t i = piece * size; i < (piece + 1) * size && i < n; i++)
            many += at[i] >= 0;
        first[piece + 1] = many;
    }
    for (int piece = 0; piece < PIECES; piece++)
        first[piece + 1] += first[piece];
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, LOOK_NS))
    for (int64_t piece = 0; piece < PIECES; piece++) {
        int32_t next = (int32_t)first[piece];
        for (int64_t i = piece * size; i < (piece + 1) * size && i < n; i++)
            if (at[i] >= 0)
                at[i] = next++;
    }
    return first[PIECES];
}

/* ---- One body or several ---- */

/* Cells first .. last of a row; a run known to hang together with it, itself at first. */
typedef struct {
    int32_t first, last, root;
} run;

/* The runs of a row [n]; where they go, NULL: they are counted. */
static int64_t find_runs(int32_t n, const int32_t *cell, run *to, int64_t number)
{
    int64_t many = 0;
    for (int32_t x = 0; x < n; x++) {
        if (cell[x] < 0)
            continue;
        const int32_t first = x;
        while (x + 1 < n && cell[x + 1] >= 0)
            x++;
        if (to)
            to[many] = (run){first, x, (int32_t)(number + many)};
        many++;
    }
    return many;
}

static int32_t root_of(run *all, int32_t i)
{
    while (all[i].root != i)
        i = all[i].root = all[all[i].root].root;
    return i;
}

/* Runs a .. a_end - 1 of a row and b .. b_end - 1 of one beside it; how many have become one. */
static int64_t join_rows(run *all, int64_t a, int64_t a_end, int64_t b, int64_t b_end)
{
    int64_t joined = 0;
    while (a < a_end && b < b_end) {
        if (all[a].first <= all[b].last + 1 && all[b].first <= all[a].last + 1) { /* a point of both */
            const int32_t i = root_of(all, (int32_t)a), j = root_of(all, (int32_t)b);
            joined += i != j;
            all[i > j ? i : j].root = i > j ? j : i;
        }
        if (all[a].last < all[b].last)
            a++;
        else
            b++;
    }
    return joined;
}

/* Runs of all rows, first [rows + 1] of each; those that are left when all that touch have become one. */
static int64_t join_runs(const int32_t n[3], const int32_t *cell, const int64_t *first, run *all)
{
    const int64_t wide = n[1], rows = sw_fem_lattice_cells(n) / n[0];
    int64_t parts = first[rows];
    for (int64_t row = 0; row < rows; row++)
        find_runs(n[0], cell + row * n[0], all + first[row], first[row]);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t k = 0; k < 4; k++) { /* the row before it, and three in the layer below */
            const int64_t aside = k == 0 ? -1 : k - 2, other = row + aside - (k == 0 ? 0 : wide);
            if (row % wide + aside >= 0 && row % wide + aside < wide && other >= 0)
                parts -= join_rows(all, first[row], first[row + 1], first[other], first[other + 1]);
        }
    return parts;
}

int sw_fem_lattice_is_one(const int32_t n[3], const int32_t *cell, int64_t many)
{
    const int64_t rows = sw_fem_lattice_cells(n) / n[0];
    int64_t *first, parts = 0, filled = 0;
    run *all = NULL;
    if (SW_ALLOCATE(first, rows + 1, "rows of cells") != SW_OK)
        return 0;
#pragma omp parallel for schedule(static) reduction(+ : filled) num_threads(sw_threads_for(rows *n[0], LOOK_NS))
    for (int64_t row = 0; row < rows; row++) {
        first[row + 1] = find_runs(n[0], cell + row * n[0], NULL, 0);
        for (int32_t x = 0; x < n[0]; x++)
            filled += cell[row * n[0] + x] >= 0;
    }
    for (int64_t row = 0; row < rows; row++)
        first[row + 1] += first[row];
    if (filled == many && first[rows] <= INT32_MAX && SW_ALLOCATE(all, first[rows], "rows of cells") == SW_OK)
        parts = join_runs(n, cell, first, all);
    free(first);
    free(all);
    return parts == 1;
}
