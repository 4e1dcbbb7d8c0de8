/* The scheme on a GPU, the host's side: tables, rooms, launches of the kernel (engine_kernel.cuh). */
#include <stddef.h>
#include <stdlib.h>

#include "engine_kernel.cuh"
#include "online/gpu/cuda_check.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"

static sw_status grow(double **memory, size_t *bytes, size_t needed)
{
    if (needed <= *bytes)
        return SW_OK;
    cudaFree(*memory);
    *memory = NULL;
    *bytes = 0;
    if (cudaMalloc((void **)memory, needed) != cudaSuccess) {
        cudaGetLastError();
        return sw_error(SW_ERR_MEMORY, "no memory on the GPU for a self-consistent scheme: %zu bytes",
                        needed);
    }
    *bytes = needed;
    return SW_OK;
}

extern "C" sw_status sw_sc_cuda_open(const sw_sc_slip *slip, const sw_sc_rules *rules, int stress_at,
                                     int law_at, int numbers, sw_sc_cuda **engine)
{
    static const double aspect[RULES_MOST] = {3, 10, 25, INFINITY};
    sw_sc_cuda *e = (sw_sc_cuda *)calloc(1, sizeof *e);
    if ((*engine = e) == NULL)
        return sw_error(SW_ERR_MEMORY, "no memory for a self-consistent scheme");
    e->rules = *rules;
    e->stress_at = stress_at;
    e->law_at = law_at;
    e->numbers = numbers;
    e->rows = rules->own_shapes ? SW_SC_ROWS_OF_SHAPES : SW_SC_ROWS;
    e->resists = slip->own ? slip->law.groups : 1;
    e->slip_bytes = (int)(slip->own ? sizeof *slip : (offsetof(struct sw_sc_slip, law) + 7) / 8 * 8);
    e->exponent = slip->exponent;
    e->by_rate = sw_sc_goes_by_rate(slip);
    SW_CUDA_TRY(cudaMalloc((void **)&e->slip, sizeof *slip));
    SW_CUDA_TRY(cudaMemcpy(e->slip, slip, sizeof *slip, cudaMemcpyHostToDevice));
    e->n_directions = RULES_MOST;
    for (int k = 0; k < RULES_MOST; k++) {
        const sw_sc_directions d =
            sw_sc_directions_for(isfinite(aspect[k]) ? aspect[k] : 1e9, rules->stress_tolerance);
        double *node;
        SW_CUDA_TRY(cudaMalloc((void **)&node, 4 * d.n * sizeof *node));
        e->directions[k].n = d.n;
        e->directions[k].node = node;
        e->aspect[k] = aspect[k];
        SW_CUDA_TRY(cudaMemcpy(node, d.node, 4 * d.n * sizeof *node, cudaMemcpyHostToDevice));
    }
    return SW_OK;
}

extern "C" void sw_sc_cuda_close(sw_sc_cuda *engine)
{
    if (engine == NULL)
        return;
    for (int k = 0; k < RULES_MOST; k++)
        cudaFree((void *)engine->directions[k].node);
    cudaFree(engine->slip);
    cudaFree(engine->row);
    cudaFree(engine->partial);
    cudaFree(engine->result);
    for (int k = 0; k < PASSING; k++)
        cudaFree(engine->passing[k]);
    free(engine);
}

/* What blocks of a kernel are made of. */
typedef struct {
    int threads, blocks; /* blocks: of a multiprocessor at a time */
    size_t bytes;        /* of shared memory */
} shape_of_blocks;

template <bool WHOLE, bool OWN>
static sw_status shape_blocks(int threads, int columns, int slip_bytes, shape_of_blocks *shape)
{
    shape->threads = threads;
    shape->bytes = offsetof(shared, slip) + (size_t)slip_bytes + (size_t)(columns * threads) * sizeof(double);
    SW_CUDA_TRY(cudaFuncSetAttribute(solve<WHOLE, OWN>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)shape->bytes));
    SW_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&shape->blocks, solve<WHOLE, OWN>, threads,
                                                              shape->bytes));
    return SW_OK;
}

/* Grains of a large polycrystal keep all warps busy in blocks as large as can be, of which few meet; those of a small one in many
 * blocks. Of points one thread of a block works between passes, which hides in other blocks: half as many threads take 1.6 times as long
 * for a point. */
template <bool WHOLE, bool OWN>
static sw_status choose_blocks(int64_t each, int multiprocessors, int columns, int slip_bytes, int room,
                               shape_of_blocks *shape)
{
    const int fit = (room - (int)offsetof(shared, slip) - slip_bytes) / (columns * (int)sizeof(double)),
              most = !WHOLE || OWN        ? THREADS
                     : fit < THREADS_MOST ? fit
                                          : THREADS_MOST;
    int threads = THREADS;
    while (threads + THREADS <= most && each > (int64_t)threads * multiprocessors)
        threads += THREADS;
    SW_TRY((shape_blocks<WHOLE, OWN>(threads, columns, slip_bytes, shape)));
    if constexpr (!WHOLE && !OWN) {
        shape_of_blocks half;
        SW_TRY((shape_blocks<WHOLE, OWN>(threads / 2, columns, slip_bytes, &half)));
        const int take_half = each <= half.threads || half.blocks * 10 > shape->blocks * 16;
        SW_TRY((shape_blocks<WHOLE, OWN>(take_half ? threads / 2 : threads, columns, slip_bytes, shape)));
    }
    return SW_OK;
}

/* Phases of a launch, and where the rows of each begin for so many teams. Returns the grains of the largest. */
static int64_t set_phases(const sw_sc_cuda *e, const sw_sc_launch *l, job *j)
{
    int64_t most = 0;
    j->phases = 1 + l->more;
    for (int f = 0; f < j->phases; f++) {
        phase_job *const p = &j->phase[f];
        if (f > 0)
            p->of = l->phase[f - 1];
        else
            p->of = {e, l->each, l->scale, l->crystal, l->state, l->weight, l->next_crystal, l->next_state};
        const sw_sc_cuda *const own = p->of.engine;
        p->of.scale = p->of.scale > 0 ? p->of.scale : 1;
        p->slip = own->slip;
        p->slip_bytes = own->slip_bytes;
        j->slip_bytes = own->slip_bytes > j->slip_bytes ? own->slip_bytes : j->slip_bytes;
        p->stress_at = own->stress_at;
        p->law_at = own->law_at;
        p->numbers = own->numbers;
        p->resists = own->resists;
        p->stride = (p->of.each + 7) / 8 * 8;
        j->by_rate |= own->by_rate;
        j->exponent = own->exponent > j->exponent ? own->exponent : j->exponent;
        most = p->of.each > most ? p->of.each : most;
    }
    return most;
}

static size_t set_rows(const sw_sc_cuda *e, int64_t teams, job *j)
{
    size_t all = 0;
    for (int f = 0; f < j->phases; f++) {
        j->phase[f].row = all;
        all += (size_t)teams * (size_t)j->phase[f].stride * (size_t)(e->rows + j->phase[f].resists);
    }
    return all * sizeof(double);
}

template <bool WHOLE, bool OWN> static sw_status launch_as(sw_sc_cuda *e, const sw_sc_launch *l)
{
    const int columns = e->rules.linearization == SW_SC_AFFINE ? SW_SC_UT : SW_SC_SUMS;
    int device, multiprocessors, room;
    shape_of_blocks shape;
    job j = {};
    const int64_t each = set_phases(e, l, &j);
    SW_CUDA_TRY(cudaGetDevice(&device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    SW_TRY((choose_blocks<WHOLE, OWN>(each, multiprocessors, columns, j.slip_bytes, room, &shape)));
    int64_t n = (int64_t)shape.blocks * multiprocessors;
    const int64_t most = WHOLE ? (each + shape.threads - 1) / shape.threads : l->points;
    n = n > most ? most : n;
    j.columns = columns;
    SW_TRY(grow(&e->row, &e->row_bytes, set_rows(e, WHOLE ? 1 : n, &j)));
    if (WHOLE)
        SW_TRY(grow(&e->partial, &e->partial_bytes, 2 * (size_t)n * SW_SC_SUMS_OF_SHAPES * sizeof(double)));
    j.engine = *e;
    j.launch = *l;
    j.has_conditions = l->conditions != NULL;
    if (l->conditions != NULL)
        j.conditions = *l->conditions;
    if (WHOLE) {
        void *arguments[] = {&j};
        SW_CUDA_TRY(cudaLaunchCooperativeKernel((const void *)solve<WHOLE, OWN>, dim3((unsigned)n),
                                                dim3(shape.threads), arguments, shape.bytes,
                                                (cudaStream_t)l->stream));
    } else
        solve<WHOLE, OWN><<<(unsigned)n, shape.threads, shape.bytes, (cudaStream_t)l->stream>>>(j);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

extern "C" sw_status sw_sc_cuda_launch(sw_sc_cuda *engine, const sw_sc_launch *launch)
{
    if (engine->rules.own_shapes)
        return launch->whole ? launch_as<true, true>(engine, launch) : launch_as<false, true>(engine, launch);
    return launch->whole ? launch_as<true, false>(engine, launch) : launch_as<false, false>(engine, launch);
}

extern "C" sw_status sw_sc_cuda_results(sw_sc_cuda *engine, int64_t points, sw_sc_result **result)
{
    SW_TRY(grow((double **)&engine->result, &engine->result_bytes, (size_t)points * sizeof *engine->result));
    *result = engine->result;
    return SW_OK;
}

extern "C" sw_status sw_sc_cuda_sums(const sw_sc_cuda *engine, int64_t points, int64_t parts, int64_t each,
                                     double *sums, double (*found)[SW_SC_FREE], unsigned long long *failed,
                                     void *stream)
{
    const sw_sc_result *result = engine->result;
    return sw_each(
        points,
        [=] __device__(int64_t p) {
            double *sum = sums + p * parts * SW_POINT_SUMS;
            sw_sc_point_sums(result + p, sum);
            for (int64_t k = SW_POINT_SUMS; k < parts * SW_POINT_SUMS; k++)
                sum[k] = 0;
            for (int k = 0; k < SW_SC_FREE && found != NULL; k++)
                found[p][k] = result[p].found[k];
            if (!result[p].converged)
                atomicAdd(failed, (unsigned long long)each);
        },
        (cudaStream_t)stream);
}

/* ---- One polycrystal, wherever its crystals are ---- */

/* Where a kernel has an array of the caller's: there, or in a room that it is copied to. */
static sw_status bring(sw_sc_cuda *e, int room, const void *from, size_t bytes, int copied, const void **to)
{
    *to = from;
    if (from == NULL || sw_gpu_owns(from))
        return SW_OK;
    SW_TRY(grow(&e->passing[room], &e->passing_bytes[room], bytes));
    *to = e->passing[room];
    if (copied)
        SW_CUDA_TRY(cudaMemcpyAsync(e->passing[room], from, bytes, cudaMemcpyHostToDevice, 0));
    return SW_OK;
}

static sw_status take_back(void *to, const void *from, size_t bytes)
{
    if (to != NULL && to != from)
        SW_CUDA_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, 0));
    return SW_OK;
}

/* Arrays of a phase, there. */
static sw_status bring_phase(const sw_sc_cuda_phase *p, sw_sc_launch_phase *l)
{
    const size_t n = (size_t)p->from->n, crystals = n * sizeof(sw_crystal),
                 states = n * p->engine->numbers * sizeof(float);
    *l = {};
    l->engine = p->engine;
    l->each = p->from->n;
    l->scale = p->scale;
    SW_TRY(bring(p->engine, CRYSTALS, p->from->crystal, crystals, 1, (const void **)&l->crystal));
    SW_TRY(bring(p->engine, STATES, p->from->state, states, 1, (const void **)&l->state));
    SW_TRY(bring(p->engine, WEIGHTS, p->from->weight, n * sizeof(float), 1, (const void **)&l->weight));
    if (p->to != NULL && p->to->crystal == p->from->crystal) {
        l->next_crystal = (sw_crystal *)l->crystal;
        l->next_state = (float *)l->state;
    } else if (p->to != NULL) {
        SW_TRY(bring(p->engine, NEXT_CRYSTALS, p->to->crystal, crystals, 0, (const void **)&l->next_crystal));
        SW_TRY(bring(p->engine, NEXT_STATES, p->to->state, states, 0, (const void **)&l->next_state));
    }
    return SW_OK;
}

static sw_status take_back_phase(const sw_sc_cuda_phase *p, const sw_sc_launch_phase *l)
{
    const size_t n = (size_t)p->from->n;
    if (p->to == NULL)
        return SW_OK;
    SW_TRY(take_back(p->to->crystal, l->next_crystal, n * sizeof(sw_crystal)));
    return take_back(p->to->state, l->next_state, n * p->engine->numbers * sizeof(float));
}

/* What was found, to the host: waits. */
static sw_status read_results(const sw_sc_cuda *e, int phases, sw_sc_cuda_phase *phase, sw_sc_result *result)
{
    struct {
        sw_sc_result all;
        sw_sc_phase_result of[SW_SC_PHASES];
    } found;
    SW_CUDA_TRY(cudaMemcpyAsync(&found, e->result, sizeof found, cudaMemcpyDeviceToHost, 0));
    SW_CUDA_TRY(cudaStreamSynchronize(0));
    *result = found.all;
    for (int f = 0; f < phases; f++)
        phase[f].result = found.of[f];
    return SW_OK;
}

extern "C" sw_status sw_sc_cuda_polycrystal(int phases, sw_sc_cuda_phase *phase,
                                            const sw_sc_conditions *conditions,
                                            const double velocity_gradient[3][3], double dt,
                                            sw_sc_result *result)
{
    sw_sc_cuda *const engine = phase[0].engine;
    sw_sc_launch_phase of[SW_SC_PHASES] = {};
    for (int f = 0; f < phases; f++)
        SW_TRY(bring_phase(&phase[f], &of[f]));
    sw_sc_launch l = {};
    l.points = 1;
    l.each = of[0].each;
    l.whole = 1;
    l.more = phases - 1;
    for (int f = 1; f < phases; f++)
        l.phase[f - 1] = of[f];
    l.scale = of[0].scale;
    l.crystal = of[0].crystal;
    l.state = of[0].state;
    l.weight = of[0].weight;
    l.next_crystal = of[0].next_crystal;
    l.next_state = of[0].next_state;
    l.conditions = conditions;
    l.dt = dt;
    SW_TRY(bring(engine, GRADIENT, velocity_gradient, 9 * sizeof(double), 1,
                 (const void **)&l.velocity_gradient));
    SW_TRY(grow((double **)&engine->result, &engine->result_bytes,
                sizeof(sw_sc_result) + SW_SC_PHASES * sizeof(sw_sc_phase_result)));
    l.result = engine->result;
    l.of_phase = (sw_sc_phase_result *)(engine->result + 1);
    SW_TRY(sw_sc_cuda_launch(engine, &l));
    for (int f = 0; f < phases; f++)
        SW_TRY(take_back_phase(&phase[f], &of[f]));
    return read_results(engine, phases, phase, result);
}
