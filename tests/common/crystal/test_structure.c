/* Laws with a structure: against their equations integrated by small steps, at the values of their formulas, and what material files of
 * them are refused. */
#include "tests/test.h"

#include "tests/structured.h"

#include "common/crystal/material_file.h"

static sw_material material_of(const char *text)
{
    sw_material m;
    CHECK_OK(sw_material_parse("made.yaml", text, &m));
    return m;
}

static const double boltzmann = 1.380649e-23;

/* Of a crystal whose twelve systems harden alike, after steps of these slips of its first system at these rates of strain. */
enum { JUMPS = 4, STEPS = 50 };
static const double rates[JUMPS] = {1e-3, 10, 1e-3, 1e-5}; /* ||D||, 1/s */
static const double SLIP = 0.004;                          /* a step's */

typedef struct {
    double structure, shared, g;
} row;

static void walk(const sw_material *m, row end[JUMPS])
{
    sw_slip_law law;
    sw_slip_state state, next;
    sw_law_slips slips;
    sw_real slip[SW_SLIP_SYSTEMS_MAX] = {0};
    memset(&state, 0, sizeof state);
    CHECK_OK(sw_slip_law_prepare(m, &law));
    assert_int_equal(law.groups, 1);
    state.structure[0] = law.ratio[0];
    state.shared = law.begin_shared;
    slip[0] = SLIP;
    for (int jump = 0; jump < JUMPS; jump++) {
        for (int k = 0; k < STEPS; k++) {
            sw_slip_state_at(&law, rates[jump], &state);
            sw_law_slips_of(&law, slip, &slips);
            sw_slip_law_harden(&law, &state, &slips, &next);
            state = next;
        }
        end[jump] = (row){state.structure[0], state.shared, state.g[0]};
    }
}

enum { FINE = 1000 }; /* of Heun's in a step of slip: errors of 1e-9 */

static double threshold_left(double unit, double energy, double reference, double q, double p, double rate)
{
    return pow(1 - pow(unit / energy * log(reference / rate), 1 / q), 1 / p);
}

static double threshold_slope(double t, double h, double saturation, double a)
{
    return h * pow(1 - t / saturation, a);
}

/* k T/(mu b^3), mu, the parts of thresholds that are left and the slope by hand. Numbers of families are floats, off by 3e-8 on the average. */
static void thresholds_go_by_their_law(void **state)
{
    (void)state;
    const sw_material m = material_of(STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW);
    const double share = 1 - 0.1194 / (exp(215.0 / 400) - 1), mu = 28.815e9 * share;
    const double unit = boltzmann * 400 / (mu * pow(2.86e-10, 3));
    row end[JUMPS];
    double t = 20e6;
    walk(&m, end);
    for (int jump = 0; jump < JUMPS; jump++) {
        const double rate = sqrt(2.0 / 3) * rates[jump];
        const double saturation = 665.3e6 * pow(rate / 1e7, unit / 0.1058), dx = SLIP / FINE;
        for (int k = 0; k < STEPS * FINE; k++) {
            const double a = threshold_slope(t, 800e6 * share, saturation, 2);
            const double b = threshold_slope(t + dx * a, 800e6 * share, saturation, 2);
            t = t < saturation ? t + dx * (a + b) / 2 : t;
        }
        const double g = 3.333e6 + share * (threshold_left(unit, 1.196, 1e7, 1.5, 0.5, rate) * 99.075e6 +
                                            threshold_left(unit, 1.6, 1e7, 1, 0.666666, rate) * t);
        CHECK_CLOSE(end[jump].structure, t, 6e-8 * t);
        CHECK_CLOSE(end[jump].g, g, 6e-8 * g);
    }
    assert_true(end[1].g > 1.2 * end[0].g && end[2].g < end[1].g); /* rates count */
    const double left = threshold_left(unit, 1.6, 1e7, 1, 0.666666, sqrt(2.0 / 3) * 1e-3) * 20e6 +
                        threshold_left(unit, 1.196, 1e7, 1.5, 0.5, sqrt(2.0 / 3) * 1e-3) * 99.075e6;
    CHECK_CLOSE(m.slip.initial_slip_resistance, 3.333e6 + share * left, 6e-8 * left);
}

static void densities_go_by_their_law(void **state)
{
    (void)state;
    const sw_material m =
        material_of(STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW);
    const double b = 2.56e-10, mu = 45e9, chi = 0.4, storage = 2e8;
    const double share = 0.5 + 2 * exp((298.0 - 400) / 200), tau0 = 10e6 + 40e6 * exp(-400.0 / 300);
    row end[JUMPS];
    double rho = 1e12, debris = 1e10;
    walk(&m, end);
    for (int jump = 0; jump < JUMPS; jump++) {
        const double rate = sqrt(2.0 / 3) * rates[jump], dx = SLIP / FINE;
        const double recovery =
            storage * chi * b / 5e-3 * (1 - boltzmann * 400 / (300e6 * b * b * b) * log(rate / 1e7));
        for (int k = 0; k < STEPS * FINE; k++) {
            const double begun = rho, slope = storage * sqrt(rho) - recovery * rho, on = rho + dx * slope;
            rho += dx * (slope + storage * sqrt(on) - recovery * on) / 2;
            const double made = share * recovery * b * dx, first = made * begun * sqrt(debris);
            debris += (first + made * rho * sqrt(debris + first)) / 2;
        }
        const double g =
            tau0 + chi * mu * b * sqrt(rho) - 0.086 * mu * b * sqrt(debris) * log(b * sqrt(debris));
        CHECK_CLOSE(end[jump].structure, rho, 2e-7 * rho); /* floats, as above */
        /* the mean of its ends stands for a density in each of 50 steps: 1e-4 of debris, whose part of g is some per cent */
        CHECK_CLOSE(end[jump].shared, debris, 3e-4 * debris);
        CHECK_CLOSE(end[jump].g, g, 8e-6 * g);
    }
    assert_true(end[0].g > end[2].g * 0.5 &&
                end[1].structure > 1.1 * end[0].structure); /* less recovers when fast */
}

/* Ageing: what precipitates add, slip leaves alone. A temperature that is another. Floats of 6e7 Pa lie 4 Pa apart. */
static void ageing_and_temperatures_shift_what_they_should(void **state)
{
    (void)state;
    sw_material m = material_of(STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW),
                aged;
    const double s = m.slip.initial_slip_resistance;
    row end[JUMPS], aged_end[JUMPS];
    CHECK_OK(sw_material_age(&m, s + 30e6, &aged));
    CHECK_CLOSE(aged.slip.initial_slip_resistance, s + 30e6, 4);
    walk(&m, end);
    walk(&aged, aged_end);
    CHECK_CLOSE(aged_end[3].g - end[3].g, 30e6, 8);
    CHECK_OK(sw_material_set_temperature(&m, 200));
    CHECK_CLOSE(m.slip.initial_slip_resistance - s, 40e6 * (exp(-200.0 / 300) - exp(-400.0 / 300)), 4);
}

/* Written and read again they are the same. */
static void they_are_written_as_they_are_read(void **state)
{
    (void)state;
    const sw_material m =
        material_of(STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW);
    char text[8000];
    sw_material again;
    CHECK_OK(sw_material_write_text(&m, sizeof text, text));
    CHECK_OK(sw_material_parse("again.yaml", text, &again));
    assert_true(sw_material_hash(1, &m) == sw_material_hash(1, &again));
}

/* ---- What is refused ---- */

static void bad_ones_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old, *new, *what;
    } cases[] = {
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "temperature: 400",
         "temperature: 0.5", "made.yaml:3: temperature = 0.5: need K, from 1"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "temperature: 400",
         "temperature: 1e5", "temperature = 1e5: need K, from 1 to 4000"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "intrinsic_q: 1.5, ", "",
         "slip.families[0].intrinsic_q is missing: law = mts needs it of a family of slip"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "intrinsic_q: 1.5",
         "intrinsic_q: 0", "slip.families[0].intrinsic_q = 0"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "shear_modulus_drop: 0.1194, ",
         "", "shear_modulus_temperature has no place without shear_modulus_drop"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "intrinsic_q",
         "initial_slip_resistance: 1e7, intrinsic_q",
         "slip.families[0].initial_slip_resistance has no place beside law = mts: it is that of the "
         "structure"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "slip:\n",
         "slip:\n  initial_slip_resistance: 1.0e7\n",
         "slip.initial_slip_resistance has no place beside law = mts"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "intrinsic_q",
         "dislocation_storage: 1e7, intrinsic_q", "dislocation_storage has no place beside law = mts"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW, "recovery_drag: 300.0e6",
         "recovery_drag: 300", "slip.families[0].recovery_drag = 300: need Pa, from 1000"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW,
         "athermal_resistance: 10.0e6, athermal_rise: 40.0e6, athermal_temperature: 300",
         "athermal_resistance: 10.0e6, athermal_temperature: 300",
         "athermal_temperature has no place without athermal_rise"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_DENSITY STRUCTURED_DENSITY_LAW,
         "debris_share_temperature: 200, ", "",
         "debris_share_rise has no place without debris_share_temperature"},
        {STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW, "3.333e6", "3.333",
         "slip.families[0].athermal_resistance = 3.333: need"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *made = edited(cases[k].text, cases[k].old, cases[k].new);
        sw_material m;
        assert_int_equal(sw_material_parse("made.yaml", made, &m), SW_ERR_INPUT);
        assert_message_has(cases[k].what);
    }
}

static void without_a_temperature_nothing_runs(void **state)
{
    (void)state;
    const sw_material m = material_of(STRUCTURED_HEAD("") STRUCTURED_MTS STRUCTURED_MTS_LAW);
    sw_slip_law law;
    assert_int_equal(sw_slip_law_prepare(&m, &law), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "hardening.law needs a temperature"));
    CHECK_CLOSE(m.slip.initial_slip_resistance, 3.333e6 + 99.075e6 + 20e6, 8); /* at 0 K; a float */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_go_by_their_law),
        cmocka_unit_test(densities_go_by_their_law),
        cmocka_unit_test(ageing_and_temperatures_shift_what_they_should),
        cmocka_unit_test(they_are_written_as_they_are_read),
        cmocka_unit_test(bad_ones_are_refused_with_their_place),
        cmocka_unit_test(without_a_temperature_nothing_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
