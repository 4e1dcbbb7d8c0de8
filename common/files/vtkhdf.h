/* What every VTKHDF file begins with: the group that readers look for. VTK's file format reference. */
#ifndef SW_COMMON_FILES_VTKHDF_H
#define SW_COMMON_FILES_VTKHDF_H

#include "hdf5_io.h"

/* A new group VTKHDF in a file, of version 1.0 and type "UnstructuredGrid" or another: to be closed with
 * H5Gclose unless this fails. SW_ERR_IO. */
sw_status sw_vtkhdf_begin(hid_t file, const char *type, hid_t *group);

/* NumberOfPoints, NumberOfCells, NumberOfConnectivityIds of a grid of one part. */
sw_status sw_vtkhdf_write_counts(hid_t group, int64_t points, int64_t cells, int64_t connectivity);

#endif
