/* HDF5 files: databases, results that are read again, states that runs go on from. Edits (edits.h) of files that the
 * programs wrote. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/system/progress.h"
#include "common/system/status.h"
#include "harness.h"
#include "offline/commands.h"
#include "offline/spectrum.h"
#include "online/dem/commands.h"
#include "online/dem/packing/packing.h"
#include "online/fem/commands.h"
#include "online/fem/grains/grains.h"
#include "online/kwn/commands.h"
#include "online/kwn/job/thermal_history.h"
#include "online/kwn/output/ageing.h"
#include "online/response/certificate/certificate.h"
#include "online/taylor/taylor.h"
#include "tests/online/texture/crystal_files.h"
#include "slipwave/kwn.h"

static void need_ok(sw_status status)
{
    sw_fuzz_need(status == SW_OK, "a file for the harness cannot be made");
}

/* ---- Databases and certificates ---- */

static void make_database(void)
{
    const sw_generate_options options = {
        .material = "copper.yaml", .output = "base.h5", .shape = {8, 4, 8, 12}, .terms = 40, .quiet = 1};
    need_ok(sw_generate(&options));
}

static void read_database(const char *path)
{
    sw_database *database = NULL;
    (void)sw_fuzz_is_read(sw_database_read(path, 0, &database));
    sw_database_free(database);
}

static void make_certificate(void)
{
    sw_certificate c = {.n_loadings = 1, .n_rows = 2, .crystals = 8, .threads = 1};
    make_database();
    snprintf(c.loading[0].name, sizeof c.loading[0].name, "tension");
    c.loading[0].is_plain = 1;
    snprintf(c.row[0].solver, sizeof c.row[0].solver, "grid");
    snprintf(c.row[1].solver, sizeof c.row[1].solver, "terms");
    c.row[1].terms = 16;
    need_ok(sw_certificate_store("base.h5", &c));
}

static void read_certificate(const char *path)
{
    sw_certificate c;
    sw_certified_choice choice;
    if (!sw_fuzz_is_read(sw_certificate_read(path, &c)))
        return;
    sw_fuzz_need(c.n_rows >= 1 && c.n_rows <= SW_CERTIFY_ROWS && c.n_loadings >= 1,
                 "a certificate of nothing");
    (void)sw_fuzz_is_read(sw_certificate_choose(&c, &(sw_certified_wish){.error = 0.1, .cpu = 1}, &choice));
}

/* ---- Runs ---- */

/* A command as the program runs it, but silently. */
static sw_status run(const sw_command *command, const char *file, int n, const char *const (*option)[2])
{
    fflush(stdout);
    const int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    const sw_status status = command->run(&(sw_arguments){file, n, option});
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(nowhere);
    close(out);
    return status;
}

static const char *const quiet[][2] = {{"quiet", ""}}, *const resume[][2] = {{"quiet", ""}, {"resume", ""}},
                         *const restart[][2] = {{"quiet", ""}, {"restart", "input.h5"}};

static void stop(void *context, sw_notice notice, const char *text)
{
    (void)context, (void)text;
    if (notice == SW_PROGRESS)
        raise(SIGINT);
}

/* A deck says what it has done. */
static void stop_at_note(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_NOTE && strstr(text, "time 0.5 of") != NULL)
        raise(SIGINT);
}

/* Runs that look whether they are asked to stop do so at once: no input may take the rest of a run. */
static void stop_runs(void)
{
    sw_interrupt_install();
    raise(SIGINT);
    (void)sw_interrupt_check(); /* or the process ended soon, many inputs coming to no such look */
    signal(SIGINT, SIG_DFL);
}

/* A run that is interrupted a moment after it began leaves its state, in `partial`. */
static void interrupt_by(sw_listener *listener, const sw_command *command, const char *file,
                         const char *partial)
{
    const pid_t child = fork();
    if (child == 0) {
        sw_listen(listener, NULL);
        sw_interrupt_install();
        const sw_status status = run(command, file, 0, NULL);
        if (status != SW_ERR_INTERRUPTED)
            fprintf(stderr, "%s: not interrupted: %s\n", file, sw_error_message());
        _exit(status == SW_ERR_INTERRUPTED ? 0 : 1);
    }
    int status = 1;
    sw_fuzz_need(child > 0 && waitpid(child, &status, 0) == child && status == 0,
                 "a run was not interrupted");
    sw_fuzz_need(rename(partial, "base.h5") == 0, "a run left no state");
    stop_runs();
}

static void interrupt(const sw_command *command, const char *file, const char *partial)
{
    interrupt_by(stop, command, file, partial);
}

static void make_taylor(void) { interrupt(&sw_taylor_command, "long-taylor.yaml", "taylor.h5.partial"); }
static void make_dem(void) { interrupt(&sw_dem_command, "long-dem.yaml", "dem.h5.partial"); }

static void make_deck(void) { interrupt_by(stop_at_note, &sw_fem_command, "deck.inp", "deck.h5.partial"); }

/* Its last block done, its results find a folder in their place. */
static void block_output(void *context, sw_notice notice, const char *text)
{
    (void)context, (void)text;
    if (notice == SW_NOTE && mkdir("kwn.h5", 0777) != 0 && errno != EEXIST) /* of several notes */
        abort();
}

/* All blocks of points, and no end: what is left is read, and becomes the results, without work. */
static void make_kwn(void)
{
    sw_ear before = sw_present_ear();
    sw_listen(block_output, NULL);
    sw_fuzz_need(run(&sw_kwn_command, "blocks.yaml", 0, NULL) != SW_OK, "results in place of a folder");
    sw_listen(before.listener, before.context);
    sw_fuzz_need(rmdir("kwn.h5") == 0 && rename("kwn.h5.partial", "base.h5") == 0, "a run left no state");
    stop_runs();
}

/* A state after an increment is a restart file; so is what an interrupted run leaves. */
static void run_fem(const char *file)
{
    need_ok(run(&sw_fem_command, file, 1, quiet));
    sw_fuzz_need(rename("fem-0002.restart.h5", "base.h5") == 0, "no restart file");
    unlink("fem.h5");
    stop_runs();
}

static void make_fem(void) { run_fem("fem.yaml"); }
static void make_crystals_fem(void) { run_fem("crystals.yaml"); }

/* Nothing is left for the next input. */
static void resume_run(const sw_command *command, const char *file, const char *partial)
{
    (void)sw_fuzz_is_read(run(command, file, 2, resume));
    unlink(partial);
}

static void read_taylor(const char *path)
{
    resume_run(&sw_taylor_command, "long-taylor.yaml", path);
    unlink("taylor.h5");
}

static void read_kwn(const char *path)
{
    (void)sw_fuzz_is_read(run(&sw_kwn_command, "blocks.yaml", 2, resume));
    unlink(path);
    if (sw_fuzz_taken())
        rename("kwn.h5", "results.h5");
}

static void read_fem(const char *path)
{
    resume_run(&sw_fem_command, "fem.yaml", path);
    unlink("fem.h5");
}

static void read_deck(const char *path)
{
    resume_run(&sw_fem_command, "deck.inp", path);
    unlink("deck.h5");
}

static void read_crystals_fem(const char *path)
{
    resume_run(&sw_fem_command, "crystals.yaml", path);
    unlink("fem.h5");
}

static void read_restart(const char *path)
{
    (void)path;
    (void)sw_fuzz_is_read(run(&sw_fem_command, "fem.yaml", 2, restart));
    unlink("fem.h5");
    unlink("fem.h5.partial");
}

static void read_dem(const char *path)
{
    resume_run(&sw_dem_command, "long-dem.yaml", path);
    unlink("dem.h5");
}

/* ---- Results that others read ---- */

static void make_crystals(void)
{
    need_ok(run(&sw_taylor_command, "taylor.yaml", 1, quiet));
    sw_fuzz_need(rename("taylor.h5", "base.h5") == 0, "no results");
}

static void read_crystals(const char *path)
{
    sw_crystal_list list = {0};
    if (sw_fuzz_is_read(read_crystal_file(path, NULL, &list)))
        sw_fuzz_need(list.count > 0, "no crystals");
    free(list.euler);
    free(list.weight);
}

static void make_aged(void)
{
    need_ok(run(&sw_kwn_command, "kwn.yaml", 1, quiet));
    sw_fuzz_need(rename("kwn.h5", "base.h5") == 0, "no results");
}

static void make_map(void)
{
    need_ok(run(&sw_kwn_map_command, "map.yaml", 1, quiet));
    sw_fuzz_need(rename("kwn.h5", "base.h5") == 0, "no results");
}

static void read_aged(const char *path)
{
    sw_kwn_slip_resistance s;
    const char *fault;
    (void)sw_fuzz_is_read(sw_kwn_read_slip_resistance(&(sw_kwn_state){path, 150.0, 0}, &fault, &s));
}

/* ---- Inputs of other programs ---- */

static void make_grains(void)
{
    const int32_t grain[12] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    sw_h5_output output;
    need_ok(sw_h5_begin("base.h5", &output));
    need_ok(sw_h5_write(output.file, "grain", H5T_NATIVE_INT32, 3, (int64_t[]){2, 3, 2}, grain));
    need_ok(sw_h5_commit(&output));
}

static void read_grains(const char *path)
{
    int32_t grain[12];
    int64_t n;
    if (sw_fuzz_is_read(sw_fem_grains_read(path, NULL, 12, grain, &n)))
        for (int i = 0; i < 12; i++)
            sw_fuzz_need(grain[i] >= 0 && grain[i] < n, "a grain that is none");
}

static void make_packing(void)
{
    need_ok(run(&sw_dem_command, "pack.yaml", 1, quiet));
    sw_fuzz_need(rename("sand-0000.vtkhdf", "base.vtkhdf") == 0, "no packing");
}

static void read_packing(const char *path)
{
    sw_dem_packing packing = {0};
    (void)sw_fuzz_is_read(sw_dem_packing_read(path, &packing));
    sw_dem_packing_free(&packing);
}

static sw_kwn_alloy *alloy;

static void make_history(void)
{
    const double time[3] = {0, 10, 30};
    const float temperature[2][3] = {{300, 310, 330}, {400, 420, 460}};
    const double composition[2][2] = {{0.4, 0.5}, {0.5, 0.6}};
    sw_h5_output output;
    need_ok(sw_kwn_alloy_open("alloy.yaml", &alloy));
    need_ok(sw_h5_begin("base.h5", &output));
    need_ok(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){3}, time));
    need_ok(sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){2, 3}, temperature));
    need_ok(sw_h5_write(output.file, "composition", H5T_NATIVE_DOUBLE, 2, (int64_t[]){2, 2}, composition));
    need_ok(sw_h5_commit(&output));
}

static void read_history(const char *path)
{
    sw_kwn_history history = {0};
    if (!sw_fuzz_is_read(sw_kwn_history_open(path, alloy, &history)))
        return;
    float *temperature = calloc((size_t)history.n_knots, sizeof *temperature);
    double composition[64];
    if (temperature != NULL && history.n_points > 0)
        (void)sw_fuzz_is_read(
            sw_kwn_history_read(&history, alloy, history.n_points - 1, 1, temperature, composition));
    free(temperature);
    sw_kwn_history_free(&history);
}

/* ---- What generate keeps: bytes, a digest a block ---- */

static sw_status generate(int again)
{
    sw_response_grid grid = {0};
    sw_generate_options options = {.material = "copper.yaml",
                                   .output = "kept.h5",
                                   .shape = {4, 4, 4, 12},
                                   .terms = 40,
                                   .device = SW_DEVICE_CPU,
                                   .resume = again,
                                   .quiet = 1};
    need_ok(sw_response_grid_create(&sw_point_group_432, options.shape, &grid));
    const sw_spectrum_options ranking = {.pairs = sw_pairs_of_terms(options.terms)};
    options.memory = sw_spectrum_memory(&grid, &ranking, 4); /* so that there are two sweeps */
    sw_response_grid_destroy(&grid);
    return sw_generate(&options);
}

/* After the name was found to be free. */
static void block_database(void *context, sw_notice notice, const char *text)
{
    (void)context;
    if (notice == SW_NOTE && strstr(text, "in two sweeps") != NULL && mkdir("kept.h5", 0777) != 0)
        abort();
}

/* All points and both sweeps are done, and there is no database. */
static void make_kept(void)
{
    sw_ear before = sw_present_ear();
    sw_listen(block_database, NULL);
    sw_fuzz_need(generate(0) != SW_OK, "a database in place of a folder");
    sw_listen(before.listener, before.context);
    sw_fuzz_need(rmdir("kept.h5") == 0 && rename("kept.h5.checkpoint", "base.checkpoint") == 0 &&
                     rename("kept.h5.sweeps", "base.sweeps") == 0,
                 "a run left no state");
}

/* base -> path. */
static void put(const char *base, const char *path)
{
    size_t size;
    char *bytes = sw_fuzz_bytes(base, &size);
    sw_fuzz_write(path, bytes, size);
    free(bytes);
}

static void go_on(void)
{
    if (sw_fuzz_is_read(generate(1)))
        rename("kept.h5", "results.h5");
}

static void read_points(const char *path)
{
    (void)path;
    put("base.sweeps", "kept.h5.sweeps");
    go_on();
}

static void read_sweeps(const char *path)
{
    (void)path;
    put("base.checkpoint", "kept.h5.checkpoint");
    go_on();
}

#define KEPT(h, f, b) \
    .name = (h), .file = (f), .base = (b), .is_bytes = 1, .prepare = make_kept, .results = "results.h5"
const sw_fuzz_harness sw_fuzz_kept[] = {
    {KEPT("points", "kept.h5.checkpoint", "base.checkpoint"), .read = read_points},
    {KEPT("sweeps", "kept.h5.sweeps", "base.sweeps"), .read = read_sweeps},
    {0}};

/* ---- The table ---- */

#define EDITED(h, f, b) .name = (h), .file = (f), .base = (b), .most = 48
const sw_fuzz_harness sw_fuzz_files[] = {
    {EDITED("database", "input.h5", "base.h5"), .read = read_database, .prepare = make_database},
    {EDITED("certificate", "input.h5", "base.h5"), .read = read_certificate, .prepare = make_certificate},
    {EDITED("crystals_h5", "input.h5", "base.h5"), .read = read_crystals, .prepare = make_crystals},
    {EDITED("grains_h5", "input.h5", "base.h5"), .read = read_grains, .prepare = make_grains},
    {EDITED("packing_h5", "input.vtkhdf", "base.vtkhdf"), .read = read_packing, .prepare = make_packing},
    {EDITED("history", "input.h5", "base.h5"), .read = read_history, .prepare = make_history},
    {EDITED("aged", "input.h5", "base.h5"), .read = read_aged, .prepare = make_aged},
    {EDITED("aged_map", "input.h5", "base.h5"), .read = read_aged, .prepare = make_map},
    {EDITED("taylor_partial", "taylor.h5.partial", "base.h5"), .read = read_taylor, .prepare = make_taylor},
    {EDITED("kwn_partial", "kwn.h5.partial", "base.h5"), .read = read_kwn, .prepare = make_kwn,
     .results = "results.h5"},
    {EDITED("fem_partial", "fem.h5.partial", "base.h5"), .read = read_fem, .prepare = make_fem},
    {EDITED("fem_restart", "input.h5", "base.h5"), .read = read_restart, .prepare = make_fem},
    {EDITED("fem_crystals", "fem.h5.partial", "base.h5"), .read = read_crystals_fem,
     .prepare = make_crystals_fem},
    {EDITED("dem_partial", "dem.h5.partial", "base.h5"), .read = read_dem, .prepare = make_dem},
    {EDITED("deck_partial", "deck.h5.partial", "base.h5"), .read = read_deck, .prepare = make_deck},
    {0}};
