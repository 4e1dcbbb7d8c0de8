/* States of crystals: made, begun, copied, kept as values and taken back; a step from one to another, elsewhere or
 * nowhere, of every solver. */
#include "tests/copper_database.h"
#include "tests/crystals.h"

enum { N = 540, STEPS = 3 }; /* more than a block, and not a multiple of the lanes */

static const double compression[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}},
                    shear[3][3] = {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};

static int set_up(void **state)
{
    (void)state;
    return make_copper_database(8, 12);
}

static sw_response *open_solver(const char *solver)
{
    const sw_response_options options = {.solver = solver, .database = &database, .terms = 256};
    return opened(&options);
}

static void fill(const sw_response *response, sw_crystals *c)
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, c->n, c->crystal, 1, 0, 16e6F));
    CHECK_OK(sw_crystals_begin(response, c));
}

static sw_crystals made(const sw_response *response, int64_t n)
{
    sw_crystals c;
    CHECK_OK(sw_crystals_make(response, n, &c));
    fill(response, &c);
    return c;
}

static void step(sw_response *response, const double gradient[3][3], const sw_crystals *c)
{
    sw_response_average average;
    CHECK_OK(sw_response_step(response, gradient, 7, c, c, &average));
}

static size_t state_bytes(const sw_crystals *c)
{
    return (size_t)(c->n * c->layout->numbers) * sizeof *c->state;
}

static int are_the_same(const sw_crystals *a, const sw_crystals *b)
{
    return a->n == b->n && memcmp(a->crystal, b->crystal, (size_t)a->n * sizeof *a->crystal) == 0 &&
           (a->state == NULL || memcmp(a->state, b->state, state_bytes(a)) == 0);
}

static double *values_for(const sw_crystals *c)
{
    double *value = calloc((size_t)(c->n * sw_state_values(c->layout) + 1), sizeof *value);
    assert_non_null(value);
    return value;
}

static const char *const solvers[] = {"terms", "grid", "rigid_plastic", "elastoplastic", "iterative"};
static const char *const with_state[] = {"elastoplastic", "iterative"};
enum { SOLVERS = 5, WITH_STATE = 2 };

/* ---- Layouts ---- */

static void layouts_say_what_is_remembered(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(solvers[s]);
        const sw_state_layout *layout = sw_response_layout(r);
        assert_int_equal(layout->numbers, sw_solver_find(solvers[s])->kept);
        assert_int_equal(layout->numbers > 0, sw_solver_find(solvers[s])->has_history);
        sw_response_close(r);
    }
    sw_response *r = open_solver("elastoplastic");
    const sw_state_field *field = sw_response_layout(r)->field;
    assert_string_equal(field->name, "elastic_stress");
    assert_string_equal(field->unit, "Pa");
    assert_int_equal(field->values, 5);
    assert_int_equal(sw_response_layout(r)->numbers, 5);
    sw_response_close(r);
}

/* ---- Made and begun ---- */

/* As made about crystals of the caller's, which stay; those of a solver without a state are a view. */
static void crystals_begin_without_stress(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        static sw_crystal own[N], before[N];
        sw_response *r = open_solver(solvers[s]);
        sw_crystals c = made(r, N), begun = made(r, N);
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, own, 1, 0, 16e6F));
        memcpy(before, own, sizeof own);
        sw_crystals about = crystals_of(r, N, own, NULL);
        assert_ptr_equal(about.crystal, own);
        assert_true(are_the_same(&about, &c));
        assert_int_equal(c.state != NULL, c.layout->numbers > 0);
        step(r, compression, &about);
        sw_crystals_release(&about);
        assert_memory_not_equal(own, before, sizeof own);
        assert_null(about.state);
        sw_crystals_release(&about);

        step(r, compression, &c);
        fill(r, &c);
        assert_true(are_the_same(&c, &begun));
        sw_crystals_release(&c);
        sw_crystals_release(&begun);
        sw_response_close(r);
    }
}

/* ---- Values ---- */

/* In the middle of a strain path, and where another begins; in parts, and half of the crystals alone. */
static void check_restored(const char *solver, const double next[3][3])
{
    sw_response *first = open_solver(solver), *second = open_solver(solver);
    sw_crystals whole = made(first, N), again = made(second, N), part;
    const int64_t values = sw_state_values(whole.layout);
    double *value = values_for(&whole);
    step(first, compression, &whole);
    step(first, compression, &whole);
    memcpy(again.crystal, whole.crystal, N * sizeof *whole.crystal);
    part = sw_crystals_part(&whole, 0, 15);
    CHECK_OK(sw_crystals_save(&part, value));
    part = sw_crystals_part(&whole, 15, N - 15);
    CHECK_OK(sw_crystals_save(&part, value + 15 * values));
    step(first, next, &whole);
    sw_response_close(first);

    part = sw_crystals_part(&again, 0, 30);
    CHECK_OK(sw_crystals_restore(&part, value));
    part = sw_crystals_part(&again, 30, N - 30);
    CHECK_OK(sw_crystals_restore(&part, value + 30 * values));
    part = sw_crystals_part(&again, N / 2, N / 2);
    step(second, next, &part);
    assert_memory_equal(part.crystal, whole.crystal + N / 2, N / 2 * sizeof *part.crystal);
    part = sw_crystals_part(&again, 0, N / 2);
    step(second, next, &part);
    assert_true(are_the_same(&again, &whole));
    sw_crystals_release(&whole);
    sw_crystals_release(&again);
    sw_response_close(second);
    free(value);
}

static void restored_states_go_on_to_the_same_bits(void **state)
{
    (void)state;
    for (int s = 0; s < WITH_STATE; s++) {
        check_restored(with_state[s], compression);
        check_restored(with_state[s], shear);
    }
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300}; /* the last is none in single precision */
    for (int s = 0; s < WITH_STATE; s++) {
        sw_response *r = open_solver(with_state[s]);
        sw_crystals c = made(r, N), before = made(r, N);
        double *value = values_for(&c);
        step(r, compression, &c);
        CHECK_OK(sw_crystals_assign(&before, &c));
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            memset(value, 0, (size_t)(N * sw_state_values(c.layout)) * sizeof *value);
            value[3 * sw_state_values(c.layout) + 2] = bad[i];
            assert_int_equal(sw_crystals_restore(&c, value), SW_ERR_FORMAT);
            assert_message_has("state of crystal 3");
            assert_true(are_the_same(&c, &before));
        }
        sw_crystals_release(&c);
        sw_crystals_release(&before);
        sw_response_close(r);
        free(value);
    }
}

static void other_solvers_keep_nothing(void **state)
{
    (void)state;
    sw_response *r = open_solver("rigid_plastic");
    sw_crystals c = made(r, N);
    double untouched = 7;
    assert_int_equal(sw_state_values(c.layout), 0);
    CHECK_OK(sw_crystals_save(&c, &untouched));
    CHECK_OK(sw_crystals_restore(&c, &untouched));
    assert_true(untouched == 7);
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* ---- Parts and copies ---- */

/* Crystals of a step hang on none of the others; weights go along. */
static void parts_step_as_the_whole(void **state)
{
    (void)state;
    static float weight[N];
    for (int n = 0; n < N; n++)
        weight[n] = (float)(n % 3);
    for (int s = 0; s < SOLVERS; s++) {
        static const int first[] = {0, 7, 301, N};
        sw_response *r = open_solver(solvers[s]);
        sw_crystals whole = made(r, N), parts = made(r, N);
        parts.weight = weight;
        for (int k = 0; k < STEPS; k++) {
            step(r, k < 2 ? compression : shear, &whole);
            for (int i = 0; i < 3; i++) {
                const sw_crystals part = sw_crystals_part(&parts, first[i], first[i + 1] - first[i]);
                assert_ptr_equal(part.weight, weight + first[i]);
                step(r, k < 2 ? compression : shear, &part);
            }
        }
        assert_true(are_the_same(&whole, &parts));
        sw_crystals_release(&whole);
        sw_crystals_release(&parts);
        sw_response_close(r);
    }
}

static void copies_go_on_and_exchanges_turn(void **state)
{
    (void)state;
    static const float weight[N] = {1};
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(solvers[s]);
        sw_crystals a = made(r, N), b = made(r, N), begun = made(r, N);
        const sw_crystal *const of_a = a.crystal;
        step(r, compression, &a);
        a.weight = weight;
        assert_false(are_the_same(&a, &b));
        sw_crystals_swap(&a, &b);
        assert_true(are_the_same(&a, &begun) && b.crystal == of_a);
        assert_true(a.weight == weight && b.weight == NULL);
        CHECK_OK(sw_crystals_assign(&a, &b));
        assert_true(are_the_same(&a, &b) && a.weight == weight);
        step(r, shear, &a);
        assert_false(are_the_same(&a, &b));
        step(r, shear, &b);
        assert_true(are_the_same(&a, &b));
        sw_crystals_release(&a);
        sw_crystals_release(&b);
        sw_crystals_release(&begun);
        sw_response_close(r);
    }
}

static void copies_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    sw_response *elastic = open_solver("elastoplastic"), *rigid = open_solver("rigid_plastic");
    sw_crystals a = made(elastic, N), fewer = made(elastic, N - 1), bare = made(rigid, N),
                before = made(elastic, N);
    step(elastic, compression, &fewer);
    step(rigid, compression, &bare);
    assert_int_equal(sw_crystals_assign(&a, &fewer), SW_ERR_RANGE);
    assert_message_has("states of 539 crystals, 5 numbers each, for 540 of 5: need as many");
    assert_int_equal(sw_crystals_assign(&a, &bare), SW_ERR_RANGE);
    assert_message_has("states of 540 crystals, 0 numbers each, for 540 of 5: need as many");
    assert_true(are_the_same(&a, &before));
    sw_crystals_release(&a);
    sw_crystals_release(&fewer);
    sw_crystals_release(&bare);
    sw_crystals_release(&before);
    sw_response_close(elastic);
    sw_response_close(rigid);
}

/* ---- From one to another ---- */

typedef sw_status (*stepping)(sw_response *response, const double velocity_gradient[3][3], double dt,
                              const sw_crystals *from, const sw_crystals *to, sw_response_average *average);

/* A step in place, whatever view of it `to` is, elsewhere, and nowhere: the same bits; where it began stays as it was.
 * Weights are those of where it began. */
static void check_steps(const char *solver, stepping take)
{
    static float weight[N], other[N];
    sw_response *r = open_solver(solver);
    sw_crystals here = made(r, N), from = made(r, N), to = made(r, N), kept = made(r, N);
    for (int n = 0; n < N; n++) {
        weight[n] = (float)(n % 3);
        other[n] = (float)(1 + n % 2);
    }
    here.weight = from.weight = weight;
    to.weight = other;
    const sw_crystals view = here;
    for (int k = 0; k < STEPS; k++) {
        const double(*l)[3] = k < 2 ? compression : shear;
        sw_response_average in_place, elsewhere, tried;
        CHECK_OK(sw_crystals_assign(&kept, &from));
        CHECK_OK(take(r, l, 7, &here, k == 0 ? &here : &view, &in_place));
        CHECK_OK(take(r, l, 7, &from, NULL, &tried));
        assert_true(are_the_same(&from, &kept));
        CHECK_OK(take(r, l, 7, &from, &to, &elsewhere));
        assert_true(are_the_same(&from, &kept));
        assert_true(are_the_same(&to, &here));
        assert_memory_equal(&in_place, &elsewhere, sizeof in_place);
        assert_memory_equal(&in_place, &tried, sizeof in_place);
        sw_crystals_swap(&from, &to);
    }
    sw_crystals_release(&here);
    sw_crystals_release(&from);
    sw_crystals_release(&to);
    sw_crystals_release(&kept);
    sw_response_close(r);
}

static void steps_go_from_one_to_another(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        check_steps(solvers[s], sw_response_step);
        check_steps(solvers[s], sw_response_advance);
    }
}

/* Where a step without an answer began is as it was, for one that is tried again. */
static void failed_steps_leave_where_they_began(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS - 1; s++) { /* `iterative` is given slip resistances by its state */
        sw_response *r = open_solver(solvers[s]);
        sw_response_average average;
        sw_crystals from = made(r, N), to = made(r, N), kept = made(r, N);
        from.crystal[300].slip_resistance = -1;
        CHECK_OK(sw_crystals_assign(&kept, &from));
        assert_int_equal(sw_response_step(r, compression, 7, &from, &to, &average), SW_ERR_CONVERGENCE);
        assert_message_has("1 crystals have no answer");
        assert_int_equal(sw_response_step(r, compression, 7, &from, NULL, &average), SW_ERR_CONVERGENCE);
        assert_true(are_the_same(&from, &kept));
        from.crystal[300] = to.crystal[301];
        CHECK_OK(sw_response_step(r, compression, 7, &from, &to, &average));
        sw_crystals_release(&from);
        sw_crystals_release(&to);
        sw_crystals_release(&kept);
        sw_response_close(r);
    }
}

/* ---- Refused ---- */

static void check_refused(sw_response *r, const sw_crystals *from, const sw_crystals *to, const char *says)
{
    static const stepping both[] = {sw_response_step, sw_response_advance};
    for (int k = 0; k < 2; k++) {
        sw_response_average average;
        assert_int_equal(both[k](r, compression, 7, from, to, &average), SW_ERR_RANGE);
        assert_message_has(says);
    }
}

/* Of another solver, without their states, or of none. */
static void layouts_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(solvers[s]), *other = open_solver(solvers[(s + 3) % SOLVERS]);
        sw_crystals own = made(r, N), foreign = made(other, N), without = own;
        const int numbers = own.layout->numbers;
        char says[100];
        if (foreign.layout->numbers != numbers) {
            snprintf(says, sizeof says, "crystals with %d numbers of state: solver = %s remembers %d of each",
                     foreign.layout->numbers, solvers[s], numbers);
            check_refused(r, &foreign, &foreign, says);
            check_refused(r, &foreign, NULL, says);
            check_refused(r, &own, &foreign, says);
        }
        snprintf(says, sizeof says, "crystals with 0 numbers of state: solver = %s", solvers[s]);
        without.state = NULL;
        if (numbers > 0)
            check_refused(r, &own, &without, says);
        without.layout = NULL;
        if (numbers > 0)
            check_refused(r, &without, NULL, says);
        sw_crystals_release(&own);
        sw_crystals_release(&foreign);
        sw_response_close(r);
        sw_response_close(other);
    }
}

static void other_numbers_and_devices_are_refused(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(solvers[s]);
        sw_response_average average;
        sw_crystals from = made(r, N), to = made(r, N), on_gpu = from, kept = made(r, N);
        const sw_crystals fewer = sw_crystals_part(&to, 0, N - 1);
        check_refused(r, &from, &fewer, "a step of 540 crystals into 539: need as many");
        check_refused(r, &fewer, &from, "a step of 539 crystals into 540: need as many");
        on_gpu.device = SW_CUDA;
        check_refused(r, &on_gpu, &to, "crystals of a GPU: need those of the response's CPU");
        check_refused(r, &from, &on_gpu, "crystals of a GPU: need those of the response's CPU");
        check_refused(r, &on_gpu, NULL, "crystals of a GPU: need those of the response's CPU");
        if (!sw_solver_find(solvers[s])->has_history)
            assert_int_equal(sw_response_evaluate_mean(r, compression, &on_gpu, &average), SW_ERR_RANGE);
        assert_true(are_the_same(&from, &kept) && are_the_same(&to, &kept));
        sw_crystals_release(&from);
        sw_crystals_release(&to);
        sw_crystals_release(&kept);
        sw_response_close(r);
    }
}

/* Where a step begins and where it ends are the same or apart: neither crystals nor states overlap. */
static void ends_that_overlap_are_refused(void **state)
{
    (void)state;
    for (int s = 0; s < SOLVERS; s++) {
        sw_response *r = open_solver(solvers[s]);
        sw_crystals all = made(r, N), elsewhere = made(r, N), kept = made(r, N);
        const sw_crystals from = sw_crystals_part(&all, 0, N - 1), to = sw_crystals_part(&all, 1, N - 1);
        check_refused(r, &from, &to, "crystals and crystals that the step begins with share memory");
        sw_crystals mixed = elsewhere;
        mixed.state = all.state;
        if (all.state != NULL)
            check_refused(r, &all, &mixed, "their states and states that the step begins with share memory");
        mixed = all;
        mixed.state = elsewhere.state;
        if (all.state != NULL)
            check_refused(r, &all, &mixed, "crystals and crystals that the step begins with share memory");
        mixed = elsewhere;
        mixed.state = (float *)elsewhere.crystal;
        if (all.state != NULL)
            check_refused(r, &all, &mixed, "crystals and their states share memory");
        all.weight = elsewhere.crystal[5].euler;
        check_refused(r, &all, &elsewhere, "crystals and weights share memory");
        assert_true(are_the_same(&all, &kept) && are_the_same(&elsewhere, &kept));
        sw_crystals_release(&all);
        sw_crystals_release(&elsewhere);
        sw_crystals_release(&kept);
        sw_response_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_say_what_is_remembered),
        cmocka_unit_test(crystals_begin_without_stress),
        cmocka_unit_test(restored_states_go_on_to_the_same_bits),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(other_solvers_keep_nothing),
        cmocka_unit_test(parts_step_as_the_whole),
        cmocka_unit_test(copies_go_on_and_exchanges_turn),
        cmocka_unit_test(copies_that_do_not_fit_are_refused),
        cmocka_unit_test(steps_go_from_one_to_another),
        cmocka_unit_test(failed_steps_leave_where_they_began),
        cmocka_unit_test(layouts_that_do_not_fit_are_refused),
        cmocka_unit_test(other_numbers_and_devices_are_refused),
        cmocka_unit_test(ends_that_overlap_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, free_copper_database);
}
