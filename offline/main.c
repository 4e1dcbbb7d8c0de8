/* slipwave-db: generate, inspect and validate spectral databases. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/job/command_line.h"
#include "common/system/parallel.h"

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

typedef struct {
    sw_common_arguments common;
    sw_generate_options generate;
    sw_validate_options validate;
} arguments;

static error_t parse_generate(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    sw_generate_options *o = &a->generate;
    switch (key) {
    case 'o':
        o->output = value;
        return 0;
    case 'g':
        return sw_argument(parse_grid(value, o->shape));
    case 't':
        return sw_argument(parse_terms(value, &o->terms));
    case 'r':
        o->resume = 1;
        return 0;
    case ARGP_KEY_END:
        if (a->common.file != NULL && o->output == NULL)
            return sw_argument(sw_error(SW_ERR_INPUT, "generate needs --output FILE"));
        break;
    }
    return sw_parse_common(key, value, &a->common);
}

static const struct argp_option generate_options[] = {
    {"output", 'o', "FILE", 0, "the database to write", 0},
    {"grid", 'g', "N1,N2,N3,N4", 0, "points for phi1, Phi, phi2, theta (128,128,128,96)", 0},
    {"terms", 't', "T|all", 0, "largest wavevectors to keep, one of each conjugate pair (65536)", 0},
    {"resume", 'r', NULL, 0, "go on from the checkpoint that an earlier run left beside the database", 0},
    SW_COMMON_OPTIONS,
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
    arguments a = {.common = {"generate", "material file", NULL, 0},
                   .generate = {.shape = {128, 128, 128, 96}, .terms = 65536}};
    SW_TRY(sw_parse_arguments(&generate_argp, argc, argv, &a));
    SW_TRY(sw_parallel_check());
    a.generate.material = a.common.file;
    a.generate.quiet = a.common.quiet;
    return sw_generate(&a.generate);
}

static error_t parse_inspect(int key, char *value, struct argp_state *state)
{
    return sw_parse_common(key, value, state->input);
}

static const struct argp inspect_argp = {NULL, parse_inspect, "DB.h5", "Print what a database holds.",
                                         NULL, NULL,          NULL};

static sw_status run_inspect(int argc, char **argv)
{
    sw_common_arguments common = {"inspect", "database", NULL, 0};
    SW_TRY(sw_parse_arguments(&inspect_argp, argc, argv, &common));
    return sw_parallel_rank() == 0 ? sw_inspect(common.file, stdout) : SW_OK;
}

static error_t parse_validate(int key, char *value, struct argp_state *state)
{
    arguments *a = state->input;
    sw_validate_options *o = &a->validate;
    switch (key) {
    case 't':
        if (o->n_terms == sizeof o->terms / sizeof *o->terms)
            return sw_argument(sw_error(SW_ERR_INPUT, "--terms: at most %d times", o->n_terms));
        return sw_argument(sw_parse_integer("--terms", value, 1, INT64_C(1) << 31, &o->terms[o->n_terms++]));
    case KEY_POINTS:
        return sw_argument(sw_parse_integer("--points", value, 1, 100000000, &o->points));
    case KEY_SEED:
        return sw_argument(sw_parse_integer("--seed", value, 0, INT64_MAX, &o->seed));
    default:
        return sw_parse_common(key, value, &a->common);
    }
}

static const struct argp_option validate_options[] = {
    {"terms", 't', "T", 0,
     "a number of terms to measure; may be repeated (256, 1024, ... all); the grid solver always is", 0},
    {"points", KEY_POINTS, "N", 0, "random points (1024)", 0},
    {"seed", KEY_SEED, "S", 0, "of the random points (1)", 0},
    SW_COMMON_OPTIONS,
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
    arguments a = {.common = {"validate", "database", NULL, 0}, .validate = {.points = 1024, .seed = 1}};
    SW_TRY(sw_parse_arguments(&validate_argp, argc, argv, &a));
    a.validate.database = a.common.file;
    a.validate.quiet = a.common.quiet;
    return sw_parallel_rank() == 0 ? sw_validate(&a.validate, stdout) : SW_OK;
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
