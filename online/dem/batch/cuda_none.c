/* Builds without CUDA. */
#ifndef SW_HAVE_CUDA
#include "batch.h"

sw_status sw_dem_check_cuda(sw_dem *dem)
{
    (void)dem;
    return sw_error(SW_ERR_UNAVAILABLE, "device = cuda: this build has no CUDA");
}
#endif
