/* Threads where there is work for them. */
#include "tests/test.h"

#include <omp.h>

#include "common/system/threads.h"

static void little_work_is_for_one(void **state)
{
    (void)state;
    omp_set_num_threads(3);
    assert_int_equal(sw_threads_for(0, 1e9), 1);
    assert_int_equal(sw_threads_for(1, 1e9), 1);
    assert_int_equal(sw_threads_for(1000, 99), 1);
    assert_int_equal(sw_threads_for(1000, 100), 3);
    assert_int_equal(sw_threads_for(2, 1e6), 3);
    assert_int_equal(sw_threads_for(INT64_MAX, 1), 3);
    assert_int_equal(sw_threads_for(1000, NAN), 1);
    omp_set_num_threads(1);
    assert_int_equal(sw_threads_for(INT64_MAX, 1), 1);
}

/* Inside a region there are no threads left to take. */
static void regions_do_not_nest(void **state)
{
    int most = 0;
    (void)state;
    omp_set_num_threads(2);
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(sw_threads_for(1000, 1e9))
        {
#pragma omp single
            most = omp_get_num_threads();
        }
    }
    assert_int_equal(most, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(little_work_is_for_one),
                                       cmocka_unit_test(regions_do_not_nest)};
    return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
