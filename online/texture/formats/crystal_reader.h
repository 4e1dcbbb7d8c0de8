/* A crystal file while it is read: one line at a time, its phases, and the crystals found so far. Private to
 * crystal_file.c and the readers of this folder. Dimension: N crystals. */
#ifndef SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_READER_H
#define SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_READER_H

#include <stdio.h>

#include "crystal_filter.h"

enum { SW_CRYSTAL_WORD = 64, SW_CRYSTAL_PHASES = 64 /* most in a file */ };

typedef struct {
    int64_t number;
    char name[SW_CRYSTAL_PHASE]; /* "" where the file gives none */
    int64_t rows;                /* of it, indexed */
    int symmetry;                /* the file's number of a group that is not cubic; 0: cubic, or not said */
    char lattice[8];             /* DAMASK's, as "cF"; "": not said */
    int is_bcc, is_known;        /* is_known: whether the file says that it is, or is not */
} sw_crystal_phase;

/* Where the points of a scan are, in its file's unit. */
typedef struct {
    double first[2], last[2]; /* the least x and y; those of the last row */
    double step[2];           /* from a point to the next, along x and y, on average; 0: not seen */
    int64_t rows, steps[2];   /* `steps` of them are in the average */
} sw_scan_grid;

typedef struct {
    const char *path;
    const sw_crystal_filter *filter;
    double unit; /* of the file's angles, rad */
    FILE *file;
    char *line; /* getline's; without trailing blanks */
    size_t line_capacity;
    int64_t line_number;
    double (*euler)[3]; /* [capacity][3], rad */
    double *weight;     /* [capacity] */
    double (*place)[2]; /* [capacity] of a scan's points: x and y */
    sw_scan_grid grid;  /* likewise */
    double cell[3];     /* rad: sides phi1 Phi phi2 of the cell that a crystal stands for; 0 but for tables */
    int64_t count, capacity, skipped, others;
    double largest;            /* angle, in the file's unit */
    int numbers;               /* in every row of .ori and .tex; 0 before the first */
    int n_phases, n_described; /* n_described of them by the header */
    sw_crystal_phase phase[SW_CRYSTAL_PHASES];
    char material[SW_CRYSTAL_PHASE]; /* of results; else "" */
    int is_bcc, is_known;            /* of the crystals, as of a phase */
    char about[160];                 /* for people: what was made of rows; "" */
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

/* Append a crystal, angle [3] in the file's unit, of a weight > 0: 1 where the format has none. In a scan it is at
 * grid.last. */
sw_status sw_crystal_add(sw_crystal_reader *reader, const double angle[3], double weight);

/* Whether crystals of a phase are asked for. */
int sw_crystal_is_wanted(const sw_crystal_reader *reader, const sw_crystal_phase *phase);
/* A row of a phase by its number or, if that is < 0, its name: *phase, which may be new. */
sw_status sw_crystal_find_phase(sw_crystal_reader *reader, int64_t number, const char *name,
                                sw_crystal_phase **phase);
/* At the end: crystals are of one phase, all that the file has, or that which is wanted. */
sw_status sw_crystal_check_phases(const sw_crystal_reader *reader);

/* The formats of scans, which have phases and places. */
sw_status sw_crystal_read_ang(sw_crystal_reader *reader);
sw_status sw_crystal_read_ctf(sw_crystal_reader *reader);

/* Results, by reader->path: crystals of the last step that has any, or of filter->step. */
sw_status sw_crystal_read_results(sw_crystal_reader *reader);

/* .txt: columns by name, orientations with or without weights, or an ODF on a regular grid of angles. */
sw_status sw_crystal_read_table(sw_crystal_reader *reader);

/* DAMASK's material.yaml: the constituents of all materials. */
sw_status sw_crystal_read_damask(sw_crystal_reader *reader);

/* ---- Points of a scan (scan_points.c) ---- */

/* A row at x, y, whether it is taken or not. */
void sw_scan_pass(sw_crystal_reader *reader, double x, double y);
/* Keep each so many-th point of the rows and of the columns. SW_ERR_INPUT for a file without places. */
sw_status sw_scan_thin(sw_crystal_reader *reader, int64_t every);
/* Points that touch and differ by at most `angle` (rad) -> a crystal, of their mean orientation and their number as
 * weight; those of fewer than `least` points are skipped. SW_ERR_INPUT as above, and when none is left. */
sw_status sw_scan_join(sw_crystal_reader *reader, double angle, int64_t least);

#endif
