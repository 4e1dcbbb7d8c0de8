/* Half spectra on the CPU, by FFTW: spectra.h says what. */
#include "spectra.h"

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/transform.h"
#include "common/system/memory.h"

typedef struct {
    fftwf_complex *room[SW_OUTPUTS_MOST]; /* [together], each [n0][n1][n2][half] */
    void *plan;
    double *energy; /* [size] sum over outputs of |coefficient|^2 / variance; 0 where the other one of a
                       pair is kept */
} spectra;

static sw_status open_cpu(sw_spectra *s)
{
    spectra *own;
    SW_TRY(SW_ALLOCATE(own, 1, "spectra"));
    s->data = own;
    for (int c = 0; c < s->together; c++) {
        own->room[c] = fftwf_alloc_complex((size_t)s->half.size);
        if (own->room[c] == NULL)
            return sw_error(SW_ERR_MEMORY, "spectra: %.3g GB of memory refused",
                            s->together * 8e-9 * (double)s->half.size);
    }
    int n[4];
    for (int d = 0; d < 4; d++)
        n[d] = (int)s->half.n[d];
    return sw_transform_plan(4, n, 1, (float *)own->room[0], own->room[0], &own->plan);
}

static void close_cpu(sw_spectra *s)
{
    spectra *own = s->data;
    if (own == NULL)
        return;
    for (int c = 0; c < s->together; c++)
        fftwf_free(own->room[c]);
    sw_transform_destroy(own->plan);
    free(own->energy);
    free(own);
}

/* The spectrum of an output that is there. */
static const fftwf_complex *spectrum_of(const sw_spectra *s, int output)
{
    const spectra *own = s->data;
    return (const fftwf_complex *)own->room[output - s->first];
}

/* ---- Transforming ---- */

/* A transform a thread, each of one output: FFTW's own threads would make the bits depend on their
 * number. In place: rows are padded in the last dimension. */
static void transform(const sw_spectra *s, fftwf_complex *value)
{
    const spectra *own = s->data;
    const sw_half_spectrum *half = &s->half;
    const int64_t points = half->n[0] * half->n[1] * half->n[2] * half->n[3];
    fftwf_execute_dft_r2c(own->plan, (float *)value, value);
    const float scale = (float)(1.0 / (double)points);
    for (int64_t i = 0; i < half->size; i++) {
        value[i][0] *= scale;
        value[i][1] *= scale;
    }
}

static sw_status transform_cpu(sw_spectra *s, int first, int count)
{
    const spectra *own = s->data;
    float *field[SW_OUTPUTS_MOST] = {NULL};
    s->first = first;
    s->count = count;
    for (int c = 0; c < count; c++)
        field[first + c] = (float *)own->room[c];
    sw_response_grid_expand(s->grid, 2 * s->half.half, field);
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = 0; c < count; c++)
        transform(s, own->room[c]);
    return SW_OK;
}

/* ---- How large wavevectors are ---- */

static double variance_of(const sw_spectra *s, int output)
{
    const fftwf_complex *value = spectrum_of(s, output);
    double sum = 0;
    for (int64_t i = 1; i < s->half.size; i++)
        sum += sw_half_spectrum_weight(&s->half, i) * sw_squared(value[i]);
    return sum;
}

static sw_status add_energies_cpu(sw_spectra *s)
{
    spectra *own = s->data;
    const int end = s->first + s->count;
    if (own->energy == NULL)
        SW_TRY(SW_ALLOCATE(own->energy, s->half.size, "magnitudes"));
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = s->first; c < end; c++)
        s->variance[c] = variance_of(s, c);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < s->half.size; i++) {
        if (sw_half_spectrum_weight(&s->half, i) == 0)
            continue;
        for (int c = s->first; c < end; c++)
            own->energy[i] += s->variance[c] > 0 ? sw_squared(spectrum_of(s, c)[i]) / s->variance[c] : 0;
    }
    return SW_OK;
}

/* ---- Ranking ---- */

/* Largest first; equals by place, so that the order is defined. */
static int compare_ranked(const void *left, const void *right)
{
    const sw_ranked *a = left, *b = right;
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

/* The magnitude that at least `pairs` candidates reach and hardly more: from a histogram of the upper bits
 * of their float patterns, which order positive numbers as their values do. */
static float threshold_for(const double *energy, int64_t size, int64_t pairs)
{
    enum { SHIFT = 12, BINS = 1 << (32 - SHIFT) };
    uint32_t *count = calloc(BINS, sizeof *count);
    if (count == NULL)
        return 0; /* sorting everything is slower and right */
    for (int64_t i = 1; i < size; i++)
        count[float_bits(sw_magnitude_of(energy[i])) >> SHIFT]++;
    int64_t above = 0, bin = BINS - 1;
    for (; bin > 0 && (above += count[bin]) < pairs; bin--)
        ;
    free(count);
    const uint32_t bits = (uint32_t)bin << SHIFT;
    float threshold;
    memcpy(&threshold, &bits, sizeof threshold);
    return threshold;
}

static sw_status rank_cpu(sw_spectra *s, int64_t pairs, sw_ranked **kept, int64_t *n)
{
    spectra *own = s->data;
    const double *energy = own->energy;
    const int64_t size = s->half.size;
    const float least = fmaxf(SW_NEGLIGIBLE, pairs > 1 ? threshold_for(energy, size, pairs - 1) : 0);
    int64_t count = 1;
    for (int64_t i = 1; i < size; i++)
        count += sw_magnitude_of(energy[i]) >= least;
    SW_TRY(SW_ALLOCATE(*kept, count, "ranking"));
    (*kept)[0] = (sw_ranked){sw_magnitude_of(energy[0]), 0};
    for (int64_t i = 1, at = 1; i < size; i++)
        if (sw_magnitude_of(energy[i]) >= least)
            (*kept)[at++] = (sw_ranked){sw_magnitude_of(energy[i]), (uint32_t)i};
    qsort(*kept + 1, (size_t)(count - 1), sizeof **kept, compare_ranked);
    *n = pairs > 0 && pairs < count ? pairs : count;
    free(own->energy);
    own->energy = NULL;
    return SW_OK;
}

static sw_status gather_cpu(const sw_spectra *s, int output, int64_t n, const sw_ranked *kept,
                            const sw_database *database)
{
    const fftwf_complex *value = spectrum_of(s, output);
    for (int64_t t = 0; t < n; t++)
        for (int part = 0; part < 2; part++)
            sw_database_coefficient(database, t, output)[part] = sw_flushed(value[kept[t].index][part]);
    return SW_OK;
}

/* Half spectra in single precision (each a quarter of a cubic grid's points in floats: phi2's period is a quarter turn), the
 * distinct points' responses, and the larger of a double a wavevector and of the pairs. */
static double memory_cpu(const sw_response_grid *grid, int64_t pairs, int together)
{
    const double size = (double)sw_half_spectrum_of(grid->shape, grid->symmetries.fold).size;
    const double kept = pairs > 0 ? fmin((double)pairs, size) : size;
    const size_t term = sizeof(sw_ranked) + (size_t)grid->outputs * 2 * sizeof(float) +
                        sizeof *((sw_database *)0)->wavevector + 2 * sizeof(float);
    return (double)grid->n_points * (double)(sizeof *grid->output + sizeof *grid->point) +
           together * size * (double)sizeof(fftwf_complex) + fmax(size * sizeof(double), kept * (double)term);
}

const sw_spectra_functions sw_spectra_cpu = {
    .open = open_cpu,
    .transform = transform_cpu,
    .add_energies = add_energies_cpu,
    .rank = rank_cpu,
    .gather = gather_cpu,
    .close = close_cpu,
    .memory = memory_cpu,
    .available = sw_memory_available,
};
