/* Memory that is free, and work that needs more. */
#include "tests/test.h"

#include "common/system/memory.h"

static void more_than_there_is_is_refused_with_both_numbers(void **state)
{
    (void)state;
    const double available = sw_memory_available();
    char free_now[64];
    assert_true(available > 0); /* of Linux */
    CHECK_OK(sw_memory_check(0, "nothing"));
    CHECK_OK(sw_memory_check(1e6, "a megabyte"));
    assert_int_equal(sw_memory_check(1e18, "%d crystals", 7), SW_ERR_MEMORY);
    assert_non_null(strstr(sw_error_message(), "7 crystals: need 1e+09 GB of memory; "));
    assert_non_null(strstr(sw_error_message(), " GB are free"));
    assert_int_equal(sscanf(strstr(sw_error_message(), "; ") + 2, "%63s", free_now), 1);
    /* others take and give back memory meanwhile */
    assert_true(fabs(1e9 * atof(free_now) / available - 1) < 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_than_there_is_is_refused_with_both_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
