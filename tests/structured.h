/* Materials by laws with a structure: what resists follows from it, from temperature and rate. */
#ifndef SW_TESTS_STRUCTURED_H
#define SW_TESTS_STRUCTURED_H

#define STRUCTURED_HEAD(temperature)                                \
    "name: made of structure\ncrystal_structure: fcc\n" temperature \
    "elasticity: {C11: 106.8e9, C12: 60.7e9, C44: 28.2e9}\n"        \
    "slip:\n  reference_slip_rate: 1.0e-3\n  rate_sensitivity: 0.05\n  families:\n"
#define STRUCTURED_MTS                                                                              \
    "    - {family: \"111\", athermal_resistance: 3.333e6, intrinsic_threshold: 99.075e6,\n"        \
    "       initial_hardening_rate: 800.0e6, exponent: 2, initial_threshold: 20.0e6,\n"             \
    "       shear_modulus: 28.815e9, shear_modulus_drop: 0.1194, shear_modulus_temperature: 215,\n" \
    "       burgers_vector: 2.86e-10, intrinsic_energy: 1.196, intrinsic_rate: 1.0e7,\n"            \
    "       intrinsic_q: 1.5, intrinsic_p: 0.5, structure_energy: 1.6, structure_rate: 1.0e7,\n"    \
    "       structure_q: 1, structure_p: 0.666666, saturation_threshold: 665.3e6,\n"                \
    "       saturation_energy: 0.1058, saturation_rate: 1.0e7}\n"
#define STRUCTURED_MTS_LAW "hardening: {law: mts}\n"
#define STRUCTURED_DENSITY                                                                               \
    "    - {family: \"111\", athermal_resistance: 10.0e6, athermal_rise: 40.0e6, athermal_temperature: " \
    "300,\n"                                                                                             \
    "       shear_modulus: 45.0e9, burgers_vector: 2.56e-10, initial_dislocation_density: 1.0e12,\n"     \
    "       dislocation_strengthening: 0.4, dislocation_storage: 2.0e8, recovery_energy: 5.0e-3,\n"      \
    "       recovery_drag: 300.0e6, recovery_rate: 1.0e7, debris_strengthening: 0.086,\n"                \
    "       initial_debris_density: 1.0e10, debris_share: 0.5, debris_share_rise: 2,\n"                  \
    "       debris_share_temperature: 200, debris_share_reference: 298}\n"
#define STRUCTURED_DENSITY_LAW "hardening: {law: kocks_mecking}\n"
#define STRUCTURED_WARM "temperature: 400\n"

static const char structured_text[] = STRUCTURED_HEAD(STRUCTURED_WARM) STRUCTURED_MTS STRUCTURED_MTS_LAW;

#endif
