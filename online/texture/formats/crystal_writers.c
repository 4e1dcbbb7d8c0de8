#include "crystal_writers.h"

#include <math.h>
#include <string.h>

#include "common/math/quaternion.h"

#define DEGREE (SW_PI / 180)

/* Nine digits tell one weight in single precision from another. */
#define ANGLES "%.6f %.6f %.6f"
#define WEIGHT " %.9g\n"

void sw_crystal_wrap(const double given[3], double angle[3])
{
    for (int i = 0; i < 3; i++)
        angle[i] = sw_wrap_angle(given[i]);
    if (angle[1] > SW_PI) { /* the same rotation */
        angle[0] = sw_wrap_angle(angle[0] + SW_PI);
        angle[1] = 2 * SW_PI - angle[1];
        angle[2] = sw_wrap_angle(angle[2] + SW_PI);
    }
}

/* Of crystal n, in the format's axes. */
static void angles_of(const sw_crystal_writing *w, int64_t n, double e[3])
{
    const double *own = w->euler[n];
    sw_crystal_wrap((const double[]){own[0], own[1], own[2] + w->phi2}, e);
}

static int is_hexagonal(const sw_crystal_writing *w) { return w->lattice->group == &sw_point_group_622; }

/* The same in degrees, in their ranges when they are rounded, too. */
static void degrees_of(const sw_crystal_writing *w, int64_t n, double e[3])
{
    angles_of(w, n, e);
    for (int i = 0; i < 3; i++)
        e[i] = e[i] / DEGREE < 360 - 0.5e-6 ? e[i] / DEGREE : 0;
}

static void write_angles(const sw_crystal_writing *w, int64_t n)
{
    double e[3];
    degrees_of(w, n, e);
    fprintf(w->file, ANGLES, e[0], e[1], e[2]);
}

/* Rows of angles and, in all or in none, a weight; `end` without. */
static void write_rows(const sw_crystal_writing *w, const char *end)
{
    for (int64_t n = 0; n < w->count && !ferror(w->file); n++) {
        write_angles(w, n);
        if (w->weight != NULL)
            fprintf(w->file, WEIGHT, w->weight[n]);
        else
            fputs(end, w->file);
    }
}

void sw_crystal_write_ori(const sw_crystal_writing *w)
{
    fprintf(w->file, "# %lld crystals: Bunge-Euler angles phi1 Phi phi2 in degrees%s\n", (long long)w->count,
            w->weight != NULL ? ", relative weight" : "");
    fputs("# g = Z(phi1) X(Phi) Z(phi2) is the active rotation crystal -> sample: v_sample = g v_crystal\n",
          w->file);
    write_rows(w, "\n");
}

void sw_crystal_write_tex(const sw_crystal_writing *w)
{
    fputs("Slipwave crystal orientations\n", w->file);
    fprintf(w->file, "phi1 Phi phi2 weight: Bunge-Euler angles in degrees, %s weights\n",
            w->weight != NULL ? "relative" : "equal");
    fprintf(w->file, "-\nB %lld\n", (long long)w->count);
    write_rows(w, " 1.000000\n");
}

/* As MTEX calls it. */
static const char *laue_group(const sw_point_group *group)
{
    return group == &sw_point_group_622   ? "6/mmm, X||a, Y||b*, Z||c"
           : group == &sw_point_group_422 ? "4/mmm"
           : group == &sw_point_group_222 ? "mmm"
                                          : "m-3m";
}

void sw_crystal_write_table(const sw_crystal_writing *w)
{
    fprintf(w->file, "%% %lld orientations of %s%s%s; Bunge-Euler angles in degrees, crystal to sample\n",
            (long long)w->count, w->material, w->is_said ? ", " : "",
            w->is_said ? w->lattice->group->system : "");
    if (w->is_said)
        fprintf(w->file, "%% crystal symmetry: %s\n", laue_group(w->lattice->group));
    fprintf(w->file, "%% phi1 Phi phi2%s\n", w->weight != NULL ? " weight" : "");
    write_rows(w, "\n");
}

/* ---- Scans ---- */

/* Points a row of a map that is as high as it is wide, and its rows. What is left of the last one is written as not
 * indexed, since readers count on as many points as the header announces. */
static int64_t side_of(const sw_crystal_writing *w) { return (int64_t)ceil(sqrt((double)w->count)); }

static int64_t rows_of(const sw_crystal_writing *w, int64_t side) { return (w->count + side - 1) / side; }

void sw_crystal_write_ang(const sw_crystal_writing *w)
{
    const int is_cubic = w->lattice->vectors == NULL;
    const int64_t side = side_of(w);
    fputs("# HEADER: Start\n# TEM_PIXperUM          1.000000\n", w->file);
    fprintf(w->file, "# Phase 1\n# MaterialName      %s\n# Formula           %s\n", w->material, w->material);
    fputs("# Info              orientations of a model, written by Slipwave; places, IQ, CI and fit mean "
          "nothing\n",
          w->file);
    fprintf(w->file, "# Symmetry          %s\n",
            is_cubic          ? "43"
            : is_hexagonal(w) ? "62"
                              : "42"); /* EDAX's */
    fprintf(w->file, "# LatticeConstants  1.000 1.000 %.6g  90.000  90.000 %s\n# NumberFamilies    0\n",
            w->c_over_a, is_hexagonal(w) ? "120.000" : " 90.000");
    fprintf(w->file,
            "# GRID: SqrGrid\n# XSTEP: 1.000000\n# YSTEP: 1.000000\n# NCOLS_ODD: %lld\n# NCOLS_EVEN: %lld\n# "
            "NROWS: "
            "%lld\n",
            (long long)side, (long long)side, (long long)rows_of(w, side));
    fputs("# OPERATOR:  slipwave\n# SAMPLEID:\n# SCANID:\n# HEADER: End\n", w->file);
    for (int64_t n = 0; n < rows_of(w, side) * side && !ferror(w->file); n++) {
        double e[3] = {4 * SW_PI, 4 * SW_PI, 4 * SW_PI}; /* EDAX's for none */
        const int is_there = n < w->count;
        if (is_there)
            angles_of(w, n, e);
        /* seven digits of pi would pass it */
        fprintf(w->file, "%10.7f %10.7f %10.7f %lld %lld %s\n", e[0], is_there ? fmin(e[1], 3.1415926) : e[1],
                e[2], (long long)(n % side), (long long)(n / side),
                is_there ? "1.0 1.000 1 1 0.000" : "0.0 -1.000 0 0 180.000");
    }
}

/* HKL's Laue group and a space group: hexagonal close-packed; of other tetragonal crystals that is not known, 0. */
static const struct numbers {
    const char *bravais;
    int laue, space;
} lattice_numbers[] = {{"cF", 11, 225}, {"cI", 11, 229}, {"hP", 9, 194}, {"", 5, 0}};

void sw_crystal_write_ctf(const sw_crystal_writing *w)
{
    const struct numbers *numbers = lattice_numbers;
    while (*numbers->bravais != '\0' && strcmp(numbers->bravais, w->lattice->bravais) != 0)
        numbers++;
    const int64_t side = side_of(w);
    fputs("Channel Text File\nPrj\torientations of a model, not measured\nAuthor\tSlipwave\nJobMode\tGrid\n",
          w->file);
    fprintf(w->file, "XCells\t%lld\nYCells\t%lld\nXStep\t1\nYStep\t1\nAcqE1\t0\nAcqE2\t0\nAcqE3\t0\n",
            (long long)side, (long long)rows_of(w, side));
    fputs("Euler angles refer to Sample Coordinate system "
          "(CS0)!\tMag\t1\tCoverage\t100\tDevice\t0\tKV\t20\tTiltAngle\t0\tTiltAxis\t0\nPhases\t1\n",
          w->file);
    fprintf(w->file, "1.000;1.000;%.6g\t90.000;90.000;%s\t%s\t%d\t%d\t\t\tSlipwave\n", w->c_over_a,
            is_hexagonal(w) ? "120.000" : "90.000", w->material, numbers->laue, numbers->space);
    fputs("Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS\n", w->file);
    for (int64_t n = 0; n < rows_of(w, side) * side && !ferror(w->file); n++) {
        double e[3] = {0, 0, 0};
        const int is_there = n < w->count;
        if (is_there)
            degrees_of(w, n, e);
        fprintf(w->file, "%d\t%lld\t%lld\t%s\t%.6f\t%.6f\t%.6f\t%s\n", is_there, (long long)(n % side),
                (long long)(n / side), is_there ? "8\t0" : "0\t3", e[0], e[1], e[2],
                is_there ? "0.1\t255\t255" : "0\t0\t0");
    }
}

/* ---- DAMASK ---- */

/* w >= 0, as DAMASK wants it. */
static void write_quaternion(const sw_crystal_writing *w, int64_t n)
{
    double q[4];
    sw_quaternion_from_euler(w->euler[n], q);
    const double sign = q[0] < 0 ? -1 : 1;
    fprintf(w->file, "[%.9f, %.9f, %.9f, %.9f]", sign * q[0], sign * q[1] + 0.0, sign * q[2] + 0.0,
            sign * q[3] + 0.0);
}

static double sum_of_weights(const sw_crystal_writing *w)
{
    double sum = 0;
    for (int64_t n = 0; n < w->count; n++)
        sum += w->weight[n];
    return sum;
}

/* Fractions of all digits, since their sum has to be 1 to 1e-9. */
static void write_constituent(const sw_crystal_writing *w, int64_t n, double fraction)
{
    fprintf(w->file, "  - phase: \"%s\"\n    v: %.17g\n    O: ", w->material, fraction);
    write_quaternion(w, n);
    fputs("\n", w->file);
}

void sw_crystal_write_damask(const sw_crystal_writing *w)
{
    const char *homogenization = w->weight != NULL ? "Taylor" : "SX";
    fputs("# Orientations by Slipwave. The phase lacks its mechanical properties.\nhomogenization:\n",
          w->file);
    if (w->weight != NULL)
        fprintf(w->file, "  Taylor:\n    N_constituents: %lld\n    mechanical: {type: isostrain}\n",
                (long long)w->count);
    else
        fputs("  SX:\n    N_constituents: 1\n    mechanical: {type: pass}\n", w->file);
    fprintf(w->file, "phase:\n  \"%s\": {lattice: %s", w->material, w->lattice->bravais);
    if (w->lattice->vectors != NULL)
        fprintf(w->file, ", c/a: %.9g", w->c_over_a);
    fputs("}\nmaterial:\n", w->file);
    const double sum = w->weight != NULL ? sum_of_weights(w) : 0;
    for (int64_t n = 0; n < w->count && !ferror(w->file); n++) {
        if (n == 0 || w->weight == NULL)
            fprintf(w->file, "- homogenization: %s\n  constituents:\n", homogenization);
        write_constituent(w, n, w->weight != NULL ? w->weight[n] / sum : 1);
    }
}
