/* Yield surfaces in results files. */
#ifndef SW_ONLINE_DEM_OUTPUT_PROBES_OUTPUT_H
#define SW_ONLINE_DEM_OUTPUT_PROBES_OUTPUT_H

#include "common/files/hdf5_door.h"
#include "online/dem/probes/probes.h"

/* /probes/angle [D], /probes/start_NAME [R], /probes/NAME [R][D], /probes/stiffness [R][6][6]. SW_ERR_IO,
 * SW_ERR_MEMORY. */
sw_status sw_dem_write_probes(const sw_dem_probes *probes, hid_t file);

#endif
