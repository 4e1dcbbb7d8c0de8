/* CHOLMOD (Chen et al. 2008): supernodal Cholesky factors of symmetric positive matrices. */
#ifdef SW_HAVE_UMFPACK

#include <cholmod.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "factors.h"

typedef struct {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *right, *solution, *y, *e; /* solution, y and e: kept from one solve to the next */
} cholmod_work;

/* Half of the symmetric matrix is read: rows are columns. */
static cholmod_sparse shape(const sw_fem_sparse *matrix)
{
    return (cholmod_sparse){.nrow = (size_t)matrix->n,
                            .ncol = (size_t)matrix->n,
                            .nzmax = (size_t)matrix->row[matrix->n],
                            .p = matrix->row,
                            .i = matrix->column,
                            .x = matrix->value,
                            .stype = -1,
                            .itype = CHOLMOD_LONG,
                            .xtype = CHOLMOD_REAL,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
}

static sw_status check(const cholmod_work *work)
{
    const int status = work->common.status;
    if (status == CHOLMOD_OK)
        return SW_OK;
    if (status == CHOLMOD_NOT_POSDEF || status == CHOLMOD_DSMALL)
        return sw_error(SW_ERR_CONVERGENCE,
                        "the tangent is not positive: the body may be at its limit load, or "
                        "so thin that its stiffness is lost in round-off");
    if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
        return sw_error(SW_ERR_MEMORY, "linear direct: no memory for the factors: need gmres or cg");
    return sw_error(SW_ERR_CONVERGENCE, "linear direct: CHOLMOD's error %d", status);
}

static void close_cholmod(void *opaque)
{
    cholmod_work *work = opaque;
    if (work == NULL)
        return;
    cholmod_l_free_factor(&work->factor, &work->common);
    cholmod_l_free_dense(&work->right, &work->common);
    cholmod_l_free_dense(&work->solution, &work->common);
    cholmod_l_free_dense(&work->y, &work->common);
    cholmod_l_free_dense(&work->e, &work->common);
    cholmod_l_finish(&work->common);
    free(work);
}

static sw_status open_cholmod(const sw_fem_sparse *matrix, int dimension, void **result)
{
    cholmod_work *work;
    cholmod_sparse as = shape(matrix);
    *result = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "factors"));
    cholmod_l_start(&work->common);
    work->common.print = 0;
    work->common.useGPU = 0;
    work->common.supernodal = CHOLMOD_SUPERNODAL;
    work->common.nmethods = 1;
    work->common.method[0].ordering = dimension == 3 ? CHOLMOD_METIS : CHOLMOD_AMD;
    work->factor = cholmod_l_analyze(&as, &work->common);
    sw_status status = check(work);
    if (status == SW_OK) {
        work->right = cholmod_l_allocate_dense(as.nrow, 1, as.nrow, CHOLMOD_REAL, &work->common);
        status = check(work);
    }
    if (status != SW_OK) {
        close_cholmod(work);
        return status;
    }
    *result = work;
    return SW_OK;
}

#define WORTH 1e9 /* operations of a factor from which on threads help */

/* CHOLMOD takes four threads, whatever it is told, but where regions of threads are not active. */
static sw_status factorise(void *opaque, const sw_fem_sparse *matrix)
{
    cholmod_work *work = opaque;
    cholmod_sparse as = shape(matrix);
    const int levels = omp_get_max_active_levels();
    if (omp_get_max_threads() == 1 || work->common.fl < WORTH)
        omp_set_max_active_levels(0);
    cholmod_l_factorize(&as, work->factor, &work->common);
    omp_set_max_active_levels(levels);
    return check(work);
}

static sw_status solve(void *opaque, const sw_fem_sparse *matrix, const double *right, double *x)
{
    cholmod_work *work = opaque;
    const size_t size = (size_t)matrix->n * sizeof *x;
    memcpy(work->right->x, right, size);
    cholmod_l_solve2(CHOLMOD_A, work->factor, work->right, NULL, &work->solution, NULL, &work->y, &work->e,
                     &work->common);
    SW_TRY(check(work));
    memcpy(x, work->solution->x, size);
    return SW_OK;
}

static int64_t bytes(const void *opaque)
{
    const cholmod_factor *factor = ((const cholmod_work *)opaque)->factor;
    return (int64_t)(factor->xsize * sizeof(double) + factor->ssize * sizeof(SuiteSparse_long));
}

static double condition(const void *opaque)
{
    cholmod_work *work = (cholmod_work *)opaque; /* CHOLMOD takes its settings as what may change */
    return cholmod_l_rcond(work->factor, &work->common);
}

const sw_fem_factors sw_fem_cholmod = {"CHOLMOD", 1,     open_cholmod, close_cholmod,
                                       factorise, solve, bytes,        condition};

#else

typedef int sw_fem_cholmod_is_not_built; /* ISO C wants a declaration */

#endif
