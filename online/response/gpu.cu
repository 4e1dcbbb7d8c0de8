/* gpu.h: everything around the kernels of the solvers. */
#define SW_SINGLE
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/parallel.h"
#include "crystals.h"
#include "step_kernel.cuh"

/* Arrays of the host pass through in chunks of at most this many crystals, one on its way in, one being
 * computed, one on its way out. */
static const int64_t CHUNK = 1 << 23;

typedef struct {
    cudaStream_t stream;
    int64_t room;        /* crystals */
    sw_crystal *crystal; /* [room] */
    float *answer;       /* [room][16]: ten answers and a strain rate; NULL before an evaluation */
} chunk_buffer;

struct sw_gpu_buffers {
    chunk_buffer chunk[SW_STREAMS];
    int64_t sums_room;
    double *sums; /* [sums_room][SW_SUMS_ALL], device: of each chunk */
};

int sw_gpu_describe(char *text, size_t size)
{
    int count = 0;
    cudaDeviceProp properties;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        cudaGetLastError();
        snprintf(text, size, "none: %s", error != cudaSuccess ? cudaGetErrorString(error) : "no device");
        return 0;
    }
    if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess)
        snprintf(text, size, "%s", properties.name);
    return count;
}

sw_gpu_size sw_gpu_measure(void)
{
    sw_gpu_size size = {0, 0, 0};
    int kilohertz = 0, device = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) == cudaSuccess &&
        cudaGetDeviceProperties(&properties, device) == cudaSuccess &&
        cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device) == cudaSuccess) {
        size.multiprocessors = properties.multiProcessorCount;
        size.clock = 1e3 * kilohertz;
        size.memory = (double)properties.totalGlobalMem;
    }
    cudaGetLastError();
    return size;
}

static sw_status allocate_shared(sw_gpu *gpu)
{
    int per_multiprocessor = 0;
    SW_CUDA_TRY(cudaDeviceGetAttribute(&gpu->multiprocessors, cudaDevAttrMultiProcessorCount, gpu->device));
    SW_CUDA_TRY(
        cudaDeviceGetAttribute(&per_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, gpu->device));
    gpu->blocks_max = gpu->multiprocessors * (per_multiprocessor / 32);
    SW_TRY(SW_CUDA_ALLOCATE(gpu->partial, (int64_t)SW_STREAMS * gpu->blocks_max * SW_SUMS_ALL, "sums"));
    SW_TRY(SW_ALLOCATE(gpu->buffers, 1, "GPU buffers"));
    for (int k = 0; k < SW_STREAMS; k++)
        SW_CUDA_TRY(cudaStreamCreate(&gpu->buffers->chunk[k].stream));
    return SW_OK;
}

sw_status sw_gpu_open(void **opened)
{
    int count = 0;
    sw_gpu *gpu;
    *opened = NULL;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        cudaGetLastError();
        return sw_error(SW_ERR_UNAVAILABLE, "no GPU was found (%s); --device cpu does without",
                        error != cudaSuccess ? cudaGetErrorString(error) : "no device");
    }
    SW_TRY(SW_ALLOCATE(gpu, 1, "GPU"));
    *opened = gpu;
    gpu->device = sw_parallel_rank_on_node() % count;
    SW_CUDA_TRY(cudaSetDevice(gpu->device));
    return allocate_shared(gpu);
}

void sw_gpu_close(void *opened)
{
    sw_gpu *gpu = (sw_gpu *)opened;
    if (gpu == NULL)
        return;
    if (gpu->buffers != NULL) {
        for (int k = 0; k < SW_STREAMS; k++) {
            chunk_buffer *c = &gpu->buffers->chunk[k];
            cudaFree(c->crystal);
            cudaFree(c->answer);
            if (c->stream != NULL)
                cudaStreamDestroy(c->stream);
        }
        cudaFree(gpu->buffers->sums);
        free(gpu->buffers);
    }
    cudaFree(gpu->partial);
    free(gpu);
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

static double *partial_of(const sw_gpu *gpu, int stream)
{
    return gpu->partial + (int64_t)stream * gpu->blocks_max * SW_SUMS_ALL;
}

/* Room for the sums of so many chunks. */
static sw_status reserve_sums(sw_gpu *gpu, int64_t chunks)
{
    struct sw_gpu_buffers *b = gpu->buffers;
    if (chunks <= b->sums_room)
        return SW_OK;
    cudaFree(b->sums);
    b->sums = NULL;
    b->sums_room = 0;
    SW_TRY(SW_CUDA_ALLOCATE(b->sums, chunks * SW_SUMS_ALL, "sums"));
    b->sums_room = chunks;
    return SW_OK;
}

static sw_status reserve_chunk(chunk_buffer *c, int64_t n, int with_answers)
{
    if (n > c->room) {
        cudaFree(c->crystal);
        cudaFree(c->answer);
        c->crystal = NULL;
        c->answer = NULL;
        c->room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(c->crystal, n, "crystals on their way through"));
        c->room = n;
    }
    if (with_answers && c->answer == NULL)
        SW_TRY(SW_CUDA_ALLOCATE(c->answer, c->room * 16, "answers on their way through"));
    return SW_OK;
}

/* Add up the chunks' sums, in order. */
static sw_status collect_sums(const sw_gpu *gpu, int64_t chunks, double *sums)
{
    double *all;
    SW_TRY(SW_ALLOCATE(all, chunks * SW_SUMS_ALL, "sums"));
    const sw_status status =
        sw_cuda_status(cudaMemcpy(all, gpu->buffers->sums, (size_t)chunks * SW_SUMS_ALL * sizeof *all,
                                  cudaMemcpyDeviceToHost),
                       "sums");
    for (int64_t c = 0; c < chunks && status == SW_OK; c++)
        for (int k = 0; k < SW_SUMS_ALL; k++)
            sums[k] += all[c * SW_SUMS_ALL + k];
    free(all);
    return status;
}

static sw_status finish_streams(const sw_gpu *gpu)
{
    for (int k = 0; k < SW_STREAMS; k++)
        SW_CUDA_TRY(cudaStreamSynchronize(gpu->buffers->chunk[k].stream));
    return SW_OK;
}

static sw_status stream_step(sw_response *response, sw_gpu *gpu, const sw_step *step, int64_t n,
                             sw_crystal *crystal, double *sums)
{
    const int64_t chunks = (n + CHUNK - 1) / CHUNK;
    SW_TRY(reserve_sums(gpu, chunks));
    for (int64_t c = 0; c < chunks; c++) {
        chunk_buffer *b = &gpu->buffers->chunk[c % SW_STREAMS];
        const int64_t first = c * CHUNK, left = n - first, here = left < CHUNK ? left : CHUNK;
        SW_TRY(reserve_chunk(b, n < CHUNK ? n : CHUNK, 0));
        SW_CUDA_TRY(cudaMemcpyAsync(b->crystal, crystal + first, (size_t)here * sizeof *crystal,
                                    cudaMemcpyHostToDevice, b->stream));
        SW_TRY(response->solver->launch_step(response, step, here, b->crystal,
                                             partial_of(gpu, (int)(c % SW_STREAMS)),
                                             gpu->buffers->sums + c * SW_SUMS_ALL, b->stream));
        SW_CUDA_TRY(cudaMemcpyAsync(crystal + first, b->crystal, (size_t)here * sizeof *crystal,
                                    cudaMemcpyDeviceToHost, b->stream));
    }
    SW_TRY(finish_streams(gpu));
    return collect_sums(gpu, chunks, sums);
}

sw_status sw_gpu_step(sw_response *response, const sw_step *step, int64_t n, sw_crystal *crystal,
                      double *sums)
{
    sw_gpu *gpu = (sw_gpu *)response->gpu;
    if (!sw_gpu_owns(crystal))
        return stream_step(response, gpu, step, n, crystal, sums);
    SW_TRY(reserve_sums(gpu, 1));
    SW_TRY(response->solver->launch_step(response, step, n, crystal, partial_of(gpu, 0), gpu->buffers->sums,
                                         gpu->buffers->chunk[0].stream));
    SW_CUDA_TRY(cudaStreamSynchronize(gpu->buffers->chunk[0].stream));
    return collect_sums(gpu, 1, sums);
}

static sw_status stream_evaluate(sw_response *response, sw_gpu *gpu, const sw_step *step,
                                 const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                 float (*stress)[6], float (*plastic_spin)[3], float *slip_rate)
{
    const int64_t chunks = (n + CHUNK - 1) / CHUNK;
    double sums[SW_SUMS_ALL] = {0};
    SW_TRY(reserve_sums(gpu, chunks > 0 ? chunks : 1));
    for (int64_t c = 0; c < chunks; c++) {
        chunk_buffer *b = &gpu->buffers->chunk[c % SW_STREAMS];
        const int64_t first = c * CHUNK, left = n - first, here = left < CHUNK ? left : CHUNK;
        SW_TRY(reserve_chunk(b, n < CHUNK ? n : CHUNK, 1));
        float(*s)[6] = (float(*)[6])b->answer, (*w)[3] = (float(*)[3])(b->answer + 6 * b->room);
        float *g = b->answer + 9 * b->room, (*d)[6] = (float(*)[6])(b->answer + 10 * b->room);
        const float(*rates)[6] = strain_rate == NULL ? NULL : d;
        if (strain_rate != NULL)
            SW_CUDA_TRY(cudaMemcpyAsync(d, strain_rate + first, (size_t)here * sizeof *d,
                                        cudaMemcpyHostToDevice, b->stream));
        SW_CUDA_TRY(cudaMemcpyAsync(b->crystal, crystal + first, (size_t)here * sizeof *crystal,
                                    cudaMemcpyHostToDevice, b->stream));
        SW_TRY(response->solver->launch_evaluate(response, step, rates, here, b->crystal, s, w, g,
                                                 partial_of(gpu, (int)(c % SW_STREAMS)),
                                                 gpu->buffers->sums + c * SW_SUMS_ALL, b->stream));
        SW_CUDA_TRY(
            cudaMemcpyAsync(stress + first, s, (size_t)here * sizeof *s, cudaMemcpyDeviceToHost, b->stream));
        SW_CUDA_TRY(cudaMemcpyAsync(plastic_spin + first, w, (size_t)here * sizeof *w, cudaMemcpyDeviceToHost,
                                    b->stream));
        SW_CUDA_TRY(cudaMemcpyAsync(slip_rate + first, g, (size_t)here * sizeof *g, cudaMemcpyDeviceToHost,
                                    b->stream));
    }
    SW_TRY(finish_streams(gpu));
    SW_TRY(collect_sums(gpu, chunks, sums));
    return sums[SW_SUMS] == 0 ? SW_OK
                              : sw_error(SW_ERR_CONVERGENCE,
                                         "%.0f crystals: no stress satisfies the slip law", sums[SW_SUMS]);
}

sw_status sw_gpu_evaluate(sw_response *response, const sw_step *step, const float (*strain_rate)[6],
                          int64_t n, const sw_crystal *crystal, float (*stress)[6], float (*plastic_spin)[3],
                          float *slip_rate)
{
    sw_gpu *gpu = (sw_gpu *)response->gpu;
    double sums[SW_SUMS_ALL] = {0};
    const int here = sw_gpu_owns(crystal);
    if ((strain_rate != NULL && here != sw_gpu_owns(strain_rate)) || here != sw_gpu_owns(stress) ||
        here != sw_gpu_owns(plastic_spin) || here != sw_gpu_owns(slip_rate))
        return sw_error(SW_ERR_RANGE, "crystals and answers: need all on the GPU, or all on the host");
    if (!here)
        return stream_evaluate(response, gpu, step, strain_rate, n, crystal, stress, plastic_spin, slip_rate);
    if (n == 0)
        return SW_OK;
    SW_TRY(reserve_sums(gpu, 1));
    SW_TRY(response->solver->launch_evaluate(response, step, strain_rate, n, crystal, stress, plastic_spin,
                                             slip_rate, partial_of(gpu, 0), gpu->buffers->sums,
                                             gpu->buffers->chunk[0].stream));
    SW_CUDA_TRY(cudaStreamSynchronize(gpu->buffers->chunk[0].stream));
    SW_TRY(collect_sums(gpu, 1, sums));
    return sums[SW_SUMS] == 0 ? SW_OK
                              : sw_error(SW_ERR_CONVERGENCE,
                                         "%.0f crystals: no stress satisfies the slip law", sums[SW_SUMS]);
}

/* ---- Populations ---- */

sw_status sw_gpu_allocate(int64_t n, sw_crystal **crystal)
{
    size_t available = 0, total = 0;
    const size_t bytes = (size_t)n * sizeof **crystal;
    *crystal = NULL;
    SW_CUDA_TRY(cudaMemGetInfo(&available, &total));
    if (bytes + total / 10 <= available)
        return sw_cuda_allocate((void **)crystal, bytes, "crystals");
    const cudaError_t error = cudaMallocHost((void **)crystal, bytes);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return sw_error(SW_ERR_MEMORY,
                        "%lld crystals: need %.2f GB, which neither the GPU (%.2f GB free) nor the host has",
                        (long long)n, (double)bytes * 1e-9, (double)available * 1e-9);
    }
    return SW_OK;
}

void sw_gpu_free(sw_crystal *crystal)
{
    if (crystal == NULL)
        return;
    if (sw_gpu_owns(crystal))
        cudaFree(crystal);
    else
        cudaFreeHost(crystal);
}

__global__ static void randomise(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                 float slip_resistance)
{
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const sw_crystal one = sw_random_crystal(seed, first + i, slip_resistance);
        sw_store(crystal + i, one.euler, one.slip_resistance);
    }
}

static sw_status randomise_here(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                float slip_resistance)
{
    const int64_t blocks = (n + SW_THREADS - 1) / SW_THREADS;
    if (n == 0)
        return SW_OK;
    randomise<<<(unsigned)(blocks < 65535 ? blocks : 65535), SW_THREADS>>>(n, crystal, seed, first,
                                                                           slip_resistance);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

sw_status sw_gpu_randomise(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first, float slip_resistance)
{
    if (sw_gpu_owns(crystal))
        return randomise_here(n, crystal, seed, first, slip_resistance);
    sw_crystal *chunk;
    SW_TRY(SW_CUDA_ALLOCATE(chunk, n < CHUNK ? n : CHUNK, "random crystals"));
    sw_status status = SW_OK;
    for (int64_t done = 0; done < n && status == SW_OK; done += CHUNK) {
        const int64_t here = n - done < CHUNK ? n - done : CHUNK;
        status = randomise_here(here, chunk, seed, first + done, slip_resistance);
        if (status == SW_OK)
            status = sw_gpu_copy(here, crystal + done, chunk);
    }
    cudaFree(chunk);
    return status;
}

sw_status sw_gpu_copy(int64_t n, sw_crystal *to, const sw_crystal *from)
{
    SW_CUDA_TRY(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDefault));
    return SW_OK;
}
