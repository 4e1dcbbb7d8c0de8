/* Bodies with a made-up tangent, and the product by plain loops over sw_fem_element_matrix: for the
 * operators' tests on both devices. Views are written by hand, so nothing but the operators is tested.
 *
 * Dimensions: N nodes, E elements, V nodes of an element, c unknowns of a node, Q = V points. */
#ifndef SW_TESTS_ONLINE_FEM_TEST_OPERATORS_H
#define SW_TESTS_ONLINE_FEM_TEST_OPERATORS_H

#include "tests/test.h"

#include "online/fem/element/element_matrix.h"
#include "online/fem/analysis/choices.h"
#include "online/fem/operators/operators.h"

typedef struct {
    sw_fem_mesh mesh;
    sw_fem_lattice lattice; /* only that there is one, of boxes, matters */
    sw_fem_problem problem;
    sw_fem fem;
    sw_fem_view view;
    int d, c, V;
    double bulk[3], shear[3];
} body;

/* Numbers of one seed (xorshift), -1 .. 1. */
static inline double number(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static inline void *zeros(size_t n, size_t size)
{
    void *pointer = calloc(n + 1, size);
    assert_non_null(pointer);
    return pointer;
}

static inline void shuffle(int64_t n, int32_t *list, uint64_t *seed)
{
    for (int64_t i = 0; i < n; i++)
        list[i] = (int32_t)i;
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = (int64_t)((number(seed) + 1) / 2 * (double)(i + 1)) % (i + 1);
        const int32_t t = list[i];
        list[i] = list[j];
        list[j] = t;
    }
}

/* Each element the first colour that none of its nodes has: at most 64. */
static inline void colour(body *b)
{
    const int64_t E = b->mesh.n_elements;
    uint64_t *used = zeros(b->mesh.n_nodes, sizeof *used);
    uint8_t *colour_of = zeros(E, 1);
    int64_t *first = zeros(66, sizeof *first);
    int32_t *coloured = zeros(E, sizeof *coloured);
    int n = 0;
    for (int64_t e = 0; e < E; e++) {
        uint64_t mask = 0;
        int own = 0;
        for (int a = 0; a < b->V; a++)
            mask |= used[b->mesh.node[e * b->V + a]];
        while (mask >> own & 1)
            own++;
        for (int a = 0; a < b->V; a++)
            used[b->mesh.node[e * b->V + a]] |= (uint64_t)1 << own;
        colour_of[e] = (uint8_t)own;
        n = own >= n ? own + 1 : n;
    }
    int64_t place = 0;
    for (int own = 0; own < n; own++) {
        first[own] = place;
        for (int64_t e = 0; e < E; e++)
            if (colour_of[e] == own)
                coloured[place++] = (int32_t)e;
    }
    first[n] = place;
    free(used);
    free(colour_of);
    b->view.n_colours = n;
    b->view.colour_first = first;
    b->view.coloured = coloured;
}

/* A box of cells without some of them. voxel: a lattice's order; else nodes and elements in any order and
 * nodes moved by up to a fifth of a cell. */
static inline void make_body(body *b, sw_fem_kinematics k, int voxel, int n_materials, int b_bar,
                             const int cells[3])
{
    uint64_t seed = 88172645463325252u;
    *b = (body){
        .lattice = {.boxes = 1}, .d = sw_fem_dimension(k), .c = sw_fem_components(k), .V = sw_fem_corners(k)};
    const int nz = b->d == 3 ? cells[2] : 1, layers = b->d == 3 ? nz + 1 : 1;
    const int lx = cells[0] + 1, ly = cells[1] + 1;
    const int64_t points = (int64_t)lx * ly * layers, boxes = (int64_t)cells[0] * cells[1] * nz;
    int32_t *node_at = zeros(points, sizeof *node_at), *element_at = zeros(boxes, sizeof *element_at);
    int64_t N = 0, E = 0;
    memset(node_at, -1, points * sizeof *node_at);
    /* Cells that stay, and the points they touch. */
    for (int z = 0, i = 0; z < nz; z++)
        for (int y = 0; y < cells[1]; y++)
            for (int x = 0; x < cells[0]; x++, i++) {
                const int hole = x > 1 && x < 4 && y > 1 && y < 4;
                element_at[i] = hole ? -1 : (int32_t)E++;
                for (int q = 0; !hole && q < b->V; q++)
                    node_at[((z + (q >> 2)) * ly + y + (q >> 1 & 1)) * lx + x + (q & 1)] = 0;
            }
    for (int64_t i = 0; i < points; i++)
        if (node_at[i] == 0)
            node_at[i] = (int32_t)N++;
    int32_t *node_order = zeros(N, sizeof *node_order), *element_order = zeros(E, sizeof *element_order);
    shuffle(N, node_order, &seed);
    shuffle(E, element_order, &seed);
    double *position = zeros(N * b->d, sizeof *position);
    int32_t *node = zeros(E * b->V, sizeof *node);
    uint8_t *material = zeros(E, 1);
    const double size[3] = {1.0, 0.8, 1.3}, origin[3] = {2, -1, 0.5};
    for (int64_t i = 0; i < points; i++) {
        const int at[3] = {(int)(i % lx), (int)(i / lx % ly), (int)(i / lx / ly)};
        for (int j = 0; node_at[i] >= 0 && j < b->d; j++) {
            const int64_t n = voxel ? node_at[i] : node_order[node_at[i]];
            position[n * b->d + j] = origin[j] + size[j] * (at[j] + (voxel ? 0 : 0.2 * number(&seed)));
        }
    }
    for (int64_t i = 0; i < boxes; i++) {
        if (element_at[i] < 0)
            continue;
        const int at[3] = {(int)(i % cells[0]), (int)(i / cells[0] % cells[1]),
                           (int)(i / cells[0] / cells[1])};
        const int64_t e = voxel ? element_at[i] : element_order[element_at[i]];
        material[e] = (uint8_t)(at[0] * 2 / cells[0] % n_materials);
        for (int a = 0; a < b->V; a++) {
            const int q = sw_fem_corner(a);
            const int32_t n =
                node_at[((at[2] + (q >> 2)) * ly + at[1] + (q >> 1 & 1)) * lx + at[0] + (q & 1)];
            node[e * b->V + a] = voxel ? n : node_order[n];
        }
    }
    free(node_at);
    free(element_at);
    free(node_order);
    free(element_order);
    b->mesh = (sw_fem_mesh){.shape = b->d == 3 ? SW_HEX8 : SW_QUAD4,
                            .n_nodes = N,
                            .n_elements = E,
                            .position = position,
                            .node = node,
                            .lattice = voxel ? &b->lattice : NULL};
    b->problem = (sw_fem_problem){.mesh = &b->mesh,
                                  .kinematics = k,
                                  .b_bar = b_bar ? SW_FEM_B_BAR_YES : SW_FEM_B_BAR_NO,
                                  .thickness = 0.7,
                                  .n_materials = n_materials,
                                  .material_of = material};
    b->fem = (sw_fem){.problem = &b->problem,
                      .dimension = b->d,
                      .components = b->c,
                      .corners = b->V,
                      .n_nodes = N,
                      .n_elements = E,
                      .n_unknowns = N * b->c};
    b->view = (sw_fem_view){.kinematics = k,
                            .b_bar = b_bar,
                            .thickness = 0.7,
                            .n_nodes = N,
                            .n_elements = E,
                            .position = position,
                            .node = node,
                            .material_of = material,
                            .bulk = b->bulk,
                            .shear = b->shear};
    for (int m = 0; m < 3; m++) {
        const double young = 2.0 + m, poisson = 0.3 - 0.05 * m;
        b->bulk[m] = young / (3 * (1 - 2 * poisson));
        b->shear[m] = k == SW_FEM_HEAT ? young / 2 : young / (2 * (1 + poisson));
        if (k == SW_FEM_HEAT)
            b->bulk[m] = young / 3;
    }
    colour(b);
    b->view.slot = memset(zeros(E, 4), -1, E * 4);
    b->view.plastic = zeros(E, 4);
    b->view.tangent = zeros(1, 8);
}

static inline void free_body(body *b)
{
    free(b->mesh.position);
    free(b->mesh.node);
    free((void *)b->problem.material_of);
    free((void *)b->view.colour_first);
    free((void *)b->view.coloured);
    free((void *)b->view.slot);
    free((void *)b->view.plastic);
    free((void *)b->view.tangent);
}

/* So many of the elements plastic, with ratios in 0.05 .. 1 and any flow, some of the other sign. A flow as
 * large as this leaves no definite matrix, which no operator cares about. */
static inline void make_plastic(body *b, double fraction, uint64_t seed)
{
    const int64_t E = b->mesh.n_elements;
    const int Q = b->V;
    int32_t *slot = (int32_t *)b->view.slot, *plastic = (int32_t *)b->view.plastic;
    int64_t n = 0;
    for (int64_t e = 0; e < E; e++) {
        slot[e] = (number(&seed) + 1) / 2 < fraction ? (int32_t)n : -1;
        if (slot[e] >= 0)
            plastic[n++] = (int32_t)e;
    }
    free((void *)b->view.tangent);
    double *tangent = zeros(6 * Q * n, sizeof *tangent);
    for (int64_t i = 0; i < Q * n; i++) {
        const double sign = number(&seed) < -0.8 ? -1 : 1;
        tangent[i] = sign * (0.05 + 0.95 * (number(&seed) + 1) / 2);
        for (int j = 1; j < 6; j++)
            tangent[j * Q * n + i] = b->problem.kinematics == SW_FEM_HEAT ? 0 : 0.5 * number(&seed);
    }
    b->view.n_plastic = n;
    b->view.tangent = tangent;
}

static inline double *random_vector(const body *b, uint64_t seed)
{
    double *p = zeros(b->fem.n_unknowns, sizeof *p);
    for (int64_t i = 0; i < b->fem.n_unknowns; i++)
        p[i] = number(&seed);
    return p;
}

/* The matrix of an element [V c][V c], through a function: the kinematics must be a constant. */
static inline void matrix_of(const body *b, int64_t e, double *matrix)
{
    SW_FEM_WITH(b->problem.kinematics, sw_fem_element_matrix, &b->view, e, matrix);
}

static inline void reference_product(const body *b, const double *p, double *g)
{
    const int W = b->V * b->c;
    memset(g, 0, b->fem.n_unknowns * sizeof *g);
    for (int64_t e = 0; e < b->mesh.n_elements; e++) {
        double matrix[SW_FEM_MOST_WIDTH * SW_FEM_MOST_WIDTH];
        const int32_t *node = b->mesh.node + e * b->V;
        matrix_of(b, e, matrix);
        for (int i = 0; i < W; i++)
            for (int j = 0; j < W; j++)
                g[(int64_t)node[i / b->c] * b->c + i % b->c] +=
                    matrix[i * W + j] * p[(int64_t)node[j / b->c] * b->c + j % b->c];
    }
}

/* A row sums up to 27 c products of entries that are sums of eight points', in any order: some hundred
 * roundings of 1e-16 at most, of terms not much larger than the largest result. */
static inline void check_product(const body *b, const double *g, const double *expected, const char *what)
{
    double largest = 0;
    for (int64_t i = 0; i < b->fem.n_unknowns; i++)
        largest = greatest(largest, fabs(expected[i]));
    for (int64_t i = 0; i < b->fem.n_unknowns; i++)
        if (!(fabs(g[i] - expected[i]) <= 1e-12 * largest))
            fail_msg("%s: unknown %lld: %.17g, need %.17g", what, (long long)i, g[i], expected[i]);
}

/* Everything that is tested: kinematics, voxels or not, materials, B-bar. */
typedef struct {
    sw_fem_kinematics kinematics;
    int voxel, n_materials, b_bar;
} sw_fem_test_case;
static const sw_fem_test_case test_cases[] = {
    {SW_FEM_SOLID, 1, 1, 0},        {SW_FEM_SOLID, 1, 2, 0},        {SW_FEM_SOLID, 1, 1, 1},
    {SW_FEM_SOLID, 0, 2, 0},        {SW_FEM_SOLID, 0, 1, 1},        {SW_FEM_PLANE_STRESS, 1, 1, 0},
    {SW_FEM_PLANE_STRESS, 0, 2, 0}, {SW_FEM_PLANE_STRAIN, 1, 2, 1}, {SW_FEM_PLANE_STRAIN, 0, 1, 0},
    {SW_FEM_AXISYMMETRIC, 1, 1, 0}, {SW_FEM_AXISYMMETRIC, 0, 2, 1}, {SW_FEM_HEAT, 1, 1, 0},
    {SW_FEM_HEAT, 1, 2, 0},         {SW_FEM_HEAT, 0, 2, 0},
};
enum { N_TEST_CASES = sizeof test_cases / sizeof *test_cases };

/* Tangents one after the other: growth, all, none, and elements that are plastic no longer. */
static const struct {
    double fraction;
    uint64_t seed;
} test_tangents[] = {{0, 1}, {0.3, 2}, {0.3, 3}, {1, 4}, {0.1, 5}, {0, 6}, {0.5, 7}};
enum { N_TEST_TANGENTS = sizeof test_tangents / sizeof *test_tangents };

/* ---- True voxel meshes: what `points` walks ---- */

static const struct {
    const char *name;
    int64_t cells[3];
    int n_materials, b_bar;
    sw_fem_kinematics kinematics;
} voxel_cases[] = {
    {"box", {1, 1, 1}, 1, 0, SW_FEM_SOLID},
    {"box", {40, 1, 1}, 2, 0, SW_FEM_SOLID},
    {"box", {3, 9, 4}, 3, 1, SW_FEM_SOLID},
    {"box", {31, 7, 12}, 1, 0, SW_FEM_SOLID},
    {"box", {32, 8, 11}, 2, 1, SW_FEM_SOLID},
    {"l_bracket", {67, 34, 5}, 1, 1, SW_FEM_SOLID},
    {"l_bracket", {34, 67, 9}, 3, 0, SW_FEM_SOLID},
    {"box", {4, 5, 70}, 1, 0, SW_FEM_SOLID},
    {"l_bracket", {11, 7, 0}, 2, 0, SW_FEM_PLANE_STRESS},
    {"box", {9, 8, 0}, 2, 1, SW_FEM_PLANE_STRAIN},
    {"l_bracket", {11, 7, 0}, 2, 1, SW_FEM_AXISYMMETRIC},
    {"box", {9, 8, 0}, 2, 0, SW_FEM_HEAT},
};
enum { N_VOXEL_CASES = sizeof voxel_cases / sizeof *voxel_cases };

static inline sw_fem_mesh *make_voxel_body(body *b, int i)
{
    const sw_fem_kinematics k = voxel_cases[i].kinematics;
    const sw_fem_voxels voxels = {
        .body = voxel_cases[i].name,
        .cells = {voxel_cases[i].cells[0], voxel_cases[i].cells[1], voxel_cases[i].cells[2]},
        .size = {1.1, 0.7, k == SW_FEM_SOLID ? 0.9 : 0}};
    sw_fem_mesh *mesh;
    int64_t *first;
    int32_t *coloured;
    CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    const size_t E = (size_t)mesh->n_elements;
    uint8_t *material_of = zeros(E, 1);
    for (size_t e = 0; e < E; e++)
        material_of[e] = (uint8_t)(e / 3 % (size_t)voxel_cases[i].n_materials);
    *b = (body){.mesh = *mesh, .d = sw_fem_dimension(k), .c = sw_fem_components(k), .V = sw_fem_corners(k)};
    b->problem = (sw_fem_problem){.mesh = &b->mesh,
                                  .kinematics = k,
                                  .b_bar = voxel_cases[i].b_bar ? SW_FEM_B_BAR_YES : SW_FEM_B_BAR_NO,
                                  .thickness = 0.7,
                                  .n_materials = voxel_cases[i].n_materials,
                                  .material_of = material_of};
    b->fem = (sw_fem){.problem = &b->problem,
                      .dimension = b->d,
                      .components = b->c,
                      .corners = b->V,
                      .n_nodes = mesh->n_nodes,
                      .n_elements = mesh->n_elements,
                      .n_unknowns = mesh->n_nodes * b->c};
    for (int m = 0; m < 3; m++) {
        const double young = 2 + m, poisson = 0.3 - 0.05 * m;
        b->bulk[m] = k == SW_FEM_HEAT ? young / 3 : young / (3 * (1 - 2 * poisson));
        b->shear[m] = k == SW_FEM_HEAT ? young / 2 : young / (2 * (1 + poisson));
    }
    b->view = (sw_fem_view){.kinematics = k,
                            .b_bar = b->problem.b_bar == SW_FEM_B_BAR_YES,
                            .thickness = b->problem.thickness,
                            .n_nodes = mesh->n_nodes,
                            .n_elements = mesh->n_elements,
                            .position = mesh->position,
                            .node = mesh->node,
                            .material_of = material_of,
                            .bulk = b->bulk,
                            .shear = b->shear};
    CHECK_OK(sw_fem_colour(mesh, &b->view.n_colours, &first, &coloured));
    int32_t *slot = zeros(E, sizeof *slot);
    memset(slot, -1, E * sizeof *slot);
    b->view.colour_first = first;
    b->view.coloured = coloured;
    b->view.slot = slot;
    b->view.plastic = zeros(E, sizeof(int32_t));
    b->view.tangent = zeros(1, sizeof(double));
    return mesh;
}

static inline void free_voxel_body(body *b, sw_fem_mesh *mesh)
{
    free((void *)b->problem.material_of);
    free((void *)b->view.colour_first);
    free((void *)b->view.coloured);
    free((void *)b->view.slot);
    free((void *)b->view.plastic);
    free((void *)b->view.tangent);
    sw_fem_mesh_free(mesh);
}

#endif
