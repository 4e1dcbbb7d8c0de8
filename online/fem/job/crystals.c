/* Materials of crystals. */
#include "parts.h"

/* ---- Keys ---- */

static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(sw_fem_job_material, crystals.ageing), SW_KEYS_END};
SW_HOMOGENIZATION_KEYS(homogenization_keys, sw_fem_job_material, crystals.homogenization);
static const sw_key grain_keys[] = {SW_FEM_GRAIN_KEYS(sw_fem_job_material, grains)};

const sw_key sw_fem_crystals_keys[] = {
    SW_POLYCRYSTAL_KEYS(sw_fem_job_material, crystals, elastoplastic, homogenization_keys, ageing_keys),
    {SW_SECTION("grains", grain_keys),
     .help = "one crystal at each point, the same all over a grain; of `file` grain 0 has the first"},
    SW_KEYS_END};

/* ---- Reading ---- */

/* "materials[2].crystals.NAME" */
static const char *path_of(char key[SW_KEY_SIZE], int index, const char *name)
{
    return sw_key_path(key, "materials[%d].crystals.%s", index, name);
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
    SW_TRY(sw_fem_make_grains(job, path_of(prefix, index, "grains."), &m->grains, &c->is.grain, &n_grains));
    if (c->is.n_texture > 0 && n_grains > c->is.n_texture)
        return sw_job_error(job->source, path_of(key, index, "file"),
                            ": has %lld orientations: need %lld, one a grain", (long long)c->is.n_texture,
                            (long long)n_grains);
    c->is.each = 1;
    return SW_OK;
}

static sw_fem_polycrystal polycrystal_of(const sw_polycrystal *made)
{
    return (sw_fem_polycrystal){.response = made->response,
                                .each = made->draw.each,
                                .seed = made->draw.seed,
                                .n_texture = made->draw.n_texture,
                                .texture = made->draw.texture,
                                .weight = made->draw.weight,
                                .rotated = made->draw.rotated};
}

sw_status sw_fem_make_crystals(sw_fem_job *job, int index)
{
    sw_fem_job_crystals *c = &job->crystals[index];
    char key[SW_KEY_SIZE], prefix[SW_KEY_SIZE];
    if (job->problem.strain != SW_FEM_FINITE)
        return sw_job_error(job->source, sw_key_path(key, "materials[%d].crystals", index),
                            ": need strain: finite");
    SW_TRY(sw_polycrystal_read(job->source, path_of(prefix, index, ""), "grains", SW_SOLVER_POINTS,
                               &job->materials[index].crystals, job->run.quiet, &c->made));
    c->is = polycrystal_of(&c->made);
    SW_TRY(read_grains(job, index, c));
    job->material[index] = sw_fem_material_of_crystals(&c->is);
    return SW_OK;
}

void sw_fem_free_crystals(sw_fem_job_crystals *crystals) { sw_polycrystal_free(&crystals->made); }
