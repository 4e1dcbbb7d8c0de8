/* A few linear equations. */
#ifndef SW_COMMON_MATH_ELIMINATION_H
#define SW_COMMON_MATH_ELIMINATION_H

#include <math.h>

static inline void sw_swap_numbers(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* a x = b by elimination with pivots: a [n][n] in rows of `stride`, b [n], both used up; x [n]. 0 where a is singular. */
static inline int sw_solve_by_elimination(int n, int stride, double *a, double *b, double *x)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = fabs(a[i * stride + k]) > fabs(a[pivot * stride + k]) ? i : pivot;
        if (!(fabs(a[pivot * stride + k]) > 0))
            return 0;
        for (int j = 0; j < n; j++)
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

#endif
