/* sw_real is 8 doubles in SIMD lanes, from here on: include this before anything else that is written in it
 * (lanes.h). */
#ifndef SW_COMMON_MATH_LANES_DOUBLE8_H
#define SW_COMMON_MATH_LANES_DOUBLE8_H

#ifdef SW_COMMON_MATH_LANES_H
#error "sw_real has been chosen already"
#endif

#define SW_LANES 8
#include "lanes.h"

#endif
