/* Stress at a quadrature point, whatever the kinematics. */
#ifndef SW_ONLINE_FEM_LAW_POINT_H
#define SW_ONLINE_FEM_LAW_POINT_H

#include "law.h"

#define SW_FEM_POINT_TOLERANCE \
    1e-14 /* of the stress 33 that plane stress leaves, relative to K + 4 G / 3 x strain */

/* Plane stress: the strain 33 is found that leaves no stress 33, by Newton with the consistent tangent, whose
 * part 33, K + 4 G R / 3 - m33^2, is positive. */
SW_HD static inline int sw_fem_plane_stress_return(const sw_fem_material *m, const double strain[6],
                                                   const sw_fem_point *old, double stress[6],
                                                   sw_fem_point *point, sw_fem_tangent *tangent)
{
    const double bulk = sw_fem_bulk(m), shear = sw_fem_shear(m);
    sw_fem_tangent at;
    double whole[6] = {strain[0], strain[1], 0, 0, 0, strain[5]}, size = 0;
    int yields = 0;
    whole[2] = old->strain[2] -
               m->poisson / (1 - m->poisson) * (strain[0] - old->strain[0] + strain[1] - old->strain[1]);
    for (int i = 0; i < 6; i++)
        size += fabs(whole[i]);
    for (int i = 0; i < 50; i++) {
        yields = sw_fem_radial_return(m, whole, old, stress, point, &at);
        if (fabs(stress[2]) <= SW_FEM_POINT_TOLERANCE * (bulk + 4 * shear / 3) * size)
            break;
        const double m33 = at.flow[0] + at.flow[1];
        whole[2] -=
            stress[2] / (bulk + 4 * shear * fabs(at.ratio) / 3 + (at.ratio < 0 ? m33 * m33 : -m33 * m33));
    }
    stress[2] = 0;
    if (tangent)
        *tangent = at;
    return yields;
}

/* As sw_fem_radial_return, for any kinematics: `strain` as sw_fem_strain gives it. */
SW_HD static inline int sw_fem_stress_at(sw_fem_kinematics k, const sw_fem_material *m,
                                         const double strain[6], const sw_fem_point *old, double stress[6],
                                         sw_fem_point *point, sw_fem_tangent *tangent)
{
    if (k == SW_FEM_HEAT) {
        for (int i = 0; i < 6; i++)
            stress[i] = i < 2 ? m->young * strain[i] : 0;
        if (point)
            *point = *old;
        if (tangent) {
            tangent->ratio = 1;
            for (int i = 0; i < 5; i++)
                tangent->flow[i] = 0;
        }
        return 0;
    }
    return k == SW_FEM_PLANE_STRESS ? sw_fem_plane_stress_return(m, strain, old, stress, point, tangent)
                                    : sw_fem_radial_return(m, strain, old, stress, point, tangent);
}

/* Bulk and shear modulus that products use; conduction is elasticity with shears alone (K = 2 G / 3). */
SW_HD static inline void sw_fem_moduli(sw_fem_kinematics k, const sw_fem_material *m, double *bulk,
                                       double *shear)
{
    *bulk = k == SW_FEM_HEAT ? m->young / 3 : sw_fem_bulk(m);
    *shear = k == SW_FEM_HEAT ? m->young / 2 : sw_fem_shear(m);
}

#endif
