/* Private: an entry of `loading`: its keys, and the stages that its test makes of it. */
#ifndef SW_ONLINE_DEM_JOB_LOADING_H
#define SW_ONLINE_DEM_JOB_LOADING_H

#include "input.h"

/* An entry on its way to stages of an element. */
typedef struct {
    const sw_dem_job *job;
    const sw_dem_element *element;
    const sw_dem_job_stage *spec;
    unsigned index; /* in `loading` */
    double mean_radius, time_step;
    sw_dem_stage *stage; /* [capacity] */
    int64_t n, capacity;
} sw_dem_maker;

extern const sw_key sw_dem_loading_keys[];
extern const sw_key_case sw_dem_tests[]; /* what `test` may say */

/* The key "loading[3].NAME"; without a name "loading[3]". */
const char *sw_dem_loading_key(unsigned index, const char *name, char key[SW_KEY_SIZE]);

/* Room for one more stage, which has the defaults. */
sw_status sw_dem_append_stage(sw_dem_maker *maker, sw_dem_stage **stage);

/* The stages of the entry. SW_ERR_INPUT, SW_ERR_MEMORY. */
sw_status sw_dem_make_test(sw_dem_maker *maker);

/* Strain rate of an entry's test at a pressure (Pa), 1/s: its own, or its inertia number's, or the job's. */
double sw_dem_test_rate(const sw_dem_maker *maker, double pressure);

#endif
