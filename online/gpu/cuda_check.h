/* Checks of CUDA calls and launches; for .cu files. */
#ifndef SW_ONLINE_GPU_CUDA_CHECK_H
#define SW_ONLINE_GPU_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "common/system/status.h"

static inline sw_status sw_cuda_status(cudaError_t error, const char *call)
{
    if (error == cudaSuccess)
        return SW_OK;
    cudaGetLastError(); /* or the next call would report it again */
    return sw_error(error == cudaErrorMemoryAllocation ? SW_ERR_MEMORY : SW_ERR_UNAVAILABLE, "GPU: %s (%s)",
                    cudaGetErrorString(error), call);
}

/* Leave the function with an error unless the call succeeds. */
#define SW_CUDA_TRY(call) SW_TRY(sw_cuda_status((call), #call))

/* After a launch. */
#define SW_CUDA_TRY_LAUNCH() SW_CUDA_TRY(cudaGetLastError())

/* n elements of *pointer's type on the device, set to zero bytes; SW_ERR_MEMORY says how many bytes. */
#define SW_CUDA_ALLOCATE(pointer, n, what) \
    sw_cuda_allocate((void **)&(pointer), (size_t)(n) * sizeof *(pointer), what)

static inline sw_status sw_cuda_allocate(void **pointer, size_t bytes, const char *what)
{
    const cudaError_t error = cudaMalloc(pointer, bytes > 0 ? bytes : 1);
    if (error != cudaSuccess) {
        size_t available = 0, total = 0;
        cudaGetLastError();
        *pointer = NULL;
        if (error != cudaErrorMemoryAllocation)
            return sw_cuda_status(error, what);
        cudaMemGetInfo(&available, &total);
        return sw_error(SW_ERR_MEMORY, "GPU: %s: need %.1f MB, of %.1f MB %.1f are free", what,
                        (double)bytes * 1e-6, (double)total * 1e-6, (double)available * 1e-6);
    }
    return sw_cuda_status(cudaMemset(*pointer, 0, bytes), what);
}

#endif
