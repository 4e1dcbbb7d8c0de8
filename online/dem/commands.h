/* `slipwave dem`: the command, and the run behind it. */
#ifndef SW_ONLINE_DEM_COMMANDS_H
#define SW_ONLINE_DEM_COMMANDS_H

#include "online/dem/job/job.h"

extern const sw_command sw_dem_command;

/* All elements of a job, and its files: results, packings, samples. With run.resume, go on with what an
 * interrupted run of the same job left. Ends with a line on stdout. SW_ERR_CONVERGENCE or SW_ERR_RANGE when
 * elements failed: the files then hold what they and the others did. SW_ERR_INPUT when an interrupted run
 * left something and run.resume is 0; SW_ERR_FORMAT when that is of another job; SW_ERR_IO;
 * SW_ERR_INTERRUPTED; every status of the library. */
sw_status sw_dem_job_run(const sw_dem_job *job);

#endif
