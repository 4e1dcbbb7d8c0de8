/* The logarithm of a 3 x 3 matrix, and how it changes with the matrix: a step's velocity gradient from its deformation.
 * Higham 2008, sections 11.3 and 10.2 (the exponential's derivative, whose inverse is here). On sw_real, one at a
 * time. */
#ifndef SW_COMMON_MATH_LOGARITHM_H
#define SW_COMMON_MATH_LOGARITHM_H

#include "tensor.h"

enum { SW_LOGARITHM_TERMS = 120 };
#define SW_LOGARITHM_LEAST 1e-17 /* terms below this times the first end the series */

/* l = log A = 2 artanh(x) of x = (A - I)(A + I)^-1. Converges while no turn is of more than 1.4 rad and no stretch
 * of more than 10; returns whether it did. l must not be x. */
SW_HD static inline int sw_logarithm_series(sw_real x[3][3], sw_real l[3][3])
{
    sw_real square[3][3], power[3][3], next[3][3];
    sw_multiply(x, x, square);
    for (int i = 0; i < 9; i++) {
        power[i / 3][i % 3] = x[i / 3][i % 3];
        l[i / 3][i % 3] = 2 * x[i / 3][i % 3];
    }
    const sw_real size = sw_norm(x);
    for (int n = 3; n < 2 * SW_LOGARITHM_TERMS; n += 2) {
        const sw_real before = sw_norm(power);
        if (!(before > SW_LOGARITHM_LEAST * size))
            return size < 1e30; /* and a number */
        sw_multiply(power, square, next);
        for (int i = 0; i < 9; i++) {
            power[i / 3][i % 3] = next[i / 3][i % 3];
            l[i / 3][i % 3] += 2.0 / n * next[i / 3][i % 3];
        }
    }
    return 0;
}

/* l = log(I + a), in which nothing is lost of a small `a`; as above. */
SW_HD static inline int sw_logarithm(sw_real a[3][3], sw_real l[3][3])
{
    sw_real sum[3][3], inverse[3][3], x[3][3];
    for (int i = 0; i < 9; i++)
        sum[i / 3][i % 3] = a[i / 3][i % 3] + (i % 4 == 0 ? 2.0 : 0.0);
    sw_invert(sum, inverse);
    sw_multiply(a, inverse, x);
    return sw_logarithm_series(x, l);
}

/* a b - b a; out must be neither. */
SW_HD static inline void sw_commutator(sw_real a[3][3], sw_real b[3][3], sw_real out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] - b[i][0] * a[0][j] -
                        b[i][1] * a[1][j] - b[i][2] * a[2][j];
}

/* A number's gradient by log A, `by`, -> its gradient by g where A changes by g A (the velocity gradient of what moves
 * on from A): in place. d log A = sum of B_k / k! ad^k g over Bernoulli's numbers, ad g = l g - g l, l = log A;
 * gradients take the transposes. Leaves out less than 1e-10 while |l| < 0.5, 1e-5 at 1.5. */
SW_HD static inline void sw_logarithm_gradient(sw_real l[3][3], sw_real by[3][3])
{
    const double bernoulli[6] = {1.0 / 12,       -1.0 / 720,     1.0 / 30240,
                                 -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000.0};
    sw_real back[3][3], odd[3][3], even[3][3], size = sw_norm(l);
    for (int i = 0; i < 9; i++) {
        back[i / 3][i % 3] = l[i % 3][i / 3];
        even[i / 3][i % 3] = by[i / 3][i % 3];
    }
    for (int k = 0; k < 6; k++) {
        sw_commutator(back, even, odd);
        for (int i = 0; i < 9 && k == 0; i++)
            by[i / 3][i % 3] -= 0.5 * odd[i / 3][i % 3];
        sw_commutator(back, odd, even);
        for (int i = 0; i < 9; i++)
            by[i / 3][i % 3] += bernoulli[k] * even[i / 3][i % 3];
        if (size < 1e-3 && k > 0)
            break;
    }
}

#endif
