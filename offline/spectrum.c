#include "spectrum.h"

#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "common/files/hash.h"
#include "common/system/progress.h"
#include "spectra.h"

typedef struct {
    const sw_spectrum_options *options;
    sw_spectra spectra;
    sw_ranked *kept; /* [n_pairs] the mean, and then the largest */
    int64_t n_pairs;
    sw_checkpoint *checkpoint; /* NULL: none */
    sw_progress progress;
} ranking;

static int has_two_sweeps(const ranking *r) { return r->spectra.together < r->spectra.grid->outputs; }

/* ---- First sweep: how large wavevectors are ---- */

/* The next outputs, as many as there is room for. */
static sw_status transform_from(ranking *r, int first)
{
    const int left = r->spectra.grid->outputs - first, together = r->spectra.together;
    SW_TRY(sw_interrupt_check());
    return r->spectra.functions->transform(&r->spectra, first, left < together ? left : together);
}

static sw_status measure(ranking *r)
{
    sw_progress_begin(&r->progress, has_two_sweeps(r) ? "sweep 1 of 2" : "transform", "outputs",
                      r->spectra.grid->outputs, r->options->quiet);
    for (int c = 0; c < r->spectra.grid->outputs; c += r->spectra.count) {
        SW_TRY(transform_from(r, c));
        SW_TRY(r->spectra.functions->add_energies(&r->spectra));
        sw_progress_show(&r->progress, c + r->spectra.count);
    }
    sw_progress_end(&r->progress);
    return SW_OK;
}

static sw_status rank(ranking *r)
{
    sw_progress_begin(&r->progress, "rank", "wavevectors", r->spectra.half.size, r->options->quiet);
    SW_TRY(r->spectra.functions->rank(&r->spectra, r->options->pairs, &r->kept, &r->n_pairs));
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* ---- What two sweeps keep: the ranking, block 0, and the coefficients of each output, blocks 1 to C ---- */

enum { HEAD = 1 + SW_OUTPUTS_MOST }; /* numbers of block 0 before its pairs: their number, variances */

/* Terms that there may be. */
static int64_t most_pairs(const ranking *r)
{
    const int64_t pairs = r->options->pairs, size = r->spectra.half.size;
    return pairs > 0 && pairs < size ? pairs : size;
}

static sw_status open_checkpoint(ranking *r)
{
    const sw_spectrum_options *o = r->options;
    return o->checkpoint == NULL || !has_two_sweeps(r)
               ? SW_OK
               : sw_checkpoint_open(o->checkpoint, sw_hash(o->key, &o->pairs, sizeof o->pairs),
                                    1 + r->spectra.grid->outputs, HEAD + 2 * most_pairs(r), o->resume,
                                    &r->checkpoint);
}

static sw_status write_ranking(const ranking *r)
{
    const int64_t n = HEAD + 2 * most_pairs(r);
    double *numbers;
    if (r->checkpoint == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(numbers, n, "ranking to keep"));
    numbers[0] = (double)r->n_pairs;
    memcpy(numbers + 1, r->spectra.variance, sizeof r->spectra.variance);
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
        memcpy(r->spectra.variance, numbers + 1, sizeof r->spectra.variance);
        status = SW_ALLOCATE(r->kept, r->n_pairs, "ranking");
        for (int64_t t = 0; t < r->n_pairs && status == SW_OK; t++)
            r->kept[t] = (sw_ranked){(float)numbers[HEAD + 2 * t + 1], (uint32_t)numbers[HEAD + 2 * t]};
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
        numbers[k] = (double)sw_database_coefficient(database, k / 2, output)[k % 2];
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
        sw_database_coefficient(database, k / 2, output)[k % 2] = (float)numbers[k];
    free(numbers);
    return SW_OK;
}

/* ---- Second sweep: their coefficients ---- */

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
        SW_TRY(r->spectra.functions->gather(&r->spectra, *c, r->n_pairs, r->kept, database));
        SW_TRY(write_coefficients(r, *c, database));
    }
    return SW_OK;
}

static sw_status gather_all(ranking *r, sw_database *database)
{
    sw_progress_begin(&r->progress, "sweep 2 of 2", "outputs", r->spectra.grid->outputs,
                      r->options->quiet || !has_two_sweeps(r));
    for (int c = 0; c < r->spectra.grid->outputs;) {
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
        sw_half_spectrum_wavevector(&r->spectra.half, r->kept[t].index, k);
        for (int d = 0; d < 4; d++)
            database->wavevector[t][d] = (int16_t)k[d];
        database->weight[t] = (float)sw_half_spectrum_weight(&r->spectra.half, r->kept[t].index);
        database->magnitude[t] = r->kept[t].magnitude;
    }
    for (int c = 0; c < sw_database_outputs(database); c++) {
        double captured = 0;
        for (int64_t t = 1; t < r->n_pairs; t++)
            captured += database->weight[t] * sw_squared(sw_database_coefficient(database, t, c));
        database->captured_variance[c] = r->spectra.variance[c] > 0 ? captured / r->spectra.variance[c] : 1;
    }
}

static sw_status make_room(const ranking *r, sw_database *database)
{
    database->n_pairs = r->n_pairs;
    memcpy(database->shape, r->spectra.grid->shape, sizeof database->shape);
    SW_TRY(SW_ALLOCATE(database->wavevector, r->n_pairs, "wavevectors"));
    SW_TRY(SW_ALLOCATE(database->coefficient, r->n_pairs, "coefficients"));
    if (r->spectra.grid->outputs > SW_OUTPUTS)
        SW_TRY(SW_ALLOCATE(database->planes, r->n_pairs, "coefficients"));
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
    SW_TRY(sw_spectrum_together(grid, options, &together));
    sw_status status = sw_spectra_create(grid, options->gpu, together, &r.spectra);
    if (status == SW_OK)
        status = rank_and_gather(&r, database);
    sw_spectra_destroy(&r.spectra);
    sw_checkpoint_close(r.checkpoint);
    free(r.kept);
    return status;
}

/* ---- Memory ---- */

double sw_spectrum_memory(const sw_response_grid *grid, const sw_spectrum_options *options, int together)
{
    return sw_spectra_on(options->gpu)->memory(grid, options->pairs, together);
}

double sw_spectrum_available(int gpu) { return sw_spectra_on(gpu)->available(); }

sw_status sw_spectrum_together(const sw_response_grid *grid, const sw_spectrum_options *options,
                               int *together)
{
    const double memory = options->memory;
    *together = grid->outputs;
    while (memory > 0 && *together > 0 && sw_spectrum_memory(grid, options, *together) > memory)
        --*together;
    return *together > 0
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "memory = %.4g bytes: need %.4g to transform one output at a time",
                          memory, sw_spectrum_memory(grid, options, 1));
}

/* ---- Spectra on either device ---- */

sw_status sw_spectra_create(const sw_response_grid *grid, int gpu, int together, sw_spectra *s)
{
    *s = (sw_spectra){.grid = grid,
                      .functions = sw_spectra_on(gpu),
                      .half = sw_half_spectrum_of(grid->shape, grid->symmetries.fold),
                      .together = together};
    return s->half.size > UINT32_MAX
               ? sw_error(SW_ERR_RANGE, "grid: its half spectrum has %.3g wavevectors: need fewer than 2^32",
                          (double)s->half.size)
               : s->functions->open(s);
}

void sw_spectra_destroy(sw_spectra *s)
{
    if (s->functions != NULL)
        s->functions->close(s);
    *s = (sw_spectra){0};
}
