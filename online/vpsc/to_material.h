/* A phase's crystals as a material file, and what is said of what has no equal. */
#ifndef SW_ONLINE_VPSC_TO_MATERIAL_H
#define SW_ONLINE_VPSC_TO_MATERIAL_H

#include <stdio.h>

#include "input/input.h"

/* What has no equal: a warning each, and lines of comments, for the head of the job. Zeroed: none. */
typedef struct {
    char *text;       /* owned; NULL: none */
    sw_status status; /* SW_ERR_MEMORY: there was no room for a line */
} sw_vpsc_notes;
SW_PRINTF(2, 3) void sw_vpsc_note_job(sw_vpsc_notes *notes, const char *format, ...);

/* A phase's material file. */
sw_status sw_vpsc_write_material(const sw_vpsc_input *input, int phase, sw_vpsc_notes *notes, FILE *out);

#endif
