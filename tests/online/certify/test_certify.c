/* Certified errors: measured on a small database, kept in it, and chosen by. */
#include "tests/crystals.h"
#include "tests/folder.h"

#include <signal.h>

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/math/tensor.h"
#include "offline/commands.h"
#include "online/certify/certify.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/step/crystals.h"
#include "online/response/solvers.h"

static sw_certificate measured; /* of small.h5 */

/* ---- Measured ---- */

static const sw_certified *find(const sw_certificate *c, const char *name)
{
    for (int64_t i = 0; i < c->n_rows; i++) {
        char text[64];
        sw_certified_describe(&c->row[i], text, sizeof text);
        if (strcmp(text, name) == 0)
            return &c->row[i];
    }
    fail_msg("no row '%s'", name);
    return NULL;
}

static void every_candidate_is_measured(void **state)
{
    (void)state;
    static const char *const names[] = {"iterative",
                                        "grid, nearest, refinement 1",
                                        "grid, nearest, refinement 2",
                                        "grid, nearest, refinement 4",
                                        "grid, linear, refinement 1",
                                        "grid, linear, refinement 2",
                                        "terms 512, refinement 128",
                                        "terms 2048, refinement 128",
                                        "terms 8192, refinement 128"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const sw_certified *row = find(&measured, names[i]);
        assert_true(row->seconds_per_crystal_step > 0);
        for (int64_t l = 0; l < measured.n_loadings; l++) {
            /* 0.5: no solver is so far off even from a database of 16 points a turn */
            assert_true(row->curve_error[l] >= 0 && row->curve_error[l] < 0.5);
            assert_true(row->tensor_error[l] >= 0 && row->tensor_error[l] < 0.5);
            assert_true((row->curve_error[l] == 0) == (i == 0));
        }
    }
    for (int64_t i = 0; i < measured.n_rows; i++)
        assert_true(measured.row[i].terms <= 8192); /* it does not store more of those that are tried */
    assert_int_equal(measured.points, 16);
    assert_true(sw_certified_error(&measured, find(&measured, names[6]), SW_CERTIFIED_CURVE) >
                sw_certified_error(&measured, find(&measured, names[8]), SW_CERTIFIED_CURVE));
}

enum { PLAIN = 3, LOADINGS = 5 }; /* of random crystals on one path, and all */

/* Elastic history finds the place at the corner of the yield surface that rigid plasticity leaves open. 0.01: five
 * times what 4,096 crystals have of it (docs/theory.md). */
static void elastoplastic_has_the_tensor(void **state)
{
    (void)state;
    const sw_certified *elastic = find(&measured, "elastoplastic"), *rigid = find(&measured, "rigid_plastic");
    assert_int_equal(measured.n_loadings, LOADINGS);
    for (int l = 0; l < LOADINGS; l++) {
        assert_int_equal(measured.loading[l].is_plain, l < PLAIN);
        assert_true(elastic->tensor_error[l] < rigid->tensor_error[l]);
        if (l < LOADINGS - 1) /* but for the change of path */
            assert_true(elastic->tensor_error[l] < 0.01);
    }
    assert_non_null(strstr(measured.loading[3].name, "sharp rolling texture"));
    assert_non_null(strstr(measured.loading[4].name, "after plane strain compression"));
    assert_true(sw_certificate_is_complete(&measured));
}

/* The deviatoric stress of a solver in simple shear to 0.3, after plane strain compression to 0.3: steps of
 * ||D|| dt = 0.02, the last ones shorter. Returns how many there are of shear. */
static int shear_after_compression(const char *solver, const sw_database *database, double (*stress)[3][3],
                                   double *dt)
{
    static const double path[2][3][3] = {{{1, 0, 0}, {0, 0, 0}, {0, 0, -1}}, {{0, 1, 0}}};
    sw_crystal crystal[64];
    sw_response *response;
    int count = 0;
    for (int i = 0; i < 64; i++)
        crystal[i] = sw_random_crystal(1, i, (float)database->material.slip.initial_slip_resistance);
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .database = database}, &response));
    sw_crystals c = crystals_of(response, 64, crystal, NULL);
    for (int leg = 0; leg < 2; leg++) {
        const double full = 0.02 / (leg == 0 ? sqrt(2) : sqrt(0.5)) / database->strain_rate;
        double rate[3][3], left = 0.3 / database->strain_rate;
        for (int k = 0; k < 9; k++)
            rate[k / 3][k % 3] = database->strain_rate * path[leg][k / 3][k % 3];
        for (count = 0; left > 1e-9 * full; left -= full, count++) {
            sw_response_average average;
            dt[count] = fmin(full, left);
            CHECK_OK(sw_response_step(response, (const double(*)[3])rate, dt[count], &c, &c, &average));
            sw_deviator(average.cauchy_stress, stress[count]);
        }
    }
    sw_crystals_release(&c);
    sw_response_close(response);
    return count;
}

/* From the end of its second step on, by trapezoids. Round-off and the order of sums aside: 1e-9. */
static void changed_path_counts_when_it_has_settled(void **state)
{
    (void)state;
    sw_database *database;
    double stress[32][3][3], model[32][3][3], dt[32], square[2] = {0}, curve[2] = {0};
    CHECK_OK(sw_database_read("small.h5", 0, &database));
    const int n = shear_after_compression("iterative", database, model, dt);
    assert_int_equal(n, 11); /* 0.3 sqrt(0.5) / 0.02 = 10.6 */
    assert_int_equal(shear_after_compression("rigid_plastic", database, stress, dt), n);
    sw_database_free(database);
    for (int i = 1; i < n; i++) {
        const double weight = 0.5 * ((i > 1 ? dt[i] : 0) + (i + 1 < n ? dt[i + 1] : 0));
        for (int k = 0; k < 9; k++) {
            square[0] += weight * pow(stress[i][k / 3][k % 3] - model[i][k / 3][k % 3], 2);
            square[1] += weight * pow(model[i][k / 3][k % 3], 2);
        }
        curve[0] += weight * pow(stress[i][0][1] - model[i][0][1], 2);
        curve[1] += weight * pow(model[i][0][1], 2);
    }
    const sw_certified *row = find(&measured, "rigid_plastic");
    CHECK_CLOSE(row->tensor_error[4], sqrt(square[0] / square[1]), 1e-9);
    CHECK_CLOSE(row->curve_error[4], sqrt(curve[0] / curve[1]), 1e-9);
}

/* Of the curve on plain loadings; of the tensor on all. */
static void largest_loading_certifies(void **state)
{
    (void)state;
    const sw_certificate c = {.n_loadings = 4, .loading = {{"", 1}, {"", 1}, {"", 0}, {"", 1}}};
    sw_certified row = {.curve_error = {0.1, 0.3, 0.4, 0.2, 0.5}, .tensor_error = {1, 2, 3, 2.5, 4}};
    assert_true(sw_certified_error(&c, &row, SW_CERTIFIED_CURVE) == 0.3);
    assert_true(sw_certified_error(&c, &row, SW_CERTIFIED_TENSOR) == 3);
    row.curve_error[2] = row.tensor_error[3] = NAN;
    assert_true(sw_certified_error(&c, &row, SW_CERTIFIED_CURVE) == 0.3);
    assert_true(isnan(sw_certified_error(&c, &row, SW_CERTIFIED_TENSOR)));
    row.curve_error[1] = NAN;
    assert_true(isnan(sw_certified_error(&c, &row, SW_CERTIFIED_CURVE)));
}

/* ---- Kept ---- */

/* The file's settings count pairs, as they always have; what is read of them counts terms. */
static void file_counts_pairs(const char *path, const sw_certificate *read)
{
    int64_t settings[SW_CERTIFY_ROWS][3], with_terms = 0;
    hid_t file;
    CHECK_OK(sw_h5_open(path, 0, &file));
    CHECK_OK(sw_h5_read(file, "accuracy/solvers/settings", H5T_NATIVE_INT64, 2, (int64_t[]){read->n_rows, 3},
                        settings));
    H5Fclose(file);
    for (int64_t i = 0; i < read->n_rows; i++) {
        assert_int_equal(2 * settings[i][0], read->row[i].terms);
        with_terms += settings[i][0] > 0;
    }
    assert_true(with_terms >= 3);
}

static void stored_certificate_is_read(void **state)
{
    (void)state;
    sw_certificate read;
    sw_database *before, *after;
    CHECK_OK(sw_database_read("small.h5", 0, &before));
    assert_int_equal(sw_certificate_read("small.h5", &read), SW_ERR_UNAVAILABLE);
    assert_non_null(strstr(sw_error_message(), "small.h5: has no certified errors: run `slipwave certify"));
    for (int pass = 0; pass < 2; pass++) { /* a second one replaces the first */
        sw_certificate c = measured;
        c.crystals = 16 + pass;
        c.n_rows -= pass;
        CHECK_OK(sw_certificate_store("small.h5", &c));
        CHECK_OK(sw_certificate_read("small.h5", &read));
        assert_int_equal(read.n_rows, c.n_rows);
        assert_int_equal(read.crystals, c.crystals);
        assert_int_equal(read.threads, c.threads);
        assert_int_equal(read.points, 16);
        assert_int_equal(read.n_loadings, LOADINGS);
        assert_memory_equal(read.loading, c.loading, sizeof c.loading);
        for (int64_t i = 0; i < c.n_rows; i++) {
            assert_string_equal(read.row[i].solver, c.row[i].solver);
            assert_int_equal(read.row[i].terms, c.row[i].terms);
            assert_int_equal(read.row[i].refinement, c.row[i].refinement);
            assert_int_equal(read.row[i].nearest, c.row[i].nearest);
            assert_memory_equal(read.row[i].curve_error, c.row[i].curve_error, sizeof c.row[i].curve_error);
            assert_memory_equal(read.row[i].tensor_error, c.row[i].tensor_error,
                                sizeof c.row[i].tensor_error);
            assert_true(read.row[i].seconds_per_crystal_step == c.row[i].seconds_per_crystal_step);
            assert_memory_equal(&read.row[i].set_up, &c.row[i].set_up, sizeof c.row[i].set_up);
            assert_true(c.row[i].set_up.open > 0 && c.row[i].set_up.rate >= 0);
        }
    }
    file_counts_pairs("small.h5", &read);
    CHECK_OK(sw_database_read("small.h5", 0, &after)); /* otherwise as it was */
    assert_int_equal(after->n_pairs, before->n_pairs);
    assert_memory_equal(after->coefficient, before->coefficient,
                        (size_t)before->n_pairs * sizeof *before->coefficient);
    sw_database_free(before);
    sw_database_free(after);
}

/* As it was written with three loadings, which had no names, and without set-up times. */
static void former_certificate_is_read(void **state)
{
    (void)state;
    static const char *const new_columns[] = {"loading_names", "loading_is_plain", "set_up"};
    sw_certificate c = measured, read;
    hid_t file;
    c.n_loadings = PLAIN;
    CHECK_OK(sw_certificate_store("small.h5", &c));
    CHECK_OK(sw_h5_open("small.h5", 1, &file));
    hid_t group = H5Gopen2(file, "accuracy/solvers", H5P_DEFAULT);
    for (int i = 0; i < 3; i++)
        assert_true(H5Ldelete(group, new_columns[i], H5P_DEFAULT) >= 0);
    H5Gclose(group);
    H5Fclose(file);
    CHECK_OK(sw_certificate_read("small.h5", &read));
    assert_int_equal(read.n_loadings, PLAIN);
    assert_int_equal(read.n_rows, measured.n_rows);
    assert_false(sw_certificate_is_complete(&read));
    for (int l = 0; l < PLAIN; l++)
        assert_string_equal(read.loading[l].name, measured.loading[l].name);
    for (int64_t i = 0; i < read.n_rows; i++) {
        const sw_certified *now = &read.row[i], *then = &measured.row[i];
        assert_true(now->set_up.open == 0 && now->set_up.rate == 0);
        assert_memory_equal(now->curve_error, then->curve_error, PLAIN * sizeof(double));
        assert_memory_equal(now->tensor_error, then->tensor_error, PLAIN * sizeof(double));
        assert_true(sw_certified_error(&read, now, SW_CERTIFIED_CURVE) ==
                    sw_certified_error(&measured, then, SW_CERTIFIED_CURVE));
    }
}

/* small.h5, which has a certificate, is open. */
typedef struct {
    const char *name;
    void (*damage)(hid_t group);
    sw_status status;
    const char *message;
} bad_certificate;

static void other_version(hid_t group)
{
    H5Adelete(group, "program");
    CHECK_OK(sw_h5_write_text(group, "program", "slipwave 0.0.1"));
}

static void no_errors(hid_t group) { assert_true(H5Ldelete(group, "curve_error", H5P_DEFAULT) >= 0); }

static void overwrite(hid_t group, const char *name, hid_t type, const void *value)
{
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    CHECK_OK(sw_h5_write_rows(set, type, 1, 1, value));
    CHECK_OK(sw_h5_close_set(set));
}

static void error_not_a_number(hid_t group)
{
    overwrite(group, "curve_error", H5T_NATIVE_DOUBLE, (double[LOADINGS]){0.1, NAN, 0.1});
}

static void negative_time(hid_t group)
{
    overwrite(group, "seconds_per_crystal_step", H5T_NATIVE_DOUBLE, &(double){-1});
}

static void negative_set_up(hid_t group)
{
    const int64_t shape[2] = {measured.n_rows, 2};
    double set_up[SW_CERTIFY_ROWS][2] = {{0, 0}, {0, -1}};
    assert_true(H5Ldelete(group, "set_up", H5P_DEFAULT) >= 0);
    CHECK_OK(sw_h5_write(group, "set_up", H5T_NATIVE_DOUBLE, 2, shape, set_up));
}

static void refinement_too_large(hid_t group)
{
    overwrite(group, "settings", H5T_NATIVE_INT64, (int64_t[3]){0, 5000, 0});
}

static void numbers_for_names(hid_t group)
{
    const int64_t n = LOADINGS;
    assert_true(H5Ldelete(group, "loading_names", H5P_DEFAULT) >= 0);
    CHECK_OK(sw_h5_write(group, "loading_names", H5T_NATIVE_INT64, 1, &n, (int64_t[LOADINGS]){0}));
}

static void too_many_loadings(hid_t group)
{
    const int64_t many = SW_CERTIFY_LOADINGS + 1;
    assert_true(H5Ldelete(group, "loading_names", H5P_DEFAULT) >= 0);
    CHECK_OK(sw_h5_write(group, "loading_names", H5T_NATIVE_INT64, 1, &many,
                         (int64_t[SW_CERTIFY_LOADINGS + 1]){0}));
}

static void kinds_of_loadings_missing(hid_t group)
{
    assert_true(H5Ldelete(group, "loading_is_plain", H5P_DEFAULT) >= 0);
}

static void names_of_loadings_missing(hid_t group)
{
    assert_true(H5Ldelete(group, "loading_names", H5P_DEFAULT) >= 0);
}

static void threads_beyond_whole_numbers(hid_t group)
{
    H5Adelete(group, "threads");
    CHECK_OK(sw_h5_write_numbers(group, "threads", 1, &(double){1e30}));
}

static const bad_certificate bad_certificates[] = {
    {"certificate of another version", other_version, SW_ERR_UNAVAILABLE, "certified by slipwave 0.0.1"},
    {"certificate without errors", no_errors, SW_ERR_FORMAT, "curve_error is missing"},
    {"error that is not a number", error_not_a_number, SW_ERR_FORMAT, "row 1, 'terms', is damaged"},
    {"negative time", negative_time, SW_ERR_FORMAT, "row 1, 'terms', is damaged"},
    {"negative set-up", negative_set_up, SW_ERR_FORMAT, "row 1, 'terms', is damaged"},
    {"numbers for names", numbers_for_names, SW_ERR_IO, "loading_names cannot be read"},
    {"too many loadings", too_many_loadings, SW_ERR_FORMAT, "has 9 loadings: need 1 to 8"},
    {"loadings of no kind", kinds_of_loadings_missing, SW_ERR_FORMAT, "loading_is_plain is missing"},
    {"five loadings without names", names_of_loadings_missing, SW_ERR_FORMAT, "curve_error has length 5"},
    {"threads beyond whole numbers", threads_beyond_whole_numbers, SW_ERR_FORMAT, "1e+30 threads: need"},
    {"refinement too large", refinement_too_large, SW_ERR_FORMAT, "row 1, 'terms', is damaged"},
};

enum { BAD_CERTIFICATES = sizeof bad_certificates / sizeof *bad_certificates };

static void bad_certificates_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < BAD_CERTIFICATES; i++) {
        const bad_certificate *c = &bad_certificates[i];
        sw_certificate read;
        hid_t file;
        CHECK_OK(sw_certificate_store("small.h5", &measured));
        CHECK_OK(sw_h5_open("small.h5", 1, &file));
        hid_t group = H5Gopen2(file, "accuracy/solvers", H5P_DEFAULT);
        c->damage(group);
        H5Gclose(group);
        H5Fclose(file);
        if (sw_certificate_read("small.h5", &read) != c->status ||
            strstr(sw_error_message(), c->message) == NULL)
            fail_msg("%s: '%s'", c->name, sw_error_message());
    }
    CHECK_OK(sw_certificate_store("small.h5", &measured));
    const char *const links[][2] = {{"grid", "no_grid"}, {"no_grid", "grid"}}; /* away and back */
    for (int back = 0; back < 2; back++) {
        sw_certificate read;
        hid_t file;
        CHECK_OK(sw_h5_open("small.h5", 1, &file));
        assert_true(H5Lmove(file, links[back][0], file, links[back][1], H5P_DEFAULT, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_int_equal(sw_certificate_read("small.h5", &read), back ? SW_OK : SW_ERR_FORMAT);
    }
    assert_int_equal(sw_certificate_store("absent.h5", &measured), SW_ERR_IO);
    assert_int_equal(access("absent.h5", F_OK), -1);
}

/* ---- Chosen by ---- */

/* For work that is not known, of crystals that each go their way. */
static sw_status choose(const sw_certificate *c, sw_certified_measure measure, double error, int gpu, int cpu,
                        sw_certified_choice *choice)
{
    return sw_certificate_choose(
        c, &(sw_certified_wish){.measure = measure, .error = error, .gpu = gpu, .cpu = cpu}, choice);
}

static sw_certificate crafted(void)
{
    return (sw_certificate){.points = 64,
                            .n_loadings = 3,
                            .loading = {{"a", 1}, {"b", 1}, {"c", 1}},
                            .n_rows = 6,
                            .row = {{"iterative", 0, 0, 0, {0, 0, 0}, {0, 0, 0}, 1e-6},
                                    {"grid", 0, 1, 1, {0.04, 0.05, 0.01}, {1, 1, 1}, 1e-8},
                                    {"grid", 0, 1, 0, {0.001, 0.01, 0.002}, {1, 1, 1}, 3e-8},
                                    {"grid", 0, 2, 1, {0.02, 0.02, 0.008}, {1, 1, 1}, 2e-8},
                                    {"terms", 512, 128, 0, {0.02, 0.001, 0.001}, {1, 1, 1}, 5e-9},
                                    {"rigid_plastic", 0, 0, 0, {0.0004, 0.0005, 0.0002}, {1, 1, 1}, 2e-6}}};
}

static void cheapest_that_meets_the_error_is_chosen(void **state)
{
    (void)state;
    const struct {
        double error;
        int gpu, cpu;
        int64_t row; /* -1: none */
        const char *why;
    } cases[] = {
        /* by seconds on the CPU */
        {0.5, 0, 1, 4,
         "terms 512, refinement 128: certified error 2 % <= 50 %, about 5e-09 s a crystal-step"},
        {0.02, 0, 1, 4, "<= 2 %"}, /* on the bound */
        {0.0199, 0, 1, 2,
         "grid, linear, refinement 1: certified error 1 % <= 1.99 %, about 3e-08 s a crystal-step"
         "; of the whole stress tensor up to 100 %; too far off: grid, nearest, refinement 2 (2 %); terms "
         "512, refinement 128 (2 %); "
         "grid, nearest, refinement 1 (5 %)"},
        {0.001, 0, 1, 5,
         "rigid_plastic: certified error 0.05 %"}, /* though the model is cheaper: it comes last */
        {0.0001, 0, 1, 0, "iterative: certified error 0 %"},
        /* by seconds on a GPU: the table is cheapest there, twice as fine at the same price */
        {0.5, 1, 1, 3, "about 1.5e-11 s a crystal-step"},
        {0.02, 1, 1, 3, "about 1.5e-11 s a crystal-step"},
        {0.01, 1, 1, 2,
         "about 1.9e-11 s a crystal-step; of the whole stress tensor up to 100 %; too far off: grid, "
         "nearest, "
         "refinement 2 (2 %); "
         "grid, nearest, refinement 1 (5 %)"},
        {0.0001, 1, 1, 0, "about 1e-06 s a crystal-step"}, /* the model, on the CPU */
        {0.001, 1, 0, 5, "about 2.4e-10 s a crystal-step"},
        {0.0001, 1, 0, -1, "no certified solver meets 0.01 %: the best, rigid_plastic, has 0.05 %"},
    };
    const sw_certificate c = crafted();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_certified_choice choice;
        const sw_status status =
            choose(&c, SW_CERTIFIED_CURVE, cases[i].error, cases[i].gpu, cases[i].cpu, &choice);
        assert_int_equal(status, cases[i].row < 0 ? SW_ERR_RANGE : SW_OK);
        const char *text = cases[i].row < 0 ? sw_error_message() : choice.why;
        if (cases[i].row >= 0)
            assert_int_equal(choice.row - c.row, cases[i].row);
        if (strstr(text, cases[i].why) == NULL)
            fail_msg("error %g: no '%s' in '%s'", cases[i].error, cases[i].why, text);
    }
}

/* What elastoplastic is for. Its error in the sharp texture and after the change counts; the curves' does not. */
static void error_of_the_tensor_asks_for_elastic_strains(void **state)
{
    (void)state;
    static const struct {
        sw_certified_measure measure;
        double error;
        int64_t row, loadings;
        const char *why;
    } cases[] = {
        {SW_CERTIFIED_CURVE, 0.01, 1, 5,
         "rigid_plastic: certified error 0.4 % <= 1 %, about 1e-08 s a crystal-step; of the whole stress "
         "tensor "
         "up to 10 %"},
        {SW_CERTIFIED_TENSOR, 0.02, 2, 5,
         "elastoplastic: certified error of the whole stress tensor 1.5 % <= 2 %, about 2e-07 s a "
         "crystal-step; of the curve up to 0.1 %; too far off: rigid_plastic (10 %)"},
        {SW_CERTIFIED_TENSOR, 0.01, 0, 5, "iterative: certified error of the whole stress tensor 0 %"},
        {SW_CERTIFIED_TENSOR, 0.01, 2, 3, "elastoplastic: certified error of the whole stress tensor 0.2 %"},
        {SW_CERTIFIED_TENSOR, 0.04, 1, 3, "rigid_plastic: certified error of the whole stress tensor 3.5 %"},
        {SW_CERTIFIED_TENSOR, 0.5, 1, 5, "rigid_plastic"},
    };
    sw_certificate c = {
        .points = 64,
        .loading = {{"a", 1}, {"b", 1}, {"c", 1}, {"sharp", 0}, {"path", 0}},
        .n_rows = 3,
        .row = {{"iterative", 0, 0, 0, {0}, {0}, 1e-9},
                {"rigid_plastic", 0, 0, 0, {.002, .004, .002, .02, .1}, {.01, .035, .004, .03, .1}, 1e-8},
                {"elastoplastic", 0, 0, 0, {0, .001, .001, .02, .02}, {.002, .002, .002, .001, .015}, 2e-7}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_certified_choice choice;
        c.n_loadings = cases[i].loadings;
        CHECK_OK(choose(&c, cases[i].measure, cases[i].error, 0, 1, &choice));
        if (choice.row != &c.row[cases[i].row] || strstr(choice.why, cases[i].why) == NULL)
            fail_msg("case %zu: no '%s' in '%s'", i, cases[i].why, choice.why);
    }
    c.row[0] = c.row[2]; /* without the model */
    c.n_rows = 2;
    sw_certified_choice choice;
    assert_int_equal(choose(&c, SW_CERTIFIED_TENSOR, 0.01, 0, 1, &choice), SW_ERR_RANGE);
    assert_message_has("meets 1 % of the whole stress tensor: the best, elastoplastic, has 1.5 %");
}

/* Seconds by hand: 0.1 + 0.02 a rate + 1e-8 a crystal-step, 0.03 a rate + 2e-8, and 1e-7 without a set-up, ten trials a step each. */
static void set_up_counts_where_there_is_little_to_do(void **state)
{
    (void)state;
    static const struct {
        sw_certified_work work; /* crystals, steps, rates, sought */
        const sw_homogenization *homogenization;
        int64_t row;
        const char *why;
    } cases[] = {
        {{0, 50, 1, 0},
         NULL,
         0,
         "grid, linear, refinement 1: certified error 1 % <= 50 %, about 1e-08 s a crystal-step;"},
        {{2e3, 50, 1, 0}, NULL, 2, "about 1e-07 s a crystal-step, 0.01 s in all;"},
        {{2e4, 50, 1, 0}, NULL, 1, "about 2e-08 s a crystal-step, 0.05 s in all;"},
        {{4e5, 50, 1, 0}, NULL, 0, "about 1e-08 s a crystal-step, 0.32 s in all;"},
        {{4e5, 50, 40, 0}, NULL, 0, "1.1 s in all;"},
        {{4e5, 50, 0, 50}, NULL, 0, "12 s in all;"}, /* 0.1 + 500 x 0.02 + 2e8 x 1e-8 */
        {{4e3, 50, 0, 50}, NULL, 2, "0.2 s in all;"},
        {{4e5, 50, 1, 0}, &sw_homogenization_alamel, 2, "rigid_plastic: "}, /* which alone it goes with */
    };
    const sw_certificate c = {.points = 64,
                              .n_loadings = 1,
                              .loading = {{"a", 1}},
                              .n_rows = 3,
                              .row = {{"grid", 0, 1, 0, {0.01}, {1}, 1e-8, {0.1, 0.02}},
                                      {"tabulated", 0, 1, 0, {0.01}, {1}, 2e-8, {0, 0.03}},
                                      {"rigid_plastic", 0, 0, 0, {0.001}, {1}, 1e-7, {0, 0}}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_certified_choice choice;
        CHECK_OK(sw_certificate_choose(
            &c,
            &(sw_certified_wish){
                .error = 0.5, .cpu = 1, .work = cases[i].work, .homogenization = cases[i].homogenization},
            &choice));
        if (choice.row != &c.row[cases[i].row] || strstr(choice.why, cases[i].why) == NULL)
            fail_msg("case %zu: no '%s' in '%s'", i, cases[i].why, choice.why);
    }
}

/* Neither a series nor nearest entries under given stresses; with elastic strains two trials a step where others take ten. */
static void given_stresses_want_stresses_that_do_not_jump(void **state)
{
    (void)state;
    const sw_certificate c = {.points = 64,
                              .n_loadings = 1,
                              .loading = {{"a", 1}},
                              .n_rows = 4,
                              .row = {{"terms", 512, 128, 0, {0.01}, {1}, 1e-9},
                                      {"grid", 0, 1, 1, {0.01}, {1}, 2e-9},
                                      {"rigid_plastic", 0, 0, 0, {0.01}, {1}, 1e-8},
                                      {"elastoplastic", 0, 0, 0, {0.01}, {1}, 4e-8}}};
    sw_certified_wish wish = {.error = 0.5, .cpu = 1, .work = {1000, 10, 0, 10}};
    sw_certified_choice choice;
    CHECK_OK(sw_certificate_choose(&c, &wish, &choice));
    assert_ptr_equal(choice.row, &c.row[3]);
    wish.work.sought = 1;
    CHECK_OK(sw_certificate_choose(&c, &wish, &choice));
    assert_ptr_equal(choice.row, &c.row[2]);
    wish.work.sought = 0;
    CHECK_OK(sw_certificate_choose(&c, &wish, &choice));
    assert_ptr_equal(choice.row, &c.row[0]);
}

/* Crystals of 8 bytes are of tables alone: what else is cheaper is not chosen, nor named as the best. */
static void crystals_of_8_bytes_want_a_table(void **state)
{
    (void)state;
    sw_certificate c = crafted();
    sw_certified_wish wish = {.error = 0.03, .cpu = 1};
    sw_certified_choice choice;
    CHECK_OK(sw_certificate_choose(&c, &wish, &choice));
    assert_string_equal(choice.row->solver, "terms");
    wish.packed = 1;
    CHECK_OK(sw_certificate_choose(&c, &wish, &choice));
    assert_ptr_equal(choice.row, &c.row[3]);
    wish.error = 1e-3;
    assert_int_equal(sw_certificate_choose(&c, &wish, &choice), SW_ERR_RANGE);
    assert_message_has("no certified solver that has crystals of 8 bytes (storage = compact) meets 0.1 %");
    assert_message_has("the best, grid, linear, refinement 1, has 1 %");
    c.n_rows = 1;
    assert_int_equal(sw_certificate_choose(&c, &wish, &choice), SW_ERR_RANGE);
    assert_message_has("none of the certified solvers has crystals of 8 bytes");
}

/* The model aside, which has no cost on a GPU: a table by its size, a series by its terms. */
static void cost_on_a_gpu_grows_with_the_work(void **state)
{
    (void)state;
    static const struct {
        sw_certified row;
        int64_t points;
        const char *why;
    } cases[] = {
        {{.solver = "grid", .refinement = 4, .nearest = 1}, 64, "about 1.5e-11 s"},
        {{.solver = "grid", .refinement = 4, .nearest = 1}, 128, "about 2.2e-11 s"},
        {{.solver = "grid", .refinement = 1}, 64, "about 1.9e-11 s"},
        {{.solver = "grid", .refinement = 2}, 64, "about 2.7e-11 s"},
        {{.solver = "grid", .refinement = 1}, 128, "about 2.7e-11 s"},
        {{.solver = "grid", .refinement = 4096}, 8192, "about 3.3e-11 s"},
        {{.solver = "terms", .refinement = 128, .terms = 4000}, 64, "about 2.3e-10 s"}, /* 5e-11 + 1.84e-10 */
        {{.solver = "terms", .refinement = 128, .terms = 20000}, 64, "about 9.7e-10 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sw_certificate c = {.points = cases[i].points, .n_rows = 1, .row = {cases[i].row}};
        sw_certified_choice choice;
        CHECK_OK(choose(&c, SW_CERTIFIED_CURVE, 0.5, 1, 0, &choice));
        assert_true(choice.on_gpu);
        if (strstr(choice.why, cases[i].why) == NULL)
            fail_msg("case %zu: no '%s' in '%s'", i, cases[i].why, choice.why);
    }
}

static void none_runs_on_the_device(void **state)
{
    (void)state;
    const sw_certificate c = {.n_rows = 1, .row = {{.solver = "iterative"}}};
    sw_certified_choice choice;
    assert_int_equal(choose(&c, SW_CERTIFIED_CURVE, 0.5, 1, 0, &choice), SW_ERR_RANGE);
}

/* Every solver that can be chosen has a cost on a GPU, if it runs there. */
static void every_candidate_has_a_cost(void **state)
{
    (void)state;
    for (int64_t i = 0; i < measured.n_rows; i++) {
        const sw_certificate c = {.n_rows = 1, .row = {measured.row[i]}};
        sw_certified_choice choice;
        CHECK_OK(choose(&c, SW_CERTIFIED_CURVE, 0.5, 1, 1, &choice));
        assert_int_equal(choice.on_gpu, sw_solver_find(c.row[0].solver)->on_gpu);
    }
}

static int set_up(void **state)
{
    char material[PATH_MAX];
    if (find_data("materials/copper-ofhc.yaml", material) || make_folder(state))
        return 1;
    const sw_generate_options options = {
        .material = material, .output = "small.h5", .shape = {16, 16, 16, 12}, .quiet = 1};
    return sw_generate(&options) != SW_OK || sw_certify("small.h5", 64, 1, &measured) != SW_OK;
}

static int tear_down(void **state) { return unlink("small.h5") | remove_folder(state); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_candidate_is_measured),
        cmocka_unit_test(elastoplastic_has_the_tensor),
        cmocka_unit_test(changed_path_counts_when_it_has_settled),
        cmocka_unit_test(largest_loading_certifies),
        cmocka_unit_test(stored_certificate_is_read),
        cmocka_unit_test(former_certificate_is_read),
        cmocka_unit_test(bad_certificates_are_refused),
        cmocka_unit_test(cheapest_that_meets_the_error_is_chosen),
        cmocka_unit_test(error_of_the_tensor_asks_for_elastic_strains),
        cmocka_unit_test(set_up_counts_where_there_is_little_to_do),
        cmocka_unit_test(given_stresses_want_stresses_that_do_not_jump),
        cmocka_unit_test(crystals_of_8_bytes_want_a_table),
        cmocka_unit_test(cost_on_a_gpu_grows_with_the_work),
        cmocka_unit_test(none_runs_on_the_device),
        cmocka_unit_test(every_candidate_has_a_cost),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
