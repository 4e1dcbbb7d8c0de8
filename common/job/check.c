/* What must be there, and what may not, once both file and options are known. */
#include <stdio.h>
#include <string.h>

#include "common/files/output_file.h"
#include "reader.h"

/* ---- Keys that belong together ---- */

/* ", with all of output" for "output.file" where there is no such section; "" otherwise. */
static void spell_absent_section(const sw_job *job, const char *key, char *text, size_t size)
{
    char section[SW_KEY_SIZE];
    sw_key_path(section, "%.*s", (int)strcspn(key, ".["), key);
    if (strcmp(section, key) != 0 && !sw_job_given(job, section))
        snprintf(text, size, ", with all of %s", section);
    else
        text[0] = '\0';
}

static sw_status missing(const sw_job *job, const sw_key *row, const char *key, const char *why)
{
    char bound[400] = "", with[SW_KEY_SIZE + 16];
    if (row->name == NULL)
        return sw_error(SW_ERR_INPUT, "--%s is missing: need %s", row->option, row->help);
    if (row->type != SW_KEY_SECTION && (row->type != SW_KEY_LIST || row->bound != NULL))
        sw_key_bound(row, bound, sizeof bound);
    spell_absent_section(job, key, with, sizeof with);
    if (why == NULL)
        return sw_job_error(job, key, " is missing%s%s%s", with, *bound ? ": need " : "", bound);
    return sw_job_error(job, key, " is missing%s: %s needs it%s%s", with, why, *bound ? ", " : "", bound);
}

/* Keys of other cases than the chosen one are not there; those that it needs are. */
static sw_status check_case(const sw_job *job, const sw_key *keys, const char *prefix, const sw_key *word,
                            int index)
{
    const sw_key_case *chosen = index >= 0 ? &word->cases[index] : NULL;
    char key[SW_KEY_SIZE], why[160];
    if (chosen == NULL)
        return SW_OK;
    snprintf(why, sizeof why, "%s = %s", word->name, chosen->name);
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        int named = 0;
        if (k->name == NULL)
            continue;
        for (const sw_key_case *c = word->cases; c->name != NULL; c++)
            named |= sw_key_listed(c->needs, k->name) || sw_key_listed(c->takes, k->name);
        const int needed = sw_key_listed(chosen->needs, k->name);
        const int given = sw_job_given(job, sw_key_path(key, "%s%s", prefix, k->name));
        if (needed && !given)
            return missing(job, k, key, why);
        if (given && named && !needed && !sw_key_listed(chosen->takes, k->name))
            return sw_job_error(job, key, " has no place beside %s", why);
    }
    return SW_OK;
}

static sw_status check_table(const sw_job *job, const sw_key *keys, const char *prefix,
                             const char *structure);

static sw_status check_entries(const sw_job *job, const sw_key *row, const char *key, const char *structure)
{
    const char *first = sw_key_entries(row, structure);
    char prefix[SW_KEY_SIZE];
    for (int i = 0; i < sw_key_count(row, structure); i++)
        SW_TRY(check_table(job, row->keys, sw_key_path(prefix, "%.100s[%d].", key, i),
                           first + (size_t)i * row->entry_size));
    return SW_OK;
}

/* ---- Files that are written are none that are read ---- */

/* The key of a path among the values of a table that is the same file; NULL: none. */
static const char *find_input(const sw_key *keys, const char *prefix, const char *structure, const char *file,
                              char key[SW_KEY_SIZE]);

static const char *find_in_list(const sw_key *row, const char *prefix, const char *structure,
                                const char *file, char key[SW_KEY_SIZE])
{
    const char *first = sw_key_entries(row, structure);
    char inner[SW_KEY_SIZE];
    for (int i = 0; i < sw_key_count(row, structure); i++) {
        const char *entry = first + (size_t)i * row->entry_size, *path, *found = NULL;
        sw_key_path(inner, "%.90s%s[%d]%s", prefix, row->name, i, row->keys != NULL ? "." : "");
        if (row->keys != NULL)
            found = find_input(row->keys, inner, entry, file, key);
        else if (row->entry == SW_KEY_PATH && (memcpy(&path, entry, sizeof path), sw_same_file(path, file)))
            found = sw_key_path(key, "%s", inner);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static const char *find_input(const sw_key *keys, const char *prefix, const char *structure, const char *file,
                              char key[SW_KEY_SIZE])
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        const char *path, *found = NULL;
        char inner[SW_KEY_SIZE];
        if (k->type == SW_KEY_LIST)
            found = find_in_list(k, prefix, structure, file, key);
        else if (k->keys != NULL)
            found =
                find_input(k->keys, sw_key_path(inner, "%.90s%s.", prefix, k->name), structure, file, key);
        else if (k->type == SW_KEY_PATH &&
                 (memcpy(&path, structure + k->to, sizeof path), sw_same_file(path, file)))
            found = sw_key_path(key, "%.90s%s", prefix, k->name != NULL ? k->name : k->option);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static sw_status check_output(const sw_job *job, const sw_key *row, const char *key, const char *file)
{
    char input[SW_KEY_SIZE];
    if (row->name == NULL && sw_same_file(file, job->path))
        return sw_error(SW_ERR_INPUT, "--%s = %s: is the file that is read", row->option, file);
    if (sw_same_file(file, job->path))
        return sw_job_error(job, key, " = %s: is the file that is read", file);
    if (find_input(job->keys, "", job->values, file, input) != NULL)
        return sw_job_error(job, key, " = %s: is the input %s", file, input);
    return SW_OK;
}

/* ---- All of it ---- */

/* Whether any key of a mapping is given: that which may stand for a number need not be there. */
static int has_any(const sw_job *job, const sw_key *keys, const char *mapping)
{
    char key[SW_KEY_SIZE];
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++)
        if (k->name != NULL && sw_job_given(job, sw_key_path(key, "%.90s.%s", mapping, k->name)))
            return 1;
    return 0;
}

static sw_status check_row(const sw_job *job, const sw_key *keys, const sw_key *row, const char *prefix,
                           const char *structure)
{
    char key[SW_KEY_SIZE], inner[SW_KEY_SIZE];
    const char *file;
    int index;
    const int given = row->name != NULL ? sw_job_given(job, sw_key_path(key, "%s%s", prefix, row->name))
                                        : sw_job_has_option(job, row);
    if (row->needed && !given && row->type != SW_KEY_SECTION) /* a section's keys say it themselves */
        return missing(job, row, key, NULL);
    if (row->type == SW_KEY_OUTPUT && given) {
        memcpy(&file, structure + row->to, sizeof file);
        SW_TRY(check_output(job, row, key, file));
    }
    if (row->cases != NULL) {
        memcpy(&index, structure + row->to, sizeof index);
        SW_TRY(check_case(job, keys, prefix, row, index));
    }
    if (row->keys == NULL || !(given || row->needed))
        return SW_OK;
    if (row->type == SW_KEY_LIST)
        return check_entries(job, row, key, structure);
    if ((row->type == SW_KEY_REAL || row->type == SW_KEY_WORD) && !has_any(job, row->keys, key))
        return SW_OK;
    return check_table(job, row->keys, sw_key_path(inner, "%.100s.", key), structure);
}

static sw_status check_table(const sw_job *job, const sw_key *keys, const char *prefix, const char *structure)
{
    for (const sw_key *row = keys; row->type != SW_KEY_END; row++)
        SW_TRY(check_row(job, keys, row, prefix, structure));
    return SW_OK;
}

sw_status sw_job_check(const sw_job *job) { return check_table(job, job->keys, "", job->values); }
