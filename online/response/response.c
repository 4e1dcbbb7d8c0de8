#include "response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crystal_update.h"
#include "solver.h"

static const sw_response_solver *const solvers[] = {&sw_solver_terms, &sw_solver_grid, &sw_solver_iterative,
                                                    NULL};

static sw_status find_solver(const char *name, const sw_response_solver **solver)
{
    char names[128] = "";
    size_t length = 0;
    for (const sw_response_solver *const *s = solvers; *s != NULL; s++) {
        if (strcmp((*s)->name, name) == 0) {
            *solver = *s;
            return SW_OK;
        }
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       (*s)->name);
    }
    return sw_error(SW_ERR_RANGE, "solver = %s: need one of %s", name, names);
}

sw_status sw_response_open(const sw_response_options *options, sw_response **response)
{
    const sw_response_solver *solver = NULL;
    *response = NULL;
    SW_TRY(find_solver(options->solver, &solver));
    if (solver->needs_database && options->database == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a database", solver->name);
    if (options->database == NULL && options->material == NULL)
        return sw_error(SW_ERR_RANGE, "solver = %s: need a material", solver->name);
    const int64_t stored = options->database ? options->database->n_terms : 0;
    if (solver->needs_database && options->terms > stored)
        return sw_error(SW_ERR_RANGE, "terms = %lld: the database stores %lld", (long long)options->terms,
                        (long long)stored);
    sw_response *r;
    SW_TRY(SW_ALLOCATE(r, 1, "response"));
    r->solver = solver;
    r->database = options->database;
    r->material = options->material ? options->material : &options->database->material;
    r->terms = options->terms > 0 ? options->terms : stored;
    r->refinement = options->refinement > 0 ? options->refinement : 1;
    sw_crystal_model_prepare(r->material, &r->model);
    const sw_status status = solver->open(r);
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
    response->solver->close(response);
    free(response);
}

/* A velocity gradient that a plastically incompressible crystal can follow. */
static sw_status check_gradient(const double l[3][3], sw_strain_rate *d)
{
    const double trace = l[0][0] + l[1][1] + l[2][2];
    *d = sw_strain_rate_of(l);
    if (!isfinite(d->rate) || !isfinite(trace))
        return sw_error(SW_ERR_RANGE, "velocity gradient: need finite numbers");
    if (!(d->rate > 0))
        return sw_error(SW_ERR_RANGE, "velocity gradient: ||D|| = %g: need a strain rate > 0", d->rate);
    if (!(fabs(trace) <= 1e-9 * d->rate))
        return sw_error(SW_ERR_RANGE, "velocity gradient: trace = %g 1/s: need 0, plastic flow keeps volume",
                        trace);
    return SW_OK;
}

/* Scaled outputs of one block of crystals and their orientations. */
typedef struct {
    double g[SW_BLOCK][3][3], angles[SW_BLOCK][3];
    float output[SW_BLOCK][SW_OUTPUTS];
} block;

static void look_up(const sw_response *r, const sw_strain_rate *d, int64_t n, const sw_crystal *crystal,
                    block *b)
{
    for (int64_t i = 0; i < n; i++)
        sw_lookup_angles(&crystal[i], d, b->g[i], b->angles[i]);
    r->solver->evaluate(r, n, (const double(*)[3])b->angles, b->output);
}

static void evaluate_block(const sw_response *r, const sw_strain_rate *d, double rate_factor, int64_t n,
                           const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                           float *slip_rate)
{
    block b;
    look_up(r, d, n, crystal, &b);
    for (int64_t i = 0; i < n; i++) {
        double sigma[3][3], spin[3];
        sw_unscale(b.output[i], d, crystal[i].slip_resistance * rate_factor, sigma, spin);
        for (int k = 0; k < 3; k++) {
            stress[i][k] = (float)sigma[k][k];
            plastic_spin[i][k] = (float)spin[k];
        }
        stress[i][3] = (float)sigma[1][2];
        stress[i][4] = (float)sigma[0][2];
        stress[i][5] = (float)sigma[0][1];
        slip_rate[i] = (float)(d->rate * b.output[i][8]);
    }
}

sw_status sw_response_evaluate(sw_response *response, const double strain_rate[3][3], int64_t n_crystals,
                               const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                               float *slip_rate)
{
    sw_strain_rate d;
    if (response->solver->evaluate == NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: its response depends on the history, use a step",
                        response->solver->name);
    SW_TRY(check_gradient(strain_rate, &d));
    for (int i = 0; i < 3; i++)
        if (!(fabs(strain_rate[i][(i + 1) % 3] - strain_rate[(i + 1) % 3][i]) <= 1e-9 * d.rate))
            return sw_error(SW_ERR_RANGE, "strain rate: D%d%d and D%d%d differ: need a symmetric tensor",
                            i + 1, (i + 1) % 3 + 1, (i + 1) % 3 + 1, i + 1);
    SW_TRY(response->solver->prepare(response, d.theta));
    const double rate_factor = pow(d.rate, response->model.rate_sensitivity);
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < n_crystals; first += SW_BLOCK) {
        const int64_t n = first + SW_BLOCK < n_crystals ? SW_BLOCK : n_crystals - first;
        evaluate_block(response, &d, rate_factor, n, crystal + first, stress + first, plastic_spin + first,
                       slip_rate + first);
    }
    return SW_OK;
}

/* Sums over a block: stress, slip resistance, slip rate. */
static void step_block(const sw_response *r, const sw_strain_rate *d, const double applied_spin[3], double dt,
                       int64_t n, sw_crystal *crystal, sw_response_average *sum)
{
    block b;
    const double rate_factor = pow(d->rate, r->model.rate_sensitivity);
    memset(sum, 0, sizeof *sum);
    look_up(r, d, n, crystal, &b);
    for (int64_t i = 0; i < n; i++) {
        double stress[3][3], spin[3];
        /* a truncated series may undershoot; slip has no negative amount */
        const double slip_rate = d->rate * fmax(b.output[i][8], 0);
        const double s = sw_harden(&r->model, crystal[i].slip_resistance, slip_rate * dt);
        crystal[i].slip_resistance = (float)s;
        sw_unscale(b.output[i], d, s * rate_factor, stress, spin);
        sw_turn_lattice(b.g[i], applied_spin, spin, dt, &crystal[i]);
        for (int k = 0; k < 9; k++)
            sum->cauchy_stress[k / 3][k % 3] += stress[k / 3][k % 3];
        sum->slip_resistance += s;
        sum->slip_rate += slip_rate;
    }
}

/* Nothing that is not a number goes on. */
static sw_status check_average(const sw_response_average *average)
{
    double sum = average->slip_resistance + average->slip_rate;
    for (int k = 0; k < 9; k++)
        sum += average->cauchy_stress[k / 3][k % 3];
    return isfinite(sum) ? SW_OK : sw_error(SW_ERR_RANGE, "the average stress or slip rate is not finite");
}

sw_status sw_response_step(sw_response *response, const double velocity_gradient[3][3], double dt,
                           int64_t n_crystals, sw_crystal *crystal, sw_response_average *average)
{
    const double(*l)[3] = velocity_gradient;
    sw_strain_rate d;
    sw_response_average *sum;
    SW_TRY(check_gradient(l, &d));
    if (!(dt > 0) || !isfinite(dt))
        return sw_error(SW_ERR_RANGE, "dt = %g s: need > 0", dt);
    memset(average, 0, sizeof *average);
    if (n_crystals == 0)
        return SW_OK;
    if (response->solver->step != NULL) {
        SW_TRY(response->solver->step(response, l, &d, dt, n_crystals, crystal, average));
        return check_average(average);
    }
    const double applied_spin[3] = {0.5 * (l[0][1] - l[1][0]), 0.5 * (l[0][2] - l[2][0]),
                                    0.5 * (l[1][2] - l[2][1])};
    const int64_t n_blocks = (n_crystals + SW_BLOCK - 1) / SW_BLOCK;
    SW_TRY(SW_ALLOCATE(sum, n_blocks, "block averages"));
    const sw_status status = response->solver->prepare(response, d.theta);
    if (status == SW_OK) {
#pragma omp parallel for schedule(dynamic, 1)
        for (int64_t i = 0; i < n_blocks; i++) {
            const int64_t first = i * SW_BLOCK, left = n_crystals - first;
            step_block(response, &d, applied_spin, dt, left < SW_BLOCK ? left : SW_BLOCK, crystal + first,
                       &sum[i]);
        }
        for (int64_t i = 0; i < n_blocks; i++)
            sw_response_average_add(average, &sum[i], 1.0 / (double)n_crystals);
    }
    free(sum);
    SW_TRY(status);
    return check_average(average);
}
