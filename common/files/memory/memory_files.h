/* Files in memory: of a run within a host program, which wants arrays, not files. While a thread has such a set, what
 * output_file.h and hdf5_io.h write goes there under its name, and what text.h and hdf5_io.h read is looked for there first. */
#ifndef SW_COMMON_FILES_MEMORY_MEMORY_FILES_H
#define SW_COMMON_FILES_MEMORY_MEMORY_FILES_H

#include <stddef.h>

#include "common/system/status.h"

typedef struct {
    char *name;
    void *bytes; /* [size], of malloc() */
    size_t size;
    int is_given; /* read, not written: its bytes are borrowed */
} sw_memory_file;

/* Zeroed at first. */
typedef struct {
    int count;
    sw_memory_file *file; /* [count] */
} sw_memory_files;

/* From now on, until told otherwise, the calling thread's files; NULL: the disk's. */
void sw_memory_files_use(sw_memory_files *files);
int sw_memory_files_used(void);

/* Of the calling thread's: NULL where there is none of this name, or where the disk is used. Valid until the next is kept. */
const sw_memory_file *sw_memory_file_find(const char *name);
/* Keep bytes under a name, in place of what was there; they are the set's from now on, also on failure. SW_ERR_MEMORY. */
sw_status sw_memory_file_keep(const char *name, void *bytes, size_t size);
void sw_memory_file_remove(const char *name);

/* A file to be read from: bytes are borrowed. SW_ERR_MEMORY. */
sw_status sw_memory_files_give(sw_memory_files *files, const char *name, const void *bytes, size_t size);
void sw_memory_files_free(sw_memory_files *files);

#endif
