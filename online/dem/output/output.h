/* Results of a job in files: records of all elements, what made them, packings, contacts, samples, and the
 * states to go on from. Dimensions: R elements, n records, P particles, C contacts. */
#ifndef SW_ONLINE_DEM_OUTPUT_OUTPUT_H
#define SW_ONLINE_DEM_OUTPUT_OUTPUT_H

#include "common/files/hash.h"
#include "common/files/hdf5_io.h"
#include "online/dem/backend/backend.h"
#include "online/dem/job/job.h"
#include "online/dem/probes/probes.h"

/* Of the work so far. */
typedef struct {
    double particle_steps, seconds; /* since the beginning, interrupted runs included */
    char identity[SW_HASH_TEXT];    /* hash of packings, materials, numerics and stages */
    char meshes[SW_HASH_TEXT];      /* of walls' triangles */
    sw_identity crystals;           /* of the particles */
} sw_dem_account;

/* The results file, under its name when complete: format "slipwave-dem", /history/NAME [R][n] with NaN after
 * an element's last record, /rve/..., /run, /contacts and /probes when asked for. probes: NULL: none. */
sw_status sw_dem_write_results(const sw_dem_job *job, sw_dem *dem, const sw_dem_probes *probes,
                               const sw_dem_account *work);

/* Packings as they are at the end, as files FILE-0000.txt or .vtkhdf, where asked for. */
sw_status sw_dem_write_packings(const sw_dem_job *job, sw_dem *dem);

/* The two files of each sample that got to its end, and what on_failure says of others. *failed: how many did
 * not; then the last message tells of the first of them. The status is that of writing. */
sw_status sw_dem_write_samples(const sw_dem_job *job, sw_dem *dem, int64_t *failed);

/* FILE-0000.SUFFIX of element r, to be released with free(); NULL: no memory. */
char *sw_dem_packing_name(const sw_dem_job *job, int64_t r, const char *suffix);

/* FILE-0000-0003.vtkhdf, snapshot `number` of element r, likewise. */
char *sw_dem_snapshot_name(const sw_dem_job *job, int64_t r, int64_t number);

/* Element r as it is: a .vtkhdf file of its particles with sw_dem_make_particle_fields. SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_dem_write_particles(sw_dem *dem, int64_t r, const char *path);

/* Calls visit for each file that a run writes beside the results file, with the key that asks for it, until one
 * call fails: packings, snapshots, then files of samples. Of snapshots, whose number nobody knows, the series, the
 * first, and those that an element's packing may be. SW_ERR_MEMORY. */
typedef sw_status sw_dem_visit_place(const sw_dem_job *job, const char *key, const char *path,
                                     const void *context);
sw_status sw_dem_visit_places(const sw_dem_job *job, sw_dem_visit_place *visit, const void *context);

/* States of all elements, to go on from, and back into elements opened from the same job. Reading:
 * SW_ERR_FORMAT when they are of another job, another strategy or another version. */
sw_status sw_dem_write_partial(const sw_dem_job *job, sw_dem *dem, const sw_dem_account *work,
                               const char *path);
sw_status sw_dem_read_partial(const sw_dem_job *job, sw_dem *dem, sw_dem_account *work, const char *path);

/* "3 elements of 200 particles: p = ... kPa, ..." [size]. */
void sw_dem_describe_results(const sw_dem_job *job, sw_dem *dem, char *text, size_t size);

/* A warning of tests whose stresses, once held, were off by more than 2 % of the largest target on average. */
void sw_dem_warn_of_servo(const sw_dem_job *job, sw_dem *dem);

/* Warns of membranes that bear nearly all of the lateral stress, or that grains went through. */
void sw_dem_warn_of_membranes(const sw_dem_job *job, sw_dem *dem);
/* Grains whose centres are outside a membrane. */
int64_t sw_dem_escaped(const sw_dem_rve *rve);

/* The largest of these averages; 0 where no stress was held. */
double sw_dem_servo_error(const sw_dem_job *job, sw_dem *dem);

/* Tests that strain, time or density ended and whose stresses never came near: a warning, and past most_servo_error, but
 * of samples for others to go on with, SW_ERR_CONVERGENCE. */
sw_status sw_dem_check_held(const sw_dem_job *job, sw_dem *dem);

/* As sw_dem_failure, with keys as the job has them: packing.most_steps, loading[2].most_steps. */
sw_status sw_dem_job_failure(const sw_dem_job *job, sw_dem *dem, int64_t r);

/* Which entry of loading a stage of an element is of; -1: of its packing, or the beginning. */
int64_t sw_dem_test_of(const sw_dem_job *job, const sw_dem_rve *rve, int64_t stage);

/* ---- What results and states share ---- */

/* What the numbers depend on beside the job and its packings: text [size]. */
void sw_dem_describe_settings(const sw_dem_job *job, sw_dem *dem, char *text, size_t size);

/* Attributes of the file, and the group /run. */
sw_status sw_dem_write_head(hid_t file, const char *format, const sw_dem_job *job, sw_dem *dem,
                            const sw_dem_account *work);

#endif
