/* The tangent as a sparse matrix of the free unknowns, for direct solvers: elements and blocks of nodes.
 *
 * Dimensions: n free unknowns. */
#ifndef SW_ONLINE_FEM_LINEAR_SPARSE_H
#define SW_ONLINE_FEM_LINEAR_SPARSE_H

#include "online/fem/assembly/assembly.h"

typedef struct {
    int64_t n;
    int64_t *row;     /* [n + 1] */
    int64_t *column;  /* [row[n]] ascending in a row */
    double *value;    /* [row[n]] */
    int64_t *unknown; /* [n] their numbers in the analysis, ascending */
    int64_t *number;  /* [(N + T) c] place among the free ones; -1: prescribed */
    int64_t *source;  /* [row[n]] place in the assembled elements; -1: of blocks alone */
    sw_fem_assembly elements;
} sw_fem_sparse;

/* The pattern of elements and blocks, no values; fixed [n_unknowns], tools' unknowns included; released with sw_fem_sparse_free, also when it failed.
 * SW_ERR_MEMORY; SW_ERR_RANGE. */
sw_status sw_fem_sparse_open(const sw_fem_view *view, int64_t n_unknowns, const uint8_t *fixed,
                             const sw_fem_node_blocks *blocks, sw_fem_sparse *matrix);
void sw_fem_sparse_free(sw_fem_sparse *matrix);

/* Whether the pattern has room for these blocks. */
int sw_fem_sparse_fits(const sw_fem_sparse *matrix, int c, const sw_fem_node_blocks *blocks);

/* Values under the view's tangent and these blocks, which fit. */
void sw_fem_sparse_fill(const sw_fem_view *view, const sw_fem_node_blocks *blocks, sw_fem_sparse *matrix);

int64_t sw_fem_sparse_bytes(const sw_fem_sparse *matrix);

#endif
