/* Harnesses: what reads a file of ours, given any bytes as that file. `make fuzz FUZZ=NAME` gives them libFuzzer's, `make
 * test` those of corpus/NAME/.
 *
 * A reader may refuse what it likes: with a message, of one line, in bounded time and memory, with nothing left to
 * release. What it takes must hold what it promises. */
#ifndef SW_TESTS_FUZZ_HARNESS_H
#define SW_TESTS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>

#include "common/job/job.h"

typedef struct {
    const char *name, *file; /* of it; of the file that it reads, whose suffix may matter */
    void (*read)(const char *path);
    void (*prepare)(void); /* once, in the folder of the files; NULL: nothing */
    const sw_key *keys;    /* of the file, words for libFuzzer; NULL: none */
    const char *words;     /* further ones, between blanks; NULL: none */
    const char
        *base; /* the bytes are edits (edits.h) of this file, which prepare makes; NULL: they are the file */
    int is_bytes;        /* base is no HDF5 file: its bits are flipped, and nothing is edited */
    const char *results; /* what reading leaves, which damage may not change; NULL: nothing */
    size_t most;         /* bytes of an input; 0: 4096 */
} sw_fuzz_harness;

extern const sw_fuzz_harness sw_fuzz_texts[], sw_fuzz_jobs[], sw_fuzz_files[]; /* end with {0} */
extern const sw_fuzz_harness sw_fuzz_kept[];                                   /* is_bytes */
const sw_fuzz_harness *sw_fuzz_find(const char *name);                         /* NULL: no such */

/* Before the first input of a harness: a folder of its own with the files of `beside` (a folder), in which it is from
 * now on. 0; -1 where that cannot be. */
int sw_fuzz_start(const sw_fuzz_harness *harness, const char *beside);
/* One input: libFuzzer's result, 0. Aborts on what may not be. */
int sw_fuzz_one_input(const sw_fuzz_harness *harness, const uint8_t *data, size_t size);
/* Remove the folder. */
void sw_fuzz_end(void);

/* What a reader answered: its message is fit to be printed. Returns whether it was SW_OK. */
int sw_fuzz_is_read(sw_status status);
/* Whether the last one was, or a run that could go on was stopped. */
int sw_fuzz_taken(void);
/* Abort unless it holds; what: in words. */
void sw_fuzz_need(int holds, const char *what);
void sw_fuzz_write(const char *path, const void *data, size_t size);
/* A whole file, released with free(). */
char *sw_fuzz_bytes(const char *path, size_t *size);

#endif
