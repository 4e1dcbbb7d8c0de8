/* Vectors of space. */
#ifndef SW_COMMON_MATH_VECTOR_H
#define SW_COMMON_MATH_VECTOR_H

#include <math.h>

static inline double sw_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void sw_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double sw_distance(const double a[3], const double b[3])
{
    const double c[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(sw_dot(c, c));
}

static inline int sw_is_same(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* To length 1, unless it has none: the length it had. */
static inline double sw_to_unit(double a[3])
{
    const double length = sqrt(sw_dot(a, a));
    for (int i = 0; i < 3 && length > 0; i++)
        a[i] /= length;
    return length;
}

#endif
