/* Unit quaternions (w, x, y, z) of the rotations of rotation.h, crystal -> sample. */
#ifndef SW_COMMON_MATH_QUATERNION_H
#define SW_COMMON_MATH_QUATERNION_H

#include "rotation.h"

static inline void sw_quaternion_from_euler(const double euler[3], double q[4])
{
    const double sum = 0.5 * (euler[0] + euler[2]), difference = 0.5 * (euler[0] - euler[2]);
    const double c = cos(0.5 * euler[1]), s = sin(0.5 * euler[1]);
    q[0] = c * cos(sum);
    q[1] = s * cos(difference);
    q[2] = s * sin(difference);
    q[3] = c * sin(sum);
}

/* Of any length but 0. Angles in the ranges of rotation.h, and phi2 = 0 where only one of phi1 + phi2 and
 * phi1 - phi2 is defined. */
static inline void sw_euler_from_quaternion(const double q[4], double euler[3])
{
    const double s = hypot(q[1], q[2]), c = hypot(q[0], q[3]);
    const double half_sum = atan2(q[3], q[0]), half_difference = atan2(q[2], q[1]);
    euler[1] = 2 * atan2(s, c);
    if (s > 1e-10 * c && c > 1e-10 * s) {
        euler[0] = sw_wrap_angle(half_sum + half_difference);
        euler[2] = sw_wrap_angle(half_sum - half_difference);
    } else {
        euler[0] = sw_wrap_angle(2 * (c > s ? half_sum : half_difference));
        euler[2] = 0;
    }
}

static inline void sw_quaternion_product(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

/* By `angle` (rad) about a unit vector. */
static inline void sw_quaternion_about(const double axis[3], double angle, double q[4])
{
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++)
        q[1 + i] = sin(0.5 * angle) * axis[i];
}

#endif
