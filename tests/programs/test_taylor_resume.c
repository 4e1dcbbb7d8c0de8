/* `slipwave taylor` stopped on its way, and resumed: the same bits as in one piece. */
#include "programs.h"

/* 500 steps of compression, 50 of shear under a spin that divides each into four. */
static const char long_text[] =
    "database: copper.h5\n"
    "material: material.yaml\n"
    "solver: grid\n"
    "terms: 64\n"
    "refinement: 4\n"
    "crystals: {count: 100, seed: 3}\n"
    "strain_increment: 0.0014142135623730951\n"
    "loading:\n"
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 500}\n"
    "  - {velocity_gradient: [[0, 0.1005, 0], [-0.0995, 0, 0], [0, 0, 0]], duration: 100}\n"
    "output: {file: out.h5, orientations: [0, every 100, last], textures: [], checkpoint: 0.1}\n";

enum { LONG_STEPS = 500 + 50 };

#define LONG "slipwave taylor long.yaml "

/* ---- The same results ---- */

static void assert_same_set(hid_t a, hid_t b, const char *name, hid_t type, int rank)
{
    int64_t shape[3], n = (int64_t)H5Tget_size(type);
    CHECK_OK(sw_h5_shape(a, name, rank, shape));
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    char *left = malloc((size_t)n), *right = malloc((size_t)n);
    assert_true(left != NULL && right != NULL);
    CHECK_OK(sw_h5_read(a, name, type, rank, shape, left));
    CHECK_OK(sw_h5_read(b, name, type, rank, shape, right));
    if (memcmp(left, right, (size_t)n) != 0)
        fail_msg("%s differs", name);
    free(left);
    free(right);
}

static void assert_same_results(const char *left, const char *right, int64_t steps)
{
    static const struct {
        const char *name;
        int rank;
    } sets[] = {{"history/time", 1},
                {"history/strain", 1},
                {"history/deformation_gradient", 3},
                {"history/velocity_gradient", 3},
                {"history/cauchy_stress", 3},
                {"history/slip_resistance", 1},
                {"history/slip_rate", 1}};
    hid_t a = open_results(left), b = open_results(right);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        assert_same_set(a, b, sets[i].name, H5T_NATIVE_DOUBLE, sets[i].rank);
    for (int64_t step = 0; step <= steps; step++) {
        char name[64];
        snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
        assert_int_equal(sw_h5_exists(a, name), sw_h5_exists(b, name));
        if (sw_h5_exists(a, name))
            assert_same_set(a, b, name, H5T_NATIVE_FLOAT, 2);
        snprintf(name, sizeof name, "texture/%lld/odf", (long long)step);
        assert_int_equal(sw_h5_exists(a, name), sw_h5_exists(b, name));
        if (sw_h5_exists(a, name))
            assert_same_set(a, b, name, H5T_NATIVE_FLOAT, 3);
    }
    assert_true(sw_h5_exists(a, "orientations/0/euler"));
    assert_int_equal(sw_h5_exists(a, "orientations/weight"), sw_h5_exists(b, "orientations/weight"));
    if (sw_h5_exists(a, "orientations/weight"))
        assert_same_set(a, b, "orientations/weight", H5T_NATIVE_FLOAT, 1);
    H5Fclose(a);
    H5Fclose(b);
}

static void run_quietly(const char *command, const char *more)
{
    char line[256];
    result r;
    snprintf(line, sizeof line, "%s%s -q", command, more);
    run_well(line, &r);
}

/* ---- Stopped and resumed ---- */

/* A run of long.yaml by a solver, killed or stopped, and resumed by another number of threads. Of so many crystals it
 * takes a second on a thread, ten times as long as until its first state is kept. */
static void stop_and_resume(const char *solver)
{
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    static const struct {
        int signal, status;
        const char *threads, *resumed;
    } ends[] = {{SIGKILL, -1, " -j 1", " -j 2 --resume"}, {SIGTERM, 130, " -j 2", " -j 1 --resume"}};
    char command[128], line[256];
    snprintf(command, sizeof command, LONG "%s", solver);
    run_quietly(command, " -j 1 -o whole.h5");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        result r;
        snprintf(line, sizeof line, "%s%s", command, ends[i].threads);
        assert_int_equal(stop_after_first(line, ends[i].signal), ends[i].status);
        assert_int_equal(access("out.h5", F_OK), -1);
        assert_refused(line, 2, left);
        snprintf(line, sizeof line, "%s%s", command, ends[i].resumed);
        run(line, &r);
        if (r.status != 0)
            fail_msg("%s: %s", line, r.err);
        assert_non_null(strstr(r.err, "resume: "));
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        assert_same_results("whole.h5", "out.h5", LONG_STEPS);
        unlink("out.h5");
    }
    unlink("whole.h5");
}

static void stopped_run_resumes_to_the_same(void **state)
{
    (void)state;
    static const char *const solvers[] = {
        "--solver terms --count 12000",        "--solver grid --count 15000",
        "--solver rigid_plastic --count 2000", "--solver elastoplastic --count 2000",
        "--solver iterative --count 300",      "--solver grid --count 15000 --storage compact"};
    write_text("long.yaml", long_text);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        stop_and_resume(solvers[s]);
    unlink("long.yaml");
}

/* Weights come from the crystals' file again. */
static void stopped_weighted_run_resumes_to_the_same(void **state)
{
    (void)state;
    FILE *file = fopen("weighted.ori", "w");
    assert_non_null(file);
    for (int i = 0; i < 15000; i++)
        fprintf(file, "%d %d %d %d\n", i * 37 % 360, i * 11 % 180, i * 7 % 90, 1 + i % 5);
    assert_int_equal(fclose(file), 0);
    write_edited("long.yaml", long_text, "{count: 100, seed: 3}", "{file: weighted.ori}");
    stop_and_resume("--solver grid");
    stop_and_resume("--solver grid --storage compact");
    unlink("long.yaml");
    unlink("weighted.ori");
}

/* With given stresses, too: pressure, the last strain rate and the secants go on. */
static void stopped_mixed_run_resumes_to_the_same(void **state)
{
    (void)state;
    static const char mixed[] =
        "[[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, 0]]";
    static const char given[] = "[[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]";
    char text[sizeof long_text + sizeof mixed];
    const char *at = strstr(long_text, given);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - long_text), long_text, mixed, at + strlen(given));
    write_text("long.yaml", text);
    stop_and_resume("--solver elastoplastic --count 2000");
    unlink("long.yaml");
}

/* Entries that end when their goal is met: three of them, 60 times, of fewer steps than they may take. */
static const char goals_text[] =
    "material: material.yaml\n"
    "solver: elastoplastic\n"
    "crystals: {count: 1500, seed: 3}\n"
    "strain_increment: 0.0014142135623730951\n"
    "cycles: 60\n"
    "loading:\n"
    "  - velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n"
    "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"
    "    until: strain\n"
    "    component: 22\n"
    "    goal: -0.001\n"
    "    duration: 5\n"
    "  - velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n"
    "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"
    "    until: stress\n"
    "    component: 11\n"
    "    goal: 0\n"
    "    duration: 2\n"
    "    steps: 3\n"
    "  - velocity_gradient: [[0, 0, 0], [1.0e-3, 0, 0], [0, 0, 0]]\n"
    "    until: stress\n"
    "    component: 12\n"
    "    goal: 3.0e6\n"
    "    duration: 1\n"
    "    steps: 1\n"
    "output: {file: out.h5, orientations: [0, every 50, last], textures: [], checkpoint: 0.1}\n";

static void stopped_run_with_goals_resumes_to_the_same(void **state)
{
    (void)state;
    write_text("long.yaml", goals_text);
    stop_and_resume("--count 750");
    unlink("long.yaml");
}

/* What an interruption says, and that it keeps more than the last state: the step at hand. */
static void interrupted_run_says_what_it_keeps(void **state)
{
    (void)state;
    result r;
    FILE *err = tmpfile();
    assert_non_null(err);
    write_text("long.yaml", long_text);
    const pid_t child = start(LONG "--count 20000 -j 1 -q", fileno(err), fileno(err));
    wait_until_kept(child);
    kill(child, SIGINT);
    assert_int_equal(wait_for(child), 130);
    read_back(err, r.err, sizeof r.err);
    assert_non_null(strstr(r.err, "interrupted; "));
    assert_non_null(strstr(r.err, " of 550 steps are kept in out.h5.partial: --resume goes on"));
    unlink("out.h5.partial");
    unlink("long.yaml");
}

/* In the middle of a texture, most of the time: what is unfinished of it is made again. */
static void interrupted_output_is_made_again(void **state)
{
    (void)state;
    static const char text[] =
        "material: material.yaml\n"
        "solver: rigid_plastic\n"
        "crystals: {count: 1500}\n"
        "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}]\n"
        "output: {file: out.h5, orientations: all, checkpoint: 1000}\n";
    write_text("textures.yaml", text);
    run_quietly("slipwave taylor textures.yaml", " -o whole.h5");
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int wait = 0; wait < 4; wait++) {
        const pid_t child = start("slipwave taylor textures.yaml --resume", sink, sink);
        usleep(150000);
        kill(child, SIGINT);
        const int status = wait_for(child);
        assert_int_not_equal(status, 1); /* 0 at its end, -1 before it heeds signals */
    }
    close(sink);
    run_quietly("slipwave taylor textures.yaml", " --resume");
    assert_same_results("whole.h5", "out.h5", 4);
    unlink("whole.h5");
    unlink("out.h5");
    unlink("textures.yaml");
}

/* Steps of 29 parts, in the midst of which signals come. */
static void divided_steps_are_resumed(void **state)
{
    (void)state;
    static const char text[] =
        "material: material.yaml\n"
        "solver: rigid_plastic\n"
        "crystals: {count: 3000}\n"
        "loading: [{velocity_gradient: [[0.001, 0.1, 0], [-0.1, 0, 0], [0, 0, -0.001]], duration: 84}]\n"
        "output: {file: out.h5, orientations: all, textures: [], checkpoint: 1000}\n";
    int kept_in_steps = 0;
    write_text("spin.yaml", text);
    run_quietly("slipwave taylor spin.yaml", " -j 1 -o whole.h5");
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int wait = 0; wait < 4; wait++) {
        const pid_t child = start("slipwave taylor spin.yaml -j 1 --resume", sink, sink);
        usleep(100000);
        kill(child, SIGINT);
        assert_int_not_equal(wait_for(child), 1);
        if (access("out.h5.partial", F_OK) != 0)
            continue;
        double part;
        hid_t file = open_results("out.h5.partial"), group = H5Gopen2(file, "state", H5P_DEFAULT);
        CHECK_OK(sw_h5_read_numbers(group, "part", 1, &part));
        kept_in_steps += part > 0;
        H5Gclose(group);
        H5Fclose(file);
    }
    close(sink);
    run_quietly("slipwave taylor spin.yaml", " -j 1 --resume");
    assert_same_results("whole.h5", "out.h5", 6);
    print_message("%d states in the middle of a step\n", kept_in_steps);
    unlink("whole.h5");
    unlink("out.h5");
    unlink("spin.yaml");
}

/* ---- States that are not this run's ---- */

static void other_runs_do_not_resume(void **state)
{
    (void)state;
    static const char *const job[] = {"out.h5.partial: belongs to a run with another job file"},
                             *const material[] = {"belongs to a run with another material"},
                             *const database[] = {"belongs to a run with another database"};
    static const struct {
        const char *command, *part;
    } cases[] = {
        {LONG "--resume -q --solver grid --count 20000 --refinement 3", "another solver, setting or device"},
        {LONG "--resume -q --solver rigid_plastic --count 20000", "another solver, setting or device"},
        {LONG "--resume -q --solver grid --count 20001", "other crystals"},
        {LONG "--resume -q --solver grid --count 20000 --seed 4", "other crystals"},
        {LONG "--resume -q --solver grid --crystals-file good.ori", "other crystals"},
    };
    result r;
    write_text("long.yaml", long_text);
    assert_int_equal(stop_after_first(LONG "--solver grid --count 20000 -j 1", SIGKILL), -1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(cases[i].command, 1, &cases[i].part);

    write_edited("long.yaml", long_text, "every 100", "every 50");
    assert_refused(LONG "--resume -q --solver grid --count 30000", 1, job);
    write_text("long.yaml", long_text);
    write_edited("material.yaml", material_text, "exponent: 2.25", "exponent: 2.5");
    assert_refused(LONG "--resume -q --solver grid --count 30000", 1, material);
    write_text("material.yaml", material_text);
    run_well("slipwave-db generate -q --grid 8,8,8,12 --terms 400 material.yaml -o fewer.h5", &r);
    assert_refused(LONG "--resume -q --solver grid --count 20000 --database fewer.h5", 1, database);
    unlink("fewer.h5");

    size_t size;
    char *bytes = read_bytes("out.h5.partial", &size);
    write_bytes("out.h5.partial", bytes, size / 2);
    assert_refused(LONG "--resume -q --solver grid --count 30000", 1,
                   (const char *const[]){"out.h5.partial"});
    free(bytes);
    write_text("out.h5.partial", "nothing of the kind\n");
    assert_refused(LONG "--resume -q --solver grid --count 30000", 1,
                   (const char *const[]){"out.h5.partial: not an HDF5 file"});
    unlink("out.h5.partial");
    assert_int_equal(link("copper.h5", "out.h5.partial"), 0);
    assert_refused(LONG "--resume -q --solver grid --count 30000", 1,
                   (const char *const[]){"out.h5.partial: is no state of an interrupted run"});
    unlink("out.h5.partial");
    unlink("long.yaml");
}

/* Write other numbers over those of a state. */
static void falsify(const char *name, int count, const double *number)
{
    hid_t file;
    CHECK_OK(sw_h5_open("out.h5.partial", 1, &file));
    hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    assert_true(H5Adelete(group, name) >= 0);
    CHECK_OK(sw_h5_write_numbers(group, name, count, number));
    H5Gclose(group);
    H5Fclose(file);
}

/* A place that the loading does not have, and what is no number, do not go on. */
static void states_beyond_the_loading_are_refused(void **state)
{
    (void)state;
    static const char *const place[] = {
        "out.h5.partial: /state/loading: entry 181, step 0: the job has no such"};
    static const char *const number[] = {"out.h5.partial: /state/goal: a number is not finite"};
    write_text("long.yaml", goals_text);
    assert_int_equal(stop_after_first(LONG "-j 1", SIGKILL), -1);
    falsify("loading", 2, (const double[]){181, 0});
    assert_refused(LONG "--resume -q", 1, place);
    falsify("loading", 2, (const double[]){180, 0});
    falsify("goal", 3, (const double[]){0, NAN, 1});
    assert_refused(LONG "--resume -q", 1, number);
    unlink("out.h5.partial");
    unlink("long.yaml");
}

/* Nor does a part that the next step does not have. */
static void parts_beyond_the_step_are_refused(void **state)
{
    (void)state;
    static const char *const part[] = {"/state/part = 7: step ", " has 1 parts"};
    write_text("long.yaml", long_text);
    assert_int_equal(stop_after_first(LONG "-j 1 -s rigid_plastic --count 20000", SIGKILL), -1);
    falsify("part", 1, (const double[]){7});
    assert_refused(LONG "--resume -q -s rigid_plastic --count 20000", 2, part);
    assert_int_equal(access("out.h5", F_OK), -1);
    unlink("out.h5.partial");
    unlink("long.yaml");
}

/* While a run is at work no other begins; what it leaves when it is killed the next one clears. */
static void runs_keep_out_of_each_others_way(void **state)
{
    (void)state;
    static const char *const held[] = {"out.h5: is being written by another run"};
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    result r;
    write_text("long.yaml", long_text);
    const pid_t child = start(LONG "-j 1 -s rigid_plastic --count 20000", sink, sink);
    wait_until_kept(child);
    kill(child, SIGSTOP); /* it would go on writing its own meanwhile */
    assert_refused(LONG "-q --resume", 1, held);
    assert_refused(LONG "-q", 1, held);
    kill(child, SIGKILL);
    assert_int_equal(wait_for(child), -1);
    close(sink);
    char left[4096];
    list_folder(left, sizeof left);
    assert_non_null(strstr(left, "out.h5.lock"));
    assert_non_null(strstr(left, "out.h5.tmp."));
    run(LONG "-q --resume", &r); /* of another solver: refused, but the place is clean */
    assert_int_equal(r.status, 1);
    list_folder(left, sizeof left);
    assert_null(strstr(left, "out.h5.lock"));
    assert_null(strstr(left, "out.h5.tmp."));
    unlink("out.h5.partial");
}

static void resume_without_anything_starts(void **state)
{
    (void)state;
    result r;
    run_well(TAYLOR "job.yaml --resume", &r);
    assert_int_equal(access("out.h5", F_OK), 0);
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    unlink("out.h5");
}

/* Results that cannot be written at the end leave the last state: here, a folder has taken their place. */
static void results_that_fail_leave_the_state(void **state)
{
    (void)state;
    result r;
    write_text("long.yaml", long_text);
    run_quietly(LONG, "--solver grid --count 20000 -j 1 -o whole.h5");
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(LONG "--solver grid --count 20000 -j 1", sink, sink);
    close(sink);
    wait_until_kept(child);
    assert_int_equal(mkdir("out.h5", 0777), 0);
    assert_int_equal(wait_for(child), 1);
    assert_int_equal(rmdir("out.h5"), 0);
    run(LONG "--solver grid --count 20000 -j 1 --resume", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "resume: "));
    assert_same_results("whole.h5", "out.h5", LONG_STEPS);
    unlink("whole.h5");
    unlink("out.h5");
    unlink("long.yaml");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_run_resumes_to_the_same),
        cmocka_unit_test(stopped_weighted_run_resumes_to_the_same),
        cmocka_unit_test(stopped_mixed_run_resumes_to_the_same),
        cmocka_unit_test(stopped_run_with_goals_resumes_to_the_same),
        cmocka_unit_test(states_beyond_the_loading_are_refused),
        cmocka_unit_test(parts_beyond_the_step_are_refused),
        cmocka_unit_test(interrupted_run_says_what_it_keeps),
        cmocka_unit_test(interrupted_output_is_made_again),
        cmocka_unit_test(divided_steps_are_resumed),
        cmocka_unit_test(other_runs_do_not_resume),
        cmocka_unit_test(runs_keep_out_of_each_others_way),
        cmocka_unit_test(resume_without_anything_starts),
        cmocka_unit_test(results_that_fail_leave_the_state),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
