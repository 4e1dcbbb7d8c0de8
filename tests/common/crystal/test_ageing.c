/* An aged material hardens as it did, from another slip resistance on. In double precision. */
#include "tests/test.h"

#include "common/crystal/material.h"

static const double resistances[] = {1e5, 8e6, 16e6, 97e6, 500e6};
static const double exponents[] = {1, 2.25, 5.4};
enum { RESISTANCES = 5, EXPONENTS = 3 };

static sw_material copper_of(double exponent)
{
    sw_material m = copper();
    m.hardening.voce.exponent = exponent;
    return m;
}

static sw_material aged_to(const sw_material *material, double slip_resistance)
{
    sw_material aged;
    CHECK_OK(sw_material_age(material, slip_resistance, &aged));
    return aged;
}

/* By the law as it is written, h0 (1 - s/s_s)^a, and by its closed form. Powers of u, each good to 1e-15 times
 * s_s/(s_s - s) and a: below 1e-12. */
static void the_curve_is_shifted_as_a_whole(void **state)
{
    (void)state;
    for (int i = 0; i < RESISTANCES * EXPONENTS; i++) {
        const sw_material base = copper_of(exponents[i / RESISTANCES]),
                          aged = aged_to(&base, resistances[i % RESISTANCES]);
        const sw_hardening *b = &base.hardening, *h = &aged.hardening;
        const double s0 = base.slip.initial_slip_resistance, shift = aged.slip.initial_slip_resistance - s0;
        assert_true(aged.slip.initial_slip_resistance == resistances[i % RESISTANCES]);
        CHECK_CLOSE(h->voce.saturation_resistance, b->voce.saturation_resistance + shift,
                    1e-6); /* two roundings */
        for (double s = s0; s < 0.95 * 148e6; s += 10e6) {
            const double rate = 180e6 * pow(1 - s / 148e6, b->voce.exponent);
            CHECK_CLOSE(sw_hardening_rate(h, s + shift), rate, 1e-12 * 180e6);
        }
        for (double slip = 1e-4; slip < 10; slip *= 3)
            CHECK_CLOSE(sw_harden(h, s0 + shift, slip) - shift, sw_harden(b, s0, slip), 1e-12 * 650e6);
    }
}

/* What the law itself loses when s_s is shifted and h0 is not: the reason for the other factor. */
static void a_shifted_saturation_alone_would_not_do(void **state)
{
    (void)state;
    sw_material base = copper_of(5.4), aged = aged_to(&base, 97e6);
    const double before = sw_hardening_rate(&base.hardening, 16e6);
    aged.hardening.voce.initial_hardening_rate = base.hardening.voce.initial_hardening_rate;
    assert_true(sw_hardening_rate(&aged.hardening, 97e6) < 0.2 * before);
}

static void nothing_else_changes(void **state)
{
    (void)state;
    const sw_material base = copper();
    sw_material aged = aged_to(&base, 97e6);
    aged.slip.initial_slip_resistance = base.slip.initial_slip_resistance;
    aged.hardening = base.hardening;
    assert_memory_equal(&aged, &base, sizeof base);
    aged = aged_to(&base, base.slip.initial_slip_resistance);
    assert_memory_equal(&aged, &base, sizeof base); /* aged to what it is */
}

/* Two ageings are the second one: no history is kept. */
static void it_can_be_aged_again_in_place(void **state)
{
    (void)state;
    const sw_material base = copper();
    const sw_material once = aged_to(&base, 40e6);
    sw_material twice = aged_to(&base, 97e6);
    CHECK_OK(sw_material_age(&twice, 40e6, &twice));
    assert_true(twice.slip.initial_slip_resistance == 40e6);
    CHECK_CLOSE(twice.hardening.voce.saturation_resistance, once.hardening.voce.saturation_resistance, 1e-6);
    CHECK_CLOSE(twice.hardening.voce.initial_hardening_rate, once.hardening.voce.initial_hardening_rate,
                1e-12 * 1e9);
}

static void values_out_of_bounds_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {0, -1e6, 9.9e3, 1.1e11, NAN, INFINITY};
    const sw_material base = copper();
    sw_material aged = base;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(sw_material_age(&base, bad[i], &aged), SW_ERR_RANGE);
        assert_message_has("Pa: need 1e4 to 1e11");
        assert_memory_equal(&aged, &base, sizeof base);
    }
    const sw_material steep = copper_of(100);
    assert_int_equal(sw_material_age(&steep, 1e11, &aged), SW_ERR_RANGE);
    assert_message_has("too large for the hardening of copper");
    assert_memory_equal(&aged, &base, sizeof base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_curve_is_shifted_as_a_whole),
        cmocka_unit_test(a_shifted_saturation_alone_would_not_do),
        cmocka_unit_test(nothing_else_changes),
        cmocka_unit_test(it_can_be_aged_again_in_place),
        cmocka_unit_test(values_out_of_bounds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
