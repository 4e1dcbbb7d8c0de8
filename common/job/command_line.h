/* Command lines: a table of subcommands, each with its argp parser, and one place where messages are printed
 * and exit statuses made. */
#ifndef SW_COMMON_JOB_COMMAND_LINE_H
#define SW_COMMON_JOB_COMMAND_LINE_H

#include <argp.h>
#include <stdint.h>

#include "common/system/status.h"

typedef struct {
    const char *name, *summary;
    sw_status (*run)(int argc, char **argv); /* argv[0] is "program command" */
} sw_old_command;

/* Run the command that argv[1] names, from a table that ends with {0}. Prints the error, if any, on stderr.
 * Returns the exit status: 0, 1 on any error, 130 when interrupted. */
int sw_run_command(const char *program, const sw_old_command *commands, int argc, char **argv);

/* argp_parse whose failures come back as a status: parsers return sw_argument(status). */
sw_status sw_parse_arguments(const struct argp *argp, int argc, char **argv, void *input);
error_t sw_argument(sw_status status);

/* A whole number in [low, high]; SW_ERR_INPUT "OPTION = TEXT: need ...". */
sw_status sw_parse_integer(const char *option, const char *text, int64_t low, int64_t high, int64_t *value);
/* An option that overrides a job's number, whose bounds are the job's to check: finite into *number, which
 * *override then points to. */
error_t sw_override_real(const char *option, const char *text, double *number, const double **override);

/* What every command takes: one file, threads, quiet. */
typedef struct {
    const char *command, *kind; /* "taylor", "job file": for messages */
    const char *file;           /* NULL until given */
    int quiet;
} sw_common_arguments;

#define SW_COMMON_OPTIONS \
    {"threads", 'j', "N", 0, "threads (all cores)", 0}, { "quiet", 'q', NULL, 0, "no progress", 0 }

/* An argp parser's way with the keys that are not its own. */
error_t sw_parse_common(int key, const char *value, sw_common_arguments *common);

#endif
