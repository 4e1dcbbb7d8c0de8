/* Strategies that take all points a step of the histograms at a time, which lie in device memory in between:
 *
 *     control (judge, begin, prepare: a thread a point) ▸ rescale ▸ a step, the strategy's own; and again.
 *
 * A point that has arrived is passed over. */
#ifndef SW_ONLINE_KWN_CUDA_ROUNDS_CUH
#define SW_ONLINE_KWN_CUDA_ROUNDS_CUH

#include "common/system/progress.h"
#include "chunks.cuh"

namespace kwn
{

template <class P> struct rounds {
    const sw_kwn_alloy *alloy;
    sw_kwn_axis axis;
    sw_kwn_control control;
    sw_kwn_schedule schedule;
    sw_kwn_point *point;  /* [N] */
    sw_kwn_trial *trial;  /* [N] */
    sw_kwn_sums *sums;    /* [N][M] */
    growth_of<P> *growth; /* [N][M] the trial's, for the histograms */
    int32_t *state;       /* [N] */
    int32_t *rescaling;   /* [N][M] 1, 0, -1 */
    int64_t *queue;       /* points that still move; first failed one */
    int64_t n_points;
    int point_order, n_phases;
    sw_kwn_flux_order flux;
    /* Histograms, [N][M][P] or [M][P][N]: those of a point are in number[flip], its next ones in the other.
     */
    typename P::number *number[2];
    int32_t *flip; /* [N] */
};

enum { ARRIVED, START, READY, STEP, RESCALE }; /* of a point */

template <class P> __device__ int64_t place(const rounds<P> &a, int64_t n, int p, int64_t i)
{
    return a.point_order ? (p * (int64_t)a.axis.n_padded + i) * a.n_points + n
                         : (n * a.n_phases + p) * (int64_t)a.axis.n_padded + i;
}

template <class P> __device__ const typename P::number *old_of(const rounds<P> &a, int64_t n)
{
    return a.number[a.flip[n]];
}
template <class P> __device__ typename P::number *next_of(const rounds<P> &a, int64_t n)
{
    return a.number[1 - a.flip[n]];
}

/* A row's point, phase and class: points or classes side by side. */
template <class P> __device__ void row_of(const rounds<P> &a, int64_t row, int64_t *n, int *p, int32_t *i)
{
    if (a.point_order) {
        *n = row % a.n_points;
        row /= a.n_points;
        *i = (int32_t)(row % a.axis.n_padded);
        *p = (int)(row / a.axis.n_padded);
    } else {
        *i = (int32_t)(row % a.axis.n_padded);
        row /= a.axis.n_padded;
        *p = (int)(row % a.n_phases);
        *n = row / a.n_phases;
    }
}

/* ---- control ---- */

template <class P> __device__ void judge(const rounds<P> &a, int64_t n)
{
    const sw_kwn_sums *sums = a.sums + n * a.n_phases;
    const sw_kwn_verdict verdict = sw_kwn_judge(a.alloy, &a.control, &a.point[n], &a.trial[n], sums);
    a.state[n] = verdict == SW_KWN_AGAIN ? READY : START;
    if (verdict != SW_KWN_DONE)
        return;
    a.flip[n] = 1 - a.flip[n];
    for (int p = 0; p < a.n_phases; p++) {
        a.rescaling[n * a.n_phases + p] = sw_kwn_rescale(&a.axis, &a.point[n].phase[p], &sums[p]);
        if (a.rescaling[n * a.n_phases + p] != 0)
            a.state[n] = RESCALE;
    }
}

template <class P> __global__ void control_kernel(const rounds<P> a)
{
    SW_GRID_STRIDE (n, a.n_points) {
        if (a.state[n] == STEP)
            judge(a, n);
        if (a.state[n] == START &&
            !sw_kwn_begin(a.alloy, &a.axis, &a.control, &a.schedule, n, &a.point[n], &a.trial[n])) {
            a.state[n] = ARRIVED;
            atomicAdd((unsigned long long *)a.queue, ~0ull); /* - 1 */
            if (a.point[n].failed)
                atomicMin((unsigned long long *)&a.queue[1], (unsigned long long)n);
        }
        if (a.state[n] == START || a.state[n] == READY) {
            for (int p = 0; p < a.n_phases; p++) {
                sw_kwn_prepare(a.alloy, &a.axis, &a.point[n], &a.trial[n], p);
                a.growth[n * a.n_phases + p].set(a.trial[n].growth[p]);
            }
            a.state[n] = STEP;
        }
    }
}

template <class P> __global__ void start_kernel(const rounds<P> a)
{
    SW_GRID_STRIDE (n, a.n_points) {
        a.state[n] = START;
        a.point[n].knot = 0;
    }
}

/* ---- rescale: adaptive axes ---- */

template <class P> struct histogram_place {
    const rounds<P> *a;
    const typename P::number *number;
    int64_t n;
    int p;
};

template <class P> __device__ double number_at(const void *histogram, int32_t i)
{
    const histogram_place<P> *h = (const histogram_place<P> *)histogram;
    return h->number[place(*h->a, h->n, h->p, i)];
}

enum { RESCALE_THREADS = 128 };

/* Sum over a block, in every thread, always in the same order. part [RESCALE_THREADS / 32] shared. */
__device__ inline double sum_of_block(double x, double *part)
{
    for (int d = 16; d > 0; d /= 2)
        x += __shfl_xor_sync(~0u, x, d);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = x;
    __syncthreads();
    double sum = 0;
    for (int w = 0; w < RESCALE_THREADS / 32; w++)
        sum += part[w];
    return sum;
}

/* A block for each point whose axis is to be doubled or halved; by way of its other histogram. */
template <class P> __global__ void rescale_kernel(const rounds<P> a)
{
    typedef typename P::number number_t;
    __shared__ double part[RESCALE_THREADS / 32];
    for (int64_t n = blockIdx.x; n < a.n_points; n += gridDim.x) {
        if (a.state[n] != RESCALE)
            continue;
        number_t *old = a.number[a.flip[n]], *other = next_of(a, n);
        for (int p = 0; p < a.n_phases; p++) {
            const int direction = a.rescaling[n * a.n_phases + p];
            const double factor = direction > 0 ? 2 : 0.5;
            const double pinned = factor * a.point[n].phase[p].scale / a.alloy->phase[p].shearable_radius;
            const histogram_place<P> from = {&a, old, n, p};
            double lost = 0;
            sw_kwn_sums sums = {0, 0, 0, 0, 0, 0, 0};
            if (direction == 0)
                continue;
            for (int32_t i = (int32_t)threadIdx.x; i < a.axis.n; i += RESCALE_THREADS) {
                const double number = sw_kwn_rescaled(&a.axis, factor, i, &lost, number_at<P>, &from);
                const double rho = sw_kwn_pivot(&a.axis, i);
                other[place(a, n, p, i)] = (number_t)number;
                sums.number += number;
                sums.radius += number * rho;
                sums.obstacle += number * fmin(rho * pinned, 1.0);
            }
            lost = sum_of_block(lost, part);
            sums.number = sum_of_block(sums.number, part);
            sums.radius = sum_of_block(sums.radius, part);
            sums.obstacle = sum_of_block(sums.obstacle, part);
            for (int32_t i = (int32_t)threadIdx.x; i < a.axis.n; i += RESCALE_THREADS)
                old[place(a, n, p, i)] = other[place(a, n, p, i)];
            if (threadIdx.x == 0)
                sw_kwn_rescaled_state(&a.point[n].phase[p], factor, &sums, lost);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            a.state[n] = START;
        __syncthreads();
    }
}

/* ---- Host side ---- */

/* The first part of what a strategy has in host memory. */
template <class P> struct rounds_host {
    rounds<P> arrays;
    /* Launch what steps the histograms of all points that want it, and sums them up. */
    sw_status (*step)(const rounds_host *host, cudaStream_t stream);
};

/* Into a zeroed host; what there is goes with rounds_close, whether this failed or not. */
template <class P> sw_status rounds_open(sw_kwn *kwn, rounds_host<P> *host, int point_order)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    rounds<P> *a = &host->arrays;
    const int64_t populations = kwn->n_points * kwn->alloy.n_phases, rows = populations * kwn->axis.n_padded;
    gpu->host = host;
    a->alloy = gpu->alloy;
    a->axis = gpu->axis;
    a->control = kwn->options.control;
    a->point = gpu->point;
    a->queue = gpu->next;
    a->n_points = kwn->n_points;
    a->flux = kwn->options.flux;
    a->point_order = point_order;
    a->n_phases = kwn->alloy.n_phases;
    a->number[0] = (typename P::number *)gpu->number;
    SW_TRY(SW_CUDA_ALLOCATE(a->trial, kwn->n_points, "steps"));
    SW_TRY(SW_CUDA_ALLOCATE(a->sums, populations, "sums"));
    SW_TRY(SW_CUDA_ALLOCATE(a->growth, populations, "steps"));
    SW_TRY(SW_CUDA_ALLOCATE(a->state, kwn->n_points, "states"));
    SW_TRY(SW_CUDA_ALLOCATE(a->flip, kwn->n_points, "states"));
    SW_TRY(SW_CUDA_ALLOCATE(a->rescaling, populations, "states"));
    return SW_CUDA_ALLOCATE(a->number[1], rows, "new histograms");
}

template <class P> void rounds_close(const rounds_host<P> *host)
{
    const rounds<P> *a = &host->arrays;
    void *owned[] = {a->trial, a->sums, a->growth, a->state, a->flip, a->rescaling, a->number[1]};
    for (void *pointer : owned)
        cudaFree(pointer);
}

template <class P> sw_status do_round(const rounds_host<P> *host, cudaStream_t stream)
{
    const rounds<P> &a = host->arrays;
    control_kernel<P><<<sw_blocks_for(a.n_points, 256), 256, 0, stream>>>(a);
    SW_CUDA_TRY_LAUNCH();
    if (a.axis.kind == SW_AXIS_ADAPTIVE) {
        rescale_kernel<P><<<sw_blocks_for(a.n_points * 64, 256), RESCALE_THREADS, 0, stream>>>(a);
        SW_CUDA_TRY_LAUNCH();
    }
    return host->step(host, stream);
}

/* Every histogram back into number[0], where the host looks for it. */
template <class P> __global__ void settle_kernel(const rounds<P> a)
{
    SW_GRID_STRIDE (row, a.n_points * a.n_phases * a.axis.n_padded) {
        int64_t n;
        int p;
        int32_t i;
        row_of(a, row, &n, &p, &i);
        if (a.flip[n] == 1)
            a.number[0][row] = a.number[1][row];
    }
}

template <class P> __global__ void settled_kernel(const rounds<P> a)
{
    SW_GRID_STRIDE (n, a.n_points)
        a.flip[n] = 0;
}

template <class P> sw_status rounds_run(sw_kwn *kwn, const sw_kwn_schedule *schedule)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    rounds_host<P> *host = (rounds_host<P> *)gpu->host;
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    int64_t moving = kwn->n_points;
    host->arrays.schedule = *schedule;
    SW_CUDA_TRY(cudaMemcpyAsync(gpu->next, &moving, sizeof moving, cudaMemcpyHostToDevice, stream));
    start_kernel<P><<<sw_blocks_for(kwn->n_points, 256), 256, 0, stream>>>(host->arrays);
    SW_CUDA_TRY_LAUNCH();
    /* Looking costs a few microseconds: every sixteenth round, more often at first. */
    for (int64_t round = 1; moving > 0; round++) {
        SW_TRY(do_round<P>(host, stream));
        if (round > 16 && round % 16 != 0)
            continue;
        SW_CUDA_TRY(cudaMemcpyAsync(&moving, gpu->next, sizeof moving, cudaMemcpyDeviceToHost, stream));
        SW_CUDA_TRY(cudaStreamSynchronize(stream));
        SW_TRY(sw_interrupt_check());
    }
    return SW_OK;
}

template <class P> sw_status rounds_settle(sw_kwn *kwn)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    const rounds<P> &a = ((const rounds_host<P> *)gpu->host)->arrays;
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    settle_kernel<P><<<sw_blocks_for(a.n_points * a.n_phases * a.axis.n_padded, 256), 256, 0, stream>>>(a);
    settled_kernel<P><<<sw_blocks_for(a.n_points, 256), 256, 0, stream>>>(a);
    SW_CUDA_TRY_LAUNCH();
    return sw_cuda_status(cudaStreamSynchronize(stream), "settle");
}

} // namespace kwn

#endif
