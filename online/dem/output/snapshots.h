/* Snapshots: particles of each element during a run, as files that ParaView opens one by one or as a time series:
 *
 *     FILE-0002-0000.vtkhdf, FILE-0002-0001.vtkhdf, ...     of element 2, as packings at the end are
 *     FILE-0002.vtkhdf.series                               names and times of them, JSON
 *
 * Each file is there when it is complete, and the series names complete files only. */
#ifndef SW_ONLINE_DEM_OUTPUT_SNAPSHOTS_H
#define SW_ONLINE_DEM_OUTPUT_SNAPSHOTS_H

#include "online/dem/backend/backend.h"
#include "online/dem/job/job.h"

typedef struct sw_dem_snapshots sw_dem_snapshots;

/* Has the run of these elements write the snapshots that the job asks for; nothing when it asks for none. Elements
 * that go on from a state go on with its numbers, and with the times of the series that is there. Both are
 * borrowed while elements run. *snapshots: released with sw_dem_snapshots_end. SW_ERR_MEMORY; the run then fails
 * with SW_ERR_IO where one cannot be written. */
sw_status sw_dem_snapshots_begin(const sw_dem_job *job, sw_dem *dem, sw_dem_snapshots **snapshots);
void sw_dem_snapshots_end(sw_dem_snapshots *snapshots); /* NULL is nothing */

#endif
