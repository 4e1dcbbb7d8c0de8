/* Counting crystals on the GPU: one thread a crystal, in strides of the grid. Numbers go to an array in
 * device memory, 5 MB, which stays in the second-level cache; it crosses the bus once a call. */
#include "orientation_histogram.h"

#include <cuda_runtime.h>
#include <stdlib.h>

#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"

namespace
{

typedef unsigned long long number; /* what atomicAdd takes */

enum { THREADS = 256, WARP = 32, BLOCKS_PER_PROCESSOR = 8 };
enum { BAD = SW_HISTOGRAM_BINS + SW_HISTOGRAM_COMPONENTS, CELLS = BAD + 1 }; /* where cells begin */
static_assert((int)SW_HISTOGRAM_COMPONENTS <= (int)WARP, "a lane for each component");
static_assert(sizeof(sw_crystal) == sizeof(float4), "a crystal is read as one float4");

/* What is counted, in device memory. */
struct crystals {
    int64_t count;
    const sw_crystal *crystal; /* [count] */
    const float *weight;       /* [count], or NULL */
    float heaviest;
};

/* Bin of crystal n, BAD for one that cannot be counted, and in *mask the components that it is near. */
__device__ int32_t find(const crystals &these, int64_t n, const sw_component_table &table, uint32_t *mask)
{
    const float4 one = ((const float4 *)these.crystal)[n];
    const float euler[3] = {one.x, one.y, one.z};
    float q[4];
    if (!sw_histogram_accepts(euler))
        return BAD;
    sw_histogram_quaternion(euler, q);
    *mask = sw_component_mask(&table, q);
    return sw_histogram_bin_of_quaternion(q);
}

/* A crystal by its weight, and by itself. */
__device__ void count_weighted(const crystals &these, int64_t n, int32_t bin, uint32_t mask, number *count,
                               number *of_block)
{
    const int64_t counts = sw_histogram_counts(these.weight[n], these.heaviest);
    const int good = bin != BAD && counts >= 0;
    atomicAdd(&count[good ? bin : BAD], good ? (number)counts : 1);
    for (uint32_t rest = good ? mask : 0; rest != 0; rest &= rest - 1)
        atomicAdd(&of_block[__ffs((int)rest) - 1], (number)counts);
}

/* count [CELLS]: bins, components, crystals that cannot be counted. All lanes of a warp go round the loop
 * together, so that they can sum up what they found: lanes that share a bin (all, in a sharp texture) make
 * one atomic addition of it, and lane c keeps the number of component c until the end. With weights each lane
 * makes its own. */
template <bool WEIGHTED>
__global__ void __launch_bounds__(THREADS)
    count_crystals(const crystals these, const sw_component_table table, number *count)
{
    __shared__ number of_block[SW_HISTOGRAM_COMPONENTS];
    const unsigned all = 0xffffffffU;
    const int lane = (int)(threadIdx.x % WARP);
    number near = 0;
    if (threadIdx.x < SW_HISTOGRAM_COMPONENTS)
        of_block[threadIdx.x] = 0;
    __syncthreads();
    for (int64_t first = (int64_t)blockIdx.x * THREADS; first < these.count;
         first += (int64_t)gridDim.x * THREADS) {
        const int64_t n = first + threadIdx.x;
        int32_t bin = -1;
        uint32_t mask = 0;
        if (n < these.count)
            bin = find(these, n, table, &mask);
        if (WEIGHTED) {
            if (n < these.count)
                count_weighted(these, n, bin, mask, count, of_block);
            continue;
        }
        const unsigned same = __match_any_sync(all, bin);
        if (bin >= 0 && lane == __ffs((int)same) - 1)
            atomicAdd(&count[bin], (number)__popc(same));
        for (int c = 0; c < SW_HISTOGRAM_COMPONENTS; c++) {
            const unsigned those = __ballot_sync(all, mask >> c & 1U);
            if (lane == c)
                near += (number)__popc(those);
        }
    }
    if (lane < SW_HISTOGRAM_COMPONENTS && near > 0)
        atomicAdd(&of_block[lane], near);
    __syncthreads();
    if (threadIdx.x < SW_HISTOGRAM_COMPONENTS && of_block[threadIdx.x] > 0)
        atomicAdd(&count[SW_HISTOGRAM_BINS + threadIdx.x], of_block[threadIdx.x]);
}

/* Crystals over the cells of a torus: each lane finds where one is, then all lanes of a warp add one after the other, so that
 * what a crystal adds goes out in rows. */
__global__ void __launch_bounds__(THREADS)
    spread_crystals(const crystals these, const sw_torus_group group, const float unit, number *cell)
{
    enum { SPAN = SW_TORUS_SPAN, SIDE = SW_TORUS_SIDE };
    __shared__ sw_torus_place place[THREADS];
    __shared__ float units[THREADS];
    const int32_t last = SIDE / group.fold;
    const int lane = (int)(threadIdx.x % WARP), warp = (int)threadIdx.x - lane;
    for (int64_t first = (int64_t)blockIdx.x * THREADS; first < these.count;
         first += (int64_t)gridDim.x * THREADS) {
        const int64_t n = first + threadIdx.x;
        units[threadIdx.x] = 0;
        if (n < these.count) {
            const float4 one = ((const float4 *)these.crystal)[n];
            const float euler[3] = {one.x, one.y, one.z};
            float q[4];
            sw_histogram_quaternion(euler, q);
            sw_torus_place_of(&group, q, &place[threadIdx.x]);
            units[threadIdx.x] = these.weight != NULL ? these.weight[n] / these.heaviest * unit : unit;
        }
        __syncwarp();
        for (int c = warp; c < warp + WARP; c++) {
            const sw_torus_place *at = &place[c];
            for (int i = lane; units[c] > 0 && i < SPAN * SPAN * SPAN; i += WARP) {
                const int a = i / (SPAN * SPAN), b = i / SPAN % SPAN, k = i % SPAN;
                const int64_t row = (int64_t)sw_torus_cell(at->first[0], a, SIDE) * SIDE +
                                    sw_torus_cell(at->first[1], b, SIDE);
                const float share = units[c] * at->weight[0][a] * at->weight[1][b] * at->weight[2][k] + 0.5F;
                atomicAdd(&cell[row * last + sw_torus_cell(at->first[2], k, last)], (number)share);
            }
        }
        __syncwarp();
    }
}

/* found [CELLS + cells] on the host; device likewise, zeros, on the device. Cells are filled only when all crystals can be. */
sw_status count_on_device(const sw_orientation_histogram *h, const crystals &these, number *device,
                          number *found)
{
    const int64_t numbers = CELLS + sw_torus_size(&h->group);
    sw_gpu gpu;
    SW_TRY(sw_gpu_current(&gpu));
    const int64_t most = (int64_t)gpu.multiprocessors * BLOCKS_PER_PROCESSOR;
    const auto kernel = these.weight != NULL ? count_crystals<true> : count_crystals<false>;
    kernel<<<sw_blocks_for(these.count, THREADS, most), THREADS>>>(these, h->table, device);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(&found[BAD], &device[BAD], sizeof *device, cudaMemcpyDeviceToHost));
    if (found[BAD] > 0)
        return SW_OK;
    spread_crystals<<<sw_blocks_for(these.count, THREADS, most), THREADS>>>(
        these, h->group, sw_histogram_unit(h), device + CELLS);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(found, device, (size_t)numbers * sizeof *device, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status with_device_memory(const sw_orientation_histogram *h, const crystals &these, number *found)
{
    number *device = NULL;
    SW_TRY(SW_CUDA_ALLOCATE(device, CELLS + sw_torus_size(&h->group), "an orientation histogram"));
    const sw_status status = count_on_device(h, these, device, found);
    const cudaError_t freed = cudaFree(device);
    SW_TRY(status);
    SW_CUDA_TRY(freed);
    return SW_OK;
}

} /* namespace */

extern "C" sw_status sw_orientation_histogram_add_cuda(sw_orientation_histogram *histogram,
                                                       int64_t n_crystals, const sw_crystal *crystal,
                                                       const float *weight)
{
    const crystals these = {n_crystals, crystal, weight, histogram->heaviest};
    number *found;
    if (n_crystals < 0)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need 0 or more", (long long)n_crystals);
    if ((uintptr_t)crystal % sizeof(float4) != 0)
        return sw_error(SW_ERR_RANGE, "crystals at %p: need an address that is a multiple of 16",
                        (const void *)crystal);
    if (n_crystals == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(found, CELLS + sw_torus_size(&histogram->group), "numbers of crystals from the GPU"));
    sw_status status = with_device_memory(histogram, these, found);
    if (status == SW_OK && found[BAD] > 0)
        status = sw_error(SW_ERR_RANGE, "%llu crystals have angles that are not finite or above %g rad%s",
                          found[BAD], (double)SW_HISTOGRAM_LARGEST_ANGLE,
                          weight != NULL ? ", or weigh less than 0 or more than the heaviest" : "");
    if (status == SW_OK) {
        for (int64_t i = 0; i < BAD; i++) /* components follow the bins here and there */
            histogram->count[i] += found[i];
        for (int64_t i = 0; i < sw_torus_size(&histogram->group); i++)
            histogram->cell[i] += found[CELLS + i];
        histogram->n_crystals += n_crystals;
    }
    free(found);
    return status;
}
