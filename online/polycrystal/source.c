#include "source.h"

#include <stdlib.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/files/hash.h"
#include "online/texture/population.h"

const char *const sw_polycrystal_interpolations[2] = {"linear", "nearest"};

/* What all parts of reading need. */
typedef struct {
    sw_job *job;
    const char *prefix;
    const sw_polycrystal_source *source;
    sw_polycrystal *made;
} reader;

/* "materials[2].crystals.NAME" */
static const char *path_of(char key[SW_KEY_SIZE], const reader *r, const char *name)
{
    return sw_key_path(key, "%s%s", r->prefix, name);
}

static sw_status read_database(const reader *r)
{
    char key[SW_KEY_SIZE];
    SW_TRY(sw_database_read(r->source->database, 0, &r->made->database));
    r->made->material = *sw_database_material(r->made->database);
    return r->source->terms <= sw_database_terms(r->made->database)
               ? SW_OK
               : sw_job_error(r->job, path_of(key, r, "terms"),
                              " = %lld: need at most the %lld that %s stores", (long long)r->source->terms,
                              (long long)sw_database_terms(r->made->database), r->source->database);
}

static sw_status read_material(const reader *r)
{
    const sw_polycrystal_source *source = r->source;
    const sw_solver *solver = sw_solvers[source->solver];
    char key[SW_KEY_SIZE];
    if (solver->traits.needs_database && source->database == NULL)
        return sw_job_error(r->job, path_of(key, r, "database"), " is missing: the solver '%s' needs one",
                            solver->traits.name);
    if (source->database == NULL && source->material == NULL)
        return sw_job_error(r->job, path_of(key, r, "material"),
                            " is missing: need a material or a database");
    if (source->database != NULL)
        SW_TRY(read_database(r));
    if (source->material == NULL)
        return SW_OK;
    SW_TRY(sw_material_read(source->material, &r->made->material));
    sw_key_difference d;
    if (!solver->traits.needs_database || sw_database_suits(r->made->database, &r->made->material, &d))
        return SW_OK;
    return sw_job_error(r->job, path_of(key, r, "material"),
                        " = %s: its %s = %s: need %s, for which %s was made", source->material, d.key, d.a,
                        d.b, source->database);
}

/* The slip resistance that the job gives, a number or precipitates'. */
static sw_status age_material(const reader *r, int quiet)
{
    const sw_polycrystal_source *source = r->source;
    sw_polycrystal *made = r->made;
    char key[SW_KEY_SIZE], text[400];
    if (source->ageing.file == NULL) {
        if (!(source->initial_slip_resistance > 0))
            return SW_OK;
        made->material.slip.initial_slip_resistance = source->initial_slip_resistance;
        return sw_material_check_resistance(r->job, path_of(key, r, "initial_slip_resistance"),
                                            &made->material, source->initial_slip_resistance);
    }
    SW_TRY(sw_kwn_age_material(r->job, path_of(key, r, "initial_slip_resistance"), &source->ageing,
                               &made->material, &made->ageing));
    sw_kwn_describe_ageing(&source->ageing, &made->ageing, &made->material, text, sizeof text);
    if (!quiet)
        sw_note("aged: %s", text);
    return SW_OK;
}

/* Neither count nor file, but what may stand for them. */
static sw_status check_random(const reader *r, const char *instead)
{
    char key[SW_KEY_SIZE];
    if (r->source->count == 0 && instead == NULL)
        return sw_job_error(r->job, path_of(key, r, "count"), " is missing: need count or file");
    if (r->source->count == 0 && !sw_job_given(r->job, path_of(key, r, instead)))
        return sw_job_error(r->job, path_of(key, r, "count"), " is missing: need count, %s or file", instead);
    return r->source->filter.phase == NULL
               ? sw_crystals_refuse_filter(r->job, r->prefix)
               : sw_job_error(r->job, path_of(key, r, "phase"), " = %.80s: random crystals have none",
                              r->source->filter.phase);
}

static sw_status read_texture(const reader *r, int quiet)
{
    sw_polycrystal *made = r->made;
    sw_crystal_filter filter = r->source->filter;
    filter.group = sw_material_lattice(&made->material)->group;
    SW_TRY(sw_crystal_file_read_with(r->source->file, &filter, &made->list));
    SW_TRY(sw_crystals_suit(r->source->file, &made->list, sw_material_lattice(&made->material),
                            made->material.c_over_a));
    if (made->list.about[0] != '\0' && !quiet)
        sw_note("%s: %s", r->source->file, made->list.about);
    SW_TRY(SW_ALLOCATE(made->texture, made->list.count, "crystals"));
    for (int64_t i = 0; i < made->list.count; i++) {
        for (int j = 0; j < 3; j++)
            made->texture[i].euler[j] = (float)made->list.euler[i][j];
        made->texture[i].slip_resistance = (float)made->material.slip.initial_slip_resistance;
    }
    return SW_OK;
}

static sw_response_options response_of(const sw_polycrystal_source *source, const sw_polycrystal *made)
{
    sw_response_options options = {.solver = sw_solvers[source->solver]->traits.name,
                                   .database = made->database,
                                   .material = &made->material,
                                   .terms = source->terms,
                                   .refinement = source->refinement,
                                   .nearest = source->nearest};
    sw_homogenization_set(&source->homogenization, &options);
    return options;
}

static sw_polycrystal_draw draw_of(const sw_polycrystal_source *source, const sw_polycrystal *made)
{
    const sw_crystal_list *list = &made->list;
    return (sw_polycrystal_draw){.each = source->count > 0 ? source->count : list->count,
                                 .seed = source->seed,
                                 .slip_resistance = (float)made->material.slip.initial_slip_resistance,
                                 .n_texture = list->count,
                                 .texture = made->texture,
                                 .weight = list->weight,
                                 .heaviest = sw_polycrystal_heaviest(list->count, list->weight),
                                 .rotated = source->rotated};
}

static sw_status check_solver(const reader *r, unsigned asked)
{
    const sw_solver *solver = sw_solvers[r->source->solver];
    char key[SW_KEY_SIZE], list[160];
    const char *lacks = sw_solver_lacks(solver, asked);
    if (lacks == NULL)
        return SW_OK;
    sw_solvers_that_have(asked, list, sizeof list);
    return sw_job_error(r->job, path_of(key, r, "solver"), " = %s: %s: need one of %s", solver->traits.name,
                        lacks, list);
}

/* What a response would refuse as it is opened, by the job's keys. */
static sw_status check_crystals(const reader *r)
{
    const sw_solver *solver = sw_solvers[r->source->solver];
    const sw_material *material = &r->made->material;
    const sw_homogenization *homogenization;
    const char *name = sw_homogenization_names[r->source->homogenization.number];
    char key[SW_KEY_SIZE];
    SW_TRY(sw_homogenization_find(name, &homogenization));
    if (sw_solver_follows_planes(solver, material))
        return sw_job_error(
            r->job, path_of(key, r, "solver"),
            " = %s: follows four coplanar resistances, of %s, under one velocity gradient for all "
            "crystals only: points with a loading each need another solver",
            solver->traits.name, material->name);
    return homogenization->takes_open || !sw_material_is_open(material)
               ? SW_OK
               : sw_job_error(
                     r->job, path_of(key, r, "homogenization"),
                     " = %s: slip.families of %s reach no five independent strains: the yield surface is "
                     "open: need self_consistent or sachs",
                     name, material->name);
}

sw_status sw_polycrystal_read(sw_job *job, const char *prefix, const char *instead, unsigned asked,
                              const sw_polycrystal_source *source, int quiet, sw_polycrystal *made)
{
    const reader r = {job, prefix, source, made};
    *made = (sw_polycrystal){.database = NULL};
    SW_TRY(check_solver(&r, asked));
    SW_TRY(read_material(&r));
    SW_TRY(check_crystals(&r));
    SW_TRY(age_material(&r, quiet));
    SW_TRY(source->file != NULL ? read_texture(&r, quiet) : check_random(&r, instead));
    made->response = response_of(source, made);
    made->draw = draw_of(source, made);
    return SW_OK;
}

void sw_polycrystal_identify(const sw_polycrystal *made, uint64_t grain, sw_identity *identity)
{
    const int64_t number[] = {made->draw.each, made->draw.seed, made->draw.rotated};
    const uint64_t drawn = sw_hash(grain, number, sizeof number);
    sw_identity_add(identity, &made->response, sw_crystal_list_hash(drawn, &made->list));
}

void sw_polycrystal_free(sw_polycrystal *made)
{
    sw_database_free(made->database);
    sw_crystal_list_free(&made->list);
    free(made->texture);
    *made = (sw_polycrystal){.database = NULL};
}
