/* Goals, with a component whose way is known: where a step ends, and what is said where it cannot. */
#include "tests/test.h"

#include "online/loading/goal.h"

/* How a component goes with the time since the step's beginning. */
typedef struct {
    double (*way)(double dt);
    int trials;
    double last; /* dt of the last trial */
} course;

static sw_status follow(void *context, double dt, double *after)
{
    course *c = context;
    c->trials++;
    c->last = dt;
    *after = c->way(dt);
    return SW_OK;
}

static double falls(double dt) { return 90e6 - 30e6 * dt; }
/* As a stress does that is unloaded and flows the other way. */
static double flows_back(double dt) { return fmax(90e6 - 4500e6 * dt, -85e6); }
static double rises_slowly(double dt) { return 90e6 + 10e6 * sqrt(dt); }
static double jumps(double dt) { return dt < 0.3 ? 90e6 : -90e6; }
/* In steps of 0.1 MPa, the next to 0 at 0.04: a solver that lets no better be found. */
static double is_rough(double dt) { return 1e5 * rint(900 - 300 * dt) + 4e4; }

static const double stress[3][3] = {{60e6, 0, 0}, {0, -30e6, 0}, {0, 0, -30e6}};

static sw_loading loading_to(double goal)
{
    return (sw_loading){.velocity_gradient = {{-1e-3, 0, 0}, {0, NAN, 0}, {0, 0, NAN}},
                        .duration = 4,
                        .until = SW_UNTIL_STRESS,
                        .component = 0,
                        .goal = goal};
}

/* Goal of an entry that begins at 90 MPa, with a deviator's norm of sqrt(54) 1e7. */
static sw_goal goal_at_90(const sw_loading *g)
{
    double full[3][3];
    memcpy(full, stress, sizeof full);
    for (int i = 0; i < 3; i++)
        full[i][i] += 30e6;
    const sw_goal goal = sw_goal_begin(g, (const double(*)[3])full);
    CHECK_CLOSE(goal.first, 90e6, 1);
    CHECK_CLOSE(goal.scale, fmax(fabs(g->goal), sqrt(54) * 1e7), 1);
    return goal;
}

static void steps_end_at_their_goal(void **state)
{
    (void)state;
    static const struct {
        double (*way)(double dt);
        double goal, dt, bound; /* bound: of the scale */
        int trials;
    } cases[] = {{falls, 0, 3, 5e-5, 2},
                 {falls, 45e6, 1.5, 5e-5, 2},
                 {flows_back, 0, 0.02, 5e-5, 15},
                 {flows_back, -84e6, 174e6 / 4500e6, 5e-5, 25},
                 {rises_slowly, 105e6, 2.25, 5e-5, 10},
                 {is_rough, 0, 3, 1e-3, 42}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sw_loading g = loading_to(cases[k].goal);
        sw_goal goal = goal_at_90(&g);
        course c = {.way = cases[k].way};
        double dt = 4;
        int ended;
        CHECK_OK(sw_goal_step(&g, &goal, follow, &c, &dt, &ended));
        assert_true(ended);
        assert_true(c.last == dt && c.trials <= cases[k].trials);
        CHECK_CLOSE(c.way(dt), g.goal, cases[k].bound * goal.scale);
        assert_true(cases[k].way != is_rough ||
                    fabs(c.way(dt)) > 5e-5 * goal.scale); /* all else is trivial */
        assert_true(goal.now == c.way(dt));
        CHECK_CLOSE(dt, cases[k].dt, 1e-3 * cases[k].dt);
    }
}

/* A goal on the other side of where the entry began, or one that comes later, leaves the step as it is. */
static void steps_short_of_their_goal_are_whole(void **state)
{
    (void)state;
    static const double goals[] = {95e6, 20e6};
    for (int k = 0; k < 2; k++) {
        const sw_loading g = loading_to(goals[k]);
        sw_goal goal = goal_at_90(&g);
        course c = {.way = falls};
        double dt = 2;
        int ended;
        CHECK_OK(sw_goal_step(&g, &goal, follow, &c, &dt, &ended));
        assert_false(ended);
        assert_int_equal(c.trials, 1);
        assert_true(dt == 2);
        CHECK_CLOSE(goal.now, 30e6, 1);
        assert_int_equal(sw_goal_missed(&g, &goal), SW_ERR_CONVERGENCE);
        assert_message_has("stress 11 is 3e+07 Pa after the entry's duration of 4 s, and was 9e+07 Pa");
    }
}

/* One that ends there by itself takes no other trial; one that begins there is known. */
static void goals_are_met_within_a_bound(void **state)
{
    (void)state;
    sw_loading g = loading_to(30e6 + 3000);
    sw_goal goal = goal_at_90(&g);
    course c = {.way = falls};
    double dt = 2;
    int ended;
    CHECK_OK(sw_goal_step(&g, &goal, follow, &c, &dt, &ended));
    assert_true(ended && c.trials == 1 && dt == 2);
    assert_true(sw_goal_is_met(&g, &goal));
    g.goal = 90e6 + 4000;
    goal = goal_at_90(&g);
    assert_true(sw_goal_is_met(&g, &goal));
    g.goal = 90e6 + 5000;
    goal = goal_at_90(&g);
    assert_false(sw_goal_is_met(&g, &goal));
}

static void what_jumps_over_its_goal_is_said(void **state)
{
    (void)state;
    const sw_loading g = loading_to(10e6);
    sw_goal goal = goal_at_90(&g);
    const sw_goal before = goal;
    course c = {.way = jumps};
    double dt = 2;
    int ended;
    assert_int_equal(sw_goal_step(&g, &goal, follow, &c, &dt, &ended), SW_ERR_CONVERGENCE);
    assert_message_has("goal = 1e+07 Pa: stress 11 jumps over it, from 9e+07 to -9e+07 Pa");
    assert_true(c.trials <= 41);
    assert_memory_equal(&before, &goal, sizeof goal);
}

/* The strain of a component that is free: since the entry began, step by step, of both sides of a pair. */
static void strain_adds_up(void **state)
{
    (void)state;
    const sw_loading g = {.until = SW_UNTIL_STRAIN, .component = 5, .goal = -0.02};
    const double l[3][3] = {{0, -1e-3, 0}, {-2e-3, 0, 0}, {0, 0, 0}};
    sw_goal goal = sw_goal_begin(&g, stress);
    assert_true(goal.first == 0 && goal.now == 0 && goal.scale == 0.02);
    goal.now = -0.01;
    CHECK_CLOSE(sw_goal_after(&g, &goal, l, 2, stress), -0.013, 1e-17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_end_at_their_goal),
        cmocka_unit_test(steps_short_of_their_goal_are_whole),
        cmocka_unit_test(goals_are_met_within_a_bound),
        cmocka_unit_test(what_jumps_over_its_goal_is_said),
        cmocka_unit_test(strain_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
