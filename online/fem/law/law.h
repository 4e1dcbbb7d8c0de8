/* Von Mises plasticity with isotropic hardening at one point: radial return and its consistent tangent.
 * Kiran 2023, sections 2.2, 2.6 and 2.7. Strains and stresses are 11 22 33 23 13 12; shear strains are
 * engineering's (twice the tensor's) where said.
 *
 * The tangent of Eq. 2.39 is kept as five numbers of the flow direction and one:
 *
 *     D e = K tr(e) I + 2 G R e' - sign m (m : e)        R the ratio of the stress to the trial stress,
 *                                                        m the flow direction times the root of |2 G Q|
 *
 * `sign` is the sign bit of the stored R: minus only for hardening that speeds up (a table's convex
 * corner). */
#ifndef SW_ONLINE_FEM_LAW_LAW_H
#define SW_ONLINE_FEM_LAW_LAW_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "hardening.h"

/* Bulk and shear modulus, Pa. */
SW_HD static inline double sw_fem_bulk(const sw_fem_material *m)
{
    return m->young / (3 * (1 - 2 * m->poisson));
}
SW_HD static inline double sw_fem_shear(const sw_fem_material *m)
{
    return m->young / (2 * (1 + m->poisson));
}

/* ---- Radial return ---- */

/* The tangent at a point, as above; elastic: ratio 1, flow 0. */
typedef struct {
    double ratio;
    double flow[5]; /* root Pa: 11 22 23 13 12; 33 is minus the sum of the first two */
} sw_fem_tangent;
enum { SW_FEM_TANGENT_SIZE = (int)(sizeof(sw_fem_tangent) / sizeof(double)) };

/* Increment of equivalent plastic strain where trial - 3 G dp = kappa(p + dp), for trial > kappa(p).
 * Newton (Eq. 2.36) kept between the bounds 0 and trial / 3 G, halving where it leaves them: linear
 * hardening takes one step, a table one a corner. */
SW_HD static inline double sw_fem_plastic_increment(const sw_fem_material *m, double shear, double p,
                                                    double trial, double *slope)
{
    double low = 0, high = trial / (3 * shear), dp = 0;
    for (int i = 0; i < 100; i++) {
        const double kappa = sw_fem_yield_stress(m, p + dp, slope);
        const double gap = trial - 3 * shear * dp - kappa;
        if (gap > 0)
            low = dp;
        else
            high = dp;
        if (fabs(gap) <= 4 * DBL_EPSILON * trial)
            break;
        double next = dp + gap / (3 * shear + *slope);
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        if (next == dp)
            break;
        dp = next;
    }
    return dp;
}

/* Stress (Pa) of a point under `strain` (engineering shears) from the plastic state `old`; new state in
 * *point when not NULL, tangent in *tangent when not NULL. `size`: of the numbers that the strain comes from,
 * where round-off of them is not seen in it. Returns whether it yields. */
SW_HD static inline int sw_fem_rounded_return(const sw_fem_material *m, const double strain[6],
                                              const sw_fem_point *old, double size, double stress[6],
                                              sw_fem_point *point, sw_fem_tangent *tangent)
{
    const double bulk = sw_fem_bulk(m), shear = sw_fem_shear(m);
    const double trace = strain[0] + strain[1] + strain[2], mean = bulk * trace;
    double deviator[6], square = 0;
    for (int i = 0; i < 6; i++) {
        const double elastic =
            i < 3 ? strain[i] - trace / 3 - old->strain[i] : 0.5 * strain[i] - old->strain[i];
        size += fabs(strain[i]) + fabs(old->strain[i]);
        deviator[i] = 2 * shear * elastic;
        square += (i < 3 ? 1 : 2) * deviator[i] * deviator[i];
    }
    const double trial = sqrt(1.5 * square);
    double slope, ratio = 1, dp = 0;
    const double kappa = sw_fem_yield_stress(m, old->equivalent, &slope);
    /* What is left of the difference of total and plastic strain is round-off of both. */
    const int yields = trial > kappa + DBL_EPSILON * (4 * kappa + 16 * shear * size);
    if (yields) {
        dp = sw_fem_plastic_increment(m, shear, old->equivalent, trial, &slope);
        ratio = 1 - 3 * shear * dp / trial;
    }
    for (int i = 0; i < 6; i++)
        stress[i] = ratio * deviator[i] + (i < 3 ? mean : 0);
    if (point) {
        for (int i = 0; i < 6; i++)
            point->strain[i] = old->strain[i] + (yields ? 1.5 * dp / trial * deviator[i] : 0);
        point->equivalent = old->equivalent + dp;
    }
    if (tangent) {
        /* 2 G Q s s / trial^2 of Eqs. 2.39 and 2.40, with 1 / (1 + 3 G / H) written so that H may be 0. */
        const double q = yields ? 2 * shear * 1.5 * (slope / (slope + 3 * shear) - ratio) : 0;
        const double scale = yields ? sqrt(fabs(q)) / trial : 0;
        const int where[5] = {0, 1, 3, 4, 5};
        tangent->ratio = q > 0 ? -ratio : ratio;
        for (int i = 0; i < 5; i++)
            tangent->flow[i] = scale * deviator[where[i]];
    }
    return yields;
}

SW_HD static inline int sw_fem_radial_return(const sw_fem_material *m, const double strain[6],
                                             const sw_fem_point *old, double stress[6], sw_fem_point *point,
                                             sw_fem_tangent *tangent)
{
    return sw_fem_rounded_return(m, strain, old, 0, stress, point, tangent);
}

#endif
