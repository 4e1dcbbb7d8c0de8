/* A job's upsetting by the rate law: what it may not say beside that, and its results, as `slipwave fem` writes them. */
#include <stdio.h>
#include <stdlib.h>

#include "common/files/text.h"
#include "common/math/rotation.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "billet.h"
#include "online/fem/job/ways.h"
#include "online/fem/output/rows.h"
#include "online/gpu/gpu.h"

_Static_assert((int)SW_FEM_WAYS - SW_FEM_BY_simple == SW_FEM_BAND_METHODS,
               "a way for each method, in their order");

/* ---- Checks ---- */

static sw_status check_keys(const sw_fem_job *job)
{
    static const char *const keys[] = {
        "upsetting.cells[2]",    "upsetting.shear_limit",  "b_bar",
        "materials[1]",          "materials[0].crystals",  "solver.operator",
        "solver.storage",        "solver.staging",         "solver.scatter",
        "solver.preconditioner", "solver.linear",          "solver.forcing",
        "solver.line_search",    "solver.least_increment", "solver.first_increment",
        "output.fields",         "output.restart",         "output.textures",
        "output.components",     "output.resumable"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sw_job_given(job->source, keys[i]))
            return sw_job_error(job->source, keys[i], " has no place beside upsetting.rate_law = %s",
                                sw_fem_way_names[job->upsetting.rate_law]);
    if (job->run.resume || job->restart != NULL)
        return sw_error(SW_ERR_INPUT, "--%s has no place beside upsetting.rate_law: its runs keep no state",
                        job->run.resume ? "resume" : "restart");
    if (sw_parallel_size() > 1)
        return sw_job_error(job->source, "upsetting.rate_law", ": not with %d processes: need one",
                            sw_parallel_size());
    return SW_OK;
}

static sw_fem_convected_options options_of(const sw_fem_job *job)
{
    sw_fem_convected_options o = sw_fem_default_convected_options();
    o.device = job->options.device;
    o.method = (sw_fem_band_method)(job->upsetting.rate_law - SW_FEM_BY_simple);
    o.steps = job->n_increments;
    if (sw_job_given(job->source, "solver.tolerance"))
        o.tolerance = job->options.tolerance;
    if (sw_job_given(job->source, "solver.linear_tolerance"))
        o.linear_tolerance = job->options.linear_tolerance;
    if (sw_job_given(job->source, "solver.newton"))
        o.iterations = job->options.most_newton;
    if (sw_job_given(job->source, "solver.cg"))
        o.most_linear = job->options.most_cg;
    return o;
}

/* ---- Results ---- */

typedef struct {
    sw_fem_job job; /* the caller's, with the options that the run really has */
    sw_fem_results results;
    sw_progress progress;
    double ended; /* s, the step before */
    int64_t open; /* steps whose last iteration still changed more than the tolerance, by at most: */
    double most;
} run;

/* Largest and least displacements: nodes of the mesh ascend along x first, the billet's along its shorter side. */
static void take_displacements(sw_fem_results *r, const double (*position)[2])
{
    const int64_t across = r->job->geometry.cells[0] + 1, up = r->job->geometry.cells[1] + 1;
    double *least = sw_fem_row_value(r, r->done, LEAST), *most = sw_fem_row_value(r, r->done, MOST);
    for (int64_t n = 0; n < across * up; n++)
        for (int i = 0; i < 2; i++) {
            const int64_t here = across <= up ? n : n % across * up + n / across;
            const double u = position[here][i] - r->job->mesh->position[2 * n + i];
            least[i] = fmin(least[i], u);
            most[i] = fmax(most[i], u);
        }
}

/* The plate's, from outside on it; it moves half the stroke. */
static void take_plate(sw_fem_results *r, const sw_fem_convected_row *row, const sw_fem_convected_state *body)
{
    const double height = 0.5 * (r->job->upsetting.height - row->stroke);
    double radius = 0;
    for (int64_t n = 0; n < body->n_nodes; n++)
        if (body->position[2 * n + 1] == height)
            radius = fmax(radius, body->position[2 * n]);
    *sw_fem_row_value(r, r->done, TOOL_FACTOR) = r->job->tooled[0].factor[r->done];
    *sw_fem_row_value(r, r->done, TOOL_TOUCHING) = (double)row->touching;
    *sw_fem_row_value(r, r->done, TOOL_AREA) = SW_PI * radius * radius;
    sw_fem_row_value(r, r->done, TOOL_FORCE)[0] = sw_fem_row_value(r, r->done, TOOL_MOVE)[0] = 0;
    sw_fem_row_value(r, r->done, TOOL_FORCE)[1] = -row->force;
    sw_fem_row_value(r, r->done, TOOL_MOVE)[1] = -0.5 * row->stroke;
}

/* Elements with a point that has flowed. */
static int64_t plastic_elements(const sw_fem_convected_state *body)
{
    int64_t count = 0;
    for (int64_t e = 0; e < body->n_elements; e++) {
        int any = 0;
        for (int q = 0; q < SW_FEM_CONVECTED_POINTS; q++)
            any |= body->point[SW_FEM_CONVECTED_POINTS * e + q].plastic > 0;
        count += any;
    }
    return count;
}

static sw_status add_row(void *context, const sw_fem_convected_row *row, const sw_fem_convected_state *body)
{
    run *r = context;
    sw_fem_results *results = &r->results;
    const double now = sw_seconds(), elements = (double)body->n_elements;
    const struct {
        sw_fem_column column;
        double value;
    } numbers[] = {{STEP, 1},
                   {TIME, r->job.end[results->done]},
                   {PLASTIC_ELEMENTS, (double)plastic_elements(body) / elements},
                   {PLASTIC_POINTS, (double)row->flowing / (SW_FEM_CONVECTED_POINTS * elements)},
                   {NEWTON, (double)row->iterations},
                   {CG, (double)row->linear},
                   {SUBSTEPS, 1},
                   {CUTBACKS, 0},
                   {SECONDS, now - r->ended}};
    for (int64_t i = 0; i < results->row_size; i++)
        sw_fem_row_value(results, results->done, STEP)[i] = NAN; /* what is not computed */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *sw_fem_row_value(results, results->done, numbers[i].column) = numbers[i].value;
    take_displacements(results, (const double(*)[2])body->position);
    take_plate(results, row, body);
    if (!(row->change <= r->job.options.tolerance)) {
        r->open++;
        r->most = fmax(r->most, row->change);
    }
    results->seconds[SW_FEM_TIMINGS - 1] += now - r->ended;
    r->ended = now;
    sw_progress_show(&r->progress, ++results->done);
    return SW_OK;
}

/* ---- A run ---- */

static sw_status follow(run *r, const sw_fem_convected_options *options)
{
    const sw_fem_job *job = &r->job;
    const sw_fem_convected billet = {.kinematics = SW_FEM_AXISYMMETRIC,
                                     .radius = job->upsetting.radius,
                                     .height = job->upsetting.height,
                                     .cells = {job->upsetting.cells[0], job->upsetting.cells[1]},
                                     .material = job->material[0],
                                     .friction = job->upsetting.sticks ? INFINITY : job->tool[0].friction,
                                     .reduction = job->upsetting.reduction};
    sw_progress_begin(&r->progress, "fem", "increments", job->n_increments, job->run.quiet);
    r->ended = sw_seconds();
    const sw_status status = sw_fem_convected_run(&billet, options, add_row, r);
    sw_progress_end(&r->progress);
    if (status == SW_OK || status == SW_ERR_INTERRUPTED)
        return status;
    return sw_error(status == SW_ERR_RANGE ? SW_ERR_INPUT : status, "%s: %s", sw_job_path(job->source),
                    sw_error_message());
}

static sw_status run_all(run *r, const sw_fem_convected_options *options)
{
    char text[256], name[SW_LINE];
    SW_TRY(sw_fem_results_begin(&r->job, NULL, &r->results));
    snprintf(r->results.device, sizeof r->results.device, "CPU");
    if (options->device == SW_FEM_DEVICE_CUDA)
        sw_gpu_describe(r->results.device, sizeof r->results.device);
    SW_TRY(follow(r, options));
    if (r->open > 0)
        sw_warn("%s: in %lld of %lld increments the last of %lld iterations still changed displacements by "
                "more than "
                "%g, up to %.2g of the largest: need more increments or iterations (solver.newton)",
                sw_job_path(r->job.source), (long long)r->open, (long long)r->results.done,
                (long long)options->iterations, options->tolerance, r->most);
    SW_TRY(sw_fem_results_write(&r->results, r->job.output.file, 0));
    sw_fem_results_describe(&r->results, text, sizeof text);
    fprintf(sw_said(), "%s: %s\n", sw_plain(r->job.output.file, name), text);
    return SW_OK;
}

sw_status sw_fem_run_by_rates(const sw_fem_job *job)
{
    sw_claim claim = {0};
    run r = {.job = *job};
    SW_TRY(check_keys(job));
    const sw_fem_convected_options options = options_of(job);
    r.job.options.tolerance = options.tolerance;
    r.job.options.linear_tolerance = options.linear_tolerance;
    r.job.output.resumable = 0;
    SW_TRY(sw_h5_claim(job->output.file, &claim));
    const sw_status status = run_all(&r, &options);
    sw_fem_results_free(&r.results);
    sw_claim_release(&claim);
    return status;
}
