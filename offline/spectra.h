/* Half spectra of the nine outputs: all of them together or, where memory is short, some at a time. Malahe 2018,
 * section 2.3. Over the grid with phi2 reduced to its period. */
#ifndef SW_OFFLINE_SPECTRA_H
#define SW_OFFLINE_SPECTRA_H

#include <fftw3.h>

#include "response_grid.h"

typedef struct {
    const sw_response_grid *grid;    /* borrowed */
    int64_t n[4];                    /* of the reduced field */
    int64_t half;                    /* n3/2 + 1 */
    int64_t size;                    /* complex values of one output */
    int together;                    /* outputs that there is room for, 1 to 9 */
    int first, count;                /* outputs that are there: first .. first + count - 1 */
    fftwf_complex *room[SW_OUTPUTS]; /* [together], each [n0][n1][n2][half] */
    void *plan;
} sw_spectra;

/* Room for `together` outputs; none is there yet. SW_ERR_RANGE for a spectrum of 2^32 wavevectors or more;
 * SW_ERR_MEMORY. Release with sw_spectra_destroy, failed or not. */
sw_status sw_spectra_create(const sw_response_grid *grid, int together, sw_spectra *s);
void sw_spectra_destroy(sw_spectra *s);

/* Complex values of one output's half spectrum over a grid. */
int64_t sw_spectra_size(const sw_response_grid *grid);

/* Transform outputs first .. first + count - 1, count <= together, in place of those that are there; a thread each. The
 * same bits for any number of threads, and whatever is transformed together. */
void sw_spectra_transform(sw_spectra *s, int first, int count);

/* The spectrum of an output that is there. */
static inline const fftwf_complex *sw_spectra_of(const sw_spectra *s, int output)
{
    return (const fftwf_complex *)s->room[output - s->first];
}

/* Signed wavevector of a place in a half spectrum; k2 counts in the full grid's units. */
void sw_spectra_wavevector(const sw_spectra *s, int64_t index, int64_t k[4]);
/* 2: one of a pair and kept; 1: its own conjugate; 0: the other one of a pair is kept. */
int sw_spectra_weight(const sw_spectra *s, int64_t index);

#endif
