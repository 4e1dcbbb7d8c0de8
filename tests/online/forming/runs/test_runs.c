/* Runs side by side: their conditions are met, against the one-run search by secants of online/loading/mixed.c; a run
 * does not depend on its neighbours; copies and ends. */
#include "tests/online/forming/runs/one_run.h"

#include "online/forming/runs/runs.h"

enum { N = 150, ANGLES = 4, STEPS = 12 };
static const double RATE = 1e-3, STRAIN = 0.005;

static sw_crystal *random_crystals(void)
{
    sw_crystal *crystal;
    CHECK_OK(sw_crystals_allocate(SW_CPU, N, &crystal));
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 3, 0, 16e6F));
    return crystal;
}

static sw_response *open(const char *solver, const sw_material *material)
{
    return opened(&(sw_response_options){.solver = solver, .material = material});
}

static double angle_of(int64_t run) { return (double)run * 0.5; }

/* R runs in tension, run r along angle_of(first + r). */
static sw_runs *tensions(sw_response *response, const sw_crystal *crystal, int64_t first, int64_t n)
{
    sw_runs *runs;
    sw_condition condition[ANGLES];
    CHECK_OK(sw_runs_create(response, n, N, crystal, NULL, NULL, &runs));
    for (int64_t r = 0; r < n; r++)
        condition[r] = sw_condition_uniaxial(angle_of(first + r), RATE);
    for (int step = 0; step < STEPS; step++)
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, condition));
    return runs;
}

/* ---- Conditions ---- */

/* Of a tension no stress is left but along its direction, and the strain rate is trace-free and as given. */
static void conditions_are_met(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"elastoplastic", "rigid_plastic"};
    const sw_material material = copper();
    sw_crystal *crystal = random_crystals();
    for (int k = 0; k < 2; k++) {
        sw_response *response = open(solvers[k], &material);
        sw_runs *runs = tensions(response, crystal, 0, ANGLES);
        for (int64_t r = 0; r < ANGLES; r++) {
            const sw_run_state *s = sw_runs_state(runs, r);
            double stress[6], a[2] = {cos(angle_of(r)), sin(angle_of(r))};
            assert_int_equal(s->failed, 0);
            sw_plane_stress_of(s->stress, stress);
            const double along = stress[0] + stress[1];
            /* a condition's miss is of the largest deviatoric stress, which is two thirds of the tension */
            const double bound = 2 * s->miss * along;
            assert_true(s->miss <= 5e-3);
            CHECK_CLOSE(stress[0], a[0] * a[0] * along, bound);
            CHECK_CLOSE(stress[1], a[1] * a[1] * along, bound);
            CHECK_CLOSE(stress[5], a[0] * a[1] * along, bound);
            CHECK_CLOSE(stress[3], 0, bound);
            CHECK_CLOSE(stress[4], 0, bound);
            const double(*l)[3] = s->velocity_gradient;
            CHECK_CLOSE(l[0][0] + l[1][1] + l[2][2], 0, 1e-15);
            CHECK_CLOSE(a[0] * (l[0][0] * a[0] + l[0][1] * a[1]) + a[1] * (l[1][0] * a[0] + l[1][1] * a[1]),
                        RATE, 1e-15);
            CHECK_CLOSE(-a[1] * (l[0][0] * a[0] + l[0][1] * a[1]) + a[0] * (l[1][0] * a[0] + l[1][1] * a[1]),
                        0, 1e-15);
        }
        sw_runs_free(runs);
        sw_response_close(response);
    }
    sw_crystals_free(SW_CPU, crystal);
}

/* ---- Against one run by secants ---- */

/* Pulled (sign 1) or pressed. */
static void compare_with_one(int takes_volume, double sign)
{
    const sw_material material = copper();
    sw_crystal *crystal = random_crystals();
    sw_response *response = open("elastoplastic", &material);
    sw_loading loading = {.velocity_gradient = {{sign * RATE, NAN, NAN}, {0, NAN, NAN}, {0, 0, NAN}},
                          .stress = {{NAN, 0, 0}, {NAN, 0, 0}, {NAN, NAN, 0}}};
    sw_runs *runs;
    CHECK_OK(sw_runs_create(response, 1, N, crystal, NULL, NULL, &runs));
    if (takes_volume)
        CHECK_OK(sw_runs_take_volume(runs));
    const sw_condition condition = sw_condition_of_loading(&loading, 0, 0);
    one_run one;
    begin_one(&material, N, &loading, STRAIN / RATE, &one);
    one.takes_volume = takes_volume;
    for (int step = 0; step < STEPS; step++) {
        double l[3][3];
        sw_response_average average;
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, &condition));
        step_one(&one, l, &average);
        const sw_run_state *s = sw_runs_state(runs, 0);
        /* both within their conditions' misses; the free rates hang on them by the tangent, which is of
         * the order of the stress over the rate. What p adds to the deviator is 7e-4 of it and more */
        CHECK_CLOSE(s->stress[0] - s->stress[2], average.cauchy_stress[0][0] - average.cauchy_stress[2][2],
                    2 * (s->miss + one.state.error) * fabs(average.cauchy_stress[0][0]));
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(s->velocity_gradient[i][i], l[i][i], 0.01 * RATE);
    }
    sw_runs_free(runs);
    end_one(&one);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, crystal);
}

static void as_one_run_by_secants(void **unused)
{
    (void)unused;
    for (int takes_volume = 0; takes_volume < 2; takes_volume++)
        for (int sign = -1; sign < 2; sign += 2)
            compare_with_one(takes_volume, sign);
}

/* ---- Runs of others ---- */

/* The same bits alone and beside others, some of which end on the way. */
static void neighbours_do_not_matter(void **unused)
{
    (void)unused;
    const sw_material material = copper();
    sw_crystal *crystal = random_crystals(), mine[N], theirs[N];
    sw_response *response = open("elastoplastic", &material);
    sw_runs *all = tensions(response, crystal, 0, ANGLES);
    sw_condition condition[ANGLES];
    for (int64_t r = 0; r < ANGLES; r++)
        condition[r] = sw_condition_uniaxial(angle_of(r), RATE);
    CHECK_OK(sw_runs_end(all, 0));
    CHECK_OK(sw_runs_end(all, 2));
    const sw_run_state ended = *sw_runs_state(all, 2);
    CHECK_OK(sw_runs_step(all, STRAIN / RATE, condition));
    assert_int_equal(sw_runs_going(all), 2);
    assert_memory_equal(sw_runs_state(all, 2), &ended, sizeof ended);
    for (int64_t r = 1; r < ANGLES; r += 2) {
        sw_runs *alone = tensions(response, crystal, r, 1);
        CHECK_OK(sw_runs_step(alone, STRAIN / RATE, &condition[r]));
        assert_memory_equal(sw_runs_state(alone, 0), sw_runs_state(all, r), sizeof(sw_run_state));
        CHECK_OK(sw_runs_crystals(alone, 0, mine));
        CHECK_OK(sw_runs_crystals(all, r, theirs));
        assert_memory_equal(mine, theirs, sizeof mine);
        sw_runs_free(alone);
    }
    sw_runs_free(all);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, crystal);
}

/* A copy goes on as the one it was made of. */
static void copies_go_on_alike(void **unused)
{
    (void)unused;
    const sw_material material = copper();
    sw_crystal *crystal = random_crystals();
    sw_response *response = open("elastoplastic", &material);
    sw_runs *a = tensions(response, crystal, 0, 1), *b;
    const sw_condition on[2] = {sw_condition_stretch(RATE, 0.5), sw_condition_stretch(RATE, 0.5)};
    CHECK_OK(sw_runs_create(response, 2, N, crystal, NULL, NULL, &b));
    CHECK_OK(sw_runs_copy(b, 1, a, 0));
    CHECK_OK(sw_runs_step(a, STRAIN / RATE, on));
    CHECK_OK(sw_runs_step(b, STRAIN / RATE, on));
    assert_memory_equal(sw_runs_state(a, 0), sw_runs_state(b, 1), sizeof(sw_run_state));
    assert_true(fabs(sw_runs_state(b, 0)->stress[0] - sw_runs_state(b, 1)->stress[0]) > 1e6);
    sw_runs_free(a);
    sw_runs_free(b);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, crystal);
}

/* ---- A given direction of stress ---- */

static void stress_goes_where_it_is_sent(void **unused)
{
    (void)unused;
    static const double sent[3][6] = {{1, 0.5, 0, 0, 0, 0}, {1, -1, 0, 0, 0, 0.3}, {0.2, 1, 0, 0.1, -0.2, 0}};
    const sw_material material = copper();
    sw_crystal *crystal = random_crystals();
    sw_response *response = open("elastoplastic", &material);
    sw_runs *runs;
    sw_condition condition[3];
    CHECK_OK(sw_runs_create(response, 3, N, crystal, NULL, NULL, &runs));
    for (int r = 0; r < 3; r++)
        condition[r] = sw_condition_along_stress(sent[r], RATE);
    for (int step = 0; step < 4; step++)
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, condition));
    for (int r = 0; r < 3; r++) {
        const sw_run_state *s = sw_runs_state(runs, r);
        double stress[6], scale = 0;
        sw_plane_stress_of(s->stress, stress);
        for (int k = 0; k < 6; k++)
            scale = greatest(scale, fabs(stress[k]));
        const double size = stress[0] / sent[r][0];
        assert_int_equal(s->failed, 0);
        assert_true(size > 0);
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(stress[k], size * sent[r][k], 6 * s->miss * scale);
    }
    sw_runs_free(runs);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, crystal);
}

/* Cubic crystals that are elastically isotropic stand a small tension with E = 9 K G / (3 K + G), not with 3 G, and their volume grows
 * by sigma / 3K. Stresses are met to 2e-5; of Cauchy's and the crystals' own the difference is of the order of the strain, 1e-4. */
static void volume_is_elastic(void **unused)
{
    (void)unused;
    const double strain = 1e-4, g = 23.5e9, k = (168.7e9 + 2 * 121.7e9) / 3, e = 9 * k * g / (3 * k + g);
    sw_material material = copper();
    material.elasticity.c44 = g;
    sw_crystal *crystal = random_crystals();
    sw_response *response = open("elastoplastic", &material);
    const sw_condition tension = sw_condition_uniaxial(0.4, RATE);
    sw_runs *runs;
    double volume = 0, stress[6];
    CHECK_OK(sw_runs_create(response, 1, N, crystal, NULL, NULL, &runs));
    CHECK_OK(sw_runs_take_volume(runs));
    for (int step = 0; step < 5; step++) {
        CHECK_OK(sw_runs_step(runs, strain / 5 / RATE, &tension));
        volume += strain / 5 / RATE * sw_trace((const double(*)[3])sw_runs_state(runs, 0)->velocity_gradient);
    }
    sw_plane_stress_of(sw_runs_state(runs, 0)->stress, stress);
    CHECK_CLOSE((stress[0] + stress[1]) / (e * strain), 1, 1e-3);
    CHECK_CLOSE(volume * 3 * k / (e * strain), 1, 1e-3);
    CHECK_CLOSE(sw_runs_state(runs, 0)->mean_stress, k * volume, 1e-9 * k * volume);
    sw_runs_free(runs);
    sw_response_close(response);
    sw_crystals_free(SW_CPU, crystal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_met),           cmocka_unit_test(as_one_run_by_secants),
        cmocka_unit_test(neighbours_do_not_matter),     cmocka_unit_test(copies_go_on_alike),
        cmocka_unit_test(stress_goes_where_it_is_sent), cmocka_unit_test(volume_is_elastic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
