/* Packed crystals from others, and back, on the CPU. */
#ifndef SW_ONLINE_RESPONSE_PACKED_PACKED_CPU_H
#define SW_ONLINE_RESPONSE_PACKED_PACKED_CPU_H

#include "slipwave/crystals.h"

/* n of them; margin: packed.h. Returns how many have a slip resistance that levels do not hold. */
int64_t sw_crystals_pack_cpu(const sw_packed *to, float margin, int64_t n, const sw_crystal *crystal);
void sw_crystals_unpack_cpu(const sw_packed *from, int64_t n, sw_crystal *crystal);

#endif
