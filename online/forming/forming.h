/* A run of `slipwave forming`: what all its tasks have in common, and what one leaves to the next. */
#ifndef SW_ONLINE_FORMING_FORMING_H
#define SW_ONLINE_FORMING_FORMING_H

#include "common/files/hdf5_io.h"
#include "common/system/progress.h"
#include "functions/sheet.h"
#include "job.h"
#include "limit/limits.h"
#include "online/response/certificate/choice.h"
#include "runs/runs.h"

/* FILE.partial. */
typedef struct {
    char *path;
    int is_there, is_own; /* as the run began; of this run */
    int tasks;            /* in it */
} sw_forming_kept;

struct sw_forming {
    const sw_forming_job *job;
    sw_polycrystal made_of; /* its database and material */
    sw_solver_choice choice;
    sw_response *response;
    sw_population population;
    sw_runs *start;    /* one run: the sheet that tasks begin with, after any prestrain */
    double compliance; /* 1/Pa: 1 / (2 mu), of a random polycrystal; 0: crystals are rigid */
    sw_sheet sheet;    /* what tasks so far found out about it */
    sw_fitted fitted;  /* and the yield functions made of it */
    sw_ears ears[1 + SW_YIELD_FUNCTIONS]; /* of a cup by r-values, and by each of these */
    sw_fit_found *fit;                    /* of the task fit; NULL before it */
    sw_limit_diagram limits;              /* likewise of forming_limit */
    sw_progress progress;                 /* of the task at hand, in evaluations of crystals */
    int64_t evaluations;                  /* so far in it */
    sw_h5_output output;
    sw_forming_kept kept;
    sw_claim claim;
};

/* What a job names, read, and the sheet after its prestrain. The job must outlive it. Every status of what is read. forming:
 * zeroed; released with sw_forming_close, also after a failure. */
sw_status sw_forming_open(const sw_forming_job *job, sw_forming *forming);
void sw_forming_close(sw_forming *forming);

/* R runs that begin as the sheet is. */
sw_status sw_forming_begin(const sw_forming *forming, int64_t runs, sw_runs **made);

/* s: a step in which a strain rate of this norm (1/s) makes the job's strain increment. */
double sw_forming_step(const sw_forming *forming, double rate);

/* The subcommand. */
extern const sw_command sw_forming_command;

#endif
