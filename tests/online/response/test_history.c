/* What a response keeps of its crystals goes into numbers and back. */
#include "tests/test.h"

#include "online/response/history.h"

enum { N = 40 };

static const double compression[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                    shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};

static sw_response *open_solver(const char *solver, const sw_material *material)
{
    sw_response *response;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .material = material}, &response));
    return response;
}

static void step(sw_response *response, const double gradient[3][3], int64_t n, sw_crystal *crystal)
{
    sw_response_average average;
    CHECK_OK(sw_response_step(response, gradient, 7, n, crystal, NULL, &average));
}

static void start(sw_crystal crystal[N]) { CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 1, 0, 16e6F)); }

/* In the middle of a strain path, and where another begins; in parts, and half of the crystals alone. */
static void check_restored(const char *solver)
{
    const sw_material material = copper();
    sw_crystal whole[N], half[N];
    sw_response *first = open_solver(solver, &material);
    const int64_t numbers = sw_response_history_numbers(first);
    double *kept = calloc((size_t)(N * numbers), sizeof *kept);
    assert_true(numbers > 0 && kept != NULL);
    for (int turn = 0; turn < 2; turn++) {
        start(whole);
        sw_response *r = open_solver(solver, &material);
        step(r, compression, N, whole);
        step(r, compression, N, whole);
        memcpy(half, whole, sizeof half);
        CHECK_OK(sw_response_history_save(r, 0, 15, kept));
        CHECK_OK(sw_response_history_save(r, 15, N - 15, kept + 15 * numbers));
        step(r, turn ? shear : compression, N, whole);
        sw_response_close(r);

        r = open_solver(solver, &material);
        CHECK_OK(sw_response_history_restore(r, N, 0, 30, kept));
        CHECK_OK(sw_response_history_restore(r, N, 30, N - 30, kept + 30 * numbers));
        sw_crystal all[N];
        memcpy(all, half, sizeof all);
        step(r, turn ? shear : compression, N, all);
        sw_response_close(r);
        assert_memory_equal(all, whole, sizeof whole);

        r = open_solver(solver, &material);
        CHECK_OK(sw_response_history_restore(r, N / 2, 0, N / 2, kept + N / 2 * numbers));
        step(r, turn ? shear : compression, N / 2, half + N / 2);
        sw_response_close(r);
        assert_memory_equal(half + N / 2, whole + N / 2, N / 2 * sizeof *half);
    }
    sw_response_close(first);
    free(kept);
}

static const char *const solvers[] = {"elastoplastic", "iterative"};
enum { SOLVERS = 2 };

static void restored_histories_go_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        check_restored(solvers[s]);
}

static void check_refused(const char *solver)
{
    const sw_material material = copper();
    sw_crystal crystal[N];
    sw_response *r = open_solver(solver, &material);
    const int64_t numbers = sw_response_history_numbers(r);
    double *kept = calloc((size_t)(N * numbers), sizeof *kept);
    assert_non_null(kept);
    assert_int_equal(sw_response_history_save(r, 0, N, kept), SW_ERR_RANGE); /* no step yet */
    start(crystal);
    step(r, compression, N, crystal);
    assert_int_equal(sw_response_history_save(r, 1, N, kept), SW_ERR_RANGE);
    CHECK_OK(sw_response_history_save(r, 0, N, kept));
    assert_int_equal(sw_response_history_restore(r, N + 1, 0, N, kept), SW_ERR_RANGE);
    kept[3 * numbers + 2] = NAN;
    assert_int_equal(sw_response_history_restore(r, N, 0, N, kept), SW_ERR_FORMAT);
    assert_message_has("crystal 3");
    sw_response_close(r);
    free(kept);
}

static void bad_histories_are_refused(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++)
        check_refused(solvers[s]);
}

static void other_solvers_keep_nothing(void **state)
{
    (void)state;
    const sw_material material = copper();
    sw_response *r = open_solver("rigid_plastic", &material);
    assert_int_equal(sw_response_history_numbers(r), 0);
    CHECK_OK(sw_response_prepare(r, shear));
    sw_response_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restored_histories_go_on_to_the_same_bits),
        cmocka_unit_test(bad_histories_are_refused),
        cmocka_unit_test(other_solvers_keep_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
