/* What every VTKHDF file begins with: the group that readers look for. VTK's file format reference. */
#ifndef SW_COMMON_FILES_VTKHDF_H
#define SW_COMMON_FILES_VTKHDF_H

#include "hdf5_io.h"

/* A file of an unstructured grid, version 1.0, with the group for it; its end, and what came of writing in it. SW_ERR_IO. */
sw_status sw_vtkhdf_begin(const char *path, sw_h5_output *output, hid_t *group);
sw_status sw_vtkhdf_end(sw_h5_output *output, hid_t group, sw_status status);

/* NumberOfPoints, NumberOfCells, NumberOfConnectivityIds of a grid of one part. */
sw_status sw_vtkhdf_write_counts(hid_t group, int64_t points, int64_t cells, int64_t connectivity);

#endif
