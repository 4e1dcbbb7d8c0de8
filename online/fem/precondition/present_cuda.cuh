/* Levels of the present tangent on the GPU; present.h. Matrices are single: 2.3 kB a cell, which every product reads once.
 */
#ifndef SW_ONLINE_FEM_PRECONDITION_PRESENT_CUDA_CUH
#define SW_ONLINE_FEM_PRECONDITION_PRESENT_CUDA_CUH

#include <cuda_runtime.h>

#include "divided.h"
#include "multigrid_level.h"
#include "present.h"

/* What each level has beside its map. */
struct sw_fem_present_level {
    sw_fem_level_map map;
    int64_t n_nodes, n_cells;
    int64_t n_counted;          /* nodes that count in sums */
    const int32_t *number;      /* [N] in the whole level, the owner's; NULL: the same */
    sw_fem_cell_matrix *matrix; /* [C] */
    float *blocks;              /* [14][3][3][N]: of all cells together, what a product reads */
    float (*inverse)[9];        /* [N] of the nodes' blocks, by the largest eigenvalue */
    float *weight;     /* [8 parts][8 of its nodes][8 coarse nodes], by corner, to the next finer one */
    int32_t *own_cell; /* [C] */
};

struct sw_fem_present {
    const sw_fem_hierarchy *hierarchy; /* its owner's */
    sw_fem_present_level level[SW_FEM_MOST_LEVELS];
    float *coarsest;                     /* the owner's place for the inverse */
    int32_t *owner;                      /* [N] as the hierarchy's */
    int *indefinite;                     /* of the blocks of a level */
    double *partial;                     /* sums */
    const sw_fem_divided_cycle *divided; /* the owner's; NULL: of one process */
    int64_t bytes;
};

/* map and number: of each level, set before; coarsest: as above. What it allocates is counted in bytes. SW_ERR_MEMORY. */
sw_status sw_fem_present_open_cuda(const sw_fem_hierarchy *hierarchy, sw_fem_present *present);
void sw_fem_present_close_cuda(sw_fem_present *present);
sw_fem_present_functions sw_fem_present_cuda(sw_fem_present *present);

/* r -= K d, 0 where fixed, r of nodes that do not count taken as 0 unless it is a part's share; d = a d + b D^-1 r, x += d. */
sw_status sw_fem_present_reduce_cuda(const sw_fem_present_level *level, bool share, const float *d, float *r,
                                     cudaStream_t stream);
sw_status sw_fem_present_smooth_cuda(const sw_fem_present_level *level, float a, float b, const float *r,
                                     float *d, float *x, cudaStream_t stream);

#endif
