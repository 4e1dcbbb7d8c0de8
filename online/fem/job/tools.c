/* Rigid tools of a job: what they are, how they move, what they may touch. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "online/fem/contact/contact.h"
#include "online/fem/contact/triangles.h"
#include "online/fem/mesh/mesh.h"
#include "parts.h"

/* ---- Keys ---- */

static const sw_key_case shapes[] = {
    [SW_FEM_PLANE] = {"plane", .needs = "normal", .takes = "radius edge hollow",
                      .help =
                          "with a radius a round plate, and with an edge besides a punch, or hollow a die"},
    [SW_FEM_CYLINDER] = {"cylinder", .needs = "radius", .takes = "axis hollow"},
    [SW_FEM_SPHERE] = {"sphere", .needs = "radius", .takes = "hollow"},
    [SW_FEM_TRIANGLES] =
        {"mesh", .needs = "file", .takes = "scale",
         .help = "a rigid surface of triangles, counter-clockwise from outside; in space, on the CPU"},
    {0}};

#define VECTOR(key, member, text, ...)                                                                    \
    {                                                                                                     \
        SW_REALS(key, sw_fem_job_tool, member, -1e18, 1e18), .unit = (text), .shortest = 2, .longest = 3, \
                                                             __VA_ARGS__                                  \
    }

const sw_key sw_fem_tool_keys[] = {
    {SW_TEXT("name", sw_fem_job_tool, name), .needed = 1, .help = "of the tool in results and messages"},
    {SW_CASES("shape", sw_fem_job_tool, is.shape, shapes), .needed = 1},
    {SW_TEXTS("surfaces", sw_fem_job_tool, surfaces), .shortest = 1, .needed = 1,
     .help = "parts of the body's surface that it may touch; sides that may fold onto it included"},
    VECTOR("point", point, "m", .needed = 1, .help = "on the plane or axis, or the centre, at the beginning"),
    VECTOR("normal", normal, NULL, .help = "towards the body, of any length"),
    VECTOR("axis", axis, NULL, .otherwise = "out of the plane", .help = "of any length"),
    {SW_REAL("radius", sw_fem_job_tool, is.radius, 0, 1e9), .open = SW_OPEN_BELOW, .unit = "m",
     .otherwise = "of a plane: no edge"},
    {SW_REAL("edge", sw_fem_job_tool, is.edge, 0, 1e9), .open = SW_OPEN_BELOW, .unit = "m",
     .otherwise = "sharp",
     .help = "of a plane with a radius: its edge is so round, and behind it there is a wall; on the CPU"},
    {SW_PATH("file", sw_fem_job_tool, file), .help = "a mesh: .stl, or hexahedra of .inp or .msh, whose "
                                                     "outer faces are the tool; its origin is at `point`"},
    {SW_REAL("scale", sw_fem_job_tool, scale, 1e-9, 1e9), .standard = 1, .unit = "m",
     .help = "of a unit of the file"},
    {SW_YES("hollow", sw_fem_job_tool, is.hollow),
     .help = "the body is inside; of a plane with an edge: it goes through a hole of that radius"},
    VECTOR("move", move, "m", .otherwise = "0", .help = "at factor 1"),
    VECTOR("force", force, "N",
           .help = "on the tool, at factor 1: it is free to move along components that are not 0"),
    {SW_REAL("friction", sw_fem_job_tool, is.friction, 0, 1e3), .standard = -1,
     .otherwise = "0; with shear_limit unlimited", .help = "Coulomb's coefficient"},
    {SW_REAL("shear_limit", sw_fem_job_tool, is.shear_limit, 0, 1e15), .open = SW_OPEN_BELOW, .unit = "Pa",
     .otherwise = "none", .help = "friction is no more than this, after Tresca"},
    {SW_YES("sticks", sw_fem_job_tool, is.sticks), .help = "nodes that touch do not slip"},
    {SW_REAL("penalty", sw_fem_job_tool, is.penalty, SW_FEM_LEAST_PENALTY, SW_FEM_MOST_PENALTY),
     .otherwise = "100", .help = "stiffness of a node's contact over E A / h of the element behind it"},
    {SW_REALS("factors", sw_fem_job_tool, factors, -1e9, 1e9), .shortest = 1,
     .otherwise = "the steps' factor", .help = "one number a step"},
    SW_KEYS_END};

/* ---- Reading ---- */

static int dimension_of(const sw_fem_job *job) { return sw_fem_shapes[job->mesh->shape].dimension; }

/* A vector of as many numbers as the mesh has dimensions; absent: stays as it is. */
static sw_status read_vector(const sw_fem_job *job, const char *prefix, const char *name, const double *from,
                             int count, double to[3])
{
    char key[SW_KEY_SIZE];
    if (from == NULL)
        return SW_OK;
    if (count != dimension_of(job))
        return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, name), " has %d numbers: need %d",
                            count, dimension_of(job));
    memcpy(to, from, (size_t)count * sizeof *to);
    return SW_OK;
}

static sw_status normalise(const sw_fem_job *job, const char *prefix, const char *name, double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    char key[SW_KEY_SIZE], text[SW_FEM_PLACE_TEXT];
    if (!(length > 0) || !isfinite(length))
        return sw_job_error(job->source, sw_key_path(key, "%s%s", prefix, name),
                            " = %s: need a direction that is not 0",
                            sw_fem_place_text(dimension_of(job), v, text));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return SW_OK;
}

/* A plane with a rounded edge. */
static sw_status check_edge(const sw_fem_job *job, const char *prefix, const sw_fem_tool *tool)
{
    char key[SW_KEY_SIZE];
    if (tool->shape != SW_FEM_PLANE)
        return SW_OK;
    if (tool->hollow && !(tool->edge > 0))
        return sw_job_error(job->source, sw_key_path(key, "%shollow", prefix), ": of a plane needs an edge");
    if (!(tool->edge > 0))
        return SW_OK;
    sw_key_path(key, "%sedge", prefix);
    if (!(tool->radius > 0) || (!tool->hollow && tool->edge >= tool->radius))
        return sw_job_error(job->source, key, " = %g: need a radius%s", tool->edge,
                            tool->radius > 0 ? " that is larger" : "");
    if (job->problem.kinematics == SW_FEM_AXISYMMETRIC && tool->point[0] != 0)
        return sw_job_error(job->source, key, ": point[0] = %g: need 0, the body's axis", tool->point[0]);
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, key, ": runs on the CPU only, not with device: cuda");
    return SW_OK;
}

static sw_status read_mesh(const sw_fem_job *job, const char *prefix, const sw_fem_job_tool *from,
                           sw_fem_tool *tool)
{
    char key[SW_KEY_SIZE];
    sw_fem_triangles *triangles;
    if (dimension_of(job) != 3)
        return sw_job_error(job->source, sw_key_path(key, "%sshape", prefix),
                            " = mesh: goes with a body in space");
    if (job->run.device == SW_DEVICE_CUDA)
        return sw_job_error(job->source, sw_key_path(key, "%sshape", prefix),
                            " = mesh: runs on the CPU only, not with device: cuda");
    const sw_status status = sw_fem_triangles_read(from->file, from->scale, &triangles);
    tool->triangles = triangles;
    return status == SW_ERR_INPUT || status == SW_ERR_IO
               ? sw_job_blame(job->source, sw_key_path(key, "%sfile", prefix))
               : status;
}

static sw_status read_direction(const sw_fem_job *job, const char *prefix, const sw_fem_job_tool *from,
                                sw_fem_tool *tool)
{
    switch (tool->shape) {
    case SW_FEM_PLANE:
        SW_TRY(read_vector(job, prefix, "normal", from->normal, from->normal_count, tool->direction));
        return normalise(job, prefix, "normal", tool->direction);
    case SW_FEM_CYLINDER:
        if (from->axis == NULL && dimension_of(job) == 3) {
            char key[SW_KEY_SIZE];
            return sw_job_error(job->source, sw_key_path(key, "%saxis", prefix),
                                " is missing: need the cylinder's axis");
        }
        tool->direction[2] = from->axis == NULL;
        SW_TRY(read_vector(job, prefix, "axis", from->axis, from->axis_count, tool->direction));
        return normalise(job, prefix, "axis", tool->direction);
    case SW_FEM_TRIANGLES:
        return read_mesh(job, prefix, from, tool);
    default:
        return SW_OK;
    }
}

static sw_status read_surfaces(const sw_fem_job *job, int index, sw_fem_tool *tool)
{
    const sw_fem_job_tool *from = &job->tools[index];
    const sw_fem_set **surface;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    SW_TRY(SW_FEM_TAKE(job, surface, from->surfaces_count, "tools"));
    for (int i = 0; i < from->surfaces_count; i++) {
        char key[SW_KEY_SIZE];
        sw_key_path(key, "tools[%d].surfaces[%d]", index, i);
        SW_TRY(sw_fem_find_set(job, key, SW_FEM_SURFACE, from->surfaces[i], &surface[i]));
        for (int k = 0; k < i; k++)
            if (surface[k] == surface[i])
                return sw_job_error(job->source, key, " = %.80s: is there already", from->surfaces[i]);
    }
    tool->n_surfaces = from->surfaces_count;
    tool->surface = surface;
    return SW_OK;
}

/* Another tool of the same name, or one that results could not list. */
static sw_status check_name(const sw_fem_job *job, int index)
{
    enum { LONGEST = 60 };
    char key[SW_KEY_SIZE];
    const char *name = job->tools[index].name;
    if (strchr(name, ',') != NULL || strlen(name) > LONGEST || name[0] == '\0')
        return sw_job_error(job->source, sw_key_path(key, "tools[%d].name", index),
                            " = %.80s: need 1 to %d characters without commas", name, LONGEST);
    for (int i = 0; i < index; i++)
        if (strcmp(job->tools[i].name, job->tools[index].name) == 0)
            return sw_job_error(job->source, sw_key_path(key, "tools[%d].name", index),
                                " = %.60s: tools[%d] has it: need names that differ", job->tools[index].name,
                                i);
    return SW_OK;
}

sw_status sw_fem_check_sticking(const sw_fem_job *job, const char *prefix, const sw_fem_tool *tool)
{
    char key[SW_KEY_SIZE];
    if (!tool->sticks || (tool->friction < 0 && tool->shear_limit == 0)) /* absent */
        return SW_OK;
    return sw_job_error(job->source, sw_key_path(key, "%ssticks", prefix),
                        " = yes: beside %s: need one of them",
                        tool->friction < 0 ? "shear_limit" : "friction");
}

/* Where x is the radius a tool moves along the axis, and a cylinder is around it; in plane strain a cylinder goes
 * through the plane. */
static sw_status check_plane(const sw_fem_job *job, const char *prefix, const sw_fem_tool *tool,
                             const double move[3], const double force[3])
{
    const int axisymmetric = job->problem.kinematics == SW_FEM_AXISYMMETRIC;
    char key[SW_KEY_SIZE];
    if (axisymmetric && (move[0] != 0 || force[0] != 0))
        return sw_job_error(job->source, sw_key_path(key, "%s%s[0]", prefix, move[0] != 0 ? "move" : "force"),
                            " = %g: need 0: a tool of an axisymmetric body moves along the axis",
                            move[0] != 0 ? move[0] : force[0]);
    if (tool->shape != SW_FEM_CYLINDER || tool->direction[2] != 0)
        return SW_OK;
    if (!axisymmetric && dimension_of(job) == 2)
        return sw_job_error(job->source, sw_key_path(key, "%saxis", prefix),
                            ": goes with solids and axisymmetric bodies: here it is out of the plane");
    if (axisymmetric && (tool->direction[0] != 0 || tool->point[0] != 0))
        return sw_job_error(job->source, sw_key_path(key, "%saxis", prefix),
                            ": need the body's own, [0, 1] through x = 0, or none: a ring of round section");
    return SW_OK;
}

static sw_status read_tool(sw_fem_job *job, int index)
{
    const sw_fem_job_tool *from = &job->tools[index];
    sw_fem_tool *tool = &job->tool[index];
    sw_fem_entry *entry = &job->tooled[index];
    char prefix[SW_KEY_SIZE], key[SW_KEY_SIZE];
    double force[3] = {0};
    sw_key_path(prefix, "tools[%d].", index);
    SW_TRY(check_name(job, index));
    *tool = from->is;
    tool->name = from->name;
    if (job->problem.strain != SW_FEM_FINITE)
        return sw_job_error(job->source, sw_key_path(key, "tools[%d]", index), ": goes with strain: finite");
    SW_TRY(read_vector(job, prefix, "point", from->point, from->point_count, tool->point));
    SW_TRY(read_direction(job, prefix, from, tool));
    SW_TRY(check_edge(job, prefix, tool));
    SW_TRY(read_surfaces(job, index, tool));
    SW_TRY(sw_fem_check_sticking(job, prefix, tool));
    if (tool->friction < 0) /* absent */
        tool->friction = tool->shear_limit > 0 ? INFINITY : 0;
    SW_TRY(read_vector(job, prefix, "move", from->move, from->move_count, entry->at));
    SW_TRY(read_vector(job, prefix, "force", from->force, from->force_count, force));
    SW_TRY(check_plane(job, prefix, tool, entry->at, force));
    for (int i = 0; i < 3; i++) {
        if (force[i] != 0 && entry->at[i] != 0)
            return sw_job_error(job->source, sw_key_path(key, "%sforce[%d]", prefix, i),
                                " = %g: move[%d] = %g prescribes the motion: need one of them", force[i], i,
                                entry->at[i]);
        entry->fixes[i] = force[i] == 0;
        entry->total[i] = force[i];
    }
    snprintf(entry->label, sizeof entry->label, "tool %.60s", from->name);
    return sw_fem_follow_steps(job, prefix, from->factors, from->factors_count, entry);
}

sw_status sw_fem_make_tools(sw_fem_job *job)
{
    SW_TRY(SW_FEM_TAKE(job, job->tool, job->tools_count, "tools"));
    SW_TRY(SW_FEM_TAKE(job, job->tooled, job->tools_count, "tools"));
    for (int i = 0; i < job->tools_count; i++)
        SW_TRY(read_tool(job, i));
    job->problem.n_tools = job->tools_count;
    job->problem.tool = job->tool;
    return SW_OK;
}
