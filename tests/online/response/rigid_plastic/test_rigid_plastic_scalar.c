/* The same checks of one crystal at a time: what a thread of a GPU computes. */
#include "common/math/lanes_float.h"

#include "test_rigid_plastic.c"
