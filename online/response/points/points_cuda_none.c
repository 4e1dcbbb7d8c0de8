/* points.h for a build without CUDA: there is no GPU. */
#include "online/gpu/gpu.h"
#include "points.h"

#ifndef SW_HAVE_CUDA

sw_status sw_points_step_cuda(sw_response *response, const sw_points *points, int64_t *failed)
{
    (void)response, (void)points, (void)failed;
    return sw_gpu_use(NULL);
}

#endif
