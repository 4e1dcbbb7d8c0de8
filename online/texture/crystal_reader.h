/* A crystal file while it is read: one line at a time, its phases, and the crystals found so far. Private to
 * crystal_file.c, crystal_scan.c and crystal_results.c. Dimension: N crystals. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_READER_H
#define SW_ONLINE_TEXTURE_CRYSTAL_READER_H

#include <stdio.h>

#include "crystal_file.h"

enum { SW_CRYSTAL_WORD = 64, SW_CRYSTAL_PHASES = 64 /* most in a file */ };

typedef struct {
    int64_t number;
    char name[SW_CRYSTAL_PHASE]; /* "" where the file gives none */
    int64_t rows;                /* of it, indexed */
} sw_crystal_phase;

typedef struct {
    const char *path, *wanted; /* phase, name or number; NULL: any one */
    double unit;               /* of the file's angles, rad */
    FILE *file;
    char *line; /* getline's; without trailing blanks */
    size_t line_capacity;
    int64_t line_number;
    double (*euler)[3]; /* [capacity][3], rad */
    double *weight;     /* [capacity] */
    int64_t count, capacity, skipped, others;
    double largest;            /* angle, in the file's unit */
    int numbers;               /* in every row of .ori and .tex; 0 before the first */
    int n_phases, n_described; /* n_described of them by the header */
    sw_crystal_phase phase[SW_CRYSTAL_PHASES];
} sw_crystal_reader;

/* An SW_ERR_INPUT that names file and line, and shows the line. */
sw_status sw_crystal_bad_line(const sw_crystal_reader *reader, const char *complaint);

/* The next line into reader->line; *more is 0 at the end of the file. And the next one that says something:
 * not blank, nor a '#' comment. */
sw_status sw_crystal_next_line(sw_crystal_reader *reader, int *more);
sw_status sw_crystal_next_row(sw_crystal_reader *reader, int *more);
/* Whether the line says nothing, or is a comment. */
int sw_crystal_is_remark(const sw_crystal_reader *reader);

/* Copy the next word of a line and step over it; 0 when none is left before the end or a '#'. A word too
 * long for a number or a column's name comes back as "?". */
int sw_crystal_next_word(const char **at, char word[SW_CRYSTAL_WORD]);
/* How many numbers a row starts with, up to `most`, which are stored; -1 when a word is not a number. */
int sw_crystal_parse_row(const char *line, int most, double *value);

/* Append a crystal, angle [3] in the file's unit, of a weight > 0: 1 where the format has none. */
sw_status sw_crystal_add(sw_crystal_reader *reader, const double angle[3], double weight);

/* Whether crystals of a phase are asked for. */
int sw_crystal_is_wanted(const sw_crystal_reader *reader, const sw_crystal_phase *phase);

/* The formats of scans, which have phases. */
sw_status sw_crystal_read_ang(sw_crystal_reader *reader);
sw_status sw_crystal_read_ctf(sw_crystal_reader *reader);

/* Results, by reader->path: crystals of the last step that has any. */
sw_status sw_crystal_read_results(sw_crystal_reader *reader);

#endif
