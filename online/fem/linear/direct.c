/* Sparse factors of the tangent, on the CPU: Cholesky's while it is symmetric and positive, else LU. The factors are
 * made when a tangent is first solved with and serve as long as it stays. */
#ifdef SW_HAVE_UMFPACK

#include <math.h>
#include <stdlib.h>

#include "common/system/progress.h"
#include "factors.h"
#include "linear.h"

enum { CHOLESKY, LU, KINDS };
static const sw_fem_factors *const kinds[KINDS] = {&sw_fem_cholmod, &sw_fem_umfpack};

typedef struct {
    sw_fem *fem;
    sw_fem_sparse matrix;
    void *factors[KINDS]; /* NULL until needed */
    int kind;             /* of the present factors */
    int64_t tangent;      /* whose they are */
    double *right, *x;    /* [n] */
    int64_t bytes;
} direct_work;

static void forget(direct_work *work)
{
    for (int i = 0; i < KINDS; i++) {
        kinds[i]->close(work->factors[i]);
        work->factors[i] = NULL;
    }
    sw_fem_sparse_free(&work->matrix);
    free(work->right);
    free(work->x);
    work->right = work->x = NULL;
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

/* ---- Factors ---- */

static void count(direct_work *work)
{
    int64_t now = sw_fem_sparse_bytes(&work->matrix) + work->matrix.n * 16;
    for (int i = 0; i < KINDS; i++)
        now += work->factors[i] ? kinds[i]->bytes(work->factors[i]) : 0;
    sw_fem_count_bytes(work->fem, now - work->bytes);
    work->bytes = now;
}

/* A pattern that has the tangent's blocks. */
static sw_status need_pattern(direct_work *work, const sw_fem_view *view)
{
    const sw_fem *fem = work->fem;
    if (work->right && sw_fem_sparse_fits(&work->matrix, fem->components, &fem->blocks))
        return SW_OK;
    forget(work);
    SW_TRY(sw_fem_sparse_open(view, fem->n_unknowns, fem->fixed, &fem->blocks, &work->matrix));
    SW_TRY(SW_ALLOCATE(work->x, work->matrix.n, "linear solver"));
    return SW_ALLOCATE(work->right, work->matrix.n, "linear solver");
}

static sw_status factorise(direct_work *work, int kind)
{
    if (work->factors[kind] == NULL)
        SW_TRY(kinds[kind]->open(&work->matrix, work->fem->dimension, &work->factors[kind]));
    work->kind = kind;
    return kinds[kind]->factorise(work->factors[kind], &work->matrix);
}

static sw_status need_factors(direct_work *work)
{
    sw_fem *fem = work->fem;
    const sw_fem_view *view = fem->backend->view(fem);
    if (work->tangent == fem->tangents)
        return SW_OK;
    work->tangent = -1;
    SW_TRY(need_pattern(work, view));
    sw_fem_sparse_fill(view, &fem->blocks, &work->matrix);
    sw_status status = fem->symmetric ? factorise(work, CHOLESKY) : SW_ERR_CONVERGENCE;
    if (status == SW_ERR_CONVERGENCE)
        status = factorise(work, LU);
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
    const sw_fem_sparse *matrix = &work->matrix;
    for (int64_t i = 0; i < matrix->n; i++)
        work->right[i] = r[matrix->unknown[i]];
    SW_TRY(kinds[work->kind]->solve(work->factors[work->kind], matrix, work->right, work->x));
    SW_TRY(fem->backend->combine(fem, 0, r, 0, fem->z));
    for (int64_t i = 0; i < matrix->n; i++)
        fem->z[matrix->unknown[i]] = work->x[i];
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
