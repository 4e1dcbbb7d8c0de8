/* Lists of crystal orientations, read and written in the field's formats.
 *
 * .ori  three Bunge angles (phi1 Phi phi2, degrees) a line; '#' starts a comment
 * .tex  VPSC texture: three header lines, then "B N" (Bunge, N crystals), then phi1 Phi phi2
 *       weight (degrees). Only the Bunge convention is taken. Slipwave crystals all weigh the
 *       same, so unequal weights are refused.
 * .ang  EDAX/TSL scan: '#' header, then phi1 Phi phi2 (radians) x y IQ CI ...
 *       rows with CI < 0 (not indexed) are left out and counted; the phase is not looked at
 * .ctf  HKL/Oxford scan: header up to the line of column names that starts with "Phase", then
 *       rows with columns found by name (Phase, Euler1, Euler2, Euler3; degrees); rows of phase 0
 *       (not indexed) are left out and counted
 *
 * Every complaint names file and line, and shows the offending text. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_FILE_H
#define SW_ONLINE_TEXTURE_CRYSTAL_FILE_H

#include <stdint.h>

#include "common/system/status.h"

/* Read a file; the suffix chooses the format. euler [N][3] in rad, released with free(); skipped
 * (may be NULL) counts rows that were not indexed. SW_ERR_IO when it cannot be read; SW_ERR_INPUT
 * for an unknown suffix, a bad row (named by line), a wrong count, or no crystal at all. */
sw_status sw_crystal_file_read(const char *path, int64_t *n_crystals, double (**euler)[3], int64_t *skipped);

/* Write .ori or .tex (by suffix) through a temporary file. euler [N][3], rad. */
sw_status sw_crystal_file_write(const char *path, int64_t n_crystals, const double (*euler)[3]);

#endif
