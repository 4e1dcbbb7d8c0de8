/* A run of VPSC8's input files as a job of `slipwave taylor`: the files job.yaml, and of each phase phaseN.yaml, its material, and
 * phaseN.tex, its texture. */
#ifndef SW_ONLINE_VPSC_TO_JOB_H
#define SW_ONLINE_VPSC_TO_JOB_H

#include "input/input.h"

/* Write them into a folder that is there. SW_ERR_UNAVAILABLE where there is no such job, with the reason; SW_ERR_IO,
 * SW_ERR_MEMORY; no file is written then. */
sw_status sw_vpsc_to_job(const sw_vpsc_input *input, const char *folder);

#endif
