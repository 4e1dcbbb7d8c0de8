/* An element at its quadrature points, in the basis of Walsh functions.
 *
 * Corner b of the reference square or cube has the signs of its bits (x 1, y 2, z 4), and the shape functions
 * are products of (1 + s x) / 2. So the transform of a field's nodal values,
 *
 *     h[m] = 2^-d sum over corners b of (-1)^|m & ~b| u[b],
 *
 * are the coefficients of the monomials x^m0 y^m1 z^m2 of the interpolated field: reference gradients at a
 * quadrature point (+-1/root 3) are sums of 2^(d-1) of them with signs, no shape function is evaluated, and
 * forces go back the same way. 24 additions transform eight numbers.
 *
 * Written in sw_real of common/math/lanes.h: one element, or one a lane. `k` is a constant wherever this is
 * called, and every loop has constant bounds.
 *
 * Integration is full: 2^d points. B-bar (Hughes 1980): the dilatation is its mean over the element. */
#ifndef SW_ONLINE_FEM_ELEMENT_ELEMENT_H
#define SW_ONLINE_FEM_ELEMENT_ELEMENT_H

#include "common/math/lanes.h"
#include "common/math/six.h"
#include "slipwave/fem.h"

#ifdef __CUDACC__
#define SW_FEM_INLINE SW_HD static inline __attribute__((unused))
#else
#define SW_FEM_INLINE static inline __attribute__((always_inline, unused))
#endif

/* X(name, number) for each kinematics. */
#define SW_FEM_EACH_KINEMATICS(X)        \
    X(solid, SW_FEM_SOLID)               \
    X(plane_stress, SW_FEM_PLANE_STRESS) \
    X(plane_strain, SW_FEM_PLANE_STRAIN) \
    X(axisymmetric, SW_FEM_AXISYMMETRIC) \
    X(heat, SW_FEM_HEAT)

/* Space dimensions, unknowns of a node, nodes (and points) of an element. */
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_dimension(sw_fem_kinematics k) { return k == SW_FEM_SOLID ? 3 : 2; }
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_components(sw_fem_kinematics k)
{
    return k == SW_FEM_SOLID ? 3 : k == SW_FEM_HEAT ? 1 : 2;
}
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_corners(sw_fem_kinematics k) { return k == SW_FEM_SOLID ? 8 : 4; }

/* Corner of local node a: quadrilaterals are numbered around, corners by bits. Its own inverse. */
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_corner(int a) { return a ^ ((a >> 1) & 1); }

#define SW_FEM_GAUSS 0.57735026918962576 /* 1 / root 3 */

/* A function of numbers of any kind in C++, of sw_real in C. */
#ifdef __cplusplus
#define SW_FEM_ANY_REAL template <class sw_real>
#else
#define SW_FEM_ANY_REAL
#endif

/* In place, without the factor: sums with the signs of the masks' bits, over corners. */
SW_FEM_ANY_REAL SW_FEM_INLINE void sw_fem_walsh(int d, sw_real *v)
{
    SW_UNROLL
    for (int bit = 0; bit < d; bit++)
        SW_UNROLL
    for (int i = 0; i < 1 << d; i++)
        if (!(i >> bit & 1)) {
            const sw_real low = v[i], high = v[i | 1 << bit];
            v[i] = low + high;
            v[i | 1 << bit] = high - low;
        }
}

/* The transpose. */
SW_FEM_ANY_REAL SW_FEM_INLINE void sw_fem_walsh_back(int d, sw_real *v)
{
    SW_UNROLL
    for (int bit = 0; bit < d; bit++)
        SW_UNROLL
    for (int i = 0; i < 1 << d; i++)
        if (!(i >> bit & 1)) {
            const sw_real even = v[i], odd = v[i | 1 << bit];
            v[i] = even - odd;
            v[i | 1 << bit] = even + odd;
        }
}

/* Scale of a monomial's coefficient: 2^-d, and 1 / root 3 for each factor beyond the first, so that gradients
 * at a point are sums with signs. */
SW_FEM_INLINE SW_CONSTEXPR double sw_fem_scale(int d, int m)
{
    const int degree = (m & 1) + (m >> 1 & 1) + (m >> 2 & 1);
    return (d == 3 ? 0.125 : 0.25) * (degree == 3   ? SW_FEM_GAUSS * SW_FEM_GAUSS
                                      : degree == 2 ? SW_FEM_GAUSS
                                                    : 1.0);
}

/* Nodal values u [V] of a component, in local order, to scaled coefficients h [V]; and the transpose, of
 * forces. */
SW_FEM_INLINE void sw_fem_coefficients(int d, const sw_real *u, sw_real *h)
{
    SW_UNROLL
    for (int a = 0; a < 1 << d; a++)
        h[sw_fem_corner(a)] = u[a];
    sw_fem_walsh(d, h);
    SW_UNROLL
    for (int m = 0; m < 1 << d; m++)
        h[m] *= sw_broadcast(sw_fem_scale(d, m));
}

SW_FEM_INLINE void sw_fem_coefficients_back(int d, sw_real *h, sw_real *f)
{
    SW_UNROLL
    for (int m = 0; m < 1 << d; m++)
        h[m] *= sw_broadcast(sw_fem_scale(d, m));
    sw_fem_walsh_back(d, h);
    SW_UNROLL
    for (int a = 0; a < 1 << d; a++)
        f[a] = h[sw_fem_corner(a)];
}

/* Signs of a point, which is a corner's: products over the bits of m, without bit i. */
SW_FEM_INLINE sw_real sw_fem_sign(int q, int m)
{
    const int minus = m & ~q;
    return sw_broadcast(((minus ^ minus >> 1 ^ minus >> 2) & 1) ? -1.0 : 1.0);
}

/* Gradient of a field in reference coordinates at point q, and the transpose, added to h. */
SW_FEM_INLINE void sw_fem_gradient(int d, int q, const sw_real *h, sw_real gradient[3])
{
    SW_UNROLL
    for (int i = 0; i < d; i++) {
        gradient[i] = h[1 << i];
        SW_UNROLL
        for (int m = 1; m < 1 << d; m++)
            if (!(m >> i & 1))
                gradient[i] += sw_fem_sign(q, m) * h[m | 1 << i];
    }
}

SW_FEM_INLINE void sw_fem_gradient_back(int d, int q, const sw_real gradient[3], sw_real *h)
{
    SW_UNROLL
    for (int i = 0; i < d; i++)
        SW_UNROLL
    for (int m = 0; m < 1 << d; m++)
        if (!(m >> i & 1))
            h[m | 1 << i] += sw_fem_sign(q, m) * gradient[i];
}

/* Value at point q of a plane field: what axisymmetry needs of the radius and the radial displacement. */
SW_FEM_INLINE sw_real sw_fem_value(int q, const sw_real *h)
{
    return h[0] + sw_broadcast(SW_FEM_GAUSS) *
                      (sw_fem_sign(q, 1) * h[1] + sw_fem_sign(q, 2) * h[2] + sw_fem_sign(q, 3) * h[3]);
}

SW_FEM_INLINE void sw_fem_value_back(int q, sw_real value, sw_real *h)
{
    h[0] += value;
    SW_UNROLL
    for (int m = 1; m < 4; m++)
        h[m] += sw_broadcast(SW_FEM_GAUSS) * sw_fem_sign(q, m) * value;
}

/* Where a point is: inverse Jacobian [reference][space], volume it stands for, 1 / radius. */
typedef struct {
    sw_real inverse[3][3], volume, over_radius;
} sw_fem_place;

/* From the coefficients of the coordinates x [d][V]. thickness: plane bodies'. */
SW_FEM_INLINE void sw_fem_locate(sw_fem_kinematics k, int q, const sw_real (*x)[8], double thickness,
                                 sw_fem_place *place)
{
    const int d = sw_fem_dimension(k);
    sw_real j[3][3]; /* [space][reference] */
    SW_UNROLL
    for (int i = 0; i < d; i++)
        sw_fem_gradient(d, q, x[i], j[i]);
    if (d == 3) {
        SW_UNROLL
        for (int r = 0; r < 3; r++)
            SW_UNROLL
        for (int s = 0; s < 3; s++) {
            const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, s1 = (s + 1) % 3, s2 = (s + 2) % 3;
            place->inverse[r][s] = j[s1][r1] * j[s2][r2] - j[s1][r2] * j[s2][r1];
        }
        place->volume =
            j[0][0] * place->inverse[0][0] + j[1][0] * place->inverse[0][1] + j[2][0] * place->inverse[0][2];
    } else {
        place->inverse[0][0] = j[1][1];
        place->inverse[0][1] = -j[0][1];
        place->inverse[1][0] = -j[1][0];
        place->inverse[1][1] = j[0][0];
        place->volume = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    }
    const sw_real over = sw_divide(sw_broadcast(1.0), place->volume);
    SW_UNROLL
    for (int r = 0; r < d; r++)
        SW_UNROLL
    for (int s = 0; s < d; s++)
        place->inverse[r][s] *= over;
    place->over_radius = sw_broadcast(0.0);
    if (k == SW_FEM_AXISYMMETRIC) {
        const sw_real radius = sw_fem_value(q, x[0]);
        place->over_radius = sw_divide(sw_broadcast(1.0), radius);
        place->volume *= sw_broadcast(6.2831853071795865) * radius;
    } else if (d == 2) {
        place->volume *= sw_broadcast(thickness);
    }
}

/* Strain (engineering shears) of the displacements' gradient g [i][j] = d u_i / d x_j. */
SW_FEM_INLINE void sw_fem_strain_of(const sw_real g[3][3], sw_real strain[6])
{
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        strain[i] = g[i][i];
        strain[3 + i] = g[(i + 1) % 3][(i + 2) % 3] + g[(i + 2) % 3][(i + 1) % 3];
    }
}

/* Gradient in space of the displacements with coefficients u [c][V]; axisymmetric: 33 is the hoop's. */
SW_FEM_INLINE void sw_fem_space_gradient(sw_fem_kinematics k, int q, const sw_fem_place *place,
                                         const sw_real (*u)[8], sw_real g[3][3])
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k);
    SW_UNROLL
    for (int i = 0; i < 9; i++)
        g[i / 3][i % 3] = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < c; i++) {
        sw_real r[3];
        sw_fem_gradient(d, q, u[i], r);
        SW_UNROLL
        for (int j = 0; j < d; j++) {
            g[i][j] = r[0] * place->inverse[0][j];
            SW_UNROLL
            for (int s = 1; s < d; s++)
                g[i][j] += r[s] * place->inverse[s][j];
        }
    }
    if (k == SW_FEM_AXISYMMETRIC)
        g[2][2] = sw_fem_value(q, u[0]) * place->over_radius;
}

/* Strain at a point from the coefficients u [c][V]; heat: the gradient in 11 and 22. */
SW_FEM_INLINE void sw_fem_strain(sw_fem_kinematics k, int q, const sw_fem_place *place, const sw_real (*u)[8],
                                 sw_real strain[6])
{
    sw_real g[3][3]; /* d u_i / d x_j */
    sw_fem_space_gradient(k, q, place, u, g);
    if (k == SW_FEM_HEAT) {
        strain[0] = g[0][0];
        strain[1] = g[0][1];
        strain[2] = strain[3] = strain[4] = strain[5] = sw_broadcast(0.0);
        return;
    }
    sw_fem_strain_of((const sw_real(*)[3])g, strain);
}

/* The transpose: what stress x volume does to the coefficients of the forces, added to f [c][V]. */
SW_FEM_INLINE void sw_fem_spread(sw_fem_kinematics k, int q, const sw_fem_place *place,
                                 const sw_real stress[6], sw_real (*f)[8])
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k);
    SW_UNROLL
    for (int i = 0; i < c; i++) {
        sw_real r[3];
        SW_UNROLL
        for (int s = 0; s < d; s++) {
            r[s] = sw_broadcast(0.0);
            SW_UNROLL
            for (int j = 0; j < d; j++)
                r[s] += place->inverse[s][j] * stress[k == SW_FEM_HEAT ? j : sw_six_of(i, j)];
            r[s] *= place->volume;
        }
        sw_fem_gradient_back(d, q, r, f[i]);
    }
    if (k == SW_FEM_AXISYMMETRIC)
        sw_fem_value_back(q, stress[2] * place->over_radius * place->volume, f[0]);
}

/* ---- The tangent at a point (law.h), in lanes ---- */

typedef struct {
    sw_real bulk, shear;    /* Pa */
    sw_real ratio, flow[5]; /* as sw_fem_tangent */
} sw_fem_stiffness;

/* Stress that the tangent gives a strain. */
SW_FEM_INLINE void sw_fem_stiffness_apply(const sw_fem_stiffness *s, const sw_real strain[6],
                                          sw_real stress[6])
{
    const sw_real ratio = sw_abs(s->ratio), shear = s->shear * ratio, twice = shear + shear;
    const sw_real mean = (strain[0] + strain[1] + strain[2]) * sw_broadcast(1.0 / 3);
    const sw_real along = s->flow[0] * (strain[0] - strain[2]) + s->flow[1] * (strain[1] - strain[2]) +
                          s->flow[2] * strain[3] + s->flow[3] * strain[4] + s->flow[4] * strain[5];
    const sw_real back = sw_choose(SW_LESS(s->ratio, sw_broadcast(0.0)), along, -along);
    const sw_real pressure = (sw_broadcast(3.0) * s->bulk - twice) * mean;
    stress[0] = pressure + twice * strain[0] + back * s->flow[0];
    stress[1] = pressure + twice * strain[1] + back * s->flow[1];
    stress[2] = pressure + twice * strain[2] - back * (s->flow[0] + s->flow[1]);
    stress[3] = shear * strain[3] + back * s->flow[2];
    stress[4] = shear * strain[4] + back * s->flow[3];
    stress[5] = shear * strain[5] + back * s->flow[4];
}

/* Plane stress: the strain 33 that makes the stress 33 vanish is found first. */
SW_FEM_INLINE void sw_fem_stiffness_apply_plane(const sw_fem_stiffness *s, const sw_real strain[6],
                                                sw_real stress[6])
{
    sw_real whole[6], unit[6],
        zero[6] = {strain[0], strain[1], sw_broadcast(0.0), strain[3], strain[4], strain[5]};
    const sw_real e33[6] = {sw_broadcast(0.0), sw_broadcast(0.0), sw_broadcast(1.0),
                            sw_broadcast(0.0), sw_broadcast(0.0), sw_broadcast(0.0)};
    sw_fem_stiffness_apply(s, zero, whole);
    sw_fem_stiffness_apply(s, e33, unit);
    const sw_real through = -sw_divide(whole[2], unit[2]);
    SW_UNROLL
    for (int i = 0; i < 6; i++)
        stress[i] = whole[i] + through * unit[i];
    stress[2] = sw_broadcast(0.0);
}

/* ---- B-bar ---- */

/* Sum over the points of volume x dilatation, and of volume. */
SW_FEM_INLINE void sw_fem_dilatation(sw_fem_kinematics k, const sw_real (*x)[8], const sw_real (*u)[8],
                                     double thickness, sw_real *dilatation, sw_real *volume)
{
    *dilatation = *volume = sw_broadcast(0.0);
    for (int q = 0; q < sw_fem_corners(k); q++) {
        sw_fem_place place;
        sw_real strain[6];
        sw_fem_locate(k, q, x, thickness, &place);
        sw_fem_strain(k, q, &place, u, strain);
        *dilatation += place.volume * (strain[0] + strain[1] + strain[2]);
        *volume += place.volume;
    }
}

/* The strain with the mean dilatation in place of its own. */
SW_FEM_INLINE void sw_fem_dilate(sw_real mean, sw_real strain[6])
{
    const sw_real more = (mean - strain[0] - strain[1] - strain[2]) * sw_broadcast(1.0 / 3);
    strain[0] += more;
    strain[1] += more;
    strain[2] += more;
}

/* Take the pressure out of a stress, and return it. */
SW_FEM_INLINE sw_real sw_fem_take_pressure(sw_real stress[6])
{
    const sw_real mean = (stress[0] + stress[1] + stress[2]) * sw_broadcast(1.0 / 3);
    stress[0] -= mean;
    stress[1] -= mean;
    stress[2] -= mean;
    return mean;
}

/* Stress that the tangent gives a strain, which with B-bar has the mean dilatation; the pressure that B-bar
 * takes out of it is returned. */
SW_FEM_INLINE sw_real sw_fem_tangent_stress(sw_fem_kinematics k, int b_bar, sw_real mean,
                                            const sw_fem_stiffness *stiffness, sw_real strain[6],
                                            sw_real stress[6])
{
    if (b_bar)
        sw_fem_dilate(mean, strain);
    if (k == SW_FEM_PLANE_STRESS)
        sw_fem_stiffness_apply_plane(stiffness, strain, stress);
    else
        sw_fem_stiffness_apply(stiffness, strain, stress);
    return b_bar ? sw_fem_take_pressure(stress) : sw_broadcast(0.0);
}

/* Forces of one mean pressure over the whole element. */
SW_FEM_INLINE void sw_fem_spread_pressure(sw_fem_kinematics k, const sw_real (*x)[8], double thickness,
                                          sw_real mean, sw_real (*f)[8])
{
    const sw_real stress[6] = {mean, mean, mean, sw_broadcast(0.0), sw_broadcast(0.0), sw_broadcast(0.0)};
    for (int q = 0; q < sw_fem_corners(k); q++) {
        sw_fem_place place;
        sw_fem_locate(k, q, x, thickness, &place);
        sw_fem_spread(k, q, &place, stress, f);
    }
}

/* ---- The product of one element's tangent ---- */

/* Before its points: no forces f yet. With b_bar, the mean dilatation of u, which is returned, and the volume. */
SW_FEM_INLINE sw_real sw_fem_begin_product(sw_fem_kinematics k, int b_bar, double thickness,
                                           const sw_real (*x)[8], const sw_real (*u)[8], sw_real (*f)[8],
                                           sw_real *volume)
{
    sw_real dilatation;
    *volume = sw_broadcast(1.0);
    SW_UNROLL
    for (int i = 0; i < sw_fem_components(k); i++)
        SW_UNROLL
    for (int m = 0; m < sw_fem_corners(k); m++)
        f[i][m] = sw_broadcast(0.0);
    if (!b_bar)
        return sw_broadcast(0.0);
    sw_fem_dilatation(k, x, u, thickness, &dilatation, volume);
    return sw_divide(dilatation, *volume);
}

/* f [c][V] (coefficients of the forces, sw_fem_coefficients_back makes them forces) of displacements with
 * coefficients u; stiffness [Q] at the points, or one of all (`same`). */
SW_FEM_INLINE void sw_fem_element_product(sw_fem_kinematics k, int b_bar, double thickness,
                                          const sw_real (*x)[8], const sw_real (*u)[8],
                                          const sw_fem_stiffness *stiffness, int same, sw_real (*f)[8])
{
    sw_real volume, pressure = sw_broadcast(0.0);
    const sw_real mean = sw_fem_begin_product(k, b_bar, thickness, x, u, f, &volume);
    for (int q = 0; q < sw_fem_corners(k); q++) {
        sw_fem_place place;
        sw_real strain[6], stress[6];
        sw_fem_locate(k, q, x, thickness, &place);
        sw_fem_strain(k, q, &place, u, strain);
        const sw_real taken = sw_fem_tangent_stress(k, b_bar, mean, &stiffness[same ? 0 : q], strain, stress);
        if (b_bar)
            pressure += place.volume * taken;
        sw_fem_spread(k, q, &place, stress, f);
    }
    if (b_bar)
        sw_fem_spread_pressure(k, x, thickness, sw_divide(pressure, volume), f);
}

#endif
