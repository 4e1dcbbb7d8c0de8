/* The response table on a GPU (its entries: table_store.cuh), reduced by symmetry
 * (common/database/table_lookup.h). Written by table_cuda.cu; read in kernels through sw_table_view
 * (table_view.cuh). */
#ifndef SW_ONLINE_RESPONSE_GRID_TABLE_CUDA_H
#define SW_ONLINE_RESPONSE_GRID_TABLE_CUDA_H

#include "common/database/database.h"
#include "common/database/fold.h"

typedef struct sw_table_cuda sw_table_cuda;

/* All terms of a database and room for a table with `refinement` times the points of its grid, in the current
 * GPU's memory; linear: to be interpolated in. SW_ERR_MEMORY; SW_ERR_RANGE for more than 2^30 points of the transform. */
sw_status sw_table_open_cuda(const sw_database *database, int64_t refinement, int linear,
                             sw_table_cuda **table);
void sw_table_close_cuda(sw_table_cuda *table);

/* Fold at theta, transform, pack; nothing to do while theta stays. */
sw_status sw_table_prepare_cuda(sw_table_cuda *table, double theta);

/* Make the table of four dimensions, for crystals with a theta each; once. */
sw_status sw_table_each_cuda(sw_table_cuda *table);

#endif
