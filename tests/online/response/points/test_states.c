/* Points from one state to another: in any order and from several threads at a time, in place, elsewhere and nowhere. */
#include "tests/copper_database.h"
#include "tests/crystals.h"

#include <omp.h>
#include <pthread.h>

enum { P = 8, N = 40, ALL = P * N, STEPS = 6, THREADS = 4 };

static int set_up(void **state)
{
    (void)state;
    return make_copper_database(8, 12);
}

static sw_response *open_solver(const char *name)
{
    const sw_response_options options = {.solver = name, .database = &database};
    return opened(&options);
}

/* All that P points are, and what they answered last. */
typedef struct {
    sw_crystals crystals;
    double stress[P][6], by_strain_rate[P][6][6];
} points;

static points made(const sw_response *response)
{
    points p;
    memset(&p, 0, sizeof p);
    CHECK_OK(sw_crystals_make(response, ALL, &p.crystals));
    CHECK_OK(sw_crystals_randomise(SW_CPU, ALL, p.crystals.crystal, 3, 0, 16e6F));
    return p;
}

static int states_are_the_same(const sw_crystals *a, const sw_crystals *b)
{
    const size_t numbers = (size_t)(ALL * a->layout->numbers);
    return memcmp(a->crystal, b->crystal, ALL * sizeof *a->crystal) == 0 &&
           (a->state == NULL || memcmp(a->state, b->state, numbers * sizeof *a->state) == 0);
}

static void assert_the_same(const points *a, const points *b)
{
    assert_true(states_are_the_same(&a->crystals, &b->crystals));
    assert_memory_equal(a->stress, b->stress, sizeof a->stress);
    assert_memory_equal(a->by_strain_rate, b->by_strain_rate, sizeof a->by_strain_rate);
}

/* Number `step` of point number `point`: a path that turns, each point's another. */
static void gradient(int point, int step, double l[3][3])
{
    const double shear = step < STEPS / 2 ? 0.4e-3 * point : -1e-3;
    const double own[3][3] = {{1e-3, shear, 0}, {0, 0, 2e-4 * step}, {0, 0, -1e-3}};
    memcpy(l, own, sizeof own);
}

/* n points from `first` on take step `number` to another state, or none; with: a tangent. */
static sw_status step_to(sw_response *response, points *p, int first, int n, int number,
                         const sw_crystals *to, int with)
{
    const sw_crystals from = sw_crystals_part(&p->crystals, (int64_t)first * N, (int64_t)n * N);
    double l[P][3][3];
    for (int k = 0; k < n; k++)
        gradient(first + k, number, l[k]);
    const sw_points these = {.points = n,
                             .each = N,
                             .velocity_gradient = (const double(*)[3][3])l,
                             .dt = 10,
                             .from = &from,
                             .to = to,
                             .stress = p->stress + first,
                             .by_strain_rate = with ? p->by_strain_rate + first : NULL};
    return sw_response_step_each(response, &these);
}

/* In place. */
static sw_status step(sw_response *response, points *p, int first, int n, int number)
{
    const sw_crystals part = sw_crystals_part(&p->crystals, (int64_t)first * N, (int64_t)n * N);
    return step_to(response, p, first, n, number, &part, 1);
}

/* Point after point, each through all its steps, against all points together with another response. */
static void states_may_be_anywhere(void **state)
{
    (void)state;
    sw_response *one = open_solver("elastoplastic"), *other = open_solver("elastoplastic");
    points together = made(one), apart = made(other);
    for (int k = 0; k < STEPS; k++)
        CHECK_OK(step(one, &together, 0, P, k));
    for (int p = P - 1; p >= 0; p--)
        for (int k = 0; k < STEPS; k++)
            CHECK_OK(step(other, &apart, p, 1, k));
    assert_the_same(&together, &apart);
    const int numbers = ALL * apart.crystals.layout->numbers;
    double size = 0;
    for (int i = 0; i < numbers; i++)
        size += fabsf(apart.crystals.state[i]);
    assert_true(size / numbers > 0.1); /* stresses over s: elastic states are there */
    sw_crystals_release(&together.crystals);
    sw_crystals_release(&apart.crystals);
    sw_response_close(one);
    sw_response_close(other);
}

/* ---- From one state to another ---- */

/* Elsewhere and nowhere the bits of the step in place; where it began stays as it was. */
static void points_go_from_one_to_another(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid", "terms"};
    for (int s = 0; s < 4; s++) {
        const int with = s < 3; /* `terms` has no tangent */
        sw_response *response = open_solver(names[s]);
        points here = made(response), there = made(response), to = made(response), kept = made(response);
        for (int k = 0; k < STEPS; k++) {
            CHECK_OK(sw_crystals_assign(&kept.crystals, &there.crystals));
            CHECK_OK(step_to(response, &here, 0, P, k, &here.crystals, with));
            CHECK_OK(step_to(response, &there, 0, P, k, NULL, with));
            assert_memory_equal(there.stress, here.stress, sizeof here.stress);
            assert_memory_equal(there.by_strain_rate, here.by_strain_rate, sizeof here.by_strain_rate);
            assert_true(states_are_the_same(&there.crystals, &kept.crystals));
            memset(there.stress, 0, sizeof there.stress);
            CHECK_OK(step_to(response, &there, 0, P, k, &to.crystals, with));
            assert_true(states_are_the_same(&there.crystals, &kept.crystals));
            sw_crystals_swap(&there.crystals, &to.crystals);
            assert_the_same(&there, &here);
        }
        sw_crystals_release(&here.crystals);
        sw_crystals_release(&there.crystals);
        sw_crystals_release(&to.crystals);
        sw_crystals_release(&kept.crystals);
        sw_response_close(response);
    }
}

/* A point without an answer leaves those beside it, and where all began. */
static void failed_points_leave_the_others(void **state)
{
    (void)state;
    sw_response *response = open_solver("elastoplastic");
    points p = made(response), to = made(response), kept = made(response), good = made(response);
    p.crystals.crystal[3 * N + 7].slip_resistance = NAN;
    CHECK_OK(sw_crystals_assign(&kept.crystals, &p.crystals));
    CHECK_OK(step(response, &good, 0, P, 0));
    assert_int_equal(step_to(response, &p, 0, P, 0, &to.crystals, 1), SW_ERR_CONVERGENCE);
    assert_true(states_are_the_same(&p.crystals, &kept.crystals));
    for (int k = 0; k < P; k++) {
        if (k == 3) {
            assert_true(isnan(p.stress[k][0]));
            continue;
        }
        assert_memory_equal(p.stress[k], good.stress[k], sizeof p.stress[k]);
        assert_memory_equal(to.crystals.crystal + k * N, good.crystals.crystal + k * N,
                            N * sizeof *to.crystals.crystal);
    }
    sw_crystals_release(&p.crystals);
    sw_crystals_release(&to.crystals);
    sw_crystals_release(&kept.crystals);
    sw_crystals_release(&good.crystals);
    sw_response_close(response);
}

static void states_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    sw_response *response = open_solver("elastoplastic"), *rigid = open_solver("rigid_plastic");
    points p = made(response), to = made(response), bare = made(rigid), kept = made(response);
    sw_crystals on_gpu = to.crystals;
    on_gpu.device = SW_CUDA;
    sw_crystals one_more = sw_crystals_part(&p.crystals, 0, (P - 1) * N + 1),
                fewer = sw_crystals_part(&to.crystals, 0, ALL - N),
                beside = sw_crystals_part(&p.crystals, N, ALL - N);
    assert_int_equal(step_to(response, &p, 0, P, 0, &bare.crystals, 1), SW_ERR_RANGE);
    assert_message_has("crystals with 0 numbers of state: solver = elastoplastic remembers 5 of each");
    assert_int_equal(step_to(rigid, &p, 0, P, 0, NULL, 1), SW_ERR_RANGE);
    assert_message_has("crystals with 5 numbers of state: solver = rigid_plastic remembers 0 of each");
    assert_int_equal(step_to(response, &p, 0, P, 0, &fewer, 1), SW_ERR_RANGE);
    assert_message_has("a step of 320 crystals into 280: need as many");
    assert_int_equal(step_to(response, &p, 0, P, 0, &on_gpu, 1), SW_ERR_RANGE);
    assert_message_has("crystals of a GPU: need those of the response's CPU");
    assert_int_equal(step_to(response, &p, 0, P - 1, 0, &beside, 1), SW_ERR_RANGE);
    assert_message_has("crystals and crystals that the step begins with share memory");
    sw_crystals results = to.crystals;
    results.state = (float *)p.stress;
    assert_int_equal(step_to(response, &p, 0, P, 0, &results, 1), SW_ERR_RANGE);
    assert_message_has("their states and stress share memory");
    static const double l[P][3][3];
    const sw_points too_few = {.points = P, .each = N, .velocity_gradient = l, .dt = 10, .from = &one_more};
    assert_int_equal(sw_response_step_each(response, &too_few), SW_ERR_RANGE);
    assert_message_has("8 points of 40 crystals: there are 281");
    assert_the_same(&p, &kept);
    assert_true(states_are_the_same(&to.crystals, &kept.crystals));
    sw_crystals_release(&p.crystals);
    sw_crystals_release(&to.crystals);
    sw_crystals_release(&bare.crystals);
    sw_crystals_release(&kept.crystals);
    sw_response_close(response);
    sw_response_close(rigid);
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
            w->status = step(w->response, w->points, p, 1, k);
    return NULL;
}

static void threads_share_a_response(void **state)
{
    (void)state;
    static const char *const names[] = {"elastoplastic", "rigid_plastic", "grid"};
    for (int s = 0; s < 3; s++) {
        sw_response *one = open_solver(names[s]), *other = open_solver(names[s]);
        points alone = made(one), shared = made(other);
        worker w[THREADS];
        pthread_t thread[THREADS];
        for (int k = 0; k < STEPS; k++)
            CHECK_OK(step(one, &alone, 0, P, k));
        CHECK_OK(sw_response_prepare_each(other));
        for (int t = 0; t < THREADS; t++) {
            w[t] = (worker){other, &shared, t, SW_OK};
            assert_int_equal(pthread_create(&thread[t], NULL, work, &w[t]), 0);
        }
        for (int t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(thread[t], NULL), 0);
            assert_int_equal(w[t].status, SW_OK);
        }
        assert_the_same(&alone, &shared);
        sw_crystals_release(&alone.crystals);
        sw_crystals_release(&shared.crystals);
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
        cmocka_unit_test(states_may_be_anywhere),
        cmocka_unit_test(points_go_from_one_to_another),
        cmocka_unit_test(failed_points_leave_the_others),
        cmocka_unit_test(states_that_do_not_fit_are_refused),
        cmocka_unit_test(threads_share_a_response),
        cmocka_unit_test(preparing_is_for_those_with_points),
    };
    return cmocka_run_group_tests(tests, set_up, free_copper_database);
}
