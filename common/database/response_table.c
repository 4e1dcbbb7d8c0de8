#include "common/math/lanes_floats.h"

#include "response_table.h"

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/transform.h"
#include "table_turn.h"

void sw_response_table_lengths(const sw_database *database, int64_t refinement, int64_t turn[3])
{
    for (int d = 0; d < 3; d++) {
        const int64_t of = d == 2 ? sw_material_lattice(&database->material)->group->fold : 4;
        turn[d] = (database->shape[d] * refinement + of - 1) / of * of;
    }
}

/* The transform runs over full turns of phi1 and Phi and the period of phi2. */
static void transform_lengths(const sw_response_table *table, int64_t n[3])
{
    n[0] = table->turn[0];
    n[1] = table->turn[1];
    n[2] = table->turn[2] / table->fold;
}

static int64_t spectrum_size(const int64_t n[3]) { return 2 * n[0] * n[1] * (n[2] / 2 + 1); }

sw_status sw_response_table_make(const int64_t turn[3], int fold, int64_t refinement,
                                 sw_response_table *table)
{
    const int64_t entries = (turn[0] / 4 + 1) * (turn[1] / 4 + 1) * (turn[2] / fold);
    *table = (sw_response_table){.turn = {turn[0], turn[1], turn[2]}, .fold = fold};
    if (entries > INT64_C(1) << 23)
        return sw_error(
            SW_ERR_RANGE,
            "refinement = %lld: a response table of %lld x %lld x %lld points a turn: need at most %d "
            "entries after symmetry, not %lld",
            (long long)refinement, (long long)turn[0], (long long)turn[1], (long long)turn[2], 1 << 23,
            (long long)entries);
    return SW_ALLOCATE(table->value, entries, "response table");
}

sw_status sw_response_table_create(const sw_database *database, int64_t refinement, sw_response_table *table)
{
    int64_t turn[3], n[3];
    sw_response_table_lengths(database, refinement, turn);
    sw_status status = sw_response_table_make(turn, sw_material_lattice(&database->material)->group->fold,
                                              refinement, table);
    transform_lengths(table, n);
    if (status == SW_OK)
        status =
            SW_ALLOCATE(table->field, spectrum_size(n) + n[0] * n[1] * n[2], "response table's transform");
    if (status == SW_OK)
        status = sw_transform_plan(3, (int[]){(int)n[0], (int)n[1], (int)n[2]}, 0,
                                   table->field + spectrum_size(n), table->field, &table->plan);
    if (status != SW_OK)
        sw_response_table_destroy(table);
    return status;
}

void sw_response_table_trim(sw_response_table *table)
{
    sw_transform_destroy(table->plan);
    free(table->field);
    table->plan = NULL;
    table->field = NULL;
}

void sw_response_table_destroy(sw_response_table *table)
{
    sw_response_table_trim(table);
    free(table->value);
    *table = (sw_response_table){0};
}

/* Add half of c exp(i k.x) to a half spectrum: k and -k together make Re(c exp(i k.x)). */
static void add_half(float *spectrum, const int64_t n[3], int fold, const int16_t k[3], int sign, float re,
                     float im)
{
    int64_t j[3];
    for (int d = 0; d < 3; d++) {
        const int64_t wavenumber = sign * (d == 2 ? k[d] / fold : k[d]);
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
    int64_t n[3];
    transform_lengths(table, n);
    const float *values = table->field + spectrum_size(n);
    for (int c = 0; c < sw_database_outputs(fold->database); c++) {
        int64_t entry = 0;
        memset(table->field, 0, (size_t)spectrum_size(n) * sizeof(float));
        for (int64_t g = 0; g < fold->n_wavevectors; g++) {
            const float *a = sw_fold_coefficient(fold, g, c);
            add_half(table->field, n, table->fold, fold->wavevector[g], 1, a[0], a[1]);
            add_half(table->field, n, table->fold, fold->wavevector[g], -1, a[0], a[1]);
        }
        fftwf_execute_dft_c2r(table->plan, (fftwf_complex *)table->field, table->field + spectrum_size(n));
        for (int64_t i = 0; i <= n[0] / 4; i++)
            for (int64_t j = 0; j <= n[1] / 4; j++)
                for (int64_t k = 0; k < n[2]; k++)
                    table->value[entry++][c] = values[(i * n[1] + j) * n[2] + k];
    }
}

/* Corners [4], or 1, of each lane's table, and of `slopes` more sets of weights: value [1 + slopes][outputs]. */
static inline void add_corners(const sw_response_table *const table[SW_BUNDLE], int corners, int slopes,
                               int outputs, const sw_int index[4], const sw_real weight[4],
                               const sw_real (*by)[4], sw_real *value)
{
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        float sum[SW_SLOPES][16] = {{0}};
        for (int corner = 0; corner < corners; corner++) {
            const float *entry = table[lane]->value[index[corner][lane]];
            for (int j = 0; j <= slopes; j++) {
                const float w = j == 0 ? weight[corner][lane] : by[j - 1][corner][lane];
                for (int c = 0; c < 16; c++)
                    sum[j][c] += w * entry[c];
            }
        }
        for (int j = 0; j <= slopes; j++)
            for (int c = 0; c < outputs; c++)
                if (j == 0 || c < 5 || c == 8) /* of spins no slopes are wanted */
                    value[j * outputs + c][lane] = sum[j][c];
    }
}

static inline void look_up_each(const sw_response_table *const table[SW_BUNDLE], int linear, int outputs,
                                const float orientation[4][SW_BUNDLE], float (*output)[SW_BUNDLE])
{
    const sw_table_shape shape = sw_table_shape_of(table[0]->turn, table[0]->fold);
    sw_real q[4], weight[4] = {sw_broadcast(1.0)}, value[SW_OUTPUTS_MOST];
    sw_int index[4];
    memcpy(q, orientation, sizeof q);
    const sw_table_place place = sw_table_place_of(shape, q);
    if (linear)
        sw_table_linear(shape, &place, index, weight);
    else
        index[0] = sw_table_nearest(shape, &place);
    add_corners(table, linear ? 4 : 1, 0, outputs, index, weight, NULL, value);
    sw_table_sign(&place, value);
    if (outputs > SW_OUTPUTS)
        sw_table_sign_planes(&place, value + SW_OUTPUTS);
    memcpy(output, value, (size_t)outputs * sizeof *value);
}

void sw_response_table_lookup_each(const sw_response_table *const table[SW_BUNDLE], int linear,
                                   const float orientation[4][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    look_up_each(table, linear, SW_OUTPUTS, orientation, output);
}

static inline void look_up_turned(const sw_response_table *const table[SW_BUNDLE], const int axis[SW_BUNDLE],
                                  const float orientation[4][SW_BUNDLE], int slopes,
                                  float output[SW_OUTPUTS][SW_BUNDLE], float (*slope)[SW_SLOPED][SW_BUNDLE])
{
    const sw_table_shape shape = sw_table_shape_of(table[0]->turn, table[0]->fold);
    sw_real weight[4], value[SW_SLOPES][SW_OUTPUTS], along[3][3], q[4], turned[4], r[3][3], by[3][4],
        about[3], more[3];
    sw_int index[4];
    memset(value, 0, sizeof value);
    memcpy(q, orientation, sizeof q);
    int any = 0;
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        any |= axis[lane] >= 0;
        for (int i = 0; i < 3; i++)
            about[i][lane] = axis[lane] == i ? 1 : 0;
    }
    if (any) {
        sw_table_to_azimuth(about, q, turned, r, more);
    } else {
        memcpy(turned, q, sizeof q);
        for (int i = 0; i < 9; i++)
            r[i / 3][i % 3] = sw_broadcast(i % 4 == 0);
        memset(more, 0, sizeof more);
    }
    const sw_table_place place = sw_table_place_of(shape, turned);
    if (slopes > 0)
        sw_table_turning_back(shape, (const sw_real(*)[3])r, turned, along);
    sw_table_linear_slopes(shape, &place, slopes, (const sw_real(*)[3])along, index, weight, by);
    add_corners(table, 4, slopes, SW_OUTPUTS, index, weight, (const sw_real(*)[4])by, value[0]);
    for (int j = 0; j <= slopes; j++)
        sw_table_sign(&place, value[j]);
    sw_table_turn_back((const sw_real(*)[3])r, value[0]);
    memcpy(output, value[0], sizeof value[0]);
    if (slopes > 0) {
        sw_real stress[5], raw[SW_SLOPES - 1][SW_SLOPED], back[SW_SLOPES - 1][SW_SLOPED];
        sw_table_stress(value[0], stress);
        for (int j = 0; j < slopes; j++)
            for (int c = 0; c < SW_SLOPED; c++)
                raw[j][c] = value[j + 1][c < 5 ? c : 8];
        sw_table_slopes_back(about, (const sw_real(*)[3])r, more, stress, (const sw_real(*)[SW_SLOPED])raw,
                             back);
        memcpy(slope, back, sizeof back);
    }
}

void sw_response_table_turned(const sw_response_table *const table[SW_BUNDLE], const int axis[SW_BUNDLE],
                              const float orientation[4][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE],
                              float (*slope)[SW_SLOPED][SW_BUNDLE])
{
    if (slope != NULL)
        look_up_turned(table, axis, orientation, SW_SLOPES - 1, output, slope);
    else
        look_up_turned(table, axis, orientation, 0, output, NULL);
}

void sw_response_table_lookup(const sw_response_table *table, int linear, int outputs,
                              const float orientation[4][SW_BUNDLE], float (*output)[SW_BUNDLE])
{
    const sw_response_table *same[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        same[lane] = table;
    if (outputs > SW_OUTPUTS)
        look_up_each(same, linear, SW_OUTPUTS_MOST, orientation, output);
    else
        look_up_each(same, linear, SW_OUTPUTS, orientation, output);
}
