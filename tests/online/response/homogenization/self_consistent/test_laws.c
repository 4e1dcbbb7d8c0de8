/* Hypotheses on polycrystals with laws that know temperature and rate: Taylor's limit through a jump of rate, crystals alone, the rate that
 * enters by the law alone, and a rate that is found while a stress is given. */
#include "tests/crystals.h"

#include <omp.h>

#include "common/crystal/material_file.h"
#include "common/math/random.h"
#include "common/math/six.h"

enum { N = 40 };

static const double pressing[3][3] = {{0.9, 0.3, 0}, {0, 0.1, -0.2}, {0.1, 0, -1}};

static sw_material material_at(const char *name, double temperature)
{
    sw_material m;
    CHECK_OK(sw_material_read(data_path("materials/%s", name), &m));
    if (!isnan(temperature))
        CHECK_OK(sw_material_set_temperature(&m, temperature));
    return m;
}

static sw_response *open_as(const sw_material *m, const char *homogenization, sw_self_consistent scheme)
{
    const sw_response_options options = {.solver = "rigid_plastic",
                                         .material = m,
                                         .homogenization = homogenization,
                                         .self_consistent = scheme};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

/* The first `alike` are. */
static sw_crystals some_crystals(const sw_response *r, const sw_material *m, int n, int alike,
                                 sw_crystal *crystal)
{
    for (int i = 0; i < n; i++) {
        double e[3];
        sw_random_orientation(3, (uint64_t)(i < alike ? 0 : i), e);
        crystal[i] =
            (sw_crystal){{(float)e[0], (float)e[1], (float)e[2]}, (float)m->slip.initial_slip_resistance};
    }
    return crystals_of(r, n, crystal, NULL);
}

/* A step of pressing at a rate. */
static void press(sw_response *r, const sw_crystals *c, double rate, double strain, int steps,
                  sw_response_average *mean)
{
    double l[3][3], square = 0;
    for (int k = 0; k < 6; k++)
        square +=
            (k < 3 ? 1 : 2) *
            pow(0.5 * (pressing[sw_six_row(k)][sw_six_column(k)] + pressing[sw_six_column(k)][sw_six_row(k)]),
                2);
    for (int k = 0; k < 9; k++)
        l[k / 3][k % 3] = rate * pressing[k / 3][k % 3];
    for (int k = 0; k < steps; k++)
        CHECK_OK(sw_response_step(r, l, strain / steps / rate / sqrt(square), c, c, mean));
}

static double size_of(const double a[3][3])
{
    double square = 0;
    for (int k = 0; k < 9; k++)
        square += a[k / 3][k % 3] * a[k / 3][k % 3];
    return sqrt(square);
}

static void check_mean(const sw_response_average *a, const sw_response_average *b, double bound)
{
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(a->cauchy_stress[k / 3][k % 3], b->cauchy_stress[k / 3][k % 3],
                    bound * size_of(b->cauchy_stress));
    CHECK_CLOSE(a->slip_resistance, b->slip_resistance, bound * b->slip_resistance);
    CHECK_CLOSE(a->slip_rate, b->slip_rate, bound * b->slip_rate);
}

/* Slowly, fast, slowly: means after each. */
static void through_a_jump(const sw_material *m, const char *homogenization, sw_self_consistent scheme, int n,
                           int alike, sw_response_average mean[3])
{
    sw_crystal crystal[N];
    sw_response *r = open_as(m, homogenization, scheme);
    const sw_crystals c = some_crystals(r, m, n, alike, crystal);
    press(r, &c, 1e-3, 0.005, 10, &mean[0]);
    press(r, &c, 10, 0.005, 10, &mean[1]);
    press(r, &c, 1e-3, 0.005, 10, &mean[2]);
    sw_crystals end = c;
    sw_crystals_release(&end);
    sw_response_close(r);
}

static const struct {
    const char *file;
    double temperature;
} metals[] = {{"aluminium-5182.yaml", 298},
              {"aluminium-5182.yaml", 500},
              {"zirconium-dislocations.yaml", 76},
              {"zirconium-dislocations.yaml", 300}};
enum { METALS = sizeof metals / sizeof *metals };

/* Slips are by what resists as a step begins, Taylor's by what does as it ends: 30 steps of 5e-4 leave less than 1e-4 of that. The jump is seen. */
static void taylor_is_a_limit(void **state)
{
    (void)state;
    for (int i = 0; i < METALS; i++) {
        sw_response_average taylor[3], mean[3];
        const sw_material m = material_at(metals[i].file, metals[i].temperature);
        through_a_jump(&m, "taylor", (sw_self_consistent){0}, N, 0, taylor);
        through_a_jump(&m, "self_consistent", (sw_self_consistent){"neff", 1e-6, "fixed", 1e-7}, N, 0, mean);
        for (int k = 0; k < 3; k++)
            check_mean(&mean[k], &taylor[k], 1e-4);
        assert_true(size_of(taylor[1].cauchy_stress) > 1.02 * size_of(taylor[0].cauchy_stress));
    }
}

/* Crystals that are alike have nothing to share. */
static void crystals_alike_are_themselves(void **state)
{
    (void)state;
    static const char *const names[] = {"sachs", "alamel", "self_consistent"};
    for (int i = 0; i < METALS; i++)
        for (int h = 0; h < 3; h++) {
            sw_response_average taylor[3], mean[3];
            const sw_material m = material_at(metals[i].file, metals[i].temperature);
            through_a_jump(&m, "taylor", (sw_self_consistent){0}, 2, 2, taylor);
            through_a_jump(&m, names[h], (sw_self_consistent){.tolerance = h == 2 ? 1e-7 : 0}, 2, 2, mean);
            for (int k = 0; k < 3; k++)
                check_mean(&mean[k], &taylor[k], 1e-3);
        }
}

/* With rate_of_step a law that knows no rate has the same stress at all, that of a reference rate of ||D||: to the scheme's tolerance. */
static void rate_enters_by_the_law_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"sachs", "alamel", "self_consistent"};
    static const double rate[] = {1e-3, 10};
    for (int h = 0; h < 3; h++) {
        sw_response_average mean[4];
        for (int k = 0; k < 4; k++) {
            sw_crystal crystal[N];
            sw_material m = material_at("copper-ofhc-latent.yaml", NAN);
            m.slip.rate_of_step = k < 2;
            m.slip.reference_slip_rate = k < 2 ? 0.02 : rate[k - 2];
            sw_response *r = open_as(&m, names[h], (sw_self_consistent){.tolerance = h == 2 ? 1e-8 : 0});
            sw_crystals c = some_crystals(r, &m, N, 0, crystal);
            press(r, &c, rate[k % 2], 0.04, 4, &mean[k]);
            mean[k].slip_rate /= rate[k % 2];
            sw_crystals_release(&c);
            sw_response_close(r);
        }
        check_mean(&mean[1], &mean[0], 1e-6);
        assert_true(fabs(size_of(mean[3].cauchy_stress) / size_of(mean[2].cauchy_stress) - 1) < 1e-5);
    }
}

/* ---- A rate that is found ---- */

/* The first D is 45 times what is found: what is found, given, has the same stress, as resistances are by its size. */
static void rates_that_are_found_are_those_of_the_law(void **state)
{
    (void)state;
    static const char *const files[] = {"aluminium-5182.yaml", "zirconium-dislocations.yaml",
                                        "copper-ofhc-latent.yaml"};
    const sw_point_condition condition = {
        .free = 2, .along = {{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}}, {{0, 1, 0}, {1, 0, 0}}}};
    const double guess[1][3][3] = {{{4e-2, 0, 0}, {0, -3.9e-2, 0}, {0, 0, -1e-3}}};
    for (int i = 0; i < 3; i++) {
        sw_crystal crystal[N];
        double found[1][SW_FREE_DIRECTIONS], stress[2][1][6], l[1][3][3];
        sw_material m = material_at(files[i], i < 2 ? 298 : NAN);
        m.slip.rate_of_step = 1;
        sw_response *r = open_as(&m, "self_consistent", (sw_self_consistent){.tolerance = 1e-8});
        sw_crystals c = some_crystals(r, &m, N, 0, crystal);
        sw_points points = {.points = 1,
                            .each = N,
                            .velocity_gradient = guess,
                            .dt = 1e-3,
                            .from = &c,
                            .condition = &condition,
                            .found = found,
                            .stress = stress[0]};
        CHECK_OK(sw_response_step_each(r, &points));
        const double size = fabs(stress[0][0][2]);
        CHECK_CLOSE(stress[0][0][0] - stress[0][0][1], 0, 1e-5 * size);
        CHECK_CLOSE(stress[0][0][5], 0, 1e-5 * size);
        for (int k = 0; k < 9; k++)
            l[0][k / 3][k % 3] = guess[0][k / 3][k % 3] + found[0][0] * condition.along[0][k / 3][k % 3] +
                                 found[0][1] * condition.along[1][k / 3][k % 3];
        assert_true(fabs(l[0][0][0]) < 2e-3);
        points.velocity_gradient = (const double(*)[3][3])l;
        points.condition = NULL;
        points.found = NULL;
        points.stress = stress[1];
        CHECK_OK(sw_response_step_each(r, &points));
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(stress[1][0][k], stress[0][0][k], 1e-5 * size);
        sw_crystals_release(&c);
        sw_response_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taylor_is_a_limit),
        cmocka_unit_test(crystals_alike_are_themselves),
        cmocka_unit_test(rate_enters_by_the_law_alone),
        cmocka_unit_test(rates_that_are_found_are_those_of_the_law),
    };
    omp_set_num_threads(1); /* of so few crystals */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
