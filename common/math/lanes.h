/* The number type that the physics is written in: sw_real, one number or a bundle of them in SIMD lanes.
 *
 *     included first      sw_real
 *     this                double
 *     lanes_doubles.h     a SIMD register of doubles, one crystal a lane
 *     lanes_float.h       float: CUDA kernels
 *     lanes_floats.h      a SIMD register of floats
 *
 * Arithmetic reads the same for all; what does not (choice, absolute value, powers) is spelled here. Numbers
 * that may become sw_real are written sw_broadcast(x), so that no double slips into a kernel. Each lane is
 * computed by itself: a crystal's result cannot depend on its neighbours. */
#ifndef SW_COMMON_MATH_LANES_H
#define SW_COMMON_MATH_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/system/device.h"

#ifndef SW_LANES
#define SW_LANES 1
#endif

#if SW_LANES > 1
#include "lanes_vector.h"
#else

#ifdef SW_SINGLE
typedef float sw_real;
typedef int32_t sw_mask; /* -1 true, 0 false: as a vector comparison gives */
#define SW_SCALAR_MATH(name) name##f
#else
typedef double sw_real;
typedef int64_t sw_mask;
#define SW_SCALAR_MATH(name) name
#endif
typedef sw_mask sw_int;  /* as wide as sw_real */

SW_HD static inline sw_real sw_broadcast(double x) { return (sw_real)x; }
SW_HD static inline sw_int sw_broadcast_int(int x) { return x; }
SW_HD static inline sw_real sw_from_int(sw_int x) { return (sw_real)x; }
SW_HD static inline sw_int sw_round(sw_real x) { return (sw_int)SW_SCALAR_MATH(rint)(x); }
SW_HD static inline sw_int sw_round_large(sw_real x) { return (sw_int)SW_SCALAR_MATH(rint)(x); }
SW_HD static inline sw_mask sw_if(int condition) { return condition ? -1 : 0; }
/* table [entries] at i; of the GPU's memory, which nothing writes meanwhile. */
SW_HD static inline sw_real sw_entry(const float *table, int entries, sw_int i)
{
    (void)entries;
#ifdef __CUDA_ARCH__
    return __ldg(table + i);
#else
    return table[i];
#endif
}
SW_HD static inline sw_real sw_choose(sw_mask m, sw_real a, sw_real b) { return m ? a : b; }
SW_HD static inline sw_int sw_choose_int(sw_mask m, sw_int a, sw_int b) { return m ? a : b; }
SW_HD static inline sw_real sw_abs(sw_real x) { return SW_SCALAR_MATH(fabs)(x); }
#if defined(SW_SINGLE) && defined(__CUDA_ARCH__)
/* The special function unit's: errors of 2 to 3 in the last place; log2 to 2^-22 absolutely near 1. */
__device__ static inline sw_real sw_sqrt(sw_real x)
{
    float root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
__device__ static inline sw_real sw_log2(sw_real x)
{
    float exponent;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(exponent) : "f"(x));
    return exponent;
}
__device__ static inline sw_real sw_exp2(sw_real y)
{
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(y));
    return power;
}
__device__ static inline sw_real sw_divide(sw_real a, sw_real b) { return __fdividef(a, b); }
SW_HD static inline sw_real sw_power(sw_real x, double p) { return sw_exp2(sw_broadcast(p) * sw_log2(x)); }
#else
SW_HD static inline sw_real sw_sqrt(sw_real x) { return SW_SCALAR_MATH(sqrt)(x); }
SW_HD static inline sw_real sw_log2(sw_real x) { return SW_SCALAR_MATH(log2)(x); }
SW_HD static inline sw_real sw_exp2(sw_real y) { return SW_SCALAR_MATH(exp2)(y); }
SW_HD static inline sw_real sw_divide(sw_real a, sw_real b) { return a / b; }
SW_HD static inline sw_real sw_power(sw_real x, double p) { return SW_SCALAR_MATH(pow)(x, (sw_real)p); }
#endif
SW_HD static inline int sw_any(sw_mask m) { return m != 0; }
SW_HD static inline double sw_lane(sw_real x, int lane)
{
    (void)lane;
    return x;
}
SW_HD static inline void sw_set_lane(sw_real *x, int lane, double value)
{
    (void)lane;
    *x = (sw_real)value;
}
SW_HD static inline int sw_mask_lane(sw_mask m, int lane)
{
    (void)lane;
    return m != 0;
}
#define SW_LESS(a, b) sw_if((a) < (b))

#endif

#if defined(SW_SINGLE) && defined(__CUDA_ARCH__) /* one instruction instead of two */
__device__ static inline sw_real sw_max(sw_real a, sw_real b) { return fmaxf(a, b); }
__device__ static inline sw_real sw_min(sw_real a, sw_real b) { return fminf(a, b); }
/* One instruction, too. */
__device__ static inline sw_real sw_unit(sw_real a, sw_real b, sw_real c)
{
    float x;
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(x) : "f"(a), "f"(b), "f"(c));
    return x;
}
#else
SW_HD static inline sw_real sw_max(sw_real a, sw_real b) { return sw_choose(SW_LESS(a, b), b, a); }
SW_HD static inline sw_real sw_min(sw_real a, sw_real b) { return sw_choose(SW_LESS(a, b), a, b); }
/* a b + c taken into [0, 1]; some number of it even if that is none. */
SW_HD static inline sw_real sw_unit(sw_real a, sw_real b, sw_real c)
{
    return sw_max(sw_min(a * b + c, sw_broadcast(1.0)), sw_broadcast(0.0));
}
#endif

/* x, its sign changed where that of `by` is a minus: even of 0 or of what is no number. */
SW_HD static inline sw_real sw_flip(sw_real x, sw_real by)
{
    sw_int bits, other;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&other, &by, sizeof other);
#ifdef SW_SINGLE
    bits ^= other & INT32_MIN;
#else
    bits ^= other & INT64_MIN;
#endif
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
