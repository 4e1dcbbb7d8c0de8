/* `slipwave sweep`: power laws and errors in closed form, sweeps of tiny databases, files it must refuse. */
#include "tests/folder.h"

#include <dirent.h>
#include <signal.h>

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/system/progress.h"
#include "common/files/text.h"
#include "offline/commands.h"
#include "online/gpu/gpu.h"
#include "online/response/solvers.h"
#include "online/sweep/sweep.h"

static char stored_terms[32]; /* of long.h5, as messages give it */

/* Simple shear to gamma = 0.1: 0.0707 of strain in steps of 0.02, the last one shorter. */
enum { STEPS = 4 };

static const char sweep_text[] =
    "databases: [long.h5]\n"                                                      /* 1 */
    "vary:\n"                                                                     /* 2 */
    "  terms: [128, 1024, 4096, 8192]\n"                                          /* 3 */
    "reference: {solver: terms, terms: 8192}\n"                                   /* 4 */
    "crystals: {count: 200, seed: 3}\n"                                           /* 5 */
    "strain_increment: 0.02\n"                                                    /* 6 */
    "loading:\n"                                                                  /* 7 */
    "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}\n" /* 8 */
    "output: {file: sweep.h5}\n";                                                 /* 9 */

/* sweep_text, or that with the first `old` replaced by `new`, as sweep.yaml. */
static void write_sweep(const char *old, const char *new)
{
    write_text("sweep.yaml", edited(sweep_text, old, new));
}

static int make_databases(const char *material)
{
    const sw_generate_options options[] = {
        {.material = material, .output = "long.h5", .shape = {16, 16, 16, 12}, .quiet = 1},
        {.material = material, .output = "short.h5", .shape = {8, 8, 8, 12}, .quiet = 1},
        {.material = "hard.yaml", .output = "hard.h5", .shape = {8, 8, 8, 12}, .quiet = 1}};
    sw_database *database;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (sw_generate(&options[i]) != SW_OK)
            return 1;
    if (sw_database_read("long.h5", 0, &database) != SW_OK)
        return 1;
    snprintf(stored_terms, sizeof stored_terms, " %lld ", (long long)sw_database_terms(database));
    sw_database_free(database);
    return 0;
}

static int set_up(void **state)
{
    char material[PATH_MAX], *text;
    if (find_data("materials/copper-ofhc.yaml", material))
        return 1;
    if (make_folder(state) || sw_read_text(material, &text) != SW_OK)
        return 1;
    write_text("hard.yaml", edited(text, "saturation_resistance: 148.0e6", "saturation_resistance: 150.0e6"));
    const int failed = make_databases(material);
    free(text);
    return failed;
}

static int tear_down(void **state)
{
    (void)state;
    DIR *here = opendir(".");
    for (struct dirent *entry; here != NULL && (entry = readdir(here)) != NULL;)
        if (entry->d_name[0] != '.')
            unlink(entry->d_name);
    if (here != NULL)
        closedir(here);
    return chdir("/") | rmdir(folder);
}

static sw_status run_sweep(const char *old, const char *new, sw_sweep_result **result)
{
    sw_sweep_job *job;
    write_sweep(old, new);
    *result = NULL;
    SW_TRY(sw_sweep_job_read(&(sw_arguments){.file = "sweep.yaml"}, &job));
    sw_status status = sw_sweep_run(job, 1, result);
    if (status == SW_OK)
        status = sw_sweep_write(job, *result);
    sw_sweep_job_free(job);
    return status;
}

static sw_sweep_result *run_well(const char *old, const char *new)
{
    sw_sweep_result *result;
    CHECK_OK(run_sweep(old, new, &result));
    return result;
}

/* ---- Closed forms ---- */

/* Seven logarithms and their sums: some ten roundings of numbers up to 20. */
static void a_power_law_is_fitted_exactly(void **state)
{
    (void)state;
    const double x[7] = {256, 512, 1024, 2048, 4096, 8192, 65536};
    double y[7];
    const double slopes[] = {-0.5, -1, 0, 2.25};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 7; i++)
            y[i] = 3.5 * pow(x[i], slopes[k]);
        const sw_power_law law = sw_fit_power_law(7, x, y);
        CHECK_CLOSE(law.slope, slopes[k], 1e-13);
        CHECK_CLOSE(law.coefficient, 3.5, 3.5e-12);
    }
}

/* Hand-made: log y = 0, 2, 1 over log x = 0, 1, 2: slope 1/2, mean 1 at 1. */
static void scatter_is_fitted_by_least_squares(void **state)
{
    (void)state;
    const double x[3] = {1, exp(1), exp(2)}, y[3] = {1, exp(2), exp(1)};
    const sw_power_law law = sw_fit_power_law(3, x, y);
    CHECK_CLOSE(law.slope, 0.5, 1e-14);
    CHECK_CLOSE(law.coefficient, exp(0.5), 1e-14);
}

static void one_point_has_no_slope(void **state)
{
    (void)state;
    const double x[2] = {8, 8}, y[2] = {1, 2};
    assert_true(isnan(sw_fit_power_law(0, x, y).slope));
    assert_true(isnan(sw_fit_power_law(1, x, y).slope));
    assert_true(isnan(sw_fit_power_law(2, x, y).slope));
}

static void curves_follow_the_loading(void **state)
{
    (void)state;
    static const struct {
        double gradient[3][3];
        const char *name;
    } cases[] = {{{{0, 2e-3, 0}}, "sigma12"},
                 {{{0, -2e-3, 0}}, "von Mises"}, /* the other way round: a negative sigma12 */
                 {{{5, 0, 0}, {0, 0, 0}, {0, 0, -5}}, "sigma11 - sigma33"},
                 {{{2, 0, 0}, {0, -1, 0}, {0, 0, -1}}, "von Mises"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sw_stress_curve_of(cases[i].gradient)->name, cases[i].name);
}

/* One step of unequal dt: tensor scaled by 1.1 and an s23 as large as s12 in addition. Sizes: tensor 2 s^2,
 * difference 2 (0.1 s)^2 + 2 s^2; curve 0.1. */
static void errors_are_relative_l2_norms(void **state)
{
    (void)state;
    const double dt[2] = {1, 3};
    const double reference[2][3][3] = {{{0, 4, 0}, {4, 0, 0}, {0, 0, 0}}, {{0, 8, 0}, {8, 0, 0}, {0, 0, 0}}};
    double stress[2][3][3], error, curve_error;
    memcpy(stress, reference, sizeof stress);
    for (int n = 0; n < 2; n++) {
        stress[n][0][1] = stress[n][1][0] = 1.1 * reference[n][0][1];
        stress[n][1][2] = stress[n][2][1] = reference[n][0][1];
    }
    const sw_stress_curve *curve = sw_stress_curve_of((const double[3][3]){{0, 1, 0}});
    CHECK_OK(sw_stress_error(2, dt, (const double(*)[3][3])stress, reference, curve, &error, &curve_error));
    CHECK_CLOSE(error, sqrt(1.01), 1e-14);
    CHECK_CLOSE(curve_error, 0.1, 1e-14);
    /* only the last step is wrong; trapezoids weigh the steps (1 + 3) / 2 and 3 / 2 */
    memcpy(stress, reference, sizeof stress);
    stress[1][0][1] = stress[1][1][0] = 1.2 * reference[1][0][1];
    CHECK_OK(sw_stress_error(2, dt, (const double(*)[3][3])stress, reference, curve, &error, &curve_error));
    const double wrong = 1.5 * 0.04 * 64, all = 2 * 16 + 1.5 * 64;
    CHECK_CLOSE(error, sqrt(wrong / all), 1e-14);
    CHECK_CLOSE(curve_error, sqrt(wrong / all), 1e-14);
}

/* ---- Sweeps ---- */

/* Any solver, run twice, gives the same bits. */
static void the_reference_has_no_error_against_itself(void **state)
{
    (void)state;
    sw_sweep_result *r = run_well(NULL, NULL);
    assert_int_equal(r->n_rows, 4);
    assert_int_equal(r->n_steps, STEPS);
    assert_true(r->row[3].error == 0 && r->row[3].curve_error == 0);
    assert_false(r->row[3].fitted);
    sw_sweep_result_free(r);
    r = run_well("vary:\n  terms: [128, 1024, 4096, 8192]\nreference: {solver: terms, terms: 8192}",
                 "vary: {cost: {terms: [128]}}\nreference: {solver: iterative}");
    const sw_sweep_row *last = &r->row[r->n_rows - 1];
    assert_string_equal(r->row[1].solver, "grid");
    assert_true(r->row[1].error > 0);
    assert_string_equal(last->label, "iterative");
    assert_true(last->error == 0 && last->curve_error == 0);
    sw_sweep_result_free(r);
}

/* Every setting that is certified, of every database, once; what a series says of nobody else. */
static void everybody_is_in_a_cost_sweep(void **state)
{
    (void)state;
    static const char old[] = "databases: [long.h5]\nvary:\n  terms: [128, 1024, 4096, 8192]\n"
                              "reference: {solver: terms, terms: 8192}";
    static const struct {
        const char *new;
        int terms, databases;
    } cases[] = {{"databases: [short.h5, long.h5]\nvary: {cost: {terms: [128, 1024]}}\n"
                  "reference: {solver: elastoplastic}",
                  2, 2},
                 {"databases: [long.h5]\nvary: {terms: [128]}\nreference: {solver: iterative}", 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_sweep_result *r = run_well(old, cases[i].new);
        int64_t seen = cases[i].terms;
        for (int s = 0; s < SW_SOLVERS; s++) {
            const sw_solver *solver = sw_solvers[s];
            int64_t rows = 0;
            for (int64_t k = 0; k < r->n_rows; k++)
                rows += strcmp(r->row[k].solver, solver->traits.name) == 0;
            const int each = solver->traits.needs_database ? cases[i].databases : 1;
            const int64_t expected =
                solver->traits.has_terms ? cases[i].terms : each * solver->certified.count;
            assert_true(expected > 0);
            assert_int_equal(rows, expected);
            seen += solver->traits.has_terms ? 0 : expected;
        }
        assert_int_equal(r->n_rows, seen);
        for (int64_t k = 0; k < r->n_rows; k++) {
            const sw_sweep_row *row = &r->row[k];
            assert_true(row->set_up > 0 && row->seconds > row->set_up);
            assert_true(row->fitted == (strcmp(row->solver, "terms") == 0));
            assert_true((row->generation > 0) == sw_solver_find(row->solver)->needs_database);
            for (int64_t j = 0; j < k; j++)
                assert_string_not_equal(row->label, r->row[j].label);
        }
        assert_string_equal(r->material, "OFHC copper (fcc)");
        sw_sweep_result_free(r);
    }
}

/* Where six strain rates, of a step and two crystals each, are nearly all of the time, it is in the set-up alone. */
static void preparation_is_counted_once(void **state)
{
    (void)state;
    char new[1024] = "vary: {cost: {terms: [128]}}\nreference: {solver: rigid_plastic}\n"
                     "crystals: {count: 2}\nstrain_increment: 0.02\nloading:\n";
    for (int i = 0; i < 6; i++)
        snprintf(new + strlen(new), sizeof new - strlen(new),
                 "  - {velocity_gradient: [[%g, 0, 0], [0, %g, 0], [0, 0, -1]], duration: 0.005}\n",
                 0.5 + 0.05 * i, 0.5 - 0.05 * i);
    sw_sweep_result *r =
        run_well(strchr(strchr(sweep_text, '\n') + 1, 'v'), strcat(new, "output: {file: sweep.h5}\n"));
    int tables = 0;
    for (int64_t k = 0; k < r->n_rows; k++)
        if (strcmp(r->row[k].label, "tabulated, linear, refinement 4") == 0) { /* a tenth of a second each */
            assert_true(r->row[k].seconds < 1.5 * r->row[k].set_up);
            tables++;
        }
    assert_int_equal(tables, 1);
    sw_sweep_result_free(r);
}

/* An orthorhombic crystal, whose stiffness mixes deviators. */
static const char mixed[] =
    "name: mixed\ncrystal_structure: orthorhombic\nb_over_a: 2.056\nc_over_a: 1.7361\n"
    "elasticity: {C11: 214.8e9, C22: 198.6e9, C33: 267.1e9, C12: 46.5e9, C13: 21.8e9, C23: 107.6e9, C44: "
    "124.4e9, "
    "C55: 73.4e9, C66: 74.3e9}\nslip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
    "    - {family: 010_100, initial_slip_resistance: 20e6}\n    - {family: 001_100, "
    "initial_slip_resistance: 40e6}\n"
    "    - {family: 110_1-10, initial_slip_resistance: 60e6}\n    - {family: 021_1-12, "
    "initial_slip_resistance: 90e6}\n"
    "hardening: {law: voce, initial_hardening_rate: 200e6, saturation_resistance: 568e6, exponent: 2}\n";

static void orthorhombic_crystals_are_swept(void **state)
{
    (void)state;
    static const char old[] = "databases: [long.h5]\nvary:\n  terms: [128, 1024, 4096, 8192]\n"
                              "reference: {solver: terms, terms: 8192}";
    write_text("mixed.yaml", mixed);
    const sw_generate_options options = {
        .material = "mixed.yaml", .output = "mixed.h5", .shape = {16, 8, 16, 12}, .quiet = 1};
    CHECK_OK(sw_generate(&options));
    sw_sweep_result *r = run_well(
        old, "databases: [mixed.h5]\nvary: {cost: {terms: [64]}}\nreference: {solver: rigid_plastic}");
    int elastic = 0, others = 0;
    for (int64_t k = 0; k < r->n_rows; k++) {
        elastic += strcmp(r->row[k].solver, "elastoplastic") == 0;
        others += strcmp(r->row[k].solver, "terms") != 0;
    }
    assert_true(elastic > 0 && others > elastic && r->scatter.error > 0 && r->scatter.curve_error > 0);
    sw_sweep_result_free(r);
}

/* Of independent crystals the scatter falls with the root of their number; of 8 seeds it is known within a factor of 2: chi-square of 7
 * degrees of freedom is below 7 / 4 or above 7 x 4 in 3 of 100 cases, of these seeds in none. */
static void scatter_of_seeds_falls_with_crystals(void **state)
{
    (void)state;
    static const char old[] =
        "vary:\n  terms: [128, 1024, 4096, 8192]\nreference: {solver: terms, terms: 8192}\n"
        "crystals: {count: 200,";
    sw_sweep_scatter of[2];
    for (int i = 0; i < 2; i++) {
        char new[128];
        snprintf(new, sizeof new,
                 "vary: {cost: {terms: [128]}}\nreference: {solver: rigid_plastic}\ncrystals: {count: %d,",
                 i ? 100 * 64 : 100);
        sw_sweep_result *r = run_well(old, new);
        of[i] = r->scatter;
        sw_sweep_result_free(r);
    }
    assert_true(of[0].error > 4 * of[1].error && of[0].error < 16 * of[1].error);
    assert_true(of[0].curve_error > 4 * of[1].curve_error && of[0].curve_error < 16 * of[1].curve_error);
}

/* Counts a factor of two apart may come in either order: a single term of a high rank can matter. */
static void error_falls_with_more_terms(void **state)
{
    (void)state;
    sw_sweep_result *r = run_well(NULL, NULL);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(r->row[i].solver, "terms");
        assert_true(r->row[i].fitted);
        assert_true(r->row[i].error > r->row[i + 1].error);
        assert_true(r->row[i].seconds_per_crystal_step > 0 && r->row[i].seconds > 0);
    }
    assert_true(r->row[0].value == 128 && r->row[3].value == 8192);
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = r->row[i].value;
        y[i] = r->row[i].error;
    }
    assert_true(r->error.slope < 0);
    CHECK_CLOSE(r->error.slope, sw_fit_power_law(3, x, y).slope, 1e-14);
    sw_sweep_result_free(r);
}

/* Rounding an orientation to a 64 times finer grid moves it 64 times less. */
static void error_falls_with_refinement(void **state)
{
    (void)state;
    sw_sweep_result *r = run_well("  terms: [128, 1024, 4096, 8192]", "  refinement: [1, 64]");
    assert_int_equal(r->n_rows, 2);
    assert_true(r->row[1].error < 0.2 * r->row[0].error);
    assert_string_equal(r->row[0].label, "refinement 1");
    sw_sweep_result_free(r);
}

static void databases_are_compared_by_their_grid(void **state)
{
    (void)state;
    sw_sweep_result *r = run_well("databases: [long.h5]\nvary:\n  terms: [128, 1024, 4096, 8192]\n"
                                  "reference: {solver: terms, terms: 8192}",
                                  "databases: [short.h5, long.h5]\nvary: {grid: {terms: 400}}\n"
                                  "reference: {solver: terms, terms: 400}");
    assert_int_equal(r->n_rows, 2);
    assert_true(r->row[0].value == 8 && r->row[1].value == 16);
    assert_string_equal(r->row[0].label, "8 x 8 x 8 x 12");
    assert_true(r->row[0].error > 0 && r->row[1].error == 0);
    assert_true(isnan(r->error.slope));
    assert_string_equal(r->reference, "terms, 400 terms, refinement 128, database 16 x 16 x 16 x 12");
    sw_sweep_result_free(r);
}

/* short.h5 stores fewer: what all of them say, as against themselves. */
static void a_small_database_gives_all_its_terms(void **state)
{
    (void)state;
    sw_database *database;
    char label[64];
    CHECK_OK(sw_database_read("short.h5", 0, &database));
    snprintf(label, sizeof label, "8 x 8 x 8 x 12, all %lld terms", (long long)sw_database_terms(database));
    assert_true(sw_database_terms(database) < 2000);
    sw_database_free(database);
    sw_sweep_result *r = run_well("databases: [long.h5]\nvary:\n  terms: [128, 1024, 4096, 8192]\n"
                                  "reference: {solver: terms, terms: 8192}",
                                  "databases: [short.h5, long.h5]\nvary: {grid: {terms: 2000}}\n"
                                  "reference: {solver: terms, database: short.h5}");
    assert_string_equal(r->row[0].label, label);
    assert_string_equal(r->row[1].label, "16 x 16 x 16 x 12");
    assert_true(r->row[0].error == 0 && r->row[1].error > 0);
    sw_sweep_result_free(r);
}

/* The iterative model converges in step size: a reference of finer steps is near, not equal. */
static void a_reference_may_take_finer_steps(void **state)
{
    (void)state;
    sw_sweep_result *r =
        run_well("vary:\n  terms: [128, 1024, 4096, 8192]\nreference: {solver: terms, terms: 8192}",
                 "vary: {cost: {terms: [128]}}\nreference: {solver: iterative, substeps: 40}");
    const sw_sweep_row *last = &r->row[r->n_rows - 1];
    assert_string_equal(last->solver, "iterative");
    assert_true(last->error > 0 && last->error < 2e-3);
    assert_string_equal(r->reference, "iterative, 40 substeps to a step");
    sw_sweep_result_free(r);
}

/* A table takes its own refinement, and the law itself none. */
static void any_solver_may_be_the_reference(void **state)
{
    (void)state;
    static const char *const solvers[] = {"grid", "rigid_plastic"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        char new[64];
        snprintf(new, sizeof new, "reference: {solver: %s}", solvers[i]);
        sw_sweep_result *r = run_well("reference: {solver: terms, terms: 8192}", new);
        assert_int_equal(strncmp(r->reference, solvers[i], strlen(solvers[i])), 0);
        assert_true(r->row[0].error > 0 && r->row[0].error < 0.5);
        sw_sweep_result_free(r);
    }
}

static void results_are_written(void **state)
{
    (void)state;
    hid_t file;
    char *text, labels[4][64];
    double column[4], slope;
    sw_sweep_result *r = run_well(NULL, NULL);
    CHECK_OK(sw_h5_open("sweep.h5", 0, &file));
    const struct {
        const char *name;
        size_t offset;
    } columns[] = {{"sweep/value", offsetof(sw_sweep_row, value)},
                   {"sweep/error", offsetof(sw_sweep_row, error)},
                   {"sweep/curve_error", offsetof(sw_sweep_row, curve_error)},
                   {"sweep/seconds_per_crystal_step", offsetof(sw_sweep_row, seconds_per_crystal_step)},
                   {"sweep/set_up", offsetof(sw_sweep_row, set_up)},
                   {"sweep/generation", offsetof(sw_sweep_row, generation)},
                   {"sweep/seconds", offsetof(sw_sweep_row, seconds)}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        CHECK_OK(sw_h5_read(file, columns[c].name, H5T_NATIVE_DOUBLE, 1, (int64_t[]){4}, column));
        for (int i = 0; i < 4; i++)
            assert_memory_equal(&column[i], (const char *)&r->row[i] + columns[c].offset, sizeof(double));
    }
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof labels[0]);
    CHECK_OK(sw_h5_read(file, "sweep/label", type, 1, (int64_t[]){4}, labels));
    assert_string_equal(labels[1], "1024 terms");
    CHECK_OK(sw_h5_read(file, "sweep/device", type, 1, (int64_t[]){4}, labels));
    H5Tclose(type);
    assert_string_equal(labels[1], r->row[1].device);
    double version;
    CHECK_OK(sw_h5_read_text(file, "format", &text));
    assert_string_equal(text, "slipwave-sweep");
    free(text);
    CHECK_OK(sw_h5_read_numbers(file, "version", 1, &version));
    assert_true(version == 1);
    hid_t set = H5Dopen2(file, "sweep/seconds", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(set, "unit", &text));
    assert_string_equal(text, "s");
    free(text);
    H5Dclose(set);
    hid_t group = H5Gopen2(file, "sweep", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_numbers(group, "slope", 1, &slope));
    assert_true(slope == r->error.slope);
    const struct {
        const char *name, *text;
    } texts[] = {{"vary", "terms"},
                 {"job", sweep_text},
                 {"program", "slipwave " SW_VERSION},
                 {"material", "OFHC copper (fcc)"},
                 {"reference", "terms, 8192 terms, refinement 128, database 16 x 16 x 16 x 12"}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        CHECK_OK(sw_h5_read_text(group, texts[i].name, &text));
        assert_string_equal(text, texts[i].text);
        free(text);
    }
    H5Gclose(group);
    H5Fclose(file);
    sw_sweep_result_free(r);
}

/* On a GPU, where there is one, what has a version for it. */
static void rows_tell_their_device(void **state)
{
    (void)state;
    static const char vary[] = "vary:\n  terms: [128, 1024, 4096, 8192]\n",
                      cost[] = "device: %s\nvary: {cost: {terms: [128]}}\n";
    const sw_device_choice choices[] = {SW_DEVICE_AUTO, SW_DEVICE_CPU};
    const int gpus = sw_gpu_describe(NULL, 0);
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        char new[128];
        snprintf(new, sizeof new, cost, sw_device_names[choices[i]]);
        sw_sweep_result *r = run_well(vary, new);
        const char *expected = gpus > 0 && choices[i] == SW_DEVICE_AUTO ? "cuda, " : "cpu, ";
        for (int64_t k = 0; k < r->n_rows; k++) {
            const char *device = sw_solver_find(r->row[k].solver)->on_gpu ? expected : "cpu, ";
            assert_int_equal(strncmp(r->row[k].device, device, strlen(device)), 0);
        }
        assert_string_equal(r->row[r->n_rows - 1].solver, "iterative");
        sw_sweep_result_free(r);
    }
}

static void cuda_needs_a_gpu(void **state)
{
    (void)state;
    sw_sweep_result *r;
    if (sw_gpu_describe(NULL, 0) > 0)
        skip();
    assert_int_equal(run_sweep("output:", "device: cuda\noutput:", &r), SW_ERR_INPUT);
    assert_int_equal(strncmp(sw_error_message(), "sweep.yaml:9: device = cuda: ", 29), 0);
}

static void options_replace_keys(void **state)
{
    (void)state;
    static const char *const options[][2] = {
        {"database", "short.h5"}, {"output", "other.h5"}, {"count", "7"}};
    sw_sweep_job *job;
    write_sweep("databases: [long.h5]", "databases: [absent.h5, too.h5]");
    CHECK_OK(sw_sweep_job_read(&(sw_arguments){"sweep.yaml", 3, options}, &job));
    assert_int_equal(job->databases_count, 1);
    assert_string_equal(job->databases[0], "short.h5");
    assert_string_equal(job->output.file, "other.h5");
    assert_int_equal(job->crystals.count, 7);
    assert_int_equal(job->crystals.seed, 3);
    assert_int_equal(job->reference.refinement, 128);
    sw_sweep_job_free(job);
}

/* ---- What is refused ---- */

static const struct {
    const char *old, *new;
    int line;
    const char *part[2];
} refused[] = {
    LINE("  terms: [128", "  trems: [128", 3, {"unknown key 'vary.trems'", "did you mean 'vary.terms'?"}),
    LINE("  terms: [128, 1024, 4096, 8192]", "  speed: [64]", 3,
         {"unknown key 'vary.speed'", "need one of terms, refinement, grid, cost"}),
    LINE("[128, 1024, 4096, 8192]", "[]", 3, {"vary.terms has 0 entries", "need at least 1"}),
    LINE("[128, 1024, 4096, 8192]", "[128, 0]", 3, {"vary.terms[1] = 0", "need terms >= 1"}),
    LINE("[128, 1024, 4096, 8192]", "[128, some]", 3, {"vary.terms[1] = some", "need a whole number"}),
    LINE("[128, 1024, 4096, 8192]", "[128, 99999]", 3,
         {"vary.terms[1] = 99999: need at most the", stored_terms}),
    LINE("  terms: [128, 1024, 4096, 8192]", "  refinement: [0]", 3,
         {"vary.refinement[0] = 0", "refinement <= 4096"}),
    LINE("  terms: [128, 1024, 4096, 8192]", "  cost: {terms: [1, 99999]}", 3,
         {"vary.cost.terms[1] = 99999", stored_terms}),
    LINE("  terms: [128, 1024, 4096, 8192]", "  grid: {terms: 99999}", 3,
         {"vary.grid.terms = 99999", stored_terms}),
    LINE("  terms: [128, 1024, 4096, 8192]", "  terms: [128]\n  refinement: [1]", 4,
         {"vary.refinement beside vary.terms", "need only one of them"}),
    LINE("vary:\n  terms: [128, 1024, 4096, 8192]", "vary: {}\n", 2,
         {"vary.terms is missing", "need terms, refinement, grid or cost"}),
    LINE("vary:\n  terms: [128, 1024, 4096, 8192]\n", "", 0, {"vary.terms is missing", NULL}),
    LINE("databases: [long.h5]", "databases: []", 1, {"databases has 0 entries", "need at least 1"}),
    LINE("[long.h5]", "[absent.h5]", 1, {"databases[0]: ", "absent.h5: No such file or directory"}),
    LINE("[long.h5]", "[sweep.yaml]", 1, {"databases[0]: ", "not an HDF5 file"}),
    LINE("[long.h5]", "[long.h5, short.h5]", 1, {"databases has 2 entries", "need 1 for vary.terms"}),
    LINE("databases: [long.h5]\nvary:\n  terms: [128, 1024, 4096, 8192]",
         "databases: [long.h5, hard.h5]\nvary: {grid: {terms: 128}}\n", 1,
         {"databases[1]: its hardening.saturation_resistance = 1.5e+08", "need 1.48e+08, as of long.h5"}),
    LINE("solver: terms,", "solver: exact,", 4,
         {"reference.solver = exact",
          "need one of terms, grid, tabulated, rigid_plastic, elastoplastic, iterative"}),
    LINE("solver: terms,", "", 4, {"reference.solver is missing", "need one of"}),
    LINE("terms: 8192}", "terms: 99999}", 4, {"reference.terms = 99999", stored_terms}),
    LINE("terms: 8192}", "database: absent.h5}", 4, {"reference.database: absent.h5", "No such file"}),
    LINE("terms: 8192}", "database: hard.h5}", 4, {"reference.database: its hardening", "as of long.h5"}),
    LINE("terms: 8192}", "substeps: 0}", 4, {"reference.substeps = 0", "need 1 <= substeps"}),
    LINE("solver: terms, terms: 8192", "solver: grid, terms: 8192", 4,
         {"reference.terms beside", "for terms"}),
    LINE("crystals: {count: 200,", "terms: 5\ncrystals: {count: 200,", 5, {"terms beside vary.terms", NULL}),
    LINE("count: 200", "count: 0", 5, {"crystals.count = 0", "need 1 <= count"}),
    LINE("count: 200, ", "", 5, {"crystals.count is missing", NULL}),
    LINE("seed: 3", "seed: -3", 5, {"crystals.seed = -3", "need seed >= 0"}),
    LINE("increment: 0.02", "increment: 0.2", 6,
         {"strain_increment = 0.2", "need 0 < strain_increment <= 0.1"}),
    LINE("[[0, 1, 0]", "[[1, 1, 0]", 8, {"loading[0].velocity_gradient has trace = 1", "need |trace|"}),
    LINE("duration: 0.1", "duration: -1", 8, {"loading[0].duration = -1", "need s, more than 0"}),
    LINE("output: {file: sweep.h5}\n", "", 0, {"output.file is missing", "with all of output"}),
    LINE("file: sweep.h5", "file: long.h5", 9, {"output.file = long.h5", "is the input databases[0]"}),
};

static void bad_sweeps_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char place[32];
        sw_sweep_result *result;
        unlink("sweep.h5");
        if (run_sweep(refused[i].old, refused[i].new, &result) != SW_ERR_INPUT)
            fail_msg("'%s' is not refused", refused[i].new);
        assert_null(result);
        if (refused[i].line > 0)
            snprintf(place, sizeof place, "sweep.yaml:%d: ", refused[i].line);
        else /* nothing of it is there */
            snprintf(place, sizeof place, "sweep.yaml: ");
        if (strncmp(sw_error_message(), place, strlen(place)) != 0)
            fail_msg("'%s': not at %s", sw_error_message(), place);
        for (int k = 0; k < 2; k++)
            if (refused[i].part[k] != NULL && strstr(sw_error_message(), refused[i].part[k]) == NULL)
                fail_msg("no '%s' in '%s'", refused[i].part[k], sw_error_message());
        assert_int_not_equal(access("sweep.h5", F_OK), 0);
    }
}

static void databases_of_the_command_line_are_named_so(void **state)
{
    (void)state;
    static const char *const options[][2] = {{"database", "absent.h5"}};
    sw_sweep_job *job;
    sw_sweep_result *result;
    write_sweep(NULL, NULL);
    CHECK_OK(sw_sweep_job_read(&(sw_arguments){"sweep.yaml", 1, options}, &job));
    assert_int_equal(sw_sweep_run(job, 1, &result), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "--database: absent.h5: No such file or directory");
    sw_sweep_job_free(job);
}

/* The last test: the process stays asked to stop. */
static void an_interrupted_sweep_writes_nothing(void **state)
{
    (void)state;
    sw_sweep_result *result;
    unlink("sweep.h5");
    sw_interrupt_install();
    raise(SIGTERM);
    assert_int_equal(run_sweep(NULL, NULL, &result), SW_ERR_INTERRUPTED);
    assert_null(result);
    assert_int_not_equal(access("sweep.h5", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_law_is_fitted_exactly),
        cmocka_unit_test(scatter_is_fitted_by_least_squares),
        cmocka_unit_test(one_point_has_no_slope),
        cmocka_unit_test(curves_follow_the_loading),
        cmocka_unit_test(errors_are_relative_l2_norms),
        cmocka_unit_test(the_reference_has_no_error_against_itself),
        cmocka_unit_test(everybody_is_in_a_cost_sweep),
        cmocka_unit_test(preparation_is_counted_once),
        cmocka_unit_test(orthorhombic_crystals_are_swept),
        cmocka_unit_test(scatter_of_seeds_falls_with_crystals),
        cmocka_unit_test(error_falls_with_more_terms),
        cmocka_unit_test(error_falls_with_refinement),
        cmocka_unit_test(databases_are_compared_by_their_grid),
        cmocka_unit_test(a_small_database_gives_all_its_terms),
        cmocka_unit_test(a_reference_may_take_finer_steps),
        cmocka_unit_test(any_solver_may_be_the_reference),
        cmocka_unit_test(results_are_written),
        cmocka_unit_test(rows_tell_their_device),
        cmocka_unit_test(cuda_needs_a_gpu),
        cmocka_unit_test(options_replace_keys),
        cmocka_unit_test(bad_sweeps_are_refused),
        cmocka_unit_test(databases_of_the_command_line_are_named_so),
        cmocka_unit_test(an_interrupted_sweep_writes_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
