/* Vectors on the GPU: element-wise work and sums. A sum is over a fixed number of blocks, then over their
 * sums in one block: the same bits every time. */
#ifndef SW_ONLINE_FEM_VECTORS_GPU_CUH
#define SW_ONLINE_FEM_VECTORS_GPU_CUH

#include <cub/block/block_reduce.cuh>

#include "common/cuda_check.h"

constexpr unsigned SUM_BLOCKS = 1056;
constexpr int SUM_THREADS = 256;

static inline unsigned blocks_for(int64_t n, int threads)
{
    const int64_t blocks = (n + threads - 1) / threads;
    return (unsigned)(blocks < 1 ? 1 : blocks > 1 << 20 ? 1 << 20 : blocks);
}

#define GRID_STRIDE(i, n)                                                     \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); \
         i += (int64_t)gridDim.x * blockDim.x)

/* sum of f(i) over i < n into partial[blockIdx.x]. */
template <typename function>
__global__ void __launch_bounds__(SUM_THREADS) sum_kernel(int64_t n, function f, double *partial)
{
    using reduce = cub::BlockReduce<double, SUM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double sum = 0;
    GRID_STRIDE(i, n)
    sum += f(i);
    const double all = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

static __global__ void __launch_bounds__(SUM_THREADS) finish_sum(int n, const double *partial, double *result)
{
    using reduce = cub::BlockReduce<double, SUM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += SUM_THREADS)
        sum += partial[i];
    const double all = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        *result = all;
}

/* partial [SUM_BLOCKS + 1] on the device; waits. */
template <typename function> static sw_status sum_over(int64_t n, function f, double *partial, double *result)
{
    const unsigned blocks = blocks_for(n, SUM_THREADS) < SUM_BLOCKS ? blocks_for(n, SUM_THREADS) : SUM_BLOCKS;
    sum_kernel<<<blocks, SUM_THREADS>>>(n, f, partial);
    SW_CUDA_TRY_LAUNCH();
    finish_sum<<<1, SUM_THREADS>>>((int)blocks, partial, partial + SUM_BLOCKS);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(result, partial + SUM_BLOCKS, sizeof *result, cudaMemcpyDeviceToHost));
    return SW_OK;
}

template <typename function> __global__ void __launch_bounds__(256) each_kernel(int64_t n, function f)
{
    GRID_STRIDE(i, n)
    f(i);
}

/* f(i) for every i < n; does not wait. */
template <typename function> static sw_status for_each(int64_t n, function f)
{
    if (n <= 0)
        return SW_OK;
    each_kernel<<<blocks_for(n, 256), 256>>>(n, f);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

#endif
