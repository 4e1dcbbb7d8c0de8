/* What every VTKHDF file begins with: the group that readers look for. VTK's file format reference. */
#ifndef SW_COMMON_FILES_VTKHDF_H
#define SW_COMMON_FILES_VTKHDF_H

#include <stdio.h>

#include "hdf5_io.h"

/* A file of an unstructured grid, version 1.0, with the group for it; its end, and what came of writing in it. SW_ERR_IO. */
sw_status sw_vtkhdf_begin(const char *path, sw_h5_output *output, hid_t *group);
sw_status sw_vtkhdf_end(sw_h5_output *output, hid_t group, sw_status status);

/* NumberOfPoints, NumberOfCells, NumberOfConnectivityIds of a grid of one part. */
sw_status sw_vtkhdf_write_counts(hid_t group, int64_t points, int64_t cells, int64_t connectivity);

/* A series of such files, as ParaView plays them: FILE.vtkhdf.series, JSON that names each beside it with its time (s, or whatever
 * times are in). One after the other: begin, an entry for each in the order of time, end. SW_ERR_IO, SW_ERR_MEMORY. */
typedef struct {
    sw_output_file file;
    FILE *text;
    int entries;
} sw_vtkhdf_series;
sw_status sw_vtkhdf_series_begin(const char *path, sw_vtkhdf_series *series);
/* Takes the file's path over: NULL, of a name that found no memory, is SW_ERR_MEMORY. */
sw_status sw_vtkhdf_series_add(sw_vtkhdf_series *series, char *path, double time);
sw_status sw_vtkhdf_series_end(sw_vtkhdf_series *series, sw_status status);
/* Before a number in such a text. */
extern const char sw_vtkhdf_series_time[];

#endif
