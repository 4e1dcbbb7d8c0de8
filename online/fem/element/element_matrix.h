/* Element matrices, from the product: column j is what unit displacement j gives. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_ELEMENT_MATRIX_H
#define SW_ONLINE_FEM_ELEMENT_ELEMENT_MATRIX_H

#include "gather.h"
#include "online/fem/backend/backend.h"

enum { SW_FEM_MOST_WIDTH = 24, SW_FEM_MOST_ENTRIES = SW_FEM_MOST_WIDTH * SW_FEM_MOST_WIDTH };

/* Coefficients of an element's coordinates x [d][V]. */
SW_FEM_INLINE void sw_fem_element_shape(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                        double (*x)[8])
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    sw_fem_gather(d, view->node + e * V, view->position, d, x);
}

/* Stiffnesses at an element's points; one, and 1 returned, when it is elastic. */
SW_FEM_INLINE int sw_fem_element_stiffness(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                           sw_fem_stiffness *stiffness)
{
    const int Q = sw_fem_corners(k), material = view->material_of[e];
    const int64_t slot = view->slot[e];
    for (int q = 0; q < Q; q++) {
        stiffness[q] =
            (sw_fem_stiffness){.bulk = view->bulk[material], .shear = view->shear[material], .ratio = 1};
        if (slot < 0)
            return 1;
        const double *at = view->tangent + q * view->n_plastic + slot;
        const int64_t stride = Q * view->n_plastic;
        stiffness[q].ratio = at[0];
        for (int i = 0; i < 5; i++)
            stiffness[q].flow[i] = at[(i + 1) * stride];
    }
    return 0;
}

/* Column j of the matrix of an element: column [V c]. */
SW_FEM_INLINE void sw_fem_element_column(sw_fem_kinematics k, const sw_fem_view *view, const double (*x)[8],
                                         const sw_fem_stiffness *stiffness, int same, int j, double *column)
{
    double u[3][8] = {{0}}, f[3][8];
    sw_fem_unit(k, j, u);
    sw_fem_element_product(k, view->b_bar, view->thickness, x, (const sw_real(*)[8])u, stiffness, same, f);
    sw_fem_column_of(k, f, column);
}

/* The matrix of element e under the view's tangent: [V c][V c], symmetric. */
SW_FEM_INLINE void sw_fem_element_matrix(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         double *matrix)
{
    const int width = sw_fem_corners(k) * sw_fem_components(k);
    double x[3][8] = {{0}};
    sw_fem_stiffness stiffness[8];
    sw_fem_element_shape(k, view, e, x);
    const int same = sw_fem_element_stiffness(k, view, e, stiffness);
    for (int j = 0; j < width; j++)
        sw_fem_element_column(k, view, (const double(*)[8])x, stiffness, same, j, matrix + j * width);
}

/* Call `function` with the kinematics as a constant: SW_FEM_WITH(k, f, arguments after k). */
#define SW_FEM_WITH(k, function, ...)                                          \
    ((k) == SW_FEM_SOLID          ? function(SW_FEM_SOLID, __VA_ARGS__)        \
     : (k) == SW_FEM_PLANE_STRESS ? function(SW_FEM_PLANE_STRESS, __VA_ARGS__) \
     : (k) == SW_FEM_PLANE_STRAIN ? function(SW_FEM_PLANE_STRAIN, __VA_ARGS__) \
     : (k) == SW_FEM_AXISYMMETRIC ? function(SW_FEM_AXISYMMETRIC, __VA_ARGS__) \
                                  : function(SW_FEM_HEAT, __VA_ARGS__))

#endif
