/* Conjugate gradients (Algorithm 9, with a preconditioner), for any device. */
#include <math.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "linear.h"
#include "online/fem/element/measure.h"

static sw_status solve_cg(sw_fem *fem, double *x, double *r, double tolerance, int *iterations)
{
    const sw_fem_backend *on = fem->backend;
    double square = 0, first = 0, along = 0, previous = 0, energy = 0;
    *iterations = 0;
    SW_TRY(on->combine(fem, 0, r, 0, x));
    SW_TRY(on->dot(fem, r, r, &first));
    if (!(first > 0) || !isfinite(first))
        return first == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the residual is not finite");
    for (int i = 0; i < fem->options.most_cg; i++) {
        double alpha, slope = 0;
        SW_TRY(sw_fem_timed_precondition(fem, r, fem->z));
        SW_TRY(on->dot(fem, r, fem->z, &along));
        energy = i == 0 ? along : energy;
        if (fem->by_energy && i > 0 && along >= 0 && along <= tolerance * tolerance * energy)
            return SW_OK;
        if (!(along > 0))
            return sw_error(SW_ERR_CONVERGENCE, "CG iteration %d: the preconditioner is not positive", i + 1);
        SW_TRY(on->combine(fem, 1, fem->z, i > 0 ? along / previous : 0, fem->p));
        SW_TRY(sw_fem_timed_product(fem, fem->p, fem->g));
        SW_TRY(on->dot(fem, fem->p, fem->g, &slope));
        /* Far from equilibrium a tangent that moves with the body may not be positive. What has been found so
         * far is a way down, and the line search takes it (Dembo and Steihaug 1983). */
        if (!(slope > 0) && i > 0 && !sw_fem_measures[fem->problem->strain]->steady)
            return SW_OK;
        fem->limit.singular = !(slope > 0);
        if (!(slope > 0))
            return sw_error(SW_ERR_CONVERGENCE,
                            "the tangent is not positive (CG iteration %d: p K p = %.3g): the body may be at "
                            "its limit load",
                            i + 1, slope);
        alpha = along / slope;
        SW_TRY(on->advance(fem, alpha, fem->p, fem->g, x, r, &square));
        previous = along;
        *iterations = i + 1;
        if (square == 0 || (!fem->by_energy && square <= tolerance * tolerance * first))
            return SW_OK;
        if ((i & 15) == 15)
            SW_TRY(sw_parallel_agree(sw_interrupt_check()));
    }
    return sw_fem_out_of_iterations(fem, "CG", square, first, tolerance);
}

const sw_fem_linear_functions sw_fem_cg = {.solve = solve_cg};
