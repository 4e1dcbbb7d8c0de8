/* `slipwave taylor` of crystals that `slipwave kwn` has aged. */
#include "programs.h"

#define AGED "initial_slip_resistance: {kwn: aged.h5, time: 18000}\n"

/* AA6082 at 185 C: weak after 100 s, at its peak after 5 h. And the same in a map, as the first of two temperatures. */
static int make_aged_folder(void **state)
{
    static const char head[] = "alloy: %s\ninitial_temperature: 803.15\n%s";
    char text[PATH_MAX + 512];
    result r;
    if (make_folder(state) != 0)
        return 1;
    snprintf(text, sizeof text, head, data_path("alloys/al-mg-si-6082.yaml"),
             "temperature: [{quench_to: 458.15}, {hold: 1.0e5}]\n"
             "output: {file: aged.h5, per_decade: 20, first: 10}\n");
    write_text("kwn.yaml", text);
    run_well("slipwave kwn -q kwn.yaml", &r);
    snprintf(text, sizeof text, head, data_path("alloys/al-mg-si-6082.yaml"),
             "kind: ageing\ntemperature: {from: 458.15, to: 468.15, count: 2}\n"
             "time: {from: 10, to: 1.0e5, count: 81}\noutput: {file: map.h5}\n");
    write_text("map.yaml", text);
    run_well("slipwave kwn map -q map.yaml", &r);
    write_edited("aged.yaml", job_text, "initial_slip_resistance: 16.0e6\n", AGED);
    return 0;
}

/* ---- Runs ---- */

typedef struct {
    double stress[STEPS + 1][3][3], resistance[STEPS + 1];
} curve;

static void read_curve(curve *c)
{
    hid_t file = open_results("out.h5");
    const int64_t rows[3] = {STEPS + 1, 3, 3};
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, c->stress));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, rows, c->resistance));
    H5Fclose(file);
}

static double ageing_number(const char *name)
{
    double value;
    hid_t file = open_results("out.h5"), group = H5Gopen2(file, "run/ageing", H5P_DEFAULT);
    assert_true(group >= 0);
    CHECK_OK(sw_h5_read_numbers(group, name, 1, &value));
    H5Gclose(group);
    H5Fclose(file);
    return value;
}

/* With a line on stderr that says what the crystals are. */
static void run_aged(const char *options, curve *c)
{
    char command[256];
    result r;
    snprintf(command, sizeof command, "slipwave taylor aged.yaml --device cpu%s%s",
             *options != '\0' ? " " : "", options);
    run(command, &r);
    if (r.status != 0)
        fail_msg("%s: %s", command, r.err);
    if (strstr(r.err, "aged: ") == NULL || strstr(r.err, ": s0 = ") == NULL ||
        strstr(r.err, "saturation at ") == NULL)
        fail_msg("%s: no word of ageing in '%s'", command, r.err);
    read_curve(c);
}

static double von_mises(const double s[3][3])
{
    double sum = 0;
    const double mean = (s[0][0] + s[1][1] + s[2][2]) / 3;
    for (int i = 0; i < 9; i++)
        sum += pow(s[i / 3][i % 3] - (i % 4 == 0 ? mean : 0), 2);
    return sqrt(1.5 * sum);
}

/* ---- Tests ---- */

/* hard.yaml: the material with the numbers of the run in out.h5. */
static void write_hard_material(void)
{
    static const char *const numbers[][2] = {{"initial_slip_resistance: 16.0e6", "initial_slip_resistance"},
                                             {"initial_hardening_rate: 180.0e6", "initial_hardening_rate"},
                                             {"saturation_resistance: 148.0e6", "saturation_resistance"}};
    write_text("hard.yaml", material_text);
    for (int i = 0; i < 3; i++) {
        char value[96];
        size_t size;
        char *text = read_bytes("hard.yaml", &size);
        snprintf(value, sizeof value, "%s: %.17g", numbers[i][1], ageing_number(numbers[i][1]));
        write_edited("hard.yaml", text, numbers[i][0], value);
        free(text);
    }
}

/* To the last bit, whatever the solver. */
static void a_material_with_these_numbers_does_the_same(void **state)
{
    (void)state;
    static const char *const solvers[] = {"terms", "grid", "rigid_plastic", "elastoplastic", "iterative"};
    for (int i = 0; i < 5; i++) {
        char command[256], options[64];
        curve aged, hard, soft;
        result r;
        snprintf(options, sizeof options, "--solver %s", solvers[i]);
        run_aged(options, &aged);
        write_hard_material();
        write_edited("plain.yaml", job_text, "initial_slip_resistance: 16.0e6\n", "material: hard.yaml\n");
        snprintf(command, sizeof command, TAYLOR "plain.yaml --device cpu %s", options);
        run_well(command, &r);
        read_curve(&hard);
        snprintf(command, sizeof command, TAYLOR "job.yaml --device cpu %s", options);
        run_well(command, &r);
        read_curve(&soft);
        assert_memory_equal(&aged, &hard, sizeof aged);
        assert_true(aged.resistance[0] > 90e6 && aged.resistance[0] < 105e6);
        /* it hardens by what the soft one does, as slips are nearly the same: 10 % of it */
        const double gain = soft.resistance[STEPS] - soft.resistance[0];
        assert_true(gain > 5e6);
        CHECK_CLOSE(aged.resistance[STEPS] - aged.resistance[0], gain, 0.1 * gain);
    }
    unlink("out.h5");
}

static void results_say_what_the_crystals_are(void **state)
{
    (void)state;
    curve c;
    char *text;
    run_aged("", &c);
    const double s0 = ageing_number("initial_slip_resistance");
    CHECK_CLOSE(ageing_number("lattice") + ageing_number("solid_solution") + ageing_number("particles"), s0,
                1e-9 * s0);
    CHECK_CLOSE(ageing_number("saturation_resistance"), 148e6 + s0 - 16e6, 1e-6);
    CHECK_CLOSE(ageing_number("taylor_factor"), 3.1, 1e-12); /* the alloy file's */
    CHECK_CLOSE(c.resistance[0], s0, 1e-7 * s0);             /* crystals have it in single precision */
    assert_true(ageing_number("kwn_time") == 18000 && ageing_number("kwn_point") == 0);
    hid_t file = open_results("out.h5"), group = H5Gopen2(file, "run/ageing", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(group, "kwn_file", &text));
    assert_string_equal(text, "aged.h5");
    free(text);
    H5Gclose(group);
    CHECK_CLOSE(run_number(file, "saturation_resistance"), 148e6 + s0 - 16e6, 1e-6);
    CHECK_CLOSE(run_number(file, "initial_slip_resistance"), s0, 1e-7 * s0);
    H5Fclose(file);
    unlink("out.h5");
}

/* Yield stresses of weak and of peak-aged crystals are as kwn's. What a first step of 1e-3 adds is at most 180 MPa, the
 * law's steepest, times a slip of 3e-3: 0.6 MPa, of the weak ones' 32. */
static void yields_are_in_the_ratio_of_the_strengths(void **state)
{
    (void)state;
    static const char *const options[] = {"--solver rigid_plastic --kwn-time 100", "--solver rigid_plastic"};
    double stress[2], strength[2];
    char text[2048];
    size_t size;
    write_edited("aged.yaml", job_text, "initial_slip_resistance: 16.0e6\nstrain_increment: 0.02\n",
                 AGED "strain_increment: 0.001\n");
    char *short_steps = read_bytes("aged.yaml", &size);
    snprintf(text, sizeof text, "%s", short_steps);
    free(short_steps);
    write_edited("aged.yaml", text, "duration: 50", "duration: 2.5");
    for (int i = 0; i < 2; i++) {
        curve c;
        run_aged(options[i], &c);
        stress[i] = von_mises((const double(*)[3])c.stress[1]);
        strength[i] = ageing_number("initial_slip_resistance");
    }
    assert_true(strength[1] > 2.5 * strength[0]);
    CHECK_CLOSE(stress[1] / stress[0], strength[1] / strength[0], 0.6 / 32 * strength[1] / strength[0]);
    write_edited("aged.yaml", job_text, "initial_slip_resistance: 16.0e6\n", AGED);
    unlink("out.h5");
}

/* The same alloy at the same temperature, with steps that end elsewhere: to the control's tolerance, some 1e-3. At
 * another temperature it is another. */
static void a_map_has_the_same_strengths(void **state)
{
    (void)state;
    curve c;
    run_aged("", &c);
    const double s = ageing_number("initial_slip_resistance");
    run_aged("--kwn map.h5", &c);
    CHECK_CLOSE(ageing_number("initial_slip_resistance"), s, 0.01 * s);
    run_aged("--kwn map.h5 --kwn-point 1 --kwn-time 1000", &c);
    const double warmer = ageing_number("initial_slip_resistance");
    run_aged("--kwn map.h5 --kwn-time 1000", &c);
    assert_true(warmer > 1.05 * ageing_number("initial_slip_resistance"));
    unlink("out.h5");
}

/* An option of the mapping stands for a number of the file. */
static void options_age_any_job(void **state)
{
    (void)state;
    curve c;
    result r;
    run(TAYLOR "job.yaml --device cpu --kwn aged.h5 --kwn-time 18000", &r);
    assert_int_equal(r.status, 0);
    read_curve(&c);
    assert_true(c.resistance[0] > 90e6);
    unlink("out.h5");
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *mapping, *options, *part[2];
    } cases[] = {
        {"{kwn: aged.h5, time: 2.0e5}",
         "",
         {"bad.yaml:6: initial_slip_resistance.time: aged.h5: time 200000 s",
          "need its results' 0 to 100000"}},
        {"{kwn: aged.h5, time: 100, point: 1}",
         "",
         {"bad.yaml:6: initial_slip_resistance.point: aged.h5: point 1", "need 0 to 0"}},
        {"{kwn: copper.h5, time: 100}",
         "",
         {"bad.yaml:6: initial_slip_resistance.kwn: copper.h5: need results of slipwave kwn", NULL}},
        {"{kwn: absent.h5, time: 100}",
         "",
         {"bad.yaml:6: initial_slip_resistance.kwn: absent.h5: No such file", NULL}},
        {"{time: 100}", "", {"bad.yaml:6: initial_slip_resistance.kwn is missing", NULL}},
        {"{kwn: aged.h5}", "", {"bad.yaml:6: initial_slip_resistance.time is missing", NULL}},
        {"{kwn: aged.h5, time: -1}", "", {"bad.yaml:6: initial_slip_resistance.time = -1", "need s"}},
        {"16.0e6", " --kwn-time 100", {"initial_slip_resistance.kwn is missing", NULL}},
        {"{kwn: aged.h5, time: 100}", " --kwn-time 1e9", {"--kwn-time: aged.h5: time 1000000000 s", NULL}},
        {"{kwn: aged.h5, time: 100}",
         " -o aged.h5",
         {"--output = aged.h5: is the input initial_slip_resistance.kwn", NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char key[128], command[256];
        snprintf(key, sizeof key, "initial_slip_resistance: %s\n", cases[i].mapping);
        write_edited("bad.yaml", job_text, "initial_slip_resistance: 16.0e6\n", key);
        snprintf(command, sizeof command, TAYLOR "bad.yaml%s", cases[i].options);
        assert_refused_twice(command, 2, cases[i].part);
    }
    unlink("bad.yaml");
}

/* Crystals that were aged otherwise are other ones. */
static void a_run_goes_on_with_the_same_ageing_only(void **state)
{
    (void)state;
    static const char text[] =
        "database: copper.h5\nsolver: grid\ncrystals: {count: 20000}\n" AGED
        "strain_increment: 0.0014142135623730951\n"
        "loading:\n"
        "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 500}\n"
        "output: {file: out.h5, checkpoint: 0.1}\n";
    static const char *const refusal[] = {"out.h5.partial: belongs to a run with another material"};
    result r;
    write_text("long.yaml", text);
    assert_int_equal(stop_after_first("slipwave taylor -q -j 1 long.yaml", SIGINT), 130);
    assert_refused("slipwave taylor -q --resume long.yaml --kwn-time 100", 1, refusal);
    run_well("slipwave taylor -q --resume long.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_CLOSE(run_number(file, "steps"), 500, 0);
    CHECK_CLOSE(run_number(file, "initial_slip_resistance"), ageing_number("initial_slip_resistance"), 10);
    H5Fclose(file);
    unlink("out.h5");
    unlink("long.yaml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_material_with_these_numbers_does_the_same),
        cmocka_unit_test(results_say_what_the_crystals_are),
        cmocka_unit_test(yields_are_in_the_ratio_of_the_strengths),
        cmocka_unit_test(a_map_has_the_same_strengths),
        cmocka_unit_test(options_age_any_job),
        cmocka_unit_test(a_run_goes_on_with_the_same_ageing_only),
        cmocka_unit_test(what_is_wrong_is_named),
    };
    return _cmocka_run_group_tests("aged crystals", tests, sizeof tests / sizeof *tests, make_aged_folder,
                                   remove_folder);
}
