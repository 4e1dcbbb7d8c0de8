/* What resists each slip system, ready for use: resistances that grow system by system, or all in fixed ratios. Whatever the
 * law, a crystal's state then is a resistance of each of G groups of systems and the slip that each of F families has made,
 * G + F numbers (or a structure of each group, of which the resistance is made, as a density of dislocations); where one resistance scales them all, only the latter; with back-stresses, one of each system of slip as well. On
 * sw_real (lanes.h). docs/theory.md. */
#ifndef SW_COMMON_CRYSTAL_LAWS_SLIP_LAW_H
#define SW_COMMON_CRYSTAL_LAWS_SLIP_LAW_H

#include "common/math/lanes.h"

#define SW_BOLTZMANN 1.380649e-23 /* J/K */

/* Kernels of GPUs that are for crystals without a structure, back-stresses and rates of families leave them out. */
#ifndef SW_LAW_ALL
#define SW_LAW_ALL 1
#endif

/* At most. */
enum { SW_SLIP_SYSTEMS_MAX = 48, SW_FAMILIES_MAX = 9, SW_TWINS_MAX = 24 };
/* Of all numbers of a law, at most. */
enum { SW_SLIP_NUMBERS_MAX = 2 * SW_SLIP_SYSTEMS_MAX + 2 * SW_FAMILIES_MAX + SW_TWINS_MAX + 1 };

/* Numbers of a family that laws ask for, by the names of their keys: X(key, least, most, unit, help). */
#define SW_LAW_NUMBERS(X)                                                                                  \
    X(initial_hardening_rate, 0, 1e13, "Pa", "h0, theta0; of a twin: by twins")                            \
    X(saturation_resistance, 1e4, 1e12, "Pa", "more than initial_slip_resistance")                         \
    X(exponent, 1, 100, "", "a")                                                                           \
    X(saturation_increase, 0, 1e12, "Pa", "tau1")                                                          \
    X(final_hardening_rate, 0, 1e13, "Pa", "theta1")                                                       \
    X(hardening_by_slip, 0, 1e13, "Pa", "of a twin, times the slip that there has been")                   \
    X(saturation_by_twins, 0, 1e12, "Pa", "of slip, times the root of the twins' fraction; 0 when absent") \
    X(hardening_by_twins, 0, 1e13, "Pa", "of slip, times what twins shear; 0 when absent")                 \
    X(back_stress_modulus, 0, 1e13, "Pa",                                                                  \
      "c of slip, by any law: dX = c dgamma - d X |dgamma|; 0 when absent")                                \
    X(back_stress_decay, 0, 1e6, "", "d, beside c; 0 when absent")                                         \
    X(rate_sensitivity, 1e-4, 1, "", "m of the family; slip's when absent")                                \
    X(reference_slip_rate, 1e-20, 1e20, "1/s", "v0 of the family; slip's when absent")                     \
    SW_LAW_NUMBERS_OF_T(X)

/* Of laws that know temperature and rate. */
#define SW_LAW_NUMBERS_OF_T(X)                                                                             \
    X(athermal_resistance, 0, 1e11, "Pa",                                                                  \
      "tau_a: what slip does not change; of twins where they have begun")                                  \
    X(athermal_rise, 0, 1e11, "Pa", "what it has more, times exp(-T/athermal_temperature); 0 when absent") \
    X(athermal_temperature, 1e-3, 1e9, "K", "beside athermal_rise")                                        \
    X(shear_modulus, 1e6, 1e13, "Pa", "mu; mu0 (1 - drop/(exp(shear_modulus_temperature/T) - 1))")         \
    X(shear_modulus_drop, 0, 1, "", "0 when absent")                                                       \
    X(shear_modulus_temperature, 1e-3, 1e5, "K", "beside shear_modulus_drop")                              \
    X(burgers_vector, 1e-12, 1e-8, "m", "b")                                                               \
    X(initial_dislocation_density, 1, 1e18, "1/m2", "of each group of systems that harden alike")          \
    X(dislocation_strengthening, 0, 10, "", "chi of g = chi mu b sqrt(rho)")                               \
    X(dislocation_storage, 0, 1e12, "1/m", "K1 of drho = (K1 sqrt(rho) - K2 rho) dgamma")                  \
    X(recovery_energy, 1e-6, 1e3, "", "g of K2 = K1 chi b/g (1 - k T/(D b^3) ln(rate/recovery_rate))")     \
    X(recovery_drag, 1e3, 1e13, "Pa", "D of K2")                                                           \
    X(recovery_rate, 1e-6, 1e15, "1/s", "of K2")                                                           \
    X(debris_strengthening, 0, 10, "", "chi_d; 0 when absent")                                             \
    X(initial_debris_density, 0, 1e18, "1/m2", "of a crystal, in its first family; 0 when absent")         \
    X(debris_share, 0, 1e3, "", "of what recovers; 0 when absent")                                         \
    X(debris_share_rise, 0, 1e3, "",                                                                       \
      "what it has more, times exp((reference - T)/temperature); 0 when absent")                           \
    X(debris_share_temperature, 1e-3, 1e9, "K", "beside debris_share_rise")                                \
    X(debris_share_reference, 0, 1e5, "K", "beside debris_share_rise")                                     \
    X(nucleation_resistance, 0, 1e11, "Pa", "of twins before slip")                                        \
    X(nucleation_rise, 0, 1e11, "Pa",                                                                      \
      "what it has more, times exp(-T/nucleation_temperature); 0 when absent")                             \
    X(nucleation_temperature, 1e-3, 1e9, "K", "beside nucleation_rise")                                    \
    X(intrinsic_threshold, 0, 1e11, "Pa", "at 0 K, that slip does not change")                             \
    X(initial_threshold, 0, 1e11, "Pa", "of structure; 0 when absent")                                     \
    X(intrinsic_energy, 1e-6, 1e6, "", "g0_i, over mu b^3")                                                \
    X(intrinsic_rate, 1e-6, 1e20, "1/s", "e0_i")                                                           \
    X(intrinsic_q, 0.1, 10, "", "q_i")                                                                     \
    X(intrinsic_p, 0.1, 10, "", "p_i")                                                                     \
    X(structure_energy, 1e-6, 1e6, "", "g0_e, over mu b^3")                                                \
    X(structure_rate, 1e-6, 1e20, "1/s", "e0_e")                                                           \
    X(structure_q, 0.1, 10, "", "q_e")                                                                     \
    X(structure_p, 0.1, 10, "", "p_e")                                                                     \
    X(saturation_threshold, 1e4, 1e12, "Pa", "t_s at saturation_rate")                                     \
    X(saturation_energy, 1e-6, 1e6, "", "g0_es, over mu b^3")                                              \
    X(saturation_rate, 1e-6, 1e20, "1/s", "e0_es")

#define SW_LAW_PLACE(key, ...) SW_OF_##key,
enum { SW_LAW_NUMBERS(SW_LAW_PLACE) SW_LAW_NUMBER_COUNT };
#undef SW_LAW_PLACE

/* rise exp(-T/scale), 0 without a rise. */
static inline double sw_law_rise(double rise, double temperature, double scale)
{
    return rise > 0 ? rise * exp(-temperature / scale) : 0;
}

/* mu of a family's numbers, Pa. */
static inline double sw_law_shear_modulus(double temperature, const double number[SW_LAW_NUMBER_COUNT])
{
    const double drop = number[SW_OF_shear_modulus_drop];
    return number[SW_OF_shear_modulus] *
           (drop > 0 ? 1 - drop / expm1(number[SW_OF_shear_modulus_temperature] / temperature) : 1);
}

SW_HD static inline sw_real sw_natural_log(sw_real x)
{
    return sw_broadcast(0.69314718055994531) * sw_log2(x);
}

/* (1 - exp(-d y))/d; exp(-d y): *left. */
SW_HD static inline sw_real sw_law_saturating(sw_real d, sw_real y, sw_real *left)
{
    sw_real z = d * y;
    *left = sw_exp2(sw_broadcast(-1.4426950408889634) * z);
    return sw_choose(SW_LESS(z, sw_broadcast(0.05)), y * (1.0F - z * (0.5F - z * (1.0F / 6))),
                     sw_divide(1.0F - *left, sw_max(d, sw_broadcast(1e-20))));
}

/* Of a law: on the host made by sw_slip_law_prepare; on a GPU in constant memory. Systems that begin alike, are hardened alike by all
 * others and harden them alike, as those of a family whose latent hardening is one, or the coplanar ones of four {111}, have one
 * resistance: they are a group; but twins that take volume from crystals each have their own (twins.h). Dimension: G groups. */
typedef struct {
    int law; /* sw_hardening_law */
    int systems, two_way, families, groups;
    int variants;                    /* V systems of twins, where twins turn crystals; else 0 */
    int transfers;                   /* volume goes from them to others instead */
    int backs;                       /* B systems, those of slip, where any has a back-stress; else 0 */
    int fill;                        /* twins slip in what they leave, 1 - f, as the law has it */
    int scales;                      /* one resistance for all, times `ratio` */
    int structured;                  /* resistances are made of a structure of each group ... */
    int shared;                      /* ... and of a number of the crystal */
    int rates;                       /* families have m or v0 of their own */
    int family[SW_SLIP_SYSTEMS_MAX]; /* [S] */
    int group[SW_SLIP_SYSTEMS_MAX];  /* [S]; in the order of systems, those of twins last */
    int kin[SW_SLIP_SYSTEMS_MAX];    /* [G] the family of each group */
    int twins[SW_SLIP_SYSTEMS_MAX];  /* [G] whether they are */
    int runs; /* R, of systems of one group one after the other; a variant is one alone */
    struct {
        int group;
        int end;                      /* the first system behind it */
        int again;                    /* whether its group has had one before */
    } run[SW_SLIP_SYSTEMS_MAX];       /* [R] */
    float ratio[SW_SLIP_SYSTEMS_MAX]; /* [G] of the resistance to the systems' mean, at the start */
    float begin_shared;               /* at the start */
    float exponent[SW_SLIP_SYSTEMS_MAX],
        reference[SW_SLIP_SYSTEMS_MAX];                 /* [G] n and v0, 1/s; v0 0: as that of the step */
    float share[SW_SLIP_SYSTEMS_MAX];                   /* [G] of its systems in all */
    float over_shear[SW_FAMILIES_MAX];                  /* [F] of twins 1 over their shear; else 0 */
    float of[SW_LAW_NUMBER_COUNT][SW_SLIP_SYSTEMS_MAX]; /* [number][G] */
    float interaction[SW_SLIP_SYSTEMS_MAX]
                     [SW_SLIP_SYSTEMS_MAX]; /* [G][G] how much slip of systems of each group hardens it */
} sw_slip_law;

SW_HD static inline int sw_slip_law_is_structured(const sw_slip_law *law)
{
    return SW_LAW_ALL && law->structured;
}

/* Whether it has anything that such kernels leave out. */
SW_HD static inline int sw_slip_law_wants_all(const sw_slip_law *law)
{
    return law->structured || law->backs > 0 || law->rates;
}

/* What of it crystals begin with. */
typedef struct sw_slip_law_start {
    int groups, families; /* 0 groups where one resistance scales them all */
    int variants;         /* of twins that turn crystals */
    int transfers;        /* ... or take volume from them */
    int backs;            /* back-stresses */
    int structured;       /* `ratio` is the structure itself */
    int shared;
    float ratio[SW_SLIP_SYSTEMS_MAX], begin_shared;
} sw_slip_law_start;

/* Numbers of a crystal's state, in their order: G resistances (0 where one scales them all), F slips and, where twins turn
 * crystals, V fractions of variants and F times that each family has, the number of the crystal that some laws share, and B
 * back-stresses; where volume goes from one to another, its weight. */
SW_HD static inline int sw_slip_law_numbers(const sw_slip_law_start *start)
{
    return start->groups + start->families + (start->variants > 0 ? start->variants + start->families : 0) +
           start->shared + start->backs + start->transfers;
}

/* A crystal's. */
typedef struct {
    sw_real g[SW_SLIP_SYSTEMS_MAX];   /* [G] Pa */
    sw_real slipped[SW_FAMILIES_MAX]; /* [F] the sizes of slips, summed */
    /* Where twins turn crystals: [V] slips of each variant over its shear since the crystal last turned, and [F] how often
     * a family has turned it. */
    sw_real variant[SW_TWINS_MAX], turned[SW_FAMILIES_MAX];
    sw_real back[SW_SLIP_SYSTEMS_MAX]; /* [B] back-stresses, Pa */
    /* Of laws with a structure: [G], what is shared, and the rate it is seen at, von Mises', 1/s. */
    sw_real structure[SW_SLIP_SYSTEMS_MAX], shared, rate;
} sw_slip_state;

/* What systems of each group slip together in a step, sizes. */
typedef struct {
    sw_real group[SW_SLIP_SYSTEMS_MAX]; /* [G] */
    sw_real variant[SW_TWINS_MAX];      /* [V] of each system of twins, where these turn crystals */
} sw_law_slips;

/* What a step brings to one group. */
typedef struct {
    sw_real slip;              /* sum of interaction times slip increments, of systems of slip */
    sw_real twin;              /* likewise of twins */
    sw_real slipped, slipping; /* the sum of slip so far, and its increment */
    sw_real all, growing;      /* likewise with twins */
    sw_real fraction;          /* of twins, in the middle of the step */
} sw_law_step;

#endif
