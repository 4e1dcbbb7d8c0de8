/* A crystal's constants, as a material file gives them. */
#ifndef SW_COMMON_CRYSTAL_MATERIAL_H
#define SW_COMMON_CRYSTAL_MATERIAL_H

#include "slip_systems.h"
#include "slipwave/database.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hardening of the slip resistance: hardening.h. */
typedef enum {
    SW_HARDENING_VOCE, /* ds/dGamma = h0 (1 - s/s_s)^a; Malahe 2018, Eq. 17 */
} sw_hardening_law;

typedef struct {
    sw_hardening_law law;
    double initial_hardening_rate; /* h0, Pa; >= 0 */
    double saturation_resistance;  /* s_s, Pa; > s0 */
    double exponent;               /* a; >= 1 */
} sw_hardening;

struct sw_material {
    char name[64];
    sw_crystal_structure crystal_structure;
    struct {
        double c11, c12, c44; /* cubic elastic constants, Pa; c44 > 0, c11 > |c12|, c11 + 2 c12 > 0 */
    } elasticity;
    struct {
        double reference_slip_rate;     /* 1/s; > 0 */
        double rate_sensitivity;        /* m; 0 < m <= 1 */
        double initial_slip_resistance; /* s0, Pa; > 0 */
    } slip;
    sw_hardening hardening;
};

#ifdef __cplusplus
}
#endif

#endif
