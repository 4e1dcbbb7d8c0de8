/* A material whose slip resistance has a part that does not come from slip: of solutes, of precipitates. */
#include "material.h"

#include <math.h>

#include "common/system/status.h"

/* Of u = 1 - s/s_s shifted alike, as of Voce's law (laws/voce.h). */
static int shift_family(sw_slip_family *f, double shift)
{
    f->initial_slip_resistance += shift;
    if (isnan(f->saturation_resistance))
        return 1;
    const double before = f->saturation_resistance;
    f->saturation_resistance += shift;
    f->initial_hardening_rate *= pow(f->saturation_resistance / before, f->exponent);
    return f->initial_hardening_rate <= 1e30;
}

/* Each as crystals have it, which a mean that is not their own scales. */
static sw_status shift_families(sw_material *m, double slip_resistance)
{
    double mean;
    SW_TRY(sw_material_mean_resistance(m, &mean));
    const double scale = m->slip.initial_slip_resistance / mean;
    for (int k = 0; k < m->slip.family_count; k++) {
        sw_slip_family *f = &m->slip.family[k];
        f->initial_slip_resistance *= scale;
        if (!shift_family(f, slip_resistance - m->slip.initial_slip_resistance) ||
            !(f->initial_slip_resistance >= 1e4 && f->initial_slip_resistance <= 1e11))
            return sw_error(SW_ERR_RANGE,
                            "slip resistance %g Pa: of family %s of %s it is %g Pa: need 1e4 to 1e11",
                            slip_resistance, f->family, m->name, f->initial_slip_resistance);
    }
    return sw_material_mean_resistance(m, &m->slip.initial_slip_resistance);
}

sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged)
{
    sw_material m = *material;
    if (!(slip_resistance >= 1e4 && slip_resistance <= 1e11))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: need 1e4 to 1e11", slip_resistance);
    if (sw_material_has_families(&m) && m.hardening.law >= SW_LAWS_OF_ONE) {
        SW_TRY(shift_families(&m, slip_resistance));
        *aged = m;
        return SW_OK;
    }
    m.slip.initial_slip_resistance = slip_resistance;
    if (!sw_hardening_shift(&m.hardening, slip_resistance - material->slip.initial_slip_resistance))
        return sw_error(SW_ERR_RANGE, "slip resistance %g Pa: too large for the hardening of %s (%g Pa)",
                        slip_resistance, m.name, material->slip.initial_slip_resistance);
    *aged = m;
    return SW_OK;
}
