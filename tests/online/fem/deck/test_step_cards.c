/* What acts in steps, and from step to step. Values "as CalculiX has it" were printed by CalculiX 2.20 of the same cards:
 * forces that an amplitude ends with stay, OP=NEW lets forces go to 0 and what is held free at once, and what is newly held
 * begins where it is. */
#include "decks.h"

#include <math.h>
#include <string.h>

/* Of an unknown; NULL: none. */
static const sw_structure_value *find(int64_t n, const sw_structure_value *list, int64_t unknown)
{
    for (int64_t i = 0; i < n; i++)
        if (list[i].unknown == unknown)
            return &list[i];
    return NULL;
}

#define FORCE(k, unknown) find(problem->step[k].n_forces, problem->step[k].force, unknown)
#define FIXED(k, unknown) find(problem->step[k].n_fixed, problem->step[k].fixed, unknown)
enum { FIVE_Z = 3 * 4 + 2, EIGHT_Z = 3 * 7 + 2 };

static void assert_goes(const sw_structure_value *value, double from, double to, int amplitude)
{
    assert_non_null(value);
    assert_true(isnan(from) ? isnan(value->from) : value->from == from);
    assert_true(isnan(to) ? isnan(value->to) : value->to == to);
    assert_int_equal(value->amplitude, amplitude);
}

static void forces_live_from_step_to_step(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck("*AMPLITUDE, NAME=A\n0., 0., .5, 2.,\n1., 3.\n" BODY STATIC(
                      "*CLOAD, AMPLITUDE=A\n5, 3, 1.\n*CLOAD\n8, 3, 1.\n8, 3, 1.\n*CLOAD\n8, 3, 5.\n")
                      STATIC("") STATIC("*CLOAD\n5, 3, 1.\n") STATIC("*CLOAD, OP=NEW\n5, 1, 4.\n"),
                  &problem);
    assert_int_equal(problem->n_steps, 4);
    assert_goes(FORCE(0, FIVE_Z), 0, 1, 0);
    assert_goes(FORCE(0, EIGHT_Z), 0, 7, -1); /* in a step they add up, as CalculiX has it */
    assert_goes(FORCE(1, FIVE_Z), 3, 3, -1);  /* what the amplitude ended with */
    assert_goes(FORCE(2, FIVE_Z), 3, 1, -1);
    assert_goes(FORCE(2, EIGHT_Z), 7, 7, -1);
    assert_goes(FORCE(3, FIVE_Z), 1, 0, -1);
    assert_goes(FORCE(3, EIGHT_Z), 7, 0, -1);
    assert_goes(FORCE(3, 3 * 4), 0, 4, -1);
    assert_int_equal(problem->amplitude[0].n_rows, 3);
    sw_deck_free(deck);
}

/* As CalculiX 2.20 has it: what later steps do not give again follows the curve. */
static void amplitudes_in_total_time_go_on(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(
        BODY "*DENSITY\n2.\n*AMPLITUDE, NAME=A, TIME=TOTAL TIME\n0., 0., 1., 1., 2., .5, 3., .125\n" STATIC(
            "*CLOAD, AMPLITUDE=A\n5, 3, 2.\n*BOUNDARY, AMPLITUDE=A\n8, 3, 3, .2\n"
            "*DLOAD, AMPLITUDE=A\nE, P2, 4.\n*TEMPERATURE, AMPLITUDE=A\n6, 8.\n") STATIC("*CLOAD\n6, 3, 1.\n")
            STATIC("*CLOAD\n5, 3, 3.\n*BOUNDARY\n8, 3, 3, .3\n*DLOAD, OP=NEW\n"),
        &problem);
    assert_goes(FORCE(1, FIVE_Z), 2, 2, 0);
    assert_goes(FIXED(1, EIGHT_Z), 0.2, 0.2, 0);
    assert_int_equal(problem->step[1].load[0].amplitude, 0);
    CHECK_CLOSE(problem->step[1].load[0].to, 4, 0);
    assert_int_equal(problem->step[2].temperature[0].amplitude, 0);
    CHECK_CLOSE(problem->step[2].temperature[0].to, 8, 0);
    assert_goes(FORCE(2, FIVE_Z), 1, 3, -1); /* from where the curve was */
    assert_goes(FIXED(2, EIGHT_Z), 0.1, 0.3, -1);
    CHECK_CLOSE(problem->step[2].load[0].from, 2, 0);
    CHECK_CLOSE(problem->step[2].load[0].to, 0, 0);
    assert_int_equal(problem->step[2].load[0].amplitude, -1);
    sw_deck_free(deck);
}

/* As CalculiX 2.20 and Abaqus have it: *VISCO begins with its loads. */
static void creep_begins_with_its_loads(void **state)
{
    (void)state;
    static const char *const step[] = {"*STEP\n*VISCO\n", "*STEP, AMPLITUDE=RAMP\n*VISCO\n",
                                       "*STEP\n*STATIC\n", "*STEP, AMPLITUDE=STEP\n*STATIC\n"};
    for (int k = 0; k < 4; k++) {
        char text[1000];
        const sw_structure_problem *problem;
        snprintf(text, sizeof text, "%s%s*CLOAD\n5, 3, 1.\n*END STEP\n", BODY, step[k]);
        sw_deck *deck = read_deck(text, &problem);
        assert_int_equal(problem->step[0].at_once, k == 0 || k == 3);
        sw_deck_free(deck);
    }
}

static void supports_live_from_step_to_step(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY STATIC("*BOUNDARY\n5, 3, 3, .5\n") STATIC("*BOUNDARY\n5, 3, 3, .7\n8, 3, 3, .1\n")
                      STATIC("*BOUNDARY, OP=NEW\nALL, 1\n8, ENCASTRE\n") STATIC("*BOUNDARY, FIXED\n5, 3\n"),
                  &problem);
    assert_goes(FIXED(0, FIVE_Z), 0, 0.5, -1);
    assert_goes(FIXED(0, 0), 0, 0, -1);
    assert_goes(FIXED(1, FIVE_Z), 0.5, 0.7, -1);
    assert_goes(FIXED(1, EIGHT_Z), NAN, 0.1, -1);
    assert_null(FIXED(2, FIVE_Z));
    assert_goes(FIXED(2, EIGHT_Z), NAN, 0, -1);
    assert_int_equal(problem->step[2].n_fixed, 8 + 2);
    assert_goes(FIXED(3, FIVE_Z), NAN, NAN, -1);
    sw_deck_free(deck);
}

static void loads_of_a_face_replace_those_of_steps_before(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(CUBE STEEL "*DENSITY\n2.\n" SECTION HELD STATIC(
                      "*DLOAD\nE, P2, -4.\nE, P2, -4.\n*DLOAD\nE, P2, -2.\nE, GRAV, 9.81, 0, 0, -2.\n")
                      STATIC("*DLOAD\nE, P2, 1.\nE, CENTRIF, 100., 1., 2., 3., 0, 3., 0\n")
                          STATIC("*DLOAD, OP=NEW\nE, BX, 5.\n"),
                  &problem);
    const sw_structure_load *load = problem->step[0].load;
    assert_int_equal(problem->step[0].n_loads, 2);
    assert_int_equal(load[0].face, 1);
    CHECK_CLOSE(load[0].to, -10, 0);
    assert_int_equal(load[1].kind, SW_STRUCTURE_GRAVITY);
    CHECK_CLOSE(load[1].direction[2], -1, 0);
    load = problem->step[1].load;
    assert_int_equal(problem->step[1].n_loads, 3);
    CHECK_CLOSE(load[0].from, -10, 0);
    CHECK_CLOSE(load[0].to, 1, 0);
    CHECK_CLOSE(load[1].from, 9.81, 0); /* gravity goes on */
    CHECK_CLOSE(load[1].to, 9.81, 0);
    assert_int_equal(load[2].kind, SW_STRUCTURE_SPIN);
    CHECK_CLOSE(load[2].point[2], 3, 0);
    CHECK_CLOSE(load[2].direction[1], 1, 0);
    load = problem->step[2].load;
    assert_int_equal(problem->step[2].n_loads, 4);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(load[i].to, 0, 0);
    assert_int_equal(load[3].kind, SW_STRUCTURE_BODY_FORCE);
    CHECK_CLOSE(load[3].to, 5, 0);
    sw_deck_free(deck);
}

/* CalculiX 2.20 has both for gravity. */
static void loads_in_other_directions_act_beside_those_before(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(CUBE STEEL "*DENSITY\n2.\n" SECTION HELD STATIC(
                      "*DLOAD\nE, GRAV, 9., 0, 0, -1.\nE, CENTRIF, 4., 0, 0, 0, 0, 0, 1.\nE, BX, 1.\n")
                      STATIC("*DLOAD\nE, GRAV, 5., 1., 0, 0\nE, CENTRIF, 3., 1., 0, 0, 0, 0, 1.\nE, BY, 2.\n")
                          STATIC("*DLOAD\nE, GRAV, 6., 0, 0, -1.\n"),
                  &problem);
    static const double to[3][6] = {{9, 4, 1}, {9, 4, 1, 5, 3, 2}, {6, 4, 1, 5, 3, 2}};
    for (int k = 0; k < 3; k++) {
        double sum[SW_STRUCTURE_BODY_FORCE + SW_STRUCTURE_GRAVITY + SW_STRUCTURE_SPIN + 1] = {0};
        const int n = k == 0 ? 3 : 6;
        assert_int_equal(problem->step[k].n_loads, n);
        for (int i = 0; i < n; i++)
            sum[problem->step[k].load[i].kind] += problem->step[k].load[i].to;
        CHECK_CLOSE(sum[SW_STRUCTURE_GRAVITY], to[k][0] + to[k][3], 0);
        CHECK_CLOSE(sum[SW_STRUCTURE_SPIN], to[k][1] + to[k][4], 0);
        CHECK_CLOSE(sum[SW_STRUCTURE_BODY_FORCE], to[k][2] + to[k][5], 0);
    }
    sw_deck_free(deck);
}

static void fields_are_written_as_often_as_told(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY STATIC("*OUTPUT, HISTORY, FREQUENCY=5\n")
                      STATIC("*OUTPUT, FIELD, FREQUENCY=3\n*OUTPUT, HISTORY, FREQUENCY=5\n") STATIC(""),
                  &problem);
    for (int k = 0; k < 3; k++) /* steps go on with it */
        assert_int_equal(problem->step[k].every, k == 0 ? 0 : 3);
    sw_deck_free(deck);
}

static void directions_are_the_same_whatever_the_sign_of_0(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(CUBE STEEL "*DENSITY\n1.\n" SECTION HELD STATIC("*DLOAD\nE, GRAV, 9., 0., 0, -1.\n")
                      STATIC("*DLOAD\nE, GRAV, 5., -0., 0, -1.\n"),
                  &problem);
    assert_int_equal(problem->step[1].n_loads, 1);
    CHECK_CLOSE(problem->step[1].load[0].from, 9, 0);
    CHECK_CLOSE(problem->step[1].load[0].to, 5, 0);
    sw_deck_free(deck);
}

/* As CalculiX has it, whatever is said. */
static void rubber_is_at_finite_strains(void **state)
{
    (void)state;
    for (int dialect = SW_DECK_ABAQUS; dialect <= SW_DECK_CALCULIX; dialect++) {
        sw_deck *deck;
        const sw_structure_problem *problem;
        CHECK_OK(try_deck(CUBE "*MATERIAL, NAME=STEEL\n*HYPERELASTIC, NEO HOOKE\n1., .1\n" SECTION HELD
                               "*STEP, NLGEOM=NO\n*STATIC\n*END STEP\n",
                          dialect, &deck, &problem));
        assert_int_equal(problem->step[0].finite, dialect == SW_DECK_CALCULIX);
        sw_deck_free(deck);
    }
}

static void masses_are_pulled_where_they_are(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(CUBE STEEL "*DENSITY\n1.\n" SECTION HELD
                                         "*ELEMENT, TYPE=MASS, ELSET=M\n9, 7\n*MASS, ELSET=M\n2.\n" STATIC(
                                             "*DLOAD\nM, GRAV, 10., 0, 0, -1.\n")
                                             STATIC("*DLOAD, OP=NEW\nM, CENTRIF, 3., 0, .25, .5, 0, 0, 1.\n"),
                              &problem);
    assert_goes(FORCE(0, 3 * 6 + 2), 0, -20, -1);
    assert_goes(FORCE(1, 3 * 6), 0, 6, -1); /* 7 is at 1, 1, 1, from the axis 1, .75, 0 */
    assert_goes(FORCE(1, 3 * 6 + 1), 0, 4.5, -1);
    assert_int_equal(problem->step[1].n_forces, 3); /* and gravity that ends */
    sw_deck_free(deck);
}

static void temperatures_go_back_to_the_first_ones(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n" STATIC("*TEMPERATURE\nALL, 30.\n")
                      STATIC("*TEMPERATURE, OP=NEW\n5, 50.\n"),
                  &problem);
    CHECK_CLOSE(problem->temperature[7], 20, 0);
    assert_int_equal(problem->step[1].n_temperatures, 8);
    for (int i = 0; i < 8; i++) {
        const sw_structure_temperature *t = &problem->step[1].temperature[i];
        CHECK_CLOSE(problem->step[0].temperature[i].from, 20, 0);
        CHECK_CLOSE(t->from, 30, 0);
        CHECK_CLOSE(t->to, t->node == 4 ? 50 : 20, 0);
    }
    sw_deck_free(deck);
}

static void amplitudes_are_delayed_for_a_load_alone(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY "*AMPLITUDE, NAME=A\n0., 0., 1., 2.\n" STATIC(
                      "*CLOAD, AMPLITUDE=A, TIME DELAY=.25\n5, 3, 1.\n*CLOAD, AMPLITUDE=A\n6, 3, 1.\n"),
                  &problem);
    assert_int_equal(problem->n_amplitudes, 2);
    for (int i = 0; i < 2; i++) {
        const sw_structure_value *force = &problem->step[0].force[i];
        const double(*row)[2] = (const double(*)[2])problem->amplitude[force->amplitude].row;
        const double late = force->unknown == 3 * 4 + 2 ? 0.25 : 0;
        CHECK_CLOSE(row[0][0], late, 0);
        CHECK_CLOSE(row[1][0], 1 + late, 0);
        CHECK_CLOSE(row[1][1], 2, 0);
    }
    sw_deck_free(deck);
}

/* Closed forms of Abaqus' manual. */
static void amplitudes_have_their_forms(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(
        BODY "*AMPLITUDE, NAME=S, DEFINITION=SMOOTH STEP\n1., 2., 3., 6.\n"
             "*AMPLITUDE, NAME=E, DEFINITION=EQUALLY SPACED, FIXED INTERVAL=.5, BEGIN=1.\n1., 2., 4.,\n8.\n"
             "*AMPLITUDE, NAME=P, DEFINITION=PERIODIC, SHIFTX=.25\n2, 3., .25, 7.\n1., 2., 4., 5.\n" STATIC(
                 "*CLOAD, AMPLITUDE=P, TIME DELAY=1.\n5, 3, 1.\n"),
        &problem);
    const double x = .25, w = 3 * .5;
    const sw_structure_amplitude *a = problem->amplitude;
    assert_int_equal(problem->n_amplitudes, 4);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[0], .5), 2, 0);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[0], 1.5), 2 + 4 * x * x * x * (10 - 15 * x + 6 * x * x), 1e-14);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[0], 2), 4, 1e-14);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[0], 9), 6, 0);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[1], .2), 1, 0);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[1], 1.75), 3, 1e-14);
    CHECK_CLOSE(sw_structure_amplitude_at(&a[1], 3), 8, 0);
    for (int k = 2; k < 4; k++) {
        const double t0 = .5 + (k == 3); /* with SHIFTX; that of the load is later */
        CHECK_CLOSE(sw_structure_amplitude_at(&a[k], t0 - .1), 7, 0);
        CHECK_CLOSE(sw_structure_amplitude_at(&a[k], t0 + .5),
                    7 + cos(w) + 2 * sin(w) + 4 * cos(2 * w) + 5 * sin(2 * w), 1e-13);
    }
    sw_deck_free(deck);
}

static void temperatures_are_linear_between_planes(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY STATIC("*TEMPERATURE, LINTEMP\n0., 0., 1., -1., 10., 1., 30.\n"), &problem);
    assert_int_equal(problem->step[0].n_temperatures, 8);
    for (int i = 0; i < 8; i++) {
        const sw_structure_temperature *t = &problem->step[0].temperature[i];
        CHECK_CLOSE(t->to, problem->position[t->node][2] > 0 ? 30 : 20, 1e-12);
    }
    sw_deck_free(deck);
}

/* A finer mesh is not made; controls of hourglass modes say nothing where there are none. */
static void what_changes_no_problem_is_passed_over(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(
        CUBE STEEL
        "*PLASTIC, EXTRAPOLATION=CONSTANT\n200., 0.\n*SECTION CONTROLS, NAME=C, HOURGLASS=ENHANCED\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, CONTROLS=C\n" HELD
        "*STEP, EXTRAPOLATION=NO, CONVERT SDI=YES\n*STATIC\n*CLOAD, REGION TYPE=LAGRANGIAN\n5, 3, 1.\n"
        "*REFINE MESH, LIMIT=50.\nS\n*END STEP\n",
        &problem);
    assert_int_equal(problem->n_elements, 1);
    sw_deck_free(deck);
}

/* What RESTART, READ is refused with: another deck has the model, and steps before. */
static void steps_of_an_included_deck_come_first(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    write_deck("first.inp", BODY STATIC("*RESTART, WRITE\n*CLOAD\n5, 3, 4.\n") STATIC("*CLOAD\n6, 3, 1.\n"));
    sw_deck *deck = read_deck("*INCLUDE, INPUT=first.inp\n*AMPLITUDE, NAME=A\n0., 0., 1., 1.\n" STATIC(
                                  "*CLOAD, AMPLITUDE=A\n5, 3, 8.\n"),
                              &problem);
    unlink("first.inp");
    assert_int_equal(problem->n_steps, 3);
    assert_int_equal(problem->step[0].n_forces, 1);
    CHECK_CLOSE(problem->step[0].force[0].to, 4, 0);
    assert_int_equal(problem->step[2].n_forces, 2); /* of before and of now */
    sw_deck_free(deck);
}

static void steps_say_how_they_go(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(
        BODY "*STEP, NLGEOM, INC=7, AMPLITUDE=STEP\n*VISCO, CETOL=1e-3, DIRECT\n.1, 2., 1e-4, .5\n"
             "*NODE PRINT, NSET=ALL, TOTALS=YES\nU, RF\n*EL PRINT, ELSET=E\nS, ELKE\n"
             "*NODE FILE, FREQUENCY=3\nU\n*END STEP\n" STATIC("") STATIC("*NODE PRINT, NSET=ALL\nU\n"),
        &problem);
    const sw_structure_step *step = problem->step;
    assert_true(step->finite && step->visco && step->direct && step->at_once);
    assert_int_equal(step->most_increments, 7);
    CHECK_CLOSE(step->first, 0.1, 0);
    CHECK_CLOSE(step->duration, 2, 0);
    CHECK_CLOSE(step->least, 1e-4, 0);
    CHECK_CLOSE(step->most, 0.5, 0);
    assert_int_equal(step->every, 3);
    assert_int_equal(step->n_prints, 3); /* of quantities that are known */
    assert_int_equal(step->print[1].what, SW_STRUCTURE_RF);
    assert_int_equal(step->print[1].totals, 1);
    assert_int_equal(step->print[1].n, 8);
    assert_true(step[1].finite && !step[1].visco); /* NLGEOM stays */
    assert_int_equal(step[1].n_prints, 3);
    assert_int_equal(step[2].n_prints, 1);
    CHECK_CLOSE(step[1].duration, 1, 0);
    CHECK_CLOSE(step[1].first, 0, 0);
    sw_deck_free(deck);
}

static void dialects_are_told_by_what_only_one_program_has(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
        sw_deck_dialect dialect;
    } dialects[] = {{"*NODE\n*EL FILE\nS\n", "EL FILE", SW_DECK_CALCULIX},
                    {"*HEADING\n*PART, NAME=A\n*NODE PRINT\n", "PART", SW_DECK_ABAQUS},
                    {"*NODE\n*OUTPUT, FIELD\n", "OUTPUT", SW_DECK_ABAQUS},
                    {"*NODE\n", NULL, SW_DECK_CALCULIX}};
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++) {
        const char *why;
        sw_deck_cards cards;
        write_deck(deck_path, dialects[i].text);
        assert_int_equal(sw_deck_cards_read(deck_path, &cards), SW_OK);
        unlink(deck_path);
        assert_int_equal(sw_deck_guess_dialect(&cards, &why), dialects[i].dialect);
        if (dialects[i].why == NULL)
            assert_null(why);
        else
            assert_string_equal(why, dialects[i].why);
        sw_deck_cards_free(&cards);
    }
}

static void keep_message(void *to, sw_notice notice, const char *text)
{
    (void)notice;
    snprintf(to, 400, "%s", text);
}

/* What there is no table of is said, and the rest is there. */
static void what_is_not_printed_is_told(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    char told[400] = "";
    sw_listen(keep_message, told);
    sw_deck *deck = read_deck(BODY STATIC("*NODE PRINT, NSET=ALL\nU, UU\n"), &problem);
    sw_listen(NULL, NULL);
    assert_int_equal(problem->step[0].n_prints, 1);
    assert_non_null(strstr(told, "*NODE PRINT: UU is not printed"));
    sw_deck_free(deck);
}

/* CalculiX 2.20 loads node 5 three times, and of R node 5 alone. */
static void what_sets_say_differently_is_told(void **state)
{
    (void)state;
    static const char *const texts[] = {"*NSET, NSET=Q\n5, 5, 5, 6\n", "*NSET, NSET=Q\n5\n*NSET, NSET=Q\n5\n",
                                        "*NSET, NSET=A\n5\n*NSET, NSET=Q\nA\n*NSET, NSET=A\n6\n",
                                        "*NSET, NSET=Q\n5, 6\n*NSET, NSET=Q\n7\n"};
    static const char *const says[] = {"has nodes more than once", "has nodes more than once",
                                       "CalculiX takes as it was here", ""};
    for (int k = 0; k < 4; k++) {
        const sw_structure_problem *problem;
        char told[400] = "", text[1000];
        snprintf(text, sizeof text, BODY "%s" STATIC("*CLOAD\nQ, 3, 1.\n"), texts[k]);
        sw_listen(keep_message, told);
        sw_deck *deck = read_deck(text, &problem);
        sw_listen(NULL, NULL);
        if (strstr(told, says[k]) == NULL || (*says[k] == '\0') != (*told == '\0'))
            fail_msg("case %d: %s", k, told);
        CHECK_CLOSE(FORCE(0, FIVE_Z)->to, 1, 0);
        sw_deck_free(deck);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_printed_is_told),
        cmocka_unit_test(dialects_are_told_by_what_only_one_program_has),
        cmocka_unit_test(forces_live_from_step_to_step),
        cmocka_unit_test(amplitudes_in_total_time_go_on),
        cmocka_unit_test(creep_begins_with_its_loads),
        cmocka_unit_test(supports_live_from_step_to_step),
        cmocka_unit_test(loads_of_a_face_replace_those_of_steps_before),
        cmocka_unit_test(loads_in_other_directions_act_beside_those_before),
        cmocka_unit_test(fields_are_written_as_often_as_told),
        cmocka_unit_test(directions_are_the_same_whatever_the_sign_of_0),
        cmocka_unit_test(rubber_is_at_finite_strains),
        cmocka_unit_test(masses_are_pulled_where_they_are),
        cmocka_unit_test(temperatures_go_back_to_the_first_ones),
        cmocka_unit_test(amplitudes_are_delayed_for_a_load_alone),
        cmocka_unit_test(amplitudes_have_their_forms),
        cmocka_unit_test(what_sets_say_differently_is_told),
        cmocka_unit_test(temperatures_are_linear_between_planes),
        cmocka_unit_test(what_changes_no_problem_is_passed_over),
        cmocka_unit_test(steps_of_an_included_deck_come_first),
        cmocka_unit_test(steps_say_how_they_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
