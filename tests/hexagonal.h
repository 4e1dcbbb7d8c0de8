/* Magnesium of DAMASK's references: families with resistances of their own. */
#ifndef SW_TESTS_HEXAGONAL_H
#define SW_TESTS_HEXAGONAL_H

#define HEXAGONAL_HEAD                                                                                \
    "name: magnesium\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"                               \
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"                 \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"                   \
    "    - {family: basal, initial_slip_resistance: 10.0e6, initial_hardening_rate: 0.5e9,\n"         \
    "       saturation_resistance: 40.0e6, exponent: 2.25}\n"                                         \
    "    - {family: prismatic, initial_slip_resistance: 55.0e6, initial_hardening_rate: 0.5e9,\n"     \
    "       saturation_resistance: 135.0e6, exponent: 2.25}\n"                                        \
    "    - {family: pyramidal2_ca, initial_slip_resistance: 60.0e6, initial_hardening_rate: 0.5e9,\n" \
    "       saturation_resistance: 150.0e6, exponent: 2.25}\n"
#define HEXAGONAL_TWIN                                                                                \
    "    - {family: tension_twin, initial_slip_resistance: 40.0e6, initial_hardening_rate: 50.0e6,\n" \
    "       hardening_by_slip: 50.0e6}\n"
#define HEXAGONAL_LAW "hardening: {law: phenopowerlaw}\n"

/* Of slip, and with twins. */
static const char hexagonal_text[] = HEXAGONAL_HEAD HEXAGONAL_LAW;
static const char twinning_text[] = HEXAGONAL_HEAD HEXAGONAL_TWIN HEXAGONAL_LAW;
/* Of twins that soon turn crystals. */
static const char turning_text[] = HEXAGONAL_HEAD
    "    - {family: tension_twin, initial_slip_resistance: 40.0e6, initial_hardening_rate: 50.0e6,\n"
    "       hardening_by_slip: 50.0e6, twin_threshold: 0.05}\n" HEXAGONAL_LAW;
/* One resistance in fixed ratios. */
static const char ratios_text[] =
    "name: in fixed ratios\ncrystal_structure: hexagonal\nc_over_a: 1.6235\n"
    "elasticity: {C11: 59.3e9, C33: 61.5e9, C44: 16.4e9, C12: 25.7e9, C13: 21.4e9}\n"
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
    "    - {family: basal, initial_slip_resistance: 10.0e6}\n"
    "    - {family: prismatic, initial_slip_resistance: 55.0e6}\n"
    "    - {family: pyramidal2_ca, initial_slip_resistance: 60.0e6}\n"
    "    - {family: tension_twin, initial_slip_resistance: 40.0e6}\n"
    "hardening: {law: voce, initial_hardening_rate: 0.5e9, saturation_resistance: 120.0e6, exponent: 1.5}\n";

#endif
