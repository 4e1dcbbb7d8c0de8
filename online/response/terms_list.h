/* Lists of terms as the kernels of `terms` take them, CPU and GPU. Dimension: K terms of a list. */
#ifndef SW_ONLINE_RESPONSE_TERMS_LIST_H
#define SW_ONLINE_RESPONSE_TERMS_LIST_H

#include "common/fold.h"

/* Refined grid. */
typedef struct {
    int32_t points[4]; /* N_d r */
    int32_t length;    /* L: least common multiple of the three angles' (four: of all), at most 2^22 */
    int32_t power_of_two;
} sw_refined_grid;

/* dimensions: 3 or 4. SW_ERR_RANGE when L would be more than 2^22. */
sw_status sw_refined_grid_create(const sw_database *database, int64_t refinement, int dimensions,
                                 sw_refined_grid *grid);

/* k_d L / L_d modulo L, in [-L/2, L/2): phase = j . step / L turns. */
int32_t sw_refined_step(const sw_refined_grid *grid, int d, int64_t wavenumber);

enum { SW_LISTS_MAX = 2 };

/* One list. */
typedef struct {
    int kind;           /* sw_series_kind */
    int64_t n_terms;    /* K */
    int32_t (*step)[4]; /* [K] sw_refined_step of each wavenumber; the fourth 0 when folded */
    float *coefficient; /* [K][sw_series_coefficients(kind)] */
} sw_terms_list;

typedef struct {
    int count;
    sw_terms_list list[SW_LISTS_MAX];
    int32_t *source; /* [K of all] index of the wavevector in the fold, list after list; NULL: not folded */
} sw_terms_lists;

/* Lists of the folded series: by symmetry, or one general list where the database lacks it. Room only:
 * coefficients by sw_terms_lists_fill after each sw_fold_at. SW_ERR_MEMORY. */
sw_status sw_terms_lists_folded(sw_fold *fold, const sw_refined_grid *grid, sw_terms_lists *lists);
void sw_terms_lists_fill(sw_terms_lists *lists, const sw_fold *fold);

/* Lists of the first n_terms terms in four dimensions, for points with their own theta, and the paper's form;
 * general != 0: one list of nine outputs whatever the symmetry. */
sw_status sw_terms_lists_unfolded(const sw_database *database, int64_t n_terms, const sw_refined_grid *grid,
                                  int symmetric, sw_terms_lists *lists);
void sw_terms_lists_destroy(sw_terms_lists *lists);

#endif
