/* Numbers of lattice points and cells, by all threads. */
#include "lattice.h"

#include "common/system/threads.h"

enum { LOOK_NS = 1, TOUCH_NS = 5 };

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
