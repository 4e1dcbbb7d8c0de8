/* External work. */
#ifndef SW_ONLINE_FEM_ANALYSIS_WORK_H
#define SW_ONLINE_FEM_ANALYSIS_WORK_H

#include "online/fem/backend/backend.h"

/* J, of loads and reactions in a substep that is not accepted yet: from fem->u, where internal forces are fem->internal, by
 * fem->increment, where they are fem->z; plastic_points yield there. fem->g and z are overwritten. */
sw_status sw_fem_work_of(sw_fem *fem, int64_t plastic_points, double *work);

#endif
