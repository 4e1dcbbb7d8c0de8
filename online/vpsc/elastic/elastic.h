/* Elastic self-consistent moduli and thermal expansion of a polycrystal, and what they make of its grains: Turner and Tome, Acta
 * Metall. Mater. 42 (1994) 4143. In VPSC8's basis of six (state.h); stiffnesses in the crystal files' units, expansion 1/K. */
#ifndef SW_ONLINE_VPSC_ELASTIC_ELASTIC_H
#define SW_ONLINE_VPSC_ELASTIC_ELASTIC_H

#include "online/vpsc/polycrystal/state.h"

typedef struct sw_vpsc_elastic sw_vpsc_elastic;

/* With the mean of the grains' stiffnesses as a first guess. SW_ERR_MEMORY; SW_ERR_RANGE for a crystal's stiffness without an
 * inverse. Released by sw_vpsc_elastic_free; NULL is fine. */
sw_status sw_vpsc_elastic_make(const sw_vpsc_polycrystal *polycrystal, sw_vpsc_elastic **elastic);
void sw_vpsc_elastic_free(sw_vpsc_elastic *elastic);

/* Moduli of the polycrystal as it is now. SW_ERR_RANGE when they do not converge to 1e-5 in 100 iterations. */
sw_status sw_vpsc_elastic_solve(sw_vpsc_elastic *elastic, const sw_vpsc_polycrystal *polycrystal);

typedef struct {
    double stiffness[6][6], compliance[6][6], expansion[6];
} sw_vpsc_moduli;
const sw_vpsc_moduli *sw_vpsc_moduli_of(const sw_vpsc_elastic *elastic);
/* A stiffness as its components ij kl, each 11 22 33 23 13 12, and a compliance likewise (of tensors, no factors of two). */
void sw_vpsc_moduli_components(const double m[6][6], double component[6][6]);

/* A grain's stress, where the whole has this one and has been warmed by so many K since it was free of stress. */
void sw_vpsc_elastic_stress(const sw_vpsc_elastic *elastic, const sw_vpsc_grains_of *phase, int64_t grain,
                            const double stress[6], double warmed, double of_grain[6]);
/* A grain's elastic strain by its stress. */
void sw_vpsc_elastic_strain(const sw_vpsc_elastic *elastic, const sw_vpsc_grains_of *phase, int64_t grain,
                            const double stress[6], double strain[6]);
/* The grains' mean stresses by elasticity where the whole's Cauchy stress is known, or 0: polycrystal->phase[].pressure. */
void sw_vpsc_find_pressures(const sw_vpsc_elastic *elastic, sw_vpsc_polycrystal *polycrystal, int known);

#endif
