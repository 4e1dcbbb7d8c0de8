/* Several materials in one polycrystal of `slipwave taylor`: against VPSC8's two phases (data/reference/vpsc-two-phases.csv says how it was
 * made), each phase by itself, Voigt's mean of moduli, resumed runs, and what is refused. */
#include "programs.h"
#include "tests/families.h"

enum { ROWS = 31, COLUMNS = 8, MOST = 256 };

static const char plain[] =
    "name: %s\ncrystal_structure: %s\nelasticity: {C11: %s, C12: %s, C44: %s}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.05, initial_slip_resistance: %s}\n"
    "hardening: {law: voce, initial_hardening_rate: %s, saturation_resistance: 2.0e9, exponent: 1}\n";

static void write_material(const char *name, const char *structure, const char *c11, const char *c12,
                           const char *c44, const char *resistance, const char *rate)
{
    char text[1000], path[64];
    snprintf(text, sizeof text, plain, name, structure, c11, c12, c44, resistance, rate);
    snprintf(path, sizeof path, "%s.yaml", name);
    write_text(path, text);
}

static void copy_data(const char *from, const char *to)
{
    char *text = read_data(from);
    write_text(to, text);
    free(text);
}

static int set_up(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    write_material("austenite", "fcc", "168.7e9", "121.7e9", "75.0e9", "1.0e6", "0");
    write_material("ferrite", "bcc", "231.4e9", "134.7e9", "116.4e9", "4.0e6", "0");
    write_material("hardening", "fcc", "168.7e9", "121.7e9", "75.0e9", "16.0e6", "200.0e6");
    copy_data("reference/vpsc-az31-extruded.tex", "bar.tex");
    copy_data("reference/vpsc-zirconium-plate.tex", "plate.tex");
    copy_data("materials/az31.yaml", "az31.yaml");
    return 0;
}

static void write_job(const char *solver, const char *phases, const char *loading, const char *output)
{
    char job[2000];
    snprintf(job, sizeof job,
             "solver: %s\nstrain_increment: 0.02\nphases:\n%sloading:\n%soutput: {file: out.h5%s}\n", solver,
             phases, loading, output);
    write_text("job.yaml", job);
}

static const char two[] =
    "  - {name: austenite, material: austenite.yaml, fraction: 0.6, crystals: {file: bar.tex}}\n"
    "  - {name: ferrite, material: ferrite.yaml, fraction: 0.4, crystals: {file: plate.tex}}\n";
static const char sheared[] = "  - {velocity_gradient: [[-1.0e-3, 0.2e-3, 0], [0, 0.5e-3, 0], [0, 0, "
                              "0.5e-3]], duration: 300, steps: 30}\n";

/* [rows][6], Pa: 11 22 33 23 13 12. */
static int64_t read_stress(const char *path, const char *where, double stress[MOST][6])
{
    static double whole[MOST][3][3];
    char name[128];
    int64_t shape[3];
    hid_t file = open_results(path);
    snprintf(name, sizeof name, "%shistory/cauchy_stress", where);
    CHECK_OK(sw_h5_shape(file, name, 3, shape));
    assert_true(shape[0] <= MOST);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 3, shape, whole));
    H5Fclose(file);
    for (int64_t n = 0; n < shape[0]; n++)
        for (int k = 0; k < 6; k++)
            stress[n][k] = whole[n][k < 3 ? k : k == 5 ? 0 : k == 4 ? 0 : 1][k < 3 ? k : k == 5 ? 1 : 2];
    return shape[0];
}

/* Nothing but rounding: VPSC8 prints five digits, 5e-6 and more, of stresses that are met to 5e-4 of a last step of Newton's method. */
static void stresses_are_vpscs(void **state)
{
    (void)state;
    static double stress[MOST][6];
    double worst = 0;
    char *text = read_data("reference/vpsc-two-phases.csv"), *at = text;
    result r;
    write_job("rigid_plastic", two, sheared, "");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_equal(read_stress("out.h5", "", stress), ROWS);
    while (*at == '#' || *at == 's')
        at = strchr(at, '\n') + 1;
    for (int n = 0; n < ROWS; n++, at = strchr(at, '\n') + 1) {
        double row[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            row[i] = strtod(at, &at);
            at += *at == ',';
        }
        for (int k = 0; k < 6 && n > 0; k++)
            worst = greatest(worst, fabs(stress[n][k] / 1e6 - row[2 + k]) / row[1]);
    }
    free(text);
    print_message("deviator within %.1e of von Mises' stress\n", worst);
    assert_true(worst < 2e-5);
}

/* Under one velocity gradient a phase has the same bits as alone, whatever is beside it, and the whole is the mean by fractions. */
static void a_phase_is_as_if_alone(void **state)
{
    (void)state;
    static double all[MOST][6], part[2][MOST][6], alone[MOST][6];
    static const char *const names[] = {"austenite", "ferrite"}, *const files[] = {"bar.tex", "plate.tex"};
    static const char *const solvers[] = {"elastoplastic", "rigid_plastic"};
    for (int s = 0; s < 2; s++) {
        result r;
        int64_t rows = 0;
        write_job(solvers[s], two, sheared, ", orientations: [0, last], textures: [last]");
        run_well("slipwave taylor -q --device cpu job.yaml", &r);
        read_stress("out.h5", "", all);
        for (int k = 0; k < 2; k++) {
            char job[1000], name[64];
            static float euler[2][2000][3];
            int64_t shape[2];
            snprintf(
                job, sizeof job,
                "solver: %s\nstrain_increment: 0.02\nmaterial: %s.yaml\ncrystals: {file: %s}\nloading:\n%s"
                "output: {file: alone.h5, orientations: [last]}\n",
                solvers[s], names[k], files[k], sheared);
            write_text("alone.yaml", job);
            run_well("slipwave taylor -q --device cpu alone.yaml", &r);
            snprintf(name, sizeof name, "phases/%s/", names[k]);
            rows = read_stress("out.h5", name, part[k]);
            assert_int_equal(read_stress("alone.h5", "", alone), rows);
            assert_memory_equal(part[k], alone, (size_t)rows * sizeof *alone);
            for (int i = 0; i < 2; i++) {
                hid_t file = open_results(i ? "alone.h5" : "out.h5");
                snprintf(name, sizeof name, "%s%s%sorientations/30/euler", i ? "" : "phases/",
                         i ? "" : names[k], i ? "" : "/");
                CHECK_OK(sw_h5_shape(file, name, 2, shape));
                assert_in_range(shape[0], 800, 2000);
                CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_FLOAT, 2, shape, euler[i]));
                H5Fclose(file);
            }
            assert_memory_equal(euler[0], euler[1], (size_t)shape[0] * sizeof euler[0][0]);
        }
        for (int64_t n = 0; n < rows; n++)
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(all[n][i], 0.6 * part[0][n][i] + 0.4 * part[1][n][i], 1e-15 * 1e7);
    }
}

/* Isotropic crystals, far from yielding, in tension with free sides: strains are alike, and moduli Voigt's means, E = 9 K G / (3 K + G). */
static void moduli_are_voigts(void **state)
{
    (void)state;
    static double stress[MOST][6];
    const double fraction[2] = {0.3, 0.7}, k[2] = {100e9, 60e9}, g[2] = {75e9, 15e9};
    double bulk = 0, shear = 0;
    result r;
    write_material("stiff", "fcc", "200.0e9", "50.0e9", "75.0e9", "800.0e6",
                   "0"); /* C11 = K + 4 G / 3, C12 = K - 2 G / 3 */
    write_material("soft", "bcc", "80.0e9", "50.0e9", "15.0e9", "800.0e6", "0");
    write_job("elastoplastic",
              "  - {name: stiff, material: stiff.yaml, fraction: 0.3, crystals: {count: 30}}\n"
              "  - {name: soft, material: soft.yaml, fraction: 0.7, crystals: {count: 50}}\n",
              "  - velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, 1.0e-3]]\n"
              "    stress: [[0, x, x], [x, 0, x], [x, x, x]]\n    duration: 0.2\n    steps: 1\n",
              "");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_equal(read_stress("out.h5", "", stress), 2);
    for (int i = 0; i < 2; i++) {
        bulk += fraction[i] * k[i];
        shear += fraction[i] * g[i];
    }
    /* stresses are met to 2e-5; Cauchy's, and the length that strains, have two strains of 2e-4 more: 3.8e-4 of E was seen */
    const double young = 9 * bulk * shear / (3 * bulk + shear);
    CHECK_CLOSE(stress[1][2] / 2e-4, young, 6e-4 * young);
    CHECK_CLOSE(stress[1][0], 0, 2e-5 * stress[1][2]);
}

/* A crystal of copper and one of zinc along the sample's axes, whose volume is coupled to its deviator: E along the common c is that of
 * the mean of their stiffnesses, C33 - 2 C13^2 / (C11 + C12), to the same 3.8e-4. Without the coupling it is 16 % more. */
static void cubic_and_hexagonal_crystals_meet_stresses(void **state)
{
    (void)state;
    static double stress[MOST][6];
    const double c11 = 0.4 * 168.7e9 + 0.6 * 163.7e9, c12 = 0.4 * 121.7e9 + 0.6 * 36.4e9,
                 c13 = 0.4 * 121.7e9 + 0.6 * 53.0e9, c33 = 0.4 * 168.7e9 + 0.6 * 63.5e9;
    result r;
    write_material("strong", "fcc", "168.7e9", "121.7e9", "75.0e9", "800.0e6", "0");
    write_text("zinc.yaml", ZINC("800.0e6"));
    write_text("along.ori", "0 0 0\n");
    write_job("elastoplastic",
              "  - {name: copper, material: strong.yaml, fraction: 0.4, crystals: {file: along.ori}}\n"
              "  - {name: zinc, material: zinc.yaml, fraction: 0.6, crystals: {file: along.ori}}\n",
              "  - velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, 1.0e-3]]\n"
              "    stress: [[0, x, x], [x, 0, x], [x, x, x]]\n    duration: 0.2\n    steps: 1\n",
              "");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_equal(read_stress("out.h5", "", stress), 2);
    const double young = c33 - 2 * c13 * c13 / (c11 + c12);
    CHECK_CLOSE(stress[1][2] / 2e-4, young, 6e-4 * young);
    CHECK_CLOSE(stress[1][0], 0, 2e-5 * stress[1][2]);
}

/* Whatever the mean stress: the whole is the mean of its phases, to single precision. */
static void phases_make_the_whole(void **state)
{
    (void)state;
    static double whole[MOST][6], own[2][MOST][6];
    result r;
    write_job("elastoplastic",
              "  - {name: copper, material: hardening.yaml, fraction: 0.4, crystals: {count: 50}}\n"
              "  - {name: zinc, material: zinc.yaml, fraction: 0.6, crystals: {count: 60}}\n",
              "  - velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, 1.0e-3]]\n"
              "    stress: [[-3.0e9, x, x], [x, -3.0e9, x], [x, x, x]]\n    duration: 10\n    steps: 10\n",
              "");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_equal(read_stress("out.h5", "", whole), 11);
    read_stress("out.h5", "phases/copper/", own[0]);
    read_stress("out.h5", "phases/zinc/", own[1]);
    for (int row = 1; row < 11; row++)
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(0.4 * own[0][row][k] + 0.6 * own[1][row][k], whole[row][k], 3e9 * 1e-6);
    assert_true(fabs(own[0][10][0] - own[1][10][0]) > 0.1e9);
}

/* With free sides, one phase that twins take volume in, and one without families. */
static void stopped_runs_resume_to_the_same(void **state)
{
    (void)state;
    static double stress[2][3][MOST][6];
    static const char *const where[] = {"", "phases/magnesium/", "phases/other/"};
    static float weight[2][4000];
    char *text = read_data("materials/az31.yaml");
    write_edited("twinning.yaml", text, "family: tension_twin,",
                 "family: tension_twin, twin_threshold: 0.1, twin_transfer: yes,");
    free(text);
    write_job("elastoplastic",
              "  - {name: magnesium, material: twinning.yaml, fraction: 0.5, crystals: {file: bar.tex}}\n"
              "  - {name: other, material: az31.yaml, fraction: 0.5, crystals: {count: 500, seed: 7}}\n",
              "  - velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, -1.0e-3]]\n"
              "    stress: [[0, x, x], [x, 0, x], [x, x, x]]\n    duration: 100\n    steps: 240\n",
              ", orientations: [0, last], checkpoint: 0.1");
    result r;
    run_well("slipwave taylor -q --device cpu -j 2 job.yaml", &r);
    assert_int_equal(rename("out.h5", "whole.h5"), 0);
    assert_int_equal(stop_after_first("slipwave taylor -q --device cpu -j 1 job.yaml", SIGKILL), -1);
    run_well("slipwave taylor -q --device cpu -j 2 job.yaml --resume", &r);
    for (int k = 0; k < 2; k++) {
        int64_t shape[1];
        hid_t file = open_results(k ? "out.h5" : "whole.h5");
        CHECK_OK(sw_h5_shape(file, "phases/magnesium/orientations/240/weight", 1, shape));
        assert_int_equal(shape[0], 1640);
        CHECK_OK(sw_h5_read(file, "phases/magnesium/orientations/240/weight", H5T_NATIVE_FLOAT, 1, shape,
                            weight[k]));
        assert_int_equal(sw_h5_exists(file, "phases/other/orientations/240/euler"), 1);
        assert_int_equal(sw_h5_exists(file, "phases/other/orientations/240/weight"), 0);
        H5Fclose(file);
        for (int i = 0; i < 3; i++)
            assert_int_equal(read_stress(k ? "out.h5" : "whole.h5", where[i], stress[k][i]), 241);
    }
    assert_memory_equal(weight[0], weight[1], sizeof weight[0]);
    assert_memory_equal(stress[0], stress[1], sizeof stress[0]);
    assert_true(weight[0][1] + weight[0][3] + weight[0][5] > 0.1F);
}

static double read_gradients(const char *where, double l[MOST][3][3])
{
    char name[128];
    int64_t shape[3];
    hid_t file = open_results("out.h5");
    snprintf(name, sizeof name, "%shistory/velocity_gradient", where);
    CHECK_OK(sw_h5_shape(file, name, 3, shape));
    assert_true(shape[0] <= MOST);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 3, shape, l));
    H5Fclose(file);
    return l[shape[0] - 1][2][2];
}

/* Pulled with free sides: stresses of phases, in rows but the last of the next step's beginning, and their velocity gradients add up by
 * fractions; what is given is met, pressure included; the soft phase strains more and has less stress, and goes on where it was stopped. */
static void self_consistent_phases_share_strain(void **state)
{
    (void)state;
    static double all[MOST][6], part[2][MOST][6], again[MOST][6], l[3][MOST][3][3];
    static const char *const where[] = {"phases/austenite/", "phases/ferrite/"};
    char phases[1000];
    result r;
    snprintf(phases, sizeof phases, "%shomogenization: self_consistent\n", two);
    write_job("rigid_plastic", phases,
              "  - velocity_gradient: [[x, 0, 0], [0, x, 0], [0, 0, 1.0e-3]]\n"
              "    stress: [[0, x, x], [x, 0, x], [x, x, x]]\n    duration: 100\n    steps: 20\n",
              ", checkpoint: 0.1");
    run_well("slipwave taylor -q -j 2 --device cpu job.yaml", &r);
    assert_int_equal(read_stress("out.h5", "", all), 21);
    for (int k = 0; k < 2; k++) {
        read_stress("out.h5", where[k], part[k]);
        read_gradients(where[k], l[k]);
    }
    assert_true(read_gradients("", l[2]) == 1e-3);
    for (int n = 1; n < 21; n++) {
        const double size = all[n][2];
        CHECK_CLOSE(all[n][0], 0, 1e-4 * size); /* the scheme's tolerance */
        CHECK_CLOSE(all[n][1], 0, 1e-4 * size);
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(0.6 * part[0][n][k] + 0.4 * part[1][n][k], all[n][k] - (k < 3 ? size / 3 : 0),
                        1e-3 * size);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(0.6 * l[0][n][k / 3][k % 3] + 0.4 * l[1][n][k / 3][k % 3], l[2][n][k / 3][k % 3],
                        1e-6);
        assert_true(l[0][n][2][2] > 1.1e-3 && l[1][n][2][2] < 0.85e-3);
        assert_true(1.5 * part[0][n][2] < all[n][2] && 1.5 * part[1][n][2] > all[n][2]);
    }
    assert_int_equal(stop_after_first("slipwave taylor -q --device cpu -j 1 job.yaml", SIGKILL), -1);
    run_well("slipwave taylor -q --device cpu -j 1 job.yaml --resume", &r);
    assert_int_equal(read_stress("out.h5", "", again), 21);
    assert_memory_equal(all, again, 21 * sizeof all[0]);
}

/* A phase is what the next job has, its crystals as the last step left them. */
static void a_phases_crystals_go_on(void **state)
{
    (void)state;
    static const char *const paths[] = {"phases.h5", "alone.h5"}, *const where[] = {"phases/ferrite", "."},
                             *const set[] = {"orientations/30/euler", "orientations/0/euler"};
    static float euler[2][2000][3], weight[2][2000];
    int64_t shape[2] = {0};
    result r;
    write_job("rigid_plastic", two, sheared, ", orientations: [0, last]");
    run_well("slipwave taylor -q --device cpu job.yaml", &r);
    assert_int_equal(rename("out.h5", "phases.h5"), 0);
    write_text("alone.yaml",
               "solver: rigid_plastic\nstrain_increment: 0.02\nmaterial: ferrite.yaml\n"
               "crystals: {file: phases.h5, phase: ferrite}\nloading:\n"
               "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 1}\n"
               "output: {file: alone.h5, orientations: [0]}\n");
    run_well("slipwave taylor -q --device cpu alone.yaml", &r);
    for (int k = 0; k < 2; k++) {
        hid_t file = open_results(paths[k]), group = H5Gopen2(file, where[k], H5P_DEFAULT);
        CHECK_OK(sw_h5_shape(group, set[k], 2, shape));
        CHECK_OK(sw_h5_read(group, set[k], H5T_NATIVE_FLOAT, 2, shape, euler[k]));
        CHECK_OK(sw_h5_read(group, "orientations/weight", H5T_NATIVE_FLOAT, 1, shape, weight[k]));
        H5Gclose(group);
        group = H5Gopen2(file, "run", H5P_DEFAULT);
        assert_int_equal(sw_h5_has_text(group, "crystal_phase", k ? "ferrite" : ""), 1);
        H5Gclose(group);
        H5Fclose(file);
    }
    assert_int_equal(shape[0], 1944);
    for (int64_t n = 0; n < shape[0]; n++) {
        CHECK_CLOSE(weight[1][n], weight[0][n], 1e-6 * weight[0][n]);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(remainder(euler[1][n][i] - euler[0][n][i], 6.283185307179586), 0,
                        2e-6); /* single precision */
    }
    static const struct {
        const char *options, *says;
    } bad[] = {{"phases.h5",
                "phases.h5: several phases: need crystals.phase, the name of one of austenite, ferrite"},
               {"phases.h5 --phase iron",
                "phases.h5: no phase 'iron' in it: need the name of one of austenite, ferrite"},
               {"phases.h5 --phase ferrite --step 7", "phases.h5: holds no orientations of step 7"},
               {"alone.h5 --phase ferrite",
                "alone.h5: results without `phases`: need no `phase` beside them, ferrite"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char command[200];
        snprintf(command, sizeof command, "slipwave export -q -o a.ori %s", bad[k].options);
        assert_refused(command, 1, &bad[k].says);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
#define PHASE(name, material, fraction) \
    "  - {name: " name ", material: " material ".yaml, fraction: " fraction ", crystals: {count: 10}}\n"
    static const struct {
        const char *solver, *phases, *loading, *says;
    } bad[] = {
        {"rigid_plastic", PHASE("a", "austenite", "0.5") PHASE("b", "ferrite", "0.4"), sheared,
         "phases have fractions of 0.9 together: need 1"},
        {"rigid_plastic", PHASE("a", "austenite", "0.5") PHASE("a", "ferrite", "0.5"), sheared,
         "phases[1].name = a stands twice"},
        {"rigid_plastic", PHASE("a/b", "austenite", "0.5") PHASE("b", "ferrite", "0.5"), sheared,
         "phases[0].name = a/b: need letters, digits, _ and -"},
        {"rigid_plastic", PHASE("a", "austenite", "1"), sheared, "phases"},
        {"rigid_plastic", PHASE("a", "austenite", "0.5") PHASE("b", "absent", "0.5"), sheared, "phases[1]"},
        {"rigid_plastic",
         PHASE("a", "austenite", "0.5") "  - {name: b, material: ferrite.yaml, fraction: 0.5}\n", sheared,
         "phases[1].crystals"},
        {"grid", PHASE("a", "austenite", "0.5") PHASE("b", "ferrite", "0.5"), sheared,
         "solver = grid: phases need one without a database"},
        {"rigid_plastic",
         PHASE("a", "austenite", "0.5") PHASE("b", "ferrite", "0.5") "material: ferrite.yaml\n", sheared,
         "material beside phases: need only one of them"},
        {"rigid_plastic", PHASE("a", "austenite", "0.5") PHASE("b", "ferrite", "0.5") "temperature: 500\n",
         sheared, "temperature = 500: has no effect on the hardening.law of any phase"},
        {"rigid_plastic",
         PHASE("a", "austenite", "0.5") PHASE("b", "ferrite", "0.5") "homogenization: sachs\n", sheared,
         "homogenization = sachs beside phases: need taylor or self_consistent"},
        {"rigid_plastic",
         PHASE("a", "austenite", "0.2") PHASE("b", "ferrite", "0.2") PHASE("c", "ferrite", "0.2")
             PHASE("d", "ferrite", "0.2") PHASE("e", "ferrite", "0.2") "homogenization: self_consistent\n",
         sheared, "5 materials: need at most 4"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        const char *const parts[] = {"job.yaml:", bad[k].says};
        write_job(bad[k].solver, bad[k].phases, bad[k].loading, "");
        assert_refused("slipwave taylor -q --device cpu job.yaml", 2, parts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stresses_are_vpscs),
                                       cmocka_unit_test(a_phase_is_as_if_alone),
                                       cmocka_unit_test(a_phases_crystals_go_on),
                                       cmocka_unit_test(moduli_are_voigts),
                                       cmocka_unit_test(cubic_and_hexagonal_crystals_meet_stresses),
                                       cmocka_unit_test(phases_make_the_whole),
                                       cmocka_unit_test(self_consistent_phases_share_strain),
                                       cmocka_unit_test(stopped_runs_resume_to_the_same),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests_name("phases", tests, set_up, remove_folder);
}
