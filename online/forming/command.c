#include "common/crystal/material_file.h"
#include "tasks.h"

static sw_status run_command(const sw_arguments *arguments)
{
    sw_forming_job *job;
    SW_TRY(sw_forming_job_open(arguments, &job));
    const sw_status status = sw_forming_run(job, sw_said());
    sw_forming_job_close(job);
    return status;
}

static const sw_key_table files[] = {{"material", sw_material_keys}, {0}};

const sw_command sw_forming_command = {
    .name = "forming",
    .summary = "what a forming simulation asks of a sheet",
    .about = "Compute what forming simulations ask of a sheet of crystals: yield stresses and r-values "
             "against the angle "
             "to rolling, sections of the yield surface, yield functions fitted to them, ears of a cup. "
             "Tasks are sections of the job file, and all the "
             "polycrystals of "
             "one are deformed side by side. Options override keys of the job file.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_forming_keys,
    .with_file = 1,
    .files = files,
    .alone = 1,
    .run = run_command};
