/* The list of teams: how they are named to people, and who runs a batch by them. */
#ifndef SW_ONLINE_DEM_BACKEND_TEAMS_H
#define SW_ONLINE_DEM_BACKEND_TEAMS_H

#include "backend.h"
#include "common/system/built.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All unfinished elements to their ends. The status of the run, not of elements. */
typedef sw_status sw_dem_runner(sw_dem *dem, sw_dem_watch *watch, void *context);
sw_dem_runner sw_dem_run_cpu, sw_dem_run_cuda, sw_dem_run_launches;

/* In the order of their numbers in slipwave/dem.h: on the CPU, on a GPU; NULL: not there, or not in this build. */
#define SW_DEM_TEAM_LIST(X)                                \
    X(auto, sw_dem_run_cpu, SW_WITH_CUDA(sw_dem_run_cuda)) \
    X(thread, sw_dem_run_cpu, NULL)                        \
    X(block, NULL, SW_WITH_CUDA(sw_dem_run_cuda))          \
    X(cluster, NULL, SW_WITH_CUDA(sw_dem_run_cuda))        \
    X(device, NULL, SW_WITH_CUDA(sw_dem_run_cuda))         \
    X(launches, NULL, SW_WITH_PAPERS(SW_WITH_CUDA(sw_dem_run_launches)))
/* The first of papers, and of detections, which are this team's. */
enum { SW_DEM_TEAMS_OF_PAPERS = SW_DEM_LAUNCHES, SW_DEM_DETECTIONS_OF_PAPERS = SW_DEM_HASH };

#ifdef __cplusplus
}
#endif

#endif
