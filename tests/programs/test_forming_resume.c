/* `slipwave forming` stopped on its way, and resumed: finished tasks are taken, and leave to later ones, to results and to texts
 * what they left in a run in one piece, bit by bit. */
#include "programs.h"

#define FORMING "slipwave forming sheet.yaml -q -j 2"

static const char sheet_text[] =
    "material: rolled.yaml\n"
    "crystals: {count: 130, seed: 2}\n"
    "r_values: {strain: 0.02}\n"
    "yield_surface: {points: texts/points.txt, sections: [{points: 8, levels: [0, 0.5]}, {plane: pi, points: "
    "8}]}\n"
    "functions: {starts: 4, ls_dyna: texts/f.k, curve_strain: 0.03}\n"
    "earing: {blank_radius: 0.05, cup_radius: 0.03}\n"
    "forming_limit: {ratios: [0, 1], angles: {count: 3}, strain_increment: 0.02}\n"
    "fit:\n"
    "  parameters: [{key: slip.initial_slip_resistance}]\n"
    "  curves:\n"
    "    - {file: curve.csv, stress_unit: MPa, strain: 11, stress: 11, loading: [{velocity_gradient: "
    "[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 100}]}\n"
    "  material: texts/fitted.yaml\n"
    "output: {file: out.h5}\n";
static const char curve_text[] = "strain,stress\n0.01,90\n0.03,98\n0.05,104\n0.09,112\n";
static const char rolled_text[] =
    "name: an aluminium\n"
    "crystal_structure: fcc\n"
    "elasticity: {C11: 107.3e9, C12: 60.8e9, C44: 28.3e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.01, initial_slip_resistance: 25.0e6}\n"
    "hardening: {law: voce, initial_hardening_rate: 200.0e6, saturation_resistance: 60.0e6, exponent: 1.5}\n";

/* ---- The same results ---- */

static void assert_same_numbers(hid_t a, hid_t b, const char *name)
{
    hid_t set[2] = {H5Dopen2(a, name, H5P_DEFAULT), H5Dopen2(b, name, H5P_DEFAULT)};
    double *value[2] = {NULL, NULL};
    hssize_t n[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        if (set[i] < 0)
            fail_msg("no %s", name);
        hid_t space = H5Dget_space(set[i]);
        n[i] = H5Sget_simple_extent_npoints(space);
        value[i] = malloc((size_t)n[i] * sizeof **value);
        assert_true(n[i] > 0 && value[i] != NULL);
        assert_true(H5Dread(set[i], H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value[i]) >= 0);
        H5Sclose(space);
        H5Dclose(set[i]);
    }
    if (n[0] != n[1] || memcmp(value[0], value[1], (size_t)n[0] * sizeof **value) != 0)
        fail_msg("%s differs", name);
    free(value[0]);
    free(value[1]);
}

static const char *const texts[] = {"points.txt", "f.k", "fitted.yaml"};

static void assert_same_text(const char *name)
{
    char path[64];
    size_t size;
    snprintf(path, sizeof path, "whole-%s", name);
    char *whole = read_bytes(path, &size);
    snprintf(path, sizeof path, "texts/%s", name);
    char *again = read_bytes(path, &size);
    if (strcmp(whole, again) != 0)
        fail_msg("%s differs", name);
    free(whole);
    free(again);
}

static void assert_same_results(void)
{
    static const char *const sets[] = {"r_values/stress",
                                       "r_values/r",
                                       "r_values/curves/6",
                                       "yield_surface/section-1/level-2/stress",
                                       "yield_surface/section-2/level-1/strain_rate",
                                       "functions/curve",
                                       "functions/hill48/coefficient",
                                       "functions/yld2000_2d/flow",
                                       "functions/yld2004_18p/coefficient",
                                       "earing/r_values/height",
                                       "earing/yld2004_18p/height",
                                       "forming_limit/strain",
                                       "fit/value",
                                       "fit/uncertainty",
                                       "fit/curves/0/fitted"};
    hid_t a = open_results("whole.h5"), b = open_results("out.h5");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_same_numbers(a, b, sets[i]);
    H5Fclose(a);
    H5Fclose(b);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_same_text(texts[i]);
}

static void remove_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char path[64];
        snprintf(path, sizeof path, "texts/%s", texts[i]);
        unlink(path);
    }
    rmdir("texts");
}

/* What is printed, after its first line, which has the file's name. */
static void assert_same_words(const char *whole, const result *r)
{
    assert_string_equal(strchr(whole, '\n'), strchr(r->out, '\n'));
}

static char words[sizeof((result *)NULL)->out];

static int begin(void **state)
{
    static result r;
    if (make_folder(state) != 0)
        return 1;
    write_text("rolled.yaml", rolled_text);
    write_text("curve.csv", curve_text);
    write_text("sheet.yaml", sheet_text);
    mkdir("texts", 0755);
    run(FORMING " -o whole.h5", &r); /* which warns: a curve that the material cannot have */
    assert_int_equal(r.status, 0);
    memcpy(words, r.out, sizeof words);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char from[64], to[64];
        snprintf(from, sizeof from, "texts/%s", texts[i]);
        snprintf(to, sizeof to, "whole-%s", texts[i]);
        if (rename(from, to) != 0)
            return 1;
    }
    return 0;
}

static int end(void **state)
{
    remove_texts();
    return remove_folder(state);
}

/* ---- Stopped ---- */

/* Number and time of the file that holds finished tasks; 0: there is none. */
static ino_t kept_file(void)
{
    struct stat about;
    return stat("out.h5.partial", &about) == 0 ? about.st_ino : 0;
}

/* After each task, by a kill and by a polite signal in turn: in the end nothing tells it from a run in one piece. */
static void a_run_that_is_stopped_after_each_task_ends_the_same(void **state)
{
    (void)state;
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int stops = 0, status = -1;
    while (status != 0) {
        const ino_t before = kept_file();
        const pid_t child = start(FORMING " --resume", sink, sink);
        int alive = 1;
        while (alive && kept_file() == before) {
            alive = waitpid(child, &status, WNOHANG) == 0;
            usleep(1000);
        }
        if (alive) {
            kill(child, stops++ % 2 == 0 ? SIGKILL : SIGTERM);
            status = wait_for(child);
        } else
            status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        assert_int_not_equal(status, 1);
    }
    close(sink);
    assert_true(stops >= 2);
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    assert_same_results();
    unlink("out.h5");
    remove_leftovers();
}

/* Texts that cannot be written when all is done: tasks are kept, and nothing is computed again but what costs little. */
static void finished_tasks_outlive_texts_that_cannot_be_written(void **state)
{
    (void)state;
    static result r;
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    FILE *err = tmpfile();
    assert_non_null(err);
    const pid_t child = start(FORMING, fileno(err), fileno(err));
    wait_until_kept(child);
    remove_texts();
    assert_int_equal(wait_for(child), 1);
    read_back(err, r.err, sizeof r.err);
    assert_non_null(strstr(r.err, "; 5 finished tasks are kept in out.h5.partial: --resume goes on"));
    assert_int_equal(access("out.h5", F_OK), -1);
    mkdir("texts", 0755);
    assert_refused(FORMING, 2, left);
    run(FORMING " --resume", &r);
    assert_int_equal(r.status, 0);
    assert_same_words(words, &r);
    assert_same_results();
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    unlink("out.h5");
}

static void tasks_of_other_runs_are_refused(void **state)
{
    (void)state;
    static const char *const job[] = {"out.h5.partial: belongs to a run with another job file"},
                             *const material[] = {"belongs to a run with another material"},
                             *const crystals[] = {"belongs to a run with other crystals"},
                             *const solver[] = {"belongs to a run with another solver"},
                             *const curves[] = {"belongs to a run with other measured curves"},
                             *const none[] = {"out.h5.partial"};
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(FORMING, sink, sink);
    wait_until_kept(child);
    kill(child, SIGKILL);
    wait_for(child);
    close(sink);
    remove_leftovers();
    assert_refused(FORMING " --resume --seed 3", 1, crystals);
    assert_refused(FORMING " --resume --solver rigid_plastic", 1, solver);
    write_edited("sheet.yaml", sheet_text, "starts: 4", "starts: 5");
    assert_refused(FORMING " --resume", 1, job);
    write_text("sheet.yaml", sheet_text);
    write_edited("rolled.yaml", rolled_text, "25.0e6", "26.0e6");
    assert_refused(FORMING " --resume", 1, material);
    write_text("rolled.yaml", rolled_text);
    write_edited("curve.csv", curve_text, "104", "105");
    assert_refused(FORMING " --resume", 1, curves);
    write_text("curve.csv", curve_text);
    write_text("out.h5.partial", "nothing of the kind\n");
    assert_refused(FORMING " --resume", 1, none);
    unlink("out.h5.partial");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_is_stopped_after_each_task_ends_the_same),
        cmocka_unit_test(finished_tasks_outlive_texts_that_cannot_be_written),
        cmocka_unit_test(tasks_of_other_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
