#include "inp_lines.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

#undef sw_fem_inp_complain /* it is defined here */

sw_status sw_fem_inp_open(const char *path, sw_fem_inp_lines *lines)
{
    *lines = (sw_fem_inp_lines){.path = path};
    return sw_open_text(path, &lines->file);
}

void sw_fem_inp_close(sw_fem_inp_lines *lines)
{
    if (lines->file != NULL)
        fclose(lines->file);
    free(lines->line);
    free(lines->command);
}

sw_status sw_fem_inp_complain(const sw_fem_inp_lines *lines, int64_t line, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_INPUT, "%s:%" PRId64 ": %s", lines->path, line > 0 ? line : 1, text);
}

/* ---- Texts ---- */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text;
}

char *sw_fem_inp_unquote(char *text)
{
    const size_t n = strlen(text);
    if (n < 2 || text[0] != '"' || text[n - 1] != '"')
        return text;
    text[n - 1] = '\0';
    return text + 1;
}

static void upper(char *text)
{
    for (; *text != '\0'; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* Cuts at commas outside quotes and trims; the number of fields, more than `most` when there are more. */
static int cut(char *text, int most, char **field)
{
    int n = 0, quoted = 0;
    char *start = text;
    for (char *c = text;; c++) {
        const char end = *c;
        quoted ^= end == '"';
        if (end != '\0' && (end != ',' || quoted))
            continue;
        *c = '\0';
        if (n < most)
            field[n] = trim(start);
        n++;
        start = c + 1;
        if (end == '\0')
            return n;
    }
}

/* ---- Lines ---- */

sw_status sw_fem_inp_next_line(sw_fem_inp_lines *lines, char **line)
{
    *line = NULL;
    for (;;) {
        if (!lines->held) {
            int more;
            SW_TRY(sw_next_line(lines->path, lines->file, &lines->number, &lines->line, &lines->line_size,
                                &more));
            if (!more)
                return SW_OK;
        }
        lines->held = 0;
        char *text = trim(lines->line);
        if (*text == '\0' || strncmp(text, "**", 2) == 0)
            continue;
        *line = text;
        return SW_OK;
    }
}

sw_status sw_fem_inp_next_fields(sw_fem_inp_lines *lines)
{
    char *line;
    lines->n_fields = 0;
    lines->continues = 0;
    SW_TRY(sw_fem_inp_next_line(lines, &line));
    if (line == NULL)
        return SW_OK;
    if (*line == '*') {
        lines->held = 1;
        return SW_OK;
    }
    lines->n_fields = cut(line, SW_FEM_INP_MOST_FIELDS, lines->field);
    if (lines->n_fields > SW_FEM_INP_MOST_FIELDS)
        return sw_fem_inp_complain(lines, lines->number, "more than %d fields in a line",
                                   SW_FEM_INP_MOST_FIELDS);
    lines->continues = *lines->field[lines->n_fields - 1] == '\0';
    lines->n_fields -= lines->continues && lines->n_fields > 1;
    return SW_OK;
}

/* ---- Keyword lines ---- */

sw_status sw_fem_inp_read_command(sw_fem_inp_lines *lines, const char *line)
{
    size_t length = 0;
    lines->command_line = lines->number;
    for (;;) {
        const size_t n = strlen(line);
        if (length + n + 1 > lines->command_size) {
            char *grown = realloc(lines->command, 2 * (length + n + 1));
            if (grown == NULL)
                return sw_error(SW_ERR_MEMORY, "%s:%" PRId64 ": no memory for a line", lines->path,
                                lines->number);
            lines->command = grown;
            lines->command_size = 2 * (length + n + 1);
        }
        memcpy(lines->command + length, line, n + 1);
        length += n;
        if (lines->command[length - 1] != ',')
            break;
        char *more;
        SW_TRY(sw_fem_inp_next_line(lines, &more));
        if (more == NULL || *more == '*') {
            lines->held = more != NULL;
            break;
        }
        line = more;
    }
    char *field[SW_FEM_INP_MOST_PARAMETERS + 1];
    const int n = cut(lines->command, SW_FEM_INP_MOST_PARAMETERS + 1, field);
    upper(lines->command);
    lines->n_parameters = 0;
    for (int i = 1; i < n && i <= SW_FEM_INP_MOST_PARAMETERS; i++) {
        char *equals = strchr(field[i], '='), *none = field[i] + strlen(field[i]);
        if (*field[i] == '\0')
            continue;
        if (equals != NULL)
            *equals = '\0';
        lines->parameter[lines->n_parameters].key = trim(field[i]);
        upper(lines->parameter[lines->n_parameters].key);
        lines->parameter[lines->n_parameters++].value =
            equals != NULL ? sw_fem_inp_unquote(trim(equals + 1)) : none;
    }
    return SW_OK;
}

char *sw_fem_inp_parameter(const sw_fem_inp_lines *lines, const char *key)
{
    for (int i = 0; i < lines->n_parameters; i++)
        if (strcmp(lines->parameter[i].key, key) == 0)
            return lines->parameter[i].value;
    return NULL;
}

sw_status sw_fem_inp_need_parameters(const sw_fem_inp_lines *lines, const char *list)
{
    for (int i = 0; i < lines->n_parameters; i++) {
        char key[64];
        snprintf(key, sizeof key, " %s ", lines->parameter[i].key);
        if (strstr(list, key) == NULL)
            return sw_fem_inp_complain(lines, lines->command_line,
                                       "%.32s: parameter %.64s is not supported: need one of%s",
                                       lines->command, lines->parameter[i].key, list);
    }
    return SW_OK;
}

sw_status sw_fem_inp_need_value(const sw_fem_inp_lines *lines, const char *key, char **value)
{
    *value = sw_fem_inp_parameter(lines, key);
    if (*value == NULL || **value == '\0')
        return sw_fem_inp_complain(lines, lines->command_line, "%.32s: needs %s=", lines->command, key);
    return SW_OK;
}

/* ---- Numbers ---- */

/* Zeros may lead. */
sw_status sw_fem_inp_to_label(const sw_fem_inp_lines *lines, const char *text, const char *what,
                              int64_t *label)
{
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > INT32_MAX)
        return sw_fem_inp_complain(lines, lines->number, "%s '%.64s': need a whole number from 1 to %d", what,
                                   text, INT32_MAX);
    *label = value;
    return SW_OK;
}

sw_status sw_fem_inp_to_number(const sw_fem_inp_lines *lines, const char *text, const char *what,
                               double *number)
{
    *number = 0;
    if (*text != '\0' && sw_parse_real(text, number) != NULL)
        return sw_fem_inp_complain(lines, lines->number, "%s '%.64s': need a number", what, text);
    return SW_OK;
}
