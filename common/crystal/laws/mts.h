/* The mechanical threshold stress of Follansbee and Kocks (Acta Metall. 36 (1988) 81), as Kok, Beaudoin and Tortorelli (Int. J.
 * Plasticity 18 (2002) 715) and VPSC have it of slip systems: what resists is a threshold, of which temperature T and rate take a
 * part. Its structure tau_e hardens; it is in Pa. On sw_real. */
#ifndef SW_COMMON_CRYSTAL_LAWS_MTS_H
#define SW_COMMON_CRYSTAL_LAWS_MTS_H

#include "slip_law.h"
#include "voce.h"

#define SW_LAW_HELP_mts "the mechanical threshold stress, of temperature and rate: docs/theory.md, 8f"
#define SW_LAW_SLIP_mts                                                                                     \
    "athermal_resistance shear_modulus burgers_vector intrinsic_threshold intrinsic_energy intrinsic_rate " \
    "intrinsic_q intrinsic_p structure_energy structure_rate structure_q structure_p saturation_threshold " \
    "saturation_energy saturation_rate initial_hardening_rate exponent"
#define SW_LAW_MAY_mts "shear_modulus_drop shear_modulus_temperature initial_threshold"
#define SW_LAW_TWIN_mts SW_LAW_SLIP_mts
#define SW_LAW_TWIN_MAY_mts SW_LAW_MAY_mts
#define SW_LAW_FILL_mts 0
#define SW_LAW_STATE_mts "structure_thresholds", "Pa"
#define SW_LAW_SHARED_mts NULL, NULL
#define SW_LAW_BEGIN_mts SW_OF_initial_threshold
#define SW_LAW_SHARED_BEGIN_mts (-1)

/* A family's numbers at a temperature, K: shear_modulus becomes mu/mu0, energies what ln(rate) is multiplied with. */
static inline void sw_mts_at(double temperature, double number[SW_LAW_NUMBER_COUNT])
{
    const double mu0 = number[SW_OF_shear_modulus], mu = sw_law_shear_modulus(temperature, number);
    const double unit = SW_BOLTZMANN * temperature / (mu * pow(number[SW_OF_burgers_vector], 3));
    number[SW_OF_shear_modulus] = mu / mu0;
    number[SW_OF_initial_hardening_rate] *= mu / mu0;
    number[SW_OF_intrinsic_energy] = unit / number[SW_OF_intrinsic_energy];
    number[SW_OF_structure_energy] = unit / number[SW_OF_structure_energy];
    number[SW_OF_saturation_energy] = unit / number[SW_OF_saturation_energy];
}

/* What is left of a threshold; 0 where thermal activation alone passes it. */
SW_HD static inline sw_real sw_mts_left(float energy, float reference, float q, float p, sw_real rate)
{
    sw_real passed =
        sw_max(energy * sw_natural_log(sw_divide(sw_broadcast(reference), rate)), sw_broadcast(1e-20));
    sw_real left = 1.0F - sw_power(passed, 1.0F / q);
    return sw_power(sw_max(left, sw_broadcast(1e-20)), 1.0F / p);
}

SW_HD static inline void sw_mts_resist(const sw_slip_law *law, sw_slip_state *state)
{
    for (int k = 0; k < law->groups; k++) {
#define OF(number) law->of[SW_OF_##number][k]
        sw_real i = sw_mts_left(OF(intrinsic_energy), OF(intrinsic_rate), OF(intrinsic_q), OF(intrinsic_p),
                                state->rate);
        sw_real e = sw_mts_left(OF(structure_energy), OF(structure_rate), OF(structure_q), OF(structure_p),
                                state->rate);
        state->g[k] = OF(athermal_resistance) +
                      OF(shear_modulus) * (i * OF(intrinsic_threshold) + e * state->structure[k]);
#undef OF
    }
}

/* Voce's closed form; above saturation it stays. */
SW_HD static inline void sw_mts_grow(const sw_slip_law *law, int k, const sw_slip_state *old, sw_real slip,
                                     sw_slip_state *next)
{
    const float q = law->of[SW_OF_exponent][k] - 1.0F;
    sw_real saturation =
        law->of[SW_OF_saturation_threshold][k] *
        sw_exp2(law->of[SW_OF_saturation_energy][k] *
                sw_log2(sw_divide(old->rate, sw_broadcast(law->of[SW_OF_saturation_rate][k]))));
    sw_real t = old->structure[k], u = 1.0F - sw_divide(t, saturation),
            usable = sw_max(u, sw_broadcast(1e-9));
    sw_real y = slip * sw_divide(sw_broadcast(law->of[SW_OF_initial_hardening_rate][k]), saturation) *
                sw_power(usable, q);
    next->structure[k] =
        sw_choose(SW_LESS(sw_broadcast(1e-9), u), t + saturation * u * sw_voce_loss(y, q), t);
}

#endif
