/* Principal values and directions of a symmetric tensor. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_PRINCIPAL_H
#define SW_ONLINE_FORMING_FUNCTIONS_PRINCIPAL_H

#include <math.h>

/* Turn axes p and q of a, and of the directions, so that a_pq is 0. */
static inline void sw_jacobi_rotation(double a[3][3], double direction[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    const double half = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = copysign(1 / (fabs(half) + sqrt(half * half + 1)), half);
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    const int r = 3 - p - q;
    const double pq = a[p][q], pr = a[p][r], qr = a[q][r];
    a[p][p] -= t * pq;
    a[q][q] += t * pq;
    a[p][q] = a[q][p] = 0;
    a[p][r] = a[r][p] = c * pr - s * qr;
    a[q][r] = a[r][q] = s * pr + c * qr;
    for (int i = 0; i < 3; i++) {
        const double u = direction[i][p], v = direction[i][q];
        direction[i][p] = c * u - s * v;
        direction[i][q] = s * u + c * v;
    }
}

/* Jacobi's method (Golub and Van Loan 2013, 8.5) of s, 11 22 33 23 13 12: a = sum_k value_k n_k n_k^T with n_k in column
 * k. Six sweeps are more than any 3 x 3 tensor has needed: the off-diagonal part falls by its square in each. */
static inline void sw_principal(const double s[6], double value[3], double direction[3][3])
{
    double a[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            direction[i][j] = i == j;
    for (int sweep = 0; sweep < 6; sweep++)
        for (int pair = 0; pair < 3; pair++)
            sw_jacobi_rotation(a, direction, pair == 2, pair == 0 ? 1 : 2);
    for (int k = 0; k < 3; k++)
        value[k] = a[k][k];
}

#endif
