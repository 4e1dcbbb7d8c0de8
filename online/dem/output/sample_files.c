#include "sample_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "online/dem/job/job.h"
#include "online/dem/job/quantities.h"

/* ---- Curves ---- */

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
                            sw_dem_quantities[control], value[i], sw_dem_quantity_of(control, &row[from]),
                            sw_dem_quantity_of(control, &row[n_rows - 1]));
        interpolate(row + k, control, value[i], n_quantities, quantity, curve + i * n_quantities);
    }
    return SW_OK;
}

/* ---- Files of a sample ---- */

char *sw_dem_sample_name(const sw_dem_table *table, int64_t row, const char *folder, int kind)
{
    static const char *const kinds[SW_DEM_SAMPLE_FILES] = {
        [SW_DEM_SAMPLE_PARAMETERS] = "param",
        [SW_DEM_SAMPLE_SCATTER] = "scatter",
        [SW_DEM_SAMPLE_CURVE] = "sim" /* judged last: then all is there */
    };
    return sw_file_name("%s/%s_%s.txt", folder == NULL ? "." : folder,
                        table->word[row * table->n_columns + SW_DEM_SAMPLE_DESCRIPTION], kinds[kind]);
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

static sw_status write_file(const sw_dem_table *table, int64_t row, const char *folder, int kind,
                            int n_columns, const char *const *name, int64_t n_values, const double *curve)
{
    sw_output_file output;
    FILE *file;
    char *path = sw_dem_sample_name(table, row, folder, kind);
    if (path == NULL)
        return SW_ERR_MEMORY;
    const sw_status status = sw_text_file_begin(path, &output, &file);
    free(path);
    SW_TRY(status);
    if (kind == SW_DEM_SAMPLE_PARAMETERS)
        print_parameters(file, table, row);
    else
        print_curve(file, n_columns, name, n_values, curve);
    return sw_text_file_end(&output, file, SW_OK);
}

/* Of an earlier run: it is not beside this one's curve. */
static sw_status remove_file(const sw_dem_table *table, int64_t row, const char *folder, int kind)
{
    char *path = sw_dem_sample_name(table, row, folder, kind);
    if (path == NULL)
        return SW_ERR_MEMORY;
    const int gone = remove(path) == 0 || errno == ENOENT;
    const sw_status status =
        gone ? SW_OK
             : sw_error(SW_ERR_IO, "%s: an earlier run's, not to be removed: %s", path, strerror(errno));
    free(path);
    return status;
}

sw_status sw_dem_sample_write(const sw_dem_table *table, int64_t row, const char *folder, int n_columns,
                              const char *const *name, int64_t n_values, const double *curve,
                              const double *scatter)
{
    for (int kind = 0; kind < SW_DEM_SAMPLE_FILES; kind++) {
        if (kind == SW_DEM_SAMPLE_SCATTER && scatter == NULL)
            SW_TRY(remove_file(table, row, folder, kind));
        else
            SW_TRY(write_file(table, row, folder, kind, n_columns, name, n_values,
                              kind == SW_DEM_SAMPLE_SCATTER ? scatter : curve));
    }
    return SW_OK;
}
