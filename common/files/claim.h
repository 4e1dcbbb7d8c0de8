/* A run's claim on its results file: no other run writes it at the same time, and what runs that were killed left
 * beside it under temporary names goes. It is a lock of FILE.lock, which goes with the process, however that ends. */
#ifndef SW_COMMON_FILES_CLAIM_H
#define SW_COMMON_FILES_CLAIM_H

#include "common/system/status.h"

typedef struct {
    char *path; /* FILE.lock; NULL: no claim */
    int file;
} sw_claim;

/* Claims `output`. A second claim of it fails, of this process or another: SW_ERR_INPUT, as when FILE.lock is
 * anything but an empty file; SW_ERR_MEMORY. Where no lock can be had (a folder that cannot be written, a file
 * system without locks) there is none, and SW_OK. */
sw_status sw_claim_take(const char *output, sw_claim *claim);
/* The same of a file of the disk in any case; the other does nothing for a thread whose files are in memory. */
sw_status sw_claim_take_on_disk(const char *output, sw_claim *claim);
/* Harmless on a zeroed struct. */
void sw_claim_release(sw_claim *claim);

#endif
