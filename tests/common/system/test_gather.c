/* Rows to rank 0; tests/programs/test_taylor_mpi.c has several ranks. */
#include "tests/test.h"

#include "common/system/gather.h"

enum { N = 10 };

typedef struct {
    int64_t taken[N], chunks;
    int fail_fill, fail_take;
} rows;

static sw_status fill(void *context, int64_t first, int64_t n, void *row)
{
    for (int64_t i = 0; i < n; i++)
        ((int64_t *)row)[i] = 100 + first + i;
    return ((const rows *)context)->fail_fill ? sw_error(SW_ERR_RANGE, "fill") : SW_OK;
}

static sw_status take(void *context, int64_t first, int64_t n, const void *row)
{
    rows *r = context;
    assert_true(first >= 0 && first + n <= N);
    memcpy(r->taken + first, row, (size_t)n * sizeof *r->taken);
    r->chunks++;
    return r->fail_take ? sw_error(SW_ERR_IO, "take") : SW_OK;
}

static void all_rows_arrive_once(void **state)
{
    (void)state;
    static const int64_t chunk[] = {1, 3, 5, N, 1000}, chunks[] = {10, 4, 2, 1, 1};
    for (int i = 0; i < 5; i++) {
        rows r = {.chunks = 0};
        CHECK_OK(sw_gather(&(sw_gathering){N, 1, chunk[i], sizeof(int64_t), &r, fill, take}));
        for (int k = 0; k < N; k++)
            assert_int_equal(r.taken[k], 100 + k);
        assert_int_equal(r.chunks, chunks[i]);
    }
}

static void failures_come_back(void **state)
{
    (void)state;
    rows r = {.fail_fill = 1}, s = {.fail_take = 1};
    assert_int_equal(sw_gather(&(sw_gathering){N, 1, 3, sizeof(int64_t), &r, fill, take}), SW_ERR_RANGE);
    assert_int_equal(r.chunks, 0);
    assert_int_equal(sw_gather(&(sw_gathering){N, 1, 3, sizeof(int64_t), &s, fill, take}), SW_ERR_IO);
    assert_int_equal(s.chunks, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows_arrive_once),
        cmocka_unit_test(failures_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
