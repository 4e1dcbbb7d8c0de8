/* Algebraic multigrid by smoothed aggregation with near-null vectors (Vanek, Mandel and Brezina 1996, Computing 56): of any
 * symmetric positive matrix by nodes whose rigid motions are known, with no library.
 *
 *     blocks.c         matrices of small dense blocks
 *     aggregates.c     nodes that become one: by distance, so that slender cells are coarsened across first
 *     interpolation.c  the motions of an aggregate, orthonormal; smoothed once by Jacobi
 *     galerkin.c       P' A P
 *     shares.c         rows over processes
 *     hierarchy.c      levels, the largest eigenvalue, the coarsest level's factors
 *     equations*       what linear solvers ask for, on the CPU or a GPU
 *     cycle.c          z = M^-1 r: one cycle, Chebyshev polynomials of the second degree before and after, in single precision
 *
 * A level is set up in double precision and kept in single. Sums do not depend on the number of threads, or of processes: those
 * that work together (MPI) have all of it each, and a share of a product's rows, which they then tell each other.
 *
 * Dimensions: n nodes, b unknowns of a node, m motions (from the second level on b = m). */
#ifndef SW_ONLINE_FEM_AGGREGATION_AGGREGATION_H
#define SW_ONLINE_FEM_AGGREGATION_AGGREGATION_H

#include <stdint.h>

#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Matrices of blocks [height][width] by rows ---- */

typedef struct {
    int height, width;
    int together; /* all processes have it, and do together what is done with it */
    int64_t n_rows, n_columns;
    int64_t *row;    /* [n_rows + 1] */
    int32_t *column; /* [row[n_rows]] */
    double *value;   /* [row[n_rows]][height][width] */
} sw_blocks;

/* Of scalars in compressed rows: unknown i is place[i] = node b + component of the n nodes; -1: left out, its row and its column.
 * What has no unknown gets the mean diagonal. Columns are in the order in which a node's rows have them first. Zeroed or
 * released with sw_blocks_free. row [n_unknowns + 1]; column32 or column64 [row[n_unknowns]], the other NULL. SW_ERR_MEMORY. */
typedef struct {
    int64_t n_unknowns;
    const int64_t *row;
    const int32_t *column32;
    const int64_t *column64;
    const double *value;
} sw_scalars;
sw_status sw_blocks_pattern(const sw_scalars *scalars, const int64_t *place, int b, int64_t n,
                            sw_blocks *blocks);
void sw_blocks_fill(const sw_scalars *scalars, const int64_t *place, sw_blocks *blocks);
void sw_blocks_free(sw_blocks *blocks);
int64_t sw_blocks_bytes(const sw_blocks *blocks);

/* y = A x. */
void sw_blocks_multiply(const sw_blocks *blocks, const double *x, double *y);

/* ---- The preconditioner ---- */

typedef struct sw_aggregation sw_aggregation;

enum { SW_MOST_MOTIONS = 6, SW_MOST_LEVELS = 16 };

/* Rigid motions of nodes in space [n][3][6], in the plane [n][2][3], or a constant [n][1][1]: by d = 3, 2, 1, about the mean
 * position; 0 where fixed [n][d] (which may be NULL) says so. */
void sw_rigid_motions(int d, int64_t n, const double (*position)[3], const uint8_t *fixed, double *motion);

/* matrix: square, of b = 1, 2 or 3, with its diagonal, borrowed while it opens; motion [n][b][m], m = 1, 3 or 6. SW_ERR_MEMORY;
 * SW_ERR_CONVERGENCE: a diagonal that is not positive. */
sw_status sw_aggregation_open(const sw_blocks *matrix, int m, const double *motion,
                              const double (*position)[3], sw_aggregation **aggregation);
void sw_aggregation_close(sw_aggregation *aggregation); /* NULL is fine */
/* Whether its coarsest level, which alone is looked at, is symmetric and not positive: then the matrix is neither; M is, all the same, and
 * serves that one matrix at best. */
int sw_aggregation_is_indefinite(const sw_aggregation *aggregation);
/* z = M^-1 r, [n b]; symmetric and positive to the rounding of single precision. */
void sw_aggregation_apply(sw_aggregation *aggregation, const double *r, double *z);

int sw_aggregation_levels(const sw_aggregation *aggregation);
int64_t sw_aggregation_bytes(const sw_aggregation *aggregation);

#ifdef __cplusplus
}
#endif

#endif
