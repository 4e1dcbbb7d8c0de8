/* A membrane of a job: of a cylinder that is cut out of a packing, or the one that a packing has. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
#include "online/dem/packing/memory.h"
#include "online/dem/packing/packing.h"

static const char *const end_names[] = {"sliding", "fixed"};
#define NUMBER(m, least, most) SW_REAL(#m, sw_dem_job, membrane.m, least, most), .standard = NAN
const sw_key sw_dem_membrane_keys[] = {
    {NUMBER(radius, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m",
     .otherwise = "what the packing's cell has room for",
     .help = "of the cylinder that is cut out of the packing, about the middle of its cell, along axis 3; "
             "3 of the largest grain's radii or more"},
    {NUMBER(height, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m", .otherwise = "the cell's"},
    {NUMBER(spacing, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m",
     .otherwise = "the grains' mean radius",
     .help = "of nodes: spheres of a quarter of it in radius; 3 of the least grain's radii or less"},
    {NUMBER(stiffness, 0, 1e9), .unit = "N/m",
     .otherwise = "10 times packing.pressure times the grains' mean radius",
     .help = "Young's modulus times thickness"},
    {SW_REAL("friction", sw_dem_job, membrane.friction, 0, 10), .bound = "a tangent, from 0 to 10",
     .help = "of the membrane with grains"},
    {SW_WORD("ends", sw_dem_job, membrane.ends, end_names),
     .help = "what holds its outermost rings on the platens"},
    SW_KEYS_END};

sw_status sw_dem_check_membrane(sw_dem_job *job)
{
    static const int sides[3] = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_WALLED};
    char key[SW_KEY_SIZE];
    job->has_membrane = sw_job_given(job->source, "membrane");
    if (!job->has_membrane)
        return SW_OK;
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, "membrane", ": runs on the CPU, but device = cuda");
    if (job->packing.file == NULL &&
        (job->rves.variations_count == 0 || job->rves.variations[0].file == NULL))
        return sw_job_error(job->source, "membrane", ": need packing.file, of which it cuts a cylinder");
    for (int k = 0; k < 3; k++) {
        sw_key_path(key, "sides.%d", k + 1);
        if (sw_job_given(job->source, key) && job->side[k] != sides[k])
            return sw_job_error(job->source, key, ": need %s beside a membrane", k < 2 ? "open" : "walls");
        job->side[k] = sides[k];
    }
    if (job->walls_count > 0 || job->material.coupled || sw_job_given(job->source, "crystals"))
        return sw_job_error(job->source, "membrane",
                            ": need neither walls, crystals nor coupled contacts beside it");
    if (job->others_count == SW_DEM_MATERIALS - 1)
        return sw_job_error(job->source, "others", ": %d of them: need at most %d beside a membrane",
                            SW_DEM_MATERIALS - 1, SW_DEM_MATERIALS - 2);
    return SW_OK;
}

/* That of nodes: as stiff as grains, and so heavy that they are no faster than the least grain; with its springs. */
static sw_status add_material(const sw_dem_job *job, const sw_dem_membrane *m, sw_dem_sample *sample)
{
    const sw_dem_packing *p = &sample->packing;
    const int64_t grains = p->n_particles - (int64_t)m->around * m->rows;
    sw_dem_material *other = realloc((sw_dem_material *)sample->other,
                                     (size_t)(sample->n_others + 1) * sizeof *other),
                    *of;
    double least = INFINITY;
    if (other == NULL)
        return sw_error(SW_ERR_MEMORY, "materials of an element");
    sample->other = other;
    of = &other[sample->n_others++];
    *of = sample->material;
    for (int64_t i = 0; i < grains; i++)
        least = fmin(least, p->radius[i]);
    of->friction = job->membrane.friction;
    of->roll_strength = of->twist_strength = of->roll_stiffness = of->twist_stiffness = 0;
    of->density *= (2 + 6 * m->stiffness / (of->young * least)) * pow(least / p->radius[grains], 3);
    return SW_OK;
}

/* The last particles, and they alone, have the material after those of the job. */
static sw_status check_materials(const sw_dem_element *e, const sw_dem_sample *sample, int64_t nodes)
{
    const sw_dem_packing *p = &sample->packing;
    const int own = sample->n_others + 1;
    for (int64_t i = 0; i < p->n_particles; i++) {
        const int is = p->material != NULL ? p->material[i] : 0, node = i >= p->n_particles - nodes;
        if (node ? is != own : is >= own)
            return sw_error(
                SW_ERR_INPUT,
                "%s: material of particle %lld, a %s = %d: need %s%d beside %d others and a membrane",
                e->file, (long long)i, node ? "node" : "grain", is, node ? "" : "at most ",
                node ? own : own - 1, sample->n_others);
    }
    return SW_OK;
}

/* As the packing has it, but for what the job says of it: the file's numbers have been looked at. */
static sw_status take_known(const sw_dem_job *job, const sw_dem_element *e, const double *known,
                            sw_dem_sample *sample, sw_dem_membrane *m)
{
    *m = (sw_dem_membrane){(int32_t)known[0], (int32_t)known[1], known[2], known[3], known[4], known[5] > 0};
    const int64_t nodes = (int64_t)m->around * m->rows;
    SW_TRY(sw_dem_refuse_keys(job->source, "membrane.", "radius height spacing",
                              ": has no place beside a packing with a membrane"));
    if (nodes >= sample->packing.n_particles)
        return sw_error(SW_ERR_INPUT, "%s: a membrane of %lld nodes of %lld particles: need grains, too",
                        e->file, (long long)nodes, (long long)sample->packing.n_particles);
    return check_materials(e, sample, nodes);
}

static sw_status cut(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample,
                     sw_dem_membrane *m)
{
    const double pressure = e->value[SW_DEM_PRESSURE], radius = sw_dem_packing_mean_radius(&sample->packing);
    if (isnan(job->membrane.stiffness) && isnan(pressure))
        return sw_job_error(job->source, "membrane.stiffness", " is missing: need it, or packing.pressure");
    if (sample->packing.goes_on)
        return sw_job_error(
            job->source, "packing.goes_on",
            " = yes: need a packing with a membrane: a cylinder that the job cuts begins anew");
    m->stiffness = 10 * pressure * radius;
    const sw_status status = sw_dem_packing_cut(&sample->packing, job->membrane.radius, job->membrane.height,
                                                job->membrane.spacing, sample->n_others + 1, m);
    if (status != SW_OK)
        return status == SW_ERR_INPUT ? sw_job_blame(job->source, "membrane") : status;
    return check_materials(e, sample, (int64_t)m->around * m->rows);
}

sw_status sw_dem_make_membrane(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample,
                               int64_t *nodes)
{
    const sw_dem_memory *memory = sample->packing.memory;
    const double *known = memory != NULL ? memory->of[SW_DEM_MEMORY_MEMBRANE].number : NULL;
    sw_dem_membrane *m;
    *nodes = 0;
    if (!job->has_membrane)
        return known == NULL
                   ? SW_OK
                   : sw_error(SW_ERR_INPUT, "%s: has a membrane: need the section membrane", e->file);
    SW_TRY(SW_ALLOCATE(m, 1, "a membrane"));
    sample->membrane = m;
    SW_TRY(known != NULL ? take_known(job, e, known, sample, m) : cut(job, e, sample, m));
    if (!isnan(job->membrane.stiffness))
        m->stiffness = job->membrane.stiffness;
    m->fixed = job->membrane.ends;
    *nodes = (int64_t)m->around * m->rows;
    return add_material(job, m, sample);
}
