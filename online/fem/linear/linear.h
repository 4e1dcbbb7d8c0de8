/* Linear solvers: K x = r, K the present tangent. A new one is its file, its number in slipwave/fem.h and its line
 * in solvers.c.
 *
 *     solvers.c                table and choice
 *     products.c               what solvers share
 *     cg.c bicgstab.c gmres.c  in terms of the backend's vectors, on either device
 *     mixed.c                  with pressures as unknowns, by multigrid, on the CPU
 *     direct.c                 sparse factors, on the CPU: of a matrix (sparse.h) by SuiteSparse (factors.h)
 *
 * Unknowns that are prescribed are zero in every vector but the products, whose rows there are cleared. */
#ifndef SW_ONLINE_FEM_LINEAR_LINEAR_H
#define SW_ONLINE_FEM_LINEAR_LINEAR_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int nonsymmetric;                            /* for tangents that are not symmetric, too */
    int unpreconditioned;                        /* needs no preconditioner */
    sw_status (*open)(sw_fem *fem, void **work); /* NULL: nothing to keep */
    void (*close)(void *work);                   /* NULL is fine */
    sw_status (*solve)(sw_fem *fem, double *x, double *r, double tolerance,
                       int *iterations); /* sw_fem_solve */
} sw_fem_linear_functions;

/* NULL where this build has none; of SW_FEM_SOLVE_AUTO: cg or bicgstab, by the present tangent. */
extern const sw_fem_linear_functions *const sw_fem_linear_solvers[SW_FEM_LINEAR_SOLVERS];
extern const sw_fem_linear_functions sw_fem_cg, sw_fem_bicgstab, sw_fem_gmres, sw_fem_mixed;
extern const sw_fem_linear_functions sw_fem_direct; /* in a build with UMFPACK */

/* What sw_fem_mixed is not for, in words, and such a problem is: "at finite strains"; NULL where it may be taken. */
const char *sw_fem_not_mixed(const sw_fem_problem *problem);
/* Whether sparse factors are faster than a GPU. */
int sw_fem_direct_beats_gpu(const sw_fem_problem *problem);
/* Of an analysis on the CPU: SW_FEM_SOLVE_AUTO becomes, where that is faster, SW_FEM_SOLVE_DIRECT, unless something iterative was asked for, or
 * SW_FEM_SOLVE_MIXED. What is direct is without a preconditioner. */
void sw_fem_linear_choose(const sw_fem_problem *problem, sw_fem_options *options);
sw_status sw_fem_linear_open(sw_fem *fem);
void sw_fem_linear_close(sw_fem *fem);

/* What a solve needs of the present tangent, before it: the preconditioner, if any. */
sw_status sw_fem_prepare(sw_fem *fem);

/* K x = r, x and r in and out (x starts at zero, r, zero where prescribed, becomes the rest), until
 * |r| <= tolerance |r_0|. iterations: of CG; products of BiCGSTAB and GMRES; solutions with the factors.
 * SW_ERR_CONVERGENCE with numbers; SW_ERR_RANGE: K is not symmetric and the solver wants that;
 * SW_ERR_INTERRUPTED; SW_ERR_MEMORY. */
sw_status sw_fem_solve(sw_fem *fem, double *x, double *r, double tolerance, int *iterations);

/* ---- products.c: for solvers ---- */

/* g = K p, all rows; the same, zero where prescribed; z = M^-1 r: timed. */
sw_status sw_fem_timed_product(sw_fem *fem, const double *p, double *g);
sw_status sw_fem_free_product(sw_fem *fem, const double *p, double *g);
sw_status sw_fem_timed_precondition(sw_fem *fem, const double *r, double *z);
/* fem->krylov has n vectors at least; SW_ERR_MEMORY. */
sw_status sw_fem_need_vectors(sw_fem *fem, int n);
/* SW_ERR_CONVERGENCE, "NAME: |r| / |r_0| = ...". */
sw_status sw_fem_out_of_iterations(const sw_fem *fem, const char *name, double square, double first,
                                   double tolerance);

#ifdef __cplusplus
}
#endif

#endif
