#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "sweep.h"

/* ---- Table ---- */

static void print_law(FILE *out, const char *what, const sw_power_law *law)
{
    if (isfinite(law->slope))
        fprintf(out, "slope of %-18s%.3f\n", what, law->slope);
    else
        fprintf(out, "slope of %-18snone: need two fitted points\n", what);
}

static int label_width(const sw_sweep_result *r)
{
    size_t width = 27;
    for (int64_t i = 0; i < r->n_rows; i++)
        width = strlen(r->row[i].label) > width ? strlen(r->row[i].label) : width;
    return (int)width;
}

void sw_sweep_print(const sw_sweep_job *job, const sw_sweep_result *r, FILE *out)
{
    const int width = label_width(r);
    fprintf(
        out,
        "Error against %s\nrelative L2 over %lld steps, tensor: all of the deviatoric stress; %lld crystals\n"
        "%-*s %11s %17s %13s %9s %9s %9s  %s\n",
        r->reference, (long long)r->n_steps, (long long)job->crystals.count, width + 1,
        sw_sweep_kind_name[job->kind], "tensor", r->curve, "s/crystal-step", "s in all", "set-up", "database",
        "device");
    for (int64_t i = 0; i < r->n_rows; i++) {
        const sw_sweep_row *row = &r->row[i];
        fprintf(out, "%-*s%c %11.3e %17.3e %13.3e %9.2f %9.1e %9.1e  %s\n", width, row->label,
                row->fitted ? '*' : ' ', row->error, row->curve_error, row->seconds_per_crystal_step,
                row->seconds, row->set_up, row->generation, row->device);
    }
    fprintf(out, "set-up: s before the first step, in s in all, too; database: s that making it took, 0 "
                 "without or if not "
                 "known\n");
    if (r->scatter.error > 0)
        fprintf(out, "%d seeds of so many crystals scatter by %.3e (%s: %.3e)\n", SW_SWEEP_SEEDS,
                r->scatter.error, r->curve, r->scatter.curve_error);
    fprintf(out, "fit: least squares of log error over log %s, points marked *\n",
            job->kind == SW_VARY_COST ? "s/crystal-step" : sw_sweep_kind_name[job->kind]);
    print_law(out, "tensor", &r->error);
    print_law(out, r->curve, &r->curve_error);
}

/* ---- File ---- */

/* /sweep/NAME [rows], a member of every row. */
static sw_status write_column(hid_t group, const char *name, const char *unit, const sw_sweep_result *r,
                              size_t offset)
{
    double *column;
    SW_TRY(SW_ALLOCATE(column, r->n_rows, "results"));
    for (int64_t i = 0; i < r->n_rows; i++)
        memcpy(&column[i], (const char *)&r->row[i] + offset, sizeof *column);
    const sw_status status = sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 1, &r->n_rows, column);
    free(column);
    return status == SW_OK ? sw_h5_describe(group, name, "unit", unit) : status;
}

static sw_status write_fitted(hid_t group, const sw_sweep_result *r)
{
    int *fitted;
    SW_TRY(SW_ALLOCATE(fitted, r->n_rows, "results"));
    for (int64_t i = 0; i < r->n_rows; i++)
        fitted[i] = r->row[i].fitted;
    const sw_status status = sw_h5_write(group, "fitted", H5T_NATIVE_INT, 1, &r->n_rows, fitted);
    free(fitted);
    return status;
}

static const char *label_of(const sw_sweep_row *row) { return row->label; }
static const char *solver_of(const sw_sweep_row *row) { return row->solver; }
static const char *device_of(const sw_sweep_row *row) { return row->device; }

/* /sweep/NAME [rows], texts of one length. */
static sw_status write_texts(hid_t group, const char *name, const sw_sweep_result *r,
                             const char *(*text_of)(const sw_sweep_row *))
{
    enum { LENGTH = sizeof *r->device };
    char(*text)[LENGTH];
    SW_TRY(SW_ALLOCATE(text, r->n_rows, "results"));
    for (int64_t i = 0; i < r->n_rows; i++)
        snprintf(text[i], LENGTH, "%s", text_of(&r->row[i]));
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, LENGTH);
    const sw_status status = sw_h5_write(group, name, type, 1, &r->n_rows, text);
    H5Tclose(type);
    free(text);
    return status;
}

static sw_status write_attributes(hid_t group, const sw_sweep_job *job, const sw_sweep_result *r)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"vary", sw_sweep_kind_name[job->kind]},
                 {"reference", r->reference},
                 {"material", r->material},
                 {"curve", r->curve},
                 {"program", "slipwave " SW_VERSION},
                 {"job", sw_job_text(job->source)}};
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"slope", r->error.slope},
                   {"coefficient", r->error.coefficient},
                   {"curve_slope", r->curve_error.slope},
                   {"curve_coefficient", r->curve_error.coefficient},
                   {"scatter", r->scatter.error},
                   {"curve_scatter", r->scatter.curve_error},
                   {"crystals", (double)job->crystals.count},
                   {"seed", (double)job->crystals.seed},
                   {"steps", (double)r->n_steps}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SW_TRY(sw_h5_write_text(group, texts[i].name, texts[i].text));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        SW_TRY(sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value));
    return SW_OK;
}

static sw_status write_group(hid_t group, const sw_sweep_job *job, const sw_sweep_result *r)
{
    static const struct {
        const char *name, *unit;
        size_t offset;
    } columns[] = {{"value", "1", offsetof(sw_sweep_row, value)},
                   {"error", "1", offsetof(sw_sweep_row, error)},
                   {"curve_error", "1", offsetof(sw_sweep_row, curve_error)},
                   {"seconds_per_crystal_step", "s", offsetof(sw_sweep_row, seconds_per_crystal_step)},
                   {"set_up", "s", offsetof(sw_sweep_row, set_up)},
                   {"generation", "s", offsetof(sw_sweep_row, generation)},
                   {"seconds", "s", offsetof(sw_sweep_row, seconds)}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        SW_TRY(write_column(group, columns[i].name, columns[i].unit, r, columns[i].offset));
    SW_TRY(write_fitted(group, r));
    SW_TRY(write_texts(group, "label", r, label_of));
    SW_TRY(write_texts(group, "solver", r, solver_of));
    SW_TRY(write_texts(group, "device", r, device_of));
    return write_attributes(group, job, r);
}

static sw_status write_file(hid_t file, const sw_sweep_job *job, const sw_sweep_result *result)
{
    const double version = 1;
    hid_t group;
    SW_TRY(sw_h5_write_text(file, "format", "slipwave-sweep"));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_group(file, "sweep", &group));
    const sw_status status = write_group(group, job, result);
    H5Gclose(group);
    return status;
}

sw_status sw_sweep_write(const sw_sweep_job *job, const sw_sweep_result *result)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin(job->output.file, &output));
    return sw_h5_end(&output, write_file(output.file, job, result));
}
