/* The parts of reading a job, lowest first: sets.c, upsetting.c, body.c, steps.c, tools.c, periodic.c, loads.c; then job.c. Each has
 * the keys that it reads. */
#ifndef SW_ONLINE_FEM_JOB_PARTS_H
#define SW_ONLINE_FEM_JOB_PARTS_H

#include "job.h"

/* Zeroed memory that goes with the job. SW_ERR_MEMORY. */
#define SW_FEM_TAKE(job, pointer, n, what) \
    sw_fem_take(job, (void **)&(pointer), (int64_t)(n), sizeof *(pointer), what)
sw_status sw_fem_take(const sw_fem_job *job, void **pointer, int64_t n, size_t size, const char *what);

/* ---- sets.c ---- */

extern const sw_key sw_fem_set_keys[]; /* of an entry of mesh.sets */

/* The sets under mesh.sets, into job->mesh. */
sw_status sw_fem_make_sets(sw_fem_job *job);
/* The set that the text under `key` names, which must not be empty. */
sw_status sw_fem_find_set(const sw_fem_job *job, const char *key, sw_fem_set_kind kind, const char *name,
                          const sw_fem_set **set);
/* Nodes of a set of any kind, ascending, each once: *node [*n], the job's. */
sw_status sw_fem_set_nodes(const sw_fem_job *job, const sw_fem_set *set, int64_t *n, int32_t **node);

/* ---- upsetting.c ---- */

extern const sw_key sw_fem_upsetting_keys[];

/* upsetting -> what the keys mesh, kinematics, strain, boundary, tools and steps say; one or the other must be there. */
sw_status sw_fem_make_upsetting(sw_fem_job *job);

/* ---- body.c ---- */

extern const sw_key sw_fem_mesh_keys[], sw_fem_material_keys[];

/* mesh, kinematics and materials -> the mesh with its sets, and the problem but for its loads. */
sw_status sw_fem_make_body(sw_fem_job *job);

/* ---- steps.c ---- */

extern const sw_key sw_fem_step_keys[];

/* steps -> increments, and which step each is of. */
sw_status sw_fem_make_steps(sw_fem_job *job);
/* Factors at the ends of steps, [count] under `prefix`, or the steps' own -> those at the ends of increments. */
sw_status sw_fem_follow_steps(const sw_fem_job *job, const char *prefix, const double *factors, int count,
                              sw_fem_entry *entry);

/* ---- tools.c ---- */

extern const sw_key sw_fem_tool_keys[];

/* Friction as in the file, -1: absent. A tool that sticks has none. */
sw_status sw_fem_check_sticking(const sw_fem_job *job, const char *prefix, const sw_fem_tool *tool);
/* tools -> the problem's tools and their entries; after the steps are known. */
sw_status sw_fem_make_tools(sw_fem_job *job);

/* ---- periodic.c ---- */

extern const sw_key sw_fem_periodic_keys[];

/* Whether the job has the key. */
int sw_fem_is_periodic(const sw_fem_job *job);
/* periodic -> entries and cases; after the steps are known. */
sw_status sw_fem_make_periodic(sw_fem_job *job);

/* ---- loads.c ---- */

extern const sw_key sw_fem_boundary_keys[], sw_fem_load_keys[];

/* steps, boundary, loads and tools, or periodic -> increments, entries and cases. */
sw_status sw_fem_make_loads(sw_fem_job *job);

#endif
