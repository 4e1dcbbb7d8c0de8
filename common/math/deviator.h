/* Deviatoric tensors as vectors of five, on sw_real, in the orthonormal basis
 *
 *     ( (t11 - t22) / sqrt 2, (2 t33 - t11 - t22) / sqrt 6, sqrt 2 t23, sqrt 2 t13, sqrt 2 t12 ).
 *
 * Tensors of six: six.h. */
#ifndef SW_COMMON_MATH_DEVIATOR_H
#define SW_COMMON_MATH_DEVIATOR_H

#include "lanes.h"
#include "six.h"

#define SW_ROOT_HALF 0.70710678118654752  /* 1/sqrt 2 */
#define SW_ROOT_SIXTH 0.40824829046386302 /* 1/sqrt 6 */

/* Both in sw_real; the float of the second is the one below the nearest. */
#ifdef SW_SINGLE
#define SW_DEVIATOR_ROOTS const float r2 = 0.70710678F, r6 = 0.40824829F
#else
#define SW_DEVIATOR_ROOTS const double r2 = SW_ROOT_HALF, r6 = SW_ROOT_SIXTH
#endif

/* Component k of six of the basis' tensor a, whatever sw_real is. */
SW_HD static inline double sw_deviator_basis(int a, int k)
{
    if (a == 0)
        return k == 0 ? SW_ROOT_HALF : k == 1 ? -SW_ROOT_HALF : 0;
    if (a == 1)
        return k == 2 ? 2 * SW_ROOT_SIXTH : k < 2 ? -SW_ROOT_SIXTH : 0;
    return k == a + 1 ? SW_ROOT_HALF : 0;
}

SW_HD static inline void sw_deviator_tensor(const sw_real v[5], sw_real t[6])
{
    SW_DEVIATOR_ROOTS;
    t[0] = r2 * v[0] - r6 * v[1];
    t[1] = -r2 * v[0] - r6 * v[1];
    t[2] = 2.0F * r6 * v[1];
    SW_UNROLL
    for (int i = 2; i < 5; i++)
        t[i + 1] = r2 * v[i];
}

/* The trace is left out. */
SW_HD static inline void sw_deviator_vector_of(const sw_real t[6], sw_real v[5])
{
    SW_DEVIATOR_ROOTS;
    v[0] = r2 * (t[0] - t[1]);
    v[1] = r6 * (2.0F * t[2] - t[0] - t[1]);
    SW_UNROLL
    for (int i = 2; i < 5; i++)
        v[i] = 2.0F * r2 * t[i + 1];
}

/* Of any tensor: trace and skew part are left out. */
SW_HD static inline void sw_deviator_vector(const sw_real t[3][3], sw_real v[5])
{
    sw_real six[6];
    SW_UNROLL
    for (int k = 0; k < 6; k++)
        six[k] = 0.5F * (t[sw_six_row(k)][sw_six_column(k)] + t[sw_six_column(k)][sw_six_row(k)]);
    sw_deviator_vector_of(six, v);
}

/* r^T t r of a symmetric t, whose trace is left out. */
SW_HD static inline void sw_deviator_in_frame(const sw_real r[3][3], const sw_real t[6], sw_real v[5])
{
    sw_real a[3][3], turned[6]; /* t r; r^T t r */
    SW_UNROLL
    for (int j = 0; j < 3; j++) {
        a[0][j] = t[0] * r[0][j] + t[5] * r[1][j] + t[4] * r[2][j];
        a[1][j] = t[5] * r[0][j] + t[1] * r[1][j] + t[3] * r[2][j];
        a[2][j] = t[4] * r[0][j] + t[3] * r[1][j] + t[2] * r[2][j];
    }
    SW_UNROLL
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        turned[k] = r[0][i] * a[0][j] + r[1][i] * a[1][j] + r[2][i] * a[2][j];
    }
    sw_deviator_vector_of(turned, v);
}

/* r t r^T of a vector of five. */
SW_HD static inline void sw_deviator_from_frame(const sw_real r[3][3], const sw_real v[5], sw_real turned[5])
{
    sw_real t[6], back[3][3];
    SW_UNROLL
    for (int k = 0; k < 9; k++)
        back[k / 3][k % 3] = r[k % 3][k / 3];
    sw_deviator_tensor(v, t);
    sw_deviator_in_frame((const sw_real(*)[3])back, t, turned);
}

/* out += T [w] - [w] T, with [w] the skew tensor of the axial vector w: what T changes by when its frame turns. */
SW_HD static inline void sw_deviator_add_spun(const sw_real v[5], const sw_real w[3], sw_real out[5])
{
    SW_DEVIATOR_ROOTS;
    sw_real t[6];
    sw_deviator_tensor(v, t);
    sw_real c11 = 2.0F * (t[5] * w[2] - t[4] * w[1]), c22 = 2.0F * (t[3] * w[0] - t[5] * w[2]),
            c33 = 2.0F * (t[4] * w[1] - t[3] * w[0]);
    out[0] += r2 * (c11 - c22);
    out[1] += r6 * (2.0F * c33 - c11 - c22);
    out[2] += 2.0F * r2 * (w[0] * (t[2] - t[1]) + w[1] * t[5] - w[2] * t[4]);
    out[3] += 2.0F * r2 * (w[1] * (t[0] - t[2]) - w[0] * t[5] + w[2] * t[3]);
    out[4] += 2.0F * r2 * (w[2] * (t[1] - t[0]) + w[0] * t[4] - w[1] * t[3]);
}

#endif
