/* Rotations, and every convention about them, once. See docs/conventions.md.
 *
 * - A rotation is a 3 x 3 matrix g that carries crystal components to sample components:
 *   v_sample = g v_crystal. (Many texture codes print the transpose, sample -> crystal.)
 * - Bunge-Euler angles (phi1, Phi, phi2), rad: g = Z(phi1) X(Phi) Z(phi2), with Z and X the active
 *   rotations about axes 3 and 1.
 * - Angles are reported with phi1, phi2 in [0, 2 pi) and Phi in [0, pi]; at Phi = 0 or pi, where
 *   only phi1 + phi2 or phi1 - phi2 is defined, phi2 is 0. */
#ifndef SW_COMMON_MATH_ROTATION_H
#define SW_COMMON_MATH_ROTATION_H

#include "common/system/device.h"

#include <math.h>

#define SW_PI 3.14159265358979323846

/* euler [3] -> g [3][3] */
SW_HD static inline void sw_rotation_from_euler(const double euler[3], double g[3][3])
{
    const double c1 = cos(euler[0]), s1 = sin(euler[0]);
    const double c = cos(euler[1]), s = sin(euler[1]);
    const double c2 = cos(euler[2]), s2 = sin(euler[2]);
    g[0][0] = c1 * c2 - s1 * s2 * c;
    g[0][1] = -c1 * s2 - s1 * c2 * c;
    g[0][2] = s1 * s;
    g[1][0] = s1 * c2 + c1 * s2 * c;
    g[1][1] = -s1 * s2 + c1 * c2 * c;
    g[1][2] = -c1 * s;
    g[2][0] = s2 * s;
    g[2][1] = c2 * s;
    g[2][2] = c;
}

/* An angle's representative in [0, 2 pi). */
SW_HD static inline double sw_wrap_angle(double angle)
{
    double wrapped = angle - 2 * SW_PI * floor(angle / (2 * SW_PI));
    return wrapped < 2 * SW_PI ? wrapped : 0;
}

/* g [3][3] -> euler [3], in the ranges above. Phi by atan2, so that it is exact to round-off near
 * 0 and pi, where acos(g33) loses half the digits. */
SW_HD static inline void sw_euler_from_rotation(double g[3][3], double euler[3])
{
    const double s = sqrt(g[2][0] * g[2][0] + g[2][1] * g[2][1]);
    euler[1] = atan2(s, g[2][2]);
    if (s > 1e-10) {
        euler[0] = sw_wrap_angle(atan2(g[0][2], -g[1][2]));
        euler[2] = sw_wrap_angle(atan2(g[2][0], g[2][1]));
    } else {
        euler[0] = sw_wrap_angle(atan2(g[1][0], g[0][0]));
        euler[2] = 0;
    }
}

/* g [3][3] -> unit quaternion [4] (w, x, y, z), w >= 0; Shepperd's choice of the largest pivot. */
SW_HD static inline void sw_quaternion_from_rotation(double g[3][3], double q[4])
{
    const double t[4] = {g[0][0] + g[1][1] + g[2][2], g[0][0], g[1][1], g[2][2]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (t[i] > t[k])
            k = i;
    if (k == 0) {
        q[0] = 1 + t[0];
        q[1] = g[2][1] - g[1][2];
        q[2] = g[0][2] - g[2][0];
        q[3] = g[1][0] - g[0][1];
    } else {
        const int a = k - 1, b = (a + 1) % 3, c = (a + 2) % 3;
        q[0] = g[c][b] - g[b][c];
        q[1 + a] = 1 + g[a][a] - g[b][b] - g[c][c];
        q[1 + b] = g[b][a] + g[a][b];
        q[1 + c] = g[c][a] + g[a][c];
    }
    double scale = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (q[0] < 0)
        scale = -scale;
    for (int i = 0; i < 4; i++)
        q[i] *= scale;
}

/* out = exp of the skew tensor with components w12, w13, w23 (times time): Rodrigues' formula, so
 * exactly a rotation to round-off. */
SW_HD static inline void sw_rotation_from_spin(const double w[3], double out[3][3])
{
    const double a[3] = {-w[2], w[1], -w[0]}; /* axial vector: W v = a x v */
    const double angle2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], angle = sqrt(angle2);
    const double s = angle > 1e-4 ? sin(angle) / angle : 1 - angle2 / 6;
    const double half = angle > 1e-4 ? sin(0.5 * angle) / (0.5 * angle) : 1 - angle2 / 24;
    const double c = 0.5 * half * half; /* (1 - cos) / angle^2 without cancellation */
    const double skew[3][3] = {{0, w[0], w[1]}, {-w[0], 0, w[2]}, {-w[1], -w[2], 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = s * skew[i][j] + c * a[i] * a[j] + (i == j ? 1 - c * angle2 : 0);
}

#endif
