/* One crystal's part of a step: which angles to look up, and what to do with the answer.
 * Malahe 2018, section 3.5; Eqs. 17, 19, 20. */
#ifndef SW_ONLINE_RESPONSE_CRYSTAL_UPDATE_H
#define SW_ONLINE_RESPONSE_CRYSTAL_UPDATE_H

#include "common/crystal_model.h"
#include "common/rotation.h"
#include "common/strain_rate.h"
#include "common/symmetry.h"
#include "response.h"

/* Orientation g [3][3] (crystal -> sample), and its angles [3] in the principal frame of D. */
SW_HD static inline void sw_lookup_angles(const sw_crystal *crystal, const sw_strain_rate *d, double g[3][3],
                                          double angles[3])
{
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    double principal[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            principal[i][j] = d->q[0][i] * g[0][j] + d->q[1][i] * g[1][j] + d->q[2][i] * g[2][j];
    sw_euler_from_rotation(principal, angles);
}

/* Outputs in the principal frame, scaled -> deviatoric stress [3][3] (Pa) and plastic spin w12 w13 w23 (1/s)
 * in the sample frame. stress_scale = s rate^m. */
SW_HD static inline void sw_unscale(const float output[SW_OUTPUTS], const sw_strain_rate *d,
                                    double stress_scale, double stress[3][3], double spin[3])
{
    const float *o = output;
    double principal[3][3] = {{o[0], o[2], o[3]}, {o[2], o[1], o[4]}, {o[3], o[4], -o[0] - o[1]}};
    double skew[3][3] = {{0, o[5], o[6]}, {-o[5], 0, o[7]}, {-o[6], -o[7], 0}};
    double q[3][3], w[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            q[i][j] = d->q[i][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            principal[i][j] *= stress_scale;
    sw_rotate_tensor(q, principal, stress);
    sw_rotate_tensor(q, skew, w);
    spin[0] = d->rate * w[0][1];
    spin[1] = d->rate * w[0][2];
    spin[2] = d->rate * w[1][2];
}

/* The lattice turns by exp((W - Wp) dt): a rotation to round-off, whatever the step.
 * applied_spin, plastic_spin: components 12 13 23, 1/s. */
SW_HD static inline void sw_turn_lattice(double g[3][3], const double applied_spin[3],
                                         const double plastic_spin[3], double dt, sw_crystal *crystal)
{
    double turn[3][3], turned[3][3], euler[3], angle[3];
    for (int i = 0; i < 3; i++)
        angle[i] = (applied_spin[i] - plastic_spin[i]) * dt;
    sw_rotation_from_spin(angle, turn);
    sw_multiply(turn, g, turned);
    sw_euler_from_rotation(turned, euler);
    for (int i = 0; i < 3; i++)
        crystal->euler[i] = (float)euler[i];
}

#endif
