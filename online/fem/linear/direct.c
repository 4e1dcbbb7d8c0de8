/* Sparse factors of the tangent, on the CPU: Cholesky's while it is symmetric and positive, else LU. The factors are
 * made when a tangent is first solved with and serve as long as it stays. Of a body over processes rank 0 has them, of the whole. */
#ifdef SW_HAVE_UMFPACK

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "factors.h"
#include "linear.h"
#include "online/fem/parts/parts.h"

enum { CHOLESKY, LU, KINDS };
static const sw_fem_factors *const kinds[KINDS] = {&sw_fem_cholmod, &sw_fem_umfpack};

typedef struct {
    sw_fem *fem;
    sw_fem_sparse matrix; /* of this process's part */
    sw_fem_whole_matrix sum;
    sw_fem_sparse whole;  /* rank 0's, of a body over processes: its rows and values are sum's; and unknown */
    double *all;          /* [unknowns of the whole] */
    void *factors[KINDS]; /* NULL until needed */
    int kind;             /* of the present factors */
    int64_t tangent;      /* whose they are */
    double *right, *x;    /* [n], of the whole */
    int64_t bytes;
} direct_work;

static void forget(direct_work *work)
{
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->close(work->factors[i]);
        work->factors[i] = NULL;
    }
    sw_fem_sparse_free(&work->matrix);
    sw_fem_whole_matrix_free(&work->sum);
    free(work->whole.unknown);
    work->whole.unknown = NULL;
    free(work->all);
    free(work->right);
    free(work->x);
    work->right = work->x = work->all = NULL;
    sw_fem_count_bytes(work->fem, -work->bytes);
    work->bytes = 0;
}

static void close_direct(void *opaque)
{
    direct_work *work = opaque;
    if (work == NULL)
        return;
    forget(work);
    free(work);
}

static sw_status open_direct(sw_fem *fem, void **result)
{
    direct_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "linear solver"));
    work->fem = fem;
    work->tangent = -1;
    *result = work;
    return SW_OK;
}

/* ---- Of a body over processes ---- */

/* Free unknowns of the whole, ascending; number: their places among these, -1: prescribed. */
static sw_status number_whole(const sw_fem *fem, int64_t *number, sw_fem_sparse *whole)
{
    const sw_fem_problem *p = fem->parts->whole;
    const int64_t all = sw_fem_count_unknowns(p);
    SW_TRY(SW_ALLOCATE(whole->unknown, all, "numbers of unknowns"));
    for (int l = 0; l < p->n_cases; l++)
        for (int64_t i = 0; i < p->load[l].n_fixed; i++)
            number[p->load[l].dof[i]] = -1;
    whole->n = 0;
    for (int64_t i = 0; i < all; i++)
        if (number[i] == 0) {
            number[i] = whole->n;
            whole->unknown[whole->n++] = i;
        }
    return SW_OK;
}

/* The pattern of all parts. */
static sw_status sum_patterns(const int64_t *number, direct_work *work)
{
    const sw_fem_division *d = &work->fem->parts->division;
    const sw_fem_sparse *part = &work->matrix;
    const int c = work->fem->components;
    const int64_t n = part->row[part->n];
    int64_t(*at)[2];
    SW_TRY(SW_ALLOCATE(at, n, "columns of the matrix"));
    for (int64_t i = 0; i < part->n; i++)
        for (int64_t k = part->row[i]; k < part->row[i + 1]; k++) {
            at[k][0] = number[sw_fem_whole_unknown(d, c, part->unknown[i])];
            at[k][1] = number[sw_fem_whole_unknown(d, c, part->unknown[part->column[k]])];
        }
    const sw_fem_matrix_entries entries = {0, 0, 1, work->whole.n, n, (const int64_t(*)[2])at};
    const sw_status status = sw_fem_whole_matrix_open(d, &entries, &work->sum);
    free(at);
    work->whole.row = work->sum.row;
    work->whole.column = work->sum.column;
    work->whole.value = work->sum.value;
    return status;
}

static sw_status open_whole(direct_work *work)
{
    const int64_t all = sw_fem_count_unknowns(work->fem->parts->whole);
    int64_t *number;
    SW_TRY(SW_ALLOCATE(work->all, all, "linear solver"));
    SW_TRY(SW_ALLOCATE(number, all, "numbers of unknowns"));
    sw_status status = number_whole(work->fem, number, &work->whole);
    if (status == SW_OK)
        status = sum_patterns(number, work);
    free(number);
    return status;
}

static int is_here(const direct_work *work) { return !work->fem->parts || sw_parallel_rank() == 0; }

/* What is factorised, where it is. */
static const sw_fem_sparse *matrix_of(const direct_work *work)
{
    return work->fem->parts ? &work->whole : &work->matrix;
}

/* Rank 0 gets r at all unknowns: those of a part's nodes, and those of tools, which all have. */
static sw_status bring(direct_work *work, const double *r, const double **all)
{
    const sw_fem *fem = work->fem;
    const int64_t c = fem->components, n = fem->n_nodes * c;
    *all = r;
    if (!fem->parts)
        return SW_OK;
    const sw_fem_division *d = &fem->parts->division;
    SW_TRY(sw_fem_gather_nodes(d, c * (int64_t)sizeof *r, r, work->all));
    memcpy(work->all + d->mesh->n_nodes * c, r + n, (size_t)(fem->n_unknowns - n) * sizeof *r);
    *all = work->all;
    return SW_OK;
}

/* z of the solution x, 0 where prescribed. */
static void spread(direct_work *work, double *z)
{
    const sw_fem *fem = work->fem;
    const sw_fem_sparse *matrix = matrix_of(work);
    double *all = fem->parts ? work->all : z;
    const int64_t n = fem->parts ? sw_fem_count_unknowns(fem->parts->whole) : fem->n_unknowns;
    memset(all, 0, (size_t)n * sizeof *all);
    for (int64_t i = 0; i < matrix->n && is_here(work); i++)
        all[matrix->unknown[i]] = work->x[i];
    if (!fem->parts)
        return;
    sw_parallel_share(all, n * (int64_t)sizeof *all);
    for (int64_t i = 0; i < fem->n_unknowns; i++)
        z[i] = all[sw_fem_whole_unknown(&fem->parts->division, fem->components, i)];
}

/* ---- Factors ---- */

static void count(direct_work *work)
{
    int64_t now =
        sw_fem_sparse_bytes(&work->matrix) + sw_fem_whole_matrix_bytes(&work->sum) + matrix_of(work)->n * 16;
    for (int i = 0; i < KINDS; i++)
        now += work->factors[i] ? kinds[i]->bytes(work->factors[i]) : 0;
    sw_fem_count_bytes(work->fem, now - work->bytes);
    work->bytes = now;
}

/* Whether all parts' patterns have their blocks. */
static int fits(const direct_work *work)
{
    const sw_fem *fem = work->fem;
    int64_t lacking = !work->right || !sw_fem_sparse_fits(&work->matrix, fem->components, &fem->blocks);
    if (fem->parts)
        sw_parallel_sum_counts(&lacking, 1);
    return lacking == 0;
}

/* A pattern that has the tangent's blocks. */
static sw_status need_pattern(direct_work *work, const sw_fem_view *view)
{
    const sw_fem *fem = work->fem;
    if (fits(work))
        return SW_OK;
    forget(work);
    SW_TRY(sw_fem_sparse_open(view, fem->n_unknowns, fem->fixed, &fem->blocks, &work->matrix));
    if (fem->parts)
        SW_TRY(open_whole(work));
    SW_TRY(SW_ALLOCATE(work->x, matrix_of(work)->n, "linear solver"));
    return SW_ALLOCATE(work->right, matrix_of(work)->n, "linear solver");
}

static sw_status factorise(direct_work *work, int kind)
{
    if (work->factors[kind] == NULL)
        SW_TRY(kinds[kind]->open(matrix_of(work), work->fem->dimension, &work->factors[kind]));
    work->kind = kind;
    return kinds[kind]->factorise(work->factors[kind], matrix_of(work));
}

static sw_status factorise_any(direct_work *work)
{
    const sw_status status = work->fem->symmetric ? factorise(work, CHOLESKY) : SW_ERR_CONVERGENCE;
    return status == SW_ERR_CONVERGENCE ? factorise(work, LU) : status;
}

static sw_status need_factors(direct_work *work)
{
    sw_fem *fem = work->fem;
    const sw_fem_view *view = fem->backend->view(fem);
    int64_t stale = work->tangent != fem->tangents; /* a part where nothing yields keeps its tangent */
    if (fem->parts)
        sw_parallel_sum_counts(&stale, 1);
    if (stale == 0)
        return SW_OK;
    work->tangent = -1;
    SW_TRY(need_pattern(work, view));
    sw_fem_sparse_fill(view, &fem->blocks, &work->matrix);
    if (fem->parts)
        SW_TRY(sw_fem_whole_matrix_fill(work->matrix.value, &work->sum));
    sw_status status = is_here(work) ? factorise_any(work) : SW_OK;
    if (fem->parts)
        status = sw_parallel_agree(status);
    count(work);
    SW_TRY(status);
    work->tangent = fem->tangents;
    return SW_OK;
}

/* ---- Solving ---- */

/* x += what the factors make of r; r and r . r after it. fem->z and g are scratch. */
static sw_status refine(direct_work *work, double *x, double *r, double *square)
{
    sw_fem *fem = work->fem;
    const sw_fem_sparse *matrix = matrix_of(work);
    const double *all;
    sw_status status = SW_OK;
    SW_TRY(bring(work, r, &all));
    for (int64_t i = 0; i < matrix->n && is_here(work); i++)
        work->right[i] = all[matrix->unknown[i]];
    if (is_here(work))
        status = kinds[work->kind]->solve(work->factors[work->kind], matrix, work->right, work->x);
    SW_TRY(fem->parts ? sw_parallel_agree(status) : status);
    spread(work, fem->z);
    SW_TRY(sw_fem_timed_product(fem, fem->z, fem->g));
    return fem->backend->advance(fem, 1, fem->z, fem->g, x, r, square);
}

/* Refined until the product, which is no sum of element matrices, agrees: more than twice is a matrix that says
 * little. */
static sw_status solve_direct(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    enum { MOST = 3 };
    const sw_fem_backend *on = fem->backend;
    direct_work *work = fem->linear_work;
    double square, first;
    SW_TRY(on->combine(fem, 0, r, 0, x));
    SW_TRY(on->dot(fem, r, r, &first));
    if (!(first > 0) || !isfinite(first))
        return first == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the residual is not finite");
    const sw_status status = need_factors(work);
    fem->limit.singular = status == SW_ERR_CONVERGENCE;
    SW_TRY(status);
    for (square = first; *iterations < MOST; ++*iterations) {
        SW_TRY(sw_interrupt_check());
        SW_TRY(refine(work, x, r, &square));
        if (square <= tolerance * tolerance * first) {
            ++*iterations;
            return SW_OK;
        }
    }
    return sw_error(
        SW_ERR_CONVERGENCE,
        "linear direct: |r| / |r_0| = %.3g after %d solutions with the factors: need %.3g; the tangent "
        "may be singular",
        sqrt(square / first), MOST, tolerance);
}

const sw_fem_linear_functions sw_fem_direct = {1, 1, open_direct, close_direct, solve_direct};

#else

typedef int sw_fem_direct_is_not_built; /* ISO C wants a declaration */

#endif
