/* The frame of one crystal's own strain rate, on CPU and GPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_OWN_FRAME_H
#define SW_ONLINE_RESPONSE_STEP_OWN_FRAME_H

#include "common/math/strain_rate.h"
#include "crystal_update.h"

/* d [6]: D 11 22 33 23 13 12, 1/s. A trace is left out. D = 0 gives rate 0, and with it no stress and no
 * flow. */
SW_HD static inline void sw_own_step(const float d[6], double rate_sensitivity, sw_step *step)
{
    const double rate[3][3] = {{d[0], d[5], d[4]}, {d[5], d[1], d[3]}, {d[4], d[3], d[2]}};
    const sw_strain_rate own = sw_strain_rate_of(rate);
    double back[3][3], q[4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            step->frame[i][j] = (float)own.q[i][j];
            back[i][j] = own.q[j][i];
        }
    sw_quaternion_from_rotation(back, q);
    for (int i = 0; i < 4; i++)
        step->to_principal[i] = (float)q[i];
    step->theta = (float)(own.theta / (2 * SW_PI));
    step->rate = (float)own.rate;
    step->stress_scale = own.rate > 0 ? (float)pow(own.rate, rate_sensitivity) : 0;
}

#endif
