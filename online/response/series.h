/* One Fourier term added to nine sums: Malahe 2018, Algorithm 1 and Eqs. 36-39, in single precision.
 *
 * Written on sw_float and sw_int: one crystal, or 16 in SIMD lanes for a file that defines
 * SW_SERIES_LANES 16 first. */
#ifndef SW_ONLINE_RESPONSE_SERIES_H
#define SW_ONLINE_RESPONSE_SERIES_H

#include <stdint.h>

#include "common/device.h"
#include "common/symmetry.h"

#ifdef SW_SERIES_LANES
typedef float sw_float __attribute__((vector_size(4 * SW_SERIES_LANES)));
typedef int32_t sw_int __attribute__((vector_size(4 * SW_SERIES_LANES)));
#define SW_TO_FLOAT(x) __builtin_convertvector(x, sw_float)
#else
typedef float sw_float;
typedef int32_t sw_int;
#define SW_TO_FLOAT(x) ((float)(x))
#endif

/* sin and cos of 2 pi f for |f| <= 1/2 (turns). By half-turns: f = h/2 + r with h in {-1, 0, 1}, |r| <= 1/4,
 * then Taylor's series in 2 pi r, whose first term left out is below 6e-8 at pi/2. */
SW_HD static inline void sw_sincos_turns(sw_float f, sw_float *sine, sw_float *cosine)
{
    const float shift = 12582912.0F; /* 1.5 x 2^23: rounds to an integer */
    sw_float h = (2.0F * f + shift) - shift;
    sw_float x = 6.2831853F * (f - 0.5F * h), x2 = x * x, sign = 1.0F - 2.0F * h * h;
    sw_float s = x2 * -2.5052108e-8F + 2.7557319e-6F;
    s = x2 * s - 1.9841270e-4F;
    s = x2 * s + 8.3333333e-3F;
    s = x2 * s - 1.6666667e-1F;
    sw_float c = x2 * 2.0876757e-9F - 2.7557319e-7F;
    c = x2 * c + 2.4801587e-5F;
    c = x2 * c - 1.3888889e-3F;
    c = x2 * c + 4.1666667e-2F;
    c = x2 * c - 0.5F;
    *sine = sign * (x + x * (x2 * s));
    *cosine = sign * (1.0F + x2 * c);
}

/* Phase of j.k / L in turns, in [-1/2, 1/2). Power of two L: the modulo is an AND (Eq. 39), also of a
 * negative product, and wrapped 32-bit arithmetic is harmless. */
SW_HD static inline sw_float sw_phase_power_of_two(const sw_int j[3], const int32_t k[3], int32_t length)
{
    sw_int product = j[0] * k[0] + j[1] * k[1] + j[2] * k[2];
    return SW_TO_FLOAT(((product + length / 2) & (length - 1)) - length / 2) * (1.0F / (float)length);
}

/* Any L up to 2^22: each factor is first reduced to |k| <= L/2, j < L, and the products are taken in parts
 * that stay exact: a 32-bit quotient from the rounded single precision product, corrected by the exact
 * remainder, which 32-bit wrapped arithmetic gives because it is small. */
SW_HD static inline sw_float sw_phase_any(const sw_int j[3], const int32_t k[3], int32_t length)
{
    const float shift = 12582912.0F, inverse = 1.0F / (float)length;
    sw_float turns = SW_TO_FLOAT(j[0]) * 0.0F;
    for (int d = 0; d < 3; d++) {
        sw_float quotient = (SW_TO_FLOAT(j[d]) * ((float)k[d] * inverse) + shift) - shift;
#ifdef SW_SERIES_LANES
        sw_int whole = __builtin_convertvector(quotient, sw_int);
#else
        sw_int whole = (int32_t)quotient;
#endif
        turns += SW_TO_FLOAT(j[d] * k[d] - whole * length) * inverse;
    }
    return turns - ((turns + shift) - shift);
}

/* sum[c] += Re(coefficient[c] exp(2 pi i phase)) */
SW_HD static inline void sw_add_term(sw_float sum[SW_OUTPUTS], const float coefficient[SW_OUTPUTS][2],
                                     sw_float phase)
{
    sw_float sine, cosine;
    sw_sincos_turns(phase, &sine, &cosine);
    SW_UNROLL
    for (int c = 0; c < SW_OUTPUTS; c++) {
        sum[c] += coefficient[c][0] * cosine;
        sum[c] -= coefficient[c][1] * sine;
    }
}

#endif
