/* Temperatures that a loading changes: crystals expand, and what they cannot is stress. Against closed forms of elastic crystals. */
#include "programs.h"

#include "common/files/text.h"
#include "common/math/elimination.h"
#include "common/math/rotation.h"
#include "common/math/six.h"

#define HARD "rate_sensitivity: 0.05, reference_slip_rate: 1.0e-3"
#define LAW \
    "hardening: {law: voce, initial_hardening_rate: 1.0e6, saturation_resistance: 2.0e10, exponent: 1}\n"
static const double c11 = 143.5, c12 = 72.5, c13 = 65.4, c33 = 164.9, c44 = 32.1, along_a = 5.7e-6,
                    along_c = 11.4e-6;
static const char zirconium[] =
    "name: zirconium that does not yield\ncrystal_structure: hexagonal\nc_over_a: 1.594\n"
    "elasticity: {C11: 143.5e9, C33: 164.9e9, C44: 32.1e9, C12: 72.5e9, C13: 65.4e9}\n"
    "thermal_expansion: [5.7e-6, 11.4e-6]\n"
    "slip: {" HARD ", families: [{family: prismatic, initial_slip_resistance: 1.0e10}, {family: "
    "pyramidal_ca, initial_slip_resistance: 1.0e10}]}\n" LAW;
static const char hard_copper[] =
    "name: copper that does not yield\ncrystal_structure: fcc\nthermal_expansion: [16.5e-6]\n"
    "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\nslip: {" HARD
    ", initial_slip_resistance: 1.0e10}\n" LAW;

#define FREE                                                     \
    "  - velocity_gradient: [[x, x, x], [x, x, x], [x, x, x]]\n" \
    "    stress: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n    duration: 600\n"
#define PRESSED "  - velocity_gradient: [[1.0e-6, 0, 0], [0, 0, 0], [0, 0, -1.0e-6]]\n    duration: 100\n"
#define HELD                                                     \
    "  - velocity_gradient: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n" \
    "    duration: 100\n    steps: 4\n    temperature: 800\n"
#define CLAMPED                                                  \
    "  - velocity_gradient: [[0, 0, 0], [0, x, 0], [0, 0, x]]\n" \
    "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n    duration: 600\n"

typedef struct {
    double temperature, f[3][3], stress[3][3];
} row;
enum { ROWS = 128, GRAINS = 500 };

static void write_job(const char *crystals, const char *loading)
{
    char text[2000];
    snprintf(text, sizeof text,
             "material: material.yaml\nsolver: elastoplastic\ntemperature: 900\ncrystals: %s\nloading:\n%s"
             "output: {file: out.h5, orientations: [0], checkpoint: 0.1}\n",
             crystals, loading);
    write_text("job.yaml", text);
}

static int64_t read_rows(const char *path, row *rows)
{
    static double temperature[ROWS], f[ROWS][3][3], stress[ROWS][3][3];
    int64_t shape[3];
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    assert_in_range(shape[0], 2, ROWS);
    CHECK_OK(sw_h5_read(file, "history/temperature", H5T_NATIVE_DOUBLE, 1, shape, temperature));
    CHECK_OK(sw_h5_read(file, "history/deformation_gradient", H5T_NATIVE_DOUBLE, 3, shape, f));
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    H5Fclose(file);
    for (int64_t i = 0; i < shape[0]; i++) {
        rows[i].temperature = temperature[i];
        memcpy(rows[i].f, f[i], sizeof f[i]);
        memcpy(rows[i].stress, stress[i], sizeof stress[i]);
    }
    return shape[0];
}

static row last_row(const char *material, const char *crystals, const char *loading)
{
    static row rows[ROWS];
    result r;
    write_text("material.yaml", material);
    write_job(crystals, loading);
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    return rows[read_rows("out.h5", rows) - 1];
}

/* ---- Closed forms ---- */

/* A single crystal on its side shrinks along its axes, and comes back. */
static void a_free_crystal_expands_along_its_axes(void **state)
{
    (void)state;
    const char *const on_its_side = "{file: side.ori}";
    const row cold = last_row(zirconium, on_its_side, FREE "    steps: 7\n    temperature: 300\n");
    const row back = last_row(zirconium, on_its_side,
                              FREE "    temperature: 300\n" FREE FREE "    steps: 3\n    temperature: 900\n");
    CHECK_CLOSE(cold.temperature, 300, 1e-9);
    CHECK_CLOSE(back.temperature, 900, 1e-9);
    for (int k = 0; k < 9; k++) {
        const double alpha = k == 4 ? along_c : along_a;
        CHECK_CLOSE(cold.f[k / 3][k % 3], k % 4 == 0 ? exp(-600 * alpha) : 0, 3e-7);
        CHECK_CLOSE(back.f[k / 3][k % 3], k % 4 == 0, 3e-7);
        CHECK_CLOSE(cold.stress[k / 3][k % 3], 0, 1e5);
    }
}

/* E alpha times the change, E = (C11 - C12) (C11 + 2 C12)/(C11 + C12) along <100>. */
static void a_clamped_bar_is_stressed(void **state)
{
    (void)state;
    const double e = (168.7e9 - 121.7e9) * (168.7e9 + 2 * 121.7e9) / (168.7e9 + 121.7e9);
    const row cold = last_row(hard_copper, "{file: cube.ori}", CLAMPED "    temperature: 800\n");
    CHECK_CLOSE(cold.stress[0][0] / (e * 16.5e-6 * 100), 1, 3e-3);
    CHECK_CLOSE(cold.stress[1][1], 0, 1e5);
}

/* Clamped all round it bears 3 K alpha times the change, whatever comes after it. */
static void what_is_clamped_all_round_has_a_pressure(void **state)
{
    (void)state;
    static row rows[ROWS];
    const double pressure = 3 * (168.7e9 + 2 * 121.7e9) / 3 * 16.5e-6 * 100;
    for (int k = 0; k < 2; k++) {
        last_row(hard_copper, "{file: cube.ori}", k ? HELD FREE : HELD);
        read_rows("out.h5", rows);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(rows[4].stress[i][i], pressure, 1e-6 * pressure);
    }
}

/* Two metals that hold each other: no pressure on the whole, f K (t - 3 alpha dT) of each, opposite ones. */
static void phases_press_each_other(void **state)
{
    (void)state;
    static double stress[2][ROWS][3][3];
    const double k[2] = {(168.7e9 + 2 * 121.7e9) / 3, (231.5e9 + 2 * 134.7e9) / 3}, f[2] = {0.3, 0.7},
                 alpha[2] = {16.5e-6, 11.8e-6};
    const double volume =
        3 * -100 * (f[0] * k[0] * alpha[0] + f[1] * k[1] * alpha[1]) / (f[0] * k[0] + f[1] * k[1]);
    result r;
    write_text("material.yaml", hard_copper);
    write_text("iron.yaml", edited(hard_copper, "[16.5e-6]\nelasticity: {C11: 168.7e9, C12: 121.7e9",
                                   "[11.8e-6]\nelasticity: {C11: 231.5e9, C12: 134.7e9"));
    write_text("job.yaml",
               "solver: elastoplastic\ntemperature: 900\nphases:\n"
               "  - {name: copper, fraction: 0.3, material: material.yaml, crystals: {count: 20}}\n"
               "  - {name: iron, fraction: 0.7, material: iron.yaml, crystals: {count: 20}}\nloading:\n" FREE
               "    steps: 3\n    temperature: 800\noutput: {file: out.h5}\n");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "phases/copper/history/cauchy_stress", H5T_NATIVE_DOUBLE, 3,
                        (int64_t[]){4, 3, 3}, stress[0]));
    CHECK_OK(sw_h5_read(file, "phases/iron/history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, (int64_t[]){4, 3, 3},
                        stress[1]));
    H5Fclose(file);
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++) {
            const double pressure = k[p] * (volume + 300 * alpha[p]);
            CHECK_CLOSE(stress[p][3][i][i], pressure, 1e-3 * fabs(pressure));
        }
}

/* The stiffness of a crystal along the sample, GPa, and its stress by alpha. */
static void add_crystal(const float euler[3], double c[3][3][3][3], double s[3][3])
{
    const double bunge[3] = {euler[0], euler[1], euler[2]};
    const double own[6][6] = {{c11, c12, c13}, {c12, c11, c13},   {c13, c13, c33},
                              {0, 0, 0, c44},  {0, 0, 0, 0, c44}, {0, 0, 0, 0, 0, (c11 - c12) / 2}};
    double g[3][3];
    sw_rotation_from_euler(bunge, g);
    for (int n = 0; n < 81; n++) {
        const int i = n / 27, j = n / 9 % 3, k = n / 3 % 3, l = n % 3;
        const double stiffness = own[sw_six_of(i, j)][sw_six_of(k, l)];
        for (int m = 0; m < 81 && stiffness != 0; m++)
            c[m / 27][m / 9 % 3][m / 3 % 3][m % 3] +=
                g[m / 27][i] * g[m / 9 % 3][j] * g[m / 3 % 3][k] * g[m % 3][l] * stiffness;
        for (int m = 0; m < 9 && k == l; m++)
            s[m / 3][m % 3] += g[m / 3][i] * g[m % 3][j] * stiffness * (k == 2 ? along_c : along_a);
    }
}

/* <C> e = <C alpha> where all are strained alike. */
static void a_polycrystal_expands_by_the_mean_of_stiffness(void **state)
{
    (void)state;
    static float euler[GRAINS][3];
    static double c[3][3][3][3], s[3][3];
    double a[6][6], e[6];
    const row cold = last_row(zirconium, "{count: 500, seed: 3}", FREE "    temperature: 300\n");
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "orientations/0/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){GRAINS, 3}, euler));
    H5Fclose(file);
    for (int n = 0; n < GRAINS; n++)
        add_crystal(euler[n], c, s);
    for (int p = 0; p < 36; p++) {
        const int i = p / 6, k = p % 6;
        a[i][k] = (k < 3 ? 1 : 2) * c[sw_six_row(i)][sw_six_column(i)][sw_six_row(k)][sw_six_column(k)];
        e[i] = s[sw_six_row(i)][sw_six_column(i)];
    }
    sw_solve_by_elimination(6, 6, a[0], e, e);
    for (int k = 0; k < 6; k++) { /* ln F */
        const int i = sw_six_row(k), j = sw_six_column(k);
        double strain = cold.f[i][j] - (i == j);
        for (int m = 0; m < 3; m++)
            strain -= (cold.f[i][m] - (i == m)) * (cold.f[m][j] - (m == j)) / 2;
        CHECK_CLOSE(strain / (-600 * e[0]), e[k] / e[0], 1e-4);
    }
    assert_true(fabs(e[0] / ((2 * along_a + along_c) / 3) - 1) > 1e-3); /* not that of the crystals' mean */
}

/* `iterative` has the crystals' elastic deformation itself. */
static void solvers_agree(void **state)
{
    (void)state;
    static row rows[ROWS];
    result r;
    const row here = last_row(zirconium, "{count: 40}", PRESSED "    steps: 4\n    temperature: 880\n");
    run_well("slipwave taylor -q --device cpu job.yaml --solver iterative", &r);
    const row there = rows[read_rows("out.h5", rows) - 1];
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(here.stress[k / 3][k % 3] / there.stress[0][0],
                    there.stress[k / 3][k % 3] / there.stress[0][0], 1e-2);
}

/* ---- In two pieces ---- */

/* Cooling that yields, interrupted: the same bits. */
static void a_run_that_was_stopped_goes_on(void **state)
{
    (void)state;
    static row rows[2][ROWS];
    static const char loading[] =
        CLAMPED "    steps: 30\n    temperature: 600\n" FREE "    steps: 20\n    temperature: 900\n";
    result r;
    write_text("material.yaml", edited(zirconium, "thermal_expansion: [5.7e-6, 11.4e-6]",
                                       "thermal_expansion: [5.7e-5, 11.4e-5]"));
    write_job("{count: 20000, seed: 3}", loading);
    run_well("slipwave taylor -q --device cpu job.yaml -o whole.h5", &r);
    assert_int_equal(stop_after_first("slipwave taylor -q --device cpu job.yaml", SIGKILL), -1);
    run_well("slipwave taylor -q --device cpu job.yaml --resume", &r);
    const int64_t n = read_rows("whole.h5", rows[0]);
    assert_int_equal(read_rows("out.h5", rows[1]), n);
    assert_int_equal(n, 51);
    assert_memory_equal(rows[0], rows[1], (size_t)n * sizeof rows[0][0]);
}

/* ---- What cannot be ---- */

static void what_does_not_expand_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *options, *says;
    } bad[] = {
        {"temperature: 900\n", "", "",
         "loading[0].temperature = 300: need temperature, from which it goes there"},
        {"temperature: 300", "temperature: 0.3", "", "loading[0].temperature = 0.3: need K, from 1 to 4000"},
        {"temperature: 300", "temperature: 300\n    until: stress\n    component: 11\n    goal: 1e8", "",
         "loading[0]"},
    };
    char text[2000];
    result r;
    unlink("out.h5");
    write_text("material.yaml", zirconium);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char command[200], *job;
        write_job("{count: 10}", FREE "    temperature: 300\n");
        CHECK_OK(sw_read_text("job.yaml", &job));
        snprintf(text, sizeof text, "%s", *bad[k].old != '\0' ? edited(job, bad[k].old, bad[k].new) : job);
        free(job);
        write_text("job.yaml", text);
        snprintf(command, sizeof command, "slipwave taylor -q --device cpu job.yaml%s", bad[k].options);
        run(command, &r);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, bad[k].says) == NULL)
            fail_msg("%s", r.err);
        assert_int_equal(access("out.h5", F_OK), -1);
    }
    write_job("{count: 10}", PRESSED "    temperature: 300\n");
    run("slipwave taylor -q --device cpu job.yaml --solver rigid_plastic", &r);
    assert_non_null(strstr(
        r.err,
        "job.yaml:8: loading[0].temperature: solver = rigid_plastic: its crystals have no elastic strains"));
    write_job("{count: 10}", FREE "    temperature: 300\n");
    write_text("material.yaml", edited(zirconium, "thermal_expansion: [5.7e-6, 11.4e-6]\n", ""));
    run("slipwave taylor -q --device cpu job.yaml", &r);
    assert_non_null(
        strstr(r.err, "loading[0].temperature: zirconium that does not yield: thermal_expansion is missing"));
    write_text("material.yaml", edited(zirconium, "[5.7e-6, 11.4e-6]", "[5.7e-6]"));
    run("slipwave taylor -q --device cpu job.yaml", &r);
    assert_non_null(strstr(r.err, "thermal_expansion has 1 numbers: crystal_structure = hexagonal needs 2"));
}

static int set_up(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return -1;
    write_text("side.ori", "0 90 0\n");
    write_text("cube.ori", "0 0 0\n");
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_crystal_expands_along_its_axes),
        cmocka_unit_test(a_clamped_bar_is_stressed),
        cmocka_unit_test(what_is_clamped_all_round_has_a_pressure),
        cmocka_unit_test(phases_press_each_other),
        cmocka_unit_test(a_polycrystal_expands_by_the_mean_of_stiffness),
        cmocka_unit_test(solvers_agree),
        cmocka_unit_test(a_run_that_was_stopped_goes_on),
        cmocka_unit_test(what_does_not_expand_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
