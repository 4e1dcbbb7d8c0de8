/* Where names stand in a list: a hash table, so that lists of many are read in the time of their length. */
#ifndef SW_COMMON_FILES_NAMES_H
#define SW_COMMON_FILES_NAMES_H

#include <stdint.h>

#include "common/system/status.h"

/* Zeroed: empty. */
typedef struct sw_names {
    struct sw_name *slot;
    int64_t n_slots, n;
    int capitals_as_others; /* "Top" is "TOP" */
} sw_names;

/* A name that is not there yet among those of its kind, and its place. The name stays the caller's, and where it is.
 * SW_ERR_MEMORY. */
sw_status sw_names_add(sw_names *names, int kind, const char *name, int64_t place);
/* -1: it is not there. */
int64_t sw_names_find(const sw_names *names, int kind, const char *name);
void sw_names_free(sw_names *names);

#endif
