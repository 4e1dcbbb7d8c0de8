/* The strategy `fused`, few points or short histograms: one launch takes every point to the end of the
 * schedule.
 *
 * A block (for long axes a cluster of up to 16) follows one point at a time. Its histograms stay in shared
 * memory from the first step to the last. Points are drawn from a queue, since some need more steps. */
#ifndef SW_ONLINE_KWN_CUDA_RESIDENT_CUH
#define SW_ONLINE_KWN_CUDA_RESIDENT_CUH

#include "chunks.cuh"

namespace kwn
{

template <class P> struct resident_arguments {
    const sw_kwn_alloy *alloy;
    sw_kwn_axis axis;
    sw_kwn_control control;
    sw_kwn_schedule schedule;
    sw_kwn_point *point;
    typename P::number *histogram; /* [N][M][P] */
    int64_t *queue;                /* next point; first failed one */
    int64_t n_points;
    sw_kwn_flux_order flux;
    chunked_axis<P> chunked;
};

/* What a block has in shared memory, before its histograms. */
template <class P> struct resident_shared {
    sw_kwn_point point;
    sw_kwn_trial trial;
    sw_kwn_sums sums[SW_KWN_PHASES];
    growth_of<P> growth[SW_KWN_PHASES];
    scratch<typename P::number> of_step;
    int64_t index;
    int more;
    sw_kwn_verdict verdict;
};

template <class P, int L, int THREADS, bool CLUSTER> struct resident_point {
    typedef typename P::number number_t;
    typedef slots<P, L> slots_t;

    const resident_arguments<P> &a;
    resident_shared<P> &s;
    number_t *memory; /* [2][M][slots] */
    stepper<P, L, THREADS, CLUSTER> steps;
    int thread, threads, rank, ranks;
    int current; /* which histograms are those of the point */

    __device__ resident_point(const resident_arguments<P> &arguments, resident_shared<P> &shared,
                              number_t *dynamic)
        : a(arguments), s(shared), memory(dynamic), steps(arguments.chunked, shared.of_step),
          thread(steps.thread), threads(steps.threads), rank(steps.rank), ranks(steps.ranks), current(0)
    {
    }

    __device__ void meet() const { steps.meet(); }

    /* Histograms in shared memory, a slot left free after each thread's L: no two threads of a warp share a
     * bank. */
    __device__ number_t *histogram(int which, int phase) const
    {
        return memory + ((size_t)which * a.alloy->n_phases + phase) * threads * (L + 1);
    }
    __device__ static int slot(int i) { return slots_t::slot(i); }
    __device__ int first() const { return rank * threads * L; } /* class of this block */

    __device__ void load()
    {
        const int own = threads * L;
        for (int p = 0; p < a.alloy->n_phases; p++) {
            const number_t *from =
                a.histogram + (s.index * a.alloy->n_phases + p) * a.axis.n_padded + first();
            number_t *to = histogram(0, p);
            for (int i = thread; i < own; i += threads)
                to[slot(i)] = first() + i < a.axis.n_padded ? from[i] : 0;
        }
    }

    __device__ void store() const
    {
        const int own = threads * L;
        for (int p = 0; p < a.alloy->n_phases; p++) {
            number_t *to = a.histogram + (s.index * a.alloy->n_phases + p) * a.axis.n_padded + first();
            const number_t *from = histogram(current, p);
            for (int i = thread; i < own; i += threads)
                if (first() + i < a.axis.n_padded)
                    to[i] = from[slot(i)];
        }
    }

    /* Double or halve the axis of a phase. The old histogram may lie in other blocks of the cluster. */
    struct whole {
        const resident_point *point;
        const number_t *own;
    };
    __device__ static double number_of(const void *histogram, int32_t i)
    {
        const whole *w = (const whole *)histogram;
        const int each = w->point->threads * L;
        if (!CLUSTER)
            return w->own[slot(i)];
        return *in_block(w->own + slot(i % each), i / each);
    }
    __device__ void rescale(int p, int direction)
    {
        const double factor = direction > 0 ? 2 : 0.5;
        const double pinned = factor * s.point.phase[p].scale / a.alloy->phase[p].shearable_radius;
        const whole from = {this, histogram(current, p)};
        number_t *to = histogram(1 - current, p);
        double lost = 0;
        number_t four[4] = {0, 0, 0, 0};
        meet();
        for (int i = thread; i < threads * L; i += threads) {
            const int k = first() + i;
            const double n = k < a.axis.n ? sw_kwn_rescaled(&a.axis, factor, k, &lost, number_of, &from) : 0;
            const double rho = sw_kwn_pivot(&a.axis, k);
            to[slot(i)] = (number_t)n;
            four[0] += (number_t)n;
            four[1] += (number_t)(n * rho);
            four[3] += (number_t)(n * fmin(rho * pinned, 1.0));
        }
        meet();
        for (int i = thread; i < threads * L; i += threads)
            histogram(current, p)[slot(i)] = to[slot(i)];
        steps.gather(four, (number_t)lost, 0, 0, &s.sums[p]); /* `large` holds what was lost */
        meet();
        if (thread == 0)
            sw_kwn_rescaled_state(&s.point.phase[p], factor, &s.sums[p], s.sums[p].large);
        __syncthreads();
    }

    __device__ bool fetch()
    {
        if (thread == 0 && rank == 0) {
            const int64_t index = (int64_t)atomicAdd((unsigned long long *)a.queue, 1ull);
            for (int k = 0; k < ranks; k++)
                if (CLUSTER)
                    *in_block(&s.index, k) = index;
                else
                    s.index = index;
        }
        meet();
        if (s.index >= a.n_points)
            return false;
        const int32_t *from = (const int32_t *)&a.point[s.index];
        for (int i = thread; i < (int)(sizeof(sw_kwn_point) / 4); i += threads)
            ((int32_t *)&s.point)[i] = from[i];
        load();
        __syncthreads();
        current = 0;
        if (thread == 0)
            s.point.knot = 0;
        __syncthreads();
        return true;
    }

    __device__ void follow()
    {
        for (;;) {
            if (thread == 0)
                s.more = sw_kwn_begin(a.alloy, &a.axis, &a.control, &a.schedule, s.index, &s.point, &s.trial);
            __syncthreads();
            if (!s.more)
                break;
            do {
                if (thread < a.alloy->n_phases) {
                    sw_kwn_prepare(a.alloy, &a.axis, &s.point, &s.trial, thread);
                    s.growth[thread].set(s.trial.growth[thread]);
                }
                __syncthreads();
                for (int p = 0; p < a.alloy->n_phases; p++) {
                    steps.step(&s.trial.growth[p].several, a.flux,
                               slots_t{&s.growth[p], histogram(current, p), histogram(1 - current, p)},
                               &s.sums[p]);
                    meet();
                }
                if (thread == 0)
                    s.verdict = sw_kwn_judge(a.alloy, &a.control, &s.point, &s.trial, s.sums);
                __syncthreads();
            } while (s.verdict == SW_KWN_AGAIN);
            if (s.verdict == SW_KWN_DONE) {
                current = 1 - current;
                for (int p = 0; p < a.alloy->n_phases; p++) {
                    const int direction = sw_kwn_rescale(&a.axis, &s.point.phase[p], &s.sums[p]);
                    if (direction != 0)
                        rescale(p, direction);
                }
            }
        }
    }

    __device__ void put_back() const
    {
        store();
        int32_t *to = (int32_t *)&a.point[s.index];
        if (rank == 0)
            for (int i = thread; i < (int)(sizeof(sw_kwn_point) / 4); i += threads)
                to[i] = ((const int32_t *)&s.point)[i];
        if (rank == 0 && thread == 0 && s.point.failed)
            atomicMin((unsigned long long *)&a.queue[1], (unsigned long long)s.index);
        meet();
    }
};

extern __shared__ double dynamic_memory[];

template <class P, int L, int THREADS, bool CLUSTER>
__global__ void __launch_bounds__(THREADS) resident_kernel(const resident_arguments<P> a)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    if (CLUSTER) { /* never launched there: resident_open */
        __trap();
        return;
    }
#endif
    resident_shared<P> &shared = *(resident_shared<P> *)dynamic_memory;
    resident_point<P, L, THREADS, CLUSTER> point(
        a, shared, (typename P::number *)((char *)dynamic_memory + sizeof(resident_shared<P>)));
    point.meet(); /* shared memory of other blocks is there once they have all begun */
    while (point.fetch()) {
        point.follow();
        point.put_back();
    }
}

/* ---- Host side ---- */

template <class P> struct resident_host {
    form of_step;
    chunked_axis<P> chunked;
    void *table;
};

template <class P> using resident_function = void (*)(const resident_arguments<P>);

/* With clusters, in cluster.cu: its code is not the same for all chips, as that of the others is. */
template <class P> resident_function<P> resident_cluster();

/* Only what choose_form can ask for: fewer classes than the most go with many threads, or with one warp. */
template <class P> resident_function<P> resident_function_of(const form &form)
{
    constexpr int MOST = most_classes<P>;
    /* Fewer threads leave more registers to each. */
    if (form.classes == 4)
        return form.threads > 256 ? resident_kernel<P, 4, 1024, false> : resident_kernel<P, 4, 256, false>;
    if constexpr (MOST > 8)
        if (form.classes == 8)
            return resident_kernel<P, 8, 1024, false>;
    return form.blocks > 1      ? resident_cluster<P>()
           : form.threads > 256 ? resident_kernel<P, MOST, 1024, false>
                                : resident_kernel<P, MOST, 256, false>;
}

template <class P> sw_status resident_open(sw_kwn *kwn, int few)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    resident_host<P> *host;
    SW_TRY(SW_ALLOCATE(host, 1, "the fused strategy"));
    gpu->host = host;
    host->of_step = choose_form<P>(kwn->axis.n_padded, few);
    int major = 0;
    SW_CUDA_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, gpu->device));
    if (host->of_step.blocks > (major < 9 ? 1 : 16))
        return sw_error(SW_ERR_RANGE,
                        "classes = %d: the strategy 'fused' takes at most %d in this precision "
                        "on this GPU",
                        kwn->axis.n, (major < 9 ? 1 : 16) * 1024 * host->of_step.classes);
    return make_chunked_axis<P>(&kwn->axis, host->of_step, &host->chunked, &host->table);
}

template <class P> void resident_close(sw_kwn *kwn)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    resident_host<P> *host = (resident_host<P> *)gpu->host;
    if (host != NULL)
        cudaFree(host->table);
    free(host);
}

template <class P> sw_status resident_launch(const sw_kwn *kwn, const resident_arguments<P> &arguments)
{
    const sw_kwn_cuda_work *gpu = (const sw_kwn_cuda_work *)kwn->work;
    const form form = ((const resident_host<P> *)gpu->host)->of_step;
    const resident_function<P> function = resident_function_of<P>(form);
    const size_t bytes = sizeof(resident_shared<P>) + (size_t)2 * kwn->alloy.n_phases * form.threads *
                                                          (form.classes + 1) * sizeof(typename P::number);
    int per_multiprocessor = 0;
    SW_CUDA_TRY(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    SW_CUDA_TRY(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, function, form.threads, bytes));
    if (per_multiprocessor < 1)
        return sw_error(SW_ERR_MEMORY, "GPU: %d phases of %d classes do not fit into a multiprocessor",
                        kwn->alloy.n_phases, kwn->axis.n);
    if (form.blocks > 8)
        SW_CUDA_TRY(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = (unsigned)form.blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    int64_t clusters = (int64_t)gpu->multiprocessors * per_multiprocessor / form.blocks;
    clusters = clusters < 1 ? 1 : clusters > kwn->n_points ? kwn->n_points : clusters;
    config.gridDim = dim3((unsigned)(clusters * form.blocks));
    config.blockDim = dim3((unsigned)form.threads);
    config.dynamicSmemBytes = bytes;
    config.stream = (cudaStream_t)gpu->stream;
    config.attrs = &attribute;
    config.numAttrs = form.blocks > 1 ? 1 : 0;
    return sw_cuda_status(cudaLaunchKernelEx(&config, function, arguments), "resident");
}

template <class P> sw_status resident_run(sw_kwn *kwn, const sw_kwn_schedule *schedule)
{
    const sw_kwn_cuda_work *gpu = (const sw_kwn_cuda_work *)kwn->work;
    const resident_host<P> *host = (const resident_host<P> *)gpu->host;
    const resident_arguments<P> arguments = {gpu->alloy,   gpu->axis,     kwn->options.control,
                                             *schedule,    gpu->point,    (typename P::number *)gpu->number,
                                             gpu->next,    kwn->n_points, kwn->options.flux,
                                             host->chunked};
    return resident_launch<P>(kwn, arguments);
}

} // namespace kwn

#endif
