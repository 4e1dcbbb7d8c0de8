/* Radii of wanted distributions, by quantiles. */
#include <inttypes.h>
#include <math.h>

#include "common/math/random.h"
#include "online/dem/element/rve.h"
#include "packing.h"

/* ---- Checks ---- */

static sw_status check_radius(const char *name, double radius)
{
    if (!(radius >= SW_DEM_LEAST_LENGTH && radius <= SW_DEM_MOST_LENGTH))
        return sw_error(SW_ERR_RANGE, "%s = %g: need a length in m, from %g to %g", name, radius,
                        SW_DEM_LEAST_LENGTH, SW_DEM_MOST_LENGTH);
    return SW_OK;
}

static sw_status check_range(const sw_dem_sizes *sizes, int empty_allowed)
{
    SW_TRY(check_radius("least radius", sizes->least));
    SW_TRY(check_radius("largest radius", sizes->largest));
    if (sizes->least > sizes->largest || (sizes->least == sizes->largest && !empty_allowed))
        return sw_error(SW_ERR_RANGE, "least radius = %g m: need %s the largest, %g m", sizes->least,
                        empty_allowed ? "at most" : "less than", sizes->largest);
    return SW_OK;
}

static sw_status check_lognormal(const sw_dem_sizes *sizes)
{
    SW_TRY(check_radius("median radius", sizes->radius));
    if (!(sizes->deviation > 0 && sizes->deviation <= 3))
        return sw_error(SW_ERR_RANGE, "deviation of ln r = %g: need > 0 and at most 3", sizes->deviation);
    SW_TRY(check_range(sizes, 0));
    /* Beyond, quantiles would be those of a tail too thin for doubles. */
    const double from = log(sizes->least / sizes->radius) / sizes->deviation;
    const double to = log(sizes->largest / sizes->radius) / sizes->deviation;
    if (!(from <= 8 && to >= -8))
        return sw_error(SW_ERR_RANGE,
                        "radii from %g to %g m: need some within 8 deviations of the median, %g m",
                        sizes->least, sizes->largest, sizes->radius);
    return SW_OK;
}

static sw_status check_grading(const sw_dem_sizes *sizes)
{
    const int64_t n = sizes->n_points;
    if (n < 2)
        return sw_error(SW_ERR_RANGE, "grading curve of %" PRId64 " points: need 2 or more", n);
    for (int64_t i = 0; i < n; i++) {
        const double diameter = sizes->grading[i][0], passing = sizes->grading[i][1];
        SW_TRY(check_radius("diameter of a grading curve", diameter));
        if (i > 0 && !(diameter > sizes->grading[i - 1][0]))
            return sw_error(SW_ERR_RANGE,
                            "diameter %" PRId64 " of a grading curve = %g m: need above %g m, "
                            "the one before",
                            i + 1, diameter, sizes->grading[i - 1][0]);
        const double least = i == 0 ? 0 : sizes->grading[i - 1][1];
        if (!(passing >= least && passing <= 1))
            return sw_error(SW_ERR_RANGE, "passing %" PRId64 " of a grading curve = %g: need %g to 1", i + 1,
                            passing, least);
    }
    const double first = sizes->grading[0][1], last = sizes->grading[n - 1][1];
    if (first != 0)
        return sw_error(SW_ERR_RANGE, "first passing of a grading curve = %g: need 0", first);
    if (last != 1)
        return sw_error(SW_ERR_RANGE, "last passing of a grading curve = %g: need 1", last);
    return SW_OK;
}

sw_status sw_dem_sizes_check(const sw_dem_sizes *sizes)
{
    switch (sizes->kind) {
    case SW_DEM_MONODISPERSE:
        return check_radius("radius", sizes->radius);
    case SW_DEM_UNIFORM:
    case SW_DEM_UNIFORM_MASS:
        return check_range(sizes, 1);
    case SW_DEM_LOGNORMAL:
        return check_lognormal(sizes);
    case SW_DEM_GRADING:
        return check_grading(sizes);
    case SW_DEM_SIZES_KINDS:
        break;
    }
    return sw_error(SW_ERR_RANGE, "size distribution %d: need 0 to %d", (int)sizes->kind,
                    SW_DEM_SIZES_KINDS - 1);
}

/* ---- Quantiles ---- */

/* Part of a normal distribution below z; of small relative error below the mean. */
static double normal_below(double z) { return 0.5 * erfc(-z * sqrt(0.5)); }

/* The place in [a, b] that a part u of a normal distribution cut off there is below. */
static double normal_quantile(double a, double b, double u)
{
    if (a > 0) /* by its mirror image, where small parts are small numbers */
        return -normal_quantile(-b, -a, 1 - u);
    const double wanted = (1 - u) * normal_below(a) + u * normal_below(b);
    for (;;) {
        const double z = 0.5 * (a + b);
        if (!(z > a && z < b))
            return z;
        if (normal_below(z) < wanted)
            a = z;
        else
            b = z;
    }
}

static double lognormal_quantile(const sw_dem_sizes *sizes, double u)
{
    const double z = normal_quantile(log(sizes->least / sizes->radius) / sizes->deviation,
                                     log(sizes->largest / sizes->radius) / sizes->deviation, u);
    return fmin(fmax(sizes->radius * exp(sizes->deviation * z), sizes->least), sizes->largest);
}

/* Where mass is even over r, numbers go as r^-3. */
static double uniform_mass_quantile(const sw_dem_sizes *sizes, double u)
{
    const double ratio = sizes->least / sizes->largest;
    return fmin(sizes->least / sqrt(1 - u * (1 - ratio * ratio)), sizes->largest);
}

/* Particles in a part of a grading curve, from diameter a to b with mass m even over ln d: proportional to
 * the integral of m / ln(b / a) d^-4. In units of a length. */
static double grading_number(double a, double b, double mass)
{
    return mass * (1 / (a * a * a) - 1 / (b * b * b)) / log(b / a);
}

static double grading_quantile(const sw_dem_sizes *sizes, double u)
{
    const int64_t parts = sizes->n_points - 1;
    const double(*point)[2] = sizes->grading, unit = point[0][0];
    double total = 0, before = 0;
    for (int64_t i = 0; i < parts; i++)
        total += grading_number(point[i][0] / unit, point[i + 1][0] / unit, point[i + 1][1] - point[i][1]);
    for (int64_t i = 0, last = -1;; i++) {
        if (i == parts)
            return 0.5 * point[last + 1][0]; /* round-off past the end */
        const double a = point[i][0], b = point[i + 1][0];
        const double number = grading_number(a / unit, b / unit, point[i + 1][1] - point[i][1]);
        if (!(number > 0))
            continue;
        const double place = (u * total - before) / number, ratio = a / b;
        if (place <= 1)
            return 0.5 * fmin(a / cbrt(1 - fmax(place, 0) * (1 - ratio * ratio * ratio)), b);
        before += number;
        last = i;
    }
}

double sw_dem_sizes_quantile(const sw_dem_sizes *sizes, double u)
{
    switch (sizes->kind) {
    case SW_DEM_MONODISPERSE:
        return sizes->radius;
    case SW_DEM_UNIFORM:
        return sizes->least + u * (sizes->largest - sizes->least);
    case SW_DEM_UNIFORM_MASS:
        return uniform_mass_quantile(sizes, u);
    case SW_DEM_LOGNORMAL:
        return lognormal_quantile(sizes, u);
    case SW_DEM_GRADING:
        return grading_quantile(sizes, u);
    case SW_DEM_SIZES_KINDS:
        break;
    }
    return NAN;
}

sw_status sw_dem_sizes_draw(const sw_dem_sizes *sizes, int64_t n_particles, uint64_t seed, double *radius)
{
    SW_TRY(sw_dem_sizes_check(sizes));
    if (n_particles < 1 || n_particles > SW_DEM_PAIR_MASK)
        return sw_error(SW_ERR_RANGE, "%" PRId64 " particles: need 1 to %d", n_particles, SW_DEM_PAIR_MASK);
    for (int64_t i = 0; i < n_particles; i++) {
        double u[4];
        sw_random_uniform4(seed, (uint64_t)i, SW_DEM_SIZE_BLOCK, u);
        /* Fisher and Yates's shuffle, as radii come */
        const int64_t j = (int64_t)((1 - u[1]) * (double)(i + 1));
        radius[i] = radius[j];
        radius[j] = sw_dem_sizes_quantile(sizes, ((double)i + 1 - u[0]) / (double)n_particles);
    }
    return SW_OK;
}
