#include "tasks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tasks ---- */

enum { TASKS = 6 };
static const sw_forming_task *const tasks[TASKS + 1] = {&sw_r_values_task,
                                                        &sw_yield_surface_task,
                                                        &sw_functions_task,
                                                        &sw_earing_task,
                                                        &sw_forming_limit_task,
                                                        &sw_fit_task,
                                                        NULL};

static int has(const sw_forming_job *job, const sw_forming_task *task)
{
    return sw_job_given(job->source, task->name);
}

sw_status sw_forming_check_tasks(const sw_forming_job *job)
{
    char names[256] = "";
    int n = 0;
    for (const sw_forming_task *const *t = tasks; *t != NULL; t++) {
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", t > tasks ? ", " : "",
                 (*t)->name);
        if (!has(job, *t))
            continue;
        n++;
        if ((*t)->check != NULL)
            SW_TRY((*t)->check(job));
    }
    return n > 0 ? SW_OK
                 : sw_error(SW_ERR_INPUT, "%s: no task: need a section of one or more of %s",
                            sw_job_path(job->source), names);
}

/* ---- Results ---- */

static sw_status write_run(const sw_forming *f)
{
    const sw_forming_job *job = f->job;
    const double version = 1, numbers[2] = {(double)f->population.total, job->strain_increment};
    hid_t group;
    SW_TRY(sw_h5_write_text(f->output.file, "format", "slipwave-forming"));
    SW_TRY(sw_h5_write_numbers(f->output.file, "version", 1, &version));
    SW_TRY(sw_h5_group(f->output.file, "run", &group));
    sw_status status = sw_h5_write_text(group, "job", sw_job_text(job->source));
    if (status == SW_OK)
        status = sw_h5_write_text(group, "program", "slipwave " SW_VERSION);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "solver", f->choice.solver->name);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "device", f->choice.device);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "material", f->made_of.material.name);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "crystals", 1, &numbers[0]);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "strain_increment", 1, &numbers[1]);
    H5Gclose(group);
    return status;
}

/* ---- Tasks ---- */

/* Of those that can be brought back: names, ends with NULL. */
static void list_restorable(const char *name[TASKS + 1])
{
    for (const sw_forming_task *const *task = tasks; *task != NULL; task++)
        if ((*task)->restore != NULL)
            *name++ = (*task)->name;
    *name = NULL;
}

static sw_status restore_task(sw_forming *f, const sw_forming_task *task)
{
    hid_t group = H5Gopen2(f->output.file, task->name, H5P_DEFAULT);
    const sw_status status = task->restore(f, group);
    H5Gclose(group);
    return status;
}

static sw_status run_task(sw_forming *f, const sw_forming_task *task)
{
    const char *restorable[TASKS + 1];
    hid_t group;
    list_restorable(restorable);
    if (sw_h5_exists(f->output.file, task->name))
        return restore_task(f, task);
    SW_TRY(sw_h5_group(f->output.file, task->name, &group));
    f->evaluations = 0;
    sw_progress_begin(&f->progress, task->name, "crystal-steps", 0, f->job->run.quiet);
    const sw_status status = task->run(f, group);
    H5Gclose(group);
    SW_TRY(status);
    f->progress.total = f->evaluations; /* known now */
    if (f->evaluations > 0)
        sw_progress_end(&f->progress);
    return task->restore != NULL ? sw_forming_kept_write(f, restorable) : SW_OK;
}

static sw_status for_all(sw_forming *f, sw_status (*act)(sw_forming *f, const sw_forming_task *task))
{
    for (const sw_forming_task *const *task = tasks; *task != NULL; task++)
        if (has(f->job, *task))
            SW_TRY(act(f, *task));
    return SW_OK;
}

static sw_status release_task(sw_forming *f, const sw_forming_task *task)
{
    if (task->release != NULL)
        task->release(f);
    return SW_OK;
}

/* ---- Texts beside the results ---- */

static sw_status for_texts(sw_forming *f, const sw_forming_task *task,
                           sw_status (*act)(sw_forming *f, const sw_forming_task *task, int k,
                                            const char *path))
{
    for (int k = 0; k < task->texts; k++) {
        const char *path = task->text_path(f->job, k);
        if (path != NULL)
            SW_TRY(act(f, task, k, path));
    }
    return SW_OK;
}

/* Whether two paths lead to one place, where there may be no file yet. */
static int are_one_place(const char *a, const char *b)
{
    const char *path[2] = {a, b}, *name[2];
    char folder[2][PATH_MAX];
    for (int i = 0; i < 2; i++) {
        char copy[PATH_MAX];
        const char *slash = strrchr(path[i], '/');
        name[i] = slash != NULL ? slash + 1 : path[i];
        snprintf(copy, sizeof copy, "%.*s", (int)(name[i] - path[i]), path[i]);
        if (realpath(slash != NULL ? copy : ".", folder[i]) == NULL)
            return 0; /* writing it will say why */
    }
    return sw_same_file(a, b) || (strcmp(folder[0], folder[1]) == 0 && strcmp(name[0], name[1]) == 0);
}

/* Whether a text before number k of a task goes to the same file, by its name or by another one. */
static int is_taken(const sw_forming_job *job, const sw_forming_task *task, int k, const char *path)
{
    for (const sw_forming_task *const *t = tasks; *t != NULL; t++)
        for (int i = 0; i < (*t)->texts && has(job, *t); i++) {
            const char *other = (*t)->text_path(job, i);
            if (*t == task && i == k)
                return 0;
            if (other != NULL && are_one_place(other, path))
                return 1;
        }
    return 0;
}

/* A file of its own, and one that can be written. */
static sw_status probe(sw_forming *f, const sw_forming_task *task, int k, const char *path)
{
    const char *results = f->job->output.file;
    if (are_one_place(results, path))
        return sw_job_error(f->job->source, task->text_key[k], " = %s: is output.file: need another one",
                            path);
    if (is_taken(f->job, task, k, path))
        return sw_job_error(f->job->source, task->text_key[k],
                            " = %s: is a file of another key: need one of its own", path);
    return sw_text_file_probe(path);
}

static sw_status write_claimed(const sw_forming *f, const sw_forming_task *task, int k, const char *path)
{
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_text_file_begin(path, &output, &file));
    return sw_text_file_end(&output, file, task->write_text(f, k, file));
}

/* With a claim, for what killed runs left goes by it. */
static sw_status write(sw_forming *f, const sw_forming_task *task, int k, const char *path)
{
    sw_claim claim;
    SW_TRY(sw_claim_take(path, &claim));
    const sw_status status = write_claimed(f, task, k, path);
    sw_claim_release(&claim);
    return status;
}

/* Before hours of work, not after. */
static sw_status probe_texts(sw_forming *f, const sw_forming_task *task) { return for_texts(f, task, probe); }
static sw_status write_texts(sw_forming *f, const sw_forming_task *task) { return for_texts(f, task, write); }

/* ---- All ---- */

static void say(const sw_forming *f, FILE *out)
{
    char name[SW_LINE];
    fprintf(out, "%s: %lld crystals, %s, %s\n", sw_plain(f->job->output.file, name),
            (long long)f->population.total, f->choice.solver->name, f->choice.device);
    for (const sw_forming_task *const *task = tasks; *task != NULL; task++)
        if (has(f->job, *task) && (*task)->print != NULL)
            (*task)->print(f, out);
}

static sw_status run_all(sw_forming *f)
{
    const char *restorable[TASKS + 1];
    list_restorable(restorable);
    SW_TRY(sw_forming_kept_find(f));
    SW_TRY(for_all(f, probe_texts));
    SW_TRY(sw_forming_open(f->job, f));
    SW_TRY(sw_forming_kept_read(f, restorable));
    SW_TRY(for_all(f, run_task));
    SW_TRY(write_run(f));
    SW_TRY(for_all(f, write_texts));
    return sw_h5_commit(&f->output);
}

/* Kept is what another try, of the same job, can go on from. */
static sw_status end(sw_forming *f, sw_status status)
{
    const int can_go_on = status == SW_ERR_INTERRUPTED || status == SW_ERR_IO || status == SW_ERR_MEMORY;
    if (f->kept.is_own && f->kept.tasks > 0 && can_go_on)
        return sw_forming_kept_tell(f, status);
    sw_forming_kept_remove(f);
    return status;
}

sw_status sw_forming_run(const sw_forming_job *job, FILE *out)
{
    sw_forming f = {.job = job};
    sw_use_threads(&job->run);
    const sw_status status = end(&f, run_all(&f));
    if (status == SW_OK)
        say(&f, out);
    (void)for_all(&f, release_task);
    sw_forming_close(&f);
    return status;
}
