/* slipwave-db as its users meet it, and what every program says to a bad database. */
#include "programs.h"

#include <sys/resource.h>

#include "common/database/database.h"
#include "online/gpu/gpu.h"

static const bad_case bad_cases[] = {
    EDIT("material with an unknown key", MATERIAL, "rate_sensitivity:", "rate_sensitivty:",
         GENERATE "bad.yaml", "unknown key 'slip.rate_sensitivty'", "did you mean 'slip.rate_sensitivity'?"),
    EDIT("material with text for a number", MATERIAL, "C11: 168.7e9", "C11: stiff", GENERATE "bad.yaml",
         "elasticity.C11 = stiff", "need a number"),
    EDIT("m = 0", MATERIAL, "rate_sensitivity: 0.012", "rate_sensitivity: 0", GENERATE "bad.yaml",
         "slip.rate_sensitivity = 0", "need 1e-4 <= rate_sensitivity <= 1"),
    EDIT("m not a number", MATERIAL, "rate_sensitivity: 0.012", "rate_sensitivity: .nan", GENERATE "bad.yaml",
         "slip.rate_sensitivity = .nan", "need a number"),
    EDIT("negative stiffness", MATERIAL, "C44: 75.0e9", "C44: -75.0e9", GENERATE "bad.yaml",
         "elasticity.C44 = -75.0e9", "need Pa, from 1e6 to 1e13"),
    EDIT("C11 < C12", MATERIAL, "C11: 168.7e9", "C11: 121.6e9", GENERATE "bad.yaml",
         "elasticity.C11 = 1.216e+11", "C11 > |C12|", "1.217e+11"),
    COMMAND("material missing", GENERATE "absent.yaml",
            "absent.yaml: cannot be read: No such file or directory"),
    COMMAND("output over the material", GENERATE "material.yaml -o material.yaml", "--output = material.yaml",
            "is the file that is read"),
    COMMAND("grid of text", "slipwave-db generate material.yaml -o out.h5 --grid 8,eight,8,12",
            "--grid = eight", "need a whole number"),
    COMMAND("grid of three", "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8",
            "--grid has 3 entries", "need 4"),
    COMMAND("grid of five", "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8,12,8",
            "--grid has 5 entries", "need 4"),
    COMMAND("grid that is no multiple of 4", "slipwave-db generate material.yaml -o out.h5 --grid 8,8,10,12",
            "grid: 10 points for phi2", "need 4 to 8192 and a multiple of 4"),
    COMMAND("grid too fine", "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8,8196",
            "--grid = 8196", "need 4 <= grid <= 8192"),
    COMMAND("generate: terms text", GENERATE "material.yaml --terms some", "--terms = some",
            "need all, or a whole number from 1"),
    COMMAND("generate: terms 0", GENERATE "material.yaml --terms 0", "--terms = 0", "from 1"),
    COMMAND("generate: no strain", GENERATE "material.yaml --strain-increment 0", "--strain-increment = 0",
            "need 5e-3 <= strain-increment <= 0.2"),
    COMMAND("generate: a rate below 0", GENERATE "material.yaml --strain-rate=-1", "--strain-rate = -1",
            "need 1/s, from 1e-12 to 1e12"),
    COMMAND("generate: too little memory",
            "slipwave-db generate -q material.yaml -o out.h5 --grid 64,64,64,48 --memory 1e6",
            "memory = 1e+06 bytes: need ", "to transform one output at a time"),
    COMMAND("generate: threads", GENERATE "material.yaml --threads 0", "--threads = 0",
            "need 1 <= threads <= 4096"),
    COMMAND("generate: a device that there is not", GENERATE "material.yaml --device tpu", "--device = tpu",
            "need one of auto, cpu, cuda"),
    COMMAND("generate into a folder that does not exist", GENERATE "material.yaml -o absent/out.h5",
            "absent/out.h5: cannot be created: No such file or directory"),
    COMMAND("generate over a folder", GENERATE "material.yaml -o results", "results: is a folder"),
    COMMAND("generate into no name", GENERATE "material.yaml --output=", "--output = '': need a text"),
    COMMAND("validate: more terms than stored", "slipwave-db validate copper.h5 -q --terms 100000",
            "--terms = 100000", "need 1 to the", stored_terms, "copper.h5 stores"),
    COMMAND("validate: points", "slipwave-db validate copper.h5 --points 0", "--points = 0",
            "need 1 <= points <= 1e8"),
    COMMAND("validate: seed", "slipwave-db validate copper.h5 --seed x", "--seed = x", "need a whole number"),
    COMMAND("generate: unknown option", GENERATE "material.yaml --frob", "generate", "'--frob'"),
    COMMAND("inspect: unknown option", "slipwave-db inspect copper.h5 -x", "inspect", "'-x'"),
    COMMAND("validate: unknown option", "slipwave-db validate copper.h5 --x", "validate", "'--x'"),
    COMMAND("generate: no material", "slipwave-db generate -o out.h5", "needs a material file"),
    COMMAND("generate: no output", "slipwave-db generate material.yaml", "--output is missing"),
    COMMAND("inspect: no database", "slipwave-db inspect", "inspect needs a database"),
    COMMAND("validate: no database", "slipwave-db validate", "validate needs a database"),
    COMMAND("generate: two materials", GENERATE "a.yaml b.yaml", "one material", "a.yaml, b.yaml"),
    COMMAND("inspect: two databases", "slipwave-db inspect a b", "one database", "a, b"),
    COMMAND("validate: two databases", "slipwave-db validate a b", "one database", "a, b"),
};

/* ---- Bad databases ---- */

/* bad.h5, a copy of copper.h5, is open. */
typedef struct {
    const char *name;
    void (*damage)(hid_t file); /* NULL: `bytes` instead of HDF5 */
    const char *part[PARTS];
} bad_database;

static void set_attribute(hid_t file, const char *name, double value)
{
    H5Adelete(file, name);
    CHECK_OK(sw_h5_write_numbers(file, name, 1, &value));
}

/* Overwrite one number of a dataset, given as text and type. */
static void set_element(hid_t file, const char *name, hid_t type, int rank, const hsize_t *at,
                        const void *value)
{
    const hsize_t one[3] = {1, 1, 1};
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), from = H5Screate_simple(rank, one, NULL),
          to = H5Dget_space(set);
    assert_true(H5Sselect_hyperslab(to, H5S_SELECT_SET, at, NULL, one, NULL) >= 0);
    assert_true(H5Dwrite(set, type, from, to, H5P_DEFAULT, value) >= 0);
    H5Sclose(from);
    H5Sclose(to);
    H5Dclose(set);
}

static void other_version(hid_t file) { set_attribute(file, "version", 2); }

static void other_format(hid_t file)
{
    H5Adelete(file, "format");
    CHECK_OK(sw_h5_write_text(file, "format", "an atlas"));
}

static void no_coefficients(hid_t file)
{
    assert_true(H5Ldelete(file, "terms/coefficient", H5P_DEFAULT) >= 0);
}

static void nan_coefficient(hid_t file)
{
    set_element(file, "terms/coefficient", H5T_NATIVE_FLOAT, 3, (hsize_t[]){7, 3, 1}, &(float){NAN});
}

static void infinite_weight(hid_t file)
{
    set_element(file, "terms/weight", H5T_NATIVE_FLOAT, 1, (hsize_t[]){4}, &(float){INFINITY});
}

static void wavevector_out_of_grid(hid_t file)
{
    set_element(file, "terms/wavevector", H5T_NATIVE_INT16, 2, (hsize_t[]){9, 3}, &(int16_t){-7});
}

static void first_not_mean(hid_t file)
{
    set_element(file, "terms/wavevector", H5T_NATIVE_INT16, 2, (hsize_t[]){0, 2}, &(int16_t){4});
}

static const bad_database bad_databases[] = {
    {"database of another version", other_version, {"version = 2", "reads version 1"}},
    {"database of another format", other_format, {"format = \"an atlas\"", "need \"slipwave-database\""}},
    {"database without coefficients", no_coefficients, {"terms/coefficient is missing"}},
    {"NaN in the coefficients",
     nan_coefficient,
     {"terms/coefficient[7][3][1] = ", "nan", "need a finite number"}},
    {"infinite weight", infinite_weight, {"terms/weight[4] = inf", "need 1 or 2"}},
    {"wavevector out of the grid",
     wavevector_out_of_grid,
     {"terms/wavevector[9][3] = -7", "at most half of 12"}},
    {"first term not the mean",
     first_not_mean,
     {"terms/wavevector[0] = (0, 0, 4, 0)", "need the mean, (0, 0, 0, 0)"}},
};

enum { BAD_DATABASES = sizeof bad_databases / sizeof *bad_databases };

static void refuse_bad_h5(const char *const part[PARTS])
{
    static const char *const commands[] = {TAYLOR "job.yaml --database bad.h5", "slipwave-db inspect bad.h5",
                                           "slipwave-db validate -q --points 1 bad.h5"};
    const char *all[PARTS + 1] = {": bad.h5: "};
    memcpy(all + 1, part, PARTS * sizeof *part);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        assert_refused_twice(commands[i], PARTS + 1, all);
    unlink("bad.h5");
}

static void refuse_database(void **state)
{
    const bad_database *c = *state;
    size_t size;
    char *bytes = read_bytes("copper.h5", &size);
    write_bytes("bad.h5", bytes, size);
    free(bytes);
    hid_t file;
    CHECK_OK(sw_h5_open("bad.h5", 1, &file));
    c->damage(file);
    assert_true(H5Fclose(file) >= 0);
    refuse_bad_h5(c->part);
}

static void refuse_truncated_database(void **state)
{
    (void)state;
    const char *const part[PARTS] = {"truncated"};
    size_t size;
    char *bytes = read_bytes("copper.h5", &size);
    for (int eighths = 1; eighths < 8; eighths += 3) {
        write_bytes("bad.h5", bytes, size * (size_t)eighths / 8);
        refuse_bad_h5(part);
    }
    write_bytes("bad.h5", bytes, size - 25); /* a byte before the seal */
    refuse_bad_h5(part);
    free(bytes);
}

static void refuse_database_that_is_not_hdf5(void **state)
{
    (void)state;
    const char *const part[PARTS] = {"not an HDF5 file"};
    write_text("bad.h5", job_text);
    refuse_bad_h5(part);
    write_text("bad.h5", "");
    refuse_bad_h5(part);
}

/* ---- Others ---- */

/* Estimates beyond what any machine has, before anything is taken: what is needed, and what there is. */
static void work_beyond_the_memory_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part[3];
    } cases[] = {
        {"slipwave-db generate -q material.yaml -o out.h5 --grid 8192,8192,8192,8192",
         {": grid of 8192 x 8192 x 8192 x 8192 points: need 3.9", "e+06 GB of memory; ", " GB are free"}},
        {TAYLOR "job.yaml --database copper.h5 --count 1000000000000",
         {": job.yaml: 1e+12 crystals, ", ": need 1.6e+04 GB of memory; ", " GB are free"}},
        {"slipwave sweep -q sweep.yaml",
         {": sweep.yaml: 1000000000000 crystals, 25 steps: need 3.2e+04 GB of memory; ", " GB are free"}},
    };
    write_text("sweep.yaml",
               "databases: [copper.h5]\nvary: {terms: [16]}\nreference: {solver: elastoplastic}\n"
               "crystals: {count: 1000000000000}\nloading: [{velocity_gradient: [[1.0, 0, 0], [0, 0, 0], "
               "[0, 0, -1.0]], duration: 0.35}]\noutput: {file: out.h5}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_twice(cases[i].command, 3, cases[i].part);
    unlink("sweep.yaml");
}

static void full_disk_leaves_no_database(void **state)
{
    (void)state;
    const char *const part[] = {"out.h5", "File too large"};
    fill_disk(1);
    assert_refused_twice(GENERATE "material.yaml", 2, part);
    fill_disk(0);
}

static void interrupted_generate_leaves_its_checkpoint(void **state)
{
    (void)state;
    /* 98,304 distinct points: many seconds, but on a GPU */
    assert_interrupted("slipwave-db generate -q material.yaml -o out.h5 --grid 64,64,64,48 --device cpu",
                       SIGINT, 1);
}

static void cuda_without_a_gpu_is_refused(void **state)
{
    (void)state;
    char name[128];
    static const char *const part[] = {"--device = cuda", "no GPU"};
    if (sw_gpu_describe(name, sizeof name) > 0) {
        print_message("skipped: this machine has a GPU, %s\n", name);
        skip();
    }
    assert_refused_twice(GENERATE "material.yaml --device cuda", 2, part);
}

/* A limit of file sizes is a full disk: told, and nothing is left. */
static void a_limit_of_file_sizes_is_told(void **state)
{
    (void)state;
    struct rlimit before, small;
    result r;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){16384, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    run("slipwave-db generate material.yaml -q --grid 16,16,16,12 -o limited.h5", &r);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "limited.h5"));
    assert_non_null(strstr(r.err, "File too large"));
    assert_int_equal(access("limited.h5", F_OK), -1);
    unlink("limited.h5.checkpoint");
}

/* One bit of a coefficient, or the seal: nobody takes it, and --verify says so; who changed it on purpose says that. */
static void damaged_databases_are_refused(void **state)
{
    (void)state;
    static const char *const damaged[] = {"copper.h5: damaged: its content is not what was written"};
    static const char *const unsealed[] = {"plain.h5: has no seal"};
    static const char *const lost[] = {"copper.h5: lost its seal", "inspect --seal"};
    static const char *const ended[] = {"out.h5.partial: lost its seal", ": remove it to start anew"};
    static const char *const both[] = {"--verify and --seal: need one of them"};
    result r;
    size_t size;
    run_well("slipwave-db inspect --verify copper.h5", &r);
    assert_non_null(strstr(r.out, "copper.h5: as it was written"));
    char *bytes = read_bytes("copper.h5", &size);
    bytes[size / 2] ^= 0x10;
    write_bytes("copper.h5", bytes, size);
    assert_refused("slipwave-db inspect --verify copper.h5", 1, damaged);
    assert_refused("slipwave-db inspect copper.h5", 1, damaged);
    assert_refused(TAYLOR "job.yaml --database copper.h5", 1, damaged);
    bytes[size / 2] ^= 0x10;
    write_bytes("copper.h5", bytes, size - 24);
    assert_refused("slipwave-db inspect --verify copper.h5", 2, lost);
    assert_refused("slipwave-db inspect copper.h5", 2, lost);
    assert_refused(TAYLOR "job.yaml --database copper.h5", 1, lost);
    write_bytes("out.h5.partial", bytes, size - 24);
    assert_refused("slipwave-db inspect --verify out.h5.partial", 2, ended);
    unlink("out.h5.partial");
    const hid_t plain = H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(plain >= 0 && H5Fclose(plain) >= 0);
    assert_refused("slipwave-db inspect --verify plain.h5", 1, unsealed);
    unlink("plain.h5");
    assert_refused("slipwave-db inspect --verify --seal copper.h5", 1, both);
    run_well("slipwave-db inspect --seal copper.h5", &r);
    assert_non_null(strstr(r.out, "copper.h5: sealed as it is"));
    run_well("slipwave-db inspect --verify copper.h5", &r);
    run_well("slipwave-db inspect copper.h5", &r);
    write_bytes("copper.h5", bytes, size);
    free(bytes);
}

static void inspect_shows_what_validate_measures(void **state)
{
    (void)state;
    size_t size;
    char *bytes = read_bytes("copper.h5", &size), line[64];
    write_bytes("measured.h5", bytes, size);
    free(bytes);
    result r;
    run_well("slipwave-db inspect measured.h5", &r);
    assert_non_null(strstr(r.out, "grid            8 x 8 x 8 x 12"));
    assert_non_null(strstr(r.out, "OFHC copper (fcc)"));
    assert_non_null(strstr(r.out, "not measured"));
    snprintf(line, sizeof line, "terms           %s, ", stored_terms);
    assert_non_null(strstr(r.out, line));
    for (int pass = 0; pass < 2; pass++) { /* a second measurement replaces the first */
        run_well(pass ? "slipwave-db validate -q --points 4 --terms 18 measured.h5"
                      : "slipwave-db validate -q --points 4 --terms 34 --terms 65 measured.h5",
                 &r);
        assert_non_null(strstr(r.out, "RMS error over RMS value, 4 random points"));
        run_well("slipwave-db inspect measured.h5", &r);
        assert_null(strstr(r.out, "not measured"));
        assert_int_equal(strstr(r.out, "\n              18 ") != NULL, pass);
        assert_int_equal(strstr(r.out, "\n              66 ") != NULL, !pass);
    }
    unlink("measured.h5");
}

/* The first wavevectors' coefficients of a database made with `options`, and what it says of its increment. */
enum { FIRST = 8 };
static void generate_with(const char *options, const char *increment, float first[FIRST][SW_OUTPUTS])
{
    char command[256];
    result r;
    sw_database *database;
    snprintf(command, sizeof command, GENERATE "%s material.yaml", options);
    run_well(command, &r);
    run_well("slipwave-db inspect out.h5", &r);
    assert_non_null(strstr(r.out, increment));
    CHECK_OK(sw_database_read("out.h5", sw_terms_of_pairs(FIRST), &database));
    for (int t = 0; t < FIRST; t++)
        for (int c = 0; c < SW_OUTPUTS; c++)
            first[t][c] = hypotf(database->coefficient[t][c][0], database->coefficient[t][c][1]);
    sw_database_free(database);
    unlink("out.h5");
}

/* Outputs are over s rate^m and the rate. At 1000 times the rate elastic strains are 1000^0.012 = 1.086 times as
 * large: their share of D, 0.8 % while copper hardens first (docs/theory.md), is made up for by the plastic rate, and
 * all that is left is below it. A stress that is not scaled would be 8.6 % off. */
static void increments_are_asked_for(void **state)
{
    (void)state;
    float standard[FIRST][SW_OUTPUTS], fast[FIRST][SW_OUTPUTS], brief[FIRST][SW_OUTPUTS];
    generate_with("-q", "increment       strain 0.02 at 0.001 1/s from slip resistance 16 MPa", standard);
    generate_with("--strain-rate 1", "increment       strain 0.02 at 1 1/s", fast);
    generate_with("--strain-increment 5e-3", "increment       strain 0.005 at 0.001 1/s", brief);
    assert_memory_not_equal(standard, fast, sizeof standard);
    assert_memory_not_equal(standard, brief, sizeof standard);
    for (int t = 0; t < FIRST; t++)
        for (int c = 0; c < SW_OUTPUTS; c++)
            CHECK_CLOSE(fast[t][c], standard[t][c], 0.008 * fabsf(standard[0][SW_OUTPUTS - 1]));
}

/* All outputs together take 1.2 MB of a CPU's. */
static void short_memory_gives_the_same_database(void **state)
{
    (void)state;
    static const char command[] =
        "slipwave-db generate --grid 16,16,16,24 --terms 1000 --device cpu material.yaml";
    char line[256];
    sw_database *database[2];
    result r;
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "%s -o out%d.h5%s", command, i, i ? " --memory 1e6" : "");
        run(line, &r); /* which tells of its sweeps */
        assert_int_equal(strstr(r.err, "in two sweeps") != NULL, i);
        snprintf(line, sizeof line, "out%d.h5", i);
        CHECK_OK(sw_database_read(line, 0, &database[i]));
    }
    const size_t n = (size_t)database[0]->n_pairs;
    assert_int_equal(n, 500);
    assert_int_equal(database[1]->n_pairs, n);
    assert_memory_equal(database[0]->wavevector, database[1]->wavevector,
                        n * sizeof *database[0]->wavevector);
    assert_memory_equal(database[0]->coefficient, database[1]->coefficient,
                        n * sizeof *database[0]->coefficient);
    for (int i = 0; i < 2; i++)
        sw_database_free(database[i]);
    unlink("out0.h5");
    unlink("out1.h5");
    assert_int_not_equal(access("out1.h5.sweeps", F_OK), 0);
    assert_int_not_equal(access("out1.h5.checkpoint", F_OK), 0);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(refuse_truncated_database),
        cmocka_unit_test(refuse_database_that_is_not_hdf5),
        cmocka_unit_test(work_beyond_the_memory_is_refused),
        cmocka_unit_test(full_disk_leaves_no_database),
        cmocka_unit_test(interrupted_generate_leaves_its_checkpoint),
        cmocka_unit_test(cuda_without_a_gpu_is_refused),
        cmocka_unit_test(a_limit_of_file_sizes_is_told),
        cmocka_unit_test(damaged_databases_are_refused),
        cmocka_unit_test(inspect_shows_what_validate_measures),
        cmocka_unit_test(increments_are_asked_for),
        cmocka_unit_test(short_memory_gives_the_same_database),
    };
    enum { OTHERS = sizeof others / sizeof *others };
    static struct CMUnitTest all[BAD_DATABASES + OTHERS];
    for (int i = 0; i < BAD_DATABASES; i++)
        all[i] = (struct CMUnitTest){bad_databases[i].name, refuse_database, NULL, NULL,
                                     (void *)(uintptr_t)&bad_databases[i]};
    memcpy(all + BAD_DATABASES, others, sizeof others);
    return RUN_CASES(bad_cases, all);
}
