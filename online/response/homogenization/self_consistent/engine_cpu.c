/* The scheme's passes over grains and directions on the CPU: bundles of grains in SIMD lanes, blocks of them on threads, whose
 * sums are added in order, so that their number changes no bit. */
#include "common/math/lanes_doubles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "compatible.h"
#include "online/response/step/solver.h"

enum { BLOCK = 256 };                        /* grains; of whole bundles */
enum { SUMS_MOST = SW_SC_C_SUMS_OF_SHAPES }; /* the largest of passes */

/* A phase's part. */
typedef struct {
    sw_sc_rows rows;
    int64_t n, blocks;
} phase_work;

struct sw_sc_work {
    int phases, stride; /* sums of a block */
    int own_shapes;
    int of_all; /* processes */
    phase_work of[SW_SC_PHASES];
    double *row, *partial;
};

/* Sums of a block's grains, of passes over their stresses and moduli. */
static int sums_of_stress(const sw_sc_rules *rules)
{
    return rules->compatible   ? sw_sc_compatible_sums(rules)
           : rules->own_shapes ? SW_SC_SUMS_OF_SHAPES
                               : SW_SC_SUMS;
}

/* And of all passes. */
static int sums_of(const sw_sc_rules *rules)
{
    const int shapes = sums_of_stress(rules), moments = SW_SC_MOMENT_SUMS;
    return rules->linearization == SW_SC_SECOND_ORDER && moments > shapes ? moments : shapes;
}

/* ---- Room ---- */

sw_status sw_sc_work_make(int phases, const sw_sc_phase *phase, const sw_sc_rules *rules, sw_sc_work **work)
{
    SW_TRY(SW_ALLOCATE(*work, 1, "self-consistent scheme"));
    sw_sc_work *w = *work;
    const int rows = sw_sc_rows_of(rules);
    size_t numbers = 0, blocks = 0;
    w->phases = phases;
    w->own_shapes = rules->own_shapes;
    w->stride = sums_of_stress(rules);
    for (int f = 0; f < phases; f++) {
        phase_work *of = &w->of[f];
        of->n = phase[f].grains.n;
        of->rows.stress = phase[f].stress_at;
        of->rows.shape = phase[f].stress_at + 5;
        of->rows.law = phase[f].law_at > 0 ? phase[f].law_at : SW_SC_KEPT;
        of->blocks = (of->n + BLOCK - 1) / BLOCK;
        of->rows.stride = of->blocks * BLOCK;
        of->rows.resists = rows;
        numbers +=
            (size_t)of->rows.stride * (size_t)(rows + (phase[f].slip->own ? phase[f].slip->law.groups : 1));
        blocks += (size_t)of->blocks;
    }
    w->row = aligned_alloc(64, (numbers > 0 ? numbers : BLOCK) * sizeof *w->row);
    w->partial = malloc((blocks > 0 ? blocks : 1) * (size_t)sums_of(rules) * sizeof *w->partial);
    if (w->row == NULL || w->partial == NULL) {
        sw_sc_work_free(w);
        *work = NULL;
        return sw_error(SW_ERR_MEMORY, "no memory for a self-consistent scheme of %zu numbers", numbers);
    }
    memset(w->row, 0, numbers * sizeof *w->row);
    double *row = w->row;
    for (int f = 0; f < phases; f++) {
        w->of[f].rows.row = row;
        row += w->of[f].rows.stride * (rows + (phase[f].slip->own ? phase[f].slip->law.groups : 1));
    }
    return SW_OK;
}

void sw_sc_work_free(sw_sc_work *work)
{
    if (work == NULL)
        return;
    free(work->row);
    free(work->partial);
    free(work);
}

void sw_sc_work_of_all(sw_sc_work *work) { work->of_all = 1; }

/* ---- Crystals, in and out ---- */

static int lanes_of(int64_t n, int64_t first) { return n - first < SW_LANES ? (int)(n - first) : SW_LANES; }

/* Numbers [K][lanes] of a bundle's states; those beyond the last are the last's. */
static void gather(const sw_crystals *crystals, int64_t first, int lanes, float (*number)[SW_LANES])
{
    const int k = crystals->layout->numbers;
    for (int lane = 0; lane < SW_LANES; lane++) {
        const float *from = crystals->state + (first + (lane < lanes ? lane : lanes - 1)) * k;
        for (int j = 0; j < k; j++)
            number[j][lane] = from[j];
    }
}

static sw_real gather_resistances(const sw_crystals *crystals, int64_t first, int lanes)
{
    sw_real s;
    for (int lane = 0; lane < SW_LANES; lane++)
        sw_set_lane(&s, lane, crystals->crystal[first + (lane < lanes ? lane : lanes - 1)].slip_resistance);
    return s;
}

static void gather_rotations(const sw_crystals *crystals, int64_t first, int lanes, sw_real r[3][3])
{
    for (int lane = 0; lane < SW_LANES; lane++) {
        double euler[3], g[3][3];
        for (int k = 0; k < 3; k++)
            euler[k] = crystals->crystal[first + (lane < lanes ? lane : lanes - 1)].euler[k];
        sw_rotation_from_euler(euler, g);
        for (int k = 0; k < 9; k++)
            sw_set_lane(&r[k / 3][k % 3], lane, g[k / 3][k % 3]);
    }
}

/* Rows of a bundle. */
static void fill(const sw_sc_slip *slip, const sw_crystals *crystals, const sw_sc_rows *rows, int own_shapes,
                 int keep, double rate, int64_t first)
{
    float number[SW_KEPT_MAX][SW_LANES];
    sw_real r[3][3];
    const int lanes = lanes_of(crystals->n, first);
    gather(crystals, first, lanes, number);
    gather_rotations(crystals, first, lanes, r);
    sw_sc_fill(slip, rows, own_shapes, keep, rate, (const float(*)[SW_LANES])number,
               gather_resistances(crystals, first, lanes), (const sw_real(*)[3])r, first);
}

/* Rows of a bundle that are given in double precision; those beyond the last are the last's. */
static void fill_exactly(const sw_sc_phase *phase, const sw_sc_rows *rows, int64_t first)
{
    const int lanes = lanes_of(phase->grains.n, first), groups = phase->slip->law.groups;
    for (int lane = 0; lane < SW_LANES; lane++) {
        double *const to = rows->row + first + lane;
        const int64_t i = first + (lane < lanes ? lane : lanes - 1);
        for (int k = 0; k < 9 && phase->turn != NULL; k++)
            to[(SW_SC_ROW_R + k) * rows->stride] = phase->turn[i][k / 3][k % 3];
        for (int k = 0; k < groups && phase->resistance != NULL; k++)
            to[(rows->resists + k) * rows->stride] = 1 / phase->resistance[i * groups + k];
    }
}

/* ---- Passes ---- */

static sw_real weights_of(const sw_sc_phase *phase, int64_t first)
{
    const sw_crystals *crystals = &phase->grains;
    sw_real weight = sw_broadcast(1.0);
    for (int lane = 0; lane < SW_LANES && first + lane < crystals->n; lane++)
        if (phase->weight != NULL)
            sw_set_lane(&weight, lane, phase->weight[first + lane]);
        else if (crystals->weight != NULL)
            sw_set_lane(&weight, lane, crystals->weight[first + lane]);
    return phase->scale > 0 ? phase->scale * weight : weight;
}

static sw_mask present_of(int64_t n, int64_t first)
{
    sw_real place;
    for (int lane = 0; lane < SW_LANES; lane++)
        sw_set_lane(&place, lane, lane);
    return SW_LESS(place, sw_broadcast((double)(n - first)));
}

static double sum_lanes(sw_real x)
{
    double sum = 0;
    for (int lane = 0; lane < SW_LANES; lane++)
        sum += sw_lane(x, lane);
    return sum;
}

/* A block of grains, in a function of its own: hot. */
static __attribute__((noinline)) void visit_block(const sw_sc_phase *phase, const sw_sc_rules *rules,
                                                  const sw_sc_medium *medium, const sw_sc_phase_state *state,
                                                  const phase_work *of, int64_t block, int stride,
                                                  double *sums)
{
    sw_real sum[SUMS_MOST];
    const int64_t end = (block + 1) * BLOCK < of->n ? (block + 1) * BLOCK : of->n;
    for (int k = 0; k < stride; k++)
        sum[k] = sw_broadcast(0.0);
    for (int64_t i = block * BLOCK; i < end; i += SW_LANES)
        (rules->compatible ? sw_sc_compatible_visit : sw_sc_visit)(
            phase->slip, rules, medium, state, &of->rows, i, present_of(of->n, i), weights_of(phase, i), sum);
    for (int k = 0; k < stride; k++)
        sums[k] = sum_lanes(sum[k]);
}

/* The Eshelby problem of one shape, in directions. */
static __attribute__((noinline)) void solve_shape(const sw_sc_medium *medium, const sw_sc_rules *rules,
                                                  const sw_sc_shape *shape,
                                                  const sw_sc_directions *directions, double *sums)
{
    sw_real sum[SW_SC_INCLUSION_SUMS];
    double l[5][5];
    memcpy(l, medium->l, sizeof l);
    if (rules->compatible)
        sw_sc_upper_stiffness(medium->l, shape->map, l);
    for (int k = 0; k < SW_SC_INCLUSION_SUMS; k++)
        sum[k] = sw_broadcast(0.0);
    for (int i = 0; i < directions->n; i += SW_LANES) {
        sw_real node[4], alpha[3];
        for (int k = 0; k < 4; k++)
            memcpy(&node[k], directions->node + (size_t)k * (size_t)directions->n + i, sizeof node[k]);
        const sw_real share = sw_sc_direction(shape, node, alpha);
        sw_sc_add_direction(l, alpha, share, sum);
    }
    for (int k = 0; k < SW_SC_INCLUSION_SUMS; k++)
        sums[k] = sum_lanes(sum[k]);
}

/* Of each grain of a block. */
static void solve_shapes(const sw_sc_phase *phase, const sw_sc_rules *rules, const sw_sc_medium *medium,
                         const phase_work *of, int64_t block)
{
    const int64_t end = (block + 1) * BLOCK < of->n ? (block + 1) * BLOCK : of->n;
    const sw_sc_rows *rows = &of->rows;
    for (int64_t i = block * BLOCK; i < end; i++) {
        double sums[SW_SC_INCLUSION_SUMS], f[3][3], mt[5][5], p_inverse[5][5], spin[3][5];
        sw_sc_shape shape;
        for (int k = 0; k < 9; k++)
            f[k / 3][k % 3] = rows->row[(SW_SC_ROW_F + k) * rows->stride + i];
        sw_sc_directions directions =
            sw_sc_directions_for(sw_sc_shape_of((const double(*)[3])f, &shape), rules->stress_tolerance);
        if (phase->shape != NULL) {
            shape = phase->shape[i];
            directions = sw_sc_directions_of_vpsc(shape.axes);
        }
        solve_shape(medium, rules, &shape, &directions, sums);
        if (rules->compatible)
            sw_sc_compatible_interaction(medium->l, rules, sums, mt, p_inverse);
        else
            sw_sc_interaction(medium->l, rules, sums, mt, p_inverse);
        for (int k = 15; k < 30 && !rules->compatible; k++)
            sums[k] /= sums[30];
        sw_sc_spin_of(sums + 15, (const double(*)[5])p_inverse, spin);
        for (int p = 0; p < 5; p++)
            for (int q = 0; q <= p; q++)
                rows->row[(SW_SC_ROW_MT + sw_sc_place(p, q)) * rows->stride + i] = mt[p][q];
        for (int k = 0; k < 25 && rules->compatible; k++)
            rows->row[(SW_SC_ROW_GENERAL_MT + k) * rows->stride + i] = mt[k / 5][k % 5];
        for (int k = 0; k < 15; k++)
            rows->row[(SW_SC_ROW_SPIN + k) * rows->stride + i] = spin[k / 5][k % 5];
    }
}

static void pass_over_grains(sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                             sw_sc_medium *medium, int threads, double *sums)
{
    for (int f = 0; f < work->phases; f++) {
        const phase_work *of = &work->of[f];
        const int stride = work->stride;
        double *const partial = work->partial;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
        for (int64_t b = 0; b < of->blocks; b++)
            if (medium->pass == SW_SC_INCLUSION)
                solve_shapes(&phase[f], rules, medium, of, b);
            else
                visit_block(&phase[f], rules, medium, &medium->of[f], of, b, stride, partial + b * stride);
        for (int k = 0; k < stride; k++)
            sums[f * stride + k] = 0;
        for (int64_t b = 0; b < of->blocks && medium->pass != SW_SC_INCLUSION; b++)
            for (int k = 0; k < stride; k++)
                sums[f * stride + k] += partial[b * stride + k];
    }
    if (work->of_all && medium->pass != SW_SC_INCLUSION)
        sw_parallel_sums_in_order(sums, (int64_t)work->phases * work->stride);
}

/* ---- Moments of second order ---- */

static __attribute__((noinline)) void sum_moments(const sw_sc_phase *phase, const sw_sc_rules *rules,
                                                  const sw_sc_medium *medium, int number,
                                                  const phase_work *of, int64_t block, double *sums)
{
    sw_real sum[SW_SC_MOMENT_SUMS], mt[15], e[5], m[15], s[5];
    const int64_t end = (block + 1) * BLOCK < of->n ? (block + 1) * BLOCK : of->n;
    for (int k = 0; k < SW_SC_MOMENT_SUMS; k++)
        sum[k] = sw_broadcast(0.0);
    for (int64_t i = block * BLOCK; i < end; i += SW_LANES) {
        sw_sc_load_inclusion(rules, medium, &medium->of[number], &of->rows, i, mt, e);
        sw_sc_load(&of->rows, SW_SC_ROW_M, 15, i, m);
        sw_sc_load(&of->rows, SW_SC_ROW_S, 5, i, s);
        sw_sc_add_grain_products(
            mt, m, s, sw_choose(present_of(of->n, i), weights_of(phase, i), sw_broadcast(0.0)), sum);
    }
    for (int k = 0; k < SW_SC_MOMENT_SUMS; k++)
        sums[k] = sum_lanes(sum[k]);
}

static void sum_directions(const sw_sc_medium *medium, const sw_sc_directions *directions, double *sums)
{
    sw_real sum[SW_SC_MOMENT_SUMS];
    for (int k = 0; k < SW_SC_MOMENT_SUMS; k++)
        sum[k] = sw_broadcast(0.0);
    for (int i = 0; i < directions->n; i += SW_LANES) {
        sw_real node[4], alpha[3];
        for (int k = 0; k < 4; k++)
            memcpy(&node[k], directions->node + (size_t)k * (size_t)directions->n + i, sizeof node[k]);
        const sw_real share = sw_sc_direction(&medium->of[0].shape, node, alpha);
        sw_sc_add_direction_products(medium->l, alpha, share, sum);
    }
    for (int k = 0; k < SW_SC_MOMENT_SUMS; k++)
        sums[k] = sum_lanes(sum[k]);
}

/* How stresses vary within grains in the medium as it is, by which grains that follow take their moduli. */
static void find_moments(sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                         const sw_sc_directions *directions, sw_sc_medium *medium, int threads)
{
    double of_directions[SW_SC_MOMENT_SUMS], of_grains[SW_SC_MOMENT_SUMS] = {0};
    for (int f = 0; f < work->phases; f++) {
        const phase_work *of = &work->of[f];
        double *const partial = work->partial;
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
        for (int64_t b = 0; b < of->blocks; b++)
            sum_moments(&phase[f], rules, medium, f, of, b, partial + b * SW_SC_MOMENT_SUMS);
        for (int64_t b = 0; b < of->blocks; b++)
            for (int k = 0; k < SW_SC_MOMENT_SUMS; k++)
                of_grains[k] += partial[b * SW_SC_MOMENT_SUMS + k];
    }
    if (work->of_all)
        sw_parallel_sums_in_order(of_grains, SW_SC_MOMENT_SUMS);
    sum_directions(medium, directions, of_directions);
    sw_sc_find_moments(medium, of_directions, of_grains);
}

/* Mean of what resists. */
static sw_real resistance_of(const sw_sc_rows *rows, int groups, int64_t first)
{
    sw_real sum = sw_broadcast(0.0);
    for (int k = 0; k < groups; k++)
        sum += 1 / SW_SC_AT(rows, rows->resists + k, first);
    return sum * (1.0 / groups);
}

/* Rows of a bundle; `keeps`: as sw_sc_keep_stress, the stresses of the step before, where they stayed. */
static void fill_bundle(const sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rows *rows, int keep,
                        int keeps, double rate, int64_t first)
{
    const int groups = phase->slip->own ? phase->slip->law.groups : 1;
    const sw_real was = keeps ? resistance_of(rows, groups, first) : sw_broadcast(1.0);
    fill(phase->slip, &phase->grains, rows, work->own_shapes, keep, rate, first);
    fill_exactly(phase, rows, first);
    const sw_real scale = keeps ? resistance_of(rows, groups, first) / was : sw_broadcast(1.0);
    for (int k = 0; k < 5 && keeps; k++)
        SW_SC_AT(rows, SW_SC_ROW_S + k, first) *= scale;
}

static void fill_all(sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                     const sw_sc_medium *medium, int threads)
{
    const int keep = medium->warm || medium->rounds > 0,
              keeps = medium->warm && medium->rounds == 0 && !rules->compatible;
    for (int f = 0; f < work->phases; f++) {
        const phase_work *of = &work->of[f];
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
        for (int64_t b = 0; b < of->blocks; b++)
            for (int64_t i = b * BLOCK; i < of->n && i < (b + 1) * BLOCK; i += SW_LANES)
                fill_bundle(work, &phase[f], &of->rows, keep, keeps, medium->rate, i);
    }
}

/* What resists as the step ends, over what does as it begins, of all grains. */
static double growth_of(const sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                        const sw_sc_medium *medium, int threads)
{
    static const double none[3] = {0, 0, 0};
    sw_sc_average mean[SW_SC_PHASES];
    double begun = 0, ends = 0;
    sw_sc_advance(work, phase, rules, medium, medium->dt, none, NULL, mean, threads);
    for (int f = 0; f < work->phases; f++) {
        begun += mean[f].begun;
        ends += mean[f].slip_resistance;
    }
    return ends / begun;
}

void sw_sc_solve(sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                 const sw_sc_directions *directions, sw_sc_medium *medium, int threads)
{
    double sums[SW_SC_PHASES * SUMS_MOST];
    double exponent = 0;
    medium->by_rate = 0;
    for (int f = 0; f < work->phases; f++) {
        exponent = fmax(exponent, phase[f].slip->exponent);
        medium->by_rate |= sw_sc_goes_by_rate(phase[f].slip);
    }
    sw_sc_begin(medium);
    if (rules->linearization == SW_SC_SECOND_ORDER)
        medium->first_fluctuation = SW_SC_FIRST_FLUCTUATION;
    while (medium->pass != SW_SC_DONE) {
        medium->exponent = rules->compatible ? exponent : sw_sc_exponent_of(medium, exponent);
        if (rules->linearization == SW_SC_SECOND_ORDER && sw_sc_wants_moments(medium))
            find_moments(work, phase, rules, directions, medium, threads);
        if (medium->pass == SW_SC_FILL)
            fill_all(work, phase, rules, medium, threads);
        else if (medium->pass == SW_SC_GROWTH)
            medium->growth = growth_of(work, phase, rules, medium, threads);
        else if (medium->pass == SW_SC_INCLUSION && !rules->own_shapes)
            solve_shape(medium, rules, &medium->of[medium->phase].shape, &directions[medium->phase], sums);
        else
            pass_over_grains(work, phase, rules, medium, threads, sums);
        (rules->compatible ? sw_sc_next_compatible : sw_sc_next)(medium, rules, sums, work->stride);
    }
}

void sw_sc_grain_of(const sw_sc_work *work, const sw_sc_phase *phase, int number, int64_t grain,
                    double stress[5], double rate[5], double *slip_rate)
{
    const sw_sc_rows *rows = &work->of[number].rows;
    const sw_sc_slip *slip = phase[number].slip;
    const int64_t first = grain / SW_LANES * SW_LANES;
    const int lane = (int)(grain - first);
    for (int k = 0; k < 5; k++) {
        stress[k] = rows->row[(SW_SC_ROW_S + k) * rows->stride + grain];
        rate[k] = rows->row[(SW_SC_ROW_D + k) * rows->stride + grain];
    }
    if (slip_rate == NULL)
        return;
    sw_real r[3][3], s[5], q[5][5], s_c[5], over[SW_SLIP_SYSTEMS_MAX];
    sw_sc_load_rotation(rows, first, r);
    sw_sc_load(rows, SW_SC_ROW_S, 5, first, s);
    for (int k = 0; k < (slip->own ? slip->law.groups : 1); k++)
        over[k] = SW_SC_AT(rows, rows->resists + k, first);
    sw_sc_turn_of((const sw_real(*)[3])r, q);
    sw_sc_turn((const sw_real(*)[5])q, s, s_c);
    for (int a = 0; a < slip->systems; a++) {
        const sw_real x = sw_sc_ratio(slip, over, a, s_c);
        slip_rate[a] = sw_lane(slip->rate * sw_sc_power(slip, x) * x, lane);
    }
}

void sw_sc_grain_covariance(const sw_sc_work *work, int number, int64_t grain, double covariance[5][5])
{
    const sw_sc_rows *rows = &work->of[number].rows;
    const int64_t first = grain / SW_LANES * SW_LANES;
    sw_real r[3][3], q[5][5], c[15], turned[15];
    sw_sc_load_rotation(rows, first, r);
    sw_sc_load(rows, SW_SC_ROW_C, 15, first, c);
    sw_sc_turn_of((const sw_real(*)[3])r, q);
    sw_sc_turn_tensor((const sw_real(*)[5])q, c, 1, turned);
    for (int k = 0; k < 25; k++)
        covariance[k / 5][k % 5] = sw_lane(turned[sw_sc_place(k / 5, k % 5)], (int)(grain - first));
}

void sw_sc_grain_spin(const sw_sc_work *work, int number, int64_t grain, double spin[3][5])
{
    const sw_sc_rows *rows = &work->of[number].rows;
    for (int k = 0; k < 15; k++)
        spin[k / 5][k % 5] = rows->row[(SW_SC_ROW_SPIN + k) * rows->stride + grain];
}

/* ---- The step ---- */

/* Of a bundle; sum: as in sw_sc_average. */
static void step_bundle(const sw_sc_phase *phase, const sw_sc_rules *rules, const sw_sc_medium *medium,
                        const sw_sc_phase_state *state, const sw_sc_rows *rows, int64_t first, double dt,
                        const double spin[3], const double phase_l[3][3], const sw_crystals *to,
                        double sum[4])
{
    const sw_crystals *from = &phase->grains;
    const int lanes = lanes_of(from->n, first), k = from->layout->numbers;
    const sw_real weight = weights_of(phase, first);
    float number[SW_KEPT_MAX][SW_LANES];
    sw_real s = gather_resistances(from, first, lanes);
    sw_sc_move move;
    gather(from, first, lanes, number);
    sw_sc_finish(phase->slip, rules, medium, state, rows, first, dt, spin, phase_l, number, &s, &move);
    for (int lane = 0; lane < lanes; lane++) {
        sum[0] += sw_lane(weight * move.slip_rate, lane);
        sum[1] += sw_lane(weight * s, lane);
        sum[2] += sw_lane(weight * move.begun, lane);
        sum[3] += sw_lane(weight, lane);
    }
    for (int lane = 0; lane < lanes && to != NULL; lane++) {
        sw_crystal *c = &to->crystal[first + lane];
        double turn[3];
        for (int j = 0; j < 3; j++)
            turn[j] = sw_lane(move.turn[j], lane);
        *c = from->crystal[first + lane];
        sw_sc_turn_lattice(turn, c->euler);
        c->slip_resistance = (float)sw_lane(s, lane);
        for (int j = 0; j < k; j++)
            to->state[(first + lane) * k + j] = number[j][lane];
    }
}

void sw_sc_advance(const sw_sc_work *work, const sw_sc_phase *phase, const sw_sc_rules *rules,
                   const sw_sc_medium *medium, double dt, const double spin[3], const sw_crystals *to,
                   sw_sc_average *average, int threads)
{
    for (int f = 0; f < work->phases; f++) {
        const phase_work *of = &work->of[f];
        double l[3][3], (*sums)[4] = (double(*)[4])work->partial;
        average[f] = (sw_sc_average){0};
        sw_sc_ellipsoid_gradient(medium, rules, &medium->of[f], spin, l);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (threads > 1)
        for (int64_t b = 0; b < of->blocks; b++) {
            double sum[4] = {0, 0, 0, 0};
            for (int64_t i = b * BLOCK; i < of->n && i < (b + 1) * BLOCK; i += SW_LANES)
                step_bundle(&phase[f], rules, medium, &medium->of[f], &of->rows, i, dt, spin,
                            (const double(*)[3])l, to != NULL ? &to[f] : NULL, sum);
            memcpy(sums[b], sum, sizeof sum);
        }
        for (int64_t b = 0; b < of->blocks; b++) {
            average[f].slip_rate += sums[b][0];
            average[f].slip_resistance += sums[b][1];
            average[f].begun += sums[b][2];
            average[f].weight += sums[b][3];
        }
    }
    enum { NUMBERS = sizeof *average / sizeof(double) };
    if (work->of_all)
        sw_parallel_sums_in_order(&average->slip_rate, (int64_t)work->phases * NUMBERS);
}
