/* Von Mises plasticity at finite strains, at one point: logarithmic elastic strains, F = F_e F_p, and the
 * radial return of law.h in principal axes. de Souza Neto, Peric and Owen 2008, chapter 14; Simo 1992.
 *
 *     b = F C_p^-1 F'                    elastic left Cauchy-Green of the trial state, C_p^-1 of the accepted one
 *     e_a = log(b_a) / 2                 b_a, n_a its principal values and axes
 *     t_a = radial return of e_a         Kirchhoff stress, Pa; plastic increment dp_a
 *     C_p^-1 += F^-1 (sum of b_a (exp(-2 dp_a) - 1) n_a n_a) F^-T
 *
 * C_p^-1 lives in the undeformed body: a rotation leaves it alone. A point keeps C_p^-1 - I, so that a new
 * point is zeros, and b - I is summed without the 1 that would cost small strains their digits.
 *
 * Tangent. With l = d + w the gradient of a velocity in space,
 *
 *     dt = c d + w t - t w,   c symmetric,
 *
 * for any objective law whose stress follows from F: a spin alone turns the stress. In the principal axes c has
 * the normal part dt_a / de_b and the shears (t_a - t_b) (b_a + b_b) / (b_a - b_b), which for the radial return
 * (t_a - t_b = 2 G R (e_a - e_b)) is 2 G R x coth x with x = e_a - e_b: nothing to divide by when two or three
 * principal values are equal. */
#ifndef SW_ONLINE_FEM_LAW_FINITE_H
#define SW_ONLINE_FEM_LAW_FINITE_H

#include "common/math/principal.h"
#include "common/math/six.h"
#include "law.h"

/* Numbers of c that a point keeps: 6 x 6, the rows' parts from the diagonal on. */
enum { SW_FEM_MODULI = 21 };

/* x coth x, 1 at 0. The series leaves out 2 x^6 / 945 and less: below 1e-16 of it for |x| < 6e-3. */
SW_HD static inline double sw_fem_x_coth_x(double x)
{
    const double square = x * x;
    return square < 3e-5 ? 1 + square / 3 - square * square / 45 : x / tanh(x);
}

/* ---- Principal axes ---- */

/* n_a n_b made symmetric, as 11 22 33 23 13 12. */
SW_HD static inline void sw_fem_dyad(const double a[3], const double b[3], double dyad[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        dyad[i] = a[i] * b[i];
        dyad[3 + i] = 0.5 * (a[j] * b[k] + a[k] * b[j]);
    }
}

/* ---- Deformation ---- */

SW_HD static inline void sw_fem_symmetric(const double v[6], double a[3][3])
{
    for (int i = 0; i < 9; i++)
        a[i / 3][i % 3] = v[sw_six_of(i / 3, i % 3)];
}

/* b - I of F = I + h and C_p^-1 = I + s: h + h' + h h' + F s F'. Returns the size of what is added up. */
SW_HD static inline double sw_fem_left_strain(const double h[3][3], const double s[6], double b[3][3])
{
    double inner[3][3], f[3][3], fs[3][3], square = 0, plastic = 0;
    sw_fem_symmetric(s, inner);
    for (int i = 0; i < 9; i++) {
        f[i / 3][i % 3] = h[i / 3][i % 3] + (i % 4 == 0);
        square += h[i / 3][i % 3] * h[i / 3][i % 3];
        plastic += inner[i / 3][i % 3] * inner[i / 3][i % 3];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            fs[i][j] = f[i][0] * inner[0][j] + f[i][1] * inner[1][j] + f[i][2] * inner[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double sum = h[i][j] + h[j][i];
            for (int k = 0; k < 3; k++)
                sum += h[i][k] * h[j][k] + fs[i][k] * f[j][k];
            b[i][j] = b[j][i] = sum;
        }
    return (sqrt(square) + square) * (1 + sqrt(plastic)) + sqrt(plastic);
}

/* The inverse of I + h, whose determinant is not 0. */
SW_HD static inline void sw_fem_invert_gradient(const double h[3][3], double inverse[3][3])
{
    double f[3][3];
    for (int i = 0; i < 9; i++)
        f[i / 3][i % 3] = h[i / 3][i % 3] + (i % 4 == 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            inverse[i][j] = f[j1][i1] * f[j2][i2] - f[j1][i2] * f[j2][i1];
        }
    const double over = 1 / (f[0][0] * inverse[0][0] + f[0][1] * inverse[1][0] + f[0][2] * inverse[2][0]);
    for (int i = 0; i < 9; i++)
        inverse[i / 3][i % 3] *= over;
}

/* Logarithm of the left stretch of F = I + h: tensor components 11 22 33 23 13 12. */
SW_HD static inline void sw_fem_logarithmic_strain(const double h[3][3], double strain[6])
{
    const double none[6] = {0};
    double b[3][3], value[3], axis[3][3], dyad[6];
    sw_fem_left_strain(h, none, b);
    sw_principal_axes(b, value, axis);
    for (int i = 0; i < 6; i++)
        strain[i] = 0;
    for (int a = 0; a < 3; a++) {
        sw_fem_dyad(axis[a], axis[a], dyad);
        for (int i = 0; i < 6; i++)
            strain[i] += 0.5 * log1p(value[a]) * dyad[i];
    }
}

/* ---- Return and tangent ---- */

/* c from the return's tangent in principal axes, strains e [3]. */
SW_HD static inline void sw_fem_finite_moduli(const sw_fem_material *m, const sw_fem_tangent *t,
                                              const double e[3], const double axis[3][3],
                                              double moduli[SW_FEM_MODULI])
{
    const double bulk = sw_fem_bulk(m), shear = sw_fem_shear(m) * fabs(t->ratio);
    const double flow[3] = {t->flow[0], t->flow[1], -t->flow[0] - t->flow[1]};
    double dyad[6][6], weight[3];
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        sw_fem_dyad(axis[a], axis[a], dyad[a]);
        sw_fem_dyad(axis[b], axis[c], dyad[3 + a]);
        weight[a] = 4 * shear * sw_fem_x_coth_x(e[b] - e[c]);
    }
    for (int i = 0, at = 0; i < 6; i++)
        for (int j = i; j < 6; j++, at++) {
            double along_i = 0, along_j = 0, sum = j < 3 ? bulk - 2 * shear / 3 : 0;
            for (int a = 0; a < 3; a++) {
                sum += 2 * shear * dyad[a][i] * dyad[a][j] + weight[a] * dyad[3 + a][i] * dyad[3 + a][j];
                along_i += flow[a] * dyad[a][i];
                along_j += flow[a] * dyad[a][j];
            }
            moduli[at] = sum + (t->ratio < 0 ? 1 : -1) * along_i * along_j;
        }
}

/* What is left of C_p^-1 - I after plastic strains `flow` [3] along the axes of b, b_a = 1 + value_a. */
SW_HD static inline void sw_fem_flow_back(const double h[3][3], const double value[3],
                                          const double axis[3][3], const double flow[3], double s[6])
{
    double inverse[3][3], back[3], dyad[6];
    sw_fem_invert_gradient(h, inverse);
    for (int a = 0; a < 3; a++) {
        const double change = (1 + value[a]) * expm1(-2 * flow[a]);
        for (int i = 0; i < 3; i++)
            back[i] = inverse[i][0] * axis[a][0] + inverse[i][1] * axis[a][1] + inverse[i][2] * axis[a][2];
        sw_fem_dyad(back, back, dyad);
        for (int i = 0; i < 6; i++)
            s[i] += change * dyad[i];
    }
}

/* Kirchhoff stress (Pa) of a point under F = I + h, det F > 0, from the state `old`, whose `strain` is C_p^-1 - I;
 * new state in *point and c in *moduli when not NULL. Returns whether it yields. */
SW_HD static inline int sw_fem_finite_return(const sw_fem_material *m, const double h[3][3],
                                             const sw_fem_point *old, double stress[6], sw_fem_point *point,
                                             double *moduli)
{
    const sw_fem_point before = {.equivalent = old->equivalent};
    double b[3][3], value[3], axis[3][3], e[6] = {0}, along[6], dyad[6];
    sw_fem_point next;
    sw_fem_tangent tangent;
    /* h is a difference of displacements itself: four times its round-off. */
    const double size = 4 * sw_fem_left_strain(h, old->strain, b);
    sw_principal_axes(b, value, axis);
    for (int a = 0; a < 3; a++)
        e[a] = 0.5 * log1p(value[a]);
    const int yields = sw_fem_rounded_return(m, e, &before, size, along, &next, &tangent);
    for (int i = 0; i < 6; i++)
        stress[i] = 0;
    for (int a = 0; a < 3; a++) {
        sw_fem_dyad(axis[a], axis[a], dyad);
        for (int i = 0; i < 6; i++)
            stress[i] += along[a] * dyad[i];
    }
    if (point) {
        *point = *old;
        point->equivalent = next.equivalent;
        if (yields)
            sw_fem_flow_back(h, value, axis, next.strain, point->strain);
    }
    if (moduli)
        sw_fem_finite_moduli(m, &tangent, e, axis, moduli);
    return yields;
}

#endif
