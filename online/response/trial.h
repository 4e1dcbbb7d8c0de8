/* Steps whose strain rate a search finds, and so may be larger than one that is asked for. */
#ifndef SW_ONLINE_RESPONSE_TRIAL_H
#define SW_ONLINE_RESPONSE_TRIAL_H

#include "homogenization/parts.h"

/* Crystals with elastic strains take up what volume there is. The mean stress that follows is the caller's, a modulus times
 * the volume strain, but for what deviators make of it: where crystals are not cubic the volume makes deviators as well, and
 * these a mean stress, which then is in the average's stress (of `iterative` all of it). Pa; 0: crystals are rigid. */
double sw_response_bulk_modulus(const sw_response *response);

/* sw_response_advance, of a strain ||D|| dt of at most `most`: of a bound in common/crystal/limits.h; with volume, where the
 * response takes it. */
sw_status sw_response_advance_within(sw_response *response, double most, const double velocity_gradient[3][3],
                                     double dt, const sw_crystals *from, const sw_crystals *to,
                                     sw_response_average *average);

/* sw_response_advance_within of n materials in one polycrystal, as their homogenization has them, which is the same of all;
 * check: SW_ERR_UNAVAILABLE where it takes no such materials. One is as by itself. */
sw_status sw_response_check_parts(int n, const sw_response_part *part);
sw_status sw_response_advance_parts(int n, sw_response_part *part, double most,
                                    const double velocity_gradient[3][3], double dt);
/* Likewise sw_response_evaluate_mean, of `from`. */
sw_status sw_response_evaluate_parts(int n, sw_response_part *part, const double velocity_gradient[3][3]);

#endif
