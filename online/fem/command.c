#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/job/command_line.h"
#include "common/files/hdf5_io.h"

typedef struct {
    sw_common_arguments common;
    sw_fem_overrides overrides;
    const char *restart;
    int64_t cells[3];
    double tolerance, factor;
    int resume;
} options;

enum {
    KEY_DEVICE = 256,
    KEY_OPERATOR,
    KEY_STORAGE,
    KEY_SCATTER,
    KEY_PRECONDITIONER,
    KEY_TOLERANCE,
    KEY_CELLS,
    KEY_FACTOR,
    KEY_RESUME,
    KEY_RESTART
};

static const struct argp_option argp_options[] = {
    {"output", 'o', "FILE", 0, "results file", 0},
    {"device", KEY_DEVICE, "NAME", 0, "auto, cpu or cuda", 0},
    {"operator", KEY_OPERATOR, "NAME", 0, "points, assembled, nbn, dbd, ebe, ebe_node, ebe_dof or ebe_sym",
     0},
    {"storage", KEY_STORAGE, "NAME", 0, "of the matrices that are kept: own, single, split or improved", 0},
    {"scatter", KEY_SCATTER, "NAME", 0, "colours or atomics", 0},
    {"preconditioner", KEY_PRECONDITIONER, "NAME", 0, "jacobi, block_jacobi, multigrid or amg", 0},
    {"tolerance", KEY_TOLERANCE, "E", 0, "force criterion of Newton's method", 0},
    {"cells", KEY_CELLS, "NXxNYxNZ", 0, "cells of a body, or NXxNY of a plane one", 0},
    {"factor", KEY_FACTOR, "F", 0, "of the last step", 0},
    {"resume", KEY_RESUME, NULL, 0, "go on with what an interrupted run left", 0},
    {"restart", KEY_RESTART, "FILE", 0, "go on from a saved increment", 0},
    SW_COMMON_OPTIONS,
    {0}};

/* Bounds are the job's to check: here a number only has to be one. */
/* "40x40x4" */
static error_t override_cells(options *o, const char *text)
{
    unsigned n = 0;
    char *end;
    for (const char *at = text; n < 3; at = end + 1) {
        if (*at < '0' || *at > '9')
            break;
        o->cells[n++] = strtoll(at, &end, 10);
        if (*end == '\0' && n >= 2) {
            o->overrides.cells = o->cells;
            o->overrides.n_cells = n;
            return sw_argument(SW_OK);
        }
        if (*end != 'x')
            break;
    }
    return sw_argument(sw_error(SW_ERR_INPUT, "--cells = %.80s: need numbers as in 40x40x4 or 40x40", text));
}

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
    case KEY_OPERATOR:
        o->overrides.operator_ = value;
        return 0;
    case KEY_STORAGE:
        o->overrides.storage = value;
        return 0;
    case KEY_SCATTER:
        o->overrides.scatter = value;
        return 0;
    case KEY_PRECONDITIONER:
        o->overrides.preconditioner = value;
        return 0;
    case KEY_TOLERANCE:
        return sw_override_real("--tolerance", value, &o->tolerance, &o->overrides.tolerance);
    case KEY_FACTOR:
        return sw_override_real("--factor", value, &o->factor, &o->overrides.factor);
    case KEY_CELLS:
        return override_cells(o, value);
    case KEY_RESUME:
        o->resume = 1;
        return 0;
    case KEY_RESTART:
        o->restart = value;
        return 0;
    default:
        return sw_parse_common(key, value, &o->common);
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "JOB.yaml",
    "Small-strain elastoplasticity by finite elements: von Mises' yield criterion with isotropic hardening, "
    "in three dimensions, plane or axisymmetric; also steady heat conduction in the plane. Options override "
    "keys of the job file.",
    NULL,
    NULL,
    NULL};

sw_status sw_fem_command(int argc, char **argv)
{
    options o = {.common = {"fem", "job file", NULL, 0}};
    sw_fem_job *job;
    SW_TRY(sw_parse_arguments(&argp, argc, argv, &o));
    if (o.resume && o.restart != NULL)
        return sw_error(SW_ERR_INPUT, "--restart beside --resume: need only one of them");
    SW_TRY(sw_fem_job_read(o.common.file, &o.overrides, &job));
    sw_status status = SW_OK;
    if (sw_same_file(o.common.file, job->output.file))
        status = sw_fem_job_error(job, "output.file", " = %s: is the job file itself", job->output.file);
    if (status == SW_OK && sw_same_file(o.restart, job->output.file))
        status = sw_fem_job_error(job, "output.file", " = %s: is the restart file", job->output.file);
    if (status == SW_OK)
        status = sw_fem_run(job, o.resume, o.restart, o.common.quiet);
    sw_fem_job_free(job);
    return status;
}
