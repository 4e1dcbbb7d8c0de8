#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/files/hdf5_io.h"
#include "common/system/parallel.h"
#include "common/crystal/material_file.h"
#include "common/files/text.h"
#include "integrate.h"
#include "spectrum.h"

static sw_status fill(const sw_generate_options *options, const char *checkpoint,
                      const sw_increment *increment, sw_response_grid *grid, sw_database *database)
{
    const sw_integrate_options how = {checkpoint, options->resume, options->quiet};
    SW_TRY(sw_response_grid_create(options->shape, grid));
    SW_TRY(sw_integrate_grid(grid, &database->material, database->material_text, increment, &how));
    if (sw_parallel_rank() != 0)
        return SW_OK;
    SW_TRY(sw_spectrum_rank(grid, options->terms, options->quiet, database));
    return sw_database_write(options->output, database);
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

/* Find out before an hour of work, not after, that the result cannot be written. */
static sw_status check_writable(const char *path)
{
    sw_h5_output probe;
    SW_TRY(sw_h5_begin(path, &probe));
    sw_h5_abandon(&probe);
    return SW_OK;
}

sw_status sw_generate(const sw_generate_options *options)
{
    sw_response_grid grid = {0};
    sw_database *database;
    char checkpoint[4096];
    sw_status status = SW_ALLOCATE(database, 1, "database");
    if (status != SW_OK)
        goto done;
    SW_TRY_GOTO(status, sw_read_text(options->material, &database->material_text), done);
    SW_TRY_GOTO(status, sw_material_parse(options->material, database->material_text, &database->material),
                done);
    if (sw_same_file(options->material, options->output)) {
        status = sw_error(SW_ERR_INPUT, "--output = %s: is the material file", options->output);
        goto done;
    }
    if (sw_parallel_rank() == 0)
        SW_TRY_GOTO(status, check_writable(options->output), done);
    const sw_increment increment = increment_of(options, &database->material);
    database->strain_increment = increment.strain_increment;
    database->strain_rate = increment.strain_rate;
    database->initial_slip_resistance = increment.slip_resistance;
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", options->output);
    status = fill(options, checkpoint, &increment, &grid, database);
    if (status == SW_OK && sw_parallel_rank() == 0)
        unlink(checkpoint);
done:
    sw_response_grid_destroy(&grid);
    sw_database_free(database);
    return status;
}
