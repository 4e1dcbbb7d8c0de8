/* An aged material hardens as it did, from another slip resistance on. In double precision. */
#include "tests/test.h"

#include "tests/hexagonal.h"

#include "common/crystal/material_file.h"

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

/* ---- Families ---- */

static sw_material families_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("families", text, &m));
    return m;
}

/* Solutes and particles resist all systems alike: every family's resistance and saturation are shifted by as much, and rates are
 * what they were, by the law as it is written. What twins add per slip stays. */
static void families_are_shifted_alike(void **state)
{
    (void)state;
    const sw_material base = families_of(twinning_text);
    const double s0 = base.slip.initial_slip_resistance, shifts[] = {-5e6, 30e6, 500e6};
    CHECK_CLOSE(s0, (3 * 10e6 + 3 * 55e6 + 6 * 60e6 + 6 * 40e6) / 18, 1e-6);
    for (int i = 0; i < 3; i++) {
        const sw_material aged = aged_to(&base, s0 + shifts[i]);
        CHECK_CLOSE(aged.slip.initial_slip_resistance, s0 + shifts[i], 1e-6);
        for (int k = 0; k < base.slip.family_count; k++) {
            const sw_slip_family *a = &aged.slip.family[k], *b = &base.slip.family[k];
            CHECK_CLOSE(a->initial_slip_resistance, b->initial_slip_resistance + shifts[i], 1e-6);
            if (k == 3) {
                assert_true(a->initial_hardening_rate == b->initial_hardening_rate);
                assert_true(isnan(a->saturation_resistance) && a->hardening_by_slip == b->hardening_by_slip);
                continue;
            }
            CHECK_CLOSE(a->saturation_resistance, b->saturation_resistance + shifts[i], 1e-6);
            for (double g = b->initial_slip_resistance; g < b->saturation_resistance; g += 5e6)
                CHECK_CLOSE(a->initial_hardening_rate *
                                pow(1 - (g + shifts[i]) / a->saturation_resistance, a->exponent),
                            b->initial_hardening_rate * pow(1 - g / b->saturation_resistance, b->exponent),
                            1e-12 * 0.5e9);
        }
    }
}

/* A mean that a job gave scales what crystals begin with; what is shifted is that. */
static void a_given_mean_is_shifted_from(void **state)
{
    (void)state;
    sw_material base = families_of(twinning_text);
    const double s0 = base.slip.initial_slip_resistance;
    base.slip.initial_slip_resistance = 2 * s0;
    const sw_material aged = aged_to(&base, 2 * s0 + 7e6);
    CHECK_CLOSE(aged.slip.family[0].initial_slip_resistance, 2 * 10e6 + 7e6, 1e-6);
    CHECK_CLOSE(aged.slip.family[0].saturation_resistance, 40e6 + 7e6, 1e-6);
}

/* Fixed ratios are what the material is: its one resistance is shifted. */
static void ratios_stay(void **state)
{
    (void)state;
    const sw_material base = families_of(ratios_text),
                      aged = aged_to(&base, base.slip.initial_slip_resistance + 20e6);
    assert_memory_equal(aged.slip.family, base.slip.family, sizeof base.slip.family);
    CHECK_CLOSE(aged.hardening.voce.saturation_resistance, 140e6, 1e-6);
}

static void a_family_that_would_resist_nothing_is_refused(void **state)
{
    (void)state;
    const sw_material base = families_of(twinning_text);
    sw_material aged = base;
    assert_int_equal(sw_material_age(&base, base.slip.initial_slip_resistance - 10e6, &aged), SW_ERR_RANGE);
    assert_message_has("of family basal of magnesium it is");
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
        cmocka_unit_test(families_are_shifted_alike),
        cmocka_unit_test(a_given_mean_is_shifted_from),
        cmocka_unit_test(ratios_stay),
        cmocka_unit_test(a_family_that_would_resist_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
