#include "spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "common/files/hash.h"
#include "common/system/progress.h"
#include "spectra.h"

typedef struct {
    float magnitude;
    uint32_t index; /* in a half spectrum */
} ranked;

typedef struct {
    const sw_spectrum_options *options;
    sw_spectra spectra;
    double variance[SW_OUTPUTS]; /* of the whole field */
    double *energy; /* [size] sum over outputs of |coefficient|^2 / variance; 0 where the other one of a
                                    pair is kept */
    ranked *kept;   /* [n_pairs] the mean, and then the largest */
    int64_t n_pairs;
    sw_checkpoint *checkpoint; /* NULL: none */
    sw_progress progress;
} ranking;

static int has_two_sweeps(const ranking *r) { return r->spectra.together < SW_OUTPUTS; }

static double squared(const fftwf_complex a) { return (double)a[0] * a[0] + (double)a[1] * a[1]; }

/* ---- First sweep: how large wavevectors are ---- */

static double variance_of(const sw_spectra *s, int output)
{
    const fftwf_complex *value = sw_spectra_of(s, output);
    double sum = 0;
    for (int64_t i = 1; i < s->size; i++)
        sum += sw_spectra_weight(s, i) * squared(value[i]);
    return sum;
}

/* Of the outputs that are there, on top of those before. */
static void add_energies(ranking *r)
{
    const sw_spectra *s = &r->spectra;
    const int end = s->first + s->count;
#pragma omp parallel for schedule(dynamic, 1)
    for (int c = s->first; c < end; c++)
        r->variance[c] = variance_of(s, c);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < s->size; i++) {
        if (sw_spectra_weight(s, i) == 0)
            continue;
        for (int c = s->first; c < end; c++)
            r->energy[i] += r->variance[c] > 0 ? squared(sw_spectra_of(s, c)[i]) / r->variance[c] : 0;
    }
}

/* The next outputs, as many as there is room for. */
static sw_status transform_from(ranking *r, int first)
{
    const int left = SW_OUTPUTS - first, together = r->spectra.together;
    SW_TRY(sw_interrupt_check());
    sw_spectra_transform(&r->spectra, first, left < together ? left : together);
    return SW_OK;
}

static sw_status measure(ranking *r)
{
    SW_TRY(SW_ALLOCATE(r->energy, r->spectra.size, "magnitudes"));
    sw_progress_begin(&r->progress, has_two_sweeps(r) ? "sweep 1 of 2" : "transform", "outputs", SW_OUTPUTS,
                      r->options->quiet);
    for (int c = 0; c < SW_OUTPUTS; c += r->spectra.count) {
        SW_TRY(transform_from(r, c));
        add_energies(r);
        sw_progress_show(&r->progress, c + r->spectra.count);
    }
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* ---- Ranking ---- */

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

static float magnitude_of(double energy) { return (float)sqrt(energy); }

/* The magnitude that at least `pairs` candidates reach and hardly more: from a histogram of the upper bits
 * of their float patterns, which order positive numbers as their values do. */
static float threshold_for(const double *energy, int64_t size, int64_t pairs)
{
    enum { SHIFT = 12, BINS = 1 << (32 - SHIFT) };
    uint32_t *count = calloc(BINS, sizeof *count);
    if (count == NULL)
        return 0; /* sorting everything is slower and right */
    for (int64_t i = 1; i < size; i++)
        count[float_bits(magnitude_of(energy[i])) >> SHIFT]++;
    int64_t above = 0, bin = BINS - 1;
    for (; bin > 0 && (above += count[bin]) < pairs; bin--)
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

/* The pairs - 1 largest wavevectors (all: pairs = 0) behind the mean. */
static sw_status rank(ranking *r)
{
    const int64_t size = r->spectra.size, pairs = r->options->pairs;
    const float least = fmaxf(negligible, pairs > 1 ? threshold_for(r->energy, size, pairs - 1) : 0);
    int64_t count = 1;
    sw_progress_begin(&r->progress, "rank", "wavevectors", size, r->options->quiet);
    for (int64_t i = 1; i < size; i++)
        count += magnitude_of(r->energy[i]) >= least;
    SW_TRY(SW_ALLOCATE(r->kept, count, "ranking"));
    r->kept[0] = (ranked){magnitude_of(r->energy[0]), 0};
    for (int64_t i = 1, n = 1; i < size; i++)
        if (magnitude_of(r->energy[i]) >= least)
            r->kept[n++] = (ranked){magnitude_of(r->energy[i]), (uint32_t)i};
    qsort(r->kept + 1, (size_t)(count - 1), sizeof *r->kept, compare_ranked);
    r->n_pairs = pairs > 0 && pairs < count ? pairs : count;
    free(r->energy);
    r->energy = NULL;
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* ---- Second sweep: their coefficients ---- */

/* Zero what is far below round-off: symmetry's zeros come out of the transform as subnormal numbers, each of
 * which costs an evaluation a hundred times an ordinary multiplication. */
static float flush(float x) { return fabsf(x) < 1e-20F ? 0 : x; }

static void gather(const ranking *r, int output, sw_database *database)
{
    const fftwf_complex *value = sw_spectra_of(&r->spectra, output);
    for (int64_t t = 0; t < r->n_pairs; t++)
        for (int part = 0; part < 2; part++)
            database->coefficient[t][output][part] = flush(value[r->kept[t].index][part]);
}

/* ---- What two sweeps keep: the ranking, block 0, and the coefficients of each output, blocks 1 to 9 ---- */

enum { HEAD = 1 + SW_OUTPUTS }; /* numbers of block 0 before its pairs: their number, variances */

/* Terms that there may be. */
static int64_t most_pairs(const ranking *r)
{
    const int64_t pairs = r->options->pairs, size = r->spectra.size;
    return pairs > 0 && pairs < size ? pairs : size;
}

static sw_status open_checkpoint(ranking *r)
{
    const sw_spectrum_options *o = r->options;
    return o->checkpoint == NULL || !has_two_sweeps(r)
               ? SW_OK
               : sw_checkpoint_open(o->checkpoint, sw_hash(o->key, &o->pairs, sizeof o->pairs),
                                    1 + SW_OUTPUTS, HEAD + 2 * most_pairs(r), o->resume, &r->checkpoint);
}

static sw_status write_ranking(const ranking *r)
{
    const int64_t n = HEAD + 2 * most_pairs(r);
    double *numbers;
    if (r->checkpoint == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(numbers, n, "ranking to keep"));
    numbers[0] = (double)r->n_pairs;
    memcpy(numbers + 1, r->variance, sizeof r->variance);
    for (int64_t t = 0; t < r->n_pairs; t++) {
        numbers[HEAD + 2 * t] = r->kept[t].index;
        numbers[HEAD + 2 * t + 1] = (double)r->kept[t].magnitude;
    }
    const sw_status status = sw_checkpoint_write(r->checkpoint, 0, numbers, n);
    free(numbers);
    return status;
}

/* *found: whether it was there. */
static sw_status read_ranking(ranking *r, int *found)
{
    const int64_t n = HEAD + 2 * most_pairs(r);
    double *numbers;
    *found = 0;
    if (r->checkpoint == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(numbers, n, "ranking that was kept"));
    sw_status status = SW_OK;
    if (sw_checkpoint_read(r->checkpoint, 0, numbers, n) == 1) {
        r->n_pairs = (int64_t)numbers[0];
        memcpy(r->variance, numbers + 1, sizeof r->variance);
        status = SW_ALLOCATE(r->kept, r->n_pairs, "ranking");
        for (int64_t t = 0; t < r->n_pairs && status == SW_OK; t++)
            r->kept[t] = (ranked){(float)numbers[HEAD + 2 * t + 1], (uint32_t)numbers[HEAD + 2 * t]};
        *found = status == SW_OK;
    }
    free(numbers);
    return status;
}

static sw_status write_coefficients(const ranking *r, int output, const sw_database *database)
{
    double *numbers;
    if (r->checkpoint == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(numbers, 2 * r->n_pairs, "coefficients to keep"));
    for (int64_t k = 0; k < 2 * r->n_pairs; k++)
        numbers[k] = (double)database->coefficient[k / 2][output][k % 2];
    const sw_status status = sw_checkpoint_write(r->checkpoint, 1 + output, numbers, 2 * r->n_pairs);
    free(numbers);
    return status;
}

/* *found: whether they were there. */
static sw_status read_coefficients(const ranking *r, int output, sw_database *database, int *found)
{
    double *numbers;
    *found = 0;
    if (r->checkpoint == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(numbers, 2 * r->n_pairs, "coefficients that were kept"));
    *found = sw_checkpoint_read(r->checkpoint, 1 + output, numbers, 2 * r->n_pairs) == 1;
    for (int64_t k = 0; k < 2 * r->n_pairs && *found; k++)
        database->coefficient[k / 2][output][k % 2] = (float)numbers[k];
    free(numbers);
    return SW_OK;
}

/* ---- Both sweeps ---- */

/* Coefficients from output *c on: one that was kept, or those that are there, transformed once more where there are two
 * sweeps. *c: in the end the output to go on with. */
static sw_status gather_next(ranking *r, sw_database *database, int *c)
{
    int found;
    SW_TRY(read_coefficients(r, *c, database, &found));
    if (found) {
        ++*c;
        return SW_OK;
    }
    if (has_two_sweeps(r))
        SW_TRY(transform_from(r, *c));
    for (const int end = *c + r->spectra.count; *c < end; ++*c) {
        gather(r, *c, database);
        SW_TRY(write_coefficients(r, *c, database));
    }
    return SW_OK;
}

static sw_status gather_all(ranking *r, sw_database *database)
{
    sw_progress_begin(&r->progress, "sweep 2 of 2", "outputs", SW_OUTPUTS,
                      r->options->quiet || !has_two_sweeps(r));
    for (int c = 0; c < SW_OUTPUTS;) {
        SW_TRY(gather_next(r, database, &c));
        sw_progress_show(&r->progress, c);
    }
    sw_progress_end(&r->progress);
    return SW_OK;
}

static void describe_pairs(const ranking *r, sw_database *database)
{
    for (int64_t t = 0; t < r->n_pairs; t++) {
        int64_t k[4];
        sw_spectra_wavevector(&r->spectra, r->kept[t].index, k);
        for (int d = 0; d < 4; d++)
            database->wavevector[t][d] = (int16_t)k[d];
        database->weight[t] = (float)sw_spectra_weight(&r->spectra, r->kept[t].index);
        database->magnitude[t] = r->kept[t].magnitude;
    }
    for (int c = 0; c < SW_OUTPUTS; c++) {
        double captured = 0;
        for (int64_t t = 1; t < r->n_pairs; t++)
            captured += database->weight[t] * squared(database->coefficient[t][c]);
        database->captured_variance[c] = r->variance[c] > 0 ? captured / r->variance[c] : 1;
    }
}

static sw_status make_room(const ranking *r, sw_database *database)
{
    database->n_pairs = r->n_pairs;
    memcpy(database->shape, r->spectra.grid->shape, sizeof database->shape);
    SW_TRY(SW_ALLOCATE(database->wavevector, r->n_pairs, "wavevectors"));
    SW_TRY(SW_ALLOCATE(database->coefficient, r->n_pairs, "coefficients"));
    SW_TRY(SW_ALLOCATE(database->weight, r->n_pairs, "weights"));
    return SW_ALLOCATE(database->magnitude, r->n_pairs, "magnitudes");
}

static sw_status rank_and_gather(ranking *r, sw_database *database)
{
    int found;
    SW_TRY(open_checkpoint(r));
    SW_TRY(read_ranking(r, &found));
    if (found)
        sw_note("resume: the first of two sweeps is kept");
    else {
        SW_TRY(measure(r));
        SW_TRY(rank(r));
        SW_TRY(write_ranking(r));
    }
    SW_TRY(make_room(r, database));
    SW_TRY(gather_all(r, database));
    describe_pairs(r, database);
    return SW_OK;
}

sw_status sw_spectrum_rank_within(const sw_response_grid *grid, const sw_spectrum_options *options,
                                  sw_database *database)
{
    ranking r = {.options = options};
    int together;
    SW_TRY(sw_spectrum_together(grid, options->pairs, options->memory, &together));
    sw_status status = sw_spectra_create(grid, together, &r.spectra);
    if (status == SW_OK)
        status = rank_and_gather(&r, database);
    sw_spectra_destroy(&r.spectra);
    sw_checkpoint_close(r.checkpoint);
    free(r.energy);
    free(r.kept);
    return status;
}

/* ---- Memory ---- */

double sw_spectrum_memory(const sw_response_grid *grid, int64_t pairs, int together)
{
    const double size = (double)sw_spectra_size(grid);
    const double kept = pairs > 0 ? fmin((double)pairs, size) : size;
    const size_t term = sizeof(ranked) + sizeof *((sw_database *)0)->coefficient +
                        sizeof *((sw_database *)0)->wavevector + 2 * sizeof(float);
    return (double)grid->n_points * (double)(sizeof *grid->output + sizeof *grid->point) +
           together * size * (double)sizeof(fftwf_complex) + fmax(size * sizeof(double), kept * (double)term);
}

sw_status sw_spectrum_together(const sw_response_grid *grid, int64_t pairs, double memory, int *together)
{
    *together = SW_OUTPUTS;
    while (memory > 0 && *together > 0 && sw_spectrum_memory(grid, pairs, *together) > memory)
        --*together;
    return *together > 0
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "memory = %.4g bytes: need %.4g to transform one output at a time",
                          memory, sw_spectrum_memory(grid, pairs, 1));
}
