/* Taylor's hypothesis: all crystals of a polycrystal go through its velocity gradient, and its stress is their mean. */
#include <math.h>

#include "homogenization.h"
#include "online/response/points/points.h"
#include "online/response/step/check.h"
#include "online/response/step/crystals_cuda.h"
#include "online/response/step/step.h"

/* Sums in the frame of d, stresses over rate_factor -> means in the sample frame. */
static void average_of(const double sums[SW_SUMS], const sw_strain_rate *d, double rate_factor,
                       sw_response_average *average)
{
    const double *s = sums, n = sums[SW_SUM_WEIGHT];
    const double principal[3][3] = {{s[0], s[2], s[3]}, {s[2], s[1], s[4]}, {s[3], s[4], -s[0] - s[1]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 9; k++)
                average->cauchy_stress[i][j] +=
                    d->q[i][k / 3] * principal[k / 3][k % 3] * d->q[j][k % 3] * (rate_factor / n);
    for (int i = 0; i < 3; i++)
        average->cauchy_stress[i][i] += s[SW_SUM_MEAN_STRESS] / n;
    average->slip_resistance = s[SW_SUM_RESISTANCE] / n;
    average->slip_rate = d->rate * s[SW_SUM_SLIP_RATE] / n;
}

/* Of sums in the sample frame, Pa and 1/s. */
static const sw_strain_rate as_it_is = {.rate = 1, .q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* What a step of dt (s) makes of crystals, and its sums. */
static sw_status take_step(sw_response *response, const double l[3][3], const sw_strain_rate *d, double dt,
                           const sw_crystals *from, const sw_crystals *to, double sums[SW_SUMS])
{
    sw_step step =
        sw_step_of(l, dt, response->planes ? &response->plane_law.hardening : &response->material->hardening);
    sw_step_set_strain_rate(&step, d, response->material->slip.rate_sensitivity);
    if (sw_response_takes_volume(response))
        sw_step_add_volume(&step, l[0][0] + l[1][1] + l[2][2]);
    step.of_begin = !response->solver->traits.has_history;
    return (response->device == SW_CUDA ? sw_crystals_step_cuda : sw_crystals_step_cpu)(response, &step, from,
                                                                                        to, sums);
}

static sw_status means_of(const sw_response *response, const double sums[SW_SUMS], const sw_strain_rate *d,
                          sw_response_average *average)
{
    SW_TRY(sw_check_failures((int64_t)sums[SW_SUM_FAILED]));
    SW_TRY(sw_check_weights(sums[SW_SUM_WEIGHT]));
    if (sw_remembers(response) && !response->planes)
        average_of(sums, &as_it_is, 1, average);
    else
        average_of(sums, d, pow(d->rate, response->material->slip.rate_sensitivity), average);
    return SW_OK;
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    const sw_solver_functions *f = response->functions;
    double sums[SW_SUMS] = {0};
    if (f->step != NULL)
        return f->step(response, velocity_gradient, d, dt, from, to, average);
    if (f->prepare != NULL)
        SW_TRY(f->prepare(response, d->theta));
    SW_TRY(take_step(response, velocity_gradient, d, dt, from, to, sums));
    return means_of(response, sums, d, average);
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    return (response->device == SW_CUDA ? sw_points_step_cuda : sw_points_step_cpu)(response, of, failed);
}

const sw_homogenization sw_homogenization_taylor = {.name = "taylor", .advance = advance, .points = points};
