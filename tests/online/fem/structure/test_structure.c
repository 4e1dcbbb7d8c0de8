/* Structures of springs and equations against closed forms: what needs no element. */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/fem/structure/structure.h"

enum { MOST = 12 };

/* Nodes on a line, one apart; all that a problem borrows. */
typedef struct {
    double position[MOST][3], temperature[MOST], row[MOST][2];
    int64_t label[MOST];
    sw_structure_spring spring[MOST];
    sw_structure_constraint constraint[MOST];
    int64_t unknown[MOST][4];
    double coefficient[MOST][4];
    sw_structure_value fixed[3 * MOST], force[MOST];
    sw_structure_step step[4];
    sw_structure_problem problem;
} model;

static void begin(model *m, int n_nodes, int n_steps)
{
    *m = (model){0};
    for (int n = 0; n < n_nodes; n++) {
        m->position[n][0] = n;
        m->label[n] = n + 1;
    }
    for (int k = 0; k < n_steps; k++)
        m->step[k] = (sw_structure_step){
            .duration = 1, .first = 1, .fixed = m->fixed, .force = m->force, .n_fixed = 0, .n_forces = 0};
    m->problem = (sw_structure_problem){.path = "test",
                                        .n_nodes = n_nodes,
                                        .position = m->position,
                                        .node_label = m->label,
                                        .temperature = m->temperature,
                                        .spring = m->spring,
                                        .constraint = m->constraint,
                                        .n_steps = n_steps,
                                        .step = m->step};
}

/* Between components x of two nodes; -1: the ground. */
static void add_spring(model *m, int a, int b, double stiffness)
{
    const int64_t k = m->problem.n_springs++;
    m->row[k][0] = stiffness;
    m->spring[k] = (sw_structure_spring){.node = {a, b}, .n_rows = 1, .row = &m->row[k], .label = k + 1};
}

static void add_constraint(model *m, int n, const int64_t *unknown, const double *coefficient, double right)
{
    const int64_t k = m->problem.n_constraints++;
    memcpy(m->unknown[k], unknown, (size_t)n * sizeof *unknown);
    memcpy(m->coefficient[k], coefficient, (size_t)n * sizeof *coefficient);
    m->constraint[k] = (sw_structure_constraint){.n_terms = n,
                                                 .unknown = m->unknown[k],
                                                 .coefficient = m->coefficient[k],
                                                 .right = right,
                                                 .line = 10 + k};
}

static void fix(model *m, int step, int64_t unknown, double to)
{
    m->fixed[m->step[step].n_fixed++] = (sw_structure_value){unknown, 0, to, -1};
}

static void load(model *m, int step, int64_t unknown, double to)
{
    m->force[m->step[step].n_forces++] = (sw_structure_value){unknown, 0, to, -1};
}

static sw_fem_linear_solver linear;

static sw_status solve(const model *m, double (*u)[3], double (*force)[3])
{
    const sw_structure_options options = {.quiet = 1, .linear = linear};
    sw_structure *s;
    SW_TRY(sw_structure_open(&m->problem, &options, &s));
    sw_status status = SW_OK;
    for (int k = 0; k < m->problem.n_steps && status == SW_OK; k++)
        status = sw_structure_advance(s, k);
    sw_structure_read(s, u, force);
    sw_structure_close(s);
    return status;
}

/* Ten round-offs of numbers of size one. */
#define ROUND 1e-14

static void springs_in_a_row_add_their_compliances(void **state)
{
    model m;
    double u[MOST][3], force[MOST][3];
    (void)state;
    begin(&m, 4, 1);
    add_spring(&m, 0, 1, 2);
    add_spring(&m, 1, 2, 4);
    add_spring(&m, 2, 3, 8);
    fix(&m, 0, 0, 0);
    load(&m, 0, 9, 3);
    CHECK_OK(solve(&m, u, force));
    assert_true(fabs(u[1][0] - 3.0 / 2) < ROUND && fabs(u[2][0] - (3.0 / 2 + 3.0 / 4)) < ROUND);
    assert_true(fabs(u[3][0] - (3.0 / 2 + 3.0 / 4 + 3.0 / 8)) < ROUND);
    assert_true(fabs(force[0][0] + 3) < 3 * ROUND); /* what holds it */
}

/* u2 = 2 u1 + 0.5: work of the force on u2 moves u1's spring: k1 u1 = 2 (f - k2 u2). */
static void a_lever_with_an_offset(void **state)
{
    model m;
    double u[MOST][3];
    const double k1 = 3, k2 = 5, f = 7, u1 = 2 * (f - 0.5 * k2) / (k1 + 4 * k2);
    (void)state;
    begin(&m, 3, 1);
    add_spring(&m, -1, 1, k1);
    add_spring(&m, -1, 2, k2);
    add_constraint(&m, 2, (int64_t[]){6, 3}, (double[]){1, -2}, 0.5);
    load(&m, 0, 6, f);
    CHECK_OK(solve(&m, u, NULL));
    assert_true(fabs(u[1][0] - u1) < ROUND);
    assert_true(fabs(u[2][0] - (2 * u1 + 0.5)) < ROUND);
}

/* Each node moves as the mean of its neighbours, whichever order the equations come in and whichever unknown each names
 * first: the ends' springs alone resist, so that the displacement is straight between the ends. */
static void chains_of_equations_are_resolved_in_any_order(void **state)
{
    static const int order[3][4] = {{1, 2, 3, 4}, {4, 3, 2, 1}, {2, 4, 1, 3}};
    (void)state;
    for (int turn = 0; turn < 3; turn++)
        for (int first = 0; first < 3; first++) {
            model m;
            double u[MOST][3];
            begin(&m, 6, 1);
            add_spring(&m, -1, 0, 1);
            add_spring(&m, -1, 5, 1);
            for (int i = 0; i < 4; i++) {
                const int64_t n = order[turn][i], term[3] = {3 * n, 3 * (n - 1), 3 * (n + 1)};
                const double c[3] = {2, -1, -1};
                const int a = first, b = (first + 1) % 3, d = (first + 2) % 3;
                add_constraint(&m, 3, (int64_t[]){term[a], term[b], term[d]}, (double[]){c[a], c[b], c[d]},
                               0);
            }
            load(&m, 0, 6, 1); /* on node 2, at 2/5 of the length */
            CHECK_OK(solve(&m, u, NULL));
            for (int n = 0; n < 6; n++)
                assert_true(fabs(u[n][0] - (3.0 / 5 + (2.0 / 5 - 3.0 / 5) * n / 5)) < ROUND);
        }
}

static void prescribed_unknowns_in_equations(void **state)
{
    model m;
    double u[MOST][3], force[MOST][3];
    (void)state;
    begin(&m, 3, 1);
    add_spring(&m, -1, 2, 4);
    add_constraint(&m, 3, (int64_t[]){0, 3, 6}, (double[]){1, 1, -1},
                   0); /* u2 = u0 + u1, u0 named first and prescribed */
    fix(&m, 0, 0, 0.25);
    fix(&m, 0, 3, 0.5);
    CHECK_OK(solve(&m, u, force));
    assert_true(fabs(u[2][0] - 0.75) < ROUND && fabs(u[0][0] - 0.25) < ROUND);
    assert_true(fabs(force[2][0] - 3) < 3 * ROUND);
}

static void equations_that_say_nothing_new_or_contradict(void **state)
{
    model m;
    double u[MOST][3];
    (void)state;
    for (int wrong = 0; wrong < 2; wrong++) {
        begin(&m, 3, 1);
        add_spring(&m, -1, 1, 1);
        add_constraint(&m, 2, (int64_t[]){0, 3}, (double[]){1, -1}, 0);
        add_constraint(&m, 2, (int64_t[]){3, 6}, (double[]){1, -1}, 0);
        add_constraint(&m, 2, (int64_t[]){6, 0}, (double[]){2, -2},
                       wrong ? 0.1 : 0); /* follows from the first two */
        load(&m, 0, 0, 2);
        assert_int_equal(solve(&m, u, NULL), wrong ? SW_ERR_INPUT : SW_OK);
        if (wrong)
            assert_non_null(strstr(sw_error_message(), "test:12: "));
        else
            assert_true(fabs(u[2][0] - 2) < ROUND);
    }
}

static void steps_go_on_from_where_the_last_one_ended(void **state)
{
    static const double half[2][2] = {{0, 0}, {1, 0.5}};
    sw_structure_amplitude amplitude = {.n_rows = 2, .row = (double(*)[2])half};
    model m;
    double u[MOST][3];
    (void)state;
    begin(&m, 2, 2);
    add_spring(&m, 0, 1, 2);
    fix(&m, 0, 0, 0);
    load(&m, 0, 3, 4);
    m.problem.n_amplitudes = 1;
    m.problem.amplitude = &amplitude;
    sw_structure_value forces[2] = {{3, 4, 4, -1}, {3, 0, 8, 0}}; /* stays, and half of 8 */
    m.step[1].n_fixed = 1;
    m.step[1].force = forces;
    m.step[1].n_forces = 2;
    CHECK_OK(solve(&m, u, NULL));
    assert_true(fabs(u[1][0] - 4) < ROUND);
}

/* F = exp(20 u) - 1 by a table to u = 2, where it is 5e17: the first iterate, by the slope at rest, is far out in it, and must
 * not be what forces are measured by. */
static void a_spring_that_stiffens_is_in_balance(void **state)
{
    enum { ROWS = 1001 };
    static double table[ROWS][2];
    model m;
    double u[MOST][3];
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip(); /* an unknown that nothing resists yet, and that has no neighbour, moves by factors alone */
#endif
    for (int i = 0; i < ROWS; i++) {
        table[i][0] = 0.002 * i;
        table[i][1] = expm1(20 * table[i][0]);
    }
    begin(&m, 2, 1);
    add_spring(&m, -1, 1, 0);
    m.spring[0].row = table;
    m.spring[0].n_rows = ROWS;
    load(&m, 0, 3, -30); /* SPRING1 takes u of its second node for -elongation */
    const sw_status status = solve(&m, u, NULL);
    if (status != SW_OK)
        fail_msg("%s", sw_error_message());
    CHECK_CLOSE(fabs(u[1][0]), log(31) / 20, 2e-5); /* chords of rows: 0.002^2 20 / 8 of u */
}

/* F = u + u^2 by a table, beside a spring in which 1e8 are in play: a balance of 1e-6 of those says nothing of it, corrections do.
 * From u = 2, by the slope at rest, 1.2, 1.012, 1.00005. */
static void what_is_soft_is_found_beside_what_is_stiff(void **state)
{
    enum { ROWS = 2001 };
    static double table[ROWS][2];
    model m;
    double u[MOST][3];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        table[i][0] = 0.002 * i - 0.5;
        table[i][1] = table[i][0] * (1 + table[i][0]);
    }
    begin(&m, 3, 1);
    add_spring(&m, 0, 1, 1e8);
    add_spring(&m, -1, 2, 0);
    m.spring[1].row = table;
    m.spring[1].n_rows = ROWS;
    fix(&m, 0, 0, 0);
    fix(&m, 0, 3, 1);
    load(&m, 0, 6, -2);
    CHECK_OK(solve(&m, u, NULL));
    CHECK_CLOSE(fabs(u[2][0]), 1, 1e-4);
}

/* Two bars of length l0 at height h (von Mises): F = 2 k (l0 / l - 1) (h - w), l^2 = a^2 + (h - w)^2, here as displacement w
 * is prescribed through the flat position, where the tangent is negative. */
static void bars_snap_through(void **state)
{
    const double a = 1, h = 0.3, k = 50, l0 = sqrt(a * a + h * h);
    (void)state;
    for (int i = 1; i <= 8; i++) {
        const double w = 0.075 * i, y = h - w, l = sqrt(a * a + y * y);
        model m;
        double u[MOST][3], force[MOST][3];
        begin(&m, 3, 1);
        m.position[2][0] = 2;
        m.position[1][1] = h;
        for (int side = 0; side < 2; side++) {
            add_spring(&m, 2 * side, 1, k);
            m.spring[side].component[0] = m.spring[side].component[1] = -1;
        }
        m.step[0].finite = 1;
        for (int n = 0; n < 3; n++)
            for (int c = 0; c < 3; c++)
                if (n != 1 || c > 0)
                    fix(&m, 0, 3 * n + c, n == 1 && c == 1 ? -w : 0);
        CHECK_OK(solve(&m, u, force));
        assert_true(fabs(u[1][0]) < ROUND);
        assert_true(fabs(-force[1][1] - 2 * k * (l0 / l - 1) * y) < 1e-12 * k);
    }
}

/* Under a dead load that turns the bar: balance of the moment about its foot, found by Newton's iterations. */
static void a_spring_turns_towards_its_load(void **state)
{
    const double k = 20, f = 3;
    model m;
    double u[MOST][3];
    (void)state;
    begin(&m, 2, 1);
    m.position[1][1] = 0.5;
    add_spring(&m, 0, 1, k);
    m.spring[0].component[0] = m.spring[0].component[1] = -1;
    m.step[0].finite = 1;
    for (int c = 0; c < 3; c++)
        fix(&m, 0, c, 0);
    fix(&m, 0, 5, 0);
    load(&m, 0, 4, f);
    add_spring(&m, -1, 1, 1); /* holds x, or it would turn all the way */
    CHECK_OK(solve(&m, u, NULL));
    const double x = 1 + u[1][0], y = 0.5 + u[1][1], l = sqrt(x * x + y * y), pull = k * (l - sqrt(1.25));
    assert_true(fabs(pull * y / l - f) < 1e-5 * f); /* the tolerance of forces is 1e-6 of them */
    assert_true(fabs(pull * x / l + u[1][0]) < 1e-5 * f);
}

#ifndef SW_HAVE_UMFPACK
static void without_factors_there_is_an_error(void **state)
{
    model m;
    double u[MOST][3];
    (void)state;
    begin(&m, 2, 1);
    add_spring(&m, -1, 1, 1);
    load(&m, 0, 3, 1);
    linear = SW_FEM_SOLVE_DIRECT;
    assert_int_equal(solve(&m, u, NULL), SW_ERR_UNAVAILABLE);
    assert_message_has("libsuitesparse-dev");
    linear = SW_FEM_SOLVE_AUTO;
    CHECK_OK(solve(&m, u, NULL)); /* goes by products */
    assert_true(fabs(u[1][0] - 1) < 1e-9);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_in_a_row_add_their_compliances),
        cmocka_unit_test(a_lever_with_an_offset),
        cmocka_unit_test(chains_of_equations_are_resolved_in_any_order),
        cmocka_unit_test(prescribed_unknowns_in_equations),
        cmocka_unit_test(equations_that_say_nothing_new_or_contradict),
        cmocka_unit_test(steps_go_on_from_where_the_last_one_ended),
        cmocka_unit_test(a_spring_that_stiffens_is_in_balance),
        cmocka_unit_test(what_is_soft_is_found_beside_what_is_stiff),
        cmocka_unit_test(bars_snap_through),
        cmocka_unit_test(a_spring_turns_towards_its_load),
#ifndef SW_HAVE_UMFPACK
        cmocka_unit_test(without_factors_there_is_an_error),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
