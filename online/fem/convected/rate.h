/* The rate law of Demeshko et al. 2011, times the step's length: l is the gradient of a displacement in the step.
 *
 *     ds = lambda dTheta I + 2 (lambda Theta + mu) D - l' s - s l - J b S,   S = s - K Theta I
 *     dTheta = (1 - 2 Theta / 3) tr D - S : D / mu       from tr s = 3 K Theta
 *     b = ((mu (1 - 2 Theta / 3) S - S S) : D) / (k^2 (1 + (dk / dchi) / mu)),   dchi = b k / mu
 *
 * The printed grad v is l' (docs/theory.md says why); k is the yield stress in shear, kappa = root(3) k; chi is
 * root(3) times the equivalent plastic strain, so dk / dchi is a third of kappa's slope. J: whether it flows.
 *
 * Theta, S, s and k are those of the middle of the step, known from the iteration before. Then S : dS is the change of
 * S : S / 2, exactly, and a point that flows stays on the yield surface whatever the step. A point that begins to flow
 * in the step lies inside at its start, by F = S : S / 2 - k^2 < 0: with F beside twice the numerator of b it flows by
 * what leaves it on the surface at the end. On the surface F = 0, S : S = 2 k^2, and b is as printed.
 *
 * Axisymmetric or plane: r and z are x and y, t is the hoop or the thickness. */
#ifndef SW_ONLINE_FEM_CONVECTED_RATE_H
#define SW_ONLINE_FEM_CONVECTED_RATE_H

#include "online/fem/law/law.h"

enum { SW_FEM_RR, SW_FEM_ZZ, SW_FEM_TT, SW_FEM_RZ, SW_FEM_CONVECTED_STRESSES };
/* l: RZ is the change of u_r along z. */
enum { SW_FEM_L_RR, SW_FEM_L_RZ, SW_FEM_L_ZR, SW_FEM_L_ZZ, SW_FEM_L_TT, SW_FEM_CONVECTED_GRADIENTS };

typedef struct {
    double stress[SW_FEM_CONVECTED_STRESSES]; /* Pa, Cauchy's */
    double plastic;                           /* equivalent plastic strain, chi / root(3) */
} sw_fem_convected_point;

SW_HD static inline double sw_fem_trace(const double a[SW_FEM_CONVECTED_STRESSES])
{
    return a[SW_FEM_RR] + a[SW_FEM_ZZ] + a[SW_FEM_TT];
}

SW_HD static inline double sw_fem_contract(const double a[SW_FEM_CONVECTED_STRESSES],
                                           const double b[SW_FEM_CONVECTED_STRESSES])
{
    return a[SW_FEM_RR] * b[SW_FEM_RR] + a[SW_FEM_ZZ] * b[SW_FEM_ZZ] + a[SW_FEM_TT] * b[SW_FEM_TT] +
           2 * a[SW_FEM_RZ] * b[SW_FEM_RZ];
}

/* a' s + s a of a gradient a: for a rigid motion the turning of s, with the sign of s a - a s. */
SW_HD static inline void sw_fem_convect(const double a[SW_FEM_CONVECTED_GRADIENTS],
                                        const double s[SW_FEM_CONVECTED_STRESSES],
                                        double sum[SW_FEM_CONVECTED_STRESSES])
{
    sum[SW_FEM_RR] = 2 * (a[SW_FEM_L_RR] * s[SW_FEM_RR] + a[SW_FEM_L_ZR] * s[SW_FEM_RZ]);
    sum[SW_FEM_ZZ] = 2 * (a[SW_FEM_L_ZZ] * s[SW_FEM_ZZ] + a[SW_FEM_L_RZ] * s[SW_FEM_RZ]);
    sum[SW_FEM_TT] = 2 * a[SW_FEM_L_TT] * s[SW_FEM_TT];
    sum[SW_FEM_RZ] = (a[SW_FEM_L_RR] + a[SW_FEM_L_ZZ]) * s[SW_FEM_RZ] + a[SW_FEM_L_ZR] * s[SW_FEM_ZZ] +
                     a[SW_FEM_L_RZ] * s[SW_FEM_RR];
}

/* Deviator S; returns Theta. */
SW_HD static inline double sw_fem_split(double bulk, const double stress[SW_FEM_CONVECTED_STRESSES],
                                        double S[SW_FEM_CONVECTED_STRESSES])
{
    const double mean = sw_fem_trace(stress) / 3;
    for (int i = 0; i < SW_FEM_CONVECTED_STRESSES; i++)
        S[i] = stress[i] - (i < SW_FEM_RZ ? mean : 0);
    return mean / bulk;
}

/* S : S / 2 - k^2, Pa^2; at most 0 but for round-off. -inf for a material that does not yield. */
SW_HD static inline double sw_fem_convected_yield(const sw_fem_material *m, const sw_fem_convected_point *at)
{
    double S[SW_FEM_CONVECTED_STRESSES], slope;
    const double kappa = sw_fem_yield_stress(m, at->plastic, &slope);
    sw_fem_split(1, at->stress, S);
    return 0.5 * sw_fem_contract(S, S) - kappa * kappa / 3;
}

/* What a step changes at a point, from `start`, by the law at `middle` with J = flows. Linear in l but for what the
 * start's distance from the yield surface adds. Returns whether it should flow: J of the next iteration. */
SW_HD static inline int sw_fem_convected_rate(const sw_fem_material *m, const sw_fem_convected_point *start,
                                              const sw_fem_convected_point *middle, int flows,
                                              const double l[SW_FEM_CONVECTED_GRADIENTS],
                                              sw_fem_convected_point *change)
{
    const double bulk = sw_fem_bulk(m), mu = sw_fem_shear(m), lambda = bulk - 2 * mu / 3;
    const double D[SW_FEM_CONVECTED_STRESSES] = {l[SW_FEM_L_RR], l[SW_FEM_L_ZZ], l[SW_FEM_L_TT],
                                                 0.5 * (l[SW_FEM_L_RZ] + l[SW_FEM_L_ZR])};
    double S[SW_FEM_CONVECTED_STRESSES], DS[SW_FEM_CONVECTED_STRESSES], turned[SW_FEM_CONVECTED_STRESSES],
        slope;
    const double theta = sw_fem_split(bulk, middle->stress, S);
    const double k = sw_fem_yield_stress(m, middle->plastic, &slope) / sqrt(3.0), dk_dchi = slope / 3;
    const double trace = sw_fem_trace(D), along = sw_fem_contract(S, D);
    const double d_theta = (1 - 2 * theta / 3) * trace - along / mu;
    const double strain[SW_FEM_CONVECTED_GRADIENTS] = {D[SW_FEM_RR], D[SW_FEM_RZ], D[SW_FEM_RZ], D[SW_FEM_ZZ],
                                                       D[SW_FEM_TT]};
    sw_fem_convect(strain, S, DS); /* S D + D S: half its trace is S S : D when contracted with S */
    const double drive =
        sw_fem_convected_yield(m, start) + 2 * mu * (1 - 2 * theta / 3) * along - sw_fem_contract(S, DS);
    const double b = flows ? drive / (sw_fem_contract(S, S) + 2 * k * k * dk_dchi / mu) : 0;
    sw_fem_convect(l, middle->stress, turned);
    for (int i = 0; i < SW_FEM_CONVECTED_STRESSES; i++)
        change->stress[i] =
            (i < SW_FEM_RZ ? lambda * d_theta : 0) + 2 * (lambda * theta + mu) * D[i] - turned[i] - b * S[i];
    change->plastic = flows ? b * k / (sqrt(3.0) * mu) : 0;
    return drive > 0;
}

#endif
