/* Steps of a loading: how many there are, how long each is. */
#include "tests/test.h"

#include "online/loading/loading.h"

/* ||D|| = sqrt(2) 1e-3: 3.5 increments of 0.02, one that is a whole number of them, and less than one. */
static const sw_loading segments[] = {
    {.velocity_gradient = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}, .duration = 50},
    {.velocity_gradient = {{0, 2e-3, 0}, {0, 0, 0}, {0, 0, 0}}, .duration = 60 / 1.4142135623730951},
    {.velocity_gradient = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0}}, .duration = 1e-3}};

static void steps_are_counted(void **state)
{
    (void)state;
    static const double expected[] = {4, 3, 1};
    for (int i = 0; i < 3; i++)
        assert_true(sw_loading_steps(&segments[i], 0.02) == expected[i]);
    assert_true(sw_loading_total_steps(3, segments, 0.02) == 8);
    assert_true(sw_loading_total_steps(0, segments, 0.02) == 0);
}

/* Each segment ends at its duration; a step's strain is the increment but for the last one's of a segment. */
static void steps_fill_their_segments(void **state)
{
    (void)state;
    sw_loading_walk walk = sw_loading_begin(3, segments, 0.02);
    double dt, strain, time[3] = {0};
    unsigned segment, before = 0;
    int count[3] = {0};
    while (sw_loading_next(&walk, &segment, &dt, &strain)) {
        assert_in_range(segment, before, 2);
        before = segment;
        count[segment]++;
        time[segment] += dt;
        assert_true(dt > 0 && strain <= 0.02 * (1 + 1e-12));
        if (count[segment] < (int)sw_loading_steps(&segments[segment], 0.02))
            CHECK_CLOSE(strain, 0.02, 1e-15);
    }
    assert_int_equal(sw_loading_next(&walk, &segment, &dt, &strain), 0); /* it stays at the end */
    for (int i = 0; i < 3; i++) {
        assert_int_equal(count[i], (int)sw_loading_steps(&segments[i], 0.02));
        CHECK_CLOSE(time[i], segments[i].duration, 1e-13 * segments[i].duration);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(steps_fill_their_segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
