#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/job/command_line.h"
#include "common/files/hdf5_io.h"
#include "online/dem/output/output.h"

typedef struct {
    sw_common_arguments common;
    sw_dem_overrides overrides;
    double seed, inertia_number;
    int resume;
} options;

enum {
    KEY_DEVICE = 256,
    KEY_TEAM,
    KEY_DETECTION,
    KEY_IMAGES,
    KEY_SAMPLES,
    KEY_SEED,
    KEY_INERTIA_NUMBER,
    KEY_RESUME
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "results file", 0},
    {"device", KEY_DEVICE, "NAME", 0, "auto, cpu or cuda", 0},
    {"team", KEY_TEAM, "NAME", 0, "who advances an element: auto, thread, block, cluster, device or launches",
     0},
    {"detection", KEY_DETECTION, "NAME", 0, "grid; of launches also hash and bvh", 0},
    {"images", KEY_IMAGES, "NAME", 0, "nearest or boundary_particles", 0},
    {"samples", KEY_SAMPLES, "TABLE", 0, "run GrainLearning's table of samples", 0},
    {"seed", KEY_SEED, "N", 0, "of the first packing", 0},
    {"inertia-number", KEY_INERTIA_NUMBER, "I", 0, "of tests without their own rate", 0},
    {"resume", KEY_RESUME, NULL, 0, "go on with what an interrupted run left", 0},
    SW_COMMON_OPTIONS,
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'o':
        o->overrides.output = value;
        return 0;
    case KEY_DEVICE:
        o->overrides.device = value;
        return 0;
    case KEY_TEAM:
        o->overrides.team = value;
        return 0;
    case KEY_DETECTION:
        o->overrides.detection = value;
        return 0;
    case KEY_IMAGES:
        o->overrides.images = value;
        return 0;
    case KEY_SAMPLES:
        o->overrides.samples = value;
        return 0;
    case KEY_SEED:
        return sw_override_real("--seed", value, &o->seed, &o->overrides.seed);
    case KEY_INERTIA_NUMBER:
        return sw_override_real("--inertia-number", value, &o->inertia_number, &o->overrides.inertia_number);
    case KEY_RESUME:
        o->resume = 1;
        return 0;
    default:
        return sw_parse_common(key, value, &o->common);
    }
}

static const struct argp argp = {argp_options,
                                 parse,
                                 "JOB.yaml",
                                 "Discrete elements: many periodic volume elements of spheres at once, each "
                                 "with its own packing, parameters "
                                 "and load path. Options override keys of the job file.",
                                 NULL,
                                 NULL,
                                 NULL};

/* What a file is to the job that would be lost if it were written; NULL: nothing. */
static const char *input_of(const sw_dem_job *job, const char *file)
{
    if (access(file, F_OK) != 0)
        return NULL;
    if (sw_same_file(file, job->path))
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
    return input == NULL ? SW_OK : sw_dem_job_error(job, key, ": would write %s, which is %s", path, input);
}

/* No input of the job may be its output. */
static sw_status check_output(const sw_dem_job *job)
{
    const char *file = job->output.file, *input = input_of(job, file);
    if (input != NULL)
        return sw_dem_job_error(job, "output.file", " = %s: is %s", file, input);
    return sw_dem_visit_places(job, check_place, NULL);
}

sw_status sw_dem_command(int argc, char **argv)
{
    options o = {.common = {"dem", "job file", NULL, 0}};
    sw_dem_job *job;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    SW_TRY(sw_dem_job_read(o.common.file, &o.overrides, &job));
    sw_status status = check_output(job);
    if (status == SW_OK)
        status = sw_dem_job_run(job, o.resume, o.common.quiet);
    sw_dem_job_free(job);
    return status;
}
