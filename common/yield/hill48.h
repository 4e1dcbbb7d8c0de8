/* Hill 1948, Proc. R. Soc. A 193, 281, on a reference stress:
 *
 *     phi^2 = F (s22 - s33)^2 + G (s33 - s11)^2 + H (s11 - s22)^2 + 2 L s23^2 + 2 M s13^2 + 2 N s12^2
 *
 * Coefficients F G H L M N; von Mises: 1/2 1/2 1/2 3/2 3/2 3/2. */
#ifndef SW_COMMON_YIELD_HILL48_H
#define SW_COMMON_YIELD_HILL48_H

#include <math.h>
#include <stddef.h>

enum { SW_HILL48_COEFFICIENTS = 6 };

static const char *const sw_hill48_names[SW_HILL48_COEFFICIENTS] = {"F", "G", "H", "L", "M", "N"};
static const double sw_hill48_isotropic[SW_HILL48_COEFFICIENTS] = {0.5, 0.5, 0.5, 1.5, 1.5, 1.5};

/* phi of stress s (Pa, 11 22 33 23 13 12) and its gradient, D_ij = d phi / d s_ij; or NULL. 0 where coefficients make
 * the square negative. */
static inline double sw_hill48(const double *c, double exponent, const double s[6], double gradient[6])
{
    (void)exponent;
    const double f = c[0] * (s[1] - s[2]), g = c[1] * (s[2] - s[0]), h = c[2] * (s[0] - s[1]);
    const double square = f * (s[1] - s[2]) + g * (s[2] - s[0]) + h * (s[0] - s[1]) +
                          2 * (c[3] * s[3] * s[3] + c[4] * s[4] * s[4] + c[5] * s[5] * s[5]);
    const double phi = sqrt(fmax(square, 0));
    const double by[6] = {h - g, f - h, g - f, c[3] * s[3], c[4] * s[4], c[5] * s[5]};
    for (int i = 0; gradient != NULL && i < 6; i++)
        gradient[i] = phi > 0 ? by[i] / phi : 0;
    return phi;
}

/* Convex where the square is never negative: of deviators a quadratic form in two variables, and three squares. */
static inline int sw_hill48_is_convex(const double *c)
{
    const double f = c[0], g = c[1], h = c[2];
    return f + g >= 0 && g + h >= 0 && h + f >= 0 && f * g + g * h + h * f >= 0 && c[3] >= 0 && c[4] >= 0 &&
           c[5] >= 0;
}

#endif
