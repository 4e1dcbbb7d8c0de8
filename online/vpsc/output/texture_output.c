/* TEX_PHn.OUT, MOR_PHn.OUT, STAT_AXES_PHn.OUT. */
#include <math.h>

#include "fortran.h"
#include "output.h"

/* Means of grains' axes, and standard deviations over them. */
static void count_axes(sw_vpsc_grains_of *p)
{
    double *mean = p->mean_axes, *deviation = p->axes_deviation;
    for (int i = 0; i < 3; i++) {
        mean[i] = deviation[i] = 0;
        for (int64_t g = 0; g < p->n; g++)
            mean[i] += p->of_grain[g].axes[i] * p->weight[g] / p->fraction;
        for (int64_t g = 0; g < p->n; g++)
            deviation[i] += pow(p->of_grain[g].axes[i] - mean[i], 2) * p->weight[g] / p->fraction;
        deviation[i] = sqrt(deviation[i]) / mean[i];
    }
}

void sw_vpsc_write_shapes(sw_vpsc_output *output, const sw_vpsc_place *place,
                          sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        if (p->of_grain == NULL || !(p->fraction > 0))
            continue;
        FILE *file = sw_vpsc_output_file(output, "STAT_AXES_PH%d.OUT", i + 1);
        if (place->step == 1)
            fprintf(file, "  EPS  PHASE      AVAX1   AVAX2   AVAX3      SDAX1   SDAX2   SDAX3\n");
        count_axes(p);
        sw_fortran_f(file, 6, 2, polycrystal->control_strain);
        sw_fortran_i(file, 6, i + 1);
        fprintf(file, "   ");
        sw_fortran_fs(file, 3, 8, 3, p->mean_axes);
        fprintf(file, "   ");
        sw_fortran_fs(file, 3, 8, 3, p->axes_deviation);
        fprintf(file, "\n");
    }
}

static void put_angles(FILE *file, const double r[3][3])
{
    double degrees[3];
    sw_vpsc_angles(r, degrees);
    sw_fortran_fs(file, 3, 8, 2, degrees);
}

static void put_numbers(FILE *file, const double *value, const char *what)
{
    sw_fortran_fs(file, 3, 8, 3, value);
    fprintf(file, "  <-- %s\n", what);
}

static void write_crystals(FILE *file, const sw_vpsc_grains_of *p)
{
    for (int64_t g = 0; g < p->n; g++) {
        put_angles(file, (const double(*)[3])p->turn[g]);
        sw_fortran_f(file, 12, 7, p->weight[g]);
        fprintf(file, "\n");
    }
}

static void write_texture_head(FILE *file, const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p,
                               int64_t n)
{
    fprintf(file, "TEXTURE AT STRAIN =");
    sw_fortran_f(file, 10, 4, polycrystal->control_strain);
    fprintf(file, "\n");
    put_numbers(file, p->ellipsoid.axes, "length of average ellipsoid axes for phase");
    put_angles(file, (const double(*)[3])p->ellipsoid.along);
    fprintf(file, "  <-- Euler angles of average ellipsoid axes for phase\nB");
    sw_fortran_i(file, 10, n);
    fprintf(file, "\n");
}

/* The means are those of the state that the last step was solved in, as in VPSC8: STAT_AXES_PHn.OUT's last row. */
static void write_ellipsoids(FILE *file, const sw_vpsc_polycrystal *polycrystal, const sw_vpsc_grains_of *p)
{
    fprintf(file, "MORPHOLOGY AT STRAIN =");
    sw_fortran_f(file, 10, 4, polycrystal->control_strain);
    fprintf(file, "  FOR PHASE%3d\n", p->number + 1);
    put_numbers(file, p->ellipsoid.axes, "AXES OF PHASE ELLIPSOID");
    put_angles(file, (const double(*)[3])p->ellipsoid.along);
    fprintf(file, "  <-- EULER ANGLES OF PHASE ELLIPSOID (deg)\n");
    put_numbers(file, p->mean_axes, "AVERAGE OF GRAIN AXES FOR PHASE");
    put_numbers(file, p->axes_deviation, "STANDARD DEV OF AVG GRAIN AXES FOR PHASE");
    fprintf(file, "B");
    sw_fortran_i(file, 10, p->n);
    fprintf(file, "\n");
    for (int64_t g = 0; g < p->n; g++) {
        put_angles(file, (const double(*)[3])p->of_grain[g].along);
        fprintf(file, "   ");
        sw_fortran_f(file, 10, 6, p->weight[g]);
        fprintf(file, "   ");
        sw_fortran_fs(file, 3, 10, 4, p->of_grain[g].axes);
        fprintf(file, "\n");
    }
}

/* Where volume fractions go from parents to twins, both are in one file. */
void sw_vpsc_write_texture(sw_vpsc_output *output, const sw_vpsc_polycrystal *polycrystal)
{
    const int transfer = polycrystal->twin_law == SW_VPSC_FRACTION_TRANSFER;
    for (int i = 0; i < polycrystal->n_phases; i++) {
        const sw_vpsc_grains_of *p = &polycrystal->phase[i];
        FILE *file = sw_vpsc_output_file(output, "TEX_PH%d.OUT", transfer ? 1 : i + 1);
        if (!transfer || i == 0)
            write_texture_head(file, polycrystal, p, transfer ? 2 * p->n : p->n);
        write_crystals(file, p);
        if (p->of_grain != NULL && p->fraction != 0)
            write_ellipsoids(sw_vpsc_output_file(output, "MOR_PH%d.OUT", i + 1), polycrystal, p);
    }
}
