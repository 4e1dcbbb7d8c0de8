/* sw_real is a SIMD register of floats, from here on: include this before anything else that is written in it
 * (lanes.h). */
#ifndef SW_COMMON_MATH_LANES_FLOATS_H
#define SW_COMMON_MATH_LANES_FLOATS_H

#ifdef SW_COMMON_MATH_LANES_H
#error "sw_real has been chosen already"
#endif

#include "lanes_width.h"
#define SW_SINGLE
#define SW_LANES SW_REGISTER_FLOATS
#include "lanes.h"

#endif
