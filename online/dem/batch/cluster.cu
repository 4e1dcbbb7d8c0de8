/* Elements by clusters of blocks, which chips have from compute capability 9.0 on (sw_dem_check_cuda sees to it that
 * others are never asked): apart from the rest, whose code is the same for all chips. */
#include "advance.cuh"
#include "online/gpu/cuda_check.h"

namespace dem
{

template <bool FLOWS> static sw_status launch(const batch &b, int64_t n, cudaStream_t stream)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = CLUSTER;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3((unsigned)(n * CLUSTER));
    config.blockDim = dim3(THREADS);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    SW_CUDA_TRY(cudaLaunchKernelEx(&config, advance<SW_TEAM_CLUSTER, false, FLOWS>, b));
    return SW_OK;
}

sw_status launch_clusters(const batch &b, int64_t n, bool flows, cudaStream_t stream)
{
    return flows ? launch<true>(b, n, stream) : launch<false>(b, n, stream);
}

} // namespace dem
