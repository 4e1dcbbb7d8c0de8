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
    int64_t sure;                /* of an .ang file's, with a confidence index above 0 */
    int is_described;            /* by the header */
    int is_other;                /* not of the wanted group, as the header says in these words: */
    char symmetry[24];
    const sw_point_group *group; /* as the header describes it; NULL: it does not */
    double c_over_a;             /* likewise; 0: it does not say */
    char lattice[8];             /* DAMASK's, as "cF"; "": not said */
    char bravais[4];             /* "cF", "cI"; "": the file does not say */
} sw_crystal_phase;

/* Where the rows of a scan are, taken or not: x y z in its file's unit. */
typedef struct {
    double (*at)[3];        /* [capacity]; NULL unless the filter asks for places */
    int64_t rows, capacity; /* `rows` of them */
    int64_t announced;      /* rows by the header; 0: it does not say */
} sw_scan_rows;

typedef struct {
    const char *path;
    const sw_crystal_filter *filter;
    const sw_point_group *group; /* the filter's; NULL until the file says it, or has not */
    int hexagonal_x;             /* as the format has it, or the header; 0: that is not known */
    double c_over_a;             /* of the crystals; 0: not known */
    double unit;                 /* of the file's angles, rad */
    FILE *file;
    char *line; /* sw_next_line's; without trailing blanks */
    size_t line_capacity;
    int64_t line_number;
    double (*euler)[3];  /* [capacity][3], rad */
    double *weight;      /* [capacity] */
    double (*place)[3];  /* [capacity] of a scan's points: x, y, z; then column, row and slice, from 0 on */
    signed char *of;     /* [capacity] phase number so many of the list below */
    double row_place[3]; /* of the row that is read, and its phase */
    int row_phase;
    sw_scan_rows scan;
    double cell[3]; /* rad: sides phi1 Phi phi2 of the cell that a crystal stands for; 0 but for tables */
    int64_t count, capacity, skipped, others;
    int64_t weightless; /* rows of weight 0, which are left out; of the skipped ones */
    double largest;     /* angle, in the file's unit */
    int n_phases;
    sw_crystal_phase phase[SW_CRYSTAL_PHASES];
    char material[SW_CRYSTAL_PHASE]; /* of results; else "" */
    char bravais[4];                 /* of the crystals, as of a phase */
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
/* n numbers from the line on, as Fortran's READ (*,*) takes them: with exponents D, r*c for r times c, with a comma before a
 * blank, and from further lines where the line has less; what follows the n-th in its line is left. SW_ERR_INPUT for what is
 * no number, for a comma between digits, and for further lines with more than is missing: columns rather are. */
sw_status sw_crystal_read_listed(sw_crystal_reader *reader, int n, double *value);

/* Append a crystal, angle [3] in the file's unit, of a weight: 1 where the format has none; those of weight 0 are left
 * out and counted. It is at row_place, of row_phase. */
sw_status sw_crystal_add(sw_crystal_reader *reader, const double angle[3], double weight);
/* The same of any value for a weight. */
sw_status sw_crystal_put(sw_crystal_reader *reader, const double angle[3], double value);
/* Number n in the place of number `kept`, in all that there is of it. */
void sw_crystal_keep(sw_crystal_reader *reader, int64_t kept, int64_t n);

#define SW_WEIGHT_MOST 1e30
/* As files may give it: 0 is for what is left out. */
int sw_crystal_is_weight(double weight);

/* ---- Phases (crystal_phases.c) ---- */

/* "cubic", or "cubic, tetragonal, hexagonal or orthorhombic" while any is wanted. */
const char *sw_crystal_wanted_system(const sw_crystal_reader *reader);
/* Whether crystals of a phase are asked for. */
int sw_crystal_is_wanted(const sw_crystal_reader *reader, const sw_crystal_phase *phase);
/* The phase of a number or, if that is < 0, a name: *phase, which may be new. */
sw_status sw_crystal_find_phase(sw_crystal_reader *reader, int64_t number, const char *name,
                                sw_crystal_phase **phase);
/* As the header describes it. SW_ERR_INPUT the second time. */
sw_status sw_crystal_describe_phase(sw_crystal_reader *reader, int64_t number, sw_crystal_phase **phase);
/* Add a crystal of a phase by its number. */
sw_status sw_crystal_add_of_phase(sw_crystal_reader *reader, int64_t number, const double angle[3]);
/* At the end: crystals are of one phase, all that the file has, or that which is wanted; others go. Rows of a phase 0
 * that the header does not describe are of its only phase, if that has no others, and else were not indexed. */
sw_status sw_crystal_take_phase(sw_crystal_reader *reader);

/* ---- Formats ---- */

/* Rows of angles and weights (crystal_rows.c): .ori, and VPSC's textures. */
sw_status sw_crystal_read_ori(sw_crystal_reader *reader);
sw_status sw_crystal_read_vpsc(sw_crystal_reader *reader);
/* Whether a line is VPSC's fourth one: a letter, and a number of crystals. */
int sw_crystal_begins_vpsc(const char *line);

/* By a name that files have for it, "6/mmm", "62" or "hexagonal", upper and lower case alike; NULL: none of those that crystals may
 * be of. */
const sw_point_group *sw_crystal_group_called(const sw_crystal_reader *reader, const char *name);
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

/* The row that is read is at row_place, whether it is taken or not. */
sw_status sw_scan_pass(sw_crystal_reader *reader);
/* At the end of a scan: warns of fewer rows, or more, than its header announces. */
void sw_scan_check_rows(const sw_crystal_reader *reader);
/* Places -> columns, rows and slices, in steps. SW_ERR_INPUT for a file without places, or points at one place. */
sw_status sw_scan_find_grid(sw_crystal_reader *reader);
/* Keep each so many-th point of the rows and of the columns, which are then those. */
void sw_scan_thin(sw_crystal_reader *reader, int64_t every);
/* Points that touch and differ by at most `angle` (rad) -> a crystal, of their mean orientation and their number as
 * weight; those of fewer than `least` points are skipped. SW_ERR_INPUT when none is left. */
sw_status sw_scan_join(sw_crystal_reader *reader, double angle, int64_t least);

#endif
