/* Second-order moduli: a grain's stress varies within it, and its linear law is to agree with the slip law at the mean and a standard
 * deviation off (Ponte Castaneda 2002; Liu and Ponte Castaneda 2004; Lebensohn, Tome and Ponte Castaneda 2007).
 *
 * With one M~ for all grains their stresses make W = < s M_g s / 2 + s d0_g + (s - S) M~ (s - S) / 2 > least among those of mean S, and
 * W is the medium's potential. So moments follow from how W changes with M_g, < s s > c_g = 2 dW / dM_g, and where it is least only
 * M_g itself and M~ count:
 *     C_g = Q : dM~ / dM_g / c_g,   Q = < (s - S) (s - S) > between grains.
 * M~ is a function of M, and M of M~ and all M_g. That chain, gone backwards from Q, needs one system of 15 for all grains,
 *     Y = K' (Q + < A G Y G A > - Y),   C_g = A G Y G A,   G = 1 / < A >,   K = dM~ / dM,
 * so that all moments cost two passes: N, where the derivative by each M_g, forwards, costs N^2. docs/theory.md, section 8g. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SECOND_ORDER_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_SECOND_ORDER_H

#include "inclusion.h"
#include "newton.h"

/* Sums of the two passes: products of a symmetric tensor's numbers, of directions c N c', of grains A; and of the latter more. */
enum {
    SW_SC_PRODUCTS = 120,
    SW_SC_SS = SW_SC_PRODUCTS, /* [15] s s */
    SW_SC_SM = SW_SC_SS + 15,  /* [5] s */
    SW_SC_AM = SW_SC_SM + 5,   /* [15] A */
    SW_SC_WM = SW_SC_AM + 15,  /* weight */
    SW_SC_MOMENT_SUMS
};

/* Of stresses of which nothing is known yet: C over |s|^2, along each of five; a tenth where nothing comes of that, as of two grains of copper, whose
 * moduli then differ by more digits than there are. Of what is found in each iteration as much is taken; and
 * steps of a grain's own C, to its moduli, in each. */
#define SW_SC_FIRST_FLUCTUATION 0.03
#define SW_SC_FLUCTUATION_PART 0.4
enum { SW_SC_SETTLE = 12 };
/* Grains whose stresses are so much alike: of their variation over the square of the mean. */
#define SW_SC_ALIKE 1e-6

SW_HD static inline int sw_sc_product(int p, int q)
{
    return p >= q ? p * (p + 1) / 2 + q : q * (q + 1) / 2 + p;
}

SW_HD static inline void sw_sc_add_products(const sw_real a[15], sw_real weight, sw_real *sum)
{
    for (int p = 0; p < 15; p++) {
        const sw_real by = weight * a[p];
        for (int q = 0; q <= p; q++)
            sum[sw_sc_product(p, q)] += by * a[q];
    }
}

/* Of direction alpha, share: c N c' by the inclusion's own sums. */
SW_HD static inline void sw_sc_add_direction_products(const double l[5][5], const sw_real alpha[3],
                                                      sw_real share, sw_real *sum)
{
    sw_real one[SW_SC_INCLUSION_SUMS];
    for (int k = 0; k < SW_SC_INCLUSION_SUMS; k++)
        one[k] = sw_broadcast(0.0);
    sw_sc_add_direction(l, alpha, sw_broadcast(1.0), one);
    sw_sc_add_products(one, share, sum);
    sum[SW_SC_WM] += share;
}

/* Of a grain, at its moduli and stress. */
SW_HD static inline void sw_sc_add_grain_products(const sw_real mt[15], const sw_real m[15],
                                                  const sw_real s[5], sw_real weight, sw_real *sum)
{
    sw_real a[15];
    sw_sc_localise(mt, m, a);
    sw_sc_add_products(a, weight, sum);
    for (int k = 0; k < 15; k++)
        sum[SW_SC_AM + k] += weight * a[k];
    for (int i = 0; i < 5; i++) {
        const sw_real by = weight * s[i];
        sum[SW_SC_SM + i] += by;
        for (int j = 0; j <= i; j++)
            sum[SW_SC_SS + sw_sc_place(i, j)] += by * s[j];
    }
    sum[SW_SC_WM] += weight;
}

/* < a x a > by products of a, symmetric x. */
SW_HD static inline void sw_sc_between(const double *products, const double x[5][5], double y[5][5])
{
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            y[i][j] = 0;
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 5; q++)
                    y[i][j] += products[sw_sc_product(sw_sc_place(i, p), sw_sc_place(j, q))] * x[p][q];
            y[j][i] = y[i][j];
        }
}

/* a x a, both symmetric. */
SW_HD static inline void sw_sc_around(const double a[5][5], const double x[5][5], double y[5][5])
{
    double ax[5][5];
    sw_sc_multiply(a, x, ax);
    sw_sc_multiply((const double(*)[5])ax, a, y);
}

/* K' x, how M~ : x changes with M: M~ = 1/(1/P - L), P = < c N c' > and dP = - < c N c' dL c N c' >, L = 1/M. */
SW_HD static inline void sw_sc_back_to_medium(const sw_sc_medium *p, const double *directions,
                                              const double x[5][5], double y[5][5])
{
    const sw_sc_phase_state *const of = &p->of[0];
    double r[5][5], q[5][5];
    sw_sc_around(of->mt, x, r);
    sw_sc_around(of->p_inverse, (const double(*)[5])r, y);
    sw_sc_between(directions, (const double(*)[5])y, q);
    for (int k = 0; k < 25; k++)
        q[k / 5][k % 5] -= r[k / 5][k % 5];
    sw_sc_around((const double(*)[5])p->l, (const double(*)[5])q, y);
}

/* What is left where y is put in for Y: y + K' (y - < A G y G A >). */
SW_HD static inline void sw_sc_moment_residual(const sw_sc_medium *p, const double *directions,
                                               const double *grains, const double g[5][5],
                                               const double y[5][5], double left[5][5])
{
    double gyg[5][5], x[5][5];
    sw_sc_around(g, y, gyg);
    sw_sc_between(grains, (const double(*)[5])gyg, x);
    for (int k = 0; k < 25; k++)
        x[k / 5][k % 5] = y[k / 5][k % 5] - x[k / 5][k % 5];
    sw_sc_back_to_medium(p, directions, (const double(*)[5])x, left);
    for (int k = 0; k < 25; k++)
        left[k / 5][k % 5] += y[k / 5][k % 5];
}

/* Grains are to be solved, in moduli that are worth it: not those of a first guess. */
SW_HD static inline int sw_sc_wants_moments(const sw_sc_medium *p)
{
    return p->pass == SW_SC_GRAINS && !(p->cold && p->outer <= 1);
}

/* Y by its 15 equations. q: Q. 0: singular. */
SW_HD static inline int sw_sc_solve_moments(const sw_sc_medium *p, const double *directions,
                                            const double *grains, const double g[5][5], const double q[5][5],
                                            double y[5][5])
{
    double a[225], b[15], left[5][5];
    sw_sc_back_to_medium(p, directions, q, left);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            b[sw_sc_place(i, j)] = left[i][j];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < 25; k++)
                y[k / 5][k % 5] = 0;
            y[i][j] = y[j][i] = 1;
            sw_sc_moment_residual(p, directions, grains, g, (const double(*)[5])y, left);
            for (int r = 0; r < 5; r++)
                for (int c = 0; c <= r; c++)
                    a[sw_sc_place(r, c) * 15 + sw_sc_place(i, j)] = left[r][c];
        }
    if (!sw_solve_by_elimination(15, 15, a, b, b))
        return 0;
    sw_sc_unpack(b, y);
    return 1;
}

/* By how much stresses vary over the square of their mean, of y = G Y G. */
SW_HD static inline double sw_sc_moment_size(const double *grains, const double y[5][5])
{
    double c[5][5], size = 0, square = 0;
    sw_sc_between(grains, y, c);
    for (int i = 0; i < 5; i++) {
        size += c[i][i];
        square += grains[SW_SC_SM + i] * grains[SW_SC_SM + i];
    }
    return size / square;
}

/* Before any are known: those of an isotropic y, which is the first guess. */
SW_HD static inline void sw_sc_begin_moments(sw_sc_medium *p, const double *grains)
{
    double one[5][5];
    for (int k = 0; k < 25; k++)
        one[k / 5][k % 5] = k % 6 == 0;
    p->fluctuates = 1;
    p->fluctuation_size = 5 * p->first_fluctuation;
    const double y = p->fluctuation_size / sw_sc_moment_size(grains, (const double(*)[5])one);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            p->fluctuation[sw_sc_place(i, j)] = i == j ? y : 0;
}

/* Towards G Y G, found, of which a part is taken. Moduli that are not consistent yet may say of stresses that they vary by anything, or
 * less than nothing: they vary from half as much as the last time to twice as much. */
SW_HD static inline void sw_sc_take_moments(sw_sc_medium *p, const double *grains, const double found[5][5])
{
    const double size = sw_sc_moment_size(grains, found),
                 late = p->outer > 30 ? fmax(30.0 / p->outer, 0.25) : 1, /* where it goes around in a ring */
        part = p->fluctuates ? SW_SC_FLUCTUATION_PART * late : 1;
    if (!p->fluctuates) {
        sw_sc_begin_moments(p, grains);
        if (!(size > 0))
            return;
    }
    const double bounded = fmin(fmax(size, p->fluctuation_size / 2), p->fluctuation_size * 2);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            double *const y = &p->fluctuation[sw_sc_place(i, j)];
            *y += part * ((size > 0 ? found[i][j] * bounded / size : *y / 2) - *y);
        }
    p->fluctuation_size = bounded;
}

/* p->fluctuation, by sums over directions, and over grains, used up. Where nothing is found it stays what it was. */
SW_HD static inline void sw_sc_find_moments(sw_sc_medium *p, double *directions, double *grains)
{
    double y[5][5], gyg[5][5], q[5][5], u[5][5], g[5][5], between = 0, of_mean = 0;
    for (int k = 0; k < SW_SC_PRODUCTS; k++)
        directions[k] /= directions[SW_SC_WM];
    for (int k = 0; k < SW_SC_WM; k++)
        grains[k] /= grains[SW_SC_WM];
    sw_sc_unpack(grains + SW_SC_AM, u);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            q[i][j] = grains[SW_SC_SS + sw_sc_place(i, j)] - grains[SW_SC_SM + i] * grains[SW_SC_SM + j];
    for (int i = 0; i < 5; i++) {
        between += q[i][i];
        of_mean += grains[SW_SC_SM + i] * grains[SW_SC_SM + i];
    }
    if (between <= SW_SC_ALIKE * of_mean) { /* nor do they vary within: moduli are affine */
        for (int k = 0; k < 15; k++)
            p->fluctuation[k] = 0;
        p->fluctuates = 1;
        p->fluctuation_size = 5 * p->first_fluctuation;
        return;
    }
    if (!sw_sc_invert_definite((const double(*)[5])u, g) ||
        !sw_sc_solve_moments(p, directions, grains, (const double(*)[5])g, (const double(*)[5])q, y))
        return;
    sw_sc_around((const double(*)[5])g, (const double(*)[5])y, gyg);
    sw_sc_take_moments(p, grains, (const double(*)[5])gyg);
}

/* ---- A grain ---- */

/* How a system's rate changes with tau from x, tau over resistance, to `by` further off 0, times its resistance: a difference, or, where that
 * is lost in rounding, the slope between. */
SW_HD static inline sw_real sw_sc_slope_between(const sw_sc_slip *slip, sw_real x, sw_real by)
{
    const double n = slip->exponent;
    const sw_real middle = x + 0.5 * by, ahead = x + by;
    const sw_mask near = SW_LESS(n * by, 1e-4 * x);
    const sw_real slope = (n * slip->rate) * sw_sc_power(slip, middle),
                  rise = slip->rate * (sw_sc_power(slip, ahead) * ahead - sw_sc_power(slip, x) * x);
    return sw_choose(near, slope, rise / sw_max(by, sw_broadcast(1e-300)));
}

/* Likewise of a system that goes one way, x above 0 or not: from x to `by` more it rises from nothing where it begins to. A modulus that were none below
 * 0 would jump there, and leave some polycrystals without an answer. */
SW_HD static inline sw_real sw_sc_slope_one_way(const sw_sc_slip *slip, sw_real x, sw_real by)
{
    const sw_real none = sw_broadcast(0.0), ahead = sw_max(x + by, none),
                  rise = slip->rate * sw_sc_power(slip, ahead) * ahead;
    return sw_choose(SW_LESS(none, x), sw_sc_slope_between(slip, sw_max(x, none), by),
                     rise / sw_max(by, sw_broadcast(1e-300)));
}

/* M at stress s_c, crystal frame, of a grain whose stress has the covariance c [15]: sum of slopes between the mean of tau and a
 * standard deviation more. m [15]. */
SW_HD static inline void sw_sc_second_order_moduli(const sw_sc_slip *slip, const sw_real *over,
                                                   const sw_real s_c[5], const sw_real c[15], sw_real m[15])
{
    for (int k = 0; k < 15; k++)
        m[k] = sw_broadcast(0.0);
    for (int a = 0; a < slip->systems; a++) {
        const double *const v = slip->m[a];
        const sw_real resist = over[slip->own ? slip->law.group[a] : 0],
                      x = (v[0] * s_c[0] + v[1] * s_c[1] + v[2] * s_c[2] + v[3] * s_c[3] + v[4] * s_c[4]) *
                          resist;
        sw_real square = sw_broadcast(0.0);
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                square += c[sw_sc_place(i, j)] * (v[i] * v[j]);
        const sw_real by = sw_sqrt(sw_max(square, sw_broadcast(0.0))) * resist;
        const sw_real slope = resist * (a < slip->two_way ? sw_sc_slope_between(slip, sw_abs(x), by)
                                                          : sw_sc_slope_one_way(slip, x, by));
        for (int i = 0; i < 5; i++)
            for (int j = 0; j <= i; j++)
                m[sw_sc_place(i, j)] += slope * (v[i] * v[j]);
    }
}

/* c = a y a. */
SW_HD static inline void sw_sc_around_packed(const sw_real a[15], const sw_real y[15], sw_real c[15])
{
    sw_real ya[5][5];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            ya[i][j] = sw_broadcast(0.0);
            for (int k = 0; k < 5; k++)
                ya[i][j] += y[sw_sc_place(i, k)] * a[sw_sc_place(k, j)];
        }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++) {
            sw_real sum = sw_broadcast(0.0);
            for (int k = 0; k < 5; k++)
                sum += a[sw_sc_place(i, k)] * ya[k][j];
            c[sw_sc_place(i, j)] = sum;
        }
}

/* Covariance c of a grain's stress s_c, from what it was: A Y A, A by the moduli that it makes. A stress that varies more has softer moduli, by
 * which it varies less, up to n/5 times as fast and more where systems take turns: `part` of each step is taken, less where steps lead back, and
 * more where they lead on. Crystal frame. most: of its trace. Returns the square of how much it was off at first. */
SW_HD static inline sw_real sw_sc_settle_covariance(const sw_sc_slip *slip, const sw_real *over,
                                                    const sw_real mt_c[15], const sw_real y_c[15],
                                                    const sw_real s_c[5], sw_real most, sw_real c[15],
                                                    sw_real *part)
{
    const sw_real none = sw_broadcast(0.0), one = sw_broadcast(1.0);
    sw_real first = none, last[15];
    for (int step = 0; step < SW_SC_SETTLE; step++) {
        sw_real m[15], a[15], found[15], trace = none, off = none, along = none;
        sw_sc_second_order_moduli(slip, over, s_c, c, m);
        sw_sc_localise(mt_c, m, a);
        sw_sc_around_packed(a, y_c, found);
        for (int k = 0; k < 5; k++)
            trace += found[sw_sc_place(k, k)];
        const sw_real bound = sw_choose(SW_LESS(most, trace), most / trace, one);
        for (int k = 0; k < 15; k++) {
            found[k] = bound * found[k] - c[k];
            off += found[k] * found[k];
            if (step > 0)
                along += found[k] * last[k];
            last[k] = found[k];
        }
        *part = sw_choose(SW_LESS(along, none), 0.5 * *part, sw_min(1.2 * *part, one));
        for (int k = 0; k < 15; k++)
            c[k] += *part * found[k];
        if (step == 0)
            first = off;
        if (!sw_any(SW_LESS(1e-4 * first + 1e-28 * most * most, off)))
            break;
    }
    return first;
}

#endif
