/* Where the values of a job come from, and complaints about them. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"
#include "reader.h"

#undef sw_job_error /* it is defined here */

/* ---- Memory ---- */

struct sw_job_block {
    struct sw_job_block *next;
    _Alignas(64) char bytes[];
};

void *sw_job_allocate(sw_job *job, size_t bytes)
{
    const size_t size = sizeof(struct sw_job_block) + (bytes + 63) / 64 * 64;
    struct sw_job_block *block = aligned_alloc(64, size);
    if (block == NULL)
        return NULL;
    memset(block, 0, size);
    block->next = job->blocks;
    job->blocks = block;
    return block->bytes;
}

void sw_job_close(sw_job *job)
{
    if (job == NULL)
        return;
    if (job->release != NULL)
        job->release(job->values);
    while (job->blocks != NULL) {
        struct sw_job_block *next = job->blocks->next;
        free(job->blocks);
        job->blocks = next;
    }
    sw_yaml_close(job->yaml);
    free(job->path);
    free(job->text);
    free(job->option);
    free(job);
}

/* ---- Where a value comes from ---- */

const char *sw_job_path(const sw_job *job) { return job->path; }
const char *sw_job_text(const sw_job *job) { return job->text; }

const sw_job_option *sw_job_find_option(const sw_job *job, const char *key)
{
    for (const sw_job_option *o = job->option; o != NULL && o < job->option + job->n_options; o++) {
        const size_t length = strlen(o->key);
        /* "mesh.cells" gives "mesh.cells[1]", too */
        if (length > 0 && strncmp(o->key, key, length) == 0 && (key[length] == '\0' || key[length] == '['))
            return o;
    }
    return NULL;
}

int sw_job_has_option(const sw_job *job, const sw_key *row)
{
    for (int i = 0; i < job->n_options; i++)
        if (job->option[i].row == row)
            return 1;
    return 0;
}

int sw_job_displaced(const sw_job *job, const char *key)
{
    for (int i = 0; i < job->n_options; i++)
        if (sw_key_listed(job->option[i].row->displaces, key))
            return 1;
    return 0;
}

const char *sw_job_option_of(const sw_job *job, const char *key)
{
    const sw_job_option *option = sw_job_find_option(job, key);
    return option != NULL ? option->row->option : NULL;
}

/* Whether an option gives a key within a section. */
static int has_option_within(const sw_job *job, const char *section)
{
    const size_t length = strlen(section);
    for (int i = 0; i < job->n_options; i++)
        if (strncmp(job->option[i].key, section, length) == 0 && job->option[i].key[length] == '.')
            return 1;
    return 0;
}

int sw_job_given(const sw_job *job, const char *key)
{
    return sw_job_find_option(job, key) != NULL || has_option_within(job, key) ||
           (job->yaml != NULL && sw_yaml_has(job->yaml, key) && !sw_job_displaced(job, key));
}

/* ---- Complaints ---- */

sw_status sw_job_error(const sw_job *job, const char *key, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const sw_job_option *option = sw_job_find_option(job, key);
    if (option != NULL)
        return sw_error(SW_ERR_INPUT, "--%s%s", option->row->option, text);
    if (job->yaml == NULL)
        return sw_error(SW_ERR_INPUT, "%s%s", key, text);
    return sw_yaml_complain(job->yaml, sw_yaml_line(job->yaml, key), "%s%s", key, text);
}

sw_status sw_job_need(const sw_job *job, const char *key, double value, int holds, const char *bound)
{
    if (holds)
        return SW_OK;
    char text[32]; /* as few digits as tell the value apart: a bound missed by 1e-9 must show */
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return sw_job_error(job, key, " = %s: need %s", text, bound);
}

sw_status sw_job_blame(const sw_job *job, const char *key)
{
    return sw_job_error(job, key, ": %.600s", sw_error_message());
}

sw_status sw_job_locate(const sw_job *job, sw_status status)
{
    char message[800], key[SW_KEY_SIZE];
    snprintf(message, sizeof message, "%s", status == SW_OK ? "" : sw_error_message());
    const size_t length = strcspn(message, " :");
    if (length == 0 || length >= sizeof key)
        return status;
    snprintf(key, sizeof key, "%.*s", (int)length, message);
    return sw_job_given(job, key) ? sw_job_error(job, key, "%s", message + length) : status;
}

/* "a, b or c" of keys between blanks. */
static void spell_keys(const char *keys, char *text, size_t size)
{
    size_t length = 0;
    for (const char *at = keys; *at != '\0' && length < size;) {
        const size_t word = strcspn(at, " ");
        const char *before = at == keys ? "" : at[word] == '\0' ? " or " : ", ";
        length += (size_t)snprintf(text + length, size - length, "%s%.*s", before, (int)word, at);
        at += word + strspn(at + word, " ");
    }
}

sw_status sw_job_one_of(const sw_job *job, const char *prefix, const char *keys, int needed, int *chosen)
{
    char first[SW_KEY_SIZE] = "", key[SW_KEY_SIZE], list[256];
    *chosen = -1;
    int index = 0;
    for (const char *at = keys; *at != '\0'; index++) {
        const int word = (int)strcspn(at, " ");
        sw_key_path(key, "%s%.*s", prefix, word, at);
        if (sw_job_given(job, key)) {
            if (*chosen >= 0)
                return sw_job_error(job, key, " beside %s: need only one of them", first);
            *chosen = index;
            sw_key_path(first, "%s", key);
        }
        at += word;
        at += strspn(at, " ");
    }
    if (*chosen >= 0 || !needed)
        return SW_OK;
    spell_keys(keys, list, sizeof list);
    sw_key_path(key, "%s%.*s", prefix, (int)strcspn(keys, " "), keys);
    return sw_job_error(job, key, " is missing: need %s", list);
}

sw_status sw_job_choose(const sw_job *job, const char *key, const char *word, int count,
                        const char *const *names, int *index)
{
    char list[400];
    *index = sw_find_word(word, count, names);
    if (*index >= 0)
        return SW_OK;
    sw_list_words(count, names, list, sizeof list);
    return sw_job_error(job, key, " = %.80s: need one of %s", word, list);
}
