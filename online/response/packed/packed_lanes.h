/* Packed crystals into SIMD lanes on the CPU, and back. */
#ifndef SW_ONLINE_RESPONSE_PACKED_PACKED_LANES_H
#define SW_ONLINE_RESPONSE_PACKED_PACKED_LANES_H

#include "common/math/lanes_floats.h"

#include "packed.h"
#include "slipwave/crystals.h"

/* n <= SW_LANES from `first` on, the last one fills up: quaternions in units, levels, and the slip resistances that these are. */
static inline void sw_packed_load(int n, const sw_packed *packed, int64_t first, sw_real q[4], sw_real *level,
                                  sw_real *slip_resistance)
{
    int32_t half[2][SW_LANES];
    sw_int word[2];
    for (int lane = 0; lane < SW_LANES; lane++) {
        const uint64_t one = packed->word[first + (lane < n ? lane : n - 1)];
        half[0][lane] = (int32_t)(uint32_t)one;
        half[1][lane] = (int32_t)(uint32_t)(one >> 32);
    }
    memcpy(word, half, sizeof word);
    sw_unpack(word, q, level);
    *slip_resistance = sw_exp2(packed->middle + *level * packed->quantum);
}

/* Likewise; noise [SW_LANES]. Returns where levels have a place. */
static inline sw_mask sw_packed_store(int n, sw_real q[4], sw_real level, sw_real growth,
                                      const uint32_t noise[SW_LANES], float margin, uint64_t *word)
{
    uint32_t half[2][SW_LANES];
    sw_int chance, packed[2];
    memcpy(&chance, noise, sizeof chance);
    sw_mask good = sw_pack(q, level, growth, chance, margin, packed);
    memcpy(half, packed, sizeof half);
    for (int lane = 0; lane < n; lane++)
        word[lane] = half[0][lane] | (uint64_t)half[1][lane] << 32;
    return good;
}

#endif
