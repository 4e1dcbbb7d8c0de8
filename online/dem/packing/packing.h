/* Private: what the parts of packings share: sizes, loose packings, compression, files. */
#ifndef SW_ONLINE_DEM_PACKING_PACKING_H
#define SW_ONLINE_DEM_PACKING_PACKING_H

#include <stddef.h>

#include "common/system/status.h"
#include "slipwave/dem.h"

/* Lengths, m: beyond, it is a slip of units. */
#define SW_DEM_LEAST_LENGTH 1e-9
#define SW_DEM_MOST_LENGTH 1e3
#define SW_DEM_MOST_CELL 1e9 /* parts of its vectors: bins over it can be counted */

/* Random sequential addition saturates at 0.38 for equal spheres; up to this it needs few tries. */
#define SW_DEM_MOST_LOOSE 0.30

/* Of force-biased packing. At the least spheres fill 0.2, which sequential addition does, too; at the most a
 * thousand take the better part of an hour. */
#define SW_DEM_LEAST_SLOWNESS 10.0
#define SW_DEM_MOST_SLOWNESS 1e7

/* Random numbers of a seed: particle n has subsequence n, whose first block of four is for its size and its
 * place in the order, the others for positions. */
enum { SW_DEM_SIZE_BLOCK, SW_DEM_POSITION_BLOCK };

double sw_dem_packing_solid_volume(const sw_dem_packing *packing); /* m^3 */

/* Whether a cube of this side (m) is as wide as two diameters of the largest particle, so that two meet
 * across one face at most: SW_ERR_RANGE. */
sw_status sw_dem_packing_check_width(const sw_dem_packing *packing, double side);

enum { SW_DEM_MOST_NUMBERS = 64 }; /* of a contact, in files: more is no packing's */

/* All numbers finite, radii of a length as above, a cell of positive volume, contacts of two particles: `code` with
 * path, particle, value and bound. */
sw_status sw_dem_packing_check(const char *path, const sw_dem_packing *packing, sw_status code);
/* Its part of that: one radius. place: of a text "FILE:3", with particle -1; else "FILE" or "element 0". */
sw_status sw_dem_packing_check_radius(const char *place, int64_t particle, double radius, sw_status code);
/* Another part: the cell. */
sw_status sw_dem_packing_check_cell(const char *path, const double cell[3][3], sw_status code);
/* Its positions alone: within 1e6 cells, or they have few digits left. */
sw_status sw_dem_packing_check_positions(const char *path, const sw_dem_packing *packing, sw_status code);

/* The packing becomes a cylinder along axis 3 about the middle of its cell, of the grains and their periodic images that lie in
 * it, at rest, and of nodes of a membrane (of this material, unstretched as it lies on them) between platens: all of *m but
 * stiffness and fixed. radius, height, spacing of nodes (m): NaN: what the cell has room for, the mean radius.
 * SW_ERR_INPUT for clumps, fewer than 4 grains or 6 x 3 nodes, a cylinder that is narrower than 3 of the largest grain's radii or
 * goes beyond two and a half cells, nodes that the least grain falls between; SW_ERR_MEMORY. */
sw_status sw_dem_packing_cut(sw_dem_packing *packing, double radius, double height, double spacing,
                             int material, sw_dem_membrane *m);

/* Whether the packing has what contacts of this law remember. */
int sw_dem_packing_remembers(const sw_dem_packing *packing, sw_dem_law law);

#endif
