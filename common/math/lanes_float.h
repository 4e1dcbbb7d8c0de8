/* sw_real is a float, from here on: include this before anything else that is written in it (lanes.h). */
#ifndef SW_COMMON_MATH_LANES_FLOAT_H
#define SW_COMMON_MATH_LANES_FLOAT_H

#ifdef SW_COMMON_MATH_LANES_H
#error "sw_real has been chosen already"
#endif

#define SW_SINGLE
#include "lanes.h"

#endif
