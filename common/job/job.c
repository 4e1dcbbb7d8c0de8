#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "reader.h"

static sw_status no_memory(const sw_job *job)
{
    return sw_error(SW_ERR_MEMORY, "%s: not enough memory to read it", job->path ? job->path : "options");
}

/* ---- Options of the command line ---- */

/* The row of an option, somewhere in a table, and its key's path; NULL: no such. Within lists, entry -1
 * stands for the last. */
static const sw_key *find_option(const sw_key *keys, const char *prefix, const char *name,
                                 char key[SW_KEY_SIZE])
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        char own[SW_KEY_SIZE], inner[SW_KEY_SIZE];
        sw_key_path(own, "%s%s", prefix, k->name ? k->name : "");
        if (k->option != NULL && strcmp(k->option, name) == 0) {
            sw_key_path(key, "%s", k->name ? own : "");
            return k;
        }
        if (k->keys == NULL)
            continue;
        sw_key_path(inner, k->type == SW_KEY_LIST ? "%s[-1]." : "%s.", own);
        const sw_key *found = find_option(k->keys, inner, name, key);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static sw_status take_options(sw_job *job, const sw_key *keys, const sw_arguments *arguments)
{
    if (arguments->n_options == 0)
        return SW_OK;
    job->option = calloc((size_t)arguments->n_options, sizeof *job->option);
    if (job->option == NULL)
        return no_memory(job);
    for (; job->n_options < arguments->n_options; job->n_options++) {
        sw_job_option *option = &job->option[job->n_options];
        const char *name = arguments->option[job->n_options][0];
        option->value = arguments->option[job->n_options][1];
        option->row = find_option(keys, "", name, option->key);
        if (option->row == NULL)
            return sw_error(SW_ERR_INPUT, "unknown option '--%s'", name);
    }
    return SW_OK;
}

/* ---- Reading ---- */

static sw_status read_values(sw_job *job, const sw_key *keys, size_t size, void **values)
{
    job->keys = keys;
    job->values = *values = sw_job_allocate(job, size);
    if (*values == NULL)
        return no_memory(job);
    if (job->text != NULL)
        SW_TRY(sw_yaml_open(job->path, job->text, &job->yaml));
    SW_TRY(sw_job_load(job));
    return sw_job_check(job);
}

static sw_status open_job(const sw_key *keys, size_t size, const char *path, const sw_arguments *arguments,
                          char *text, sw_job **opened, void **values)
{
    sw_job *job = calloc(1, sizeof *job);
    *opened = NULL;
    *values = NULL;
    if (job == NULL || (path != NULL && (job->path = strdup(path)) == NULL)) {
        free(text);
        free(job);
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to read it", path ? path : "options");
    }
    job->text = text;
    sw_status status = take_options(job, keys, arguments);
    if (status == SW_OK)
        status = read_values(job, keys, size, values);
    if (status == SW_OK)
        *opened = job;
    else {
        sw_job_close(job);
        *values = NULL;
    }
    return status;
}

sw_status sw_job_read(const sw_key *keys, size_t size, const sw_arguments *arguments, int with_file,
                      sw_job **job, void **values)
{
    char *text = NULL;
    *job = NULL;
    *values = NULL;
    if (with_file)
        SW_TRY(sw_read_text(arguments->file, &text));
    return open_job(keys, size, arguments->file, arguments, text, job, values);
}

void *sw_job_open(const sw_job_kind *kind, const sw_arguments *arguments, sw_status *status)
{
    sw_job *source;
    void *values;
    *status = sw_job_read(kind->keys, kind->size, arguments, 1, &source, &values);
    if (*status != SW_OK)
        return NULL;
    source->release = kind->release;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): a pointer */
    memcpy((char *)values + kind->source, &source, sizeof source);
    *status = kind->check(values);
    if (*status == SW_OK)
        return values;
    sw_job_close(source);
    return NULL;
}

sw_status sw_job_parse_with(const sw_key *keys, size_t size, const sw_arguments *arguments, const char *text,
                            sw_job **job, void **values)
{
    const char *path = arguments->file;
    char *copy = strdup(text);
    *job = NULL;
    *values = NULL;
    if (copy == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to read it", path);
    return open_job(keys, size, path, arguments, copy, job, values);
}

sw_status sw_job_parse(const sw_key *keys, size_t size, const char *path, const char *text, sw_job **job,
                       void **values)
{
    return sw_job_parse_with(keys, size, &(sw_arguments){.file = path}, text, job, values);
}
