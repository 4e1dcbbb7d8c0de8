/* What neighbouring contacts do to one of metal (`coupled`): fully plastic contacts of a sphere whose volume stays.
 *
 * A particle of radius R that contacts flatten is a sphere of R' > R, cut by their planes, of the same volume: a contact
 * at the distance d from its centre so has the circle A = pi (R'^2 - d^2), x = sqrt(A / pi) / R' of the particle, and
 * f = sum of (1 - d / R') / 2 is the part of its surface that contacts take. Then
 *     F = F_S(P A) [1 - exp(-k x^-0.7)] C(f),
 *     P = 1 + (c^2 - 1) exp(-(x / x1)^4 - (f / f1)^2),  C = 1 + b f^3,
 * F_S is Storakers' force of a circle P A; of two particles the mean of both sides. The bracket is the mean pressure of a large circle (the form is Jackson and
 * Green's, 2005); P is metal that piles up around a circle, for which there is less room the nearer others are; C is what a
 * closing surface adds. k, x1, f1, b are fitted to finite elements (docs/theory.md), of a metal that flows at one
 * stress: N up to SW_DEM_COUPLED_RATE. x, f -> 0: F_S. */
#ifndef SW_ONLINE_DEM_CONTACT_COUPLED_LAW_H
#define SW_ONLINE_DEM_CONTACT_COUPLED_LAW_H

#include <math.h>

#include "common/system/device.h"

#define SW_DEM_COUPLED_RATE 0.1
/* R' over R, less 1, at most: how much further contacts are looked for. */
#define SW_DEM_MOST_GROWTH 0.2
/* f beyond which caps overlap: 0.88 of six contacts, 0.80 of twelve. */
#define SW_DEM_MOST_COVERED 0.95

/* A particle among its contacts. */
typedef struct {
    double radius;  /* R', m; 0: it is a wall */
    double covered; /* f */
} sw_dem_crowd;

/* Distance from the centre of sphere a to the plane of the circle in which two meet, m. */
SW_HD static inline double sw_dem_meeting_plane(double distance, double radius_a, double radius_b)
{
    return 0.5 * (distance + (radius_a - radius_b) * (radius_a + radius_b) / distance);
}

/* What contacts cut off a sphere: caps' volume (m^3) and area (m^2); and how fast the volume falls as the sphere's radius
 * moves the planes (m^2). */
typedef struct {
    double volume, area, moves;
} sw_dem_caps;

/* One more, of a plane; distance: of centres, of two spheres; 0: the plane stays. */
SW_HD static inline void sw_dem_cap(double radius, double plane, double distance, sw_dem_caps *caps)
{
    const double pi = 3.14159265358979323846, height = radius - plane;
    if (!(height > 0))
        return;
    caps->volume += pi * height * height * (radius - height / 3);
    caps->area += 2 * pi * radius * height;
    caps->moves += distance > 0 ? pi * height * (radius + plane) * radius / distance : 0;
}

/* A sphere, once r, now of another radius, that contacts cut these caps off: one step of Newton's method towards the volume
 * of r. It has the sphere's own derivative alone, which is the larger part: all particles step at once. */
SW_HD static inline sw_dem_crowd sw_dem_crowded(double r, double now, const sw_dem_caps *caps)
{
    const double pi = 3.14159265358979323846, all = 4 * pi * now * now, most = (1 + SW_DEM_MOST_GROWTH) * r;
    const double covered = caps->area < SW_DEM_MOST_COVERED * all ? caps->area / all : SW_DEM_MOST_COVERED;
    const double missing = caps->volume - 4.0 / 3 * pi * (now - r) * (now * now + now * r + r * r);
    double step = missing / ((1 - covered) * all + caps->moves);
    step = step > 0.01 * r ? 0.01 * r : step < -0.01 * r ? -0.01 * r : step;
    const double grown = now + step;
    const sw_dem_crowd next = {grown < r ? r : grown < most ? grown : most, covered};
    return next;
}

/* Mean pressure over Storakers'; piled: the circle's area over A; x, f as above. */
SW_HD static inline double sw_dem_coupled_pressure(double area_factor, double x, double f, double *piled)
{
    const double k = 0.491, x1 = 0.664, f1 = 0.384, b = 0.706;
    const double x2 = x * x / (x1 * x1), f2 = f * f / (f1 * f1);
    *piled = 1 + (area_factor - 1) * exp(-x2 * x2 - f2);
    return (1 - exp(-k * pow(x, -0.7))) * (1 + b * f * f * f);
}

#endif
