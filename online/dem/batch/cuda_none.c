/* Builds without CUDA. */
#ifndef SW_HAVE_CUDA
#include "online/dem/backend/backend.h"

sw_status sw_dem_check_gpu(sw_dem *dem)
{
    (void)dem;
    return sw_error(SW_ERR_UNAVAILABLE, "device = cuda: this build has no CUDA");
}

sw_status sw_dem_run_gpu(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    (void)watch;
    (void)context;
    return sw_dem_check_gpu(dem);
}

sw_status sw_dem_run_launches(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    (void)watch;
    (void)context;
    return sw_dem_check_gpu(dem);
}

sw_status sw_dem_launches_profile(sw_dem *dem, double seconds[7])
{
    (void)seconds;
    return sw_dem_check_gpu(dem);
}
#endif
