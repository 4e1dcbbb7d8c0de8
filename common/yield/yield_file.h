/* Yield functions from results of `slipwave forming`. */
#ifndef SW_COMMON_YIELD_YIELD_FILE_H
#define SW_COMMON_YIELD_YIELD_FILE_H

#include "common/system/status.h"
#include "yield_function.h"

/* Number of a function by its name, in any case; -1: there is none. */
int sw_yield_function_of(const char *name);

/* The fit of a function, /functions/NAME. SW_ERR_IO: no such file; SW_ERR_FORMAT: not HDF5, or without that fit. */
sw_status sw_yield_read(const char *path, int function, sw_yield *surface);

#endif
