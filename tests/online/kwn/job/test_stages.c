/* Times of the results in stages, and temperatures that may be in degrees Celsius: what jobs and maps say of them. */
#include "tests/job_files.h"

#include "common/files/hdf5_io.h"
#include "online/kwn/commands.h"
#include "online/kwn/job/job.h"
#include "online/kwn/job/map_job.h"

static int set_up(void **state)
{
    char path[PATH_MAX + 16];
    const int made = make_job_folder(state);
    snprintf(path, sizeof path, "%s/alloy.yaml", folder);
    write_text(
        path,
        "name: a\nmatrix: {element: Al, molar_volume: 1.0e-5, molar_mass: 0.027, lattice_parameter: "
        "4.05e-10}\nconcentration_unit: mole_fraction\nsolutes: [{element: Mg, molar_mass: 0.0243, "
        "concentration: 0.01, diffusivity: {prefactor: 2.2e-4, activation_energy: 130.0e3}}]\nphases: "
        "[{name: P, stoichiometry: [{element: Mg, count: 2}], molar_volume: 4.0e-5, interfacial_energy: 0.1, "
        "growth_limiting_solute: Mg, solvus: {constant: 1.0e-3}, nucleation: {law: none}}]\n");
    return made;
}

/* ---- Notices ---- */

static int warnings;
static char last[1024];

static void hear(void *context, sw_notice notice, const char *text)
{
    (void)context;
    warnings += notice == SW_WARNING;
    snprintf(last, sizeof last, "%s", text);
}

static sw_kwn_job *read_job_of(const char *alloy, const char *temperature, const char *output)
{
    char text[2048];
    sw_kwn_job *job;
    snprintf(text, sizeof text, "alloy: %s\ndevice: cpu\n%s\noutput: {file: out.h5%s}\n", alloy, temperature,
             output);
    write_text(job_path, text);
    const sw_arguments arguments = {.file = job_path};
    warnings = 0;
    sw_listen(hear, NULL);
    CHECK_OK(sw_kwn_job_read(&arguments, &job));
    sw_listen(NULL, NULL);
    return job;
}

static sw_kwn_job *read_job(const char *temperature, const char *output)
{
    return read_job_of("alloy.yaml", temperature, output);
}

/* ---- Times ---- */

static int64_t times_in(const sw_kwn_job *job, double after, double to)
{
    int64_t n = 0;
    for (int64_t i = 0; i < job->n_times; i++)
        n += job->time[i] > after && job->time[i] <= to;
    return n;
}

/* Without a word about 100 in all, as many in each stage, from 1e-6 of it on to its end. */
static void stages_have_equally_many(void **state)
{
    (void)state;
    static const struct {
        const char *temperature;
        int stages;
        double end[5]; /* s; the first one begins at 0 */
    } cases[] = {
        {"initial_temperature: 800\ntemperature: [{quench_to: 450}, {hold: 1.0e6}]", 1, {1e6}},
        {"initial_temperature: 800\ntemperature: [{quench_to: 400}, {hold: 3.6e4}, {quench_to: 450}, {hold: "
         "7.2e4}]",
         2,
         {3.6e4, 1.08e5}},
        {"initial_temperature: 800\ntemperature: [{ramp_to: 300, rate: 50}, {hold: 86400}, {ramp_to: 450, "
         "rate: 0.05}, "
         "{hold: 36000}]",
         4,
         {10, 86410, 89410, 125410}},
        {"temperature_table: [[0, 300], [10, 400], [10, 350], [110, 350]]", 2, {10, 110}},
        {"temperature_table: [[0, 300], [1, 301], [2, 302], [3, 303], [4, 304], [5, 305], [6, 306], [7, "
         "307], [8, 308],"
         " [9, 309], [10, 310], [11, 311], [12, 312], [13, 313], [14, 314], [15, 315], [16, 316], [17, 317]]",
         1,
         {17}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_kwn_job *job = read_job(cases[i].temperature, "");
        assert_in_range(job->n_times, 100, 110);
        double begin = 0;
        for (int k = 0; k < cases[i].stages; k++) {
            const double end = cases[i].end[k], length = end - begin;
            assert_in_range(times_in(job, begin, end), 102 / cases[i].stages, 102 / cases[i].stages + 2);
            assert_int_equal(times_in(job, begin, begin + 1.0001e-6 * length), 1);
            assert_int_equal(times_in(job, end * (1 - 1e-12), end * (1 + 1e-12)), 1);
            begin = end;
        }
        sw_kwn_job_free(job);
    }
}

static void decades_begin_with_each_stage(void **state)
{
    (void)state;
    static const double expected[] = {0, 1, 10, 100, 101, 110, 200, 300};
    sw_kwn_job *job =
        read_job("temperature_table: [[0, 300], [100, 400], [300, 400]]", ", per_decade: 1, first: 1");
    assert_int_equal(job->n_times, sizeof expected / sizeof *expected);
    for (int64_t i = 0; i < job->n_times; i++)
        CHECK_CLOSE(job->time[i], expected[i], 1e-12 * expected[i]);
    sw_kwn_job_free(job);
}

/* ---- Degrees ---- */

/* The first one, by file, line and key; 200 K itself is none. */
static void cold_temperatures_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *temperature, *warning; /* NULL: none */
    } cases[] = {
        {"initial_temperature: 180\ntemperature: [{hold: 10}]",
         "job.yaml:3: initial_temperature = 180 K, -93.15 degrees Celsius: below 200 K nothing moves; 180 "
         "degrees "
         "Celsius would be 453.15 K"},
        {"initial_temperature: 475\ntemperature: [{quench_to: 20}, {ramp_to: 120, rate: 0.02}, {hold: 10}]",
         "job.yaml:4: temperature[0].quench_to = 20 K"},
        {"initial_temperature: 475\ntemperature: [{ramp_to: 199.9, rate: 1}, {hold: 10}]",
         "job.yaml:4: temperature[0].ramp_to = 199.9 K"},
        {"temperature_table: [[0, 475], [10, 160]]", "job.yaml:3: temperature_table[1][1] = 160 K"},
        {"initial_temperature: 475\ntemperature: [{ramp_to: 200, rate: 1}, {hold: 10}]", NULL},
        {"temperature_table: [[0, 475], [10, 273.15]]", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_kwn_job_free(read_job(cases[i].temperature, ""));
        assert_int_equal(warnings, cases[i].warning != NULL);
        if (cases[i].warning != NULL && strstr(last, cases[i].warning) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].warning, last);
    }
}

/* Of AA6082, whose solvus is at 773 K: in K 530 and 220 are a hot quench of what was never dissolved. Each of the rows without a word
 * is meant as it stands. */
static void histories_in_degrees_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *temperature, *warning; /* NULL: none */
    } cases[] = {
        {"initial_temperature: 530\ntemperature: [{quench_to: 220}, {hold: 1e4}]",
         "job.yaml:4: temperature[0].quench_to = 220 K, below 250 K, and at the highest temperature, 530 K, "
         "phases can form, which at 530 degrees Celsius, 803.15 K, are dissolved"},
        {"initial_temperature: 540\ntemperature: [{ramp_to: 210, rate: 50}, {hold: 1e4}, {ramp_to: 300, "
         "rate: 1}]",
         "temperature[0].ramp_to = 210 K"},
        {"temperature_table: [[0, 530], [10, 240], [100, 205], [1000, 205]]",
         "job.yaml:3: temperature_table[2][1] = 205 K"},
        {"initial_temperature: 803.15\ntemperature: [{quench_to: 220}, {hold: 1e6}, {ramp_to: 458, rate: "
         "1}]",
         NULL},
        {"initial_temperature: 293.15\ntemperature: [{quench_to: 240}, {hold: 1e6}, {ramp_to: 458, rate: "
         "1}]",
         NULL},
        {"initial_temperature: 530\ntemperature: [{quench_to: 250}, {hold: 1e4}]", NULL},
        /* In K under degrees Celsius, all of them or some; the last is a hot quench in degrees Celsius. */
        {"temperature_unit: celsius\ninitial_temperature: 803.15\ntemperature: [{quench_to: 458.15}, {hold: "
         "1e5}]",
         "job.yaml:3: temperature_unit = celsius: 803.15 degrees Celsius, 1076.3 K, is more than 273.15 K "
         "above "
         "all solvi; 458.15 K to 803.15 K would dissolve and age the alloy"},
        {"temperature_unit: celsius\ninitial_temperature: 530\n"
         "temperature: [{ramp_to: 803.15, rate: 1}, {quench_to: 458.15}, {hold: 1e4}]",
         "temperature_unit = celsius: 803.15"},
        {"temperature_unit: celsius\ninitial_temperature: 560\ntemperature: [{quench_to: 300}, {hold: 1e4}]",
         NULL},
        {"temperature_unit: celsius\ninitial_temperature: 530\ntemperature: [{quench_to: 185}, {hold: 1e4}]",
         NULL}};
    char *whole = realpath(data_path("alloys/al-mg-si-6082.yaml"), NULL);
    assert_non_null(whole);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_kwn_job_free(read_job_of(whole, cases[i].temperature, ""));
        if (warnings != (cases[i].warning != NULL))
            fail_msg("%d warnings of '%s', '%s'", warnings, cases[i].temperature, last);
        if (cases[i].warning != NULL && strstr(last, cases[i].warning) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].warning, last);
    }
    free(whole);
}

/* Those that come with the program. */
static void examples_are_not_doubted(void **state)
{
    (void)state;
    static const char *const jobs[] = {"ageing-6082", "two-phases-al-sc-zr", "two-step-6082", "weld-6082",
                                       "7075"},
                             *const maps[] = {"ageing", "cct", "ttp", "window"};
    warnings = 0;
    sw_listen(hear, NULL);
    for (int i = 0; i < 5; i++) {
        sw_kwn_job *job;
        CHECK_OK(sw_kwn_job_read(&(sw_arguments){.file = data_path("jobs/kwn-%s.yaml", jobs[i])}, &job));
        sw_kwn_job_free(job);
    }
    for (int i = 0; i < 4; i++) {
        sw_kwn_map_job *map;
        CHECK_OK(
            sw_kwn_map_job_read(&(sw_arguments){.file = data_path("jobs/kwn-map-%s.yaml", maps[i])}, &map));
        sw_kwn_map_job_free(map);
    }
    sw_listen(NULL, NULL);
    assert_int_equal(warnings, 0);
}

static void maps_warn_likewise(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"initial_temperature: 530\ntemperature: {from: 150, to: 210, count: 3}",
         "job.yaml:5: temperature.from = 150 K"},
        {"initial_temperature: 130\ntemperature: {from: 400, to: 450, count: 3}",
         "job.yaml:4: initial_temperature"},
        {"initial_temperature: 800\npretreatment: [{quench_to: 20}, {hold: 10}]\ntemperature: {from: 400, "
         "to: 450, "
         "count: 3}",
         "job.yaml:5: pretreatment[0].quench_to = 20 K"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        sw_kwn_map_job *job;
        snprintf(text, sizeof text,
                 "alloy: alloy.yaml\ndevice: cpu\nkind: ttp\n%s\ntime: {from: 1, to: 100, count: 3}\noutput: "
                 "{file: "
                 "out.h5}\n",
                 cases[i][0]);
        write_text(job_path, text);
        const sw_arguments arguments = {.file = job_path};
        warnings = 0;
        sw_listen(hear, NULL);
        CHECK_OK(sw_kwn_map_job_read(&arguments, &job));
        sw_listen(NULL, NULL);
        assert_int_equal(warnings, 1);
        if (strstr(last, cases[i][1]) == NULL)
            fail_msg("no '%s' in '%s'", cases[i][1], last);
        sw_kwn_map_job_free(job);
    }
}

/* No temperature is below 200 K, and still nothing moves in hours at any point; a map that is cold in one corner has no
 * warning. */
static void maps_in_which_nothing_moves_warn(void **state)
{
    (void)state;
    static const struct {
        const char *temperature;
        int warned;
    } cases[] = {{"{from: 205, to: 250, count: 3}", 1}, {"{from: 205, to: 450, count: 3}", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[PATH_MAX + 1024];
        sw_kwn_map_job *job;
        snprintf(text, sizeof text,
                 "alloy: alloy.yaml\ndevice: cpu\nkind: ttp\ninitial_temperature: 550\npretreatment: [{hold: "
                 "3600}]\ntemperature: %s\ntime: {from: 1, to: 18000, count: 3}\noutput: {file: %s/out.h5}\n",
                 cases[i].temperature, folder);
        write_text(job_path, text);
        const sw_arguments arguments = {.file = job_path};
        warnings = 0;
        last[0] = '\0';
        sw_listen(hear, NULL);
        CHECK_OK(sw_kwn_map_job_read(&arguments, &job));
        CHECK_OK(sw_kwn_map_run(job));
        sw_listen(NULL, NULL);
        assert_int_equal(strstr(last, "at 3 of 3 points no solute moves") != NULL, cases[i].warned);
        sw_kwn_map_job_free(job);
    }
}

/* ---- Weight percent ---- */

/* Of two points with one solute, 0.1 and 2. */
static void write_history(const char *path)
{
    const double time[] = {0, 10}, composition[] = {0.1, 2};
    const float temperature[] = {700, 700, 700, 700};
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){2}, time));
    CHECK_OK(sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){2, 2}, temperature));
    CHECK_OK(sw_h5_write(output.file, "composition", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 1}, composition));
    CHECK_OK(sw_h5_commit(&output));
}

/* Of copper with beryllium, 7 times as light, a product with an enthalpy is off by 11 % at 2 weight percent and 0.6 % at 0.1: by the
 * composition that a job, a map or a history has, not the alloy's. */
static void weights_are_warned_of_where_they_are(void **state)
{
    (void)state;
    static const char job[] = "initial_temperature: 700\ntemperature: [{hold: 10}]\noutput: {file: out.h5}\n",
                      map[] = "initial_temperature: 700\nkind: window\nduration: 10\nsolute: Be\n"
                              "temperature: {from: 600, to: 700, count: 2}\noutput: {file: out.h5}\n",
                      two[] = "composition: [{solute: Be, concentration: 2.0}]\n",
                      little[] = "composition: [{solute: Be, concentration: 0.1}]\n",
                      off[] = "concentration_unit = weight_percent: of a dilute matrix are taken solubility";
    const struct {
        const char *alloy, *keys, *rest, *warning; /* NULL: none */
    } cases[] = {
        {"0.1", two, job, "job.yaml:3: composition"},
        {"2.0", "", job, "job.yaml:1: alloy"},
        {"2.0", little, job, NULL},
        {"0.1", "", job, NULL},
        {"0.1", "concentration: {from: 0.1, to: 2, count: 2}\n", map, "job.yaml:3: concentration.to"},
        {"0.1", "", "temperature_file: history.h5\noutput: {file: out.h5}\n",
         "history.h5: composition, point 1: "},
        {"2.0", "concentration: {from: 0.01, to: 0.1, count: 2}\n", map, NULL}};
    char path[PATH_MAX + 16], history[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/be.yaml", folder);
    snprintf(history, sizeof history, "%s/history.h5", folder);
    write_history(history);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        void *read;
        const int is_map = cases[i].rest == map;
        snprintf(
            text, sizeof text,
            "name: b\nmatrix: {element: Cu, molar_volume: 7.11e-6, molar_mass: 0.063546, "
            "lattice_parameter: 3.615e-10}\nconcentration_unit: weight_percent\nsolutes: [{element: Be, "
            "molar_mass: 0.0090122, concentration: %s, diffusivity: {prefactor: 6.6e-5, "
            "activation_energy: 196.0e3}}]\nphases: [{name: P, stoichiometry: [{element: Cu, count: 1}, "
            "{element: Be, count: 1}], molar_volume: 1.2e-5, interfacial_energy: 0.1, "
            "growth_limiting_solute: Be, solvus: {product: [{solute: Be, exponent: 1}], prefactor: 37.4, "
            "enthalpy: 24000}, nucleation: {law: none}}]\n",
            cases[i].alloy);
        write_text(path, text);
        snprintf(text, sizeof text, "alloy: be.yaml\ndevice: cpu\n%s%s", cases[i].keys, cases[i].rest);
        write_text(job_path, text);
        const sw_arguments arguments = {.file = job_path};
        warnings = 0;
        sw_listen(hear, NULL);
        CHECK_OK(is_map ? sw_kwn_map_job_read(&arguments, (sw_kwn_map_job **)(void *)&read)
                        : sw_kwn_job_read(&arguments, (sw_kwn_job **)(void *)&read));
        sw_listen(NULL, NULL);
        if (warnings != (cases[i].warning != NULL))
            fail_msg("case %d: %d warnings, '%s'", (int)i, warnings, last);
        if (warnings > 0 && (strstr(last, cases[i].warning) == NULL || strstr(last, off) == NULL))
            fail_msg("no '%s' in '%s'", cases[i].warning, last);
        if (is_map)
            sw_kwn_map_job_free(read);
        else
            sw_kwn_job_free(read);
    }
    unlink(path);
    unlink(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stages_have_equally_many),
                                       cmocka_unit_test(decades_begin_with_each_stage),
                                       cmocka_unit_test(cold_temperatures_are_warned_of),
                                       cmocka_unit_test(maps_warn_likewise),
                                       cmocka_unit_test(histories_in_degrees_are_warned_of),
                                       cmocka_unit_test(examples_are_not_doubted),
                                       cmocka_unit_test(maps_in_which_nothing_moves_warn),
                                       cmocka_unit_test(weights_are_warned_of_where_they_are)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
