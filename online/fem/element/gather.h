/* Values at the nodes of one element. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_GATHER_H
#define SW_ONLINE_FEM_ELEMENT_GATHER_H

#include "element.h"

/* Coefficients h [width][V] of a field [N][width] at an element's nodes [V], V = 2^d. */
SW_FEM_INLINE void sw_fem_gather(int d, const int32_t *node, const double *field, int width, double (*h)[8])
{
    SW_UNROLL
    for (int i = 0; i < width; i++) {
        double at[8] = {0};
        SW_UNROLL
        for (int a = 0; a < 1 << d; a++)
            at[a] = field[node[a] * (int64_t)width + i];
        sw_fem_coefficients(d, at, h[i]);
    }
}

/* Coefficients u [c][V] of a unit of unknown j of an element, [V c]; and what coefficients f are as such a column. */
SW_FEM_INLINE void sw_fem_unit(sw_fem_kinematics k, int j, double (*u)[8])
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k), V = sw_fem_corners(k);
    SW_UNROLL
    for (int i = 0; i < c; i++) {
        double at[8] = {0};
        SW_UNROLL
        for (int a = 0; a < V; a++)
            at[a] = a * c + i == j ? 1 : 0;
        sw_fem_coefficients(d, at, u[i]);
    }
}

SW_FEM_INLINE void sw_fem_column_of(sw_fem_kinematics k, double (*f)[8], double *column)
{
    const int d = sw_fem_dimension(k), c = sw_fem_components(k), V = sw_fem_corners(k);
    SW_UNROLL
    for (int i = 0; i < c; i++) {
        double at[8] = {0};
        sw_fem_coefficients_back(d, f[i], at);
        SW_UNROLL
        for (int a = 0; a < V; a++)
            column[a * c + i] = at[a];
    }
}

#endif
