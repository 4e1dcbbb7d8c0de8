/* Dislocation densities of Kocks and Mecking (Acta Metall. 29 (1981) 1865), stored by slip and lost to recovery that goes with
 * temperature T and rate, with debris and twins as Beyerlein and Tome (Int. J. Plasticity 24 (2008) 867) and VPSC have them. A group's
 * structure is its density, 1/m^2; of twins there is none. On sw_real. */
#ifndef SW_COMMON_CRYSTAL_LAWS_KOCKS_MECKING_H
#define SW_COMMON_CRYSTAL_LAWS_KOCKS_MECKING_H

#include "slip_law.h"

#define SW_LAW_HELP_kocks_mecking \
    "densities of dislocations and debris, of temperature and rate: docs/theory.md, 8f"
#define SW_LAW_SLIP_kocks_mecking                                                   \
    "athermal_resistance shear_modulus burgers_vector initial_dislocation_density " \
    "dislocation_strengthening "                                                    \
    "dislocation_storage recovery_energy recovery_drag recovery_rate"
#define SW_LAW_MAY_kocks_mecking                                                                            \
    "athermal_rise athermal_temperature shear_modulus_drop shear_modulus_temperature debris_strengthening " \
    "initial_debris_density debris_share debris_share_rise debris_share_temperature "                       \
    "debris_share_reference"
#define SW_LAW_TWIN_kocks_mecking "athermal_resistance burgers_vector nucleation_resistance"
#define SW_LAW_TWIN_MAY_kocks_mecking \
    "athermal_rise athermal_temperature nucleation_rise nucleation_temperature"
#define SW_LAW_FILL_kocks_mecking 0
#define SW_LAW_STATE_kocks_mecking "dislocation_densities", "1/m2"
#define SW_LAW_SHARED_kocks_mecking "debris_density", "1/m2"
#define SW_LAW_BEGIN_kocks_mecking SW_OF_initial_dislocation_density
#define SW_LAW_SHARED_BEGIN_kocks_mecking SW_OF_initial_debris_density

/* A family's numbers at a temperature, K: K2 becomes recovery_energy - recovery_rate ln(e), other rises part of what rises. */
static inline void sw_kocks_mecking_at(double temperature, double number[SW_LAW_NUMBER_COUNT])
{
    const double b = number[SW_OF_burgers_vector];
    const double all = number[SW_OF_dislocation_storage] * number[SW_OF_dislocation_strengthening] * b /
                       number[SW_OF_recovery_energy];
    const double thermal = SW_BOLTZMANN * temperature / (number[SW_OF_recovery_drag] * b * b * b);
    number[SW_OF_shear_modulus] = sw_law_shear_modulus(temperature, number);
    number[SW_OF_recovery_energy] = all * (1 + thermal * log(number[SW_OF_recovery_rate]));
    number[SW_OF_recovery_rate] = all * thermal;
    number[SW_OF_athermal_resistance] +=
        sw_law_rise(number[SW_OF_athermal_rise], temperature, number[SW_OF_athermal_temperature]);
    number[SW_OF_nucleation_resistance] +=
        sw_law_rise(number[SW_OF_nucleation_rise], temperature, number[SW_OF_nucleation_temperature]);
    number[SW_OF_debris_share] +=
        sw_law_rise(number[SW_OF_debris_share_rise], temperature - number[SW_OF_debris_share_reference],
                    number[SW_OF_debris_share_temperature]);
}

SW_HD static inline sw_real sw_kocks_mecking_recovery(const sw_slip_law *law, int k, sw_real rate)
{
    return sw_max(law->of[SW_OF_recovery_energy][k] - law->of[SW_OF_recovery_rate][k] * sw_natural_log(rate),
                  sw_broadcast(1e-3));
}

/* Where a twin begins in a crystal that has slipped so much, and what densities of systems add as its `latent` has them. */
SW_HD static inline sw_real sw_kocks_mecking_twin(const sw_slip_law *law, int k, const sw_slip_state *state)
{
    sw_real grown = sw_broadcast(0.0), pinned = sw_broadcast(0.0);
    for (int a = 0; a < law->two_way; a++) {
        const int j = law->group[a];
        const float one = 1.0F / (law->share[j] * (float)law->systems); /* of its systems */
        sw_real over = sw_divide(sw_kocks_mecking_recovery(law, j, state->rate),
                                 sw_broadcast(law->of[SW_OF_dislocation_storage][j]));
        sw_real density = one * state->structure[j];
        grown += density * over * over;
        pinned += law->of[SW_OF_shear_modulus][j] * law->of[SW_OF_burgers_vector][j] *
                  law->interaction[k][j] * density;
    }
    const float spread = law->of[SW_OF_athermal_resistance][k],
                begin = law->of[SW_OF_nucleation_resistance][k];
    return spread + (begin - spread) * sw_exp2(-1.4426950F * grown) +
           law->of[SW_OF_burgers_vector][k] * pinned;
}

SW_HD static inline void sw_kocks_mecking_resist(const sw_slip_law *law, sw_slip_state *state)
{
    sw_real forest = sw_broadcast(0.0), debris = sw_sqrt(sw_max(state->shared, sw_broadcast(0.0)));
    for (int k = 0; k < law->groups; k++)
        forest += law->twins[k] ? sw_broadcast(0.0) : state->structure[k];
    forest = sw_sqrt(forest);
    for (int k = 0; k < law->groups; k++) {
        if (law->twins[k]) {
            state->g[k] = sw_kocks_mecking_twin(law, k, state);
            continue;
        }
        const float b = law->of[SW_OF_burgers_vector][k], unit = law->of[SW_OF_shear_modulus][k] * b,
                    chi = law->of[SW_OF_dislocation_strengthening][k],
                    chi_d = law->of[SW_OF_debris_strengthening][k];
        state->g[k] = law->of[SW_OF_athermal_resistance][k] + chi * unit * forest -
                      chi_d * unit * debris * sw_natural_log(b * sw_max(debris, sw_broadcast(1e-3)));
    }
}

/* Densities exactly; of debris by their mean over the step. */
SW_HD static inline void sw_kocks_mecking_grow(const sw_slip_law *law, int k, const sw_slip_state *old,
                                               sw_real slip, sw_slip_state *next)
{
    if (law->twins[k]) {
        next->structure[k] = old->structure[k];
        return;
    }
    sw_real half = 0.5F * sw_kocks_mecking_recovery(law, k, old->rate), left;
    sw_real begun = sw_sqrt(old->structure[k]);
    sw_real root = begun + (0.5F * law->of[SW_OF_dislocation_storage][k] - half * begun) *
                               sw_law_saturating(half, slip, &left);
    next->structure[k] = root * root;
    sw_real debris = sw_sqrt(next->shared) + 0.5F * law->of[SW_OF_debris_share][k] * half *
                                                 law->of[SW_OF_burgers_vector][k] *
                                                 (old->structure[k] + next->structure[k]) * slip;
    next->shared = debris * debris;
}

#endif
