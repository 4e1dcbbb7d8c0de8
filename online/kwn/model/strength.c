/* Strength from a point's precipitates and solutes: Myhr, Grong and Andersen, Acta Mater. 49 (2001) 65.
 *
 *     sigma_y = sigma_0 + sum k_i c_i^n + sigma_p,   HV = slope sigma_y + intercept
 *
 * A particle pins a dislocation with F = 2 beta G b^2 min(r / r_c, 1): sheared below r_c, bypassed above.
 * With mean force F and mean radius r of a phase of volume fraction f
 *
 *     sigma_p = M / (b r) (2 beta G b^2)^(-1/2) (3 f / 2 pi)^(1/2) F^(3/2),
 *
 * and phases add as (sum sigma_p^m)^(1/m). */
#include <math.h>

#include "alloy.h"

static double particle_stress(const sw_kwn_strength *s, const sw_kwn_population *phase)
{
    const double pi = 3.14159265358979323846;
    if (!(phase->number > 0 && phase->radius_sum > 0))
        return 0;
    const double strongest =
        2 * s->line_tension_factor * s->shear_modulus * s->burgers_vector * s->burgers_vector;
    const double force = strongest * phase->obstacle_sum / phase->number;
    const double radius = phase->radius_sum / phase->number;
    return s->taylor_factor / (s->burgers_vector * radius) / sqrt(strongest) *
           sqrt(3 * phase->fraction / (2 * pi)) * pow(force, 1.5);
}

sw_kwn_strength_result sw_kwn_strength_of(const sw_kwn_alloy *alloy, const sw_kwn_point *point)
{
    const sw_kwn_strength *s = &alloy->strength;
    sw_kwn_strength_result result = {0};
    if (!(s->taylor_factor > 0))
        return result;
    for (int i = 0; i < alloy->n_solutes; i++)
        result.solid_solution += s->solid_solution[i] * pow(point->matrix[i], s->solid_solution_exponent);
    double sum = 0;
    for (int p = 0; p < alloy->n_phases; p++)
        sum += pow(particle_stress(s, &point->phase[p]), s->particle_sum_exponent);
    result.particles = pow(sum, 1 / s->particle_sum_exponent);
    result.yield_stress = s->lattice_resistance + result.solid_solution + result.particles;
    result.hardness = s->hardness_slope * result.yield_stress + s->hardness_intercept;
    result.slip_resistance = result.yield_stress / s->taylor_factor;
    return result;
}
