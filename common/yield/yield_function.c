#include "yield_function.h"

#include <math.h>

#include "hill48.h"
#include "yld2000_2d.h"
#include "yld2004_18p.h"

const sw_yield_function sw_yield_functions[SW_YIELD_FUNCTIONS] = {
    [SW_YIELD_HILL48] = {.name = "hill48",
                         .title = "Hill 1948",
                         .coefficients = SW_HILL48_COEFFICIENTS,
                         .coefficient = sw_hill48_names,
                         .isotropic = sw_hill48_isotropic,
                         .value = sw_hill48,
                         .is_convex = sw_hill48_is_convex},
    [SW_YIELD_YLD2000_2D] = {.name = "yld2000_2d",
                             .title = "Yld2000-2d (Barlat et al. 2003)",
                             .coefficients = SW_YLD2000_COEFFICIENTS,
                             .coefficient = sw_yld2000_names,
                             .isotropic = sw_yld2000_isotropic,
                             .even = {0x43, 0xbc}, /* of X'; of X'' */
                             .has_exponent = 1,
                             .plane_stress = 1,
                             .value = sw_yld2000_2d},
    [SW_YIELD_YLD2004_18P] = {.name = "yld2004_18p",
                              .title = "Yld2004-18p (Barlat et al. 2005)",
                              .coefficients = SW_YLD2004_COEFFICIENTS,
                              .coefficient = sw_yld2004_names,
                              .isotropic = sw_yld2004_isotropic,
                              .even = {0x3ffff},
                              .has_exponent = 1,
                              .value = sw_yld2004_18p,
                              .curvature = sw_yld2004_18p_curvature},
};

const char *const sw_yield_function_names[SW_YIELD_FUNCTIONS] = {[SW_YIELD_HILL48] = "hill48",
                                                                 [SW_YIELD_YLD2000_2D] = "yld2000_2d",
                                                                 [SW_YIELD_YLD2004_18P] = "yld2004_18p"};

sw_yield sw_yield_isotropic(int function, double exponent, double reference)
{
    sw_yield surface = {
        .function = &sw_yield_functions[function], .exponent = exponent, .reference = reference};
    for (int i = 0; i < surface.function->coefficients; i++)
        surface.coefficient[i] = surface.function->isotropic[i];
    return surface;
}

double sw_yield_value(const sw_yield *y, const double stress[6], double gradient[6])
{
    return y->function->value(y->coefficient, y->exponent, stress, gradient);
}

int sw_yield_is_convex(const sw_yield *y)
{
    return y->function->is_convex == NULL || y->function->is_convex(y->coefficient);
}

void sw_uniaxial_stress(double angle, double stress[6])
{
    const double c = cos(angle), s = sin(angle), all[6] = {c * c, s * s, 0, 0, 0, c * s};
    for (int i = 0; i < 6; i++)
        stress[i] = all[i];
}

void sw_yield_uniaxial(const sw_yield *y, double angle, double *stress, double *q)
{
    double s[6], d[6];
    sw_uniaxial_stress(angle, s);
    const double phi = sw_yield_value(y, s, d);
    /* Along the length D : s, which is phi (Euler); along the width what is left of D11 + D22. */
    if (stress != NULL)
        *stress = y->reference / phi;
    if (q != NULL)
        *q = 1 - (d[0] + d[1]) / phi;
}

void sw_yield_biaxial(const sw_yield *y, double *stress, double *q)
{
    static const double s[6] = {1, 1, 0, 0, 0, 0};
    double d[6];
    const double phi = sw_yield_value(y, s, d);
    if (stress != NULL)
        *stress = y->reference / phi;
    if (q != NULL)
        *q = d[1] / phi;
}

double sw_r_of_q(double q) { return q / (1 - q); }
double sw_q_of_r(double r) { return isinf(r) ? 1 : r / (1 + r); }
