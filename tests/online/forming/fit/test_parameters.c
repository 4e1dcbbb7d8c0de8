/* Parameters by their keys in material files, and the free numbers that stand for them. */
#include "tests/test.h"

#include "common/crystal/material_file.h"
#include "online/forming/fit/parameters.h"

typedef struct {
    sw_fit_sought *parameters;
    unsigned parameters_count;
} list;

static const sw_key keys[] = {{SW_ENTRIES("parameters", list, parameters, sw_fit_sought_keys)}, SW_KEYS_END};

/* The parameter of a one-line job; its status. */
static sw_status find(const char *entry, const sw_material *material, sw_fit_parameter *parameter)
{
    char text[256];
    sw_job *job;
    void *values;
    snprintf(text, sizeof text, "parameters:\n  - %s\n", entry);
    CHECK_OK(sw_job_parse(keys, sizeof(list), "job.yaml", text, &job, &values));
    const sw_status status =
        sw_fit_parameter_of(job, "parameters", 0, ((list *)values)->parameters, material, parameter);
    sw_job_close(job);
    return status;
}

/* Every number of the law's section that the law needs, and s0. */
static void a_law_has_its_keys(void **state)
{
    (void)state;
    const sw_material m = copper();
    sw_fit_parameter p;
    CHECK_OK(find("{key: hardening.initial_hardening_rate}", &m, &p));
    CHECK_CLOSE(sw_fit_value(&p, &m), 180e6, 0);
    assert_true(p.least == 1e4 && p.most == 1e13 && p.logarithmic);
    CHECK_OK(find("{key: hardening.saturation_resistance}", &m, &p));
    CHECK_CLOSE(sw_fit_value(&p, &m), 148e6, 0);
    CHECK_OK(find("{key: slip.initial_slip_resistance}", &m, &p));
    CHECK_CLOSE(sw_fit_value(&p, &m), 16e6, 0);
    CHECK_OK(find("{key: hardening.exponent, least: 1.5, most: 3}", &m, &p));
    assert_true(p.least == 1.5 && p.most == 3 && p.unit == NULL);
    static const char *const none[] = {
        "hardening.law", "hardening", "slip.rate_sensitivity", "elasticity.C11", "name", "hardening.", ".",
        "exponent"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        char entry[64];
        snprintf(entry, sizeof entry, "{key: %s}", none[k]);
        assert_int_equal(find(entry, &m, &p), SW_ERR_INPUT);
        assert_message_has("job.yaml:2: parameters[0].key");
        assert_message_has("hardening.saturation_resistance, hardening.exponent");
    }
}

static void bounds_are_checked(void **state)
{
    (void)state;
    const sw_material m = copper();
    sw_fit_parameter p;
    static const char *const bad[][2] = {
        {"{key: hardening.exponent, least: 0.9}", "least = 0.9: need from 1 to 100"},
        {"{key: hardening.exponent, most: 1000}", "most = 1000: need from 1 to 100"},
        {"{key: hardening.exponent, most: 2}", "the material has 2.25"},
        {"{key: hardening.exponent, least: 2.25}", "the material has 2.25"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(find(bad[k][0], &m, &p), SW_ERR_INPUT);
        assert_message_has(bad[k][1]);
    }
}

/* Any x is a value within the bounds, and the same x again; the slope is that of differences, whose error is that of h^2
 * over the width of the bounds squared, and of rounding over h. In the middle dx is d ln(value). */
static void free_numbers_stay_within(void **state)
{
    (void)state;
    const sw_fit_parameter all[] = {{.least = 1e4, .most = 1e13, .logarithmic = 1},
                                    {.least = 1, .most = 2, .logarithmic = 1},
                                    {.least = -3, .most = 5}};
    for (int k = 0; k < 3; k++) {
        const sw_fit_parameter *p = &all[k];
        for (double x = -3; x <= 3; x += 0.25) {
            const double value = sw_fit_value_at(p, x), h = 1e-5;
            assert_true(value > p->least && value < p->most);
            CHECK_CLOSE(sw_fit_x_of(p, value), x, 1e-9 * exp(fabs(4 * x / (k == 0 ? 20 : 0.69))));
            const double slope = sw_fit_slope_at(p, x),
                         by_differences = (sw_fit_value_at(p, x + h) - sw_fit_value_at(p, x - h)) / (2 * h);
            CHECK_CLOSE(by_differences, slope, 1e-6 * fabs(slope) + 1e-10 * fabs(value));
        }
        assert_true(sw_fit_value_at(p, 1e9) <= p->most && sw_fit_value_at(p, -1e9) >= p->least);
    }
    const double middle = sqrt(1e4 * 1e13);
    CHECK_CLOSE(sw_fit_slope_at(all, sw_fit_x_of(all, middle)) / middle, 1, 1e-12);
    CHECK_CLOSE(sw_fit_place_of(all, middle), 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_has_its_keys),
        cmocka_unit_test(bounds_are_checked),
        cmocka_unit_test(free_numbers_stay_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
