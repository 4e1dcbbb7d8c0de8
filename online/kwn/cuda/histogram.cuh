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

#include <vector>

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
        number_t stay[L];   /* 1 / (1 + out) */
        number_t up[L], down[L]; /* out / (1 + out) of each direction */
        number_t below, above;   /* densities of the neighbours */
        int lowest;              /* first class */
    };

    /* A thread's place in the tables of the axis; class j is 32 j further. */
    __device__ static int entry(int chunk) { return (chunk >> 5) * (L + 1) * 32 + (chunk & 31); }

    __device__ number_t nuclei(const sw_kwn_growth &g, int i) const
    {
        const int k = i - g.source_class;
        return k == 0   ? (number_t)(g.source * g.source_part)
               : k == 1 ? (number_t)(g.source * (1 - g.source_part))
                        : 0;
    }

    template <class STORAGE>
    __device__ void fill(const sw_kwn_growth &g, const STORAGE &storage, classes &c) const
    {
        const int k = g.source_class - c.lowest;
        storage.load(c.filled);
        if (k >= -1 && k < L) {
#pragma unroll
            for (int j = 0; j < L; j++)
                c.filled[j] += nuclei(g, c.lowest + j);
        }
    }

    /* Densities on either side of a thread's classes, for the slope. */
    template <class STORAGE>
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
                c.below = storage.at(thread * L - 1) + nuclei(g, c.lowest - 1);
            else if (rank > 0)
                c.below = *in_block(&s.edge[1], rank - 1);
        }
        if (lane == 31) {
            c.above = 0;
            if (thread < threads - 1)
                c.above = storage.at((thread + 1) * L) + nuclei(g, c.lowest + L);
            else if (rank < ranks - 1)
                c.above = *in_block(&s.edge[0], rank + 1);
        }
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

    /* What leaves each class. UP, DOWN: whether any of the thread's classes can empty that way; with both,
     * the ends of the axis are looked after too. */
    template <bool SECOND_ORDER, bool UP, bool DOWN>
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
            number_t next = UP || j < L - 1 ? rate.at(face.inverse_face) : 0;
            if (UP && DOWN && c.lowest + j + 1 >= axis.n)
                next = 0; /* the largest size is closed */
            number_t up = UP ? (DOWN ? (next > 0 ? next : 0) : next) * width : 0;
            number_t down = DOWN ? (UP ? (v < 0 ? -v : 0) : -v) * width : 0;
            if (SECOND_ORDER) {
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
    template <bool UP, bool DOWN> __device__ void compose(const classes &c, map_t *rise, map_t *fall) const
    {
        *rise = *fall = {0, 0};
        if (UP) {
            rise->slope = 1;
#pragma unroll
            for (int j = 0; j < L; j++) {
                rise->offset = c.up[j] * (c.filled[j] + rise->offset);
                rise->slope *= c.up[j];
            }
        }
        if (DOWN) {
            fall->slope = 1;
#pragma unroll
            for (int j = L - 1; j >= 0; j--) {
                fall->offset = c.down[j] * (c.filled[j] + fall->offset);
                fall->slope *= c.down[j];
            }
        }
    }

    /* Contents after the step, from what enters from below and above; returns what leaves downwards. A class
     * that particles leave downwards gets none from below: `filled` serves both directions. */
    template <bool UP, bool DOWN>
    __device__ number_t finish(classes &c, number_t from_below, number_t from_above) const
    {
        if (UP) {
#pragma unroll
            for (int j = 0; j < L; j++) {
                c.filled[j] += from_below;
                from_below = c.up[j] * c.filled[j];
            }
        } else {
            c.filled[0] += from_below;
        }
        if (DOWN) {
#pragma unroll
            for (int j = L - 1; j >= 0; j--) {
                c.filled[j] += from_above;
                from_above = c.down[j] * c.filled[j];
            }
        } else {
            c.filled[L - 1] += from_above;
        }
#pragma unroll
        for (int j = 0; j < L; j++) {
            c.filled[j] *= c.stay[j];
            if (sizeof(number_t) == 8) /* nothing subnormal; single precision flushes them itself */
                c.filled[j] = c.filled[j] > (number_t)1e-30 ? c.filled[j] : 0;
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

    template <bool SECOND_ORDER, class STORAGE>
    __device__ void step_of_order(const sw_kwn_growth &g, STORAGE &storage, sw_kwn_sums *sums) const
    {
        alignas(16) classes c;
        map_t rise, fall;
        c.lowest = (rank * threads + thread) * L;
        c.below = c.above = 0;
        fill(g, storage, c);
        if (SECOND_ORDER)
            neighbours(g, storage, c);
        /* All but the threads around r* have one direction: that of their outermost faces. */
        const rates rate(g);
        const face_width<rate_t> *edge = axis.lower + entry(c.lowest / L);
        const bool up = !P::several && c.lowest > 0 && c.lowest + L < axis.n &&
                        rate.curvature * edge[0].inverse_face <= rate.driving;
        const bool down = !P::several && rate.curvature * edge[L * 32].inverse_face >= rate.driving;
        if (up) {
            set_up<SECOND_ORDER, true, false>(rate, c);
            compose<true, false>(c, &rise, &fall);
        } else if (down) {
            set_up<SECOND_ORDER, false, true>(rate, c);
            compose<false, true>(c, &rise, &fall);
        } else {
            set_up<SECOND_ORDER, true, true>(rate, c);
            compose<true, true>(c, &rise, &fall);
        }
        const entering in = enter(rise, fall);
        const number_t leaving = up     ? finish<true, false>(c, in.from_below, in.from_above)
                                 : down ? finish<false, true>(c, in.from_below, in.from_above)
                                        : finish<true, true>(c, in.from_below, in.from_above);
        storage.store(c.filled);
        sum(g, c, leaving, sums);
    }

    /* Old histogram -> next one, in `storage`; *sums, in shared memory, is valid after the next barrier. All
     * threads of the block (or cluster) call it. */
    template <class STORAGE>
    __device__ void step(const sw_kwn_growth &g, int second_order, STORAGE storage, sw_kwn_sums *sums) const
    {
        if (second_order)
            step_of_order<true>(g, storage, sums);
        else
            step_of_order<false>(g, storage, sums);
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

/* ---- Host side ---- */

/* Classes a thread and threads a block (and blocks a cluster) for one histogram. */
template <class P> constexpr int most_classes = sizeof(typename P::number) == 8 ? 8 : 16; /* registers hold */

struct form {
    int classes, threads, blocks;
};

/* few: many threads, to be done soon; else more classes a thread, to spend less on the scans. */
template <class P> form choose_form(int padded, int few)
{
    int classes = 4, blocks = 1;
    while (classes < most_classes<P> && (few ? padded > 1024 * classes : padded > 32 * classes))
        classes *= 2;
    while ((padded + blocks - 1) / blocks > 1024 * classes)
        blocks *= 2;
    const int each = (padded + blocks - 1) / blocks;
    return {classes, ((each + classes - 1) / classes + 31) / 32 * 32, blocks};
}

/* The axis by class and chunk in device memory; *table to be freed with cudaFree. */
template <class P>
sw_status make_chunked_axis(const sw_kwn_axis *axis, const form &form, chunked_axis<P> *chunked, void **table)
{
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    const int rows = form.classes + 1, warps = form.threads * form.blocks / 32;
    std::vector<face_width<rate_t>> lower((size_t)(warps * rows * 32));
    std::vector<number_t> pivot(lower.size());
    for (int warp = 0; warp < warps; warp++)
        for (int j = 0; j < rows; j++)
            for (int lane = 0; lane < 32; lane++) {
                const int i = (warp * 32 + lane) * form.classes + j,
                          face = i < axis->n_padded ? i : axis->n_padded;
                const size_t at = (size_t)((warp * rows + j) * 32 + lane);
                lower[at] = {(rate_t)axis->inverse_face[face],
                             (rate_t)(i < axis->n_padded ? axis->inverse_width[i] : 0)};
                pivot[at] = (number_t)axis->pivot[i < axis->n_padded ? i : axis->n_padded - 1];
            }
    const size_t bytes = lower.size() * sizeof lower[0];
    char *memory;
    SW_TRY(SW_CUDA_ALLOCATE(memory, bytes + pivot.size() * sizeof pivot[0], "tables of the axis"));
    *table = memory;
    SW_CUDA_TRY(cudaMemcpy(memory, lower.data(), bytes, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(
        cudaMemcpy(memory + bytes, pivot.data(), pivot.size() * sizeof pivot[0], cudaMemcpyHostToDevice));
    *chunked = {axis->n, axis->n_padded, axis->kind == SW_AXIS_ADAPTIVE, (const face_width<rate_t> *)memory,
                (const number_t *)(memory + bytes)};
    return SW_OK;
}

} // namespace kwn

#endif
