/* Folding at one theta: terms grouped by wavevector in order, and sums that are the series. */
#include "tests/test.h"

#include "common/database/fold.h"
#include "common/math/random.h"

enum { T = 3000 };

static int16_t wavevector[T][4];
static float coefficient[T][SW_OUTPUTS][2], weight[T];
static sw_database database = {.shape = {16, 8, 24, 12},
                               .n_pairs = T,
                               .wavevector = wavevector,
                               .coefficient = coefficient,
                               .weight = weight};

/* Any wavevectors, many on the grid's half lengths; step: of the third. */
static void fill(int step)
{
    for (int64_t t = 0; t < T; t++) {
        for (int d = 0; d < 4; d++) {
            double u[4];
            sw_random_uniform4(1, (uint64_t)t, (uint64_t)d, u);
            const int half = (int)database.shape[d] / 2, one = d == 2 ? step : 1;
            wavevector[t][d] =
                (int16_t)(t == 0 ? 0 : one * ((int)(u[0] * (2 * half / one + 1)) - half / one));
        }
        weight[t] = t == 0 ? 1 : 2;
        for (int c = 0; c < SW_OUTPUTS; c++)
            for (int part = 0; part < 2; part++)
                coefficient[t][c][part] = (float)((t * 7 + c * 3 + part * 5) % 101 - 50) / (float)(t + 1);
    }
}

static int compare(const int16_t *a, const int16_t *b)
{
    for (int d = 0; d < 3; d++)
        if (a[d] != b[d])
            return a[d] < b[d] ? -1 : 1;
    return 0;
}

/* Wavevectors ascend; within one the terms, and of a term what is conjugated comes last; all of each term. */
static void check_order(const sw_fold *fold, int64_t n)
{
    double share[T] = {0};
    assert_int_equal(fold->first[0], 0);
    for (int64_t g = 0; g < fold->n_wavevectors; g++) {
        const int16_t *k = fold->wavevector[g];
        assert_true(k[0] > 0 || (k[0] == 0 && (k[1] > 0 || (k[1] == 0 && k[2] >= 0))));
        assert_true(g == 0 || compare(fold->wavevector[g - 1], k) < 0);
        assert_true(fold->first[g] < fold->first[g + 1]);
        for (int64_t i = fold->first[g]; i < fold->first[g + 1]; i++) {
            const sw_fold_image *one = &fold->image[i];
            assert_in_range(one->term, 0, n - 1);
            for (int d = 0; d < 3; d++)
                assert_int_equal(abs(k[d]), abs(wavevector[one->term][d]));
            share[one->term] += fabs(one->share);
            if (i > fold->first[g])
                assert_true(one[-1].term < one->term ||
                            (one[-1].term == one->term && one[-1].share > 0 && one->share < 0));
        }
    }
    for (int64_t t = 0; t < n; t++)
        assert_true(share[t] == 1); /* 1, 2, 4 or 8 equal parts */
}

/* The folded series at a point is the whole one: some 1e5 roundings to float of coefficients of 100 / t. */
static void check_sums(sw_fold *fold, int64_t n)
{
    for (int i = 0; i < 5; i++) {
        const double x[4] = {0.3 + i, 1.1 * i, 2.0 - 0.7 * i, 0.9 * i};
        double series[SW_OUTPUTS], folded[SW_OUTPUTS] = {0};
        sw_fold_at(fold, x[3]);
        for (int64_t g = 0; g < fold->n_wavevectors; g++) {
            double phase = 0;
            for (int d = 0; d < 3; d++)
                phase += fold->wavevector[g][d] * x[d];
            for (int c = 0; c < SW_OUTPUTS; c++)
                folded[c] +=
                    fold->coefficient[g][c][0] * cos(phase) - fold->coefficient[g][c][1] * sin(phase);
        }
        sw_database_evaluate(&database, n, x, series);
        for (int c = 0; c < SW_OUTPUTS; c++)
            CHECK_CLOSE(folded[c], series[c], 1e-4);
    }
}

static void terms_are_grouped_and_summed(void **state)
{
    (void)state;
    for (int step = 1; step <= 4; step += 3) {
        fill(step);
        for (int64_t n = 1; n <= T; n = 7 * n < T || n == T ? 7 * n : T) {
            sw_fold fold;
            CHECK_OK(sw_fold_create(&database, n, &fold));
            check_order(&fold, n);
            check_sums(&fold, n);
            sw_fold_destroy(&fold);
        }
    }
}

static void too_many_terms_are_refused(void **state)
{
    (void)state;
    sw_fold fold;
    assert_int_equal(sw_fold_create(&database, INT64_C(1) << 40, &fold), SW_ERR_RANGE);
    sw_fold_destroy(&fold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_are_grouped_and_summed),
                                       cmocka_unit_test(too_many_terms_are_refused)};
    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
