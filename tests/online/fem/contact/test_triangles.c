/* Tools that are surfaces of triangles: places next to them, and what they press. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/math/vector.h"
#include "online/fem/contact/triangles.h"
#include "tests/online/fem/job/texts.h"

enum { MOST = 20 * 256 };

/* Triangles of a ball of radius 1, an icosahedron's halved `times` times. */
static int64_t ball(int times, double (*t)[3][3])
{
    static const double g = 1.618033988749895;
    static const int face[20][3] = {{0, 1, 2},  {1, 0, 3},  {0, 2, 4},  {2, 1, 5},   {0, 6, 3},
                                    {0, 4, 6},  {1, 3, 7},  {1, 7, 5},  {2, 8, 4},   {2, 5, 8},
                                    {3, 6, 9},  {3, 9, 7},  {4, 10, 6}, {4, 8, 10},  {5, 7, 11},
                                    {5, 11, 8}, {6, 10, 9}, {7, 9, 11}, {8, 11, 10}, {9, 10, 11}};
    const double corner[12][3] = {{0, 1, g},  {0, -1, g},  {g, 0, 1},  {-g, 0, 1},  {1, g, 0},  {1, -g, 0},
                                  {-1, g, 0}, {-1, -g, 0}, {g, 0, -1}, {-g, 0, -1}, {0, 1, -g}, {0, -1, -g}};
    int64_t n = 20;
    for (int f = 0; f < 20; f++)
        for (int k = 0; k < 9; k++)
            t[f][k / 3][k % 3] = corner[face[f][k / 3]][k % 3] / sqrt(1 + g * g);
    for (int j = 0; j < times; j++, n *= 4)
        for (int64_t f = n - 1; f >= 0; f--) {
            double old[3][3], half[3][3];
            memcpy(old, t[f], sizeof old);
            for (int k = 0; k < 3; k++) {
                double size = 0;
                for (int i = 0; i < 3; i++) {
                    half[k][i] = old[k][i] + old[(k + 1) % 3][i];
                    size += half[k][i] * half[k][i];
                }
                for (int i = 0; i < 3; i++)
                    half[k][i] /= sqrt(size);
            }
            for (int k = 0; k < 3; k++) {
                memcpy(t[4 * f + k][0], old[k], sizeof old[k]);
                memcpy(t[4 * f + k][1], half[k], sizeof half[k]);
                memcpy(t[4 * f + k][2], half[(k + 2) % 3], sizeof half[k]);
            }
            memcpy(t[4 * f + 3], half, sizeof half);
        }
    /* outwards */
    for (int64_t f = 0; f < n; f++) {
        double a[3], b[3];
        for (int i = 0; i < 3; i++) {
            a[i] = t[f][1][i] - t[f][0][i];
            b[i] = t[f][2][i] - t[f][0][i];
        }
        const double out = (a[1] * b[2] - a[2] * b[1]) * t[f][0][0] +
                           (a[2] * b[0] - a[0] * b[2]) * t[f][0][1] +
                           (a[0] * b[1] - a[1] * b[0]) * t[f][0][2];
        for (int i = 0; i < 3 && out < 0; i++) {
            const double kept = t[f][1][i];
            t[f][1][i] = t[f][2][i];
            t[f][2][i] = kept;
        }
    }
    return n;
}

/* Edges e are 0.138 to 0.165: the surface is up to e^2 / 6 = 4.5e-3 below the sphere (a triangle's middle is e / root 3 from its
 * corners), less where places are along normals that lean; normals at corners are means that lean by up to e^2 / 3, 8e-3, and so
 * their gradient is 1 but for that over an edge. */
static void a_ball_is_a_sphere(void **state)
{
    static double t[MOST][3][3];
    sw_fem_triangles *s;
    (void)state;
    CHECK_OK(sw_fem_triangles_make(ball(3, t), (const double(*)[3][3])t, &s));
    for (int i = 0; i < 500; i++) {
        const double z = cos(0.1 + 0.0058 * i), a = 2.4 * i, r = 0.97 + 0.0002 * i;
        const double x[3] = {r * sqrt(1 - z * z) * cos(a), r * sqrt(1 - z * z) * sin(a), r * z};
        sw_fem_tool_place at;
        const sw_fem_tool tool = {.shape = SW_FEM_TRIANGLES, .triangles = s};
        sw_fem_tool_find(&tool, x, &at);
        assert_true(at.gap >= r - 1 - 1e-4 && at.gap < r - 1 + 4.6e-3);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(at.normal[k], x[k] / r, 8e-3);
        CHECK_CLOSE(at.curvature, 1, 0.1);
    }
    sw_fem_triangles_free(s);
}

/* A square of two triangles: beyond its own edges there is nothing; over the one between them it is flat. And a sharp edge of two
 * squares: normals are those of the squares. */
static void edges(void **state)
{
    static const double square[4][3][3] = {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}},
                                           {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}},
                                           {{1, 0, 0}, {1, 0, -1}, {1, 1, -1}},
                                           {{1, 0, 0}, {1, 1, -1}, {1, 1, 0}}};
    static const struct {
        int n;
        double x[3], gap, normal[3];
    } places[] = {{2, {0.3, 0.3, 0.2}, 0.2, {0, 0, 1}},      {2, {0.9, 0.2, -0.1}, -0.1, {0, 0, 1}},
                  {2, {1.2, 0.2, 0.1}, INFINITY, {0, 0, 0}}, {2, {-0.1, 0.2, -0.1}, INFINITY, {0, 0, 0}},
                  {4, {0.99, 0.4, 0.1}, 0.1, {0, 0, 1}},     {4, {1.1, 0.4, -0.01}, 0.1, {1, 0, 0}},
                  {4, {0.95, 0.4, -0.1}, -0.05, {1, 0, 0}}};
    (void)state;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        sw_fem_triangles *s;
        CHECK_OK(sw_fem_triangles_make(places[k].n, square, &s));
        sw_fem_tool_place at;
        const sw_fem_tool tool = {.shape = SW_FEM_TRIANGLES, .triangles = s};
        sw_fem_tool_find(&tool, places[k].x, &at);
        if (isinf(places[k].gap))
            assert_true(isinf(at.gap));
        else
            CHECK_CLOSE(at.gap, places[k].gap, 1e-14);
        for (int i = 0; i < 3 && isfinite(at.gap); i++)
            CHECK_CLOSE(at.normal[i], places[k].normal[i], 1e-14);
        sw_fem_triangles_free(s);
    }
}

/* A plate of twelve sides, turned in space, cut so that most corners of its rim are of three triangles: nothing is touched anywhere
 * around it, on neither side; within 0.96 radii (the sides' middles are at cos 15 degrees, 0.966) it is flat, to digits. */
static void an_open_plate_ends_at_its_rim(void **state)
{
    enum { SIDES = 12, PLACES = 1000 * SIDES };
    const double e[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
    double v[SIDES][3], t[SIDES - 2][3][3];
    sw_fem_triangles *s;
    int touched = 0;
    (void)state;
    for (int i = 0; i < SIDES; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = cos(2 * M_PI * i / SIDES) * e[0][k] + sin(2 * M_PI * i / SIDES) * e[1][k];
    for (int n = 0, low = 0, high = SIDES - 1; n < SIDES - 2; n++) { /* a strip to and fro */
        const int middle = n % 2 ? high - 1 : low + 1;
        memcpy(t[n][0], v[low], sizeof *v);
        memcpy(t[n][1], v[middle], sizeof *v);
        memcpy(t[n][2], v[high], sizeof *v);
        *(n % 2 ? &high : &low) = middle;
    }
    CHECK_OK(sw_fem_triangles_make(SIDES - 2, (const double(*)[3][3])t, &s));
    const sw_fem_tool tool = {.shape = SW_FEM_TRIANGLES, .triangles = s};
    for (int i = 0; i < PLACES; i++) {
        const double a = 2 * M_PI * i / PLACES, over = i / SIDES % 2 ? 0.01 : -0.01;
        for (int outside = 0; outside < 2; outside++) {
            const double r = outside ? 1.1 : 0.96;
            sw_fem_tool_place at;
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = r * cos(a) * e[0][k] + r * sin(a) * e[1][k] + over * e[2][k];
            sw_fem_tool_find(&tool, x, &at);
            if (outside)
                touched += isfinite(at.gap);
            else
                CHECK_CLOSE(at.gap, over, 1e-14);
        }
    }
    assert_int_equal(touched, 0);
    sw_fem_triangles_free(s);
}

/* A wedge of 50 degrees, its edge along y from (0, 0) to (1, 0): closed and convex, so that a place is within where it is behind
 * every plane. Beyond the edge each side sees the other's back. Near it, and at 30 and 1e4 times its size. */
static void sharp_edges_have_an_outside(void **state)
{
    const double c = cos(25 * SW_PI / 180), h = sin(25 * SW_PI / 180);
    const double corner[6][3] = {{0, 0, 0}, {0, 1, 0}, {h, 0, c}, {h, 1, c}, {-h, 0, c}, {-h, 1, c}};
    const int face[8][3] = {{0, 1, 3}, {0, 3, 2}, {0, 5, 1}, {0, 4, 5},
                            {2, 5, 4}, {2, 3, 5}, {0, 2, 4}, {1, 5, 3}};
    const double plane[5][4] = {{c, 0, -h, 0}, {-c, 0, -h, 0}, {0, 0, 1, c}, {0, -1, 0, 0}, {0, 1, 0, 1}};
    double t[8][3][3];
    sw_fem_triangles *wedge;
    (void)state;
    for (int f = 0; f < 8; f++)
        for (int k = 0; k < 3; k++)
            memcpy(t[f][k], corner[face[f][k]], sizeof t[f][k]);
    CHECK_OK(sw_fem_triangles_make(8, (const double(*)[3][3])t, &wedge));
    srand(5);
    for (int i = 0; i < 30000; i++) {
        const double size = i % 3 == 0 ? 2 : i % 3 == 1 ? 30 : 1e4;
        double x[3], out = -INFINITY;
        sw_fem_tool_place at;
        for (int k = 0; k < 3; k++)
            x[k] = 0.3 + size * (rand() / (double)RAND_MAX - 0.5);
        for (int k = 0; k < 5; k++)
            out = fmax(out, sw_dot(plane[k], x) - plane[k][3]);
        if (fabs(out) < 1e-9)
            continue;
        sw_fem_triangles_find(wedge, x, &at);
        if (!(out > 0 ? at.gap > 0 : at.gap < 0))
            fail_msg("at %g %g %g, %g outside: gap %g", x[0], x[1], x[2], out, at.gap);
    }
    sw_fem_triangles_free(wedge);
}

static void refused(void **state)
{
    const double line[1][3][3] = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}},
                 nan[1][3][3] = {{{NAN, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    sw_fem_triangles *s;
    (void)state;
    assert_int_equal(sw_fem_triangles_make(0, line, &s), SW_ERR_RANGE);
    assert_int_equal(sw_fem_triangles_make(1, line, &s), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "triangle 1 has no area"));
    assert_int_equal(sw_fem_triangles_make(1, nan, &s), SW_ERR_RANGE);
}

/* ---- Jobs ---- */

/* A block pressed by a tool at z = 1: the force on the tool at the end, N. */
static double press(const char *tool)
{
    static const char block[] =
        "mesh: {body: box, cells: [4, 4, 4], size: [1, 1, 1]}\nstrain: finite\n"
        "materials: [{young: 2.0e11, poisson: 0.3, yield_stress: 1.0e8, hardening: {law: linear, modulus: "
        "1.0e9}}]\n"
        "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]\n"
        "tools: [{name: t, %s, surfaces: [z_max], friction: 0.1, move: [0, 0, -0.05]}]\n"
        "steps: [{factor: 1, increments: 5}]\nsolver: {linear: direct}\noutput: {file: t.h5, fields: "
        "[none]}\n";
    char text[2048];
    sw_fem_job *job;
    sw_fem *fem;
    sw_fem_report report = {0};
    double increment = 1, force[3 * 126];
    snprintf(text, sizeof text, block, tool);
    CHECK_OK(read_job(text, NULL, NULL, NO_OPTIONS, &job));
    CHECK_OK(sw_fem_open(&job->problem, &job->options, &fem));
    for (int64_t i = 0; i < job->n_increments; i++)
        CHECK_OK(sw_fem_advance(fem, job->factor + i * job->problem.n_cases, &increment, &report));
    CHECK_OK(sw_fem_read(fem, &(sw_fem_fields){.force = force}));
    sw_fem_close(fem);
    sw_fem_job_free(job);
    return force[3 * 125 + 2];
}

static void write_stl(const char *path, int64_t n, const double (*t)[3][3], double scale)
{
    FILE *file = fopen(path, "w");
    fprintf(file, "solid a\n");
    for (int64_t i = 0; i < n; i++) {
        fprintf(file, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++)
            fprintf(file, "vertex %.17g %.17g %.17g\n", scale * t[i][k][0], scale * t[i][k][1],
                    scale * t[i][k][2]);
        fprintf(file, "endloop\nendfacet\n");
    }
    fprintf(file, "endsolid a\n");
    fclose(file);
}

/* A plane of two triangles, and one of a hexahedron's sides, are a plane: to what Newton's method leaves, 1e-6. */
static void a_plane_of_triangles_presses_as_a_plane(void **state)
{
    static const double plate[2][3][3] = {{{-1, -1, 0}, {3, 3, 0}, {3, -1, 0}},
                                          {{-1, -1, 0}, {-1, 3, 0}, {3, 3, 0}}};
    (void)state;
    write_stl("plate.stl", 2, plate, 1000);
    FILE *file = fopen("plate.inp", "w");
    fprintf(
        file,
        "*NODE\n1, -1, -1, 0\n2, 3, -1, 0\n3, 3, 3, 0\n4, -1, 3, 0\n5, -1, -1, 2\n6, 3, -1, 2\n7, 3, 3, 2\n"
        "8, -1, 3, 2\n*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n");
    fclose(file);
    const double plane = press("shape: plane, point: [0, 0, 1], normal: [0, 0, -1]");
    assert_true(plane < -1e8);
    CHECK_CLOSE(press("shape: mesh, point: [0, 0, 1], file: plate.stl, scale: 1.0e-3") / plane, 1, 1e-6);
    CHECK_CLOSE(press("shape: mesh, point: [0, 0, 1], file: plate.inp") / plane, 1, 1e-6);
}

/* A ball of edges of 0.08 radii: it is up to 1.1e-3 radii smaller (a_ball_is_a_sphere, quartered), 2.2 % of the depth of 0.05. */
static void a_ball_of_triangles_presses_as_a_sphere(void **state)
{
    static double t[MOST][3][3];
    (void)state;
    write_stl("ball.stl", ball(4, t), (const double(*)[3][3])t, 1);
    const double sphere = press("shape: sphere, point: [0, 0, 2], radius: 1");
    assert_true(sphere < -1e6);
    CHECK_CLOSE(press("shape: mesh, point: [0, 0, 2], file: ball.stl") / sphere, 1, 0.022);
}

static void jobs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {{"output: {file: a.h5}\nmesh: {body: box, cells: [1, 1, 1], size: [1, 1, 1]}\nstrain: "
                  "finite\nmaterials: [{young: "
                  "1.0e9, poisson: 0.3}]\n"
                  "boundary: [{nodes: z_min, z: 0}]\ntools: [{name: t, shape: mesh, point: [0, 0, 1], file: "
                  "absent.stl, surfaces: "
                  "[z_max]}]\n",
                  "tools[0].file"},
                 {"output: {file: a.h5}\nmesh: {body: box, cells: [1, 1], size: [1, 1]}\nkinematics: "
                  "plane_strain\nstrain: finite\n"
                  "materials: [{young: 1.0e9, poisson: 0.3}]\n"
                  "boundary: [{nodes: y_min, y: 0}]\ntools: [{name: t, shape: mesh, point: [0, 1], file: "
                  "absent.stl, surfaces: "
                  "[y_max]}]\n",
                  "tools[0].shape = mesh: goes with a body in space"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sw_fem_job *job;
        assert_true(read_job(wrong[i].text, NULL, NULL, NO_OPTIONS, &job) != SW_OK);
        if (strstr(sw_error_message(), wrong[i].message) == NULL)
            fail_msg("%s", sw_error_message());
    }
}

static int set_up(void **state) { return make_job_folder(state) != 0 || chdir(folder) != 0; }

static int tear_down(void **state)
{
    unlink("plate.stl");
    unlink("plate.inp");
    unlink("ball.stl");
    return chdir("/") != 0 || remove_job_folder(state) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_is_a_sphere),
                                       cmocka_unit_test(edges),
                                       cmocka_unit_test(an_open_plate_ends_at_its_rim),
                                       cmocka_unit_test(sharp_edges_have_an_outside),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(a_plane_of_triangles_presses_as_a_plane),
                                       cmocka_unit_test(a_ball_of_triangles_presses_as_a_sphere),
                                       cmocka_unit_test(jobs_are_refused)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
