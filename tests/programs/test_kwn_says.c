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
    char text[PATH_MAX + 300], expected[200];
    result r;
    snprintf(text, sizeof text,
             "alloy: %s\ndevice: cpu\ninitial_temperature: 803.0\n"
             "temperature: [{quench_to: 458.0}, {hold: 2.0e4}]\n"
             "output: {file: out.h5, times: [100.0, 2.0e4]}\n",
             data_path("alloys/al-mg-si-6082.yaml"));
    write_text("says.yaml", text);
    run_well("slipwave kwn -q says.yaml", &r);
    hid_t file = open_results("out.h5");
    snprintf(expected, sizeof expected, "yield stress %.4g MPa, hardness %.4g HV, slip resistance %.4g MPa",
             last_of(file, "points/yield_stress", 3) / 1e6, last_of(file, "points/hardness", 3),
             last_of(file, "points/slip_resistance", 3) / 1e6);
    assert_true(last_of(file, "points/yield_stress", 3) > 100e6);
    H5Fclose(file);
    if (strstr(r.out, expected) == NULL)
        fail_msg("no '%s' in '%s'", expected, r.out);
}

/* The shipped alloy's product counts Mg alone; its limiting solute stays, and a run says so. */
static void a_product_that_lacks_a_solute_is_said(void **state)
{
    (void)state;
    result r;
    run("slipwave kwn says.yaml", &r);
    assert_int_equal(r.status, 0);
    if (strstr(r.err, "beta-prime: its product lacks Si of its formula: Mg limits growth") == NULL ||
        strstr(r.err, "warning") != NULL)
        fail_msg("stderr '%s'", r.err);
}

/* Mg2Si with its whole product, either solute first; `limiting`: a line of the phase, or nothing. */
static void write_silicide(const char *first, const char *second, const char *limiting)
{
    char text[1800];
    snprintf(
        text, sizeof text,
        "name: Al-Mg-Si\nsource: test\nmatrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 26.982e-3, "
        "lattice_parameter: 4.05e-10}\n"
        "concentration_unit: mole_fraction\nsolutes:\n%s%s"
        "phases:\n  - name: beta\n    stoichiometry: [{element: Mg, count: 2}, {element: Si, count: 1}]\n"
        "    molar_volume: 3.95e-5\n    interfacial_energy: 0.1\n%s"
        "    solvus: {prefactor: 40.0, enthalpy: 96.9e3}\n"
        "    nucleation: {law: classical, sites: dislocations, dislocation_density: 1.0e+14, barrier_factor: "
        "0.3}\n",
        first, second, limiting);
    write_text("silicide.yaml", text);
    write_text("silicide-job.yaml",
               "alloy: silicide.yaml\ndevice: cpu\ninitial_temperature: 803.0\n"
               "temperature: [{quench_to: 523.15}, {hold: 1.0e5}]\noutput: {file: out.h5, times: [1.0e5]}\n");
}

static const char magnesium[] = "  - {element: Mg, molar_mass: 24.305e-3, concentration: 0.008, diffusivity: "
                                "{prefactor: 1.24e-4, activation_energy: 130.4e3}}\n";
static const char silicon[] = "  - {element: Si, molar_mass: 28.085e-3, concentration: 0.004, diffusivity: "
                              "{prefactor: 2.02e-4, activation_energy: 136.0e3}}\n";

static double radius_of_silicide(const char *first, const char *second, const char *limiting, result *r)
{
    double radius[2];
    const int64_t shape[3] = {1, 2, 1};
    write_silicide(first, second, limiting);
    run("slipwave kwn silicide-job.yaml", r);
    if (r->status != 0)
        fail_msg("%s: %s", limiting, r->err);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "points/mean_radius", H5T_NATIVE_DOUBLE, 3, shape, radius));
    H5Fclose(file);
    return radius[1];
}

/* Both solutes in either order are the same alloy; each of them alone lets particles become larger, and that is said, with a number,
 * which together make one: with resistances a and b it is (a + b) / a and (a + b) / b. */
static void one_solute_in_place_of_all_is_told(void **state)
{
    (void)state;
    static const char told[] = "warning: beta at %*f K: by %2s alone, its growth_limiting_solute, it grows "
                               "and coarsens up to %lf times";
    result r;
    const double all = radius_of_silicide(magnesium, silicon, "", &r);
    assert_null(strstr(r.err, "growth_limiting_solute"));
    const double swapped = radius_of_silicide(silicon, magnesium, "", &r);
    CHECK_CLOSE(swapped, all, 1e-6 * all);
    double times[2];
    for (int i = 0; i < 2; i++) {
        char element[4] = "";
        const double one = radius_of_silicide(
            magnesium, silicon, i ? "    growth_limiting_solute: Si\n" : "    growth_limiting_solute: Mg\n",
            &r);
        const char *line = strstr(r.err, "warning: beta");
        assert_non_null(line);
        assert_int_equal(sscanf(line, told, element, &times[i]), 2);
        assert_string_equal(element, i ? "Si" : "Mg");
        assert_true(one > 1.01 * all);
    }
    CHECK_CLOSE(1 / times[0] + 1 / times[1], 1, 0.02); /* three digits, and each at its own composition */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_line_is_the_last_record),
                                       cmocka_unit_test(a_product_that_lacks_a_solute_is_said),
                                       cmocka_unit_test(one_solute_in_place_of_all_is_told)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
