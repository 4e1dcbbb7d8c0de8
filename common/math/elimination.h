/* A few linear equations, their number a constant where it should be quick. */
#ifndef SW_COMMON_MATH_ELIMINATION_H
#define SW_COMMON_MATH_ELIMINATION_H

#include <math.h>

#include "common/math/lanes.h"

SW_HD static inline void sw_swap_numbers(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* a x = b by elimination with pivots: a [n][n] in rows of `stride`, b [n], both used up; x [n], which may be b. 0 where a
 * is singular. */
SW_HD static inline int sw_solve_by_elimination(int n, int stride, double *a, double *b, double *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i * stride + k]) > fabs(a[pivot * stride + k]) ? i : pivot;
        if (!(fabs(a[pivot * stride + k]) > 0))
            return 0;
        for (int j = k; j < n; j++)
            sw_swap_numbers(&a[k * stride + j], &a[pivot * stride + j]);
        sw_swap_numbers(&b[k], &b[pivot]);
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i * stride + k] / a[k * stride + k];
            for (int j = k; j < n; j++)
                a[i * stride + j] -= factor * a[k * stride + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int j = k + 1; j < n; j++)
            x[k] -= a[k * stride + j] * x[j];
        x[k] /= a[k * stride + k];
    }
    return 1;
}

/* The inverse of a symmetric a [n][n] in place, by Gauss and Jordan. An unknown whose pivot is not above least [n] follows
 * from others, or nothing holds it: its row and column become zero. pivot [n]: what was found. */
SW_HD static inline void sw_invert_symmetric(int n, const double *least, double *a, double *pivot)
{
    for (int p = 0; p < n; p++) {
        pivot[p] = a[p * n + p];
        const double over = pivot[p] > least[p] ? 1 / pivot[p] : 0;
        for (int i = 0; i < n; i++) {
            const double factor = a[i * n + p] * over;
            if (i == p)
                continue;
            for (int j = 0; j < n; j++)
                if (j != p)
                    a[i * n + j] -= factor * a[p * n + j];
            a[i * n + p] = -factor;
        }
        for (int j = 0; j < n; j++)
            if (j != p)
                a[p * n + j] *= over;
        a[p * n + p] = over;
    }
}

/* Of symmetric positive definite M [N][N], N a number, so that all of it is registers on a GPU (with N a variable, though
 * constant, kernels took a third longer):
 *
 *     sw_factor_spdN(M, inverse_pivot)       M = L D L^T, given by its lower triangle, where L D takes its place
 *     sw_solve_factoredN(M, ..., b, x)       M x = b of a factored M
 *     sw_solve_spdN(M, b, x)                 both: M is used up */
#define SW_SPD(N)                                                                                        \
    SW_HD static inline void sw_factor_spd##N(sw_real m[N][N], sw_real inverse_pivot[N])                 \
    {                                                                                                    \
        SW_UNROLL                                                                                        \
        for (int j = 0; j < (N); j++) {                                                                  \
            SW_UNROLL                                                                                    \
            for (int k = 0; k < j; k++)                                                                  \
                m[j][j] -= m[j][k] * m[j][k] * inverse_pivot[k];                                         \
            inverse_pivot[j] = sw_divide(sw_broadcast(1.0), m[j][j]);                                    \
            SW_UNROLL                                                                                    \
            for (int i = j + 1; i < (N); i++) {                                                          \
                SW_UNROLL                                                                                \
                for (int k = 0; k < j; k++)                                                              \
                    m[i][j] -= m[i][k] * m[j][k] * inverse_pivot[k];                                     \
            }                                                                                            \
        }                                                                                                \
    }                                                                                                    \
    SW_HD static inline void sw_solve_factored##N(const sw_real m[N][N], const sw_real inverse_pivot[N], \
                                                  const sw_real b[N], sw_real x[N])                      \
    {                                                                                                    \
        SW_UNROLL                                                                                        \
        for (int i = 0; i < (N); i++) {                                                                  \
            x[i] = b[i];                                                                                 \
            SW_UNROLL                                                                                    \
            for (int k = 0; k < i; k++)                                                                  \
                x[i] -= m[i][k] * inverse_pivot[k] * x[k];                                               \
        }                                                                                                \
        SW_UNROLL                                                                                        \
        for (int i = (N)-1; i >= 0; i--) {                                                               \
            x[i] = x[i] * inverse_pivot[i];                                                              \
            SW_UNROLL                                                                                    \
            for (int k = i + 1; k < (N); k++)                                                            \
                x[i] -= m[k][i] * inverse_pivot[i] * x[k];                                               \
        }                                                                                                \
    }                                                                                                    \
    SW_HD static inline void sw_solve_spd##N(sw_real m[N][N], const sw_real b[N], sw_real x[N])          \
    {                                                                                                    \
        sw_real inverse_pivot[N];                                                                        \
        sw_factor_spd##N(m, inverse_pivot);                                                              \
        sw_solve_factored##N((const sw_real(*)[N])m, inverse_pivot, b, x);                               \
    }
SW_SPD(5)
SW_SPD(6)

#endif
