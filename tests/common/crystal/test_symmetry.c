#include "tests/test.h"

#include "common/math/random.h"
#include "common/crystal/symmetry.h"
#include "offline/response_grid.h"

static const int64_t shape[4] = {16, 12, 8, 12};

enum { CUBIC = 128 };

static const sw_symmetry *cubic(void)
{
    static sw_symmetries all;
    sw_symmetries_of(&sw_point_group_432, &all);
    assert_int_equal(all.count, CUBIC);
    return all.operation;
}

/* One operation's action on a response. */
static void act(const sw_symmetry *symmetry, const double in[SW_OUTPUTS_MOST], double out[SW_OUTPUTS_MOST])
{
    for (int c = 0; c < SW_OUTPUTS_MOST; c++)
        out[c] = symmetry->output_sign[c] * in[symmetry->source[c]];
}

static void group_has_128_distinct_operations(void **state)
{
    (void)state;
    const sw_symmetry *group = cubic();
    for (int a = 0; a < CUBIC; a++)
        for (int b = 0; b < a; b++) /* distinct on the angles alone, hence 128 grid points share a response */
            assert_false(memcmp(group[a].sign, group[b].sign, sizeof group[a].sign) == 0 &&
                         memcmp(group[a].twelfth, group[b].twelfth, sizeof group[a].twelfth) == 0);
}

/* Of every point group: as many as there are products, on a grid that they map to itself. */
static void check_closure(const sw_point_group *group, int count)
{
    const int64_t lengths[4] = {16, 12, 2 * group->fold, 12};
    const int64_t start =
        ((3 * lengths[1] + 5) * lengths[2] + 1) * lengths[3] + 5; /* a point that no operation fixes */
    const double response[SW_OUTPUTS_MOST] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    sw_symmetries all;
    sw_symmetries_of(group, &all);
    const sw_symmetry *of = all.operation;
    assert_int_equal(all.count, count);
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) {
            const int64_t image =
                sw_symmetry_image(&of[a], lengths, sw_symmetry_image(&of[b], lengths, start));
            double once[SW_OUTPUTS_MOST], twice[SW_OUTPUTS_MOST], direct[SW_OUTPUTS_MOST];
            int found = 0;
            act(&of[b], response, once);
            act(&of[a], once, twice);
            for (int c = 0; c < count && !found; c++)
                if (sw_symmetry_image(&of[c], lengths, start) == image) {
                    act(&of[c], response, direct);
                    found = memcmp(direct, twice, sizeof direct) == 0;
                }
            assert_true(found);
        }
}

static void groups_are_closed(void **state)
{
    (void)state;
    check_closure(&sw_point_group_432, 128);
    check_closure(&sw_point_group_422, 128);
    check_closure(&sw_point_group_622, 192);
}

/* What the group claims, against the integrator: responses at all 128 images of a random point. */
static void responses_at_images_agree(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    const sw_symmetry *group = cubic();
    for (uint64_t n = 0; n < 4; n++) {
        double x[CUBIC][4], y[CUBIC][SW_OUTPUTS_MOST], expected[SW_OUTPUTS_MOST], u[4];
        sw_random_orientation(1, n, x[0]);
        sw_random_uniform4(1, n, 1, u);
        x[0][3] = 2 * SW_PI * u[0];
        for (int s = 1; s < CUBIC; s++)
            for (int d = 0; d < 4; d++)
                x[s][d] = group[s].sign[d] * x[0][d] + group[s].twelfth[d] * SW_PI / 6;
        CHECK_OK(sw_integrate_points(&material, &increment, CUBIC, (const double(*)[4])x, y, NULL));
        for (int s = 1; s < CUBIC; s++) {
            act(&group[s], y[0], expected);
            for (int c = 0; c < SW_OUTPUTS_MOST; c++)
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
        assert_int_equal(sw_grid_check(&sw_point_group_432, bad[k]), SW_ERR_RANGE);
    CHECK_OK(sw_grid_check(&sw_point_group_432, shape));
    assert_int_equal(sw_grid_check(&sw_point_group_622, shape), SW_ERR_RANGE);
    assert_message_has("8 points for phi2: need 4 to 8192 and a multiple of 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(group_has_128_distinct_operations),
        cmocka_unit_test(groups_are_closed),
        cmocka_unit_test(responses_at_images_agree),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("symmetry", tests, NULL, NULL);
}
