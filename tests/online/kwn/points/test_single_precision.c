/* The law of a step with histograms in single precision, as strategies of the GPU keep them: plain loops here, so that
 * every machine sees what rounding does to the decisions. Dimension: B classes. */
#include "tests/online/kwn/points/alloys.h"

#include <float.h>

enum { CLASSES = 256, KNOTS = 5, POINTS = 7 };
static const double times[KNOTS] = {0, 500, 4000, 4010, 4100}; /* s */

/* A ramp, a hold, a spike that dissolves MgX, and cooling in which it forms anew; every point its own. */
static void history_of(int i, double composition[2], float temperature[KNOTS])
{
    const float up = (float)i * 5;
    const float knots[KNOTS] = {430 + up, 470 + up, 470 + up, 520 + 3 * up, 450};
    memcpy(temperature, knots, sizeof knots);
    composition[0] = 0.007 + 0.001 * (double)(i % 5);
    composition[1] = 0.0096 + 0.0005 * (double)(i % 3);
}

/* As GPUs are told to round: to a normal number, or to nothing. */
static float rounded(double x) { return fabs(x) < (double)FLT_MIN ? 0 : (float)x; }

/* The displacement of a class's lower face over the step, in units of scale. */
static float displacement(const sw_kwn_axis *axis, const sw_kwn_growth *g, int face)
{
    const double inverse = axis->inverse_face[face],
                 interface = exp2(fmin(g->curvature * inverse - g->driving, g->limit)),
                 v = g->speed * inverse * (1 - interface) / (g->ratio - interface);
    return face == CLASSES ? 0 : rounded(face == 0 ? fmin(v, 0) : v);
}

static void sum(const sw_kwn_axis *axis, const sw_kwn_growth *g, const float number[CLASSES],
                sw_kwn_sums *sums)
{
    *sums = (sw_kwn_sums){.dissolved = sums->dissolved};
    for (int i = 0; i < CLASSES; i++) {
        const float rho = (float)axis->pivot[i], radius = rounded(number[i] * rho);
        sums->number += number[i];
        sums->radius += radius;
        sums->volume += rounded(rounded(radius * rho) * rho);
        sums->obstacle += rounded(number[i] * fmin(rho * g->obstacle, 1));
    }
}

/* histogram_cpu.c has the scheme; of first order here. */
static void step_histogram(const sw_kwn_axis *axis, const sw_kwn_growth *g, const float old[CLASSES],
                           float fresh[CLASSES], sw_kwn_sums *sums)
{
    float up[CLASSES], down[CLASSES], moved = 0;
    memcpy(fresh, old, CLASSES * sizeof *old);
    fresh[g->source_class] += rounded(g->source * g->source_part);
    fresh[g->source_class + 1] += rounded(g->source * (1 - g->source_part));
    for (int i = 0; i < CLASSES; i++) {
        const float width = (float)axis->inverse_width[i];
        up[i] = rounded(fmaxf(displacement(axis, g, i + 1), 0) * width);
        down[i] = rounded(fmaxf(-displacement(axis, g, i), 0) * width);
    }
    for (int i = 0; i < CLASSES; i++) {
        fresh[i] = rounded(fresh[i] + moved);
        moved = rounded(up[i] / (1 + up[i] + down[i]) * fresh[i]);
    }
    moved = 0;
    for (int i = CLASSES - 1; i >= 0; i--) {
        fresh[i] = rounded(fresh[i] + moved);
        moved = rounded(down[i] / (1 + up[i] + down[i]) * fresh[i]);
        fresh[i] = rounded(fresh[i] / (1 + up[i] + down[i]));
    }
    sums->dissolved = moved;
    sum(axis, g, fresh, sums);
}

/* A point through its history, from the state it is in; given: particles of the first phase, or NULL. */
static void follow_in_single(const sw_kwn_alloy *alloy, const sw_kwn_axis *axis,
                             const sw_kwn_control *control, const sw_kwn_schedule *schedule,
                             const double given[CLASSES], sw_kwn_point *point)
{
    static float number[2][SW_KWN_PHASES][CLASSES];
    sw_kwn_trial trial;
    sw_kwn_sums sums[SW_KWN_PHASES];
    int now = 0;
    memset(number, 0, sizeof number);
    for (int i = 0; i < CLASSES && given != NULL; i++)
        number[0][0][i] = rounded(given[i]);
    while (sw_kwn_begin(alloy, axis, control, schedule, 0, point, &trial)) {
        sw_kwn_verdict verdict;
        do {
            for (int p = 0; p < alloy->n_phases; p++) {
                sw_kwn_prepare(alloy, axis, point, &trial, p);
                step_histogram(axis, &trial.growth[p], number[now][p], number[1 - now][p], &sums[p]);
            }
            verdict = sw_kwn_judge(alloy, control, point, &trial, sums);
        } while (verdict == SW_KWN_AGAIN);
        now = verdict == SW_KWN_DONE ? 1 - now : now;
        assert_true(point->iterations < 10000);
    }
    assert_int_equal(point->failed, 0);
}

static sw_kwn_options first_order(void)
{
    sw_kwn_options options = sw_kwn_defaults();
    options.axis = (sw_kwn_axis_options){SW_AXIS_UNIFORM, CLASSES, 0, 20e-9};
    options.flux = 0;
    return options;
}

/* Within what tests/gpu/test_kwn.c derives for single precision. All that is left of MgX in the spike is a number whose
 * volume is rounded to nothing: taken for an error it cost 26 steps, and 1 % of what formed afterwards. */
static void steps_are_those_of_double_precision(void **state)
{
    (void)state;
    const double tolerance = 2e-3, few = 1e6, little = 1e-8;
    const sw_kwn_alloy alloy = two_phases();
    const sw_kwn_options options = first_order();
    for (int i = 0; i < POINTS; i++) {
        double composition[2];
        float temperature[KNOTS];
        sw_kwn_point expected, point;
        sw_kwn *kwn;
        history_of(i, composition, temperature);
        const sw_kwn_schedule schedule = {KNOTS, times, temperature, 1, 0};
        CHECK_OK(sw_kwn_open(&alloy, &options, 1, composition, temperature[0], &kwn));
        CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
        follow_in_single(&alloy, sw_kwn_axis_of(kwn), &options.control, &schedule, NULL, &point);
        CHECK_OK(sw_kwn_advance(kwn, KNOTS, times, temperature, 0));
        CHECK_OK(sw_kwn_read(kwn, 0, 1, &expected));
        sw_kwn_close(kwn);
        print_message("point %d: %d steps, %d in double precision\n", i, (int)point.steps,
                      (int)expected.steps);
        for (int p = 0; p < 2; p++) {
            const sw_kwn_population *a = &point.phase[p], *b = &expected.phase[p];
            CHECK_CLOSE(a->number, b->number, tolerance * (b->number + few));
            CHECK_CLOSE(a->fraction, b->fraction, tolerance * (b->fraction + little));
        }
    }
}

/* The last of what dissolves is rounded to nothing, class by class: no error to shorten steps for, or they end at the
 * shortest. There is no M2S above 600 K. */
static void what_is_rounded_to_nothing_costs_no_steps(void **state)
{
    (void)state;
    static const double given[] = {1e-20, 1e-24, 1e-28, 1e-30, 1e-32, 1e-33, 1e-34, 1e-36, 1e-40};
    static const double time[2] = {0, 1e4};
    static const float hot[2] = {700, 700};
    const sw_kwn_alloy alloy = product_solvus();
    const sw_kwn_options options = first_order();
    const sw_kwn_schedule schedule = {2, time, hot, 1, 0};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        double number[CLASSES];
        sw_kwn_point point;
        sw_kwn *kwn;
        for (int i = 0; i < CLASSES; i++)
            number[i] = given[k] / CLASSES;
        CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, hot[0], &kwn));
        CHECK_OK(sw_kwn_set_distribution(kwn, 0, 0, 20e-9, number));
        CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
        follow_in_single(&alloy, sw_kwn_axis_of(kwn), &options.control, &schedule, number, &point);
        sw_kwn_close(kwn);
        print_message("%g particles: %d steps\n", given[k], (int)point.steps);
        assert_true(point.phase[0].number == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_those_of_double_precision),
                                       cmocka_unit_test(what_is_rounded_to_nothing_costs_no_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
