/* 3 x 3 tensors, row-major: a[i][j]. Written on sw_real, so one tensor or a bundle (lanes.h).
 *
 * Symmetric ones as six numbers: six.h. */
#ifndef SW_COMMON_MATH_TENSOR_H
#define SW_COMMON_MATH_TENSOR_H

#include "lanes.h"
#include "six.h"

SW_HD static inline void sw_tensor_of_six(const sw_real six[6], sw_real t[3][3])
{
    SW_UNROLL
    for (int k = 0; k < 9; k++)
        t[k / 3][k % 3] = six[sw_six_of(k / 3, k % 3)];
}

/* c = a b; c must be neither. */
SW_HD static inline void sw_multiply(sw_real a[3][3], sw_real b[3][3], sw_real c[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

/* c = a^T b; c must be neither. */
SW_HD static inline void sw_multiply_transposed(sw_real a[3][3], sw_real b[3][3], sw_real c[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c[i][j] = a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
}

/* r a r^T: the components in the frame that r carries a's frame to; out must be neither. */
SW_HD static inline void sw_rotate_tensor(sw_real r[3][3], sw_real a[3][3], sw_real out[3][3])
{
    sw_real ra[3][3];
    sw_multiply(r, a, ra);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = ra[i][0] * r[j][0] + ra[i][1] * r[j][1] + ra[i][2] * r[j][2];
}

SW_HD static inline sw_real sw_determinant(sw_real a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* The inverse; the caller knows that a is not singular. */
SW_HD static inline void sw_invert(sw_real a[3][3], sw_real inverse[3][3])
{
    sw_real r = 1.0 / sw_determinant(a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = (j + 1) % 3, l = (j + 2) % 3, m = (i + 1) % 3, n = (i + 2) % 3;
            inverse[i][j] = (a[k][m] * a[l][n] - a[k][n] * a[l][m]) * r;
        }
}

/* exp(a) by Taylor's series to the sixth order: relative error ||a||^7 / 5040, below 1e-16 for
 * ||a|| <= 0.01. Larger a: halve it and square the result. */
SW_HD static inline void sw_exponential_small(sw_real a[3][3], sw_real out[3][3])
{
    sw_real term[3][3], next[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            term[i][j] = a[i][j];
            out[i][j] = a[i][j] + (i == j ? 1.0 : 0.0);
        }
    for (int order = 2; order <= 6; order++) {
        sw_multiply(term, a, next);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                term[i][j] = next[i][j] * (1.0 / order);
                out[i][j] += term[i][j];
            }
    }
}

/* ||a||_F */
SW_HD static inline sw_real sw_norm(sw_real a[3][3])
{
    sw_real sum = sw_broadcast(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += a[i][j] * a[i][j];
    return sw_sqrt(sum);
}

/* a less its mean normal component. */
SW_HD static inline void sw_deviator(sw_real a[3][3], sw_real out[3][3])
{
    sw_real mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][j];
    for (int i = 0; i < 3; i++)
        out[i][i] -= mean;
}

/* The rotation R of a = R U for a near a rotation (elastic strains), by Newton's iteration
 * R <- (R + R^-T) / 2 (Higham 1986), which doubles its digits each time: three give 1e-16 from
 * ||U - 1|| <= 0.01. */
SW_HD static inline void sw_polar_rotation(sw_real a[3][3], sw_real r[3][3])
{
    sw_real inverse[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = a[i][j];
    for (int pass = 0; pass < 4; pass++) {
        sw_invert(r, inverse);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                r[i][j] = 0.5 * (r[i][j] + inverse[j][i]);
    }
}

#endif
