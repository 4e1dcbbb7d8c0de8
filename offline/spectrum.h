/* From the grid of responses to ranked Fourier terms. Malahe 2018, section 2.3; Eqs. 30-32. */
#ifndef SW_OFFLINE_SPECTRUM_H
#define SW_OFFLINE_SPECTRUM_H

#include "common/database/database.h"
#include "response_grid.h"

typedef struct {
    int64_t pairs;          /* of conjugates to keep; 0: all */
    double memory;          /* bytes, with the grid's responses, at most; 0: what all outputs together take */
    const char *checkpoint; /* path of what two sweeps keep; NULL: nothing */
    uint64_t key;           /* of all that the grid's responses depend on; for the checkpoint */
    int resume;             /* go on with the checkpoint if there is one */
    int gpu;                /* transform and rank on it; memory then is its own */
    int quiet;
} sw_spectrum_options;

/* Transform the outputs and keep the `pairs` largest wavevectors, one of each conjugate pair, or all that are not
 * zero when there are fewer or pairs = 0, in the database's arrays (n_pairs, wavevector, coefficient, planes where the grid has thirteen outputs, weight, magnitude,
 * captured_variance; shape is set too). Wavevectors are ranked by the norm of their coefficients,
 * each output scaled to variance 1; the mean comes first whatever its rank. SW_ERR_RANGE for a spectrum of 2^32
 * wavevectors or more; SW_ERR_MEMORY.
 *
 * Where all half spectra do not fit into the memory, two sweeps, as in the paper: as many outputs at a time as do,
 * transformed once for the ranking and once more for their coefficients. The same bits either way, and for any number
 * of threads. SW_ERR_INTERRUPTED between transforms: the checkpoint then has the ranking, if that was done, and the
 * coefficients so far. It stays after success, the caller's to remove. SW_ERR_RANGE for a memory too small for one
 * output; SW_ERR_IO, SW_ERR_INPUT, SW_ERR_FORMAT for a checkpoint that cannot be written or used. */
sw_status sw_spectrum_rank_within(const sw_response_grid *grid, const sw_spectrum_options *options,
                                  sw_database *database);

/* Bytes that the ranking takes with so many outputs at a time, 1 to C, of the GPU where the options say so; the options'
 * memory is not looked at. What is free; 0: not known. */
double sw_spectrum_memory(const sw_response_grid *grid, const sw_spectrum_options *options, int together);
double sw_spectrum_available(int gpu);

/* How many outputs at a time the options' memory allows: 1 to C, C for 0. SW_ERR_RANGE when not one. */
sw_status sw_spectrum_together(const sw_response_grid *grid, const sw_spectrum_options *options,
                               int *together);

#endif
