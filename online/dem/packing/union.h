/* Private: the union of spheres, as the body of a clump. */
#ifndef SW_ONLINE_DEM_PACKING_UNION_H
#define SW_ONLINE_DEM_PACKING_UNION_H

#include <stdint.h>

#include "common/system/status.h"

/* Volume (m^3), centre (m) and, about it, inertia of density 1 (m^5) of the union of n spheres, by quadrature: over a grid of
 * 160 x 160 lines through its box, along each line exactly: volumes are within 1e-4. SW_ERR_MEMORY. */
typedef struct {
    double volume, centre[3], inertia[3][3];
} sw_dem_body;
sw_status sw_dem_union(int64_t n, const double (*centre)[3], const double *radius, sw_dem_body *body);

#endif
