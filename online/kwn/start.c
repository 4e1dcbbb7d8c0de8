#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "online/kwn/backend/backend.h"

/* ---- Initial distributions ---- */

/* Share of particles smaller than `radius`. */
typedef double (*distribution)(const sw_kwn_initial *initial, double radius);

/* Of the mean m and standard deviation s of radii: ln r is normal with variance ln(1 + s^2 / m^2). */
static double lognormal(const sw_kwn_initial *d, double radius)
{
    const double ratio = d->standard_deviation / d->mean_radius, variance = log1p(ratio * ratio);
    return radius > 0 ? 0.5 * erfc(-(log(radius / d->mean_radius) + variance / 2) / sqrt(2 * variance)) : 0;
}

static double normal(const sw_kwn_initial *d, double radius)
{
    return 0.5 * erfc(-(radius - d->mean_radius) / (d->standard_deviation * sqrt(2)));
}

/* With u = r / mean, below 3/2: the integral of Lifshitz and Slyozov's density (J. Phys. Chem. Solids 19
 * (1961) 35) in closed form, 1 - (3 / (3 + u))^(4/3) (3/2 / (3/2 - u))^(5/3) exp(-u / (3/2 - u)). */
static double lsw(const sw_kwn_initial *d, double radius)
{
    const double u = radius / d->mean_radius, left = 1.5 - u;
    if (!(left > 0))
        return 1;
    return 1 - pow(3 / (3 + u), 4.0 / 3) * exp(5.0 / 3 * log(1.5 / left) - u / left);
}

static double given(const sw_kwn_initial *d, double radius) { return sw_kwn_bins_below(&d->bins, radius); }

static distribution distribution_of(const sw_kwn_initial *initial)
{
    static const distribution distributions[SW_SHAPES] = {[SW_SHAPE_LOGNORMAL] = lognormal,
                                                          [SW_SHAPE_NORMAL] = normal,
                                                          [SW_SHAPE_LSW] = lsw,
                                                          [SW_SHAPE_TABLE] = given,
                                                          [SW_SHAPE_RUN] = given};
    return distributions[initial->shape];
}

/* The scale of an axis that holds all but a millionth of the particles: only an adaptive one can be doubled.
 */
static double scale_for(const sw_kwn_axis *axis, const sw_kwn_initial *initial)
{
    const distribution below = distribution_of(initial);
    double scale = axis->scale;
    while (axis->kind == SW_AXIS_ADAPTIVE && 1 - below(initial, 0.9 * scale) > 1e-6)
        scale *= 2;
    return scale;
}

/* number [B] of the classes, with the number or the volume asked for. */
static void sample(const sw_kwn_axis *axis, const sw_kwn_initial *initial, double scale, double *number)
{
    const distribution below = distribution_of(initial);
    double sum = 0, volume = 0;
    for (int32_t i = 0; i < axis->n; i++) {
        const double r = scale * sw_kwn_pivot(axis, i);
        number[i] =
            below(initial, scale * sw_kwn_face(axis, i + 1)) - below(initial, scale * sw_kwn_face(axis, i));
        sum += number[i];
        volume += number[i] * SW_KWN_SPHERE * r * r * r;
    }
    const double own = initial->bins.bins > 0 ? sw_kwn_bins_number(&initial->bins) : 0;
    const double factor = initial->volume_fraction > 0  ? initial->volume_fraction / volume
                          : initial->number_density > 0 ? initial->number_density / sum
                                                        : own / sum;
    for (int32_t i = 0; i < axis->n; i++)
        number[i] *= factor;
}

/* What a phase has behind it, of an earlier run, and vacancies of that. */
static sw_status set_past(const sw_kwn_setup *setup, const sw_kwn_initial *initial, int64_t n, sw_kwn *kwn)
{
    const int phase = sw_kwn_find_phase(&setup->model, initial->phase);
    const double vacancies = setup->model.vacancies.sink_strength > 0 ? initial->bins.end.vacancies : 0;
    for (int64_t i = 0; i < n && (initial->bins.incubation > 0 || vacancies > 0); i++) {
        sw_kwn_point point;
        SW_TRY(sw_kwn_read(kwn, i, 1, &point));
        point.phase[phase].incubation = initial->bins.incubation;
        if (vacancies > 0)
            point.vacancies = vacancies;
        SW_TRY(kwn->backend->write_point(kwn, i, &point));
    }
    return SW_OK;
}

static sw_status set_initial(const sw_kwn_setup *setup, unsigned index, int64_t n, double *number,
                             sw_kwn *kwn)
{
    const sw_kwn_initial *initial = &setup->initial_distribution[index];
    const sw_kwn_axis *axis = sw_kwn_axis_of(kwn);
    if (initial->bins.bins > 0 && !(sw_kwn_bins_number(&initial->bins) > 0))
        return set_past(setup, initial, n, kwn); /* of a run before its first particles */
    const double scale = scale_for(axis, initial);
    const double inside = distribution_of(initial)(initial, scale) -
                          distribution_of(initial)(initial, scale * sw_kwn_face(axis, 0));
    char key[SW_KEY_SIZE];
    sw_key_path(key, "initial_distribution[%u]", index);
    if (!(inside >= 0.99))
        return sw_job_error(setup->source, key, ": %.3g %% of it lie on the size axis: need 99 %%",
                            100 * inside);
    sample(axis, initial, scale, number);
    const int phase = sw_kwn_find_phase(&setup->model, initial->phase);
    for (int64_t i = 0; i < n; i++) {
        const sw_status status = sw_kwn_set_distribution(kwn, i, phase, scale, number);
        if (status == SW_ERR_RANGE)
            return sw_job_blame(setup->source, key);
        SW_TRY(status);
    }
    return set_past(setup, initial, n, kwn);
}

sw_status sw_kwn_start(const sw_kwn_setup *setup, int64_t n, const double *composition, double temperature,
                       sw_kwn **kwn)
{
    double *number = NULL;
    SW_TRY(sw_kwn_open(&setup->model, &setup->options, n, composition, temperature, kwn));
    sw_status status = SW_ALLOCATE(number, setup->options.axis.classes, "a size distribution");
    for (unsigned i = 0; i < setup->initial_distribution_count && status == SW_OK; i++)
        status = set_initial(setup, i, n, number, *kwn);
    free(number);
    if (status != SW_OK) {
        sw_kwn_close(*kwn);
        *kwn = NULL;
    }
    return status;
}
