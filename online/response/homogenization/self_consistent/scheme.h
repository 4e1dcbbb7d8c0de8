/* The fixed point of the self-consistent scheme, as a machine that asks for passes over grains or directions and is told
 * their sums: the same on one thread, on many, in a block of a GPU or on all of it. Lebensohn and Tome 1993, Lebensohn, Tome
 * and Ponte Castaneda 2007; docs/theory.md, section 8g. Vectors of five as in deviator.h, sample frame, Pa and 1/s.
 *
 * Each grain answers with a compliance M and a rate d0 at no stress: d = M s + d0. The medium has M, d0 likewise, and grain and
 * medium differ by d - D = -M~ (s - S), with M~ from the Eshelby problem of the grain's shape (inclusion.h). With U = <A>,
 * A = (M~ + M_g)^-1, what is consistent is M = <M_g B> <B>^-1, B = A (M~ + M). */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SCHEME_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SCHEME_H

#include "conditions.h"
#include "phases.h"
#include "rest.h"

/* ---- The medium ---- */

/* M, d0 by sums over grains that all have one shape: M = 1/U - M~, d0 = A d0 / U. Returns how much M changed. */
SW_HD static inline double sw_sc_renew_plain(sw_sc_medium *p, const double *sum)
{
    double u[5][5], renewed[5][5];
    sw_sc_unpack(sum + SW_SC_U, u);
    if (!sw_sc_invert_definite((const double(*)[5])u, renewed))
        return -1;
    sw_sc_apply((const double(*)[5])renewed, sum + SW_SC_AD0, p->d0);
    for (int k = 0; k < 25; k++)
        renewed[k / 5][k % 5] -= p->of[0].mt[k / 5][k % 5];
    const double change = sw_sc_change((const double(*)[5])p->m, (const double(*)[5])renewed);
    for (int k = 0; k < 25; k++)
        p->m[k / 5][k % 5] = renewed[k / 5][k % 5];
    return change;
}

/* 1/<B>, d0 = <B'>^-1 <B' d0> with B' = (M~ + M) A, and the mean stress that d0 leaves, by sums over grains in the medium M. 0: singular. */
SW_HD static inline int sw_sc_localise_medium(sw_sc_medium *p, const double *sum)
{
    const double *const vsum = sum + SW_SC_V;
    double u[5][5], b[5][5], bt[5][5], inverse[5][5], v[5], ud0[5];
    sw_sc_unpack(sum + SW_SC_U, u);
    for (int i = 0; i < 5; i++) {
        v[i] = sum[SW_SC_MAD0 + i];
        for (int j = 0; j < 5; j++) {
            v[i] += p->m[i][j] * sum[SW_SC_AD0 + j];
            b[i][j] = vsum[5 * i + j];
            bt[i][j] = vsum[5 * j + i];
            for (int k = 0; k < 5; k++) {
                b[i][j] += u[i][k] * p->m[k][j];
                bt[i][j] += p->m[i][k] * u[k][j];
            }
        }
    }
    if (!sw_sc_invert((const double(*)[5])b, p->b_inverse) || !sw_sc_invert((const double(*)[5])bt, inverse))
        return 0;
    sw_sc_apply((const double(*)[5])inverse, v, p->d0);
    sw_sc_apply((const double(*)[5])u, p->d0, ud0);
    for (int i = 0; i < 5; i++)
        p->sg0[i] = ud0[i] - sum[SW_SC_AD0 + i];
    return 1;
}

/* M = <M_g B> <B>^-1 by sums over all grains, with what goes with it. Returns how much it changed; -1: singular. */
SW_HD static inline double sw_sc_renew_medium(sw_sc_medium *p, const double *sum)
{
    const double *const vsum = sum + SW_SC_V;
    double x[5][5], t[5][5], mb[5][5], renewed[5][5];
    if (!sw_sc_localise_medium(p, sum))
        return -1;
    sw_sc_unpack(sum + SW_SC_T, t);
    sw_sc_unpack(sum + SW_SC_X, x);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            mb[i][j] = t[i][j] + sum[SW_SC_WEIGHT] * p->m[i][j] - x[i][j];
            for (int k = 0; k < 5; k++)
                mb[i][j] -= vsum[5 * k + i] * p->m[k][j];
        }
    sw_sc_multiply((const double(*)[5])mb, (const double(*)[5])p->b_inverse, renewed);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++)
            renewed[i][j] = renewed[j][i] = 0.5 * (renewed[i][j] + renewed[j][i]);
    const double change = sw_sc_change((const double(*)[5])p->m, (const double(*)[5])renewed);
    for (int k = 0; k < 25; k++)
        p->m[k / 5][k % 5] = renewed[k / 5][k % 5];
    return sw_sc_localise_medium(p, sum) ? change : -1;
}

/* Newton's step of the means to the conditions, by how they change with each other; no further than power laws stay near their tangents. */
SW_HD static inline int sw_sc_step_targets(sw_sc_medium *p, const sw_sc_rules *rules)
{
    const double(*const m)[5] = (const double(*)[5])p->tangent;
    double d0[5], s[5], d[5], a[5], change = 0, part = 1;
    sw_sc_apply(m, p->mean_s, d0);
    for (int i = 0; i < 5; i++)
        d0[i] = p->at_means[i] - d0[i];
    if (!sw_sc_meet(&p->conditions, m, d0, p->s, &p->pressure, p->d))
        return 0;
    for (int i = 0; i < 5; i++)
        change += (p->s[i] - p->mean_s[i]) * (p->s[i] - p->mean_s[i]);
    change = sqrt(change) * p->exponent / sw_sc_size(p->mean_s);
    if (change > SW_SC_TRUST)
        part = SW_SC_TRUST / change;
    if (p->phases > 1 && p->outer > 8) /* how M~ changes is left out, which may go around in a ring */
        part *= fmax(8.0 / p->outer, 0.25);
    for (int i = 0; i < 5; i++) {
        s[i] = p->mean_s[i] + part * (p->s[i] - p->mean_s[i]);
        d[i] = p->at_means[i] + part * (p->d[i] - p->at_means[i]);
        a[i] = s[i] - p->sg0[i];
        p->s_star[i] = s[i];
        p->d_star[i] = d[i];
    }
    if (sw_sc_is_plain(p, rules))
        return 1;
    sw_sc_apply((const double(*)[5])p->b_inverse, a, p->s_star);
    for (int i = 0; i < 5; i++)
        a[i] = p->s_star[i] - s[i];
    sw_sc_apply((const double(*)[5])p->m, a, p->d_star);
    for (int i = 0; i < 5; i++)
        p->d_star[i] += d[i];
    return 1;
}

/* What grains are to solve: d + M~ s = e = D* + M~ S*. */
SW_HD static inline int sw_sc_set_targets(sw_sc_medium *p, const sw_sc_rules *rules)
{
    if (!sw_sc_step_targets(p, rules))
        return 0;
    for (int f = 0; f < p->phases; f++)
        for (int i = 0; i < 5; i++) {
            p->of[f].e[i] = p->d_star[i];
            for (int k = 0; k < 5; k++)
                p->of[f].e[i] += p->of[f].mt[i][k] * p->s_star[k];
        }
    return 1;
}

/* M~ = neff (1/P - L)^-1 of sums over directions; 1/P too. What P L is of one direction projects, so that of their means 1/P - L is
 * positive definite, however few they are. 0: singular. */
SW_HD static inline int sw_sc_interaction(const double l[5][5], const sw_sc_rules *rules, const double *sum,
                                          double mt[5][5], double p_inverse[5][5])
{
    double p[5][5], x[5][5];
    sw_sc_unpack(sum, p);
    for (int k = 0; k < 25; k++)
        p[k / 5][k % 5] /= sum[30];
    if (!sw_sc_invert_definite((const double(*)[5])p, p_inverse))
        return 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            x[i][j] = p_inverse[i][j] - 0.5 * (l[i][j] + l[j][i]);
    const int found = sw_sc_invert_definite((const double(*)[5])x, mt);
    for (int k = 0; k < 25; k++)
        mt[k / 5][k % 5] *= rules->neff;
    return found;
}

/* R / P. */
SW_HD static inline void sw_sc_spin_of(const double r[15], const double p_inverse[5][5], double spin[3][5])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            spin[i][j] = 0;
            for (int k = 0; k < 5; k++)
                spin[i][j] += r[5 * i + k] * p_inverse[k][j];
        }
}

/* How the medium's stress changes with its rate, Pa s, while grains interact as they do; of a medium in which nothing was found 0. */
SW_HD static inline void sw_sc_stiffness(const sw_sc_medium *p, double l[5][5])
{
    const int found = p->converged && sw_sc_invert((const double(*)[5])p->tangent, l);
    for (int k = 0; k < 25 && !found; k++)
        l[k / 5][k % 5] = 0;
}

/* ---- The machine ---- */

SW_HD static inline void sw_sc_stop(sw_sc_medium *p, int converged)
{
    for (int f = 0; f < p->phases; f++) {
        double r[15];
        for (int k = 0; k < 15; k++)
            r[k] = p->of[f].spin[k / 5][k % 5];
        sw_sc_spin_of(r, (const double(*)[5])p->of[f].p_inverse, p->of[f].spin);
    }
    p->converged = converged;
    p->pass = SW_SC_DONE;
}

/* Something was singular: once more from grains without stresses, of second order also from such that vary less, or no further. */
SW_HD static inline void sw_sc_give_up(sw_sc_medium *p)
{
    if (p->cold && !(p->first_fluctuation > 1e-5)) {
        sw_sc_stop(p, 0);
        return;
    }
    p->first_fluctuation *= p->cold ? 0.1 : 1;
    p->cold = 1;
    p->outer = p->inner = p->relaxed = p->fluctuates = 0;
    p->pass = SW_SC_BEGIN;
}

/* Grains are to be filled, for the rate that d has. */
SW_HD static inline void sw_sc_begin_round(sw_sc_medium *p)
{
    p->outer = p->inner = p->converged = p->relaxed = 0;
    p->size_in = p->size_out = 0;
    p->failed = p->cold = p->grown_at = 0;
    p->rate = sw_sc_size(p->d);
    for (int i = 0; i < 3; i++)
        p->error[i] = 0;
    p->pass = SW_SC_FILL;
}

/* A step begins. conditions, phases, their weights and shapes are set, and d, s first guesses; and by_rate. */
SW_HD static inline void sw_sc_begin(sw_sc_medium *p)
{
    p->inner_all = p->rounds = p->fluctuates = 0;
    p->first_fluctuation = 0;
    sw_sc_begin_round(p);
}

/* They are. */
SW_HD static inline void sw_sc_after_filling(sw_sc_medium *p)
{
    p->rounds++;
    p->pass = SW_SC_BEGIN;
    p->phase = 0;
    if (sw_sc_is_at_rest(p))
        sw_sc_rest(p);
}

/* To the Eshelby problem in the medium as it is now. */
SW_HD static inline void sw_sc_to_inclusion(sw_sc_medium *p)
{
    p->phase = 0;
    p->pass = SW_SC_INCLUSION;
    double m[5][5], l[5][5];
    for (int k = 0; k < 25; k++)
        m[k / 5][k % 5] = p->m[k / 5][k % 5];
    const int found = sw_sc_invert_definite((const double(*)[5])m, l);
    for (int k = 0; k < 25; k++)
        p->l[k / 5][k % 5] = l[k / 5][k % 5];
    if (!found)
        sw_sc_give_up(p);
}

SW_HD static inline void sw_sc_take_means(sw_sc_medium *p, const double *sum)
{
    for (int i = 0; i < 5; i++) {
        p->mean_s[i] = sum[SW_SC_S + i];
        p->mean_d[i] = sum[SW_SC_D + i];
    }
    p->failed = sum[SW_SC_FAILED];
}

/* M for the next iteration of moduli, by what the last ones gained (Anderson; Walker and Ni 2011): of these that sum, of shares 1,
 * whose gain is least. inner: iterations so far with grains as they are. */
SW_HD static inline void sw_sc_extrapolate(sw_sc_medium *p)
{
    const int at = p->inner % (SW_SC_WINDOW + 1), n = p->inner < SW_SC_WINDOW ? p->inner : SW_SC_WINDOW;
    double a[SW_SC_WINDOW][SW_SC_WINDOW], b[SW_SC_WINDOW], share[SW_SC_WINDOW] = {0, 0}, next[5][5],
                                                           inverse[5][5];
    const double *now = p->gain[at];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            p->gain[at][sw_sc_place(i, j)] = p->m[i][j] - p->in[at][sw_sc_place(i, j)];
    for (int i = 0; i < n; i++) {
        const double *gi = p->gain[(at + SW_SC_WINDOW - i) % (SW_SC_WINDOW + 1)];
        b[i] = 0;
        for (int k = 0; k < 15; k++)
            b[i] += (now[k] - gi[k]) * now[k];
        for (int j = 0; j <= i; j++) {
            const double *gj = p->gain[(at + SW_SC_WINDOW - j) % (SW_SC_WINDOW + 1)];
            a[i][j] = 0;
            for (int k = 0; k < 15; k++)
                a[i][j] += (now[k] - gi[k]) * (now[k] - gj[k]);
        }
    }
    if (n > 0)
        share[0] = b[0] / a[0][0];
    if (n > 1) {
        const double det = a[0][0] * a[1][1] * (1 + 1e-10) - a[1][0] * a[1][0];
        share[0] = (b[0] * a[1][1] - b[1] * a[1][0]) / det;
        share[1] = (b[1] * a[0][0] - b[0] * a[1][0]) / det;
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            const int k = sw_sc_place(i, j);
            next[i][j] = p->m[i][j];
            for (int q = 0; q < n; q++) {
                const int then = (at + SW_SC_WINDOW - q) % (SW_SC_WINDOW + 1);
                next[i][j] += share[q] * (p->in[then][k] + p->gain[then][k] - p->m[i][j]);
            }
            next[j][i] = next[i][j];
        }
    if (sw_sc_invert_definite((const double(*)[5])next, inverse))
        for (int k = 0; k < 25; k++)
            p->m[k / 5][k % 5] = next[k / 5][k % 5];
}

/* What an iteration of moduli begins with. */
SW_HD static inline void sw_sc_remember(sw_sc_medium *p)
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            p->in[p->inner % (SW_SC_WINDOW + 1)][sw_sc_place(i, j)] = p->m[i][j];
}

/* A first medium: of isotropic compliance, as soft as the grains' mean stress at D. Stresses of another path are no beginning. */
SW_HD static inline void sw_sc_first_medium(sw_sc_medium *p, const sw_sc_rules *rules, const double *sum)
{
    sw_sc_take_means(p, sum);
    const double size = sw_sc_size(p->mean_s), secant = p->rate / size,
                 n = sw_sc_is_steep(rules) ? p->exponent : 1;
    double along = 0;
    for (int i = 0; i < 5; i++)
        along += p->mean_s[i] * p->d[i];
    if (!p->cold && along < 0.8 * size * p->rate) {
        p->cold = 1;
        return; /* once more, from none */
    }
    p->cold |= sum[SW_SC_CHANGE] > 0.01 * size * size;
    if (p->conditions.spring > 0 && sw_sc_is_inside(p)) {
        p->resting = 1;
        sw_sc_rest(p);
        return;
    }
    for (int i = 0; i < 5; i++) {
        p->sg0[i] = 0;
        p->at_means[i] = p->mean_d[i];
        p->d0[i] = (1 - n) * p->mean_d[i];
        for (int j = 0; j < 5; j++) {
            p->b_inverse[i][j] = i == j;
            p->m[i][j] = p->went_in[i][j] = i == j ? n * secant : 0;
            p->tangent[i][j] = i == j ? p->exponent * secant : 0;
        }
    }
    sw_sc_remember(p);
    sw_sc_to_inclusion(p);
}

/* The moduli are consistent, or enough was tried: what the medium does, and what grains are to do. */
SW_HD static inline void sw_sc_to_grains(sw_sc_medium *p, const sw_sc_rules *rules)
{
    for (int k = 0; k < 25; k++)
        p->went_in[k / 5][k % 5] = p->m[k / 5][k % 5];
    p->relaxed = 0;
    if (!sw_sc_set_targets(p, rules)) {
        sw_sc_give_up(p);
        return;
    }
    p->outer++;
    p->pass = SW_SC_GRAINS;
}

SW_HD static inline int sw_sc_is_met(const sw_sc_medium *p, const sw_sc_rules *rules)
{
    return p->error[0] <= rules->stress_tolerance && p->error[1] <= rules->stress_tolerance &&
           p->error[2] <= rules->rate_tolerance;
}

SW_HD static inline double sw_sc_log_size(const double m[5][5])
{
    return log(m[0][0] + m[1][1] + m[2][2] + m[3][3] + m[4][4]);
}

/* Crystals that are alike, or few systems, leave directions without compliance, and stresses there open: a little of it. */
SW_HD static inline void sw_sc_floor(double m[5][5])
{
    const double least = 1e-7 * (m[0][0] + m[1][1] + m[2][2] + m[3][3] + m[4][4]);
    for (int i = 0; i < 5; i++)
        m[i][i] += least;
}

/* M is about n |D| / |S|, or that over n of what is secant. Grains whose path changes may say what is much less, or more, and the way
 * back is long: by so much it may be off. */
SW_HD static inline void sw_sc_keep_size(sw_sc_medium *p, const sw_sc_rules *rules)
{
    const double n = sw_sc_is_steep(rules) ? p->exponent : 1,
                 rate = p->conditions.spring > 0 ? sw_sc_size(p->mean_d) : p->rate,
                 off = sw_sc_log_size((const double(*)[5])p->m) - log(n * rate / sw_sc_size(p->mean_s)),
                 least = rules->linearization == SW_SC_SECOND_ORDER ? -12 : -5,
                 most = rules->linearization == SW_SC_SECOND_ORDER ? 12 : 3,
                 factor = off < least  ? exp(least - off)
                          : off > most ? exp(most - off)
                                       : 1;
    p->held = factor != 1;
    for (int k = 0; k < 25 && factor != 1; k++)
        p->m[k / 5][k % 5] *= factor;
    sw_sc_floor(p->m);
}

/* Whether moduli have gone far from those that grains were last solved in. Of grains with few systems at work, frozen as they
 * are, none may be consistent but 0. */
SW_HD static inline int sw_sc_strays(const sw_sc_medium *p)
{
    return fabs(sw_sc_log_size((const double(*)[5])p->m) - sw_sc_log_size((const double(*)[5])p->went_in)) >
           3;
}

/* Tangents of steep power laws answer a softer medium by a stiffer one: of M as it went into the grains and as it came out, some of
 * both, by the secant of their sizes in two iterations; and ever less of what came out where that goes around in a ring. */
SW_HD static inline double sw_sc_part(sw_sc_medium *p, const sw_sc_rules *rules, double in, double out)
{
    const double moved = in - p->size_in;
    if (p->outer == 1)
        p->slope = rules->linearization == SW_SC_AFFINE         ? -1
                   : rules->linearization == SW_SC_SECOND_ORDER ? -2
                                                                : 0;
    else if (fabs(moved) > 0.02 && rules->linearization == SW_SC_AFFINE)
        p->slope = (out - p->size_out) / moved;
    p->slope = p->slope > 0 ? 0 : p->slope < -9 ? -9 : p->slope;
    p->size_in = in;
    p->size_out = out;
    return (p->outer > 30 ? fmax(30.0 / p->outer, 0.1) : 1) / (1 - p->slope);
}

/* Whether M became another than it came out. */
SW_HD static inline int sw_sc_relax(sw_sc_medium *p, const sw_sc_rules *rules)
{
    const double in = sw_sc_log_size((const double(*)[5])p->went_in),
                 out = sw_sc_log_size((const double(*)[5])p->m), part = sw_sc_part(p, rules, in, out),
                 size = exp(in + part * (out - in)), over_in = exp(-in), over_out = exp(-out);
    for (int i = 0; i < 5 && part < 1; i++)
        for (int j = 0; j < 5; j++)
            p->m[i][j] = size * ((1 - part) * over_in * p->went_in[i][j] + part * over_out * p->m[i][j]);
    return part < 1;
}

/* How <s> and <d> of the grains change with each other while M~ stays: the medium that they make by their tangents. */
SW_HD static inline int sw_sc_take_tangent(sw_sc_medium *p, const sw_sc_rules *rules, const double *all)
{
    double u[5][5], inverse[5][5];
    const int affine = rules->linearization == SW_SC_AFFINE;
    const int several = p->phases > 1 && !rules->own_shapes;
    sw_sc_unpack(all + (affine ? SW_SC_U : SW_SC_UT), u);
    if ((!affine || several) && !sw_sc_invert_definite((const double(*)[5])u, inverse))
        return 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double mt = 0;
            for (int f = 0; f < p->phases; f++)
                mt += rules->own_shapes ? all[SW_SC_T + sw_sc_place(i, j)] / p->phases
                                        : p->of[f].share * p->of[f].mt[i][j];
            p->tangent[i][j] = affine ? p->m[i][j] : inverse[i][j] - mt;
        }
    for (int i = 0; i < 5; i++)
        p->at_means[i] = p->mean_d[i];
    if (several && !sw_sc_take_tangent_of_phases(p, (const double(*)[5])inverse))
        return 0;
    sw_sc_floor(p->tangent);
    return 1;
}

/* The Eshelby problem is solved: the moduli by it, or the grains at once where enough was tried. */
SW_HD static inline void sw_sc_after_inclusion(sw_sc_medium *p, const sw_sc_rules *rules)
{
    if (!p->relaxed && !(p->cold && p->outer == 0))
        p->pass = SW_SC_MODULI;
    else
        sw_sc_to_grains(p, rules);
}

SW_HD static inline void sw_sc_take_inclusion(sw_sc_medium *p, const sw_sc_rules *rules, const double *sums)
{
    if (!rules->own_shapes) { /* else each grain has solved its own */
        sw_sc_phase_state *of = &p->of[p->phase];
        for (int k = 0; k < 15; k++)
            of->spin[k / 5][k % 5] = sums[15 + k] / sums[30];
        if (!sw_sc_interaction((const double(*)[5])p->l, rules, sums, of->mt, of->p_inverse)) {
            sw_sc_give_up(p);
            return;
        }
        if (++p->phase < p->phases)
            return;
    }
    sw_sc_after_inclusion(p, rules);
}

SW_HD static inline void sw_sc_take_errors(sw_sc_medium *p, const double *all)
{
    sw_sc_take_means(p, all);
    p->error[0] = sqrt(all[SW_SC_CHANGE]) / sw_sc_size(p->s);
    p->error[1] = sw_sc_mismatch(p->s, p->mean_s);
    p->error[2] = sw_sc_mismatch(p->d, p->mean_d);
}

/* Of a stress that is held, once its tolerance is met: by the means that were found, which takes no pass. What an answer is off by, which
 * is another at every rate, then is of second order, and small beside what Newton's method of a body's elements looks for. */
SW_HD static inline void sw_sc_refine(sw_sc_medium *p)
{
    double d0[5];
    if (!(p->conditions.spring > 0) || p->phases > 1)
        return;
    sw_sc_apply((const double(*)[5])p->tangent, p->mean_s, d0);
    for (int i = 0; i < 5; i++)
        d0[i] = p->mean_d[i] - d0[i];
    sw_sc_meet(&p->conditions, (const double(*)[5])p->tangent, d0, p->s, &p->pressure, p->d);
}

/* Whether what the stress becomes as the step ends is to be found out: once rates are about right, and where all else is met. */
SW_HD static inline int sw_sc_wants_growth(const sw_sc_medium *p, const sw_sc_rules *rules)
{
    return p->conditions.spring > 0 && p->grown_at != p->outer &&
           ((p->grown_at == 0 && p->error[2] <= 0.1) || sw_sc_is_met(p, rules));
}

/* It has been, or was not asked for. Returns whether it was known so far. */
SW_HD static inline int sw_sc_takes_growth(sw_sc_medium *p, const sw_sc_rules *rules)
{
    if (!(p->conditions.spring > 0) || p->grown_at != p->outer)
        return 1;
    const double off = fabs(p->growth / p->conditions.grown - 1);
    p->conditions.grown = p->growth;
    return off <= rules->stress_tolerance;
}

/* Grains have their stresses: whether that is all, at least of a round. Returns whether it is. */
SW_HD static inline int sw_sc_judge(sw_sc_medium *p, const sw_sc_rules *rules)
{
    p->inner = 0;
    const double off = p->by_rate ? fabs(sw_sc_size(p->d) / p->rate - 1) : 0,
                 error = fmax(p->error[0], fmax(p->error[1], p->error[2]));
    const int met = sw_sc_takes_growth(p, rules) && sw_sc_is_met(p, rules) && !(p->failed > 0) &&
                    !(p->held && rules->linearization == SW_SC_SECOND_ORDER);
    if (p->conditions.spring > 0 &&
        sw_sc_size(p->mean_d) < SW_SC_LEAST_RATE * sw_sc_size(p->conditions.base)) {
        p->resting = 1;
        sw_sc_rest(p);
    } else if (off > rules->rate_tolerance && (met || error <= 0.1 * fmin(off, 1.0)) &&
               p->rounds < SW_SC_ROUNDS)
        sw_sc_begin_round(p); /* from the stresses that were found so far */
    else if (met || p->outer >= rules->outer) {
        if (met)
            sw_sc_refine(p);
        sw_sc_stop(p, met && off <= rules->rate_tolerance);
    } else
        return 0;
    return 1;
}

/* Sums of the phases [phases][stride] -> of the polycrystal, over its weight. */
SW_HD static inline void sw_sc_gather(sw_sc_medium *p, const sw_sc_rules *rules, const double *sums,
                                      int stride, double all[SW_SC_SUMS_OF_SHAPES])
{
    if (sw_sc_is_plain(p, rules)) {
        const double over = 1 / sums[SW_SC_WEIGHT];
        p->of[0].share = 1;
        for (int k = 0; k < SW_SC_SUMS; k++)
            all[k] = sums[k] * (k == SW_SC_FAILED ? 1 : over);
        sw_sc_take_means_of(p, all, &p->of[0]);
        return;
    }
    for (int k = 0; k < SW_SC_SUMS_OF_SHAPES; k++)
        all[k] = 0;
    for (int k = 0; k < 25; k++)
        p->vt[k / 5][k % 5] = 0;
    for (int f = 0; f < p->phases; f++) {
        double of[SW_SC_SUMS_OF_SHAPES];
        for (int k = 0; k < SW_SC_SUMS_OF_SHAPES; k++)
            of[k] = k < SW_SC_SUMS || rules->own_shapes ? sums[f * stride + k] : 0;
        if (!rules->own_shapes)
            sw_sc_complete(&p->of[f], of);
        for (int k = 0; k < SW_SC_SUMS_OF_SHAPES; k++)
            all[k] += of[k];
        sw_sc_take_means_of(p, of, &p->of[f]);
        double ut[5][5], v[5][5];
        sw_sc_unpack(of + (rules->linearization == SW_SC_AFFINE ? SW_SC_U : SW_SC_UT), ut);
        sw_sc_multiply((const double(*)[5])ut, (const double(*)[5])p->of[f].mt, v);
        for (int k = 0; k < 25; k++)
            p->vt[k / 5][k % 5] += v[k / 5][k % 5];
    }
    const double over = 1 / all[SW_SC_WEIGHT];
    for (int f = 0; f < p->phases; f++)
        p->of[f].share = sums[f * stride + SW_SC_WEIGHT] * over;
    for (int k = 0; k < SW_SC_SUMS_OF_SHAPES; k++)
        all[k] *= k == SW_SC_FAILED ? 1 : over;
    for (int k = 0; k < 25; k++)
        p->vt[k / 5][k % 5] *= over;
}

/* Sums of a pass over grains, by phases [phases][stride], or over the directions of a phase -> the next pass. */
SW_HD static inline void sw_sc_next(sw_sc_medium *p, const sw_sc_rules *rules, const double *sums, int stride)
{
    double all[SW_SC_SUMS_OF_SHAPES];
    if (p->pass == SW_SC_FILL) {
        sw_sc_after_filling(p);
        return;
    }
    if (p->pass == SW_SC_INCLUSION) {
        sw_sc_take_inclusion(p, rules, sums);
        return;
    }
    if (sw_sc_is_at_rest(p)) {
        sw_sc_hold(p);
        sw_sc_stop(p, 1);
        return;
    }
    sw_sc_gather(p, rules, sums, stride, all);
    if (p->pass <= SW_SC_SACHS) {
        sw_sc_first_medium(p, rules, all);
        return;
    }
    const int of_grains = p->pass >= SW_SC_GRAINS;
    if (of_grains)
        sw_sc_take_errors(p, all);
    if (p->pass == SW_SC_GRAINS && sw_sc_wants_growth(p, rules)) {
        p->pass = SW_SC_GROWTH;
        return;
    }
    if (p->pass == SW_SC_GROWTH)
        p->grown_at = p->outer;
    if (of_grains && sw_sc_judge(p, rules))
        return;
    const int plain = sw_sc_is_plain(p, rules);
    const double change = plain ? sw_sc_renew_plain(p, all) : sw_sc_renew_medium(p, all),
                 enough = fmax(SW_SC_NEAR * p->error[0], rules->moduli_tolerance);
    if (!(change >= 0)) {
        sw_sc_give_up(p);
        return;
    }
    sw_sc_keep_size(p, rules);
    if (of_grains && !sw_sc_take_tangent(p, rules, all)) {
        sw_sc_give_up(p);
        return;
    }
    if (!of_grains && change > enough)
        sw_sc_extrapolate(p);
    p->inner += !of_grains;
    p->inner_all += !of_grains;
    if (of_grains || (change > enough && p->inner < (p->outer == 0 ? rules->inner_first : rules->inner) &&
                      !sw_sc_strays(p))) {
        sw_sc_remember(p);
        sw_sc_to_inclusion(p);
    } else if (p->outer > 0 && sw_sc_relax(p, rules)) {
        p->relaxed = 1;
        sw_sc_to_inclusion(p);
    } else
        sw_sc_to_grains(p, rules);
}

#endif
