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

static const char deck_text[] =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n2e5,.3\n"
    "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n2,2,3\n3,3,3\n4,1,1\n4,3,3\n5,1,2\n8,1,1\n6,2,2\n"
    "*STEP,NLGEOM,INC=10000000\n*STATIC,DIRECT\n1e-7,1.\n*CLOAD\n7,1,1.\n*END STEP\n";

/* One thread, for which a step takes 30 s and more, the increments of the deck an hour. */
static const struct {
    const char *command, *file, *text;
    int resumes;       /* whether it has --resume */
    const char *keeps; /* a file with what it has done; NULL: none so soon */
} rows[] = {
    {"slipwave taylor -q -j 1 steps.yaml", "steps.yaml", steps_text, 1, NULL},
    {"slipwave sweep -q -j 1 sweep.yaml", "sweep.yaml", sweep_text, 0, NULL},
    {"slipwave certify -q -j 1 --crystals 1000000 copper.h5", NULL, NULL, 0, NULL},
    {"slipwave fem -q -j 1 block.inp", "block.inp", deck_text, 1, "block.h5.partial"},
};

enum { LIMIT_S = 12 }; /* much less than a step, much more than the second that is promised */

/* s that a process has computed. */
static double computed(pid_t child)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)child);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        user = system = 0;
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Beyond the set-up, some 0.2 s, however busy the machine is. */
static void wait_until_at_work(pid_t child)
{
    usleep(700000);
    for (int i = 0; i < 2000 && computed(child) < 1.0; i++)
        usleep(10000);
}

/* Its exit status; -1: it went on. */
static int stop(const char *command, int err)
{
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = 0, ended = 0;
    const pid_t child = start(command, sink, err);
    wait_until_at_work(child);
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
        list_folder(before, sizeof before);
        const int status = stop(rows[i].command, fileno(err));
        if (rows[i].keeps != NULL)
            assert_int_equal(unlink(rows[i].keeps), 0);
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
