/* States about crystals that a test has. */
#ifndef SW_TESTS_CRYSTALS_H
#define SW_TESTS_CRYSTALS_H

#include "tests/test.h"

#include "slipwave/response.h"

/* Begun without stress, of any solver; sw_crystals_release. weight [n] or NULL. */
static inline sw_crystals crystals_of(const sw_response *response, int64_t n, sw_crystal *crystal,
                                      const float *weight)
{
    sw_crystals crystals;
    CHECK_OK(sw_crystals_of(response, n, crystal, weight, &crystals));
    return crystals;
}

#endif
