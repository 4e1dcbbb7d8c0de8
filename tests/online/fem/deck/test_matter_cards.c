/* Materials as decks say them. */
#include "decks.h"

#include <math.h>
#include <string.h>

#define WITH(material) CUBE "*MATERIAL, NAME=STEEL\n" material SECTION HELD STATIC("")

/* Stiffness times compliance is one: E1 = 1e5, ... nu12 = .1, nu13 = .2, nu23 = .3. */
static void engineering_constants_are_inverted(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(WITH("*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1e5, 2e5, 3e5, .1, .2, .3, 1e4, 2e4,\n"
                       "3e4, 20.\n2e5, 4e5, 6e5, .1, .2, .3, 2e4, 4e4,\n6e4, 120.\n"),
                  &problem);
    const sw_matter_table *table = &problem->matter[0].elastic;
    const double e[3] = {1e5, 2e5, 3e5}, nu12 = 0.1, nu13 = 0.2, nu23 = 0.3;
    const double s[3][3] = {{1 / e[0], -nu12 / e[0], -nu13 / e[0]},
                            {-nu12 / e[0], 1 / e[1], -nu23 / e[1]},
                            {-nu13 / e[0], -nu23 / e[1], 1 / e[2]}};
    const double *v = table->value, d[3][3] = {{v[0], v[1], v[3]}, {v[1], v[2], v[4]}, {v[3], v[4], v[5]}};
    assert_int_equal(table->n_rows, 2);
    CHECK_CLOSE(table->temperature[1], 120, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += d[i][k] * s[k][j];
            CHECK_CLOSE(sum, i == j, 1e-14);
        }
    CHECK_CLOSE(v[6], 1e4, 0);
    CHECK_CLOSE(v[8], 3e4, 0);
    CHECK_CLOSE(table->value[9 + 4], 2 * v[4], 1e-9 * v[4]);
    sw_deck_free(deck);
}

static void anisotropic_constants_go_over_three_lines(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(
        WITH("*ELASTIC, TYPE=ANISO\n300., 100., 300., 100., 100., 300., 0., 0.\n0., 100., 0., 0., 0., "
             "0., 100., 0.\n0., 0., 0., 0., 100., 7.\n"),
        &problem);
    const sw_matter *matter = &problem->matter[0];
    assert_int_equal(matter->elasticity, SW_MATTER_ANISOTROPIC);
    assert_int_equal(matter->elastic.n_columns, 21);
    CHECK_CLOSE(matter->elastic.value[20], 100, 0);
    CHECK_CLOSE(matter->elastic.temperature[0], 7, 0);
    sw_deck_free(deck);
}

static void curves_are_of_a_temperature_each(void **state)
{
    (void)state;
    char text[16384] =
        CUBE "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e5, .3\n*EXPANSION, ZERO=20., TYPE=ORTHO\n1e-5, 2e-5, 3e-5\n"
             "*DENSITY\n7.8E-9\n*PLASTIC, HARDENING=KINEMATIC\n";
    for (int i = 0; i < 400; i++)
        snprintf(text + strlen(text), 40, "%d., %g, %d.\n", 200 + i % 200, 1e-3 * (i % 200), i / 200);
    strcat(text, SECTION HELD STATIC(""));
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(text, &problem);
    const sw_matter *matter = &problem->matter[0];
    assert_int_equal(matter->hardening, SW_MATTER_HARDENS_KINEMATIC);
    assert_int_equal(matter->n_curves, 2);
    assert_int_equal(matter->curve[1].n_rows, 200);
    CHECK_CLOSE(matter->curve[1].temperature, 1, 0);
    CHECK_CLOSE(matter->curve[1].row[199][0], 0.199, 1e-12);
    CHECK_CLOSE(matter->curve[1].row[199][1], 399, 0);
    CHECK_CLOSE(matter->zero, 20, 0);
    assert_int_equal(matter->expansion_columns, 3);
    CHECK_CLOSE(matter->expansion.value[2], 3e-5, 1e-20);
    CHECK_CLOSE(matter->density, 7.8e-9, 1e-24);
    sw_deck_free(deck);
}

/* Creep of a deck with a yield stress flows beyond it in CalculiX, and beside it in Abaqus. */
static void creep_is_the_program_s(void **state)
{
    (void)state;
    for (int dialect = SW_DECK_ABAQUS; dialect <= SW_DECK_CALCULIX; dialect++) {
        const sw_structure_problem *problem;
        sw_deck *deck;
        CHECK_OK(try_deck(WITH("*ELASTIC\n2e5, .3\n*CREEP\n1.D-10, 5.\n"), dialect, &deck, &problem));
        const sw_matter *matter = &problem->matter[0];
        CHECK_CLOSE(matter->creep.value[0], 1e-10, 1e-25);
        CHECK_CLOSE(matter->creep.value[2], 0, 0);
        assert_int_equal(matter->overstress, dialect == SW_DECK_CALCULIX);
        assert_int_equal(matter->strain_hardening, dialect == SW_DECK_ABAQUS);
        sw_deck_free(deck);
    }
}

static void backstresses_are_pairs(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(WITH("*ELASTIC\n2e5, .3\n*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS, "
                       "NUMBER BACKSTRESSES=2\n100., 2e4, 50., 3e3, 5.\n*CYCLIC HARDENING, PARAMETERS\n100., "
                       "30., 7.\n"),
                  &problem);
    const sw_matter *matter = &problem->matter[0];
    const double pairs[4] = {2e4, 50, 3e3, 5};
    assert_int_equal(matter->backstress.n_columns, 4);
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(matter->backstress.value[i], pairs[i], 0);
    CHECK_CLOSE(matter->curve[0].row[0][1], 100, 0);
    CHECK_CLOSE(matter->saturation.value[2], 7, 0);
    sw_deck_free(deck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engineering_constants_are_inverted),
        cmocka_unit_test(anisotropic_constants_go_over_three_lines),
        cmocka_unit_test(curves_are_of_a_temperature_each),
        cmocka_unit_test(creep_is_the_program_s),
        cmocka_unit_test(backstresses_are_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
