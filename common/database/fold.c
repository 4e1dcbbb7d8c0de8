#include "fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"

/* The one of +-k that is kept: first non-zero wavenumber positive. */
static int is_canonical(const int16_t k[3])
{
    for (int d = 0; d < 3; d++)
        if (k[d] != 0)
            return k[d] > 0;
    return 1;
}

/* Half a grid length stands for both signs: the sign changes that make a term's images. */
static int sign_changes(const sw_database *database, const int16_t k[4])
{
    int changes = 0;
    for (int d = 0; d < 3; d++)
        changes |= (2 * llabs(k[d]) == database->shape[d]) << d;
    return changes;
}

/* A wavevector that a term enters, as it is or conjugated. */
typedef struct {
    int16_t k[3];
    int conjugate;
} image;

enum { IMAGES_MAX = 8 };

/* k with some signs changed. */
static image image_of(const int16_t k[3], int flips)
{
    image one;
    for (int d = 0; d < 3; d++)
        one.k[d] = (int16_t)(flips >> d & 1 ? -k[d] : k[d]);
    one.conjugate = !is_canonical(one.k);
    for (int d = 0; d < 3 && one.conjugate; d++)
        one.k[d] = (int16_t)-one.k[d];
    return one;
}

/* The images of a term, those that are not conjugated first. Returns how many. */
static int list_images(const sw_database *database, int64_t t, image list[IMAGES_MAX])
{
    const int16_t *k = database->wavevector[t];
    const int changes = sign_changes(database, k);
    int count = 0;
    if (changes == 0) { /* all but a few */
        list[0] = image_of(k, 0);
        return 1;
    }
    for (int conjugate = 0; conjugate < 2; conjugate++)
        for (int flips = 0; flips <= changes; flips++)
            if ((flips & ~changes) == 0) {
                list[count] = image_of(k, flips);
                count += list[count].conjugate == conjugate;
            }
    return count;
}

/* ---- Images sorted by wavevector: counted in bins, one for each in the box of those that there are ---- */

typedef struct {
    int64_t most[3], step;   /* largest wavenumbers; what the third is a multiple of */
    int64_t width[2], count; /* bins that one more of the first and of the second passes; all */
    int32_t *at;             /* [count] how many images; then where the next one goes */
} bins;

static int64_t bin_of(const bins *b, const int16_t k[3])
{
    return k[0] * b->width[0] + (k[1] + b->most[1]) * b->width[1] + (k[2] + b->most[2]) / b->step;
}

static sw_status make_bins(const sw_database *database, int64_t n_terms, bins *b)
{
    int most[3] = {0}, bits = 0;
    for (int64_t t = 0; t < n_terms; t++) {
        const int16_t *k = database->wavevector[t];
        for (int d = 0; d < 3; d++)
            most[d] = abs(k[d]) > most[d] ? abs(k[d]) : most[d];
        bits |= k[2];
    }
    for (int d = 0; d < 3; d++)
        b->most[d] = most[d];
    b->step = bits % 4 == 0 ? 4 : 1;
    b->width[1] = 2 * b->most[2] / b->step + 1;
    b->width[0] = (2 * b->most[1] + 1) * b->width[1];
    b->count = (b->most[0] + 1) * b->width[0];
    return SW_ALLOCATE(b->at, b->count, "wavevectors to fold");
}

/* How many images each bin has -> the wavevectors that there are, and where their images begin. */
static sw_status list_wavevectors(sw_fold *fold, bins *b)
{
    int64_t groups = 0, g = 0;
    int32_t sum = 0;
    for (int64_t i = 0; i < b->count; i++)
        groups += b->at[i] > 0;
    fold->n_wavevectors = groups;
    SW_TRY(SW_ALLOCATE(fold->first, groups + 1, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->wavevector, groups, "folded wavevectors"));
    SW_TRY(SW_ALLOCATE(fold->coefficient, groups, "folded coefficients"));
    for (int64_t i = 0; i < b->count; i++) {
        const int32_t here = b->at[i];
        if (here > 0) {
            fold->wavevector[g][0] = (int16_t)(i / b->width[0]);
            fold->wavevector[g][1] = (int16_t)(i % b->width[0] / b->width[1] - b->most[1]);
            fold->wavevector[g][2] = (int16_t)(i % b->width[1] * b->step - b->most[2]);
            fold->first[g++] = sum;
        }
        b->at[i] = sum;
        sum += here;
    }
    fold->first[g] = sum;
    return SW_ALLOCATE(fold->image, sum, "folded terms");
}

static sw_status sort_images(sw_fold *fold, bins *b)
{
    image list[IMAGES_MAX];
    for (int64_t t = 0; t < fold->n_terms; t++) {
        const int images = list_images(fold->database, t, list);
        for (int i = 0; i < images; i++)
            b->at[bin_of(b, list[i].k)]++;
    }
    SW_TRY(list_wavevectors(fold, b));
    for (int64_t t = 0; t < fold->n_terms; t++) {
        const int images = list_images(fold->database, t, list);
        const float share = 1.0F / (float)images;
        for (int i = 0; i < images; i++)
            fold->image[b->at[bin_of(b, list[i].k)]++] =
                (sw_fold_image){(int32_t)t, list[i].conjugate ? -share : share};
    }
    return SW_OK;
}

sw_status sw_fold_create(const sw_database *database, int64_t n_terms, sw_fold *fold)
{
    bins b;
    *fold = (sw_fold){.database = database, .n_terms = n_terms};
    if (n_terms > INT32_MAX / IMAGES_MAX)
        return sw_error(SW_ERR_RANGE, "%lld terms: need at most 2^28 to fold", (long long)n_terms);
    SW_TRY(make_bins(database, n_terms, &b));
    const sw_status status = sort_images(fold, &b);
    free(b.at);
    if (status != SW_OK)
        sw_fold_destroy(fold);
    return status;
}

void sw_fold_destroy(sw_fold *fold)
{
    free(fold->image);
    free(fold->first);
    free(fold->wavevector);
    free(fold->coefficient);
    *fold = (sw_fold){0};
}

/* Terms are in the order of their magnitude, those of a wavevector all over the memory: to ask for them ahead
 * is four times as fast as to wait for each. Inlined, for GCC drops calls of a function without effects. */
__attribute__((always_inline)) static inline void fetch(const sw_fold *fold, int64_t i)
{
    enum { AHEAD = 8 };
    if (i + AHEAD >= fold->first[fold->n_wavevectors])
        return;
    const int64_t t = fold->image[i + AHEAD].term;
    const float(*coefficient)[2] = fold->database->coefficient[t];
    __builtin_prefetch(&coefficient[0]);
    __builtin_prefetch(&coefficient[SW_OUTPUTS - 1]);
    __builtin_prefetch(fold->database->wavevector[t]);
    __builtin_prefetch(&fold->database->weight[t]);
}

static void fold_group(sw_fold *fold, int64_t g, const double (*turn)[2], int64_t half)
{
    double sum[SW_OUTPUTS][2] = {{0}};
    for (int64_t i = fold->first[g]; i < fold->first[g + 1]; i++) {
        const int64_t t = fold->image[i].term;
        fetch(fold, i);
        const int64_t k4 = fold->database->wavevector[t][3];
        const double flip = fold->database->weight[t] * (double)fold->image[i].share, weight = fabs(flip);
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
    const int64_t half = fold->database->shape[3] / 2, images = fold->first[fold->n_wavevectors];
    const double nanoseconds = 20; /* of an image */
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(images, nanoseconds))
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
