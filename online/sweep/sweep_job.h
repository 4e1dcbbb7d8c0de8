/* The sweep file of `slipwave sweep`. Keys are the struct's member names. */
#ifndef SW_ONLINE_SWEEP_SWEEP_JOB_H
#define SW_ONLINE_SWEEP_SWEEP_JOB_H

#include "common/job/command.h"
#include "online/loading/loading.h"

typedef enum {
    SW_VARY_TERMS,      /* terms of the series */
    SW_VARY_REFINEMENT, /* refinement multiplier of the series */
    SW_VARY_GRID,       /* databases: the same number of terms from each */
    SW_VARY_COST,       /* solvers, all of them; error against time */
    SW_VARY_KINDS
} sw_sweep_kind;

enum { SW_SWEEP_DATABASES = 64 }; /* at most */

/* In kind's order: "terms", "refinement", "grid", "cost". */
extern const char *const sw_sweep_kind_name[SW_VARY_KINDS];

typedef struct {
    sw_run_options run;
    const char **databases; /* [databases_count] paths; the last one is the finest: what needs only one takes
                                 that */
    unsigned databases_count; /* 1 for vary.terms and vary.refinement; >= 1 */
    struct {                  /* exactly one of them */
        int64_t *terms;       /* [terms_count] */
        unsigned terms_count;
        int64_t *refinement; /* [refinement_count] */
        unsigned refinement_count;
        struct {
            int64_t terms;
        } grid;
        struct {
            int64_t *terms; /* [terms_count] */
            unsigned terms_count;
        } cost;
    } vary;
    int64_t terms;      /* with vary.refinement alone; 0: all that are stored */
    int64_t refinement; /* not with vary.refinement */
    struct {
        int solver;           /* of online/response/solvers.h */
        const char *database; /* path; NULL: the last of databases */
        int64_t terms;        /* for "terms"; 0: all that are stored */
        int64_t refinement;   /* for "terms". 0: the solver's own */
        int64_t substeps;     /* of the reference to one strain increment */
    } reference;
    struct {
        int64_t count; /* of a random texture */
        int64_t seed;
    } crystals;
    double strain_increment; /* ||D||_F dt per step */
    sw_loading *loading;     /* [loading_count] */
    unsigned loading_count;  /* >= 1 */
    struct {
        const char *file; /* results, HDF5 */
    } output;
    sw_sweep_kind kind; /* which of vary is given */
    sw_job *source;     /* where each value stands; owns all above */
} sw_sweep_job;

extern const sw_key sw_sweep_keys[];

/* Read and check. SW_ERR_INPUT names file, line, key, value and bound; SW_ERR_IO; SW_ERR_MEMORY. Release with
 * sw_sweep_job_free. */
sw_status sw_sweep_job_read(const sw_arguments *arguments, sw_sweep_job **job);
void sw_sweep_job_free(sw_sweep_job *job);

#endif
