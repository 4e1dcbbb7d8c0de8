/* The work of a substep. Along the straight way from the accepted displacement u to the trial the internal forces, which loads
 * and reactions balance at its ends, do work at the rate phi(s) = f_int(u + s step) . step, s = 0 to 1. Where nothing yields
 * at small strains phi is linear and the mean of its ends exact; where a body yields on the way it bends, and that mean
 * misses up to half of the work. */
#include "work.h"

#include <math.h>

#include "online/fem/element/measure.h"

/* Where phi grows it lies between its ends, whose mean is off by at most a half of their difference. */
static const double alike = 0.005;    /* difference over sum of the ends that is left at that */
static const double tolerance = 1e-3; /* of the greater end, of an interval's estimated error */
enum { DEEPEST = 10 };                /* halvings */

static int is_straight(const sw_fem *fem, int64_t plastic_points)
{
    return sw_fem_measures[sw_fem_measure_of(fem->problem)]->steady && plastic_points == 0;
}

/* phi(s). What is on the way takes its part of the time. */
static sw_status rate_at(sw_fem *fem, double s, double *rate)
{
    const sw_fem_backend *on = fem->backend;
    const double dt = fem->dt;
    int64_t points, elements;
    SW_TRY(on->combine(fem, 1, fem->u, 0, fem->g));
    SW_TRY(on->combine(fem, s, fem->increment, 1, fem->g));
    fem->dt = s * dt;
    const sw_status status = on->internal(fem, fem->g, fem->z, &points, &elements);
    fem->dt = dt;
    SW_TRY(status);
    SW_TRY(on->dot(fem, fem->z, fem->increment, rate));
    return isfinite(*rate) ? SW_OK : SW_ERR_CONVERGENCE;
}

/* sum += integral of phi from s = from to to, where it is `first` and `last`: by Simpson's rule where halves agree with the
 * whole, so that intervals get short where it bends, and only there. */
static sw_status integrate(sw_fem *fem, double from, double first, double to, double last, double error,
                           int deep, double *sum)
{
    const double half = 0.5 * (from + to);
    double middle;
    SW_TRY(rate_at(fem, half, &middle));
    const double whole = 0.5 * (to - from) * (first + last),
                 halves = 0.5 * whole + 0.5 * (to - from) * middle;
    if (fabs(halves - whole) <= error || deep == 0) {
        *sum += (4 * halves - whole) / 3;
        return SW_OK;
    }
    SW_TRY(integrate(fem, from, first, half, middle, error, deep - 1, sum));
    return integrate(fem, half, middle, to, last, error, deep - 1, sum);
}

sw_status sw_fem_work_of(sw_fem *fem, int64_t plastic_points, double *work)
{
    const sw_fem_backend *on = fem->backend;
    double first, last, sum = 0;
    SW_TRY(on->dot(fem, fem->internal, fem->increment, &first));
    SW_TRY(on->dot(fem, fem->z, fem->increment, &last));
    *work = 0.5 * (first + last);
    if (is_straight(fem, plastic_points) || fabs(last - first) <= alike * (fabs(first) + fabs(last)))
        return SW_OK;
    const sw_status status =
        integrate(fem, 0, first, 1, last, tolerance * fmax(fabs(first), fabs(last)), DEEPEST, &sum);
    if (status == SW_OK)
        *work = sum;
    return status == SW_ERR_CONVERGENCE ? SW_OK : status; /* no answer on the way: the mean of the ends */
}
