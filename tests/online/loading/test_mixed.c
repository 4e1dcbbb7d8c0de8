/* Mixed conditions, with a material whose answer is known: an anisotropic viscous one, of elastic volume. */
#include "tests/test.h"

#include "online/loading/mixed.h"

#define X NAN

/* A power law with exponent m: s_ij = q^(m-1) a_ij D_ij, q^2 = sum a_ij D_ij^2; shear 12 pulls on 11,
 * too. */
typedef struct {
    double m;
    int trials;
    double last[3][3];
} material;

static sw_status respond(void *context, const double l[3][3], sw_response_average *average)
{
    static const double a[3][3] = {{1, 0.7, 1.3}, {0.7, 1.4, 0.9}, {1.3, 0.9, 0.8}};
    material *one = context;
    double q = 0, d[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            d[i][j] = (l[i][j] + l[j][i]) / 2;
            q += a[i][j] * d[i][j] * d[i][j];
        }
    q = sqrt(q);
    one->trials++;
    memcpy(one->last, l, sizeof one->last);
    CHECK_CLOSE(l[0][0] + l[1][1] + l[2][2], 0, 1e-15);
    memset(average, 0, sizeof *average);
    average->slip_resistance = 16e6;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            average->cauchy_stress[i][j] = 50e6 * pow(q / 1e-3, one->m) * a[i][j] * d[i][j] / q;
    average->cauchy_stress[0][0] += 0.2 * average->cauchy_stress[0][1];
    return SW_OK;
}

static const sw_elastic_volume rigid = {.bulk_modulus = 0};

static const sw_loading tension = {.velocity_gradient = {{1e-3, 0, 0}, {0, X, 0}, {0, 0, X}},
                                   .stress = {{X, X, X}, {X, 0, X}, {X, X, 0}},
                                   .duration = 1};
static const sw_loading shear = {.velocity_gradient = {{X, 1e-3, X}, {0, X, X}, {2e-4, X, X}},
                                 .stress = {{0, X, 1e6}, {X, 5e6, X}, {X, 3e6, -2e6}},
                                 .duration = 1};

/* Every given component is met, of L and of the stress, whatever m, rigid and elastic, step by step. */
static void conditions_are_met(void **state)
{
    (void)state;
    const sw_loading *const loading[] = {&tension, &shear};
    static const double exponent[] = {1, 0.3, 0.02}, bulk_modulus[] = {0, 137e9};
    for (int k = 0; k < 12; k++) {
        const sw_loading *g = loading[k % 2];
        material one = {.m = exponent[k / 2 % 3]};
        sw_mixed_state mixed = {.mean_stress = 0};
        const double bulk = bulk_modulus[k / 6];
        sw_mixed_begin(g, &mixed);
        for (int step = 0; step < 5; step++) {
            double l[3][3], largest = 0;
            sw_response_average average;
            const double before = mixed.mean_stress;
            one.trials = 0;
            CHECK_OK(sw_mixed_step(g, (sw_elastic_volume){.bulk_modulus = bulk}, 0.1, respond, &one, &mixed,
                                   l, &average));
            assert_true(one.trials <= (step == 0 ? 40 : 6));
            const double trace = l[0][0] + l[1][1] + l[2][2];
            for (int i = 0; i < 9; i++)
                largest = greatest(largest, fabs(average.cauchy_stress[i / 3][i % 3]));
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    if (!isnan(g->velocity_gradient[i][j]))
                        assert_true(l[i][j] == g->velocity_gradient[i][j]);
                    if (!isnan(g->stress[i][j]))
                        CHECK_CLOSE(average.cauchy_stress[i][j], g->stress[i][j], 2e-5 * largest);
                    CHECK_CLOSE(one.last[i][j], l[i][j] - (i == j ? trace / 3 : 0), 1e-18);
                }
            if (g == &shear)
                assert_true(l[1][2] == l[2][1]); /* both free: no spin */
            /* the pressure of the volume, or no volume */
            CHECK_CLOSE(bulk > 0 ? mixed.mean_stress - before : 0, bulk * trace * 0.1, 1e-6 * largest);
            CHECK_CLOSE(bulk > 0 ? 0 : trace, 0, 1e-18);
        }
    }
}

/* One free normal component of a rigid material is what the volume leaves. */
static void one_normal_component_follows_from_the_volume(void **state)
{
    (void)state;
    const sw_loading g = {.velocity_gradient = {{1e-3, 0, 0}, {0, X, 0}, {0, 0, -4e-4}},
                          .stress = {{X, X, X}, {X, 7e6, X}, {X, X, X}},
                          .duration = 1};
    material one = {.m = 0.1};
    sw_mixed_state mixed = {.mean_stress = 0};
    double l[3][3];
    sw_response_average average;
    sw_mixed_begin(&g, &mixed);
    CHECK_OK(sw_mixed_step(&g, rigid, 0.1, respond, &one, &mixed, l, &average));
    assert_int_equal(one.trials, 1);
    CHECK_CLOSE(l[1][1], -6e-4, 1e-18);
    CHECK_CLOSE(average.cauchy_stress[1][1], 7e6, 1e-6);
}

static sw_status jump(void *context, const double l[3][3], sw_response_average *average)
{
    const double side = l[1][1] > -4e-4 ? 1 : -1;
    ++*(int *)context;
    *average = (sw_response_average){.slip_resistance = 16e6};
    average->cauchy_stress[0][0] = 40e6;
    average->cauchy_stress[1][1] = -20e6 + side * 10e6;
    average->cauchy_stress[2][2] = -20e6 - side * 10e6;
    return SW_OK;
}

static sw_status break_down(void *context, const double l[3][3], sw_response_average *average)
{
    CHECK_OK(respond(context, l, average));
    average->cauchy_stress[1][1] = NAN;
    return SW_OK;
}

static void what_is_no_number_meets_nothing(void **state)
{
    (void)state;
    material one = {.m = 0.1};
    sw_mixed_state mixed = {.mean_stress = 0};
    double l[3][3];
    sw_response_average average;
    sw_mixed_begin(&tension, &mixed);
    assert_int_equal(sw_mixed_step(&tension, (sw_elastic_volume){.bulk_modulus = 137e9}, 0.1, break_down,
                                   &one, &mixed, l, &average),
                     SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "not a number"));
}

/* Where there is no balance that is said, and the state is as it was. */
static void what_cannot_be_met_is_said(void **state)
{
    (void)state;
    sw_mixed_state mixed = {.mean_stress = 0}, before;
    double l[3][3];
    int trials = 0;
    sw_response_average average;
    sw_mixed_begin(&tension, &mixed);
    before = mixed;
    assert_int_equal(sw_mixed_step(&tension, rigid, 0.1, jump, &trials, &mixed, l, &average),
                     SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "stress[2][2] = 0 Pa is not met: "));
    assert_true(trials >= 240 && trials < 260);
    assert_memory_equal(&before, &mixed, sizeof mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_met),
        cmocka_unit_test(one_normal_component_follows_from_the_volume),
        cmocka_unit_test(what_is_no_number_meets_nothing),
        cmocka_unit_test(what_cannot_be_met_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
