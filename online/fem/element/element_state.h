/* What an element's points do under a displacement: stresses, forces, the next state, the tangent. With
 * SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_ELEMENT_STATE_H
#define SW_ONLINE_FEM_ELEMENT_ELEMENT_STATE_H

#include "element_matrix.h"
#include "online/fem/law/point.h"

/* What points keep, number by number, and whether they yielded when it was accepted; in the order that suits
 * the device: number i of point q of element e is at i component + q point + e element. */
typedef struct {
    double *state;
    uint8_t *yielded; /* [E][Q] */
    int64_t component, point, element;
} sw_fem_states;

SW_FEM_INLINE sw_fem_point sw_fem_load_point(const sw_fem_states *states, int64_t e, int q)
{
    const double *at = states->state + q * states->point + e * states->element;
    sw_fem_point point;
    double *number = (double *)&point;
    SW_UNROLL
    for (int i = 0; i < SW_FEM_POINT_SIZE; i++)
        number[i] = at[i * states->component];
    return point;
}

SW_FEM_INLINE void sw_fem_keep_point(const sw_fem_states *states, int64_t e, int q, const sw_fem_point *point)
{
    double *at = states->state + q * states->point + e * states->element;
    const double *number = (const double *)point;
    SW_UNROLL
    for (int i = 0; i < SW_FEM_POINT_SIZE; i++)
        at[i * states->component] = number[i];
}

/* Under displacement u [N c], from the accepted states: forces [c][V] when not NULL; `accept`: states and
 * yielding are overwritten; slot >= 0: the tangents go there, in the order of the view's. Returns how many
 * points yield. */
SW_FEM_INLINE int sw_fem_element_state(sw_fem_kinematics k, const sw_fem_view *view,
                                       const sw_fem_material *materials, const sw_fem_states *states,
                                       int64_t e, const double *u, double (*forces)[8], int accept,
                                       int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k), V = sw_fem_corners(k);
    const sw_fem_material *material = &materials[view->material_of[e]];
    double x[3][8] = {{0}}, h[3][8] = {{0}}, f[3][8] = {{0}}, dilatation, volume = 1, mean = 0, pressure = 0;
    int count = 0;
    sw_fem_element_shape(k, view, e, x);
    sw_fem_gather(d, view->node + e * V, u, c, h);
    if (view->b_bar) {
        sw_fem_dilatation(k, (const double(*)[8])x, (const double(*)[8])h, view->thickness, &dilatation,
                          &volume);
        mean = dilatation / volume;
    }
    for (int q = 0; q < V; q++) {
        sw_fem_place place;
        sw_fem_point next;
        const sw_fem_point old = sw_fem_load_point(states, e, q);
        sw_fem_tangent tangent;
        double strain[6], stress[6];
        sw_fem_locate(k, q, (const double(*)[8])x, view->thickness, &place);
        sw_fem_strain(k, q, &place, (const double(*)[8])h, strain);
        if (view->b_bar)
            sw_fem_dilate(mean, strain);
        const int yields = sw_fem_stress_at(k, material, strain, &old, stress, &next, &tangent);
        count += yields;
        if (accept) {
            sw_fem_keep_point(states, e, q, &next);
            states->yielded[e * V + q] = (uint8_t)yields;
        }
        if (slot >= 0) {
            double *to = tangents + q * view->n_plastic + slot;
            to[0] = tangent.ratio;
            SW_UNROLL
            for (int i = 0; i < 5; i++)
                to[(i + 1) * V * view->n_plastic] = tangent.flow[i];
        }
        if (forces) {
            if (view->b_bar)
                pressure += place.volume * sw_fem_take_pressure(stress);
            sw_fem_spread(k, q, &place, stress, f);
        }
    }
    if (!forces)
        return count;
    if (view->b_bar)
        sw_fem_spread_pressure(k, (const double(*)[8])x, view->thickness, pressure / volume, f);
    SW_UNROLL
    for (int i = 0; i < c; i++)
        sw_fem_coefficients_back(d, f[i], forces[i]);
    return count;
}

#endif
