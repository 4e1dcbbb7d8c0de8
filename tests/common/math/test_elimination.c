/* Linear equations against solutions that are known, and inverses against what they are to give. */
#include "common/math/elimination.h"

#include "tests/test.h"

#include "common/math/random.h"

enum { MOST = 6 };

/* Of numbers in [-1, 1]. */
static void draw(uint64_t seed, int n, double *x)
{
    double u[4];
    for (int i = 0; i < n; i++) {
        sw_random_uniform4(seed, (uint64_t)i, 0, u);
        x[i] = 2 * u[0] - 1;
    }
}

/* B^T B and as much as n of the unit matrix: symmetric, its eigenvalues from n on, below 2 n^2. */
static void draw_positive(uint64_t seed, int n, double *a)
{
    double b[MOST * MOST];
    draw(seed, n * n, b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i == j ? n : 0;
            for (int k = 0; k < n; k++)
                a[i * n + j] += b[k * n + i] * b[k * n + j];
        }
}

/* Some need their rows exchanged: a zero where the first pivot is, and what is large stands beside the diagonal. Rows are
 * further apart than they are long. */
static void known_solutions_are_found(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++)
        for (uint64_t trial = 0; trial < 50; trial++) {
            double a[MOST][MOST + 1], b[MOST], x[MOST], found[MOST], number[MOST * MOST];
            draw(2 * trial, n * n, number);
            draw(2 * trial + 1, n, x);
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    a[i][j] = number[i * n + j] + (i == (j + 1) % n ? 4 : 0);
            if (n > 1)
                a[0][0] = 0;
            for (int i = 0; i < n; i++) {
                b[i] = 0;
                for (int j = 0; j < n; j++)
                    b[i] += a[i][j] * x[j];
            }
            const int in_place = trial % 2 == 1;
            assert_true(sw_solve_by_elimination(n, MOST + 1, a[0], b, in_place ? b : found));
            for (int i = 0; i < n; i++) /* of condition numbers of some hundred */
                CHECK_CLOSE(in_place ? b[i] : found[i], x[i], 1e-12);
        }
}

static void singular_ones_have_no_solution(void **state)
{
    (void)state;
    double a[3][3] = {{1, 2, 3}, {2, 4, 6}, {0, 1, 1}}, b[3] = {1, 1, 1}, x[3];
    assert_false(sw_solve_by_elimination(3, 3, a[0], b, x));
    double no_number[1] = {NAN};
    assert_false(sw_solve_by_elimination(1, 1, no_number, b, x));
}

/* Only the lower triangle is looked at. */
static void factors_solve_as_elimination_does(void **state)
{
    (void)state;
    for (int n = 5; n <= 6; n++)
        for (uint64_t trial = 0; trial < 50; trial++) {
            double a[MOST * MOST], x[MOST], b[MOST] = {0}, found[MOST];
            draw_positive(3 * trial, n, a);
            draw(3 * trial + 1, n, x);
            for (int i = 0; i < n * n; i++)
                b[i / n] += a[i] * x[i % n];
            for (int i = 0; i < n * n; i++)
                if (i % n > i / n)
                    a[i] = NAN;
            if (n == 5)
                sw_solve_spd5((double(*)[5])a, b, found);
            else
                sw_solve_spd6((double(*)[6])a, b, found);
            for (int i = 0; i < n; i++)
                CHECK_CLOSE(found[i], x[i], 1e-13);
        }
}

static void inverses_are(void **state)
{
    (void)state;
    const double least[MOST] = {0};
    for (int n = 1; n <= MOST; n++)
        for (uint64_t trial = 0; trial < 50; trial++) {
            double a[MOST * MOST], inverse[MOST * MOST], pivot[MOST];
            draw_positive(trial, n, a);
            memcpy(inverse, a, sizeof a);
            sw_invert_symmetric(n, least, inverse, pivot);
            for (int i = 0; i < n; i++) {
                assert_true(pivot[i] > 0);
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int k = 0; k < n; k++)
                        sum += a[i * n + k] * inverse[k * n + j];
                    CHECK_CLOSE(sum, i == j, 1e-13);
                }
            }
        }
}

/* The third is the sum of the first two, the fourth held by nothing: what is left is the inverse of the others. */
static void dependent_unknowns_are_left_out(void **state)
{
    (void)state;
    const double least[4] = {1e-9, 1e-9, 1e-9, 1e-9};
    double a[16] = {2, 1, 3, 0, 1, 2, 3, 0, 3, 3, 6, 0, 0, 0, 0, 0}, pivot[4];
    const double expected[16] = {2.0 / 3, -1.0 / 3, 0, 0, -1.0 / 3, 2.0 / 3};
    sw_invert_symmetric(4, least, a, pivot);
    for (int i = 0; i < 16; i++)
        CHECK_CLOSE(a[i], expected[i], 1e-15);
    CHECK_CLOSE(pivot[0], 2, 0);
    CHECK_CLOSE(pivot[1], 1.5, 0);
    for (int i = 2; i < 4; i++)
        CHECK_CLOSE(pivot[i], 0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solutions_are_found),         cmocka_unit_test(singular_ones_have_no_solution),
        cmocka_unit_test(factors_solve_as_elimination_does), cmocka_unit_test(inverses_are),
        cmocka_unit_test(dependent_unknowns_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
