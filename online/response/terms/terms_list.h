/* Lists of terms as the kernels of `terms` take them, CPU and GPU. Dimension: K terms of a list. */
#ifndef SW_ONLINE_RESPONSE_TERMS_TERMS_LIST_H
#define SW_ONLINE_RESPONSE_TERMS_TERMS_LIST_H

#include "common/database/fold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of the refined grid, N_d r. SW_ERR_RANGE above 2^22. */
sw_status sw_refined_points(const sw_database *database, int64_t refinement, int32_t points[4]);

enum { SW_LISTS_MAX = 2 };

/* One list. */
typedef struct {
    int kind;                 /* sw_series_kind */
    int64_t n_terms;          /* K */
    int32_t (*wavenumber)[4]; /* [K]; the fourth 0 when folded */
    float *coefficient;       /* [K][sw_series_coefficients(kind)] */
} sw_terms_list;

typedef struct {
    int count;
    sw_terms_list list[SW_LISTS_MAX];
    int32_t *source; /* [K of all] index of the wavevector in the fold, list after list; NULL: not folded */
} sw_terms_lists;

/* Lists of the folded series: by symmetry, or one general list where the database lacks it. planes: with how these share slip,
 * which the database has. Room only: coefficients by sw_terms_lists_fill after each sw_fold_at. SW_ERR_MEMORY. */
sw_status sw_terms_lists_folded(sw_fold *fold, int planes, sw_terms_lists *lists);
void sw_terms_lists_fill(sw_terms_lists *lists, const sw_fold *fold);

/* Lists of the first n_pairs pairs in four dimensions, for points with their own theta, and the paper's form;
 * symmetric: whether the database splits (SW_FOLD_SPLIT); else one list of all outputs. planes: as above. */
sw_status sw_terms_lists_unfolded(const sw_database *database, int64_t n_pairs, int symmetric, int planes,
                                  sw_terms_lists *lists);
void sw_terms_lists_destroy(sw_terms_lists *lists);

#ifdef __cplusplus
}
#endif

#endif
