/* The fit of slip_start.h on a GPU: of the model that a file's kernels have in constant memory, which is full. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FIT_CUDA_CUH
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FIT_CUDA_CUH

#include "online/gpu/cuda_check.h"
#include "slip_start.h"

static __device__ sw_slip_fit slip_fit_of_model;

/* Makes the model, a copy of one of the host, point to it. */
static inline sw_status sw_slip_fit_to_gpu(sw_slip_model *model)
{
    void *fit;
    if (model->fit == NULL)
        return SW_OK;
    SW_CUDA_TRY(cudaMemcpyToSymbol(slip_fit_of_model, model->fit, sizeof slip_fit_of_model));
    SW_CUDA_TRY(cudaGetSymbolAddress(&fit, slip_fit_of_model));
    model->fit = (const sw_slip_fit *)fit;
    return SW_OK;
}

#endif
