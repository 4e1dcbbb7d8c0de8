/* The programs as their users meet them: what they refuse, how they say it, and what they leave behind.
 *
 * A refusal is exit status 1 and one line on stderr; every file in the working folder, an older result
 * included, stays as it was. */
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/database.h"
#include "common/hdf5_io.h"

static char folder[PATH_MAX], programs[PATH_MAX];
static char *material_text;
static char stored_terms[32]; /* of copper.h5, as messages give it */

static const char job_text[] = "database: copper.h5\n"
                               "solver: terms\n"
                               "terms: 32\n"
                               "refinement: 4\n"
                               "crystals: {count: 5, texture: random, seed: 3}\n"
                               "initial_slip_resistance: 16.0e6\n"
                               "strain_increment: 0.02\n"
                               "loading:\n"
                               "  - velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]\n"
                               "    duration: 50\n" /* sqrt(2) 1e-3 50 / 0.02 = 3.5: four steps */
                               "output: {file: out.h5, orientations: [0, last]}\n";

enum { STEPS = 4, CRYSTALS = 5 };

/* ---- Files of the working folder ---- */

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

/* Content, NUL-terminated; released with free(). */
static char *read_bytes(const char *path, size_t *size)
{
    struct stat information;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &information), 0);
    *size = (size_t)information.st_size;
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* Name, inode, time of change and size of everything in the folder: equal when nothing was touched. */
static void list_folder(char *list, size_t size)
{
    struct dirent **entry;
    const int count = scandir(".", &entry, NULL, alphasort);
    assert_true(count >= 2);
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        struct stat information;
        assert_int_equal(lstat(entry[i]->d_name, &information), 0);
        if (entry[i]->d_name[0] != '.')
            length += (size_t)snprintf(
                list + length, size - length, "%s inode %llu, %lld.%09ld s, %lld bytes\n", entry[i]->d_name,
                (unsigned long long)information.st_ino, (long long)information.st_mtim.tv_sec,
                information.st_mtim.tv_nsec, (long long)information.st_size);
        assert_true(length < size);
        free(entry[i]);
    }
    free(entry);
}

static void empty_folder(void)
{
    struct dirent **entry;
    const int count = scandir(".", &entry, NULL, NULL);
    for (int i = 0; i < count; i++) {
        if (entry[i]->d_name[0] != '.')
            remove(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

/* ---- Running a program ---- */

typedef struct {
    int status; /* of exit; -1 after a signal */
    char out[16384], err[4096];
} result;

static void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    assert_true(feof(file)); /* all of it fits */
    fclose(file);
}

/* Start "PROGRAM ARGUMENT ..."; words are parted by single blanks. */
static pid_t start(const char *command, int out, int err)
{
    char words[512], path[PATH_MAX + 32], *argument[32], *rest = words;
    int count = 0;
    assert_true(strlen(command) < sizeof words);
    strcpy(words, command);
    while (count < 31 && (argument[count] = strsep(&rest, " ")) != NULL)
        count++;
    argument[count] = NULL;
    snprintf(path, sizeof path, "%s/%s", programs, argument[0]);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execv(path, argument);
        _exit(127);
    }
    return child;
}

static int wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void run(const char *command, result *r)
{
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out != NULL && err != NULL);
    r->status = wait_for(start(command, fileno(out), fileno(err)));
    read_back(out, r->out, sizeof r->out);
    read_back(err, r->err, sizeof r->err);
}

static void run_well(const char *command, result *r)
{
    run(command, r);
    if (r->status != 0 || r->err[0] != '\0')
        fail_msg("%s: exit status %d, stderr '%s'", command, r->status, r->err);
}

static void assert_one_line(const char *command, const result *r)
{
    const size_t program = strcspn(command, " "), length = strlen(r->err);
    if (strncmp(r->err, command, program) != 0 || strchr(": ", r->err[program]) == NULL)
        fail_msg("%s: stderr does not start with the program's name: '%s'", command, r->err);
    if (length == 0 || strchr(r->err, '\n') != r->err + length - 1)
        fail_msg("%s: need one line on stderr, not '%s'", command, r->err);
    if (r->out[0] != '\0')
        fail_msg("%s: wrote '%s' on stdout", command, r->out);
}

/* The command must fail with a line that holds every part, and touch nothing. */
static void assert_refused(const char *command, int n_parts, const char *const *part)
{
    char before[4096], after[4096];
    result r;
    list_folder(before, sizeof before);
    run(command, &r);
    list_folder(after, sizeof after);
    if (r.status != 1)
        fail_msg("%s: exit status %d: need 1; stderr '%s'", command, r.status, r.err);
    assert_one_line(command, &r);
    for (int i = 0; i < n_parts; i++)
        if (part[i] != NULL && strstr(r.err, part[i]) == NULL)
            fail_msg("%s: no '%s' in '%s'", command, part[i], r.err);
    assert_string_equal(before, after);
}

/* ... whether or not there is an older out.h5. */
static void assert_refused_twice(const char *command, int n_parts, const char *const *part)
{
    unlink("out.h5");
    assert_refused(command, n_parts, part);
    write_text("out.h5", "an older result\n");
    assert_refused(command, n_parts, part);
    unlink("out.h5");
}

/* ---- Bad text and bad options ---- */

enum { PARTS = 4 };

typedef enum { AS_IT_IS, JOB, MATERIAL } edited_text;

#define GENERATE "slipwave-db generate -q --grid 8,8,8,12 --terms all -o out.h5 "
#define TAYLOR "slipwave taylor -q "

/* `old` in the job or the material becomes `new` in bad.yaml: then the message must name bad.yaml and
 * the line, unless another file is to blame. */
typedef struct {
    const char *name;
    edited_text text;
    const char *old, *new;
    const char *command;
    const char *part[PARTS];
    int elsewhere; /* what is wrong is not in bad.yaml */
} bad_case;

static const bad_case bad_cases[] = {
    /* materials */
    {"material with an unknown key",
     MATERIAL,
     "rate_sensitivity:",
     "rate_sensitivty:",
     GENERATE "bad.yaml",
     {"unknown key 'slip.rate_sensitivty'", "did you mean 'slip.rate_sensitivity'?"},
     0},
    {"material with text for a number",
     MATERIAL,
     "C11: 168.7e9",
     "C11: stiff",
     GENERATE "bad.yaml",
     {"elasticity.C11 = stiff", "need a number"},
     0},
    {"m = 0",
     MATERIAL,
     "rate_sensitivity: 0.012",
     "rate_sensitivity: 0",
     GENERATE "bad.yaml",
     {"slip.rate_sensitivity = 0", "need 0 < m <= 1"},
     0},
    {"m not a number",
     MATERIAL,
     "rate_sensitivity: 0.012",
     "rate_sensitivity: .nan",
     GENERATE "bad.yaml",
     {"slip.rate_sensitivity = .nan", "need a number"},
     0},
    {"negative stiffness",
     MATERIAL,
     "C44: 75.0e9",
     "C44: -75.0e9",
     GENERATE "bad.yaml",
     {"elasticity.C44 = -7.5e+10", "need C44 > 0"},
     0},
    {"C11 < C12",
     MATERIAL,
     "C11: 168.7e9",
     "C11: 121.6e9",
     GENERATE "bad.yaml",
     {"elasticity.C11 = 1.216e+11", "C11 > |C12|", "1.217e+11"},
     0},
    {"material of a taylor run",
     MATERIAL,
     "exponent: 2.25",
     "exponent: 0.5",
     TAYLOR "job.yaml --solver iterative --material bad.yaml",
     {"hardening.exponent = 0.5", "need 1 <= exponent"},
     0},
    {"material missing",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "absent.yaml",
     {"absent.yaml: cannot be read: No such file or directory"},
     0},
    {"material of a taylor run missing",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --solver iterative --material absent.yaml",
     {"absent.yaml: cannot be read: No such file or directory"},
     0},
    /* jobs */
    {"job with an unknown key",
     JOB,
     "solver: terms",
     "solvr: terms",
     TAYLOR "bad.yaml",
     {"unknown key 'solvr'", "did you mean 'solver'?"},
     0},
    {"job with text for a number",
     JOB,
     "count: 5",
     "count: five",
     TAYLOR "bad.yaml",
     {"crystals.count = five", "need a whole number"},
     0},
    {"L that is not deviatoric",
     JOB,
     "velocity_gradient: [[1.0e-3, 0, 0]",
     "velocity_gradient: [[1.5e-3, 0, 0]",
     TAYLOR "bad.yaml",
     {"loading[0].velocity_gradient has trace = 0.0005", "need |trace| <= 1e-09 |D|"},
     0},
    {"unknown solver",
     JOB,
     "solver: terms",
     "solver: exact",
     TAYLOR "bad.yaml",
     {"solver = exact", "need one of terms, grid, iterative"},
     0},
    {"count and file",
     JOB,
     "{count: 5",
     "{file: grains.ori, count: 5",
     TAYLOR "bad.yaml",
     {"crystals.count beside crystals.file = grains.ori", "need only one of them"},
     0},
    {"terms beyond what is stored",
     JOB,
     "terms: 32",
     "terms: 100000",
     TAYLOR "bad.yaml",
     {": terms = 100000", "need at most the", stored_terms, "copper.h5 stores"},
     0},
    {"orientation step beyond the run",
     JOB,
     "[0, last]",
     "[0, 5]",
     TAYLOR "bad.yaml",
     {"output.orientations[1] = 5", "the loading has 4 steps"},
     0},
    {"more steps than anyone waits for",
     JOB,
     "duration: 50",
     "duration: 1.0e300",
     TAYLOR "bad.yaml",
     {"loading[0].duration = 1e+300", "need at most 1e9 strain increments"},
     0},
    {"database missing",
     JOB,
     "copper.h5",
     "absent.h5",
     TAYLOR "bad.yaml",
     {"absent.h5: No such file or directory"},
     1},
    {"empty crystal file",
     JOB,
     "{count: 5, texture: random, seed: 3}",
     "{file: empty.ori}",
     TAYLOR "bad.yaml",
     {"empty.ori: no crystal in it"},
     1},
    {"crystal file with a bad row",
     JOB,
     "{count: 5, texture: random, seed: 3}",
     "{file: bad.ori}",
     TAYLOR "bad.yaml",
     {"bad.ori:3: ", "\"45 x 30\""},
     1},
    {"crystal file missing",
     JOB,
     "{count: 5, texture: random, seed: 3}",
     "{file: absent.ori}",
     TAYLOR "bad.yaml",
     {"absent.ori: No such file or directory"},
     1},
    {"crystal file of an unknown kind",
     JOB,
     "{count: 5, texture: random, seed: 3}",
     "{file: job.yaml}",
     TAYLOR "bad.yaml",
     {"job.yaml: unknown suffix", "need .ori, .tex, .ang or .ctf"},
     1},
    {"output in a folder that does not exist",
     JOB,
     "file: out.h5",
     "file: absent/out.h5",
     TAYLOR "bad.yaml",
     {"absent/out.h5: cannot be created: No such file or directory"},
     1},
    {"output that is a folder",
     JOB,
     "file: out.h5",
     "file: results",
     TAYLOR "bad.yaml",
     {"results: is a folder"},
     1},
    {"job missing",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "absent.yaml",
     {"absent.yaml: cannot be read: No such file or directory"},
     0},
    /* options */
    {"option: solver",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --solver exact",
     {"--solver = exact", "need one of"},
     0},
    {"option: terms beyond what is stored",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --terms 100000",
     {"--terms = 100000", "need at most the", stored_terms, "copper.h5 stores"},
     0},
    {"option: terms 0",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --terms 0",
     {"--terms = 0", "need terms >= 1"},
     0},
    {"option: terms text",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --terms many",
     {"--terms = many", "need a whole"},
     0},
    {"option: count",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --count 0",
     {"--count = 0", "need 1 <= count"},
     0},
    {"option: seed", AS_IT_IS, NULL, NULL, TAYLOR "job.yaml --seed -1", {"--seed = -1", "need 0 <= seed"}, 0},
    {"option: refinement",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --refinement 1e2",
     {"--refinement = 1e2", "need"},
     0},
    {"option without effect: terms",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --solver grid --terms 7",
     {"--terms", "no effect", "grid"},
     0},
    {"output over the job",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml -o job.yaml",
     {"--output = job.yaml", "is the job file"},
     0},
    {"output over the material",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml -o material.yaml",
     {"--output = material.yaml", "is the material file"},
     0},
    {"option: threads 0",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --threads 0",
     {"--threads = 0", "from 1 to"},
     0},
    {"option: threads text",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml -j all",
     {"--threads = all", "from 1 to"},
     0},
    {"option: device cuda",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --device cuda",
     {"--device = cuda", "no GPU"},
     0},
    {"option: device",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --device abacus",
     {"--device = abacus", "need auto"},
     0},
    {"option: database",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --database absent.h5",
     {"absent.h5: No such file"},
     0},
    {"option: output empty",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --output=",
     {"--output = ''", "need a text"},
     0},
    {"grid of text",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml -o out.h5 --grid 8,eight,8,12",
     {"--grid = eight", "need a whole number from 4 to 8192"},
     0},
    {"grid of three",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8",
     {"--grid = 8,8,8", "need four numbers"},
     0},
    {"grid of five",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8,12,8",
     {"--grid = 8,8,8,12,8", "need four numbers"},
     0},
    {"grid that is no multiple of 4",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml -o out.h5 --grid 8,8,10,12",
     {"grid: 10 points for phi2", "need 4 to 8192 and a multiple of 4"},
     0},
    {"grid too fine",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml -o out.h5 --grid 8,8,8,8196",
     {"--grid = 8196", "need a whole number from 4 to 8192"},
     0},
    {"generate: terms text",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml --terms some",
     {"--terms = some", "need a whole number from 1"},
     0},
    {"generate: terms 0",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml --terms 0",
     {"--terms = 0", "from 1"},
     0},
    {"generate: threads",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml --threads 0",
     {"--threads = 0", "from 1"},
     0},
    {"generate into a folder that does not exist",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml -o absent/out.h5",
     {"absent/out.h5: cannot be created: No such file or directory"},
     0},
    {"generate over a folder",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml -o results",
     {"results: is a folder"},
     0},
    {"generate into no name",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml --output=",
     {"output file = ''"},
     0},
    {"validate: more terms than stored",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db validate copper.h5 -q --terms 100000",
     {"terms = 100000", "need 1 to the", stored_terms, "copper.h5 stores"},
     0},
    {"validate: points",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db validate copper.h5 --points 0",
     {"--points = 0", "from 1"},
     0},
    {"validate: seed",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db validate copper.h5 --seed x",
     {"--seed = x", "from 0"},
     0},
    /* command lines */
    {"slipwave-db: unknown command",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db create",
     {"unknown command 'create'", "need one of generate, inspect, validate"},
     0},
    {"slipwave: unknown command",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave tailor",
     {"unknown command 'tailor'", "need one of taylor"},
     0},
    {"generate: unknown option",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "material.yaml --frob",
     {"generate", "'--frob'"},
     0},
    {"inspect: unknown option",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db inspect copper.h5 -x",
     {"inspect", "'x'"},
     0},
    {"validate: unknown option",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db validate copper.h5 --x",
     {"validate", "'--x'"},
     0},
    {"taylor: unknown option", AS_IT_IS, NULL, NULL, TAYLOR "job.yaml --frob", {"taylor", "'--frob'"}, 0},
    {"option without its value",
     AS_IT_IS,
     NULL,
     NULL,
     TAYLOR "job.yaml --terms",
     {"'--terms'", "argument"},
     0},
    {"generate: no material",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate -o out.h5",
     {"needs a material file"},
     0},
    {"generate: no output",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db generate material.yaml",
     {"needs --output"},
     0},
    {"inspect: no database", AS_IT_IS, NULL, NULL, "slipwave-db inspect", {"inspect needs a database"}, 0},
    {"validate: no database", AS_IT_IS, NULL, NULL, "slipwave-db validate", {"validate needs a database"}, 0},
    {"taylor: no job", AS_IT_IS, NULL, NULL, "slipwave taylor", {"taylor needs a job file"}, 0},
    {"generate: two materials",
     AS_IT_IS,
     NULL,
     NULL,
     GENERATE "a.yaml b.yaml",
     {"one material", "a.yaml, b.yaml"},
     0},
    {"inspect: two databases", AS_IT_IS, NULL, NULL, "slipwave-db inspect a b", {"one database", "a, b"}, 0},
    {"validate: two databases",
     AS_IT_IS,
     NULL,
     NULL,
     "slipwave-db validate a b",
     {"one database", "a, b"},
     0},
    {"taylor: two jobs", AS_IT_IS, NULL, NULL, TAYLOR "a.yaml b.yaml", {"one job file", "a.yaml, b.yaml"}, 0},
};

enum { BAD_CASES = sizeof bad_cases / sizeof *bad_cases };

static void refuse_case(void **state)
{
    const bad_case *c = *state;
    char place[64];
    const char *part[PARTS + 1] = {NULL};
    memcpy(part, c->part, sizeof c->part);
    if (c->text != AS_IT_IS) {
        const char *text = c->text == JOB ? job_text : material_text, *at = strstr(text, c->old);
        assert_non_null(at);
        FILE *file = fopen("bad.yaml", "wb");
        assert_non_null(file);
        fprintf(file, "%.*s%s%s", (int)(at - text), text, c->new, at + strlen(c->old));
        assert_int_equal(fclose(file), 0);
        int line = 1;
        for (const char *t = text; t < at; t++)
            line += *t == '\n';
        snprintf(place, sizeof place, ": bad.yaml:%d: ", line);
        part[PARTS] = c->elsewhere ? NULL : place;
    }
    assert_refused_twice(c->command, PARTS + 1, part);
    unlink("bad.yaml");
}

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
    write_bytes("bad.h5", bytes, size - 1);
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

/* ---- A full disk, by a limit on the size of files that the programs inherit ---- */

static void full_disk_leaves_nothing(void **state)
{
    (void)state;
    struct rlimit before, full;
    const char *const part[] = {"out.h5", "File too large"};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    full = before;
    full.rlim_cur = 8192;
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    assert_refused_twice(GENERATE "material.yaml", 2, part);
    assert_refused_twice(TAYLOR "job.yaml", 2, part);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
}

/* ---- Interruptions ---- */

/* Run until the output's temporary file appears, send the signal, and wait. */
static int interrupt_run(const char *command, int number)
{
    char event[4096];
    const int watch = inotify_init1(IN_CLOEXEC), sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = 0, created = 0;
    assert_true(watch >= 0 && sink >= 0);
    assert_true(inotify_add_watch(watch, ".", IN_CREATE) >= 0);
    const pid_t child = start(command, sink, sink);
    struct pollfd ready = {.fd = watch, .events = POLLIN};
    while (!created && waitpid(child, &status, WNOHANG) == 0)
        created = poll(&ready, 1, 100) == 1;
    assert_true(created); /* the program was still at work */
    const ssize_t length = read(watch, event, sizeof event);
    assert_true(length > (ssize_t)sizeof(struct inotify_event));
    assert_memory_equal(event + sizeof(struct inotify_event), "out.h5.tmp.", strlen("out.h5.tmp."));
    kill(child, number);
    status = wait_for(child);
    close(watch);
    close(sink);
    return status;
}

static void assert_interrupted(const char *command, int number, int checkpoint)
{
    char before[4096], after[4096];
    for (int older = 0; older < 2; older++) {
        if (older)
            write_text("out.h5", "an older result\n");
        list_folder(before, sizeof before);
        assert_int_equal(interrupt_run(command, number), 130);
        assert_int_equal(unlink("out.h5.checkpoint"), checkpoint ? 0 : -1);
        list_folder(after, sizeof after);
        assert_string_equal(before, after);
    }
    unlink("out.h5");
}

static void interrupted_taylor_leaves_nothing(void **state)
{
    (void)state;
    FILE *file = fopen("long.yaml", "wb"); /* 70,000 steps of 4096 crystals: minutes */
    const char *duration = strstr(job_text, "duration: 50");
    assert_true(file != NULL && duration != NULL);
    fprintf(file, "%.*sduration: 1.0e6\noutput: {file: out.h5, orientations: [last]}\n",
            (int)(duration - job_text), job_text);
    assert_int_equal(fclose(file), 0);
    assert_interrupted(TAYLOR "long.yaml --count 4096", SIGINT, 0);
    assert_interrupted(TAYLOR "long.yaml --count 4096", SIGTERM, 0);
    unlink("long.yaml");
}

static void interrupted_generate_leaves_its_checkpoint(void **state)
{
    (void)state;
    /* 98,304 distinct points: many seconds */
    assert_interrupted("slipwave-db generate -q material.yaml -o out.h5 --grid 64,64,64,48", SIGINT, 1);
}

/* ---- What goes well ---- */

static void versions_and_help(void **state)
{
    (void)state;
    static const struct {
        const char *command, *part[3];
    } cases[] = {
        {"slipwave-db --version", {"slipwave-db " SW_VERSION "\n"}},
        {"slipwave --version", {"slipwave " SW_VERSION "\n"}},
        {"slipwave-db --help", {"generate ", "inspect ", "validate "}},
        {"slipwave --help", {"taylor "}},
        {"slipwave-db generate --help",
         {"Usage: slipwave-db generate", "--grid=N1,N2,N3,N4", "MATERIAL.yaml"}},
        {"slipwave-db inspect --help", {"Usage: slipwave-db inspect", "DB.h5"}},
        {"slipwave-db validate --help", {"Usage: slipwave-db validate", "--points=N", "DB.h5"}},
        {"slipwave taylor --help", {"Usage: slipwave taylor", "--solver=NAME", "JOB.yaml"}},
        {"slipwave taylor --usage", {"Usage: slipwave taylor", "[--solver=NAME]"}},
    };
    result r;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_well(cases[i].command, &r);
        for (int k = 0; k < 3 && cases[i].part[k] != NULL; k++)
            if (strstr(r.out, cases[i].part[k]) == NULL)
                fail_msg("%s: no '%s' in '%s'", cases[i].command, cases[i].part[k], r.out);
    }
    run("slipwave", &r); /* no command: the list of them, on stderr */
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "taylor "));
}

static hid_t open_results(const char *path)
{
    hid_t file;
    CHECK_OK(sw_h5_open(path, 0, &file));
    return file;
}

static double run_number(hid_t file, const char *name)
{
    double value;
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_numbers(group, name, 1, &value));
    H5Gclose(group);
    return value;
}

static void assert_run_text(hid_t file, const char *name, const char *expected)
{
    char *text;
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(group, name, &text));
    assert_string_equal(text, expected);
    free(text);
    H5Gclose(group);
}

static void results_have_what_the_format_says(void **state)
{
    (void)state;
    enum { ROWS = STEPS + 1 };
    double time[ROWS], strain[ROWS], resistance[ROWS], rate[ROWS];
    double f[ROWS][3][3], l[ROWS][3][3], stress[ROWS][3][3];
    float euler[CRYSTALS][3], density[101][101];
    const int64_t rows[3] = {ROWS, 3, 3}, angles[2] = {CRYSTALS, 3}, disk[2] = {101, 101};
    result r;
    write_text("out.h5", "an older result\n"); /* gives way to the complete one */
    run_well(TAYLOR "job.yaml", &r);
    assert_string_equal(r.out, "");
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "history/time", H5T_NATIVE_DOUBLE, 1, rows, time));
    CHECK_OK(sw_h5_read(file, "history/strain", H5T_NATIVE_DOUBLE, 1, rows, strain));
    CHECK_OK(sw_h5_read(file, "history/slip_resistance", H5T_NATIVE_DOUBLE, 1, rows, resistance));
    CHECK_OK(sw_h5_read(file, "history/slip_rate", H5T_NATIVE_DOUBLE, 1, rows, rate));
    CHECK_OK(sw_h5_read(file, "history/deformation_gradient", H5T_NATIVE_DOUBLE, 3, rows, f));
    CHECK_OK(sw_h5_read(file, "history/velocity_gradient", H5T_NATIVE_DOUBLE, 3, rows, l));
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, rows, stress));
    assert_true(time[0] == 0 && strain[0] == 0 && resistance[0] == 16e6 && stress[0][0][0] == 0);
    for (int n = 1; n < ROWS; n++) {
        assert_true(resistance[n] > resistance[n - 1] && rate[n] > 0);
        assert_true(l[n][0][0] == 1e-3 && l[n][2][2] == -1e-3 && l[n][0][1] == 0);
        assert_true(stress[n][0][0] - stress[n][2][2] > 0);
        /* a few hundred roundings of 1e-16 */
        CHECK_CLOSE(strain[n], sqrt(2.0) * 1e-3 * time[n], 1e-13);
        CHECK_CLOSE(f[n][0][0], exp(1e-3 * time[n]), 1e-13);
        CHECK_CLOSE(f[n][2][2], exp(-1e-3 * time[n]), 1e-13);
        CHECK_CLOSE(f[n][1][1], 1, 1e-13);
    }
    for (int n = 1; n < STEPS; n++)
        CHECK_CLOSE(strain[n], 0.02 * n, 1e-13);
    CHECK_CLOSE(time[STEPS], 50, 1e-12);
    CHECK_OK(sw_h5_read(file, "orientations/0/euler", H5T_NATIVE_FLOAT, 2, angles, euler));
    CHECK_OK(sw_h5_read(file, "orientations/4/euler", H5T_NATIVE_FLOAT, 2, angles, euler));
    CHECK_OK(sw_h5_read(file, "texture/4/pole_figure/111", H5T_NATIVE_FLOAT, 2, disk, density));
    for (int n = 0; n < CRYSTALS * 3; n++)
        assert_true(isfinite(euler[n / 3][n % 3]));
    for (int step = 1; step < STEPS; step++) {
        char name[32];
        snprintf(name, sizeof name, "orientations/%d", step);
        assert_false(sw_h5_exists(file, name));
    }
    assert_run_text(file, "job", job_text);
    assert_run_text(file, "program", "slipwave " SW_VERSION);
    assert_run_text(file, "solver", "terms");
    assert_run_text(file, "material", "OFHC copper");
    assert_true(run_number(file, "crystals") == CRYSTALS);
    assert_true(run_number(file, "steps") == STEPS);
    assert_true(run_number(file, "terms") == 32);
    assert_true(run_number(file, "refinement") == 4);
    assert_true(run_number(file, "seed") == 3);
    assert_true(run_number(file, "wall_time") > 0);
    assert_true(run_number(file, "crystal_steps_per_second") > 0);
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    assert_true(H5Aexists(group, "device") > 0);
    H5Gclose(group);
    H5Fclose(file);
    unlink("out.h5");
}

static void read_euler(const char *path, int64_t count, float euler[][3])
{
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_read(file, "orientations/0/euler", H5T_NATIVE_FLOAT, 2, (int64_t[]){count, 3}, euler));
    H5Fclose(file);
}

static void options_override_the_job(void **state)
{
    (void)state;
    float three[CRYSTALS][3], nine[7][3], listed[2][3];
    result r;
    run_well(TAYLOR "job.yaml", &r);
    read_euler("out.h5", CRYSTALS, three);
    unlink("out.h5");
    run_well(
        TAYLOR
        "job.yaml --solver terms --count 7 --seed 9 --refinement 2 --terms 16 --device cpu -j 1 -o other.h5",
        &r);
    assert_int_equal(access("out.h5", F_OK), -1);
    hid_t file = open_results("other.h5");
    assert_run_text(file, "solver", "terms");
    assert_run_text(file, "device", "cpu, 1 threads");
    assert_true(run_number(file, "crystals") == 7);
    assert_true(run_number(file, "seed") == 9);
    assert_true(run_number(file, "terms") == 16);
    assert_true(run_number(file, "refinement") == 2);
    H5Fclose(file);
    read_euler("other.h5", 7, nine);
    assert_memory_not_equal(three, nine, sizeof three);

    run_well(TAYLOR
             "job.yaml --crystals-file good.ori --solver iterative --material material.yaml -o other.h5",
             &r);
    file = open_results("other.h5");
    assert_run_text(file, "solver", "iterative");
    assert_true(run_number(file, "crystals") == 2);
    H5Fclose(file);
    read_euler("other.h5", 2, listed);
    CHECK_CLOSE(listed[1][0], 59 * M_PI / 180, 1e-6); /* floats near 1 */
    CHECK_CLOSE(listed[1][2], 63 * M_PI / 180, 1e-6);
    unlink("other.h5");
}

static void last_step_may_be_named_by_number(void **state)
{
    (void)state;
    const char *at = strstr(job_text, "[0, last]");
    FILE *job = fopen("numbered.yaml", "wb");
    assert_true(job != NULL && at != NULL);
    fprintf(job, "%.*s[01, 4]}\n", (int)(at - job_text), job_text);
    assert_int_equal(fclose(job), 0);
    result r;
    run_well(TAYLOR "numbered.yaml", &r);
    hid_t file = open_results("out.h5");
    assert_false(sw_h5_exists(file, "orientations/0"));
    assert_true(sw_h5_exists(file, "orientations/1/euler"));
    assert_true(sw_h5_exists(file, "orientations/4/euler"));
    H5Fclose(file);
    unlink("out.h5");
    unlink("numbered.yaml");
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
    snprintf(line, sizeof line, "terms           %s stored", stored_terms);
    assert_non_null(strstr(r.out, line));
    for (int pass = 0; pass < 2; pass++) { /* a second measurement replaces the first */
        run_well(pass ? "slipwave-db validate -q --points 4 --terms 9 measured.h5"
                      : "slipwave-db validate -q --points 4 --terms 17 --terms 33 measured.h5",
                 &r);
        assert_non_null(strstr(r.out, "RMS error over RMS value, 4 random points"));
        run_well("slipwave-db inspect measured.h5", &r);
        assert_null(strstr(r.out, "not measured"));
        assert_int_equal(strstr(r.out, "\n               9 ") != NULL, pass);
        assert_int_equal(strstr(r.out, "\n              33 ") != NULL, !pass);
    }
    unlink("measured.h5");
}

/* ---- The folder ---- */

static int make_folder(void **state)
{
    (void)state;
    const char *bin = getenv("SW_BIN"), *data = getenv("SW_DATA"), *base = getenv("TMPDIR");
    char path[PATH_MAX];
    size_t size;
    snprintf(path, sizeof path, "%s/materials/copper-ofhc.yaml", data ? data : "data");
    material_text = read_bytes(path, &size);
    if (realpath(bin ? bin : "build", programs) == NULL)
        return 1;
    snprintf(folder, sizeof folder, "%s/slipwave-bad-input-XXXXXX", base ? base : "/tmp");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("results", 0777) != 0)
        return 1;
    write_text("material.yaml", material_text);
    write_text("job.yaml", job_text);
    write_text("grains.ori", "0 0 0\n");
    write_text("empty.ori", "# nothing\n");
    write_text("bad.ori", "# phi1 Phi phi2\n10 20 30\n45 x 30\n");
    write_text("good.ori", "35 45 0\n59 37 63\n");
    result r;
    run_well("slipwave-db generate -q --grid 8,8,8,12 --terms all material.yaml -o copper.h5", &r);
    sw_database *database;
    CHECK_OK(sw_database_read("copper.h5", 0, &database));
    snprintf(stored_terms, sizeof stored_terms, "%lld", (long long)database->n_terms);
    sw_database_free(database);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    empty_folder();
    free(material_text);
    return chdir("/") | rmdir(folder);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(refuse_truncated_database),
        cmocka_unit_test(refuse_database_that_is_not_hdf5),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(interrupted_taylor_leaves_nothing),
        cmocka_unit_test(interrupted_generate_leaves_its_checkpoint),
        cmocka_unit_test(versions_and_help),
        cmocka_unit_test(results_have_what_the_format_says),
        cmocka_unit_test(options_override_the_job),
        cmocka_unit_test(last_step_may_be_named_by_number),
        cmocka_unit_test(inspect_shows_what_validate_measures),
    };
    static struct CMUnitTest tests[BAD_CASES + BAD_DATABASES + sizeof others / sizeof *others];
    for (int i = 0; i < BAD_CASES; i++)
        tests[i] =
            (struct CMUnitTest){bad_cases[i].name, refuse_case, NULL, NULL, (void *)(uintptr_t)&bad_cases[i]};
    for (int i = 0; i < BAD_DATABASES; i++)
        tests[BAD_CASES + i] = (struct CMUnitTest){bad_databases[i].name, refuse_database, NULL, NULL,
                                                   (void *)(uintptr_t)&bad_databases[i]};
    memcpy(tests + BAD_CASES + BAD_DATABASES, others, sizeof others);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
