#include "families.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "crystals.h"
#include "online/fem/parts/parts.h"
#include "online/gpu/gpu.h"
#include "online/response/step/solver.h"

const char *const sw_fem_told_names[SW_FEM_TOLD_KINDS] = {"family_slip", "twin_fraction", "turned_fraction",
                                                          "twin_variants"};

/* ---- Which numbers there are ---- */

/* Some values of a crystal's state, times a factor. */
typedef struct {
    int from, values, first_system;
    double factor;
} piece;

enum { MOST_PIECES = SW_FEM_TOLD_KINDS * SW_FAMILIES_MAX };

/* Where the values of a field begin; -1: there is none. */
static int values_before(const sw_state_layout *layout, const char *name)
{
    const sw_state_field *field = layout != NULL ? sw_state_field_find(layout, name) : NULL;
    int values = 0;
    for (const sw_state_field *f = layout != NULL ? layout->field : NULL; field != NULL && f < field; f++)
        values += f->values;
    return field != NULL ? values : -1;
}

/* Of family f of a material: whether its crystals remember it. */
static int find_piece(const sw_material *m, const sw_state_layout *layout, sw_fem_told_kind kind, int f,
                      piece *p)
{
    static const char *const field[] = {"family_slip", "family_slip", "twins_turned", "twin_variants"};
    const int from = values_before(layout, field[kind]);
    const double shear = sw_material_twin_shear(m, f);
    sw_slip_systems systems;
    if (from < 0 || (kind != SW_FEM_FAMILY_SLIP && !(shear > 0)) ||
        (kind == SW_FEM_TURNED_FRACTION && isnan(m->slip.family[f].twin_threshold)) ||
        sw_material_systems(m, &systems) != SW_OK) /* a response has had them */
        return 0;
    int first = 0, count = 0;
    while (first < systems.count && systems.family[first] != f)
        first++;
    while (first + count < systems.count && systems.family[first + count] == f)
        count++;
    *p = kind == SW_FEM_TWIN_VARIANTS
             ? (piece){from + first - systems.two_way, count, first, 1}
             : (piece){from + f, 1, first, kind == SW_FEM_TWIN_FRACTION ? 1 / shear : 1};
    return 1;
}

static sw_fem_told *find_told(const sw_fem_families *to, sw_fem_told_kind kind, const char *family)
{
    for (int k = 0; k < to->n; k++)
        if (to->told[k].kind == kind && strcmp(to->told[k].family, family) == 0)
            return &to->told[k];
    return NULL;
}

/* What a material has of a kind that is not told yet. Room: MOST_PIECES a material. */
static void add_material(const sw_fem_polycrystal *of, sw_fem_told_kind kind, sw_fem_families *to)
{
    const sw_material *m = sw_fem_material_in(of);
    const sw_state_layout *layout = sw_fem_layout_of(of);
    for (int f = 0; f < m->slip.family_count; f++) {
        piece p;
        if (!find_piece(m, layout, kind, f, &p))
            continue;
        sw_fem_told *told = find_told(to, kind, m->slip.family[f].family);
        if (told == NULL)
            to->told[to->n++] = (sw_fem_told){kind, m->slip.family[f].family, m, p.first_system, 0, p.values};
        else if (told->values < p.values)
            told->values = p.values;
    }
}

sw_status sw_fem_families_of(const sw_fem_problem *problem, sw_fem_families *to)
{
    *to = (sw_fem_families){.n = 0};
    SW_TRY(SW_ALLOCATE(to->told, (int64_t)problem->n_materials * MOST_PIECES, "families of crystals"));
    for (int kind = 0; kind < SW_FEM_TOLD_KINDS; kind++)
        for (int i = 0; i < problem->n_materials; i++)
            if (problem->material[i].crystals)
                add_material(problem->material[i].crystals, (sw_fem_told_kind)kind, to);
    for (int k = 0; k < to->n; k++) {
        to->told[k].at = to->columns;
        to->columns += to->told[k].values;
        to->width[to->told[k].kind] += to->told[k].values;
    }
    return SW_OK;
}

void sw_fem_families_free(sw_fem_families *families)
{
    free(families->told);
    *families = (sw_fem_families){.n = 0};
}

/* Those of one group of crystals: pieces of its states, and what is told of them [MOST_PIECES]. */
typedef struct {
    int n;
    piece piece[MOST_PIECES];
    const sw_fem_told *told[MOST_PIECES];
} share;

static void share_of(const sw_fem_families *families, const sw_fem_crystal_group *group, share *s)
{
    const sw_material *m = sw_fem_material_in(group->of);
    s->n = 0;
    for (int kind = 0; kind < SW_FEM_TOLD_KINDS; kind++)
        for (int f = 0; f < m->slip.family_count; f++)
            if (find_piece(m, group->crystals.layout, (sw_fem_told_kind)kind, f, &s->piece[s->n])) {
                s->told[s->n] = find_told(families, (sw_fem_told_kind)kind, m->slip.family[f].family);
                s->n++;
            }
}

/* ---- Of each element ---- */

/* Values [n][S] of an element's crystals to what is told of element e of E. */
static void tell_element(const share *s, int64_t n, int64_t S, const double *state, const float *weight,
                         int64_t E, int64_t e, double *value)
{
    double weights = 0;
    for (int64_t i = 0; i < n; i++)
        weights += weight != NULL ? weight[i] : 1;
    for (int k = 0; k < s->n; k++)
        for (int v = 0; v < s->piece[k].values; v++) {
            double sum = 0;
            for (int64_t i = 0; i < n; i++)
                sum += (weight != NULL ? weight[i] : 1) * state[i * S + s->piece[k].from + v];
            value[s->told[k]->at * E + e * s->told[k]->values + v] = s->piece[k].factor * sum / weights;
        }
}

/* A group's elements, a chunk at a time through the host. list: their numbers here. */
static sw_status read_group(const sw_fem *fem, const sw_fem_families *families,
                            const sw_fem_crystal_group *group, const int64_t *list, double *value)
{
    enum { AT_A_TIME = 1 << 21 }; /* values */
    share s;
    const int64_t each = fem->corners * group->of->each, S = sw_state_values(group->crystals.layout),
                  n_elements = group->points / fem->corners;
    double *state = NULL;
    float *weight = NULL;
    sw_status status = SW_OK;
    share_of(families, group, &s);
    if (s.n == 0)
        return SW_OK;
    const int64_t chunk = each * S < AT_A_TIME ? AT_A_TIME / (each * S) : 1;
    SW_TRY_GOTO(status, SW_ALLOCATE(state, (n_elements < chunk ? n_elements : chunk) * each * S, "states"),
                end);
    if (sw_polycrystal_is_weighted(&group->draw)) {
        SW_TRY_GOTO(status, SW_ALLOCATE(weight, each, "weights of crystals"), end);
        sw_polycrystal_draw_weights(&group->draw, fem->corners, weight);
    }
    for (int64_t first = 0; first < n_elements && status == SW_OK; first += chunk) {
        const int64_t n = n_elements - first < chunk ? n_elements - first : chunk;
        const sw_crystals part = sw_crystals_part(&group->crystals, first * each, n * each);
        status = sw_crystals_save(&part, state);
        if (status != SW_OK)
            break;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, 20 * each))
        for (int64_t i = 0; i < n; i++)
            tell_element(&s, each, S, state + i * each * S, weight, fem->n_elements, list[first + i], value);
    }
end:
    free(state);
    free(weight);
    return status;
}

/* Of this process' elements. */
static sw_status read_part(const sw_fem *fem, const sw_fem_families *families, double *value)
{
    const sw_fem_crystals *c = fem->crystals;
    int64_t *list;
    sw_status status = SW_OK;
    memset(value, 0, (size_t)(families->columns * fem->n_elements) * sizeof *value);
    if (c == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(list, fem->n_elements, "elements of crystals"));
    for (int g = 0; g < c->n_groups && status == SW_OK; g++) {
        int64_t n = 0;
        for (int64_t e = 0; e < fem->n_elements; e++)
            if (c->group_of[e] == g)
                list[n++] = e;
        status = read_group(fem, families, &c->group[g], list, value);
    }
    free(list);
    return status;
}

sw_status sw_fem_read_families(sw_fem *fem, const sw_fem_families *families, double *value)
{
    double *part = NULL;
    if (!fem->parts)
        return read_part(fem, families, value);
    const int64_t whole = fem->parts->whole->mesh->n_elements;
    sw_status status = SW_ALLOCATE(part, families->columns * fem->n_elements, "fields of a part");
    if (status == SW_OK)
        status = read_part(fem, families, part);
    status = sw_parallel_agree(status);
    for (int k = 0; k < families->n && status == SW_OK; k++) {
        const sw_fem_told *told = &families->told[k];
        status = sw_fem_gather_elements(&fem->parts->division, NULL, told->values * (int64_t)sizeof *part,
                                        part + told->at * fem->n_elements, value + told->at * whole);
    }
    free(part);
    return status;
}

/* ---- Of the body ---- */

/* Means of all values of a group's states that are told of, by weights [n] or all alike. */
static sw_status mean_states(const sw_fem_crystal_group *group, const float *weight, double *mean)
{
    const sw_state_layout *layout = group->crystals.layout;
    sw_crystals all = group->crystals;
    all.weight = weight;
    for (int i = 0; i < layout->n_fields; i++) {
        const char *name = layout->field[i].name;
        if (strcmp(name, "family_slip") == 0 || strcmp(name, "twins_turned") == 0 ||
            strcmp(name, "twin_variants") == 0)
            SW_TRY(sw_crystals_mean(&all, name, mean));
        mean += layout->field[i].values;
    }
    return SW_OK;
}

/* Weights lie where the device has its memory, and states of many crystals on the host: then they are copied there. */
static sw_status mean_of_group(const sw_fem_crystals *c, const sw_fem_crystal_group *group, double *mean)
{
    const float *weight = group->volume_weight != NULL ? group->volume_weight : group->weight;
    const int64_t n = group->crystals.n;
    float *copy;
    if (weight == NULL || c->memory->device == SW_CPU || sw_gpu_owns(group->crystals.state))
        return mean_states(group, weight, mean);
    SW_TRY(SW_ALLOCATE(copy, n, "weights of crystals"));
    sw_status status = c->memory->copy(copy, weight, n * (int64_t)sizeof *copy);
    if (status == SW_OK)
        status = mean_states(group, copy, mean);
    free(copy);
    return status;
}

/* A group's part of the sums [C] and of the volumes [C] that they are over. */
static sw_status add_group(const sw_fem_families *families, const sw_fem_crystals *c,
                           const sw_fem_crystal_group *group, double *sum, double *volume)
{
    share s;
    double *mean;
    share_of(families, group, &s);
    if (s.n == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(mean, sw_state_values(group->crystals.layout), "means of crystals"));
    const sw_status status = mean_of_group(c, group, mean);
    for (int k = 0; k < s.n && status == SW_OK; k++)
        for (int v = 0; v < s.piece[k].values; v++) {
            sum[s.told[k]->at + v] += group->volume * s.piece[k].factor * mean[s.piece[k].from + v];
            volume[s.told[k]->at + v] += group->volume;
        }
    free(mean);
    return status;
}

sw_status sw_fem_mean_families(sw_fem *fem, const sw_fem_families *families, double *mean)
{
    const int C = families->columns;
    double *sum;
    sw_status status = SW_ALLOCATE(sum, 2 * (int64_t)C, "means of crystals");
    for (int g = 0; status == SW_OK && fem->crystals && g < fem->crystals->n_groups; g++)
        status = add_group(families, fem->crystals, &fem->crystals->group[g], sum, sum + C);
    if (fem->parts)
        status = sw_parallel_agree(status);
    if (status == SW_OK && fem->parts)
        sw_parallel_sum(sum, 2 * (int64_t)C);
    for (int k = 0; k < C && status == SW_OK; k++)
        mean[k] = sum[C + k] > 0 ? sum[k] / sum[C + k] : 0;
    free(sum);
    return status;
}
