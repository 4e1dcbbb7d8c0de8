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

#include <type_traits>

#include "storage.cuh"

namespace kwn
{

namespace cg = cooperative_groups;

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

template <class P, int L, int THREADS, bool CLUSTER> struct stepper {
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    typedef map<number_t> map_t;
    typedef growth_of<P> growth_t;
    /* First order with one direction has its own few instructions. */
    static constexpr bool quick = !P::several && std::is_same<number_t, rate_t>::value;

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
        if (moves)
#pragma unroll
            for (int d = 1; d < 32; d *= 2) {
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
        if constexpr (!CLUSTER &&
                      THREADS <= 256) { /* few warps: what comes out of those before, one after the other */
            number_t risen = 0, fallen = 0;
            const int warp = thread >> 5, warps = threads >> 5;
#pragma unroll
            for (int w = 0; w < THREADS / 32 - 1; w++) {
                const map_t map = s.up[w];
                risen = w < warp ? map.slope * risen + map.offset : risen;
            }
#pragma unroll
            for (int w = THREADS / 32 - 1; w > 0; w--) {
                const map_t map = s.down[w];
                fallen = w > warp && w < warps ? map.slope * fallen + map.offset : fallen;
            }
            return {below.slope * risen + below.offset, above.slope * fallen + above.offset};
        }
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
        if constexpr (!CLUSTER && THREADS <= 256) { /* four lanes for each of the sums */
            if (thread < 32) {
                for (int w = lane >> 3; w < warps; w += 4)
                    sum += lane % 8 < VALUES ? ((const double *)&s.part[w])[lane % 8] : 0;
                sum += __shfl_xor_sync(~0u, sum, 8);
                sum += __shfl_xor_sync(~0u, sum, 16);
                if (lane < VALUES)
                    ((double *)sums)[lane] = sum;
            }
            return;
        }
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
    template <sw_kwn_flux_order ORDER> __device__ number_t nuclei(const growth_t &g, int i) const
    {
        const int k = i - g.source_class;
        const number_t part = ORDER == SW_KWN_THIRD_ORDER ? (number_t)0.5 : (number_t)1;
        return k == 0 ? part * g.source[0] : k == 1 ? part * g.source[1] : 0;
    }

    template <sw_kwn_flux_order ORDER> __device__ void add_nuclei(const growth_t &g, classes &c) const
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
    __device__ void neighbours(const growth_t &g, const STORAGE &storage, classes &c) const
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
        __device__ rates(const growth_t &g, const sw_kwn_several *of_several)
            : speed(g.speed), curvature(g.curvature), driving(g.driving), ratio(g.ratio), limit(g.limit),
              several(of_several)
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
            const number_t share = u + d > 1 ? divide(1, u + d) : 1, left = u + d < 1 ? 1 - u - d : 0;
            const number_t rise = u * share, fall = d * share;
            const number_t more_up =
                sw_kwn_leaning<number_t>(rise, fall, sw_kwn_slope<number_t>(below, own, above, u));
            const number_t more_down =
                sw_kwn_leaning<number_t>(fall, rise, sw_kwn_slope<number_t>(above, own, below, d));
            c.up[j] = rise * own + left * more_up;
            c.down[j] = fall * own + left * more_down;
            c.filled[j] = left * (own - more_up - more_down);
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

    /* One direction, first order: class j will hold filled[j] + stay[j] x what enters. Of growth v = a / (b w), w the width, the part
     * b / (a + b) stays: one division. */
    template <bool UP> __device__ map_t pass(const rates &rate, classes &c) const
    {
        const face_rate<rate_t> *table = (UP ? axis.rises : axis.falls) + entry(c.lowest / L);
        const rate_t bound = divide((rate_t)1e36, rate.ratio * table[0].per_width); /* or products overflow */
        const rate_t speed = rate.speed < bound ? rate.speed : bound;
        map_t through = {1, 0};
#pragma unroll
        for (int k = 0; k < L; k++) {
            const int j = UP ? k : L - 1 - k;
            const face_rate<rate_t> face = table[j * 32];
            const rate_t x = rate.curvature * face.inverse_face - rate.driving;
            const rate_t interface = sw_exp2(UP ? x : sw_min(x, rate.limit)), most = speed * face.per_width;
            const rate_t a = UP ? most - most * interface : most * interface - most,
                         b = rate.ratio - interface;
            const rate_t share = divide(1, a + b), stay = b * share, leaves = a * share;
            const number_t here = c.filled[j] + through.offset;
            c.filled[j] = stay * here;
            c.stay[j] = stay * through.slope;
            through.offset = leaves * here;
            through.slope *= leaves;
        }
        return through;
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

    /* Particles are cut at the radius r_c: a thread whose sizes are all below or all above it has no need to look at each. */
    __device__ void sum(const growth_t &g, const classes &c, number_t leaving, sw_kwn_sums *sums) const
    {
        number_t four[4] = {0, 0, 0, 0}, large = 0, upper = 0;
        const size<number_t> *sizes = axis.pivot + entry(c.lowest / L);
#pragma unroll
        for (int j = 0; j < L; j++) {
            const size<number_t> at = sizes[j * 32];
            four[0] += c.filled[j];
            four[1] += c.filled[j] * at.pivot;
            four[2] += c.filled[j] * at.cube;
        }
        const number_t smallest = sizes[0].pivot, largest = sizes[(L - 1) * 32].pivot;
        four[3] = largest * g.obstacle <= 1 ? four[1] * g.obstacle : four[0];
        if (smallest * g.obstacle < 1 && largest * g.obstacle > 1) {
            four[3] = 0;
#pragma unroll
            for (int j = 0; j < L; j++)
                four[3] += c.filled[j] * smaller(sizes[j * 32].pivot * g.obstacle, 1);
        }
        if (axis.adaptive && largest > (number_t)0.3) {
#pragma unroll
            for (int j = 0; j < L; j++) {
                const number_t rho = sizes[j * 32].pivot;
                large += rho > (number_t)0.9 ? c.filled[j] : 0;
                upper += rho > (number_t)0.3 ? c.filled[j] : 0;
            }
        }
        gather(four, large, upper, leaving, sums);
    }

    template <sw_kwn_flux_order ORDER, class STORAGE>
    __device__ void step_of_order(const sw_kwn_several *several, STORAGE &storage, sw_kwn_sums *sums) const
    {
        alignas(16) classes c;
        c.lowest = (rank * threads + thread) * L;
        c.below = c.above = 0;
        const growth_t g = storage.load(c.filled);
        add_nuclei<ORDER>(g, c);
        if (ORDER != SW_KWN_FIRST_ORDER)
            neighbours<ORDER>(g, storage, c);
        /* All but the threads around r* have one direction: that of their outermost faces. */
        const rates rate(g, several);
        const face_width<rate_t> *edge = axis.lower + entry(c.lowest / L);
        const bool up = !P::several && rate.curvature * edge[0].inverse_face <= rate.driving;
        const bool down = !P::several && rate.curvature * edge[L * 32].inverse_face >= rate.driving;
        const bool inner =
            c.lowest > 0 && c.lowest + L < axis.n; /* else the ends of the axis are to be looked after */
        number_t leaving;
        if constexpr (quick && ORDER == SW_KWN_FIRST_ORDER)
            leaving =
                rate.limit >= 0 ? go_quickly(g, rate, up, down, c) : go<ORDER>(g, rate, up && inner, down, c);
        else
            leaving = go<ORDER>(g, rate, up && inner, down, c);
        storage.store(c.filled);
        sum(g, c, leaving, sums);
    }

    /* From what is in the classes to what will be; returns what leaves them downwards. */
    template <sw_kwn_flux_order ORDER>
    __device__ number_t go(const growth_t &g, const rates &rate, bool up, bool down, classes &c) const
    {
        map_t rise, fall;
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
        const entering in = enter(rise, fall);
        return up     ? finish<ORDER, true, false>(c, g.few, in.from_below, in.from_above)
               : down ? finish<ORDER, false, true>(c, g.few, in.from_below, in.from_above)
                      : finish<ORDER, true, true>(c, g.few, in.from_below, in.from_above);
    }

    /* The same of first order. Nothing enters the thread of r*: it is the only one with two directions. */
    __device__ number_t go_quickly(const growth_t &g, const rates &rate, bool up, bool down, classes &c) const
    {
        map_t rise = {0, 0}, fall = {0, 0};
        if (up) {
            rise = pass<true>(rate, c);
        } else if (down) {
            fall = pass<false>(rate, c);
        } else {
            set_up<SW_KWN_FIRST_ORDER, true, true>(rate, c);
            compose<SW_KWN_FIRST_ORDER, true, true>(c, &rise, &fall);
            finish<SW_KWN_FIRST_ORDER, true, true>(c, 0, 0, 0);
#pragma unroll
            for (int j = 0; j < L; j++)
                c.stay[j] = 0;
        }
        const entering in = enter(rise, fall);
        const number_t enters = up ? in.from_below : in.from_above;
#pragma unroll
        for (int j = 0; j < L; j++) {
            c.filled[j] += c.stay[j] * enters;
            c.filled[j] = c.filled[j] > g.few ? c.filled[j] : 0;
        }
        return fall.slope * in.from_above + fall.offset;
    }

    /* Old histogram -> next one, in `storage`; *sums, in shared memory, is valid after the next barrier. All
     * threads of the block (or cluster) call it. */
    template <class STORAGE>
    __device__ void step(const sw_kwn_several *several, sw_kwn_flux_order flux, STORAGE storage,
                         sw_kwn_sums *sums) const
    {
        if (flux == SW_KWN_THIRD_ORDER)
            step_of_order<SW_KWN_THIRD_ORDER>(several, storage, sums);
        else if (flux == SW_KWN_SECOND_ORDER)
            step_of_order<SW_KWN_SECOND_ORDER>(several, storage, sums);
        else
            step_of_order<SW_KWN_FIRST_ORDER>(several, storage, sums);
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
