/* The number type that the physics is written in: one double, or a bundle of 8 in SIMD lanes.
 *
 * A file that defines SW_LANES 8 before its first include gets sw_real as a vector of 8 doubles,
 * one crystal a lane; every other file gets a plain double. Arithmetic reads the same for both;
 * what does not (choice, absolute value, powers) is spelled here. Each lane is computed by itself,
 * so a crystal's result cannot depend on its neighbours.
 *
 * Vectors are GCC's and Clang's vector extensions: two AVX registers or four SSE ones where
 * AVX-512 is absent. */
#ifndef SW_COMMON_LANES_H
#define SW_COMMON_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "device.h"

#ifndef SW_LANES
#define SW_LANES 1
#endif

#if SW_LANES == 1

typedef double sw_real;
typedef int64_t sw_mask; /* -1 true, 0 false: as a vector comparison gives */

SW_HD static inline sw_real sw_all(double x) { return x; }
SW_HD static inline sw_mask sw_if(int condition) { return condition ? -1 : 0; }
SW_HD static inline sw_real sw_choose(sw_mask m, sw_real a, sw_real b) { return m ? a : b; }
SW_HD static inline sw_real sw_abs(sw_real x) { return fabs(x); }
SW_HD static inline sw_real sw_sqrt(sw_real x) { return sqrt(x); }
SW_HD static inline sw_real sw_exp2(sw_real y) { return exp2(y); }
SW_HD static inline sw_real sw_power(sw_real x, double p) { return pow(x, p); }
SW_HD static inline int sw_any(sw_mask m) { return m != 0; }
SW_HD static inline double sw_lane(sw_real x, int lane)
{
    (void)lane;
    return x;
}
SW_HD static inline void sw_set_lane(sw_real *x, int lane, double value)
{
    (void)lane;
    *x = value;
}
SW_HD static inline int sw_mask_lane(sw_mask m, int lane)
{
    (void)lane;
    return m != 0;
}
#define SW_LESS(a, b) sw_if((a) < (b))

#else

typedef double sw_real __attribute__((vector_size(8 * SW_LANES)));
typedef int64_t sw_mask __attribute__((vector_size(8 * SW_LANES)));

#define SW_LANES_INLINE static inline __attribute__((always_inline, unused))

SW_LANES_INLINE sw_real sw_all(double x) { return x - (sw_real){0}; }
SW_LANES_INLINE sw_mask sw_bits(sw_real x) { return (sw_mask)x; }
SW_LANES_INLINE sw_real sw_from_bits(sw_mask x) { return (sw_real)x; }
SW_LANES_INLINE sw_mask sw_if(int condition) { return (sw_mask){0} - (condition ? 1 : 0); }
SW_LANES_INLINE sw_real sw_choose(sw_mask m, sw_real a, sw_real b)
{
    return sw_from_bits((m & sw_bits(a)) | (~m & sw_bits(b)));
}
SW_LANES_INLINE sw_real sw_abs(sw_real x) { return sw_from_bits(sw_bits(x) & INT64_MAX); }
SW_LANES_INLINE sw_real sw_sqrt(sw_real x)
{
    for (int i = 0; i < SW_LANES; i++)
        x[i] = sqrt(x[i]);
    return x;
}
SW_LANES_INLINE int sw_any(sw_mask m)
{
    int64_t any = 0;
    for (int i = 0; i < SW_LANES; i++)
        any |= m[i];
    return any != 0;
}
SW_LANES_INLINE double sw_lane(sw_real x, int lane) { return x[lane]; }
SW_LANES_INLINE void sw_set_lane(sw_real *x, int lane, double value) { (*x)[lane] = value; }
SW_LANES_INLINE int sw_mask_lane(sw_mask m, int lane) { return m[lane] != 0; }
#define SW_LESS(a, b) ((sw_mask)((a) < (b)))

/* 1.5 x 2^52: added to a double, leaves its nearest integer in the low bits of the mantissa. AVX2 has no
 * conversion between doubles and 64-bit integers. */
#define SW_ROUNDING_SHIFT 6755399441055744.0

/* log2 of x; x below 1e-300 counts as 1e-300, and x is finite. From the mantissa in [sqrt(1/2), sqrt(2)) by
 * the series of atanh. Absolute error about 1e-16 (1 + |log2 x|). */
SW_LANES_INLINE sw_real sw_log2(sw_real x)
{
    x = sw_choose(SW_LESS(x, sw_all(1e-300)), sw_all(1e-300), x);
    const int64_t half_root = 0x3fe6a09e667f3bcd; /* bits of sqrt(1/2) */
    sw_mask e = (sw_bits(x) - half_root) >> 52;
    sw_real m = sw_from_bits(sw_bits(x) - (e << 52));
    sw_real t = (m - 1.0) / (m + 1.0), t2 = t * t;
    sw_real series = sw_all(1.0 / 23);
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
    sw_real exponent = sw_from_bits(e + sw_bits(sw_all(SW_ROUNDING_SHIFT))) - SW_ROUNDING_SHIFT;
    return exponent + 2.8853900817779268 * (t + t * t2 * series); /* 2 / ln 2 */
}

/* 2^y, by Taylor's series on the fraction |f| <= 1/2; relative error 2e-15. y is taken into [-300, 1000]:
 * results below 2^-300 come out as 2^-300, far enough from subnormal numbers, which cost a hundred times an
 * ordinary operation in everything computed from them. */
SW_LANES_INLINE sw_real sw_exp2(sw_real y)
{
    y = sw_choose(SW_LESS(y, sw_all(-300.0)), sw_all(-300.0), y);
    y = sw_choose(SW_LESS(sw_all(1000.0), y), sw_all(1000.0), y);
    sw_real shifted = y + SW_ROUNDING_SHIFT;
    sw_real f = (y - (shifted - SW_ROUNDING_SHIFT)) * 0.69314718055994531;
    sw_mask scale = (sw_bits(shifted) - sw_bits(sw_all(SW_ROUNDING_SHIFT))) << 52;
    sw_real power = sw_all(1.0 / 6227020800.0);
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

/* x^p for x >= 0, with the bounds of the two: relative error |p log2 x| 1.6e-16 + 2e-15. */
SW_LANES_INLINE sw_real sw_power(sw_real x, double p) { return sw_exp2(p * sw_log2(x)); }

#endif

SW_HD static inline sw_real sw_max(sw_real a, sw_real b) { return sw_choose(SW_LESS(a, b), b, a); }
SW_HD static inline sw_real sw_min(sw_real a, sw_real b) { return sw_choose(SW_LESS(a, b), a, b); }

#endif
