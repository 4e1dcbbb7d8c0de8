/* sw_real is 16 floats in SIMD lanes, from here on: include this before anything else that is written in it
 * (lanes.h). */
#ifndef SW_COMMON_MATH_LANES_FLOAT16_H
#define SW_COMMON_MATH_LANES_FLOAT16_H

#ifdef SW_COMMON_MATH_LANES_H
#error "sw_real has been chosen already"
#endif

#define SW_SINGLE
#define SW_LANES 16
#include "lanes.h"

#endif
