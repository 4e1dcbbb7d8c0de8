/* The sweep file of `slipwave sweep`. Keys are the struct's member names. */
#ifndef SW_ONLINE_SWEEP_SWEEP_JOB_H
#define SW_ONLINE_SWEEP_SWEEP_JOB_H

#include <stdint.h>

#include "common/system/status.h"
#include "online/taylor/job.h"

typedef enum {
    SW_VARY_TERMS,      /* terms of the series */
    SW_VARY_REFINEMENT, /* refinement multiplier of the series */
    SW_VARY_GRID,       /* databases: the same number of terms from each */
    SW_VARY_COST,       /* solvers: terms, grid, iterative; error against time */
} sw_sweep_kind;

enum { SW_SWEEP_DATABASES = 64 }; /* at most */

/* In kind's order: "terms", "refinement", "grid", "cost". */
extern const char *const sw_sweep_kind_name[];

typedef struct {
    const char **databases;   /* [databases_count] paths, relative to the sweep file's folder; the last one is
                                 the finest: what needs only one takes that */
    unsigned databases_count; /* 1 for vary.terms and vary.refinement; >= 1 */
    struct {                  /* exactly one of them */
        int64_t *terms;       /* [terms_count] each >= 1 */
        unsigned terms_count;
        int64_t *refinement; /* [refinement_count] each 1 .. 4096 */
        unsigned refinement_count;
        struct {
            int64_t terms; /* >= 1 */
        } grid;
        struct {
            int64_t *terms; /* [terms_count] each >= 1 */
            unsigned terms_count;
        } cost;
    } vary;
    int64_t terms;      /* with vary.refinement alone; 0: all that are stored */
    int64_t refinement; /* not with vary.refinement; 1 .. 4096, default 128 */
    struct {
        const char *solver;   /* a name of online/response/solvers.h */
        const char *database; /* path, likewise; NULL: the last of databases */
        int64_t terms;        /* for "terms"; 0: all that are stored */
        int64_t refinement;   /* for "terms"; default 128. 0: the solver's own */
        int64_t substeps;     /* of the reference to one strain increment; 1 .. 10000, default 1 */
    } reference;
    struct {
        int64_t count; /* 1 .. 2^40, of a random texture */
        int64_t seed;  /* >= 0, default 1 */
    } crystals;
    double strain_increment;    /* ||D||_F dt per step; 0 < . <= 0.1, default 0.02 */
    sw_taylor_loading *loading; /* [loading_count] */
    unsigned loading_count;     /* >= 1 */
    struct {
        const char *file; /* results, HDF5; relative to the working folder */
    } output;
    sw_sweep_kind kind;                 /* which of vary is given */
    char *text;                         /* the sweep file as read */
    struct sw_sweep_job_source *source; /* where each value stands */
} sw_sweep_job;

/* Options of the command line that replace keys, all borrowed; {0} replaces nothing. Paths are relative to
 * the working folder. */
typedef struct {
    const char *const *databases; /* [databases_count] */
    unsigned databases_count;
    const char *output;
    int64_t count; /* of crystals; 0: the file's */
} sw_sweep_overrides;

/* Read and check; overrides may be NULL. Paths come back resolved. SW_ERR_INPUT names file, line, key, value
 * and bound. Release with sw_sweep_job_free. */
sw_status sw_sweep_job_read(const char *path, const sw_sweep_overrides *overrides, sw_sweep_job **job);
void sw_sweep_job_free(sw_sweep_job *job);

/* An SW_ERR_INPUT for what only a run can find out about a key: "FILE:LINE: KEY", or "--database", then the
 * formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_sweep_job_error(const sw_sweep_job *job, const char *key,
                                                                   const char *format, ...);

#endif
