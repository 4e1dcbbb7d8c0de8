#include "tests/folder.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "offline/commands.h"

static char material_path[PATH_MAX];

/* A database small enough to write by hand. */
enum { PAIRS = 6 };
static sw_database example;
static int16_t wavevector[PAIRS][4];
static float coefficient[PAIRS][SW_OUTPUTS][2], weight[PAIRS], magnitude[PAIRS];

static int fill_example(void **state)
{
    (void)state;
    static const int16_t k[PAIRS][4] = {{0, 0, 0, 0}, {1, -2, 4, 3}, {-4, 2, 0, 6},
                                        {0, 0, 0, 1}, {2, 2, -4, 0}, {4, 4, 4, 6}};
    memcpy(wavevector, k, sizeof k);
    for (int t = 0; t < PAIRS; t++) {
        weight[t] = t == 0 || t == 5 ? 1 : 2;
        magnitude[t] = 1.0F / (float)(t + 3);
        for (int c = 0; c < SW_OUTPUTS; c++) {
            coefficient[t][c][0] = 1.0F / (float)(7 * t + c + 1);
            coefficient[t][c][1] = t == 0 ? -0.0F : -1e-39F * (float)(c + t); /* subnormal */
        }
    }
    example.shape[0] = example.shape[1] = example.shape[2] = 8;
    example.shape[3] = 12;
    example.strain_increment = 0.02;
    example.strain_rate = 1e-3;
    example.initial_slip_resistance = 16e6 + 1.0 / 3;
    example.generation_seconds = 3.5;
    example.n_pairs = PAIRS;
    example.wavevector = wavevector;
    example.coefficient = coefficient;
    example.weight = weight;
    example.magnitude = magnitude;
    for (int c = 0; c < SW_OUTPUTS; c++)
        example.captured_variance[c] = 1 - 0.01 * c;
    return 0;
}

static int count_files(void)
{
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(here);
    return count;
}

static sw_database *read_well(const char *path, int64_t terms_max)
{
    sw_database *database;
    CHECK_OK(sw_database_read(path, terms_max, &database));
    assert_non_null(database);
    return database;
}

static void assert_same_pairs(const sw_database *a, const sw_database *b, size_t n)
{
    assert_memory_equal(a->wavevector, b->wavevector, n * sizeof *a->wavevector);
    assert_memory_equal(a->coefficient, b->coefficient, n * sizeof *a->coefficient);
    assert_memory_equal(a->weight, b->weight, n * sizeof *a->weight);
    assert_memory_equal(a->magnitude, b->magnitude, n * sizeof *a->magnitude);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_int_equal(count_files(), 1);
    sw_database *back = read_well("db.h5", 0);
    assert_memory_equal(back->shape, example.shape, sizeof example.shape);
    assert_true(back->strain_increment == example.strain_increment);
    assert_true(back->strain_rate == example.strain_rate);
    assert_true(back->initial_slip_resistance == example.initial_slip_resistance);
    assert_true(back->generation_seconds == example.generation_seconds && back->generation_seconds == 3.5);
    assert_string_equal(back->material_text, example.material_text);
    assert_string_equal(back->material.name, "OFHC copper");
    assert_true(back->material.elasticity.c44 == 75.0e9);
    assert_int_equal(back->n_pairs, PAIRS);
    assert_same_pairs(back, &example, PAIRS);
    assert_memory_equal(back->captured_variance, example.captured_variance, sizeof example.captured_variance);
    sw_database_free(back);
    sw_database_free(NULL); /* harmless */
}

/* A pair is two terms, an odd number takes the pair of its last one, none stays none. */
static void terms_are_counted_in_pairs(void **state)
{
    (void)state;
    static const struct {
        int64_t terms, pairs;
    } cases[] = {{0, 0},      {1, 1},       {2, 1},
                 {3, 2},      {1023, 512},  {1024, 512},
                 {1025, 513}, {8192, 4096}, {INT64_MAX, INT64_C(1) << 62}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sw_pairs_of_terms(cases[i].terms), cases[i].pairs);
    assert_int_equal(sw_terms_of_pairs(512), 1024);
    assert_int_equal(sw_terms_of_pairs(0), 0);
}

static void first_terms_can_be_read_alone(void **state)
{
    (void)state;
    CHECK_OK(sw_database_write("db.h5", &example));
    for (int64_t n = 1; n <= 2 * PAIRS; n++) {
        const int64_t pairs = n % 2 == 0 ? n / 2 : (n + 1) / 2;
        sw_database *some = read_well("db.h5", n);
        assert_int_equal(some->n_pairs, pairs);
        assert_int_equal(sw_database_terms(some), 2 * pairs);
        assert_same_pairs(some, &example, (size_t)pairs);
        sw_database_free(some);
    }
    sw_database *none = &example;
    assert_int_equal(sw_database_read("db.h5", 2 * PAIRS + 1, &none), SW_ERR_RANGE);
    assert_null(none);
    assert_message_has("terms = 13: db.h5 stores 12");
}

static void rewriting_replaces_the_older(void **state)
{
    (void)state;
    CHECK_OK(sw_database_write("db.h5", &example));
    example.n_pairs = 2;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_int_equal(count_files(), 1);
    sw_database *back = read_well("db.h5", 0);
    assert_int_equal(back->n_pairs, 2);
    sw_database_free(back);
}

/* ---- What the reader refuses ---- */

static void assert_refused(const char *part)
{
    sw_database *database = &example;
    const sw_status status = sw_database_read("db.h5", 0, &database);
    if (status != SW_ERR_FORMAT)
        fail_msg("status %d for a database with %s", status, part);
    assert_null(database);
    assert_message_has("db.h5: ");
    assert_message_has(part);
}

/* One number of the example, changed before it is written. */
static void refuse_double(double *number, double bad, const char *part)
{
    const double good = *number;
    *number = bad;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_refused(part);
    *number = good;
}

static void refuse_float(float *number, float bad, const char *part)
{
    const float good = *number;
    *number = bad;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_refused(part);
    *number = good;
}

static void refuse_wavevector(int t, int d, int16_t bad, const char *part)
{
    const int16_t good = wavevector[t][d];
    wavevector[t][d] = bad;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_refused(part);
    wavevector[t][d] = good;
}

static void numbers_of_the_grid_are_checked(void **state)
{
    (void)state;
    static const double bad[] = {0, -1, NAN, INFINITY, 4.6e18, 1e-300}; /* the last two: work without end */
    for (int i = 0; i < 6; i++) {
        refuse_double(&example.strain_increment, bad[i], "grid strain_increment = ");
        refuse_double(&example.strain_rate, bad[i], "grid strain_rate = ");
        refuse_double(&example.initial_slip_resistance, bad[i], "grid initial_slip_resistance = ");
    }
    refuse_double(&example.strain_increment, 0.21,
                  "grid strain_increment = 0.21: need 0.005 <= strain_increment <= 0.2");
    refuse_double(&example.strain_rate, 1.1e12, "need 1e-12 <= strain_rate <= 1e+12");
    for (int i = 2; i < 4; i++)
        refuse_double(&example.generation_seconds, bad[i], "generation_seconds = ");
    example.generation_seconds = 0; /* not known */
    CHECK_OK(sw_database_write("db.h5", &example));
    sw_database *back = read_well("db.h5", 0);
    assert_true(back->generation_seconds == 0);
    sw_database_free(back);
    static const int64_t lengths[] = {0, -8, 6, 10, 8196, INT64_C(1) << 40}; /* of phi1 */
    for (int i = 0; i < 6; i++) {
        example.shape[0] = lengths[i];
        CHECK_OK(sw_database_write("db.h5", &example));
        assert_refused("grid");
    }
}

static void terms_are_checked(void **state)
{
    (void)state;
    refuse_wavevector(1, 0, 5, "terms/wavevector[1][0] = 5: need at most half of 8");
    refuse_wavevector(5, 1, -5, "terms/wavevector[5][1] = -5: need at most half of 8");
    refuse_wavevector(2, 3, 7, "terms/wavevector[2][3] = 7: need at most half of 12");
    refuse_wavevector(2, 3, INT16_MIN, "terms/wavevector[2][3] = -32768: need at most half of 12");
    for (int d = 0; d < 4; d++)
        refuse_wavevector(0, d, 4, "terms/wavevector[0] = (");
    refuse_float(&coefficient[3][8][1], NAN, "terms/coefficient[3][8][1] = ");
    refuse_float(&coefficient[0][0][0], -INFINITY, "terms/coefficient[0][0][0] = -inf");
    refuse_float(&weight[4], INFINITY, "terms/weight[4] = inf: need 1 or 2");
    refuse_float(&weight[0], 0, "terms/weight[0] = 0: need 1 or 2");
    refuse_float(&weight[5], NAN, "terms/weight[5] = ");
    refuse_float(&magnitude[2], INFINITY, "terms/magnitude[2] = inf: need a finite number");
    refuse_double(&example.captured_variance[6], NAN, "accuracy/captured_variance[6] = ");
    CHECK_OK(sw_database_write("db.h5", &example)); /* everything was put back */
    sw_database_free(read_well("db.h5", 0));
}

static void bad_terms_behind_the_prefix_are_found(void **state)
{
    (void)state;
    sw_database *database;
    coefficient[5][0][0] = NAN;
    CHECK_OK(sw_database_write("db.h5", &example));
    assert_int_equal(sw_database_read("db.h5", 2, &database), SW_ERR_FORMAT);
    assert_message_has("terms/coefficient[5][0][0] = ");
}

static void material_is_checked(void **state)
{
    (void)state;
    char *good = example.material_text;
    example.material_text = "name: nothing else\n";
    CHECK_OK(sw_database_write("db.h5", &example));
    example.material_text = good;
    sw_database *database;
    assert_int_equal(sw_database_read("db.h5", 0, &database), SW_ERR_INPUT);
    assert_null(database);
    assert_message_has("db.h5: ");
}

static hid_t write_and_open(void)
{
    hid_t file;
    CHECK_OK(sw_database_write("db.h5", &example));
    CHECK_OK(sw_h5_open("db.h5", 1, &file));
    return file;
}

static void missing_parts_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *group, *name; /* an attribute of the group ... */
        const char *link;         /* ... or what the file holds */
    } parts[] = {
        {"/", "format", NULL},
        {"/", "version", NULL},
        {"/", "material", NULL},
        {"grid", "shape", NULL},
        {"grid", "strain_increment", NULL},
        {"grid", "strain_rate", NULL},
        {"grid", "initial_slip_resistance", NULL},
        {NULL, NULL, "grid"},
        {NULL, NULL, "terms/wavevector"},
        {NULL, NULL, "terms/coefficient"},
        {NULL, NULL, "terms/weight"},
        {NULL, NULL, "terms/magnitude"},
        {NULL, NULL, "accuracy/captured_variance"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char part[64];
        hid_t file = write_and_open();
        if (parts[i].link == NULL)
            assert_true(H5Adelete_by_name(file, parts[i].group, parts[i].name, H5P_DEFAULT) >= 0);
        else
            assert_true(H5Ldelete(file, parts[i].link, H5P_DEFAULT) >= 0);
        H5Fclose(file);
        snprintf(part, sizeof part, "%s is missing", parts[i].link ? parts[i].link : parts[i].name);
        assert_refused(part);
    }
}

static void other_shapes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int rank;
        int64_t shape[3];
        const char *part;
    } sets[] = {
        {"terms/wavevector", 2, {0, 4}, "holds no terms"},
        {"terms/wavevector", 2, {PAIRS, 3}, "terms/wavevector has length 3 in dimension 1: need 4"},
        {"terms/wavevector", 1, {PAIRS}, "terms/wavevector has 1 dimensions: need 2"},
        {"terms/coefficient",
         3,
         {PAIRS - 1, SW_OUTPUTS, 2},
         "terms/coefficient has length 5 in dimension 0: need 6"},
        {"terms/coefficient", 3, {PAIRS, 8, 2}, "terms/coefficient has length 8 in dimension 1: need 9"},
        {"terms/weight", 1, {PAIRS + 1}, "terms/weight has length 7 in dimension 0: need 6"},
        {"terms/magnitude", 1, {1}, "terms/magnitude has length 1 in dimension 0: need 6"},
        {"accuracy/captured_variance",
         1,
         {8},
         "accuracy/captured_variance has length 8 in dimension 0: need 9"},
    };
    static const float zeros[PAIRS * SW_OUTPUTS * 2];
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        hid_t file = write_and_open();
        assert_true(H5Ldelete(file, sets[i].name, H5P_DEFAULT) >= 0);
        CHECK_OK(sw_h5_write(file, sets[i].name, H5T_NATIVE_FLOAT, sets[i].rank, sets[i].shape, zeros));
        H5Fclose(file);
        assert_refused(sets[i].part);
    }
}

/* With how planes share slip: four outputs more, of shapes and numbers that are checked; another database to who asks for its hash. */
static void slip_planes_come_back(void **state)
{
    (void)state;
    static float planes[PAIRS][SW_PLANE_OUTPUTS][2];
    static const float zeros[PAIRS * 3 * 2];
    const uint64_t without = sw_database_hash(1, &example);
    double nine[SW_OUTPUTS_MOST], all[SW_OUTPUTS_MOST];
    const double x[4] = {0.3, 0.5, 0.7, 0.9};
    sw_database_evaluate(&example, PAIRS, x, nine);
    for (int k = 0; k < PAIRS * SW_PLANE_OUTPUTS * 2; k++)
        planes[k / 8][k / 2 % 4][k % 2] = 0.5F / (float)(k + 3);
    example.planes = planes;
    for (int c = SW_OUTPUTS; c < SW_OUTPUTS_MOST; c++)
        example.captured_variance[c] = 1 - 0.01 * c;
    hid_t file = write_and_open();
    H5Fclose(file);
    sw_database *read = read_well("db.h5", 0);
    assert_int_equal(sw_database_outputs(read), SW_OUTPUTS_MOST);
    assert_memory_equal(read->planes, planes, sizeof planes);
    assert_memory_equal(read->captured_variance, example.captured_variance, sizeof example.captured_variance);
    assert_true(sw_database_hash(1, read) == sw_database_hash(1, &example));
    assert_true(sw_database_hash(1, read) != without);
    sw_database_evaluate(read, PAIRS, x, all);
    assert_memory_equal(all, nine, SW_OUTPUTS * sizeof *all);
    assert_true(fabs(all[SW_OUTPUTS]) > 0.01);
    sw_database_free(read);
    file = write_and_open();
    assert_true(H5Ldelete(file, "terms/slip_planes", H5P_DEFAULT) >= 0);
    CHECK_OK(sw_h5_write(file, "terms/slip_planes", H5T_NATIVE_FLOAT, 3, (int64_t[]){PAIRS, 3, 2}, zeros));
    H5Fclose(file);
    assert_refused("terms/slip_planes has length 3 in dimension 1: need 4");
    planes[4][2][1] = NAN;
    file = write_and_open();
    H5Fclose(file);
    assert_refused("terms/slip_planes[4][2][1] = nan: need a finite number");
    example.planes = NULL;
}

static void other_attributes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *group, *name;
        double value[4];
        int count;
        const char *part;
    } attributes[] = {
        {"/", "version", {2}, 1, "version = 2: this program reads version 1"},
        {"/", "version", {0.5}, 1, "version = 0.5"},
        {"/", "version", {NAN}, 1, "version = "},
        {"/", "format", {1}, 1, "the attribute format is not a text"},
        {"/", "material", {1}, 1, "the attribute material is not a text"},
        {"grid", "shape", {8, 8, 8}, 3, "the attribute shape does not hold 4 numbers"},
        {"grid", "shape", {8, 8.5, 8, 12}, 4, "grid shape = 8.5 in dimension 1: need a whole number"},
        {"grid", "shape", {8, 8, NAN, 12}, 4, "in dimension 2: need a whole number from 4 to 8192"},
        {"grid", "shape", {8, 8, 10, 12}, 4, "grid: 10 points for phi2"},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        hid_t file = write_and_open(), group = H5Gopen2(file, attributes[i].group, H5P_DEFAULT);
        assert_true(H5Adelete(group, attributes[i].name) >= 0);
        CHECK_OK(sw_h5_write_numbers(group, attributes[i].name, attributes[i].count, attributes[i].value));
        H5Gclose(group);
        H5Fclose(file);
        assert_refused(attributes[i].part);
    }
    hid_t file = write_and_open();
    assert_true(H5Adelete(file, "format") >= 0);
    CHECK_OK(sw_h5_write_text(file, "format", "slipwave-results"));
    H5Fclose(file);
    assert_refused("format = \"slipwave-results\": need \"slipwave-database\"");
}

/* From the last byte before the seal on. */
static void truncated_file_is_refused(void **state)
{
    (void)state;
    CHECK_OK(sw_database_write("db.h5", &example));
    FILE *file = fopen("db.h5", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    for (long length = size - 25; length >= 0; length -= size / 7) {
        assert_int_equal(truncate("db.h5", length), 0);
        assert_refused("truncated");
    }
}

/* ---- What cannot be written ---- */

static void folder_that_cannot_be_written_stays_clean(void **state)
{
    (void)state;
    assert_int_equal(sw_database_write("absent/db.h5", &example), SW_ERR_IO);
    assert_message_has("absent/db.h5: cannot be created: No such file or directory");
    assert_int_equal(count_files(), 0);
    CHECK_OK(sw_database_write("file", &example));
    assert_int_equal(sw_database_write("file/db.h5", &example), SW_ERR_IO);
    assert_message_has("file/db.h5: cannot be created: Not a directory");
    assert_int_equal(count_files(), 1);
    unlink("file");
}

/* A full disk, by a limit on the size of files. In a child: HDF5 keeps what it could not write. */
static void full_disk_leaves_the_older_file(void **state)
{
    (void)state;
    CHECK_OK(sw_database_write("db.h5", &example));
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit limit = {4096, 4096}; /* less than the material's text and the terms */
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        example.n_pairs = 2;
        _exit(sw_database_write("db.h5", &example) == SW_ERR_IO && strstr(sw_error_message(), "db.h5: ") ? 0
                                                                                                         : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(count_files(), 1);
    sw_database *back = read_well("db.h5", 0);
    assert_int_equal(back->n_pairs, PAIRS);
    sw_database_free(back);
}

/* ---- What the numbers mean ---- */

static void series_is_what_the_header_says(void **state)
{
    (void)state;
    memset(coefficient, 0, sizeof coefficient);
    for (int c = 0; c < SW_OUTPUTS; c++) { /* exact in binary */
        coefficient[0][c][0] = 0.5F + (float)c;
        coefficient[1][c][0] = 0.25F * (float)c; /* k = (1, -2, 4, 3), a pair */
        coefficient[1][c][1] = 1.0F - 0.125F * (float)c;
        coefficient[5][c][0] = -0.0625F; /* k = (4, 4, 4, 6), its own conjugate */
    }
    const double x[4] = {0.3, 1.1, -2.5, 4.0}, phase = x[0] - 2 * x[1] + 3 * x[3];
    /* 4 and 6 are half the grid length: both signs */
    const double corner = cos(4 * x[0]) * cos(4 * x[1]) * cos(4 * x[2]) * cos(6 * x[3]);
    double one[SW_OUTPUTS], five[SW_OUTPUTS], all[SW_OUTPUTS];
    sw_database_evaluate(&example, 1, x, one);
    sw_database_evaluate(&example, 5, x, five);
    sw_database_evaluate(&example, PAIRS, x, all);
    for (int c = 0; c < SW_OUTPUTS; c++) {
        const double pair = 2 * cos(4 * x[2]) * (0.25 * c * cos(phase) - (1 - 0.125 * c) * sin(phase));
        assert_true(one[c] == 0.5 + c);
        /* phases up to 30 carry 30 x 1e-16, terms up to 10 a few roundings of 1e-15 */
        CHECK_CLOSE(five[c], 0.5 + c + pair, 5e-14);
        CHECK_CLOSE(all[c], 0.5 + c + pair - 0.0625 * corner, 5e-14);
    }
}

static void captured_variance_is_that_of_the_terms_kept(void **state)
{
    (void)state;
    enum { SOME = 20 };
    sw_generate_options options = {
        .material = material_path, .output = "all.h5", .shape = {8, 8, 8, 12}, .terms = 0, .quiet = 1};
    CHECK_OK(sw_generate(&options));
    options.output = "some.h5";
    options.terms = 2 * SOME - 1;
    CHECK_OK(sw_generate(&options));
    sw_database *all = read_well("all.h5", 0), *some = read_well("some.h5", 0);
    assert_true(all->n_pairs > SOME);
    assert_int_equal(some->n_pairs, SOME);
    assert_same_pairs(some, all, SOME);
    for (int64_t t = 2; t < all->n_pairs; t++)
        assert_true(all->magnitude[t] <= all->magnitude[t - 1]);
    for (int c = 0; c < SW_OUTPUTS; c++) {
        double total = 0, kept = 0;
        for (int64_t t = 1; t < all->n_pairs; t++) {
            const double re = all->coefficient[t][c][0], im = all->coefficient[t][c][1];
            total += all->weight[t] * (re * re + im * im);
            kept += t < SOME ? all->weight[t] * (re * re + im * im) : 0;
        }
        /* sums of 300 terms in double; what is left out as zero is below 1e-9 in magnitude, 1e-18 squared */
        CHECK_CLOSE(all->captured_variance[c], 1, 1e-13);
        CHECK_CLOSE(some->captured_variance[c], kept / total, 1e-13);
        assert_true(some->captured_variance[c] > 0.1 && some->captured_variance[c] < 1);
    }
    sw_database_free(all);
    sw_database_free(some);
    unlink("all.h5");
    unlink("some.h5");
}

static int set_up(void **state)
{
    if (find_data("materials/copper-ofhc.yaml", material_path))
        return 1;
    CHECK_OK(sw_read_text(material_path, &example.material_text));
    return make_folder(state);
}

static int tear_down(void **state)
{
    free(example.material_text);
    return remove_folder(state);
}

static int remove_database(void **state)
{
    (void)state;
    unlink("db.h5");
    return 0;
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, fill_example, remove_database)
    const struct CMUnitTest tests[] = {
        TEST(what_was_written_is_read),
        TEST(terms_are_counted_in_pairs),
        TEST(first_terms_can_be_read_alone),
        TEST(rewriting_replaces_the_older),
        TEST(numbers_of_the_grid_are_checked),
        TEST(terms_are_checked),
        TEST(bad_terms_behind_the_prefix_are_found),
        TEST(material_is_checked),
        TEST(missing_parts_are_named),
        TEST(other_shapes_are_refused),
        TEST(slip_planes_come_back),
        TEST(other_attributes_are_refused),
        TEST(truncated_file_is_refused),
        TEST(folder_that_cannot_be_written_stays_clean),
        TEST(full_disk_leaves_the_older_file),
        TEST(series_is_what_the_header_says),
        TEST(captured_variance_is_that_of_the_terms_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
