/* Materials of crystals. */
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "online/response/solvers.h"
#include "parts.h"

/* ---- Keys ---- */

static const char *const interpolation_names[] = {"linear", "nearest"};

static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(sw_fem_job_material, crystals.ageing), SW_KEYS_END};
static const sw_key grain_keys[] = {SW_FEM_GRAIN_KEYS(sw_fem_job_material, crystals.grains)};

const sw_key sw_fem_crystals_keys[] = {
    {SW_PATH("database", sw_fem_job_material, crystals.database), .otherwise = "none: a material",
     .help = "spectral database, for terms and grid"},
    {SW_PATH("material", sw_fem_job_material, crystals.material), .otherwise = "the database's",
     .help = "material file"},
    {SW_WORD_OF("solver", sw_fem_job_material, crystals.solver, sw_solver_names, SW_SOLVER_iterative),
     .standard = SW_SOLVER_elastoplastic, .otherwise = "elastoplastic", .help = "how crystals respond"},
    {SW_WHOLE("terms", sw_fem_job_material, crystals.terms, 1, INT64_MAX), .otherwise = "all",
     .help = "stored terms that the solver terms uses"},
    {SW_WHOLE("refinement", sw_fem_job_material, crystals.refinement, 1, 4096),
     .otherwise = "terms: 128, grid: 1",
     .help = "multiplier of the grid's points, for the solvers terms and grid"},
    {SW_WORD("interpolation", sw_fem_job_material, crystals.nearest, interpolation_names),
     .help = "how grid reads its table"},
    {SW_WHOLE("count", sw_fem_job_material, crystals.count, 1, 1000000), .otherwise = "as many as the file's",
     .help = "crystals at each point"},
    {SW_WHOLE("seed", sw_fem_job_material, crystals.seed, 0, INT64_MAX), .standard = 1,
     .help = "random seed of orientations, of what points draw from a file, and of turns"},
    {SW_PATH("file", sw_fem_job_material, crystals.file), .option = "crystals-file",
     .otherwise = "none: random orientations",
     .help = "orientations, .ori .tex .ang .ctf, or results of slipwave taylor; each point draws `count` of "
             "them by weight, all where there "
             "are as many"},
    {SW_TEXT("phase", sw_fem_job_material, crystals.phase), .bound = "the name or number of a phase",
     .otherwise = "the scan's only one", .help = "which phase of a scan, .ang or .ctf"},
    {SW_YES("rotated", sw_fem_job_material, crystals.rotated), .otherwise = "no",
     .help = "the crystals of each element are turned together by a random rotation"},
    {SW_REAL("initial_slip_resistance", sw_fem_job_material, crystals.initial_slip_resistance, 1e4, 1e11),
     .unit = "Pa", .otherwise = "the material's", .keys = ageing_keys,
     .help = "s of every crystal; a mapping takes it from precipitates, and shifts the hardening with it"},
    {SW_SECTION("grains", grain_keys),
     .help = "one crystal at each point, the same all over a grain; of `file` grain 0 has the first"},
    SW_KEYS_END};

/* ---- Reading ---- */

/* "materials[2].crystals.NAME" */
static const char *path_of(char key[SW_KEY_SIZE], int index, const char *name)
{
    return sw_key_path(key, "materials[%d].crystals.%s", index, name);
}

static sw_status read_material(sw_fem_job *job, int index, sw_fem_job_crystals *c)
{
    const sw_fem_job_material *m = &job->materials[index];
    const sw_solver *solver = sw_solvers[m->crystals.solver];
    char key[SW_KEY_SIZE];
    if (solver->traits.needs_database && m->crystals.database == NULL)
        return sw_job_error(job->source, path_of(key, index, "database"),
                            " is missing: the solver '%s' needs one", solver->traits.name);
    if (m->crystals.database == NULL && m->crystals.material == NULL)
        return sw_job_error(job->source, path_of(key, index, "material"),
                            " is missing: need a material or a database");
    if (m->crystals.database != NULL) {
        SW_TRY(sw_database_read(m->crystals.database, 0, &c->database));
        c->material = *sw_database_material(c->database);
        if (m->crystals.terms > sw_database_terms(c->database))
            return sw_job_error(job->source, path_of(key, index, "terms"),
                                " = %lld: need at most the %lld that %s stores", (long long)m->crystals.terms,
                                (long long)sw_database_terms(c->database), m->crystals.database);
    }
    if (m->crystals.material == NULL)
        return SW_OK;
    SW_TRY(sw_material_read(m->crystals.material, &c->material));
    sw_key_difference d;
    if (!solver->traits.needs_database ||
        sw_material_suits(&c->material, sw_database_material(c->database), &d))
        return SW_OK;
    return sw_job_error(job->source, path_of(key, index, "material"),
                        " = %s: its %s = %s: need %s, for which %s was made", m->crystals.material, d.key,
                        d.a, d.b, m->crystals.database);
}

static sw_status age_material(const sw_fem_job *job, int index, sw_fem_job_crystals *c)
{
    const sw_kwn_state *state = &job->materials[index].crystals.ageing;
    char key[SW_KEY_SIZE], text[400];
    if (state->file == NULL)
        return SW_OK;
    SW_TRY(sw_kwn_age_material(job->source, path_of(key, index, "initial_slip_resistance"), state,
                               &c->material, &c->ageing));
    sw_kwn_describe_ageing(state, &c->ageing, &c->material, text, sizeof text);
    if (!job->run.quiet)
        sw_note("aged: %s", text);
    return SW_OK;
}

static sw_status read_texture(sw_fem_job *job, int index, sw_fem_job_crystals *c)
{
    const sw_fem_job_material *m = &job->materials[index];
    char key[SW_KEY_SIZE];
    if (m->crystals.file == NULL) {
        if (m->crystals.count == 0 && !sw_job_given(job->source, path_of(key, index, "grains")))
            return sw_job_error(job->source, path_of(key, index, "count"),
                                " is missing: need count, grains or file");
        return m->crystals.phase == NULL
                   ? SW_OK
                   : sw_job_error(job->source, path_of(key, index, "phase"),
                                  " = %.80s: random crystals have none", m->crystals.phase);
    }
    SW_TRY(sw_crystal_file_read(m->crystals.file, m->crystals.phase, &c->list));
    SW_TRY(SW_ALLOCATE(c->texture, c->list.count, "crystals"));
    for (int64_t i = 0; i < c->list.count; i++)
        for (int j = 0; j < 3; j++)
            c->texture[i].euler[j] = (float)c->list.euler[i][j];
    for (int64_t i = 0; i < c->list.count; i++)
        c->texture[i].slip_resistance = (float)c->material.slip.initial_slip_resistance;
    c->is.n_texture = c->list.count;
    c->is.texture = c->texture;
    c->is.weight = c->list.weight;
    return SW_OK;
}

/* With grains a point has one crystal, that of its grain. */
static sw_status read_grains(sw_fem_job *job, int index, sw_fem_job_crystals *c)
{
    const sw_fem_job_material *m = &job->materials[index];
    char key[SW_KEY_SIZE], prefix[SW_KEY_SIZE];
    int64_t n_grains;
    if (!sw_job_given(job->source, path_of(key, index, "grains")))
        return SW_OK;
    if (m->crystals.count > 1)
        return sw_job_error(job->source, path_of(key, index, "count"), " = %lld: with grains need 1",
                            (long long)m->crystals.count);
    if (m->crystals.rotated)
        return sw_job_error(job->source, path_of(key, index, "rotated"),
                            " = yes: with grains, whose elements stay alike, need no");
    SW_TRY(sw_fem_make_grains(job, path_of(prefix, index, "grains."), &m->crystals.grains, &c->is.grain,
                              &n_grains));
    if (c->is.n_texture > 0 && n_grains > c->is.n_texture)
        return sw_job_error(job->source, path_of(key, index, "file"),
                            ": has %lld orientations: need %lld, one a grain", (long long)c->is.n_texture,
                            (long long)n_grains);
    c->is.each = 1;
    return SW_OK;
}

sw_status sw_fem_make_crystals(sw_fem_job *job, int index)
{
    const sw_fem_job_material *m = &job->materials[index];
    sw_fem_job_crystals *c = &job->crystals[index];
    char key[SW_KEY_SIZE];
    if (job->problem.strain != SW_FEM_FINITE)
        return sw_job_error(job->source, sw_key_path(key, "materials[%d].crystals", index),
                            ": need strain: finite");
    SW_TRY(read_material(job, index, c));
    SW_TRY(age_material(job, index, c));
    if (m->crystals.initial_slip_resistance > 0 && m->crystals.ageing.file == NULL)
        c->material.slip.initial_slip_resistance = m->crystals.initial_slip_resistance;
    SW_TRY(read_texture(job, index, c));
    c->is.response = (sw_response_options){.solver = sw_solvers[m->crystals.solver]->traits.name,
                                           .database = c->database,
                                           .material = &c->material,
                                           .terms = m->crystals.terms,
                                           .refinement = m->crystals.refinement,
                                           .nearest = m->crystals.nearest};
    c->is.each = m->crystals.count > 0 ? m->crystals.count : c->list.count;
    c->is.seed = m->crystals.seed;
    c->is.rotated = m->crystals.rotated;
    SW_TRY(read_grains(job, index, c));
    if (!sw_job_given(job->source, "b_bar"))
        job->problem.b_bar = 1;
    job->material[index] = sw_fem_material_of_crystals(&c->is);
    return SW_OK;
}

void sw_fem_free_crystals(sw_fem_job_crystals *crystals)
{
    sw_database_free(crystals->database);
    free(crystals->list.euler);
    free(crystals->list.weight);
    free(crystals->texture);
}
