/* The table of solvers, the checks, and the CPU's loops. */
#define SW_SINGLE
#define SW_LANES 16
#include "response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crystal_update.h"
#include "gpu.h"
#include "own_frame.h"
#include "solver.h"

static const sw_response_solver *const solvers[] = {&sw_terms_cpu,
                                                    &sw_grid_cpu,
                                                    &sw_polish_cpu,
                                                    &sw_iterative_cpu,
#ifdef SW_HAVE_CUDA
                                                    &sw_terms_cuda,
                                                    &sw_grid_cuda,
                                                    &sw_polish_cuda,

#endif
                                                    NULL};

static sw_status find_solver(const char *name, sw_device device, const sw_response_solver **solver)
{
    char names[128] = "";
    size_t length = 0;
    int known = 0;
    for (const sw_response_solver *const *s = solvers; *s != NULL; s++) {
        const int same = strcmp((*s)->name, name) == 0;
        if (same && (*s)->device == device) {
            *solver = *s;
            return SW_OK;
        }
        known |= same;
        if ((*s)->device == device && length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                                       (*s)->name);
    }
    if (known)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: runs on the CPU only; a GPU has %s", name,
                        length ? names : "none: this build has no GPU code");
    return sw_error(SW_ERR_RANGE, "solver = %s: need one of %s", name, names);
}

sw_status sw_response_open(const sw_response_options *options, sw_response **response)
{
    const sw_response_solver *solver = NULL;
    *response = NULL;
    SW_TRY(find_solver(options->solver, options->device, &solver));
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
    r->refinement = options->refinement > 0 ? options->refinement : solver->standard_refinement;
    r->linear = !options->nearest;
    sw_status status = SW_OK;
    if (solver->device == SW_CUDA)
        status = sw_gpu_open(&r->gpu);
    if (status == SW_OK)
        status = solver->open(r);
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
    if (response->solver->device == SW_CUDA)
        sw_gpu_close(response->gpu);
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

/* What the crystals of a step share, for the lattice spin w (12, 13, 23; 1/s) that is applied. */
static sw_step make_step(const sw_response *r, const sw_strain_rate *d, const double w[3], double dt)
{
    const double axial[3] = {-w[2], w[1], -w[0]};
    double back[3][3], q[4];
    sw_step step = {.theta = (float)(d->theta / (2 * SW_PI)),
                    .rate = (float)d->rate,
                    .stress_scale = (float)pow(d->rate, r->material->slip.rate_sensitivity),
                    .strain = (float)(d->rate * dt),
                    .hardening = r->material->hardening};
    for (int i = 0; i < 3; i++) {
        step.applied_turn[i] = (float)(axial[i] * dt);
        for (int j = 0; j < 3; j++) {
            step.frame[i][j] = (float)d->q[i][j];
            back[i][j] = d->q[j][i];
        }
    }
    sw_quaternion_from_rotation(back, q);
    for (int i = 0; i < 4; i++)
        step.to_principal[i] = (float)q[i];
    return step;
}

/* ---- On the CPU: bundles ---- */

typedef struct {
    sw_real euler[3], slip_resistance, orientation[4], output[SW_OUTPUTS];
} bundle;

/* n <= SW_BUNDLE crystals; the last one fills up. */
static void load_bundle(int n, const sw_crystal *crystal, bundle *b)
{
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        const sw_crystal *one = &crystal[lane < n ? lane : n - 1];
        for (int i = 0; i < 3; i++)
            b->euler[i][lane] = one->euler[i];
        b->slip_resistance[lane] = one->slip_resistance;
    }
}

/* own_theta: each crystal its frame's; else the one that the solver is prepared for. */
static int look_up(const sw_response *r, const sw_frame *frame, int own_theta, int n, bundle *b)
{
    sw_real principal[4], angle[3];
    float orientation[4][SW_BUNDLE], turns[3][SW_BUNDLE], theta[SW_BUNDLE], output[SW_OUTPUTS][SW_BUNDLE];
    sw_lookup_angles(frame, b->euler, b->orientation, principal, angle);
    memcpy(orientation, principal, sizeof orientation);
    memcpy(turns, angle, sizeof turns);
    memcpy(theta, &frame->theta, sizeof theta);
    const float(*q)[SW_BUNDLE] = (const float(*)[SW_BUNDLE])orientation;
    const float(*x)[SW_BUNDLE] = (const float(*)[SW_BUNDLE])turns;
    const int failed = own_theta ? r->solver->evaluate_each(r, n, q, x, theta, output)
                                 : r->solver->evaluate(r, n, q, x, output);
    memcpy(b->output, output, sizeof output);
    return failed;
}

/* The frames of n strain rates [n][6]; the last one fills up. */
static sw_frame own_frames(const sw_response *r, int n, const float (*strain_rate)[6])
{
    sw_frame frame;
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        sw_step one = {.rate = 0};
        sw_own_step(strain_rate[lane < n ? lane : n - 1], r->material->slip.rate_sensitivity, &one);
        for (int i = 0; i < 4; i++)
            frame.to_principal[i][lane] = one.to_principal[i];
        for (int i = 0; i < 9; i++)
            frame.frame[i / 3][i % 3][lane] = one.frame[i / 3][i % 3];
        frame.theta[lane] = one.theta;
        frame.rate[lane] = one.rate;
        frame.stress_scale[lane] = one.stress_scale;
    }
    return frame;
}

typedef struct {
    float (*stress)[6], (*plastic_spin)[3], *slip_rate;
} answers;

static int evaluate_bundle(const sw_response *r, const sw_frame *frame, int own_theta, int n,
                           const sw_crystal *crystal, int64_t first, const answers *to)
{
    bundle b;
    sw_real stress[6], spin[3], slip_rate;
    load_bundle(n, crystal + first, &b);
    const int failed = look_up(r, frame, own_theta, n, &b);
    sw_report(frame, b.output, b.slip_resistance, stress, spin, &slip_rate);
    for (int lane = 0; lane < n; lane++) {
        for (int k = 0; k < 6; k++)
            to->stress[first + lane][k] = stress[k][lane];
        for (int k = 0; k < 3; k++)
            to->plastic_spin[first + lane][k] = spin[k][lane];
        to->slip_rate[first + lane] = slip_rate[lane];
    }
    return failed;
}

static sw_status check_failures(int64_t failed)
{
    return failed == 0 ? SW_OK
                       : sw_error(SW_ERR_CONVERGENCE, "%lld crystals: no stress satisfies the slip law",
                                  (long long)failed);
}

sw_status sw_response_evaluate(sw_response *response, const double strain_rate[3][3], int64_t n_crystals,
                               const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                               float *slip_rate)
{
    sw_strain_rate d;
    int64_t failed = 0;
    if (response->solver->step != NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: its response depends on the history, use a step",
                        response->solver->name);
    SW_TRY(check_gradient(strain_rate, &d));
    for (int i = 0; i < 3; i++)
        if (!(fabs(strain_rate[i][(i + 1) % 3] - strain_rate[(i + 1) % 3][i]) <= 1e-9 * d.rate))
            return sw_error(SW_ERR_RANGE, "strain rate: D%d%d and D%d%d differ: need a symmetric tensor",
                            i + 1, (i + 1) % 3 + 1, (i + 1) % 3 + 1, i + 1);
    SW_TRY(response->solver->prepare(response, d.theta));
    const sw_step step = make_step(response, &d, (double[3]){0}, 0);
    const answers to = {stress, plastic_spin, slip_rate};
    if (response->solver->device == SW_CUDA)
        return sw_gpu_evaluate(response, &step, NULL, n_crystals, crystal, stress, plastic_spin, slip_rate);
#pragma omp parallel for schedule(static) reduction(+ : failed)
    for (int64_t first = 0; first < n_crystals; first += SW_BUNDLE) {
        const int64_t left = n_crystals - first;
        const sw_frame frame = sw_frame_of_step(&step);
        failed += evaluate_bundle(response, &frame, 0, left < SW_BUNDLE ? (int)left : SW_BUNDLE, crystal,
                                  first, &to);
    }
    return check_failures(failed);
}

sw_status sw_response_evaluate_each(sw_response *response, int64_t n_crystals, const float (*strain_rate)[6],
                                    const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                                    float *slip_rate)
{
    int64_t failed = 0;
    if (response->solver->step != NULL)
        return sw_error(SW_ERR_UNAVAILABLE, "solver = %s: its response depends on the history, use a step",
                        response->solver->name);
    SW_TRY(response->solver->ready_each(response));
    const answers to = {stress, plastic_spin, slip_rate};
    if (response->solver->device == SW_CUDA)
        return sw_gpu_evaluate(response, &(sw_step){.rate = 0}, strain_rate, n_crystals, crystal, stress,
                               plastic_spin, slip_rate);
#pragma omp parallel for schedule(static) reduction(+ : failed)
    for (int64_t first = 0; first < n_crystals; first += SW_BUNDLE) {
        const int64_t left = n_crystals - first;
        const int n = left < SW_BUNDLE ? (int)left : SW_BUNDLE;
        const sw_frame frame = own_frames(response, n, strain_rate + first);
        failed += evaluate_bundle(response, &frame, 1, n, crystal, first, &to);
    }
    return check_failures(failed);
}

/* A step of up to SW_BLOCK crystals; sums [SW_SUMS + 1]: those of crystal_update.h, then failures. A lane
 * adds at most SW_BLOCK / SW_BUNDLE numbers in single precision. */
static void step_block(const sw_response *r, const sw_step *step, int64_t n, sw_crystal *crystal,
                       double sums[SW_SUMS + 1])
{
    const sw_frame frame = sw_frame_of_step(step);
    sw_real sum[SW_SUMS];
    memset(sums, 0, (SW_SUMS + 1) * sizeof *sums);
    memset(sum, 0, sizeof sum);
    for (int64_t first = 0; first < n; first += SW_BUNDLE) {
        const int lanes = n - first < SW_BUNDLE ? (int)(n - first) : SW_BUNDLE;
        bundle b;
        sw_real part[SW_SUMS];
        memset(part, 0, sizeof part);
        load_bundle(lanes, crystal + first, &b);
        sums[SW_SUMS] += look_up(r, &frame, 0, lanes, &b);
        sw_advance(step, &frame, b.output, b.orientation, b.euler, &b.slip_resistance, part);
        for (int lane = 0; lane < lanes; lane++) {
            for (int i = 0; i < 3; i++)
                crystal[first + lane].euler[i] = b.euler[i][lane];
            crystal[first + lane].slip_resistance = b.slip_resistance[lane];
            for (int k = 0; k < SW_SUMS && lanes < SW_BUNDLE; k++)
                sums[k] += part[k][lane];
        }
        for (int k = 0; k < SW_SUMS && lanes == SW_BUNDLE; k++)
            sum[k] += part[k];
    }
    for (int k = 0; k < SW_SUMS; k++)
        for (int lane = 0; lane < SW_BUNDLE; lane++)
            sums[k] += sum[k][lane];
}

static sw_status step_cpu(sw_response *response, const sw_step *step, int64_t n_crystals, sw_crystal *crystal,
                          double sums[SW_SUMS + 1])
{
    const int64_t n_blocks = (n_crystals + SW_BLOCK - 1) / SW_BLOCK;
    double(*part)[SW_SUMS + 1];
    SW_TRY(SW_ALLOCATE(part, n_blocks, "block averages"));
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t i = 0; i < n_blocks; i++) {
        const int64_t first = i * SW_BLOCK, left = n_crystals - first;
        step_block(response, step, left < SW_BLOCK ? left : SW_BLOCK, crystal + first, part[i]);
    }
    for (int64_t i = 0; i < n_blocks; i++)
        for (int k = 0; k <= SW_SUMS; k++)
            sums[k] += part[i][k];
    free(part);
    return SW_OK;
}

/* Sums -> means in the sample frame. */
static void average_of(const double sums[SW_SUMS + 1], int64_t n, const sw_strain_rate *d, double rate_factor,
                       sw_response_average *average)
{
    const double *s = sums;
    const double principal[3][3] = {{s[0], s[2], s[3]}, {s[2], s[1], s[4]}, {s[3], s[4], -s[0] - s[1]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 9; k++)
                average->cauchy_stress[i][j] +=
                    d->q[i][k / 3] * principal[k / 3][k % 3] * d->q[j][k % 3] * (rate_factor / (double)n);
    average->slip_resistance = s[SW_SUM_RESISTANCE] / (double)n;
    average->slip_rate = d->rate * s[SW_SUM_SLIP_RATE] / (double)n;
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
    const sw_step step = make_step(response, &d, applied_spin, dt);
    double sums[SW_SUMS + 1] = {0};
    SW_TRY(response->solver->prepare(response, d.theta));
    if (response->solver->device == SW_CUDA)
        SW_TRY(sw_gpu_step(response, &step, n_crystals, crystal, sums));
    else
        SW_TRY(step_cpu(response, &step, n_crystals, crystal, sums));
    SW_TRY(check_failures((int64_t)sums[SW_SUMS]));
    average_of(sums, n_crystals, &d, pow(d.rate, response->material->slip.rate_sensitivity), average);
    return check_average(average);
}
