/* Task forming_limit of a job: what is refused, and what its results hold. */
#include "tests/job_files.h"

#include "online/forming/tasks.h"

static const char JOB[] = "material: copper-ofhc.yaml\n"
                          "crystals: {count: 24, texture: random, seed: 2}\n"
                          "forming_limit:\n"
                          "  ratios: [0.5, -0.25]\n"
                          "  angles: {first: 0, last: 20, count: 3}\n"
                          "  strain_increment: 0.02\n"
                          "output: {file: limit.h5}\n";

static int set_up(void **unused)
{
    char command[4 * PATH_MAX], copper[PATH_MAX];
    if (make_job_folder(unused) != 0)
        return 1;
    snprintf(copper, sizeof copper, "%s", data_path("materials/copper-ofhc.yaml"));
    snprintf(command, sizeof command, "cp '%s' '%s' '%s'", copper, data_path("materials/az31.yaml"), folder);
    return system(command) != 0 || chdir(folder) != 0;
}

static int tear_down(void **unused)
{
    (void)unused;
    char command[2 * PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

static sw_status open_with(const char *old, const char *new, sw_forming_job **job)
{
    static const char *const quiet[][2] = {{"quiet", ""}};
    write_job(JOB, old, new);
    return sw_forming_job_open(&(sw_arguments){job_path, 1, quiet}, job);
}

static void refuses(void **unused)
{
    (void)unused;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"ratios: [0.5, -0.25]", "ratios: [1.5]", "job.yaml:4: forming_limit.ratios[0] = 1.5"},
        {"ratios: [0.5, -0.25]", "imperfection: 1", "job.yaml:4: forming_limit.imperfection = 1"},
        {"ratios: [0.5, -0.25]", "necking: 1", "job.yaml:4: forming_limit.necking = 1"},
        {"ratios: [0.5, -0.25]", "band: turns", "job.yaml:4: forming_limit.band"},
        {"first: 0", "first: 20", "job.yaml:5: forming_limit.angles.last = 20: need more than first, 20"},
        {"strain_increment: 0.02", "strain_increment: 0.02\n  strain_limit: 0.03",
         "job.yaml:6: forming_limit.strain_increment = 0.02: need at most half of strain_limit, 0.03"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_forming_job *job;
        assert_int_equal(open_with(cases[i].old, cases[i].new, &job), SW_ERR_INPUT);
        assert_message_has(cases[i].message);
        assert_null(job);
    }
}

/* The same numbers as without a job. */
static void writes_results(void **unused)
{
    (void)unused;
    sw_forming_job *job;
    double ratio[2], strain[2][2], stress[2][6], angle[2], final_angle[2], imperfection;
    int32_t end[2];
    hid_t file, group;
    FILE *nowhere = fopen("/dev/null", "w");
    CHECK_OK(open_with(NULL, NULL, &job));
    CHECK_OK(sw_forming_run(job, nowhere));
    sw_forming_job_close(job);
    fclose(nowhere);
    CHECK_OK(sw_h5_open("limit.h5", 0, &file));
    group = H5Gopen2(file, "forming_limit", H5P_DEFAULT);
    CHECK_OK(sw_h5_read(group, "ratio", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, ratio));
    CHECK_OK(sw_h5_read(group, "strain", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 2}, strain));
    CHECK_OK(sw_h5_read(group, "stress", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 6}, stress));
    CHECK_OK(sw_h5_read(group, "angle", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, angle));
    CHECK_OK(sw_h5_read(group, "final_angle", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, final_angle));
    CHECK_OK(sw_h5_read(group, "end", H5T_NATIVE_INT32, 1, (int64_t[]){2}, end));
    CHECK_OK(sw_h5_read_numbers(group, "imperfection", 1, &imperfection));
    CHECK_CLOSE(imperfection, 0.99, 1e-15);
    for (int p = 0; p < 2; p++) {
        CHECK_CLOSE(ratio[p], p == 0 ? 0.5 : -0.25, 1e-15);
        assert_int_equal(end[p], SW_LIMIT_NECK);
        assert_true(strain[p][0] > 0.1 && strain[p][0] < 1);
        CHECK_CLOSE(strain[p][1], ratio[p] * strain[p][0], 1e-15);
        CHECK_CLOSE(stress[p][2], 0, 1); /* plane stress */
        assert_true(stress[p][0] > 2 * 16e6);
        assert_true(angle[p] >= 0 && angle[p] <= 20 * acos(-1) / 180);
        CHECK_CLOSE(tan(final_angle[p]), tan(angle[p]) * exp((1 - ratio[p]) * strain[p][0]), 1e-12);
    }
    H5Gclose(group);
    H5Fclose(file);
}

#define PRESTRAIN                                                       \
    "prestrain:\n"                                                      \
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n" \
    "     stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 100}\n"

/* After a prestrain the same sheet has less left. */
static void a_prestrain_counts(void **unused)
{
    (void)unused;
    sw_forming_job *job;
    double strain[2][2][2];
    FILE *nowhere = fopen("/dev/null", "w");
    for (int k = 0; k < 2; k++) {
        hid_t file;
        CHECK_OK(open_with("output:", k == 0 ? "output:" : PRESTRAIN "output:", &job));
        CHECK_OK(sw_forming_run(job, nowhere));
        sw_forming_job_close(job);
        CHECK_OK(sw_h5_open("limit.h5", 0, &file));
        CHECK_OK(
            sw_h5_read(file, "forming_limit/strain", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 2}, strain[k]));
        H5Fclose(file);
    }
    fclose(nowhere);
    /* what a tension of 0.1 uses up of the hardening, as an equivalent strain; of 24 crystals that are hardly isotropic */
    for (int p = 0; p < 2; p++) {
        const double r = p == 0 ? 0.5 : -0.25, equivalent = 2 / sqrt(3) * sqrt(1 + r + r * r);
        CHECK_CLOSE(strain[0][p][0] - strain[1][p][0], 0.1 / equivalent, 0.04);
    }
}

/* Of a sheet of magnesium in plane strain whose crystals and major axis are turned about its normal. */
static double magnesium(const char *solver, int turn)
{
    sw_forming_job *job;
    double strain[2];
    hid_t file;
    FILE *out = fopen("sheet.ori", "w"), *nowhere = fopen("/dev/null", "w");
    for (int i = 0; i < 24; i++)
        fprintf(out, "%d %d %d\n", 17 + i * i % 23 + turn, 34 + i * 7 % 19, 52 + i * 11 % 29);
    fclose(out);
    char text[512];
    snprintf(
        text, sizeof text,
        "material: az31.yaml\nsolver: %s\ncrystals: {file: sheet.ori}\nforming_limit:\n  imperfection: 0.97\n"
        "  ratios: [0]\n  major_axis: %d\n  angles: {first: 0, last: 0, count: 1}\n  refinement: 0\n"
        "  strain_increment: 0.01\noutput: {file: limit.h5}\n",
        solver, turn);
    write_job(text, NULL, NULL);
    static const char *const quiet[][2] = {{"quiet", ""}};
    CHECK_OK(sw_forming_job_open(&(sw_arguments){job_path, 1, quiet}, &job));
    CHECK_OK(sw_forming_run(job, nowhere));
    sw_forming_job_close(job);
    fclose(nowhere);
    CHECK_OK(sw_h5_open("limit.h5", 0, &file));
    CHECK_OK(sw_h5_read(file, "forming_limit/strain", H5T_NATIVE_DOUBLE, 2, (int64_t[]){1, 2}, strain));
    H5Fclose(file);
    return strain[0];
}

/* The same sheet, turned: angles are single, and the band makes much of their rounding. Elastic strains delay the band: by 6 % where
 * stresses of one curve Y(e) (de/dt)^m are integrated with E / (1 - nu^2) of magnesium, 49 GPa. */
static void hexagonal_crystals(void **unused)
{
    (void)unused;
    const double limit = magnesium("elastoplastic", 0), rigid = magnesium("rigid_plastic", 0);
    print_message("%.4f, of rigid crystals %.4f\n", limit, rigid);
    CHECK_CLOSE(magnesium("elastoplastic", 90), limit, 1e-4);
    CHECK_CLOSE(magnesium("elastoplastic", 40), limit, 1e-4);
    CHECK_CLOSE(limit, 1.06 * rigid, 0.03 * rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses), cmocka_unit_test(writes_results),
                                       cmocka_unit_test(a_prestrain_counts),
                                       cmocka_unit_test(hexagonal_crystals)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
