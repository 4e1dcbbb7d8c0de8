/* The list of operators: how they are named to people, and whether they work at finite strains, too. A new one is its
 * files, its number in slipwave/fem.h and its line here.
 *
 * Here is `points`: g = K p from the tangents of plastic points alone, no element matrix:
 *
 *     points_cpu.c          eight elements at a time
 *     points_cuda.cu        a thread an element; equal boxes by lattice.cuh
 *     voxel_product.h       the products of a box */
#ifndef SW_ONLINE_FEM_OPERATORS_OPERATORS_H
#define SW_ONLINE_FEM_OPERATORS_OPERATORS_H

#include "common/system/built.h"
#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of their numbers; each is an sw_fem_NAME_cpu and an sw_fem_NAME_cuda. */
#define SW_FEM_OPERATOR_LIST(X, PAPER) \
    X(points, 1)                       \
    PAPER(assembled, 0)                \
    PAPER(nbn, 0)                      \
    PAPER(dbd, 0)                      \
    PAPER(ebe, 0)                      \
    PAPER(ebe_node, 0)                 \
    PAPER(ebe_dof, 0)                  \
    PAPER(ebe_sym, 0)
/* The first of papers, and of what is stored and staged for these. */
enum {
    SW_FEM_OPERATORS_OF_PAPERS = SW_FEM_ASSEMBLED,
    SW_FEM_STORAGES_OF_PAPERS = SW_FEM_SINGLE,
    SW_FEM_STAGINGS_OF_PAPERS = SW_FEM_STAGE_MATRIX
};

#define DECLARED(name, finite) \
    extern const sw_fem_operator_functions sw_fem_##name##_cpu, sw_fem_##name##_cuda;
SW_FEM_OPERATOR_LIST(DECLARED, DECLARED)
#undef DECLARED

#ifdef __cplusplus
}
#endif

#endif
