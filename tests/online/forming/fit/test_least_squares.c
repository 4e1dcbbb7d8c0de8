/* The search for least squares where the answer is known, and what it says of its parameters against chance. */
#include "tests/test.h"

#include "common/math/random.h"
#include "online/forming/fit/least_squares.h"

enum { P = 3, M = 24 };

/* ---- A decay with an offset: y = a exp(-b t) + c, x = log a, b, c ---- */

typedef struct {
    double y[M];
    int blind; /* calls so far; sets with b < least or > most have no answer */
    double least, most;
    int without_last; /* c counts for nothing */
} decay;

static double time_of(int i) { return 4.0 * i / (M - 1); }

static double model(const double x[P], int i) { return exp(x[0] - x[1] * time_of(i)) + x[2]; }

static sw_status residuals_of(void *context, int sets, const double *x, double *residual)
{
    decay *d = context;
    for (int s = 0; s < sets; s++)
        for (int i = 0; i < M; i++) {
            const double at[P] = {x[s * P], x[s * P + 1], d->without_last ? 0 : x[s * P + 2]};
            residual[s * M + i] = at[1] < d->least || at[1] > d->most ? NAN : model(at, i) - d->y[i];
        }
    return SW_OK;
}

static const double truth[P] = {1.2, 0.8, -0.3};

static decay exact(void)
{
    decay d = {.least = -INFINITY, .most = INFINITY};
    for (int i = 0; i < M; i++)
        d.y[i] = model(truth, i);
    return d;
}

static sw_least_squares problem_of(decay *d)
{
    return (sw_least_squares){.parameters = P,
                              .residuals = M,
                              .residuals_of = residuals_of,
                              .context = d,
                              .difference = 1e-4,
                              .most = 100};
}

/* Forward differences of 1e-4 bend the steps, not the least: the sum goes to round-off as ENOUGH_OF_SUM allows, each
 * iteration by a factor of a thousand or more near it. */
static void the_least_is_found(void **state)
{
    (void)state;
    decay d = exact();
    const sw_least_squares problem = problem_of(&d);
    sw_least_squares_end end;
    double x[P] = {0, 2, 1};
    CHECK_OK(sw_least_squares_solve(&problem, x, &end));
    for (int j = 0; j < P; j++)
        CHECK_CLOSE(x[j], truth[j], 1e-4);
    assert_true(end.converged && end.square_sum < 1e-8 && end.iterations < 30);
    assert_int_equal(end.sets % (P + 1), 0);
}

/* A part of the way without answers is gone around; a beginning without one is told. */
static void sets_without_answers_are_left(void **state)
{
    (void)state;
    decay d = exact();
    const sw_least_squares problem = problem_of(&d);
    sw_least_squares_end end;
    double x[P] = {3, 0.6, 2};
    d.least = 0.55;
    CHECK_OK(sw_least_squares_solve(&problem, x, &end));
    for (int j = 0; j < P; j++)
        CHECK_CLOSE(x[j], truth[j], 1e-4);
    x[1] = 0.5;
    assert_int_equal(sw_least_squares_solve(&problem, x, &end), SW_ERR_CONVERGENCE);
    assert_message_has("beginning");
}

/* The best lies at the edge of what has answers, as where a yield stress comes to that which it saturates at: a difference
 * that leads beyond is taken to the other side, in the search and in the covariance, which is as that from within. */
static void the_best_may_be_at_an_edge(void **state)
{
    (void)state;
    decay d = exact();
    sw_least_squares problem = problem_of(&d);
    sw_least_squares_end end;
    double x[P] = {3, 1, 2}, residual[M], c[2][P * P];
    problem.difference = 1e-4;
    CHECK_OK(sw_least_squares_covariance(&problem, truth, residual, c[0]));
    d.most = truth[1] + 1e-6;
    x[1] = d.most;
    CHECK_OK(sw_least_squares_solve(&problem, x, &end));
    for (int j = 0; j < P; j++)
        CHECK_CLOSE(x[j], truth[j], 1e-3);
    CHECK_OK(sw_least_squares_covariance(&problem, truth, residual, c[1]));
    for (int i = 0; i < P * P;
         i++) /* first order in the difference, times the matrix's condition, some 200 */
        CHECK_CLOSE(c[1][i], c[0][i], 200 * problem.difference * fabs(c[0][i]));
}

/* ---- What is left of the parameters ---- */

/* (J^T J)^-1 times J^T J is one, with J from calculus: to the square of the difference, as central ones are. */
static void covariance_is_the_inverse(void **state)
{
    (void)state;
    decay d = exact();
    sw_least_squares problem = problem_of(&d);
    double residual[M], c[P * P];
    problem.difference = 1e-3;
    CHECK_OK(sw_least_squares_covariance(&problem, truth, residual, c));
    for (int i = 0; i < M; i++)
        CHECK_CLOSE(residual[i], 0, 1e-15);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            double sum = 0;
            for (int k = 0; k < P; k++)
                for (int m = 0; m < M; m++) {
                    const double e = exp(truth[0] - truth[1] * time_of(m)), by[P] = {e, -time_of(m) * e, 1};
                    sum += c[i * P + k] * by[k] * by[j];
                }
            CHECK_CLOSE(sum, i == j,
                        1e-3); /* 1e-6 of third derivatives, times the matrix's condition, some 200 */
            CHECK_CLOSE(c[i * P + j], c[j * P + i], 1e-12);
        }
}

static void a_parameter_may_not_show(void **state)
{
    (void)state;
    decay d = exact();
    const sw_least_squares problem = problem_of(&d);
    double residual[M], c[P * P];
    d.without_last = 1;
    CHECK_OK(sw_least_squares_covariance(&problem, truth, residual, c));
    assert_true(isinf(c[8]) && isnan(c[2]) && isnan(c[6]));
    assert_true(c[0] > 0 && c[0] < INFINITY && c[4] > 0 && c[4] < INFINITY);
}

/* ---- Against chance ---- */

static double normal(uint64_t draw, int i)
{
    double u[4];
    sw_random_uniform4(11, draw, (uint64_t)i, u);
    return sqrt(-2 * log(u[0])) * cos(2 * SW_PI * u[1]);
}

/* Of n draws, one in `p` of which is to be within: the least number that comes with a probability above 1e-4. */
static int least_count(int n, double p)
{
    int k = -1;
    for (double sum = 0; sum < 1e-4;) {
        k++;
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p));
    }
    return k;
}

/* Errors over standard uncertainties, squared, are chi-square with DRAWS degrees of freedom a parameter: mean 1 and
 * variance 2/DRAWS each, within four of which (6e-5) their mean is. And as many are within one and two standard
 * uncertainties as a normal distribution has there. Parameters bend little over their uncertainties: noise is small. */
static void uncertainties_are_those_of_chance(void **state)
{
    (void)state;
    enum { DRAWS = 300 };
    const double noise = 0.01;
    double squares[P] = {0};
    int within[2][P] = {{0}};
    for (int draw = 0; draw < DRAWS; draw++) {
        decay d = exact();
        const sw_least_squares problem = problem_of(&d);
        sw_least_squares_end end;
        double x[P] = {1, 1, 0}, residual[M], c[P * P];
        for (int i = 0; i < M; i++)
            d.y[i] += noise * normal((uint64_t)draw, i);
        CHECK_OK(sw_least_squares_solve(&problem, x, &end));
        CHECK_OK(sw_least_squares_covariance(&problem, x, residual, c));
        for (int j = 0; j < P; j++) {
            const double off = fabs(x[j] - truth[j]) / (noise * sqrt(c[j * P + j]));
            squares[j] += off * off / DRAWS;
            within[0][j] += off <= 1;
            within[1][j] += off <= 2;
        }
    }
    for (int j = 0; j < P; j++) {
        print_message("x%d: mean square %.3f, %d and %d of %d within one and two\n", j, squares[j],
                      within[0][j], within[1][j], DRAWS);
        CHECK_CLOSE(squares[j], 1, 4 * sqrt(2.0 / DRAWS));
        assert_in_range(within[0][j], least_count(DRAWS, 0.6827), DRAWS - least_count(DRAWS, 1 - 0.6827));
        assert_in_range(within[1][j], least_count(DRAWS, 0.9545), DRAWS - least_count(DRAWS, 1 - 0.9545));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_is_found),         cmocka_unit_test(sets_without_answers_are_left),
        cmocka_unit_test(the_best_may_be_at_an_edge), cmocka_unit_test(covariance_is_the_inverse),
        cmocka_unit_test(a_parameter_may_not_show),   cmocka_unit_test(uncertainties_are_those_of_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
