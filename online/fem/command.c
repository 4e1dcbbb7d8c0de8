#include "commands.h"
#include "common/system/parallel.h"

static sw_fem_way *const ways[SW_FEM_WAYS] = {
#define WAY(name, run) run,
    SW_FEM_WAY_LIST(WAY)
#undef WAY
};

static sw_status run_command(const sw_arguments *arguments)
{
    sw_fem_job *job;
    sw_status status = sw_parallel_agree(sw_fem_job_read(arguments, &job));
    if (status == SW_OK) {
        sw_use_threads(&job->run);
        status = ways[job->upsetting.rate_law](job);
    }
    sw_fem_job_free(job);
    return status;
}

const sw_command sw_fem_command = {
    .name = "fem",
    .summary = "elastoplastic finite elements",
    .about =
        "Elastoplasticity by finite elements, at small and finite strains: von Mises' yield criterion with "
        "isotropic hardening, in three dimensions, plane or axisymmetric; contact with rigid tools, "
        "upsetting; "
        "also steady heat conduction in the plane. "
        "Options override keys of the job file.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_fem_keys,
    .with_file = 1,
    .run = run_command};
