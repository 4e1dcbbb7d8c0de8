/* The slip law of a grain, and Newton's method for the stress that it has in a medium: d(s) + M~ s = e. Crystal frame, on sw_real in
 * double precision: one grain, or a bundle. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_NEWTON_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_NEWTON_H

#include "common/crystal/laws.h"
#include "self_consistent.h"

/* A crystal's slip systems and what resists them, ready for use. S systems; G resistances: 1, of all, or the law's groups. */
struct sw_sc_slip {
    int systems, two_way;
    double m[SW_SLIP_SYSTEMS_MAX][5]; /* [S] symmetric Schmid tensors, crystal frame */
    double w[SW_SLIP_SYSTEMS_MAX][3]; /* [S] skew ones, 12 13 23 */
    double exponent;                  /* n = 1/m; a whole number is raised to by products */
    int whole;                        /* n, or 0 */
    double rate;                      /* reference, 1/s */
    int rate_of_step;                 /* it is |D| of each step instead */
    int own;                          /* families with resistances of their own: law; else hardening */
    sw_hardening hardening;
    sw_slip_law law; /* the last: most of the bytes, which crystals of one resistance leave out */
};

/* Whether what resists depends on |D|. */
SW_HD static inline int sw_sc_goes_by_rate(const sw_sc_slip *slip)
{
    return slip->rate_of_step || (slip->own && sw_slip_law_is_structured(&slip->law));
}

/* |x|^(n - 1). */
SW_HD static inline sw_real sw_sc_power(const sw_sc_slip *slip, sw_real x)
{
    x = sw_abs(x);
    if (slip->whole == 0)
        return sw_power(sw_max(x, sw_broadcast(1e-30)), slip->exponent - 1);
    sw_real power = sw_broadcast(1.0);
    for (int n = slip->whole - 1; n > 0; n >>= 1) {
        if (n & 1)
            power *= x;
        x *= x;
    }
    return power;
}

/* tau over resistance; a twin has none the other way. over [G]: 1 over resistances. */
SW_HD static inline sw_real sw_sc_ratio(const sw_sc_slip *slip, const sw_real *over, int a,
                                        const sw_real s[5])
{
    const double *const m = slip->m[a];
    sw_real x = (m[0] * s[0] + m[1] * s[1] + m[2] * s[2] + m[3] * s[3] + m[4] * s[4]) *
                over[slip->own ? slip->law.group[a] : 0];
    return a < slip->two_way ? x : sw_max(x, sw_broadcast(0.0));
}

/* The largest of them. */
SW_HD static inline sw_real sw_sc_most(const sw_sc_slip *slip, const sw_real *over, const sw_real s[5])
{
    sw_real most = sw_broadcast(0.0);
    for (int a = 0; a < slip->systems; a++)
        most = sw_max(most, sw_abs(sw_sc_ratio(slip, over, a, s)));
    return most;
}

/* Strain rate d and its derivative j [15] at stress s, crystal frame; most: as sw_sc_most. */
SW_HD static inline void sw_sc_flow(const sw_sc_slip *slip, const sw_real *over, const sw_real s[5],
                                    sw_real d[5], sw_real j[15], sw_real *most)
{
    *most = sw_broadcast(0.0);
    SW_UNROLL
    for (int k = 0; k < 5; k++)
        d[k] = sw_broadcast(0.0);
    SW_UNROLL
    for (int k = 0; k < 15; k++)
        j[k] = sw_broadcast(0.0);
    SW_ROLLED
    for (int a = 0; a < slip->systems; a++) {
        const double *const m = slip->m[a];
        const sw_real x = sw_sc_ratio(slip, over, a, s), secant = slip->rate * sw_sc_power(slip, x),
                      slope = slip->exponent * secant * over[slip->own ? slip->law.group[a] : 0];
        *most = sw_max(*most, sw_abs(x));
        SW_UNROLL
        for (int p = 0; p < 5; p++) {
            d[p] += m[p] * (secant * x);
            const sw_real along = m[p] * slope;
            SW_UNROLL
            for (int q = 0; q <= p; q++)
                j[sw_sc_place(p, q)] += m[q] * along;
        }
    }
}

/* (mt + j) x = b, lower triangles. */
SW_HD static inline void sw_sc_solve_packed(const sw_real mt[15], const sw_real j[15], const sw_real b[5],
                                            sw_real x[5])
{
    sw_real a[5][5];
    SW_UNROLL
    for (int p = 0; p < 5; p++) {
        SW_UNROLL
        for (int q = 0; q <= p; q++)
            a[p][q] = mt[sw_sc_place(p, q)] + j[sw_sc_place(p, q)];
    }
    sw_solve_spd5(a, b, x);
}

/* The inverse of (mt + m), all lower triangles. */
SW_HD static inline void sw_sc_localise(const sw_real *mt, const sw_real *m, sw_real inverse[15])
{
    sw_real a[5][5], pivot[5];
    SW_UNROLL
    for (int p = 0; p < 5; p++) {
        SW_UNROLL
        for (int q = 0; q <= p; q++)
            a[p][q] = mt[sw_sc_place(p, q)] + m[sw_sc_place(p, q)];
    }
    sw_factor_spd5(a, pivot);
    SW_UNROLL
    for (int c = 0; c < 5; c++) {
        sw_real one[5], x[5];
        SW_UNROLL
        for (int p = 0; p < 5; p++)
            one[p] = sw_broadcast(p == c);
        sw_solve_factored5((const sw_real(*)[5])a, pivot, one, x);
        SW_UNROLL
        for (int p = c; p < 5; p++)
            inverse[sw_sc_place(p, c)] = x[p];
    }
}

SW_HD static inline sw_real sw_sc_dot(const sw_real a[5], const sw_real b[5])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4];
}

/* a x of a lower triangle. */
SW_HD static inline void sw_sc_apply_packed(const sw_real a[15], const sw_real x[5], sw_real y[5])
{
    SW_UNROLL
    for (int p = 0; p < 5; p++) {
        y[p] = sw_broadcast(0.0);
        SW_UNROLL
        for (int q = 0; q < 5; q++)
            y[p] += a[sw_sc_place(p, q)] * x[q];
    }
}

/* Whether a system at x slips a thousand times as fast as e, of this size, is: much more than e dissipates. */
SW_HD static inline sw_mask sw_sc_is_beyond(const sw_sc_slip *slip, sw_real size, sw_real x)
{
    return SW_LESS(1e3 * size, slip->rate * sw_sc_power(slip, x) * x);
}

/* The x where it does: the largest that Newton's method goes to. */
SW_HD static inline sw_real sw_sc_reach(const sw_sc_slip *slip, sw_real size)
{
    return sw_power(sw_max(size * (1e3 / slip->rate), sw_broadcast(1e-30)), 1 / slip->exponent);
}

/* How much of `step` from s takes no system beyond `most`, which all are below. */
SW_HD static inline sw_real sw_sc_bound(const sw_sc_slip *slip, const sw_real *over, const sw_real s[5],
                                        const sw_real step[5], sw_real most)
{
    sw_real bound = sw_broadcast(1.0);
    SW_ROLLED
    for (int a = 0; a < slip->systems; a++) {
        const double *const m = slip->m[a];
        const sw_real x = sw_sc_ratio(slip, over, a, s),
                      y = (m[0] * step[0] + m[1] * step[1] + m[2] * step[2] + m[3] * step[3] +
                           m[4] * step[4]) *
                          over[slip->own ? slip->law.group[a] : 0];
        const sw_mask back = SW_LESS(y, sw_broadcast(0.0)), blind = a < slip->two_way ? sw_if(0) : back;
        bound = sw_choose(blind, bound,
                          sw_min(bound, sw_choose(back, most + x, most - x) / (sw_abs(y) + 1e-300)));
    }
    return bound;
}

/* s such that d(s) + M~ s = e, from s; crystal frame. mt: M~ [15]; d, j: the flow there and its derivative. By Newton's method, whose first
 * step is known (used up; 0: none) with slope, how e - d - M~ s goes along it; bounded so that no system goes beyond reach, and drawn
 * back along its way where the potential, which is convex, has risen. Returns lanes that have an answer. */
SW_HD static inline sw_mask sw_sc_newton(const sw_sc_slip *slip, const sw_sc_rules *rules,
                                         const sw_real *over, const sw_real mt[15], const sw_real e[5],
                                         sw_real step[5], sw_real slope, sw_real s[5], sw_real d[5],
                                         sw_real j[15])
{
    const sw_real size = sw_sqrt(sw_sc_dot(e, e)), allowed = rules->newton_tolerance * size;
    sw_real most = sw_sc_most(slip, over, s), ahead;
    sw_mask running = sw_if(1), onwards = running;
    const sw_mask beyond = sw_sc_is_beyond(slip, size, most);
    if (sw_any(beyond)) {
        const sw_real scale = sw_choose(beyond, sw_sc_reach(slip, size) / most, sw_broadcast(1.0));
        most *= scale;
        slope = sw_choose(beyond, sw_broadcast(0.0), slope);
        SW_UNROLL
        for (int k = 0; k < 5; k++) {
            s[k] *= scale;
            step[k] = sw_choose(beyond, sw_broadcast(0.0), step[k]);
        }
    }
    for (int i = 0;; i++) {
        sw_real f[5], ms[5], next[5];
        SW_UNROLL
        for (int k = 0; k < 5; k++)
            next[k] = s[k] + step[k];
        sw_sc_flow(slip, over, next, d, j, &ahead);
        const sw_mask too_far = onwards & SW_LESS(1.02 * most, ahead) & sw_sc_is_beyond(slip, size, ahead);
        if (sw_any(too_far)) {
            const sw_real bound = sw_choose(
                too_far, sw_sc_bound(slip, over, s, step, sw_max(sw_sc_reach(slip, size), 1.02 * most)),
                sw_broadcast(1.0));
            slope *= bound;
            SW_UNROLL
            for (int k = 0; k < 5; k++) {
                step[k] *= bound;
                next[k] = s[k] + step[k];
            }
            sw_sc_flow(slip, over, next, d, j, &ahead);
        }
        sw_sc_apply_packed(mt, next, ms);
        SW_UNROLL
        for (int k = 0; k < 5; k++)
            f[k] = e[k] - d[k] - ms[k];
        running = running & ~SW_LESS(sw_sqrt(sw_sc_dot(f, f)), allowed);
        if (!sw_any(running) || i == 200) {
            SW_UNROLL
            for (int k = 0; k < 5; k++)
                s[k] = next[k];
            return ~running;
        }
        /* along its way the potential first falls by `slope`; where it rises by as much it has gone too far */
        const sw_mask back = running & SW_LESS(sw_sc_dot(f, step), -0.5 * slope);
        sw_sc_solve_packed(mt, j, f, ms);
        onwards = running & ~back;
        most = ahead;
        slope = sw_choose(back, slope, sw_sc_dot(f, ms));
        SW_UNROLL
        for (int k = 0; k < 5; k++) {
            s[k] = sw_choose(back, s[k], next[k]);
            step[k] = sw_choose(back, 0.4 * step[k], sw_choose(running, ms[k], sw_broadcast(0.0)));
        }
    }
}

#endif
