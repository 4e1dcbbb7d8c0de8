/* Private to this folder: levels. */
#ifndef SW_ONLINE_FEM_AGGREGATION_LEVEL_H
#define SW_ONLINE_FEM_AGGREGATION_LEVEL_H

#include "aggregation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a cycle reads. */
typedef float sw_cycle_real;
enum { SW_CYCLE_WIDTH = 8 }; /* lanes; that much may be read from any entry of value on */

typedef struct {
    int height, width, together;
    int64_t n_rows, n_columns;
    int64_t *row;
    int32_t *column;
    sw_cycle_real *value; /* [row[n_rows]][width][height]: by columns */
} sw_cycle_blocks;

typedef struct {
    int64_t n;               /* unknowns */
    sw_cycle_blocks a, p, r; /* r = p'; of the coarsest level a alone, empty */
    sw_cycle_real *inverse;  /* [n][b][b] of diagonal blocks */
    double largest;          /* eigenvalue of inverse times a, about */
    int turns; /* that a cycle takes here: 2, of a W, where that is little beside the finer level */
    sw_cycle_real *x, *right, *d; /* [n b] */
} sw_cycle_level;

struct sw_aggregation {
    int n_levels;
    sw_cycle_level level[SW_MOST_LEVELS];
    int64_t n_coarsest; /* unknowns */
    int indefinite;     /* its matrix has a negative pivot */
    int skew;           /* its matrix is not symmetric: */
    double *
        factor; /* [n_coarsest][n_coarsest] L D L', or L and D U, D's inverses on the diagonal, 0 of what nothing resists */
    double *coarse; /* [n_coarsest] */
};

/* shares.c: rows first .. end - 1 of a matrix [n_rows], whose entries `row` counts, are this process's: all, but of those that
 * several do together. size: numbers of an entry. */
typedef struct {
    int64_t first, end;
} sw_share;
sw_share sw_share_of(int together, int64_t n_rows, const int64_t *row, int size);
/* `bytes` of each row, of which this process has its share: all of them. */
void sw_collect_shares(int together, int64_t n_rows, const int64_t *row, int size, int64_t bytes, void *all);

/* Likewise of entries first [n_rows + 1] of the same rows, in another matrix. */
void sw_collect_entries(int together, int64_t n_rows, const int64_t *row, int size, const int64_t *first,
                        int64_t bytes, void *all);

/* aggregates.c: aggregate_of [n], 0 <= . < *n_aggregates, and their mean positions [*n_aggregates][3] in coarse, released by the
 * caller; strong [a's entries]: whether a row's node and a column's are so connected. SW_ERR_MEMORY. */
sw_status sw_aggregate(const sw_blocks *a, const double (*position)[3], uint8_t *strong,
                       int32_t *aggregate_of, int64_t *n_aggregates, double (**coarse)[3]);

/* interpolation.c: p of n_aggregates nodes with m unknowns, and their motions [n_aggregates][m][m] in coarse, released by the
 * caller. inverse: of a's diagonal blocks; damping: of Jacobi. */
typedef struct {
    const sw_blocks *a;
    const double *inverse, *motion;
    const uint8_t *strong;
    const int32_t *aggregate_of;
    int64_t n_aggregates;
    double damping;
    int m;
} sw_interpolation;
sw_status sw_interpolate(const sw_interpolation *from, sw_blocks *p, double **coarse);

/* galerkin.c: coarse = p' a p, with its diagonal: 1 times the mean where nothing is. */
sw_status sw_galerkin(const sw_blocks *a, const sw_blocks *p, sw_blocks *coarse);
/* cycle.c: the smoother's second degree: d = first z, then d = second z + keep d, z = inverse (right - a x). */
typedef struct {
    double first, second, keep;
} sw_chebyshev;
sw_chebyshev sw_chebyshev_of(double largest);
/* [n_coarsest][n_coarsest] of a level that is factorised. SW_ERR_MEMORY. */
sw_status sw_aggregation_invert_coarsest(const sw_aggregation *aggregation, float *inverse);

/* t = p'. */
sw_status sw_transpose_cycle(const sw_cycle_blocks *p, sw_cycle_blocks *t);

#ifdef __cplusplus
}
#endif

#endif
