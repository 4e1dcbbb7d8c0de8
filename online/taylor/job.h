/* The job file of `slipwave taylor`. Keys are the struct's member names. */
#ifndef SW_ONLINE_TAYLOR_JOB_H
#define SW_ONLINE_TAYLOR_JOB_H

#include <stdint.h>

#include "common/system/status.h"
#include "common/job/yaml.h"

typedef struct {
    double velocity_gradient[3][3]; /* 1/s, sample frame; trace-free, not zero in its symmetric part */
    double duration;                /* s; > 0 */
} sw_taylor_loading;

typedef struct {
    const char *database; /* path, relative to the job file's folder; NULL when absent */
    const char *material; /* path of a material file, likewise; NULL: the database's own material */
    const char *solver;   /* a name of online/response/solvers.h, or "auto": by the database's certificate */
    double error;         /* of auto: 1e-4 .. 0.5, default 0.01 */
    int64_t terms;        /* stored terms to use; 0: all that are stored */
    int64_t refinement;   /* refinement multiplier of Malahe 2018, section 2.3; 0: the solver's own */
    const char *interpolation; /* of the grid solver: "linear" | "nearest"; NULL: linear */
    const char *device;        /* "auto" | "cpu" | "cuda"; NULL: auto */
    struct {
        int64_t count;       /* 1 .. 2^40; with texture */
        const char *texture; /* "random"; NULL with file */
        int64_t seed;        /* >= 0, default 1 */
        const char *file;    /* .ori .tex .ang .ctf; instead of count, texture, seed; NULL when absent */
    } crystals;
    double initial_slip_resistance; /* Pa; 0: the material's */
    double strain_increment;        /* ||D||_F dt per step; 0 < . <= 0.1, default 0.02 */
    sw_taylor_loading *loading;     /* [loading_count] */
    unsigned loading_count;         /* >= 1 */
    struct {
        const char *file;          /* results, HDF5; relative to the working folder */
        const char **orientations; /* steps to write, each a number >= 0 or "last" */
        unsigned orientations_count;
        const char **textures; /* likewise; without textures_given those of orientations are meant */
        unsigned textures_count;
        int textures_given;
    } output;
    char *text;                          /* the job file as read */
    struct sw_taylor_job_source *source; /* where each value stands; NULL in a job made by hand */
} sw_taylor_job;

/* Options of the command line that override keys of the same name (output: output.file), all
 * borrowed; NULL leaves the file's value, so {0} overrides nothing. crystals_file replaces count,
 * texture and seed; count replaces file. Paths are relative to the working folder. */
typedef struct {
    const char *solver, *database, *material, *output, *crystals_file, *interpolation, *device;
    const int64_t *terms, *refinement, *count, *seed;
    const double *error;
} sw_taylor_overrides;

/* Read and check a job; overrides may be NULL. Paths come back resolved. SW_ERR_INPUT names file,
 * line, key, value and bound ("--terms = 0: need ..." for an override). Release with
 * sw_taylor_job_free. */
sw_status sw_taylor_job_read(const char *path, const sw_taylor_overrides *overrides, sw_taylor_job **job);
void sw_taylor_job_free(sw_taylor_job *job);

/* Strain increments of a loading, the last one perhaps shorter; >= 1, and not finite when L is too large. */
double sw_taylor_loading_steps(const sw_taylor_loading *loading, double strain_increment);

/* An SW_ERR_INPUT for what only a run can find out about a key, worded as those of sw_taylor_job_read:
 * "FILE:LINE: KEY" or "--option", then the formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_taylor_job_error(const sw_taylor_job *job, const char *key,
                                                                    const char *format, ...);

/* ---- What readers of other job files share ---- */

/* An entry of `loading`: sw_taylor_loading. */
extern const cyaml_schema_value_t sw_taylor_loading_schema;

/* Check loading [count] as read; SW_ERR_INPUT names file, line, key and bound. */
sw_status sw_taylor_loading_check(const sw_yaml *yaml, unsigned count, const sw_taylor_loading *loading,
                                  double strain_increment);

/* Replace *text, which libcyaml allocated, by folder[folder_length] + value, or by nothing when value is
 * NULL. */
sw_status sw_job_replace_text(const char **text, const char *folder, size_t folder_length, const char *value);

/* Make *path (may be NULL), which is relative to the job file's folder, one that can be opened. */
sw_status sw_job_resolve_path(const char *job_path, const char **path);

#endif
