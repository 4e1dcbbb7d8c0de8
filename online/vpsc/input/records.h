/* Texts as Fortran reads them: records, and lists of numbers in them. Numbers stand between blanks, tabs or commas; "3*0." is
 * three of them; a list that its record does not end goes on in the next ones; what follows a list in its last record is a remark.
 * A text ends at a DOS end-of-file, 0x1A. */
#ifndef SW_ONLINE_VPSC_INPUT_RECORDS_H
#define SW_ONLINE_VPSC_INPUT_RECORDS_H

#include "common/system/status.h"

typedef struct {
    char *path, *text; /* owned */
    char *next;        /* of the text, where the record to come begins */
    int line;          /* of the record read last, from 1 on */
    int warns;         /* of a list that goes on in the next record, as a number left out makes it */
    int one_record;    /* such a list is refused */
} sw_vpsc_records;

/* SW_ERR_IO, SW_ERR_INPUT, SW_ERR_MEMORY; what was opened is closed, also a zeroed one. */
sw_status sw_vpsc_open(const char *path, sw_vpsc_records *records);
void sw_vpsc_close(sw_vpsc_records *records);

/* What a list holds, in its order: numbers, each whole or not. */
typedef struct {
    const char *name; /* as messages have it */
    int count;
    int *whole; /* [count], or */
    double *real;
} sw_vpsc_item;
#define SW_VPSC_WHOLES(name, n, to) \
    {                               \
        (name), (n), (to), NULL     \
    }
#define SW_VPSC_REALS(name, n, to) \
    {                              \
        (name), (n), NULL, (to)    \
    }

/* A list. SW_ERR_INPUT "FILE:LINE: WORD: need NAME, a number, ..." */
sw_status sw_vpsc_read(sw_vpsc_records *records, int n_items, const sw_vpsc_item *item);
/* A list that its record ends: a number left out is never taken from the next one. */
sw_status sw_vpsc_read_here(sw_vpsc_records *records, int n_items, const sw_vpsc_item *item);
/* A list of one kind. */
sw_status sw_vpsc_reals(sw_vpsc_records *records, const char *name, int n, double *to);
sw_status sw_vpsc_wholes(sw_vpsc_records *records, const char *name, int n, int *to);

/* A number that is 0 or 1, alone in a list; and one read before, by name: SW_ERR_INPUT. */
sw_status sw_vpsc_flag(sw_vpsc_records *records, const char *name, int *to);
sw_status sw_vpsc_check_flag(const sw_vpsc_records *records, const char *name, int value);

/* A record as it is, without blanks at its end, until the next call: SW_ERR_INPUT at the end of the text, where `name` was
 * needed. */
sw_status sw_vpsc_record(sw_vpsc_records *records, const char *name, const char **record);
/* n records that say nothing. */
sw_status sw_vpsc_skip(sw_vpsc_records *records, int n);

/* SW_ERR_INPUT "FILE:LINE: " of the record read last. */
SW_PRINTF(2, 3) sw_status sw_vpsc_bad(const sw_vpsc_records *records, const char *format, ...);

/* A file that an input file names: with \ for /, in any case of letters, from the input file's folder on, the working folder, or
 * one above the input file's, up to four. *path is released with free(). SW_ERR_IO "FILE:LINE: NAME: ...". */
sw_status sw_vpsc_find_file(const sw_vpsc_records *records, const char *name, char **path);

#endif
