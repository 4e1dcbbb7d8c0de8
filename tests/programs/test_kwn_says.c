/* What `slipwave kwn` says at its end are the numbers of its last record. */
#include "programs.h"

static double last_of(hid_t file, const char *name, int64_t times)
{
    double value[8];
    const int64_t shape[2] = {1, times};
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, shape, value));
    return value[times - 1];
}

static void the_last_line_is_the_last_record(void **state)
{
    (void)state;
    const char *data = getenv("SW_DATA");
    char text[PATH_MAX + 300], expected[200];
    result r;
    snprintf(text, sizeof text,
             "alloy: %s/alloys/al-mg-si-6082.yaml\ndevice: cpu\ninitial_temperature: 803.0\n"
             "temperature: [{quench_to: 458.0}, {hold: 2.0e4}]\n"
             "output: {file: out.h5, times: [100.0, 2.0e4]}\n",
             data ? data : "data");
    write_text("says.yaml", text);
    run_well("slipwave kwn -q says.yaml", &r);
    hid_t file = open_results("out.h5");
    snprintf(expected, sizeof expected, "yield stress %.4g MPa, hardness %.4g HV, slip resistance %.4g MPa\n",
             last_of(file, "points/yield_stress", 3) / 1e6, last_of(file, "points/hardness", 3),
             last_of(file, "points/slip_resistance", 3) / 1e6);
    assert_true(last_of(file, "points/yield_stress", 3) > 100e6);
    H5Fclose(file);
    if (strstr(r.out, expected) == NULL)
        fail_msg("no '%s' in '%s'", expected, r.out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_line_is_the_last_record)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
