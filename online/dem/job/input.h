/* What the parts of job reading share: job.c (keys and what they may be), job_elements.c (variations,
 * samples, packings), job_stages.c (tests and stress paths). */
#ifndef SW_ONLINE_DEM_JOB_INPUT_H
#define SW_ONLINE_DEM_JOB_INPUT_H

#include "job.h"

#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_dem_job_error(...) ((void)sw_dem_job_error(__VA_ARGS__), SW_ERR_INPUT)
#endif

extern const char *const sw_dem_six_names[SW_DEM_SIX]; /* "11", "22", "33", "23", "13", "12" */

enum { SW_DEM_KEY = 96 }; /* bytes of "loading[3].components.11.strain_rate" */

/* Numbers of a structure: least <= value <= most for those that are given, `standard` for the others. */
typedef struct {
    const char *key;
    size_t member;
    int whole; /* int64_t, else double */
    double least, most, standard;
    const char *bound;
} sw_dem_number;
sw_status sw_dem_check_numbers(const sw_dem_job *job, const char *prefix, void *structure, int count,
                               const sw_dem_number *number);

/* Index of a word in names [count]; `standard` for NULL. */
sw_status sw_dem_choose(const sw_dem_job *job, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index);

/* "yes" or "no"; `standard` for NULL. */
sw_status sw_dem_choose_yes(const sw_dem_job *job, const char *key, const char *word, int standard, int *yes);

/* A path relative to the job's folder -> one from the working folder, in place. */
sw_status sw_dem_resolve_path(const sw_dem_job *job, const char **path);

/* Why a value of a parameter may not be; NULL when it may. */
const char *sw_dem_parameter_bound(sw_dem_parameter parameter, double value);

/* The last message as an SW_ERR_INPUT of a key. */
sw_status sw_dem_blame(const sw_dem_job *job, const char *key);

/* Whether a parameter says how a packing is generated: not beside one from a file. */
int sw_dem_generates(int parameter);

/* samples -> the table and its columns, values of the control. Nothing without a table. */
sw_status sw_dem_make_samples(sw_dem_job *job);

/* A stress path from a file; released with sw_dem_path_free. SW_ERR_INPUT names file, line and column. */
sw_status sw_dem_path_read(const char *file, sw_dem_path *path);
void sw_dem_path_free(sw_dem_path *path);

/* packing.radii, rves and samples -> what elements are made of. */
sw_status sw_dem_make_elements(sw_dem_job *job);

/* Checks of all entries of `loading`, and the tables of stress paths. */
sw_status sw_dem_check_loading(sw_dem_job *job);
void sw_dem_free_paths(sw_dem_job *job);

/* Estimate of the time step, s: exact but for the rule `stiffness`. */
double sw_dem_job_time_step(const sw_dem_job *job, const sw_dem_element *element, double least_radius);

/* Steps between records of an element, a multiple of the control interval. */
int64_t sw_dem_job_record_interval(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                                   double least_radius);

#endif
