#include "common/arguments.h"
#include "common/hdf5_io.h"
#include <string.h>

#include "taylor.h"

typedef struct {
    sw_common_arguments common;
    sw_taylor_overrides overrides;
    int64_t terms, refinement, count, seed;
} options;

enum {
    KEY_DATABASE = 256,
    KEY_MATERIAL,
    KEY_CRYSTALS_FILE,
    KEY_TERMS,
    KEY_REFINEMENT,
    KEY_COUNT,
    KEY_SEED,
    KEY_DEVICE
};

static const struct argp_option argp_options[] = {
    {"solver", 's', "NAME", 0, "terms, grid or iterative", 0},
    {"output", 'o', "FILE", 0, "results file", 0},
    {"database", KEY_DATABASE, "FILE", 0, "spectral database", 0},
    {"material", KEY_MATERIAL, "FILE", 0, "material file", 0},
    {"terms", KEY_TERMS, "T", 0, "stored terms to use", 0},
    {"refinement", KEY_REFINEMENT, "R", 0, "refinement multiplier", 0},
    {"count", KEY_COUNT, "N", 0, "random crystals", 0},
    {"seed", KEY_SEED, "S", 0, "of the random crystals", 0},
    {"crystals-file", KEY_CRYSTALS_FILE, "FILE", 0, "orientations, .ori .tex .ang .ctf", 0},
    {"device", KEY_DEVICE, "NAME", 0, "auto or cpu", 0},
    SW_COMMON_OPTIONS,
    {0}};

/* Bounds are the job's to check: here a number only has to be one. */
static error_t override_number(const char *option, const char *text, int64_t *number,
                               const int64_t **override)
{
    *override = number;
    return sw_argument(sw_parse_integer(option, text, INT64_MIN, INT64_MAX, number));
}

static error_t choose_device(const char *name)
{
    if (strcmp(name, "auto") == 0 || strcmp(name, "cpu") == 0)
        return sw_argument(SW_OK);
    if (strcmp(name, "cuda") == 0)
        return sw_argument(sw_error(SW_ERR_UNAVAILABLE, "--device = cuda: this version has no GPU code"));
    return sw_argument(sw_error(SW_ERR_INPUT, "--device = %s: need auto or cpu", name));
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    options *o = state->input;
    switch (key) {
    case 's':
        o->overrides.solver = value;
        return 0;
    case 'o':
        o->overrides.output = value;
        return 0;
    case KEY_DATABASE:
        o->overrides.database = value;
        return 0;
    case KEY_MATERIAL:
        o->overrides.material = value;
        return 0;
    case KEY_CRYSTALS_FILE:
        o->overrides.crystals_file = value;
        return 0;
    case KEY_TERMS:
        return override_number("--terms", value, &o->terms, &o->overrides.terms);
    case KEY_REFINEMENT:
        return override_number("--refinement", value, &o->refinement, &o->overrides.refinement);
    case KEY_COUNT:
        return override_number("--count", value, &o->count, &o->overrides.count);
    case KEY_SEED:
        return override_number("--seed", value, &o->seed, &o->overrides.seed);
    case KEY_DEVICE:
        return choose_device(value);
    default:
        return sw_parse_common(key, value, &o->common);
    }
}

static const struct argp argp = {argp_options,
                                 parse,
                                 "JOB.yaml",
                                 "Deform a Taylor polycrystal: stress, slip resistance and texture. Options "
                                 "override keys of the job file.",
                                 NULL,
                                 NULL,
                                 NULL};

/* What a command line may not ask: an option without effect, or to write over its own job. */
static sw_status check_options(const options *o, const sw_taylor_job *job)
{
    if ((o->overrides.terms || o->overrides.refinement) && strcmp(job->solver, "terms") != 0)
        return sw_error(SW_ERR_INPUT, "%s: has no effect on the solver '%s', only on 'terms'",
                        o->overrides.terms ? "--terms" : "--refinement", job->solver);
    if (sw_same_file(o->common.file, job->output.file))
        return sw_taylor_job_error(job, "output.file", " = %s: is the job file itself", job->output.file);
    return SW_OK;
}

sw_status sw_taylor_command(int argc, char **argv)
{
    options o = {.common = {"taylor", "job file", NULL, 0}};
    sw_taylor_job *job;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    SW_TRY(sw_taylor_job_read(o.common.file, &o.overrides, &job));
    sw_status status = check_options(&o, job);
    if (status == SW_OK)
        status = sw_taylor_run(job, o.common.quiet);
    sw_taylor_job_free(job);
    return status;
}
