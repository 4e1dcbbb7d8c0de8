/* Builds without CUDA. */
#ifndef SW_HAVE_CUDA
#include "batch.h"
#include "online/dem/launches/launches.h"

sw_status sw_dem_check_cuda(sw_dem *dem)
{
    (void)dem;
    return sw_error(SW_ERR_UNAVAILABLE, "device = cuda: this build has no CUDA");
}

sw_status sw_dem_run_cuda(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    (void)watch;
    (void)context;
    return sw_dem_check_cuda(dem);
}

sw_status sw_dem_run_launches(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    (void)watch;
    (void)context;
    return sw_dem_check_cuda(dem);
}

sw_status sw_dem_launches_profile(sw_dem *dem, double seconds[SW_DEM_LAUNCH_STAGES])
{
    (void)seconds;
    return sw_dem_check_cuda(dem);
}

double sw_dem_launches_bytes(const sw_dem *dem)
{
    (void)dem;
    return 0;
}
#endif
