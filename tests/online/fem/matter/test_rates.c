/* Rates of plastic strain: stresses in tension against closed forms of Cowper and Symonds, Johnson and Cook, and tables. */
#include "materials.h"

static sw_matter_curve straight[1] = {{.n_rows = 2, .row = (double[2][2]){{0, 250}, {1, 1250}}}};
static sw_matter_curve ratios[2] = {
    {.temperature = 0, .n_rows = 3, .row = (double[3][2]){{0, 1}, {1, 1.2}, {10, 1.5}}},
    {.temperature = 100, .n_rows = 2, .row = (double[2][2]){{0, 1}, {1, 1.4}}}};

#define COOK .cook = ROW(6, 250, 400, 0.3, 0.9, 1500, 300)
static sw_matter cowper = {STEEL, .n_curves = 1, .curve = straight, .rate_law = SW_MATTER_POWER_RATE,
                           .rate = {2, 2, (double[]){0, 100}, (double[]){40, 5, 80, 3}}},
                 cook = {STEEL, COOK, .rate_law = SW_MATTER_LOG_RATE, .rate = ROW(2, 0.03, 1e-3)},
                 table = {STEEL,         .n_curves = 1,  .curve = straight, .rate_law = SW_MATTER_TABLE_RATE,
                          .n_ratios = 2, .ratio = ratios},
                 shape = {STEEL,
                          .n_curves = 1,
                          .curve = straight,
                          .rate_law = SW_MATTER_POWER_RATE,
                          .rate = ROW(2, 40, 5),
                          .yield = {.function = &sw_yield_functions[SW_YIELD_YLD2004_18P],
                                    .coefficient = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                    .exponent = 8}};

static double ratio_of(const sw_matter *matter, double temperature, double rate)
{
    if (matter == &cook)
        return rate > 1e-3 ? 1 + 0.03 * log(rate / 1e-3) : 1;
    if (matter == &cowper && temperature == 50)
        return 1 + pow(rate / 60, 1.0 / 4);
    if (matter == &table && temperature == 50)
        return rate < 1 ? 1 + 0.3 * rate : rate < 10 ? 0.5 * (1.2 + (rate - 1) / 30 + 1.4) : 1.45;
    return 1 + pow(rate / 40, 1.0 / 5);
}

static double static_of(const sw_matter *matter, double temperature, double p)
{
    if (matter != &cook)
        return 250 + 1000 * p;
    const double t = temperature <= 300 ? 0 : (temperature - 300) / 1200;
    return (250 + 400 * pow(p, 0.3)) * (1 - pow(t, 0.9));
}

/* The stress is that of the strain which is left, and that of the law at the increment's plastic strain and rate. */
static void check(sw_matter *matter, double temperature)
{
    for (double dt = 1e-6; dt < 1e6; dt *= 10) {
        double across = 0, before = 0;
        history h;
        begin(&h, matter);
        h.point.temperature = temperature;
        h.point.dt = dt;
        for (int step = 1; step <= 3; step++) {
            const double stress = pull(&h, 0.02 * step, &across), p = h.new_state[0];
            const double law =
                static_of(matter, temperature, p) * ratio_of(matter, temperature, (p - before) / dt);
            CHECK_CLOSE(stress, 200e3 * (0.02 * step - p), 1e-6);
            CHECK_CLOSE(p > before ? stress / law : 1, 1, 1e-9);
            before = p;
            accept(&h);
        }
        assert_true(dt < 1e-3 || before > 0.04);
    }
}

static void test_closed_forms(void **state)
{
    (void)state;
    check(&cowper, 50);
    check(&table, 50);
    check(&shape, 20);
    check(&cook, 20);
    check(&cook, 900);
    check(&cook, 1490);
}

/* Without time the static stress; melted next to nothing. */
static void test_ends(void **state)
{
    (void)state;
    double across = 0;
    history h;
    begin(&h, &cowper);
    CHECK_CLOSE(pull(&h, 0.02, &across), (250 + 1000 * 0.02) / (1 + 1000 / 200e3), 1e-7);
    begin(&h, &cook);
    h.point.temperature = 2000;
    h.point.dt = 1;
    set_strain(&h, (double[6]){0.02, -0.01, -0.01});
    CHECK_OK(try_point(&h));
    CHECK_CLOSE(h.answer.stress[0] - h.answer.stress[1], 0, 1e-2);
}

static void refuse(sw_matter matter, const char *says)
{
    assert_int_equal(sw_matter_prepare(&matter, "deck.inp"), SW_ERR_INPUT);
    if (strstr(sw_error_message(), says) == NULL)
        fail_msg("wanted '%s', got '%s'", says, sw_error_message());
}

static void test_refused(void **state)
{
    (void)state;
    sw_matter slow = cowper, kinematic = cowper, bare = cowper, fall = table, hot = cook;
    slow.rate = ROW(2, 0, 5);
    refuse(slow, "rate dependence: D 0, n 5: need > 0, > 0");
    kinematic.hardening = SW_MATTER_HARDENS_KINEMATIC;
    refuse(kinematic, "rate dependence with kinematic hardening");
    bare.n_curves = 0;
    refuse(bare, "rate dependence: need *PLASTIC");
    sw_matter_curve falls[1] = {{.n_rows = 2, .row = (double[2][2]){{0, 1}, {1, 0.9}}}};
    fall.n_ratios = 1;
    fall.ratio = falls;
    refuse(fall, "ratio 0.9 after 1: need it not to fall");
    hot.cook = ROW(6, 250, 400, 0.3, 0.9, 300, 300);
    refuse(hot, "melting at 300, transition at 300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
