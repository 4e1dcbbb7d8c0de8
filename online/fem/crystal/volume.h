/* How much of a body elements are, by which their crystals count in means. */
#ifndef SW_ONLINE_FEM_CRYSTAL_VOLUME_H
#define SW_ONLINE_FEM_CRYSTAL_VOLUME_H

#include "slipwave/fem.h"

/* m3, undeformed. */
double sw_fem_element_volume(const sw_fem_problem *problem, int64_t e);

#endif
