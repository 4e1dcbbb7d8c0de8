#include "shape.h"

#include <math.h>

#define PI 3.14159265358979323846

/* Nearer to a sphere the closed forms are differences of equal numbers; their series begin at the square of this. */
static int is_sphere(double aspect_ratio) { return fabs(aspect_ratio - 1) < 1e-4; }

double sw_kwn_spheroid_area(double aspect_ratio)
{
    if (is_sphere(aspect_ratio))
        return 1;
    const double a = pow(aspect_ratio, -1.0 / 3), c = a * aspect_ratio; /* of volume 4 pi / 3 */
    if (aspect_ratio > 1) {
        const double e = sqrt(1 - a * a / (c * c));
        return 0.5 * (a * a + a * c * asin(e) / e);
    }
    const double e = sqrt(1 - c * c / (a * a));
    return 0.5 * (a * a + c * c * atanh(e) / e);
}

double sw_kwn_spheroid_capacity(double aspect_ratio)
{
    if (is_sphere(aspect_ratio))
        return 1;
    const double a = pow(aspect_ratio, -1.0 / 3), c = a * aspect_ratio;
    return aspect_ratio > 1 ? sqrt(c * c - a * a) / acosh(aspect_ratio)
                            : sqrt(a * a - c * c) / acos(aspect_ratio);
}

static double edge(double s, double k)
{
    if (!(4 * s * s > 1))
        return 0;
    return 2 * (PI - 2 * asin(0.5 / s) + k * k / 3 * sqrt(4 * s * s - 1) -
                acos(k / (s * sqrt(3))) * k * (3 - k * k));
}

/* Four sectors around the directions of a tetrahedron's corners, of each a sphere whose centre lies behind the common point;
 * its radius from there cubed, over directions at psi from the sector's middle, to tan psi = sqrt(2) / cos phi where the next
 * begins. Midpoint sums: 1e-5 of the volume. */
static double corner(double cosine)
{
    enum { PARTS = 200 };
    const double behind = cosine * sqrt(1.5);
    double volume = 0;
    for (int i = 0; behind < 1 && i < PARTS; i++) {
        const double phi = PI / 3 * (i + 0.5) / PARTS, most = atan(sqrt(2) / cos(phi));
        for (int j = 0; j < PARTS; j++) {
            const double psi = most * (j + 0.5) / PARTS, s = sin(psi);
            const double r = sqrt(1 - behind * behind * s * s) - behind * cos(psi);
            volume += 24 * r * r * r / 3 * s * (most / PARTS) * (PI / 3 / PARTS);
        }
    }
    return volume;
}

double sw_kwn_barrier_factor(sw_kwn_sites sites, double contact_angle)
{
    const double s = sin(contact_angle), k = cos(contact_angle), sphere = 4 * PI / 3;
    return sites == SW_SITES_GRAIN_EDGES     ? edge(s, k) / sphere
           : sites == SW_SITES_GRAIN_CORNERS ? corner(k) / sphere
                                             : 0.5 * (2 + k) * (1 - k) * (1 - k);
}
