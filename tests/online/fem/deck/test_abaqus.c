/* What Abaqus' manual has otherwise than CalculiX: answers of small decks against closed forms. */
#include "online/fem/structure/fields.h"
#include "tests/online/fem/tying/solved.h"

#define PULLED(material, kind, end)                                                                   \
    CUBE "*MATERIAL, NAME=STEEL\n*ELASTIC\n1e5, 0.\n" material SECTION HELD kind "*CLOAD\n5, 3, " end \
         "\n6, 3, " end "\n7, 3, " end "\n8, 3, " end "\n*END STEP\n"

/* What holds a cube's nodes, all of which are prescribed. */
static void solve_reactions(const char *text, double force[8][3])
{
    const sw_structure_options options = {.quiet = 1};
    const sw_structure_problem *problem;
    sw_structure *structure;
    sw_deck *deck;
    CHECK_OK(try_deck(text, SW_DECK_ABAQUS, &deck, &problem));
    CHECK_OK(sw_structure_open(problem, &options, &structure));
    CHECK_OK(sw_structure_advance(structure, 0));
    sw_structure_reactions(structure, force[0]);
    sw_structure_close(structure);
    sw_deck_free(deck);
}

static double end_of(const char *text)
{
    solved s = solve_deck_as(text, SW_DECK_ABAQUS);
    const double end = displacement(&s, 7)[2];
    release(&s);
    return end;
}

/* 150 on what yields at 100 (1 + rate / 0.01), in one increment of 2 s: 0.005 / s. Creep waits for *VISCO. */
static void rates_of_yield_count_in_static_steps(void **state)
{
    (void)state;
    static const char *const rate[] = {"*RATE DEPENDENT, TYPE=POWER LAW\n.01, 1.\n",
                                       "*RATE DEPENDENT, TYPE=YIELD RATIO\n1., 0.\n101., 1.\n",
                                       "*RATE DEPENDENT, TYPE=JOHNSON COOK\n.10857362047581294, 5e-5\n"};
    for (int k = 0; k < 3; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 PULLED("*PLASTIC\n100., 0.\n%s", "*STEP\n*STATIC, DIRECT\n2., 2.\n", "37.5"), rate[k]);
        /* Newton's 1e-6 of forces is 1.5e-6 of the rate */
        CHECK_CLOSE(end_of(text), 150 / 1e5 + 0.01, 1e-7);
    }
    CHECK_CLOSE(
        end_of(PULLED("*CREEP, LAW=TIME\n1e-4, 1., 0.\n", "*STEP\n*STATIC, DIRECT\n2., 2.\n", "37.5")),
        150 / 1e5, 1e-12);
}

/* A cube turned by 90 degrees about x and drawn to 1.5 along x: what holds its nodes is less what pulls them. */
#define TURNED                                                                                               \
    CUBE "*SURFACE, NAME=S\nE, S2\n" STEEL SECTION "*STEP, NLGEOM\n*STATIC, DIRECT\n1., 1.\n*BOUNDARY\n"     \
         "1, 1, 3, 0.\n2, 1, 1, .5\n2, 2, 3, 0.\n3, 1, 1, .5\n3, 2, 2, -1.\n3, 3, 3, 1.\n4, 1, 1, 0.\n4, "   \
         "2, 2, -1.\n"                                                                                       \
         "4, 3, 3, 1.\n5, 1, 1, 0.\n5, 2, 3, -1.\n6, 1, 1, .5\n6, 2, 3, -1.\n7, 1, 1, .5\n7, 2, 2, -2.\n7, " \
         "3, 3, 0.\n"                                                                                        \
         "8, 1, 1, 0.\n8, 2, 2, -2.\n8, 3, 3, 0.\n"

static void vectors_turn_with_their_surface(void **state)
{
    (void)state;
    static const struct {
        const char *card;
        double sum[3];
    } cases[] = {{"*DSLOAD\nS, P, -10.\n", {0, -15, 0}},
                 {"*DSLOAD\nS, TRVEC, 10., 0., 0., 1.\n", {0, -15, 0}},
                 {"*DSLOAD\nS, TRVEC, 10., 1., 0., 0.\n", {15, 0, 0}},
                 {"*DSLOAD\nS, TRVEC, 10., 0., 1., 0.\n", {0, 0, 15}},
                 {"*DSLOAD, CONSTANT RESULTANT=YES\nS, TRVEC, 10., 0., 0., 1.\n", {0, -10, 0}},
                 {"*DSLOAD, FOLLOWER=NO\nS, TRVEC, 10., 0., 0., 1.\n", {0, 0, 15}},
                 {"*DSLOAD, FOLLOWER=NO, CONSTANT RESULTANT=YES\nS, TRVEC, 10., 0., 0., 1.\n", {0, 0, 10}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double without[8][3], with[8][3];
        char text[3000];
        solve_reactions(TURNED "*END STEP\n", without);
        snprintf(text, sizeof text, "%s%s*END STEP\n", TURNED, cases[k].card);
        solve_reactions(text, with);
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int n = 0; n < 8; n++)
                sum += without[n][i] - with[n][i];
            CHECK_CLOSE(sum, cases[k].sum[i], 1e-9); /* of stresses of 1e5 */
        }
    }
}

/* A free cube of E = 1000, nu = 0.25, with a first stress of -10 along an axis: of space, or direction 1 of its material, y. */
#define FREE(orientation, more)                                                                        \
    CUBE "*MATERIAL, NAME=SOFT\n*ELASTIC\n1000., .25\n*ORIENTATION, NAME=O\n0., 1., 0., -1., 0., 0.\n" \
         "*SOLID SECTION, ELSET=E, MATERIAL=SOFT" orientation                                          \
         "\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 1\n4, 3\n5, 1, 2\n6, 2\n8, 1\n" more STATIC("")

static void first_stresses_are_of_sets_along_their_axes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double corner[3];
    } cases[] = {
        {FREE("", "*INITIAL CONDITIONS, TYPE=STRESS\nE, -10.\n"), {.01, -.0025, -.0025}},
        {FREE("", "*INITIAL CONDITIONS, TYPE=STRESS\n1, 0., 0., -10., 0., 0., 0.\n"), {-.0025, -.0025, .01}},
        {FREE(", ORIENTATION=O", "*INITIAL CONDITIONS, TYPE=STRESS\nE, -10.\n"), {-.0025, .01, -.0025}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        solved s = solve_deck_as(cases[k].text, SW_DECK_ABAQUS);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(displacement(&s, 7)[i], cases[k].corner[i], 1e-12);
        release(&s);
    }
}

static void first_states_are_as_many_as_there_are(void **state)
{
    (void)state;
#define USER                                                                                         \
    CUBE "*MATERIAL, NAME=U\n*USER MATERIAL, CONSTANTS=1\n1.\n*DEPVAR\n3\n*SOLID SECTION, ELSET=E, " \
         "MATERIAL=U\n"
    static const char *const decks[][2] = {
        {USER "*INITIAL CONDITIONS, TYPE=SOLUTION\nE, 1., 2., 3., 4.\n" STATIC(""),
         "more than the 3 state variables"},
        {BODY "*INITIAL CONDITIONS, TYPE=SOLUTION\nE, 1.\n" STATIC(""), "its material has 0 state variables"},
        {BODY "*INITIAL CONDITIONS, TYPE=STRESS\nE, 1., 2., 3., 4., 5., 6., 7.\n" STATIC(""),
         "'1.' in field 2: need a whole number"}}; /* so many are an element, a point and stresses */
    for (size_t k = 0; k < sizeof decks / sizeof *decks; k++) {
        const sw_structure_problem *problem;
        sw_deck *deck;
        assert_int_equal(try_deck(decks[k][0], SW_DECK_ABAQUS, &deck, &problem), SW_ERR_INPUT);
        assert_message_has(decks[k][1]);
    }
}

/* Whatever the magnitude of the line is. */
static void absolute_amplitudes_are_the_magnitude(void **state)
{
    (void)state;
    solved s = solve_deck_as(
        "*AMPLITUDE, NAME=A, VALUE=ABSOLUTE\n0., 0., 1., .02\n" FREE(
            "", "") "*STEP\n*STATIC\n*BOUNDARY, AMPLITUDE=A\n7, 1, 1, 5.\n2, 1, 1, 5.\n3, 1, 1, 5.\n"
                    "6, 1, 1, 0.\n*END STEP\n",
        SW_DECK_ABAQUS);
    CHECK_CLOSE(displacement(&s, 7)[0], .02, 1e-15);
    CHECK_CLOSE(displacement(&s, 6)[0], .02, 1e-15);
    CHECK_CLOSE(displacement(&s, 7)[1], -.005, 1e-12);
    release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_of_yield_count_in_static_steps),
                                       cmocka_unit_test(vectors_turn_with_their_surface),
                                       cmocka_unit_test(first_stresses_are_of_sets_along_their_axes),
                                       cmocka_unit_test(first_states_are_as_many_as_there_are),
                                       cmocka_unit_test(absolute_amplitudes_are_the_magnitude)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
