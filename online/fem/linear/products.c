/* What linear solvers share. */
#include <math.h>

#include "common/system/progress.h"
#include "linear.h"

static void add_time(const sw_fem *fem, double since, double *stage)
{
    if (!fem->backend->queues)
        *stage += sw_seconds() - since;
}

sw_status sw_fem_timed_product(sw_fem *fem, const double *p, double *g)
{
    const double since = sw_seconds();
    SW_TRY(fem->backend->product(fem, p, g));
    add_time(fem, since, &fem->timing.product);
    return SW_OK;
}

sw_status sw_fem_free_product(sw_fem *fem, const double *p, double *g)
{
    SW_TRY(sw_fem_timed_product(fem, p, g));
    return fem->backend->free_part(fem, g);
}

sw_status sw_fem_timed_precondition(sw_fem *fem, const double *r, double *z)
{
    const double since = sw_seconds();
    SW_TRY(fem->backend->precondition(fem, r, z));
    add_time(fem, since, &fem->timing.precondition);
    return SW_OK;
}

sw_status sw_fem_need_vectors(sw_fem *fem, int n)
{
    for (int i = 0; i < n; i++)
        if (fem->krylov[i] == NULL)
            SW_TRY(fem->backend->allocate(fem, &fem->krylov[i]));
    return SW_OK;
}

sw_status sw_fem_out_of_iterations(const sw_fem *fem, const char *name, double square, double first,
                                   double tolerance)
{
    return sw_error(SW_ERR_CONVERGENCE, "%s: |r| / |r_0| = %.3g after %lld iterations: need %.3g", name,
                    sqrt(square / first), (long long)fem->options.most_cg, tolerance);
}
