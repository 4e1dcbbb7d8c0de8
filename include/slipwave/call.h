/* The commands of `slipwave` as calls: jobs and results are memory, and no file need be there.
 *
 *     const sw_file job = {"job.yaml", text, strlen(text)};
 *     sw_call *done;
 *     sw_status status = sw_call_command(&(sw_call_inputs){.command = "fem", .job = "job.yaml", .files = 1, .file = &job}, &done);
 *     for (int i = 0; status == SW_OK && i < sw_call_files(done); i++)
 *         use(sw_call_file(done, i));
 *     sw_call_close(done);
 *
 * Numbers are those of the program, to the bit. Notes, warnings and progress go to the calling thread's listener and watcher
 * (slipwave/status.h). One call at a time in a process; one that was forked off may call, and computes on one thread. */
#ifndef SLIPWAVE_CALL_H
#define SLIPWAVE_CALL_H

#include <stddef.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    const void *bytes; /* [size] */
    size_t size;
} sw_file;

typedef struct {
    const char *command; /* "fem", "kwn map" */
    const char *job;     /* name of its file: one of `file`, or on the disk */
    int n_options;
    const char *const (
        *option)[2]; /* [n_options] names of the command's options without dashes, values; "" without one */
    int files;
    const sw_file
        *file; /* [files] that are read in place of the disk's of these names; borrowed during the call */
    int interruptible; /* SIGINT stops it, beside what the program does at that */
} sw_call_inputs;

typedef struct sw_call sw_call;

/* Run a command. What it would write to the disk is in *call, released with sw_call_close; NULL on failure. Every status that
 * the command has, with its message; SW_ERR_INTERRUPTED when asked to stop; SW_ERR_UNAVAILABLE during another call. */
SW_API sw_status sw_call_command(const sw_call_inputs *inputs, sw_call **call);
SW_API void sw_call_close(sw_call *call); /* NULL is fine */

/* Files that it wrote, as the program would have named them. Borrowed. */
SW_API int sw_call_files(const sw_call *call);
SW_API sw_file sw_call_file(const sw_call *call, int index);
/* What the program would have printed at its end. */
SW_API const char *sw_call_said(const sw_call *call);

/* ---- What there is ---- */

/* Names of commands, from 0 on; NULL: no more. */
SW_API const char *sw_command_name(int index);
/* What a command is and the table of its keys, as JSON, into text [size], caller's, as much as fits. Returns the bytes of all of
 * it with its end; 0: no such command. Of a key: name, option, type, unit, bound (in words), least, most, words, needed,
 * standard, help, keys (of a mapping), and what else docs/guide/python.md says. */
SW_API size_t sw_command_keys(const char *command, size_t size, char *text);

#ifdef __cplusplus
}
#endif

#endif
