/* Deviators as vectors of five against tensors: lengths, turns, and what a turn changes. */
#include "common/math/deviator.h"

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"

/* Of some dozen operations on numbers of order one. */
static const double round_off = 2e-15;

static void full(const double v[5], double t[3][3])
{
    double six[6];
    sw_deviator_tensor(v, six);
    sw_tensor_of_six(six, t);
}

static void draw(uint64_t n, double v[5], double g[3][3])
{
    double u[4], w[4], euler[3];
    sw_random_uniform4(1, n, 0, u);
    sw_random_uniform4(1, n, 1, w);
    for (int i = 0; i < 5; i++)
        v[i] = (i < 4 ? u[i] : w[0]) - 0.5;
    sw_random_orientation(2, n, euler);
    sw_rotation_from_euler(euler, g);
}

/* The basis is orthonormal; a trace, or what is skew, is left out. */
static void a_vector_is_the_tensor(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        double v[5], g[3][3], t[3][3], six[6], back[5], square[2] = {0};
        draw(n, v, g);
        full(v, t);
        for (int k = 0; k < 9; k++)
            square[0] += t[k / 3][k % 3] * t[k / 3][k % 3];
        for (int i = 0; i < 5; i++)
            square[1] += v[i] * v[i];
        CHECK_CLOSE(square[0], square[1], round_off);
        CHECK_CLOSE(t[0][0] + t[1][1] + t[2][2], 0, round_off);
        for (int k = 0; k < 6; k++)
            six[k] = t[sw_six_row(k)][sw_six_column(k)] + (k < 3 ? 0.3 : 0);
        sw_deviator_vector_of(six, back);
        for (int i = 0; i < 5; i++)
            CHECK_CLOSE(back[i], v[i], round_off);
        for (int k = 0; k < 9; k++)
            t[k / 3][k % 3] += k % 4 == 0 ? 0.3 : k / 3 < k % 3 ? 0.1 * k : -0.1 * (k % 3 * 3 + k / 3);
        sw_deviator_vector((const double(*)[3])t, back);
        for (int i = 0; i < 5; i++)
            CHECK_CLOSE(back[i], v[i], round_off);
    }
}

/* A vector's tensor is the sum of the basis' tensors. */
static void a_tensor_is_of_the_basis(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        double v[5], g[3][3], six[6];
        draw(n, v, g);
        sw_deviator_tensor(v, six);
        for (int k = 0; k < 6; k++) {
            double sum = 0;
            for (int a = 0; a < 5; a++)
                sum += v[a] * sw_deviator_basis(a, k);
            CHECK_CLOSE(six[k], sum, round_off);
        }
    }
}

static void a_turn_is_the_tensors(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        double v[5], g[3][3], t[3][3], turned[3][3], six[6], expected[5], got[5], again[5];
        draw(n, v, g);
        full(v, t);
        sw_rotate_tensor(g, t, turned);
        for (int k = 0; k < 6; k++)
            six[k] = turned[sw_six_row(k)][sw_six_column(k)];
        sw_deviator_vector_of(six, expected);
        sw_deviator_from_frame((const double(*)[3])g, v, got);
        sw_deviator_in_frame((const double(*)[3])g, six, again);
        for (int i = 0; i < 5; i++) {
            CHECK_CLOSE(got[i], expected[i], round_off);
            CHECK_CLOSE(again[i], v[i], round_off);
        }
    }
}

/* R^T T R with R = 1 + [w]. */
static void a_spin_is_its_derivative(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 100; n++) {
        double v[5], g[3][3], t[3][3], got[5] = {0}, six[6] = {0}, expected[5];
        draw(n, v, g);
        full(v, t);
        const double w[3] = {g[0][0], g[0][1], g[0][2]};
        const double skew[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
        sw_deviator_add_spun(v, w, got);
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < 3; i++)
                six[k] += t[sw_six_row(k)][i] * skew[i][sw_six_column(k)] -
                          skew[sw_six_row(k)][i] * t[i][sw_six_column(k)];
        sw_deviator_vector_of(six, expected);
        for (int i = 0; i < 5; i++)
            CHECK_CLOSE(got[i], expected[i], round_off);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vector_is_the_tensor),
        cmocka_unit_test(a_tensor_is_of_the_basis),
        cmocka_unit_test(a_turn_is_the_tensors),
        cmocka_unit_test(a_spin_is_its_derivative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
