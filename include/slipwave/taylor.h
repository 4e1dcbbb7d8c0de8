/* A Taylor polycrystal: all grains follow the macroscopic velocity gradient. Malahe 2018, sections 2.2 and
 * 3.5. What `slipwave taylor` does, for host programs:
 *
 *     const char *const option[][2] = {{"count", "4096"}, {"output", "out.h5"}, {"quiet", ""}};
 *     sw_taylor_job *job;
 *     sw_taylor_summary end;
 *     sw_status status = sw_taylor_job_open("job.yaml", 3, option, &job);
 *     if (status == SW_OK)
 *         status = sw_taylor_run(job, &end);
 *     sw_taylor_job_close(job);
 *
 * Job and results files are docs/file-formats.md's. One run at a time in a process. */
#ifndef SLIPWAVE_TAYLOR_H
#define SLIPWAVE_TAYLOR_H

#include <stdint.h>

#include "slipwave/response.h"
#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_taylor_job sw_taylor_job;

/* Read and check a job file (YAML). option [n_options][2]: names of the command's options without dashes, and
 * values that replace those of the file; "" for an option without one; borrowed until the job is closed.
 * SW_ERR_INPUT names file, line, key, value and bound, or the option; SW_ERR_IO; SW_ERR_MEMORY; *job is then
 * NULL. Release with sw_taylor_job_close, which takes NULL too. */
SW_API sw_status sw_taylor_job_open(const char *path, int n_options, const char *const (*option)[2],
                                    sw_taylor_job **job);
SW_API void sw_taylor_job_close(sw_taylor_job *job);

/* Means over the crystals at the end, and what it took. */
typedef struct {
    int64_t crystals, steps;
    double strain; /* integral of ||D|| dt */
    double cauchy_stress
        [3][3]; /* Pa, sample frame; deviatoric as sw_response_average's, but where stresses are given */
    double slip_resistance; /* Pa */
    double setup_time;      /* s: inputs, crystals, tables */
    double wall_time;       /* s: the steps alone */
} sw_taylor_summary;

/* Run a job, from crystals to results file, which appears when the run is complete. summary: caller's; may be
 * NULL. What an interrupted run left, and the option `resume`, goes on with: FILE.partial. Progress goes to
 * the listener (sw_listen) unless the job is quiet. Every status that its parts have; SW_ERR_INPUT when there is a
 * partial file and no `resume`, SW_ERR_FORMAT when it is of another run; SW_ERR_INTERRUPTED. */
SW_API sw_status sw_taylor_run(const sw_taylor_job *job, sw_taylor_summary *summary);

/* ---- In memory ----
 *
 * The same steps of the same job, which the caller takes when it wants them; no results file, no state of an
 * interrupted run. One process. */
typedef struct sw_taylor sw_taylor;

/* What the caller has already, instead of what the job would read; NULL: the job's. */
typedef struct {
    const sw_database *database; /* borrowed, to the run's end */
    const sw_material *material; /* copied */
    int64_t crystals;            /* N */
    const sw_crystal *crystal;   /* [N] host memory, slip resistance > 0; copied */
    const float *weight;         /* [N] of them, as sw_response_step's; NULL: all alike; copied */
} sw_taylor_inputs;

/* Before the first step of the job that `path` holds, or `text` where that is not NULL: `path` is then for messages and
 * for the folder of the files that it names. The job needs no `output`, and no `crystals` or `initial_slip_resistance`
 * goes with crystals that are given; `solver: auto` needs a database that the job names. option: as sw_taylor_job_open's,
 * borrowed until the end. inputs: may be NULL. Every status of sw_taylor_job_open and of what is read; SW_ERR_RANGE for
 * crystals or weights that are none. *run is NULL on failure; else release with sw_taylor_end, which takes NULL too. */
SW_API sw_status sw_taylor_begin(const char *path, const char *text, int n_options,
                                 const char *const (*option)[2], const sw_taylor_inputs *inputs,
                                 sw_taylor **run);
SW_API void sw_taylor_end(sw_taylor *run);

/* Up to so many more steps; *taken of them came before the loading's end. Of a solver without a history a call costs an
 * evaluation beside its steps, for the stress of the last row. SW_ERR_CONVERGENCE where crystals have no
 * answer, or stresses or a goal are not met: the steps before that one stand. SW_ERR_MEMORY. */
SW_API sw_status sw_taylor_advance(sw_taylor *run, int64_t steps, int64_t *taken);

/* A row a step, the first before any; borrowed until the next step. Means over the crystals, sample frame. Stress and
 * slip rate are those of the row's crystals, under its velocity gradient; where stresses are given, of a solver without a
 * history, under the one that meets them there. Nothing deforms the crystals of the first row: both are 0. After a step
 * that failed, crystals without an answer leave NaN in the last row. */
typedef struct {
    int64_t rows;
    const double *time;                         /* [rows] s */
    const double *strain;                       /* integral of ||D|| dt */
    const double *slip_resistance;              /* Pa */
    const double *slip_rate;                    /* G, 1/s */
    const double (*deformation_gradient)[3][3]; /* F */
    const double (*velocity_gradient)[3][3];    /* of the step that ends here, 1/s */
    const double (*cauchy_stress)[3][3];        /* Pa; deviatoric as in sw_taylor_summary */
    /* Of materials with slip.families; else NULL and 0. The sizes of slips so far, summed over a family's systems; of twins,
     * the last families, also that over their shear, the fraction that twinned. */
    int families, twins;         /* F */
    const char *const *family;   /* [F] their names */
    const double *family_slip;   /* [rows][F] */
    const double *twin_fraction; /* [rows][twins] */
    const double
        *turned_fraction; /* [rows][twins] of the crystals that such twins have turned (twin_threshold) */
    const double *temperature; /* [rows] K, where the loading changes it; else NULL */
} sw_taylor_rows;
SW_API void sw_taylor_history(const sw_taylor *run, sw_taylor_rows *rows);

/* N, and the crystals as they are: crystal [N], weight [N] or NULL (1 on average; 1 each where all are alike); the
 * caller's, host memory. SW_ERR_MEMORY. */
SW_API int64_t sw_taylor_crystals(const sw_taylor *run);
SW_API sw_status sw_taylor_copy_crystals(const sw_taylor *run, sw_crystal *crystal, float *weight);

/* The elastic strain that diffraction would find now: along a direction of the sample, mean of the crystals one of whose planes
 * like (plane [indices]: h k l, or h k i l of hexagonal crystals) has its normal within so many degrees of it; share: their part
 * of all; 0, and a strain of 0, where there are none. SW_ERR_UNAVAILABLE for solvers without elastic strains; SW_ERR_RANGE;
 * SW_ERR_MEMORY. */
SW_API sw_status sw_taylor_lattice_strain(const sw_taylor *run, int indices, const double *plane,
                                          const double along[3], double within, double *strain,
                                          double *share);

#ifdef __cplusplus
}
#endif

#endif
