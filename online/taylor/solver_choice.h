/* Which solver a job runs, with which settings, on which device. */
#ifndef SW_ONLINE_TAYLOR_SOLVER_CHOICE_H
#define SW_ONLINE_TAYLOR_SOLVER_CHOICE_H

#include "common/system/status.h"
#include "job.h"
#include "slipwave/response.h"
#include "online/response/solvers.h"

typedef struct {
    sw_response_options options; /* borrows what it was made from */
    const sw_solver_traits *solver;
    char device[160];       /* "cpu, 8 threads", "cuda, NVIDIA H200, 4 ranks": for people */
    double certified_error; /* of auto; NaN without */
    char why[640];          /* auto's reason; "" without */
} sw_solver_choice;

/* Called by all ranks together, with the same job. database: NULL when the job needs none. A GPU is used when
 * every rank has one and the solver a version for it, unless the job says otherwise. SW_ERR_INPUT for a job's
 * device or error that cannot be met; SW_ERR_UNAVAILABLE for a database without certified errors. */
sw_status sw_solver_choose(const sw_taylor_job *job, const sw_database *database, const sw_material *material,
                           sw_solver_choice *choice);

#endif
