/* Files that appear under their name only when they are complete: written beside it under a temporary one. */
#ifndef SW_COMMON_FILES_OUTPUT_FILE_H
#define SW_COMMON_FILES_OUTPUT_FILE_H

#include <stdio.h>

#include "common/files/memory/memory_files.h"

typedef struct {
    char *path, *temporary; /* NULL before and after */
    sw_memory_file
        *memory; /* its bytes and their number, to be kept under `path`; NULL: a file of the disk */
} sw_output_file;

/* Of a thread whose files are in memory (memory_files.h) nothing of this touches the disk, and any name will do.
 *
 * Names for `path`; what lies under the temporary one goes: it is to be made with O_EXCL, which follows no link. SW_ERR_IO when
 * it is there and not a plain file, or write-protected (a symbolic link is replaced, whatever it leads to); SW_ERR_MEMORY. */
sw_status sw_output_file_begin(const char *path, sw_output_file *output);
/* The same for a file of the disk in any case. */
sw_status sw_output_file_begin_on_disk(const char *path, sw_output_file *output);
/* The temporary file reaches the disk and becomes `path`; SW_ERR_IO, and it is removed, or, where its folder alone cannot
 * be brought to the disk, there. */
sw_status sw_output_file_commit(sw_output_file *output);
/* Remove the temporary file. Harmless after commit, or on a zeroed struct. */
void sw_output_file_abandon(sw_output_file *output);

/* The same of a text: begin and open; then close and commit, which finds what could not be written, or, where it was not
 * written as it should (status), abandon. */
sw_status sw_text_file_begin(const char *path, sw_output_file *output, FILE **file);
sw_status sw_text_file_end(sw_output_file *output, FILE *file, sw_status status);

/* Before hours of work, not after: a text can be written to `path`. What lies there stays. SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_text_file_probe(const char *path);

/* ".tmp.PID.MACHINE": what a file's name ends in while it is written. Valid until the thread's next call. */
const char *sw_temporary_suffix(void);
/* The process that writes under a name with this end; 0: it is no such end, or of another machine, start or container. */
long sw_temporary_writer(const char *suffix);

/* Which file has a name, and when it was changed. */
typedef struct {
    unsigned long long device, number;
    long long size, seconds, nanoseconds;
} sw_file_version;
/* SW_ERR_IO when there is none. */
sw_status sw_file_version_of(const char *path, sw_file_version *version);
/* SW_ERR_INPUT when it is another one now. */
sw_status sw_file_check_version(const char *path, const sw_file_version *version);

/* A name by printf's rules, released with free(). NULL: no memory, which is the last error's message. */
SW_PRINTF(1, 2) char *sw_file_name(const char *format, ...);
/* Bytes of a results file's name without its ".h5". */
int sw_stem_length(const char *file);

/* Whether there is a file that can be read, and away with it; in memory, or on the disk where that is used. */
int sw_file_is_there(const char *path);
void sw_file_remove(const char *path);

/* Whether two paths are the same file that exists; either may be NULL. */
int sw_same_file(const char *a, const char *b);

#endif
