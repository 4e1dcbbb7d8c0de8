/* What growth.h is written in: in C sw_real, one number or lanes of them (common/math/lanes.h); in C++, for
 * CUDA, a type parameter of that name, double or float. */
#ifndef SW_ONLINE_KWN_MODEL_NUMBER_H
#define SW_ONLINE_KWN_MODEL_NUMBER_H

#include "common/math/lanes.h"

#ifdef __cplusplus

#define SW_KWN_OF_NUMBERS template <class sw_real>
#define SW_KWN_CONSTANT(x) ((sw_real)(x))
#define SW_KWN_OF(type) <type>
#define SW_KWN_ONE(f, argument, x) f<double>(argument, x) /* of one number */

/* lanes.h has these of double: of float besides. */
SW_HD static inline float sw_choose(sw_mask m, float a, float b) { return m ? a : b; }
SW_HD static inline float sw_abs(float x) { return fabsf(x); }
SW_HD static inline float sw_min(float a, float b) { return fminf(a, b); }
SW_HD static inline float sw_max(float a, float b) { return fmaxf(a, b); }
SW_HD static inline float sw_exp2(float y) { return exp2f(y); }
SW_HD static inline float sw_log2(float x) { return log2f(x); }
SW_HD static inline float sw_divide(float a, float b)
{
#ifdef __CUDA_ARCH__
    return __fdividef(a, b); /* 2 in the last place */
#else
    return a / b;
#endif
}

#else

#define SW_KWN_OF_NUMBERS
#define SW_KWN_CONSTANT(x) sw_broadcast(x)
#define SW_KWN_OF(type)
#define SW_KWN_ONE(f, argument, x) sw_lane(f(argument, sw_broadcast(x)), 0)

#endif

#define SW_KWN_LOG2_E 1.4426950408889634
/* Where Newton's method for w ends: the last change of y, as a part of it. */
#define SW_KWN_FLUX_CLOSE (sizeof(sw_real) < sizeof(double) ? 1e-5 : 1e-8)

#endif
