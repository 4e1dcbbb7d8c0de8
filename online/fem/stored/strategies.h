/* The strategies that Kiran 2023 compares, Chapters 3 to 5: K p from element matrices that are stored or
 * assembled. The product's own way is operators/; the assembled matrix on the CPU is assembly/'s.
 *
 *     stored.h                              an element's matrix, a node's or an unknown's share
 *     stored_cpu.c, stored.cuh              products from stored matrices: OpenMP, CUDA
 *     matrices.cuh                          those matrices, made on the device
 *     assembled_cpu.c, assembled.cuh        the assembled matrix
 *     stored_cuda.cu                        what the GPU's keep, and their table
 *     stress.h, stress_parts.h, stress_cpu.c, stress_cuda.cu   stress and forces in four kernels: beside these
 *
 * Where the operators of a device are opened, prepared and used is the default stream's (GPU) or the
 * caller's thread's (CPU) order. Dimensions: N nodes, c unknowns of a node, E elements, V nodes of an
 * element, W = V c. */
#ifndef SW_ONLINE_FEM_STORED_STRATEGIES_H
#define SW_ONLINE_FEM_STORED_STRATEGIES_H

#include "online/fem/operators/operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of open, the operators read fem's problem, options, n_nodes, n_elements, components and corners. The CPU adds up by
 * colours whatever options.scatter says: its results do not depend on the number of threads. */

/* The storage that an operator really uses: that of the options where all elements of a material are alike,
 * which they are on meshes of equal boxes (but not rings, which differ by their radius), else SW_FEM_OWN. */
sw_fem_storage sw_fem_storage_of(const sw_fem_problem *problem, const sw_fem_options *options);

#ifdef __cplusplus
}
#endif

#endif
