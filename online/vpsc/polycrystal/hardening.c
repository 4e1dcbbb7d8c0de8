/* Slip resistances after a step, by the law of the crystals. */
#include <math.h>

#include "state.h"

/* [V(G + dG) - V(G)] of V = tau0 + (tau1 + theta1 G)(1 - exp(-G |theta0/tau1|)); linear in G where tau1 is none. */
static double voce_increment(const sw_vpsc_mode *mode, double slipped, double slip)
{
    const double least = 1e-4 * mode->tau0;
    if (!(fabs(mode->theta0) > least))
        return 0;
    if (!(fabs(mode->tau1) > least))
        return mode->theta1 * slip;
    const double rate = fabs(mode->theta0 / mode->tau1), left = exp(-slipped * rate),
                 lost = -expm1(-slip * rate);
    return mode->theta1 * slip * (1 - left * (1 - lost)) +
           (mode->tau1 + mode->theta1 * slipped) * left * lost;
}

static void harden_voce(const sw_vpsc_crystal *crystal, double dt, const double *rate, double *slipped,
                        double *crss)
{
    double slip[SW_VPSC_MODES] = {0}, all = 0, slope[SW_VPSC_MODES];
    for (int a = 0; a < crystal->n_systems; a++)
        slip[crystal->mode_of[a]] += fabs(rate[a]) * dt;
    for (int m = 0; m < crystal->n_modes; m++)
        all += slip[m];
    if (!(all > 0))
        return;
    for (int m = 0; m < crystal->n_modes; m++)
        slope[m] = voce_increment(&crystal->mode[m], *slipped, all) / all;
    for (int a = 0; a < crystal->n_systems; a++) {
        const int m = crystal->mode_of[a];
        const double *latent = crystal->mode[m].latent;
        double by = (1 - latent[m]) * fabs(rate[a]) * dt; /* a system hardens itself by 1 */
        for (int other = 0; other < crystal->n_modes; other++)
            by += latent[other] * slip[other];
        crss[a] += by * slope[m];
    }
    *slipped += all;
}

static void harden_all_by_voce(sw_vpsc_polycrystal *polycrystal)
{
    for (int i = 0; i < polycrystal->n_phases; i++) {
        sw_vpsc_grains_of *p = &polycrystal->phase[i];
        for (int64_t g = 0; g < p->n; g++)
            harden_voce(&p->input->crystal, polycrystal->time_step, p->slip_rate + g * p->systems,
                        &p->slipped[g], p->crss + g * p->systems);
    }
}

void sw_vpsc_resist(sw_vpsc_polycrystal *polycrystal, int first)
{
    const sw_vpsc_law law = polycrystal->phase[0].input->crystal.law;
    if (law == SW_VPSC_MTS)
        sw_vpsc_threshold_resist(polycrystal);
    if (law == SW_VPSC_DENSITY && first)
        sw_vpsc_densities_begin(polycrystal);
}

void sw_vpsc_harden(sw_vpsc_polycrystal *polycrystal)
{
    const sw_vpsc_law law = polycrystal->phase[0].input->crystal.law;
    if (law == SW_VPSC_MTS)
        sw_vpsc_threshold_harden(polycrystal);
    else if (law == SW_VPSC_DENSITY)
        sw_vpsc_densities_harden(polycrystal);
    else if (law == SW_VPSC_REVERSAL)
        sw_vpsc_reversal_harden(polycrystal);
    else
        harden_all_by_voce(polycrystal);
}
