/* Bodies between rigid tools: against closed solutions, each other, and what must be refused. */
#include "tests/online/fem/meshes.h"

#include <omp.h>

#include "online/fem/analysis/analysis.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};
static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

/* ---- A billet, half of its height ---- */

enum { MIDDLE, TOP };
#define RADIUS 0.010
#define HALF 0.015

static void billet(const void *context, const double at[3], double position[3])
{
    const int solid = *(const int *)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] * (i == (solid ? 2 : 1) ? HALF : RADIUS);
}

/* n elements across the radius (of a solid: half the side of a square bar), 3 n / 2 along half the height, on its
 * symmetry planes. */
static void make(fem_body *b, sw_fem_kinematics k, int n, double distort, sw_fem_material material,
                 double tolerance)
{
    const int solid = k == SW_FEM_SOLID, cells[3] = {n, solid ? n : 3 * n / 2, solid ? 3 * n / 2 : 0};
    fem_make(b, fem_grid(cells, distort, billet, &solid), k, 1, material);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.tolerance = tolerance;
    b->options.linear_tolerance = 0.1 * tolerance;
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    if (solid)
        fem_fix_set(b, 0, "z_min", 2, 0);
}

static const char *top_of(const fem_body *b) { return b->d == 3 ? "z_max" : "y_max"; }

/* The upper plate, moved by `move` at factor 1 along the axis, or free along it (NaN). */
static sw_fem_tool plate_of(const fem_body *b)
{
    sw_fem_tool plate = {.name = "plate", .shape = SW_FEM_PLANE};
    plate.point[b->d - 1] = HALF;
    plate.direction[b->d - 1] = -1;
    return plate;
}

static int add_plate(fem_body *b, sw_fem_tool plate, double move)
{
    double moves[3] = {0};
    moves[b->d - 1] = move;
    return fem_add_tool(b, plate, top_of(b), "x_max", 0, moves);
}

/* Of the first tool, N on the body. */
static double press(const fem_body *b, const fem_run *r, int component)
{
    return -r->force[b->N * b->c + component];
}

/* As in tests/online/fem/analysis/test_finite.c: t (1 + H / E) = yield + H e, force t V / h. */
static double upset_force(const fem_body *b, double reduction)
{
    const double H = steel.parameter[SW_FEM_MODULUS], e = -log(1 - reduction);
    const double t = fmin(steel.young * e, (steel.yield_stress + H * e) / (1 + H / steel.young));
    return t * (b->d == 3 ? RADIUS * RADIUS : PI * RADIUS * RADIUS) / (1 - reduction);
}

/* ---- Without friction ---- */

/* A smooth plate leaves the billet a cylinder: the closed solution, off by what the penalty lets in, p / 100 E of an
 * element's depth: 5e-5 of the height at the end. */
static void upset(sw_fem_kinematics k)
{
    fem_body b;
    fem_run r;
    double worst = 0, area;
    make(&b, k, 4, 0.15, steel, 1e-7);
    add_plate(&b, plate_of(&b), -HALF);
    fem_open(&b, &r);
    for (int i = 1; i <= 12; i++) {
        fem_load(&b, &r, 0.05 * i);
        worst = greatest(worst, fabs(press(&b, &r, b.d - 1) / upset_force(&b, 0.05 * i) - 1));
    }
    double *pressure = zeros(b.N, sizeof *pressure);
    sw_fem_contact_sums sums[FEM_MOST_TOOLS];
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.contact_pressure = pressure, .contact = sums}));
    area = (k == SW_FEM_SOLID ? RADIUS * RADIUS : PI * RADIUS * RADIUS) / 0.4;
    print_message("upsetting, %s: force off by %.1e from 5 to 60 %%, area by %.1e\n",
                  sw_fem_kinematics_names[k], worst, sums[0].area / area - 1);
    CHECK_CLOSE(worst, 0, 1e-4);
    CHECK_CLOSE(sums[0].area, area, 5e-3 * area); /* the elastic volume: p / 3 K = 0.2 % */
    const sw_fem_set *top = fem_nodes(&b, top_of(&b));
    assert_int_equal(sums[0].touching, top->n);
    for (int64_t i = 0; i < top->n; i++)
        CHECK_CLOSE(pressure[top->member[i]], press(&b, &r, b.d - 1) / sums[0].area, 1e-4 * sums[0].pressure);
    free(pressure);
    fem_close(&r);
    fem_free(&b);
}

static void test_a_smooth_plate_leaves_a_cylinder(void **state)
{
    (void)state;
    upset(SW_FEM_AXISYMMETRIC);
    upset(SW_FEM_SOLID);
}

/* In a hollow cylinder of its own radius a billet has nowhere to go: uniaxial strain, t_zz = (K + 4 G / 3) ln(1 - r)
 * of an elastic one, the same pressure all over the wall. */
static void test_a_container(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    sw_fem_contact_sums sums[FEM_MOST_TOOLS];
    const double bulk = sw_fem_bulk(&elastic), shear = sw_fem_shear(&elastic), e = log(0.9);
    make(&b, SW_FEM_AXISYMMETRIC, 4, 0.1, elastic, 1e-9);
    add_plate(&b, plate_of(&b), -HALF);
    const double still[3] = {0};
    const sw_fem_tool wall = {.name = "container",
                              .shape = SW_FEM_CYLINDER,
                              .direction = {0, 1, 0},
                              .radius = RADIUS,
                              .hollow = 1,
                              .penalty = 1e5};
    fem_add_tool(&b, wall, "x_max", NULL, 0, still);
    b.tool[0].penalty = 1e5;
    fem_open(&b, &r);
    fem_load(&b, &r, 0.1);
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.contact = sums}));
    const double J = 0.9, axial = -(bulk + 4 * shear / 3) * e / J, radial = -(bulk - 2 * shear / 3) * e / J;
    print_message("container: axial %.6f of exact, radial %.6f\n",
                  press(&b, &r, 1) / (axial * PI * RADIUS * RADIUS), sums[1].pressure / radial);
    CHECK_CLOSE(press(&b, &r, 1), axial * PI * RADIUS * RADIUS, 1e-4 * axial * PI * RADIUS * RADIUS);
    CHECK_CLOSE(sums[1].pressure, radial, 1e-3 * radial);
    CHECK_CLOSE(sums[1].area, 2 * PI * RADIUS * HALF * 0.9, 1e-3 * sums[1].area);
    fem_close(&r);
    fem_free(&b);
}

/* ---- Tools that are pushed, and that come from afar ---- */

static void test_a_force_moves_the_plate_as_far(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make(&b, SW_FEM_AXISYMMETRIC, 4, 0, steel, 1e-8);
    add_plate(&b, plate_of(&b), NAN);
    const double force = upset_force(&b, 0.1);
    b.load[0].force[b.N * 2 + 1] = -force;
    fem_open(&b, &r);
    for (int i = 1; i <= 10; i++)
        fem_load(&b, &r, i < 9 ? 0.1 * i : 0.5 + 0.05 * i); /* yields at 0.87 */
    print_message("pushed plate: moved %.6f of 10 %%\n", -r.u[b.N * 2 + 1] / (0.1 * HALF));
    CHECK_CLOSE(-r.u[b.N * 2 + 1], 0.1 * HALF, 1e-3 * 0.1 * HALF);
    fem_close(&r);
    fem_free(&b);
}

/* The plate begins 1 mm above a billet that nothing else holds along the axis. What holds it is reported, a fifty
 * thousandth of the force, and vanishes with the first touch. */
static void test_a_body_is_held_until_it_is_touched(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    sw_fem_contact_sums sums[FEM_MOST_TOOLS];
    make(&b, SW_FEM_AXISYMMETRIC, 4, 0, steel, 1e-8);
    b.load[0].n_fixed = 0;
    fem_fix_set(&b, 0, "x_min", 0, 0);
    sw_fem_tool lower = plate_of(&b), upper = plate_of(&b);
    lower.point[1] = -0.001;
    lower.direction[1] = 1;
    lower.name = "lower";
    upper.point[1] += 0.001;
    fem_add_tool(&b, upper, "y_max", NULL, 0, (const double[]){0, -0.0025});
    fem_add_tool(&b, lower, "y_min", NULL, 0, (const double[]){0, 0.001});
    fem_open(&b, &r);
    for (int i = 1; i <= 10; i++) {
        fem_load(&b, &r, 0.1 * i);
        CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.contact = sums}));
        print_message("%2d: force %.4g %.4g N, held by %.3g %.3g N, %g nodes\n", i, press(&b, &r, 1),
                      -r.force[(b.N + 1) * 2 + 1], sums[0].held, sums[1].held, sums[0].touching);
        if (i <= 3) /* apart */
            assert_true(sums[0].touching == 0 && sums[0].held > 0 && sums[0].held < 10);
        if (i >= 7)
            assert_true(sums[0].touching == 5 && sums[0].held == 0);
    }
    /* 1.5 mm of 15 less the gap of the lower plate: 1 mm + 1 mm - 1 mm - 1 mm */
    const double height = 0.015 + 0.001 + 0.001 - 0.0025 - 0.001;
    const double exact = upset_force(&b, 1 - height / 0.015);
    CHECK_CLOSE(press(&b, &r, 1), exact, 2e-4 * exact);
    CHECK_CLOSE(r.force[(b.N + 1) * 2 + 1], exact, 2e-4 * exact); /* the lower one the other way */
    fem_close(&r);
    fem_free(&b);
}

/* ---- Newton's residuals ---- */

/* Billets that flow and slip, in steps of 2 %: below 1e-2 a residual is followed by its square, times some number, down to
 * round-off; by the step that is printed, and in the others too. */
static void quadratic(sw_fem_kinematics k, double friction, int sticks)
{
    fem_body b;
    fem_run r;
    int followed = 0;
    make(&b, k, 4, 0, steel, 1e-9);
    b.options.linear = SW_FEM_SOLVE_BICGSTAB;
    b.options.linear_tolerance = 1e-12;
    sw_fem_tool plate = plate_of(&b);
    plate.friction = friction;
    plate.sticks = sticks;
    add_plate(&b, plate, -HALF);
    fem_open(&b, &r);
    for (int i = 1; i <= 8; i++) {
        fem_load(&b, &r, 0.02 * i);
        if (i < 4)
            continue; /* it begins to yield and to slip in substeps */
        const int n = r.report.n_recorded;
        for (int m = 0; m < n; m++) {
            const double now = r.report.iteration[m].residual;
            const double next = m + 1 < n ? r.report.iteration[m + 1].residual : r.report.residual;
            if (i == 8)
                print_message("%s, friction %g%s, %d: residual %.2e, next %.2e\n", sw_fem_kinematics_names[k],
                              friction, sticks ? ", sticks" : "", m, now, next);
            if (now < 1e-2 && now > 1e-6) {
                CHECK_CLOSE(next, 0,
                            100 * now * now + 1e-3 * now); /* linear solutions are to 1e-3 at first */
                followed++;
            }
        }
    }
    assert_true(followed >= 5);
    fem_close(&r);
    fem_free(&b);
}

static void test_newton_converges_quadratically(void **state)
{
    (void)state;
    quadratic(SW_FEM_AXISYMMETRIC, 0.1, 0);
    quadratic(SW_FEM_AXISYMMETRIC, 0, 1);
    quadratic(SW_FEM_SOLID, 0.1, 0);
}

/* ---- The first step ---- */

static uint64_t scatter; /* 0: none */

/* Off by up to a thousandth, as cycles of single precision or over other parts are by less. */
static sw_status precondition_with_scatter(sw_fem *fem, const double *r, double *z)
{
    SW_TRY(sw_fem_cpu.precondition(fem, r, z));
    for (int64_t i = 0; i < fem->n_unknowns && scatter; i++)
        z[i] *= 1 + 1e-3 * ((double)(((uint64_t)i + 1) * scatter * 0x9E3779B97F4A7C15u >> 11) * 0x1p-52 - 1);
    return SW_OK;
}

/* Force (N) on a bar that sticks below and is shortened by 5 % in one step, 14 times what yields. Newton ends at 1e-9 of all
 * forces. */
static double first_step(double limit, int64_t *newton)
{
    sw_fem_backend with = sw_fem_cpu;
    fem_body b;
    fem_run r;
    make(&b, SW_FEM_SOLID, 4, 0, steel, 1e-9);
    b.options.linear_tolerance = 1e-12;
    fem_fix_set(&b, 0, "z_min", 0, 0);
    fem_fix_set(&b, 0, "z_min", 1, 0);
    sw_fem_tool plate = plate_of(&b);
    plate.friction = 0.1;
    plate.shear_limit = limit;
    add_plate(&b, plate, -HALF);
    fem_open(&b, &r);
    with.precondition = precondition_with_scatter;
    r.fem->backend = &with;
    fem_load(&b, &r, 0.05);
    const double force = press(&b, &r, 2);
    *newton = r.report.newton;
    print_message("limit %g MPa, scatter %d: %.9g N, %lld Newton iterations\n", limit * 1e-6, (int)scatter,
                  force, (long long)*newton);
    assert_int_equal(r.report.substeps, 1);
    fem_close(&r);
    fem_free(&b);
    return force;
}

/* Whatever a preconditioner is off by, and with a limit that friction reaches on the elastic guess alone (0.1 of 10 GPa for
 * 70 MPa), the way is the same: one iteration at its end depends on the last digits. The limit's way took ten for six. */
static void test_neither_round_off_nor_a_limit_chooses_the_way(void **state)
{
    (void)state;
    int64_t wanted, newton;
    scatter = 0;
    const double force = first_step(0, &wanted);
    for (scatter = 0; scatter < 3; scatter++) {
        CHECK_CLOSE(first_step(200e6, &newton), force, 1e-6 * force);
        CHECK_CLOSE((double)newton, (double)wanted, 1);
    }
}

/* ---- Sticking ---- */

/* A plate that sticks is as one whose displacements are prescribed, as long as nothing folds: 5 %. */
static void test_sticking_is_as_prescribed(void **state)
{
    (void)state;
    double force[2];
    for (int contact = 0; contact < 2; contact++) {
        fem_body b;
        fem_run r;
        make(&b, SW_FEM_AXISYMMETRIC, 4, 0, steel, 1e-8);
        sw_fem_tool plate = plate_of(&b);
        plate.sticks = 1;
        if (contact) {
            add_plate(&b, plate, -HALF);
        } else {
            fem_fix_set(&b, 0, "y_max", 0, 0);
            fem_fix_set(&b, 0, "y_max", 1, -HALF);
        }
        fem_open(&b, &r);
        for (int i = 1; i <= 5; i++)
            fem_load(&b, &r, 0.01 * i);
        force[contact] = contact ? press(&b, &r, 1) : -fem_resultant(&b, &r, "y_max", 1);
        fem_close(&r);
        fem_free(&b);
    }
    print_message("sticking: %.4f kN, prescribed %.4f kN\n", 1e-3 * force[1], 1e-3 * force[0]);
    CHECK_CLOSE(force[1], force[0], 1e-4 * force[0]);
}

/* Side nodes fold onto the plate, one after the other, and none goes through it. */
static void test_the_side_folds_onto_the_plate(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    sw_fem_contact_sums sums[FEM_MOST_TOOLS];
    make(&b, SW_FEM_AXISYMMETRIC, 8, 0, steel, 1e-6);
    sw_fem_tool plate = plate_of(&b);
    plate.sticks = 1;
    add_plate(&b, plate, -HALF);
    fem_open(&b, &r);
    for (int i = 1; i <= 25; i++)
        fem_load(&b, &r, 0.02 * i);
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.contact = sums}));
    const double height = HALF * 0.5, depth = HALF / 12;
    double highest = 0, widest = 0;
    for (int64_t n = 0; n < b.N; n++) {
        highest = greatest(highest, b.mesh->position[2 * n + 1] + r.u[2 * n + 1]);
        widest = greatest(widest, b.mesh->position[2 * n] + r.u[2 * n]);
    }
    print_message(
        "folded: %g nodes touch (9 on top), largest radius %.3f mm, through the plate %.2g elements\n",
        sums[0].touching, 1e3 * widest, (highest - height) / depth);
    assert_true(sums[0].touching >= 10);
    CHECK_CLOSE((highest - height) / depth, 0, 1e-3);
    assert_true(widest > 1.25 * RADIUS);
    fem_close(&r);
    fem_free(&b);
}

/* Pressed by 0.1 mm and pulled by as much: what the plate lets go relaxes, and plate and support agree at every step. */
static void test_a_plate_lets_go(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make(&b, SW_FEM_AXISYMMETRIC, 4, 0, steel, 1e-7);
    sw_fem_tool plate = plate_of(&b);
    plate.sticks = 1;
    add_plate(&b, plate, -0.0001);
    fem_open(&b, &r);
    for (int i = 1; i <= 8; i++) {
        fem_load(&b, &r, i <= 2 ? 0.5 * i : 1 - 0.25 * (i - 2));
        const double support = fem_resultant(&b, &r, "y_min", 1);
        print_message("%d: plate %.4g N, support %.4g N\n", i, press(&b, &r, 1), support);
        CHECK_CLOSE(press(&b, &r, 1), support, 300); /* 1e-3 of the force at the most */
    }
    assert_true(press(&b, &r, 1) == 0);
    fem_close(&r);
    fem_free(&b);
}

/* ---- The same bits ---- */

static void test_restarts_give_the_same_bits(void **state)
{
    (void)state;
    fem_body b;
    fem_run whole, second;
    make(&b, SW_FEM_AXISYMMETRIC, 6, 0, steel, 1e-7);
    sw_fem_tool plate = plate_of(&b);
    plate.sticks = 1;
    add_plate(&b, plate, -HALF);
    fem_restart(&b, &whole, &second);
    const size_t n = (size_t)((b.N + 1) * b.c);
    assert_memory_equal(whole.u, second.u, n * sizeof(double));
    assert_memory_equal(whole.force, second.force, n * sizeof(double));
    fem_close(&whole);
    fem_close(&second);
    fem_free(&b);
}

/* ---- What is refused ---- */

static void refused(const fem_body *b, const char *text)
{
    sw_fem *fem;
    assert_int_equal(sw_fem_open(&b->problem, &b->options, &fem), SW_ERR_RANGE);
    assert_null(fem);
    if (strstr(sw_error_message(), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, sw_error_message());
}

static void test_bad_tools_are_named(void **state)
{
    (void)state;
    fem_body b;
    make(&b, SW_FEM_AXISYMMETRIC, 2, 0, steel, 1e-8);
    const int t = add_plate(&b, plate_of(&b), -HALF);
    sw_fem_tool *plate = &b.tool[t];
    const sw_fem_tool good = *plate;
    plate->friction = -0.1;
    refused(&b, "tool plate: friction = -0.1: need 0 or more");
    *plate = good;
    static const double penalties[] = {1e-3, 0.99, 1.01e5, 1e9, -1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof penalties / sizeof *penalties; i++) {
        plate->penalty = penalties[i];
        refused(&b, "need 1 to 1e5, or 0 for the default");
    }
    *plate = good;
    plate->shear_limit = NAN;
    refused(&b, "shear_limit");
    *plate = good;
    plate->direction[0] = 1;
    refused(&b, "direction");
    *plate = good;
    plate->shape = SW_FEM_SPHERE;
    refused(&b, "radius = 0: need more than 0");
    *plate = good;
    plate->point[1] = 0.0149;
    refused(&b, "is 0.0001 m inside it");
    *plate = good;
    plate->direction[1] = 1;
    plate->n_surfaces = 1; /* without the side, which is behind it */
    refused(&b, "faces away from the surface that it touches");
    *plate = good;
    b.touched[t][1] = b.touched[t][0];
    refused(&b, "its surfaces share 2 faces");
    b.touched[t][1] = fem_surface(&b, "x_max");
    b.problem.strain = SW_FEM_SMALL;
    refused(&b, "strain finite");
    b.problem.strain = SW_FEM_FINITE;
    fem_free(&b);
    /* free to move, and nowhere near */
    make(&b, SW_FEM_AXISYMMETRIC, 2, 0, steel, 1e-8);
    b.tool[add_plate(&b, plate_of(&b), NAN)].point[1] = 0.016;
    refused(&b, "is 0.001 m from the body and free to move along y");
    fem_free(&b);
    /* a smooth plate does not hold a billet sideways, one with friction does */
    make(&b, SW_FEM_SOLID, 2, 0, steel, 1e-8);
    b.load[0].n_fixed = 0;
    fem_fix_set(&b, 0, "z_min", 2, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    add_plate(&b, plate_of(&b), -HALF);
    refused(&b, "can still move along x");
    b.tool[0].sticks = 1;
    sw_fem *fem;
    CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
    sw_fem_close(fem);
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_smooth_plate_leaves_a_cylinder),
        cmocka_unit_test(test_a_container),
        cmocka_unit_test(test_a_force_moves_the_plate_as_far),
        cmocka_unit_test(test_a_body_is_held_until_it_is_touched),
        cmocka_unit_test(test_newton_converges_quadratically),
        cmocka_unit_test(test_neither_round_off_nor_a_limit_chooses_the_way),
        cmocka_unit_test(test_sticking_is_as_prescribed),
        cmocka_unit_test(test_the_side_folds_onto_the_plate),
        cmocka_unit_test(test_a_plate_lets_go),
        cmocka_unit_test(test_restarts_give_the_same_bits),
        cmocka_unit_test(test_bad_tools_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
