/* The strain rate D as the database sees it: D = rate Q diag(lambda(theta)) Q^T.
 * Malahe 2018, Eqs. 26-29. */
#ifndef SW_COMMON_MATH_STRAIN_RATE_H
#define SW_COMMON_MATH_STRAIN_RATE_H

#include "rotation.h"

/* Principal values of the unit-norm, trace-free D/rate, Eq. 29. */
SW_HD static inline void sw_principal_values(double theta, double lambda[3])
{
    const double scale = sqrt(2.0 / 3.0);
    lambda[0] = scale * cos(theta - SW_PI / 3);
    lambda[1] = scale * cos(theta + SW_PI / 3);
    lambda[2] = -scale * cos(theta);
}

typedef struct {
    double rate;    /* ||D||_F, 1/s */
    double theta;   /* [0, 2 pi) */
    double q[3][3]; /* principal frame -> sample; a rotation; the identity when D is diagonal */
} sw_strain_rate;

/* D:D of a velocity gradient l [3][3], whose symmetric part is D. */
SW_HD static inline double sw_symmetric_square(const double l[3][3])
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square += 0.25 * (l[i][j] + l[j][i]) * (l[i][j] + l[j][i]);
    return square;
}

/* D' of a velocity gradient l [3][3]: the deviator of its symmetric part. Returns ||D'||. What rounding leaves of an
 * even rate, less than 1e-15 of it, is none: it has no direction. */
SW_HD static inline double sw_strain_rate_deviator(const double l[3][3], double d[3][3])
{
    const double mean = (l[0][0] + l[1][1] + l[2][2]) / 3;
    double square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            d[i][j] = 0.5 * (l[i][j] + l[j][i]) - (i == j ? mean : 0);
            square += d[i][j] * d[i][j];
        }
    if (square < 1e-30 * mean * mean)
        for (int i = 0; i < 9; i++)
            d[i / 3][i % 3] = square = 0;
    return sqrt(square);
}

/* Decompose the symmetric part of a velocity gradient l [3][3], by Jacobi's rotations. The trace of D, if
 * any, is left out. rate = 0 for D = 0. */
SW_HD static inline sw_strain_rate sw_strain_rate_of(const double l[3][3])
{
    sw_strain_rate out = {.rate = 0, .theta = 0, .q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double d[3][3];
    out.rate = sw_strain_rate_deviator(l, d);
    if (!(out.rate > 0))
        return out;
    for (int sweep = 0; sweep < 12; sweep++)
        for (int p = 0; p < 2; p++)
            for (int r = p + 1; r < 3; r++) {
                if (!(fabs(d[p][r]) > 1e-17 * out.rate))
                    continue;
                const double tau = (d[r][r] - d[p][p]) / (2 * d[p][r]);
                const double t = (tau < 0 ? -1 : 1) / (fabs(tau) + sqrt(1 + tau * tau));
                const double c = 1 / sqrt(1 + t * t), s = t * c;
                for (int k = 0; k < 3; k++) { /* columns, of d and of q */
                    const double dp = d[k][p], dr = d[k][r], qp = out.q[k][p], qr = out.q[k][r];
                    d[k][p] = c * dp - s * dr;
                    d[k][r] = s * dp + c * dr;
                    out.q[k][p] = c * qp - s * qr;
                    out.q[k][r] = s * qp + c * qr;
                }
                for (int k = 0; k < 3; k++) { /* rows of d */
                    const double dp = d[p][k], dr = d[r][k];
                    d[p][k] = c * dp - s * dr;
                    d[r][k] = s * dp + c * dr;
                }
            }
    /* lambda1 - lambda2 = sqrt(2) sin(theta), lambda3 = -sqrt(2/3) cos(theta) */
    out.theta = sw_wrap_angle(atan2((d[0][0] - d[1][1]) / sqrt(2.0), -d[2][2] * sqrt(1.5)));
    return out;
}

#endif
