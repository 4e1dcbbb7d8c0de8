/* Finished blocks of a generation, on disk: what a killed run leaves for the next.
 *
 * A plain file with a place for every block and a checksum before each: a block counts only if its checksum
 * holds, so it does not matter at what moment the writer died, and a damaged block costs itself alone. */
#ifndef SW_OFFLINE_CHECKPOINT_H
#define SW_OFFLINE_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "common/system/status.h"

typedef struct sw_checkpoint sw_checkpoint;

/* Open the checkpoint of a work that `key` identifies: a hash of all that its blocks depend on.
 * resume = 0: a new file; SW_ERR_INPUT when one is there already. resume = 1: the one that is there, or a new
 * one; SW_ERR_FORMAT when it is not a checkpoint or of another work, SW_ERR_INPUT when another run has it
 * open. SW_ERR_IO otherwise. block_numbers: doubles a block. */
sw_status sw_checkpoint_open(const char *path, uint64_t key, int64_t n_blocks, int64_t block_numbers,
                             int resume, sw_checkpoint **checkpoint);

/* Read a block of n <= block_numbers doubles. 1: good; 0: never written; -1: damaged. */
int sw_checkpoint_read(const sw_checkpoint *checkpoint, int64_t block, double *data, int64_t n);

/* SW_ERR_IO names the reason: a full disk, mostly. */
sw_status sw_checkpoint_write(const sw_checkpoint *checkpoint, int64_t block, const double *data, int64_t n);

/* Close; the file stays. NULL is nothing. */
void sw_checkpoint_close(sw_checkpoint *checkpoint);

#endif
