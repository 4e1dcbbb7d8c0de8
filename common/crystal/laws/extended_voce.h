/* Voce's law with a slope that stays, of the slip of all systems together, as VPSC has it (Tome et al., Acta Metall. 32 (1984)
 * 1637; Lebensohn and Tome, 1993): every system hardens by what its neighbours slip. On sw_real. */
#ifndef SW_COMMON_CRYSTAL_LAWS_EXTENDED_VOCE_H
#define SW_COMMON_CRYSTAL_LAWS_EXTENDED_VOCE_H

#include "slip_law.h"

#define SW_LAW_HELP_extended_voce "a resistance of each system, as VPSC has it: docs/theory.md, 8f"
#define SW_LAW_SLIP_extended_voce "initial_hardening_rate saturation_increase final_hardening_rate"
#define SW_LAW_TWIN_extended_voce SW_LAW_SLIP_extended_voce
#define SW_LAW_MAY_extended_voce ""
#define SW_LAW_TWIN_MAY_extended_voce ""
#define SW_LAW_FILL_extended_voce 0

/* [V(G + dG) - V(G)]/dG, by the integral of V' over the step where dG is small: tau1 = 0 is linear from the start, by theta1, as V
 * tends to be. */
SW_HD static inline sw_real sw_extended_voce_slope(float tau1, float theta0, float theta1, sw_real from,
                                                   sw_real by)
{
    if (!(tau1 > 0))
        return sw_broadcast(theta1);
    const float rate = theta0 / tau1, log2_e = 1.4426950F;
    sw_real step = rate * by, left = sw_exp2(-(log2_e * rate) * from);
    /* (1 - exp(-step))/step, and its series */
    sw_real lost = sw_choose(SW_LESS(step, sw_broadcast(0.05)),
                             1.0F - step * (0.5F - step * (1.0F / 6 - step * (1.0F / 24))),
                             sw_divide(1.0F - sw_exp2(-log2_e * step), sw_max(step, sw_broadcast(1e-6))));
    sw_real all = sw_exp2(-(log2_e * rate) * (from + by));
    return theta1 * (1.0F - all) + (tau1 + theta1 * from) * rate * left * lost;
}

SW_HD static inline sw_real sw_extended_voce_harden(const sw_slip_law *law, int k, sw_real g,
                                                    const sw_law_step *step)
{
    return g + (step->slip + step->twin) * sw_extended_voce_slope(law->of[SW_OF_saturation_increase][k],
                                                                  law->of[SW_OF_initial_hardening_rate][k],
                                                                  law->of[SW_OF_final_hardening_rate][k],
                                                                  step->all, step->growing);
}

#endif
