/* Sums with the same bits every time: over a fixed number of blocks, then over their sums in one; always in the same
 * order. Apart from launch.cuh, since CUB's headers take longer to read than most kernels to compile. */
#ifndef SW_ONLINE_GPU_SUMS_CUH
#define SW_ONLINE_GPU_SUMS_CUH

#include <cub/block/block_reduce.cuh>

#include "launch.cuh"

enum { SW_SUM_BLOCKS = 1056, SW_SUM_THREADS = 256 };

/* sum of f(i) over i < n into partial[blockIdx.x]. */
template <typename Function>
__global__ void __launch_bounds__(SW_SUM_THREADS) sw_sum_kernel(int64_t n, Function f, double *partial)
{
    using reduce = cub::BlockReduce<double, SW_SUM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double sum = 0;
    SW_GRID_STRIDE (i, n)
        sum += f(i);
    const double all = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = all;
}

static __global__ void __launch_bounds__(SW_SUM_THREADS)
    sw_sum_partial_kernel(int n, const double *partial, double *result)
{
    using reduce = cub::BlockReduce<double, SW_SUM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += SW_SUM_THREADS)
        sum += partial[i];
    const double all = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        *result = all;
}

/* sum of f(i) over i < n; partial [SW_SUM_BLOCKS + 1] on the device. Waits. */
template <typename Function>
static sw_status sw_sum_over(int64_t n, Function f, double *partial, double *result)
{
    const unsigned blocks = sw_blocks_for(n, SW_SUM_THREADS, SW_SUM_BLOCKS);
    sw_sum_kernel<<<blocks, SW_SUM_THREADS>>>(n, f, partial);
    SW_CUDA_TRY_LAUNCH();
    sw_sum_partial_kernel<<<1, SW_SUM_THREADS>>>((int)blocks, partial, partial + SW_SUM_BLOCKS);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(result, partial + SW_SUM_BLOCKS, sizeof *result, cudaMemcpyDeviceToHost));
    return SW_OK;
}

#endif
