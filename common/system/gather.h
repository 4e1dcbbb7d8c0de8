/* Rows that ranks have in slices (sw_parallel_slice), on their way to rank 0 in chunks, so that none needs
 * room for all of them. */
#ifndef SW_COMMON_SYSTEM_GATHER_H
#define SW_COMMON_SYSTEM_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct {
    int64_t total, together, chunk; /* rows: of all ranks, that stay together, at a time */
    size_t bytes;                   /* of a row; a chunk has at most 2^30 */
    void *context;
    /* Rows first .. first + n - 1 of the calling rank's own. */
    sw_status (*fill)(void *context, int64_t first, int64_t n, void *row);
    /* Rank 0: rows first .. first + n - 1 of all. */
    sw_status (*take)(void *context, int64_t first, int64_t n, const void *row);
} sw_gathering;

/* Called by all ranks together; a failure of one is that of all. SW_ERR_MEMORY, and what the functions
 * return. */
sw_status sw_gather(const sw_gathering *gathering);

#endif
