/* The step of points' crystals on a GPU, for any solver: a type Work, passed by value, with
 *
 *     static constexpr int KEPT = K; // numbers that a crystal keeps, at most
 *     int numbers;                   // how many it keeps, K here
 *     static constexpr int BLOCKS, TANGENT_BLOCKS; // on a multiprocessor, without and with tangents: 1 of
 *                                                  // SW_POINTS_THREADS threads, or more of half as many
 *     template <bool TANGENT>
 *     __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
 *                          float number[SW_NUMBERS]) const
 *
 * step: of the crystal's point; the crystal takes its step; false: no answer.
 *
 * A warp takes crystals one after the other, 32 at a time, whatever points they are of: it is as full with one crystal
 * a point as with a thousand. Their numbers go through shared memory, where each lane adds one number of one point,
 * crystal by crystal in their order, in double precision: so sums depend on nothing but the point's own crystals. */
#ifndef SW_ONLINE_RESPONSE_POINTS_POINTS_KERNEL_CUH
#define SW_ONLINE_RESPONSE_POINTS_POINTS_KERNEL_CUH

#include "online/response/step/step_kernel.cuh"

#include "points_cuda.h"

enum { SW_POINTS_THREADS = 256 };

template <int KEPT> struct sw_point_crystal {
    float euler[3], slip_resistance, kept[KEPT > 0 ? KEPT : 1];
};

/* A warp's room. */
template <bool COUPLED> struct sw_points_shared {
    static constexpr int ROWS = COUPLED ? SW_POINT_SUMS : SW_POINT_WEIGHT + 1;
    float value[ROWS][33]; /* of 32 crystals, times their weights; 33: no two lanes meet in a bank */
    double open[2][ROWS];  /* sums of the part that goes on in the next round, by turns */
};

/* Crystals k .. k + 31 of a run: their numbers from shared memory into sums. n: crystals of a part; end: of the run;
 * NUMBERS: of each, then the weight and COUPLED behind it. sum: of the run's first part. */
template <int NUMBERS, bool COUPLED>
__device__ static inline void sw_points_add(sw_points_shared<COUPLED> &shared, int n, int k, int end,
                                            int turn, double (*sum)[SW_POINT_SUMS])
{
    const int last = k + 32 < end ? k + 32 : end, first_part = k / n, parts = (last - 1) / n - first_part + 1;
    constexpr int ALL = NUMBERS + 1 + (COUPLED ? SW_POINT_COUPLED : 0);
    for (int task = threadIdx.x % 32; task < ALL * parts; task += 32) {
        const int number = task % ALL, row = number < NUMBERS ? number : number - NUMBERS + SW_POINT_WEIGHT;
        const int part = first_part + task / ALL, begin = part * n;
        const int from = begin > k ? begin : k, to = begin + n < last ? begin + n : last;
        double total = begin < k ? shared.open[turn][row] : 0;
        for (int i = from - k; i < to - k; i++)
            total += shared.value[row][i];
        if (begin + n <= last)
            sum[part][row] = total;
        else
            shared.open[turn ^ 1][row] = total;
    }
}

/* A law that all points share is in constant memory with the launch; of their own, points have it in their steps. */
template <bool EACH>
__device__ static inline const sw_hardening &sw_points_hardening(const sw_points_launch &p,
                                                                 const sw_step *step)
{
    return EACH ? step->hardening : p.hardening;
}

/* A run: crystals one after the other, of one part or of some whole points. first: number of its first crystal; n: of a
 * part; end: of the run. */
template <bool TANGENT, bool EACH, bool COUPLED, class Work>
__device__ static inline void sw_points_take(const sw_points_launch &p, const Work &work,
                                             sw_points_shared<COUPLED> &shared, int64_t point, int64_t first,
                                             int n, int end, double (*sum)[SW_POINT_SUMS])
{
    const int lane = threadIdx.x % 32;
    int turn = 0;
#pragma unroll 1
    for (int k = 0; k < end; k += 32, turn ^= 1) {
        const int own = k + lane < end ? k + lane : end - 1; /* lanes too many do what the last one does */
        const int64_t i = first + own;
        const sw_step *step = p.step + point + (p.parts == 1 ? own / n : 0);
        const float4 state = sw_crystal_load(p.crystal + i);
        sw_point_crystal<Work::KEPT> crystal; /* as many numbers as it keeps are set, and read */
        crystal.euler[0] = state.x;
        crystal.euler[1] = state.y;
        crystal.euler[2] = state.z;
        crystal.slip_resistance = state.w;
        float number[SW_NUMBERS];
        for (int j = 0; j < work.numbers; j++)
            crystal.kept[j] = p.state[i * work.numbers + j];
        const float given = sw_weight_of(p.weight, i);
        const sw_hardening &hardening = sw_points_hardening<EACH>(p, step);
        const bool good = work.template take<TANGENT>(step, hardening, crystal, number) && given < 1e30F;
        const float weight = good ? given : NAN; /* of a point without an answer nothing is one */
        const unsigned bad = __ballot_sync(0xffffffffU, !good && k + lane < end); /* all have read by now */
        if (p.next_crystal != NULL && k + lane < end) {
            sw_crystal_store(p.next_crystal + i, crystal.euler, crystal.slip_resistance);
            for (int j = 0; j < work.numbers; j++)
                p.next_state[i * work.numbers + j] = crystal.kept[j];
        }
        if (bad != 0 && lane == 0)
            atomicAdd(p.failed, (unsigned long long)__popc(bad));
#pragma unroll
        for (int j = 0; j < (TANGENT ? SW_NUMBERS : SW_MEANS); j++)
            shared.value[j][lane] = weight * number[j];
        shared.value[SW_POINT_WEIGHT][lane] = weight;
        if constexpr (COUPLED) {
            float by[SW_POINT_COUPLED];
            sw_point_couple(&p.axis, crystal.euler, number + SW_MEANS, 1, by);
#pragma unroll
            for (int j = 0; j < SW_POINT_COUPLED; j++)
                shared.value[SW_POINT_BY_VOLUME + j][lane] = weight * by[j];
        }
        __syncwarp();
        sw_points_add<TANGENT ? SW_NUMBERS : SW_MEANS>(shared, n, k, end, turn, sum);
        __syncwarp();
    }
}

template <bool TANGENT, class Work> struct sw_points_shape {
    static constexpr int BLOCKS = TANGENT ? Work::TANGENT_BLOCKS : Work::BLOCKS,
                         THREADS = BLOCKS > 1 ? SW_POINTS_THREADS / 2 : SW_POINTS_THREADS,
                         WARPS = THREADS / 32;
};

template <bool TANGENT, bool EACH, bool COUPLED, class Work>
__global__ void __launch_bounds__(sw_points_shape<TANGENT, Work>::THREADS,
                                  sw_points_shape<TANGENT, Work>::BLOCKS)
    sw_points_kernel(sw_points_launch p, Work work)
{
    constexpr int WARPS = sw_points_shape<TANGENT, Work>::WARPS;
    extern __shared__ char memory[];
    auto &shared = reinterpret_cast<sw_points_shared<COUPLED> *>(memory)[threadIdx.x / 32];
    const int64_t runs = (p.points + p.together - 1) / p.together * p.parts;
    for (int64_t run = (int64_t)blockIdx.x * WARPS + threadIdx.x / 32; run < runs;
         run += (int64_t)gridDim.x * WARPS) {
        const int64_t point = run / p.parts * p.together, part = run % p.parts;
        const int points = p.points - point < p.together ? (int)(p.points - point) : p.together;
        const int n = (int)(part + 1 < p.parts ? p.part : p.each - part * p.part);
        sw_points_take<TANGENT, EACH, COUPLED>(p, work, shared, point, point * p.each + part * p.part, n,
                                               p.parts == 1 ? points * n : n, p.sum + point * p.parts + part);
    }
}

template <bool TANGENT, bool EACH, bool COUPLED, class Work>
static inline sw_status sw_points_launch_kernel(const sw_response *response, const sw_points_launch *launch,
                                                const Work &work)
{
    using shape = sw_points_shape<TANGENT, Work>;
    const auto kernel = sw_points_kernel<TANGENT, EACH, COUPLED, Work>;
    const int bytes = (int)sizeof(sw_points_shared<COUPLED>) * shape::WARPS;
    const sw_crystals_cuda *gpu = (const sw_crystals_cuda *)response->gpu;
    SW_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const int64_t runs = (launch->points + launch->together - 1) / launch->together * launch->parts,
                  full = (int64_t)sw_resident_blocks(kernel, shape::THREADS, bytes) * gpu->multiprocessors;
    const int blocks = (int)sw_blocks_for(runs, shape::WARPS, full * SW_WAVES);
    kernel<<<blocks, shape::THREADS, bytes, (cudaStream_t)launch->stream>>>(*launch, work);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

template <bool EACH, bool COUPLES, class Work>
static inline sw_status sw_points_launch_laws(const sw_response *response, const sw_points_launch *launch,
                                              const Work &work)
{
    if constexpr (COUPLES)
        if (launch->tangent && launch->axis.any)
            return sw_points_launch_kernel<true, EACH, true>(response, launch, work);
    return launch->tangent ? sw_points_launch_kernel<true, EACH, false>(response, launch, work)
                           : sw_points_launch_kernel<false, EACH, false>(response, launch, work);
}

/* LAWS: points may have hardening laws of their own; COUPLES: crystals may take up volume. */
template <bool LAWS = true, bool COUPLES = false, class Work>
static inline sw_status sw_points_launch_work(const sw_response *response, const sw_points_launch *launch,
                                              const Work &work)
{
    if (launch->hardening_each)
        return LAWS ? sw_points_launch_laws<LAWS, COUPLES>(response, launch, work)
                    : sw_error(SW_ERR_UNAVAILABLE, "points of a material with slip.families: need one "
                                                   "material for all of them");
    return sw_points_launch_laws<false, COUPLES>(response, launch, work);
}

#endif
