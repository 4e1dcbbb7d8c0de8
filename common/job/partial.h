/* What an interrupted run leaves beside its results, to be gone on with: a file OUTPUT.partial, which says in texts whose
 * it is. */
#ifndef SW_COMMON_JOB_PARTIAL_H
#define SW_COMMON_JOB_PARTIAL_H

#include "common/files/hdf5_door.h"
#include "common/system/status.h"

/* Whether a run keeps its state now and then: one in memory has nothing to go on from. */
int sw_partial_is_kept(void);
/* SW_ERR_INPUT: such a file is there, and nobody asked to go on with it. */
sw_status sw_partial_refuse(const char *path);
/* How a run that keeps its state begins: as above; where `resume` finds nothing, that is noted. path NULL: a run
 * that is too short to keep any. */
sw_status sw_partial_meet(const char *path, int is_there, int resume);
/* A failure's message, and what is kept: "3 of 8 tasks are". Returns `status`. */
SW_PRINTF(3, 4) sw_status sw_partial_tell(sw_status status, const char *path, const char *kept, ...);

/* What a run's numbers depend on, as an attribute; an array of them ends with {0}. */
typedef struct {
    const char *name, *text;
    const char *what; /* whose it is where the text is another: "another job file" */
} sw_partial_text;

sw_status sw_partial_write_texts(hid_t group, const sw_partial_text *text);
/* SW_ERR_FORMAT, with path and which of them it is, where the group has others. */
sw_status sw_partial_check_texts(hid_t group, const char *path, const sw_partial_text *text);

#endif
