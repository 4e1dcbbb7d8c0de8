/* `slipwave fem`: the entry points. */
#ifndef SW_ONLINE_FEM_COMMANDS_H
#define SW_ONLINE_FEM_COMMANDS_H

#include "common/system/status.h"
#include "online/fem/job/job.h"

/* The subcommand. One process. */
sw_status sw_fem_command(int argc, char **argv);

/* Load the body increment by increment and write job->output.file. resume: go on with what an interrupted run
 * of the job left; restart: from this partial or restart file, NULL for none. Ends with a line on stdout.
 * quiet: no progress. SW_ERR_INPUT when an interrupted run left something and `resume` is 0; SW_ERR_FORMAT
 * when that is of another problem; SW_ERR_IO; SW_ERR_INTERRUPTED and SW_ERR_CONVERGENCE, what is done being
 * kept; every status of sw_fem_open. */
sw_status sw_fem_run(const sw_fem_job *job, int resume, const char *restart, int quiet);

#endif
