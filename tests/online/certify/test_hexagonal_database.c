/* Databases of hexagonal crystals whose families of slip systems stay in fixed ratios: made, looked up by `grid` and `terms`,
 * certified and swept; and what no database is made of. */
#include "tests/crystals.h"
#include "tests/folder.h"

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/tensor.h"
#include "offline/commands.h"
#include "online/certify/certify.h"
#include "online/sweep/sweep.h"

enum { POINTS = 24, CRYSTALS = 200, STEPS = 15 };

#define TITANIUM                                                                        \
    "name: titanium\ncrystal_structure: hexagonal\nc_over_a: 1.587\n"                   \
    "elasticity: {C11: 162.4e9, C33: 180.7e9, C44: 46.7e9, C12: 92.0e9, C13: 69.0e9}\n" \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"     \
    "    - {family: basal, initial_slip_resistance: 150.0e6" REST "}\n"                 \
    "    - {family: prismatic, initial_slip_resistance: 100.0e6" REST "}\n"             \
    "    - {family: pyramidal_ca, initial_slip_resistance: 300.0e6" REST "}\n"
#define VOCE \
    "hardening: {law: voce, initial_hardening_rate: 0.4e9, saturation_resistance: 420.0e6, exponent: 2}\n"
#define REST ""
static const char in_ratios[] =
    TITANIUM "    - {family: tension_twin, initial_slip_resistance: 200.0e6}\n" VOCE;
#undef REST
#define REST ", initial_hardening_rate: 0.4e9, saturation_resistance: 600.0e6, exponent: 2"
static const char by_systems[] = TITANIUM "hardening: {law: phenopowerlaw}\n";

static int set_up(void **state)
{
    if (make_folder(state))
        return 1;
    write_text("titanium.yaml", in_ratios);
    write_text("systems.yaml", by_systems);
    const sw_generate_options options[] = {
        {.material = "titanium.yaml", .output = "fine.h5", .shape = {24, 24, 24, 24}, .quiet = 1},
        {.material = "titanium.yaml", .output = "coarse.h5", .shape = {12, 12, 12, 12}, .quiet = 1}};
    return sw_generate(&options[0]) != SW_OK || sw_generate(&options[1]) != SW_OK;
}

static int tear_down(void **state)
{
    static const char *const files[] = {"titanium.yaml", "systems.yaml", "fine.h5", "coarse.h5",
                                        "sectors.h5",    "sweep.yaml",   "sweep.h5"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    return remove_folder(state);
}

static sw_database *open_database(const char *path)
{
    sw_database *database;
    CHECK_OK(sw_database_read(path, 0, &database));
    return database;
}

static sw_response *open_solver(const char *solver, const sw_database *database)
{
    const sw_response_options options = {.solver = solver, .database = database};
    sw_response *response;
    CHECK_OK(sw_response_open(&options, &response));
    return response;
}

/* g c for every c of 622 has the answers of g, but for the rounding of angles, of 3e-7 each, times what a step of the table or of the
 * series' refined grid makes of it: a neighbouring entry at worst, so that `grid`, which interpolates, is compared. */
static void lookups_have_the_group(void **state)
{
    (void)state;
    enum { ORDER = 12 };
    const double d[3][3] = {{8e-4, 3e-4, 0}, {3e-4, -2e-4, 1e-4}, {0, 1e-4, -6e-4}},
                 euler[3] = {0.7, 1.1, 0.4};
    sw_database *database = open_database("fine.h5");
    sw_response *response = open_solver("grid", database);
    sw_crystal crystal[ORDER];
    float stress[ORDER][6], spin[ORDER][3], rate[ORDER];
    double g[3][3], c[3][3], gc[3][3], e[3];
    sw_rotation_from_euler(euler, g);
    for (int r = 0; r < ORDER; r++) {
        sw_point_group_matrix(&sw_point_group_622, r, c);
        sw_multiply(g, c, gc);
        sw_euler_from_rotation(gc, e);
        crystal[r] = (sw_crystal){{(float)e[0], (float)e[1], (float)e[2]}, 150e6F};
    }
    CHECK_OK(sw_response_evaluate(response, d, ORDER, crystal, stress, spin, rate));
    assert_true(fabs(stress[0][0]) > 50e6);
    for (int r = 1; r < ORDER; r++) {
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(stress[r][k], stress[0][k], 1e-4 * 500e6);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(spin[r][k], spin[0][k], 1e-4 * 1e-3);
        CHECK_CLOSE(rate[r] / rate[0], 1, 1e-4);
    }
    sw_response_close(response);
    sw_database_free(database);
}

/* Deviatoric stress of plane strain compression to 0.3; the first two steps, elastic for the model, do not count. */
static double curve_error(const char *solver, const sw_database *database, double reference[STEPS][6],
                          int is_reference)
{
    const double l[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
    sw_response *response = open_solver(solver, database);
    sw_crystal crystal[CRYSTALS];
    double difference = 0, size = 0;
    for (int i = 0; i < CRYSTALS; i++) {
        double e[3];
        sw_random_orientation(4, (uint64_t)i, e);
        crystal[i] = (sw_crystal){{(float)e[0], (float)e[1], (float)e[2]},
                                  (float)sw_database_material(database)->slip.initial_slip_resistance};
    }
    sw_crystals c = crystals_of(response, CRYSTALS, crystal, NULL);
    for (int k = 0; k < STEPS; k++) {
        sw_response_average a;
        CHECK_OK(sw_response_step(response, l, 20, &c, &c, &a));
        const double mean = (a.cauchy_stress[0][0] + a.cauchy_stress[1][1] + a.cauchy_stress[2][2]) / 3;
        for (int i = 0; i < 6; i++) {
            const double s = a.cauchy_stress[(int[]){0, 1, 2, 1, 0, 0}[i]][(int[]){0, 1, 2, 2, 2, 1}[i]] -
                             (i < 3 ? mean : 0);
            if (is_reference)
                reference[k][i] = s;
            if (k < 2)
                continue;
            difference += (i < 3 ? 1 : 2) * (s - reference[k][i]) * (s - reference[k][i]);
            size += (i < 3 ? 1 : 2) * reference[k][i] * reference[k][i];
        }
    }
    sw_crystals_release(&c);
    sw_response_close(response);
    return sqrt(difference / size);
}

/* Measured: grid 2.4 %, of half as many points 3.8 %; terms 2.4 %; elastoplastic 0.16 %. */
static void polycrystals_are_as_iterated(void **state)
{
    (void)state;
    sw_database *fine = open_database("fine.h5"), *coarse = open_database("coarse.h5");
    double reference[STEPS][6];
    assert_true(curve_error("iterative", fine, reference, 1) == 0);
    const double grid = curve_error("grid", fine, reference, 0),
                 terms = curve_error("terms", fine, reference, 0),
                 fewer = curve_error("grid", coarse, reference, 0),
                 direct = curve_error("elastoplastic", fine, reference, 0);
    CHECK_CLOSE(grid, 0, 0.03);
    CHECK_CLOSE(terms, 0, 0.04);
    CHECK_CLOSE(direct, 0, 0.005);
    assert_true(fewer > grid);
    sw_database_free(fine);
    sw_database_free(coarse);
}

/* Of the sharp sheet and a change of path, too. */
static void databases_are_certified(void **state)
{
    (void)state;
    sw_certificate certificate;
    int tables = 0;
    CHECK_OK(sw_certify("fine.h5", 64, 1, &certificate));
    assert_int_equal(certificate.points, POINTS);
    assert_true(certificate.n_rows > 6);
    for (int64_t i = 0; i < certificate.n_rows; i++) {
        const sw_certified *row = &certificate.row[i];
        for (int64_t l = 0; l < certificate.n_loadings; l++) {
            CHECK_CLOSE(row->tensor_error[l], 0, 0.3);
            assert_true((row->tensor_error[l] == 0) == (strcmp(row->solver, "iterative") == 0));
            if (strcmp(row->solver, "elastoplastic") == 0)
                CHECK_CLOSE(row->tensor_error[l], 0, 0.03);
        }
        tables += strcmp(row->solver, "grid") == 0;
    }
    assert_int_equal(tables, 5);
}

static void databases_are_swept(void **state)
{
    (void)state;
    sw_sweep_job *job;
    sw_sweep_result *result;
    write_text("sweep.yaml",
               "databases: [fine.h5]\n"
               "vary: {terms: [32, 8192]}\n"
               "reference: {solver: iterative}\n"
               "crystals: {count: 100, seed: 3}\n"
               "loading:\n"
               "  - {velocity_gradient: [[0, 1.0e-3, 0], [0, 0, 0], [0, 0, 0]], duration: 200}\n"
               "output: {file: sweep.h5}\n");
    CHECK_OK(sw_sweep_job_read(&(sw_arguments){.file = "sweep.yaml"}, &job));
    CHECK_OK(sw_sweep_run(job, 1, &result));
    assert_int_equal(result->n_rows, 2 + 5 + 3); /* grid, and what solves; `tabulated` takes no families */
    for (int64_t i = 0; i < result->n_rows; i++)
        assert_string_not_equal(result->row[i].solver, "tabulated");
    assert_true(result->row[0].value == 32 && result->row[1].value == 8192);
    assert_true(result->row[1].error > 0 && result->row[1].error < 0.5 * result->row[0].error);
    CHECK_CLOSE(result->row[1].error, 0, 0.15);
    CHECK_OK(sw_sweep_write(job, result));
    sw_sweep_result_free(result);
    sw_sweep_job_free(job);
}

/* ---- Sectors ---- */

/* Without a number for phi2 there are 32 a sector; and a number that does not close under 60 degrees is refused by name. */
static void phi2_is_counted_by_sector(void **state)
{
    (void)state;
    sw_generate_options options = {
        .material = "titanium.yaml", .output = "sectors.h5", .shape = {4, 4, 0, 4}, .terms = 64, .quiet = 1};
    CHECK_OK(sw_generate(&options));
    sw_database *database = open_database("sectors.h5");
    assert_int_equal(database->shape[2], 192);
    for (int64_t t = 0; t < database->n_pairs; t++)
        assert_int_equal(database->wavevector[t][2] % 6, 0);
    sw_database_free(database);
    unlink("sectors.h5");
    options.shape[2] = 128;
    assert_int_equal(sw_generate(&options), SW_ERR_RANGE);
    assert_message_has(
        "grid: 128 points for phi2: need 4 to 8192 and a multiple of 6, by hexagonal symmetry");
    assert_int_equal(access("sectors.h5", F_OK), -1);
}

/* ---- What no database is of ---- */

static void other_resistances_are_refused(void **state)
{
    (void)state;
    static const char says[] = "slip.families have resistances of their own: a database has one";
    const sw_generate_options options = {
        .material = "systems.yaml", .output = "sectors.h5", .shape = {12, 12, 12, 12}, .quiet = 1};
    sw_database *database = open_database("coarse.h5");
    sw_material material;
    sw_response *response;
    assert_int_equal(sw_generate(&options), SW_ERR_UNAVAILABLE);
    assert_message_has("systems.yaml: by the hardening.law of titanium");
    assert_message_has(says);
    assert_int_equal(access("sectors.h5", F_OK), -1);
    CHECK_OK(sw_material_parse("test", by_systems, &material));
    for (int k = 0; k < 2; k++) {
        const char *solver = k == 0 ? "grid" : "terms";
        const sw_response_options given = {.solver = solver, .database = database, .material = &material};
        assert_int_equal(sw_response_open(&given, &response), SW_ERR_UNAVAILABLE);
        assert_message_has(solver);
        assert_message_has(says);
    }
    sw_database_free(database);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_have_the_group),    cmocka_unit_test(polycrystals_are_as_iterated),
        cmocka_unit_test(databases_are_certified),   cmocka_unit_test(databases_are_swept),
        cmocka_unit_test(phi2_is_counted_by_sector), cmocka_unit_test(other_resistances_are_refused),
    };
    return cmocka_run_group_tests_name("hexagonal databases", tests, set_up, tear_down);
}
