/* Growth of a class, for the host, SIMD lanes and CUDA: Jensen et al. 2016, Eqs. 6 and 7, and the balance of several solutes.
 *
 * One solute. With the interface concentration c_int = c exp(x), x = alpha / (nu r) - ln(Q / K) / nu, Eq. 6 reads
 *
 *     v = (D / r) (1 - e^x) / (c_p / c - e^x),
 *
 * where alpha = 2 gamma Vm / RT, Q is the ionic product of the matrix, K the solubility product and nu the
 * exponent of the growth-limiting solute in both. v changes sign once, at r* = alpha / ln(Q / K).
 *
 * Several, each by its own diffusion: w = v r is one number for all of them, so that
 *
 *     w (c_pi - c_int,i) = D_i (c_i - c_int,i),  or  c_int,i / c_i = (1 - w c_pi / (D_i c_i)) / (1 - w / D_i),
 *
 * and the solubility product at the surface is sum_i nu_i ln(c_int,i / c_i) = alpha / r - ln(Q / K), an equation for w.
 *
 * By a table of chemistry, with the resistance R of all solutes and their cross-diffusion and the breadth b:
 * w = (b / R) (1 - exp((alpha / r - g) / b)), of a single ideal solute Eq. 6 itself but for c_int beside c_p. */
#ifndef SW_ONLINE_KWN_MODEL_GROWTH_H
#define SW_ONLINE_KWN_MODEL_GROWTH_H

#include "alloy.h"
#include "number.h"
#include "slipwave/kwn.h"

/* The balance of several solutes over a step; `speed` below is D dt of each. */
typedef struct {
    int32_t n;                        /* solutes; 0: one, in closed form */
    int32_t first;                    /* that would be used up first: largest per_slow */
    double curvature, driving, limit; /* alpha, ln(Q / K); largest alpha / r - ln(Q / K) */
    double slope;                     /* of y, below, by alpha / r - ln(Q / K), where that is 0 */
    double lowest;                    /* y at the limit; < 0 */
    double beyond;                    /* y exceeds -x / nu of that solute by this at most */
    double exponent[SW_KWN_SOLUTES];
    double per_slow[SW_KWN_SOLUTES], per_fast[SW_KWN_SOLUTES]; /* c_p / (c speed), 1 / speed */
    double reach, per_breadth;                                 /* by a table: b dt / R, 1 / b; else 0 */
    double tolman, neighbour; /* delta, a, in units of the scale; of the latter the CPU alone knows */
} sw_kwn_several;

/* What a step of a histogram needs to know of a phase; lengths in units of the histogram's scale. */
typedef struct {
    double speed;       /* D dt */
    double curvature;   /* alpha / nu */
    double driving;     /* ln(Q / K) / nu */
    double ratio;       /* c_p / c of the growth-limiting solute */
    double limit;       /* largest x: SW_KWN_LARGEST_INTERFACE */
    double obstacle;    /* scale / r_c: sizes to radii at which particles are bypassed */
    double few;         /* 1/m^3: a class with fewer is empty */
    double source;      /* nuclei of the step, 1/m^3, in two neighbouring classes */
    double source_part; /* in the lower one */
    int32_t source_class;
    sw_kwn_several several;
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

/* x = alpha / r - ln(Q / K), at most the limit. Of an interface whose energy falls with the size, gamma(r) = gamma / (1 + 2 delta / r), the
 * work for more volume is that of 4 pi r^2 gamma(r): 2 gamma (r + 3 delta) / (r + 2 delta)^2 in place of 2 gamma / r; by the distance a of
 * neighbours, 2 gamma / r (1 - 2/11 a / r + a^2 / (12 r^2)). */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_excess(const sw_kwn_several *s, sw_real inverse_face)
{
    sw_real curvature = inverse_face;
    if (s->tolman > 0) {
        const sw_real one = SW_KWN_CONSTANT(1.0), part = SW_KWN_CONSTANT(s->tolman) * inverse_face,
                      wider = one + (part + part);
        curvature = sw_divide(inverse_face * (wider + part), wider * wider);
    }
#ifndef __CUDA_ARCH__
    if (s->neighbour > 0) {
        const sw_real part = SW_KWN_CONSTANT(s->neighbour) * inverse_face;
        curvature =
            inverse_face * (SW_KWN_CONSTANT(1.0) + part * (part * SW_KWN_CONSTANT(0.5 * SW_KWN_SOFTER_B) -
                                                           SW_KWN_CONSTANT(0.5 * SW_KWN_SOFTER_A)));
    }
#endif
    const sw_real x = SW_KWN_CONSTANT(s->curvature) * curvature - SW_KWN_CONSTANT(s->driving);
    return sw_min(x, SW_KWN_CONSTANT(s->limit));
}

/* w over the step for x = alpha / r - ln(Q / K), at most the limit: Newton's method in y = -ln(1 - w / w1), w1 that of the
 * solute which would be used up first. The equation is nearly linear in y from one end to the other; where it is not, at
 * the surfaces of particles that vanish, the bracket holds. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_flux(const sw_kwn_several *s, sw_real x)
{
    enum { MOST = 60 };
    const sw_real zero = SW_KWN_CONSTANT(0.0), one = SW_KWN_CONSTANT(1.0), half = SW_KWN_CONSTANT(0.5);
    const sw_real tiny = SW_KWN_CONSTANT(1e-30), close = SW_KWN_CONSTANT(SW_KWN_FLUX_CLOSE);
    const double own = s->per_slow[s->first];
    const sw_mask grows = SW_LESS(x, zero);
    sw_real low = sw_choose(grows, zero, SW_KWN_CONSTANT(s->lowest));
    sw_real high =
        sw_choose(grows, x * SW_KWN_CONSTANT(-1 / s->exponent[s->first]) + SW_KWN_CONSTANT(s->beyond), zero);
    sw_real y = sw_min(sw_max(x * SW_KWN_CONSTANT(s->slope), low), high), w = zero;
    if (s->reach > 0)
        return SW_KWN_CONSTANT(s->reach) *
               (one - sw_exp2(x * SW_KWN_CONSTANT(s->per_breadth * SW_KWN_LOG2_E)));
    for (int k = 0; k < MOST; k++) {
        const sw_real left = sw_exp2(y * SW_KWN_CONSTANT(-SW_KWN_LOG2_E)); /* 1 - w / w1 */
        sw_real miss = zero - x, slope = zero;
        w = (one - left) * SW_KWN_CONSTANT(1 / own);
        for (int i = 0; i < s->n; i++) {
            const sw_real slow = SW_KWN_CONSTANT(s->per_slow[i]), fast = SW_KWN_CONSTANT(s->per_fast[i]);
            const sw_real at = i == s->first ? left : sw_max(one - w * slow, tiny), lack = one - w * fast;
            const sw_real exponent = SW_KWN_CONSTANT(s->exponent[i]);
            miss += exponent * SW_KWN_CONSTANT(1 / SW_KWN_LOG2_E) * sw_log2(sw_divide(at, lack));
            slope += exponent * (sw_divide(fast, lack) - sw_divide(slow, at));
        }
        const sw_mask below = SW_LESS(zero, miss); /* it falls with y */
        low = sw_choose(below, y, low);
        high = sw_choose(below, high, y);
        sw_real next = y - sw_divide(miss, slope * left * SW_KWN_CONSTANT(1 / own));
        next = sw_choose(SW_LESS(low, next), next, half * (low + y));
        next = sw_choose(SW_LESS(next, high), next, sw_choose(SW_LESS(low, high), half * (high + y), high));
        const sw_real step = sw_abs(next - y);
        y = next;
        if (!sw_any(SW_LESS(close * sw_abs(y), step)))
            break;
    }
    return (one - sw_exp2(y * SW_KWN_CONSTANT(-SW_KWN_LOG2_E))) * SW_KWN_CONSTANT(1 / own);
}

/* d w / d x at a w. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_flux_slope(const sw_kwn_several *s, sw_real w)
{
    const sw_real one = SW_KWN_CONSTANT(1.0), tiny = SW_KWN_CONSTANT(1e-30);
    sw_real slope = SW_KWN_CONSTANT(0.0);
    if (s->reach > 0)
        return (w - SW_KWN_CONSTANT(s->reach)) * SW_KWN_CONSTANT(s->per_breadth);
    for (int i = 0; i < s->n; i++) {
        const sw_real slow = SW_KWN_CONSTANT(s->per_slow[i]), fast = SW_KWN_CONSTANT(s->per_fast[i]);
        slope += SW_KWN_CONSTANT(s->exponent[i]) *
                 (sw_divide(fast, one - w * fast) - sw_divide(slow, sw_max(one - w * slow, tiny)));
    }
    return sw_divide(one, slope);
}

/* Displacement of a size over the step, several solutes. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_rate_of_several(const sw_kwn_several *s,
                                                                     sw_real inverse_face)
{
    return inverse_face *
           sw_kwn_flux SW_KWN_OF(sw_real)(s, sw_kwn_excess SW_KWN_OF(sw_real)(s, inverse_face));
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
    const sw_real zero = SW_KWN_CONSTANT(0.0), one = SW_KWN_CONSTANT(1.0);
    const sw_real full = sw_choose(SW_LESS(zero, own), own, one), a = own - before, b = after - own;
    const sw_mask rises = SW_LESS(zero, a), turns = rises ^ SW_LESS(zero, b);
    const sw_real half = SW_KWN_CONSTANT(0.5) * sw_min(sw_abs(a), sw_abs(b));
    const sw_real slope = sw_choose(turns, zero, sw_choose(rises, half, zero - half));
    const sw_real square = courant * courant;
    const sw_real reach = sw_divide(one + courant, full * (one + square * square));
    return sw_max(zero, one + slope * reach);
}

/* Third-order flux: of what is in a class, the part u that a face sweeps over within the step leaves it: of N with a slope s
 * per class, u (N + (1 - u) s / 2), and (1 - u) (N - u s / 2) stay. The slope is that of the parabola through the class and its
 * neighbours, averaged over what is swept; at most 2 N either way, so that neither part is negative. It is not limited
 * otherwise: what a limiter takes from the smooth maximum of a distribution is 2 % in number after long coarsening. Where particles move over more than a
 * class, all of them leave it, and of what comes in the part 1 - 1 / courant passes on, so that the mean moves as it
 * should. before, own, after: numbers per width of the class, in the order of the motion. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_slope(sw_real before, sw_real own, sw_real after,
                                                           sw_real u)
{
    const sw_real one = SW_KWN_CONSTANT(1.0), two = SW_KWN_CONSTANT(2.0), third = SW_KWN_CONSTANT(1.0 / 3);
    const sw_real a = own - before, b = after - own, parabola = third * ((one + u) * a + (two - u) * b);
    const sw_real most = two * own;
    return sw_min(sw_max(parabola, SW_KWN_CONSTANT(0.0) - most), most);
}

/* Where a class empties both ways, around r*: with U = u w s / 2 of each direction, (u + (1 - u - d) U / N) N leaves it and
 * (1 - u - d) (N - U - D) stays. Its slope counts in the direction that more leaves by, with the weight w, from 0 where both are the
 * same to 1 where nothing leaves the other way: so that nothing jumps as r* passes a face. A search for the composition would not end
 * at a jump, or end by round-off. This is U. */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_leaning(sw_real u, sw_real other, sw_real slope)
{
    const sw_real weight = sw_divide(u - other, sw_max(u + other, SW_KWN_CONSTANT(1e-30)));
    return SW_KWN_CONSTANT(0.5) * u * sw_max(weight, SW_KWN_CONSTANT(0.0)) * slope;
}

/* u, of the displacement of the face, `courant` in widths: what arrives there has come from where growth is slower or faster,
 * by half of what it changes over the class, `spread` (displacement of the upper less that of the lower face, in widths). */
SW_KWN_OF_NUMBERS SW_HD static inline sw_real sw_kwn_swept(sw_real courant, sw_real spread)
{
    const sw_real one = SW_KWN_CONSTANT(1.0), half = SW_KWN_CONSTANT(0.5), u = sw_min(courant, one);
    return u * sw_max(half, one - half * (one - u) * spread);
}

#endif
