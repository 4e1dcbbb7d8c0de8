/* The work of a substep. Along the straight way from the accepted displacement u to the trial the internal forces, which loads
 * and reactions balance at its ends, do work at the rate phi(s) = f_int(u + s step) . step, s = 0 to 1. Where nothing yields
 * at small strains phi is linear and the mean of its ends exact; where a body yields on the way it bends, and that mean
 * misses up to half of the work. */
#include "work.h"

#include <math.h>

#include "online/fem/crystal/crystals.h"
#include "online/fem/element/measure.h"

/* Of all work when the increment ends, what an interval may be off by: half the difference of its ends where phi grows from one to the other;
 * that of its halves from the whole, of which Simpson's rule leaves some fifth where phi bends. */
static const double tolerance = 5e-3;
enum { DEEPEST = 10 }; /* halvings */

static int is_steady(const sw_fem *fem) { return sw_fem_measures[sw_fem_measure_of(fem->problem)]->steady; }

/* phi(s). What is on the way takes its part of the time. */
static sw_status rate_at(sw_fem *fem, double s, double *rate)
{
    const sw_fem_backend *on = fem->backend;
    const double dt = fem->dt;
    int64_t points, elements;
    sw_fem_want_slopes(fem, 0);
    SW_TRY(on->combine(fem, 1, fem->u, 0, fem->g));
    SW_TRY(on->combine(fem, s, fem->increment, 1, fem->g));
    if (fem->crystals)
        SW_TRY(sw_fem_crystals_look(fem->crystals, 1));
    fem->dt = s * dt;
    const sw_status status = on->internal(fem, fem->g, fem->z, &points, &elements);
    fem->dt = dt;
    if (fem->crystals)
        SW_TRY(sw_fem_crystals_look(fem->crystals, 0));
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

/* d phi / ds by the present tangent, or the elastic one of the accepted state. */
static sw_status slope_of(sw_fem *fem, int elastic, double *slope)
{
    const sw_fem_backend *on = fem->backend;
    if (elastic)
        SW_TRY(on->tangent(fem, fem->u, 1));
    SW_TRY(on->product(fem, fem->increment, fem->g));
    return on->dot(fem, fem->g, fem->increment, slope);
}

/* At small strains products with tangents cost less than phi: first + a s from the beginning, which is elastic, and
 * last - b (1 - s) to the end meet where a bar begins to yield. There phi is looked at; parabolas that have those slopes lead
 * there, and are all that is needed of a body that yields more or less at once. */
static sw_status integrate_bend(sw_fem *fem, double first, double last, double error, double *sum)
{
    double a, b, middle;
    SW_TRY(slope_of(fem, 0, &b));
    SW_TRY(slope_of(fem, 1, &a));
    const double at = (last - first - b) / (a - b), left = 1 - at;
    if (!(at > 0 && at < 1))
        return integrate(fem, 0, first, 1, last, error, DEEPEST, sum);
    SW_TRY(rate_at(fem, at, &middle));
    if (fabs(first + a * at - middle) > 6 * error) {
        SW_TRY(integrate(fem, 0, first, at, middle, error, DEEPEST, sum));
        return integrate(fem, at, middle, 1, last, error, DEEPEST, sum);
    }
    *sum = at * (2 * first + middle + 0.5 * a * at) / 3 + left * (2 * last + middle - 0.5 * b * left) / 3;
    return SW_OK;
}

/* Where phi goes on as in the substep before, from where that ended, an interval of length h leaves the mean of its ends by h^3 / 12 of its second
 * derivative, in lengths of an increment. Infinite where it does not, as on another way, or where the body begins to yield. */
static double left_by_mean(const sw_fem *fem, double first, double last)
{
    const double h = fem->part, before = fem->rates[2], now[2] = {first / h, last / h};
    if (!(before > 0))
        return INFINITY;
    const double then[2] = {fem->rates[0] / before, fem->rates[1] / before};
    const double bend = 2 / (h + before) * ((now[1] - now[0]) / h - (then[1] - then[0]) / before);
    return fabs(now[0] - then[1]) <= 0.01 * fabs(then[1]) ? h * h * h * bend / 12 : INFINITY;
}

sw_status sw_fem_work_of(sw_fem *fem, int64_t plastic_points, double *work)
{
    const sw_fem_backend *on = fem->backend;
    double first, last, sum = 0;
    SW_TRY(on->dot(fem, fem->internal, fem->increment, &first));
    SW_TRY(on->dot(fem, fem->z, fem->increment, &last));
    *work = 0.5 * (first + last);
    const double error = tolerance * (fabs(fem->work_done) + fabs(*work) / fem->part);
    const double left = left_by_mean(fem, first, last);
    fem->rates[0] = first;
    fem->rates[1] = last;
    fem->rates[2] = fem->part;
    if ((is_steady(fem) && plastic_points == 0) || 0.5 * fabs(last - first) <= error)
        return SW_OK;
    if (fabs(left) <= 0.1 * error) { /* of a kink it says half as much, or twice */
        *work -= left;
        return SW_OK;
    }
    const sw_status status = is_steady(fem) ? integrate_bend(fem, first, last, error, &sum)
                                            : integrate(fem, 0, first, 1, last, error, DEEPEST, &sum);
    if (status == SW_OK)
        *work = sum;
    return status == SW_ERR_CONVERGENCE ? SW_OK : status; /* no answer on the way: the mean of the ends */
}
