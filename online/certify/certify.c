#include "certify.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/database.h"
#include "common/system/progress.h"
#include "common/math/strain_rate.h"
#include "common/math/tensor.h"
#include "online/response/step/crystals.h"
#include "slipwave/response.h"
#include "online/response/certificate/stress_error.h"
#include "online/response/solvers.h"

/* Average deviatoric stress after each step. */
typedef double tensor[3][3];

/* The velocity gradient over the strain rate, and how long. */
static const struct {
    double gradient[3][3], strain; /* strain: time x strain rate */
} loadings[SW_CERTIFY_LOADINGS] = {
    {{{1, 0, 0}, {0, 0, 0}, {0, 0, -1}}, 1},
    {{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}, 1},
    {{{1, 0, 0}, {0, -0.5, 0}, {0, 0, -0.5}}, 0.5},
};

static const double strain_increment = 0.02; /* of ||D|| dt */

typedef struct {
    int64_t n_steps;
    double rate[3][3]; /* velocity gradient, 1/s */
    double *dt;        /* [n_steps] s */
    tensor *reference, *stress;
    const sw_stress_curve *curve;
} history;

/* Crystals that are timed, so many that all threads have something to do; for how many steps, and how long
 * (s) when there are more than TIMED_STEPS in it. */
enum { TIMED_FEW = 1 << 14, TIMED_MANY = 1 << 18, TIMED_STEPS = 5, TIMED_STEPS_MAX = 100 };
static const double timed_seconds = 0.2, timed_step = 0.01;

typedef struct {
    const sw_database *database;
    int64_t n_crystals, n_steps; /* steps: of the three loadings */
    sw_crystal *crystal;         /* [n_crystals, and at least TIMED_MANY] */
    history history[SW_CERTIFY_LOADINGS];
} certification;

static sw_status plan(certification *c)
{
    for (int l = 0; l < SW_CERTIFY_LOADINGS; l++) {
        history *h = &c->history[l];
        for (int k = 0; k < 9; k++)
            h->rate[k / 3][k % 3] = c->database->strain_rate * loadings[l].gradient[k / 3][k % 3];
        const double norm = sw_strain_rate_of((const double(*)[3])h->rate).rate;
        const double duration = loadings[l].strain / c->database->strain_rate, full = strain_increment / norm;
        h->n_steps = (int64_t)ceil(duration / full - 1e-9);
        h->curve = sw_stress_curve_of((const double(*)[3])h->rate);
        SW_TRY(SW_ALLOCATE(h->dt, h->n_steps, "steps"));
        SW_TRY(SW_ALLOCATE(h->stress, h->n_steps, "stress history"));
        SW_TRY(SW_ALLOCATE(h->reference, h->n_steps, "stress history"));
        for (int64_t k = 0; k < h->n_steps; k++)
            h->dt[k] = k + 1 < h->n_steps ? full : duration - full * (double)k;
        c->n_steps += h->n_steps;
    }
    return sw_crystals_allocate(SW_CPU, c->n_crystals > TIMED_MANY ? c->n_crystals : TIMED_MANY, &c->crystal);
}

static void release(certification *c)
{
    for (int l = 0; l < SW_CERTIFY_LOADINGS; l++) {
        free(c->history[l].dt);
        free(c->history[l].stress);
        free(c->history[l].reference);
    }
    sw_crystals_free(SW_CPU, c->crystal);
}

/* Random crystals, and a response for them alone: `iterative` keeps their state. */
static sw_status begin(certification *c, const sw_response_options *options, int64_t n,
                       sw_response **response)
{
    const float s0 = (float)c->database->material.slip.initial_slip_resistance;
    SW_TRY(sw_crystals_randomise(SW_CPU, n, c->crystal, 1, 0, s0));
    return sw_response_open(options, response);
}

/* The shortest of some steps: least disturbed by whatever else runs, and without what the first prepares. */
static sw_status time_steps_of(certification *c, const sw_response_options *options, int64_t n,
                               double *shortest)
{
    const history *h = &c->history[0];
    sw_response *response;
    SW_TRY(begin(c, options, n, &response));
    sw_status status = SW_OK;
    *shortest = INFINITY;
    double spent = 0;
    for (int k = 0; k < (spent < timed_seconds ? TIMED_STEPS_MAX : TIMED_STEPS) && status == SW_OK; k++) {
        sw_response_average average;
        const double started = sw_seconds();
        status = sw_interrupt_check();
        if (status == SW_OK)
            status = sw_response_step(response, (const double(*)[3])h->rate, h->dt[0], n, c->crystal, NULL,
                                      &average);
        const double step = sw_seconds() - started;
        *shortest = fmin(*shortest, step);
        spent += step;
    }
    sw_response_close(response);
    return status;
}

/* A step below `timed_step` is repeated with more crystals: it would time the start of its threads. */
static sw_status time_steps(certification *c, const sw_response_options *options, double *seconds)
{
    int64_t n = TIMED_FEW;
    double shortest;
    SW_TRY(time_steps_of(c, options, n, &shortest));
    if (shortest < timed_step) {
        n = TIMED_MANY;
        SW_TRY(time_steps_of(c, options, n, &shortest));
    }
    *seconds = shortest / (double)n;
    return SW_OK;
}

/* One loading from the random texture on. */
static sw_status deform(certification *c, history *h, const sw_response_options *options, int64_t *done,
                        sw_progress *progress)
{
    sw_response *response;
    SW_TRY(begin(c, options, c->n_crystals, &response));
    sw_status status = SW_OK;
    for (int64_t k = 0; k < h->n_steps && status == SW_OK; k++) {
        sw_response_average average = {0};
        status = sw_interrupt_check();
        if (status == SW_OK)
            status = sw_response_step(response, (const double(*)[3])h->rate, h->dt[k], c->n_crystals,
                                      c->crystal, NULL, &average);
        sw_deviator(average.cauchy_stress, h->stress[k]);
        sw_progress_show(progress, ++*done * c->n_crystals);
    }
    sw_response_close(response);
    return status;
}

/* All loadings of a solver with some settings, its errors and its time. */
static sw_status measure(certification *c, const sw_response_options *options, int quiet, sw_certified *row)
{
    char name[64];
    int64_t done = 0;
    sw_progress progress;
    sw_certified_describe(row, name, sizeof name);
    sw_progress_begin(&progress, name, "crystal-steps", c->n_steps * c->n_crystals, quiet);
    for (int l = 0; l < SW_CERTIFY_LOADINGS; l++) {
        history *h = &c->history[l];
        SW_TRY(deform(c, h, options, &done, &progress));
        if (sw_solver_find(options->solver)->is_reference)
            memcpy(h->reference, h->stress, (size_t)h->n_steps * sizeof *h->stress);
        SW_TRY(sw_stress_error(h->n_steps, h->dt, (const double(*)[3][3])h->stress,
                               (const double(*)[3][3])h->reference, h->curve, &row->tensor_error[l],
                               &row->curve_error[l]));
    }
    SW_TRY(time_steps(c, options, &row->seconds_per_crystal_step));
    sw_progress_end(&progress);
    return SW_OK;
}

/* Whether there are as many terms, and memory for a table of this refinement. */
static int can_open(const sw_response_options *options)
{
    sw_response *response;
    const sw_status status = sw_response_open(options, &response);
    sw_response_close(status == SW_OK ? response : NULL);
    return status != SW_ERR_RANGE && status != SW_ERR_MEMORY;
}

static sw_status run_solver(certification *c, const sw_solver *solver, int quiet, sw_certificate *certificate)
{
    for (int i = 0; i < solver->certified.count; i++) {
        const sw_solver_settings *s = &solver->certified.row[i];
        const sw_response_options options = {.solver = solver->traits.name,
                                             .database = c->database,
                                             .terms = s->terms,
                                             .refinement = s->refinement,
                                             .nearest = s->nearest};
        sw_certified row = {.terms = s->terms, .refinement = s->refinement, .nearest = s->nearest};
        snprintf(row.solver, sizeof row.solver, "%s", solver->traits.name);
        if (!can_open(&options))
            continue;
        const sw_status status = measure(c, &options, quiet, &row);
        if (status == SW_OK)
            certificate->row[certificate->n_rows++] = row;
        else if (status != SW_ERR_CONVERGENCE || solver->traits.is_reference)
            return status;
    }
    return SW_OK;
}

/* The reference first. */
static sw_status run_all(certification *c, int quiet, sw_certificate *certificate)
{
    SW_TRY(plan(c));
    for (int others = 0; others < 2; others++)
        for (int i = 0; i < SW_SOLVERS; i++)
            if (sw_solvers[i]->traits.is_reference == !others)
                SW_TRY(run_solver(c, sw_solvers[i], quiet, certificate));
    return SW_OK;
}

sw_status sw_certify(const char *path, int64_t crystals, int quiet, sw_certificate *certificate)
{
    certification c = {.n_crystals = crystals};
    sw_database *database;
    memset(certificate, 0, sizeof *certificate);
    certificate->crystals = crystals;
    certificate->threads = omp_get_max_threads();
    SW_TRY(sw_database_read(path, 0, &database));
    c.database = database;
    certificate->points = database->shape[0];
    const sw_status status = run_all(&c, quiet, certificate);
    release(&c);
    sw_database_free(database);
    return status;
}

void sw_certificate_print(const sw_certificate *certificate, FILE *out)
{
    fprintf(out,
            "Error against iterative, relative L2 over the history in %%: curve / whole deviatoric stress "
            "tensor\n%lld random crystals, strain increment %g; certified: the largest curve error\n\n"
            "%-34s %9s  %17s  %17s  %17s  %13s\n",
            (long long)certificate->crystals, strain_increment, "", "certified", "plane strain to 1",
            "simple shear to 1", "tension to 0.5", "s/crystal-step");
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const sw_certified *row = &certificate->row[i];
        char name[64];
        sw_certified_describe(row, name, sizeof name);
        fprintf(out, "%-34s %9.3f", name, 100 * sw_certified_error(row));
        for (int l = 0; l < SW_CERTIFY_LOADINGS; l++)
            fprintf(out, "  %7.3f / %7.3f", 100 * row->curve_error[l], 100 * row->tensor_error[l]);
        fprintf(out, "  %13.2e\n", row->seconds_per_crystal_step);
    }
    fprintf(out,
            "times: the shortest of some steps of %d crystals or more, %lld threads of this machine's CPU\n",
            TIMED_FEW, (long long)certificate->threads);
}
