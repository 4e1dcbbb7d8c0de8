/* Cards of contact: laws, pairs, what changes them, and what is refused. */
#include "decks.h"

/* Two cubes, the upper 0.01 over the lower. */
#define CUBES                                                                                             \
    CUBE "*NODE\n11, 0, 0, 1.01\n12, 1, 0, 1.01\n13, 1, 1, 1.01\n14, 0, 1, 1.01\n15, 0, 0, 2\n16, 1, 0, " \
         "2\n17, "                                                                                        \
         "1, 1, 2\n18, 0, 1, 2\n*ELEMENT, TYPE=C3D8, ELSET=E\n2, 11, 12, 13, 14, 15, 16, 17, 18\n*NSET, " \
         "NSET=BELOW\n11, 12, 13, 14\n*SURFACE, NAME=UP\n2, S1\n*SURFACE, NAME=LOW\n1, S2\n*SURFACE, "    \
         "NAME=POINTS, "                                                                                  \
         "TYPE=NODE\nBELOW,\n" STEEL SECTION HELD
#define INTERACTION "*SURFACE INTERACTION, NAME=I\n"
#define PAIR "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, LOW\n"

static const sw_structure_problem *made_of(const char *text, int dialect, sw_deck **deck)
{
    const sw_structure_problem *problem;
    if (try_deck(text, dialect, deck, &problem) != SW_OK)
        fail_msg("%s", sw_error_message());
    return problem;
}

static void laws_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *cards;
        int dialect;
        sw_surface_law law;
    } cases[] = {
        {"", SW_DECK_CALCULIX, {.behavior = SW_SURFACE_LINEAR}},
        {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD\n", SW_DECK_CALCULIX, {.behavior = SW_SURFACE_LINEAR}},
        {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1.E7, 3.\n",
         SW_DECK_CALCULIX,
         {.behavior = SW_SURFACE_LINEAR, .stiffness = 1e7}}, /* faces do not pull */
        {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=EXPONENTIAL\n1.E-4, .1\n*FRICTION\n.2, 300.\n",
         SW_DECK_CALCULIX,
         {.behavior = SW_SURFACE_EXPONENTIAL,
          .clearance = 1e-4,
          .pressure = 0.1,
          .friction = 0.2,
          .stick = 300}},
        {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TIED\n1.E6\n",
         SW_DECK_CALCULIX,
         {.behavior = SW_SURFACE_TIED, .stiffness = 1e6}},
        {"*FRICTION, TAUMAX=50.\n.3\n",
         SW_DECK_ABAQUS,
         {.behavior = SW_SURFACE_LINEAR, .friction = 0.3, .limit = 50}},
        {"*FRICTION, ROUGH\n", SW_DECK_ABAQUS, {.behavior = SW_SURFACE_LINEAR, .friction = 1e30}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        sw_deck *deck;
        snprintf(text, sizeof text, CUBES INTERACTION "%s" PAIR STATIC(""), cases[i].cards);
        const sw_structure_problem *p = made_of(text, cases[i].dialect, &deck);
        assert_int_equal(p->n_contacts, 1);
        const sw_surface_law *law = &p->contact[0].law, *want = &cases[i].law;
        assert_int_equal(law->behavior, want->behavior);
        assert_true(law->stiffness == want->stiffness && law->tension == want->tension &&
                    law->pressure == want->pressure && law->clearance == want->clearance &&
                    law->friction == want->friction && law->limit == want->limit &&
                    law->stick == want->stick);
        assert_true(isnan(p->contact[0].clearance) && !p->contact[0].small);
        assert_int_equal(p->contact[0].n_faces[0], 1);
        assert_int_equal(p->contact[0].element[0][0], 1);
        assert_int_equal(p->contact[0].face[0][0], 0);
        assert_int_equal(p->contact[0].element[1][0], 0);
        assert_int_equal(p->contact[0].face[1][0], 1);
        sw_deck_free(deck);
    }
}

static void tables_and_pairs_of_nodes(void **state)
{
    (void)state;
    sw_deck *deck;
    const sw_structure_problem *p =
        made_of(CUBES INTERACTION
                "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TABULAR\n0., 0.\n10., .01\n40., .02\n"
                "*CONTACT PAIR, INTERACTION=I, TYPE=NODE TO SURFACE, SMALL SLIDING\nPOINTS, LOW\n"
                "*CLEARANCE, SLAVE=POINTS, MASTER=LOW, VALUE=-.002\n" STATIC("*CONTACT PRINT\nCDIS, CSTR\n"),
                SW_DECK_CALCULIX, &deck);
    const sw_structure_contact *c = &p->contact[0];
    assert_int_equal(c->law.behavior, SW_SURFACE_TABULAR);
    assert_int_equal(c->law.n_rows, 3);
    assert_true(c->law.row[1][0] == 0.01 && c->law.row[1][1] == 10 && c->law.row[2][1] == 40);
    assert_true(c->small && c->clearance == -0.002);
    assert_int_equal(c->n_faces[0], 1); /* the face of the four nodes */
    assert_int_equal(c->element[0][0], 1);
    assert_int_equal(c->face[0][0], 0);
    assert_string_equal(c->name[0], "POINTS");
    /* what is printed of slaves, and of pairs without being asked */
    assert_int_equal(p->step[0].n_prints, 3);
    assert_int_equal(p->step[0].print[0].what, SW_STRUCTURE_CDIS);
    assert_int_equal(p->step[0].print[0].n, 4);
    assert_int_equal(p->step[0].print[2].what, SW_STRUCTURE_CF);
    sw_deck_free(deck);
}

/* CalculiX takes both, faces that are in both once; Abaqus neither. */
static void surfaces_written_twice(void **state)
{
    (void)state;
    static const char text[] =
        CUBES "*SURFACE, NAME=LOW\n1, S2\n1, S4\n" INTERACTION PAIR STATIC("*CONTACT PRINT\nCDIS\n");
    sw_deck *deck;
    const sw_structure_problem *p = made_of(text, SW_DECK_CALCULIX, &deck);
    assert_int_equal(p->contact[0].n_faces[1], 2);
    sw_deck_free(deck);
    assert_int_equal(try_deck(text, SW_DECK_ABAQUS, &deck, &p), SW_ERR_INPUT);
    assert_message_has("*SURFACE: surface LOW is there already");
}

static void adjusted_nodes_lie_on_the_master(void **state)
{
    (void)state;
    static const struct {
        const char *adjust;
        double height;
    } cases[] = {{"", 1.01}, {", ADJUST=.005", 1.01}, {", ADJUST=.02", 1}, {", ADJUST=BELOW", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        sw_deck *deck;
        snprintf(text, sizeof text,
                 CUBES INTERACTION
                 "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE%s\nUP, LOW\n" STATIC(""),
                 cases[i].adjust);
        const sw_structure_problem *p = made_of(text, SW_DECK_CALCULIX, &deck);
        for (int64_t n = 0; n < p->n_nodes; n++)
            if (p->node_label[n] >= 11 && p->node_label[n] <= 14)
                CHECK_CLOSE(p->position[n][2], cases[i].height, 1e-14);
        sw_deck_free(deck);
    }
}

static void steps_change_contacts(void **state)
{
    (void)state;
    sw_deck *deck;
    const sw_structure_problem *p =
        made_of(CUBES INTERACTION
                "*FRICTION\n.1, 10.\n" PAIR STATIC("*MODEL CHANGE, TYPE=CONTACT PAIR, REMOVE\nUP, LOW\n")
                    STATIC("*MODEL CHANGE, TYPE=CONTACT PAIR, ADD\nUP, LOW\n*CHANGE FRICTION, "
                           "INTERACTION=I\n*FRICTION\n.4, 20.\n"),
                SW_DECK_CALCULIX, &deck);
    assert_int_equal(p->step[0].n_contact_changes, 1);
    assert_int_equal(p->step[0].contact_change[0].off, 1);
    assert_false(p->step[0].contact_change[0].has_law);
    assert_int_equal(p->step[1].n_contact_changes, 2);
    assert_int_equal(p->step[1].contact_change[0].off, 0);
    assert_true(p->step[1].contact_change[1].has_law && p->step[1].contact_change[1].law.friction == 0.4 &&
                p->step[1].contact_change[1].law.stick == 20);
    assert_true(p->contact[0].law.friction == 0.1); /* that of the first step */
    sw_deck_free(deck);
}

/* S1 to S6 of a beam as CalculiX numbers them, seen by *SECTION PRINT: against and along direction 1, along direction 2, the end,
 * against direction 2, the start; in faces of the hexahedron whose coordinates go along the beam, direction 1 and direction 2. */
static void faces_of_beams(void **state)
{
    (void)state;
    static const int face[6] = {2, 4, 1, 3, 0, 5};
    for (int k = 0; k < 6; k++) {
        char text[4096];
        sw_deck *deck;
        snprintf(text, sizeof text,
                 CUBES
                 "*NODE\n31, 0, 0, 3\n32, 1, 0, 3\n*ELEMENT, TYPE=B31, ELSET=B\n3, 31, 32\n*BEAM SECTION, "
                 "ELSET=B, MATERIAL=STEEL, SECTION=RECT\n.2, .3\n0., 0., -1.\n*SURFACE, NAME=SIDE\n3, "
                 "S%d\n" INTERACTION
                 "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nSIDE, UP\n" STATIC(""),
                 k + 1);
        const sw_structure_problem *p = made_of(text, SW_DECK_CALCULIX, &deck);
        assert_int_equal(p->contact[0].face[0][0], face[k]);
        sw_deck_free(deck);
    }
}

/* Two interactions may change in a step. */
static void changes_of_two_interactions(void **state)
{
    (void)state;
    sw_deck *deck;
    const sw_structure_problem *p = made_of(
        CUBES INTERACTION "*FRICTION\n.1, 10.\n*SURFACE INTERACTION, NAME=J\n*FRICTION\n.2, 10.\n" PAIR
                          "*CONTACT PAIR, INTERACTION=J, TYPE=SURFACE TO SURFACE\nLOW, UP\n" STATIC(
                              "*CHANGE FRICTION, INTERACTION=I\n*FRICTION\n.3, 10.\n"
                              "*CHANGE FRICTION, INTERACTION=J\n*FRICTION\n.4, 10.\n"),
        SW_DECK_CALCULIX, &deck);
    assert_int_equal(p->step[0].n_contact_changes, 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(p->step[0].contact_change[k].contact, k);
        assert_true(p->step[0].contact_change[k].law.friction == 0.3 + 0.1 * k);
    }
    sw_deck_free(deck);
}

static void hear(void *said, sw_notice notice, const char *line)
{
    (void)notice;
    snprintf(said, 4096, "%s", line);
}

static void read_and_listen(const char *text, int dialect, char said[4096])
{
    sw_deck *deck;
    said[0] = '\0';
    sw_listen(hear, said);
    (void)made_of(text, dialect, &deck);
    sw_listen(NULL, NULL);
    sw_deck_free(deck);
}

/* CalculiX passes over them, most with a warning. */
static void what_is_not_used_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
        int dialect;
    } cases[] = {
        {CUBES INTERACTION PAIR STATIC("*CHANGE FRICTION, INTERACTION=I\n"),
         ":45: *CHANGE FRICTION: changes nothing: no *FRICTION follows", SW_DECK_CALCULIX},
        {CUBES INTERACTION PAIR STATIC("*CHANGE SURFACE BEHAVIOR, INTERACTION=I\n"),
         "*CHANGE SURFACE BEHAVIOR: changes nothing: no *SURFACE BEHAVIOR follows", SW_DECK_CALCULIX},
        {CUBES INTERACTION "2.5\n" PAIR STATIC(""), "*SURFACE INTERACTION: the line is not used",
         SW_DECK_CALCULIX},
        {CUBES INTERACTION
         "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE, HCRIT=.1\nUP, LOW\n" STATIC(""),
         "*CONTACT PAIR: HCRIT is not used", SW_DECK_CALCULIX},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TRACKING=PATH\nUP, LOW\n" STATIC(""),
         "*CONTACT PAIR: TRACKING is not used", SW_DECK_ABAQUS},
        {CUBES INTERACTION PAIR STATIC("*CONTACT CONTROLS, STABILIZE\n"),
         "*CONTACT CONTROLS: is not used: neither damping", SW_DECK_ABAQUS},
        {CUBES INTERACTION "*FRICTION, SLIPTOLERANCE=.01\n.1\n" PAIR STATIC(""),
         "*FRICTION: SLIPTOLERANCE is not used", SW_DECK_ABAQUS},
        {CUBES INTERACTION "*SURFACE BEHAVIOR, AUGMENTED LAGRANGE\n" PAIR STATIC(""),
         "*SURFACE BEHAVIOR: AUGMENTEDLAGRANGE is not used", SW_DECK_ABAQUS},
        {CUBES INTERACTION "*FRICTION\n.1, 10., 3.\n" PAIR STATIC(""),
         "*FRICTION: what follows in the line is not used", SW_DECK_CALCULIX},
        {CUBES INTERACTION "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5, 0., .1\n" PAIR STATIC(""),
         "*SURFACE BEHAVIOR: what follows in the line is not used", SW_DECK_CALCULIX},
        {CUBES INTERACTION PAIR STATIC("*CONTACT PRINT\nXX\n"),
         "*CONTACT PRINT: XX is not printed: there is no", SW_DECK_CALCULIX},
        {CUBES INTERACTION PAIR "*STEP\n*STATIC, SOLVER=RUBBISH\n1., 1.\n*END STEP\n",
         "*STATIC: SOLVER=RUBBISH is not used", SW_DECK_CALCULIX}};
    char said[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_and_listen(cases[i].text, cases[i].dialect, said);
        if (strstr(said, cases[i].said) == NULL)
            fail_msg("case %zu: said '%s': need '%s'", i, said, cases[i].said);
    }
    read_and_listen(CUBES INTERACTION "*FRICTION\n.1, 10.\n" PAIR STATIC("*CHANGE FRICTION, INTERACTION=I\n"
                                                                         "*FRICTION\n.2, 10.\n"),
                    SW_DECK_CALCULIX, said);
    assert_string_equal(said, "");
}

/* The upper cube goes down by half of the gap, and by twice the gap. */
static void contacts_that_never_touch_are_told(void **state)
{
    (void)state;
    static const char *const move[2] = {"-0.005", "-0.02"};
    const sw_structure_options options = {.quiet = 1};
    for (int touches = 0; touches < 2; touches++) {
        char text[4096], said[4096] = "";
        sw_deck *deck;
        snprintf(text, sizeof text,
                 CUBES INTERACTION PAIR STATIC("*BOUNDARY\n11, 1, 2\n12, 1, 2\n13, 1, 2\n14, 1, 2\n"
                                               "15, 1, 2\n16, 1, 2\n17, 1, 2\n18, 1, 2\n"
                                               "15, 3, 3, %1$s\n16, 3, 3, %1$s\n"
                                               "17, 3, 3, %1$s\n18, 3, 3, %1$s\n"),
                 move[touches]);
        const sw_structure_problem *p = made_of(text, SW_DECK_CALCULIX, &deck);
        sw_listen(hear, said);
        CHECK_OK(sw_structure_run(p, &options));
        sw_listen(NULL, NULL);
        const char *told = strstr(said, "a contact that never touched: surfaces UP and LOW are 0.005 apart");
        if ((told == NULL) != touches)
            fail_msg("said '%s'", said);
        sw_deck_free(deck);
    }
}

static void hear_all(void *said, sw_notice notice, const char *line)
{
    const size_t n = strlen(said);
    (void)notice;
    snprintf((char *)said + n, 4096 - n, "%s\n", line);
}

static void run_and_listen(const char *text, const char *want)
{
    const sw_structure_options options = {.quiet = 1};
    char said[4096] = "";
    sw_deck *deck;
    const sw_structure_problem *p = made_of(text, SW_DECK_CALCULIX, &deck);
    sw_listen(hear_all, said);
    CHECK_OK(sw_structure_run(p, &options));
    sw_listen(NULL, NULL);
    if (want == NULL ? strstr(said, "surfaces") != NULL : strstr(said, want) == NULL)
        fail_msg("said '%s': need '%s'", said, want != NULL ? want : "nothing of surfaces");
    sw_deck_free(deck);
}

#define SIDES                                                                                               \
    "*BOUNDARY\n11, 1, 2\n12, 1, 2\n13, 1, 2\n14, 1, 2\n15, 2, 2\n16, 2, 2\n17, 2, 2\n18, 2, 2\n15, 3, 3, " \
    "-.03\n16, 3, 3, -.03\n17, 3, 3, -.03\n18, 3, 3, -.03\n"
#define STILL SIDES "15, 1, 1\n16, 1, 1\n17, 1, 1\n18, 1, 1\n"

/* Sides of the two cubes that look the same way, past each other, or away from each other; and a cube that is beside the
 * lower one, seen without NLGEOM. Cubes whose gap closes by 0.02 touch. */
static void surfaces_that_cannot_touch_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *slave, *master, *said;
    } cases[] = {{"2, S2", "1, S2",
                  "deck.inp:57: surfaces A and B cannot touch as they begin: their faces face the same"},
                 {"2, S1", "1, S1", "cannot touch as they begin"},
                 {"2, S1", "1, S4", "cannot touch as they begin"},
                 {"2, S2", "1, S1", "do not touch as they begin: the first is inside the second"},
                 {"3, S1", "1, S2", "do not touch: they begin beside or too far"},
                 {"2, S1", "1, S2", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text,
                 CUBES
                 "*NODE\n21, 5, 0, 1.5\n22, 6, 0, 1.5\n23, 6, 1, 1.5\n24, 5, 1, 1.5\n25, 5, 0, 2\n26, 6, 0, "
                 "2\n27, 6, 1, 2\n28, 5, 1, 2\n*ELEMENT, TYPE=C3D8, ELSET=E\n3, 21, 22, 23, 24, 25, 26, 27, "
                 "28\n*SURFACE, NAME=A\n%s\n*SURFACE, NAME=B\n%s\n" INTERACTION
                 "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nA, B\n" STATIC(
                     STILL "21, 1, 3\n22, 1, 3\n23, 1, 3\n24, 1, 3\n"),
                 cases[i].slave, cases[i].master);
        run_and_listen(text, cases[i].said);
    }
}

/* Without NLGEOM the upper cube slides by more, or less, than a quarter of its width of 1; with it as far as it likes. */
static void feet_that_stay_far_behind_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *step;
        double far;
        int told;
    } cases[] = {{"*STEP\n", 0.3, 1}, {"*STEP\n", 0.2, 0}, {"*STEP, NLGEOM\n", 0.3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096], move[400] = "";
        for (int n = 11; n <= 18; n++)
            snprintf(move + strlen(move), sizeof move - strlen(move), "%d, 1, 1, %g\n", n, cases[i].far);
        snprintf(text, sizeof text, CUBES INTERACTION PAIR "%s*STATIC\n.5, 1.\n" SIDES "%s*END STEP\n",
                 cases[i].step, move);
        run_and_listen(text, cases[i].told ? "surfaces UP and LOW have slid by more than a quarter of a face"
                                           : NULL);
    }
}

/* A spring that pushes on more than the cube resists: conjugate gradients end, factors do not mind. */
static void factors_are_named_where_iterations_end(void **state)
{
    (void)state;
    const sw_structure_options cg = {.quiet = 1, .linear = SW_FEM_SOLVE_CG}, any = {.quiet = 1};
    sw_deck *deck;
    const sw_structure_problem *p =
        made_of(CUBE STEEL SECTION HELD
                "*ELEMENT, TYPE=SPRING1, ELSET=AWAY\n9, 7\n*SPRING, ELSET=AWAY\n3\n-1.E7\n" STATIC(
                    "*CLOAD\n7, 3, 1.\n"),
                SW_DECK_CALCULIX, &deck);
    CHECK_OK(sw_structure_run(p, &any));
    assert_int_equal(sw_structure_run(p, &cg), SW_ERR_CONVERGENCE);
    if (strstr(sw_error_message(), "; linear auto or direct takes sparse factors") == NULL)
        fail_msg("%s", sw_error_message());
    sw_deck_free(deck);
}

/* Pushed along x, the upper cube meets nothing. */
static void what_contact_alone_may_hold_is_named(void **state)
{
    (void)state;
    const sw_structure_options options = {.quiet = 1};
    sw_deck *deck;
    const sw_structure_problem *p =
        made_of(CUBES INTERACTION PAIR STATIC("*CLOAD\n15, 1, 10.\n"), SW_DECK_CALCULIX, &deck);
    char said[4096] = "";
    sw_listen(hear_all, said);
    assert_int_equal(sw_structure_run(p, &options), SW_ERR_CONVERGENCE);
    sw_listen(NULL, NULL);
    const char *const named =
        "; nothing but contact keeps the body of element 2 (1 element) from turning about x";
    if (strstr(sw_error_message(), named) == NULL || strstr(said, named) == NULL)
        fail_msg("'%s', said '%s'", sw_error_message(), said);
    sw_deck_free(deck);
}

static void faults_are_told(void **state)
{
    (void)state;
    static const refusal list[] = {
        {CUBES PAIR STATIC(""), ":40: *CONTACT PAIR: there is no interaction 'I'"},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, NONE\n" STATIC(""),
         "*CONTACT PAIR: there is no surface 'NONE'"},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TYPE=MASSLESS\nUP, LOW\n" STATIC(""),
         "*CONTACT PAIR: TYPE=MASSLESS is not computed: need SURFACE TO SURFACE, NODE TO SURFACE or MORTAR"},
        {CUBES INTERACTION "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n-1.\n" PAIR STATIC(""),
         ":42: *SURFACE BEHAVIOR: the slope of pressure over overclosure -1: need more than 0"},
        {CUBES INTERACTION "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=SOFT\n" PAIR STATIC(""),
         "PRESSURE-OVERCLOSURE=SOFT: need HARD, LINEAR, EXPONENTIAL, TABULAR or TIED"},
        {CUBES INTERACTION
         "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TABULAR\n0., 0.\n1., .1\n.5, .2\n" PAIR STATIC(""),
         "need pressures and overclosures that ascend"},
        {CUBES INTERACTION "*FRICTION\n-.1, 10.\n" PAIR STATIC(""),
         "need a coefficient and a slope of 0 or more"},
        {CUBES INTERACTION "*FRICTION, TAUMAX=-1.\n.1, 10.\n" PAIR STATIC(""),
         "*FRICTION: TAUMAX=-1: need 0 or more"},
        {CUBES INTERACTION
         "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, LOW, NONE\n" STATIC(""),
         "*CONTACT PAIR: needs a slave and a master surface, alone"},
        {CUBES INTERACTION PAIR PAIR STATIC(""), "*CONTACT PAIR: is a pair already"},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, UP\n" STATIC(""),
         ":42: *CONTACT PAIR: surface UP is slave and master: need two surfaces"},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFCE\nUP, LOW\n" STATIC(""),
         "*CONTACT PAIR: TYPE=SURFACE TO SURFCE is not computed"},
        {CUBES INTERACTION "*CONTACT PAIR, INTERACTION=I, TYPE=NODETOTHING\nPOINTS, LOW\n" STATIC(""),
         "*CONTACT PAIR: TYPE=NODETOTHING is not computed"},
        {CUBES INTERACTION "*FRICTION\n.1, 10.\n*FRICTION\n.2, 10.\n" PAIR STATIC(""),
         ":43: *FRICTION: the interaction has one already"},
        {CUBES INTERACTION "*SURFACE BEHAVIOR\n*SURFACE BEHAVIOR\n" PAIR STATIC(""),
         ":42: *SURFACE BEHAVIOR: the interaction has one already"},
        {CUBES INTERACTION PAIR "*STEP, PERTURBATION\n*STATIC\n1., 1.\n*END STEP\n",
         "*STEP: PERTURBATION is linear: *CONTACT PAIR with it is not computed"},
        {CUBES "*FRICTION\n.1, 10.\n" STATIC(""), "*FRICTION: belongs to no *SURFACE INTERACTION"},
        {CUBES INTERACTION PAIR STATIC("*FRICTION\n.1, 10.\n"),
         "*FRICTION: in a step needs *CHANGE FRICTION"},
        {CUBES INTERACTION PAIR "*CLEARANCE, SLAVE=LOW, MASTER=UP, VALUE=0.\n" STATIC(""),
         "*CLEARANCE: there is no *CONTACT PAIR of the two surfaces"},
        {CUBES INTERACTION PAIR STATIC("*MODEL CHANGE, TYPE=CONTACT PAIR\nUP, LOW\n"), "needs ADD or REMOVE"},
        {CUBES INTERACTION "*NSET, NSET=TWO\n11, 12\n*SURFACE, NAME=EDGE, TYPE=NODE\nTWO,\n*CONTACT PAIR, "
                           "INTERACTION=I, TYPE=NODE TO SURFACE\nEDGE, LOW\n" STATIC(""),
         "surface EDGE is of nodes that are no whole face of a solid element"},
        {CUBES "*CONTACT\n" STATIC(""),
         "*CONTACT: contact of all that meets is not computed: need *CONTACT PAIR"}};
    refuse_decks(sizeof list / sizeof *list, list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_are_read),
                                       cmocka_unit_test(tables_and_pairs_of_nodes),
                                       cmocka_unit_test(surfaces_written_twice),
                                       cmocka_unit_test(adjusted_nodes_lie_on_the_master),
                                       cmocka_unit_test(steps_change_contacts),
                                       cmocka_unit_test(faces_of_beams),
                                       cmocka_unit_test(changes_of_two_interactions),
                                       cmocka_unit_test(what_is_not_used_is_told),
                                       cmocka_unit_test(contacts_that_never_touch_are_told),
                                       cmocka_unit_test(surfaces_that_cannot_touch_are_told),
                                       cmocka_unit_test(feet_that_stay_far_behind_are_told),
                                       cmocka_unit_test(factors_are_named_where_iterations_end),
                                       cmocka_unit_test(what_contact_alone_may_hold_is_named),
                                       cmocka_unit_test(faults_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
