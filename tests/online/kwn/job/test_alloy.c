/* Alloy files of the precipitation model: what they say, in both units, and every way to say it wrongly. */
#include "tests/test.h"

#include <dirent.h>

#include "online/kwn/job/alloy_file.h"

/* ---- Texts ---- */

/* In mole fractions. Al3Zr's is the shortest phase there is. */
static const char full[] = "name: Al-Mg-Si-Zr\n"                                                /* 1 */
                           "source: {of: [the, tests]}\n"                                       /* 2 */
                           "matrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 0.027,\n"   /* 3 */
                           "         lattice_parameter: 4.05e-10}\n"                            /* 4 */
                           "concentration_unit: mole_fraction\n"                                /* 5 */
                           "solutes:\n"                                                         /* 6 */
                           "  - element: Mg\n"                                                  /* 7 */
                           "    molar_mass: 0.02430\n"                                          /* 8 */
                           "    concentration: 0.007\n"                                         /* 9 */
                           "    diffusivity: {prefactor: 2.2e-4, activation_energy: 130.0e3}\n" /* 10 */
                           "  - {element: Si, molar_mass: 0.02809, concentration: 0.0096,\n"    /* 11 */
                           "     diffusivity: {prefactor: 2.02e-4,\n"                           /* 12 */
                           "                   activation_energy: 136.0e3}}\n"                  /* 13 */
                           "  - {element: Zr, molar_mass: 0.09122, concentration: 0,\n"         /* 14 */
                           "     diffusivity: {prefactor: 0.0768, activation_energy: 0}}\n"     /* 15 */
                           "phases:\n"                                                          /* 16 */
                           "  - name: Mg2Si\n"                                                  /* 17 */
                           "    stoichiometry: [{element: Mg, count: 2},\n"                     /* 18 */
                           "                    {element: Si, count: 1}]\n"                     /* 19 */
                           "    molar_volume: 3.95e-5\n"                                        /* 20 */
                           "    interfacial_energy: 0.26\n"                                     /* 21 */
                           "    growth_limiting_solute: Mg\n"                                   /* 22 */
                           "    solvus: {prefactor: 500.0,\n"                                   /* 23 */
                           "             enthalpy: 96000.0}\n"                                  /* 24 */
                           "    nucleation:\n"                                                  /* 25 */
                           "      law: arrhenius\n"                                             /* 26 */
                           "      rate: 9.66e34\n"                                              /* 27 */
                           "      barrier: 16220.0\n"                                           /* 28 */
                           "      activation_energy: 131.0e3\n"                                 /* 29 */
                           "      nucleus_multiple: 1.1\n"                                      /* 30 */
                           "    shearable_radius: 4.0e-9\n"                                     /* 31 */
                           "  - name: AlMgSi\n"                                                 /* 32 */
                           "    stoichiometry: [{element: Al, count: 3},\n"                     /* 33 */
                           "                    {element: Mg, count: 1.5}]\n"                   /* 34 */
                           "    atomic_volume: 1.7e-29\n"                                       /* 35 */
                           "    interfacial_energy: 0.1\n"                                      /* 36 */
                           "    growth_limiting_solute: Mg\n"                                   /* 37 */
                           "    solvus:\n"                                                      /* 38 */
                           "      product: [{solute: Si, exponent: 0.5},\n"                     /* 39 */
                           "                {solute: Mg, exponent: 1}]\n"                       /* 40 */
                           "      table:\n"                                                     /* 41 */
                           "        - {temperature: 500.0, product: 1.0e-5}\n"                  /* 42 */
                           "        - {temperature: 800.0,\n"                                   /* 43 */
                           "           product: 4.0e-4}\n"                                      /* 44 */
                           "    nucleation:\n"                                                  /* 45 */
                           "      law: classical\n"                                             /* 46 */
                           "      sites: dislocations\n"                                        /* 47 */
                           "      dislocation_density: 1.0e14\n"                                /* 48 */
                           "      barrier_factor: 0.5\n"                                        /* 49 */
                           "      incubation: russell\n"                                        /* 50 */
                           "  - name: Al3Zr\n"                                                  /* 51 */
                           "    stoichiometry: [{element: Zr, count: 1}]\n"                     /* 52 */
                           "    molar_volume: 1.0e-5\n"                                         /* 53 */
                           "    interfacial_energy: 0.2\n"                                      /* 54 */
                           "    growth_limiting_solute: Zr\n"                                   /* 55 */
                           "    solvus: {constant: 1.0e-4}\n"                                   /* 56 */
                           "    nucleation: {law: none}\n"                                      /* 57 */
                           "strength:\n"                                                        /* 58 */
                           "  lattice_resistance: 10.0e6\n"                                     /* 59 */
                           "  taylor_factor: 3.1\n"                                             /* 60 */
                           "  shear_modulus: 2.7e10\n"                                          /* 61 */
                           "  burgers_vector: 2.84e-10\n"                                       /* 62 */
                           "  line_tension_factor: 0.36\n"                                      /* 63 */
                           "  solid_solution:\n"                                                /* 64 */
                           "    - {solute: Si, coefficient: 5.0e8}\n"                           /* 65 */
                           "    - {solute: Mg, coefficient: 4.0e8}\n"                           /* 66 */
                           "  solid_solution_exponent: 0.75\n"                                  /* 67 */
                           "  particle_sum_exponent: 1.5\n"                                     /* 68 */
                           "  hardness_slope: 0.33e-6\n"                                        /* 69 */
                           "  hardness_intercept: 16.0\n";                                      /* 70 */

typedef struct {
    const char *old, *new;
} edit;

/* Replace the first `old` in `text` [size]. */
static void replace(char *text, size_t size, const edit *edit)
{
    char *at = strstr(text, edit->old);
    if (at == NULL)
        fail_msg("no '%s' in the text", edit->old);
    char *rest = strdup(at + strlen(edit->old));
    const size_t room = size - (size_t)(at - text);
    const int length = snprintf(at, room, "%s%s", edit->new, rest);
    free(rest);
    assert_true(length >= 0 && (size_t)length < room);
}

static sw_status parse(int n_edits, const edit *edits, sw_kwn_alloy *alloy)
{
    static char text[2 * sizeof full];
    memcpy(text, full, sizeof full);
    for (int i = 0; i < n_edits; i++)
        replace(text, sizeof text, &edits[i]);
    return sw_kwn_alloy_parse("a.yaml", text, alloy);
}

static sw_kwn_alloy alloy_with(const char *old, const char *new)
{
    const edit edit = {old, new};
    sw_kwn_alloy alloy;
    memset(&alloy, 0x5a, sizeof alloy);
    CHECK_OK(parse(old != NULL, &edit, &alloy));
    return alloy;
}

static void check_relative(const double *actual, const double *expected, int n, double tolerance)
{
    for (int i = 0; i < n; i++)
        CHECK_CLOSE(actual[i], expected[i], tolerance * fabs(expected[i]));
}

/* A conversion is a few products, quotients and powers: 2e-16 each, a power of exponent 3 and its logarithm
 * more. */
#define ROUND_OFF 1e-14

/* ---- What is read ---- */

static void matrix_and_solutes_are_read(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_with(NULL, NULL);
    assert_string_equal(alloy.name, "Al-Mg-Si-Zr");
    CHECK_CLOSE(alloy.atomic_volume, 1.0e-5 / 6.02214076e23, ROUND_OFF * alloy.atomic_volume);
    assert_true(alloy.lattice_parameter == 4.05e-10);
    static const sw_kwn_solute solutes[] = {
        {"Mg", 2.2e-4, 130e3, 0.007, 1}, {"Si", 2.02e-4, 136e3, 0.0096, 1}, {"Zr", 0.0768, 0, 0, 1}};
    assert_int_equal(alloy.n_solutes, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(alloy.solute[i].element, solutes[i].element);
        assert_true(alloy.solute[i].prefactor == solutes[i].prefactor);
        assert_true(alloy.solute[i].activation_energy == solutes[i].activation_energy);
        assert_true(alloy.solute[i].concentration == solutes[i].concentration);
        assert_true(alloy.solute[i].unit == solutes[i].unit);
        assert_int_equal(sw_kwn_find_solute(&alloy, solutes[i].element), i);
    }
    assert_int_equal(sw_kwn_find_solute(&alloy, "Al"), -1);
}

static void phases_are_read(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_with(NULL, NULL);
    const sw_kwn_phase *phase = alloy.phase;
    assert_int_equal(alloy.n_phases, 3);
    static const char *const names[] = {"Mg2Si", "AlMgSi", "Al3Zr"};
    static const double energies[] = {0.26, 0.1, 0.2}, radii[] = {4e-9, 5e-9, 5e-9};
    static const int limiting[] = {0, 0, 2};
    for (int p = 0; p < 3; p++) {
        assert_string_equal(phase[p].name, names[p]);
        assert_int_equal(sw_kwn_find_phase(&alloy, names[p]), p);
        assert_true(phase[p].interfacial_energy == energies[p]);
        assert_true(phase[p].shearable_radius == radii[p]);
        assert_int_equal(phase[p].limiting_solute, limiting[p]);
    }
    assert_int_equal(sw_kwn_find_phase(&alloy, "Mg2S"), -1);

    /* Mg2Si has 2 Mg and 1 Si in the place of 3.95 Al. */
    const double in_mg2si[] = {2 * 1.0e-5 / 3.95e-5, 1.0e-5 / 3.95e-5, 0};
    check_relative(phase[0].concentration, in_mg2si, 3, ROUND_OFF);
    assert_true(phase[0].molar_volume == 3.95e-5);
    CHECK_CLOSE(phase[0].atomic_volume, 3.95e-5 / 6.02214076e23 / 3, ROUND_OFF * 2e-29);
    /* 4.5 atoms of 1.7e-29 m^3, 1.5 of them Mg. */
    const double formula = 4.5 * 1.7e-29 * 6.02214076e23, in_almgsi[] = {1.5 * 1.0e-5 / formula, 0, 0};
    check_relative(phase[1].concentration, in_almgsi, 3, ROUND_OFF);
    CHECK_CLOSE(phase[1].molar_volume, formula, ROUND_OFF * formula);
    assert_true(phase[1].atomic_volume == 1.7e-29);
}

static void solubility_products_are_read(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_with(NULL, NULL);
    static const double exponents[3][3] = {{2, 1, 0}, {1, 0.5, 0}, {0, 0, 1}};
    for (int p = 0; p < 3; p++)
        assert_memory_equal(alloy.phase[p].solvus.exponent, exponents[p], sizeof exponents[p]);

    assert_int_equal(alloy.phase[0].solvus.n_table, 0);
    assert_true(alloy.phase[0].solvus.prefactor == 500.0);
    assert_true(alloy.phase[0].solvus.enthalpy == 96000.0);

    const sw_kwn_solvus *table = &alloy.phase[1].solvus;
    assert_int_equal(table->n_table, 2);
    const double inverse[] = {0.002, 0.00125}, logarithms[] = {log(1e-5), log(4e-4)};
    check_relative(table->inverse_temperature, inverse, 2, ROUND_OFF);
    check_relative(table->log_product, logarithms, 2, ROUND_OFF);

    assert_int_equal(alloy.phase[2].solvus.n_table, 0);
    assert_true(alloy.phase[2].solvus.prefactor == 1e-4);
    assert_true(alloy.phase[2].solvus.enthalpy == 0);
}

static void nucleation_laws_are_read(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_with(NULL, NULL);
    const sw_kwn_nucleation *arrhenius = &alloy.phase[0].nucleation, *classical = &alloy.phase[1].nucleation;
    assert_int_equal(arrhenius->law, SW_NUCLEATION_ARRHENIUS);
    assert_true(arrhenius->rate == 9.66e34);
    assert_true(arrhenius->barrier == 16220.0);
    assert_true(arrhenius->activation_energy == 131e3);
    assert_true(arrhenius->nucleus_multiple == 1.1);

    assert_int_equal(classical->law, SW_NUCLEATION_CLASSICAL);
    assert_int_equal(classical->sites, SW_SITES_DISLOCATIONS);
    assert_int_equal(classical->incubation, SW_INCUBATION_RUSSELL);
    assert_true(classical->barrier_factor == 0.5);
    assert_true(classical->nucleus_multiple == 1.05);

    assert_int_equal(alloy.phase[2].nucleation.law, SW_NUCLEATION_NONE);
}

static void absent_keys_of_nucleation_have_their_standard(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_with("      barrier_factor: 0.5\n      incubation: russell\n", "");
    const sw_kwn_nucleation *classical = &alloy.phase[1].nucleation;
    assert_true(classical->barrier_factor == 1);
    assert_true(classical->nucleus_multiple == 1.05);
    assert_int_equal(classical->incubation, SW_INCUBATION_KAMPMANN_WAGNER);
    const sw_kwn_alloy at_once = alloy_with("incubation: russell", "incubation: none");
    assert_int_equal(at_once.phase[1].nucleation.incubation, SW_INCUBATION_NONE);
}

/* 6.02e28 atoms in a cubic metre, 3.92e9 along a metre. */
static void sites_are_counted(void **state)
{
    (void)state;
    const double atoms = 6.02214076e23 / 1.0e-5, along = 3.919677e9;
    CHECK_CLOSE(along * along * along, atoms, 1e-6 * atoms); /* of seven digits */
    static const struct {
        const char *sites;
        double per_volume;
        int dimension;
    } cases[] = {
        {"dislocations\n      dislocation_density: 1.0e14", 1e14, 1},
        {"grain_boundaries\n      grain_size: 5.0e-5", 2 / 5.0e-5, 2},
        {"homogeneous", 1, 3},
    };
    for (int i = 0; i < 3; i++) {
        const sw_kwn_alloy alloy =
            alloy_with("dislocations\n      dislocation_density: 1.0e14", cases[i].sites);
        const double expected = cases[i].per_volume * pow(along, cases[i].dimension);
        CHECK_CLOSE(alloy.phase[1].nucleation.site_density, expected, 1e-6 * expected);
    }
}

static void strength_is_read(void **state)
{
    (void)state;
    const sw_kwn_strength strength = alloy_with(NULL, NULL).strength;
    static const double solid_solution[] = {4.0e8, 5.0e8, 0};
    assert_true(strength.lattice_resistance == 10e6);
    assert_true(strength.taylor_factor == 3.1);
    assert_true(strength.shear_modulus == 2.7e10);
    assert_true(strength.burgers_vector == 2.84e-10);
    assert_true(strength.line_tension_factor == 0.36);
    assert_memory_equal(strength.solid_solution, solid_solution, sizeof solid_solution);
    assert_true(strength.solid_solution_exponent == 0.75);
    assert_true(strength.particle_sum_exponent == 1.5);
    assert_true(strength.hardness_slope == 0.33e-6);
    assert_true(strength.hardness_intercept == 16.0);
}

static void strength_may_be_short_or_absent(void **state)
{
    (void)state;
    const sw_kwn_strength least = alloy_with(strstr(full, "  solid_solution:"), "").strength;
    assert_true(least.line_tension_factor == 0.36);
    assert_true(least.solid_solution[0] == 0 && least.solid_solution[1] == 0);
    CHECK_CLOSE(least.solid_solution_exponent, 2.0 / 3, ROUND_OFF);
    assert_true(least.particle_sum_exponent == 2);
    assert_true(least.hardness_slope == 0 && least.hardness_intercept == 0);

    const sw_kwn_alloy none = alloy_with(strstr(full, "strength:"), "");
    assert_int_equal(none.n_phases, 3);
    assert_true(none.phase[0].shearable_radius == 4e-9);
    assert_true(none.strength.taylor_factor == 0);
    assert_true(none.strength.solid_solution_exponent == 0 && none.strength.particle_sum_exponent == 0);
}

/* ---- The same alloy in other words ---- */

/* One weight percent of Mg and of Si as mole fractions, from the molar masses of `full`. */
#define MG_UNIT (0.027 / (100 * 0.02430))
#define SI_UNIT (0.027 / (100 * 0.02809))

static void check_same(const sw_kwn_alloy *a, const sw_kwn_alloy *b)
{
    assert_int_equal(a->n_solutes, b->n_solutes);
    assert_int_equal(a->n_phases, b->n_phases);
    for (int i = 0; i < b->n_solutes; i++)
        CHECK_CLOSE(a->solute[i].concentration, b->solute[i].concentration, ROUND_OFF);
    for (int p = 0; p < b->n_phases; p++) {
        const sw_kwn_phase *one = &a->phase[p], *other = &b->phase[p];
        check_relative(one->concentration, other->concentration, b->n_solutes, ROUND_OFF);
        check_relative(&one->molar_volume, &other->molar_volume, 1, ROUND_OFF);
        check_relative(&one->atomic_volume, &other->atomic_volume, 1, ROUND_OFF);
        check_relative(one->solvus.exponent, other->solvus.exponent, b->n_solutes, 0);
        check_relative(&one->solvus.prefactor, &other->solvus.prefactor, 1, ROUND_OFF);
        check_relative(&one->solvus.enthalpy, &other->solvus.enthalpy, 1, 0);
        assert_int_equal(one->solvus.n_table, other->solvus.n_table);
        check_relative(one->solvus.inverse_temperature, other->solvus.inverse_temperature,
                       other->solvus.n_table, ROUND_OFF);
        check_relative(one->solvus.log_product, other->solvus.log_product, other->solvus.n_table, ROUND_OFF);
        check_relative(&one->nucleation.site_density, &other->nucleation.site_density, 1, ROUND_OFF);
    }
    check_relative(a->strength.solid_solution, b->strength.solid_solution, b->n_solutes, ROUND_OFF);
}

static void weight_percent_mean_the_same(void **state)
{
    (void)state;
    const double zr_unit = 0.027 / (100 * 0.09122), si_mg = MG_UNIT * sqrt(SI_UNIT), al = 0.027, zr = 0.09122,
                 mass = al + 0.007 * (0.02430 - al) + 0.0096 * (0.02809 - al);
    const struct {
        const char *old, *key;
        double value;
    } numbers[] = {
        {"concentration: 0.007", "concentration: ", 100 * 0.007 * 0.02430 / mass},
        {"concentration: 0.0096", "concentration: ", 100 * 0.0096 * 0.02809 / mass},
        {"{prefactor: 500.0", "{prefactor: ", 500.0 / (MG_UNIT * MG_UNIT * SI_UNIT)},
        {"product: 1.0e-5", "product: ", 1.0e-5 / si_mg},
        {"product: 4.0e-4", "product: ", 4.0e-4 / si_mg},
        {"constant: 1.0e-4", "constant: ", 100 * 1e-4 * zr / (al + 1e-4 * (zr - al))},
        {"coefficient: 5.0e8", "coefficient: ", 5.0e8 * pow(SI_UNIT, 0.75)},
        {"coefficient: 4.0e8", "coefficient: ", 4.0e8 * pow(MG_UNIT, 0.75)},
    };
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    char words[NUMBERS][64];
    edit edits[NUMBERS + 1] = {[NUMBERS] = {"mole_fraction", "weight_percent"}};
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(words[i], sizeof words[i], "%s%.17g", numbers[i].key, numbers[i].value);
        edits[i] = (edit){numbers[i].old, words[i]};
    }
    const sw_kwn_alloy expected = alloy_with(NULL, NULL);
    sw_kwn_alloy alloy;
    CHECK_OK(parse(NUMBERS + 1, edits, &alloy));
    const double units[] = {MG_UNIT, SI_UNIT, zr_unit};
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(alloy.solute[i].unit, units[i], ROUND_OFF);
    check_same(&alloy, &expected);
}

/* Two weight percent of beryllium in copper are 12.58 at%; they are many, and a light element, so that linear products are warned of. */
static void weight_percent_of_light_elements(void **state)
{
    (void)state;
    static const char text[] =
        "name: Cu-Be\nmatrix: {element: Cu, molar_volume: 7.11e-6, molar_mass: 0.063546, lattice_parameter: "
        "3.615e-10}\n"
        "concentration_unit: weight_percent\nsolutes:\n  - {element: Be, molar_mass: 0.0090122, "
        "concentration: 2.0,\n"
        "     diffusivity: {prefactor: 6.6e-5, activation_energy: 196.0e3}}\nphases:\n  - name: gamma\n"
        "    stoichiometry: [{element: Cu, count: 1}, {element: Be, count: 1}]\n    molar_volume: 1.2e-5\n"
        "    interfacial_energy: 0.15\n    growth_limiting_solute: Be\n    solvus: {constant: 0.5}\n"
        "    nucleation: {law: classical, sites: homogeneous}\n";
    const double be = 2 / 9.0122, cu = 98 / 63.546, left = 0.5 / 9.0122,
                 of_left = left / (left + 99.5 / 63.546);
    const double given[1] = {2};
    static sw_kwn_alloy alloy;
    double fraction[1], back[1];
    char much[sizeof text + 100];
    char *at;
    for (int table = 0; table < 2; table++) { /* more than all of it */
        strcpy(much, text);
        at = strstr(much, "{constant: 0.5}");
        sprintf(at, "%s}\n    nucleation: {law: classical, sites: homogeneous}\n",
                table ? "{table: [{temperature: 500, product: 1}, {temperature: 600, product: 100}]"
                      : "{constant: 100");
        assert_int_equal(sw_kwn_alloy_parse("cu-be.yaml", much, &alloy), SW_ERR_INPUT);
        assert_non_null(
            strstr(sw_error_message(), table ? "solvus.table[1].product = 100" : "solvus.constant = 100"));
        assert_non_null(strstr(sw_error_message(), "below 100 weight percent"));
    }
    CHECK_OK(sw_kwn_alloy_parse("cu-be.yaml", text, &alloy));
    CHECK_CLOSE(alloy.solute[0].concentration, be / (be + cu), 1e-12);
    CHECK_CLOSE(alloy.phase[0].solvus.prefactor, of_left, 1e-12);
    sw_kwn_to_fractions(&alloy, given, fraction);
    sw_kwn_from_fractions(&alloy, fraction, back);
    CHECK_CLOSE(back[0], 2, 1e-12);
    CHECK_CLOSE(sw_kwn_most_of(&alloy, given, 0, fraction[0]), 2, 1e-12);
}

static void volumes_of_atoms_and_of_moles_mean_the_same(void **state)
{
    (void)state;
    char word[64];
    snprintf(word, sizeof word, "atomic_volume: %.17g", 3.95e-5 / (3 * 6.02214076e23));
    const sw_kwn_alloy expected = alloy_with(NULL, NULL), alloy = alloy_with("molar_volume: 3.95e-5", word);
    check_same(&alloy, &expected);
}

/* ---- What is refused ---- */

static void values_on_their_bounds_are_taken(void **state)
{
    (void)state;
    static const edit edits[] = {
        {"concentration: 0.0096", "concentration: 0.4929"}, /* 0.4999 in all */
        {"molar_mass: 0.02430", "molar_mass: 0.3"},
        {"prefactor: 2.2e-4", "prefactor: 1.0e-12"},
        {"activation_energy: 130.0e3", "activation_energy: 1.0e6"},
        {"interfacial_energy: 0.26", "interfacial_energy: 1.0e-4"},
        {"enthalpy: 96000.0", "enthalpy: -1.0e6"},
        {"enthalpy: 96000.0", "enthalpy: 0"},
        {"barrier_factor: 0.5", "barrier_factor: 1"},
        {"barrier_factor: 0.5", "nucleus_multiple: 3"},
        {"shearable_radius: 4.0e-9", "shearable_radius: 1.0e-6"},
        {"lattice_resistance: 10.0e6", "lattice_resistance: 0"},
        {"taylor_factor: 3.1", "taylor_factor: 1"},
        {"AlMgSi", "1234567890123456789012345678901"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        alloy_with(edits[i].old, edits[i].new);
}

static void bad_alloys_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message; /* after "a.yaml:" */
    } cases[] = {
        /* Numbers that are out of bounds, or in other units. */
        {"1.0e-5, molar", "10.0, molar", "3: matrix.molar_volume = 10.0: need m^3/mol, from 1e-6 to 1e-3"},
        {"mass: 0.027", "mass: 27.0", "3: matrix.molar_mass = 27.0: need kg/mol, from 1e-3 to 0.3"},
        {"4.05e-10", "0.405", "4: matrix.lattice_parameter = 0.405: need m, from 1e-10 to 2e-9"},
        {"0.02430", "24.30", "8: solutes[0].molar_mass = 24.30: need kg/mol, from 1e-3 to 0.3"},
        {"0.007", "-0.007", "9: solutes[0].concentration = -0.007: need 0 <= concentration <= 100"},
        {"0.007", "0.7", "9: solutes[0].concentration = 0.7: need a mole fraction of at most 0.5"},
        {"0.0096", "0.4931", "6: solutes = 0.5001: need mole fractions of at most 0.5 in all"},
        {"2.2e-4", "0", "10: solutes[0].diffusivity.prefactor = 0: need m^2/s, from 1e-12 to 100"},
        {"136.0e3", "136.0",
         "13: solutes[1].diffusivity.activation_energy = 136.0: need J/mol, 0 or from 1000 to 1e6"},
        {"136.0e3", "-136.0e3",
         "13: solutes[1].diffusivity.activation_energy = -136.0e3: need J/mol, 0 or from 1000 to 1e6"},
        {"count: 2}", "count: 0}", "18: phases[0].stoichiometry[0].count = 0: need 0 < count <= 200"},
        {"3.95e-5", "39.5", "20: phases[0].molar_volume = 39.5: need m^3/mol, from 1e-6 to 1e-3"},
        {"3.95e-5", "3.95e-4",
         "20: phases[0].molar_volume = 0.000395: need 0.2 to 5 times the matrix's 1.66e-29 m^3 for each of 3 "
         "atoms"},
        {"1.7e-29", "0.017", "35: phases[1].atomic_volume = 0.017: need m^3, from 1e-30 to 1e-27"},
        {"1.7e-29", "1.7e-28",
         "35: phases[1].atomic_volume = 1.7e-28: need 0.2 to 5 times the matrix's 1.66e-29 m^3 for each of "
         "4.5 atoms"},
        {"0.26", "260", "21: phases[0].interfacial_energy = 260: need J/m^2, from 1e-4 to 5"},
        {"500.0,", "0,", "23: phases[0].solvus.prefactor = 0: need 0 < prefactor <= 1e60"},
        {"500.0,", "1.0e-306,",
         "23: phases[0].solvus.prefactor = 1e-306: need 1e-300 to 1e300 as a product of mole fractions"},
        {"96000.0", "96.0",
         "24: phases[0].solvus.enthalpy = 96.0: need J/mol, 0 or from 1000 to 1e6 in size"},
        {"9.66e34", "0", "27: phases[0].nucleation.rate = 0: need 1/(m^3 s), more than 0, at most 1e60"},
        {"9.66e34", "1.0e61",
         "27: phases[0].nucleation.rate = 1.0e61: need 1/(m^3 s), more than 0, at most 1e60"},
        {"16220.0", "16.22", "28: phases[0].nucleation.barrier = 16.22: need J/mol, from 100 to 1e6"},
        {"131.0e3", "131.0",
         "29: phases[0].nucleation.activation_energy = 131.0: need J/mol, 0 or from 1000 to 1e6"},
        {"multiple: 1.1", "multiple: 0.99",
         "30: phases[0].nucleation.nucleus_multiple = 0.99: need 1 <= nucleus_multiple <= 3"},
        {"4.0e-9", "4.0", "31: phases[0].shearable_radius = 4.0: need m, from 1e-10 to 1e-6"},
        {"0.5}", "0}", "39: phases[1].solvus.product[0].exponent = 0: need 0.01 <= exponent <= 200"},
        {"500.0, product", "0, product",
         "42: phases[1].solvus.table[0].temperature = 0: need K, from 1 to 5000"},
        {"1.0e-5}", "0}", "42: phases[1].solvus.table[0].product = 0: need 0 < product <= 1e60"},
        {"800.0", "500.0",
         "43: phases[1].solvus.table[1].temperature = 500: need more than the entry before (500 K)"},
        {"1.0e14", "1.0e2",
         "48: phases[1].nucleation.dislocation_density = 1.0e2: need 1/m^2, from 1e6 to 1e18"},
        {"dislocations\n      dislocation_density: 1.0e14", "grain_boundaries\n      grain_size: 50",
         "48: phases[1].nucleation.grain_size = 50: need m, from 1e-9 to 1"},
        {"factor: 0.5", "factor: 0",
         "49: phases[1].nucleation.barrier_factor = 0: need 0 < barrier_factor <= 1"},
        {"factor: 0.5", "factor: 1.01",
         "49: phases[1].nucleation.barrier_factor = 1.01: need 0 < barrier_factor <= 1"},
        {"constant: 1.0e-4", "constant: -1", "56: phases[2].solvus.constant = -1: need 0 < constant <= 1e60"},
        {"10.0e6", "10.0", "59: strength.lattice_resistance = 10.0: need Pa, 0 or from 1000 to 1e10"},
        {"3.1", "0.31", "60: strength.taylor_factor = 0.31: need 1 <= taylor_factor <= 10"},
        {"2.7e10", "27.0", "61: strength.shear_modulus = 27.0: need Pa, from 1e8 to 1e12"},
        {"2.84e-10", "0.284", "62: strength.burgers_vector = 0.284: need m, from 1e-11 to 1e-8"},
        {"0.36", "0", "63: strength.line_tension_factor = 0: need 1e-3 <= line_tension_factor <= 2"},
        {"5.0e8", "29.0",
         "65: strength.solid_solution[0].coefficient = 29.0: need Pa, 0 or from 1000 to 1e13"},
        {"0.75", "0", "67: strength.solid_solution_exponent = 0: need 0.1 <= solid_solution_exponent <= 2"},
        {"1.5\n  hard", "0.4\n  hard",
         "68: strength.particle_sum_exponent = 0.4: need 0.5 <= particle_sum_exponent <= 4"},
        {"0.33e-6", "0.33", "69: strength.hardness_slope = 0.33: need HV/Pa, from 0 to 1e-4"},
        {"16.0\n", "nan\n", "70: strength.hardness_intercept = nan: need a number"},

        /* Names. */
        {"mole_fraction", "atom_percent",
         "5: concentration_unit = atom_percent: need one of weight_percent, mole_fraction"},
        {"element: Si, molar", "element: Mg, molar",
         "11: solutes[1].element = Mg: need an element that the alloy has not yet"},
        {"element: Si, molar", "element: Al, molar",
         "11: solutes[1].element = Al: need an element that the alloy has not yet"},
        {"element: Si, molar", "element: Siliciu1, molar",
         "11: solutes[1].element = Siliciu1: need a text of 1 to 7 bytes"},
        {"element: Si, count", "element: Sc, count",
         "19: phases[0].stoichiometry[1].element = Sc: need one of Mg, Si, Zr, Al"},
        {"element: Si, count", "element: Mg, count",
         "19: phases[0].stoichiometry[1].element = Mg: need each element once"},
        {"[{element: Zr, count: 1}]", "[{element: Al, count: 1}]",
         "52: phases[2].stoichiometry: need at least one of the solutes"},
        {"solute: Mg\n", "solute: Al\n", "22: phases[0].growth_limiting_solute = Al: need one of Mg, Si, Zr"},
        {"solute: Mg\n", "solute: Zr\n",
         "22: phases[0].growth_limiting_solute = Zr: need a solute of the stoichiometry and of the solvus' "
         "product"},
        {"solute: Mg, exponent", "solute: Zr, exponent",
         "37: phases[1].growth_limiting_solute = Mg: need a solute of the stoichiometry and of the solvus' "
         "product"},
        {"count: 1.5", "count: 0.005",
         "37: phases[1].growth_limiting_solute = Mg: need more of it in the phase (0.00162527) than in the "
         "alloy (0.007)"},
        {"name: AlMgSi", "name: 'beta, coarse'",
         "32: phases[1].name = beta, coarse: need a name without commas, quotes, slashes and tabs"},
        {"name: AlMgSi", "name: a/b",
         "32: phases[1].name = a/b: need a name without commas, quotes, slashes and tabs"},
        {"name: AlMgSi", "name: Mg2Si", "32: phases[1].name = Mg2Si: need a name that no other phase has"},
        {"AlMgSi", "12345678901234567890123456789012",
         "32: phases[1].name = 12345678901234567890123456789012: need a text of 1 to 31 bytes"},
        {"solute: Si, exponent", "solute: Al, exponent",
         "39: phases[1].solvus.product[0].solute = Al: need one of Mg, Si, Zr"},
        {"solute: Mg, exponent", "solute: Si, exponent",
         "40: phases[1].solvus.product[1].solute = Si: need each element once"},
        {"law: none", "law: homogeneous",
         "57: phases[2].nucleation.law = homogeneous: need one of none, classical, arrhenius"},
        {"sites: dislocations", "sites: everywhere",
         "47: phases[1].nucleation.sites = everywhere: need one of homogeneous, dislocations, "
         "grain_boundaries, grain_edges, grain_corners, given, solute"},
        {"barrier_factor: ", "contact_angle: 60\n      barrier_factor: ",
         "49: phases[1].nucleation.contact_angle: goes with sites: grain_boundaries, grain_edges or "
         "grain_corners"},
        {"russell", "long",
         "50: phases[1].nucleation.incubation = long: need one of none, kampmann_wagner, russell, factor"},
        {"solute: Si, coefficient", "solute: Cu, coefficient",
         "65: strength.solid_solution[0].solute = Cu: need one of Mg, Si, Zr"},
        {"solute: Mg, coefficient", "solute: Si, coefficient",
         "66: strength.solid_solution[1].solute = Si: need each element once"},

        /* Keys that are missing, too many, or without effect. */
        {"    molar_volume: 3.95e-5\n", "",
         "17: phases[0].molar_volume is missing: need molar_volume or atomic_volume"},
        {"3.95e-5", "3.95e-5\n    atomic_volume: 2.0e-29",
         "21: phases[0].atomic_volume beside phases[0].molar_volume: need only one of them"},
        {"{prefactor: 500.0,\n             enthalpy: 96000.0}", "{}",
         "23: phases[0].solvus.constant is missing: need constant, prefactor or table"},
        {"{prefactor: 500.0,\n             ", "{",
         "23: phases[0].solvus.prefactor is missing: need prefactor and "
         "enthalpy"},
        {"500.0,\n             enthalpy: 96000.0", "500.0",
         "23: phases[0].solvus.enthalpy is missing: need prefactor and enthalpy"},
        {"{prefactor: 500.0,", "{constant: 1, prefactor: 500.0,",
         "23: phases[0].solvus.prefactor beside phases[0].solvus.constant: need only one of them"},
        {"      table:\n", "      constant: 1\n      table:\n",
         "42: phases[1].solvus.table beside phases[1].solvus.constant: need only one of them"},
        {"        - {temperature: 500.0, product: 1.0e-5}\n", "",
         "41: phases[1].solvus.table has 1 entries: need at least 2"},
        {"      rate: 9.66e34\n", "",
         "25: phases[0].nucleation.rate is missing: law = arrhenius needs it, 1/(m^3 s), more than 0, at "
         "most 1e60"},
        {"rate: 9.66e34", "rate: 9.66e34\n      sites: homogeneous",
         "28: phases[0].nucleation.sites has no place beside law = arrhenius"},
        {"rate: 9.66e34", "rate: 9.66e34\n      barrier_factor: 1",
         "28: phases[0].nucleation.barrier_factor has no place beside law = arrhenius"},
        {"rate: 9.66e34", "rate: 9.66e34\n      incubation: none",
         "28: phases[0].nucleation.incubation has no place beside law = arrhenius"},
        {"incubation: russell", "activation_energy: 130.0e3",
         "50: phases[1].nucleation.activation_energy has no place beside law = classical"},
        {"law: none", "law: none, nucleus_multiple: 1.05",
         "57: phases[2].nucleation.nucleus_multiple has no place beside law = none"},
        {"      sites: dislocations\n", "",
         "45: phases[1].nucleation.sites is missing: law = classical needs it, one of homogeneous, "
         "dislocations, grain_boundaries, grain_edges, grain_corners, given, solute"},
        {"      dislocation_density: 1.0e14\n", "",
         "45: phases[1].nucleation.dislocation_density is missing: sites = dislocations needs it, 1/m^2, "
         "from 1e6 to 1e18"},
        {"sites: dislocations", "sites: homogeneous",
         "48: phases[1].nucleation.dislocation_density has no place beside sites = homogeneous"},
        {"barrier_factor: 0.5", "grain_size: 1.0e-5",
         "49: phases[1].nucleation.grain_size has no place beside sites = dislocations"},
        {"shearable_radius", "sharable_radius",
         "31: unknown key 'phases[0].sharable_radius': did you mean 'phases[0].shearable_radius'?"},
        {"  taylor_factor: 3.1\n", "",
         "58: strength.taylor_factor is missing: need 1 <= taylor_factor <= 10"},
        {"  - name: Mg2Si\n    stoi", "  - stoi", "17: phases[0].name is missing: need a text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const edit edit = {cases[i].old, cases[i].new};
        sw_kwn_alloy alloy, before;
        char message[512];
        memset(&alloy, 0x5a, sizeof alloy);
        before = alloy;
        if (parse(1, &edit, &alloy) != SW_ERR_INPUT)
            fail_msg("'%s' in the place of '%s' is taken", edit.new, edit.old);
        snprintf(message, sizeof message, "a.yaml:%s", cases[i].message);
        assert_string_equal(sw_error_message(), message);
        assert_memory_equal(&alloy, &before, sizeof alloy);
    }
}

/* 1 / T is the same for both. */
static void temperatures_of_a_table_are_apart(void **state)
{
    (void)state;
    sw_kwn_alloy alloy;
    const edit edits[] = {{"500.0, product", "510.0, product"}, {"800.0", "510.00000000000006"}};
    assert_int_equal(parse(2, edits, &alloy), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "a.yaml:43: phases[1].solvus.table[1].temperature = "
                                            "510.00000000000006: need more than the entry before (510 K)");
}

static void alloy_needs_solutes_and_phases(void **state)
{
    (void)state;
    sw_kwn_alloy alloy;
    const edit no_phases[] = {{strstr(full, "phases:"), "phases: []\n"}};
    assert_int_equal(parse(1, no_phases, &alloy), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "a.yaml:16: phases has 0 entries: need at least 1");
    const edit no_solutes[] = {{strstr(full, "solutes:"), "phases: [{name: X}]\n"}};
    assert_int_equal(parse(1, no_solutes, &alloy), SW_ERR_INPUT);
}

static void absent_file_is_named(void **state)
{
    (void)state;
    sw_kwn_alloy alloy;
    assert_int_equal(sw_kwn_alloy_read("no/such/alloy.yaml", &alloy), SW_ERR_IO);
    assert_non_null(strstr(sw_error_message(), "no/such/alloy.yaml"));
}

/* ---- The files in data/alloys ---- */

static void shipped_alloys_are_read(void **state)
{
    (void)state;
    int alloys = 0;
    const char *folder = data_path("alloys");
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (const struct dirent *file; (file = readdir(directory)) != NULL;) {
        const size_t length = strlen(file->d_name);
        char path[512];
        sw_kwn_alloy alloy;
        if (length < 5 || strcmp(file->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
        CHECK_OK(sw_kwn_alloy_read(path, &alloy));
        assert_true(alloy.n_solutes > 0 && alloy.n_phases > 0);
        alloys++;
    }
    closedir(directory);
    assert_true(alloys > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_and_solutes_are_read),
        cmocka_unit_test(phases_are_read),
        cmocka_unit_test(solubility_products_are_read),
        cmocka_unit_test(nucleation_laws_are_read),
        cmocka_unit_test(absent_keys_of_nucleation_have_their_standard),
        cmocka_unit_test(sites_are_counted),
        cmocka_unit_test(strength_is_read),
        cmocka_unit_test(strength_may_be_short_or_absent),
        cmocka_unit_test(weight_percent_mean_the_same),
        cmocka_unit_test(weight_percent_of_light_elements),
        cmocka_unit_test(volumes_of_atoms_and_of_moles_mean_the_same),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_alloys_are_refused_with_their_place),
        cmocka_unit_test(temperatures_of_a_table_are_apart),
        cmocka_unit_test(alloy_needs_solutes_and_phases),
        cmocka_unit_test(absent_file_is_named),
        cmocka_unit_test(shipped_alloys_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
