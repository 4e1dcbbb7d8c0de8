/* What people are told about commands, from the same tables that read their files: docs/file-formats.md, manual
 * pages, completion. Every function prints to `out`. */
#ifndef SW_COMMON_JOB_HELP_H
#define SW_COMMON_JOB_HELP_H

#include "command.h"
#include "yaml.h"

/* "terms, grid, rigid_plastic, elastoplastic, iterative or auto (auto)", "time between two states, in s (60)": what --help and
 * manual pages say of an option. */
void sw_option_text(const sw_key *row, char *text, size_t size);
/* "FILE", "N", "NAME": what stands for its value; NULL: it has none. */
const char *sw_option_argument(const sw_key *row);
/* Rows of a table that have an option, in order, at most `most`: returns how many. */
int sw_option_rows(const sw_key *keys, int most, const sw_key **row);

/* The default in words; "" where there is nothing to say. */
void sw_key_standard(const sw_key *row, char *text, size_t size);

/* The keys of a table that a job does not have, as comments in YAML: what they are when absent, their bounds, what they mean. */
void sw_print_template(FILE *out, const sw_key *keys, const sw_yaml *yaml);

/* The commands of a program, a line each. */
void sw_print_commands(FILE *out, const sw_program *program);
/* The keys of a command's file as a table in Markdown, and what goes with which word. */
void sw_print_keys(FILE *out, const sw_key *keys);
/* A manual page in man's macros; command NULL: of the program. */
void sw_print_manual(FILE *out, const sw_program *program, const sw_command *command);
/* A script for bash. */
void sw_print_completion(FILE *out, const sw_program *program);

#endif
