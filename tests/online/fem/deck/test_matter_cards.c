/* Materials as decks say them. */
#include "decks.h"

#include "common/files/hdf5_io.h"

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

/* CalculiX has it under this name. */
static void linear_elasticity_by_its_name(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck;
    CHECK_OK(try_deck(CUBE "*MATERIAL, NAME=LIN_ISO_EL_1\n*USER MATERIAL, CONSTANTS=2\n2e5, .3\n"
                           "*SOLID SECTION, ELSET=E, MATERIAL=LIN_ISO_EL_1\n" HELD STATIC(""),
                      SW_DECK_CALCULIX, &deck, &problem));
    const sw_matter *matter = &problem->matter[0];
    assert_int_equal(matter->elasticity, SW_MATTER_ISOTROPIC);
    assert_int_equal(matter->n_constants, 0);
    CHECK_CLOSE(matter->elastic.value[0], 2e5, 0);
    CHECK_CLOSE(matter->elastic.value[1], 0.3, 0);
    sw_deck_free(deck);
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

/* Hill's function by ratios of stresses, others by numbers or from results of forming, which hold the fit by name. */
static void check_yield(const char *card, int function, double exponent, const double *coefficient)
{
    char text[8192];
    const sw_structure_problem *problem;
    snprintf(text, sizeof text, CUBE STEEL "*PLASTIC\n100., 0.\n%s" SECTION HELD STATIC(""), card);
    sw_deck *deck = read_deck(text, &problem);
    const sw_yield *y = &problem->matter[0].yield;
    assert_ptr_equal(y->function, &sw_yield_functions[function]);
    assert_string_equal(problem->matter[0].law->name, "anisotropic");
    if (y->function->has_exponent)
        CHECK_CLOSE(y->exponent, exponent, 0);
    for (int i = 0; i < y->function->coefficients; i++)
        CHECK_CLOSE(y->coefficient[i], coefficient[i], 1e-14);
    sw_deck_free(deck);
}

static void yield_functions_come_from_results(void **state)
{
    (void)state;
    const double hill[6] = {0.625, 0.375, 0.625, 1.5, 1.5 / 1.44, 1.5 / 1.21}, exponent = 6, reference = 2e8;
    const double c[8] = {0.9, 1.1, 1, 0.95, 1.05, 0.8, 1.2, 1.3};
    const int64_t n = 8;
    hid_t group;
    sw_h5_output output;
    CHECK_OK(sw_h5_begin("sheet.h5", &output));
    CHECK_OK(sw_h5_group(output.file, "functions/yld2000_2d", &group));
    CHECK_OK(sw_h5_write(group, "coefficient", H5T_NATIVE_DOUBLE, 1, &n, c));
    CHECK_OK(sw_h5_write_numbers(group, "exponent", 1, &exponent));
    CHECK_OK(sw_h5_write_numbers(group, "reference_stress", 1, &reference));
    H5Gclose(group);
    CHECK_OK(sw_h5_end(&output, SW_OK));
    check_yield("*POTENTIAL, FILE=sheet.h5, FUNCTION=yld2000_2d\n", SW_YIELD_YLD2000_2D, 6, c);
    check_yield("*POTENTIAL, FUNCTION=Yld2000_2d\n6., .9, 1.1, 1., .95, 1.05, .8, 1.2\n1.3\n",
                SW_YIELD_YLD2000_2D, 6, c);
    /* 1 / R^2: 1, 1.25, 1 */
    check_yield("*POTENTIAL\n1., .894427190999916, 1., 1.1, 1.2\n", SW_YIELD_HILL48, 2, hill);
    const refusal none[] = {{CUBE STEEL "*PLASTIC\n100., 0.\n*POTENTIAL, FILE=sheet.h5, FUNCTION=hill48\n",
                             "sheet.h5: there is no fit of hill48"}};
    REFUSE_DECKS(none);
    unlink("sheet.h5");
}

static void rates_are_read(void **state)
{
    (void)state;
    const struct {
        const char *card;
        sw_matter_rate law;
        double first, second;
    } want[] = {{"*RATE DEPENDENT\n40., 5.\n", SW_MATTER_POWER_RATE, 40, 5},
                {"*RATE DEPENDENT, TYPE=JOHNSON COOK\n.02, .001\n", SW_MATTER_LOG_RATE, 0.02, 0.001},
                {"*RATE DEPENDENT, TYPE=YIELD RATIO\n1., 0.\n1.5, 10.\n", SW_MATTER_TABLE_RATE, 10, 1.5}};
    for (size_t k = 0; k < 3; k++) {
        char text[8192];
        const sw_structure_problem *problem;
        snprintf(
            text, sizeof text,
            CUBE STEEL
            "*PLASTIC, HARDENING=JOHNSON COOK\n250., 400., .3, 1., 1500., 300.\n%s" SECTION HELD STATIC(""),
            want[k].card);
        sw_deck *deck = read_deck(text, &problem);
        const sw_matter *m = &problem->matter[0];
        const double *of = k < 2 ? m->rate.value : m->ratio[0].row[1];
        assert_int_equal(m->rate_law, want[k].law);
        CHECK_CLOSE(of[0], want[k].first, 0);
        CHECK_CLOSE(of[1], want[k].second, 0);
        CHECK_CLOSE(m->cook.value[4], 1500, 0);
        assert_string_equal(m->law->name, "plastic");
        sw_deck_free(deck);
    }
}

static void count_sixes(void *to, sw_notice notice, const char *text)
{
    (void)notice;
    *(int *)to += strstr(text, "of CPS4, too, it is called with NDI = 3") != NULL;
}

/* Abaqus calls those of plane elements with fewer components. */
static void users_materials_of_plane_elements_are_told_of(void **state)
{
    (void)state;
    assert_int_equal(system("${CC:-cc} -std=c11 -O1 -shared -fPIC -o umat.so "
                            "${SW_DATA:-data}/../tests/online/fem/matter/umat.c -lm"),
                     0);
    for (int plane = 0; plane < 2; plane++) {
        int told = 0;
        sw_deck *deck;
        const sw_structure_problem *problem;
        char text[2000];
        snprintf(
            text, sizeof text,
            CUBE_NODES
            "*ELEMENT, TYPE=%s, ELSET=E\n1, %s\n*MATERIAL, NAME=M\n*USER MATERIAL, CONSTANTS=3\n200e3, .3, "
            "0.\n*DEPVAR\n69\n*SOLID SECTION, ELSET=E, MATERIAL=M\n" HELD STATIC(""),
            plane ? "CPS4" : "C3D8", plane ? "1, 2, 3, 4" : "1, 2, 3, 4, 5, 6, 7, 8");
        write_deck(deck_path, text);
        CHECK_OK(sw_deck_read(deck_path, SW_DECK_ABAQUS, &deck));
        deck->umat = "umat.so";
        sw_listen(count_sixes, &told);
        CHECK_OK(sw_deck_make_problem(deck, &problem));
        sw_listen(NULL, NULL);
        sw_deck_free(deck);
        assert_int_equal(told, plane);
    }
    unlink(deck_path);
    unlink("umat.so");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_materials_of_plane_elements_are_told_of),
        cmocka_unit_test(yield_functions_come_from_results),
        cmocka_unit_test(rates_are_read),
        cmocka_unit_test(engineering_constants_are_inverted),
        cmocka_unit_test(anisotropic_constants_go_over_three_lines),
        cmocka_unit_test(curves_are_of_a_temperature_each),
        cmocka_unit_test(creep_is_the_program_s),
        cmocka_unit_test(linear_elasticity_by_its_name),
        cmocka_unit_test(backstresses_are_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
