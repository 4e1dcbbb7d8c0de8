/* Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011), laid out as cuRAND's
 * curandStatePhilox4_32_10 lays it out (seed = key, subsequence = high counter words), so a seed means
 * the same polycrystal on CPU and GPU, for any number of threads. */
#ifndef SW_COMMON_MATH_RANDOM_H
#define SW_COMMON_MATH_RANDOM_H

#include <stdint.h>

#include "rotation.h"

SW_HD static inline void sw_philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xD2511F53U * counter[0], b = (uint64_t)0xCD9E8D57U * counter[2];
        const uint32_t c1 = counter[1], c3 = counter[3];
        counter[0] = (uint32_t)(b >> 32) ^ c1 ^ key0;
        counter[1] = (uint32_t)b;
        counter[2] = (uint32_t)(a >> 32) ^ c3 ^ key1;
        counter[3] = (uint32_t)a;
        key0 += 0x9E3779B9U;
        key1 += 0xBB67AE85U;
    }
}

/* Four numbers of (0, 1], the block-th four of a subsequence: curand_uniform's mapping. */
SW_HD static inline void sw_random_uniform4(uint64_t seed, uint64_t subsequence, uint64_t block, double u[4])
{
    uint32_t x[4] = {(uint32_t)block, (uint32_t)(block >> 32), (uint32_t)subsequence,
                     (uint32_t)(subsequence >> 32)};
    sw_philox(x, (uint32_t)seed, (uint32_t)(seed >> 32));
    for (int i = 0; i < 4; i++)
        u[i] = ((double)x[i] + 1.0) * (1.0 / 4294967296.0);
}

/* Orientation number n of a random texture: uniform over rotations, because the invariant measure is
 * dphi1 d(cos Phi) dphi2. */
SW_HD static inline void sw_random_orientation(uint64_t seed, uint64_t n, double euler[3])
{
    double u[4];
    sw_random_uniform4(seed, n, 0, u);
    euler[0] = 2 * SW_PI * u[0];
    euler[1] = acos(1 - 2 * u[1]);
    euler[2] = 2 * SW_PI * u[2];
}

#endif
