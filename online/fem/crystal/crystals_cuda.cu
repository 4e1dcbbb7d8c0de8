/* Points of crystals on a GPU: memory, and elasticity at the point. */
#include "crystals.h"
#include "online/gpu/cuda_check.h"
#include "online/gpu/launch.cuh"

namespace
{

sw_status allocate_there(int64_t bytes, void **memory)
{
    char *room;
    SW_TRY(SW_CUDA_ALLOCATE(room, bytes, "points of crystals"));
    *memory = room;
    return SW_OK;
}

void release_there(void *memory) { cudaFree(memory); }

sw_status copy_there(void *to, const void *from, int64_t bytes)
{
    SW_CUDA_TRY(cudaMemcpy(to, from, (size_t)bytes, cudaMemcpyDefault));
    return SW_OK;
}

sw_status elastic_there(sw_fem_elastic_task task, const sw_fem_elastic_group *group, int64_t n,
                        int64_t *unfinished)
{
    const sw_fem_elastic_group g = *group;
    unsigned long long left;
    SW_CUDA_TRY(cudaMemsetAsync(g.of.unfinished, 0, sizeof left));
    SW_TRY(sw_each(n, [=] __device__(int64_t i) {
        if (sw_fem_elastic_point(task, &g, i))
            atomicAdd(g.of.unfinished, 1ULL);
    }));
    SW_CUDA_TRY(cudaMemcpy(&left, g.of.unfinished, sizeof left, cudaMemcpyDeviceToHost));
    *unfinished = (int64_t)left;
    return SW_OK;
}

} // namespace

extern "C" const sw_fem_crystal_memory sw_fem_crystal_memory_cuda = {SW_CUDA, allocate_there, release_there,
                                                                     copy_there, elastic_there};
