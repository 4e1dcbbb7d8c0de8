/* sw_real as a bundle of numbers, by GCC's and Clang's vector extensions. Included by lanes.h. */
#ifndef SW_COMMON_MATH_LANES_VECTOR_H
#define SW_COMMON_MATH_LANES_VECTOR_H

#ifdef SW_SINGLE
typedef float sw_number;
typedef int32_t sw_integer;
#define SW_SIZE_MASK INT32_MAX /* all bits but the sign */
#define SW_LANES_BYTES (4 * SW_LANES)
#else
typedef double sw_number;
typedef int64_t sw_integer;
#define SW_SIZE_MASK INT64_MAX
#define SW_LANES_BYTES (8 * SW_LANES)
#endif
#ifdef __AVX__
#include <immintrin.h>
#endif
typedef sw_number sw_real __attribute__((vector_size(sizeof(sw_number) * SW_LANES)));
typedef sw_integer sw_mask __attribute__((vector_size(sizeof(sw_number) * SW_LANES)));
typedef sw_mask sw_int;

#define SW_LANES_INLINE static inline __attribute__((always_inline, unused))

SW_LANES_INLINE sw_real sw_broadcast(double x) { return (sw_number)x - (sw_real){0}; }
SW_LANES_INLINE sw_int sw_broadcast_int(int x) { return x - (sw_int){0}; }
SW_LANES_INLINE sw_mask sw_bits(sw_real x) { return (sw_mask)x; }
SW_LANES_INLINE sw_real sw_from_bits(sw_mask x) { return (sw_real)x; }
SW_LANES_INLINE sw_mask sw_if(int condition) { return (sw_mask){0} - (condition ? 1 : 0); }
SW_LANES_INLINE sw_real sw_choose(sw_mask m, sw_real a, sw_real b)
{
    return sw_from_bits((m & sw_bits(a)) | (~m & sw_bits(b)));
}
SW_LANES_INLINE sw_int sw_choose_int(sw_mask m, sw_int a, sw_int b) { return (m & a) | (~m & b); }
SW_LANES_INLINE sw_real sw_abs(sw_real x) { return sw_from_bits(sw_bits(x) & SW_SIZE_MASK); }
SW_LANES_INLINE sw_real sw_sqrt(sw_real x)
{
    for (int i = 0; i < SW_LANES; i++)
        x[i] = (sw_number)sqrt(x[i]);
    return x;
}
SW_LANES_INLINE sw_real sw_divide(sw_real a, sw_real b) { return a / b; }
SW_LANES_INLINE int sw_any(sw_mask m)
{
#if defined(__AVX512F__) && SW_LANES_BYTES == 64
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif defined(__AVX__) && SW_LANES_BYTES == 32
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    sw_integer any = 0;
    for (int i = 0; i < SW_LANES; i++)
        any |= m[i];
    return any != 0;
#endif
}
SW_LANES_INLINE double sw_lane(sw_real x, int lane) { return (double)x[lane]; }
SW_LANES_INLINE void sw_set_lane(sw_real *x, int lane, double value) { (*x)[lane] = (sw_number)value; }
SW_LANES_INLINE int sw_mask_lane(sw_mask m, int lane) { return m[lane] != 0; }
/* Bit i: lane i of the first n is none of the mask's. */
SW_LANES_INLINE unsigned sw_lanes_outside(sw_mask m, int n)
{
    unsigned outside = 0;
    for (int lane = 0; lane < n; lane++)
        outside |= (unsigned)(m[lane] == 0) << lane;
    return outside;
}
#define SW_LESS(a, b) ((sw_mask)((a) < (b)))

#ifdef SW_SINGLE

/* 1.5 x 2^23: added to a float below 2^22, leaves its nearest integer in the low bits. */
#define SW_ROUNDING_SHIFT 12582912.0F

SW_LANES_INLINE sw_real sw_from_int(sw_int x) { return __builtin_convertvector(x, sw_real); }

/* table [entries], a multiple of SW_LANES, at i: by permuting what a register holds, of which gathers are half as quick. */
SW_LANES_INLINE sw_real sw_entry(const float *table, int entries, sw_int i)
{
    sw_real found = {0};
    for (int from = 0; from < entries; from += SW_LANES) {
        sw_real part;
        memcpy(&part, table + from, sizeof part);
        found = sw_choose((sw_mask)(i < from), found, __builtin_shuffle(part, i));
    }
    return found;
}
SW_LANES_INLINE sw_int sw_round(sw_real x)
{
    return __builtin_convertvector((x + SW_ROUNDING_SHIFT) - SW_ROUNDING_SHIFT, sw_int);
}

/* The same of any x below 2^31: through its whole part, which the conversion cuts off exactly. */
SW_LANES_INLINE sw_int sw_round_large(sw_real x)
{
    sw_int whole = __builtin_convertvector(x, sw_int);
    sw_real rest = x - sw_from_int(whole);
    return whole + sw_round(rest);
}

/* As for doubles, below, to single precision: log2 to 1e-7 (1 + |log2 x|), and relatively near 1; x below
 * 1e-37 counts as 1e-37. */
SW_LANES_INLINE sw_real sw_log2(sw_real x)
{
    x = sw_choose(SW_LESS(x, sw_broadcast(1e-37)), sw_broadcast(1e-37), x);
    const int32_t half_root = 0x3f3504f3; /* bits of sqrt(1/2) */
    sw_mask e = (sw_bits(x) - half_root) >> 23;
    sw_real m = sw_from_bits(sw_bits(x) - (e << 23));
    sw_real t = (m - 1.0F) / (m + 1.0F), t2 = t * t;
    sw_real series = t2 * (1.0F / 9) + 1.0F / 7;
    series = series * t2 + 1.0F / 5;
    series = series * t2 + 1.0F / 3;
    return sw_from_int(e) + 2.8853900817779268F * (t + t * t2 * series); /* 2 / ln 2 */
}

/* Relative error 2e-7; y is taken into [-100, 126]. */
SW_LANES_INLINE sw_real sw_exp2(sw_real y)
{
    y = sw_choose(SW_LESS(y, sw_broadcast(-100.0)), sw_broadcast(-100.0), y);
    y = sw_choose(SW_LESS(sw_broadcast(126.0), y), sw_broadcast(126.0), y);
    sw_real shifted = y + SW_ROUNDING_SHIFT;
    sw_real f = (y - (shifted - SW_ROUNDING_SHIFT)) * 0.69314718055994531F;
    sw_mask scale = (sw_bits(shifted) - sw_bits(sw_broadcast(SW_ROUNDING_SHIFT))) << 23;
    sw_real power = f * (1.0F / 5040) + 1.0F / 720;
    power = power * f + 1.0F / 120;
    power = power * f + 1.0F / 24;
    power = power * f + 1.0F / 6;
    power = power * f + 0.5F;
    power = power * f + 1.0F;
    power = power * f + 1.0F;
    return sw_from_bits(sw_bits(power) + scale);
}

#else

/* 1.5 x 2^52: added to a double, leaves its nearest integer in the low bits of the mantissa. AVX2 has no
 * conversion between doubles and 64-bit integers. */
#define SW_ROUNDING_SHIFT 6755399441055744.0

SW_LANES_INLINE sw_real sw_from_int(sw_int x)
{
    return sw_from_bits(x + sw_bits(sw_broadcast(SW_ROUNDING_SHIFT))) - SW_ROUNDING_SHIFT;
}

/* log2 of x; x below 1e-300 counts as 1e-300, and x is finite. From the mantissa in [sqrt(1/2), sqrt(2)) by
 * the series of atanh. Absolute error about 1e-16 (1 + |log2 x|). */
SW_LANES_INLINE sw_real sw_log2(sw_real x)
{
    x = sw_choose(SW_LESS(x, sw_broadcast(1e-300)), sw_broadcast(1e-300), x);
    const int64_t half_root = 0x3fe6a09e667f3bcd; /* bits of sqrt(1/2) */
    sw_mask e = (sw_bits(x) - half_root) >> 52;
    sw_real m = sw_from_bits(sw_bits(x) - (e << 52));
    sw_real t = (m - 1.0) / (m + 1.0), t2 = t * t;
    sw_real series = sw_broadcast(1.0 / 23);
    series = series * t2 + 1.0 / 21;
    series = series * t2 + 1.0 / 19;
    series = series * t2 + 1.0 / 17;
    series = series * t2 + 1.0 / 15;
    series = series * t2 + 1.0 / 13;
    series = series * t2 + 1.0 / 11;
    series = series * t2 + 1.0 / 9;
    series = series * t2 + 1.0 / 7;
    series = series * t2 + 1.0 / 5;
    series = series * t2 + 1.0 / 3;
    return sw_from_int(e) + 2.8853900817779268 * (t + t * t2 * series); /* 2 / ln 2 */
}

/* 2^y, by Taylor's series on the fraction |f| <= 1/2; relative error 2e-15. y is taken into [-300, 1000]:
 * results below 2^-300 come out as 2^-300, far enough from subnormal numbers, which cost a hundred times an
 * ordinary operation in everything computed from them. */
SW_LANES_INLINE sw_real sw_exp2(sw_real y)
{
    y = sw_choose(SW_LESS(y, sw_broadcast(-300.0)), sw_broadcast(-300.0), y);
    y = sw_choose(SW_LESS(sw_broadcast(1000.0), y), sw_broadcast(1000.0), y);
    sw_real shifted = y + SW_ROUNDING_SHIFT;
    sw_real f = (y - (shifted - SW_ROUNDING_SHIFT)) * 0.69314718055994531;
    sw_mask scale = (sw_bits(shifted) - sw_bits(sw_broadcast(SW_ROUNDING_SHIFT))) << 52;
    sw_real power = sw_broadcast(1.0 / 6227020800.0);
    power = power * f + 1.0 / 479001600;
    power = power * f + 1.0 / 39916800;
    power = power * f + 1.0 / 3628800;
    power = power * f + 1.0 / 362880;
    power = power * f + 1.0 / 40320;
    power = power * f + 1.0 / 5040;
    power = power * f + 1.0 / 720;
    power = power * f + 1.0 / 120;
    power = power * f + 1.0 / 24;
    power = power * f + 1.0 / 6;
    power = power * f + 0.5;
    power = power * f + 1.0;
    power = power * f + 1.0;
    return sw_from_bits(sw_bits(power) + scale);
}

#endif

/* x^p for x >= 0, with the bounds of the two: for doubles a relative error of |p log2 x| 1.6e-16 + 2e-15. */
SW_LANES_INLINE sw_real sw_power(sw_real x, double p) { return sw_exp2((sw_number)p * sw_log2(x)); }

#endif
