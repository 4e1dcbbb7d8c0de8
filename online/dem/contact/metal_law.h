/* Contact of metal particles: power-law flow and elasticity in series.
 *
 * Flow, sigma = sigma1 (strain rate)^N: Storakers, Biwa and Larsson 1997, with the departures of docs/theory.md,
 *     F = (1 + 2N) 2^(1 - 3N/2) 3^(1 - N) pi c^(2 + N) sigma1 (R0 h)^(1 - N/2) (dh/dt)^N,
 *     contact radius a^2 = 2 c^2 R0 h,  R0 = r_a r_b / (r_a + r_b),  c^2 = 1.43 exp(-0.97 N),
 *     sigma1 of two particles (sigma_a^(-1/N) + sigma_b^(-1/N))^(-N).
 * Unloading from (h0, F0): Mesarovic and Johnson 2000, a contact of uniform pressure whose radius a0 shrinks
 * elastically,
 *     F = (2 F0 / pi) (acos s - s sqrt(1 - s^2)),  s = (h0 - h) / d,  d = 2 F0 / (pi a0 E*),  0 <= s <= 1,
 * beyond h0 its tangent, 2 E* a. A step's overlap is divided between both, implicitly: no bound of the time step
 * comes from slow flow, and none of the rate is needed.
 * With cohesion eta (Fleck 1995) what has flowed is welded: it unloads along the tangent, its circle whole, down to
 * -eta F0, where it breaks; friction is then that of F + eta F0.
 * `coupled`: coupled_law.h; the circle is then that of R', for which 2 R0 h stands everywhere. */
#ifndef SW_ONLINE_DEM_CONTACT_METAL_LAW_H
#define SW_ONLINE_DEM_CONTACT_METAL_LAW_H

#include "pair.h"

/* The law's numbers. WORK is since the crystals' last refresh. */
enum {
    SW_DEM_METAL_OVERLAP,  /* h0, m */
    SW_DEM_METAL_FORCE,    /* F0, N */
    SW_DEM_METAL_STRENGTH, /* sigma1 of the pair, Pa s^N; 0: of the particles' own */
    SW_DEM_METAL_PART_A,   /* of the plastic work that is done in particle a */
    SW_DEM_METAL_WORK,     /* plastic, J */
    SW_DEM_METAL_BOND,     /* whether it is welded */
    SW_DEM_METAL_NUMBERS
};

/* (a^(-1/N) + b^(-1/N))^(-N), without overflow for small N. */
SW_HD static inline double sw_dem_pair_strength(double a, double b, double n)
{
    const double least = a < b ? a : b, most = a < b ? b : a;
    return most > 0 ? least * pow(1 + pow(least / most, 1 / n), -n) : 0;
}

/* Part of its plastic work, and of its approach, that side a of a pair takes: the softer one more. */
SW_HD static inline double sw_dem_softer_part(double a, double b, double n)
{
    return 1 / (1 + pow(a / b, 1 / n));
}

/* A contact of particles of these strengths along its normal. */
SW_HD static inline void sw_dem_metal_strengthen(double a, double b, double n, double *law)
{
    law[SW_DEM_METAL_STRENGTH] = sw_dem_pair_strength(a, b, n);
    law[SW_DEM_METAL_PART_A] = sw_dem_softer_part(a, b, n);
}

/* Elastic deflection d from F0 to nothing, m. */
SW_HD static inline double sw_dem_metal_recovery(double force, double radius, double modulus)
{
    return 2 * force / (3.14159265358979323846 * radius * modulus);
}

/* F / F0 and the energy stored over F0 d, at s = (h0 - h) / d of 0 .. 1. */
SW_HD static inline void sw_dem_metal_unloaded(double s, double *force, double *energy)
{
    const double two_pi = 0.63661977236758134308; /* 2 / pi */
    const double root = sqrt(1 - s * s), angle = acos(s);
    *force = two_pi * (angle - s * root);
    *energy = two_pi * (root - s * angle - root * root * root / 3);
}

/* Force (N) and energy stored (J) at an overlap, without flow. */
SW_HD static inline void sw_dem_metal_elastic(const sw_dem_pair_material *m, double reduced,
                                              const double *law, double overlap, double *force,
                                              double *energy)
{
    const double h0 = law[SW_DEM_METAL_OVERLAP], f0 = law[SW_DEM_METAL_FORCE];
    const double of = overlap > h0 ? overlap : h0, radius = sqrt(2 * m->area_factor * reduced * of);
    *force = *energy = 0;
    if (law[SW_DEM_METAL_BOND] > 0) { /* on both sides of h0, or each crossing would change what is stored */
        *force = f0 - 2 * m->normal_modulus * radius * (h0 - overlap);
        *energy = 0.25 * *force * *force / (m->normal_modulus * radius);
        return;
    }
    if (overlap >= h0) {
        *force = f0 + 2 * m->normal_modulus * radius * (overlap - h0);
    } else if (f0 > 0) {
        const double d = sw_dem_metal_recovery(f0, radius, m->normal_modulus), s = (h0 - overlap) / d;
        if (s < 1)
            sw_dem_metal_unloaded(s, force, energy);
        *energy *= f0 * d;
        *force *= f0;
        return;
    }
    if (*force > 0) /* 4 / (3 pi) of F0 d */
        *energy = 0.42441318157838756205 * *force * sw_dem_metal_recovery(*force, radius, m->normal_modulus);
}

/* The flow f of a step's overlap, m: B (f / dt)^N + K f = F; 0 where it is less than 1e-8 of F / K, so that contacts
 * unload and load elastically: for N = 0.012 below 0.8 of the force that flows. Newton's method for ln f, in which
 * the left side is convex and grows: from the right of the root it comes down to it; a first guess on its left leads
 * to its right. */
SW_HD static inline double sw_dem_metal_flow(double b, double n, double dt, double stiffness, double force,
                                             double guess)
{
    const double most = log(force / stiffness);
    double e = guess > 0 && guess * stiffness < force ? log(guess) : most;
    if (log(force / b) < n * (most - log(dt) - 18.4)) /* (F / B)^(1/N) dt K / F */
        return 0;
    for (int i = 0; i < 60; i++) {
        const double viscous = b * exp(n * (e - log(dt))), elastic = stiffness * exp(e);
        const double off = viscous + elastic - force;
        if (fabs(off) <= 1e-13 * force)
            break;
        e -= off / (n * viscous + elastic);
        e = e < most ? e : most;
    }
    return exp(e);
}

/* What a step's motion gave and is not stored. */
SW_HD static inline void sw_dem_metal_dissipate(double before, double stored, double motion, double *law,
                                                sw_dem_stiffness *s)
{
    s->plastic_work = 0.5 * (before + s->normal_force) * motion + stored - s->normal_energy;
    law[SW_DEM_METAL_WORK] += s->plastic_work;
}

/* A contact that is pressed flows as far as it can in a step that began at the overlap `old`. */
SW_HD static inline void sw_dem_metal_yield(const sw_dem_pair_material *m, double reduced, double harder,
                                            double overlap, double old, double dt, double *law,
                                            sw_dem_stiffness *s)
{
    const double n = m->rate_sensitivity;
    const double b =
        harder * m->force_factor * law[SW_DEM_METAL_STRENGTH] * pow(reduced * overlap, 1 - 0.5 * n);
    const double flow = sw_dem_metal_flow(b, n, dt, s->kn, s->normal_force, overlap - old);
    double before, stored;
    if (!(flow > 0))
        return;
    sw_dem_metal_elastic(m, reduced, law, old, &before, &stored);
    if (overlap >= law[SW_DEM_METAL_OVERLAP]) {
        law[SW_DEM_METAL_OVERLAP] = overlap;
        law[SW_DEM_METAL_FORCE] = b * pow(flow / dt, n); /* its digits do not cancel, as those of F - K f */
    } else {                                             /* on the way down: the curve is shifted */
        law[SW_DEM_METAL_OVERLAP] += flow;
    }
    law[SW_DEM_METAL_BOND] = m->cohesion > 0;
    sw_dem_metal_elastic(m, reduced, law, overlap, &s->normal_force, &s->normal_energy);
#ifndef __CUDA_ARCH__
    if (m->coupled && before > s->normal_force) { /* R' grew: what others' work pays for */
        before = s->normal_force;
        stored = s->normal_energy;
    }
#endif
    sw_dem_metal_dissipate(before, stored, overlap - old, law, s);
}

/* A weld breaks that bears no more: from where it is the contact has to be pressed anew. */
SW_HD static inline void sw_dem_metal_break(const sw_dem_pair_material *m, double reduced, double overlap,
                                            double old, double radius, double *law, sw_dem_stiffness *s)
{
    double before, stored;
    sw_dem_metal_elastic(m, reduced, law, old, &before, &stored);
    law[SW_DEM_METAL_BOND] = 0;
    law[SW_DEM_METAL_OVERLAP] =
        overlap + sw_dem_metal_recovery(law[SW_DEM_METAL_FORCE], radius, m->normal_modulus);
    s->normal_force = s->normal_energy = 0;
    sw_dem_metal_dissipate(before, stored, overlap - old, law, s);
}

/* What stands for R0, m, so that 2 c^2 R0 h is the circle's a^2, at the overlap h0 where it has sprung back from there. And
 * the mean pressure over Storakers'. */
SW_HD static inline double sw_dem_metal_coupled(const sw_dem_pair_material *m, const sw_dem_kinematics *k,
                                                double overlap, double *harder)
{
    const double distance = k->distance - (overlap - k->overlap);
    const double most_a = k->crowd_a.radius, most_b = k->crowd_b.radius;
    const double plane = most_b > 0 ? sw_dem_meeting_plane(distance, most_a, most_b) : distance;
    const double square = (most_a - plane) * (most_a + plane), circle = sqrt(square);
    double piled, piled_b;
    *harder = sw_dem_coupled_pressure(m->area_factor, circle / most_a, k->crowd_a.covered, &piled);
    if (most_b > 0) {
        *harder += sw_dem_coupled_pressure(m->area_factor, circle / most_b, k->crowd_b.covered, &piled_b);
        *harder *= 0.5;
        piled = 0.5 * (piled + piled_b);
    }
    return 0.5 * piled * square / (m->area_factor * overlap);
}

SW_HD static inline void sw_dem_metal_of(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                         double *law, sw_dem_stiffness *s)
{
    double reduced = k->radius_a * k->radius_b / (k->radius_a + k->radius_b), harder = 1;
    const double old = fmax(k->overlap - k->closing * dt, 0.0);
    if (law[SW_DEM_METAL_STRENGTH] ==
        0) { /* seen for the first time; an overlap from before bears nothing yet */
        sw_dem_metal_strengthen(k->strength_a, k->strength_b, m->rate_sensitivity, law);
        if (law[SW_DEM_METAL_OVERLAP] == 0)
            law[SW_DEM_METAL_OVERLAP] = old;
    }
    const double of = fmax(k->overlap, law[SW_DEM_METAL_OVERLAP]);
#ifndef __CUDA_ARCH__ /* refused with a GPU */
    if (m->coupled && of > 0)
        reduced = sw_dem_metal_coupled(m, k, of, &harder);
#endif
    sw_dem_metal_elastic(m, reduced, law, k->overlap, &s->normal_force, &s->normal_energy);
    const double radius = sqrt(2 * m->area_factor * reduced * of);
    s->kn = 2 * m->normal_modulus * radius;
    if (dt > 0 && s->normal_force > 0)
        sw_dem_metal_yield(m, reduced, harder, k->overlap, old, dt, law, s);
    else if (dt > 0 && s->normal_force < -m->cohesion * law[SW_DEM_METAL_FORCE])
        sw_dem_metal_break(m, reduced, k->overlap, old, radius, law, s);
    s->pressed = s->normal_force + law[SW_DEM_METAL_BOND] * m->cohesion * law[SW_DEM_METAL_FORCE];
    s->strength = law[SW_DEM_METAL_STRENGTH];
    s->area = 3.14159265358979323846 * radius * radius;
    s->kt = 8 * m->shear_modulus * radius;
}

SW_HD static inline void sw_dem_metal(const sw_dem_pair_material *m, const sw_dem_kinematics *k, double dt,
                                      double *law, sw_dem_stiffness *s)
{
#ifndef __CUDA_ARCH__ /* refused with a GPU */
    if (m->coupled) { /* overlaps are those of spheres of R' */
        sw_dem_kinematics of = *k;
        of.overlap += k->crowd_a.radius - k->radius_a;
        of.overlap += k->crowd_b.radius > 0 ? k->crowd_b.radius - k->radius_b : 0;
        sw_dem_metal_of(m, &of, dt, law, s);
        return;
    }
#endif
    sw_dem_metal_of(m, k, dt, law, s);
}

/* What numbers that come from a file have to be, unless they are; else NULL. reach: sum of the radii, m. */
static inline const char *sw_dem_metal_remembers(const double *law, double reach)
{
    return !(law[SW_DEM_METAL_OVERLAP] >= 0 && law[SW_DEM_METAL_OVERLAP] < reach)
               ? "0 <= overlap < the sum of the radii"
           : !(law[SW_DEM_METAL_FORCE] >= 0)                                   ? "force >= 0"
           : !(law[SW_DEM_METAL_STRENGTH] >= 0)                                ? "strength >= 0"
           : !(law[SW_DEM_METAL_PART_A] >= 0 && law[SW_DEM_METAL_PART_A] <= 1) ? "0 <= part <= 1"
           : !(law[SW_DEM_METAL_BOND] == 0 || law[SW_DEM_METAL_BOND] == 1)     ? "a weld of 0 or 1"
                                                                               : NULL;
}

/* It acts where spheres overlap. */
#define sw_dem_metal_gap(m, a, b) 0

static inline sw_dem_need sw_dem_metal_needs(const sw_dem_material *m)
{
    const double n = m->rate_sensitivity;
    sw_dem_need need = sw_dem_need_of(sw_dem_no_need(), "poisson", m->poisson,
                                      m->poisson > -1 && m->poisson <= 0.5, "-1 < poisson <= 0.5");
    need = sw_dem_need_of(need, "strength", m->strength, m->strength > 0 && m->strength < INFINITY, "> 0");
    need = sw_dem_need_of(need, "rate_sensitivity", n, !m->coupled || n <= SW_DEM_COUPLED_RATE,
                          "at most 0.1 of coupled contacts");
    need = sw_dem_need_of(need, "cohesion", m->cohesion, m->cohesion >= 0 && m->cohesion <= 1, "0 to 1");
    return sw_dem_need_of(need, "rate_sensitivity", n, n > 0 && n <= 1, "0 < rate_sensitivity <= 1");
}

#endif
