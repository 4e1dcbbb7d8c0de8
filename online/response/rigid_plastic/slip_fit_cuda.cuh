/* The fit of slip_start.h on a GPU: of the model that a file's kernels have in constant memory, which is full. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FIT_CUDA_CUH
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FIT_CUDA_CUH

#include <cstdlib>
#include <cstring>

#include "common/system/memory.h"
#include "online/gpu/cuda_check.h"
#include "slip_start.h"

static __device__ sw_slip_fit_halves slip_fit_of_model;

/* Makes the model, a copy of one of the host, point to it. */
static inline sw_status sw_slip_fit_to_gpu(sw_slip_model *model)
{
    void *fit;
    sw_slip_fit_halves *halves;
    if (model->fit == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(halves, 1, "the fit of a start for the GPU"));
    memcpy(halves->vertex, model->fit->vertex, sizeof halves->vertex);
    for (int v = 0; v < SW_SLIP_FIT_MOST; v++)
        for (int at = 0; at < 2 * SW_SLIP_FIT_VERTICES; at++) {
            __half own[8] = {};
            for (int j = 0; j < SW_SLIP_FIT_HINGES; j++)
                own[j] = __float2half_rn(model->fit->pull[v][j][at]);
            memcpy(&halves->pull[v][at], own, sizeof own);
        }
    const sw_status status =
        sw_cuda_status(cudaMemcpyToSymbol(slip_fit_of_model, halves, sizeof slip_fit_of_model), "a fit");
    free(halves);
    SW_TRY(status);
    SW_CUDA_TRY(cudaGetSymbolAddress(&fit, slip_fit_of_model));
    model->fit = (const sw_slip_fit *)fit;
    return SW_OK;
}

#endif
