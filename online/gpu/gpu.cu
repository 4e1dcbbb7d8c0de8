#include "gpu.h"

#include <pthread.h>
#include <stdio.h>

#include "common/system/parallel.h"
#include "cuda_check.h"

/* ---- Ready before it is asked for ---- */

static pthread_t waker;
static int is_waking, wanted; /* wanted: this process's number */

static void *wake(void *)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
        cudaSetDevice(wanted % count) == cudaSuccess)
        cudaFree(NULL); /* makes the context */
    cudaGetLastError();
    return NULL;
}

void sw_gpu_wake(void)
{
    wanted = sw_parallel_rank_on_node();
    if (!is_waking)
        is_waking = pthread_create(&waker, NULL, wake, NULL) == 0;
}

void sw_gpu_awake(void)
{
    if (is_waking)
        pthread_join(waker, NULL);
    is_waking = 0;
}

/* ---- Which ---- */

/* How many there are, or why none. */
static int count_gpus(const char **why)
{
    int count = 0;
    sw_gpu_awake();
    const cudaError_t error = cudaGetDeviceCount(&count);
    *why = error != cudaSuccess ? cudaGetErrorString(error) : "no device";
    if (error == cudaSuccess)
        return count;
    cudaGetLastError();
    return 0;
}

int sw_gpu_describe(char *text, size_t size)
{
    const char *why;
    cudaDeviceProp properties;
    const int count = count_gpus(&why);
    if (count == 0)
        snprintf(text, size, "none: %s", why);
    else if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
        snprintf(text, size, "%s", properties.name);
    return count;
}

static sw_status measure(int device, sw_gpu *gpu)
{
    cudaDeviceProp properties;
    int kilohertz = 0;
    SW_CUDA_TRY(cudaGetDeviceProperties(&properties, device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
    snprintf(gpu->name, sizeof gpu->name, "%.127s", properties.name);
    gpu->device = device;
    gpu->major = properties.major;
    gpu->minor = properties.minor;
    gpu->multiprocessors = properties.multiProcessorCount;
    gpu->threads = properties.maxThreadsPerMultiProcessor;
    gpu->shared_memory = properties.sharedMemPerBlockOptin;
    gpu->clock = 1e3 * kilohertz;
    return SW_OK;
}

static sw_status absent(const char *why)
{
    return sw_error(SW_ERR_UNAVAILABLE, "no GPU was found (%s); --device cpu does without", why);
}

sw_status sw_gpu_use(sw_gpu *gpu)
{
    const char *why;
    const int count = count_gpus(&why);
    if (count == 0)
        return absent(why);
    const int device = sw_parallel_rank_on_node() % count;
    SW_CUDA_TRY(cudaSetDevice(device));
    return gpu != NULL ? measure(device, gpu) : SW_OK;
}

sw_status sw_gpu_current(sw_gpu *gpu)
{
    const char *why;
    int device;
    if (count_gpus(&why) == 0)
        return absent(why);
    SW_CUDA_TRY(cudaGetDevice(&device));
    return measure(device, gpu);
}

int sw_gpu_owns(const void *memory)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return attributes.type == cudaMemoryTypeDevice;
}

sw_status sw_gpu_allocate_host(size_t bytes, void **memory)
{
    *memory = NULL;
    if (cudaMallocHost(memory, bytes > 0 ? bytes : 1) == cudaSuccess)
        return SW_OK;
    cudaGetLastError();
    *memory = NULL;
    return sw_error(SW_ERR_MEMORY, "%.1f MB of the host for a GPU", (double)bytes * 1e-6);
}

void sw_gpu_free_host(void *memory) { cudaFreeHost(memory); }
