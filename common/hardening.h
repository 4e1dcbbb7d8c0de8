/* Hardening laws: how the slip resistance grows with slip. To add one: its name in material.h and
 * material_input.c, its closed form in sw_harden. */
#ifndef SW_COMMON_HARDENING_H
#define SW_COMMON_HARDENING_H

#include "lanes.h"
#include "material.h"

/* Slip resistance (Pa) after the accumulated slip grows by `slip` >= 0: the law integrated exactly over it.
 * Malahe 2018, Eq. 17 in closed form; for Voce's law with u = 1 - s/s_s, u^(1-a) grows linearly in the slip
 * (a > 1), or u decays exponentially (a = 1). At or above saturation s stays as it is. */
SW_HD static inline sw_real sw_harden(const sw_hardening *hardening, sw_real s, sw_real slip)
{
    switch (hardening->law) {
    case SW_HARDENING_VOCE:
        break;
    }
    const double a = hardening->exponent, ss = hardening->saturation_resistance;
    const double rate = hardening->initial_hardening_rate / ss;
    sw_real u = sw_all(1.0) - s * sw_all(1.0 / ss), grown;
    if (a - 1.0 < 1e-6) /* where 1/(1 - a) would multiply round-off by a million */
        grown = u * sw_exp2(slip * sw_all(-1.4426950408889634 * rate)); /* 1 / ln 2 */
    else
        grown = sw_power(sw_power(u, 1.0 - a) + slip * sw_all((a - 1.0) * rate), 1.0 / (1.0 - a));
    return sw_choose(SW_LESS(sw_all(1e-9), u), sw_all(ss) * (sw_all(1.0) - grown), s);
}

#endif
