/* A crystal's constants, as a material file gives them. */
#ifndef SW_COMMON_CRYSTAL_MATERIAL_H
#define SW_COMMON_CRYSTAL_MATERIAL_H

#include "hardening.h"
#include "slip_systems.h"
#include "slipwave/database.h"

#ifdef __cplusplus
extern "C" {
#endif

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
