/* The history of a run: it grows with its steps, and comes back from its file. */
#include "online/taylor/history.h"

#include "tests/test.h"

#include "common/files/hdf5_io.h"

enum { STEPS = 1000 };

static const double l[3][3] = {{1e-3, 2e-3, 0}, {0, 0, 0}, {0, 0, -1e-3}};

static void add_steps(sw_history *h, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        const sw_response_average average = {.slip_resistance = 16e6 + (double)h->n,
                                             .slip_rate = 3e-3,
                                             .cauchy_stress = {{1e6, (double)h->n}}};
        CHECK_OK(sw_history_make_room(h));
        sw_history_add(h, l, 0.25, 1e-3, &average, NULL, NULL);
    }
}

static void check_row(const sw_history *h, int64_t n)
{
    CHECK_CLOSE(h->time[n], 0.25 * (double)n, 0);
    CHECK_CLOSE(h->strain[n], 1e-3 * (double)n, 1e-12);
    CHECK_CLOSE(h->slip_resistance[n], 16e6 + (double)n, 0);
    CHECK_CLOSE(h->slip_rate[n], n == 0 ? 0 : 3e-3, 0);
    CHECK_CLOSE(h->cauchy_stress[n][0][1], (double)n, 0);
    CHECK_CLOSE(h->velocity_gradient[n][0][1], n == 0 ? 0 : 2e-3, 0);
    CHECK_CLOSE(h->deformation_gradient[n][0][0], exp(l[0][0] * h->time[n]), 1e-12);
    CHECK_CLOSE(h->deformation_gradient[n][2][2], exp(l[2][2] * h->time[n]), 1e-12);
}

/* Memory is that of the rows, and twice as much at most. */
static void rows_are_kept_as_it_grows(void **state)
{
    (void)state;
    sw_history h = {.n = 0};
    CHECK_OK(sw_history_create(16e6, NULL, &h));
    assert_in_range(h.room, 1, 100);
    add_steps(&h, STEPS);
    assert_int_equal(h.n, STEPS + 1);
    assert_in_range(h.room, h.n, 2 * h.n);
    for (int64_t n = 0; n < h.n; n++)
        check_row(&h, n);
    sw_history_free(&h);
}

/* Into one that has no room for it yet, which then goes on. A file with another number of rows is refused before memory
 * is asked for them. */
static void a_history_goes_on_from_its_file(void **state)
{
    (void)state;
    sw_history h = {.n = 0}, again = {.n = 0};
    sw_h5_output file = {.file = H5I_INVALID_HID};
    CHECK_OK(sw_history_create(16e6, NULL, &h));
    CHECK_OK(sw_history_create(1e6, NULL, &again));
    add_steps(&h, STEPS);
    CHECK_OK(sw_h5_begin("history.h5", &file));
    CHECK_OK(sw_history_write(file.file, &h));
    assert_int_equal(sw_history_read(file.file, INT64_C(1) << 40, &again), SW_ERR_FORMAT);
    assert_message_has("history/time");
    assert_int_equal(again.n, 1);
    CHECK_OK(sw_history_read(file.file, h.n, &again));
    sw_h5_abandon(&file);
    add_steps(&again, STEPS);
    assert_int_equal(again.n, 2 * STEPS + 1);
    for (int64_t n = 0; n < again.n; n++)
        check_row(&again, n);
    sw_history_free(&h);
    sw_history_free(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_kept_as_it_grows),
        cmocka_unit_test(a_history_goes_on_from_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
