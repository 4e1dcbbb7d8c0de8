/* A Taylor polycrystal: all grains follow the macroscopic velocity gradient. Malahe 2018, sections 2.2 and
 * 3.5. What `slipwave taylor` does, for host programs:
 *
 *     const char *const option[][2] = {{"count", "4096"}, {"output", "out.h5"}, {"quiet", ""}};
 *     sw_taylor_job *job;
 *     sw_taylor_summary end;
 *     sw_status status = sw_taylor_job_open("job.yaml", 3, option, &job);
 *     if (status == SW_OK)
 *         status = sw_taylor_run(job, &end);
 *     sw_taylor_job_close(job);
 *
 * Job and results files are docs/file-formats.md's. One run at a time in a process. */
#ifndef SLIPWAVE_TAYLOR_H
#define SLIPWAVE_TAYLOR_H

#include <stdint.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_taylor_job sw_taylor_job;

/* Read and check a job file (YAML). option [n_options][2]: names of the command's options without dashes, and
 * values that replace those of the file; "" for an option without one; borrowed until the job is closed.
 * SW_ERR_INPUT names file, line, key, value and bound, or the option; SW_ERR_IO; SW_ERR_MEMORY; *job is then
 * NULL. Release with sw_taylor_job_close, which takes NULL too. */
SW_API sw_status sw_taylor_job_open(const char *path, int n_options, const char *const (*option)[2],
                                    sw_taylor_job **job);
SW_API void sw_taylor_job_close(sw_taylor_job *job);

/* Means over the crystals at the end, and what it took. */
typedef struct {
    int64_t crystals, steps;
    double strain;              /* integral of ||D|| dt */
    double cauchy_stress[3][3]; /* Pa, sample frame; deviatoric but for `iterative` */
    double slip_resistance;     /* Pa */
    double setup_time;          /* s: inputs, crystals, tables */
    double wall_time;           /* s: the steps alone */
} sw_taylor_summary;

/* Run a job, from crystals to results file, which appears when the run is complete. summary: caller's; may be
 * NULL. What an interrupted run left, and the option `resume`, goes on with: FILE.partial. Progress goes to
 * the listener (sw_listen) unless the job is quiet. Every status that its parts have; SW_ERR_INPUT when there is a
 * partial file and no `resume`, SW_ERR_FORMAT when it is of another run; SW_ERR_INTERRUPTED. */
SW_API sw_status sw_taylor_run(const sw_taylor_job *job, sw_taylor_summary *summary);

#ifdef __cplusplus
}
#endif

#endif
