/* Element matrices of tangents of general form. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_GENERAL_MATRIX_H
#define SW_ONLINE_FEM_ELEMENT_GENERAL_MATRIX_H

#include "finite_matrix.h"
#include "general.h"

/* Column j of the matrix of element e with shape x: column [V c]. */
SW_FEM_INLINE void sw_fem_general_column(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
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
    sw_fem_general_product(k, view->b_bar, view->thickness, x, (const sw_real(*)[8])u, &tangents, f);
    SW_UNROLL
    for (int i = 0; i < d; i++) {
        sw_fem_coefficients_back(d, f[i], at);
        SW_UNROLL
        for (int a = 0; a < V; a++)
            column[a * d + i] = at[a];
    }
}

/* As sw_fem_matrix_function: not symmetric. */
SW_FEM_INLINE void sw_fem_general_matrix(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         double *matrix)
{
    const int width = sw_fem_corners(k) * sw_fem_dimension(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < width; j++) {
        sw_fem_general_column(k, view, e, (const double(*)[8])x, j, column);
        for (int i = 0; i < width; i++)
            matrix[i * width + j] = column[i];
    }
}

/* As sw_fem_blocks_function. */
SW_FEM_INLINE void sw_fem_general_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         double *block)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < V * d; j++) {
        double *to = block + (int64_t)view->node[e * V + j / d] * d * d;
        sw_fem_general_column(k, view, e, (const double(*)[8])x, j, column);
        for (int i = 0; i < d; i++)
            to[i * d + j % d] += column[j / d * d + i];
    }
}

#endif
