/* Lists of crystal orientations, read and written in the field's formats.
 *
 * .ori  three Bunge angles (phi1 Phi phi2, degrees) a line; '#' starts a comment. A fourth number is the
 *       crystal's weight; of five the fifth is, and the fourth is left out. All lines have as many
 * .tex  VPSC texture: three header lines, then "B N" (Bunge, N crystals), then phi1 Phi phi2
 *       weight (degrees). Only the Bunge convention is taken
 * .ang  EDAX/TSL scan: '#' header, then phi1 Phi phi2 (radians) x y IQ CI [phase] ...
 *       rows with CI < 0 (not indexed) are left out and counted
 * .ctf  HKL/Oxford scan: header up to the line of column names that starts with "Phase", then
 *       rows with columns found by name (Phase, Euler1, Euler2, Euler3; degrees); rows of phase 0
 *       (not indexed) are left out and counted
 * .h5   results of `slipwave taylor`: /orientations of the last step that is there (radians), and its weights
 *
 * Weights are relative, > 0 and at most 1e30. Scans may hold several phases, of which crystals are of one. Every
 * complaint names file and line, and shows
 * the offending text. A UTF-8 byte order mark is read over. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_FILE_H
#define SW_ONLINE_TEXTURE_CRYSTAL_FILE_H

#include <stdint.h>

#include "common/system/status.h"

enum { SW_CRYSTAL_PHASE = 64 }; /* bytes of a phase's name */

typedef struct {
    int64_t count;                     /* N >= 1 */
    double (*euler)[3];                /* [N], rad; released with free() */
    float *weight;                     /* [N], 1e-30 or more, 1 on average; NULL: all alike; likewise */
    int64_t skipped;                   /* rows that were not indexed */
    int64_t others;                    /* rows of other phases */
    char phase[SW_CRYSTAL_PHASE + 24]; /* "2 Iron bcc"; "" where the format has none */
} sw_crystal_list;

/* Read a file; the suffix chooses the format. phase: which of a scan's, by name or number; NULL: it has one
 * only. SW_ERR_IO when it cannot be read; SW_ERR_INPUT for an unknown suffix, a bad row (named by line), a
 * wrong count, several phases of which none is chosen, or one that is not there (they are listed), or no
 * crystal at all. Warns of degrees that look like radians. */
sw_status sw_crystal_file_read(const char *path, const char *phase, sw_crystal_list *list);

/* Write .ori or .tex (by suffix), which appears when complete. euler [N][3], rad; weight [N], or NULL: all alike.
 * SW_ERR_RANGE for what could not be read again, SW_ERR_IO. */
sw_status sw_crystal_file_write(const char *path, int64_t n_crystals, const double (*euler)[3],
                                const float *weight);

#endif
