/* Bending and springback of rolled sheet by elements of crystals, against elementary bending theory with the curve of
 * plane strain tension that `slipwave taylor` finds of the same crystals. Axis 1 along the sheet, 2 across its
 * thickness. */
#include "tests/programs/programs.h"

#include "common/math/random.h"
#include "common/math/rotation.h"

enum { GRAINS = 64, MOST_CELLS = 16, MOST_CURVE = 1024, BENDING = 25, UNLOADING = 8 };
static const double thickness = 1e-3, radius = 40e-3; /* m */
static const double rate = 1e-3;                      /* 1/s, of the outermost fibre */
static const double released = 0.6;                   /* as far as the sheet is bent back, of its curvature */

#define RESISTANCE "initial_slip_resistance: 80.0e6"

/* ---- Crystals ---- */

/* Turned about the sheet's normal by quarters. */
static void write_crystals(const char *path, int turns, float (*euler)[3])
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < GRAINS; i++) {
        double g[3][3], angle[3] = {euler[i][0], euler[i][1], euler[i][2]};
        sw_rotation_from_euler(angle, g);
        for (int j = 0; turns && j < 3; j++) {
            const double along = g[0][j];
            g[0][j] = g[2][j];
            g[2][j] = -along;
        }
        sw_euler_from_rotation(g, angle);
        for (int j = 0; j < 3; j++)
            fprintf(file, "%.6f%c", angle[j] * 180 / SW_PI, j < 2 ? ' ' : '\n');
    }
    assert_int_equal(fclose(file), 0);
}

/* Four by four images of one another by half turns of the sample about its axes. */
static void make_orthotropic(float (*to)[3])
{
    static const double half_turn[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (int i = 0; i < GRAINS; i++) {
        double euler[3], g[3][3];
        sw_random_orientation(5, (uint64_t)(i / 4), euler);
        sw_rotation_from_euler(euler, g);
        for (int j = 0; j < 9; j++)
            g[j / 3][j % 3] *= half_turn[i % 4][j / 3];
        sw_euler_from_rotation(g, euler);
        for (int j = 0; j < 3; j++)
            to[i][j] = (float)euler[j];
    }
}

/* taylor.h5 of these crystals; its history's length. */
static int64_t run_taylor(const char *crystals, const char *loading, const char *others)
{
    char job[1000];
    result r;
    int64_t shape[3];
    snprintf(job, sizeof job,
             "material: material.yaml\nsolver: elastoplastic\ncrystals: {file: %s}\n" RESISTANCE
             "\nloading:\n%s%s"
             "output: {file: taylor.h5, orientations: [last]}\ndevice: cpu\n",
             crystals, loading, others);
    write_text("taylor.yaml", job);
    run_well("slipwave taylor -q taylor.yaml", &r);
    hid_t file = open_results("taylor.h5");
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    H5Fclose(file);
    return shape[0];
}

/* Rolled by 40 %, to be bent along the rolling direction and across it. */
static int set_up(void **state)
{
    static float euler[GRAINS][3];
    char name[64];
    (void)state;
    material_text = read_data("materials/copper-ofhc.yaml");
    if (enter_folder() != 0)
        return 1;
    write_text("material.yaml", material_text);
    make_orthotropic(euler);
    write_crystals("annealed.ori", 0, euler);
    const int64_t rows =
        run_taylor("annealed.ori", "  - velocity_gradient: [[1.0e-3, 0, 0], [0, -1.0e-3, 0], [0, 0, 0]]\n",
                   "    duration: 500\nstrain_increment: 0.02\n");
    snprintf(name, sizeof name, "orientations/%d/euler", (int)rows - 1);
    hid_t file = open_results("taylor.h5");
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){GRAINS, 3}, euler));
    H5Fclose(file);
    write_crystals("along.ori", 0, euler);
    write_crystals("across.ori", 1, euler);
    return 0;
}

/* ---- Elementary theory ---- */

typedef struct {
    int64_t rows;
    double strain[MOST_CURVE], stress[MOST_CURVE]; /* true; Pa */
} tension_curve;

/* Pulled along 1, as thin as it likes along 2, as wide as it was along 3. */
static void pull(const char *crystals, tension_curve *to)
{
    static double stress[MOST_CURVE][3][3];
    to->rows = run_taylor(crystals,
                          "  - velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, 0]]\n"
                          "    stress:            [[x, x, x], [x, 0, x], [x, x, x]]\n",
                          "    duration: 15\n    steps: 300\nstrain_increment: 0.02\n");
    assert_in_range(to->rows, 100, MOST_CURVE);
    hid_t file = open_results("taylor.h5");
    CHECK_OK(sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, &to->rows, to->strain));
    CHECK_OK(
        sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, (int64_t[]){to->rows, 3, 3}, stress));
    H5Fclose(file);
    for (int64_t i = 0; i < to->rows; i++) {
        to->strain[i] *= rate;
        to->stress[i] = stress[i][0][0];
    }
}

static double stress_at(const tension_curve *curve, double strain)
{
    int64_t i = 1;
    while (i < curve->rows - 1 && curve->strain[i] < strain)
        i++;
    const double part = (strain - curve->strain[i - 1]) / (curve->strain[i] - curve->strain[i - 1]);
    return curve->stress[i - 1] + part * (curve->stress[i] - curve->stress[i - 1]);
}

/* Fibres are strained by y / radius, the inner ones more slowly than the curve's: by the slip law's power. N, of a
 * metre's width. */
static double moment_by_theory(const tension_curve *curve, double rate_sensitivity)
{
    enum { FIBRES = 1000 };
    double sum = 0;
    for (int i = 0; i < FIBRES; i++) {
        const double part = (i + 0.5) / FIBRES, y = part * thickness / 2;
        sum += 2 * stress_at(curve, y / radius) * pow(part, rate_sensitivity) * y * thickness / 2 / FIBRES;
    }
    return sum;
}

/* ---- Elements ---- */

/* A column of cells through the sheet, so short that its end turns little. Ends stay plane, and turn about it. */
static void bend(const char *crystals, int cells)
{
    const double length = thickness / 40;
    result r;
    FILE *file = fopen("fem.yaml", "w");
    assert_non_null(file);
    fprintf(file,
            "mesh:\n  body: box\n  cells: [1, %d]\n  size: [%.9g, %.9g]\n  origin: [0, %.9g]\n  sets:\n",
            cells, length, thickness, -thickness / 2);
    for (int i = 0; i <= cells; i++) {
        const double y = thickness * (i - cells / 2.0) / cells;
        fprintf(file, "    - {name: row%d, kind: nodes, from: [%.9g, %.9g], to: [%.9g, %.9g]}\n", i, length,
                y, length, y);
    }
    fprintf(file, "    - {name: foot, kind: nodes, from: [0, %.9g], to: [0, %.9g]}\n", -thickness / 2,
            -thickness / 2);
    fprintf(file,
            "kinematics: plane_strain\nstrain: finite\nmaterials:\n"
            "  - crystals: {material: material.yaml, file: %s, " RESISTANCE "}\n"
            "boundary:\n  - {nodes: x_min, x: 0}\n  - {nodes: foot, y: 0}\n",
            crystals);
    for (int i = 0; i <= cells; i++)
        fprintf(file, "  - {nodes: row%d, x: %.12g}\n", i,
                thickness * (i - cells / 2.0) / cells * length / radius);
    const double seconds = thickness / 2 / radius / rate;
    fprintf(
        file,
        "steps:\n  - {factor: 1, increments: %d, time: %.9g}\n  - {factor: %g, increments: %d, time: %.9g}\n",
        BENDING, seconds, released, UNLOADING, seconds * (1 - released));
    fprintf(file, "device: cpu\nsolver: {tolerance: 1.0e-6}\noutput: {file: fem.h5, fields: [none]}\n");
    assert_int_equal(fclose(file), 0);
    run_well("slipwave fem -q fem.yaml", &r);
}

typedef struct {
    double moment;      /* N, of a metre's width, when bent */
    double axial;       /* N/m, largest, over moment / thickness */
    double sprung_back; /* 1/m: the curvature that goes when the moment does */
} bent;

static bent read_bent(int cells)
{
    static double reaction[BENDING + UNLOADING][MOST_CELLS + 3][3];
    double moment[BENDING + UNLOADING] = {0};
    bent found = {.sprung_back = NAN};
    hid_t file = open_results("fem.h5");
    double *all = read_set(file, "history/reaction", 3, (int64_t[]){BENDING + UNLOADING, cells + 3, 2});
    H5Fclose(file);
    for (int k = 0; k < BENDING + UNLOADING; k++)
        for (int i = 0; i <= cells; i++)
            reaction[k][i][0] = all[(k * (cells + 3) + i + 2) * 2];
    free(all);
    for (int k = 0; k < BENDING + UNLOADING; k++) {
        double axial = 0;
        for (int i = 0; i <= cells; i++) {
            moment[k] += reaction[k][i][0] * thickness * (i - cells / 2.0) / cells;
            axial += reaction[k][i][0];
        }
        found.axial = greatest(found.axial, fabs(axial));
        if (k >= BENDING && moment[k] <= 0 && isnan(found.sprung_back)) {
            const double part = k - BENDING + moment[k - 1] / (moment[k - 1] - moment[k]);
            found.sprung_back = part / UNLOADING * (1 - released) / radius;
        }
    }
    found.moment = moment[BENDING - 1];
    found.axial /= found.moment / thickness;
    return found;
}

static void springs_back_by_elementary_theory(void **state)
{
    const char *crystals = *state;
    tension_curve curve;
    bent found = {.moment = 0};
    pull(crystals, &curve);
    const double moment = moment_by_theory(&curve, copper().slip.rate_sensitivity);
    const double modulus = curve.stress[1] / curve.strain[1];
    const double sprung_back = moment / (modulus * pow(thickness, 3) / 12);
    print_message("%s, theory: modulus %.2f GPa, moment %.3f N, springback %.4f 1/m of %.1f\n", crystals,
                  1e-9 * modulus, moment, sprung_back, 1 / radius);
    for (int cells = 4; cells <= MOST_CELLS; cells *= 2) {
        bend(crystals, cells);
        found = read_bent(cells);
        print_message("%2d elements: moment %.3f N (%+.2f %%), springback %.4f 1/m (%+.2f %%), axial %.1e\n",
                      cells, found.moment, 100 * (found.moment / moment - 1), found.sprung_back,
                      100 * (found.sprung_back / sprung_back - 1), found.axial);
    }
    CHECK_CLOSE(found.moment, moment, 0.02 * moment);
    CHECK_CLOSE(found.sprung_back, sprung_back, 0.02 * sprung_back);
    CHECK_CLOSE(found.axial, 0, 1.5 * thickness / radius); /* the side that is pulled thins */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"springback of sheet bent along the rolling direction", springs_back_by_elementary_theory, NULL,
         NULL, (void *)(uintptr_t) "along.ori"},
        {"springback of sheet bent across it", springs_back_by_elementary_theory, NULL, NULL,
         (void *)(uintptr_t) "across.ori"},
    };
    return cmocka_run_group_tests_name("bending", tests, set_up, remove_folder);
}
