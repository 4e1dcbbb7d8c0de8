/* Element matrices at finite strains. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_FINITE_MATRIX_H
#define SW_ONLINE_FEM_ELEMENT_FINITE_MATRIX_H

#include "finite.h"
#include "gather.h"
#include "online/fem/backend/backend.h"

/* Coefficients x [d][V] of an element's coordinates under the view's tangent. */
SW_FEM_INLINE void sw_fem_deformed_shape(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         double (*x)[8])
{
    const int d = sw_fem_dimension(k);
    sw_fem_gather(d, view->node + e * sw_fem_corners(k), view->at, d, x);
}

/* The view's tangents of element e. */
SW_FEM_INLINE sw_fem_finite_tangents sw_fem_tangents_of(sw_fem_kinematics k, const sw_fem_view *view,
                                                        int64_t e)
{
    const sw_fem_finite_tangents tangents = {view->tangent + view->slot[e], view->n_plastic,
                                             sw_fem_corners(k) * view->n_plastic};
    return tangents;
}

/* Column j of the matrix of element e with shape x: column [V c]. */
SW_FEM_INLINE void sw_fem_finite_column(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                        const double (*x)[8], int j, double *column)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    const sw_fem_finite_tangents tangents = sw_fem_tangents_of(k, view, e);
    double u[3][8] = {{0}}, f[3][8], at[8] = {0};
    SW_UNROLL
    for (int i = 0; i < d; i++) {
        SW_UNROLL
        for (int a = 0; a < V; a++)
            at[a] = a * d + i == j ? 1 : 0;
        sw_fem_coefficients(d, at, u[i]);
    }
    sw_fem_finite_product(k, view->b_bar, view->thickness, x, (const sw_real(*)[8])u, &tangents, f);
    SW_UNROLL
    for (int i = 0; i < d; i++) {
        sw_fem_coefficients_back(d, f[i], at);
        SW_UNROLL
        for (int a = 0; a < V; a++)
            column[a * d + i] = at[a];
    }
}

#endif
