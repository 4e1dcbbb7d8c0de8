/* A material whose slip resistance has a part that does not come from slip: of solutes, of precipitates. */
#include "material.h"

#include "common/system/status.h"

#include <math.h>

/* With s_s + d in place of s_s, u = 1 - s/s_s of s + d is s_s / (s_s + d) times what it was of s. What that takes
 * from u^a, h0 gives back: h0 u^a stays. */
static void shift_voce(sw_hardening *hardening, double shift)
{
    const double before = hardening->saturation_resistance;
    hardening->saturation_resistance = before + shift;
    hardening->initial_hardening_rate *= pow(hardening->saturation_resistance / before, hardening->exponent);
}

static void shift_hardening(sw_hardening *hardening, double shift)
{
    switch (hardening->law) {
    case SW_HARDENING_VOCE:
        shift_voce(hardening, shift);
        return;
    case SW_HARDENING_LAWS:
        break;
    }
}

sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged)
{
    sw_material m = *material;
    if (!(slip_resistance >= 1e4 && slip_resistance <= 1e11))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: need 1e4 to 1e11", slip_resistance);
    m.slip.initial_slip_resistance = slip_resistance;
    shift_hardening(&m.hardening, slip_resistance - material->slip.initial_slip_resistance);
    if (!(m.hardening.initial_hardening_rate <= 1e30)) /* solvers hold it in single precision */
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: too large for the hardening of %s (%g Pa)",
                        slip_resistance, m.name, material->slip.initial_slip_resistance);
    *aged = m;
    return SW_OK;
}
