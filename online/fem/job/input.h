/* What the parts of job reading share: job.c (keys, solver, output), job_body.c (mesh, materials),
 * job_sets.c (named sets), job_loads.c (boundary, loads, steps). */
#ifndef SW_ONLINE_FEM_JOB_INPUT_H
#define SW_ONLINE_FEM_JOB_INPUT_H

#include "job.h"

#ifdef __clang_analyzer__ /* which cannot see into another file what comes back */
#define sw_fem_job_error(...) ((void)sw_fem_job_error(__VA_ARGS__), SW_ERR_INPUT)
#endif

enum { SW_FEM_KEY = 96 }; /* bytes of "boundary[3].factors[2]" */

/* Numbers of a structure: least <= value <= most for those that are given, `standard` for the others. */
typedef struct {
    const char *key;
    size_t member;
    int whole; /* int64_t, else double */
    double least, most, standard;
    const char *bound;
} sw_fem_number;
sw_status sw_fem_check_numbers(const sw_fem_job *job, const char *prefix, void *structure, int count,
                               const sw_fem_number *number);

/* Index of a word in names [count]; `standard` for NULL. */
sw_status sw_fem_choose(const sw_fem_job *job, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index);

/* The set that the text under `key` names, which must not be empty. */
sw_status sw_fem_find_set(const sw_fem_job *job, const char *key, sw_fem_set_kind kind, const char *name,
                          const sw_fem_set **set);

/* Nodes of a set of any kind, ascending, each once: *node [*n], released with free(). */
sw_status sw_fem_set_nodes(const sw_fem_mesh *mesh, const sw_fem_set *set, int64_t *n, int32_t **node);

/* Names of the bodies' parameters, each once, in the order of geometry.parameter; their number. */
int sw_fem_parameters(const char *name[SW_FEM_PARAMETERS]);

/* mesh, kinematics and materials -> the mesh with its sets, and the problem but for its loads. */
sw_status sw_fem_make_body(sw_fem_job *job);

/* The sets under mesh.sets, into job->mesh. */
sw_status sw_fem_make_sets(sw_fem_job *job);

/* steps, boundary and loads -> increments, entries and cases. */
sw_status sw_fem_make_loads(sw_fem_job *job);

#endif
