/* What is found of a point under the scheme -> the numbers that points' results are made of (points/points.h), as of one crystal of
 * weight 1. On CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_POINT_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_POINT_H

#include "online/response/points/points.h"
#include "self_consistent.h"

/* The stress is that of the orientations as the step begins, with the mean resistance of its end. */
SW_HD static inline void sw_sc_point_sums(const sw_sc_result *r, double sum[SW_POINT_SUMS])
{
    static const int component[5] = {0, 1, 5, 4, 3}; /* 11 22 12 13 23 */
    const double scale = r->slip_resistance / r->begun;
    for (int k = 0; k < SW_POINT_SUMS; k++)
        sum[k] = 0;
    for (int k = 0; k < 5; k++)
        for (int a = 0; a < 5; a++) {
            sum[k] += scale * r->stress[a] * sw_deviator_basis(a, component[k]);
            sum[SW_MEANS + 5 * k + a] = scale * r->stiffness[a][k];
        }
    sum[SW_SUM_RESISTANCE] = r->slip_resistance;
    sum[SW_SUM_SLIP_RATE] = r->slip_rate;
    sum[SW_POINT_WEIGHT] = r->converged && r->weight > 0 ? 1 : NAN;
}

#endif
