/* A seal: what a file held when it was complete, by which a single changed byte is found. It lies behind the content: its
 * length and a digest of all its bytes. HDF5 leaves what lies there alone when it reads, and cuts it off when it changes
 * a file. That a file has one it says in itself, too (hdf5_io.h): one that says so and has none lost its end, or another
 * program changed it. */
#ifndef SW_COMMON_FILES_SEAL_H
#define SW_COMMON_FILES_SEAL_H

#include <stdint.h>

#include "common/system/status.h"

#define SW_SEAL_MARK "SWSEAL01" /* which kind: it begins with this */

/* 64 bits of `size` bytes: the sum over words of 8 bytes, little-endian, the last one filled up with zeros, of a one-to-one
 * mixture of each with its place. So no two contents that differ in one word have the same. scripts/slipwave_results.py
 * has it, too. */
uint64_t sw_digest(const void *data, int64_t size);

/* The seal of a content of `size` bytes, to be put behind it. */
enum { SW_SEAL_SIZE = 24 };
void sw_seal_of(const void *data, int64_t size, char seal[SW_SEAL_SIZE]);

/* Seal a file that has none. SW_ERR_IO. */
sw_status sw_seal(const char *path);
/* *sealed: whether it is. SW_ERR_FORMAT when its content is not what was sealed, SW_ERR_IO. */
sw_status sw_seal_check(const char *path, int *sealed);
/* Take a seal off, which a file needs before it is changed in place; nothing where there is none. SW_ERR_IO. */
sw_status sw_seal_break(const char *path);

#endif
