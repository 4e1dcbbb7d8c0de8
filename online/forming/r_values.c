#include "tasks.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "contour.h"

static const double standard_angles[] = {0, 15, 30, 45, 60, 75, 90};

static int64_t count_of(const sw_r_values *t)
{
    return t->angles_count > 0 ? t->angles_count
                               : (int64_t)(sizeof standard_angles / sizeof *standard_angles);
}

static double angle_of(const sw_r_values *t, int64_t k)
{
    return (t->angles_count > 0 ? t->angles[k] : standard_angles[k]) * SW_PI / 180;
}

int sw_r_values_has(const sw_r_values *t, double angle)
{
    int found = t->angles_count == 0;
    for (unsigned i = 0; i < t->angles_count; i++)
        found |= fabs(fabs(t->angles[i] - 90) - (90 - angle)) < 1e-3;
    return found;
}

/* Of a strain, or its rate, in the frame of a tension: along, across, through the thickness. */
static double along(const double e[6], double angle)
{
    const double c = cos(angle), s = sin(angle);
    return c * c * e[0] + s * s * e[1] + 2 * c * s * e[5];
}

static double r_of(const double e[6], double angle) { return along(e, angle + 0.5 * SW_PI) / e[2]; }

static double biaxial_of(const double deviator[6]) { return 0.5 * (deviator[0] + deviator[1]) - deviator[2]; }

static double tension_of(const double deviator[6], double angle)
{
    return along(deviator, angle) - deviator[2];
}

/* All directions, then the balanced biaxial point. */
static void set_conditions(const sw_forming *f, int64_t n, sw_condition *condition)
{
    static const double balanced[6] = {1, 1, 0, 0, 0, 0};
    const double rate = f->job->strain_rate;
    for (int64_t k = 0; k < n; k++)
        condition[k] = sw_condition_uniaxial(angle_of(&f->job->r_values, k), rate);
    condition[n] = sw_condition_along_stress(balanced, sqrt(1.5) * rate); /* -D33 = rate */
}

/* ---- Results ---- */

static void find(sw_forming *f, int64_t n, const sw_contour_point *point)
{
    sw_sheet *sheet = &f->sheet;
    const sw_contour_point *b = &point[n];
    for (int64_t k = 0; k < n; k++) {
        const double angle = angle_of(&f->job->r_values, k);
        sheet->tension[k] = (sw_sheet_tension){.angle = angle,
                                               .stress = tension_of(point[k].stress, angle),
                                               .r = r_of(point[k].strain_rate, angle)};
    }
    sheet->n_tensions = (int)n;
    sheet->biaxial_stress = biaxial_of(b->stress);
    sheet->biaxial_r = b->strain_rate[1] / b->strain_rate[0];
}

static sw_status write_column(hid_t group, const char *name, int64_t n, const double *value, const char *unit)
{
    SW_TRY(sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 1, &n, value));
    return sw_h5_describe(group, name, "unit", unit);
}

static sw_status write_columns(const sw_forming *f, hid_t group, int64_t n, const sw_contour_point *point,
                               double (*column)[5])
{
    static const char *const name[5] = {"angle", "stress", "r", "r_of_strain", "strain"};
    static const char *const unit[5] = {"rad", "Pa", "1", "1", "1"};
    double *value = (double *)column;
    for (int c = 0; c < 5; c++) {
        for (int64_t k = 0; k < n; k++) {
            const sw_sheet_tension *t = &f->sheet.tension[k];
            const double all[5] = {t->angle, t->stress, t->r, r_of(point[k].strain, t->angle),
                                   along(point[k].strain, t->angle)};
            value[k] = all[c];
        }
        SW_TRY(write_column(group, name[c], n, value, unit[c]));
    }
    return SW_OK;
}

/* A run's curve: strain and stress along the tension, strain across it; of the balanced one strain through the thickness,
 * stress, strain along 2. */
static sw_status write_curve(hid_t group, const char *name, const sw_contour_line *line, double angle,
                             int is_balanced)
{
    const int64_t shape[2] = {line->n, 3};
    double(*row)[3];
    SW_TRY(SW_ALLOCATE(row, line->n, "curves"));
    for (int64_t i = 0; i < line->n; i++) {
        const sw_contour_point *p = &line->point[i];
        row[i][0] = is_balanced ? -p->strain[2] : along(p->strain, angle);
        row[i][1] = is_balanced ? biaxial_of(p->stress) : tension_of(p->stress, angle);
        row[i][2] = is_balanced ? p->strain[1] : along(p->strain, angle + 0.5 * SW_PI);
    }
    const sw_status status = sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 2, shape, row);
    free(row);
    SW_TRY(status);
    return sw_h5_describe(group, name, "columns",
                          is_balanced ? "thickness-strain stress/Pa strain22"
                                      : "strain stress/Pa strain-across");
}

static sw_status write_curves(const sw_forming *f, hid_t group, int64_t n, const sw_contour_line *line)
{
    for (int64_t k = 0; k <= n; k++) {
        char name[48];
        if (k < n)
            snprintf(name, sizeof name, "curves/%lld", (long long)k);
        SW_TRY(write_curve(group, k < n ? name : "curves/biaxial", &line[k],
                           k < n ? f->sheet.tension[k].angle : 0, k == n));
    }
    return sw_sheet_curve_write(&f->sheet.curve, group);
}

static sw_status write_all(const sw_forming *f, hid_t group, int64_t n, const sw_contour_point *point)
{
    double(*column)[5];
    SW_TRY(SW_ALLOCATE(column, n, "r-values"));
    sw_status status = write_columns(f, group, n, point, column);
    free(column);
    SW_TRY(status);
    SW_TRY(sw_h5_write_numbers(group, "work", 1, &point->work));
    SW_TRY(sw_h5_write_numbers(group, "biaxial_stress", 1, &f->sheet.biaxial_stress));
    return sw_h5_write_numbers(group, "biaxial_r", 1, &f->sheet.biaxial_r);
}

/* ---- The task ---- */

static sw_status run_with(sw_forming *f, hid_t group, int64_t n, sw_condition *condition,
                          sw_contour_point *point, sw_contour_line *line)
{
    const double strain = f->job->r_values.strain, norm = sqrt(1.5);
    sw_contour_point tension;
    set_conditions(f, n, condition);
    SW_TRY(SW_ALLOCATE(f->sheet.tension, n, "r-values"));
    SW_TRY(sw_contour_tension(f, strain, &tension));
    SW_TRY(sw_contour(f, n + 1, condition, f->job->strain_rate * norm, tension.work, strain * norm, point,
                      line));
    find(f, n, point);
    SW_TRY(write_all(f, group, n, point));
    return write_curves(f, group, n, line);
}

static sw_status run(sw_forming *f, hid_t group)
{
    const int64_t n = count_of(&f->job->r_values);
    sw_condition *condition;
    sw_contour_point *point = NULL;
    sw_contour_line *line = NULL;
    SW_TRY(SW_ALLOCATE(condition, n + 1, "conditions"));
    sw_status status = SW_ALLOCATE(point, n + 1, "r-values");
    if (status == SW_OK)
        status = SW_ALLOCATE(line, n + 1, "curves");
    if (status == SW_OK)
        status = run_with(f, group, n, condition, point, line);
    free(condition);
    free(point);
    sw_contour_lines_free(n + 1, line);
    return status;
}

static sw_status restore(sw_forming *f, hid_t group)
{
    const int64_t n = count_of(&f->job->r_values);
    sw_sheet *sheet = &f->sheet;
    double *column;
    SW_TRY(SW_ALLOCATE(sheet->tension, n, "r-values"));
    SW_TRY(SW_ALLOCATE(column, 2 * n, "r-values"));
    sw_status status = sw_h5_read(group, "stress", H5T_NATIVE_DOUBLE, 1, &n, column);
    if (status == SW_OK)
        status = sw_h5_read(group, "r", H5T_NATIVE_DOUBLE, 1, &n, column + n);
    for (int64_t k = 0; k < n && status == SW_OK; k++)
        sheet->tension[k] = (sw_sheet_tension){angle_of(&f->job->r_values, k), column[k], column[n + k]};
    free(column);
    SW_TRY(status);
    sheet->n_tensions = (int)n;
    SW_TRY(sw_h5_read_numbers(group, "biaxial_stress", 1, &sheet->biaxial_stress));
    SW_TRY(sw_h5_read_numbers(group, "biaxial_r", 1, &sheet->biaxial_r));
    return sw_sheet_curve_read(group, &sheet->curve);
}

static void print(const sw_forming *f, FILE *out)
{
    const sw_sheet *sheet = &f->sheet;
    fprintf(out, "  angle  yield stress      r   r/(1+r)\n");
    for (int k = 0; k < sheet->n_tensions; k++) {
        const sw_sheet_tension *t = &sheet->tension[k];
        fprintf(out, "  %5.1f  %8.2f MPa  %6.3f  %6.3f\n", t->angle * 180 / SW_PI, t->stress / 1e6,
                fabs(t->r) < 1e3 ? t->r : INFINITY,
                t->r / (1 + t->r)); /* of some hundred crystals it is as good as that */
    }
    fprintf(out, "  biaxial %7.2f MPa  %6.3f\n", sheet->biaxial_stress / 1e6, sheet->biaxial_r);
}

const sw_forming_task sw_r_values_task = {.name = "r_values", .run = run, .restore = restore, .print = print};
