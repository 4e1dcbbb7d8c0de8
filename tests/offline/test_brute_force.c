/* One simulation for 128 grid points, how planes share slip with it, or 192, against one for each: every point of a 16 x 16 x 16 x 24 grid, of hexagonal crystals of one
 * of 8 x 8 x 12 x 24. */
#include "tests/test.h"

#include "common/crystal/material_file.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"

static void check_every_point(const sw_material *m, const int64_t shape[4])
{
    const sw_point_group *group = sw_material_lattice(m)->group;
    const sw_increment increment = sw_increment_default(m);
    const int64_t period = shape[2] / group->fold, points = shape[0] * shape[1] * shape[2] * shape[3],
                  reduced = points / group->fold;
    sw_response_grid grid;
    double(*x)[4], (*brute)[SW_OUTPUTS_MOST], scale[SW_OUTPUTS_MOST] = {0};
    float *field[SW_OUTPUTS_MOST];
    CHECK_OK(SW_ALLOCATE(x, points, "angles"));
    CHECK_OK(SW_ALLOCATE(brute, points, "responses"));
    CHECK_OK(sw_response_grid_create(group, shape, &grid));
    assert_true(grid.n_points * grid.symmetries.count < 3 * points); /* some are on mirrors */
    assert_int_equal(grid.symmetries.count, group->fold * 32);
    CHECK_OK(sw_integrate_grid(&grid, m, &increment, &(sw_integrate_options){.quiet = 1}));
    for (int64_t i = 0; i < points; i++)
        sw_grid_angles(shape, i, x[i]);
    CHECK_OK(sw_integrate_points(m, &increment, points, (const double(*)[4])x, brute, NULL));
    for (int c = 0; c < SW_OUTPUTS_MOST; c++) {
        CHECK_OK(SW_ALLOCATE(field[c], reduced, "field"));
        memset(field[c], 0xff, (size_t)reduced * sizeof(float)); /* NaN: a place that nothing fills fails */
        for (int64_t i = 0; i < points; i++)
            scale[c] += brute[i][c] * brute[i][c] / (double)points;
        scale[c] = sqrt(scale[c]);
        assert_true(scale[c] >
                    (c < SW_OUTPUTS || group->fold == 4 ? 0.01 : -1)); /* hexagonal ones have no four {111} */
    }
    sw_response_grid_expand(&grid, grid.shape[3], field);
    for (int64_t i = 0; i < points; i++) {
        const int64_t j4 = i % shape[3], j3 = i / shape[3] % shape[2], rest = i / (shape[3] * shape[2]);
        for (int c = 0; c < SW_OUTPUTS_MOST;
             c++) /* 1e-6 of the output, and single precision's 6e-8 of the value */
            CHECK_CLOSE(field[c][(rest * period + j3 % period) * shape[3] + j4], brute[i][c],
                        1e-6 * scale[c] + 6e-8 * fabs(brute[i][c]));
    }
    for (int c = 0; c < SW_OUTPUTS_MOST; c++)
        free(field[c]);
    free(x);
    free(brute);
    sw_response_grid_destroy(&grid);
}

static void every_point_agrees(void **state)
{
    (void)state;
    const sw_material material = copper();
    check_every_point(&material, (const int64_t[]){16, 16, 16, 24});
}

/* Titanium whose families stay in fixed ratios; twins tell D from -D, which no operation exchanges. */
static void every_point_of_hexagonal_crystals_agrees(void **state)
{
    (void)state;
    sw_material material;
    CHECK_OK(
        sw_material_parse("test",
                          "name: titanium\ncrystal_structure: hexagonal\nc_over_a: 1.587\n"
                          "elasticity: {C11: 162.4e9, C33: 180.7e9, C44: 46.7e9, C12: 92.0e9, C13: 69.0e9}\n"
                          "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
                          "    - {family: basal, initial_slip_resistance: 150.0e6}\n"
                          "    - {family: prismatic, initial_slip_resistance: 100.0e6}\n"
                          "    - {family: pyramidal_ca, initial_slip_resistance: 300.0e6}\n"
                          "    - {family: tension_twin, initial_slip_resistance: 200.0e6}\n"
                          "hardening: {law: voce, initial_hardening_rate: 0.4e9, saturation_resistance: "
                          "420.0e6, exponent: 2}\n",
                          &material));
    check_every_point(&material, (const int64_t[]){8, 8, 12, 24});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_agrees),
                                       cmocka_unit_test(every_point_of_hexagonal_crystals_agrees)};
    return cmocka_run_group_tests_name("brute force", tests, NULL, NULL);
}
