#include "common/files/hdf5_io.h"
#include "sweep.h"

static sw_status run_and_write(const sw_sweep_job *job)
{
    sw_sweep_result *result;
    sw_use_threads(&job->run);
    SW_TRY(sw_sweep_run(job, job->run.quiet, &result));
    const sw_status status = sw_sweep_write(job, result);
    if (status == SW_OK)
        sw_sweep_print(job, result, sw_said());
    sw_sweep_result_free(result);
    return status;
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_sweep_job *job;
    sw_claim claim = {0};
    SW_TRY(sw_sweep_job_read(arguments, &job));
    sw_status status = sw_h5_claim(job->output.file, &claim);
    if (status == SW_OK)
        status = run_and_write(job);
    sw_claim_release(&claim);
    sw_sweep_job_free(job);
    return status;
}

const sw_command sw_sweep_command = {
    .name = "sweep",
    .summary = "error against terms, refinement, grid or cost",
    .about =
        "Measure the error of a Taylor polycrystal's stress while one thing varies: the terms of the series, "
        "its refinement, the database's grid, or what it costs. Options replace keys of the sweep file.",
    .argument = "SWEEP.yaml",
    .kind = "sweep file",
    .keys = sw_sweep_keys,
    .with_file = 1,
    .alone = 1,
    .run = run_command};
