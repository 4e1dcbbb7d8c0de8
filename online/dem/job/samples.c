/* Samples of a table: which parameters its columns are, and what is asked of each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

/* ---- The table ---- */

/* The parameter that a column means; -1: none. bound [size] says what was meant. */
static int find_parameter(const char *name, char *bound, size_t size)
{
    const char *names[2 * SW_DEM_PARAMETERS];
    int n = 0;
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        names[n++] = sw_dem_parameters[i].name;
        /* once, where both are the same */
        names[n++] = strcmp(sw_dem_parameters[i].name, sw_dem_parameters[i].alias) == 0
                         ? NULL
                         : sw_dem_parameters[i].alias;
    }
    const int found = sw_dem_find_word(name, n, names, bound, size);
    return found < 0 ? -1 : found / 2;
}

static sw_status check_column(sw_dem_job *job, int64_t column)
{
    const sw_dem_table *table = job->table;
    const char *name = table->name[SW_DEM_SAMPLE_COLUMNS + column];
    char bound[512];
    const int parameter = find_parameter(name, bound, sizeof bound);
    if (parameter < 0)
        return sw_dem_table_error(table, -1, "unknown parameter '%.80s': %s", name, bound);
    for (int64_t i = 0; i < column; i++) {
        const int other = job->column_of[i];
        const int friction = (other == SW_DEM_FRICTION || other == SW_DEM_FRICTION_ANGLE) &&
                             (parameter == SW_DEM_FRICTION || parameter == SW_DEM_FRICTION_ANGLE);
        if (other == parameter || friction)
            return sw_dem_table_error(table, -1, "'%.80s' is '%.80s' again: need only one of them", name,
                                      table->name[SW_DEM_SAMPLE_COLUMNS + i]);
    }
    if (job->packed_by_file && sw_dem_generates(parameter))
        return sw_dem_table_error(table, -1, "'%.80s' has no place beside a packing from a file", name);
    job->column_of[column] = parameter;
    for (int64_t row = 0; row < table->n_rows; row++) {
        double value;
        SW_TRY(sw_dem_table_number(table, row, SW_DEM_SAMPLE_COLUMNS + column, &value));
        const char *need = sw_dem_parameter_bound((sw_dem_parameter)parameter, value);
        if (need != NULL)
            return sw_dem_table_error(table, row, "%s = %.15g: need %s", name, value, need);
    }
    return SW_OK;
}

/* ---- What is written of each ---- */

static sw_status check_quantities(const sw_dem_job *job)
{
    int names = 0;
    char bound[512], key[SW_DEM_KEY];
    while (sw_dem_sample_quantities[names] != NULL)
        names++;
    if (job->samples.control == NULL)
        return sw_dem_job_error(job, "samples.control", " is missing: need a quantity, as strain_33");
    if (sw_dem_find_word(job->samples.control, names, sw_dem_sample_quantities, bound, sizeof bound) < 0)
        return sw_dem_job_error(job, "samples.control", " = %.80s: %s", job->samples.control, bound);
    if (job->samples.columns_count == 0)
        return sw_dem_job_error(job, "samples.columns", " is missing: need quantities, as [stress_ratio]");
    for (unsigned i = 0; i < job->samples.columns_count; i++) {
        const char *name = job->samples.columns[i];
        snprintf(key, sizeof key, "samples.columns[%u]", i);
        if (sw_dem_find_word(name, names, sw_dem_sample_quantities, bound, sizeof bound) < 0)
            return sw_dem_job_error(job, key, " = %.80s: %s", name, bound);
        int twice = strcmp(name, job->samples.control) == 0;
        for (unsigned k = 0; k < i; k++)
            twice |= strcmp(name, job->samples.columns[k]) == 0;
        if (twice)
            return sw_dem_job_error(job, key, " = %s: is given twice", name);
    }
    return SW_OK;
}

static sw_status make_control(sw_dem_job *job)
{
    static const sw_dem_number rules[] = {
        {"count", offsetof(sw_dem_job, samples.count), 1, 2, 1000000, 0, "2 <= count <= 1e6"},
        {"first", offsetof(sw_dem_job, samples.first), 0, -1e15, 1e15, 0, "-1e15 <= first <= 1e15"},
        {"last", offsetof(sw_dem_job, samples.last), 0, -1e15, 1e15, 0, "-1e15 <= last <= 1e15"},
    };
    const int listed = sw_dem_given(job, "samples.values"), counted = sw_dem_given(job, "samples.count");
    SW_TRY(sw_dem_check_numbers(job, "samples.", job, 3, rules));
    if (listed == counted)
        return sw_dem_job_error(job, "samples.values",
                                listed ? " beside count: need only one of them"
                                       : " is missing: need it, or count and last");
    if (counted != sw_dem_given(job, "samples.last"))
        return sw_dem_job_error(job, "samples.last",
                                counted ? " is missing: need it with count" : ": goes with count");
    if (listed && sw_dem_given(job, "samples.first"))
        return sw_dem_job_error(job, "samples.first", ": goes with count");
    if (counted && job->samples.first == job->samples.last)
        return sw_dem_job_error(job, "samples.last", " = %.15g: need another value than first",
                                job->samples.last);
    job->n_control = listed ? (int64_t)job->samples.values_count : job->samples.count;
    SW_TRY(SW_ALLOCATE(job->control, job->n_control, "values of samples"));
    for (int64_t i = 0; i < job->n_control; i++) {
        const double part = counted ? (double)i / (double)(job->n_control - 1) : 0;
        job->control[i] =
            listed ? job->samples.values[i] : (1 - part) * job->samples.first + part * job->samples.last;
        char key[SW_DEM_KEY];
        snprintf(key, sizeof key, "samples.values[%lld]", (long long)i);
        if (listed && i > 0 &&
            !(i == 1 ? job->control[1] != job->control[0]
                     : (job->control[i] - job->control[i - 1]) * (job->control[1] - job->control[0]) > 0))
            return sw_dem_job_error(job, key, " = %.15g: need values that only rise, or only fall",
                                    job->control[i]);
    }
    return SW_OK;
}

/* ---- All of it ---- */

sw_status sw_dem_make_samples(sw_dem_job *job)
{
    static const char *const failures[] = {"omit", "zeros"};
    if (job->samples.table == NULL) {
        if (sw_dem_given(job, "samples.on_failure"))
            SW_TRY(sw_dem_choose(job, "samples.on_failure", job->samples.on_failure, 2, failures, 0,
                                 &job->zeros_on_failure));
        return SW_OK;
    }
    if (job->rves.variations_count > 0)
        return sw_dem_job_error(job, "samples.table", " beside rves.variations: need only one of them");
    SW_TRY(sw_dem_choose(job, "samples.on_failure", job->samples.on_failure, 2, failures, 0,
                         &job->zeros_on_failure));
    SW_TRY(check_quantities(job));
    SW_TRY(make_control(job));
    if (job->loading_count == 0)
        return sw_dem_job_error(job, "loading", " is missing: samples need a test");
    SW_TRY(sw_dem_table_read(job->samples.table, &job->table));
    SW_TRY(sw_dem_samples_check(job->table));
    const int64_t columns = job->table->n_columns - SW_DEM_SAMPLE_COLUMNS;
    SW_TRY(SW_ALLOCATE(job->column_of, columns, "a table of samples"));
    for (int64_t i = 0; i < columns; i++)
        SW_TRY(check_column(job, i));
    return SW_OK;
}
