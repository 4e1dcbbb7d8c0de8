/* Responses, and states about crystals that a test has or random ones. */
#ifndef SW_TESTS_CRYSTALS_H
#define SW_TESTS_CRYSTALS_H

#include "tests/test.h"

#include "slipwave/response.h"

/* By these options; sw_response_close. */
static inline sw_response *opened(const sw_response_options *options)
{
    sw_response *response;
    CHECK_OK(sw_response_open(options, &response));
    return response;
}

/* n random crystals of this resistance, Pa, where a response computes; sw_crystals_release. */
static inline sw_crystals make_random_crystals(const sw_response *response, int64_t n, int64_t seed,
                                               double slip_resistance)
{
    sw_crystals crystals;
    CHECK_OK(sw_crystals_make(response, n, &crystals));
    CHECK_OK(sw_crystals_randomise(crystals.device, n, crystals.crystal, seed, 0, (float)slip_resistance));
    CHECK_OK(sw_crystals_begin(response, &crystals));
    return crystals;
}

/* Begun without stress, of any solver; sw_crystals_release. weight [n] or NULL. */
static inline sw_crystals crystals_of(const sw_response *response, int64_t n, sw_crystal *crystal,
                                      const float *weight)
{
    sw_crystals crystals;
    CHECK_OK(sw_crystals_of(response, n, crystal, weight, &crystals));
    return crystals;
}

#endif
