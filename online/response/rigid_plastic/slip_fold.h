/* A strain rate of a cubic crystal, turned by one of the crystal's rotations, or their negatives, to where normal components fall from
 * 11 to 33, the middle one is not negative, nor are 23 and 13: one of 48 alike. So of 1,104 pairs of vertices of the yield surface of
 * 48 systems a start has to look through 400 vertices. On sw_real. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FOLD_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_FOLD_H

#include "common/math/deviator.h"

typedef struct {
    sw_mask first, second, third,
        opposite;    /* exchanges of axes 1 and 2, 2 and 3, 1 and 2; D for -D, and 1 and 3 */
    sw_real sign[3]; /* of 23, 13, 12 */
} sw_slip_fold;

/* Axes i and j of a tensor [6] change places where `swaps`: 23 is of the first axis. */
SW_HD static inline void sw_slip_swap(sw_mask swaps, int i, int j, sw_real t[6])
{
    SW_UNROLL
    for (int k = 0; k < 6; k += 3) {
        sw_real one = t[k + i];
        t[k + i] = sw_choose(swaps, t[k + j], one);
        t[k + j] = sw_choose(swaps, one, t[k + j]);
    }
}

SW_HD static inline void sw_slip_oppose(sw_mask opposite, sw_real t[6])
{
    sw_real sign = sw_choose(opposite, sw_broadcast(-1.0), sw_broadcast(1.0));
    sw_slip_swap(opposite, 0, 2, t);
    SW_UNROLL
    for (int k = 0; k < 6; k++)
        t[k] = sign * t[k];
}

/* d -> folded, a tensor. */
SW_HD static inline sw_slip_fold sw_slip_fold_of(const sw_real d[5], sw_real t[6])
{
    const sw_real zero = sw_broadcast(0.0), one = sw_broadcast(1.0);
    sw_slip_fold f;
    sw_deviator_tensor(d, t);
    f.first = SW_LESS(t[0], t[1]);
    sw_slip_swap(f.first, 0, 1, t);
    f.second = SW_LESS(t[1], t[2]);
    sw_slip_swap(f.second, 1, 2, t);
    f.third = SW_LESS(t[0], t[1]);
    sw_slip_swap(f.third, 0, 1, t);
    f.opposite = SW_LESS(t[1], zero);
    sw_slip_oppose(f.opposite, t);
    f.sign[0] = sw_choose(SW_LESS(t[3], zero), -one, one);
    f.sign[1] = sw_choose(SW_LESS(t[4], zero), -one, one);
    f.sign[2] = f.sign[0] * f.sign[1];
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        t[k + 3] = f.sign[k] * t[k + 3];
    return f;
}

/* The same with another tensor, which goes with the strain rate. */
SW_HD static inline void sw_slip_fold_too(const sw_slip_fold *f, sw_real t[6])
{
    sw_slip_swap(f->first, 0, 1, t);
    sw_slip_swap(f->second, 1, 2, t);
    sw_slip_swap(f->third, 0, 1, t);
    sw_slip_oppose(f->opposite, t);
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        t[k + 3] = f->sign[k] * t[k + 3];
}

/* And back -> a vector of five. */
SW_HD static inline void sw_slip_unfold(const sw_slip_fold *f, sw_real t[6], sw_real x[5])
{
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        t[k + 3] = f->sign[k] * t[k + 3];
    sw_slip_oppose(f->opposite, t);
    sw_slip_swap(f->third, 0, 1, t);
    sw_slip_swap(f->second, 1, 2, t);
    sw_slip_swap(f->first, 0, 1, t);
    sw_deviator_vector_of(t, x);
}

/* Where t, folded, of size 1, is as good as on the border: there rounding decides how it is folded. */
SW_HD static inline sw_mask sw_slip_fold_is_doubtful(const sw_real t[6])
{
    sw_real least = sw_min(sw_min(t[0] - t[1], t[1] - t[2]), sw_min(t[1], sw_min(t[3], t[4])));
    return SW_LESS(least, sw_broadcast(2e-5));
}

#endif
