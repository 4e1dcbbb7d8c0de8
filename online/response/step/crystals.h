/* Random crystals, one at a time, on CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_CRYSTALS_H
#define SW_ONLINE_RESPONSE_STEP_CRYSTALS_H

#include "common/math/random.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Number n of a random texture: angles as floats in [0, 2 pi]. */
SW_HD static inline sw_crystal sw_random_crystal(int64_t seed, int64_t n, float slip_resistance)
{
    sw_crystal crystal;
    double euler[3];
    sw_random_orientation((uint64_t)seed, (uint64_t)n, euler);
    for (int i = 0; i < 3; i++)
        crystal.euler[i] = (float)sw_wrap_angle(euler[i]);
    crystal.slip_resistance = slip_resistance;
    return crystal;
}

#ifdef __cplusplus
}
#endif

#endif
