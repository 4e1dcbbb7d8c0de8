/* The condensed equations by conjugate gradients and algebraic multigrid (online/fem/aggregation/): the matrix by blocks of
 * nodes. A hierarchy is kept while it serves: through Newton's iterations, increments and steps of the same free unknowns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/threads.h"
#include "online/fem/linear/linear.h"

#define WORN 1.5 /* times the iterations a digit of the first solution by it, and */
#define MORE 1
enum { PIECE = 4096 };

struct sw_structure_multigrid {
    int64_t *place; /* [q] 3 node + component of those with a free unknown */
    int64_t n;      /* these nodes */
    double (*position)[3], *motion;
    uint8_t *idle; /* [n][3] no unknown */
    sw_blocks matrix;
    sw_aggregation *levels;
    double first; /* iterations a digit of the first solution by these levels */
    int worn;     /* they are to be made anew */
    sw_fem fem;      /* what linear solvers know of it */
    sw_fem_problem problem;
    double *x, *r, *vector[SW_FEM_MOST_KRYLOV + 8];
    int n_vectors;
    double *piece;
};
typedef struct sw_structure_multigrid work;

/* ---- Vectors ---- */

static sw_status allocate(sw_fem *fem, double **vector)
{
    work *w = fem->work;
    SW_TRY(SW_ALLOCATE(*vector, fem->n_unknowns, "vector"));
    w->vector[w->n_vectors++] = *vector;
    return SW_OK;
}

static int threads_of(const sw_fem *fem) { return sw_threads_for(fem->n_unknowns, SW_FEM_UNKNOWN_NS); }

static sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
#pragma omp parallel for simd schedule(static) num_threads(threads_of(fem))
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        y[i] = (a == 0 ? 0 : a * x[i]) + (b == 0 ? 0 : b * y[i]);
    return SW_OK;
}

static int64_t end_of(const sw_fem *fem, int64_t piece)
{
    return (piece + 1) * PIECE < fem->n_unknowns ? (piece + 1) * PIECE : fem->n_unknowns;
}

static double sum_of(const sw_fem *fem)
{
    const double *piece = ((const work *)fem->work)->piece;
    double sum = 0;
    for (int64_t k = 0; k * PIECE < fem->n_unknowns; k++)
        sum += piece[k];
    return sum;
}

static sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    double *piece = ((work *)fem->work)->piece;
#pragma omp parallel for schedule(static) num_threads(threads_of(fem))
    for (int64_t k = 0; k < (fem->n_unknowns + PIECE - 1) / PIECE; k++) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = k * PIECE; i < end_of(fem, k); i++)
            sum += x[i] * y[i];
        piece[k] = sum;
    }
    *result = sum_of(fem);
    return SW_OK;
}

static sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square)
{
#pragma omp parallel for simd schedule(static) num_threads(threads_of(fem))
    for (int64_t i = 0; i < fem->n_unknowns; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * g[i];
    }
    return dot(fem, r, r, square);
}

static sw_status nothing(sw_fem *fem, double *x)
{
    (void)fem, (void)x; /* what is no unknown stays zero by itself */
    return SW_OK;
}

static sw_status product(sw_fem *fem, const double *p, double *g)
{
    sw_blocks_multiply(&((work *)fem->work)->matrix, p, g);
    return SW_OK;
}

static sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    sw_aggregation_apply(((work *)fem->work)->levels, r, z);
    return SW_OK;
}

static const sw_fem_backend vectors = {.allocate = allocate,
                                       .combine = combine,
                                       .dot = dot,
                                       .free_part = nothing,
                                       .advance = advance,
                                       .product = product,
                                       .precondition = precondition};

/* ---- Open ---- */

void sw_structure_multigrid_close(struct sw_structure_multigrid *w)
{
    if (w == NULL)
        return;
    free(w->place);
    free(w->position);
    free(w->motion);
    free(w->idle);
    free(w->piece);
    sw_blocks_free(&w->matrix);
    sw_aggregation_close(w->levels);
    for (int i = 0; i < w->n_vectors; i++)
        free(w->vector[i]);
    free(w);
}

/* Nodes with free unknowns, where they are, how they move as a rigid body. */
static sw_status place_unknowns(const sw_structure *s, work *w)
{
    const sw_structure_ties *t = &s->ties;
    SW_TRY(SW_ALLOCATE(w->place, t->n_free, "places of unknowns"));
    for (int64_t u = 0; u < t->n_unknowns; u += 3) {
        const int has = t->number[u] >= 0 || t->number[u + 1] >= 0 || t->number[u + 2] >= 0;
        for (int i = 0; i < 3; i++)
            if (t->number[u + i] >= 0)
                w->place[t->number[u + i]] = 3 * w->n + i;
        w->n += has;
    }
    SW_TRY(SW_ALLOCATE(w->position, w->n, "nodes"));
    SW_TRY(SW_ALLOCATE(w->motion, 18 * w->n, "rigid motions"));
    SW_TRY(SW_ALLOCATE(w->idle, 3 * w->n, "nodes"));
    memset(w->idle, 1, (size_t)(3 * w->n));
    for (int64_t u = 0; u < t->n_unknowns; u++)
        if (t->number[u] >= 0) {
            const int64_t at = w->place[t->number[u]];
            w->idle[at] = 0;
            memcpy(w->position[at / 3], s->problem->position[u / 3], sizeof *w->position);
        }
    sw_rigid_motions(3, w->n, (const double(*)[3])w->position, w->idle, w->motion);
    return SW_OK;
}

static sw_scalars scalars_of(const sw_structure *s)
{
    const sw_fem_sparse *m = &s->system.matrix;
    return (sw_scalars){.n_unknowns = m->n, .row = m->row, .column64 = m->column, .value = m->value};
}

static sw_status open_all(sw_structure *s, work *w)
{
    const sw_scalars scalars = scalars_of(s);
    SW_TRY(place_unknowns(s, w));
    SW_TRY(sw_blocks_pattern(&scalars, w->place, 3, w->n, &w->matrix));
    w->problem.strain = SW_FEM_SMALL; /* a tangent that is not positive is an error */
    w->fem = (sw_fem){.problem = &w->problem,
                      .backend = &vectors,
                      .work = w,
                      .dimension = 3,
                      .components = 3,
                      .n_nodes = w->n,
                      .n_unknowns = 3 * w->n};
    SW_TRY(SW_ALLOCATE(w->piece, 3 * w->n / PIECE + 1, "vector"));
    double **const vector[] = {&w->fem.p, &w->fem.g, &w->fem.z, &w->x, &w->r};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        SW_TRY(allocate(&w->fem, vector[i]));
    return SW_OK;
}

/* ---- Solution ---- */

static sw_status make_levels(work *w)
{
    sw_aggregation_close(w->levels);
    w->levels = NULL;
    w->first = w->worn = 0;
    return sw_aggregation_open(&w->matrix, 6, w->motion, (const double(*)[3])w->position, &w->levels);
}

static const sw_fem_linear_functions *solver_of(const sw_structure *s)
{
    const sw_fem_linear_solver linear = s->options.linear;
    return linear == SW_FEM_SOLVE_GMRES                                          ? &sw_fem_gmres
           : linear == SW_FEM_SOLVE_BICGSTAB || !s->symmetric || s->skew ? &sw_fem_bicgstab
                                                                         : &sw_fem_cg;
}

static sw_status iterate(work *w, const sw_structure *s, const double *right, double tolerance, int *taken)
{
    const sw_fem_linear_functions *by = solver_of(s);
    void *linear_work = NULL;
    memset(w->r, 0, (size_t)(3 * w->n) * sizeof *w->r);
    for (int64_t q = 0; q < s->ties.n_free; q++)
        w->r[w->place[q]] = right[q];
    w->fem.symmetric = s->symmetric && !s->skew;
    if (s->options.linear == SW_FEM_SOLVE_CG && !w->fem.symmetric)
        return sw_error(SW_ERR_RANGE,
                        "linear cg: the tangent is not symmetric: need bicgstab, gmres or direct");
    if (by->open != NULL)
        SW_TRY(by->open(&w->fem, &linear_work));
    w->fem.linear_work = linear_work;
    const sw_status status = by->solve(&w->fem, w->x, w->r, tolerance, taken);
    if (by->close != NULL)
        by->close(linear_work);
    return status;
}

/* A hierarchy of another tangent that leads nowhere is made anew once. */
static sw_status solve(sw_structure *s, work *w, const double *right, double tolerance, int *taken)
{
    const int kept = w->levels != NULL && !w->worn;
    if (!kept)
        SW_TRY(make_levels(w));
    sw_status status = iterate(w, s, right, tolerance, taken);
    if (status == SW_ERR_CONVERGENCE && kept) {
        s->products_taken += *taken;
        SW_TRY(make_levels(w));
        status = iterate(w, s, right, tolerance, taken);
    }
    const double digit = *taken / -log10(tolerance);
    w->first = w->first == 0 ? digit : w->first;
    w->worn = status != SW_OK || digit > WORN * w->first + MORE;
    return status;
}

sw_status sw_structure_multigrid_solve(sw_structure *s, int64_t most, double tolerance, const double *right, double *dq)
{
    int taken = 0;
    if (s->multigrid == NULL) {
        work *w;
        SW_TRY(SW_ALLOCATE(w, 1, "multigrid"));
        s->multigrid = w;
        SW_TRY(open_all(s, w));
    }
    work *w = s->multigrid;
    const sw_scalars scalars = scalars_of(s);
    sw_blocks_fill(&scalars, w->place, &w->matrix);
    w->fem.options.most_cg = (int)most;
    const sw_status status = solve(s, w, right, tolerance, &taken);
    s->products_taken += taken;
    for (int64_t q = 0; q < s->ties.n_free && status == SW_OK; q++)
        dq[q] = w->x[w->place[q]];
    return status;
}
