/* What is found of a point under the scheme -> the numbers that points' results are made of (points/points.h), as of one crystal of
 * weight 1. On CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_POINT_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_POINT_H

#include "online/response/points/points.h"
#include "self_consistent.h"

/* Vector of five of the deviator of a's symmetric part. */
SW_HD static inline void sw_sc_rate_of(const double a[3][3], double d[5])
{
    for (int i = 0; i < 5; i++) {
        d[i] = 0;
        for (int k = 0; k < 6; k++)
            d[i] += sw_deviator_basis(i, k) * (k < 3 ? 0.5 : 1) *
                    (a[sw_six_row(k)][sw_six_column(k)] + a[sw_six_column(k)][sw_six_row(k)]);
    }
}

/* Components 12 13 23 of a's skew part. */
SW_HD static inline void sw_sc_skew_of(const double a[3][3], double w[3])
{
    w[0] = 0.5 * (a[0][1] - a[1][0]);
    w[1] = 0.5 * (a[0][2] - a[2][0]);
    w[2] = 0.5 * (a[1][2] - a[2][1]);
}

/* Held: what flows goes about along the stress, as fast as base. */
SW_HD static inline void sw_sc_begin_held(const double held[6], sw_sc_medium *m)
{
    sw_sc_conditions *c = &m->conditions;
    double size = 0, rate = 0;
    c->grown = 1;
    for (int i = 0; i < 5; i++) {
        c->held[i] = 0;
        for (int k = 0; k < 6; k++)
            c->held[i] += sw_deviator_basis(i, k) * (k < 3 ? 1 : 2) * held[k];
        size += c->held[i] * c->held[i];
        rate += c->base[i] * c->base[i];
    }
    m->resting = !(size > 0 && rate > 0);
    for (int i = 0; i < 5 && !m->resting; i++)
        m->d[i] = sqrt(rate / size) * c->held[i];
}

/* The conditions of a velocity gradient, all of which is given or, of c, some; and a first d. */
SW_HD static inline void sw_sc_begin_point(const double l[3][3], const sw_point_condition *c, sw_sc_medium *m)
{
    const double trace = (l[0][0] + l[1][1] + l[2][2]) / 3;
    for (int k = 0; k < 6; k++)
        m->conditions.rate[k] =
            0.5 * (l[sw_six_row(k)][sw_six_column(k)] + l[sw_six_column(k)][sw_six_row(k)]) -
            (k < 3 ? trace : 0);
    sw_sc_rate_of(l, m->d);
    m->conditions.free = c != NULL ? c->free : 0;
    for (int i = 0; i < 5; i++)
        m->conditions.base[i] = m->d[i];
    for (int k = 0; k < m->conditions.free; k++) {
        sw_sc_rate_of(c->along[k], m->conditions.along[k]);
        m->conditions.value[k] = c->value[k];
    }
    m->conditions.spring = c != NULL ? c->spring : 0;
    if (m->conditions.spring > 0)
        sw_sc_begin_held(c->held, m);
}

/* W of what was found, 12 13 23. */
SW_HD static inline void sw_sc_spin_of_point(const double l[3][3], const sw_point_condition *c,
                                             const sw_sc_medium *m, double spin[3])
{
    sw_sc_skew_of(l, spin);
    for (int k = 0; k < m->conditions.free; k++) {
        double w[3];
        sw_sc_skew_of(c->along[k], w);
        for (int i = 0; i < 3; i++)
            spin[i] += m->conditions.x[k] * w[i];
    }
}

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
