/* Orientations on a torus: the three Bunge angles, each a circle, cut into cells, over which a crystal is spread by
 * B-splines. Harmonics of rotations are sums of waves exp -i (m phi1 + k Phi + n phi2) on it, so that a transform of the
 * cells, over the splines' own, gives the harmonics of all crystals together (odf_series.h). What a crystal adds to a cell
 * is a whole number, so that sums do not depend on their order: threads, processes, GPUs.
 *
 * phi1 and Phi have SW_TORUS_SIDE cells a turn; phi2, of which the crystal's `fold`-fold axis 3 leaves a part, as many
 * by fold. Of a crystal's equivalents the nearest to the sample axes is taken: all are the same cells. */
#ifndef SW_ONLINE_TEXTURE_SERIES_TORUS_H
#define SW_ONLINE_TEXTURE_SERIES_TORUS_H

#include <math.h>
#include <stdint.h>

#include "common/crystal/point_group.h"
#include "common/system/device.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SW_TORUS_SIDE = 96,      /* a multiple of 24: of the folds 1, 2, 3, 4 and 6, and even then */
    SW_TORUS_SPAN = 6,       /* cells of each axis that a crystal is spread over: a spline of degree 5 */
    SW_TORUS_WHOLE = 1 << 16 /* what sw_torus_share divides among cells */
};

/* A point group for CPU and GPU. The zone about the sample axes that holds the nearest equivalent of each orientation has
 * Rodrigues' vectors r, atan |r_i| <= reach_i. */
typedef struct {
    int32_t order, fold, sizes;
    float reach[3], per_reach[3]; /* rad; 1 / (2 reach) */
    float q[SW_POINT_GROUP_ORDER][4];
    float size[SW_POINT_GROUP_SIZES][4]; /* of sw_point_group_sizes */
} sw_torus_group;

void sw_torus_group_make(const sw_point_group *group, sw_torus_group *made);

/* Cells: [SIDE][SIDE][SIDE / fold], phi1, Phi, phi2. */
static inline int64_t sw_torus_size(const sw_torus_group *group)
{
    return (int64_t)SW_TORUS_SIDE * SW_TORUS_SIDE * (SW_TORUS_SIDE / group->fold);
}

/* What the heaviest crystal adds to all its cells, where all together weigh `heaviest` times as much, at least 1: a power of 2
 * such that sums stay below 2^63, at most 2^40. */
float sw_torus_unit(double heaviest);

/* Cells as one thread adds to them: rows of phi2 go on beyond their end, so that a crystal's are all in a piece. */
int64_t sw_torus_open_size(const sw_torus_group *group);
void sw_torus_spread(const sw_torus_group *group, const float q[4], float units, int64_t *open);
/* What n threads spread, each `stride` numbers on from the one before, added to cells. */
void sw_torus_close(const sw_torus_group *group, int n, int64_t stride, const int64_t *open, uint64_t *cell);

/* Add crystals in host memory: euler [N][3] (Bunge, rad), weight [N] or NULL, to cells that hold no others. Errors of
 * slipwave/texture.h. */
sw_status sw_torus_count(const sw_torus_group *group, int64_t n_crystals, const double (*euler)[3],
                         const double *weight, uint64_t *cell);

/* Where a crystal is: the first of SW_TORUS_SPAN cells of each axis, within it; they go on at its beginning. */
typedef struct {
    int32_t first[3];
    float weight[3][SW_TORUS_SPAN]; /* of each axis: sum 1 */
} sw_torus_place;

/* Of a place x in cells, 0 <= x <= cells: the uniform B-spline of order SW_TORUS_SPAN about it, by de Boor's recursion. */
SW_HD static inline void sw_torus_axis(float x, int32_t cells, int32_t *first, float weight[SW_TORUS_SPAN])
{
    const float down = floorf(x), t = x - down;
    const int32_t from = (int32_t)down - SW_TORUS_SPAN / 2 + 1;
    weight[0] = 1;
    SW_UNROLL
    for (int r = 2; r <= SW_TORUS_SPAN;
         r++) { /* weight[j]: at t - j of the spline of order r, from its end */
        const float scale = 1.0F / (float)(r - 1);
        float before = 0;
        SW_UNROLL
        for (int j = 0; j < r; j++) {
            const float here = j < r - 1 ? weight[j] : 0;
            weight[j] = scale * (((float)j + 1 - t) * here + (t + (float)(r - 1 - j)) * before);
            before = here;
        }
    }
    *first = from < 0 ? from + cells : from >= cells ? from - cells : from;
}

/* An angle in cells, 0 .. cells. */
SW_HD static inline float sw_torus_cells(float angle, float a_turn, float cells)
{
    const float x = angle * (a_turn * 0.159154943F); /* 1 / (2 pi) */
    const float within = x - cells * floorf(x / cells);
    return within < 0 ? 0 : within > cells ? cells : within;
}

/* The equivalent of q nearest to the sample axes. */
SW_HD static inline void sw_torus_reduce(const sw_torus_group *group, const float q[4], float reduced[4])
{
    float most = -1;
    int32_t best = 0;
    for (int32_t i = 0; i < group->order; i++) {
        const float *c = group->q[i], w = fabsf(q[0] * c[0] - q[1] * c[1] - q[2] * c[2] - q[3] * c[3]);
        best = w > most ? i : best;
        most = w > most ? w : most;
    }
    const float *c = group->q[best];
    reduced[0] = q[0] * c[0] - q[1] * c[1] - q[2] * c[2] - q[3] * c[3];
    reduced[1] = q[0] * c[1] + q[1] * c[0] + q[2] * c[3] - q[3] * c[2];
    reduced[2] = q[0] * c[2] + q[2] * c[0] + q[3] * c[1] - q[1] * c[3];
    reduced[3] = q[0] * c[3] + q[3] * c[0] + q[1] * c[2] - q[2] * c[1];
}

/* Sizes of the components of p^-1 q. */
SW_HD static inline void sw_torus_between(const float p[4], const float q[4], float size[4])
{
    size[0] = fabsf(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]);
    size[1] = fabsf(p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2]);
    size[2] = fabsf(p[0] * q[2] + p[1] * q[3] - p[2] * q[0] - p[3] * q[1]);
    size[3] = fabsf(p[0] * q[3] - p[1] * q[2] + p[2] * q[1] - p[3] * q[0]);
}

/* cos(w/2) for the smallest angle w from p to the equivalents of q; to 5e-7. */
SW_HD static inline float sw_torus_cosine(const sw_torus_group *group, const float p[4], const float q[4])
{
    float size[4], most = 0;
    sw_torus_between(p, q, size);
    for (int32_t i = 0; i < group->sizes; i++) {
        const float *c = group->size[i];
        const float cosine = c[0] * size[0] + c[1] * size[1] + c[2] * size[2] + c[3] * size[3];
        most = cosine > most ? cosine : most;
    }
    return most;
}

/* Of a unit quaternion w x y z, crystal -> sample. Angles as of sw_euler_from_quaternion. */
SW_HD static inline void sw_torus_place_of(const sw_torus_group *group, const float q[4],
                                           sw_torus_place *place)
{
    const int32_t folded = SW_TORUS_SIDE / group->fold;
    const float side = (float)SW_TORUS_SIDE;
    float r[4];
    sw_torus_reduce(group, q, r);
    const float half_sum = atan2f(r[3], r[0]), half_difference = atan2f(r[2], r[1]);
    const float phi = 2 * atan2f(sqrtf(r[1] * r[1] + r[2] * r[2]), sqrtf(r[0] * r[0] + r[3] * r[3]));
    sw_torus_axis(sw_torus_cells(half_sum + half_difference, side, side), SW_TORUS_SIDE, &place->first[0],
                  place->weight[0]);
    sw_torus_axis(sw_torus_cells(phi, side, side), SW_TORUS_SIDE, &place->first[1], place->weight[1]);
    sw_torus_axis(sw_torus_cells(half_sum - half_difference, side, (float)folded), folded, &place->first[2],
                  place->weight[2]);
}

/* Of SW_TORUS_WHOLE what cell a of phi1, b of Phi, k of phi2 has, rounded: off by 5e-5 of a density. */
SW_HD static inline int32_t sw_torus_share(const sw_torus_place *place, int a, int b, int k)
{
    return (int32_t)((float)SW_TORUS_WHOLE * place->weight[0][a] * place->weight[1][b] * place->weight[2][k] +
                     0.5F);
}

/* Cell number i of those that follow the first. */
SW_HD static inline int32_t sw_torus_cell(int32_t first, int32_t i, int32_t cells)
{
    return first + i < cells ? first + i : first + i - cells;
}

#ifdef __cplusplus
}
#endif
#endif
