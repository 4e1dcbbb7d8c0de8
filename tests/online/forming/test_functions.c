/* Tasks functions and earing: what jobs are refused for, and what a run leaves in its files. */
#include "tests/job_files.h"

#include "common/files/hdf5_io.h"
#include "online/forming/tasks.h"

/* A sheet that is nearly isotropic, with tensions and points of one strain. */
static const char job_of[] =
    "material: MATERIAL\n"
    "crystals: {count: 60, seed: 3}\n"
    "r_values: {strain: 0.01, angles: [0, 45, 90]}\n"
    "yield_surface: {strain: 0.01, sections: [{points: 8}]}\n"
    "functions: {names: [hill48, yld2000_2d], starts: 4, abaqus: FOLDER/f.inp, ls_dyna: FOLDER/f.k}\n"
    "earing: {blank_radius: 0.05, cup_radius: 0.03}\n"
    "output: {file: FOLDER/f.h5}\n";
static char whole[4096];

/* The job with what stands for folders put in. */
static int set_up(void **state)
{
    (void)state;
    const char *at = job_of;
    char *to = whole, data[PATH_MAX];
    if (make_job_folder(state) || find_data("", data))
        return 1;
    while (*at != '\0') {
        const int is_material = strncmp(at, "MATERIAL", 8) == 0, is_folder = strncmp(at, "FOLDER", 6) == 0;
        if (is_material)
            to += sprintf(to, "%s/materials/aluminium.yaml", data);
        else if (is_folder)
            to += sprintf(to, "%s", folder);
        else
            *to++ = *at;
        at += is_material ? 8 : is_folder ? 6 : 1;
    }
    *to = '\0';
    return 0;
}

static sw_status open_job(const char *old, const char *new, sw_forming_job **job)
{
    write_job(whole, old, new);
    static const char *const quiet[][2] = {{"quiet", ""}};
    return sw_forming_job_open(&(sw_arguments){.file = job_path, .n_options = 1, .option = quiet}, job);
}

static void jobs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *says;
    } cases[] = {
        {"[hill48, yld2000_2d]", "[hill48, hill49]", "functions.names[1] = hill49"},
        {"[hill48, yld2000_2d]", "[hill48, hill48]", "hill48 is there twice"},
        {"starts: 4", "weights: {stress: 0, r: 0}", "functions.weights: stress = 0 and r = 0"},
        {"f.k}", "f.inp}", "that is the file of functions.abaqus"},
        {"starts: 4", "exponent: 1.5", "functions.exponent = 1.5"},
        {"starts: 4", "weights: {r: -1}", "functions.weights.r = -1"},
        {"starts: 4, abaqus", "hill48: moduli, abaqus", "functions.hill48 = moduli"},
        {"[hill48, yld2000_2d], starts: 4", "[yld2000_2d], hill48: stress",
         "functions.hill48 = stress: has no effect"},
        {"surface: {strain: 0.01", "surface: {strain: 0.02",
         "yield_surface.strain = 0.02: need r_values.strain, 0.01"},
        {"[0, 45, 90]", "[0, 45]", "need 0 and 90 degrees"},
        {"r_values: {strain: 0.01, angles: [0, 45, 90]}\n", "", "earing: needs a section r_values"},
        {"cup_radius: 0.03", "cup_radius: 0.06", "need cup_radius < blank_radius"},
        {"cup_radius: 0.03", "cup_radius: 0.03, corner_radius: 0.04", "need corner_radius <= cup_radius"},
        {"blank_radius: 0.05, ", "", "blank_radius"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sw_forming_job *job;
        assert_int_equal(open_job(cases[k].old, cases[k].new, &job), SW_ERR_INPUT);
        assert_message_has(cases[k].says);
        assert_message_has("job.yaml:");
    }
}

static void keep(void *context, sw_notice notice, const char *text)
{
    (void)notice;
    snprintf(context, 1024, "%s", text);
}

/* What hill48 is by, said in words, needs the angles, and without a word is said where they are missing; the cards' curve
 * needs a card. */
static void settings_of_cards_need_what_they_are_of(void **state)
{
    char said[1024] = "";
    (void)state;
    static const char without[] = "material: %s/materials/aluminium.yaml\ncrystals: {count: 60}\n"
                                  "r_values: {angles: [0, 30, 90]}\nfunctions: {%s}\noutput: {file: f.h5}\n";
    static const char *const cases[][2] = {
        {"hill48: r", "functions.hill48 = r: need a section r_values with 0, 45 and 90 degrees, or weights"},
        {"hill48: stress", "functions.hill48 = stress: need"},
        {"curve_strain: 0.1", "functions.curve_strain = 0.1: has no effect without functions.abaqus"},
        {"hill48: weights", NULL},
        {"names: [yld2000_2d]", NULL},
        {"starts: 3", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2 * PATH_MAX], data[PATH_MAX];
        sw_forming_job *job;
        assert_int_equal(find_data("", data), 0);
        snprintf(text, sizeof text, without, data, cases[k][0]);
        write_job(text, NULL, NULL);
        sw_listen(keep, said);
        const sw_status status = sw_forming_job_open(&(sw_arguments){.file = job_path}, &job);
        sw_listen(NULL, NULL);
        assert_int_equal(status, cases[k][1] != NULL ? SW_ERR_INPUT : SW_OK);
        if (status != SW_OK)
            assert_message_has(cases[k][1]);
        sw_forming_job_close(job);
        assert_int_equal(said[0] != '\0', strcmp(cases[k][0], "starts: 3") == 0);
    }
    assert_non_null(strstr(said, "job.yaml: hill48 is by weights, of all there is: by r it needs"));
}

/* Strains that differ are fine where points have no weight. */
static void points_without_weight_may_be_of_another_strain(void **state)
{
    (void)state;
    char text[sizeof whole];
    sw_forming_job *job;
    snprintf(text, sizeof text, "%s", whole);
    memcpy(strstr(text, "surface: {strain: 0.01"), "surface: {strain: 0.02", 22);
    write_job(text, "starts: 4", "weights: {points: 0}");
    CHECK_OK(sw_forming_job_open(&(sw_arguments){.file = job_path}, &job));
    sw_forming_job_close(job);
}

static double number_of(hid_t file, const char *group, const char *name)
{
    double value;
    const hid_t g = H5Gopen2(file, group, H5P_DEFAULT);
    assert_true(g >= 0);
    CHECK_OK(sw_h5_read_numbers(g, name, 1, &value));
    H5Gclose(g);
    return value;
}

/* Of the file: 16 coefficients' rows agree with what they say of themselves, tensions with /r_values. */
static void check_hill48(hid_t file)
{
    static const int64_t six = 6, tensions[2] = {3, 3}, three = 3;
    double c[6], row[3][3], stress[3], miss = 0;
    CHECK_OK(sw_h5_read(file, "functions/hill48/coefficient", H5T_NATIVE_DOUBLE, 1, &six, c));
    CHECK_OK(sw_h5_read(file, "functions/hill48/stress", H5T_NATIVE_DOUBLE, 2, tensions, row));
    CHECK_OK(sw_h5_read(file, "r_values/stress", H5T_NATIVE_DOUBLE, 1, &three, stress));
    const double reference = number_of(file, "functions/hill48", "reference_stress");
    assert_true(reference == stress[0]);
    for (int i = 0; i < 3; i++) {
        assert_true(row[i][0] == i);
        CHECK_CLOSE(row[i][1], stress[i] / reference, 1e-14);
        miss = greatest(miss, fabs(row[i][2] - row[i][1]));
    }
    CHECK_CLOSE(row[0][2], 1 / sqrt(c[1] + c[2]), 1e-14);
    CHECK_CLOSE(row[2][2], 1 / sqrt(c[0] + c[2]), 1e-14);
    CHECK_CLOSE(number_of(file, "functions/hill48", "largest_stress"), miss, 1e-14);
    assert_true(number_of(file, "functions/hill48", "convex") == 1);
}

/* Heights of a rim, and what is said of it. */
static void check_rim(hid_t file, const char *group)
{
    static const int64_t shape = 360;
    double height[360], sum = 0;
    char name[64];
    snprintf(name, sizeof name, "%s/height", group);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 1, &shape, height));
    for (int i = 0; i < 360; i++) {
        sum += height[i];
        CHECK_CLOSE(height[i], height[(360 - i) % 360], 1e-14); /* orthotropic */
        CHECK_CLOSE(height[i], height[(540 - i) % 360], 1e-14);
    }
    CHECK_CLOSE(number_of(file, group, "mean_height"), sum / 360, 1e-14);
    assert_true(sum / 360 > 0.02 &&
                sum / 360 < 0.02 * (1 + 0.05 / 0.03) / 2); /* blank less cup; no thickening */
}

/* The card's r-values are those computed, to the six digits that the field leaves; curves end where stresses were taken. */
static void check_card(hid_t file)
{
    static const int64_t three = 3;
    char path[PATH_MAX + 16], line[256] = "";
    double r[3], given[3], stress[3], last[1][3];
    int64_t shape[2];
    snprintf(path, sizeof path, "%s/f.k", folder);
    FILE *card = fopen(path, "r");
    assert_non_null(card);
    while (strncmp(line, "$#     r00", 10) != 0)
        assert_non_null(fgets(line, sizeof line, card));
    assert_int_equal(fscanf(card, "%lf%lf%lf", r, r + 1, r + 2), 3);
    fclose(card);
    CHECK_OK(sw_h5_read(file, "r_values/r", H5T_NATIVE_DOUBLE, 1, &three, given));
    CHECK_OK(sw_h5_read(file, "r_values/stress", H5T_NATIVE_DOUBLE, 1, &three, stress));
    for (int i = 0; i < 3; i++) {
        char name[32];
        hid_t set;
        CHECK_CLOSE(r[i], given[i], 2e-6 * given[i]);
        snprintf(name, sizeof name, "r_values/curves/%d", i);
        CHECK_OK(sw_h5_shape(file, name, 2, shape));
        assert_true(shape[0] >= 20 && shape[1] == 3);
        CHECK_OK(sw_h5_open_set(file, name, &set));
        CHECK_OK(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, shape[0] - 1, 1, last));
        H5Dclose(set);
        CHECK_CLOSE(last[0][1], stress[i], 1);
        assert_true(last[0][0] > 0.009 && last[0][0] < 0.011 && last[0][2] < 0);
    }
    assert_true(sw_h5_exists(file, "r_values/curves/biaxial") && sw_h5_exists(file, "functions/curve"));
    CHECK_OK(sw_h5_shape(file, "functions/curve", 2, shape));
    assert_true(shape[1] == 2);
}

static void check_first_line(const char *name, const char *begins)
{
    char path[PATH_MAX + 16], line[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(strncmp(line, begins, strlen(begins)), 0);
}

static void a_run_leaves_functions_ears_and_input_files(void **state)
{
    (void)state;
    sw_forming_job *job;
    hid_t file;
    char path[PATH_MAX + 16];
    FILE *out = tmpfile();
    assert_non_null(out);
    CHECK_OK(open_job(NULL, NULL, &job));
    CHECK_OK(sw_forming_run(job, out));
    sw_forming_job_close(job);
    assert_true(ftell(out) > 0);
    fclose(out);
    snprintf(path, sizeof path, "%s/f.h5", folder);
    CHECK_OK(sw_h5_open(path, 0, &file));
    check_hill48(file);
    assert_true(sw_h5_exists(file, "functions/yld2000_2d/section") &&
                !sw_h5_exists(file, "functions/yld2004_18p"));
    check_card(file);
    check_rim(file, "earing/r_values");
    check_rim(file, "earing/hill48");
    check_rim(file, "earing/yld2000_2d");
    H5Fclose(file);
    check_first_line("f.inp", "** Hill 1948, reference stress ");
    check_first_line("f.k", "$ Hill 1948, reference stress ");
}

static char heard[4096];
static void hear(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_WARNING)
        snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s\n", text);
}

/* By 0.55 / sqrt(N), and what one crystal has at most. */
static void few_crystals_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *crystals, *says;
    } cases[] = {{"{count: 1, seed: 3}", "r/(1+r) is off by some 0.34"},
                 {"{count: 60, seed: 3}", "r/(1+r) is off by some 0.071"},
                 {"{count: 122, seed: 3}", NULL}};
    static const char job_text_of[] = "material: %s/materials/aluminium.yaml\ncrystals: %s\n"
                                      "r_values: {strain: 0.01, angles: [30]}\noutput: {file: %s/few.h5}\n";
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[4 * PATH_MAX], data[PATH_MAX];
        sw_forming_job *job;
        FILE *out = tmpfile();
        assert_non_null(out);
        assert_int_equal(find_data("", data), 0);
        snprintf(text, sizeof text, job_text_of, data, cases[k].crystals, folder);
        write_job(text, NULL, NULL);
        CHECK_OK(sw_forming_job_open(&(sw_arguments){.file = job_path}, &job));
        heard[0] = '\0';
        sw_listen(hear, NULL);
        CHECK_OK(sw_forming_run(job, out));
        sw_listen(NULL, NULL);
        sw_forming_job_close(job);
        fclose(out);
        if ((cases[k].says == NULL) != (heard[0] == '\0') ||
            (cases[k].says != NULL && strstr(heard, cases[k].says) == NULL))
            fail_msg("%s: heard '%s'", cases[k].crystals, heard);
    }
}

/* One that goes on to a strain of its own. */
static void the_curve_of_cards_goes_as_far_as_it_is_asked_to(void **state)
{
    (void)state;
    sw_forming_job *job;
    char path[PATH_MAX + 16], line[256], before[256] = "";
    FILE *out = tmpfile();
    assert_non_null(out);
    CHECK_OK(open_job("starts: 4", "starts: 1, curve_strain: 0.04", &job));
    CHECK_OK(sw_forming_run(job, out));
    sw_forming_job_close(job);
    fclose(out);
    snprintf(path, sizeof path, "%s/f.k", folder);
    FILE *card = fopen(path, "r");
    double strain, stress;
    assert_non_null(card);
    while (fgets(line, sizeof line, card) != NULL)
        memcpy(before, line, sizeof line);
    fclose(card);
    assert_int_equal(sscanf(before, "%lf%lf", &strain, &stress), 2);
    CHECK_CLOSE(strain, 0.04, 1e-8);
}

/* A cup four times as deep as sheets bear: by r-values alone. */
static void a_surface_that_does_not_bear_it_is_left_out(void **state)
{
    (void)state;
    sw_forming_job *job;
    hid_t file;
    char path[PATH_MAX + 16];
    FILE *out = tmpfile();
    assert_non_null(out);
    CHECK_OK(open_job("cup_radius: 0.03", "cup_radius: 0.005", &job));
    CHECK_OK(sw_forming_run(job, out));
    sw_forming_job_close(job);
    fclose(out);
    snprintf(path, sizeof path, "%s/f.h5", folder);
    CHECK_OK(sw_h5_open(path, 0, &file));
    assert_true(sw_h5_exists(file, "earing/r_values") && !sw_h5_exists(file, "earing/hill48"));
    H5Fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_refused),
        cmocka_unit_test(settings_of_cards_need_what_they_are_of),
        cmocka_unit_test(points_without_weight_may_be_of_another_strain),
        cmocka_unit_test(a_run_leaves_functions_ears_and_input_files),
        cmocka_unit_test(few_crystals_are_warned_of),
        cmocka_unit_test(the_curve_of_cards_goes_as_far_as_it_is_asked_to),
        cmocka_unit_test(a_surface_that_does_not_bear_it_is_left_out),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
