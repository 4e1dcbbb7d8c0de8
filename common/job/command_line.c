#include "command_line.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"

static void print_commands(FILE *out, const char *program, const sw_old_command *commands)
{
    fprintf(out, "usage: %s COMMAND [OPTION...]\n\n", program);
    for (const sw_old_command *c = commands; c->name != NULL; c++)
        fprintf(out, "  %-10s %s\n", c->name, c->summary);
    fprintf(out, "\n%s COMMAND --help shows a command's options; %s --version the version.\n", program,
            program);
}

static int finish(const char *program, sw_status status)
{
    if (status == SW_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", program, sw_error_message()[0] ? sw_error_message() : sw_status_text(status));
    return status == SW_ERR_INTERRUPTED ? 130 : 1;
}

int sw_run_command(const char *program, const sw_old_command *commands, int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
        puts(argp_program_version);
        return 0;
    }
    if (argc >= 2 && strcmp(argv[1], "--help") == 0) {
        print_commands(stdout, program, commands);
        return 0;
    }
    if (argc < 2) {
        print_commands(stderr, program, commands);
        return 1;
    }
    for (const sw_old_command *c = commands; c->name != NULL; c++)
        if (strcmp(argv[1], c->name) == 0) {
            char name[128];
            snprintf(name, sizeof name, "%s %s", program, c->name);
            argv[1] = name;
            sw_interrupt_install();
            return finish(program, c->run(argc - 1, argv + 1));
        }
    char names[256] = "";
    for (const sw_old_command *c = commands; c->name != NULL; c++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", c == commands ? "" : ", ",
                 c->name);
    return finish(program, sw_error(SW_ERR_INPUT, "unknown command '%s': need one of %s", argv[1], names));
}

/* argp knows errno values only; the status itself waits here. */
static sw_status argument_status;
static argp_parser_t command_parser;

error_t sw_argument(sw_status status)
{
    argument_status = status;
    return status == SW_OK ? 0 : EINVAL;
}

/* The command's parser, without the lines that argp adds to getopt's one. */
static error_t parse_briefly(int key, char *value, struct argp_state *state)
{
    if (key == ARGP_KEY_INIT)
        state->err_stream = NULL;
    return command_parser(key, value, state);
}

sw_status sw_parse_arguments(const struct argp *argp, int argc, char **argv, void *input)
{
    struct argp brief = *argp;
    command_parser = argp->parser;
    brief.parser = parse_briefly;
    argument_status = SW_OK;
    const error_t error = argp_parse(&brief, argc, argv, 0, NULL, input);
    if (error != 0 && argument_status == SW_OK)
        exit(1); /* an unknown or incomplete option: getopt has said which */
    return argument_status;
}

sw_status sw_parse_integer(const char *option, const char *text, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    const intmax_t number = strtoimax(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < low || number > high)
        return sw_error(SW_ERR_INPUT, "%s = %s: need a whole number from %" PRId64 " to %" PRId64, option,
                        text, low, high);
    *value = number;
    return SW_OK;
}

static sw_status parse_threads(const char *text)
{
    int64_t threads = 1;
    SW_TRY(sw_parse_integer("--threads", text, 1, 4096, &threads));
    omp_set_num_threads((int)threads);
    return SW_OK;
}

error_t sw_parse_common(int key, const char *value, sw_common_arguments *common)
{
    switch (key) {
    case 'j':
        return sw_argument(parse_threads(value));
    case 'q':
        common->quiet = 1;
        return 0;
    case ARGP_KEY_ARG:
        if (common->file != NULL)
            return sw_argument(
                sw_error(SW_ERR_INPUT, "one %s at a time: %s, %s", common->kind, common->file, value));
        common->file = value;
        return 0;
    case ARGP_KEY_END:
        return common->file != NULL
                   ? 0
                   : sw_argument(sw_error(SW_ERR_INPUT, "%s needs a %s", common->command, common->kind));
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t sw_override_real(const char *option, const char *text, double *number, const double **override)
{
    char *end;
    *override = number;
    *number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(*number))
        return sw_argument(sw_error(SW_ERR_INPUT, "%s = %.80s: need a number", option, text));
    return sw_argument(SW_OK);
}
