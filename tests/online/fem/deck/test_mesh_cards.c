/* Meshes of decks: nodes, elements, sets, surfaces, what is generated, parts and their instances. */
#include "decks.h"

#include <math.h>
#include <string.h>

static const sw_deck_set *set_of(const sw_deck *deck, sw_fem_set_kind kind, const char *name)
{
    const int64_t place = sw_deck_find_set(deck, kind, name);
    if (place < 0)
        fail_msg("there is no set %s", name);
    return &deck->set[place];
}

/* Labels of a set's members, "1 2 5". */
static void assert_labels(const sw_deck *deck, sw_fem_set_kind kind, const char *name, const char *labels)
{
    const sw_deck_set *set = set_of(deck, kind, name);
    char text[256] = "";
    for (int64_t i = 0; i < set->n; i++) {
        const int64_t label = kind == SW_FEM_NODES ? deck->node[set->member[i]].label
                              : kind == SW_FEM_ELEMENTS
                                  ? deck->element[set->member[i]].label
                                  : 10 * deck->element[set->member[i] / 8].label + set->member[i] % 8 + 1;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%lld", i > 0 ? " " : "",
                 (long long)label);
    }
    assert_string_equal(text, labels);
}

static void assert_at(const sw_deck *deck, int64_t node, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    assert_true(node >= 0);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(deck->node[node].at[i], at[i], 1e-14);
}

static void sets_are_lists_ranges_and_other_sets(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck("*NSET, NSET=EARLY\n7, 5\n" BODY
                              "*NSET, NSET=RANGE, GENERATE\n2, 8, 3\n*NSET, NSET=nested\nrange, 1, 2\n"
                              "*NSET, NSET=RANGE\n3\n*NSET, NSET=GAPS, GENERATE\n7, 90\n"
                              "*NSET, NSET=BY, ELSET=E\n*ELSET, ELSET=ALLE, GENERATE\n1, 5\n" STATIC(""),
                              &problem);
    assert_labels(deck, SW_FEM_NODES, "Early", "7 5");
    assert_labels(deck, SW_FEM_NODES, "RANGE", "2 5 8 3");
    assert_labels(deck, SW_FEM_NODES, "NESTED", "2 5 8 1 3");
    assert_labels(deck, SW_FEM_NODES, "GAPS", "7 8");
    assert_labels(deck, SW_FEM_NODES, "BY", "1 2 3 4 5 6 7 8");
    assert_labels(deck, SW_FEM_ELEMENTS, "ALLE", "1");
    assert_int_equal(problem->n_nodes, 8);
    assert_int_equal(problem->n_elements, 1);
    CHECK_CLOSE(problem->position[3][1], 1, 0);
    sw_deck_free(deck);
}

/* Two cubes, one on the other: free faces are all but the two that meet. */
#define TWO                                                                                         \
    CUBE "*NODE\n9, 0, 0, 2\n10, 1, 0, 2\n11, 1, 1, 2\n12, 0, 1, 2\n*ELEMENT, TYPE=C3D8, ELSET=E\n" \
         "2, 5, 6, 7, 8,\n9, 10, 11, 12\n" STEEL SECTION HELD

static void surfaces_are_faces_sets_and_what_is_free(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(TWO "*SURFACE, NAME=FREE\nE,\n*SURFACE, NAME=TOP, TYPE=ELEMENT\n2, S2\n"
                      "*SURFACE, NAME=SIDE\nE, s3\n*SURFACE, NAME=POINTS, TYPE=NODE\nALL\n9\n" STATIC(
                          "*DSLOAD\nFREE, P, 3.\n*DLOAD\nE, P4, 2.\n2, P4, 5.\n"),
                  &problem);
    assert_labels(deck, SW_FEM_SURFACE, "TOP", "22");
    assert_labels(deck, SW_FEM_SURFACE, "SIDE", "13 23");
    assert_int_equal(set_of(deck, SW_FEM_SURFACE, "FREE")->n, 10);
    assert_int_equal(set_of(deck, SW_FEM_SURFACE, "POINTS")->n, 9);
    assert_true(set_of(deck, SW_FEM_SURFACE, "POINTS")->of_nodes);
    const sw_structure_step *step = &problem->step[0];
    assert_int_equal(step->n_loads, 10); /* what acts on a face adds up */
    double total = 0;
    for (int64_t i = 0; i < step->n_loads; i++) {
        const sw_structure_load *load = &step->load[i];
        assert_true(!(load->element == 0 && load->face == 1) && !(load->element == 1 && load->face == 0));
        total += load->to;
    }
    CHECK_CLOSE(total, 10 * 3 + 2 + 7, 1e-12);
    sw_deck_free(deck);
}

/* Axes by an origin and points on x and in x-y, or by the one on x alone, until the next card. */
static void nodes_are_in_systems_of_their_own(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(BODY "*SYSTEM\n1, 2, 3, 1, 3, 3\n*NODE\n11, 5, 7, 9\n*SYSTEM\n1, 2, 3, 1, 3, 3\n1, 2, 4\n"
                       "*NODE\n12, 5, 7, 9\n*SYSTEM\n*NODE\n13, 5, 7, 9\n" STATIC(""),
                  &problem);
    assert_at(deck, sw_deck_find_node(deck, 11), 1 - 7, 2 + 5, 3 + 9); /* x along 2, y along -1 */
    assert_at(deck, sw_deck_find_node(deck, 12), 1 + 9, 2 + 5, 3 + 7); /* x along 2, y along 3 */
    assert_at(deck, sw_deck_find_node(deck, 13), 5, 7, 9);
    sw_deck_free(deck);
}

/* As both programs name them; those of solids that a shell becomes are numbered alike. */
static void faces_of_shells_have_names(void **state)
{
    static const char *const names[][2] = {{"SNEG", "11"}, {"N", "11"},     {"S1", "11"}, {"spos", "12"},
                                           {"P", "12"},    {"S2", "12"},    {"E1", "13"}, {"S3", "13"},
                                           {"e4", "16"},   {"EDNOR3", "15"}};
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char text[2048];
        const sw_structure_problem *problem;
        snprintf(text, sizeof text,
                 CUBE_NODES
                 "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL
                 "*SHELL SECTION, ELSET=E, MATERIAL=STEEL\n.1\n*SURFACE, NAME=S\nE, %s\n" STATIC(""),
                 names[k][0]);
        sw_deck *deck = read_deck(text, &problem);
        assert_labels(deck, SW_FEM_SURFACE, "S", names[k][1]);
        sw_deck_free(deck);
    }
}

static void nodes_and_elements_are_generated(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck("*NODE, SYSTEM=C\n1, 2., 90.\n*NODE\n11, 0, 2, 10\n*NGEN, NSET=LINE\n1, 11, 2\n"
                  "*NCOPY, CHANGE NUMBER=100, OLD SET=LINE, NEW SET=MOVED, SHIFT\n1, 0, 0\n"
                  "0, 0, 0, 0, 0, 1, 90\n*NFILL, NSET=FILLED\nLINE, MOVED, 2, 50\n"
                  "*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 3, 53, 51\n*ELGEN, ELSET=E\n1, 5, 2, 1, 2, 50, 10\n"
                  "*ELCOPY, ELEMENT SHIFT=100, SHIFT NODES=0, OLD SET=E, NEW SET=COPY\n" STEEL SECTION
                  "*SOLID SECTION, ELSET=COPY, MATERIAL=STEEL\n2.\n" STATIC(""),
                  &problem);
    assert_labels(deck, SW_FEM_NODES, "LINE", "1 3 5 7 9 11");
    assert_at(deck, sw_deck_find_node(deck, 5), 0, 2, 4);
    assert_at(deck, sw_deck_find_node(deck, 105), -2, 1, 4); /* (0, 2) + (1, 0), turned to (-2, 1) */
    assert_at(deck, sw_deck_find_node(deck, 55), -1, 1.5, 4);
    assert_labels(deck, SW_FEM_ELEMENTS, "E", "1 2 3 4 5 11 12 13 14 15");
    assert_int_equal(set_of(deck, SW_FEM_ELEMENTS, "COPY")->n, 10);
    const sw_deck_element *last = &deck->element[sw_deck_find_element(deck, 15)];
    assert_int_equal(deck->node[deck->member[last->first]].label, 59);
    assert_int_equal(deck->node[deck->member[last->first + 2]].label, 111);
    CHECK_CLOSE(problem->section[problem->element[19].section].thickness, 2, 0);
    sw_deck_free(deck);
}

/* Each interval half as long as the next; or each pair of them, whose middles are middles. */
static void nodes_are_filled_with_a_bias(void **state)
{
    (void)state;
    static const double at[2][3] = {{1, 3, 7}, {2.5, 5, 10}};
    for (int pairs = 0; pairs < 2; pairs++) {
        char text[512];
        const sw_structure_problem *problem;
        snprintf(text, sizeof text,
                 CUBE
                 "*NODE\n101\n201, 15.\n*NSET, NSET=A\n101\n*NSET, NSET=B\n201\n*NFILL, BIAS=0.5%s\nA, B, 4, "
                 "20\n" STEEL SECTION STATIC(""),
                 pairs ? ", TWO STEP" : "");
        sw_deck *deck = read_deck(text, &problem);
        for (int j = 0; j < 3; j++)
            assert_at(deck, sw_deck_find_node(deck, 121 + 20 * j), at[pairs][j], 0, 0);
        sw_deck_free(deck);
    }
}

#define PART(more)                                                                                           \
    "*PART, NAME=UNUSED\n" CUBE "*END PART\n*PART, NAME=CUBE\n" CUBE "*NSET, NSET=TOP\n5, 6, 7, 8\n" SECTION \
    "*END PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=C-1, PART=CUBE\n"                                         \
    "*END INSTANCE\n" more "*END ASSEMBLY\n" STEEL

static void instances_are_moved_copies_with_names_of_their_own(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck;
    CHECK_OK(try_deck(PART("*INSTANCE, NAME=C-2, PART=CUBE\n5., 0, 0\n5., 0, 0, 5., 1., 0, 90.\n"
                           "*END INSTANCE\n*NODE\n1, 9., 9., 9.\n*NSET, NSET=BOTH, INSTANCE=C-1\n1\n"
                           "*NSET, NSET=BOTH, INSTANCE=C-2\n5\n*NSET, NSET=LONE\n1\n")
                          STATIC("*CLOAD\nC-2.TOP, 3, 1.\nC-1.8, 1, 2.\nBOTH, 2, 3.\n"),
                      -1, &deck, &problem));

    assert_int_equal(deck->dialect, SW_DECK_ABAQUS);
    assert_int_equal(problem->n_nodes, 17);
    assert_int_equal(problem->n_elements, 2);
    assert_int_equal(problem->step[0].n_forces, 4 + 1 + 2);
    /* 5 = (0, 0, 1) goes to (5, 0, 1), and by 90 degrees about y through (5, 0, 0) to (6, 0, 0). */
    const sw_deck_set *both = set_of(deck, SW_FEM_NODES, "BOTH");
    assert_at(deck, both->member[0], 0, 0, 0);
    assert_at(deck, both->member[1], 6, 0, 0);
    assert_at(deck, set_of(deck, SW_FEM_NODES, "LONE")->member[0], 9, 9, 9);
    for (int64_t i = 0; i < problem->n_nodes; i++) /* what is shown is there once */
        for (int64_t j = 0; j < i; j++)
            assert_true(problem->node_label[i] != problem->node_label[j]);
    sw_deck_free(deck);
}

static void bare_numbers_are_of_the_only_instance(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(PART("") STATIC("*CLOAD\n5, 3, 1.\nC-1.ALL, 1, 1.\n"), &problem);
    assert_int_equal(problem->step[0].n_forces, 9);
    assert_int_equal(problem->node_label[4], 5);
    sw_deck_free(deck);
    assert_int_equal(try_deck(PART("*INSTANCE, NAME=C-2, PART=CUBE\n2.\n*END INSTANCE\n")
                                  STATIC("*CLOAD\n5, 3, 1.\n"),
                              0, &deck, &problem),
                     SW_ERR_INPUT);
    assert_non_null(strstr(sw_error_message(), "*CLOAD: there is no node 5"));
}

/* Elements before their nodes, nodes that no element has, and a cube that is a wedge. */
static void odd_meshes_are_read(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck("*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 3, 5, 6, 7, 7\n" CUBE_NODES
                              "*NODE\n100, 5., 5., 5.\n" STEEL SECTION HELD STATIC("*BOUNDARY\n100, 1, 3\n"),
                              &problem);
    assert_int_equal(problem->n_nodes, 9);
    assert_int_equal(problem->node[2], problem->node[3]);
    sw_deck_free(deck);
}

#define ORTHOTROPIC                                                                \
    "*MATERIAL, NAME=STEEL\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1e5, 2e5, 3e5, " \
    ".1, .2, .3, 1e4, 2e4,\n3e4\n"

static void assert_axes(const sw_structure_problem *problem, int64_t element, const double rows[3][3])
{
    const sw_structure_section *section = &problem->section[problem->element[element].section];
    assert_true(section->turned);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(section->axes[i][j], rows[i][j], 1e-14);
}

/* A point on the third axis and one in the plane of the first and it, about 1, 1, 1. */
static void orientations_may_begin_with_the_third_axis(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck(CUBE ORTHOTROPIC
                              "*ORIENTATION, NAME=O, SYSTEM=Z RECTANGULAR\n3, 1, 1, 4, 1, 2, 1, 1, 1\n*SOLID "
                              "SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n" STATIC(""),
                              &problem);
    const double rows[3][3] = {{0, 0, 1}, {0, -1, 0}, {1, 0, 0}};
    assert_axes(problem, 0, rows);
    sw_deck_free(deck);
}

static void cylindrical_orientations_turn_with_the_place(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck(CUBE ORTHOTROPIC "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0, 1, 2, 0, 1, 3\n*SOLID "
                                   "SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n" STATIC(""),
                  &problem);
    const double s = sqrt(0.5), rows[3][3] = {{s, -s, 0}, {s, s, 0}, {0, 0, 1}};
    assert_axes(problem, 0, rows);
    sw_deck_free(deck);
}

/* Axes of elements are of their orientation's system, turned as it says, and as its instance is. */
static void distributions_are_of_their_orientations(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    const double s = sqrt(0.5), around[3][3] = {{s, s, 0}, {-s, s, 0}, {0, 0, 1}},
                 turned[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
                 straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                 twice[3][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
    sw_deck *deck =
        read_deck(CUBE ORTHOTROPIC
                  "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\nD\n*DISTRIBUTION, NAME=D\n, 0, 0, 0, 0, 0, 1\n"
                  "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n" STATIC(""),
                  &problem);
    assert_axes(problem, 0, around);
    sw_deck_free(deck);
    deck =
        read_deck(CUBE_NODES
                  "*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n2, 5, 6, 7, 8\n" ORTHOTROPIC
                  "*ORIENTATION, NAME=O\nD\n*DISTRIBUTION, NAME=D\n, 1, 0, 0, 0, 1, 0\n2, 0, 1, 0, -1, 0, 0\n"
                  "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n.1\n" STATIC(""),
                  &problem);
    assert_axes(problem, 0, straight);
    assert_axes(problem, 1, turned);
    sw_deck_free(deck);
    deck = read_deck(
        "*PART, NAME=P\n" CUBE "*ORIENTATION, NAME=O\nD\n3, 90.\n*DISTRIBUTION, NAME=D\n1, 1, 0, 0, 0, 1, 0\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=STEEL, ORIENTATION=O\n*END PART\n*ASSEMBLY, NAME=A\n"
        "*INSTANCE, NAME=I, PART=P\n0, 0, 0\n0, 0, 0, 0, 0, 1, 90\n*END INSTANCE\n"
        "*INSTANCE, NAME=J, PART=P\n9, 0, 0\n*END INSTANCE\n*END ASSEMBLY\n" ORTHOTROPIC STATIC(""),
        &problem);
    assert_axes(problem, 0, twice);
    assert_axes(problem, 1, turned);
    sw_deck_free(deck);
}

/* Directions of a part turn with its instance; names in it are its own. */
static void directions_turn_with_their_instance(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck = read_deck("*PART, NAME=P\n" CUBE_NODES
                              "*ELEMENT, TYPE=B31, ELSET=B\n1, 1, 2\n*BEAM SECTION, ELSET=B, MATERIAL=STEEL, "
                              "SECTION=RECT\n.1, .1\n0, 1, 0\n*ORIENTATION, NAME=O\n1, 0, 0, 0, 1, 0\n*NSET, "
                              "NSET=ONE\n8\n*TRANSFORM, NSET=ONE\n"
                              "1, 0, 0, 0, 1, 0\n*SURFACE, TYPE=NODE, NAME=S\n6\n*COUPLING, REF NODE=7, "
                              "SURFACE=S, ORIENTATION=O\n*KINEMATIC\n1, 1\n"
                              "*ELEMENT, TYPE=GAPUNI, ELSET=G\n2, 3, 4\n*GAP, ELSET=G\n0, 1, 0, 0\n*END "
                              "PART\n*ASSEMBLY, NAME=A\n*INSTANCE, NAME=I, PART=P\n0, 0, 0\n0, 0, 0, 0, "
                              "0, 1, 90\n*END INSTANCE\n"
                              "*END ASSEMBLY\n" STEEL STATIC(""),
                              &problem);
    CHECK_CLOSE(deck->section[0].direction[0], -1, 1e-14);
    CHECK_CLOSE(deck->axes[deck->node[7].axes].a[1], 1, 1e-14);
    assert_int_equal(problem->n_springs, 1);
    CHECK_CLOSE(problem->spring[0].direction[1], 1, 1e-14);
    int told = 0;
    for (int64_t k = 0; k < problem->n_constraints; k++) /* 1 of the part is 2 of space */
        told += problem->constraint[k].unknown[0] == 3 * 5 + 1;
    assert_int_equal(told, 1);
    sw_deck_free(deck);
}

typedef struct {
    int n;
    char first[400], last[400];
} heard;

static void hear(void *context, sw_notice notice, const char *text)
{
    heard *all = context;
    (void)notice;
    if (all->n++ == 0)
        snprintf(all->first, sizeof all->first, "%s", text);
    snprintf(all->last, sizeof all->last, "%s", text);
}

static void what_sets_lack_is_told_with_a_count(void **state)
{
    (void)state;
    static char text[100000];
    int n = snprintf(text, sizeof text, BODY "*NSET, NSET=A\n1\n");
    for (int i = 0; i < 1000; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "*NSET, NSET=A\n%d\n", 100 + i);
    for (int i = 0; i < 100; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "*ELSET, ELSET=B%d\n1, %d\n", i, 100 + i);
    snprintf(text + n, sizeof text - (size_t)n, STATIC(""));
    const sw_structure_problem *problem;
    heard all = {0};
    sw_listen(hear, &all);
    sw_deck *deck = read_deck(text, &problem);
    sw_listen(NULL, NULL);
    assert_int_equal(all.n, 11);
    assert_non_null(strstr(
        all.first, "deck.inp:24: *NSET: node 100 of set A is not there, nor are 999 others: they are"));
    assert_non_null(strstr(all.last, "91 other sets lack 91 members"));
    sw_deck_free(deck);
}

static void axes_are_of_nodes_that_come_later(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    sw_deck *deck =
        read_deck("*NSET, NSET=A\n5, 6\n*TRANSFORM, NSET=A\n0, 1, 0, -1, 0, 0\n" BODY STATIC(""), &problem);
    for (int64_t i = 0; i < 8; i++) /* of labels 1 to 8 */
        assert_int_equal(deck->node[i].axes >= 0, i == 4 || i == 5);
    sw_deck_free(deck);
}

/* Of cards that share a list, in all orders. */
static void axes_of_transforms_and_orientations_have_their_room(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
#define AXES(node) "*NSET, NSET=N" node "\n" node "\n*TRANSFORM, NSET=N" node "\n0, 1, 0, -1, 0, 0\n"
    sw_deck *deck = read_deck(
        BODY AXES("5") AXES("6") AXES("7") "*ORIENTATION, NAME=O\n1, 0, 0, 0, 1, 0\n" STATIC(""), &problem);
    for (int k = 0; k < deck->n_axes; k++)
        CHECK_CLOSE(deck->axes[k].a[0], deck->axes[k].name != NULL, 0);
    sw_deck_free(deck);
}

static void of_two_sections_the_last_is_taken_and_told(void **state)
{
    (void)state;
    const sw_structure_problem *problem;
    heard all = {0};
    sw_listen(hear, &all);
    sw_deck *deck = read_deck(CUBE STEEL SECTION "*MATERIAL, NAME=SOFT\n*ELASTIC\n1., .3\n"
                                                 "*SOLID SECTION, ELSET=E, MATERIAL=SOFT\n" HELD STATIC(""),
                              &problem);
    sw_listen(NULL, NULL);
    assert_int_equal(all.n, 1);
    assert_non_null(
        strstr(all.first, "deck.inp:19: *SOLID SECTION: 1 element of set E, the first is 1, has a"));
    assert_int_equal(problem->section[problem->element[0].section].matter, 1);
    sw_deck_free(deck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_may_begin_with_the_third_axis),
        cmocka_unit_test(sets_are_lists_ranges_and_other_sets),
        cmocka_unit_test(surfaces_are_faces_sets_and_what_is_free),
        cmocka_unit_test(nodes_are_in_systems_of_their_own),
        cmocka_unit_test(faces_of_shells_have_names),
        cmocka_unit_test(nodes_and_elements_are_generated),
        cmocka_unit_test(nodes_are_filled_with_a_bias),
        cmocka_unit_test(instances_are_moved_copies_with_names_of_their_own),
        cmocka_unit_test(bare_numbers_are_of_the_only_instance),
        cmocka_unit_test(odd_meshes_are_read),
        cmocka_unit_test(what_sets_lack_is_told_with_a_count),
        cmocka_unit_test(axes_are_of_nodes_that_come_later),
        cmocka_unit_test(axes_of_transforms_and_orientations_have_their_room),
        cmocka_unit_test(of_two_sections_the_last_is_taken_and_told),
        cmocka_unit_test(distributions_are_of_their_orientations),
        cmocka_unit_test(directions_turn_with_their_instance),
        cmocka_unit_test(cylindrical_orientations_turn_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
