/* The mechanical threshold stress (Follansbee and Kocks, Acta Metall. 36 (1988) 81; Kok, Beaudoin and Tortorelli, Int. J. Plast. 18
 * (2002) 715), one set of numbers for all systems, as VPSC8 has it: what the threshold begins with counts twice, in the
 * constant part and in the evolving one. */
#include <math.h>

#include "state.h"

/* Numbers in the order of the file. */
enum {
    KOVB3,
    MU0,
    D0,
    T0,
    TAU_A,
    TAU_I,
    TAU_E,
    TH0,
    KAPPA,
    G0I,
    ED0I,
    QI,
    PI_,
    G0E,
    ED0E,
    QE,
    PE,
    G0S,
    EDS,
    TAUS,
    PSI,
    RHO,
    CP
};

enum { FAST = 500 /* 1/s: from here on it warms itself */ };

/* Of a temperature and a strain rate. */
typedef struct {
    double constant, scale;   /* resistance = constant + scale threshold */
    double saturation, slope; /* h0 over its power */
} state_of;

static double share(const double *x, int g0, double mu, double temperature, double rate)
{
    const double s = x[KOVB3] * temperature * log(x[g0 + 1] / rate) / x[g0] / mu;
    return pow(1 - pow(s, 1 / x[g0 + 2]), 1 / x[g0 + 3]);
}

static state_of find_state(const sw_vpsc_crystal *crystal, double temperature, double rate)
{
    const double *x = crystal->common;
    const double mu = x[MU0] * (1 - x[D0] / (exp(x[T0] / temperature) - 1)), over = mu / x[MU0];
    const double si = share(x, G0I, mu, temperature, rate), se = share(x, G0E, mu, temperature, rate);
    state_of s = {.constant = x[TAU_A] + over * si * x[TAU_I] + over * se * x[TAU_E], .scale = over * se};
    s.saturation = x[TAUS] * pow(rate / x[EDS], x[KOVB3] * temperature / x[G0S] / mu);
    s.slope = (x[KAPPA] - 1) * x[TH0] / pow(s.saturation, x[KAPPA]) * over;
    return s;
}

void sw_vpsc_threshold_resist(sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        const state_of s =
            find_state(&p->input->crystal, polycrystal->temperature, sw_vpsc_mises_rate_of(polycrystal));
        for (int64_t k = 0; k < p->n * p->systems; k++)
            p->crss[k] = s.constant + s.scale * p->threshold[k];
    }
}

/* Returns the work of slip, by a volume of 1. */
static double harden_phase(sw_vpsc_grains_of *p, double temperature, double rate, double dt)
{
    const double kappa = p->input->crystal.common[KAPPA];
    state_of s = find_state(&p->input->crystal, temperature, rate);
    double work = 0;
    for (int64_t g = 0; g < p->n; g++) {
        const double *slip_rate = p->slip_rate + g * p->systems;
        double slip = 0;
        for (int a = 0; a < p->systems; a++)
            slip += fabs(slip_rate[a]) * dt;
        for (int64_t k = g * p->systems; k < (g + 1) * p->systems; k++) {
            work += p->crss[k] * fabs(p->slip_rate[k]) * dt * p->weight[g];
            s.saturation = fmax(s.saturation, p->threshold[k]);
            p->threshold[k] =
                s.saturation -
                pow(pow(s.saturation - p->threshold[k], 1 - kappa) + s.slope * slip, 1 / (1 - kappa));
            p->crss[k] = s.constant + s.scale * p->threshold[k];
        }
    }
    return work;
}

/* Above a strain rate of 500 1/s the work warms the whole. */
void sw_vpsc_threshold_harden(sw_vpsc_polycrystal *polycrystal)
{
    const double rate = sw_vpsc_mises_rate_of(polycrystal), temperature = polycrystal->temperature;
    const double *x = polycrystal->phase[0].input->crystal.common;
    double work = 0;
    for (int i = 0; i < polycrystal->n_phases; i++)
        work += harden_phase(&polycrystal->phase[i], temperature, rate, polycrystal->time_step);
    if (rate >= FAST)
        polycrystal->temperature +=
            x[PSI] / x[RHO] / (x[CP] + x[CP + 1] * temperature + x[CP + 2] / (temperature * temperature)) *
            work;
}
