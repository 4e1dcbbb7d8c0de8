/* A dataset of results, with its unit. */
#ifndef SW_ONLINE_DEM_OUTPUT_SET_H
#define SW_ONLINE_DEM_OUTPUT_SET_H

#include "common/files/hdf5_io.h"

/* data [shape[0]]...[shape[rank - 1]], float64, with the attribute `unit`. SW_ERR_IO. */
sw_status sw_dem_write_set(hid_t file, const char *name, const char *unit, int rank, const int64_t *shape,
                           const double *data);

#endif
