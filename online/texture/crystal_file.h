/* Lists of crystal orientations, read and written in the field's formats.
 *
 * .ori  three Bunge angles (phi1 Phi phi2, degrees) a line; '#' starts a comment. A fourth number is the
 *       crystal's weight; of five the fifth is, and the fourth is left out. All lines have as many
 * .tex  VPSC texture, also .red .ful .out and TEX_PH*: three lines, then "B N" (Bunge; K Kocks, R Roe), then N rows
 *       phi1 Phi phi2 weight (degrees); of several such blocks the last, or filter->step
 * .txt  a line that names the columns: phi1 Phi phi2 (degrees), and weight, or value: an ODF's on a regular grid, as
 *       MTEX exports it, which is then a crystal a cell
 * .ang  EDAX/TSL scan: '#' header, then phi1 Phi phi2 (radians) x y IQ CI [phase] ...
 *       rows that are not indexed (CI < 0, angles 4 pi) are left out and counted
 * .ctf  HKL/Oxford scan: header up to the line of column names, then rows with columns found by name (Phase,
 *       Euler1, Euler2, Euler3; degrees); rows of phase 0 (not indexed) are left out and counted
 * .yaml DAMASK's material configuration: quaternion and fraction of each constituent
 * .h5   results of `slipwave taylor`: /orientations of a step (radians), and their weights
 *
 * Hexagonal crystals are handed over with a, <2-1-10>, along x, which of axes here is along x in .ori, .tex, .yaml, .h5 and .ang; of
 * .ctf it is a*, <10-10>; of .txt its header says "X||a" or "X||a*", as MTEX's, or hexagonal_x of the filter has to.
 *
 * Weights are relative, at most 1e30; rows of weight 0 are left out and counted. Scans may hold several phases, of
 * which crystals are of one. Every complaint names file and line, and shows the offending text. A UTF-8 byte order
 * mark is read over. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_FILE_H
#define SW_ONLINE_TEXTURE_CRYSTAL_FILE_H

#include <stdint.h>

#include "common/crystal/lattice.h"
#include "common/system/status.h"
#include "formats/crystal_filter.h"

typedef struct {
    int64_t count;      /* N >= 1 */
    double (*euler)[3]; /* [N], rad; released with free() */
    float *weight;      /* [N], 1e-30 or more, 1 on average; NULL: all alike; likewise */
    int64_t skipped;    /* rows that were not indexed, or too unsure, of weight 0, or of too small a grain */
    int64_t others;     /* rows of other phases */
    char phase[SW_CRYSTAL_PHASE + 24]; /* "2 Iron bcc"; "" where the format has none */
    char material[SW_CRYSTAL_PHASE];   /* "Iron bcc": that phase's name, or the material of results; "" */
    char bravais
        [4]; /* "cI": of results, a .ctf of space group 225 or 229, a .yaml, scans of other than cubic crystals; "": not said */
    const sw_point_group *group; /* of the crystals, cubic unless the file or the filter says other */
    double c_over_a;             /* as the file says it; 0: it does not */
    double cell[3];              /* of an ODF: rad, phi1 Phi phi2, of the cell a crystal stands for; else 0 */
    char about[160];             /* for people: what was made of the rows; "" */
} sw_crystal_list;

/* Wherever lists are released. */
void sw_crystal_list_free(sw_crystal_list *list);

/* Go on from h (common/files/hash.h) with the crystals and their weights. */
uint64_t sw_crystal_list_hash(uint64_t h, const sw_crystal_list *list);

/* Read a file; the suffix chooses the format, and the filter the rows. SW_ERR_IO when it cannot be read;
 * SW_ERR_INPUT for an unknown suffix, a bad row (named by line), a wrong count, several phases of which none is
 * chosen, or one that is not there (they are listed), a filter that the format has nothing for, or no crystal at all.
 * Warns of degrees that look like radians. */
sw_status sw_crystal_file_read_with(const char *path, const sw_crystal_filter *filter, sw_crystal_list *list);
/* SW_ERR_INPUT for crystals whose file says that they are of another lattice. */
sw_status sw_crystals_suit(const char *path, const sw_crystal_list *list, const sw_lattice *lattice);

/* What a file says of crystals. */
typedef struct {
    int64_t count;            /* N */
    const double (*euler)[3]; /* [N], rad */
    const float *weight;      /* [N]; NULL: all alike */
    const char *material;     /* its name; NULL: "crystal" */
    /* "cF", "cI", "hP", "tI"; NULL or "" makes a warning in the formats that say it, and face-centred ones */
    const char *bravais;
    double c_over_a; /* of hexagonal and tetragonal crystals; 0: not known */
} sw_crystal_content;

/* Write any of the formats but .h5, by suffix: a file that appears when complete, and reads back to its digits:
 * angles of six decimals in degrees, seven in radians, quaternions of nine. Points of scans are in a square,
 * which is filled up with some that are not indexed. .ang and .ctf have no weights: SW_ERR_INPUT. A material.yaml has a material a crystal, or, with weights, one of all of
 * them at the same strain. Hexagonal crystals are turned to the format's axes; of these and of tetragonal ones .ang, .ctf and .yaml need c/a:
 * SW_ERR_INPUT without. SW_ERR_RANGE for what could not be read again, SW_ERR_IO. */
sw_status sw_crystal_file_write_content(const char *path, const sw_crystal_content *content);

#endif
