/* States of crystals on a GPU: kept and taken back, and steps from one to another, in its memory, in the host's, and
 * across. Skipped, saying so, where there is no GPU. */
#include "tests/copper_database.h"
#include "tests/gpu/gpu.h"

#include "online/response/step/crystals.h"

enum { N = 5003, SOLVERS = 4, STEPS = 6 };

static const char *const solvers[SOLVERS] = {"elastoplastic", "rigid_plastic", "grid", "terms"};
static const double shear[3][3] = {{1e-4, 1e-3, 0}, {0, 2e-4, 0}, {0, 0, -3e-4}},
                    compression[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};

static int set_up_with_database(void **state)
{
    set_up(state);
    return gpus == 0 ? 0 : make_copper_database(16, 12);
}

static sw_response *open_solver(sw_device device, const char *solver)
{
    return open_on(device, (sw_response_options){.solver = solver, .database = &database, .terms = 512});
}

static sw_crystals made(const sw_response *response) { return make_random_crystals(response, N, 5, 16e6); }

/* Crystals and states of a response on a GPU in plain memory of the host: steps stream them. */
static sw_crystals made_on_host(const sw_response *response)
{
    sw_crystals c = sw_crystals_alone(response, N, calloc(N, sizeof(sw_crystal)));
    c.state = calloc((size_t)(N * c.layout->numbers + 1), sizeof *c.state);
    assert_true(c.crystal != NULL && c.state != NULL);
    if (c.layout->numbers == 0) {
        free(c.state);
        c.state = NULL;
    }
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, c.crystal, 5, 0, 16e6F));
    return c;
}

static void free_on_host(sw_crystals *c)
{
    free(c->crystal);
    free(c->state);
}

/* Bit by bit, wherever they are. */
static void assert_the_same(const sw_crystals *a, const sw_crystals *b)
{
    static sw_crystal crystal[2][N];
    static double value[2][N * 5];
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, crystal[0], a->crystal));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, crystal[1], b->crystal));
    assert_memory_equal(crystal[0], crystal[1], sizeof crystal[0]);
    CHECK_OK(sw_crystals_save(a, value[0]));
    CHECK_OK(sw_crystals_save(b, value[1]));
    assert_memory_equal(value[0], value[1], sizeof value[0]);
}

static void step(sw_response *response, const double l[3][3], const sw_crystals *c)
{
    sw_response_average average;
    CHECK_OK(sw_response_step(response, l, 15, c, c, &average));
}

/* ---- Kept and taken back ---- */

/* In the middle, in parts, and into another response: the same bits. */
static void restored_states_go_on_to_the_same_bits(void **state)
{
    NEED_GPU();
    static double value[N][5];
    sw_response *first = open_solver(SW_CUDA, "elastoplastic"),
                *second = open_solver(SW_CUDA, "elastoplastic");
    sw_crystals whole = made(first), half = made(second);
    assert_int_equal(sw_state_values(whole.layout), 5);
    step(first, shear, &whole);
    step(first, shear, &whole);
    CHECK_OK(sw_crystals_save(&whole, &value[0][0]));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, half.crystal, whole.crystal));
    step(first, compression, &whole);
    sw_response_close(first);
    for (int k = 0; k < 2; k++) {
        sw_crystals part = sw_crystals_part(&half, k ? 1000 : 0, k ? N - 1000 : 1000);
        CHECK_OK(sw_crystals_restore(&part, &value[k ? 1000 : 0][0]));
    }
    step(second, compression, &half);
    assert_the_same(&half, &whole);
    CHECK_OK(sw_crystals_begin(second, &half));
    CHECK_OK(sw_crystals_save(&half, &value[0][0]));
    for (int64_t i = 0; i < N; i++)
        for (int k = 0; k < 5; k++)
            assert_true(value[i][k] == 0);
    sw_crystals_release(&whole);
    sw_crystals_release(&half);
    sw_response_close(second);
}

/* What a GPU came to, to crystals of the CPU and back. */
static void states_are_assigned_across(void **state)
{
    NEED_GPU();
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *gpu = open_solver(SW_CUDA, solvers[s]), *cpu = open_solver(SW_CPU, solvers[s]);
        sw_crystals there = made(gpu), here = made(cpu), back = made(gpu);
        step(gpu, shear, &there);
        CHECK_OK(sw_crystals_assign(&here, &there));
        CHECK_OK(sw_crystals_assign(&back, &here));
        assert_the_same(&back, &there);
        step(cpu, shear, &here);
        sw_crystals_release(&there);
        sw_crystals_release(&here);
        sw_crystals_release(&back);
        sw_response_close(gpu);
        sw_response_close(cpu);
    }
}

/* ---- From one to another ---- */

typedef sw_status (*stepping)(sw_response *response, const double velocity_gradient[3][3], double dt,
                              const sw_crystals *from, const sw_crystals *to, sw_response_average *average);

/* In place and elsewhere, in the GPU's memory, the host's, and from one to the other; and nowhere: the same bits; where a
 * step began stays as it was. */
static void check_steps(sw_response *r, stepping take)
{
    enum { PLACES = 4 };
    static float weight[N];
    float *on_gpu;
    sw_crystals in_place = made(r), from[2] = {made(r), made_on_host(r)}, to[2] = {made(r), made_on_host(r)},
                kept = made(r);
    for (int n = 0; n < N; n++)
        weight[n] = (float)(1 + n % 3);
    CHECK_OK(sw_numbers_make(SW_CUDA, N, &on_gpu));
    CHECK_OK(sw_numbers_copy(SW_CUDA, N, on_gpu, weight));
    in_place.weight = from[0].weight = on_gpu;
    from[1].weight = weight;
    for (int k = 0; k < STEPS; k++) {
        const double(*l)[3] = k < STEPS / 2 ? shear : compression;
        sw_response_average reference, average;
        CHECK_OK(sw_crystals_assign(&kept, &in_place));
        CHECK_OK(take(r, l, 15, &in_place, &in_place, &reference));
        for (int i = 0; i < PLACES; i++) {
            CHECK_OK(take(r, l, 15, &from[i / 2], &to[i % 2], &average));
            assert_memory_equal(&average, &reference, sizeof reference);
            assert_the_same(&to[i % 2], &in_place);
            assert_the_same(&from[i / 2], &kept);
            CHECK_OK(take(r, l, 15, &from[i / 2], NULL, &average));
            assert_memory_equal(&average, &reference, sizeof reference);
            assert_the_same(&from[i / 2], &kept);
        }
        for (int i = 0; i < 2; i++)
            sw_crystals_swap(&from[i], &to[i]);
    }
    sw_crystals_release(&in_place);
    sw_crystals_release(&kept);
    sw_crystals_release(&from[0]);
    sw_crystals_release(&to[0]);
    sw_numbers_free(SW_CUDA, on_gpu);
    free_on_host(&from[1]);
    free_on_host(&to[1]);
}

static void steps_go_from_one_to_another(void **state)
{
    NEED_GPU();
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(SW_CUDA, solvers[s]);
        check_steps(r, sw_response_step);
        check_steps(r, sw_response_advance);
        sw_response_close(r);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    NEED_GPU();
    sw_response *gpu = open_solver(SW_CUDA, "elastoplastic"), *cpu = open_solver(SW_CPU, "elastoplastic"),
                *rigid = open_solver(SW_CUDA, "rigid_plastic");
    sw_crystals c = made(gpu), of_cpu = made(cpu), bare = made(rigid), begun = made(gpu);
    const sw_crystals first = sw_crystals_part(&c, 0, N - 1), second = sw_crystals_part(&c, 1, N - 1);
    const struct {
        const sw_crystals *from, *to;
        const char *says;
    } cases[] = {
        {&of_cpu, NULL, "crystals of a CPU: need those of the response's GPU"},
        {&c, &of_cpu, "crystals of a CPU: need those of the response's GPU"},
        {&bare, &bare, "crystals with 0 numbers of state: solver = elastoplastic remembers 5 of each"},
        {&c, &bare, "crystals with 0 numbers of state: solver = elastoplastic remembers 5 of each"},
        {&c, &first, "a step of 5003 crystals into 5002: need as many"},
        {&first, &second, "crystals and crystals that the step begins with share memory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_response_average average;
        assert_int_equal(sw_response_step(gpu, shear, 15, cases[i].from, cases[i].to, &average),
                         SW_ERR_RANGE);
        assert_message_has(cases[i].says);
    }
    assert_the_same(&c, &begun);
    sw_crystals_release(&c);
    sw_crystals_release(&of_cpu);
    sw_crystals_release(&bare);
    sw_crystals_release(&begun);
    sw_response_close(gpu);
    sw_response_close(cpu);
    sw_response_close(rigid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restored_states_go_on_to_the_same_bits),
        cmocka_unit_test(states_are_assigned_across),
        cmocka_unit_test(steps_go_from_one_to_another),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up_with_database, free_copper_database);
}
