/* Sides, walls, gravity and a membrane of a job. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
#include "online/dem/packing/memory.h"
#include "online/dem/packing/packing.h"

static const char *const side_names[SW_DEM_SIDES] = {
    [SW_DEM_PERIODIC] = "periodic", [SW_DEM_WALLED] = "walls", [SW_DEM_OPEN] = "open"};
static const sw_key_case shapes[] = {
    [SW_DEM_PLANE] = {"plane", .help = "a half space"},
    [SW_DEM_CYLINDER] = {"cylinder", .needs = "radius", .takes = "growth", .help = "without ends"},
    [SW_DEM_MESH] = {"mesh", .needs = "file", .takes = "scale",
                     .help = "a surface of triangles, both sides; on the CPU, no side periodic"},
    [SW_DEM_WALL_SHAPES] = {0}};

#define FRICTION(S, m)                                                                         \
    {                                                                                          \
        SW_REAL("friction", S, m, 0, 10), .standard = -1, .otherwise = "as between particles", \
                                          .bound = "a tangent, from 0 to 10"                   \
    }
#define SIDE(name, k)                                  \
    {                                                  \
        SW_WORD(name, sw_dem_job, side[k], side_names) \
    }
const sw_key sw_dem_sides_keys[] = {
    SIDE("1", 0),
    SIDE("2", 1),
    {SW_WORD("3", sw_dem_job, side[2], side_names),
     .help = "both faces of the cell's vector: the element again; rigid platens, one of "
             "which strains and stresses move; nothing"},
    FRICTION(sw_dem_job, side_friction),
    SW_KEYS_END};

#define VECTOR(name, unit_, ...)                                                 \
    {                                                                            \
        SW_REAL_PLACES(#name, sw_dem_job_wall, name, name##_count, -1e15, 1e15), \
            .shortest = 3, .bound = "3 numbers", .unit = (unit_), __VA_ARGS__    \
    }
const sw_key sw_dem_wall_keys[] = {
    {SW_CASES("shape", sw_dem_job_wall, shape, shapes)},
    VECTOR(point, "m", .needed = 1, .help = "on the plane, on the cylinder's axis; where a mesh's origin is"),
    VECTOR(
        axis, NULL, .needed = 1,
        .help =
            "a plane's normal, to where particles are; a cylinder's axis; what a mesh's force acts against"),
    {SW_REAL("radius", sw_dem_job_wall, radius, -1e3, 1e3), .unit = "m",
     .help = "of a cylinder; less than 0: particles are outside"},
    {SW_PATH("file", sw_dem_job_wall, file), .help = "a mesh, .stl of letters or bytes"},
    {SW_REAL("scale", sw_dem_job_wall, scale, 1e-9, 1e9), .standard = 1, .unit = "m",
     .help = "of a unit of the file"},
    VECTOR(velocity, "m/s", .otherwise = "0"),
    {SW_REAL("growth", sw_dem_job_wall, growth, -1e6, 1e6), .unit = "m/s", .help = "of a cylinder's radius"},
    {SW_REAL("force", sw_dem_job_wall, force, 0, 1e15), .unit = "N", .standard = NAN,
     .otherwise = "by velocity", .help = "that particles are to press it with: a servo moves it"},
    {SW_REAL("max_speed", sw_dem_job_wall, max_speed, 1e-15, 1e6), .unit = "m/s", .standard = NAN,
     .otherwise = "needed with force", .help = "of the servo"},
    FRICTION(sw_dem_job_wall, friction),
    SW_KEYS_END};

int sw_dem_job_closed(const sw_dem_job *job)
{
    return job->side[0] != SW_DEM_PERIODIC || job->side[1] != SW_DEM_PERIODIC ||
           job->side[2] != SW_DEM_PERIODIC;
}

/* Meshes stand where nothing repeats. */
static sw_status read_mesh(sw_dem_job *job, int i)
{
    char key[SW_KEY_SIZE];
    sw_key_path(key, "walls[%d].shape", i);
    for (int k = 0; k < 3; k++)
        if (job->side[k] == SW_DEM_PERIODIC)
            return sw_job_error(job->source, key, " = mesh: need no side that is periodic, as sides.%d is",
                                k + 1);
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, key, " = mesh: runs on the CPU, but device = cuda");
    const sw_status status = sw_dem_mesh_read(job->walls[i].file, job->walls[i].scale, &job->mesh[i]);
    return status == SW_ERR_INPUT || status == SW_ERR_IO
               ? sw_job_blame(job->source, sw_key_path(key, "walls[%d].file", i))
               : status;
}

sw_status sw_dem_check_walls(sw_dem_job *job)
{
    char key[SW_KEY_SIZE];
    for (int i = 0; i < job->walls_count; i++) {
        const sw_dem_job_wall *w = &job->walls[i];
        if (w->axis[0] == 0 && w->axis[1] == 0 && w->axis[2] == 0)
            return sw_job_error(job->source, sw_key_path(key, "walls[%d].axis", i),
                                " = [0, 0, 0]: need a direction");
        if (w->shape == SW_DEM_MESH)
            SW_TRY(read_mesh(job, i));
        if (isnan(w->force) != isnan(w->max_speed))
            return sw_job_error(job->source,
                                sw_key_path(key, "walls[%d].%s", i, isnan(w->force) ? "max_speed" : "force"),
                                ": need force and max_speed together");
        const double across =
            w->axis[0] * w->velocity[0] + w->axis[1] * w->velocity[1] + w->axis[2] * w->velocity[2];
        const double fast = hypot(hypot(w->velocity[0], w->velocity[1]), w->velocity[2]) *
                            hypot(hypot(w->axis[0], w->axis[1]), w->axis[2]);
        if (!isnan(w->force) && ((w->radius == 0 && fabs(across) > 1e-12 * fast) || w->growth != 0))
            return sw_job_error(job->source, sw_key_path(key, "walls[%d].force", i),
                                ": the wall's own %s goes the servo's way: need one of them",
                                w->growth != 0 ? "growth" : "velocity");
    }
    int walled = 0;
    for (int k = 0; k < 3; k++)
        walled |= job->side[k] == SW_DEM_WALLED;
    if (!walled && sw_job_given(job->source, "sides.friction"))
        return sw_job_error(job->source, "sides.friction", ": cannot act: need a side that is walls");
    if (job->gravity_count > 0 && job->walls_count == 0 && !sw_dem_job_closed(job))
        return sw_job_error(job->source, "gravity",
                            ": nothing bears the particles: need walls, or sides that are not periodic");
    if (sw_dem_job_closed(job) && sw_job_given(job->source, "packing.shear_stress") &&
        !job->packing.target.free_shear)
        return sw_job_error(job->source, "packing.shear_stress",
                            " = zero: need free beside sides that are not periodic");
    return SW_OK;
}

/* Strewn particles lie across the faces of their cell: it grows so that they are between. */
static void make_room(const sw_dem_sample *sample, sw_dem_packing *packing)
{
    double largest = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        largest = fmax(largest, packing->radius[i]);
    for (int k = 0; k < 3; k++) {
        if (sample->side[k] == SW_DEM_PERIODIC)
            continue;
        packing->cell[k][k] += 2 * largest;
        for (int64_t i = 0; i < packing->n_particles; i++)
            packing->position[i][k] += largest;
    }
}

sw_status sw_dem_take_walls(const sw_dem_job *job, int strewn, sw_dem_sample *sample)
{
    sw_dem_wall *wall;
    for (int k = 0; k < 3; k++) {
        sample->side[k] = (sw_dem_side)job->side[k];
        sample->gravity[k] = job->gravity_count > 0 ? job->gravity[k] : 0;
    }
    sample->side_friction = job->side_friction;
    if (strewn)
        make_room(sample, &sample->packing);
    if (job->walls_count == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(wall, job->walls_count, "walls"));
    for (int i = 0; i < job->walls_count; i++) {
        const sw_dem_job_wall *w = &job->walls[i];
        wall[i] = (sw_dem_wall){.shape = (sw_dem_wall_shape)w->shape,
                                .radius = w->radius,
                                .growth = w->growth,
                                .force_driven = !isnan(w->force),
                                .force = w->force,
                                .max_speed = w->max_speed,
                                .friction = w->friction,
                                .mesh = job->mesh[i]};
        for (int k = 0; k < 3; k++) {
            wall[i].point[k] = w->point[k];
            wall[i].axis[k] = w->axis[k];
            wall[i].velocity[k] = w->velocity[k];
        }
    }
    sample->n_walls = job->walls_count;
    sample->wall = wall;
    return SW_OK;
}

/* ---- Membrane ---- */

static const char *const end_names[] = {"sliding", "fixed"};
#define NUMBER(m, least, most) SW_REAL(#m, sw_dem_job, membrane.m, least, most), .standard = NAN
const sw_key sw_dem_membrane_keys[] = {
    {NUMBER(radius, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m",
     .otherwise = "what the packing's cell has room for",
     .help = "of the cylinder that is cut out of the packing, about the middle of its cell, along axis 3"},
    {NUMBER(height, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m", .otherwise = "the cell's"},
    {NUMBER(spacing, SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH), .unit = "m",
     .otherwise = "the grains' mean radius", .help = "of nodes: spheres of a quarter of it in radius"},
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
    if (job->packing.file == NULL && job->rves.variations_count == 0)
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
    if (known != NULL)
        *m = (sw_dem_membrane){(int32_t)known[0], (int32_t)known[1], known[2],
                               known[3],          known[4],          known[5] > 0};
    else
        SW_TRY(sw_dem_packing_cut(&sample->packing, job->membrane.radius, job->membrane.height,
                                  job->membrane.spacing, sample->n_others + 1, m));
    const double pressure = e->value[SW_DEM_PRESSURE], radius = sw_dem_packing_mean_radius(&sample->packing);
    if (!isnan(job->membrane.stiffness))
        m->stiffness = job->membrane.stiffness;
    else if (known == NULL)
        m->stiffness = isnan(pressure) ? 0 : 10 * pressure * radius;
    m->fixed = job->membrane.ends;
    *nodes = (int64_t)m->around * m->rows;
    if (*nodes >= sample->packing.n_particles)
        return sw_error(SW_ERR_INPUT, "%s: a membrane of %lld nodes of %lld particles: need grains, too",
                        e->file, (long long)*nodes, (long long)sample->packing.n_particles);
    return add_material(job, m, sample);
}
