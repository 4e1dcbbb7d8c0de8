/* A material whose slip resistance has a part that does not come from slip: of solutes, of precipitates. */
#ifndef SW_COMMON_CRYSTAL_AGEING_H
#define SW_COMMON_CRYSTAL_AGEING_H

#include "common/system/status.h"
#include "material.h"

/* The material with s0 = slip_resistance (Pa) and its hardening curve shifted as a whole: for every slip Gamma
 * s(Gamma) - s0 is what it was, and so is ds/dGamma. What slip stores adds to what ageing gives; docs/theory.md,
 * section 11. Nothing else changes: responses scale with s, so databases of the material serve the aged one.
 * `aged` may be `material`. SW_ERR_RANGE, and *aged as before, unless slip_resistance is 1e4 to 1e11 Pa, as in
 * material files, and h0 stays below 1e30 Pa. */
sw_status sw_material_age(const sw_material *material, double slip_resistance, sw_material *aged);

#endif
