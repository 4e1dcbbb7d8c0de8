#include "lattice_strain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/math/deviator.h"
#include "common/math/elimination.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "online/response/step/crystals.h"
#include "online/response/step/solver.h"
#include "run.h"

const sw_key sw_reflection_keys[] = {
    {SW_REALS("plane", sw_reflection_asked, plane, -100, 100), .shortest = 3, .longest = 4, .needed = 1,
     .help = "hkl, of hexagonal crystals hkil: all that are like it"},
    {SW_REALS("along", sw_reflection_asked, along, -INFINITY, INFINITY), .shortest = 3, .longest = 3,
     .needed = 1, .help = "direction of the sample"},
    {SW_REAL("within", sw_reflection_asked, within, 0, 90), .open = SW_OPEN_BELOW, .standard = 7.5,
     .unit = "degrees", .help = "of it is the normal of one of them"},
    SW_KEYS_END};

/* ---- What is asked ---- */

static double length_of(int n, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

static sw_status check(const sw_response *r, int indices, const double *plane, const double along[3])
{
    const sw_lattice *lattice = sw_material_lattice(r->material);
    const int need = sw_lattice_has_four(lattice) ? 4 : 3;
    if (!r->solver->traits.has_history)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "solver = %s: its crystals have no elastic strains: need elastoplastic or iterative",
                        r->solver->traits.name);
    if (indices != need)
        return sw_error(SW_ERR_RANGE, "plane has %d indices: need %d of a crystal that is %s", indices, need,
                        need == 4 ? "hexagonal, h k i l" : "not hexagonal, h k l");
    if (!(length_of(indices, plane) > 0) || !(length_of(indices, plane) < INFINITY))
        return sw_error(SW_ERR_RANGE, "plane: need indices that are finite and not all 0");
    if (indices == 4 && !(fabs(plane[0] + plane[1] + plane[2]) <= 1e-6 * length_of(4, plane)))
        return sw_error(SW_ERR_RANGE, "plane = [%g, %g, %g, %g]: the first three make %g together: need 0",
                        plane[0], plane[1], plane[2], plane[3], plane[0] + plane[1] + plane[2]);
    return length_of(3, along) > 0 && length_of(3, along) < INFINITY
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "along: need a direction, numbers that are finite and not all 0");
}

static void set_name(int indices, const double *plane, const double along[3], double within, char name[96])
{
    int length = 0;
    for (int i = 0; i < indices; i++)
        length += snprintf(name + length, (size_t)(96 - length), "%s%.4g", i ? " " : "{", plane[i]);
    snprintf(name + length, (size_t)(96 - length), "} along [%.4g %.4g %.4g] within %.4g", along[0], along[1],
             along[2], within);
}

sw_status sw_reflection_of(const sw_response *response, int indices, const double *plane,
                           const double along[3], double within, sw_reflection *reflection)
{
    const sw_material *m = response->material;
    const sw_lattice *lattice = sw_material_lattice(m);
    const double none[4] = {0};
    double hkl[4] = {0}, normal[3], direction[3];
    SW_TRY(check(response, indices, plane, along));
    if (!(within > 0 && within <= 90))
        return sw_error(SW_ERR_RANGE, "within = %g degrees: need more than 0, at most 90", within);
    memcpy(hkl, plane, (size_t)indices * sizeof *hkl);
    sw_lattice_vectors(lattice, m->c_over_a, hkl, none, normal, direction);
    normal[1] /= lattice->three_axes ? m->b_over_a : 1; /* planes are normal to reciprocal vectors */
    for (int i = 0; i < 3; i++)
        reflection->along[i] = along[i] / length_of(3, along);
    const double length = length_of(3, normal);
    for (int i = 0; i < 3; i++)
        normal[i] /= length;
    reflection->normals = sw_point_group_axes(lattice->group, normal, reflection->normal);
    reflection->cosine = cos(within * SW_PI / 180);
    set_name(indices, plane, along, within, reflection->name);
    return SW_OK;
}

/* ---- Strains ---- */

/* What elastic strains are found from. */
typedef struct {
    sw_stiffness stiffness;
    double by_stress[5]; /* stiffness.h */
    double volume;
    int numbers, place, is_double; /* K, and where a crystal has its stress, or its F* */
    int has_volume;                /* its own numbers know it */
} source;

/* C^-1 s is the deviator of the strain, and what the volume makes of stress besides. */
static void strain_of_stress(const source *s, const sw_crystal *crystal, const float *state,
                             double strain[3][3])
{
    double a[5][5], e[5], six[6];
    memcpy(a, s->stiffness.c5, sizeof a);
    for (int i = 0; i < 5; i++)
        e[i] = state[s->place + i] * (double)crystal->slip_resistance; /* as the solver keeps it: over s */
    sw_solve_by_elimination(5, 5, a[0], e, e);
    for (int i = 0; i < 5; i++)
        e[i] -= s->volume * s->by_stress[i];
    sw_deviator_tensor(e, six);
    sw_tensor_of_six(six, strain);
}

/* (F*^T F* - 1) / 2 */
static void strain_of_deformation(const source *s, const float *state, double strain[3][3])
{
    double f[3][3];
    memcpy(f, state + s->place, sizeof f);
    sw_multiply_transposed(f, f, strain);
    for (int k = 0; k < 9; k++)
        strain[k / 3][k % 3] = (strain[k / 3][k % 3] - (k % 4 == 0)) / 2;
}

/* Along the crystal's axes. */
static void strain_of(const source *s, const sw_crystal *crystal, const float *state, double strain[3][3])
{
    if (s->is_double)
        strain_of_deformation(s, state, strain);
    else
        strain_of_stress(s, crystal, state, strain);
    for (int i = 0; i < 3 && !s->has_volume; i++)
        strain[i][i] += s->volume / 3;
}

static void add_crystal(const source *s, const sw_crystal *crystal, const float *state, double weight, int n,
                        const sw_reflection *reflection, double (*sum)[2])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    double g[3][3], strain[3][3];
    int known = 0;
    sw_rotation_from_euler(euler, g);
    for (int k = 0; k < n; k++) {
        const sw_reflection *r = &reflection[k];
        double d[3], cosine = 0, along = 0;
        for (int i = 0; i < 3; i++)
            d[i] = g[0][i] * r->along[0] + g[1][i] * r->along[1] + g[2][i] * r->along[2];
        for (int i = 0; i < r->normals; i++)
            cosine =
                fmax(cosine, fabs(r->normal[i][0] * d[0] + r->normal[i][1] * d[1] + r->normal[i][2] * d[2]));
        if (!(cosine >= r->cosine))
            continue;
        if (!known)
            strain_of(s, crystal, state, strain);
        known = 1;
        for (int i = 0; i < 9; i++)
            along += d[i / 3] * strain[i / 3][i % 3] * d[i % 3];
        sum[k][0] += weight * along;
        sum[k][1] += weight;
    }
}

/* ---- All crystals ---- */

enum { BLOCK = 512, BLOCKS = 128, CHUNK = BLOCK * BLOCKS }; /* crystals; at a time */

static void add_chunk(const source *s, const sw_crystals *c, int n, const sw_reflection *reflection,
                      double (*sum)[2])
{
    const int64_t blocks = (c->n + BLOCK - 1) / BLOCK;
    double part[BLOCKS][SW_REFLECTIONS_MOST][2];
    memset(part, 0, sizeof part);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(blocks, 100.0 * BLOCK))
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = b * BLOCK; i < c->n && i < (b + 1) * BLOCK; i++)
            add_crystal(s, &c->crystal[i], c->state + i * s->numbers, c->weight != NULL ? c->weight[i] : 1, n,
                        reflection, part[b]);
    for (int64_t b = 0; b < blocks; b++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 2; i++)
                sum[k][i] += part[b][k][i];
}

/* Of a GPU's crystals those from `first` on, copied into room on the host. */
static sw_status copy_chunk(const sw_crystals *part, int numbers, sw_crystals *room)
{
    const sw_device device = part->device;
    room->n = part->n;
    SW_TRY(sw_crystals_copy(device, part->n, room->crystal, part->crystal));
    SW_TRY(sw_numbers_copy(device, part->n * numbers, room->state, part->state));
    return part->weight != NULL ? sw_numbers_copy(device, part->n, (float *)room->weight, part->weight)
                                : SW_OK;
}

static sw_status add_all(const source *s, const sw_crystals *c, sw_crystals *room, int n,
                         const sw_reflection *reflection, double (*sum)[2])
{
    for (int64_t first = 0; first < c->n; first += CHUNK) {
        const sw_crystals part = sw_crystals_part(c, first, c->n - first < CHUNK ? c->n - first : CHUNK);
        if (room != NULL)
            SW_TRY(copy_chunk(&part, s->numbers, room));
        add_chunk(s, room != NULL ? room : &part, n, reflection, sum);
    }
    return SW_OK;
}

static sw_status add_from_gpu(const source *s, const sw_crystals *c, int n, const sw_reflection *reflection,
                              double (*sum)[2])
{
    sw_crystal *crystal = NULL;
    float *state = NULL, *weight = NULL;
    sw_status status = SW_ALLOCATE(crystal, CHUNK, "crystals that diffract");
    if (status == SW_OK)
        status = SW_ALLOCATE(state, CHUNK * s->numbers, "crystals that diffract");
    if (status == SW_OK && c->weight != NULL)
        status = SW_ALLOCATE(weight, CHUNK, "crystals that diffract");
    sw_crystals room = {.device = SW_CPU, .crystal = crystal, .state = state, .weight = weight};
    if (status == SW_OK)
        status = add_all(s, c, &room, n, reflection, sum);
    free(crystal);
    free(state);
    free(weight);
    return status;
}

/* Of each of n <= SW_REFLECTIONS_MOST: the weight of its crystals times their strain, and their weight; added to sum [n]. The same
 * bits for any number of threads. volume: ln J of the elastic strains, which all crystals have alike. SW_ERR_MEMORY. */
static sw_status sum_reflections(const sw_response *response, const sw_crystals *c, double volume, int n,
                                 const sw_reflection *reflection, double (*sum)[2])
{
    source s = {.stiffness = sw_material_stiffness(response->material),
                .volume = volume,
                .numbers = c->layout->numbers,
                .is_double = c->layout->field[0].is_double, /* the solver's own numbers come first */
                .has_volume = c->layout->field[0].is_double && sw_response_takes_volume(response)};
    sw_stiffness_relaxed_bulk(&s.stiffness, s.by_stress);
    return c->device == SW_CUDA ? add_from_gpu(&s, c, n, reflection, sum)
                                : add_all(&s, c, NULL, n, reflection, sum);
}

/* ---- Of a run ---- */

/* Of the volume, so far. */
static double expansion_of(const sw_taylor *r)
{
    const sw_history *h = &r->history;
    double expansion[3];
    return h->temperature != NULL && sw_material_expansion(&r->material, expansion) == SW_OK
               ? (expansion[0] + expansion[1] + expansion[2]) * (h->temperature[h->n - 1] - h->temperature[0])
               : 0;
}

sw_status sw_taylor_sum_strains(const sw_taylor *r, int n, const sw_reflection *reflection, double (*sum)[2])
{
    const sw_history *h = &r->history;
    const double(*const f)[3] = (const double(*)[3])h->deformation_gradient[h->n - 1],
                        (*const stress)[3] = (const double(*)[3])h->cauchy_stress[h->n - 1];
    double g[3][3];
    memcpy(g, f, sizeof g);
    const double volume =
        sw_response_takes_volume(r->response)
            ? log(sw_determinant(g)) - expansion_of(r)
            : (stress[0][0] + stress[1][1] + stress[2][2]) / 3 / sw_material_stiffness(&r->material).bulk;
    memset(sum, 0, (size_t)n * sizeof *sum);
    SW_TRY(sw_parallel_agree(sum_reflections(r->response, &r->crystals, volume, n, reflection, sum)));
    sw_parallel_sum(sum[0], (int64_t)2 * n);
    return SW_OK;
}

sw_status sw_taylor_follow_strains(sw_taylor *r)
{
    double sum[SW_REFLECTIONS_MOST][2];
    if (r->history.reflections == 0)
        return SW_OK;
    SW_TRY(sw_taylor_sum_strains(r, r->history.reflections, r->reflection, sum));
    sw_history_set_strains(&r->history, (const double(*)[2])sum, r->population.weight_in_all);
    return SW_OK;
}
