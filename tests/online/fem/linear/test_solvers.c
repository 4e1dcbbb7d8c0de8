/* Every linear solver against the others: the same solution of every kind of tangent, in whole analyses and of one
 * tangent with a part that is not symmetric; what is refused. */
#include "tests/online/fem/meshes.h"

#include "online/fem/analysis/analysis.h"

#include <omp.h>

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {2e9}};
static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};

static int is_there(sw_fem_linear_solver solver)
{
    if (!sw_fem_linear_solvers[solver])
        print_message("linear %s: this build is without\n", sw_fem_linear_names[solver]);
    return sw_fem_linear_solvers[solver] != NULL;
}

/* A square or cube of 3 cells a side, distorted: held at x_min, its other end moved (1: by a tenth at factor 1)
 * aslant, a traction on its top. Axisymmetric: a ring. */
static void ring(const void *context, const double at[3], double position[3])
{
    const int hollow = *(const int *)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] + (i == 0 ? hollow : 0);
}

static void make(fem_body *b, sw_fem_kinematics k, sw_fem_strain_measure strain, sw_fem_material material)
{
    const int solid = k == SW_FEM_SOLID, hollow = k == SW_FEM_AXISYMMETRIC, b_bar = k != SW_FEM_PLANE_STRESS;
    const int cells[3] = {3, 3, solid ? 3 : 0};
    const double pull[3] = {0, 1e9, 0};
    fem_make(b, fem_grid(cells, 0.1, ring, &hollow), k, b_bar, material);
    b->problem.strain = strain;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.preconditioner = SW_FEM_BLOCK_JACOBI;
    b->options.tolerance = 1e-9;
    b->options.linear_tolerance = 1e-10;
    for (int j = 0; j < b->c; j++) {
        fem_fix_set(b, 0, "x_min", j, 0);
        fem_fix_set(b, 0, "x_max", j, j == 0 ? 0.1 : 0.05);
    }
    CHECK_OK(sw_fem_add_traction(&b->problem, fem_surface(b, "y_max"), pull, b->load[0].force));
}

/* ---- Analyses ---- */

/* Displacements at factor 1 to Newton's tolerance, 1e-9 of the forces, times the body's condition: a slender
 * part's bending against its stretching, some 1e2, and yielding's E / H = 1e2. */
static void same_displacements(sw_fem_kinematics k, sw_fem_strain_measure strain, sw_fem_material material)
{
    static const sw_fem_linear_solver solvers[] = {SW_FEM_SOLVE_CG, SW_FEM_SOLVE_BICGSTAB, SW_FEM_SOLVE_GMRES,
                                                   SW_FEM_SOLVE_DIRECT, SW_FEM_SOLVE_AUTO};
    double *first = NULL;
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        fem_body b;
        fem_run r;
        double worst = 0;
        int cg = 0;
        if (!is_there(solvers[s]))
            continue;
        make(&b, k, strain, material);
        b.options.linear = solvers[s];
        fem_open(&b, &r);
        for (int i = 1; i <= 2; i++) {
            fem_load(&b, &r, 0.5 * i);
            cg += r.report.cg;
        }
        assert_true(isinf(material.yield_stress) || r.report.plastic_points > b.E * b.V / 2);
        if (!first) {
            first = zeros(b.N * b.c, sizeof *first);
            memcpy(first, r.u, (size_t)(b.N * b.c) * sizeof *first);
        }
        for (int64_t i = 0; i < b.N * b.c; i++)
            worst = greatest(worst, fabs(r.u[i] - first[i]));
        print_message("%s, %s%s, %s: %d Newton in the last step, %d linear in all, off by %.1e\n",
                      sw_fem_kinematics_names[k], sw_fem_strain_names[strain],
                      isinf(material.yield_stress) ? "" : ", plastic", sw_fem_linear_names[solvers[s]],
                      r.report.newton, cg, worst);
        CHECK_CLOSE(worst, 0, 1e-6);
        if (solvers[s] == SW_FEM_SOLVE_DIRECT)
            for (int i = 0; i < r.report.n_recorded; i++)
                assert_int_equal(r.report.iteration[i].cg, 1);
        fem_close(&r);
        fem_free(&b);
    }
    free(first);
}

static void test_every_solver_gives_the_same(void **state)
{
    (void)state;
    static const sw_fem_kinematics small[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRESS, SW_FEM_PLANE_STRAIN,
                                              SW_FEM_AXISYMMETRIC};
    static const sw_fem_kinematics finite[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
    for (int i = 0; i < 4; i++) {
        same_displacements(small[i], SW_FEM_SMALL, elastic);
        same_displacements(small[i], SW_FEM_SMALL, steel);
    }
    for (int i = 0; i < 3; i++) {
        same_displacements(finite[i], SW_FEM_FINITE, elastic);
        same_displacements(finite[i], SW_FEM_FINITE, steel);
    }
}

static void test_heat(void **state)
{
    (void)state;
    double at[2] = {0};
    for (int i = 0; i < 2; i++) {
        const int cells[3] = {4, 4, 0};
        fem_body b;
        fem_run r;
        const sw_fem_linear_solver solver = i ? SW_FEM_SOLVE_DIRECT : SW_FEM_SOLVE_CG;
        if (!is_there(solver))
            continue;
        fem_make(&b, fem_grid(cells, 0.1, NULL, NULL), SW_FEM_HEAT, 0, (sw_fem_material){.young = 40});
        b.options.linear = solver;
        fem_fix_set(&b, 0, "x_min", 0, 0);
        fem_fix_set(&b, 0, "x_max", 0, 100);
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        for (int64_t n = 0; n < b.N; n++)
            at[i] = greatest(at[i], fabs(r.u[n] - 100 * b.mesh->position[2 * n]));
        CHECK_CLOSE(at[i], 0, 1e-9 * 100);
        fem_close(&r);
        fem_free(&b);
    }
}

/* ---- Algorithm 9 ---- */

/* Conjugate gradients as in Hestenes and Stiefel 1952 on a dense matrix [n][n]; x starts at zero. Iterations. */
static int by_the_book(int64_t n, const double *matrix, const double *f, double tolerance, double *x)
{
    double *r = zeros(n, sizeof *r), *p = zeros(n, sizeof *p), *g = zeros(n, sizeof *g), first = 0, old;
    int iterations = 0;
    for (int64_t i = 0; i < n; i++) {
        r[i] = p[i] = f[i];
        first += f[i] * f[i];
    }
    for (old = first; old > tolerance * tolerance * first; iterations++) {
        double slope = 0, now = 0;
        for (int64_t i = 0; i < n; i++) {
            g[i] = 0;
            for (int64_t j = 0; j < n; j++)
                g[i] += matrix[i * n + j] * p[j];
            slope += g[i] * p[i];
        }
        for (int64_t i = 0; i < n; i++) {
            x[i] += old / slope * p[i];
            r[i] -= old / slope * g[i];
            now += r[i] * r[i];
        }
        for (int64_t i = 0; i < n; i++)
            p[i] = r[i] + now / old * p[i];
        old = now;
    }
    free(r);
    free(p);
    free(g);
    return iterations;
}

/* Kiran 2023, Algorithm 9: of a plastic tangent, to 1e-7. Sums in another order differ by round-off, which some tens
 * of iterations let grow: one more or less, and solutions alike to the tolerance times a condition of some 1e3. */
static void test_unpreconditioned(void **state)
{
    (void)state;
    const double tolerance = 1e-7;
    fem_body b;
    fem_run r;
    int iterations, with_jacobi;
    make(&b, SW_FEM_SOLID, SW_FEM_SMALL, steel);
    b.options.linear = SW_FEM_SOLVE_CG;
    b.options.preconditioner = SW_FEM_UNPRECONDITIONED;
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    assert_true(r.report.plastic_points > b.E * b.V / 2);
    sw_fem *fem = r.fem;
    const int64_t n = fem->n_unknowns;
    double *matrix = zeros(n * n, sizeof *matrix), *f = zeros(n, sizeof *f), *x = zeros(n, sizeof *x),
           size = 0;
    for (int64_t j = 0; j < n; j++) { /* columns of what is prescribed stay zero, and rows */
        memset(fem->trial, 0, (size_t)n * sizeof *fem->trial);
        fem->trial[j] = fem->fixed[j] ? 0 : 1;
        CHECK_OK(sw_fem_free_product(fem, fem->trial, fem->g));
        for (int64_t i = 0; i < n; i++)
            matrix[i * n + j] = fem->g[i];
        f[j] = fem->fixed[j] ? 0 : (double)(j * 7919 % 1009) - 500;
    }
    const int expected = by_the_book(n, matrix, f, tolerance, x);
    for (int i = 0; i < 2; i++) {
        memcpy(fem->residual, f, (size_t)n * sizeof *f);
        CHECK_OK(sw_fem_prepare(fem));
        CHECK_OK(sw_fem_solve(fem, fem->increment, fem->residual, tolerance, &iterations));
    }
    for (int64_t i = 0; i < n; i++)
        size = greatest(size, fabs(x[i]));
    for (int64_t i = 0; i < n; i++)
        CHECK_CLOSE(fem->increment[i], x[i], 1e-4 * size);
    fem_close(&r);
    b.options.preconditioner = SW_FEM_BLOCK_JACOBI;
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    fem = r.fem;
    memcpy(fem->residual, f, (size_t)n * sizeof *f);
    CHECK_OK(sw_fem_prepare(fem));
    CHECK_OK(sw_fem_solve(fem, fem->increment, fem->residual, tolerance, &with_jacobi));
    print_message("Algorithm 9: %d iterations, by the book %d; block-Jacobi %d\n", iterations, expected,
                  with_jacobi);
    CHECK_CLOSE(iterations, expected, 1);
    assert_true(with_jacobi < iterations - 1);
    fem_close(&r);
    fem_free(&b);
    free(matrix);
    free(f);
    free(x);
}

/* Linear solves to the tolerance throughout take more iterations than those that Newton can use, and end alike. */
static void test_forcing(void **state)
{
    (void)state;
    fem_run r[SW_FEM_FORCINGS];
    fem_body b;
    make(&b, SW_FEM_SOLID, SW_FEM_SMALL, steel);
    b.options.linear_tolerance = 1e-7;
    for (int forcing = 0; forcing < SW_FEM_FORCINGS; forcing++) {
        b.options.forcing = (sw_fem_forcing)forcing;
        fem_open(&b, &r[forcing]);
        fem_load(&b, &r[forcing], 1);
        for (int i = 1; i < r[forcing].report.n_recorded - 1; i++)
            print_message("%s, Newton %d: %d\n", sw_fem_forcing_names[forcing], i,
                          r[forcing].report.iteration[i].cg);
    }
    const sw_fem_report *few = &r[SW_FEM_RESIDUAL_FORCING].report, *many = &r[SW_FEM_FIXED_FORCING].report;
    assert_true(many->iteration[0].cg > few->iteration[0].cg);
    assert_true(many->cg > few->cg && many->newton <= few->newton);
    for (int64_t i = 0; i < b.N * b.c; i++)
        CHECK_CLOSE(r[1].u[i], r[0].u[i], 1e-6);
    fem_close(&r[0]);
    fem_close(&r[1]);
    fem_free(&b);
}

/* ---- A tangent that is not symmetric ---- */

/* Blocks on the nodes of y_max, as of a tool with friction: e (n + mu t) n' at each; and one that couples it, in
 * rows alone, to the farthest node, with which no element couples it. */
typedef struct {
    int32_t pair[256][2];
    double flat[256 * 9];
} tool;

static sw_fem_node_blocks lean(const fem_body *b, tool *t)
{
    const sw_fem_set *set = fem_nodes(b, "y_max");
    const int c = b->c;
    int64_t n = 0;
    memset(t, 0, sizeof *t);
    for (int64_t i = 0; i < set->n; i++)
        for (int far = 0; far < 2; far++) {
            const double stiffness = (far ? 0.02 : 1) * b->material.young;
            t->pair[n][0] = set->member[i];
            t->pair[n][1] = far ? 0 : set->member[i];
            t->flat[n * c * c + c + 1] = stiffness;   /* n n', n = y */
            t->flat[n * c * c + 1] = 0.7 * stiffness; /* t n', t = x */
            n++;
        }
    return (sw_fem_node_blocks){n, (const int32_t(*)[2])t->pair, t->flat};
}

static void add_blocks(const sw_fem *fem, const double *p, double *g)
{
    const int c = fem->components;
    for (int64_t b = 0; b < fem->blocks.n; b++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                g[fem->blocks.pair[b][0] * c + i] +=
                    fem->blocks.block[(b * c + i) * c + j] * p[fem->blocks.pair[b][1] * c + j];
}

static sw_status product_with_blocks(sw_fem *fem, const double *p, double *g)
{
    SW_TRY(sw_fem_cpu.product(fem, p, g));
    add_blocks(fem, p, g);
    return SW_OK;
}

/* The solution is chosen, x, zero where prescribed; r = K x. */
static void test_nonsymmetric(void **state)
{
    (void)state;
    static const sw_fem_kinematics kinematics[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
    static const sw_fem_linear_solver solvers[] = {SW_FEM_SOLVE_AUTO, SW_FEM_SOLVE_BICGSTAB,
                                                   SW_FEM_SOLVE_GMRES, SW_FEM_SOLVE_DIRECT};
    for (int k = 0; k < 3; k++)
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
            sw_fem_backend with = sw_fem_cpu;
            fem_body b;
            fem_run r;
            tool t;
            double rest, whole, worst = 0, product = 0;
            uint64_t seed = 7;
            int iterations;
            if (!is_there(solvers[s]))
                continue;
            make(&b, kinematics[k], SW_FEM_FINITE, steel);
            b.options.linear = solvers[s];
            fem_open(&b, &r);
            fem_load(&b, &r, 0.5);
            sw_fem *fem = r.fem;
            with.product = product_with_blocks;
            fem->backend = &with;
            fem->blocks = lean(&b, &t);
            fem->symmetric = 0;
            fem->tangents++;
            CHECK_OK(with.prepare(fem));
            for (int64_t i = 0; i < fem->n_unknowns; i++)
                fem->trial[i] = fem->fixed[i] ? 0 : number(&seed);
            CHECK_OK(with.product(fem, fem->trial, fem->residual));
            CHECK_OK(with.free_part(fem, fem->residual));
            CHECK_OK(with.dot(fem, fem->residual, fem->residual, &whole));
            CHECK_OK(sw_fem_solve(fem, fem->increment, fem->residual, 1e-10, &iterations));
            CHECK_OK(with.dot(fem, fem->residual, fem->residual, &rest));
            CHECK_CLOSE(sqrt(rest / whole), 0, 1e-10);
            for (int64_t i = 0; i < fem->n_unknowns; i++) {
                worst = greatest(worst, fabs(fem->increment[i] - fem->trial[i]));
                assert_true(!fem->fixed[i] || fem->increment[i] == 0);
            }
            /* How much of it is not symmetric: x K y - y K x of the solution and a ramp. */
            CHECK_OK(with.product(fem, fem->trial, fem->g));
            for (int64_t i = 0; i < fem->n_unknowns; i++)
                product += (double)i * fem->g[i];
            for (int64_t i = 0; i < fem->n_unknowns; i++)
                fem->z[i] = (double)i;
            CHECK_OK(with.product(fem, fem->z, fem->g));
            for (int64_t i = 0; i < fem->n_unknowns; i++)
                product -= fem->trial[i] * fem->g[i];
            assert_true(fabs(product) > 1e-6 * b.material.young);
            print_message("%s, %s: %d, off by %.1e\n", sw_fem_kinematics_names[kinematics[k]],
                          sw_fem_linear_names[solvers[s]], iterations, worst);
            CHECK_CLOSE(worst, 0, 1e-6); /* 1e-10 times a condition of some 1e3 */
            /* What CG is not for, it says. */
            const sw_fem_linear_solver chosen = fem->options.linear;
            void *kept = fem->linear_work;
            fem->options.linear = SW_FEM_SOLVE_CG;
            assert_int_equal(sw_fem_solve(fem, fem->increment, fem->residual, 1e-10, &iterations),
                             SW_ERR_RANGE);
            assert_non_null(strstr(sw_error_message(), "linear cg: the tangent is not symmetric"));
            fem->options.linear = chosen;
            fem->linear_work = kept;
            fem_close(&r);
            fem_free(&b);
        }
}

/* Blocks that go, stay and come again: the pattern follows, and the factors. */
static void test_factors_follow_the_tangent(void **state)
{
    (void)state;
    sw_fem_backend with = sw_fem_cpu;
    fem_body b;
    fem_run r;
    tool t;
    int iterations;
    if (!is_there(SW_FEM_SOLVE_DIRECT))
        skip();
    make(&b, SW_FEM_PLANE_STRAIN, SW_FEM_FINITE, steel);
    b.options.linear = SW_FEM_SOLVE_DIRECT;
    fem_open(&b, &r);
    fem_load(&b, &r, 0.5);
    sw_fem *fem = r.fem;
    with.product = product_with_blocks;
    fem->backend = &with;
    for (int i = 0; i < 4; i++) {
        double worst = 0;
        fem->blocks = i % 2 ? lean(&b, &t) : (sw_fem_node_blocks){.n = 0};
        fem->symmetric = i % 2 == 0;
        fem->tangents++;
        for (int64_t j = 0; j < fem->n_unknowns; j++)
            fem->trial[j] = fem->fixed[j] ? 0 : (double)(j % 5);
        CHECK_OK(with.product(fem, fem->trial, fem->residual));
        CHECK_OK(with.free_part(fem, fem->residual));
        CHECK_OK(sw_fem_solve(fem, fem->increment, fem->residual, 1e-12, &iterations));
        for (int64_t j = 0; j < fem->n_unknowns; j++)
            worst = greatest(worst, fabs(fem->increment[j] - fem->trial[j]));
        CHECK_CLOSE(worst, 0, 1e-8);
        assert_true(iterations <= 2);
    }
    fem_close(&r);
    fem_free(&b);
}

/* ---- What is not there, or fails ---- */

static void test_refusals(void **state)
{
    (void)state;
    fem_body b;
    sw_fem *fem;
    make(&b, SW_FEM_PLANE_STRAIN, SW_FEM_SMALL, steel);
    b.options.linear = SW_FEM_SOLVE_DIRECT;
#ifdef SW_HAVE_UMFPACK
    b.options.device = SW_FEM_DEVICE_CUDA;
    assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "linear direct: runs on the CPU only"));
#else
    assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "without UMFPACK (libsuitesparse-dev)"));
#endif
    fem_free(&b);
}

/* Too few iterations: how far it came and what was wanted. */
static void test_failures_have_numbers(void **state)
{
    (void)state;
    static const struct {
        sw_fem_linear_solver solver;
        const char *text;
    } cases[] = {{SW_FEM_SOLVE_CG, "CG: |r| / |r_0| = "},
                 {SW_FEM_SOLVE_BICGSTAB, "BiCGSTAB: |r| / |r_0| = "},
                 {SW_FEM_SOLVE_GMRES, "GMRES: |r| / |r_0| = "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double factor[FEM_MOST_CASES] = {1, 1, 1};
        fem_body b;
        fem_run r;
        make(&b, SW_FEM_SOLID, SW_FEM_SMALL, elastic);
        b.options.linear = cases[i].solver;
        b.options.most_cg = 3;
        b.options.least_increment = 1;
        fem_open(&b, &r);
        assert_int_equal(sw_fem_advance(r.fem, factor, &r.increment, &r.report), SW_ERR_CONVERGENCE);
        assert_non_null(strstr(sw_error_message(), cases[i].text));
        assert_non_null(strstr(sw_error_message(), "after 3 iterations: need "));
        fem_close(&r);
        fem_free(&b);
    }
}

static int64_t first_free(const sw_fem *fem)
{
    int64_t i = 0;
    while (fem->fixed[i])
        i++;
    return i;
}

/* A tangent that a row was taken from. */
static sw_status product_without_a_row(sw_fem *fem, const double *p, double *g)
{
    SW_TRY(sw_fem_cpu.product(fem, p, g));
    g[first_free(fem)] = 0;
    return SW_OK;
}

static void test_singular_tangents_are_found(void **state)
{
    (void)state;
    static const sw_fem_linear_solver solvers[] = {SW_FEM_SOLVE_BICGSTAB, SW_FEM_SOLVE_GMRES,
                                                   SW_FEM_SOLVE_DIRECT};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        sw_fem_backend with = sw_fem_cpu;
        fem_body b;
        fem_run r;
        int iterations;
        if (!is_there(solvers[s]))
            continue;
        make(&b, SW_FEM_SOLID, SW_FEM_SMALL, elastic);
        b.options.linear = solvers[s];
        fem_open(&b, &r);
        sw_fem *fem = r.fem;
        with.product = product_without_a_row;
        fem->backend = &with;
        fem->symmetric = 0;
        CHECK_OK(with.tangent(fem, fem->u, 1));
        CHECK_OK(with.prepare(fem));
        for (int64_t i = 0; i < fem->n_unknowns; i++)
            fem->residual[i] = fem->fixed[i] ? 0 : 1;
        assert_int_equal(sw_fem_solve(fem, fem->increment, fem->residual, 1e-8, &iterations),
                         SW_ERR_CONVERGENCE);
        print_message("%s\n", sw_error_message());
        assert_non_null(strstr(sw_error_message(), "|r| / |r_0| = "));
        fem_close(&r);
        fem_free(&b);
    }
}

/* ---- The same bits ---- */

static void test_threads_make_no_difference(void **state)
{
    (void)state;
    static const sw_fem_linear_solver solvers[] = {SW_FEM_SOLVE_BICGSTAB, SW_FEM_SOLVE_GMRES,
                                                   SW_FEM_SOLVE_DIRECT};
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        fem_run r[2];
        fem_body b;
        if (!is_there(solvers[s]))
            continue;
        make(&b, SW_FEM_SOLID, SW_FEM_FINITE, steel);
        b.options.linear = solvers[s];
        for (int i = 0; i < 2; i++) {
            omp_set_num_threads(1 + i);
            fem_open(&b, &r[i]);
            fem_load(&b, &r[i], 0.5);
        }
        omp_set_num_threads(1);
        assert_memory_equal(r[0].u, r[1].u, (size_t)(b.N * b.c) * sizeof(double));
        fem_close(&r[0]);
        fem_close(&r[1]);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_solver_gives_the_same),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_unpreconditioned),
        cmocka_unit_test(test_forcing),
        cmocka_unit_test(test_nonsymmetric),
        cmocka_unit_test(test_factors_follow_the_tangent),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_failures_have_numbers),
        cmocka_unit_test(test_singular_tangents_are_found),
        cmocka_unit_test(test_threads_make_no_difference),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("linear solvers", tests, NULL, NULL);
}
