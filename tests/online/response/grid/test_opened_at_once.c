/* Host threads that open responses of their own together, each with tables to transform: FFTW has one planner for all. */
#include "tests/copper_database.h"

#include <omp.h>
#include <pthread.h>

#include "slipwave/response.h"

enum { THREADS = 8, ROUNDS = 12, N = 20, LENGTHS = 3 };

static float expected[LENGTHS][2][N][6];

/* Stresses of one table, of a length of its own, and of those of all thetas. */
static sw_status evaluate(int64_t refinement, float (*stress)[6], float (*stress_each)[6])
{
    const sw_response_options options = {.solver = "grid", .database = &database, .refinement = refinement};
    const double d[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
    float each[N][6], spin[N][3], rate[N];
    sw_crystal crystal[N];
    sw_response *response;
    for (int i = 0; i < N; i++)
        memcpy(each[i], (const float[6]){1e-3F, 0, -1e-3F, 0, 0, 0}, sizeof each[i]);
    SW_TRY(sw_crystals_randomise(SW_CPU, N, crystal, 5, 0, 16e6F));
    SW_TRY(sw_response_open(&options, &response));
    sw_status status = sw_response_evaluate(response, d, N, crystal, stress, spin, rate);
    if (status == SW_OK)
        status = sw_response_evaluate_each(response, N, each, crystal, stress_each, spin, rate);
    sw_response_close(response);
    return status;
}

static int set_up(void **state)
{
    (void)state;
    return make_copper_database(8, 12);
}

/* *number: from which length on; then how many rounds failed, or gave other numbers than one thread alone. */
static void *open_many(void *number)
{
    int *wrong = number;
    const int first = *wrong;
    *wrong = 0;
    omp_set_num_threads(1);
    for (int i = 0; i < ROUNDS; i++) {
        float stress[2][N][6];
        const int k = (first + i) % LENGTHS;
        *wrong +=
            evaluate(k + 1, stress[0], stress[1]) != SW_OK || memcmp(stress, expected[k], sizeof stress) != 0;
    }
    return NULL;
}

static void responses_may_be_opened_by_several_threads(void **state)
{
    pthread_t thread[THREADS];
    int wrong[THREADS];
    (void)state;
    for (int k = 0; k < LENGTHS; k++)
        CHECK_OK(evaluate(k + 1, expected[k][0], expected[k][1]));
    for (int i = 0; i < THREADS; i++) {
        wrong[i] = i;
        assert_int_equal(pthread_create(&thread[i], NULL, open_many, &wrong[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(wrong[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(responses_may_be_opened_by_several_threads)};
    return cmocka_run_group_tests(tests, set_up, free_copper_database);
}
