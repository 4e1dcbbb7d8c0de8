/* A stop that is asked for in the midst of a step which takes half a minute: the program ends now, tidily. */
#include "programs.h"

static const char steps_text[] =
    "material: material.yaml\n"
    "solver: iterative\n"
    "crystals: {count: 1000000}\n"
    "strain_increment: 0.02\n"
    "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]\n"
    "output: {file: out.h5}\n";
static const char sweep_text[] =
    "databases: [copper.h5]\n"
    "vary: {terms: [64]}\n"
    "refinement: 4\n"
    "reference: {solver: iterative}\n"
    "crystals: {count: 1000000, seed: 3}\n"
    "strain_increment: 0.02\n"
    "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]\n"
    "output: {file: out.h5}\n";

/* One thread, for which a step takes 30 s and more, factors of a deck of 30 x 30 x 30 elements some seconds. */
static const struct {
    const char *command, *file, *text;
    int resumes; /* whether it has --resume */
} rows[] = {
    {"slipwave taylor -q -j 1 steps.yaml", "steps.yaml", steps_text, 1},
    {"slipwave sweep -q -j 1 sweep.yaml", "sweep.yaml", sweep_text, 0},
    {"slipwave certify -q -j 1 --crystals 1000000 copper.h5", NULL, NULL, 0},
#ifdef SW_HAVE_UMFPACK
    {"slipwave fem -q -j 1 block.inp", "block.inp", NULL, 0},
#endif
};

/* A block of C3D8 that is pulled. */
static void write_deck(const char *path)
{
    enum { SIDE = 30, NODES = SIDE + 1 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("*NODE, NSET=ALL\n", file);
    for (int n = 0; n < NODES * NODES * NODES; n++)
        fprintf(file, "%d, %d, %d, %d\n", n + 1, n % NODES, n / NODES % NODES, n / NODES / NODES);
    fputs("*ELEMENT, TYPE=C3D8, ELSET=BLOCK\n", file);
    for (int e = 0; e < SIDE * SIDE * SIDE; e++) {
        const int a = 1 + e % SIDE + e / SIDE % SIDE * NODES + e / SIDE / SIDE * NODES * NODES, b = a + NODES,
                  up = NODES * NODES;
        fprintf(file, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", e + 1, a, a + 1, b + 1, b, a + up, a + up + 1,
                b + up + 1, b + up);
    }
    fprintf(file,
            "*MATERIAL, NAME=STEEL\n*ELASTIC\n2e5, 0.3\n*SOLID SECTION, ELSET=BLOCK, MATERIAL=STEEL\n"
            "*BOUNDARY\n1, 1, 3\n2, 2, 3\n%d, 3\n*STEP\n*STATIC\n*CLOAD\n%d, 1, 1\n*END STEP\n",
            NODES + 1, NODES * NODES * NODES);
    assert_int_equal(fclose(file), 0);
}

enum { LIMIT_S = 12 }; /* much less than a step, much more than the second that is promised */

/* Its exit status; -1: it went on. */
static int stop(const char *command, int err)
{
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = 0, ended = 0;
    const pid_t child = start(command, sink, err);
    usleep(700000); /* at work by now, or about to be */
    assert_int_equal(kill(child, SIGTERM), 0);
    for (int i = 0; i < 100 * LIMIT_S && !ended; i++) {
        usleep(10000);
        ended = waitpid(child, &status, WNOHANG) == child;
    }
    if (!ended) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
    }
    close(sink);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void a_long_step_does_not_hold_up_a_stop(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char before[4096], after[4096], said[4096];
        FILE *err = tmpfile();
        assert_non_null(err);
        if (rows[i].text != NULL)
            write_text(rows[i].file, rows[i].text);
        else if (rows[i].file != NULL)
            write_deck(rows[i].file);
        list_folder(before, sizeof before);
        const int status = stop(rows[i].command, fileno(err));
        list_folder(after, sizeof after);
        read_back(err, said, sizeof said);
        if (status != 130 || strstr(said, ": interrupted") == NULL ||
            (strstr(said, "--resume") != NULL) != rows[i].resumes)
            fail_msg("%s: status %d, '%s'", rows[i].command, status, said);
        assert_string_equal(before, after);
        if (rows[i].file != NULL)
            unlink(rows[i].file);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_step_does_not_hold_up_a_stop)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
