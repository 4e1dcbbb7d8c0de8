/* Operator `points`: g = K p from the tangents of plastic points alone, no element matrix.
 *
 *     points_cpu.c          eight elements at a time
 *     points_cuda.cu        a thread an element; equal boxes by lattice.cuh
 *     voxel_product.h       the products of a box */
#ifndef SW_ONLINE_FEM_OPERATORS_POINTS_H
#define SW_ONLINE_FEM_OPERATORS_POINTS_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const sw_fem_operator_functions sw_fem_points_cpu, sw_fem_points_cuda;

#ifdef __cplusplus
}
#endif

#endif
