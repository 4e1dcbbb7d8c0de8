/* Places on a lattice of cells n [3], x fastest. */
#ifndef SW_ONLINE_FEM_MESH_LATTICE_H
#define SW_ONLINE_FEM_MESH_LATTICE_H

#include <stdint.h>

#include "common/system/device.h"

/* Numbers of a cell, and of a lattice point, which is a cell's corner. */
SW_HD static inline int64_t sw_fem_lattice_cell(const int32_t n[3], int64_t x, int64_t y, int64_t z)
{
    return (z * n[1] + y) * n[0] + x;
}
SW_HD static inline int64_t sw_fem_lattice_point(const int32_t n[3], int64_t x, int64_t y, int64_t z)
{
    return (z * (n[1] + 1) + y) * (n[0] + 1) + x;
}

/* How many of them; a plane mesh (n2 = 0) has one layer of both. */
SW_HD static inline int64_t sw_fem_lattice_cells(const int32_t n[3])
{
    return (int64_t)n[0] * n[1] * (n[2] > 0 ? n[2] : 1);
}
SW_HD static inline int64_t sw_fem_lattice_points(const int32_t n[3])
{
    return ((int64_t)n[0] + 1) * (n[1] + 1) * (n[2] + 1);
}

/* The point that has the node of a point in a periodic lattice. */
SW_HD static inline int64_t sw_fem_lattice_original(const int32_t n[3], int64_t point)
{
    const int64_t w = n[0] + 1, v = n[1] + 1, x = point % w, y = point / w % v, z = point / w / v;
    return sw_fem_lattice_point(n, x < n[0] ? x : 0, y < n[1] ? y : 0, n[2] > 0 && z == n[2] ? 0 : z);
}

/* Lattice points of a cell's corners, in the order of an element's nodes; the first four in a plane. */
SW_HD static inline void sw_fem_lattice_corners(const int32_t n[3], int64_t cell, int64_t point[8])
{
    const int64_t x = cell % n[0], y = cell / n[0] % n[1], z = cell / n[0] / n[1];
    for (int a = 0; a < 8; a++) {
        const int c = a ^ (a >> 1 & 1); /* around in layers -> by bits */
        point[a] = sw_fem_lattice_point(n, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/* From a lattice to the next coarser one, n [3] and size [3] in and out: `factor` cells make one along each side, two or one.
 * One where a single cell is left or, of a periodic lattice, their number is odd; and where cells are much longer than along the
 * shortest side that is halved, across which they are stiffest: so cells become cubes first. Whether any is two. */
int sw_fem_lattice_halve(int periodic, int32_t n[3], double size[3], int factor[3]);
/* node [points] = 0 where one of the cells around has cell [cells] >= 0, else -1. */
void sw_fem_lattice_touch(const int32_t n[3], const int32_t *cell, int32_t *node);
/* Whether the cells >= 0 are `many`, and one body, whose cells touch at points; 0 also without memory to find out. */
int sw_fem_lattice_is_one(const int32_t n[3], const int32_t *cell, int64_t many);
/* Numbers what is not negative in at [n], ascending from 0; how many that is. */
int64_t sw_fem_lattice_number(int64_t n, int32_t *at);

#ifdef __cplusplus
}
#endif

#endif
