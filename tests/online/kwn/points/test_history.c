/* The precipitation library as a host program sees it: any thermal history, any number of points.
 * Dimensions: N points, B classes, S solutes. */
#include "tests/online/kwn/points/alloys.h"

#include <signal.h>
#include <unistd.h>

#include "common/system/progress.h"

static const double sphere = 4 * 3.14159265358979323846 / 3;

static sw_kwn_alloy al_sc(void) { return alloy_file("al-sc.yaml"); }

/* ---- Sane: finite, not negative, possible ---- */

static void check_number(const char *what, double value, double least, double most)
{
    if (!(value >= least && value <= most))
        fail_msg("%s = %g: need %g to %g", what, value, least, most);
}

/* growth and slopes have a sign. A solute that the phases do not take is crowded into what they leave. */
static void check_point(const sw_kwn_alloy *alloy, const sw_kwn_point *point, double time, double temperature)
{
    CHECK_CLOSE(point->time, time, 0);
    CHECK_CLOSE(point->temperature, temperature, 1e-4); /* a float of up to 1e3 K */
    check_number("step", point->step, 0, HUGE_VAL);
    assert_true(point->step > 0);
    assert_int_equal(point->failed, 0);
    double left = 1;
    for (int p = 0; p < alloy->n_phases; p++)
        left -= point->phase[p].fraction;
    for (int i = 0; i < alloy->n_solutes; i++) {
        check_number("matrix", point->matrix[i], 0, point->total[i] / left * (1 + 1e-12));
        assert_true(isfinite(point->matrix_slope[i]));
    }
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *phase = &point->phase[p];
        check_number("scale", phase->scale, 1e-12, 1);
        check_number("number", phase->number, 0, 1e30);
        check_number("radius_sum", phase->radius_sum, 0, 1e22);
        check_number("fraction", phase->fraction, 0, 1);
        check_number("obstacle_sum", phase->obstacle_sum, 0, phase->number * (1 + 1e-12));
        check_number("nucleated", phase->nucleated, 0, 1e32);
        check_number("incubation", phase->incubation, 0, HUGE_VAL);
        check_number("rate", phase->rate, 0, 1e40);
        check_number("critical", phase->critical, 0, HUGE_VAL);
        assert_true(isfinite(phase->dissolved) && isfinite(phase->growth));
        assert_true(isfinite(phase->fraction_slope));
        /* a mean radius within the axis */
        check_number("mean radius", phase->radius_sum, 0, phase->number * phase->scale * (1 + 1e-12));
    }
}

static void check_distributions(sw_kwn *kwn, const sw_kwn_alloy *alloy, const sw_kwn_point *point,
                                int64_t index)
{
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    double *number, left = 1, in_phase[SW_KWN_SOLUTES] = {0};
    CHECK_OK(SW_ALLOCATE(number, axis->n, "a histogram"));
    for (int p = 0; p < alloy->n_phases; p++) {
        double volume = 0;
        CHECK_OK(sw_kwn_read_distribution(kwn, index, 1, p, number));
        for (int32_t i = 0; i < axis->n; i++) {
            check_number("a class", number[i], 0, 1e36);
            volume += number[i] * sphere * pow(axis->pivot[i] * point->phase[p].scale, 3);
        }
        left -= volume;
        for (int i = 0; i < alloy->n_solutes; i++)
            in_phase[i] += volume * alloy->phase[p].concentration[i];
    }
    for (int i = 0; i < alloy->n_solutes; i++)
        CHECK_CLOSE(left * point->matrix[i] + in_phase[i], point->total[i], 1e-12 * point->total[i]);
    free(number);
}

/* ---- Histories ---- */

typedef struct {
    double time, temperature;
} knot;

enum { KNOTS = 8 };

typedef struct {
    const char *name;
    sw_kwn_alloy (*alloy)(void);
    const double *composition; /* [S]; NULL: the alloy's */
    sw_kwn_axis_options axis;  /* classes 0: the default one */
    double tolerance, courant, fixed_step;
    int first_order, explicit_coupling;
    int64_t steps;      /* at most */
    double least, most; /* fraction of all phases at the end */
    knot knots[KNOTS];  /* until one of temperature 0 */
} history;

/* -1: as the default. Steps: a decade of time takes some 100 to 300 of them at the tolerance 1e-3, one class
 * two at a courant number of 0.5, 5 K one; with jumps 1e4 is ample, and 20 times less than what a step that
 * does not grow again would need. */
static const double no_silicon[2] = {0.007, 0}, no_magnesium[2] = {0, 0.0096}, none[2] = {0, 0},
                    saturated[2] = {0.002, 0.0096};

#define DEFAULTS .tolerance = -1, .courant = -1

static const history histories[] = {
    {"ageing", aa6082, DEFAULTS, .steps = 10000, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {36000, 458.15}}},
    {"reversion", aa6082, DEFAULTS, .steps = 10000, .least = 0.01, .most = 0.02,
     .knots =
         {{0, 443.15}, {36000, 443.15}, {36000, 523.15}, {36030, 523.15}, {36030, 443.15}, {136000, 443.15}}},
    {"dissolution", aa6082, DEFAULTS, .steps = 10000, .least = 0, .most = 0,
     .knots = {{0, 458.15}, {36000, 458.15}, {36060, 833.15}, {40000, 833.15}}},
    {"dissolution and ageing again", al_sc, DEFAULTS, .steps = 20000, .least = 0.005, .most = 0.01,
     .knots = {{0, 623.15}, {1e5, 623.15}, {1e5, 1000}, {2e5, 1000}, {2e5, 623.15}, {3e5, 623.15}}},
    {"above the solvus from the start", aa6082, DEFAULTS, .steps = 10000, .least = 0, .most = 0,
     .knots = {{0, 833.15}, {1e5, 833.15}}},
    {"quench at 1e4 K/s and ageing", aa6082, DEFAULTS, .steps = 10000, .least = 0.01, .most = 0.02,
     .knots =
         {{0, 813.15}, {600, 813.15}, {600.052, 293.15}, {1e5, 293.15}, {1e5, 458.15}, {1.36e5, 458.15}}},
    {"jumps of temperature", aa6082, DEFAULTS, .steps = 10000, .least = 0.005, .most = 0.02,
     .knots = {{0, 300}, {0, 523.15}, {100, 523.15}, {100, 300}, {200, 300}, {200, 523.15}, {400, 523.15}}},
    {"hold of 1e9 s", aa6082, DEFAULTS, .steps = 20000, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {1e9, 458.15}}},
    {"hold of 1e9 s at 20 C", aa6082, DEFAULTS, .steps = 20000, .least = 0, .most = 0.02,
     .knots = {{0, 293.15}, {1e9, 293.15}}},
    {"no solute", product_solvus, none, DEFAULTS, .steps = 10000, .least = 0, .most = 0,
     .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"no silicon, which the only phase needs", product_solvus, no_silicon, DEFAULTS, .steps = 10000,
     .least = 0, .most = 0, .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"no magnesium, which limits growth", product_solvus, no_magnesium, DEFAULTS, .steps = 10000, .least = 0,
     .most = 0, .knots = {{0, 458.15}, {1e6, 458.15}, {1e6, 800}, {1e6 + 100, 800}}},
    {"no silicon, one phase of two", two_phases, no_silicon, DEFAULTS, .steps = 20000, .least = 1e-3,
     .most = 0.02, .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"no supersaturation of one phase", two_phases, saturated, DEFAULTS, .steps = 20000, .least = 1e-4,
     .most = 0.02, .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"product solvus", product_solvus, DEFAULTS, .steps = 20000, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"two phases for one solute", two_phases, DEFAULTS, .steps = 20000, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {1e6, 458.15}}},
    {"two phases, heated and cooled", two_phases, DEFAULTS, .steps = 30000, .least = 0.005, .most = 0.02,
     .knots = {{0, 458.15}, {1e5, 458.15}, {1.01e5, 700}, {1.02e5, 700}, {1.03e5, 420}, {1e6, 420}}},
    {"8 classes", aa6082, .axis = {SW_AXIS_ADAPTIVE, 8, 0, 10e-9}, DEFAULTS, .steps = 10000, .least = 0.01,
     .most = 0.02,
     .knots = {{0, 458.15}, {1e6, 458.15}, {1e6, 800}, {1.001e6, 800}, {1.001e6, 458.15}, {1.1e6, 458.15}}},
    {"4096 classes", aa6082, .axis = {SW_AXIS_ADAPTIVE, 4096, 0, 100e-9}, DEFAULTS, .steps = 20000,
     .least = 0.01, .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}}},
    {"a very fine axis", aa6082, .axis = {SW_AXIS_ADAPTIVE, 256, 0, 1e-11}, DEFAULTS, .steps = 20000,
     .least = 0.01, .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}}},
    {"a very coarse axis", aa6082, .axis = {SW_AXIS_ADAPTIVE, 256, 0, 1e-3}, DEFAULTS, .steps = 10000,
     .least = 0, .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}}},
    {"a uniform axis too short for what grows", aa6082, .axis = {SW_AXIS_UNIFORM, 100, 0, 4e-9}, DEFAULTS,
     .steps = 10000, .least = 0, .most = 0.02,
     .knots = {{0, 458.15}, {1e6, 458.15}, {1e6, 800}, {1.001e6, 800}}},
    {"a uniform axis from 1 nm, above r*", aa6082, .axis = {SW_AXIS_UNIFORM, 200, 1e-9, 41e-9}, DEFAULTS,
     .steps = 10000, .least = 0, .most = 0.02, .knots = {{0, 458.15}, {1e5, 458.15}}},
    {"logarithmic", aa6082, .axis = {SW_AXIS_LOGARITHMIC, 256, 1e-10, 1e-6}, DEFAULTS, .steps = 20000,
     .least = 0.01, .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}, {36000, 550}, {40000, 550}}},
    {"first order", aa6082, DEFAULTS, .first_order = 1, .steps = 10000, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {36000, 458.15}}},
    {"tolerance of 0.1, any courant number", aa6082, .tolerance = 0.1, .courant = 0, .steps = 2000,
     .least = 0.005, .most = 0.02,
     .knots = {{0, 458.15}, {36000, 458.15}, {36000, 800}, {37000, 800}, {37000, 458.15}, {1e5, 458.15}}},
    {"tolerance of 1e-6", aa6082, .tolerance = 1e-6, .courant = -1, .steps = 100000, .least = 0.01,
     .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}}},
    {"explicit coupling, chosen steps", aa6082, DEFAULTS, .explicit_coupling = 1, .steps = 20000, .least = 0,
     .most = 0, .knots = {{0, 458.15}, {36000, 458.15}, {36000, 800}, {36100, 800}}},
    {"explicit coupling, fixed steps", aa6082, .tolerance = -1, .courant = 0, .fixed_step = 10,
     .explicit_coupling = 1, .steps = 3600, .least = 0.01, .most = 0.02,
     .knots = {{0, 458.15}, {36000, 458.15}}},
    {"implicit coupling, fixed steps", aa6082, .tolerance = -1, .courant = 0, .fixed_step = 100, .steps = 360,
     .least = 0.01, .most = 0.02, .knots = {{0, 458.15}, {36000, 458.15}}},
};

/* What would never end is interrupted. */
static void stop(int signal_number)
{
    (void)signal_number;
    raise(SIGTERM);
}

static void any_history_ends_well(void **state)
{
    (void)state;
    sw_interrupt_install();
    signal(SIGALRM, stop);
    alarm(20);
    for (size_t k = 0; k < sizeof histories / sizeof *histories; k++) {
        const history *h = &histories[k];
        const sw_kwn_alloy alloy = h->alloy();
        sw_kwn_options options = sw_kwn_defaults();
        double time[KNOTS];
        float temperature[KNOTS];
        int n = 0;
        while (n < KNOTS && h->knots[n].temperature > 0) {
            time[n] = h->knots[n].time;
            temperature[n] = (float)h->knots[n].temperature;
            n++;
        }
        if (h->axis.classes > 0)
            options.axis = h->axis;
        if (h->tolerance >= 0)
            options.control.tolerance = h->tolerance;
        if (h->courant >= 0)
            options.control.courant = h->courant;
        options.control.fixed_step = h->fixed_step;
        options.control.explicit_coupling = h->explicit_coupling;
        options.flux = h->first_order ? SW_KWN_FIRST_ORDER : SW_KWN_THIRD_ORDER;
        sw_kwn *kwn;
        CHECK_OK(sw_kwn_open(&alloy, &options, 1, h->composition, temperature[0], &kwn));
        /* knot by knot, to look at the state at each */
        sw_kwn_point point;
        for (int i = 0; i + 1 < n; i++) {
            const sw_status status = sw_kwn_advance(kwn, 2, time + i, temperature + i, 0);
            if (status != SW_OK || sw_kwn_read(kwn, 0, 1, &point) != SW_OK)
                fail_msg("%s: %s", h->name, sw_error_message());
            const double now = time[i + 1] > time[i] ? temperature[i + 1] : point.temperature;
            check_point(&alloy, &point, time[i + 1], now);
            check_distributions(kwn, &alloy, &point, 0);
        }
        double fraction = 0;
        for (int p = 0; p < alloy.n_phases; p++)
            fraction += point.phase[p].fraction;
        print_message("%-40s f %.3e, N %.3e, %6d steps, %6d iterations\n", h->name, fraction,
                      point.phase[0].number, (int)point.steps, (int)point.iterations);
        if (!(point.steps <= h->steps && point.iterations <= 12 * h->steps))
            fail_msg("%s: %d steps, %d iterations: need at most %d steps", h->name, (int)point.steps,
                     (int)point.iterations, (int)h->steps);
        if (!(fraction >= h->least && fraction <= h->most))
            fail_msg("%s: a fraction of %g: need %g to %g", h->name, fraction, h->least, h->most);
        if (h->fixed_step > 0)
            assert_int_equal(point.steps, h->steps);
        /* the same in one call */
        sw_kwn *whole;
        CHECK_OK(sw_kwn_open(&alloy, &options, 1, h->composition, temperature[0], &whole));
        CHECK_OK(sw_kwn_advance(whole, n, time, temperature, 0));
        sw_kwn_point end;
        CHECK_OK(sw_kwn_read(whole, 0, 1, &end));
        check_point(&alloy, &end, time[n - 1], temperature[n - 1]);
        /* a call changes neither state nor step: what follows is the same, bit for bit */
        end.knot = point.knot;
        assert_memory_equal(&end, &point, sizeof end);
        sw_kwn_close(kwn);
        sw_kwn_close(whole);
    }
    alarm(0);
}

/* ---- Points do not know of each other; how a history is said does not matter ---- */

static void points_do_not_depend_on_their_neighbours(void **state)
{
    (void)state;
    enum { N = 7, TIMES = 4, CLASSES = 448 };
    const sw_kwn_alloy alloy = two_phases();
    const double time[TIMES] = {0, 2e4, 2.01e4, 5e4};
    static double composition[N][2], together[CLASSES], alone[CLASSES];
    float temperature[TIMES][N];
    sw_kwn_point point[N], single;
    for (int n = 0; n < N; n++) {
        composition[n][0] = 0.004 + 0.001 * n;
        composition[n][1] = 0.002 * n;
        for (int k = 0; k < TIMES; k++)
            temperature[k][n] = (float)(k == 2 ? 480 + 50 * n : 440 + 10 * n);
    }
    sw_kwn *all = open_points(&alloy, N, composition[0], 450);
    CHECK_OK(sw_kwn_advance(all, TIMES, time, temperature[0], 1));
    CHECK_OK(sw_kwn_read(all, 0, N, point));
    for (int n = 0; n < N; n++) {
        float own[TIMES];
        for (int k = 0; k < TIMES; k++)
            own[k] = temperature[k][n];
        sw_kwn *one = open_points(&alloy, 1, composition[n], 450);
        CHECK_OK(sw_kwn_advance(one, TIMES, time, own, n % 2)); /* [TIMES][1], either way */
        CHECK_OK(sw_kwn_read(one, 0, 1, &single));
        assert_memory_equal(&single, &point[n], sizeof single);
        for (int p = 0; p < alloy.n_phases; p++) {
            CHECK_OK(sw_kwn_read_distribution(all, n, 1, p, together));
            CHECK_OK(sw_kwn_read_distribution(one, 0, 1, p, alone));
            assert_memory_equal(together, alone, sizeof alone);
        }
        check_point(&alloy, &single, time[TIMES - 1], own[TIMES - 1]);
        sw_kwn_close(one);
    }
    /* they are not all the same */
    assert_true(point[1].phase[0].number != point[2].phase[0].number);
    sw_kwn_close(all);
}

static void end_of(const sw_kwn_alloy *alloy, int n, const double *time, const float *temperature, int calls,
                   sw_kwn_point *point)
{
    sw_kwn *kwn = open_points(alloy, 1, NULL, temperature[0]);
    const int each = (n - 1) / calls;
    for (int k = 0; k < calls; k++)
        CHECK_OK(sw_kwn_advance(kwn, (k == calls - 1 ? n - 1 - k * each : each) + 1, time + k * each,
                                temperature + k * each, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, point));
    sw_kwn_close(kwn);
}

static void check_alike(const sw_kwn_point *a, const sw_kwn_point *b, double tolerance)
{
    const sw_kwn_population *p = &a->phase[0], *q = &b->phase[0];
    CHECK_CLOSE(a->time, b->time, 0);
    CHECK_CLOSE(p->number, q->number, tolerance * q->number);
    CHECK_CLOSE(p->fraction, q->fraction, tolerance * q->fraction);
    CHECK_CLOSE(p->radius_sum / p->number, q->radius_sum / q->number, tolerance * q->radius_sum / q->number);
    CHECK_CLOSE(a->matrix[0], b->matrix[0], tolerance * b->total[0]);
}

/* The same ramp and hold with other knots: they stop steps, and steps differ by the tolerance of 1e-3 each.
 * Number, fraction and matrix change by their own size in some ten of them: 1 %. */
static void knots_and_calls_do_not_matter(void **state)
{
    (void)state;
    enum { MANY = 5001 };
    const sw_kwn_alloy alloy = aa6082();
    static double time[MANY];
    static float temperature[MANY];
    const double corner[3] = {0, 2000, 20000};
    const float at[3] = {300, 460, 460};
    sw_kwn_point few, many, again;
    end_of(&alloy, 3, corner, at, 1, &few);
    for (int k = 0; k < MANY; k++) {
        time[k] = 20000.0 * k / (MANY - 1);
        temperature[k] = (float)(time[k] < 2000 ? 300 + 160 * time[k] / 2000 : 460);
    }
    end_of(&alloy, MANY, time, temperature, 1, &many);
    check_alike(&many, &few, 1e-2);
    assert_true(many.steps >= MANY - 1);
    for (int calls = 7; calls <= 700; calls *= 10) {
        end_of(&alloy, MANY, time, temperature, calls, &again);
        again.knot = many.knot;
        assert_memory_equal(&again, &many, sizeof many); /* the same knots: the same steps */
    }
    for (int parts = 2; parts <= 50; parts *= 5) { /* stops that were no knots */
        for (int k = 0; k <= parts; k++) {
            time[k] = 20000.0 * k / parts;
            temperature[k] = (float)(time[k] < 2000 ? 300 + 160 * time[k] / 2000 : 460);
        }
        double extra[64];
        float warm[64];
        int n = 0;
        for (int k = 0; k <= parts; k++) {
            if (k > 0 && time[k - 1] < 2000 && time[k] > 2000) {
                extra[n] = 2000;
                warm[n++] = 460;
            }
            extra[n] = time[k];
            warm[n++] = temperature[k];
        }
        end_of(&alloy, n, extra, warm, n - 1, &again);
        check_alike(&again, &few, 1e-2);
    }
}

/* The call returns before its work is done and owns what it needs. A history may begin before the present:
 * what has passed of it is skipped. */
static void histories_are_copied_and_may_overlap(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = aa6082();
    double time[3] = {0, 1000, 40000};
    float temperature[3] = {400, 460, 460};
    sw_kwn_point one, two;
    sw_kwn *a = open_points(&alloy, 1, NULL, 400), *b = open_points(&alloy, 1, NULL, 400);
    CHECK_OK(sw_kwn_advance(a, 3, time, temperature, 0));
    CHECK_OK(sw_kwn_wait(a));
    CHECK_OK(sw_kwn_wait(a));
    CHECK_OK(sw_kwn_advance(b, 3, time, temperature, 0));
    memset(time, 0xff, sizeof time); /* NaN */
    memset(temperature, 0xff, sizeof temperature);
    CHECK_OK(sw_kwn_read(a, 0, 1, &one));
    CHECK_OK(sw_kwn_read(b, 0, 1, &two));
    assert_memory_equal(&one, &two, sizeof one);
    sw_kwn_close(b);

    /* again all of it, and more: nothing happens before 40000 s */
    const double longer[4] = {0, 1000, 40000, 50000};
    const float at[4] = {400, 460, 460, 460};
    b = open_points(&alloy, 1, NULL, 400);
    CHECK_OK(sw_kwn_advance(b, 3, longer, at, 0));
    CHECK_OK(sw_kwn_advance(b, 3, longer, at, 0));
    CHECK_OK(sw_kwn_read(b, 0, 1, &two));
    two.knot = one.knot;
    assert_memory_equal(&one, &two, sizeof one);
    CHECK_OK(sw_kwn_advance(b, 4, longer, at, 0));
    CHECK_OK(sw_kwn_advance(a, 2, longer + 2, at + 2, 0));
    CHECK_OK(sw_kwn_read(a, 0, 1, &one));
    CHECK_OK(sw_kwn_read(b, 0, 1, &two));
    two.knot = one.knot;
    assert_memory_equal(&one, &two, sizeof one);
    sw_kwn_close(b);

    /* from the middle of a ramp: 380 K there, not 300 */
    const double ramp[3] = {0, 2000, 20000}, first[2] = {0, 1000};
    const float heat[3] = {300, 460, 460}, start[2] = {300, 380};
    sw_kwn *c = open_points(&alloy, 1, NULL, 300);
    b = open_points(&alloy, 1, NULL, 300);
    CHECK_OK(sw_kwn_advance(b, 2, first, start, 0));
    CHECK_OK(sw_kwn_advance(b, 3, ramp, heat, 0));
    CHECK_OK(sw_kwn_advance(c, 3, ramp, heat, 0));
    CHECK_OK(sw_kwn_read(b, 0, 1, &one));
    CHECK_OK(sw_kwn_read(c, 0, 1, &two));
    check_alike(&one, &two, 1e-2);
    sw_kwn_close(a);
    sw_kwn_close(b);
    sw_kwn_close(c);
}

/* ---- Setting and reading states ---- */

static void states_can_be_set(void **state)
{
    (void)state;
    enum { N = 3, CLASSES = 448 };
    const sw_kwn_alloy alloy = two_phases();
    static double number[CLASSES], back[N][CLASSES];
    sw_kwn_point point[N];
    sw_kwn *kwn = open_points(&alloy, N, NULL, 458.15);
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    const double scale = 20e-9;
    double sum = 0, radius = 0, surface = 0, volume = 0, area[N][2];
    assert_int_equal(axis->n, CLASSES);
    for (int i = 0; i < CLASSES; i++) {
        const double r = axis->pivot[i] * scale;
        number[i] = 1e19 * exp(-0.5 * pow((r - 5e-9) / 1e-9, 2));
        sum += number[i];
        radius += number[i] * r;
        surface += 3 * sphere * number[i] * r * r;
        volume += number[i] * sphere * r * r * r;
    }
    CHECK_OK(sw_kwn_set_distribution(kwn, 1, 0, scale, number));
    CHECK_OK(sw_kwn_read(kwn, 0, N, point));
    CHECK_OK(sw_kwn_read_distribution(kwn, 0, N, 0, back[0]));
    CHECK_OK(sw_kwn_read_interface_area(kwn, 0, N, area[0]));
    for (int n = 0; n < N; n++) {
        const int set = n == 1;
        const sw_kwn_population *p = &point[n].phase[0];
        for (int i = 0; i < CLASSES; i++)
            CHECK_CLOSE(back[n][i], set ? number[i] : 0, 0);
        CHECK_CLOSE(p->scale, set ? scale : axis->scale, 0);
        CHECK_CLOSE(p->number, set ? sum : 0, 1e-13 * sum);
        CHECK_CLOSE(p->radius_sum, set ? radius : 0, 1e-13 * radius);
        CHECK_CLOSE(p->fraction, set ? volume : 0, 1e-13 * volume);
        CHECK_CLOSE(area[n][0], set ? surface : 0, 1e-13 * surface);
        CHECK_CLOSE(area[n][1], 0, 0);
        for (int i = 0; i < 2; i++)
            CHECK_CLOSE(point[n].matrix[i],
                        set ? (point[n].total[i] - volume * alloy.phase[0].concentration[i]) / (1 - volume)
                            : alloy.solute[i].concentration,
                        1e-15);
        CHECK_CLOSE(point[n].phase[1].number, 0, 0);
    }
    /* reading a part, and none */
    CHECK_OK(sw_kwn_read(kwn, 1, 1, point));
    CHECK_CLOSE(point[0].phase[0].number, sum, 1e-13 * sum);
    CHECK_OK(sw_kwn_read(kwn, 3, 0, point));
    CHECK_OK(sw_kwn_read_interface_area(kwn, 1, 1, area[0]));
    CHECK_CLOSE(area[0][0], surface, 1e-13 * surface);
    assert_int_equal(sw_kwn_read_interface_area(kwn, 0, N + 1, area[0]), SW_ERR_RANGE);

    /* set and gone on: particles that are there are not nucleated */
    const double time[2] = {0, 1000};
    const float at[2] = {458.15F, 458.15F};
    CHECK_OK(sw_kwn_advance(kwn, 2, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, N, point));
    CHECK_OK(sw_kwn_read_distribution(kwn, 1, 1, 0, number));
    const sw_kwn_population *p = &point[1].phase[0];
    double left = 0;
    for (int i = 0; i < CLASSES; i++)
        left += number[i];
    CHECK_CLOSE(left, sum + p->nucleated - p->dissolved, 1e-12 * (sum + p->nucleated));
    check_point(&alloy, &point[1], 1000, 458.15);
    check_distributions(kwn, &alloy, &point[1], 1);
    assert_memory_equal(&point[0], &point[2], sizeof point[0]);
    sw_kwn_close(kwn);
}

/* Points in pairs, whose compositions differ by a part of 1e-10, through a ramp, a hold and a spike that
 * dissolves the small particles, and for two phases that compete. What the control decides may not make more
 * of it than nature does. Nucleation goes as exp(-dG* / kT), dG* as 1 / g^2 with g the logarithm of a product
 * of up to three concentrations: 2 dG* / kT of up to 60, times 3 / g with g > 1, is 180. Of what is left of a
 * phase after a spike the fraction is that of the largest few: it falls by up to 1e4, some ten e-foldings, and
 * each of them has a part of the 180. Together less than 5,000. A step or an iteration more or less would show
 * as 1e-3. */
static void neighbours_stay_neighbours(void **state)
{
    (void)state;
    enum { PAIRS = 105, N = 2 * PAIRS, TIMES = 5 };
    static const double time[TIMES] = {0, 500, 4000, 4010, 4100}, apart = 1e-10, bound = 5e-7;
    static double composition[N][2];
    static float temperature[TIMES][N];
    static sw_kwn_point point[N];
    double worst = 0;
    int other_steps = 0;
    for (int n = 0; n < N; n++) {
        const int i = n / 2;
        const float up = (float)(i % 7) * 5;
        const float knots[TIMES] = {430 + up, 470 + up, 470 + up, 520 + 3 * up, 450};
        composition[n][0] = (0.007 + 0.001 * (double)(i % 5)) * (1 + apart * (n % 2));
        composition[n][1] = 0.0096 + 0.0005 * (double)(i % 3);
        for (int k = 0; k < TIMES; k++)
            temperature[k][n] = knots[k];
    }
    for (int phases = 1; phases <= 2; phases++) {
        sw_kwn_alloy alloy = two_phases();
        sw_kwn_options options = sw_kwn_defaults();
        sw_kwn *kwn;
        alloy.n_phases = phases;
        options.axis = (sw_kwn_axis_options){SW_AXIS_ADAPTIVE, 100, 0, 2e-9};
        CHECK_OK(sw_kwn_open(&alloy, &options, N, composition[0], 430, &kwn));
        CHECK_OK(sw_kwn_advance(kwn, TIMES, time, temperature[0], 1));
        CHECK_OK(sw_kwn_read(kwn, 0, N, point));
        for (int n = 0; n < N; n += 2) {
            other_steps += point[n].steps != point[n + 1].steps;
            for (int p = 0; p < phases; p++) {
                const sw_kwn_population *a = &point[n].phase[p], *b = &point[n + 1].phase[p];
                const double number = fabs(a->number - b->number) / (b->number + 1e6),
                             fraction = fabs(a->fraction - b->fraction) / (b->fraction + 1e-9);
                worst = greatest(worst, greatest(number, fraction));
                if (!(number <= bound && fraction <= bound))
                    fail_msg(
                        "pair %d, phase %d of %d: N %.10g and %.10g, f %.10g and %.10g: need them within %g",
                        n / 2, p, phases, a->number, b->number, a->fraction, b->fraction, bound);
            }
        }
        sw_kwn_close(kwn);
    }
    print_message("pairs apart by %g end apart by at most %.2g; %d of %d in other steps\n", apart, worst,
                  other_steps, 2 * PAIRS);
}

/* An alloy that is only known by name, and radii that are only known by their classes. */
static void alloys_and_radii_are_asked_for(void **state)
{
    (void)state;
    double pivot[448], face[449];
    sw_kwn_alloy *alloy;
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_alloy_open(data_path("alloys/al-mg-si-6082.yaml"), &alloy));
    assert_int_equal(sw_kwn_solutes(alloy), 2);
    assert_int_equal(sw_kwn_phases(alloy), 1);
    assert_int_equal(sw_kwn_find_phase(alloy, "beta-prime"), 0);
    const int mg = sw_kwn_find_solute(alloy, "Mg");
    CHECK_CLOSE(sw_kwn_concentration(alloy, mg), aa6082().solute[mg].concentration, 0);
    const sw_kwn_options options = sw_kwn_defaults();
    CHECK_OK(sw_kwn_open(alloy, &options, 1, NULL, 300, &kwn));
    sw_kwn_alloy_close(alloy); /* it was copied */
    sw_kwn_class_radii(kwn, pivot, face);
    sw_kwn_class_radii(kwn, NULL, NULL);
    assert_true(face[0] == 0 && face[448] == 1);
    for (int i = 0; i < 448; i++)
        assert_true(pivot[i] > face[i] && pivot[i] < face[i + 1]);
    sw_kwn_close(kwn);
    assert_int_equal(sw_kwn_alloy_open("absent.yaml", &alloy), SW_ERR_IO);
    assert_null(alloy);
    sw_kwn_alloy_close(alloy);
}

/* ---- Two phases that share nothing but their place ---- */

/* Al3Sc and Al3Zr of al-sc-zr.yaml through its job's two holds: N, mean radius and f of each. */
static void age_al_sc_zr(const sw_kwn_alloy *alloy, double value[][3])
{
    static const double time[] = {0, 86400, 88400, 1528400};
    static const float at[] = {598.15F, 598.15F, 698.15F, 698.15F};
    sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_point point;
    sw_kwn *kwn;
    options.control.tolerance = 1e-4;
    CHECK_OK(sw_kwn_open(alloy, &options, 1, NULL, at[0], &kwn));
    CHECK_OK(sw_kwn_advance(kwn, 4, time, at, 0));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_population *phase = &point.phase[p];
        value[p][0] = phase->number;
        value[p][1] = phase->radius_sum / phase->number;
        value[p][2] = phase->fraction;
    }
    sw_kwn_close(kwn);
}

/* Each phase as in an alloy that has it alone, but for the volume f that the other takes from the matrix: growth and
 * coarsening go as 1/(1 - f), so that sizes are off by some f, volumes (of the solute there is) by f, and the number,
 * which is one over the other's cube, by ten. Al3Zr nucleates once Al3Sc is there: alone with its solute in as much
 * less of a matrix, it has the number and the size it has in company, to a part f. */
static void phases_that_share_no_solute_are_two_alloys(void **state)
{
    (void)state;
    const sw_kwn_alloy alloy = alloy_file("al-sc-zr.yaml");
    double together[2][3], alone[1][3];
    assert_int_equal(alloy.n_phases, 2);
    age_al_sc_zr(&alloy, together);
    for (int p = 0; p < 2; p++) {
        const double f = together[1 - p][2], bound[3] = {10 * f, 3 * f, f};
        sw_kwn_alloy one = alloy;
        one.n_phases = 1;
        one.phase[0] = alloy.phase[p];
        assert_true(f > 0.003 && f < 0.004);
        age_al_sc_zr(&one, alone);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(together[p][i], alone[0][i], bound[i] * alone[0][i]);
        if (p == 0)
            continue;
        one.solute[p].concentration /= 1 - f;
        age_al_sc_zr(&one, alone);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(together[p][i], alone[0][i], f * alone[0][i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_do_not_depend_on_their_neighbours),
        cmocka_unit_test(knots_and_calls_do_not_matter),
        cmocka_unit_test(histories_are_copied_and_may_overlap),
        cmocka_unit_test(states_can_be_set),
        cmocka_unit_test(neighbours_stay_neighbours),
        cmocka_unit_test(alloys_and_radii_are_asked_for),
        cmocka_unit_test(phases_that_share_no_solute_are_two_alloys),
        cmocka_unit_test(any_history_ends_well), /* the last: it may end in an interruption */
    };
    return cmocka_run_group_tests_name("precipitation histories", tests, NULL, NULL);
}
