/* Which steps the integrator plans: counted, under bounds by strain and by spin. Copper takes all of them at once. */
#include "tests/test.h"

#include "common/crystal/crystal_integrator.h"

enum { N = 64 }; /* a whole number of bundles, whatever their lanes */

#define RATE 1e-3 /* 1/s */

/* Steps of a crystal over a strain, long after its path began: ||D|| is sqrt(2) RATE, ||W|| that times `ratio`. */
static double steps_of(const sw_integration_control *control, double ratio, double strain)
{
    const sw_material material = copper();
    const double spinning[1][3][3] = {{{RATE, ratio * RATE, 0}, {-ratio * RATE, 0, 0}, {0, 0, -RATE}}};
    sw_crystal_state crystal[N];
    sw_integration_statistics statistics = {0};
    double cube[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int n = 0; n < N; n++)
        crystal[n] = sw_crystal_state_initial(cube, 16e6);
    CHECK_OK(sw_integrate(&material, control, N, spinning, 1, 1, strain, crystal, NULL, NULL, &statistics));
    assert_int_equal(statistics.halvings, 0);
    return (double)statistics.steps / N;
}

/* Where the sample turns fast, steps turn it by rotation_step: strain times ||W|| / ||D|| over it. */
static void spin_rules_where_it_is_fast(void **state)
{
    (void)state;
    sw_integration_control control = sw_integration_history();
    CHECK_CLOSE(control.rotation_step, 0.005, 0); /* docs/theory.md, section 3 */
    CHECK_CLOSE(steps_of(&control, 50, 0.02), 50 * 0.02 / 0.005, 0);
    CHECK_CLOSE(steps_of(&control, 100, 0.02), 100 * 0.02 / 0.005, 0);
    control.rotation_step *= 0.5;
    CHECK_CLOSE(steps_of(&control, 50, 0.02), 50 * 0.02 / 0.0025, 0);
    control.strain_step *= 0.5; /* which does not rule here */
    CHECK_CLOSE(steps_of(&control, 50, 0.02), 50 * 0.02 / 0.0025, 0);
}

static void strain_rules_where_spin_is_slow(void **state)
{
    (void)state;
    sw_integration_control control = sw_integration_history();
    CHECK_CLOSE(steps_of(&control, 0, 0.02), 20, 0);
    CHECK_CLOSE(steps_of(&control, 2, 0.02), 20, 0);
    control.rotation_step *= 0.5;
    CHECK_CLOSE(steps_of(&control, 2, 0.02), 20, 0);
    control.strain_step *= 0.5;
    CHECK_CLOSE(steps_of(&control, 2, 0.02), 40, 0);
}

/* Both bounds meet where ||W|| / ||D|| is their ratio: here at 5. */
static void the_narrower_bound_rules(void **state)
{
    (void)state;
    const sw_integration_control control = sw_integration_history();
    CHECK_CLOSE(steps_of(&control, 4.9, 0.02), 20, 0);
    CHECK_CLOSE(steps_of(&control, 6, 0.02), 24, 0);
    CHECK_CLOSE(steps_of(&control, 6, 0.0201), 25, 0); /* equal parts */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spin_rules_where_it_is_fast),
        cmocka_unit_test(strain_rules_where_spin_is_slow),
        cmocka_unit_test(the_narrower_bound_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
