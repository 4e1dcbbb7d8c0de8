/* Conjugate gradients (Algorithm 9, with a preconditioner), for any device. */
#include <math.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "linear.h"
#include "online/fem/element/measure.h"

/* Whether the tangent moves with the body: far from equilibrium, as where a substep begins, it may not be positive then. */
static int is_far(const sw_fem *fem) { return !sw_fem_measures[fem->problem->strain]->steady; }

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
        /* What has been found so far is a way down, and the line search takes it; or the first direction is, which
         * loads that only grow would follow without end (Dembo and Steihaug 1983). */
        if (!(slope > 0) && is_far(fem) && i > 0)
            return SW_OK;
        if (slope < 0 && is_far(fem) && !fem->limit.watched) {
            *iterations = 1;
            return on->advance(fem, -along / slope, fem->p, fem->g, x, r, &square);
        }
        fem->limit.singular = !(slope > 0);
        if (!(slope > 0))
            return sw_error(SW_ERR_CONVERGENCE,
                            "the tangent is not positive (CG iteration %d: p K p = %.3g): the body may be at "
                            "its limit load, or so thin that its stiffness is lost in round-off",
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
