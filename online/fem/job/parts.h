/* The parts of reading a job, lowest first: sets.c, upsetting.c, grains.c, crystals.c, matter.c, body.c, steps.c, tools.c,
 * periodic.c, identity.c, loads.c; then job.c. Each has
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

/* upsetting -> what the keys mesh, kinematics, strain, boundary, tools and steps say; one or the other must be
 * there. */
sw_status sw_fem_make_upsetting(sw_fem_job *job);

/* ---- grains.c ---- */

/* Rows of a section `grains`: m, an sw_fem_job_grains of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_FEM_GRAIN_KEYS(S, m)                                                                            \
    {SW_WHOLE("voronoi", S, m.voronoi, 1, 1 << 24),                                                        \
     .help = "Voronoi cells around so many random places in a body of equal cells; they go on across the " \
             "faces of a "                                                                                 \
             "periodic one"},                                                                              \
        {SW_WHOLE("seed", S, m.seed, 0, INT64_MAX), .standard = 1, .help = "random seed of the places"},   \
        {SW_PATH("seeds", S, m.seeds), .help = "the places from a text instead: a line x y z each, m"},    \
        {SW_PATH("file", S, m.file),                                                                       \
         .help =                                                                                           \
             "or the grain of each element from a text of whole numbers from 0 on, or from HDF5 (`.h5`)"}, \
        {SW_TEXT("dataset", S, m.dataset), .bound = "a dataset", .otherwise = "grain",                     \
         .help = "of the HDF5 file"},                                                                      \
        SW_KEYS_END
/* NOLINTEND(bugprone-macro-parentheses) */

/* grains under `prefix` ("materials[0].crystals.grains.") -> *grain [E], the job's, and how many there are: of a
 * file the largest number and one. */
sw_status sw_fem_make_grains(sw_fem_job *job, const char *prefix, const sw_fem_job_grains *from,
                             const int32_t **grain, int64_t *n_grains);

/* ---- crystals.c ---- */

extern const sw_key
    sw_fem_crystals_keys[]; /* of a material's section `crystals`, counted from the material */

/* materials[index].crystals -> job->crystals[index] and the material; where the job gives it. */
sw_status sw_fem_make_crystals(sw_fem_job *job, int index);
void sw_fem_free_crystals(sw_fem_job_crystals *crystals);

/* ---- matter.c ---- */

extern const sw_key sw_fem_yield_keys[], sw_fem_rate_keys[], sw_fem_power_keys[], sw_fem_rubber_keys[];

/* Whether the material under `prefix` asks for a law of decks; or for rubber. */
int sw_fem_asks_matter(const sw_fem_job *job, const char *prefix, int rubber);
/* That law -> job->matter[index] and job->material[index], which has the rest of the material. */
sw_status sw_fem_make_matter(sw_fem_job *job, int index, const char *prefix);

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

/* ---- identity.c ---- */

/* Begins to find job->identity; and the crystals'. From here on mesh and entries stay as they are. SW_ERR_MEMORY. */
sw_status sw_fem_identify(sw_fem_job *job);

/* ---- loads.c ---- */

extern const sw_key sw_fem_boundary_keys[], sw_fem_load_keys[];

/* steps, boundary, loads and tools, or periodic -> increments, entries and cases. */
sw_status sw_fem_make_loads(sw_fem_job *job);

#endif
