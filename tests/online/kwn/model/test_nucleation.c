/* The table of nucleation laws: every line of it nucleates, by its own function, and is a word of alloy files. */
#include "tests/test.h"

#include "online/kwn/job/alloy_file.h"
#include "online/kwn/model/model.h"

static const sw_kwn_alloy alloy = {.atomic_volume = 1e-5 / SW_AVOGADRO_CONSTANT,
                                   .lattice_parameter = 4.05e-10,
                                   .n_solutes = 1,
                                   .n_phases = 1,
                                   .solute = {{"Mg", 2.2e-4, 130e3, 0.01, 1}},
                                   .phase = {{.name = "P",
                                              .concentration = {0.5},
                                              .molar_volume = 4e-5,
                                              .atomic_volume = 2e-29,
                                              .interfacial_energy = 0.1,
                                              .solvus = {.exponent = {2}, .prefactor = 1, .enthalpy = 60e3},
                                              .nucleation = {.incubation = SW_INCUBATION_RUSSELL,
                                                             .site_density = 1e25,
                                                             .barrier_factor = 1,
                                                             .nucleus_multiple = 1.05,
                                                             .rate = 1e34,
                                                             .barrier = 16e3,
                                                             .activation_energy = 130e3},
                                              .shearable_radius = 5e-9}}};

typedef double law_function(const sw_kwn_alloy *, const sw_kwn_phase *, const sw_kwn_conditions *, double *);

static const struct {
    const char *word;
    law_function *rate;
} table[] = {
#define LAW(name, text, function, ...) [name] = {text, sw_kwn_nucleation_##function},
    SW_KWN_NUCLEATION_LIST(LAW)
#undef LAW
};

/* In a step of the model, with constants that let any law nucleate. */
static void every_law_nucleates(void **state)
{
    (void)state;
    const sw_kwn_axis_options options = {SW_AXIS_UNIFORM, 64, 0, 50e-9};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 32, &axis));
    for (int law = 0; law < SW_NUCLEATIONS; law++) {
        sw_kwn_alloy now = alloy;
        const sw_kwn_point point = {.matrix = {0.01}, .phase = {{.scale = axis.scale, .incubation = 2}}};
        sw_kwn_trial trial = {.step = 10, .temperature = 450, .matrix = {0.01}};
        now.phase[0].nucleation.law = (sw_kwn_nucleation_law)law;
        sw_kwn_prepare(&now, &axis, &point, &trial, 0);
        double theta = 0;
        const sw_kwn_conditions at = {.concentration = 0.01,
                                      .diffusivity = sw_kwn_diffusivity(&now.solute[0], 450),
                                      .temperature = 450,
                                      .driving = trial.driving[0],
                                      .critical = trial.alpha[0] / trial.driving[0],
                                      .incubation = 2,
                                      .step = 10};
        assert_true(trial.rate[0] == table[law].rate(&now, &now.phase[0], &at, &theta));
        assert_true(trial.incubation[0] == theta);
        assert_int_equal(trial.rate[0] > 0, law != SW_NUCLEATION_NONE);
        assert_int_equal(trial.growth[0].source > 0, law != SW_NUCLEATION_NONE);
        trial.temperature = 900; /* above the solvus, exp(-60e3 / R 720) = 0.01^2 */
        sw_kwn_prepare(&now, &axis, &point, &trial, 0);
        assert_true(trial.driving[0] < 0 && trial.rate[0] == 0 && trial.incubation[0] == 0);
    }
    sw_kwn_axis_free(&axis);
}

/* With the keys that the table says it needs; an unknown word is answered with all of them. */
static void every_law_is_a_word(void **state)
{
    (void)state;
    static const char before[] =
        "name: a\nmatrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 0.027, lattice_parameter: "
        "4.05e-10}\n"
        "concentration_unit: mole_fraction\nsolutes: [{element: Mg, molar_mass: 0.0243, concentration: 0.01, "
        "diffusivity: {prefactor: 2.2e-4, activation_energy: 130.0e3}}]\nphases: [{name: P, stoichiometry: "
        "[{element: Mg, count: 2}], molar_volume: 4.0e-5, interfacial_energy: 0.1, growth_limiting_solute: "
        "Mg, "
        "solvus: {constant: 1.0e-3}, nucleation: {law: ";
    static const struct {
        const char *key, *value;
    } values[] = {
        {"sites", "homogeneous"}, {"rate", "1e34"}, {"barrier", "16e3"}, {"activation_energy", "130e3"}};
    static const char *const needs[] = {
#define LAW(name, text, function, needed, ...) [name] = (needed),
        SW_KWN_NUCLEATION_LIST(LAW)
#undef LAW
    };
    for (int law = 0; law < SW_NUCLEATIONS; law++) {
        char text[1024];
        sw_kwn_alloy read;
        int n = snprintf(text, sizeof text, "%s%s", before, table[law].word);
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            if (sw_key_listed(needs[law], values[k].key))
                n += snprintf(text + n, sizeof text - (size_t)n, ", %s: %s", values[k].key, values[k].value);
        snprintf(text + n, sizeof text - (size_t)n, "}}]\n");
        CHECK_OK(sw_kwn_alloy_parse("a.yaml", text, &read));
        assert_int_equal(read.phase[0].nucleation.law, law);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_law_nucleates),
                                       cmocka_unit_test(every_law_is_a_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
