/* Strategies that take all points through one sweep at a time, histograms in device memory in between:
 *
 *     control (judge, begin, prepare: a thread a point) ▸ rescale ▸ sweep, and again.
 *
 * `fused` sweeps in one kernel, histogram.cuh. The others are those of Jensen et al. 2016, Table 1, with
 * kernels to set up the equation system, to solve it and to aggregate:
 *
 *     node_first             class i of point n at i N + n; each thread solves one system (Thomas)
 *     class_first            at n P + i; likewise, but neighbouring threads are P elements apart
 *     cusparse_strided       as class_first, solved by gtsv2StridedBatch
 *     cusparse_interleaved   as node_first, solved by gtsvInterleavedBatch
 *
 * A point that has arrived is passed over. */
#include <cusparse.h>

#include "histogram.cuh"

namespace
{

struct rounds {
    const sw_kwn_alloy *alloy;
    sw_kwn_axis axis;
    sw_kwn_control control;
    sw_kwn_schedule schedule;
    sw_kwn_point *point; /* [N] */
    sw_kwn_trial *trial; /* [N] */
    sw_kwn_sums *sums;   /* [N][M] */
    int32_t *state;      /* [N] */
    int32_t *rescaling;  /* [N][M] 1, 0, -1 */
    int64_t *queue;      /* points that still move; first failed one */
    int64_t n_points;
    int second_order, point_order, n_phases;
    /* Histograms, [N][M][P] or [M][P][N]: those of a point are in number[flip], its next ones in the other.
     */
    number_t *number[2];
    int32_t *flip; /* [N] */
    chunked_axis chunked;
    /* The equation system, not for `fused`; likewise. */
    number_t *lower, *middle, *upper, *x; /* x: right-hand side, then solution */
    number_t *leaving;                    /* [N][M] part of class 0 that dissolves */
};

enum { ARRIVED, START, READY, SWEEP, RESCALE }; /* of a point */

__device__ inline int64_t place(const rounds &a, int64_t n, int p, int64_t i)
{
    return a.point_order ? (p * (int64_t)a.axis.n_padded + i) * a.n_points + n
                         : (n * a.n_phases + p) * (int64_t)a.axis.n_padded + i;
}

__device__ inline const number_t *old_of(const rounds &a, int64_t n) { return a.number[a.flip[n]]; }
__device__ inline number_t *next_of(const rounds &a, int64_t n) { return a.number[1 - a.flip[n]]; }


/* A row's point, phase and class: points or classes side by side. */
__device__ inline void row_of(const rounds &a, int64_t row, int64_t *n, int *p, int32_t *i)
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

__device__ inline void judge(const rounds &a, int64_t n)
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

__global__ void control_kernel(const rounds a)
{
    SW_GRID_STRIDE(n, a.n_points)
    {
        if (a.state[n] == SWEEP)
            judge(a, n);
        if (a.state[n] == START &&
            !sw_kwn_begin(a.alloy, &a.axis, &a.control, &a.schedule, n, &a.point[n], &a.trial[n])) {
            a.state[n] = ARRIVED;
            atomicAdd((unsigned long long *)a.queue, ~0ull); /* - 1 */
            if (a.point[n].failed)
                atomicMin((unsigned long long *)&a.queue[1], (unsigned long long)n);
        }
        if (a.state[n] == START || a.state[n] == READY) {
            for (int p = 0; p < a.n_phases; p++)
                sw_kwn_prepare(a.alloy, &a.axis, &a.point[n], &a.trial[n], p);
            a.state[n] = SWEEP;
        }
    }
}

__global__ void start_kernel(const rounds a)
{
    SW_GRID_STRIDE(n, a.n_points)
    {
        a.state[n] = START;
        a.point[n].knot = 0;
    }
}

/* ---- rescale: adaptive axes ---- */

struct histogram_place {
    const rounds *a;
    const number_t *number;
    int64_t n;
    int p;
};

__device__ double number_at(const void *histogram, int32_t i)
{
    const histogram_place *h = (const histogram_place *)histogram;
    return h->number[place(*h->a, h->n, h->p, i)];
}

enum { RESCALE_THREADS = 128 };

/* Sum over a block, in every thread, always in the same order. part [RESCALE_THREADS / 32] shared. */
__device__ double sum_of_block(double x, double *part)
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
__global__ void rescale_kernel(const rounds a)
{
    __shared__ double part[RESCALE_THREADS / 32];
    for (int64_t n = blockIdx.x; n < a.n_points; n += gridDim.x) {
        if (a.state[n] != RESCALE)
            continue;
        number_t *old = a.number[a.flip[n]], *other = next_of(a, n);
        for (int p = 0; p < a.n_phases; p++) {
            const int direction = a.rescaling[n * a.n_phases + p];
            const double factor = direction > 0 ? 2 : 0.5;
            const double pinned = factor * a.point[n].phase[p].scale / a.alloy->phase[p].shearable_radius;
            const histogram_place from = {&a, old, n, p};
            double lost = 0;
            sw_kwn_sums sums = {0, 0, 0, 0, 0, 0, 0};
            if (direction == 0)
                continue;
            for (int32_t i = (int32_t)threadIdx.x; i < a.axis.n; i += RESCALE_THREADS) {
                const double number = sw_kwn_rescaled(&a.axis, factor, i, &lost, number_at, &from);
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

/* ---- sweep in one kernel ---- */

/* A walk of a block over the histograms that are to be swept, all phases of every gridDim.x-th point. */
struct sweep_walk {
    int64_t n;
    int p;
    __device__ sweep_walk(const rounds &a, int64_t first) : n(first), p(0) { skip(a); }
    __device__ void skip(const rounds &a)
    {
        while (n < a.n_points && a.state[n] != SWEEP)
            n += gridDim.x;
    }
    __device__ void step(const rounds &a)
    {
        if (++p < a.n_phases)
            return;
        p = 0;
        n += gridDim.x;
        skip(a);
    }
    __device__ int64_t index(const rounds &a) const { return n * a.n_phases + p; }
};

extern __shared__ uint4 staging[];

template <int L, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) sweep_kernel(const rounds a)
{
    __shared__ sweep_scratch scratch;
    const sweeper<L, false> sweeps(a.chunked, scratch);
    const int64_t length = a.axis.n_padded;
    number_t *room = (number_t *)staging + (threadIdx.x >> 5) * 2 * staged<L>::ROOM;
    staged<L> storage = {NULL, NULL, room, room + staged<L>::ROOM, (int)length, NULL};
    sweep_walk here(a, blockIdx.x), next = here;
    if (here.n < a.n_points)
        storage.bring(old_of(a, here.n) + here.index(a) * length);
    for (; here.n < a.n_points; here = next) {
        next.step(a);
        storage.old = old_of(a, here.n) + here.index(a) * length;
        storage.fresh = next_of(a, here.n) + here.index(a) * length;
        storage.coming = next.n < a.n_points ? old_of(a, next.n) + next.index(a) * length : NULL;
        sweeps.sweep(a.trial[here.n].growth[here.p], a.second_order, storage, &a.sums[here.index(a)]);
        if (blockDim.x == 32)
            __syncwarp();
    }
}

/* ---- sweep in three kernels ---- */

/* What leaves class i over the step, in parts of what is left in it: up through face i + 1 or down through
 * face i. */
template <bool UP>
__device__ inline number_t outflow(const rounds &a, const sw_kwn_growth &g, int64_t n, int p, int32_t i,
                                   number_t v)
{
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
    return out * (number_t)sw_kwn_steepness(before, density(i), after, out);
}

__global__ void set_up_kernel(const rounds a)
{
    SW_GRID_STRIDE(row, a.n_points * a.n_phases * a.axis.n_padded)
    {
        int64_t n;
        int p;
        int32_t i;
        row_of(a, row, &n, &p, &i);
        if (a.state[n] != SWEEP)
            continue;
        const sw_kwn_growth &g = a.trial[n].growth[p];
        const sw_real speed = (sw_real)g.speed, curvature = (sw_real)g.curvature,
                      driving = (sw_real)g.driving, ratio = (sw_real)g.ratio, limit = (sw_real)g.limit;
        number_t v[2];
        for (int k = 0; k < 2; k++) {
            const sw_real rate =
                sw_kwn_rate((sw_real)a.axis.inverse_face[i + k], speed, curvature, driving, ratio, limit);
            v[k] = (number_t)(i + k >= a.axis.n ? 0 : i + k == 0 && rate > 0 ? 0 : rate);
        }
        const number_t down = outflow<false>(a, g, n, p, i, v[0]);
        a.lower[row] = -outflow<true>(a, g, n, p, i - 1, v[0]);
        a.middle[row] = 1 + outflow<true>(a, g, n, p, i, v[1]) + down;
        a.upper[row] = -outflow<false>(a, g, n, p, i + 1, v[1]);
        const double nuclei = i == g.source_class       ? g.source * g.source_part
                              : i == g.source_class + 1 ? g.source * (1 - g.source_part)
                                                        : 0;
        a.x[row] = old_of(a, n)[row] + (number_t)nuclei;
        if (i == 0)
            a.leaving[n * a.n_phases + p] = down;
    }
}

/* Thomas' algorithm, a thread for each system. */
__global__ void solve_kernel(const rounds a)
{
    const int64_t stride = a.point_order ? a.n_points : 1;
    SW_GRID_STRIDE(system, a.n_points * a.n_phases)
    {
        const int64_t n = a.point_order ? system % a.n_points : system / a.n_phases;
        const int p = (int)(a.point_order ? system / a.n_points : system % a.n_phases);
        if (a.state[n] != SWEEP)
            continue;
        int64_t k = place(a, n, p, 0);
        number_t factor = a.upper[k] / a.middle[k], x = a.x[k] / a.middle[k];
        a.upper[k] = factor;
        a.x[k] = x;
        for (int32_t i = 1; i < a.axis.n_padded; i++) {
            k += stride;
            const number_t scale = 1 / (a.middle[k] - a.lower[k] * factor);
            factor = a.upper[k] * scale;
            x = (a.x[k] - a.lower[k] * x) * scale;
            a.upper[k] = factor;
            a.x[k] = x;
        }
        for (int32_t i = a.axis.n_padded - 2; i >= 0; i--) {
            k -= stride;
            x = a.x[k] - a.upper[k] * x;
            a.x[k] = x;
        }
    }
}

/* Sums over the classes: a thread for each histogram in point order, a warp in class order. */
__global__ void aggregate_kernel(const rounds a)
{
    const int width = a.point_order ? 1 : 32;
    SW_GRID_STRIDE(item, a.n_points * a.n_phases * width)
    {
        const int64_t system = item / width;
        const int lane = (int)(item % width);
        const int64_t n = a.point_order ? system % a.n_points : system / a.n_phases;
        const int p = (int)(a.point_order ? system / a.n_points : system % a.n_phases);
        if (a.state[n] != SWEEP)
            continue;
        const double obstacle = a.trial[n].growth[p].obstacle;
        number_t *next = next_of(a, n);
        sw_kwn_sums sums = {0, 0, 0, 0, 0, 0, 0};
        double lowest = 0;
        for (int32_t i = lane; i < a.axis.n; i += width) {
            const int64_t k = place(a, n, p, i);
            number_t x = a.x[k];
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
        sums.dissolved = lowest * a.leaving[n * a.n_phases + p];
        if (lane == 0)
            a.sums[n * a.n_phases + p] = sums;
    }
}

/* ---- Host side ---- */

enum solver { FUSED, THOMAS, STRIDED, INTERLEAVED };

struct rounds_extra {
    rounds arrays;
    solver solves;
    /* FUSED */
    sweep_form form;
    void (*function)(const rounds);
    size_t shared_bytes;
    unsigned blocks;
    void *table;
    /* cuSPARSE */
    cusparseHandle_t handle;
    void *buffer;
};

sw_status cusparse_status(cusparseStatus_t status, const char *call)
{
    return status == CUSPARSE_STATUS_SUCCESS
               ? SW_OK
               : sw_error(status == CUSPARSE_STATUS_ALLOC_FAILED ? SW_ERR_MEMORY : SW_ERR_UNAVAILABLE,
                          "GPU: cuSPARSE: %s (%s)", cusparseGetErrorString(status), call);
}

/* cuSPARSE by the type of number. */
inline cusparseStatus_t strided_size(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x, int n,
                                     size_t *bytes)
{
    return cusparseSgtsv2StridedBatch_bufferSizeExt(h, m, l, d, u, x, n, m, bytes);
}
inline cusparseStatus_t strided_size(cusparseHandle_t h, int m, double *l, double *d, double *u, double *x,
                                     int n, size_t *bytes)
{
    return cusparseDgtsv2StridedBatch_bufferSizeExt(h, m, l, d, u, x, n, m, bytes);
}
inline cusparseStatus_t strided_solve(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                      int n, void *buffer)
{
    return cusparseSgtsv2StridedBatch(h, m, l, d, u, x, n, m, buffer);
}
inline cusparseStatus_t strided_solve(cusparseHandle_t h, int m, double *l, double *d, double *u, double *x,
                                      int n, void *buffer)
{
    return cusparseDgtsv2StridedBatch(h, m, l, d, u, x, n, m, buffer);
}
inline cusparseStatus_t interleaved_size(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                         int n, size_t *bytes)
{
    return cusparseSgtsvInterleavedBatch_bufferSizeExt(h, 0, m, l, d, u, x, n, bytes);
}
inline cusparseStatus_t interleaved_size(cusparseHandle_t h, int m, double *l, double *d, double *u,
                                         double *x, int n, size_t *bytes)
{
    return cusparseDgtsvInterleavedBatch_bufferSizeExt(h, 0, m, l, d, u, x, n, bytes);
}
inline cusparseStatus_t interleaved_solve(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                          int n, void *buffer)
{
    return cusparseSgtsvInterleavedBatch(h, 0, m, l, d, u, x, n, buffer);
}
inline cusparseStatus_t interleaved_solve(cusparseHandle_t h, int m, double *l, double *d, double *u,
                                          double *x, int n, void *buffer)
{
    return cusparseDgtsvInterleavedBatch(h, 0, m, l, d, u, x, n, buffer);
}

/* 0 is Thomas' algorithm in gtsvInterleavedBatch: without pivoting, which these diagonally dominant columns
 * allow. */

sw_status cusparse_open(sw_kwn *kwn, rounds_extra *extra)
{
    const sw_kwn_gpu_work *gpu = (const sw_kwn_gpu_work *)kwn->work;
    const rounds &a = extra->arrays;
    const int m = a.axis.n_padded;
    size_t bytes = 0;
    if (kwn->n_points * a.n_phases > INT32_MAX)
        return sw_error(SW_ERR_RANGE, "points = %lld: cuSPARSE counts at most 2^31 - 1 systems",
                        (long long)kwn->n_points);
    SW_TRY(cusparse_status(cusparseCreate(&extra->handle), "cusparseCreate"));
    SW_TRY(cusparse_status(cusparseSetStream(extra->handle, (cudaStream_t)gpu->stream), "cusparseSetStream"));
    SW_TRY(cusparse_status(
        extra->solves == STRIDED
            ? strided_size(extra->handle, m, a.lower, a.middle, a.upper, a.x,
                           (int)(kwn->n_points * a.n_phases), &bytes)
            : interleaved_size(extra->handle, m, a.lower, a.middle, a.upper, a.x, (int)kwn->n_points, &bytes),
        "buffer size"));
    if (bytes >> 48 != 0) /* its own count ran over */
        return sw_error(SW_ERR_RANGE, "%lld points of %d classes: more than cuSPARSE takes at once",
                        (long long)kwn->n_points, a.axis.n);
    char *buffer;
    SW_TRY(SW_CUDA_ALLOCATE(buffer, bytes, "cuSPARSE's buffer"));
    extra->buffer = buffer;
    return SW_OK;
}

typedef void (*sweep_function)(const rounds);

/* Registers for about 24 warps a multiprocessor: docs/benchmarks.md has what else was tried. Fewer classes
 * than the most go with one warp. */
template <int MOST> sweep_function sweep_of_form(const sweep_form &form)
{
    if (form.classes == 4)
        return sweep_kernel<4, 32, 24>;
    if constexpr (MOST > 8)
        if (form.classes == 8)
            return sweep_kernel<8, 32, 24>;
    return form.threads > 256 ? sweep_kernel<MOST, 1024, 1> : sweep_kernel<MOST, 256, 3>;
}

sw_status choose_sweep(const sw_kwn *kwn, rounds_extra *extra)
{
    const sw_kwn_gpu_work *gpu = (const sw_kwn_gpu_work *)kwn->work;
    const int classes = extra->form.classes, threads = extra->form.threads, warps = threads / 32;
    extra->function = sweep_of_form<MOST_CLASSES>(extra->form);
    const int room_of_warp = classes == 4   ? (int)staged<4>::ROOM
                             : classes == 8 ? (int)staged<8>::ROOM
                                            : (int)staged<MOST_CLASSES>::ROOM;
    extra->shared_bytes = (size_t)(2 * warps * room_of_warp) * sizeof(number_t);
    SW_CUDA_TRY(cudaFuncSetAttribute(extra->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)extra->shared_bytes));
    const int64_t room =
        (int64_t)sw_resident_blocks(extra->function, threads, extra->shared_bytes) * gpu->multiprocessors;
    extra->blocks = (unsigned)(room < kwn->n_points ? room : kwn->n_points);
    return SW_OK;
}

sw_status open_system(sw_kwn *kwn, rounds_extra *extra)
{
    rounds *a = &extra->arrays;
    const int64_t populations = kwn->n_points * kwn->alloy.n_phases, rows = populations * kwn->axis.n_padded;
    SW_TRY(SW_CUDA_ALLOCATE(a->leaving, populations, "sums"));
    SW_TRY(SW_CUDA_ALLOCATE(a->x, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(a->lower, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(a->middle, rows, "an equation system"));
    SW_TRY(SW_CUDA_ALLOCATE(a->upper, rows, "an equation system"));
    return extra->solves == THOMAS ? SW_OK : cusparse_open(kwn, extra);
}

sw_status rounds_open(sw_kwn *kwn, solver solves, int point_order)
{
    sw_kwn_gpu_work *gpu = (sw_kwn_gpu_work *)kwn->work;
    rounds_extra *extra;
    SW_TRY(SW_ALLOCATE(extra, 1, "a strategy"));
    gpu->extra = extra;
    extra->solves = solves;
    rounds *a = &extra->arrays;
    const int64_t populations = kwn->n_points * kwn->alloy.n_phases, rows = populations * kwn->axis.n_padded;
    a->alloy = gpu->alloy;
    a->axis = gpu->axis;
    a->control = kwn->options.control;
    a->point = gpu->point;
    a->queue = gpu->next;
    a->n_points = kwn->n_points;
    a->second_order = kwn->options.second_order;
    a->point_order = point_order;
    a->n_phases = kwn->alloy.n_phases;
    a->number[0] = (number_t *)gpu->number;
    SW_TRY(SW_CUDA_ALLOCATE(a->trial, kwn->n_points, "steps"));
    SW_TRY(SW_CUDA_ALLOCATE(a->sums, populations, "sums"));
    SW_TRY(SW_CUDA_ALLOCATE(a->state, kwn->n_points, "states"));
    SW_TRY(SW_CUDA_ALLOCATE(a->flip, kwn->n_points, "states"));
    SW_TRY(SW_CUDA_ALLOCATE(a->rescaling, populations, "states"));
    SW_TRY(SW_CUDA_ALLOCATE(a->number[1], rows, "new histograms"));
    if (solves != FUSED)
        return open_system(kwn, extra);
    extra->form = choose_form(kwn->axis.n_padded, 0);
    SW_TRY(choose_sweep(kwn, extra));
    return make_chunked_axis(&kwn->axis, extra->form, &a->chunked, &extra->table);
}

void rounds_close(sw_kwn *kwn)
{
    sw_kwn_gpu_work *gpu = (sw_kwn_gpu_work *)kwn->work;
    rounds_extra *extra = (rounds_extra *)gpu->extra;
    if (extra == NULL)
        return;
    const rounds *a = &extra->arrays;
    void *owned[] = {a->trial, a->sums,  a->state,  a->flip,  a->rescaling,  a->number[1], a->leaving,
                     a->x,     a->lower, a->middle, a->upper, extra->buffer, extra->table};
    for (void *pointer : owned)
        cudaFree(pointer);
    if (extra->handle != NULL)
        cusparseDestroy(extra->handle);
    free(extra);
}

sw_status solve(const rounds_extra *extra, unsigned blocks, cudaStream_t stream)
{
    const rounds &a = extra->arrays;
    const int m = a.axis.n_padded;
    if (extra->solves == THOMAS) {
        solve_kernel<<<blocks, 256, 0, stream>>>(a);
        return sw_cuda_status(cudaGetLastError(), "solve");
    }
    if (extra->solves == STRIDED)
        return cusparse_status(strided_solve(extra->handle, m, a.lower, a.middle, a.upper, a.x,
                                             (int)(a.n_points * a.n_phases), extra->buffer),
                               "gtsv2StridedBatch");
    for (int p = 0; p < a.n_phases; p++) {
        const int64_t k = (int64_t)p * m * a.n_points;
        SW_TRY(cusparse_status(interleaved_solve(extra->handle, m, a.lower + k, a.middle + k, a.upper + k,
                                                 a.x + k, (int)a.n_points, extra->buffer),
                               "gtsvInterleavedBatch"));
    }
    return SW_OK;
}

sw_status sweep_fused(const rounds_extra *extra, cudaStream_t stream)
{
    extra->function<<<extra->blocks, (unsigned)extra->form.threads, extra->shared_bytes, stream>>>(
        extra->arrays);
    return sw_cuda_status(cudaGetLastError(), "sweep");
}

sw_status sweep_in_parts(const rounds_extra *extra, cudaStream_t stream)
{
    const rounds &a = extra->arrays;
    const int64_t populations = a.n_points * a.n_phases;
    set_up_kernel<<<sw_blocks_for(populations * a.axis.n_padded, 256), 256, 0, stream>>>(a);
    SW_CUDA_TRY_LAUNCH();
    SW_TRY(solve(extra, sw_blocks_for(populations, 256), stream));
    aggregate_kernel<<<sw_blocks_for(populations * (a.point_order ? 1 : 32), 256), 256, 0, stream>>>(a);
    return sw_cuda_status(cudaGetLastError(), "aggregate");
}

sw_status do_round(const rounds_extra *extra, cudaStream_t stream)
{
    const rounds &a = extra->arrays;
    control_kernel<<<sw_blocks_for(a.n_points, 256), 256, 0, stream>>>(a);
    SW_CUDA_TRY_LAUNCH();
    if (a.axis.kind == SW_AXIS_ADAPTIVE) {
        rescale_kernel<<<sw_blocks_for(a.n_points * 64, 256), RESCALE_THREADS, 0, stream>>>(a);
        SW_CUDA_TRY_LAUNCH();
    }
    return extra->solves == FUSED ? sweep_fused(extra, stream) : sweep_in_parts(extra, stream);
}

/* Every histogram back into number[0], where the host looks for it. */
__global__ void settle_kernel(const rounds a)
{
    SW_GRID_STRIDE(row, a.n_points * a.n_phases * a.axis.n_padded)
    {
        int64_t n;
        int p;
        int32_t i;
        row_of(a, row, &n, &p, &i);
        if (a.flip[n] == 1)
            a.number[0][row] = a.number[1][row];
    }
}

__global__ void settled_kernel(const rounds a)
{
    SW_GRID_STRIDE(n, a.n_points)
    a.flip[n] = 0;
}

sw_status rounds_run(sw_kwn *kwn, const sw_kwn_schedule *schedule)
{
    sw_kwn_gpu_work *gpu = (sw_kwn_gpu_work *)kwn->work;
    rounds_extra *extra = (rounds_extra *)gpu->extra;
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    int64_t moving = kwn->n_points;
    extra->arrays.schedule = *schedule;
    SW_CUDA_TRY(cudaMemcpyAsync(gpu->next, &moving, sizeof moving, cudaMemcpyHostToDevice, stream));
    start_kernel<<<sw_blocks_for(kwn->n_points, 256), 256, 0, stream>>>(extra->arrays);
    SW_CUDA_TRY_LAUNCH();
    /* Looking costs a few microseconds: every sixteenth sweep, more often at first. */
    for (int64_t sweep = 1; moving > 0; sweep++) {
        SW_TRY(do_round(extra, stream));
        if (sweep > 16 && sweep % 16 != 0)
            continue;
        SW_CUDA_TRY(cudaMemcpyAsync(&moving, gpu->next, sizeof moving, cudaMemcpyDeviceToHost, stream));
        SW_CUDA_TRY(cudaStreamSynchronize(stream));
        SW_TRY(sw_interrupt_check());
    }
    return SW_OK;
}

sw_status rounds_settle(sw_kwn *kwn)
{
    sw_kwn_gpu_work *gpu = (sw_kwn_gpu_work *)kwn->work;
    const rounds &a = ((const rounds_extra *)gpu->extra)->arrays;
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    settle_kernel<<<sw_blocks_for(a.n_points * a.n_phases * a.axis.n_padded, 256), 256, 0, stream>>>(a);
    settled_kernel<<<sw_blocks_for(a.n_points, 256), 256, 0, stream>>>(a);
    SW_CUDA_TRY_LAUNCH();
    return sw_cuda_status(cudaStreamSynchronize(stream), "settle");
}

sw_status node_first_open(sw_kwn *kwn) { return rounds_open(kwn, THOMAS, 1); }
sw_status class_first_open(sw_kwn *kwn) { return rounds_open(kwn, THOMAS, 0); }
sw_status strided_open(sw_kwn *kwn) { return rounds_open(kwn, STRIDED, 0); }
sw_status interleaved_open(sw_kwn *kwn) { return rounds_open(kwn, INTERLEAVED, 1); }

} // namespace
