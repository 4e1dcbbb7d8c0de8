/* Yld2000-2d: Barlat et al. 2003, Int. J. Plasticity 19, 1297, plane stress.
 *
 *     2 phi^a = |X'1 - X'2|^a + |2 X''2 + X''1|^a + |2 X''1 + X''2|^a
 *
 * with the principal values of X' = L' s and X'' = L'' s. Coefficients alpha1 .. alpha8; isotropic (Hosford): all 1, von
 * Mises with a = 2 or 4. Convex for a >= 1 whatever the coefficients: a norm of what is linear in the stress. */
#ifndef SW_COMMON_YIELD_YLD2000_2D_H
#define SW_COMMON_YIELD_YLD2000_2D_H

#include "power_mean.h"

#include <stddef.h>

enum { SW_YLD2000_COEFFICIENTS = 8 };

static const char *const sw_yld2000_names[SW_YLD2000_COEFFICIENTS] = {"alpha1", "alpha2", "alpha3", "alpha4",
                                                                      "alpha5", "alpha6", "alpha7", "alpha8"};
static const double sw_yld2000_isotropic[SW_YLD2000_COEFFICIENTS] = {1, 1, 1, 1, 1, 1, 1, 1};

/* A transformed stress X: (X11 + X22) / 2 and half the difference of its principal values, with their derivatives by
 * the stresses 11, 22 and 12 (and 21: half of what the stored component changes). */
typedef struct {
    double mean, radius, by_mean[3], by_radius[3];
} sw_yld2000_circle;

/* l: L11 L12 L21 L22 L66. */
static inline sw_yld2000_circle sw_yld2000_transform(const double l[5], double s11, double s22, double s12)
{
    const double x = l[0] * s11 + l[1] * s22, y = l[2] * s11 + l[3] * s22, half = (x - y) / 2,
                 shear = l[4] * s12;
    const double radius = hypot(half, shear), c = radius > 0 ? half / radius : 0,
                 s = radius > 0 ? shear / radius : 0;
    return (sw_yld2000_circle){(x + y) / 2,
                               radius,
                               {(l[0] + l[2]) / 2, (l[1] + l[3]) / 2, 0},
                               {c * (l[0] - l[2]) / 2, c * (l[1] - l[3]) / 2, s * l[4] / 2}};
}

/* phi of stress s (Pa, 11 22 33 23 13 12), of which 33 is taken from all normal components, and 23 and 13 are to be
 * zero; its gradient D_ij = d phi / d s_ij, without volume and with 23 and 13 zero, or NULL. */
static inline double sw_yld2000_2d(const double *alpha, double a, const double s[6], double gradient[6])
{
    const double b3 = alpha[2], b4 = alpha[3], b5 = alpha[4], b6 = alpha[5];
    const double first[5] = {2 * alpha[0] / 3, -alpha[0] / 3, -alpha[1] / 3, 2 * alpha[1] / 3, alpha[6]};
    const double second[5] = {(-2 * b3 + 2 * b4 + 8 * b5 - 2 * b6) / 9, (b3 - 4 * b4 - 4 * b5 + 4 * b6) / 9,
                              (4 * b3 - 4 * b4 - 4 * b5 + b6) / 9, (-2 * b3 + 8 * b4 + 2 * b5 - 2 * b6) / 9,
                              alpha[7]};
    const sw_yld2000_circle u = sw_yld2000_transform(first, s[0] - s[2], s[1] - s[2], s[5]);
    const sw_yld2000_circle v = sw_yld2000_transform(second, s[0] - s[2], s[1] - s[2], s[5]);
    const double x[3] = {2 * u.radius, 3 * v.mean - v.radius, 3 * v.mean + v.radius};
    double by[3], d[3];
    const double phi = sw_power_mean(3, x, a, 2, by);
    if (gradient == NULL)
        return phi;
    for (int i = 0; i < 3; i++)
        d[i] = 2 * by[0] * u.by_radius[i] + 3 * (by[1] + by[2]) * v.by_mean[i] +
               (by[2] - by[1]) * v.by_radius[i];
    const double all[6] = {d[0], d[1], -d[0] - d[1], 0, 0, d[2]};
    for (int i = 0; i < 6; i++)
        gradient[i] = all[i];
    return phi;
}

#endif
