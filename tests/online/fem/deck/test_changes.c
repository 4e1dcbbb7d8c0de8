/* What steps change of elements and materials, strains to begin with, gaps, distributions: cubes whose answer is known. */
#include "tests/online/fem/tying/solved.h"

#include <string.h>

/* A unit cube, or two in the same place, that nothing holds but three faces; pulled by 1 a corner along x. */
#define SYMMETRIC "*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 1\n4, 3\n5, 1, 2\n6, 2\n8, 1\n"
#define PULLED(f) "*CLOAD\n2, 1, " f "\n3, 1, " f "\n6, 1, " f "\n7, 1, " f "\n"
#define SOFT "*MATERIAL, NAME=SOFT\n*ELASTIC\n1000., 0.25\n"
#define HARD "*MATERIAL, NAME=HARD\n*ELASTIC\n2000., 0.25\n"
#define SOFT_CUBE CUBE SOFT "*SOLID SECTION, ELSET=E, MATERIAL=SOFT\n" SYMMETRIC
#define TWINS                                                                \
    CUBE "*ELEMENT, TYPE=C3D8, ELSET=TWIN\n2, 1, 2, 3, 4, 5, 6, 7, 8\n" SOFT \
         "*SOLID SECTION, ELSET=E, MATERIAL=SOFT\n*SOLID SECTION, ELSET=TWIN, MATERIAL=SOFT\n" SYMMETRIC

static void expect(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-8 * (fabs(wanted) + 1e-4)))
        fail_msg("%.12g is not %.12g", value, wanted);
}

static void check_corner(const char *deck, double x, double y, double z)
{
    solved s = solve_deck(deck);
    expect(displacement(&s, 7)[0], x);
    expect(displacement(&s, 7)[1], y);
    expect(displacement(&s, 7)[2], z);
    release(&s);
}

/* ---- Elements that go and come ---- */

#define REMOVED TWINS STATIC(PULLED("1.")) STATIC("*MODEL CHANGE, TYPE=ELEMENT, REMOVE\nTWIN\n")

static void what_is_removed_carries_nothing(void **state)
{
    (void)state;
    check_corner(TWINS STATIC(PULLED("1.")), 0.002, -0.0005, -0.0005);
    check_corner(REMOVED, 0.004, -0.001, -0.001);
}

static void what_returns_is_free_of_stress_or_strained(void **state)
{
    (void)state;
    check_corner(REMOVED STATIC("*MODEL CHANGE, TYPE=ELEMENT, ADD\n2\n") STATIC(PULLED("2.")), 0.006, -0.0015,
                 -0.0015);
    check_corner(REMOVED STATIC("*MODEL CHANGE, TYPE=ELEMENT, ADD=WITH STRAIN\n2\n") STATIC(PULLED("2.")),
                 0.004, -0.001, -0.001);
    check_corner(TWINS STATIC(PULLED("1.")) STATIC("*MODEL CHANGE, TYPE=ELEMENT, MECHSTRAINTORESIDUAL\n2\n")
                     STATIC(PULLED("0.")),
                 0.001, -0.00025, -0.00025);
}

/* Nodes of nothing but what is not there stay, and the rest is as if it had never been. */
static void nodes_of_what_is_removed_stay(void **state)
{
    (void)state;
    solved s = solve_deck(
        CUBE "*NODE\n9, 2\n10, 2, 1\n11, 2, 0, 1\n12, 2, 1, 1\n"
             "*ELEMENT, TYPE=C3D8, ELSET=FAR\n2, 2, 9, 10, 3, 6, 11, 12, 7\n" SOFT
             "*SOLID SECTION, ELSET=E, MATERIAL=SOFT\n*SOLID SECTION, ELSET=FAR, MATERIAL=SOFT\n" SYMMETRIC
             "*STEP, NLGEOM\n*STATIC\n*MODEL CHANGE, TYPE=ELEMENT, REMOVE\nFAR\n" PULLED("1.") "*END STEP\n");
    expect(displacement(&s, 12)[0], 0);
    const double stretch = 1 + displacement(&s, 7)[0];
    assert_true(fabs(1000 * stretch * (stretch * stretch - 1) / 2 - 4) < 1e-5); /* of Green's strain */
    release(&s);
}

/* At large strains, where laws take logarithmic ones, too: what is relaxed keeps its shape without load. */
static void what_is_relaxed_far_from_rest_keeps_its_shape(void **state)
{
    static const char *const hardening[] = {"", "*PLASTIC\n100., 0.\n700., 1.\n"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 CUBE SOFT
                 "%s*SOLID SECTION, ELSET=E, MATERIAL=SOFT\n" SYMMETRIC "*STEP, NLGEOM\n*STATIC\n" PULLED(
                     "30.") "*END STEP\n"
                            "*STEP, NLGEOM\n*STATIC\n*MODEL CHANGE, TYPE=ELEMENT, MECHSTRAINTORESIDUAL\nE\n"
                            "*CLOAD\n2, 1, 0.\n3, 1, 0.\n6, 1, 0.\n7, 1, 0.\n*END STEP\n",
                 hardening[k]);
        char *end = strstr(text, "*STEP, NLGEOM\n*STATIC\n*MODEL");
        solved relaxed = solve_deck(text);
        *end = '\0';
        solved pulled = solve_deck(text);
        assert_true(displacement(&pulled, 7)[0] > 0.1);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(displacement(&relaxed, 7)[i] - displacement(&pulled, 7)[i]) < 1e-6);
        release(&relaxed);
        release(&pulled);
    }
}

/* ---- Sections and materials ---- */

static void a_section_changes(void **state)
{
    (void)state;
    check_corner(SOFT_CUBE HARD STATIC(PULLED("1."))
                     STATIC("*CHANGE SOLID SECTION, ELSET=E, MATERIAL=HARD\n"),
                 0.002, -0.0005, -0.0005);
}

/* A body that is held yields at once when it may carry less; what it was strained elastically is then plastic. */
static void hardening_changes(void **state)
{
    (void)state;
    const char *const deck = CUBE
        "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*PLASTIC\n10., 0.\n11., 1.\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n" SYMMETRIC
        "*STEP\n*STATIC\n*BOUNDARY\n2, 1, 1, .004\n3, 1, 1, .004\n6, 1, 1, .004\n7, 1, 1, .004\n*END STEP\n"
        "*STEP\n*STATIC\n*CHANGE MATERIAL, NAME=M\n*CHANGE PLASTIC\n1., 0.\n*END STEP\n"
        "*STEP\n*STATIC\n*BOUNDARY, OP=NEW\n1, 1, 3\n2, 2, 3\n3, 3\n4, 1\n4, 3\n5, 1, 2\n6, 2\n8, 1\n*END "
        "STEP\n";
    check_corner(deck, 0.003, -0.0015, -0.0015);
}

/* ---- Strains to begin with ---- */

static const char *with_points(const char *before, const char *type, const char *values, const char *after)
{
    static char text[4000];
    int at = snprintf(text, sizeof text, "%s*INITIAL CONDITIONS, TYPE=%s\n", before, type);
    for (int q = 1; q <= 8; q++)
        at += snprintf(text + at, sizeof text - (size_t)at, "1, %d, %s\n", q, values);
    snprintf(text + at, sizeof text - (size_t)at, "%s", after);
    return text;
}

static void first_strains_are_taken_by_a_free_body(void **state)
{
    (void)state;
    check_corner(with_points(SOFT_CUBE, "PLASTIC STRAIN", "1e-3, 2e-3, -1e-3, 0., 0., 0.", STATIC("")), 1e-3,
                 2e-3, -1e-3);
    check_corner(with_points(SOFT_CUBE, "STRESS", "-10., 0., 0., 0., 0., 0.", STATIC("")), 0.01, -0.0025,
                 -0.0025);
}

/* One that has flowed by a half yields at 10.5; 10.6 makes it flow by a tenth. */
static void what_has_flowed_is_harder(void **state)
{
    (void)state;
#define FLOWED                                                                  \
    CUBE "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*PLASTIC\n10., 0.\n11., 1.\n" \
         "*SOLID SECTION, ELSET=E, MATERIAL=M\n" SYMMETRIC                      \
         "*INITIAL CONDITIONS, TYPE=HARDENING\nE, .5, 0.\n"
    check_corner(FLOWED STATIC(PULLED("2.6")), 0.0104, 0, 0);
    check_corner(FLOWED STATIC(PULLED("2.65")), 0.1106, -0.05, -0.05);
}

/* E 1000, 2000, 4000 along the material's axes, which a quarter's turn about z has along y, -x and z. */
static void first_stresses_are_of_space_whatever_the_axes(void **state)
{
    (void)state;
    check_corner(
        with_points(CUBE
                    "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ORTHO\n1000., 0., 2000., 0., 0., 4000., 500., 500.,\n"
                    "500.\n*ORIENTATION, NAME=O\n0., 1., 0., -1., 0., 0.\n"
                    "*SOLID SECTION, ELSET=E, MATERIAL=M, ORIENTATION=O\n" SYMMETRIC,
                    "STRESS", "-10., -10., -10., 0., 0., 0.", STATIC("")),
        0.005, 0.01, 0.0025);
}

static void strains_increase_in_a_step(void **state)
{
    (void)state;
    check_corner(SOFT_CUBE STATIC("")
                     STATIC("*INITIAL STRAIN INCREASE\n1, 1, .01, 0, 0, 0, 0, 0\n1, 2, .01, 0, 0, 0, 0, 0\n"
                            "1, 3, .01, 0, 0, 0, 0, 0\n1, 4, .01, 0, 0, 0, 0, 0\n1, 5, .01, 0, 0, 0, 0, 0\n"
                            "1, 6, .01, 0, 0, 0, 0, 0\n1, 7, .01, 0, 0, 0, 0, 0\n1, 8, .01, 0, 0, 0, 0, 0\n"),
                 0.01, 0, 0);
}

/* ---- Gaps ---- */

#define GAP_ON_A_SPRING(force)                                                                         \
    "*NODE\n1\n2, 1\n*ELEMENT, TYPE=GAPUNI, ELSET=G\n1, 1, 2\n*GAP, ELSET=G\n.02, , , , , 1e6, 1e-6\n" \
    "*ELEMENT, TYPE=SPRING1, ELSET=S\n2, 2\n*SPRING, ELSET=S\n1\n100.\n*BOUNDARY\n1, 1, 3\n2, 2, "     \
    "3\n" STATIC("*CLOAD\n2, 1, " force "\n")

static void a_gap_pushes_when_it_is_closed(void **state)
{
    solved s = solve_deck(GAP_ON_A_SPRING("-10."));
    (void)state;
    assert_true(fabs(displacement(&s, 2)[0] + (10 + 0.02 * 1e6) / (1e6 + 100)) < 1e-7);
    release(&s);
    s = solve_deck(GAP_ON_A_SPRING("10."));
    assert_true(fabs(displacement(&s, 2)[0] - 0.1) < 1e-7);
    release(&s);
}

/* ---- Distributions ---- */

static void axes_go_from_element_to_element(void **state)
{
    (void)state;
    solved s = solve_deck(
        CUBE "*NODE\n11, 5\n12, 6\n13, 6, 1\n14, 5, 1\n15, 5, 0, 1\n16, 6, 0, 1\n17, 6, 1, 1\n18, 5, 1, 1\n"
             "*ELEMENT, TYPE=C3D8, ELSET=E\n2, 11, 12, 13, 14, 15, 16, 17, 18\n*ELSET, ELSET=SECOND\n2\n"
             "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ORTHO\n1000., 0., 2000., 0., 0., 4000., 500., 500.,\n500.\n"
             "*ORIENTATION, NAME=O\nD\n*DISTRIBUTION, NAME=D\n, 1., 0., 0., 0., 1., 0.\nSECOND, 0., 1., 0., "
             "-1., 0., 0.\n"
             "*SOLID SECTION, ELSET=E, MATERIAL=M, ORIENTATION=O\n" SYMMETRIC
             "*BOUNDARY\n11, 1, 3\n12, 2, 3\n13, 3\n14, 1\n14, 3\n15, 1, 2\n16, 2\n18, 1\n" STATIC(
                 PULLED("1.") "*CLOAD\n12, 1, 1.\n13, 1, 1.\n16, 1, 1.\n17, 1, 1.\n"));
    expect(displacement(&s, 7)[0], 0.004);
    expect(displacement(&s, 17)[0], 0.002);
    release(&s);
}

/* Of 1 at one end and 3 at the other one element makes 2. */
static void thickness_goes_from_node_to_node(void **state)
{
    (void)state;
    solved s = solve_deck("*NODE\n1\n2, 1\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 2, 3, 4\n"
                          "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n"
                          "*SOLID SECTION, ELSET=E, MATERIAL=M, NODAL THICKNESS\n1.\n"
                          "*NODAL THICKNESS\n2, 3.\n3, 3.\n*BOUNDARY\n1, 1, 2\n4, 1\n2, 2\n" STATIC(
                              "*CLOAD\n2, 1, 1.\n3, 1, 1.\n"));
    expect(displacement(&s, 3)[0], 0.001);
    release(&s);
}

/* ---- Faults ---- */

static void faults_are_told_with_their_line(void **state)
{
    static const refusal faults[] = {
        {SOFT_CUBE STATIC("*MODEL CHANGE, TYPE=CONTACT PAIR, REMOVE\nA, B\n"),
         "*MODEL CHANGE: there is no surface 'A'"},
        {SOFT_CUBE STATIC("*MODEL CHANGE, TYPE=ELEMENT\n1\n"), "need one of REMOVE, ADD"},
        {SOFT_CUBE STATIC("*CHANGE PLASTIC\n1., 0.\n"), "follows no *CHANGE MATERIAL"},
        {SOFT_CUBE STATIC("*CHANGE SOLID SECTION, ELSET=E, MATERIAL=NONE\n"), "there is no material 'NONE'"},
        {SOFT_CUBE "*INITIAL CONDITIONS, TYPE=HARDENING\nE, -.5\n" STATIC(""),
         "a plastic strain of 0 or more"},
        {SOFT_CUBE "*INITIAL CONDITIONS, TYPE=HARDENING\nE, .5, 1.\n" STATIC(""),
         "first backstresses are not computed"},
        {SOFT_CUBE "*INITIAL CONDITIONS, TYPE=STRESS\n1, 9, 0, 0, 0, 0, 0, 0\n" STATIC(""),
         "point 9 of element 1: it has 8"},
        {SOFT_CUBE "*DISTRIBUTION, NAME=D\n, 1., 0., 0., 0., 1., 0.\n" STATIC(""),
         "not that of an orientation"},
        {CUBE "*GAP, ELSET=E\n0.\n" STATIC(""), "element 1 is of type C3D8: need GAPUNI"},
    };
    (void)state;
    REFUSE_DECKS(faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(what_is_removed_carries_nothing),
        cmocka_unit_test(what_returns_is_free_of_stress_or_strained),
        cmocka_unit_test(nodes_of_what_is_removed_stay),
        cmocka_unit_test(what_is_relaxed_far_from_rest_keeps_its_shape),
        cmocka_unit_test(a_section_changes),
        cmocka_unit_test(hardening_changes),
        cmocka_unit_test(first_strains_are_taken_by_a_free_body),
        cmocka_unit_test(what_has_flowed_is_harder),
        cmocka_unit_test(first_stresses_are_of_space_whatever_the_axes),
        cmocka_unit_test(strains_increase_in_a_step),
        cmocka_unit_test(a_gap_pushes_when_it_is_closed),
        cmocka_unit_test(axes_go_from_element_to_element),
        cmocka_unit_test(thickness_goes_from_node_to_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
