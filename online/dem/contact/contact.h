/* The contact of two spheres: what a pair of particles does to each other in one step.
 *
 * Cundall and Strack 1979; Lubbe et al. 2022, Eqs. 1-8, with the departures of docs/theory.md. The contact
 * frame's normal n points from particle a to particle b; forces and moments are those on b, a gets the
 * opposite.
 *
 * To add a law NAME: a line of SW_DEM_LAW_LIST, and in a header included here sw_dem_NAME, its stiffnesses, and
 * sw_dem_NAME_needs, what it asks of the material; of one that remembers numbers sw_dem_NAME_remembers, what those from
 * a file may be, and sw_dem_NAME_gap, the distance between surfaces up to which it acts. */
#ifndef SW_ONLINE_DEM_CONTACT_CONTACT_H
#define SW_ONLINE_DEM_CONTACT_CONTACT_H

#include "adhesive_laws.h"
#include "metal_law.h"

/* ---- By law ---- */

/* Numbers of its own that a law remembers, of SW_DEM_LAW_NUMBERS; and the mean overlap over the mean radius that it
 * holds up to. */
SW_HD static inline int sw_dem_law_numbers(sw_dem_law law)
{
    const int numbers[] = {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) numbers,
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    };
    return numbers[law];
}
SW_HD static inline double sw_dem_law_overlap(sw_dem_law law)
{
    const double overlaps[] = {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) overlap,
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    };
    return overlaps[law];
}

/* Normal force and stiffnesses of a pair, after a step of dt (s) that brought it here; dt = 0: as they are. flows: 0
 * where no law is one that remembers numbers. law [SW_DEM_LAW_NUMBERS]: its own, in and out. */
SW_HD_ALWAYS static inline void sw_dem_stiffnesses(int flows, const sw_dem_pair_material *m,
                                                   const sw_dem_kinematics *k, double dt, double *law,
                                                   sw_dem_stiffness *s)
{
    s->kn = s->kt = s->normal_force = s->normal_energy = 0;
    s->plastic_work = s->area = s->strength = s->pressed = 0;
    s->apart = 0;
    switch (m->law) {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) \
    case name:                                                                 \
        if (flows || (numbers) == 0)                                           \
            sw_dem_##function(m, k, dt, law, s);                               \
        break;
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    default:
        break;
    }
    const double least = k->radius_a < k->radius_b ? k->radius_a : k->radius_b;
    const double area = m->moment_radius == SW_DEM_MOMENT_PRODUCT ? k->radius_a * k->radius_b : least * least;
    s->k_roll = m->roll_stiffness * area * s->kt; /* Eq. 7 */
    s->k_twist = m->twist_stiffness * area * s->kt;
}

/* What of the material is not as its law needs it. */
static inline sw_dem_need sw_dem_law_needs(const sw_dem_material *m)
{
    switch (m->law) {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) \
    case name:                                                                 \
        return sw_dem_##function##_needs(m);
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    default:
        return sw_dem_no_need();
    }
}

/* Of laws that remember nothing. */
#define sw_dem_linear_gap(m, a, b) 0
#define sw_dem_hertz_mindlin_gap(m, a, b) 0
#define sw_dem_dmt_gap(m, a, b) 0
#define sw_dem_linear_remembers(law, reach) NULL
#define sw_dem_hertz_mindlin_remembers(law, reach) NULL
#define sw_dem_dmt_remembers(law, reach) NULL

/* Largest distance of the surfaces of two spheres that the law acts over, m; it grows with the radii. */
static inline double sw_dem_law_gap(const sw_dem_pair_material *m, double radius_a, double radius_b)
{
    switch (m->law) {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) \
    case name:                                                                 \
        return sw_dem_##function##_gap(m, radius_a, radius_b);
        SW_DEM_LAW_LIST(SW_DEM_LAW_CASE)
#undef SW_DEM_LAW_CASE
    default:
        return 0;
    }
}

/* What numbers of a contact that come from a file have to be, unless they are; else NULL. reach: sum of the radii. */
static inline const char *sw_dem_law_remembers(sw_dem_law of, const double *law, double reach)
{
    (void)law;
    (void)reach;
    switch (of) {
#define SW_DEM_LAW_CASE(name, text, function, numbers, overlap, keys, meaning) \
    case name:                                                                 \
        return sw_dem_##function##_remembers(law, reach);
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
    const double size = sqrt(square), along = sw_dem_dot(before, force), scale = limit / size;
    for (int i = 0; i < 3; i++)
        force[i] *= scale;
    return 0.5 * (along + limit * size) * (size - limit) / (size * stiffness);
}

/* The same of a force along a line. */
SW_HD static inline double sw_dem_slide_along(double stiffness, double limit, double motion, double *force,
                                              int *yields)
{
    const double before = *force, after = before - stiffness * motion, size = fabs(after);
    *force = after;
    *yields = size > limit;
    if (!*yields)
        return 0;
    *force = after < 0 ? -limit : limit;
    return 0.5 * ((after < 0 ? -before : before) + limit) * (size - limit) / stiffness;
}

/* One step of dt of a pair that touches: history in and out. friction: tan(phi) at present. Eqs. 1-8. */
SW_HD_ALWAYS static inline void sw_dem_touch(const sw_dem_pair_material *m, double friction, double dt,
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
    c->friction_work = 0;
    c->sliding = 0;
    if (s->kt > 0 || s->pressed > 0)
        c->friction_work = sw_dem_slide(s->kt, friction * s->pressed, motion, h->tangential, &c->sliding);
    else /* surfaces apart, which liquid holds: friction went to nothing with what presses */
        h->tangential[0] = h->tangential[1] = h->tangential[2] = 0;
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
            sw_dem_slide(s->k_roll, m->roll_strength * least * s->pressed, motion, h->roll, &c->rolling);
        for (int i = 0; i < 3; i++)
            c->moment[i] = h->roll[i];
    }
    if (s->k_twist > 0) {
        int yields;
        c->rolling_work +=
            sw_dem_slide_along(s->k_twist, m->twist_strength * least * s->pressed, along, &h->twist, &yields);
        c->rolling |= yields;
        for (int i = 0; i < 3; i++)
            c->moment[i] += h->twist * n[i];
    }
}

#endif
