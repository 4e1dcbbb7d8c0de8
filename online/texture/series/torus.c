#include "torus.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/system/threads.h"
#include "weight.h"

enum { SIDE = SW_TORUS_SIDE, SPAN = SW_TORUS_SPAN, LANES = 8, CRYSTAL_NS = 200 };
_Static_assert((int)SPAN <= (int)LANES, "a row of a crystal's cells is one vector");

/* Half the angle to where the least turn about an axis leads as near, by its quaternion's w; without any, 180 degrees' half. */
static double reach_along(const sw_point_group *group, int axis)
{
    double most = 0;
    for (int i = 1; i < group->order; i++)
        if (fabs(group->q[i][1 + (axis + 1) % 3]) + fabs(group->q[i][1 + (axis + 2) % 3]) < 1e-9)
            most = fmax(most, fabs(group->q[i][0]));
    return 0.5 * acos(most);
}

void sw_torus_group_make(const sw_point_group *group, sw_torus_group *made)
{
    double size[SW_POINT_GROUP_SIZES][4];
    *made = (sw_torus_group){.order = group->order, .fold = group->fold};
    made->sizes = sw_point_group_sizes(group, size);
    for (int i = 0; i < 4 * group->order; i++)
        made->q[i / 4][i % 4] = (float)group->q[i / 4][i % 4];
    for (int i = 0; i < 4 * made->sizes; i++)
        made->size[i / 4][i % 4] = (float)size[i / 4][i % 4];
    for (int i = 0; i < 3; i++) {
        const double reach = reach_along(group, i);
        made->reach[i] = (float)reach;
        made->per_reach[i] = (float)(0.5 / reach);
    }
}

float sw_torus_unit(double heaviest)
{
    int power;
    frexp(heaviest, &power);
    return ldexpf(1, power < 22 ? 40 : 62 - power);
}

static int open_row(const sw_torus_group *group) { return SIDE / group->fold + LANES; }

int64_t sw_torus_open_size(const sw_torus_group *group) { return (int64_t)SIDE * SIDE * open_row(group); }

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int64_t counts __attribute__((vector_size(LANES * sizeof(int64_t))));
typedef counts unaligned_counts __attribute__((aligned(sizeof(int64_t)), may_alias));

void sw_torus_spread(const sw_torus_group *group, const float q[4], float units, int64_t *open)
{
    sw_torus_place place;
    lanes along = {0};
    sw_torus_place_of(group, q, &place);
    for (int k = 0; k < SPAN; k++)
        along[k] = place.weight[2][k];
    for (int i = 0; i < SPAN; i++)
        for (int j = 0; j < SPAN; j++) {
            const int64_t row = (int64_t)sw_torus_cell(place.first[0], i, SIDE) * SIDE +
                                sw_torus_cell(place.first[1], j, SIDE);
            unaligned_counts *at = (unaligned_counts *)(open + row * open_row(group) + place.first[2]);
            /* none is below 0: half up, then down */
            const lanes share = units * place.weight[0][i] * place.weight[1][j] * along + 0.5F;
            *at += __builtin_convertvector(share, counts);
        }
}

void sw_torus_close(const sw_torus_group *group, int n, int64_t stride, const int64_t *open, uint64_t *cell)
{
    const int cells = SIDE / group->fold, row = open_row(group);
#pragma omp parallel for num_threads(n)
    for (int64_t i = 0; i < SIDE * SIDE; i++)
        for (int thread = 0; thread < n; thread++)
            for (int k = 0; k < row; k++)
                cell[i * cells + k % cells] += (uint64_t)open[thread * stride + i * row + k];
}

sw_status sw_torus_count(const sw_torus_group *group, int64_t n_crystals, const double (*euler)[3],
                         const double *weight, uint64_t *cell)
{
    const int n_threads = sw_threads_for(n_crystals, CRYSTAL_NS);
    const int64_t size = sw_torus_open_size(group);
    double total, heaviest = weight == NULL;
    int64_t *open, first_bad = INT64_MAX;
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)n_crystals);
    SW_TRY(sw_texture_weight(n_crystals, weight, &total));
    for (int64_t n = 0; weight != NULL && n < n_crystals; n++)
        heaviest = fmax(heaviest, weight[n]);
    const float unit = sw_torus_unit(total / heaviest);
    SW_TRY(SW_ALLOCATE(open, n_threads * size, "cells of a texture a thread"));
#pragma omp parallel for num_threads(n_threads) reduction(min : first_bad)
    for (int64_t n = 0; n < n_crystals; n++) {
        double q[4];
        sw_quaternion_from_euler(euler[n], q);
        const float rounded[4] = {(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
        if (isfinite(q[0] + q[1] + q[2] + q[3]))
            sw_torus_spread(group, rounded, weight == NULL ? unit : (float)(weight[n] / heaviest) * unit,
                            open + omp_get_thread_num() * size);
        else if (n < first_bad)
            first_bad = n;
    }
    sw_torus_close(group, n_threads, size, open, cell);
    free(open);
    if (first_bad < INT64_MAX)
        return sw_error(SW_ERR_RANGE, "crystal %lld has angles that are not finite", (long long)first_bad);
    return SW_OK;
}
