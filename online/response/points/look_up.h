/* Points with a loading each, of solvers that look a crystal's response up: what a step makes of it, and the tangent of a table that
 * interpolates. On CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_POINTS_LOOK_UP_H
#define SW_ONLINE_RESPONSE_POINTS_LOOK_UP_H

#include "common/math/deviator.h"
#include "common/database/table_turn.h"
#include "online/response/step/crystal_update.h"

/* The nine outputs under a step (principal frame), with the slip resistance at its beginning: that at its end -> *s, and what
 * outputs are stresses over, Pa. */
SW_HD static inline sw_real sw_looked_up_scale(const sw_hardening *hardening, const sw_frame *frame,
                                               const sw_real output[SW_OUTPUTS], sw_real slip_resistance,
                                               sw_real *s)
{
    *s = sw_harden(hardening, slip_resistance, sw_max(output[8], sw_broadcast(0.0)) * frame->strain);
    return frame->stress_scale * *s;
}

/* Stress in the sample frame, Pa, 11 22 33 23 13 12, with the slip resistance at the step's end. */
SW_HD static inline void sw_looked_up_stress(const sw_hardening *hardening, const sw_frame *frame,
                                             const sw_real output[SW_OUTPUTS], sw_real slip_resistance,
                                             sw_real stress[6])
{
    sw_real s, scale = sw_looked_up_scale(hardening, frame, output, slip_resistance, &s);
    sw_stress_in_sample(frame->frame, output, stress);
    SW_UNROLL
    for (int k = 0; k < 6; k++)
        stress[k] = stress[k] * scale;
}

/* Numbers (step.h) of a crystal from what sw_crystal_advance made of it. */
SW_HD static inline void sw_looked_up_means(const sw_frame *frame, const sw_real stress[6],
                                            const sw_real sum[SW_MEANS], sw_real mean[SW_MEANS])
{
    mean[0] = stress[0];
    mean[1] = stress[1];
    mean[2] = stress[5];
    mean[3] = stress[4];
    mean[4] = stress[3];
    mean[SW_SUM_MEAN_STRESS] = sw_broadcast(0.0);
    mean[SW_SUM_RESISTANCE] = sum[SW_SUM_RESISTANCE];
    mean[SW_SUM_SLIP_RATE] = sum[SW_SUM_SLIP_RATE] * frame->rate;
}

/* How the stress changes in the principal frame, over `scale` (sw_looked_up_scale), as D/||D|| does along the basis of vectors of five
 * there: by [5][5]. hardens: growth of the slip resistance with the output 8, over itself. Along D itself the law has m; aside in the
 * plane of principal rates theta changes; shears turn the frame, by as much as their two rates are near. */
SW_HD static inline void sw_looked_up_slopes(sw_real theta, const sw_real output[SW_OUTPUTS],
                                             const sw_real slope[SW_SLOPES][SW_SLOPED],
                                             float rate_sensitivity, sw_real hardens, sw_real by[5][5])
{
    const float root_half = 0.70710678F, root_1_5 = 1.22474487F;
    sw_real sine, cosine, stress[5], apart = sw_table_apart(theta);
    sw_table_stress(output, stress);
    sw_sincos_turns(theta - sw_nearest_whole(theta), &sine, &cosine);
    SW_UNROLL
    for (int i = 0; i < 5; i++) {
        sw_real along = stress[i] * (rate_sensitivity + hardens * sw_max(output[8], sw_broadcast(0.0)));
        sw_real aside = slope[0][i] + hardens * slope[0][5] * stress[i];
        by[0][i] = sine * along + cosine * aside;
        by[1][i] = sine * aside - cosine * along;
    }
    sw_sincos_turns(apart - sw_nearest_whole(apart), &sine, &cosine);
    /* principal rates 2 less 3, 3 less 1, 1 less 2 */
    const sw_real gap[3] = {root_1_5 * cosine - root_half * sine, -(root_1_5 * cosine) - root_half * sine,
                            2.0F * root_half * sine};
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        sw_real turns = sw_divide(sw_broadcast(0.70710678), gap[k]);
        SW_UNROLL
        for (int i = 0; i < 5; i++)
            by[k + 2][i] = turns * (slope[k + 1][i] + hardens * slope[k + 1][5] * stress[i]);
    }
}

/* The tangent in the sample frame, Pa s, by D; nothing comes of W. s: slip resistance at the step's end; scale:
 * sw_looked_up_scale. */
SW_HD static inline void sw_looked_up_tangent(const sw_hardening *hardening, const sw_frame *frame,
                                              const sw_real output[SW_OUTPUTS],
                                              const sw_real slope[SW_SLOPES][SW_SLOPED],
                                              float rate_sensitivity, sw_real s, sw_real scale,
                                              sw_real tangent[SW_TANGENT_COLUMNS][5])
{
    sw_real by[5][5], hardens = sw_divide(sw_hardening_rate(hardening, s), s) * frame->strain;
    sw_mask moves = SW_LESS(sw_broadcast(0.0), frame->rate);
    sw_real per = sw_choose(moves, sw_divide(scale, frame->rate), sw_broadcast(0.0));
    sw_looked_up_slopes(frame->theta, output, slope, rate_sensitivity, hardens, by);
    SW_UNROLL
    for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
        tangent[k / 5][k % 5] = sw_broadcast(0.0);
    SW_UNROLL
    for (int k = 0; k < 5; k++) {
        sw_real unit[5], along[5], change[5];
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            unit[i] = sw_broadcast(i == k);
            by[k][i] = per * by[k][i];
        }
        sw_deviator_from_frame((const sw_real(*)[3])frame->frame, unit, along);
        sw_deviator_from_frame((const sw_real(*)[3])frame->frame, by[k], change);
        SW_UNROLL
        for (int c = 0; c < 5; c++)
            SW_UNROLL
        for (int i = 0; i < 5; i++)
            tangent[c][i] += along[c] * change[i];
    }
}

#endif
