/* Sides, walls and gravity of a job. */
#include <math.h>
#include <stdlib.h>

#include "input.h"
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
