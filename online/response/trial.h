/* Steps whose strain rate a search finds, and so may be larger than one that is asked for. */
#ifndef SW_ONLINE_RESPONSE_TRIAL_H
#define SW_ONLINE_RESPONSE_TRIAL_H

#include "slipwave/response.h"

/* Crystals with elastic strains take up what volume there is. The mean stress that follows is the caller's, a modulus times
 * the volume strain, but for what deviators make of it: where crystals are not cubic the volume makes deviators as well, and
 * these a mean stress, which then is in the average's stress (of `iterative` all of it). Pa; 0: crystals are rigid. */
double sw_response_bulk_modulus(const sw_response *response);

/* sw_response_advance, of a strain ||D|| dt of at most `most`: of a bound in common/crystal/limits.h; with volume, where the
 * response takes it. */
sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, const sw_crystals *from, const sw_crystals *to,
                                     sw_response_average *average);

#endif
