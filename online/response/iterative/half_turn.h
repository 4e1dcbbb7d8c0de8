/* A crystal of the elasto-viscoplastic model after half a turn of its lattice, as by a twin. */
#ifndef SW_ONLINE_RESPONSE_ITERATIVE_HALF_TURN_H
#define SW_ONLINE_RESPONSE_ITERATIVE_HALF_TURN_H

#include "common/crystal/crystal_integrator.h"

/* Its lattice turns by 180 degrees about n, a unit vector along its axes; what it bears in the sample stays: the deviator of its
 * second Piola-Kirchhoff stress, to the square of its strain, and its volume. Elastic strains and the mean stress follow. */
void sw_crystal_half_turn(const sw_stiffness *stiffness, const double n[3], sw_crystal_state *state);

#endif
