#include <string.h>

#include "common/job/command_line.h"
#include "common/files/hdf5_io.h"
#include "sweep.h"

enum { KEY_DATABASE = 256, KEY_COUNT };

typedef struct {
    sw_common_arguments common;
    const char *databases[SW_SWEEP_DATABASES];
    sw_sweep_overrides overrides;
} options;

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "results file", 0},
    {"database", KEY_DATABASE, "FILE", 0, "spectral database; repeated, they replace the file's list", 0},
    {"count", KEY_COUNT, "N", 0, "random crystals", 0},
    SW_COMMON_OPTIONS,
    {0}};

static error_t add_database(options *o, const char *path)
{
    if (o->overrides.databases_count == SW_SWEEP_DATABASES)
        return sw_argument(sw_error(SW_ERR_INPUT, "--database: need at most %d", SW_SWEEP_DATABASES));
    o->databases[o->overrides.databases_count++] = path;
    return sw_argument(SW_OK);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 'o':
        if (*value == '\0')
            return sw_argument(sw_error(SW_ERR_INPUT, "--output = '': need a text"));
        o->overrides.output = value;
        return 0;
    case KEY_DATABASE:
        return add_database(o, value);
    case KEY_COUNT:
        return sw_argument(sw_parse_integer("--count", value, 1, INT64_C(1) << 40, &o->overrides.count));
    default:
        return sw_parse_common(key, value, &o->common);
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "SWEEP.yaml",
    "Measure the error of a Taylor polycrystal's stress while one thing varies: the "
    "terms of the series, its refinement, the database's grid, or what it costs. "
    "Options replace keys of the sweep file.",
    NULL,
    NULL,
    NULL};

sw_status sw_sweep_command(int argc, char **argv)
{
    options o = {.common = {"sweep", "sweep file", NULL, 0}};
    sw_sweep_job *job;
    sw_sweep_result *result;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    o.overrides.databases = o.databases;
    SW_TRY(sw_sweep_job_read(o.common.file, &o.overrides, &job));
    /* before the work, not after: can the result be written? */
    sw_h5_output probe;
    sw_status status = sw_h5_begin(job->output.file, &probe);
    sw_h5_abandon(&probe);
    if (status == SW_OK)
        status = sw_sweep_run(job, o.common.quiet, &result);
    if (status == SW_OK) {
        status = sw_sweep_write(job, result);
        if (status == SW_OK)
            sw_sweep_print(job, result, stdout);
        sw_sweep_result_free(result);
    }
    sw_sweep_job_free(job);
    return status;
}
