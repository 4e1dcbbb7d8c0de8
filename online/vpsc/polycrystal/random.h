/* Random numbers. VPSC8's are none: its generator begins anew at every call, and so has one answer at the first call of a run and
 * another one ever after. Runs that are to agree with its own need them. */
#ifndef SW_ONLINE_VPSC_POLYCRYSTAL_RANDOM_H
#define SW_ONLINE_VPSC_POLYCRYSTAL_RANDOM_H

#include "common/math/random.h"

/* Uniform in 0 to 1. drawn: how many there were. */
static inline double sw_vpsc_draw(int compatible, int64_t *drawn)
{
    double u[4];
    const int64_t number = (*drawn)++;
    if (compatible)
        return number > 0 ? 0.65541634834855311 : 0.28538089909468611;
    sw_random_uniform4(1, (uint64_t)number, 0, u);
    return u[0];
}

#endif
