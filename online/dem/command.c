#include <unistd.h>

#include "commands.h"
#include "common/files/output_file.h"
#include "online/dem/output/output.h"

/* What a file is to the job that would be lost if it were written; NULL: nothing. That of output.file is
 * asked by its key. */
static const char *input_of(const sw_dem_job *job, const char *file)
{
    if (access(file, F_OK) != 0)
        return NULL;
    if (sw_same_file(file, sw_job_path(job->source)))
        return "the job file itself";
    int input = sw_same_file(file, job->packing.file) | sw_same_file(file, job->samples.table);
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        input |= sw_same_file(file, job->rves.variations[i].file);
    for (unsigned i = 0; i < job->loading_count; i++)
        input |= sw_same_file(file, job->loading[i].file);
    return input ? "an input of this job" : NULL;
}

static sw_status check_place(const sw_dem_job *job, const char *key, const char *path, const void *context)
{
    (void)context;
    const char *input = input_of(job, path);
    return input == NULL ? SW_OK
                         : sw_job_error(job->source, key, ": would write %s, which is %s", path, input);
}

static sw_status run_command(const sw_arguments *arguments)
{
    sw_dem_job *job;
    SW_TRY(sw_dem_job_read(arguments, &job));
    sw_use_threads(&job->run);
    sw_status status = sw_dem_visit_places(job, check_place, NULL);
    if (status == SW_OK)
        status = sw_dem_job_run(job);
    sw_dem_job_free(job);
    return status;
}

const sw_command sw_dem_command = {
    .name = "dem",
    .summary = "many volume elements of spheres",
    .about =
        "Discrete elements: many periodic volume elements of spheres at once, each with its own packing, "
        "parameters and load path. Options override keys of the job file.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_dem_keys,
    .with_file = 1,
    .alone = 1,
    .run = run_command};
