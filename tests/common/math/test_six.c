/* Six components against the places they are said to have. */
#include "common/math/six.h"

#include "tests/test.h"

#include "common/math/tensor.h"

static void each_place_has_its_component(void **state)
{
    (void)state;
    const int place[6][2] = {{1, 1}, {2, 2}, {3, 3}, {2, 3}, {1, 3}, {1, 2}};
    for (int k = 0; k < 6; k++) {
        const int i = place[k][0] - 1, j = place[k][1] - 1;
        assert_int_equal(sw_six_row(k), i);
        assert_int_equal(sw_six_column(k), j);
        assert_int_equal(sw_six_of(i, j), k);
        assert_int_equal(sw_six_of(j, i), k);
    }
}

static void tensors_are_symmetric(void **state)
{
    (void)state;
    const double six[6] = {11, 22, 33, 23, 13, 12};
    double t[3][3];
    sw_tensor_of_six(six, t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(t[i][j], i < j ? 10 * (i + 1) + j + 1 : 10 * (j + 1) + i + 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_has_its_component),
        cmocka_unit_test(tensors_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
