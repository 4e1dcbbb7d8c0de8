/* gpu.h for a build without CUDA: there is no GPU. */
#include "gpu.h"

#include <stdio.h>

#ifndef SW_HAVE_CUDA

sw_status sw_gpu_use(sw_gpu *gpu)
{
    (void)gpu;
    return sw_error(SW_ERR_UNAVAILABLE, "this build has no GPU code: nvcc was not found when it was made");
}

sw_status sw_gpu_current(sw_gpu *gpu) { return sw_gpu_use(gpu); }

void sw_gpu_wake(void) {}
void sw_gpu_awake(void) {}

int sw_gpu_describe(char *text, size_t size)
{
    if (size > 0)
        snprintf(text, size, "none: this build has no GPU code");
    return 0;
}

int sw_gpu_owns(const void *memory)
{
    (void)memory;
    return 0;
}

sw_status sw_gpu_allocate_host(size_t bytes, void **memory)
{
    (void)bytes;
    *memory = NULL;
    return sw_gpu_use(NULL);
}

void sw_gpu_free_host(void *memory) { (void)memory; }

#endif
