/* Meshes made by hand and analyses of them: for the tests of the finite elements.
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, V nodes (and points) of an element, L load cases. */
#ifndef SW_TESTS_ONLINE_FEM_MESHES_H
#define SW_TESTS_ONLINE_FEM_MESHES_H

#include <omp.h>

#include "tests/test.h"

#include "online/fem/element/element.h"
#include "online/fem/law/law.h"
#include "online/fem/mesh/mesh.h"
#include "online/fem/operators/operators.h"

enum { BUILT_OPERATORS = SW_HAS_PAPERS ? SW_FEM_OPERATORS : SW_FEM_OPERATORS_OF_PAPERS }; /* of this build */

#define PI 3.14159265358979323846

static inline void *zeros(int64_t n, size_t size)
{
    void *pointer = calloc((size_t)n + 1, size);
    assert_non_null(pointer);
    return pointer;
}

/* Numbers of one seed (xorshift), -1 .. 1. */
static inline double number(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* ---- Mapped grids ---- */

/* Where the point at fractions `at` of the grid is, m. */
typedef void fem_map(const void *context, const double at[3], double position[3]);

/* A grid of cells (cells[2] = 0: quad4), mapped; not a voxel mesh. Inner nodes are moved by up to `distort`
 * of a cell, before the map. Node sets and surfaces x_min, x_max, ... of the grid's sides, element set all.
 */
static inline sw_fem_mesh *fem_grid(const int cells[3], double distort, fem_map *map, const void *context)
{
    const int d = cells[2] > 0 ? 3 : 2, V = 1 << d;
    const int n[3] = {cells[0] + 1, cells[1] + 1, d == 3 ? cells[2] + 1 : 1};
    const int64_t N = (int64_t)n[0] * n[1] * n[2], E = (int64_t)cells[0] * cells[1] * (d == 3 ? cells[2] : 1);
    sw_fem_mesh *mesh = zeros(1, sizeof *mesh);
    int32_t *member = zeros(N + E, sizeof *member);
    uint64_t seed = 88172645463325252u;
    *mesh = (sw_fem_mesh){.shape = d == 3 ? SW_HEX8 : SW_QUAD4,
                          .n_nodes = N,
                          .n_elements = E,
                          .position = zeros(N * d, sizeof(double)),
                          .node = zeros(E * V, sizeof(int32_t))};
    for (int64_t i = 0; i < N; i++) {
        const int64_t ijk[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        double at[3] = {0}, position[3] = {0};
        int inner = 1;
        for (int j = 0; j < d; j++)
            inner &= ijk[j] > 0 && ijk[j] < cells[j];
        for (int j = 0; j < d; j++)
            at[j] = ((double)ijk[j] + (inner ? distort * number(&seed) : 0)) / cells[j];
        if (map)
            map(context, at, position);
        else
            memcpy(position, at, sizeof at);
        memcpy(mesh->position + i * d, position, (size_t)d * sizeof *position);
    }
    const int64_t step[3] = {1, n[0], (int64_t)n[0] * n[1]};
    for (int64_t e = 0; e < E; e++) {
        const int64_t first =
            e % cells[0] + e / cells[0] % cells[1] * step[1] + e / cells[0] / cells[1] * step[2];
        for (int a = 0; a < V; a++) {
            const int q = sw_fem_corner(a);
            mesh->node[e * V + a] = (int32_t)(first + (q & 1) + (q >> 1 & 1) * step[1] + (q >> 2) * step[2]);
        }
    }
    for (int side = 0; side < 2 * d; side++) {
        static const char *const names[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
        static const int edges[] = {3, 1, 0, 2}, faces[] = {5, 3, 2, 4, 0, 1}; /* as in sw_fem_shapes */
        const int j = side / 2;
        int64_t count = 0;
        for (int64_t i = 0; i < N; i++)
            if (i / step[j] % n[j] == (side & 1 ? cells[j] : 0))
                member[count++] = (int32_t)i;
        CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, names[side], count, member));
        count = 0;
        for (int64_t e = 0; e < E; e++) {
            const int64_t ijk[3] = {e % cells[0], e / cells[0] % cells[1], e / cells[0] / cells[1]};
            if (ijk[j] == (side & 1 ? cells[j] - 1 : 0))
                member[count++] = (int32_t)(8 * e + (d == 3 ? faces[side] : edges[side]));
        }
        CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_SURFACE, names[side], count, member));
    }
    for (int64_t e = 0; e < E; e++)
        member[e] = (int32_t)e;
    CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, "all", E, member));
    free(member);
    CHECK_OK(sw_fem_mesh_check(mesh, "grid"));
    return mesh;
}

/* ---- A body: mesh, supports and loads ---- */

enum {
    FEM_MOST_CASES = 3,
    FEM_MOST_TOOLS = 2,
    FEM_MORE = 3 /* nodes: of tools, or of a periodic body's mean */
};
typedef struct {
    sw_fem_mesh *mesh; /* its own */
    sw_fem_problem problem;
    sw_fem_material material;
    sw_fem_case load[FEM_MOST_CASES];
    sw_fem_tool tool[FEM_MOST_TOOLS];
    const sw_fem_set *touched[FEM_MOST_TOOLS][2]; /* surfaces of tools */
    sw_fem_options options;
    int d, c, V;
    int64_t N, E;
} fem_body;

/* Tolerances for results to round-off. In place: the problem points into it. */
static inline void fem_make(fem_body *b, sw_fem_mesh *mesh, sw_fem_kinematics k, int b_bar,
                            sw_fem_material material)
{
    *b = (fem_body){.mesh = mesh,
                    .material = material,
                    .d = sw_fem_dimension(k),
                    .c = sw_fem_components(k),
                    .V = sw_fem_corners(k),
                    .N = mesh->n_nodes,
                    .E = mesh->n_elements};
    b->problem = (sw_fem_problem){.mesh = mesh,
                                  .kinematics = k,
                                  .b_bar = b_bar ? SW_FEM_B_BAR_YES : SW_FEM_B_BAR_NO,
                                  .thickness = 1,
                                  .n_materials = 1,
                                  .material = &b->material,
                                  .n_cases = 1,
                                  .load = b->load};
    for (int l = 0; l < FEM_MOST_CASES; l++) {
        const int64_t n = (b->N + FEM_MORE) * b->c;
        b->load[l].dof = zeros(n, sizeof *b->load[l].dof);
        b->load[l].value = zeros(n, sizeof *b->load[l].value);
        b->load[l].force = zeros(n, sizeof *b->load[l].force);
    }
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.preconditioner = sw_fem_has_boxes(mesh) ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI;
    b->options.tolerance = 1e-12;
    b->options.linear_tolerance = 1e-13;
}

static inline void fem_free(fem_body *b)
{
    for (int l = 0; l < FEM_MOST_CASES; l++) {
        free(b->load[l].dof);
        free(b->load[l].value);
        free(b->load[l].force);
    }
    sw_fem_mesh_free(b->mesh);
}

static inline const sw_fem_set *fem_nodes(const fem_body *b, const char *name)
{
    const sw_fem_set *set = sw_fem_mesh_set(b->mesh, SW_FEM_NODES, name);
    assert_non_null(set);
    return set;
}

static inline const sw_fem_set *fem_surface(const fem_body *b, const char *name)
{
    const sw_fem_set *set = sw_fem_mesh_set(b->mesh, SW_FEM_SURFACE, name);
    assert_non_null(set);
    return set;
}

/* Prescribe one unknown in case l, whose list stays ascending. */
static inline void fem_fix(fem_body *b, int l, int64_t node, int component, double value)
{
    sw_fem_case *load = &b->load[l];
    const int64_t dof = node * b->c + component;
    int64_t i = load->n_fixed;
    while (i > 0 && load->dof[i - 1] >= dof)
        i--;
    if (i == load->n_fixed || load->dof[i] != dof) {
        memmove(load->dof + i + 1, load->dof + i, (size_t)(load->n_fixed - i) * sizeof *load->dof);
        memmove(load->value + i + 1, load->value + i, (size_t)(load->n_fixed - i) * sizeof *load->value);
        load->n_fixed++;
    }
    load->dof[i] = dof;
    load->value[i] = value;
}

static inline void fem_fix_set(fem_body *b, int l, const char *name, int component, double value)
{
    const sw_fem_set *set = fem_nodes(b, name);
    for (int64_t i = 0; i < set->n; i++)
        fem_fix(b, l, set->member[i], component, value);
}

/* A tool that meets one surface of the body, or two; unknown i of it is prescribed in case l to be move [i], unless
 * that is NaN. Its number. */
static inline int fem_add_tool(fem_body *b, sw_fem_tool tool, const char *surface, const char *other, int l,
                               const double *move)
{
    const int t = b->problem.n_tools++;
    b->touched[t][0] = fem_surface(b, surface);
    b->touched[t][1] = other ? fem_surface(b, other) : NULL;
    tool.n_surfaces = other ? 2 : 1;
    tool.surface = b->touched[t];
    b->tool[t] = tool;
    b->problem.tool = b->tool;
    for (int i = 0; i < b->c; i++)
        if (!isnan(move[i]))
            fem_fix(b, l, b->N + t, i, move[i]);
    return t;
}

/* ---- An analysis and all it can tell ---- */

typedef struct {
    sw_fem *fem;
    sw_fem_report report;
    double increment;
    double *u, *force;            /* [N + T + M][c] */
    double (*point_stress)[6];    /* [E][V] */
    double *point_plastic_strain; /* [E][V] */
    double (*stress)[6], *plastic_strain;
    uint8_t *plastic;
    double factor[FEM_MOST_CASES];
} fem_run;

static inline void fem_open(const fem_body *b, fem_run *r)
{
    *r = (fem_run){.increment = 1};
    CHECK_OK(sw_fem_open(&b->problem, &b->options, &r->fem));
    r->u = zeros((b->N + FEM_MORE) * b->c, sizeof *r->u);
    r->force = zeros((b->N + FEM_MORE) * b->c, sizeof *r->force);
    r->point_stress = zeros(b->E * b->V, sizeof *r->point_stress);
    r->point_plastic_strain = zeros(b->E * b->V, sizeof *r->point_plastic_strain);
    r->stress = zeros(b->E, sizeof *r->stress);
    r->plastic_strain = zeros(b->E, sizeof *r->plastic_strain);
    r->plastic = zeros(b->E, 1);
}

static inline void fem_read(fem_run *r)
{
    const sw_fem_fields out = {.displacement = r->u,
                               .force = r->force,
                               .stress = r->stress,
                               .plastic_strain = r->plastic_strain,
                               .plastic = r->plastic,
                               .point_stress = r->point_stress,
                               .point_plastic_strain = r->point_plastic_strain,
                               .factor = r->factor};
    CHECK_OK(sw_fem_read(r->fem, &out));
}

/* To one factor of all cases. */
static inline void fem_load(const fem_body *b, fem_run *r, double factor)
{
    const double all[FEM_MOST_CASES] = {factor, factor, factor};
    (void)b;
    CHECK_OK(sw_fem_advance(r->fem, all, &r->increment, &r->report));
    fem_read(r);
}

static inline void fem_close(fem_run *r)
{
    sw_fem_close(r->fem);
    free(r->u);
    free(r->force);
    free(r->point_stress);
    free(r->point_plastic_strain);
    free(r->stress);
    free(r->plastic_strain);
    free(r->plastic);
}

/* ---- A state to go on from ---- */

static inline sw_fem_state fem_new_state(const fem_body *b)
{
    const int64_t n = (b->N + FEM_MORE) * b->c, contact = sw_fem_tool_nodes(&b->problem);
    const sw_fem_crystal_count count = sw_fem_crystal_counts(&b->problem);
    return (sw_fem_state){.displacement = zeros(n, sizeof(double)),
                          .points = zeros(b->E * b->V, sizeof(sw_fem_point)),
                          .yielded = zeros(b->E * b->V, 1),
                          .contact = zeros(contact, sizeof(sw_fem_contact_point)),
                          .factor = zeros(FEM_MOST_CASES, sizeof(double)),
                          .last = zeros(n, sizeof(double)),
                          .last_factor = zeros(FEM_MOST_CASES, sizeof(double)),
                          .crystal_points = zeros(count.points, sizeof(sw_fem_crystal_point)),
                          .crystal = zeros(count.crystals, sizeof(sw_crystal)),
                          .kept = zeros(count.kept, sizeof(double))};
}

static inline void fem_free_state(sw_fem_state *state)
{
    free(state->displacement);
    free(state->points);
    free(state->yielded);
    free(state->contact);
    free(state->factor);
    free(state->last);
    free(state->last_factor);
    free(state->crystal_points);
    free(state->crystal);
    free(state->kept);
}

/* Opened: four increments, and the last two of them on two threads after a restart from what was saved. */
static inline void fem_restart(const fem_body *b, fem_run *whole, fem_run *second)
{
    fem_run first;
    fem_open(b, whole);
    for (int i = 1; i <= 4; i++)
        fem_load(b, whole, 0.03 * i);
    fem_open(b, &first);
    for (int i = 1; i <= 2; i++)
        fem_load(b, &first, 0.03 * i);
    sw_fem_state saved = fem_new_state(b);
    CHECK_OK(sw_fem_save(first.fem, &saved));
    omp_set_num_threads(2);
    fem_open(b, second);
    CHECK_OK(sw_fem_restore(second->fem, &saved));
    second->increment = first.increment;
    for (int i = 3; i <= 4; i++)
        fem_load(b, second, 0.03 * i);
    omp_set_num_threads(1);
    fem_free_state(&saved);
    fem_close(&first);
}

/* ---- At a point of an element ---- */

/* Its place, and there the values of a nodal field [N][width], width <= 3. */
static inline double fem_at_point(const fem_body *b, int64_t e, int q, const double *field, int width,
                                  double position[3], double *value)
{
    const int32_t *node = b->mesh->node + e * b->V;
    const sw_fem_kinematics k = b->problem.kinematics;
    double x[3][8], at[8];
    sw_fem_place place;
    for (int j = 0; j < 3; j++)
        position[j] = 0;
    for (int j = 0; field && j < width; j++)
        value[j] = 0;
    for (int a = 0; a < b->V; a++) {
        double shape = 1;
        for (int j = 0; j < b->d; j++)
            shape *= ((sw_fem_corner(a) ^ q) >> j & 1) ? (1 - SW_FEM_GAUSS) / 2 : (1 + SW_FEM_GAUSS) / 2;
        for (int j = 0; j < b->d; j++)
            position[j] += shape * b->mesh->position[(int64_t)node[a] * b->d + j];
        for (int j = 0; field && j < width; j++)
            value[j] += shape * field[(int64_t)node[a] * width + j];
    }
    for (int j = 0; j < b->d; j++) {
        for (int a = 0; a < b->V; a++)
            at[a] = b->mesh->position[(int64_t)node[a] * b->d + j];
        sw_fem_coefficients(b->d, at, x[j]);
    }
    sw_fem_locate(k, q, (const double(*)[8])x, b->problem.thickness, &place);
    return place.volume;
}

static inline double fem_von_mises(const double s[6])
{
    const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* Sum of a component of the internal forces over a node set. */
static inline double fem_resultant(const fem_body *b, const fem_run *r, const char *set, int component)
{
    const sw_fem_set *nodes = fem_nodes(b, set);
    double sum = 0;
    for (int64_t i = 0; i < nodes->n; i++)
        sum += r->force[(int64_t)nodes->member[i] * b->c + component];
    return sum;
}

#endif
