#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/text.h"

int sw_dem_find_word(const char *word, int count, const char *const *names, char *bound, size_t size)
{
    const int found = sw_find_word(word, count, names);
    if (found >= 0)
        return found;
    const char *nearest = sw_nearest_word(word, count, names);
    const int length =
        snprintf(bound, size, nearest != NULL ? "did you mean '%s'?" : "need one of ", nearest);
    if (nearest == NULL)
        sw_list_words(count, names, bound + length, size - (size_t)length);
    return -1;
}

static const char parting[] = " \t,\r";

sw_status sw_dem_table_error(const sw_dem_table *table, int64_t row, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return sw_error(SW_ERR_INPUT, "%s:%d: %s", table->path, table->line[row + 1], text);
}

void sw_dem_table_free(sw_dem_table *table)
{
    if (table == NULL)
        return;
    free(table->path);
    free(table->text);
    free(table->name);
    free(table->word);
    free(table->line);
    free(table);
}

/* Whether a line holds a row, after the names: *start is its first word. */
static int holds_row(char *line, int has_names, char **start)
{
    line += strspn(line, parting);
    if (*line == '#' && !has_names)
        line += 1 + strspn(line + 1, parting);
    *start = line;
    return *line != '\0' && *line != '#';
}

static int64_t count_words(const char *line)
{
    int64_t count = 0;
    for (line += strspn(line, parting); *line != '\0'; line += strspn(line, parting)) {
        line += strcspn(line, parting);
        count++;
    }
    return count;
}

static void cut_words(char *line, char **word)
{
    for (line += strspn(line, parting); *line != '\0'; line += strspn(line, parting)) {
        *word++ = line;
        line += strcspn(line, parting);
        if (*line != '\0')
            *line++ = '\0';
    }
}

static sw_status take_names(sw_dem_table *table, char *line, int64_t most_rows)
{
    table->n_columns = count_words(line);
    SW_TRY(SW_ALLOCATE(table->name, table->n_columns, "a table"));
    SW_TRY(SW_ALLOCATE(table->word, table->n_columns * most_rows, "a table"));
    cut_words(line, table->name);
    for (int64_t j = 0; j < table->n_columns; j++)
        for (int64_t i = 0; i < j; i++)
            if (strcmp(table->name[i], table->name[j]) == 0)
                return sw_dem_table_error(table, -1, "column '%.80s' is given twice", table->name[j]);
    return SW_OK;
}

static sw_status take_row(sw_dem_table *table, char *line)
{
    const int64_t words = count_words(line);
    if (words != table->n_columns)
        return sw_dem_table_error(table, table->n_rows, "%lld words: need %lld, one a column",
                                  (long long)words, (long long)table->n_columns);
    cut_words(line, table->word + table->n_rows * table->n_columns);
    table->n_rows++;
    return SW_OK;
}

static sw_status parse(sw_dem_table *table)
{
    int64_t lines = 1;
    for (const char *c = table->text; *c != '\0'; c++)
        lines += *c == '\n';
    SW_TRY(SW_ALLOCATE(table->line, lines + 2, "a table"));
    table->line[0] = 1;
    int number = 0;
    for (char *line = table->text, *next; line != NULL; line = next) {
        char *start;
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        number++;
        if (!holds_row(line, table->name != NULL, &start))
            continue;
        if (table->name == NULL) {
            table->line[0] = number;
            SW_TRY(take_names(table, start, lines));
        } else {
            table->line[table->n_rows + 1] = number;
            SW_TRY(take_row(table, start));
        }
    }
    return table->n_rows > 0 ? SW_OK
                             : sw_dem_table_error(table, -1, "no rows: need a line of names and rows below");
}

sw_status sw_dem_table_read(const char *path, sw_dem_table **table)
{
    sw_dem_table *read;
    *table = NULL;
    SW_TRY(SW_ALLOCATE(read, 1, "a table"));
    sw_status status = sw_read_text(path, &read->text);
    if (status == SW_OK && (read->path = strdup(path)) == NULL)
        status = sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    if (status == SW_OK)
        status = parse(read);
    if (status == SW_OK)
        *table = read;
    else
        sw_dem_table_free(read);
    return status;
}

sw_status sw_dem_table_number(const sw_dem_table *table, int64_t row, int64_t column, double *value)
{
    const char *word = table->word[row * table->n_columns + column], *need = sw_parse_real(word, value);
    return need == NULL
               ? SW_OK
               : sw_dem_table_error(table, row, "%.80s = %.80s: need %s", table->name[column], word, need);
}
