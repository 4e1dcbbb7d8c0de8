/* Kernels of the paper's loop (launches.cu): what is on the device, and how threads share elements.
 *
 * Two kinds. Over all pairs or particles of all elements: a few blocks an element, a thread a pair. And with
 * a block an element, a team, for what needs sums or order. Dimensions: R elements of the batch, W elements
 * of a launch, P particles, C pairs. */
#ifndef SW_ONLINE_DEM_LAUNCHES_KERNELS_CUH
#define SW_ONLINE_DEM_LAUNCHES_KERNELS_CUH

#include "online/dem/step/control.h"

namespace
{

enum { THREADS = 256, WARP = 32, MOST_ELEMENTS = 65535 /* of a launch: rows of blocks */ };

/* An element on the device. work: energies since the last control, J, of the pairs (boundary, friction,
 * rolling, plastic) and particles (damping) of each warp; the order of their sum does not depend on the batch. */
struct element {
    sw_dem_rve rve;
    int64_t warps;
    double *work; /* [SW_DEM_WORKS][warps] */
};

/* The elements of a launch: the w-th is all[chosen[w]]. */
struct selection {
    element *all;          /* [R] */
    const int32_t *chosen; /* [W] */
    int64_t n;             /* W */
};

/* What the host has to know of an element. */
struct look {
    int64_t n_pairs, n_images, n_rows;
    int32_t status, interval, list_valid;
    int32_t bins[3]; /* that it could have in a grid with bins as wide as its largest range */
};

/* ---- Over all pairs or particles: a row of blocks an element ---- */

/* All threads of element blockIdx.y, for functions that do not synchronise. There are as many as things to
 * do, or more, so a thread has one of them or none, whatever else is in the batch. */
__device__ sw_team own_team()
{
    sw_team team = {};
    team.kind = SW_TEAM_BLOCK;
    team.flows = 1;
    team.rank = (int32_t)(blockIdx.x * THREADS + threadIdx.x);
    team.size = (int32_t)(gridDim.x * THREADS);
    return team;
}

/* The sum over a warp is added to its place. */
__device__ void add_work(double value, double *place)
{
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffffU, value, offset);
    if (threadIdx.x % WARP == 0)
        *place += value;
}

/* Elements are read where they lie: of a thread's own copy all 2.5 kB would be in its memory, since materials are
 * found by number. Two blocks a multiprocessor: the law of metals would take all registers for one. */
__global__ void __launch_bounds__(THREADS, 2) pairs_step(selection s)
{
    const element *e = &s.all[s.chosen[blockIdx.y]];
    const sw_team team = own_team();
    const int64_t warp = team.rank / WARP;
    if (warp * WARP >= e->rve.state->n_pairs)
        return;
    sw_dem_work work = {0, 0, 0, 0, 0};
    sw_dem_pairs_step(&team, &e->rve, &work);
    add_work(work.boundary, &e->work[SW_DEM_WORK_BOUNDARY * e->warps + warp]);
    add_work(work.friction, &e->work[SW_DEM_WORK_FRICTION * e->warps + warp]);
    add_work(work.rolling, &e->work[SW_DEM_WORK_ROLLING * e->warps + warp]);
    add_work(work.plastic, &e->work[SW_DEM_WORK_PLASTIC * e->warps + warp]);
}

__global__ void __launch_bounds__(THREADS) particles_step(selection s)
{
    element *e = &s.all[s.chosen[blockIdx.y]];
    const sw_team team = own_team();
    const int64_t warp = team.rank / WARP;
    if (warp * WARP >= e->rve.n_particles)
        return;
    sw_dem_work work = {0, 0, 0, 0, 0};
    sw_dem_particles_step(&team, &e->rve, &work);
    add_work(work.damping, &e->work[SW_DEM_WORK_DAMPING * e->warps + warp]);
}

__global__ void __launch_bounds__(THREADS) images_step(selection s)
{
    const sw_team team = own_team();
    sw_dem_move_images(&team, &s.all[s.chosen[blockIdx.y]].rve);
}

/* ---- With a block an element ---- */

struct block_memory {
    double scratch[THREADS / WARP * SW_TEAM_VALUES];
    int32_t counts[THREADS], team_counts[2];
};

__device__ sw_team block_team(block_memory *shared)
{
    sw_team team = {};
    team.kind = SW_TEAM_BLOCK;
    team.flows = 1;
    team.rank = team.thread = (int32_t)threadIdx.x;
    team.size = team.n_threads = THREADS;
    team.n_blocks = 1;
    team.block_scratch = shared->scratch;
    team.block_counts = shared->counts;
    team.team_counts = shared->team_counts;
    return team;
}

__global__ void __launch_bounds__(THREADS) measure(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    sw_dem_measure(&team, &s.all[s.chosen[blockIdx.x]].rve);
}

__global__ void __launch_bounds__(THREADS) control(selection s)
{
    __shared__ block_memory shared;
    const sw_team team = block_team(&shared);
    element *e = &s.all[s.chosen[blockIdx.x]];
    double value[SW_DEM_WORKS];
    for (int k = 0; k < SW_DEM_WORKS; k++) {
        double *work = e->work + k * e->warps;
        value[k] = 0;
        SW_TEAM_EACH (&team, warp, e->warps) {
            value[k] += work[warp];
            work[warp] = 0;
        }
    }
    sw_team_reduce(&team, SW_DEM_WORKS, 0, value, e->rve.state->delta);
    if (team.rank == 0)
        sw_dem_control(&e->rve);
}

/* ---- A thread an element ---- */

__device__ int64_t own_place() { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void look_at(selection s, look *looks)
{
    const int64_t w = own_place();
    if (w >= s.n)
        return;
    const sw_dem_rve *rve = &s.all[s.chosen[w]].rve;
    const sw_dem_state *state = rve->state;
    sw_dem_bins bins;
    sw_dem_bins_of_class(rve, rve->n_classes - 1, &bins);
    looks[w] = {state->n_pairs,
                state->n_images,
                state->n_rows,
                state->status,
                state->interval,
                state->list_valid,
                {bins.n[0], bins.n[1], bins.n[2]}};
}

} // namespace

#endif
