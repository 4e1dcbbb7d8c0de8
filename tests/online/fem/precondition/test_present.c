/* Multigrid of the present tangent: element matrices against products, Galerkin's identity, a symmetric and positive
 * operator whatever the tangent, iterations of an upset, the same bits with any number of threads. */
#include "tests/online/fem/meshes.h"

#include "online/fem/backend/backend.h"
#include "online/fem/element/finite_matrix.h"
#include "online/fem/element/measure.h"
#include "online/fem/precondition/multigrid_level.h"
#include "online/fem/precondition/preconditioners.h"
#include "online/fem/precondition/present_cpu.h"

#include <omp.h>

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};

/* ---- A body of voxels under a displacement, and its tangent ---- */

typedef struct {
    fem_body body;
    sw_fem fem;
    sw_fem_view view;
    double bulk, shear, *at, *nodal, *tangent;
    int32_t *each;
    uint8_t *material_of;
} state_of_body;

/* Held at z_min and z_max; compressed by `strain` z^3 and shaken, so that it is elastic below and plastic above. */
static void make(state_of_body *s, const int cells[3], int b_bar, double strain)
{
    const sw_fem_voxels v = {.body = "box", .size = {1, 1, 1}, .cells = {cells[0], cells[1], cells[2]}};
    sw_fem_mesh *mesh;
    memset(s, 0, sizeof *s);
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    fem_make(&s->body, mesh, SW_FEM_SOLID, b_bar, steel);
    fem_body *b = &s->body;
    b->problem.strain = SW_FEM_FINITE;
    for (int i = 0; i < 3; i++) {
        fem_fix_set(b, 0, "z_min", i, 0);
        fem_fix_set(b, 0, "z_max", i, 0);
    }
    s->fem = (sw_fem){.problem = &b->problem,
                      .dimension = 3,
                      .components = 3,
                      .corners = 8,
                      .n_nodes = b->N,
                      .n_elements = b->E,
                      .n_unknowns = 3 * b->N,
                      .fixed = zeros(3 * b->N, 1)};
    for (int64_t i = 0; i < b->load[0].n_fixed; i++)
        s->fem.fixed[b->load[0].dof[i]] = 1;
    s->bulk = sw_fem_bulk(&steel);
    s->shear = sw_fem_shear(&steel);
    s->at = zeros(3 * b->N, sizeof(double));
    s->nodal = zeros(9 * b->N, sizeof(double));
    s->each = zeros(b->E, sizeof(int32_t));
    s->material_of = zeros(b->E, 1);
    s->tangent = zeros(SW_FEM_FINITE_SIZE * 8 * b->E, sizeof(double));
    for (int64_t e = 0; e < b->E; e++)
        s->each[e] = (int32_t)e;
    s->view = (sw_fem_view){.kinematics = SW_FEM_SOLID,
                            .measure = SW_FEM_MEASURE_FINITE,
                            .b_bar = b_bar,
                            .thickness = 1,
                            .n_nodes = b->N,
                            .n_elements = b->E,
                            .position = mesh->position,
                            .at = s->at,
                            .node = mesh->node,
                            .material_of = s->material_of,
                            .bulk = &s->bulk,
                            .shear = &s->shear,
                            .n_plastic = b->E,
                            .plastic = s->each,
                            .slot = s->each,
                            .tangent = s->tangent};
    double *u = zeros(3 * b->N, sizeof(double));
    sw_fem_point *points = zeros(8 * b->E, sizeof *points);
    const sw_fem_states states = {(double *)points, zeros(8 * b->E, 1), 1, SW_FEM_POINT_SIZE,
                                  8 * SW_FEM_POINT_SIZE};
    int plastic = 0;
    for (int64_t i = 0; i < 3 * b->N; i++) {
        u[i] = -strain * (i % 3 == 2) * pow(mesh->position[i], 3) + 2e-3 * strain * sin(1.3 * (double)i);
        s->at[i] = mesh->position[i] + u[i];
    }
    for (int64_t e = 0; e < b->E; e++)
        plastic += sw_fem_measures[SW_FEM_FINITE]->points[SW_FEM_SOLID](&s->view, &steel, &states, e, u, NULL,
                                                                        0, e, s->tangent) > 0;
    assert_true(plastic > 0 && plastic < b->E);
    free(states.yielded);
    free(points);
    free(u);
}

static void release(state_of_body *s)
{
    free(s->fem.fixed);
    free(s->at);
    free(s->nodal);
    free(s->each);
    free(s->material_of);
    free(s->tangent);
    fem_free(&s->body);
}

/* Springs of a contact: at some nodes, across one direction. */
static void press(state_of_body *s)
{
    for (int64_t n = 0; n < s->body.N; n += 3)
        for (int i = 0; i < 9; i++)
            s->nodal[9 * n + i] = 1e11 * (1 + i / 3) * (1 + i % 3);
    s->view.nodal = s->nodal;
}

static double *random_free(const state_of_body *s, int seed)
{
    double *x = zeros(3 * s->body.N, sizeof *x);
    for (int64_t i = 0; i < 3 * s->body.N; i++)
        x[i] = s->fem.fixed[i] ? 0 : sw_fem_scattered(i + 1000003 * seed);
    return x;
}

static double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* ---- Element matrices ---- */

/* The matrix of an element against its columns by products: the same sums in another order, some 1e3 of them. */
static void test_matrices_are_the_products(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        state_of_body s;
        make(&s, (const int[3]){3, 3, 3}, b_bar, 0.01);
        for (int64_t e = 0; e < s.body.E; e++) {
            double matrix[24 * 24], column[24], x[3][8] = {{0}}, far = 0, large = 0;
            sw_fem_measures[SW_FEM_FINITE]->matrix[SW_FEM_SOLID](&s.view, e, matrix);
            sw_fem_deformed_shape(SW_FEM_SOLID, &s.view, e, x);
            for (int j = 0; j < 24; j++) {
                sw_fem_finite_column(SW_FEM_SOLID, &s.view, e, (const double(*)[8])x, j, column);
                for (int i = 0; i < 24; i++) {
                    far = greatest(far, fabs(matrix[24 * i + j] - column[i]));
                    large = greatest(large, fabs(column[i]));
                    assert_true(matrix[24 * i + j] == matrix[24 * j + i]);
                }
            }
            assert_true(far <= 1e-13 * large);
        }
        release(&s);
    }
}

/* ---- Levels ---- */

/* K d of a level, where free. */
static double *level_product(const sw_fem_present *present, int level, const double *d)
{
    const sw_fem_level *l = &present->hierarchy->level[level];
    double *r = zeros(3 * l->n_nodes, sizeof *r);
    for (int64_t own = 0; own < l->n_own; own++)
        sw_fem_present_reduce_cpu(present, level, own, d, r);
    for (int64_t i = 0; i < 3 * l->n_nodes; i++)
        r[i] = (l->fixed[i / 3] >> (i % 3) & 1) ? 0 : -r[i];
    return r;
}

static sw_fem_level_map map_of(const sw_fem_level *l)
{
    return (sw_fem_level_map){.n = {l->n[0], l->n[1], l->n[2]},
                              .factor = {l->factor[0], l->factor[1], l->factor[2]},
                              .node = l->node,
                              .point = l->point,
                              .cell = l->cell,
                              .fixed = l->fixed};
}

/* K_c x = P' K P x on every level, of lattices whose cells are odd and even in number; matrices are kept to 6e-8, rough
 * vectors cancel nothing. */
static void test_levels_are_galerkins(void **state)
{
    (void)state;
    for (int b_bar = 0; b_bar < 2; b_bar++) {
        state_of_body s;
        sw_fem_hierarchy h;
        sw_fem_present present = {0};
        int indefinite = 0;
        make(&s, (const int[3]){7, 6, 10}, b_bar, 0.01);
        press(&s);
        CHECK_OK(sw_fem_hierarchy_build(&s.fem, &s.view, &h));
        CHECK_OK(sw_fem_present_open_cpu(&h, &present));
        const sw_fem_present_functions on = sw_fem_present_cpu(&present);
        CHECK_OK(on.fill(on.work, &s.view, 0));
        assert_true(h.present && h.n_levels >= 3 && h.level[h.n_levels - 1].n_nodes <= 100);
        for (int level = 1; level < h.n_levels; level++) {
            const sw_fem_level *fine = &h.level[level - 1], *coarse = &h.level[level];
            const sw_fem_level_map f = map_of(fine), c = map_of(coarse);
            CHECK_OK(on.coarsen(on.work, level));
            CHECK_OK(on.invert(on.work, level, &indefinite));
            double *x = zeros(3 * coarse->n_nodes, sizeof *x), *up = zeros(3 * fine->n_nodes, sizeof *up);
            double *expected = zeros(3 * coarse->n_nodes, sizeof *x), off = 0, size = 0;
            for (int64_t i = 0; i < 3 * coarse->n_nodes; i++)
                x[i] = (coarse->fixed[i / 3] >> (i % 3) & 1) ? 0 : sw_fem_scattered(i);
            for (int64_t i = 0; i < fine->n_nodes; i++)
                sw_fem_prolong_node(&f, &c, i, x, up + 3 * i);
            double *fine_product = level_product(&present, level - 1, up),
                   *product = level_product(&present, level, x);
            for (int64_t i = 0; i < coarse->n_nodes; i++)
                sw_fem_restrict_node(&f, &c, i, fine_product, expected + 3 * i);
            for (int64_t i = 0; i < 3 * coarse->n_nodes; i++) {
                off += (product[i] - expected[i]) * (product[i] - expected[i]);
                size += expected[i] * expected[i];
            }
            print_message("level %d%s: off by %.1e\n", level, b_bar ? ", mean dilatation" : "",
                          sqrt(off / size));
            assert_true(size > 0 && sqrt(off / size) <= 1e-6);
            free(x);
            free(up);
            free(expected);
            free(fine_product);
            free(product);
        }
        assert_int_equal(indefinite, 0);
        sw_fem_present_close_cpu(&present);
        sw_fem_hierarchy_release(&h);
        release(&s);
    }
}

/* ---- The preconditioner ---- */

static double *precondition(void *work, const state_of_body *s, const double *r)
{
    double *z = zeros(3 * s->body.N, sizeof *z);
    CHECK_OK(sw_fem_multigrid_cpu.apply(work, &s->view, r, z));
    return z;
}

/* Whether some node's block says that the tangent is indefinite. */
static int is_indefinite(const state_of_body *s)
{
    sw_fem_hierarchy h;
    sw_fem_present present = {0};
    int indefinite = 0;
    CHECK_OK(sw_fem_hierarchy_build(&s->fem, &s->view, &h));
    CHECK_OK(sw_fem_present_open_cpu(&h, &present));
    const sw_fem_present_functions on = sw_fem_present_cpu(&present);
    CHECK_OK(on.fill(on.work, &s->view, 0));
    CHECK_OK(on.invert(on.work, 0, &indefinite));
    sw_fem_present_close_cpu(&present);
    sw_fem_hierarchy_release(&h);
    return indefinite;
}

/* r'M s = s'M r to the digits of matrices; r'M r > 0; nothing where prescribed. The second tangent is indefinite: a
 * tension of many times the shear modulus, which all motions along gradients lower. */
static void test_symmetric_and_positive(void **state)
{
    (void)state;
    for (int which = 0; which < 4; which++) {
        state_of_body s;
        void *work;
        make(&s, (const int[3]){6, 5, 8}, which & 1, 0.01);
        press(&s);
        for (int64_t i = 0; which & 2 && i < 3 * 8 * s.body.E; i++)
            s.tangent[SW_FEM_FINITE_MODULI * 8 * s.body.E + i] += 40 * s.shear;
        assert_int_equal(is_indefinite(&s), which >= 2);
        CHECK_OK(sw_fem_multigrid_cpu.open(&s.fem, &s.view, &work));
        CHECK_OK(sw_fem_multigrid_cpu.prepare(work, &s.view));
        for (int seed = 0; seed < 5; seed++) {
            double *r = random_free(&s, 2 * seed), *t = random_free(&s, 2 * seed + 1);
            double *mr = precondition(work, &s, r), *mt = precondition(work, &s, t);
            const int64_t n = 3 * s.body.N;
            const double a = dot(n, r, mr), b = dot(n, t, mt);
            assert_true(a > 0 && b > 0);
            assert_true(fabs(dot(n, r, mt) - dot(n, t, mr)) <= 1e-6 * sqrt(a * b));
            for (int64_t i = 0; i < n; i++)
                assert_true(!s.fem.fixed[i] || mr[i] == 0);
            free(r);
            free(t);
            free(mr);
            free(mt);
        }
        sw_fem_multigrid_cpu.close(work);
        release(&s);
    }
}

static void test_threads_give_the_same_bits(void **state)
{
    (void)state;
    state_of_body s;
    double *z[2];
    make(&s, (const int[3]){12, 12, 12}, 1, 0.01);
    double *r = random_free(&s, 1);
    for (int i = 0; i < 2; i++) {
        void *work;
        omp_set_num_threads(1 + 2 * i);
        CHECK_OK(sw_fem_multigrid_cpu.open(&s.fem, &s.view, &work));
        CHECK_OK(sw_fem_multigrid_cpu.prepare(work, &s.view));
        z[i] = precondition(work, &s, r);
        sw_fem_multigrid_cpu.close(work);
    }
    omp_set_num_threads(1);
    assert_memory_equal(z[0], z[1], (size_t)(3 * s.body.N) * sizeof(double));
    free(z[0]);
    free(z[1]);
    free(r);
    release(&s);
}

/* ---- An upset ---- */

/* An eighth of a sticking block by 10 %: iterations a direction hardly grow with the mesh: 4.7, 5.7 and 6.8 at 4, 8
 * and 16 boxes along a side, where block-Jacobi has 58 and 116 at 8 and 16. */
static void test_iterations_of_an_upset(void **state)
{
    (void)state;
    for (int n = 4; n <= 8; n *= 2) {
        const sw_fem_voxels v = {.body = "box", .size = {0.01, 0.01, 0.015}, .cells = {n, n, n}};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        int cg = 0, newton = 0;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        fem_make(&b, mesh, SW_FEM_SOLID, 1, steel);
        b.problem.strain = SW_FEM_FINITE;
        b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
        assert_int_equal(b.options.preconditioner, SW_FEM_MULTIGRID);
        fem_fix_set(&b, 0, "x_min", 0, 0);
        fem_fix_set(&b, 0, "y_min", 1, 0);
        fem_fix_set(&b, 0, "z_min", 2, 0);
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "z_max", j, j == 2 ? -0.015 : 0);
        fem_open(&b, &r);
        for (int step = 1; step <= 5; step++) {
            fem_load(&b, &r, 0.02 * step);
            cg += r.report.cg;
            newton += r.report.newton;
            assert_int_equal(r.report.cutbacks, 0);
        }
        print_message("%d boxes along a side: %.1f CG iterations a direction\n", n, (double)cg / newton);
        assert_true(cg <= 10 * newton);
        fem_close(&r);
        fem_free(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices_are_the_products), cmocka_unit_test(test_levels_are_galerkins),
        cmocka_unit_test(test_symmetric_and_positive),    cmocka_unit_test(test_threads_give_the_same_bits),
        cmocka_unit_test(test_iterations_of_an_upset),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("multigrid of the present tangent", tests, NULL, NULL);
}
