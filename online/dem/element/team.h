/* A team: those who advance one volume element together. On the CPU one thread; on a GPU the threads of a
 * block, of a cluster of blocks, or of the whole device. Algorithms for a team are written once: loops with
 * SW_TEAM_EACH, then sw_team_sync before anyone reads what others wrote. */
#ifndef SW_ONLINE_DEM_ELEMENT_TEAM_H
#define SW_ONLINE_DEM_ELEMENT_TEAM_H

#include <stdint.h>

#include "common/system/device.h"

#ifdef __CUDACC__
#include <cooperative_groups.h>
#endif

enum { SW_TEAM_VALUES = 28 }; /* of one reduction, at most; of shared memory no more than what is used */

typedef enum { SW_TEAM_THREAD, SW_TEAM_BLOCK, SW_TEAM_CLUSTER, SW_TEAM_DEVICE } sw_team_kind;

typedef struct {
    sw_team_kind kind;
    int32_t rank, size; /* this thread, threads */
    int32_t
        flows; /* of a kernel known when it is compiled: 0 leaves out laws that remember, walls, gravity and clumps, and their
                * registers */
    /* GPU only */
    int32_t block, n_blocks, thread, n_threads; /* of the team, of the block */
    double *block_scratch;                      /* [warps of the block][SW_TEAM_VALUES] shared */
    int32_t *block_counts;                      /* [threads of the block] shared */
    double *team_scratch;                       /* [n_blocks SW_TEAM_VALUES] global */
    int32_t *team_counts;                       /* [n_blocks + 1] global */
} sw_team;

/* for (each i of 0 .. n - 1 that is this thread's) */
/* NOLINTNEXTLINE(bugprone-macro-parentheses): i is a name */
#define SW_TEAM_EACH(team, i, n) for (int64_t i = (team)->rank; i < (n); i += (team)->size)

SW_HD static inline void sw_team_sync(const sw_team *team)
{
#ifdef __CUDA_ARCH__
    if (team->kind == SW_TEAM_BLOCK)
        __syncthreads();
    else if (team->kind == SW_TEAM_CLUSTER) {
#if __CUDA_ARCH__ >= 900
        __threadfence();
        cooperative_groups::this_cluster().sync();
#else
        __trap(); /* never launched there */
#endif
    } else
        cooperative_groups::this_grid().sync();
#else
    (void)team;
#endif
}

/* *count += change; returns what it was. Order among threads is not fixed: sort what depends on it. */
SW_HD static inline int32_t sw_team_add(int32_t *count, int32_t change)
{
#ifdef __CUDA_ARCH__
    return atomicAdd(count, change);
#else
    const int32_t before = *count;
    *count += change;
    return before;
#endif
}

#ifdef __CUDACC__
#ifdef __CUDA_ARCH__
/* Sums (or largest) of value [n] over a block, in a fixed order, into block_scratch[0 .. n - 1]. */
__device__ static inline void sw_team_block_reduce(const sw_team *team, int n, int largest,
                                                   const double *value)
{
    const int lane = team->thread & 31, warp = team->thread >> 5, warps = (team->n_threads + 31) >> 5;
    __syncthreads();
    for (int k = 0; k < n; k++) {
        double v = value[k];
        for (int offset = 16; offset > 0; offset >>= 1) {
            const double other = __shfl_down_sync(0xffffffffU, v, offset);
            v = largest ? (other > v || other != other ? other : v) : v + other;
        }
        if (lane == 0)
            team->block_scratch[warp * SW_TEAM_VALUES + k] = v;
    }
    __syncthreads();
    if (team->thread < n) {
        double v = team->block_scratch[team->thread];
        for (int w = 1; w < warps; w++) {
            const double other = team->block_scratch[w * SW_TEAM_VALUES + team->thread];
            v = largest ? (other > v || other != other ? other : v) : v + other;
        }
        team->block_scratch[team->thread] = v;
    }
    __syncthreads();
}
#endif
#endif

/* total [n] = sums over the team of value [n], or the largest (NaN when one is NaN); for all threads, in an
 * order that only depends on the team's size. total: memory that all see. n <= SW_TEAM_VALUES. */
SW_HD static inline void sw_team_reduce(const sw_team *team, int n, int largest, const double *value,
                                        double *total)
{
#ifdef __CUDA_ARCH__
    sw_team_block_reduce(team, n, largest, value);
    if (team->n_blocks == 1) {
        if (team->thread < n)
            total[team->thread] = team->block_scratch[team->thread];
        __syncthreads();
        return;
    }
    if (team->thread < n)
        team->team_scratch[team->block * SW_TEAM_VALUES + team->thread] = team->block_scratch[team->thread];
    sw_team_sync(team);
    if (team->rank < n) {
        double v = team->team_scratch[team->rank];
        for (int b = 1; b < team->n_blocks; b++) {
            const double other = team->team_scratch[b * SW_TEAM_VALUES + team->rank];
            v = largest ? (other > v || other != other ? other : v) : v + other;
        }
        total[team->rank] = v;
    }
    sw_team_sync(team);
#else
    (void)team;
    (void)largest;
    for (int k = 0; k < n; k++)
        total[k] = value[k];
#endif
}

/* count [n] becomes what came before each, and count[n] the sum of all. Sync before; synced after. */
SW_HD static inline void sw_team_scan(const sw_team *team, int64_t n, int32_t *count)
{
#ifdef __CUDA_ARCH__
    const int64_t chunk = (n + team->size - 1) / team->size, begin = chunk * team->rank;
    const int64_t end = begin + chunk < n ? begin + chunk : n;
    int32_t sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += count[i];
    __syncthreads();
    team->block_counts[team->thread] = sum;
    __syncthreads();
    if (team->thread == 0) {
        int32_t before = 0;
        for (int t = 0; t < team->n_threads; t++) {
            const int32_t own = team->block_counts[t];
            team->block_counts[t] = before;
            before += own;
        }
        team->team_counts[team->block] = before;
    }
    sw_team_sync(team);
    if (team->rank == 0) {
        int32_t before = 0;
        for (int b = 0; b < team->n_blocks; b++) {
            const int32_t own = team->team_counts[b];
            team->team_counts[b] = before;
            before += own;
        }
        count[n] = before;
    }
    sw_team_sync(team);
    int32_t before = team->team_counts[team->block] + team->block_counts[team->thread];
    for (int64_t i = begin; i < end; i++) {
        const int32_t own = count[i];
        count[i] = before;
        before += own;
    }
    sw_team_sync(team);
#else
    (void)team;
    int32_t before = 0;
    for (int64_t i = 0; i < n; i++) {
        const int32_t own = count[i];
        count[i] = before;
        before += own;
    }
    count[n] = before;
#endif
}

#endif
