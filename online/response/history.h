/* What a response of a solver with a history keeps of its crystals beside their orientation and slip
 * resistance: elastic states, strain paths. To be saved, and to go on from elsewhere to the same bits. */
#ifndef SW_ONLINE_RESPONSE_HISTORY_H
#define SW_ONLINE_RESPONSE_HISTORY_H

#include "slipwave/response.h"

/* K: numbers of a crystal; 0: nothing is kept. */
int64_t sw_response_history_numbers(const sw_response *response);

/* Before the first step: those of n crystals as they are, without stress. Nothing after it. SW_ERR_MEMORY. */
sw_status sw_response_history_begin(sw_response *response, int64_t n, const sw_crystal *crystal);

/* Those of crystals first .. first + n - 1 of the ones it steps -> number [n][K]. SW_ERR_RANGE before the
 * first step and for others. */
sw_status sw_response_history_save(const sw_response *response, int64_t first, int64_t n, double *number);

/* Back, into a response that has made no step and will step n_crystals. SW_ERR_MEMORY; SW_ERR_RANGE for
 * others; SW_ERR_FORMAT for numbers that are not finite. */
sw_status sw_response_history_restore(sw_response *response, int64_t n_crystals, int64_t first, int64_t n,
                                      const double *number);

#endif
