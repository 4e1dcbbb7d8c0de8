/* Texts that people write: whole files, numbers, words. Every message about them is worded here. */
#ifndef SW_COMMON_FILES_TEXT_H
#define SW_COMMON_FILES_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/system/status.h"

/* Open a text for sw_next_line; close it with fclose(). SW_ERR_IO, also for a pipe, a socket or a device. */
sw_status sw_open_text(const char *path, FILE **file);

/* The next line, with its end, without a byte order mark: *line of *room bytes, both zeroed at first, grows; release it
 * with free(). *number: of the last line; *more: 0 at the end. SW_ERR_INPUT for a NUL byte, and for a line of more
 * than a megabyte; SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_next_line(const char *path, FILE *file, int64_t *number, char **line, size_t *room, int *more);

/* The text of a whole file, NUL-terminated, without a byte order mark; release with free(). SW_ERR_INPUT for
 * a NUL byte inside, and for more than 64 MB; SW_ERR_IO; SW_ERR_MEMORY. */
sw_status sw_read_text(const char *path, char **text);

/* 1-based line of a place in a text. */
int sw_text_line(const char *text, size_t offset);

/* A number in plain decimals: no nan, inf, hexadecimal, octal, 1_000 and no blanks. NULL when it is one, else
 * what it should have been: "a number", "a finite number", "a whole number in plain digits", ... */
const char *sw_parse_real(const char *text, double *number);
const char *sw_parse_whole(const char *text, int64_t *number);

/* Index of a word in names [count], of which some may be NULL; -1 when it is none of them. */
int sw_find_word(const char *word, int count, const char *const *names);

/* "a, b, c" into text [size]; what does not fit is cut. */
void sw_list_words(int count, const char *const *names, char *text, size_t size);

/* The name that `word` was meant to be, one slip in three letters allowed; NULL when none is near. */
const char *sw_nearest_word(const char *word, int count, const char *const *names);

#endif
