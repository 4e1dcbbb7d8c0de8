/* One implicit step of one histogram by a block, or for long axes by a cluster of blocks: set-up, solution
 * and aggregation at once. histogram_cpu.c has the scheme.
 *
 * Each thread holds L consecutive classes in registers. The two recurrences pass through them as maps y ->
 * slope y + offset, which parallel scans join across the threads of a warp, the warps of a block and the
 * blocks of a cluster.
 */
#ifndef SW_ONLINE_KWN_CUDA_HISTOGRAM_CUH
#define SW_ONLINE_KWN_CUDA_HISTOGRAM_CUH

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "cuda.h"
#include "online/gpu/launch.cuh"

namespace kwn
{

namespace cg = cooperative_groups;

/* P of the templates: the types of numbers in histograms and their recurrences, and of growth rates; and whether phases may grow by
 * several solutes, whose balance takes registers that the others' kernels want for themselves. */
template <class NUMBER, class RATE, bool SEVERAL = false> struct precision {
    typedef NUMBER number;
    typedef RATE rate;
    static constexpr bool several = SEVERAL;
};
typedef precision<double, double, true> in_several;
typedef precision<double, double> in_double;
typedef precision<float, double> in_mixed;
typedef precision<float, float> in_single;

/* Clusters of blocks, from compute capability 9.0 on; a block alone before. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__device__ inline int cluster_rank() { return (int)cg::this_cluster().block_rank(); }
__device__ inline int cluster_ranks() { return (int)cg::this_cluster().num_blocks(); }
__device__ inline void cluster_meet() { cg::this_cluster().sync(); }
template <class T> __device__ T *in_block(T *pointer, int rank)
{
    return cg::this_cluster().map_shared_rank(pointer, rank);
}
#else
__device__ inline int cluster_rank() { return 0; }
__device__ inline int cluster_ranks() { return 1; }
__device__ inline void cluster_meet() { __syncthreads(); }
template <class T> __device__ T *in_block(T *pointer, int) { return pointer; }
#endif

template <class RATE> struct alignas(2 * sizeof(RATE)) face_width {
    RATE inverse_face, inverse_width;
};

/* The size axis for threads of L classes: tables [warps][L + 1][32], so that a warp reads neighbouring words
 * at fixed distances. Row L is the next thread's first. */
template <class P> struct chunked_axis {
    int32_t n, n_padded;
    int adaptive;
    typename P::number widening, narrowing;    /* width of a class over that of the one below, above */
    const face_width<typename P::rate> *lower; /* of the lower face and of the class */
    const typename P::number *pivot;
};

/* 16 bytes. */
template <int BYTES> struct quad {
    typedef float4 type;
};
template <> struct quad<8> {
    typedef double2 type;
};

/* y -> slope y + offset, what a run of classes does to the particles moved into it. */
template <class NUMBER> struct map {
    NUMBER slope, offset;
};

template <class NUMBER> __device__ map<NUMBER> then(map<NUMBER> first, map<NUMBER> second)
{
    return {first.slope * second.slope, second.slope * first.offset + second.offset};
}

/* Shared memory of a block. */
template <class NUMBER> struct scratch {
    sw_kwn_sums part[32];                     /* of each warp */
    map<NUMBER> up[32], down[32];             /* likewise */
    sw_kwn_sums block_part[16];               /* of each block of the cluster */
    map<NUMBER> block_up[16], block_down[16]; /* likewise */
    NUMBER edge[2];                           /* lowest and highest class of the block, for its neighbours */
};

/* Where a block's histograms are. load and store: a thread's L classes; at: any class of the old one. */

/* In shared memory for many steps: a slot is left free after each thread's, so that no two of a warp share a
 * bank. */
template <class number_t, int L> struct slots {
    const number_t *old;
    number_t *fresh;
    __device__ static int slot(int i) { return i / L * (L + 1) + i % L; }
    __device__ number_t at(int i) const { return old[slot(i)]; }
    __device__ void load(number_t (&to)[L]) const
    {
#pragma unroll
        for (int j = 0; j < L; j++)
            to[j] = old[threadIdx.x * (L + 1) + j];
    }
    __device__ void store(const number_t (&from)[L]) const
    {
#pragma unroll
        for (int j = 0; j < L; j++)
            fresh[threadIdx.x * (L + 1) + j] = from[j];
    }
};

/* In device memory for one step: a warp's classes pass through shared memory, so that its lanes read and
 * write neighbouring words; those of the next histogram are on their way while this one is computed. */
template <class number_t, int L> struct staged {
    enum {
        WORDS = 16 / sizeof(number_t),   /* of what a lane moves at once */
        ROW = L > WORDS ? L + WORDS : L, /* a thread's classes, and a gap against bank conflicts */
        ROOM = 32 * ROW                  /* of a warp */
    };
    typedef typename quad<sizeof(number_t)>::type quad_t;
    const number_t *old; /* [n] */
    number_t *fresh;
    number_t *arriving, *leaving; /* this warp's, [ROOM] */
    int n;

    __device__ static int slot(int i) { return i / L * ROW + i % L; }
    __device__ number_t at(int i) const { return i < n ? old[i] : 0; }

    /* Start to bring a histogram. */
    __device__ void bring(const number_t *from) const
    {
        const int first = (int)(threadIdx.x & ~31u) * L, lane = threadIdx.x & 31;
#pragma unroll
        for (int k = 0; k < L / WORDS; k++) {
            const int i = (k * 32 + lane) * WORDS;
            if (first + i < n)
                __pipeline_memcpy_async(&arriving[slot(i)], &from[first + i], sizeof(quad_t));
        }
        __pipeline_commit();
    }
    __device__ void load(number_t (&to)[L]) const
    {
        const int lane = threadIdx.x & 31;
        const bool inside = (int)threadIdx.x * L < n;
        __pipeline_wait_prior(0);
        __syncwarp();
#pragma unroll
        for (int j = 0; j < L; j += WORDS)
            *(quad_t *)&to[j] = *(const quad_t *)&arriving[lane * ROW + j];
        if (!inside)
#pragma unroll
            for (int j = 0; j < L; j++)
                to[j] = 0;
        __syncwarp();
        if (coming != NULL)
            bring(coming);
    }
    __device__ void store(const number_t (&from)[L]) const
    {
        const int first = (int)(threadIdx.x & ~31u) * L, lane = threadIdx.x & 31;
#pragma unroll
        for (int j = 0; j < L; j += WORDS)
            *(quad_t *)&leaving[lane * ROW + j] = *(const quad_t *)&from[j];
        __syncwarp();
#pragma unroll
        for (int k = 0; k < L / WORDS; k++) {
            const int i = (k * 32 + lane) * WORDS;
            if (first + i < n)
                *(quad_t *)&fresh[first + i] = *(const quad_t *)&leaving[slot(i)];
        }
        __syncwarp();
    }

    const number_t *coming; /* the next histogram, or NULL */
};

template <class P, int L, bool CLUSTER> struct stepper {
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    typedef map<number_t> map_t;

    const chunked_axis<P> &axis;
    scratch<number_t> &s;
    int thread, threads, rank, ranks;

    __device__ stepper(const chunked_axis<P> &chunked, scratch<number_t> &shared)
        : axis(chunked), s(shared), thread(threadIdx.x), threads(blockDim.x), rank(0), ranks(1)
    {
        if (CLUSTER) {
            rank = cluster_rank();
            ranks = cluster_ranks();
        }
    }

    __device__ void meet() const
    {
        if (CLUSTER)
            cluster_meet();
        else
            __syncthreads();
    }

    /* ---- The scans ---- */

    template <bool UP> __device__ static map_t shifted(map_t map, int d)
    {
        return UP ? map_t{__shfl_up_sync(~0u, map.slope, d), __shfl_up_sync(~0u, map.offset, d)}
                  : map_t{__shfl_down_sync(~0u, map.slope, d), __shfl_down_sync(~0u, map.offset, d)};
    }

    /* The map of a warp's threads before this one, in the order of the motion; *total: of the whole warp. */
    template <bool UP> __device__ map_t scan_lanes(map_t own, map_t *total) const
    {
        const int lane = thread & 31;
        map_t all = own;
        const bool moves = __any_sync(~0u, own.slope != 0 || own.offset != 0); /* else nothing comes out */
        for (int d = 1; d < 32 && moves; d *= 2) {
            const map_t other = shifted<UP>(all, d);
            if (UP ? lane >= d : lane + d < 32)
                all = then(other, all);
        }
        if (lane == (UP ? 31 : 0))
            total[thread >> 5] = all;
        const map_t before = shifted<UP>(all, 1);
        return lane == (UP ? 0 : 31) ? map_t{1, 0} : before;
    }

    /* The map of the warps before this one; *block: of all. */
    template <bool UP> __device__ map_t scan_warps(const map_t *total, map_t *block) const
    {
        const int lane = thread & 31, warp = thread >> 5, warps = threads >> 5;
        map_t all = lane < warps ? total[UP ? lane : warps - 1 - lane] : map_t{1, 0};
        for (int d = 1; d < warps; d *= 2) {
            const map_t other = shifted<true>(all, d);
            if (lane >= d)
                all = then(other, all);
        }
        const int passed = UP ? warp : warps - 1 - warp, last = passed > 0 ? passed - 1 : 0;
        if (CLUSTER)
            *block = {__shfl_sync(~0u, all.slope, warps - 1), __shfl_sync(~0u, all.offset, warps - 1)};
        const map_t before = {__shfl_sync(~0u, all.slope, last), __shfl_sync(~0u, all.offset, last)};
        return passed > 0 ? before : map_t{1, 0};
    }

    struct entering {
        number_t from_below, from_above;
    };

    /* Particles that enter this thread's classes, from the maps of all threads. */
    __device__ entering enter(map_t rise, map_t fall) const
    {
        const map_t below = scan_lanes<true>(rise, s.up), above = scan_lanes<false>(fall, s.down);
        if (threads == 32 && !CLUSTER)
            return {below.offset, above.offset};
        __syncthreads();
        map_t block_up, block_down;
        const map_t up = scan_warps<true>(s.up, &block_up), down = scan_warps<false>(s.down, &block_down);
        number_t risen = up.offset, fallen = down.offset;
        if (CLUSTER) {
            if (thread < ranks) {
                *in_block(&s.block_up[rank], thread) = block_up;
                *in_block(&s.block_down[rank], thread) = block_down;
            }
            meet();
            number_t entered = 0;
            for (int k = 0; k < rank; k++)
                entered = s.block_up[k].slope * entered + s.block_up[k].offset;
            risen += up.slope * entered;
            entered = 0;
            for (int k = ranks - 1; k > rank; k--)
                entered = s.block_down[k].slope * entered + s.block_down[k].offset;
            fallen += down.slope * entered;
        }
        return {below.slope * risen + below.offset, above.slope * fallen + above.offset};
    }

    /* ---- The sums ---- */

    __device__ static double sum_lanes(double x)
    {
        for (int d = 16; d > 0; d /= 2)
            x += __shfl_xor_sync(~0u, x, d);
        return x;
    }

    /* Sums over a warp of four numbers a lane, in 6 shuffles: number k is in lane 8 k afterwards. */
    __device__ static number_t sum_four(const number_t (&x)[4])
    {
        const int lane = threadIdx.x & 31;
        const number_t a = __shfl_xor_sync(~0u, lane & 16 ? x[0] : x[2], 16) + (lane & 16 ? x[2] : x[0]);
        const number_t b = __shfl_xor_sync(~0u, lane & 16 ? x[1] : x[3], 16) + (lane & 16 ? x[3] : x[1]);
        number_t sum = __shfl_xor_sync(~0u, lane & 8 ? a : b, 8) + (lane & 8 ? b : a);
        for (int d = 4; d > 0; d /= 2)
            sum += __shfl_xor_sync(~0u, sum, d);
        return sum;
    }

    /* Partial sums of each thread -> *sums of every block; always in the same order. `leaving` counts in
     * thread 0. */
    __device__ void gather(const number_t (&four)[4], number_t large, number_t upper, number_t leaving,
                           sw_kwn_sums *sums) const
    {
        enum { VALUES = sizeof(sw_kwn_sums) / sizeof(double) };
        const int warps = threads >> 5, lane = thread & 31;
        const number_t warp_sum = sum_four(four);
        double *part = (double *)&s.part[thread >> 5];
        if (lane % 8 == 0)
            part[lane / 8] = warp_sum;
        if (axis.adaptive) {
            const number_t two = sum_four({large, upper, 0, 0});
            if (lane % 8 == 0 && lane < 16)
                part[5 + lane / 8] = two;
        }
        if (lane == 0)
            part[4] = thread == 0 && rank == 0 ? leaving : 0; /* only what leaves class 0 is gone */
        __syncthreads();
        double sum = 0;
        if (thread < VALUES) { /* a thread for each of the sums */
            for (int w = 0; w < warps; w++)
                sum += ((const double *)&s.part[w])[thread];
            if (!CLUSTER)
                ((double *)sums)[thread] = sum;
        }
        if (CLUSTER) {
            if (thread < VALUES)
                for (int k = 0; k < ranks; k++)
                    ((double *)in_block(&s.block_part[rank], k))[thread] = sum;
            meet();
            if (thread < VALUES) {
                sum = 0;
                for (int k = 0; k < ranks; k++)
                    sum += ((const double *)&s.block_part[k])[thread];
                ((double *)sums)[thread] = sum;
            }
        }
    }

    /* ---- A thread's classes ---- */

    struct classes {
        number_t filled[L]; /* number, with nuclei, then with those moved in from the side they come from */
        number_t
            stay[L]; /* 1 / (1 + out); third order: the part that passes, of what moves down less than 0 */
        number_t up[L], down[L]; /* out / (1 + out) of each direction; third order: what is swept over */
        number_t below, above;   /* densities of the neighbours; third order: numbers */
        int lowest;              /* first class */
    };

    /* A thread's place in the tables of the axis; class j is 32 j further. */
    __device__ static int entry(int chunk) { return (chunk >> 5) * (L + 1) * 32 + (chunk & 31); }

    /* Of third order those of the first half of the step, and as many more that do not move yet. */
    template <sw_kwn_flux_order ORDER> __device__ number_t nuclei(const sw_kwn_growth &g, int i) const
    {
        const int k = i - g.source_class;
        const double source = ORDER == SW_KWN_THIRD_ORDER ? 0.5 * g.source : g.source;
        return k == 0   ? (number_t)(source * g.source_part)
               : k == 1 ? (number_t)(source * (1 - g.source_part))
                        : 0;
    }

    template <sw_kwn_flux_order ORDER> __device__ void add_nuclei(const sw_kwn_growth &g, classes &c) const
    {
        const int k = g.source_class - c.lowest;
        if (k >= -1 && k < L) {
#pragma unroll
            for (int j = 0; j < L; j++)
                c.filled[j] += nuclei<ORDER>(g, c.lowest + j);
        }
    }

    /* Densities or, third order, numbers on either side of a thread's classes, for the slope. */
    template <sw_kwn_flux_order ORDER, class STORAGE>
    __device__ void neighbours(const sw_kwn_growth &g, const STORAGE &storage, classes &c) const
    {
        const int lane = thread & 31;
        if (CLUSTER) {
            if (thread == 0)
                s.edge[0] = c.filled[0];
            if (thread == threads - 1)
                s.edge[1] = c.filled[L - 1];
            meet();
        }
        c.below = __shfl_up_sync(~0u, c.filled[L - 1], 1);
        c.above = __shfl_down_sync(~0u, c.filled[0], 1);
        if (lane == 0) {
            c.below = 0;
            if (thread > 0)
                c.below = storage.at(thread * L - 1) + nuclei<ORDER>(g, c.lowest - 1);
            else if (rank > 0)
                c.below = *in_block(&s.edge[1], rank - 1);
        }
        if (lane == 31) {
            c.above = 0;
            if (thread < threads - 1)
                c.above = storage.at((thread + 1) * L) + nuclei<ORDER>(g, c.lowest + L);
            else if (rank < ranks - 1)
                c.above = *in_block(&s.edge[0], rank + 1);
        }
        if (ORDER == SW_KWN_THIRD_ORDER)
            return;
        if (c.lowest > 0)
            c.below *= (number_t)axis.lower[entry(c.lowest / L - 1) + (L - 1) * 32].inverse_width;
        c.above *= (number_t)axis.lower[entry(c.lowest / L) + L * 32].inverse_width;
    }

    struct rates {
        rate_t speed, curvature, driving, ratio, limit;
        const sw_kwn_several *several;
        __device__ explicit rates(const sw_kwn_growth &g)
            : speed((rate_t)g.speed), curvature((rate_t)g.curvature), driving((rate_t)g.driving),
              ratio((rate_t)g.ratio), limit((rate_t)g.limit), several(&g.several)
        {
        }
        __device__ number_t at(rate_t inverse_face) const
        {
            if constexpr (P::several)
                if (several->n > 0)
                    return (number_t)sw_kwn_rate_of_several<rate_t>(several, inverse_face);
            return (number_t)sw_kwn_rate<rate_t>(inverse_face, speed, curvature, driving, ratio, limit);
        }
    };

    /* A class of third order, as sweep() of histogram_cpu.c. `filled` becomes what stays. */
    template <bool UP, bool DOWN>
    __device__ void sweep(classes &c, int j, number_t below, number_t above, number_t up, number_t down,
                          number_t spread) const
    {
        const number_t own = c.filled[j], half = (number_t)0.5;
        c.stay[j] = c.up[j] = c.down[j] = 0;
        if (UP && DOWN && up > 0 && down > 0) {
            const number_t u = sw_kwn_swept<number_t>(up, spread), d = sw_kwn_swept<number_t>(down, spread);
            const number_t share = u + d > 1 ? divide(1, u + d) : 1;
            c.up[j] = u * share * own;
            c.down[j] = d * share * own;
            c.filled[j] = u + d < 1 ? (1 - u - d) * own : 0;
        } else if (UP && (!DOWN || up > 0)) {
            const number_t u = sw_kwn_swept<number_t>(up, spread),
                           slope = sw_kwn_slope<number_t>(below, own, above, u);
            c.up[j] = u * (own + half * (1 - u) * slope);
            c.filled[j] = (1 - u) * (own - half * u * slope);
            c.stay[j] = up > 1 ? 1 - divide(1, up) : 0;
        } else if (DOWN) {
            const number_t d = sw_kwn_swept<number_t>(down, spread),
                           slope = sw_kwn_slope<number_t>(above, own, below, d);
            c.down[j] = d * (own + half * (1 - d) * slope);
            c.filled[j] = (1 - d) * (own - half * d * slope);
            c.stay[j] = down > 1 ? divide(1, down) - 1 : 0;
        }
    }

    /* The part that passes a class, third order. */
    template <bool UP, bool DOWN> __device__ static number_t rising(number_t pass)
    {
        return DOWN && !(pass > 0) ? 0 : pass;
    }
    template <bool UP, bool DOWN> __device__ static number_t falling(number_t pass)
    {
        return UP && !(pass < 0) ? 0 : -pass;
    }

    /* What leaves each class. UP, DOWN: whether any of the thread's classes can empty that way; with both,
     * the ends of the axis are looked after too. */
    template <sw_kwn_flux_order ORDER, bool UP, bool DOWN>
    __device__ void set_up(const rates &rate, classes &c) const
    {
        const face_width<rate_t> *table = axis.lower + entry(c.lowest / L);
        face_width<rate_t> face = table[0];
        number_t v = rate.at(face.inverse_face), density = c.filled[0] * (number_t)face.inverse_width;
        number_t below = c.below;
        if (UP && DOWN && c.lowest == 0 && v > 0)
            v = 0; /* nothing comes from below the smallest size */
#pragma unroll
        for (int j = 0; j < L; j++) {
            const number_t width = (number_t)face.inverse_width;
            face = table[(j + 1) * 32];
            number_t next = UP || j < L - 1 || ORDER == SW_KWN_THIRD_ORDER ? rate.at(face.inverse_face) : 0;
            if ((UP || ORDER == SW_KWN_THIRD_ORDER) && DOWN && c.lowest + j + 1 >= axis.n)
                next = 0; /* the largest size is closed */
            number_t up = UP ? (DOWN ? (next > 0 ? next : 0) : next) * width : 0;
            number_t down = DOWN ? (UP ? (v < 0 ? -v : 0) : -v) * width : 0;
            if (ORDER == SW_KWN_THIRD_ORDER) {
                const number_t own = c.filled[j],
                               above = j < L - 1 ? c.filled[j < L - 1 ? j + 1 : 0] : c.above;
                sweep<UP, DOWN>(c, j, axis.widening * below, axis.narrowing * above, up, down,
                                (next - v) * width);
                below = own;
                v = next;
                continue;
            }
            if (ORDER == SW_KWN_SECOND_ORDER) {
                const number_t above =
                    j < L - 1 ? c.filled[j < L - 1 ? j + 1 : 0] * (number_t)face.inverse_width : c.above;
                if (UP)
                    up *= (number_t)sw_kwn_steepness<rate_t>(below, density, above, up);
                if (DOWN)
                    down *= (number_t)sw_kwn_steepness<rate_t>(above, density, below, down);
                below = density;
                density = above;
            }
            c.stay[j] = divide(1, 1 + up + down);
            c.up[j] = up * c.stay[j];
            c.down[j] = down * c.stay[j];
            v = next;
        }
    }

    /* The maps of a thread's classes in both directions. */
    template <sw_kwn_flux_order ORDER, bool UP, bool DOWN>
    __device__ void compose(const classes &c, map_t *rise, map_t *fall) const
    {
        const bool swept = ORDER == SW_KWN_THIRD_ORDER;
        *rise = *fall = {0, 0};
        if (UP) {
            rise->slope = 1;
#pragma unroll
            for (int j = 0; j < L; j++) {
                const number_t slope = swept ? rising<UP, DOWN>(c.stay[j]) : c.up[j];
                rise->offset = swept ? c.up[j] + slope * rise->offset : slope * (c.filled[j] + rise->offset);
                rise->slope *= slope;
            }
        }
        if (DOWN) {
            fall->slope = 1;
#pragma unroll
            for (int j = L - 1; j >= 0; j--) {
                const number_t slope = swept ? falling<UP, DOWN>(c.stay[j]) : c.down[j];
                fall->offset =
                    swept ? c.down[j] + slope * fall->offset : slope * (c.filled[j] + fall->offset);
                fall->slope *= slope;
            }
        }
    }

    /* Contents after the step, from what enters from below and above; returns what leaves downwards. A class
     * that particles leave downwards gets none from below: `filled` serves both directions. */
    template <sw_kwn_flux_order ORDER, bool UP, bool DOWN>
    __device__ number_t finish(classes &c, number_t few, number_t from_below, number_t from_above) const
    {
        const bool swept = ORDER == SW_KWN_THIRD_ORDER;
        if (UP) {
#pragma unroll
            for (int j = 0; j < L; j++) {
                const number_t pass = swept ? rising<UP, DOWN>(c.stay[j]) : 0;
                c.filled[j] += (1 - pass) * from_below;
                from_below = swept ? c.up[j] + pass * from_below : c.up[j] * c.filled[j];
            }
        } else {
            c.filled[0] += from_below;
        }
        if (DOWN) {
#pragma unroll
            for (int j = L - 1; j >= 0; j--) {
                const number_t pass = swept ? falling<UP, DOWN>(c.stay[j]) : 0;
                c.filled[j] += (1 - pass) * from_above;
                from_above = swept ? c.down[j] + pass * from_above : c.down[j] * c.filled[j];
            }
        } else {
            c.filled[L - 1] += from_above;
        }
#pragma unroll
        for (int j = 0; j < L; j++) {
            if (!swept)
                c.filled[j] *= c.stay[j];
            c.filled[j] = c.filled[j] > few ? c.filled[j] : 0;
        }
        return from_above;
    }

    __device__ void sum(const sw_kwn_growth &g, const classes &c, number_t leaving, sw_kwn_sums *sums) const
    {
        number_t four[4] = {0, 0, 0, 0}, large = 0, upper = 0;
        const number_t pinned = (number_t)g.obstacle, *pivot = axis.pivot + entry(c.lowest / L);
#pragma unroll
        for (int j = 0; j < L; j++) {
            const number_t n = c.filled[j], rho = pivot[j * 32], n_rho = n * rho;
            four[0] += n;
            four[1] += n_rho;
            four[2] += n_rho * rho * rho;
            four[3] += n * smaller(rho * pinned, 1);
            if (axis.adaptive) {
                large += rho > (number_t)0.9 ? n : 0;
                upper += rho > (number_t)0.3 ? n : 0;
            }
        }
        gather(four, large, upper, leaving, sums);
    }

    template <sw_kwn_flux_order ORDER, class STORAGE>
    __device__ void step_of_order(const sw_kwn_growth &g, STORAGE &storage, sw_kwn_sums *sums) const
    {
        alignas(16) classes c;
        map_t rise, fall;
        c.lowest = (rank * threads + thread) * L;
        c.below = c.above = 0;
        storage.load(c.filled);
        add_nuclei<ORDER>(g, c);
        if (ORDER != SW_KWN_FIRST_ORDER)
            neighbours<ORDER>(g, storage, c);
        /* All but the threads around r* have one direction: that of their outermost faces. */
        const rates rate(g);
        const face_width<rate_t> *edge = axis.lower + entry(c.lowest / L);
        const bool up = !P::several && c.lowest > 0 && c.lowest + L < axis.n &&
                        rate.curvature * edge[0].inverse_face <= rate.driving;
        const bool down = !P::several && rate.curvature * edge[L * 32].inverse_face >= rate.driving;
        if (up) {
            set_up<ORDER, true, false>(rate, c);
            compose<ORDER, true, false>(c, &rise, &fall);
        } else if (down) {
            set_up<ORDER, false, true>(rate, c);
            compose<ORDER, false, true>(c, &rise, &fall);
        } else {
            set_up<ORDER, true, true>(rate, c);
            compose<ORDER, true, true>(c, &rise, &fall);
        }
        if (ORDER == SW_KWN_THIRD_ORDER)
            add_nuclei<ORDER>(g, c);
        const number_t few = (number_t)g.few;
        const entering in = enter(rise, fall);
        const number_t leaving = up     ? finish<ORDER, true, false>(c, few, in.from_below, in.from_above)
                                 : down ? finish<ORDER, false, true>(c, few, in.from_below, in.from_above)
                                        : finish<ORDER, true, true>(c, few, in.from_below, in.from_above);
        storage.store(c.filled);
        sum(g, c, leaving, sums);
    }

    /* Old histogram -> next one, in `storage`; *sums, in shared memory, is valid after the next barrier. All
     * threads of the block (or cluster) call it. */
    template <class STORAGE>
    __device__ void step(const sw_kwn_growth &g, sw_kwn_flux_order flux, STORAGE storage,
                         sw_kwn_sums *sums) const
    {
        if (flux == SW_KWN_THIRD_ORDER)
            step_of_order<SW_KWN_THIRD_ORDER>(g, storage, sums);
        else if (flux == SW_KWN_SECOND_ORDER)
            step_of_order<SW_KWN_SECOND_ORDER>(g, storage, sums);
        else
            step_of_order<SW_KWN_FIRST_ORDER>(g, storage, sums);
    }

    __device__ static number_t smaller(number_t x, number_t y)
    {
        if constexpr (sizeof(number_t) == 4)
            return fminf(x, y);
        else
            return fmin(x, y);
    }

    /* As precise as the rates are. */
    __device__ static number_t divide(number_t x, number_t y)
    {
        if constexpr (sizeof(rate_t) == 4)
            return sw_divide(x, y);
        else
            return x / y;
    }
};

} // namespace kwn

#endif
