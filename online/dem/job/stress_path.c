/* Stress paths: a table of times, stresses and strain rates of some of the six components. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"

const char *const sw_dem_six_names[SW_DEM_SIX] = {"11", "22", "33", "23", "13", "12"};

/* Component of a column "stress_33" or "strain_rate_12"; *driven: 1 by strain rate, 2 by stress. */
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
    *driven = 1 + found / SW_DEM_SIX;
    return SW_OK;
}

static sw_status take_path(const sw_dem_table *table, sw_dem_path *path)
{
    if (strcmp(table->name[0], "time") != 0)
        return sw_dem_table_error(table, -1, "column 1 is '%.80s': need 'time'", table->name[0]);
    if (table->n_columns < 2)
        return sw_dem_table_error(table, -1, "only times: need stress_11 .. stress_12, strain_rate_11 ..");
    if (table->n_rows < 2)
        return sw_dem_table_error(table, 0, "one row: need the beginning and an end");
    path->n_rows = table->n_rows;
    SW_TRY(SW_ALLOCATE(path->time, table->n_rows, "a stress path"));
    SW_TRY(SW_ALLOCATE(path->value, table->n_rows, "a stress path"));
    for (int64_t k = 0; k < table->n_rows; k++) {
        SW_TRY(sw_dem_table_number(table, k, 0, &path->time[k]));
        if (!(k == 0 ? path->time[0] == 0 : path->time[k] > path->time[k - 1] && path->time[k] <= 1e9))
            return sw_dem_table_error(table, k,
                                      k == 0 ? "time = %.15g: need 0 s at the beginning"
                                             : "time = %.15g: need more than %.15g s, at most 1e9",
                                      path->time[k], k == 0 ? 0 : path->time[k - 1]);
    }
    for (int64_t j = 1; j < table->n_columns; j++) {
        int c = 0, driven = 0;
        SW_TRY(find_column(table, j, &c, &driven));
        if (path->driven[c] != 0)
            return sw_dem_table_error(table, -1, "stress_%s and strain_rate_%s: need only one of them",
                                      sw_dem_six_names[c], sw_dem_six_names[c]);
        path->driven[c] = driven;
        for (int64_t k = 0; k < table->n_rows; k++) {
            double *value = &path->value[k][c];
            SW_TRY(sw_dem_table_number(table, k, j, value));
            if (!(fabs(*value) <= 1e15) || (driven == 2 && c < 3 && !(*value > 0)))
                return sw_dem_table_error(table, k, "%s = %.15g: need %s", table->name[j], *value,
                                          driven == 2 && c < 3 ? "more than 0, at most 1e15"
                                                               : "-1e15 to 1e15");
        }
    }
    return SW_OK;
}

sw_status sw_dem_path_read(const char *file, sw_dem_path *path)
{
    sw_dem_table *table;
    SW_TRY(sw_dem_table_read(file, &table));
    const sw_status status = take_path(table, path);
    sw_dem_table_free(table);
    return status;
}

void sw_dem_path_free(sw_dem_path *path)
{
    free(path->time);
    free(path->value);
    *path = (sw_dem_path){0};
}
