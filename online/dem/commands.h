/* `slipwave dem`: the entry point, and the run behind it. */
#ifndef SW_ONLINE_DEM_COMMANDS_H
#define SW_ONLINE_DEM_COMMANDS_H

#include "common/system/status.h"
#include "online/dem/job/job.h"

sw_status sw_dem_command(int argc, char **argv);

/* All elements of a job, and its files: results, packings, samples. With `resume`, go on with what an
 * interrupted run of the same job left. Ends with a line on stdout. quiet: no progress. SW_ERR_CONVERGENCE or
 * SW_ERR_RANGE when elements failed: the files then hold what they and the others did. SW_ERR_INPUT when an
 * interrupted run left something and `resume` is 0; SW_ERR_FORMAT when that is of another job; SW_ERR_IO;
 * SW_ERR_INTERRUPTED; every status of the library. */
sw_status sw_dem_job_run(const sw_dem_job *job, int resume, int quiet);

#endif
