#include "fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"

/* All wavevectors that there may be, in order, as numbers: -k has the number of k with the other sign, and of
 * the two that one is kept whose number, and first non-zero wavenumber, is positive. */
typedef struct {
    int64_t most[3];  /* largest wavenumbers */
    int step;         /* the third ones are multiples of it: of the crystal's fold, or of 1 */
    int64_t width[2]; /* of numbers that one more of the first and of the second wavenumber passes */
    int64_t count;    /* of numbers from 0 on */
    int32_t *at;      /* [count] how many terms have it; then where the next one of them goes */
} box;

static sw_status make_box(const sw_database *database, int64_t n_pairs, box *b)
{
    int most[3] = {0};
    b->step = sw_material_lattice(&database->material)->group->fold;
    for (int64_t t = 0; t < n_pairs; t++) {
        const int16_t *k = database->wavevector[t];
        for (int d = 0; d < 3; d++)
            most[d] = abs(k[d]) > most[d] ? abs(k[d]) : most[d];
        b->step = k[2] % b->step == 0 ? b->step : 1;
    }
    for (int d = 0; d < 3; d++)
        b->most[d] = most[d] / (d == 2 ? b->step : 1);
    b->width[1] = 2 * b->most[2] + 1;
    b->width[0] = (2 * b->most[1] + 1) * b->width[1];
    b->count = b->most[0] * b->width[0] + b->most[1] * b->width[1] + b->most[2] + 1;
    return SW_ALLOCATE(b->at, b->count, "wavevectors to fold");
}

static int64_t number_of(const box *b, int64_t k0, int64_t k1, int64_t k2)
{
    return k0 * b->width[0] + k1 * b->width[1] + k2 / b->step;
}

static void wavevector_of(const box *b, int64_t number, int16_t k[3])
{
    const int64_t from_first = number + b->most[1] * b->width[1] + b->most[2];
    k[0] = (int16_t)(from_first / b->width[0]);
    k[1] = (int16_t)(from_first % b->width[0] / b->width[1] - b->most[1]);
    k[2] = (int16_t)((from_first % b->width[1] - b->most[2]) * b->step);
}

enum { IMAGES_MAX = 8 };

/* Half a grid length stands for both signs: the wavevectors that a term enters; those of negative numbers
 * conjugated, and last. Returns how many. */
static int list_images(const sw_database *database, const box *b, int64_t t, int64_t number[IMAGES_MAX])
{
    const int16_t *k = database->wavevector[t];
    const int64_t *shape = database->shape;
    const int both0 = 2 * abs(k[0]) == shape[0], both1 = 2 * abs(k[1]) == shape[1],
              both2 = 2 * abs(k[2]) == shape[2];
    int count = 0;
    if (!(both0 | both1 | both2)) { /* all but a few */
        number[0] = number_of(b, k[0], k[1], k[2]);
        return 1;
    }
    for (int negative = 0; negative < 2; negative++)
        for (int flips = 0; flips < 8; flips++) {
            const int flip0 = flips & 1, flip1 = flips >> 1 & 1, flip2 = flips >> 2 & 1;
            const int64_t one =
                number_of(b, flip0 ? -k[0] : k[0], flip1 ? -k[1] : k[1], flip2 ? -k[2] : k[2]);
            if (flip0 <= both0 && flip1 <= both1 && flip2 <= both2 && (one < 0) == negative)
                number[count++] = one;
        }
    return count;
}

/* How many terms each wavevector has -> those that there are, and where their terms begin. */
static sw_status list_wavevectors(sw_fold *fold, box *b)
{
    int64_t groups = 0, g = 0;
    int32_t sum = 0;
    for (int64_t i = 0; i < b->count; i++)
        groups += b->at[i] > 0;
    fold->n_wavevectors = groups;
    SW_TRY(SW_ALLOCATE(fold->first, groups + 1, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->wavevector, groups, "folded wavevectors"));
    SW_TRY(SW_ALLOCATE(fold->coefficient, groups, "folded coefficients"));
    if (fold->database->planes != NULL)
        SW_TRY(SW_ALLOCATE(fold->planes, groups, "folded coefficients"));
    for (int64_t i = 0; i < b->count; i++) {
        const int32_t here = b->at[i];
        if (here > 0) {
            wavevector_of(b, i, fold->wavevector[g]);
            fold->first[g++] = sum;
        }
        b->at[i] = sum;
        sum += here;
    }
    fold->first[g] = sum;
    return SW_ALLOCATE(fold->image, sum, "folded terms");
}

/* By counting: twice through the terms. */
static sw_status sort_terms(sw_fold *fold, box *b)
{
    int64_t number[IMAGES_MAX];
    for (int64_t t = 0; t < fold->n_pairs; t++) {
        const int images = list_images(fold->database, b, t, number);
        for (int i = 0; i < images; i++)
            b->at[llabs(number[i])]++;
    }
    SW_TRY(list_wavevectors(fold, b));
    for (int64_t t = 0; t < fold->n_pairs; t++) {
        const int images = list_images(fold->database, b, t, number);
        const float share = 1.0F / (float)images;
        for (int i = 0; i < images; i++)
            fold->image[b->at[llabs(number[i])]++] =
                (sw_fold_image){(int32_t)t, number[i] < 0 ? -share : share};
    }
    return SW_OK;
}

sw_status sw_fold_create(const sw_database *database, int64_t n_pairs, sw_fold *fold)
{
    box b;
    *fold = (sw_fold){.database = database, .n_pairs = n_pairs};
    if (n_pairs > INT32_MAX / IMAGES_MAX)
        return sw_error(SW_ERR_RANGE, "%lld terms: need at most 2^29 to fold",
                        (long long)sw_terms_of_pairs(n_pairs));
    SW_TRY(make_box(database, n_pairs, &b));
    const sw_status status = sort_terms(fold, &b);
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
    free(fold->planes);
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

/* Of how planes share slip. */
static void fold_planes(sw_fold *fold, int64_t g, const double (*turn)[2], int64_t half)
{
    double sum[SW_PLANE_OUTPUTS][2] = {{0}};
    for (int64_t i = fold->first[g]; i < fold->first[g + 1]; i++) {
        const int64_t t = fold->image[i].term, k4 = fold->database->wavevector[t][3];
        const double flip = fold->database->weight[t] * (double)fold->image[i].share, weight = fabs(flip);
        const double re = turn[k4 + half][0], im = turn[k4 + half][1];
        for (int c = 0; c < SW_PLANE_OUTPUTS; c++) {
            const float *a = fold->database->planes[t][c];
            sum[c][0] += weight * (a[0] * re - a[1] * im);
            sum[c][1] += flip * (a[0] * im + a[1] * re);
        }
    }
    for (int c = 0; c < SW_PLANE_OUTPUTS; c++)
        for (int part = 0; part < 2; part++)
            fold->planes[g][c][part] = (float)sum[c][part];
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
    const double nanoseconds = 20; /* of an image */
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(fold->first[fold->n_wavevectors], nanoseconds))
    for (int64_t g = 0; g < fold->n_wavevectors; g++)
        fold_group(fold, g, shared, half);
    if (fold->planes == NULL)
        return;
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(fold->first[fold->n_wavevectors], nanoseconds))
    for (int64_t g = 0; g < fold->n_wavevectors; g++)
        fold_planes(fold, g, shared, half);
}

/* What the last sets of symmetric terms, of 16 at most, can leave on the wrong side. */
static float last_terms(const sw_fold *fold)
{
    float largest = 0;
    for (int64_t t = fold->n_pairs > 16 ? fold->n_pairs - 16 : 0; t < fold->n_pairs; t++)
        for (int c = 0; c < sw_database_outputs(fold->database); c++) {
            const float *a = sw_database_coefficient(fold->database, t, c);
            largest = fmaxf(largest, fold->database->weight[t] * hypotf(a[0], a[1]));
        }
    return 16 * largest;
}

int sw_fold_symmetry(sw_fold *fold)
{
    static const int imaginary[SW_OUTPUTS_MOST] = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0};
    static const int odd[SW_OUTPUTS_MOST] = {0, 0, 0, 1, 1, 0, 1, 1, 0};
    const int outputs = sw_database_outputs(fold->database);
    float largest = 0, unsplit = 0, unreal = 0;
    sw_fold_at(fold, 1.0); /* a theta with no symmetry of its own */
    for (int64_t g = 0; g < fold->n_wavevectors; g++) {
        const int16_t *k = fold->wavevector[g];
        const int mean = k[0] == 0 && k[1] == 0 && k[2] == 0; /* its imaginary part has no effect */
        for (int c = 0; c < outputs; c++) {
            const float *a = sw_fold_coefficient(fold, g, c), re = fabsf(a[0]), im = mean ? 0 : fabsf(a[1]);
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
