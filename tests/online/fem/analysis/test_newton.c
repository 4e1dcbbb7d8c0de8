/* Load steps and Newton iterations: exact solutions, convergence, work, cut-backs, restarts, and that results
 * do not depend on how they are computed. */
#include "tests/online/fem/meshes.h"

#include "common/system/threads.h"
#include "online/fem/backend/backend.h"

#include <omp.h>

/* Kiran 2023: the unit cube. */
static const sw_fem_material thesis = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 450e6, .hardening = SW_FEM_LINEAR, .parameter = {66e9}};

static sw_fem_mesh *voxels(const char *body, double x, double y, double z, int nx, int ny, int nz)
{
    const sw_fem_voxels v = {.body = body, .size = {x, y, z}, .cells = {nx, ny, nz}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    return mesh;
}

/* A unit cube on three symmetry planes, pulled along z by 1 Pa, or by 1 m. */
static void make_cube(fem_body *b, int n, int b_bar, int prescribed)
{
    static const char *const planes[] = {"x_min", "y_min", "z_min"};
    const double pull[3] = {0, 0, 1};
    fem_make(b, voxels("box", 1, 1, 1, n, n, n), SW_FEM_SOLID, b_bar, thesis);
    for (int j = 0; j < 3; j++)
        fem_fix_set(b, 0, planes[j], j, 0);
    if (prescribed)
        fem_fix_set(b, 0, "z_max", 2, 1);
    else
        CHECK_OK(sw_fem_add_traction(&b->problem, fem_surface(b, "z_max"), pull, b->load[0].force));
}

/* 200, 400 and 600 MPa: strain s / E + p with p = (s - yield) / H, to Newton's tolerance times 1 / (1 - H / E
 * ...), some 10; the same by prescribing that strain. */
static void test_the_cube_of_the_thesis(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n += 3)
        for (int prescribed = 0; prescribed < 2; prescribed++) {
            fem_body b;
            fem_run r;
            make_cube(&b, n, 0, prescribed);
            fem_open(&b, &r);
            for (int step = 1; step <= 3; step++) {
                const double s = 200e6 * step,
                             p = fmax(0, (s - thesis.yield_stress) / thesis.parameter[SW_FEM_MODULUS]);
                const double along = s / thesis.young + p,
                             across = -thesis.poisson * s / thesis.young - p / 2;
                fem_load(&b, &r, prescribed ? along : s);
                assert_int_equal(r.report.plastic_elements, p > 0 ? b.E : 0);
                for (int64_t i = 0; i < b.N; i++)
                    for (int j = 0; j < 3; j++)
                        CHECK_CLOSE(r.u[3 * i + j], (j == 2 ? along : across) * b.mesh->position[3 * i + j],
                                    1e-10 * along);
                for (int64_t q = 0; q < 8 * b.E; q++) {
                    for (int j = 0; j < 6; j++)
                        CHECK_CLOSE(r.point_stress[q][j], j == 2 ? s : 0, 1e-10 * s);
                    CHECK_CLOSE(r.point_plastic_strain[q], p, 1e-10 * along);
                }
                CHECK_CLOSE(fem_resultant(&b, &r, "z_min", 2), -s, 1e-10 * s);
                /* Trapezoids under the line of stress and strain, whose corner lies within the third step. */
                if (step == 1)
                    CHECK_CLOSE(r.report.external_work, 0.5 * s * along, 1e-10 * s * along);
            }
            if (n == 1 && !prescribed)
                print_message("600 MPa: strain %.12g\n", r.u[3 * (b.N - 1) + 2]);
            fem_close(&r);
            fem_free(&b);
        }
}

/* ---- Convergence ---- */

/* A short cantilever bent and sheared well into the plastic range. */
static void make_cantilever(fem_body *b, int n)
{
    const double force[3] = {0, -40000, 7000};
    fem_make(b, voxels("box", 0.1, 0.04, 0.04, 2 * n, n, n), SW_FEM_SOLID, 0,
             (sw_fem_material){.young = 200e9,
                               .poisson = 0.3,
                               .yield_stress = 150e6,
                               .hardening = SW_FEM_LINEAR,
                               .parameter = {20e9}});
    for (int j = 0; j < 3; j++)
        fem_fix_set(b, 0, "x_min", j, 0);
    CHECK_OK(sw_fem_add_total_force(&b->problem, fem_nodes(b, "x_max"), force, b->load[0].force));
}

/* Once no point changes between elastic and plastic, |r_k+1| <= C |r_k|^2, relative to the forces; C is some
 * second derivative over tangents: of order 10 to 100 here. Round-off ends it at 1e-14. */
static void test_newton_converges_quadratically(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make_cantilever(&b, 4);
    b.options.linear_tolerance = 1e-12;
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    const int n = r.report.n_recorded;
    assert_true(r.report.plastic_elements > b.E / 4 && r.report.plastic_elements < b.E);
    int quadratic = 0;
    for (int i = 0; i < n; i++) {
        const double now = r.report.iteration[i].residual;
        const double next = i + 1 < n ? r.report.iteration[i + 1].residual : r.report.residual;
        print_message("%d: residual %.2e, CG %d, step %.2f; next / square %.3g\n", i, now,
                      r.report.iteration[i].cg, r.report.iteration[i].step, next / (now * now));
        if (now < 1e-2) {
            CHECK_CLOSE(next, 0, 10 * now * now + 1e-12);
            quadratic += next > 1e-12;
        }
    }
    assert_true(quadratic >= 1); /* at least one before round-off, and then the end */
    assert_true(n <= 10);
    fem_close(&r);
    fem_free(&b);
}

/* ---- Work ---- */

/* Elastic energy and what plastic strain has used, from fields: the yield stress over the equivalent strain.
 */
static void energies(const fem_body *b, const fem_run *r, double *elastic, double *plastic)
{
    const sw_fem_material *m = &b->material;
    *elastic = *plastic = 0;
    for (int64_t e = 0; e < b->E; e++)
        for (int q = 0; q < b->V; q++) {
            double x[3];
            const double volume = fem_at_point(b, e, q, NULL, 0, x, NULL),
                         p = r->point_plastic_strain[e * b->V + q];
            const double *s = r->point_stress[e * b->V + q], mises = fem_von_mises(s),
                         mean = (s[0] + s[1] + s[2]) / 3;
            *elastic += volume * (mises * mises / (6 * sw_fem_shear(m)) + mean * mean / (2 * sw_fem_bulk(m)));
            *plastic += volume * (m->yield_stress * p + 0.5 * m->parameter[SW_FEM_MODULUS] * p * p);
        }
}

/* Up and down again in so many steps each: what the work lacks of the energies, of these. */
static double imbalance(int steps)
{
    fem_body b;
    fem_run r;
    double elastic, plastic;
    make_cantilever(&b, 2);
    fem_open(&b, &r);
    for (int i = 1; i <= 2 * steps; i++) {
        fem_load(&b, &r, i <= steps ? (double)i / steps : 2 - (double)i / steps);
        assert_int_equal(r.report.substeps, 1);
        if (i == steps)
            assert_true(r.report.plastic_points > b.E); /* an eighth and more */
    }
    energies(&b, &r, &elastic, &plastic);
    assert_true(elastic > 0 && plastic > elastic); /* residual stresses stay */
    fem_close(&r);
    fem_free(&b);
    return r.report.external_work / (elastic + plastic) - 1;
}

/* Integrated within steps whose ends differ, to some 1e-3; the mean of a step's ends is off by 3.7e-2 in 4 steps. What the law's own steps are off is less: the flow is that of their ends. */
static void test_work_is_stored_or_spent(void **state)
{
    (void)state;
    for (int steps = 4; steps <= 32; steps *= 2) {
        const double off = imbalance(steps);
        print_message("%d steps: work off by %.1e\n", steps, off);
        CHECK_CLOSE(off, 0, 1e-3);
    }
}

/* A bar that yields anywhere in its first step, perfectly plastic: s^2 / 2 E + s (e - s / E) of its volume, in any number
 * of steps. Elastic ones are exact. */
static void test_work_of_a_step_in_which_a_bar_yields(void **state)
{
    (void)state;
    static const double yields_at[] = {0.003, 0.05, 0.3, 0.5, 0.77, 0.98, 2};
    for (size_t i = 0; i < sizeof yields_at / sizeof *yields_at; i++)
        for (int steps = 1; steps <= 3; steps += 2) {
            fem_body b;
            fem_run r;
            const double strain = 1e-3, first = yields_at[i] * strain, at = fmin(first, strain);
            sw_fem_material m = {.young = 200e9, .poisson = 0.3, .yield_stress = 200e9 * first};
            fem_make(&b, voxels("box", 1, 1, 1, 2, 2, 2), SW_FEM_SOLID, 1, m);
            fem_fix_set(&b, 0, "x_min", 0, 0);
            fem_fix_set(&b, 0, "y_min", 1, 0);
            fem_fix_set(&b, 0, "z_min", 2, 0);
            fem_fix_set(&b, 0, "x_max", 0, strain);
            fem_open(&b, &r);
            for (int k = 1; k <= steps; k++)
                fem_load(&b, &r, (double)k / steps);
            const double exact = m.young * (at * at / 2 + at * (strain - at));
            print_message("yields at %.3f, %d steps: work off by %.1e\n", yields_at[i], steps,
                          r.report.external_work / exact - 1);
            CHECK_CLOSE(r.report.external_work, exact, (first > strain ? 1e-10 : 2e-3) * exact);
            fem_close(&r);
            fem_free(&b);
        }
}

/* ---- Forces of tools ---- */

/* A billet of n x n x m between a plate with friction and one that it sticks to, pressed by 1e-4 times the factor. */
static void make_billet(fem_body *b, int n, int m, double tolerance)
{
    const sw_fem_material steel = {.young = 200e9,
                                   .poisson = 0.3,
                                   .yield_stress = 700e6,
                                   .hardening = SW_FEM_LINEAR,
                                   .parameter = {3e8}};
    const sw_fem_tool top = {.name = "top",
                             .shape = SW_FEM_PLANE,
                             .point = {0, 0, 0.02},
                             .direction = {0, 0, -1},
                             .friction = 0.1,
                             .shear_limit = 2e8},
                      low = {.name = "low", .shape = SW_FEM_PLANE, .direction = {0, 0, 1}, .sticks = 1};
    const double still[3] = {0}, down[3] = {0, 0, -1e-4};
    fem_make(b, voxels("cylinder_quarter", 0.01, 0.01, 0.02, n, n, m), SW_FEM_SOLID, 1, steel);
    b->problem.strain = SW_FEM_FINITE;
    b->options = sw_fem_default_options(&b->problem, SW_FEM_DEVICE_CPU);
    b->options.linear = SW_FEM_SOLVE_AUTO;
    b->options.tolerance = tolerance;
    fem_fix_set(b, 0, "x_min", 0, 0);
    fem_fix_set(b, 0, "y_min", 1, 0);
    fem_add_tool(b, top, "z_max", "side", 0, down);
    fem_add_tool(b, low, "z_min", "side", 0, still);
}

/* Of the plate after four increments of 0.5 %. */
static double plate_force(double tolerance)
{
    fem_body b;
    fem_run r;
    make_billet(&b, 8, 10, tolerance);
    fem_open(&b, &r);
    for (int i = 1; i <= 4; i++)
        fem_load(&b, &r, i);
    const double force = r.force[3 * b.N + 2];
    fem_close(&r);
    fem_free(&b);
    return force;
}

/* What residuals add up to between tools is what their forces miss: 5e-7 where the last linear solve goes to 0.3 of the
 * tolerance, 5e-8 where it goes to 0.03. */
static void test_tool_forces_are_good_to_the_tolerance(void **state)
{
    (void)state;
    const double best = plate_force(1e-9), usual = plate_force(1e-6);
    print_message("a plate's force: off by %.1e\n", usual / best - 1);
    assert_true(fabs(usual / best - 1) <= 2e-7);
}

/* Residual of the accepted state: of its forces on what is free by those on what is not. */
static double residual_of(const fem_body *b, const fem_run *r)
{
    const sw_fem_set *sides[2] = {fem_nodes(b, "x_min"), fem_nodes(b, "y_min")};
    double all = 0, held = 0;
    for (int64_t i = 0; i < 3 * b->N; i++)
        all += r->force[i] * r->force[i];
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < sides[k]->n; i++)
            held += pow(r->force[3 * sides[k]->member[i] + k], 2);
    double tools = 0;
    for (int64_t i = 3 * b->N; i < 3 * (b->N + b->problem.n_tools); i++)
        tools += r->force[i] * r->force[i];
    return sqrt((all - held) / (held + tools));
}

/* However large the tolerance, nodes that cling to tools at first do so no more in what is accepted: its residual is the one that is
 * said, to round-off. Clinging it was said to be 1 % more. */
static void test_nothing_clings_in_what_is_accepted(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make_billet(&b, 4, 4, 0.3);
    fem_open(&b, &r);
    fem_load(&b, &r, 0.5);
    print_message("a residual of %.5g is said to be %.5g\n", residual_of(&b, &r), r.report.residual);
    assert_true(r.report.residual > 0.02);
    CHECK_CLOSE(r.report.residual, residual_of(&b, &r), 1e-9);
    fem_close(&r);
    fem_free(&b);
}

/* ---- Beyond the limit load ---- */

/* A bar without hardening, pulled by 1.25 of what it carries: it gets as far as 0.8, to 2 % of the load, which is enough
 * to know it by (limit.c), and keeps that state. To halve the way to the least increment would take ten failures more. */
static void test_the_limit_load_is_not_exceeded(void **state)
{
    (void)state;
    fem_body b;
    fem_run r;
    make_cube(&b, 2, 0, 0);
    b.material.parameter[SW_FEM_MODULUS] = 0;
    b.options.tolerance = 1e-9;
    b.options.least_increment = 1e-6;
    fem_open(&b, &r);
    const double factor = 1.25 * thesis.yield_stress;
    const sw_status status = sw_fem_advance(r.fem, &factor, &r.increment, &r.report);
    print_message("%s\n", sw_error_message());
    assert_int_equal(status, SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "no convergence beyond"));
    fem_read(&r);
    char reached[64];
    snprintf(reached, sizeof reached, "limit load near factor %.4g, the last that converged", r.factor[0]);
    assert_non_null(strstr(sw_error_message(), reached));
    assert_true(r.report.cutbacks > 2 && r.report.cutbacks <= 9 && r.report.substeps > 0);
    assert_true(r.factor[0] <= thesis.yield_stress * (1 + 1e-9));
    assert_true(r.factor[0] >= thesis.yield_stress * (1 - 0.02));
    for (int64_t q = 0; q < 8 * b.E; q++)
        CHECK_CLOSE(r.point_stress[q][2], r.factor[0], 1e-8 * r.factor[0]);
    /* The state is one to go on from: unloaded, nothing is left. */
    r.increment = 1;
    fem_load(&b, &r, 0);
    for (int64_t i = 0; i < 3 * b.N; i++)
        CHECK_CLOSE(r.u[i], 0, 1e-9 * thesis.yield_stress / thesis.young);
    fem_close(&r);
    fem_free(&b);
}

/* A linear solver that stops short says nothing of what a body carries: with as many iterations as the elastic body takes, and no more
 * once it yields, loads far below the limit end as what they are. */
static void test_a_solver_that_stops_short_is_no_limit_load(void **state)
{
    (void)state;
    fem_body b;
    fem_run elastic, r;
    double factor = 1;
    make_cantilever(&b, 4);
    b.options.forcing = SW_FEM_FIXED_FORCING;
    b.options.linear_tolerance = 1e-8;
    fem_open(&b, &elastic);
    fem_load(&b, &elastic, 0.05);
    assert_true(elastic.report.plastic_points == 0 && elastic.report.newton >= 1);
    const int enough = elastic.report.cg / elastic.report.newton;
    fem_load(&b, &elastic, factor);
    assert_true(elastic.report.plastic_points > 0); /* which carries the load */
    fem_close(&elastic);
    b.options.most_cg = enough + 2;
    fem_open(&b, &r);
    const sw_status status = sw_fem_advance(r.fem, &factor, &r.increment, &r.report);
    print_message("%s\n", sw_error_message());
    assert_int_equal(status, SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "CG: |r| / |r_0|"));
    assert_null(strstr(sw_error_message(), "limit load"));
    fem_close(&r);
    fem_free(&b);
}

/* ---- The same whatever way ---- */

static void save(const fem_body *b, sw_fem *fem, sw_fem_state *s)
{
    *s = (sw_fem_state){.displacement = zeros(b->N * b->c, sizeof(double)),
                        .points = zeros(b->E * b->V, sizeof(sw_fem_point)),
                        .factor = zeros(FEM_MOST_CASES, sizeof(double)),
                        .yielded = zeros(b->E * b->V, 1)};
    CHECK_OK(sw_fem_save(fem, s));
}

static void free_state(sw_fem_state *s)
{
    free(s->displacement);
    free(s->points);
    free(s->factor);
    free(s->yielded);
}

static void same_bits(const fem_body *b, const sw_fem_state *x, const sw_fem_state *y)
{
    assert_memory_equal(x->displacement, y->displacement, (size_t)(b->N * b->c) * sizeof(double));
    assert_memory_equal(x->points, y->points, (size_t)(b->E * b->V) * sizeof(sw_fem_point));
    assert_memory_equal(x->yielded, y->yielded, (size_t)(b->E * b->V));
    assert_memory_equal(x->factor, y->factor, (size_t)b->problem.n_cases * sizeof(double));
    assert_memory_equal(&x->work, &y->work, sizeof x->work);
}

static void test_restarts_give_the_same_bits(void **state)
{
    (void)state;
    static const double factors[] = {0.5, 0.8, 1.0, 0.3};
    for (int o = 0; o < 1 + SW_HAS_PAPERS; o++) {
        fem_body b;
        fem_run whole, part;
        sw_fem_state kept, first, second;
        make_cantilever(&b, 3);
        b.options.operator_ = o ? SW_FEM_EBE : SW_FEM_POINTS;
        b.options.tolerance = 1e-6;
        b.options.linear_tolerance = 1e-7;
        fem_open(&b, &whole);
        fem_load(&b, &whole, factors[0]);
        fem_load(&b, &whole, factors[1]);
        assert_true(whole.report.plastic_points > 0);
        save(&b, whole.fem, &kept);
        const double increment = whole.increment;
        fem_load(&b, &whole, factors[2]);
        fem_load(&b, &whole, factors[3]);
        save(&b, whole.fem, &first);
        fem_open(&b, &part);
        CHECK_OK(sw_fem_restore(part.fem, &kept));
        part.increment = increment;
        fem_load(&b, &part, factors[2]);
        fem_load(&b, &part, factors[3]);
        save(&b, part.fem, &second);
        same_bits(&b, &first, &second);
        /* Back in time, in the analysis that went on. */
        free_state(&second);
        CHECK_OK(sw_fem_restore(whole.fem, &kept));
        whole.increment = increment;
        fem_load(&b, &whole, factors[2]);
        fem_load(&b, &whole, factors[3]);
        save(&b, whole.fem, &second);
        same_bits(&b, &first, &second);
        free_state(&kept);
        free_state(&first);
        free_state(&second);
        fem_close(&whole);
        fem_close(&part);
        fem_free(&b);
    }
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    const int before = omp_get_max_threads();
    fem_body b;
    sw_fem_state s[2];
    make_cantilever(&b, 26); /* so large that each loop is worth threads */
    assert_true((double)b.mesh->n_nodes * 3 * SW_FEM_UNKNOWN_NS > SW_THREADS_WORTH);
    assert_true((double)b.E / 2 * SW_FEM_PRODUCT_NS > SW_THREADS_WORTH);
    for (int threads = 1; threads <= 2; threads++) {
        fem_run r;
        omp_set_num_threads(threads);
        b.options.tolerance = 1e-6;
        b.options.linear_tolerance = 1e-7;
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        assert_true(r.report.plastic_points > 0);
        save(&b, r.fem, &s[threads - 1]);
        fem_close(&r);
    }
    omp_set_num_threads(before);
    same_bits(&b, &s[0], &s[1]);
    free_state(&s[0]);
    free_state(&s[1]);
    fem_free(&b);
}

/* Every preconditioner, operator and storage ends at the same solution: Newton's 1e-10 of the forces, times
 * the condition of the tangent: stiffnesses here differ by less than 1e3. */
static void test_every_solver_gives_the_same(void **state)
{
    (void)state;
    fem_body b;
    fem_run reference;
    int ran = 0;
    make_cantilever(&b, 2);
    b.options.tolerance = 1e-10;
    fem_open(&b, &reference);
    fem_load(&b, &reference, 1);
    double largest = 0;
    for (int64_t i = 0; i < b.N * b.c; i++)
        largest = greatest(largest, fabs(reference.u[i]));
    for (int i = 0; i < SW_FEM_PRECONDITIONERS + BUILT_OPERATORS * SW_FEM_STORAGES; i++) {
        const int o = i - SW_FEM_PRECONDITIONERS;
        fem_run r = {.increment = 1};
        sw_fem_options options = b.options;
        if (o < 0) {
            options.preconditioner = (sw_fem_preconditioner)i;
        } else {
            options.operator_ = (sw_fem_operator)(o / SW_FEM_STORAGES);
            options.storage = (sw_fem_storage)(o % SW_FEM_STORAGES);
        }
        const sw_fem_options kept = b.options;
        b.options = options;
        fem_open(&b, &r);
        b.options = kept;
        fem_load(&b, &r, 1);
        for (int64_t j = 0; j < b.N * b.c; j++)
            CHECK_CLOSE(r.u[j], reference.u[j], 1e-7 * largest);
        assert_int_equal(r.report.plastic_points, reference.report.plastic_points);
        ran++;
        fem_close(&r);
    }
    assert_true(ran >= 4 + BUILT_OPERATORS * SW_FEM_STORAGES);
    fem_close(&reference);
    fem_free(&b);
}

/* ---- Two cases ---- */

/* Tension, then torsion-like shear at constant tension, on a cube of one element: a non-proportional path.
 * Prescribed displacements of every node make the strain of each step known, and the point's law is stepped
 * beside it. */
static void test_two_cases_on_paths_of_their_own(void **state)
{
    (void)state;
    static const double path[][2] = {{1, 0}, {1, 0.5}, {1, 1}, {0.5, 1}, {-0.5, 0.2}};
    const double axial = 5e-3, shear = 6e-3;
    fem_body b;
    fem_run r;
    sw_fem_point point = {.equivalent = 0};
    fem_make(&b, voxels("box", 1, 1, 1, 2, 2, 2), SW_FEM_SOLID, 0, thesis);
    b.problem.n_cases = 2;
    /* All but the middle node (13). Case 0: u_x = axial x; case 1: u_y = shear x. */
    for (int64_t n = 0; n < b.N; n++)
        for (int j = 0; j < 3 && n != 13; j++) {
            fem_fix(&b, 0, n, j, j == 0 ? axial * b.mesh->position[3 * n] : 0);
            if (j == 1) /* a case need not prescribe what another does */
                fem_fix(&b, 1, n, j, shear * b.mesh->position[3 * n]);
        }
    fem_open(&b, &r);
    for (size_t i = 0; i < sizeof path / sizeof *path; i++) {
        const double strain[6] = {[0] = axial * path[i][0], [5] = shear * path[i][1]};
        const sw_fem_point old = point;
        double stress[6];
        sw_fem_radial_return(&thesis, strain, &old, stress, &point, NULL);
        CHECK_OK(sw_fem_advance(r.fem, path[i], &r.increment, &r.report));
        fem_read(&r);
        assert_int_equal(r.report.substeps, 1);
        for (int l = 0; l < 2; l++)
            CHECK_CLOSE(r.factor[l], path[i][l], 0);
        for (int64_t q = 0; q < 8 * b.E; q++) {
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(r.point_stress[q][j], stress[j], 1e-10 * thesis.yield_stress);
            CHECK_CLOSE(r.point_plastic_strain[q], point.equivalent, 1e-10 * axial);
        }
    }
    fem_close(&r);
    fem_free(&b);
}

/* Forces of two cases: elastic ones add up. */
static void test_cases_add_up(void **state)
{
    (void)state;
    fem_body b;
    double *u[3];
    const double factor[3][2] = {{1, 0}, {0, 1}, {0.7, -0.4}}, force[3] = {500, 0, 800};
    make_cantilever(&b, 2);
    b.material.yield_stress = INFINITY;
    b.problem.n_cases = 2;
    CHECK_OK(sw_fem_add_total_force(&b.problem, fem_nodes(&b, "y_max"), force, b.load[1].force));
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        fem_run r;
        fem_open(&b, &r);
        CHECK_OK(sw_fem_advance(r.fem, factor[i], &r.increment, &r.report));
        fem_read(&r);
        assert_int_equal(r.report.plastic_points, 0);
        u[i] = r.u;
        r.u = NULL;
        fem_close(&r);
    }
    for (int64_t i = 0; i < b.N * b.c; i++)
        largest = greatest(largest, fabs(u[0][i]));
    for (int64_t i = 0; i < b.N * b.c; i++)
        CHECK_CLOSE(u[2][i], 0.7 * u[0][i] - 0.4 * u[1][i], 1e-9 * largest);
    for (int i = 0; i < 3; i++)
        free(u[i]);
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cube_of_the_thesis),
        cmocka_unit_test(test_newton_converges_quadratically),
        cmocka_unit_test(test_work_is_stored_or_spent),
        cmocka_unit_test(test_work_of_a_step_in_which_a_bar_yields),
        cmocka_unit_test(test_tool_forces_are_good_to_the_tolerance),
        cmocka_unit_test(test_nothing_clings_in_what_is_accepted),
        cmocka_unit_test(test_the_limit_load_is_not_exceeded),
        cmocka_unit_test(test_a_solver_that_stops_short_is_no_limit_load),
        cmocka_unit_test(test_restarts_give_the_same_bits),
        cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_every_solver_gives_the_same),
        cmocka_unit_test(test_two_cases_on_paths_of_their_own),
        cmocka_unit_test(test_cases_add_up),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("Newton iterations", tests, NULL, NULL);
}
