/* Vectors of five, their 5 x 5 matrices, and symmetric ones by their lower triangles. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ALGEBRA_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ALGEBRA_H

#include "common/math/deviator.h"
#include "common/math/elimination.h"

SW_HD static inline int sw_sc_place(int i, int j)
{
    return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i;
}

SW_HD static inline void sw_sc_unpack(const double *packed, double a[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            a[i][j] = packed[sw_sc_place(i, j)];
}

SW_HD static inline void sw_sc_multiply(const double a[5][5], const double b[5][5], double c[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 5; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

SW_HD static inline void sw_sc_apply(const double a[5][5], const double x[5], double y[5])
{
    for (int i = 0; i < 5; i++) {
        y[i] = 0;
        for (int k = 0; k < 5; k++)
            y[i] += a[i][k] * x[k];
    }
}

/* 0: singular. */
SW_HD static inline int sw_sc_invert(const double a[5][5], double inverse[5][5])
{
    double work[5][5], identity[5][5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            work[i][j] = a[i][j];
            identity[i][j] = i == j;
        }
    for (int k = 0; k < 5; k++) {
        int pivot = k;
        for (int i = k + 1; i < 5; i++)
            pivot = fabs(work[i][k]) > fabs(work[pivot][k]) ? i : pivot;
        if (!(fabs(work[pivot][k]) > 0))
            return 0;
        for (int j = 0; j < 5; j++) {
            sw_swap_numbers(&work[k][j], &work[pivot][j]);
            sw_swap_numbers(&identity[k][j], &identity[pivot][j]);
        }
        const double over = 1 / work[k][k];
        for (int j = 0; j < 5; j++) {
            work[k][j] *= over;
            identity[k][j] *= over;
        }
        for (int i = 0; i < 5; i++) {
            const double factor = work[i][k];
            if (i == k)
                continue;
            for (int j = 0; j < 5; j++) {
                work[i][j] -= factor * work[k][j];
                identity[i][j] -= factor * identity[k][j];
            }
        }
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            inverse[i][j] = identity[i][j];
    return 1;
}

/* Of a symmetric positive definite one; 0: it is none. */
SW_HD static inline int sw_sc_invert_definite(const double a[5][5], double inverse[5][5])
{
    double w[5][5];
    int definite = 1;
    SW_UNROLL
    for (int k = 0; k < 25; k++)
        w[k / 5][k % 5] = a[k / 5][k % 5];
    SW_UNROLL
    for (int p = 0; p < 5; p++) {
        definite &= w[p][p] > 0;
        const double over = 1 / w[p][p];
        w[p][p] = 1;
        SW_UNROLL
        for (int j = 0; j < 5; j++)
            w[p][j] *= over;
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            const double factor = w[i][p];
            if (i == p)
                continue;
            w[i][p] = 0;
            SW_UNROLL
            for (int j = 0; j < 5; j++)
                w[i][j] -= factor * w[p][j];
        }
    }
    SW_UNROLL
    for (int k = 0; k < 25; k++)
        inverse[k / 5][k % 5] = w[k / 5][k % 5];
    return definite;
}

/* |a - b| over the size of their mean. */
SW_HD static inline double sw_sc_mismatch(const double a[5], const double b[5])
{
    double difference = 0, mean = 0;
    for (int i = 0; i < 5; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        mean += 0.25 * (a[i] + b[i]) * (a[i] + b[i]);
    }
    return mean > 0 ? sqrt(difference / mean) : 0;
}

SW_HD static inline double sw_sc_change(const double a[5][5], const double b[5][5])
{
    double difference = 0, mean = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            difference += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
            mean += 0.25 * (a[i][j] + b[i][j]) * (a[i][j] + b[i][j]);
        }
    return mean > 0 ? sqrt(difference / mean) : 0;
}

SW_HD static inline double sw_sc_size(const double v[5])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3] + v[4] * v[4]);
}

#endif
