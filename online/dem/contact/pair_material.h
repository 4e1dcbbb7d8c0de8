/* Two particles' materials -> what their contact has. Of one material these are its own numbers. Of two:
 *   linear         springs of both in series: harmonic means of E and of nu E
 *   others         1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b, 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b: Hertz, Mindlin
 *   friction, cohesion, strengths of bonds and moments: the lesser; stiffnesses of moments, the liquid's: the mean;
 *   adhesion: the root of the product
 * Both have one law, one moment_radius and one rate sensitivity. */
#ifndef SW_ONLINE_DEM_CONTACT_PAIR_MATERIAL_H
#define SW_ONLINE_DEM_CONTACT_PAIR_MATERIAL_H

#include <math.h>

#include "slipwave/dem.h"

typedef struct {
    sw_dem_law law;
    sw_dem_moment_radius moment_radius;
    double young, poisson; /* of the linear law */
    double normal_modulus; /* E*, Pa */
    double shear_modulus;  /* G*, Pa */
    double friction;
    double roll_stiffness, twist_stiffness, roll_strength, twist_strength;
    double cohesion;
    double adhesion, bond_strength;       /* J/m^2, Pa */
    double liquid_volume, liquid_tension; /* m^3, N/m */
    double wetting_angle, wetting_cosine; /* rad */
    double rate_sensitivity;              /* N */
    int coupled;                          /* contacts of a particle: coupled_law.h */
    double area_factor;                   /* c^2 of metal_law.h */
    double force_factor; /* (1 + 2N) 2^(1 - 3N/2) 3^(1 - N) pi c^(2 + N), over time_scale^N */
} sw_dem_pair_material;

/* Storakers, Biwa and Larsson 1997: c^2 = a^2 / (2 R0 h), fitted between 1.45 (N = 0) and 1/2 (N = 1). */
static inline double sw_dem_area_factor(double rate_sensitivity)
{
    return 1.43 * exp(-0.97 * rate_sensitivity);
}

static inline double sw_dem_harmonic(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

static inline void sw_dem_set_moduli(const sw_dem_material *a, const sw_dem_material *b, int same,
                                     sw_dem_pair_material *pair)
{
    pair->young = same ? a->young : sw_dem_harmonic(a->young, b->young);
    pair->poisson =
        same ? a->poisson : sw_dem_harmonic(a->poisson * a->young, b->poisson * b->young) / pair->young;
    if (same) {
        pair->normal_modulus = a->young / (2 * (1 - a->poisson * a->poisson));
        pair->shear_modulus = a->young / (4 * (1 + a->poisson) * (2 - a->poisson));
        return;
    }
    const double shear_a = a->young / (2 * (1 + a->poisson)), shear_b = b->young / (2 * (1 + b->poisson));
    pair->normal_modulus =
        1 / ((1 - a->poisson * a->poisson) / a->young + (1 - b->poisson * b->poisson) / b->young);
    pair->shear_modulus = 1 / ((2 - a->poisson) / shear_a + (2 - b->poisson) / shear_b);
}

/* same: a and b are one material, whose numbers then are kept to the bit. time_scale: of the numerics. */
static inline sw_dem_pair_material sw_dem_pair_of(const sw_dem_material *a, const sw_dem_material *b,
                                                  int same, double time_scale)
{
    const double n = a->rate_sensitivity, area = sw_dem_area_factor(n);
    sw_dem_pair_material pair = {.law = a->law,
                                 .moment_radius = a->moment_radius,
                                 .friction = fmin(a->friction, b->friction),
                                 .roll_stiffness = 0.5 * (a->roll_stiffness + b->roll_stiffness),
                                 .twist_stiffness = 0.5 * (a->twist_stiffness + b->twist_stiffness),
                                 .roll_strength = fmin(a->roll_strength, b->roll_strength),
                                 .twist_strength = fmin(a->twist_strength, b->twist_strength),
                                 .cohesion = fmin(a->cohesion, b->cohesion),
                                 .adhesion = same ? a->adhesion : sqrt(a->adhesion * b->adhesion),
                                 .bond_strength = fmin(a->bond_strength, b->bond_strength),
                                 .liquid_volume = 0.5 * (a->liquid_volume + b->liquid_volume),
                                 .liquid_tension = 0.5 * (a->liquid_tension + b->liquid_tension),
                                 .wetting_angle = 0.5 * (a->wetting_angle + b->wetting_angle),
                                 .wetting_cosine = cos(0.5 * (a->wetting_angle + b->wetting_angle)),
                                 .rate_sensitivity = n,
                                 .coupled = a->coupled,
                                 .area_factor = area,
                                 .force_factor = (1 + 2 * n) * pow(2, 1 - 1.5 * n) * pow(3, 1 - n) *
                                                 3.14159265358979323846 * pow(area, 1 + 0.5 * n) *
                                                 pow(time_scale, -n)};
    sw_dem_set_moduli(a, b, same, &pair);
    return pair;
}

#endif
