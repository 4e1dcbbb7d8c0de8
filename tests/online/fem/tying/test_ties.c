/* Equations, local axes, ties, couplings, rigid bodies and MPC: free in rigid motion, linearised by differences, and what
 * they make of bodies whose solution is known. */
#include "solved.h"

#include <string.h>

#include "online/fem/tying/shared.h"

/* ---- Turns ---- */

static void turns_keep_lengths_and_have_their_derivatives(void **state)
{
    static const double vectors[][3] = {
        {0, 0, 0}, {1e-7, -2e-7, 0}, {4e-4, 7e-4, -5e-4}, {0.3, -0.2, 0.5}, {2, 1, -1.5}};
    const double y[3] = {0.4, -1.3, 0.7}, h = 1e-5;
    (void)state;
    for (size_t c = 0; c < sizeof vectors / sizeof *vectors; c++) {
        double turned[3], by[3][3], other[2][3];
        sw_deck_turn(vectors[c], y, turned, by);
        double square = 0, along = 0;
        for (int i = 0; i < 3; i++) {
            square += turned[i] * turned[i] - y[i] * y[i];
            along += (turned[i] - y[i]) * vectors[c][i];
        }
        assert_true(fabs(square) < 1e-14 && fabs(along) < 1e-14);
        for (int k = 0; k < 3; k++) {
            for (int side = 0; side < 2; side++) {
                double v[3] = {vectors[c][0], vectors[c][1], vectors[c][2]};
                v[k] += side ? -h : h;
                sw_deck_turn(v, y, other[side], NULL);
            }
            for (int i = 0; i < 3; i++)
                assert_true(fabs((other[0][i] - other[1][i]) / (2 * h) - by[i][k]) < 1e-9);
        }
    }
}

/* ---- Constraints of a model ---- */

#define BLOCKS                                                                                             \
    "*NODE, NSET=LOW\n1\n2, 2\n3, 2, 1\n4, 0, 1\n5, 0, 0, 1\n6, 2, 0, 1\n7, 2, 1, 1\n8, 0, 1, 1\n"         \
    "*NODE, NSET=HIGH\n11, 0, 0, 1\n12, .7, 0, 1\n13, .7, 1, 1\n14, 0, 1, 1\n15, 0, 0, 2\n16, .7, 0, 2\n"  \
    "17, .7, 1, 2\n18, 0, 1, 2\n19, 2, 0, 1\n20, 2, 1, 1\n21, 2, 0, 2\n22, 2, 1, 2\n"                      \
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 11, 12, 13, 14, 15, 16, 17, 18\n"         \
    "3, 12, 19, 20, 13, 16, 21, 22, 17\n"                                                                  \
    "*SURFACE, NAME=MASTER\n1, S2\n*SURFACE, NAME=SLAVE\n2, S1\n3, S1\n*SURFACE, NAME=TOP\n2, S2\n3, S2\n" \
    "*SURFACE, NAME=SIDE\n1, S6\n"                                                                         \
    "*MATERIAL, NAME=M\n*ELASTIC\n1000., .25\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"

/* Every constraint there is; node 90 has the rotation that MEANROT is told. */
#define TIED                                                                                  \
    BLOCKS                                                                                    \
    "*TIE, NAME=T\nSLAVE, MASTER\n"                                                           \
    "*NODE\n50, 3, 2, 4\n51, -1, .5, .5\n52\n90, 1, 2, -.5\n60, 1, 3, 3\n61, 2, 5, 3.5\n"     \
    "*COUPLING, REF NODE=50, SURFACE=TOP, CONSTRAINT NAME=A\n*DISTRIBUTING\n1, 6\n"           \
    "*COUPLING, REF NODE=51, SURFACE=SIDE, CONSTRAINT NAME=B\n*KINEMATIC\n1, 3\n"             \
    "*NSET, NSET=BODY\n60, 61\n*RIGID BODY, NSET=BODY, REF NODE=52, ROT NODE=53\n*NODE\n53\n" \
    "*MPC\nMEANROT, 2, 2, 2, 3, 3, 3, 6, 6, 6, 7, 7, 7, 90\n*MPC\nPLANE, 5, 6, 7, 8, 11\n"    \
    "*MPC\nSTRAIGHT, 15, 16, 21\n*MPC\nBEAM, 1, 7\n"

/* Displacements of a body that turns by a vector about the origin and moves; where nodes have rotations, these. */
static void move(sw_deck *deck, const sw_structure_problem *p, const double turn[3], double (*u)[3])
{
    const double shift[3] = {0.3, -0.7, 1.1};
    for (int64_t i = 0; i < p->n_nodes; i++) {
        double to[3];
        sw_deck_turn(turn, p->position[i], to, NULL);
        for (int k = 0; k < 3; k++)
            u[i][k] = to[k] - p->position[i][k] + shift[k];
    }
    for (int64_t i = 0; i < p->n_nodes; i++) {
        int64_t unknown;
        CHECK_OK(sw_deck_unknown(deck, i, 4, &unknown));
        if (unknown >= 0)
            memcpy(u[unknown / 3], turn, 3 * sizeof *turn);
    }
}

static double value_of(const sw_structure_constraint *c, const double *u, double *coefficient)
{
    double right = c->right;
    memcpy(coefficient, c->coefficient, (size_t)c->n_terms * sizeof *coefficient);
    if (c->linearise != NULL)
        c->linearise(c->data, u, coefficient, &right);
    for (int i = 0; i < c->n_terms; i++)
        right -= coefficient[i] * u[c->unknown[i]];
    return -right;
}

static void rigid_motion_is_free_in_every_constraint(void **state)
{
    const sw_structure_problem *p;
    const double axis[3] = {1, 2, -0.5}, size = sqrt(5.25);
    double coefficient[64], (*u)[3];
    int curved = 0;
    (void)state;
    sw_deck *deck = read_deck(TIED STATIC(""), &p);
    u = calloc((size_t)p->n_nodes, sizeof *u);
    for (int large = 0; large < 2; large++) {
        double turn[3];
        for (int i = 0; i < 3; i++)
            turn[i] = axis[i] / size * (large ? 0.8 : 1e-6);
        move(deck, p, turn, u);
        for (int64_t i = 0; i < p->n_nodes; i++)
            if (p->node_label[i] == 90)
                u[i][0] = large ? 0.8 : 1e-6;
        for (int64_t k = 0; k < p->n_constraints; k++) {
            const sw_structure_constraint *c = &p->constraint[k];
            curved += c->linearise != NULL;
            assert_true(c->n_terms <= 64);
            /* those that are linear are so in small turns, to their square */
            if (c->linearise != NULL || !large)
                assert_true(fabs(value_of(c, &u[0][0], coefficient)) < 1e-11);
        }
    }
    assert_true(curved > 20);
    free(u);
    sw_deck_free(deck);
}

static void constraints_are_linearised_as_differences_say(void **state)
{
    const sw_structure_problem *p;
    double coefficient[64], other[64];
    const double h = 1e-5;
    (void)state;
    sw_deck *deck = read_deck(TIED STATIC(""), &p);
    double *u = calloc((size_t)(3 * p->n_nodes), sizeof *u);
    for (int64_t i = 0; i < 3 * p->n_nodes; i++)
        u[i] = 0.2 * sin(1.0 + 7.3 * (double)i);
    for (int64_t k = 0; k < p->n_constraints; k++) {
        const sw_structure_constraint *c = &p->constraint[k];
        value_of(c, u, coefficient);
        for (int t = 0; t < c->n_terms; t++) {
            double *at = &u[c->unknown[t]], kept = *at;
            *at = kept + h;
            const double above = value_of(c, u, other);
            *at = kept - h;
            const double below = value_of(c, u, other);
            *at = kept;
            assert_true(fabs((above - below) / (2 * h) - coefficient[t]) < 1e-8);
        }
    }
    free(u);
    sw_deck_free(deck);
}

/* A plate of n by n cubes, nodes from `label` on, between two heights. */
static int add_plate(char *text, int n, int label, const char *name, double low, double high, double shift)
{
    int at = sprintf(text, "*NODE\n");
    for (int k = 0; k < 2; k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++)
                at += sprintf(text + at, "%d, %.15g, %.15g, %g\n", label + i + (n + 1) * (j + (n + 1) * k),
                              shift + (double)i / n, shift + (double)j / n, k == 0 ? low : high);
    at += sprintf(text + at, "*ELEMENT, TYPE=C3D8, ELSET=%s\n", name);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const int a = label + i + (n + 1) * j, b = a + n + 1, up = (n + 1) * (n + 1);
            at += sprintf(text + at, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", label + i + n * j, a, a + 1,
                          b + 1, b, a + up, a + 1 + up, b + 1 + up, b + up);
        }
    return at + sprintf(text + at, "*SOLID SECTION, ELSET=%s, MATERIAL=STEEL\n", name);
}

/* Of many faces each slave lies on the one under it: what is tied goes with any linear displacement. */
static void slaves_find_their_faces_among_many(void **state)
{
    enum { FACES = 12, SLAVES = 7 };
    const sw_structure_problem *p;
    int n = 0;
    char *text = malloc(100000);
    (void)state;
    assert_non_null(text);
    int at = sprintf(text, STEEL);
    at += add_plate(text + at, FACES, 1, "BELOW", 0, 1, 0);
    at += add_plate(text + at, SLAVES, 1001, "OVER", 1, 2, 1e-3);
    sprintf(
        text + at,
        "*SURFACE, NAME=TOP\nBELOW, S2\n*SURFACE, NAME=FOOT\nOVER, S1\n*TIE, NAME=T\nFOOT, TOP\n" STATIC(""));
    sw_deck *deck = read_deck(text, &p);
    free(text);
    for (int64_t k = 0; k < p->n_constraints; k++) {
        const sw_structure_constraint *c = &p->constraint[k];
        double sum[4] = {0};
        assert_true(c->unknown[0] / 3 >= 2 * (FACES + 1) * (FACES + 1) && c->n_terms > 1);
        for (int t = 0; t < c->n_terms; t++) {
            sum[3] += c->coefficient[t];
            for (int i = 0; i < 3; i++)
                sum[i] += c->coefficient[t] * p->position[c->unknown[t] / 3][i];
            assert_true(t == 0 || (c->coefficient[t] <= 1e-12 && c->coefficient[t] >= -1 - 1e-12));
        }
        for (int i = 0; i < 4; i++)
            assert_true(fabs(sum[i]) < 1e-12);
        n++;
    }
    assert_int_equal(n, 3 * (SLAVES + 1) * (SLAVES + 1));
    sw_deck_free(deck);
}

/* Nodes that are beside the master surface by less than the tolerance are put on it, unless they are told to stay. */
static void slaves_are_moved_to_their_masters(void **state)
{
    static const char *const adjust[2] = {"", ", ADJUST=NO"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[4096];
        const sw_structure_problem *p;
        snprintf(text, sizeof text,
                 BLOCKS "*NODE, NSET=ALONE\n40, 1.2, .4, 1.003\n*SURFACE, TYPE=NODE, NAME=ONE\nALONE\n"
                        "*TIE, NAME=T, POSITION TOLERANCE=.01%s\nONE, MASTER\n" STATIC(""),
                 adjust[k]);
        sw_deck *deck = read_deck(text, &p);
        for (int64_t i = 0; i < p->n_nodes; i++)
            if (p->node_label[i] == 40)
                assert_true(fabs(p->position[i][2] - (k == 0 ? 1 : 1.003)) < 1e-12);
        assert_int_equal(p->n_constraints, 3);
        double sum = 0;
        for (int t = 0; t < p->constraint[0].n_terms; t++)
            sum += p->constraint[0].coefficient[t];
        assert_true(fabs(sum) < 1e-14);
        sw_deck_free(deck);
    }
}

/* Of a slave that is prescribed, or tied twice, CalculiX ties what is left. */
static void ties_yield_to_what_is_prescribed(void **state)
{
    const sw_structure_problem *p;
    int said = 0;
    (void)state;
    sw_deck *deck = read_deck(
        BLOCKS "*TIE, NAME=T\nSLAVE, MASTER\n*TIE, NAME=U\nSLAVE, MASTER\n*BOUNDARY\n12, 1\n" STATIC(""), &p);
    for (int64_t k = 0; k < p->n_constraints; k++)
        said += p->constraint[k].n_terms > 0;
    assert_int_equal(p->n_constraints, 2 * 3 * 6);
    assert_int_equal(said, 3 * 6 - 1);
    sw_deck_free(deck);
}

/* ---- Springs, two nodes ---- */

static void springs_are_between_their_nodes(void **state)
{
    const sw_structure_problem *p;
    (void)state;
    sw_deck *deck =
        read_deck(BODY "*ELEMENT, TYPE=SPRINGA, ELSET=A\n2, 5, 3\n*SPRING, ELSET=A\n\n7.\n"
                       "*ELEMENT, TYPE=SPRING2, ELSET=B\n3, 6, 4\n*SPRING, ELSET=B\n1, 3\n8.\n" STATIC(""),
                  &p);
    assert_int_equal(p->n_springs, 2);
    assert_true(p->spring[0].node[0] == 4 && p->spring[0].node[1] == 2 && p->spring[0].component[1] == -1);
    assert_true(p->spring[1].node[0] == 5 && p->spring[1].component[0] == 0);
    assert_true(p->spring[1].node[1] == 3 && p->spring[1].component[1] == 2);
    CHECK_CLOSE(p->spring[0].row[0][1] + p->spring[0].row[0][0], 7, 0);
    sw_deck_free(deck);
}

/* In the plane nodes have two displacements. */
static void nodes_are_tied_in_the_plane(void **state)
{
    const sw_structure_problem *p;
    (void)state;
    sw_deck *deck = read_deck(
        "*NODE\n1\n2, 1\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL SECTION
        "*MPC\nTIE, 3, 4\n" STATIC(""),
        &p);
    assert_int_equal(p->n_constraints, 2);
    for (int k = 0; k < 2; k++)
        assert_true(p->constraint[k].unknown[0] == 3 * 2 + k && p->constraint[k].unknown[1] == 3 * 3 + k);
    sw_deck_free(deck);
}

/* ---- Directions ---- */

/* On a cylinder's axis, where there is none, the radius is the one that CalculiX takes. */
static void nodes_on_an_axis_have_a_radius(void **state)
{
    static const double radius[2][3] = {{0, 1, 0}, {1, 0, 0}};
    (void)state;
    for (int along = 0; along < 3; along += 2) {
        const sw_deck_axes axes = {.system = SW_DECK_CYLINDRICAL, .b = {along == 0, 0, along == 2}};
        const double at[3] = {3.0 * (along == 0), 0, 3.0 * (along == 2)};
        double rows[3][3] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
        sw_deck_axes_at(&axes, at, rows);
        for (int i = 0; i < 3; i++) {
            CHECK_CLOSE(rows[0][i], radius[along / 2][i], 0);
            CHECK_CLOSE(rows[2][i], i == along, 0);
        }
    }
}

/* Normals are kept as unit vectors; a shell that is put below its nodes is on one side of them. */
static void shells_lie_where_their_sections_say(void **state)
{
    const sw_structure_problem *p;
    (void)state;
    sw_deck *deck = read_deck(
        "*NODE\n1\n2, 1\n3, 1, 1\n4, 0, 1\n*ELEMENT, TYPE=S4, ELSET=E\n7, 1, 2, 3, 4\n" STEEL
        "*SHELL SECTION, ELSET=E, MATERIAL=STEEL, OFFSET=SPOS\n.25\n*NORMAL\n7, 2, 0, 0, 2.\n" STATIC(""),
        &p);
    assert_int_equal(deck->tying->n_normals, 1);
    assert_true(deck->tying->normals[0].element == 0 && deck->tying->normals[0].node == 1);
    CHECK_CLOSE(deck->tying->normals[0].along[2], 1, 0);
    for (int a = 0; a < 8; a++)
        CHECK_CLOSE(p->position[p->node[p->element[0].first + a]][2], a < 4 ? -0.25 : 0, 1e-15);
    sw_deck_free(deck);
}

/* ---- Couplings to shells ---- */

/* Two shells of side 1 along 1, and a node beyond the end of the second. */
#define STRIP                                                                                                \
    "*NODE\n1\n2, 1\n3, 2\n4, 0, 1\n5, 1, 1\n6, 2, 1\n20, 3, .5\n*ELEMENT, TYPE=S4, ELSET=E\n"               \
    "1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n*SHELL SECTION, ELSET=E, "        \
    "MATERIAL=M\n.1\n*BOUNDARY\n1, 1, 6\n4, 1, 6\n*SURFACE, NAME=EDGE\n2, E2\n*SURFACE, NAME=TOP\nE, SPOS\n" \
    "*SURFACE, NAME=SOME\n1, E1\n2, E1\n"

/* An edge has its two nodes, by index 2 and 5, each of which follows in two components. */
static void edges_of_shells_are_coupled_alone(void **state)
{
    const sw_structure_problem *p;
    int n[7] = {0};
    (void)state;
    sw_deck *deck =
        read_deck(STRIP "*COUPLING, REF NODE=20, SURFACE=EDGE\n*KINEMATIC\n1, 2\n" STATIC(""), &p);
    for (int64_t k = 0; k < p->n_constraints; k++)
        if (p->constraint[k].line > 0)
            n[p->constraint[k].unknown[0] / 3]++;
    for (int i = 0; i < 7; i++)
        assert_int_equal(n[i], i == 2 || i == 5 ? 2 : 0);
    sw_deck_free(deck);
}

/* Rotations follow where they are named, in either dialect, and in Abaqus' where nothing is. */
static void rotations_of_shells_are_coupled(void **state)
{
    static const struct {
        const char *components;
        int dialect, n;
    } cases[] = {{"1, 6\n", SW_DECK_CALCULIX, 12}, {"", SW_DECK_CALCULIX, 6}, {"", SW_DECK_ABAQUS, 12}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const sw_structure_problem *p;
        sw_deck *deck;
        char text[4096];
        int n = 0;
        snprintf(text, sizeof text, STRIP "*COUPLING, REF NODE=20, SURFACE=EDGE\n*KINEMATIC\n%s" STATIC(""),
                 cases[c].components);
        CHECK_OK(try_deck(text, cases[c].dialect, &deck, &p));
        for (int64_t k = 0; k < p->n_constraints; k++)
            n += p->constraint[k].line > 0;
        assert_int_equal(n, cases[c].n);
        sw_deck_free(deck);
    }
}

/* In the plane: a force of 1 across, at arm 1 from an edge of length 1, is halves of it, and a couple of 1 along. */
static void couplings_in_the_plane_have_one_rotation(void **state)
{
    static const double share[2][2] = {{1, 0.5}, {-1, 0.5}}; /* of nodes 2 and 3 */
    const sw_structure_problem *p;
    int n = 0;
    (void)state;
    sw_deck *deck = read_deck(
        "*NODE\n1\n2, 1\n3, 1, 1\n4, 0, 1\n5, 2, .5\n*ELEMENT, TYPE=CPS4, ELSET=E\n1, 1, 2, 3, 4\n" STEEL
            SECTION
        "*SURFACE, NAME=S\n1, S2\n*COUPLING, REF NODE=5, SURFACE=S\n*DISTRIBUTING\n1, 6\n" STATIC(""),
        &p);
    for (int64_t k = 0; k < p->n_constraints; k++) {
        const sw_structure_constraint *c = &p->constraint[k];
        n++;
        for (int t = 1; t < c->n_terms && c->unknown[0] == 3 * 4 + 1; t++)
            CHECK_CLOSE(-c->coefficient[t], share[c->unknown[t] / 3 - 1][c->unknown[t] % 3], 1e-12);
    }
    assert_int_equal(n, 3);
    sw_deck_free(deck);
}

/* Shares of a force along the plate: by length of edges, by area of faces. */
static void couplings_to_shells_share_by_size(void **state)
{
    static const struct {
        const char *surface;
        double share[6];
    } cases[] = {{"EDGE", {0, 0, 0.5, 0, 0, 0.5}},
                 {"SOME", {0.25, 0.5, 0.25, 0, 0, 0}},
                 {"TOP", {0.125, 0.25, 0.125, 0.125, 0.25, 0.125}}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const sw_structure_problem *p;
        char text[4096];
        double share[6] = {0};
        snprintf(text, sizeof text,
                 STRIP "*COUPLING, REF NODE=20, SURFACE=%s\n*DISTRIBUTING\n1, 3\n" STATIC(""),
                 cases[c].surface);
        sw_deck *deck = read_deck(text, &p);
        for (int64_t k = 0; k < p->n_constraints; k++)
            for (int t = 1; p->constraint[k].unknown[0] == 3 * 6 && t < p->constraint[k].n_terms; t++)
                if (p->constraint[k].unknown[t] % 3 == 0)
                    share[p->constraint[k].unknown[t] / 3] -= p->constraint[k].coefficient[t];
        for (int i = 0; i < 6; i++)
            if (!(fabs(share[i] - cases[c].share[i]) < 1e-12))
                fail_msg("%s: node %d has %g, not %g", cases[c].surface, i + 1, share[i], cases[c].share[i]);
        sw_deck_free(deck);
    }
}

/* ---- Bodies ---- */

/* Under tension 1 along 3, free to contract: u = (-nu x, -nu y, z) / E, whatever the meshes that are tied. */
static void a_tied_bar_is_stretched_as_a_whole_one(void **state)
{
    const double e = 1000, nu = 0.25;
    (void)state;
    solved s = solve_deck(
        BLOCKS "*TIE, NAME=T\nSLAVE, MASTER\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 3\n4, 1\n" STATIC(
            "*DLOAD\n2, P2, -1.\n3, P2, -1.\n"));
    for (int64_t i = 0; i < s.problem->n_nodes; i++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(s.u[i][k] - (k == 2 ? 1 : -nu) * s.problem->position[i][k] / e) < 1e-12);
    release(&s);
}

/* Supports on a plane at 30 degrees: what is prescribed is along the plane's axes, and so is the load. */
static void supports_and_loads_are_along_local_axes(void **state)
{
    (void)state;
    solved s = solve_deck(
        "*NODE, NSET=N\n1, 1, 2, 3\n2, 0, 1\n*ELEMENT, TYPE=SPRING1, ELSET=A\n1, 1\n*ELEMENT, TYPE=SPRING1, "
        "ELSET=B\n2, 1\n"
        "*ELEMENT, TYPE=SPRING1, ELSET=C\n3, 1\n*SPRING, ELSET=A\n1\n10.\n*SPRING, ELSET=B\n2\n20.\n*SPRING, "
        "ELSET=C\n3\n30.\n"
        "*NSET, NSET=ONE\n1\n*TRANSFORM, NSET=ONE\n.8, .6, 0., -.6, .8, 0.\n*BOUNDARY\n1, 2, 2, .5\n" STATIC(
            "*BOUNDARY\n1, 2, 2, .5\n*CLOAD\n1, 1, 4.\n"));
    const double *u = displacement(&s, 1);
    /* springs are along local axes, too: 10 u1 = 4 */
    assert_true(fabs(0.8 * u[0] + 0.6 * u[1] - 0.4) < 1e-12);
    assert_true(fabs(-0.6 * u[0] + 0.8 * u[1] - 0.5) < 1e-12);
    assert_true(fabs(u[2]) < 1e-12);
    release(&s);
}

/* A face turned by .01 about component 4 of a reference whose first axis is y: about that, or about x, as CalculiX 2.20 does. */
static void references_turn_about_axes_of_the_dialect(void **state)
{
    (void)state;
    for (int dialect = SW_DECK_ABAQUS; dialect <= SW_DECK_CALCULIX; dialect++) {
        const int calculix = dialect == SW_DECK_CALCULIX;
        solved s = solve_deck_as(
            BODY "*NODE, NSET=R\n9, 0, 0, 1\n*TRANSFORM, NSET=R\n0., 1., 0., -1., 0., 0.\n*SURFACE, "
                 "NAME=TOP\n1, S2\n"
                 "*COUPLING, REF NODE=9, SURFACE=TOP, CONSTRAINT NAME=C\n*KINEMATIC\n1, 3\n" STATIC(
                     "*BOUNDARY\n9, 1, 3\n9, 4, 4, .01\n9, 5, 6\n"),
            dialect);
        assert_true(fabs(displacement(&s, 8)[2] - (calculix ? .01 : 0)) < 1e-14);
        assert_true(fabs(displacement(&s, 6)[2] - (calculix ? 0 : -.01)) < 1e-14);
        release(&s);
    }
}

/* Shares of a force of 1 along 1 at (5, 2, 3) that CalculiX 2.20 gives two faces of widths 1 and 2: found there, and here, as
 * displacements of springs of 1. */
static void forces_are_distributed_as_calculix_does(void **state)
{
    static const double shares[6][4] = {
        {7, 4.166667e-02, 1.25e-01, 2.0e-01},  {8, 1.25e-01, 1.25e-01, 2.0e-01},
        {9, 8.333333e-02, -2.5e-01, -4.0e-01}, {10, 1.25e-01, 1.25e-01, 2.0e-01},
        {11, 3.75e-01, 1.25e-01, 2.0e-01},     {12, 2.5e-01, -2.5e-01, -4.0e-01}};
    (void)state;
    solved s = solve_deck(
        "*NODE, NSET=N\n1\n2, 1\n3, 3\n4, 0, 1\n5, 1, 1\n6, 3, 1\n7, 0, 0, 1\n8, 1, 0, 1\n9, 3, 0, 1\n10, 0, "
        "1, 1\n"
        "11, 1, 1, 1\n12, 3, 1, 1\n100, 5, 2, 3\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 5, 4, 7, 8, 11, 10\n"
        "2, 2, 3, 6, 5, 8, 9, 12, 11\n"
#define SPRINGS(d, n)                                                                                \
    "*ELEMENT, TYPE=SPRING1, ELSET=S" #d "\n" #n "01, 1\n" #n "02, 2\n" #n "03, 3\n" #n "04, 4\n" #n \
    "05, 5\n" #n "06, 6\n" #n "07, 7\n" #n "08, 8\n" #n "09, 9\n" #n "10, 10\n" #n "11, 11\n" #n     \
    "12, 12\n*SPRING, ELSET=S" #d "\n" #d "\n1.\n"
        SPRINGS(1, 1) SPRINGS(2, 2)
            SPRINGS(3, 3) "*MATERIAL, NAME=M\n*ELASTIC\n1.E-9, .3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                          "*SURFACE, NAME=S\n1, S2\n2, S2\n*COUPLING, REF NODE=100, SURFACE=S, CONSTRAINT "
                          "NAME=C\n*DISTRIBUTING\n1, 6\n" STATIC("*CLOAD\n100, 1, 1.\n"));
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < 3; i++)
            assert_true(fabs(displacement(&s, (int64_t)shares[k][0])[i] - shares[k][1 + i]) < 1e-6);
    release(&s);
}

/* A rigid body turned by a right angle about an axis through its reference, in ten increments of NLGEOM. */
static void rigid_bodies_turn_far(void **state)
{
    (void)state;
    solved s = solve_deck(CUBE STEEL SECTION
                          "*NODE\n20, .5, .5, 0\n21\n*RIGID BODY, NSET=ALL, REF NODE=20, ROT NODE=21\n"
                          "*STEP, NLGEOM\n*STATIC, DIRECT\n.1, 1.\n*BOUNDARY\n20, 1, 3\n21, 1, 2\n21, 3, 3, "
                          "1.5707963267948966\n"
                          "*END STEP\n");
    assert_true(fabs(displacement(&s, 7)[0] + 1) < 1e-9 && fabs(displacement(&s, 7)[1]) < 1e-9);
    assert_true(fabs(displacement(&s, 1)[0] - 1) < 1e-9 && fabs(displacement(&s, 1)[1]) < 1e-9);
    release(&s);
}

/* A moment at a rigid body's reference turns it as one at its ROT NODE does, which need not be there. */
static void moments_act_without_a_rot_node(void **state)
{
    (void)state;
#define TOP            \
    CUBE STEEL SECTION \
        "*NODE\n20, .5, .5, 1\n21\n*NSET, NSET=TOP\n5, 6, 7, 8\n*RIGID BODY, NSET=TOP, REF NODE=20"
#define TURNED(node, of) \
    STATIC("*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, 3\n*CLOAD\n" node ", " of ", 10.\n")
    solved with = solve_deck(TOP ", ROT NODE=21\n" TURNED("21", "3")),
           without = solve_deck(TOP "\n" TURNED("20", "6"));
    const double *u = displacement(&with, 7), *v = displacement(&without, 7);
    assert_true(fabs(u[0]) > 1e-9);
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(v[i], u[i], 1e-12 * fabs(u[0]));
    release(&with);
    release(&without);
}

/* CalculiX' CPS4 is C3D8 whose two nodes of a place go alike in the plane and apart across it: a cantilever of four by which
 * its displacements are met to all digits, where plane stress at every point gives 1.3 % more. */
static void plane_stress_of_calculix_is_a_solid_of_nodal_thicknesses(void **state)
{
    char text[4000];
    size_t n = 0;
    (void)state;
#define ADD(...) n += (size_t)snprintf(text + n, sizeof text - n, __VA_ARGS__)
    ADD("*NODE\n");
    for (int a = 0; a < 20; a++)
        ADD("%d,%d,%d,%g\n", a % 10 + 1 + 100 * (a / 10), a % 5, a % 10 / 5, a / 10 * .5 - .25);
    ADD("*ELEMENT,TYPE=C3D8,ELSET=E\n");
    for (int e = 1; e <= 4; e++)
        ADD("%d,%d,%d,%d,%d,%d,%d,%d,%d\n", e, e, e + 1, e + 6, e + 5, e + 100, e + 101, e + 106, e + 105);
    ADD("*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n*SOLID SECTION,ELSET=E,MATERIAL=M\n*EQUATION\n");
    for (int a = 1; a <= 10; a++)
        for (int i = 1; i <= 3; i++)
            ADD("2\n%d,%d,1.,%d,%d,%d.\n", a + 100, i, a, i, i == 3 ? 1 : -1);
    ADD("*BOUNDARY\n1,1,2\n6,1,2\n" STATIC("*CLOAD\n5,2,1.\n10,2,1.\n"));
#undef ADD
    solved s = solve_deck(text);
    CHECK_CLOSE(displacement(&s, 10)[1], 7.121286e-01, 1e-6 * 0.7);
    CHECK_CLOSE(displacement(&s, 10)[0], -1.28e-01, 1e-6 * 0.128);
    release(&s);
}

/* A sixth of a ring that spins expands as if its sides could not tell that it is cut: no shear there, and both sides alike. */
static void sectors_repeat(void **state)
{
    const double c = cos(acos(-1.0) / 3), w = sin(acos(-1.0) / 3);
    char text[2048];
    (void)state;
    snprintf(text, sizeof text,
             "*NODE, NSET=N\n1, 1\n2, 2\n3, %.17g, %.17g\n4, %.17g, %.17g\n5, 1, 0, 1\n6, 2, 0, 1\n7, %.17g, "
             "%.17g, 1\n"
             "8, %.17g, %.17g, 1\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
             "*MATERIAL, NAME=M\n*ELASTIC\n1000., .25\n*DENSITY\n1.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
             "*SURFACE, NAME=LEFT\n1, S3\n*SURFACE, NAME=RIGHT\n1, S5\n*TIE, NAME=T, CYCLIC SYMMETRY\nRIGHT, "
             "LEFT\n"
             "*CYCLIC SYMMETRY MODEL, N=6, TIE=T\n0., 0., 0., 0., 0., 1.\n*BOUNDARY\n1, 3\n" STATIC(
                 "*BOUNDARY\n1, 2\n*DLOAD\nE, CENTRIF, 1., 0., 0., 0., 0., 0., 1.\n"),
             2 * c, 2 * w, c, w, 2 * c, 2 * w, c, w);
    solved s = solve_deck(text);
    const double *near = displacement(&s, 2), *far = displacement(&s, 3);
    assert_true(near[0] > 1e-4 && fabs(near[1]) < 1e-12);
    assert_true(fabs(far[0] - c * near[0]) < 1e-12 && fabs(far[1] - w * near[0]) < 1e-12);
    release(&s);
}

/* A set in the place of a node is a line for each of its nodes, as Abaqus/CAE writes them; of two sets node by node. */
static void mpcs_of_sets_are_as_many(void **state)
{
    static const struct {
        const char *sets, *nodes;
    } cases[] = {{"BEAM, TOP, 9\n", "BEAM, 5, 9\nBEAM, 6, 9\nBEAM, 7, 9\nBEAM, 8, 9\n"},
                 {"PIN, TOP, 9\n", "PIN, 5, 9\nPIN, 6, 9\nPIN, 7, 9\nPIN, 8, 9\n"},
                 {"BEAM, SIDE, OTHER\nTIE, 9, 7\n", "BEAM, 5, 6\nBEAM, 8, 7\nTIE, 9, 7\n"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        solved s[2];
        for (int way = 0; way < 2; way++) {
            char text[2048];
            snprintf(text, sizeof text,
                     BODY
                     "*NODE\n9, .5, .5, 2.\n*NSET, NSET=TOP\n5, 6, 7, 8\n*NSET, NSET=SIDE, UNSORTED\n5, 8\n"
                     "*NSET, NSET=OTHER, UNSORTED\n6, 7\n*MPC\n%s" STATIC("*CLOAD\n9, 1, 10.\n9, 3, 5.\n"),
                     way == 0 ? cases[k].sets : cases[k].nodes);
            s[way] = solve_deck_as(text, SW_DECK_ABAQUS);
        }
        assert_true(fabs(displacement(&s[0], 9)[0]) > 1e-6);
        for (int64_t label = 1; label <= 9; label++)
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE(displacement(&s[0], label)[i], displacement(&s[1], label)[i], 1e-16);
        release(&s[0]);
        release(&s[1]);
    }
}

/* A radius that holds all of the surface, and words for what is done anyhow, change nothing. */
static void couplings_are_as_without_words(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"", ""},
        {", INFLUENCE RADIUS=1.2248", ", WEIGHTING METHOD=UNIFORM, ROTATIONAL COUPLING"},
        {"", ", ROTATIONAL COUPLING=CONTINUUM"}};
    double first[3] = {0};
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 BODY "*NODE\n9, .5, .5, 2.\n*SURFACE, NAME=S\nE, S2\n*COUPLING, REF NODE=9, SURFACE=S%s\n"
                      "*DISTRIBUTING%s\n" STATIC("*CLOAD\n9, 1, 10.\n9, 5, 3.\n"),
                 words[k][0], words[k][1]);
        solved s = solve_deck_as(text, SW_DECK_ABAQUS);
        for (int i = 0; i < 3; i++) {
            first[i] = k == 0 ? displacement(&s, 7)[i] : first[i];
            CHECK_CLOSE(displacement(&s, 7)[i], first[i], 1e-16);
        }
        release(&s);
    }
}

/* ---- What is refused ---- */

static void faults_are_told_with_their_line(void **state)
{
    static const refusal faults[] = {
        {BODY "*EQUATION\n2\n1, 1, 1.\n" STATIC(""),
         "deck.inp:22: *EQUATION: 2 terms are announced, 1 are there"},
        {BODY "*EQUATION\n2\n5, 1, 1., 6, 4, 1.\n" STATIC(""),
         "deck.inp:22: *EQUATION: component 4 of node 6: it has no rotations"},
        {BODY "*MPC\nDIST, 1, 1, 1, 2, 2, 2, 3\n" STATIC(""), "deck.inp:22: *MPC: DIST: PLANE, STRAIGHT"},
        {BODY "*MPC\nBEAM, 5, 6, 7\n" STATIC(""), "deck.inp:22: *MPC: BEAM with 3 nodes: at most 2"},
        {BODY "*NSET, NSET=A\n5, 6, 7\n*NSET, NSET=B\n1, 2\n*MPC\nTIE, A, B\n" STATIC(""),
         "deck.inp:26: *MPC: TIE: sets of 2 and 3 nodes: need as many, or one"},
        {BODY "*NODE\n9, .5, .5, 2.\n*SURFACE, NAME=S\nE, S2\n*COUPLING, REF NODE=9, SURFACE=S, INFLUENCE "
              "RADIUS=1.2\n*KINEMATIC\n" STATIC(""),
         "deck.inp:25: *COUPLING: INFLUENCE RADIUS=1.2: whole surfaces are coupled, and a node of S is "
         "1.22474 from"},
        {BODY "*KINEMATIC\n1, 3\n" STATIC(""), "deck.inp:21: *KINEMATIC: it follows no *COUPLING"},
        {BODY "*SURFACE, NAME=A\nE, S1\n*SURFACE, NAME=B\nE, S2\n*TIE, NAME=T\nA, B\n" STATIC(""),
         "deck.inp:25: *TIE: none of the 4 slave nodes is within 0.025 of the master surface"},
        {BODY "*RIGID BODY, NSET=ALL, REF NODE=77\n" STATIC(""),
         "deck.inp:21: *RIGID BODY: there is no node 77"},
    };
    (void)state;
    REFUSE_DECKS(faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_keep_lengths_and_have_their_derivatives),
        cmocka_unit_test(rigid_motion_is_free_in_every_constraint),
        cmocka_unit_test(constraints_are_linearised_as_differences_say),
        cmocka_unit_test(slaves_find_their_faces_among_many),
        cmocka_unit_test(slaves_are_moved_to_their_masters),
        cmocka_unit_test(springs_are_between_their_nodes),
        cmocka_unit_test(ties_yield_to_what_is_prescribed),
        cmocka_unit_test(nodes_are_tied_in_the_plane),
        cmocka_unit_test(nodes_on_an_axis_have_a_radius),
        cmocka_unit_test(shells_lie_where_their_sections_say),
        cmocka_unit_test(edges_of_shells_are_coupled_alone),
        cmocka_unit_test(rotations_of_shells_are_coupled),
        cmocka_unit_test(couplings_in_the_plane_have_one_rotation),
        cmocka_unit_test(couplings_to_shells_share_by_size),
        cmocka_unit_test(mpcs_of_sets_are_as_many),
        cmocka_unit_test(couplings_are_as_without_words),
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(a_tied_bar_is_stretched_as_a_whole_one),
        cmocka_unit_test(references_turn_about_axes_of_the_dialect),
        cmocka_unit_test(supports_and_loads_are_along_local_axes),
        cmocka_unit_test(forces_are_distributed_as_calculix_does),
        cmocka_unit_test(rigid_bodies_turn_far),
        cmocka_unit_test(moments_act_without_a_rot_node),
        cmocka_unit_test(plane_stress_of_calculix_is_a_solid_of_nodal_thicknesses),
        cmocka_unit_test(sectors_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
