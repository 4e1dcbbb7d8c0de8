/* The phenomenological power law of DAMASK (Roters et al., Comput. Mater. Sci. 158 (2019) 420, section 6.2.2), of Peirce, Asaro
 * and Needleman and of Kalidindi: every system has a resistance of its own. On sw_real. */
#ifndef SW_COMMON_CRYSTAL_LAWS_PHENOPOWERLAW_H
#define SW_COMMON_CRYSTAL_LAWS_PHENOPOWERLAW_H

#include "slip_law.h"
#include "voce.h"

#define SW_LAW_HELP_phenopowerlaw "a resistance of each system, as DAMASK has it: docs/theory.md, 8f"
#define SW_LAW_SLIP_phenopowerlaw "initial_hardening_rate saturation_resistance exponent"
#define SW_LAW_TWIN_phenopowerlaw "initial_hardening_rate hardening_by_slip"
#define SW_LAW_MAY_phenopowerlaw "saturation_by_twins hardening_by_twins"
#define SW_LAW_TWIN_MAY_phenopowerlaw ""
#define SW_LAW_FILL_phenopowerlaw 1

/* Slip: Voce's closed form, as what hardens is the same throughout the step, which above saturation softens as it hardens below; and
 * linear in twins. A twin: linear in the slip there has been, and in other twins. */
SW_HD static inline sw_real sw_phenopowerlaw_harden(const sw_slip_law *law, int k, sw_real g,
                                                    const sw_law_step *step)
{
    sw_real h0 = sw_broadcast(law->of[SW_OF_initial_hardening_rate][k]);
    if (law->twins[k]) {
        sw_real by_slip = law->of[SW_OF_hardening_by_slip][k] * (step->slipped + 0.5F * step->slipping);
        return g + by_slip * step->slip + h0 * step->twin;
    }
    const float q = law->of[SW_OF_exponent][k] - 1.0F;
    sw_real saturation = sw_broadcast(law->of[SW_OF_saturation_resistance][k]);
    if (law->of[SW_OF_saturation_by_twins][k] > 0)
        saturation += law->of[SW_OF_saturation_by_twins][k] * sw_sqrt(step->fraction);
    sw_real u = sw_broadcast(1.0) - sw_divide(g, saturation);
    sw_real y = step->slip * sw_divide(h0, saturation) * sw_power(sw_max(sw_abs(u), sw_broadcast(1e-9)), q);
    sw_real hardened =
        sw_choose(SW_LESS(sw_broadcast(1e-9), sw_abs(u)), g + saturation * u * sw_voce_loss(y, q), g);
    return hardened + law->of[SW_OF_hardening_by_twins][k] * step->twin;
}

#endif
