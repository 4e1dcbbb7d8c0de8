/* Structures solved by iterations, without a matrix and by algebraic multigrid: against closed forms, and against sparse factors. */
#include "tests/online/fem/formulation/blocks.h"

static block b;
static double u[MOST_NODES][3], by_factors[MOST_NODES][3];

static sw_structure_preconditioner by; /* of the tests, each of which is done with both */

static int amg(void **state)
{
    (void)state;
    by = SW_STRUCTURE_AMG;
    return 0;
}

static int block_jacobi(void **state)
{
    (void)state;
    by = SW_STRUCTURE_BLOCK_JACOBI;
    return 0;
}

static sw_status solve_by(sw_fem_linear_solver linear, const sw_structure_problem *problem, double (*to)[3])
{
    const sw_structure_options options = {
        .quiet = 1, .linear = linear, .device = SW_FEM_DEVICE_CPU, .preconditioner = by};
    sw_structure *s;
    SW_TRY(sw_structure_open(problem, &options, &s));
    const sw_status status = sw_structure_advance(s, 0);
    sw_structure_read(s, to, NULL);
    sw_structure_close(s);
    return status;
}

static double off(const double (*a)[3], const double (*c)[3])
{
    double most = 0, difference = 0;
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(c[n][i]));
            difference = isfinite(a[n][i]) ? fmax(difference, fabs(a[n][i] - c[n][i])) : INFINITY;
        }
    return difference / most;
}

static void bend(const double at[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = at[i] + 0.04 * sin(3 * at[(i + 1) % 3] + i);
}

static void linear_field(const double x[3], double out[3])
{
    static const double g[3][3] = {{0.01, 0.02, -0.03}, {0.005, -0.01, 0.02}, {0.03, 0.01, 0.004}};
    for (int i = 0; i < 3; i++)
        out[i] = g[i][0] * x[0] + g[i][1] * x[1] + g[i][2] * x[2];
}

/* |r| is 1e-10 of what it was; a body of few elements is some hundred times as soft as stiff. */
#define SOLVED 1e-8

static void patches_are_met(void **state)
{
    const int cells[3] = {2, 2, 2};
    (void)state;
    for (int k = 0; k < N_KNOWN; k++) {
        if (all_known[k].off)
            continue;
        fill(&b, &all_known[k], steel(), cells, 1, bend);
        if (b.dimension < 3)
            continue;
        hold_surface(&b, linear_field);
        if (solve_by(SW_FEM_SOLVE_CG, &b.problem, u) != SW_OK)
            fail_msg("%s: %s", all_known[k].name, sw_error_message());
        for (int64_t n = 0; n < b.problem.n_nodes; n++)
            linear_field(b.position[n], by_factors[n]);
        if (!(off((const double(*)[3])u, (const double(*)[3])by_factors) <= SOLVED))
            fail_msg("%s: %g off", all_known[k].name,
                     off((const double(*)[3])u, (const double(*)[3])by_factors));
    }
}

static void slender(const double at[3], double out[3])
{
    out[0] = 8 * at[0];
    out[1] = at[1];
    out[2] = at[2];
}

static void load_end(double force)
{
    for (int64_t n = 0; n < b.problem.n_nodes; n++) {
        for (int i = 0; i < 3 && b.position[n][0] == 0; i++)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, 0, -1};
        if (b.position[n][0] == 8)
            b.force[b.step.n_forces++] = (sw_structure_value){3 * n + 2, 0, force, -1};
    }
}

/* Springs besides; one of the ends by an equation. */
static void cantilevers_are_those_of_factors(void **state)
{
    static const known some[] = {{"C3D4", 0, 6, 1, 0},    {"C3D10", 0, 6, 2, 0}, {"C3D6", 0, 6, 1, 0},
                                 {"C3D15", 0, 6, 2, 0},   {"C3D8", 0, 6, 1, 0},  {"C3D8", 1, 6, 1, 0},
                                 {"C3D20R", 0, 12, 2, 0}, {"C3D20", 0, 6, 2, 0}, {"C3D8I", 0, 6, 1, 0}};
    static double stiffness[1][2] = {{0.3, 0}};
    static int64_t unknown[3];
    static double coefficient[3] = {2, -1, -1};
    const int cells[3] = {5, 2, 2}; /* one hex20 of reduced integration by another would bend freely */
    sw_structure_constraint equation = {3, unknown, coefficient, 0.01, NULL, NULL, 1};
    sw_structure_spring spring = {.node = {-1, 0}, .component = {1, 1}, .n_rows = 1, .row = stiffness};
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    for (int k = 0; k < 9; k++)
        for (int flows = 0; flows < 2; flows++) {
            fill(&b, &some[k], flows ? soft() : steel(), cells, 1, slender);
            load_end(flows ? -4e-4 : -1e-3);
            const int64_t end = b.step.force[0].unknown / 3, other = b.step.force[1].unknown / 3,
                          third = b.step.force[2].unknown / 3;
            memcpy(unknown, (int64_t[]){3 * end + 1, 3 * other + 1, 3 * third + 1}, sizeof unknown);
            spring.node[1] = other;
            b.problem.n_springs = b.problem.n_constraints = 1;
            b.problem.spring = &spring;
            b.problem.constraint = &equation;
            CHECK_OK(solve_by(SW_FEM_SOLVE_DIRECT, &b.problem, by_factors));
            CHECK_OK(solve_by(SW_FEM_SOLVE_CG, &b.problem, u));
            const double difference = off((const double(*)[3])u, (const double(*)[3])by_factors);
            if (!(difference <= (flows ? 1e-5 : SOLVED))) /* Newton is content with 1e-6 of the forces */
                fail_msg("%s, flows %d: %g off", some[k].name, flows, difference);
        }
}

/* A number that no element has moves two that some have, and is loaded: as a rotation does. */
static void what_only_ties_have_is_moved(void **state)
{
    const int cells[3] = {3, 2, 2};
    int64_t unknown[2][2];
    double coefficient[2][2] = {{1, -0.5}, {1, 0.4}};
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    fill(&b, &(known){"C3D10", 0, 6, 2, 0}, steel(), cells, 1, slender);
    load_end(-1e-4);
    sw_structure_constraint equation[2];
    const int64_t n = b.problem.n_nodes++;
    for (int k = 0; k < 2; k++) {
        unknown[k][0] = b.force[k].unknown;
        unknown[k][1] = 3 * n;
        equation[k] = (sw_structure_constraint){2, unknown[k], coefficient[k], 0, NULL, NULL, 1};
    }
    b.force[b.step.n_forces++] = (sw_structure_value){3 * n, 0, 1e-2, -1};
    b.problem.n_constraints = 2;
    b.problem.constraint = equation;
    CHECK_OK(solve_by(SW_FEM_SOLVE_DIRECT, &b.problem, by_factors));
    CHECK_OK(solve_by(SW_FEM_SOLVE_CG, &b.problem, u));
    assert_true(fabs(u[n][0]) > 1e-6);
    assert_true(off((const double(*)[3])u, (const double(*)[3])by_factors) <= SOLVED);
}

/* What is large, slender or follows the surface by its elements' matrices, symmetric or not. */
static void finite_strains_go_by_matrices(void **state)
{
    const int cells[3] = {4, 2, 2};
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    for (int linear = SW_FEM_SOLVE_CG; linear <= SW_FEM_SOLVE_BICGSTAB; linear++) {
        fill(&b, &(known){"C3D20R", 0, 12, 2, 0}, steel(), cells, 1, slender);
        load_end(-5e-4);
        b.step.finite = 1;
        CHECK_OK(solve_by(SW_FEM_SOLVE_DIRECT, &b.problem, by_factors));
        CHECK_OK(solve_by((sw_fem_linear_solver)linear, &b.problem, u));
        assert_true(off((const double(*)[3])u, (const double(*)[3])by_factors) <= 1e-5);
    }
}

static void flat(const double at[3], double out[3])
{
    out[0] = 8 * at[0];
    out[1] = 2 * at[1];
    out[2] = 0.1 * at[2];
}

/* 35,532 unknowns, more than auto takes factors of at once; a spring that pushes on makes the matrix one that conjugate
 * gradients have no answer for, and auto has that of factors, to the last digits. */
static void auto_changes_to_factors(void **state)
{
    static double stiffness[1][2] = {{-2, 0}};
    sw_structure_spring spring = {.node = {-1, 0}, .component = {2, 2}, .n_rows = 1, .row = stiffness};
    const int cells[3] = {90, 18, 1};
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    fill(&b, &(known){"C3D20", 0, 6, 2, 0}, steel(), cells, 1, flat);
    load_end(-1e-6);
    spring.node[1] = b.force[0].unknown / 3;
    b.problem.n_springs = 1;
    b.problem.spring = &spring;
    assert_int_equal(solve_by(SW_FEM_SOLVE_CG, &b.problem, u), SW_ERR_CONVERGENCE);
    CHECK_OK(solve_by(SW_FEM_SOLVE_DIRECT, &b.problem, by_factors));
    CHECK_OK(solve_by(SW_FEM_SOLVE_AUTO, &b.problem, u));
    assert_true(off((const double(*)[3])u, (const double(*)[3])by_factors) <= 1e-12);
}

static void what_cannot_be_is_refused(void **state)
{
    const int cells[3] = {1, 1, 1};
    sw_structure_options options = {.linear = SW_FEM_SOLVE_DIRECT, .device = SW_FEM_DEVICE_CUDA};
    sw_structure *s;
    (void)state;
    fill(&b, &all_known[1], steel(), cells, 1, slender);
    assert_int_equal(sw_structure_open(&b.problem, &options, &s), SW_ERR_INPUT);
    assert_message_has("sparse factors are the CPU's");
    const int64_t n = b.problem.n_nodes++; /* that nothing has but an equation */
    b.position[n][0] = 4;
    int64_t unknown[2] = {3 * n, 3 * n + 1};
    double coefficient[2] = {1, -1};
    sw_structure_constraint equation = {2, unknown, coefficient, 0, NULL, NULL, 1};
    b.problem.n_constraints = 1;
    b.problem.constraint = &equation;
    load_end(1);
    b.force[b.step.n_forces++] = (sw_structure_value){3 * n, 0, 1, -1};
    assert_int_equal(solve_by(SW_FEM_SOLVE_CG, &b.problem, u), SW_ERR_CONVERGENCE);
    if (by ==
        SW_STRUCTURE_BLOCK_JACOBI) /* by a matrix it moves until a spring may resist: Newton finds none */
        assert_message_has("nothing resists what is loaded");
}

int main(void)
{
#define BOTH(test) cmocka_unit_test_setup(test, block_jacobi), cmocka_unit_test_setup(test, amg)
    const struct CMUnitTest tests[] = {
        BOTH(patches_are_met),
        BOTH(cantilevers_are_those_of_factors),
        BOTH(what_only_ties_have_is_moved),
        BOTH(finite_strains_go_by_matrices),
        BOTH(auto_changes_to_factors),
        BOTH(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
