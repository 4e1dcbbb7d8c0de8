/* A material whose slip resistance has a part that does not come from slip: of solutes, of precipitates. */
#include "material.h"

#include "common/system/status.h"

sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged)
{
    sw_material m = *material;
    if (!(slip_resistance >= 1e4 && slip_resistance <= 1e11))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: need 1e4 to 1e11", slip_resistance);
    m.slip.initial_slip_resistance = slip_resistance;
    if (!sw_hardening_shift(&m.hardening, slip_resistance - material->slip.initial_slip_resistance))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: too large for the hardening of %s (%g Pa)",
                        slip_resistance, m.name, material->slip.initial_slip_resistance);
    *aged = m;
    return SW_OK;
}
