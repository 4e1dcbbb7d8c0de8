/* The job file of `slipwave forming`. Keys are the struct's member names. */
#ifndef SW_ONLINE_FORMING_JOB_H
#define SW_ONLINE_FORMING_JOB_H

#include "fit/found.h"
#include "functions.h"
#include "limit/settings.h"
#include "online/loading/loading.h"
#include "online/polycrystal/source.h"
#include "online/texture/population.h"
#include "r_values.h"
#include "task.h"
#include "yield_surface.h"

struct sw_forming_job {
    sw_run_options run;
    sw_polycrystal_source made_of; /* database, material, solver, slip resistance; not its crystals */
    sw_crystals_source crystals;
    double strain_rate;      /* 1/s, of all tasks */
    double strain_increment; /* ||D||_F dt of a step, at most */
    sw_loading *prestrain;   /* [prestrain_count], ends unloaded */
    unsigned prestrain_count;
    sw_r_values r_values;
    sw_yield_surface yield_surface;
    sw_functions functions;
    sw_cup earing;
    sw_fit fit;
    sw_limit_settings forming_limit;
    struct {
        const char *file; /* results, HDF5 */
    } output;
    sw_job *source; /* where each value stands; owns all above */
};

extern const sw_key sw_forming_keys[];

/* Read and check. SW_ERR_INPUT names file, line, key, value and bound; SW_ERR_IO; SW_ERR_MEMORY; *job is then NULL.
 * Release with sw_forming_job_close, which takes NULL too. */
sw_status sw_forming_job_open(const sw_arguments *arguments, sw_forming_job **job);
void sw_forming_job_close(sw_forming_job *job);

#endif
