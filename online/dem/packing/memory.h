/* What an element remembers beside particles and pairs' contacts, as arrays of numbers by name: so it goes to a file and
 * back. Dimensions: P particles, W walls (platens first), K clumps, C pairs of the list. */
#ifndef SW_ONLINE_DEM_PACKING_MEMORY_H
#define SW_ONLINE_DEM_PACKING_MEMORY_H

#include "common/system/status.h"
#include "slipwave/dem.h"

/* Array of field data; numbers of a row, 0: any; what a row is. */
#define SW_DEM_MEMORY_LIST(X)                                                                            \
    X(SETUP, "run_setup", 19,                                                                            \
      "[1 + M] sides, gravity (3), time scale, walls' friction (10); a material's numbers")              \
    X(RUN, "run_state", 0, "[1] what was measured last, sums of work, time")                             \
    X(POSITION, "run_position", 3, "[P] m, where particles are that a periodic side took into the cell") \
    X(DISPLACEMENT, "run_displacement", 3, "[P] m, since the list was made")                             \
    X(PAIR, "run_pair", 2, "[C] particle a; particle b and its image")                                   \
    X(CROWD, "run_crowd", 2, "[P] R' (m) and f of coupled contacts")                                     \
    X(WALL, "run_wall", 19,                                                                              \
      "[W] face, shape, mesh; where it began (4), axis (3), point (3), radius, servo (5)")               \
    X(TOUCH, "run_touch", 0, "particle, wall, lane, normal (3), what their contact remembers")           \
    X(CLUMP, "run_clump", 20, "[K] position, velocity, quaternion, momentum, spin, mass, inertia")       \
    X(ARM, "run_arm", 6, "[P] m, from the clump's centre: in its frame, in space")                       \
    X(MEMBRANE, "run_membrane", 6, "[1] nodes of a ring, rings, radius, height (m), stiffness (N/m), fixed")

enum {
#define SW_DEM_MEMORY_ENUM(id, name, columns, meaning) SW_DEM_MEMORY_##id,
    SW_DEM_MEMORY_LIST(SW_DEM_MEMORY_ENUM)
#undef SW_DEM_MEMORY_ENUM
        SW_DEM_MEMORIES
};

struct sw_dem_memory {
    struct {
        int64_t rows;
        int columns;
        double *number; /* [rows][columns]; NULL: not there */
    } of[SW_DEM_MEMORIES];
};

const char *sw_dem_memory_name(int which);
int sw_dem_memory_columns(int which); /* 0: any */

/* Room for an array of zeros, of which 0 rows are none. SW_ERR_MEMORY. */
sw_status sw_dem_memory_add(sw_dem_memory *memory, int which, int64_t rows, int columns);
void sw_dem_memory_free(sw_dem_memory *memory); /* NULL is nothing */

/* Numbers finite, of so many columns, numbers of particles and walls whole: `code` with path, array, row, value. */
sw_status sw_dem_memory_check(const char *path, const sw_dem_memory *memory, sw_status code);

#endif
