/* The contact of two spheres: what a pair of particles does to each other in one step.
 *
 * Cundall and Strack 1979; Lubbe et al. 2022, Eqs. 1-8, with the departures of docs/theory.md. The contact
 * frame's normal n points from particle a to particle b; forces and moments are those on b, a gets the
 * opposite.
 *
 * To add a law NAME: a line of SW_DEM_LAW_LIST, and here sw_dem_NAME, its stiffnesses, and sw_dem_NAME_needs,
 * what it asks of the material. */
#ifndef SW_ONLINE_DEM_CONTACT_CONTACT_H
#define SW_ONLINE_DEM_CONTACT_CONTACT_H

#include <math.h>

#include "common/system/device.h"
#include "slipwave/dem.h"

/* What a contact remembers: force (N) and moments (N m) on b. Zero when the particles part. */
typedef struct {
    double tangential[3], roll[3], twist;
} sw_dem_history;
enum { SW_DEM_HISTORY = sizeof(sw_dem_history) / sizeof(double) }; /* numbers in it */

/* A pair at one time: geometry and relative motion, as sw_dem_pair_kinematics finds them. */
typedef struct {
    double normal[3];
    double distance, overlap;  /* m */
    double radius_a, radius_b; /* m */
    double slip_velocity[3];   /* of b against a at the contact point, tangential, m/s */
    double relative_spin[3];   /* omega_b - omega_a, rad/s */
    double turning[3]; /* of the contact frame: of the line of centres, and mean spin about it, rad/s */
} sw_dem_kinematics;

typedef struct {
    double normal_force;            /* N, >= 0 */
    double normal_energy;           /* that it stores, J */
    double kn, kt, k_roll, k_twist; /* N/m, N/m, N m, N m */
} sw_dem_stiffness;

/* What a contact did in a step. */
typedef struct {
    double force[3];  /* on b, N */
    double moment[3]; /* rolling and twisting, on b, N m */
    int sliding, rolling;
    double friction_work, rolling_work; /* dissipated in the step, J */
} sw_dem_contact;

/* 1 / sqrt(x) */
SW_HD static inline double sw_dem_inverse_root(double x)
{
#ifdef __CUDA_ARCH__
    return rsqrt(x);
#else
    return 1 / sqrt(x);
#endif
}

SW_HD static inline double sw_dem_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

SW_HD static inline void sw_dem_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* ---- Laws: normal force and energy, K_N and K_T; and why a material is not one of the law, or NULL ---- */

/* Eq. 2: K_N = E 2 r_a r_b / (r_a + r_b), K_T = nu K_N; F_N = K_N overlap. */
SW_HD static inline void sw_dem_linear(const sw_dem_material *m, const sw_dem_kinematics *k,
                                       sw_dem_stiffness *s)
{
    s->kn = m->young * 2 * k->radius_a * k->radius_b / (k->radius_a + k->radius_b);
    s->kt = m->poisson * s->kn;
    s->normal_force = s->kn * k->overlap;
    s->normal_energy = 0.5 * s->normal_force * k->overlap;
}
static inline const char *sw_dem_linear_needs(const sw_dem_material *m)
{
    return m->poisson >= 0 && m->poisson <= 10 ? NULL : "0 <= poisson <= 10";
}

/* F_N = 4/3 E* sqrt(R) overlap^(3/2), K_T = 8 G* sqrt(R overlap), with R = r_a r_b / (r_a + r_b),
 * E* = E / (2 (1 - nu^2)), G* = E / (4 (1 + nu) (2 - nu)) for two spheres of one material. kn is the
 * tangent's. */
SW_HD static inline void sw_dem_hertz_mindlin(const sw_dem_material *m, const sw_dem_kinematics *k,
                                              sw_dem_stiffness *s)
{
    const double root = sqrt(k->radius_a * k->radius_b / (k->radius_a + k->radius_b) * k->overlap);
    const double e = m->young / (2 * (1 - m->poisson * m->poisson));
    const double g = m->young / (4 * (1 + m->poisson) * (2 - m->poisson));
    s->kn = 2 * e * root;
    s->kt = 8 * g * root;
    s->normal_force = (2.0 / 3.0) * s->kn * k->overlap;
    s->normal_energy = 0.4 * s->normal_force * k->overlap;
}
static inline const char *sw_dem_hertz_mindlin_needs(const sw_dem_material *m)
{
    return m->poisson > -1 && m->poisson <= 0.5 ? NULL : "-1 < poisson <= 0.5";
}

/* ---- By law ---- */

SW_HD static inline void sw_dem_stiffnesses(const sw_dem_material *m, const sw_dem_kinematics *k,
                                            sw_dem_stiffness *s)
{
    switch (m->law) {
#define SW_DEM_LAW_CASE(name, text, function, meaning) \
    case name:                                         \
        sw_dem_##function(m, k, s);                    \
        break;
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    default:
        s->kn = s->kt = s->normal_force = s->normal_energy = 0;
    }
    const double least = k->radius_a < k->radius_b ? k->radius_a : k->radius_b;
    const double area = m->moment_radius == SW_DEM_MOMENT_PRODUCT ? k->radius_a * k->radius_b : least * least;
    s->k_roll = m->roll_stiffness * area * s->kt; /* Eq. 7 */
    s->k_twist = m->twist_stiffness * area * s->kt;
}

/* What the law asks of `poisson`, unless it is so; else NULL. */
static inline const char *sw_dem_law_needs(const sw_dem_material *m)
{
    switch (m->law) {
#define SW_DEM_LAW_CASE(name, text, function, meaning) \
    case name:                                         \
        return sw_dem_##function##_needs(m);
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    default:
        return NULL;
    }
}

/* Energy stored in a contact, J. Tangential and rotational springs count with their present stiffness. */
SW_HD static inline double sw_dem_elastic_energy(const sw_dem_stiffness *s, const sw_dem_history *h)
{
    double energy = s->normal_energy;
    if (s->kt > 0)
        energy += 0.5 * sw_dem_dot(h->tangential, h->tangential) / s->kt;
    if (s->k_roll > 0)
        energy += 0.5 * sw_dem_dot(h->roll, h->roll) / s->k_roll;
    if (s->k_twist > 0)
        energy += 0.5 * h->twist * h->twist / s->k_twist;
    return energy;
}

/* ---- One step ---- */

/* Carry a vector with the contact's frame, which turned by the small vector `turn` (rad): to second order,
 * then into the tangent plane. A first-order turn alone would let the vector grow. */
SW_HD static inline void sw_dem_carry(const double turn[3], const double n[3], double vector[3])
{
    double once[3], twice[3];
    sw_dem_cross(turn, vector, once);
    sw_dem_cross(turn, once, twice);
    for (int i = 0; i < 3; i++)
        vector[i] += once[i] + 0.5 * twice[i];
    const double along = sw_dem_dot(vector, n);
    for (int i = 0; i < 3; i++)
        vector[i] -= along * n[i];
}

/* A spring with a limit: its force (or moment) after a relative motion, cut at the limit. Returns what was
 * dissipated: the mean of the force before and after along the plastic part of the motion, which closes the
 * balance of energy exactly. */
SW_HD static inline double sw_dem_slide(double stiffness, double limit, const double motion[3],
                                        double force[3], int *yields)
{
    double before[3];
    for (int i = 0; i < 3; i++) {
        before[i] = force[i];
        force[i] -= stiffness * motion[i];
    }
    const double square = sw_dem_dot(force, force);
    *yields = square > limit * limit;
    if (!*yields)
        return 0;
    const double size = sqrt(square), along = sw_dem_dot(before, force) / size, scale = limit / size;
    for (int i = 0; i < 3; i++)
        force[i] *= scale;
    return 0.5 * (along + limit) * (size - limit) / stiffness;
}

/* One step of dt of a pair that touches: history in and out. friction: tan(phi) at present. Eqs. 1-8. */
SW_HD static inline void sw_dem_touch(const sw_dem_material *m, double friction, double dt,
                                      const sw_dem_kinematics *k, const sw_dem_stiffness *s,
                                      sw_dem_history *h, sw_dem_contact *c)
{
    const double *n = k->normal, least = k->radius_a < k->radius_b ? k->radius_a : k->radius_b;
    double motion[3], turn[3];
    for (int i = 0; i < 3; i++) {
        motion[i] = dt * k->slip_velocity[i];
        turn[i] = dt * k->turning[i];
    }
    sw_dem_carry(turn, n, h->tangential);
    c->friction_work = sw_dem_slide(s->kt, friction * s->normal_force, motion, h->tangential, &c->sliding);
    c->rolling_work = 0;
    c->rolling = 0;
    for (int i = 0; i < 3; i++) {
        c->force[i] = s->normal_force * n[i] + h->tangential[i];
        c->moment[i] = 0;
    }
    const double along = dt * sw_dem_dot(k->relative_spin, n);
    if (s->k_roll > 0) {
        sw_dem_carry(turn, n, h->roll);
        for (int i = 0; i < 3; i++)
            motion[i] = dt * k->relative_spin[i] - along * n[i];
        c->rolling_work =
            sw_dem_slide(s->k_roll, m->roll_strength * least * s->normal_force, motion, h->roll, &c->rolling);
        for (int i = 0; i < 3; i++)
            c->moment[i] = h->roll[i];
    }
    if (s->k_twist > 0) {
        const double twist[3] = {along, 0, 0};
        double moment[3] = {h->twist, 0, 0};
        int yields;
        c->rolling_work +=
            sw_dem_slide(s->k_twist, m->twist_strength * least * s->normal_force, twist, moment, &yields);
        c->rolling |= yields;
        h->twist = moment[0];
        for (int i = 0; i < 3; i++)
            c->moment[i] += h->twist * n[i];
    }
}

#endif
