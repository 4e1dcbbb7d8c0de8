/* Memory of operators on the GPU, derived (Kiran 2023, Fig. 4.15). */
#ifndef SW_TESTS_ONLINE_FEM_STORED_DERIVED_MEMORY_H
#define SW_TESTS_ONLINE_FEM_STORED_DERIVED_MEMORY_H

#include "online/fem/stored/stored.h"

typedef struct {
    sw_fem_kinematics kinematics;
    int64_t n_nodes, n_elements, n_plastic; /* n_plastic: plastic elements */
    int64_t n_pairs; /* nodes that share an element, each with itself too; full box: product of 3 cells + 1 */
    int n_materials;
    int64_t n_cells, n_lattice_points; /* of a voxel mesh of hex8, void ones included; else 0 */
} operator_counts;

/* Bytes on the GPU of the operator's own arrays: matrices, indices, lists. Without the mesh and the tangent
 * (sw_fem_view), which every operator needs, the room to grow of a quarter that matrices of plastic elements
 * are given after the first time, a few numbers a colour, and what cuSPARSE and sorting want for themselves:
 * so the way results are added up makes no difference. SW_FEM_POINTS, on voxel meshes of hex8: without a
 * byte a tile. */
static inline int64_t operator_bytes(sw_fem_operator operator_, sw_fem_storage storage,
                                     const operator_counts *n)
{
    const int V = sw_fem_corners(n->kinematics), c = sw_fem_components(n->kinematics), W = V * c;
    const int64_t E = n->n_elements, N = n->n_nodes;
    const int node_wise = sw_fem_node_wise(operator_);
    const sw_fem_layout layout = operator_ == SW_FEM_EBE_SYM ? SW_FEM_HALF
                                 : operator_ == SW_FEM_EBE   ? SW_FEM_BY_ELEMENT
                                                             : SW_FEM_BY_ROW;
    if (operator_ == SW_FEM_POINTS) /* maps of nodes; of elements, materials and slots by cell; blocks */
        return n->n_cells > 0 ? 4 * (n->n_lattice_points + 3 * n->n_cells) + 384 * n->n_materials : 0;
    if (operator_ == SW_FEM_ASSEMBLED) {
        const int64_t entries = n->n_pairs * c * c, index = entries > INT32_MAX ? 8 : 4;
        return entries * (8 + index) + (N * c + 1) * index + E * V * V * 2;
    }
    const int64_t matrices = storage == SW_FEM_OWN ? E : n->n_materials + n->n_plastic;
    int64_t bytes = sw_fem_layout_size(layout, W, matrices) * 8;
    bytes += storage == SW_FEM_OWN ? E : 0;                                                     /* states */
    bytes += storage == SW_FEM_SINGLE || (storage == SW_FEM_IMPROVED && node_wise) ? E * 4 : 0; /* index */
    bytes += storage == SW_FEM_IMPROVED ? (node_wise ? N : E) * 4 : 0;                          /* lists */
    bytes += node_wise ? (N + 1 + E * V) * 4 : 0;                                               /* around */
    return bytes;
}

#endif
