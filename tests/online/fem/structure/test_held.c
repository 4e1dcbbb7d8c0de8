/* What holds a body, and which way its equations then go. */
#include "online/fem/structure/analysis.h"
#include "tests/online/fem/formulation/blocks.h"

static block b;

static double u[MOST_NODES][3], by_factors[MOST_NODES][3];

static sw_status solve_by(sw_fem_linear_solver linear, sw_structure_preconditioner preconditioner)
{
    const sw_structure_options options = {
        .quiet = 1, .linear = linear, .device = SW_FEM_DEVICE_CPU, .preconditioner = preconditioner};
    sw_structure *s;
    SW_TRY(sw_structure_open(&b.problem, &options, &s));
    const sw_status status = sw_structure_advance(s, 0);
    sw_structure_read(s, u, NULL);
    sw_structure_close(s);
    return status;
}

static void same(const double at[3], double out[3]) { memcpy(out, at, 3 * sizeof *out); }

static void hold(int axis, double at, int component)
{
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        if (b.position[n][axis] == at)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + component, 0, 0, -1};
}

static void load(int axis, double at, int component, double force)
{
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        if (b.position[n][axis] == at)
            b.force[b.step.n_forces++] = (sw_structure_value){3 * n + component, 0, force, -1};
}

static void begin(const char *name)
{
    const int cells[3] = {2, 2, 2};
    fill(&b, &(known){name, 0, 6, 1, 0}, steel(), cells, 1, same);
}

/* By each way to solve. */
static void is_refused(const char *why)
{
    const sw_fem_linear_solver linear[] = {SW_FEM_SOLVE_CG, SW_FEM_SOLVE_BICGSTAB, SW_FEM_SOLVE_GMRES,
#ifdef SW_HAVE_UMFPACK
                                           SW_FEM_SOLVE_DIRECT,
#endif
                                           SW_FEM_SOLVE_CG};
    const int n = sizeof linear / sizeof *linear;
    for (int k = 0; k < n; k++) {
        assert_int_equal(solve_by(linear[k], k + 1 < n ? SW_STRUCTURE_AMG : SW_STRUCTURE_BLOCK_JACOBI),
                         SW_ERR_INPUT);
        assert_message_has(why);
    }
}

/* Held along x at one side: what is driven is named, and no more than that. */
static void free_motions_are_named(void **state)
{
    (void)state;
    begin("C3D8");
    hold(0, 0, 0);
    load(0, 1, 2, 0.01);
    is_refused("keep the body of element 1 (8 elements) from moving along z");
    begin("C3D8"); /* at the lower edge of that side: a moment, too */
    hold(0, 0, 0);
    load(1, 0, 2, 0.01);
    is_refused("from turning about x through (0.5, 0.5, 0.5), moving along z");
    begin("C3D8"); /* by an edge, along all three: a hinge */
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        for (int i = 0; i < 3 && b.position[n][0] == 0 && b.position[n][1] == 0; i++)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, 0, -1};
    load(0, 1, 1, 0.01);
    is_refused("from turning about z through (0, 0, 0.5)");
    begin("C3D8"); /* by a corner: three turns, of which two are driven */
    for (int i = 0; i < 3; i++)
        b.fixed[b.step.n_fixed++] = (sw_structure_value){i, 0, 0, -1};
    load(0, 1, 1, 0.01);
    is_refused("from turning about x through (0.5, 0, 0), turning about z through (0, 0, 0.5)");
    int64_t unknown[2] = {1, 3 * 2 + 1}; /* two nodes move alike, as all of them may */
    double coefficient[2] = {1, -1};
    sw_structure_constraint equation = {2, unknown, coefficient, 0, NULL, NULL, 1};
    begin("C3D8");
    hold(0, 0, 0);
    load(0, 1, 1, 0.01);
    b.problem.n_constraints = 1;
    b.problem.constraint = &equation;
    is_refused("keep the body of element 1 (8 elements) from moving along y");
}

/* The body again, the whole mesh beside itself by 3 along x. */
static void double_it(void)
{
    const int64_t nodes = b.problem.n_nodes, elements = b.problem.n_elements;
    for (int64_t n = 0; n < nodes; n++) {
        memcpy(b.position[nodes + n], b.position[n], sizeof *b.position);
        b.position[nodes + n][0] += 3.0 * (double)elements / 8;
    }
    for (int64_t e = 0; e < elements; e++) {
        b.element[elements + e] = b.element[e];
        b.element[elements + e].of = elements + e;
        b.element[elements + e].label = b.element[e].label + 12 * elements + 4;
        b.element[elements + e].first = b.problem.n_members + b.element[e].first;
    }
    for (int64_t i = 0; i < b.problem.n_members; i++)
        b.node[b.problem.n_members + i] = b.node[i] + (int32_t)nodes;
    b.problem.n_members *= 2;
    b.problem.n_nodes *= 2;
    b.problem.n_elements *= 2;
}

/* Of two bodies the one that is; ties and springs hold as supports do. */
static void of_bodies_the_one(void **state)
{
    static double stiffness[1][2] = {{0.3, 0}};
    static int64_t unknown[3][2];
    static double coefficient[2] = {1, -1};
    sw_structure_constraint equation[3];
    sw_structure_spring spring[3];
    (void)state;
    begin("C3D8");
    const int64_t nodes = b.problem.n_nodes;
    double_it();
    for (int i = 0; i < 3; i++)
        hold(0, 0, i);
    load(0, 4, 0, 0.01);
    is_refused("keep the body of element 101 (8 elements) from moving along x");
    for (int i = 0; i < 3; i++) { /* x of three nodes of a side */
        const int64_t n = nodes + (i == 0 ? 0 : i == 1 ? 2 : 6);
        spring[i] =
            (sw_structure_spring){.node = {-1, n}, .component = {0, 0}, .n_rows = 1, .row = stiffness};
        unknown[i][0] = 3 * n;
        unknown[i][1] = 3 * i;
        equation[i] = (sw_structure_constraint){2, unknown[i], coefficient, 0, NULL, NULL, 1};
    }
    b.problem.n_springs = 3;
    b.problem.spring = spring;
    CHECK_OK(solve_by(SW_FEM_SOLVE_CG, SW_STRUCTURE_AMG));
    b.problem.n_springs = 0;
    b.problem.n_constraints = 3;
    b.problem.constraint = equation;
    CHECK_OK(solve_by(SW_FEM_SOLVE_CG, SW_STRUCTURE_AMG));
}

/* Of 64 bodies, all but one held: more than could be looked at together. Nodes that no element has need none of that. */
static void of_many_the_one(void **state)
{
    (void)state;
    begin("C3D8");
    for (int k = 0; k < 6; k++)
        double_it();
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        for (int i = 0; i < 3 && n / 27 != 40; i++)
            if (n % 27 < 9)
                b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, 0, -1};
    for (int64_t k = 0; k < 40; k++) {
        const int64_t n = b.problem.n_nodes++;
        memset(b.position[n], 0, sizeof b.position[n]);
        b.position[n][0] = -5 - (double)k;
        for (int i = 0; i < 3; i++)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, 0, -1};
    }
    b.force[b.step.n_forces++] = (sw_structure_value){3 * (40 * 27 + 13), 0, 0.01, -1};
    assert_int_equal(solve_by(SW_FEM_SOLVE_CG, SW_STRUCTURE_BLOCK_JACOBI), SW_ERR_INPUT);
    assert_message_has("keep the body of element 3849 (8 elements) from turning about y");
}

/* Askew by a tenth of an element: pivots of what is free are rounding of either sign. */
static void askew(const double at[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = at[i] + 0.05 * sin(7 * at[0] + 5 * at[1] + 3 * at[2] + i) * (at[2] > 0) * (at[2] < 1);
}

static void pull_free_along_x(double across)
{
    const int cells[3] = {2, 2, 2};
    fill(&b, &(known){"C3D8", 0, 6, 1, 0}, steel(), cells, 1, askew);
    hold(2, 0, 1);
    hold(2, 0, 2);
    load(2, 1, 2, 1);
    load(2, 1, 0, across);
}

static double mean_of(int i)
{
    double sum = 0;
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        sum += u[n][i] / (double)b.problem.n_nodes;
    return sum;
}

/* Loads in balance drive nothing: the body stays where it is, on average, and all ways to solve agree to the tolerance of
 * iterations, 1e-10, times the condition of so few elements, some 1e2. A resultant of rounding, 1e-16 of the forces, is none;
 * one of 1e-8 is. */
static void what_is_in_balance_may_be_free(void **state)
{
    const struct {
        sw_fem_linear_solver linear;
        sw_structure_preconditioner preconditioner;
    } way[] = {{SW_FEM_SOLVE_CG, SW_STRUCTURE_AMG},
               {SW_FEM_SOLVE_CG, SW_STRUCTURE_BLOCK_JACOBI},
#ifdef SW_HAVE_UMFPACK
               {SW_FEM_SOLVE_DIRECT, SW_STRUCTURE_ANY_PRECONDITIONER}
#endif
    };
    double most = 0;
    (void)state;
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        pull_free_along_x(1e-16);
        CHECK_OK(solve_by(way[k].linear, way[k].preconditioner));
        if (k == 0)
            memcpy(by_factors, u, sizeof u);
        for (int64_t n = 0; n < b.problem.n_nodes; n++)
            most = fmax(most, fabs(u[n][2]));
        assert_true(most > 0 && fabs(mean_of(0)) <= 1e-12 * most);
        for (int64_t n = 0; n < b.problem.n_nodes; n++)
            for (int i = 0; i < 3; i++)
                assert_true(fabs(u[n][i] - by_factors[n][i]) <= 1e-8 * most);
        begin("C3D8"); /* all six motions are free */
        load(0, 0, 0, -0.01);
        load(0, 1, 0, 0.01);
        CHECK_OK(solve_by(way[k].linear, way[k].preconditioner));
        for (int i = 0; i < 3; i++)
            assert_true(fabs(mean_of(i)) <= 1e-12);
    }
    pull_free_along_x(1e-8);
    is_refused("keep the body of element 1 (8 elements) from moving along x");
}

/* Pressed from above and below by pressures that follow, at finite strains; the symmetric part of their tangent seems to hold it.
 * Newton ends at 1e-6 of the forces, and with that of the displacements. */
static void what_follows_in_balance_does_not_drift(void **state)
{
    double most = 0;
    (void)state;
    for (int k = 0; k < 2; k++) {
        begin("C3D8");
        for (int64_t e = 0; e < b.problem.n_elements; e++)
            if (e / 4 == 0 || e / 4 == 1)
                b.load[b.step.n_loads++] = (sw_structure_load){
                    SW_STRUCTURE_PRESSURE, e, (int)(e / 4), 0, 0.1, {0}, {0}, -1, SW_PULL_DEAD};
        b.step.finite = 1;
        CHECK_OK(solve_by(SW_FEM_SOLVE_CG, k == 0 ? SW_STRUCTURE_AMG : SW_STRUCTURE_BLOCK_JACOBI));
        if (k == 0)
            memcpy(by_factors, u, sizeof u);
        for (int64_t n = 0; n < b.problem.n_nodes; n++)
            most = fmax(most, fabs(u[n][2]));
        assert_true(most > 0);
        for (int64_t n = 0; n < b.problem.n_nodes; n++)
            for (int i = 0; i < 3; i++) {
                assert_true(fabs(mean_of(i)) <= 1e-6 * most);
                assert_true(fabs(u[n][i] - by_factors[n][i]) <= 1e-5 * most);
            }
    }
}

/* A hinge that does not find its place says where it is. */
static void a_hinge_that_fails_is_named(void **state)
{
    (void)state;
    begin("C3D8");
    for (int i = 0; i < 3; i++) {
        b.fixed[b.step.n_fixed++] = (sw_structure_value){i, 0, 0, -1};
        b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * 2 + i, 0, 0, -1};
    }
    load(2, 1, 1, -0.01);
    b.step.finite = 1;
    b.step.first = b.step.least = b.step.duration; /* no smaller increments */
    assert_int_equal(solve_by(SW_FEM_SOLVE_CG, SW_STRUCTURE_AMG), SW_ERR_CONVERGENCE);
    assert_message_has("nothing keeps the body of element 1 (8 elements) from turning about (0.707, 0.707, ");
}

/* Some 5,900 unknowns go by multigrid; where the bulk modulus is 5,000 times the shear modulus it would take 438
 * iterations, and from 5,900 / 400 on factors are quicker. */
static void the_hardly_compressible_goes_by_factors(void **state)
{
    static double temperature[1] = {0}, elastic[2] = {200, 0.4999};
    sw_matter rubber = {.name = (char *)"rubber", .elastic = {1, 2, temperature, elastic}};
    const int cells[3] = {18, 9, 9};
    const sw_structure_options options = {.quiet = 1, .device = SW_FEM_DEVICE_CPU};
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    CHECK_OK(sw_matter_prepare(&rubber, "test"));
    for (int is_rubber = 0; is_rubber < 2; is_rubber++) {
        sw_structure *s;
        fill(&b, &(known){"C3D8", 0, 6, 1, 0}, is_rubber ? &rubber : steel(), cells, 1, same);
        for (int i = 0; i < 3; i++)
            hold(0, 0, i);
        load(0, 1, 0, 0.01);
        CHECK_OK(sw_structure_open(&b.problem, &options, &s));
        CHECK_OK(sw_structure_advance(s, 0));
        assert_int_equal(s->by_multigrid, !is_rubber);
        assert_int_equal(s->system.factors != NULL, is_rubber);
        assert_int_equal(s->products_taken == 0, is_rubber); /* at once, not after as many as it allows */
        sw_structure_close(s);
    }
}

/* Of a cycle in single precision the rounding, 1e-7, times the bulk over the shear modulus, 5e5, is some percent of a residual:
 * without what it made of each vector GMRES stands still at 6e-5. The softest direction is that much softer than the residual. */
static void rounding_is_no_end(void **state)
{
    static double temperature[1] = {0}, elastic[2] = {200, 0.499999};
    sw_matter rubber = {.name = (char *)"rubber", .elastic = {1, 2, temperature, elastic}};
    const int cells[3] = {3, 3, 3};
    double most = 0, off = 0;
    (void)state;
#ifndef SW_HAVE_UMFPACK
    skip();
#endif
    CHECK_OK(sw_matter_prepare(&rubber, "test"));
    fill(&b, &(known){"C3D10", 0, 6, 2, 0}, &rubber, cells, 1, same);
    for (int i = 0; i < 3; i++)
        hold(2, 0, i);
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        for (int i = 0; i < 3 && b.position[n][2] == 1; i++)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, i == 2 ? -0.01 : 0, -1};
    CHECK_OK(solve_by(SW_FEM_SOLVE_DIRECT, SW_STRUCTURE_ANY_PRECONDITIONER));
    memcpy(by_factors, u, sizeof u);
    CHECK_OK(solve_by(SW_FEM_SOLVE_GMRES, SW_STRUCTURE_AMG));
    for (int64_t n = 0; n < b.problem.n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(by_factors[n][i]));
            off = fmax(off, fabs(u[n][i] - by_factors[n][i]));
        }
    assert_true(off <= 1e-10 * 5e5 * most);
}

/* By a turn about each axis, of a bar 1 x 1 x `thick`. */
static double thick = 1;
static void turned(const double at[3], double out[3])
{
    const double angle[3] = {0.3, 0.5, -0.7};
    for (int i = 0; i < 3; i++)
        out[i] = i == 2 ? thick * at[2] : at[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double x = out[j], y = out[k];
        out[j] = cos(angle[i]) * x - sin(angle[i]) * y;
        out[k] = sin(angle[i]) * x + cos(angle[i]) * y;
    }
}

/* Clamped at one end, pulled askew at the other: the largest displacement, and whether something has been said to move freely. */
static int bend(const char *name, const int cells[3], sw_fem_linear_solver linear, double *most)
{
    const sw_structure_options options = {.quiet = 1,
                                          .linear = linear,
                                          .device = SW_FEM_DEVICE_CPU,
                                          .preconditioner = SW_STRUCTURE_BLOCK_JACOBI};
    double at[3];
    sw_structure *s;
    *most = 0;
    fill(&b, &(known){name, 0, 6, 1, 0}, steel(), cells, 1, turned);
    turned((double[3]){1, 0, 0}, at);
    for (int64_t n = 0; n < b.problem.n_nodes; n++) {
        double along = 0;
        for (int i = 0; i < 3; i++)
            along += b.position[n][i] * at[i];
        for (int i = 0; i < 3 && along < 1e-9; i++)
            b.fixed[b.step.n_fixed++] = (sw_structure_value){3 * n + i, 0, 0, -1};
        for (int i = 0; i < 3 && along > 1 - 1e-9; i++)
            b.force[b.step.n_forces++] = (sw_structure_value){3 * n + i, 0, 1e-3 * thick * (i + 1), -1};
    }
    CHECK_OK(sw_structure_open(&b.problem, &options, &s));
    const int status = sw_structure_advance(s, 0);
    const int said = s->said_loose;
    sw_structure_read(s, u, NULL);
    sw_structure_close(s);
    for (int64_t n = 0; n < b.problem.n_nodes && status == SW_OK; n++)
        for (int i = 0; i < 3; i++)
            *most = fmax(*most, fabs(u[n][i]));
    return said;
}

/* Where C3D20R is one wide it has a motion that none of its points feels, whose stiffness is round-off: whatever the pivots, it is said,
 * and factors hold it (2e4 without). Slender bodies and thin ones have softer motions, which their points feel. */
static void what_no_point_feels_is_said(void **state)
{
    double most, right;
    (void)state;
    thick = 1;
    assert_int_equal(bend("C3D20R", (int[]){8, 1, 1}, SW_FEM_SOLVE_CG, &most), 1);
#ifdef SW_HAVE_UMFPACK
    assert_int_equal(bend("C3D20", (int[]){2, 1, 1}, SW_FEM_SOLVE_DIRECT, &right), 0);
    assert_int_equal(bend("C3D20R", (int[]){2, 1, 1}, SW_FEM_SOLVE_DIRECT, &most), 1);
    assert_true(most < 10 * right);
    assert_int_equal(bend("C3D20R", (int[]){3, 3, 3}, SW_FEM_SOLVE_DIRECT, &most), 0);
    thick = 1e-2; /* what bends is softer than what held it */
    assert_int_equal(bend("C3D20R", (int[]){6, 1, 1}, SW_FEM_SOLVE_DIRECT, &most), 1);
    assert_true(most > 0);
    thick = 1e-3;
    assert_int_equal(bend("C3D20R", (int[]){6, 6, 2}, SW_FEM_SOLVE_DIRECT, &most), 0);
    assert_int_equal(bend("C3D20", (int[]){6, 6, 1}, SW_FEM_SOLVE_DIRECT, &most), 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motions_are_named),
        cmocka_unit_test(of_bodies_the_one),
        cmocka_unit_test(of_many_the_one),
        cmocka_unit_test(what_is_in_balance_may_be_free),
        cmocka_unit_test(what_follows_in_balance_does_not_drift),
        cmocka_unit_test(a_hinge_that_fails_is_named),
        cmocka_unit_test(the_hardly_compressible_goes_by_factors),
        cmocka_unit_test(rounding_is_no_end),
        cmocka_unit_test(what_no_point_feels_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
