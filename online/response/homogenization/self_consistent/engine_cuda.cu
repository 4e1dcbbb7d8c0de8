/* The scheme's passes on a GPU. A team of threads, a block or all of the grid, takes grains one each, adds up what they leave, and each of
 * its blocks takes the same next step of the machine (scheme.h) for itself, so that a pass over grains costs one meeting of
 * the team, and one over directions none. */
#include <cooperative_groups.h>
#include <stdlib.h>

#include "engine_cuda.h"
#include "grain.h"
#include "online/gpu/launch.cuh"
#include "point.h"
#include "online/gpu/cuda_check.h"
#include "online/gpu/gpu.h"
#include "online/response/step/solver.h"

namespace cg = cooperative_groups;

/* THREADS of a block, or of a large polycrystal's up to THREADS_MOST, for which a multiprocessor's registers suffice: 168 each. */
enum { THREADS = 128, THREADS_MOST = 384, RULES_MOST = 4, NUMBERS_MOST = SW_KEPT_MAX };
enum { GRADIENT, CRYSTALS, STATES, WEIGHTS, NEXT_CRYSTALS, NEXT_STATES, PASSING };

struct sw_sc_cuda {
    sw_sc_rules rules;
    int stress_at, law_at, numbers, rows, resists;
    sw_sc_slip *slip;                        /* device */
    sw_sc_directions directions[RULES_MOST]; /* nodes: device */
    double aspect[RULES_MOST];
    int n_directions;
    double *row;
    size_t row_bytes;
    double *partial; /* [2][sums][blocks], of a grid */
    size_t partial_bytes;
    sw_sc_result *result;
    size_t result_bytes;
    double *passing[PASSING]; /* arrays of the host, on their way through */
    size_t passing_bytes[PASSING];
};

/* What a kernel takes. */
typedef struct {
    sw_sc_cuda engine;
    sw_sc_launch launch;
    sw_sc_conditions conditions;
    int has_conditions;
    int64_t stride; /* of rows: grains of a team */
    int columns;    /* numbers that threads add up at a time */
} job;

/* What a block shares, at the beginning of its memory, so that functions, which are compiled by themselves for registers of their own,
 * find it there. */
typedef struct {
    job j;
    sw_sc_rules rules;
    sw_sc_rows rows;
    sw_sc_medium medium;
    sw_sc_slip slip;
    double sum[SW_SC_SUMS_OF_SHAPES], step_sum[4];
    double spin[3], phase_l[3][3], dt;
    int directions;
    int64_t point, rank, size; /* of the team: its first thread here, and all */
    int turn;
    double column[]; /* [columns][threads] */
} shared;

extern __shared__ double memory[];
#define SHARED ((shared *)memory)

__device__ static double *column_of(int k) { return SHARED->column + k * blockDim.x + threadIdx.x; }

/* Rules with what is known when this is compiled. */
template <bool OWN> __device__ static sw_sc_rules rules_of(void)
{
    sw_sc_rules rules = SHARED->rules;
    rules.own_shapes = OWN;
    rules.compatible = 0;
    return rules;
}

/* ---- The team: a block or, WHOLE, the grid ---- */

__device__ static double sum_of_warp(double x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_down_sync(~0u, x, offset);
    return x;
}

/* x [n]: by a warp, its lanes' shares in order, and then they are added. Of lane 0. */
__device__ static double sum_by_warp(const double *x, int n)
{
    double sum = 0;
    for (int i = threadIdx.x % 32; i < n; i += 32)
        sum += x[i];
    return sum_of_warp(sum);
}

/* Columns [n] of a block's threads -> sum. */
__device__ __noinline__ static void add_columns(int n, double *sum)
{
    __syncthreads();
    for (int k = threadIdx.x / 32; k < n; k += blockDim.x / 32) {
        const double x = sum_by_warp(SHARED->column + k * blockDim.x, blockDim.x);
        if (threadIdx.x % 32 == 0)
            sum[k] = x;
    }
    __syncthreads();
}

/* sum [n] of blocks -> of all of them. Two places for the blocks' parts, in turn: when one is written again, all have read it. */
__device__ __noinline__ static void add_blocks(int n, double *sum)
{
    shared *const s = SHARED;
    double *const part = s->j.engine.partial + (size_t)(s->turn & 1) * gridDim.x * SW_SC_SUMS_OF_SHAPES;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        part[(size_t)k * gridDim.x + blockIdx.x] = sum[k];
    cg::this_grid().sync();
    for (int k = threadIdx.x / 32; k < n; k += blockDim.x / 32) {
        const double x = sum_by_warp(part + (size_t)k * gridDim.x, gridDim.x);
        if (threadIdx.x % 32 == 0)
            sum[k] = x;
    }
    if (threadIdx.x == 0)
        s->turn++;
    __syncthreads();
}

/* n columns -> sum of the team. */
template <bool WHOLE> __device__ static void add_up(int n)
{
    add_columns(n, SHARED->sum);
    if (WHOLE)
        add_blocks(n, SHARED->sum);
}

/* own [n] of each thread, likewise, -> to. */
template <bool WHOLE> __device__ static void add_own(const double *own, int n, double *to)
{
    const int columns = SHARED->j.columns;
    for (int first = 0; first < n; first += columns) {
        const int some = n - first < columns ? n - first : columns;
        for (int k = 0; k < some; k++)
            *column_of(k) = own[first + k];
        add_columns(some, to + first);
    }
    if (WHOLE)
        add_blocks(n, to);
}

/* ---- A point ---- */

__device__ static sw_sc_rows rows_of(const job *j, int64_t first)
{
    sw_sc_rows rows;
    rows.row = j->engine.row + first * j->stride * (j->engine.rows + j->engine.resists);
    rows.stride = j->stride;
    rows.resists = j->engine.rows;
    rows.stress = j->engine.stress_at;
    rows.shape = rows.stress + 5;
    rows.law = j->engine.law_at > 0 ? j->engine.law_at : SW_SC_KEPT;
    return rows;
}

__device__ static double weight_of(const shared *s, int64_t i)
{
    const float *weight = s->j.launch.weight;
    if (weight == NULL)
        return 1;
    const double w = weight[s->point * s->j.launch.each + i];
    return w >= 0 ? w : NAN;
}

__device__ static void load_number(const job *j, int64_t crystal, float (*number)[1])
{
    const float *state = j->launch.state + crystal * j->engine.numbers;
    for (int k = 0; k < j->engine.numbers; k++)
        number[k][0] = state[k];
}

/* Rows of all grains of a point. */
template <bool OWN> __device__ __noinline__ static void fill(void)
{
    const shared *const s = SHARED;
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size) {
        const int64_t crystal = s->point * s->j.launch.each + i;
        const sw_crystal c = s->j.launch.crystal[crystal];
        const double euler[3] = {c.euler[0], c.euler[1], c.euler[2]};
        double r[3][3];
        float number[NUMBERS_MOST][1];
        load_number(&s->j, crystal, number);
        sw_rotation_from_euler(euler, r);
        sw_sc_fill(&s->slip, &s->rows, OWN, s->medium.rounds > 0, s->medium.rate, number, c.slip_resistance,
                   r, i);
    }
}

__device__ static int directions_for(const job *j, double aspect)
{
    int at = 0;
    while (at + 1 < j->engine.n_directions && !(aspect <= j->engine.aspect[at]))
        at++;
    return at;
}

/* A step that says what is no number, or too much, has no answer. */
__device__ static bool is_sound(const double l[3][3], double dt)
{
    double d[5], w[3], size = 0, turn = 0;
    sw_sc_rate_of(l, d);
    sw_sc_skew_of(l, w);
    for (int k = 0; k < 5; k++)
        size += d[k] * d[k];
    for (int k = 0; k < 3; k++)
        turn += w[k] * w[k];
    return sqrt(size) * dt <= SW_STEP_STRAIN_MOST && sqrt(turn) * dt <= SW_TURN_MAX;
}

/* The loading of a point, and its ellipsoid. One thread a block. */
__device__ __noinline__ static void begin(void)
{
    shared *const s = SHARED;
    const job *const j = &s->j;
    const double(*l)[3] = j->launch.velocity_gradient[s->point];
    sw_sc_medium *m = &s->medium;
    const float *state =
        j->launch.state + s->point * j->launch.each * j->engine.numbers + j->engine.stress_at + 5;
    const sw_point_condition *c = j->launch.condition != NULL ? j->launch.condition + s->point : NULL;
    double f[3][3];
    memset(m, 0, sizeof *m);
    m->phases = 1;
    m->exponent = s->slip.exponent;
    m->by_rate = sw_sc_goes_by_rate(&s->slip);
    sw_sc_begin_point(l, c, m);
    if (j->has_conditions)
        m->conditions = j->conditions;
    s->dt = j->launch.dt_each != NULL ? j->launch.dt_each[s->point] : j->launch.dt;
    for (int k = 0; k < 9; k++)
        s->phase_l[k / 3][k % 3] = s->spin[k % 3] = 0;
    for (int k = 0; k < 9; k++)
        f[k / 3][k % 3] = (double)state[k] + (k % 4 == 0);
    s->directions = directions_for(j, sw_sc_shape_of(f, &m->of[0].shape));
    sw_sc_begin(m);
    if (!is_sound(l, s->dt))
        m->pass = SW_SC_DONE;
}

/* What comes after a pass. One thread a block. */
template <bool OWN> __device__ __noinline__ static void next(void)
{
    const sw_sc_rules rules = rules_of<OWN>();
    sw_sc_next(&SHARED->medium, &rules, SHARED->sum, SW_SC_SUMS_OF_SHAPES);
}

__device__ __noinline__ static void solve_shape(void)
{
    const shared *const s = SHARED;
    const sw_sc_directions d = s->j.engine.directions[s->directions];
    double sum[SW_SC_INCLUSION_SUMS] = {0};
    for (int i = threadIdx.x; i < d.n; i += blockDim.x) {
        double node[4], alpha[3];
        for (int k = 0; k < 4; k++)
            node[k] = d.node[k * d.n + i];
        const double share = sw_sc_direction(&s->medium.of[0].shape, node, alpha);
        sw_sc_add_direction(s->medium.l, alpha, share, sum);
    }
    SW_UNROLL
    for (int k = 0; k < SW_SC_INCLUSION_SUMS; k++)
        *column_of(k) = sum[k];
    add_columns(SW_SC_INCLUSION_SUMS, SHARED->sum);
}

/* Each grain's own, in all directions. */
__device__ __noinline__ static void solve_shapes(void)
{
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<true>();
    const sw_sc_rows *rows = &s->rows;
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size) {
        double sum[SW_SC_INCLUSION_SUMS] = {0}, f[3][3], mt[5][5], p_inverse[5][5], spin[3][5];
        sw_sc_shape shape;
        for (int k = 0; k < 9; k++)
            f[k / 3][k % 3] = SW_SC_AT(rows, SW_SC_ROW_F + k, i);
        const sw_sc_directions d = s->j.engine.directions[directions_for(&s->j, sw_sc_shape_of(f, &shape))];
        for (int n = 0; n < d.n; n++) {
            double node[4], alpha[3];
            for (int k = 0; k < 4; k++)
                node[k] = d.node[k * d.n + n];
            const double share = sw_sc_direction(&shape, node, alpha);
            sw_sc_add_direction(s->medium.l, alpha, share, sum);
        }
        sw_sc_interaction(s->medium.l, &rules, sum, mt, p_inverse);
        for (int k = 15; k < 30; k++)
            sum[k] /= sum[30];
        sw_sc_spin_of(sum + 15, p_inverse, spin);
        for (int p = 0; p < 5; p++)
            for (int q = 0; q <= p; q++)
                SW_SC_AT(rows, SW_SC_ROW_MT + sw_sc_place(p, q), i) = mt[p][q];
        for (int k = 0; k < 15; k++)
            SW_SC_AT(rows, SW_SC_ROW_SPIN + k, i) = spin[k / 5][k % 5];
    }
}

template <bool WHOLE, bool OWN> __device__ __noinline__ static void take_moduli(void)
{
    enum { N = OWN ? SW_SC_SUMS_OF_SHAPES : SW_SC_WEIGHT + 1 };
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<OWN>();
    double sum[N] = {0};
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size)
        sw_sc_visit_moduli(&rules, &s->medium, &s->medium.of[0], &s->rows, i, weight_of(s, i), sum);
    add_own<WHOLE>(sum, N, SHARED->sum);
}

/* Sums are in shared memory meanwhile: registers are for Newton's method. */
template <bool WHOLE> __device__ __noinline__ static void take_stresses(void)
{
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<false>();
    const int n = s->j.columns;
    for (int k = 0; k < n; k++)
        *column_of(k) = 0;
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size) {
        double sum[SW_SC_SUMS] = {0};
        sw_sc_visit_stress(&s->slip, &rules, &s->medium, &s->medium.of[0], &s->rows, i, -1, weight_of(s, i),
                           sum);
        SW_UNROLL
        for (int k = 0; k < SW_SC_SUMS; k++)
            if (k < n)
                *column_of(k) += sum[k];
    }
    add_up<WHOLE>(n);
}

template <bool WHOLE> __device__ __noinline__ static void take_stresses_of_shapes(void)
{
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<true>();
    double sum[SW_SC_SUMS_OF_SHAPES];
    for (int k = 0; k < SW_SC_SUMS_OF_SHAPES; k++)
        sum[k] = 0;
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size)
        sw_sc_visit_stress(&s->slip, &rules, &s->medium, &s->medium.of[0], &s->rows, i, -1, weight_of(s, i),
                           sum);
    add_own<WHOLE>(sum, SW_SC_SUMS_OF_SHAPES, SHARED->sum);
}

/* Grains to the step's end, where it ends, and their means. */
template <bool WHOLE, bool OWN> __device__ __noinline__ static void finish(int ends)
{
    const shared *const s = SHARED;
    const job *const j = &s->j;
    const sw_sc_rules rules = rules_of<OWN>();
    double sum[4] = {0, 0, 0, 0};
    for (int64_t i = s->rank + threadIdx.x; i < s->j.launch.each; i += s->size) {
        const int64_t crystal = s->point * j->launch.each + i;
        const double weight = weight_of(s, i);
        sw_crystal c = j->launch.crystal[crystal];
        float number[NUMBERS_MOST][1];
        double resistance = c.slip_resistance;
        sw_sc_move move;
        load_number(j, crystal, number);
        sw_sc_finish(&s->slip, &rules, &s->medium, &s->medium.of[0], &s->rows, i, s->dt, s->spin, s->phase_l,
                     number, &resistance, &move);
        sum[3] += weight * move.begun;
        sum[0] += weight * move.slip_rate;
        sum[1] += weight * resistance;
        sum[2] += weight;
        if (j->launch.next_crystal == NULL || !ends)
            continue;
        sw_sc_turn_lattice(move.turn, c.euler);
        c.slip_resistance = (float)resistance;
        j->launch.next_crystal[crystal] = c;
        for (int k = 0; k < j->engine.numbers; k++)
            j->launch.next_state[crystal * j->engine.numbers + k] = number[k][0];
    }
    add_own<WHOLE>(sum, 4, SHARED->step_sum);
}

/* What resists as the step ends, over what does. */
template <bool WHOLE, bool OWN> __device__ static void find_growth(void)
{
    finish<WHOLE, OWN>(0);
    if (threadIdx.x == 0)
        SHARED->medium.growth = SHARED->step_sum[1] / SHARED->step_sum[3];
}

__device__ __noinline__ static void report(void)
{
    const shared *const s = SHARED;
    const sw_sc_medium *m = &s->medium;
    sw_sc_result r;
    const double over = 1 / s->step_sum[2];
    for (int k = 0; k < 5; k++) {
        r.stress[k] = m->converged ? m->s[k] : NAN;
        r.rate[k] = m->d[k];
    }
    r.mean_stress = m->pressure;
    sw_sc_stiffness(m, r.stiffness);
    r.slip_rate = over * s->step_sum[0];
    r.slip_resistance = over * s->step_sum[1];
    r.begun = over * s->step_sum[3];
    r.weight = s->step_sum[2];
    for (int k = 0; k < 3; k++)
        r.error[k] = m->error[k];
    for (int k = 0; k < SW_SC_FREE; k++)
        r.found[k] = m->conditions.x[k];
    r.outer = m->outer;
    r.inner = m->inner_all;
    r.converged = m->converged;
    s->j.launch.result[s->point] = r;
}

template <bool WHOLE, bool OWN> __device__ static void take_pass(void)
{
    if (SHARED->medium.pass == SW_SC_FILL)
        fill<OWN>();
    else if (SHARED->medium.pass == SW_SC_INCLUSION) {
        if (OWN)
            solve_shapes();
        else
            solve_shape();
    } else if (SHARED->medium.pass == SW_SC_MODULI)
        take_moduli<WHOLE, OWN>();
    else if (SHARED->medium.pass == SW_SC_GROWTH)
        find_growth<WHOLE, OWN>();
    else if (OWN)
        take_stresses_of_shapes<WHOLE>();
    else
        take_stresses<WHOLE>();
}

/* The first of a block's threads: how its grains' ellipsoids and lattices turn. */
__device__ static void set_spin(void)
{
    shared *const s = SHARED;
    const sw_sc_launch *l = &s->j.launch;
    sw_sc_spin_of_point(l->velocity_gradient[s->point], l->condition != NULL ? l->condition + s->point : NULL,
                        &s->medium, s->spin);
    sw_sc_phase_gradient(&s->medium, &s->medium.of[0], s->spin, s->phase_l);
}

template <bool WHOLE, bool OWN>
__global__ static void __launch_bounds__(OWN ? 2 * THREADS : THREADS_MOST)
    solve(const __grid_constant__ job j)
{
    shared *const s = SHARED;
    for (size_t k = threadIdx.x; k < sizeof s->slip / sizeof(int); k += blockDim.x)
        ((int *)&s->slip)[k] = ((const int *)j.engine.slip)[k];
    if (threadIdx.x == 0) {
        s->j = j;
        s->rules = j.engine.rules;
        s->rows = rows_of(&j, WHOLE ? 0 : blockIdx.x);
        s->rank = WHOLE ? (int64_t)blockIdx.x * blockDim.x : 0;
        s->size = WHOLE ? (int64_t)gridDim.x * blockDim.x : blockDim.x;
        s->turn = 0;
    }
    __syncthreads();
    for (int64_t p = WHOLE ? 0 : blockIdx.x; p < j.launch.points; p += WHOLE ? 1 : gridDim.x) {
        if (threadIdx.x == 0) {
            s->point = p;
            begin();
        }
        __syncthreads();
        while (s->medium.pass != SW_SC_DONE) {
            take_pass<WHOLE, OWN>();
            __syncthreads();
            if (threadIdx.x == 0)
                next<OWN>();
            __syncthreads();
        }
        if (threadIdx.x == 0)
            set_spin();
        __syncthreads();
        finish<WHOLE, OWN>(s->medium.converged);
        if (threadIdx.x == 0 && (!WHOLE || blockIdx.x == 0))
            report();
        __syncthreads();
    }
}

/* ---- On the host ---- */

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

/* Of a block, at most `most`. Grains of a large polycrystal keep all warps busy in blocks as large as can be, of which few meet; those of a
 * small one in many blocks. */
template <bool WHOLE, bool OWN> static int threads_for(const sw_sc_launch *l, int multiprocessors, int most)
{
    int threads = THREADS;
    most = !WHOLE || OWN ? THREADS : most < THREADS_MOST ? most : THREADS_MOST;
    while (threads + THREADS <= most && l->each > (int64_t)threads * multiprocessors)
        threads += THREADS;
    return threads;
}

template <bool WHOLE, bool OWN> static sw_status launch_as(sw_sc_cuda *e, const sw_sc_launch *l)
{
    const int columns = e->rules.linearization == SW_SC_AFFINE ? SW_SC_UT : SW_SC_SUMS;
    int device, multiprocessors, room, blocks;
    SW_CUDA_TRY(cudaGetDevice(&device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const int threads = threads_for<WHOLE, OWN>(
        l, multiprocessors, (room - (int)sizeof(shared)) / (columns * (int)sizeof(double)));
    const size_t bytes = sizeof(shared) + (size_t)(columns * threads) * sizeof(double);
    SW_CUDA_TRY(
        cudaFuncSetAttribute(solve<WHOLE, OWN>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    SW_CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, solve<WHOLE, OWN>, threads, bytes));
    int64_t n = (int64_t)blocks * multiprocessors;
    const int64_t most = WHOLE ? (l->each + threads - 1) / threads : l->points;
    n = n > most ? most : n;
    job j = {};
    j.stride = (l->each + 7) / 8 * 8;
    j.columns = columns;
    SW_TRY(
        grow(&e->row, &e->row_bytes,
             (size_t)(WHOLE ? 1 : n) * (size_t)j.stride * (size_t)(e->rows + e->resists) * sizeof(double)));
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
                                                dim3(threads), arguments, bytes, (cudaStream_t)l->stream));
    } else
        solve<WHOLE, OWN><<<(unsigned)n, threads, bytes, (cudaStream_t)l->stream>>>(j);
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

extern "C" sw_status sw_sc_cuda_read(const sw_sc_cuda *engine, void *stream, sw_sc_result *result)
{
    SW_CUDA_TRY(cudaMemcpyAsync(result, engine->result, sizeof *result, cudaMemcpyDeviceToHost,
                                (cudaStream_t)stream));
    SW_CUDA_TRY(cudaStreamSynchronize((cudaStream_t)stream));
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

extern "C" sw_status sw_sc_cuda_polycrystal(sw_sc_cuda *engine, const sw_sc_conditions *conditions,
                                            const double velocity_gradient[3][3], double dt,
                                            const sw_crystals *from, const sw_crystals *to,
                                            sw_sc_result *result)
{
    const size_t n = (size_t)from->n, crystals = n * sizeof(sw_crystal),
                 states = n * engine->numbers * sizeof(float);
    const int in_place = to != NULL && to->crystal == from->crystal;
    sw_sc_launch l = {};
    l.points = 1;
    l.each = from->n;
    l.whole = 1;
    l.conditions = conditions;
    l.dt = dt;
    SW_TRY(bring(engine, GRADIENT, velocity_gradient, 9 * sizeof(double), 1,
                 (const void **)&l.velocity_gradient));
    SW_TRY(bring(engine, CRYSTALS, from->crystal, crystals, 1, (const void **)&l.crystal));
    SW_TRY(bring(engine, STATES, from->state, states, 1, (const void **)&l.state));
    SW_TRY(bring(engine, WEIGHTS, from->weight, n * sizeof(float), 1, (const void **)&l.weight));
    if (in_place) {
        l.next_crystal = (sw_crystal *)l.crystal;
        l.next_state = (float *)l.state;
    } else if (to != NULL) {
        SW_TRY(bring(engine, NEXT_CRYSTALS, to->crystal, crystals, 0, (const void **)&l.next_crystal));
        SW_TRY(bring(engine, NEXT_STATES, to->state, states, 0, (const void **)&l.next_state));
    }
    SW_TRY(sw_sc_cuda_results(engine, 1, &l.result));
    SW_TRY(sw_sc_cuda_launch(engine, &l));
    if (to != NULL) {
        SW_TRY(take_back(to->crystal, l.next_crystal, crystals));
        SW_TRY(take_back(to->state, l.next_state, states));
    }
    return sw_sc_cuda_read(engine, NULL, result);
}
