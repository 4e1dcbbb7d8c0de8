#include "limit.h"

#include <math.h>

/* Of a cantilever of a perfectly plastic metal the last substeps that converge are 40 to 1e5 times as soft as the elastic
 * body; those that fail beyond the limit load 1e7 times and more at small strains, at finite ones, which carry more as they
 * deform, 10 to 200 times. Of a bar the tangent is singular. */
#define SOFT 8

enum { FAILURES = 3 };
#define NEAR 0.02 /* of the load: what lies between a factor that was reached and one that was not */

void sw_fem_limit_begin(sw_fem *fem, const double *factor)
{
    int grows = 0;
    fem->limit = (sw_fem_limit){.failed_at = INFINITY};
    /* a part of a body knows only of its own loads and supports */
    if (fem->parts || fem->contact || fem->crystals || fem->problem->kinematics == SW_FEM_HEAT)
        return;
    for (int l = 0; l < fem->problem->n_cases; l++) {
        if (factor[l] == fem->factor[l])
            continue;
        if (fem->prescribed[l])
            return;
        grows |= fabs(factor[l]) > fabs(fem->factor[l]);
    }
    fem->limit.watched = grows;
}

/* On a way on which nothing failed yet there is nothing to ask. */
sw_status sw_fem_limit_measure(sw_fem *fem, int iteration)
{
    const sw_fem_backend *on = fem->backend;
    double work;
    if (!fem->limit.watched || fem->limit.failures == 0)
        return SW_OK;
    SW_TRY(on->combine(fem, 0, fem->u, 0, fem->g));
    for (int l = 0; l < fem->problem->n_cases; l++)
        if (fem->force[l])
            SW_TRY(on->combine(fem, fem->delta[l], fem->force[l], 1, fem->g));
    SW_TRY(on->combine(fem, 1, fem->trial, 0, fem->p));
    SW_TRY(on->combine(fem, -1, fem->u, 1, fem->p));
    SW_TRY(on->dot(fem, fem->g, fem->p, &work));
    if (iteration == 0)
        fem->limit.elastic = work;
    fem->limit.softness = fem->limit.elastic > 0 ? work / fem->limit.elastic : 0;
    return SW_OK;
}

/* Close to where they failed that is tried again: halves alone would never come there. */
double sw_fem_limit_cap(const sw_fem *fem, double at, double next)
{
    const sw_fem_limit *limit = &fem->limit;
    const double left = limit->failed_at - at;
    if (!limit->watched || limit->failures < 2 || next < limit->failed_at ||
        !(left > 16 * fem->options.least_increment))
        return next;
    return at + 0.5 * left;
}

void sw_fem_limit_passed(sw_fem *fem, double next)
{
    sw_fem_limit *limit = &fem->limit;
    limit->is_soft |= limit->softness > SOFT;
    limit->softness = 0;
    if (next >= limit->failed_at) { /* it was no limit */
        limit->failures = 0;
        limit->failed_at = INFINITY;
        limit->is_soft = 0;
    }
}

/* The case that changes most, on the way to next. */
static int leader(const sw_fem *fem)
{
    int most = 0;
    for (int l = 1; l < fem->problem->n_cases; l++)
        if (fabs(fem->goal[l] - fem->factor[l]) > fabs(fem->goal[most] - fem->factor[most]))
            most = l;
    return most;
}

sw_status sw_fem_limit_failed(sw_fem *fem, double next, const char *why)
{
    sw_fem_limit *limit = &fem->limit;
    const int l = leader(fem);
    const double reached = fem->factor[l], tried = fem->goal[l];
    if (!limit->watched)
        return SW_OK;
    limit->is_soft |= limit->singular || fabs(limit->softness) > SOFT;
    limit->singular = 0;
    limit->softness = 0;
    limit->failures++;
    limit->failed_at = fmin(limit->failed_at, next);
    if (limit->failures < FAILURES || !limit->is_soft || !(fabs(tried - reached) <= NEAR * fabs(tried)))
        return SW_OK;
    return sw_error(SW_ERR_CONVERGENCE,
                    "limit load near factor %.4g, the last that converged; no equilibrium at %.4g (%s)",
                    reached, tried, why);
}
