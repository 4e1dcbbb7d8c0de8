/* Crystals in numbers: kept where their response computes. Dimension: N crystals. */
#ifndef SW_ONLINE_RESPONSE_CRYSTALS_H
#define SW_ONLINE_RESPONSE_CRYSTALS_H

#include "common/random.h"
#include "response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for n crystals: host memory for a CPU; for a GPU its own memory while they fit, else page-locked host
 * memory, from which steps stream them. SW_ERR_MEMORY. Release with sw_crystals_free. */
sw_status sw_crystals_allocate(sw_device device, int64_t n, sw_crystal **crystal);
void sw_crystals_free(sw_device device, sw_crystal *crystal);

/* "host", "GPU" or "host, streamed": where they are, for people. */
const char *sw_crystals_place(sw_device device, const sw_crystal *crystal);

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

/* Orientations number first .. first + n - 1 of a random texture: the same on every device, to the rounding
 * of single precision. slip_resistance: Pa. */
sw_status sw_crystals_randomise(sw_device device, int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                float slip_resistance);

/* Copy n crystals between host memory and wherever others are. */
sw_status sw_crystals_copy(sw_device device, int64_t n, sw_crystal *to, const sw_crystal *from);

#ifdef __cplusplus
}
#endif

#endif
