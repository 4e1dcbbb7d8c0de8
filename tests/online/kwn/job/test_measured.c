/* Size distributions that are given by numbers: texts and earlier runs. */
#include "tests/job_files.h"

#include "common/files/hdf5_io.h"
#include "online/kwn/job/measured.h"
#include "online/kwn/model/size_axis.h"

static char table_path[PATH_MAX + 16];

static void write_table(const char *text)
{
    snprintf(table_path, sizeof table_path, "%s/table.csv", folder);
    write_text(table_path, text);
}

/* Edges half way between radii, particles evenly between edges, in either unit and with any separators. */
static void texts_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"# from images\nradius_nm,number\n1,2\n2,10\n\n4,8\n",
                                        "radius;number\r\n1e-9; 2\r\n2e-9; 10\r\n4e-9; 8\r\n",
                                        "  radius_nm number\n 1 2\n 2 10\n 4 8"};
    for (int k = 0; k < 3; k++) {
        sw_kwn_bins bins;
        write_table(texts[k]);
        CHECK_OK(sw_kwn_bins_of_text(table_path, &bins));
        assert_int_equal(bins.bins, 3);
        const double edge[4] = {0.5e-9, 1.5e-9, 3e-9, 5e-9};
        for (int i = 0; i < 4; i++)
            CHECK_CLOSE(bins.edge[i], edge[i], 1e-22);
        CHECK_CLOSE(sw_kwn_bins_number(&bins), 20, 1e-12);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 0.4e-9), 0, 0);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 1e-9), 1 / 20.0, 1e-12);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 1.5e-9), 2 / 20.0, 1e-12);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 2e-9), (2 + 10 / 3.0) / 20, 1e-12);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 4e-9), 16 / 20.0, 1e-12);
        CHECK_CLOSE(sw_kwn_bins_below(&bins, 6e-9), 1, 0);
        sw_kwn_bins_free(&bins);
    }
    unlink(table_path);
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "need at least two rows"},
        {"radius_nm,number\n1,2\n", "need at least two rows"},
        {"radius_nm,number\n1,0\n2,0\n", "a number that is not 0"},
        {"1,2\n2,3\n", "table.csv:1: need the names of two columns"},
        {"radius_um,number\n1,2\n2,3\n", "table.csv:1: need the names"},
        {"radius,count\n1,2\n2,3\n", "table.csv:1: need the names"},
        {"radius_nm,number\n1,2\n2\n", "table.csv:3: need a radius and a number"},
        {"radius_nm,number\n1,2,3\n2,4\n", "table.csv:2: need a radius and a number"},
        {"radius_nm,number\n1,2\n1,4\n", "table.csv:3: radius = 1: need ascending radii"},
        {"radius_nm,number\n0,2\n1,4\n", "table.csv:2: radius = 0: need 0.1 to"},
        {"radius_nm,number\n5e-9,2\n6e-9,4\n", "table.csv:2: radius = 5e-09: need 0.1 to 1e+07"}, /* m */
        {"radius_nm,number\n1,2\n0.5,4\n", "table.csv:3: radius = 0.5: need 1 to"},
        {"radius_nm,number\n1,2\n2,-4\n", "table.csv:3: number = -4: need 0 to 1e+36"},
        {"radius_nm,number\n1,2\nx,4\n", "table.csv:3: radius = x: need a number"},
        {"radius,number\n1,2\n2,4\n", "table.csv:2: radius = 1: need 1e-10 to 0.01"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sw_kwn_bins bins;
        write_table(cases[k].text);
        assert_int_equal(sw_kwn_bins_of_text(table_path, &bins), SW_ERR_INPUT);
        if (strstr(sw_error_message(), cases[k].words) == NULL)
            fail_msg("%s: need '%s'", sw_error_message(), cases[k].words);
        assert_true(bins.edge == NULL && bins.number == NULL);
    }
    unlink(table_path);
    sw_kwn_bins bins;
    assert_int_equal(sw_kwn_bins_of_text(table_path, &bins), SW_ERR_IO);
    assert_int_equal(sw_kwn_bins_of_run(table_path, "P", 0, -1, &bins), SW_ERR_IO);
}

/* Classes that widen by a ratio, as an adaptive axis has them: faces from 0 to its scale, to the last bits. */
static void runs_are_read(void **state)
{
    (void)state;
    enum { CLASSES = 40 };
    const sw_kwn_axis_options adaptive = {SW_AXIS_ADAPTIVE, CLASSES, 0, 4e-9};
    const double time[2] = {0, 50}, theta[2][1] = {{0}, {0.25}};
    double set[3][CLASSES];
    sw_kwn_axis axis;
    sw_h5_output output;
    hid_t group;
    CHECK_OK(sw_kwn_axis_make(&adaptive, 8, &axis));
    for (int i = 0; i < CLASSES; i++) {
        set[0][i] = 4e-9 * axis.pivot[i];
        set[1][i] = 1e20 * i;
        set[2][i] = 4e-9 / axis.inverse_width[i];
    }
    snprintf(table_path, sizeof table_path, "%s/run.h5", folder);
    CHECK_OK(sw_h5_begin(table_path, &output));
    CHECK_OK(sw_h5_group(output.file, "history", &group));
    CHECK_OK(sw_h5_write(group, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, time));
    H5Gclose(group);
    CHECK_OK(sw_h5_group(output.file, "alloy", &group));
    CHECK_OK(sw_h5_write_text(group, "phases", "P"));
    H5Gclose(group);
    CHECK_OK(sw_h5_group(output.file, "points", &group));
    CHECK_OK(sw_h5_write(group, "incubation", H5T_NATIVE_DOUBLE, 3, (int64_t[]){1, 2, 1}, theta));
    H5Gclose(group);
    static const char *const names[] = {"radius", "number", "width"};
    for (int k = 0; k < 3; k++) {
        char name[64];
        hid_t data;
        snprintf(name, sizeof name, "distribution/1/P/%s", names[k]);
        CHECK_OK(sw_h5_create_set(output.file, name, H5T_NATIVE_DOUBLE, 2, (int64_t[]){1, CLASSES}, &data));
        CHECK_OK(sw_h5_write_rows(data, H5T_NATIVE_DOUBLE, 0, 1, set[k]));
        CHECK_OK(sw_h5_close_set(data));
    }
    CHECK_OK(sw_h5_commit(&output));
    for (int last = 0; last < 2; last++) {
        sw_kwn_bins bins;
        CHECK_OK(sw_kwn_bins_of_run(table_path, "P", 0, last ? -1 : 50, &bins));
        assert_int_equal(bins.bins, CLASSES);
        for (int i = 0; i <= CLASSES; i++)
            CHECK_CLOSE(bins.edge[i], 4e-9 * sw_kwn_face(&axis, i), 1e-21);
        CHECK_CLOSE(bins.incubation, 0.25, 0);
        CHECK_CLOSE(sw_kwn_bins_number(&bins), 1e20 * CLASSES * (CLASSES - 1) / 2, 1e8);
        sw_kwn_bins_free(&bins);
    }
    static const struct {
        const char *phase;
        int64_t point;
        double time;
        const char *words;
    } wrong[] = {{"Q", 0, -1, "has no size distributions of Q"},
                 {"P", 1, -1, "point 1: need 0 to 0"},
                 {"P", 0, 0, "has no size distributions at 0 s"}};
    for (int k = 0; k < 3; k++) {
        sw_kwn_bins bins;
        assert_int_equal(sw_kwn_bins_of_run(table_path, wrong[k].phase, wrong[k].point, wrong[k].time, &bins),
                         SW_ERR_FORMAT);
        if (strstr(sw_error_message(), wrong[k].words) == NULL)
            fail_msg("%s: need '%s'", sw_error_message(), wrong[k].words);
    }
    sw_kwn_axis_free(&axis);
    unlink(table_path);
}

static int clear(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(runs_are_read),
    };
    return cmocka_run_group_tests(tests, make_job_folder, clear);
}
