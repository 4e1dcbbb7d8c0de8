/* VPSC8's way through the self-consistent scheme (scheme.h), which `slipwave vpsc` takes where it is compatible: how it starts, steps and
 * stops. On the CPU. Vectors of five as in deviator.h, sample frame.
 *
 * M = <M_g B> <B>^-1 is not symmetric where phases or grains differ in shape, or before it is consistent, and VPSC8 keeps what comes
 * out, and M~ that follows from it. So does this: iterations that stop at 1e-3 stop one earlier or later without. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_COMPATIBLE_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_COMPATIBLE_H

#include "grain.h"
#include "inclusion.h"

/* Sums of its passes over the grains of a phase, by weight; those from _AM on where grains have shapes of their own. */
enum {
    SW_SC_C_A = 0,    /* [25] A = 1 / (M~ + M_g); of SW_SC_TAYLOR and _SACHS 1 / M_g */
    SW_SC_C_AD0 = 25, /* [5] A d0; likewise d0 */
    SW_SC_C_WEIGHT = 30,
    SW_SC_C_S = 31, /* [5] stress */
    SW_SC_C_D = 36, /* [5] strain rate */
    SW_SC_C_CHANGE = 41,
    SW_SC_C_SUMS = 42,
    SW_SC_C_AM = SW_SC_C_SUMS,     /* [25] A M~ */
    SW_SC_C_MA = SW_SC_C_AM + 25,  /* [25] M~ A */
    SW_SC_C_MAM = SW_SC_C_MA + 25, /* [25] M~ A M~ */
    SW_SC_C_M = SW_SC_C_MAM + 25,  /* [25] M~ */
    SW_SC_C_MAD0 = SW_SC_C_M + 25, /* [5] M~ A d0 */
    SW_SC_C_SUMS_OF_SHAPES = SW_SC_C_MAD0 + 5
};

static inline int sw_sc_compatible_sums(const sw_sc_rules *rules)
{
    return rules->own_shapes ? SW_SC_C_SUMS_OF_SHAPES : SW_SC_C_SUMS;
}

/* ---- The Eshelby problem ---- */

/* The stiffness by which a force's direction is weighed: of its components 11 22 33 23 13 12 along the ellipsoid's axes the upper triangle, twice.
 * Of the first two of five, the normal components' k is half the difference of theirs, and what is upper there of their antisymmetric
 * part stands below; what of it is no deviator makes no difference where nothing is compressed. */
static inline void sw_sc_upper_stiffness(const double l[5][5], const double along[3][3], double upper[5][5])
{
    sw_real r[3][3], turn[5][5];
    double q[5][5], x[5][5], y[5][5];
    for (int k = 0; k < 9; k++)
        r[k / 3][k % 3] = sw_broadcast(along[k / 3][k % 3]);
    sw_sc_turn_of((const sw_real(*)[3])r, turn);
    for (int k = 0; k < 25; k++)
        q[k / 5][k % 5] = sw_lane(turn[k / 5][k % 5], 0);
    sw_sc_multiply((const double(*)[5])q, l, x);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            y[a][b] = 0;
            for (int k = 0; k < 5; k++)
                y[a][b] += x[a][k] * q[b][k];
        }
    const double k = 0.5 * (y[0][1] - y[1][0]);
    y[0][1] += (2.0 / 3 - 1) * k;
    y[0][0] += k / sqrt(3.0);
    y[1][1] -= k / (3 * sqrt(3.0));
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < a; b++)
            y[a][b] = y[b][a];
    sw_sc_multiply((const double(*)[5])y, (const double(*)[5])q, x);
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) {
            upper[a][b] = 0;
            for (int j = 0; j < 5; j++)
                upper[a][b] += q[j][a] * x[j][b];
        }
}

/* M~ = neff (1/P - L)^-1 of sums over directions, whose shares are as they are; 1/P too. 0: singular. */
static inline int sw_sc_compatible_interaction(const double l[5][5], const sw_sc_rules *rules,
                                               const double *sum, double mt[5][5], double p_inverse[5][5])
{
    double p[5][5], x[5][5];
    sw_sc_unpack(sum, p);
    if (!sw_sc_invert((const double(*)[5])p, p_inverse))
        return 0;
    for (int k = 0; k < 25; k++)
        x[k / 5][k % 5] = p_inverse[k / 5][k % 5] - l[k / 5][k % 5];
    const int found = sw_sc_invert((const double(*)[5])x, mt);
    for (int k = 0; k < 25; k++)
        mt[k / 5][k % 5] *= rules->neff;
    return found;
}

/* ---- A grain ---- */

/* a x = b without pivots: a, used up, is M~ and a compliance, which dissipate. */
static inline void sw_sc_solve_general(sw_real a[5][5], const sw_real b[5], sw_real x[5])
{
    for (int k = 0; k < 5; k++)
        x[k] = b[k];
    for (int k = 0; k < 5; k++) {
        const sw_real over = 1.0 / a[k][k];
        for (int i = k + 1; i < 5; i++) {
            const sw_real factor = a[i][k] * over;
            for (int j = k + 1; j < 5; j++)
                a[i][j] -= factor * a[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int k = 4; k >= 0; k--) {
        for (int j = k + 1; j < 5; j++)
            x[k] -= a[k][j] * x[j];
        x[k] = x[k] / a[k][k];
    }
}

/* In place. */
static inline void sw_sc_invert_general(sw_real a[5][5])
{
    for (int k = 0; k < 5; k++) {
        const sw_real over = 1.0 / a[k][k];
        a[k][k] = sw_broadcast(1.0);
        for (int j = 0; j < 5; j++)
            a[k][j] *= over;
        for (int i = 0; i < 5; i++) {
            const sw_real factor = a[i][k];
            if (i == k)
                continue;
            a[i][k] = sw_broadcast(0.0);
            for (int j = 0; j < 5; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}

static inline void sw_sc_add_general(const sw_real mt[5][5], const sw_real packed[15], sw_real a[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            a[i][j] = mt[i][j] + packed[sw_sc_place(i, j)];
}

/* q a q'. */
static inline void sw_sc_turn_general(const sw_real q[5][5], const sw_real a[5][5], sw_real turned[5][5])
{
    sw_real aq[5][5];
    for (int i = 0; i < 5; i++)
        sw_sc_turn(q, a[i], aq[i]);
    for (int p = 0; p < 5; p++)
        for (int k = 0; k < 5; k++) {
            turned[p][k] = sw_broadcast(0.0);
            for (int i = 0; i < 5; i++)
                turned[p][k] += q[p][i] * aq[i][k];
        }
}

/* 1/q', by which rates and what acts on stresses turn where q turns stresses: q, of a rotation. VPSC8 turns samples by matrices of a few
 * digits, and leaves crystals as they are then. */
static inline void sw_sc_dual_of(sw_real r[3][3], sw_real dual[5][5])
{
    sw_real inverse[3][3], back[3][3];
    sw_invert(r, inverse);
    for (int k = 0; k < 9; k++)
        back[k / 3][k % 3] = inverse[k % 3][k / 3];
    sw_sc_turn_of((const sw_real(*)[3])back, dual);
}

/* The stress that meets d(s) + M~ s = e, from s: a try beyond reach goes back to a fifth of its step, and all is done when a step changes s by
 * less than 5e-4. */
static inline sw_mask sw_sc_compatible_newton(const sw_sc_slip *slip, const sw_real *over,
                                              const sw_real mt[5][5], const sw_real e[5], sw_real reach,
                                              sw_real s[5])
{
    sw_real way[5];
    sw_mask running = sw_if(1);
    for (int k = 0; k < 5; k++)
        way[k] = sw_broadcast(0.0);
    for (int i = 0; i < 1000 && sw_any(running); i++) {
        sw_real d[5], j[15], f[5], ms[5], a[5][5], step[5], most, change = sw_broadcast(0.0),
                                                                  mean = sw_broadcast(0.0);
        const sw_mask back = running & SW_LESS(reach, sw_sc_most(slip, over, s));
        sw_sc_flow(slip, over, s, d, j, &most);
        sw_sc_turn(mt, s, ms);
        for (int k = 0; k < 5; k++)
            f[k] = e[k] - d[k] - ms[k];
        sw_sc_add_general(mt, j, a);
        sw_sc_solve_general(a, f, step);
        for (int k = 0; k < 5; k++) {
            change += step[k] * step[k];
            mean += (s[k] + 0.5 * step[k]) * (s[k] + 0.5 * step[k]);
        }
        const sw_mask ends = running & ~back & SW_LESS(change, 5e-4 * 5e-4 * mean);
        for (int k = 0; k < 5; k++) {
            const sw_real base = sw_choose(back, s[k] - way[k], s[k]);
            way[k] = sw_choose(back, 0.2 * way[k], step[k]);
            s[k] = sw_choose(running, base + way[k], s[k]);
        }
        running = running & ~ends;
    }
    return ~running;
}

/* Likewise, and the flow there. rate: the size of D. What it finds no answer of stays where it was. */
static inline void sw_sc_compatible_meet(const sw_sc_slip *slip, double rate, const sw_real *over,
                                         const sw_real mt_c[5][5], const sw_real e_c[5], sw_real s_c[5])
{
    const double most_rate = 2 * pow(rate / slip->rate, 0.05);
    const sw_real reach = sw_broadcast(most_rate > 2 ? most_rate : 2), most = sw_sc_most(slip, over, s_c);
    const sw_real scale = sw_choose(SW_LESS(reach, most), sw_broadcast(1.0) / most, sw_broadcast(1.0));
    sw_real kept[5];
    for (int k = 0; k < 5; k++)
        kept[k] = s_c[k] = s_c[k] * scale;
    const sw_mask good = sw_sc_compatible_newton(slip, over, mt_c, e_c, reach, s_c);
    for (int k = 0; k < 5; k++)
        s_c[k] = sw_choose(good, s_c[k], kept[k]);
}

/* A grain's stress in the medium's pass, and moduli there; mt, e: of its phase or its own. */
static inline void sw_sc_compatible_stress(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                           const sw_sc_medium *medium, const sw_real mt[5][5],
                                           const sw_real e[5], sw_sc_grain *grain)
{
    sw_real q[5][5], dual[5][5], s_c[5], d_c[5], j[15], wanted[5], e_c[5], mt_c[5][5], most;
    const int taylor = medium->pass == SW_SC_TAYLOR;
    sw_sc_turn_of((const sw_real(*)[3])grain->r, q);
    sw_sc_dual_of(grain->r, dual);
    for (int k = 0; k < 5; k++) {
        wanted[k] = taylor ? sw_broadcast(medium->d[k]) : e[k];
        if (medium->pass == SW_SC_SACHS)
            grain->s[k] = sw_broadcast(medium->s[k]);
    }
    sw_sc_turn((const sw_real(*)[5])q, grain->s, s_c);
    if (medium->pass != SW_SC_SACHS && medium->pass != SW_SC_GRAINS)
        sw_sc_guess(slip, rules, medium, (const sw_real(*)[5])q, grain->over, s_c);
    if (taylor || medium->pass == SW_SC_GRAINS) {
        sw_sc_turn((const sw_real(*)[5])dual, wanted, e_c);
        sw_sc_turn_general((const sw_real(*)[5])dual, mt, mt_c);
        for (int k = 0; k < 25 && taylor; k++)
            mt_c[k / 5][k % 5] = sw_broadcast(0.0);
        sw_sc_compatible_meet(slip, sw_sc_size(medium->d), grain->over, (const sw_real(*)[5])mt_c, e_c, s_c);
    }
    sw_sc_flow(slip, grain->over, s_c, d_c, j, &most);
    sw_sc_take_moduli(slip, rules, (const sw_real(*)[5])q, (const sw_real(*)[5])dual, s_c, d_c, j, grain);
}

/* M~ and e of grain i, or a bundle: of its phase or its own. */
static inline void sw_sc_compatible_inclusion(const sw_sc_rules *rules, const sw_sc_medium *medium,
                                              const sw_sc_phase_state *phase, const sw_sc_rows *rows,
                                              int64_t i, sw_real mt[5][5], sw_real e[5])
{
    for (int k = 0; k < 5; k++) {
        e[k] = sw_broadcast(rules->own_shapes ? medium->d_star[k] : phase->e[k]);
        for (int j = 0; j < 5; j++)
            mt[k][j] = rules->own_shapes ? SW_SC_AT(rows, SW_SC_ROW_GENERAL_MT + 5 * k + j, i)
                                         : sw_broadcast(phase->mt[k][j]);
    }
    for (int k = 0; k < 5 && rules->own_shapes; k++)
        for (int j = 0; j < 5; j++)
            e[k] += mt[k][j] * medium->s_star[j];
}

/* A, A d0 and, of shapes of their own, the products with M~: to sum, by weight. */
static inline void sw_sc_add_compatible_moduli(const sw_sc_rules *rules, sw_real weight,
                                               const sw_real mt[5][5], const sw_real m[15],
                                               const sw_real d0[5], sw_real *sum)
{
    sw_real a[5][5], ad0[5], mad0[5];
    sw_sc_add_general(mt, m, a);
    sw_sc_invert_general(a);
    sw_sc_turn((const sw_real(*)[5])a, d0, ad0);
    for (int k = 0; k < 25; k++)
        sum[SW_SC_C_A + k] += weight * a[k / 5][k % 5];
    for (int k = 0; k < 5; k++)
        sum[SW_SC_C_AD0 + k] += weight * ad0[k];
    if (!rules->own_shapes)
        return;
    sw_sc_turn(mt, ad0, mad0);
    for (int k = 0; k < 5; k++)
        sum[SW_SC_C_MAD0 + k] += weight * mad0[k];
    for (int j = 0; j < 5; j++) { /* by columns of M~ and A */
        sw_real of_mt[5], of_a[5], am[5], ma[5], mam[5];
        for (int k = 0; k < 5; k++) {
            of_mt[k] = mt[k][j];
            of_a[k] = a[k][j];
        }
        sw_sc_turn((const sw_real(*)[5])a, of_mt, am);
        sw_sc_turn(mt, of_a, ma);
        sw_sc_turn(mt, am, mam);
        for (int k = 0; k < 5; k++) {
            sum[SW_SC_C_AM + 5 * k + j] += weight * am[k];
            sum[SW_SC_C_MA + 5 * k + j] += weight * ma[k];
            sum[SW_SC_C_MAM + 5 * k + j] += weight * mam[k];
            sum[SW_SC_C_M + 5 * k + j] += weight * of_mt[k];
        }
    }
}

/* 1 / M, to sum. At one stress for all, some grains have fewer than five systems in sight, and no stiffness but for what is added. */
static inline void sw_sc_add_compatible_stiffness(const sw_sc_medium *medium, sw_real weight,
                                                  const sw_sc_grain *grain, sw_real *sum)
{
    const sw_real trace = grain->m[0] + grain->m[2] + grain->m[5] + grain->m[9] + grain->m[14];
    sw_real none[15], stiffness[15];
    for (int k = 0; k < 15; k++)
        none[k] = sw_broadcast(0.0);
    for (int k = 0; k < 5 && medium->pass == SW_SC_SACHS; k++)
        none[sw_sc_place(k, k)] = 1e-10 * trace;
    sw_sc_localise(none, grain->m, stiffness);
    for (int k = 0; k < 25; k++)
        sum[SW_SC_C_A + k] += weight * stiffness[sw_sc_place(k / 5, k % 5)];
    for (int k = 0; k < 5; k++)
        sum[SW_SC_C_AD0 + k] += weight * grain->d0[k];
}

/* Grain i, or a bundle from there on, in the medium's pass: sum [SW_SC_C_SUMS], or _OF_SHAPES, is added to. present: lanes that are
 * grains; the others have no weight. */
static inline void sw_sc_compatible_visit(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                          const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                          const sw_sc_rows *rows, int64_t i, sw_mask present, sw_real weight,
                                          sw_real *sum)
{
    sw_real mt[5][5], e[5], before[5];
    sw_sc_grain grain;
    weight = sw_choose(present, weight, sw_broadcast(0.0));
    sw_sc_compatible_inclusion(rules, medium, phase, rows, i, mt, e);
    sum[SW_SC_C_WEIGHT] += weight;
    if (medium->pass == SW_SC_MODULI) {
        sw_sc_load(rows, SW_SC_ROW_M, 15, i, grain.m);
        sw_sc_load(rows, SW_SC_ROW_D0, 5, i, grain.d0);
        sw_sc_add_compatible_moduli(rules, weight, (const sw_real(*)[5])mt, grain.m, grain.d0, sum);
        return;
    }
    sw_sc_load_rotation(rows, i, grain.r);
    sw_sc_load(rows, SW_SC_ROW_S, 5, i, grain.s);
    sw_sc_load(rows, SW_SC_ROW_S, 5, i, before);
    for (int k = 0; k < (slip->own ? slip->law.groups : 1); k++)
        grain.over[k] = SW_SC_AT(rows, rows->resists + k, i);
    sw_sc_compatible_stress(slip, rules, medium, (const sw_real(*)[5])mt, e, &grain);
    sw_sc_store(rows, SW_SC_ROW_S, 5, i, grain.s);
    sw_sc_store(rows, SW_SC_ROW_M, 15, i, grain.m);
    sw_sc_store(rows, SW_SC_ROW_D0, 5, i, grain.d0);
    sw_sc_store(rows, SW_SC_ROW_D, 5, i, grain.d);
    for (int k = 0; k < 5; k++) {
        sum[SW_SC_C_S + k] += weight * grain.s[k];
        sum[SW_SC_C_D + k] += weight * grain.d[k];
        sum[SW_SC_C_CHANGE] += weight * (grain.s[k] - before[k]) * (grain.s[k] - before[k]);
    }
    for (int k = 0; k < 15 && rules->own_shapes && medium->pass == SW_SC_SACHS; k++)
        SW_SC_AT(rows, SW_SC_ROW_SPIN + k, i) = sw_broadcast(0.0); /* until shapes are looked at */
    if (medium->pass == SW_SC_TAYLOR || medium->pass == SW_SC_SACHS)
        sw_sc_add_compatible_stiffness(medium, weight, &grain, sum);
}

/* ---- The medium ---- */

/* Sums of a phase whose grains have its shape -> as if each had its own. */
static inline void sw_sc_complete_compatible(const sw_sc_phase_state *phase, double *sum)
{
    const double(*const mt)[5] = (const double(*)[5])phase->mt;
    double a[5][5], am[5][5], ma[5][5], mam[5][5];
    for (int k = 0; k < 25; k++)
        a[k / 5][k % 5] = sum[SW_SC_C_A + k];
    sw_sc_multiply((const double(*)[5])a, mt, am);
    sw_sc_multiply(mt, (const double(*)[5])a, ma);
    sw_sc_multiply(mt, (const double(*)[5])am, mam);
    sw_sc_apply(mt, sum + SW_SC_C_AD0, sum + SW_SC_C_MAD0);
    for (int k = 0; k < 25; k++) {
        sum[SW_SC_C_AM + k] = am[k / 5][k % 5];
        sum[SW_SC_C_MA + k] = ma[k / 5][k % 5];
        sum[SW_SC_C_MAM + k] = mam[k / 5][k % 5];
        sum[SW_SC_C_M + k] = sum[SW_SC_C_WEIGHT] * mt[k / 5][k % 5];
    }
}

/* Sums of the phases [phases][stride] -> of the polycrystal, over its weight. */
static inline void sw_sc_gather_compatible(const sw_sc_medium *p, const sw_sc_rules *rules,
                                           const double *sums, int stride, double all[SW_SC_C_SUMS_OF_SHAPES])
{
    for (int k = 0; k < SW_SC_C_SUMS_OF_SHAPES; k++)
        all[k] = 0;
    for (int f = 0; f < p->phases; f++) {
        double of[SW_SC_C_SUMS_OF_SHAPES] = {0};
        for (int k = 0; k < stride; k++)
            of[k] = sums[f * stride + k];
        if (!rules->own_shapes)
            sw_sc_complete_compatible(&p->of[f], of);
        for (int k = 0; k < SW_SC_C_SUMS_OF_SHAPES; k++)
            all[k] += of[k];
    }
    for (int k = 0; k < SW_SC_C_SUMS_OF_SHAPES; k++)
        all[k] /= k == SW_SC_C_WEIGHT ? 1 : all[SW_SC_C_WEIGHT];
}

/* M = <M_g B> <B>^-1 with B = A (M~ + M), d0 = <B'>^-1 <B' d0_g> with B' = (M~ + M) A, and the mean stress that d0 leaves, by d0 as it
 * was. Returns how much M changed; -1: singular. */
static inline double sw_sc_renew_compatible(sw_sc_medium *p, const double *sum)
{
    double b[5][5], bt[5][5], mb[5][5], inverse[5][5], renewed[5][5], v[5];
    for (int i = 0; i < 5; i++) {
        v[i] = sum[SW_SC_C_MAD0 + i];
        p->sg0[i] = -sum[SW_SC_C_AD0 + i];
        for (int j = 0; j < 5; j++) {
            const int ij = 5 * i + j;
            v[i] += p->m[i][j] * sum[SW_SC_C_AD0 + j];
            p->sg0[i] += sum[SW_SC_C_A + ij] * p->d0[j];
            b[i][j] = sum[SW_SC_C_AM + ij];
            bt[i][j] = sum[SW_SC_C_MA + ij];
            mb[i][j] = sum[SW_SC_C_M + ij] + p->m[i][j] - sum[SW_SC_C_MAM + ij];
            for (int k = 0; k < 5; k++) {
                b[i][j] += sum[SW_SC_C_A + 5 * i + k] * p->m[k][j];
                bt[i][j] += p->m[i][k] * sum[SW_SC_C_A + 5 * k + j];
                mb[i][j] -= sum[SW_SC_C_MA + 5 * i + k] * p->m[k][j];
            }
        }
    }
    if (!sw_sc_invert((const double(*)[5])b, p->b_inverse) || !sw_sc_invert((const double(*)[5])bt, inverse))
        return -1;
    sw_sc_apply((const double(*)[5])inverse, v, p->d0);
    sw_sc_multiply((const double(*)[5])mb, (const double(*)[5])p->b_inverse, renewed);
    const double change = sw_sc_change((const double(*)[5])p->m, (const double(*)[5])renewed);
    for (int k = 0; k < 25; k++)
        p->m[k / 5][k % 5] = renewed[k / 5][k % 5];
    return change;
}

/* The medium meets its conditions, and grains are to solve d + M~ s = e = D* + M~ S*: of affine and secant, S* of the mean of the grains and
 * that of the medium are mixed, by a quarter. 0: nothing holds it. */
static inline int sw_sc_mix_targets(sw_sc_medium *p, const sw_sc_rules *rules)
{
    double of_mean[5], of_medium[5], a[5], b[5], s_bar[5];
    const double mix = rules->linearization <= SW_SC_AFFINE ? 0.75 : 0;
    if (!sw_sc_meet(&p->conditions, (const double(*)[5])p->m, p->d0, p->s, &p->pressure, p->d))
        return 0;
    for (int i = 0; i < 5; i++) {
        a[i] = p->mean_s[i] - p->sg0[i];
        b[i] = p->s[i] - p->sg0[i];
    }
    sw_sc_apply((const double(*)[5])p->b_inverse, a, of_mean);
    sw_sc_apply((const double(*)[5])p->b_inverse, b, of_medium);
    for (int i = 0; i < 5; i++) {
        p->s_star[i] = (1 - mix) * of_mean[i] + mix * of_medium[i];
        s_bar[i] = mix * of_mean[i] + (1 - mix) * of_medium[i];
    }
    sw_sc_apply((const double(*)[5])p->m, s_bar, p->d_star);
    for (int i = 0; i < 5; i++)
        p->d_star[i] += p->d0[i];
    for (int f = 0; f < p->phases; f++) {
        sw_sc_apply((const double(*)[5])p->of[f].mt, p->s_star, p->of[f].e);
        for (int i = 0; i < 5; i++)
            p->of[f].e[i] += p->d_star[i];
    }
    return 1;
}

/* ---- The machine ---- */

static inline void sw_sc_to_compatible_inclusion(sw_sc_medium *p)
{
    p->phase = 0;
    p->pass = SW_SC_INCLUSION;
    if (!sw_sc_invert((const double(*)[5])p->m, p->l))
        sw_sc_stop(p, 0);
}

/* Grains are filled. */
static inline void sw_sc_begin_compatible(sw_sc_medium *p)
{
    p->rounds++;
    p->pass = p->recovered ? SW_SC_BEGIN : p->stress_control ? SW_SC_SACHS : SW_SC_TAYLOR;
    if (p->warm && p->pass == SW_SC_TAYLOR)
        sw_sc_to_compatible_inclusion(p);
}

static inline void sw_sc_take_compatible_means(sw_sc_medium *p, const double *sum)
{
    for (int i = 0; i < 5; i++) {
        p->mean_s[i] = sum[SW_SC_C_S + i];
        p->mean_d[i] = sum[SW_SC_C_D + i];
    }
}

/* The first medium: the inverse of the grains' mean stiffness, or that of the step that it recovers. */
static inline void sw_sc_first_compatible_medium(sw_sc_medium *p, const double *sum)
{
    double stiffness[5][5];
    if (!p->recovered) {
        sw_sc_take_compatible_means(p, sum);
        for (int k = 0; k < 25; k++)
            stiffness[k / 5][k % 5] = sum[SW_SC_C_A + k];
        for (int i = 0; i < 5; i++)
            p->d0[i] = sum[SW_SC_C_AD0 + i];
        if (!sw_sc_invert((const double(*)[5])stiffness, p->m)) {
            sw_sc_stop(p, 0);
            return;
        }
    }
    sw_sc_to_compatible_inclusion(p);
}

static inline void sw_sc_take_compatible_inclusion(sw_sc_medium *p, const sw_sc_rules *rules,
                                                   const double *sums)
{
    if (!rules->own_shapes) { /* else each grain has solved its own */
        sw_sc_phase_state *of = &p->of[p->phase];
        for (int k = 0; k < 15; k++)
            of->spin[k / 5][k % 5] = sums[15 + k];
        if (!sw_sc_compatible_interaction((const double(*)[5])p->l, rules, sums, of->mt, of->p_inverse)) {
            sw_sc_stop(p, 0);
            return;
        }
        if (++p->phase < p->phases)
            return;
    }
    p->pass = SW_SC_MODULI;
}

static inline void sw_sc_after_compatible_moduli(sw_sc_medium *p, const sw_sc_rules *rules, const double *sum)
{
    const double change = sw_sc_renew_compatible(p, sum);
    p->inner++;
    p->inner_all++;
    if (!(change >= 0))
        sw_sc_stop(p, 0);
    else if (change > rules->moduli_tolerance && p->inner < rules->inner)
        sw_sc_to_compatible_inclusion(p);
    else if (!sw_sc_mix_targets(p, rules))
        sw_sc_stop(p, 0);
    else {
        p->outer++;
        p->pass = SW_SC_GRAINS;
    }
}

static inline void sw_sc_after_compatible_grains(sw_sc_medium *p, const sw_sc_rules *rules, const double *sum)
{
    sw_sc_take_compatible_means(p, sum);
    p->inner = 0;
    p->error[0] = sqrt(sum[SW_SC_C_CHANGE]) / sw_sc_size(p->s);
    p->error[1] = sw_sc_mismatch(p->s, p->mean_s);
    p->error[2] = sw_sc_mismatch(p->d, p->mean_d);
    if (sw_sc_is_met(p, rules) || p->outer >= rules->outer)
        sw_sc_stop(p, sw_sc_is_met(p, rules));
    else
        sw_sc_to_compatible_inclusion(p);
}

/* Sums of a pass over grains, by phases [phases][stride], or over the directions of a phase -> the next pass. */
static inline void sw_sc_next_compatible(sw_sc_medium *p, const sw_sc_rules *rules, const double *sums,
                                         int stride)
{
    double all[SW_SC_C_SUMS_OF_SHAPES];
    if (p->pass == SW_SC_FILL) {
        sw_sc_begin_compatible(p);
        return;
    }
    if (p->pass == SW_SC_INCLUSION) {
        sw_sc_take_compatible_inclusion(p, rules, sums);
        return;
    }
    sw_sc_gather_compatible(p, rules, sums, stride, all);
    if (p->pass <= SW_SC_SACHS)
        sw_sc_first_compatible_medium(p, all);
    else if (p->pass == SW_SC_MODULI)
        sw_sc_after_compatible_moduli(p, rules, all);
    else
        sw_sc_after_compatible_grains(p, rules, all);
}

#endif
