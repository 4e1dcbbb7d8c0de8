/* Shells and beams as solids: displacements that CalculiX 2.20 gives the same decks, to its seven digits, and beams' formula. */
#include "solved.h"

#include <string.h>

#include "common/math/vector.h"
#include "online/fem/tying/shared.h"

/* ---- Decks ---- */

/* Cantilevers of length 2 along 1. Labels are those of CalculiX' runs. */
#define FOUR_BEAMS(type)                                                              \
    "*NODE, NSET=N\n1\n2, .25\n3, .5\n4, .75\n5, 1\n6, 1.25\n7, 1.5\n8, 1.75\n9, 2\n" \
    "*ELEMENT, TYPE=" type ", ELSET=E\n1, 1, 2, 3\n2, 3, 4, 5\n3, 5, 6, 7\n4, 7, 8, 9\n*NSET, NSET=FIX\n1\n"
#define FOUR_STRAIGHT_BEAMS(type)                                       \
    "*NODE, NSET=N\n1\n2, .5\n3, 1\n4, 1.5\n5, 2\n*ELEMENT, TYPE=" type \
    ", ELSET=E\n1, 1, 2\n2, 2, 3\n3, 3, 4\n"                            \
    "4, 4, 5\n*NSET, NSET=FIX\n1\n"
#define BEAM(shape, size, more) \
    "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=" shape more "\n" size "\n0., 0., -1.\n"
#define REST(loads)                                                                                     \
    "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, .3\n*DENSITY\n2.\n*BOUNDARY\nFIX, 1, 6\n*STEP\n*STATIC\n" loads \
    "*END STEP\n"

enum { ROOM = 8192 };

/* 4 by 2 shells of length 2 and width 1, of four or eight nodes, numbered along 1 first. */
static void plate(const char *type, int quadratic, const char *section, const char *loads, char *text)
{
    int number[5][9] = {{0}}, n = 0, at = 0;
    const int step = quadratic ? 2 : 1, nx = 4 * step, ny = 2 * step;
    at += snprintf(text + at, ROOM, "*NODE, NSET=N\n");
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++)
            if (!(quadratic && i % 2 && j % 2)) {
                number[j][i] = ++n;
                at += snprintf(text + at, 64, "%d, %g, %g\n", n, 2.0 * i / nx, 1.0 * j / ny);
            }
    at += snprintf(text + at, 64, "*ELEMENT, TYPE=%s, ELSET=E\n", type);
    for (int e = 0; e < 8; e++) {
        const int i = e % 4 * step, j = e / 4 * step;
        at += snprintf(text + at, 64, "%d, %d, %d, %d, %d", e + 1, number[j][i], number[j][i + step],
                       number[j + step][i + step], number[j + step][i]);
        if (quadratic)
            at += snprintf(text + at, 64, ", %d, %d, %d, %d", number[j][i + 1], number[j + 1][i + 2],
                           number[j + 2][i + 1], number[j + 1][i]);
        at += snprintf(text + at, 64, "\n");
    }
    at += snprintf(text + at, 64, "*NSET, NSET=FIX\n");
    for (int j = 0; j <= ny; j++)
        at += snprintf(text + at, 64, "%d\n", number[j][0]);
    snprintf(text + at, 2048, "%s" REST("%s"), section, loads);
}

/* One component of one node's displacement, to relative 1e-6: CalculiX prints seven digits. */
static void compare_as(const char *text, int dialect, int64_t label, int component, double calculix)
{
    solved s = solve_deck_as(text, dialect);
    const double ours = displacement(&s, label)[component - 1];
    if (!(fabs(ours - calculix) <= 1e-6 * fabs(calculix)))
        fail_msg("node %lld, component %d: %.7e, CalculiX has %.7e\n%s", (long long)label, component, ours,
                 calculix, text);
    release(&s);
}

static void compare(const char *text, int64_t label, int component, double calculix)
{
    compare_as(text, SW_DECK_CALCULIX, label, component, calculix);
}

/* A listener: the first of what is said, [512]. */
static void hear(void *said, sw_notice notice, const char *text)
{
    (void)notice;
    if (*(char *)said == '\0')
        snprintf(said, 512, "%s", text);
}

static void refuse_as_abaqus(const char *text, const char *says)
{
    sw_deck *deck;
    const sw_structure_problem *problem;
    assert_int_equal(try_deck(text, SW_DECK_ABAQUS, &deck, &problem), SW_ERR_INPUT);
    if (strstr(sw_error_message(), says) == NULL)
        fail_msg("%s", sw_error_message());
}

/* ---- Equations ---- */

/* Two shells of eight nodes, 1 x 1 x .2, side by side along x, those of the second from 11 on; held in their plane. */
#define TWO_SHELLS                                                                                           \
    "*NODE, NSET=ALL\n1\n2, 1\n3, 1, 1\n4, 0, 1\n5, .5\n6, 1, .5\n7, .5, 1\n8, 0, .5\n11, 1\n12, 2\n13, 2, " \
    "1\n"                                                                                                    \
    "14, 1, 1\n15, 1.5\n16, 2, .5\n17, 1.5, 1\n18, 1, .5\n*ELEMENT, TYPE=S8, ELSET=E\n"                      \
    "1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 11, 12, 13, 14, 15, 16, 17, 18\n*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n" \
    "*SHELL SECTION, ELSET=E, MATERIAL=M\n.2\n*BOUNDARY\n1, 1, 6\n4, 1, 6\n8, 1, 6\nALL, 3\n"
#define PULLED STATIC("*CLOAD\n12, 1, 1.\n13, 2, .5\n")

/* Of a node in equations and the like it is the two sides of the shell that count. */
static void nodes_in_equations_are_the_mean_of_two_sides(void **state)
{
    static const char *const ties[] = {
        "*EQUATION\n2\n11, 1, 1., 2, 1, -1.\n2\n11, 2, 1., 2, 2, -1.\n2\n14, 1, 1., 3, 1, "
        "-1.\n2\n14, 2, 1., 3, 2, -1.\n2\n18, 1, 1., 6, 1, -1.\n2\n18, 2, 1., 6, 2, -1.\n",
        "*MPC\nPIN, 11, 2\nPIN, 14, 3\nPIN, 18, 6\n"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[ROOM];
        snprintf(text, sizeof text, TWO_SHELLS "%s" PULLED, ties[k]);
        compare(text, 12, 1, 7.295009e-02);
        compare(text, 13, 2, 1.514763e-01);
    }
}

/* A strip of shells, 10 x 1 x .1, E = 1e6, nu = 0, held at x = 0: EI = 1e6 / 12000. A distributing coupling on the far edge, whose
 * nodes are on a line, with its reference 0 or 2 beyond. Deflection and rotation of a moment M there are M L^2 / 2 EI and M L / EI,
 * to what round-off a condition of 1e9 leaves; CalculiX moves nothing. */
static void edges_carry_moments_about_them(void **state)
{
    const double ei = 1e6 / 12000, length = 10;
    double tip[3][2];
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const char *const load[] = {"900, 5, -1.", "900, 3, 1.", "900, 3, 1."};
        const int beyond = k == 2 ? 2 : 0;
        char text[ROOM];
        int n = snprintf(text, sizeof text, "*NODE\n900, %d, .5\n", 10 + beyond);
        for (int i = 0; i <= 10; i++)
            for (int j = 0; j < 3; j++)
                n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %g\n", 3 * i + j + 1, i, .5 * j);
        n += snprintf(text + n, sizeof text - (size_t)n, "*ELEMENT, TYPE=S8, ELSET=E\n");
        for (int e = 0; e < 5; e++) {
            const int a = 6 * e + 1;
            n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", e + 1, a,
                          a + 6, a + 8, a + 2, a + 3, a + 7, a + 5, a + 1);
        }
        snprintf(text + n, sizeof text - (size_t)n,
                 "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, 0.\n*SHELL SECTION, ELSET=E, "
                 "MATERIAL=M\n.1\n*BOUNDARY\n1, 1, 6\n2, 1, "
                 "6\n3, 1, 6\n*SURFACE, NAME=S\n5, S4\n*COUPLING, CONSTRAINT NAME=C, REF NODE=900, "
                 "SURFACE=S\n*DISTRIBUTING\n1, "
                 "6\n*STEP\n*STATIC\n*CLOAD\n%s\n*END STEP\n",
                 load[k]);
        solved s = solve_deck(text);
        tip[k][0] = displacement(&s, 32)[2];
        tip[k][1] = displacement(&s, 900)[2];
        release(&s);
    }
    CHECK_CLOSE(tip[0][0], length * length / (2 * ei), 2e-6);
    CHECK_CLOSE(tip[0][1], tip[0][0], 1e-6);
    /* by its arm a force is a moment, too: 2 M, and the reference has the edge's rotation */
    CHECK_CLOSE(tip[2][0] - tip[1][0], 2 * length * length / (2 * ei), 2e-5);
    CHECK_CLOSE(tip[2][1] - tip[2][0], 2 * (length * length / 2 + 2 * length) / ei, 2e-5);
}

/* A strip of shells, 10 x 1 x .1, turned by 30 degrees about its length, bent by a moment of 1 along its edge: M L^2 / 2 EI, whatever
 * the axes, as CalculiX has it. */
static void moments_are_vectors(void **state)
{
    const double ei = 1e6 / 12000, c = cos(M_PI / 6), s = sin(M_PI / 6);
    char text[ROOM];
    int n = snprintf(text, sizeof text, "*NODE\n");
    (void)state;
    for (int i = 0; i <= 10; i++)
        for (int j = 0; j < 3; j++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %.12g, %.12g\n", 3 * i + j + 1, i,
                          .5 * j * c, .5 * j * s);
    n += snprintf(text + n, sizeof text - (size_t)n, "*ELEMENT, TYPE=S8, ELSET=E\n");
    for (int e = 0; e < 5; e++) {
        const int a = 6 * e + 1;
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", e + 1, a,
                      a + 6, a + 8, a + 2, a + 3, a + 7, a + 5, a + 1);
    }
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, 0.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n.1\n"
                  "*BOUNDARY\n1, 1, 6\n2, 1, 6\n3, 1, 6\n*STEP\n*STATIC\n*CLOAD\n");
    for (int j = 0; j < 3; j++) {
        const double part = j == 1 ? 4.0 / 6 : 1.0 / 6;
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, 5, %.12g\n%d, 6, %.12g\n", 31 + j, -part * c,
                      31 + j, -part * s);
    }
    snprintf(text + n, sizeof text - (size_t)n, "*END STEP\n");
    solved solution = solve_deck(text);
    const double *u = displacement(&solution, 32);
    CHECK_CLOSE(u[2] * c - u[1] * s, 100 / (2 * ei),
                1e-3 * 0.6); /* the edge carries it by thirds: its rim bends */
    CHECK_CLOSE(u[1] * c + u[2] * s, 0, 1e-6);
    release(&solution);
}

/* Membranes in their plane are plane stress, but for a thickness that nodes have here and points there. CalculiX' M3D8 is 3 %
 * softer, its M3D8R singular. */
static void quadratic_membranes_are_as_stiff_as_plane_stress(void **state)
{
    static const char *const type[2][2] = {{"M3D8", "CPS8"}, {"M3D8R", "CPS8R"}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        double tip[2];
        for (int plane = 0; plane < 2; plane++) {
            char text[2 * ROOM];
            plate(type[k][plane], 1,
                  plane ? "*SOLID SECTION, ELSET=E, MATERIAL=M\n.1\n"
                        : "*MEMBRANE SECTION, ELSET=E, MATERIAL=M\n.1\n*BOUNDARY\nN, 3\n",
                  "*CLOAD\n9, 2, 1.\n23, 2, 4.\n37, 2, 1.\n", text);
            solved s = solve_deck(text);
            tip[plane] = displacement(&s, 37)[1];
            release(&s);
        }
        CHECK_CLOSE(tip[0] / tip[1], 1, 1e-3);
    }
}

/* CalculiX' example pret7: its stress is 1044.885 where ours was 1049.184 of the mean through the thickness. */
static void edges_are_cut_as_calculix_cuts_them(void **state)
{
    (void)state;
    compare("*NODE\n1, .1, 2\n2, .1, 1\n3, 1.1, 1\n4, 1.1, 2\n5, .1, 1.5\n6, .6, 1\n7, 1.1, 1.5\n8, .6, "
            "2\n9, .1\n10, 1.1\n"
            "11, .1, .5\n12, .6\n13, 1.1, .5\n14\n*ELEMENT, TYPE=S8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
            "2, 2, 9, 10, 3, 11, 12, 13, 6\n*MATERIAL, NAME=M\n*ELASTIC\n210000., .3\n*SHELL SECTION, "
            "ELSET=E, MATERIAL=M\n.1\n"
            "*BOUNDARY\n1, 1, 2\n8, 2\n4, 2\n9, 1, 2\n12, 2\n10, 2\n*NSET, NSET=Z\n1, 4, 8, 9, 10, "
            "12\n*BOUNDARY\nZ, 3, 4\n"
            "*SURFACE, NAME=S1\n1, S4\n*PRE-TENSION SECTION, SURFACE=S1, NODE=14\n" STATIC(
                "*BOUNDARY\n14, 1, 1, .01\n"),
            13, 2, 2.496968e-03);
}

/* ---- Beams ---- */

static void beams_are_those_of_calculix(void **state)
{
#define TIP(d, f) "*CLOAD\n9, " d ", " f "\n"
    (void)state;
    compare(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST(TIP("2", "1.")), 9, 2, 5.868545e-03);
    compare(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", ", OFFSET1=.5") REST(TIP("2", "1.")), 9, 2,
            5.868545e-03);
    compare(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST(TIP("5", "1.")), 9, 3, -9.751174e-03);
    compare(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST("*DLOAD\nE, P1, 1.\n"), 9, 3, -2.886075e-03);
    compare(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST("*DLOAD\nE, P2, 1.\n"), 9, 2, 8.790493e-04);
    compare(FOUR_BEAMS("B32") BEAM("RECT", ".2, .3", "") REST(TIP("2", "1.")), 9, 2, 5.854110e-03);
    compare(FOUR_BEAMS("B32R") BEAM("CIRC", ".2", "") REST(TIP("2", "1.")), 9, 2, 3.298001e-02);
    compare(FOUR_BEAMS("B32R") BEAM("PIPE", ".1, .02", "") REST(TIP("3", "1.")), 9, 3, 5.632375e-02);
    compare(FOUR_BEAMS("B32R") BEAM("BOX", ".2, .3, .01, .02, .03, .04", "") REST(TIP("3", "1.")), 9, 3,
            2.471363e-02);
    compare(FOUR_BEAMS("B32R") BEAM("BOX", ".2, .3, .01, .02, .03, .04", "") REST(TIP("3", "1.")), 9, 2,
            -1.082345e-03);
    compare(FOUR_STRAIGHT_BEAMS("B31") BEAM("RECT", ".2, .3", "") REST("*CLOAD\n5, 2, 1.\n"), 5, 2,
            5.909227e-03);
}

/* F L^3 / (3 E I) + F L / (G A): shear is the same over the section. Without Poisson's contraction, which the clamped end
 * would resist. */
static void slender_beams_follow_the_formula(void **state)
{
    const double l = 2, e = 1e6, b = 0.1, h = 0.12, i = b * h * h * h / 12, g = e / 2;
    const double bends = l * l * l / (3 * e * i), shears = l / (g * b * h);
    (void)state;
    solved s = solve_deck(
        FOUR_BEAMS("B32R") BEAM("RECT", ".1, .12", "") "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, 0.\n"
                                                       "*BOUNDARY\n1, 1, 6\n" STATIC("*CLOAD\n9, 2, 1.\n"));
    assert_true(fabs(displacement(&s, 9)[1] / (bends + shears) - 1) < 1e-4);
    release(&s);
}

/* Pull and weight of an area, a bend of M L^2 / (2 E I): round sections, pipes and boxes of straight beams, radius .1, wall .02; .2
 * square with walls .01, whose middles count; E = 1e6, no Poisson's contraction, to round-off. */
static void straight_beams_have_sections(void **state)
{
    static const struct {
        const char *shape, *size;
        double area, second;
    } section[] = {{"CIRC", ".1", M_PI * .01, M_PI / 4 * 1e-4},
                   {"PIPE", ".1, .02", M_PI * .0036, M_PI / 4 * (1e-4 - .08 * .08 * .08 * .08)},
                   {"BOX", ".2, .2, .01, .01, .01, .01", 4 * .01 * .19, 2. / 3 * .01 * .19 * .19 * .19}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double area = section[k].area, second = section[k].second, l = 2, e = 1e6;
        char text[ROOM];
        snprintf(text, sizeof text,
                 "*NODE, NSET=N\n1\n2, .5\n3, 1\n4, 1.5\n5, 2\n*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n2, 2, "
                 "3\n3, 3, 4\n4, 4, 5\n"
                 "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=%s\n%s\n0., 0., -1.\n*MATERIAL, "
                 "NAME=M\n*ELASTIC\n1.E6, 0.\n*DENSITY\n2.\n"
                 "*BOUNDARY\n1, 1, 6\n*STEP\n*STATIC\n*CLOAD\n5, 1, 1.\n5, 5, 1.\n*END STEP\n*STEP\n*STATIC\n"
                 "*CLOAD, OP=NEW\n*DLOAD\nE, GRAV, 3., 1., 0., 0.\n*END STEP\n",
                 section[k].shape, section[k].size);
        solved s = solve_deck_as(text, SW_DECK_ABAQUS);
        CHECK_CLOSE(displacement(&s, 5)[0], 2. * 3 * l * l / (2 * e),
                    1e-13); /* weight and stiffness: of one area */
        release(&s);
        *strstr(text, "*END STEP\n*STEP") = '\0';
        strcat(text, "*END STEP\n");
        s = solve_deck_as(text, SW_DECK_ABAQUS);
        CHECK_CLOSE(displacement(&s, 5)[0], l / (e * area), 1e-13);
        CHECK_CLOSE(displacement(&s, 5)[2], -l * l / (2 * e * second), 1e-9);
        release(&s);
    }
}

/* Abaqus' P1, P2, PX, PY, PZ are forces per length of beams: CalculiX' pressures times widths .3 and .2 of its own runs, and
 * q L^2 / (2 E A), L = 2, E = 1e6. */
static void abaqus_loads_beams_by_length(void **state)
{
    static const char *const pull[] = {BEAM("RECT", ".1, .2", ""), BEAM("CIRC", ".1", ""),
                                       BEAM("PIPE", ".1, .02", "")};
    static const double area[] = {.02, M_PI * .01, M_PI * .0036};
    const char *wrong = FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST("*DLOAD\nE, P3, .3\n");
    (void)state;
    compare_as(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST("*DLOAD\nE, P1, .3\n"), SW_DECK_ABAQUS, 9,
               3, -2.886075e-03);
    compare_as(FOUR_BEAMS("B32R") BEAM("RECT", ".2, .3", "") REST("*DLOAD\nE, P2, .2\n"), SW_DECK_ABAQUS, 9,
               2, 8.790493e-04);
    for (int k = 0; k < 3; k++) {
        char text[ROOM];
        snprintf(text, sizeof text,
                 FOUR_STRAIGHT_BEAMS("B31") "%s*MATERIAL, NAME=M\n*ELASTIC\n1.E6, 0.\n*BOUNDARY\nFIX, 1, "
                                            "6\n" STATIC("*DLOAD\nE, PX, 3.\n"),
                 pull[k]);
        compare_as(text, SW_DECK_ABAQUS, 5, 1, 3 * 2 * 2 / (2 * 1e6 * area[k]));
    }
    refuse_as_abaqus(wrong, "load P3 of element 1 of type B32R is not computed: need P1, P2, PX, PY or PZ");
}

/* A cantilever of two B32R, .1 by .2, L = 2, turned by the rotation vector (2, .3, .1) with its load across the weak axis: as far as
 * along the axes of space, to round-off times the condition. */
static void clamps_hold_however_a_beam_lies(void **state)
{
    const double turned[3] = {2, .3, .1}, still[3] = {0};
    double tip[2][3];
    (void)state;
    for (int k = 0; k < 2; k++) {
        double x[3], n[3], f[3], derivative[3][3];
        char text[ROOM];
        sw_deck_turn(k == 0 ? still : turned, (const double[3]){1, 0, 0}, x, derivative);
        sw_deck_turn(k == 0 ? still : turned, (const double[3]){0, 1, 0}, n, derivative);
        sw_deck_turn(k == 0 ? still : turned, (const double[3]){0, 0, 1}, f, derivative);
        int at = snprintf(text, ROOM, "*NODE\n");
        for (int i = 0; i < 5; i++)
            at += snprintf(text + at, 128, "%d, %.15g, %.15g, %.15g\n", i + 1, .5 * i * x[0], .5 * i * x[1],
                           .5 * i * x[2]);
        snprintf(text + at, 2048,
                 "*ELEMENT, TYPE=B32R, ELSET=E\n1, 1, 2, 3\n2, 3, 4, 5\n*BEAM SECTION, ELSET=E, MATERIAL=M, "
                 "SECTION=RECT\n.2, .1\n%.15g, %.15g, %.15g\n*MATERIAL, NAME=M\n*ELASTIC\n1.E6, "
                 ".3\n*BOUNDARY\n1, 1, 6\n" STATIC("*CLOAD\n5, 1, %.15g\n5, 2, %.15g\n5, 3, %.15g\n"),
                 n[0], n[1], n[2], f[0], f[1], f[2]);
        solved s = solve_deck_as(text, SW_DECK_ABAQUS);
        const double *u = displacement(&s, 5);
        tip[k][0] = sw_dot(u, x);
        tip[k][1] = sw_dot(u, n);
        tip[k][2] = sw_dot(u, f);
        release(&s);
    }
    for (int i = 0; i < 3; i++)
        CHECK_CLOSE(tip[1][i], tip[0][i], 1e-8 * tip[0][2]);
}

/* A gradient g along direction 1 or 2 bends by alpha g L^2 / 2 in both dialects, to 10 % of the clamp's; linear elements have none of
 * it: said, and refused by Abaqus' dialect. */
static void gradients_bend_what_is_quadratic(void **state)
{
    static const char hot[] =
        BEAM("RECT", ".2, .1",
             "") "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, 0.\n*EXPANSION\n1e-4\n*BOUNDARY\n1, 1, 6\n"
                 "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nN, 0.\n" STATIC("*TEMPERATURE\nN, 0., 0., 50.\n");
    char text[ROOM];
    (void)state;
    snprintf(text, sizeof text, "%s%s", FOUR_BEAMS("B32R"), hot);
    for (int dialect = 0; dialect < 2; dialect++) {
        solved s = solve_deck_as(text, dialect);
        CHECK_CLOSE(fabs(displacement(&s, 9)[2]), 1e-4 * 50 * 2 * 2 / 2, 1e-3);
        release(&s);
    }
    snprintf(text, sizeof text, "%s%s", FOUR_STRAIGHT_BEAMS("B31"), hot);
    refuse_as_abaqus(text, "*TEMPERATURE: a gradient of 50 through element 1 of type B31 is not computed");
    char said[512] = "";
    sw_listen(hear, said);
    solved s = solve_deck(text);
    sw_listen(NULL, NULL);
    assert_true(displacement(&s, 5)[2] == 0);
    assert_non_null(strstr(said, "*TEMPERATURE: gradients of 50 do nothing to element 1 of type B31"));
    release(&s);
}

/* A round beam on two supports that hold it from turning about its axis bends at them: F L^3 / (48 E I), 1.5 % of shear and 2 % of the
 * section. CalculiX 2.20 has .36 to .56 of it. */
static void round_sections_turn_where_a_rotation_is_held(void **state)
{
    (void)state;
    for (int dialect = 0; dialect < 2; dialect++) {
        char text[ROOM];
        snprintf(text, sizeof text,
                 FOUR_BEAMS("B32R") "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=CIRC\n%g\n0., 0., "
                                    "-1.\n*MATERIAL, NAME=M\n"
                                    "*ELASTIC\n1.E6, 0.\n*BOUNDARY\n1, 1, 4\n9, 2, 4\n" STATIC(
                                        "*CLOAD\n5, 3, 1.\n"),
                 dialect == SW_DECK_ABAQUS ? .1 : .2);
        solved s = solve_deck_as(text, dialect);
        CHECK_CLOSE(displacement(&s, 5)[2] / (8 / (48 * 1e6 * M_PI * 1e-4 / 4)), 1, 0.05);
        release(&s);
    }
}

/* A pipe of short B32R, half as long as high, pulled at its end: F L / (E A) with --dialect abaqus; CalculiX 2.20
 * pulls the corners of the section out, 1.8868 of it with 20. */
static void sections_stay_plane_where_they_are_loaded(void **state)
{
    static const struct {
        int dialect;
        const char *tie, *loaded;
        double by;
    } cases[] = {{SW_DECK_ABAQUS, "", "41", 1},
                 {SW_DECK_ABAQUS, "*EQUATION\n2\n900, 1, 1., 41, 1, -1.\n", "900", 1},
                 {SW_DECK_CALCULIX, "", "41", 1.8868}};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[ROOM];
        int at = snprintf(text, ROOM, "*NODE\n900, 2.\n");
        for (int i = 0; i <= 40; i++)
            at += snprintf(text + at, 32, "%d, %g\n", i + 1, .05 * i);
        at += snprintf(text + at, 64, "*ELEMENT, TYPE=B32R, ELSET=E\n");
        for (int i = 0; i < 20; i++)
            at += snprintf(text + at, 64, "%d, %d, %d, %d\n", i + 1, 2 * i + 1, 2 * i + 2, 2 * i + 3);
        snprintf(text + at, 1024,
                 BEAM("PIPE", ".1, .02", "") "*MATERIAL, NAME=M\n*ELASTIC\n1.E6, .3\n%s*BOUNDARY\n1, 1, "
                                             "6\n900, 2, 3\n" STATIC("*CLOAD\n%s, 1, 1.\n"),
                 cases[k].tie, cases[k].loaded);
        solved s = solve_deck_as(text, cases[k].dialect);
        CHECK_CLOSE(displacement(&s, 41)[0] / (2 / (1e6 * M_PI * .0036)), cases[k].by, 1e-4);
        release(&s);
    }
}

/* Two beams that meet at a right angle: a knot, which turns as one body. */
static void knots_are_those_of_calculix(void **state)
{
    static const char corner[] =
        "*NODE, NSET=N\n1\n2, .5\n3, 1\n4, 1, .5\n5, 1, 1\n*ELEMENT, TYPE=B32R, ELSET=E\n1, 1, 2, 3\n"
        "2, 3, 4, 5\n*NSET, NSET=FIX\n1\n"
        "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n.1, .2\n0., 0., 1.\n" REST(
            "*CLOAD\n5, 3, 1.\n5, 1, 2.\n");
    (void)state;
    compare(corner, 5, 1, 3.648239e-02);
    compare(corner, 5, 2, -1.344798e-02);
    compare(corner, 5, 3, 8.189167e-02);
}

/* ---- Shells ---- */

#define THIN "*SHELL SECTION, ELSET=E, MATERIAL=M\n.1\n"

static void shells_are_those_of_calculix(void **state)
{
    static const struct {
        const char *type;
        int quadratic;
        const char *loads;
        int64_t label;
        int component;
        double calculix;
    } cases[] = {
        {"S8R", 1, "*CLOAD\n23, 5, 1.\n", 23, 3, -2.336581e-02},
        {"S8R", 1, "*DLOAD\n8, EDNOR2, 1.\n", 37, 1, -2.391195e-05},
        {"S8R", 1, "*DLOAD\nE, P, 1.\n", 23, 3, 2.185515e-02},
        {"S8R", 1, "*DLOAD\nE, GRAV, 10., 0., 0., -1.\n", 23, 3, -4.369968e-02},
        {"S8", 1, "*CLOAD\n23, 3, 1.\n", 37, 3, 2.895200e-02},
        {"S8", 1, "*CLOAD\n23, 3, 1.\n", 23, 3, 2.935763e-02},
        {"S4", 0, "*CLOAD\n10, 3, 1.\n", 5, 3, 2.963156e-02},
        {"S4R", 0, "*CLOAD\n10, 3, 1.\n", 5, 3, 9.717158e-02},
    };
    char text[ROOM];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        plate(cases[k].type, cases[k].quadratic, THIN, cases[k].loads, text);
        compare(text, cases[k].label, cases[k].component, cases[k].calculix);
    }
}

/* A shell across x, 1 x 1 x .1, of moduli 200 and 100, pulled along y. Abaqus' material direction 1 is the axis after that of the
 * second line; CalculiX' the first, or the third where that is normal. */
static void shells_have_the_axes_of_their_dialect(void **state)
{
#define ACROSS_X(orientation)                                                                                \
    "*NODE\n1\n2, 0, 1\n3, 0, 1, 1\n4, 0, 0, 1\n*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n*ORIENTATION, "   \
    "NAME=O\n" orientation "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n200., 100., 100., 0., " \
    "0., 0., 50., 50.\n50.\n*SHELL SECTION, ELSET=E, MATERIAL=M, ORIENTATION=O\n.1\n*BOUNDARY\n1, 1, 6\n4, " \
    "1, 2\n4, 4, 6\n2, 1\n3, 1\n" STATIC("*CLOAD\n2, 2, .5\n3, 2, .5\n")
    static const struct {
        const char *text;
        int dialect;
        double modulus;
    } cases[] = {{ACROSS_X("1, 0, 0, 0, 1, 0\n1, 0.\n"), SW_DECK_ABAQUS, 200},
                 {ACROSS_X("1, 0, 0, 0, 1, 0\n"), SW_DECK_ABAQUS, 200},
                 {ACROSS_X("1, 0, 0, 0, 1, 0\n1, 90.\n"), SW_DECK_ABAQUS, 100},
                 {ACROSS_X("0, 0, 1, 1, 0, 0\n2, 0.\n"), SW_DECK_ABAQUS, 200},
                 {ACROSS_X("0, 1, 0, 0, 0, 1\n3, 0.\n"), SW_DECK_ABAQUS, 200},
                 {ACROSS_X("1, 0, 0, 0, 1, 0\n"), SW_DECK_CALCULIX, 100},
                 {ACROSS_X("0, 1, 0, 0, 0, 1\n"), SW_DECK_CALCULIX, 200}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        solved s = solve_deck_as(cases[k].text, cases[k].dialect);
        CHECK_CLOSE(displacement(&s, 2)[1], 10 / cases[k].modulus, 1e-9);
        release(&s);
    }
    refuse_as_abaqus(ACROSS_X("0, 1, 0, 0, 0, 1\n"),
                     "deck.inp:8: *ORIENTATION: its axis 1 lies in the plane of element 1 of type S4");
}

/* Two layers, the first isotropic, the second orthotropic, the reference a quarter of the thickness above the middle. */
static void layers_are_those_of_calculix(void **state)
{
    char text[ROOM];
    (void)state;
    plate("S8R", 1,
          "*ORIENTATION, NAME=OR1\n1., 1., 0., -1., 1., 0.\n*ORIENTATION, NAME=OR2\n0., 1., 0., -1., 0., 0.\n"
          "*MATERIAL, NAME=N\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n2e6, 1e6, .5e6, .3, .2, .1, .4e6, "
          ".3e6,\n.2e6\n"
          "*SHELL SECTION, ELSET=E, COMPOSITE, OFFSET=.25\n.04, , M, OR1\n.06, , N, OR2\n",
          "*CLOAD\n23, 3, 1.\n", text);
    compare(text, 37, 3, 3.053644E-02);
    compare(text, 14, 3, 3.075346E-02);
    compare(text, 23, 3, 3.090201E-02);
}

/* Prescribed rotations of a shell that lies askew lose what turns about its normal, so that these two are one. */
static void rotations_about_the_normal_are_left_out(void **state)
{
    static const char *const rotations[2] = {"9, 4, 4, .01\n9, 5, 5, 0.\n9, 6, 6, 0.\n",
                                             "9, 4, 4, .005\n9, 5, 5, 0.\n9, 6, 6, -.005\n"};
    double ends[2][3];
    (void)state;
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "*NODE, NSET=N\n1\n2, 1, 0, -1\n3, 1, 1, -1\n4, 0, 1\n5, .5, 0, -.5\n6, 1, .5, -1\n7, .5, "
                 "1, -.5\n8, 0, .5\n"
                 "9, 2, .5, -2\n10, 2, 0, -2\n11, 2, 1, -2\n12, 1.5, 0, -1.5\n13, 1.5, 1, -1.5\n"
                 "*ELEMENT, TYPE=S8R, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n2, 2, 10, 11, 3, 12, 9, 13, 6\n"
                 "*NSET, NSET=FIX\n1\n4\n8\n" THIN REST("*BOUNDARY\n%s"),
                 rotations[k]);
        solved s = solve_deck(text);
        memcpy(ends[k], displacement(&s, 11), sizeof ends[k]);
        release(&s);
    }
    assert_true(fabs(ends[0][0]) > 1e-4);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(ends[0][i] - ends[1][i]) < 1e-12);
}

/* ---- What is refused ---- */

static void faults_are_told_with_their_line(void **state)
{
    static const refusal faults[] = {
        {FOUR_BEAMS("B32R") "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n.1, .1\n1., 0., 0.\n" REST(""),
         "element 1 of type B32R goes along the first direction of its section"},
        {FOUR_STRAIGHT_BEAMS("B31R") BEAM("CIRC", ".1", "") REST(""),
         "deck.inp:14: *BEAM SECTION: SECTION=CIRC: elements of type B31, B32R or B32 are needed, element 1 "
         "is B31R"},
    };
    (void)state;
    REFUSE_DECKS(faults);
}

/* A beam that lies on a block and is pressed onto it: the contact's face is S2, in direction 1; CalculiX 2.20. */
static void beams_touch_as_those_of_calculix(void **state)
{
    (void)state;
    compare(
        "*NODE\n1, 0, 0, 0\n2, 2, 0, 0\n3, 2, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 2, 0, 1\n7, 2, 1, 1\n8, 0, "
        "1, 1\n11, .4, .5, 1\n12, 1, .5, 1\n13, 1.6, .5, 1\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, "
        "5, 6, 7, 8\n*ELEMENT, TYPE=B32, ELSET=B\n2, 11, 12, 13\n*MATERIAL, NAME=M\n*ELASTIC\n1000., .3\n"
        "*SOLID SECTION, ELSET=E, MATERIAL=M\n*BEAM SECTION, ELSET=B, MATERIAL=M, OFFSET1=.5, "
        "SECTION=RECT\n.2, .3\n0., 0., -1.\n*SURFACE, NAME=UP\n2, S2\n*SURFACE, NAME=LOW\n1, S2\n"
        "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n*CONTACT "
        "PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nUP, LOW\n*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, "
        "3\n11, 1, 2\n12, 1, 2\n13, 1, 2\n*STEP, NLGEOM\n*STATIC\n*DLOAD\n2, P1, 10.\n*NODE "
        "FILE\nU\n*END STEP\n",
        12, 3, -2.667895e-03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_told_with_their_line),
                                       cmocka_unit_test(nodes_in_equations_are_the_mean_of_two_sides),
                                       cmocka_unit_test(edges_carry_moments_about_them),
                                       cmocka_unit_test(quadratic_membranes_are_as_stiff_as_plane_stress),
                                       cmocka_unit_test(moments_are_vectors),
                                       cmocka_unit_test(edges_are_cut_as_calculix_cuts_them),
                                       cmocka_unit_test(beams_are_those_of_calculix),
                                       cmocka_unit_test(slender_beams_follow_the_formula),
                                       cmocka_unit_test(straight_beams_have_sections),
                                       cmocka_unit_test(abaqus_loads_beams_by_length),
                                       cmocka_unit_test(clamps_hold_however_a_beam_lies),
                                       cmocka_unit_test(gradients_bend_what_is_quadratic),
                                       cmocka_unit_test(round_sections_turn_where_a_rotation_is_held),
                                       cmocka_unit_test(sections_stay_plane_where_they_are_loaded),
                                       cmocka_unit_test(knots_are_those_of_calculix),
                                       cmocka_unit_test(shells_are_those_of_calculix),
                                       cmocka_unit_test(shells_have_the_axes_of_their_dialect),
                                       cmocka_unit_test(layers_are_those_of_calculix),
                                       cmocka_unit_test(rotations_about_the_normal_are_left_out),
                                       cmocka_unit_test(beams_touch_as_those_of_calculix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
