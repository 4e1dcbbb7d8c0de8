/* slipwave-db: generate, inspect and validate spectral databases. */
#include <argp.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/arguments.h"
#include "common/parallel.h"
#include "common/progress.h"

const char *argp_program_version = "slipwave-db " SW_VERSION;

enum { KEY_POINTS = 256, KEY_SEED };

/* "64,64,64,48" -> shape */
static sw_status parse_grid(const char *text, int64_t shape[4])
{
    char buffer[128], *rest = buffer;
    if (strlen(text) >= sizeof buffer)
        return sw_error(SW_ERR_INPUT, "--grid = %s: need n1,n2,n3,n4", text);
    snprintf(buffer, sizeof buffer, "%s", text);
    for (int d = 0; d < 4; d++) {
        char *number = strsep(&rest, ",");
        if (number == NULL)
            return sw_error(SW_ERR_INPUT, "--grid = %s: need four numbers, n1,n2,n3,n4", text);
        SW_TRY(sw_parse_integer("--grid", number, 4, 8192, &shape[d]));
    }
    return rest == NULL ? SW_OK : sw_error(SW_ERR_INPUT, "--grid = %s: need four numbers, n1,n2,n3,n4", text);
}

static sw_status parse_terms(const char *text, int64_t *terms)
{
    if (strcmp(text, "all") == 0) {
        *terms = 0;
        return SW_OK;
    }
    return sw_parse_integer("--terms", text, 1, INT64_C(1) << 31, terms);
}

static error_t parse_generate(int key, char *value, struct argp_state *state)
{
    sw_generate_options *o = state->input;
    switch (key) {
    case 'o':
        o->output = value;
        return 0;
    case 'g':
        return sw_argument(parse_grid(value, o->shape));
    case 't':
        return sw_argument(parse_terms(value, &o->terms));
    case 'j':
        return sw_argument(sw_parse_threads(value));
    case 'r':
        o->resume = 1;
        return 0;
    case 'q':
        o->quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (o->material != NULL)
            return sw_argument(
                sw_error(SW_ERR_INPUT, "one material file at a time: %s, %s", o->material, value));
        o->material = value;
        return 0;
    case ARGP_KEY_END:
        if (o->material == NULL)
            return sw_argument(sw_error(SW_ERR_INPUT, "generate needs a material file"));
        if (o->output == NULL)
            return sw_argument(sw_error(SW_ERR_INPUT, "generate needs --output FILE"));
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option generate_options[] = {
    {"output", 'o', "FILE", 0, "the database to write", 0},
    {"grid", 'g', "N1,N2,N3,N4", 0, "points for phi1, Phi, phi2, theta (128,128,128,96)", 0},
    {"terms", 't', "T|all", 0, "largest wavevectors to keep, one of each conjugate pair (65536)", 0},
    {"resume", 'r', NULL, 0, "go on from the checkpoint that an earlier run left beside the database", 0},
    {"threads", 'j', "N", 0, "threads (all cores)", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {0}};
static const struct argp generate_argp = {generate_options,
                                          parse_generate,
                                          "MATERIAL.yaml",
                                          "Make the spectral database of a material.",
                                          NULL,
                                          NULL,
                                          NULL};

static sw_status run_generate(int argc, char **argv)
{
    sw_generate_options o = {.shape = {128, 128, 128, 96}, .terms = 65536};
    SW_TRY(sw_parse_arguments(&generate_argp, argc, argv, &o));
    return sw_generate(&o);
}

static error_t parse_inspect(int key, char *value, struct argp_state *state)
{
    const char **path = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (*path != NULL)
            return sw_argument(sw_error(SW_ERR_INPUT, "one database at a time: %s, %s", *path, value));
        *path = value;
        return 0;
    case ARGP_KEY_END:
        return *path ? 0 : sw_argument(sw_error(SW_ERR_INPUT, "inspect needs a database"));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp inspect_argp = {NULL, parse_inspect, "DB.h5", "Print what a database holds.",
                                         NULL, NULL,          NULL};

static sw_status run_inspect(int argc, char **argv)
{
    const char *path = NULL;
    SW_TRY(sw_parse_arguments(&inspect_argp, argc, argv, &path));
    return sw_parallel_rank() == 0 ? sw_inspect(path, stdout) : SW_OK;
}

static error_t parse_validate(int key, char *value, struct argp_state *state)
{
    sw_validate_options *o = state->input;
    switch (key) {
    case 't':
        if (o->n_terms == sizeof o->terms / sizeof *o->terms)
            return sw_argument(sw_error(SW_ERR_INPUT, "--terms: at most %d times", o->n_terms));
        return sw_argument(sw_parse_integer("--terms", value, 1, INT64_C(1) << 31, &o->terms[o->n_terms++]));
    case KEY_POINTS:
        return sw_argument(sw_parse_integer("--points", value, 1, 100000000, &o->points));
    case KEY_SEED:
        return sw_argument(sw_parse_integer("--seed", value, 0, INT64_MAX, &o->seed));
    case 'j':
        return sw_argument(sw_parse_threads(value));
    case 'q':
        o->quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (o->database != NULL)
            return sw_argument(sw_error(SW_ERR_INPUT, "one database at a time: %s, %s", o->database, value));
        o->database = value;
        return 0;
    case ARGP_KEY_END:
        return o->database ? 0 : sw_argument(sw_error(SW_ERR_INPUT, "validate needs a database"));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option validate_options[] = {
    {"terms", 't', "T", 0,
     "a number of terms to measure; may be repeated (256, 1024, ... all); the grid solver always is", 0},
    {"points", KEY_POINTS, "N", 0, "random points (1024)", 0},
    {"seed", KEY_SEED, "S", 0, "of the random points (1)", 0},
    {"threads", 'j', "N", 0, "threads (all cores)", 0},
    {"quiet", 'q', NULL, 0, "no progress", 0},
    {0}};
static const struct argp validate_argp = {
    validate_options,
    parse_validate,
    "DB.h5",
    "Measure a database against the integrator at random points off its grid, and store the result in it.",
    NULL,
    NULL,
    NULL};

static sw_status run_validate(int argc, char **argv)
{
    sw_validate_options o = {.points = 1024, .seed = 1};
    SW_TRY(sw_parse_arguments(&validate_argp, argc, argv, &o));
    return sw_parallel_rank() == 0 ? sw_validate(&o, stdout) : SW_OK;
}

static const sw_command commands[] = {
    {"generate", "make the spectral database of a material", run_generate},
    {"inspect", "print what a database holds", run_inspect},
    {"validate", "measure a database against the integrator", run_validate},
    {0},
};

int main(int argc, char **argv)
{
    sw_parallel_start(&argc, &argv);
    const int status = sw_run_command("slipwave-db", commands, argc, argv);
    sw_parallel_finish(status);
    return status;
}
