/* Finite element meshes: bodies of cells, sets, faults and parts. */
#include "meshes_of_voxels.h"
#include "online/fem/mesh/lattice.h"

/* ---- Shapes ---- */

/* Faces of the reference element point outwards, and lie in a plane of one coordinate at its end. */
static void test_faces(void **state)
{
    (void)state;
    sw_fem_mesh *mesh[2] = {voxels("box", 1, 1, 1), voxels("box", 1, 1, 0)};
    for (int m = 0; m < 2; m++) {
        const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh[m]->shape];
        const int d = shape->dimension;
        double total[3] = {0};
        assert_int_equal(mesh[m]->n_nodes, shape->n_nodes);
        for (int f = 0; f < shape->n_faces; f++) {
            double at[4][3] = {{0}}, normal[3], middle[3] = {0};
            for (int v = 0; v < shape->n_face_nodes; v++)
                for (int i = 0; i < d; i++) {
                    at[v][i] = mesh[m]->position[mesh[m]->node[shape->face[f][v]] * d + i];
                    middle[i] += at[v][i] / shape->n_face_nodes - 0.5 / shape->n_face_nodes;
                }
            double a[3], b[3] = {0, 0, 1};
            for (int i = 0; i < 3; i++) {
                a[i] = at[1][i] - at[0][i];
                if (d == 3)
                    b[i] = at[3][i] - at[0][i];
            }
            for (int i = 0; i < 3; i++) {
                normal[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
                total[i] += normal[i];
                CHECK_CLOSE(normal[i], 2 * middle[i], 1e-15);
            }
        }
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(total[i], 0, 1e-15);
        CHECK_OK(sw_fem_mesh_check(mesh[m], "box"));
        sw_fem_mesh_free(mesh[m]);
    }
}

/* ---- Bodies ---- */

/* Numbers of elements and nodes that Kiran 2023 gives. */
static const struct {
    const char *body;
    int64_t cells[3], elements, nodes;
} published[] = {
    {"box", {48, 48, 48}, 110592, 117649},
    {"l_bracket", {112, 112, 11}, 103488, 115596},
    {"l_bracket", {142, 143, 14}, 212716, 232200},
    {"l_bracket", {176, 176, 18}, 418176, 448115},
    {"l_bracket", {222, 222, 22}, 813186, 860384},
    {"l_bracket", {278, 278, 28}, 1622964, 1697080},
    {"l_bracket", {312, 313, 31}, 2268084, 2361280},
    {"plate_with_holes", {160, 160, 2}, 50400, 76791},
    {"plate_with_holes", {240, 240, 3}, 170100, 229188},
    {"plate_with_holes", {400, 400, 5}, 787500, 950982},
    {"plate_with_holes", {480, 480, 6}, 1360800, 1595979},
    {"plate_with_holes", {560, 560, 7}, 2160900, 2480776},
    {"cantilever", {227, 30, 30}, 204300, 219108},
    {"cantilever", {356, 48, 48}, 820224, 857157},
    {"cantilever", {448, 60, 60}, 1612800, 1670729},
    {"cantilever", {500, 67, 67}, 2244500, 2316624},
    {"cantilever_with_cutout", {120, 48, 24}, 126144, 136200},
    {"cantilever_with_cutout", {160, 64, 32}, 299008, 316800},
    {"cantilever_with_cutout", {200, 80, 40}, 584000, 611720},
    {"cantilever_with_cutout", {240, 96, 48}, 1009152, 1048992},
    {"cantilever_with_cutout", {280, 112, 56}, 1602496, 1656648},
    {"cantilever_with_cutout", {320, 128, 64}, 2392064, 2462720},
};

static void test_published_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        sw_fem_mesh *mesh =
            voxels(published[i].body, published[i].cells[0], published[i].cells[1], published[i].cells[2]);
        if (mesh->n_elements != published[i].elements || mesh->n_nodes != published[i].nodes)
            fail_msg("%s of %lld cells along x: %lld elements, %lld nodes: need %lld, %lld",
                     published[i].body, (long long)published[i].cells[0], (long long)mesh->n_elements,
                     (long long)mesh->n_nodes, (long long)published[i].elements,
                     (long long)published[i].nodes);
        sw_fem_mesh_free(mesh);
    }
}

/* Area of a surface's faces, m^2, which are rectangles along the axes. */
static double area(const sw_fem_mesh *mesh, const char *name)
{
    const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_SURFACE, name);
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    double sum = 0;
    assert_non_null(set);
    for (int64_t i = 0; i < set->n; i++) {
        const int *face = shape->face[set->member[i] % 8];
        const int32_t *node = mesh->node + (int64_t)(set->member[i] / 8) * shape->n_nodes;
        const double *a = mesh->position + (int64_t)node[face[0]] * 3,
                     *b = mesh->position + (int64_t)node[face[2]] * 3;
        double product = 1; /* of the two sides that are not 0, along axes */
        for (int c = 0; c < 3; c++)
            product *= a[c] != b[c] ? fabs(a[c] - b[c]) : 1;
        sum += product;
    }
    return sum;
}

static void test_lattice(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("l_bracket", 6, 4, 3);
    const sw_fem_lattice *l = mesh->lattice;
    assert_int_equal(mesh->n_elements, (24 - 6) * 3);
    assert_int_equal(mesh->n_nodes, (35 - 6) * 4);
    CHECK_OK(sw_fem_mesh_check(mesh, "l_bracket"));
    int32_t next_node = 0, next_element = 0;
    for (int k = 0; k <= 3; k++)
        for (int j = 0; j <= 4; j++)
            for (int i = 0; i <= 6; i++) {
                const int32_t node = l->node[i + 7 * (j + 5 * k)];
                assert_int_equal(node, i > 3 && j > 2 ? -1 : next_node++);
                if (node < 0)
                    continue;
                CHECK_CLOSE(mesh->position[3 * node], i * l->size[0], 1e-14);
                CHECK_CLOSE(mesh->position[3 * node + 1], j * l->size[1], 1e-14);
                CHECK_CLOSE(mesh->position[3 * node + 2], k * l->size[2], 1e-14);
            }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 6; i++) {
                const int32_t element = l->element[i + 6 * (j + 4 * k)];
                assert_int_equal(element, i >= 3 && j >= 2 ? -1 : next_element++);
                if (element < 0)
                    continue;
                assert_int_equal(mesh->node[8 * element], l->node[i + 7 * (j + 5 * k)]);
                assert_int_equal(mesh->node[8 * element + 6], l->node[i + 1 + 7 * (j + 1 + 5 * (k + 1))]);
            }
    CHECK_CLOSE(area(mesh, "x_min"), 10, 1e-12);
    CHECK_CLOSE(area(mesh, "x_max"), 5, 1e-12);
    CHECK_CLOSE(area(mesh, "y_min"), 10, 1e-12);
    CHECK_CLOSE(area(mesh, "y_max"), 5, 1e-12);
    CHECK_CLOSE(area(mesh, "z_min"), 75, 1e-12);
    CHECK_CLOSE(area(mesh, "z_max"), 75, 1e-12);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "x_max")->n, 3 * 4);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "z_max")->n, 29);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "all")->n, mesh->n_elements);
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_NODES, "all"));
    sw_fem_mesh_free(mesh);
}

static void test_plane_mesh(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("plate_with_holes", 160, 160, 0);
    assert_int_equal(mesh->shape, SW_QUAD4);
    assert_int_equal(mesh->n_elements, 25200);
    assert_int_equal(mesh->n_nodes, 76791 / 3);
    CHECK_OK(sw_fem_mesh_check(mesh, "plate"));
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "y_max")->n, 160);
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "z_max"));
    assert_int_equal(mesh->lattice->n[2], 0);
    const sw_fem_set *right = sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "x_max");
    for (int64_t i = 0; i < right->n; i++)
        for (int v = 0; v < 2; v++) {
            const int local = sw_fem_shapes[SW_QUAD4].face[right->member[i] % 8][v];
            CHECK_CLOSE(mesh->position[2 * mesh->node[4 * (right->member[i] / 8) + local]], 0.08, 1e-17);
        }
    sw_fem_mesh_free(mesh);
}

/* Holes are as many cells wide at each place when their edges fall on half cells. */
static void test_parameters(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    sw_fem_voxels v = {
        .body = "plate_with_holes", .cells = {80, 80, 1}, .fraction = {0.25}, .size = {2, 1, 1}};
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    assert_int_equal(mesh->n_elements, 6400 - 4 * 400);
    CHECK_CLOSE(mesh->lattice->size[0], 2.0 / 80, 0);
    CHECK_CLOSE(mesh->lattice->size[1], 1.0 / 80, 0);
    sw_fem_mesh_free(mesh);
    v = (sw_fem_voxels){
        .body = "cantilever_with_cutout", .cells = {16, 8, 4}, .fraction = {0.5, 0.5, 0.25, 0.25}};
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    assert_int_equal(mesh->n_elements, (128 - 32 - 4 * 2) * 4);
    sw_fem_mesh_free(mesh);
}

static void test_refused_bodies(void **state)
{
    (void)state;
    static const struct {
        sw_fem_voxels v;
        const char *message;
    } refused[] = {
        {{.body = "sphere", .cells = {1, 1, 1}}, "need one of box, l_bracket"},
        {{.cells = {1, 1, 1}}, "need one of box"},
        {{.body = "box", .cells = {0, 1, 1}}, "cells along x = 0: need at least 1"},
        {{.body = "box", .cells = {1, 1, -1}}, "cells along z = -1"},
        {{.body = "box", .cells = {2000, 2000, 2000}}, "at most 268435456"},
        {{.body = "box", .cells = {INT64_MAX, INT64_MAX, 2}}, "at most 268435456"},
        {{.body = "box", .cells = {1, 1, 1}, .size = {1, 1}}, "size along z = 0 m"},
        {{.body = "box", .cells = {1, 1, 1}, .size = {1, NAN, 1}}, "size along y = nan m"},
        {{.body = "box", .cells = {1, 1, 1}, .fraction = {0.5}}, "has 0 parameters"},
        {{.body = "l_bracket", .cells = {4, 4, 1}, .fraction = {1}},
         "arm of body l_bracket = 1: need more than 0"},
        {{.body = "l_bracket", .cells = {4, 4, 1}, .fraction = {NAN}}, "arm of body l_bracket = nan"},
        {{.body = "l_bracket", .cells = {1, 1, 1}}, "leave nothing of it"},
        {{.body = "plate_with_holes", .cells = {4, 4, 1}}, "smaller than a cell"},
        {{.body = "cantilever_with_cutout", .cells = {40, 16, 1}, .fraction = {0.5, 0.5, 0.6, 0.98}},
         "2 parts"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        CHECK_FAILS(sw_fem_voxel_mesh(&refused[i].v, &mesh), SW_ERR_RANGE, refused[i].message);
        assert_null(mesh);
    }
}

/* ---- Sets, faults and parts ---- */

static void test_sets(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("box", 2, 1, 1);
    const int32_t member[] = {5, 3, 5, 0, 3}, bad_node[] = {12}, bad_face[] = {8 + 6};
    CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "some", 5, member));
    const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_NODES, "some");
    assert_int_equal(set->n, 3);
    assert_int_equal(set->member[0], 0);
    assert_int_equal(set->member[1], 3);
    assert_int_equal(set->member[2], 5);
    CHECK_FAILS(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "some", 5, member), SW_ERR_INPUT, "node set some");
    CHECK_FAILS(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "bad", 1, bad_node), SW_ERR_RANGE, "member 12");
    CHECK_FAILS(sw_fem_mesh_add_set(mesh, SW_FEM_SURFACE, "bad", 1, bad_face), SW_ERR_RANGE, "member 14");
    CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_ELEMENTS, "some", 0, NULL));
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "some")->n, 0);
    sw_fem_mesh_free(mesh);
    sw_fem_mesh_free(NULL);
}

static void test_faults(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("box", 2, 1, 1);
    double *at = mesh->position;
    const double kept = at[4];
    at[4] = NAN;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "m: node 2 at (0.5, nan, 0): its coordinates");
    at[4] = kept;
    mesh->node[9] = 0;
    mesh->node[8] = 0;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "m: element 2 at ");
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "names node 1 twice");
    mesh->node[9] = 12;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "its node no. 2 is not of the mesh");
    sw_fem_mesh_free(mesh);

    mesh = voxels("box", 2, 1, 1);
    for (int v = 0; v < 4; v++) { /* upside down */
        const int32_t node = mesh->node[8 + v];
        mesh->node[8 + v] = mesh->node[12 + v];
        mesh->node[12 + v] = node;
    }
    CHECK_FAILS(
        sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT,
        "m: element 2 at (0.75, 0.5, 0.5): Jacobian -0.0625 m^3 at a quadrature point: need more than 0 "
        "(its nodes come in the wrong order");
    sw_fem_mesh_free(mesh);

    mesh = voxels("box", 2, 1, 0);
    mesh->position[0] = 0.6; /* beyond the diagonal of its element */
    mesh->position[1] = 0.9;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "its shape is too distorted");
    sw_fem_mesh_free(mesh);

    mesh = voxels("box", 2, 1, 0);
    mesh->n_elements = 1;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "m: node 3 at (1, 0): belongs to no element");
    mesh->node_label = calloc(6, sizeof *mesh->node_label);
    mesh->node_label[2] = 77;
    CHECK_FAILS(sw_fem_mesh_check(mesh, "m"), SW_ERR_INPUT, "m: node 77 at (1, 0)");
    sw_fem_mesh_free(mesh);
}

/* A row of elements, some taken out, others merged at random: parts as a plain search finds them. */
static void test_parts(void **state)
{
    (void)state;
    enum { SIDE = 30 };
    srand48(3);
    sw_fem_mesh *mesh = voxels("box", SIDE, SIDE, 0);
    int32_t part[(SIDE + 1) * (SIDE + 1)], other[(SIDE + 1) * (SIDE + 1)];
    assert_int_equal(sw_fem_mesh_parts(mesh, part), 1);
    int64_t kept = 0;
    for (int64_t e = 0; e < mesh->n_elements; e++)
        if (drand48() < 0.3)
            memmove(mesh->node + 4 * kept++, mesh->node + 4 * e, 4 * sizeof *mesh->node);
    mesh->n_elements = kept;
    const int64_t count = sw_fem_mesh_parts(mesh, part);
    for (int n = 0; n < mesh->n_nodes; n++)
        other[n] = n;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t i = 0; i < 4 * kept; i++) {
            int32_t *a = &other[mesh->node[i]], *b = &other[mesh->node[i / 4 * 4 + (i + 1) % 4]];
            changed |= *a != *b;
            *a = *b = *a < *b ? *a : *b;
        }
    }
    int32_t next = 0;
    for (int n = 0; n < mesh->n_nodes; n++)
        assert_int_equal(part[n], other[n] == n ? next++ : part[other[n]]);
    assert_int_equal(count, next);
    sw_fem_mesh_free(mesh);
}

/* Cells of a lattice taken out at random: one body or not as elements without a lattice say, nodes of none left out. */
static void test_bodies_of_cells(void **state)
{
    (void)state;
    int64_t ones = 0, many = 0;
    srand48(5);
    for (int t = 0; t < 300; t++) {
        sw_fem_mesh *mesh = voxels("box", 5, 4, t % 3 ? 3 : 0);
        sw_fem_lattice *lattice = mesh->lattice;
        const int corners = t % 3 ? 8 : 4;
        int32_t part[6 * 5 * 4];
        uint8_t used[6 * 5 * 4] = {0};
        int64_t kept = 0;
        for (int64_t e = 0; e < mesh->n_elements; e++) {
            lattice->element[e] = drand48() < 0.2 + 0.6 * (t % 7) / 6 ? (int32_t)kept : -1;
            if (lattice->element[e] >= 0)
                memmove(mesh->node + corners * kept++, mesh->node + corners * e,
                        (size_t)corners * sizeof *mesh->node);
        }
        mesh->n_elements = kept;
        for (int64_t i = 0; i < corners * kept; i++)
            used[mesh->node[i]] = 1;
        mesh->lattice = NULL;
        int64_t parts = sw_fem_mesh_parts(mesh, part);
        mesh->lattice = lattice;
        for (int64_t n = 0; n < mesh->n_nodes; n++)
            parts -= !used[n];
        assert_int_equal(sw_fem_lattice_is_one(lattice->n, lattice->element, kept), parts == 1);
        assert_false(sw_fem_lattice_is_one(lattice->n, lattice->element, kept + 1));
        ones += parts == 1;
        many += parts > 1;
        sw_fem_mesh_free(mesh);
    }
    assert_true(ones > 30 && many > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces),      cmocka_unit_test(test_published_numbers),
        cmocka_unit_test(test_lattice),    cmocka_unit_test(test_plane_mesh),
        cmocka_unit_test(test_parameters), cmocka_unit_test(test_refused_bodies),
        cmocka_unit_test(test_sets),       cmocka_unit_test(test_faults),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_bodies_of_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
