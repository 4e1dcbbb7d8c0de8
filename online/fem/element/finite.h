/* The product of one element's tangent at finite strains: on the trial geometry, whose coordinates x are.
 *
 *     P = c d + w s - s d       of a displacement's gradient l = d + w in space, s the Cauchy stress
 *     f = sum over the points of P grad N, times the volume that they stand for now
 *
 * c is law/finite.h's divided by J, so that stresses are Cauchy's. The force that a stress has through the
 * gradients of N, which turn and shrink as the element does, is - s l': with the stress's own turning, w s - s w,
 * it makes the last two terms. c d - s d - d s + l s says that the matrix is symmetric.
 *
 * Mean dilatation (Simo, Taylor and Pister 1985): the law has seen F (theta / J)^(1/3), theta = v / V the mean of
 * J. s is its deviator and one pressure p of the element; with m = the mean of tr l over the present volume,
 *
 *     P = dev(c (dev d + m I / 3)) + p tr(l) I + dp I + w s - s d
 *     dp = mean of tr(c (...)) / 3, less p m
 *
 * In sw_real of common/math/lanes.h. */
#ifndef SW_ONLINE_FEM_ELEMENT_FINITE_H
#define SW_ONLINE_FEM_ELEMENT_FINITE_H

#include "element.h"

/* X(name, number) for each kinematics that finite strains are for. */
#define SW_FEM_EACH_FINITE(X)            \
    X(solid, SW_FEM_SOLID)               \
    X(plane_strain, SW_FEM_PLANE_STRAIN) \
    X(axisymmetric, SW_FEM_AXISYMMETRIC)

/* A point's tangent: c / J, the upper half by rows, and the Cauchy stress. */
enum { SW_FEM_FINITE_MODULI = 21, SW_FEM_FINITE_SIZE = SW_FEM_FINITE_MODULI + 6 };

/* c d, for strains with the engineer's shears. */
SW_FEM_INLINE void sw_fem_moduli_apply(const sw_real *moduli, const sw_real strain[6], sw_real stress[6])
{
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        stress[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        SW_UNROLL
    for (int j = i; j < 6; j++) {
        const sw_real c = moduli[i * 6 - i * (i - 1) / 2 + j - i];
        stress[i] += c * strain[j];
        if (j > i)
            stress[j] += c * strain[i];
    }
}

/* w s - s d of the gradient l, added to p. */
SW_FEM_INLINE void sw_fem_geometric(const sw_real stress[6], const sw_real l[3][3], sw_real p[3][3])
{
    const sw_real half = sw_broadcast(0.5);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int j = 0; j < 3; j++)
        SW_UNROLL
    for (int k = 0; k < 3; k++)
        p[i][j] += half * ((l[i][k] - l[k][i]) * stress[sw_six_of(k, j)] -
                           stress[sw_six_of(i, k)] * (l[k][j] + l[j][k]));
}

/* P of a point without dp I; what dp is the mean of is returned. tangent [SW_FEM_FINITE_SIZE]. */
SW_FEM_INLINE sw_real sw_fem_finite_response(int b_bar, sw_real mean, const sw_real *tangent,
                                             const sw_real l[3][3], sw_real p[3][3])
{
    const sw_real *stress = tangent + SW_FEM_FINITE_MODULI;
    const sw_real pressure = (stress[0] + stress[1] + stress[2]) * sw_broadcast(1.0 / 3);
    const sw_real trace = l[0][0] + l[1][1] + l[2][2];
    sw_real strain[6], change[6], taken = sw_broadcast(0.0);
    sw_fem_strain_of(l, strain);
    if (b_bar)
        sw_fem_dilate(mean, strain);
    sw_fem_moduli_apply(tangent, strain, change);
    if (b_bar) {
        taken = sw_fem_take_pressure(change) - pressure * mean;
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            change[i] += pressure * trace;
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int j = 0; j < 3; j++)
        p[i][j] = change[sw_six_of(i, j)];
    sw_fem_geometric(stress, l, p);
    return taken;
}

/* As sw_fem_spread, of a tensor that need not be symmetric. */
SW_FEM_INLINE void sw_fem_spread_tensor(sw_fem_kinematics k, int q, const sw_fem_place *place,
                                        const sw_real p[3][3], sw_real (*f)[8])
{
    const int d = sw_fem_dimension(k);
    SW_UNROLL
    for (int i = 0; i < d; i++) {
        sw_real r[3];
        SW_UNROLL
        for (int s = 0; s < d; s++) {
            r[s] = sw_broadcast(0.0);
            SW_UNROLL
            for (int j = 0; j < d; j++)
                r[s] += place->inverse[s][j] * p[i][j];
            r[s] *= place->volume;
        }
        sw_fem_gradient_back(d, q, r, f[i]);
    }
    if (k == SW_FEM_AXISYMMETRIC)
        sw_fem_value_back(q, p[2][2] * place->over_radius * place->volume, f[0]);
}

/* The tangents of an element's points: number i of point q is at i `number` + q `point`, in the order that suits the
 * device. */
typedef struct {
    const sw_real *tangent;
    int64_t point, number;
    int couples; /* general.h */
} sw_fem_finite_tangents;

/* f [c][V] (coefficients) of displacements with coefficients u, on the geometry with coefficients x. */
SW_FEM_INLINE void sw_fem_finite_product(sw_fem_kinematics k, int b_bar, double thickness,
                                         const sw_real (*x)[8], const sw_real (*u)[8],
                                         const sw_fem_finite_tangents *tangents, sw_real (*f)[8])
{
    sw_real volume, pressure = sw_broadcast(0.0);
    const sw_real mean = sw_fem_begin_product(k, b_bar, thickness, x, u, f, &volume);
    for (int q = 0; q < sw_fem_corners(k); q++) {
        sw_fem_place place;
        sw_real l[3][3], p[3][3], tangent[SW_FEM_FINITE_SIZE];
        SW_UNROLL
        for (int i = 0; i < SW_FEM_FINITE_SIZE; i++)
            tangent[i] = tangents->tangent[i * tangents->number + q * tangents->point];
        sw_fem_locate(k, q, x, thickness, &place);
        sw_fem_space_gradient(k, q, &place, u, l);
        const sw_real taken = sw_fem_finite_response(b_bar, mean, tangent, (const sw_real(*)[3])l, p);
        pressure += place.volume * taken;
        sw_fem_spread_tensor(k, q, &place, (const sw_real(*)[3])p, f);
    }
    if (b_bar)
        sw_fem_spread_pressure(k, x, thickness, sw_divide(pressure, volume), f);
}

#endif
