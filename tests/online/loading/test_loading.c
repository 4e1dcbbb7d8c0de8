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
    sw_loading_walk walk = sw_loading_begin(3, segments, 1, 0.02);
    double dt, strain, time[3] = {0};
    unsigned segment, before = 0;
    int count[3] = {0};
    while (sw_loading_next(&walk, &segment, &dt, &strain)) {
        sw_loading_pass(&walk);
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

/* Equal steps where an entry says how many; a given component's strain is reached in whole steps of its time. */
static void steps_are_as_an_entry_says(void **state)
{
    (void)state;
    static const sw_loading g[] = {
        {.velocity_gradient = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}, .duration = 50, .steps = 7},
        {.velocity_gradient = {{1e-3, 0, 0}, {0, 0, 4e-4}, {0, 0, -1e-3}},
         .duration = 500,
         .until = SW_UNTIL_STRAIN,
         .component = 3,
         .goal = 0.01}};
    sw_loading_walk walk = sw_loading_begin(2, g, 1, 0.02);
    double dt, strain, time[2] = {0};
    unsigned segment;
    int count[2] = {0};
    assert_true(sw_loading_total_steps(2, g, 0.02) == 7 + 4); /* ||D|| 50 s = 0.072 */
    for (; sw_loading_next(&walk, &segment, &dt, &strain); sw_loading_pass(&walk)) {
        if (segment == 0)
            CHECK_CLOSE(dt, 50.0 / 7, 1e-13);
        time[segment] += dt;
        count[segment]++;
    }
    CHECK_CLOSE(time[0], 50, 1e-12);
    CHECK_CLOSE(time[1], 0.01 / 2e-4, 1e-12);
    assert_int_equal(count[0], 7);
    assert_int_equal(count[1], 4);
}

/* A hold's steps grow evenly, to ten thousand times the first, and fill its time. */
static void holds_begin_with_short_steps(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        const sw_loading hold = {
            .velocity_gradient = {{0, 0, 0}, {0, NAN, 0}, {0, 0, NAN}}, .duration = 3600, .steps = k};
        sw_loading_walk walk = sw_loading_begin(1, &hold, 1, 0.02);
        double dt, strain, time = 0, first = 0, before = 0, ratio = 0;
        unsigned segment;
        int count = 0;
        assert_true(sw_loading_is_hold(&hold));
        for (; sw_loading_next(&walk, &segment, &dt, &strain); sw_loading_pass(&walk)) {
            if (count == 0)
                first = dt;
            else if (count > 1)
                CHECK_CLOSE(dt / before, ratio, 1e-9);
            ratio = dt / before;
            before = dt;
            time += dt;
            count++;
            assert_true(strain == 0);
        }
        assert_int_equal(count, k == 0 ? SW_HOLD_STEPS : k);
        CHECK_CLOSE(time, 3600, 1e-9);
        if (count > 1)
            CHECK_CLOSE(before / first, SW_HOLD_GROWTH, 1e-6);
    }
}

/* A walk ends an entry when it is told to, goes through all again, and from a place that was kept as without a
 * stop. */
static void walks_end_entries_repeat_and_go_on(void **state)
{
    (void)state;
    sw_loading_walk walk = sw_loading_begin(3, segments, 2, 0.02), other;
    static const unsigned expected[] = {0, 0, 1, 1, 1, 2, 0, 0, 0, 0, 1, 1, 1, 2};
    enum { TAKEN = sizeof expected / sizeof *expected };
    double dt, strain;
    unsigned segment;
    for (int k = 0; k < TAKEN; k++) {
        double same_dt, same_strain;
        other = sw_loading_begin(3, segments, 2, 0.02);
        assert_true(sw_loading_has_place(&other, &walk.place));
        other.place = walk.place;
        assert_true(sw_loading_next(&walk, &segment, &dt, &strain));
        assert_int_equal(segment, expected[k]);
        assert_true(sw_loading_next(&other, &segment, &same_dt, &same_strain));
        assert_true(same_dt == dt && same_strain == strain);
        if (k == 1)
            sw_loading_end(&walk);
        else
            sw_loading_pass(&walk);
    }
    assert_null(sw_loading_at(&walk));
    assert_true(sw_loading_has_place(&walk, &walk.place));
    static const sw_loading_place none[] = {{7, 0}, {6, 1}, {0, 4}, {0.5, 0}, {0, -1}, {NAN, 0}};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_false(sw_loading_has_place(&walk, &none[k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(steps_fill_their_segments),
        cmocka_unit_test(steps_are_as_an_entry_says),
        cmocka_unit_test(holds_begin_with_short_steps),
        cmocka_unit_test(walks_end_entries_repeat_and_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
