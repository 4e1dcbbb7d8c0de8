/* The logarithm of a matrix against exponentials, and its gradient against differences. */
#include "tests/test.h"

#include "common/math/logarithm.h"
#include "common/math/rotation.h"

/* Numbers of one seed, -1 .. 1. */
static double number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void random_matrix(uint64_t *seed, double size, double a[3][3])
{
    for (int i = 0; i < 9; i++)
        a[i / 3][i % 3] = size * number(seed);
}

/* exp(a) by halving and squaring. */
static void exponential(double a[3][3], double out[3][3])
{
    double part[3][3], square[3][3];
    for (int i = 0; i < 9; i++)
        part[i / 3][i % 3] = a[i / 3][i % 3] / 1024;
    sw_exponential_small(part, out);
    for (int k = 0; k < 10; k++) {
        sw_multiply(out, out, square);
        memcpy(out, square, sizeof square);
    }
}

static void less_one(double a[3][3])
{
    for (int i = 0; i < 3; i++)
        a[i][i] -= 1;
}

static void test_logarithms_of_exponentials(void **state)
{
    (void)state;
    const double sizes[] = {1e-2, 0.1, 0.5};
    uint64_t seed = 1;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 100; i++) {
            double a[3][3], e[3][3], l[3][3];
            random_matrix(&seed, sizes[k], a);
            exponential(a, e);
            less_one(e);
            assert_true(sw_logarithm(e, l));
            for (int j = 0; j < 9; j++)
                CHECK_CLOSE(l[j / 3][j % 3], a[j / 3][j % 3], 1e-12);
        }
}

/* Of a rotation the symmetric part is nothing, and its turn is all there, small as it is. */
static void test_logarithms_of_rotations(void **state)
{
    (void)state;
    const double angles[] = {1e-9, 0.3, 1.2, 1.4};
    for (int k = 0; k < 4; k++) {
        const double spin[3] = {0.6 * angles[k], 0, -0.8 * angles[k]};
        double r[3][3], l[3][3];
        sw_rotation_from_spin(spin, r);
        less_one(r);
        assert_true(sw_logarithm(r, l));
        CHECK_CLOSE(l[0][1], spin[0], 1e-12);
        CHECK_CLOSE(l[1][2], spin[2], 1e-12);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                CHECK_CLOSE(l[i][j] + l[j][i], 0, 1e-13);
    }
}

/* None of a half turn, of a reflection, of what is no number. */
static void test_no_logarithm(void **state)
{
    (void)state;
    double half[3][3] = {{-2, 0, 0}, {0, -2, 0}, {0, 0, 0}},
           turned[3][3] = {{-3, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double none[3][3] = {{NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}}, l[3][3];
    assert_false(sw_logarithm(half, l));
    assert_false(sw_logarithm(turned, l));
    assert_false(sw_logarithm(none, l));
}

/* d/de of by : log((I + e g) A) against by' : g. */
static void test_gradients_against_differences(void **state)
{
    (void)state;
    const double sizes[] = {1e-5, 1e-2, 0.2}, step = 1e-5;
    uint64_t seed = 7;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 50; i++) {
            double a[3][3], e[3][3], g[3][3], by[3][3], value[2] = {0}, given = 0;
            random_matrix(&seed, sizes[k], a);
            random_matrix(&seed, 1, g);
            random_matrix(&seed, 1, by);
            exponential(a, e);
            for (int side = 0; side < 2; side++) {
                double moved[3][3], l[3][3], by_e[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
                for (int j = 0; j < 9; j++)
                    by_e[j / 3][j % 3] += (side ? step : -step) * g[j / 3][j % 3];
                sw_multiply(by_e, e, moved);
                less_one(moved);
                assert_true(sw_logarithm(moved, l));
                for (int j = 0; j < 9; j++)
                    value[side] += by[j / 3][j % 3] * l[j / 3][j % 3];
            }
            sw_logarithm_gradient(a, by);
            for (int j = 0; j < 9; j++)
                given += by[j / 3][j % 3] * g[j / 3][j % 3];
            CHECK_CLOSE(given, (value[1] - value[0]) / (2 * step), 2e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_logarithms_of_exponentials),
        cmocka_unit_test(test_logarithms_of_rotations),
        cmocka_unit_test(test_no_logarithm),
        cmocka_unit_test(test_gradients_against_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
