/* The scheme's passes on a GPU. A team of threads, a block or all of the grid, takes grains one each, adds up what they leave, and each of
 * its blocks takes the same next step of the machine (scheme.h) for itself, so that a pass over grains costs one meeting of
 * the team, and one over directions none. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ENGINE_KERNEL_CUH
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_ENGINE_KERNEL_CUH

#include <cooperative_groups.h>

#include "engine_cuda.h"
#include "grain.h"
#include "point.h"
#include "online/response/step/solver.h"

namespace cg = cooperative_groups;

/* THREADS of a block, or of a large polycrystal's up to THREADS_MOST, for which a multiprocessor's registers suffice: 168 each. */
enum { THREADS = 128, THREADS_MOST = 384, RULES_MOST = 4, NUMBERS_MOST = SW_KEPT_MAX };
enum { GRADIENT, CRYSTALS, STATES, WEIGHTS, NEXT_CRYSTALS, NEXT_STATES, PASSING };

struct sw_sc_cuda {
    sw_sc_rules rules;
    int stress_at, law_at, numbers, rows, resists;
    sw_sc_slip *slip; /* device; as much of it as kernels need */
    int slip_bytes;
    double exponent;
    int by_rate;
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

/* A phase of what a kernel takes. */
typedef struct {
    sw_sc_launch_phase of;
    const sw_sc_slip *slip;
    int slip_bytes, stress_at, law_at, numbers, resists;
    int64_t stride; /* of rows: grains of a team */
    size_t row;     /* where they begin */
} phase_job;

/* What a kernel takes. */
typedef struct {
    sw_sc_cuda engine;
    sw_sc_launch launch;
    sw_sc_conditions conditions;
    int has_conditions, phases, by_rate;
    double exponent; /* the largest */
    phase_job phase[SW_SC_PHASES];
    int columns;    /* numbers that threads add up at a time */
    int slip_bytes; /* of the phase that has most */
} job;

/* What a block shares, at the beginning of its memory, so that functions, which are compiled by themselves for registers of their own,
 * find it there. */
typedef struct {
    job j;
    sw_sc_rules rules;
    sw_sc_rows rows;
    sw_sc_medium medium;
    double sum[SW_SC_PHASES][SW_SC_SUMS_OF_SHAPES], step_sum[SW_SC_PHASES][4];
    double spin[3], phase_l[SW_SC_PHASES][3][3], dt;
    int directions[SW_SC_PHASES];
    phase_job of; /* the phase at hand, of which rows and slip are */
    int phase;
    int64_t point, rank, size; /* of the team: its first thread here, and all */
    int turn;
    double *column;  /* [columns][threads], behind the slip systems */
    sw_sc_slip slip; /* the last: as much of it as is needed (slip_bytes) */
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

/* n columns -> sum of the team, of the phase at hand. */
template <bool WHOLE> __device__ static void add_up(int n)
{
    double *const sum = SHARED->sum[SHARED->phase];
    add_columns(n, sum);
    if (WHOLE)
        add_blocks(n, sum);
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

/* To a phase. */
__device__ static void enter(int phase)
{
    shared *const s = SHARED;
    if (s->phase == phase)
        return;
    __syncthreads();
    const phase_job *const of = &s->j.phase[phase];
    for (int k = threadIdx.x; k < of->slip_bytes / (int)sizeof(int); k += blockDim.x)
        ((int *)&s->slip)[k] = ((const int *)of->slip)[k];
    if (threadIdx.x == 0) {
        const int64_t first = s->j.launch.whole ? 0 : blockIdx.x;
        s->of = *of;
        s->phase = phase;
        s->rows.row = s->j.engine.row + of->row + first * of->stride * (s->j.engine.rows + of->resists);
        s->rows.stride = of->stride;
        s->rows.resists = s->j.engine.rows;
        s->rows.stress = of->stress_at;
        s->rows.shape = of->stress_at + 5;
        s->rows.law = of->law_at > 0 ? of->law_at : SW_SC_KEPT;
    }
    __syncthreads();
}

__device__ static double weight_of(const shared *s, int64_t i)
{
    const float *weight = s->of.of.weight;
    const double w = weight != NULL ? weight[s->point * s->of.of.each + i] : 1;
    return w >= 0 ? s->of.of.scale * w : NAN;
}

__device__ static void load_number(const phase_job *of, int64_t crystal, float (*number)[1])
{
    const float *state = of->of.state + crystal * of->numbers;
    for (int k = 0; k < of->numbers; k++)
        number[k][0] = state[k];
}

/* Rows of all grains of a point. */
template <bool OWN> __device__ __noinline__ static void fill(void)
{
    const shared *const s = SHARED;
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size) {
        const int64_t crystal = s->point * s->of.of.each + i;
        const sw_crystal c = s->of.of.crystal[crystal];
        const double euler[3] = {c.euler[0], c.euler[1], c.euler[2]};
        double r[3][3];
        float number[NUMBERS_MOST][1];
        load_number(&s->of, crystal, number);
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

/* The ellipsoid of a phase, which its crystals remember. */
__device__ static void begin_phase(int f)
{
    shared *const s = SHARED;
    const phase_job *const of = &s->j.phase[f];
    const float *state = of->of.state + s->point * of->of.each * of->numbers + of->stress_at + 5;
    double map[3][3];
    for (int k = 0; k < 9; k++) {
        map[k / 3][k % 3] = (double)state[k] + (k % 4 == 0);
        s->phase_l[f][k / 3][k % 3] = 0;
    }
    s->directions[f] = directions_for(&s->j, sw_sc_shape_of(map, &s->medium.of[f].shape));
}

/* The loading of a point, and its ellipsoids. One thread a block. */
__device__ __noinline__ static void begin(void)
{
    shared *const s = SHARED;
    const job *const j = &s->j;
    const double(*l)[3] = j->launch.velocity_gradient[s->point];
    sw_sc_medium *m = &s->medium;
    const sw_point_condition *c = j->launch.condition != NULL ? j->launch.condition + s->point : NULL;
    memset(m, 0, sizeof *m);
    m->phases = j->phases;
    m->exponent = j->exponent;
    m->by_rate = j->by_rate;
    sw_sc_begin_point(l, c, m);
    if (j->has_conditions)
        m->conditions = j->conditions;
    s->dt = j->launch.dt_each != NULL ? j->launch.dt_each[s->point] : j->launch.dt;
    for (int k = 0; k < 3; k++)
        s->spin[k] = 0;
    for (int f = 0; f < j->phases; f++)
        begin_phase(f);
    sw_sc_begin(m);
    if (!is_sound(l, s->dt))
        m->pass = SW_SC_DONE;
}

/* What comes after a pass. One thread a block. */
template <bool OWN> __device__ __noinline__ static void next(void)
{
    shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<OWN>();
    if (s->j.phases > 1)
        s->medium.exponent = sw_sc_exponent_of(&s->medium, s->j.exponent);
    sw_sc_next(&s->medium, &rules, s->sum[0], SW_SC_SUMS_OF_SHAPES);
}

__device__ __noinline__ static void solve_shape(void)
{
    const shared *const s = SHARED;
    const sw_sc_directions d = s->j.engine.directions[s->directions[s->medium.phase]];
    double sum[SW_SC_INCLUSION_SUMS] = {0};
    for (int i = threadIdx.x; i < d.n; i += blockDim.x) {
        double node[4], alpha[3];
        for (int k = 0; k < 4; k++)
            node[k] = d.node[k * d.n + i];
        const double share = sw_sc_direction(&s->medium.of[s->medium.phase].shape, node, alpha);
        sw_sc_add_direction(s->medium.l, alpha, share, sum);
    }
    SW_UNROLL
    for (int k = 0; k < SW_SC_INCLUSION_SUMS; k++)
        *column_of(k) = sum[k];
    add_columns(SW_SC_INCLUSION_SUMS, SHARED->sum[0]);
}

/* Each grain's own, in all directions. */
__device__ __noinline__ static void solve_shapes(void)
{
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<true>();
    const sw_sc_rows *rows = &s->rows;
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size) {
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
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size)
        sw_sc_visit_moduli(&rules, &s->medium, &s->medium.of[s->phase], &s->rows, i, weight_of(s, i), sum);
    add_own<WHOLE>(sum, N, SHARED->sum[SHARED->phase]);
}

/* Sums are in shared memory meanwhile: registers are for Newton's method. */
template <bool WHOLE> __device__ __noinline__ static void take_stresses(void)
{
    const shared *const s = SHARED;
    const sw_sc_rules rules = rules_of<false>();
    const int n = s->j.columns;
    for (int k = 0; k < n; k++)
        *column_of(k) = 0;
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size) {
        double sum[SW_SC_SUMS] = {0};
        sw_sc_visit_stress(&s->slip, &rules, &s->medium, &s->medium.of[s->phase], &s->rows, i, -1,
                           weight_of(s, i), sum);
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
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size)
        sw_sc_visit_stress(&s->slip, &rules, &s->medium, &s->medium.of[s->phase], &s->rows, i, -1,
                           weight_of(s, i), sum);
    add_own<WHOLE>(sum, SW_SC_SUMS_OF_SHAPES, SHARED->sum[SHARED->phase]);
}

/* Grains to the step's end, where it ends, and their means. */
template <bool WHOLE, bool OWN> __device__ __noinline__ static void finish(int ends)
{
    const shared *const s = SHARED;
    const phase_job *const of = &s->of;
    const sw_sc_rules rules = rules_of<OWN>();
    double sum[4] = {0, 0, 0, 0};
    for (int64_t i = s->rank + threadIdx.x; i < s->of.of.each; i += s->size) {
        const int64_t crystal = s->point * of->of.each + i;
        const double weight = weight_of(s, i);
        sw_crystal c = of->of.crystal[crystal];
        float number[NUMBERS_MOST][1];
        double resistance = c.slip_resistance;
        sw_sc_move move;
        load_number(of, crystal, number);
        sw_sc_finish(&s->slip, &rules, &s->medium, &s->medium.of[s->phase], &s->rows, i, s->dt, s->spin,
                     s->phase_l[s->phase], number, &resistance, &move);
        sum[3] += weight * move.begun;
        sum[0] += weight * move.slip_rate;
        sum[1] += weight * resistance;
        sum[2] += weight;
        if (of->of.next_crystal == NULL || !ends)
            continue;
        sw_sc_turn_lattice(move.turn, c.euler);
        c.slip_resistance = (float)resistance;
        of->of.next_crystal[crystal] = c;
        for (int k = 0; k < of->numbers; k++)
            of->of.next_state[crystal * of->numbers + k] = number[k][0];
    }
    add_own<WHOLE>(sum, 4, SHARED->step_sum[SHARED->phase]);
}

/* What resists as the step ends, over what does. */
template <bool WHOLE, bool OWN> __device__ static void find_growth(void)
{
    for (int f = 0; f < SHARED->j.phases; f++) {
        enter(f);
        finish<WHOLE, OWN>(0);
    }
    double begun = 0, ends = 0;
    for (int f = 0; f < SHARED->j.phases; f++) {
        ends += SHARED->step_sum[f][1];
        begun += SHARED->step_sum[f][3];
    }
    if (threadIdx.x == 0)
        SHARED->medium.growth = ends / begun;
}

__device__ static void report_phase(int f, sw_sc_phase_result *r)
{
    const shared *const s = SHARED;
    const double over = 1 / s->step_sum[f][2];
    for (int k = 0; k < 5; k++)
        r->stress[k] = s->j.phases == 1 ? s->medium.s[k] : s->medium.of[f].mean_s[k];
    r->slip_rate = over * s->step_sum[f][0];
    r->slip_resistance = over * s->step_sum[f][1];
    for (int k = 0; k < 9; k++)
        r->velocity_gradient[k / 3][k % 3] = s->phase_l[f][k / 3][k % 3];
}

__device__ __noinline__ static void report(void)
{
    const shared *const s = SHARED;
    const sw_sc_medium *m = &s->medium;
    sw_sc_result r;
    double all[4] = {0, 0, 0, 0};
    for (int f = 0; f < s->j.phases; f++)
        for (int k = 0; k < 4; k++)
            all[k] += s->step_sum[f][k];
    const double over = 1 / all[2];
    for (int k = 0; k < 5; k++) {
        r.stress[k] = m->converged ? m->s[k] : NAN;
        r.rate[k] = m->d[k];
    }
    r.mean_stress = m->pressure;
    sw_sc_stiffness(m, r.stiffness);
    r.slip_rate = over * all[0];
    r.slip_resistance = over * all[1];
    r.begun = over * all[3];
    r.weight = all[2];
    for (int k = 0; k < 3; k++)
        r.error[k] = m->error[k];
    for (int k = 0; k < SW_SC_FREE; k++)
        r.found[k] = m->conditions.x[k];
    r.outer = m->outer;
    r.inner = m->inner_all;
    r.converged = m->converged;
    s->j.launch.result[s->point] = r;
    for (int f = 0; f < s->j.phases && s->j.launch.of_phase != NULL; f++)
        report_phase(f, &s->j.launch.of_phase[f]);
}

/* Over the grains of the phase at hand. */
template <bool WHOLE, bool OWN> __device__ static void take_grains(void)
{
    if (SHARED->medium.pass == SW_SC_FILL)
        fill<OWN>();
    else if (SHARED->medium.pass == SW_SC_INCLUSION)
        solve_shapes();
    else if (SHARED->medium.pass == SW_SC_MODULI)
        take_moduli<WHOLE, OWN>();
    else if (OWN)
        take_stresses_of_shapes<WHOLE>();
    else
        take_stresses<WHOLE>();
}

template <bool WHOLE, bool OWN> __device__ static void take_pass(void)
{
    if (SHARED->medium.pass == SW_SC_GROWTH)
        find_growth<WHOLE, OWN>();
    else if (SHARED->medium.pass == SW_SC_INCLUSION && !OWN)
        solve_shape();
    else
        for (int f = 0; f < SHARED->j.phases; f++) {
            enter(f);
            take_grains<WHOLE, OWN>();
        }
}

/* The first of a block's threads: how its grains' ellipsoids and lattices turn. */
__device__ static void set_spin(void)
{
    shared *const s = SHARED;
    const sw_sc_launch *l = &s->j.launch;
    sw_sc_spin_of_point(l->velocity_gradient[s->point], l->condition != NULL ? l->condition + s->point : NULL,
                        &s->medium, s->spin);
    for (int f = 0; f < s->j.phases; f++)
        sw_sc_phase_gradient(&s->medium, &s->medium.of[f], s->spin, s->phase_l[f]);
}

template <bool WHOLE, bool OWN>
__global__ static void __launch_bounds__(OWN ? 2 * THREADS : THREADS_MOST)
    solve(const __grid_constant__ job j)
{
    shared *const s = SHARED;
    if (threadIdx.x == 0) {
        s->j = j;
        s->rules = j.engine.rules;
        s->phase = -1;
        s->column = (double *)((char *)&s->slip + j.slip_bytes);
        s->rank = WHOLE ? (int64_t)blockIdx.x * blockDim.x : 0;
        s->size = WHOLE ? (int64_t)gridDim.x * blockDim.x : blockDim.x;
        s->turn = 0;
    }
    __syncthreads();
    enter(0);
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
        for (int f = 0; f < s->j.phases; f++) {
            enter(f);
            finish<WHOLE, OWN>(s->medium.converged);
        }
        if (threadIdx.x == 0 && (!WHOLE || blockIdx.x == 0))
            report();
        __syncthreads();
    }
}

#endif
