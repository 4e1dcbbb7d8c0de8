#include "sample_table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/job/old_yaml.h"

/* ---- Words ---- */

enum { LONGEST_WORD = 48 };

/* Levenshtein's distance; more than any word is long when one is too long to be compared. */
static int distance(const char *a, const char *b)
{
    int row[LONGEST_WORD + 1];
    const size_t width = strnlen(b, LONGEST_WORD + 1);
    if (width > LONGEST_WORD || strnlen(a, LONGEST_WORD + 1) > LONGEST_WORD)
        return LONGEST_WORD + 1;
    for (size_t j = 0; j <= width; j++)
        row[j] = (int)j;
    for (int i = 0; a[i] != '\0'; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < width; j++) {
            const int replaced = diagonal + (a[i] != b[j]);
            const int added = (row[j] < row[j + 1] ? row[j] : row[j + 1]) + 1;
            diagonal = row[j + 1];
            row[j + 1] = replaced < added ? replaced : added;
        }
    }
    return row[width];
}

int sw_dem_find_word(const char *word, int count, const char *const *names, char *bound, size_t size)
{
    const char *nearest = NULL;
    int least = (int)(strnlen(word, LONGEST_WORD) + 2) / 3 + 1; /* one slip in three letters */
    size_t used = (size_t)snprintf(bound, size, "need one of ");
    for (int i = 0; i < count; i++) {
        if (names[i] == NULL)
            continue;
        if (strcmp(word, names[i]) == 0)
            return i;
        const int d = distance(word, names[i]);
        if (d < least) {
            least = d;
            nearest = names[i];
        }
        if (used < size)
            used += (size_t)snprintf(bound + used, size - used, "%s%s", used > 12 ? ", " : "", names[i]);
    }
    if (nearest != NULL)
        snprintf(bound, size, "did you mean '%s'?", nearest);
    return -1;
}

/* ---- Tables ---- */

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
    const char *word = table->word[row * table->n_columns + column];
    char *end;
    *value = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(*value) || strspn(word, "0123456789+-.eE") != strlen(word))
        return sw_dem_table_error(table, row, "%.80s = %.80s: need a number", table->name[column], word);
    return SW_OK;
}

/* ---- Tables of samples ---- */

static const char *const leading[SW_DEM_SAMPLE_COLUMNS] = {"!OMP_NUM_THREADS", "description", "key"};
enum { DESCRIPTION = 1, LONGEST_DESCRIPTION = 200 };

static sw_status check_description(const sw_dem_table *table, int64_t row)
{
    const char *const *word = (const char *const *)table->word,
                      *name = word[row * table->n_columns + DESCRIPTION];
    if (strchr(name, '/') != NULL || name[0] == '.' || strlen(name) > LONGEST_DESCRIPTION)
        return sw_dem_table_error(table, row,
                                  "description = %.80s: is part of a file's name: need at most %d bytes, "
                                  "no '/', no '.' at its start",
                                  name, LONGEST_DESCRIPTION);
    return SW_OK;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

sw_status sw_dem_samples_check(const sw_dem_table *table)
{
    for (int i = 0; i < SW_DEM_SAMPLE_COLUMNS; i++)
        if (i >= table->n_columns || strcmp(table->name[i], leading[i]) != 0)
            return sw_dem_table_error(table, -1, "column %d is '%.80s': need '%s'", i + 1,
                                      i < table->n_columns ? table->name[i] : "", leading[i]);
    if (table->n_columns == SW_DEM_SAMPLE_COLUMNS)
        return sw_dem_table_error(table, -1, "no parameters: need them after 'key'");
    char **sorted;
    sw_status status = SW_ALLOCATE(sorted, table->n_rows, "a table");
    for (int64_t i = 0; i < table->n_rows && status == SW_OK; i++) {
        sorted[i] = table->word[i * table->n_columns + DESCRIPTION];
        status = check_description(table, i);
    }
    if (status == SW_OK)
        qsort(sorted, (size_t)table->n_rows, sizeof *sorted, compare_words);
    for (int64_t i = 1; i < table->n_rows && status == SW_OK; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            status = sw_dem_table_error(table, -1, "description '%.80s' is given twice", sorted[i]);
    free(sorted);
    return status;
}

/* ---- Quantities ---- */

enum { ROW_QUANTITIES = (int)(sizeof(sw_dem_row) / sizeof(double)) };

enum { STRESS_RATIO = ROW_QUANTITIES, DEVIATOR_RATIO, NORMAL_STRESS_RATIO, SPECIFIC_VOLUME };

const char *const sw_dem_sample_quantities[] = {
#define SW_DEM_QUANTITY_NAME(name, unit, meaning) #name,
    SW_DEM_ROW_LIST(SW_DEM_QUANTITY_NAME)
#undef SW_DEM_QUANTITY_NAME
        "stress_ratio",
    "deviator_ratio",
    "normal_stress_ratio",
    "specific_volume",
    NULL,
};

int sw_dem_quantity(const char *name)
{
    for (int i = 0; sw_dem_sample_quantities[i] != NULL; i++)
        if (strcmp(name, sw_dem_sample_quantities[i]) == 0)
            return i;
    return -1;
}

double sw_dem_quantity_of(int quantity, const sw_dem_row *row)
{
    const double least = fmin(row->stress_11, fmin(row->stress_22, row->stress_33)),
                 most = fmax(row->stress_11, fmax(row->stress_22, row->stress_33));
    double value[ROW_QUANTITIES];
    switch (quantity) {
    case STRESS_RATIO:
        return row->deviator / row->pressure;
    case DEVIATOR_RATIO:
        return row->deviator / least;
    case NORMAL_STRESS_RATIO:
        return most / least;
    case SPECIFIC_VOLUME:
        return 1 + row->void_ratio;
    default:
        memcpy(value, row, sizeof value);
        return value[quantity];
    }
}

/* Straight from row to row; where they are equal in the control, the first. */
static void interpolate(const sw_dem_row *row, int control, double value, int n, const int *quantity,
                        double *to)
{
    const double a = sw_dem_quantity_of(control, &row[0]), b = sw_dem_quantity_of(control, &row[1]);
    const double part = a == b ? 0 : (value - a) / (b - a);
    for (int i = 0; i < n; i++) {
        const double from = sw_dem_quantity_of(quantity[i], &row[0]);
        to[i] = from + part * (sw_dem_quantity_of(quantity[i], &row[1]) - from);
    }
}

sw_status sw_dem_sample_curve(int64_t n_rows, const sw_dem_row *row, int control, int64_t n_values,
                              const double *value, int n_quantities, const int *quantity, double *curve)
{
    if (n_rows < 2)
        return sw_error(SW_ERR_RANGE, "%lld records: need 2", (long long)n_rows);
    int64_t k = 0;
    for (int64_t i = 0; i < n_values; i++) {
        const int64_t from = k;
        int found = 0;
        for (; k < n_rows - 1; k++) {
            const double a = sw_dem_quantity_of(control, &row[k]),
                         b = sw_dem_quantity_of(control, &row[k + 1]);
            found = (a <= value[i] && value[i] <= b) || (b <= value[i] && value[i] <= a);
            if (found)
                break;
        }
        if (!found)
            return sw_error(SW_ERR_RANGE, "%s = %.9g is not reached: it goes from %.9g to %.9g",
                            sw_dem_sample_quantities[control], value[i],
                            sw_dem_quantity_of(control, &row[from]),
                            sw_dem_quantity_of(control, &row[n_rows - 1]));
        interpolate(row + k, control, value[i], n_quantities, quantity, curve + i * n_quantities);
    }
    return SW_OK;
}

/* ---- Files of a sample ---- */

char *sw_dem_sample_name(const sw_dem_table *table, int64_t row, const char *folder, int kind)
{
    static const char *const kinds[SW_DEM_SAMPLE_FILES] = {"param",
                                                           "sim"}; /* judged last: then all is there */
    char *name;
    return asprintf(&name, "%s/%s_%s.txt", folder == NULL ? "." : folder,
                    table->word[row * table->n_columns + DESCRIPTION], kinds[kind]) < 0
               ? NULL
               : name;
}

/* Begin a file of a sample under a temporary name; both names are the caller's to free(). */
static sw_status begin(const sw_dem_table *table, int64_t row, const char *folder, int kind, char **path,
                       char **temporary, FILE **file)
{
    *file = NULL;
    *path = sw_dem_sample_name(table, row, folder, kind);
    if (*path == NULL || asprintf(temporary, "%s.XXXXXX", *path) < 0) {
        *temporary = NULL;
        return sw_error(SW_ERR_MEMORY, "%s: no memory for names", table->path);
    }
    const int descriptor = mkstemp(*temporary);
    *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (*file != NULL) {
        const mode_t mask = umask(0);
        umask(mask);
        fchmod(descriptor, 0666 & ~mask);
        return SW_OK;
    }
    const sw_status status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", *path, strerror(errno));
    if (descriptor >= 0) {
        close(descriptor);
        unlink(*temporary);
    }
    return status;
}

static sw_status end(const char *path, const char *temporary, FILE *file)
{
    const int failed = ferror(file);
    if ((fclose(file) != 0) | failed | (rename(temporary, path) != 0)) {
        const sw_status status = sw_error(SW_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
        unlink(temporary);
        return status;
    }
    return SW_OK;
}

/* The words are the table's own: what is read back is what was asked for. */
static void print_parameters(FILE *file, const sw_dem_table *table, int64_t row)
{
    fputc('#', file);
    for (int64_t j = SW_DEM_SAMPLE_COLUMNS; j < table->n_columns; j++)
        fprintf(file, " %s", table->name[j]);
    for (int64_t j = SW_DEM_SAMPLE_COLUMNS; j < table->n_columns; j++)
        fprintf(file, "%s%s", j == SW_DEM_SAMPLE_COLUMNS ? "\n" : " ",
                table->word[row * table->n_columns + j]);
    fputc('\n', file);
}

static void print_curve(FILE *file, int n_columns, const char *const *name, int64_t n_values,
                        const double *curve)
{
    fputc('#', file);
    for (int j = 0; j < n_columns; j++)
        fprintf(file, " %s", name[j]);
    fputc('\n', file);
    for (int64_t i = 0; i < n_values * n_columns; i++)
        fprintf(file, "%.10e%c", curve[i], (i + 1) % n_columns == 0 ? '\n' : ' ');
}

sw_status sw_dem_sample_write(const sw_dem_table *table, int64_t row, const char *folder, int n_columns,
                              const char *const *name, int64_t n_values, const double *curve)
{
    sw_status status = SW_OK;
    for (int k = 0; k < SW_DEM_SAMPLE_FILES && status == SW_OK; k++) {
        char *path, *temporary = NULL;
        FILE *file;
        status = begin(table, row, folder, k, &path, &temporary, &file);
        if (status == SW_OK) {
            if (k == 0)
                print_parameters(file, table, row);
            else
                print_curve(file, n_columns, name, n_values, curve);
            status = end(path, temporary, file);
        }
        free(path);
        free(temporary);
    }
    return status;
}
