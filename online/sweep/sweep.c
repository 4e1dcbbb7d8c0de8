#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/system/memory.h"
#include "common/system/progress.h"
#include "slipwave/response.h"
#include "online/response/certificate/choice.h"
#include "online/response/certificate/set_up.h"
#include "online/response/certificate/stress_error.h"

/* Average stress after each of the sweep's steps, deviatoric. */
typedef double tensor[3][3];

typedef struct {
    sw_response_options options;
    int64_t substeps;
    char label[96];
    double value;
} variant;

typedef struct {
    const sw_sweep_job *job;
    sw_database *database[SW_SWEEP_DATABASES]; /* [databases_count] */
    sw_database *reference_database;           /* borrowed when it is one of them; NULL when none is needed */
    int64_t n_steps;
    double *dt;                 /* [n_steps] s */
    unsigned *segment;          /* [n_steps] of the loading */
    sw_device device;           /* of solvers that have a version for it */
    sw_crystal *start;          /* [N] as they begin, on the host */
    tensor *reference, *stress; /* [n_steps] */
    double *seconds;            /* [n_steps] of one variant */
    sw_set_up set_up;           /* of the same */
    const sw_stress_curve *curve;
    sw_sweep_result *result;
} sweep;

/* ---- One run ---- */

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* What a tenth of them stay below: of steps that other work on the machine delays, those that it leaves alone. */
static double tenth(int64_t n, double *value)
{
    qsort(value, (size_t)n, sizeof *value, compare_doubles);
    return value[n / 10];
}

static sw_status deform(sweep *s, const variant *v, sw_response *response, sw_crystals *crystals, int quiet)
{
    const int64_t n = s->job->crystals.count;
    const int ends_a_step = sw_solver_find(v->options.solver)->has_history; /* what a step's means are of */
    sw_progress progress;
    sw_progress_begin(&progress, v->label, "crystal-steps", s->n_steps * v->substeps * n, quiet);
    for (int64_t k = 0; k < s->n_steps; k++) {
        const unsigned segment = s->segment[k];
        const double(*l)[3] = s->job->loading[segment].velocity_gradient;
        sw_response_average average = {0}, now;
        SW_TRY(sw_response_prepare(response, l)); /* which the set-up has counted */
        const double started = sw_seconds();
        for (int64_t i = 0; i < v->substeps; i++) {
            SW_TRY(sw_interrupt_check());
            SW_TRY(
                sw_response_advance(response, l, s->dt[k] / (double)v->substeps, crystals, crystals, &now));
            average = i == 0 || ends_a_step ? now : average;
            sw_progress_show(&progress, (k * v->substeps + i + 1) * n);
        }
        s->seconds[k] = sw_seconds() - started;
        SW_TRY(sw_stress_row(response, l, crystals, &average, k == 0 || s->segment[k - 1] != segment,
                             k + 1 == s->n_steps || s->segment[k + 1] != segment, &s->stress[k]));
    }
    sw_progress_end(&progress);
    return SW_OK;
}

/* The crystals as they begin, where the response computes, through all steps. */
static sw_status deform_from_start(sweep *s, const variant *v, sw_response *response, int quiet)
{
    sw_crystals crystals;
    SW_TRY(sw_crystals_make(response, s->job->crystals.count, &crystals));
    sw_status status = sw_crystals_copy(crystals.device, crystals.n, crystals.crystal, s->start);
    if (status == SW_OK)
        status = sw_crystals_begin(response, &crystals);
    if (status == SW_OK)
        status = deform(s, v, response, &crystals, quiet);
    sw_crystals_release(&crystals);
    return status;
}

/* And the shortest of three set-ups. */
static sw_status open_variant(sweep *s, const sw_response_options *options, sw_response **response)
{
    s->set_up = (sw_set_up){INFINITY, INFINITY};
    *response = NULL;
    for (int i = 0; i < 3; i++) {
        sw_set_up now;
        sw_response_close(*response);
        SW_TRY(sw_response_open_timed(options, s->job->loading[0].velocity_gradient, response, &now));
        s->set_up = (sw_set_up){fmin(s->set_up.open, now.open), fmin(s->set_up.rate, now.rate)};
    }
    return SW_OK;
}

/* The history of a variant in s->stress, its times in *row. */
static sw_status run_variant(sweep *s, const variant *v, int quiet, sw_sweep_row *row)
{
    const int64_t n = s->job->crystals.count;
    sw_response_options options = v->options;
    sw_response *response;
    options.device = sw_solver_find(options.solver)->on_gpu ? s->device : SW_CPU;
    SW_TRY(open_variant(s, &options, &response));
    const sw_status status = deform_from_start(s, v, response, quiet);
    sw_response_close(response);
    SW_TRY(status);
    *row = (sw_sweep_row){.solver = options.solver,
                          .device = s->result->device[options.device],
                          .value = v->value,
                          .set_up = s->set_up.open + s->job->loading_count * s->set_up.rate};
    row->seconds = row->set_up;
    if (sw_solver_find(options.solver)->needs_database)
        row->generation = options.database->generation_seconds;
    memcpy(row->label, v->label, sizeof row->label);
    for (int64_t k = 0; k < s->n_steps; k++)
        row->seconds += s->seconds[k];
    row->seconds_per_crystal_step = tenth(s->n_steps, s->seconds) / (double)(n * v->substeps);
    return SW_OK;
}

/* ---- Variants ---- */

static variant terms_variant(const sw_database *database, int64_t terms, int64_t refinement)
{
    return (variant){
        .options = {.solver = "terms", .database = database, .terms = terms, .refinement = refinement},
        .substeps = 1};
}

/* Whether the databases differ in the increment that they were made with. */
static int increments_differ(const sweep *s)
{
    const sw_database *first = s->database[0];
    for (unsigned i = 1; i < s->job->databases_count; i++)
        if (s->database[i]->strain_increment != first->strain_increment ||
            s->database[i]->strain_rate != first->strain_rate)
            return 1;
    return 0;
}

static void label_database(const sweep *s, const sw_database *database, const char *before, variant *v)
{
    const int64_t *n = database->shape;
    v->value = (double)n[0];
    const int length = snprintf(v->label, sizeof v->label, "%s%lld x %lld x %lld x %lld", before,
                                (long long)n[0], (long long)n[1], (long long)n[2], (long long)n[3]);
    if (increments_differ(s))
        snprintf(v->label + length, sizeof v->label - (size_t)length, ", %g at %g 1/s",
                 database->strain_increment, database->strain_rate);
}

static const sw_database *finest(const sweep *s) { return s->database[s->job->databases_count - 1]; }

static int64_t count_rows(const sw_sweep_job *job)
{
    switch (job->kind) {
    case SW_VARY_TERMS:
        return job->vary.terms_count;
    case SW_VARY_REFINEMENT:
        return job->vary.refinement_count;
    case SW_VARY_GRID:
        return job->databases_count;
    default:
        return job->vary.cost.terms_count;
    }
}

/* Of a solver beside `terms`: the settings that it is certified with, from every database if it needs one. */
static int64_t rows_of(const sw_sweep_job *job, const sw_solver *solver)
{
    return solver->traits.has_terms ? 0
                                    : (int64_t)solver->certified.count *
                                          (solver->traits.needs_database ? job->databases_count : 1);
}

/* Others are compared with what no series says. */
static int has_others(const sw_sweep_job *job)
{
    return job->kind == SW_VARY_COST ||
           (job->kind == SW_VARY_TERMS && !sw_solver_at(job->reference.solver)->has_terms);
}

static int64_t count_others(const sw_sweep_job *job)
{
    int64_t n = 0;
    for (int i = 0; i < SW_SOLVERS && has_others(job); i++)
        n += rows_of(job, sw_solvers[i]);
    return n;
}

static variant with_terms(const sweep *s, int64_t terms)
{
    variant v = terms_variant(finest(s), terms, s->job->refinement);
    v.value = (double)terms;
    snprintf(v.label, sizeof v.label, "%lld terms", (long long)terms);
    return v;
}

/* Row `row` of rows_of. Without a need for it the database says the material alone. */
static variant solver_row(const sweep *s, const sw_solver *solver, int64_t row)
{
    const sw_solver_settings *with = &solver->certified.row[row % solver->certified.count];
    const int looks_up = solver->traits.needs_database;
    variant v = {.options = {.solver = solver->traits.name,
                             .database = looks_up ? s->database[row / solver->certified.count] : finest(s),
                             .refinement = with->refinement,
                             .nearest = with->nearest},
                 .substeps = 1};
    sw_solver_describe(v.options.solver, 0, with->refinement, with->nearest, v.label, sizeof v.label);
    if (looks_up) {
        char before[sizeof v.label];
        snprintf(before, sizeof before, "%.60s, ", v.label);
        label_database(s, v.options.database, before, &v);
    }
    return v;
}

static variant other_row(const sweep *s, int64_t row)
{
    int i = 0;
    for (; row >= rows_of(s->job, sw_solvers[i]); i++)
        row -= rows_of(s->job, sw_solvers[i]);
    return solver_row(s, sw_solvers[i], row);
}

static variant with_grid(const sweep *s, const sw_database *database)
{
    const int64_t asked = s->job->vary.grid.terms, stored = sw_database_terms(database);
    variant v = terms_variant(database, asked < stored ? asked : stored, s->job->refinement);
    label_database(s, database, "", &v);
    if (asked > stored)
        snprintf(v.label + strlen(v.label), sizeof v.label - strlen(v.label), ", all %lld terms",
                 (long long)stored);
    return v;
}

static variant make_row(const sweep *s, int64_t row)
{
    const sw_sweep_job *job = s->job;
    const int64_t own = count_rows(job);
    variant v;
    if (row >= own)
        return other_row(s, row - own);
    switch (job->kind) {
    case SW_VARY_TERMS:
        return with_terms(s, job->vary.terms[row]);
    case SW_VARY_REFINEMENT:
        v = terms_variant(finest(s), job->terms, job->vary.refinement[row]);
        v.value = (double)job->vary.refinement[row];
        snprintf(v.label, sizeof v.label, "refinement %lld", (long long)job->vary.refinement[row]);
        return v;
    case SW_VARY_GRID:
        return with_grid(s, s->database[row]);
    default:
        return with_terms(s, job->vary.cost.terms[row]);
    }
}

static variant make_reference(const sweep *s, char *text, size_t size)
{
    const sw_sweep_job *job = s->job;
    const sw_database *database = s->reference_database;
    const sw_solver_traits *solver = sw_solver_at(job->reference.solver);
    const int is_terms = solver->has_terms, looks_up = solver->needs_database;
    variant v = {.options = {.solver = solver->name,
                             .database = database,
                             .terms = is_terms ? job->reference.terms : 0,
                             .refinement = job->reference.refinement},
                 .substeps = job->reference.substeps,
                 .label = "reference"};
    size_t length = (size_t)snprintf(text, size, "%s", v.options.solver);
    if (is_terms)
        length +=
            (size_t)snprintf(text + length, size - length, ", %lld terms, refinement %lld",
                             (long long)(v.options.terms > 0 ? v.options.terms : sw_database_terms(database)),
                             (long long)v.options.refinement);
    if (looks_up)
        length += (size_t)snprintf(text + length, size - length, ", database %lld x %lld x %lld x %lld",
                                   (long long)database->shape[0], (long long)database->shape[1],
                                   (long long)database->shape[2], (long long)database->shape[3]);
    if (v.substeps > 1)
        snprintf(text + length, size - length, ", %lld substeps to a step", (long long)v.substeps);
    return v;
}

/* ---- Inputs ---- */

static sw_status read_database(const sw_sweep_job *job, const char *key, const char *path,
                               sw_database **database)
{
    char message[400];
    const sw_status status = sw_database_read(path, 0, database);
    if (status != SW_ERR_IO && status != SW_ERR_FORMAT)
        return status;
    snprintf(message, sizeof message, "%s", sw_error_message());
    return sw_job_error(job->source, key, ": %s", message);
}

/* Databases may differ in grid and terms; what the crystals are made of may not. */
static sw_status check_material(const sweep *s, const char *key, const sw_database *database)
{
    sw_key_difference d;
    if (!sw_keys_differ(sw_material_keys, "crystal_structure c_over_a b_over_a elasticity slip hardening",
                        &database->material, &s->database[0]->material, &d))
        return SW_OK;
    return sw_job_error(s->job->source, key, ": its %s = %s: need %s, as of %s", d.key, d.a, d.b,
                        s->job->databases[0]);
}

static sw_status open_databases(sweep *s)
{
    const sw_sweep_job *job = s->job;
    char key[64];
    for (unsigned i = 0; i < job->databases_count; i++) {
        snprintf(key, sizeof key, "databases[%u]", i);
        SW_TRY(read_database(job, key, job->databases[i], &s->database[i]));
        SW_TRY(check_material(s, key, s->database[i]));
        if (job->reference.database == NULL || strcmp(job->reference.database, job->databases[i]) == 0)
            s->reference_database = s->database[i];
    }
    if (s->reference_database != NULL)
        return SW_OK;
    SW_TRY(read_database(job, "reference.database", job->reference.database, &s->reference_database));
    return check_material(s, "reference.database", s->reference_database);
}

static sw_status check_stored(const sweep *s, const char *key, int64_t terms, const sw_database *database,
                              const char *path)
{
    if (terms <= sw_database_terms(database))
        return SW_OK;
    return sw_job_error(s->job->source, key, " = %lld: need at most the %lld that %s stores",
                        (long long)terms, (long long)sw_database_terms(database), path);
}

/* Where grids vary, a smaller database than the finest may store fewer, and then gives all of them. */
static sw_status check_terms(const sweep *s)
{
    const sw_sweep_job *job = s->job;
    const unsigned last = job->databases_count - 1;
    const struct {
        const char *key;
        unsigned count;
        const int64_t *terms;
    } lists[] = {{"vary.terms", job->vary.terms_count, job->vary.terms},
                 {"vary.cost.terms", job->vary.cost.terms_count, job->vary.cost.terms}};
    char key[64];
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (unsigned k = 0; k < lists[i].count; k++) {
            snprintf(key, sizeof key, "%s[%u]", lists[i].key, k);
            SW_TRY(check_stored(s, key, lists[i].terms[k], s->database[last], job->databases[last]));
        }
    SW_TRY(check_stored(s, "vary.grid.terms", job->vary.grid.terms, s->database[last], job->databases[last]));
    SW_TRY(check_stored(s, "terms", job->terms, s->database[last], job->databases[last]));
    return check_stored(s, "reference.terms", job->reference.terms, s->reference_database,
                        job->reference.database ? job->reference.database : job->databases[last]);
}

static sw_status plan_steps(sweep *s)
{
    const sw_sweep_job *job = s->job;
    const double increment = job->strain_increment;
    s->n_steps = (int64_t)sw_loading_total_steps(job->loading_count, job->loading, increment);
    /* the crystals as they begin, and those of the solver at hand */
    SW_TRY(sw_memory_check(2 * (double)job->crystals.count * sizeof *s->start +
                               (double)s->n_steps * (sizeof *s->dt + sizeof *s->segment + sizeof *s->seconds +
                                                     sizeof *s->stress + sizeof *s->reference),
                           "%s: %lld crystals, %lld steps", sw_job_path(job->source),
                           (long long)job->crystals.count, (long long)s->n_steps));
    SW_TRY(SW_ALLOCATE(s->dt, s->n_steps, "steps"));
    SW_TRY(SW_ALLOCATE(s->segment, s->n_steps, "steps"));
    SW_TRY(SW_ALLOCATE(s->seconds, s->n_steps, "steps"));
    SW_TRY(SW_ALLOCATE(s->stress, s->n_steps, "stress history"));
    SW_TRY(SW_ALLOCATE(s->reference, s->n_steps, "stress history"));
    sw_loading_walk walk = sw_loading_begin(job->loading_count, job->loading, 1, increment);
    double strain;
    for (int64_t k = 0; k < s->n_steps; k++) {
        sw_loading_next(&walk, &s->segment[k], &s->dt[k], &strain);
        sw_loading_pass(&walk);
    }
    return SW_OK;
}

static sw_status make_crystals(sweep *s, int64_t seed)
{
    const float s0 = (float)s->database[0]->material.slip.initial_slip_resistance;
    return sw_crystals_randomise(SW_CPU, s->job->crystals.count, s->start, seed, 0, s0);
}

/* What the job's device is for solvers that have a version for a GPU, and the names of both devices. */
static sw_status choose_device(sweep *s)
{
    sw_solver_request request = {
        .job = s->job->source, .solver = SW_SOLVER_terms, .device = s->job->run.device};
    sw_solver_choice choice;
    SW_TRY(sw_solver_choose(&request, &choice));
    s->device = choice.options.device;
    memcpy(s->result->device[s->device], choice.device, sizeof choice.device);
    request.device = SW_DEVICE_CPU;
    SW_TRY(sw_solver_choose(&request, &choice));
    memcpy(s->result->device[SW_CPU], choice.device, sizeof choice.device);
    return SW_OK;
}

/* ---- The sweep ---- */

static sw_status fit(sweep *s)
{
    sw_sweep_result *r = s->result;
    const int is_cost = s->job->kind == SW_VARY_COST;
    double *x;
    SW_TRY(SW_ALLOCATE(x, 3 * r->n_rows, "fits"));
    double *error = x + r->n_rows, *curve_error = error + r->n_rows;
    int64_t n = 0;
    for (int64_t i = 0; i < r->n_rows; i++) {
        sw_sweep_row *row = &r->row[i];
        row->fitted = row->error > 0 && row->curve_error > 0 && sw_solver_find(row->solver)->has_terms;
        if (!row->fitted)
            continue;
        x[n] = is_cost ? row->seconds_per_crystal_step : row->value;
        error[n] = row->error;
        curve_error[n++] = row->curve_error;
    }
    r->error = sw_fit_power_law(n, x, error);
    r->curve_error = sw_fit_power_law(n, x, curve_error);
    free(x);
    return SW_OK;
}

/* Standard deviation of SW_SWEEP_SEEDS means about theirs: stress [SW_SWEEP_SEEDS][n_steps]. */
static sw_status scatter_of(const sweep *s, const tensor *stress, sw_sweep_scatter *scatter)
{
    const int64_t n = s->n_steps;
    tensor *mean = s->stress;
    double squares[2] = {0, 0};
    memset(mean, 0, (size_t)n * sizeof *mean);
    for (int64_t k = 0; k < SW_SWEEP_SEEDS * n; k++)
        for (int i = 0; i < 9; i++)
            mean[k % n][i / 3][i % 3] += stress[k][i / 3][i % 3] / SW_SWEEP_SEEDS;
    for (int seed = 0; seed < SW_SWEEP_SEEDS; seed++) {
        double error, curve_error;
        SW_TRY(sw_stress_error(n, s->dt, (const double(*)[3][3])(stress + seed * n),
                               (const double(*)[3][3])mean, s->curve, &error, &curve_error));
        squares[0] += error * error;
        squares[1] += curve_error * curve_error;
    }
    scatter->error = sqrt(squares[0] / (SW_SWEEP_SEEDS - 1));
    scatter->curve_error = sqrt(squares[1] / (SW_SWEEP_SEEDS - 1));
    return SW_OK;
}

/* What goes beside the rows asked for is left out where there is no answer, or not for such a material. */
static sw_status leave_out(sw_status status, const char *label)
{
    if (status != SW_ERR_CONVERGENCE && status != SW_ERR_UNAVAILABLE)
        return status;
    sw_warn("%s: %.399s", label, sw_error_message());
    return SW_OK;
}

/* By the quickest of those that are as good as the model. */
static sw_status measure_scatter(sweep *s, int quiet)
{
    const variant v = {.options = {.solver = "elastoplastic", .database = finest(s)},
                       .substeps = 1,
                       .label = "scatter of seeds"};
    tensor *stress;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(stress, SW_SWEEP_SEEDS * s->n_steps, "stress histories"));
    for (int seed = 0; seed < SW_SWEEP_SEEDS && status == SW_OK; seed++) {
        sw_sweep_row unused;
        status = make_crystals(s, s->job->crystals.seed + seed);
        if (status == SW_OK)
            status = run_variant(s, &v, quiet, &unused);
        memcpy(stress + seed * s->n_steps, s->stress, (size_t)s->n_steps * sizeof *stress);
    }
    if (status == SW_OK)
        status = scatter_of(s, stress, &s->result->scatter);
    free(stress);
    return leave_out(status, v.label);
}

/* A row and its errors. */
static sw_status run_row(sweep *s, int64_t number, int quiet)
{
    sw_sweep_result *r = s->result;
    sw_sweep_row *row = &r->row[r->n_rows];
    const variant v = make_row(s, number);
    const sw_status status = run_variant(s, &v, quiet, row);
    if (status != SW_OK)
        return number >= count_rows(s->job) ? leave_out(status, v.label) : status;
    r->n_rows++;
    return sw_stress_error(s->n_steps, s->dt, (const double(*)[3][3])s->stress,
                           (const double(*)[3][3])s->reference, s->curve, &row->error, &row->curve_error);
}

static sw_status run_all(sweep *s, int quiet)
{
    sw_sweep_result *r = s->result;
    SW_TRY(open_databases(s));
    SW_TRY(check_terms(s));
    SW_TRY(choose_device(s));
    SW_TRY(plan_steps(s));
    SW_TRY(sw_crystals_allocate(SW_CPU, s->job->crystals.count, &s->start));
    SW_TRY(make_crystals(s, s->job->crystals.seed));
    s->curve = sw_stress_curve_of((const double(*)[3])s->job->loading[0].velocity_gradient);
    r->curve = s->curve->name;
    r->n_steps = s->n_steps;
    const sw_material *material = &s->database[0]->material;
    snprintf(r->material, sizeof r->material, "%s (%s)", material->name, sw_material_lattice(material)->name);
    const int64_t rows = count_rows(s->job) + count_others(s->job);
    SW_TRY(SW_ALLOCATE(r->row, rows, "results"));

    sw_sweep_row unused;
    const variant reference = make_reference(s, r->reference, sizeof r->reference);
    SW_TRY(run_variant(s, &reference, quiet, &unused));
    memcpy(s->reference, s->stress, (size_t)s->n_steps * sizeof *s->reference);
    for (int64_t i = 0; i < rows; i++)
        SW_TRY(run_row(s, i, quiet));
    SW_TRY(fit(s));
    return has_others(s->job) ? measure_scatter(s, quiet) : SW_OK;
}

static void release(sweep *s)
{
    int is_listed = 0;
    for (unsigned i = 0; i < s->job->databases_count; i++) {
        is_listed |= s->database[i] == s->reference_database;
        sw_database_free(s->database[i]);
    }
    if (!is_listed)
        sw_database_free(s->reference_database);
    free(s->dt);
    free(s->segment);
    sw_crystals_free(SW_CPU, s->start);
    free(s->reference);
    free(s->stress);
    free(s->seconds);
}

sw_status sw_sweep_run(const sw_sweep_job *job, int quiet, sw_sweep_result **result)
{
    sweep s = {.job = job};
    *result = NULL;
    SW_TRY(SW_ALLOCATE(s.result, 1, "results"));
    const sw_status status = run_all(&s, quiet);
    release(&s);
    if (status == SW_OK)
        *result = s.result;
    else
        sw_sweep_result_free(s.result);
    return status;
}

void sw_sweep_result_free(sw_sweep_result *result)
{
    if (result == NULL)
        return;
    free(result->row);
    free(result);
}
