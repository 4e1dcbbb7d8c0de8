/* Packings in files, by suffix.
 *
 * .txt     comment lines that start with '#'; a line "cell h11 h21 h31 h12 h22 h32 h13 h23 h33", the three
 *          cell vectors one after another (m); then a line "x y z radius [vx vy vz wx wy wz]" a particle (m,
 *          m/s, rad/s), all with four columns or all with ten
 * .vtkhdf  an unstructured grid of vertices for ParaView; point data radius [P], velocity [P][3], spin
 * [P][3]; field data cell [3][3], one cell vector a row. Only what is here is read back.
 *
 * Reading what was written gives the same bits. HDF5 serves one thread at a time. Dimension: P particles. */
#ifndef SW_ONLINE_DEM_PACKING_FILE_H
#define SW_ONLINE_DEM_PACKING_FILE_H

#include "online/dem/backend/dem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* packing: the caller's, released with sw_dem_packing_free; of no particles on failure. SW_ERR_INPUT with
 * file, line (or array and particle), value and bound for what is not a packing: another suffix, no cell or
 * one without volume, a line of another number of columns, a radius not > 0, a number that is not finite, a
 * NUL byte, no particles. SW_ERR_IO, SW_ERR_FORMAT (no HDF5 file, or without what is needed), SW_ERR_MEMORY.
 */
sw_status sw_dem_packing_read(const char *path, sw_dem_packing *packing);

/* More numbers of particles, for .vtkhdf files. */
typedef struct {
    const char *name;   /* of the array in point data */
    int components;     /* 1, 3, 6 or 9 */
    const double *data; /* [P][components], borrowed */
} sw_dem_packing_field;

/* A file that is complete or not there at all; an older one of that name stays until then. Fields are left
 * out of .txt. SW_ERR_RANGE for a packing that could not be read back; SW_ERR_INPUT for another suffix;
 * SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_dem_packing_write(const char *path, const sw_dem_packing *packing, int n_fields,
                               const sw_dem_packing_field *field);

#ifdef __cplusplus
}
#endif

#endif
