/* What a host program gives the precipitation library is refused, and what fails is named. Dimension: N points. */
#include "tests/online/kwn/points/alloys.h"

/* SW_ERR_RANGE, and a message with all of these, up to NULL. */
static void check_refused(sw_status status, const char *const words[3])
{
    if (status != SW_ERR_RANGE)
        fail_msg("status %d (%s): need SW_ERR_RANGE with \"%s\"", (int)status, sw_error_message(), words[0]);
    for (int i = 0; i < 3 && words[i] != NULL; i++)
        if (strstr(sw_error_message(), words[i]) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", sw_error_message(), words[i]);
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = two_phases();
    const double negative[2] = {-0.001, 0.01}, unknown[2] = {0.007, NAN}, rich[2] = {0.48, 0.01},
                 too_rich[2] = {0.01, 0.6};
    enum option {
        NONE,
        KIND,
        CLASSES,
        SMALLEST,
        LARGEST,
        LOGARITHMIC,
        TOLERANCE,
        COURANT,
        FIXED_STEP,
        CHANGE,
        STRATEGY,
        PRECISION,
        GPU_PRECISION
    };
    const struct {
        enum option option;
        double value;
        int64_t points;
        double temperature;
        const double *composition;
        const char *words[3];
    } cases[] = {
        {NONE, 0, 0, 300, NULL, {"points = 0", "at least 1"}},
        {NONE, 0, -3, 300, NULL, {"points = -3", "at least 1"}},
        {NONE, 0, 1, 0, NULL, {"temperature = 0", "1 to 5000"}},
        {NONE, 0, 1, -10, NULL, {"temperature = -10", "1 to 5000"}},
        {NONE, 0, 1, 1e4, NULL, {"temperature = 10000", "1 to 5000"}},
        {NONE, 0, 1, NAN, NULL, {"temperature = ", "nan", "1 to 5000"}},
        {NONE, 0, 1, 300, negative, {"point 0", "Mg = -0.001", "0 to 0.5"}},
        {NONE, 0, 1, 300, unknown, {"point 0", "Si = nan", "0 to 0.5"}},
        {NONE, 0, 1, 300, too_rich, {"point 0", "Si = 0.6", "0 to 0.5"}},
        {NONE, 0, 1, 300, rich, {"Mg = 0.48", "M2S", "0.455696"}}, /* 0.9 of 2 / 3.95 */
        {KIND, 3, 1, 300, NULL, {"kind of the size axis = 3", "0 to 2"}},
        {KIND, -1, 1, 300, NULL, {"kind of the size axis = -1", "0 to 2"}},
        {TOLERANCE, -1e308, 1, 300, NULL, {"tolerance = -1e+308", "1e-06 to 0.1"}},
        {LARGEST, 1e308, 1, 300, NULL, {"largest = 1e+308", "1e-12 to 1e-2"}},
        {FIXED_STEP, 1e308, 1, 300, NULL, {"fixed_step = 1e+308", "0 to"}},
        {NONE, 0, 1, -1e308, NULL, {"temperature = -1e+308", "1 to 5000"}},
        {CLASSES, 7, 1, 300, NULL, {"classes = 7", "8"}},
        {CLASSES, 262145, 1, 300, NULL, {"classes = 262145", "262144"}},
        {SMALLEST, 1e-10, 1, 300, NULL, {"smallest = 1e-10", "need 0"}},
        {SMALLEST, -1e-10, 1, 300, NULL, {"smallest = -1e-10", "0"}},
        {LARGEST, 0, 1, 300, NULL, {"largest = 0", "1e-12"}},
        {LARGEST, NAN, 1, 300, NULL, {"largest = ", "nan"}},
        {LOGARITHMIC, 0, 1, 300, NULL, {"smallest = 0", "1e-12"}},
        {TOLERANCE, 1, 1, 300, NULL, {"tolerance = 1", "1e-06 to 0.1"}},
        {TOLERANCE, 0, 1, 300, NULL, {"tolerance = 0", "1e-06 to 0.1"}},
        {TOLERANCE, NAN, 1, 300, NULL, {"tolerance = ", "nan", "1e-06 to 0.1"}},
        {COURANT, -1, 1, 300, NULL, {"courant = -1", "0 to"}},
        {FIXED_STEP, -1, 1, 300, NULL, {"fixed_step = -1", "0 to"}},
        {CHANGE, 0, 1, 300, NULL, {"largest_temperature_change = 0", "0.001 to"}},
        {STRATEGY, 99, 1, 300, NULL, {"strategy = 99", "0 to 7"}},
        {STRATEGY, -1, 1, 300, NULL, {"strategy = -1", "0 to 7"}},
        {PRECISION, SW_KWN_SINGLE, 1, 300, NULL, {"precision", "'cpu'", "double"}},
        {PRECISION, SW_KWN_MIXED, 1, 300, NULL, {"precision", "'cpu'", "double"}},
        {GPU_PRECISION, 7, 1, 300, NULL, {"precision = 7", "0 to 2"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double v = cases[k].value;
        sw_kwn_options o = sw_kwn_defaults();
        sw_kwn *kwn = (sw_kwn *)&o;
        switch (cases[k].option) {
        case NONE:
            break;
        case KIND:
            o.axis.kind = (sw_kwn_axis_kind)v;
            break;
        case CLASSES:
            o.axis.classes = (int64_t)v;
            break;
        case SMALLEST:
            o.axis.smallest = v;
            break;
        case LARGEST:
            o.axis.largest = v;
            break;
        case LOGARITHMIC:
            o.axis.kind = SW_AXIS_LOGARITHMIC;
            o.axis.smallest = v;
            break;
        case TOLERANCE:
            o.control.tolerance = v;
            break;
        case COURANT:
            o.control.courant = v;
            break;
        case FIXED_STEP:
            o.control.fixed_step = v;
            break;
        case CHANGE:
            o.control.largest_change = v;
            break;
        case STRATEGY:
            o.strategy = (sw_kwn_strategy)v;
            break;
        case GPU_PRECISION:
            o.strategy = SW_KWN_FUSED; /* fall through */
        case PRECISION:
            o.precision = (sw_kwn_precision)v;
            break;
        }
        check_refused(
            sw_kwn_open(&alloy, &o, cases[k].points, cases[k].composition, cases[k].temperature, &kwn),
            cases[k].words);
        assert_null(kwn);
    }
    sw_kwn_close(NULL);
    /* the second of two points is named */
    const sw_kwn_options good = sw_kwn_defaults();
    const double two[2][2] = {{0.007, 0.01}, {0.007, 0.7}};
    sw_kwn *kwn;
    check_refused(sw_kwn_open(&alloy, &good, 2, two[0], 300, &kwn), (const char *const[3]){"point 1", "Si"});
}

static void wrong_histories_are_refused(void **state)
{
    (void)state;
    enum { N = 2 };
    const sw_kwn_alloy alloy = aa6082();
    sw_kwn *kwn = open_points(&alloy, N, NULL, 300);
    const double first[2] = {0, 100}, second[2] = {100, 200};
    const float cool[2] = {300, 300};
    CHECK_OK(sw_kwn_advance(kwn, 2, first, cool, 0));
    const struct {
        int64_t n;
        double time[3];
        float temperature[6];
        int per_point;
        const char *words[3];
    } cases[] = {
        {1, {0}, {300}, 0, {"knots = 1", "at least 2"}},
        {0, {0}, {300}, 0, {"knots = 0", "at least 2"}},
        {-1, {0}, {300}, 0, {"knots = -1", "at least 2"}},
        {2, {101, 200}, {300, 300}, 0, {"knot 0", "101", "100 s"}},
        {2, {NAN, 200}, {300, 300}, 0, {"knot 0", "nan", "100 s"}},
        {3, {0, 300, 200}, {300, 300, 300}, 0, {"knot 2", "200", "not descend"}},
        {3, {0, NAN, 200}, {300, 300, 300}, 0, {"knot 1", "nan", "not descend"}},
        {2, {0, HUGE_VAL}, {300, 300}, 0, {"knot 1", "inf"}},
        {2, {-HUGE_VAL, 200}, {300, 300}, 0, {"knot 0", "inf"}},
        {2, {0, 200}, {300, 0}, 0, {"knot 1", "temperature = 0", "1 to"}},
        {2, {0, 200}, {NAN, 300}, 0, {"knot 0", "nan", "5000 K"}},
        {2, {0, 200}, {300, HUGE_VALF}, 0, {"knot 1", "inf", "5000 K"}},
        {2, {0, 200}, {300, 300, 300, -5}, 1, {"knot 1", "point 1", "temperature = -5"}},
    };
    sw_kwn_point before, after;
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &before));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        check_refused(
            sw_kwn_advance(kwn, cases[k].n, cases[k].time, cases[k].temperature, cases[k].per_point),
            cases[k].words);
        CHECK_OK(sw_kwn_read(kwn, 0, 1, &after)); /* no harm done */
        assert_memory_equal(&before, &after, sizeof before);
    }
    CHECK_OK(sw_kwn_advance(kwn, 2, second, cool, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &after));
    CHECK_CLOSE(after.time, 200, 0);
    sw_kwn_close(kwn);
}

static void wrong_distributions_are_refused(void **state)
{
    (void)state;
    enum { CLASSES = 448 };
    const sw_kwn_alloy alloy = two_phases();
    sw_kwn *kwn = open_points(&alloy, 2, NULL, 300);
    static double number[CLASSES], back[CLASSES];
    sw_kwn_point before, after;
    CHECK_OK(sw_kwn_read(kwn, 1, 1, &before));
    const struct {
        int64_t point;
        int phase;
        double scale, first, last; /* number[0], number[B - 1] */
        const char *words[3];
    } cases[] = {
        {1, 0, 1e-8, -1, 0, {"number[0] = -1", "0 to 1e36"}},
        {1, 0, 1e-8, 0, NAN, {"number[447] = ", "nan", "0 to 1e36"}},
        {1, 0, 1e-8, 0, 1e37, {"number[447] = 1e+37", "0 to 1e36"}},
        {1, 0, 0, 0, 1, {"scale = 0", "1e-15 to 1 m"}},
        {1, 0, NAN, 0, 1, {"scale = ", "nan", "1e-15 to 1 m"}},
        {1, 0, HUGE_VAL, 0, 1, {"scale = inf"}},
        {1, 0, -1e308, 0, 1, {"scale = -1e+308", "1e-15 to 1 m"}},
        {1, 0, 1e308, 0, 0, {"scale = 1e+308", "1e-15 to 1 m"}}, /* whose cube times no particles is NaN */
        {1, 0, 1e-308, 0, 0, {"scale = 1e-308", "1e-15 to 1 m"}},
        /* 1.38 % of M2S hold all the Mg; 4 pi / 3 (0.9976e-8)^3 4e21 = 1.67 % */
        {1, 0, 1e-8, 0, 4e21, {"point 1", "M2S of 0.0166", "solute"}},
        {1, 0, 1e-8, 0, 1e30, {"point 1", "M2S", "solute"}},
        {2, 0, 1e-8, 0, 1, {"points 2 to 2", "0 to 1"}},
        {-1, 0, 1e-8, 0, 1, {"points -1", "0 to 1"}},
        {1, 2, 1e-8, 0, 1, {"phase 2", "0 to 1"}},
        {1, -1, 1e-8, 0, 1, {"phase -1", "0 to 1"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        number[0] = cases[k].first;
        number[CLASSES - 1] = cases[k].last;
        check_refused(sw_kwn_set_distribution(kwn, cases[k].point, cases[k].phase, cases[k].scale, number),
                      cases[k].words);
        CHECK_OK(sw_kwn_read(kwn, 1, 1, &after)); /* no harm done */
        assert_memory_equal(&before, &after, sizeof before);
        CHECK_OK(sw_kwn_read_distribution(kwn, 1, 1, 0, back));
        for (int i = 0; i < CLASSES; i++)
            CHECK_CLOSE(back[i], 0, 0);
    }
    /* a little less is taken: 1.25 % */
    number[0] = 0;
    number[CLASSES - 1] = 3e21;
    CHECK_OK(sw_kwn_set_distribution(kwn, 1, 0, 1e-8, number));
    sw_kwn_close(kwn);
}

static void wrong_ranges_are_refused(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = aa6082();
    sw_kwn *kwn = open_points(&alloy, 3, NULL, 300);
    sw_kwn_point point[3];
    static double number[3 * 448];
    const int64_t range[][2] = {{-1, 1}, {0, 4}, {3, 1}, {1, 3}, {0, -1}, {4, 0}, {1, INT64_MAX}};
    for (size_t k = 0; k < sizeof range / sizeof *range; k++) {
        check_refused(sw_kwn_read(kwn, range[k][0], range[k][1], point),
                      (const char *const[3]){"points", "need 0 to 2"});
        check_refused(sw_kwn_read_distribution(kwn, range[k][0], range[k][1], 0, number),
                      (const char *const[3]){"points", "need 0 to 2"});
    }
    check_refused(sw_kwn_read_distribution(kwn, 0, 1, 1, number),
                  (const char *const[3]){"phase 1", "0 to 0"});
    check_refused(sw_kwn_read_distribution(kwn, 0, 1, -1, number), (const char *const[3]){"phase -1"});
    CHECK_OK(sw_kwn_read_distribution(kwn, 0, 3, 0, number));
    sw_kwn_close(kwn);
}

static void strategies_have_names(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = aa6082();
    for (int s = 0; s < SW_KWN_STRATEGIES; s++) {
        const char *name = sw_kwn_strategy_names[s];
        assert_true(strlen(name) > 0);
        assert_int_equal(sw_kwn_on_gpu((sw_kwn_strategy)s), s != SW_KWN_CPU);
        for (int other = 0; other < s; other++)
            assert_string_not_equal(name, sw_kwn_strategy_names[other]);
        sw_kwn_options options = sw_kwn_defaults();
        sw_kwn *kwn;
        options.strategy = (sw_kwn_strategy)s;
        options.flux = SW_KWN_SECOND_ORDER;
        const sw_status status = sw_kwn_open(&alloy, &options, 1, NULL, 300, &kwn);
        if (s == SW_KWN_CPU)
            assert_int_equal(status, SW_OK);
        if (status != SW_OK) { /* no GPU, or no code for one */
            assert_int_equal(status, SW_ERR_UNAVAILABLE);
            assert_non_null(strstr(sw_error_message(), name));
            assert_true(SW_HAS_PAPERS || s <= SW_KWN_FUSED || strstr(sw_error_message(), SW_NO_PAPERS));
            assert_null(kwn);
        }
        sw_kwn_close(kwn);
    }
}

/* An explicit step of a day grows more than there is solute. Whoever asks is told. */
static void a_point_that_cannot_go_on_is_named(void **state)
{
    (void)state;
    enum { N = 3 };
    const sw_kwn_alloy alloy = aa6082();
    const double time[2] = {0, 864000};
    const float temperature[2][N] = {{293, 458, 293}, {293, 458, 293}};
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_point point[N];
    sw_kwn *kwn;
    options.control.fixed_step = 86400;
    options.control.explicit_coupling = 1;
    CHECK_OK(sw_kwn_open(&alloy, &options, N, NULL, 293, &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 2, time, temperature[0], 1)); /* what fails later, wait tells */
    for (int again = 0; again < 2; again++) {
        assert_int_equal(sw_kwn_wait(kwn), SW_ERR_CONVERGENCE);
        assert_non_null(strstr(sw_error_message(), "point 1"));
        assert_non_null(strstr(sw_error_message(), "no step was small enough at "));
    }
    assert_int_equal(sw_kwn_read(kwn, 0, N, point), SW_ERR_CONVERGENCE);
    sw_kwn_close(kwn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_histories_are_refused),
        cmocka_unit_test(wrong_distributions_are_refused),
        cmocka_unit_test(wrong_ranges_are_refused),
        cmocka_unit_test(strategies_have_names),
        cmocka_unit_test(a_point_that_cannot_go_on_is_named),
    };
    return cmocka_run_group_tests_name("precipitation refusals", tests, NULL, NULL);
}
