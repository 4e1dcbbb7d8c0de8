/* Increments of a step: how long they may be. */
#include "tests/online/fem/deck/decks.h"

#include <math.h>
#include <string.h>

/* A bar of 1, free across; its end is loaded by a quarter of the force at each of four nodes. */
#define BAR                                                                                                  \
    "*NODE,NSET=ALL\n1\n2,1\n3,1,1\n4,0,1\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,ELSET=E\n" \
    "1,1,2,3,4,5,6,7,8\n*NSET,NSET=LOW\n1,4,5,8\n*NSET,NSET=TOP\n2,3,6,7\n*SOLID "                           \
    "SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nLOW,1\n1,2,3\n2,2,3\n4,3\n3,3\n5,2\n6,2\n"                       \
    "*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n"

/* Where the end of the bar is after the only step. */
static sw_status pull_as(const char *text, int dialect, double *end)
{
    double u[16][3]; /* CPS and the like add none */
    const sw_structure_problem *problem;
    const sw_structure_options options = {.quiet = 0};
    sw_structure *structure;
    sw_deck *deck = NULL;
    if (try_deck(text, dialect, &deck, &problem) != SW_OK)
        fail_msg("%s", sw_error_message());
    assert_in_range(problem->n_nodes, 1, 16);
    CHECK_OK(sw_structure_open(problem, &options, &structure));
    const sw_status status = sw_structure_advance(structure, 0);
    sw_structure_read(structure, u, NULL);
    *end = u[1][0];
    sw_structure_close(structure);
    sw_deck_free(deck);
    return status;
}

static sw_status pull(const char *text, double *end) { return pull_as(text, SW_DECK_CALCULIX, end); }

#define CREEPS(law, how, cetol) \
    BAR law "*STEP,INC=60,AMPLITUDE=" how "\n*VISCO" cetol "\n.01,10.,.001\n*CLOAD\nTOP,1,25.\n*END STEP\n"

/* 0 to 100 in 10: elastic 5e-4, creep A 100^4 10 / 5 = 2e-4. An increment's creep by its last stress is off by less than CETOL, what
 * it would be by its first; there are at most 60. CalculiX 2.20 with 1e-6: 7.092e-4 after 49 increments, here after 41. */
static void creep_keeps_to_its_tolerance(void **state)
{
    static const char *const law[] = {
        "*CREEP,LAW=NORTON\n1e-12,4.,0.\n",
        /* yields at next to nothing: what exceeds that makes creep, of both strains */
        "*PLASTIC\n1e-3,0.\n1e-3,1.\n*CREEP,LAW=NORTON\n1e-12,4.,0.\n"};
    double end;
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[2000];
        snprintf(text, sizeof text, CREEPS("%s", "RAMP", ",CETOL=1e-6"), law[k]);
        CHECK_OK(pull(text, &end));
        CHECK_CLOSE(end, 7e-4, 60e-6);
        assert_true(end > 7e-4);
    }
    CHECK_OK(pull(CREEPS("*CREEP,LAW=NORTON\n1e-12,4.,0.\n", "RAMP", ",CETOL=1e-2"), &end));
    assert_true(end > 7.6e-4);
}

static void tolerances_that_cannot_be_kept_are_named(void **state)
{
    double end;
    (void)state;
    assert_int_equal(pull(CREEPS("*CREEP,LAW=NORTON\n1e-12,4.,0.\n", "STEP", ",CETOL=1e-12"), &end),
                     SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "element 1"));
    assert_non_null(strstr(sw_error_message(), "need at most CETOL = 1e-12"));
}

/* 100 of 200 000, whatever yields at 50: the tangent of the undeformed body. */
static void perturbations_are_linear(void **state)
{
    static const char *const law[] = {"*PLASTIC\n50.,0.\n60.,.1\n", "*CREEP,LAW=NORTON\n1e-9,4.,0.\n",
                                      "*PLASTIC\n50.,0.\n60.,.1\n*RATE DEPENDENT\n40.,5.\n", ""};
    (void)state;
    for (int k = 0; k < 4; k++) {
        double end;
        char text[2000];
        snprintf(text, sizeof text, BAR "%s*STEP,PERTURBATION\n*STATIC\n*CLOAD\nTOP,1,25.\n*END STEP\n",
                 law[k]);
        CHECK_OK(pull(text, &end));
        CHECK_CLOSE(end, 5e-4, 1e-12);
    }
}

static void count_notices(void *to, sw_notice notice, const char *text)
{
    (void)notice;
    ((int *)to)[0] += strstr(text, "step 1 of 1: time") != NULL;
    ((int *)to)[1] += strstr(text, "goes over an amplitude's turn at 0.5, where it is 1") != NULL;
}

/* Abaqus makes a linear step's increments, CalculiX 2.20 one; what lies within one is told. */
static void linear_steps_have_increments(void **state)
{
    static const struct {
        const char *times;
        int dialect, increments, told;
    } of[] = {{"*STATIC,DIRECT\n.25,1.\n", SW_DECK_ABAQUS, 4, 0},
              {"*STATIC\n.25,1.,1e-5,.25\n", SW_DECK_ABAQUS, 4, 0},
              {"*STATIC,DIRECT\n.25,1.\n", SW_DECK_CALCULIX, 1, 1},
              {"*STATIC\n", SW_DECK_ABAQUS, 1, 1},
              {"*STATIC,DIRECT\n.2,1.\n", SW_DECK_ABAQUS, 5, 1}};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        double end;
        char text[2000];
        int seen[2] = {0, 0};
        snprintf(text, sizeof text,
                 "*AMPLITUDE,NAME=A\n0.,0.,.5,1.,1.,.25\n" BAR
                 "*STEP\n%s*CLOAD,AMPLITUDE=A\nTOP,1,25.\n*END STEP\n",
                 of[k].times);
        sw_listen(count_notices, seen);
        CHECK_OK(pull_as(text, of[k].dialect, &end));
        sw_listen(NULL, NULL);
        CHECK_CLOSE(end, 1.25e-4, 1e-12);
        assert_int_equal(seen[0], of[k].increments);
        assert_int_equal(seen[1], of[k].told);
    }
}

static void count_cetol(void *to, sw_notice notice, const char *text)
{
    (void)notice;
    *(int *)to += strstr(text, "CETOL = 0.001 bounds no increments beside DIRECT") != NULL;
}

static void a_tolerance_that_bounds_nothing_is_told(void **state)
{
    double end;
    int told = 0;
    (void)state;
    sw_listen(count_cetol, &told);
    assert_int_equal(pull(CREEPS("*CREEP,LAW=NORTON\n1e-12,4.,0.\n", "RAMP", ",DIRECT,CETOL=1e-3"), &end),
                     SW_ERR_CONVERGENCE); /* 60 increments of 0.01 are not 10 */
    sw_listen(NULL, NULL);
    assert_int_equal(told, 1);
}

#define SHEET                                                                     \
    "*NODE\n1\n2,1\n3,1,1\n4,0,1\n*ELEMENT,TYPE=CPS4,ELSET=E\n1,1,2,3,4\n*SOLID " \
    "SECTION,ELSET=E,MATERIAL=M\n"                                                \
    "*BOUNDARY\n1,1,3\n2,2,3\n4,1\n*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n*DENSITY\n1.\n*STEP\n*STATIC\n"

static void loads_across_a_plane_body_are_refused(void **state)
{
    static const char *const lines[] = {"*CLOAD\n3,3,5.\n", "*BOUNDARY\n3,3,3,.1\n",
                                        "*CLOAD\n3,2,5.\n*BOUNDARY\n3,3\n"};
    static const char *const says[] = {"node 3: a force of 5 along 3",
                                       "node 3: a displacement of 0.1 along 3", NULL};
    double end;
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[2000];
        snprintf(text, sizeof text, SHEET "%s*END STEP\n", lines[k]);
        assert_int_equal(pull(text, &end), says[k] == NULL ? SW_OK : SW_ERR_INPUT);
        if (says[k] != NULL)
            assert_non_null(strstr(sw_error_message(), says[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creep_keeps_to_its_tolerance),
        cmocka_unit_test(perturbations_are_linear),
        cmocka_unit_test(linear_steps_have_increments),
        cmocka_unit_test(a_tolerance_that_bounds_nothing_is_told),
        cmocka_unit_test(loads_across_a_plane_body_are_refused),
        cmocka_unit_test(tolerances_that_cannot_be_kept_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
