/* A GPU's memory for points of crystals. */
#include "crystals.h"
#include "online/gpu/cuda_check.h"

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

} // namespace

extern "C" const sw_fem_crystal_memory sw_fem_crystal_memory_cuda = {SW_CUDA, allocate_there, release_there,
                                                                     copy_there};
