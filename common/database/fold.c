#include "fold.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"

/* The one of +-k that is kept: first non-zero wavenumber positive. */
static int is_canonical(const int16_t *k)
{
    for (int d = 0; d < 3; d++)
        if (k[d] != 0)
            return k[d] > 0;
    return 1;
}

typedef struct {
    int16_t k[3];
    int8_t conjugate;
    float share;
    int32_t term;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    for (int d = 0; d < 3; d++)
        if (a->k[d] != b->k[d])
            return a->k[d] < b->k[d] ? -1 : 1;
    if (a->term != b->term)
        return a->term < b->term ? -1 : 1;
    return a->conjugate - b->conjugate;
}

static int same_wavevector(const entry *a, const entry *b)
{
    return a->k[0] == b->k[0] && a->k[1] == b->k[1] && a->k[2] == b->k[2];
}

static sw_status group_entries(sw_fold *fold, int64_t t_count, const entry *sorted)
{
    int64_t groups = 0;
    for (int64_t t = 0; t < t_count; t++)
        groups += t == 0 || !same_wavevector(&sorted[t], &sorted[t - 1]);
    fold->n_wavevectors = groups;
    SW_TRY(SW_ALLOCATE(fold->term, t_count, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->share, t_count, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->first, groups + 1, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->wavevector, groups, "folded wavevectors"));
    SW_TRY(SW_ALLOCATE(fold->coefficient, groups, "folded coefficients"));
    int64_t g = -1;
    for (int64_t t = 0; t < t_count; t++) {
        if (t == 0 || !same_wavevector(&sorted[t], &sorted[t - 1])) {
            fold->first[++g] = t;
            memcpy(fold->wavevector[g], sorted[t].k, sizeof fold->wavevector[g]);
        }
        fold->term[t] = sorted[t].term;
        fold->share[t] = sorted[t].conjugate ? -sorted[t].share : sorted[t].share;
    }
    fold->first[groups] = t_count;
    return SW_OK;
}

/* Half a grid length stands for both signs: the sign changes that make a term's images. */
static int sign_changes(const sw_database *database, const int16_t k[4])
{
    int changes = 0;
    for (int d = 0; d < 3; d++)
        if (2 * llabs(k[d]) == database->shape[d])
            changes |= 1 << d;
    return changes;
}

/* The images of a term, up to 8. Returns how many. */
static int list_images(const sw_database *database, int64_t t, entry image[8])
{
    const int16_t *k = database->wavevector[t];
    const int changes = sign_changes(database, k);
    int count = 0;
    for (int flip = 0; flip < 8; flip++) {
        entry *e = &image[count];
        if ((flip & ~changes) != 0)
            continue;
        for (int d = 0; d < 3; d++)
            e->k[d] = (int16_t)(flip >> d & 1 ? -k[d] : k[d]);
        e->conjugate = !is_canonical(e->k);
        for (int d = 0; d < 3 && e->conjugate; d++)
            e->k[d] = (int16_t)-e->k[d];
        e->term = (int32_t)t;
        count++;
    }
    for (int i = 0; i < count; i++)
        image[i].share = 1.0F / (float)count;
    return count;
}

sw_status sw_fold_create(const sw_database *database, int64_t n_terms, sw_fold *fold)
{
    entry *entries, image[8];
    int64_t count = 0;
    *fold = (sw_fold){.database = database, .n_terms = n_terms};
    if (n_terms > INT32_MAX / 8)
        return sw_error(SW_ERR_RANGE, "%lld terms: need at most 2^28 to fold", (long long)n_terms);
    for (int64_t t = 0; t < n_terms; t++)
        count += list_images(database, t, image);
    SW_TRY(SW_ALLOCATE(entries, count, "terms to fold"));
    count = 0;
    for (int64_t t = 0; t < n_terms; t++) {
        const int images = list_images(database, t, image);
        memcpy(entries + count, image, (size_t)images * sizeof *image);
        count += images;
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    sw_status status = group_entries(fold, count, entries);
    free(entries);
    if (status != SW_OK)
        sw_fold_destroy(fold);
    return status;
}

void sw_fold_destroy(sw_fold *fold)
{
    free(fold->term);
    free(fold->share);
    free(fold->first);
    free(fold->wavevector);
    free(fold->coefficient);
    *fold = (sw_fold){0};
}

static void fold_group(sw_fold *fold, int64_t g, const double (*turn)[2], int64_t half)
{
    double sum[SW_OUTPUTS][2] = {{0}};
    for (int64_t i = fold->first[g]; i < fold->first[g + 1]; i++) {
        const int64_t t = fold->term[i];
        const int64_t k4 = fold->database->wavevector[t][3];
        const double flip = fold->database->weight[t] * (double)fold->share[i], weight = fabs(flip);
        const double re = turn[k4 + half][0], im = turn[k4 + half][1];
        for (int c = 0; c < SW_OUTPUTS; c++) {
            const float *a = fold->database->coefficient[t][c];
            sum[c][0] += weight * (a[0] * re - a[1] * im);
            sum[c][1] += flip * (a[0] * im + a[1] * re);
        }
    }
    for (int c = 0; c < SW_OUTPUTS; c++) {
        fold->coefficient[g][c][0] = (float)sum[c][0];
        fold->coefficient[g][c][1] = (float)sum[c][1];
    }
}

void sw_fold_factors(const sw_fold *fold, double theta, double (*turn)[2])
{
    const int64_t length = fold->database->shape[3], half = length / 2;
    for (int64_t k = -half; k <= half; k++) {
        turn[k + half][0] = cos((double)k * theta);
        turn[k + half][1] = 2 * llabs(k) == length ? 0 : sin((double)k * theta);
    }
}

void sw_fold_at(sw_fold *fold, double theta)
{
    enum { HALF = SW_GRID_LENGTH_MAX / 2 };
    static _Thread_local double turn[2 * HALF + 1][2];
    sw_fold_factors(fold, theta, turn);
    const double(*shared)[2] = turn;
    const int64_t half = fold->database->shape[3] / 2;
#pragma omp parallel for schedule(static)
    for (int64_t g = 0; g < fold->n_wavevectors; g++)
        fold_group(fold, g, shared, half);
}

/* What the last sets of symmetric terms, of 16 at most, can leave on the wrong side. */
static float last_terms(const sw_fold *fold)
{
    float largest = 0;
    for (int64_t t = fold->n_terms > 16 ? fold->n_terms - 16 : 0; t < fold->n_terms; t++)
        for (int c = 0; c < SW_OUTPUTS; c++)
            largest =
                fmaxf(largest, fold->database->weight[t] * hypotf(fold->database->coefficient[t][c][0],
                                                                  fold->database->coefficient[t][c][1]));
    return 16 * largest;
}

int sw_fold_symmetry(sw_fold *fold)
{
    static const int imaginary[SW_OUTPUTS] = {0, 0, 1, 0, 1, 1, 0, 1, 0};
    static const int odd[SW_OUTPUTS] = {0, 0, 0, 1, 1, 0, 1, 1, 0};
    float largest = 0, unsplit = 0, unreal = 0;
    sw_fold_at(fold, 1.0); /* a theta with no symmetry of its own */
    for (int64_t g = 0; g < fold->n_wavevectors; g++) {
        const int16_t *k = fold->wavevector[g];
        const int mean = k[0] == 0 && k[1] == 0 && k[2] == 0; /* its imaginary part has no effect */
        for (int c = 0; c < SW_OUTPUTS; c++) {
            const float re = fabsf(fold->coefficient[g][c][0]),
                        im = mean ? 0 : fabsf(fold->coefficient[g][c][1]);
            largest = fmaxf(largest, fmaxf(re, im));
            if ((k[0] & 1) != odd[c])
                unsplit = fmaxf(unsplit, fmaxf(re, im));
            else
                unreal = fmaxf(unreal, imaginary[c] ? re : im);
        }
    }
    const int split = unsplit <= 1e-5F * largest;
    const int real = split && unreal <= fmaxf(1e-5F * largest, last_terms(fold));
    return (split ? SW_FOLD_SPLIT : 0) | (real ? SW_FOLD_REAL : 0);
}
