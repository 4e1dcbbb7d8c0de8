/* Private: what the parts of job reading share. From the lowest on: table.c (tables as text), parameters.c,
 * stress_path.c, loading.c (one entry of `loading`), stages.c (all stages of an element), samples.c,
 * elements.c, job.c (keys). */
#ifndef SW_ONLINE_DEM_JOB_INPUT_H
#define SW_ONLINE_DEM_JOB_INPUT_H

#include "job.h"

#ifdef __clang_analyzer__ /* which cannot see into another file that it is an error */
#define sw_dem_table_error(...) ((void)sw_dem_table_error(__VA_ARGS__), SW_ERR_INPUT)
#endif

/* Zeroed memory for `count` things of *pointer's type that goes with the job; SW_ERR_MEMORY. */
#define SW_DEM_KEEP(job, pointer, count) \
    sw_dem_keep(job, (void **)&(pointer), (size_t)(count) * sizeof *(pointer))
sw_status sw_dem_keep(sw_job *job, void **pointer, size_t bytes);

/* SW_ERR_INPUT "PREFIX+KEY" and why, for the first of some keys (between blanks) that is given. */
sw_status sw_dem_refuse_keys(const sw_job *job, const char *prefix, const char *keys, const char *why);

/* ---- Crystals ---- */

extern const sw_key sw_dem_crystals_keys[];

/* The section `crystals`, if there is one: what it names, read; strength and rate sensitivity of the material from
 * it.
 * Then, the device known, its response. SW_ERR_INPUT; what databases, materials and textures are refused for. */
sw_status sw_dem_read_crystals(sw_dem_job *job);
sw_status sw_dem_open_response(sw_dem_job *job);

/* The crystals of an element's particles: sample->crystals, NULL without. SW_ERR_MEMORY. */
sw_status sw_dem_make_crystals(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample);
void sw_dem_free_crystals(sw_dem_sample *sample);

/* ---- Clumps ---- */

/* SW_ERR_INPUT. */
sw_status sw_dem_check_clump(const sw_dem_job *job);

/* Spheres of a generated packing, whose radii are sizes, become clumps in random orientations; the cell grows so that they
 * do not touch. SW_ERR_MEMORY. */
sw_status sw_dem_make_clump_packing(const sw_dem_job *job, uint64_t seed, sw_dem_packing *packing);

/* ---- Sides and walls ---- */

extern const sw_key sw_dem_sides_keys[], sw_dem_wall_keys[];

/* Whether any side is not periodic. */
int sw_dem_job_closed(const sw_dem_job *job);

/* SW_ERR_INPUT; reads meshes. */
sw_status sw_dem_check_walls(sw_dem_job *job);

/* Sides, walls (an array of its own) and gravity of a sample, whose packing is there; strewn: it was generated. SW_ERR_MEMORY. */
sw_status sw_dem_take_walls(const sw_dem_job *job, int strewn, sw_dem_sample *sample);

/* ---- Membrane ---- */

extern const sw_key sw_dem_membrane_keys[];

/* SW_ERR_INPUT; sides are those of a membrane then. */
sw_status sw_dem_check_membrane(sw_dem_job *job);

/* The sample's membrane, if the job has one: a cylinder cut out of its packing, or as the packing has it; one more material.
 * *nodes: of the last particles. SW_ERR_INPUT, SW_ERR_MEMORY. */
sw_status sw_dem_make_membrane(const sw_dem_job *job, const sw_dem_element *e, sw_dem_sample *sample,
                               int64_t *nodes);

/* ---- Loading ---- */

/* A stress path from a file; its arrays go with the job. SW_ERR_INPUT names file, line and column. */
sw_status sw_dem_path_read(sw_job *job, const char *file, sw_dem_path *path);

/* Checks of all entries of `loading` that are the same for all elements, and the tables of stress paths. */
sw_status sw_dem_check_loading(sw_dem_job *job);

/* Stages of an element, packing included, of particles with these radii (m): *stage [*n], released with
 * free(). SW_ERR_INPUT as of a job file. */
sw_status sw_dem_make_stages(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                             double least_radius, sw_dem_stage **stage, int64_t *n);

/* Steps between records of an element, a multiple of the control interval. */
int64_t sw_dem_record_interval(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                               double least_radius);

/* ---- Elements ---- */

/* samples -> the table and its columns, values of the control. Nothing without a table. */
sw_status sw_dem_make_samples(sw_dem_job *job);

/* packing.radii, rves and samples -> what elements are made of. */
sw_status sw_dem_make_elements(sw_dem_job *job);

/* ---- Keys that cannot act ---- */

/* SW_ERR_INPUT for a key of a job whose elements are made that changes nothing, whatever its value. */
sw_status sw_dem_check_idle(const sw_dem_job *job);

#endif
