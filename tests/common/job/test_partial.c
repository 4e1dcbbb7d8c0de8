/* What interrupted runs leave: whose it is, and what is said of it. */
#include "common/job/partial.h"

#include "tests/test.h"

#include <unistd.h>

#include "common/files/hdf5_io.h"

static const char path[] = "test_partial.h5";

static void only_the_same_texts_go_on(void **state)
{
    (void)state;
    const sw_partial_text own[] = {{"job", "a: 1", "another job file"},
                                   {"device", "GPU", "another device"},
                                   {0}},
                          other[] = {{"job", "a: 1", "another job file"},
                                     {"device", "CPU", "another device"},
                                     {0}},
                          more[] = {{"job", "a: 1", "another job file"}, {"new", "", "another version"}, {0}};
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_partial_write_texts(output.file, own));
    CHECK_OK(sw_partial_check_texts(output.file, path, own));
    assert_int_equal(sw_partial_check_texts(output.file, path, other), SW_ERR_FORMAT);
    assert_message_has("test_partial.h5: belongs to a run with another device");
    assert_int_equal(sw_partial_check_texts(output.file, path, more), SW_ERR_FORMAT);
    assert_message_has("another version");
    sw_h5_abandon(&output);
}

static void messages_say_how_to_go_on(void **state)
{
    (void)state;
    assert_int_equal(sw_partial_refuse("x.h5.partial"), SW_ERR_INPUT);
    assert_message_has("x.h5.partial: is left from an earlier run: --resume goes on with it");
    const sw_status status = sw_error(SW_ERR_CONVERGENCE, "step 3 failed");
    assert_int_equal(sw_partial_tell(status, "x.h5.partial", "%d of %d steps are", 2, 5), status);
    assert_message_has("step 3 failed; 2 of 5 steps are kept in x.h5.partial: --resume goes on");
}

/* A file whose writing failed is not there; the failure is what comes back. */
static void what_failed_leaves_nothing(void **state)
{
    (void)state;
    sw_h5_output output;
    unlink(path);
    CHECK_OK(sw_h5_begin(path, &output));
    assert_int_equal(sw_h5_end(&output, sw_error(SW_ERR_RANGE, "no numbers")), SW_ERR_RANGE);
    assert_message_has("no numbers");
    assert_int_equal(access(path, F_OK), -1);
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_end(&output, SW_OK));
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_same_texts_go_on),
        cmocka_unit_test(messages_say_how_to_go_on),
        cmocka_unit_test(what_failed_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
