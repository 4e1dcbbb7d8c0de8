/* The kernel of `terms` on a GPU. Malahe 2018, sections 3.3 and 3.4: terms pass through shared memory, a
 * thread sums for several crystals, nothing is stored in between.
 *
 * Instructions for a term and a crystal: D integer multiply-adds, one AND-OR that is the modulo and the
 * conversion to a float at once, two to scale it to radians and to the special function unit's unit, sine and
 * cosine, and a multiply-add for each coefficient. */
#ifndef SW_ONLINE_RESPONSE_TERMS_TERMS_KERNEL_CUH
#define SW_ONLINE_RESPONSE_TERMS_TERMS_KERNEL_CUH

#include "online/response/step/step_kernel.cuh"

#include "series.h"
#include "terms_cuda.h"

enum {
    EACH = 4,           /* crystals a thread */
    TILE_BYTES = 16384, /* terms in shared memory at a time */
};

/* Numbers of a term in memory: wavevector, coefficients, padding to 16 bytes. */
__host__ __device__ static constexpr int words_of(sw_series_kind kind, int dimensions)
{
    return (dimensions + sw_series_coefficients(kind) + 3) / 4 * 4;
}

/* A list on the device: [n_terms][words_of] */
struct device_list {
    int64_t n_terms;
    const int4 *term;
};

/* The refined grid as a kernel sees it. */
struct grid_view {
    int32_t points[4];
    unsigned mask; /* SW_TURN - 1; here lest it be a second constant of the one instruction that takes it */
};

/* sin and cos of 2 pi j.k, j in phases, or (without the AND) in points of the refined grid */
template <int DIMENSIONS, sw_range_reduction REDUCTION>
__device__ static inline void phase_factors(const int *j, const int *k, const grid_view &grid, float *sine,
                                            float *cosine)
{
    /* half a turn more, so that the result of the AND is centred */
    unsigned product = REDUCTION == SW_REDUCE_AND ? SW_TURN / 2 : 0; /* wraps, as angles do */
#pragma unroll
    for (int d = 0; d < DIMENSIONS; d++)
        product += (unsigned)j[d] * (unsigned)k[d];
    if (REDUCTION == SW_REDUCE_AND) {
        const float turns = __uint_as_float((product & grid.mask) | 0x3f800000U); /* 1 + the fraction */
        __sincosf(fmaf(turns, 6.2831853F, -9.4247780F), sine, cosine);
    } else if (REDUCTION == SW_REDUCE_MODULO) {
        __sincosf((float)((int)product % grid.points[0]) * (6.2831853F / (float)grid.points[0]), sine,
                  cosine);
    } else {
        sincosf((float)(int)product * (6.2831853F / (float)grid.points[0]), sine, cosine);
    }
}

/* Add a list of terms for EACH crystals at points j, to sums of OUTPUTS, 9 or 13. All threads of a block come here together. */
template <sw_series_kind KIND, int DIMENSIONS, sw_range_reduction REDUCTION, int OUTPUTS>
__device__ static void add_list(const device_list &list, const grid_view &grid, const int j[EACH][DIMENSIONS],
                                int4 *tile, float sum[EACH][OUTPUTS])
{
    constexpr int QUADS = words_of(KIND, DIMENSIONS) / 4, TERMS = TILE_BYTES / 16 / QUADS;
    for (int64_t first = 0; first < list.n_terms; first += TERMS) {
        const int terms = (int)(list.n_terms - first < TERMS ? list.n_terms - first : TERMS);
        __syncthreads();
        for (int i = threadIdx.x; i < terms * QUADS; i += SW_STEP_THREADS)
            tile[i] = __ldg(list.term + first * QUADS + i);
        __syncthreads();
#pragma unroll 4
        for (int t = 0; t < terms; t++) {
            int4 quad[QUADS];
#pragma unroll
            for (int i = 0; i < QUADS; i++)
                quad[i] = tile[t * QUADS + i];
            const int *word = reinterpret_cast<const int *>(quad);
            float coefficient[4 * QUADS - DIMENSIONS];
#pragma unroll
            for (int i = 0; i < 4 * QUADS - DIMENSIONS; i++)
                coefficient[i] = __int_as_float(word[DIMENSIONS + i]);
#pragma unroll
            for (int c = 0; c < EACH; c++) {
                float sine, cosine;
                phase_factors<DIMENSIONS, REDUCTION>(j[c], word, grid, &sine, &cosine);
                sw_add_factors(KIND, sum[c], coefficient, sine, cosine);
            }
        }
    }
}

/* One crystal's nearest point of the refined grid. */
template <int DIMENSIONS, sw_range_reduction REDUCTION>
__device__ static inline void nearest_point(const grid_view &grid, const float angle[3], float theta,
                                            int j[DIMENSIONS])
{
#pragma unroll
    for (int d = 0; d < 3; d++)
        j[d] = sw_nearest_point(angle[d], REDUCTION == SW_REDUCE_AND ? grid.points[d] : grid.points[0]);
    if (DIMENSIONS == 4)
        j[DIMENSIONS - 1] = sw_nearest_point(theta, grid.points[3]);
    if (REDUCTION != SW_REDUCE_AND)
#pragma unroll
        for (int d = 0; d < DIMENSIONS; d++)
            j[d] = (int)(((int64_t)j[d] * grid.points[0] + SW_TURN / 2) / SW_TURN); /* the point again */
}

/* SYMMETRIC: an even and an odd list; else one general one. FOLDED: theta is in the coefficients. weight
 * [n], or NULL. */
template <bool SYMMETRIC, bool FOLDED, sw_range_reduction REDUCTION, class Frame, class Finish>
__global__ void __launch_bounds__(SW_STEP_THREADS, 2)
    terms_kernel(sw_step step, Frame frame_of, device_list first_list, device_list second_list,
                 grid_view grid, Finish finish, int64_t n, const sw_crystal *crystal, const float *weight,
                 double *partial)
{
    constexpr int D = FOLDED ? 3 : 4, OUTPUTS = Finish::OUTPUTS;
    constexpr bool PLANES = OUTPUTS > SW_OUTPUTS;
    constexpr sw_series_kind EVEN = FOLDED ? (PLANES ? SW_SERIES_EVEN_FOLDED_PLANES : SW_SERIES_EVEN_FOLDED)
                                           : (PLANES ? SW_SERIES_EVEN_PLANES : SW_SERIES_EVEN);
    constexpr sw_series_kind GENERAL = PLANES ? SW_SERIES_GENERAL_PLANES : SW_SERIES_GENERAL;
    __shared__ int4 tile[TILE_BYTES / 16];
    double total[SW_SUMS] = {0};
    const int64_t stride = (int64_t)gridDim.x * SW_STEP_THREADS * EACH;
    for (int64_t base = (int64_t)blockIdx.x * SW_STEP_THREADS * EACH; base < n; base += stride) {
        int j[EACH][D];
        float sum[EACH][OUTPUTS] = {{0}};
        sw_step_part part = {{0}, 0};
        int taken = 0;
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            const int64_t own = base + c * SW_STEP_THREADS + threadIdx.x, i = own < n ? own : n - 1;
            const float4 state = sw_crystal_load(crystal + i);
            const float euler[3] = {state.x, state.y, state.z};
            const sw_frame frame = frame_of(step, i);
            float q[4], principal[4], angle[3];
            sw_crystal_orientation(&frame, euler, q, principal);
            sw_quaternion_angles(principal, angle);
            nearest_point<D, REDUCTION>(grid, angle, frame.theta, j[c]);
        }
        if (SYMMETRIC) {
            add_list<EVEN, D, REDUCTION, OUTPUTS>(first_list, grid, j, tile, sum);
            add_list<FOLDED ? SW_SERIES_ODD_FOLDED : SW_SERIES_ODD, D, REDUCTION, OUTPUTS>(second_list, grid,
                                                                                           j, tile, sum);
        } else {
            add_list<GENERAL, D, REDUCTION, OUTPUTS>(first_list, grid, j, tile, sum);
        }
#pragma unroll
        for (int c = 0; c < EACH; c++) {
            const int64_t i = base + c * SW_STEP_THREADS + threadIdx.x;
            if (i >= n)
                break;
            const float4 state = sw_crystal_load(crystal + i);
            const float euler[3] = {state.x, state.y, state.z};
            float q[4], principal[4] = {0}, mean[SW_MEANS] = {0};
            if constexpr (PLANES) {
                const sw_frame frame = frame_of(step, i);
                sw_crystal_orientation(&frame, euler, q, principal);
            } else {
                sw_quaternion_from_euler(euler, q);
            }
            part.failed += !finish(step, frame_of(step, i), i, state, q, principal, sum[c], mean);
            if (Finish::MEANS)
                part.add(weight, i, mean, total);
            taken++;
        }
        part.flush(weight, taken, total);
    }
    sw_step_sum_block(total, partial);
}

#endif
