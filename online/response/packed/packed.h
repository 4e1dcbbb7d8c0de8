/* A crystal in 8 bytes (sw_packed, slipwave/crystals.h), on CPU and GPU, one or a bundle: three numbers of a unit quaternion in 16 bits each
 * and the logarithm of its slip resistance in 16, rounded up or down by chance, so that what is rounded away is right on average.
 *
 * The three are the last ones: the first, the largest, is what they leave of 1. Any orientation has a like one whose first is the
 * largest, by half turns of the crystal about its axes, which are symmetries of all that solvers with tables take. Quaternions are in
 * units here, SW_PACKED_UNIT to a length of 1, so that the three are whole numbers when they come. */
#ifndef SW_ONLINE_RESPONSE_PACKED_PACKED_H
#define SW_ONLINE_RESPONSE_PACKED_PACKED_H

#include "common/math/turns.h"

/* Of a number of at most 1/sqrt(2), and SW_PACKED_AGAIN more, below 2^15. */
#define SW_PACKED_UNIT 46300.0F
/* By so much another number is larger than the first, in units, before they change places; and by so much of what comes out and goes in
 * again, as it was: rounding makes one at most larger by 1, and the first smaller by 3. */
#define SW_PACKED_MARGIN 6.0F
#define SW_PACKED_AGAIN 16.0F

/* Bits that chance takes from number `crystal` at `step`, the same wherever and in whatever order crystals are stepped: multiples of the
 * golden section, which are spread evenly over crystals (Weyl), from where each step begins anew, as good as at random. */
#define SW_PACKED_GOLDEN 0x9E3779B1U
SW_HD static inline uint32_t sw_packed_key(int64_t step)
{
    uint64_t h = ((uint64_t)step + 1) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)(h >> 32);
}
SW_HD static inline uint32_t sw_packed_noise(uint32_t crystal, uint32_t key)
{
    return crystal * SW_PACKED_GOLDEN + key;
}

/* Instead: what is nearest. */
#define SW_PACKED_NEAREST 0x80808080U

/* The float 2^23 + n of the whole number n made of bytes `high` and `low` of `bits`; high < 0: of one. */
SW_HD static inline sw_real sw_packed_whole(sw_int bits, int high, int low)
{
    sw_real x;
#ifdef __CUDA_ARCH__
    x = __uint_as_float(__byte_perm((unsigned)bits, 0x4B000000U,
                                    0x7600U | (high < 0 ? 4U : (unsigned)high) << 4 | (unsigned)low));
#else
    sw_int whole = (bits >> (8 * low) & 0xff) | 0x4B000000;
    if (high >= 0)
        whole |= (bits >> (8 * high) & 0xff) << 8;
    memcpy(&x, &whole, sizeof x);
#endif
    return x;
}

/* word: its low and its high half -> quaternion [4], in units, and the level of the logarithm, whole, from -2^15 on. */
SW_HD static inline void sw_unpack(const sw_int word[2], sw_real q[4], sw_real *level)
{
    const float middle = 8388608.0F + 32768.0F;
    q[1] = sw_packed_whole(word[0], 1, 0) - middle;
    q[2] = sw_packed_whole(word[0], 3, 2) - middle;
    q[3] = sw_packed_whole(word[1], 1, 0) - middle;
    *level = sw_packed_whole(word[1], 3, 2) - middle;
    q[0] = sw_sqrt(SW_PACKED_UNIT * SW_PACKED_UNIT - q[1] * q[1] - q[2] * q[2] - q[3] * q[3]);
}

/* Bits shifted to the left, into the sign, too. */
SW_HD static inline sw_int sw_packed_left(sw_int bits, int by)
{
#if SW_LANES == 1
    return (sw_int)((unsigned)bits << by);
#else
    return bits << by;
#endif
}

/* The low 16 bits of each, after `shift` others. */
SW_HD static inline sw_int sw_packed_pair(sw_int low, sw_int high, int shift)
{
#ifdef __CUDA_ARCH__
    return (sw_int)__byte_perm((unsigned)low, (unsigned)high, shift == 8 ? 0x6521U : 0x5410U);
#else
    return (low >> shift & 0xffff) | sw_packed_left(high >> shift & 0xffff, 16);
#endif
}

/* Bits of a float of 2^23 or more: whole numbers from there on. */
SW_HD static inline sw_int sw_packed_bits(sw_real x)
{
    sw_int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x, below 2^15 in size, and 2^15, in 256ths, with a byte of the noise added to these: from the 8th bit on, x rounded up or down. */
SW_HD static inline sw_int sw_packed_number(sw_real x, sw_int noise, int byte)
{
    /* 2^16 + 2^15 + x has 128ths in a float's last place */
    return sw_packed_left(sw_packed_bits(x + 98304.0F), 1) +
           (sw_packed_bits(sw_packed_whole(noise, -1, byte)) & 0xff);
}

/* An equivalent of q, by half turns, whose first number is the largest to `margin`, and positive. */
SW_HD static inline void sw_packed_fold(sw_real q[4], float margin)
{
    sw_mask second = SW_LESS(sw_max(sw_abs(q[0]), sw_abs(q[1])) + margin, sw_max(sw_abs(q[2]), sw_abs(q[3])));
    sw_real w = sw_choose(second, -q[2], q[0]), x = sw_choose(second, -q[3], q[1]);
    sw_real y = sw_choose(second, q[0], q[2]), z = sw_choose(second, q[1], q[3]);
    sw_mask first = SW_LESS(sw_abs(w) + margin, sw_abs(x));
    q[0] = sw_choose(first, -x, w);
    q[1] = sw_choose(first, w, x);
    q[2] = sw_choose(first, z, y);
    q[3] = sw_choose(first, -y, z);
    sw_mask negative = SW_LESS(q[0], sw_broadcast(0.0));
    SW_UNROLL
    for (int i = 0; i < 4; i++)
        q[i] = sw_choose(negative, -q[i], q[i]);
}

/* Whether q [4] is folded as it is. */
SW_HD static inline sw_mask sw_packed_is_folded(const sw_real q[4], float margin)
{
    return SW_LESS(sw_max(sw_max(sw_abs(q[1]), sw_abs(q[2])), sw_abs(q[3])), q[0] + margin);
}

/* Whether a level that grows has a place among 16 bits. */
SW_HD static inline sw_mask sw_packed_has_place(sw_real level, sw_real growth)
{
    return SW_LESS(sw_abs(level + growth), sw_broadcast(32767.0));
}

/* Back, of a folded q of SW_PACKED_UNIT's length to 1e-5, which the first number then makes up for; the level and what it grows by; noise:
 * of a byte for each number and, as levels may grow by little, of two. */
SW_HD static inline void sw_pack_folded(const sw_real q[4], sw_real level, sw_real growth, sw_int noise,
                                        sw_int word[2])
{
    sw_real chance = sw_packed_whole(noise, 3, 0) * (1.0F / 65536) + (growth - 128.5F);
    word[0] = sw_packed_pair(sw_packed_number(q[1], noise, 0), sw_packed_number(q[2], noise, 1), 8);
    word[1] = sw_packed_pair(sw_packed_number(q[3], noise, 2) >> 8,
                             sw_packed_bits(chance + (level + (12582912.0F + 32768.0F))), 0);
}

/* The same of any q, which is changed to its equivalent; margin: one of the two above. Returns where the level has a place. */
SW_HD static inline sw_mask sw_pack(sw_real q[4], sw_real level, sw_real growth, sw_int noise, float margin,
                                    sw_int word[2])
{
    if (sw_any(~sw_packed_is_folded(q, margin))) /* seldom */
        sw_packed_fold(q, margin);
    sw_pack_folded(q, level, growth, noise, word);
    return sw_packed_has_place(level, growth);
}

#endif
