/* What a fit found, as datasets, as a material file, and in words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/files/hdf5_io.h"
#include "found.h"

enum { TEXT = 2 * SW_MATERIAL_TEXT }; /* with what rows say */

static double value_of(const sw_fit_found *found, int j)
{
    return sw_fit_value(&found->parameter[j], &found->material);
}

static const char *unit_of(const sw_fit_parameter *p) { return p->unit != NULL ? p->unit : "1"; }

/* ---- Results ---- */

static sw_status write_numbers(hid_t group, const char *name, int64_t n, const double *number,
                               const char *unit)
{
    SW_TRY(sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 1, &n, number));
    return sw_h5_describe(group, name, "unit", unit);
}

/* Keys, or their units, between blanks. */
static sw_status write_words(const sw_fit_found *found, hid_t group, const char *name, int units)
{
    char text[TEXT];
    int length = 0;
    text[0] = '\0';
    for (int j = 0; j < found->parameters && length < TEXT; j++)
        length += snprintf(text + length, TEXT - (size_t)length, "%s%s", j > 0 ? " " : "",
                           units ? unit_of(&found->parameter[j]) : found->parameter[j].key);
    return sw_h5_write_text(group, name, text);
}

static sw_status write_parameters(const sw_fit_found *found, hid_t group)
{
    const int n = found->parameters;
    const int64_t square[2] = {n, n};
    double number[3][SW_FIT_PARAMETERS_MAX];
    for (int j = 0; j < n; j++) {
        number[0][j] = value_of(found, j);
        number[1][j] = found->parameter[j].least;
        number[2][j] = found->parameter[j].most;
    }
    SW_TRY(write_words(found, group, "parameters", 0));
    SW_TRY(write_words(found, group, "units", 1));
    SW_TRY(write_numbers(group, "value", n, number[0], "as of units"));
    SW_TRY(write_numbers(group, "uncertainty", n, found->uncertainty, "as of units"));
    SW_TRY(write_numbers(group, "least", n, number[1], "as of units"));
    SW_TRY(write_numbers(group, "most", n, number[2], "as of units"));
    return sw_h5_write(group, "correlation", H5T_NATIVE_DOUBLE, 2, square, found->correlation);
}

static sw_status write_searches(const sw_fit *fit, const sw_fit_found *found, hid_t group)
{
    const int64_t shape[3] = {fit->starts, 2, found->parameters};
    const int n = found->parameters;
    double *value, *sum = NULL;
    sw_status status = SW_ALLOCATE(value, fit->starts * 2 * n, "searches");
    if (status == SW_OK)
        status = SW_ALLOCATE(sum, fit->starts, "searches");
    for (int64_t k = 0; k < fit->starts && status == SW_OK; k++) {
        sum[k] = found->search[k].square_sum;
        for (int side = 0; side < 2; side++)
            memcpy(value + (2 * k + side) * n, found->search[k].value[side], (size_t)n * sizeof *value);
    }
    if (status == SW_OK)
        status = sw_h5_write(group, "searches/value", H5T_NATIVE_DOUBLE, 3, shape, value);
    if (status == SW_OK)
        status = sw_h5_write(group, "searches/square_sum", H5T_NATIVE_DOUBLE, 1, shape, sum);
    free(value);
    free(sum);
    return status;
}

/* residual: over the deviation, of this curve's points -> Pa. */
static sw_status write_points(const sw_fit_test *test, const double *residual, hid_t group)
{
    const int n = test->data.n;
    double *number;
    SW_TRY(SW_ALLOCATE(number, 2 * n, "a curve"));
    for (int i = 0; i < n; i++) {
        number[n + i] = residual[i] * test->deviation / sqrt(test->curve->weight);
        number[i] = test->data.stress[i] + number[n + i];
    }
    sw_status status = write_numbers(group, "strain", n, test->data.strain, "1");
    if (status == SW_OK)
        status = write_numbers(group, "stress", n, test->data.stress, "Pa");
    if (status == SW_OK)
        status = write_numbers(group, "fitted", n, number, "Pa");
    if (status == SW_OK)
        status = write_numbers(group, "residual", n, number + n, "Pa");
    free(number);
    return status;
}

/* From the beginning on: [1 + T]. */
static sw_status write_line(const sw_fit_test *test, const double *stress, hid_t group)
{
    const int n = test->steps + 1;
    double *number;
    SW_TRY(SW_ALLOCATE(number, 2 * n, "a curve"));
    number[0] = 0;
    number[n] = sw_fit_test_first(test, stress);
    memcpy(number + 1, test->strain, (size_t)test->steps * sizeof *number);
    memcpy(number + n + 1, stress, (size_t)test->steps * sizeof *number);
    sw_status status = write_numbers(group, "model_strain", n, number, "1");
    if (status == SW_OK)
        status = write_numbers(group, "model_stress", n, number + n, "Pa");
    free(number);
    return status;
}

static sw_status write_curve(const sw_fit_found *found, int k, const double *residual, hid_t parent)
{
    const sw_fit_test *test = &found->test[k];
    char name[32];
    hid_t group;
    snprintf(name, sizeof name, "curves/%d", k);
    SW_TRY(sw_h5_group(parent, name, &group));
    sw_status status = sw_h5_write_text(group, "file", test->curve->file);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "strain_component", sw_loading_component_names[test->curve->strain]);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "stress_component", sw_fit_stress_names[test->curve->stress]);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "deviation", 1, &test->deviation);
    if (status == SW_OK)
        status = write_points(test, residual, group);
    if (status == SW_OK)
        status = write_line(test, found->stress[k], group);
    H5Gclose(group);
    return status;
}

static sw_status write_r_values(const sw_fit *fit, const sw_fit_found *found, hid_t group)
{
    const int64_t n = fit->r_values_count;
    double *number;
    if (n == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(number, 2 * n, "r-values"));
    for (int64_t k = 0; k < n; k++) {
        number[k] = fit->r_values[k].angle;
        number[n + k] = fit->r_values[k].r;
    }
    sw_status status = write_numbers(group, "r_values/angle", n, number, "degrees");
    if (status == SW_OK)
        status = write_numbers(group, "r_values/r", n, number + n, "1");
    if (status == SW_OK)
        status = write_numbers(group, "r_values/fitted", n, found->r, "1");
    free(number);
    return status;
}

static sw_status write_end(const sw_fit_found *found, hid_t group)
{
    char text[TEXT];
    const double misfit = sw_fit_misfit(found), freedom = found->residuals - found->parameters,
                 known = found->deviations_known, iterations = found->end.iterations, sets = found->end.sets,
                 converged = found->end.converged;
    SW_TRY(sw_h5_write_numbers(group, "misfit", 1, &misfit));
    SW_TRY(sw_h5_write_numbers(group, "degrees_of_freedom", 1, &freedom));
    SW_TRY(sw_h5_write_numbers(group, "deviations_known", 1, &known));
    SW_TRY(sw_h5_write_numbers(group, "iterations", 1, &iterations));
    SW_TRY(sw_h5_write_numbers(group, "parameter_sets", 1, &sets));
    SW_TRY(sw_h5_write_numbers(group, "converged", 1, &converged));
    SW_TRY(sw_material_write_text(&found->material, sizeof text, text));
    return sw_h5_write_text(group, "material", text);
}

sw_status sw_fit_write(const sw_fit *fit, const sw_fit_found *found, hid_t group)
{
    int at = 0;
    SW_TRY(write_parameters(found, group));
    SW_TRY(write_searches(fit, found, group));
    for (unsigned k = 0; k < fit->curves_count; at += found->test[k++].data.n)
        SW_TRY(write_curve(found, (int)k, found->residual + at, group));
    SW_TRY(write_r_values(fit, found, group));
    return write_end(found, group);
}

sw_status sw_fit_read(sw_fit_found *found, hid_t group, double *value)
{
    const int64_t n = found->parameters;
    double iterations, sets, converged;
    SW_TRY(sw_h5_read(group, "value", H5T_NATIVE_DOUBLE, 1, &n, value));
    SW_TRY(sw_h5_read_numbers(group, "iterations", 1, &iterations));
    SW_TRY(sw_h5_read_numbers(group, "parameter_sets", 1, &sets));
    SW_TRY(sw_h5_read_numbers(group, "converged", 1, &converged));
    found->end.iterations = (int)iterations;
    found->end.sets = (int)sets;
    found->end.converged = converged != 0;
    return SW_OK;
}

/* ---- A material file ---- */

/* Of a parameter, with digits as printf has them. */
static const char *uncertainty_text(const sw_fit_found *found, int j, int digits, char text[32])
{
    if (isnan(found->uncertainty[j]))
        return "unknown";
    snprintf(text, 32, "%.*g", digits, found->uncertainty[j]);
    return text;
}

static void put_origin(const sw_fit *fit, const sw_fit_found *found, FILE *file)
{
    fprintf(file, "# Fitted by slipwave forming to");
    for (unsigned k = 0; k < fit->curves_count; k++)
        fprintf(file, "%s %s", k > 0 ? "," : "", fit->curves[k].file);
    fprintf(file, "%s:\n", fit->r_values_count > 0 ? ", and to r-values" : "");
    char digits[32];
    for (int j = 0; j < found->parameters; j++)
        fprintf(file, "# %s = %.6g, standard uncertainty %s%s%s\n", found->parameter[j].key,
                value_of(found, j), uncertainty_text(found, j, 2, digits),
                found->parameter[j].unit != NULL ? " " : "",
                found->parameter[j].unit != NULL ? found->parameter[j].unit : "");
    fprintf(file, "# All else is as the fit was given it.\n");
}

sw_status sw_fit_write_material(const sw_fit *fit, const sw_fit_found *found, FILE *file)
{
    char text[TEXT];
    SW_TRY(sw_material_write_lines(&found->material, sizeof text, text));
    put_origin(fit, found, file);
    fputs(text, file);
    return SW_OK;
}

/* ---- For people ---- */

/* Root mean square of a curve's residuals, Pa. */
static double rms_of(const sw_fit_test *test, const double *residual)
{
    double sum = 0;
    for (int i = 0; i < test->data.n; i++)
        sum += residual[i] * residual[i];
    return sqrt(sum / test->data.n) * test->deviation / sqrt(test->curve->weight);
}

void sw_fit_print(const sw_fit *fit, const sw_fit_found *found, FILE *out)
{
    const int n = found->parameters;
    int at = 0;
    char digits[32];
    for (int i = 0; i < n; i++) {
        fprintf(out, "  %-34s %12.6g +- %-9s %-4s correlations", found->parameter[i].key, value_of(found, i),
                uncertainty_text(found, i, 3, digits),
                found->parameter[i].unit != NULL ? found->parameter[i].unit : "");
        for (int j = 0; j <= i; j++)
            fprintf(out, " %6.3f", found->correlation[i * n + j]);
        fprintf(out, "\n");
    }
    for (unsigned k = 0; k < fit->curves_count; at += found->test[k++].data.n)
        fprintf(out, "  %s: %d points, off by %.3g MPa (root mean square)\n", fit->curves[k].file,
                found->test[k].data.n, rms_of(&found->test[k], found->residual + at) / 1e6);
    for (unsigned k = 0; k < fit->r_values_count; k++)
        fprintf(out, "  r at %g degrees: %.3f, measured %.3f\n", fit->r_values[k].angle, found->r[k],
                fit->r_values[k].r);
    fprintf(out, "  %d iterations, %d parameter sets; ", found->end.iterations, found->end.sets);
    if (found->residuals == n)
        fprintf(out, "no degrees of freedom\n");
    else
        fprintf(out, "misfit over degrees of freedom %.3g%s\n", sw_fit_misfit(found),
                found->deviations_known ? "" : " of assumed deviations, which uncertainties are scaled by");
}
