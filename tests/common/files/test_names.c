#include "tests/test.h"

#include "common/files/names.h"

static void names_are_found_by_kind(void **state)
{
    (void)state;
    sw_names names = {0};
    assert_int_equal(sw_names_find(&names, 0, "top"), -1);
    CHECK_OK(sw_names_add(&names, 0, "top", 7));
    CHECK_OK(sw_names_add(&names, 1, "top", 8));
    CHECK_OK(sw_names_add(&names, 0, "", 9));
    assert_int_equal(sw_names_find(&names, 0, "top"), 7);
    assert_int_equal(sw_names_find(&names, 1, "top"), 8);
    assert_int_equal(sw_names_find(&names, 0, ""), 9);
    assert_int_equal(sw_names_find(&names, 2, "top"), -1);
    assert_int_equal(sw_names_find(&names, 0, "Top"), -1);
    sw_names_free(&names);
    assert_int_equal(sw_names_find(&names, 0, "top"), -1);
}

static void capitals_may_be_as_others(void **state)
{
    (void)state;
    /* of more than a piece of the hash, and differing in its last letter */
    const char *one = "A-rather-long-name-of-a-set-as-preprocessors-like-to-make-them-up-Picked-1",
               *other = "a-RATHER-long-name-of-a-set-as-preprocessors-like-to-make-them-up-PICKED-1",
               *third = "A-rather-long-name-of-a-set-as-preprocessors-like-to-make-them-up-Picked-2";
    sw_names names = {.capitals_as_others = 1};
    CHECK_OK(sw_names_add(&names, 0, one, 3));
    assert_int_equal(sw_names_find(&names, 0, other), 3);
    assert_int_equal(sw_names_find(&names, 0, third), -1);
    sw_names_free(&names);
}

static void many_are_found(void **state)
{
    enum { N = 20000 };
    (void)state;
    static char name[N][16];
    sw_names names = {0};
    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "set-%d", i);
        CHECK_OK(sw_names_add(&names, i % 3, name[i], i));
    }
    for (int i = 0; i < N; i++) {
        assert_int_equal(sw_names_find(&names, i % 3, name[i]), i);
        assert_int_equal(sw_names_find(&names, (i + 1) % 3, name[i]), -1);
    }
    sw_names_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_found_by_kind),
                                       cmocka_unit_test(capitals_may_be_as_others),
                                       cmocka_unit_test(many_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
