/* The same checks of one crystal at a time: what a thread of a GPU computes. */
#define SW_LANES 1
#include "test_polish.c"
