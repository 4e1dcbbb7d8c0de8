/* Periodic bodies on the GPU. Sums are always in the same order. */
#include <cub/block/block_reduce.cuh>

#include "online/fem/backend/on_device.cuh"
#include "online/fem/parts/parts.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "periodic.h"

namespace
{

enum { BLOCKS = 1056, THREADS = 128 };

struct periodic_work {
    sw_fem *fem;
    sw_fem_periodic_view view; /* owns what it points to on the device */
    double *partial;           /* [BLOCKS][SW_FEM_MEAN] */
    double *sum;               /* [d] of the forces, [d][d] virial */
    double *inverse;           /* [SW_FEM_MEAN][SW_FEM_MEAN] of the mean's block */
};

periodic_work *work_of(void *opaque) { return (periodic_work *)opaque; }

void close_periodic(void *opaque)
{
    periodic_work *w = work_of(opaque);
    if (!w)
        return;
    const void *const device[] = {w->view.position, w->view.original, w->view.shared, w->view.first,
                                  w->view.copy,     w->partial,       w->sum,         w->inverse};
    for (const void *pointer : device)
        cudaFree((void *)pointer);
    free(w);
}

sw_status place_all(periodic_work *w)
{
    sw_fem *fem = w->fem;
    const sw_fem_periodic_view *from = &fem->periodic->view;
    const int64_t N = from->n_nodes;
    w->view = *from;
    w->view.position = NULL;
    w->view.original = w->view.shared = w->view.first = w->view.copy = NULL;
    SW_TRY(sw_fem_on_device(fem, w->view.position, N * from->d, from->position, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->view.original, N, from->original, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->view.shared, from->n_shared, from->shared, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->view.first, from->n_shared + 1, from->first, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->view.copy, N - from->n_originals, from->copy, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->partial, (int64_t)BLOCKS * SW_FEM_MEAN, "periodic body"));
    SW_TRY(sw_fem_on_device(fem, w->sum, 3 + SW_FEM_MEAN, "periodic body"));
    return sw_fem_on_device(fem, w->inverse, SW_FEM_MEAN * SW_FEM_MEAN, "periodic body");
}

sw_status open_periodic(sw_fem *fem, void **result)
{
    periodic_work *w;
    SW_TRY(SW_ALLOCATE(w, 1, "periodic body"));
    *result = w;
    w->fem = fem;
    return place_all(w);
}

int64_t mean_at(const periodic_work *w) { return sw_fem_periodic_mean_at(&w->view, w->fem->n_unknowns); }
size_t mean_bytes(const periodic_work *w) { return (size_t)(w->view.d * w->view.d) * sizeof(double); }

sw_status get(void *opaque, const double *vector, double value[SW_FEM_MEAN])
{
    const periodic_work *w = work_of(opaque);
    SW_CUDA_TRY(cudaMemcpy(value, vector + mean_at(w), mean_bytes(w), cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status set(void *opaque, double *vector, const double value[SW_FEM_MEAN])
{
    const periodic_work *w = work_of(opaque);
    SW_CUDA_TRY(cudaMemcpy(vector + mean_at(w), value, mean_bytes(w), cudaMemcpyHostToDevice));
    return SW_OK;
}

/* ---- Expand ---- */

sw_status expand(void *opaque, const double *x, double *displacement)
{
    const periodic_work *w = work_of(opaque);
    const sw_fem_periodic_view view = w->view;
    const double *mean = x + mean_at(w);
    return sw_each(view.n_nodes * view.d, [=] __device__(int64_t i) {
        displacement[i] = sw_fem_periodic_displacement(&view, i, x, mean);
    });
}

/* ---- Reduce ---- */

/* partial [gridDim.x][n] = sums of own [n] over a block's threads. */
template <int n> __device__ void sum_block(const double *own, double *partial)
{
    using block = cub::BlockReduce<double, THREADS>;
    __shared__ typename block::TempStorage storage;
    SW_UNROLL
    for (int k = 0; k < n; k++) {
        const double all = block(storage).Sum(own[k]);
        if (threadIdx.x == 0)
            partial[(int64_t)blockIdx.x * n + k] = all;
        __syncthreads();
    }
}

/* Virial [d][d], over the length, of the forces of all nodes. */
template <int d>
__global__ void __launch_bounds__(THREADS) virial_kernel(const __grid_constant__ sw_fem_periodic_view view,
                                                         const double *__restrict__ force, double *partial)
{
    double sum[d * d] = {0};
    SW_GRID_STRIDE (n, view.n_nodes) {
        SW_UNROLL
        for (int j = 0; j < d; j++) {
            const double at = (view.position[n * d + j] - view.origin[j]) / view.length;
            SW_UNROLL
            for (int i = 0; i < d; i++)
                sum[j * d + i] += force[n * d + i] * at;
        }
    }
    sum_block<d * d>(sum, partial);
}

/* Copies' forces, which their originals have, are cleared; the sum of the others. */
template <int d>
__global__ void __launch_bounds__(THREADS)
    sum_kernel(const __grid_constant__ sw_fem_periodic_view view, double *force, double *partial)
{
    double sum[d] = {0};
    SW_GRID_STRIDE (n, view.n_nodes) {
        const bool own = view.original[n] == n;
        SW_UNROLL
        for (int i = 0; i < d; i++) {
            if (!own)
                force[n * d + i] = 0;
            else if (n < view.n_counted)
                sum[i] += force[n * d + i];
        }
    }
    sum_block<d>(sum, partial);
}

/* A block of threads a sum: those of n blocks. */
__global__ void __launch_bounds__(THREADS) sum_partial_kernel(int n, const double *partial, double *sum)
{
    using block = cub::BlockReduce<double, THREADS>;
    __shared__ typename block::TempStorage storage;
    double own = 0;
    for (int b = threadIdx.x; b < n; b += THREADS)
        own += partial[(int64_t)b * gridDim.x + blockIdx.x];
    const double all = block(storage).Sum(own);
    if (threadIdx.x == 0)
        sum[blockIdx.x] = all;
}

sw_status add_copies(const sw_fem_periodic_view &view, int width, double *value)
{
    const int32_t *shared = view.shared, *first = view.first, *copy = view.copy;
    return sw_each(view.n_shared * width, [=] __device__(int64_t i) {
        const int64_t s = i / width, k = i % width;
        double sum = 0;
        for (int32_t c = first[s]; c < first[s + 1]; c++)
            sum += value[(int64_t)copy[c] * width + k];
        value[(int64_t)shared[s] * width + k] += sum;
    });
}

template <int d> sw_status reduce_in(const periodic_work *w, double *force)
{
    const sw_fem_periodic_view view = w->view;
    const unsigned blocks = sw_blocks_for(view.n_nodes, THREADS, BLOCKS);
    const double *sum = w->sum, over = 1 / (double)view.n_all;
    const int64_t nodal = view.n_nodes * d, mean = mean_at(w);
    const sw_fem_parts *parts = w->fem->parts;
    virial_kernel<d><<<blocks, THREADS>>>(view, force, w->partial);
    SW_CUDA_TRY_LAUNCH();
    sum_partial_kernel<<<d * d, THREADS>>>((int)blocks, w->partial, w->sum + d);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(add_copies(view, d, force));
    SW_TRY(sw_fem_parts_sum(w->fem, d, force));
    sum_kernel<d><<<blocks, THREADS>>>(view, force, w->partial);
    SW_CUDA_TRY_LAUNCH();
    sum_partial_kernel<<<d, THREADS>>>((int)blocks, w->partial, w->sum);
    SW_CUDA_TRY_LAUNCH();
    if (parts)
        SW_TRY(parts->exchange->sum_all(parts->exchange_work, d + d * d, w->sum));
    return sw_each(nodal + d * d, [=] __device__(int64_t i) {
        if (i >= nodal)
            force[mean + i - nodal] = sum[d + i - nodal];
        else if (view.original[i / d] == i / d)
            force[i] -= over * sum[i % d];
    });
}

sw_status reduce(void *opaque, double *force)
{
    const periodic_work *w = work_of(opaque);
    return w->view.d == 3 ? reduce_in<3>(w, force) : reduce_in<2>(w, force);
}

sw_status add_blocks(void *opaque, double *block)
{
    const periodic_work *w = work_of(opaque);
    return add_copies(w->view, w->view.d * w->view.d, block);
}

/* ---- The mean ---- */

sw_status keep(void *opaque, const double inverse[SW_FEM_MEAN][SW_FEM_MEAN])
{
    SW_CUDA_TRY(cudaMemcpy(work_of(opaque)->inverse, inverse, sizeof(double[SW_FEM_MEAN][SW_FEM_MEAN]),
                           cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status precondition(void *opaque, const double *r, double *z)
{
    const periodic_work *w = work_of(opaque);
    const int n = w->view.d * w->view.d;
    const int64_t first = mean_at(w);
    const double *inverse = w->inverse;
    return sw_each(n, [=] __device__(int64_t i) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += inverse[i * SW_FEM_MEAN + j] * r[first + j];
        z[first + i] = sum;
    });
}

} // namespace

extern "C" const sw_fem_periodic_functions sw_fem_periodic_cuda = {
    open_periodic, close_periodic, expand, reduce, add_blocks, get, set, keep, precondition};
