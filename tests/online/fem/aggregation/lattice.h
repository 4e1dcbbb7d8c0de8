/* For tests of smoothed aggregation: lattices of bars, whose rigid motions have no energy. */
#ifndef SW_TESTS_ONLINE_FEM_AGGREGATION_LATTICE_H
#define SW_TESTS_ONLINE_FEM_AGGREGATION_LATTICE_H

#include "online/fem/aggregation/level.h"
#include "tests/test.h"

/* ---- Lattices: bars between all corners of each cell, of stiffness area over length; held where x = 0 unless free ---- */

typedef struct {
    int n[3]; /* nodes */
    int64_t N, *row, *place;
    int32_t *column;
    double *value, (*position)[3], *motion;
    uint8_t *fixed;
    sw_blocks matrix;
} lattice;

static inline int64_t node_at(const lattice *l, int x, int y, int z)
{
    return x + l->n[0] * (y + (int64_t)l->n[1] * z);
}

/* Of a bar from node i to j: k n n'. */
static inline void bar(const lattice *l, int64_t i, int64_t j, double block[3][3])
{
    double d[3], square = 0;
    for (int k = 0; k < 3; k++) {
        d[k] = l->position[j][k] - l->position[i][k];
        square += d[k] * d[k];
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            block[a][b] = d[a] * d[b] / square / sqrt(square);
}

static inline void add_rows(lattice *l, int64_t i, int64_t *at)
{
    const int x = (int)(i % l->n[0]), y = (int)(i / l->n[0] % l->n[1]), z = (int)(i / l->n[0] / l->n[1]);
    double own[3][3] = {{0}}, block[3][3], beside[27][3][3];
    int64_t other[27];
    int count = 0, self = -1;
    for (int c = -1; c <= 1; c++)
        for (int b = -1; b <= 1; b++)
            for (int a = -1; a <= 1; a++) {
                if (x + a < 0 || y + b < 0 || z + c < 0 || x + a >= l->n[0] || y + b >= l->n[1] ||
                    z + c >= l->n[2])
                    continue;
                other[count] = node_at(l, x + a, y + b, z + c);
                self = other[count] == i ? count : self;
                if (other[count] != i)
                    bar(l, i, other[count], block);
                for (int k = 0; k < 9 && other[count] != i; k++) {
                    own[k / 3][k % 3] += block[k / 3][k % 3];
                    beside[count][k / 3][k % 3] = -block[k / 3][k % 3];
                }
                count++;
            }
    memcpy(beside[self], own, sizeof own);
    for (int k = 0; k < 3; k++) {
        for (int o = 0; o < count; o++)
            for (int m = 0; m < 3; m++) {
                l->column[*at] = (int32_t)(3 * other[o] + m);
                l->value[(*at)++] = beside[o][k][m];
            }
        l->row[3 * i + k + 1] = *at;
    }
}

static inline sw_scalars scalars_of(const lattice *l)
{
    return (sw_scalars){.n_unknowns = 3 * l->N, .row = l->row, .column32 = l->column, .value = l->value};
}

static inline lattice *make(int nx, int ny, int nz, const double size[3], int held)
{
    lattice *l;
    int64_t at = 0;
    CHECK_OK(SW_ALLOCATE(l, 1, "lattice"));
    *l = (lattice){.n = {nx, ny, nz}, .N = (int64_t)nx * ny * nz};
    CHECK_OK(SW_ALLOCATE(l->row, 3 * l->N + 1, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->place, 3 * l->N, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->column, 243 * l->N, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->value, 243 * l->N, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->position, l->N, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->motion, 18 * l->N, "lattice"));
    CHECK_OK(SW_ALLOCATE(l->fixed, 3 * l->N, "lattice"));
    for (int64_t i = 0; i < l->N; i++) {
        const int64_t x[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int k = 0; k < 3; k++)
            l->position[i][k] = size[k] * (double)x[k];
    }
    for (int64_t i = 0; i < 3 * l->N; i++) {
        l->fixed[i] = held && l->position[i / 3][0] == 0;
        l->place[i] = l->fixed[i] ? -1 : i;
    }
    for (int64_t i = 0; i < l->N; i++)
        add_rows(l, i, &at);
    sw_rigid_motions(3, l->N, (const double(*)[3])l->position, l->fixed, l->motion);
    const sw_scalars scalars = scalars_of(l);
    CHECK_OK(sw_blocks_pattern(&scalars, l->place, 3, l->N, &l->matrix));
    sw_blocks_fill(&scalars, l->place, &l->matrix);
    return l;
}

static inline void drop(lattice *l)
{
    free(l->row);
    free(l->place);
    free(l->column);
    free(l->value);
    free(l->position);
    free(l->motion);
    free(l->fixed);
    sw_blocks_free(&l->matrix);
    free(l);
}

static inline double *room(int64_t n)
{
    double *vector;
    CHECK_OK(SW_ALLOCATE(vector, n, "vector"));
    return vector;
}

static inline double number(uint64_t *seed) /* -1 .. 1, xorshift */
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

#endif
