/* What a run begins from: database, material, solver, crystals. Private to this folder. */
#ifndef SW_ONLINE_TAYLOR_INPUTS_H
#define SW_ONLINE_TAYLOR_INPUTS_H

#include "run.h"

/* Those of run->job, but for what the caller has (job->given): to where the loading can be begun. Called by all ranks
 * together, with the same status on each. Every status of what is read; SW_ERR_MEMORY. */
sw_status sw_taylor_read_inputs(sw_taylor *run);

/* What a run holds beside its job and its files; a half-made or zeroed one, too. */
void sw_taylor_release(sw_taylor *run);

/* Crystals weigh what their states say, where volume goes from one to another: after whatever changed these. */
sw_status sw_taylor_weigh(sw_taylor *run);

#endif
