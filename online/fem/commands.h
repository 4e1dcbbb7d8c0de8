/* `slipwave fem`: the entry points. */
#ifndef SW_ONLINE_FEM_COMMANDS_H
#define SW_ONLINE_FEM_COMMANDS_H

#include "online/fem/job/job.h"

extern const sw_command sw_fem_command;

/* Load the body increment by increment and write job->output.file; go on with what an interrupted run of
 * the job left (job->run.resume), or from a partial or restart file (job->restart). Ends with a line on
 * stdout. SW_ERR_INPUT when an interrupted run left something and neither is asked for; SW_ERR_FORMAT when
 * that is of another problem; SW_ERR_IO; SW_ERR_INTERRUPTED and SW_ERR_CONVERGENCE, what is done being
 * kept; every status of sw_fem_open. */
sw_status sw_fem_run(const sw_fem_job *job);

#endif
