/* A crystal's constants, as a material file gives them. */
#ifndef SW_COMMON_CRYSTAL_MATERIAL_H
#define SW_COMMON_CRYSTAL_MATERIAL_H

#include "hardening.h"
#include "lattice.h"
#include "slipwave/database.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_material {
    char name[64];
    int crystal_structure; /* place of its lattice in the list */
    double c_over_a;       /* of lattices whose axes differ; else NaN */
    sw_elasticity elasticity;
    struct {
        double reference_slip_rate;     /* 1/s; > 0 */
        double rate_sensitivity;        /* m; 0 < m <= 1 */
        double initial_slip_resistance; /* s0, Pa; > 0 */
    } slip;
    sw_hardening hardening;
};

static inline const sw_lattice *sw_material_lattice(const sw_material *material)
{
    return sw_lattices[material->crystal_structure];
}

#ifdef __cplusplus
}
#endif

#endif
