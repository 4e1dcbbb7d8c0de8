/* gather.h on a GPU. */
#include "gather.h"

#include "online/gpu/launch.cuh"

static_assert(sizeof(sw_crystal) == sizeof(float4), "a crystal is copied as one float4");

static sw_status reserve(sw_dem_gatherer *g, int64_t questions)
{
    if (questions <= g->room)
        return SW_OK;
    sw_dem_gatherer_free_cuda(g);
    SW_TRY(SW_CUDA_ALLOCATE(g->particle, questions, "questions to crystals"));
    g->room = questions;
    return SW_OK;
}

sw_status sw_dem_gather_crystals_cuda(sw_dem_gatherer *g, int64_t questions, int64_t each,
                                      const int32_t *particle, const sw_crystal *from, sw_crystal *to)
{
    SW_TRY(reserve(g, questions));
    SW_CUDA_TRY(cudaMemcpy(g->particle, particle, (size_t)questions * sizeof *particle, cudaMemcpyDefault));
    const float4 *source = (const float4 *)from;
    float4 *target = (float4 *)to;
    const int32_t *of = g->particle;
    return sw_each(
        questions * each, /* the response's stream waits for it, and it for that */
        [=] __device__(int64_t i) { target[i] = source[(int64_t)of[i / each] * each + i % each]; });
}

void sw_dem_gatherer_free_cuda(sw_dem_gatherer *g)
{
    cudaFree(g->particle);
    g->particle = NULL;
    g->room = 0;
}
