/* A measured r-value: of a tension along a direction of the sheet, the strain across over that through the thickness, both
 * in full, as gauges have them. */
#ifndef SW_ONLINE_FORMING_FIT_R_TEST_H
#define SW_ONLINE_FORMING_FIT_R_TEST_H

#include "common/job/job.h"
#include "online/forming/runs/runs.h"

typedef struct {
    double angle;     /* from the rolling direction, degrees */
    double r;         /* measured */
    double strain;    /* true, along the tension, where it was */
    double deviation; /* standard, of r; 0: not known */
    double weight;    /* counts as deviation / sqrt(weight) */
} sw_fit_r;

/* Rows of a job's table, of entries. */
extern const sw_key sw_fit_r_keys[];

/* r [R] of runs that have not begun, in tension at this rate (1/s) by steps of ||D|| dt = strain_increment; no number of a run that fails. What
 * sw_runs_step answers; SW_ERR_MEMORY. */
sw_status sw_fit_r_run(const sw_fit_r *test, double rate, double strain_increment, sw_runs *runs,
                       int64_t n_runs, double *r);

#endif
