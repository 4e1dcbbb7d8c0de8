/* Very many crystals over the cells of a torus (series/torus.h) by way of the histogram's bins: a crystal adds to ten whole
 * numbers of its bin, side by side, instead of to 216 cells, and bins are spread once, when all are counted.
 *
 * In a bin, places x_i in [-1, 1] along its three axes. The numbers are sums of 1, x_i, x_i^2 and x_i x_j, by which a function
 * that is smooth over the bin, as what a crystal at x adds to a density is, has the sum
 *
 *     sum over nodes of weight f(node),
 *
 * exact for polynomials of degree 2: nodes are the middle and the 12 points p (+-1, +-1, 0), and so on; p^2 = 1.1 makes the
 * error in the corners of a bin, where it is largest, as small as elsewhere: 2e-4 of a crystal's largest density. Weights are
 * sums and differences of the numbers, and their shares of cells whole numbers, too: cells are the same for any order and
 * division of the crystals. */
#ifndef SW_ONLINE_TEXTURE_BIN_MOMENTS_H
#define SW_ONLINE_TEXTURE_BIN_MOMENTS_H

#include "orientation_histogram.h"

enum { SW_BIN_MOMENTS = 10, SW_BIN_NODES = 13 }; /* 1; x; y z, z x, x y; x^2 */

/* From so many crystals on, all of one weight, a GPU goes by the bins, whose nodes cost as much as so many crystals spread one
 * by one. Weights have no such whole numbers: light crystals would be lost; and bins of other groups than the cube's
 * are longer. */
#define SW_BIN_MOMENTS_LEAST 4194304.

static inline int sw_bin_moments_serve(const sw_orientation_histogram *histogram)
{
    return histogram->heaviest == 0 && !(histogram->most > 0 && histogram->most < SW_BIN_MOMENTS_LEAST) &&
           histogram->group.order == 24;
}

/* What 1 is in the numbers but the first: a crystal's share of all cells, less that of one. */
static inline float sw_bin_moments_unit(const sw_orientation_histogram *histogram)
{
    return sw_histogram_unit(histogram) / (float)SW_TORUS_WHOLE;
}

/* Of a crystal of unit quaternion q: its bin, and what it adds to the bin's numbers. */
SW_HD static inline int32_t sw_bin_moments_of(const sw_torus_group *group, const float q[4], float unit,
                                              int32_t moment[SW_BIN_MOMENTS])
{
    float reduced[4], x[3];
    int32_t bin = 0;
    sw_torus_reduce(group, q, reduced);
    const float scale = 1.0F / reduced[0];
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        const float place = sw_histogram_place(group, i, scale * reduced[i + 1]);
        const int32_t step = sw_histogram_step(place);
        const float within = 2.0F * (place - (float)step) - 1.0F;
        x[i] = within > -1.0F ? (within < 1.0F ? within : 1.0F) : -1.0F;
        bin = bin * SW_HISTOGRAM_SIDE + step;
    }
    moment[0] = 1;
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        moment[1 + i] = (int32_t)rintf(unit * 0.11918284F * x[i]);                            /* 1 / 8 p */
        moment[4 + i] = (int32_t)rintf(unit * 0.22727273F * x[(i + 1) % 3] * x[(i + 2) % 3]); /* 1 / 4 p^2 */
        moment[7 + i] = (int32_t)rintf(unit * 0.11363636F * x[i] * x[i]);                     /* 1 / 8 p^2 */
    }
    return bin;
}

/* Weight of a node, by a bin's numbers, and its unit quaternion. */
SW_HD static inline int64_t sw_bin_node(const sw_torus_group *group, int32_t bin, int node,
                                        const int64_t moment[SW_BIN_MOMENTS], int64_t unit, float q[4])
{
    float square = 1;
    const int32_t step[3] = {bin / (SW_HISTOGRAM_SIDE * SW_HISTOGRAM_SIDE),
                             bin / SW_HISTOGRAM_SIDE % SW_HISTOGRAM_SIDE, bin % SW_HISTOGRAM_SIDE};
    const int k = (node + 3) / 4 - 1, i = (k + 1) % 3, j = (k + 2) % 3; /* node 1 .. 12: off along i and j */
    const int s = node & 1 ? 1 : -1, t = node & 2 ? 1 : -1;
    q[0] = 1;
    SW_UNROLL
    for (int c = 0; c < 3; c++) {
        const float off = node == 0 || c == k ? 0 : 1.0488088F * (float)(c == i ? s : t);
        const float half =
            group->reach[c] / (0.5F * (float)SW_HISTOGRAM_SIDE); /* of a bin's angle; r = tan(a / 2) */
        q[c + 1] = tanf(half * ((float)(step[c] - SW_HISTOGRAM_SIDE / 2) + 0.5F + 0.5F * off));
        square += q[c + 1] * q[c + 1];
    }
    for (int c = 0; c < 4; c++)
        q[c] /= sqrtf(square);
    if (node == 0)
        return unit * moment[0] - 4 * (moment[7] + moment[8] + moment[9]);
    return s * moment[1 + i] + t * moment[1 + j] + s * t * moment[4 + k] + moment[7 + i] + moment[7 + j] -
           moment[7 + k];
}

#endif
