/* Finite element meshes: bodies of cells, sets, faults, and files of Gmsh and Abaqus. */
#include "tests/test.h"

#include <unistd.h>

#include "online/fem/mesh/mesh.h"

/* libgmsh leaks what it had read of a file that it refuses. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libgmsh\n"; }

/* Whatever fails says so with this text in its message. */
#define CHECK_FAILS(expression, code, part)                                                     \
    do {                                                                                        \
        const sw_status status_ = (expression);                                                 \
        if (status_ != (code) || strstr(sw_error_message(), (part)) == NULL)                    \
            fail_msg("%s: %s (%s): need %s, '%s'", #expression, sw_status_text(status_),        \
                     status_ == SW_OK ? "" : sw_error_message(), sw_status_text(code), (part)); \
    } while (0)

static sw_fem_mesh *voxels(const char *body, int64_t x, int64_t y, int64_t z)
{
    const sw_fem_voxels v = {.body = body, .cells = {x, y, z}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    return mesh;
}

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

/* ---- Files ---- */

static char folder[] = "/tmp/slipwave-mesh-XXXXXX", path[128];

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static void write_bytes(const char *name, const char *text, size_t n)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static sw_status read_bytes(const char *name, const char *text, size_t n, sw_fem_mesh **mesh)
{
    write_bytes(name, text, n);
    const sw_status status = sw_fem_mesh_read(path, mesh);
    if (status != SW_OK)
        assert_null(*mesh);
    remove(path);
    return status;
}

static sw_status read_text(const char *name, const char *text, sw_fem_mesh **mesh)
{
    return read_bytes(name, text, strlen(text), mesh);
}

/* A set is these members, given as text. */
static void check_set(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, const char *members)
{
    const sw_fem_set *set = sw_fem_mesh_set(mesh, kind, name);
    char text[256] = "";
    if (set == NULL)
        fail_msg("no set %s", name);
    for (int64_t i = 0; i < set->n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), i > 0 ? " %d" : "%d", set->member[i]);
    if (strcmp(text, members) != 0)
        fail_msg("set %s is %s: need %s", name, text, members);
}

/* Two cubes along x; labels with gaps, in no order; continuation lines; every way to write a set. */
static const char cubes[] = "** two cubes\n"
                            "*Heading\n"
                            "anything, 1, 2\n"
                            "*NODE, nset=Nodes\n"
                            "10, 0, 0, 0\n"
                            "20, 1, 0, 0\n"
                            "30, 2., 0\n"
                            "11, 0, 1, 0\n"
                            "21, 1, 1,\n"
                            "31, 2.0e0, 1, 0\n"
                            "\n"
                            "110, 0, 0, 1\n"
                            "120, 1, 0, 1\r\n"
                            "130, 2, 0, 1\n"
                            "111, 0, 1, 1\n"
                            "121, 1, 1, 1\n"
                            "131, 2, 1, 1\n"
                            "*element, type=c3d8r,\n"
                            "  elset=Left\n"
                            "7, 10, 20, 21, 11,\n"
                            "110, 120, 121, 111\n"
                            "*ELEMENT, TYPE=C3D8\n"
                            "3, 20, 30, 31, 21, 120, 130, 131, 121\n"
                            "*ELEMENT, TYPE=CPS4, ELSET=outside\n"
                            "90, 10, 11, 111, 110\n"
                            "91, 130, 30, 31, 131\n"
                            "*ELEMENT, TYPE=CPS4, ELSET=between\n"
                            "92, 20, 21, 121, 120\n"
                            "*ELEMENT, TYPE=T3D2, ELSET=edge\n"
                            "93, 10, 20\n"
                            "*ELSET, ELSET=Both\n"
                            "LEFT, 3\n"
                            "*NSET, NSET=low, GENERATE\n"
                            "10, 30, 10\n"
                            "11, 11\n"
                            "*NSET, NSET=more\n"
                            "LOW, 131,\n"
                            "*nset, nset=More\n"
                            "130\n"
                            "*NSET, NSET=of_left, ELSET=left\n"
                            "*SURFACE, NAME=ends\n"
                            "left, S6\n"
                            "3, s4\n"
                            "*SURFACE, NAME=points, TYPE=NODE\n"
                            "low, 1.0\n"
                            "*MATERIAL, NAME=steel\n"
                            "*ELASTIC\n"
                            "2e11, 0.3\n"
                            "*STEP\n"
                            "*NODE PRINT, NSET=low\n"
                            "U\n"
                            "*END STEP\n";

static void test_inp(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(read_text("cubes.INP", cubes, &mesh));
    assert_int_equal(mesh->shape, SW_HEX8);
    assert_int_equal(mesh->n_nodes, 12);
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(mesh->element_label[0], 7);
    assert_int_equal(mesh->element_label[1], 3);
    assert_int_equal(mesh->node_label[3], 11);
    assert_int_equal(mesh->node[0], 0);
    assert_int_equal(mesh->node[2], 4);
    assert_int_equal(mesh->node[8], 1);
    CHECK_CLOSE(mesh->position[3 * 5], 2, 0);
    CHECK_CLOSE(mesh->position[3 * 5 + 1], 1, 0);
    assert_null(mesh->lattice);
    check_set(mesh, SW_FEM_NODES, "Nodes", "0 1 2 3 4 5 6 7 8 9 10 11");
    check_set(mesh, SW_FEM_ELEMENTS, "Left", "0");
    check_set(mesh, SW_FEM_ELEMENTS, "Both", "0 1");
    check_set(mesh, SW_FEM_ELEMENTS, "all", "0 1");
    check_set(mesh, SW_FEM_NODES, "low", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "more", "0 1 2 3 8 11");
    check_set(mesh, SW_FEM_NODES, "of_left", "0 1 3 4 6 7 9 10");
    check_set(mesh, SW_FEM_NODES, "points", "0 1 2 3");
    check_set(mesh, SW_FEM_SURFACE, "ends", "5 11");
    check_set(mesh, SW_FEM_SURFACE, "outside", "5 11");
    check_set(mesh, SW_FEM_NODES, "outside", "0 2 3 5 6 8 9 11");
    check_set(mesh, SW_FEM_SURFACE, "between", "3 13");
    check_set(mesh, SW_FEM_NODES, "edge", "0 1");
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, "outside"));
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "edge"));
    sw_fem_mesh_free(mesh);
}

static void test_inp_plane(void **state)
{
    (void)state;
    static const char *const type[] = {"CPS4", "CPE4R", "CAX4", "DC2D4", "cps4i"};
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        char text[512];
        sw_fem_mesh *mesh;
        snprintf(text, sizeof text,
                 "*NODE\n1,0,0,5\n2,1,0,5\n3,1,1,5\n4,0,1,5\n*ELEMENT,TYPE=%s\n1,1,2,3,4\n"
                 "*ELEMENT,TYPE=T2D2,ELSET=right\n2,3,2\n*SURFACE,NAME=top\n1,S3\n",
                 type[i]);
        CHECK_OK(read_text("plane.inp", text, &mesh));
        assert_int_equal(mesh->shape, SW_QUAD4);
        CHECK_CLOSE(mesh->position[5], 1, 0);
        check_set(mesh, SW_FEM_SURFACE, "right", "1");
        check_set(mesh, SW_FEM_NODES, "right", "1 2");
        check_set(mesh, SW_FEM_SURFACE, "top", "2");
        sw_fem_mesh_free(mesh);
    }
}

/* As Abaqus/CAE writes it: a part, its instance, sets of the same name in part and assembly. */
static void test_inp_instance(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(
        read_text("cae.inp",
                  "*Part, name=Part-1\n*Node\n1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n*Element, type=CPS4R\n"
                  "1, 1, 2, 3, 4\n*Nset, nset=Set-1, generate\n1, 4, 1\n*Nset, nset=Set-2\n4\n*End Part\n"
                  "*Assembly, name=Assembly\n*Instance, name=Part-1-1, part=Part-1\n10., 0., 0.\n"
                  "*End Instance\n*Nset, nset=Set-1, instance=Part-1-1\n2\n"
                  "*Nset, nset=Set-3\nPart-1-1.Set-1\n*Nset, nset=Set-4\nPart-1-1.3, set-2, Set-1\n"
                  "*Elset, elset=_Surf-1_S2, internal, instance=\"Part-1-1\"\n1\n"
                  "*Surface, type=ELEMENT, name=Surf-1\n_Surf-1_S2, S2\n*End Assembly\n",
                  &mesh));
    CHECK_CLOSE(mesh->position[0], 10, 0);
    CHECK_CLOSE(mesh->position[2], 11, 0);
    check_set(mesh, SW_FEM_NODES, "Part-1-1.Set-1", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "Set-1", "1");
    check_set(mesh, SW_FEM_NODES, "Set-2", "3");
    check_set(mesh, SW_FEM_NODES, "Set-3", "0 1 2 3");
    check_set(mesh, SW_FEM_NODES, "Set-4", "1 2 3");
    check_set(mesh, SW_FEM_SURFACE, "Surf-1", "1");
    sw_fem_mesh_free(mesh);
}

#define QUAD "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4\n1,1,2,3,4\n" /* seven lines */

/* As scripts make them, a set a node or a grain: read in the time of their length (a minute for these, when each was
 * compared with all before it). */
static void test_many_sets(void **state)
{
    enum { SETS = 100000, LINE = 32 };
    (void)state;
    sw_fem_mesh *mesh;
    char name[LINE], *text = malloc(sizeof QUAD + SETS * LINE);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, "%s", QUAD);
    for (int i = 0; i < SETS; i++)
        n += (size_t)sprintf(text + n, "*NSET,NSET=Set-%d\n%d\n", i, 1 + i % 4);
    CHECK_OK(read_bytes("many.inp", text, n, &mesh));
    free(text);
    assert_int_equal(mesh->n_sets, SETS + 1); /* and all elements */
    for (int i = 0; i < SETS; i++) {
        snprintf(name, sizeof name, "Set-%d", i);
        const sw_fem_set *set = sw_fem_mesh_set(mesh, SW_FEM_NODES, name);
        assert_non_null(set);
        assert_int_equal(set->n, 1);
        assert_int_equal(set->member[0], i % 4);
    }
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_NODES, "set-1"));
    assert_null(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, "Set-1"));
    sw_fem_mesh_free(mesh);
}

/* A host program's mesh may have sets that no function of ours has put there. */
static void test_sets_by_hand(void **state)
{
    (void)state;
    sw_fem_mesh *mesh = voxels("box", 1, 1, 0);
    int32_t member[] = {2};
    sw_fem_set *set = realloc(mesh->set, (size_t)(mesh->n_sets + 1) * sizeof *set);
    assert_non_null(set);
    mesh->set = set;
    set[mesh->n_sets] = (sw_fem_set){strdup("own"), SW_FEM_NODES, 1, malloc(sizeof member)};
    memcpy(set[mesh->n_sets++].member, member, sizeof member);
    check_set(mesh, SW_FEM_NODES, "own", "2");
    CHECK_FAILS(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "own", 1, member), SW_ERR_INPUT,
                "own is there twice");
    CHECK_OK(sw_fem_mesh_add_set(mesh, SW_FEM_NODES, "another", 1, member));
    check_set(mesh, SW_FEM_NODES, "another", "2");
    check_set(mesh, SW_FEM_NODES, "own", "2");
    sw_fem_mesh_free(mesh);
}

static void test_refused_inp(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"", "bad.inp:1: no nodes"},
        {"1, 2, 3\n", "bad.inp:1: data before the first keyword"},
        {"*NODE\n1,0,0\n", "no elements"},
        {"*NODE\n1,0,zero\n", "bad.inp:2: coordinate 'zero': need a number"},
        {"*NODE\n1,0,0x10\n", "bad.inp:2: coordinate '0x10': need a number"},
        {"*NODE\n1,0,nan\n", "bad.inp:2: coordinate 'nan'"},
        {"*NODE\n1.5,0,0\n", "bad.inp:2: node '1.5': need a whole number"},
        {"*NODE\n99999999999999999999,0,0\n", "bad.inp:2: node '9"},
        {"*NODE\n0,0,0\n", "bad.inp:2: node '0'"},
        {"*NODE\n1\n", "bad.inp:2: node 1 has no coordinates"},
        {"*NODE, SYSTEM=C\n1,0,0\n", "bad.inp:1: *NODE: SYSTEM=C"},
        {"*NODE, INPUT=nodes.txt\n", "bad.inp:1: *NODE: parameter INPUT is not supported"},
        {"*ELEMENT\n", "bad.inp:1: *ELEMENT: needs TYPE="},
        {"*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n", "bad.inp:1: *ELEMENT: TYPE=C3D4 is not supported"},
        {"*ELEMENT, TYPE=C3D81\n1, 1\n", "TYPE=C3D81"},
        {"*INCLUDE, INPUT=x.inp\n", "bad.inp:1: *INCLUDE is not supported"},
        {QUAD "*EQUATION\n2\n1,1,1.,2,1,-1.\n", "bad.inp:8: *EQUATION ties nodes to others"},
        {QUAD "*Tie, name=a\nb, c\n", "bad.inp:8: *TIE ties nodes to others"},
        {QUAD "*Contact  Pair, interaction=a\nb, c\n", "bad.inp:8: *CONTACT PAIR lets bodies touch"},
        {QUAD "*TRANSFORM, NSET=a\n0,1,0,-1,0,0\n", "bad.inp:8: *TRANSFORM turns the axes of nodes"},
        {QUAD "*STEP\n*BOUNDARY\n1,1\n", "bad.inp:9: *BOUNDARY holds or moves nodes"},
        {QUAD "*STEP\n*DLOAD\n1,P3,5.\n", "bad.inp:9: *DLOAD loads the body"},
        {"*ELEMNT, TYPE=CPS4\n", "bad.inp:1: unknown keyword *ELEMNT: did you mean *ELEMENT?"},
        {"*FLUX CAPACITOR\n", "bad.inp:1: unknown keyword *FLUX CAPACITOR: it may change"},
        {"*NO*DE\n", "bad.inp:1: unknown keyword *NO*DE: did you mean *NODE?"},
        {"*PART, NAME=A\n*PART, NAME=B\n", "bad.inp:2: a second *PART"},
        {"*INSTANCE, NAME=A\n*INSTANCE, NAME=B\n", "bad.inp:2: a second *INSTANCE"},
        {"*INSTANCE, NAME=A\n1,2,3\n0,0,0,0,0,1,30\n", "bad.inp:3: *INSTANCE: a rotation of 30"},
        {"*ASSEMBLY\n*NODE\n1,0,0\n", "bad.inp:2: *NODE outside a part"},
        {QUAD "*NODE\n1,5,5\n", "bad.inp:9: node 1 is there already, in line 2"},
        {QUAD "*ELEMENT,TYPE=CPS4\n1,1,2,3,4\n", "bad.inp:9: element 1 is there already, in line 7"},
        {QUAD "2,1,2,3\n", "bad.inp:8: element 2 has 3 nodes: need the 4 of a CPS4"},
        {QUAD "2,1,2,3,\n", "bad.inp:8: element 2 has 3 nodes"},
        {QUAD "2,1,2,3,4,5\n", "bad.inp:8: element 2 has 5 nodes"},
        {QUAD "2,1,2,3,5\n", "bad.inp:8: element 2 names node 5, which is not there"},
        {QUAD "2,1,2,3,3\n", "bad.inp:8: element 2 at (0.75, 0.5): names node 3 twice"},
        {QUAD "2,1,4,3,2\n", "bad.inp:8: element 2 at (0.5, 0.5): Jacobian -0.25 m^2"},
        {QUAD "*NODE\n9,4,4\n", "bad.inp:9: node 9 at (4, 4): belongs to no element"},
        {QUAD "*NODE\n9,4,4,1\n", "bad.inp:9: node 9 at z = 1"},
        {QUAD "*NSET\n1\n", "bad.inp:8: *NSET: needs NSET="},
        {QUAD "*NSET, NSET=a\n8\n", "bad.inp:9: a: node 8 is not there"},
        {QUAD "*NSET, NSET=a\nb\n", "bad.inp:9: a: there is no node set b"},
        {QUAD "*NSET, NSET=a\n1,,2\n", "bad.inp:9: an empty field"},
        {QUAD "*NSET, NSET=a\nb\n*NSET, NSET=b\na\n", "bad.inp:9: a: set b comes after it (line 10)"},
        {QUAD "*NSET, NSET=a, GENERATE\n1,2147483647,2\n", "bad.inp:9: a: node 5 is not there"},
        {QUAD "*NSET, NSET=a, GENERATE\n3,1\n", "bad.inp:9: GENERATE: last = 1"},
        {QUAD "*NSET, NSET=a, GENERATE\n1,3,0\n", "bad.inp:9: step '0'"},
        {QUAD "*NSET, NSET=a, GENERATE\n1\n", "bad.inp:9: GENERATE: need first"},
        {QUAD "*NSET, NSET=a, COMBINE=b\n1\n", "bad.inp:8: *NSET: parameter COMBINE"},
        {QUAD "*ELSET, ELSET=a\n2\n", "bad.inp:9: a: element 2 is not there"},
        {QUAD "*SURFACE, NAME=a\n1,S5\n", "bad.inp:9: surface a: element 1 has no face S5"},
        {QUAD "*SURFACE, NAME=a\n1,SPOS\n", "bad.inp:9: *SURFACE: face 'SPOS'"},
        {QUAD "*SURFACE, NAME=a\n1\n", "bad.inp:9: *SURFACE: face ''"},
        {QUAD "*SURFACE, NAME=a, TYPE=USER\n", "bad.inp:8: *SURFACE: TYPE=USER"},
        {QUAD "*ELEMENT,TYPE=T2D2,ELSET=a\n2,1,3\n", "bad.inp:9: element 2 of set a is no face of a quad4"},
        {QUAD "*ELEMENT,TYPE=S4\n2,1,2,3,4\n", "bad.inp:9: element 2 is a S4"},
        {QUAD "7,2,3,4,1\n", "bad.inp:8: element 7 at (0.5, 0.5): has the nodes of element 1"},
        {QUAD "*NODE\n5,2,0\n6,2,1\n*ELEMENT,TYPE=CPS4\n2,2,5,6,3\n*ELSET,ELSET=all\n1\n",
         "bad.inp:13: element set all has 1 of 2 elements"},
        {QUAD "*NSET,NSET=a\n1\n*ASSEMBLY\n*NSET,NSET=a\n2\n", "bad.inp:11: node set a is there twice"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        CHECK_FAILS(read_text("bad.inp", refused[i][0], &mesh), SW_ERR_INPUT, refused[i][1]);
        assert_non_null(strstr(sw_error_message(), folder));
    }
}

typedef struct {
    int count;
    char last[1024];
} warnings;

static void hear(void *context, sw_notice notice, const char *text)
{
    warnings *w = context;
    if (notice != SW_WARNING)
        return;
    w->count++;
    snprintf(w->last, sizeof w->last, "%s", text);
}

/* One warning lists what is skipped, each once; what the caller lists is not in it. */
static void test_skipped_keywords(void **state)
{
    (void)state;
    static const char *const ignored[] = {"*Boundary", "flux capacitor", "ENDSTEP"};
    static const char *const makes[] = {"*Node"};
    static const char text[] =
        QUAD "*Material, name=a\n*Elastic\n2e11, 0.3\n*MATERIAL, NAME=b\n*Flux\tCapacitor\n1\n"
             "*Step\n*BOUN DARY\n1, 1, 2\n*End step\n";
    warnings w = {0};
    sw_fem_mesh *mesh;
    sw_listen(hear, &w);
    CHECK_FAILS(read_text("skip.inp", text, &mesh), SW_ERR_INPUT, "skip.inp:12: unknown keyword *FLUX");
    assert_int_equal(w.count, 0);
    write_bytes("skip.inp", text, strlen(text));
    CHECK_FAILS(sw_fem_mesh_read_ignoring(path, 1, makes, &mesh), SW_ERR_RANGE, "*NODE makes the mesh");
    const sw_status status = sw_fem_mesh_read_ignoring(path, 3, ignored, &mesh);
    sw_listen(NULL, NULL);
    remove(path);
    CHECK_OK(status);
    assert_int_equal(w.count, 1);
    assert_non_null(strstr(w.last, "skipped, as the job says these things: MATERIAL, ELASTIC, STEP"));
    assert_null(strstr(w.last, "BOUNDARY"));
    sw_fem_mesh_free(mesh);
}

/* Nothing to lose, nothing to say. */
static void test_silent_keywords(void **state)
{
    (void)state;
    warnings w = {0};
    sw_fem_mesh *mesh;
    sw_listen(hear, &w);
    const sw_status status = read_text("quiet.inp", "*HEADING\na plate\n" QUAD "*EndPart\n", &mesh);
    sw_listen(NULL, NULL);
    CHECK_OK(status);
    assert_int_equal(w.count, 0);
    sw_fem_mesh_free(mesh);
}

static void test_types(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        sw_fem_kinematics taken;
        const char *otherwise;
    } cases[] = {
        {"C3D8", SW_FEM_SOLID, ""},
        {"C3D8R", SW_FEM_SOLID, "reduced integration"},
        {"c3d8i", SW_FEM_SOLID, "incompatible modes"},
        {"C3D8RH", SW_FEM_SOLID, "reduced integration, hybrid"},
        {"CPS4", SW_FEM_PLANE_STRESS, ""},
        {"CPE4R", SW_FEM_PLANE_STRESS, "plane strain, reduced integration"},
        {"CPE4", SW_FEM_AXISYMMETRIC, "plane strain"},
        {"CPEG4", SW_FEM_PLANE_STRAIN, "generalised plane strain"},
        {"DC2D4", SW_FEM_HEAT, ""},
        {"DCAX4", SW_FEM_HEAT, "axisymmetric heat"},
        {"B31", SW_FEM_SOLID, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        const int differs = sw_fem_overrides_type(cases[i].type, cases[i].taken, text, sizeof text);
        assert_string_equal(text, cases[i].otherwise);
        assert_int_equal(differs, *cases[i].otherwise != '\0');
    }
}

static void test_nul_in_inp(void **state)
{
    (void)state;
    char text[] = QUAD "*NSET, NSET=a\n1, 2, 3\n";
    sw_fem_mesh *mesh;
    text[sizeof text - 5] = '\0';
    CHECK_FAILS(read_bytes("bad.inp", text, sizeof text - 1, &mesh), SW_ERR_INPUT, "bad.inp:9: a NUL byte");
}

/* Whatever is cut off or replaced in a file, the answer is a mesh that passes its check, or an error. */
static void test_damaged_inp(void **state)
{
    (void)state;
    static const char put[] = ",*\n-9aS\"=. ";
    const size_t n = sizeof cubes - 1;
    char text[sizeof cubes];
    sw_fem_mesh *mesh;
    for (size_t k = 0; k < n; k++) {
        if (read_bytes("cut.inp", cubes, k, &mesh) == SW_OK)
            CHECK_OK(sw_fem_mesh_check(mesh, "cut"));
        sw_fem_mesh_free(mesh);
    }
    srand48(1);
    for (int k = 0; k < 3000; k++) {
        memcpy(text, cubes, n);
        for (int i = 0; i <= k % 3; i++)
            text[lrand48() % (long)n] = put[lrand48() % (long)sizeof put];
        if (read_bytes("damaged.inp", text, n, &mesh) == SW_OK)
            CHECK_OK(sw_fem_mesh_check(mesh, "damaged"));
        sw_fem_mesh_free(mesh);
    }
}

static void test_paths(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_FAILS(sw_fem_mesh_read("mesh.vtk", &mesh), SW_ERR_INPUT, "need one that ends in .msh");
    CHECK_FAILS(sw_fem_mesh_read("", &mesh), SW_ERR_INPUT, "need one that ends in .msh");
    CHECK_FAILS(sw_fem_mesh_read("/nowhere/mesh.inp", &mesh), SW_ERR_IO, "/nowhere/mesh.inp");
    CHECK_FAILS(sw_fem_mesh_read("/nowhere/mesh.msh", &mesh), SW_ERR_IO, "/nowhere/mesh.msh");
    snprintf(path, sizeof path, "%s.inp", folder);
    assert_int_equal(rename(folder, path), 0);
    const sw_status status = sw_fem_mesh_read(path, &mesh);
    assert_int_equal(rename(path, folder), 0);
    assert_int_equal(status, SW_ERR_IO);
}

/* ---- Gmsh ---- */

/* Two cubes along x in format 2.2, labels with gaps; a point of no element. */
static const char msh_2[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
                            "$PhysicalNames\n4\n0 5 \"corner\"\n1 6 \"edge\"\n2 1 \"left\"\n3 2 \"body\"\n"
                            "$EndPhysicalNames\n"
                            "$Nodes\n13\n10 0 0 0\n20 1 0 0\n30 2 0 0\n11 0 1 0\n21 1 1 0\n31 2 1 0\n"
                            "110 0 0 1\n120 1 0 1\n130 2 0 1\n111 0 1 1\n121 1 1 1\n131 2 1 1\n"
                            "500 9 9 9\n$EndNodes\n"
                            "$Elements\n7\n"
                            "1 15 2 5 1 10\n"
                            "2 1 2 6 1 10 20\n"
                            "3 3 2 1 1 10 11 111 110\n"
                            "4 3 2 9 2 30 31 131 130\n"
                            "5 5 2 2 1 10 20 21 11 110 120 121 111\n"
                            "8 5 2 4 2 20 30 31 21 120 130 131 121\n"
                            "9 15 2 0 3 500\n"
                            "$EndElements\n";

/* A square of two quadrilaterals in format 4.1. */
static const char msh_4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n2\n1 1 \"bottom\"\n2 2 \"plate\"\n$EndPhysicalNames\n"
    "$Entities\n0 1 1 0\n1 0 0 0 2 0 0 1 1 0\n1 0 0 0 2 1 0 1 2 1 1\n$EndEntities\n"
    "$Nodes\n2 6 1 6\n1 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n2 0 0\n"
    "2 1 0 3\n4\n5\n6\n0 1 0\n1 1 0\n2 1 0\n$EndNodes\n"
    "$Elements\n2 4 1 4\n1 1 1 2\n1 1 2\n2 2 3\n2 1 3 2\n3 1 2 5 4\n4 2 3 6 5\n$EndElements\n";

#ifdef SW_HAVE_GMSH

static void test_msh(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_OK(read_text("cubes.msh", msh_2, &mesh));
    assert_int_equal(mesh->shape, SW_HEX8);
    assert_int_equal(mesh->n_nodes, 12);
    assert_int_equal(mesh->n_elements, 2);
    assert_int_equal(mesh->element_label[0], 5);
    assert_int_equal(mesh->element_label[1], 8);
    CHECK_OK(sw_fem_mesh_check(mesh, "cubes"));
    check_set(mesh, SW_FEM_ELEMENTS, "body", "0");
    check_set(mesh, SW_FEM_ELEMENTS, "volume_4", "1");
    check_set(mesh, SW_FEM_ELEMENTS, "all", "0 1");
    check_set(mesh, SW_FEM_SURFACE, "left", "5");
    check_set(mesh, SW_FEM_SURFACE, "surface_9", "11");
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "left")->n, 4);
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "edge")->n, 2);
    const sw_fem_set *corner = sw_fem_mesh_set(mesh, SW_FEM_NODES, "corner");
    assert_int_equal(corner->n, 1);
    assert_int_equal(mesh->node_label[corner->member[0]], 10);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(mesh->position[3 * corner->member[0] + i], 0, 0);
    sw_fem_mesh_free(mesh);

    CHECK_OK(read_text("plate.msh", msh_4, &mesh));
    assert_int_equal(mesh->shape, SW_QUAD4);
    assert_int_equal(mesh->n_nodes, 6);
    check_set(mesh, SW_FEM_ELEMENTS, "plate", "0 1");
    check_set(mesh, SW_FEM_SURFACE, "bottom", "0 8");
    assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, "bottom")->n, 3);
    sw_fem_mesh_free(mesh);
}

#define MSH "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define SQUARE "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"

static void test_refused_msh(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"", "need $MeshFormat"},
        {"SystemCall \"touch script-was-run\";\n", "need $MeshFormat"},
        {MSH, "0 nodes"},
        {MSH SQUARE, "0 nodes"},
        {MSH "$Nodes\n4\n1 0 0 0\n2 1", "libgmsh: "},
        {MSH SQUARE "$Elements\n1\n1 3 2 0 1 1 2 3 7\n$EndElements\n", "libgmsh: "},
        {MSH SQUARE "$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n",
         "element 1 is a Triangle 3: need quadrilaterals"},
        {MSH SQUARE "$Elements\n1\n1 3 2 0 1 1 4 3 2\n$EndElements\n",
         "element 1 at (0.5, 0.5): Jacobian -0.25"},
        {MSH SQUARE "$Elements\n2\n1 3 2 0 1 1 2 3 4\n2 1 2 8 1 1 3\n$EndElements\n",
         "physical group curve_8: its line with node 1 and node 3 is no face"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        CHECK_FAILS(read_text("bad.msh", refused[i][0], &mesh), SW_ERR_INPUT, refused[i][1]);
        assert_non_null(strstr(sw_error_message(), "bad.msh: "));
    }
    assert_int_not_equal(access("script-was-run", F_OK), 0);
    char options[sizeof path];
    sw_fem_mesh *mesh;
    snprintf(options, sizeof options, "%s/o.msh.opt", folder);
    FILE *file = fopen(options, "w");
    assert_non_null(file);
    fclose(file);
    CHECK_FAILS(read_text("o.msh", msh_2, &mesh), SW_ERR_INPUT, "libgmsh would run");
    assert_int_equal(remove(options), 0);
}

#else

static void test_msh(void **state)
{
    (void)state;
    sw_fem_mesh *mesh;
    CHECK_FAILS(read_text("cubes.msh", msh_2, &mesh), SW_ERR_UNAVAILABLE, "libgmsh-dev");
    CHECK_FAILS(read_text("cubes.msh", msh_4, &mesh), SW_ERR_UNAVAILABLE, ".inp files work");
}

static void test_refused_msh(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faces),
        cmocka_unit_test(test_published_numbers),
        cmocka_unit_test(test_lattice),
        cmocka_unit_test(test_plane_mesh),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_refused_bodies),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_inp),
        cmocka_unit_test(test_inp_plane),
        cmocka_unit_test(test_inp_instance),
        cmocka_unit_test(test_many_sets),
        cmocka_unit_test(test_sets_by_hand),
        cmocka_unit_test(test_refused_inp),
        cmocka_unit_test(test_damaged_inp),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_msh),
        cmocka_unit_test(test_refused_msh),
        cmocka_unit_test(test_skipped_keywords),
        cmocka_unit_test(test_silent_keywords),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_nul_in_inp),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
