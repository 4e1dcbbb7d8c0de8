/* Samples of GrainLearning 2: the table that it writes for the programs that it calls,
 *
 *     !OMP_NUM_THREADS description key E mu
 *      8 sand_Iter0_Sample0         0     4.3000000000e+09     6.0000000000e-01
 *
 * which parameters its columns are, and what is asked of each sample. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "quantities.h"

/* ---- The table ---- */

static const char *const leading[SW_DEM_SAMPLE_COLUMNS] = {[SW_DEM_SAMPLE_THREADS] = "!OMP_NUM_THREADS",
                                                           [SW_DEM_SAMPLE_DESCRIPTION] = "description",
                                                           [SW_DEM_SAMPLE_KEY] = "key"};
enum { LONGEST_DESCRIPTION = 200 };

static char *description_of(const sw_dem_table *table, int64_t row)
{
    return table->word[row * table->n_columns + SW_DEM_SAMPLE_DESCRIPTION];
}

static sw_status check_description(const sw_dem_table *table, int64_t row)
{
    const char *name = description_of(table, row);
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

/* First names, and a parameter at least. */
static sw_status check_names(const sw_dem_table *table)
{
    for (int i = 0; i < SW_DEM_SAMPLE_COLUMNS; i++)
        if (i >= table->n_columns || strcmp(table->name[i], leading[i]) != 0)
            return sw_dem_table_error(table, -1, "column %d is '%.80s': need '%s'", i + 1,
                                      i < table->n_columns ? table->name[i] : "", leading[i]);
    if (table->n_columns == SW_DEM_SAMPLE_COLUMNS)
        return sw_dem_table_error(table, -1, "no parameters: need them after 'key'");
    return SW_OK;
}

/* Descriptions that are names of files, none twice. */
static sw_status check_descriptions(const sw_dem_table *table)
{
    char **sorted;
    sw_status status = SW_ALLOCATE(sorted, table->n_rows, "a table");
    for (int64_t i = 0; i < table->n_rows && status == SW_OK; i++) {
        sorted[i] = description_of(table, i);
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

/* ---- Its parameters ---- */

/* The parameter that a column means; -1: none. bound [size] says what was meant. */
static int find_parameter(const char *name, char *bound, size_t size)
{
    const char *names[2 * SW_DEM_PARAMETERS];
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        names[2 * i] = sw_dem_parameters[i].name;
        names[2 * i + 1] = sw_dem_parameters[i].alias;
        if (strcmp(names[2 * i], names[2 * i + 1]) == 0)
            names[2 * i + 1] = NULL; /* once, where both are the same */
    }
    const int found = sw_dem_find_word(name, 2 * SW_DEM_PARAMETERS, names, bound, size);
    return found < 0 ? -1 : found / 2;
}

static int is_friction(int parameter)
{
    return parameter == SW_DEM_FRICTION || parameter == SW_DEM_FRICTION_ANGLE;
}

static sw_status take_column(const sw_dem_job *job, int64_t column)
{
    const sw_dem_table *table = job->table;
    const char *name = table->name[SW_DEM_SAMPLE_COLUMNS + column];
    char bound[512];
    char plain[128];
    const char *unit;
    int parameter = find_parameter(name, bound, sizeof bound);
    snprintf(plain, sizeof plain, "%s", name);
    job->column_unit[column] = parameter < 0 ? sw_dem_cut_unit(plain, &unit) : 1;
    if (parameter < 0)
        parameter = find_parameter(plain, bound, sizeof bound);
    if (parameter < 0)
        return sw_dem_table_error(table, -1, "unknown parameter '%.80s': %s", name, bound);
    const char *own = sw_dem_parameters[parameter].unit;
    const int rated = own != NULL && strcmp(own, "Pa s^N") == 0; /* a stress at a rate of 1/s: in Pa, too */
    if (strcmp(plain, name) != 0 && strcmp(rated ? "Pa" : own != NULL ? own : "1", unit) != 0)
        return sw_dem_table_error(table, -1, "'%.80s': need a unit of %s", name,
                                  own != NULL ? own : "pure numbers");
    job->column_of[column] = parameter;
    for (int64_t i = 0; i < column; i++)
        if (job->column_of[i] == parameter || (is_friction(job->column_of[i]) && is_friction(parameter)))
            return sw_dem_table_error(table, -1, "'%.80s' is '%.80s' again: need only one of them", name,
                                      table->name[SW_DEM_SAMPLE_COLUMNS + i]);
    if (job->packed_by_file && sw_dem_generates((sw_dem_parameter)parameter))
        return sw_dem_table_error(table, -1, "'%.80s' has no place beside a packing from a file", name);
    return SW_OK;
}

static sw_status take_cell(const sw_dem_job *job, int64_t row, int64_t column, double *value)
{
    const int64_t place = SW_DEM_SAMPLE_COLUMNS + column;
    char bound[320];
    SW_TRY(sw_dem_table_number(job->table, row, place, value));
    *value *= job->column_unit[column];
    if (sw_dem_parameter_may_be((sw_dem_parameter)job->column_of[column], *value, bound, sizeof bound))
        return SW_OK;
    return sw_dem_table_error(job->table, row, "%s = %.15g: need %s", job->table->name[place], *value, bound);
}

static sw_status read_table(sw_dem_job *job)
{
    SW_TRY(sw_dem_table_read(job->samples.table, &job->table));
    SW_TRY(check_names(job->table));
    SW_TRY(check_descriptions(job->table));
    const int64_t columns = job->table->n_columns - SW_DEM_SAMPLE_COLUMNS;
    SW_TRY(SW_DEM_KEEP(job->source, job->column_of, columns));
    SW_TRY(SW_DEM_KEEP(job->source, job->column_unit, columns));
    SW_TRY(SW_DEM_KEEP(job->source, job->cell, job->table->n_rows * columns));
    for (int64_t j = 0; j < columns; j++) {
        SW_TRY(take_column(job, j));
        for (int64_t i = 0; i < job->table->n_rows; i++)
            SW_TRY(take_cell(job, i, j, &job->cell[i * columns + j]));
    }
    return SW_OK;
}

/* ---- What is written of each ---- */

/* By its name, which may end in a unit: *size of the SI one. */
static sw_status find_quantity(const sw_job *source, const char *key, const char *name, int *quantity,
                               double *size)
{
    char bound[512], plain[128];
    const char *unit;
    snprintf(plain, sizeof plain, "%s", name);
    *size = sw_dem_cut_unit(plain, &unit);
    *quantity = sw_dem_find_word(plain, SW_DEM_QUANTITIES, sw_dem_quantities, bound, sizeof bound);
    if (*quantity < 0)
        return sw_job_error(source, key, " = %.80s: %s", name, bound);
    if (unit != NULL && strcmp(unit, sw_dem_quantity_unit(*quantity)) != 0)
        return sw_job_error(source, key, " = %.80s: need a unit of %s", name,
                            sw_dem_quantity_unit(*quantity));
    return SW_OK;
}

static sw_status take_quantities(sw_dem_job *job)
{
    char key[SW_KEY_SIZE];
    if (job->samples.control == NULL)
        return sw_job_error(job->source, "samples.control", " is missing: need a quantity, as strain_33");
    if (job->samples.columns_count == 0)
        return sw_job_error(job->source, "samples.columns",
                            " is missing: need quantities, as [stress_ratio]");
    SW_TRY(SW_DEM_KEEP(job->source, job->quantity, 1 + job->samples.columns_count));
    SW_TRY(SW_DEM_KEEP(job->source, job->quantity_size, 1 + job->samples.columns_count));
    SW_TRY(find_quantity(job->source, "samples.control", job->samples.control, &job->quantity[0],
                         &job->quantity_size[0]));
    for (unsigned i = 0; i < job->samples.columns_count; i++) {
        const char *name = job->samples.columns[i];
        sw_key_path(key, "samples.columns[%u]", i);
        SW_TRY(find_quantity(job->source, key, name, &job->quantity[1 + i], &job->quantity_size[1 + i]));
        for (unsigned k = 0; k <= i; k++)
            if (job->quantity[k] == job->quantity[1 + i])
                return sw_job_error(job->source, key, " = %s: is given twice", name);
    }
    return SW_OK;
}

/* ---- Values of the control ---- */

static sw_status check_rise(const sw_dem_job *job)
{
    const double *value = job->samples.values;
    char key[SW_KEY_SIZE];
    for (unsigned i = 1; i < job->samples.values_count; i++)
        if (!((value[i] - value[i - 1]) * (value[1] - value[0]) > 0))
            return sw_job_error(job->source, sw_key_path(key, "samples.values[%u]", i),
                                " = %.15g: need values that only rise, or only fall", value[i]);
    return SW_OK;
}

static sw_status make_even(sw_dem_job *job)
{
    const double first = job->samples.first, last = job->samples.last;
    if (isnan(last))
        return sw_job_error(job->source, "samples.last", " is missing: need it with count");
    if (first == last)
        return sw_job_error(job->source, "samples.last", " = %.15g: need another value than first", last);
    job->n_control = job->samples.count;
    SW_TRY(SW_DEM_KEEP(job->source, job->control, job->n_control));
    for (int64_t i = 0; i < job->n_control; i++) {
        const double part = (double)i / (double)(job->n_control - 1);
        job->control[i] = (1 - part) * first + part * last;
    }
    return SW_OK;
}

static sw_status make_control(sw_dem_job *job)
{
    int listed;
    SW_TRY(sw_job_one_of(job->source, "samples.", "count values", 1, &listed));
    if (!listed)
        return make_even(job);
    SW_TRY(sw_dem_refuse_keys(job->source, "samples.", "first last", ": goes with count"));
    job->n_control = job->samples.values_count;
    job->control = job->samples.values;
    return check_rise(job);
}

/* ---- All of it ---- */

sw_status sw_dem_make_samples(sw_dem_job *job)
{
    if (job->samples.table == NULL)
        return SW_OK;
    if (job->rves.variations_count > 0)
        return sw_job_error(job->source, "samples.table", " beside rves.variations: need only one of them");
    SW_TRY(take_quantities(job));
    SW_TRY(make_control(job));
    for (int64_t i = 0; i < job->n_control; i++)
        job->control[i] *= job->quantity_size[0];
    if (job->loading_count == 0)
        return sw_job_error(job->source, "loading", " is missing: samples need a test");
    return read_table(job);
}
