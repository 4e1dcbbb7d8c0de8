/* `slipwave kwn`: the commands, and what runs and maps share. */
#ifndef SW_ONLINE_KWN_COMMANDS_H
#define SW_ONLINE_KWN_COMMANDS_H

#include "online/kwn/job/job.h"
#include "online/kwn/job/map_job.h"

extern const sw_command sw_kwn_command, sw_kwn_map_command;

/* Follow a job's history at all its points and write job->setup.output_file; with its `resume`, go on with
 * what an interrupted run of the same job left. Ends with a line on stdout. All MPI ranks call it.
 * SW_ERR_INPUT when an interrupted run left something and `resume` is 0; SW_ERR_FORMAT when that is of
 * another job; SW_ERR_IO; SW_ERR_INTERRUPTED; every status of the library. */
sw_status sw_kwn_run(sw_kwn_job *job);

/* Every trajectory of a map, and its results file. One process. */
sw_status sw_kwn_map_run(const sw_kwn_map_job *job);

/* sw_kwn_open with the setup's alloy, options and initial distributions; composition [n][n_solutes] (atoms
 * per matrix atomic volume) or NULL: the setup's. SW_ERR_INPUT for a distribution beyond the size axis. */
sw_status sw_kwn_start(const sw_kwn_setup *setup, int64_t n, const double *composition, double temperature,
                       sw_kwn **kwn);

#endif
