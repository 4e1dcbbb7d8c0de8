/* Tests by name: what turns an entry of `loading` into stages. Private to job reading. */
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

typedef struct {
    const char *name;
    const char *keys; /* beside those of all tests */
    sw_status (*make)(sw_dem_maker *maker);
} sw_dem_test;

enum { SW_DEM_TESTS = 8 };
extern const sw_dem_test sw_dem_tests[SW_DEM_TESTS];
extern const char sw_dem_keys_of_all_tests[];

/* The key "loading[3].NAME"; without a name "loading[3]". */
const char *sw_dem_key_of(const sw_dem_maker *maker, const char *name, char key[SW_DEM_KEY]);
/* Whether the entry has a key. */
int sw_dem_has(const sw_dem_maker *maker, const char *name);
#define SW_DEM_REFUSE(maker, name, ...) \
    sw_dem_job_error((maker)->job, sw_dem_key_of(maker, name, (char[SW_DEM_KEY]){0}), __VA_ARGS__)

/* Room for one more stage, which has the defaults. */
sw_status sw_dem_append_stage(sw_dem_maker *maker, sw_dem_stage **stage);

/* Strain rate of a test at a pressure (Pa), 1/s: its own, or its inertia number's, or the job's. */
double sw_dem_test_rate(const sw_dem_maker *maker, double pressure);

#endif
