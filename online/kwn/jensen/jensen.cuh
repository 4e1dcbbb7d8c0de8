/* The strategies of Jensen et al. 2016, Table 1, for comparison: rounds (rounds.cuh) whose step is a kernel
 * to set up the equation system, one to solve it, and one to aggregate.
 *
 *     node_first             class i of point n at i N + n; each thread solves one system (Thomas)
 *     class_first            at n P + i; likewise, but neighbouring threads are P elements apart
 *     cusparse_strided       as class_first, solved by gtsv2StridedBatch
 *     cusparse_interleaved   as node_first, solved by gtsvInterleavedBatch
 *     node_first_packed      as node_first, a row in one element; what a point's rows share through shared memory
 *     class_first_packed     as class_first, likewise
 *
 * Neighbouring threads set up neighbouring classes of a point, as in the paper's section 4.2, in every layout but
 * cusparse_interleaved's, which is not the paper's: there rows that lie side by side. */
#ifndef SW_ONLINE_KWN_JENSEN_JENSEN_CUH
#define SW_ONLINE_KWN_JENSEN_JENSEN_CUH

#include <type_traits>

#include "cusparse.cuh"
#include "jensen.h"
#include "online/kwn/cuda/rounds.cuh"
#include "rows.cuh"

namespace kwn
{

/* The equation system, [N][M][P] or [M][P][N] as the histograms. */
template <class ROWS> struct equations {
    ROWS rows;
    typename ROWS::number *leaving; /* [N][M] part of class 0 that dissolves */
};

/* ---- A step of the histograms in three kernels ---- */

/* What the rows of a system share. */
template <class P> struct shared_inputs {
    sw_kwn_growth growth;
    const typename P::number *old; /* histograms before the step */
    int64_t n;
    int p, steps; /* steps: whether the point takes one */
};

template <class P> __device__ shared_inputs<P> inputs_of(const rounds<P> &a, int64_t n, int p)
{
    return {a.trial[n].growth[p], old_of(a, n), n, p, a.state[n] == STEP};
}

__device__ inline double nuclei_of(const sw_kwn_growth &g, int32_t i)
{
    return i == g.source_class       ? g.source * g.source_part
           : i == g.source_class + 1 ? g.source * (1 - g.source_part)
                                     : 0;
}

/* What leaves class i over the step, in parts of what is left in it: up through face i + 1 or down through
 * face i. */
template <class P, bool UP>
__device__ typename P::number outflow(const rounds<P> &a, const shared_inputs<P> &in, int32_t i,
                                      typename P::number v)
{
    typedef typename P::number number_t;
    if (i < 0 || i >= a.axis.n_padded)
        return 0;
    const number_t width = (number_t)a.axis.inverse_width[i];
    const number_t out = (UP ? (v > 0 ? v : 0) : (v < 0 ? -v : 0)) * width;
    if (a.flux == SW_KWN_FIRST_ORDER || !(out > 0))
        return out;
    auto density = [&](int32_t k) {
        if (k < 0 || k >= a.axis.n_padded)
            return (number_t)0;
        return (number_t)((in.old[place(a, in.n, in.p, k)] + (number_t)nuclei_of(in.growth, k)) *
                          (number_t)a.axis.inverse_width[k]);
    };
    const number_t before = density(UP ? i - 1 : i + 1), after = density(UP ? i + 1 : i - 1);
    return out * (number_t)sw_kwn_steepness<typename P::rate>(before, density(i), after, out);
}

template <class P, class ROWS>
__device__ void set_up_row(const rounds<P> &a, const equations<ROWS> &e, const shared_inputs<P> &in,
                           int32_t i)
{
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    if (!in.steps)
        return;
    const sw_kwn_growth &g = in.growth;
    const rate_t speed = (rate_t)g.speed, curvature = (rate_t)g.curvature, driving = (rate_t)g.driving,
                 ratio = (rate_t)g.ratio, limit = (rate_t)g.limit;
    number_t v[2];
    for (int k = 0; k < 2; k++) {
        const rate_t rate =
            sw_kwn_rate<rate_t>((rate_t)a.axis.inverse_face[i + k], speed, curvature, driving, ratio, limit);
        v[k] = (number_t)(i + k >= a.axis.n ? 0 : i + k == 0 && rate > 0 ? 0 : rate);
    }
    const int64_t row = place(a, in.n, in.p, i);
    const number_t down = outflow<P, false>(a, in, i, v[0]);
    e.rows.set(row, {-outflow<P, true>(a, in, i - 1, v[0]), 1 + outflow<P, true>(a, in, i, v[1]) + down,
                     -outflow<P, false>(a, in, i + 1, v[1]), in.old[row] + (number_t)nuclei_of(g, i)});
    if (i == 0)
        e.leaving[in.n * a.n_phases + in.p] = down;
}

/* Neighbouring threads have neighbouring rows; neighbouring classes; these, with what a system's rows share read once
 * a block. */
enum order { BY_ROW, BY_CLASS, BY_CLASS_SHARED };

/* Of a block, and the systems that their rows are of, at most: histograms have a multiple of 32. */
enum { SET_UP_THREADS = 256, SYSTEMS = SET_UP_THREADS / 32 };

template <class P, order ORDER, class ROWS>
__global__ void set_up_kernel(const rounds<P> a, const equations<ROWS> e)
{
    __shared__ shared_inputs<P> in[SYSTEMS];
    const int64_t systems = a.n_points * a.n_phases, rows = systems * a.axis.n_padded;
    for (int64_t first = (int64_t)blockIdx.x * SET_UP_THREADS; first < rows;
         first += (int64_t)gridDim.x * SET_UP_THREADS) {
        const int64_t item = first + threadIdx.x, system = item / a.axis.n_padded;
        const int64_t lowest = first / a.axis.n_padded, own = lowest + threadIdx.x;
        int32_t i = (int32_t)(item % a.axis.n_padded);
        int64_t n = system / a.n_phases;
        int p = (int)(system % a.n_phases);
        if constexpr (ORDER == BY_CLASS_SHARED) {
            __syncthreads();
            if (threadIdx.x < SYSTEMS && own < systems)
                in[threadIdx.x] = inputs_of(a, own / a.n_phases, (int)(own % a.n_phases));
            __syncthreads();
            if (item < rows)
                set_up_row(a, e, in[system - lowest], i);
        } else {
            if (ORDER == BY_ROW)
                row_of(a, item, &n, &p, &i);
            if (item < rows)
                set_up_row(a, e, inputs_of(a, n, p), i);
        }
    }
}

/* A thread for each system; four blocks a multiprocessor, as many as 2^17 systems fill on an H200. */
template <class P, class ROWS>
__global__ void __launch_bounds__(256, 4) solve_kernel(const rounds<P> a, const equations<ROWS> e)
{
    SW_GRID_STRIDE (system, a.n_points * a.n_phases) {
        const int64_t n = a.point_order ? system % a.n_points : system / a.n_phases;
        const int p = (int)(a.point_order ? system / a.n_points : system % a.n_phases);
        if (a.state[n] == STEP)
            thomas(e.rows, place(a, n, p, 0), a.axis.n_padded, a.point_order ? a.n_points : 1);
    }
}

/* Sums over the classes: a thread for each histogram in point order, a warp in class order. */
template <class P, class ROWS> __global__ void aggregate_kernel(const rounds<P> a, const equations<ROWS> e)
{
    typedef typename P::number number_t;
    const int width = a.point_order ? 1 : 32;
    SW_GRID_STRIDE (item, a.n_points * a.n_phases * width) {
        const int64_t system = item / width;
        const int lane = (int)(item % width);
        const int64_t n = a.point_order ? system % a.n_points : system / a.n_phases;
        const int p = (int)(a.point_order ? system / a.n_points : system % a.n_phases);
        if (a.state[n] != STEP)
            continue;
        const double obstacle = a.trial[n].growth[p].obstacle;
        const number_t few = a.growth[n * a.n_phases + p].few;
        number_t *next = next_of(a, n);
        sw_kwn_sums sums = {0, 0, 0, 0, 0, 0, 0};
        double lowest = 0;
        for (int32_t i = lane; i < a.axis.n; i += width) {
            const int64_t k = place(a, n, p, i);
            const number_t x = e.rows.x_of(k), kept = x > few ? x : 0;
            next[k] = kept;
            const double number = kept, rho = a.axis.pivot[i];
            lowest = i == 0 ? (double)x : lowest; /* what leaves it does so before it counts as empty */
            sums.number += number;
            sums.radius += number * rho;
            sums.volume += number * rho * rho * rho;
            sums.obstacle += number * (rho * obstacle < 1 ? rho * obstacle : 1);
            sums.large += rho > 0.9 ? number : 0;
            sums.upper += rho > 0.3 ? number : 0;
        }
        if (width == 32) {
            double *each[] = {&sums.number,   &sums.radius, &sums.volume,
                              &sums.obstacle, &sums.large,  &sums.upper};
            for (int k = 0; k < 6; k++)
                for (int d = 16; d > 0; d /= 2)
                    *each[k] += __shfl_xor_sync(~0u, *each[k], d);
        }
        sums.dissolved = lowest * e.leaving[n * a.n_phases + p];
        if (lane == 0)
            a.sums[n * a.n_phases + p] = sums;
    }
}

/* ---- Host side ---- */

enum solver { THOMAS, PACKED, STRIDED, INTERLEAVED };

template <class P, solver S> struct jensen_host {
    typedef typename P::number number;
    rounds_host<P> base; /* the first */
    equations<std::conditional_t<S == PACKED, packed_rows<number>, separate_rows<number>>> system;
    cusparseHandle_t handle;
    void *buffer;
    const sw_kwn_cuda_work *gpu;
    cudaEvent_t mark[SW_KWN_KERNELS + 1]; /* before and after the kernels of a step */
};

/* ---- Times of the kernels ---- */

template <class HOST> sw_status mark(const HOST *host, int kernel, cudaStream_t stream)
{
    return host->gpu->kernel_seconds == NULL
               ? SW_OK
               : sw_cuda_status(cudaEventRecord(host->mark[kernel], stream), "mark");
}

template <class HOST> sw_status add_times(const HOST *host)
{
    if (host->gpu->kernel_seconds == NULL)
        return SW_OK;
    SW_CUDA_TRY(cudaEventSynchronize(host->mark[SW_KWN_KERNELS]));
    for (int k = 0; k < SW_KWN_KERNELS; k++) {
        float milliseconds;
        SW_CUDA_TRY(cudaEventElapsedTime(&milliseconds, host->mark[k], host->mark[k + 1]));
        host->gpu->kernel_seconds[k] += 1e-3 * milliseconds;
    }
    return SW_OK;
}

/* ---- cuSPARSE ---- */

template <class P, solver S> sw_status cusparse_open(sw_kwn *kwn, jensen_host<P, S> *host)
{
    const sw_kwn_cuda_work *gpu = (const sw_kwn_cuda_work *)kwn->work;
    const auto &e = host->system.rows;
    const int m = kwn->axis.n_padded;
    size_t bytes = 0;
    if (kwn->n_points * kwn->alloy.n_phases > INT32_MAX)
        return sw_error(SW_ERR_RANGE, "points = %lld: cuSPARSE counts at most 2^31 - 1 systems",
                        (long long)kwn->n_points);
    SW_TRY(cusparse_status(cusparseCreate(&host->handle), "cusparseCreate"));
    SW_TRY(cusparse_status(cusparseSetStream(host->handle, (cudaStream_t)gpu->stream), "cusparseSetStream"));
    SW_TRY(cusparse_status(S == STRIDED ? strided_size(host->handle, m, e.lower, e.middle, e.upper, e.x,
                                                       (int)(kwn->n_points * kwn->alloy.n_phases), &bytes)
                                        : interleaved_size(host->handle, m, e.lower, e.middle, e.upper, e.x,
                                                           (int)kwn->n_points, &bytes),
                           "buffer size"));
    if (bytes >> 48 != 0) /* its own count ran over */
        return sw_error(SW_ERR_RANGE, "%lld points of %d classes: more than cuSPARSE takes at once",
                        (long long)kwn->n_points, kwn->axis.n);
    char *buffer;
    SW_TRY(SW_CUDA_ALLOCATE(buffer, bytes, "cuSPARSE's buffer"));
    host->buffer = buffer;
    return SW_OK;
}

template <class P> sw_status cusparse_solve(const jensen_host<P, STRIDED> *host)
{
    const rounds<P> &a = host->base.arrays;
    const auto &e = host->system.rows;
    return cusparse_status(strided_solve(host->handle, a.axis.n_padded, e.lower, e.middle, e.upper, e.x,
                                         (int)(a.n_points * a.n_phases), host->buffer),
                           "gtsv2StridedBatch");
}

template <class P> sw_status cusparse_solve(const jensen_host<P, INTERLEAVED> *host)
{
    const rounds<P> &a = host->base.arrays;
    const auto &e = host->system.rows;
    for (int p = 0; p < a.n_phases; p++) {
        const int64_t k = (int64_t)p * a.axis.n_padded * a.n_points;
        SW_TRY(cusparse_status(interleaved_solve(host->handle, a.axis.n_padded, e.lower + k, e.middle + k,
                                                 e.upper + k, e.x + k, (int)a.n_points, host->buffer),
                               "gtsvInterleavedBatch"));
    }
    return SW_OK;
}

/* ---- The strategies ---- */

template <class P, solver S> sw_status jensen_step(const rounds_host<P> *base, cudaStream_t stream)
{
    constexpr order ORDER = S == INTERLEAVED ? BY_ROW : S == PACKED ? BY_CLASS_SHARED : BY_CLASS;
    const jensen_host<P, S> *host = (const jensen_host<P, S> *)base;
    const rounds<P> &a = base->arrays;
    const int64_t populations = a.n_points * a.n_phases;
    SW_TRY(mark(host, SW_KWN_SET_UP, stream));
    set_up_kernel<P, ORDER>
        <<<sw_blocks_for(populations * a.axis.n_padded, SET_UP_THREADS), SET_UP_THREADS, 0, stream>>>(
            a, host->system);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(mark(host, SW_KWN_SOLVE, stream));
    if constexpr (S == THOMAS || S == PACKED)
        solve_kernel<<<sw_blocks_for(populations, 256), 256, 0, stream>>>(a, host->system);
    else
        SW_TRY(cusparse_solve(host));
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(mark(host, SW_KWN_AGGREGATE, stream));
    aggregate_kernel<<<sw_blocks_for(populations * (a.point_order ? 1 : 32), 256), 256, 0, stream>>>(
        a, host->system);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(mark(host, SW_KWN_KERNELS, stream));
    return add_times(host);
}

template <class P, solver S, int POINT_ORDER> sw_status jensen_open(sw_kwn *kwn)
{
    const int64_t populations = kwn->n_points * kwn->alloy.n_phases;
    jensen_host<P, S> *host;
    SW_TRY(SW_ALLOCATE(host, 1, "a strategy"));
    host->base.step = jensen_step<P, S>;
    host->gpu = (const sw_kwn_cuda_work *)kwn->work;
    SW_TRY(rounds_open<P>(kwn, &host->base, POINT_ORDER));
    for (cudaEvent_t &event : host->mark)
        SW_CUDA_TRY(cudaEventCreate(&event));
    SW_TRY(SW_CUDA_ALLOCATE(host->system.leaving, populations, "sums"));
    SW_TRY(host->system.rows.open(populations * kwn->axis.n_padded));
    if constexpr (S == STRIDED || S == INTERLEAVED)
        return cusparse_open(kwn, host);
    return SW_OK;
}

template <class P, solver S> void jensen_close(sw_kwn *kwn)
{
    jensen_host<P, S> *host = (jensen_host<P, S> *)((const sw_kwn_cuda_work *)kwn->work)->host;
    if (host == NULL)
        return;
    rounds_close<P>(&host->base);
    host->system.rows.close();
    cudaFree(host->system.leaving);
    cudaFree(host->buffer);
    for (cudaEvent_t event : host->mark)
        if (event != NULL)
            cudaEventDestroy(event);
    if (host->handle != NULL)
        cusparseDestroy(host->handle);
    free(host);
}

template <class P, solver S, int POINT_ORDER> constexpr sw_kwn_cuda_strategy jensen()
{
    return {POINT_ORDER, jensen_open<P, S, POINT_ORDER>, jensen_close<P, S>, rounds_run<P>, rounds_settle<P>};
}

/* From SW_KWN_NODE_FIRST on. */
template <class P>
inline constexpr sw_kwn_cuda_strategy strategies[SW_KWN_JENSEN_STRATEGIES] = {
    jensen<P, THOMAS, 1>(),      jensen<P, THOMAS, 0>(), jensen<P, STRIDED, 0>(),
    jensen<P, INTERLEAVED, 1>(), jensen<P, PACKED, 1>(), jensen<P, PACKED, 0>(),
};

} // namespace kwn

#endif
