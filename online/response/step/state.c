/* slipwave/crystals.h: states of crystals are made, copied, kept and taken back here alone, whatever they hold. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/system/threads.h"
#include "check.h"
#include "crystals.h"
#include "crystals_cuda.h"
#include "online/gpu/gpu.h"
#include "online/response/packed/packed.h"
#include "online/response/packed/packed_cpu.h"
#include "solver.h"

/* ---- Made and released ---- */

static sw_status make_states(sw_crystals *c)
{
    return c->layout->numbers == 0 ? SW_OK : sw_numbers_make(c->device, c->n * c->layout->numbers, &c->state);
}

static sw_status made(sw_crystals *c, sw_status status)
{
    if (status != SW_OK)
        sw_crystals_release(c);
    return status;
}

sw_status sw_crystals_make(const sw_response *response, int64_t n, sw_crystals *c)
{
    *c = (sw_crystals){.device = response->device, .n = n, .layout = sw_response_layout(response)};
    SW_TRY(sw_crystals_allocate(c->device, n, &c->crystal));
    return made(c, make_states(c));
}

sw_crystals sw_crystals_alone(const sw_response *response, int64_t n, sw_crystal *crystal)
{
    return (sw_crystals){.device = response->device,
                         .n = n,
                         .layout = sw_response_layout(response),
                         .crystal = crystal,
                         .borrowed = 1};
}

sw_status sw_crystals_of(const sw_response *response, int64_t n, sw_crystal *crystal, const float *weight,
                         sw_crystals *c)
{
    *c = sw_crystals_alone(response, n, crystal);
    c->weight = weight;
    SW_TRY(make_states(c));
    return made(c, sw_crystals_begin(response, c));
}

void sw_crystals_release(sw_crystals *c)
{
    sw_numbers_free(c->device, c->state);
    sw_crystals_free(c->device, (sw_crystal *)c->packed.word);
    if (!c->borrowed)
        sw_crystals_free(c->device, c->crystal);
    *c = (sw_crystals){.n = 0};
}

static void begin_at_0(sw_crystals *c)
{
    memset(c->state, 0, (size_t)(c->n * c->layout->numbers) * sizeof *c->state);
}

/* What the law begins with, after the solver's own numbers. */
static void begin_law(const sw_slip_law_start *start, int is_double, float s, float *number)
{
    float value[SW_SLIP_NUMBERS_MAX];
    sw_slip_law_begin(start, s, value);
    for (int k = 0; k < sw_slip_law_numbers(start); k++) {
        const double one = value[k];
        memcpy(number + (1 + is_double) * k, is_double ? (const void *)&one : &value[k],
               is_double ? sizeof one : sizeof *value);
    }
}

/* That of a structure is what this begins with. On the CPU. */
static sw_status check_resistances(const sw_material *m, const sw_crystals *c)
{
    const double s = m->slip.initial_slip_resistance;
    for (int64_t i = 0; i < c->n && sw_material_has_structure(m); i++)
        if (!(fabs(c->crystal[i].slip_resistance - s) <= 1e-5 * s))
            return sw_error(
                SW_ERR_RANGE,
                "crystal %lld: slip resistance = %g Pa: that of %.63s is that of its structure: need %g Pa",
                (long long)i, c->crystal[i].slip_resistance, m->name, s);
    return SW_OK;
}

sw_status sw_crystals_begin(const sw_response *response, sw_crystals *c)
{
    if (c->layout->numbers == 0)
        return SW_OK;
    const int own = response->solver->with_families.numbers;
    sw_slip_law law;
    SW_TRY(sw_slip_law_prepare(response->material, &law));
    /* a database's crystals have three of four resistances that are equal at first */
    const sw_slip_law_start start = response->planes
                                        ? (sw_slip_law_start){.groups = SW_PLANES - 1, .ratio = {1, 1, 1}}
                                        : sw_slip_law_start_of(&law);
    if (c->device == SW_CUDA)
        return start.groups == 0
                   ? sw_numbers_clear_cuda(c->n * c->layout->numbers, c->state)
                   : sw_states_begin_cuda(&start, c->n, c->crystal, c->layout->numbers, own, c->state);
    SW_TRY(check_resistances(response->material, c));
    (response->functions->begin != NULL ? response->functions->begin : begin_at_0)(c);
    for (int64_t i = 0; i < c->n && start.groups > 0; i++)
        begin_law(&start, c->layout->field[0].is_double, c->crystal[i].slip_resistance,
                  c->state + i * c->layout->numbers + own);
    return SW_OK;
}

sw_status sw_crystals_heat(const sw_response *response, double change, sw_crystals *c)
{
    double strain[3];
    if (response->solver->heat == NULL)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "solver = %s: its crystals have no elastic strains, which expansion makes: need "
                        "elastoplastic or iterative",
                        response->solver->traits.name);
    SW_TRY(sw_material_expansion(response->material, strain));
    for (int i = 0; i < 3; i++)
        strain[i] *= change;
    return response->solver->heat(response, strain, c);
}

/* ---- Parts and copies ---- */

sw_crystals sw_crystals_part(const sw_crystals *c, int64_t first, int64_t n)
{
    sw_crystals part = *c;
    part.n = n;
    part.borrowed = 1;
    if (c->packed.word != NULL) {
        part.packed.word += first;
        part.packed.first += first;
    } else {
        part.crystal += first;
    }
    part.state = c->state != NULL ? c->state + first * c->layout->numbers : NULL;
    part.weight = c->weight != NULL ? c->weight + first : NULL;
    return part;
}

sw_status sw_crystals_assign(sw_crystals *to, const sw_crystals *from)
{
    if (to->n != from->n || !sw_state_layouts_match(to->layout, from->layout))
        return sw_error(SW_ERR_RANGE,
                        "states of %lld crystals, %d numbers each, for %lld of %d: need as many",
                        (long long)from->n, from->layout->numbers, (long long)to->n, to->layout->numbers);
    const sw_device device = to->device == SW_CUDA ? SW_CUDA : from->device;
    if ((to->packed.word == NULL) != (from->packed.word == NULL))
        return sw_error(SW_ERR_RANGE, "states of crystals, packed and not: need both alike");
    if (to->packed.word != NULL) /* two floats each */
        return sw_numbers_copy(device, 2 * to->n, (float *)to->packed.word, (float *)from->packed.word);
    SW_TRY(sw_crystals_copy(device, to->n, to->crystal, from->crystal));
    return to->state == NULL ? SW_OK
                             : sw_numbers_copy(device, to->n * to->layout->numbers, to->state, from->state);
}

void sw_crystals_swap(sw_crystals *a, sw_crystals *b)
{
    sw_crystal *const crystal = a->crystal;
    float *const state = a->state;
    uint64_t *const word = a->packed.word;
    a->crystal = b->crystal;
    a->state = b->state;
    a->packed.word = b->packed.word;
    b->crystal = crystal;
    b->state = state;
    b->packed.word = word;
}

/* ---- Packed ---- */

/* The levels of log2(s): from a 16th of what the material begins with to a little above what it may reach. */
static sw_packed levels_of(const sw_material *m, int64_t first)
{
    const double s0 = m->slip.initial_slip_resistance, limit = sw_hardening_most(&m->hardening),
                 least = log2(s0 / 16), most = log2(1.001 * (limit < INFINITY ? limit : 1024 * s0));
    return (sw_packed){
        .middle = (float)((least + most) / 2), .quantum = (float)((most - least) / 65530), .first = first};
}

static sw_status pack(sw_crystals *c, float margin, const sw_crystal *crystal)
{
    int64_t outside = 0;
    if (c->device == SW_CUDA)
        SW_TRY(sw_crystals_pack_cuda(&c->packed, margin, c->n, crystal, &outside));
    else
        outside = sw_crystals_pack_cpu(&c->packed, margin, c->n, crystal);
    const double half = 32765.0 * (double)c->packed.quantum;
    return outside == 0 ? SW_OK
                        : sw_error(SW_ERR_RANGE,
                                   "crystals of 8 bytes: %lld have a slip resistance that these cannot hold: "
                                   "need %.4g to %.4g Pa",
                                   (long long)outside, exp2((double)c->packed.middle - half),
                                   exp2((double)c->packed.middle + half));
}

sw_status sw_crystals_repack(sw_crystals *c, const sw_crystal *crystal)
{
    return pack(c, SW_PACKED_AGAIN, crystal);
}

sw_status sw_crystals_pack(const sw_response *response, int64_t first, sw_crystals *c)
{
    sw_crystal *room; /* two words in each */
    SW_TRY(sw_check_packs(response));
    if (c->packed.word != NULL)
        return sw_error(SW_ERR_RANGE, "crystals are packed: need others");
    SW_TRY(sw_crystals_allocate(c->device, (c->n + 1) / 2, &room));
    c->packed = levels_of(response->material, first);
    c->packed.word = (uint64_t *)room;
    const sw_status status = pack(c, SW_PACKED_MARGIN, c->crystal);
    if (status != SW_OK) {
        sw_crystals_free(c->device, room);
        c->packed.word = NULL;
        return status;
    }
    if (!c->borrowed)
        sw_crystals_free(c->device, c->crystal);
    c->crystal = NULL;
    return SW_OK;
}

sw_status sw_crystals_make_like(const sw_response *response, const sw_crystals *like, sw_crystals *c)
{
    sw_crystal *room;
    if (like->packed.word == NULL)
        return sw_crystals_make(response, like->n, c);
    *c = (sw_crystals){
        .device = response->device, .n = like->n, .layout = response->layout, .packed = like->packed};
    c->packed.word = NULL;
    SW_TRY(sw_crystals_allocate(c->device, (c->n + 1) / 2, &room));
    c->packed.word = (uint64_t *)room;
    return SW_OK;
}

sw_status sw_crystals_unpack(const sw_crystals *c, sw_crystal *crystal)
{
    if (c->device == SW_CUDA)
        return sw_crystals_unpack_cuda(&c->packed, c->n, crystal);
    sw_crystals_unpack_cpu(&c->packed, c->n, crystal);
    return SW_OK;
}

/* ---- Values ---- */

int64_t sw_state_values(const sw_state_layout *layout)
{
    int64_t values = 0;
    for (int i = 0; i < layout->n_fields; i++)
        values += layout->field[i].values;
    return values;
}

/* One field of one crystal; returns the places it takes. */
static int values_of(const sw_state_field *field, const float *number, double *value)
{
    if (field->is_double)
        memcpy(value, number, (size_t)field->values * sizeof *value);
    else
        for (int i = 0; i < field->values; i++)
            value[i] = number[i];
    return (field->is_double ? 2 : 1) * field->values;
}

static int numbers_of(const sw_state_field *field, const double *value, float *number)
{
    if (field->is_double)
        memcpy(number, value, (size_t)field->values * sizeof *value);
    else
        for (int i = 0; i < field->values; i++)
            number[i] = (float)value[i];
    return (field->is_double ? 2 : 1) * field->values;
}

sw_status sw_crystals_save(const sw_crystals *c, double *value)
{
    const int64_t numbers = c->n * c->layout->numbers;
    float *own;
    if (numbers == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(own, numbers, "states of crystals"));
    const sw_status status = sw_numbers_copy(c->device, numbers, own, c->state);
    for (const float *number = own; number < own + numbers;)
        for (int i = 0; i < c->layout->n_fields; i++) {
            number += values_of(&c->layout->field[i], number, value);
            value += c->layout->field[i].values;
        }
    free(own);
    return status;
}

static sw_status check_finite(const sw_crystals *c, const double *value)
{
    const int64_t values = sw_state_values(c->layout);
    for (int64_t i = 0; i < c->n * values; i++)
        if (!(fabs(value[i]) <= FLT_MAX))
            return sw_error(SW_ERR_FORMAT,
                            "state of crystal %lld: %g: need numbers that single precision has",
                            (long long)(i / values), value[i]);
    return SW_OK;
}

sw_status sw_crystals_restore(sw_crystals *c, const double *value)
{
    const int64_t numbers = c->n * c->layout->numbers;
    float *own;
    SW_TRY(check_finite(c, value));
    if (numbers == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(own, numbers, "states of crystals"));
    for (float *number = own; number < own + numbers;)
        for (int i = 0; i < c->layout->n_fields; i++) {
            number += numbers_of(&c->layout->field[i], value, number);
            value += c->layout->field[i].values;
        }
    const sw_status status = sw_numbers_copy(c->device, numbers, c->state, own);
    free(own);
    return status;
}

/* ---- Means ---- */

enum {
    MEAN_BLOCK = 512,
    MEAN_BLOCKS = 128,
    MEAN_VALUES = SW_SLIP_SYSTEMS_MAX + 1
}; /* crystals; at a time; with the weight */

/* c: on the host. sum [values], then of the weights: added to. */
static void add_block(const sw_crystals *c, int place, const sw_state_field *field, double *sum)
{
    double value[MEAN_VALUES];
    for (int64_t i = 0; i < c->n; i++) {
        const double w = c->weight != NULL ? c->weight[i] : 1;
        values_of(field, c->state + i * c->layout->numbers + place, value);
        for (int k = 0; k < field->values; k++)
            sum[k] += w * value[k];
        sum[field->values] += w;
    }
}

static void add_crystals(const sw_crystals *c, int place, const sw_state_field *field, double *sum)
{
    const int64_t blocks = (c->n + MEAN_BLOCK - 1) / MEAN_BLOCK;
    double part[MEAN_BLOCKS][MEAN_VALUES] = {{0}};
#pragma omp parallel for schedule(static) \
    num_threads(sw_threads_for(blocks, 2.0 * field->values * MEAN_BLOCK))
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t left = c->n - b * MEAN_BLOCK;
        const sw_crystals one = sw_crystals_part(c, b * MEAN_BLOCK, left < MEAN_BLOCK ? left : MEAN_BLOCK);
        add_block(&one, place, field, part[b]);
    }
    for (int64_t b = 0; b < blocks; b++)
        for (int k = 0; k <= field->values; k++)
            sum[k] += part[b][k];
}

static int is_on_gpu(const sw_crystals *c) { return c->device == SW_CUDA && sw_gpu_owns(c->state); }

sw_status sw_crystals_mean(const sw_crystals *c, const char *name, double *mean)
{
    const sw_state_field *field = sw_state_field_find(c->layout, name);
    const int64_t most = MEAN_BLOCK * MEAN_BLOCKS;
    double sum[MEAN_VALUES] = {0};
    if (field == NULL || field->values >= MEAN_VALUES)
        return sw_error(SW_ERR_RANGE, "states of these crystals have no %s", name);
    const int place = sw_state_field_place(c->layout, field);
    for (int k = 0; k < field->values && is_on_gpu(c); k += SW_SUMS_MAX) {
        const int values = field->values - k < SW_SUMS_MAX ? field->values - k : SW_SUMS_MAX;
        sum[k + values] = 0; /* the weights' comes last */
        SW_TRY(sw_states_sum_cuda(c->n, c->layout->numbers, place + k, values, c->state, c->weight, sum + k));
    }
    for (int64_t first = 0; first < c->n && !is_on_gpu(c); first += most) {
        const sw_crystals part = sw_crystals_part(c, first, c->n - first < most ? c->n - first : most);
        add_crystals(&part, place, field, sum);
    }
    for (int k = 0; k < field->values; k++)
        mean[k] = sum[k] / sum[field->values];
    return SW_OK;
}

sw_status sw_crystals_sum_weights(const sw_crystals *c, double *sum)
{
    *sum = 0;
    if (is_on_gpu(c))
        return sw_states_sum_cuda(c->n, c->layout->numbers, 0, 0, c->state, c->weight, sum);
    for (int64_t i = 0; i < c->n; i++)
        *sum += c->weight != NULL ? c->weight[i] : 1;
    return SW_OK;
}
