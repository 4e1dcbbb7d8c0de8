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

/* ---- Memory, derived (Fig. 4.15) ---- */

typedef struct {
    sw_fem_kinematics kinematics;
    int64_t n_nodes, n_elements, n_plastic; /* n_plastic: plastic elements */
    int64_t n_pairs; /* nodes that share an element, each with itself too; full box: product of 3 cells + 1 */
    int n_materials;
    int64_t n_cells, n_lattice_points; /* of a voxel mesh of hex8, void ones included; else 0 */
} sw_fem_counts;

/* Bytes on the GPU of the operator's own arrays: matrices, indices, lists. Without the mesh and the tangent
 * (sw_fem_view), which every operator needs, the room to grow of a quarter that matrices of plastic elements
 * are given after the first time, a few numbers a colour, and what cuSPARSE and sorting want for themselves:
 * so the way results are added up makes no difference. SW_FEM_POINTS, on voxel meshes of hex8: without a
 * byte a tile. */
int64_t sw_fem_operator_bytes(sw_fem_operator operator_, sw_fem_storage storage, const sw_fem_counts *counts);

#ifdef __cplusplus
}
#endif

#endif
