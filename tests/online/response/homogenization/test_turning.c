/* Polycrystals that only turn, by as much as a step may: nothing else changes, whatever the homogenization; and what it remembers of
 * crystals, boundaries and ellipsoids, turns with them. */
#include "tests/crystals.h"

#include "common/math/rotation.h"
#include "common/math/six.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/step/crystals.h"
#include "slipwave/crystals.h"

enum { EACH = 24, POINTS = 2, ALL = POINTS * EACH };

static void step(sw_response *response, const sw_crystals *c, double l[POINTS][3][3],
                 double stress[POINTS][6], double resistance[POINTS])
{
    CHECK_OK(sw_response_step_each(response, &(sw_points){.points = POINTS,
                                                          .each = EACH,
                                                          .velocity_gradient = (const double(*)[3][3])l,
                                                          .dt = 20,
                                                          .from = c,
                                                          .to = c,
                                                          .stress = stress,
                                                          .slip_resistance = resistance}));
}

/* r a r^T */
static void rotate(const double r[3][3], const double a[3][3], double rotated[3][3])
{
    for (int k = 0; k < 9; k++) {
        rotated[k / 3][k % 3] = 0;
        for (int i = 0; i < 9; i++)
            rotated[k / 3][k % 3] += r[k / 3][i / 3] * a[i / 3][i % 3] * r[k % 3][i % 3];
    }
}

static const double stretch[3][3] = {{1e-3, 0.8e-3, 0}, {0, -0.3e-3, 0.2e-3}, {0.1e-3, 0, -0.7e-3}};
static const double spin[3] = {0.09, -0.05, 0.07}; /* 12 13 23, 1/s: 2.5 rad a step */

/* Two points alike are strained; one is then turned while the other is at rest; both are strained again, as each lies. */
static void turn_and_go_on(const sw_response_options *options, double tolerance)
{
    static sw_crystal crystal[ALL], before[ALL];
    double l[POINTS][3][3], stress[POINTS][6], resistance[POINTS], r[3][3], turn[3], seen[3][3], mean = 0;
    const double w[3][3] = {{0, spin[0], spin[1]}, {-spin[0], 0, spin[2]}, {-spin[1], -spin[2], 0}};
    sw_response *response;
    CHECK_OK(sw_response_open(options, &response));
    for (int i = 0; i < ALL; i++)
        crystal[i] = sw_random_crystal(5, i % EACH, 16e6F);
    sw_crystals c = crystals_of(response, ALL, crystal, NULL);
    for (int n = 0; n < 4; n++) {
        memcpy(l[0], stretch, sizeof stretch);
        memcpy(l[1], stretch, sizeof stretch);
        step(response, &c, l, stress, resistance);
    }
    assert_memory_equal(stress[0], stress[1], sizeof stress[0]);
    memcpy(before, crystal, sizeof before);
    memset(l[0], 0, sizeof l[0]);
    memcpy(l[1], w, sizeof w);
    for (int i = 0; i < EACH; i++)
        mean += (double)before[i].slip_resistance / EACH;
    step(response, &c, l, stress, resistance);
    for (int k = 0; k < 6; k++)
        assert_true(stress[0][k] == 0 && stress[1][k] == 0);
    for (int p = 0; p < POINTS; p++)
        CHECK_CLOSE(resistance[p], mean, 1e-6 * mean);
    for (int k = 0; k < 3; k++)
        turn[k] = spin[k] * 20;
    sw_rotation_from_spin(turn, r);
    for (int i = 0; i < ALL; i++) {
        double old[3], now[3], g[3][3], turned[3][3];
        for (int k = 0; k < 3; k++) {
            old[k] = before[i].euler[k];
            now[k] = crystal[i].euler[k];
        }
        sw_rotation_from_euler(old, g);
        sw_rotation_from_euler(now, turned);
        assert_true(crystal[i].slip_resistance == before[i].slip_resistance);
        for (int k = 0; k < 9; k++) {
            double expected = g[k / 3][k % 3];
            if (i >= EACH)
                expected = r[k / 3][0] * g[0][k % 3] + r[k / 3][1] * g[1][k % 3] + r[k / 3][2] * g[2][k % 3];
            CHECK_CLOSE(turned[k / 3][k % 3], expected, 2e-6);
        }
    }
    memcpy(l[0], stretch, sizeof stretch);
    rotate((const double(*)[3])r, stretch, l[1]);
    step(response, &c, l, stress, resistance);
    const double t[3][3] = {{stress[0][0], stress[0][5], stress[0][4]},
                            {stress[0][5], stress[0][1], stress[0][3]},
                            {stress[0][4], stress[0][3], stress[0][2]}};
    rotate((const double(*)[3])r, t, seen);
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(stress[1][k], seen[sw_six_row(k)][sw_six_column(k)], tolerance * 50e6);
    CHECK_CLOSE(resistance[1], resistance[0], tolerance * resistance[0]);
    sw_crystals_release(&c);
    sw_response_close(response);
}

static void what_only_turns_is_else_as_it_was(void **state)
{
    (void)state;
    static const char *const ellipsoids[] = {"phase", "grain"};
    const sw_material m = copper();
    sw_response_options o = {.solver = "rigid_plastic", .material = &m};
    for (int k = 0; k < SW_HOMOGENIZATIONS; k++) {
        o.homogenization = sw_homogenization_names[k];
        turn_and_go_on(&o, 1e-4);
    }
    o.homogenization = "self_consistent";
    for (int k = 0; k < 2; k++) { /* fixed ones do not turn */
        o.self_consistent = (sw_self_consistent){.ellipsoids = ellipsoids[k], .tolerance = 1e-6};
        turn_and_go_on(&o, 1e-4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_only_turns_is_else_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
