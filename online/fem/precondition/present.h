/* Multigrid of the present tangent: every cell of every level has a matrix of its own, made again whenever the tangent
 * changes. Cells need not be boxes, only the numbering is a lattice's.
 *
 * The finest matrices are the elements', with the blocks of nodes (contact) added to one element each; coarser ones are
 * Galerkin's, a cell at a time. The smoother is Chebyshev's of the fourth kind over block-Jacobi, whose blocks are kept
 * divided by the largest eigenvalue: a cycle has constants then, and a graph of it stays.
 *
 * Far from equilibrium a tangent may be indefinite. Where a block of a node or the coarsest matrix says so, all is made
 * again from the elastic tangent on the present geometry.
 *
 * Steps are the same on every device, in terms of the functions below. Dimensions: N nodes and C cells of a level. */
#ifndef SW_ONLINE_FEM_PRECONDITION_PRESENT_H
#define SW_ONLINE_FEM_PRECONDITION_PRESENT_H

#include "common/math/elimination.h"
#include "multigrid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef float sw_fem_cell_matrix[24 * 24]; /* in local order; a preconditioner needs no more digits */

/* What a device does; vectors are its own, as in a cycle. */
typedef struct {
    void *work;
    sw_status (*fill)(void *work, const sw_fem_view *view, int elastic); /* the finest matrices */
    sw_status (*put)(void *work, const sw_fem_cell_matrix *matrix);      /* or these, the host's */
    sw_status (*coarsen)(void *work, int level); /* matrices from those of the next finer one */
    /* Inverse blocks of nodes; *indefinite is set to 1 if one is not positive. */
    sw_status (*invert)(void *work, int level, int *indefinite);
    sw_status (*scale)(void *work, int level, double by);            /* inverse blocks times a number */
    sw_status (*last_cells)(void *work, sw_fem_cell_matrix *matrix); /* the coarsest level's, to the host */
    sw_status (*keep_coarsest)(void *work); /* the hierarchy's inverse of it has changed */
    sw_status (*start)(void *work, int level, void *d, void *r); /* d: scattered numbers; r = 0 */
    sw_status (*dot)(void *work, int level, const void *x, const void *y,
                     double *result); /* over what counts */
} sw_fem_present_functions;

/* Of levels over processes (divided.h) those that follow. */
typedef struct {
    sw_fem_hierarchy *hierarchy;
    const sw_fem_present_functions *on;
    const sw_fem_cycle_functions *cycle;
    const sw_fem_cycle_vectors *vector;
    sw_status (*pass)(
        void *work); /* the last level's matrices, of all, to its first; NULL: through the host */
    void *pass_work;
} sw_fem_present_rest;

/* Everything that depends on the tangent. view: the device's. elastic: of the elastic tangent from the start. rest: NULL of
 * one process. SW_ERR_MEMORY and what the device has to say. The same bits for the same tangent. */
sw_status sw_fem_present_make(sw_fem_hierarchy *hierarchy, const sw_fem_present_functions *on,
                              const sw_fem_cycle_functions *cycle, const sw_fem_cycle_vectors *vector,
                              const sw_fem_view *view, int elastic, const sw_fem_present_rest *rest);

/* ---- One node's share ---- */

/* Scattered numbers in -1 .. 1, the same everywhere. */
SW_HD static inline double sw_fem_scattered(int64_t i)
{
    uint32_t h = (uint32_t)i * 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return (double)(h >> 8) / 8388608.0 - 1;
}

#define SW_FEM_DEPENDENT_ROW \
    1e-6 /* of its diagonal: what is left of a row that others make up, in single precision */

/* The inverse of a node's block [3][3] in place; unknowns that are fixed (bits), that follow from others or that nothing
 * holds have zeros. Returns whether it was positive, but for those. */
SW_HD static inline int sw_fem_invert_node(uint8_t fixed, double block[9])
{
    int positive = 1;
    double least[3], pivot[3];
    for (int i = 0; i < 3; i++) {
        least[i] = SW_FEM_DEPENDENT_ROW * fabs(block[4 * i]);
        for (int j = 0; j < 3; j++)
            if ((fixed >> i & 1) || (fixed >> j & 1))
                block[3 * i + j] = 0;
    }
    sw_invert_symmetric(3, least, block, pivot);
    for (int i = 0; i < 3; i++)
        positive &= (fixed >> i & 1) || pivot[i] >= -least[i];
    return positive;
}

#ifdef __cplusplus
}
#endif

#endif
