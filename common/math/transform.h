/* Plans of FFTW's transforms of real numbers, made here alone: its planner is one for all threads and takes one at a time,
 * so that host programs may open responses and look at textures in several. Plans may be executed in any number. */
#ifndef SW_COMMON_MATH_TRANSFORM_H
#define SW_COMMON_MATH_TRANSFORM_H

#include "common/system/status.h"

/* A plan between `cells` real numbers, an axis each, and their half spectrum (fftwf_complex): forward, to it, or back; both
 * may be the same memory. SW_ERR_MEMORY, and *plan NULL, where FFTW has none. */
sw_status sw_transform_plan(int axes, const int *cells, int forward, float *real, void *half, void **plan);
void sw_transform_destroy(void *plan); /* NULL is fine */

#endif
