/* The step and the evaluation of crystals on a GPU, for any solver that looks a crystal's response up: a type
 * Lookup, passed by value, with
 *
 *     __device__ bool operator()(const float orientation[4], float theta, float (&output)[C]) const // C: 9, or as Finish has it 13
 *     static constexpr int BLOCKS = ...; // on a multiprocessor: its registers shall leave room for them
 *
 * (principal frame, theta in turns; false: no answer), with stresses over `float scale() const`, if it has that; and for one that steps by itself, a type Work with
 *
 *     __device__ bool operator()(const sw_step &step, int64_t i, float mean[SW_MEANS]) const
 *     static constexpr int BLOCKS = ...;
 *     static constexpr bool MEANS = ...; // whether there is any
 *
 * that does all there is to do with crystal i, and adds what means are made of to zeros. Dimensions: N crystals,
 * B blocks. */
#ifndef SW_ONLINE_RESPONSE_STEP_STEP_KERNEL_CUH
#define SW_ONLINE_RESPONSE_STEP_STEP_KERNEL_CUH

#include "common/math/lanes_float.h"

#include "crystal_update.h"

#include "online/gpu/launch.cuh"
#include <type_traits>
#include "solver.h"

enum { SW_STEP_THREADS = 256 };

static_assert(sizeof(sw_crystal) == sizeof(float4), "a crystal is loaded as one float4");

/* Each crystal passes through once: not to stay in the cache, where the table is. */
__device__ static inline float4 sw_crystal_load(const sw_crystal *crystal)
{
    return __ldcs(reinterpret_cast<const float4 *>(crystal));
}

__device__ static inline void sw_crystal_store(sw_crystal *crystal, const float euler[3],
                                               float slip_resistance)
{
    __stcs(reinterpret_cast<float4 *>(crystal), make_float4(euler[0], euler[1], euler[2], slip_resistance));
}

/* A block's sums, in an order that depends on nothing but the launch, to partial [B][SW_SUMS]. */
__device__ static inline void sw_step_sum_block(const double sum[SW_SUMS], double *partial)
{
    __shared__ double warp_sum[SW_SUMS][SW_STEP_THREADS / 32];
    for (int k = 0; k < SW_SUMS; k++) {
        double s = sum[k];
        for (int offset = 16; offset > 0; offset /= 2)
            s += __shfl_down_sync(0xffffffffU, s, offset);
        if (threadIdx.x % 32 == 0)
            warp_sum[k][threadIdx.x / 32] = s;
    }
    __syncthreads();
    if (threadIdx.x < SW_SUMS) {
        double s = 0;
        for (int w = 0; w < SW_STEP_THREADS / 32; w++)
            s += warp_sum[threadIdx.x][w];
        partial[(int64_t)blockIdx.x * SW_SUMS + threadIdx.x] = s;
    }
}

/* ---- Under which strain rate a crystal is ---- */

/* The one of the step. */
struct sw_shared_frame {
    __device__ sw_frame operator()(const sw_step &step, int64_t) const { return sw_frame_of_step(&step); }
};

/* Its own. */
struct sw_own_frame {
    const float (*strain_rate)[6];
    double rate_sensitivity;

    __device__ sw_frame operator()(const sw_step &, int64_t i) const
    {
        sw_step own;
        sw_step_set_own_strain_rate(&own, strain_rate[i], rate_sensitivity);
        return sw_frame_of_step(&own);
    }
};

/* ---- What becomes of a crystal once its outputs are known; false: it is no number ---- */

/* A step: the new state is stored, if anywhere, and counts in the means. */
struct sw_finish_step {
    sw_crystal *crystal; /* or NULL */
    static constexpr bool MEANS = true;
    static constexpr int OUTPUTS = SW_OUTPUTS;

    __device__ bool operator()(const sw_step &step, const sw_frame &frame, int64_t i, const float4 &state,
                               const float q[4], const float *, const float output[SW_OUTPUTS],
                               float mean[SW_MEANS]) const
    {
        float euler[3], s = state.w;
        const sw_mask good = sw_crystal_advance(&step.hardening, &frame, output, q, euler, &s, mean);
        if (crystal != NULL)
            sw_crystal_store(crystal + i, euler, s);
        return good != 0;
    }
};

/* Likewise by a law of four coplanar resistances, number [N][3] of a crystal beside. */
struct sw_finish_planes {
    sw_crystal *crystal; /* or NULL, and then `to` is */
    const float *from;
    float *to;
    sw_plane_law law;
    int of_angles; /* sw_plane_turn */
    static constexpr bool MEANS = true;
    static constexpr int OUTPUTS = SW_OUTPUTS_MOST;

    __device__ bool operator()(const sw_step &step, const sw_frame &frame, int64_t i, const float4 &state,
                               const float q[4], const float principal[4],
                               const float output[SW_OUTPUTS_MOST], float mean[SW_MEANS]) const
    {
        float euler[3], s = state.w, number[SW_PLANE_NUMBERS], turn[2];
        sw_plane_turn(principal, of_angles, turn);
        for (int k = 0; k < SW_PLANE_NUMBERS; k++)
            number[k] = __ldcs(from + i * SW_PLANE_NUMBERS + k);
        const sw_mask good = sw_crystal_advance_planes(&law, &step.hardening, &frame, output, turn, q, euler,
                                                       &s, number, mean);
        if (crystal != NULL) {
            sw_crystal_store(crystal + i, euler, s);
            for (int k = 0; k < SW_PLANE_NUMBERS; k++)
                __stcs(to + i * SW_PLANE_NUMBERS + k, number[k]);
        }
        return good != 0;
    }
};

/* An evaluation: the outputs are stored, in the sample frame. */
struct sw_finish_evaluation {
    float (*stress)[6], (*plastic_spin)[3], *slip_rate;
    static constexpr bool MEANS = false;
    static constexpr int OUTPUTS = SW_OUTPUTS;

    __device__ bool operator()(const sw_step &, const sw_frame &frame, int64_t i, const float4 &state,
                               const float q[4], const float *, const float output[SW_OUTPUTS], float *) const
    {
        return sw_crystal_report(&frame, output, q, state.w, stress[i], plastic_spin[i], &slip_rate[i]) != 0;
    }
};

/* In single precision a thread adds at most this many crystals before they join the sum in double. */
enum { SW_STEP_FLUSH = 16 };

/* What means are made of, of the last crystals that a thread has done: in single precision, each times its weight. */
struct sw_step_part {
    float sum[SW_MEANS];
    int failed;

    __device__ void add(const float *weight, int64_t i, const float mean[SW_MEANS], double total[SW_SUMS])
    {
        float w = 1;
        if (weight != NULL) { /* at once, in double: that takes no register beside */
            w = sw_weight_of(weight, i);
            total[SW_SUM_WEIGHT] += w;
        }
        for (int k = 0; k < SW_MEANS; k++)
            sum[k] += w * mean[k];
    }

    /* Of equal weights the sum is the number of crystals. scale: what stresses in the principal frame are over. */
    __device__ void flush(const float *weight, int crystals, double total[SW_SUMS], float scale = 1) const
    {
        for (int k = 0; k < SW_MEANS; k++)
            total[k] += k < SW_SUM_RESISTANCE ? sum[k] * scale : sum[k];
        total[SW_SUM_WEIGHT] += weight == NULL ? crystals : 0;
        total[SW_SUM_FAILED] += failed;
    }
};

/* Whether a Work, or a Lookup, says (SHARED_SUMS) that sums are to be in shared memory, which leaves the first cache less and the loop 18 registers. */
template <class Work>
static constexpr bool sw_step_sums_are_shared = [] {
    if constexpr (requires { Work::SHARED_SUMS; })
        return Work::SHARED_SUMS;
    return false;
}();

/* Of a solver that looks up. */
template <class Frame, class Lookup, class Finish> struct sw_look_up {
    Frame frame_of;
    Lookup lookup;
    Finish finish;
    const sw_crystal *crystal;
    static constexpr int BLOCKS = Lookup::BLOCKS;
    static constexpr bool MEANS = Finish::MEANS, ADDS = MEANS, SHARED_SUMS = sw_step_sums_are_shared<Lookup>;

    __device__ float scale() const
    {
        if constexpr (requires { lookup.scale(); })
            return lookup.scale();
        return 1;
    }

    __device__ float4 load(int64_t i) const { return sw_crystal_load(crystal + i); }

    __device__ bool operator()(const sw_step &step, int64_t i, float mean[SW_MEANS]) const
    {
        return (*this)(step, i, load(i), mean);
    }

    __device__ bool operator()(const sw_step &step, int64_t i, const float4 &state,
                               float mean[SW_MEANS]) const
    {
        const float euler[3] = {state.x, state.y, state.z};
        float q[4], principal[4], output[Finish::OUTPUTS];
        const sw_frame frame = frame_of(step, i);
        sw_crystal_orientation(&frame, euler, q, principal);
        const bool found = lookup(principal, frame.theta, output);
        for (int c = 0; c < (MEANS ? 0 : 5); c++) /* else sums are multiplied */
            output[c] *= scale();
        return finish(step, frame, i, state, q, principal, output, mean) && found;
    }
};

template <class Work> __device__ static inline float sw_step_scale(const Work &work)
{
    if constexpr (requires { work.scale(); })
        return work.scale();
    return 1;
}

/* Whether a Work says (ADDS) that it adds to what is in `mean`, be it 0 or not. */
template <class Work> static constexpr bool sw_step_adds()
{
    if constexpr (requires { Work::ADDS; })
        return Work::ADDS;
    return false;
}

/* Whether a Work says how it loads a crystal (load, and the operator with what that returned): it is loaded a crystal ahead. */
template <class Work> static constexpr bool sw_step_loads = requires(const Work &work) { work.load(0); };

/* weight [n], or NULL. ALIKE: it is NULL, the Work adds to sums, and n is at most SW_STEP_ALIKE_MOST. */
static constexpr int64_t SW_STEP_ALIKE_MOST = INT64_C(1) << 31;
template <class Work, bool ALIKE>
__global__ void __launch_bounds__(SW_STEP_THREADS, Work::BLOCKS)
    sw_crystals_kernel(sw_step step, Work work, const float *weight, int64_t n, double *partial)
{
    constexpr bool SHARED = ALIKE && sw_step_sums_are_shared<Work>;
    __shared__ double own[SW_SUMS][SHARED ? SW_STEP_THREADS : 1];
    double sum[SW_SUMS] = {0};
    for (int c = 0; SHARED && c < SW_SUMS; c++)
        own[c][threadIdx.x] = 0;
    using number = std::conditional_t<ALIKE, uint32_t, int64_t>; /* a short one leaves registers */
    const number stride = (number)gridDim.x * SW_STEP_THREADS, end = (number)n;
    number i = (number)blockIdx.x * SW_STEP_THREADS + threadIdx.x;
    constexpr bool AHEAD = ALIKE && sw_step_loads<Work>;
    auto ahead = [&] {
        if constexpr (AHEAD)
            return work.load(i < end ? i : 0);
        else
            return 0;
    }();
    while (i < end) {
        sw_step_part part = {{0}, 0};
        int k = 0;
#pragma unroll 1
        for (; k < SW_STEP_FLUSH && i < end; k++, i += stride) {
            if constexpr (AHEAD) {
                const auto state = ahead;
                const number next = i + stride;
                if (next < end)
                    ahead = work.load(next);
                part.failed += !work(step, i, state, part.sum);
            } else if constexpr (ALIKE) {
                part.failed += !work(step, i, part.sum);
            } else {
                float mean[SW_MEANS] = {0};
                part.failed += !work(step, i, mean);
                if (Work::MEANS)
                    part.add(weight, i, mean, sum);
            }
        }
        if constexpr (SHARED) {
            double now[SW_SUMS] = {0};
            part.flush(NULL, k, now, sw_step_scale(work));
            for (int c = 0; c < SW_SUMS; c++)
                own[c][threadIdx.x] += now[c];
        } else {
            part.flush(ALIKE ? NULL : weight, k, sum, sw_step_scale(work));
        }
    }
    for (int c = 0; SHARED && c < SW_SUMS; c++)
        sum[c] = own[c][threadIdx.x];
    sw_step_sum_block(sum, partial);
}

/* partial [B][SW_SUMS] -> sums, one block, always in the same order. */
__global__ static void sw_step_sum_partial(int blocks, const double *partial, double *sums)
{
    double sum[SW_SUMS] = {0};
    for (int b = threadIdx.x; b < blocks; b += SW_STEP_THREADS)
        for (int k = 0; k < SW_SUMS; k++)
            sum[k] += partial[(int64_t)b * SW_SUMS + k];
    sw_step_sum_block(sum, sums);
}

/* ---- Launches ---- */

/* What a response keeps on its GPU: crystals_cuda.cu. */
typedef struct {
    int multiprocessors;
    int blocks_max;  /* rows of partial */
    double *partial; /* [streams][blocks_max][SW_SUMS], device */
    struct sw_crystals_buffers *buffers;
} sw_crystals_cuda;

enum { SW_STEP_STREAMS = 3 };

/* Blocks for n crystals, `each` to a thread at a time: no more than fill the chip, or SW_WAVES times as many where that leaves a thread
 * enough to do. */
template <class Kernel>
static inline int sw_step_blocks(const sw_crystals_cuda *gpu, Kernel kernel, int64_t n, int each)
{
    const int64_t threads = (int64_t)SW_STEP_THREADS * each,
                  full = (int64_t)sw_resident_blocks(kernel, SW_STEP_THREADS, 0) * gpu->multiprocessors,
                  waves = sw_blocks_for(n, threads * 2 * SW_STEP_FLUSH, full * SW_WAVES),
                  most = waves > full ? waves : full;
    return (int)sw_blocks_for(n, threads, most < gpu->blocks_max ? most : gpu->blocks_max);
}

/* Where a launch leaves its sums, and by which weights it makes them. */
typedef struct {
    double *partial, *sums; /* device; solver.h */
    cudaStream_t stream;
    const float *weight; /* [n], device, or NULL */
} sw_step_launch;

static inline sw_status sw_step_launch_sums(const sw_step_launch *launch, int blocks)
{
    sw_step_sum_partial<<<1, SW_STEP_THREADS, 0, launch->stream>>>(blocks, launch->partial, launch->sums);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

template <class Work>
static inline sw_status sw_step_launch_work(const sw_response *response, const sw_step_launch *launch,
                                            const sw_step *step, const Work &work, int64_t n)
{
    auto kernel = sw_crystals_kernel<Work, false>;
    if constexpr (sw_step_adds<Work>())
        if (launch->weight == NULL && n <= SW_STEP_ALIKE_MOST)
            kernel = sw_crystals_kernel<Work, true>;
    const int blocks = sw_step_blocks((const sw_crystals_cuda *)response->gpu, kernel, n, 1);
    kernel<<<blocks, SW_STEP_THREADS, 0, launch->stream>>>(*step, work, launch->weight, n, launch->partial);
    SW_CUDA_TRY_LAUNCH();
    return sw_step_launch_sums(launch, blocks);
}

template <class Frame, class Lookup, class Finish>
static inline sw_status sw_step_launch_crystals(const sw_response *response, const sw_step_launch *launch,
                                                const sw_step *step, const Frame &frame, const Lookup &lookup,
                                                const Finish &finish, int64_t n, const sw_crystal *crystal)
{
    const sw_look_up<Frame, Lookup, Finish> work = {frame, lookup, finish, crystal};
    return sw_step_launch_work(response, launch, step, work, n);
}

/* The two launches of a solver (solver.h), from one template
 *
 *     template <class Frame, class Finish>
 *     sw_status launch(response, const sw_step_launch *, step, frame, finish, n, crystal)
 *
 * of a database's also for sw_finish_planes. */
#define SW_STEP_LAUNCHES(launch) SW_STEP_LAUNCHES_AFTER(launch, )
#define SW_STEP_LAUNCHES_OF_DATABASE(launch) SW_STEP_LAUNCHES_AFTER(launch, SW_STEP_BY_PLANES(launch))
#define SW_STEP_BY_PLANES(launch)                                                             \
    if (response->planes) {                                                                   \
        const sw_finish_planes by = {to != NULL ? to->crystal : NULL, from->state,            \
                                     to != NULL ? to->state : NULL, response->plane_law,      \
                                     response->solver->traits.has_terms};                     \
        return launch(response, &where, step, sw_shared_frame{}, by, from->n, from->crystal); \
    }
#define SW_STEP_LAUNCHES_AFTER(launch, first)                                                            \
    static sw_status launch_step(sw_response *response, const sw_step *step, const sw_crystals *from,    \
                                 const sw_crystals *to, double *partial, double *sums, void *stream)     \
    {                                                                                                    \
        const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};                \
        first const sw_finish_step finish = {to != NULL ? to->crystal : NULL};                           \
        return launch(response, &where, step, sw_shared_frame{}, finish, from->n, from->crystal);        \
    }                                                                                                    \
    static sw_status launch_evaluate(sw_response *response, const sw_step *step,                         \
                                     const float(*strain_rate)[6], int64_t n, const sw_crystal *crystal, \
                                     float(*stress)[6], float(*plastic_spin)[3], float *slip_rate,       \
                                     double *partial, double *sums, void *stream)                        \
    {                                                                                                    \
        const sw_step_launch where = {partial, sums, (cudaStream_t)stream, NULL};                        \
        const sw_finish_evaluation finish = {stress, plastic_spin, slip_rate};                           \
        const sw_own_frame own = {strain_rate, response->material->slip.rate_sensitivity};               \
        if (strain_rate != NULL)                                                                         \
            return launch(response, &where, step, own, finish, n, crystal);                              \
        return launch(response, &where, step, sw_shared_frame{}, finish, n, crystal);                    \
    }

#endif
