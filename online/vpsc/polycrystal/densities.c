/* Dislocation densities that harden slip and twins (Beyerlein and Tome, Int. J. Plast. 24 (2008) 867; Capolungo, Beyerlein and Tome,
 * Scripta Mater. 60 (2009) 32; Knezevic et al., Int. J. Plast. 49 (2013) 185), as VPSC8 has them, of one phase: MPa, m, K. */
#include <math.h>

#include "state.h"

#define BOLTZMANN 1.380622e-29 /* MPa m^3/K, as in VPSC8 */

/* Numbers in the order of the file: of all, of slip, of twins. */
enum { MU, GRAIN_SIZE, CHI_FOREST, CHI_DEBRIS, DEBRIS, T_REFERENCE, RATE_REFERENCE };
enum { BURGERS, ENERGY, K1, DRAG, RATE0, DENSITY0, TAU_0, TAU_1, TAU_2, F_0, F_1, F_2, HALL_PETCH };
enum { NUCLEATION = 1, PROPAGATION = 4, COUPLING = 7 };

/* a + b exp(-T/c) of three numbers. */
static double falling(const double *abc, double temperature)
{
    return abc[0] + abc[1] * exp(-temperature / abc[2]);
}

/* A mode's shear modulus is that of its last system. */
double sw_vpsc_shear_modulus(const sw_vpsc_crystal *crystal, int m)
{
    const int a = crystal->mode[m].first + crystal->mode[m].count - 1;
    const double *b = crystal->direction[a], *n = crystal->normal[a];
    const double s[6] = {b[0] * n[0],
                         b[1] * n[1],
                         b[2] * n[2],
                         0.5 * (b[1] * n[2] + b[2] * n[1]),
                         0.5 * (b[0] * n[2] + b[2] * n[0]),
                         0.5 * (b[0] * n[1] + b[1] * n[0])};
    double mu = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            mu += (i < 3 ? 1 : 2) * s[i] * crystal->stiffness[i][j] * (j < 3 ? 1 : 2) * s[j];
    return mu;
}

static double slip_resistance(const sw_vpsc_crystal *crystal, int m, double mu, double temperature,
                              double forest, double debris)
{
    const double *x = crystal->mode[m].law, *of = crystal->common, burgers = x[BURGERS];
    double tau = falling(x + TAU_0, temperature) + mu * of[CHI_FOREST] * burgers * sqrt(forest);
    if (debris > 0)
        tau -= of[CHI_DEBRIS] * mu * burgers * sqrt(debris) * log(burgers * sqrt(debris));
    return tau + x[HALL_PETCH] * mu * sqrt(burgers / of[GRAIN_SIZE]);
}

/* K2/K1 of a slip mode; its inverse squared is the density at saturation. */
static double recovery(const sw_vpsc_crystal *crystal, int m, double temperature, double rate)
{
    const double *x = crystal->mode[m].law, b = x[BURGERS];
    return crystal->common[CHI_FOREST] * b / x[ENERGY] *
           (1 - BOLTZMANN * temperature / (b * b * b) / x[DRAG] * log(rate / x[RATE0]));
}

/* density [S]: none counts where the first step begins. */
static double twin_resistance(const sw_vpsc_crystal *crystal, int m, double temperature, double rate,
                              const double *density)
{
    const double *x = crystal->mode[m].law;
    const double start = falling(x + NUCLEATION, temperature), later = falling(x + PROPAGATION, temperature);
    double near = 0, tau = 0;
    for (int a = 0; a < crystal->n_slip && density != NULL; a++) {
        const int of = crystal->mode_of[a];
        const double relative = recovery(crystal, of, temperature, rate);
        tau += sw_vpsc_shear_modulus(crystal, of) * x[BURGERS] * crystal->mode[of].law[BURGERS] *
               x[COUPLING + of] * density[a];
        near += density[a] * relative * relative;
    }
    return tau + later + (start - later) * exp(-near);
}

/* At first all slip has the shear modulus of the last mode, as in VPSC8. */
void sw_vpsc_densities_begin(sw_vpsc_polycrystal *polycrystal)
{
    sw_vpsc_grains_of *p = &polycrystal->phase[0];
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    const int last = crystal->n_modes - crystal->n_twin_modes - 1;
    const double t = polycrystal->temperature, mu = sw_vpsc_shear_modulus(crystal, last);
    for (int64_t g = 0; g < p->n; g++) {
        double *density = p->density + g * p->systems, *crss = p->crss + g * p->systems, forest = 0;
        p->debris[g] = crystal->common[DEBRIS];
        for (int a = 0; a < crystal->n_slip; a++) {
            density[a] = crystal->mode[crystal->mode_of[a]].law[DENSITY0];
            forest += density[a];
        }
        for (int a = 0; a < p->systems; a++) {
            const int m = crystal->mode_of[a];
            crss[a] = a < crystal->n_slip
                          ? slip_resistance(crystal, m, mu, t, forest, p->debris[g])
                          : twin_resistance(crystal, m, t, sw_vpsc_mises_rate_of(polycrystal), NULL);
        }
    }
}

/* Storage, recovery, and the debris that recovery leaves, all by what there was when the step began; returns the forest. */
static double grow(const sw_vpsc_crystal *crystal, double temperature, double rate, double dt,
                   const double *slip_rate, double *density, double *debris)
{
    const double before = *debris;
    double forest = 0;
    for (int a = 0; a < crystal->n_slip; a++) {
        const int m = crystal->mode_of[a];
        const double *x = crystal->mode[m].law;
        const double k2 = x[K1] * recovery(crystal, m, temperature, rate), slip = fabs(slip_rate[a]) * dt;
        const double fraction = x[F_0] + x[F_1] * exp((crystal->common[T_REFERENCE] - temperature) / x[F_2]);
        *debris += fraction * k2 * density[a] * x[BURGERS] * sqrt(before) * slip;
        density[a] += (x[K1] * sqrt(density[a]) - k2 * density[a]) * slip;
        forest += density[a];
    }
    return forest;
}

void sw_vpsc_densities_harden(sw_vpsc_polycrystal *polycrystal)
{
    sw_vpsc_grains_of *p = &polycrystal->phase[0];
    const sw_vpsc_crystal *crystal = &p->input->crystal;
    const double t = polycrystal->temperature, rate = sw_vpsc_mises_rate_of(polycrystal);
    double mu[SW_VPSC_MODES];
    for (int m = 0; m < crystal->n_modes; m++)
        mu[m] = sw_vpsc_shear_modulus(crystal, m);
    for (int64_t g = 0; g < p->n; g++) {
        double *density = p->density + g * p->systems, *crss = p->crss + g * p->systems;
        const double forest = grow(crystal, t, rate, polycrystal->time_step, p->slip_rate + g * p->systems,
                                   density, &p->debris[g]);
        for (int a = 0; a < p->systems; a++) {
            const int m = crystal->mode_of[a];
            const int known =
                a > crystal->n_slip && crystal->mode_of[a - 1] == m; /* a mode's twins are alike */
            crss[a] = a < crystal->n_slip ? slip_resistance(crystal, m, mu[m], t, forest, p->debris[g])
                      : known             ? crss[a - 1]
                                          : twin_resistance(crystal, m, t, rate, density);
        }
    }
}
