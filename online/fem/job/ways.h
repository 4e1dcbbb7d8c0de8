/* The list of ways to compute a job: what the key upsetting.rate_law calls them, and who runs it. */
#ifndef SW_ONLINE_FEM_JOB_WAYS_H
#define SW_ONLINE_FEM_JOB_WAYS_H

#include "common/system/built.h"
#include "job.h"

/* Load the body increment by increment and write job->output.file. Ends with a line on stdout. Each says which status
 * it may have. */
typedef sw_status sw_fem_way(const sw_fem_job *job);

/* Newton's method; goes on with what an interrupted run of the job left (job->run.resume), or from a partial or
 * restart file (job->restart). SW_ERR_INPUT when an interrupted run left something and neither is asked for;
 * SW_ERR_FORMAT when that is of another problem; SW_ERR_IO; SW_ERR_INTERRUPTED and SW_ERR_CONVERGENCE, what is done
 * being kept; every status of sw_fem_open. */
sw_fem_way sw_fem_run;
/* By the rate law of Demeshko et al. 2011 (convected/), whose systems are solved as the word says. SW_ERR_INPUT names a
 * key that has no place there; SW_ERR_IO; every status of sw_fem_convected_run; nothing is kept on failure. */
sw_fem_way sw_fem_run_by_rates;

#define SW_FEM_WAY_LIST(X)                                   \
    X(none, sw_fem_run)                                      \
    X(simple, SW_WITH_PAPERS(sw_fem_run_by_rates))           \
    X(minimal_residual, SW_WITH_PAPERS(sw_fem_run_by_rates)) \
    X(steepest_descent, SW_WITH_PAPERS(sw_fem_run_by_rates)) \
    X(biconjugate, SW_WITH_PAPERS(sw_fem_run_by_rates))      \
    X(direct, SW_WITH_PAPERS(sw_fem_run_by_rates))

#define SW_FEM_WAY_COUNTED(name, run) SW_FEM_BY_##name,
enum { SW_FEM_WAY_LIST(SW_FEM_WAY_COUNTED) SW_FEM_WAYS };
#undef SW_FEM_WAY_COUNTED

extern const char *const sw_fem_way_names[SW_FEM_WAYS];

#endif
