#include "spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"

/* Half spectra [9][n0][n1][n2][n3/2 + 1] of a field with n2 = a quarter of the grid's phi2 points. */
typedef struct {
    int64_t grid_shape[4];
    int64_t n[4]; /* of the reduced field */
    int64_t half; /* n3/2 + 1 */
    int64_t size; /* complex values of one output */
    fftwf_complex *value[SW_OUTPUTS];
    double variance[SW_OUTPUTS]; /* of the whole field */
} spectra;

static void spectra_free(spectra *s)
{
    for (int c = 0; c < SW_OUTPUTS; c++)
        fftwf_free(s->value[c]);
}

/* A transform a thread, each of one output: FFTW's own threads would make the bits depend on their
 * number. In place: rows are padded in the last dimension. */
static void transform(spectra *s, fftwf_plan plan, int output)
{
    const int64_t rows = s->n[0] * s->n[1] * s->n[2], points = rows * s->n[3];
    float *field = (float *)s->value[output];
    for (int64_t r = rows - 1; r > 0; r--)
        memmove(field + r * 2 * s->half, field + r * s->n[3], (size_t)s->n[3] * sizeof *field);
    fftwf_execute_dft_r2c(plan, field, s->value[output]);
    const float scale = (float)(1.0 / (double)points);
    for (int64_t i = 0; i < s->size; i++) {
        s->value[output][i][0] *= scale;
        s->value[output][i][1] *= scale;
    }
}

static sw_status spectra_create(const sw_response_grid *grid, spectra *s)
{
    memset(s, 0, sizeof *s);
    memcpy(s->grid_shape, grid->shape, sizeof s->grid_shape);
    memcpy(s->n, grid->shape, sizeof s->n);
    s->n[2] /= 4;
    s->half = s->n[3] / 2 + 1;
    s->size = s->n[0] * s->n[1] * s->n[2] * s->half;
    if (s->size > UINT32_MAX)
        return sw_error(SW_ERR_RANGE, "grid: its half spectrum has %.3g wavevectors: need fewer than 2^32",
                        (double)s->size);
    for (int c = 0; c < SW_OUTPUTS; c++) {
        s->value[c] = fftwf_alloc_complex((size_t)s->size);
        if (s->value[c] == NULL) {
            spectra_free(s);
            return sw_error(SW_ERR_MEMORY, "spectra: %.3g GB of memory refused",
                            9.0 * 8e-9 * (double)s->size);
        }
    }
    int n[4];
    for (int d = 0; d < 4; d++)
        n[d] = (int)s->n[d];
    fftwf_plan plan = fftwf_plan_dft_r2c(4, n, (float *)s->value[0], s->value[0], FFTW_ESTIMATE);
    if (plan == NULL) {
        spectra_free(s);
        return sw_error(SW_ERR_MEMORY, "FFTW cannot plan the transform of %d x %d x %d x %d", n[0], n[1],
                        n[2], n[3]);
    }
    float *field[SW_OUTPUTS];
    for (int c = 0; c < SW_OUTPUTS; c++)
        field[c] = (float *)s->value[c];
    sw_response_grid_expand(grid, field);
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = 0; c < SW_OUTPUTS; c++)
        transform(s, plan, c);
    fftwf_destroy_plan(plan);
    return SW_OK;
}

/* Signed wavevector of a place in the half spectrum; k3 counts in the full grid's units. */
static void wavevector_of(const spectra *s, int64_t index, int64_t k[4])
{
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 3; d >= 0; d--) {
        const int64_t j = index % extent[d];
        index /= extent[d];
        k[d] = 2 * j > s->n[d] ? j - s->n[d] : j;
        if (d == 2)
            k[d] *= 4;
    }
}

/* 2: one of a pair and kept; 1: its own conjugate; 0: the other one of a pair is kept. */
static int weight_of(const spectra *s, int64_t index)
{
    int64_t k[4], mirror = 0;
    wavevector_of(s, index, k);
    if (k[3] != 0 && 2 * k[3] != s->n[3])
        return 2; /* its conjugate is in the half that is not stored */
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 0; d < 4; d++) {
        const int64_t j = d == 3 ? k[3] : ((d == 2 ? -k[2] / 4 : -k[d]) % s->n[d] + s->n[d]) % s->n[d];
        mirror = mirror * extent[d] + j;
    }
    return mirror == index ? 1 : mirror > index ? 2 : 0;
}

static double squared(const fftwf_complex a) { return (double)a[0] * a[0] + (double)a[1] * a[1]; }

static void measure_variance(spectra *s)
{
    for (int c = 0; c < SW_OUTPUTS; c++)
        for (int64_t i = 1; i < s->size; i++)
            s->variance[c] += weight_of(s, i) * squared(s->value[c][i]);
}

typedef struct {
    float magnitude;
    uint32_t index;
} ranked;

/* Largest first; equals by place, so that the order is defined. */
static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->magnitude != b->magnitude)
        return a->magnitude > b->magnitude ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The magnitude that at least `terms` candidates reach and hardly more: from a histogram of the upper bits
 * of their float patterns, which order positive numbers as their values do. */
static float threshold_for(const float *magnitude, int64_t size, int64_t terms)
{
    enum { SHIFT = 12, BINS = 1 << (32 - SHIFT) };
    uint32_t *count = calloc(BINS, sizeof *count);
    if (count == NULL)
        return 0; /* sorting everything is slower and right */
    for (int64_t i = 0; i < size; i++)
        count[float_bits(magnitude[i]) >> SHIFT]++;
    int64_t above = 0, bin = BINS - 1;
    for (; bin > 0 && (above += count[bin]) < terms; bin--)
        ;
    free(count);
    const uint32_t bits = (uint32_t)bin << SHIFT;
    float threshold;
    memcpy(&threshold, &bits, sizeof threshold);
    return threshold;
}

/* Of variance 1. Wavevectors that symmetry forbids come out of the single precision transform below this; the
 * smallest allowed ones of a 128^3 x 96 grid are a hundred times larger. */
static const float negligible = 1e-9F;

static sw_status rank(const spectra *s, int64_t terms, ranked **order, int64_t *count)
{
    float *magnitude = NULL;
    *order = NULL;
    *count = 0;
    SW_TRY(SW_ALLOCATE(magnitude, s->size, "magnitudes"));
#pragma omp parallel for schedule(static)
    for (int64_t i = 1; i < s->size; i++) {
        if (weight_of(s, i) == 0)
            continue;
        double sum = 0;
        for (int c = 0; c < SW_OUTPUTS; c++)
            sum += s->variance[c] > 0 ? squared(s->value[c][i]) / s->variance[c] : 0;
        magnitude[i] = (float)sqrt(sum);
    }
    const float least = fmaxf(negligible, terms > 0 ? threshold_for(magnitude, s->size, terms) : 0);
    for (int64_t i = 1; i < s->size; i++)
        *count += magnitude[i] >= least;
    sw_status status = SW_ALLOCATE(*order, *count, "ranking");
    for (int64_t i = 1, n = 0; i < s->size && status == SW_OK; i++)
        if (magnitude[i] >= least)
            (*order)[n++] = (ranked){magnitude[i], (uint32_t)i};
    free(magnitude);
    if (status == SW_OK)
        qsort(*order, (size_t)*count, sizeof **order, compare_ranked);
    return status;
}

/* Zero what is far below round-off: symmetry's zeros come out of the transform as subnormal numbers, each of
 * which costs an evaluation a hundred times an ordinary multiplication. */
static float flush(float x) { return fabsf(x) < 1e-20F ? 0 : x; }

static void keep_term(const spectra *s, int64_t index, float magnitude, sw_database *database, int64_t t)
{
    int64_t k[4];
    wavevector_of(s, index, k);
    for (int d = 0; d < 4; d++)
        database->wavevector[t][d] = (int16_t)k[d];
    for (int c = 0; c < SW_OUTPUTS; c++) {
        database->coefficient[t][c][0] = flush(s->value[c][index][0]);
        database->coefficient[t][c][1] = flush(s->value[c][index][1]);
    }
    database->weight[t] = (float)weight_of(s, index);
    database->magnitude[t] = magnitude;
}

static sw_status gather(const spectra *s, int64_t pairs, sw_database *database)
{
    ranked *order;
    int64_t count;
    SW_TRY(rank(s, pairs > 0 ? pairs - 1 : 0, &order, &count));
    database->n_pairs = pairs > 0 && pairs < count + 1 ? pairs : count + 1;
    memcpy(database->shape, s->grid_shape, sizeof database->shape);
    sw_status status = SW_ALLOCATE(database->wavevector, database->n_pairs, "wavevectors");
    status = status ? status : SW_ALLOCATE(database->coefficient, database->n_pairs, "coefficients");
    status = status ? status : SW_ALLOCATE(database->weight, database->n_pairs, "weights");
    status = status ? status : SW_ALLOCATE(database->magnitude, database->n_pairs, "magnitudes");
    if (status == SW_OK) {
        double mean = 0;
        for (int c = 0; c < SW_OUTPUTS; c++)
            mean += s->variance[c] > 0 ? squared(s->value[c][0]) / s->variance[c] : 0;
        keep_term(s, 0, (float)sqrt(mean), database, 0);
        for (int64_t t = 1; t < database->n_pairs; t++)
            keep_term(s, order[t - 1].index, order[t - 1].magnitude, database, t);
        for (int c = 0; c < SW_OUTPUTS; c++) {
            double captured = 0;
            for (int64_t t = 1; t < database->n_pairs; t++)
                captured += database->weight[t] * squared(database->coefficient[t][c]);
            database->captured_variance[c] = s->variance[c] > 0 ? captured / s->variance[c] : 1;
        }
    }
    free(order);
    return status;
}

sw_status sw_spectrum_rank(const sw_response_grid *grid, int64_t pairs, int quiet, sw_database *database)
{
    spectra s;
    sw_progress progress;
    sw_progress_begin(&progress, "transform", "outputs", SW_OUTPUTS, quiet);
    SW_TRY(spectra_create(grid, &s));
    sw_progress_end(&progress);
    measure_variance(&s);
    sw_progress_begin(&progress, "rank", "wavevectors", s.size, quiet);
    sw_status status = gather(&s, pairs, database);
    spectra_free(&s);
    if (status == SW_OK)
        sw_progress_end(&progress);
    return status;
}
