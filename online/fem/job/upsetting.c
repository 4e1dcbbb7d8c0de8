/* The short form of a job: a round billet upset between flat plates. It fills in what the keys mesh, boundary, tools
 * and steps would say: half the height, from the middle up, as a meridian (axisymmetric) or a quarter (solid). */
#include <math.h>
#include <string.h>

#include "online/fem/mesh/bodies.h"
#include "parts.h"
#include "ways.h"

const char *const sw_fem_way_names[SW_FEM_WAYS] = {
#define WAY_NAME(name, run) #name,
    SW_FEM_WAY_LIST(WAY_NAME)
#undef WAY_NAME
};

const sw_key sw_fem_upsetting_keys[] = {
    {SW_REAL("radius", sw_fem_job, upsetting.radius, 0, 1e9), .open = SW_OPEN_BELOW, .unit = "m",
     .needed = 1},
    {SW_REAL("height", sw_fem_job, upsetting.height, 0, 1e9), .open = SW_OPEN_BELOW, .unit = "m",
     .needed = 1},
    {SW_REAL("reduction", sw_fem_job, upsetting.reduction, 0, 1), .open = SW_OPEN_BELOW | SW_OPEN_ABOVE,
     .needed = 1, .help = "of the height, at the end"},
    {SW_WHOLES("cells", sw_fem_job, upsetting.cells, 1, 100000), .shortest = 2, .longest = 3, .needed = 1,
     .help = "across the radius and half the height: axisymmetric; or three, of a quarter of the billet, the "
             "first two equal: solid"},
    {SW_REAL("friction", sw_fem_job, upsetting.friction, 0, 1e3), .standard = -1, .otherwise = "0",
     .help = "of the plates, as of tools"},
    {SW_REAL("shear_limit", sw_fem_job, upsetting.shear_limit, 0, 1e15), .open = SW_OPEN_BELOW, .unit = "Pa",
     .otherwise = "none", .help = "as of tools"},
    {SW_YES("sticks", sw_fem_job, upsetting.sticks), .help = "as of tools"},
    {SW_WHOLE("increments", sw_fem_job, upsetting.increments, 1, 1000000), .standard = 50,
     .option = "increments"},
    {SW_REAL("time", sw_fem_job, upsetting.time, 1e-12, 1e15), .unit = "s", .standard = 1,
     .help = "as of steps"},
    {SW_WORD("rate_law", sw_fem_job, upsetting.rate_law, sw_fem_way_names), .option = "rate-law",
     .papers = SW_FEM_BY_none + 1,
     .help = "by the rate law of a paper, for comparison: how its systems are solved"},
    SW_KEYS_END};

/* What the short form says itself. */
static sw_status refuse_others(const sw_fem_job *job)
{
    static const char *const keys[] = {"mesh.cells", /* --cells */
                                       "mesh",       "kinematics", "strain",    "boundary", "loads",
                                       "tools",      "steps",      "thickness", "periodic"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_job_given(job->source, keys[i]))
            return sw_job_error(job->source, keys[i],
                                " beside upsetting, which says this itself: need one of them");
    return SW_OK;
}

static sw_status need_others(const sw_fem_job *job)
{
    if (!sw_job_given(job->source, "mesh"))
        return sw_job_error(job->source, "mesh", " is missing: need it, or upsetting");
    if (!sw_job_given(job->source, "boundary") && !sw_fem_is_periodic(job))
        return sw_job_error(job->source, "boundary", " is missing: need it, upsetting or periodic");
    return SW_OK;
}

/* A quarter's lattice is mapped to the round body: cells along x and y are as many. */
static sw_status check_cells(const sw_fem_job *job)
{
    const int64_t *cells = job->upsetting.cells;
    if (job->upsetting.cells_count == 2 || cells[0] == cells[1])
        return SW_OK;
    return sw_job_error(job->source, "upsetting.cells[1]", " = %lld: need %lld, as many as the first",
                        (long long)cells[1], (long long)cells[0]);
}

static int body_number(const char *name)
{
    int i = 0;
    while (sw_fem_bodies[i].name != NULL && strcmp(sw_fem_bodies[i].name, name) != 0)
        i++;
    return i;
}

static sw_status make_billet(sw_fem_job *job)
{
    const int solid = job->upsetting.cells_count == 3;
    job->geometry.body = body_number(solid ? "cylinder_quarter" : "box");
    job->geometry.cells = job->upsetting.cells;
    job->geometry.cells_count = job->geometry.size_count = job->upsetting.cells_count;
    SW_TRY(SW_FEM_TAKE(job, job->geometry.size, 3, "mesh"));
    for (int i = 0; i < (solid ? 2 : 1); i++)
        job->geometry.size[i] = job->upsetting.radius;
    job->geometry.size[solid ? 2 : 1] = 0.5 * job->upsetting.height;
    job->problem.kinematics = solid ? SW_FEM_SOLID : SW_FEM_AXISYMMETRIC;
    job->problem.strain = SW_FEM_FINITE;
    return SW_OK;
}

/* Planes of symmetry: the axis (or two planes through it) and the middle of the height. */
static sw_status make_supports(sw_fem_job *job)
{
    static const char *const sides[] = {"x_min", "y_min", "z_min"};
    job->boundary_count = job->upsetting.cells_count;
    SW_TRY(SW_FEM_TAKE(job, job->boundary, job->boundary_count, "boundary"));
    for (int b = 0; b < job->boundary_count; b++) {
        job->boundary[b].nodes = sides[b];
        for (int i = 0; i < SW_FEM_VALUES; i++)
            job->boundary[b].value[i] = i == b ? 0 : NAN;
    }
    return SW_OK;
}

/* The upper plate, and the side, which may fold onto it. */
static sw_status make_plate(sw_fem_job *job)
{
    const int d = job->upsetting.cells_count;
    sw_fem_job_tool *tool;
    SW_TRY(SW_FEM_TAKE(job, job->tools, 1, "tools"));
    job->tools_count = 1;
    tool = &job->tools[0];
    tool->name = "plate";
    tool->is = (sw_fem_tool){.shape = SW_FEM_PLANE,
                             .friction = job->upsetting.friction,
                             .shear_limit = job->upsetting.shear_limit,
                             .sticks = job->upsetting.sticks};
    SW_TRY(sw_fem_check_sticking(job, "upsetting.", &tool->is));
    SW_TRY(SW_FEM_TAKE(job, tool->surfaces, 2, "tools"));
    tool->surfaces[0] = d == 3 ? "z_max" : "y_max";
    tool->surfaces[1] = d == 3 ? "side" : "x_max";
    tool->surfaces_count = 2;
    SW_TRY(SW_FEM_TAKE(job, tool->point, d, "tools"));
    SW_TRY(SW_FEM_TAKE(job, tool->normal, d, "tools"));
    SW_TRY(SW_FEM_TAKE(job, tool->move, d, "tools"));
    tool->point_count = tool->normal_count = tool->move_count = d;
    tool->point[d - 1] = 0.5 * job->upsetting.height;
    tool->normal[d - 1] = -1;
    tool->move[d - 1] = -0.5 * job->upsetting.reduction * job->upsetting.height;
    return SW_OK;
}

sw_status sw_fem_make_upsetting(sw_fem_job *job)
{
    if (!sw_job_given(job->source, "upsetting"))
        return need_others(job);
    SW_TRY(refuse_others(job));
    SW_TRY(check_cells(job));
    SW_TRY(make_billet(job));
    SW_TRY(make_supports(job));
    SW_TRY(make_plate(job));
    SW_TRY(SW_FEM_TAKE(job, job->steps, 1, "steps"));
    job->steps[0] =
        (sw_fem_job_step){.factor = 1, .time = job->upsetting.time, .increments = job->upsetting.increments};
    job->steps_count = 1;
    return SW_OK;
}
