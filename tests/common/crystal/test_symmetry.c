#include "tests/test.h"

#include "common/math/random.h"
#include "common/crystal/symmetry.h"
#include "offline/response_grid.h"

static const int64_t shape[4] = {16, 12, 8, 12};

/* One operation's action on a response. */
static void act(const sw_symmetry *symmetry, const double in[SW_OUTPUTS], double out[SW_OUTPUTS])
{
    for (int c = 0; c < SW_OUTPUTS; c++)
        out[c] = symmetry->output_sign[c] * in[symmetry->source[c]];
}

static void group_has_128_distinct_operations(void **state)
{
    (void)state;
    const sw_symmetry *group = sw_symmetries();
    for (int a = 0; a < SW_SYMMETRIES; a++)
        for (int b = 0; b < a; b++) /* distinct on the angles alone, hence 128 grid points share a response */
            assert_false(memcmp(group[a].sign, group[b].sign, sizeof group[a].sign) == 0 &&
                         memcmp(group[a].quarter, group[b].quarter, sizeof group[a].quarter) == 0);
}

static void group_is_closed(void **state)
{
    (void)state;
    const sw_symmetry *group = sw_symmetries();
    const int64_t start =
        ((3 * shape[1] + 5) * shape[2] + 1) * shape[3] + 5; /* a point that no operation fixes */
    const double response[SW_OUTPUTS] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (int a = 0; a < SW_SYMMETRIES; a++)
        for (int b = 0; b < SW_SYMMETRIES; b++) {
            const int64_t image =
                sw_symmetry_image(&group[a], shape, sw_symmetry_image(&group[b], shape, start));
            double once[SW_OUTPUTS], twice[SW_OUTPUTS], direct[SW_OUTPUTS];
            int found = 0;
            act(&group[b], response, once);
            act(&group[a], once, twice);
            for (int c = 0; c < SW_SYMMETRIES && !found; c++)
                if (sw_symmetry_image(&group[c], shape, start) == image) {
                    act(&group[c], response, direct);
                    found = memcmp(direct, twice, sizeof direct) == 0;
                }
            assert_true(found);
        }
}

/* What the group claims, against the integrator: responses at all 128 images of a random point. */
static void responses_at_images_agree(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    const sw_symmetry *group = sw_symmetries();
    for (uint64_t n = 0; n < 4; n++) {
        double x[SW_SYMMETRIES][4], y[SW_SYMMETRIES][SW_OUTPUTS], expected[SW_OUTPUTS], u[4];
        sw_random_orientation(1, n, x[0]);
        sw_random_uniform4(1, n, 1, u);
        x[0][3] = 2 * SW_PI * u[0];
        for (int s = 1; s < SW_SYMMETRIES; s++)
            for (int d = 0; d < 4; d++)
                x[s][d] = group[s].sign[d] * x[0][d] + group[s].quarter[d] * SW_PI / 2;
        CHECK_OK(sw_integrate_points(&material, &increment, SW_SYMMETRIES, (const double(*)[4])x, y, NULL));
        for (int s = 1; s < SW_SYMMETRIES; s++) {
            act(&group[s], y[0], expected);
            for (int c = 0; c < SW_OUTPUTS; c++)
                CHECK_CLOSE(y[s][c], expected[c], 1e-6);
        }
    }
}

static void shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const int64_t bad[][4] = {
        {6, 8, 8, 12}, {8, 7, 8, 12}, {8, 8, 10, 12}, {8, 8, 8, 2}, {8, 8, 16384, 12}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(sw_grid_check(bad[k]), SW_ERR_RANGE);
    CHECK_OK(sw_grid_check(shape));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_has_128_distinct_operations),
        cmocka_unit_test(group_is_closed),
        cmocka_unit_test(responses_at_images_agree),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
