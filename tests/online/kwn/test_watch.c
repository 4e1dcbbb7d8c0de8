/* What a run watches of its points: ends of tables of chemistry. */
#include "tests/test.h"

#include "online/kwn/watch.h"

/* Two solutes from 1e-4 to 1e-2 in 3 steps of ln c: a depleted matrix is past an end by as many steps as it is, the farther one of two points is kept. */
static void compositions_past_a_table_are_seen(void **state)
{
    (void)state;
    static sw_kwn_alloy alloy;
    const sw_kwn_axis_options options = {SW_AXIS_ADAPTIVE, 16, 0, 1e-9};
    sw_kwn_axis axis;
    CHECK_OK(sw_kwn_axis_make(&options, 8, &axis));
    alloy.n_solutes = 2;
    alloy.n_phases = 1;
    sw_kwn_chemistry *table = &alloy.phase[0].chemistry;
    table->on = 1;
    for (int i = 0; i < 2; i++) {
        alloy.solute[i].concentration = 0.005;
        table->count[1 + i] = 3;
        table->first[1 + i] = log(1e-4);
        table->per_step[1 + i] = 1 / log(10);
    }
    const sw_kwn_point inside = {.matrix = {1e-4, 1e-2}}, low = {.matrix = {1e-3, 1e-6}},
                       high = {.matrix = {0.1, 1e-3}};
    sw_kwn_watch first = {0}, second = {0};
    sw_kwn_watch_points(&alloy, &axis, 1, &inside, &first);
    assert_true(first.beyond == 0);
    sw_kwn_watch_points(&alloy, &axis, 1, &high, &first);
    CHECK_CLOSE(first.beyond, 1, 1e-9);
    assert_true(first.beyond_solute == 0 && first.beyond_matrix == 0.1);
    sw_kwn_watch_points(&alloy, &axis, 1, &low, &second);
    sw_kwn_watch_merge(&second, &first);
    CHECK_CLOSE(first.beyond, 2, 1e-9);
    assert_true(first.beyond_solute == 1 && first.beyond_matrix == 1e-6);
    alloy.solute[1].concentration = 0; /* what there is none of ends nowhere */
    second = (sw_kwn_watch){0};
    sw_kwn_watch_points(&alloy, &axis, 1, &low, &second);
    assert_true(second.beyond == 0);
    sw_kwn_axis_free(&axis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compositions_past_a_table_are_seen)};
    return cmocka_run_group_tests_name("what a run watches", tests, NULL, NULL);
}
