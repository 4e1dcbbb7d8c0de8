/* Unit quaternions (w, x, y, z) of the rotations of rotation.h, crystal -> sample, and what cubic crystals make of
 * them: q and q c are the same orientation for each of the 24 cubic rotations c. */
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

/* Of the 24 equivalents q c the one nearest to `reference`, in its half space; returns the cosine of half the angle
 * between them: 1 to 0.86 or so. The rotations: identity and half turns about axes; quarter turns about axes and half
 * turns about <110>, times sqrt(1/2); third turns about <111>, times 1/2. */
static inline double sw_cubic_nearest(const double reference[4], const double q[4], double nearest[4])
{
    static const signed char cubic[24][4] = {
        {1, 0, 0, 0},  {0, 1, 0, 0},   {0, 0, 1, 0},  {0, 0, 0, 1},   {1, 1, 0, 0},   {1, -1, 0, 0},
        {1, 0, 1, 0},  {1, 0, -1, 0},  {1, 0, 0, 1},  {1, 0, 0, -1},  {0, 1, 1, 0},   {0, 1, -1, 0},
        {0, 1, 0, 1},  {0, 1, 0, -1},  {0, 0, 1, 1},  {0, 0, 1, -1},  {1, 1, 1, 1},   {1, 1, 1, -1},
        {1, 1, -1, 1}, {1, 1, -1, -1}, {1, -1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, -1, -1, -1}};
    const double back[4] = {reference[0], -reference[1], -reference[2], -reference[3]};
    double between[4], most = -1, unit = 1;
    int best = 0;
    sw_quaternion_product(back, q, between);
    for (int i = 0; i < 24; i++) {
        const double scale = i < 4 ? 1 : i < 16 ? sqrt(0.5) : 0.5;
        const double cosine = scale * (between[0] * cubic[i][0] - between[1] * cubic[i][1] -
                                       between[2] * cubic[i][2] - between[3] * cubic[i][3]);
        if (fabs(cosine) > most) {
            most = fabs(cosine);
            unit = cosine < 0 ? -scale : scale;
            best = i;
        }
    }
    const double c[4] = {unit * cubic[best][0], unit * cubic[best][1], unit * cubic[best][2],
                         unit * cubic[best][3]};
    sw_quaternion_product(q, c, nearest);
    return most;
}

#endif
