/* Steps whose strain rate a search finds, and so may be larger than one that is asked for. */
#ifndef SW_ONLINE_RESPONSE_TRIAL_H
#define SW_ONLINE_RESPONSE_TRIAL_H

#include "slipwave/response.h"

/* sw_response_advance, of a strain ||D|| dt of at most `most`: of a bound in common/crystal/limits.h. */
sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, int64_t n_crystals, sw_crystal *crystal, const float *weight,
                                     sw_response_average *average);

#endif
