/* slipwave/crystals.h: states of crystals are made, copied, kept and taken back here alone, whatever they hold. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/system/threads.h"
#include "crystals.h"
#include "crystals_cuda.h"
#include "solver.h"

const sw_state_layout *sw_response_layout(const sw_response *response) { return &response->layout; }

sw_state_layout sw_state_layout_of(const sw_solver *solver, const sw_material *material,
                                   sw_state_field field[SW_STATE_FIELDS_MAX])
{
    sw_slip_systems systems;
    if (material == NULL || !sw_material_has_families(material) ||
        sw_material_systems(material, &systems) != SW_OK)
        return solver->state;
    sw_state_layout layout = solver->with_families;
    memcpy(field, layout.field, (size_t)layout.n_fields * sizeof *field);
    layout.field = field;
    if (material->hardening.law >= SW_LAWS_OF_ONE) {
        field[layout.n_fields++] = (sw_state_field){"system_resistance", "Pa", systems.count, 0};
        layout.numbers += systems.count;
    }
    field[layout.n_fields++] = (sw_state_field){"family_slip", "", material->slip.family_count, 0};
    layout.numbers += material->slip.family_count;
    return layout;
}

int sw_response_takes_volume(const sw_response *response)
{
    const sw_solver_traits *traits = &response->solver->traits;
    return (traits->has_holds || traits->is_reference) &&
           sw_material_lattice(response->material)->vectors != NULL;
}

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
    if (!c->borrowed)
        sw_crystals_free(c->device, c->crystal);
    *c = (sw_crystals){.n = 0};
}

static void begin_at_0(sw_crystals *c)
{
    memset(c->state, 0, (size_t)(c->n * c->layout->numbers) * sizeof *c->state);
}

sw_status sw_crystals_begin(const sw_response *response, sw_crystals *c)
{
    if (c->layout->numbers == 0)
        return SW_OK;
    const int own = response->solver->with_families.numbers;
    sw_slip_law law;
    SW_TRY(sw_slip_law_prepare(response->material, &law));
    const sw_slip_law_start start = sw_slip_law_start_of(&law);
    if (c->device == SW_CUDA)
        return start.systems == 0
                   ? sw_numbers_clear_cuda(c->n * c->layout->numbers, c->state)
                   : sw_states_begin_cuda(&start, c->n, c->crystal, c->layout->numbers, c->state);
    (response->functions->begin != NULL ? response->functions->begin : begin_at_0)(c);
    for (int64_t i = 0; i < c->n && start.systems > 0; i++)
        sw_slip_law_begin(&start, c->crystal[i].slip_resistance, c->state + i * c->layout->numbers + own);
    return SW_OK;
}

/* ---- Parts and copies ---- */

sw_crystals sw_crystals_part(const sw_crystals *c, int64_t first, int64_t n)
{
    sw_crystals part = *c;
    part.n = n;
    part.borrowed = 1;
    part.crystal += first;
    part.state = c->state != NULL ? c->state + first * c->layout->numbers : NULL;
    part.weight = c->weight != NULL ? c->weight + first : NULL;
    return part;
}

sw_status sw_crystals_assign(sw_crystals *to, const sw_crystals *from)
{
    if (to->n != from->n || to->layout->numbers != from->layout->numbers)
        return sw_error(SW_ERR_RANGE,
                        "states of %lld crystals, %d numbers each, for %lld of %d: need as many",
                        (long long)from->n, from->layout->numbers, (long long)to->n, to->layout->numbers);
    const sw_device device = to->device == SW_CUDA ? SW_CUDA : from->device;
    SW_TRY(sw_crystals_copy(device, to->n, to->crystal, from->crystal));
    return to->state == NULL ? SW_OK
                             : sw_numbers_copy(device, to->n * to->layout->numbers, to->state, from->state);
}

void sw_crystals_swap(sw_crystals *a, sw_crystals *b)
{
    sw_crystal *const crystal = a->crystal;
    float *const state = a->state;
    a->crystal = b->crystal;
    a->state = b->state;
    b->crystal = crystal;
    b->state = state;
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

const sw_state_field *sw_state_field_find(const sw_state_layout *layout, const char *name)
{
    for (int i = 0; i < layout->n_fields; i++)
        if (strcmp(layout->field[i].name, name) == 0)
            return &layout->field[i];
    return NULL;
}

/* Where it begins among a crystal's numbers. */
static int place_of(const sw_state_layout *layout, const sw_state_field *field)
{
    int place = 0;
    for (const sw_state_field *f = layout->field; f < field; f++)
        place += (f->is_double ? 2 : 1) * f->values;
    return place;
}

static double value_at(const sw_state_field *field, const float *number, int k)
{
    double value;
    if (!field->is_double)
        return number[k];
    memcpy(&value, number + 2 * k, sizeof value);
    return value;
}

/* c: on the host. sum [values], then of the weights: added to. */
static void add_block(const sw_crystals *c, const sw_state_field *field, double *sum)
{
    const int place = place_of(c->layout, field), values = field->values;
    for (int64_t i = 0; i < c->n; i++) {
        const double w = c->weight != NULL ? c->weight[i] : 1;
        for (int k = 0; k < values; k++)
            sum[k] += w * value_at(field, c->state + i * c->layout->numbers + place, k);
        sum[values] += w;
    }
}

static void add_crystals(const sw_crystals *c, const sw_state_field *field, double *sum)
{
    const int values = field->values;
    const int64_t blocks = (c->n + MEAN_BLOCK - 1) / MEAN_BLOCK;
    double part[MEAN_BLOCKS][MEAN_VALUES] = {{0}};
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(blocks, 2.0 * values * MEAN_BLOCK))
    for (int64_t b = 0; b < blocks; b++) {
        const int64_t left = c->n - b * MEAN_BLOCK;
        const sw_crystals one = sw_crystals_part(c, b * MEAN_BLOCK, left < MEAN_BLOCK ? left : MEAN_BLOCK);
        add_block(&one, field, part[b]);
    }
    for (int64_t b = 0; b < blocks; b++)
        for (int k = 0; k <= values; k++)
            sum[k] += part[b][k];
}

/* A GPU's by way of the host. room [crystals of a part][K + 1]. */
static sw_status add_from_gpu(const sw_crystals *part, float *room, const sw_state_field *field, double *sum)
{
    sw_crystals here = *part;
    here.state = room;
    SW_TRY(sw_numbers_copy(part->device, part->n * part->layout->numbers, room, part->state));
    if (part->weight != NULL) {
        float *const weight = room + part->n * part->layout->numbers;
        SW_TRY(sw_numbers_copy(part->device, part->n, weight, part->weight));
        here.weight = weight;
    }
    add_crystals(&here, field, sum);
    return SW_OK;
}

sw_status sw_crystals_mean(const sw_crystals *c, const char *name, double *mean)
{
    const sw_state_field *field = sw_state_field_find(c->layout, name);
    const int64_t most = MEAN_BLOCK * MEAN_BLOCKS;
    double sum[MEAN_VALUES] = {0};
    float *room = NULL;
    sw_status status = SW_OK;
    if (field == NULL || field->values >= MEAN_VALUES)
        return sw_error(SW_ERR_RANGE, "states of these crystals have no %s", name);
    if (c->device == SW_CUDA)
        SW_TRY(
            SW_ALLOCATE(room, (c->n < most ? c->n : most) * (c->layout->numbers + 1), "states of crystals"));
    for (int64_t first = 0; first < c->n && status == SW_OK; first += most) {
        const sw_crystals part = sw_crystals_part(c, first, c->n - first < most ? c->n - first : most);
        if (room != NULL)
            status = add_from_gpu(&part, room, field, sum);
        else
            add_crystals(&part, field, sum);
    }
    free(room);
    for (int k = 0; k < field->values; k++)
        mean[k] = sum[k] / sum[field->values];
    return status;
}
