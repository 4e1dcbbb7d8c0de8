/* Analyses at finite strains against closed solutions: simple shear, rotation, homogeneous upsetting; Newton's
 * residuals, restarts, locking. */
#include "tests/online/fem/meshes.h"

#include "online/fem/backend/backend.h"

#include <omp.h>

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};
static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

static void make(fem_body *b, sw_fem_mesh *mesh, sw_fem_kinematics k, int b_bar, sw_fem_material material,
                 double tolerance)
{
    fem_make(b, mesh, k, b_bar, material);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.tolerance = tolerance;
    b->options.linear_tolerance = 0.1 * tolerance;
}

/* Unit square or cube of n cells a side (h: heights). */
static sw_fem_mesh *block(sw_fem_kinematics k, int n, double distort)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    return fem_grid(cells, distort, NULL, NULL);
}

/* ---- Simple shear and rotation ---- */

/* u_x = g y on the outer nodes, inner ones free, of distorted meshes: no oscillation, and 1e-6. */
static void test_elastic_simple_shear(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        fem_body b;
        fem_run r;
        double worst = 0, most = 0, at_most = 0;
        make(&b, block(SW_FEM_PLANE_STRAIN, 2, 0.1), SW_FEM_PLANE_STRAIN, b_bar, elastic, 1e-9);
        const double shear = sw_fem_shear(&elastic);
        for (int64_t n = 0; n < b.N; n++) {
            const double *x = b.mesh->position + 2 * n;
            if (fabs(x[0] - 0.5) > 0.499 || fabs(x[1] - 0.5) > 0.499) {
                fem_fix(&b, 0, n, 0, x[1]);
                fem_fix(&b, 0, n, 1, 0);
            }
        }
        fem_open(&b, &r);
        for (int i = 1; i <= 100; i++) {
            const double g = 0.05 * i, exact = 2 * shear * asinh(g / 2) / sqrt(1 + g * g / 4);
            fem_load(&b, &r, g);
            for (int64_t q = 0; q < b.E * b.V; q++)
                worst = greatest(worst, fabs(r.point_stress[q][5] / exact - 1));
            if (r.point_stress[0][5] > most) {
                most = r.point_stress[0][5];
                at_most = g;
            }
        }
        print_message("simple shear to 5%s: off by %.1e, largest at %.2f\n", b_bar ? ", mean dilatation" : "",
                      worst, at_most);
        CHECK_CLOSE(worst, 0, 1e-6);
        CHECK_CLOSE(at_most, 3.02, 0.051);
        fem_close(&r);
        fem_free(&b);
    }
}

/* Strained to yielding by case 0, u = h x; then turned by cases 1 and 2, cos - 1 and sin of the strained shape:
 * ten times in steps of ten degrees. Invariants of the stress stay, nothing flows. */
static void test_a_stressed_element_turned_ten_times(void **state)
{
    (void)state;
    const double h[2][2] = {{0.02, 0.03}, {0.01, -0.01}};
    fem_body b;
    fem_run r;
    double worst = 0, increment = 1;
    make(&b, block(SW_FEM_PLANE_STRAIN, 1, 0), SW_FEM_PLANE_STRAIN, 1, steel, 1e-9);
    b.problem.n_cases = 3;
    for (int64_t n = 0; n < b.N; n++) {
        const double *x = b.mesh->position + 2 * n;
        const double u[2] = {h[0][0] * x[0] + h[0][1] * x[1], h[1][0] * x[0] + h[1][1] * x[1]};
        for (int i = 0; i < 2; i++) {
            fem_fix(&b, 0, n, i, u[i]);
            fem_fix(&b, 1, n, i, x[i] + u[i]);
            fem_fix(&b, 2, n, i, i == 0 ? -x[1] - u[1] : x[0] + u[0]);
        }
    }
    fem_open(&b, &r);
    CHECK_OK(sw_fem_advance(r.fem, (double[]){1, 0, 0}, &increment, &r.report));
    fem_read(&r);
    const double q = fem_von_mises(r.point_stress[0]), p = r.point_plastic_strain[0];
    const double trace = r.point_stress[0][0] + r.point_stress[0][1] + r.point_stress[0][2];
    assert_true(p > 0.02);
    for (int i = 1; i <= 360; i++) {
        const double angle = 2 * PI * i / 36;
        CHECK_OK(sw_fem_advance(r.fem, (double[]){1, cos(angle) - 1, sin(angle)}, &increment, &r.report));
        assert_int_equal(r.report.substeps, 1);
        assert_int_equal(r.report.plastic_points, 0);
        fem_read(&r);
        for (int k = 0; k < b.V; k++) {
            const double *s = r.point_stress[k];
            worst = greatest(worst, fabs(fem_von_mises(s) / q - 1));
            worst = greatest(worst, fabs((s[0] + s[1] + s[2]) / trace - 1));
            assert_true(r.point_plastic_strain[k] == p);
        }
    }
    print_message("ten turns: invariants off by %.1e\n", worst);
    CHECK_CLOSE(worst, 0, 1e-8);
    fem_close(&r);
    fem_free(&b);
}

/* ---- Upsetting without friction ---- */

/* A billet of 10 mm radius (cube: half side) and 30 mm height between smooth plates. */
static void billet(const void *context, const double at[3], double position[3])
{
    const int solid = *(const int *)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] * (i == (solid ? 2 : 1) ? 0.03 : 0.01);
}

static sw_fem_mesh *billet_mesh(sw_fem_kinematics k, int n, double distort)
{
    const int solid = k == SW_FEM_SOLID;
    const int cells[3] = {n, solid ? n : 2 * n, solid ? 2 * n : 0};
    return fem_grid(cells, distort, billet, &solid);
}

/* Kirchhoff's uniaxial stress of a logarithmic strain -e: t (1 + H / E) = yield + H e beyond yield; the force is t V
 * / h whatever the sides do: Cauchy's stress t / J on an area J V / h. */
static double upset_force(const sw_fem_material *m, double e, double volume, double height)
{
    const double H = m->parameter[SW_FEM_MODULUS];
    const double t = fmin(m->young * e, (m->yield_stress + H * e) / (1 + H / m->young));
    return t * volume / height;
}

static void upset(sw_fem_kinematics k, int b_bar)
{
    const int axis = k == SW_FEM_SOLID ? 2 : 1;
    const char *const end[] = {"", "y_min", "z_min"}, *const top[] = {"", "y_max", "z_max"};
    const double volume = k == SW_FEM_SOLID ? 0.01 * 0.01 * 0.03 : PI * 0.01 * 0.01 * 0.03;
    fem_body b;
    fem_run r;
    double worst = 0;
    int newton = 0, cg = 0, substeps = 0;
    make(&b, billet_mesh(k, 2, 0.15), k, b_bar, steel, 1e-8);
    fem_fix_set(&b, 0, "x_min", 0, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(&b, 0, "y_min", 1, 0);
    fem_fix_set(&b, 0, end[axis], axis, 0);
    fem_fix_set(&b, 0, top[axis], axis, -0.03);
    fem_open(&b, &r);
    for (int i = 1; i <= 12; i++) {
        const double reduction = 0.05 * i, height = 0.03 * (1 - reduction);
        fem_load(&b, &r, reduction);
        const double exact = upset_force(&steel, -log(1 - reduction), volume, height);
        worst = greatest(worst, fabs(-fem_resultant(&b, &r, top[axis], axis) / exact - 1));
        newton += r.report.newton;
        cg += r.report.cg;
        substeps += r.report.substeps;
    }
    print_message("upsetting, %s%s: force off by %.1e from 5 to 60 %%; %d substeps, %d Newton, %d CG\n",
                  sw_fem_kinematics_names[k], b_bar ? ", mean dilatation" : "", worst, substeps, newton, cg);
    CHECK_CLOSE(worst, 0, 1e-6);
    assert_int_equal(substeps, 12);
    fem_close(&r);
    fem_free(&b);
}

/* In steps that are never divided: past 40 % the stress is three times the hardening, and where a step begins, the body led
 * on as by the last one, its tangent has negative eigenvalues. */
static void test_upsetting_is_homogeneous(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        upset(SW_FEM_AXISYMMETRIC, b_bar);
        upset(SW_FEM_SOLID, b_bar);
    }
}

/* ---- A billet that sticks to its plates ---- */

static void make_sticking(fem_body *b, int n, int b_bar, double tolerance)
{
    make(b, billet_mesh(SW_FEM_AXISYMMETRIC, n, 0), SW_FEM_AXISYMMETRIC, b_bar, steel, tolerance);
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0); /* the middle of its height */
    fem_fix_set(b, 0, "y_max", 0, 0);
    fem_fix_set(b, 0, "y_max", 1, -0.03);
}

/* Plastic, in steps of 2 %: once below 1e-3 a residual is followed by its square, times some number, down to
 * round-off of the forces. */
static void test_newton_converges_quadratically(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    int quadratic = 0;
    make_sticking(&b, 4, 1, 1e-11);
    fem_open(&b, &r);
    for (int i = 1; i <= 5; i++)
        fem_load(&b, &r, 0.02 * i);
    assert_int_equal(r.report.substeps, 1);
    const int n = r.report.n_recorded;
    for (int i = 0; i < n; i++) {
        const double now = r.report.iteration[i].residual;
        const double next = i + 1 < n ? r.report.iteration[i + 1].residual : r.report.residual;
        print_message("%d: residual %.2e, CG %d, step %.2f; next / square %.3g\n", i, now,
                      r.report.iteration[i].cg, r.report.iteration[i].step, next / (now * now));
        if (now < 1e-3) {
            CHECK_CLOSE(next, 0, 100 * now * now + 1e-10);
            quadratic++;
        }
    }
    assert_true(quadratic >= 2);
    fem_close(&r);
    fem_free(&b);
}

/* Force on the plate after 20 %, of meshes twice as fine each. */
static void test_full_integration_locks(void **state)
{
    (void)state;
    double force[2][3], strain = 0;
    for (int b_bar = 0; b_bar < 2; b_bar++)
        for (int mesh = 0; mesh < 3; mesh++) {
            fem_body b;
            fem_run r;
            make_sticking(&b, 2 << mesh, b_bar, 1e-6);
            fem_open(&b, &r);
            for (int i = 1; i <= 10; i++)
                fem_load(&b, &r, 0.02 * i);
            force[b_bar][mesh] = -fem_resultant(&b, &r, "y_max", 1);
            for (int64_t q = 0; q < b.E * b.V; q++)
                strain = greatest(strain, r.point_plastic_strain[q]);
            fem_close(&r);
            fem_free(&b);
        }
    print_message("sticking billet, 20 %%: %.0f %.0f %.0f kN, mean dilatation %.1f %.1f %.1f kN\n",
                  1e-3 * force[0][0], 1e-3 * force[0][1], 1e-3 * force[0][2], 1e-3 * force[1][0],
                  1e-3 * force[1][1], 1e-3 * force[1][2]);
    assert_true(force[0][0] > 1.5 * force[1][2]);
    assert_true(fabs(force[1][1] / force[1][2] - 1) < 0.02);
}

/* ---- How it is computed does not matter ---- */

/* To Newton's tolerance, 1e-8 of the forces; an eighth of a sticking block of boxes, upset by 10 %. */
static void test_every_preconditioner_gives_the_same(void **state)
{
    (void)state;
    static const sw_fem_preconditioner which[] = {SW_FEM_BLOCK_JACOBI, SW_FEM_JACOBI, SW_FEM_MULTIGRID};
    double force[3];
    for (int i = 0; i < 3; i++) {
        const sw_fem_voxels v = {.body = "box", .size = {0.01, 0.01, 0.015}, .cells = {4, 4, 6}};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        int cg = 0;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        make(&b, mesh, SW_FEM_SOLID, 1, steel, 1e-8);
        b.options.preconditioner = which[i];
        fem_fix_set(&b, 0, "x_min", 0, 0);
        fem_fix_set(&b, 0, "y_min", 1, 0);
        fem_fix_set(&b, 0, "z_min", 2, 0);
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "z_max", j, j == 2 ? -0.015 : 0);
        fem_open(&b, &r);
        for (int step = 1; step <= 5; step++) {
            fem_load(&b, &r, 0.02 * step);
            cg += r.report.cg;
        }
        force[i] = fem_resultant(&b, &r, "z_max", 2);
        print_message("%s: %.6f kN, %d CG\n", sw_fem_preconditioner_names[which[i]], 1e-3 * force[i], cg);
        CHECK_CLOSE(force[i], force[0], 1e-6 * fabs(force[0]));
        fem_close(&r);
        fem_free(&b);
    }
}

/* ---- The same bits ---- */

static void test_restarts_give_the_same_bits(void **state)
{
    (void)state;
    fem_body b;
    fem_run whole, second;
    make_sticking(&b, 3, 1, 1e-7);
    fem_restart(&b, &whole, &second);
    assert_memory_equal(whole.u, second.u, (size_t)(b.N * b.c) * sizeof(double));
    assert_memory_equal(whole.force, second.force, (size_t)(b.N * b.c) * sizeof(double));
    assert_memory_equal(whole.point_stress, second.point_stress,
                        (size_t)(b.E * b.V) * sizeof *whole.point_stress);
    assert_true(whole.report.external_work == second.report.external_work);
    fem_close(&whole);
    fem_close(&second);
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_simple_shear),
        cmocka_unit_test(test_a_stressed_element_turned_ten_times),
        cmocka_unit_test(test_upsetting_is_homogeneous),
        cmocka_unit_test(test_newton_converges_quadratically),
        cmocka_unit_test(test_full_integration_locks),
        cmocka_unit_test(test_every_preconditioner_gives_the_same),
        cmocka_unit_test(test_restarts_give_the_same_bits),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("analyses at finite strains", tests, NULL, NULL);
}
