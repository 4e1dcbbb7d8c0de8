/* UMFPACK (Davis 2004): multifrontal LU factors of any matrix. */
#ifdef SW_HAVE_UMFPACK

#include <stdlib.h>
#include <umfpack.h>

#include "factors.h"

typedef struct {
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
} umfpack_work;

static sw_status check(SuiteSparse_long error, const char *what)
{
    if (error == UMFPACK_OK)
        return SW_OK;
    if (error == UMFPACK_WARNING_singular_matrix)
        return sw_error(SW_ERR_CONVERGENCE, "the tangent is singular: the body may be at its limit load, or "
                                            "so thin that its stiffness is lost in round-off");
    if (error == UMFPACK_ERROR_out_of_memory)
        return sw_error(SW_ERR_MEMORY, "linear direct: no memory for the factors: need gmres or cg");
    return sw_error(SW_ERR_CONVERGENCE, "linear direct: %s: UMFPACK's error %d", what, (int)error);
}

static void close_umfpack(void *opaque)
{
    umfpack_work *work = opaque;
    if (work == NULL)
        return;
    umfpack_dl_free_symbolic(&work->symbolic);
    umfpack_dl_free_numeric(&work->numeric);
    free(work);
}

/* Patterns are symmetric. The tangent's diagonal is large: it stays the pivot, mostly. */
static sw_status open_umfpack(const sw_fem_sparse *matrix, int dimension, void **result)
{
    umfpack_work *work;
    *result = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "factors"));
    umfpack_dl_defaults(work->control);
    work->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    work->control[UMFPACK_ORDERING] = dimension == 3 ? UMFPACK_ORDERING_METIS : UMFPACK_ORDERING_AMD;
    work->control[UMFPACK_IRSTEP] = 0; /* direct.c looks at the residual */
    const sw_status status = check(umfpack_dl_symbolic(matrix->n, matrix->n, matrix->row, matrix->column,
                                                       NULL, &work->symbolic, work->control, work->info),
                                   "order of unknowns");
    if (status != SW_OK) {
        close_umfpack(work);
        return status;
    }
    *result = work;
    return SW_OK;
}

/* Rows are taken for columns: the factors are those of the transpose. */
static sw_status factorise(void *opaque, const sw_fem_sparse *matrix)
{
    umfpack_work *work = opaque;
    umfpack_dl_free_numeric(&work->numeric);
    return check(umfpack_dl_numeric(matrix->row, matrix->column, matrix->value, work->symbolic,
                                    &work->numeric, work->control, work->info),
                 "factors");
}

static sw_status solve(void *opaque, const sw_fem_sparse *matrix, const double *right, double *x)
{
    umfpack_work *work = opaque;
    return check(umfpack_dl_solve(UMFPACK_At, matrix->row, matrix->column, matrix->value, x, right,
                                  work->numeric, work->control, work->info),
                 "solution");
}

static int64_t bytes(const void *opaque)
{
    const umfpack_work *work = opaque;
    return (int64_t)(work->info[UMFPACK_NUMERIC_SIZE] * work->info[UMFPACK_SIZE_OF_UNIT]);
}

static double condition(const void *opaque) { return ((const umfpack_work *)opaque)->info[UMFPACK_RCOND]; }

const sw_fem_factors sw_fem_umfpack = {"UMFPACK", 0,     open_umfpack, close_umfpack,
                                       factorise, solve, bytes,        condition};

#else

typedef int sw_fem_umfpack_is_not_built; /* ISO C wants a declaration */

#endif
