#include "least_squares.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative changes of the sum of squares, and of x, that end the search: a hundredth of a standard uncertainty, or less
 * where residuals are a hundred or fewer. */
static const double ENOUGH_OF_SUM = 1e-5, ENOUGH_OF_X = 1e-4;
/* Of |x|: the first step. */
static const double FIRST_STEP = 1;

/* ---- A trial and its differences ---- */

typedef struct {
    const sw_least_squares *problem;
    double *x, *residual; /* [P + 1][P], [P + 1][M]: the trial, then x[j] a little more, or less */
    double largest;       /* sum of squares of the last trial that has an answer; < 0: none yet */
    int sets;
    sw_status status;
} search;

static int is_answered(const double *residual, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += residual[i];
    return isfinite(sum);
}

static sw_status lacks_answer(const sw_least_squares *p, int set)
{
    if (set == 0)
        return sw_error(SW_ERR_CONVERGENCE, "the fit's beginning has no answer");
    if (p->name != NULL)
        return sw_error(SW_ERR_CONVERGENCE, "the fit has no answer with a little more or less of %s",
                        p->name[set - 1]);
    return sw_error(SW_ERR_CONVERGENCE, "the fit has no answer beside its parameters, in number %d", set);
}

/* A trial without an answer is as bad as none before it, so that the search steps back. */
static void refuse(const search *s, double *residual)
{
    const int n = s->problem->residuals;
    for (int i = 0; i < n; i++)
        residual[i] = 10 * sqrt(s->largest / n + 1);
}

/* Where x[j] a little more has no answer, at the edge of what has one: x[j] a little less. */
static sw_status try_below(search *s, const double *x)
{
    const sw_least_squares *p = s->problem;
    const int n = p->parameters, m = p->residuals;
    for (int j = 0; j < n; j++) {
        double *beside = s->x + (j + 1) * n, *residual = s->residual + (j + 1) * m;
        if (is_answered(residual, m))
            continue;
        beside[j] = x[j] - p->difference;
        s->sets++;
        SW_TRY(p->residuals_of(p->context, 1, beside, residual));
    }
    return SW_OK;
}

static sw_status try_trial(search *s, const double *x, double *residual)
{
    const sw_least_squares *p = s->problem;
    const int n = p->parameters, m = p->residuals;
    for (int set = 0; set <= n; set++) {
        memcpy(s->x + set * n, x, (size_t)n * sizeof *x);
        if (set > 0)
            s->x[set * n + set - 1] += p->difference;
    }
    s->sets += n + 1;
    SW_TRY(p->residuals_of(p->context, n + 1, s->x, s->residual));
    memcpy(residual, s->residual, (size_t)m * sizeof *residual);
    if (is_answered(residual, m)) {
        s->largest = 0;
        for (int i = 0; i < m; i++)
            s->largest += residual[i] * residual[i];
        SW_TRY(try_below(s, x));
    } else if (s->largest < 0)
        return lacks_answer(p, 0);
    else
        refuse(s, residual);
    return SW_OK;
}

/* Columns by differences to one side, of the last trial: a Jacobian is asked for where the last trial was better, and
 * there. */
static sw_status differentiate(const search *s, double *jacobian, int rows)
{
    const int n = s->problem->parameters, m = s->problem->residuals;
    for (int j = 0; j < n; j++) {
        const double *beside = s->residual + (j + 1) * m;
        if (!is_answered(beside, m))
            return lacks_answer(s->problem, j + 1);
        const double difference = s->x[(j + 1) * n + j] - s->x[j];
        for (int i = 0; i < m; i++)
            jacobian[i + rows * j] = (beside[i] - s->residual[i]) / difference;
    }
    return SW_OK;
}

static int step(void *context, int m, int n, const double *x, double *residual, double *jacobian, int rows,
                int flag)
{
    search *s = context;
    (void)m;
    (void)n;
    s->status = flag == 1 ? try_trial(s, x, residual) : differentiate(s, jacobian, rows);
    return s->status == SW_OK ? 0 : -1;
}

/* ---- The search ---- */

static sw_status allocate(search *s, double **work, int **pivot)
{
    const int n = s->problem->parameters, m = s->problem->residuals;
    SW_TRY(SW_ALLOCATE(s->x, (n + 1) * n, "a fit"));
    SW_TRY(SW_ALLOCATE(s->residual, (n + 1) * m, "a fit"));
    SW_TRY(SW_ALLOCATE(*work, m + m * n + 5 * n + m, "a fit"));
    return SW_ALLOCATE(*pivot, n, "a fit");
}

static sw_status minimise(search *s, double *x, double *work, int *pivot, sw_least_squares_end *end)
{
    const int n = s->problem->parameters, m = s->problem->residuals;
    double *residual = work, *jacobian = residual + m, *scale = jacobian + m * n, *qtf = scale + n;
    int trials = 0;
    const int info = lmder(step, s, m, n, x, residual, jacobian, m, ENOUGH_OF_SUM, ENOUGH_OF_X, 0,
                           s->problem->most, scale, 1, FIRST_STEP, 0, &trials, &end->iterations, pivot, qtf,
                           qtf + n, qtf + 2 * n, qtf + 3 * n, qtf + 4 * n);
    SW_TRY(s->status);
    if (info == 0)
        return sw_error(SW_ERR_RANGE, "a fit of %d parameters to %d numbers: need as many or more", n, m);
    end->converged = info != 5;
    end->sets = s->sets;
    end->square_sum = 0;
    for (int i = 0; i < m; i++)
        end->square_sum += residual[i] * residual[i];
    return SW_OK;
}

sw_status sw_least_squares_solve(const sw_least_squares *problem, double *x, sw_least_squares_end *end)
{
    search s = {.problem = problem, .largest = -1};
    double *work = NULL;
    int *pivot = NULL;
    *end = (sw_least_squares_end){.square_sum = NAN};
    sw_status status = allocate(&s, &work, &pivot);
    if (status == SW_OK)
        status = minimise(&s, x, work, pivot, end);
    free(s.x);
    free(s.residual);
    free(work);
    free(pivot);
    return status;
}

/* ---- What the data leave of the parameters ---- */

/* Positive definite a [n][n] with a unit diagonal -> its inverse, in place. Returns whether it is that. */
static int invert(int n, double *a)
{
    for (int k = 0; k < n; k++) { /* Gauss and Jordan's exchange, pivot by pivot */
        const double pivot = a[k * n + k];
        if (!(pivot > 1e-14)) /* what the others leave of this one: nothing but round-off */
            return 0;
        for (int j = 0; j < n; j++)
            a[k * n + j] = j == k ? 1 / pivot : a[k * n + j] / pivot;
        for (int i = 0; i < n; i++) {
            const double factor = a[i * n + k];
            for (int j = 0; j < n && i != k; j++)
                a[i * n + j] = (j == k ? 0 : a[i * n + j]) - factor * a[k * n + j];
        }
    }
    return 1;
}

/* J^T J of the parameters that show, its diagonal one; size: of J's columns. */
static void normal_matrix(const double *column, int m, int shown, const int *which, const double *size,
                          double *a)
{
    for (int i = 0; i < shown; i++)
        for (int j = 0; j < shown; j++) {
            a[i * shown + j] = 0;
            for (int k = 0; k < m; k++)
                a[i * shown + j] += column[which[i] * m + k] * column[which[j] * m + k];
            a[i * shown + j] /= size[which[i]] * size[which[j]];
        }
}

/* column [P][M] of J. */
static sw_status covariance_of(const sw_least_squares *p, const double *column, double *covariance)
{
    const int n = p->parameters, m = p->residuals;
    double *size, *a = NULL;
    int *which = NULL, shown = 0;
    sw_status status = SW_ALLOCATE(size, n, "a covariance");
    if (status == SW_OK)
        status = SW_ALLOCATE(a, n * n, "a covariance");
    if (status == SW_OK)
        status = SW_ALLOCATE(which, n, "a covariance");
    for (int j = 0; j < n && status == SW_OK; j++) {
        size[j] = enorm(m, column + j * m);
        if (size[j] > 0)
            which[shown++] = j;
    }
    if (status == SW_OK) {
        for (int k = 0; k < n * n; k++)
            covariance[k] = k % (n + 1) == 0 ? INFINITY : NAN;
        normal_matrix(column, m, shown, which, size, a);
        if (invert(shown, a))
            for (int i = 0; i < shown; i++)
                for (int j = 0; j < shown; j++)
                    covariance[which[i] * n + which[j]] =
                        a[i * shown + j] / (size[which[i]] * size[which[j]]);
    }
    free(size);
    free(a);
    free(which);
    return status;
}

/* x [1 + 2 P][P]: itself, then each component less and more. */
static void sets_beside(const sw_least_squares *p, const double *x, double *set)
{
    const int n = p->parameters;
    for (int k = 0; k <= 2 * n; k++) {
        memcpy(set + k * n, x, (size_t)n * sizeof *x);
        if (k > 0)
            set[k * n + (k - 1) / 2] += k % 2 == 1 ? -p->difference : p->difference;
    }
}

/* all [1 + 2 P][M], of sets_beside -> columns of J in its first P rows: central differences, to one side where the other has
 * no answer. Column j is over the residuals of x[j - 1] more and of x[j] less, which are read before. Returns the number of a
 * parameter that has an answer on neither side, from 1 on, or 0. */
static int differences(const sw_least_squares *p, const double *here, double *all)
{
    const int n = p->parameters, m = p->residuals;
    for (int j = 0; j < n; j++) {
        const double *less = all + (2 * j + 1) * m, *more = less + m;
        const int below = is_answered(less, m), above = is_answered(more, m);
        if (!below && !above)
            return j + 1;
        for (int i = 0; i < m; i++)
            all[j * m + i] =
                ((above ? more : here)[i] - (below ? less : here)[i]) / ((above + below) * p->difference);
    }
    return 0;
}

sw_status sw_least_squares_covariance(const sw_least_squares *p, const double *x, double *residual,
                                      double *covariance)
{
    const int n = p->parameters, m = p->residuals, sets = 2 * n + 1;
    double *set, *all = NULL;
    sw_status status = SW_ALLOCATE(set, sets * n, "a covariance");
    if (status == SW_OK)
        status = SW_ALLOCATE(all, sets * m, "a covariance");
    if (status == SW_OK) {
        sets_beside(p, x, set);
        status = p->residuals_of(p->context, sets, set, all);
    }
    if (status == SW_OK) {
        memcpy(residual, all, (size_t)m * sizeof *residual);
        const int lacking = differences(p, residual, all);
        status = !is_answered(residual, m)
                     ? sw_error(SW_ERR_CONVERGENCE, "the fit has no answer at its best parameters")
                 : lacking > 0 ? lacks_answer(p, lacking)
                               : covariance_of(p, all, covariance);
    }
    free(set);
    free(all);
    return status;
}
