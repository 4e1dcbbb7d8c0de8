/* What a step of a histogram works on: types of numbers, the size axis and the growth of the step as kernels read them, and where
 * histograms are.
 */
#ifndef SW_ONLINE_KWN_CUDA_STORAGE_CUH
#define SW_ONLINE_KWN_CUDA_STORAGE_CUH

#include <cuda_pipeline.h>

#include "cuda.h"
#include "online/gpu/launch.cuh"

namespace kwn
{

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

template <class RATE> struct alignas(2 * sizeof(RATE)) face_width {
    RATE inverse_face, inverse_width;
};
template <class RATE> struct alignas(2 * sizeof(RATE)) face_rate {
    RATE inverse_face, per_width; /* the second: of the face, over the class's width */
};
template <class NUMBER> struct alignas(2 * sizeof(NUMBER)) size {
    NUMBER pivot, cube; /* rho, rho^3 */
};

/* The size axis for threads of L classes: tables [warps][L + 1][32], so that a warp reads neighbouring words
 * at fixed distances. Row L is the next thread's first. */
template <class P> struct chunked_axis {
    int32_t n, n_padded;
    int adaptive;
    typename P::number widening, narrowing;           /* width of a class over that of the one below, above */
    const face_width<typename P::rate> *lower;        /* of the lower face and of the class */
    const face_rate<typename P::rate> *falls, *rises; /* of the lower and of the upper face */
    const size<typename P::number> *pivot;
};

/* What a step needs to know of a phase, as sw_kwn_growth, in the numbers that it is computed in. */
template <class P> struct alignas(16) growth_of {
    typename P::rate speed, curvature, driving, ratio, limit;
    typename P::number obstacle, few, source[2]; /* nuclei of source_class and of the next */
    int32_t source_class;
    __device__ void set(const sw_kwn_growth &g)
    {
        typedef typename P::rate rate_t;
        typedef typename P::number number_t;
        speed = (rate_t)g.speed;
        curvature = (rate_t)g.curvature;
        driving = (rate_t)g.driving;
        ratio = (rate_t)g.ratio;
        limit = (rate_t)g.limit;
        obstacle = (number_t)g.obstacle;
        few = (number_t)g.few;
        source[0] = (number_t)(g.source * g.source_part);
        source[1] = (number_t)(g.source * (1 - g.source_part));
        source_class = g.source_class;
    }
};

/* 16 bytes. */
template <int BYTES> struct quad {
    typedef float4 type;
};
template <> struct quad<8> {
    typedef double2 type;
};

/* Where a block's histograms are. load and store: a thread's L classes, and the growth of the step; at: any class of the old one. */

/* In shared memory for many steps: a slot is left free after each thread's, so that no two of a warp share a
 * bank. */
template <class P, int L> struct slots {
    typedef typename P::number number_t;
    const growth_of<P> *growth;
    const number_t *old;
    number_t *fresh;
    __device__ static int slot(int i) { return i / L * (L + 1) + i % L; }
    __device__ number_t at(int i) const { return old[slot(i)]; }
    __device__ growth_of<P> load(number_t (&to)[L]) const
    {
#pragma unroll
        for (int j = 0; j < L; j++)
            to[j] = old[threadIdx.x * (L + 1) + j];
        return *growth;
    }
    __device__ void store(const number_t (&from)[L]) const
    {
#pragma unroll
        for (int j = 0; j < L; j++)
            fresh[threadIdx.x * (L + 1) + j] = from[j];
    }
};

/* In device memory for one step: a warp's classes pass through shared memory, so that its lanes read and
 * write neighbouring words; those of the next histogram, and its growth, are on their way while this one is computed.
 *
 * There 16 bytes after the other lie as in the histogram, but that the few of a lane change places with each other from lane to
 * lane: neither a lane's own nor those side by side share a bank. */
template <class P, int L> struct staged {
    typedef typename P::number number_t;
    enum {
        WORDS = 16 / sizeof(number_t), /* of what a lane moves at once */
        PARTS = L / WORDS,             /* of a lane */
        APART = 32 * WORDS,            /* numbers between those that a lane moves */
        ROOM = 32 * L                  /* numbers of a warp */
    };
    /* As a lane sends and receives its parts: of more than four first_slot would depend on which. */
    static_assert(PARTS * WORDS == L && PARTS <= 4 && (PARTS & (PARTS - 1)) == 0,
                  "parts of a lane: 1, 2 or 4");
    typedef typename quad<sizeof(number_t)>::type quad_t;
    struct source {
        const number_t *old;        /* [n], or NULL */
        const growth_of<P> *growth; /* of its step */
    };
    source from;                  /* this histogram */
    number_t *fresh;              /* after the step */
    source coming;                /* the next histogram */
    number_t *arriving, *leaving; /* this warp's, [ROOM] */
    growth_of<P> *growth_arriving;
    int n;

    __device__ number_t at(int i) const { return i < n ? from.old[i] : 0; }
    /* Of what a lane moves first: its place in the histogram and here. */
    __device__ static int first_class()
    {
        return (int)(threadIdx.x & ~31u) * L + (int)(threadIdx.x & 31u) * WORDS;
    }
    __device__ static int first_slot()
    {
        const int lane = threadIdx.x & 31;
        return (lane ^ (lane >> 3 & (PARTS - 1))) * WORDS;
    }
    /* Of a lane's own part k. */
    __device__ static int slot(int k)
    {
        const int lane = threadIdx.x & 31;
        return (lane * PARTS + (k ^ (lane * PARTS >> 3 & (PARTS - 1)))) * WORDS;
    }

    /* Start to bring a histogram; what is past its end is 0. */
    __device__ void bring(source next) const
    {
        enum { PIECES = sizeof(growth_of<P>) / 16 };
        const int first = first_class(), lane = threadIdx.x & 31;
        number_t *to = arriving + first_slot();
#pragma unroll
        for (int k = 0; k < PARTS; k++)
            __pipeline_memcpy_async(to + k * APART, next.old + first + k * APART, 16,
                                    first + k * APART < n ? 0 : 16);
        if (lane < PIECES)
            __pipeline_memcpy_async((uint4 *)growth_arriving + lane, (const uint4 *)next.growth + lane, 16);
        __pipeline_commit();
    }
    __device__ growth_of<P> load(number_t (&to)[L]) const
    {
        __pipeline_wait_prior(0);
        __syncwarp();
#pragma unroll
        for (int k = 0; k < PARTS; k++)
            *(quad_t *)&to[k * WORDS] = *(const quad_t *)&arriving[slot(k)];
        const growth_of<P> growth = *growth_arriving;
        __syncwarp();
        if (coming.old != NULL)
            bring(coming);
        return growth;
    }
    __device__ void store(const number_t (&numbers)[L]) const
    {
        const int first = first_class();
        const number_t *own = leaving + first_slot();
#pragma unroll
        for (int k = 0; k < PARTS; k++)
            *(quad_t *)&leaving[slot(k)] = *(const quad_t *)&numbers[k * WORDS];
        __syncwarp();
#pragma unroll
        for (int k = 0; k < PARTS; k++)
            if (first + k * APART < n)
                *(quad_t *)&fresh[first + k * APART] = *(const quad_t *)&own[k * APART];
        __syncwarp();
    }
};

} // namespace kwn

#endif
