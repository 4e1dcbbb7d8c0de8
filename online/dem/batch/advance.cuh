/* The kernel that advances elements on a GPU, and what a launch is told. cuda.cu says what a team is. */
#ifndef SW_ONLINE_DEM_BATCH_ADVANCE_CUH
#define SW_ONLINE_DEM_BATCH_ADVANCE_CUH

#include "common/system/status.h"
#include "online/dem/step/control.h"

namespace dem
{

enum { THREADS = 512, CLUSTER = 8 };

/* What the host wants to know of an element after a launch. */
struct report {
    int64_t step, n_rows;
    int32_t status;
};

/* One launch: elements on the device, which of them to advance and for how long, and room for teams. */
struct batch {
    sw_dem_rve *rve;       /* [slots] */
    const int32_t *active; /* [n] slots */
    report *result;        /* [slots] */
    double *team_scratch;  /* [blocks SW_TEAM_VALUES] */
    int32_t *team_counts;  /* [blocks + teams] */
    int64_t nanoseconds;
    int32_t *waiting; /* elements of this launch that wait for their crystals */
    int32_t enough;   /* of them, for the launch to end: so that they are asked together */
};

static __device__ int64_t now()
{
    int64_t t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* n doubles, by all threads of a block. */
static __device__ void copy_doubles(double *to, const double *from, int64_t n)
{
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        to[i] = from[i];
}

/* FLOWS: of metal; sand does without the registers that flow takes. */
template <sw_team_kind KIND, bool SHARED, bool FLOWS>
__global__ void __launch_bounds__(THREADS, 1) advance(const batch b)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    if (KIND == SW_TEAM_CLUSTER) { /* never launched there */
        __trap();
        return;
    }
#endif
    extern __shared__ double particles[]; /* positions, velocities, spins, radii */
    __shared__ double block_scratch[(THREADS / 32) * SW_TEAM_VALUES];
    __shared__ int32_t block_counts[THREADS], own_counts[2];
    __shared__ sw_dem_rve rve;
    __shared__ sw_dem_state state;
    sw_team team;
    team.kind = KIND;
    team.flows = FLOWS;
    team.thread = (int32_t)threadIdx.x;
    team.n_threads = THREADS;
    team.n_blocks = KIND == SW_TEAM_BLOCK ? 1 : KIND == SW_TEAM_CLUSTER ? CLUSTER : (int32_t)gridDim.x;
    team.block = (int32_t)blockIdx.x % team.n_blocks;
    team.rank = team.block * THREADS + team.thread;
    team.size = team.n_blocks * THREADS;
    team.block_scratch = block_scratch;
    team.block_counts = block_counts;
    const int64_t number = blockIdx.x / team.n_blocks;
    team.team_scratch = b.team_scratch + number * team.n_blocks * SW_TEAM_VALUES;
    team.team_counts = KIND == SW_TEAM_BLOCK ? own_counts : b.team_counts + number * (team.n_blocks + 1);
    const int32_t slot = b.active[number];
    const sw_dem_rve *stored = &b.rve[slot];
    const int64_t n = stored->n_particles;
    if (threadIdx.x == 0) {
        rve = *stored;
        if (KIND == SW_TEAM_BLOCK) {
            state = *stored->state;
            rve.state = &state;
        }
        if (SHARED) {
            rve.position = (double(*)[3])particles;
            rve.velocity = (double(*)[3])(particles + 3 * n);
            rve.spin = (double(*)[3])(particles + 6 * n);
            rve.radius = particles + 9 * n;
        }
        if (team.rank == 0)
            rve.state->n_rows = 0; /* the host has what was there */
    }
    if (SHARED) {
        copy_doubles(particles, stored->position[0], 3 * n);
        copy_doubles(particles + 3 * n, stored->velocity[0], 3 * n);
        copy_doubles(particles + 6 * n, stored->spin[0], 3 * n);
        copy_doubles(particles + 9 * n, stored->radius, n);
    }
    __syncthreads();
    sw_team_sync(&team);
    const int64_t end = now() + b.nanoseconds;
    while (sw_dem_interval(&team, &rve)) {
        if (team.rank == 0)
            rve.state->pause = rve.state->n_rows == rve.row_capacity || now() > end ||
                               (FLOWS && *(volatile int32_t *)b.waiting >= b.enough);
        sw_team_sync(&team);
        if (rve.state->pause)
            break;
    }
    __syncthreads();
    if (SHARED) {
        copy_doubles(stored->position[0], particles, 3 * n);
        copy_doubles(stored->velocity[0], particles + 3 * n, 3 * n);
        copy_doubles(stored->spin[0], particles + 6 * n, 3 * n);
    }
    if (team.rank == 0) {
        b.result[slot].step = rve.state->step;
        b.result[slot].n_rows = rve.state->n_rows;
        b.result[slot].status = rve.state->status;
        if (FLOWS && rve.state->status == SW_DEM_NEEDS_CRYSTALS)
            atomicAdd(b.waiting, 1);
        if (KIND == SW_TEAM_BLOCK)
            *stored->state = state;
    }
}

/* n clusters; flows: as in `advance`. In cluster.cu, whose code chips before 9.0 lack. */
sw_status launch_clusters(const batch &b, int64_t n, bool flows, cudaStream_t stream);

} // namespace dem

#endif
