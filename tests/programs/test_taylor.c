/* `slipwave taylor` as its users meet it. */
#include "programs.h"

static void assert_unit(hid_t file, const char *name, const char *unit)
{
    char *text;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(set, "unit", &text));
    assert_string_equal(text, unit);
    free(text);
    H5Dclose(set);
}

static void results_say_what_they_are(void **state)
{
    (void)state;
    static const char *const units[][2] = {{"history/time", "s"},
                                           {"history/strain", "1"},
                                           {"history/deformation_gradient", "1"},
                                           {"history/velocity_gradient", "1/s"},
                                           {"history/cauchy_stress", "Pa"},
                                           {"history/slip_resistance", "Pa"},
                                           {"history/slip_rate", "1/s"},
                                           {"orientations/0/euler", "rad"},
                                           {"texture/4/pole_figure/111", "MRD"},
                                           {"texture/4/inverse_pole_figure/axis_3", "MRD"},
                                           {"texture/4/odf", "MRD"},
                                           {"texture/4/texture_index", "1"},
                                           {"texture/4/component_fraction", "1"}};
    char *format;
    double version;
    result r;
    run_well(TAYLOR "job.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read_text(file, "format", &format));
    assert_string_equal(format, "slipwave-taylor");
    free(format);
    CHECK_OK(sw_h5_read_numbers(file, "version", 1, &version));
    assert_true(version == 1);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_unit(file, units[i][0], units[i][1]);
    H5Fclose(file);
    unlink("out.h5");
}

/* A table that takes 0.1 s or more to make: steps of few crystals take less. */
static void making_a_table_is_no_step(void **state)
{
    (void)state;
    result r;
    run_well(TAYLOR "job.yaml --solver grid --refinement 12 -j 1 --device cpu", &r);
    hid_t file = open_results("out.h5");
    const double setup = run_number(file, "setup_time"), steps = run_number(file, "wall_time");
    assert_true(setup > steps && steps > 0);
    assert_true(run_number(file, "output_time") > 0);
    CHECK_CLOSE(run_number(file, "crystal_steps_per_second"), STEPS * CRYSTALS / steps, 1e-9 / steps);
    H5Fclose(file);
    unlink("out.h5");
}

/* What was `polish` is read, in files and as an option, with a word about it. */
static void former_names_are_read(void **state)
{
    (void)state;
    result r;
    run(TAYLOR "job.yaml --solver polish", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "warning: --solver = polish: is called rigid_plastic now"));
    write_edited("former.yaml", job_text, "solver: terms", "solver: polish");
    run(TAYLOR "former.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "warning: former.yaml:"));
    assert_non_null(strstr(r.err, "solver = polish: is called rigid_plastic now"));
    hid_t file = open_results("out.h5");
    char *solver;
    hid_t run_group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(run_group, "solver", &solver));
    assert_string_equal(solver, "rigid_plastic");
    free(solver);
    H5Gclose(run_group);
    H5Fclose(file);
    unlink("former.yaml");
    unlink("out.h5");
}

/* The line that closes a run, quiet or not. */
static void runs_end_with_a_line(void **state)
{
    (void)state;
    static const char *const part[] = {"out.h5: 5 crystals in 4 steps to a strain of 0.07071: ",
                                       "von Mises stress ", " MPa, slip resistance ", " crystal-steps/s)\n"};
    result r;
    run_well(TAYLOR "job.yaml", &r);
    for (int i = 0; i < 4; i++)
        assert_non_null(strstr(r.out, part[i]));
    assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);
    run("slipwave taylor job.yaml", &r);
    assert_int_equal(strncmp(r.out, part[0], strlen(part[0])), 0);
    assert_string_equal(r.err, ""); /* too short for progress */
    unlink("out.h5");
}

/* Of a scan of two phases one is run, and said to be. */
static void a_phase_of_a_scan_is_run(void **state)
{
    (void)state;
    static const char *const part[] = {"scan.ctf: several phases", "1 Copper (2 rows), 2 Iron bcc (1 rows)"};
    result r;
    write_text("scan.ctf", "Channel Text File\nPhases\t2\n3.6;3.6;3.6\t90;90;90\tCopper\t11\n"
                           "2.9;2.9;2.9\t90;90;90\tIron bcc\t11\nPhase\tEuler1\tEuler2\tEuler3\n"
                           "1\t10\t20\t30\n2\t20\t30\t40\n0\t0\t0\t0\n1\t30\t40\t50\n");
    assert_refused(TAYLOR "job.yaml --crystals-file scan.ctf", 2, part);
    run_well(TAYLOR "job.yaml --crystals-file scan.ctf --phase copper", &r);
    hid_t file = open_results("out.h5");
    assert_run_text(file, "crystal_phase", "1 Copper");
    assert_true(run_number(file, "crystals") == 2);
    assert_true(run_number(file, "crystals_skipped") == 1);
    assert_true(run_number(file, "crystals_of_other_phases") == 1);
    H5Fclose(file);
    unlink("out.h5");
    unlink("scan.ctf");
}

/* HDF5's attributes end at 64 KB. */
static void a_long_job_is_kept_whole(void **state)
{
    (void)state;
    enum { SEGMENTS = 1200 };
    static const char segment[] =
        "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 1}\n";
    char *text = malloc(SEGMENTS * sizeof segment + 1024);
    assert_non_null(text);
    strcpy(text, "material: material.yaml\nsolver: rigid_plastic\ncrystals: {count: 2}\noutput: {file: "
                 "out.h5}\nloading:\n");
    for (int i = 0; i < SEGMENTS; i++)
        strcat(text, segment);
    write_text("many.yaml", text);
    result r;
    run_well(TAYLOR "many.yaml -j 1", &r);
    hid_t file = open_results("out.h5");
    assert_run_text(file, "job", text);
    H5Fclose(file);
    unlink("out.h5");
    unlink("many.yaml");
    free(text);
}

/* Once, and quiet or not. */
static void radians_are_warned_of(void **state)
{
    (void)state;
    static const char warning[] = "slipwave: warning: radians.ori: no angle passes 7: ";
    result r;
    write_text("radians.ori", "0.1 1.2 6.28\n3.1 0.2 0.3\n");
    run(TAYLOR "job.yaml --crystals-file radians.ori", &r);
    assert_int_equal(r.status, 0);
    assert_int_equal(strncmp(r.err, warning, strlen(warning)), 0);
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1);
    unlink("out.h5");
    unlink("radians.ori");
}

static void results_have_what_the_format_says(void **state)
{
    (void)state;
    enum { ROWS = STEPS + 1 };
    double time[ROWS], strain[ROWS], resistance[ROWS], rate[ROWS];
    double f[ROWS][3][3], l[ROWS][3][3], stress[ROWS][3][3];
    float euler[CRYSTALS][3], density[101][101];
    const int64_t rows[3] = {ROWS, 3, 3}, angles[2] = {CRYSTALS, 3}, disk[2] = {101, 101};
    result r;
    write_text("out.h5", "an older result\n"); /* gives way to the complete one */
    run_well(TAYLOR "job.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, rows, time));
    CHECK_OK(sw_h5_read(file, "history/strain", H5T_NATIVE_DOUBLE, 1, rows, strain));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, rows, resistance));
    CHECK_OK(sw_h5_read(file, "history/slip_rate", H5T_NATIVE_DOUBLE, 1, rows, rate));
    CHECK_OK(sw_h5_read(file, "history/deformation_gradient", H5T_NATIVE_DOUBLE, 3, rows, f));
    CHECK_OK(sw_h5_read(file, "history/velocity_gradient", H5T_NATIVE_DOUBLE, 3, rows, l));
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, stress));
    assert_true(time[0] == 0 && strain[0] == 0 && resistance[0] == 16e6 && stress[0][0][0] == 0);
    for (int n = 1; n < ROWS; n++) {
        assert_true(resistance[n] > resistance[n - 1] && rate[n] > 0);
        assert_true(l[n][0][0] == 1e-3 && l[n][2][2] == -1e-3 && l[n][0][1] == 0);
        assert_true(stress[n][0][0] - stress[n][2][2] > 0);
        /* a few hundred roundings of 1e-16 */
        CHECK_CLOSE(strain[n], sqrt(2.0) * 1e-3 * time[n], 1e-13);
        CHECK_CLOSE(f[n][0][0], exp(1e-3 * time[n]), 1e-13);
        CHECK_CLOSE(f[n][2][2], exp(-1e-3 * time[n]), 1e-13);
        CHECK_CLOSE(f[n][1][1], 1, 1e-13);
    }
    for (int n = 1; n < STEPS; n++)
        CHECK_CLOSE(strain[n], 0.02 * n, 1e-13);
    CHECK_CLOSE(time[STEPS], 50, 1e-12);
    CHECK_OK(sw_h5_read(file, "orientations/0/euler", H5T_NATIVE_FLOAT, 2, angles, euler));
    CHECK_OK(sw_h5_read(file, "orientations/4/euler", H5T_NATIVE_FLOAT, 2, angles, euler));
    CHECK_OK(sw_h5_read(file, "texture/4/pole_figure/111", H5T_NATIVE_FLOAT, 2, disk, density));
    for (int n = 0; n < CRYSTALS * 3; n++)
        assert_true(isfinite(euler[n / 3][n % 3]));
    for (int step = 1; step < STEPS; step++) {
        char name[32];
        snprintf(name, sizeof name, "orientations/%d", step);
        assert_false(sw_h5_exists(file, name));
    }
    assert_run_text(file, "job", job_text);
    assert_run_text(file, "program", "slipwave " SW_VERSION);
    assert_run_text(file, "solver", "terms");
    assert_run_text(file, "material", "OFHC copper");
    assert_run_text(file, "crystal_structure", "fcc");
    assert_true(run_number(file, "crystals") == CRYSTALS);
    assert_true(run_number(file, "steps") == STEPS);
    assert_true(run_number(file, "terms") == 64);
    assert_true(run_number(file, "refinement") == 4);
    assert_true(run_number(file, "seed") == 3);
    assert_true(run_number(file, "wall_time") > 0);
    assert_true(run_number(file, "crystal_steps_per_second") > 0);
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    assert_true(H5Aexists(group, "device") > 0);
    H5Gclose(group);
    H5Fclose(file);
    unlink("out.h5");
}

static void read_euler(const char *path, int64_t count, float euler[][3])
{
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_read(file, "orientations/0/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){count, 3}, euler));
    H5Fclose(file);
}

static void options_override_the_job(void **state)
{
    (void)state;
    float three[CRYSTALS][3], nine[7][3], listed[2][3];
    result r;
    run_well(TAYLOR "job.yaml", &r);
    read_euler("out.h5", CRYSTALS, three);
    unlink("out.h5");
    run_well(
        TAYLOR
        "job.yaml --solver terms --count 7 --seed 9 --refinement 2 --terms 32 --device cpu -j 1 -o other.h5",
        &r);
    assert_int_equal(access("out.h5", F_OK), -1);
    hid_t file = open_results("other.h5");
    assert_run_text(file, "solver", "terms");
    assert_run_text(file, "device", "cpu, 1 threads");
    assert_true(run_number(file, "crystals") == 7);
    assert_true(run_number(file, "seed") == 9);
    assert_true(run_number(file, "terms") == 32);
    assert_true(run_number(file, "refinement") == 2);
    H5Fclose(file);
    read_euler("other.h5", 7, nine);
    assert_memory_not_equal(three, nine, sizeof three);

    run_well(TAYLOR
             "job.yaml --crystals-file good.ori --solver iterative --material material.yaml -o other.h5",
             &r);
    file = open_results("other.h5");
    assert_run_text(file, "solver", "iterative");
    assert_true(run_number(file, "crystals") == 2);
    H5Fclose(file);
    read_euler("other.h5", 2, listed);
    CHECK_CLOSE(listed[1][0], 59 * M_PI / 180, 1e-6); /* floats near 1 */
    CHECK_CLOSE(listed[1][2], 63 * M_PI / 180, 1e-6);
    unlink("other.h5");
}

/* A shipped job with N terms, even or odd, gives what all terms of a database cut at ceil(N / 2) pairs give: the same
 * bits. */
static void terms_of_a_shipped_job_are_coefficients(void **state)
{
    (void)state;
    enum { PAIRS = 32, SHEAR_STEPS = 36, ROWS = SHEAR_STEPS + 1 };
    const int64_t rows[] = {ROWS, 3, 3};
    double all[ROWS][3][3], asked[ROWS][3][3];
    int64_t shape[2];
    result r;
    char *text = read_data("jobs/simple-shear.yaml");
    write_edited("shear.yaml", text, "../materials/copper-ofhc.yaml", "material.yaml");
    free(text);
    run_well("slipwave-db generate -q --grid 8,8,8,12 --terms 64 material.yaml -o cut.h5", &r);
    hid_t file = open_results("cut.h5");
    CHECK_OK(sw_h5_shape(file, "terms/wavevector", 2, shape));
    H5Fclose(file);
    assert_int_equal(shape[0], PAIRS);
    static const char *const runs[] = {"--database cut.h5", "--database copper.h5 --terms 64",
                                       "--database copper.h5 --terms 63"};
    for (int k = 0; k < 3; k++) {
        char command[160];
        snprintf(command, sizeof command, TAYLOR "shear.yaml --solver terms --count 200 %s -o out.h5",
                 runs[k]);
        run_well(command, &r);
        file = open_results("out.h5");
        CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, k == 0 ? all : asked));
        H5Fclose(file);
        if (k > 0)
            assert_memory_equal(asked, all, sizeof all);
    }
    unlink("cut.h5");
    unlink("shear.yaml");
    unlink("out.h5");
}

static void last_step_may_be_named_by_number(void **state)
{
    (void)state;
    const char *at = strstr(job_text, "[0, last]");
    FILE *job = fopen("numbered.yaml", "wb");
    assert_true(job != NULL && at != NULL);
    fprintf(job, "%.*s[1, 4]}\n", (int)(at - job_text), job_text);
    assert_int_equal(fclose(job), 0);
    result r;
    run_well(TAYLOR "numbered.yaml", &r);
    hid_t file = open_results("out.h5");
    assert_false(sw_h5_exists(file, "orientations/0"));
    assert_true(sw_h5_exists(file, "orientations/1/euler"));
    assert_true(sw_h5_exists(file, "orientations/4/euler"));
    H5Fclose(file);
    unlink("out.h5");
    unlink("numbered.yaml");
}

/* The stress at the end of a run under a spin a hundred times the strain rate, by increments of a size. */
static void spin_to(const char *increment, double stress[3][3])
{
    const int64_t rows = increment[3] == '2' ? 6 : 51, shape[3] = {rows, 3, 3}; /* 0.02: 5 steps; 0.002: 50 */
    double(*history)[3][3] = malloc((size_t)rows * sizeof *history);
    char text[512];
    result r;
    snprintf(text, sizeof text,
             "material: material.yaml\nsolver: rigid_plastic\ncrystals: {count: 100}\nstrain_increment: %s\n"
             "loading: [{velocity_gradient: [[0.001, 0.1, 0], [-0.1, 0, 0], [0, 0, -0.001]], duration: 70}]\n"
             "output: {file: spin.h5}\n",
             increment);
    write_text("spin.yaml", text);
    run_well(TAYLOR "spin.yaml", &r);
    hid_t file = open_results("spin.h5");
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, history));
    H5Fclose(file);
    memcpy(stress, history[rows - 1], sizeof history[0]);
    free(history);
    unlink("spin.h5");
    unlink("spin.yaml");
}

/* A crystal turns by 1.4 rad in an increment of 0.02, and its response with it: the step is divided. What is
 * left is the first order in the increment of the strain, 1 % as for loadings without spin. */
static void large_spins_divide_the_step(void **state)
{
    (void)state;
    double coarse[3][3], fine[3][3];
    spin_to("0.02", coarse);
    spin_to("0.002", fine);
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(coarse[k / 3][k % 3], fine[k / 3][k % 3], 0.02 * fabs(fine[0][0] - fine[2][2]));
}

/* Each of the two lists, and both. */
static void textures_have_steps_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *output, *orientations, *textures; /* 1 at each step that is written */
    } cases[] = {
        {"textures: [0, last]", "00000", "10001"},
        {"orientations: [1, last], textures: [0, 1, 4, last]", "01001", "11001"},
        {"orientations: [2], textures: []", "00100", "00000"},
        {"orientations: [2]", "00100", "00100"},
        {"orientations: [every 2], textures: [every 3, last]", "10101", "10011"},
        {"orientations: every 3", "10010", "10010"},
        {"orientations: all, textures: [1]", "11111", "01000"},
    };
    const char *at = strstr(job_text, "orientations: [0, last]");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *job = fopen("textures.yaml", "wb");
        assert_non_null(job);
        fprintf(job, "%.*s%s}\n", (int)(at - job_text), job_text, cases[i].output);
        assert_int_equal(fclose(job), 0);
        result r;
        run_well(TAYLOR "textures.yaml", &r);
        hid_t file = open_results("out.h5");
        for (int step = 0; step <= STEPS; step++) {
            char orientations[32], texture[32];
            snprintf(orientations, sizeof orientations, "orientations/%d/euler", step);
            snprintf(texture, sizeof texture, "texture/%d/pole_figure/111", step);
            assert_int_equal(sw_h5_exists(file, orientations), cases[i].orientations[step] == '1');
            assert_int_equal(sw_h5_exists(file, texture), cases[i].textures[step] == '1');
        }
        H5Fclose(file);
    }
    unlink("out.h5");
    unlink("textures.yaml");
}

static void settings_of_the_grid_are_kept(void **state)
{
    (void)state;
    float linear[CRYSTALS][3], nearest[CRYSTALS][3];
    result r;
    run_well(TAYLOR "job.yaml --solver grid --interpolation nearest --refinement 3 --device cpu", &r);
    hid_t file = open_results("out.h5");
    assert_run_text(file, "solver", "grid");
    assert_run_text(file, "interpolation", "nearest");
    assert_run_text(file, "auto", "");
    assert_run_text(file, "crystals_place", "host");
    assert_true(run_number(file, "refinement") == 3);
    assert_true(run_number(file, "terms") == 0);
    assert_true(isnan(run_number(file, "error")));
    CHECK_OK(
        sw_h5_read(file, "orientations/4/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){CRYSTALS, 3}, nearest));
    H5Fclose(file);
    write_text("grid.yaml", job_text); /* its `refinement: 4` and `terms` are for terms and grid */
    run_well(TAYLOR "grid.yaml --solver grid --device cpu", &r);
    file = open_results("out.h5");
    assert_run_text(file, "interpolation", "linear");
    assert_true(run_number(file, "refinement") == 4);
    CHECK_OK(sw_h5_read(file, "orientations/4/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){CRYSTALS, 3}, linear));
    H5Fclose(file);
    assert_memory_not_equal(linear, nearest, sizeof linear);
    unlink("grid.yaml");
    unlink("out.h5");
}

/* Rounded off by as much as test_packed.c derives, once when they begin and once a step: 2 sqrt(3) units of 2.2e-5 are 7.5e-5 rad, and of
 * Euler angles near Phi = 0 more, which this texture is not; stresses of a smooth table change by as much, relatively, times 5. */
static void compact_crystals_are_nearly_the_same(void **state)
{
    (void)state;
    double stress[2][STEPS + 1][9], s[2][STEPS + 1];
    result r;
    for (int k = 0; k < 2; k++) {
        run_well(k ? TAYLOR "job.yaml --solver grid --device cpu --storage compact"
                   : TAYLOR "job.yaml --solver grid --device cpu",
                 &r);
        hid_t file = open_results("out.h5");
        assert_run_text(file, "storage", k ? "compact" : "full");
        assert_run_text(file, "crystals_place", "host");
        assert_true(sw_h5_exists(file, "texture/4/odf") && sw_h5_exists(file, "orientations/4/euler"));
        CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, (int64_t[]){STEPS + 1, 3, 3},
                            stress[k]));
        CHECK_OK(
            sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, (int64_t[]){STEPS + 1}, s[k]));
        H5Fclose(file);
    }
    for (int i = 0; i <= STEPS; i++) {
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(stress[1][i][k], stress[0][i][k], 5 * (STEPS + 1) * 7.5e-5 * 50e6);
        CHECK_CLOSE(s[1][i] / s[0][i], 1, (STEPS + 1) * 7.6e-5);
    }
    assert_memory_not_equal(stress[0], stress[1], sizeof stress[0]);
    unlink("out.h5");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_say_what_they_are),
        cmocka_unit_test(making_a_table_is_no_step),
        cmocka_unit_test(former_names_are_read),
        cmocka_unit_test(runs_end_with_a_line),
        cmocka_unit_test(a_phase_of_a_scan_is_run),
        cmocka_unit_test(a_long_job_is_kept_whole),
        cmocka_unit_test(radians_are_warned_of),
        cmocka_unit_test(results_have_what_the_format_says),
        cmocka_unit_test(options_override_the_job),
        cmocka_unit_test(terms_of_a_shipped_job_are_coefficients),
        cmocka_unit_test(last_step_may_be_named_by_number),
        cmocka_unit_test(large_spins_divide_the_step),
        cmocka_unit_test(textures_have_steps_of_their_own),
        cmocka_unit_test(settings_of_the_grid_are_kept),
        cmocka_unit_test(compact_crystals_are_nearly_the_same),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
