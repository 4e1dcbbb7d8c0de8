#include "commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/files/text.h"
#include "common/job/yaml.h"
#include "common/system/parallel.h"
#include "online/kwn/job/alloy_file.h"

static const sw_key_table files[] = {{"alloy", sw_kwn_alloy_keys}, {0}};

/* The status of reading a file; of a map given to `kwn`, or the reverse, the message says which command it is for. */
static sw_status hint(sw_status status, const char *file, int is_map)
{
    char message[800], *text = NULL;
    sw_yaml *yaml = NULL;
    if (status != SW_ERR_INPUT)
        return status;
    snprintf(message, sizeof message, "%s", sw_error_message());
    const int readable = sw_read_text(file, &text) == SW_OK && sw_yaml_open(file, text, &yaml) == SW_OK;
    if (readable && sw_yaml_has(yaml, "kind") != is_map)
        sw_error(SW_ERR_INPUT, "%s; %s", message,
                 is_map ? "a map has a kind, a job for `slipwave kwn` none"
                        : "a map, which has a kind, is for `slipwave kwn map`");
    else
        sw_error(SW_ERR_INPUT, "%s", message);
    sw_yaml_close(yaml);
    free(text);
    return status;
}

/* What `auto` chose. */
static void tell_choice(const sw_kwn_setup *setup)
{
    if (setup->choice[0] && !setup->run.quiet && sw_parallel_rank() == 0)
        sw_note("auto: %s", setup->choice);
}

static sw_status run_job(const sw_arguments *arguments)
{
    sw_kwn_job *job;
    sw_status status = sw_parallel_agree(hint(sw_kwn_job_read(arguments, &job), arguments->file, 0));
    if (status == SW_OK) {
        sw_use_threads(&job->setup.run);
        tell_choice(&job->setup);
        status = sw_kwn_run(job);
    }
    sw_kwn_job_free(job);
    return status;
}

const sw_command sw_kwn_command = {
    .name = "kwn",
    .summary = "precipitates and strength along thermal histories",
    .about = "Precipitation along a thermal history: size distributions, composition and strength. Options "
             "override keys of the job file. `kwn map` computes maps: time-temperature-precipitation, "
             "continuous cooling, ageing curves, process windows.",
    .argument = "JOB.yaml",
    .kind = "job file",
    .keys = sw_kwn_keys,
    .with_file = 1,
    .files = files,
    .run = run_job};

static sw_status run_map(const sw_arguments *arguments)
{
    sw_kwn_map_job *job;
    SW_TRY(hint(sw_kwn_map_job_read(arguments, &job), arguments->file, 1));
    sw_use_threads(&job->setup.run);
    tell_choice(&job->setup);
    const sw_status status = sw_kwn_map_run(job);
    sw_kwn_map_job_free(job);
    return status;
}

const sw_command sw_kwn_map_command = {
    .name = "kwn map",
    .summary = "diagrams of precipitation and strength over temperature, time, cooling rate, composition",
    .about = "Precipitation along many thermal histories: time-temperature-precipitation and continuous "
             "cooling diagrams, ageing curves, process windows. Options override keys of the map file.",
    .argument = "MAP.yaml",
    .kind = "map file",
    .keys = sw_kwn_map_keys,
    .with_file = 1,
    .alone = 1,
    .files = files,
    .run = run_map};
