/* A database of copper with all terms, made in memory: for tests of what consumes it. */
#ifndef SW_TESTS_COPPER_DATABASE_H
#define SW_TESTS_COPPER_DATABASE_H

#include "tests/test.h"

#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"

static sw_database database;

/* Of so many points along each angle and in theta; 0, or -1 where it cannot be made. */
static inline int make_copper_database(int64_t angles, int64_t thetas)
{
    const int64_t shape[4] = {angles, angles, angles, thetas};
    sw_response_grid grid;
    database.material = copper();
    const sw_increment increment = sw_increment_default(&database.material);
    const int failed =
        sw_response_grid_create(&sw_point_group_432, shape, &grid) ||
        sw_integrate_grid(&grid, &database.material, &increment, &(sw_integrate_options){.quiet = 1}) ||
        sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &database);
    sw_response_grid_destroy(&grid);
    return failed ? -1 : 0;
}

/* The tear-down of a group of tests with it. */
static inline int free_copper_database(void **state)
{
    (void)state;
    free(database.wavevector);
    free(database.coefficient);
    free(database.weight);
    free(database.magnitude);
    return 0;
}

#endif
