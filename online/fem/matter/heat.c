#include "heat.h"

#include <math.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/tensor.h"

/* Coefficients in 11 22 33 23 13 12, engineering shears. */
static void expansion_at(const sw_matter *matter, double temperature, double value[6])
{
    double given[6];
    sw_matter_look_up(&matter->expansion, temperature, given);
    const int n = matter->expansion_columns;
    for (int i = 0; i < 6; i++)
        value[i] = i < 3 ? given[n == 1 ? 0 : i] : n == 6 ? 2 * given[8 - i] : 0;
}

static void thermal_strain(const sw_matter *matter, double temperature, double initial, double strain[6])
{
    double now[6], then[6];
    expansion_at(matter, temperature, now);
    expansion_at(matter, initial, then);
    for (int i = 0; i < 6; i++)
        strain[i] = now[i] * (temperature - matter->zero) - then[i] * (initial - matter->zero);
}

/* ln(1 + e), of lengths that are 1 + e times what they would be. */
static void to_logarithm(double strain[6])
{
    for (int k = 0; k < 3; k++)
        strain[k] = log1p(strain[k]);
}

/* ---- Off the stretch ---- */

/* (a b + b a) / 2 of symmetric ones, engineering shears. */
static void mean_product(const double a[3][3], const double b[3][3], double six[6])
{
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        six[k] = 0;
        for (int l = 0; l < 3; l++)
            six[k] += (k < 3 ? 0.5 : 1) * (a[i][l] * b[l][j] + b[i][l] * a[l][j]);
    }
}

/* Less 1, of Green's strain, along their axes as rows. */
static void stretches_of(const double green[6], double more[3], double axis[3][3])
{
    double e[3][3];
    sw_matter_tensor_of(green, e);
    sw_principal_axes(e, more, axis);
    for (int l = 0; l < 3; l++)
        more[l] = 2 * more[l] / (1 + sqrt(1 + 2 * more[l]));
}

static void compose(const double value[3], const double axis[3][3], double t[3][3])
{
    for (int k = 0; k < 9; k++) {
        t[k / 3][k % 3] = 0;
        for (int l = 0; l < 3; l++)
            t[k / 3][k % 3] += value[l] * axis[l][k / 3] * axis[l][k % 3];
    }
}

/* By dE: dU has 2 dE over the two stretches' sum along their axes. */
static void strain_by_green(const double e[3][3], const double more[3], double axis[3][3], double by[6][6])
{
    double back[3][3];
    for (int k = 0; k < 9; k++)
        back[k / 3][k % 3] = axis[k % 3][k / 3];
    for (int n = 0; n < 6; n++) {
        double unit[6] = {0}, d[3][3], along[3][3], part[6];
        unit[n] = 1;
        sw_matter_tensor_of(unit, d);
        sw_rotate_tensor(axis, d, along);
        for (int k = 0; k < 9; k++)
            along[k / 3][k % 3] *= 2 / (2 + more[k / 3] + more[k % 3]);
        sw_rotate_tensor(back, along, d);
        mean_product((const double(*)[3])d, e, part);
        for (int k = 0; k < 6; k++)
            by[k][n] = (k == n) - part[k];
    }
}

/* e becomes what U - e has less of Green's strain: e + ((U - 1) e + e (U - 1)) / 2 - e e / 2. f = R U, not NULL: less R e. by: not
 * NULL. */
static void take_off(const double green[6], double thermal[6], double (*f)[3], double (*by)[6])
{
    double e[3][3], more[3], axis[3][3], u[3][3], part[6], square[6];
    sw_matter_tensor_of(thermal, e);
    stretches_of(green, more, axis);
    compose(more, (const double(*)[3])axis, u);
    mean_product((const double(*)[3])u, (const double(*)[3])e, part);
    mean_product((const double(*)[3])e, (const double(*)[3])e, square);
    for (int k = 0; k < 6; k++)
        thermal[k] += part[k] - 0.5 * square[k];
    if (by != NULL)
        strain_by_green((const double(*)[3])e, more, axis, by);
    if (f != NULL) {
        const double over[3] = {1 / (1 + more[0]), 1 / (1 + more[1]), 1 / (1 + more[2])};
        double r[3][3], less[3][3];
        compose(over, (const double(*)[3])axis, u);
        sw_multiply(f, u, r);
        sw_multiply(r, e, less);
        for (int k = 0; k < 9; k++)
            f[k / 3][k % 3] -= less[k / 3][k % 3];
    }
}

void sw_matter_expand(const sw_matter *matter, const sw_matter_point *point, sw_matter_ask *ask,
                      double heat[6], double by[6][6])
{
    const int spatial = matter->law->measure == SW_MATTER_SPATIAL,
              off = point->finite && sw_matter_off_stretch(matter);
    thermal_strain(matter, point->temperature, point->temperature_initial, ask->thermal);
    thermal_strain(matter, point->temperature_before, point->temperature_initial, ask->thermal_before);
    if (off) {
        take_off(ask->strain, ask->thermal, spatial ? ask->gradient : NULL, by);
        take_off(ask->strain_before, ask->thermal_before, spatial ? ask->gradient_before : NULL, NULL);
    } else if (point->finite) {
        to_logarithm(ask->thermal);
        to_logarithm(ask->thermal_before);
    }
    for (int i = 0; i < 6; i++) {
        heat[i] = ask->thermal[i] - ask->thermal_before[i];
        if (off) {
            ask->strain[i] -= ask->thermal[i];
            ask->strain_before[i] -= ask->thermal_before[i];
            ask->thermal[i] = ask->thermal_before[i] = 0;
        }
    }
}

void sw_matter_by_all(int symmetric, const double by[6][6], double tangent[6][6])
{
    double all[6][6] = {{0}};
    for (int k = 0; k < 216; k++)
        all[k / 36][k % 6] += tangent[k / 36][k / 6 % 6] * by[k / 6 % 6][k % 6];
    for (int k = 0; k < 36; k++) {
        const int i = k / 6, j = k % 6;
        tangent[i][j] = symmetric ? 0.5 * (all[i][j] + all[j][i]) : all[i][j];
    }
}
