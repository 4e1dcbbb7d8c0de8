/* What both schemes of twins do: grains that turn, and volume that goes to twins. */
#ifndef SW_ONLINE_VPSC_POLYCRYSTAL_TWINS_H
#define SW_ONLINE_VPSC_POLYCRYSTAL_TWINS_H

#include "state.h"

/* A twin by system a of the t-th mode of twins is counted by the macroscopic stress: its Schmid factor, and its rank among the six
 * of a mode of hexagonal crystals, which is returned, from 0 on. */
int sw_vpsc_count_twin(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_grains_of *phase, int64_t grain, int t,
                       int a);
/* The orientation that twin a makes of another one; they may be the same. */
void sw_vpsc_twinned(const sw_vpsc_crystal *crystal, int a, const double from[3][3], double to[3][3]);
/* Volume goes from grains of phase 1 to their twins in phase 2, and back (transfer.c). */
void sw_vpsc_transfer(sw_vpsc_polycrystal *polycrystal);

#endif
