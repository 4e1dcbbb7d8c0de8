/* Crystals in numbers, beside what slipwave/response.h has of them: random ones, one at a time; weights. */
#ifndef SW_ONLINE_RESPONSE_STEP_CRYSTALS_H
#define SW_ONLINE_RESPONSE_STEP_CRYSTALS_H

#include "common/math/random.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A crystal of random words (random.h), on CPU and GPU: angles as floats in [0, 2 pi]. */
SW_HD static inline sw_crystal sw_crystal_of_words(const uint32_t word[3], float slip_resistance)
{
    sw_crystal crystal;
    double euler[3];
    sw_orientation_of_words(word, euler);
    for (int i = 0; i < 3; i++)
        crystal.euler[i] = (float)sw_wrap_angle(euler[i]);
    crystal.slip_resistance = slip_resistance;
    return crystal;
}

/* Number n of a random texture, on the CPU; on a GPU cuRAND has the words. */
static inline sw_crystal sw_random_crystal(int64_t seed, int64_t n, float slip_resistance)
{
    uint32_t word[4];
    sw_random_words((uint64_t)seed, (uint64_t)n, 0, word);
    return sw_crystal_of_words(word, slip_resistance);
}

/* The stress of what a crystal expands by, Pa, along its axes, leaves the one that it remembers, S/s. */
SW_HD static inline void sw_crystal_heat(const float stress[5], float slip_resistance, float remembered[5])
{
    for (int i = 0; i < 5 && slip_resistance > 0; i++) /* a child that is not there yet has none */
        remembered[i] -= stress[i] / slip_resistance;
}

/* All get this slip resistance, Pa. SW_ERR_MEMORY. */
sw_status sw_crystals_set_resistance(sw_device device, int64_t n, sw_crystal *crystal,
                                     double slip_resistance);

/* sw_crystals_allocate with room for their weights [n] behind them, in the same piece of memory, and so in the
 * same place: sw_crystals_free takes both. SW_ERR_MEMORY. */
sw_status sw_crystals_allocate_weighted(sw_device device, int64_t n, sw_crystal **crystal, float **weight);

/* Room for n numbers of crystals, all 0, where these would be. SW_ERR_MEMORY. */
sw_status sw_numbers_make(sw_device device, int64_t n, float **number);
void sw_numbers_free(sw_device device, float *number);

/* Copy n numbers between host memory and wherever others are. */
sw_status sw_numbers_copy(sw_device device, int64_t n, float *to, const float *from);

#ifdef __cplusplus
}
#endif

#endif
