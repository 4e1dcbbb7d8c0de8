/* Rows of a history hold the state that they are named after: their stress and slip rate are those of their crystals,
 * under the velocity gradient of their entry, or the one that meets its given stresses there. */
#include "slipwave/taylor.h"

#include "tests/test.h"

#include "common/math/tensor.h"

enum { N = 60, ROWS = 64 };

static sw_material material;
static sw_crystal start[N];

/* Given; free sides; a turn that divides steps; all twice, then a stress that ends its entry. */
enum { GIVEN, FREE, TURNING, GOAL, ENTRIES };
static const double goal = 320e6;
#define PASS                                                                                                 \
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 150}\n"                 \
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, " \
    "0]],"                                                                                                   \
    " duration: 150}\n"                                                                                      \
    "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.3}\n"
static const char job[] =
    "solver: %s\nstrain_increment: 0.08\nloading:\n" PASS PASS
    "  - {velocity_gradient: [[-1.0e-3, 0, 0], [0, 0, 0], [0, 0, 1.0e-3]], duration: 1000, until: stress,"
    " component: 33, goal: 320.0e6}\n";

typedef struct {
    int rows, entry[ROWS];
    double stress[ROWS][3][3], l[ROWS][3][3], slip_rate[ROWS];
    sw_crystal crystal[ROWS][N];
} states;

static sw_taylor *begun(const char *solver)
{
    char text[1000];
    sw_taylor *run;
    const sw_taylor_inputs inputs = {.material = &material, .crystals = N, .crystal = start};
    snprintf(text, sizeof text, job, solver);
    CHECK_OK(sw_taylor_begin("a job", text, 0, NULL, &inputs, &run));
    return run;
}

/* To which entry a step belongs: by its velocity gradient. */
static int entry_of(const double l[3][3])
{
    return l[0][1] > 0 ? TURNING : l[0][0] < 0 ? GOAL : l[1][1] == 0 ? GIVEN : FREE;
}

static void keep_rows(const sw_taylor *run, states *s)
{
    sw_taylor_rows rows;
    sw_taylor_history(run, &rows);
    s->rows = (int)rows.rows;
    assert_true(s->rows <= ROWS);
    memcpy(s->stress, rows.cauchy_stress, (size_t)s->rows * sizeof *s->stress);
    memcpy(s->l, rows.velocity_gradient, (size_t)s->rows * sizeof *s->l);
    memcpy(s->slip_rate, rows.slip_rate, (size_t)s->rows * sizeof *s->slip_rate);
    for (int k = 1; k < s->rows; k++)
        s->entry[k] = entry_of((const double(*)[3])s->l[k]);
}

/* So many steps at a time; one: with the crystals of every row. */
static void run_by(const char *solver, int64_t steps, states *s)
{
    sw_taylor *run = begun(solver);
    int64_t taken = steps, row = 0;
    while (taken == steps) {
        CHECK_OK(sw_taylor_advance(run, steps, &taken));
        if (steps == 1 && taken == 1)
            CHECK_OK(sw_taylor_copy_crystals(run, s->crystal[++row], NULL));
    }
    keep_rows(run, s);
    sw_taylor_end(run);
}

/* Means of crystals under l, one by one. */
static double evaluate(sw_response *response, const double l[3][3], const sw_crystal *crystal,
                       double mean[3][3])
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    float stress[N][6], spin[N][3], slip_rate[N];
    double d[3][3], sum = 0;
    for (int k = 0; k < 9; k++)
        d[k / 3][k % 3] = (l[k / 3][k % 3] + l[k % 3][k / 3]) / 2;
    CHECK_OK(sw_response_evaluate(response, (const double(*)[3])d, N, crystal, stress, spin, slip_rate));
    memset(mean, 0, 9 * sizeof(double));
    for (int n = 0; n < N; n++) {
        sum += slip_rate[n] / N;
        for (int k = 0; k < 6; k++) {
            mean[row[k]][column[k]] += stress[n][k] / N;
            mean[column[k]][row[k]] = mean[row[k]][column[k]];
        }
    }
    return sum;
}

/* Sums of N numbers in single precision, and a frame of D in it: a few 1e-6 of the stress; the row before's differs by
 * 1e-2 in steps of this size. */
static const double SAME = 2e-5;

static void check_row(sw_response *response, const states *s, int row, const double l[3][3])
{
    double expected[3][3], found[3][3], stress[3][3];
    const double rate = evaluate(response, l, s->crystal[row], expected), size = sw_norm(expected);
    memcpy(stress, s->stress[row], sizeof stress);
    sw_deviator(stress, found);
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(found[k / 3][k % 3], expected[k / 3][k % 3], SAME * size);
    CHECK_CLOSE(s->slip_rate[row], rate, SAME * rate);
}

static void rows_are_of_their_crystals(void **state)
{
    (void)state;
    static states s;
    sw_response *response;
    int of[ENTRIES] = {0};
    const sw_response_options options = {.solver = "rigid_plastic", .material = &material};
    CHECK_OK(sw_response_open(&options, &response));
    run_by("rigid_plastic", 1, &s);
    for (int k = 0; k < 9; k++)
        assert_true(s.stress[0][k / 3][k % 3] == 0 && s.slip_rate[0] == 0);
    for (int k = 1; k < s.rows; k++) {
        const int entry = s.entry[k], next = k + 1 < s.rows && s.entry[k + 1] == entry;
        of[entry]++;
        if (entry != FREE)
            check_row(response, &s, k, (const double(*)[3])s.l[k]);
        else if (
            next) /* under the one that meets the stresses as crystals are: what the next step goes on with */
            check_row(response, &s, k, (const double(*)[3])s.l[k + 1]);
        if (entry == FREE)
            for (int i = 1; i < 3; i++) /* given stresses are met to 2e-5 of the largest deviatoric one */
                CHECK_CLOSE(s.stress[k][i][i], 0, 2e-5 * s.stress[k][0][0]);
        if (entry == GOAL && !next) /* a goal to 5e-5 */
            CHECK_CLOSE(s.stress[k][2][2], goal, 5e-5 * 500e6);
    }
    assert_true(of[GIVEN] >= 4 && of[FREE] >= 4 && of[TURNING] >= 4 && of[GOAL] >= 2);
    sw_response_close(response);
}

/* Rows do not depend on how steps are asked for: on the CPU to the same bits. */
static void rows_are_the_same_however_asked_for(void **state)
{
    (void)state;
    static states one, all;
    const char *const solvers[] = {"rigid_plastic", "elastoplastic"};
    for (int i = 0; i < 2; i++) {
        run_by(solvers[i], 1, &one);
        run_by(solvers[i], 1000, &all);
        assert_int_equal(one.rows, all.rows);
        assert_memory_equal(one.stress, all.stress, (size_t)one.rows * sizeof *one.stress);
        assert_memory_equal(one.slip_rate, all.slip_rate, (size_t)one.rows * sizeof *one.slip_rate);
    }
}

/* A goal that is not met ends with an error, and the rows before it stand. */
static void a_step_that_fails_leaves_the_rows_before(void **state)
{
    (void)state;
    static const char text[] = "solver: rigid_plastic\nloading:\n"
                               "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, "
                               "x, x], [x, 0, x], [x, x, 0]],"
                               " duration: 100, until: strain, component: 22, goal: -0.5}\n";
    const sw_taylor_inputs inputs = {.material = &material, .crystals = N, .crystal = start};
    sw_taylor *run;
    sw_taylor_rows rows;
    int64_t taken;
    CHECK_OK(sw_taylor_begin("a job", text, 0, NULL, &inputs, &run));
    assert_int_equal(sw_taylor_advance(run, 100, &taken), SW_ERR_CONVERGENCE);
    assert_message_has("goal = -0.5");
    sw_taylor_history(run, &rows);
    assert_int_equal(rows.rows, taken + 1);
    assert_true(taken > 2);
    for (int64_t k = 1; k <= taken; k++) {
        assert_true(rows.cauchy_stress[k][0][0] > 40e6);
        CHECK_CLOSE(rows.cauchy_stress[k][1][1], 0, 2e-5 * rows.cauchy_stress[k][0][0]);
    }
    sw_taylor_end(run);
}

static int set_up(void **state)
{
    (void)state;
    material = copper();
    return sw_crystals_randomise(SW_CPU, N, start, 3, 0, 16e6F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_of_their_crystals),
        cmocka_unit_test(rows_are_the_same_however_asked_for),
        cmocka_unit_test(a_step_that_fails_leaves_the_rows_before),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
