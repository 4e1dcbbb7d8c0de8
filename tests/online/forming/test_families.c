/* `slipwave forming` with families of slip systems: sheets, and fits of families' numbers. */
#include "tests/job_files.h"

#include "tests/hexagonal.h"

#include "common/crystal/material_file.h"
#include "online/forming/tasks.h"
#include "slipwave/taylor.h"

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static sw_status run_job(const char *text)
{
    static const char *const quiet[][2] = {{"quiet", ""}};
    sw_forming_job *job;
    FILE *out = fopen("/dev/null", "w");
    write_job(text, NULL, NULL);
    sw_status status = sw_forming_job_open(&(sw_arguments){job_path, 1, quiet}, &job);
    if (status == SW_OK) {
        status = sw_forming_run(job, out);
        sw_forming_job_close(job);
    }
    fclose(out);
    return status;
}

static void read_result(const char *name, int64_t n, double *number)
{
    hid_t file;
    CHECK_OK(sw_h5_open(in_folder("out.h5"), 0, &file));
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 1, &n, number));
    H5Fclose(file);
    unlink(in_folder("out.h5"));
}

/* ---- A family of its own against the lattice's one resistance ---- */

static const char plain[] =
    "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.02, initial_slip_resistance: 16.0e6}\n";
static const char one_family[] =
    "name: copper\ncrystal_structure: fcc\nelasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.02, families: [{family: \"111\", "
    "initial_slip_resistance: 16.0e6%s}]}\n";

/* Tension at three angles, and the biaxial contour's points, after a tenth of prestrain: where latent hardening is 1, all systems
 * of a phenopowerlaw resist as Voce's one resistance does. */
static void one_family_is_the_lattices_one_resistance(void **state)
{
    (void)state;
    static const char sheet[] =
        "material: metal.yaml\nsolver: %s\ncrystals: {count: 200, seed: 3}\nstrain_increment: 0.01\ndevice: "
        "cpu\n"
        "prestrain: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]\n"
        "r_values: {angles: [0, 45, 90], strain: 0.03}\noutput: {file: %s/out.h5}\n";
    static const char *const solvers[] = {"elastoplastic", "rigid_plastic"};
    static const char laws[][160] = {"hardening: {law: voce, initial_hardening_rate: 180.0e6, "
                                     "saturation_resistance: 148.0e6, exponent: 2.25}\n",
                                     "hardening: {law: phenopowerlaw}\n"};
    for (int s = 0; s < 2; s++) {
        double r[3][3];
        static char text[2048], job[PATH_MAX + 1024];
        for (int k = 0; k < 3; k++) {
            char own[1024];
            snprintf(own, sizeof own, one_family,
                     k == 2
                         ? ", initial_hardening_rate: 180.0e6, saturation_resistance: 148.0e6, exponent: 2.25"
                         : "");
            snprintf(text, sizeof text, "%s%s", k == 0 ? plain : own, laws[k == 2]);
            write_text(in_folder("metal.yaml"), text);
            snprintf(job, sizeof job, sheet, solvers[s], folder);
            CHECK_OK(run_job(job));
            read_result("r_values/r", 3, r[k]);
        }
        for (
            int i = 0; i < 3;
            i++) { /* conditions are met to 2e-5 of the stress, with m = 0.02 a thousandth of a strain rate */
            CHECK_CLOSE(r[1][i], r[0][i], 5e-3 * r[0][i]);
            CHECK_CLOSE(r[2][i], r[0][i], 5e-3 * r[0][i]);
        }
    }
}

/* ---- Crystals that are not cubic change their volume ---- */

/* The stress of `slipwave taylor` in tension along 1 at the plastic strain `plastic`, off its first slope. */
static double offset_stress(double plastic)
{
    sw_taylor *run;
    sw_taylor_rows rows;
    int64_t taken, k = 2;
    CHECK_OK(sw_taylor_begin(in_folder("taylor.yaml"),
                             "material: metal.yaml\nsolver: elastoplastic\ncrystals: {count: 300, seed: 3}\n"
                             "strain_increment: 0.0002\ndevice: cpu\nloading:\n"
                             "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]],\n"
                             "     stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 10}\n",
                             0, NULL, NULL, &run));
    CHECK_OK(sw_taylor_advance(run, 1000, &taken));
    sw_taylor_history(run, &rows);
    const double slope = rows.cauchy_stress[1][0][0] / rows.time[1];
    double before = 0, now = 0;
    for (; now < plastic && k < rows.rows; k++) {
        before = now;
        now = 1e-3 * (rows.time[k] - rows.cauchy_stress[k][0][0] / slope);
    }
    assert_true(now >= plastic && k > 3);
    const double a = rows.cauchy_stress[k - 2][0][0], b = rows.cauchy_stress[k - 1][0][0];
    sw_taylor_end(run);
    return a + (plastic - before) / (now - before) * (b - a);
}

/* What is plastic of a strain has no volume: the stress at a plastic strain of 0.002 is that of the total less stress over Young's
 * modulus; 2 % less where the elastic volume counted. Of these sheets Cauchy's stress is a few thousandths below Taylor's (theory). */
static void plastic_strain_has_no_volume(void **state)
{
    (void)state;
    static const char sheet[] =
        "material: metal.yaml\nsolver: elastoplastic\ncrystals: {count: 300, seed: 3}\n"
        "strain_increment: 0.0002\ndevice: cpu\n"
        "r_values: {angles: [0], strain: 0.002}\noutput: {file: %s/out.h5}\n";
    char text[PATH_MAX + 1024];
    double stress;
    FILE *file = fopen(in_folder("metal.yaml"), "w");
    assert_non_null(file);
    assert_true(fputs(hexagonal_text, file) >= 0 && fclose(file) == 0);
    snprintf(text, sizeof text, sheet, folder);
    CHECK_OK(run_job(text));
    read_result("r_values/stress", 1, &stress);
    const double taylor = offset_stress(0.002);
    CHECK_CLOSE(stress, taylor, 0.01 * taylor);
}

/* ---- Fits ---- */

static const char frame[] =
    "material: start.yaml\ncrystals: {count: 40, seed: 1}\nstrain_increment: 0.01\ndevice: cpu\n"
    "threads: 1\nfit:\n  parameters:\n%s  curves:\n"
    "    - {file: pulled.csv, stress_unit: MPa, strain: \"11\", stress: \"11-33\", loading: [%s]}\n"
    "    - {file: pressed.csv, stress_unit: MPa, strain: \"11\", stress: \"11-33\", loading: [%s]}\n"
    "  material: %s/found.yaml\noutput: {file: %s/out.h5}\n";
static const char pulled[] =
    "{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 150}",
                  pressed[] =
                      "{velocity_gradient: [[-1.0e-3, 0, 0], [0, 5.0e-4, 0], [0, 0, 5.0e-4]], duration: 150}";

/* As `slipwave taylor` has it, of the crystals of the fit. */
static void write_curve(const char *name, const char *loading, double sign)
{
    char text[1024];
    sw_taylor *run;
    sw_taylor_rows rows;
    int64_t taken;
    snprintf(text, sizeof text,
             "material: truth.yaml\nsolver: elastoplastic\ncrystals: {count: 40, seed: 1}\nstrain_increment: "
             "0.01\n"
             "threads: 1\ndevice: cpu\nloading: [%s]\n",
             loading);
    CHECK_OK(sw_taylor_begin(in_folder("taylor.yaml"), text, 0, NULL, NULL, &run));
    CHECK_OK(sw_taylor_advance(run, 1000, &taken));
    sw_taylor_history(run, &rows);
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fprintf(file, "strain, stress\n");
    for (int64_t k = 1; k < rows.rows; k++)
        fprintf(file, "%.9g, %.9g\n", sign * 1e-3 * rows.time[k],
                (rows.cauchy_stress[k][0][0] - rows.cauchy_stress[k][2][2]) / 1e6);
    fclose(file);
    sw_taylor_end(run);
}

/* What resists prismatic slip and twins, and how twins harden, from curves that were computed with other numbers. The material file
 * that is written has them, and s0 as their mean; a job's is not its. */
static void families_numbers_are_found(void **state)
{
    (void)state;
    static const char sought[] = "    - {key: \"slip.families[1].initial_slip_resistance\"}\n"
                                 "    - {key: \"slip.families[3].initial_slip_resistance\"}\n"
                                 "    - {key: \"slip.families[3].latent[3]\", least: 0.1, most: 10}\n";
    static const char with_latent[] = "hardening_by_slip: 50.0e6, latent: [1, 1, 1, 4]";
    static char text[3 * PATH_MAX], first[8192];
    double value[3], mean;
    sw_material found, truth;
    write_text(in_folder("truth.yaml"), edited(twinning_text, "hardening_by_slip: 50.0e6", with_latent));
    CHECK_OK(sw_material_read(in_folder("truth.yaml"), &truth));
    write_curve("pulled.csv", pulled, 1);
    write_curve("pressed.csv", pressed, -1);
    snprintf(first, sizeof first, "%s",
             edited(twinning_text, "hardening_by_slip: 50.0e6",
                    "hardening_by_slip: 50.0e6, latent: [1, 1, 1, 2]"));
    snprintf(text, sizeof text, "%s",
             edited(first, "prismatic, initial_slip_resistance: 55.0e6",
                    "prismatic, initial_slip_resistance: 75.0e6"));
    write_text(in_folder("start.yaml"), edited(text, "twin, initial_slip_resistance: 40.0e6",
                                               "twin, initial_slip_resistance: 30.0e6"));
    snprintf(text, sizeof text, frame, sought, pulled, pressed, folder, folder);
    CHECK_OK(run_job(text));
    read_result("fit/value", 3, value);
    CHECK_CLOSE(value[0], 55e6, 0.01 * 55e6);
    CHECK_CLOSE(value[1], 40e6, 0.01 * 40e6);
    CHECK_CLOSE(value[2], 4, 0.1);
    CHECK_OK(sw_material_read(in_folder("found.yaml"), &found));
    CHECK_CLOSE(found.slip.family[1].initial_slip_resistance, value[0], 1e-5 * value[0]);
    CHECK_CLOSE(found.slip.family[3].latent[3], value[2], 1e-5 * value[2]);
    CHECK_OK(sw_material_mean_resistance(&found, &mean));
    CHECK_CLOSE(found.slip.initial_slip_resistance, mean, 0);
    CHECK_CLOSE(mean, truth.slip.initial_slip_resistance, 0.01 * mean);
}

static void other_keys_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *parameters, *part;
    } cases[] = {
        {"    - {key: \"slip.families[4].exponent\"}\n",
         "fit.parameters[0].key = slip.families[4].exponent: need one of"},
        {"    - {key: \"slip.families[-1].exponent\"}\n", "need one of"},
        {"    - {key: \"slip.families[3].exponent\"}\n", "that the material gives"}, /* of a twin */
        {"    - {key: \"slip.families[0].coplanar\"}\n", "slip.families[0 to 3].coplanar"},
        {"    - {key: \"slip.families[0].latent[0]\"}\n", "slip.families[0 to 3].latent[...]"},
        {"    - {key: \"slip.families[0].family\"}\n", "need one of"},
        {"    - {key: \"slip.families[0].exponent.\"}\n", "need one of"},
        {"    - {key: \"slip.families[0]exponent\"}\n", "need one of"},
        {"    - {key: \"slip.families[0].exponent\"}\n    - {key: \"slip.families[00].exponent\"}\n",
         "is there already"},
        {"    - {key: \"slip.families[0].exponent\", most: 2}\n", "more than 1 and less than 2"},
    };
    write_text(in_folder("start.yaml"), twinning_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2 * PATH_MAX + 2048];
        snprintf(text, sizeof text, frame, cases[i].parameters, pulled, pressed, folder, folder);
        assert_int_equal(run_job(text), SW_ERR_INPUT);
        assert_message_has(cases[i].part);
        assert_message_has("job.yaml:");
    }
}

/* A law of families is its response's: runs cannot have others side by side. */
static void materials_side_by_side_are_refused(void **state)
{
    (void)state;
    static const sw_crystal one = {{0.3F, 0.8F, 1.1F}, 50e6F};
    sw_material a, b;
    sw_response *response;
    sw_runs *runs;
    const sw_material *material[2] = {&a, &a};
    const sw_condition condition[2] = {sw_condition_stretch(1e-3, 0), sw_condition_stretch(1e-3, 0)};
    CHECK_OK(sw_material_parse("a", twinning_text, &a));
    b = a;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = "elastoplastic", .material = &a}, &response));
    for (int k = 0; k < 2; k++) {
        material[1] = k == 0 ? &a : &b;
        CHECK_OK(sw_runs_create(response, 2, 1, &one, NULL, material, &runs));
        const sw_status status = sw_runs_step(runs, 1, condition);
        assert_int_equal(status, k == 0 ? SW_OK : SW_ERR_RANGE);
        sw_runs_free(runs);
    }
    assert_message_has("material of point 1 = magnesium: has slip.families");
    sw_response_close(response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_family_is_the_lattices_one_resistance),
        cmocka_unit_test(plastic_strain_has_no_volume),
        cmocka_unit_test(families_numbers_are_found),
        cmocka_unit_test(other_keys_are_refused),
        cmocka_unit_test(materials_side_by_side_are_refused),
    };
    return cmocka_run_group_tests(tests, make_job_folder, NULL);
}
