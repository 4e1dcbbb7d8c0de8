/* The state of a run that has not ended, to go on from: crystals, history, and what results have so far, in
 * FILE.partial. Written now and then, and when the run is interrupted; complete or as it was before. */
#ifndef SW_ONLINE_TAYLOR_CHECKPOINT_H
#define SW_ONLINE_TAYLOR_CHECKPOINT_H

#include "run.h"

typedef struct {
    char *path;            /* FILE.partial */
    int is_there;          /* and of this run */
    sw_taylor_place place; /* of the state in it */
    double kept;           /* s, when it was written last, or the steps began */
    double took;           /* s, to write it */
} sw_taylor_checkpoint;

/* All but _close are called by all ranks together, and have the same status on each. */

/* Is there a state? SW_ERR_INPUT if so, unless the job resumes. SW_ERR_MEMORY. */
sw_status sw_taylor_checkpoint_find(const sw_taylor_job *job, sw_taylor_checkpoint *checkpoint);
void sw_taylor_checkpoint_close(sw_taylor_checkpoint *checkpoint);

/* Bring a run, opened as if it began, to the state. SW_ERR_FORMAT when it is of another run, or damaged. */
sw_status sw_taylor_checkpoint_read(sw_taylor_checkpoint *checkpoint, sw_taylor *run);

sw_status sw_taylor_checkpoint_write(sw_taylor_checkpoint *checkpoint, sw_taylor *run);

/* Whether it is time to: by the job's interval, and at most a twentieth of a run. */
int sw_taylor_checkpoint_is_due(const sw_taylor_checkpoint *checkpoint, const sw_taylor_job *job);

/* Results are there. */
void sw_taylor_checkpoint_remove(sw_taylor_checkpoint *checkpoint);

#endif
