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
        sw_kwn_trial trial = {.step = 10, .temperature = 450, .middle = 450, .excess = 1, .matrix = {0.01}};
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
        trial.temperature = trial.middle = 900; /* above the solvus, exp(-60e3 / R 720) = 0.01^2 */
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

/* ---- What the keys of a law make of it ---- */

static sw_kwn_phase phase_of(const char *nucleation, const char *rest)
{
    char text[1200];
    sw_kwn_alloy read;
    snprintf(
        text, sizeof text,
        "name: a\nmatrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 0.027, lattice_parameter: "
        "4.05e-10}\n"
        "concentration_unit: mole_fraction\nsolutes: [{element: Mg, molar_mass: 0.0243, concentration: 0.01, "
        "diffusivity: {prefactor: 2.2e-4, activation_energy: 130.0e3}}, {element: Si, molar_mass: 0.0281, "
        "concentration: 0.005, diffusivity: {prefactor: 2.0e-4, activation_energy: 136.0e3}}]\n"
        "phases: [{name: P, stoichiometry: [{element: Mg, count: 2}, {element: Si, count: 1}], molar_volume: "
        "4.0e-5, "
        "interfacial_energy: 0.1, solvus: {constant: 1.0e-9}, %snucleation: {law: classical, %s}}]\n",
        rest, nucleation);
    CHECK_OK(sw_kwn_alloy_parse("a.yaml", text, &read));
    return read.phase[0];
}

/* N0 of each kind of site: per volume as it is given; of dislocations an atom's length each; of grains that fill space as
 * tetrakaidecahedra do, whose faces, edges and corners are counted here on one of edge 1. */
static void sites_are_counted(void **state)
{
    (void)state;
    const double n = 6.02214076e23 / 1e-5, length = 20e-6;
    const double volume = 8 * sqrt(2.0), hexagons = 8 * 1.5 * sqrt(3.0), squares = 6;
    const double per_volume = (hexagons + squares) / 2 / volume; /* area, of edge 1 */
    const double edge = length / (2 / per_volume);               /* the mean intercept is 2 over that */
    const struct {
        const char *keys;
        double expected;
    } cases[] = {{"sites: homogeneous", n},
                 {"sites: dislocations, dislocation_density: 1.0e+14", 1e14 * cbrt(n)},
                 {"sites: grain_boundaries, grain_size: 20.0e-6", per_volume / edge * cbrt(n) * cbrt(n)},
                 {"sites: grain_edges, grain_size: 20.0e-6", 36 / 3.0 / volume / (edge * edge) * cbrt(n)},
                 {"sites: grain_corners, grain_size: 20.0e-6", 24 / 4.0 / volume / (edge * edge * edge)},
                 {"sites: given, site_density: 3.0e+22", 3e22}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECK_CLOSE(phase_of(cases[k].keys, "").nucleation.site_density, cases[k].expected,
                    1e-9 * cases[k].expected);
}

/* On a boundary a nucleus is two caps: the work of making it over a sphere's is their volume over the sphere's. */
static void a_contact_angle_lowers_the_barrier(void **state)
{
    (void)state;
    for (int degrees = 10; degrees <= 90; degrees += 20) {
        char keys[128];
        snprintf(keys, sizeof keys, "sites: grain_boundaries, grain_size: 1.0e-5, contact_angle: %d",
                 degrees);
        const double height = 1 - cos(degrees * 3.14159265358979323846 / 180);
        const double caps =
            2 * height * height * (3 - height) / 3 / (4.0 / 3); /* both, of radius 1, over pi */
        CHECK_CLOSE(phase_of(keys, "").nucleation.barrier_factor, caps, 1e-12);
    }
}

/* A misfit raises the product at the surface: by its energy per mole of formula units. */
static void misfit_takes_from_the_driving_force(void **state)
{
    (void)state;
    const sw_kwn_phase fits = phase_of("sites: homogeneous", ""),
                       strained = phase_of("sites: homogeneous", "misfit_energy: 5.0e+7, ");
    const double c[SW_KWN_SOLUTES] = {0.01, 0.005}, t = 500;
    sw_kwn_alloy two = alloy;
    two.n_solutes = 2;
    CHECK_CLOSE(sw_kwn_driving(&two, &fits, c, t) - sw_kwn_driving(&two, &strained, c, t),
                5e7 * 4e-5 / (8.31446261815324 * t), 1e-12);
}

/* Nuclei that the heat kT makes: where the barrier, 4 pi gamma r^2 (1 - 2 r / 3 r*), is lower by kT to second order. */
static void thermal_nuclei_are_lower_by_kt(void **state)
{
    (void)state;
    for (int helped = 0; helped < 2; helped++) {
        const sw_kwn_phase phase =
            phase_of(helped ? "sites: homogeneous, nucleus: thermal, barrier_factor: 0.05"
                            : "sites: homogeneous, nucleus: thermal",
                     "");
        const double t = 450, critical = 1.5e-9, kt = 1.380649e-23 * t, pi = 3.14159265358979323846,
                     gamma = 0.1;
        const double d = sw_kwn_nucleus_radius(&phase, critical, t) - critical, s = helped ? 0.05 : 1;
        CHECK_CLOSE(s * 4 * pi * gamma * d * d, kt,
                    1e-12 * kt); /* half of its second derivative, -8 pi gamma S, times d^2 */
    }
    const double t = 450, critical = 1.5e-9;
    CHECK_CLOSE(sw_kwn_nucleus_radius(&(sw_kwn_phase){.nucleation = {.nucleus_multiple = 1.1}}, critical, t),
                1.1 * critical, 1e-20);
}

/* Atoms join by the balance of all solutes, or as the slowest arrive. */
static void attachment_is_of_the_slowest_or_of_all(void **state)
{
    (void)state;
    const sw_kwn_axis_options options = {SW_AXIS_UNIFORM, 64, 0, 50e-9};
    const double c[2] = {0.01, 0.005}, t = 450, pi = 3.14159265358979323846;
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 32, &axis));
    for (int by_balance = 0; by_balance < 2; by_balance++) {
        sw_kwn_alloy two = alloy;
        const sw_kwn_point point = {.matrix = {0.01, 0.005}, .phase = {{.scale = axis.scale}}};
        sw_kwn_trial trial = {
            .step = 10, .temperature = t, .middle = t, .excess = 1, .matrix = {0.01, 0.005}};
        two.n_solutes = 2;
        two.solute[1] = (sw_kwn_solute){"Si", 2e-4, 136e3, 0.005, 1};
        two.phase[0] = phase_of(by_balance ? "sites: homogeneous, incubation: none, attachment: balance"
                                           : "sites: homogeneous, incubation: none",
                                "");
        sw_kwn_prepare(&two, &axis, &point, &trial, 0);
        const sw_kwn_phase *p = &two.phase[0];
        double least = HUGE_VAL, sum = 0;
        for (int i = 0; i < 2; i++) {
            const double d = sw_kwn_diffusivity(&two.solute[i], t), lack = p->concentration[i] - c[i];
            least = fmin(least, d * c[i]);
            sum += lack * lack / (d * c[i]);
        }
        const double critical = trial.alpha[0] / trial.driving[0], r2 = critical * critical,
                     kt = 1.380649e-23 * t;
        const double zeldovich = p->atomic_volume / (2 * pi * r2) * sqrt(p->interfacial_energy / kt);
        const double beta = 4 * pi * r2 / pow(4.05e-10, 4) * (by_balance ? 1 / sum : least);
        const double expected = p->nucleation.site_density * zeldovich * beta *
                                exp(-4 * pi / 3 * p->interfacial_energy * r2 / kt);
        assert_true(expected > 0);
        CHECK_CLOSE(trial.rate[0], expected, 1e-9 * expected);
    }
    sw_kwn_axis_free(&axis);
}

/* J over the steady one, exp(-1 / theta), theta of the middle of a step at rest, by tau = 1 / (g Z^2 beta*), g of each form. */
static void incubation_has_its_forms(void **state)
{
    (void)state;
    static const struct {
        sw_kwn_incubation form;
        double g;
    } forms[] = {{SW_INCUBATION_KAMPMANN_WAGNER, 3.14159265358979323846 / 2},
                 {SW_INCUBATION_RUSSELL, 2},
                 {SW_INCUBATION_FACTOR, 12.5},
                 {SW_INCUBATION_NONE, INFINITY}};
    sw_kwn_phase of = alloy.phase[0], *phase = &of;
    const double pi = 3.14159265358979323846, r = 0.5e-9, d = 1e-19, c = 0.01, kelvin = 450,
                 kt = SW_BOLTZMANN_CONSTANT * kelvin, a = alloy.lattice_parameter;
    const double z = phase->atomic_volume / (2 * pi * r * r) * sqrt(phase->interfacial_energy / kt),
                 beta = 4 * pi * r * r * d * c / (a * a * a * a);
    const double steady =
        phase->nucleation.site_density * z * beta * exp(-4 * pi / 3 * phase->interfacial_energy * r * r / kt);
    phase->nucleation.incubation_factor = 12.5;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        const sw_kwn_conditions at = {.concentration = c,
                                      .diffusivity = d,
                                      .temperature = kelvin,
                                      .driving = 2,
                                      .critical = r,
                                      .incubation = 0.3,
                                      .step = 0.4 / (z * z * beta)};
        double theta = 0;
        phase->nucleation.incubation = forms[k].form;
        const double rate = sw_kwn_nucleation_classical(&alloy, phase, &at, &theta);
        CHECK_CLOSE(rate / (steady * exp(-1 / (0.3 + 0.5 * 0.4 * forms[k].g))), 1, 1e-9);
        if (isfinite(forms[k].g))
            CHECK_CLOSE(theta, 0.3 + 0.4 * forms[k].g, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sites_are_counted),
                                       cmocka_unit_test(a_contact_angle_lowers_the_barrier),
                                       cmocka_unit_test(misfit_takes_from_the_driving_force),
                                       cmocka_unit_test(thermal_nuclei_are_lower_by_kt),
                                       cmocka_unit_test(attachment_is_of_the_slowest_or_of_all),
                                       cmocka_unit_test(incubation_has_its_forms),
                                       cmocka_unit_test(every_law_nucleates),
                                       cmocka_unit_test(every_law_is_a_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
