/* The texture index by sums of kernels, which the product has by a series. */
#ifndef SW_TESTS_ONLINE_TEXTURE_TEXTURE_INDEX_H
#define SW_TESTS_ONLINE_TEXTURE_TEXTURE_INDEX_H

#include <stdlib.h>
#include <string.h>

#include "common/system/memory.h"
#include "online/texture/texture.h"

/* Where the ODF is taken for the texture index: every item, each with its weight as share of the mean, or
 * `n_points` of them evenly spread over the weight, with equal shares. */
static inline void spread_points(int64_t n_crystals, const double (*euler)[3], const double *weight,
                                 double total, int64_t n_points, double (*point)[3], double *share)
{
    int64_t n = 0;
    double before = 0;
    for (int64_t i = 0; i < n_points; i++) {
        const double place = (double)i / (double)n_points;
        share[i] = 1;
        if (weight == NULL)
            n = (int64_t)(place * (double)n_crystals);
        else if (n_points == n_crystals) {
            n = i;
            share[i] = weight[i];
        } else
            for (; n + 1 < n_crystals && before + weight[n] <= place * total; n++)
                before += weight[n];
        memcpy(point[i], euler[n], sizeof point[i]);
    }
}

/* sw_texture_index_of the ODF by sums of kernels, whose mean is over no more than 4096 orientations, evenly spread over
 * the weight. */
static inline sw_status texture_index(const sw_point_group *group, int64_t n_crystals,
                                      const double (*euler)[3], const double *weight, double crystals,
                                      int kappa, double *index)
{
    enum { MOST = 4096 };
    double total;
    SW_TRY(sw_texture_weight(n_crystals, weight, &total));
    const int64_t n_points = n_crystals < MOST ? n_crystals : MOST;
    double(*point)[3] = NULL, *density = NULL, *share = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(point, n_points, "points of a texture index"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(share, n_points, "points of a texture index"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(density, n_points, "densities of a texture index"), end);
    spread_points(n_crystals, euler, weight, total, n_points, point, share);
    SW_TRY_GOTO(status,
                sw_odf(group, n_crystals, euler, weight, SW_SAMPLE_TRICLINIC, kappa, n_points,
                       (const double(*)[3])point, density),
                end);
    double mean = 0, shares = 0;
    for (int64_t i = 0; i < n_points; i++)
        shares += share[i];
    for (int64_t i = 0; i < n_points; i++)
        mean += density[i] * share[i] / shares;
    status = sw_texture_index_of(group, mean, crystals, kappa, index);
end:
    free(point);
    free(share);
    free(density);
    return status;
}

#endif
