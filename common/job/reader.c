/* A structure filled by the rows of its table: defaults, the file's values, those of options in their place.
 */
#include "reader.h"

#include <math.h>
#include <stdarg.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/memory/memory_files.h"
#include "common/files/text.h"
#include "common/system/built.h"

/* Where a value stands, for complaints: an option, or a line of the file. */
typedef struct {
    const sw_job *job;
    const char *key;
    const char *option; /* NULL: of the file */
    int line;
} place;

/* ---- Complaints ---- */

__attribute__((format(printf, 2, 3))) static sw_status complain(const place *at, const char *format, ...)
{
    char text[800];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *subject = *at->key == '\0' ? "the file" : at->key;
    return at->option != NULL ? sw_error(SW_ERR_INPUT, "--%s%s", at->option, text)
                              : sw_yaml_complain(at->job->yaml, at->line, "%s%s", subject, text);
}

/* " = VALUE: need ..." for a scalar, " is a list: need ..." for the rest. */
static sw_status wrong_text(const place *at, const char *text, const char *need)
{
    return complain(at, " = %.80s%s: need %s", *text == '\0' ? "''" : text, strlen(text) > 80 ? "..." : "",
                    need);
}

static sw_status wrong_node(const place *at, const yaml_node_t *node, const char *need)
{
    const char *text = sw_yaml_text(node);
    if (text != NULL)
        return wrong_text(at, text, need);
    return complain(at, " %s: need %s",
                    node->type == YAML_SEQUENCE_NODE  ? "is a list"
                    : node->type == YAML_MAPPING_NODE ? "is a mapping"
                                                      : "has a NUL character",
                    need);
}

static sw_status no_memory(const place *at)
{
    return sw_error(SW_ERR_MEMORY, "%s: not enough memory for %s", at->job->path ? at->job->path : "options",
                    at->key);
}

/* ---- Defaults ---- */

static void set_int(void *to, int value) { memcpy(to, &value, sizeof value); }

static void fill_tensor(char *to, double number)
{
    for (size_t i = 0; i < 9; i++)
        memcpy(to + i * sizeof number, &number, sizeof number);
}

static void set_defaults(const sw_key *keys, char *structure)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        const int64_t whole = k->type == SW_KEY_WHOLE ? (int64_t)k->standard : 0;
        if (k->type == SW_KEY_WORD || k->type == SW_KEY_YES)
            set_int(structure + k->to, (int)k->standard);
        else if (k->type == SW_KEY_WHOLE)
            memcpy(structure + k->to, &whole, sizeof whole);
        else if (k->type == SW_KEY_REAL)
            memcpy(structure + k->to, &k->standard, sizeof k->standard);
        else if (k->type == SW_KEY_TENSOR)
            fill_tensor(structure + k->to, k->blank ? NAN : 0);
        if (k->keys != NULL && k->type != SW_KEY_LIST)
            set_defaults(k->keys, structure);
    }
}

/* ---- Scalars ---- */

static int within(const sw_key *row, double value)
{
    return (row->open & SW_OPEN_BELOW ? value > row->least : value >= row->least) &&
           (row->open & SW_OPEN_ABOVE ? value < row->most : value <= row->most) &&
           (value == 0 || fabs(value) >= row->smallest);
}

static sw_status take_number(const place *at, const sw_key *row, sw_key_type type, const char *text, void *to)
{
    char bound[320];
    int64_t whole;
    double real = 0;
    const int in_digits = type == SW_KEY_WHOLE || row->whole;
    if (row->blank && strcmp(text, "x") == 0) {
        real = NAN;
        memcpy(to, &real, sizeof real);
        return SW_OK;
    }
    const char *wanted = in_digits ? sw_parse_whole(text, &whole) : sw_parse_real(text, &real);
    if (wanted == NULL && in_digits)
        real = (double)whole;
    if (wanted != NULL)
        return wrong_text(at, text, wanted);
    if (!within(row, real)) {
        sw_key_bound(row, bound, sizeof bound);
        return wrong_text(at, text, bound);
    }
    if (type == SW_KEY_WHOLE)
        memcpy(to, &whole, sizeof whole);
    else
        memcpy(to, &real, sizeof real);
    return SW_OK;
}

/* A path of the file -> one from the working folder: of what is beside the file, or else is in the working folder
 * itself; where neither is there, beside the file. */
static sw_status take_path(const place *at, const char *text, const char **to)
{
    const char *slash = at->option != NULL || *text == '/' ? NULL : strrchr(at->job->path, '/');
    const size_t folder = slash == NULL ? 0 : (size_t)(slash - at->job->path) + 1;
    *to = text;
    if (folder == 0 || sw_memory_file_find(text) != NULL)
        return SW_OK;
    char *joined = sw_job_allocate((sw_job *)at->job, folder + strlen(text) + 1);
    if (joined == NULL)
        return no_memory(at);
    memcpy(joined, at->job->path, folder);
    memcpy(joined + folder, text, strlen(text) + 1);
    if (access(joined, F_OK) == 0 || access(text, F_OK) != 0)
        *to = joined;
    return SW_OK;
}

static sw_status take_name(const place *at, const sw_key *row, const char *text, char *to)
{
    char need[64];
    snprintf(need, sizeof need, "a text of 1 to %d bytes", row->capacity - 1);
    if (*text == '\0' || strlen(text) >= (size_t)row->capacity)
        return wrong_text(at, text, need);
    memcpy(to, text, strlen(text) + 1);
    return SW_OK;
}

/* Today's word for a former one, with a warning; NULL: it is none. */
static const char *present_word(const place *at, const sw_key *row, const char *text)
{
    for (const char *const *pair = row->former; pair != NULL && *pair != NULL; pair += 2)
        if (strcmp(pair[0], text) == 0) {
            complain(at, " = %s: is called %s now", pair[0], pair[1]);
            sw_warn("%s", sw_error_message());
            return pair[1];
        }
    return NULL;
}

static sw_status take_word(const place *at, const sw_key *row, const char *text, void *to)
{
    static const char *const answers[] = {"no", "yes", "false", "true"};
    char bound[400] = "yes or no";
    int index = row->type == SW_KEY_YES ? sw_find_word(text, 4, answers) : sw_key_find_word(row, text);
    const char *present = index < 0 ? present_word(at, row, text) : NULL;
    if (present != NULL)
        index = sw_key_find_word(row, present);
    if (index < 0) {
        if (row->type == SW_KEY_WORD)
            sw_key_bound(row, bound, sizeof bound);
        return wrong_text(at, text, bound);
    }
    if (!SW_HAS_PAPERS && row->papers > 0 && index >= row->papers)
        return complain(at, " = %s: " SW_NO_PAPERS, text);
    set_int(to, row->type == SW_KEY_YES ? index & 1 : index);
    return SW_OK;
}

static sw_status take_scalar(const place *at, const sw_key *row, sw_key_type type, const char *text, void *to)
{
    switch (type) {
    case SW_KEY_WHOLE:
    case SW_KEY_REAL:
        return take_number(at, row, type, text, to);
    case SW_KEY_WORD:
    case SW_KEY_YES:
        return take_word(at, row, text, to);
    case SW_KEY_NAME:
        return take_name(at, row, text, to);
    default:
        break;
    }
    if (*text == '\0')
        return wrong_text(at, text, "a text");
    if (type == SW_KEY_PATH)
        return take_path(at, text, to);
    memcpy(to, &text, sizeof text);
    return SW_OK;
}

static const char *kind_of(sw_key_type type)
{
    return type == SW_KEY_REAL ? "a number" : type == SW_KEY_WHOLE ? "a whole number" : "a text";
}

static sw_status load_scalar(const place *at, const sw_key *row, sw_key_type type, const yaml_node_t *node,
                             void *to)
{
    const char *text = sw_yaml_text(node);
    char need[400];
    if (text != NULL)
        return take_scalar(at, row, type, text, to);
    snprintf(need, sizeof need, "%s", kind_of(type));
    if (type == SW_KEY_WORD)
        sw_key_bound(row, need, sizeof need);
    return wrong_node(at, node, type == SW_KEY_YES ? "yes or no" : need);
}

/* ---- Lists ---- */

static sw_status load_mapping(sw_job *job, const yaml_node_t *node, const place *at, const sw_key *keys,
                              char *structure);

static sw_status load_entry(const place *at, const sw_key *row, const yaml_node_t *node, char *to);

/* `count` entries of a list, or of a row of numbers, size bytes apart. */
static sw_status load_entries(const place *at, const sw_key *row, const yaml_node_t *node, int count,
                              char *to, size_t size)
{
    for (int i = 0; i < count; i++) {
        char key[SW_KEY_SIZE];
        const yaml_node_t *entry = sw_yaml_entry(at->job->yaml, node, i);
        const place here = {at->job, sw_key_path(key, "%.100s[%d]", at->key, i), NULL,
                            sw_yaml_node_line(entry)};
        SW_TRY(load_entry(&here, row, entry, to + (size_t)i * size));
    }
    return SW_OK;
}

static sw_status load_row(const place *at, const sw_key *row, const yaml_node_t *node, int columns, char *to)
{
    const double none = NAN;
    sw_key number = *row;
    number.columns = 0;
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_node(at, node, "a list, as [1, 2]");
    if (row->fewer > 0 && sw_yaml_count(node) == row->fewer) {
        for (int i = row->fewer; i < columns; i++)
            memcpy(to + (size_t)i * sizeof none, &none, sizeof none);
        columns = row->fewer;
    }
    if (sw_yaml_count(node) != columns)
        return row->fewer > 0
                   ? complain(at, " has %d entries: need %d or %d", sw_yaml_count(node), row->fewer, columns)
                   : complain(at, " has %d entries: need %d", sw_yaml_count(node), columns);
    return load_entries(at, &number, node, columns, to, sizeof(double));
}

static sw_status load_entry(const place *at, const sw_key *row, const yaml_node_t *node, char *to)
{
    if (row->columns > 0)
        return load_row(at, row, node, row->columns, to);
    if (row->keys == NULL)
        return load_scalar(at, row, row->entry, node, to);
    set_defaults(row->keys, to);
    return load_mapping((sw_job *)at->job, node, at, row->keys, to);
}

static sw_status check_length(const place *at, const sw_key *row, int count)
{
    const int longest = row->capacity > 0 ? row->capacity : row->longest;
    /* without entries one in places would count as absent */
    const int shortest = row->capacity > 0 && row->shortest == 0 ? 1 : row->shortest;
    if (count >= shortest && (longest == 0 || count <= longest))
        return SW_OK;
    return complain(at, " has %d entries: need %s%d", count,
                    shortest == longest ? ""
                    : count < shortest  ? "at least "
                                        : "at most ",
                    count < shortest ? shortest : longest);
}

/* Room for `count` entries; *first is where they go. */
static sw_status make_room(const place *at, const sw_key *row, int count, char *structure, char **first)
{
    *first = structure + row->to;
    if (row->capacity > 0 && count > row->capacity)
        return check_length(at, row, count);
    set_int(structure + row->count_to, count);
    if (row->capacity > 0)
        return SW_OK;
    *first = sw_job_allocate((sw_job *)at->job, (size_t)(count > 0 ? count : 1) * row->entry_size);
    if (*first == NULL)
        return no_memory(at);
    memcpy(structure + row->to, first, sizeof *first);
    return SW_OK;
}

static sw_status load_list(const place *at, const sw_key *row, const yaml_node_t *node, char *structure)
{
    char *first = NULL;
    if (node->type == YAML_SCALAR_NODE && row->entry == SW_KEY_TEXT && *sw_yaml_text(node) != '\0') {
        SW_TRY(check_length(at, row, 1)); /* "orientations: all" is a list of one */
        SW_TRY(make_room(at, row, 1, structure, &first));
        return load_entry(at, row, node, first);
    }
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_node(at, node, "a list, as [1, 2]");
    const int count = sw_yaml_count(node);
    SW_TRY(check_length(at, row, count));
    SW_TRY(make_room(at, row, count, structure, &first));
    return load_entries(at, row, node, count, first, row->entry_size);
}

/* ---- Mappings ---- */

static void list_keys(const sw_key *keys, char *list, size_t size)
{
    size_t length = 0;
    list[0] = '\0';
    for (; keys->type != SW_KEY_END && length < size; keys++)
        if (keys->name != NULL)
            length += (size_t)snprintf(list + length, size - length, "%s%s", length ? ", " : "", keys->name);
}

static sw_status unknown_key(const place *at, const char *parent, const char *name, const sw_key *keys)
{
    const char *dot = *parent == '\0' ? "" : ".", *names[128], *nearest;
    char list[640];
    int count = 0;
    for (const sw_key *k = keys; k->type != SW_KEY_END && count < 128; k++)
        names[count++] = k->name;
    nearest = sw_nearest_word(name, count, names);
    if (nearest != NULL)
        return sw_yaml_complain(at->job->yaml, at->line, "unknown key '%s%s%.80s': did you mean '%s%s%s'?",
                                parent, dot, name, parent, dot, nearest);
    list_keys(keys, list, sizeof list);
    return sw_yaml_complain(at->job->yaml, at->line, "unknown key '%s%s%.80s': need one of %s", parent, dot,
                            name, list);
}

static const sw_key *find_row(const sw_key *keys, const char *name)
{
    for (; keys->type != SW_KEY_END; keys++)
        if (keys->name != NULL && strcmp(keys->name, name) == 0)
            return keys;
    return NULL;
}

/* The number of the first pair of a mapping with this key. */
static int first_pair(const sw_yaml *yaml, const yaml_node_t *mapping, const char *name, int *line)
{
    for (int i = 0;; i++) {
        const yaml_node_t *key, *value;
        sw_yaml_pair(yaml, mapping, i, &key, &value);
        const char *text = sw_yaml_text(key);
        *line = sw_yaml_node_line(key);
        if (text != NULL && strcmp(text, name) == 0)
            return i;
    }
}

/* The word is the name of what stands in its place. */
static sw_status take_word_of_mapping(const place *at, const sw_key *row, const yaml_node_t *node, void *to)
{
    const yaml_node_t *name, *value;
    char list[320];
    sw_yaml_pair(at->job->yaml, node, 0, &name, &value);
    const char *word = sw_yaml_text(name);
    const int index = word != NULL && sw_yaml_count(node) == 1 ? sw_key_find_word(row, word) : -1;
    list_keys(row->keys, list, sizeof list);
    if (index < 0)
        return complain(at, " is a mapping: need one of its words, or one key of %s", list);
    set_int(to, index);
    return SW_OK;
}

/* What is given in the place of a number or a word. */
static sw_status load_instead(const place *at, const sw_key *row, const yaml_node_t *node, char *structure)
{
    char bound[320], list[320], need[700];
    if (node->type == YAML_MAPPING_NODE && sw_yaml_count(node) > 0) {
        if (row->type == SW_KEY_WORD)
            SW_TRY(take_word_of_mapping(at, row, node, structure + row->to));
        return load_mapping((sw_job *)at->job, node, at, row->keys, structure);
    }
    sw_key_bound(row, bound, sizeof bound);
    list_keys(row->keys, list, sizeof list);
    snprintf(need, sizeof need, "%s, or the keys %s", bound, list);
    return node->type == YAML_MAPPING_NODE ? complain(at, " is empty: need %s", need)
                                           : wrong_node(at, node, need);
}

static sw_status load_value(const place *at, const sw_key *row, const yaml_node_t *node, char *structure)
{
    sw_key three = *row;
    three.columns = 3;
    switch (row->type) {
    case SW_KEY_NOTE:
        return SW_OK;
    case SW_KEY_SECTION:
        return load_mapping((sw_job *)at->job, node, at, row->keys, structure);
    case SW_KEY_LIST:
        return load_list(at, row, node, structure);
    case SW_KEY_TENSOR:
        three.entry = SW_KEY_REAL;
        if (node->type != YAML_SEQUENCE_NODE)
            return wrong_node(at, node, "a list, as [[1, 0, 0], [0, 0, 0], [0, 0, -1]]");
        if (sw_yaml_count(node) != 3)
            return complain(at, " has %d entries: need 3", sw_yaml_count(node));
        return load_entries(at, &three, node, 3, structure + row->to, 3 * sizeof(double));
    default:
        return row->keys != NULL && sw_yaml_text(node) == NULL
                   ? load_instead(at, row, node, structure)
                   : load_scalar(at, row, row->type, node, structure + row->to);
    }
}

static sw_status load_pair(sw_job *job, const yaml_node_t *mapping, int index, const place *parent,
                           const sw_key *keys, char *structure)
{
    const yaml_node_t *name_node, *value;
    char key[SW_KEY_SIZE];
    int line;
    sw_yaml_pair(job->yaml, mapping, index, &name_node, &value);
    const char *name = sw_yaml_text(name_node);
    place at = {job, "a key", NULL, sw_yaml_node_line(name_node)};
    if (name == NULL)
        return wrong_node(&at, name_node, "a word");
    const sw_key *row = find_row(keys, name);
    if (row == NULL)
        return unknown_key(&at, parent->key, name, keys);
    at.key = sw_key_path(key, "%.90s%s%s", parent->key, *parent->key == '\0' ? "" : ".", name);
    if (first_pair(job->yaml, mapping, name, &line) != index)
        return complain(&at, " is given twice, first on line %d", line);
    if (sw_job_displaced(job, key) || (row->type != SW_KEY_SECTION && sw_job_find_option(job, key) != NULL))
        return SW_OK; /* an option's value comes */
    return load_value(&at, row, value, structure);
}

static sw_status load_mapping(sw_job *job, const yaml_node_t *node, const place *at, const sw_key *keys,
                              char *structure)
{
    char list[640], need[660];
    if (node->type != YAML_MAPPING_NODE) {
        list_keys(keys, list, sizeof list);
        snprintf(need, sizeof need, "the keys %s", list);
        return wrong_node(at, node, need);
    }
    for (int i = 0; i < sw_yaml_count(node); i++)
        SW_TRY(load_pair(job, node, i, at, keys, structure));
    return SW_OK;
}

/* ---- Options ---- */

static sw_status append(const place *at, const sw_key *row, const char *text, char *structure, int count)
{
    char *first = NULL, *old = structure + row->to;
    if (row->capacity == 0)
        memcpy(&old, structure + row->to, sizeof old);
    SW_TRY(make_room(at, row, count + 1, structure, &first));
    if (first != old && count > 0)
        memcpy(first, old, (size_t)count * row->entry_size);
    return take_scalar(at, row, row->entry, text, first + (size_t)count * row->entry_size);
}

/* An option of a list: "64,64,48" or "40x40x4" of numbers, or one entry; given again, it adds to them. */
static sw_status take_list(const place *at, const sw_key *row, const char *text, int *count, char *structure)
{
    const int numbers = row->entry == SW_KEY_WHOLE || row->entry == SW_KEY_REAL;
    const char *const all = text;
    while (numbers) {
        const size_t length = strcspn(text, ",x");
        if (length == 0)
            return wrong_text(at, all,
                              row->entry == SW_KEY_WHOLE ? "whole numbers, one x or comma between two"
                                                         : "numbers, one x or comma between two");
        char *number = sw_job_allocate((sw_job *)at->job, length + 1);
        if (number == NULL)
            return no_memory(at);
        memcpy(number, text, length);
        SW_TRY(append(at, row, number, structure, (*count)++));
        if (text[length] == '\0')
            return SW_OK;
        text += length + 1;
    }
    return append(at, row, text, structure, (*count)++);
}

/* The structure that an option's row counts its offset from: the whole, or the last entry of a list, whose
 * number then goes into the option's key. */
static sw_status find_structure(const sw_key *keys, sw_job_option *option, char **structure)
{
    char *open = strstr(option->key, "[-1]");
    if (open == NULL)
        return SW_OK;
    char rest[SW_KEY_SIZE], list[SW_KEY_SIZE];
    sw_key_path(rest, "%s", open + strlen("[-1]"));
    sw_key_path(list, "%.*s", (int)(open - option->key), option->key);
    const sw_key *row = find_row(keys, list);
    char *first;
    int count;
    if (row == NULL)
        return sw_error(SW_ERR_RANGE, "option --%s: its list is not at the top of the table",
                        option->row->option);
    memcpy(&count, *structure + row->count_to, sizeof count);
    if (count == 0)
        return sw_error(SW_ERR_INPUT, "--%s = %s: the file has no %s", option->row->option, option->value,
                        list);
    memcpy(&first, *structure + row->to, sizeof first);
    sw_key_path(option->key, "%.60s[%d]%.40s", list, count - 1, rest);
    *structure = first + (size_t)(count - 1) * row->entry_size;
    return SW_OK;
}

static sw_status take_option(sw_job *job, const sw_key *keys, int index, char *structure)
{
    sw_job_option *option = &job->option[index];
    const sw_key *row = option->row;
    const place at = {job, option->key, row->option, 0};
    int count = 0;
    SW_TRY(find_structure(keys, option, &structure));
    if (row->type == SW_KEY_LIST) {
        for (int i = 0; i < index; i++)
            if (job->option[i].row == row) /* given before: go on with what it left */
                memcpy(&count, structure + row->count_to, sizeof count);
        SW_TRY(take_list(&at, row, option->value, &count, structure));
        const int repeats = row->entry == SW_KEY_TEXT || row->entry == SW_KEY_PATH; /* more may come */
        return repeats && count <= row->longest ? SW_OK : check_length(&at, row, count);
    }
    if (row->type == SW_KEY_YES && row->name == NULL) { /* it has no argument */
        set_int(structure + row->to, 1);
        return SW_OK;
    }
    return take_scalar(&at, row, row->type, option->value, structure + row->to);
}

sw_status sw_job_load(sw_job *job)
{
    set_defaults(job->keys, job->values);
    if (job->yaml != NULL) {
        const yaml_node_t *root = sw_yaml_root(job->yaml);
        const place at = {job, "", NULL, sw_yaml_node_line(root)};
        SW_TRY(load_mapping(job, root, &at, job->keys, job->values));
    }
    for (int i = 0; i < job->n_options; i++)
        SW_TRY(take_option(job, job->keys, i, job->values));
    return SW_OK;
}
