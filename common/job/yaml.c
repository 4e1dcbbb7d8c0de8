#include "yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

#undef sw_yaml_complain /* it is defined here */

/* ---- Messages ---- */

sw_status sw_yaml_complain(const sw_yaml *yaml, int line, const char *format, ...)
{
    char text[900]; /* sw_error keeps 1023 bytes, the file's name and the line among them */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return line > 0 ? sw_error(SW_ERR_INPUT, "%s:%d: %s", yaml->path, line, text)
                    : sw_error(SW_ERR_INPUT, "%s: %s", yaml->path, text);
}

/* ---- Nodes ---- */

static const yaml_node_t *node_at(const sw_yaml *yaml, int index)
{
    return yaml->document.nodes.start + index - 1; /* as yaml_document_get_node, which wants it mutable */
}

const yaml_node_t *sw_yaml_root(const sw_yaml *yaml) { return node_at(yaml, 1); }

int sw_yaml_node_line(const yaml_node_t *node) { return (int)node->start_mark.line + 1; }

const char *sw_yaml_text(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE)
        return NULL;
    const char *text = (const char *)node->data.scalar.value;
    return strlen(text) == node->data.scalar.length ? text : NULL;
}

int sw_yaml_count(const yaml_node_t *node)
{
    return (int)(node->type == YAML_MAPPING_NODE
                     ? node->data.mapping.pairs.top - node->data.mapping.pairs.start
                     : node->data.sequence.items.top - node->data.sequence.items.start);
}

const yaml_node_t *sw_yaml_entry(const sw_yaml *yaml, const yaml_node_t *list, int index)
{
    return node_at(yaml, list->data.sequence.items.start[index]);
}

void sw_yaml_pair(const sw_yaml *yaml, const yaml_node_t *mapping, int index, const yaml_node_t **key,
                  const yaml_node_t **value)
{
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start + index;
    *key = node_at(yaml, pair->key);
    *value = node_at(yaml, pair->value);
}

/* ---- Paths ---- */

/* The value of the first key name[length] of a mapping, its line in *line; NULL when there is none. */
static const yaml_node_t *find_value(const sw_yaml *yaml, const yaml_node_t *mapping, const char *name,
                                     size_t length, int *line)
{
    for (int i = 0; mapping->type == YAML_MAPPING_NODE && i < sw_yaml_count(mapping); i++) {
        const yaml_node_t *key, *value;
        sw_yaml_pair(yaml, mapping, i, &key, &value);
        const char *text = sw_yaml_text(key);
        if (text != NULL && strlen(text) == length && memcmp(text, name, length) == 0) {
            *line = sw_yaml_node_line(key);
            return value;
        }
    }
    return NULL;
}

/* Follow "loading[0].duration" from the root as far as it goes, `line` along with it: 0 when it goes nowhere. NULL
 * when a part is absent. */
static const yaml_node_t *find_node(const sw_yaml *yaml, const char *key, int *line)
{
    const yaml_node_t *node = sw_yaml_root(yaml);
    *line = *key == '\0' ? sw_yaml_node_line(node) : 0;
    while (node != NULL && *key != '\0') {
        if (*key == '[') {
            char *end;
            const long index = strtol(key + 1, &end, 10);
            if (node->type != YAML_SEQUENCE_NODE || index < 0 || index >= sw_yaml_count(node))
                return NULL;
            node = sw_yaml_entry(yaml, node, (int)index);
            *line = sw_yaml_node_line(node);
            key = end + (*end == ']');
        } else {
            key += *key == '.';
            const size_t length = strcspn(key, ".[");
            node = find_value(yaml, node, key, length, line);
            key += length;
        }
    }
    return node;
}

int sw_yaml_line(const sw_yaml *yaml, const char *key)
{
    int line;
    find_node(yaml, key, &line);
    return line;
}

int sw_yaml_has(const sw_yaml *yaml, const char *key)
{
    int line;
    return find_node(yaml, key, &line) != NULL;
}

/* ---- Parsing ---- */

/* Whether a line of the text (from 0) has a tab before its first word. */
static int begins_with_tab(const char *text, size_t line)
{
    for (; line > 0 && (text = strchr(text, '\n')) != NULL; line--)
        text++;
    return text != NULL && text[strspn(text, " ")] == '\t';
}

/* What libyaml's parser stumbled over. Its reader, which sees bytes, counts no lines. */
static sw_status syntax_error(const char *path, const char *text, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", path);
    if (parser->error == YAML_READER_ERROR)
        return sw_error(SW_ERR_INPUT, "%s:%d: %s (byte 0x%02x): need a text in UTF-8", path,
                        sw_text_line(text, parser->problem_offset), parser->problem,
                        (unsigned)parser->problem_value & 0xffu);
    return sw_error(SW_ERR_INPUT, "%s:%d: not YAML: %s%s%s%s", path, (int)parser->problem_mark.line + 1,
                    begins_with_tab(text, parser->problem_mark.line) ? "a tab: need blanks to indent: " : "",
                    parser->problem, parser->context == NULL ? "" : " ",
                    parser->context == NULL ? "" : parser->context);
}

/* Change of depth by an event. */
static int deeper(yaml_event_type_t event)
{
    return event == YAML_SEQUENCE_START_EVENT || event == YAML_MAPPING_START_EVENT ? 1
           : event == YAML_SEQUENCE_END_EVENT || event == YAML_MAPPING_END_EVENT   ? -1
                                                                                   : 0;
}

/* libyaml looks at every list that is open for each word that it reads: 60,000 brackets would take it 6 s. What else is
 * wrong is said when the text is read. */
static sw_status check_depth(const char *text, const sw_yaml *yaml)
{
    yaml_parser_t parser;
    int depth = 0, line = 0, more = 1;
    if (!yaml_parser_initialize(&parser))
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", yaml->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    while (more && line == 0) {
        yaml_event_t event;
        more = yaml_parser_parse(&parser, &event) && event.type != YAML_STREAM_END_EVENT;
        if (more && (depth += deeper(event.type)) > SW_YAML_DEEPEST)
            line = (int)event.start_mark.line + 1;
        yaml_event_delete(&event); /* zeroed where there is none */
    }
    yaml_parser_delete(&parser);
    return line == 0 ? SW_OK
                     : sw_yaml_complain(yaml, line, "lists and mappings are %d deep: need at most %d", depth,
                                        SW_YAML_DEEPEST);
}

static sw_status parse_with(yaml_parser_t *parser, const char *text, sw_yaml *yaml)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &yaml->document))
        return syntax_error(yaml->path, text, parser);
    if (yaml_document_get_root_node(&yaml->document) == NULL)
        return sw_error(SW_ERR_INPUT, "%s:1: the file is empty", yaml->path);
    if (!yaml_parser_load(parser, &second))
        return syntax_error(yaml->path, text, parser);
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    const int line = root == NULL ? 0 : sw_yaml_node_line(root);
    yaml_document_delete(&second);
    return line == 0 ? SW_OK : sw_yaml_complain(yaml, line, "a second document starts: need one in a file");
}

/* Fill yaml->document, which is valid (perhaps empty) in any case. */
static sw_status parse(const char *text, sw_yaml *yaml)
{
    yaml_parser_t parser;
    SW_TRY(check_depth(text, yaml));
    if (!yaml_parser_initialize(&parser))
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", yaml->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
    const sw_status status = parse_with(&parser, text, yaml);
    yaml_parser_delete(&parser);
    return status;
}

sw_status sw_yaml_open(const char *path, const char *text, sw_yaml **yaml)
{
    *yaml = NULL;
    sw_yaml *opened = calloc(1, sizeof *opened);
    if (opened == NULL || (opened->path = strdup(path)) == NULL) {
        free(opened);
        return sw_error(SW_ERR_MEMORY, "%s: not enough memory to parse it", path);
    }
    const sw_status status = parse(text, opened);
    if (status == SW_OK)
        *yaml = opened;
    else
        sw_yaml_close(opened);
    return status;
}

void sw_yaml_close(sw_yaml *yaml)
{
    if (yaml == NULL)
        return;
    yaml_document_delete(&yaml->document);
    free(yaml->path);
    free(yaml);
}
