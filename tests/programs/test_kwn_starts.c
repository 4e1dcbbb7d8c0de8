/* Where runs of `slipwave kwn` begin, and what comes out as text: earlier runs, measured distributions, degrees Celsius. */
#include "kwn_runs.h"

/* A treatment in two jobs, the second from the results of the first, is that in one: only the control of steps begins anew. */
static void a_run_goes_on_from_another(void **state)
{
    (void)state;
#define HALVES "alloy: alloy.yaml\ndevice: cpu\naccuracy: 0\ninitial_temperature: 458.0\n"
    result r;
    double end[2][3];
    write_text("first.yaml",
               HALVES "temperature: [{hold: 5000.0}]\noutput: {file: first.h5, times: [5000.0]}\n");
    write_text("second.yaml",
               HALVES "temperature: [{hold: 7000.0}]\noutput: {file: second.h5, times: [7000.0]}\n"
                      "initial_distribution: [{phase: beta-prime, shape: run, file: first.h5}]\n");
    write_text("whole.yaml",
               HALVES "temperature: [{hold: 12000.0}]\noutput: {file: whole.h5, times: [12000.0]}\n");
    run_well(KWN "first.yaml", &r);
    run_well(KWN "second.yaml", &r);
    run_well(KWN "whole.yaml", &r);
    for (int k = 0; k < 2; k++) {
        static const char *const names[] = {"number_density", "mean_radius", "volume_fraction"};
        const int64_t shape[3] = {1, 2, 1};
        hid_t file = open_results(k == 0 ? "second.h5" : "whole.h5");
        for (int v = 0; v < 3; v++) {
            char name[64];
            snprintf(name, sizeof name, "points/%s", names[v]);
            double *all = read_set(file, name, 3, shape);
            end[k][v] = all[1];
            free(all);
        }
        H5Fclose(file);
    }
    for (int v = 0; v < 3; v++)
        CHECK_CLOSE(end[0][v] / end[1][v], 1, 1e-3);
    char *alloy = read_data("alloys/al-mg-si-6082.yaml"), *name = strstr(alloy, "name: AA6082");
    assert_non_null(name);
    memcpy(name, "name: AA6061", 12);
    write_text("alloy.yaml", alloy);
    run(KWN "second.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(
        r.err,
        "second.yaml:7: initial_distribution[0].file = first.h5: is a run of another alloy file, \"AA6082\"; "
        "here it is \"AA6061\""));
    memcpy(name, "name: AA6082", 12);
    write_text("alloy.yaml", alloy);
    free(alloy);
    write_text("wrong.yaml",
               HALVES "temperature: [{hold: 1.0}]\noutput: {file: wrong.h5}\n"
                      "initial_distribution: [{phase: beta-prime, shape: run, file: first.h5, time: 7.0}]\n");
    run(KWN "wrong.yaml", &r);
    assert_true(r.status != 0 && strstr(r.err, "initial_distribution[0].file") != NULL &&
                strstr(r.err, "has no size distributions at 7 s") != NULL && access("wrong.h5", F_OK) != 0);
}

/* Vacancies that a quench left go on into the next job: as many particles as in one job, a twelfth of those with vacancies at rest. */
static void vacancies_go_on(void **state)
{
    (void)state;
    static const char *const treatment[] = {
        "[{quench_to: 300.0}, {hold: 600.0}]", "[{quench_to: 458.0}, {hold: 600.0}]",
        "[{quench_to: 300.0}, {hold: 600.0}, {quench_to: 458.0}, {hold: 600.0}]"};
    static const char *const from[] = {"803.0", "300.0", "803.0"};
    static const char *const more[] = {
        "", "initial_distribution: [{phase: beta-prime, shape: run, file: v0.h5}]\n", ""};
    char *alloy = read_data("alloys/al-mg-si-6082.yaml"), text[600];
    double number[3];
    result r;
    FILE *file = fopen("vacancies.yaml", "w");
    assert_non_null(file);
    fprintf(
        file,
        "%s\nvacancies:\n  formation_energy: 64.0e3\n  diffusivity: {prefactor: 1.0e-5, activation_energy: "
        "60.0e3}\n  sink_strength: 1.0e8\n",
        alloy);
    assert_int_equal(fclose(file), 0);
    for (int k = 0; k < 3; k++) {
        const int64_t shape[3] = {1, 2, 1};
        snprintf(text, sizeof text,
                 "alloy: vacancies.yaml\ndevice: cpu\naccuracy: 0\ninitial_temperature: %s\ntemperature: %s\n"
                 "%soutput: {file: v%d.h5, count: 1}\n",
                 from[k], treatment[k], more[k], k);
        write_text("v.yaml", text);
        run(KWN "v.yaml", &r);
        assert_int_equal(r.status, 0);
        assert_null(strstr(r.err, "initial_distribution"));
        snprintf(text, sizeof text, "v%d.h5", k);
        hid_t results = open_results(text);
        double *all = read_set(results, "points/number_density", 3, shape);
        number[k] = all[1];
        free(all);
        H5Fclose(results);
    }
    assert_true(number[2] > 1e20);
    CHECK_CLOSE(number[1] / number[2], 1, 1e-3);
    free(alloy);
}

/* What an earlier run has and the job leaves out is said: another composition, and phases that it does not name. */
static void what_a_run_had_is_not_forgotten_silently(void **state)
{
    (void)state;
    result r;
    write_text("poor.yaml", HALVES "composition: [{solute: Mg, concentration: 0.5}]\n"
                                   "temperature: [{hold: 10.0}]\noutput: {file: poor.h5, count: 1}\n");
    write_text("rich.yaml",
               HALVES "temperature: [{hold: 10.0}]\noutput: {file: rich.h5, count: 1}\n"
                      "initial_distribution: [{phase: beta-prime, shape: run, file: poor.h5}]\n");
    run_well(KWN "poor.yaml", &r);
    run(KWN "rich.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "rich.yaml:7: initial_distribution[0].file = poor.h5: has a mole fraction of 0.00555"));
    assert_non_null(strstr(r.err, "of Mg in all, this job 0.00699"));

    char *alloy = read_data("alloys/al-sc-zr.yaml");
    write_text("two.yaml", alloy);
    free(alloy);
#define TWO \
    "alloy: two.yaml\ndevice: cpu\naccuracy: 0\ninitial_temperature: 698.0\ntemperature: [{hold: 1.0}]\n"
    write_text(
        "both.yaml", TWO
        "output: {file: both.h5, count: 1}\ninitial_distribution: [{phase: Al3Sc, shape: lsw, mean_radius: "
        "10.0e-9, volume_fraction: 0.002}, {phase: Al3Zr, shape: lsw, mean_radius: 10.0e-9, "
        "volume_fraction: 0.003}]\n");
    write_text("one.yaml", TWO "output: {file: one.h5, count: 1}\n"
                               "initial_distribution: [{phase: Al3Sc, shape: run, file: both.h5}]\n");
    run_well(KWN "both.yaml", &r);
    run(KWN "one.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err,
                           "one.yaml:7: initial_distribution[0].file = both.h5: has 0.3 % of Al3Zr, which is "
                           "dissolved here: initial_distribution does not name it"));
    assert_null(strstr(r.err, "in all, this job"));
}

/* A measured distribution is where the run begins, and numbers are the text's own or a volume fraction's. */
static void a_text_is_where_a_run_begins(void **state)
{
    (void)state;
    static const char *const given[] = {", volume_fraction: 0.004", ", number_density: 1.0e21", ""};
    const int64_t shape[3] = {1, 2, 1};
    result r;
    write_text("measured.csv", "radius_nm,number\n4,1.0e20\n5,3.0e20\n6,1.0e20\n");
    for (int k = 0; k < 3; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 HALVES "temperature: [{hold: 1.0}]\noutput: {file: table.h5, times: [1.0]}\n"
                        "initial_distribution: [{phase: beta-prime, shape: table, file: measured.csv%s}]\n",
                 given[k]);
        write_text("table.yaml", text);
        run_well(KWN "table.yaml", &r);
        hid_t file = open_results("table.h5");
        double *number = read_set(file, "points/number_density", 3, shape),
               *radius = read_set(file, "points/mean_radius", 3, shape),
               *fraction = read_set(file, "points/volume_fraction", 3, shape);
        CHECK_CLOSE(radius[0], 5e-9, 1e-4 * 5e-9);
        if (k == 0)
            CHECK_CLOSE(fraction[0], 0.004, 1e-9);
        else
            CHECK_CLOSE(number[0] / (k == 1 ? 1e21 : 5e20), 1, 1e-9);
        free(number);
        free(radius);
        free(fraction);
        H5Fclose(file);
    }
}

/* Degrees that a job states are the same in K, in segments, tables and maps; no warning says that they might be. */
static void degrees_celsius_can_be_stated(void **state)
{
    (void)state;
    static const char *const keys[2][3] = {
        {"initial_temperature: 803.15\ntemperature: [{ramp_to: 273.15, duration: 1.0}, {quench_to: 458.15}, "
         "{hold: 599.0}]\n",
         "temperature_table: [[0.0, 803.15], [1.0, 273.15], [1.0, 458.15], [600.0, 458.15]]\n", ""},
        {"temperature_unit: celsius\ninitial_temperature: 530.0\n"
         "temperature: [{ramp_to: 0.0, duration: 1.0}, {quench_to: 185.0}, {hold: 599.0}]\n",
         "temperature_unit: celsius\ntemperature_table: [[0.0, 530.0], [1.0, 0.0], [1.0, 185.0], [600.0, "
         "185.0]]\n",
         ""}};
    const int64_t shape[3] = {1, 2, 1};
    result r;
    for (int form = 0; form < 2; form++) {
        double number[2];
        for (int unit = 0; unit < 2; unit++) {
            char text[600];
            snprintf(
                text, sizeof text,
                "alloy: alloy.yaml\ndevice: cpu\naccuracy: 0\n%soutput: {file: unit.h5, times: [600.0]}\n",
                keys[unit][form]);
            write_text("unit.yaml", text);
            run_well(KWN "unit.yaml", &r);
            hid_t file = open_results("unit.h5");
            double *all = read_set(file, "points/number_density", 3, shape);
            number[unit] = all[1];
            free(all);
            H5Fclose(file);
        }
        assert_true(number[0] > 1e18);
        CHECK_CLOSE(number[1] / number[0], 1, 1e-9);
    }
    write_text("cold.yaml", "alloy: alloy.yaml\ntemperature_unit: celsius\ninitial_temperature: -272.9\n"
                            "temperature: [{hold: 1.0}]\noutput: {file: unit.h5}\n");
    run(KWN "cold.yaml", &r);
    assert_true(r.status != 0 && strstr(r.err, "cold.yaml:3: ") != NULL &&
                strstr(r.err, "need degrees Celsius, from -272.15") != NULL);
}

/* What a run says of a job in degrees Celsius is in degrees Celsius. */
static void degrees_celsius_are_answered_in(void **state)
{
    (void)state;
    result r;
    write_text(
        "warm.yaml",
        "alloy: alloy.yaml\ndevice: cpu\naccuracy: 0\ntemperature_unit: celsius\ninitial_temperature: 560.0\n"
        "temperature: [{hold: 10.0}]\noutput: {file: warm.h5, times: [10.0]}\n");
    run(KWN "warm.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "the coldest of them 560 degrees Celsius: nothing can precipitate"));
    assert_non_null(strstr(r.err, "degrees Celsius\n"));
    write_text(
        "same.yaml",
        "alloy: alloy.yaml\ndevice: cpu\naccuracy: 0\ntemperature_unit: celsius\ninitial_temperature: 560.0\n"
        "temperature: [{ramp_to: 560.0, rate: 1.0}]\noutput: {file: warm.h5, times: [10.0]}\n");
    run(KWN "same.yaml", &r);
    assert_non_null(strstr(r.err, "ramp_to = 560: is the temperature there"));
}

/* The text has the numbers of the file, a row for each time of each point, and the last line tells the peak. */
static void results_are_texts_too(void **state)
{
    (void)state;
    char line[4096];
    double last = 0;
    int rows = 0;
    result r;
    run_coarse(KWN "kwn.yaml -o text.h5 --csv text.csv --points 2", &r);
    FILE *file = fopen("text.csv", "r");
    assert_non_null(file);
    for (; fgets(line, sizeof line, file) != NULL; rows++)
        if (rows == 2 * TIMES)
            assert_int_equal(sscanf(line, "1,%lf,", &last), 1);
    fclose(file);
    assert_int_equal(rows, 1 + 2 * TIMES);
    CHECK_CLOSE(last, 20000, 0);
    /* the peak is between steps, whatever the times of records */
    static const char *const times[] = {"per_decade: 20, first: 10.0", "count: 1"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "alloy: alloy.yaml\ndevice: cpu\ninitial_temperature: 803.0\n"
                 "temperature: [{quench_to: 458.0}, {hold: 1.0e5}]\noutput: {file: peak.h5, %s}\n",
                 times[k]);
        write_text("peak.yaml", text);
        run_well(KWN "peak.yaml", &r);
        assert_non_null(strstr(r.out, "; peak 300."));
        const char *when = strstr(r.out, " HV after ");
        assert_non_null(when); /* 4.95 and 5.01 h: of a top that is flat to 1e-4 over half an hour */
        CHECK_CLOSE(strtod(when + strlen(" HV after "), NULL), 4.98, 0.1);
    }
}

/* The job of data/jobs: eta' that is there grows, and none comes from solution. Numbers by classes eight times as fine; a run may be off by 1 %. */
static void eta_prime_of_7075_grows(void **state)
{
    (void)state;
    char *alloy = read_data("alloys/al-zn-mg-7075.yaml"), *job = read_data("jobs/kwn-7075.yaml"), *at;
    result r;
    double number, radius, percent;
    write_text("7075.yaml", alloy);
    assert_non_null(at = strstr(job, "../alloys/al-zn-mg-7075.yaml"));
    memcpy(at, "7075.yaml                   ", 28);
    for (int from_solution = 0; from_solution < 2; from_solution++) {
        if (from_solution) {
            assert_non_null(at = strstr(job, "initial_distribution:"));
            memset(at, '#', (size_t)(strstr(at, "temperature:") - at - 1));
        }
        write_text("kwn-7075.yaml", job);
        run(KWN "kwn-7075.yaml --device cpu", &r);
        assert_int_equal(r.status, 0);
        assert_int_equal(sscanf(r.out, "kwn-7075.h5: eta-prime: N = %lf 1/m^3, r = %lf nm, f = %lf", &number,
                                &radius, &percent),
                         3);
        CHECK_CLOSE(number, from_solution ? 0 : 9.477e23, 0.01 * 9.477e23);
        CHECK_CLOSE(radius, from_solution ? 0 : 1.811, 0.01 * 1.811);
        CHECK_CLOSE(percent, from_solution ? 0 : 2.445, 0.01 * 2.445);
    }
    free(alloy);
    free(job);
}

/* Of a file of sizes that has changed, with the same job beside it; with the old one it goes on. */
static void changed_sizes_do_not_resume(void **state)
{
    (void)state;
    static const char sizes[] = "radius_nm,number\n2,1e21\n3,2e21\n4,1e21\n",
                      other[] = "radius_nm,number\n2,1e21\n3,2e21\n4,2e21\n";
    static const char *const of_sizes[] = {
        "out.h5.partial: belongs to a run with another file of an initial"};
    size_t size;
    char *text = read_bytes("many.yaml", &size), changed[8192];
    result r;
    snprintf(changed, sizeof changed,
             "%.*s\ninitial_distribution: [{phase: beta-prime, shape: table, file: sizes.csv}]\n", (int)size,
             text);
    free(text);
    write_text("measured.yaml", changed);
    write_text("sizes.csv", sizes);
    assert_int_equal(stop_when(has_a_block, KWN "measured.yaml", SIGKILL), -1);
    write_text("sizes.csv", other);
    assert_refused(KWN "measured.yaml --resume", 1, of_sizes);
    write_text("sizes.csv", sizes);
    run("slipwave kwn measured.yaml --resume", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "resume: "));
    unlink("measured.yaml");
    unlink("sizes.csv");
    unlink("out.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_sizes_do_not_resume),
        cmocka_unit_test(a_run_goes_on_from_another),
        cmocka_unit_test(vacancies_go_on),
        cmocka_unit_test(what_a_run_had_is_not_forgotten_silently),
        cmocka_unit_test(a_text_is_where_a_run_begins),
        cmocka_unit_test(degrees_celsius_can_be_stated),
        cmocka_unit_test(degrees_celsius_are_answered_in),
        cmocka_unit_test(results_are_texts_too),
        cmocka_unit_test(eta_prime_of_7075_grows),
    };
    return cmocka_run_group_tests(tests, make_kwn_folder, remove_folder);
}
