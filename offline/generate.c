#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/files/hdf5_io.h"
#include "common/job/partial.h"
#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/crystal/material_file.h"
#include "common/files/text.h"
#include "integrate.h"
#include "online/gpu/gpu.h"
#include "spectrum.h"

/* What runs keep beside the database, until it is written. */
typedef struct {
    char points[4096], sweeps[4096];
    double started; /* s, of sw_seconds */
} kept_files;

/* As asked for, else four fifths of what is free, and enough for one output at a time. */
static double memory_for(const sw_generate_options *options, const sw_spectrum_options *how,
                         const sw_response_grid *grid)
{
    const double least = sw_spectrum_memory(grid, how, 1), free_now = sw_spectrum_available(how->gpu);
    if (options->memory > 0 || !(free_now > 0))
        return options->memory;
    return fmax(least, 0.8 * free_now);
}

/* Find out before an hour of work, not after, that there is too little. */
static sw_status check_memory(const sw_response_grid *grid, const sw_spectrum_options *how)
{
    int together;
    SW_TRY(sw_spectrum_together(grid, how, &together));
    if (together < grid->outputs && sw_parallel_rank() == 0)
        sw_note(
            "memory: %.3g GB for all outputs together, %.3g GB to be used: %d of %d at a time, in two sweeps",
            1e-9 * sw_spectrum_memory(grid, how, grid->outputs), 1e-9 * how->memory, together, grid->outputs);
    return SW_OK;
}

/* The integrated grid -> terms, on rank 0. */
static sw_status rank(const sw_generate_options *options, const kept_files *kept,
                      const sw_spectrum_options *how, const sw_response_grid *grid, sw_database *database)
{
    const sw_status status = sw_spectrum_rank_within(grid, how, database);
    char message[600];
    database->generation_seconds = options->resume ? 0 : sw_seconds() - kept->started;
    if (status == SW_OK)
        return sw_database_write(options->output, database);
    snprintf(message, sizeof message, "%.599s", sw_error_message());
    return sw_error(status, "%s; all points are kept in %s: --resume goes on", message, kept->points);
}

static sw_status fill(const sw_generate_options *options, int gpu, const kept_files *kept,
                      const sw_increment *increment, sw_response_grid *grid, sw_database *database)
{
    const sw_integrate_options integration = {
        .checkpoint = kept->points, .resume = options->resume, .gpu = gpu, .quiet = options->quiet};
    const sw_point_group *group = sw_material_lattice(&database->material)->group;
    int64_t shape[4];
    memcpy(shape, options->shape, sizeof shape);
    if (shape[2] == 0)
        shape[2] = SW_GRID_SECTOR * group->fold;
    SW_TRY(sw_response_grid_create(group, shape, grid));
    /* of a law of four coplanar resistances how planes share slip, while these are equal */
    sw_material integrated = database->material;
    grid->outputs = sw_plane_law_of(&integrated, NULL) ? SW_OUTPUTS_MOST : SW_OUTPUTS;
    sw_material_equal_planes(&integrated);
    sw_spectrum_options how = {.pairs = sw_pairs_of_terms(options->terms),
                               .checkpoint = kept->sweeps,
                               .key = sw_integrate_key(grid, &integrated, increment),
                               .resume = options->resume,
                               .gpu = gpu,
                               .quiet = options->quiet};
    how.memory = memory_for(options, &how, grid);
    SW_TRY(check_memory(grid, &how));
    SW_TRY(sw_integrate_grid(grid, &integrated, increment, &integration));
    return sw_parallel_rank() == 0 ? rank(options, kept, &how, grid, database) : SW_OK;
}

static sw_increment increment_of(const sw_generate_options *options, const sw_material *material)
{
    sw_increment increment = sw_increment_default(material);
    if (options->strain_increment > 0)
        increment.strain_increment = options->strain_increment;
    if (options->strain_rate > 0)
        increment.strain_rate = options->strain_rate;
    return increment;
}

/* Before anything is computed. */
static sw_status meet_what_is_left(const sw_generate_options *options, const kept_files *kept)
{
    SW_TRY(sw_partial_meet(kept->points, access(kept->points, F_OK) == 0, options->resume));
    return options->resume || access(kept->sweeps, F_OK) != 0 ? SW_OK : sw_partial_refuse(kept->sweeps);
}

/* Every rank takes a GPU, or none does. */
static sw_status choose_device(sw_device_choice device, int *gpu)
{
    char name[160] = "";
    *gpu = sw_gpu_everywhere(device != SW_DEVICE_CPU, name, sizeof name);
    const char *why = strncmp(name, "none: ", 6) == 0 ? name + 6 : name;
    if (!*gpu && device == SW_DEVICE_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "--device = cuda: no GPU%s: %s",
                        sw_parallel_size() > 1 ? " for every process" : "", why);
    return *gpu ? sw_gpu_use(NULL) : SW_OK;
}

sw_status sw_generate(const sw_generate_options *options)
{
    sw_response_grid grid = {0};
    sw_database *database;
    kept_files kept = {.started = sw_seconds()};
    sw_claim claim = {0};
    sw_status status = SW_ALLOCATE(database, 1, "database");
    if (status != SW_OK)
        goto done;
    SW_TRY_GOTO(status, sw_read_text(options->material, &database->material_text), done);
    SW_TRY_GOTO(status, sw_material_parse(options->material, database->material_text, &database->material),
                done);
    SW_TRY_GOTO(status, sw_database_check_material(options->material, 1, &database->material), done);
    if (sw_same_file(options->material, options->output)) {
        status = sw_error(SW_ERR_INPUT, "--output = %s: is the material file", options->output);
        goto done;
    }
    if (sw_parallel_rank() == 0)
        SW_TRY_GOTO(status, sw_h5_claim(options->output, &claim), done);
    const sw_increment increment = increment_of(options, &database->material);
    database->strain_increment = increment.strain_increment;
    database->strain_rate = increment.strain_rate;
    database->initial_slip_resistance = increment.slip_resistance;
    snprintf(kept.points, sizeof kept.points, "%s.checkpoint", options->output);
    snprintf(kept.sweeps, sizeof kept.sweeps, "%s.sweeps", options->output);
    SW_TRY_GOTO(status, meet_what_is_left(options, &kept), done);
    int gpu;
    SW_TRY_GOTO(status, choose_device(options->device, &gpu), done);
    status = fill(options, gpu, &kept, &increment, &grid, database);
    if (status == SW_OK && sw_parallel_rank() == 0) {
        unlink(kept.points);
        unlink(kept.sweeps);
    }
done:
    sw_claim_release(&claim);
    sw_response_grid_destroy(&grid);
    sw_database_free(database);
    return status;
}
