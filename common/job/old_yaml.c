#include "old_yaml.h"
#include "common/files/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum {
    KEY_SIZE = 256,               /* longest "loading[0].velocity_gradient" in a message */
    TEXT_SIZE = 640,              /* a message without its file and line; sw_error keeps 1023 bytes */
    TEXT_LONGEST = 64 * (1 << 20) /* bytes; a device or a data file given by mistake never ends */
};

struct sw_oldyaml {
    char *path;
    yaml_document_t document;
};

/* ---- Messages ---- */

__attribute__((unused)) static int line_of_offset(const char *text, size_t offset)
{
    int line = 1;
    for (size_t i = 0; i < offset && text[i] != '\0'; i++)
        line += text[i] == '\n';
    return line;
}

__attribute__((format(printf, 3, 4))) static sw_status complain(const sw_oldyaml *yaml, int line,
                                                                const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++) /* a value may hold lines, or what a terminal would obey */
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return sw_error(SW_ERR_INPUT, "%s:%d: %s", yaml->path, line, text);
}

/* Append `name` to the list in text [size], ", " between; what does not fit is cut. */
static void append_name(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length == 0 ? "" : ", ", name);
}

int sw_oldyaml_choose(const char *value, int count, const char *const *names, char *bound, size_t size)
{
    char list[KEY_SIZE] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0)
            return i;
        append_name(list, sizeof list, names[i]);
    }
    snprintf(bound, size, "one of %s", list);
    return -1;
}

/* ---- Text ---- */

/* ---- The document tree ---- */

static const yaml_node_t *node_at(const sw_oldyaml *yaml, int index)
{
    return yaml->document.nodes.start + index - 1; /* as yaml_document_get_node, which wants it mutable */
}

static int line_of(const yaml_node_t *node) { return (int)node->start_mark.line + 1; }

/* A scalar's text; NULL for anything else, and for a text that "\0" would cut short. */
static const char *text_of(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE)
        return NULL;
    const char *text = (const char *)node->data.scalar.value;
    return strlen(text) == node->data.scalar.length ? text : NULL;
}

static int pair_count(const yaml_node_t *mapping)
{
    return (int)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
}

static int item_count(const yaml_node_t *sequence)
{
    return (int)(sequence->data.sequence.items.top - sequence->data.sequence.items.start);
}

/* The first pair of a mapping whose key is name[length]; NULL when there is none. */
static const yaml_node_pair_t *find_pair(const sw_oldyaml *yaml, const yaml_node_t *mapping, const char *name,
                                         size_t length)
{
    for (int i = 0; i < pair_count(mapping); i++) {
        const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start + i;
        const char *key = text_of(node_at(yaml, pair->key));
        if (key != NULL && strlen(key) == length && memcmp(key, name, length) == 0)
            return pair;
    }
    return NULL;
}

/* Follow "loading[0].duration" from the root as far as it goes, `line` along with it. NULL when a
 * part is absent. */
static const yaml_node_t *find_node(const sw_oldyaml *yaml, const char *key, int *line)
{
    const yaml_node_t *node = node_at(yaml, 1);
    *line = line_of(node);
    while (*key != '\0') {
        if (*key == '[') {
            char *end;
            long index = strtol(key + 1, &end, 10);
            if (node->type != YAML_SEQUENCE_NODE || index < 0 || index >= item_count(node))
                return NULL;
            node = node_at(yaml, node->data.sequence.items.start[index]);
            *line = line_of(node);
            key = end + (*end == ']');
        } else {
            key += *key == '.';
            size_t length = strcspn(key, ".[");
            const yaml_node_pair_t *pair =
                node->type == YAML_MAPPING_NODE ? find_pair(yaml, node, key, length) : NULL;
            if (pair == NULL)
                return NULL;
            *line = line_of(node_at(yaml, pair->key));
            node = node_at(yaml, pair->value);
            key += length;
        }
    }
    return node;
}

int sw_oldyaml_line(const sw_oldyaml *yaml, const char *key)
{
    int line;
    find_node(yaml, key, &line);
    return line;
}

int sw_oldyaml_has(const sw_oldyaml *yaml, const char *key)
{
    int line;
    return find_node(yaml, key, &line) != NULL;
}

sw_status sw_oldyaml_error(const sw_oldyaml *yaml, const char *key, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return complain(yaml, sw_oldyaml_line(yaml, key), "%s%s", key, text);
}

sw_status sw_oldyaml_need(const sw_oldyaml *yaml, const char *key, double value, int holds, const char *bound)
{
    if (holds)
        return SW_OK;
    char text[32]; /* as few digits as tell the value apart: a bound missed by 1e-9 must show */
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return sw_oldyaml_error(yaml, key, " = %s: need %s", text, bound);
}

/* ---- The document against its schema ----
 *
 * libcyaml alone would stop at the first misfit too, but says neither the nearest key nor what a
 * value should have been, and takes "0x10", "010" (as 8) and "nan" for numbers. */

static sw_status check_value(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                             const cyaml_schema_value_t *schema);

/* "KEY = VALUE: need ..." for a scalar, "KEY is a list: need ..." for the rest. */
static sw_status wrong_value(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                             const char *need)
{
    const char *subject = *key == '\0' ? "the file" : key;
    const char *text = text_of(node);
    if (text != NULL)
        return complain(yaml, line, "%s = %.80s%s: need %s", subject, *text == '\0' ? "''" : text,
                        strlen(text) > 80 ? "..." : "", need);
    const char *kind = node->type == YAML_SEQUENCE_NODE  ? "is a list"
                       : node->type == YAML_MAPPING_NODE ? "is a mapping"
                                                         : "has a NUL character";
    return complain(yaml, line, "%s %s: need %s", subject, kind, need);
}

static void list_keys(const cyaml_schema_field_t *fields, char *list, size_t size)
{
    list[0] = '\0';
    for (; fields->key != NULL; fields++)
        append_name(list, size, fields->key);
}

enum { WORD_LONGEST = 48 };

/* Levenshtein's distance; more than any word is long when `a` or `b` is too long to be compared. */
static int edit_distance(const char *a, const char *b)
{
    int row[WORD_LONGEST + 1];
    int width = (int)strnlen(b, WORD_LONGEST + 1);
    if (width > WORD_LONGEST || strnlen(a, WORD_LONGEST + 1) > WORD_LONGEST)
        return WORD_LONGEST + 1;
    for (int j = 0; j <= width; j++)
        row[j] = j;
    for (int i = 0; a[i] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < width; j++) {
            int replaced = diagonal + (a[i] != b[j]);
            int added = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < added ? replaced : added;
        }
    }
    return row[width];
}

/* The key that `name` was meant to be, one slip in three letters allowed; NULL when none is near. */
static const char *nearest_key(const cyaml_schema_field_t *fields, const char *name)
{
    const char *nearest = NULL;
    int least = (int)(strnlen(name, WORD_LONGEST) + 2) / 3 + 1;
    for (; fields->key != NULL; fields++) {
        int distance = edit_distance(name, fields->key);
        if (distance < least) {
            least = distance;
            nearest = fields->key;
        }
    }
    return nearest;
}

static sw_status unknown_key(const sw_oldyaml *yaml, int line, const char *parent, const char *name,
                             const cyaml_schema_field_t *fields)
{
    const char *dot = *parent == '\0' ? "" : ".";
    const char *nearest = nearest_key(fields, name);
    if (nearest != NULL)
        return complain(yaml, line, "unknown key '%s%s%.80s': did you mean '%s%s%s'?", parent, dot, name,
                        parent, dot, nearest);
    char list[KEY_SIZE];
    list_keys(fields, list, sizeof list);
    return complain(yaml, line, "unknown key '%s%s%.80s': need one of %s", parent, dot, name, list);
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *name)
{
    while (fields->key != NULL && strcmp(fields->key, name) != 0)
        fields++;
    return fields->key == NULL ? NULL : fields;
}

static sw_status check_pair(const sw_oldyaml *yaml, const yaml_node_t *mapping, const yaml_node_pair_t *pair,
                            const char *parent, const cyaml_schema_field_t *fields)
{
    const yaml_node_t *key_node = node_at(yaml, pair->key);
    int line = line_of(key_node);
    const char *name = text_of(key_node);
    if (name == NULL)
        return wrong_value(yaml, key_node, line, "a key", "a word");
    const cyaml_schema_field_t *field = find_field(fields, name);
    if (field == NULL)
        return unknown_key(yaml, line, parent, name, fields);

    char key[KEY_SIZE];
    snprintf(key, sizeof key, "%s%s%s", parent, *parent == '\0' ? "" : ".", name);
    const yaml_node_pair_t *first = find_pair(yaml, mapping, name, strlen(name));
    if (first != pair)
        return complain(yaml, line, "%s is given twice, first on line %d", key,
                        line_of(node_at(yaml, first->key)));
    return check_value(yaml, node_at(yaml, pair->value), line, key, &field->value);
}

static sw_status check_mapping(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                               const cyaml_schema_value_t *schema)
{
    const cyaml_schema_field_t *fields = schema->mapping.fields;
    if (node->type != YAML_MAPPING_NODE) {
        char list[KEY_SIZE], need[KEY_SIZE + 16];
        list_keys(fields, list, sizeof list);
        snprintf(need, sizeof need, "the keys %s", list);
        return wrong_value(yaml, node, line, key, need);
    }
    for (int i = 0; i < pair_count(node); i++)
        SW_TRY(check_pair(yaml, node, node->data.mapping.pairs.start + i, key, fields));
    for (; fields->key != NULL; fields++)
        if (!(fields->value.flags & CYAML_FLAG_OPTIONAL) &&
            find_pair(yaml, node, fields->key, strlen(fields->key)) == NULL)
            return complain(yaml, line, "%s%s%s is missing", key, *key == '\0' ? "" : ".", fields->key);
    return SW_OK;
}

static sw_status check_sequence(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                                const cyaml_schema_value_t *schema)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_value(yaml, node, line, key, "a list, as [1, 2]");
    int count = item_count(node);
    uint32_t least = schema->sequence.min, most = schema->sequence.max;
    if ((uint32_t)count < least || (uint32_t)count > most)
        return complain(yaml, line, "%s has %d entries: need %s%u", key, count,
                        least == most             ? ""
                        : (uint32_t)count < least ? "at least "
                                                  : "at most ",
                        (uint32_t)count < least ? least : most);
    for (int i = 0; i < count; i++) {
        char entry[KEY_SIZE];
        snprintf(entry, sizeof entry, "%.*s[%d]", KEY_SIZE - 16, key, i);
        const yaml_node_t *item = node_at(yaml, node->data.sequence.items.start[i]);
        SW_TRY(check_value(yaml, item, line_of(item), entry, schema->sequence.entry));
    }
    return SW_OK;
}

/* What a number must be, when `text` is none; NULL when it is one. */
static const char *number_wanted(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || strspn(text, "0123456789+-.eE") != strlen(text))
        return "a number";
    return isfinite(value) ? NULL : "a finite number";
}

static const char *whole_number_wanted(const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t length = strspn(digits, "0123456789");
    if (length == 0 || digits[length] != '\0' || (length > 1 && *digits == '0'))
        return "a whole number in plain digits";
    errno = 0;
    strtoll(text, NULL, 10);
    return errno == ERANGE ? "a whole number from -2^63 to 2^63 - 1" : NULL;
}

static sw_status check_text(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                            const cyaml_schema_value_t *schema)
{
    const char *text = text_of(node);
    if (text != NULL && strlen(text) >= schema->string.min && strlen(text) <= schema->string.max)
        return SW_OK;
    char need[64];
    if (schema->string.max == CYAML_UNLIMITED)
        snprintf(need, sizeof need, "a text");
    else
        snprintf(need, sizeof need, "a text of %u to %u bytes", schema->string.min, schema->string.max);
    return wrong_value(yaml, node, line, key, need);
}

static sw_status check_value(const sw_oldyaml *yaml, const yaml_node_t *node, int line, const char *key,
                             const cyaml_schema_value_t *schema)
{
    const char *text = text_of(node);
    const char *wanted = NULL;
    switch (schema->type) {
    case CYAML_MAPPING:
        return check_mapping(yaml, node, line, key, schema);
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED:
        return check_sequence(yaml, node, line, key, schema);
    case CYAML_STRING:
        return check_text(yaml, node, line, key, schema);
    case CYAML_FLOAT:
        wanted = text == NULL ? "a number" : number_wanted(text);
        break;
    case CYAML_INT:
    case CYAML_UINT:
        wanted = text == NULL ? "a whole number" : whole_number_wanted(text);
        break;
    default: /* the rest is libcyaml's to judge */
        break;
    }
    return wanted == NULL ? SW_OK : wrong_value(yaml, node, line, key, wanted);
}

/* ---- Parsing ---- */

/* What libyaml's parser stumbled over. Its reader, which sees bytes, counts no lines. */
static sw_status syntax_error(const char *path, const char *text, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", path);
    if (parser->error == YAML_READER_ERROR)
        return sw_error(SW_ERR_INPUT, "%s:%d: %s (byte 0x%02x): need a text in UTF-8", path,
                        line_of_offset(text, parser->problem_offset), parser->problem,
                        (unsigned)parser->problem_value & 0xffu);
    return sw_error(SW_ERR_INPUT, "%s:%d: not YAML: %s%s%s", path, (int)parser->problem_mark.line + 1,
                    parser->problem, parser->context == NULL ? "" : " ",
                    parser->context == NULL ? "" : parser->context);
}

static sw_status parse_with(yaml_parser_t *parser, const char *text, sw_oldyaml *yaml)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &yaml->document))
        return syntax_error(yaml->path, text, parser);
    if (yaml_document_get_root_node(&yaml->document) == NULL)
        return sw_error(SW_ERR_INPUT, "%s:1: the file is empty", yaml->path);
    if (!yaml_parser_load(parser, &second))
        return syntax_error(yaml->path, text, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    int line = root == NULL ? 0 : line_of(root);
    yaml_document_delete(&second);
    return line == 0 ? SW_OK : complain(yaml, line, "a second document starts: need one in a file");
}

/* Fill yaml->document, which is valid (perhaps empty) in any case. */
static sw_status parse(const char *text, sw_oldyaml *yaml)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", yaml->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    sw_status status = parse_with(&parser, text, yaml);
    yaml_parser_delete(&parser);
    return status;
}

/* What libcyaml logs, its lines one after the other. */
typedef struct {
    char text[TEXT_SIZE / 2];
} load_log;

static void keep_log(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    load_log *log = context;
    size_t length = strlen(log->text);
    (void)level;
    vsnprintf(log->text + length, sizeof log->text - length, format, arguments);
}

static const cyaml_config_t quiet = {.mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};

static sw_status load(const sw_oldyaml *yaml, const char *text, const cyaml_schema_value_t *schema,
                      void **data)
{
    load_log log = {""};
    cyaml_config_t config = quiet;
    config.log_fn = keep_log;
    config.log_ctx = &log;
    cyaml_err_t error = cyaml_load_data((const uint8_t *)text, strlen(text), &config, schema, data, NULL);
    if (error == CYAML_ERR_OOM)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to load it", yaml->path);
    if (error == CYAML_OK && *data != NULL)
        return SW_OK;
    /* Its backtrace names the innermost place first: "(line: 3, column: 5)". */
    const char *place = strstr(log.text, "line: ");
    int line = place == NULL ? line_of(node_at(yaml, 1)) : (int)strtol(place + strlen("line: "), NULL, 10);
    return complain(yaml, line, "%s: %s", error == CYAML_OK ? "no keys" : cyaml_strerror(error), log.text);
}

sw_status sw_oldyaml_load(const char *path, const char *text, const cyaml_schema_value_t *schema,
                          sw_oldyaml **yaml, void **data)
{
    *yaml = NULL;
    *data = NULL;
    sw_oldyaml *opened = calloc(1, sizeof *opened);
    if (opened == NULL || (opened->path = strdup(path)) == NULL) {
        free(opened);
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", path);
    }
    sw_status status;
    SW_TRY_GOTO(status, parse(text, opened), fail);
    const yaml_node_t *root = node_at(opened, 1);
    SW_TRY_GOTO(status, check_value(opened, root, line_of(root), "", schema), fail);
    SW_TRY_GOTO(status, load(opened, text, schema, data), fail);
    *yaml = opened;
    return SW_OK;
fail:
    sw_oldyaml_close(opened);
    return status;
}

void sw_oldyaml_close(sw_oldyaml *yaml)
{
    if (yaml == NULL)
        return;
    yaml_document_delete(&yaml->document);
    free(yaml->path);
    free(yaml);
}

void sw_oldyaml_free_data(const cyaml_schema_value_t *schema, void *data)
{
    if (data != NULL)
        cyaml_free(&quiet, schema, data, 0);
}

sw_status sw_job_replace_text(const char **text, const char *folder, size_t folder_length, const char *value)
{
    char *joined = NULL;
    if (value != NULL) {
        size_t length = strlen(value) + 1;
        joined = cyaml_mem(NULL, NULL, folder_length + length);
        if (joined == NULL)
            return sw_error(SW_ERR_MEMORY, "not enough memory for '%.80s'", value);
        memcpy(joined, folder, folder_length);
        memcpy(joined + folder_length, value, length);
    }
    cyaml_mem(NULL, (void *)*text, 0); /* releases it */
    *text = joined;
    return SW_OK;
}

sw_status sw_job_resolve_path(const char *job_path, const char **path)
{
    if (*path == NULL || **path == '/')
        return SW_OK;
    const char *slash = strrchr(job_path, '/');
    return sw_job_replace_text(path, job_path, slash == NULL ? 0 : (size_t)(slash - job_path) + 1, *path);
}
