/* VPSC8's random numbers, which are none: its generator begins anew at every call, and so has one answer at the first call of a
 * run and another one ever after. Runs that are to agree with its own need them. */
#ifndef SW_ONLINE_VPSC_POLYCRYSTAL_RANDOM_H
#define SW_ONLINE_VPSC_POLYCRYSTAL_RANDOM_H

/* drawn: whether there was a call before. */
static inline double sw_vpsc_draw(int *drawn)
{
    const double number = *drawn ? 0.65541634834855311 : 0.28538089909468611;
    *drawn = 1;
    return number;
}

#endif
