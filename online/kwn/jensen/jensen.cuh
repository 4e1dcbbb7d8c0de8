/* The strategies of Jensen et al. 2016, Table 1, for comparison: rounds (rounds.cuh) whose step is a kernel
 * to set up the equation system, one to solve it, and one to aggregate.
 *
 *     node_first             class i of point n at i N + n; each thread solves one system (Thomas)
 *     class_first            at n P + i; likewise, but neighbouring threads are P elements apart
 *     cusparse_strided       as class_first, solved by gtsv2StridedBatch
 *     cusparse_interleaved   as node_first, solved by gtsvInterleavedBatch
 *
 * Neighbouring threads set up neighbouring classes of a point, as in the paper's section 4.2, in every layout but the
 * last strategy's, which is not the paper's: there rows that lie side by side. */
#ifndef SW_ONLINE_KWN_JENSEN_JENSEN_CUH
#define SW_ONLINE_KWN_JENSEN_JENSEN_CUH

#include "cusparse.cuh"
#include "jensen.h"
#include "online/kwn/cuda/rounds.cuh"

namespace kwn
{

/* The equation system, [N][M][P] or [M][P][N] as the histograms. */
template <class P> struct equations {
    typename P::number *lower, *middle, *upper, *x; /* x: right-hand side, then solution */
    typename P::number *leaving;                    /* [N][M] part of class 0 that dissolves */
};

/* ---- A step of the histograms in three kernels ---- */

/* What leaves class i over the step, in parts of what is left in it: up through face i + 1 or down through
 * face i. */
template <class P, bool UP>
__device__ typename P::number outflow(const rounds<P> &a, const sw_kwn_growth &g, int64_t n, int p, int32_t i,
                                      typename P::number v)
{
    typedef typename P::number number_t;
    if (i < 0 || i >= a.axis.n_padded)
        return 0;
    const number_t width = (number_t)a.axis.inverse_width[i];
    const number_t out = (UP ? (v > 0 ? v : 0) : (v < 0 ? -v : 0)) * width;
    if (!a.second_order || !(out > 0))
        return out;
    auto density = [&](int32_t k) {
        if (k < 0 || k >= a.axis.n_padded)
            return (number_t)0;
        const double nuclei = k == g.source_class       ? g.source * g.source_part
                              : k == g.source_class + 1 ? g.source * (1 - g.source_part)
                                                        : 0;
        return (number_t)((old_of(a, n)[place(a, n, p, k)] + (number_t)nuclei) *
                          (number_t)a.axis.inverse_width[k]);
    };
    const number_t before = density(UP ? i - 1 : i + 1), after = density(UP ? i + 1 : i - 1);
    return out * (number_t)sw_kwn_steepness<typename P::rate>(before, density(i), after, out);
}

/* BY_CLASS: neighbouring threads have neighbouring classes; else neighbouring rows. */
template <class P, bool BY_CLASS> __global__ void set_up_kernel(const rounds<P> a, const equations<P> e)
{
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    SW_GRID_STRIDE (item, a.n_points * a.n_phases * a.axis.n_padded) {
        int64_t n, row = item;
        int p;
        int32_t i;
        if (BY_CLASS) {
            const int64_t system = item / a.axis.n_padded;
            i = (int32_t)(item % a.axis.n_padded);
            p = (int)(system % a.n_phases);
            n = system / a.n_phases;
            row = place(a, n, p, i);
        } else {
            row_of(a, row, &n, &p, &i);
        }
        if (a.state[n] != STEP)
            continue;
        const sw_kwn_growth &g = a.trial[n].growth[p];
        const rate_t speed = (rate_t)g.speed, curvature = (rate_t)g.curvature, driving = (rate_t)g.driving,
                     ratio = (rate_t)g.ratio, limit = (rate_t)g.limit;
        number_t v[2];
        for (int k = 0; k < 2; k++) {
            const rate_t rate = sw_kwn_rate<rate_t>((rate_t)a.axis.inverse_face[i + k], speed, curvature,
                                                    driving, ratio, limit);
            v[k] = (number_t)(i + k >= a.axis.n ? 0 : i + k == 0 && rate > 0 ? 0 : rate);
        }
        const number_t down = outflow<P, false>(a, g, n, p, i, v[0]);
        e.lower[row] = -outflow<P, true>(a, g, n, p, i - 1, v[0]);
        e.middle[row] = 1 + outflow<P, true>(a, g, n, p, i, v[1]) + down;
        e.upper[row] = -outflow<P, false>(a, g, n, p, i + 1, v[1]);
        const double nuclei = i == g.source_class       ? g.source * g.source_part
                              : i == g.source_class + 1 ? g.source * (1 - g.source_part)
                                                        : 0;
        e.x[row] = old_of(a, n)[row] + (number_t)nuclei;
        if (i == 0)
            e.leaving[n * a.n_phases + p] = down;
    }
}

/* Thomas' algorithm for one system of `rows` rows, `stride` numbers apart: x from the right-hand side; upper is
 * used up. The arrays are distinct, so the next rows' numbers may be fetched while this one's are divided. */
template <class number_t>
__device__ inline void thomas(const number_t *__restrict__ lower, const number_t *__restrict__ middle,
                              number_t *__restrict__ upper, number_t *__restrict__ x, int32_t rows,
                              int64_t stride)
{
    int64_t k = 0;
    number_t factor = upper[0] / middle[0], before = x[0] / middle[0];
    upper[0] = factor;
    x[0] = before;
#pragma unroll 4
    for (int32_t i = 1; i < rows; i++) {
        k += stride;
        const number_t scale = 1 / (middle[k] - lower[k] * factor);
        factor = upper[k] * scale;
        before = (x[k] - lower[k] * before) * scale;
        upper[k] = factor;
        x[k] = before;
    }
#pragma unroll 4
    for (int32_t i = rows - 2; i >= 0; i--) {
        k -= stride;
        before = x[k] - upper[k] * before;
        x[k] = before;
    }
}

/* A thread for each system. */
template <class P> __global__ void solve_kernel(const rounds<P> a, const equations<P> e)
{
    SW_GRID_STRIDE (system, a.n_points * a.n_phases) {
        const int64_t n = a.point_order ? system % a.n_points : system / a.n_phases;
        const int p = (int)(a.point_order ? system / a.n_points : system % a.n_phases);
        if (a.state[n] != STEP)
            continue;
        const int64_t k = place(a, n, p, 0);
        thomas(e.lower + k, e.middle + k, e.upper + k, e.x + k, a.axis.n_padded,
               a.point_order ? a.n_points : 1);
    }
}

/* Sums over the classes: a thread for each histogram in point order, a warp in class order. */
template <class P> __global__ void aggregate_kernel(const rounds<P> a, const equations<P> e)
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
        number_t *next = next_of(a, n);
        sw_kwn_sums sums = {0, 0, 0, 0, 0, 0, 0};
        double lowest = 0;
        for (int32_t i = lane; i < a.axis.n; i += width) {
            const int64_t k = place(a, n, p, i);
            number_t x = e.x[k];
            x = x > (number_t)1e-30 ? x : 0;
            next[k] = x;
            const double number = x, rho = a.axis.pivot[i];
            lowest = i == 0 ? number : lowest;
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

enum solver { THOMAS, STRIDED, INTERLEAVED };

template <class P> struct jensen_host {
    rounds_host<P> base; /* the first */
    equations<P> system;
    solver solves;
    cusparseHandle_t handle;
    void *buffer;
    const sw_kwn_cuda_work *gpu;
    cudaEvent_t mark[SW_KWN_KERNELS + 1]; /* before and after the kernels of a step */
};

/* ---- Times of the kernels ---- */

template <class P> sw_status mark(const jensen_host<P> *host, int kernel, cudaStream_t stream)
{
    return host->gpu->kernel_seconds == NULL
               ? SW_OK
               : sw_cuda_status(cudaEventRecord(host->mark[kernel], stream), "mark");
}

template <class P> sw_status add_times(const jensen_host<P> *host)
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

template <class P> sw_status cusparse_open(sw_kwn *kwn, jensen_host<P> *host)
{
    const sw_kwn_cuda_work *gpu = (const sw_kwn_cuda_work *)kwn->work;
    const equations<P> &e = host->system;
    const int m = kwn->axis.n_padded;
    size_t bytes = 0;
    if (kwn->n_points * kwn->alloy.n_phases > INT32_MAX)
        return sw_error(SW_ERR_RANGE, "points = %lld: cuSPARSE counts at most 2^31 - 1 systems",
                        (long long)kwn->n_points);
    SW_TRY(cusparse_status(cusparseCreate(&host->handle), "cusparseCreate"));
    SW_TRY(cusparse_status(cusparseSetStream(host->handle, (cudaStream_t)gpu->stream), "cusparseSetStream"));
    SW_TRY(cusparse_status(
        host->solves == STRIDED
            ? strided_size(host->handle, m, e.lower, e.middle, e.upper, e.x,
                           (int)(kwn->n_points * kwn->alloy.n_phases), &bytes)
            : interleaved_size(host->handle, m, e.lower, e.middle, e.upper, e.x, (int)kwn->n_points, &bytes),
        "buffer size"));
    if (bytes >> 48 != 0) /* its own count ran over */
        return sw_error(SW_ERR_RANGE, "%lld points of %d classes: more than cuSPARSE takes at once",
                        (long long)kwn->n_points, kwn->axis.n);
    char *buffer;
    SW_TRY(SW_CUDA_ALLOCATE(buffer, bytes, "cuSPARSE's buffer"));
    host->buffer = buffer;
    return SW_OK;
}

template <class P> sw_status solve(const jensen_host<P> *host, cudaStream_t stream)
{
    const rounds<P> &a = host->base.arrays;
    const equations<P> &e = host->system;
    const int64_t populations = a.n_points * a.n_phases;
    const int m = a.axis.n_padded;
    if (host->solves == THOMAS) {
        solve_kernel<P><<<sw_blocks_for(populations, 256), 256, 0, stream>>>(a, e);
        return sw_cuda_status(cudaGetLastError(), "solve");
    }
    if (host->solves == STRIDED)
        return cusparse_status(
            strided_solve(host->handle, m, e.lower, e.middle, e.upper, e.x, (int)populations, host->buffer),
            "gtsv2StridedBatch");
    for (int p = 0; p < a.n_phases; p++) {
        const int64_t k = (int64_t)p * m * a.n_points;
        SW_TRY(cusparse_status(interleaved_solve(host->handle, m, e.lower + k, e.middle + k, e.upper + k,
                                                 e.x + k, (int)a.n_points, host->buffer),
                               "gtsvInterleavedBatch"));
    }
    return SW_OK;
}

template <class P> sw_status jensen_step(const rounds_host<P> *base, cudaStream_t stream)
{
    const jensen_host<P> *host = (const jensen_host<P> *)base;
    const rounds<P> &a = base->arrays;
    const int64_t populations = a.n_points * a.n_phases;
    const unsigned blocks = sw_blocks_for(populations * a.axis.n_padded, 256);
    SW_TRY(mark<P>(host, SW_KWN_SET_UP, stream));
    if (host->solves == INTERLEAVED)
        set_up_kernel<P, false><<<blocks, 256, 0, stream>>>(a, host->system);
    else
        set_up_kernel<P, true><<<blocks, 256, 0, stream>>>(a, host->system);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(mark<P>(host, SW_KWN_SOLVE, stream));
    SW_TRY(solve<P>(host, stream));
    SW_TRY(mark<P>(host, SW_KWN_AGGREGATE, stream));
    aggregate_kernel<P>
        <<<sw_blocks_for(populations * (a.point_order ? 1 : 32), 256), 256, 0, stream>>>(a, host->system);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(mark<P>(host, SW_KWN_KERNELS, stream));
    return add_times<P>(host);
}

template <class P> sw_status jensen_open(sw_kwn *kwn, solver solves, int point_order)
{
    const int64_t populations = kwn->n_points * kwn->alloy.n_phases, rows = populations * kwn->axis.n_padded;
    jensen_host<P> *host;
    SW_TRY(SW_ALLOCATE(host, 1, "a strategy"));
    host->base.step = jensen_step<P>;
    host->solves = solves;
    host->gpu = (const sw_kwn_cuda_work *)kwn->work;
    SW_TRY(rounds_open<P>(kwn, &host->base, point_order));
    for (cudaEvent_t &event : host->mark)
        SW_CUDA_TRY(cudaEventCreate(&event));
    equations<P> *e = &host->system;
    SW_TRY(SW_CUDA_ALLOCATE(e->leaving, populations, "sums"));
    SW_TRY(SW_CUDA_ALLOCATE(e->x, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(e->lower, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(e->middle, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(e->upper, rows, "an equation system"));
    return solves == THOMAS ? SW_OK : cusparse_open<P>(kwn, host);
}

template <class P> void jensen_close(sw_kwn *kwn)
{
    jensen_host<P> *host = (jensen_host<P> *)((const sw_kwn_cuda_work *)kwn->work)->host;
    if (host == NULL)
        return;
    rounds_close<P>(&host->base);
    const equations<P> *e = &host->system;
    void *owned[] = {e->leaving, e->x, e->lower, e->middle, e->upper, host->buffer};
    for (void *pointer : owned)
        cudaFree(pointer);
    for (cudaEvent_t event : host->mark)
        if (event != NULL)
            cudaEventDestroy(event);
    if (host->handle != NULL)
        cusparseDestroy(host->handle);
    free(host);
}

template <class P, solver SOLVES, int POINT_ORDER> sw_status open_with(sw_kwn *kwn)
{
    return jensen_open<P>(kwn, SOLVES, POINT_ORDER);
}

template <class P, solver SOLVES, int POINT_ORDER> constexpr sw_kwn_cuda_strategy jensen()
{
    return {POINT_ORDER, open_with<P, SOLVES, POINT_ORDER>, jensen_close<P>, rounds_run<P>, rounds_settle<P>};
}

template <class P> constexpr sw_kwn_cuda_strategy node_first() { return jensen<P, THOMAS, 1>(); }
template <class P> constexpr sw_kwn_cuda_strategy class_first() { return jensen<P, THOMAS, 0>(); }
template <class P> constexpr sw_kwn_cuda_strategy cusparse_strided() { return jensen<P, STRIDED, 0>(); }
template <class P> constexpr sw_kwn_cuda_strategy cusparse_interleaved()
{
    return jensen<P, INTERLEAVED, 1>();
}

} // namespace kwn

#endif
