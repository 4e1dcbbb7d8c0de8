/* Points of Al-Sc-Zr, two phases that share a matrix, each with a random composition and history: a ramp, holds and a spike
 * that dissolves some. The same numbers wherever they are drawn. Dimensions: N points, K knots. */
#ifndef SW_TESTS_ONLINE_KWN_POINTS_RANDOM_POINTS_H
#define SW_TESTS_ONLINE_KWN_POINTS_RANDOM_POINTS_H

#include <math.h>
#include <stdint.h>

#include "slipwave/kwn.h"

enum { SW_RANDOM_KNOTS = 6 };
static const double sw_random_times[SW_RANDOM_KNOTS] = {0, 600, 7200, 7800, 9000, 36000}; /* s */

/* composition [N][2], temperature [K][N] */
static inline void sw_random_points(int64_t n, double *composition, float *temperature)
{
    uint64_t seed = UINT64_C(88172645463325252);
    for (int64_t i = 0; i < n; i++) {
        double x[5];
        for (int k = 0; k < 5; k++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            x[k] = (double)(seed >> 11) * 0x1p-53;
        }
        const double hold = 573 + 150 * x[2], spike = hold + 100 * x[3], end = 573 + 150 * x[4];
        const double at[SW_RANDOM_KNOTS] = {560, hold, hold, spike, end, end};
        composition[2 * i] = 0.5e-3 + 1e-3 * x[0];
        composition[2 * i + 1] = 0.5e-3 + 1e-3 * x[1];
        for (int k = 0; k < SW_RANDOM_KNOTS; k++)
            temperature[k * n + i] = (float)at[k];
    }
}

/* The largest relative differences of number, mean radius and fraction between two results of a point, where there is
 * something to compare. */
static inline void sw_point_differences(const sw_kwn_point *a, const sw_kwn_point *b, int phases,
                                        double worst[3])
{
    worst[0] = worst[1] = worst[2] = 0;
    for (int p = 0; p < phases; p++) {
        const sw_kwn_population *x = &a->phase[p], *y = &b->phase[p];
        if (!(y->number > 1e14 && y->fraction > 1e-9))
            continue;
        const double off[3] = {fabs(x->number / y->number - 1),
                               fabs(x->radius_sum / x->number / (y->radius_sum / y->number) - 1),
                               fabs(x->fraction / y->fraction - 1)};
        for (int v = 0; v < 3; v++)
            worst[v] = off[v] <= worst[v] ? worst[v]
                       : isnan(worst[v])  ? worst[v]
                                          : off[v]; /* what is no number stays */
    }
}

#endif
