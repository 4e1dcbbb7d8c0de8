/* A crystal's part of a step by a database and a law of four coplanar resistances (docs/theory.md, section 8h): as crystal_update.h,
 * of thirteen outputs. Its state is the mean of the four, as its slip resistance, and beside it three of them. */
#ifndef SW_ONLINE_RESPONSE_STEP_PLANE_UPDATE_H
#define SW_ONLINE_RESPONSE_STEP_PLANE_UPDATE_H

#include "common/database/slip_planes.h"
#include "common/math/turns.h"
#include "crystal_update.h"

enum { SW_PLANE_NUMBERS = SW_PLANES - 1 }; /* floats of a crystal beside its sw_crystal */

/* What planes slip, over the rate, of outputs [13]: >= 0, and together G, which an interpolation that falls below 0 on one plane
 * does not change. phi2: of the crystal in the principal frame, turns, |phi2| <= 1. Returns G >= 0. */
SW_HD static inline sw_real sw_plane_slips(const float along[SW_PLANES][3],
                                           const sw_real output[SW_OUTPUTS_MOST], sw_real phi2,
                                           sw_real slip[SW_PLANES])
{
    sw_real sine, cosine, sum = sw_broadcast(1e-20), all = sw_max(output[SW_OUTPUTS - 1], sw_broadcast(0.0));
    const sw_real *o = output + SW_OUTPUTS;
    sw_sincos_turns(phi2 - sw_nearest_whole(phi2), &sine, &cosine);
    sw_real t13 = cosine * o[0] + sine * o[1], t23 = cosine * o[1] - sine * o[0],
            t12 = (cosine * cosine - sine * sine) * o[2] - 2.0F * sine * cosine * o[3];
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        slip[k] = sw_max(all + along[k][0] * t13 + along[k][1] * t23 + along[k][2] * t12, sw_broadcast(0.0));
        sum += slip[k];
    }
    sw_real scale = sw_divide(all, sum);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++)
        slip[k] = slip[k] * scale;
    return all;
}

/* The one resistance that does the work of four: their mean by what planes slip, G = all together; where they do not, the mean of all. */
SW_HD static inline sw_real sw_plane_resistance(const sw_real s[SW_PLANES], const sw_real slip[SW_PLANES],
                                                sw_real all, sw_real mean)
{
    sw_real work = sw_broadcast(0.0);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++)
        work += s[k] * slip[k];
    sw_mask slips = SW_LESS(sw_broadcast(1e-6), all);
    return sw_choose(slips, sw_divide(work, sw_choose(slips, all, sw_broadcast(1.0))), mean);
}

/* sw_crystal_advance with `number` [3], which become those of the step's end. hardening: the law's. */
SW_HD static inline sw_mask sw_crystal_advance_planes(const sw_plane_law *law, const sw_hardening *hardening,
                                                      const sw_frame *frame,
                                                      const sw_real output[SW_OUTPUTS_MOST], sw_real phi2,
                                                      const sw_real q[4], sw_real euler[3],
                                                      sw_real *slip_resistance,
                                                      sw_real number[SW_PLANE_NUMBERS], sw_real sum[SW_MEANS])
{
    sw_real axial[3], turn[3], slip[SW_PLANES], s[SW_PLANES], rest = 4.0F * *slip_resistance;
    sw_real mean = sw_broadcast(0.0), all = sw_plane_slips(law->along, output, phi2, slip);
    sw_mask resists = SW_LESS(sw_broadcast(0.0), *slip_resistance);
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        s[k] = k < SW_PLANE_NUMBERS ? number[k] : rest;
        rest = rest - s[k];
    }
    sw_real resistance = sw_plane_resistance(s, slip, all, *slip_resistance);
    SW_UNROLL
    for (int c = 0; c < 5; c++)
        sum[c] += output[c] * resistance;
    SW_UNROLL
    for (int k = 0; k < SW_PLANES; k++) {
        sw_real by = law->own * slip[k] + law->latent * (all - slip[k]);
        s[k] = sw_harden(hardening, s[k], by * frame->strain);
        mean += 0.25F * s[k];
        if (k < SW_PLANE_NUMBERS)
            number[k] = s[k];
    }
    *slip_resistance = mean;
    sw_axial_in_sample(frame->frame, output + 5, axial);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        turn[i] = frame->applied_turn[i] - axial[i] * frame->strain;
    sw_turn_lattice(turn, q, euler);
    sum[SW_SUM_RESISTANCE] += mean;
    sum[SW_SUM_SLIP_RATE] += all;
    sw_real one = q[0] + euler[0] + euler[1] + euler[2] + mean;
    return resists & SW_LESS(sw_abs(one), sw_broadcast(1e30));
}

#endif
