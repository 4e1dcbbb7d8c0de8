/* Growth of a class, for the host, SIMD lanes and CUDA: Jensen et al. 2016, Eqs. 6 and 7.
 *
 * With the interface concentration c_int = c exp(x), x = alpha / (nu r) - ln(Q / K) / nu, Eq. 6 reads
 *
 *     v = (D / r) (1 - e^x) / (c_p / c - e^x),
 *
 * where alpha = 2 gamma Vm / RT, Q is the ionic product of the matrix, K the solubility product and nu the
 * exponent of the growth-limiting solute in both. v changes sign once, at r* = alpha / ln(Q / K). */
#ifndef SW_ONLINE_KWN_MODEL_GROWTH_H
#define SW_ONLINE_KWN_MODEL_GROWTH_H

#include "number.h"

/* What a step of a histogram needs to know of a phase; lengths in units of the histogram's scale. */
typedef struct {
    double speed;       /* D dt */
    double curvature;   /* alpha / nu */
    double driving;     /* ln(Q / K) / nu */
    double ratio;       /* c_p / c of the growth-limiting solute */
    double limit;       /* largest x: SW_KWN_LARGEST_INTERFACE */
    double obstacle;    /* scale / r_c: sizes to radii at which particles are bypassed */
    double source;      /* nuclei of the step, 1/m^3, in two neighbouring classes */
    double source_part; /* in the lower one */
    int32_t source_class;
} sw_kwn_growth;

/* Particles of a few atoms would have c_int > c_p, and Eq. 6 a pole: c_int stays at this part of c_p. They
 * vanish at once either way. */
#define SW_KWN_LARGEST_INTERFACE 0.9

/* 1 - e^x and c_p / c - e^x; x in units of 1 / log2(e) on entry: curvature and driving were multiplied by it.
 */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_rate(sw_real inverse_face, sw_real speed,
                                                          sw_real curvature, sw_real driving, sw_real ratio,
                                                          sw_real limit)
{
    const sw_real x = sw_min(curvature * inverse_face - driving, limit);
    const sw_real interface = sw_exp2(x); /* c_int / c */
    const sw_real lack = SW_KWN_CONSTANT(1.0) - interface;
    return sw_divide(speed * inverse_face * lack, ratio - interface);
}

/* Second-order flux: the density at the face a class empties through, relative to the class's own, from the
 * minmod slope of the distribution before the step. Upwinding smears by half a width, an implicit step by
 * half of what particles move on top of it (`courant`, in widths); that second part is taken back where they
 * move less than about one width, and nothing is where they rush by. Only a ratio: the scheme stays implicit,
 * positive and conservative. Steeper limiters narrow the distribution of long coarsening: docs/validation.md.
 * before, own, after: densities in the order of the motion. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_steepness(sw_real before, sw_real own, sw_real after,
                                                               sw_real courant)
{
    const sw_real zero = SW_KWN_CONSTANT(0.0), one = SW_KWN_CONSTANT(1.0), most = SW_KWN_CONSTANT(1e10);
    const sw_real full = sw_choose(SW_LESS(zero, own), own, one), scale = sw_divide(one, full);
    const sw_real a = one - sw_min(before * scale, most), b = sw_min(after * scale, most) - one;
    const sw_real half = SW_KWN_CONSTANT(0.5) * sw_min(sw_abs(a), sw_abs(b));
    const sw_real slope = sw_choose(SW_LESS(zero, a * b), sw_choose(SW_LESS(a, zero), -half, half), zero);
    const sw_real square = courant * courant;
    const sw_real reach = sw_divide(one + courant, one + square * square);
    return sw_max(zero, one + slope * reach);
}

#endif
