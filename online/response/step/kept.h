/* What a response keeps of its crystals for a solver that remembers (solver.h): K numbers of each, on the GPU
 * while they fit, else on the host. Dimension: N crystals. */
#ifndef SW_ONLINE_RESPONSE_STEP_KEPT_H
#define SW_ONLINE_RESPONSE_STEP_KEPT_H

#include "slipwave/response.h"

/* Room for n crystals, all 0, at the first call; the same n from then on, else SW_ERR_RANGE. SW_ERR_MEMORY. */
sw_status sw_kept_reserve(sw_response *response, int64_t n);
void sw_kept_free(sw_response *response);

/* Room for those of n crystals, all 0, beside its own; and the copy of n crystals' from one to another. */
sw_status sw_kept_make(const sw_response *response, int64_t n, float **kept);
void sw_kept_release(const sw_response *response, float *kept);
sw_status sw_kept_copy(const sw_response *response, int64_t n, float *to, const float *from);

/* Those of crystals first .. first + n - 1 <-> number [n][K] on the host. SW_ERR_RANGE for others than are
 * kept. */
sw_status sw_kept_save(const sw_response *response, int64_t first, int64_t n, double *number);
sw_status sw_kept_restore(sw_response *response, int64_t first, int64_t n, const double *number);

#endif
