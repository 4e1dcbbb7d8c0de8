/* Principal axes against the matrices that they are of. */
#include "common/math/principal.h"

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"

/* Of matrices that were made of their values: far apart, close, equal. */
static void axes_are_those_of_the_matrix(void **state)
{
    (void)state;
    const double values[][3] = {{1, 2, 3}, {1, 1, 2}, {5, 5, 5}, {1, 1 + 1e-9, 1 - 1e-12}, {1e-9, 1, 1e3}};
    for (int n = 0; n < 5; n++)
        for (int k = 0; k < 50; k++) {
            double euler[3], q[3][3], a[3][3] = {{0}}, copy[3][3], value[3], axis[3][3];
            sw_random_orientation(1, (uint64_t)k, euler);
            sw_rotation_from_euler(euler, q);
            for (int i = 0; i < 27; i++)
                a[i / 9][i / 3 % 3] += q[i / 9][i % 3] * values[n][i % 3] * q[i / 3 % 3][i % 3];
            a[1][0] = a[0][1], a[2][0] = a[0][2], a[2][1] = a[1][2];
            memcpy(copy, a, sizeof a);
            sw_principal_axes(copy, value, axis);
            const double size = fmax(values[n][0], fmax(values[n][1], values[n][2]));
            CHECK_CLOSE(value[0] + value[1] + value[2], values[n][0] + values[n][1] + values[n][2],
                        1e-14 * size);
            for (int p = 0; p < 3; p++)
                for (int i = 0; i < 3; i++) {
                    double product = 0, dot = 0;
                    for (int j = 0; j < 3; j++) {
                        product += a[i][j] * axis[p][j];
                        dot += axis[p][j] * axis[i][j];
                    }
                    CHECK_CLOSE(product, value[p] * axis[p][i], 1e-14 * size);
                    CHECK_CLOSE(dot, p == i, 1e-14);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_those_of_the_matrix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
