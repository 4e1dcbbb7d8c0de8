#include "texture_output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/files/hdf5_io.h"
#include "common/system/progress.h"
#include "common/math/rotation.h"
#include "series/odf_series.h"
#include "orientation_histogram.h"
#include "texture.h"

enum {
    SIDE = 101, /* of the square that holds the disk; odd, so that the middle is a point */
    HALF = SIDE / 2,
    PIXELS = SIDE * SIDE,
    ODF_PHI2 = 37, /* at most: of twofold axes */
    ODF_PHI = 19,
    ODF_PHI1 = 37,
    ODF_SECTION = ODF_PHI * ODF_PHI1,
    ODF_POINTS = ODF_PHI2 * ODF_SECTION,
};

#define DEGREE (SW_PI / 180)
#define HALFWIDTH_DEGREES 7.5
#define ODF_STEP (5 * DEGREE)
#define TOLERANCE_DEGREES SW_HISTOGRAM_TOLERANCE_DEGREES

typedef struct {
    const sw_lattice *lattice;
    double c_over_a;
    const sw_odf_series *series; /* borrowed */
    int kappa;
    double crystals; /* for the texture index */
} texture;

/* ---- Figures on the disk ---- */

/* The pixels of the disk, or of its wedge 0 <= y <= x only: unit directions of the upper hemisphere. */
static int64_t list_directions(int wedge, int pixel[PIXELS], double direction[PIXELS][3])
{
    int64_t count = 0;
    for (int j = wedge ? HALF : 0; j < SIDE; j++)
        for (int i = wedge ? j : 0; i < SIDE; i++) {
            const int left = i - HALF, up = j - HALF;
            if (left * left + up * up > HALF * HALF)
                continue;
            const double x = (double)left / HALF, y = (double)up / HALF, r2 = x * x + y * y;
            direction[count][0] = x * sqrt(2 - r2);
            direction[count][1] = y * sqrt(2 - r2);
            direction[count][2] = 1 - r2;
            pixel[count++] = j * SIDE + i;
        }
    return count;
}

/* A fourfold axis 3 and half turns across it carry the wedge's densities to the rest of the disk. */
static int has_wedge(const sw_point_group *group) { return group->fold == 4 && group->order > 4; }

static void unfold_wedge(float figure[PIXELS])
{
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int x = abs(i - HALF), y = abs(j - HALF);
            figure[j * SIDE + i] = figure[(HALF + (x < y ? x : y)) * SIDE + HALF + (x < y ? y : x)];
        }
}

/* The two kinds of figure, three of each. They give the density at points; `index` is the figure's number in its kind. */
static sw_status pole_density(const texture *t, int index, int64_t n_points, const double (*direction)[3],
                              double *density)
{
    double normal[3];
    sw_lattice_pole(t->lattice, t->c_over_a, index, normal);
    return sw_odf_series_pole_figure(t->series, normal, n_points, direction, density);
}

static sw_status axis_density(const texture *t, int index, int64_t n_points, const double (*direction)[3],
                              double *density)
{
    static const double axis[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return sw_odf_series_inverse(t->series, axis[index], n_points, direction, density);
}

static const char *pole_name(const texture *t, int index) { return t->lattice->pole[index].name; }

static const char *axis_name(const texture *t, int index)
{
    static const char *const name[] = {"axis_1", "axis_2", "axis_3"};
    (void)t;
    return name[index];
}

static const struct kind {
    const char *folder;
    int wedge;
    sw_status (*density)(const texture *t, int index, int64_t n_points, const double (*direction)[3],
                         double *density);
    const char *(*name)(const texture *t, int index);
} kinds[] = {{"pole_figure", 0, pole_density, pole_name},
             {"inverse_pole_figure", 1, axis_density, axis_name}};

typedef struct {
    int pixel[PIXELS];
    double direction[PIXELS][3], density[PIXELS];
    float figure[PIXELS];
} disk;

static sw_status write_kind(hid_t where, const texture *t, const struct kind *kind, disk *d)
{
    const int64_t shape[2] = {SIDE, SIDE};
    const int wedge = kind->wedge && has_wedge(t->lattice->group);
    const int64_t n_points = list_directions(wedge, d->pixel, d->direction);
    char name[64];
    for (int index = 0; index < 3; index++) {
        SW_TRY(kind->density(t, index, n_points, (const double(*)[3])d->direction, d->density));
        for (int i = 0; i < PIXELS; i++)
            d->figure[i] = NAN;
        for (int64_t i = 0; i < n_points; i++)
            d->figure[d->pixel[i]] = (float)d->density[i];
        if (wedge)
            unfold_wedge(d->figure);
        snprintf(name, sizeof name, "%s/%s", kind->folder, kind->name(t, index));
        SW_TRY(sw_h5_write(where, name, H5T_NATIVE_FLOAT, 2, shape, d->figure));
        SW_TRY(sw_h5_describe(where, name, "unit", "MRD"));
    }
    return SW_OK;
}

static sw_status write_figures(hid_t where, const texture *t)
{
    disk *d;
    SW_TRY(SW_ALLOCATE(d, 1, "a pole figure"));
    sw_status status = SW_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == SW_OK; i++) {
        status = write_kind(where, t, &kinds[i], d);
        if (status == SW_OK)
            status = sw_interrupt_check();
    }
    free(d);
    return status;
}

/* ---- The rest ---- */

typedef struct {
    double point[ODF_PHI2][ODF_PHI][ODF_PHI1][3], density[ODF_POINTS];
    float stored[ODF_POINTS];
} odf_grid;

/* Sections over a turn about axis 3 that leaves the crystal as it is, both ends included. */
static int sections(const texture *t)
{
    return (int)lround(2 * SW_PI / t->lattice->group->fold / ODF_STEP) + 1;
}

static sw_status fill_odf(const texture *t, odf_grid *grid)
{
    const int64_t n_points = (int64_t)sections(t) * ODF_SECTION;
    for (int k = 0; k < sections(t); k++)
        for (int j = 0; j < ODF_PHI; j++)
            for (int i = 0; i < ODF_PHI1; i++) {
                double *euler = grid->point[k][j][i];
                euler[0] = i * ODF_STEP;
                euler[1] = j * ODF_STEP;
                euler[2] = k * ODF_STEP;
            }
    SW_TRY(sw_odf_series_at(t->series, n_points, (const double(*)[3])grid->point[0][0], grid->density));
    for (int64_t i = 0; i < n_points; i++)
        grid->stored[i] = (float)grid->density[i];
    return SW_OK;
}

static sw_status write_odf(hid_t where, const texture *t)
{
    const int64_t shape[3] = {sections(t), ODF_PHI, ODF_PHI1};
    odf_grid *grid;
    SW_TRY(SW_ALLOCATE(grid, 1, "an ODF"));
    sw_status status = fill_odf(t, grid);
    if (status == SW_OK)
        status = sw_h5_write(where, "odf", H5T_NATIVE_FLOAT, 3, shape, grid->stored);
    free(grid);
    SW_TRY(status);
    SW_TRY(sw_h5_describe(where, "odf", "unit", "MRD"));
    return sw_h5_describe(where, "odf", "sample_symmetry", "triclinic");
}

/* Of a series, which is off by `off` of one crystal's density: of few crystals that is most of what the index is a small
 * difference of. */
static sw_status write_index(hid_t where, const texture *t)
{
    const double off = 5e-4, most = 0.05, m = t->crystals, mean = sw_odf_series_mean(t->series);
    double index = NAN;
    if (m >= SW_TEXTURE_INDEX_LEAST)
        SW_TRY(sw_texture_index_of(t->lattice->group, mean, m, t->kappa, &index));
    index = off * mean * m / (m - 1) <= most * fmax(1, index) ? fmax(0, index) : NAN;
    SW_TRY(sw_h5_write(where, "texture_index", H5T_NATIVE_DOUBLE, 0, NULL, &index));
    return sw_h5_describe(where, "texture_index", "unit", "1");
}

/* Kearns, WAPD-TM-472 (1965): of axes that are the main ones of their lattice. */
static sw_status write_kearns(hid_t where, const texture *t)
{
    const int64_t count = 3;
    double factor[3];
    if (t->lattice->vectors == NULL)
        return SW_OK;
    for (int i = 0; i < 3; i++)
        factor[i] = sw_odf_series_square(t->series, (const double[]){i == 0, i == 1, i == 2});
    SW_TRY(sw_h5_write(where, "kearns_factor", H5T_NATIVE_DOUBLE, 1, &count, factor));
    return sw_h5_describe(where, "kearns_factor", "unit", "1");
}

static sw_status write_densities(hid_t where, const texture *t)
{
    const double halfwidth = HALFWIDTH_DEGREES;
    SW_TRY(write_figures(where, t));
    SW_TRY(sw_interrupt_check());
    SW_TRY(write_odf(where, t));
    SW_TRY(sw_interrupt_check());
    SW_TRY(write_index(where, t));
    SW_TRY(write_kearns(where, t));
    return sw_h5_write_numbers(where, "kernel_halfwidth_degrees", 1, &halfwidth);
}

/* Fractions [count] of components, and what they are of. */
static sw_status write_fraction(hid_t where, const char *name, int64_t count, const double *fraction,
                                const char *components)
{
    const double tolerance = TOLERANCE_DEGREES;
    hid_t set;
    SW_TRY(sw_h5_create_set(where, name, H5T_NATIVE_DOUBLE, 1, &count, &set));
    sw_status status = sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, 0, count, fraction);
    status = status ? status : sw_h5_write_text(set, "unit", "1");
    status = status ? status : sw_h5_write_text(set, "names", components);
    status = status ? status : sw_h5_write_numbers(set, "tolerance_degrees", 1, &tolerance);
    const sw_status closed = sw_h5_close_set(set);
    return status ? status : closed;
}

/* fraction [components] */
static sw_status write_fractions(hid_t where, const sw_lattice *lattice, const double *fraction)
{
    const int count = lattice->n_ideals;
    char names[1024] = "";
    double random[SW_HISTOGRAM_COMPONENTS];
    int length = 0;
    for (int i = 0; i < count; i++)
        length += snprintf(names + length, sizeof names - (size_t)length, "%s%s", i ? "," : "",
                           lattice->ideal[i].name);
    SW_TRY(sw_component_fractions_random(lattice, TOLERANCE_DEGREES * DEGREE, random));
    SW_TRY(write_fraction(where, "component_fraction", count, fraction, names));
    return write_fraction(where, "component_fraction_random", count, random, names);
}

/* ---- From a histogram ---- */

/* The counts, compressed where HDF5 can: bytes of one place in a number together, because the upper ones are
 * zeros. */
static sw_status write_counts(hid_t where, const sw_orientation_histogram *h)
{
    const hsize_t shape[3] = {SW_HISTOGRAM_SIDE, SW_HISTOGRAM_SIDE, SW_HISTOGRAM_SIDE};
    const double heaviest = SW_HISTOGRAM_HEAVIEST;
    hid_t space = H5Screate_simple(3, shape, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_chunk(list, 3, shape);
        H5Pset_shuffle(list);
        H5Pset_deflate(list, 4);
    }
    hid_t set = H5Dcreate2(where, "odf_histogram", H5T_STD_U64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    herr_t written = set < 0 ? -1 : H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, h->count);
    double bin[3];
    for (int i = 0; i < 3; i++) /* to the digits of single precision */
        bin[i] = 1e-6 * rint(4e6 * (double)h->group.reach[i] / DEGREE / SW_HISTOGRAM_SIDE);
    const int sides = bin[0] == bin[1] && bin[1] == bin[2] ? 1 : 3;
    sw_status status = set < 0 ? SW_OK : sw_h5_write_numbers(set, "bin_degrees", sides, bin);
    if (set >= 0 && status == SW_OK && h->heaviest > 0)
        status = sw_h5_write_numbers(set, "counts_of_heaviest", 1, &heaviest);
    if (set >= 0 && status == SW_OK)
        status = sw_h5_write_text(set, "unit", "1");
    if (set >= 0 && H5Dclose(set) < 0)
        written = -1;
    H5Pclose(list);
    H5Sclose(space);
    if (status == SW_OK && written < 0)
        status = sw_error(SW_ERR_IO, "the orientation histogram cannot be written");
    return status;
}

static sw_status write_components(hid_t where, const sw_orientation_histogram *h)
{
    double fraction[SW_HISTOGRAM_COMPONENTS];
    for (int i = 0; i < SW_HISTOGRAM_COMPONENTS; i++)
        fraction[i] = (double)h->component[i] / (double)sw_orientation_histogram_total(h);
    return write_fractions(where, h->lattice, fraction);
}

sw_status sw_texture_write_histogram(hid_t where, const sw_orientation_histogram *histogram, double c_over_a,
                                     double crystals)
{
    const int kappa = sw_texture_kappa(HALFWIDTH_DEGREES * DEGREE);
    texture t = {.lattice = histogram->lattice, .c_over_a = c_over_a, .kappa = kappa, .crystals = crystals};
    sw_odf_series *series;
    if (histogram->n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more",
                        (long long)histogram->n_crystals);
    SW_TRY(sw_odf_series_create(t.lattice->group, histogram->cell, kappa, &series));
    t.series = series;
    const sw_status status = write_densities(where, &t);
    sw_odf_series_destroy(series);
    SW_TRY(status);
    SW_TRY(write_components(where, histogram));
    return histogram->n_crystals > SW_TEXTURE_CRYSTALS ? write_counts(where, histogram) : SW_OK;
}

/* ---- From crystals ---- */

/* Weights as parts of the heaviest one; which, and what they weigh together, is told to the histogram. */
static sw_status weigh(int64_t n_crystals, const double *weight, sw_orientation_histogram *h, float *part)
{
    double total, heaviest = 0;
    SW_TRY(sw_texture_weight(n_crystals, weight, &total));
    for (int64_t n = 0; weight != NULL && n < n_crystals; n++)
        heaviest = fmax(heaviest, weight[n]);
    for (int64_t n = 0; weight != NULL && n < n_crystals; n++)
        part[n] = (float)(weight[n] / heaviest);
    h->heaviest = weight != NULL ? 1 : 0;
    h->most = weight != NULL ? total / heaviest : total;
    return SW_OK;
}

sw_status sw_texture_write(hid_t where, const sw_lattice *lattice, double c_over_a, int64_t n_crystals,
                           const double (*euler)[3], const double *weight, double crystals)
{
    sw_orientation_histogram *h = NULL;
    sw_crystal *crystal = NULL;
    float *part = NULL;
    sw_status status;
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)n_crystals);
    SW_TRY_GOTO(status, sw_orientation_histogram_create(lattice, &h), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(crystal, n_crystals, "crystals of a texture"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(part, n_crystals, "weights of a texture"), end);
    SW_TRY_GOTO(status, weigh(n_crystals, weight, h, part), end);
    for (int64_t n = 0; n < n_crystals; n++)
        for (int i = 0; i < 3; i++)
            crystal[n].euler[i] = (float)euler[n][i];
    SW_TRY_GOTO(status, sw_orientation_histogram_add(h, n_crystals, crystal, weight != NULL ? part : NULL),
                end);
    status = sw_texture_write_histogram(where, h, c_over_a, crystals);
end:
    sw_orientation_histogram_destroy(h);
    free(crystal);
    free(part);
    return status;
}
