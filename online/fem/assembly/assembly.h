/* The tangent as an assembled matrix in compressed rows, on the CPU: for sparse factors and algebraic multigrid.
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, V nodes of an element, W = V c. */
#ifndef SW_ONLINE_FEM_ASSEMBLY_ASSEMBLY_H
#define SW_ONLINE_FEM_ASSEMBLY_ASSEMBLY_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int64_t n_rows;
    int64_t *row;    /* [n_rows + 1] */
    int32_t *column; /* [row[n_rows]] ascending in a row */
    double *value;   /* [row[n_rows]] */
} sw_fem_csr;

/* K under the view's tangent (a CPU's view), all rows, with the zeros that the mesh's pattern has; released
 * with sw_fem_csr_free. SW_ERR_MEMORY, SW_ERR_RANGE. */
sw_status sw_fem_assemble(const sw_fem_view *view, sw_fem_csr *csr);
void sw_fem_csr_free(sw_fem_csr *csr);

/* The same for those who want it of one tangent after another: the pattern once, then values. common
 * [n_materials][W][W]: matrices of elements that are elastic, where those of a material are alike; NULL: they are not. */
typedef struct {
    sw_fem_csr csr;
    uint16_t *position; /* [E][V][V] where a row has its entries of a node, from the row's start */
} sw_fem_assembly;
sw_status sw_fem_assembly_open(const sw_fem_view *view, sw_fem_assembly *assembly);
void sw_fem_assembly_fill(const sw_fem_view *view, const double *common, sw_fem_assembly *assembly);
void sw_fem_assembly_free(sw_fem_assembly *assembly);

/* Elements around nodes, into first [N + 1] and at [E V]; SW_ERR_RANGE when there are more than fit. */
sw_status sw_fem_check_around(int64_t n_elements, int V);
void sw_fem_list_around(int64_t n_nodes, int64_t n_elements, int V, const int32_t *node, uint32_t *first,
                        uint32_t *at);

#ifdef __cplusplus
}
#endif

#endif
