/* A run of VPSC8's input files as a job of `slipwave taylor`: the files job.yaml, and of each phase phaseN.yaml, its material, and
 * phaseN.tex, its texture. */
#ifndef SW_ONLINE_VPSC_TO_JOB_H
#define SW_ONLINE_VPSC_TO_JOB_H

#include <stdio.h>

#include "input/input.h"

/* What has no equal: a warning each, and lines of comments, for the head of the job. */
typedef struct {
    char text[8192];
} sw_vpsc_notes;
SW_PRINTF(2, 3) void sw_vpsc_note_job(sw_vpsc_notes *notes, const char *format, ...);

/* Write them into a folder that is there. SW_ERR_UNAVAILABLE where there is no such job, with the reason; SW_ERR_IO,
 * SW_ERR_MEMORY; no file is written then. */
sw_status sw_vpsc_to_job(const sw_vpsc_input *input, const char *folder);

/* A phase's material file (to_material.c). rate: the reference slip rate, 1/s; 0: that of each step. */
sw_status sw_vpsc_write_material(const sw_vpsc_input *input, int phase, double rate, sw_vpsc_notes *notes,
                                 FILE *out);

#endif
