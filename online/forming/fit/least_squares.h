/* Nonlinear least squares by Levenberg and Marquardt's method (MINPACK's lmder; More 1978), where residuals of many
 * parameter sets are computed at a time: a trial and its differences for the Jacobian, P + 1 sets, are one call. And
 * what the data leave of the parameters: their covariance. Knows nothing of crystals.
 * Dimensions: P parameters, M >= P residuals. */
#ifndef SW_ONLINE_FORMING_FIT_LEAST_SQUARES_H
#define SW_ONLINE_FORMING_FIT_LEAST_SQUARES_H

#include "common/system/status.h"

/* x [sets][P] -> residual [sets][M]. A set without an answer has residuals that are no numbers, which is no error. */
typedef sw_status sw_residuals_of(void *context, int sets, const double *x, double *residual);

typedef struct {
    int parameters, residuals; /* P, M */
    sw_residuals_of *residuals_of;
    void *context;
    double difference;       /* of each x, for derivatives: far above what residuals are rounded to */
    int most;                /* calls */
    const char *const *name; /* [P] of the parameters, for messages; NULL: their numbers */
} sw_least_squares;

typedef struct {
    double square_sum;    /* of the residuals */
    int iterations, sets; /* Jacobians; parameter sets that were computed */
    int converged;        /* else `most` calls were not enough */
} sw_least_squares_end;

/* x [P]: from where -> the least. SW_ERR_CONVERGENCE where the beginning, or a difference, has no answer; what
 * residuals_of answers; SW_ERR_MEMORY. */
sw_status sw_least_squares_solve(const sw_least_squares *problem, double *x, sw_least_squares_end *end);

/* Of x [P] at the least, for residuals of unit variance: covariance [P][P] = (J^T J)^-1, with J by central differences,
 * and residual [M] there. A parameter that no residual depends on has rows and columns that are no numbers, but a variance
 * of INFINITY. Both caller's. */
sw_status sw_least_squares_covariance(const sw_least_squares *problem, const double *x, double *residual,
                                      double *covariance);

#endif
