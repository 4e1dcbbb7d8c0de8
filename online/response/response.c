/* What is the same for every solver and device: checks, the strain rate, means. */
#include "slipwave/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "online/response/step/check.h"
#include "online/response/step/kept.h"
#include "online/response/step/steps_cpu.h"
#include "online/response/step/crystals_cuda.h"
#include "online/response/step/solver.h"
#include "online/response/step/step.h"
#include "solvers.h"
#include "trial.h"

static const sw_solver_functions *functions_on(const sw_solver *solver, sw_device device)
{
    return device == SW_CUDA ? solver->cuda : &solver->cpu;
}

static sw_status find_solver(const char *name, sw_device device, const sw_solver **solver)
{
    char names[128] = "";
    size_t length = 0;
    *solver = sw_solver_named(name);
    if (*solver != NULL && functions_on(*solver, device) != NULL)
        return SW_OK;
    for (int i = 0; i < SW_SOLVERS; i++)
        if (functions_on(sw_solvers[i], device) != NULL && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       sw_solver_names[i]);
    if (*solver != NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: runs on the CPU only; a GPU has %s", name,
                        length ? names : "none: this build has no GPU code");
    return sw_error(SW_ERR_RANGE, "solver = %s: need one of %s", name, names);
}

sw_status sw_response_open(const sw_response_options *options, sw_response **response)
{
    const sw_solver *solver;
    *response = NULL;
    SW_TRY(find_solver(options->solver, options->device, &solver));
    const sw_solver_traits *traits = &solver->traits;
    if (traits->needs_database && options->database == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a database", traits->name);
    if (options->database == NULL && options->material == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a material", traits->name);
    const int64_t stored = options->database ? sw_database_terms(options->database) : 0;
    if (traits->needs_database && options->terms > stored)
        return sw_error(SW_ERR_RANGE, "terms = %lld: the database stores %lld", (long long)options->terms,
                        (long long)stored);
    sw_response *r;
    SW_TRY(SW_ALLOCATE(r, 1, "response"));
    r->solver = solver;
    r->device = options->device;
    r->functions = functions_on(solver, options->device);
    r->database = options->database;
    r->material = options->material ? options->material : &options->database->material;
    r->pairs = sw_pairs_of_terms(options->terms > 0 ? options->terms : stored);
    r->refinement = options->refinement > 0 ? options->refinement : traits->standard_refinement;
    r->linear = !options->nearest;
    sw_status status = SW_OK;
    if (r->device == SW_CUDA)
        status = sw_crystals_open_cuda(&r->gpu);
    if (status == SW_OK)
        status = r->functions->open(r);
    if (status != SW_OK) {
        sw_response_close(r);
        return status;
    }
    *response = r;
    return SW_OK;
}

void sw_response_close(sw_response *response)
{
    if (response == NULL)
        return;
    response->functions->close(response);
    sw_kept_free(response);
    sw_crystals_free(response->device, response->copy);
    if (response->device == SW_CUDA)
        sw_crystals_close_cuda(response->gpu);
    free(response);
}

/* A velocity gradient that a plastically incompressible crystal can follow; with elastic strains it may rest
 * as well. */
static sw_status check_gradient(const sw_response *r, const double l[3][3], sw_strain_rate *d)
{
    const double trace = l[0][0] + l[1][1] + l[2][2];
    double sum = 0;
    for (int k = 0; k < 9; k++)
        sum += l[k / 3][k % 3];
    *d = sw_strain_rate_of(l);
    if (!isfinite(d->rate) || !isfinite(sum))
        return sw_error(SW_ERR_RANGE, "velocity gradient: need finite numbers");
    if (!(d->rate > 0) && r->functions->kept == 0)
        return sw_error(SW_ERR_RANGE, "velocity gradient: ||D|| = %g: need a strain rate > 0", d->rate);
    if (!(fabs(trace) <= 1e-9 * d->rate))
        return sw_error(SW_ERR_RANGE, "velocity gradient: trace = %g 1/s: need 0, plastic flow keeps volume",
                        trace);
    return SW_OK;
}

static sw_status check_failures(int64_t failed)
{
    return failed == 0
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE,
                          "%lld crystals have no answer: not numbers, or no stress satisfies the slip law",
                          (long long)failed);
}

static sw_status check_crystals(sw_response *response, int64_t n, const sw_crystal *crystal,
                                const float *weight)
{
    const sw_extent array[] = {{"crystals", crystal, (size_t)n * sizeof *crystal},
                               {"weights", weight, (size_t)n * sizeof *weight}};
    if (n < 0)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need 0 or more", (long long)n);
    SW_TRY(sw_check_called(n, crystal, sw_hardening_most(&response->material->hardening), response->material,
                           &response->doubted));
    return sw_check_apart(1, 2, array);
}

/* strain_rate: of each crystal; NULL: the step's. */
static sw_status evaluate(sw_response *response, const sw_step *step, const float (*strain_rate)[6],
                          int64_t n, const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                          float *slip_rate)
{
    int64_t failed = 0;
    const size_t count = (size_t)n;
    const sw_extent array[] = {{"stress", stress, count * sizeof *stress},
                               {"plastic_spin", plastic_spin, count * sizeof *plastic_spin},
                               {"slip_rate", slip_rate, count * sizeof *slip_rate},
                               {"crystals", crystal, count * sizeof *crystal},
                               {"strain_rate", strain_rate, count * sizeof *strain_rate}};
    SW_TRY(check_crystals(response, n, crystal, NULL));
    SW_TRY(sw_check_apart(3, 5, array));
    if (n == 0)
        return SW_OK;
    SW_TRY((response->device == SW_CUDA ? sw_crystals_evaluate_cuda : sw_crystals_evaluate_cpu)(
        response, step, strain_rate, n, crystal, stress, plastic_spin, slip_rate, &failed));
    return check_failures(failed);
}

static sw_status check_has_no_history(const sw_response *response)
{
    return !response->solver->traits.has_history
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "solver = %s: its response depends on the history: use a step, or try one with "
                          "sw_response_step_each",
                          response->solver->traits.name);
}

sw_status sw_response_evaluate(sw_response *response, const double strain_rate[3][3], int64_t n_crystals,
                               const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                               float *slip_rate)
{
    sw_strain_rate d;
    SW_TRY(check_has_no_history(response));
    SW_TRY(check_gradient(response, strain_rate, &d));
    for (int i = 0; i < 3; i++)
        if (!(fabs(strain_rate[i][(i + 1) % 3] - strain_rate[(i + 1) % 3][i]) <= 1e-9 * d.rate))
            return sw_error(SW_ERR_RANGE, "strain rate: D%d%d and D%d%d differ: need a symmetric tensor",
                            i + 1, (i + 1) % 3 + 1, (i + 1) % 3 + 1, i + 1);
    SW_TRY(response->functions->prepare(response, d.theta));
    sw_step step = sw_step_of(strain_rate, 0, &response->material->hardening);
    sw_step_set_strain_rate(&step, &d, response->material->slip.rate_sensitivity);
    return evaluate(response, &step, NULL, n_crystals, crystal, stress, plastic_spin, slip_rate);
}

sw_status sw_response_evaluate_each(sw_response *response, int64_t n_crystals, const float (*strain_rate)[6],
                                    const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                                    float *slip_rate)
{
    SW_TRY(check_has_no_history(response));
    SW_TRY(response->functions->ready_each(response));
    return evaluate(response, &(sw_step){.rate = 0}, strain_rate, n_crystals, crystal, stress, plastic_spin,
                    slip_rate);
}

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
    average->slip_resistance = s[SW_SUM_RESISTANCE] / n;
    average->slip_rate = d->rate * s[SW_SUM_SLIP_RATE] / n;
}

/* Of sums in the sample frame, Pa and 1/s. */
static const sw_strain_rate as_it_is = {.rate = 1, .q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/* Nothing that is not a number goes on. */
static sw_status check_average(const sw_response_average *average)
{
    double sum = average->slip_resistance + average->slip_rate;
    for (int k = 0; k < 9; k++)
        sum += average->cauchy_stress[k / 3][k % 3];
    return isfinite(sum) ? SW_OK : sw_error(SW_ERR_RANGE, "the average stress or slip rate is not finite");
}

sw_status sw_response_prepare(sw_response *response, const double velocity_gradient[3][3])
{
    sw_strain_rate d;
    SW_TRY(check_gradient(response, velocity_gradient, &d));
    return response->functions->prepare != NULL ? response->functions->prepare(response, d.theta) : SW_OK;
}

/* What a step of dt (s), of a solver that looks up or remembers, makes of n crystals, and its means. */
static sw_status take_step(sw_response *response, const double l[3][3], const sw_strain_rate *d, double dt,
                           int64_t n, sw_crystal *crystal, const float *weight, double sums[SW_SUMS])
{
    sw_step step = sw_step_of(l, dt, &response->material->hardening);
    sw_step_set_strain_rate(&step, d, response->material->slip.rate_sensitivity);
    return (response->device == SW_CUDA ? sw_crystals_step_cuda
                                        : sw_crystals_step_cpu)(response, &step, n, crystal, weight, sums);
}

static sw_status means_of(const sw_response *response, const double sums[SW_SUMS], const sw_strain_rate *d,
                          sw_response_average *average)
{
    SW_TRY(check_failures((int64_t)sums[SW_SUM_FAILED]));
    SW_TRY(sw_check_weights(sums[SW_SUM_WEIGHT]));
    if (response->functions->kept > 0)
        average_of(sums, &as_it_is, 1, average);
    else
        average_of(sums, d, pow(d->rate, response->material->slip.rate_sensitivity), average);
    return check_average(average);
}

sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, int64_t n_crystals, sw_crystal *crystal, const float *weight,
                                     sw_response_average *average)
{
    const double(*l)[3] = velocity_gradient;
    sw_strain_rate d;
    SW_TRY(check_gradient(response, l, &d));
    SW_TRY(check_crystals(response, n_crystals, crystal, weight));
    if (!(dt > 0) || !isfinite(dt))
        return sw_error(SW_ERR_RANGE, "dt = %g s: need > 0", dt);
    if (!(d.rate * dt <= most * (1 + 1e-6)))
        return sw_error(SW_ERR_RANGE, "dt = %g s: a strain ||D|| dt of %.4g in a step: need at most %g", dt,
                        d.rate * dt, most);
    const double turn =
        sqrt(pow(l[0][1] - l[1][0], 2) + pow(l[0][2] - l[2][0], 2) + pow(l[1][2] - l[2][1], 2)) / 2;
    if (response->functions->step == NULL && !(turn * dt <= SW_TURN_MAX))
        return sw_error(SW_ERR_RANGE,
                        "velocity gradient: its spin turns %g rad in dt = %g s: need at most %g", turn * dt,
                        dt, SW_TURN_MAX);
    memset(average, 0, sizeof *average);
    if (n_crystals == 0)
        return SW_OK;
    if (response->functions->step != NULL) {
        SW_TRY(response->functions->step(response, l, &d, dt, n_crystals, crystal, weight, average));
        return check_average(average);
    }
    double sums[SW_SUMS] = {0};
    if (response->functions->kept > 0)
        SW_TRY(sw_kept_reserve(response, n_crystals));
    else
        SW_TRY(response->functions->prepare(response, d.theta));
    SW_TRY(take_step(response, l, &d, dt, n_crystals, crystal, weight, sums));
    return means_of(response, sums, &d, average);
}

sw_status sw_response_advance(sw_response *response, const double velocity_gradient[3][3], double dt,
                              int64_t n_crystals, sw_crystal *crystal, const float *weight,
                              sw_response_average *average)
{
    return sw_response_advance_within(response, SW_STEP_STRAIN_ASKED, velocity_gradient, dt, n_crystals,
                                      crystal, weight, average);
}

/* ---- Means without a step ---- */

/* Crystals that are copied at a time; whole blocks, so that sums on the CPU are added in a step's order. */
enum { MEAN_CHUNK = 2048 * SW_STEP_BLOCK };

static sw_status reserve_copies(sw_response *response, int64_t n)
{
    if (n <= response->n_copies)
        return SW_OK;
    sw_crystals_free(response->device, response->copy);
    response->copy = NULL;
    response->n_copies = 0;
    SW_TRY(sw_crystals_allocate(response->device, n, &response->copy));
    response->n_copies = n;
    return SW_OK;
}

sw_status sw_response_evaluate_mean(sw_response *response, const double velocity_gradient[3][3],
                                    int64_t n_crystals, const sw_crystal *crystal, const float *weight,
                                    sw_response_average *average)
{
    sw_strain_rate d;
    double sums[SW_SUMS] = {0};
    SW_TRY(check_has_no_history(response));
    SW_TRY(check_gradient(response, velocity_gradient, &d));
    SW_TRY(check_crystals(response, n_crystals, crystal, weight));
    memset(average, 0, sizeof *average);
    if (n_crystals == 0)
        return SW_OK;
    SW_TRY(reserve_copies(response, n_crystals < MEAN_CHUNK ? n_crystals : MEAN_CHUNK));
    SW_TRY(response->functions->prepare(response, d.theta));
    for (int64_t first = 0; first < n_crystals; first += MEAN_CHUNK) {
        const int64_t left = n_crystals - first, n = left < MEAN_CHUNK ? left : MEAN_CHUNK;
        SW_TRY(sw_crystals_copy(response->device, n, response->copy, crystal + first));
        SW_TRY(take_step(response, velocity_gradient, &d, 0, n, response->copy,
                         weight != NULL ? weight + first : NULL, sums));
    }
    return means_of(response, sums, &d, average);
}

sw_status sw_response_step(sw_response *response, const double velocity_gradient[3][3], double dt,
                           int64_t n_crystals, sw_crystal *crystal, const float *weight,
                           sw_response_average *average)
{
    SW_TRY(sw_response_advance(response, velocity_gradient, dt, n_crystals, crystal, weight, average));
    if (response->solver->traits.has_history)
        return SW_OK;
    return sw_response_evaluate_mean(response, velocity_gradient, n_crystals, crystal, weight, average);
}
