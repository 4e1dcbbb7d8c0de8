/* The iterations, for either device. */
#include "methods.h"

#include <math.h>

const char *const sw_fem_band_method_names[SW_FEM_BAND_METHODS] = {
    "simple", "minimal_residual", "steepest_descent", "biconjugate", "direct"};

/* r = A z - b and |r|. */
static sw_status find_residual(sw_fem_band_space *space, double *r, double *size)
{
    double both[2];
    SW_TRY(space->on->product(space, 0, space->solution, r));
    SW_TRY(space->on->combine(space, -1, space->right, 1, r));
    SW_TRY(space->on->dots(space, r, r, both));
    *size = sqrt(both[1]);
    return SW_OK;
}

static sw_status not_solved(sw_fem_band_method method, int64_t iterations, double size, double tolerance)
{
    return sw_error(SW_ERR_CONVERGENCE, "%s: |A z - b| / |b| = %g after %lld iterations: need %g",
                    sw_fem_band_method_names[method], size, (long long)iterations, tolerance);
}

/* How far along r, from t = A r. */
static double step_of(sw_fem_band_method method, double rr, const double rt_tt[2], double fixed)
{
    switch (method) {
    case SW_FEM_MINIMAL_RESIDUAL:
        return rt_tt[0] / rt_tt[1];
    case SW_FEM_STEEPEST_DESCENT:
        return rr / rt_tt[0];
    default:
        return fixed;
    }
}

/* The three that go along r. r is carried along, one product an iteration, and made anew before it is believed. */
static sw_status descend(sw_fem_band_space *space, sw_fem_band_method method, double size_of_b,
                         double tolerance, int64_t most, int64_t *iterations)
{
    const sw_fem_band_functions *on = space->on;
    double *r = space->work[0], *t = space->work[1], size, norm, both[2];
    SW_TRY(on->norm(space, &norm));
    SW_TRY(find_residual(space, r, &size));
    for (*iterations = 0; isfinite(size); ++*iterations) {
        if (size <= tolerance * size_of_b) {
            SW_TRY(find_residual(space, r, &size));
            if (size <= tolerance * size_of_b)
                return SW_OK;
        }
        if (*iterations == most)
            break;
        SW_TRY(on->product(space, 0, r, t));
        SW_TRY(on->dots(space, r, t, both));
        const double step = step_of(method, size * size, both, 2 / (1.05 * norm));
        SW_TRY(on->combine(space, -step, r, 1, space->solution));
        SW_TRY(on->combine(space, -step, t, 1, r));
        SW_TRY(on->dots(space, r, r, both));
        size = sqrt(both[1]);
    }
    return not_solved(method, *iterations, size / size_of_b, tolerance);
}

/* Fletcher 1976. p and its shadow q; s is the residual over the diagonal, z likewise of the shadow. */
static sw_status biconjugate(sw_fem_band_space *space, double size_of_b, double tolerance, int64_t most,
                             int64_t *iterations)
{
    const sw_fem_band_functions *on = space->on;
    double *r = space->work[0], *shadow = space->work[1], *p = space->work[2], *q = space->work[3],
           *t = space->work[4], *over = space->work[5];
    double size, rho = 0, both[2];
    SW_TRY(find_residual(space, r, &size));
    SW_TRY(on->combine(space, 1, r, 0, shadow));
    SW_TRY(on->combine(space, 0, r, 0, p));
    SW_TRY(on->combine(space, 0, r, 0, q));
    for (*iterations = 0; isfinite(size); ++*iterations) {
        if (size <= tolerance * size_of_b) {
            SW_TRY(find_residual(space, r, &size));
            if (size <= tolerance * size_of_b)
                return SW_OK;
        }
        if (*iterations == most)
            break;
        SW_TRY(on->divide(space, r, over));
        SW_TRY(on->dots(space, shadow, over, both));
        const double beta = rho == 0 ? 0 : both[0] / rho;
        rho = both[0];
        SW_TRY(on->combine(space, 1, over, beta, p));
        SW_TRY(on->divide(space, shadow, over));
        SW_TRY(on->combine(space, 1, over, beta, q));
        SW_TRY(on->product(space, 0, p, t));
        SW_TRY(on->dots(space, q, t, both));
        const double step = rho / both[0];
        SW_TRY(on->combine(space, -step, p, 1, space->solution));
        SW_TRY(on->combine(space, -step, t, 1, r));
        SW_TRY(on->product(space, 1, q, t));
        SW_TRY(on->combine(space, -step, t, 1, shadow));
        SW_TRY(on->dots(space, r, r, both));
        size = sqrt(both[1]);
    }
    return not_solved(SW_FEM_BICONJUGATE, *iterations, size / size_of_b, tolerance);
}

sw_status sw_fem_band_solve(sw_fem_band_space *space, sw_fem_band_method method, double tolerance,
                            int64_t most, int64_t *iterations)
{
    double both[2];
    *iterations = 0;
    if (method == SW_FEM_DIRECT)
        return sw_fem_band_direct(space);
    SW_TRY(space->on->dots(space, space->right, space->right, both));
    SW_TRY(space->on->combine(space, 0, space->right, 0, space->solution));
    if (both[1] == 0)
        return SW_OK;
    return method == SW_FEM_BICONJUGATE ? biconjugate(space, sqrt(both[1]), tolerance, most, iterations)
                                        : descend(space, method, sqrt(both[1]), tolerance, most, iterations);
}
