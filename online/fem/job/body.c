/* What a job analyses: mesh, kinematics and materials. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "online/fem/element/laws/matter_points.h"
#include "online/fem/element/measure.h"
#include "online/fem/law/hardening_keys.h"
#include "online/fem/mesh/bodies.h"
#include "online/fem/mesh/mesh.h"
#include "online/gpu/gpu.h"
#include "parts.h"

/* ---- Keys ---- */

/* NOLINTBEGIN(bugprone-macro-parentheses): initialisers */
#define NAME(place, name, value, least, most, description) #name " "
#define CASE(name, description, form, x, y, z, parameters)    \
    {#name, .needs = "cells", .takes = "size " parameters "", \
     .help = description " (" #x ", " #y ", " #z " m)"},
static const sw_key_case bodies[] = {SW_FEM_BODIES(CASE, NAME){0}};

#define PARAMETER(place, name, value, low, high, description)                                                \
    {SW_REAL(#name, sw_fem_job, geometry.fraction[place], low, high), .open = SW_OPEN_BELOW | SW_OPEN_ABOVE, \
     .otherwise = #value, .help = description},
#define PARAMETERS(name, description, form, x, y, z, parameters) parameters
/* NOLINTEND(bugprone-macro-parentheses) */

enum { MOST_CELLS = 100000 };

const sw_key sw_fem_mesh_keys[] = {
    {SW_CASES("body", sw_fem_job, geometry.body, bodies), .standard = -1, .help = "built in"},
    {SW_PATH("file", sw_fem_job, geometry.file),
     .help = "`.inp` (Abaqus) or `.msh` (Gmsh) instead of a body"},
    {SW_REAL("scale", sw_fem_job, geometry.scale, 0, 1e9), .open = SW_OPEN_BELOW, .unit = "m", .standard = 1,
     .help = "of the file's unit of length: 1e-3 for millimetres"},
    {SW_TEXTS("ignore", sw_fem_job, geometry.ignore), .bound = "keywords and element sets of the `.inp` file",
     .otherwise = "none",
     .help =
         "keywords such as BOUNDARY are skipped: others that act on the body, or are not known, are refused; "
         "shells, bars and the like of such a set, which are refused if they have a section, are left out"},
    {SW_WHOLES("cells", sw_fem_job, geometry.cells, 1, MOST_CELLS), .shortest = 2, .longest = 3,
     .option = "cells", .argument = "NXxNYxNZ",
     .help = "numbers of elements across the body's bounding box; two: a plane mesh"},
    {SW_REALS("size", sw_fem_job, geometry.size, 1e-9, 1e9), .unit = "m", .shortest = 2, .longest = 3,
     .otherwise = "the body's", .help = "of the bounding box, as many numbers as cells"},
    {SW_REALS("origin", sw_fem_job, geometry.origin, -INFINITY, INFINITY), .unit = "m", .shortest = 2,
     .longest = 3, .otherwise = "0", .help = "added to all positions"},
    {SW_ENTRIES("sets", sw_fem_job, geometry.sets, sw_fem_set_keys), .help = "named sets by box"},
    SW_FEM_BODIES(PARAMETERS, PARAMETER) SW_KEYS_END};

const sw_key sw_fem_material_keys[] = {
    {.name = "name", .type = SW_KEY_NOTE, .help = "for people; not read"},
    {SW_TEXT("elements", sw_fem_job_material, elements), .bound = "an element set",
     .otherwise = "all, of a single material", .help = "each element needs one material, once"},
    {SW_REAL("young", sw_fem_job_material, is.young, 1e-3, 1e15), .unit = "Pa",
     .help = "needed without heat"},
    {SW_REAL("poisson", sw_fem_job_material, is.poisson, -0.999, 0.4999), .help = "needed without heat"},
    {SW_REAL("yield_stress", sw_fem_job_material, is.yield_stress, 1e-3, 1e15), .unit = "Pa",
     .standard = INFINITY, .otherwise = "none: elastic"},
    {SW_SECTION("hardening", sw_fem_hardening_keys)},
    {SW_SECTION("yield", sw_fem_yield_keys),
     .help = "a yield function of sheets in place of von Mises'; with it and with the next four on the CPU, "
             "with kinematics solid, plane_strain or axisymmetric"},
    {SW_SECTION("power", sw_fem_power_keys),
     .help = "in place of hardening: yield_stress + modulus p^exponent"},
    {SW_SECTION("rate", sw_fem_rate_keys), .help = "steps take time"},
    {SW_ROWS("backstresses", sw_fem_job_material, law.backstresses, 2), .shortest = 1, .longest = 10,
     .bound = "C in Pa and gamma, both at least 0",
     .help = "after Chaboche: the surface moves, its size hardens by law none or voce"},
    {SW_SECTION("rubber", sw_fem_rubber_keys), .help = "a strain energy, in place of young to backstresses"},
    {SW_REAL("conductivity", sw_fem_job_material, conductivity, 1e-9, 1e9), .unit = "W/(m K)",
     .help = "with heat, in place of all these"},
    {SW_SECTION("crystals", sw_fem_crystals_keys),
     .help = "a polycrystal at each point, with strain: finite, in place of all these"},
    SW_KEYS_END};
_Static_assert(offsetof(sw_fem_job_material, is) == 0, "sw_fem_hardening_keys count from the material");

/* ---- Memory ---- */

/* What an element takes at least, and a node, of which meshes of cells have about as many: results; and where no GPU may
 * have them vectors and points, of all processes together. */
static double bytes_of_element(const sw_fem_job *job, int solid, int here)
{
    const int d = solid ? 3 : 2, Q = solid ? 8 : 4, c = job->problem.kinematics == SW_FEM_HEAT ? 1 : d;
    enum { VECTORS = 10, OF_RESULTS = 3 };
    const double results = 8.0 * c * OF_RESULTS + 8 * (6 + 1 + 1) + 1;
    const double analysis = 8.0 * c * VECTORS + Q * (sizeof(sw_fem_point) + 1.0);
    return results + (here ? analysis / sw_parallel_size() : 0);
}

/* Whether the analysis is on the host; where its memory has room for it in any case, that need not be known. */
static int is_here(const sw_fem_job *job, double bytes)
{
    const double free = sw_memory_available();
    if (job->run.device != SW_DEVICE_CPU && (free == 0 || bytes < free))
        return 0;
    return job->run.device == SW_DEVICE_CPU || sw_gpu_describe(NULL, 0) == 0;
}

/* Of a body in so many cells, a part of which may be void, before there is a mesh. */
static sw_status check_cells(const sw_fem_job *job, int d, const int64_t *cells)
{
    const double box = (double)cells[0] * (double)cells[1] * (d == 3 ? (double)cells[2] : 1);
    const double filled = strcmp(sw_fem_bodies[job->geometry.body].name, "box") == 0 ? 1 : 0.25;
    const double mesh = 8 * d + (d == 3 ? 32 : 16); /* positions, nodes of elements */
    if (box > SW_FEM_MOST_ELEMENTS)
        return SW_OK; /* which is refused for that */
    const int here = is_here(job, box * (8 + filled * (mesh + bytes_of_element(job, d == 3, 1))));
    return sw_memory_check(box * (8 + filled * (mesh + bytes_of_element(job, d == 3, here))),
                           "%s: mesh.cells: %.4g cells", sw_job_path(job->source), box);
}

/* Of a mesh that is there. */
static sw_status check_elements(const sw_fem_job *job)
{
    const int64_t n = job->mesh->n_elements;
    const int solid = job->mesh->shape == SW_HEX8;
    const int here = is_here(job, (double)n * bytes_of_element(job, solid, 1));
    return sw_memory_check((double)n * bytes_of_element(job, solid, here), "%s: %lld elements",
                           sw_job_path(job->source), (long long)n);
}

/* ---- Mesh ---- */

static sw_status make_voxels(sw_fem_job *job)
{
    const int d = job->geometry.cells_count;
    sw_fem_voxels voxels = {.body = sw_fem_bodies[job->geometry.body].name};
    if (job->geometry.size_count > 0 && job->geometry.size_count != d)
        return sw_job_error(job->source, "mesh.size", " has %d numbers: need %d, as many as cells",
                            job->geometry.size_count, d);
    for (int i = 0; i < d; i++) {
        voxels.cells[i] = job->geometry.cells[i];
        voxels.size[i] = job->geometry.size_count > 0 ? job->geometry.size[i] : 0;
    }
    memcpy(voxels.fraction, job->geometry.fraction, sizeof voxels.fraction);
    SW_TRY(check_cells(job, d, voxels.cells));
    const sw_status status = sw_fem_voxel_mesh(&voxels, &job->mesh);
    return status == SW_ERR_RANGE ? sw_job_blame(job->source, "mesh") : status;
}

/* Keys of bodies are not for files. */
static sw_status read_mesh_file(sw_fem_job *job)
{
    char key[SW_KEY_SIZE];
    for (const sw_key *k = sw_fem_mesh_keys; k->type != SW_KEY_END; k++) {
        int of_bodies = 0;
        for (const sw_key_case *body = bodies; body->name != NULL; body++)
            of_bodies |= sw_key_listed(body->needs, k->name) || sw_key_listed(body->takes, k->name);
        if (of_bodies && sw_job_given(job->source, sw_key_path(key, "mesh.%s", k->name)))
            return sw_job_error(job->source, key, " beside mesh.file: goes with body");
    }
    job->geometry.reading =
        (sw_fem_reading){.n_ignored = job->geometry.ignore_count, .ignored = job->geometry.ignore};
    const sw_status status = sw_fem_mesh_read_file(job->geometry.file, &job->geometry.reading, &job->mesh);
    return status == SW_ERR_RANGE ? sw_job_blame(job->source, "mesh.ignore") : status;
}

/* Keywords are skipped in .inp files only. */
static sw_status check_ignore(const sw_fem_job *job, int from_file)
{
    const size_t n = from_file ? strlen(job->geometry.file) : 0;
    if (sw_job_given(job->source, "mesh.ignore") &&
        (n < 4 || strcasecmp(job->geometry.file + n - 4, ".inp") != 0))
        return sw_job_error(job->source, "mesh.ignore", ": goes with a file that ends in .inp");
    return SW_OK;
}

/* A file's coordinates in metres, and all where the job wants them. */
static sw_status move_to_origin(sw_fem_job *job, int from_file)
{
    sw_fem_mesh *mesh = job->mesh;
    const int d = sw_fem_shapes[mesh->shape].dimension;
    if (!from_file && sw_job_given(job->source, "mesh.scale"))
        return sw_job_error(job->source, "mesh.scale", ": goes with file");
    for (int64_t i = 0; i < mesh->n_nodes * d && job->geometry.scale != 1; i++)
        mesh->position[i] *= job->geometry.scale;
    if (job->geometry.origin_count == 0)
        return SW_OK;
    if (job->geometry.origin_count != d)
        return sw_job_error(job->source, "mesh.origin", " has %d numbers: need %d",
                            job->geometry.origin_count, d);
    for (int i = 0; i < d; i++) {
        const double by = job->geometry.origin[i];
        for (int64_t n = 0; n < mesh->n_nodes; n++)
            mesh->position[n * d + i] += by;
        if (mesh->lattice != NULL)
            mesh->lattice->origin[i] += by;
    }
    return SW_OK;
}

static sw_status make_mesh(sw_fem_job *job)
{
    int from_file = 0;
    if (sw_job_given(job->source, "mesh"))
        SW_TRY(sw_job_one_of(job->source, "mesh.", "body file", 1, &from_file));
    SW_TRY(check_ignore(job, from_file));
    SW_TRY(from_file ? read_mesh_file(job) : make_voxels(job));
    SW_TRY(check_elements(job));
    SW_TRY(move_to_origin(job, from_file));
    job->problem.mesh = job->mesh;
    return sw_fem_make_sets(job);
}

/* ---- Kinematics ---- */

#define OF_PLANE "plane_stress, plane_strain, axisymmetric or heat"

static sw_status check_radii(const sw_fem_job *job)
{
    for (int64_t n = 0; n < job->mesh->n_nodes; n++)
        if (!(job->mesh->position[2 * n] >= 0))
            return sw_job_error(job->source, "kinematics",
                                " = axisymmetric: node %lld is at x = %g: need radii >= 0",
                                sw_fem_node_label(job->mesh, n), job->mesh->position[2 * n]);
    return SW_OK;
}

static sw_status check_kinematics(sw_fem_job *job)
{
    const int solid = job->mesh->shape == SW_HEX8;
    if ((int)job->problem.kinematics < 0) {
        if (!solid)
            return sw_job_error(job->source, "kinematics", " is missing: need " OF_PLANE " for a plane mesh");
        job->problem.kinematics = SW_FEM_SOLID;
    }
    const sw_fem_kinematics chosen = job->problem.kinematics;
    if (solid != (chosen == SW_FEM_SOLID))
        return sw_job_error(job->source, "kinematics", " = %s: the mesh is of %s: need %s",
                            sw_fem_kinematics_names[chosen], sw_fem_shapes[job->mesh->shape].name,
                            solid ? "solid" : OF_PLANE);
    if (!sw_fem_measures[job->problem.strain]->points[chosen])
        return sw_job_error(job->source, "strain",
                            " = %s: not with %s: need solid, plane_strain or axisymmetric",
                            sw_fem_strain_names[job->problem.strain], sw_fem_kinematics_names[chosen]);
    if (sw_job_given(job->source, "b_bar"))
        job->problem.b_bar = job->problem.b_bar ? SW_FEM_B_BAR_YES : SW_FEM_B_BAR_NO;
    if (job->problem.b_bar == SW_FEM_B_BAR_YES && (chosen == SW_FEM_PLANE_STRESS || chosen == SW_FEM_HEAT))
        return sw_job_error(job->source, "b_bar", " = yes: not with %s", sw_fem_kinematics_names[chosen]);
    if (sw_job_given(job->source, "thickness") && (solid || chosen == SW_FEM_AXISYMMETRIC))
        return sw_job_error(job->source, "thickness", ": goes with plane_stress, plane_strain and heat");
    return chosen == SW_FEM_AXISYMMETRIC ? check_radii(job) : SW_OK;
}

/* ---- Materials ---- */

/* Keys that a material must have, and may not. */
static sw_status check_material_keys(const sw_fem_job *job, const char *prefix)
{
    static const struct {
        const char *name, *absent; /* NULL: may be */
    } of_stress[] = {{"young", "need Young's modulus"},
                     {"poisson", "need Poisson's ratio"},
                     {"yield_stress", NULL},
                     {"hardening", NULL}},
      of_heat = {"conductivity", "need it for kinematics: heat"};
    const int heat = job->problem.kinematics == SW_FEM_HEAT;
    char key[SW_KEY_SIZE], of_crystals[SW_KEY_SIZE];
    const int crystals = sw_job_given(job->source, sw_key_path(of_crystals, "%scrystals", prefix));
    const int rubber = sw_fem_asks_matter(job, prefix, 1);
    if (crystals && sw_fem_asks_matter(job, prefix, 0))
        return sw_job_error(job->source, of_crystals,
                            " beside yield, rate, power, backstresses or rubber: need only one of them");
    if (crystals && heat)
        return sw_job_error(job->source, of_crystals, ": not with kinematics: heat");
    for (size_t i = 0; i < sizeof of_stress / sizeof *of_stress; i++) {
        const int given = sw_job_given(job->source, sw_key_path(key, "%s%s", prefix, of_stress[i].name));
        if (given && heat)
            return sw_job_error(job->source, key, ": not with kinematics: heat");
        if (given && crystals)
            return sw_job_error(job->source, key, " beside crystals: need only one of them");
        if (!given && !heat && !crystals && !rubber && of_stress[i].absent != NULL)
            return sw_job_error(job->source, key, " is missing: %s", of_stress[i].absent);
    }
    const int given = sw_job_given(job->source, sw_key_path(key, "%s%s", prefix, of_heat.name));
    if (given == heat)
        return SW_OK;
    return given ? sw_job_error(job->source, key, ": goes with kinematics: heat")
                 : sw_job_error(job->source, key, " is missing: %s", of_heat.absent);
}

/* A table has the yield stress of the other laws as its first. */
static sw_status check_hardening(const sw_fem_job *job, const char *prefix, sw_fem_material *m)
{
    char key[SW_KEY_SIZE];
    sw_fem_hardening_fault fault;
    const char *law = sw_key_word(sw_fem_hardening_keys, m->hardening);
    const int given = sw_job_given(job->source, sw_key_path(key, "%syield_stress", prefix));
    if (given && m->n_rows > 0)
        return sw_job_error(job->source, key, ": the law '%s' does not read it", law);
    if (!given && m->n_rows == 0)
        return sw_job_error(job->source, key, " is missing: the law '%s' needs it", law);
    if (m->n_rows > 0)
        m->yield_stress = m->row[0][1];
    sw_fem_find_hardening_fault(m, &fault);
    if (fault.key[0] == '\0')
        return SW_OK;
    return sw_job_error(job->source, sw_key_path(key, "%shardening.%s", prefix, fault.key),
                        " = %.15g: need %s", fault.value, fault.need);
}

static double extent_of(const sw_fem_mesh *mesh)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    double most = 0;
    for (int i = 0; i < d; i++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t n = 0; n < mesh->n_nodes; n++) {
            low = fmin(low, mesh->position[n * d + i]);
            high = fmax(high, mesh->position[n * d + i]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

/* Rubber has 1e6 Pa, metals some 1e11; of a file, a body of 1 and more may well be one in mm, N and MPa. */
static void doubt_unit(const sw_fem_job *job, int index)
{
    const double young = job->materials[index].is.young, yield = job->materials[index].is.yield_stress;
    if (job->geometry.file != NULL && young >= 1e3 && young < 1e6 && extent_of(job->mesh) < 1)
        sw_warn("%s: materials[%d].young = %g Pa is that of a gel: is it in MPa?", sw_job_path(job->source),
                index, young);
    else if (isfinite(yield) && yield > 0.5 * young)
        sw_warn("%s: materials[%d]: the yield stress, %g Pa, is over half of young, %g Pa: are both in Pa?",
                sw_job_path(job->source), index, yield, young);
}

static sw_status make_material(sw_fem_job *job, int index)
{
    sw_fem_material *m = &job->material[index];
    char prefix[SW_KEY_SIZE], key[SW_KEY_SIZE];
    sw_key_path(prefix, "materials[%d].", index);
    SW_TRY(check_material_keys(job, prefix));
    if (sw_job_given(job->source, sw_key_path(key, "%.100scrystals", prefix)))
        return sw_fem_make_crystals(job, index);
    *m = job->materials[index].is;
    if (job->problem.kinematics == SW_FEM_HEAT)
        m->young = job->materials[index].conductivity;
    else
        doubt_unit(job, index);
    if (sw_job_given(job->source, sw_key_path(key, "%.100shardening", prefix)))
        SW_TRY(check_hardening(job, prefix, m));
    return sw_fem_asks_matter(job, prefix, 0) ? sw_fem_make_matter(job, index, prefix) : SW_OK;
}

/* Each element has one. */
static sw_status assign_material(sw_fem_job *job, int index, unsigned char *taken)
{
    const char *name = job->materials[index].elements;
    const sw_fem_set *set;
    char key[SW_KEY_SIZE];
    sw_key_path(key, "materials[%d].elements", index);
    if (name == NULL && job->materials_count > 1)
        return sw_job_error(job->source, key,
                            " is missing: need an element set for each of several materials");
    if (name == NULL || (strcmp(name, "all") == 0 && job->materials_count == 1)) {
        memset(taken, 1, (size_t)job->mesh->n_elements);
        return SW_OK;
    }
    SW_TRY(sw_fem_find_set(job, key, SW_FEM_ELEMENTS, name, &set));
    for (int64_t i = 0; i < set->n; i++) {
        const int32_t e = set->member[i];
        if (taken[e])
            return sw_job_error(job->source, key,
                                " = %.80s: element %lld has materials[%d] too: need one each", name,
                                sw_fem_element_label(job->mesh, e), job->material_of[e]);
        taken[e] = 1;
        job->material_of[e] = (uint8_t)index;
    }
    return SW_OK;
}

static sw_status assign_materials(sw_fem_job *job)
{
    const int64_t n = job->mesh->n_elements;
    unsigned char *taken;
    int64_t without = 0, first = -1;
    SW_TRY(SW_ALLOCATE(taken, n, "materials"));
    sw_status status = SW_OK;
    for (int i = 0; i < job->materials_count && status == SW_OK; i++)
        status = assign_material(job, i, taken);
    for (int64_t e = n - 1; e >= 0; e--)
        if (!taken[e]) {
            without++;
            first = e;
        }
    free(taken);
    if (status == SW_OK && without > 0)
        status = sw_job_error(job->source, "materials",
                              ": %lld of %lld elements have none, the first of them %lld", (long long)without,
                              (long long)n, sw_fem_element_label(job->mesh, first));
    return status;
}

/* What the types of a file's elements say and the job does not do. */
static void tell_types(const sw_fem_job *job)
{
    const sw_fem_reading *reading = &job->geometry.reading;
    const int dimension = sw_fem_shapes[job->mesh->shape].dimension;
    for (const sw_fem_element_type *type = reading->type; type < reading->type + reading->n_types; type++) {
        char otherwise[128];
        if (type->dimension == dimension &&
            sw_fem_overrides_type(type->name, job->problem.kinematics, otherwise, sizeof otherwise))
            sw_warn("%s: %lld element%s of type %s (%s) taken as kinematics: %s, b_bar: %s, with all "
                    "integration points",
                    job->geometry.file, (long long)type->n, type->n == 1 ? "" : "s", type->name, otherwise,
                    sw_fem_kinematics_names[job->problem.kinematics],
                    sw_fem_has_b_bar(&job->problem) ? "yes" : "no");
    }
}

/* Options are the last material's: of several that would be a guess. */
static sw_status check_options(const sw_fem_job *job)
{
    static const char *const of_crystals[] = {"file", "initial_slip_resistance.kwn",
                                              "initial_slip_resistance.time",
                                              "initial_slip_resistance.point"};
    char key[SW_KEY_SIZE];
    const int last = job->materials_count - 1;
    for (size_t i = 0; i < sizeof of_crystals / sizeof *of_crystals; i++) {
        if (sw_job_option_of(job->source,
                             sw_key_path(key, "materials[%d].crystals.%s", last, of_crystals[i])) == NULL)
            continue;
        if (last > 0)
            return sw_job_error(job->source, key,
                                ": as an option it is for jobs of one material: need it in the file");
        if (job->materials[0].is.young > 0 || job->materials[0].conductivity > 0)
            return sw_job_error(job->source, key, ": is for a material of crystals, which the job has not");
    }
    return SW_OK;
}

sw_status sw_fem_make_body(sw_fem_job *job)
{
    SW_TRY(check_options(job));
    SW_TRY(make_mesh(job));
    SW_TRY(check_kinematics(job));
    SW_TRY(SW_FEM_TAKE(job, job->material, job->materials_count, "materials"));
    SW_TRY(SW_FEM_TAKE(job, job->crystals, job->materials_count, "materials"));
    SW_TRY(SW_FEM_TAKE(job, job->matter, job->materials_count, "materials"));
    SW_TRY(SW_FEM_TAKE(job, job->material_of, job->mesh->n_elements, "materials"));
    for (int i = 0; i < job->materials_count; i++)
        SW_TRY(make_material(job, i));
    SW_TRY(assign_materials(job));
    job->problem.n_materials = job->materials_count;
    job->problem.material = job->material;
    job->problem.material_of = job->material_of;
    tell_types(job);
    return SW_OK;
}
