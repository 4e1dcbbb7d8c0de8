/* One simulation for 128 grid points, against one for each: every point of a 16 x 16 x 16 x 24 grid. */
#include "tests/test.h"

#include "offline/integrate.h"
#include "offline/response_grid.h"

static const int64_t shape[4] = {16, 16, 16, 24};
enum { POINTS = 16 * 16 * 16 * 24, REDUCED = POINTS / 4 };

static void every_point_agrees(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    sw_response_grid grid;
    double(*x)[4], (*brute)[SW_OUTPUTS], scale[SW_OUTPUTS] = {0};
    float *field[SW_OUTPUTS];
    CHECK_OK(SW_ALLOCATE(x, POINTS, "angles"));
    CHECK_OK(SW_ALLOCATE(brute, POINTS, "responses"));
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, &grid));
    CHECK_OK(sw_integrate_grid(&grid, &material, &increment, &(sw_integrate_options){.quiet = 1}));
    for (int64_t i = 0; i < POINTS; i++)
        sw_grid_angles(shape, i, x[i]);
    CHECK_OK(sw_integrate_points(&material, &increment, POINTS, (const double(*)[4])x, brute, NULL));
    for (int c = 0; c < SW_OUTPUTS; c++) {
        CHECK_OK(SW_ALLOCATE(field[c], REDUCED, "field"));
        memset(field[c], 0xff, REDUCED * sizeof(float)); /* NaN: a place that nothing fills fails */
        for (int64_t i = 0; i < POINTS; i++)
            scale[c] += brute[i][c] * brute[i][c] / POINTS;
        scale[c] = sqrt(scale[c]);
    }
    sw_response_grid_expand(&grid, field);
    for (int64_t i = 0; i < POINTS; i++) {
        const int64_t j4 = i % 24, j3 = i / 24 % 16, rest = i / (24 * 16);
        for (int c = 0; c < SW_OUTPUTS;
             c++) /* 1e-6 of the output, and single precision's 6e-8 of the value */
            CHECK_CLOSE(field[c][(rest * 4 + j3 % 4) * 24 + j4], brute[i][c],
                        1e-6 * scale[c] + 6e-8 * fabs(brute[i][c]));
    }
    for (int c = 0; c < SW_OUTPUTS; c++)
        free(field[c]);
    free(x);
    free(brute);
    sw_response_grid_destroy(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_agrees)};
    return cmocka_run_group_tests_name("brute force", tests, NULL, NULL);
}
