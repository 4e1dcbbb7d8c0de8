/* Private: the loop of Lubbe et al. 2022 as launches over all elements, to compare teams with. */
#ifndef SW_ONLINE_DEM_LAUNCHES_LAUNCHES_H
#define SW_ONLINE_DEM_LAUNCHES_LAUNCHES_H

#include "online/dem/backend/teams.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stages of the loop: A to G of the paper's Figs. 13 and 15. */
enum {
    SW_DEM_LAUNCH_SERVO,
    SW_DEM_LAUNCH_BOUNDARY, /* particles */
    SW_DEM_LAUNCH_DETECTION,
    SW_DEM_LAUNCH_FORCES,
    SW_DEM_LAUNCH_AVERAGING,
    SW_DEM_LAUNCH_MOTION, /* and periodicity */
    SW_DEM_LAUNCH_COPIES,
    SW_DEM_LAUNCH_STAGES
};

/* sw_dem_run_launches with the GPU's clock: adds up the seconds of the stages. In builds with CUDA, as below. */
sw_status sw_dem_launches_profile(sw_dem *dem, double seconds[SW_DEM_LAUNCH_STAGES]);

/* Device memory of all elements of a batch, bytes, with that of the detection its options name. */
double sw_dem_launches_bytes(const sw_dem *dem);

#ifdef __cplusplus
}
#endif

#endif
