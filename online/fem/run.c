#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "common/progress.h"
#include "output.h"

typedef struct {
    const sw_fem_job *job;
    char *partial;   /* name of the file of an unfinished run */
    int has_partial; /* it is there, and this run's */
    sw_fem_results results;
    sw_fem *fem;
    sw_progress progress;
} run;

/* ---- An increment ---- */

static void tell(const run *r, int quiet)
{
    char text[256];
    if (quiet)
        return;
    sw_fem_results_describe_last(&r->results, text, sizeof text);
    fprintf(stderr, "%s%s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text);
}

/* A file made for an increment that then could not be kept. */
static void forget(const sw_fem_job *job, int64_t increment, const char *end)
{
    char *name = sw_fem_numbered_name(job, increment, end);
    if (name != NULL)
        unlink(name);
    free(name);
}

static sw_status write_restart(const run *r)
{
    char *name = sw_fem_numbered_name(r->job, r->results.done, "restart.h5");
    if (name == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for names", r->job->output.file);
    const sw_status status = sw_fem_results_write(&r->results, name, 1);
    free(name);
    return status;
}

/* After the last increment the results file itself is the next to be written. */
static sw_status keep(run *r)
{
    const sw_fem_job *job = r->job;
    const int64_t done = r->results.done;
    sw_status status = job->with_restart[done - 1] ? write_restart(r) : SW_OK;
    if (status == SW_OK) {
        const int last = done == job->n_increments;
        status = sw_fem_results_write(&r->results, last ? job->output.file : r->partial, !last);
        r->has_partial |= status == SW_OK && !last;
    }
    if (status != SW_OK && job->with_restart[done - 1])
        forget(job, done, "restart.h5");
    if (status != SW_OK && job->with_fields[done - 1])
        forget(job, done, "vtkhdf");
    if (status != SW_OK)
        r->results.done--;
    return status;
}

static sw_status follow(run *r, int quiet)
{
    const sw_fem_job *job = r->job;
    const int64_t first = r->results.done;
    sw_progress_begin(&r->progress, "fem", "increments", job->n_increments - first, quiet);
    while (r->results.done < job->n_increments) {
        sw_fem_report report;
        const double started = sw_seconds();
        SW_TRY(sw_interrupt_check());
        SW_TRY(sw_fem_advance(r->fem, job->factor + r->results.done * job->problem.n_cases,
                              &r->results.increment, &report));
        SW_TRY(sw_fem_results_add(&r->results, r->fem, &report, sw_seconds() - started));
        SW_TRY(keep(r));
        tell(r, quiet);
        sw_progress_show(&r->progress, r->results.done - first);
    }
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* ---- Begin and end ---- */

/* Before the work, not after: can the results be written? */
static sw_status check_output(const sw_fem_job *job)
{
    sw_h5_output probe;
    if (sw_same_file(job->output.file, job->geometry.file))
        return sw_fem_job_error(job, "output.file", " = %s: is an input of this job", job->output.file);
    SW_TRY(sw_h5_begin(job->output.file, &probe));
    sw_h5_abandon(&probe);
    return SW_OK;
}

static sw_status begin(run *r, int resume, const char *restart)
{
    SW_TRY(check_output(r->job));
    r->partial = sw_fem_partial_name(r->job);
    if (r->partial == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for names", r->job->output.file);
    const int left = access(r->partial, F_OK) == 0;
    if (left && !resume && !sw_same_file(r->partial, restart))
        return sw_error(SW_ERR_INPUT,
                        "%s: is left from an earlier run: --resume goes on with it, removing it starts anew",
                        r->partial);
    const char *from = left && resume ? r->partial : restart;
    SW_TRY(sw_fem_results_begin(r->job, from, &r->results));
    r->has_partial = left;
    const sw_status status = sw_fem_open(&r->job->problem, &r->job->options, &r->fem);
    if (status == SW_ERR_RANGE) /* what the job asks for, then */
        return sw_error(SW_ERR_INPUT, "%s: %s", r->job->path, sw_error_message());
    SW_TRY(status);
    return from == NULL ? SW_OK : sw_fem_restore(r->fem, &r->results.state);
}

static sw_status finish(run *r, int nothing_done)
{
    char text[256];
    if (nothing_done) /* all increments were in the restart file */
        SW_TRY(sw_fem_results_write(&r->results, r->job->output.file, 0));
    if (r->has_partial)
        unlink(r->partial);
    sw_fem_results_describe(&r->results, text, sizeof text);
    printf("%s: %s\n", r->job->output.file, text);
    return SW_OK;
}

static sw_status run_all(run *r, int resume, const char *restart, int quiet)
{
    SW_TRY(begin(r, resume, restart));
    const int64_t first = r->results.done;
    if (first > 0 && !quiet)
        fprintf(stderr, "resume: %lld of %lld increments kept\n", (long long)first,
                (long long)r->job->n_increments);
    const sw_status status = follow(r, quiet);
    if (status != SW_OK && r->has_partial)
        return sw_error(status, "%s; %lld of %lld increments are kept in %s: --resume goes on",
                        sw_error_message(), (long long)r->results.done, (long long)r->job->n_increments,
                        r->partial);
    SW_TRY(status);
    return finish(r, first == r->job->n_increments);
}

sw_status sw_fem_run(const sw_fem_job *job, int resume, const char *restart, int quiet)
{
    run r = {.job = job};
    const sw_status status = run_all(&r, resume, restart, quiet);
    if (r.fem != NULL)
        sw_fem_close(r.fem);
    sw_fem_results_free(&r.results);
    free(r.partial);
    return status;
}
