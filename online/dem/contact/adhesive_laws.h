/* Contacts that pull: closed forms for the force, and for what is stored.
 *
 *   dmt        Hertz and a constant pull while they touch. Derjaguin, Muller and Toporov 1975.
 *   jkr        soft and sticky: Johnson, Kendall and Roberts 1971. A neck forms by touch and holds to a distance.
 *   cohesive   a spring that bears tension to a bound; the bond forms by touch, breaks for good until the next one.
 *   capillary  a spring and a liquid bridge of a stated volume: Willett, Adams, Johnson and Seville 2000, their
 *              closed form; it forms by touch and ruptures at the distance of Lian, Thornton and Adams 1993.
 *
 * R = r_a r_b / (r_a + r_b), w the work of adhesion of both surfaces. Those with a bond store one number: whether it
 * holds. Energies count from touch on; what is stored when a bond breaks is dissipated by the law. */
#ifndef SW_ONLINE_DEM_CONTACT_ADHESIVE_LAWS_H
#define SW_ONLINE_DEM_CONTACT_ADHESIVE_LAWS_H

#include "elastic_laws.h"

#define SW_DEM_PI 3.14159265358979323846

/* ---- dmt ---- */

/* F = Hertz - 2 pi w R; friction by Hertz' force alone, which is what presses the surfaces. */
SW_HD static inline void sw_dem_dmt(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                    double *law, sw_dem_stiffness *s)
{
    const double pull = 2 * SW_DEM_PI * m->adhesion * k->radius_a * k->radius_b / (k->radius_a + k->radius_b);
    sw_dem_hertz_mindlin(m, k, dt, law, s);
    s->normal_force -= pull;
    s->normal_energy -= pull * k->overlap;
}
static inline sw_dem_need sw_dem_dmt_needs(const sw_dem_material *m)
{
    return sw_dem_need_of(sw_dem_hertz_mindlin_needs(m), "adhesion", m->adhesion,
                          m->adhesion >= 0 && m->adhesion < INFINITY, ">= 0");
}

/* ---- Bonds ---- */

enum { SW_DEM_BOND, SW_DEM_BONDS };

/* Whether a pair is bound, beyond touch up to the distance `rupture`, m. */
SW_HD static inline int sw_dem_bound(double overlap, double rupture, double *law)
{
    if (overlap > 0)
        law[SW_DEM_BOND] = 1;
    else if (!(-overlap <= rupture))
        law[SW_DEM_BOND] = 0;
    return law[SW_DEM_BOND] > 0;
}

/* A pair that is not: `stored`, J, of the bond until now is lost. */
SW_HD static inline void sw_dem_unbind(double stored, sw_dem_stiffness *s)
{
    s->apart = 1;
    s->kn = s->kt = s->normal_force = s->normal_energy = 0;
    s->plastic_work = stored;
}

/* Overlap before the step, where the bond last was. */
SW_HD static inline double sw_dem_overlap_before(const sw_dem_kinematics *k, double dt)
{
    return k->overlap - k->closing * dt;
}

/* What a file may say of a bond. */
static inline const char *sw_dem_bond_remembers(const double *law, double reach)
{
    (void)reach;
    return law[SW_DEM_BOND] == 0 || law[SW_DEM_BOND] == 1 ? NULL : "a bond of 0 or 1";
}
#define sw_dem_jkr_remembers sw_dem_bond_remembers
#define sw_dem_cohesive_remembers sw_dem_bond_remembers
#define sw_dem_capillary_remembers sw_dem_bond_remembers

/* ---- jkr ---- */

/* With the contact radius a and c = sqrt(2 pi w / E*): overlap = a^2 / R - c sqrt(a), F = 4 E* a^3 / (3 R) -
 * 2 E* c a^(3/2). The neck tears at sqrt(a)^3 = R c / 4, where the overlap is least. */
typedef struct {
    double reduced, c, root; /* root: sqrt(a), of the branch that is stable under a held distance */
} sw_dem_neck;

SW_HD static inline double sw_dem_neck_overlap(double reduced, double c, double root)
{
    return root * root * root * root / reduced - c * root;
}

/* Newton's method from the right, where overlap(root) is convex and grows: it comes down to the root. The start is no
 * less than it: (p + q)^4 >= p^4 + q^3 (p + q). */
SW_HD static inline double sw_dem_neck_root(double reduced, double c, double overlap)
{
    double x = (overlap > 0 ? sqrt(sqrt(reduced * overlap)) : 0) + cbrt(reduced * c);
    for (int i = 0; i < 60 && x > 0; i++) {
        const double slope = 4 * x * x * x / reduced - c;
        const double step = (sw_dem_neck_overlap(reduced, c, x) - overlap) / slope;
        if (!(slope > 0) || !(step > 1e-15 * x))
            break;
        x -= step;
    }
    return x;
}

SW_HD static inline sw_dem_neck sw_dem_neck_at(const sw_dem_pair_material *m, double radius_a,
                                               double radius_b, double overlap)
{
    sw_dem_neck neck;
    neck.reduced = radius_a * radius_b / (radius_a + radius_b);
    neck.c = sqrt(2 * SW_DEM_PI * m->adhesion / m->normal_modulus);
    neck.root = sw_dem_neck_root(neck.reduced, neck.c, overlap);
    return neck;
}

/* Longest neck, m. */
SW_HD static inline double sw_dem_jkr_gap(const sw_dem_pair_material *m, double radius_a, double radius_b)
{
    const double reduced = radius_a * radius_b / (radius_a + radius_b);
    const double c = sqrt(2 * SW_DEM_PI * m->adhesion / m->normal_modulus);
    return 0.75 * c * cbrt(0.25 * reduced * c);
}

/* Work of the force from touch on, J: elastic and surface energies, less those at touch. With x = sqrt(a),
 * E* (8 x^10 / (15 R^2) - 4 c x^7 / (3 R) + c^2 x^4 / 2). */
SW_HD static inline double sw_dem_neck_energy(const sw_dem_pair_material *m, const sw_dem_neck *neck)
{
    const double touch = cbrt(neck->reduced * neck->c);
    double energy = 0;
    for (int at = 0; at < 2; at++) {
        const double x = at == 0 ? neck->root : touch, r = x * x * x / neck->reduced;
        const double of = m->normal_modulus * x * x * x * x *
                          ((8.0 / 15) * r * r - (4.0 / 3) * neck->c * r + 0.5 * neck->c * neck->c);
        energy += at == 0 ? of : -of;
    }
    return energy;
}

/* Friction by F + 3 pi w R, the force that presses as much without adhesion at pull-off: Thornton 1991. */
SW_HD static inline void sw_dem_jkr(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                    double *law, sw_dem_stiffness *s)
{
    const double before = sw_dem_overlap_before(k, dt), rupture = sw_dem_jkr_gap(m, k->radius_a, k->radius_b);
    const int was = law[SW_DEM_BOND] > 0;
    if (!sw_dem_bound(k->overlap, rupture, law)) {
        const sw_dem_neck torn =
            sw_dem_neck_at(m, k->radius_a, k->radius_b, before > -rupture ? before : -rupture);
        sw_dem_unbind(was ? sw_dem_neck_energy(m, &torn) : 0, s);
        return;
    }
    const sw_dem_neck neck = sw_dem_neck_at(m, k->radius_a, k->radius_b, k->overlap);
    const double a = neck.root * neck.root;
    s->kn = 2 * m->normal_modulus * a; /* of a circle that stays, which bounds the step */
    s->kt = 8 * m->shear_modulus * a;
    s->normal_force = m->normal_modulus * a * ((4.0 / 3) * a * a / neck.reduced - 2 * neck.c * neck.root);
    s->normal_energy = sw_dem_neck_energy(m, &neck);
    s->pressed = s->normal_force + 3 * SW_DEM_PI * m->adhesion * neck.reduced;
    s->area = SW_DEM_PI * a * a;
}
#define sw_dem_jkr_needs sw_dem_dmt_needs

/* ---- cohesive ---- */

/* Tension that a bond bears, N: its strength on the circle of the smaller radius. */
SW_HD static inline double sw_dem_bond_force(const sw_dem_pair_material *m, double radius_a, double radius_b)
{
    const double least = radius_a < radius_b ? radius_a : radius_b;
    return SW_DEM_PI * least * least * m->bond_strength;
}
SW_HD static inline double sw_dem_cohesive_gap(const sw_dem_pair_material *m, double radius_a,
                                               double radius_b)
{
    return sw_dem_bond_force(m, radius_a, radius_b) * (radius_a + radius_b) /
           (2 * m->young * radius_a * radius_b);
}

/* F = K_N overlap down to minus the bond's; friction by their sum. */
SW_HD static inline void sw_dem_cohesive(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                         double *law, sw_dem_stiffness *s)
{
    const double bond = sw_dem_bond_force(m, k->radius_a, k->radius_b);
    const int was = law[SW_DEM_BOND] > 0;
    sw_dem_linear(m, k, dt, law, s);
    if (!sw_dem_bound(k->overlap, bond / s->kn, law)) {
        const double before = sw_dem_overlap_before(k, dt);
        sw_dem_unbind(was ? 0.5 * s->kn * before * before : 0, s);
        return;
    }
    s->pressed = s->normal_force + bond;
}
static inline sw_dem_need sw_dem_cohesive_needs(const sw_dem_material *m)
{
    return sw_dem_need_of(sw_dem_linear_needs(m), "bond_strength", m->bond_strength,
                          m->bond_strength >= 0 && m->bond_strength < INFINITY, ">= 0");
}

/* ---- capillary ---- */

/* Rupture distance (1 + theta / 2) V^(1/3), m. */
SW_HD static inline double sw_dem_capillary_gap(const sw_dem_pair_material *m, double radius_a,
                                                double radius_b)
{
    (void)radius_a;
    (void)radius_b;
    return (1 + 0.5 * m->wetting_angle) * cbrt(m->liquid_volume);
}

/* Pull of the bridge at a separation S, and the work against it from touch on:
 *     F = 2 pi R' sigma cos(theta) / (1 + 1.05 s + 2.5 s^2),  s = S sqrt(R' / V),  R' = 2 R. */
SW_HD static inline void sw_dem_bridge(const sw_dem_pair_material *m, double radius_a, double radius_b,
                                       double separation, double *pull, double *work)
{
    const double radius = 2 * radius_a * radius_b / (radius_a + radius_b);
    const double at_touch = 2 * SW_DEM_PI * radius * m->liquid_tension * m->wetting_cosine;
    if (separation <= 0) {
        *pull = at_touch;
        *work = at_touch * separation;
        return;
    }
    const double per = sqrt(radius / m->liquid_volume), s = separation * per;
    const double root = 2.9828677803526098; /* sqrt(4 2.5 - 1.05^2) */
    *pull = at_touch / (1 + 1.05 * s + 2.5 * s * s);
    *work = at_touch / per * 2 / root * (atan((5 * s + 1.05) / root) - atan(1.05 / root));
}

/* Friction by the spring's force alone. */
SW_HD static inline void sw_dem_capillary(const sw_dem_pair_material *m, const sw_dem_kinematics *k,
                                          double dt, double *law, sw_dem_stiffness *s)
{
    const double rupture = sw_dem_capillary_gap(m, k->radius_a, k->radius_b);
    const int was = law[SW_DEM_BOND] > 0;
    double pull, work;
    if (!sw_dem_bound(k->overlap, rupture, law)) {
        const double before = -sw_dem_overlap_before(k, dt);
        sw_dem_bridge(m, k->radius_a, k->radius_b, before < rupture ? before : rupture, &pull, &work);
        sw_dem_unbind(was ? work : 0, s);
        return;
    }
    sw_dem_bridge(m, k->radius_a, k->radius_b, -k->overlap, &pull, &work);
    sw_dem_linear(m, k, dt, law, s);
    if (!(k->overlap > 0)) /* liquid alone */
        s->kn = s->kt = s->normal_force = s->normal_energy = s->pressed = 0;
    s->normal_force -= pull;
    s->normal_energy += work;
}
static inline sw_dem_need sw_dem_capillary_needs(const sw_dem_material *m)
{
    const double quarter = 0.5 * SW_DEM_PI;
    sw_dem_need need = sw_dem_linear_needs(m);
    need = sw_dem_need_of(need, "liquid_volume", m->liquid_volume,
                          m->liquid_volume > 0 && m->liquid_volume < INFINITY, "> 0");
    need = sw_dem_need_of(need, "liquid_tension", m->liquid_tension,
                          m->liquid_tension >= 0 && m->liquid_tension < INFINITY, ">= 0");
    return sw_dem_need_of(need, "wetting_angle", m->wetting_angle,
                          m->wetting_angle >= 0 && m->wetting_angle <= quarter, "0 to a right angle");
}

#endif
