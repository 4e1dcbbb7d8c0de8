/* Laws of nucleation, for the host and CUDA: docs/theory.md, Eqs. 30 to 32.
 *
 * To add a law NAME: a line of SW_KWN_NUCLEATION_LIST (alloy.h), and sw_kwn_nucleation_NAME here. A constant that no law
 * has yet is a member of sw_kwn_nucleation, with a key in online/kwn/job/alloy_file.c. */
#ifndef SW_ONLINE_KWN_MODEL_NUCLEATION_H
#define SW_ONLINE_KWN_MODEL_NUCLEATION_H

#include <math.h>

#include "alloy.h"
#include "common/system/device.h"

#define SW_KWN_SPHERE 4.1887902047863905 /* 4 pi / 3 */

/* Of a phase with a driving force, at the end of a step. */
typedef struct {
    double concentration, diffusivity; /* of the limiting solute in the matrix; m^2/s */
    double temperature;                /* K */
    double driving;                    /* ln(Q / K) > 0 */
    double critical;                   /* r*, m; > 0 */
    double resistance;                 /* of all solutes of the product, sum of (c_p - c)^2 / (D c), s/m^2 */
    double number;                     /* particles that there are already, 1/m^3 */
    double incubation, step;           /* theta before the step; s */
} sw_kwn_conditions;

/* What gamma is in the second derivative of the barrier at r*, with the interface of a size: gamma r^2 (r + 4 delta) / (r + 2 delta)^3; by
 * neighbours a / r = p apart gamma (1 - A p + 3/2 B p^2). */
SW_HD static inline double sw_kwn_stiffness(const sw_kwn_phase *phase, double critical)
{
    const double p = phase->neighbour_distance / critical;
    if (p > 0)
        return phase->interfacial_energy * (1 - p * (SW_KWN_SOFTER_A - 1.5 * SW_KWN_SOFTER_B * p));
    const double wider = critical + 2 * phase->tolman_length;
    return phase->interfacial_energy * critical * critical * (critical + 4 * phase->tolman_length) /
           (wider * wider * wider);
}

/* What gamma is in the barrier at r*: gamma r^2 / (r + 2 delta)^2, or gamma (1 - 2 A p - B p^2 (1 + 3 ln(C p))),
 * which is none from r = 0.97 a down. */
SW_HD static inline double sw_kwn_barrier_energy(const sw_kwn_phase *phase, double critical)
{
    const double wider = critical + 2 * phase->tolman_length, p = phase->neighbour_distance / critical;
    return phase->interfacial_energy *
           (p > 0 ? fmax(1 - p * (2 * SW_KWN_SOFTER_A +
                                  SW_KWN_SOFTER_B * p * (1 + 3 * log(SW_KWN_SOFTER_C * p))),
                         0.0)
                  : critical * critical / (wider * wider));
}

/* Each law: the nucleation rate J, 1/(m^3 s), and, of a law with an incubation, *theta after the step; it comes as 0. */

SW_HD static inline double sw_kwn_nucleation_none(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                  const sw_kwn_conditions *at, double *theta)
{
    (void)alloy;
    (void)phase;
    (void)at;
    (void)theta;
    return 0;
}

SW_HD static inline double sw_kwn_nucleation_classical(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                       const sw_kwn_conditions *at, double *theta)
{
    const double pi = 3.14159265358979323846, kt = SW_BOLTZMANN_CONSTANT * at->temperature;
    const double r2 = at->critical * at->critical;
    const double barrier =
        phase->nucleation.barrier_factor * SW_KWN_SPHERE * r2 * sw_kwn_barrier_energy(phase, at->critical);
    const double of_curvature =
        sqrt(sw_kwn_stiffness(phase, at->critical) / kt) * phase->atomic_volume / (2 * pi * r2);
    const double zeldovich = phase->nucleation.zeldovich > 0 ? phase->nucleation.zeldovich : of_curvature;
    const double a2 = alloy->lattice_parameter * alloy->lattice_parameter;
    const double arrives = phase->nucleation.attachment == SW_ATTACHMENT_BALANCE || phase->chemistry.on
                               ? 1 / at->resistance
                               : at->diffusivity * at->concentration;
    const double attachment = phase->nucleation.attachment == SW_ATTACHMENT_DIFFUSION
                                  ? 4 * pi * at->critical * arrives / alloy->atomic_volume
                                  : 4 * pi * r2 * arrives / (a2 * a2);
    const sw_kwn_incubation incubation = phase->nucleation.incubation;
    const double factor = incubation == SW_INCUBATION_KAMPMANN_WAGNER ? pi / 2
                          : incubation == SW_INCUBATION_FACTOR        ? phase->nucleation.incubation_factor
                                                                      : 2;
    const double inverse_tau = factor * zeldovich * zeldovich * attachment;
    *theta = at->incubation + at->step * inverse_tau;
    const double half_way = at->incubation + 0.5 * at->step * inverse_tau;
    const double delay = phase->nucleation.incubation == SW_INCUBATION_NONE ? 0 : 1 / half_way;
    const double free_sites = fmax(phase->nucleation.site_density - at->number, 0.0);
    return free_sites * zeldovich * attachment * exp(-barrier / kt - delay);
}

/* Myhr and Grong 2000, Eq. 9 there: ln(c / ce) of the limiting solute. */
SW_HD static inline double sw_kwn_nucleation_arrhenius(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                       const sw_kwn_conditions *at, double *theta)
{
    const sw_kwn_nucleation *law = &phase->nucleation;
    const double driving = at->driving / phase->solvus.exponent[phase->limiting_solute];
    const double rt = SW_GAS_CONSTANT * at->temperature, barrier = law->barrier / rt;
    (void)alloy;
    (void)theta;
    return law->rate * exp(-barrier * barrier * barrier / (driving * driving) - law->activation_energy / rt);
}

/* Radius of nuclei, m. */
SW_HD static inline double sw_kwn_nucleus_radius(const sw_kwn_phase *phase, double critical,
                                                 double temperature)
{
    const double pi = 3.14159265358979323846;
    return phase->nucleation.nucleus == SW_NUCLEUS_THERMAL
               ? critical +
                     0.5 * sqrt(SW_BOLTZMANN_CONSTANT * temperature /
                                (pi * phase->nucleation.barrier_factor * sw_kwn_stiffness(phase, critical)))
               : phase->nucleation.nucleus_multiple * critical;
}

/* By the phase's law. A member of the list without a function does not compile: in parentheses C declares none. */
SW_HD static inline double sw_kwn_nucleation_rate(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase,
                                                  const sw_kwn_conditions *at, double *theta)
{
    switch (phase->nucleation.law) {
#define SW_KWN_NUCLEATION_CASE(name, text, function, ...) \
    case name:                                            \
        return (sw_kwn_nucleation_##function)(alloy, phase, at, theta);
        SW_KWN_NUCLEATION_LIST(SW_KWN_NUCLEATION_CASE)
#undef SW_KWN_NUCLEATION_CASE
    case SW_NUCLEATIONS:
        break;
    }
    return 0;
}

#endif
