#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/job/command_line.h"
#include "common/files/hdf5_io.h"
#include "common/system/parallel.h"
#include "online/response/solvers.h"
#include "taylor.h"

typedef struct {
    sw_common_arguments common;
    sw_taylor_overrides overrides;
    int64_t terms, refinement, count, seed;
    double error;
} options;

enum {
    KEY_DATABASE = 256,
    KEY_MATERIAL,
    KEY_CRYSTALS_FILE,
    KEY_TERMS,
    KEY_REFINEMENT,
    KEY_INTERPOLATION,
    KEY_ERROR,
    KEY_COUNT,
    KEY_SEED,
    KEY_DEVICE
};

static const struct argp_option argp_options[] = {
    {"solver", 's', "NAME", 0, "terms, grid, polish, iterative or auto", 0},
    {"output", 'o', "FILE", 0, "results file", 0},
    {"database", KEY_DATABASE, "FILE", 0, "spectral database", 0},
    {"material", KEY_MATERIAL, "FILE", 0, "material file", 0},
    {"terms", KEY_TERMS, "T", 0, "stored terms to use", 0},
    {"refinement", KEY_REFINEMENT, "R", 0, "refinement multiplier, for terms and grid", 0},
    {"interpolation", KEY_INTERPOLATION, "NAME", 0, "linear or nearest, for grid", 0},
    {"error", KEY_ERROR, "E", 0, "certified error that auto may choose by (0.01)", 0},
    {"count", KEY_COUNT, "N", 0, "random crystals", 0},
    {"seed", KEY_SEED, "S", 0, "of the random crystals", 0},
    {"crystals-file", KEY_CRYSTALS_FILE, "FILE", 0, "orientations, .ori .tex .ang .ctf", 0},
    {"device", KEY_DEVICE, "NAME", 0, "auto, cpu or cuda", 0},
    SW_COMMON_OPTIONS,
    {0}};

/* Bounds are the job's to check: here a number only has to be one. */
static error_t override_number(const char *option, const char *text, int64_t *number,
                               const int64_t **override)
{
    *override = number;
    return sw_argument(sw_parse_integer(option, text, INT64_MIN, INT64_MAX, number));
}

static error_t override_real(const char *option, const char *text, double *number, const double **override)
{
    char *end;
    *override = number;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number))
        return sw_argument(sw_error(SW_ERR_INPUT, "%s = %s: need a number", option, text));
    return sw_argument(SW_OK);
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
    case KEY_INTERPOLATION:
        o->overrides.interpolation = value;
        return 0;
    case KEY_ERROR:
        return override_real("--error", value, &o->error, &o->overrides.error);
    case KEY_COUNT:
        return override_number("--count", value, &o->count, &o->overrides.count);
    case KEY_SEED:
        return override_number("--seed", value, &o->seed, &o->overrides.seed);
    case KEY_DEVICE:
        o->overrides.device = value;
        return 0;
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

static int takes_terms(const sw_solver_traits *solver) { return solver->has_terms; }
static int takes_refinement(const sw_solver_traits *solver) { return solver->standard_refinement > 0; }
static int takes_interpolation(const sw_solver_traits *solver) { return solver->has_interpolation; }

/* What a command line may not ask: an option without effect, or to write over its own job. */
static sw_status check_options(const options *o, const sw_taylor_job *job)
{
    const struct {
        const char *option;
        int given;
        int (*takes)(const sw_solver_traits *solver);
    } settings[] = {{"--terms", o->overrides.terms != NULL, takes_terms},
                    {"--refinement", o->overrides.refinement != NULL, takes_refinement},
                    {"--interpolation", o->overrides.interpolation != NULL, takes_interpolation}};
    const sw_solver_traits *solver = sw_solver_find(job->solver); /* NULL: auto, which sets them itself */
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        char takers[64] = "";
        if (!settings[i].given || (solver != NULL && settings[i].takes(solver)))
            continue;
        for (int k = 0; k < SW_SOLVERS; k++)
            if (settings[i].takes(&sw_solvers[k]))
                snprintf(takers + strlen(takers), sizeof takers - strlen(takers), "%s'%s'",
                         takers[0] ? " and " : "", sw_solvers[k].name);
        return sw_error(SW_ERR_INPUT, "%s: has no effect on the solver '%s', only on %s", settings[i].option,
                        job->solver, takers);
    }
    if (sw_same_file(o->common.file, job->output.file))
        return sw_taylor_job_error(job, "output.file", " = %s: is the job file itself", job->output.file);
    return SW_OK;
}

sw_status sw_taylor_command(int argc, char **argv)
{
    options o = {.common = {"taylor", "job file", NULL, 0}};
    sw_taylor_job *job;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    SW_TRY(sw_parallel_check());
    sw_status status = sw_taylor_job_read(o.common.file, &o.overrides, &job);
    if (status == SW_OK)
        status = check_options(&o, job);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = sw_taylor_run(job, o.common.quiet);
    sw_taylor_job_free(job);
    return status;
}
