/* What a particle went through since the crystals' last refresh: its mean deformation, from the motion of those it
 * touches,
 * and the plastic work at its contacts. Dimensions: P particles, C pairs. */
#ifndef SW_ONLINE_DEM_CRYSTALS_MOTION_H
#define SW_ONLINE_DEM_CRYSTALS_MOTION_H

#include "online/dem/step/step.h"

typedef struct {
    double increment[3][3]; /* of its deformation, H: dx = H x; its skew part is the particle's own turn */
    double work;            /* J */
    double normal[3];       /* of the contact that worked hardest */
} sw_dem_motion;

/* motion [P], of an element on the host. SW_ERR_MEMORY. */
sw_status sw_dem_find_motion(const sw_dem_rve *rve, sw_dem_motion *motion);

#endif
