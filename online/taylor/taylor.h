/* `slipwave taylor`: a polycrystal whose grains all follow the macroscopic velocity gradient.
 * Malahe 2018, sections 2.2 and 3.5. */
#ifndef SW_ONLINE_TAYLOR_TAYLOR_H
#define SW_ONLINE_TAYLOR_TAYLOR_H

#include "common/system/status.h"
#include "job.h"

/* Run a job from crystals to results file. Every status its parts have; the results
 * file appears only when the run is complete. */
sw_status sw_taylor_run(const sw_taylor_job *job);

extern const sw_command sw_taylor_command;

#endif
