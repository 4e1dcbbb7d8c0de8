/* Counter-based random numbers on the host: Philox4x32-10 (Salmon et al. 2011), word by word what cuRAND's
 * curandStatePhilox4_32_10 gives on a GPU (seed = key, subsequence = high counter words), so a seed means the
 * same polycrystal on both, for any number of threads. What is made of the words is said once for both. */
#ifndef SW_COMMON_MATH_RANDOM_H
#define SW_COMMON_MATH_RANDOM_H

#include <stdint.h>

#include "rotation.h"

static inline void sw_philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
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

/* The block-th four words of a subsequence: curand_init(seed, subsequence, 4 block), curand4. */
static inline void sw_random_words(uint64_t seed, uint64_t subsequence, uint64_t block, uint32_t word[4])
{
    word[0] = (uint32_t)block;
    word[1] = (uint32_t)(block >> 32);
    word[2] = (uint32_t)subsequence;
    word[3] = (uint32_t)(subsequence >> 32);
    sw_philox(word, (uint32_t)seed, (uint32_t)(seed >> 32));
}

/* A word -> a number of (0, 1]: curand_uniform's mapping, in double. */
SW_HD static inline double sw_uniform_of_word(uint32_t word)
{
    return ((double)word + 1.0) * (1.0 / 4294967296.0);
}

/* Three words -> an orientation, uniform over rotations, because the invariant measure is dphi1 d(cos Phi)
 * dphi2. */
SW_HD static inline void sw_orientation_of_words(const uint32_t word[3], double euler[3])
{
    euler[0] = 2 * SW_PI * sw_uniform_of_word(word[0]);
    euler[1] = acos(1 - 2 * sw_uniform_of_word(word[1]));
    euler[2] = 2 * SW_PI * sw_uniform_of_word(word[2]);
}

/* Four numbers of (0, 1], the block-th four of a subsequence. */
static inline void sw_random_uniform4(uint64_t seed, uint64_t subsequence, uint64_t block, double u[4])
{
    uint32_t word[4];
    sw_random_words(seed, subsequence, block, word);
    for (int i = 0; i < 4; i++)
        u[i] = sw_uniform_of_word(word[i]);
}

/* Orientation number n of a random texture. */
static inline void sw_random_orientation(uint64_t seed, uint64_t n, double euler[3])
{
    uint32_t word[4];
    sw_random_words(seed, n, 0, word);
    sw_orientation_of_words(word, euler);
}

#endif
