/* `slipwave taylor` on several MPI ranks. */
#include "ranks.h"

/* Averages and orientations of one run. */
typedef struct {
    double stress[STEPS + 1][3][3], resistance[STEPS + 1], rate[STEPS + 1];
    float euler[CRYSTALS][3], weight[CRYSTALS] /* 0 without */, odf[19 * 19 * 37];
} outcome;

static outcome read_outcome(const char *path, int64_t crystals, int ranks)
{
    outcome o = {0};
    char device[64];
    const int64_t rows[3] = {STEPS + 1, 3, 3};
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, o.stress));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, rows, o.resistance));
    CHECK_OK(sw_h5_read(file, "history/slip_rate", H5T_NATIVE_DOUBLE, 1, rows, o.rate));
    CHECK_OK(
        sw_h5_read(file, "orientations/4/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){crystals, 3}, o.euler));
    if (sw_h5_exists(file, "orientations/weight"))
        CHECK_OK(sw_h5_read(file, "orientations/weight", H5T_NATIVE_FLOAT, 1, &crystals, o.weight));
    CHECK_OK(sw_h5_read(file, "texture/4/odf", H5T_NATIVE_FLOAT, 3, (int64_t[]){19, 19, 37}, o.odf));
    if (ranks > 1) {
        snprintf(device, sizeof device, "cpu, 1 threads, %d ranks", ranks);
        assert_run_text(file, "device", device);
    }
    H5Fclose(file);
    unlink(path);
    return o;
}

/* 5 crystals, so that ranks have unequal numbers; 2, so that one has none; those of a file; with weights, of which
 * one rank has nearly nothing. */
static void ranks_do_not_change_the_results(void **state)
{
    (void)state;
    static const struct {
        const char *options;
        int64_t crystals;
    } cases[] = {{"--solver terms", 5},
                 {"--solver grid", 5},
                 {"--solver iterative", 5},
                 {"--solver grid --count 2", 2},
                 {"--solver iterative --crystals-file good.ori", 2},
                 {"--solver elastoplastic --crystals-file heavy.ori", 5},
                 {"--solver iterative --crystals-file heavy.ori", 5}};
    if (without_mpi())
        skip();
    write_text("heavy.ori", "35 45 0 1e-20\n59 37 63 1e-20\n10 20 30 3\n40 50 60 1\n70 80 20 7\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[256];
        result r;
        snprintf(command, sizeof command, "slipwave taylor -q job.yaml --device cpu -j 1 %s",
                 cases[i].options);
        run_well(command, &r);
        const outcome one = read_outcome("out.h5", cases[i].crystals, 1);
        run_on_ranks(3, command + strlen("slipwave "), &r);
        if (r.status != 0)
            fail_msg("%s: exit status %d, '%s'", command, r.status, r.err);
        const outcome three = read_outcome("out.h5", cases[i].crystals, 3);
        for (int n = 0; n <= STEPS; n++) { /* sums of floats in another order: 1e-7 each */
            for (int k = 0; k < 9; k++)
                CHECK_CLOSE(three.stress[n][k / 3][k % 3], one.stress[n][k / 3][k % 3],
                            1e-6 * fabs(one.stress[n][0][0]));
            CHECK_CLOSE(three.resistance[n], one.resistance[n], 1e-6 * one.resistance[n]);
            CHECK_CLOSE(three.rate[n], one.rate[n], 1e-6 * one.rate[n]);
        }
        assert_memory_equal(one.euler, three.euler, (size_t)cases[i].crystals * sizeof *one.euler);
        assert_memory_equal(one.weight, three.weight, sizeof one.weight);
        assert_int_equal(one.weight[4] > 1, strstr(cases[i].options, "heavy") != NULL);
        assert_memory_equal(one.odf, three.odf, sizeof one.odf);
    }
}

/* Ranks agree where an entry ends: the same steps, on three as on one. Stresses differ by what given ones are met to,
 * 2e-5 of 30 MPa, in each of two steps that end there, and by the crystals' rounding. */
static void ranks_end_entries_together(void **state)
{
    (void)state;
    enum { MOST = 64 };
    static const char command[] = "slipwave taylor -q goals.yaml --device cpu -j 1";
    double stress[2][MOST][3][3];
    int64_t rows[2][3];
    if (without_mpi())
        skip();
    write_text(
        "goals.yaml",
        "material: material.yaml\nsolver: elastoplastic\ncrystals: {count: 5}\nstrain_increment: 0.002\n"
        "cycles: 2\nloading:\n"
        "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n"
        "     stress: [[x, x, x], [x, 0, x], [x, x, 0]],\n"
        "     until: strain, component: 33, goal: -0.003, duration: 20}\n"
        "  - {velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n"
        "     stress: [[x, x, x], [x, 0, x], [x, x, 0]],\n"
        "     until: stress, component: 11, goal: 0, duration: 5}\n"
        "output: {file: out.h5}\n");
    for (int k = 0; k < 2; k++) {
        result r;
        if (k == 0)
            run(command, &r);
        else
            run_on_ranks(3, command + strlen("slipwave "), &r);
        if (r.status != 0)
            fail_msg("%d: exit status %d, '%s'", k, r.status, r.err);
        hid_t file = open_results("out.h5");
        CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, rows[k]));
        assert_in_range(rows[k][0], 8, MOST);
        CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows[k], stress[k]));
        H5Fclose(file);
        unlink("out.h5");
    }
    assert_int_equal(rows[0][0], rows[1][0]);
    for (int64_t n = 0; n < rows[0][0]; n++)
        CHECK_CLOSE(stress[1][n][0][0], stress[0][n][0][0], 1e-4 * 30e6);
    CHECK_CLOSE(stress[1][rows[1][0] - 1][0][0], 0, 1e-4 * 30e6);
    unlink("goals.yaml");
}

/* ---- Stopped and resumed ---- */

static void read_crystals(const char *path, int64_t step, int64_t crystals, float (*euler)[3],
                          double *resistance)
{
    enum { ROWS = 701 };
    const int64_t rows = ROWS;
    double history[ROWS];
    char name[64];
    hid_t file = open_results(path);
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){crystals, 3}, euler));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, &rows, history));
    *resistance = history[ROWS - 1];
    H5Fclose(file);
    unlink(path);
}

/* Three ranks are asked to stop; another number of them goes on: the same crystals, bit by bit. */
static void other_ranks_resume(void **state)
{
    (void)state;
    enum { CRYSTALS_MOST = 60000, LAST = 700 };
    static const struct {
        const char *options;
        int64_t crystals;
        int ranks; /* that go on */
    } cases[] = {{"--solver grid --count 60000", 60000, 1},
                 {"--solver iterative --count 2500", 2500, 2},
                 {"--solver iterative --count 2500", 2500, 4}};
    static float whole[CRYSTALS_MOST][3], resumed[CRYSTALS_MOST][3];
    if (without_mpi())
        skip();
    write_text("long.yaml",
               "database: copper.h5\nsolver: grid\ncrystals: {count: 1}\nstrain_increment: 0.001\nloading:\n"
               "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 494.97}\n"
               "output: {file: out.h5, orientations: [300, last], textures: [], checkpoint: 0.1}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double one, other;
        char command[PATH_MAX + 256];
        result r;
        snprintf(command, sizeof command, "slipwave taylor -q long.yaml -j 1 --device cpu %s",
                 cases[i].options);
        run_well(command, &r);
        read_crystals("out.h5", LAST, cases[i].crystals, whole, &one);
        stop_on_ranks(3, command + strlen("slipwave "), "out.h5");
        snprintf(command, sizeof command, "taylor -q long.yaml -j 1 --device cpu %s --resume",
                 cases[i].options);
        run_on_ranks(cases[i].ranks, command, &r);
        if (r.status != 0)
            fail_msg("%s: exit status %d, '%s'", command, r.status, r.err);
        read_crystals("out.h5", LAST, cases[i].crystals, resumed, &other);
        assert_memory_equal(whole, resumed, (size_t)cases[i].crystals * sizeof *whole);
        CHECK_CLOSE(other, one, 1e-6 * one);
        assert_int_equal(access("out.h5.partial", F_OK), -1);
    }
    unlink("long.yaml");
}

static void ranks_fail_together(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"taylor -q job.yaml --database absent.h5", "absent.h5: No such file or directory"},
        {"taylor -q job.yaml -o absent/out.h5", "absent/out.h5: cannot be created"},
        {"taylor -q job.yaml --terms 0", "--terms = 0"},
        {"taylor -q job.yaml --solver auto", "has no certified errors"}};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char before[4096], after[4096];
        result r;
        list_folder(before, sizeof before);
        run_on_ranks(3, cases[i][0], &r);
        list_folder(after, sizeof after);
        assert_int_equal(r.status, 1);
        assert_non_null(strstr(r.err, cases[i][1]));
        assert_string_equal(before, after);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_do_not_change_the_results),
        cmocka_unit_test(ranks_end_entries_together),
        cmocka_unit_test(other_ranks_resume),
        cmocka_unit_test(ranks_fail_together),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
