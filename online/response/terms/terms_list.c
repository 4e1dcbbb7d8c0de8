#include "common/math/lanes_float.h"

#include "terms_list.h"

#include <stdlib.h>
#include <string.h>

#include "series.h"

sw_status sw_refined_points(const sw_database *database, int64_t refinement, int32_t points[4])
{
    for (int d = 0; d < 4; d++) {
        if (database->shape[d] * refinement > 1 << 22)
            return sw_error(SW_ERR_RANGE,
                            "refinement = %lld: %lld points a turn of the refined grid: need at most %d",
                            (long long)refinement, (long long)(database->shape[d] * refinement), 1 << 22);
        points[d] = (int32_t)(database->shape[d] * refinement);
    }
    return SW_OK;
}

static sw_status allocate(sw_terms_list *list, sw_series_kind kind, int64_t n_terms)
{
    list->kind = kind;
    list->n_terms = n_terms;
    SW_TRY(SW_ALLOCATE(list->wavenumber, n_terms, "terms"));
    return SW_ALLOCATE(list->coefficient, n_terms * sw_series_coefficients(kind), "terms");
}

void sw_terms_lists_destroy(sw_terms_lists *lists)
{
    for (int i = 0; i < SW_LISTS_MAX; i++) {
        free(lists->list[i].wavenumber);
        free(lists->list[i].coefficient);
    }
    free(lists->source);
    *lists = (sw_terms_lists){0};
}

/* Which outputs a kind of list holds, in its order; folded: part 0 real, 1 minus imaginary. */
static const struct {
    int count, output[SW_OUTPUTS_MOST], part[SW_OUTPUTS_MOST];
} content[SW_SERIES_KINDS] = {
    [SW_SERIES_GENERAL] = {9, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {0}},
    [SW_SERIES_EVEN] = {5, {0, 1, 2, 5, 8}, {0}},
    [SW_SERIES_ODD] = {4, {3, 4, 6, 7}, {0}},
    [SW_SERIES_EVEN_FOLDED] = {5, {0, 1, 8, 2, 5}, {0, 0, 0, 1, 1}},
    [SW_SERIES_ODD_FOLDED] = {4, {3, 6, 4, 7}, {0, 0, 1, 1}},
    [SW_SERIES_GENERAL_PLANES] = {13, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {0}},
    [SW_SERIES_EVEN_PLANES] = {9, {0, 1, 2, 5, 8, 9, 10, 11, 12}, {0}},
    [SW_SERIES_EVEN_FOLDED_PLANES] = {9, {0, 1, 8, 2, 5, 9, 12, 10, 11}, {0, 0, 0, 1, 1, 0, 0, 1, 1}},
};

/* coefficient [9]; planes [4], or NULL. */
static void put(sw_terms_list *list, int64_t at, double re_weight, double im_weight,
                const float (*coefficient)[2], const float (*planes)[2])
{
    const int folded = list->kind == SW_SERIES_EVEN_FOLDED || list->kind == SW_SERIES_ODD_FOLDED ||
                       list->kind == SW_SERIES_EVEN_FOLDED_PLANES;
    float *to = list->coefficient + at * sw_series_coefficients((sw_series_kind)list->kind);
    for (int i = 0; i < content[list->kind].count; i++) {
        const int c = content[list->kind].output[i];
        const float *a = c < SW_OUTPUTS ? coefficient[c] : planes[c - SW_OUTPUTS];
        if (folded)
            *to++ = content[list->kind].part[i] ? -a[1] : a[0];
        else {
            *to++ = (float)(re_weight * a[0]);
            *to++ = (float)(im_weight * a[1]);
        }
    }
}

sw_status sw_terms_lists_folded(sw_fold *fold, int planes, sw_terms_lists *lists)
{
    const int symmetric = sw_fold_symmetry(fold) == (SW_FOLD_SPLIT | SW_FOLD_REAL);
    const sw_series_kind kind[2] = {symmetric
                                        ? (planes ? SW_SERIES_EVEN_FOLDED_PLANES : SW_SERIES_EVEN_FOLDED)
                                        : (planes ? SW_SERIES_GENERAL_PLANES : SW_SERIES_GENERAL),
                                    SW_SERIES_ODD_FOLDED};
    int64_t odd = 0, at[2] = {0};
    *lists = (sw_terms_lists){.count = symmetric ? 2 : 1};
    for (int64_t g = 0; g < fold->n_wavevectors; g++)
        odd += symmetric && (fold->wavevector[g][0] & 1);
    const int64_t size[2] = {fold->n_wavevectors - odd, odd};
    sw_status status = SW_ALLOCATE(lists->source, fold->n_wavevectors, "terms");
    for (int i = 0; i < (symmetric ? 2 : 1) && status == SW_OK; i++)
        status = allocate(&lists->list[i], kind[i], size[i]);
    if (status != SW_OK) {
        sw_terms_lists_destroy(lists);
        return status;
    }
    for (int64_t g = 0; g < fold->n_wavevectors; g++) {
        const int i = symmetric && (fold->wavevector[g][0] & 1);
        for (int d = 0; d < 3; d++)
            lists->list[i].wavenumber[at[i]][d] = fold->wavevector[g][d];
        lists->source[i * size[0] + at[i]++] = (int32_t)g;
    }
    return SW_OK;
}

void sw_terms_lists_fill(sw_terms_lists *lists, const sw_fold *fold)
{
    const int32_t *source = lists->source;
    for (int i = 0; i < lists->count; i++)
        for (int64_t t = 0; t < lists->list[i].n_terms; t++, source++)
            put(&lists->list[i], t, 1, 1, (const float(*)[2])fold->coefficient[*source],
                fold->planes != NULL ? (const float(*)[2])fold->planes[*source] : NULL);
}

/* In four dimensions half a grid length stands for both signs: images of half the weight, up to 16. */
static int list_images(const sw_database *database, int64_t t, int16_t image[16][4])
{
    const int16_t *k = database->wavevector[t];
    int count = 0, changes = 0;
    for (int d = 0; d < 4; d++)
        changes |= (2 * llabs(k[d]) == database->shape[d]) << d;
    for (int flip = 0; flip < 16; flip++)
        if ((flip & ~changes) == 0) {
            for (int d = 0; d < 4; d++)
                image[count][d] = (int16_t)(flip >> d & 1 ? -k[d] : k[d]);
            count++;
        }
    return count;
}

sw_status sw_terms_lists_unfolded(const sw_database *database, int64_t n_pairs, int symmetric, int planes,
                                  sw_terms_lists *lists)
{
    const sw_series_kind kind[2] = {symmetric ? (planes ? SW_SERIES_EVEN_PLANES : SW_SERIES_EVEN)
                                              : (planes ? SW_SERIES_GENERAL_PLANES : SW_SERIES_GENERAL),
                                    SW_SERIES_ODD};
    int16_t image[16][4];
    int64_t size[2] = {0}, at[2] = {0};
    *lists = (sw_terms_lists){.count = symmetric ? 2 : 1};
    for (int64_t t = 0; t < n_pairs; t++)
        size[symmetric && (database->wavevector[t][0] & 1)] += list_images(database, t, image);
    sw_status status = SW_OK;
    for (int i = 0; i < (symmetric ? 2 : 1) && status == SW_OK; i++)
        status = allocate(&lists->list[i], kind[i], size[i]);
    if (status != SW_OK) {
        sw_terms_lists_destroy(lists);
        return status;
    }
    for (int64_t t = 0; t < n_pairs; t++) {
        const int i = symmetric && (database->wavevector[t][0] & 1), images = list_images(database, t, image);
        const double weight = (double)database->weight[t] / images;
        for (int m = 0; m < images; m++) {
            for (int d = 0; d < 4; d++)
                lists->list[i].wavenumber[at[i]][d] = image[m][d];
            put(&lists->list[i], at[i]++, weight, weight, (const float(*)[2])database->coefficient[t],
                planes ? (const float(*)[2])database->planes[t] : NULL);
        }
    }
    return SW_OK;
}
