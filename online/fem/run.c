#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/files/hdf5_io.h"
#include "common/job/command.h"
#include "common/job/partial.h"
#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/progress.h"
#include "online/fem/backend/backend.h"
#include "online/fem/output/output.h"

typedef struct {
    const sw_fem_job *job;
    sw_claim claim;         /* on the results file */
    char *partial;          /* name of the file of an unfinished run */
    int has_partial;        /* it is there, and this run's */
    int64_t writing;        /* increments in that which is being written beside the analysis; 0: none is */
    sw_fem_results written; /* as they were then: rows and state stay */
    int64_t kept;           /* increments in it, or in the file that this run began from */
    double begun;           /* s, when it was written last; at first, when the run began */
    double took;            /* s, to write it; at first, what it may take */
    int stale;              /* the state at hand is of an increment that could not be kept */
    int left;               /* the analysis is no longer at the end of the last increment done */
    sw_fem_results results;
    sw_fem *fem;
    sw_progress progress;
} run;

/* Of several processes, whose parts of the body are one analysis, the first one writes and tells. */
static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- An increment ---- */

static void tell(const run *r)
{
    char text[256];
    if (r->job->run.quiet || !is_root())
        return;
    sw_fem_results_describe_last(&r->results, text, sizeof text);
    sw_note("%s", text);
}

/* A file made for an increment that then could not be kept. */
static void forget(const sw_fem_job *job, int64_t increment, const char *end)
{
    char *name = sw_fem_numbered_name(job, increment, end);
    if (name != NULL && is_root())
        sw_file_remove(name);
    free(name);
}

static sw_status write_restart(run *r)
{
    SW_TRY(sw_fem_results_keep(&r->results, r->fem));
    char *name = sw_fem_numbered_name(r->job, r->results.done, "restart.h5");
    if (name == NULL)
        return SW_ERR_MEMORY;
    const sw_status status = is_root() ? sw_fem_results_write(&r->results, name, 1) : SW_OK;
    free(name);
    return status;
}

/* Of a run's time its partial file takes a tenth at most, and is not written more often than every second. */
#define SHARE 10.0
#define PAUSE 1.0
#define WRITING 1e9 /* bytes a second, as a guess before there was one */

static sw_status write_it(void *opaque)
{
    run *r = opaque;
    const double begun = sw_seconds();
    SW_TRY(sw_fem_results_write(&r->written, r->partial, 1));
    r->took = sw_seconds() - begun + PAUSE / SHARE;
    return SW_OK;
}

static void take_back(run *r, int64_t done);

/* Waits for what is being written; increments whose fields could not be are not done. */
static sw_status settle(run *r)
{
    const sw_status status = sw_fem_results_settle(&r->results);
    if (status == SW_OK && r->writing > 0) {
        r->kept = r->writing;
        r->has_partial = 1;
    }
    r->writing = 0;
    if (status != SW_OK && r->results.frame.increment > 0 && r->results.frame.increment <= r->results.done)
        take_back(r, r->results.frame.increment - 1);
    return status;
}

/* From here on beside the analysis, but of several processes. */
static sw_status write_partial(run *r)
{
    SW_TRY(settle(r));
    r->begun = sw_seconds();
    SW_TRY(sw_fem_results_keep(&r->results, r->fem));
    (void)sw_fem_job_identity(r->job); /* before another thread asks */
    r->written = r->results;
    r->writing = r->results.done;
    if (sw_parallel_size() == 1) {
        sw_fem_writer_start(&r->results.writer, !r->fem->backend->queues, write_it, r);
        return SW_OK;
    }
    SW_TRY(is_root() ? write_it(r) : SW_OK);
    return settle(r);
}

static int is_resumable(const run *r) { return r->job->output.resumable && sw_partial_is_kept(); }

/* It holds all increments so far: written after each, it would take most of a run of many small ones. Nor has a run of
 * seconds anything to lose. */
static int partial_is_due(const run *r)
{
    unsigned char due = is_resumable(r) && r->writing == 0 && sw_seconds() - r->begun >= SHARE * r->took;
    sw_parallel_share_flags(&due, 1);
    return due;
}

/* The results no longer hold increments after `done`; a restart file of one of them is whole, and stays. */
static void take_back(run *r, int64_t done)
{
    const sw_fem_job *job = r->job;
    for (; r->results.done > done; r->results.done--) {
        if (job->with_fields[r->results.done - 1])
            forget(job, r->results.done, "vtkhdf");
        r->stale = 1;
    }
    if (is_root())
        (void)sw_fem_results_list(&r->results); /* the message is of what failed first */
}

/* After the last increment the results file itself is the next to be written. */
static sw_status keep(run *r)
{
    const sw_fem_job *job = r->job;
    const int64_t done = r->results.done;
    if (job->with_restart[done - 1] || done == job->n_increments ||
        (r->writing > 0 && sw_fem_writer_is_idle(&r->results.writer)))
        SW_TRY(settle(r));
    const sw_status status = sw_parallel_agree(job->with_restart[done - 1] ? write_restart(r) : SW_OK);
    if (status != SW_OK) {
        take_back(r, done - 1);
        return status;
    }
    sw_phase(done == job->n_increments ? "results" : "kept states");
    if (done == job->n_increments)
        return sw_parallel_agree(is_root() ? sw_fem_results_write(&r->results, job->output.file, 0) : SW_OK);
    return partial_is_due(r) ? sw_parallel_agree(write_partial(r)) : SW_OK;
}

static int has_laws(const sw_fem_job *job)
{
    int has = 0;
    for (int m = 0; m < job->materials_count; m++)
        has |= job->material[m].matter != NULL;
    return has;
}

/* Of a job whose states cannot be kept: its history up to where it failed, beside the results, which stay as they were. 0: there is none. */
static int keep_history(run *r)
{
    char *name = NULL;
    if (!has_laws(r->job) || r->results.done == 0)
        return 0;
    name = sw_file_name("%s.failed", r->job->output.file);
    const int kept = name != NULL && sw_parallel_agree(is_root() ? sw_fem_results_write(&r->results, name, 0)
                                                                 : SW_OK) == SW_OK;
    free(name);
    return kept;
}

/* Before a run that failed ends: what is done and not yet in the partial file, if the state is there, or can be had by all
 * processes alike. 1: history alone. */
static int keep_rest(run *r, int alone)
{
    (void)settle(r);
    if (!alone && keep_history(r))
        return 1;
    const int is_there = r->results.state_of == r->results.done || (!r->left && !alone);
    if (r->results.done > r->kept && is_there && is_resumable(r) && !r->stale)
        (void)(write_partial(r) == SW_OK ? settle(r) : SW_OK); /* the message is of what failed first */
    take_back(r, r->kept);
    return 0;
}

/* Tools that nothing may hold: those that a force moves are held by what they touch, and a body may be by tools. */
static void name_loose_tools(const run *r, char *text, size_t size)
{
    const sw_fem_job *job = r->job;
    sw_fem_contact_sums *sums;
    size_t length = 0;
    text[0] = '\0';
    if (job->tools_count == 0 || SW_ALLOCATE(sums, job->tools_count, "tools") != SW_OK)
        return;
    const sw_status status = sw_fem_read(r->fem, &(sw_fem_fields){.contact = sums});
    for (int t = 0; t < job->tools_count && status == SW_OK && length < size; t++) {
        const char *name = job->tools[t].name;
        if (job->tools[t].force_count > 0)
            length += (size_t)snprintf(text + length, size - length,
                                       "; only the body holds tool %.60s: see tools[%d].force", name, t);
        else if (sums[t].touching == 0)
            length +=
                (size_t)snprintf(text + length, size - length,
                                 "; tool %.60s touches nothing: see tools[%d].move, and whether boundary "
                                 "holds the body",
                                 name, t);
    }
    free(sums);
}

/* Says which increment it was. */
static sw_status advance(run *r, double *increment, sw_fem_report *report)
{
    const sw_fem_job *job = r->job;
    const int64_t i = r->results.done;
    SW_TRY(sw_fem_set_duration(r->fem, job->duration[i]));
    const sw_status status =
        sw_fem_advance(r->fem, job->factor + i * job->problem.n_cases, increment, report);
    if (status != SW_ERR_CONVERGENCE)
        return status;
    char why[700], loose[300];
    snprintf(why, sizeof why, "%s", sw_error_message());
    name_loose_tools(r, loose, sizeof loose);
    return sw_error(status, "%s: increment %lld of %lld (step %d): %s%s", sw_job_path(job->source),
                    (long long)i + 1, (long long)job->n_increments, job->step_of[i], why, loose);
}

/* Before the analysis leaves the end of an increment for good. */
static sw_status keep_state(void *opaque)
{
    run *r = opaque;
    const int keeps = is_resumable(r) && r->results.done > 0 && r->results.state_of != r->results.done;
    if (keeps && r->writing > 0)
        SW_TRY(settle(r));
    SW_TRY(keeps ? sw_fem_results_keep(&r->results, r->fem) : SW_OK);
    r->left = 1;
    return SW_OK;
}

static sw_status follow(run *r)
{
    const sw_fem_job *job = r->job;
    const int64_t first = r->results.done;
    sw_progress_begin(&r->progress, "fem", "increments", job->n_increments - first, job->run.quiet);
    while (r->results.done < job->n_increments) {
        sw_fem_report report;
        const double started = sw_seconds();
        double increment = r->results.increment; /* which stays as it is until all is well */
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
        sw_phase("increments");
        SW_TRY(advance(r, &increment, &report));
        r->left = 1;
        sw_phase("waiting");
        if (job->with_fields[r->results.done])
            SW_TRY(settle(r));
        SW_TRY(sw_fem_results_add(&r->results, r->fem, &report, sw_seconds() - started));
        r->results.increment = increment;
        r->left = 0;
        sw_phase("kept states");
        SW_TRY(keep(r));
        sw_phase("telling");
        tell(r);
        sw_progress_show(&r->progress, r->results.done - first);
    }
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* ---- Begin and end ---- */

/* The tool that a message begins with, by its place. */
static sw_status refuse_tool(const sw_fem_job *job, int tool, const char *message)
{
    char key[SW_KEY_SIZE], at[SW_FEM_PLACE_TEXT];
    sw_key_path(key, "tools[%d].point", tool);
    return sw_job_error(job->source, key, " = %s: %s",
                        sw_fem_place_text(job->tools[tool].point_count, job->tool[tool].point, at), message);
}

static int is_of_tool(const char *message, const char *name)
{
    char start[80];
    const int length = snprintf(start, sizeof start, "tool %.60s: ", name); /* as contact/ begins it */
    return strncmp(message, start, (size_t)length) == 0;
}

/* What cannot be had, with its key where that is given. */
static sw_status refuse(const sw_fem_job *job, sw_status status)
{
    static const struct {
        const char *word, *key;
    } keys[] = {{"device ", "device"},
                {"preconditioner ", "solver.preconditioner"},
                {"linear ", "solver.linear"},
                {"operator ", "solver.operator"},
                {"storage ", "solver.storage"}};
    const char *message = sw_error_message();
    for (int t = 0; t < job->tools_count; t++)
        if (is_of_tool(message, job->tools[t].name))
            return refuse_tool(job, t, message);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const size_t length = strlen(keys[i].word);
        if (strncmp(message, keys[i].word, length) == 0 && sw_job_given(job->source, keys[i].key))
            return sw_job_error(job->source, keys[i].key, " = %s", message + length);
    }
    return status == SW_ERR_RANGE ? sw_error(SW_ERR_INPUT, "%s: %s", sw_job_path(job->source), message)
                                  : status;
}

static sw_status open_analysis(run *r)
{
    const sw_status status = sw_fem_open(&r->job->problem, &r->job->options, &r->fem);
    return status == SW_ERR_RANGE || status == SW_ERR_UNAVAILABLE ? refuse(r->job, status) : status;
}

/* Increments that a file of a run that failed holds; 0: it is none. */
static int64_t increments_in(const char *path)
{
    hid_t file, group;
    double n = 0;
    if (sw_h5_open(path, 0, &file) != SW_OK)
        return 0;
    if (sw_h5_has_text(file, "format", "slipwave-fem") && (group = H5Gopen2(file, "run", H5P_DEFAULT)) >= 0) {
        n = sw_h5_read_numbers(group, "increments", 1, &n) == SW_OK ? n : 0;
        H5Gclose(group);
    }
    H5Fclose(file);
    return n >= 1 && n < (double)INT32_MAX ? (int64_t)n : 0;
}

/* History and fields of an earlier run that failed, which would look like this one's. */
static sw_status drop_failed(run *r)
{
    const sw_fem_job *job = r->job;
    char *name = sw_file_name("%s.failed", job->output.file);
    if (name == NULL)
        return SW_ERR_MEMORY;
    const int64_t n = is_root() && sw_file_is_there(name) ? increments_in(name) : 0;
    for (int64_t i = r->results.done; i < n && i < job->n_increments; i++)
        if (job->with_fields[i])
            forget(job, i + 1, "vtkhdf");
    r->results.listed = n;
    if (n > 0) {
        (void)sw_fem_results_list(&r->results);
        sw_file_remove(name);
    }
    free(name);
    return SW_OK;
}

/* Files of one process may be others than those of the first. */
static sw_status need_same(const sw_fem_job *job)
{
    const char *named = sw_job_path(job->source), *path = named != NULL ? named : "the job",
               *text = sw_job_text(job->source);
    const uint64_t hash = sw_hash(SW_HASH_START, text, strlen(text));
    char what[SW_LINE];
    if (sw_parallel_size() == 1)
        return SW_OK;
    SW_TRY(sw_parallel_need_same(&hash, sizeof hash, path));
    snprintf(what, sizeof what, "%s: what its files have", path);
    SW_TRY(sw_parallel_need_same(sw_fem_job_identity(job), SW_HASH_TEXT, what));
    return sw_parallel_need_same(&job->crystals_identity, sizeof job->crystals_identity, what);
}

static sw_status begin(run *r)
{
    const int resume = r->job->run.resume;
    const char *restart = r->job->restart;
    sw_phase("job");
    SW_TRY(need_same(r->job));
    SW_TRY(sw_parallel_agree(is_root() ? sw_h5_claim(r->job->output.file, &r->claim) : SW_OK));
    r->partial = sw_file_name("%s.partial", r->job->output.file);
    if (r->partial == NULL)
        return SW_ERR_MEMORY;
    unsigned char left = (unsigned char)sw_file_is_there(r->partial);
    sw_parallel_share_flags(&left, 1);
    if (left && !resume && sw_same_file(r->partial, restart))
        return sw_error(SW_ERR_INPUT,
                        "--restart = %s: is what this run would keep its state in: --resume goes on with it",
                        restart);
    SW_TRY(sw_partial_meet(r->partial, left, resume));
    const char *from = left && resume ? r->partial : restart;
    SW_TRY(sw_parallel_agree(sw_fem_results_begin(r->job, from, &r->results)));
    r->has_partial = left;
    r->kept = r->results.done;
    SW_TRY(sw_parallel_agree(open_analysis(r)));
    r->fem->leaving = keep_state;
    r->fem->keeper = r;
    r->begun = sw_seconds();
    r->took = sw_fem_results_state_bytes(&r->results) / WRITING;
    SW_TRY(sw_parallel_agree(drop_failed(r)));
    return from == NULL ? SW_OK : sw_fem_restore(r->fem, &r->results.state);
}

static sw_status finish(run *r, int nothing_done)
{
    char text[256], name[SW_LINE];
    if (!is_root())
        return SW_OK;
    if (nothing_done) /* all increments were in the restart file */
        SW_TRY(sw_fem_results_write(&r->results, r->job->output.file, 0));
    if (r->has_partial)
        sw_file_remove(r->partial);
    sw_fem_warn_of_tools(&r->results);
    sw_fem_results_describe(&r->results, text, sizeof text);
    fprintf(sw_said(), "%s: %s\n", sw_plain(r->job->output.file, name), text);
    return SW_OK;
}

/* What one process alone may fail by, while others wait for it: then it ends them. All else fails on all. */
static int is_own(sw_status status) { return status == SW_ERR_MEMORY || status == SW_ERR_UNAVAILABLE; }

static sw_status run_all(run *r)
{
    SW_TRY(begin(r));
    const int64_t first = r->results.done;
    if (first > 0 && !r->job->run.quiet && is_root())
        sw_note("resume: %lld of %lld increments kept", (long long)first, (long long)r->job->n_increments);
    const sw_status status = follow(r);
    if (status != SW_OK) {
        char message[1024];
        snprintf(message, sizeof message, "%s", sw_error_message());
        if (keep_rest(r, is_own(status) && sw_parallel_size() > 1))
            return sw_error(
                status, "%s; %lld of %lld increments are in %s.failed, with which nothing goes on", message,
                (long long)r->results.done, (long long)r->job->n_increments, r->job->output.file);
        (void)sw_error(status, "%s", message);
        return r->has_partial ? sw_partial_tell(status, r->partial, "%lld of %lld increments are",
                                                (long long)r->kept, (long long)r->job->n_increments)
                              : status;
    }
    return finish(r, first == r->job->n_increments);
}

sw_status sw_fem_run(const sw_fem_job *job)
{
    run r = {.job = job};
    sw_status status = run_all(&r);
    if (!is_own(status)) /* after the last file is whole: a process that fails ends the others */
        status = sw_parallel_agree(status);
    sw_phase("end");
    sw_fem_close(r.fem);
    sw_fem_results_free(&r.results);
    sw_claim_release(&r.claim);
    free(r.partial);
    return status;
}
