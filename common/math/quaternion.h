/* Unit quaternions (w, x, y, z) of the rotations of rotation.h, crystal -> sample. */
#ifndef SW_COMMON_MATH_QUATERNION_H
#define SW_COMMON_MATH_QUATERNION_H

#include "rotation.h"
#include "turns.h"

/* Sine and cosine of half an angle, rad; in single precision of at most a few turns, to 4e-7. */
SW_HD static inline void sw_sincos_half(sw_real angle, sw_real *sine, sw_real *cosine)
{
#ifdef SW_SINGLE
    sw_real turns = angle * 0.07957747154F; /* 1 / 4 pi */
    sw_sincos_turns(turns - sw_nearest_whole(turns), sine, cosine);
#else
    *sine = sin(0.5 * angle);
    *cosine = cos(0.5 * angle);
#endif
}

/* Of Bunge angles, rad. */
SW_HD static inline void sw_quaternion_from_euler(const sw_real euler[3], sw_real q[4])
{
    sw_real c, s, cos_sum, sin_sum, cos_difference, sin_difference;
    sw_sincos_half(euler[1], &s, &c);
    sw_sincos_half(euler[0] + euler[2], &sin_sum, &cos_sum);
    sw_sincos_half(euler[0] - euler[2], &sin_difference, &cos_difference);
    q[0] = c * cos_sum;
    q[1] = s * cos_difference;
    q[2] = s * sin_difference;
    q[3] = c * sin_sum;
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

SW_HD static inline void sw_quaternion_product(const sw_real p[4], const sw_real q[4], sw_real out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

/* The rotation of a quaternion of about unit length: r [3][3], its columns the axes' images. */
SW_HD static inline void sw_rotation_from_quaternion(const sw_real q[4], sw_real r[3][3])
{
    sw_real two = sw_divide(sw_broadcast(2.0), q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    sw_real w = q[0] * two, x = q[1] * two, y = q[2] * two, z = q[3] * two;
    r[0][0] = 1.0F - (y * q[2] + z * q[3]);
    r[0][1] = x * q[2] - w * q[3];
    r[0][2] = x * q[3] + w * q[2];
    r[1][0] = x * q[2] + w * q[3];
    r[1][1] = 1.0F - (x * q[1] + z * q[3]);
    r[1][2] = y * q[3] - w * q[1];
    r[2][0] = x * q[3] - w * q[2];
    r[2][1] = y * q[3] + w * q[1];
    r[2][2] = 1.0F - (x * q[1] + y * q[2]);
}

/* Quaternion, of about unit length -> Bunge angles in turns, phi1 and phi2 in [-1, 1], Phi in [0, 1/2]. Where
 * Phi is 0 or pi to round-off, phi2 is 0. */
SW_HD static inline void sw_quaternion_angles(const sw_real q[4], sw_real angle[3])
{
    const float nothing = 1e-12F;
    sw_real half_sum = sw_atan2_turns(q[3], q[0]), half_difference = sw_atan2_turns(q[2], q[1]);
    sw_real sine2 = q[1] * q[1] + q[2] * q[2], cosine2 = q[0] * q[0] + q[3] * q[3];
    half_difference = sw_choose(SW_LESS(sine2, sw_broadcast(nothing)), half_sum, half_difference);
    half_sum = sw_choose(SW_LESS(cosine2, sw_broadcast(nothing)), half_difference, half_sum);
    angle[0] = half_sum + half_difference;
    angle[1] = 2.0F * sw_atan2_turns(sw_sqrt(sine2), sw_sqrt(cosine2));
    angle[2] = half_sum - half_difference;
}

/* Quaternion, of about unit length -> Bunge angles, rad, in [0, 2 pi]. */
SW_HD static inline void sw_quaternion_to_euler(const sw_real q[4], sw_real euler[3])
{
    const float turn_in_radians = 6.2831853F;
    sw_real angle[3];
    sw_quaternion_angles(q, angle);
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        sw_real turns = i == 1 ? angle[1] : sw_fraction(angle[i]);
        euler[i] = sw_choose(SW_LESS(turns, sw_broadcast(1.0)), turns, sw_broadcast(0.0)) * turn_in_radians;
    }
}

/* The rotation about an axial vector whose square is at most SW_TURN_SMALL, to 3e-9. */
#define SW_TURN_SMALL 0.01F
SW_HD static inline void sw_quaternion_from_small(const sw_real turn[3], sw_real square, sw_real rotation[4])
{
    sw_real scale = 0.5F - square * (1.0F / 48);
    rotation[0] = 1.0F - square * (1.0F / 8 - square * (1.0F / 384));
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        rotation[i + 1] = turn[i] * scale;
}

/* The rotation about an axial vector by its size, rad: a quaternion of unit length to round-off. */
SW_HD static inline void sw_quaternion_from_turn(const sw_real turn[3], sw_real rotation[4])
{
    sw_real square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    /* cos(size/2) and sin(size/2) / size; of small angles by their series, to 2e-12 */
    sw_real cosine = 1.0F - square * (1.0F / 8 - square * (1.0F / 384 - square * (1.0F / 46080)));
    sw_real scale = 0.5F - square * (1.0F / 48 - square * (1.0F / 3840));
    sw_mask large = SW_LESS(sw_broadcast(0.01), square);
    if (sw_any(large)) { /* steps' turns seldom are */
        sw_real size = sw_sqrt(square), sine, of_large;
        sw_sincos_half(size, &sine, &of_large);
        scale = sw_choose(large, sw_divide(sine, sw_max(size, sw_broadcast(1e-10))), scale);
        cosine = sw_choose(large, of_large, cosine);
    }
    rotation[0] = cosine;
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        rotation[i + 1] = turn[i] * scale;
}

/* By `angle` (rad) about a unit vector. */
static inline void sw_quaternion_about(const double axis[3], double angle, double q[4])
{
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++)
        q[1 + i] = sin(0.5 * angle) * axis[i];
}

#endif
