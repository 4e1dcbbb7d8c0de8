/* The strategy `fused`: resident.cuh for few points, whose steps follow each other without a launch between,
 * and for histograms that need several blocks; rounds.cuh for many, whose scalar work then runs side by side,
 * with a kernel that steps their histograms. */
#ifndef SW_ONLINE_KWN_CUDA_FUSED_CUH
#define SW_ONLINE_KWN_CUDA_FUSED_CUH

#include "resident.cuh"
#include "rounds.cuh"

namespace kwn
{

/* ---- A step of many histograms in one kernel ---- */

/* A walk of a block over the histograms that want a step, all phases of every gridDim.x-th point. What there is of the point after
 * is fetched ahead. */
template <class P> struct walk {
    int n, p, flip, state_ahead, flip_ahead; /* a point takes some kB: there are fewer than 2^31 */
    __device__ walk(const rounds<P> &a, int first) : n(first), p(0)
    {
        look(a, n);
        skip(a);
    }
    __device__ void look(const rounds<P> &a, int at)
    {
        state_ahead = at < a.n_points ? a.state[at] : (int)STEP;
        flip_ahead = at < a.n_points ? a.flip[at] : 0;
    }
    __device__ void skip(const rounds<P> &a)
    {
        while (state_ahead != STEP) {
            n += (int)gridDim.x;
            look(a, n);
        }
        flip = flip_ahead;
        look(a, n + (int)gridDim.x);
    }
    __device__ void step(const rounds<P> &a)
    {
        if (++p < a.n_phases)
            return;
        p = 0;
        n += (int)gridDim.x;
        skip(a);
    }
    __device__ int64_t index(const rounds<P> &a) const { return (int64_t)n * a.n_phases + p; }
};

extern __shared__ uint4 staging[];

template <class P> struct many_arguments : rounds<P> {
    chunked_axis<P> chunked;
};

/* A kernel for each order: one for all would have the registers of the third. */
template <class P, sw_kwn_flux_order ORDER, int L, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) step_kernel(const many_arguments<P> a)
{
    typedef typename P::number number_t;
    typedef staged<P, L> staged_t;
    __shared__ scratch<number_t> shared;
    __shared__ growth_of<P> growths[THREADS / 32];
    if (a.queue[0] == 0) /* all have arrived: to look at each takes longer */
        return;
    const stepper<P, L, THREADS, false> steps(a.chunked, shared);
    const int64_t length = a.axis.n_padded;
    const int warp = threadIdx.x >> 5;
    number_t *room = (number_t *)staging + warp * 2 * staged_t::ROOM;
    const auto source_of = [&](const walk<P> &at) {
        return at.n < a.n_points ? typename staged_t::source{a.number[at.flip] + at.index(a) * length,
                                                             a.growth + at.index(a)}
                                 : typename staged_t::source{NULL, NULL};
    };
    walk<P> here(a, (int)blockIdx.x), next = here;
    staged_t storage = {source_of(here),       NULL,           {NULL, NULL}, room,
                        room + staged_t::ROOM, &growths[warp], (int)length};
    if (here.n < a.n_points)
        storage.bring(storage.from);
    for (; here.n < a.n_points; here = next) {
        next.step(a);
        storage.fresh = a.number[1 - here.flip] + here.index(a) * length;
        storage.coming = source_of(next);
        steps.template step_of_order<ORDER>(&a.trial[here.n].growth[here.p].several, storage,
                                            &a.sums[here.index(a)]);
        storage.from = storage.coming;
        if (blockDim.x == 32)
            __syncwarp();
    }
}

/* ---- Many points, on the host ---- */

template <class P> using step_function = void (*)(const many_arguments<P>);

template <class P> struct many_host {
    rounds_host<P> base; /* the first */
    form of_step;
    chunked_axis<P> chunked;
    step_function<P> function;
    size_t shared_bytes;
    unsigned blocks;
    void *table;
};

/* Registers for about 24 warps a multiprocessor, and for 32 of the few that first order in single precision takes: bench/LOG.md has
 * what else was tried. Fewer classes than the most go with one warp. */
template <class P, sw_kwn_flux_order ORDER> step_function<P> step_function_in(const form &form)
{
    constexpr int MOST = most_classes<P>,
                  BLOCKS = ORDER == SW_KWN_FIRST_ORDER && sizeof(typename P::rate) == 4 ? 4 : 3;
    if (form.classes == 4)
        return step_kernel<P, ORDER, 4, 32, 24>;
    if constexpr (MOST > 8)
        if (form.classes == 8)
            return step_kernel<P, ORDER, 8, 32, 24>;
    return form.threads > 256 ? step_kernel<P, ORDER, MOST, 1024, 1>
                              : step_kernel<P, ORDER, MOST, 256, BLOCKS>;
}

template <class P> step_function<P> step_function_of(const form &form, sw_kwn_flux_order flux)
{
    return flux == SW_KWN_THIRD_ORDER    ? step_function_in<P, SW_KWN_THIRD_ORDER>(form)
           : flux == SW_KWN_SECOND_ORDER ? step_function_in<P, SW_KWN_SECOND_ORDER>(form)
                                         : step_function_in<P, SW_KWN_FIRST_ORDER>(form);
}

template <class P> sw_status choose_step(const sw_kwn *kwn, many_host<P> *host)
{
    typedef typename P::number number_t;
    const sw_kwn_cuda_work *gpu = (const sw_kwn_cuda_work *)kwn->work;
    const int classes = host->of_step.classes, threads = host->of_step.threads, warps = threads / 32;
    host->function = step_function_of<P>(host->of_step, kwn->options.flux);
    const int room_of_warp = classes == 4   ? (int)staged<P, 4>::ROOM
                             : classes == 8 ? (int)staged<P, 8>::ROOM
                                            : (int)staged<P, most_classes<P>>::ROOM;
    host->shared_bytes = (size_t)(2 * warps * room_of_warp) * sizeof(number_t);
    SW_CUDA_TRY(cudaFuncSetAttribute(host->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)host->shared_bytes));
    const int64_t room =
        (int64_t)sw_resident_blocks(host->function, threads, host->shared_bytes) * gpu->multiprocessors;
    host->blocks = (unsigned)(room < kwn->n_points ? room : kwn->n_points);
    return SW_OK;
}

template <class P> sw_status many_step(const rounds_host<P> *base, cudaStream_t stream)
{
    const many_host<P> *host = (const many_host<P> *)base;
    host->function<<<host->blocks, (unsigned)host->of_step.threads, host->shared_bytes, stream>>>(
        many_arguments<P>{base->arrays, host->chunked});
    return sw_cuda_status(cudaGetLastError(), "a step of the histograms");
}

template <class P> sw_status many_open(sw_kwn *kwn)
{
    many_host<P> *host;
    SW_TRY(SW_ALLOCATE(host, 1, "the fused strategy"));
    host->base.step = many_step<P>;
    SW_TRY(rounds_open<P>(kwn, &host->base, 0));
    host->of_step = choose_form<P>(kwn->axis.n_padded, 0);
    SW_TRY(choose_step<P>(kwn, host));
    return make_chunked_axis<P>(&kwn->axis, host->of_step, &host->chunked, &host->table);
}

template <class P> void many_close(sw_kwn *kwn)
{
    many_host<P> *host = (many_host<P> *)((const sw_kwn_cuda_work *)kwn->work)->host;
    if (host == NULL)
        return;
    rounds_close<P>(&host->base);
    cudaFree(host->table);
    free(host);
}

/* ---- The strategy ---- */

/* Rounds are faster from so many classes in all on (bench/LOG.md), but not for few points. */
const int64_t MANY_CLASSES = INT64_C(1) << 21, FEW_POINTS = 2048;

inline int is_resident(const sw_kwn *kwn) { return ((const sw_kwn_cuda_work *)kwn->work)->resident; }

template <class P> sw_status fused_open(sw_kwn *kwn)
{
    sw_kwn_cuda_work *gpu = (sw_kwn_cuda_work *)kwn->work;
    int multiprocessors = 0;
    SW_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, gpu->device));
    gpu->resident = kwn->n_points < FEW_POINTS || kwn->n_points * kwn->axis.n_padded < MANY_CLASSES ||
                    choose_form<P>(kwn->axis.n_padded, 0).blocks > 1;
    return gpu->resident ? resident_open<P>(kwn, kwn->n_points < 2 * multiprocessors) : many_open<P>(kwn);
}

template <class P> void fused_close(sw_kwn *kwn)
{
    if (is_resident(kwn))
        resident_close<P>(kwn);
    else
        many_close<P>(kwn);
}

template <class P> sw_status fused_run(sw_kwn *kwn, const sw_kwn_schedule *schedule)
{
    return is_resident(kwn) ? resident_run<P>(kwn, schedule) : rounds_run<P>(kwn, schedule);
}

template <class P> sw_status fused_settle(sw_kwn *kwn)
{
    return is_resident(kwn) ? SW_OK : rounds_settle<P>(kwn);
}

template <class P> constexpr sw_kwn_cuda_strategy fused()
{
    return {0, fused_open<P>, fused_close<P>, fused_run<P>, fused_settle<P>};
}

} // namespace kwn

#endif
