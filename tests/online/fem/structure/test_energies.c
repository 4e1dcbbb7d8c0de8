/* What stresses, springs and loads have done: closed forms, and the balance of all of it. */
#include "tests/online/fem/deck/decks.h"

#include <math.h>

typedef double energies[SW_STRUCTURE_ENERGIES];

static void run_deck(const char *text, int dialect, energies e)
{
    const sw_structure_problem *problem;
    const sw_structure_options options = {.quiet = 1};
    sw_structure *structure;
    sw_deck *deck = NULL;
    if (try_deck(text, dialect, &deck, &problem) != SW_OK)
        fail_msg("%s", sw_error_message());
    CHECK_OK(sw_structure_open(problem, &options, &structure));
    for (int k = 0; k < problem->n_steps; k++)
        CHECK_OK(sw_structure_advance(structure, k));
    sw_structure_read_energies(structure, e);
    sw_structure_close(structure);
    sw_deck_free(deck);
}

/* What is left of the balance, over the external work and what it is made of. */
static double imbalance(const energies e)
{
    double sum = -e[SW_STRUCTURE_EXTERNAL], size = fabs(sum);
    for (int k = 0; k < SW_STRUCTURE_EXTERNAL; k++) {
        sum += e[k];
        size = fmax(size, fabs(e[k]));
    }
    return fabs(sum) / size;
}

/* Forces are balanced to 1e-6 of them, and so is their work. */
#define BALANCED 1e-6
#define CHECK_PART(e, part, want, within) CHECK_CLOSE((e)[part], want, (within)*fabs(want))

/* A bar of 2 x 1 x 1, free across. */
#define BODY_OF_BAR                                                                                          \
    "*NODE,NSET=ALL\n1\n2,2\n3,2,1\n4,0,1\n5,0,0,1\n6,2,0,1\n7,2,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8,ELSET=E\n" \
    "1,1,2,3,4,5,6,7,8\n*NSET,NSET=LOW\n1,4,5,8\n*NSET,NSET=TOP\n2,3,6,7\n*SOLID "                           \
    "SECTION,ELSET=E,MATERIAL=M\n"
#define BAR BODY_OF_BAR "*BOUNDARY\nLOW,1\n1,2,3\n2,2,3\n4,3\n3,3\n5,2\n6,2\n"
#define STEEL_LIKE "*MATERIAL,NAME=M\n*ELASTIC\n200000.,.3\n"

static void bars_store_and_dissipate_what_closed_forms_say(void **state)
{
    energies e;
    (void)state;
    /* stress 300: strain 300 / E = .0015, energy stress strain / 2 of a volume of 2; a quarter of 300 on each of four nodes */
    run_deck(BAR STEEL_LIKE "*STEP\n*STATIC\n*CLOAD\nTOP,1,75.\n*END STEP\n", SW_DECK_CALCULIX, e);
    CHECK_PART(e, SW_STRUCTURE_ELASTIC, .45, 1e-12);
    CHECK_PART(e, SW_STRUCTURE_EXTERNAL, .45, 1e-12);
    /* Yields at 250, hardens by 2000: strain .02 is 250 / E + p + 2000 p / E. From a first increment that ends at yield on the
     * trapezoidal rule is exact: dissipation (250 + 1000 p) p. */
    const double p = (.02 - 250 / 2e5) / (1 + 2000 / 2e5), stress = 250 + 2000 * p;
    run_deck(BAR STEEL_LIKE "*PLASTIC\n250.,0.\n450.,.1\n"
                            "*STEP\n*STATIC\n*BOUNDARY\nTOP,1,1,.0025\n*END STEP\n"
                            "*STEP\n*STATIC,DIRECT\n.25,1.\n*BOUNDARY\nTOP,1,1,.04\n*END STEP\n",
             SW_DECK_CALCULIX, e);
    CHECK_PART(e, SW_STRUCTURE_ELASTIC, 2 * .5 * stress * stress / 2e5, 1e-6);
    CHECK_PART(e, SW_STRUCTURE_PLASTIC, 2 * (250 + 1000 * p) * p, 1e-6);
    assert_true(imbalance(e) < BALANCED);
}

/* 60 N/mm2 for 10: creep strain 1e-12 60^5 10 = 7.776e-3, of a volume of 2. */
static void what_creeps_dissipates(void **state)
{
    energies e;
    static const char text[] =
        BAR STEEL_LIKE "*CREEP,LAW=NORTON\n1e-12,5.,0.\n*STEP\n*STATIC\n*CLOAD\nTOP,1,15.\n*END STEP\n"
                       "*STEP,INC=1000\n*VISCO\n1.,10.\n*END STEP\n";
    (void)state;
    for (int dialect = 0; dialect < 2; dialect++) {
        run_deck(text, dialect == 0 ? SW_DECK_ABAQUS : SW_DECK_CALCULIX, e);
        CHECK_PART(e, SW_STRUCTURE_CREEP, 2 * 60 * 7.776e-3, 1e-5); /* forces 1e-6, to the fifth */
        CHECK_CLOSE(e[SW_STRUCTURE_PLASTIC], 0, 0);
        CHECK_PART(e, SW_STRUCTURE_ELASTIC, 2 * .5 * 60 * 60 / 2e5, 1e-5);
        assert_true(imbalance(e) < BALANCED);
    }
}

/* Held lengthwise and warmed by 50: stress -E 1e-5 50 = -100, stored 100^2 / 2 E of 2, taken from the thermal strain. Then it is
 * let go, and the wall gets what it had stored. */
static void heat_works_against_what_holds(void **state)
{
    energies e;
    (void)state;
#define WARMED(laws)                                                                                        \
    BAR STEEL_LIKE laws "*EXPANSION\n1e-5\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,20.\n*STEP\n*STATIC\n" \
                        "*BOUNDARY\nTOP,1\n*TEMPERATURE\nALL,70.\n*END STEP\n"
    static const char *const laws[] = {WARMED(""), WARMED("*PLASTIC\n250.,0.\n450.,.1\n")};
    for (int k = 0; k < 2; k++) {
        run_deck(laws[k], SW_DECK_CALCULIX, e);
        CHECK_PART(e, SW_STRUCTURE_ELASTIC, .05, 1e-9);
        CHECK_PART(e, SW_STRUCTURE_HEAT, -.05, 1e-9);
        CHECK_CLOSE(e[SW_STRUCTURE_EXTERNAL], 0, 1e-12);
    }
    run_deck(WARMED("") "*STEP\n*STATIC\n*BOUNDARY\nTOP,1,1,.001\n*END STEP\n", SW_DECK_CALCULIX, e);
    CHECK_CLOSE(e[SW_STRUCTURE_ELASTIC], 0, 1e-12);
    CHECK_PART(e, SW_STRUCTURE_EXTERNAL, -.05, 1e-9); /* half of 100 by .001 */
}

#define HOURGLASS(more)                                                                              \
    "*NODE,NSET=ALL\n1\n2,1\n3,1,1\n4,0,1\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n*ELEMENT,TYPE=C3D8R," \
    "ELSET=E\n1,1,2,3,4,5,6,7,8\n*SOLID SECTION,ELSET=E,MATERIAL=M\n" STEEL_LIKE more

#define PATTERN                                                                                   \
    "*BOUNDARY\nALL,2,3\n*STEP\n*STATIC\n*BOUNDARY\n1,1,1,.01\n3,1,1,.01\n5,1,1,.01\n7,1,1,.01\n" \
    "2,1,1,-.01\n4,1,1,-.01\n6,1,1,-.01\n8,1,1,-.01\n*END STEP\n"
/* Twice that, and along x. */
#define ALONG                                                                                \
    "*STEP\n*STATIC,DIRECT\n.25,1.\n*BOUNDARY\n1,1,1,.02\n3,1,1,.03\n5,1,1,.02\n7,1,1,.03\n" \
    "2,1,1,-.01\n4,1,1,-.02\n6,1,1,-.01\n8,1,1,-.02\n*END STEP\n"

/* An hourglass mode of one point strains nothing. */
static void springs_against_hourglass_modes_store(void **state)
{
    energies e;
    (void)state;
    run_deck(HOURGLASS("") PATTERN, SW_DECK_ABAQUS, e);
    assert_true(e[SW_STRUCTURE_ARTIFICIAL] > 0);
    CHECK_CLOSE(e[SW_STRUCTURE_ELASTIC], 0, 1e-15);
    CHECK_PART(e, SW_STRUCTURE_EXTERNAL, e[SW_STRUCTURE_ARTIFICIAL], 1e-12);
}

/* Of CalculiX they are softer by a third once the element yields (K + 4 G / 3 becomes K and some): the parts of what is done
 * are the work of supports all the same, in increments of any size; what is stored is no matter of the amplitude alone. */
static void springs_that_yield_with_the_element_keep_the_balance(void **state)
{
    energies e;
    const double stiffness = 5e-4 * (.7 / .52) * 200000 * 1.5, /* nu = .3; gradients' squares */
        amplitude = 8 * .02;
    (void)state;
    run_deck(HOURGLASS("*PLASTIC\n200.,0.\n210.,.1\n") PATTERN ALONG, SW_DECK_CALCULIX, e);
    assert_true(imbalance(e) < BALANCED);
    assert_true(e[SW_STRUCTURE_PLASTIC] > 0);
    assert_true(e[SW_STRUCTURE_ARTIFICIAL] < .95 * .5 * stiffness * amplitude * amplitude);
    run_deck(HOURGLASS("*PLASTIC\n1e6,0.\n1e7,.1\n") PATTERN ALONG, SW_DECK_CALCULIX, e);
    CHECK_PART(e, SW_STRUCTURE_ARTIFICIAL, .5 * stiffness * amplitude * amplitude, 1e-9);
}

/* SPRINGA of stiffness 100 from length 1 to root 2: k (root 2 - 1)^2 / 2, to the rule's error of 100 increments; SPRING1 of 30
 * by .5. */
static void springs_store(void **state)
{
    energies e;
    (void)state;
    run_deck(
        "*NODE\n1\n2,1\n3,5\n4,6\n*ELEMENT,TYPE=SPRINGA,ELSET=A\n1,1,2\n*ELEMENT,TYPE=SPRING1,ELSET=B\n2,3\n"
        "*ELEMENT,TYPE=T3D2,ELSET=T\n3,3,4\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*SOLID "
        "SECTION,ELSET=T,MATERIAL=M\n1.\n"
        "*SPRING,ELSET=A\n\n100.\n*SPRING,ELSET=B\n1\n30.\n*BOUNDARY\n1,1,3\n2,1\n2,3\n3,2,3\n4,2,3\n"
        "*STEP,NLGEOM,INC=1000\n*STATIC,DIRECT\n.01,1.\n*BOUNDARY\n2,2,2,1.\n3,1,1,.5\n4,1,1,.5\n*END STEP\n",
        SW_DECK_CALCULIX, e);
    const double stretch = sqrt(2) - 1, want = 50 * stretch * stretch + .5 * 30 * .25;
    CHECK_PART(e, SW_STRUCTURE_SPRINGS, want, 1e-4);
    CHECK_PART(e, SW_STRUCTURE_EXTERNAL, want, 1e-4);
    CHECK_CLOSE(e[SW_STRUCTURE_ELASTIC], 0, 1e-9);
}

/* ---- Finite strains ---- */

/* A bar of four hexahedra that is bent by a following pressure and pulled at its end, in n increments. */
static void bend(const char *material, int n, int dialect, energies e)
{
    char text[4000];
    size_t at = 0;
#define ADD(...) at += (size_t)snprintf(text + at, sizeof text - at, __VA_ARGS__)
    ADD("*NODE\n");
    for (int i = 0; i <= 4; i++)
        for (int a = 0; a < 4; a++)
            ADD("%d,%d,%d,%d\n", 4 * i + a + 1, i, a == 1 || a == 2, a / 2);
    ADD("*ELEMENT,TYPE=C3D8I,ELSET=E\n");
    for (int i = 0; i < 4; i++)
        ADD("%d,%d,%d,%d,%d,%d,%d,%d,%d\n", i + 1, 4 * i + 1, 4 * i + 5, 4 * i + 6, 4 * i + 2, 4 * i + 4,
            4 * i + 8, 4 * i + 7, 4 * i + 3);
    ADD("*NSET,NSET=LOW\n1,2,3,4\n*NSET,NSET=TOP\n17,18,19,20\n*MATERIAL,NAME=M\n%s"
        "*SOLID "
        "SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nLOW,1,3\n*STEP,NLGEOM,INC=1000\n*STATIC,DIRECT\n%.10g,1.\n"
        "*DLOAD\nE,P5,-.05\n*BOUNDARY\nTOP,1,1,.2\nTOP,2,2,-.8\n*END STEP\n",
        material, 1.0 / n);
#undef ADD
    run_deck(text, dialect, e);
}

/* The rule's error falls by four where increments are halved: of elastic laws of either measure, a rubber, and plasticity. */
static void finite_strains_balance_to_second_order(void **state)
{
    static const struct {
        const char *material;
        int dialect;
    } cases[] = {{"*ELASTIC\n200.,.3\n", SW_DECK_CALCULIX},
                 {"*ELASTIC\n200.,.3\n", SW_DECK_ABAQUS},
                 {"*HYPERELASTIC,NEO HOOKE\n30.,.01\n", SW_DECK_ABAQUS},
                 {"*ELASTIC\n200.,.3\n*PLASTIC\n2.,0.\n8.,1.\n", SW_DECK_CALCULIX},
                 {"*ELASTIC\n200.,.3\n*PLASTIC,HARDENING=KINEMATIC\n2.,0.\n8.,1.\n", SW_DECK_ABAQUS}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        energies e;
        double left[2];
        for (int half = 0; half < 2; half++) {
            bend(cases[k].material, half ? 40 : 20, cases[k].dialect, e);
            left[half] = imbalance(e);
        }
        if (!(left[1] < 1e-3 && left[1] < .35 * left[0]))
            fail_msg("case %zu: %g of 20 increments, %g of 40", k, left[0], left[1]);
        if (k > 2)
            assert_true(e[SW_STRUCTURE_PLASTIC] > .1 * e[SW_STRUCTURE_EXTERNAL]);
        else
            CHECK_CLOSE(e[SW_STRUCTURE_PLASTIC], 0, 0);
    }
}

/* A bar half as long again: true stress 250 + 2000 p by p = ln 1.5 - stress / E, over a volume that is J times its own at first,
 * J = 1 + (1 - 2 nu) stress / E; the law's own stress works on it. Terms in the square of .002, and of .005 in an increment. */
static void flow_of_long_strains_dissipates(void **state)
{
    energies e;
    (void)state;
    const double p = (log(1.5) - 250 / 2e5) / (1 + 2000 / 2e5), stress = 250 + 2000 * p;
    run_deck(BAR STEEL_LIKE
             "*PLASTIC\n250.,0.\n2250.,1.\n*STEP,NLGEOM\n*STATIC\n*BOUNDARY\nTOP,1,1,.0025\n*END STEP\n"
             "*STEP,INC=1000\n*STATIC,DIRECT\n.01,1.\n*BOUNDARY\nTOP,1,1,1.\n*END STEP\n",
             SW_DECK_CALCULIX, e);
    CHECK_PART(e, SW_STRUCTURE_PLASTIC,
               2 * ((250 + 1000 * p) * p + .4 / 2e5 * (pow(stress, 3) - pow(250, 3)) / 6000), 2e-5);
}

/* Supports that go, and elements that come and change: loads and supports have done what is stored and dissipated, where nothing
 * is taken away. A rigid body turns an end, by equations that are not linear. */
static void what_ties_does_no_work(void **state)
{
    energies e;
    (void)state;
    run_deck(BODY_OF_BAR STEEL_LIKE
             "*PLASTIC\n250.,0.\n450.,.1\n*BOUNDARY\nLOW,1,3\n*NODE\n9,2.,.5,.5\n10,2.,.5,.5\n*RIGID "
             "BODY,NSET=TOP,REF "
             "NODE=9,ROT NODE=10\n"
             "*STEP,NLGEOM,INC=1000\n*STATIC,DIRECT\n.01,1.\n*BOUNDARY\n10,1,1,.3\n9,1,1,.02\n*END STEP\n"
             "*STEP,INC=1000\n*STATIC,DIRECT\n.05,1.\n*BOUNDARY,OP=NEW\nLOW,1,3\n10,1,1,.2\n*END STEP\n",
             SW_DECK_CALCULIX, e);
    assert_true(e[SW_STRUCTURE_PLASTIC] > 10 * e[SW_STRUCTURE_ELASTIC]);
    assert_true(imbalance(e) < 1e-3); /* the rule's, of turns by 3e-3 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_store_and_dissipate_what_closed_forms_say),
        cmocka_unit_test(what_creeps_dissipates),
        cmocka_unit_test(heat_works_against_what_holds),
        cmocka_unit_test(springs_against_hourglass_modes_store),
        cmocka_unit_test(springs_that_yield_with_the_element_keep_the_balance),
        cmocka_unit_test(springs_store),
        cmocka_unit_test(finite_strains_balance_to_second_order),
        cmocka_unit_test(flow_of_long_strains_dissipates),
        cmocka_unit_test(what_ties_does_no_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
