/* Yld2004-18p: Barlat et al. 2005, Int. J. Plasticity 21, 1009.
 *
 *     4 phi^a = sum_ij |S'i - S''j|^a
 *
 * with the principal values of S' = C' s and S'' = C'' s, s the deviator. Coefficients c'12 c'13 c'21 c'23 c'31 c'32 c'44
 * c'55 c'66, then those of C''; shears in the paper's order 23 31 12. Isotropic (Hosford): all 1, von Mises with a = 2 or
 * 4. Convex for a >= 1 whatever the coefficients. */
#ifndef SW_COMMON_YIELD_YLD2004_18P_H
#define SW_COMMON_YIELD_YLD2004_18P_H

#include "common/math/principal.h"
#include "common/math/tensor.h"
#include "power_mean.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { SW_YLD2004_COEFFICIENTS = 18 };

static const char *const sw_yld2004_names[SW_YLD2004_COEFFICIENTS] = {
    "c'12",  "c'13",  "c'21",  "c'23",  "c'31",  "c'32",  "c'44",  "c'55",  "c'66",
    "c''12", "c''13", "c''21", "c''23", "c''31", "c''32", "c''44", "c''55", "c''66"};
static const double sw_yld2004_isotropic[SW_YLD2004_COEFFICIENTS] = {1, 1, 1, 1, 1, 1, 1, 1, 1,
                                                                     1, 1, 1, 1, 1, 1, 1, 1, 1};

/* C s of a deviator, and the transpose of C times g, which brings a gradient back. c [9]. */
static inline void sw_yld2004_transform(const double *c, const double s[6], double out[6])
{
    out[0] = -c[0] * s[1] - c[1] * s[2];
    out[1] = -c[2] * s[0] - c[3] * s[2];
    out[2] = -c[4] * s[0] - c[5] * s[1];
    for (int i = 3; i < 6; i++)
        out[i] = c[3 + i] * s[i];
}

static inline void sw_yld2004_add_back(const double *c, const double g[6], double out[6])
{
    out[0] -= c[2] * g[1] + c[4] * g[2];
    out[1] -= c[0] * g[0] + c[5] * g[2];
    out[2] -= c[1] * g[0] + c[3] * g[1];
    for (int i = 3; i < 6; i++)
        out[i] += c[3 + i] * g[i];
}

/* sum_k by_k n_k n_k^T, n_k in row k; 11 22 33 23 13 12. */
static inline void sw_yld2004_compose(const double by[3], const double n[3][3], double out[6])
{
    for (int i = 0; i < 6; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++)
            out[i] += by[k] * n[k][sw_six_row(i)] * n[k][sw_six_column(i)];
    }
}

/* phi of stress s (Pa, 11 22 33 23 13 12) and its gradient D_ij = d phi / d s_ij, without volume; or NULL. */
static inline double sw_yld2004_18p(const double *c, double a, const double s[6], double gradient[6])
{
    const double pressure = (s[0] + s[1] + s[2]) / 3;
    const double deviator[6] = {s[0] - pressure, s[1] - pressure, s[2] - pressure, s[3], s[4], s[5]};
    double x[2][6], tensor[3][3], value[2][3], direction[2][3][3], pair[9], by_pair[9], by[2][3] = {{0}},
                                                                                        part[6], sum[6] = {0};
    for (int h = 0; h < 2; h++) {
        sw_yld2004_transform(c + 9 * h, deviator, x[h]);
        sw_tensor_of_six(x[h], tensor);
        sw_principal_axes(tensor, value[h], direction[h]);
    }
    for (int i = 0; i < 9; i++)
        pair[i] = value[0][i / 3] - value[1][i % 3];
    const double phi = sw_power_mean(9, pair, a, 4, by_pair);
    if (gradient == NULL)
        return phi;
    for (int i = 0; i < 9; i++) {
        by[0][i / 3] += by_pair[i];
        by[1][i % 3] -= by_pair[i];
    }
    for (int h = 0; h < 2; h++) {
        sw_yld2004_compose(by[h], (const double(*)[3])direction[h], part);
        sw_yld2004_add_back(c + 9 * h, part, sum);
    }
    const double volume = (sum[0] + sum[1] + sum[2]) / 3;
    for (int i = 0; i < 6; i++)
        gradient[i] = sum[i] - (i < 3 ? volume : 0);
    return phi;
}

/* Second derivatives of phi by the stored components of s, of whom 23 13 12 stand for two. Of principal values it is
 *
 *     (a - 1) (delta phi,i / p_i - phi,i phi,j / phi)      p_i their nine differences
 *
 * and of the turn of their axes 2 (f_k - f_l) / (x_k - x_l) along n_k n_l, f being phi by the principal value. Of a >= 2;
 * s is not zero. */
static inline void sw_yld2004_18p_curvature(const double *c, double a, const double s[6], double h[6][6])
{
    const double pressure = (s[0] + s[1] + s[2]) / 3;
    const double deviator[6] = {s[0] - pressure, s[1] - pressure, s[2] - pressure, s[3], s[4], s[5]};
    double x[6], tensor[3][3], value[6], axis[2][3][3], pair[9], by_pair[9], by[6] = {0}, along[6][6],
                                                                             f[6][6];
    for (int half = 0; half < 2; half++) {
        sw_yld2004_transform(c + 9 * half, deviator, x);
        sw_tensor_of_six(x, tensor);
        sw_principal_axes(tensor, value + 3 * half, axis[half]);
    }
    for (int i = 0; i < 9; i++)
        pair[i] = value[i / 3] - value[3 + i % 3];
    const double phi = sw_power_mean(9, pair, a, 4, by_pair);
    for (int i = 0; i < 9; i++) {
        by[i / 3] += by_pair[i];
        by[3 + i % 3] -= by_pair[i];
    }
    for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++)
            f[k][l] = -(a - 1) * by[k] * by[l] / phi;
    for (int i = 0; i < 9; i++) {
        const double own = pair[i] != 0 ? (a - 1) * by_pair[i] / pair[i] : 0;
        f[i / 3][i / 3] += own;
        f[3 + i % 3][3 + i % 3] += own;
        f[i / 3][3 + i % 3] -= own;
        f[3 + i % 3][i / 3] -= own;
    }
    memset(h, 0, 36 * sizeof(double));
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 3; k++)
            for (int l = k; l < 3; l++) {
                const double *n = axis[half][k], *m = axis[half][l];
                const int at = 3 * half + k, to = 3 * half + l;
                double g[6], back[6] = {0};
                for (int i = 0; i < 6; i++)
                    g[i] = (i < 3 ? 0.5 : 1) *
                           (n[sw_six_row(i)] * m[sw_six_column(i)] + n[sw_six_column(i)] * m[sw_six_row(i)]);
                sw_yld2004_add_back(c + 9 * half, g, back);
                const double volume = (back[0] + back[1] + back[2]) / 3;
                for (int i = 0; i < 3; i++)
                    back[i] -= volume;
                if (k == l) {
                    memcpy(along[at], back, sizeof back);
                    continue;
                }
                const double apart = value[at] - value[to], turn = fabs(apart) > 1e-6 * phi
                                                                       ? (by[at] - by[to]) / apart
                                                                       : f[at][at] - f[at][to];
                for (int i = 0; i < 6; i++)
                    for (int j = 0; j < 6; j++)
                        h[i][j] += 2 * turn * back[i] * back[j];
            }
    for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++)
            for (int i = 0; i < 6; i++)
                for (int j = 0; j < 6; j++)
                    h[i][j] += f[k][l] * along[k][i] * along[l][j];
}

#endif
