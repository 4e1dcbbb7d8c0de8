/* Whether a problem can be analysed: properties, options, supports. */
#include <math.h>
#include <stdlib.h>

#include "analysis.h"
#include "choices.h"
#include "common/system/parallel.h"
#include "common/system/threads.h"
#include "online/fem/contact/contact.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/measure.h"
#include "online/fem/law/hardening_keys.h"

/* What a number that is looked at takes, ns. */
enum { LOOK_NS = 1 };

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
    sw_fem_hardening_fault fault;
    sw_fem_find_hardening_fault(m, &fault);
    return need(fault.key, fault.value, fault.key[0] == '\0', fault.need);
}

/* What files are refused for, a host program's mesh is, too. */
static sw_status check_mesh(const sw_fem_mesh *mesh)
{
    sw_fem_fault fault;
    SW_TRY(sw_fem_mesh_find_fault(mesh, &fault));
    return *fault.text == '\0' ? SW_OK : sw_error(SW_ERR_RANGE, "mesh: %s", fault.text);
}

static sw_status check_surface(const sw_fem_mesh *mesh, const sw_fem_set *surface)
{
    return sw_fem_check_members(mesh, SW_FEM_SURFACE, surface->name, surface->n, surface->member);
}

static sw_status check_forces(const sw_fem_problem *p)
{
    const int64_t n = sw_fem_count_unknowns(p);
    for (int l = 0; l < p->n_cases; l++) {
        const double *force = p->load[l].force;
        int64_t first = n;
        if (force == NULL)
            continue;
#pragma omp parallel for schedule(static) reduction(min : first) num_threads(sw_threads_for(n, LOOK_NS))
        for (int64_t i = 0; i < n; i++)
            if (!isfinite(force[i]) && i < first)
                first = i;
        if (first < n)
            return sw_error(SW_ERR_RANGE, "force at unknown %lld = %g: need a finite one", (long long)first,
                            force[first]);
    }
    return SW_OK;
}

static sw_status check_tool_surfaces(const sw_fem_problem *p)
{
    for (int t = 0; t < p->n_tools; t++)
        for (int s = 0; s < p->tool[t].n_surfaces; s++)
            SW_TRY(check_surface(p->mesh, p->tool[t].surface[s]));
    return SW_OK;
}

static sw_status check_pressures(const sw_fem_problem *p)
{
    for (int l = 0; l < p->n_cases; l++)
        for (int i = 0; i < p->load[l].n_pressures; i++) {
            const double pressure = p->load[l].pressure[i].pressure;
            SW_TRY(check_surface(p->mesh, p->load[l].pressure[i].surface));
            if (p->strain != SW_FEM_FINITE)
                return sw_error(SW_ERR_RANGE,
                                "pressures that follow the surface are for strain finite, not %s: need "
                                "sw_fem_add_pressure",
                                sw_fem_strain_names[p->strain]);
            SW_TRY(need("pressure", pressure, isfinite(pressure), "a finite one"));
        }
    return SW_OK;
}

sw_status sw_fem_check_problem(const sw_fem_problem *p)
{
    const sw_fem_mesh *mesh = p->mesh;
    const int solid = p->kinematics == SW_FEM_SOLID;
    SW_TRY(check_mesh(mesh));
    if ((mesh->shape == SW_HEX8) != solid)
        return sw_error(SW_ERR_RANGE, "kinematics %s does not fit a mesh of %s",
                        sw_fem_kinematics_names[p->kinematics], sw_fem_shapes[mesh->shape].name);
    SW_TRY(need("b_bar", (double)p->b_bar, p->b_bar < SW_FEM_B_BARS, "SW_FEM_B_BAR_AUTO, _YES or _NO"));
    if (p->b_bar == SW_FEM_B_BAR_YES &&
        (p->kinematics == SW_FEM_PLANE_STRESS || p->kinematics == SW_FEM_HEAT))
        return sw_error(SW_ERR_RANGE, "b_bar is for solid, plane_strain and axisymmetric, not %s",
                        sw_fem_kinematics_names[p->kinematics]);
    if (!sw_fem_measures[sw_fem_measure_of(p)]->points[p->kinematics])
        return sw_error(SW_ERR_RANGE, "strain %s is for solid, plane_strain and axisymmetric, not %s",
                        sw_fem_strain_names[p->strain], sw_fem_kinematics_names[p->kinematics]);
    if (!solid && p->kinematics != SW_FEM_AXISYMMETRIC)
        SW_TRY(need("thickness", p->thickness, p->thickness > 0 && isfinite(p->thickness), "more than 0"));
    SW_TRY(need("materials", p->n_materials, p->n_materials >= 1 && p->n_materials <= 255, "1 to 255"));
    for (int i = 0; i < p->n_materials; i++)
        SW_TRY(check_material(&p->material[i], p->kinematics == SW_FEM_HEAT));
    SW_TRY(sw_fem_crystals_check(p));
    for (int64_t e = 0; p->material_of && e < mesh->n_elements; e++)
        if (p->material_of[e] >= p->n_materials)
            return sw_error(SW_ERR_RANGE, "element %lld: material %d of %d", (long long)e + 1,
                            p->material_of[e] + 1, p->n_materials);
    if (p->n_tools > 0 && p->strain != SW_FEM_FINITE)
        return sw_error(SW_ERR_RANGE, "tools are for strain finite, not %s", sw_fem_strain_names[p->strain]);
    SW_TRY(check_pressures(p));
    SW_TRY(need("tools", p->n_tools, p->n_tools >= 0 && p->n_tools <= 255, "at most 255"));
    SW_TRY(check_tool_surfaces(p));
    SW_TRY(check_forces(p));
    if (p->kinematics == SW_FEM_AXISYMMETRIC)
        for (int64_t n = 0; n < mesh->n_nodes; n++)
            if (!(mesh->position[2 * n] >= 0))
                return sw_error(SW_ERR_RANGE, "node %lld: radius %.6g m: need 0 or more",
                                sw_fem_node_label(mesh, n), mesh->position[2 * n]);
    return SW_OK;
}

int sw_fem_needs_cpu(const sw_fem_problem *p)
{
    int needs = sw_fem_measure_of(p) == SW_FEM_MEASURE_MATTER;
    for (int t = 0; t < p->n_tools; t++)
        needs |= p->tool[t].edge > 0 || p->tool[t].shape == SW_FEM_TRIANGLES;
    return needs;
}

/* What linear solvers there are. */
static sw_status check_linear(const sw_fem_problem *p, const sw_fem_options *o)
{
    if (o->linear == SW_FEM_SOLVE_MIXED && o->device == SW_FEM_DEVICE_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "linear mixed: runs on the CPU only: need device cpu, or cg");
    if (o->linear == SW_FEM_SOLVE_MIXED && sw_fem_not_mixed(p))
        return sw_error(SW_ERR_RANGE, "linear mixed: not %s: need auto, cg or direct", sw_fem_not_mixed(p));
    if (o->linear == SW_FEM_SOLVE_MIXED && o->preconditioner != SW_FEM_MULTIGRID)
        return sw_error(SW_ERR_RANGE, "linear mixed: preconditioner %s: need multigrid",
                        sw_fem_preconditioner_names[o->preconditioner]);
    if (!sw_fem_linear_solvers[o->linear])
        return sw_error(SW_ERR_UNAVAILABLE, "linear %s: this build is without UMFPACK (libsuitesparse-dev)",
                        sw_fem_linear_names[o->linear]);
    if (o->linear == SW_FEM_SOLVE_DIRECT && o->device == SW_FEM_DEVICE_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "linear direct: runs on the CPU only: need device cpu, or cg, bicgstab or gmres");
    return SW_OK;
}

/* What works at finite strains. */
static sw_status check_finite(const sw_fem_options *o)
{
    if (!sw_fem_operators[o->operator_].finite)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "operator %s: with strain finite, which changes every element's matrix, need points",
                        sw_fem_operator_names[o->operator_]);
    return SW_OK;
}

/* What works over several processes. */
static sw_status check_parts(const sw_fem_options *o)
{
    return o->operator_ == SW_FEM_POINTS
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "operator %s: not with %d processes: need points",
                          sw_fem_operator_names[o->operator_], sw_parallel_size());
}

sw_status sw_fem_check_options(const sw_fem_problem *p, const sw_fem_options *o)
{
    const int boxes = sw_fem_has_boxes(p->mesh);
    SW_TRY(need("tolerance", o->tolerance, o->tolerance > 0 && o->tolerance < 1, "0 < tolerance < 1"));
    SW_TRY(need("linear_tolerance", o->linear_tolerance, o->linear_tolerance > 0 && o->linear_tolerance < 1,
                "0 < linear_tolerance < 1"));
    SW_TRY(need("newton", (double)o->most_newton, o->most_newton >= 1, "at least 1"));
    SW_TRY(need("cg", (double)o->most_cg, o->most_cg >= 1, "at least 1"));
    SW_TRY(need("line_search", (double)o->line_search, o->line_search >= 0, "at least 0"));
    SW_TRY(need("least_increment", o->least_increment, o->least_increment > 0 && o->least_increment <= 1,
                "0 < least_increment <= 1"));
    if (!sw_fem_operators[o->operator_].cpu)
        return sw_error(SW_ERR_UNAVAILABLE, "operator %s: " SW_NO_PAPERS,
                        sw_fem_operator_names[o->operator_]);
    SW_TRY(check_linear(p, o));
    if (sw_fem_needs_cpu(p) && o->device == SW_FEM_DEVICE_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "device cuda: materials with laws of decks and tools with edges "
                                            "or of meshes run on the CPU only");
    if (p->strain == SW_FEM_FINITE || sw_fem_measure_of(p) == SW_FEM_MEASURE_MATTER)
        SW_TRY(check_finite(o));
    if (sw_parallel_size() > 1)
        SW_TRY(check_parts(o));
    if (o->preconditioner == SW_FEM_MULTIGRID && !(p->mesh->lattice && p->mesh->shape == SW_HEX8))
        return sw_error(SW_ERR_RANGE,
                        "preconditioner multigrid needs a body of cells in space, hex8: block_jacobi or amg");
    if (o->operator_ != SW_FEM_POINTS && o->operator_ != SW_FEM_ASSEMBLED && o->storage != SW_FEM_OWN &&
        !boxes)
        return sw_error(SW_ERR_RANGE, "storage %s needs a voxel mesh, equal boxes: own",
                        sw_fem_storage_names[o->storage]);
    return SW_OK;
}

/* ---- Rigid motions ---- */

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
    char at[SW_FEM_PLACE_TEXT];
    if (n_parts == 1)
        return sw_error(SW_ERR_RANGE, "the body can still %s: prescribe more displacements", motion);
    while (part[n] != chosen)
        n++;
    return sw_error(SW_ERR_RANGE,
                    "part %lld of the body (of %lld that do not touch), with node %lld at %s, can still %s: "
                    "prescribe more displacements",
                    (long long)chosen + 1, (long long)n_parts, sw_fem_node_label(mesh, n),
                    sw_fem_place_text(d, mesh->position + n * d, at), motion);
}

/* A node's place in units of its part's size, from the middle of that. */
static void place_in_part(const sw_fem_mesh *mesh, int d, int64_t n, const double low[3],
                          const double high[3], double at[3])
{
    double size = 0;
    for (int j = 0; j < d; j++)
        size = fmax(size, high[j] - low[j]);
    for (int j = 0; j < 3; j++)
        at[j] = j < d ? (mesh->position[n * d + j] - 0.5 * (low[j] + high[j])) / size : 0;
}

/* What holds a node: the Gram matrix of the motions there, at `at` in units of the part's size, along unit vectors. */
static void add_support(sw_fem_kinematics k, int n_motions, const double at[3], int n,
                        const double (*along)[3], double gram[6][6])
{
    for (int v = 0; v < n; v++) {
        double motion[6] = {0};
        for (int a = 0; a < n_motions; a++)
            for (int i = 0; i < sw_fem_components(k); i++)
                motion[a] += along[v][i] * rigid(k, a, i, at);
        for (int a = 0; a < n_motions; a++)
            for (int b = 0; b < n_motions; b++)
                gram[a][b] += motion[a] * motion[b];
    }
}

/* Along which unit vectors an entry of contact holds its node: a tool that touches the body across its surface, with
 * friction every way; one that touches nothing yet, by what holds bodies until it does. Their number. */
static int contact_support(const sw_fem_contact_view *view, int64_t i, int apart, double along[3][3])
{
    const sw_fem_tool *tool = &view->tool[view->tool_of[i]];
    const int d = sw_fem_dimension(view->kinematics);
    double x[3] = {0};
    sw_fem_tool_place at;
    for (int j = 0; j < d; j++)
        x[j] = view->position[(int64_t)view->node[i] * d + j] - tool->point[j];
    sw_fem_tool_find(tool, x, &at);
    if (!apart && !(at.gap < view->slack[i]))
        return 0;
    for (int j = 0; j < 9; j++)
        along[j / 3][j % 3] = j % 4 == 0;
    if (apart || tool->sticks || tool->friction > 0)
        return d;
    for (int j = 0; j < 3; j++)
        along[0][j] = at.normal[j];
    return 1;
}

static int stays_apart(const sw_fem_contact_view *view, int tool)
{
    double along[3][3];
    int apart = 1;
    for (int64_t i = view->first[tool]; i < view->first[tool + 1]; i++)
        apart &= contact_support(view, i, 0, along) == 0;
    return apart;
}

/* The boxes around parts. */
static void measure_parts(const sw_fem_mesh *mesh, int d, int64_t n_parts, const int32_t *part,
                          double (*low)[3], double (*high)[3])
{
    for (int j = 0; j < d && n_parts == 1; j++) {
        double least = INFINITY, most = -INFINITY;
#pragma omp parallel for schedule(static) reduction(min                        \
                                                    : least) reduction(max     \
                                                                       : most) \
    num_threads(sw_threads_for(mesh->n_nodes, LOOK_NS))
        for (int64_t n = 0; n < mesh->n_nodes; n++) {
            least = fmin(least, mesh->position[n * d + j]);
            most = fmax(most, mesh->position[n * d + j]);
        }
        low[0][j] = least;
        high[0][j] = most;
    }
    for (int64_t n = 0; n < mesh->n_nodes && n_parts > 1; n++)
        for (int j = 0; j < d; j++) {
            low[part[n]][j] = fmin(low[part[n]][j], mesh->position[n * d + j]);
            high[part[n]][j] = fmax(high[part[n]][j], mesh->position[n * d + j]);
        }
}

/* Whether some rigid motion of a part leaves all that is prescribed, and what tools hold, at rest: Gauss
 * elimination, with the largest pivot, of the motions' Gram matrix over the part's prescribed unknowns. Lengths in
 * units of the part's size. The motion named is the one that no pivot was left for. */
sw_status sw_fem_check_rigid(const sw_fem *fem)
{
    const sw_fem_problem *p = fem->problem;
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
    measure_parts(mesh, d, n_parts, part, low, high);
    for (int64_t n = 0; n < mesh->n_nodes; n++) {
        double at[3], along[3][3] = {{0}};
        int held = 0;
        for (int i = 0; i < c; i++)
            if (fem->fixed[n * c + i])
                along[held++][i] = 1;
        if (held == 0)
            continue;
        place_in_part(mesh, d, n, low[part[n]], high[part[n]], at);
        add_support(k, n_motions, at, held, (const double(*)[3])along, gram[part[n]]);
    }
    for (int t = 0; t < p->n_tools; t++) {
        const sw_fem_contact_view *view = &fem->contact->view;
        const int apart = stays_apart(view, t);
        for (int64_t i = view->first[t]; i < view->first[t + 1]; i++) {
            const int64_t n = view->node[i];
            double at[3], along[3][3];
            const int held = contact_support(view, i, apart, along);
            place_in_part(mesh, d, n, low[part[n]], high[part[n]], at);
            add_support(k, n_motions, at, held, (const double(*)[3])along, gram[part[n]]);
        }
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

sw_status sw_fem_refuse_element(const sw_fem *fem, int64_t element)
{
    const int64_t label = sw_fem_element_label(fem->problem->mesh, element);
    if (fem->crystals)
        return sw_error(SW_ERR_CONVERGENCE,
                        "element %lld would be turned inside out (det F <= 0), or strained by more than %g "
                        "in one substep",
                        (long long)label, SW_FEM_LARGEST_STEP);
    return sw_error(SW_ERR_CONVERGENCE, "element %lld would be turned inside out (det F <= 0)",
                    (long long)label);
}
