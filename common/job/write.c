/* A structure of a table as a text that is read again. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"

typedef struct {
    const char *structure;
    size_t size, length; /* of the text: its room, and what it would be with room enough */
    char *text;
} writer;

static __attribute__((format(printf, 2, 3))) void put(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = w->length < w->size ? w->size - w->length : 0;
    w->length += (size_t)vsnprintf(room > 0 ? w->text + w->length : NULL, room, format, arguments);
    va_end(arguments);
}

static void put_text(writer *w, const char *text)
{
    put(w, "\"");
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '"' || *c == '\\')
            put(w, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            put(w, "\\u%04x", *c);
        else
            put(w, "%c", *c);
    put(w, "\"");
}

static int number_at(const writer *w, const sw_key *key)
{
    int number;
    memcpy(&number, w->structure + key->to, sizeof number);
    return number;
}

static int is_written(const writer *w, const sw_key *keys, const sw_key *key)
{
    return key->name != NULL && key->type != SW_KEY_NOTE && sw_key_is_taken(keys, key, w->structure) &&
           sw_key_has_value(key, w->structure);
}

/* The fewest digits that are read again to the same number. */
static void put_number(writer *w, double number)
{
    char text[32];
    int digits = 1;
    do
        snprintf(text, sizeof text, "%.*g", digits, number);
    while (strtod(text, NULL) != number && ++digits <= 17);
    put(w, "%s", text);
}

static void put_mapping(writer *w, const sw_key *keys);

/* Those of a row that are there. */
static void put_row(writer *w, int columns)
{
    for (int i = 0; i < columns; i++) {
        double number;
        memcpy(&number, w->structure + (size_t)i * sizeof number, sizeof number);
        if (isnan(number))
            break;
        put(w, "%s", i > 0 ? ", " : "[");
        put_number(w, number);
    }
    put(w, "]");
}

/* Numbers, rows of them, or mappings. */
static void put_list(writer *w, const sw_key *list)
{
    const char *const structure = w->structure;
    put(w, "[");
    for (int i = 0; i < sw_key_count(list, structure); i++) {
        double number;
        put(w, "%s", i > 0 ? ", " : "");
        w->structure = sw_key_entries(list, structure) + (size_t)i * list->entry_size;
        memcpy(&number, w->structure, sizeof number);
        if (list->keys != NULL)
            put_mapping(w, list->keys);
        else if (list->columns > 0)
            put_row(w, list->columns);
        else
            put_number(w, number);
        w->structure = structure;
    }
    put(w, "]");
}

static void put_value(writer *w, const sw_key *key)
{
    double real;
    if (key->type == SW_KEY_LIST)
        put_list(w, key);
    else if (key->type == SW_KEY_SECTION)
        put_mapping(w, key->keys);
    else if (key->type == SW_KEY_NAME)
        put_text(w, w->structure + key->to);
    else if (key->type == SW_KEY_YES)
        put(w, "%s", number_at(w, key) ? "true" : "false");
    else if (key->type == SW_KEY_WORD)
        put_text(w, sw_key_word(key, number_at(w, key)));
    else {
        memcpy(&real, w->structure + key->to, sizeof real);
        put_number(w, real);
    }
}

static void put_mapping(writer *w, const sw_key *keys)
{
    const char *between = "{";
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++)
        if (is_written(w, keys, k)) {
            put(w, "%s\"%s\": ", between, k->name);
            put_value(w, k);
            between = ", ";
        }
    put(w, "}");
}

/* ---- As lines for people ---- */

static void put_line(writer *w, const sw_key *key)
{
    put_value(w, key);
    if (key->unit != NULL || key->help != NULL)
        put(w, "  # %s%s%s", key->unit != NULL ? key->unit : "",
            key->unit != NULL && key->help != NULL ? "; " : "", key->help != NULL ? key->help : "");
    put(w, "\n");
}

/* A mapping a line. */
static void put_entries(writer *w, const sw_key *list, int indent)
{
    const char *const structure = w->structure;
    for (int i = 0; i < sw_key_count(list, structure); i++) {
        w->structure = sw_key_entries(list, structure) + (size_t)i * list->entry_size;
        put(w, "%*s- ", indent, "");
        put_mapping(w, list->keys);
        put(w, "\n");
        w->structure = structure;
    }
}

static void put_lines(writer *w, const sw_key *keys, int indent)
{
    for (const sw_key *k = keys; k->type != SW_KEY_END; k++) {
        if (!is_written(w, keys, k))
            continue;
        const int entries = k->type == SW_KEY_LIST && k->keys != NULL;
        put(w, "%*s%s:%s", indent, "", k->name, k->type == SW_KEY_SECTION || entries ? "\n" : " ");
        if (k->type == SW_KEY_SECTION)
            put_lines(w, k->keys, indent + 2);
        else if (entries)
            put_entries(w, k, indent + 2);
        else
            put_line(w, k);
    }
}

static sw_status written(const writer *w)
{
    return w->length < w->size
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "size = %zu: need %zu for the text", w->size, w->length + 1);
}

sw_status sw_keys_write(const sw_key *keys, const void *structure, size_t size, char *text)
{
    writer w = {.structure = structure, .size = size, .text = text};
    put_mapping(&w, keys);
    return written(&w);
}

sw_status sw_keys_write_lines(const sw_key *keys, const void *structure, size_t size, char *text)
{
    writer w = {.structure = structure, .size = size, .text = text};
    put_lines(&w, keys, 0);
    return written(&w);
}
