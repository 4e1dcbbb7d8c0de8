#include "common/math/lanes_double8.h"

#include "tests/test.h"

#include "common/math/lanes.h"
#include "common/math/tensor.h"

/* Against the C library's pow: the bound that sw_power states. */
static void power_agrees_with_the_library(void **state)
{
    (void)state;
    const double exponents[] = {1, 0.5, -1.25, -0.8, 19, 82.333, 99, 1 / 0.012};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++)
        for (int k = 0; k < 2000; k++) {
            sw_real x = sw_broadcast(0);
            for (int lane = 0; lane < SW_LANES; lane++)
                sw_set_lane(&x, lane, 0.1 * exp(0.0012 * (k * SW_LANES + lane) * (k % 2 ? 0.2 : 0.3)));
            sw_real y = sw_power(x, exponents[e]);
            for (int lane = 0; lane < SW_LANES; lane++) {
                const double p = exponents[e], exact = pow(sw_lane(x, lane), p);
                if (fabs(log2(exact)) > 290)
                    continue;
                const double bound = 3e-16 * fabs(p * log2(sw_lane(x, lane))) + 2e-15;
                CHECK_CLOSE(sw_lane(y, lane) / exact, 1, bound);
            }
        }
}

static void power_is_safe_at_the_ends(void **state)
{
    (void)state;
    const sw_real x = {0, 1e-310, 1e-200, 1e-20, 1, 1e10, 1e200, 1e299};
    sw_real y = sw_power(x, 82.0);
    for (int lane = 0; lane < SW_LANES; lane++) {
        assert_true(isnormal(sw_lane(y, lane)));
        if (lane < 4)
            CHECK_CLOSE(sw_lane(y, lane), 0, 1e-90);
    }
    CHECK_CLOSE(sw_lane(y, 4), 1, 1e-15);
    y = sw_power(sw_broadcast(0), -2.0);
    assert_true(isfinite(sw_lane(y, 0)) && sw_lane(y, 0) > 1e300);
}

static void choices_are_made_lane_by_lane(void **state)
{
    (void)state;
    const sw_real a = {0, 1, 2, 3, 4, 5, 6, 7}, b = sw_broadcast(3.5);
    const sw_mask less = SW_LESS(a, b);
    for (int lane = 0; lane < SW_LANES; lane++) {
        assert_int_equal(sw_mask_lane(less, lane), lane < 4);
        assert_true(sw_lane(sw_choose(less, a, b), lane) == (lane < 4 ? lane : 3.5));
        assert_true(sw_lane(sw_max(a, b), lane) == (lane < 4 ? 3.5 : lane));
        assert_true(sw_lane(sw_min(a, b), lane) == (lane < 4 ? lane : 3.5));
        assert_true(sw_lane(sw_abs(-a), lane) == lane);
        CHECK_CLOSE(sw_lane(sw_sqrt(a), lane), sqrt(lane), 1e-15);
    }
    assert_true(sw_any(less) && !sw_any(sw_if(0)) && sw_any(sw_if(1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_agrees_with_the_library),
        cmocka_unit_test(power_is_safe_at_the_ends),
        cmocka_unit_test(choices_are_made_lane_by_lane),
    };
    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
