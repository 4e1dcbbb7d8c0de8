/* `slipwave taylor` with families of slip systems: given stresses against DAMASK, what families slip in results, runs that are
 * stopped and go on. */
#include "programs.h"

#include "tests/hexagonal.h"

/* ---- Tension of hexagonal crystals, sides free, against DAMASK ---- */

enum {
    ROWS = 23,
    COLUMNS = 11,
    PARTS_OF_A_SECOND = 5,
    OF_STRESS = 4,
    OF_SLIP = 8,
    FAMILIES = 3,
    STEPS_MOST = 1000
};

/* row [ROWS][COLUMNS]: time, F11 F22 F33, S33 S12 S13 S23 in MPa, slips. */
static void read_reference(double row[ROWS][COLUMNS])
{
    char *text = read_data("reference/damask-hexagonal-tension.csv"), *at = strstr(text, "t_s");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        row[i / COLUMNS][i % COLUMNS] = strtod(at, &at), at++;
    CHECK_CLOSE(row[ROWS - 1][3], 1.0512711, 0);
    free(text);
}

/* An entry a row: the reference's F33 grows evenly. step [ROWS]: that each ends with. */
static void write_tension(const double row[ROWS][COLUMNS], int64_t step[ROWS])
{
    FILE *file = fopen("tension.yaml", "w");
    assert_non_null(file);
    fprintf(file, "material: magnesium.yaml\nsolver: elastoplastic\nstrain_increment: 0.1\n"
                  "crystals: {file: hexagonal.ori}\noutput: {file: out.h5, textures: [], orientations: "
                  "[]}\nloading:\n");
    for (int i = 1; i < ROWS; i++) {
        const double dt = row[i][0] - row[i - 1][0];
        const int steps = (int)ceil(dt * PARTS_OF_A_SECOND);
        fprintf(file,
                "  - {velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, %.12g]], stress: [[0, x, x], [x, 0, "
                "x], [x, x, x]],\n"
                "     duration: %.12g, steps: %d}\n",
                log(row[i][3] / row[i - 1][3]) / dt, dt, steps);
        step[i] = step[i - 1] + steps;
    }
    assert_int_equal(fclose(file), 0);
}

/* DAMASK's increments are within 0.1 % of shorter ones: the stress within 0.15 % of the deviator and slips within 1 % from a strain of
 * 0.004 on, sides' strains within 2e-5, volumes' too. */
static void hexagonal_tension_is_damasks(void **state)
{
    (void)state;
    static double row[ROWS][COLUMNS], stress[STEPS_MOST][3][3], f[STEPS_MOST][3][3],
        slip[STEPS_MOST][FAMILIES];
    int64_t step[ROWS] = {0}, shape[3];
    char *grains = read_data("reference/damask-hexagonal.ori");
    result r;
    write_text("hexagonal.ori", grains);
    free(grains);
    write_text("magnesium.yaml", hexagonal_text);
    read_reference(row);
    write_tension((const double(*)[COLUMNS])row, step);
    run_well("slipwave taylor -q --device cpu tension.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    assert_int_equal(shape[0], step[ROWS - 1] + 1);
    assert_in_range(shape[0], 1, STEPS_MOST);
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    CHECK_OK(sw_h5_read(file, "history/deformation_gradient", H5T_NATIVE_DOUBLE, 3, shape, f));
    shape[1] = FAMILIES;
    CHECK_OK(sw_h5_read(file, "history/family_slip", H5T_NATIVE_DOUBLE, 2, shape, slip));
    assert_false(sw_h5_exists(file, "history/twin_fraction"));
    H5Fclose(file);
    for (int i = 4; i < ROWS; i++) {
        const double(*s)[3] = (const double(*)[3])stress[step[i]], *there = row[i] + OF_STRESS;
        CHECK_CLOSE(s[2][2] * 1e-6, there[0], 0.0015 * there[0]);
        CHECK_CLOSE(s[0][1] * 1e-6, there[1], 0.0015 * there[0]);
        CHECK_CLOSE(s[0][2] * 1e-6, there[2], 0.0015 * there[0]);
        CHECK_CLOSE(s[1][2] * 1e-6, there[3], 0.0015 * there[0]);
        for (int k = 0; k < 2; k++) {
            CHECK_CLOSE(s[k][k], 0, 1e-4 * s[2][2]);
            CHECK_CLOSE(f[step[i]][k][k], row[i][1 + k], 2e-5 + 2e-3 * (1 - row[i][1 + k]));
        }
        CHECK_CLOSE(f[step[i]][0][0] * f[step[i]][1][1] * f[step[i]][2][2], row[i][1] * row[i][2] * row[i][3],
                    3e-5);
        for (int k = 0; k < FAMILIES; k++)
            CHECK_CLOSE(slip[step[i]][k], row[i][OF_SLIP + k], 0.01 * row[i][OF_SLIP + k]);
    }
    unlink("out.h5");
}

/* ---- What families slip ---- */

static const char twins_text[] =
    "material: twinning.yaml\n"
    "solver: elastoplastic\n"
    "crystals: {file: two.ori}\n"
    "strain_increment: 0.002\n"
    "loading:\n"
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 20}\n"
    "output: {file: out.h5, textures: [], orientations: []}\n";

typedef struct {
    double slip[STEPS_MOST][4], fraction[STEPS_MOST][1], rate[STEPS_MOST], time[STEPS_MOST];
    int64_t rows;
} slips;

static void assert_families(hid_t file, const char *name, const char *families)
{
    char *text;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(set, "families", &text));
    assert_string_equal(text, families);
    free(text);
    H5Dclose(set);
}

static void run_twins(const char *command, slips *h)
{
    int64_t shape[2];
    result r;
    run_well(command, &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_shape(file, "history/family_slip", 2, shape));
    assert_int_equal(shape[1], 4);
    h->rows = shape[0];
    CHECK_OK(sw_h5_read(file, "history/family_slip", H5T_NATIVE_DOUBLE, 2, shape, h->slip));
    CHECK_OK(sw_h5_read(file, "history/slip_rate", H5T_NATIVE_DOUBLE, 1, shape, h->rate));
    CHECK_OK(sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, shape, h->time));
    shape[1] = 1;
    CHECK_OK(sw_h5_read(file, "history/twin_fraction", H5T_NATIVE_DOUBLE, 2, shape, h->fraction));
    assert_families(file, "history/family_slip", "basal prismatic pyramidal2_ca tension_twin");
    assert_families(file, "history/twin_fraction", "tension_twin");
    H5Fclose(file);
    unlink("out.h5");
}

/* All families' together are the slip rate's integral, as it is in the steps; a twin's over its shear by hand, (3 - c^2) / (sqrt 3
 * c); and means are by weight: of the first crystal alone and of the second, and of both by 3 to 1. */
static void families_slips_add_up(void **state)
{
    (void)state;
    static slips both, one[2];
    const char *const grain[] = {"90 90 0 3\n", "30 40 10 1\n"};
    const double c = 1.6235, shear = (3 - c * c) / (sqrt(3) * c);
    write_text("twinning.yaml", twinning_text);
    write_text("twins.yaml", twins_text);
    for (int k = 0; k < 3; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s%s", k != 1 ? grain[0] : "", k != 0 ? grain[1] : "");
        write_text("two.ori", text);
        run_twins("slipwave taylor -q --device cpu twins.yaml", k == 2 ? &both : &one[k]);
    }
    double sum = 0;
    for (int64_t n = 0; n < both.rows; n++) {
        double all = 0;
        for (int f = 0; f < 4; f++) {
            all += both.slip[n][f];
            CHECK_CLOSE(both.slip[n][f], 0.75 * one[0].slip[n][f] + 0.25 * one[1].slip[n][f], 1e-7);
        }
        sum += n > 0 ? both.rate[n] * (both.time[n] - both.time[n - 1]) : 0;
        CHECK_CLOSE(all, sum, 1e-5 * sum + 1e-9);
        CHECK_CLOSE(both.fraction[n][0], both.slip[n][3] / shear, 1e-6 * both.fraction[n][0]);
    }
    assert_true(both.fraction[both.rows - 1][0] > 0.02); /* c is pulled in the first one */
    assert_true(both.slip[0][0] == 0);
}

/* ---- Databases of families in fixed ratios ---- */

static double pulled_by(const char *solver)
{
    char command[256];
    double stress[6][3][3];
    int64_t shape[3] = {6, 3, 3};
    result r;
    snprintf(command, sizeof command, "slipwave taylor -q --device cpu fixed.yaml --solver %s", solver);
    run_well(command, &r);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    assert_true(sw_h5_exists(file, "history/family_slip") == (strstr(solver, "database") == NULL));
    H5Fclose(file);
    return stress[5][0][0] - stress[5][2][2];
}

/* Crystals of tables have one resistance, and all slips in one. Tables of 24 x 24 x 36 x 24 to
 * 48 x 48 x 72 x 48 points, with elasticity in them, are 0.25 to 0.6 % off the slip law by itself. */
static void tables_take_crystals_of_families(void **state)
{
    (void)state;
    result r;
    write_text("fixed-material.yaml", ratios_text);
    write_text("fixed.yaml", "material: fixed-material.yaml\ncrystals: {count: 50}\nstrain_increment: 0.02\n"
                             "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], "
                             "duration: 60}]\noutput: {file: out.h5}\n");
    run_well("slipwave-db generate -q --device cpu fixed-material.yaml -o fixed.h5 -g 24,24,36,24 -t all",
             &r);
    const double own = pulled_by("rigid_plastic");
    CHECK_CLOSE(pulled_by("grid --database fixed.h5"), own, 0.008 * own);
    CHECK_CLOSE(pulled_by("terms --database fixed.h5"), own, 0.008 * own);
}

/* ---- Rigid crystals near what their hard families leave ---- */

/* A basal plate pressed in its plane, sides free: crystals that hardly strain along c jump there, and the search ends as near as that
 * lets it, with a warning. It ended the run once. Elastic strains are 3 % of the stress there. */
static void rigid_plates_are_pressed_in_their_plane(void **state)
{
    (void)state;
    char *metal = read_data("materials/az31.yaml");
    double stress[2];
    write_text("az31.yaml", metal);
    free(metal);
    for (int k = 0; k < 2; k++) {
        double row[64][3][3];
        int64_t shape[3];
        char text[800];
        result r;
        snprintf(
            text, sizeof text,
            "material: az31.yaml\nsolver: %s\nstrain_increment: 0.002\n"
            "crystals: {count: 128, seed: 1, components: [{name: basal, fraction: 0.9, halfwidth: 15}]}\n"
            "loading:\n  - {velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n"
            "     stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 80}\n"
            "output: {file: out.h5, textures: [], orientations: []}\n",
            k == 0 ? "rigid_plastic" : "elastoplastic");
        write_text("plate.yaml", text);
        run("slipwave taylor -q --device cpu plate.yaml", &r);
        assert_int_equal(r.status, 0);
        assert_true(k == 1 || strstr(r.err, "as near as `rigid_plastic` comes") != NULL);
        hid_t file = open_results("out.h5");
        CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
        assert_in_range(shape[0], 2, 64);
        CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, row));
        H5Fclose(file);
        stress[k] = row[shape[0] - 1][0][0];
    }
    CHECK_CLOSE(stress[0], stress[1], 0.05 * fabs(stress[1]));
}

/* ---- Stopped, and going on ---- */

static const char long_text[] =
    "material: twinning.yaml\n"
    "crystals: {count: 8000, seed: 3}\n"
    "strain_increment: 0.0014142135623730951\n"
    "loading:\n"
    "  - {velocity_gradient: [[-1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], stress: [[x, x, x], [x, 0, x], [x, x, "
    "0]], duration: 60}\n"
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 50}\n"
    "output: {file: out.h5, orientations: [last], textures: [], checkpoint: 0.1}\n";

static void assert_same(hid_t a, hid_t b, const char *name, hid_t type, int rank)
{
    int64_t shape[3], n = (int64_t)H5Tget_size(type);
    CHECK_OK(sw_h5_shape(a, name, rank, shape));
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    char *left = malloc((size_t)n), *right = malloc((size_t)n);
    CHECK_OK(sw_h5_read(a, name, type, rank, shape, left));
    CHECK_OK(sw_h5_read(b, name, type, rank, shape, right));
    if (memcmp(left, right, (size_t)n) != 0)
        fail_msg("%s differs", name);
    free(left);
    free(right);
}

static void assert_same_runs(void)
{
    hid_t a = open_results("whole.h5"), b = open_results("out.h5");
    char last[64];
    snprintf(last, sizeof last, "orientations/%.0f/euler", run_number(a, "steps"));
    assert_same(a, b, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3);
    assert_same(a, b, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1);
    assert_same(a, b, "history/family_slip", H5T_NATIVE_DOUBLE, 2);
    assert_same(a, b, "history/twin_fraction", H5T_NATIVE_DOUBLE, 2);
    assert_same(a, b, last, H5T_NATIVE_FLOAT, 2);
    H5Fclose(a);
    H5Fclose(b);
}

static const struct {
    const char *old, *new;
} others[] = {{"c_over_a: 1.6235", "c_over_a: 1.6236"},
              {"C13: 21.4e9", "C13: 21.5e9"},
              {"exponent: 2.25}\n    - {family: prismatic", "exponent: 2.26}\n    - {family: prismatic"},
              {"initial_slip_resistance: 55.0e6", "initial_slip_resistance: 55.1e6"},
              {"family: prismatic", "family: pyramidal_a"},
              {"hardening_by_slip: 50.0e6", "hardening_by_slip: 51.0e6"},
              {"hardening_by_slip: 50.0e6", "latent: [1, 1, 2, 1], hardening_by_slip: 50.0e6"},
              {"hardening_by_slip: 50.0e6", "self: 1.1, hardening_by_slip: 50.0e6"}};

static void stop_and_resume(const char *solver)
{
    char command[128];
    result r;
    snprintf(command, sizeof command,
             "slipwave taylor -q --device cpu long.yaml --solver %s -j 1 -o whole.h5", solver);
    run(command, &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    snprintf(command, sizeof command, "slipwave taylor -q --device cpu long.yaml --solver %s -j 2", solver);
    assert_int_equal(stop_after_first(command, SIGKILL), -1);
    snprintf(command, sizeof command, "slipwave taylor -q --device cpu long.yaml --solver %s -j 1 --resume",
             solver);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_edited("twinning.yaml", twinning_text, others[i].old, others[i].new);
        assert_refused(command, 1, (const char *const[]){"belongs to a run with another material"});
    }
    write_text("twinning.yaml", twinning_text);
    run(command, &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    assert_same_runs();
    unlink("out.h5");
    unlink("whole.h5");
}

static void stopped_runs_resume_to_the_same_bits(void **state)
{
    (void)state;
    write_text("twinning.yaml", twinning_text);
    write_text("long.yaml", long_text);
    stop_and_resume("elastoplastic");
    stop_and_resume("rigid_plastic");
    write_text("twinning.yaml", twinning_text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexagonal_tension_is_damasks),
        cmocka_unit_test(families_slips_add_up),
        cmocka_unit_test(tables_take_crystals_of_families),
        cmocka_unit_test(rigid_plates_are_pressed_in_their_plane),
        cmocka_unit_test(stopped_runs_resume_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
