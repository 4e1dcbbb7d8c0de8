#include "common/math/lanes_doubles.h"

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
    const double ends[] = {0, 1e-310, 1e-200, 1e-20, 1e10, 1e200, 1e299};
    for (int i = 0; i < (int)(sizeof ends / sizeof *ends); i++) {
        sw_real x = sw_broadcast(1);
        sw_set_lane(&x, i % SW_LANES, ends[i]);
        const sw_real power = sw_power(x, 82.0);
        assert_true(isnormal(sw_lane(power, i % SW_LANES)));
        if (ends[i] < 1)
            CHECK_CLOSE(sw_lane(power, i % SW_LANES), 0, 1e-90);
        CHECK_CLOSE(sw_lane(power, (i + 1) % SW_LANES), 1, 1e-15);
    }
    const sw_real y = sw_power(sw_broadcast(0), -2.0);
    assert_true(isfinite(sw_lane(y, 0)) && sw_lane(y, 0) > 1e300);
}

static void choices_are_made_lane_by_lane(void **state)
{
    (void)state;
    enum { HALF = SW_LANES / 2 };
    sw_real a = sw_broadcast(0);
    for (int lane = 0; lane < SW_LANES; lane++)
        sw_set_lane(&a, lane, lane);
    const double middle = HALF - 0.5;
    const sw_real b = sw_broadcast(middle);
    const sw_mask less = SW_LESS(a, b);
    for (int lane = 0; lane < SW_LANES; lane++) {
        assert_int_equal(sw_mask_lane(less, lane), lane < HALF);
        assert_true(sw_lane(sw_choose(less, a, b), lane) == (lane < HALF ? lane : middle));
        assert_true(sw_lane(sw_max(a, b), lane) == (lane < HALF ? middle : lane));
        assert_true(sw_lane(sw_min(a, b), lane) == (lane < HALF ? lane : middle));
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
