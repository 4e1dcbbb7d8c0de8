#include "fold.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rotation.h"

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
    int32_t term;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    for (int d = 0; d < 3; d++)
        if (a->k[d] != b->k[d])
            return a->k[d] < b->k[d] ? -1 : 1;
    return a->term < b->term ? -1 : a->term > b->term;
}

static int same_wavevector(const entry *a, const entry *b)
{
    return a->k[0] == b->k[0] && a->k[1] == b->k[1] && a->k[2] == b->k[2];
}

static sw_status group_terms(sw_fold *fold, const entry *sorted)
{
    const int64_t t_count = fold->n_terms;
    int64_t groups = 0;
    for (int64_t t = 0; t < t_count; t++)
        groups += t == 0 || !same_wavevector(&sorted[t], &sorted[t - 1]);
    fold->n_wavevectors = groups;
    SW_TRY(SW_ALLOCATE(fold->term, t_count, "folded terms"));
    SW_TRY(SW_ALLOCATE(fold->conjugate, t_count, "folded terms"));
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
        fold->conjugate[t] = sorted[t].conjugate;
    }
    fold->first[groups] = t_count;
    return SW_OK;
}

sw_status sw_fold_create(const sw_database *database, int64_t n_terms, sw_fold *fold)
{
    entry *entries;
    *fold = (sw_fold){.database = database, .n_terms = n_terms};
    SW_TRY(SW_ALLOCATE(entries, n_terms, "terms to fold"));
    for (int64_t t = 0; t < n_terms; t++) {
        const int16_t *k = database->wavevector[t];
        const int kept = is_canonical(k);
        entries[t].term = (int32_t)t;
        entries[t].conjugate = !kept;
        for (int d = 0; d < 3; d++)
            entries[t].k[d] = (int16_t)(kept ? k[d] : -k[d]);
    }
    qsort(entries, (size_t)n_terms, sizeof *entries, compare_entries);
    sw_status status = group_terms(fold, entries);
    free(entries);
    if (status != SW_OK)
        sw_fold_destroy(fold);
    return status;
}

void sw_fold_destroy(sw_fold *fold)
{
    free(fold->term);
    free(fold->conjugate);
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
        const double weight = fold->database->weight[t], flip = fold->conjugate[i] ? -weight : weight;
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

void sw_fold_at(sw_fold *fold, double theta)
{
    enum { HALF = SW_GRID_LENGTH_MAX / 2 };
    static _Thread_local double turn[2 * HALF + 1][2];
    const int64_t half = fold->database->shape[3] / 2;
    for (int64_t k = -half; k <= half; k++) {
        turn[k + half][0] = cos((double)k * theta);
        turn[k + half][1] = sin((double)k * theta);
    }
    const double(*shared)[2] = turn;
#pragma omp parallel for schedule(static)
    for (int64_t g = 0; g < fold->n_wavevectors; g++)
        fold_group(fold, g, shared, half);
}

/* Complex values of one output's half spectrum. */
static int64_t spectrum_size(const int64_t n[3]) { return n[0] * n[1] * (n[2] / 2 + 1); }

sw_status sw_response_table_create(const sw_database *database, sw_response_table *table)
{
    *table = (sw_response_table){.n = {database->shape[0], database->shape[1], database->shape[2] / 4}};
    const int64_t points = table->n[0] * table->n[1] * table->n[2];
    const int64_t spectrum = 2 * spectrum_size(table->n);
    sw_status status = SW_ALLOCATE(table->value, points, "response table");
    if (status == SW_OK)
        status = SW_ALLOCATE(table->field, spectrum + points, "response table's transform");
    if (status == SW_OK) {
        table->plan =
            fftwf_plan_dft_c2r_3d((int)table->n[0], (int)table->n[1], (int)table->n[2],
                                  (fftwf_complex *)table->field, table->field + spectrum, FFTW_ESTIMATE);
        if (table->plan == NULL)
            status = sw_error(SW_ERR_MEMORY, "FFTW cannot plan a transform of %lld x %lld x %lld",
                              (long long)table->n[0], (long long)table->n[1], (long long)table->n[2]);
    }
    if (status != SW_OK)
        sw_response_table_destroy(table);
    return status;
}

void sw_response_table_destroy(sw_response_table *table)
{
    if (table->plan != NULL)
        fftwf_destroy_plan(table->plan);
    free(table->value);
    free(table->field);
    *table = (sw_response_table){0};
}

/* Add half of c exp(i k.x) to a half spectrum: k and -k together make Re(c exp(i k.x)). */
static void add_half(float *spectrum, const int64_t n[3], const int16_t k[3], int sign, float re, float im)
{
    int64_t j[3];
    for (int d = 0; d < 3; d++) {
        const int64_t wavenumber = sign * (d == 2 ? k[d] / 4 : k[d]);
        j[d] = (wavenumber % n[d] + n[d]) % n[d];
    }
    if (j[2] > n[2] / 2)
        return; /* the other half is implied */
    float *at = spectrum + 2 * ((j[0] * n[1] + j[1]) * (n[2] / 2 + 1) + j[2]);
    at[0] += 0.5F * re;
    at[1] += 0.5F * (float)sign * im;
}

void sw_response_table_fill(sw_response_table *table, const sw_fold *fold)
{
    const int64_t *n = table->n, points = n[0] * n[1] * n[2], spectrum = 2 * spectrum_size(n);
    float *values = table->field + spectrum;
    for (int c = 0; c < SW_OUTPUTS; c++) {
        memset(table->field, 0, (size_t)spectrum * sizeof(float));
        for (int64_t g = 0; g < fold->n_wavevectors; g++) {
            const float *a = fold->coefficient[g][c];
            add_half(table->field, n, fold->wavevector[g], 1, a[0], a[1]);
            add_half(table->field, n, fold->wavevector[g], -1, a[0], a[1]);
        }
        fftwf_execute_dft_c2r(table->plan, (fftwf_complex *)table->field, values);
        for (int64_t i = 0; i < points; i++)
            table->value[i][c] = values[i];
    }
}

void sw_response_table_interpolate(const sw_response_table *table, const double euler[3], float output[16])
{
    static const double period[3] = {2 * SW_PI, 2 * SW_PI, SW_PI / 2};
    int64_t low[3], high[3];
    float fraction[3];
    for (int d = 0; d < 3; d++) {
        const double x = euler[d] * ((double)table->n[d] / period[d]), cell = floor(x);
        const int64_t j = (int64_t)cell % table->n[d];
        low[d] = j < 0 ? j + table->n[d] : j;
        high[d] = low[d] + 1 < table->n[d] ? low[d] + 1 : 0;
        fraction[d] = (float)(x - cell);
    }
    float sum[16] = {0};
    for (int corner = 0; corner < 8; corner++) {
        int64_t index = 0;
        float weight = 1;
        for (int d = 0; d < 3; d++) {
            const int up = (corner >> d) & 1;
            index = index * table->n[d] + (up ? high[d] : low[d]);
            weight *= up ? fraction[d] : 1 - fraction[d];
        }
        const float *value = table->value[index];
        for (int c = 0; c < 16; c++)
            sum[c] += weight * value[c];
    }
    memcpy(output, sum, sizeof sum);
}
