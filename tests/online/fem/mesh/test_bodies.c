/* Cylinders and a plate with round holes, of mapped cells: where nodes lie, elements, volumes, areas, sets. */
#include "tests/online/fem/meshes.h"

#define RADIUS 0.01
#define HEIGHT 0.03
enum { LAYERS = 2 };

/* The whole and its quarter. */
static const struct {
    const char *name;
    double across;       /* size along x and y, over the radius */
    int sides, quarters; /* of the rim's polygon: sides for each cell along x; quarters of a disc */
} cylinders[] = {{"cylinder", 2, 4, 4}, {"cylinder_quarter", 1, 2, 1}};
enum { WHOLE, QUARTER, CYLINDERS };

static sw_fem_mesh *make_cylinder(int which, int n, int layers)
{
    const double across = cylinders[which].across * RADIUS;
    const sw_fem_voxels v = {
        .body = cylinders[which].name, .cells = {n, n, layers}, .size = {across, across, HEIGHT}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    CHECK_OK(sw_fem_mesh_check(mesh, v.body));
    assert_false(mesh->lattice->boxes);
    return mesh;
}

static const double *position_at(const sw_fem_mesh *mesh, int x, int y, int z)
{
    const int32_t *n = mesh->lattice->n;
    return mesh->position + 3 * (int64_t)mesh->lattice->node[(z * (n[1] + 1) + y) * (n[0] + 1) + x];
}

/* ---- Where nodes lie ---- */

/* On the rim to round-off: a sine and a cosine. Inside it, all others. */
static void test_rim(void **state)
{
    (void)state;
    for (int which = 0; which < CYLINDERS; which++)
        for (int n = 1; n <= 9; n++) {
            sw_fem_mesh *mesh = make_cylinder(which, n, LAYERS);
            const sw_fem_set *side = sw_fem_mesh_set(mesh, SW_FEM_NODES, "side");
            int64_t next = 0;
            assert_non_null(side);
            assert_int_equal(side->n,
                             (cylinders[which].sides * n + (which == QUARTER)) * (int64_t)(LAYERS + 1));
            for (int64_t i = 0; i < mesh->n_nodes; i++) {
                const double *x = mesh->position + 3 * i, r = hypot(x[0], x[1]);
                if (next < side->n && side->member[next] == i) {
                    CHECK_CLOSE(r, RADIUS, 4 * DBL_EPSILON * RADIUS);
                    next++;
                } else {
                    assert_true(r < RADIUS * (1 - 0.5 / n));
                }
            }
            assert_int_equal(next, side->n);
            sw_fem_mesh_free(mesh);
        }
}

/* Bit by bit: x and y change places; the whole's mirrors; its quarter. */
static void test_symmetry(void **state)
{
    (void)state;
    for (int n = 1; n <= 6; n++) {
        sw_fem_mesh *whole = make_cylinder(WHOLE, 2 * n, LAYERS), *odd = make_cylinder(WHOLE, 2 * n - 1, 1),
                    *quarter = make_cylinder(QUARTER, n, LAYERS);
        for (int z = 0; z <= LAYERS; z++)
            for (int y = 0; y <= n; y++)
                for (int x = 0; x <= n; x++) {
                    const double *at = position_at(quarter, x, y, z),
                                 *swapped = position_at(quarter, y, x, z);
                    assert_true(at[0] == swapped[1] && at[1] == swapped[0]);
                    assert_true(at[2] == z * HEIGHT / LAYERS);
                    assert_true((at[0] == 0) == (x == 0) && (at[1] == 0) == (y == 0));
                    for (int mirror = 0; mirror < 4; mirror++) {
                        const int sx = mirror & 1 ? -1 : 1, sy = mirror & 2 ? -1 : 1;
                        const double *image = position_at(whole, n + sx * x, n + sy * y, z);
                        assert_true(image[0] == sx * at[0] && image[1] == sy * at[1] && image[2] == at[2]);
                    }
                }
        const int m = 2 * n - 1;
        for (int y = 0; y <= m; y++)
            for (int x = 0; x <= m; x++) {
                const double *at = position_at(odd, x, y, 0), *turned = position_at(odd, m - y, x, 0);
                assert_true(at[0] == turned[1] && at[1] == -turned[0]);
            }
        sw_fem_mesh_free(whole);
        sw_fem_mesh_free(odd);
        sw_fem_mesh_free(quarter);
    }
}

/* ---- Elements ---- */

/* Two neighbours on the rim and the node at 45 degrees between them are almost on a line. Of a triangle with
 * a node in the middle of a side the four corners' Jacobians are 0, 1, 1, 2 times the mean, so that the
 * least at 2 x 2 points is 1 - 1/sqrt(3) of it; what is not quite straight has more. Areas over their mean
 * are those of the table in bodies.c, whose limits they stay in. */
static void test_elements_are_well_shaped(void **state)
{
    (void)state;
    for (int which = 0; which < CYLINDERS; which++)
        for (int n = 1; n <= 32; n += n < 4 ? 1 : 7) {
            fem_body b;
            double worst = 1, least = INFINITY, most = 0, position[3];
            fem_make(&b, make_cylinder(which, n, 1), SW_FEM_SOLID, 0, (sw_fem_material){0});
            for (int64_t e = 0; e < b.E; e++) {
                double sum = 0, lowest = INFINITY;
                for (int q = 0; q < 8; q++) {
                    const double volume = fem_at_point(&b, e, q, NULL, 0, position, NULL);
                    sum += volume;
                    lowest = fmin(lowest, volume);
                }
                worst = fmin(worst, 8 * lowest / sum);
                least = fmin(least, sum);
                most = greatest(most, sum);
            }
            print_message(
                "%s, %d cells: least Jacobian %.3f of the mean, largest element %.2f times the least\n",
                cylinders[which].name, n, worst, most / least);
            assert_true(worst > 1 - 1 / sqrt(3.0));
            assert_true(most / least < 1.5);
            fem_free(&b);
        }
}

/* ---- Volumes and areas ---- */

/* The prism on a polygon of N sides, 2 pi / N = a: 1 - sin(a)/a of the cylinder's volume is missing, a^2/6
 * less at most a^2/20 of that: second order. */
static void test_volume(void **state)
{
    (void)state;
    for (int which = 0; which < CYLINDERS; which++)
        for (int n = 1; n <= 16; n *= 2) {
            const double whole = PI * RADIUS * RADIUS * HEIGHT * cylinders[which].quarters / 4,
                         angle = PI / 2 * cylinders[which].quarters / (cylinders[which].sides * n);
            double volume = 0, position[3];
            fem_body b;
            fem_make(&b, make_cylinder(which, n, LAYERS), SW_FEM_SOLID, 0, (sw_fem_material){0});
            for (int64_t e = 0; e < b.E; e++)
                for (int q = 0; q < 8; q++)
                    volume += fem_at_point(&b, e, q, NULL, 0, position, NULL);
            CHECK_CLOSE(volume, whole * sin(angle) / angle, 1e-13 * whole);
            CHECK_CLOSE((1 - volume / whole) / (angle * angle / 6), 1, angle * angle / 20);
            fem_free(&b);
        }
}

/* Of a surface: by a traction of 1 Pa along `along`, m2. */
static double area_of(const fem_body *b, const char *name, int along)
{
    double traction[3] = {0}, sum = 0;
    double *force = zeros(b->N * b->c, sizeof *force);
    traction[along] = 1;
    CHECK_OK(sw_fem_add_traction(&b->problem, fem_surface(b, name), traction, force));
    for (int64_t i = 0; i < b->N; i++)
        sum += force[i * b->c + along];
    free(force);
    return sum;
}

/* Pressure on the round side: the resultant is that on the planes of symmetry, the other way. */
static void check_pressure(const fem_body *b, double across)
{
    double *force = zeros(b->N * b->c, sizeof *force), sum[3] = {0};
    CHECK_OK(sw_fem_add_pressure(&b->problem, fem_surface(b, "side"), 1, force));
    for (int64_t i = 0; i < b->N * b->c; i++)
        sum[i % b->c] += force[i];
    for (int i = 0; i < b->c; i++)
        CHECK_CLOSE(sum[i], i < 2 ? -across : 0, 1e-13 * RADIUS * HEIGHT);
    free(force);
}

static void test_areas(void **state)
{
    (void)state;
    for (int which = 0; which < CYLINDERS; which++)
        for (int plane = 0; plane < 2; plane++) {
            const int n = 5, N = cylinders[which].sides * n;
            const double angle = PI / 2 * cylinders[which].quarters / N, tolerance = 1e-13 * RADIUS * HEIGHT;
            const double end = N * RADIUS * RADIUS * sin(angle) / 2;
            fem_body b;
            fem_make(&b, make_cylinder(which, n, plane ? 0 : LAYERS),
                     plane ? SW_FEM_PLANE_STRAIN : SW_FEM_SOLID, 0, (sw_fem_material){0});
            b.problem.thickness = HEIGHT;
            CHECK_CLOSE(area_of(&b, "side", 0), N * 2 * RADIUS * sin(angle / 2) * HEIGHT, tolerance);
            check_pressure(&b, which == QUARTER ? RADIUS * HEIGHT : 0);
            assert_int_equal(fem_surface(&b, "side")->n, (int64_t)N * (plane ? 1 : LAYERS));
            if (which == QUARTER) {
                CHECK_CLOSE(area_of(&b, "x_min", 1), RADIUS * HEIGHT, tolerance);
                CHECK_CLOSE(area_of(&b, "y_min", 1), RADIUS * HEIGHT, tolerance);
            }
            if (!plane) {
                CHECK_CLOSE(area_of(&b, "z_min", 2), end, tolerance);
                CHECK_CLOSE(area_of(&b, "z_max", 0), end, tolerance);
            }
            fem_free(&b);
        }
}

/* ---- Round holes ---- */

/* 4 x 4 of them, half as wide as they are apart: an edge of each is a regular polygon of n/2 sides, and the plate is
 * its square less those; nothing lies inside them. */
static void test_perforated_plate(void **state)
{
    (void)state;
    const double side = 0.08, pitch = side / 4, radius = pitch / 4, thickness = 0.001;
    for (int n = 16; n <= 64; n += 16) {
        const sw_fem_voxels v = {
            .body = "perforated_plate", .cells = {n, n, 1}, .size = {side, side, thickness}};
        const double angle = 2 * PI / (n / 2), polygon = n / 2 * radius * radius * sin(angle) / 2;
        double volume = 0, worst = 1, position[3];
        int64_t on_edges = 0;
        sw_fem_mesh *mesh;
        fem_body b;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        CHECK_OK(sw_fem_mesh_check(mesh, v.body));
        fem_make(&b, mesh, SW_FEM_SOLID, 0, (sw_fem_material){0});
        assert_int_equal(b.E, n * n * 3 / 4);
        for (int64_t i = 0; i < b.N; i++) {
            const double *x = mesh->position + 3 * i;
            const double r = hypot(fmod(x[0], pitch) - pitch / 2, fmod(x[1], pitch) - pitch / 2);
            assert_true(r > radius * (1 - 1e-12));
            on_edges += r < radius * (1 + 1e-12);
        }
        assert_int_equal(on_edges, 2 * 16 * (n / 2));
        for (int64_t e = 0; e < b.E; e++) {
            double sum = 0, lowest = INFINITY;
            for (int q = 0; q < 8; q++) {
                const double one = fem_at_point(&b, e, q, NULL, 0, position, NULL);
                sum += one;
                lowest = fmin(lowest, one);
            }
            worst = fmin(worst, 8 * lowest / sum);
            volume += sum;
        }
        print_message("%d cells: least Jacobian %.3f of the mean\n", n, worst);
        CHECK_CLOSE(volume, (side * side - 16 * polygon) * thickness, 1e-12 * side * side * thickness);
        assert_true(worst > 0.4);
        CHECK_CLOSE(area_of(&b, "x_max", 0), side * thickness, 1e-12 * side * thickness);
        fem_free(&b);
    }
}

/* ---- Sets ---- */

/* No set but those that mean something. */
static void test_sets(void **state)
{
    (void)state;
    static const char *const names[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "side", "all"};
    static const struct {
        int which, layers;
        const char *there; /* a 1 for each name */
    } cases[] = {
        {WHOLE, 2, "00001111"}, {WHOLE, 0, "00000011"}, {QUARTER, 2, "10101111"}, {QUARTER, 0, "10100011"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_mesh *mesh = make_cylinder(cases[i].which, 3, cases[i].layers);
        for (int k = 0; k < 8; k++) {
            const int there = cases[i].there[k] == '1';
            assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_NODES, names[k]) != NULL, there && k < 7);
            assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_SURFACE, names[k]) != NULL, there && k < 7);
            assert_int_equal(sw_fem_mesh_set(mesh, SW_FEM_ELEMENTS, names[k]) != NULL, k == 7);
        }
        sw_fem_mesh_free(mesh);
    }
}

/* ---- What is refused ---- */

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        sw_fem_voxels v;
        const char *message;
    } refused[] = {
        {{.body = "cylinder", .cells = {4, 5, 1}},
         "cells along x = 4, along y = 5: body cylinder needs as many of both"},
        {{.body = "cylinder_quarter", .cells = {4, 4, 1}, .size = {1, 2, 1}},
         "size along x = 1 m, along y = 2 m: body cylinder_quarter needs the same of both"},
        {{.body = "cylinder_quarter", .cells = {4, 4, 1}, .size = {1, NAN, 1}}, "size along y = nan"},
        {{.body = "cylinder", .cells = {4, 4, 1}, .fraction = {0.5}}, "body cylinder has 0 parameters"},
        {{.body = "perforated_plate", .cells = {24, 24, 1}},
         "cells along x = 24: body perforated_plate needs a multiple of 16"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        sw_fem_mesh *mesh;
        assert_int_equal(sw_fem_voxel_mesh(&refused[i].v, &mesh), SW_ERR_RANGE);
        assert_message_has(refused[i].message);
        assert_null(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rim),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_elements_are_well_shaped),
        cmocka_unit_test(test_volume),
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_perforated_plate),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
