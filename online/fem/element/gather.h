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

#endif
