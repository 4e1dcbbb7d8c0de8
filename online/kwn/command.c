#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/job/command_line.h"
#include "common/files/hdf5_io.h"
#include "common/system/parallel.h"

typedef struct {
    sw_common_arguments common;
    sw_kwn_overrides overrides;
    int64_t classes, points;
    double tolerance;
    int resume;
} options;

enum { KEY_DEVICE = 256, KEY_PRECISION, KEY_CLASSES, KEY_TOLERANCE, KEY_POINTS, KEY_RESUME };

#define SHARED_OPTIONS                                                                    \
    {"output", 'o', "FILE", 0, "results file", 0},                                        \
        {"strategy",                                                                      \
         's',                                                                             \
         "NAME",                                                                          \
         0,                                                                               \
         "cpu, fused, node_first, class_first, cusparse_strided or cusparse_interleaved", \
         0},                                                                              \
        {"device", KEY_DEVICE, "NAME", 0, "auto, cpu or cuda", 0},                        \
        {"precision", KEY_PRECISION, "NAME", 0, "double, mixed or single", 0},            \
        {"classes", KEY_CLASSES, "B", 0, "size classes", 0},                              \
        {"tolerance", KEY_TOLERANCE, "E", 0, "relative error of a step", 0}, SW_COMMON_OPTIONS

static const struct argp_option run_options[] = {
    SHARED_OPTIONS,
    {"points", KEY_POINTS, "N", 0, "points with the same history", 0},
    {"resume", KEY_RESUME, NULL, 0, "go on with what an interrupted run left", 0},
    {0}};
static const struct argp_option map_options[] = {SHARED_OPTIONS, {0}};

/* Bounds are the job's to check: here a number only has to be one. */
static error_t override_number(const char *option, const char *text, int64_t *number,
                               const int64_t **override)
{
    *override = number;
    if (sw_parse_integer(option, text, INT64_MIN, INT64_MAX, number) != SW_OK)
        return sw_argument(sw_error(SW_ERR_INPUT, "%s = %.80s: need a whole number", option, text));
    return sw_argument(SW_OK);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'o':
        o->overrides.output = value;
        return 0;
    case 's':
        o->overrides.strategy = value;
        return 0;
    case KEY_DEVICE:
        o->overrides.device = value;
        return 0;
    case KEY_PRECISION:
        o->overrides.precision = value;
        return 0;
    case KEY_CLASSES:
        return override_number("--classes", value, &o->classes, &o->overrides.classes);
    case KEY_POINTS:
        return override_number("--points", value, &o->points, &o->overrides.points);
    case KEY_TOLERANCE:
        return sw_override_real("--tolerance", value, &o->tolerance, &o->overrides.tolerance);
    case KEY_RESUME:
        o->resume = 1;
        return 0;
    default:
        return sw_parse_common(key, value, &o->common);
    }
}

static const struct argp run_argp = {
    run_options,
    parse,
    "JOB.yaml\nmap MAP.yaml",
    "Precipitation along a thermal history: size distributions, composition and "
    "strength. Options override keys of the job file. `kwn map` computes maps: "
    "time-temperature-precipitation, continuous cooling, ageing curves, process "
    "windows.",
    NULL,
    NULL,
    NULL};

static const struct argp map_argp = {
    map_options,
    parse,
    "MAP.yaml",
    "Precipitation along many thermal histories: time-temperature-precipitation "
    "and continuous cooling diagrams, ageing curves, process windows. Options "
    "override keys of the map file.",
    NULL,
    NULL,
    NULL};

static sw_status check_output(const options *o, const sw_kwn_setup *setup)
{
    if (sw_same_file(o->common.file, setup->output_file))
        return sw_kwn_job_error(setup, "output.file", " = %s: is the job file itself", setup->output_file);
    return SW_OK;
}

sw_status sw_kwn_map_command(int argc, char **argv)
{
    options o = {.common = {"kwn map", "map file", NULL, 0}};
    sw_kwn_map_job *job;
    SW_TRY(sw_parse_arguments(&map_argp, argc, argv, &o));
    SW_TRY(sw_parallel_check());
    if (sw_parallel_rank() != 0) /* one process does it: others have nothing to do */
        return SW_OK;
    SW_TRY(sw_kwn_map_job_read(o.common.file, &o.overrides, &job));
    sw_status status = check_output(&o, &job->setup);
    if (status == SW_OK)
        status = sw_kwn_map_run(job, o.common.quiet);
    sw_kwn_map_job_free(job);
    return status;
}

static sw_status run_command(int argc, char **argv)
{
    options o = {.common = {"kwn", "job file", NULL, 0}};
    sw_kwn_job *job;
    SW_TRY(sw_parse_arguments(&run_argp, argc, argv, &o));
    SW_TRY(sw_parallel_check());
    sw_status status = sw_kwn_job_read(o.common.file, &o.overrides, &job);
    if (status == SW_OK)
        status = check_output(&o, &job->setup);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = sw_kwn_run(job, o.resume, o.common.quiet);
    sw_kwn_job_free(job);
    return status;
}

sw_status sw_kwn_command(int argc, char **argv)
{
    char name[128];
    if (argc < 2 || strcmp(argv[1], "map") != 0)
        return run_command(argc, argv);
    snprintf(name, sizeof name, "%s map", argv[0]);
    argv[1] = name;
    return sw_kwn_map_command(argc - 1, argv + 1);
}
