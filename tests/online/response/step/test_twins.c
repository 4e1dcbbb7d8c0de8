/* A crystal of magnesium that turns into its twin: {10-12} lies 43.15 degrees from the basal plane, so that c turns by 86.3. */
#include "tests/families.h"

#include "common/math/rotation.h"
#include "slipwave/response.h"

static const double along_c[3][3] = {{-0.5e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, 1e-3}},
                    other_way[3][3] = {{0.5e-3, 0, 0}, {0, 0.5e-3, 0}, {0, 0, -1e-3}};

static void c_axis(const sw_crystal *crystal, double c[3])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        c[i] = g[i][2];
}

/* The angle between c before and after the step that turns it, degrees; 0: none did. sigma_33 - sigma_11 before it and in the next
 * step, Pa. */
static double turn_of(const char *solver, const double l[3][3], double stress[2])
{
    const sw_material m = material_of(hexagonal_turning);
    sw_crystal crystal = {{0.3F, 0.1F, 0.2F}, (float)m.slip.initial_slip_resistance};
    sw_response *r;
    sw_crystals c;
    sw_response_average average;
    double angle = 0;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .material = &m}, &r));
    CHECK_OK(sw_crystals_of(r, 1, &crystal, NULL, &c));
    for (int k = 0; k < 120 && angle < 20; k++) {
        double before[3], after[3], cosine = 0;
        c_axis(&crystal, before);
        CHECK_OK(sw_response_step(r, l, 1, &c, &c, &average));
        stress[0] = average.cauchy_stress[2][2] - average.cauchy_stress[0][0];
        c_axis(&crystal, after);
        for (int i = 0; i < 3; i++)
            cosine += before[i] * after[i];
        angle = acos(fmin(fabs(cosine), 1)) * 180 / SW_PI;
    }
    CHECK_OK(sw_response_step(r, l, 1e-3, &c, &c, &average));
    stress[1] = average.cauchy_stress[2][2] - average.cauchy_stress[0][0];
    sw_crystals_release(&c);
    sw_response_close(r);
    return angle;
}

/* To the lattice's turn in one step of 1e-3 besides. With elastic strains the stress goes on as it was. */
static void pulled_along_c_it_turns(void **state)
{
    (void)state;
    double stress[2];
    CHECK_CLOSE(turn_of("rigid_plastic", along_c, stress), 86.3, 0.3);
    CHECK_CLOSE(turn_of("elastoplastic", along_c, stress), 86.3, 0.3);
    assert_true(stress[0] > 50e6);
    CHECK_CLOSE(stress[1] / stress[0], 1, 0.02);
}

static void pressed_it_does_not(void **state)
{
    (void)state;
    double stress[2];
    assert_true(turn_of("rigid_plastic", other_way, stress) < 1);
    assert_true(turn_of("elastoplastic", other_way, stress) < 1);
}

/* A try leaves it; points with a loading each, and `iterative`, say no. */
static void who_does_not_turn_says_so(void **state)
{
    (void)state;
    const sw_material m = material_of(hexagonal_turning);
    sw_crystal crystal = {{0.3F, 0.1F, 0.2F}, (float)m.slip.initial_slip_resistance};
    double stress[1][6];
    sw_response *r;
    sw_crystals c;
    sw_response_average average;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &m}, &r));
    CHECK_OK(sw_crystals_of(r, 1, &crystal, NULL, &c));
    assert_int_equal(sw_response_step_each(r, &(sw_points){.points = 1,
                                                           .each = 1,
                                                           .velocity_gradient = &along_c,
                                                           .dt = 1,
                                                           .from = &c,
                                                           .to = &c,
                                                           .stress = stress}),
                     SW_ERR_UNAVAILABLE);
    sw_crystals_release(&c);
    sw_response_close(r);
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "iterative", .material = &m}, &r));
    CHECK_OK(sw_crystals_of(r, 1, &crystal, NULL, &c));
    assert_int_equal(sw_response_step(r, along_c, 1, &c, &c, &average), SW_ERR_UNAVAILABLE);
    sw_crystals_release(&c);
    sw_response_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pulled_along_c_it_turns),
                                       cmocka_unit_test(pressed_it_does_not),
                                       cmocka_unit_test(who_does_not_turn_says_so)};
    return cmocka_run_group_tests_name("twins turn crystals", tests, NULL, NULL);
}
