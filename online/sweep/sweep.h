/* `slipwave sweep`: how the error of a Taylor polycrystal's stress depends on the terms of the series, its
 * refinement or the database's grid, and what accuracy costs. Malahe 2018, section 4.2. */
#ifndef SW_ONLINE_SWEEP_SWEEP_H
#define SW_ONLINE_SWEEP_SWEEP_H

#include <stdint.h>
#include <stdio.h>

#include "common/system/status.h"
#include "online/response/certificate/stress_error.h"
#include "sweep_job.h"

/* One run against the reference. Errors are relative L2 norms over time (trapezoids) of the history of the
 * average Cauchy stress. */
typedef struct {
    char label[96];
    const char *solver; /* its name */
    const char *device; /* that it ran on: "cpu, 8 threads", or a GPU's name; the result's */
    double value;       /* what is varied; of other solvers points of phi1, 0 without a database */
    double error;       /* of the deviatoric tensor, Frobenius norm */
    double curve_error; /* of the component that the loading is judged by */
    double seconds_per_crystal_step; /* what a tenth of the steps stay below: the least disturbed ones */
    double set_up;     /* s before the first step: opened, and ready for the loading's strain rates */
    double generation; /* s that making its database took; 0: not known, or none needed */
    double seconds;    /* set-up and all steps */
    int fitted;        /* whether the power laws are of this point too: a series (or any
                                        row, but for cost) with both errors > 0 */
} sw_sweep_row;

/* How far means of so many crystals are from those of very many: the standard deviation of SW_SWEEP_SEEDS seeds. */
enum { SW_SWEEP_SEEDS = 8 };
typedef struct {
    double error, curve_error; /* as a row's; 0: not measured */
} sw_sweep_scatter;

typedef struct {
    int64_t n_rows, n_steps;
    sw_sweep_row
        *row; /* [n_rows] in the order of the file; those of `terms` and then, for cost and against another
                          reference than a series, all other solvers with the settings that `certify` measures */
    sw_sweep_scatter scatter;        /* of as many random crystals as the sweep's */
    char material[96];               /* of the databases: "iron (bcc24)" */
    const char *curve;               /* name of the component */
    char reference[256];             /* what the errors are against */
    char device[2][160];             /* by sw_device: names of those that rows ran on */
    sw_power_law error, curve_error; /* over value; for cost: over seconds_per_crystal_step */
} sw_sweep_result;

/* Run the reference and every variant, the same crystals each time, on the job's device where their solver has a
 * version for it, else on the CPU. quiet: no progress lines. SW_ERR_INPUT for a database that is missing or of
 * another material, for more terms than stored, and for a GPU that is not there; SW_ERR_INTERRUPTED;
 * every status of a response. Release with sw_sweep_result_free. */
sw_status sw_sweep_run(const sw_sweep_job *job, int quiet, sw_sweep_result **result);
void sw_sweep_result_free(sw_sweep_result *result);

/* As a table for people, and as an HDF5 file under job->output.file, which appears when complete. */
void sw_sweep_print(const sw_sweep_job *job, const sw_sweep_result *result, FILE *out);
sw_status sw_sweep_write(const sw_sweep_job *job, const sw_sweep_result *result);

/* The subcommand. */
extern const sw_command sw_sweep_command;

#endif
