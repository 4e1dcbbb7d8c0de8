/* Programs of commands: one table says what there is, what each reads and takes, and who runs it. Here
 * command lines are parsed, messages printed and exit statuses made. */
#ifndef SW_COMMON_JOB_COMMAND_H
#define SW_COMMON_JOB_COMMAND_H

#include <stdio.h>

#include "job.h"

/* A further kind of file that a command reads, for people: `help COMMAND NAME` prints its keys. */
typedef struct {
    const char *name; /* "material" */
    const sw_key *keys;
} sw_key_table;

typedef struct {
    const char *name;            /* "taylor"; of two words "kwn map" */
    const char *summary;         /* a line */
    const char *about;           /* a paragraph */
    const char *argument, *kind; /* its one file: "JOB.yaml", "job file" */
    const sw_key *keys;          /* of that file, and options */
    int with_file;               /* the file is one of these keys, for sw_job_read */
    const sw_key_table *files;   /* further files that it reads; ends with {0}; NULL: none */
    int alone;                   /* one process does it: other MPI ranks have nothing to do */
    /* Borrows the arguments. Ends with what it has to say on stdout. */
    sw_status (*run)(const sw_arguments *arguments);
} sw_command;

/* A command that is a program of its own, "slipwave-plot", beside this one or on the PATH. */
typedef struct {
    const char *name, *summary; /* "plot", a line */
} sw_separate_command;

typedef struct {
    const char *name, *about;            /* "slipwave", a line */
    const sw_command *const *commands;   /* ends with NULL */
    const sw_separate_command *separate; /* ends with {0}; NULL: none */
} sw_program;

/* Start MPI where it is, run the command that argv names, end MPI. Prints the error, if any, on stderr. Returns the exit status: 0, 1 on any
 * error, 130 when interrupted. Also: --version, --help, -h, help [COMMAND [FORMAT or FILE]]. */
int sw_run_program(const sw_program *program, int argc, char **argv);

/* ---- Options that commands share, in the same place and spelling ---- */

typedef enum { SW_DEVICE_AUTO, SW_DEVICE_CPU, SW_DEVICE_CUDA, SW_DEVICES } sw_device_choice;
extern const char *const sw_device_names[SW_DEVICES]; /* "auto", "cpu", "cuda" */

typedef struct {
    sw_device_choice device;
    int64_t threads; /* 0: as many as the work is worth */
    int resume, quiet;
} sw_run_options;

/* Rows of a table; m: an sw_run_options. SW_RESUME_KEY where there is something to go on from. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_DEVICE_KEY(S, m)                                                                         \
    {                                                                                               \
        SW_WORD("device", S, m.device, sw_device_names), .option = "device", .otherwise = "auto",   \
                                                         .help = "auto takes a GPU if there is one" \
    }
#define SW_THREADS_KEY(S, m)                                                                             \
    {                                                                                                    \
        SW_WHOLE("threads", S, m.threads, 1, 4096), .option = "threads", .letter = 'j', .argument = "N", \
                                                    .otherwise = "as many as the work is worth",         \
                                                    .help = "threads of the CPU, at most"                \
    }
#define SW_QUIET_KEY(S, m)                                                                \
    {                                                                                     \
        SW_YES(NULL, S, m.quiet), .option = "quiet", .letter = 'q', .help = "no progress" \
    }
#define SW_RESUME_KEY(S, m)                                                                              \
    {                                                                                                    \
        SW_YES(NULL, S, m.resume), .option = "resume", .help = "go on with what an interrupted run left" \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Use as many threads as are asked for. */
void sw_use_threads(const sw_run_options *run);

/* Where a command says what came of it: stdout, or the text of whoever calls the command from within a program. */
FILE *sw_said(void);
/* Of the calling thread, from now on; NULL: stdout. */
void sw_say_to(FILE *file);

#endif
