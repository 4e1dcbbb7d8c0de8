/* Points with a loading each, of solvers that look a crystal's response up: what a step makes of it, and the tangent by
 * differences. On CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_POINTS_LOOK_UP_H
#define SW_ONLINE_RESPONSE_POINTS_LOOK_UP_H

#include "common/math/deviator.h"
#include "online/response/step/crystal_update.h"

/* The nine outputs under a step (principal frame) -> stress in the sample frame, Pa, 11 22 33 23 13 12, with the slip
 * resistance at the step's end. */
SW_HD static inline void sw_looked_up_stress(const sw_hardening *hardening, const sw_frame *frame,
                                             const sw_real output[SW_OUTPUTS], sw_real slip_resistance,
                                             sw_real stress[6])
{
    sw_real slip = sw_max(output[8], sw_broadcast(0.0)) * frame->strain;
    sw_real scale = frame->stress_scale * sw_harden(hardening, slip_resistance, slip);
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

/* A stress beside, of step 1, 2, ... 10 (points.h), joins its column. width: twice SW_POINT_ASIDE, times ||D||. */
SW_HD static inline void sw_looked_up_slope(int beside, const sw_real stress[6], sw_real width,
                                            sw_real tangent[SW_TANGENT_COLUMNS][5])
{
    const int c = (beside - 1) / 2, plus = beside % 2;
    sw_real v[5], over = sw_choose(SW_LESS(sw_broadcast(0.0), width), sw_divide(sw_broadcast(1.0), width),
                                   sw_broadcast(0.0));
    sw_deviator_vector_of(stress, v);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        tangent[c][i] = plus ? v[i] * over : tangent[c][i] - v[i] * over;
}

#endif
