/* Billets of steel that are upset, and their closed forms without friction. */
#ifndef SW_TESTS_ONLINE_FEM_CONVECTED_BILLETS_H
#define SW_TESTS_ONLINE_FEM_CONVECTED_BILLETS_H

#include "tests/online/fem/meshes.h"

#include "online/fem/convected/billet.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};

static inline sw_fem_convected billet_of(int64_t across, int64_t up, double friction, double reduction)
{
    return (sw_fem_convected){.kinematics = SW_FEM_AXISYMMETRIC,
                              .radius = 0.01,
                              .height = 0.03,
                              .cells = {across, up},
                              .material = steel,
                              .friction = friction,
                              .reduction = reduction};
}

static inline sw_fem_convected_options fast_options(int64_t steps)
{
    sw_fem_convected_options options = sw_fem_default_convected_options();
    options.steps = steps;
    options.method = SW_FEM_BICONJUGATE;
    options.linear_tolerance = 1e-10;
    return options;
}

/* Frictionless: homogeneous. A is Almansi's elastic strain, A_1 = -kappa / E, A_2 = nu kappa / E; its rate leaves
 * d_1 = (dA_1 - dp) / (1 - 2 A_1), d_2 = (dA_2 + dp / 2) / (1 - 2 A_2), which integrate for kappa = kappa_0 + H p. */
typedef struct {
    double height, radius, force; /* over the first ones; N */
} upset;

static inline upset paper_at(const sw_fem_convected *billet, double p)
{
    const double e = steel.young, nu = steel.poisson, h = steel.parameter[0], first = steel.yield_stress,
                 k = first + h * p;
    const double height = -0.5 * log1p(2 * k / e) - e / (2 * h) * log((e + 2 * k) / (e + 2 * first));
    const double radius =
        -0.5 * log1p(-2 * nu * k / e) - e / (4 * nu * h) * log((e - 2 * nu * k) / (e - 2 * nu * first));
    return (upset){exp(height), exp(radius), k * PI * pow(billet->radius * exp(radius), 2)};
}

/* Logarithmic strains, F = F_e F_p: kappa is Kirchhoff's stress, J = exp(-(1 - 2 nu) kappa / E). */
static inline upset logarithmic_at(const sw_fem_convected *billet, double p)
{
    const double k = steel.yield_stress + steel.parameter[0] * p, e = k / steel.young;
    const double radius = steel.poisson * e + 0.5 * p;
    return (upset){exp(-e - p), exp(radius),
                   k * exp((1 - 2 * steel.poisson) * e) * PI * pow(billet->radius * exp(radius), 2)};
}

/* Force when the height is this part of the first one. */
static inline double force_at(const sw_fem_convected *billet, double height,
                              upset (*at)(const sw_fem_convected *billet, double p))
{
    double low = 0, high = 3;
    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        *(at(billet, middle).height > height ? &low : &high) = middle;
    }
    return at(billet, low).force;
}

#endif
