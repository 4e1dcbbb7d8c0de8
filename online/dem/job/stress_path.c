/* Stress paths: a table of times, stresses and strain rates of some of the six components. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input.h"
#include "online/dem/backend/names.h"

/* Component of a column "stress_33" or "strain_rate_12", and what it drives it by. */
static sw_status find_column(const sw_dem_table *table, int64_t column, int *component, int *driven)
{
    static const char *const prefixes[] = {"strain_rate_", "stress_"};
    char names[2 * SW_DEM_SIX][24], bound[320];
    const char *list[2 * SW_DEM_SIX];
    for (int i = 0; i < 2 * SW_DEM_SIX; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", prefixes[i / SW_DEM_SIX],
                 sw_dem_six_names[i % SW_DEM_SIX]);
        list[i] = names[i];
    }
    const int found = sw_dem_find_word(table->name[column], 2 * SW_DEM_SIX, list, bound, sizeof bound);
    if (found < 0)
        return sw_dem_table_error(table, -1, "unknown column '%.80s': %s", table->name[column], bound);
    *component = found % SW_DEM_SIX;
    *driven = found < SW_DEM_SIX ? SW_DEM_BY_RATE : SW_DEM_BY_STRESS;
    return SW_OK;
}

static sw_status check_shape(const sw_dem_table *table)
{
    if (strcmp(table->name[0], "time") != 0)
        return sw_dem_table_error(table, -1, "column 1 is '%.80s': need 'time'", table->name[0]);
    if (table->n_columns < 2)
        return sw_dem_table_error(table, -1, "only times: need stress_11 .. stress_12, strain_rate_11 ..");
    if (table->n_rows < 2)
        return sw_dem_table_error(table, 0, "one row: need the beginning and an end");
    return SW_OK;
}

static sw_status take_times(const sw_dem_table *table, double *time)
{
    for (int64_t k = 0; k < table->n_rows; k++) {
        SW_TRY(sw_dem_table_number(table, k, 0, &time[k]));
        if (k == 0 && time[0] != 0)
            return sw_dem_table_error(table, k, "time = %.15g: need 0 s at the beginning", time[0]);
        if (k > 0 && !(time[k] > time[k - 1] && time[k] <= 1e9))
            return sw_dem_table_error(table, k, "time = %.15g: need more than %.15g s, at most 1e9", time[k],
                                      time[k - 1]);
    }
    return SW_OK;
}

static sw_status take_column(const sw_dem_table *table, int64_t column, sw_dem_path *path)
{
    int c = 0, driven = 0;
    SW_TRY(find_column(table, column, &c, &driven));
    if (path->driven[c] != 0)
        return sw_dem_table_error(table, -1, "stress_%s and strain_rate_%s: need only one of them",
                                  sw_dem_six_names[c], sw_dem_six_names[c]);
    path->driven[c] = driven;
    const int positive = driven == SW_DEM_BY_STRESS && c < 3; /* grains carry no tension */
    for (int64_t k = 0; k < table->n_rows; k++) {
        double *value = &path->value[k][c];
        SW_TRY(sw_dem_table_number(table, k, column, value));
        if (!(fabs(*value) <= 1e15) || (positive && !(*value > 0)))
            return sw_dem_table_error(table, k, "%s = %.15g: need %s", table->name[column], *value,
                                      positive ? "more than 0, at most 1e15" : "-1e15 to 1e15");
    }
    return SW_OK;
}

static sw_status take_path(sw_job *job, const sw_dem_table *table, sw_dem_path *path)
{
    SW_TRY(check_shape(table));
    path->n_rows = table->n_rows;
    SW_TRY(SW_DEM_KEEP(job, path->time, table->n_rows));
    SW_TRY(SW_DEM_KEEP(job, path->value, table->n_rows));
    SW_TRY(take_times(table, path->time));
    for (int64_t j = 1; j < table->n_columns; j++)
        SW_TRY(take_column(table, j, path));
    return SW_OK;
}

sw_status sw_dem_path_read(sw_job *job, const char *file, sw_dem_path *path)
{
    sw_dem_table *table;
    SW_TRY(sw_dem_table_read(file, &table));
    const sw_status status = take_path(job, table, path);
    sw_dem_table_free(table);
    return status;
}
