#include "crystal_writers.h"

#include <math.h>

#include "common/math/quaternion.h"

#define DEGREE (SW_PI / 180)

/* Nine digits tell one weight in single precision from another. */
#define ANGLES "%.6f %.6f %.6f"
#define WEIGHT " %.9g\n"

static void write_angles(const sw_crystal_writing *w, int64_t n)
{
    const double *e = w->euler[n];
    fprintf(w->file, ANGLES, e[0] / DEGREE, e[1] / DEGREE, e[2] / DEGREE);
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

void sw_crystal_write_table(const sw_crystal_writing *w)
{
    fprintf(w->file, "%% %lld orientations of %s, cubic; Bunge-Euler angles in degrees, crystal to sample\n",
            (long long)w->count, w->material);
    fprintf(w->file, "%% phi1 Phi phi2%s\n", w->weight != NULL ? " weight" : "");
    write_rows(w, "\n");
}

/* ---- Scans ---- */

/* Points a row of a map that is as high as it is wide. */
static int64_t side_of(const sw_crystal_writing *w) { return (int64_t)ceil(sqrt((double)w->count)); }

void sw_crystal_write_ang(const sw_crystal_writing *w)
{
    const int64_t side = side_of(w);
    fputs("# HEADER: Start\n# TEM_PIXperUM          1.000000\n", w->file);
    fprintf(w->file, "# Phase 1\n# MaterialName      %s\n# Formula           %s\n", w->material, w->material);
    fputs("# Info              orientations of a model, written by Slipwave; places, IQ, CI and fit mean "
          "nothing\n"
          "# Symmetry          43\n# LatticeConstants  1.000 1.000 1.000  90.000  90.000  90.000\n# "
          "NumberFamilies   "
          " 0\n",
          w->file);
    fprintf(w->file,
            "# GRID: SqrGrid\n# XSTEP: 1.000000\n# YSTEP: 1.000000\n# NCOLS_ODD: %lld\n# NCOLS_EVEN: %lld\n# "
            "NROWS: "
            "%lld\n",
            (long long)side, (long long)side, (long long)((w->count + side - 1) / side));
    fputs("# OPERATOR:  slipwave\n# SAMPLEID:\n# SCANID:\n# HEADER: End\n", w->file);
    for (int64_t n = 0; n < w->count && !ferror(w->file); n++)
        fprintf(w->file, "%10.7f %10.7f %10.7f %lld %lld 1.0 1.000 1 1 0.000\n", w->euler[n][0],
                w->euler[n][1], w->euler[n][2], (long long)(n % side), (long long)(n / side));
}

void sw_crystal_write_ctf(const sw_crystal_writing *w)
{
    const int64_t side = side_of(w);
    fputs("Channel Text File\nPrj\torientations of a model, not measured\nAuthor\tSlipwave\nJobMode\tGrid\n",
          w->file);
    fprintf(w->file, "XCells\t%lld\nYCells\t%lld\nXStep\t1\nYStep\t1\nAcqE1\t0\nAcqE2\t0\nAcqE3\t0\n",
            (long long)side, (long long)((w->count + side - 1) / side));
    fputs("Euler angles refer to Sample Coordinate system "
          "(CS0)!\tMag\t1\tCoverage\t100\tDevice\t0\tKV\t20\tTiltAngle\t0\tTiltAxis\t0\nPhases\t1\n",
          w->file);
    fprintf(w->file, "1.000;1.000;1.000\t90.000;90.000;90.000\t%s\t11\t%d\t\t\tSlipwave\n", w->material,
            w->is_bcc ? 229 : 225);
    fputs("Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS\n", w->file);
    for (int64_t n = 0; n < w->count && !ferror(w->file); n++)
        fprintf(w->file, "1\t%lld\t%lld\t8\t0\t%.6f\t%.6f\t%.6f\t0.1\t255\t255\n", (long long)(n % side),
                (long long)(n / side), w->euler[n][0] / DEGREE, w->euler[n][1] / DEGREE,
                w->euler[n][2] / DEGREE);
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
    fprintf(w->file, "phase:\n  \"%s\": {lattice: %s}\nmaterial:\n", w->material, w->is_bcc ? "cI" : "cF");
    const double sum = w->weight != NULL ? sum_of_weights(w) : 0;
    for (int64_t n = 0; n < w->count && !ferror(w->file); n++) {
        if (n == 0 || w->weight == NULL)
            fprintf(w->file, "- homogenization: %s\n  constituents:\n", homogenization);
        write_constituent(w, n, w->weight != NULL ? w->weight[n] / sum : 1);
    }
}
