/* Counting crystals on the GPU: one thread a crystal, in strides of the grid. Numbers go to an array in
 * device memory, 5 MB, and 30 more for very many crystals, which stays in the second-level cache; it crosses the bus once a call. */
#include "orientation_histogram.h"

#include <cuda_runtime.h>
#include <stdlib.h>

#include "bin_moments.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"

namespace
{

typedef unsigned long long number; /* what atomicAdd takes */

enum { THREADS = 256, WARP = 32, BLOCKS_PER_PROCESSOR = 8 };
enum { BAD = SW_HISTOGRAM_BINS + SW_HISTOGRAM_COMPONENTS, CELLS = BAD + 1 }; /* where cells begin */
constexpr unsigned ALL = 0xffffffffU;                                        /* lanes */
static_assert((int)SW_HISTOGRAM_COMPONENTS <= (int)WARP, "a lane for each component");
static_assert(sizeof(sw_crystal) == sizeof(float4), "a crystal is read as one float4");

/* What is counted, in device memory. */
struct crystals {
    int64_t count;
    const sw_crystal *crystal; /* [count] */
    const float *weight;       /* [count], or NULL */
    float heaviest;
};

/* Quaternion of crystal n; false for one that cannot be counted. */
__device__ bool read(const crystals &these, int64_t n, float q[4])
{
    const float4 one = ((const float4 *)these.crystal)[n];
    const float euler[3] = {one.x, one.y, one.z};
    sw_histogram_quaternion(euler, q);
    return sw_histogram_accepts(euler);
}

/* Bin of crystal n, BAD for one that cannot be counted, and in *mask the components that it is near. */
__device__ int32_t find(const crystals &these, int64_t n, const sw_torus_group &group,
                        const sw_component_table &table, uint32_t *mask)
{
    float q[4];
    if (!read(these, n, q))
        return BAD;
    *mask = sw_component_mask(&group, &table, q);
    return sw_histogram_bin_of_quaternion(&group, q);
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

/* The crystals of a warp near each component: lane c keeps the number of component c. */
__device__ void count_near(uint32_t mask, int lane, number *near)
{
    for (int c = 0; c < SW_HISTOGRAM_COMPONENTS; c++) {
        const unsigned those = __ballot_sync(ALL, mask >> c & 1U);
        if (lane == c)
            *near += (number)__popc(those);
    }
}

/* What lanes kept, once all is counted. */
__device__ void add_near(number near, int lane, number *of_block, number *count)
{
    if (lane < SW_HISTOGRAM_COMPONENTS && near > 0)
        atomicAdd(&of_block[lane], near);
    __syncthreads();
    if (threadIdx.x < SW_HISTOGRAM_COMPONENTS && of_block[threadIdx.x] > 0)
        atomicAdd(&count[SW_HISTOGRAM_BINS + threadIdx.x], of_block[threadIdx.x]);
}

/* count [CELLS]: bins, components, crystals that cannot be counted. All lanes of a warp go round the loop
 * together, so that they can sum up what they found: lanes that share a bin (all, in a sharp texture) make
 * one atomic addition of it. With weights each lane makes its own. */
template <bool WEIGHTED>
__global__ void __launch_bounds__(THREADS) count_crystals(const crystals these, const sw_torus_group group,
                                                          const sw_component_table table, number *count)
{
    __shared__ number of_block[SW_HISTOGRAM_COMPONENTS];
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
            bin = find(these, n, group, table, &mask);
        if (WEIGHTED) {
            if (n < these.count)
                count_weighted(these, n, bin, mask, count, of_block);
            continue;
        }
        const unsigned same = __match_any_sync(ALL, bin);
        if (bin >= 0 && lane == __ffs((int)same) - 1)
            atomicAdd(&count[bin], (number)__popc(same));
        count_near(mask, lane, &near);
    }
    add_near(near, lane, of_block, count);
}

/* ---- Cells, crystal by crystal ---- */

/* What places [n] of a warp add to cells, share(place, a, b, k) each: all lanes add one place after the other, so that what
 * it adds goes out in rows. */
template <class Share>
__device__ void spread_places(const sw_torus_place *place, int n, int32_t fold, int lane, number *cell,
                              const Share &share)
{
    enum { SPAN = SW_TORUS_SPAN, SIDE = SW_TORUS_SIDE };
    const int32_t last = SIDE / fold;
    for (int c = 0; c < n; c++) {
        const sw_torus_place *at = &place[c];
        for (int i = lane; i < SPAN * SPAN * SPAN; i += WARP) {
            const int a = i / (SPAN * SPAN), b = i / SPAN % SPAN, k = i % SPAN;
            const int64_t row =
                (int64_t)sw_torus_cell(at->first[0], a, SIDE) * SIDE + sw_torus_cell(at->first[1], b, SIDE);
            atomicAdd(&cell[row * last + sw_torus_cell(at->first[2], k, last)], share(c, a, b, k));
        }
    }
}

__global__ void __launch_bounds__(THREADS)
    spread_crystals(const crystals these, const sw_torus_group group, const float unit, number *cell)
{
    __shared__ sw_torus_place place[THREADS];
    __shared__ float units[THREADS];
    const int lane = (int)(threadIdx.x % WARP), warp = (int)threadIdx.x - lane;
    for (int64_t first = (int64_t)blockIdx.x * THREADS; first + warp < these.count;
         first += (int64_t)gridDim.x * THREADS) {
        const int64_t n = first + threadIdx.x, left = these.count - first - warp;
        if (n < these.count) {
            const float4 one = ((const float4 *)these.crystal)[n];
            const float euler[3] = {one.x, one.y, one.z};
            float q[4];
            sw_histogram_quaternion(euler, q);
            sw_torus_place_of(&group, q, &place[threadIdx.x]);
            units[threadIdx.x] = these.weight != NULL ? these.weight[n] / these.heaviest * unit : unit;
        }
        __syncwarp();
        spread_places(place + warp, left < WARP ? (int)left : (int)WARP, group.fold, lane, cell,
                      [&](int c, int a, int b, int k) {
                          const sw_torus_place *at = &place[warp + c];
                          return (number)(units[warp + c] * at->weight[0][a] * at->weight[1][b] *
                                              at->weight[2][k] +
                                          0.5F);
                      });
        __syncwarp();
    }
}

/* ---- Cells, by way of the bins ---- */

/* Crystals to numbers of bins, moment [SW_HISTOGRAM_BINS][MOMENTS], three crystals of a warp at a time, ten lanes each: what
 * one adds are 80 bytes in a piece. Before that the first of lanes that share a bin sums up what all of them add. */
__global__ void __launch_bounds__(THREADS)
    count_moments(const crystals these, const sw_torus_group group, const sw_component_table table,
                  const float unit, number *count, number *moment)
{
    enum { MOMENTS = SW_BIN_MOMENTS, TOGETHER = (int)WARP / (int)MOMENTS };
    __shared__ number of_block[SW_HISTOGRAM_COMPONENTS];
    __shared__ int32_t part[THREADS][MOMENTS + 1]; /* an odd number: each lane in a bank of its own */
    const int lane = (int)(threadIdx.x % WARP), warp = (int)threadIdx.x - lane;
    number near = 0;
    if (threadIdx.x < SW_HISTOGRAM_COMPONENTS)
        of_block[threadIdx.x] = 0;
    __syncthreads();
    for (int64_t first = (int64_t)blockIdx.x * THREADS; first < these.count;
         first += (int64_t)gridDim.x * THREADS) {
        const int64_t n = first + threadIdx.x;
        int32_t bin = -1, own[MOMENTS];
        uint32_t mask = 0;
        if (n < these.count) {
            float q[4];
            if (read(these, n, q)) {
                mask = sw_component_mask(&group, &table, q);
                bin = sw_bin_moments_of(&group, q, unit, own);
                for (int k = 0; k < MOMENTS; k++)
                    part[threadIdx.x][k] = own[k];
            } else
                atomicAdd(&count[BAD], 1ULL);
        }
        count_near(mask, lane, &near);
        const int leader = __ffs((int)__match_any_sync(ALL, bin)) - 1;
        __syncwarp();
        if (bin >= 0 && lane != leader) {
            for (int k = 0; k < MOMENTS; k++)
                atomicAdd(&part[warp + leader][k], own[k]);
            bin = -1;
        }
        __syncwarp();
        for (int three = 0; three < WARP; three += TOGETHER) {
            const int c = three + lane / MOMENTS;
            const int32_t at = __shfl_sync(ALL, bin, c % WARP);
            if (lane < TOGETHER * MOMENTS && c < WARP && at >= 0)
                atomicAdd(&moment[(int64_t)at * MOMENTS + lane % MOMENTS],
                          (number)(int64_t)part[warp + c][lane % MOMENTS]);
        }
        __syncwarp();
    }
    add_near(near, lane, of_block, count);
}

/* Numbers of bins to crystals in bins, and to cells: a warp a bin, a lane a node. */
__global__ void __launch_bounds__(THREADS) spread_bins(const sw_torus_group group, const int64_t unit,
                                                       const number *moment, number *count, number *cell)
{
    __shared__ sw_torus_place place[THREADS];
    __shared__ int64_t weight[THREADS];
    const int lane = (int)(threadIdx.x % WARP), warp = (int)threadIdx.x - lane;
    for (int64_t bin = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / WARP; bin < SW_HISTOGRAM_BINS;
         bin += (int64_t)gridDim.x * (THREADS / WARP)) {
        const int64_t *those = (const int64_t *)moment + bin * SW_BIN_MOMENTS;
        if (those[0] == 0)
            continue;
        if (lane == 0)
            count[bin] = (number)those[0];
        if (lane < SW_BIN_NODES) {
            float q[4];
            weight[threadIdx.x] = sw_bin_node(&group, (int32_t)bin, lane, those, unit, q);
            sw_torus_place_of(&group, q, &place[threadIdx.x]);
        }
        __syncwarp();
        spread_places(place + warp, SW_BIN_NODES, group.fold, lane, cell, [&](int c, int a, int b, int k) {
            return (number)(weight[warp + c] * sw_torus_share(&place[warp + c], a, b, k));
        });
        __syncwarp();
    }
}

/* ---- Launches ---- */

/* Numbers in device memory, zeros at first. */
struct numbers {
    number *count;  /* [CELLS + cells] */
    number *moment; /* [SW_HISTOGRAM_BINS][SW_BIN_MOMENTS], where crystals go by way of the bins, else NULL */
};

sw_status launch_count(const sw_orientation_histogram *h, const crystals &these, const numbers &device,
                       unsigned blocks)
{
    if (device.moment != NULL)
        count_moments<<<blocks, THREADS>>>(these, h->group, h->table, sw_bin_moments_unit(h), device.count,
                                           device.moment);
    else if (these.weight != NULL)
        count_crystals<true><<<blocks, THREADS>>>(these, h->group, h->table, device.count);
    else
        count_crystals<false><<<blocks, THREADS>>>(these, h->group, h->table, device.count);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

sw_status launch_spread(const sw_orientation_histogram *h, const crystals &these, const numbers &device,
                        unsigned blocks, unsigned most)
{
    if (device.moment != NULL)
        spread_bins<<<most, THREADS>>>(h->group, (int64_t)sw_bin_moments_unit(h), device.moment, device.count,
                                       device.count + CELLS);
    else
        spread_crystals<<<blocks, THREADS>>>(these, h->group, sw_histogram_unit(h), device.count + CELLS);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* found [CELLS + cells] on the host. Cells are filled only when all crystals can be. */
sw_status count_on_device(const sw_orientation_histogram *h, const crystals &these, const numbers &device,
                          number *found)
{
    const int64_t numbers = CELLS + sw_torus_size(&h->group);
    sw_gpu gpu;
    SW_TRY(sw_gpu_current(&gpu));
    const int64_t most = (int64_t)gpu.multiprocessors * BLOCKS_PER_PROCESSOR;
    const unsigned blocks = sw_blocks_for(these.count, THREADS, most);
    SW_TRY(launch_count(h, these, device, blocks));
    SW_CUDA_TRY(cudaMemcpy(&found[BAD], &device.count[BAD], sizeof *found, cudaMemcpyDeviceToHost));
    if (found[BAD] > 0)
        return SW_OK;
    SW_TRY(launch_spread(h, these, device, blocks, (unsigned)most));
    SW_CUDA_TRY(cudaMemcpy(found, device.count, (size_t)numbers * sizeof *found, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status with_device_memory(const sw_orientation_histogram *h, const crystals &these, number *found)
{
    numbers device = {NULL, NULL};
    sw_status status =
        SW_CUDA_ALLOCATE(device.count, CELLS + sw_torus_size(&h->group), "an orientation histogram");
    if (status == SW_OK && sw_bin_moments_serve(h))
        status = SW_CUDA_ALLOCATE(device.moment, (int64_t)SW_HISTOGRAM_BINS * SW_BIN_MOMENTS,
                                  "an orientation histogram");
    if (status == SW_OK)
        status = count_on_device(h, these, device, found);
    const cudaError_t freed[] = {cudaFree(device.count), cudaFree(device.moment)};
    SW_TRY(status);
    SW_CUDA_TRY(freed[0]);
    SW_CUDA_TRY(freed[1]);
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
