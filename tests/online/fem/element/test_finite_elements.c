/* Elements at finite strains: patch tests, tangents against differences of forces, symmetry, inverted elements.
 */
#include "tests/online/fem/meshes.h"

#include "online/fem/backend/backend.h"
#include "online/fem/law/finite.h"

#include <omp.h>

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};
static const sw_fem_kinematics kinds[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
enum { KINDS = 3 };

/* Away from the axis. */
static void shift(const void *context, const double at[3], double position[3])
{
    (void)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] + (i == 0 ? 0.2 : 0);
}

static void make(fem_body *b, sw_fem_kinematics k, int b_bar, int n, double distort)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    fem_make(b, fem_grid(cells, distort, shift, NULL), k, b_bar, steel);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    assert_int_equal(b->options.preconditioner, SW_FEM_AMG);
    b->options.tolerance = 1e-11;
    b->options.linear_tolerance = 1e-12;
}

/* ---- Patch tests ---- */

/* All outer nodes by F, large; inner nodes find their places, and every point has the law's stress. Equilibrium to
 * 1e-11 of the forces; stresses are off by some ten times that, and by round-off of 2 G. */
static void check_patch(sw_fem_kinematics k, int b_bar, const double h[3][3])
{
    const sw_fem_point virgin = {.equivalent = 0};
    fem_body b;
    fem_run r;
    double stress[6], strain[6], worst = 0;
    const double J = (1 + h[0][0]) * ((1 + h[1][1]) * (1 + h[2][2]) - h[1][2] * h[2][1]) -
                     h[0][1] * (h[1][0] * (1 + h[2][2]) - h[1][2] * h[2][0]) +
                     h[0][2] * (h[1][0] * h[2][1] - (1 + h[1][1]) * h[2][0]);
    make(&b, k, b_bar, 3, 0.25);
    for (int64_t n = 0; n < b.N; n++) {
        const double *x = b.mesh->position + n * b.d;
        int outer = 0;
        for (int i = 0; i < b.d; i++)
            outer |= fabs(x[i] - (i == 0 ? 0.7 : 0.5)) > 0.5 - 1e-9;
        for (int i = 0; i < b.d && outer; i++) {
            double u = 0;
            for (int j = 0; j < b.d; j++)
                u += h[i][j] * x[j];
            fem_fix(&b, 0, n, i, u);
        }
    }
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    double(*point_strain)[6] = zeros(b.E * b.V, sizeof *point_strain);
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.point_strain = point_strain}));
    assert_true(r.report.plastic_elements == b.E);
    /* In as many steps as the analysis took the stress would be the path's: it took one. */
    assert_int_equal(r.report.substeps, 1);
    sw_fem_finite_return(&steel, h, &virgin, stress, NULL, NULL);
    sw_fem_logarithmic_strain(h, strain);
    for (int64_t q = 0; q < b.E * b.V; q++)
        for (int i = 0; i < 6; i++) {
            worst = greatest(worst, fabs(r.point_stress[q][i] - stress[i] / J) / steel.yield_stress);
            CHECK_CLOSE(point_strain[q][i], strain[i], 1e-9);
        }
    print_message("patch, %s%s: stress off by %.1e of the yield stress\n", sw_fem_kinematics_names[k],
                  b_bar ? ", mean dilatation" : "", worst);
    CHECK_CLOSE(worst, 0, 1e-8);
    free(point_strain);
    fem_close(&r);
    fem_free(&b);
}

static void test_patches(void **state)
{
    (void)state;
    /* The pressures are GPa: det F is 0.97 or so. */
    const double solid[3][3] = {{0.2, 0.3, 0}, {0.1, -0.2, 0.1}, {0, 0.1, 0.05}};
    const double plane[3][3] = {{0.2, 0.3, 0}, {-0.1, -0.2, 0}, {0}};
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        check_patch(SW_FEM_SOLID, b_bar, solid);
        check_patch(SW_FEM_PLANE_STRAIN, b_bar, plane);
    }
}

/* ---- Tangents ---- */

/* A body that has yielded under a random displacement and moves on by another: K p against central differences of
 * the internal forces, and x K y against y K x. Step 1e-6: some 1e-11 of third derivatives over size squared, and
 * round-off 1e-16 / 1e-6 of 2 G x length. */
static void check_tangent(sw_fem_kinematics k, int b_bar)
{
    fem_body b;
    fem_run r;
    uint64_t seed = 99;
    int64_t points, elements;
    const double x = 1e-6;
    make(&b, k, b_bar, 2, 0.2);
    fem_fix_set(&b, 0, "x_min", 0, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(&b, 0, "z_min", 2, 0);
    fem_open(&b, &r);
    const sw_fem_backend *on = r.fem->backend;
    const int64_t n = b.N * b.c;
    double *u = zeros(n, sizeof *u), *p = zeros(n, sizeof *p), *f = zeros(n, sizeof *f),
           *g = zeros(n, sizeof *g), *y = zeros(n, sizeof *y), *v = zeros(n, sizeof *v), off = 0, size = 0;
    for (int step = 0; step < 3; step++) {
        for (int64_t i = 0; i < n; i++)
            u[i] += 0.04 * number(&seed);
        if (step < 2)
            CHECK_OK(on->accept(r.fem, u));
    }
    CHECK_OK(on->internal(r.fem, u, f, &points, &elements));
    assert_true(points > b.E * b.V / 2);
    CHECK_OK(on->tangent(r.fem, u, 0));
    for (int64_t i = 0; i < n; i++) {
        p[i] = number(&seed);
        y[i] = number(&seed);
    }
    CHECK_OK(on->product(r.fem, p, g));
    CHECK_OK(on->product(r.fem, y, v));
    double one = 0, other = 0, all = 0;
    for (int64_t i = 0; i < n; i++) {
        one += p[i] * v[i];
        other += y[i] * g[i];
        all += fabs(p[i] * v[i]);
    }
    CHECK_CLOSE(one, other, 1e-13 * all);
    for (int64_t i = 0; i < n; i++)
        u[i] += x * p[i];
    CHECK_OK(on->internal(r.fem, u, f, &points, &elements));
    for (int64_t i = 0; i < n; i++)
        u[i] -= 2 * x * p[i];
    CHECK_OK(on->internal(r.fem, u, y, &points, &elements));
    for (int64_t i = 0; i < n; i++) {
        const double d = (f[i] - y[i]) / (2 * x) - g[i];
        off += d * d;
        size += g[i] * g[i];
    }
    print_message("tangent, %s%s: off by %.1e\n", sw_fem_kinematics_names[k],
                  b_bar ? ", mean dilatation" : "", sqrt(off / size));
    CHECK_CLOSE(sqrt(off / size), 0, 1e-6);
    free(u);
    free(p);
    free(f);
    free(g);
    free(y);
    free(v);
    fem_close(&r);
    fem_free(&b);
}

static void test_tangents_are_consistent_and_symmetric(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int b_bar = 0; b_bar < 2; b_bar++)
            check_tangent(kinds[i], b_bar);
}

/* ---- Rigid motions ---- */

/* Turned by any angle a virgin body has no stress and no forces. */
static void test_rotations_leave_no_stress(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        fem_body b;
        fem_run r;
        const double a = 2.5;
        make(&b, SW_FEM_SOLID, b_bar, 2, 0.2);
        for (int64_t n = 0; n < b.N; n++) {
            const double *x = b.mesh->position + 3 * n;
            fem_fix(&b, 0, n, 0, (cos(a) - 1) * x[0] - sin(a) * x[1]);
            fem_fix(&b, 0, n, 1, sin(a) * x[0] + (cos(a) - 1) * x[1]);
            fem_fix(&b, 0, n, 2, 0);
        }
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        for (int64_t q = 0; q < b.E * b.V; q++)
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(r.point_stress[q][i], 0, 1e-14 * steel.young);
        fem_close(&r);
        fem_free(&b);
    }
}

/* ---- What cannot be ---- */

/* The message names the element; the last good state stays. */
static void test_inverted_elements_are_named(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make(&b, SW_FEM_PLANE_STRAIN, 1, 2, 0);
    for (int64_t n = 0; n < b.N; n++)
        for (int i = 0; i < 2; i++)
            fem_fix(&b, 0, n, i, n == 4 && i == 0 ? 1.0 : 0); /* the middle node, through the side */
    fem_open(&b, &r);
    const double all[FEM_MOST_CASES] = {1, 1};
    assert_int_equal(sw_fem_advance(r.fem, all, &r.increment, &r.report), SW_ERR_CONVERGENCE);
    print_message("%s\n", sw_error_message());
    assert_non_null(strstr(sw_error_message(), "element 2 would be turned inside out"));
    assert_true(r.report.cutbacks > 3 && r.report.substeps > 0);
    fem_read(&r);
    /* A point's volume is 0 where 1 = s (1 + 1 / root 3) / 2 / (a cell of 0.5 m). */
    CHECK_CLOSE(r.factor[0], 1 / (1 + SW_FEM_GAUSS), 2e-4);
    CHECK_CLOSE(r.u[8], r.factor[0], 1e-15);
    fem_load(&b, &r, 0.1);
    fem_close(&r);
    fem_free(&b);
}

static void test_refusals(void **state)
{
    (void)state;
    fem_body b;
    sw_fem *fem;
    make(&b, SW_FEM_PLANE_STRAIN, 0, 1, 0);
    fem_fix_set(&b, 0, "x_min", 0, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    b.problem.kinematics = SW_FEM_PLANE_STRESS;
    assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_RANGE);
    assert_string_equal(sw_error_message(),
                        "strain finite is for solid, plane_strain and axisymmetric, not plane_stress");
    b.problem.kinematics = SW_FEM_PLANE_STRAIN;
    b.options.operator_ = SW_FEM_EBE;
    assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "operator ebe"));
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_tangents_are_consistent_and_symmetric),
        cmocka_unit_test(test_rotations_leave_no_stress),
        cmocka_unit_test(test_inverted_elements_are_named),
        cmocka_unit_test(test_refusals),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("elements at finite strains", tests, NULL, NULL);
}
