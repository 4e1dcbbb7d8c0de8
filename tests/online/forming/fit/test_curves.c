/* Measured curves: their files, where their points lie on a loading, and the steps between. */
#include "tests/job_files.h"

#include "online/forming/fit/stress_test.h"

/* ---- Files ---- */

static sw_status parse(const char *text, const char *a, const char *b, sw_curve *curve)
{
    write_text(job_path, text);
    return sw_curve_read(job_path, (const char *const[2]){a, b}, curve);
}

static void texts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *a, *b;
    } good[] = {
        {"0 1\n0.5 2e1\n", NULL, NULL},
        {"# a comment\nstrain,stress\n0,1\n\n0.5,20 # here\n", NULL, NULL},
        {"time;true strain;stress (MPa)\r\n9;0;1\r\n9;0.5;20\r\n", "true strain", "stress (MPa)"},
        {"\xef\xbb\xbfstress\tx\tstrain\n1\tn.a.\t0\n20\t-\t0.5\n", "strain", "stress"},
        {"1,,0\n20,,0.5", "3", "1"},
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        sw_curve c;
        CHECK_OK(parse(good[k].text, good[k].a, good[k].b, &c));
        assert_int_equal(c.n, 2);
        assert_true(c.strain[0] == 0 && c.stress[0] == 1 && c.strain[1] == 0.5 && c.stress[1] == 20);
        sw_curve_free(&c);
    }
}

static void bad_texts_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *a, *b, *message;
    } bad[] = {
        {"", NULL, NULL, "no rows"},
        {"# nothing\n", NULL, NULL, "no rows"},
        {"strain stress\n", NULL, NULL, "no rows"},
        {"0.1\n", NULL, NULL, ":1: 1 columns: need a column 2, of stress"},
        {"0 1\nnan 3\n", NULL, NULL, ":2: column 1 = 'nan': need a number, of strain"},
        {"0 1\n1e999 3\n", NULL, NULL, ":2: column 1 = '1e999': need a finite number, of strain"},
        {"a,b\n0,1\n", "a", "c", ":1: no column 'c'"},
        {"0,1\n", "a", "b", ":1: no column 'a'"},
        {"0,1\n", "0", "2", ":1: 2 columns: need a column 0, of strain"},
        {"0,1\n", "1", "3", ":1: 2 columns: need a column 3, of stress"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sw_curve c;
        assert_int_equal(parse(bad[k].text, bad[k].a, bad[k].b, &c), SW_ERR_INPUT);
        assert_message_has(bad[k].message);
        assert_true(c.n == 0 && c.strain == NULL && c.stress == NULL);
    }
}

/* ---- On their way ---- */

/* Compression along 3, sides free; there and back again. */
static sw_loading along_3(double rate, double duration)
{
    sw_loading g = {.duration = duration};
    for (int k = 0; k < 9; k++) {
        g.velocity_gradient[k / 3][k % 3] = k == 8 ? rate : k % 4 == 0 ? NAN : 0;
        g.stress[k / 3][k % 3] = k < 8 && k % 4 == 0 ? 0 : NAN;
    }
    return g;
}

static sw_fit_curve curve_of(sw_loading *loading, unsigned count)
{
    return (sw_fit_curve){.file = job_path,
                          .strain = 2,
                          .stress = 2,
                          .stress_unit = 2, /* MPa */
                          .most_strain = INFINITY,
                          .weight = 1,
                          .loading = loading,
                          .loading_count = count};
}

static sw_status open_as(int starts_at_rest, const char *text, const sw_fit_curve *curve, sw_fit_test *test)
{
    static const sw_key none[] = {SW_KEYS_END};
    sw_job *job;
    void *values;
    CHECK_OK(sw_job_parse(none, 8, "job.yaml", "{}", &job, &values));
    write_text(job_path, text);
    const sw_status status = sw_fit_test_open(job, "curves", 0, curve, 0.02, starts_at_rest, test);
    sw_job_close(job);
    return status;
}

static sw_status open(const char *text, const sw_fit_curve *curve, sw_fit_test *test)
{
    return open_as(0, text, curve, test);
}

/* Positive numbers of compression are turned; of the first shape, ln and the area of a volume that stays. */
static void points_are_true_and_signed(void **state)
{
    (void)state;
    sw_loading g = along_3(-1e-3, 500);
    sw_fit_curve c = curve_of(&g, 1);
    sw_fit_test test;
    for (int positive = 0; positive < 2; positive++) {
        c.engineering = 1;
        c.strain_unit = 1; /* percent */
        CHECK_OK(open(positive ? "0 0\n10 100\n30 200\n" : "0 0\n-10 -100\n-30 -200\n", &c, &test));
        const double strain[3] = {0, log(0.9), log(0.7)}, stress[3] = {0, -90e6, -140e6};
        for (int i = 0; i < 3; i++) {
            CHECK_CLOSE(test.data.strain[i], strain[i], 1e-15);
            CHECK_CLOSE(test.data.stress[i], stress[i], 1e-6);
            CHECK_CLOSE(test.time[i], -1e3 * strain[i], 1e-12 * 500);
        }
        CHECK_CLOSE(test.deviation, 1.4e6, 1e-6); /* a hundredth of the largest */
        sw_fit_test_close(&test);
    }
    c.least_strain = 0.2;
    CHECK_OK(open("0 0\n10 100\n30 200\n", &c, &test));
    assert_int_equal(test.data.n, 1);
    sw_fit_test_close(&test);
    assert_int_equal(open("0 0\n100 100\n", &c, &test), SW_ERR_INPUT);
    assert_message_has("engineering strain = -1: need more than -1");
}

/* Units and measure by the columns' names: as by the job's keys, which may say the same and nothing else. */
static void names_say_what_keys_do(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int strain_unit, stress_unit, engineering;
    } good[] = {{"engineering strain (%),engineering stress (MPa)\n10,100\n", -1, -1, -1},
                {"strain;nominal stress\n%;N/mm2\n10;100\n", -1, -1, -1},
                {"strain_percent\tstress_GPa\n10\t0,1\n", 1, 3, 1},
                {"10 1e8\n", 1, 0, 1}};
    static const struct {
        const char *text;
        int strain_unit, stress_unit, engineering;
        const char *message;
    } bad[] = {
        {"strain,stress\n0.1,100\n", -1, -1, -1,
         ": the stress column's name says no unit: need one, as stress_MPa"},
        {"0.1 100\n", -1, -1, -1, ": the stress column's name says no unit"},
        {"strain (%),stress\n1,1\n", 0, 2, -1, ": the column's name says %, strain_unit = 1: need one"},
        {"strain,stress_MPa\n1,1\n", -1, 0, -1, ": the column's name says MPa, stress_unit = Pa: need one"},
        {"true strain,stress\n1,1\n", -1, 2, 1, ": the columns' names say true, measure = engineering"},
        {"strain,eng. stress\n1,1\n", -1, 2, 0, ": the columns' names say engineering, measure = true"},
        {"true strain,engineering stress\n1,1\n", -1, 2, -1,
         ": columns of true strain and engineering stress"}};
    sw_loading g = along_3(1e-3, 500);
    sw_fit_curve c = curve_of(&g, 1);
    sw_fit_test test;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        c.strain_unit = good[k].strain_unit;
        c.stress_unit = good[k].stress_unit;
        c.engineering = good[k].engineering;
        CHECK_OK(open(good[k].text, &c, &test));
        CHECK_CLOSE(test.data.strain[0], log(1.1), 1e-15);
        CHECK_CLOSE(test.data.stress[0], 110e6, 1e-6);
        sw_fit_test_close(&test);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        c.strain_unit = bad[k].strain_unit;
        c.stress_unit = bad[k].stress_unit;
        c.engineering = bad[k].engineering;
        assert_int_equal(open(bad[k].text, &c, &test), SW_ERR_INPUT);
        assert_message_has(bad[k].message);
    }
    c.strain_unit = c.engineering = -1;
    c.stress_unit = 2;
    c.stress = 8; /* 22-33 */
    assert_int_equal(open("strain,engineering stress\n1,1\n", &c, &test), SW_ERR_INPUT);
    assert_message_has("engineering: need stress and strain of the same normal component");
}

/* By the row of the largest, a hundred times the model's or a hundredth of it; percent, where the loading is too short. */
static void other_units_are_suspected(void **state)
{
    (void)state;
    static const double model[2] = {50e6, 200e6};
    static const struct {
        const char *text;
        int unit; /* of stress_units: Pa, kPa, MPa, GPa */
        const char *message;
    } bad[] = {{"0.1 120\n# more\n0.2 290\n", 0,
                ":3: stress = 290 Pa is the largest, the model's is 2e+08 Pa: is it in MPa?"},
               {"0.1 120\n0.2 290\n", 3,
                ":2: stress = 290 GPa is the largest, the model's is 0.2 GPa: is it in MPa?"},
               {"0.1 0.12\n0.2 0.29\n", 2,
                ":2: stress = 0.29 MPa is the largest, the model's is 200 MPa: is it in GPa?"},
               {"0.1 1.2e8\n0.2 2.9e8\n", 2,
                ":2: stress = 2.9e+08 MPa is the largest, the model's is 200 MPa: is it in Pa?"}};
    sw_loading g = along_3(1e-3, 500);
    sw_fit_curve c = curve_of(&g, 1);
    sw_fit_test test;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        c.stress_unit = bad[k].unit;
        CHECK_OK(open(bad[k].text, &c, &test));
        assert_int_equal(sw_fit_test_signs(&test, model), SW_ERR_INPUT);
        assert_message_has(bad[k].message);
        sw_fit_test_close(&test);
    }
    c.stress_unit = 2;
    CHECK_OK(open("0.1 1\n0.2 2.1\n", &c, &test)); /* a hundredth is not yet too little */
    CHECK_OK(sw_fit_test_signs(&test, model));
    sw_fit_test_close(&test);
    assert_int_equal(open("0.1 100\n20 290\n", &c, &test), SW_ERR_INPUT);
    assert_message_has(":2: true strain = 20: the loading does not come there");
    assert_message_has("is it in percent?");
}

/* The largest strain of a file, as it is written, tells of its unit, wherever the first is that the loading does not come to. */
static void units_of_strain_are_suspected(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int engineering;
        const char *at, *suspected;
    } bad[] = {{"0.1 100\n0.9 150\n30 290\n", 0, ":2: true strain = 0.9: ", "; is it in percent?"},
               {"0.1 100\n30 290\n", 1, ":2: true strain = 3.43", "; is it in percent?"},
               {"-10 100\n30 290\n", 1, ":1: engineering strain = -10: ", "; is it in percent?"},
               {"2000 100\n300000 290\n", 0, ":1: true strain = 2000: ", "; is it in microstrain?"},
               {"0.1 100\n0.9 150\n", 0, ":2: true strain = 0.9: ", NULL}};
    sw_loading g = along_3(1e-3, 500);
    sw_fit_test test;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sw_fit_curve c = curve_of(&g, 1);
        c.engineering = bad[k].engineering;
        assert_int_equal(open(bad[k].text, &c, &test), SW_ERR_INPUT);
        assert_message_has(bad[k].at);
        if (bad[k].suspected != NULL)
            assert_message_has(bad[k].suspected);
        else
            assert_null(strstr(sw_error_message(), "is it in"));
    }
}

/* Steps end at points that are a tenth of the longest step apart or more, none is longer than that (and a tenth), and the
 * last one ends with the last point. */
static void steps_end_at_points(void **state)
{
    (void)state;
    sw_loading g = along_3(-1e-3, 1000);
    const sw_fit_curve c = curve_of(&g, 1);
    const double longest = 0.02 / sqrt(1.5) * 1e3; /* s: ||D|| is sqrt(3/2) of the rate along 3 */
    sw_fit_test test;
    CHECK_OK(open("0.5 5\n0.1 2\n0.005 1\n0.1001 2\n0.5005 5.1\n0 0\n", &c, &test));
    double last = 0;
    int met[3] = {0};
    for (int k = 0; k < test.steps; k++) {
        assert_true(test.end[k] > last && test.end[k] - last <= 1.1 * longest);
        assert_true(test.end[k] - last >= 0.1 * longest);
        CHECK_CLOSE(test.strain[k], -1e-3 * test.end[k], 1e-15);
        met[0] |= fabs(test.end[k] - 5) < 1e-9;
        met[1] |= fabs(test.end[k] - 100) < 1e-9;
        last = test.end[k];
    }
    assert_true(met[0] && met[1]);
    CHECK_CLOSE(last, 500.5, 1e-9);
    sw_fit_test_close(&test);
}

/* A stress that is linear in strain is what it is at all points. Before the first step it begins at rest, and a point
 * there is none; or it is that of rigid crystals. */
static void a_beginning_at_rest_is_left_out(void **state)
{
    (void)state;
    static const char text[] = "0 0\n0.5 5\n0.1 2\n1e-10 1\n0.0001 1\n0 3\n";
    sw_loading g = along_3(-1e-3, 1000);
    sw_fit_curve c = curve_of(&g, 1);
    sw_fit_test test;
    double stress[200], model[6];
    for (int rest = 0; rest < 2; rest++) {
        CHECK_OK(open_as(rest, text, &c, &test));
        assert_int_equal(test.data.n, rest ? 3 : 6);
        assert_int_equal(test.left_out, rest ? 3 : 0);
        for (int k = 0; k < test.steps; k++)
            stress[k] = 1e9 * test.strain[k];
        sw_fit_test_at_points(&test, stress, model);
        for (int i = 0; i < test.data.n; i++)
            if (rest || fabs(test.data.strain[i]) > 0.01)
                CHECK_CLOSE(model[i], 1e9 * test.data.strain[i], 1e-3);
        CHECK_CLOSE(sw_fit_test_first(&test, stress), rest ? 0 : stress[0], 0);
        if (!rest)
            CHECK_CLOSE(model[0], stress[0], 0);
        sw_fit_test_close(&test);
    }
    assert_int_equal(open_as(1, "0 0\n0 1\n", &c, &test), SW_ERR_INPUT);
    assert_message_has("all strains are 0");
}

/* Stresses of the other sign than the model's are refused, of noise about 0 not. */
static void other_signs_are_refused(void **state)
{
    (void)state;
    static const double model[4] = {-10e6, -20e6, -30e6, -40e6};
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"-0.1 10\n-0.2 20\n-0.3 30\n-0.4 40\n",
         "stress 33 at true strain -0.4 is 40 MPa in the file, -40 MPa in the model"},
        {"0.1 -10\n0.2 -20\n0.3 -30\n0.4 -40\n",
         "is 40 MPa in the file, turned with its strains, -40 MPa in the model"},
    };
    static const char *const good[] = {"0.1 10\n0.2 20\n0.3 30\n0.4 40\n",
                                       "-0.1 -10\n-0.2 -20\n-0.3 -30\n-0.4 40\n",
                                       "0.1 1\n0.2 -1\n0.3 -1\n0.4 1\n"};
    sw_loading g = along_3(-1e-3, 1000);
    sw_fit_curve c = curve_of(&g, 1);
    sw_fit_test test;
    for (int k = 0; k < 2; k++) {
        CHECK_OK(open(bad[k].text, &c, &test));
        assert_int_equal(sw_fit_test_signs(&test, model), SW_ERR_INPUT);
        assert_message_has(bad[k].message);
        sw_fit_test_close(&test);
    }
    for (int k = 0; k < 3; k++) {
        CHECK_OK(open(good[k], &c, &test));
        CHECK_OK(sw_fit_test_signs(&test, model));
        sw_fit_test_close(&test);
    }
}

/* There and back: points in their order, and steps to the turn itself. */
static void points_follow_a_loading(void **state)
{
    (void)state;
    sw_loading g[2] = {along_3(1e-3, 100), along_3(-2e-3, 100)};
    const sw_fit_curve c = curve_of(g, 2);
    sw_fit_test test;
    CHECK_OK(open("0.02 1\n0.09 2\n0.08 -1\n0.02 -2\n-0.05 -3\n", &c, &test));
    const double time[5] = {20, 90, 110, 140, 175};
    int turn = -1;
    for (int i = 0; i < 5; i++)
        CHECK_CLOSE(test.time[i], time[i], 1e-9);
    for (int k = 0; k < test.steps; k++) {
        assert_int_equal(test.entry[k], test.end[k] > 100 + 1e-9);
        turn = fabs(test.end[k] - 100) < 1e-9 ? k : turn;
    }
    assert_true(turn > 0);
    CHECK_CLOSE(test.strain[turn], 0.1, 1e-12);
    CHECK_CLOSE(test.strain[test.steps - 1], -0.05, 1e-12);
    sw_fit_test_close(&test);
    assert_int_equal(open("0.02 1\n0.08 -1\n0.12 1\n", &c, &test), SW_ERR_INPUT);
    assert_message_has("true strain = 0.12: the loading does not come there");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(bad_texts_are_refused),
        cmocka_unit_test(points_are_true_and_signed),
        cmocka_unit_test(names_say_what_keys_do),
        cmocka_unit_test(other_units_are_suspected),
        cmocka_unit_test(units_of_strain_are_suspected),
        cmocka_unit_test(steps_end_at_points),
        cmocka_unit_test(a_beginning_at_rest_is_left_out),
        cmocka_unit_test(other_signs_are_refused),
        cmocka_unit_test(points_follow_a_loading),
    };
    return cmocka_run_group_tests(tests, make_job_folder, NULL);
}
