/* The programs as functions: what a package calls that brings the library, and commands, but no programs. */
#ifndef SLIPWAVE_PROGRAM_H
#define SLIPWAVE_PROGRAM_H

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `slipwave` and `slipwave-db`, whole: argv [argc + 1] as main's, NULL at its end; signals, MPI and standard streams are theirs. Call
 * one of them, once, in a process. Returns the exit status: 0, 1 on any error, 130 when interrupted. */
SW_API int sw_run_slipwave(int argc, char **argv);
SW_API int sw_run_slipwave_db(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
