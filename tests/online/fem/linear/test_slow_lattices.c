/* Lattices that are slow: cells that are no cubes, and what is hardly compressible. */
#include "tests/online/fem/meshes.h"

#include "online/fem/analysis/analysis.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {2e9}};
static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

/* ---- What auto takes ---- */

/* A box of n x m x n cells, edges along x and z over that along y: what auto takes of an analysis on the CPU. */
static sw_fem_linear_solver chosen_of(int n, int m, double x, double z, double poisson, int iterative)
{
    const sw_fem_voxels v = {.body = "box", .size = {n * x, m, n * z}, .cells = {n, m, n}};
    sw_fem_material material = elastic;
    sw_fem_mesh *mesh;
    fem_body b;
    material.poisson = poisson;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    fem_make(&b, mesh, SW_FEM_SOLID, 1, material);
    b.options.linear = SW_FEM_SOLVE_AUTO;
    b.options.iterative = iterative;
    sw_fem_linear_choose(&b.problem, &b.options);
    const sw_fem_linear_solver found = b.options.linear;
    assert_true((found == SW_FEM_SOLVE_DIRECT) == (b.options.preconditioner != SW_FEM_MULTIGRID));
    fem_free(&b);
    return found;
}

static sw_fem_linear_solver chosen(int n, double x, double z, double poisson)
{
    return chosen_of(n, n, x, z, poisson, 0);
}

/* Lattices go by multigrid but where it takes more iterations than a 120th of the unknowns: a few cells thick, where levels
 * cannot make cubes of flat ones (bent, 758 iterations of 20:1:20, 40 x 1 x 40), and what is hardly compressible. */
static void test_slow_lattices_go_by_factors(void **state)
{
    (void)state;
    if (!sw_fem_linear_solvers[SW_FEM_SOLVE_DIRECT])
        skip();
    assert_int_equal(chosen(16, 1, 1, 0.3), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen(2, 1, 1, 0.3), SW_FEM_SOLVE_AUTO); /* in no time */
    assert_int_equal(chosen(16, 1, 20, 0.3), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen(16, 100, 1, 0.3), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen(16, 1, 0.01, 0.3), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen_of(40, 1, 20, 20, 0.3, 0), SW_FEM_SOLVE_DIRECT);
    assert_int_equal(chosen_of(40, 16, 20, 20, 0.3, 0), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen_of(40, 4, 20, 20, 0.3, 0),
                     SW_FEM_SOLVE_DIRECT); /* 0.44 s; 0.84, 196 iterations */
    assert_int_equal(chosen_of(40, 3, 10, 10, 0.3, 0), SW_FEM_SOLVE_DIRECT);
    assert_int_equal(chosen(16, 1, 1, 0.49), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen(16, 1, 1, 0.4999), SW_FEM_SOLVE_DIRECT);
    assert_int_equal(chosen(32, 1, 1, 0.4999), SW_FEM_SOLVE_MIXED);
    assert_int_equal(chosen(32, 1, 1, 0.498), SW_FEM_SOLVE_AUTO);    /* no slower */
    assert_int_equal(chosen(24, 1, 5, 0.4999), SW_FEM_SOLVE_DIRECT); /* 1.8 s; pressures 3.1 */
    assert_int_equal(chosen(32, 1, 20, 0.4999), SW_FEM_SOLVE_AUTO); /* 360 iterations; with pressures 1,360 */
    /* Where multigrid was asked for it is had. */
    assert_int_equal(chosen_of(40, 1, 20, 20, 0.3, 1), SW_FEM_SOLVE_AUTO);
    assert_int_equal(chosen_of(16, 16, 1, 1, 0.4999, 1), SW_FEM_SOLVE_MIXED);
}

/* ---- How many iterations ---- */

enum { CELLS = 12 };

/* Iterations in all, of CELLS^3 cells with such edges between ends that stick, one of them moved by a hundredth and aside. */
static int of_cells(sw_fem_linear_solver linear, double x, double y, double z, double poisson)
{
    const sw_fem_voxels v = {.body = "box", .size = {x, y, z}, .cells = {CELLS, CELLS, CELLS}};
    sw_fem_material material = elastic;
    sw_fem_mesh *mesh;
    fem_body b;
    fem_run r;
    material.poisson = poisson;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    fem_make(&b, mesh, SW_FEM_SOLID, 1, material);
    b.options.linear = linear;
    b.options.tolerance = 1e-6;
    b.options.linear_tolerance = 1e-7;
    for (int j = 0; j < 3; j++) {
        fem_fix_set(&b, 0, "z_min", j, 0);
        fem_fix_set(&b, 0, "z_max", j, j == 2 ? -0.01 : 0.005);
    }
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    const int iterations = r.report.cg;
    fem_close(&r);
    fem_free(&b);
    return iterations;
}

/* Five times what cubes of a Poisson's ratio of 0.3 take is what is asked for; with levels that halve all sides alike and two
 * smoothings everywhere it was 5.1 and 5.2 times of 24^3 cells. They are to have half of that. */
static void test_slow_cells_take_few_iterations(void **state)
{
    (void)state;
    static const struct {
        double edges[3], poisson;
    } of[] = {{{1, 1, 5}, 0.3},   {{1, 5, 1}, 0.3},    {{5, 1, 1}, 0.3}, {{5, 5, 1}, 0.3},
              {{5, 1, 5}, 0.3},   {{1, 5, 5}, 0.3},    {{2, 1, 5}, 0.3}, {{1, 1, 1}, 0.49},
              {{1, 1, 100}, 0.3}, {{100, 1, 100}, 0.3}};
    const int easy = of_cells(SW_FEM_SOLVE_CG, 1, 1, 1, 0.3);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double *e = of[i].edges;
        const int hard = of_cells(SW_FEM_SOLVE_CG, e[0], e[1], e[2], of[i].poisson);
        print_message("%g:%g:%g, %g: %d iterations, cubes %d\n", e[0], e[1], e[2], of[i].poisson, hard, easy);
        assert_true(2 * hard <= 5 * easy);
    }
}

/* Ten times what a Poisson's ratio of 0.3 takes is what is asked for (conjugate gradients: 40 times), from 8^3 to 32^3 cells. */
static void test_pressures_take_few_iterations(void **state)
{
    (void)state;
    const int easy = of_cells(SW_FEM_SOLVE_CG, 1, 1, 1, 0.3),
              hard = of_cells(SW_FEM_SOLVE_MIXED, 1, 1, 1, 0.4999);
    print_message("%d^3 cells: %d iterations at 0.3, %d with pressures at 0.4999\n", CELLS, easy, hard);
    assert_true(hard <= 10 * easy);
}

/* A body with void cells, an odd number of them along two sides, of two materials, of which one has no pressures; held at one
 * end and pulled at the other: the same displacements as by conjugate gradients. */
static void test_pressures_give_the_same(void **state)
{
    (void)state;
    const double pull[3] = {1e6, 2e6, 0};
    double *first = NULL, size = 0, worst = 0;
    for (int s = 0; s < 2; s++) {
        const sw_fem_voxels v = {.body = "l_bracket", .size = {1, 1, 0.4}, .cells = {11, 11, 4}};
        sw_fem_material material[2] = {elastic, elastic};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        material[0].poisson = 0.4999;
        material[1].young = 20e9;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        assert_true(mesh->n_elements < 11 * 11 * 4);
        fem_make(&b, mesh, SW_FEM_SOLID, 1, material[0]);
        uint8_t *of = zeros(b.E, 1);
        for (int64_t e = 0; e < b.E; e++)
            of[e] = e % 7 == 3;
        b.problem.n_materials = 2;
        b.problem.material = material;
        b.problem.material_of = of;
        b.options.linear = s ? SW_FEM_SOLVE_MIXED : SW_FEM_SOLVE_CG;
        b.options.tolerance = 1e-10; /* of the forces, times the condition of a slender body, some 1e3 */
        b.options.linear_tolerance = 1e-11;
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "x_min", j, 0);
        CHECK_OK(sw_fem_add_traction(&b.problem, fem_surface(&b, "x_max"), pull, b.load[0].force));
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        if (!first) {
            first = zeros(b.N * 3, sizeof *first);
            memcpy(first, r.u, (size_t)(b.N * 3) * sizeof *first);
        }
        for (int64_t i = 0; i < b.N * 3; i++) {
            size = greatest(size, fabs(first[i]));
            worst = greatest(worst, fabs(r.u[i] - first[i]));
        }
        print_message("%s: %d iterations, off by %.1e of %.1e\n", sw_fem_linear_names[b.options.linear],
                      r.report.cg, worst, size);
        fem_close(&r);
        fem_free(&b);
        free(of);
    }
    CHECK_CLOSE(worst, 0, 1e-7 * size);
    free(first);
}

/* What pressures are not for, it says. */
static void test_pressures_are_refused(void **state)
{
    (void)state;
    static const char *const why[] = {"mixed: not without mean dilatation (b_bar): need auto, cg or direct",
                                      "mixed: not of materials that are not elastic throughout",
                                      "mixed: preconditioner jacobi: need multigrid",
                                      "mixed: not at finite strains",
                                      "mixed: not of what is no solid of equal boxes",
                                      "mixed: not of a periodic body"};
    for (int i = 0; i < 6; i++) {
        const sw_fem_voxels v = {.body = i == 4 ? "cylinder" : "box", .size = {1, 1, 1}, .cells = {4, 4, 4}};
        sw_fem_mesh *mesh;
        sw_fem *fem;
        fem_body b;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        fem_make(&b, mesh, SW_FEM_SOLID, i != 0, i == 1 ? steel : elastic);
        b.options.linear = SW_FEM_SOLVE_MIXED;
        if (i == 2)
            b.options.preconditioner = SW_FEM_JACOBI;
        b.problem.strain = i == 3 ? SW_FEM_FINITE : SW_FEM_SMALL;
        b.problem.periodic = i == 5;
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "z_min", j, 0);
        assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_RANGE);
        assert_non_null(strstr(sw_error_message(), why[i]));
        fem_free(&b);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_lattices_go_by_factors),
        cmocka_unit_test(test_slow_cells_take_few_iterations),
        cmocka_unit_test(test_pressures_take_few_iterations),
        cmocka_unit_test(test_pressures_give_the_same),
        cmocka_unit_test(test_pressures_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
