/* Elastic contacts: normal force and energy, K_N and K_T; and what of a material is not the law's. They have no
 * numbers of their own to remember. */
#ifndef SW_ONLINE_DEM_CONTACT_ELASTIC_LAWS_H
#define SW_ONLINE_DEM_CONTACT_ELASTIC_LAWS_H

#include "pair.h"

/* Eq. 2: K_N = E 2 r_a r_b / (r_a + r_b), K_T = nu K_N; F_N = K_N overlap. */
SW_HD static inline void sw_dem_linear(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                       double *law, sw_dem_stiffness *s)
{
    (void)dt;
    (void)law;
    s->kn = m->young * 2 * k->radius_a * k->radius_b / (k->radius_a + k->radius_b);
    s->kt = m->poisson * s->kn;
    s->normal_force = s->kn * k->overlap;
    s->normal_energy = 0.5 * s->normal_force * k->overlap;
    s->pressed = s->normal_force;
}
static inline sw_dem_need sw_dem_linear_needs(const sw_dem_material *m)
{
    return sw_dem_need_of(sw_dem_no_need(), "poisson", m->poisson, m->poisson >= 0 && m->poisson <= 10,
                          "0 <= poisson <= 10");
}

/* F_N = 4/3 E* sqrt(R) overlap^(3/2), K_T = 8 G* sqrt(R overlap), with R = r_a r_b / (r_a + r_b). kn is the
 * tangent's. */
SW_HD static inline void sw_dem_hertz_mindlin(const sw_dem_pair_material *m, const sw_dem_kinematics *k,
                                              double dt, double *law, sw_dem_stiffness *s)
{
    const double root = sqrt(k->radius_a * k->radius_b / (k->radius_a + k->radius_b) * k->overlap);
    (void)dt;
    (void)law;
    s->kn = 2 * m->normal_modulus * root;
    s->kt = 8 * m->shear_modulus * root;
    s->normal_force = (2.0 / 3.0) * s->kn * k->overlap;
    s->normal_energy = 0.4 * s->normal_force * k->overlap;
    s->pressed = s->normal_force;
}
static inline sw_dem_need sw_dem_hertz_mindlin_needs(const sw_dem_material *m)
{
    return sw_dem_need_of(sw_dem_no_need(), "poisson", m->poisson, m->poisson > -1 && m->poisson <= 0.5,
                          "-1 < poisson <= 0.5");
}

#endif
