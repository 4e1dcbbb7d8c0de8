/* The hardening law in single precision: as exact for small slips as for large ones. */
#include "common/math/lanes_float.h"

#include "tests/test.h"

#include "common/crystal/laws.h"

/* Voce's law in double, by its closed form. */
static double exact(double s, double slip, double a)
{
    const double u = 1 - s / 148e6, rate = 180e6 / 148e6;
    return 148e6 *
           (1 - (a == 1 ? u * exp(-slip * rate) : pow(pow(u, 1 - a) + slip * (a - 1) * rate, 1 / (1 - a))));
}

/* Two roundings of s, and a power good to 1e-7 of what is left to saturation. */
static void any_slip_and_exponent(void **state)
{
    (void)state;
    const double exponents[] = {1, 1.5, 2.25, 10, 50, 100};
    for (int i = 0; i < 6; i++) {
        const sw_hardening hardening = {SW_LAW_voce, {180e6, 148e6, exponents[i]}};
        for (double fraction = 0.1; fraction < 0.99; fraction += 0.02)
            for (double slip = 1e-7; slip < 3; slip *= 1.3) {
                const float s = (float)(fraction * 148e6), small = (float)slip;
                const float hardened = sw_harden(&hardening, s, small);
                assert_true(hardened >= s);
                CHECK_CLOSE(hardened, exact(s, small, exponents[i]), 2e-7 * 148e6);
            }
    }
}

/* The law itself is what small slips harden by; nothing at saturation. */
static void the_rate_is_the_derivative(void **state)
{
    (void)state;
    const double exponents[] = {1, 2.25, 10};
    for (int i = 0; i < 3; i++) {
        const sw_hardening hardening = {SW_LAW_voce, {180e6, 148e6, exponents[i]}};
        for (double fraction = 0.1; fraction < 0.99; fraction += 0.1) {
            const double s = (float)(fraction * 148e6), h = 1e-4 * pow(1 - fraction, 1 - exponents[i]);
            const double slope = (exact(s, h, exponents[i]) - exact(s, -h, exponents[i])) / (2 * h);
            CHECK_CLOSE(sw_hardening_rate(&hardening, (float)s) / slope, 1, 2e-5);
        }
        CHECK_CLOSE(sw_hardening_rate(&hardening, 148e6F), 0, 0);
        CHECK_CLOSE(sw_hardening_rate(&hardening, 150e6F), 0, 0);
    }
}

/* Ten thousand steps end where one does: 1e4 roundings of s, 3e-8 of it each, at random. */
static void small_steps_add_up(void **state)
{
    (void)state;
    const sw_hardening hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}};
    float s = 16e6F;
    for (int k = 0; k < 10000; k++)
        s = sw_harden(&hardening, s, 3e-4F);
    CHECK_CLOSE(s, exact(16e6, 3, 2.25), 1e-5 * 148e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_slip_and_exponent),
                                       cmocka_unit_test(the_rate_is_the_derivative),
                                       cmocka_unit_test(small_steps_add_up)};
    return cmocka_run_group_tests_name("hardening", tests, NULL, NULL);
}
