/* Waiting for a GPU asleep; for .cu files. */
#ifndef SW_ONLINE_GPU_WAIT_H
#define SW_ONLINE_GPU_WAIT_H

#include "cuda_check.h"

/* Until what was launched on a stream has ended, without taking a core from whoever computes meanwhile. A synchronous
 * copy, or cudaStreamSynchronize, waits awake, and is some tens of microseconds sooner back. */
static inline sw_status sw_gpu_wait_asleep(cudaStream_t stream)
{
    cudaEvent_t ended;
    SW_CUDA_TRY(cudaEventCreateWithFlags(&ended, cudaEventBlockingSync | cudaEventDisableTiming));
    cudaError_t error = cudaEventRecord(ended, stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(ended);
    cudaEventDestroy(ended);
    return sw_cuda_status(error, "waiting");
}

#endif
