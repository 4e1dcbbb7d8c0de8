/* The database at one theta: the fourth dimension summed into the coefficients, which leaves a series over
 * the three Euler angles.
 *
 * All crystals of a step share D, hence theta, so folding is done once a step. Dimensions: T conjugate pairs,
 * K distinct three-dimensional wavevectors (one of each pair), 9 outputs. */
#ifndef SW_COMMON_DATABASE_FOLD_H
#define SW_COMMON_DATABASE_FOLD_H

#include <stdint.h>

#include "database.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A term among those of a wavevector. */
typedef struct {
    int32_t term;
    float share; /* how much of it enters; negative: conjugated */
} sw_fold_image;

/* Which terms share their first three wavenumbers (up to conjugation), and room for the sums. */
typedef struct {
    const sw_database *database;         /* borrowed */
    int64_t n_pairs;                     /* T in use */
    int64_t n_wavevectors;               /* K */
    sw_fold_image *image;                /* [first[K]] terms in the order of their wavevector; one with a
                                            wavenumber of half the grid length enters 2, 4 or 8 times */
    int64_t *first;                      /* [K + 1] where each wavevector's terms begin */
    int16_t (*wavevector)[3];            /* [K] */
    float (*coefficient)[SW_OUTPUTS][2]; /* [K][9][2] at the last theta folded, weights included:
                                            output_c(x) = sum Re(coefficient exp(i wavevector . x)) */
    float (*planes)[SW_PLANE_OUTPUTS]
                   [2]; /* [K][4][2] likewise, of outputs 9 to 12; NULL: the database has none */
} sw_fold;

/* Group the first n_pairs pairs. The database must outlive it. SW_ERR_MEMORY. */
sw_status sw_fold_create(const sw_database *database, int64_t n_pairs, sw_fold *fold);
void sw_fold_destroy(sw_fold *fold);

/* Sum the coefficients at theta (rad). */
void sw_fold_at(sw_fold *fold, double theta);

/* Factors of the wavenumbers -half .. half of theta, half = database->shape[3] / 2: turn [2 half + 1]
 * complex, exp(i k theta); at half the grid's length both signs count half, so cos(k theta), which keeps the
 * symmetry theta -> -theta between the grid's points. */
void sw_fold_factors(const sw_fold *fold, double theta, double (*turn)[2]);

/* Symmetry of the sample and the crystal (table_lookup.h) splits the outputs: 13, 23, Wp13, Wp23 have odd
 * wavenumbers of phi1 only, the others even ones only; and it makes every folded coefficient of 11, 22, 13,
 * Wp13 and G real, of the others imaginary; of outputs 9 to 12 the first and the last real. Whether it does in this database: SW_FOLD_SPLIT, SW_FOLD_REAL, or
 * both together. To 1e-5 of the largest coefficient; the second also where the last of the terms in use
 * belong to sets of symmetric terms that were cut through, and what they leave on the wrong side is small as
 * they are. Folds at theta = 1. */
enum { SW_FOLD_SPLIT = 1, SW_FOLD_REAL = 2 };
int sw_fold_symmetry(sw_fold *fold);

/* One folded coefficient [2]. */
static inline float *sw_fold_coefficient(const sw_fold *fold, int64_t k, int c)
{
    return c < SW_OUTPUTS ? fold->coefficient[k][c] : fold->planes[k][c - SW_OUTPUTS];
}

#ifdef __cplusplus
}
#endif

#endif
