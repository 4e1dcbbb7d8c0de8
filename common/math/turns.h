/* Angles in turns (1 = 2 pi): in single precision, and, to check that by, in double of one number. */
#ifndef SW_COMMON_MATH_TURNS_H
#define SW_COMMON_MATH_TURNS_H

#include "lanes.h"

#if !defined(SW_SINGLE) && SW_LANES > 1
#error "turns.h has no bundles of doubles"
#endif

/* The nearest whole number, |x| < 2^22. */
SW_HD static inline sw_real sw_nearest_whole(sw_real x)
{
#ifdef SW_SINGLE
    const float shift = 12582912.0F; /* 1.5 x 2^23 */
    return (x + shift) - shift;
#else
    return rint(x);
#endif
}

/* x less the greatest whole number not above it, |x| < 2^22: in [0, 1], where 1 comes of rounding. */
SW_HD static inline sw_real sw_fraction(sw_real x)
{
    sw_real rest = x - sw_nearest_whole(x);
    return rest + sw_choose(SW_LESS(rest, sw_broadcast(0.0)), sw_broadcast(1.0), sw_broadcast(0.0));
}

/* Sine and cosine of f turns, |f| <= 1/2; absolute error 4e-7 in single precision. */
#ifndef SW_SINGLE
SW_HD static inline void sw_sincos_turns(sw_real f, sw_real *sine, sw_real *cosine)
{
    *sine = sin(6.283185307179586 * f);
    *cosine = cos(6.283185307179586 * f);
}
#elif defined(__CUDA_ARCH__)
__device__ static inline void sw_sincos_turns(sw_real f, sw_real *sine, sw_real *cosine)
{
    __sincosf(6.2831853F * f, sine, cosine);
}
#else
/* By half-turns: f = h/2 + r with h in {-1, 0, 1}, |r| <= 1/4, then Taylor's series in 2 pi r, whose first
 * term left out is below 6e-8 at pi/2. */
SW_HD static inline void sw_sincos_turns(sw_real f, sw_real *sine, sw_real *cosine)
{
    sw_real h = sw_nearest_whole(2.0F * f);
    sw_real x = 6.2831853F * (f - 0.5F * h), x2 = x * x, sign = 1.0F - 2.0F * h * h;
    sw_real s = x2 * -2.5052108e-8F + 2.7557319e-6F;
    s = x2 * s - 1.9841270e-4F;
    s = x2 * s + 8.3333333e-3F;
    s = x2 * s - 1.6666667e-1F;
    sw_real c = x2 * 2.0876757e-9F - 2.7557319e-7F;
    c = x2 * c + 2.4801587e-5F;
    c = x2 * c - 1.3888889e-3F;
    c = x2 * c + 4.1666667e-2F;
    c = x2 * c - 0.5F;
    *sine = sign * (x + x * (x2 * s));
    *cosine = sign * (1.0F + x2 * c);
}
#endif

/* The angle of the vector (x, y), in [-1/2, 1/2]; 0 for the zero vector. atan(t) / 2 pi on [0, 1] by the odd
 * polynomial of degree 15 with the least largest error, found numerically: 6e-9, in single precision 3e-8. */
SW_HD static inline sw_real sw_atan2_turns(sw_real y, sw_real x)
{
    sw_real across = sw_abs(y), along = sw_abs(x);
    sw_real larger = sw_max(across, along), smaller = sw_min(across, along);
    sw_real t = sw_divide(smaller, sw_max(larger, sw_broadcast(1e-30))), t2 = t * t;
    sw_real p = t2 * -6.453014192e-4F + 3.479586698e-3F;
    p = t2 * p - 8.898706704e-3F;
    p = t2 * p + 1.534602126e-2F;
    p = t2 * p - 2.213626646e-2F;
    p = t2 * p + 3.174594419e-2F;
    p = t2 * p - 5.304612087e-2F;
    p = t2 * p + 1.591548373e-1F;
    p = p * t;
    p = sw_choose(SW_LESS(along, across), 0.25F - p, p);
    p = sw_choose(SW_LESS(x, sw_broadcast(0.0)), 0.5F - p, p);
    return sw_choose(SW_LESS(y, sw_broadcast(0.0)), -p, p);
}

#endif
