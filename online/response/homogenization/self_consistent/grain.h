/* What a grain does in the passes of the scheme (scheme.h): its stress and moduli, its step. On
 * sw_real in double precision: one grain, or a bundle. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_GRAIN_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_GRAIN_H

#include "common/math/rotation.h"
#include "common/math/tensor.h"
#include "newton.h"
#include "second_order.h"

/* Where a grain's numbers stand: rows of scratch [SW_SC_ROWS], each of all grains. */
enum {
    SW_SC_ROW_R = 0,   /* 9: crystal -> sample */
    SW_SC_ROW_S = 9,   /* 5: stress, sample frame, Pa */
    SW_SC_ROW_M = 14,  /* 15: compliance, sample frame, 1/(Pa s) */
    SW_SC_ROW_D0 = 29, /* 5 */
    SW_SC_ROW_D = 34,  /* 5: strain rate */
    SW_SC_ROWS = 39,
    SW_SC_ROW_MT = 39,   /* 15: M~, of shapes of their own */
    SW_SC_ROW_SPIN = 54, /* 15: [3][5] */
    SW_SC_ROW_F = 69,    /* 9: of its ellipsoid */
    SW_SC_ROWS_OF_SHAPES = 78,
    SW_SC_ROW_GENERAL_MT = 78, /* 25: M~, of compatible.h's */
    SW_SC_ROWS_OF_COMPATIBLE = 103,
    SW_SC_ROW_C =
        39, /* 16: of SW_SC_SECOND_ORDER, which has none: covariance of its stress, crystal frame, Pa^2,
                         and how much is taken of what of it is found */
    SW_SC_ROWS_OF_MOMENTS = 55
};

static inline int sw_sc_rows_of(const sw_sc_rules *rules)
{
    return rules->own_shapes && rules->compatible       ? SW_SC_ROWS_OF_COMPATIBLE
           : rules->own_shapes                          ? SW_SC_ROWS_OF_SHAPES
           : rules->linearization == SW_SC_SECOND_ORDER ? SW_SC_ROWS_OF_MOMENTS
                                                        : SW_SC_ROWS;
}

/* ---- Frames ---- */

/* Vectors of five from the sample to the crystal: v' = q v. */
SW_HD static inline void sw_sc_turn_of(const sw_real r[3][3], sw_real q[5][5])
{
    SW_UNROLL
    for (int b = 0; b < 5; b++) {
        sw_real t[6], v[5];
        SW_UNROLL
        for (int k = 0; k < 6; k++)
            t[k] = sw_broadcast(sw_deviator_basis(b, k));
        sw_deviator_in_frame(r, t, v);
        SW_UNROLL
        for (int a = 0; a < 5; a++)
            q[a][b] = v[a];
    }
}

SW_HD static inline void sw_sc_turn(const sw_real q[5][5], const sw_real v[5], sw_real turned[5])
{
    SW_UNROLL
    for (int a = 0; a < 5; a++)
        turned[a] = q[a][0] * v[0] + q[a][1] * v[1] + q[a][2] * v[2] + q[a][3] * v[3] + q[a][4] * v[4];
}

SW_HD static inline void sw_sc_turn_back(const sw_real q[5][5], const sw_real v[5], sw_real turned[5])
{
    SW_UNROLL
    for (int a = 0; a < 5; a++)
        turned[a] = q[0][a] * v[0] + q[1][a] * v[1] + q[2][a] * v[2] + q[3][a] * v[3] + q[4][a] * v[4];
}

/* q a q', of lower triangles; back: q' a q. */
SW_HD static inline void sw_sc_turn_tensor(const sw_real q[5][5], const sw_real a[15], int back,
                                           sw_real turned[15])
{
    sw_real aq[5][5];
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        SW_UNROLL
        for (int k = 0; k < 5; k++) {
            aq[i][k] = sw_broadcast(0.0);
            SW_UNROLL
            for (int j = 0; j < 5; j++)
                aq[i][k] += a[sw_sc_place(i, j)] * (back ? q[j][k] : q[k][j]);
        }
    }
    SW_UNROLL
    for (int p = 0; p < 5; p++) {
        SW_UNROLL
        for (int k = 0; k <= p; k++) {
            turned[sw_sc_place(p, k)] = sw_broadcast(0.0);
            SW_UNROLL
            for (int i = 0; i < 5; i++)
                turned[sw_sc_place(p, k)] += (back ? q[i][p] : q[p][i]) * aq[i][k];
        }
    }
}

/* ---- Passes ---- */

/* A grain in a pass. Sample frame. */
typedef struct {
    sw_real r[3][3];                   /* crystal -> sample */
    sw_real over[SW_SLIP_SYSTEMS_MAX]; /* [G] 1 over resistances, 1/Pa */
    sw_real s[5], d[5], m[15], d0[5];
    sw_real slope[15], c[16]; /* what d changes with s by, and its row C: of SW_SC_SECOND_ORDER */
} sw_sc_grain;

/* Likewise j: of SW_SC_SECOND_ORDER, in place of the flow's own, which is kept. Returns by how much how its stress varies was off,
 * squared, over its own square. */
SW_HD static inline sw_real sw_sc_take_second_order(const sw_sc_slip *slip, const sw_sc_medium *medium,
                                                    const sw_real q[5][5], const sw_real mt_c[15],
                                                    const sw_real s_c[5], sw_real j[15], sw_sc_grain *grain)
{
    const double of_medium = sw_sc_size(medium->mean_s);
    const sw_real square = sw_sc_dot(s_c, s_c) + of_medium * of_medium;
    sw_real off = sw_broadcast(0.0);
    sw_sc_turn_tensor(q, j, 1, grain->slope);
    for (int k = 0; k < 15 && medium->pass != SW_SC_GRAINS; k++)
        grain->c[k] = sw_broadcast(0.0);
    for (int k = 0; k < 5 && medium->pass != SW_SC_GRAINS; k++)
        grain->c[sw_sc_place(k, k)] = medium->first_fluctuation * square;
    if (medium->pass != SW_SC_GRAINS)
        grain->c[15] = sw_broadcast(1 / (1 + 0.1 * slip->exponent));
    if (medium->pass == SW_SC_GRAINS && medium->fluctuates) {
        sw_real y[15], y_c[15];
        for (int k = 0; k < 15; k++)
            y[k] = sw_broadcast(medium->fluctuation[k]);
        sw_sc_turn_tensor(q, y, 0, y_c);
        off = sw_sc_settle_covariance(slip, grain->over, mt_c, y_c, s_c, 10.0 * square, grain->c,
                                      &grain->c[15]) /
              square;
    }
    sw_sc_second_order_moduli(slip, grain->over, s_c, grain->c, j);
    return off;
}

/* Its moduli at its stress s_c, where it flows by d_c, j (used up), crystal frame; q, dual: to that frame, of stresses' acting
 * and of stresses (compatible.h). */
SW_HD static inline void sw_sc_take_moduli(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                           const sw_real q[5][5], const sw_real dual[5][5],
                                           const sw_real s_c[5], const sw_real d_c[5], sw_real j[15],
                                           sw_sc_grain *grain)
{
    sw_real ms[5];
    const int affine = sw_sc_is_steep(rules);
    if (!affine)
        SW_UNROLL
    for (int k = 0; k < 15; k++)
        j[k] = j[k] * (1 / slip->exponent);
    sw_sc_turn_back(dual, s_c, grain->s);
    sw_sc_turn_back(q, d_c, grain->d);
    sw_sc_turn_tensor(q, j, 1, grain->m);
    sw_sc_apply_packed(grain->m, grain->s, ms);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        grain->d0[k] = affine ? grain->d[k] - ms[k] : sw_broadcast(0.0);
}

/* Stress along D, in place of none, whose fastest system slips as fast as D is. */
SW_HD static inline void sw_sc_guess(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                     const sw_sc_medium *medium, const sw_real q[5][5], const sw_real *over,
                                     sw_real s_c[5])
{
    const double size = sw_sc_size(medium->d);
    /* nor one of a crystal that has turned since, which it would make flow a thousand times too fast */
    const sw_mask without = medium->pass == SW_SC_TAYLOR || medium->cold
                                ? sw_if(1)
                                : sw_sc_is_beyond(slip, sw_broadcast(size), sw_sc_most(slip, over, s_c)) |
                                      ~SW_LESS(sw_broadcast(0.0), sw_sc_dot(s_c, s_c));
    if (!sw_any(without))
        return;
    const double level = rules->compatible ? 1 : pow(size / slip->rate, 1 / slip->exponent);
    sw_real d[5], along[5];
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        d[k] = sw_broadcast(medium->d[k] / size);
    sw_sc_turn(q, d, along);
    const sw_real scale = level / sw_max(sw_sc_most(slip, over, along), sw_broadcast(1e-30));
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        s_c[k] = sw_choose(without, along[k] * scale, s_c[k]);
}

/* Newton's first step to the stress that meets d(s) + M~ s = e, by the moduli and rate that a grain has at its stress: no flow is
 * computed for it. Sample frame. Returns how e - d - M~ s goes along it. */
SW_HD static inline sw_real sw_sc_first_step(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                             const sw_real mt[15], const sw_real e[5],
                                             const sw_sc_grain *grain, sw_real step[5])
{
    sw_real f[5], j[15];
#ifndef __CUDA_ARCH__
    if (rules->linearization == SW_SC_SECOND_ORDER) { /* its moduli are no slope */
        for (int k = 0; k < 5; k++)
            step[k] = sw_broadcast(0.0);
        return sw_broadcast(0.0);
    }
#endif
    sw_sc_apply_packed(mt, grain->s, f);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        f[k] = e[k] - grain->d[k] - f[k];
    SW_UNROLL
    for (int k = 0; k < 15; k++)
        j[k] = rules->linearization == SW_SC_AFFINE ? grain->m[k] : slip->exponent * grain->m[k];
    sw_sc_solve_packed(mt, j, f, step);
    return sw_sc_dot(f, step);
}

/* SW_SC_BEGIN, _SACHS and _GRAINS: stress and moduli. mt [15], e [5]: of its phase or its own. *change: |s - s before|^2. */
SW_HD static inline sw_mask sw_sc_take_stress(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                              const sw_sc_medium *medium, const sw_real mt[15],
                                              const sw_real e[5], sw_sc_grain *grain, sw_real *change)
{
    sw_real q[5][5], s_c[5], d_c[5], j[15], e_c[5], mt_c[15], before[5], step[5], slope, most;
    sw_mask good = sw_if(1);
    sw_sc_turn_of((const sw_real(*)[3])grain->r, q);
    SW_UNROLL
    for (int k = 0; k < 5; k++) {
        before[k] = grain->s[k];
        if (medium->pass == SW_SC_SACHS)
            grain->s[k] = sw_broadcast(medium->s[k]);
    }
    sw_sc_turn(q, grain->s, s_c);
    if (medium->pass == SW_SC_GRAINS) {
        sw_real way[5];
        sw_sc_turn((const sw_real(*)[5])q, e, e_c);
        sw_sc_turn_tensor((const sw_real(*)[5])q, mt, 0, mt_c);
        slope = sw_sc_first_step(slip, rules, mt, e, grain, way);
        sw_sc_turn((const sw_real(*)[5])q, way, step);
        good = sw_sc_newton(slip, rules, grain->over, mt_c, e_c, step, slope, s_c, d_c, j);
    } else {
        if (medium->pass == SW_SC_BEGIN)
            sw_sc_guess(slip, rules, medium, (const sw_real(*)[5])q, grain->over, s_c);
        sw_sc_flow(slip, grain->over, s_c, d_c, j, &most);
    }
    *change = sw_broadcast(0.0);
#ifndef __CUDA_ARCH__
    if (rules->linearization == SW_SC_SECOND_ORDER)
        *change = sw_sc_take_second_order(slip, medium, (const sw_real(*)[5])q, mt_c, s_c, j, grain);
#endif
    sw_sc_take_moduli(slip, rules, (const sw_real(*)[5])q, (const sw_real(*)[5])q, s_c, d_c, j, grain);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        *change += (grain->s[k] - before[k]) * (grain->s[k] - before[k]);
    return good & ~SW_LESS(*change, *change) & SW_LESS(*change, sw_broadcast(1e300));
}

/* Where grains of a phase stand. Rows of scratch are `stride` apart, a row's number of grain i is at [i]; beside them, 1 over the
 * G resistances. */
typedef struct {
    double *row;
    int64_t stride;
    int resists;            /* first row of 1 over resistances */
    int stress, shape, law; /* where these begin in a crystal's numbers */
} sw_sc_rows;

#define SW_SC_AT(rows, k, i) (*(sw_real *)((rows)->row + (int64_t)(k) * (rows)->stride + (i)))

SW_HD static inline void sw_sc_load(const sw_sc_rows *rows, int first, int n, int64_t i, sw_real *to)
{
    SW_UNROLL
    for (int k = 0; k < n; k++)
        to[k] = SW_SC_AT(rows, first + k, i);
}

SW_HD static inline void sw_sc_store(const sw_sc_rows *rows, int first, int n, int64_t i, const sw_real *from)
{
    SW_UNROLL
    for (int k = 0; k < n; k++)
        SW_SC_AT(rows, first + k, i) = from[k];
}

/* What its law knows of a grain in a step of this |D| (1/s), by its numbers [K] and mean resistance. */
SW_HD static inline void sw_sc_load_law(const sw_sc_slip *slip, const sw_sc_rows *rows, double rate,
                                        const float (*number)[SW_LANES], sw_real s, sw_slip_state *state)
{
    sw_slip_state_load(&slip->law, s, number + rows->law, state);
    sw_slip_state_at(&slip->law, sw_broadcast(rate), state);
}

/* Rows of a grain, or a bundle, from its numbers [K], mean resistance s and orientation r, for a step of this |D| (1/s). keep: the
 * stress stays as it was found, in double precision. */
SW_HD static inline void sw_sc_fill(const sw_sc_slip *slip, const sw_sc_rows *rows, int own_shapes, int keep,
                                    double rate, const float (*number)[SW_LANES], sw_real s,
                                    const sw_real r[3][3], int64_t i)
{
    for (int k = 0; k < 9; k++)
        SW_SC_AT(rows, SW_SC_ROW_R + k, i) = r[k / 3][k % 3];
    for (int k = 0; k < 5 && !keep; k++)
        sw_load_floats(number[rows->stress + k], &SW_SC_AT(rows, SW_SC_ROW_S + k, i));
    for (int k = 0; k < 9 && own_shapes; k++) {
        sw_load_floats(number[rows->shape + k], &SW_SC_AT(rows, SW_SC_ROW_F + k, i));
        SW_SC_AT(rows, SW_SC_ROW_F + k, i) += k % 4 == 0;
    }
    if (!slip->own) {
        SW_SC_AT(rows, rows->resists, i) = 1.0 / s;
        return;
    }
    /* what slips at |D| where the reference rate is that slips as fast where this is slip->rate and it resists so much less */
    const double unit = slip->rate_of_step ? pow(rate / slip->rate, 1 / slip->exponent) : 1;
    sw_slip_state state;
    sw_real left = sw_broadcast(1.0);
    sw_sc_load_law(slip, rows, rate, number, s, &state);
    if (slip->law.fill) /* twins slip in what they leave of the crystal */
        left = sw_power(sw_max(1.0 - sw_slip_state_fraction(&slip->law, &state), sw_broadcast(1e-6)),
                        1 / slip->exponent);
    for (int k = 0; k < slip->law.groups; k++)
        SW_SC_AT(rows, rows->resists + k, i) =
            unit * (slip->law.fill && slip->law.twins[k] ? left : sw_broadcast(1.0)) / state.g[k];
}

/* A grain's orientation, crystal -> sample. */
SW_HD static inline void sw_sc_load_rotation(const sw_sc_rows *rows, int64_t i, sw_real r[3][3])
{
    SW_UNROLL
    for (int k = 0; k < 9; k++)
        r[k / 3][k % 3] = SW_SC_AT(rows, SW_SC_ROW_R + k, i);
}

/* A = 1 / (M~ + M), A d0 and, of shapes of their own, the products with M~: to sum, by weight. */
SW_HD static inline void sw_sc_add_moduli(const sw_sc_rules *rules, sw_real weight, const sw_real mt[15],
                                          const sw_real m[15], const sw_real d0[5], sw_real *sum)
{
    sw_real a[15], ad0[5];
    sw_sc_localise(mt, m, a);
    sw_sc_apply_packed(a, d0, ad0);
    SW_UNROLL
    for (int k = 0; k < 15; k++)
        sum[SW_SC_U + k] += weight * a[k];
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        sum[SW_SC_AD0 + k] += weight * ad0[k];
    if (!rules->own_shapes)
        return;
    sw_real mad0[5];
    sw_sc_apply_packed(mt, ad0, mad0);
    for (int k = 0; k < 5; k++)
        sum[SW_SC_MAD0 + k] += weight * mad0[k];
    for (int j = 0; j < 5; j++) {
        sw_real column[5], v[5], x[5];
        for (int k = 0; k < 5; k++)
            column[k] = mt[sw_sc_place(k, j)];
        sw_sc_apply_packed(a, column, v);
        sw_sc_apply_packed(mt, v, x);
        for (int i = 0; i < 5; i++) {
            sum[SW_SC_V + 5 * i + j] += weight * v[i];
            if (j <= i) {
                sum[SW_SC_T + sw_sc_place(i, j)] += weight * column[i];
                sum[SW_SC_X + sw_sc_place(i, j)] += weight * x[i];
            }
        }
    }
}

/* M~ and e of grain i, or a bundle: of its phase or its own. */
SW_HD static inline void sw_sc_load_inclusion(const sw_sc_rules *rules, const sw_sc_medium *medium,
                                              const sw_sc_phase_state *phase, const sw_sc_rows *rows,
                                              int64_t i, sw_real mt[15], sw_real e[5])
{
    if (!rules->own_shapes) {
        SW_UNROLL
        for (int k = 0; k < 5; k++) {
            e[k] = sw_broadcast(phase->e[k]);
            SW_UNROLL
            for (int j = 0; j <= k; j++)
                mt[sw_sc_place(k, j)] = sw_broadcast(phase->mt[k][j]);
        }
        return;
    }
    sw_real s_star[5];
    sw_sc_load(rows, SW_SC_ROW_MT, 15, i, mt);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        s_star[k] = sw_broadcast(medium->s_star[k]);
    sw_sc_apply_packed(mt, s_star, e);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        e[k] += medium->d_star[k];
}

/* Grain i, or a bundle from there on, in SW_SC_MODULI: sum [SW_SC_SUMS], or _OF_SHAPES, is added to. */
SW_HD static inline void sw_sc_visit_moduli(const sw_sc_rules *rules, const sw_sc_medium *medium,
                                            const sw_sc_phase_state *phase, const sw_sc_rows *rows, int64_t i,
                                            sw_real weight, sw_real *sum)
{
    sw_real mt[15], e[5], m[15], d0[5];
    sw_sc_load_inclusion(rules, medium, phase, rows, i, mt, e);
    sw_sc_load(rows, SW_SC_ROW_M, 15, i, m);
    sw_sc_load(rows, SW_SC_ROW_D0, 5, i, d0);
    sum[SW_SC_WEIGHT] += weight;
    sw_sc_add_moduli(rules, weight, mt, m, d0, sum);
}

/* Likewise in the passes that take stresses. present: lanes that are grains; the others have no weight. r and s of its rows are filled
 * before the first pass. */
SW_HD static inline void sw_sc_visit_stress(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                            const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                            const sw_sc_rows *rows, int64_t i, sw_mask present,
                                            sw_real weight, sw_real *sum)
{
    sw_real mt[15], e[5];
    sw_sc_load_inclusion(rules, medium, phase, rows, i, mt, e);
    sum[SW_SC_WEIGHT] += weight;
    sw_sc_grain grain;
    sw_real change;
    sw_sc_load_rotation(rows, i, grain.r);
    sw_sc_load(rows, SW_SC_ROW_S, 5, i, grain.s);
    if (medium->pass == SW_SC_GRAINS) {
        sw_sc_load(rows, SW_SC_ROW_M, 15, i, grain.m);
        sw_sc_load(rows, SW_SC_ROW_D, 5, i, grain.d);
    }
    const int resists = slip->own ? slip->law.groups : 1;
    for (int k = 0; k < resists; k++)
        grain.over[k] = SW_SC_AT(rows, rows->resists + k, i);
    for (int k = 0; k < 16 && rules->linearization == SW_SC_SECOND_ORDER; k++)
        grain.c[k] = SW_SC_AT(rows, SW_SC_ROW_C + k, i);
    const sw_mask good = sw_sc_take_stress(slip, rules, medium, mt, e, &grain, &change);
    sum[SW_SC_FAILED] += sw_choose(present & ~good, sw_broadcast(1.0), sw_broadcast(0.0));
    sw_sc_store(rows, SW_SC_ROW_S, 5, i, grain.s);
    sw_sc_store(rows, SW_SC_ROW_M, 15, i, grain.m);
    sw_sc_store(rows, SW_SC_ROW_D0, 5, i, grain.d0);
    sw_sc_store(rows, SW_SC_ROW_D, 5, i, grain.d);
    for (int k = 0; k < 16 && rules->linearization == SW_SC_SECOND_ORDER; k++)
        SW_SC_AT(rows, SW_SC_ROW_C + k, i) = grain.c[k];
    SW_UNROLL
    for (int k = 0; k < 5; k++) {
        sum[SW_SC_S + k] += weight * grain.s[k];
        sum[SW_SC_D + k] += weight * grain.d[k];
    }
    sum[SW_SC_CHANGE] += weight * change;
    for (int k = 0; k < 15 && rules->own_shapes && medium->pass == SW_SC_SACHS; k++)
        SW_SC_AT(rows, SW_SC_ROW_SPIN + k, i) = sw_broadcast(0.0); /* until shapes are looked at */
    if (medium->pass == SW_SC_GRAINS && rules->linearization != SW_SC_AFFINE) {
        sw_real j[15], a[15];
        SW_UNROLL
        for (int k = 0; k < 15; k++)
            j[k] = rules->linearization == SW_SC_SECOND_ORDER ? grain.slope[k] : slip->exponent * grain.m[k];
        sw_sc_localise(mt, j, a);
        SW_UNROLL
        for (int k = 0; k < 15; k++)
            sum[SW_SC_UT + k] += weight * a[k];
    }
    if (medium->pass == SW_SC_GRAINS)
        sw_sc_add_moduli(rules, weight, mt, grain.m, grain.d0, sum);
}

/* In the medium's pass. */
SW_HD static inline void sw_sc_visit(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                     const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                     const sw_sc_rows *rows, int64_t i, sw_mask present, sw_real weight,
                                     sw_real *sum)
{
    weight = sw_choose(present, weight, sw_broadcast(0.0));
    if (medium->pass == SW_SC_MODULI)
        sw_sc_visit_moduli(rules, medium, phase, rows, i, weight, sum);
    else
        sw_sc_visit_stress(slip, rules, medium, phase, rows, i, present, weight, sum);
}

/* ---- The step ---- */

/* What a grain's step comes to, of dt (s), at the stress of its row. */
typedef struct {
    sw_real begun;                     /* mean resistance as the step begins, Pa */
    sw_real slip[SW_SLIP_SYSTEMS_MAX]; /* [S] increments, >= 0 */
    sw_real slip_rate;                 /* G, 1/s */
    sw_real turn[3];                   /* its lattice's, 12 13 23 of a skew tensor, sample frame, rad */
    sw_real l[3][3];                   /* velocity gradient of its ellipsoid, 1/s */
} sw_sc_move;

/* spin: W of the polycrystal, 12 13 23, 1/s. */
SW_HD static inline void sw_sc_step_grain(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                          const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                          const sw_sc_rows *rows, int64_t i, double dt, const double spin[3],
                                          sw_sc_move *move)
{
    sw_real r[3][3], s[5], d[5], q[5][5], s_c[5], over[SW_SLIP_SYSTEMS_MAX], w_c[3], w[3], t[6];
    sw_sc_load_rotation(rows, i, r);
    sw_sc_load(rows, SW_SC_ROW_S, 5, i, s);
    sw_sc_load(rows, SW_SC_ROW_D, 5, i, d);
    const int resists = slip->own ? slip->law.groups : 1;
    for (int k = 0; k < resists; k++)
        over[k] = SW_SC_AT(rows, rows->resists + k, i);
    sw_sc_turn_of((const sw_real(*)[3])r, q);
    sw_sc_turn((const sw_real(*)[5])q, s, s_c);
    move->slip_rate = w_c[0] = w_c[1] = w_c[2] = sw_broadcast(0.0);
    SW_ROLLED
    for (int a = 0; a < slip->systems; a++) {
        const sw_real x = sw_sc_ratio(slip, over, a, s_c), rate = slip->rate * sw_sc_power(slip, x) * x;
        move->slip[a] = sw_abs(rate) * dt;
        move->slip_rate += sw_abs(rate);
        for (int k = 0; k < 3; k++)
            w_c[k] += slip->w[a][k] * rate;
    }
    /* r w r' of a skew tensor turns its axial vector (-w23, w13, -w12) */
    for (int k = 0; k < 3; k++) {
        const sw_real *const a = r[2 - k], axial = -a[0] * w_c[2] + a[1] * w_c[1] - a[2] * w_c[0];
        move->turn[k] = (k == 1 ? -axial : axial) * dt;
    }
    for (int k = 0; k < 3; k++) {
        w[k] = sw_broadcast(spin[k]);
        for (int j = 0; j < 5; j++) {
            const sw_real by = rules->own_shapes ? SW_SC_AT(rows, SW_SC_ROW_SPIN + 5 * k + j, i)
                                                 : sw_broadcast(phase->spin[k][j]);
            w[k] += by * (d[j] - medium->mean_d[j]);
        }
        move->turn[k] += w[k] * dt;
    }
    sw_deviator_tensor(d, t);
    for (int k = 0; k < 9; k++)
        move->l[k / 3][k % 3] = t[sw_six_of(k / 3, k % 3)];
    move->l[0][1] += w[0];
    move->l[1][0] -= w[0];
    move->l[0][2] += w[1];
    move->l[2][0] -= w[1];
    move->l[1][2] += w[2];
    move->l[2][1] -= w[2];
}

/* f <- exp(l dt) f of an ellipsoid: to fourth order of l dt that is no more than about a quarter, or to first as VPSC8. */
SW_HD static inline void sw_sc_stretch_once(const sw_real l[3][3], double dt, int most, sw_real f[3][3])
{
    sw_real term[3][3], sum[3][3];
    for (int k = 0; k < 9; k++)
        sum[k / 3][k % 3] = term[k / 3][k % 3] = f[k / 3][k % 3];
    for (int order = 1; order <= most; order++) {
        sw_real next[3][3];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                next[i][j] =
                    (l[i][0] * term[0][j] + l[i][1] * term[1][j] + l[i][2] * term[2][j]) * (dt / order);
        for (int k = 0; k < 9; k++) {
            term[k / 3][k % 3] = next[k / 3][k % 3];
            sum[k / 3][k % 3] += next[k / 3][k % 3];
        }
    }
    for (int k = 0; k < 9; k++)
        f[k / 3][k % 3] = sum[k / 3][k % 3];
}

SW_HD static inline void sw_sc_stretch(const sw_real l[3][3], double dt, int compatible, sw_real f[3][3])
{
    double most = 0;
    for (int k = 0; k < 9 * SW_LANES; k++)
        most = fmax(most, fabs(sw_lane(l[k / SW_LANES / 3][k / SW_LANES % 3], k % SW_LANES)));
    const int parts = compatible || !(most * dt < 1e3) ? 1 : 1 + (int)(4 * most * dt);
    for (int part = 0; part < parts; part++)
        sw_sc_stretch_once(l, dt / parts, compatible ? 1 : 4, f);
}

/* A grain's resistances, of its law in its numbers, and their mean s at the step's end; move->begun. */
SW_HD static inline void sw_sc_harden(const sw_sc_slip *slip, const sw_sc_rows *rows, double rate, double dt,
                                      float (*number)[SW_LANES], sw_real *s, sw_sc_move *move)
{
    move->begun = *s;
    if (!slip->own) {
        *s = sw_harden(&slip->hardening, *s, move->slip_rate * dt);
        return;
    }
    sw_slip_state old, next;
    sw_law_slips slips;
    sw_sc_load_law(slip, rows, rate, (const float(*)[SW_LANES])number, *s, &old);
    if (sw_slip_law_is_structured(&slip->law))
        move->begun = sw_slip_state_mean(&slip->law, &old);
    sw_law_slips_of(&slip->law, move->slip, &slips);
    sw_slip_law_harden(&slip->law, &old, &slips, &next);
    if (slip->law.scales)
        *s = sw_harden(&slip->hardening, *s, move->slip_rate * dt);
    else
        *s = sw_slip_state_mean(&slip->law, &next);
    sw_slip_state_store(&slip->law, &next, number + rows->law);
}

/* The stress that a grain's next step begins from: what it had, times `scale`, by which it resists more now. So it flows as fast as it
 * did, and few iterations are left to do (a third of them, of copper that hardens). */
SW_HD static inline void sw_sc_keep_stress(const sw_sc_rows *rows, int64_t i, sw_real scale,
                                           float (*number)[SW_LANES])
{
    for (int k = 0; k < 5; k++)
        sw_store_floats(scale * SW_SC_AT(rows, SW_SC_ROW_S + k, i), number[rows->stress + k]);
}

/* A grain's numbers, mean resistance and the turn of its lattice at the step's end. phase_l: of its phase's ellipsoid. */
SW_HD static inline void sw_sc_finish(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                      const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                      const sw_sc_rows *rows, int64_t i, double dt, const double spin[3],
                                      const double phase_l[3][3], float (*number)[SW_LANES], sw_real *s,
                                      sw_sc_move *move)
{
    sw_real f[3][3];
    sw_sc_step_grain(slip, rules, medium, phase, rows, i, dt, spin, move);
    for (int k = 0; k < 9; k++) {
        sw_load_floats(number[rows->shape + k], &f[k / 3][k % 3]);
        f[k / 3][k % 3] += k % 4 == 0;
        if (!rules->own_shapes)
            move->l[k / 3][k % 3] = sw_broadcast(phase_l[k / 3][k % 3]);
    }
    if (!rules->keep_shape)
        sw_sc_stretch((const sw_real(*)[3])move->l, dt, rules->compatible, f);
    for (int k = 0; k < 9; k++)
        sw_store_floats(f[k / 3][k % 3] - (k % 4 == 0), number[rows->shape + k]);
    sw_sc_harden(slip, rows, medium->rate, dt, number, s, move);
    sw_sc_keep_stress(rows, i, rules->compatible ? sw_broadcast(1.0) : *s / move->begun, number);
}

/* Angles of a lattice after a turn (12 13 23 of a skew tensor, rad). One crystal. */
SW_HD static inline void sw_sc_turn_lattice(const double turn[3], float euler[3])
{
    double angle[3], g[3][3], rotation[3][3], turned[3][3];
    for (int k = 0; k < 3; k++)
        angle[k] = euler[k];
    sw_rotation_from_euler(angle, g);
    sw_rotation_from_spin(turn, rotation);
    for (int k = 0; k < 9; k++) {
        turned[k / 3][k % 3] = 0;
        for (int j = 0; j < 3; j++)
            turned[k / 3][k % 3] += rotation[k / 3][j] * g[j][k % 3];
    }
    sw_euler_from_rotation(turned, angle);
    for (int k = 0; k < 3; k++)
        euler[k] = (float)angle[k];
}

#endif
