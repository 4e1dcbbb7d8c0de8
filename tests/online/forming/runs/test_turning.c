/* Runs whose twins turn crystals: each by its own polycrystal's fractions, in steps that are taken. */
#include "tests/families.h"
#include "tests/online/forming/runs/one_run.h"

#include "common/math/rotation.h"
#include "online/forming/runs/runs.h"
#include "online/response/step/crystals.h"

enum { N = 200, STEPS = 30 };
static const double RATE = 1e-3, STRAIN = 0.004;

/* Twins' share of crystals: c is more than 60 degrees from where it was. */
static int turned_of(const sw_crystal *now, const sw_crystal *begun)
{
    int turned = 0;
    for (int i = 0; i < N; i++) {
        double g[2][3][3], cosine = 0;
        for (int k = 0; k < 2; k++) {
            const float *e = (k ? begun : now)[i].euler;
            const double euler[3] = {e[0], e[1], e[2]};
            sw_rotation_from_euler(euler, g[k]);
        }
        for (int j = 0; j < 3; j++)
            cosine += g[0][j][2] * g[1][j][2];
        turned += fabs(cosine) < 0.5;
    }
    return turned;
}

/* Pressed along 3 with free sides, beside another run that is pulled: against one run whose sides are found by secants, and another
 * number of evaluations. Both meet their conditions to 1e-3, most steps better: 1e-5 of the stress. A crystal near its threshold, of 200,
 * may turn a step apart, which is 0.5 % of it there. */
static void a_run_is_a_polycrystal(void **unused)
{
    (void)unused;
    const sw_material material = material_of(hexagonal_turning);
    sw_crystal *begun, now[N];
    sw_response *response = open_elastoplastic(&material);
    sw_runs *runs;
    one_run one;
    int steps_alike = 0;
    CHECK_OK(sw_crystals_allocate(SW_CPU, N, &begun));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, begun, 3, 0, (float)material.slip.initial_slip_resistance));
    CHECK_OK(sw_runs_create(response, 2, N, begun, NULL, NULL, &runs));
    const sw_loading loading[2] = {{.velocity_gradient = {{RATE, NAN, NAN}, {0, NAN, NAN}, {0, 0, NAN}},
                                    .stress = {{NAN, 0, 0}, {NAN, 0, 0}, {NAN, NAN, 0}}},
                                   {.velocity_gradient = {{NAN, NAN, NAN}, {0, NAN, NAN}, {0, 0, -RATE}},
                                    .stress = {{0, 0, 0}, {NAN, 0, 0}, {NAN, NAN, NAN}}}};
    const sw_condition condition[2] = {sw_condition_of_loading(&loading[0], 0, 0),
                                       sw_condition_of_loading(&loading[1], 0, 0)};
    begin_one(&material, N, &loading[1], STRAIN / RATE, &one);
    for (int step = 0; step < STEPS; step++) {
        double l[3][3];
        sw_response_average average;
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, condition));
        step_one(&one, l, &average);
        const sw_run_state *s = sw_runs_state(runs, 1);
        assert_int_equal(s->failed, 0);
        CHECK_OK(sw_runs_crystals(runs, 1, now));
        const int alike = turned_of(now, begun) == turned_of(one.ended.crystal, begun);
        steps_alike += alike;
        CHECK_CLOSE(s->stress[2] - s->stress[0], average.cauchy_stress[2][2] - average.cauchy_stress[0][0],
                    (alike ? 3e-5 : 1e-2) * fabs(average.cauchy_stress[2][2]));
    }
    CHECK_OK(sw_runs_crystals(runs, 1, now));
    const int of_run = turned_of(now, begun), of_one = turned_of(one.ended.crystal, begun);
    CHECK_OK(sw_runs_crystals(runs, 0, now));
    print_message("%d of %d turned, by secants %d; of the other run %d\n", of_run, N, of_one,
                  turned_of(now, begun));
    assert_in_range(of_one, N / 20, N / 2);
    CHECK_CLOSE(of_run, of_one, 1);
    assert_true(steps_alike > STEPS * 2 / 3);
    assert_int_not_equal(turned_of(now, begun), of_run);
    sw_runs_free(runs);
    end_one(&one);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, begun);
}

/* Of L that is given nothing is sought: each run as if its polycrystal were alone, bit by bit, and what ends stays. */
static void given_gradients_have_the_same_bits(void **unused)
{
    (void)unused;
    const sw_material material = material_of(hexagonal_turning);
    sw_crystal now[N], kept[N], begun[N];
    sw_response *response = open_elastoplastic(&material);
    sw_runs *runs;
    sw_response_average average;
    sw_crystals c = make_random_crystals(response, N, 3, material.slip.initial_slip_resistance);
    memcpy(begun, c.crystal, sizeof begun);
    CHECK_OK(sw_runs_create(response, 3, N, c.crystal, NULL, NULL, &runs));
    const sw_loading pulled = {.velocity_gradient = {{RATE, 0, 0}, {0, 0, 0}, {0, 0, -RATE}}},
                     pressed = {.velocity_gradient = {{RATE / 2, 0, 0}, {0, RATE / 2, 0}, {0, 0, -RATE}}};
    const sw_condition condition[3] = {sw_condition_of_loading(&pulled, 0, 0),
                                       sw_condition_of_loading(&pressed, 0, 0),
                                       sw_condition_of_loading(&pressed, 0, 0)};
    for (int step = 0; step < STEPS; step++) {
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, condition));
        CHECK_OK(sw_response_step(response, pressed.velocity_gradient, STRAIN / RATE, &c, &c, &average));
        if (step == STEPS / 2) {
            CHECK_OK(sw_runs_end(runs, 1));
            memcpy(kept, c.crystal, sizeof kept);
        }
    }
    CHECK_OK(sw_runs_crystals(runs, 2, now));
    assert_true(turned_of(now, begun) > N / 20);
    assert_memory_equal(now, c.crystal, sizeof now);
    CHECK_OK(sw_runs_crystals(runs, 1, now));
    assert_memory_equal(now, kept, sizeof now);
    sw_runs_free(runs);
    sw_crystals_release(&c);
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_is_a_polycrystal),
                                       cmocka_unit_test(given_gradients_have_the_same_bits)};
    return cmocka_run_group_tests_name("runs whose twins turn crystals", tests, NULL, NULL);
}
