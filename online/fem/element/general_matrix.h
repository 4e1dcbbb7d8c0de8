/* Element matrices of tangents of general form. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_GENERAL_MATRIX_H
#define SW_ONLINE_FEM_ELEMENT_GENERAL_MATRIX_H

#include "finite_matrix.h"
#include "general.h"

/* Column j of the matrix of element e with shape x: column [V c]. */
SW_FEM_INLINE void sw_fem_general_column(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                         const double (*x)[8], int j, double *column)
{
    const sw_fem_finite_tangents tangents = sw_fem_tangents_of(k, view, e);
    double u[3][8] = {{0}}, f[3][8];
    sw_fem_unit(k, j, u);
    sw_fem_general_product(k, view->b_bar, view->thickness, x, (const sw_real(*)[8])u, &tangents, f);
    sw_fem_column_of(k, f, column);
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

#endif
