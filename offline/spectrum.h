/* From the grid of responses to ranked Fourier terms. Malahe 2018, section 2.3; Eqs. 30-32. */
#ifndef SW_OFFLINE_SPECTRUM_H
#define SW_OFFLINE_SPECTRUM_H

#include "common/database/database.h"
#include "response_grid.h"

/* Transform the nine outputs and keep the `pairs` largest wavevectors, one of each conjugate pair, or all that
 * are not zero when there are fewer or pairs = 0, in the database's arrays (n_pairs, wavevector, coefficient,
 * weight, magnitude, captured_variance; shape is set too). Wavevectors are ranked by the norm of their nine
 * coefficients, each output scaled to variance 1; the mean comes first whatever its rank. The same bits for any
 * number of threads. SW_ERR_RANGE for a spectrum of 2^32 wavevectors or more; SW_ERR_MEMORY.
 *
 * Memory: nine half spectra in single precision, 9/4 of the grid's points in floats (phi2's period is a
 * quarter turn), and the magnitudes, another eighth. */
sw_status sw_spectrum_rank(const sw_response_grid *grid, int64_t pairs, int quiet, sw_database *database);

#endif
