/* Pre-tension sections: bars whose answer is known. */
#include "solved.h"

#include <string.h>

/* A bar of two cubes along x, 1000 stiff, held at both ends and free across; 99 is the section's node. */
#define NODES                                                                                         \
    "*NODE, NSET=ALL\n1\n2, 1\n3, 2\n4, 0, 1\n5, 1, 1\n6, 2, 1\n7, 0, 0, 1\n8, 1, 0, 1\n9, 2, 0, 1\n" \
    "10, 0, 1, 1\n11, 1, 1, 1\n12, 2, 1, 1\n"                                                         \
    "*NODE\n99\n"
#define BAR                                                                                                 \
    NODES "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 5, 4, 7, 8, 11, 10\n2, 2, 3, 6, 5, 8, 9, 12, 11\n"        \
          "*MATERIAL, NAME=M\n*ELASTIC\n1000., 0.\n*EXPANSION\n1e-3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n" \
          "*BOUNDARY\n1, 1, 3\n4, 1\n7, 1\n10, 1\n4, 3\n3, 1, 3\n6, 1\n9, 1\n12, 1\n6, 3\n"                 \
          "*SURFACE, NAME=CUT\n1, S4\n"
#define SECTION_ALONG(x) "*PRE-TENSION SECTION, SURFACE=CUT, NODE=99\n" x

static void expect(double value, double wanted)
{
    if (!(fabs(value - wanted) <= 1e-9 * (fabs(wanted) + 1e-3)))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/* Faces' elements get new nodes, the deck's own stay with what is beyond. */
static void check_bar(const char *deck, double along, double far, double shift)
{
    solved s = solve_deck(deck);
    expect(displacement(&s, 5)[0], far);
    expect(displacement(&s, 8)[0], far);
    expect(displacement(&s, 99)[0], shift);
    int copies = 0;
    for (int64_t i = 0; i < s.problem->n_nodes; i++)
        if (s.problem->node_label[i] == 0 && s.problem->position[i][0] == 1) {
            copies++;
            expect(s.u[i][0], far + along * shift);
            expect(s.u[i][1], displacement(&s, s.problem->position[i][1] == 1 ? 5 : 2)[1]);
        }
    assert_int_equal(copies, 4);
    release(&s);
}

static void a_force_stretches_both_sides(void **state)
{
    (void)state;
    check_bar(BAR SECTION_ALONG("1., 0., 0.\n") STATIC("*CLOAD\n99, 1, 10.\n"), 1, -0.01, 0.02);
    check_bar(BAR SECTION_ALONG("-3., 0., 0.\n") STATIC("*CLOAD\n99, 1, -10.\n"), -1, -0.01, -0.02);
}

static void without_a_direction_it_is_the_normal_of_the_faces(void **state)
{
    (void)state;
    check_bar(BAR SECTION_ALONG("") STATIC("*CLOAD\n99, 1, 10.\n"), 1, -0.01, 0.02);
}

static void a_shift_is_shared(void **state)
{
    (void)state;
    check_bar(BAR SECTION_ALONG("") STATIC("*BOUNDARY\n99, 1, 1, 0.1\n"), 1, -0.05, 0.1);
}

/* Copies are as warm as their nodes. */
static void a_cut_that_nothing_holds_closes_with_heat(void **state)
{
    (void)state;
    check_bar(BAR SECTION_ALONG("") "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n" STATIC(
                  "*TEMPERATURE\nALL, 30.\n"),
              1, -0.01, 0.02);
}

static void a_beam_pulls_its_ends_together(void **state)
{
    (void)state;
    solved s = solve_deck("*NODE\n1\n2, 0, 3\n99\n*ELEMENT, TYPE=B31, ELSET=B\n1, 1, 2\n"
                          "*ELEMENT, TYPE=SPRING1, ELSET=S\n2, 1\n3, 2\n*SPRING, ELSET=S\n2\n1000.\n"
                          "*PRE-TENSION SECTION, ELEMENT=B, NODE=99\n" STATIC("*CLOAD\n99, 1, 10.\n"));
    expect(displacement(&s, 1)[1], 0.01);
    expect(displacement(&s, 2)[1], -0.01);
    expect(displacement(&s, 99)[0], 0.02);
    release(&s);
}

static void faults_are_told_with_their_line(void **state)
{
    static const refusal faults[] = {
        {BAR "*PRE-TENSION SECTION, NODE=99\n" STATIC(""),
         "*PRE-TENSION SECTION: need either SURFACE or ELEMENT"},
        {BAR "*PRE-TENSION SECTION, ELEMENT=1, NODE=99\n" STATIC(""), "element 1 is of type C3D8: need B31"},
        {BAR "*PRE-TENSION SECTION, SURFACE=NONE, NODE=99\n" STATIC(""), "there is no surface 'NONE'"},
        {BAR SECTION_ALONG("0., 0., 0.\n") STATIC(""), "needs a direction in fields 1 to 3"},
    };
    (void)state;
    REFUSE_DECKS(faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(a_force_stretches_both_sides),
        cmocka_unit_test(without_a_direction_it_is_the_normal_of_the_faces),
        cmocka_unit_test(a_shift_is_shared),
        cmocka_unit_test(a_cut_that_nothing_holds_closes_with_heat),
        cmocka_unit_test(a_beam_pulls_its_ends_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
