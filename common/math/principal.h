/* Principal axes of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan 2013, 8.5). */
#ifndef SW_COMMON_MATH_PRINCIPAL_H
#define SW_COMMON_MATH_PRINCIPAL_H

#include "common/system/device.h"

#include <math.h>

/* One of Jacobi's rotations: a_pq becomes zero; r is the third axis. */
SW_HD static inline void sw_rotate_axes(int p, int q, double a[3][3], double axis[3][3])
{
    const int r = 3 - p - q;
    if (a[p][q] == 0)
        return;
    const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c, arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        const double ip = axis[p][i], iq = axis[q][i];
        axis[p][i] = c * ip - s * iq;
        axis[q][i] = s * ip + c * iq;
    }
}

/* Principal values and axes [value][component] of a symmetric matrix, which becomes diagonal. Cyclic Jacobi:
 * its off-diagonal part is squared a sweep, equal values or not; six sweeps are more than it has taken. */
SW_HD static inline void sw_principal_axes(double a[3][3], double value[3], double axis[3][3])
{
    for (int i = 0; i < 9; i++)
        axis[i / 3][i % 3] = i % 4 == 0;
    for (int sweep = 0; sweep < 12; sweep++) {
        const double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        if (off <= 1e-20 * (fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2])))
            break;
        sw_rotate_axes(0, 1, a, axis);
        sw_rotate_axes(0, 2, a, axis);
        sw_rotate_axes(1, 2, a, axis);
    }
    for (int i = 0; i < 3; i++)
        value[i] = a[i][i];
}

#endif
