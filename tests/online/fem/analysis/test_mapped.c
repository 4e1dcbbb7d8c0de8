/* Cylinders of mapped cells in homogeneous states, at small and finite strains; a plate with round holes; what a mapped
 * lattice is not fit for. */
#include "tests/online/fem/meshes.h"

#include <omp.h>

static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY},
                             steel = {.young = 200e9,
                                      .poisson = 0.3,
                                      .yield_stress = 700e6,
                                      .hardening = SW_FEM_LINEAR,
                                      .parameter = {300e6}};
static const double radius = 0.01, height = 0.03;
static const char *const bodies[] = {"cylinder", "cylinder_quarter"};

static sw_fem_mesh *make_cylinder(int quarter, int layers)
{
    const double across = quarter ? radius : 2 * radius;
    const sw_fem_voxels v = {
        .body = bodies[quarter], .cells = {4, 4, layers}, .size = {across, across, height}};
    sw_fem_mesh *mesh;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    return mesh;
}

/* Held in its planes of symmetry, of the whole those through its axis; at its foot, too. */
static void hold(fem_body *b, int quarter)
{
    if (b->d == 3)
        fem_fix_set(b, 0, "z_min", 2, 0);
    if (quarter) {
        fem_fix_set(b, 0, "x_min", 0, 0);
        fem_fix_set(b, 0, "y_min", 1, 0);
    }
    for (int64_t n = 0; n < b->N && !quarter; n++)
        for (int i = 0; i < 2; i++)
            if (b->mesh->position[n * b->d + i] == 0)
                fem_fix(b, 0, n, i, 0);
}

/* m2, of the polygon on the rim: 16 sides, or 8 of 32. */
static double end_area(int quarter)
{
    const int sides = quarter ? 8 : 16;
    const double angle = quarter ? PI / 16 : PI / 8;
    return sides * radius * radius * sin(angle) / 2;
}

/* ---- Small strains ---- */

/* Round-off of some hundred unknowns, and CG to 1e-13 of its first residual: parts of the stress. */
#define ROUND_OFF 1e-9

static void check_stress(const fem_body *b, const fem_run *r, const double stress[6])
{
    double largest = 0;
    for (int i = 0; i < 6; i++)
        largest = greatest(largest, fabs(stress[i]));
    for (int64_t q = 0; q < b->E * b->V; q++)
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(r->point_stress[q][i], stress[i], ROUND_OFF * largest);
}

/* Pulled by 1e-3 and pressed on its side, which a polygon's faces pass on unchanged: -p in the plane, and E
 * e - 2 nu p along the axis. By every operator with matrices of its own: none may take cells for equal
 * boxes. */
static void test_patch(void **state)
{
    (void)state;
    const double strain = 1e-3, p = 50e6;
    const double stress[6] = {-p, -p, elastic.young * strain - 2 * elastic.poisson * p};
    for (int quarter = 0; quarter < 2; quarter++)
        for (int b_bar = 0; b_bar < 2; b_bar++)
            for (int operator_ = 0; operator_ < BUILT_OPERATORS; operator_++) {
                fem_body b;
                fem_run r;
                fem_make(&b, make_cylinder(quarter, 3), SW_FEM_SOLID, b_bar, elastic);
                assert_int_equal(b.options.storage, SW_FEM_OWN);
                b.options.operator_ = (sw_fem_operator)operator_;
                hold(&b, quarter);
                fem_fix_set(&b, 0, "z_max", 2, strain * height);
                CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "side"), p, b.load[0].force));
                fem_open(&b, &r);
                fem_load(&b, &r, 1);
                check_stress(&b, &r, stress);
                CHECK_CLOSE(fem_resultant(&b, &r, "z_max", 2), stress[2] * end_area(quarter),
                            ROUND_OFF * stress[2] * end_area(quarter));
                fem_close(&r);
                fem_free(&b);
            }
}

/* A disc in plane strain pressed on its rim: -2 nu p along the axis. */
static void test_plane_patch(void **state)
{
    (void)state;
    const double p = 50e6, stress[6] = {-p, -p, -2 * elastic.poisson * p};
    for (int quarter = 0; quarter < 2; quarter++) {
        fem_body b;
        fem_run r;
        fem_make(&b, make_cylinder(quarter, 0), SW_FEM_PLANE_STRAIN, 0, elastic);
        hold(&b, quarter);
        CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "side"), p, b.load[0].force));
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        check_stress(&b, &r, stress);
        fem_close(&r);
        fem_free(&b);
    }
}

/* ---- Finite strains ---- */

/* To length ratio l in steps; uniaxial: Kirchhoff's stress t = E e, e = ln l, or (yield + H e) / (1 + H / E)
 * beyond yield, either sign; Cauchy's is t / J with ln J = (1 - 2 nu) / E t, and the force t V / h. */
static void stretch(int quarter, int b_bar, const sw_fem_material *m, double l)
{
    enum { STEPS = 6 };
    const double volume = end_area(quarter) * height, H = m->parameter[SW_FEM_MODULUS];
    fem_body b;
    fem_run r;
    fem_make(&b, make_cylinder(quarter, 2), SW_FEM_SOLID, b_bar, *m);
    b.problem.strain = SW_FEM_FINITE;
    b.options.tolerance = 1e-10;
    b.options.linear_tolerance = 1e-11;
    hold(&b, quarter);
    fem_fix_set(&b, 0, "z_max", 2, (l - 1) * height);
    fem_open(&b, &r);
    for (int i = 1; i <= STEPS; i++) {
        const double now = 1 + (l - 1) * i / STEPS, e = fabs(log(now));
        const double t = copysign(fmin(m->young * e, (m->yield_stress + H * e) / (1 + H / m->young)), l - 1);
        const double cauchy = t / exp((1 - 2 * m->poisson) / m->young * t);
        fem_load(&b, &r, (double)i / STEPS);
        for (int64_t q = 0; q < b.E * b.V; q++)
            for (int k = 0; k < 6; k++)
                CHECK_CLOSE(r.point_stress[q][k], k == 2 ? cauchy : 0, 1e-8 * fabs(t));
        CHECK_CLOSE(fem_resultant(&b, &r, "z_max", 2), t * volume / (now * height),
                    1e-8 * fabs(t) * volume / height);
    }
    fem_close(&r);
    fem_free(&b);
}

static void test_finite_patch(void **state)
{
    (void)state;
    for (int quarter = 0; quarter < 2; quarter++)
        for (int b_bar = 0; b_bar < 2; b_bar++) {
            stretch(quarter, b_bar, &elastic, 1.3);
            stretch(quarter, b_bar, &steel, 0.7);
        }
}

/* ---- What needs equal boxes ---- */

static void refuse(const fem_body *b, const char *part)
{
    sw_fem *fem;
    assert_int_equal(sw_fem_open(&b->problem, &b->options, &fem), SW_ERR_RANGE);
    assert_message_has(part);
}

static void test_boxes_are_not_taken_for_granted(void **state)
{
    (void)state;
    fem_body b;
    fem_make(&b, make_cylinder(1, 2), SW_FEM_SOLID, 0, elastic);
    hold(&b, 1);
    const sw_fem_options standard = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    assert_int_equal(standard.storage, SW_FEM_OWN);
    assert_int_equal(standard.preconditioner, SW_FEM_MULTIGRID); /* whose cells need not be boxes */
    b.options = standard;
    b.options.operator_ = SW_FEM_EBE;
    for (int storage = SW_FEM_OWN + 1; storage < SW_FEM_STORAGES && SW_HAS_PAPERS; storage++) {
        b.options.storage = (sw_fem_storage)storage;
        refuse(&b, "needs a voxel mesh, equal boxes: own");
    }
    fem_free(&b);
}

/* Both to 1e-12 of the forces, a cylinder pulled at its upper end by what is no homogeneous displacement; multigrid's
 * iterations do not grow with the mesh. */
static void test_multigrid_of_mapped_cells(void **state)
{
    (void)state;
    for (int n = 4; n <= 8; n += 4) {
        double *u[2];
        int cg[2];
        int64_t count = 0;
        for (int which = 0; which < 2; which++) {
            fem_body b;
            fem_run r;
            fem_make(&b, make_cylinder(1, n), SW_FEM_SOLID, 1, elastic);
            b.options.preconditioner = which ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI;
            const sw_fem_set *ends[2] = {fem_nodes(&b, "z_min"), fem_nodes(&b, "z_max")};
            for (int end = 0; end < 2; end++)
                for (int64_t i = 0; i < ends[end]->n; i++)
                    for (int j = 0; j < 3; j++)
                        fem_fix(&b, 0, ends[end]->member[i], j, end && j == 2 ? 1e-5 : 0);
            fem_open(&b, &r);
            fem_load(&b, &r, 1);
            count = b.N * 3;
            u[which] = zeros(count, sizeof(double));
            memcpy(u[which], r.u, (size_t)count * sizeof(double));
            cg[which] = r.report.cg;
            fem_close(&r);
            fem_free(&b);
        }
        print_message("%d cells: block-Jacobi %d, multigrid %d CG\n", n, cg[0], cg[1]);
        for (int64_t i = 0; i < count; i++)
            CHECK_CLOSE(u[1][i], u[0][i], 1e-10 * 1e-5);
        assert_true(cg[1] < cg[0] && cg[1] <= 40);
        free(u[0]);
        free(u[1]);
    }
}

/* A plate with round holes, pulled until it yields: multigrid over void cells ends where block-Jacobi does, Newton's
 * 1e-12 of the forces times a condition of some 1e3; what the held side bears is what the other is pulled by. */
static void test_perforated_plate(void **state)
{
    (void)state;
    const double side = 0.08, thickness = 0.001, pull[3] = {350e6, 0, 0};
    double *u[2], largest = 0;
    int cg[2];
    int64_t count = 0;
    for (int which = 0; which < 2; which++) {
        const sw_fem_voxels v = {.body = "perforated_plate", .cells = {16, 16, 1}};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        fem_make(&b, mesh, SW_FEM_SOLID, 0, steel);
        b.options.preconditioner = which ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI;
        for (int i = 0; i < 3; i++)
            fem_fix_set(&b, 0, (const char *[]){"x_min", "y_min", "z_min"}[i], i, 0);
        CHECK_OK(sw_fem_add_traction(&b.problem, fem_surface(&b, "x_max"), pull, b.load[0].force));
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        print_message("%lld of %lld elements yield\n", (long long)r.report.plastic_elements, (long long)b.E);
        assert_true(r.report.plastic_elements > 0 && r.report.plastic_elements < b.E);
        CHECK_CLOSE(fem_resultant(&b, &r, "x_min", 0), -pull[0] * side * thickness,
                    1e-9 * pull[0] * side * thickness);
        count = b.N * 3;
        u[which] = zeros(count, sizeof(double));
        memcpy(u[which], r.u, (size_t)count * sizeof(double));
        cg[which] = r.report.cg;
        for (int64_t i = 0; i < count; i++)
            largest = greatest(largest, fabs(r.u[i]));
        fem_close(&r);
        fem_free(&b);
    }
    print_message("perforated plate: block-Jacobi %d, multigrid %d CG\n", cg[0], cg[1]);
    for (int64_t i = 0; i < count; i++)
        CHECK_CLOSE(u[1][i], u[0][i], 1e-9 * largest);
    assert_true(cg[1] < cg[0] / 3);
    free(u[0]);
    free(u[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_plane_patch),
        cmocka_unit_test(test_finite_patch),
        cmocka_unit_test(test_boxes_are_not_taken_for_granted),
        cmocka_unit_test(test_multigrid_of_mapped_cells),
        cmocka_unit_test(test_perforated_plate),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("mapped cells", tests, NULL, NULL);
}
