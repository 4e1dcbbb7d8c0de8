/* Steps whose strain rate a search finds, and so may be larger than one that is asked for. */
#ifndef SW_ONLINE_RESPONSE_TRIAL_H
#define SW_ONLINE_RESPONSE_TRIAL_H

#include "slipwave/response.h"

/* sw_response_advance, of a strain ||D|| dt of at most `most`: of a bound in common/crystal/limits.h. */
sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, const sw_crystals *from, const sw_crystals *to,
                                     sw_response_average *average);

#endif
