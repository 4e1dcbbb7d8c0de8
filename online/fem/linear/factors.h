/* Factors of a sparse matrix by SuiteSparse: of its pattern once, then of the values of each tangent. */
#ifndef SW_ONLINE_FEM_LINEAR_FACTORS_H
#define SW_ONLINE_FEM_LINEAR_FACTORS_H

#include "sparse.h"

typedef struct {
    const char *name;
    int symmetric; /* takes symmetric positive matrices alone */
    /* Orders the unknowns. dimension: of space. */
    sw_status (*open)(const sw_fem_sparse *matrix, int dimension, void **work);
    void (*close)(void *work); /* NULL is fine */
    /* New values. SW_ERR_CONVERGENCE: singular or, of a symmetric one, not positive; SW_ERR_MEMORY. */
    sw_status (*factorise)(void *work, const sw_fem_sparse *matrix);
    sw_status (*solve)(void *work, const sw_fem_sparse *matrix, const double *right, double *x); /* [n] */
    int64_t (*bytes)(const void *work); /* of the factors */
    double (*condition)(
        const void *work); /* of the matrix last factorised: an estimate of its reciprocal number */
} sw_fem_factors;

extern const sw_fem_factors sw_fem_umfpack, sw_fem_cholmod;

#endif
