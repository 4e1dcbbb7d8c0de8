#include "certify.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/database.h"
#include "common/system/progress.h"
#include "common/math/strain_rate.h"
#include "online/response/step/crystals.h"
#include "slipwave/response.h"
#include "online/response/certificate/stress_error.h"
#include "online/response/solvers.h"
#include "sharp_texture.h"

/* Average deviatoric stress after each step. */
typedef double tensor[3][3];

enum { LEGS = 2, SETTLING = 2 }; /* SETTLING: steps after a change of path that do not count */

/* Velocity gradients over the strain rate. */
enum { PLANE_STRAIN, SIMPLE_SHEAR, TENSION };
static const double gradient[][3][3] = {
    [PLANE_STRAIN] = {{1, 0, 0}, {0, 0, 0}, {0, 0, -1}},
    [SIMPLE_SHEAR] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}},
    [TENSION] = {{1, 0, 0}, {0, -0.5, 0}, {0, 0, -0.5}},
};

/* What is certified. Errors are those of the last leg. */
static const struct {
    const char *head, *name; /* of the printed column; in full */
    int is_sharp;            /* crystals of sharp_texture.h; else random ones */
    int legs;
    struct {
        int gradient;
        double strain; /* time x strain rate */
    } leg[LEGS];
} loadings[] = {
    {"plane strain", "plane strain compression to strain 1", 0, 1, {{PLANE_STRAIN, 1}}},
    {"simple shear", "simple shear to 1", 0, 1, {{SIMPLE_SHEAR, 1}}},
    {"tension", "tension to strain 0.5", 0, 1, {{TENSION, 0.5}}},
    {"sharp", "plane strain compression of a sharp rolling texture to 0.5", 1, 1, {{PLANE_STRAIN, 0.5}}},
    {"new path",
     "simple shear to 0.3 after plane strain compression to 0.3",
     0,
     2,
     {{PLANE_STRAIN, 0.3}, {SIMPLE_SHEAR, 0.3}}},
};
enum { LOADINGS = sizeof loadings / sizeof *loadings };
_Static_assert((int)LOADINGS <= (int)SW_CERTIFY_LOADINGS, "room in a certificate");

static const double strain_increment = 0.02; /* of ||D|| dt */

/* A loading's steps and stresses. */
typedef struct {
    double rate[LEGS][3][3]; /* velocity gradients, 1/s */
    int64_t first[LEGS + 1]; /* step of each leg; then the number of all, n */
    double *dt, *counted;    /* [n] s; of it what counts for errors, 0 or all */
    tensor *reference, *stress;
    const sw_stress_curve *curve;
} history;

/* Crystals that are timed, so many that all threads have something to do; for how many steps, and how long
 * (s) when there are more than TIMED_STEPS in it. */
enum { TIMED_FEW = 1 << 14, TIMED_MANY = 1 << 18, TIMED_STEPS = 5, TIMED_STEPS_MAX = 100 };
static const double timed_seconds = 0.2, timed_step = 0.01;

typedef struct {
    const sw_database *database;
    int64_t n_crystals, n_steps; /* steps: of all loadings */
    sw_crystal *crystal;         /* [n_crystals, and at least TIMED_MANY] */
    sw_crystals crystals;        /* those of the run at hand, about them */
    history history[LOADINGS];
    sw_set_up set_up; /* of the solver at hand, the shortest so far */
} certification;

/* Duration of a full step of leg k, s. */
static double full_step(const history *h, int k)
{
    return strain_increment / sw_strain_rate_of((const double(*)[3])h->rate[k]).rate;
}

static void plan_leg(history *h, int k, int legs, double duration)
{
    const double full = full_step(h, k);
    for (int64_t i = h->first[k]; i < h->first[k + 1]; i++) {
        h->dt[i] = i + 1 < h->first[k + 1] ? full : duration - full * (double)(i - h->first[k]);
        h->counted[i] = k == legs - 1 && (k == 0 || i >= h->first[k] + SETTLING) ? h->dt[i] : 0;
    }
}

static sw_status plan_loading(double strain_rate, int l, history *h)
{
    const int legs = loadings[l].legs;
    for (int k = 0; k < legs; k++) {
        for (int i = 0; i < 9; i++)
            h->rate[k][i / 3][i % 3] = strain_rate * gradient[loadings[l].leg[k].gradient][i / 3][i % 3];
        const double steps = loadings[l].leg[k].strain / strain_rate / full_step(h, k);
        h->first[k + 1] = h->first[k] + (int64_t)ceil(steps - 1e-9);
    }
    h->curve = sw_stress_curve_of((const double(*)[3])h->rate[legs - 1]);
    SW_TRY(SW_ALLOCATE(h->dt, h->first[legs], "steps"));
    SW_TRY(SW_ALLOCATE(h->counted, h->first[legs], "steps"));
    SW_TRY(SW_ALLOCATE(h->stress, h->first[legs], "stress history"));
    SW_TRY(SW_ALLOCATE(h->reference, h->first[legs], "stress history"));
    for (int k = 0; k < legs; k++)
        plan_leg(h, k, legs, loadings[l].leg[k].strain / strain_rate);
    return SW_OK;
}

static sw_status plan(certification *c)
{
    for (int l = 0; l < LOADINGS; l++) {
        SW_TRY(plan_loading(c->database->strain_rate, l, &c->history[l]));
        c->n_steps += c->history[l].first[loadings[l].legs];
    }
    return sw_crystals_allocate(SW_CPU, c->n_crystals > TIMED_MANY ? c->n_crystals : TIMED_MANY, &c->crystal);
}

static void release(certification *c)
{
    for (int l = 0; l < LOADINGS; l++) {
        free(c->history[l].dt);
        free(c->history[l].counted);
        free(c->history[l].stress);
        free(c->history[l].reference);
    }
    sw_crystals_free(SW_CPU, c->crystal);
}

/* n crystals as they begin, and a response for them. */
static sw_status begin(certification *c, const sw_response_options *options, int is_sharp, int64_t n,
                       sw_response **response)
{
    const float s0 = (float)c->database->material.slip.initial_slip_resistance;
    const sw_point_group *group = sw_material_lattice(&c->database->material)->group;
    if (is_sharp)
        for (int64_t i = 0; i < n; i++)
            c->crystal[i] = sw_sharp_crystal(group, i, s0);
    else
        SW_TRY(sw_crystals_randomise(SW_CPU, n, c->crystal, 1, 0, s0));
    sw_set_up now;
    SW_TRY(sw_response_open_timed(options, (const double(*)[3])c->history[0].rate[0], response, &now));
    c->set_up.open = fmin(c->set_up.open, now.open);
    c->set_up.rate = fmin(c->set_up.rate, now.rate);
    const sw_status status = sw_crystals_of(*response, n, c->crystal, NULL, &c->crystals);
    if (status != SW_OK)
        sw_response_close(*response);
    return status;
}

/* The shortest of some steps: least disturbed by whatever else runs, and without what the first prepares. */
static sw_status time_steps_of(certification *c, const sw_response_options *options, int64_t n,
                               double *shortest)
{
    const history *h = &c->history[0];
    sw_response *response;
    SW_TRY(begin(c, options, 0, n, &response));
    sw_status status = SW_OK;
    *shortest = INFINITY;
    double spent = 0;
    for (int k = 0; k < (spent < timed_seconds ? TIMED_STEPS_MAX : TIMED_STEPS) && status == SW_OK; k++) {
        sw_response_average average;
        const double started = sw_seconds();
        status = sw_interrupt_check();
        if (status == SW_OK)
            status = sw_response_advance(response, (const double(*)[3])h->rate[0], h->dt[0], &c->crystals,
                                         &c->crystals, &average);
        const double step = sw_seconds() - started;
        *shortest = fmin(*shortest, step);
        spent += step;
    }
    sw_crystals_release(&c->crystals);
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

/* One loading, all its legs, with the same crystals. */
static sw_status deform(certification *c, int l, const sw_response_options *options, int64_t *done,
                        sw_progress *progress)
{
    history *h = &c->history[l];
    sw_response *response;
    SW_TRY(begin(c, options, loadings[l].is_sharp, c->n_crystals, &response));
    sw_status status = SW_OK;
    for (int64_t i = 0, leg = 0; i < h->first[loadings[l].legs] && status == SW_OK; i++) {
        sw_response_average average = {0};
        leg += i == h->first[leg + 1];
        status = sw_interrupt_check();
        if (status == SW_OK)
            status = sw_response_advance(response, (const double(*)[3])h->rate[leg], h->dt[i], &c->crystals,
                                         &c->crystals, &average);
        if (status == SW_OK)
            status = sw_stress_row(response, (const double(*)[3])h->rate[leg], &c->crystals, &average,
                                   i == h->first[leg], i + 1 == h->first[leg + 1], &h->stress[i]);
        sw_progress_show(progress, ++*done * c->n_crystals);
    }
    sw_crystals_release(&c->crystals);
    sw_response_close(response);
    return status;
}

/* All loadings of a solver with some settings, its errors and its time. */
static sw_status measure(certification *c, const sw_response_options *options, int quiet, sw_certified *row)
{
    char name[64];
    int64_t done = 0;
    sw_progress progress;
    c->set_up = (sw_set_up){INFINITY, INFINITY};
    sw_certified_describe(row, name, sizeof name);
    sw_progress_begin(&progress, name, "crystal-steps", c->n_steps * c->n_crystals, quiet);
    for (int l = 0; l < LOADINGS; l++) {
        history *h = &c->history[l];
        const int64_t n = h->first[loadings[l].legs];
        SW_TRY(deform(c, l, options, &done, &progress));
        if (sw_solver_find(options->solver)->is_reference)
            memcpy(h->reference, h->stress, (size_t)n * sizeof *h->stress);
        SW_TRY(sw_stress_error(n, h->counted, (const double(*)[3][3])h->stress,
                               (const double(*)[3][3])h->reference, h->curve, &row->tensor_error[l],
                               &row->curve_error[l]));
    }
    SW_TRY(time_steps(c, options, &row->seconds_per_crystal_step));
    row->set_up = c->set_up;
    sw_progress_end(&progress);
    return SW_OK;
}

/* Whether it takes the material, there are as many terms, and memory for a table of this refinement. */
static int can_open(const sw_response_options *options)
{
    sw_response *response;
    const sw_status status = sw_response_open(options, &response);
    sw_response_close(status == SW_OK ? response : NULL);
    return status != SW_ERR_RANGE && status != SW_ERR_MEMORY && status != SW_ERR_UNAVAILABLE;
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

static void name_loadings(sw_certificate *certificate)
{
    certificate->n_loadings = LOADINGS;
    for (int l = 0; l < LOADINGS; l++) {
        sw_certified_loading *loading = &certificate->loading[l];
        snprintf(loading->name, sizeof loading->name, "%s", loadings[l].name);
        loading->is_plain = !loadings[l].is_sharp && loadings[l].legs == 1;
    }
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
    name_loadings(certificate);
    SW_TRY(sw_database_read(path, 0, &database));
    c.database = database;
    certificate->points = database->shape[0];
    const sw_status status = run_all(&c, quiet, certificate);
    release(&c);
    sw_database_free(database);
    return status;
}

/* A fraction in per cent, five characters wide. */
static void print_error(double error, char before, FILE *out)
{
    const double percent = 100 * error;
    fprintf(out, "%c%5.*f", before, percent < 9.9995 ? 3 : percent < 99.995 ? 2 : 1, percent);
}

static void print_head(const sw_certificate *certificate, FILE *out)
{
    fprintf(
        out,
        "Error against iterative, relative L2 over the history in %%: curve/whole deviatoric stress tensor\n"
        "%lld crystals, strain increment %g; certified: the largest curve error of random crystals on one "
        "path (*),\nthe largest tensor error of all\n\n",
        (long long)certificate->crystals, strain_increment);
    for (int l = 0; l < LOADINGS; l++)
        fprintf(out, "%s %-12s  %s\n", certificate->loading[l].is_plain ? "*" : " ", loadings[l].head,
                loadings[l].name);
    fprintf(out, "\n%-33s  certified  ", "");
    for (int l = 0; l < LOADINGS; l++)
        fprintf(out, "  %12s", loadings[l].head);
    fprintf(out, "   s/step   set-up\n");
}

void sw_certificate_print(const sw_certificate *certificate, FILE *out)
{
    print_head(certificate, out);
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const sw_certified *row = &certificate->row[i];
        char name[64];
        sw_certified_describe(row, name, sizeof name);
        fprintf(out, "%-33s", name);
        print_error(sw_certified_error(certificate, row, SW_CERTIFIED_CURVE), ' ', out);
        print_error(sw_certified_error(certificate, row, SW_CERTIFIED_TENSOR), '/', out);
        for (int l = 0; l < LOADINGS; l++) {
            fprintf(out, "  ");
            print_error(row->curve_error[l], ' ', out);
            print_error(row->tensor_error[l], '/', out);
        }
        fprintf(out, "  %7.1e  %7.1e\n", row->seconds_per_crystal_step, row->set_up.open + row->set_up.rate);
    }
    fprintf(out,
            "s/step: of a crystal, the shortest of some steps of %d crystals or more, %lld threads of this "
            "machine's CPU\nset-up: s before the first step, the database being read\n",
            TIMED_FEW, (long long)certificate->threads);
}
