/* What the library says of a history that moves nothing, and when it says nothing; and what it makes of particles that it
 * is given. */
#include "tests/test.h"

#include "online/kwn/job/alloy_file.h"
#include "online/kwn/backend/backend.h"

static int frozen, cold;

static void listen(void *context, sw_notice kind, const char *text)
{
    (void)context;
    if (kind == SW_WARNING) {
        frozen += strstr(text, "no solute has moved") != NULL;
        cold += strstr(text, "nothing moves") != NULL;
    }
}

/* Two points under knots of two temperatures each, K. */
static void run(int n, const double *time, const float *temperature)
{
    const sw_kwn_options options = sw_kwn_defaults();
    sw_kwn_alloy alloy;
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_alloy_read(data_path("alloys/al-sc.yaml"), &alloy));
    frozen = cold = 0;
    sw_listen(listen, NULL);
    CHECK_OK(sw_kwn_open(&alloy, &options, 2, NULL, temperature[0], &kwn));
    CHECK_OK(sw_kwn_advance(kwn, n, time, temperature, 1));
    sw_kwn_close(kwn);
    sw_listen(NULL, NULL);
}

/* Nowhere and never warm for longer than a moment; each knot counts with its own temperature. */
static void what_moves_nothing_is_told(void **state)
{
    (void)state;
    const double time[3] = {0, 1e-6, 8000};
    run(3, time, (const float[]){260, 260, 260, 260, 260, 260});
    assert_int_equal(frozen, 1);
    run(3, time, (const float[]){600, 260, 260, 260, 260, 260}); /* a microsecond of heat */
    assert_int_equal(frozen, 1);
    run(3, time, (const float[]){260, 260, 260, 260, 260, 700}); /* one of the points */
    assert_int_equal(frozen, 0);
    run(3, time, (const float[]){260, 260, 600, 260, 600, 260});
    assert_int_equal(frozen, 0);
    assert_int_equal(cold, 0);
    run(2, time, (const float[]){260, 260, 260, 260}); /* of a moment nobody expects it */
    assert_int_equal(frozen, 0);
    run(3, time, (const float[]){300, 300, 300, 300, 300, 180}); /* the last number of all */
    assert_int_equal(cold, 1);
}

/* Sums over classes, by hand: number, radii, and obstacles, which count up to their radius over the shearable one. */
static void given_particles_are_summed(void **state)
{
    (void)state;
    const sw_kwn_options options = sw_kwn_defaults();
    const double scale = 20e-9;
    static double number[4096];
    double sum = 0, radii = 0, obstacles = 0, volume = 0;
    sw_kwn_alloy alloy;
    sw_kwn_point point;
    sw_kwn *kwn;
    CHECK_OK(sw_kwn_alloy_read(data_path("alloys/al-mg-si-6082.yaml"), &alloy));
    CHECK_OK(sw_kwn_open(&alloy, &options, 1, NULL, 450, &kwn));
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    int sheared = 0;
    for (int32_t i = 0; i < axis->n; i++) {
        const double r = axis->pivot[i] * scale, part = r / alloy.phase[0].shearable_radius;
        number[i] = 1e16 * (1 + i % 7);
        sum += number[i];
        radii += number[i] * r;
        volume += number[i] * 4.18879020478639 * r * r * r;
        obstacles += number[i] * (part < 1 ? part : 1);
        sheared += part < 1;
    }
    assert_true(sheared > 10 && sheared < axis->n - 10);
    CHECK_OK(sw_kwn_set_distribution(kwn, 0, 0, scale, number));
    CHECK_OK(sw_kwn_read(kwn, 0, 1, &point));
    CHECK_CLOSE(point.phase[0].scale, scale, 1e-15 * scale);
    CHECK_CLOSE(point.phase[0].number, sum, 1e-12 * sum);
    CHECK_CLOSE(point.phase[0].radius_sum, radii, 1e-12 * radii);
    CHECK_CLOSE(point.phase[0].obstacle_sum, obstacles, 1e-12 * obstacles);
    CHECK_CLOSE(point.phase[0].fraction, volume, 1e-11 * volume);
    sw_kwn_close(kwn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_moves_nothing_is_told),
                                       cmocka_unit_test(given_particles_are_summed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
