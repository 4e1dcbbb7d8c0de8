/* Pressures that follow the surface: forces against volumes, products against differences of forces, analyses against
 * closed solutions. */
#include "pressed.h"

static const sw_fem_kinematics kinds[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRAIN, SW_FEM_AXISYMMETRIC};
static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};

/* ---- Bodies ---- */

/* Away from the axis. */
static void shift(const void *context, const double at[3], double position[3])
{
    (void)context;
    for (int i = 0; i < 3; i++)
        position[i] = at[i] + (i == 0 ? 0.5 : 0);
}

/* A distorted block of n cells a side, held. */
static void make_block(pressed *m, sw_fem_kinematics k, int n)
{
    const int cells[3] = {n, n, k == SW_FEM_SOLID ? n : 0};
    make(m, fem_grid(cells, 0.2, shift, NULL), k, 0);
    for (int i = 0; i < m->b.d; i++)
        fem_fix_set(&m->b, 0, "x_min", i, 0);
}

static double *random_vector(int64_t n, double size, uint64_t *seed)
{
    double *vector = zeros(n, sizeof *vector);
    for (int64_t i = 0; i < n; i++)
        vector[i] = size * number(seed);
    return vector;
}

static double product_of(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* External forces at u, anew. */
static void forces_at(const fem_run *r, int64_t n, const double *factor, const double *u, double *force)
{
    memset(force, 0, (size_t)n * sizeof *force);
    CHECK_OK(r->fem->backend->press(r->fem, factor, u, force));
}

/* Volume under displacement u + x p, m3; two points a direction are exact. */
static double volume_at(const fem_body *b, const double *u, double x, const double *p)
{
    double sum = 0;
    for (int64_t e = 0; e < b->E; e++)
        for (int q = 0; q < b->V; q++) {
            double h[3][8], at[8];
            sw_fem_place place;
            for (int j = 0; j < b->d; j++) {
                for (int a = 0; a < b->V; a++) {
                    const int64_t dof = (int64_t)b->mesh->node[e * b->V + a] * b->d + j;
                    at[a] = b->mesh->position[dof] + u[dof] + x * p[dof];
                }
                sw_fem_coefficients(b->d, at, h[j]);
            }
            sw_fem_locate(b->problem.kinematics, q, (const double(*)[8])h, b->problem.thickness, &place);
            sum += place.volume;
        }
    return sum;
}

/* ---- Forces ---- */

/* On a closed surface the work of a pressure is -p dV, whatever the deformation: no force and no moment is part of
 * it. The volume is a cubic of the displacement: central differences of step 1e-4 are off by 1e-8, and by round-off
 * 1e-16 / 1e-4 of the volume. */
static void test_closed_surfaces_work_on_the_volume(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        pressed m;
        fem_run r;
        uint64_t seed = 4711;
        const double x = 1e-4, factor = 2;
        make_block(&m, kinds[i], 3);
        for (int side = 0; side < 2 * m.b.d; side++)
            press(&m, sides[side], 3);
        fem_open(&m.b, &r);
        const int64_t n = m.b.N * m.b.c;
        double *u = random_vector(n, 0.05, &seed), *p = random_vector(n, 1, &seed), *f = zeros(n, sizeof *f);
        forces_at(&r, n, &factor, u, f);
        const double rate = (volume_at(&m.b, u, x, p) - volume_at(&m.b, u, -x, p)) / (2 * x);
        CHECK_CLOSE(product_of(n, f, p), -6 * rate, 6e-7);
        assert_true(fabs(rate) > 1e-2);
        /* Moves and turns, that of a ring along the axis only. */
        for (int j = 0; j < m.b.d; j++) {
            double sum = 0, moment = 0, size = 0;
            for (int64_t a = 0; a < m.b.N; a++) {
                const double *at = m.b.mesh->position + a * m.b.d, *v = u + a * m.b.d, *g = f + a * m.b.d;
                const int k = (j + 1) % m.b.d;
                sum += g[j];
                moment += (at[j] + v[j]) * g[k] - (at[k] + v[k]) * g[j];
                size += fabs(g[j]);
            }
            if (kinds[i] != SW_FEM_AXISYMMETRIC) {
                CHECK_CLOSE(sum, 0, 1e-13 * size);
                CHECK_CLOSE(moment, 0, 1e-13 * size);
            } else if (j == 1) {
                CHECK_CLOSE(sum, 0, 1e-13 * size);
            }
        }
        free(u);
        free(p);
        free(f);
        fem_close(&r);
        fem_free(&m.b);
    }
}

/* On a body that turns the force turns; at no displacement it is that of sw_fem_add_pressure. */
static void test_forces_turn_with_the_body(void **state)
{
    (void)state;
    const double turn[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}; /* about some axis */
    const double flat[3][3] = {{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}};
    for (int i = 0; i < 2; i++) {
        const double(*R)[3] = kinds[i] == SW_FEM_SOLID ? turn : flat;
        pressed m;
        fem_run r;
        make_block(&m, kinds[i], 2);
        press(&m, "y_max", 7);
        press(&m, "x_max", 5);
        const int64_t n = m.b.N * m.b.c;
        const int d = m.b.d;
        double *dead = zeros(n, sizeof *dead), *u = zeros(n, sizeof *u), *f = zeros(n, sizeof *f);
        for (int k = 0; k < 2; k++)
            CHECK_OK(sw_fem_add_pressure(&m.b.problem, m.pressure[k].surface, m.pressure[k].pressure, dead));
        fem_open(&m.b, &r);
        forces_at(&r, n, &(const double){1}, u, f);
        for (int64_t a = 0; a < n; a++)
            CHECK_CLOSE(f[a], dead[a], 1e-14);
        for (int64_t a = 0; a < n; a++)
            for (int j = 0; j < d; j++)
                u[a] += (R[a % d][j] - (a % d == j)) * m.b.mesh->position[a / d * d + j];
        forces_at(&r, n, &(const double){1}, u, f);
        for (int64_t a = 0; a < n; a++) {
            double turned = 0;
            for (int j = 0; j < d; j++)
                turned += R[a % d][j] * dead[a / d * d + j];
            CHECK_CLOSE(f[a], turned, 1e-14);
        }
        free(dead);
        free(u);
        free(f);
        fem_close(&r);
        fem_free(&m.b);
    }
}

/* ---- The tangent ---- */

/* Forces are cubics, too: step 1e-5 leaves 1e-10 and round-off 1e-11 of forces of size 1. Surfaces of two cases, one
 * of them twice. */
static void check_product(sw_fem_kinematics k)
{
    pressed m;
    fem_run r;
    void *work;
    uint64_t seed = 99;
    const double x = 1e-5, factor[2] = {2, -0.7};
    sw_fem_pressure other;
    make_block(&m, k, 3);
    press(&m, "y_max", 3);
    press(&m, "x_max", 1);
    press(&m, "y_max", 0.5);
    other = (sw_fem_pressure){fem_surface(&m.b, "x_max"), 4};
    m.b.problem.n_cases = 2;
    m.b.load[1].n_pressures = 1;
    m.b.load[1].pressure = &other;
    fem_open(&m.b, &r);
    const int64_t n = m.b.N * m.b.c;
    const int c = m.b.c;
    double *u = random_vector(n, 0.05, &seed), *p = random_vector(n, 1, &seed), *at = zeros(n, sizeof *at),
           *f[2] = {zeros(n, sizeof(double)), zeros(n, sizeof(double))}, *g = zeros(n, sizeof *g),
           *nodal = zeros(n * c, sizeof *nodal), off = 0, size = 0;
    CHECK_OK(sw_fem_pressure_cpu.open(r.fem, &work));
    memcpy(r.fem->goal, factor, sizeof factor);
    r.fem->symmetric = 1;
    CHECK_OK(sw_fem_pressure_cpu.tangent(work, u, nodal));
    assert_int_equal(r.fem->symmetric, 0);
    CHECK_OK(sw_fem_pressure_cpu.product(work, p, g));
    for (int s = 0; s < 2; s++) {
        for (int64_t i = 0; i < n; i++)
            at[i] = u[i] + (s ? x : -x) * p[i];
        forces_at(&r, n, factor, at, f[s]);
    }
    for (int64_t i = 0; i < n; i++) {
        off = greatest(off, fabs(g[i] + (f[1][i] - f[0][i]) / (2 * x)));
        size = greatest(size, fabs(g[i]));
    }
    print_message("product, %s: off by %.1e of %.1e\n", sw_fem_kinematics_names[k], off, size);
    assert_true(size > 0.1);
    CHECK_CLOSE(off, 0, 1e-9 * size);
    for (int64_t i = 0; i < n; i++) {
        memset(p, 0, (size_t)n * sizeof *p);
        memset(g, 0, (size_t)n * sizeof *g);
        p[i] = 1;
        CHECK_OK(sw_fem_pressure_cpu.product(work, p, g));
        for (int j = 0; j < c; j++)
            CHECK_CLOSE(nodal[(i / c * c + j) * c + i % c], g[i / c * c + j], 1e-14 * size);
    }
    sw_fem_pressure_cpu.close(work);
    free(u);
    free(p);
    free(at);
    free(f[0]);
    free(f[1]);
    free(g);
    free(nodal);
    fem_close(&r);
    fem_free(&m.b);
}

static void test_products_are_derivatives(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        check_product(kinds[i]);
}

/* x K y - y K x over their size: round-off where the surface is closed, and not where it ends somewhere. */
static void test_closed_surfaces_have_a_symmetric_tangent(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int closed = 0; closed < 2; closed++) {
            pressed m;
            fem_run r;
            void *work;
            uint64_t seed = 5;
            make_block(&m, kinds[i], 3);
            for (int side = closed ? 0 : 3; side < (closed ? 2 * m.b.d : 4); side++)
                press(&m, sides[side], 3);
            fem_open(&m.b, &r);
            const int64_t n = m.b.N * m.b.c;
            double *u = random_vector(n, 0.05, &seed), *x = random_vector(n, 1, &seed),
                   *y = random_vector(n, 1, &seed), *g = zeros(n, sizeof *g), *h = zeros(n, sizeof *h),
                   *nodal = zeros(n * m.b.c, sizeof *nodal);
            CHECK_OK(sw_fem_pressure_cpu.open(r.fem, &work));
            r.fem->goal[0] = 1;
            CHECK_OK(sw_fem_pressure_cpu.tangent(work, u, nodal));
            CHECK_OK(sw_fem_pressure_cpu.product(work, x, g));
            CHECK_OK(sw_fem_pressure_cpu.product(work, y, h));
            const double size = sqrt(product_of(n, g, g) * product_of(n, y, y));
            const double off = fabs(product_of(n, g, y) - product_of(n, h, x)) / size;
            if (closed)
                CHECK_CLOSE(off, 0, 1e-14);
            else
                assert_true(off > 1e-3);
            sw_fem_pressure_cpu.close(work);
            free(u);
            free(x);
            free(y);
            free(g);
            free(h);
            free(nodal);
            fem_close(&r);
            fem_free(&m.b);
        }
}

static void test_threads_do_not_matter(void **state)
{
    (void)state;
    const int cells[3] = {40, 40, 1};
    pressed m;
    fem_run r;
    void *work;
    uint64_t seed = 3;
    make(&m, fem_grid(cells, 0.2, NULL, NULL), SW_FEM_SOLID, 0);
    for (int i = 0; i < 3; i++)
        fem_fix_set(&m.b, 0, "x_min", i, 0);
    press(&m, "z_max", 1);
    press(&m, "z_min", 2);
    fem_open(&m.b, &r);
    const int64_t n = m.b.N * m.b.c;
    double *u = random_vector(n, 1e-3, &seed), *f[2], *g[2], *nodal[2];
    CHECK_OK(sw_fem_pressure_cpu.open(r.fem, &work));
    r.fem->goal[0] = 1;
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i + 1);
        f[i] = zeros(n, sizeof(double));
        g[i] = zeros(n, sizeof(double));
        nodal[i] = zeros(n * 3, sizeof(double));
        forces_at(&r, n, r.fem->goal, u, f[i]);
        CHECK_OK(sw_fem_pressure_cpu.tangent(work, u, nodal[i]));
        CHECK_OK(sw_fem_pressure_cpu.product(work, u, g[i]));
    }
    omp_set_num_threads(1);
    assert_memory_equal(f[0], f[1], (size_t)n * sizeof(double));
    assert_memory_equal(g[0], g[1], (size_t)n * sizeof(double));
    assert_memory_equal(nodal[0], nodal[1], (size_t)n * 3 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        free(f[i]);
        free(g[i]);
        free(nodal[i]);
    }
    sw_fem_pressure_cpu.close(work);
    free(u);
    fem_close(&r);
    fem_free(&m.b);
}

/* ---- A cube under pressure on all sides ---- */

/* Held as little as a rigid body needs. tau = K ln J on all sides, so the pressure is p = -K ln J / J; nothing holds
 * the cube where it is held; the work, -p dV, is what it stores, K ln^2 J / 2 of the volume before. */
static void squeeze(int b_bar, double J, int steps, double *work_off)
{
    const int cells[3] = {2, 2, 2};
    const double bulk = elastic.young / (3 * (1 - 2 * elastic.poisson)), p = -bulk * log(J) / J;
    pressed m;
    fem_run r;
    double stress = 0, shape = 0, held = 0;
    make(&m, fem_grid(cells, 0.2, NULL, NULL), SW_FEM_SOLID, b_bar);
    for (int side = 0; side < 6; side++)
        press(&m, sides[side], p);
    for (int i = 0; i < 3; i++)
        fem_fix(&m.b, 0, 0, i, 0);
    fem_fix(&m.b, 0, 2, 1, 0); /* at (1, 0, 0) */
    fem_fix(&m.b, 0, 2, 2, 0);
    fem_fix(&m.b, 0, 6, 2, 0); /* at (0, 1, 0) */
    m.b.options.preconditioner =
        sw_fem_default_options(&m.b.problem, SW_FEM_DEVICE_CPU).preconditioner; /* with pressures */
    fem_open(&m.b, &r);
    for (int i = 1; i <= steps; i++)
        fem_load(&m.b, &r, (double)i / steps);
    for (int64_t q = 0; q < m.b.E * m.b.V; q++)
        for (int i = 0; i < 6; i++)
            stress = greatest(stress, fabs(r.point_stress[q][i] + (i < 3 ? p : 0)) / p);
    for (int64_t i = 0; i < m.b.N * 3; i++)
        shape = greatest(shape, fabs(r.u[i] - (cbrt(J) - 1) * m.b.mesh->position[i]));
    double *f = zeros(m.b.N * 3, sizeof *f);
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.external = f}));
    for (int64_t i = 0; i < m.b.N * 3; i++)
        held = greatest(held, fabs(r.force[i] - f[i]) / p);
    free(f);
    *work_off = fabs(r.report.external_work / (0.5 * bulk * log(J) * log(J)) - 1);
    print_message("cube to J = %.2f%s in %d: stress off by %.1e, shape %.1e, held by %.1e, work %.1e\n", J,
                  b_bar ? ", mean dilatation" : "", steps, stress, shape, held, *work_off);
    CHECK_CLOSE(stress, 0, 1e-8);
    CHECK_CLOSE(shape, 0, 1e-8);
    CHECK_CLOSE(held, 0, 1e-8);
    fem_close(&r);
    fem_free(&m.b);
}

static void test_a_cube_under_pressure_on_all_sides(void **state)
{
    (void)state;
    double off;
    for (int b_bar = 0; b_bar < 2; b_bar++)
        for (int steps = 8; steps <= 16; steps *= 2) {
            squeeze(b_bar, 0.4, steps, &off);
            CHECK_CLOSE(off, 0, 1e-3);
        }
}

/* ---- A block that is turned ---- */

/* Once below 1e-2 a residual is followed by its square, times some number, or by what Newton was asked for: linear
 * solves need not be better. */
static void check_quadratic(const sw_fem_report *report)
{
    int quadratic = 0;
    for (int i = 0; i < report->n_recorded; i++) {
        const double now = report->iteration[i].residual;
        const double next = i + 1 < report->n_recorded ? report->iteration[i + 1].residual : report->residual;
        print_message("%.2e ", now);
        if (now < 1e-2) {
            CHECK_CLOSE(next, 0, 100 * now * now + 1e-10);
            quadratic++;
        }
    }
    print_message("%.2e\n", report->residual);
    assert_true(quadratic >= 2);
}

/* Pressed on two sides that end somewhere, by 5 and 10 % of Young's modulus, then turned by a right angle at its held
 * side, in steps: the displacements, seen from the block, stay. The tangent is not symmetric. */
static void turn_block(sw_fem_linear_solver linear)
{
    const int cells[3] = {3, 3, 0};
    pressed m;
    fem_run r;
    double increment = 1, off = 0, size = 0;
    make(&m, fem_grid(cells, 0.1, NULL, NULL), SW_FEM_PLANE_STRAIN, 0);
    m.b.options.linear = linear;
    m.b.problem.n_cases = 3;
    press(&m, "y_max", 20e9);
    press(&m, "x_max", 10e9);
    const sw_fem_set *held = fem_nodes(&m.b, "y_min");
    for (int64_t i = 0; i < held->n; i++)
        for (int j = 0; j < 2; j++) {
            const double *x = m.b.mesh->position + 2 * (int64_t)held->member[i];
            fem_fix(&m.b, 1, held->member[i], j, x[j]);
            fem_fix(&m.b, 2, held->member[i], j, j == 0 ? -x[1] : x[0]);
        }
    fem_open(&m.b, &r);
    CHECK_OK(sw_fem_advance(r.fem, (double[]){1, 0, 0}, &increment, &r.report));
    assert_int_equal(r.report.substeps, 1);
    check_quadratic(&r.report);
    fem_read(&r);
    double *before = zeros(2 * m.b.N, sizeof *before);
    memcpy(before, r.u, (size_t)(2 * m.b.N) * sizeof *before);
    for (int i = 1; i <= 6; i++) {
        const double angle = PI / 12 * i;
        CHECK_OK(sw_fem_advance(r.fem, (double[]){1, cos(angle) - 1, sin(angle)}, &increment, &r.report));
    }
    fem_read(&r);
    for (int64_t n = 0; n < m.b.N; n++) {
        const double *x = m.b.mesh->position + 2 * n, *u = before + 2 * n, *v = r.u + 2 * n;
        off = greatest(off, hypot(x[0] + v[0] + x[1] + u[1], x[1] + v[1] - x[0] - u[0]));
        size = greatest(size, hypot(u[0], u[1]));
    }
    print_message("%s, turned by a right angle: displacements off by %.1e of %.1e\n",
                  sw_fem_linear_names[linear], off, size);
    assert_true(size > 0.05);
    CHECK_CLOSE(off, 0, 1e-8 * size);
    free(before);
    fem_close(&r);
    fem_free(&m.b);
}

static void test_a_pressed_block_is_turned(void **state)
{
    (void)state;
    turn_block(SW_FEM_SOLVE_BICGSTAB);
    turn_block(SW_FEM_SOLVE_GMRES);
    if (sw_fem_linear_solvers[SW_FEM_SOLVE_DIRECT])
        turn_block(SW_FEM_SOLVE_DIRECT);
}

/* ---- States ---- */

/* A ring goes on from a saved state with the same bits; asked for more than it can bear, it says so
 * and keeps what it has, which can be unloaded. */
static void test_restarts_and_failures(void **state)
{
    (void)state;
    const int cells[3] = {6, 1, 0};
    const double shear = elastic.young / (2 * (1 + elastic.poisson));
    pressed m;
    fem_run whole, again;
    make(&m, fem_grid(cells, 0, straight, NULL), SW_FEM_AXISYMMETRIC, 0);
    m.b.options.least_increment = 0.1;
    press(&m, "x_min", shear);
    fem_fix_set(&m.b, 0, "y_min", 1, 0);
    fem_fix_set(&m.b, 0, "y_max", 1, 0);
    const int64_t n = m.b.N * m.b.c;
    fem_open(&m.b, &whole);
    for (int i = 1; i <= 2; i++)
        fem_load(&m.b, &whole, 0.1 * i);
    sw_fem_state saved = {.displacement = zeros(n, sizeof(double)),
                          .points = zeros(m.b.E * m.b.V, sizeof(sw_fem_point)),
                          .yielded = zeros(m.b.E * m.b.V, 1),
                          .factor = zeros(FEM_MOST_CASES, sizeof(double)),
                          .last = zeros(n, sizeof(double)),
                          .last_factor = zeros(FEM_MOST_CASES, sizeof(double))};
    CHECK_OK(sw_fem_save(whole.fem, &saved));
    fem_open(&m.b, &again);
    CHECK_OK(sw_fem_restore(again.fem, &saved));
    again.increment = whole.increment;
    fem_load(&m.b, &again, 0.3);
    fem_load(&m.b, &whole, 0.3);
    assert_memory_equal(whole.u, again.u, (size_t)n * sizeof(double));
    assert_memory_equal(whole.force, again.force, (size_t)n * sizeof(double));
    assert_true(whole.report.external_work == again.report.external_work);
    const double all[1] = {3};
    assert_int_equal(sw_fem_advance(again.fem, all, &again.increment, &again.report), SW_ERR_CONVERGENCE);
    assert_message_has("no convergence beyond");
    fem_read(&again);
    assert_true(again.factor[0] >= 0.3 && again.factor[0] < 3);
    again.increment = 1;
    for (int i = 2; i >= 0; i--)
        fem_load(&m.b, &again, 0.1 * i);
    for (int64_t i = 0; i < n; i++)
        CHECK_CLOSE(again.u[i], 0, 1e-8);
    free(saved.displacement);
    free(saved.points);
    free(saved.yielded);
    free(saved.factor);
    free(saved.last);
    free(saved.last_factor);
    fem_close(&whole);
    fem_close(&again);
    fem_free(&m.b);
}

static void test_refusals(void **state)
{
    (void)state;
    pressed m;
    sw_fem *fem;
    make_block(&m, SW_FEM_PLANE_STRAIN, 1);
    press(&m, "y_max", INFINITY);
    assert_int_equal(sw_fem_open(&m.b.problem, &m.b.options, &fem), SW_ERR_RANGE);
    assert_message_has("pressure = inf: need a finite one");
    m.pressure[0].pressure = 1;
    m.b.problem.strain = SW_FEM_SMALL;
    assert_int_equal(sw_fem_open(&m.b.problem, &m.b.options, &fem), SW_ERR_RANGE);
    assert_message_has("pressures that follow the surface are for strain finite, not small");
    fem_free(&m.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_surfaces_work_on_the_volume),
        cmocka_unit_test(test_forces_turn_with_the_body),
        cmocka_unit_test(test_products_are_derivatives),
        cmocka_unit_test(test_closed_surfaces_have_a_symmetric_tangent),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_a_cube_under_pressure_on_all_sides),
        cmocka_unit_test(test_a_pressed_block_is_turned),
        cmocka_unit_test(test_restarts_and_failures),
        cmocka_unit_test(test_refusals),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("pressures that follow the surface", tests, NULL, NULL);
}
