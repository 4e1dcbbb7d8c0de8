/* What job files, results and messages call the choices of slipwave/dem.h. */
#ifndef SW_ONLINE_DEM_BACKEND_NAMES_H
#define SW_ONLINE_DEM_BACKEND_NAMES_H

#include "slipwave/dem.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const sw_dem_six_names[SW_DEM_SIX];           /* "11", "22", "33", "23", "13", "12" */
extern const char *const sw_dem_laws[SW_DEM_LAWS];               /* "linear", "hertz_mindlin" */
extern const char *const sw_dem_teams[SW_DEM_TEAMS];             /* "auto", "thread", "block", ... */
extern const char *const sw_dem_detections[SW_DEM_DETECTIONS];   /* "grid", "hash", "bvh" */
extern const char *const sw_dem_image_names[SW_DEM_IMAGE_KINDS]; /* "nearest", "boundary_particles" */

#ifdef __cplusplus
}
#endif

#endif
