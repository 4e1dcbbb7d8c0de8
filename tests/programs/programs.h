/* What tests of the programs share: a folder to work in, running a command, and refusals.
 *
 * A refusal is exit status 1 and one line on stderr; every file in the working folder, an older result
 * included, stays as it was. */
#ifndef SW_TESTS_PROGRAMS_PROGRAMS_H
#define SW_TESTS_PROGRAMS_PROGRAMS_H

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

#include "common/database/database.h"
#include "common/files/hdf5_io.h"

static char folder[PATH_MAX]; /* absolute; "" until enter_folder has made it */
static char programs[PATH_MAX];
static char *material_text;
static char stored_terms[32]; /* of copper.h5, as messages give it */

static const char job_text[] = "database: copper.h5\n"
                               "solver: terms\n"
                               "terms: 64\n"
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

static inline void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_text(const char *path, const char *text) { write_bytes(path, text, strlen(text)); }

/* `text` with its first `old` replaced by `new`, as a file. */
static inline void write_edited(const char *path, const char *text, const char *old, const char *new)
{
    write_text(path, edited(text, old, new));
}

/* Content, NUL-terminated; released with free(). */
static inline char *read_bytes(const char *path, size_t *size)
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
static inline void list_folder(char *list, size_t size)
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

/* What a killed run leaves that is no result: the next one clears it. */
static inline void remove_leftovers(void)
{
    struct dirent **entry;
    const int count = scandir(".", &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *end = strrchr(entry[i]->d_name, '.');
        if (strstr(entry[i]->d_name, ".tmp.") != NULL || (end != NULL && strcmp(end, ".lock") == 0))
            unlink(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

/* ---- Running a program ---- */

typedef struct {
    int status; /* of exit; -1 after a signal */
    char out[1 << 16], err[1 << 16];
} result;

static inline void read_back(FILE *file, char *text, size_t size)
{
    rewind(file);
    const size_t length = fread(text, 1, size - 1, file);
    text[length] = '\0';
    assert_true(feof(file)); /* all of it fits */
    fclose(file);
}

/* Start "PROGRAM ARGUMENT ..."; words are parted by single blanks. */
static inline pid_t start(const char *command, int out, int err)
{
    char words[512], path[PATH_MAX + 32], *argument[32], *rest = words;
    int count = 0;
    assert_true(strlen(command) < sizeof words);
    strcpy(words, command);
    while (count < 31 && (argument[count] = strsep(&rest, " ")) != NULL)
        count++;
    argument[count] = NULL;
    if (strcmp(argument[0], "mpirun") == 0)
        snprintf(path, sizeof path, "mpirun"); /* wherever it is */
    else
        snprintf(path, sizeof path, "%s/%s", programs, argument[0]);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        execvp(path, argument);
        _exit(127);
    }
    return child;
}

static inline int wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline void run(const char *command, result *r)
{
    FILE *out = tmpfile(), *err = tmpfile();
    assert_true(out != NULL && err != NULL);
    r->status = wait_for(start(command, fileno(out), fileno(err)));
    read_back(out, r->out, sizeof r->out);
    read_back(err, r->err, sizeof r->err);
}

static inline void run_well(const char *command, result *r)
{
    run(command, r);
    if (r->status != 0 || r->err[0] != '\0')
        fail_msg("%s: exit status %d, stderr '%s'", command, r->status, r->err);
}

static inline void assert_one_line(const char *command, const result *r)
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
static inline void assert_refused(const char *command, int n_parts, const char *const *part)
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
static inline void assert_refused_twice(const char *command, int n_parts, const char *const *part)
{
    unlink("out.h5");
    assert_refused(command, n_parts, part);
    write_text("out.h5", "an older result\n");
    assert_refused(command, n_parts, part);
    unlink("out.h5");
}

/* saved.h5 with a number that no run would have written is refused; it is as before then. */
static inline void refuse_number(const char *command, const char *name, int64_t place, double value,
                                 const char *part)
{
    hid_t file;
    CHECK_OK(sw_h5_open("saved.h5", 1, &file));
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
    double *all = calloc((size_t)H5Sget_simple_extent_npoints(space), sizeof *all);
    assert_non_null(all);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    const double kept = all[place];
    for (int back = 0; back < 2; back++) {
        all[place] = back ? kept : value;
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
        H5Fflush(file, H5F_SCOPE_GLOBAL);
        if (!back)
            assert_refused_twice(command, 1, &part);
    }
    free(all);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* ---- Bad text and bad options ---- */

enum { PARTS = 4 };

typedef enum { AS_IT_IS, JOB, MATERIAL } edited_text;

#define GENERATE "slipwave-db generate -q --grid 8,8,8,12 --terms all -o out.h5 "
#define TAYLOR "slipwave taylor -q "

/* A full disk, by a limit of 8 KiB on the size of files that the programs inherit; or no longer. */
static inline void fill_disk(int full)
{
    static struct rlimit before;
    static void (*handler)(int);
    if (full) {
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        handler = signal(SIGXFSZ, SIG_IGN);
    }
    const struct rlimit limit = {full ? 8192 : before.rlim_cur, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    if (!full)
        signal(SIGXFSZ, handler);
}

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

/* Rows: a command with files as they are; with the text edited; with that, and another file to blame. */
#define COMMAND(name, command, ...)                           \
    {                                                         \
        name, AS_IT_IS, NULL, NULL, command, {__VA_ARGS__}, 0 \
    }
#define EDIT(name, text, old, new, command, ...)        \
    {                                                   \
        name, text, old, new, command, {__VA_ARGS__}, 0 \
    }
#define ELSEWHERE(name, text, old, new, command, ...)   \
    {                                                   \
        name, text, old, new, command, {__VA_ARGS__}, 1 \
    }

static inline void refuse_case(void **state)
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

/* ---- Interruptions ---- */

/* Whether one of the events [length] is of a file whose name begins so. */
static inline int is_created(const char *event, ssize_t length, const char *start)
{
    for (ssize_t at = 0; at < length;) {
        struct inotify_event e;
        memcpy(&e, event + at, sizeof e);
        if (e.len > 0 && strncmp(event + at + sizeof e, start, strlen(start)) == 0)
            return 1;
        at += (ssize_t)(sizeof e + e.len);
    }
    return 0;
}

/* Run until a file whose name begins so appears, send the signal, and wait. */
static inline int interrupt_run(const char *command, int number, const char *start_of_name)
{
    char event[4096];
    const int watch = inotify_init1(IN_CLOEXEC), sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = 0, created = 0;
    assert_true(watch >= 0 && sink >= 0);
    assert_true(inotify_add_watch(watch, ".", IN_CREATE) >= 0);
    const pid_t child = start(command, sink, sink);
    struct pollfd ready = {.fd = watch, .events = POLLIN};
    while (!created && waitpid(child, &status, WNOHANG) == 0)
        if (poll(&ready, 1, 100) == 1)
            created = is_created(event, read(watch, event, sizeof event), start_of_name);
    if (created)
        kill(child, number);
    status = created ? wait_for(child) : -1;
    close(watch);
    close(sink);
    assert_true(created); /* the program was still at work */
    return status;
}

static inline void assert_interrupted(const char *command, int number, int checkpoint)
{
    char before[4096], after[4096];
    for (int older = 0; older < 2; older++) {
        if (older)
            write_text("out.h5", "an older result\n");
        list_folder(before, sizeof before);
        assert_int_equal(interrupt_run(command, number, checkpoint ? "out.h5.checkpoint" : "out.h5.tmp."),
                         130);
        assert_int_equal(unlink("out.h5.checkpoint"), checkpoint ? 0 : -1);
        list_folder(after, sizeof after);
        assert_string_equal(before, after);
    }
    unlink("out.h5");
}

/* Whether a run that is at work has come as far as to be stopped; it may look at it. */
typedef int far_enough(void);

static inline int is_kept(void) { return access("out.h5.partial", F_OK) == 0; }

/* Wait for a run's state to be kept: the run must be long enough not to end before. */
static inline void wait_until_kept(pid_t child)
{
    int status;
    while (!is_kept()) {
        assert_int_equal(waitpid(child, &status, WNOHANG), 0); /* still at work */
        usleep(1000);
    }
}

/* Start a run and send a signal once it is far enough; its exit status. On a busy machine it may have ended before the
 * signal: then once more. */
static inline int stop_when(far_enough *reached, const char *command, int number)
{
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int status = 0;
    for (int attempt = 0; attempt < 10; attempt++) {
        const pid_t child = start(command, sink, sink);
        int ended = 0;
        while (!reached() && !(ended = waitpid(child, &status, WNOHANG) == child))
            usleep(500);
        if (!ended) {
            kill(child, number);
            assert_int_equal(waitpid(child, &status, 0), child);
        }
        if (is_kept()) {
            close(sink);
            remove_leftovers();
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        unlink("out.h5");
    }
    fail_msg("%s: ends before it can be stopped", command);
    return 0;
}

static inline int stop_after_first(const char *command, int number)
{
    return stop_when(is_kept, command, number);
}

/* ---- Results ---- */

static inline hid_t open_results(const char *path)
{
    hid_t file;
    CHECK_OK(sw_h5_open(path, 0, &file));
    return file;
}

static inline double run_number(hid_t file, const char *name)
{
    double value;
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_numbers(group, name, 1, &value));
    H5Gclose(group);
    return value;
}

static inline void assert_run_text(hid_t file, const char *name, const char *expected)
{
    char *text;
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(group, name, &text));
    assert_string_equal(text, expected);
    free(text);
    H5Gclose(group);
}

/* ---- The folder ---- */

/* Find the programs, make a folder and work in it. Returns 0. */
static inline int enter_folder(void)
{
    const char *bin = getenv("SW_BIN"), *base = getenv("TMPDIR");
    char name[PATH_MAX];
    if (realpath(bin ? bin : "build", programs) == NULL)
        return 1;
    snprintf(name, sizeof name, "%s/slipwave-programs-XXXXXX", base ? base : "/tmp");
    if (mkdtemp(name) == NULL || realpath(name, folder) == NULL) {
        folder[0] = '\0';
        return 1;
    }
    return chdir(folder) != 0 || mkdir("results", 0777) != 0;
}

/* Of the repository's data folder, NUL-terminated; released with free(). */
static inline char *read_data(const char *name)
{
    size_t size;
    return read_bytes(data_path("%s", name), &size);
}

static inline int make_folder(void **state)
{
    (void)state;
    material_text = read_data("materials/copper-ofhc.yaml");
    if (enter_folder() != 0)
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
    snprintf(stored_terms, sizeof stored_terms, "%lld", (long long)sw_database_terms(database));
    sw_database_free(database);
    return 0;
}

/* The folder that enter_folder made, under its own name wherever the process is: CMocka calls this after a
 * set-up that failed, too, and the process may still be in the user's own folder then. */
static inline int remove_folder(void **state)
{
    (void)state;
    free(material_text);
    if (folder[0] == '\0')
        return 0;
    DIR *made = opendir(folder);
    if (made == NULL)
        return 1;
    for (const struct dirent *entry; (entry = readdir(made)) != NULL;)
        if (unlinkat(dirfd(made), entry->d_name, 0) != 0) /* a folder, such as results */
            unlinkat(dirfd(made), entry->d_name, AT_REMOVEDIR);
    closedir(made);
    return chdir("/") | rmdir(folder);
}

/* A test for each row of a table of bad cases, and others. */
static inline int run_cases(const bad_case *cases, int n_cases, const struct CMUnitTest *others, int n_others)
{
    struct CMUnitTest tests[256];
    if (n_cases + n_others > 256)
        return 1;
    for (int i = 0; i < n_cases; i++)
        tests[i] = (struct CMUnitTest){cases[i].name, refuse_case, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    for (int i = 0; i < n_others; i++)
        tests[n_cases + i] = others[i];
    return _cmocka_run_group_tests("programs", tests, (size_t)(n_cases + n_others), make_folder,
                                   remove_folder);
}

#define RUN_CASES(cases, others) \
    run_cases(cases, (int)(sizeof(cases) / sizeof *(cases)), others, (int)(sizeof(others) / sizeof *(others)))

/* ---- Results ---- */

/* A dataset of numbers, released with free(). */
static inline double *read_set(hid_t file, const char *name, int rank, const int64_t *shape)
{
    int64_t size = 1;
    for (int i = 0; i < rank; i++)
        size *= shape[i];
    double *data = calloc((size_t)size, sizeof *data);
    assert_non_null(data);
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, rank, shape, data));
    return data;
}

/* One number of a dataset of any shape, by its place in row order. */
static inline double number_at(hid_t file, const char *name, int rank, const int64_t *shape, int64_t place)
{
    double *data = read_set(file, name, rank, shape);
    const double value = data[place];
    free(data);
    return value;
}

#endif
