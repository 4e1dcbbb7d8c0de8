/* The results file of a run, which survives the process block by block. */
#ifndef SW_ONLINE_KWN_OUTPUT_RESULTS_H
#define SW_ONLINE_KWN_OUTPUT_RESULTS_H

#include "online/kwn/job/job.h"
#include "online/kwn/model/size_axis.h"
#include "output.h"

/* Written block by block. With several blocks the file is "FILE.partial" until complete, and what is finished
 * in it survives the process. */
typedef struct {
    const sw_kwn_job *job; /* borrowed */
    int64_t n_blocks, n_done, block_points;
    char *partial;       /* its name; NULL with one block */
    sw_h5_output output; /* with one block, and while a partial file is made */
    hid_t file;          /* what is written to: that, or the partial file */
    sw_kwn_tables tables;
} sw_kwn_results;

/* done [n_blocks], caller's: 1 where an earlier run finished the block and it is as it was written; all 0 without the
 * job's `resume`.
 * SW_ERR_INPUT when there is a partial file and `resume` is 0, SW_ERR_FORMAT when it is of another job,
 * SW_ERR_IO. */
sw_status sw_kwn_results_begin(const sw_kwn_job *job, int64_t block_points, unsigned char *done,
                               sw_kwn_results *results);

/* A block: its points, and data as run.c lays it out:
 * record [count][n][C], then for each time with distributions and each phase [count][1 + B]: scale and
 * numbers. */
sw_status sw_kwn_results_write(sw_kwn_results *results, int64_t block, int64_t first, int64_t count,
                               const sw_kwn_axis *axis, const double *data, const sw_kwn_work *work);

/* A point's records [n][C], caller's, of a file that is not complete yet. */
sw_status sw_kwn_results_read(const sw_kwn_results *results, int64_t point, double *record);

/* Of all blocks, also those of an earlier run. */
sw_status sw_kwn_results_work(const sw_kwn_results *results, sw_kwn_work *work);

/* Complete the file under its name. */
sw_status sw_kwn_results_commit(sw_kwn_results *results);

/* After a failure: keep the partial file when blocks in it are finished, else nothing. `status` comes back,
 * its message saying so. Harmless after commit, and on a zeroed struct. */
sw_status sw_kwn_results_abandon(sw_kwn_results *results, sw_status status);

#endif
