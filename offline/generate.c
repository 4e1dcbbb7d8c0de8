#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/hdf5_io.h"
#include "common/yaml_input.h"
#include "spectrum.h"

static sw_status fill(const sw_generate_options *options, const sw_increment *increment,
                      sw_response_grid *grid, sw_database *database)
{
    sw_integration_statistics statistics = {0};
    SW_TRY(sw_response_grid_create(options->shape, grid));
    SW_TRY(sw_response_grid_integrate(grid, &database->material, increment, options->quiet, &statistics));
    if (!options->quiet)
        fprintf(stderr, "integrate: %.1f steps and %.1f iterations a point, %lld steps halved\n",
                (double)statistics.steps / (double)grid->n_points,
                (double)statistics.iterations / (double)grid->n_points, (long long)statistics.halvings);
    return sw_spectrum_rank(grid, options->terms, options->quiet, database);
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
    sw_status status = SW_ALLOCATE(database, 1, "database");
    if (status != SW_OK)
        goto done;
    SW_TRY_GOTO(status, sw_read_text(options->material, &database->material_text), done);
    SW_TRY_GOTO(status, sw_material_parse(options->material, database->material_text, &database->material),
                done);
    SW_TRY_GOTO(status, check_writable(options->output), done);
    const sw_increment increment = sw_increment_default(&database->material);
    database->strain_increment = increment.strain_increment;
    database->strain_rate = increment.strain_rate;
    database->initial_slip_resistance = increment.slip_resistance;
    SW_TRY_GOTO(status, fill(options, &increment, &grid, database), done);
    status = sw_database_write(options->output, database);
done:
    sw_response_grid_destroy(&grid);
    sw_database_free(database);
    return status;
}
