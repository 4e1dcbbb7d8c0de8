/* Elements that keep their mean dilatation, where nothing is said of it. */
#include "tests/online/fem/meshes.h"

/* Perfectly plastic; MPa and mm. */
static const sw_fem_material plastic = {.young = 70000, .poisson = 0.3, .yield_stress = 200},
                             elastic = {.young = 70000, .poisson = 0.3, .yield_stress = INFINITY},
                             rubber = {.young = 1, .poisson = 0.49, .yield_stress = INFINITY};

/* Auto, as a structure of zeros has it: where a material keeps its volume, and kinematics can. */
static void test_who_has_it(void **state)
{
    (void)state;
    const sw_fem_polycrystal copper = {.each = 1};
    sw_fem_material crystals = elastic;
    crystals.crystals = &copper;
    const sw_fem_material mixed[] = {elastic, plastic};
    const struct {
        const sw_fem_material *material;
        int n, automatic;
    } of[] = {{&elastic, 1, 0}, {&plastic, 1, 1}, {&rubber, 1, 1}, {&crystals, 1, 1}, {mixed, 2, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int k = 0; k < SW_FEM_KINEMATICS; k++) {
            const int can = k != SW_FEM_PLANE_STRESS && k != SW_FEM_HEAT;
            sw_fem_problem p = {
                .kinematics = (sw_fem_kinematics)k, .n_materials = of[i].n, .material = of[i].material};
            assert_int_equal(sw_fem_has_b_bar(&p), can && of[i].automatic);
            p.b_bar = SW_FEM_B_BAR_YES;
            assert_int_equal(sw_fem_has_b_bar(&p), can);
            p.b_bar = SW_FEM_B_BAR_NO;
            assert_int_equal(sw_fem_has_b_bar(&p), 0);
        }
}

/* A clamped beam, 30 x 8 x 8, under a force across its end. Its plastic hinge carries yield b h^2 / (4 l) = 853; the
 * clamp, which holds the section's width, makes that more, by 2 / sqrt(3) at most in plane strain: 985; and twelve by
 * four elements a little more. Twice the hinge's force is beyond any of them. */
static sw_status bend(sw_fem_b_bar b_bar, double force)
{
    const sw_fem_voxels v = {.body = "box", .size = {30, 8, 8}, .cells = {12, 4, 4}};
    sw_fem_mesh *mesh;
    fem_body b;
    fem_run r;
    CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
    fem_make(&b, mesh, SW_FEM_SOLID, 0, plastic);
    b.problem.b_bar = b_bar;
    b.options.tolerance = 1e-6;
    b.options.linear_tolerance = 1e-7;
    b.options.least_increment = 0.02;
    for (int i = 0; i < 3; i++)
        fem_fix_set(&b, 0, "x_min", i, 0);
    CHECK_OK(sw_fem_add_surface_force(&b.problem, fem_surface(&b, "x_max"), (const double[3]){0, 0, force},
                                      b.load[0].force));
    fem_open(&b, &r);
    sw_status status = SW_OK;
    for (int i = 1; i <= 8 && status == SW_OK; i++) {
        const double factor = i / 8.0;
        status = sw_fem_advance(r.fem, &factor, &r.increment, &r.report);
    }
    fem_close(&r);
    fem_free(&b);
    return status;
}

static void test_a_hinge_has_its_limit(void **state)
{
    (void)state;
    const double hinge = plastic.yield_stress * 8 * 8 * 8 / (4 * 30);
    assert_int_equal(bend(SW_FEM_B_BAR_AUTO, hinge), SW_OK);
    assert_int_equal(bend(SW_FEM_B_BAR_AUTO, 2 * hinge), SW_ERR_CONVERGENCE);
    assert_int_equal(bend(SW_FEM_B_BAR_NO, 2 * hinge), SW_OK); /* locked: as was asked for */
}

static void test_refused(void **state)
{
    (void)state;
    fem_body b;
    sw_fem *fem;
    fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, plastic);
    b.problem.b_bar = SW_FEM_B_BARS;
    assert_int_equal(sw_fem_open(&b.problem, &b.options, &fem), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "b_bar = 3: need SW_FEM_B_BAR_AUTO"));
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_has_it),
        cmocka_unit_test(test_a_hinge_has_its_limit),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
