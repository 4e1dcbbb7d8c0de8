#include "online/fem/backend/fem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/fem/backend/backend.h"
#include "common/system/progress.h"
#include "online/fem/element/element.h"
#include "online/fem/operators/operators.h"
#include "online/fem/law/point.h"
#include "online/gpu/gpu.h"

const char *const sw_fem_operator_names[] = {"points", "assembled", "nbn",     "dbd",
                                             "ebe",    "ebe_node",  "ebe_dof", "ebe_sym"};
const char *const sw_fem_storage_names[] = {"own", "single", "split", "improved"};
const char *const sw_fem_scatter_names[] = {"colours", "atomics"};
const char *const sw_fem_preconditioner_names[] = {"jacobi", "block_jacobi", "multigrid", "amg"};
const char *const sw_fem_kinematics_names[] = {"solid", "plane_stress", "plane_strain", "axisymmetric",
                                               "heat"};

int sw_fem_unknowns(sw_fem_kinematics kinematics) { return sw_fem_components(kinematics); }

sw_fem_options sw_fem_default_options(const sw_fem_problem *problem, sw_fem_device device)
{
    sw_fem_options o = {.device = device,
                        .operator_ = SW_FEM_POINTS,
                        .storage = problem->mesh->lattice ? SW_FEM_IMPROVED : SW_FEM_OWN,
                        .scatter = SW_FEM_COLOURS,
                        .preconditioner = SW_FEM_BLOCK_JACOBI,
                        .tolerance = 1e-6,
                        .linear_tolerance = 1e-7,
                        .most_newton = 25,
                        .most_cg = 20000,
                        .line_search = 5,
                        .least_increment = 1e-4};
    if (problem->mesh->lattice && problem->mesh->shape == SW_HEX8)
        o.preconditioner = SW_FEM_MULTIGRID;
#ifdef SW_HAVE_HYPRE
    else if (problem->mesh->shape == SW_QUAD4 &&
             (device == SW_FEM_DEVICE_CPU || (device == SW_FEM_DEVICE_AUTO && sw_gpu_describe(NULL, 0) == 0)))
        o.preconditioner =
            SW_FEM_AMG; /* of solids its cycles cost more than they save (docs/benchmarks.md) */
#endif
    return o;
}

/* ---- Checks ---- */

static sw_status need(const char *name, double value, int holds, const char *bound)
{
    return holds ? SW_OK : sw_error(SW_ERR_RANGE, "%s = %.15g: need %s", name, value, bound);
}

static sw_status check_material(const sw_fem_material *m, int heat)
{
    SW_TRY(
        need(heat ? "conductivity" : "young", m->young, m->young > 0 && isfinite(m->young), "more than 0"));
    if (heat)
        return SW_OK;
    SW_TRY(need("poisson", m->poisson, m->poisson > -1 && m->poisson < 0.5, "-1 < nu < 0.5"));
    SW_TRY(need("yield_stress", m->yield_stress, m->yield_stress > 0, "more than 0"));
    if (m->hardening == SW_FEM_TABLE) {
        SW_TRY(
            need("rows of the table", m->n_rows, m->n_rows >= 1 && m->n_rows <= SW_FEM_MOST_ROWS, "1 to 32"));
        SW_TRY(need("first plastic strain of the table", m->row[0][0], m->row[0][0] == 0, "0"));
        SW_TRY(need("yield_stress", m->yield_stress, m->yield_stress == m->row[0][1], "the table's first"));
        for (int i = 1; i < m->n_rows; i++) {
            SW_TRY(need("plastic strain of the table", m->row[i][0],
                        m->row[i][0] > m->row[i - 1][0] && isfinite(m->row[i][0]), "ascending ones"));
            SW_TRY(need("yield stress of the table", m->row[i][1],
                        m->row[i][1] >= m->row[i - 1][1] && isfinite(m->row[i][1]), "no softening"));
        }
        return SW_OK;
    }
    SW_TRY(need("modulus", m->modulus, m->modulus >= 0 && isfinite(m->modulus), "at least 0: no softening"));
    if (m->hardening == SW_FEM_VOCE) {
        SW_TRY(need("saturation", m->saturation, m->saturation >= m->yield_stress && isfinite(m->saturation),
                    "at least yield_stress"));
        SW_TRY(need("rate", m->rate, m->rate >= 0 && isfinite(m->rate), "at least 0"));
    }
    return SW_OK;
}

static long long node_label(const sw_fem_mesh *mesh, int64_t node)
{
    return mesh->node_label != NULL ? mesh->node_label[node] : node + 1;
}

static sw_status check_problem(const sw_fem_problem *p)
{
    const sw_fem_mesh *mesh = p->mesh;
    const int solid = p->kinematics == SW_FEM_SOLID;
    if ((mesh->shape == SW_HEX8) != solid)
        return sw_error(SW_ERR_RANGE, "kinematics %s does not fit a mesh of %s",
                        sw_fem_kinematics_names[p->kinematics], sw_fem_shapes[mesh->shape].name);
    if (p->b_bar && (p->kinematics == SW_FEM_PLANE_STRESS || p->kinematics == SW_FEM_HEAT))
        return sw_error(SW_ERR_RANGE, "b_bar is for solid, plane_strain and axisymmetric, not %s",
                        sw_fem_kinematics_names[p->kinematics]);
    if (!solid && p->kinematics != SW_FEM_AXISYMMETRIC)
        SW_TRY(need("thickness", p->thickness, p->thickness > 0 && isfinite(p->thickness), "more than 0"));
    SW_TRY(need("materials", p->n_materials, p->n_materials >= 1 && p->n_materials <= 255, "1 to 255"));
    for (int i = 0; i < p->n_materials; i++)
        SW_TRY(check_material(&p->material[i], p->kinematics == SW_FEM_HEAT));
    for (int64_t e = 0; p->material_of && e < mesh->n_elements; e++)
        if (p->material_of[e] >= p->n_materials)
            return sw_error(SW_ERR_RANGE, "element %lld: material %d of %d", (long long)e + 1,
                            p->material_of[e] + 1, p->n_materials);
    if (p->kinematics == SW_FEM_AXISYMMETRIC)
        for (int64_t n = 0; n < mesh->n_nodes; n++)
            if (!(mesh->position[2 * n] >= 0))
                return sw_error(SW_ERR_RANGE, "node %lld: radius %.6g m: need 0 or more", node_label(mesh, n),
                                mesh->position[2 * n]);
    return SW_OK;
}

static sw_status check_options(const sw_fem_problem *p, const sw_fem_options *o)
{
    const int lattice = p->mesh->lattice != NULL;
    SW_TRY(need("tolerance", o->tolerance, o->tolerance > 0 && o->tolerance < 1, "0 < tolerance < 1"));
    SW_TRY(need("linear_tolerance", o->linear_tolerance, o->linear_tolerance > 0 && o->linear_tolerance < 1,
                "0 < linear_tolerance < 1"));
    SW_TRY(need("newton", o->most_newton, o->most_newton >= 1, "at least 1"));
    SW_TRY(need("cg", o->most_cg, o->most_cg >= 1, "at least 1"));
    SW_TRY(need("line_search", o->line_search, o->line_search >= 0, "at least 0"));
    SW_TRY(need("least_increment", o->least_increment, o->least_increment > 0 && o->least_increment <= 1,
                "0 < least_increment <= 1"));
    if (o->preconditioner == SW_FEM_MULTIGRID && !(lattice && p->mesh->shape == SW_HEX8))
        return sw_error(SW_ERR_RANGE,
                        "preconditioner multigrid needs a voxel mesh of hex8: block_jacobi or amg");
#ifndef SW_HAVE_HYPRE
    if (o->preconditioner == SW_FEM_AMG)
        return sw_error(SW_ERR_UNAVAILABLE, "preconditioner amg: this build is without hypre (libhypre-dev)");
#endif
    if (o->operator_ != SW_FEM_POINTS && o->operator_ != SW_FEM_ASSEMBLED && o->storage != SW_FEM_OWN &&
        !lattice)
        return sw_error(SW_ERR_RANGE, "storage %s needs a voxel mesh: own", sw_fem_storage_names[o->storage]);
    return SW_OK;
}

/* Rigid motions of a point: value of motion m at unknown i. */
static double rigid(sw_fem_kinematics k, int m, int i, const double at[3])
{
    switch (k) {
    case SW_FEM_SOLID:
        if (m < 3)
            return m == i;
        return i == (m + 1) % 3 ? -at[(m + 2) % 3] : i == (m + 2) % 3 ? at[(m + 1) % 3] : 0;
    case SW_FEM_AXISYMMETRIC:
        return i == 1;
    case SW_FEM_HEAT:
        return 1;
    default:
        return m < 2 ? m == i : i == 0 ? -at[1] : at[0];
    }
}

static const char *rigid_name(sw_fem_kinematics k, int m)
{
    static const char *const solid[] = {"move along x", "move along y", "move along z",
                                        "turn about x", "turn about y", "turn about z"};
    static const char *const plane[] = {"move along x", "move along y", "turn in the plane"};
    switch (k) {
    case SW_FEM_SOLID:
        return solid[m];
    case SW_FEM_AXISYMMETRIC:
        return "move along the axis";
    case SW_FEM_HEAT:
        return "take any temperature";
    default:
        return plane[m];
    }
}

/* "part 2 of the body (of 3 that do not touch), with node 7 at (0, 1, 0), can still move along x: ..." */
static sw_status refuse_free_part(const sw_fem_problem *p, const int32_t *part, int64_t chosen,
                                  int64_t n_parts, const char *motion)
{
    const sw_fem_mesh *mesh = p->mesh;
    const int d = sw_fem_dimension(p->kinematics);
    int64_t n = 0;
    char at[64];
    if (n_parts == 1)
        return sw_error(SW_ERR_RANGE, "the body can still %s: prescribe more displacements", motion);
    while (part[n] != chosen)
        n++;
    const double *x = mesh->position + n * d;
    snprintf(at, sizeof at, d == 3 ? "(%g, %g, %g)" : "(%g, %g)", x[0], x[1], d == 3 ? x[2] : 0);
    return sw_error(SW_ERR_RANGE,
                    "part %lld of the body (of %lld that do not touch), with node %lld at %s, can still %s: "
                    "prescribe more displacements",
                    (long long)chosen + 1, (long long)n_parts, node_label(mesh, n), at, motion);
}

/* Whether some rigid motion of a part leaves all that is prescribed at rest: Gauss elimination, with the
 * largest pivot, of the motions' Gram matrix over the part's prescribed unknowns. Lengths in units of the
 * part's size. The motion named is the one that no pivot was left for. */
static sw_status check_rigid(const sw_fem_problem *p, const uint8_t *fixed)
{
    const sw_fem_mesh *mesh = p->mesh;
    const sw_fem_kinematics k = p->kinematics;
    const int d = sw_fem_dimension(k), c = sw_fem_components(k);
    const int n_motions = k == SW_FEM_SOLID ? 6 : k == SW_FEM_AXISYMMETRIC || k == SW_FEM_HEAT ? 1 : 3;
    int32_t *part = NULL;
    double(*gram)[6][6] = NULL, (*low)[3] = NULL, (*high)[3] = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(part, mesh->n_nodes, "parts of the mesh"), done);
    const int64_t n_parts = sw_fem_mesh_parts(mesh, part);
    SW_TRY_GOTO(status, SW_ALLOCATE(gram, n_parts, "parts of the mesh"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(low, n_parts, "parts of the mesh"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(high, n_parts, "parts of the mesh"), done);
    for (int64_t i = 0; i < n_parts; i++)
        for (int j = 0; j < 3; j++) {
            low[i][j] = INFINITY;
            high[i][j] = -INFINITY;
        }
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        for (int j = 0; j < d; j++) {
            low[part[n]][j] = fmin(low[part[n]][j], mesh->position[n * d + j]);
            high[part[n]][j] = fmax(high[part[n]][j], mesh->position[n * d + j]);
        }
    for (int64_t n = 0; n < mesh->n_nodes; n++) {
        double at[3] = {0}, size = 0;
        const double *l = low[part[n]], *h = high[part[n]];
        for (int j = 0; j < d; j++)
            size = fmax(size, h[j] - l[j]);
        for (int j = 0; j < d; j++)
            at[j] = (mesh->position[n * d + j] - 0.5 * (l[j] + h[j])) / size;
        for (int i = 0; i < c; i++)
            if (fixed[n * c + i])
                for (int a = 0; a < n_motions; a++)
                    for (int b = 0; b < n_motions; b++)
                        gram[part[n]][a][b] += rigid(k, a, i, at) * rigid(k, b, i, at);
    }
    for (int64_t i = 0; i < n_parts && status == SW_OK; i++) {
        int used[6] = {0};
        double whole[6];
        for (int a = 0; a < n_motions; a++)
            whole[a] = gram[i][a][a];
        for (int step = 0; step < n_motions; step++) {
            int pivot = 0;
            while (used[pivot])
                pivot++;
            for (int a = pivot + 1; a < n_motions; a++)
                if (!used[a] && gram[i][a][a] * whole[pivot] > gram[i][pivot][pivot] * whole[a])
                    pivot = a;
            if (!(gram[i][pivot][pivot] > 1e-10 * whole[pivot])) {
                status = refuse_free_part(p, part, i, n_parts, rigid_name(k, pivot));
                break;
            }
            used[pivot] = 1;
            for (int a = 0; a < n_motions; a++)
                if (!used[a]) {
                    const double part_of = gram[i][a][pivot] / gram[i][pivot][pivot];
                    for (int b = 0; b < n_motions; b++)
                        gram[i][a][b] -= part_of * gram[i][pivot][b];
                }
        }
    }
done:
    free(part);
    free(gram);
    free(low);
    free(high);
    return status;
}

/* ---- Open and close ---- */

static sw_status mark_fixed(sw_fem *fem)
{
    for (int l = 0; l < fem->problem->n_cases; l++) {
        const sw_fem_case *load = &fem->problem->load[l];
        for (int64_t i = 0; i < load->n_fixed; i++) {
            if (load->dof[i] < 0 || load->dof[i] >= fem->n_unknowns ||
                (i > 0 && load->dof[i] <= load->dof[i - 1]))
                return sw_error(SW_ERR_RANGE, "prescribed unknown %lld: need ascending ones below %lld",
                                (long long)load->dof[i], (long long)fem->n_unknowns);
            if (!isfinite(load->value[i]))
                return sw_error(SW_ERR_RANGE, "prescribed value %g: need a finite one", load->value[i]);
            fem->fixed[load->dof[i]] = 1;
        }
    }
    return SW_OK;
}

/* The vectors of the cases on the device. */
static sw_status upload_cases(sw_fem *fem)
{
    const sw_fem_backend *on = fem->backend;
    const sw_fem_problem *p = fem->problem;
    double *value = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->force, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->prescribed, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->factor, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->start, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->goal, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->delta, p->n_cases, "load cases"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(value, fem->n_unknowns, "prescribed displacements"), done);
    for (int l = 0; l < p->n_cases; l++) {
        const sw_fem_case *load = &p->load[l];
        int any = 0;
        memset(value, 0, (size_t)fem->n_unknowns * sizeof *value);
        for (int64_t i = 0; i < load->n_fixed; i++) {
            value[load->dof[i]] = load->value[i];
            any |= load->value[i] != 0;
        }
        if (any) {
            SW_TRY_GOTO(status, on->allocate(fem, &fem->prescribed[l]), done);
            SW_TRY_GOTO(status, on->upload(fem, value, fem->prescribed[l]), done);
        }
        if (load->force) {
            SW_TRY_GOTO(status, on->allocate(fem, &fem->force[l]), done);
            SW_TRY_GOTO(status, on->upload(fem, load->force, fem->force[l]), done);
        }
    }
done:
    free(value);
    return status;
}

sw_status sw_fem_open(const sw_fem_problem *problem, const sw_fem_options *options, sw_fem **result)
{
    sw_fem *fem;
    *result = NULL;
    SW_TRY(check_problem(problem));
    SW_TRY(check_options(problem, options));
    const sw_fem_backend *gpu = sw_fem_gpu();
    if (options->device == SW_FEM_DEVICE_CUDA && !gpu)
        return sw_error(SW_ERR_UNAVAILABLE, "device cuda: this build is without GPU code (nvcc)");
    SW_TRY(SW_ALLOCATE(fem, 1, "analysis"));
    const double start = sw_seconds();
    fem->problem = problem;
    fem->options = *options;
    fem->dimension = sw_fem_dimension(problem->kinematics);
    fem->components = sw_fem_components(problem->kinematics);
    fem->corners = sw_fem_corners(problem->kinematics);
    fem->n_nodes = problem->mesh->n_nodes;
    fem->n_elements = problem->mesh->n_elements;
    fem->n_unknowns = fem->n_nodes * fem->components;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(fem->fixed, fem->n_unknowns, "prescribed unknowns"), failed);
    SW_TRY_GOTO(status, mark_fixed(fem), failed);
    SW_TRY_GOTO(status, check_rigid(problem, fem->fixed), failed);
    const int on_gpu =
        options->device == SW_FEM_DEVICE_CUDA ||
        (options->device == SW_FEM_DEVICE_AUTO && sw_gpu_describe(NULL, 0) > 0 && options->preconditioner != SW_FEM_AMG);
    fem->backend = on_gpu ? gpu : &sw_fem_cpu;
    SW_TRY_GOTO(status, fem->backend->open(fem), failed);
    SW_TRY_GOTO(status, upload_cases(fem), failed);
    double **const vectors[] = {&fem->u,    &fem->trial,     &fem->external, &fem->internal, &fem->residual,
                                &fem->held, &fem->increment, &fem->p,        &fem->g,        &fem->z};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        SW_TRY_GOTO(status, fem->backend->allocate(fem, vectors[i]), failed);
    fem->timing.setup = sw_seconds() - start;
    *result = fem;
    return SW_OK;
failed:
    sw_fem_close(fem);
    return status;
}

void sw_fem_close(sw_fem *fem)
{
    if (!fem)
        return;
    if (fem->backend)
        fem->backend->close(fem);
    free(fem->fixed);
    free(fem->factor);
    free(fem->start);
    free(fem->goal);
    free(fem->delta);
    free(fem->force);
    free(fem->prescribed);
    free(fem);
}

void sw_fem_count_bytes(sw_fem *fem, int64_t change)
{
    fem->timing.bytes += change;
    if (fem->timing.bytes > fem->timing.most_bytes)
        fem->timing.most_bytes = fem->timing.bytes;
}

sw_fem_timing sw_fem_timings(const sw_fem *fem) { return fem->timing; }
const char *sw_fem_device_name(const sw_fem *fem) { return fem->device_name; }

/* ---- Fields ---- */

/* Strain, then stress from the accepted state, at the points of element e: stress [Q][6], place volumes [Q].
 */
static void element_stress(const sw_fem *fem, int64_t e, const double *u, const double *points,
                           double (*stress)[6], double *volume)
{
    const sw_fem_problem *p = fem->problem;
    const sw_fem_kinematics k = p->kinematics;
    const int d = fem->dimension, c = fem->components, V = fem->corners;
    const sw_fem_material *material = &p->material[p->material_of ? p->material_of[e] : 0];
    const int32_t *node = p->mesh->node + e * V;
    double x[3][8] = {{0}}, h[3][8] = {{0}}, at[8] = {0}, dilatation, total, mean = 0;
    for (int i = 0; i < d; i++) {
        for (int a = 0; a < V; a++)
            at[a] = p->mesh->position[(int64_t)node[a] * d + i];
        sw_fem_coefficients(d, at, x[i]);
    }
    for (int i = 0; i < c; i++) {
        for (int a = 0; a < V; a++)
            at[a] = u[(int64_t)node[a] * c + i];
        sw_fem_coefficients(d, at, h[i]);
    }
    if (p->b_bar) {
        sw_fem_dilatation(k, (const double(*)[8])x, (const double(*)[8])h, p->thickness, &dilatation, &total);
        mean = dilatation / total;
    }
    for (int q = 0; q < V; q++) {
        sw_fem_place place;
        sw_fem_point point;
        double strain[6] = {0};
        sw_fem_locate(k, q, (const double(*)[8])x, p->thickness, &place);
        volume[q] = place.volume;
        sw_fem_strain(k, q, &place, (const double(*)[8])h, strain);
        if (p->b_bar)
            sw_fem_dilate(mean, strain);
        memcpy(point.strain, points + (e * V + q) * 7, sizeof point.strain);
        point.equivalent = points[(e * V + q) * 7 + 6];
        sw_fem_stress_at(k, material, strain, &point, stress[q], NULL, NULL);
    }
}

sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *out)
{
    const int Q = fem->corners;
    double *u = NULL, *points = NULL;
    uint8_t *yielded = NULL;
    sw_status status = SW_OK;
    if (out->factor)
        memcpy(out->factor, fem->factor, (size_t)fem->problem->n_cases * sizeof *out->factor);
    if (out->force)
        SW_TRY(fem->backend->download(fem, fem->internal, out->force));
    SW_TRY_GOTO(status, SW_ALLOCATE(u, fem->n_unknowns, "displacements"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(points, fem->n_elements * Q * 7, "states of points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(yielded, fem->n_elements * Q, "states of points"), done);
    SW_TRY_GOTO(status, fem->backend->download(fem, fem->u, u), done);
    SW_TRY_GOTO(status, fem->backend->save(fem, points, yielded), done);
    if (out->displacement)
        memcpy(out->displacement, u, (size_t)fem->n_unknowns * sizeof *u);
#pragma omp parallel for schedule(static) if (fem->n_unknowns > SW_FEM_WORTH_THREADS)
    for (int64_t e = 0; e < fem->n_elements; e++) {
        double stress[8][6], volume[8], mean[6] = {0}, strain = 0, sum = 0;
        int count = 0;
        element_stress(fem, e, u, points, stress, volume);
        for (int q = 0; q < Q; q++) {
            const double equivalent = points[(e * Q + q) * 7 + 6];
            for (int i = 0; i < 6; i++)
                mean[i] += volume[q] * stress[q][i];
            strain += volume[q] * equivalent;
            sum += volume[q];
            count += yielded[e * Q + q];
            if (out->point_stress)
                memcpy(out->point_stress[e * Q + q], stress[q], sizeof stress[q]);
            if (out->point_plastic_strain)
                out->point_plastic_strain[e * Q + q] = equivalent;
        }
        for (int i = 0; i < 6; i++)
            mean[i] /= sum;
        if (out->stress)
            memcpy(out->stress[e], mean, sizeof mean);
        if (out->von_mises) {
            const double a = mean[0] - mean[1], b = mean[1] - mean[2], c = mean[2] - mean[0];
            out->von_mises[e] = sqrt(0.5 * (a * a + b * b + c * c) +
                                     3 * (mean[3] * mean[3] + mean[4] * mean[4] + mean[5] * mean[5]));
        }
        if (out->plastic_strain)
            out->plastic_strain[e] = strain / sum;
        if (out->plastic)
            out->plastic[e] = (uint8_t)count;
    }
done:
    free(u);
    free(points);
    free(yielded);
    return status;
}

sw_status sw_fem_save(sw_fem *fem, sw_fem_state *state)
{
    SW_TRY(fem->backend->download(fem, fem->u, state->displacement));
    memcpy(state->factor, fem->factor, (size_t)fem->problem->n_cases * sizeof *state->factor);
    state->work = fem->work_done;
    state->largest = fem->largest;
    return fem->backend->save(fem, state->points, state->yielded);
}

sw_status sw_fem_restore(sw_fem *fem, const sw_fem_state *state)
{
    int64_t points, elements;
    SW_TRY(fem->backend->upload(fem, state->displacement, fem->u));
    memcpy(fem->factor, state->factor, (size_t)fem->problem->n_cases * sizeof *state->factor);
    fem->work_done = state->work;
    fem->largest = state->largest;
    SW_TRY(fem->backend->restore(fem, state->points, state->yielded));
    return fem->backend->internal(fem, fem->u, fem->internal, &points, &elements);
}
