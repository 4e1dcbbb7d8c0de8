/* Shells and beams of Abaqus' dialect that bend: by their material, by their wholly plastic moment, or with a warning. */
#include "solved.h"

#include <string.h>

enum { ROOM = 8192 };

/* A listener: the first of what is said, [512]. */
static void hear(void *said, sw_notice notice, const char *text)
{
    (void)notice;
    if (*(char *)said == '\0')
        snprintf(said, 512, "%s", text);
}

enum { STRIP = 10 };
/* A strip along x of length 10, of width 1 or a beam, held at x = 0, its sides held in y and from turning about x, with its end
 * moved by w along z. E = 1e5, nu = 0, thickness .2, beams .2 x .2; the force on the end. */
static double force_on_end(const char *type, const char *law, double w)
{
    char text[ROOM];
    const int beam = type[0] == 'B', rows = beam ? 1 : 2;
    sw_deck *deck;
    const sw_structure_problem *problem;
    sw_structure *structure;
    const sw_structure_options options = {.quiet = 1};
    int n = snprintf(text, sizeof text, "*NODE, NSET=N\n");
    for (int i = 0; i < rows * (STRIP + 1); i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %d\n", i + 1, i / rows, i % rows);
    n += snprintf(text + n, sizeof text - (size_t)n, "*ELEMENT, TYPE=%s, ELSET=E\n", type);
    for (int i = 0; i < STRIP; i++)
        n += beam ? snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %d\n", i + 1, i + 1, i + 2)
                  : snprintf(text + n, sizeof text - (size_t)n, "%d, %d, %d, %d, %d\n", i + 1, 2 * i + 1,
                             2 * i + 3, 2 * i + 4, 2 * i + 2);
    snprintf(
        text + n, sizeof text - (size_t)n,
        "*MATERIAL, NAME=M\n*ELASTIC\n1e5, 0.\n%s%s*NSET, NSET=A\n1, %d\n*NSET, NSET=B\n%d, "
        "%d\n*BOUNDARY\nA, 1, 6\nN, 2\nN, 4\n*STEP, INC=1000\n*STATIC\n.02, 1., 1e-6, .1\n*BOUNDARY\nB, 3, "
        "3, %g\n*END STEP\n",
        law,
        beam ? "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n.2, .2\n0., 1., 0.\n"
             : "*SHELL SECTION, ELSET=E, MATERIAL=M\n.2, 5\n",
        rows, rows * STRIP + 1, rows * (STRIP + 1), w);
    if (try_deck(text, SW_DECK_ABAQUS, &deck, &problem) != SW_OK)
        fail_msg("%s", sw_error_message());
    CHECK_OK(sw_structure_open(problem, &options, &structure));
    CHECK_OK(sw_structure_advance(structure, 0));
    double(*all)[3] = calloc((size_t)problem->n_nodes, sizeof *all), sum = 0;
    assert_non_null(all);
    sw_structure_read(structure, NULL, all);
    for (int64_t i = 0; i < problem->n_nodes; i++)
        sum += problem->position[i][0] > STRIP - 0.1 ? all[i][2] : 0;
    free(all);
    sw_structure_close(structure);
    sw_deck_free(deck);
    return sum;
}

/* Euler and Bernoulli's 3 E I w / L^3; shear adds (t / L)^2 of it, the coarse mesh 0.3 %. */
static void shells_of_one_point_bend(void **state)
{
    (void)state;
    assert_float_equal(force_on_end("S4R", "", 0.1), 3 * 1e5 * (0.008 / 12) / 1000 * 0.1, 0.005 * 0.02);
}

/* The wholly plastic moment, s b t^2 / 4 times 2 / sqrt(3) where it cannot widen, is that of the middle of the first element; of beams
 * that is 2 % off. */
static void sections_yield_by_their_wholly_plastic_moment(void **state)
{
    static const char *const law = "*PLASTIC\n100., 0.\n100.1, 1.\n";
    const double middle = STRIP - 0.5, shell = 100 * 0.04 / 4 / middle;
    (void)state;
    assert_float_equal(force_on_end("S4", law, 4), shell * 2 / sqrt(3), 0.01 * shell);
    assert_float_equal(force_on_end("S4R", law, 4), shell * 2 / sqrt(3), 0.01 * shell);
    assert_float_equal(force_on_end("B31", law, 4), 0.2 * shell, 0.03 * 0.2 * shell);
}

/* A plate of 1 x 1 clamped all around under pressure: 8 x 8 squares, of S3 two each; what is said of it. */
static void say_of_plate(const char *type, int dialect, double thickness, char said[512])
{
    char text[ROOM];
    const int halves = type[1] == '3' ? 2 : 1;
    int n = snprintf(text, sizeof text, "*NODE\n");
    for (int i = 0; i < 81; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, %g, %g\n", i + 1, i % 9 / 8.0, i / 9 / 8.0);
    n += snprintf(text + n, sizeof text - (size_t)n, "*ELEMENT, TYPE=%s, ELSET=E\n", type);
    for (int e = 0; e < 64 * halves; e++) {
        const int a = e / halves / 8 * 9 + e / halves % 8 + 1, corner[4] = {a, a + 1, a + 10, a + 9};
        n += snprintf(text + n, sizeof text - (size_t)n, "%d, %d", e + 1, a);
        for (int k = 1 + e % halves; k < (halves == 2 ? 3 + e % 2 : 4); k++)
            n += snprintf(text + n, sizeof text - (size_t)n, ", %d", corner[k]);
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    }
    n +=
        snprintf(text + n, sizeof text - (size_t)n,
                 "*MATERIAL, NAME=M\n*ELASTIC\n2e5, .3\n*SHELL SECTION, ELSET=E, MATERIAL=M\n%g\n*BOUNDARY\n",
                 thickness);
    for (int i = 0; i < 81; i++)
        if (i % 9 % 8 == 0 || i / 9 % 8 == 0)
            n += snprintf(text + n, sizeof text - (size_t)n, "%d, 1, 6\n", i + 1);
    snprintf(text + n, sizeof text - (size_t)n, "%s", STATIC("*DLOAD\nE, P, 1e-6\n"));
    said[0] = '\0';
    sw_listen(hear, said);
    solved s = solve_deck_as(text, dialect);
    sw_listen(NULL, NULL);
    release(&s);
}

/* Of thin plates deflections are 0.14, 0.06 and 3.8 times Timoshenko's; the thick S4 has that of a mesh as fine as one likes to 2 %. */
static void elements_that_lock_or_do_not_resist_are_told(void **state)
{
    char said[512];
    (void)state;
    say_of_plate("S3", SW_DECK_ABAQUS, 0.02, said);
    assert_non_null(strstr(said, "76.1 % of the strain energy of shells of three and four nodes"));
    say_of_plate("S4", SW_DECK_ABAQUS, 0.002, said);
    assert_non_null(strstr(said, "which locks: they may be 4.87 times too stiff"));
    say_of_plate("S4R", SW_DECK_CALCULIX, 0.02, said);
    assert_non_null(strstr(said, "of the work of elements is in springs against hourglass modes"));
    say_of_plate("S4", SW_DECK_ABAQUS, 0.1, said);
    assert_string_equal(said, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shells_of_one_point_bend),
                                       cmocka_unit_test(sections_yield_by_their_wholly_plastic_moment),
                                       cmocka_unit_test(elements_that_lock_or_do_not_resist_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
