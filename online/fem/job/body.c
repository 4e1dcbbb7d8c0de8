/* What a job analyses: mesh, kinematics and materials. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* ---- Mesh ---- */

/* Parameters of the body; one of another body is refused. */
static sw_status check_parameters(const sw_fem_job *job, const sw_fem_body *body, sw_fem_voxels *voxels)
{
    const char *name[SW_FEM_PARAMETERS];
    const int n = sw_fem_parameters(name);
    for (int i = 0; i < n; i++) {
        char key[SW_FEM_KEY];
        const double value = job->geometry.parameter[i];
        int k = 0;
        snprintf(key, sizeof key, "mesh.%s", name[i]);
        if (!sw_fem_given(job, key))
            continue;
        while (k < body->n_parameters && strcmp(body->parameter[k].name, name[i]) != 0)
            k++;
        if (k == body->n_parameters)
            return sw_fem_job_error(job, key, ": the body '%s' has no such parameter", body->name);
        if (!(value > body->parameter[k].least && value < body->parameter[k].most))
            return sw_fem_job_error(job, key, " = %.15g: need more than %g and less than %g", value,
                                    body->parameter[k].least, body->parameter[k].most);
        voxels->fraction[k] = value;
    }
    return SW_OK;
}

static sw_status check_extent(const sw_fem_job *job, sw_fem_voxels *voxels)
{
    enum { MOST_CELLS = 100000 };
    const unsigned d = job->geometry.cells_count;
    char key[SW_FEM_KEY];
    if (d == 0)
        return sw_fem_job_error(job, "mesh.cells", " is missing: need the numbers of cells along x, y and z");
    for (unsigned i = 0; i < d; i++) {
        snprintf(key, sizeof key, "mesh.cells[%u]", i);
        voxels->cells[i] = job->geometry.cells[i];
        if (!(voxels->cells[i] >= 1 && voxels->cells[i] <= MOST_CELLS))
            return sw_fem_job_error(job, key, " = %lld: need 1 to %d", (long long)voxels->cells[i],
                                    MOST_CELLS);
    }
    if (job->geometry.size_count > 0 && job->geometry.size_count != d)
        return sw_fem_job_error(job, "mesh.size", " has %u numbers: need %u, as many as cells",
                                job->geometry.size_count, d);
    for (unsigned i = 0; i < job->geometry.size_count; i++) {
        snprintf(key, sizeof key, "mesh.size[%u]", i);
        voxels->size[i] = job->geometry.size[i];
        if (!(voxels->size[i] >= 1e-9 && voxels->size[i] <= 1e9))
            return sw_fem_job_error(job, key, " = %.15g: need m, from 1e-9 to 1e9", voxels->size[i]);
    }
    return SW_OK;
}

static sw_status make_voxels(sw_fem_job *job)
{
    const char *names[64];
    int count = 0, index;
    while (count < 64 && sw_fem_bodies[count].name != NULL) {
        names[count] = sw_fem_bodies[count].name;
        count++;
    }
    SW_TRY(sw_fem_choose(job, "mesh.body", job->geometry.body, count, names, -1, &index));
    sw_fem_voxels voxels = {.body = job->geometry.body};
    SW_TRY(check_extent(job, &voxels));
    SW_TRY(check_parameters(job, &sw_fem_bodies[index], &voxels));
    const sw_status status = sw_fem_voxel_mesh(&voxels, &job->mesh);
    return status == SW_ERR_RANGE ? sw_fem_job_error(job, "mesh", ": %s", sw_error_message()) : status;
}

static sw_status read_mesh_file(sw_fem_job *job)
{
    static const char *const others[] = {"cells", "size"};
    const char *name[SW_FEM_PARAMETERS];
    const int n = sw_fem_parameters(name);
    for (int i = -2; i < n; i++) {
        char key[SW_FEM_KEY];
        snprintf(key, sizeof key, "mesh.%s", i < 0 ? others[i + 2] : name[i]);
        if (sw_fem_given(job, key))
            return sw_fem_job_error(job, key, " beside mesh.file: goes with body");
    }
    return sw_fem_mesh_read(job->geometry.file, &job->mesh);
}

static sw_status move_to_origin(sw_fem_job *job)
{
    sw_fem_mesh *mesh = job->mesh;
    const int d = sw_fem_shapes[mesh->shape].dimension;
    if (job->geometry.origin_count == 0)
        return SW_OK;
    if (job->geometry.origin_count != (unsigned)d)
        return sw_fem_job_error(job, "mesh.origin", " has %u numbers: need %d", job->geometry.origin_count,
                                d);
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
    const char *const body = job->geometry.body, *const file = job->geometry.file;
    if ((body == NULL) == (file == NULL))
        return body != NULL ? sw_fem_job_error(job, "mesh.file", " beside body: need only one of them")
                            : sw_fem_job_error(job, "mesh.body", " is missing: need body or file");
    SW_TRY(body != NULL ? make_voxels(job) : read_mesh_file(job));
    SW_TRY(move_to_origin(job));
    return sw_fem_make_sets(job);
}

/* ---- Kinematics ---- */

static sw_status check_kinematics(sw_fem_job *job)
{
    static const char *const words[] = {"false", "true"};
    static const sw_fem_number thickness = {
        "thickness", offsetof(sw_fem_job, thickness), 0, 1e-9, 1e9, 1, "m, from 1e-9 to 1e9"};
    const int solid = job->mesh->shape == SW_HEX8;
    int chosen, b_bar;
    SW_TRY(sw_fem_choose(job, "kinematics", job->kinematics, SW_FEM_N_KINEMATICS, sw_fem_kinematics_names,
                         solid ? SW_FEM_SOLID : -1, &chosen));
    if (chosen < 0)
        return sw_fem_job_error(
            job, "kinematics",
            " is missing: need plane_stress, plane_strain, axisymmetric or heat for a plane mesh");
    if (solid != (chosen == SW_FEM_SOLID))
        return sw_fem_job_error(job, "kinematics", " = %s: the mesh is of %s: need %s",
                                sw_fem_kinematics_names[chosen], sw_fem_shapes[job->mesh->shape].name,
                                solid ? "solid" : "plane_stress, plane_strain, axisymmetric or heat");
    SW_TRY(sw_fem_choose(job, "b_bar", job->b_bar, 2, words, 0, &b_bar));
    if (b_bar && (chosen == SW_FEM_PLANE_STRESS || chosen == SW_FEM_HEAT))
        return sw_fem_job_error(job, "b_bar", " = true: not with %s", sw_fem_kinematics_names[chosen]);
    SW_TRY(sw_fem_check_numbers(job, "", job, 1, &thickness));
    if (sw_fem_given(job, "thickness") && (solid || chosen == SW_FEM_AXISYMMETRIC))
        return sw_fem_job_error(job, "thickness", ": goes with plane_stress, plane_strain and heat");
    for (int64_t n = 0; n < job->mesh->n_nodes && chosen == SW_FEM_AXISYMMETRIC; n++)
        if (!(job->mesh->position[2 * n] >= 0))
            return sw_fem_job_error(
                job, "kinematics", " = axisymmetric: node %lld is at x = %g: need radii >= 0",
                (long long)(job->mesh->node_label != NULL ? job->mesh->node_label[n] : n + 1),
                job->mesh->position[2 * n]);
    job->problem = (sw_fem_problem){.mesh = job->mesh,
                                    .kinematics = (sw_fem_kinematics)chosen,
                                    .b_bar = b_bar,
                                    .thickness = job->thickness};
    return SW_OK;
}

/* ---- Materials ---- */

/* Keys that the case does not read are refused; those it needs, needed. wanted: 1 needed, 0 may be there,
 * -1 refused. */
static sw_status check_key(const sw_fem_job *job, const char *prefix, const char *name, int wanted,
                           const char *why)
{
    char key[SW_FEM_KEY + 64];
    snprintf(key, sizeof key, "%s%s", prefix, name);
    const int given = sw_fem_given(job, key);
    if (given && wanted < 0)
        return sw_fem_job_error(job, key, ": %s", why);
    return given || wanted < 1 ? SW_OK : sw_fem_job_error(job, key, " is missing: %s", why);
}

static sw_status check_table(const sw_fem_job *job, const char *prefix, const sw_fem_job_material *from,
                             sw_fem_material *m)
{
    char key[SW_FEM_KEY + 64];
    m->n_rows = (int)from->hardening.table_count;
    for (int i = 0; i < m->n_rows; i++) {
        const double *row = from->hardening.table[i];
        snprintf(key, sizeof key, "%shardening.table[%d][0]", prefix, i);
        if (!(i == 0 ? row[0] == 0 : row[0] > row[-2] && row[0] <= 1e6))
            return sw_fem_job_error(job, key, " = %.15g: need %s", row[0],
                                    i == 0 ? "a plastic strain of 0 first" : "plastic strains that ascend");
        snprintf(key, sizeof key, "%shardening.table[%d][1]", prefix, i);
        if (!(row[1] > 0 && row[1] <= 1e15 && (i == 0 || row[1] >= row[-1])))
            return sw_fem_job_error(job, key, " = %.15g: need Pa, more than 0, not descending", row[1]);
        m->row[i][0] = row[0];
        m->row[i][1] = row[1];
    }
    m->yield_stress = m->row[0][1];
    return SW_OK;
}

/* What each law reads: by key, 1 needed, 0 may be there, -1 refused. */
static const struct {
    const char *name;
    sw_fem_hardening law;
    int yield_stress, modulus, saturation, rate, table;
} laws[] = {
    {"none", SW_FEM_LINEAR, 1, -1, -1, -1, -1},
    {"linear", SW_FEM_LINEAR, 1, 1, -1, -1, -1},
    {"voce", SW_FEM_VOCE, 1, 0, 1, 1, -1},
    {"table", SW_FEM_TABLE, -1, -1, -1, -1, 1},
};
enum { LAWS = sizeof laws / sizeof *laws };

static sw_status make_hardening(const sw_fem_job *job, const char *prefix, sw_fem_job_material *from,
                                sw_fem_material *m)
{
    const char *names[LAWS];
    char key[SW_FEM_KEY + 64], why[64];
    int law;
    for (int i = 0; i < LAWS; i++)
        names[i] = laws[i].name;
    snprintf(key, sizeof key, "%shardening.law", prefix);
    SW_TRY(sw_fem_choose(job, key, from->hardening.law, LAWS, names, 0, &law));
    snprintf(key, sizeof key, "%shardening.", prefix);
    const struct {
        const char *prefix, *name;
        int wanted;
    } keys[] = {{prefix, "yield_stress", laws[law].yield_stress},
                {key, "modulus", laws[law].modulus},
                {key, "saturation", laws[law].saturation},
                {key, "rate", laws[law].rate},
                {key, "table", laws[law].table}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        snprintf(why, sizeof why,
                 keys[i].wanted < 0 ? "the law '%s' does not read it" : "the law '%s' needs it", names[law]);
        SW_TRY(check_key(job, keys[i].prefix, keys[i].name, keys[i].wanted, why));
    }
    const sw_fem_number rules[] = {
        {"hardening.modulus", offsetof(sw_fem_job_material, hardening.modulus), 0, 0, 1e15, 0,
         "Pa, from 0 to 1e15"},
        {"hardening.saturation", offsetof(sw_fem_job_material, hardening.saturation), 0, m->yield_stress,
         1e15, 0, "Pa, at least the yield stress"},
        {"hardening.rate", offsetof(sw_fem_job_material, hardening.rate), 0, 1e-6, 1e9, 0,
         "1e-6 <= rate <= 1e9"},
    };
    SW_TRY(sw_fem_check_numbers(job, prefix, from, 3, rules));
    m->hardening = laws[law].law;
    m->modulus = from->hardening.modulus;
    m->saturation = from->hardening.saturation;
    m->rate = from->hardening.rate;
    return m->hardening == SW_FEM_TABLE ? check_table(job, prefix, from, m) : SW_OK;
}

static sw_status make_heat_material(const sw_fem_job *job, const char *prefix,
                                    const sw_fem_job_material *from, sw_fem_material *m)
{
    static const char *const refused[] = {"young", "poisson", "yield_stress", "hardening"};
    for (int i = 0; i < 4; i++)
        SW_TRY(check_key(job, prefix, refused[i], -1, "not with kinematics: heat"));
    SW_TRY(check_key(job, prefix, "conductivity", 1, "need it for kinematics: heat"));
    m->young = from->conductivity;
    m->yield_stress = INFINITY;
    return SW_OK;
}

static sw_status make_material(sw_fem_job *job, unsigned index)
{
    static const sw_fem_number rules[] = {
        {"young", offsetof(sw_fem_job_material, young), 0, 1e-3, 1e15, 0, "Pa, from 1e-3 to 1e15"},
        {"poisson", offsetof(sw_fem_job_material, poisson), 0, -0.999, 0.4999, 0,
         "-0.999 <= poisson <= 0.4999"},
        {"yield_stress", offsetof(sw_fem_job_material, yield_stress), 0, 1e-3, 1e15, INFINITY,
         "Pa, from 1e-3 to 1e15"},
        {"conductivity", offsetof(sw_fem_job_material, conductivity), 0, 1e-9, 1e9, 0,
         "W/(m K), from 1e-9 to 1e9"},
    };
    sw_fem_job_material *from = &job->materials[index];
    sw_fem_material *m = &job->material[index];
    char prefix[SW_FEM_KEY], key[SW_FEM_KEY + 64];
    snprintf(prefix, sizeof prefix, "materials[%u].", index);
    SW_TRY(sw_fem_check_numbers(job, prefix, from, (int)(sizeof rules / sizeof *rules), rules));
    if (job->problem.kinematics == SW_FEM_HEAT)
        return make_heat_material(job, prefix, from, m);
    SW_TRY(check_key(job, prefix, "conductivity", -1, "goes with kinematics: heat"));
    SW_TRY(check_key(job, prefix, "young", 1, "need Young's modulus"));
    SW_TRY(check_key(job, prefix, "poisson", 1, "need Poisson's ratio"));
    m->young = from->young;
    m->poisson = from->poisson;
    m->yield_stress = from->yield_stress;
    snprintf(key, sizeof key, "%shardening", prefix);
    return isfinite(m->yield_stress) || sw_fem_given(job, key) ? make_hardening(job, prefix, from, m) : SW_OK;
}

static long long element_label(const sw_fem_mesh *mesh, int64_t element)
{
    return mesh->element_label != NULL ? mesh->element_label[element] : element + 1;
}

/* Each element has one. */
static sw_status assign_material(sw_fem_job *job, unsigned index, unsigned char *taken)
{
    const char *name = job->materials[index].elements;
    const sw_fem_set *set;
    char key[SW_FEM_KEY];
    snprintf(key, sizeof key, "materials[%u].elements", index);
    if (name == NULL && job->materials_count > 1)
        return sw_fem_job_error(job, key, " is missing: need an element set for each of several materials");
    if (name == NULL || strcmp(name, "all") == 0) {
        set = sw_fem_mesh_set(job->mesh, SW_FEM_ELEMENTS, "all");
        if (set == NULL || job->materials_count == 1) {
            memset(job->material_of, (int)index, (size_t)job->mesh->n_elements);
            memset(taken, 1, (size_t)job->mesh->n_elements);
            return SW_OK;
        }
    }
    SW_TRY(sw_fem_find_set(job, key, SW_FEM_ELEMENTS, name, &set));
    for (int64_t i = 0; i < set->n; i++) {
        const int32_t e = set->member[i];
        if (taken[e])
            return sw_fem_job_error(job, key, " = %.80s: element %lld has materials[%d] too: need one each",
                                    name, element_label(job->mesh, e), job->material_of[e]);
        taken[e] = 1;
        job->material_of[e] = (uint8_t)index;
    }
    return SW_OK;
}

static sw_status assign_materials(sw_fem_job *job)
{
    unsigned char *taken;
    int64_t without = 0, first = -1;
    SW_TRY(SW_ALLOCATE(taken, job->mesh->n_elements, "materials"));
    sw_status status = SW_OK;
    for (unsigned i = 0; i < job->materials_count && status == SW_OK; i++)
        status = assign_material(job, i, taken);
    for (int64_t e = job->mesh->n_elements - 1; e >= 0; e--)
        if (!taken[e]) {
            without++;
            first = e;
        }
    free(taken);
    if (status == SW_OK && without > 0)
        status = sw_fem_job_error(
            job, "materials", ": %lld of %lld elements have none, the first of them %lld", (long long)without,
            (long long)job->mesh->n_elements, element_label(job->mesh, first));
    return status;
}

sw_status sw_fem_make_body(sw_fem_job *job)
{
    SW_TRY(make_mesh(job));
    SW_TRY(check_kinematics(job));
    SW_TRY(SW_ALLOCATE(job->material, job->materials_count, "materials"));
    SW_TRY(SW_ALLOCATE(job->material_of, job->mesh->n_elements, "materials"));
    for (unsigned i = 0; i < job->materials_count; i++)
        SW_TRY(make_material(job, i));
    SW_TRY(assign_materials(job));
    job->problem.n_materials = (int)job->materials_count;
    job->problem.material = job->material;
    job->problem.material_of = job->material_of;
    return SW_OK;
}
