/* A crystal in 8 bytes (sw_packed, slipwave/crystals.h), on CPU and GPU, one or a bundle: three numbers of a unit quaternion in 16 bits each
 * and the logarithm of its slip resistance in 16, rounded up or down by chance, so that what is rounded away is right on average.
 *
 * The three are the last ones: the first, the largest, is what they leave of 1. Any orientation has a like one whose first is the
 * largest, by half turns of the crystal about its axes, which are symmetries of all that solvers with tables take. Quaternions are in
 * units here, SW_PACKED_UNIT to a length of 1, so that the three are whole numbers when they come. */
#ifndef SW_COMMON_MATH_PACKED_H
#define SW_COMMON_MATH_PACKED_H

#include "turns.h"

/* Of a number of at most 1/sqrt(2), and twice SW_PACKED_MARGIN more, below 2^15. */
#define SW_PACKED_UNIT 46320.0F
/* Another number is so much larger than the first before they change places: what comes out goes in again as it was. */
#define SW_PACKED_MARGIN 6.0F

/* Bits that chance takes from number `crystal` at `step`: a hash of both (avalanche by multiply and shift, as in Wellons' search for
 * such functions, 2018), the same wherever and in whatever order crystals are stepped. */
SW_HD static inline uint32_t sw_packed_key(int64_t step)
{
    const uint64_t mixed = ((uint64_t)step + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32);
}
SW_HD static inline uint32_t sw_packed_noise(uint32_t crystal, uint32_t key)
{
    uint32_t h = crystal ^ key;
    h = (h ^ h >> 16) * 0x7FEB352DU;
    h = (h ^ h >> 15) * 0x846CA68BU;
    return h ^ h >> 16;
}

/* Instead: what is nearest. */
#define SW_PACKED_NEAREST 0x80808080U

/* The float 2^23 + n of the whole number n made of bytes `high` and `low` of `bits`; high < 0: of one. */
SW_HD static inline sw_real sw_packed_whole(sw_int bits, int high, int low)
{
    sw_real x;
#ifdef __CUDA_ARCH__
    x = __uint_as_float(__byte_perm((unsigned)bits, 0x4B000000U, 0x7600U | (high < 0 ? 4U : (unsigned)high) << 4 | (unsigned)low));
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

/* x, below 2^15 in size, as bits of which the low 16 are its nearest whole number and 2^15. */
SW_HD static inline sw_int sw_packed_bits(sw_real x)
{
    sw_real shifted = x + (12582912.0F + 32768.0F); /* lanes_vector.h */
    sw_int bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits;
}

/* An equivalent of q, of any length, by half turns, whose first number is the largest to SW_PACKED_MARGIN. */
SW_HD static inline void sw_packed_fold(const sw_real q[4], sw_real folded[4])
{
    sw_mask second = SW_LESS(sw_max(sw_abs(q[0]), sw_abs(q[1])) + SW_PACKED_MARGIN,
                             sw_max(sw_abs(q[2]), sw_abs(q[3])));
    sw_real w = sw_choose(second, -q[2], q[0]), x = sw_choose(second, -q[3], q[1]);
    sw_real y = sw_choose(second, q[0], q[2]), z = sw_choose(second, q[1], q[3]);
    sw_mask first = SW_LESS(sw_abs(w) + SW_PACKED_MARGIN, sw_abs(x));
    folded[0] = sw_choose(first, -x, w);
    folded[1] = sw_choose(first, w, x);
    folded[2] = sw_choose(first, z, y);
    folded[3] = sw_choose(first, -y, z);
}

/* The low 16 bits of each. */
SW_HD static inline sw_int sw_packed_pair(sw_int low, sw_int high)
{
#ifdef __CUDA_ARCH__
    return (sw_int)__byte_perm((unsigned)low, (unsigned)high, 0x5410U);
#else
    return (low & 0xffff) | high << 16;
#endif
}

/* Back: q of SW_PACKED_UNIT's length to 1e-5, which the first number then makes up for; noise: as above. Returns where the level has a
 * place among 16 bits. */
SW_HD static inline sw_mask sw_pack(const sw_real q[4], sw_real level, sw_int noise, sw_int word[2])
{
    sw_real folded[4];
    sw_packed_fold(q, folded);
    sw_real sign = sw_choose(SW_LESS(folded[0], sw_broadcast(0.0)), sw_broadcast(-1.0), sw_broadcast(1.0));
    /* chance within half a unit: of one byte each, for levels, that change the least, of two */
    sw_int x = sw_packed_bits(folded[1] * sign + (sw_packed_whole(noise, -1, 0) * (1.0F / 256) - 32768.498F));
    sw_int y = sw_packed_bits(folded[2] * sign + (sw_packed_whole(noise, -1, 1) * (1.0F / 256) - 32768.498F));
    sw_int z = sw_packed_bits(folded[3] * sign + (sw_packed_whole(noise, -1, 2) * (1.0F / 256) - 32768.498F));
    sw_int l = sw_packed_bits(level + (sw_packed_whole(noise, 3, 0) * (1.0F / 65536) - 128.5F));
    word[0] = sw_packed_pair(x, y);
    word[1] = sw_packed_pair(z, l);
    return SW_LESS(sw_abs(level), sw_broadcast(32767.0));
}

#endif
