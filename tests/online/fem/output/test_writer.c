/* Files that a thread writes: what came of it is told where it is waited for. */
#include "tests/test.h"

#include <unistd.h>

#include "online/fem/output/writer.h"

static sw_status double_it(void *number)
{
    usleep(20000);
    *(int *)number *= 2;
    return SW_OK;
}

static sw_status fail_at_it(void *number)
{
    return sw_error(SW_ERR_IO, "out.vtkhdf: no room for %d", *(int *)number);
}

static void work_is_done_when_waited_for(void **state)
{
    (void)state;
    sw_fem_writer w = {0};
    int number = 21;
    assert_true(sw_fem_writer_is_idle(&w));
    CHECK_OK(sw_fem_writer_wait(&w));
    sw_fem_writer_start(&w, 0, double_it, &number);
    CHECK_OK(sw_fem_writer_wait(&w));
    assert_int_equal(number, 42);
    sw_fem_writer_start(&w, 1, double_it, &number);
    while (!sw_fem_writer_is_idle(&w))
        usleep(1000);
    CHECK_OK(sw_fem_writer_wait(&w));
    assert_int_equal(number, 84);
}

static void failure_is_told_once_by_who_waits(void **state)
{
    (void)state;
    sw_fem_writer w = {0};
    int number = 7;
    sw_fem_writer_start(&w, 0, fail_at_it, &number);
    assert_int_equal(sw_fem_writer_wait(&w), SW_ERR_IO);
    assert_string_equal(sw_error_message(), "out.vtkhdf: no room for 7");
    CHECK_OK(sw_fem_writer_wait(&w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_done_when_waited_for),
        cmocka_unit_test(failure_is_told_once_by_who_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
