/* Phases of a medium (scheme.h): their sums and means, and how the medium changes where they have ellipsoids of their own. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_PHASES_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_SELF_CONSISTENT_PHASES_H

#include "algebra.h"
#include "common/math/deviator.h"
#include "medium.h"

/* Sums of grains with their phase's shape -> as if each had its own: V, T, X, M~ A d0. */
SW_HD static inline void sw_sc_complete(const sw_sc_phase_state *phase, double *sum)
{
    double u[5][5], v[5][5], x[5][5];
    sw_sc_unpack(sum + SW_SC_U, u);
    sw_sc_multiply(u, phase->mt, v);
    sw_sc_multiply(phase->mt, v, x);
    sw_sc_apply(phase->mt, sum + SW_SC_AD0, sum + SW_SC_MAD0);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            sum[SW_SC_V + 5 * i + j] = v[i][j];
            if (j <= i) {
                sum[SW_SC_T + sw_sc_place(i, j)] = sum[SW_SC_WEIGHT] * phase->mt[i][j];
                sum[SW_SC_X + sw_sc_place(i, j)] = x[i][j];
            }
        }
}

/* Means of a phase, by its sums. */
SW_HD static inline void sw_sc_take_means_of(const sw_sc_medium *p, const double *sum, sw_sc_phase_state *of)
{
    for (int k = 0; k < 5 && p->pass != SW_SC_MODULI; k++) {
        of->mean_s[k] = sum[SW_SC_S + k] / sum[SW_SC_WEIGHT];
        of->mean_d[k] = sum[SW_SC_D + k] / sum[SW_SC_WEIGHT];
    }
}

/* Of several phases, by 1/U of the tangents. e = D* + M~ S* of each, and these are those of targets s, d by 1/B of the medium: with S* goes
 * 1/B s, with D* d + M (S* - s). So <s> changes by U d + (V - U M) / B s + U M s, and is to be s. Where s is <s>, d is that of the targets and
 * what these were off. 0: singular. */
SW_HD static inline int sw_sc_take_tangent_of_phases(sw_sc_medium *p, const double inverse[5][5])
{
    double b[5][5], x[5][5], y[5][5], s[5], off[5], moved[5];
    const double(*const m)[5] = (const double(*)[5])p->m;
    if (!sw_sc_invert((const double(*)[5])p->b_inverse, b))
        return 0;
    sw_sc_multiply(inverse, (const double(*)[5])p->vt, x);
    for (int k = 0; k < 25; k++)
        x[k / 5][k % 5] -= m[k / 5][k % 5];
    sw_sc_multiply((const double(*)[5])x, (const double(*)[5])p->b_inverse, y);
    sw_sc_apply((const double(*)[5])b, p->s_star, s);
    for (int i = 0; i < 5; i++) {
        s[i] += p->sg0[i];
        off[i] = s[i] - p->mean_s[i];
        for (int j = 0; j < 5; j++) {
            y[i][j] += m[i][j];
            p->tangent[i][j] = inverse[i][j] - y[i][j];
        }
    }
    sw_sc_apply((const double(*)[5])y, off, moved);
    for (int i = 0; i < 5; i++) {
        p->at_means[i] = p->d_star[i] + moved[i];
        for (int j = 0; j < 5; j++)
            p->at_means[i] -= m[i][j] * (p->s_star[j] - s[j]);
    }
    return 1;
}

/* Of several phases: the exponent of the polycrystal itself, d ln |D| by d ln |S| of its tangent, where grains have been solved. Newton's steps
 * of its means are bounded by an exponent (scheme.h), and this may be a thirtieth of the larger of the phases' own, where one bears the stress and the other the
 * strain. most: of the phases. */
SW_HD static inline double sw_sc_exponent_of(const sw_sc_medium *m, double most)
{
    double tangent = 0, secant = 0;
    if (m->phases == 1 || m->outer == 0)
        return most;
    for (int i = 0; i < 5; i++) {
        secant += m->mean_s[i] * m->mean_d[i];
        for (int j = 0; j < 5; j++)
            tangent += m->mean_s[i] * m->tangent[i][j] * m->mean_s[j];
    }
    return tangent < most * secant ? fmax(tangent / secant, 1.0) : most;
}

/* The velocity gradient of a phase's ellipsoid, of the mean of its grains. spin: W of the polycrystal, 12 13 23. */
SW_HD static inline void sw_sc_phase_gradient(const sw_sc_medium *medium, const sw_sc_phase_state *phase,
                                              const double spin[3], double l[3][3])
{
    double w[3], t[6] = {0};
    for (int k = 0; k < 3; k++) {
        w[k] = spin[k];
        for (int j = 0; j < 5; j++)
            w[k] += phase->spin[k][j] * (phase->mean_d[j] - medium->mean_d[j]);
    }
    for (int a = 0; a < 5; a++)
        for (int k = 0; k < 6; k++)
            t[k] += phase->mean_d[a] * sw_deviator_basis(a, k);
    for (int k = 0; k < 9; k++)
        l[k / 3][k % 3] = t[sw_six_of(k / 3, k % 3)];
    l[0][1] += w[0];
    l[1][0] -= w[0];
    l[0][2] += w[1];
    l[2][0] -= w[1];
    l[1][2] += w[2];
    l[2][1] -= w[2];
}

/* That of its crystals' ellipsoids: of SW_SC_SECOND_ORDER they are the polycrystal's, of all phases. */
SW_HD static inline void sw_sc_ellipsoid_gradient(const sw_sc_medium *medium, const sw_sc_rules *rules,
                                                  const sw_sc_phase_state *phase, const double spin[3],
                                                  double l[3][3])
{
    sw_sc_phase_state whole = *phase;
    for (int k = 0; k < 5 && rules->linearization == SW_SC_SECOND_ORDER; k++)
        whole.mean_d[k] = medium->mean_d[k];
    sw_sc_phase_gradient(medium, &whole, spin, l);
}

#endif
