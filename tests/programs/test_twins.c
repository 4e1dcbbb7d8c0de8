/* Twins that turn crystals, by `slipwave taylor`, against VPSC8's predominant twin reorientation (data/reference/vpsc-reorientation.csv
 * says how it was made), whatever the number of threads and however often the run is cut. */
#include "programs.h"

enum { ROWS = 30, VON_MISES = 1, TWINNED = 12, TURNED = 13, COLUMNS = 14 };

static void write_material(void)
{
    char *text = read_data("materials/az31.yaml");
    write_edited(
        "az31.yaml", text, "family: tension_twin,",
        "family: tension_twin, twin_threshold: 0.1, twin_threshold_rise: 0.5, secondary_twins: yes,");
    free(text);
    text = read_data("reference/vpsc-az31-extruded.tex");
    write_text("bar.tex", text);
    free(text);
}

static void write_job(const char *name, const char *result)
{
    char job[1000];
    snprintf(job, sizeof job,
             "material: az31.yaml\nsolver: rigid_plastic\nstrain_increment: 0.012247449\n"
             "crystals: {file: bar.tex}\nloading:\n"
             "  - velocity_gradient: [[0.5e-3, 0, 0], [0, 0.5e-3, 0], [0, 0, -1.0e-3]]\n    duration: 300\n"
             "output: {file: %s, orientations: [last]}\n",
             result);
    write_text(name, job);
}

static void read_rows(double row[ROWS + 1][COLUMNS])
{
    char *text = read_data("reference/vpsc-reorientation.csv"), *at = text;
    while (*at == '#' || *at == 's')
        at = strchr(at, '\n') + 1;
    for (int k = 0; k <= ROWS; k++, at = strchr(at, '\n') + 1)
        for (int i = 0; i < COLUMNS; i++) {
            row[k][i] = strtod(at, &at);
            at += *at == ',';
        }
    free(text);
}

static double von_mises(double s[3][3])
{
    const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
    double sum = 0;
    for (int i = 0; i < 9; i++)
        sum += pow(s[i / 3][i % 3] - (i % 4 == 0 ? mean : 0), 2);
    return sqrt(1.5 * sum);
}

/* Which crystals turn first is each program's own affair: 1.4 % of the stress, 0.004 and 0.008 of the fractions as we saw them. */
static void crystals_turn_as_in_vpsc(void **state)
{
    (void)state;
    static double row[ROWS + 1][COLUMNS], stress[ROWS + 1][3][3], twinned[ROWS + 1], turned[ROWS + 1];
    double worst[3] = {0};
    int64_t shape[3];
    result r;
    write_material();
    write_job("job.yaml", "out.h5");
    read_rows(row);
    run("slipwave taylor -q --device cpu job.yaml", &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    assert_int_equal(shape[0], ROWS + 1);
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    CHECK_OK(sw_h5_shape(file, "history/twin_fraction", 2, shape));
    CHECK_OK(sw_h5_read(file, "history/twin_fraction", H5T_NATIVE_DOUBLE, 2, shape, twinned));
    CHECK_OK(sw_h5_read(file, "history/turned_fraction", H5T_NATIVE_DOUBLE, 2, shape, turned));
    H5Fclose(file);
    for (int k = 1; k <= ROWS; k++) {
        const double ratio = von_mises(stress[k]) / (1e6 * row[k][VON_MISES]);
        worst[0] = greatest(worst[0], fabs(ratio - 1));
        worst[1] = greatest(worst[1], fabs(twinned[k] - row[k][TWINNED]));
        worst[2] = greatest(worst[2], fabs(turned[k] - row[k][TURNED]));
    }
    print_message("von Mises within %.2f %%, twinned %.4f, turned %.4f\n", 100 * worst[0], worst[1],
                  worst[2]);
    assert_true(worst[0] < 0.03 && worst[1] < 0.01 && worst[2] < 0.02);
}

/* One more solver, in double precision and of another make: what turns when is by the same fractions, to 0.42 % of the stress and
 * 0.0026 of the fractions as we saw them; two to three times that. */
static void iterative_turns_them_too(void **state)
{
    (void)state;
    enum { STEPS = 31 };
    static double stress[2][STEPS + 1][3][3], turned[2][STEPS + 1];
    int64_t shape[3];
    result r;
    write_material();
    write_text("both.yaml",
               "material: az31.yaml\nstrain_increment: 0.004\ncrystals: {file: bar.tex}\nloading:\n"
               "  - velocity_gradient: [[0.5e-3, 0, 0], [0, 0.5e-3, 0], [0, 0, -1.0e-3]]\n    duration: 100\n"
               "output: {file: both.h5}\n");
    for (int k = 0; k < 2; k++) {
        run(k ? "slipwave taylor -q --device cpu --solver iterative both.yaml -o iterative.h5"
              : "slipwave taylor -q --device cpu --solver elastoplastic both.yaml -o elastoplastic.h5",
            &r);
        if (r.status != 0)
            fail_msg("%s", r.err);
        hid_t file = open_results(k ? "iterative.h5" : "elastoplastic.h5");
        CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
        assert_int_equal(shape[0], STEPS + 1);
        CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress[k]));
        CHECK_OK(sw_h5_shape(file, "history/turned_fraction", 2, shape));
        CHECK_OK(sw_h5_read(file, "history/turned_fraction", H5T_NATIVE_DOUBLE, 2, shape, turned[k]));
        H5Fclose(file);
    }
    for (int n = 3; n <= STEPS; n++) {
        CHECK_CLOSE(von_mises(stress[0][n]) / von_mises(stress[1][n]), 1, 0.01);
        CHECK_CLOSE(turned[0][n], turned[1][n], 0.007);
    }
    assert_true(turned[1][STEPS] > 0.4);
}

/* Orientations at the end, bit by bit. */
static void threads_change_nothing(void **state)
{
    (void)state;
    static float euler[2][2000][3];
    int64_t shape[2];
    result r;
    write_material();
    for (int k = 0; k < 2; k++) {
        char command[200];
        write_job("job.yaml", k ? "two.h5" : "one.h5");
        snprintf(command, sizeof command, "slipwave taylor -q --device cpu job.yaml");
        setenv("OMP_NUM_THREADS", k ? "2" : "1", 1);
        run(command, &r);
        assert_int_equal(r.status, 0);
        hid_t file = open_results(k ? "two.h5" : "one.h5");
        char name[60];
        snprintf(name, sizeof name, "orientations/%d/euler", ROWS);
        CHECK_OK(sw_h5_shape(file, name, 2, shape));
        assert_in_range(shape[0], 1, 2000);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, shape, euler[k]));
        H5Fclose(file);
    }
    assert_memory_equal(euler[0], euler[1], (size_t)shape[0] * sizeof euler[0][0]);
}

static void families_of_slip_refuse_them(void **state)
{
    (void)state;
    result r;
    write_material();
    write_job("job.yaml", "refused.h5");
    char *given = read_data("materials/az31.yaml");
    write_edited("az31.yaml", given, "family: basal,", "family: basal, twin_threshold: 0.1,");
    free(given);
    run("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_not_equal(r.status, 0);
    assert_non_null(strstr(r.err, "twin_threshold has no place in a family of slip"));
    assert_int_not_equal(access("refused.h5", F_OK), 0);
}

static int set_up(void **state)
{
    (void)state;
    return enter_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crystals_turn_as_in_vpsc), cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(iterative_turns_them_too), cmocka_unit_test(families_of_slip_refuse_them)};
    return cmocka_run_group_tests_name("twins", tests, set_up, remove_folder);
}
