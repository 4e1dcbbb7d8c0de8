/* `slipwave fem` goes on: after a kill, from a saved increment, not from what is damaged or of another job. */
#include "fem_runs.h"

/* Rows of /history that do not depend on the clock, and the last state's file. */
static double *read_history(const char *path, int64_t *size)
{
    static const char *const names[] = {
        "load_displacement", "reaction", "external_work", "plastic_points", "newton", "cg", "residual"};
    static const int64_t shapes[][3] = {{BEAM_INCREMENTS, 1, 3},         {BEAM_INCREMENTS, 1, 3},
                                        {BEAM_INCREMENTS, 1, 1},         {BEAM_INCREMENTS, 1, 1},
                                        {BEAM_INCREMENTS, 1, 1},         {BEAM_INCREMENTS, 1, 1},
                                        {BEAM_INCREMENTS, ITERATIONS, 1}};
    static const int rank[] = {3, 3, 1, 1, 1, 1, 2};
    hid_t file = open_results(path);
    double *all = calloc(BEAM_INCREMENTS * (10 + ITERATIONS), sizeof *all);
    assert_non_null(all);
    *size = 0;
    for (int i = 0; i < 7; i++) {
        char name[64];
        snprintf(name, sizeof name, "history/%s", names[i]);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, rank[i], shapes[i], all + *size));
        *size += shapes[i][0] * shapes[i][1] * shapes[i][2];
    }
    H5Fclose(file);
    return all;
}

static void interrupted_run_leaves_nothing(void **state)
{
    (void)state;
    /* minutes of work in its first increment */
    assert_interrupted(FEM "cube.yaml --cells 60x60x60 --preconditioner jacobi", SIGINT, 0);
}

/* A run on one thread: the order of sums, and so the last bits, may depend on their number. */
static void killed_run_resumes_to_the_same(void **state)
{
    (void)state;
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    static const struct {
        int signal, status;
    } ends[] = {{SIGKILL, -1}, {SIGTERM, 130}};
    int64_t size, size_again;
    result r;
    run_well(FEM "beam.yaml -j 1", &r);
    double *whole = read_history("out.h5", &size);
    unlink_results();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stop_after_first(FEM "beam.yaml -j 1", ends[i].signal), ends[i].status);
        assert_int_equal(access("out.h5", F_OK), -1);
        assert_refused(FEM "beam.yaml", 2, left);
        run("slipwave fem beam.yaml --resume -j 1", &r);
        if (r.status != 0)
            fail_msg("--resume: %s", r.err);
        assert_non_null(strstr(r.err, "resume: "));
        assert_non_null(strstr(r.err, " of 8 increments kept"));
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        double *resumed = read_history("out.h5", &size_again);
        assert_int_equal(size, size_again);
        assert_memory_equal(whole, resumed, (size_t)size * sizeof *whole);
        free(resumed);
        unlink_results();
    }
    free(whole);
}

/* From the saved increment on, with the same steps or other ones after it; not for another problem. */
static void saved_increment_restarts(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *part;
    } others[] = {
        {"factor: 1.0, increments: 5", "factor: 1.0, increments: 6",
         "saved.h5: increment 1 has other factors"},
        {"increments: 5}, {factor: 0, increments: 3}]\n", "increments: 4}]\n",
         "other.yaml:8: output.restart[0] = 5"},
        {"-17000.0", "-16000.0", "saved.h5: belongs to another mesh, materials, boundary, loads or tools"},
        {"yield_stress: 250.0e6", "yield_stress: 260.0e6", "saved.h5: belongs to another mesh"},
    };
    const int64_t shape[3] = {6, 1, 3};
    int64_t size, size_again;
    result r;
    run_well(FEM "beam.yaml -j 1", &r);
    double *whole = read_history("out.h5", &size);
    assert_int_equal(rename("out-0005.restart.h5", "saved.h5"), 0);
    unlink_results();
    run_well(FEM "beam.yaml --restart saved.h5 -j 1", &r);
    double *again = read_history("out.h5", &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(whole, again, (size_t)size * sizeof *whole);
    unlink_results();
    free(whole);
    free(again);

    write_edited("other.yaml", beam_text, "factor: 0, increments: 3", "factor: 1.1");
    run_well(FEM "other.yaml --restart saved.h5", &r);
    hid_t file = open_results("out.h5");
    CHECK_CLOSE(number_at(file, "history/load_force", 3, shape, 5 * 3 + 1), -1.1 * 17000, 1e-6);
    H5Fclose(file);
    unlink_results();

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_edited("other.yaml", beam_text, others[i].old, others[i].new);
        assert_refused_twice(FEM "other.yaml --restart saved.h5", 1, &others[i].part);
    }
    static const char *const no_state[] = {"plain.h5: not a restart file"};
    write_edited("other.yaml", cube_text, "[all]", "[none]");
    run_well(FEM "other.yaml -o plain.h5", &r);
    assert_refused_twice(FEM "other.yaml --restart plain.h5", 1, no_state);
    unlink("plain.h5");
    unlink("saved.h5");
    unlink("other.yaml");
}

/* A number of a restart file that no run would have written. */
static void damaged_restart_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t place;
        double value;
        const char *part;
    } cases[] = {
        {"restart/displacement", 7, NAN, "saved.h5: restart/displacement: number 8 is nan"},
        {"restart/points", 13, -1, "saved.h5: restart/points: number 14 is -1: need a finite one from 0 on"},
        {"restart/external_work", 0, INFINITY, "saved.h5: restart/external_work: number 1 is inf"},
        {"restart/largest_force", 0, -1, "saved.h5: restart/largest_force: number 1 is -1"},
        {"restart/next_increment", 0, 0, "saved.h5: restart/next_increment is 0"},
        {"restart/next_increment", 0, 2, "saved.h5: restart/next_increment is 2"},
    };
    const double newer = 2, version = 1;
    result r;
    hid_t file;
    run_well(FEM "beam.yaml", &r);
    assert_int_equal(rename("out-0005.restart.h5", "saved.h5"), 0);
    unlink_results();
    /* under the name that the run itself would write, and remove */
    static const char *const own[] = {"--restart = out.h5.partial: is what this run would keep its state in"};
    assert_int_equal(rename("saved.h5", "out.h5.partial"), 0);
    assert_refused(FEM "beam.yaml --restart out.h5.partial", 1, own);
    assert_int_equal(rename("out.h5.partial", "saved.h5"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_number(FEM "beam.yaml --restart saved.h5", cases[i].name, cases[i].place, cases[i].value,
                      cases[i].part);
    static const char *const other[] = {"saved.h5: version 2: this program reads version 1"};
    for (int back = 0; back < 2; back++) {
        CHECK_OK(sw_h5_open("saved.h5", 1, &file));
        H5Adelete(file, "version");
        CHECK_OK(sw_h5_write_numbers(file, "version", 1, back ? &version : &newer));
        H5Fclose(file);
        if (!back)
            assert_refused_twice(FEM "beam.yaml --restart saved.h5", 1, other);
    }
    run_well(FEM "beam.yaml --restart saved.h5", &r);
    unlink_results();
    unlink("saved.h5");
}

/* Perfectly plastic tension beyond the yield stress: two of three increments have an equilibrium. */
static void load_that_cannot_be_carried_keeps_what_could(void **state)
{
    (void)state;
    const int64_t shape[3] = {2, 1, 3};
    result r;
    write_edited("limit.yaml", cube_text, ", hardening: {law: linear, modulus: 66.0e9}", "");
    run(FEM "limit.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_one_line(FEM "limit.yaml", &r);
    assert_non_null(strstr(r.err, ": limit.yaml: increment 3 of 3 (step 1): "));
    assert_non_null(strstr(r.err, "2 of 3 increments are kept in out.h5.partial: --resume goes on"));
    /* 450 of 600 MPa; the least increment of 1e-4 is not come to, which is what "early" means */
    assert_non_null(
        strstr(r.err, "limit load near factor 0.75, the last that converged; no equilibrium at 0.76"));
    assert_int_equal(access("out.h5", F_OK), -1);
    assert_int_equal(access("out-0002.vtkhdf", F_OK), 0);
    assert_int_equal(access("out-0003.vtkhdf", F_OK), -1);
    hid_t file = open_results("out.h5.partial");
    CHECK_CLOSE(number_at(file, "history/load_displacement", 3, shape, 5), 2e-3, 1e-8);
    H5Fclose(file);
    unlink_results();
    unlink("limit.yaml");
}

/* What is kept is the state at the end of the last increment, not the one that substeps of the next had come to: 400 MPa
 * stretch the cube by 2e-3, 450 by 2.25e-3. */
static void increment_that_fails_half_way_leaves_the_last(void **state)
{
    (void)state;
    const int64_t unknowns = 27 * 3;
    double displacement[27 * 3];
    result r;
    write_edited("limit.yaml", cube_text, ", hardening: {law: linear, modulus: 66.0e9}", "");
    run(FEM "limit.yaml", &r);
    assert_int_equal(r.status, 1);
    hid_t file = open_results("out.h5.partial");
    CHECK_OK(sw_h5_read(file, "restart/displacement", H5T_NATIVE_DOUBLE, 1, &unknowns, displacement));
    H5Fclose(file);
    CHECK_CLOSE(displacement[27 * 3 - 1], 2e-3, 1e-8);
    unlink_results();
    unlink("limit.yaml");
}

static void resume_without_anything_starts(void **state)
{
    (void)state;
    result r;
    run_well(FEM "cube.yaml --resume", &r);
    assert_int_equal(access("out.h5", F_OK), 0);
    unlink_results();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_run_leaves_nothing),
        cmocka_unit_test(killed_run_resumes_to_the_same),
        cmocka_unit_test(saved_increment_restarts),
        cmocka_unit_test(damaged_restart_files_are_refused),
        cmocka_unit_test(load_that_cannot_be_carried_keeps_what_could),
        cmocka_unit_test(increment_that_fails_half_way_leaves_the_last),
        cmocka_unit_test(resume_without_anything_starts),
    };
    return cmocka_run_group_tests(tests, make_fem_folder, remove_folder);
}
