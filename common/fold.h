/* The database at one theta: the fourth dimension summed into the coefficients, which leaves a series over
 * the three Euler angles, and its values on a grid of orientations.
 *
 * All crystals of a step share D, hence theta, so folding is done once a step. Dimensions: T terms,
 * K distinct three-dimensional wavevectors (one of each pair), 9 outputs. */
#ifndef SW_COMMON_FOLD_H
#define SW_COMMON_FOLD_H

#include <stdint.h>

#include "database.h"
#include "status.h"

/* Which terms share their first three wavenumbers (up to conjugation), and room for the sums. */
typedef struct {
    const sw_database *database;         /* borrowed */
    int64_t n_terms;                     /* T in use */
    int64_t n_wavevectors;               /* K */
    int32_t *term;                       /* [T] terms in the order of their wavevector */
    int8_t *conjugate;                   /* [T] in that order: 1 where the term enters conjugated */
    int64_t *first;                      /* [K + 1] where each wavevector's terms begin */
    int16_t (*wavevector)[3];            /* [K] */
    float (*coefficient)[SW_OUTPUTS][2]; /* [K][9][2] at the last theta folded, weights included:
                                            output_c(x) = sum Re(coefficient exp(i wavevector . x)) */
} sw_fold;

/* Group the first n_terms terms. The database must outlive it. SW_ERR_MEMORY. */
sw_status sw_fold_create(const sw_database *database, int64_t n_terms, sw_fold *fold);
void sw_fold_destroy(sw_fold *fold);

/* Sum the coefficients at theta (rad). */
void sw_fold_at(sw_fold *fold, double theta);

/* The folded series on the database's own grid of Euler angles. phi2 covers a quarter turn, the period
 * of a cubic crystal: spacing 2 pi / shape of the database, n[2] = shape[2] / 4. */
typedef struct {
    int64_t n[3];
    float (*value)[16]; /* [n0][n1][n2][16]: nine outputs, padded to a cache line; 64-byte aligned */
    float *field;       /* work space of the transform */
    void *plan;
} sw_response_table;

/* Room and a transform plan for a database's grid. Not thread-safe (FFTW's planner). SW_ERR_MEMORY. */
sw_status sw_response_table_create(const sw_database *database, sw_response_table *table);
void sw_response_table_destroy(sw_response_table *table);

/* Fill the table from a folded series. */
void sw_response_table_fill(sw_response_table *table, const sw_fold *fold);

/* Trilinear interpolation at Euler angles (rad, any range). */
void sw_response_table_interpolate(const sw_response_table *table, const double euler[3], float output[16]);

#endif
