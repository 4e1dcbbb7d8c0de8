/* What an element's points do at finite strains: stresses, forces on the trial geometry, the next state, the
 * tangent. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_FINITE_STATE_H
#define SW_ONLINE_FEM_ELEMENT_FINITE_STATE_H

#include "element_state.h"
#include "finite.h"
#include "online/fem/law/finite.h"

/* An element under a displacement. */
typedef struct {
    double x[3][8], h[3][8], now[3][8]; /* coefficients: coordinates, displacements, their sum */
    double first[8], volume[8];         /* m3 that points stand for: undeformed, now */
    double whole_first, whole;          /* their sums */
} sw_fem_deformed;

/* False when some point's volume is not positive (axisymmetric: its radius): the element is turned inside out. */
SW_FEM_INLINE int sw_fem_deform(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, const double *u,
                                sw_fem_deformed *at)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    int right = 1;
    *at = (sw_fem_deformed){.whole = 0};
    sw_fem_element_shape(k, view, e, at->x);
    sw_fem_gather(d, view->node + e * V, u, d, at->h);
    for (int i = 0; i < d; i++)
        for (int m = 0; m < V; m++)
            at->now[i][m] = at->x[i][m] + at->h[i][m];
    for (int q = 0; q < V; q++) {
        sw_fem_place place;
        sw_fem_locate(k, q, (const double(*)[8])at->x, view->thickness, &place);
        at->first[q] = place.volume;
        sw_fem_locate(k, q, (const double(*)[8])at->now, view->thickness, &place);
        at->volume[q] = place.volume;
        right &= place.volume > 0 && isfinite(place.volume);
        right &= k != SW_FEM_AXISYMMETRIC || place.over_radius > 0;
        at->whole_first += at->first[q];
        at->whole += at->volume[q];
    }
    return right;
}

/* F - I of point q; mean dilatation: of F (theta / J)^(1/3). */
SW_FEM_INLINE void sw_fem_deformation(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_deformed *at,
                                      int q, int b_bar, double h[3][3])
{
    sw_fem_place place;
    sw_fem_locate(k, q, (const double(*)[8])at->x, view->thickness, &place);
    sw_fem_space_gradient(k, q, &place, (const double(*)[8])at->h, h);
    if (!b_bar)
        return;
    const double J = at->volume[q] / at->first[q], theta = at->whole / at->whole_first;
    const double more = expm1(log(theta / J) / 3);
    for (int i = 0; i < 9; i++)
        h[i / 3][i % 3] += more * (h[i / 3][i % 3] + (i % 4 == 0));
}

/* Kirchhoff stresses to Cauchy's, in place, with one pressure for all where dilatation is the mean. */
SW_FEM_INLINE void sw_fem_make_cauchy(int Q, int b_bar, const sw_fem_deformed *at, double (*stress)[6])
{
    double pressure = 0;
    for (int q = 0; q < Q; q++) {
        for (int i = 0; i < 6; i++)
            stress[q][i] *= at->first[q] / at->volume[q];
        if (b_bar)
            pressure += at->volume[q] * sw_fem_take_pressure(stress[q]);
    }
    for (int q = 0; b_bar && q < Q; q++)
        for (int i = 0; i < 3; i++)
            stress[q][i] += pressure / at->whole;
}

/* As sw_fem_element_state; -1: the element is turned inside out, and nothing is written. */
SW_FEM_INLINE int sw_fem_finite_state(sw_fem_kinematics k, const sw_fem_view *view,
                                      const sw_fem_material *materials, const sw_fem_states *states,
                                      int64_t e, const double *u, double (*forces)[8], int accept,
                                      int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), Q = sw_fem_corners(k);
    const sw_fem_material *material = &materials[view->material_of[e]];
    double stress[8][6], f[3][8] = {{0}};
    sw_fem_deformed at;
    int count = 0;
    if (!sw_fem_deform(k, view, e, u, &at))
        return -1;
    for (int q = 0; q < Q; q++) {
        double h[3][3], moduli[SW_FEM_MODULI];
        sw_fem_point next;
        const sw_fem_point old = sw_fem_load_point(states, e, q);
        sw_fem_deformation(k, view, &at, q, view->b_bar, h);
        const int yields = sw_fem_finite_return(material, (const double(*)[3])h, &old, stress[q],
                                                accept ? &next : NULL, slot >= 0 ? moduli : NULL);
        count += yields;
        if (accept) {
            sw_fem_keep_point(states, e, q, &next);
            states->yielded[e * Q + q] = (uint8_t)yields;
        }
        for (int i = 0; i < SW_FEM_MODULI && slot >= 0; i++)
            tangents[(i * Q + q) * view->n_plastic + slot] = moduli[i] * at.first[q] / at.volume[q];
    }
    sw_fem_make_cauchy(Q, view->b_bar, &at, stress);
    for (int q = 0; q < Q && slot >= 0; q++)
        for (int i = 0; i < 6; i++)
            tangents[((SW_FEM_FINITE_MODULI + i) * Q + q) * view->n_plastic + slot] = stress[q][i];
    if (!forces)
        return count;
    for (int q = 0; q < Q; q++) {
        sw_fem_place place;
        sw_fem_locate(k, q, (const double(*)[8])at.now, view->thickness, &place);
        sw_fem_spread(k, q, &place, stress[q], f);
    }
    for (int i = 0; i < d; i++)
        sw_fem_coefficients_back(d, f[i], forces[i]);
    return count;
}

#endif
