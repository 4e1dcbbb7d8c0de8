/* points.h on a GPU: points in chunks; of each the steps of its points, its crystals, and what is made of the sums.
 * Arrays of the host pass through the GPU's memory, one chunk at a time. Memory and stream are the response's,
 * which one thread at a time uses: they stay from call to call and go with it. */
#include "common/math/lanes_float.h"

#include <stdlib.h>

#include "online/gpu/gpu.h"
#include "online/response/step/buffers.cuh"
#include "points_cuda.h"

/* Points and crystals of a chunk, at most, and its sums: enough to fill a GPU some ten times over, and not much memory
 * beside the crystals'. */
static const int64_t SUMS_AT_A_TIME = 1 << 17, CRYSTALS_PASSING = 1 << 22;
enum { PART = 4096, TOGETHER = 32 };

/* ---- Arrays that are here or pass through ---- */

/* One array, of `each` bytes a point. */
typedef struct {
    void *all; /* where the caller has it; NULL: not wanted */
    size_t each;
    int in, out;
    void *room; /* on the GPU, for a chunk, if `all` is on the host */
} array;

enum {
    GRADIENTS,
    HARDENING,
    DURATIONS,
    CRYSTALS,
    STATES,
    NEXT_CRYSTALS,
    NEXT_STATES,
    WEIGHTS,
    STRESS,
    RESISTANCE,
    SLIP_RATE,
    BY_STRAIN_RATE,
    BY_SPIN,
    CONDITIONS,
    FOUND,
    ARRAYS
};

/* Rooms beside those of the arrays. */
enum { STEPS = ARRAYS, SUMS, FAILURES, ROOMS };
static_assert((int)ROOMS == (int)SW_POINT_ROOMS, "a room for everything");

typedef struct {
    sw_response *response;
    const sw_points *points;
    sw_hardening *hardening; /* [P] on the host; NULL: the launch's for all */
    array of[ARRAYS];
    int64_t at_a_time; /* points */
    sw_points_launch launch;
    sw_step *step;              /* [at_a_time] */
    unsigned long long *failed; /* device */
    sw_crystals_buffers *buffers;
    cudaStream_t stream;
} work;

static array array_of(const void *all, size_t each, int in, int out)
{
    array a = {.all = (void *)all, .each = each, .in = in, .out = out, .room = NULL};
    return a;
}

static void list_arrays(work *w)
{
    const sw_points *p = w->points;
    const size_t n = (size_t)p->each, numbers = (size_t)w->response->layout->numbers;
    const sw_crystals *from = p->from, *to = p->to;
    const int in_place = to == from;
    w->of[GRADIENTS] = array_of(p->velocity_gradient, sizeof *p->velocity_gradient, 1, 0);
    w->of[HARDENING] = array_of(w->hardening, sizeof *w->hardening, 1, 0);
    w->of[DURATIONS] = array_of(p->dt_each, sizeof *p->dt_each, 1, 0);
    w->of[CRYSTALS] = array_of(from->crystal, n * sizeof *from->crystal, 1, in_place);
    w->of[STATES] = array_of(from->state, n * numbers * sizeof(float), 1, in_place);
    w->of[WEIGHTS] = array_of(from->weight, n * sizeof(float), 1, 0);
    if (to != NULL && !in_place) {
        w->of[NEXT_CRYSTALS] = array_of(to->crystal, n * sizeof *to->crystal, 0, 1);
        w->of[NEXT_STATES] = array_of(to->state, n * numbers * sizeof(float), 0, 1);
    }
    w->of[STRESS] = array_of(p->stress, sizeof *p->stress, 0, 1);
    w->of[RESISTANCE] = array_of(p->slip_resistance, sizeof(double), 0, 1);
    w->of[SLIP_RATE] = array_of(p->slip_rate, sizeof(double), 0, 1);
    w->of[BY_STRAIN_RATE] = array_of(p->by_strain_rate, sizeof *p->by_strain_rate, 0, 1);
    w->of[BY_SPIN] = array_of(p->by_spin, sizeof *p->by_spin, 0, 1);
    w->of[CONDITIONS] = array_of(p->condition, sizeof *p->condition, 1, 0);
    w->of[FOUND] = array_of(p->found, sizeof *p->found, 0, 1);
}

static int passes(const array *a) { return a->all != NULL && !sw_gpu_owns(a->all); }

static void *here(const array *a, int64_t first)
{
    return a->all == NULL ? NULL : a->room != NULL ? a->room : (char *)a->all + (size_t)first * a->each;
}

static sw_status copy(const work *w, int64_t first, int64_t n, int out)
{
    for (const array *a = w->of; a < w->of + ARRAYS; a++) {
        char *host = a->room != NULL ? (char *)a->all + (size_t)first * a->each : NULL;
        if (host == NULL || !(out ? a->out : a->in))
            continue;
        SW_CUDA_TRY(cudaMemcpyAsync(out ? host : a->room, out ? a->room : host, (size_t)n * a->each,
                                    cudaMemcpyDefault, w->stream));
    }
    return SW_OK;
}

/* ---- A chunk ---- */

static sw_status make_steps(const work *w, int64_t first, int64_t n)
{
    const auto *gradient = (const double(*)[3][3])here(&w->of[GRADIENTS], first);
    const double dt = w->points->dt, m = w->response->material->slip.rate_sensitivity;
    const sw_hardening shared = w->launch.hardening;
    const sw_hardening *own = (const sw_hardening *)here(&w->of[HARDENING], first);
    const double *duration = (const double *)here(&w->of[DURATIONS], first);
    const int frame =
        w->response->solver->cpu.advance == NULL; /* it looks up by the principal frame's angles */
    const int volume = w->launch.axis.any;
    sw_step *step = w->step;
    return sw_each(
        n,
        [=] __device__(int64_t p) {
            const sw_hardening *hardening = own != NULL ? own + p : &shared;
            step[p] =
                sw_point_step(gradient[p], duration != NULL ? duration[p] : dt, m, hardening, frame, volume);
        },
        w->stream);
}

/* A warp a point: its parts' sums are added, and its results are made of them, number by number. */
__global__ static void __launch_bounds__(SW_EACH_THREADS)
    finish_points(int64_t points, int64_t parts, int tangent, const double (*sum)[SW_POINT_SUMS],
                  sw_point_results to, unsigned long long *failed)
{
    __shared__ double all[SW_EACH_THREADS / 32][SW_POINT_SUMS];
    const int lane = threadIdx.x % 32;
    double *own = all[threadIdx.x / 32];
    for (int64_t p = ((int64_t)blockIdx.x * SW_EACH_THREADS + threadIdx.x) / 32; p < points;
         p += (int64_t)gridDim.x * (SW_EACH_THREADS / 32)) {
        const int numbers = to.coupled ? SW_POINT_SUMS : SW_POINT_WEIGHT + 1;
        for (int k = lane; k < numbers; k += 32) {
            double total = 0;
            for (int64_t part = 0; part < parts && (tangent || k < SW_MEANS || k == SW_POINT_WEIGHT); part++)
                total += sum[p * parts + part][k];
            own[k] = total;
        }
        __syncwarp();
        if (lane == 0 && !(own[SW_POINT_WEIGHT] > 0) && !isnan(own[SW_POINT_WEIGHT]))
            atomicAdd(failed, 1ULL);
        for (int result = lane; result < SW_POINT_RESULTS; result += 32)
            sw_point_finish(own, p, result, &to);
        __syncwarp();
    }
}

static sw_status finish(const work *w, int64_t first, int64_t n)
{
    const sw_point_results to = {.stress = (double(*)[6])here(&w->of[STRESS], first),
                                 .slip_resistance = (double *)here(&w->of[RESISTANCE], first),
                                 .slip_rate = (double *)here(&w->of[SLIP_RATE], first),
                                 .by_strain_rate = (double(*)[6][6])here(&w->of[BY_STRAIN_RATE], first),
                                 .by_spin = (double(*)[6][3])here(&w->of[BY_SPIN], first),
                                 .symmetric = w->points->symmetric,
                                 .coupled = w->launch.tangent && w->launch.axis.any};
    finish_points<<<sw_blocks_for(n, SW_EACH_THREADS / 32), SW_EACH_THREADS, 0, w->stream>>>(
        n, w->launch.parts, w->launch.tangent, w->launch.sum, to, w->failed);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

static sw_status step_chunk(work *w, int64_t first, int64_t n)
{
    w->launch.points = n;
    const int in_place = w->points->to == w->points->from;
    w->launch.crystal = (const sw_crystal *)here(&w->of[CRYSTALS], first);
    w->launch.state = (const float *)here(&w->of[STATES], first);
    w->launch.next_crystal = (sw_crystal *)here(&w->of[in_place ? CRYSTALS : NEXT_CRYSTALS], first);
    w->launch.next_state = (float *)here(&w->of[in_place ? STATES : NEXT_STATES], first);
    w->launch.weight = (const float *)here(&w->of[WEIGHTS], first);
    SW_TRY(copy(w, first, n, 0));
    SW_TRY(make_steps(w, first, n));
    w->launch.velocity_gradient = (const double(*)[3][3])here(&w->of[GRADIENTS], first);
    w->launch.condition = (const sw_point_condition *)here(&w->of[CONDITIONS], first);
    w->launch.found = (double(*)[SW_FREE_DIRECTIONS])here(&w->of[FOUND], first);
    w->launch.dt = w->points->dt;
    w->launch.dt_each = (const double *)here(&w->of[DURATIONS], first);
    SW_TRY(w->response->launch_points(w->response, &w->launch));
    SW_TRY(finish(w, first, n));
    return copy(w, first, n, 1);
}

/* ---- All ---- */

/* So many points after each other that hardly a lane of the last 32 is idle. */
static int points_together(int64_t n)
{
    int best = 1;
    double most = 0;
    for (int k = 1; k <= TOGETHER; k++) {
        const double full = (double)(k * n) / (double)((k * n + 31) / 32 * 32);
        if (full > most + 0.01) {
            most = full;
            best = k;
        }
    }
    return best;
}

static sw_status reserve(const work *w, int room, size_t bytes, void **memory, const char *what)
{
    sw_room *its = &w->buffers->points[room];
    SW_TRY(sw_room_reserve(its, bytes, what));
    *memory = its->memory;
    return SW_OK;
}

static sw_status list_hardening(work *w)
{
    const sw_points *p = w->points;
    w->launch.hardening = w->response->material->hardening;
    w->launch.hardening_each = p->material != NULL;
    if (p->material == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(w->hardening, p->points, "hardening laws of points"));
    for (int64_t k = 0; k < p->points; k++)
        w->hardening[k] = p->material[k]->hardening;
    return SW_OK;
}

static sw_status open(work *w)
{
    const sw_points *p = w->points;
    sw_points_launch *l = &w->launch;
    int passing = 0;
    l->each = p->each;
    SW_TRY(list_hardening(w));
    l->axis = sw_point_axis_of(w->response);
    l->part = PART;
    l->parts = (p->each + PART - 1) / PART;
    l->together = l->parts > 1 ? 1 : points_together(p->each);
    l->tangent = p->by_strain_rate != NULL || p->by_spin != NULL;
    list_arrays(w);
    for (int k = 0; k < ARRAYS; k++)
        passing |= passes(&w->of[k]);
    w->at_a_time = SUMS_AT_A_TIME / l->parts;
    if (passing && w->at_a_time > CRYSTALS_PASSING / p->each)
        w->at_a_time = CRYSTALS_PASSING / p->each;
    w->at_a_time = w->at_a_time < 1 ? 1 : w->at_a_time < p->points ? w->at_a_time : p->points;
    for (int k = 0; k < ARRAYS; k++)
        if (passes(&w->of[k]))
            SW_TRY(reserve(w, k, (size_t)w->at_a_time * w->of[k].each, &w->of[k].room,
                           "points on their way through"));
    SW_TRY(reserve(w, STEPS, (size_t)w->at_a_time * sizeof *w->step, (void **)&w->step, "steps of points"));
    SW_TRY(reserve(w, SUMS, (size_t)(w->at_a_time * l->parts) * sizeof *l->sum, (void **)&l->sum,
                   "sums of points"));
    SW_TRY(reserve(w, FAILURES, sizeof *w->failed, (void **)&w->failed, "failures of points"));
    SW_CUDA_TRY(cudaMemsetAsync(w->failed, 0, sizeof *w->failed, w->stream));
    l->step = w->step;
    l->failed = w->failed;
    l->stream = w->stream;
    return SW_OK;
}

static sw_status run(work *w, int64_t *failed)
{
    unsigned long long count = 0;
    SW_TRY(open(w));
    for (int64_t first = 0; first < w->points->points; first += w->at_a_time) {
        const int64_t left = w->points->points - first;
        SW_TRY(step_chunk(w, first, left < w->at_a_time ? left : w->at_a_time));
    }
    SW_CUDA_TRY(cudaMemcpyAsync(&count, w->failed, sizeof count, cudaMemcpyDeviceToHost, w->stream));
    SW_CUDA_TRY(cudaStreamSynchronize(w->stream));
    *failed = (int64_t)count;
    return SW_OK;
}

extern "C" sw_status sw_points_step_cuda(sw_response *response, const sw_points *points, int64_t *failed)
{
    work w = {.response = response, .points = points};
    w.buffers = ((sw_crystals_cuda *)response->gpu)->buffers;
    w.stream = w.buffers->chunk[0].stream;
    const sw_status status = run(&w, failed);
    cudaStreamSynchronize(w.stream); /* whatever came before: nothing may be in flight */
    free(w.hardening);
    return status;
}
