/* Points whose elastic states the caller holds: the answers of a response that holds them, in any order and from
 * several threads at a time. */
#include "tests/copper_database.h"

#include <omp.h>
#include <pthread.h>

#include "slipwave/response.h"

enum { P = 8, N = 40, K = 5, STEPS = 6, THREADS = 4 };

static sw_database database;

static int set_up(void **state)
{
    static const int64_t shape[4] = {8, 8, 8, 12};
    (void)state;
    return make_copper_database(shape, &database);
}

static int tear_down(void **state)
{
    (void)state;
    free_copper_database(&database);
    return 0;
}

static sw_response *open_solver(const char *name)
{
    const sw_response_options options = {.solver = name, .database = &database};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

/* All that P points are, and what they answered last. */
typedef struct {
    sw_crystal crystal[P * N];
    float kept[P * N][K];
    double stress[P][6], by_strain_rate[P][6][6];
} points;

static void begin(points *p)
{
    memset(p, 0, sizeof *p);
    CHECK_OK(sw_crystals_randomise(SW_CPU, P * N, p->crystal, 3, 0, 16e6F));
}

/* Number `step` of point number `point`: a path that turns, each point's another. */
static void gradient(int point, int step, double l[3][3])
{
    const double shear = step < STEPS / 2 ? 0.4e-3 * point : -1e-3;
    const double own[3][3] = {{1e-3, shear, 0}, {0, 0, 2e-4 * step}, {0, 0, -1e-3}};
    memcpy(l, own, sizeof own);
}

/* n points from `first` on take a step. own: the caller holds their states. */
static sw_points points_of(points *p, int first, int n, int own, const double (*l)[3][3])
{
    return (sw_points){.points = n,
                       .each = N,
                       .velocity_gradient = l,
                       .dt = 10,
                       .crystal = p->crystal + (ptrdiff_t)first * N,
                       .kept = own ? p->kept[first * N] : NULL,
                       .commit = 1,
                       .stress = p->stress + first,
                       .by_strain_rate = p->by_strain_rate + first};
}

static sw_status step(sw_response *response, points *p, int first, int n, int own, int number)
{
    double l[P][3][3];
    for (int k = 0; k < n; k++)
        gradient(first + k, number, l[k]);
    const sw_points these = points_of(p, first, n, own, (const double(*)[3][3])l);
    return sw_response_step_each(response, &these);
}

static void solvers_say_what_they_keep(void **state)
{
    (void)state;
    for (int i = 0; sw_solver_at(i) != NULL; i++)
        assert_int_equal(sw_solver_at(i)->kept, strcmp(sw_solver_at(i)->name, "elastoplastic") == 0 ? K : 0);
}

/* Point after point, each through all its steps with one response, against all points together in their response. */
static void states_may_be_anywhere(void **state)
{
    (void)state;
    static points together, apart;
    sw_response *one = open_solver("elastoplastic"), *other = open_solver("elastoplastic");
    begin(&together);
    begin(&apart);
    for (int k = 0; k < STEPS; k++)
        CHECK_OK(step(one, &together, 0, P, 0, k));
    for (int p = P - 1; p >= 0; p--)
        for (int k = 0; k < STEPS; k++)
            CHECK_OK(step(other, &apart, p, 1, 1, k));
    assert_memory_equal(together.crystal, apart.crystal, sizeof apart.crystal);
    assert_memory_equal(together.stress, apart.stress, sizeof apart.stress);
    assert_memory_equal(together.by_strain_rate, apart.by_strain_rate, sizeof apart.by_strain_rate);
    double size = 0;
    for (int i = 0; i < P * N * K; i++)
        size += fabsf(apart.kept[i / K][i % K]);
    assert_true(size / (P * N * K) > 0.1); /* stresses over s: elastic states are there */
    sw_response_close(one);
    sw_response_close(other);
}

/* Nor crystals, nor the states beside them. */
static void tries_change_nothing(void **state)
{
    (void)state;
    static points p, before;
    sw_response *response = open_solver("elastoplastic");
    begin(&p);
    CHECK_OK(step(response, &p, 0, P, 1, 0));
    before = p;
    double l[P][3][3];
    for (int k = 0; k < P; k++)
        gradient(k, 1, l[k]);
    sw_points these = points_of(&p, 0, P, 1, (const double(*)[3][3])l);
    these.commit = 0;
    CHECK_OK(sw_response_step_each(response, &these));
    assert_memory_equal(before.crystal, p.crystal, sizeof p.crystal);
    assert_memory_equal(before.kept, p.kept, sizeof p.kept);
    assert_memory_not_equal(before.stress, p.stress, sizeof p.stress);
    sw_response_close(response);
}

/* ---- Threads ---- */

typedef struct {
    sw_response *response;
    points *points;
    int number;
    sw_status status;
} worker;

/* Every THREADS-th point, through all steps. */
static void *work(void *its)
{
    worker *w = its;
    omp_set_num_threads(1);
    for (int p = w->number; p < P && w->status == SW_OK; p += THREADS)
        for (int k = 0; k < STEPS && w->status == SW_OK; k++)
            w->status = step(w->response, w->points, p, 1, 1, k);
    return NULL;
}

static void threads_share_a_response(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    for (int s = 0; s < 3; s++) {
        static points alone, shared;
        sw_response *one = open_solver(names[s]), *other = open_solver(names[s]);
        worker w[THREADS];
        pthread_t thread[THREADS];
        begin(&alone);
        begin(&shared);
        for (int k = 0; k < STEPS; k++)
            CHECK_OK(step(one, &alone, 0, P, 1, k));
        CHECK_OK(sw_response_prepare_each(other));
        for (int t = 0; t < THREADS; t++) {
            w[t] = (worker){other, &shared, t, SW_OK};
            assert_int_equal(pthread_create(&thread[t], NULL, work, &w[t]), 0);
        }
        for (int t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(thread[t], NULL), 0);
            assert_int_equal(w[t].status, SW_OK);
        }
        assert_memory_equal(&alone, &shared, sizeof alone);
        sw_response_close(one);
        sw_response_close(other);
    }
}

static void preparing_is_for_those_with_points(void **state)
{
    (void)state;
    sw_response *iterative = open_solver("iterative");
    assert_int_equal(sw_response_prepare_each(iterative), SW_ERR_UNAVAILABLE);
    sw_response_close(iterative);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_say_what_they_keep),
        cmocka_unit_test(states_may_be_anywhere),
        cmocka_unit_test(tries_change_nothing),
        cmocka_unit_test(threads_share_a_response),
        cmocka_unit_test(preparing_is_for_those_with_points),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
