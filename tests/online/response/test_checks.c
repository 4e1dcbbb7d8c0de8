/* What a host program gives is refused where it cannot be, and warned of where it is unlikely, as jobs are. */
#include "tests/crystals.h"

#include "slipwave/material_point.h"
#include "slipwave/texture.h"

enum { N = 20 };

static sw_material material;
static const double stretch[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
static const double rate = 1.4142135623730951e-3; /* of it, 1/s */
static char heard[1000];
static int warnings;

static void listen(void *context, sw_notice kind, const char *text)
{
    (void)context;
    warnings += kind == SW_WARNING;
    if (kind == SW_WARNING)
        snprintf(heard, sizeof heard, "%s", text);
}

static sw_response *open_solver(const char *solver)
{
    return opened(&(sw_response_options){.solver = solver, .material = &material});
}

static void randomise(sw_crystal *crystal)
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 1, 0, 16e6F));
}

/* A job's bound; crystals stay as they are. `dt` of nine digits is meant. */
static void large_steps_are_refused(void **state)
{
    (void)state;
    const char *const solvers[] = {"rigid_plastic", "elastoplastic", "iterative"};
    for (int i = 0; i < 3; i++) {
        sw_crystal crystal[N], before[N];
        sw_response_average average;
        sw_response *response = open_solver(solvers[i]);
        randomise(crystal);
        memcpy(before, crystal, sizeof before);
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        assert_int_equal(sw_response_step(response, stretch, 0.11 / rate, &c, &c, &average), SW_ERR_RANGE);
        assert_message_has("a strain ||D|| dt of 0.11 in a step: need at most 0.1");
        assert_int_equal(sw_response_advance(response, stretch, 10 / rate, &c, &c, &average), SW_ERR_RANGE);
        assert_memory_equal(crystal, before, sizeof before);
        CHECK_OK(sw_response_step(response, stretch, 70.7106782, &c, &c, &average));
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* Steps of points are found by searches: theirs may be larger. */
static void large_steps_of_points_have_no_answer(void **state)
{
    (void)state;
    const char *const solvers[] = {"rigid_plastic", "elastoplastic"};
    for (int i = 0; i < 2; i++) {
        sw_crystal crystal[N];
        double stress[2][6];
        const double gradient[2][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                                          {{1e-2, 0, 0}, {0, 0, 0}, {0, 0, -1e-2}}};
        sw_response *response = open_solver(solvers[i]);
        randomise(crystal);
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        const sw_points points = {.points = 2,
                                  .each = N / 2,
                                  .velocity_gradient = gradient,
                                  .dt = 0.051 / rate, /* strains of 0.051 and 0.51 */
                                  .from = &c,
                                  .stress = stress};
        assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
        assert_message_has("10 crystals have no answer");
        assert_true(stress[0][0] > 20e6 && isnan(stress[1][0]));
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* Crystals and strain rates that are none have no answer and no stress, and count once, whatever else they lack; all others
 * as ever. */
static void numbers_that_are_none_have_no_answer(void **state)
{
    (void)state;
    sw_crystal crystal[N];
    float each[N][6] = {{0}}, stress[N][6], spin[N][3], slip_rate[N];
    sw_response *response = open_solver("rigid_plastic");
    randomise(crystal);
    for (int n = 0; n < N; n++) {
        each[n][0] = 1e-3F;
        each[n][2] = -1e-3F;
    }
    each[1][4] = NAN;
    each[2][0] = INFINITY;
    each[3][1] = 3e30F;
    crystal[4].slip_resistance = 0;
    crystal[5].slip_resistance = -16e6F;
    crystal[6].slip_resistance = NAN;
    crystal[7].euler[1] = NAN;
    crystal[8].euler[0] = INFINITY;
    assert_int_equal(
        sw_response_evaluate_each(response, N, (const float(*)[6])each, crystal, stress, spin, slip_rate),
        SW_ERR_CONVERGENCE);
    assert_message_has("8 crystals have no answer");
    for (int n = 0; n < N; n++)
        assert_true(n >= 1 && n <= 8 ? isnan(stress[n][0]) : stress[n][0] > 10e6F);
    assert_int_equal(sw_response_evaluate(response, stretch, N, crystal, stress, spin, slip_rate),
                     SW_ERR_CONVERGENCE);
    assert_message_has("5 crystals have no answer");
    sw_response_close(response);
    const char *const solvers[] = {"rigid_plastic", "elastoplastic"};
    for (int i = 0; i < 2; i++) {
        double six[1][6];
        float weight[N];
        sw_response_average average;
        response = open_solver(solvers[i]);
        sw_crystals c = crystals_of(response, N, crystal, NULL);
        for (int n = 0; n < N; n++)
            weight[n] = n == 7 || n == 9 ? NAN : 1;
        c.weight = weight;
        const sw_points points = {
            .points = 1, .each = N, .velocity_gradient = &stretch, .dt = 10, .from = &c, .stress = six};
        assert_int_equal(sw_response_step_each(response, &points), SW_ERR_CONVERGENCE);
        assert_message_has("6 crystals have no answer");
        c.weight = NULL;
        assert_int_equal(sw_response_step(response, stretch, 10, &c, NULL, &average), SW_ERR_CONVERGENCE);
        assert_message_has("5 crystals have no answer");
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

/* Among arrays of a call, of which some are written. */
static void shared_memory_is_refused(void **state)
{
    (void)state;
    static struct {
        sw_crystal crystal[N];
        float stress[N][6], spin[N][3], slip_rate[N], each[N][6];
    } a;
    double six[N][6], angles[N][3] = {{0}}, up[1][3] = {{0, 0, 1}};
    sw_response_average average;
    sw_response *response = open_solver("rigid_plastic");
    randomise(a.crystal);
    assert_int_equal(
        sw_response_evaluate(response, stretch, N, a.crystal, a.stress, (float(*)[3])a.stress, a.slip_rate),
        SW_ERR_RANGE);
    assert_message_has("stress and plastic_spin share memory");
    assert_int_equal(
        sw_response_evaluate(response, stretch, N, a.crystal, a.stress, a.spin, &a.spin[N - 1][2]),
        SW_ERR_RANGE);
    assert_message_has("plastic_spin and slip_rate share memory");
    assert_int_equal(sw_response_evaluate_each(response, N, (const float(*)[6])a.each, a.crystal, a.each,
                                               a.spin, a.slip_rate),
                     SW_ERR_RANGE);
    assert_message_has("stress and strain_rate share memory");
    assert_int_equal(
        sw_response_evaluate(response, stretch, N, a.crystal, a.stress, a.spin, (float *)a.crystal),
        SW_ERR_RANGE);
    assert_message_has("slip_rate and crystals share memory");
    sw_crystals c = crystals_of(response, N, a.crystal, a.crystal[0].euler);
    assert_int_equal(sw_response_step(response, stretch, 10, &c, &c, &average), SW_ERR_RANGE);
    assert_message_has("crystals and weights share memory");
    sw_points points = {.points = 1,
                        .each = N,
                        .velocity_gradient = &stretch,
                        .dt = 10,
                        .from = &c,
                        .stress = six,
                        .slip_rate = &six[0][5]};
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
    assert_message_has("stress and slip_rate share memory");
    points.slip_rate = NULL;
    c.weight = &a.crystal[3].slip_resistance;
    CHECK_OK(sw_response_step_each(response, &points)); /* tried: both are read */
    points.to = &c;
    assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
    assert_message_has("crystals and weight share memory");
    assert_int_equal(sw_crystals_copy(SW_CPU, N - 1, a.crystal + 1, a.crystal), SW_ERR_RANGE);
    assert_int_equal(sw_pole_figure(&sw_point_group_432, N, (const double(*)[3])angles, NULL,
                                    (double[]){1, 1, 1}, 10, 1, (const double(*)[3])up, angles[3]),
                     SW_ERR_RANGE);
    assert_message_has("what is computed and euler share memory");
    c.n = -1;
    const sw_crystals *const ends[] = {&c, NULL};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sw_response_step(response, stretch, 10, &c, ends[k], &average), SW_ERR_RANGE);
        assert_message_has("-1 crystals: need 0 or more");
    }
    sw_response_close(response);
}

/* In every call, before anything is written, however often; between steps a resistance may have grown as far as its
 * material lets it, and what is no number has no answer (above). */
static void impossible_crystals_are_refused_in_calls(void **state)
{
    (void)state;
    static const struct {
        sw_crystal crystal;
        const char *says;
    } cases[] = {
        {{{0, 0, 0}, 1e12F}, "crystal 5: slip resistance = 1e+12 Pa: need > 0, and at most 1e+11"},
        {{{1e8F, 0, 0}, 16e6F}, "crystal 5: an angle of 1e+08: angles are in rad: need at most 1000"},
        {{{0, 0, -1001}, 16e6F}, "crystal 5: an angle of 1001"}};
    sw_listen(listen, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal crystal[N], before[N];
        float each[N][6] = {{0}}, stress[N][6] = {{7}}, spin[N][3], slip_rate[N];
        double six[1][6] = {{7}};
        sw_response_average average;
        sw_response *response = open_solver("rigid_plastic");
        randomise(crystal);
        crystal[5] = cases[i].crystal;
        memcpy(before, crystal, sizeof before);
        const sw_crystals c = sw_crystals_alone(response, N, crystal);
        const sw_points points = {.points = 1,
                                  .each = N,
                                  .velocity_gradient = &stretch,
                                  .dt = 10,
                                  .from = &c,
                                  .to = &c,
                                  .stress = six};
        warnings = 0;
        for (int again = 0; again < 2; again++) {
            const sw_status answer[] = {
                sw_response_step(response, stretch, 10, &c, &c, &average),
                sw_response_advance(response, stretch, 10, &c, &c, &average),
                sw_response_evaluate_mean(response, stretch, &c, &average),
                sw_response_evaluate(response, stretch, N, crystal, stress, spin, slip_rate),
                sw_response_evaluate_each(response, N, (const float(*)[6])each, crystal, stress, spin,
                                          slip_rate),
                sw_response_step_each(response, &points)};
            for (size_t k = 0; k < sizeof answer / sizeof *answer; k++)
                assert_int_equal(answer[k], SW_ERR_RANGE);
            assert_message_has(cases[i].says);
        }
        assert_int_equal(warnings, 0);
        assert_true(stress[0][0] == 7 && six[0][0] == 7);
        assert_memory_equal(crystal, before, sizeof before);
        sw_response_close(response);
    }
    sw_listen(NULL, NULL);
    const double far[1][3] = {{0, 0, 1e8}}, here[1][3] = {{0, 0, 0}}, up[1][3] = {{0, 0, 1}};
    double density;
    const sw_point_group *cubic = &sw_point_group_432;
    assert_int_equal(sw_pole_figure(cubic, 1, far, NULL, (double[]){1, 1, 0}, 10, 1, up, &density),
                     SW_ERR_RANGE);
    assert_message_has("crystal 0: an angle of 1e+08");
    assert_int_equal(sw_odf(cubic, 1, here, NULL, SW_SAMPLE_TRICLINIC, 10, 1, far, &density), SW_ERR_RANGE);
    assert_message_has("point 0: an angle of 1e+08");
    assert_int_equal(sw_disorientation(cubic, 1, here, SW_SAMPLE_TRICLINIC, far[0], &density), SW_ERR_RANGE);
    assert_message_has("reference 0: an angle of 1e+08");
}

static void resistances_grow_as_far_as_their_material_lets_them(void **state)
{
    (void)state;
    sw_material hard = material;
    hard.hardening.voce.saturation_resistance = 1e12;
    const sw_response_options options = {.solver = "rigid_plastic", .material = &hard};
    sw_response *response, *soft = open_solver("rigid_plastic");
    sw_crystal one = {{0.1F, 0.2F, 0.3F}, 5e11F};
    sw_response_average average;
    const sw_material *of = &hard;
    double stress[1][6];
    CHECK_OK(sw_response_open(&options, &response));
    const sw_crystals c = sw_crystals_alone(response, 1, &one);
    const sw_points points = {.points = 1,
                              .each = 1,
                              .velocity_gradient = &stretch,
                              .dt = 10,
                              .from = &c,
                              .material = &of,
                              .stress = stress};
    CHECK_OK(sw_response_step(response, stretch, 10, &c, &c, &average));
    CHECK_OK(sw_response_step_each(soft, &points));
    sw_response_close(response);
    sw_response_close(soft);
}

/* Up to the largest angle allowed: single precision has them to 1e-4 rad, and the slope of a stress by an angle is of
 * its own size. */
static void whole_turns_change_nothing(void **state)
{
    (void)state;
    const double turn = 6.283185307179586;
    const char *const solvers[] = {"rigid_plastic", "elastoplastic", "iterative"};
    sw_listen(listen, NULL);
    for (int i = 0; i < 3; i++)
        for (int angle = 0; angle < 3; angle++)
            for (int turns = -100; turns <= 100; turns += 200) {
                sw_crystal crystal[N];
                sw_response_average mean[2];
                for (int k = 0; k < 2; k++) {
                    sw_response *response = open_solver(solvers[i]);
                    randomise(crystal);
                    for (int n = 0; n < N && k == 1; n++)
                        crystal[n].euler[angle] = (float)(crystal[n].euler[angle] + turns * turn);
                    sw_crystals c = crystals_of(response, N, crystal, NULL);
                    CHECK_OK(sw_response_advance(response, stretch, 0.05 / rate, &c, &c, &mean[k]));
                    sw_crystals_release(&c);
                    sw_response_close(response);
                }
                for (int k = 0; k < 3; k++)
                    CHECK_CLOSE(mean[1].cauchy_stress[k][k], mean[0].cauchy_stress[k][k], 1e-4 * 50e6);
            }
    sw_listen(NULL, NULL);
}

/* Once a response. */
static void unlikely_units_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        float angle, slip_resistance;
        const char *says;
    } cases[] = {{45, 16e6F, "crystal 0: an angle of 45: angles are in rad, and this is more than two turns"},
                 {-13, 16e6F, "an angle of 13"},
                 {1, 16, "crystal 0: slip resistance = 16 Pa: less than 10000: is it in MPa?"},
                 {1, 200e6F, "above the 1.48e+08 that copper saturates at"},
                 {12.5F, 16e6F, NULL},
                 {1, 1e4F, NULL}};
    sw_listen(listen, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sw_crystal one = {{0.5F, cases[i].angle, 0}, cases[i].slip_resistance};
        sw_crystal stepped = one;
        sw_response_average average;
        sw_response *response = open_solver("rigid_plastic");
        const sw_crystals c = sw_crystals_alone(response, 1, &stepped);
        const int all = cases[i].says != NULL;
        warnings = 0;
        CHECK_OK(sw_response_evaluate_mean(response, stretch, &c, &average));
        CHECK_OK(sw_response_step(response, stretch, 10, &c, &c, &average));
        assert_int_equal(warnings, all);
        if (all && strstr(heard, cases[i].says) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].says, heard);
        warnings = 0;
        CHECK_OK(sw_crystals_verify(1, &one));
        assert_int_equal(warnings, all && one.slip_resistance < 100e6F); /* of no material */
        sw_response_close(response);
    }
    double density;
    const double degrees[2][3] = {{0, 0, 0}, {0, 45, 0}}, up[1][3] = {{0, 0, 1}};
    warnings = 0;
    CHECK_OK(sw_pole_figure(&sw_point_group_432, 2, degrees, NULL, (double[]){1, 1, 0}, 10, 1, up, &density));
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(heard, "crystal 1: an angle of 45"));
    warnings = 0;
    CHECK_OK(
        sw_odf(&sw_point_group_432, 1, degrees, NULL, SW_SAMPLE_TRICLINIC, 10, 1, &degrees[1], &density));
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(heard, "point 0: an angle of 45"));
    CHECK_OK(sw_disorientation(&sw_point_group_432, 1, degrees, SW_SAMPLE_TRICLINIC, degrees[1], &density));
    assert_int_equal(warnings, 2);
    assert_non_null(strstr(heard, "reference 0: an angle of 45"));
    sw_listen(NULL, NULL);
}

/* Numbers that are none are refused, or without an answer: no unit makes them right. */
static void no_unit_is_asked_for_where_there_is_no_number(void **state)
{
    (void)state;
    const sw_crystal none[3] = {{{0, 0, 0}, NAN}, {{INFINITY, 0, 0}, 16e6F}, {{NAN, 0, 0}, 16e6F}};
    const double at[3] = {INFINITY, 0, 0};
    double density;
    warnings = 0;
    sw_listen(listen, NULL);
    for (int i = 0; i < 3; i++) {
        sw_crystal stepped = none[i];
        sw_response_average average;
        sw_response *response = open_solver("rigid_plastic");
        const sw_crystals c = sw_crystals_alone(response, 1, &stepped);
        assert_int_equal(sw_response_step(response, stretch, 10, &c, &c, &average), SW_ERR_CONVERGENCE);
        sw_response_close(response);
    }
    assert_int_equal(sw_odf(&sw_point_group_432, 1, &at, NULL, SW_SAMPLE_TRICLINIC, 10, 1, &at, &density),
                     SW_ERR_RANGE);
    assert_int_equal(warnings, 0);
    sw_listen(NULL, NULL);
}

static void crystals_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        sw_crystal crystal;
        const char *says;
    } cases[] = {
        {{{0, NAN, 0}, 16e6F}, "crystal 1: need finite angles"},
        {{{INFINITY, 0, 0}, 16e6F}, "crystal 1: need finite angles"},
        {{{0, 0, 0}, 0}, "crystal 1: slip resistance = 0 Pa: need > 0"},
        {{{0, 0, 0}, -1}, "slip resistance = -1 Pa"},
        {{{0, 0, 0}, NAN}, "slip resistance = nan Pa"},
        {{{0, 0, 0}, 2e11F}, "need > 0, and at most 1e+11"},
        {{{0, -1e8F, 0}, 1e6F}, "crystal 1: an angle of 1e+08: angles are in rad: need at most 1000"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sw_crystal two[2] = {{{0, 0, 0}, 16e6F}, cases[i].crystal};
        assert_int_equal(sw_crystals_verify(2, two), SW_ERR_RANGE);
        assert_message_has(cases[i].says);
    }
    /* and where they are stepped, though the first is warned of */
    sw_response *response = open_solver("rigid_plastic");
    for (size_t i = sizeof cases / sizeof *cases - 2; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal two[2] = {{{45, 0, 0}, 16e6F}, cases[i].crystal};
        const sw_crystals c = sw_crystals_alone(response, 2, two);
        sw_response_average average;
        float six[2][6], three[2][3], one[2];
        const sw_points points = {.points = 1, .each = 2, .velocity_gradient = &stretch, .dt = 1, .from = &c};
        for (int k = 0; k < 2; k++) { /* warned of before, too */
            assert_int_equal(sw_response_step(response, stretch, 10, &c, &c, &average), SW_ERR_RANGE);
            assert_message_has(cases[i].says);
            assert_int_equal(sw_response_step_each(response, &points), SW_ERR_RANGE);
            assert_int_equal(sw_response_evaluate(response, stretch, 2, two, six, three, one), SW_ERR_RANGE);
            assert_message_has(cases[i].says);
        }
    }
    sw_response_close(response);
    sw_crystal some[2];
    assert_int_equal(sw_crystals_randomise(SW_CPU, 2, some, 1, 0, -5), SW_ERR_RANGE);
    assert_message_has("random crystals: slip resistance = -5 Pa");
    assert_int_equal(sw_crystals_randomise(SW_CPU, 2, some, 1, 0, NAN), SW_ERR_RANGE);
}

/* A point's model, of a file: as its job. */
static void points_of_other_codes_are_checked(void **state)
{
    (void)state;
    sw_point_model *model;
    sw_point_options options = {
        .material = data_path("materials/copper-ofhc.yaml"), .crystals = 3, .initial_slip_resistance = 150e6};
    assert_int_equal(sw_point_model_open(&options, &model), SW_ERR_RANGE);
    assert_message_has(
        "initial_slip_resistance = 1.5e+08 Pa: need less than the 1.48e+08 Pa that OFHC copper "
        "saturates at");
    options.initial_slip_resistance = 0;
    CHECK_OK(sw_point_model_open(&options, &model));
    const double f[2][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                               {{1.001, 0, 0}, {0, 1, 0}, {0, 0, 1 / 1.001}}};
    double numbers[100], stress[6];
    CHECK_OK(sw_point_begin(model, 0, numbers));
    sw_point_update update = {.points = 1,
                              .dt = 1,
                              .old_gradient = &f[0],
                              .new_gradient = &f[1],
                              .old_state = numbers,
                              .new_state = numbers,
                              .stress = &stress};
    CHECK_OK(sw_point_advance(model, &update)); /* a state may become the next one */
    update.stress = (double(*)[6])(numbers + 2);
    assert_int_equal(sw_point_advance(model, &update), SW_ERR_RANGE);
    assert_message_has("new_state and stress share memory");
    update.stress = NULL;
    update.new_state = numbers + 1;
    assert_int_equal(sw_point_advance(model, &update), SW_ERR_RANGE);
    assert_message_has("new_state and old_state share memory");
    sw_point_model_close(model);
}

static int set_up(void **state)
{
    (void)state;
    material = copper();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_steps_are_refused),
        cmocka_unit_test(large_steps_of_points_have_no_answer),
        cmocka_unit_test(numbers_that_are_none_have_no_answer),
        cmocka_unit_test(shared_memory_is_refused),
        cmocka_unit_test(impossible_crystals_are_refused_in_calls),
        cmocka_unit_test(resistances_grow_as_far_as_their_material_lets_them),
        cmocka_unit_test(whole_turns_change_nothing),
        cmocka_unit_test(unlikely_units_are_warned_of),
        cmocka_unit_test(no_unit_is_asked_for_where_there_is_no_number),
        cmocka_unit_test(crystals_that_cannot_be_are_refused),
        cmocka_unit_test(points_of_other_codes_are_checked),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
