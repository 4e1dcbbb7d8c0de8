/* What elements' crystals are like: fields, and textures of sets. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "common/math/rotation.h"
#include "common/system/parallel.h"
#include "online/texture/population.h"
#include "online/texture/texture.h"
#include "online/texture/texture_output.h"
#include "output.h"

/* ---- Crystals of elements ---- */

static int64_t crystals_of(const sw_fem_results *r, int64_t e)
{
    const sw_fem_polycrystal *of = r->job->material[r->job->material_of[e]].crystals;
    return of == NULL ? 0 : of->each * sw_fem_shapes[r->job->mesh->shape].n_nodes; /* points are as many */
}

/* Of an element that has crystals. */
static const sw_material *material_of(const sw_fem_results *r, int64_t e)
{
    return r->job->material[r->job->material_of[e]].crystals->response.material;
}

/* Of the first element of a set, NULL: of the body, that has crystals. There is one. */
static const sw_material *first_material(const sw_fem_results *r, const sw_fem_set *set)
{
    int64_t i = 0;
    while (crystals_of(r, set != NULL ? set->member[i] : i) == 0)
        i++;
    return material_of(r, set != NULL ? set->member[i] : i);
}

static int64_t most_crystals(const sw_fem_results *r)
{
    int64_t most = 0;
    for (int64_t e = 0; e < r->job->mesh->n_elements; e++)
        most = crystals_of(r, e) > most ? crystals_of(r, e) : most;
    return most;
}

/* Room for n crystals as textures take them. */
typedef struct {
    sw_crystal *crystal;
    float *weight;
    double (*euler)[3], *share;
} room;

static void free_room(room *m)
{
    free(m->crystal);
    free(m->weight);
    free(m->euler);
    free(m->share);
}

static sw_status make_room(int64_t n, room *m)
{
    SW_TRY(SW_ALLOCATE(m->crystal, n, "crystals"));
    SW_TRY(SW_ALLOCATE(m->weight, n, "crystals"));
    SW_TRY(SW_ALLOCATE(m->euler, n, "crystals"));
    return SW_ALLOCATE(m->share, n, "crystals");
}

/* The first of several processes has the crystals that all of them read together, and what is made of them. */
static int is_root(void) { return sw_parallel_rank() == 0; }

/* Those of element e go to number `at` and on, with weights that add up to its volume before anything deformed it. */
static sw_status read_element(const sw_fem_results *r, sw_fem *fem, int64_t e, int64_t at, const room *m)
{
    const int64_t n = crystals_of(r, e);
    double sum = 0;
    SW_TRY(sw_fem_read_crystals(fem, e, m->crystal + at, m->weight + at));
    for (int64_t i = at; i < at + n; i++)
        sum += m->weight[i];
    const double each = sw_fem_element_volume(&r->job->problem, e) / sum;
    for (int64_t i = at; i < at + n; i++) {
        for (int j = 0; j < 3; j++)
            m->euler[i][j] = m->crystal[i].euler[j];
        m->share[i] = each * m->weight[i];
    }
    return SW_OK;
}

/* ---- Fields ---- */

enum { NUMBERS = sizeof(sw_fem_crystal_point) / sizeof(double) };
static const char *const number_names[NUMBERS] = {"crystal_slip", "plastic_work", "slip_resistance",
                                                  "taylor_factor"};

/* Fractions of a lattice's components, as texture output has them; 0 in elements without such crystals. */
static sw_status fill_fractions(const sw_fem_results *r, sw_fem *fem, const sw_lattice *lattice,
                                double *value)
{
    const int64_t E = r->job->mesh->n_elements;
    room m = {.crystal = NULL};
    double fraction[SW_HISTOGRAM_COMPONENTS] = {0};
    sw_status status = make_room(most_crystals(r), &m), failed = SW_OK; /* failed: once all are read */
    for (int64_t e = 0; e < E && status == SW_OK; e++) {
        const int64_t n = crystals_of(r, e);
        if (n == 0 || sw_material_lattice(material_of(r, e))->ideal != lattice->ideal)
            continue;
        status = read_element(r, fem, e, 0, &m);
        if (status == SW_OK && failed == SW_OK && is_root())
            failed = sw_component_fractions(lattice, n, (const double(*)[3])m.euler, m.share,
                                            SW_HISTOGRAM_TOLERANCE_DEGREES * SW_PI / 180, fraction);
        for (int i = 0; i < lattice->n_ideals && failed == SW_OK; i++)
            value[i * E + e] = fraction[i];
    }
    free_room(&m);
    return status == SW_OK ? sw_parallel_agree(failed) : status;
}

/* The grains of elements, where there are any: one more field. */
static void add_grains(const sw_fem_results *r, double *value, sw_fem_crystal_fields *to)
{
    const sw_fem_job *job = r->job;
    int any = 0;
    for (int64_t e = 0; e < job->mesh->n_elements; e++) {
        const sw_fem_polycrystal *of = job->material[job->material_of[e]].crystals;
        const int has = of != NULL && of->grain != NULL;
        value[e] = has ? of->grain[e] : -1;
        any |= has;
    }
    if (any)
        to->field[to->n++] = (sw_fem_vtk_field){"grain", 1, 1, 0, value};
}

/* One more for each of what is told of families: of variants as many components as they are. */
static sw_status add_families(const sw_fem_results *r, sw_fem *fem, double *value, sw_fem_crystal_fields *to)
{
    const sw_fem_families *families = &r->families;
    if (families->n > 0)
        SW_TRY(sw_fem_read_families(fem, families, value));
    for (int k = 0; k < families->n; k++) {
        const sw_fem_told *told = &families->told[k];
        char *name = to->name[to->n];
        snprintf(name, sizeof *to->name, "%s_%s", sw_fem_told_names[told->kind], told->family);
        to->field[to->n++] =
            (sw_fem_vtk_field){name, 1, told->values, 0, value + told->at * r->job->mesh->n_elements};
    }
    return SW_OK;
}

sw_status sw_fem_crystal_fields_make(const sw_fem_results *r, sw_fem *fem, sw_fem_crystal_fields *to)
{
    const int64_t E = r->job->mesh->n_elements;
    *to = (sw_fem_crystal_fields){.n = 0};
    if (r->field.crystal == NULL)
        return SW_OK;
    const sw_lattice *lattice = sw_material_lattice(first_material(r, NULL));
    const int n_components = lattice->n_ideals, most = NUMBERS + n_components + 1 + r->families.n;
    SW_TRY(SW_ALLOCATE(to->value, E * (NUMBERS + n_components + 1 + r->families.columns), "fields"));
    SW_TRY(SW_ALLOCATE(to->field, most, "fields"));
    SW_TRY(SW_ALLOCATE(to->name, most, "fields"));
    to->n = NUMBERS + (r->job->output.components ? n_components : 0);
    for (int k = 0; k < to->n; k++) {
        snprintf(to->name[k], sizeof to->name[k], "%s%s", k < NUMBERS ? "" : "fraction_",
                 k < NUMBERS ? number_names[k] : lattice->ideal[k - NUMBERS].name);
        to->field[k] = (sw_fem_vtk_field){to->name[k], 1, 1, 0, to->value + k * E};
    }
    for (int64_t e = 0; e < E; e++)
        for (int k = 0; k < NUMBERS; k++)
            to->value[k * E + e] = ((const double *)&r->field.crystal[e])[k];
    if (to->n > NUMBERS)
        SW_TRY(fill_fractions(r, fem, lattice, to->value + NUMBERS * E));
    add_grains(r, to->value + (NUMBERS + n_components) * E, to);
    return add_families(r, fem, to->value + (NUMBERS + n_components + 1) * E, to);
}

void sw_fem_crystal_fields_free(sw_fem_crystal_fields *fields)
{
    free(fields->value);
    free(fields->field);
    free(fields->name);
}

/* ---- Textures ---- */

/* Weights: 1 on average. Volumes of elements that are alike differ by round-off. */
static sw_status write_orientations(int64_t n, double volume, const room *m, hid_t group)
{
    int weighted = 0;
    for (int64_t i = 0; i < n; i++) {
        weighted |= !(fabs(m->share[i] - m->share[0]) < 1e-6 * m->share[0]);
        m->weight[i] = (float)(m->share[i] * (double)n / volume);
    }
    SW_TRY(sw_h5_write(group, "orientations", H5T_NATIVE_DOUBLE, 2, (int64_t[]){n, 3}, m->euler));
    SW_TRY(sw_h5_describe(group, "orientations", "unit", "rad"));
    return weighted ? sw_h5_write(group, "weight", H5T_NATIVE_FLOAT, 1, &n, m->weight) : SW_OK;
}

static sw_status put_texture(const sw_fem_results *r, const sw_fem_set *set, int64_t n, const room *m,
                             hid_t group)
{
    const sw_material *material = first_material(r, set); /* the job's reader has seen one */
    const sw_lattice *lattice = sw_material_lattice(material);
    SW_TRY(sw_h5_write_text(group, "elements", set->name));
    SW_TRY(sw_h5_write_text(group, "crystal_structure", lattice->name));
    if (lattice->vectors != NULL)
        SW_TRY(sw_h5_write_numbers(group, "c_over_a", 1, &material->c_over_a));
    if (lattice->three_axes)
        SW_TRY(sw_h5_write_numbers(group, "b_over_a", 1, &material->b_over_a));
    double volume = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        volume += m->share[i];
        squares += m->share[i] * m->share[i];
    }
    SW_TRY(sw_texture_write(group, lattice, material->c_over_a, n, (const double(*)[3])m->euler, m->share,
                            volume * volume / squares)); /* so many alike scatter as much */
    return write_orientations(n, volume, m, group);
}

/* Number k of the job's. */
static sw_status put_numbered(const sw_fem_results *r, int k, const sw_fem_set *set, int64_t n, const room *m,
                              hid_t file)
{
    char name[64];
    hid_t group;
    snprintf(name, sizeof name, "texture/%d", k);
    SW_TRY(sw_h5_group(file, name, &group));
    const sw_status status = put_texture(r, set, n, m, group);
    H5Gclose(group);
    return status;
}

static sw_status write_texture(const sw_fem_results *r, sw_fem *fem, int k, hid_t file)
{
    const sw_fem_set *set = sw_fem_mesh_set(r->job->mesh, SW_FEM_ELEMENTS, r->job->output.textures[k]);
    room m = {.crystal = NULL};
    int64_t n = 0, at = 0;
    for (int64_t i = 0; i < set->n; i++)
        n += crystals_of(r, set->member[i]);
    sw_status status = sw_parallel_agree(make_room(n, &m));
    for (int64_t i = 0; i < set->n && status == SW_OK; i++) {
        const int64_t here = crystals_of(r, set->member[i]);
        if (here > 0)
            status = read_element(r, fem, set->member[i], at, &m);
        at += here;
    }
    if (status == SW_OK)
        status = sw_parallel_agree(is_root() ? put_numbered(r, k, set, n, &m, file) : SW_OK);
    free_room(&m);
    return status;
}

static sw_status begin_textures(const char *path, int64_t increment, sw_h5_output *output)
{
    const double version = 1, number = (double)increment;
    SW_TRY(sw_h5_begin(path, output));
    sw_status status = sw_h5_write_text(output->file, "format", "slipwave-fem-textures");
    if (status == SW_OK)
        status = sw_h5_write_numbers(output->file, "version", 1, &version);
    if (status == SW_OK)
        status = sw_h5_write_numbers(output->file, "increment", 1, &number);
    if (status != SW_OK)
        sw_h5_abandon(output);
    return status;
}

sw_status sw_fem_textures_write(const sw_fem_results *r, sw_fem *fem, int64_t increment)
{
    sw_h5_output output = {.file = -1};
    if (r->job->output.textures_count == 0)
        return SW_OK;
    char *path = sw_fem_numbered_name(r->job, increment, "textures.h5");
    if (path == NULL)
        return SW_ERR_MEMORY;
    sw_status status = sw_parallel_agree(is_root() ? begin_textures(path, increment, &output) : SW_OK);
    free(path);
    SW_TRY(status);
    for (int k = 0; k < r->job->output.textures_count && status == SW_OK; k++)
        status = write_texture(r, fem, k, output.file);
    return sw_parallel_agree(is_root() ? sw_h5_end(&output, status) : status);
}
