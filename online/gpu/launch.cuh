/* Kernels of any size: how many blocks, which numbers a thread has. */
#ifndef SW_ONLINE_GPU_LAUNCH_CUH
#define SW_ONLINE_GPU_LAUNCH_CUH

#include "cuda_check.h"

/* A thread's share of 0 .. n - 1, whatever the launch. */
#define SW_GRID_STRIDE(i, n)                                                  \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += (int64_t)gridDim.x * blockDim.x)

/* Blocks for n things, `each` of them to a block; beyond `most` blocks each has several shares. */
static inline unsigned sw_blocks_for(int64_t n, int64_t each, int64_t most = 1 << 20)
{
    const int64_t blocks = (n + each - 1) / each;
    return (unsigned)(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

/* How many times as many blocks as a GPU holds at a time share work evenly: of those that it holds the first ones are served first, and of
 * one wave the last would end alone. */
enum { SW_WAVES = 8 };

/* Blocks of a kernel that a multiprocessor holds at a time; at least 1. shared: bytes, dynamic. */
template <class Kernel> static inline int sw_resident_blocks(Kernel kernel, int threads, size_t shared)
{
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared) != cudaSuccess)
        cudaGetLastError();
    return blocks > 1 ? blocks : 1;
}

/* ---- f(i) for every i < n ---- */

enum { SW_EACH_THREADS = 256 };

template <typename Function>
__global__ void __launch_bounds__(SW_EACH_THREADS) sw_each_kernel(int64_t n, Function f)
{
    SW_GRID_STRIDE (i, n)
        f(i);
}

/* Does not wait. */
template <typename Function> static sw_status sw_each(int64_t n, Function f, cudaStream_t stream = 0)
{
    if (n <= 0)
        return SW_OK;
    sw_each_kernel<<<sw_blocks_for(n, SW_EACH_THREADS), SW_EACH_THREADS, 0, stream>>>(n, f);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

#endif
