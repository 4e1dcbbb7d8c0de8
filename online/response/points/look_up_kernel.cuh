/* The Work of points_kernel.cuh for a solver that looks up, in the table of all thetas: a type Lookup as of
 * step_kernel.cuh. */
#ifndef SW_ONLINE_RESPONSE_POINTS_LOOK_UP_KERNEL_CUH
#define SW_ONLINE_RESPONSE_POINTS_LOOK_UP_KERNEL_CUH

#include "points_kernel.cuh"

#include "look_up.h"

template <class Lookup> struct sw_point_look_up {
    static constexpr int BLOCKS = 1, TANGENT_BLOCKS = 1;
    static constexpr int KEPT = 0, numbers = 0;
    Lookup lookup;

    __device__ bool find(const sw_frame &frame, const float euler[3], float q[4],
                         float output[SW_OUTPUTS]) const
    {
        float principal[4], angle[3];
        sw_crystal_angles(&frame, euler, q, principal, angle);
        return lookup(principal, angle, frame.theta, output);
    }

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const float euler[3] = {crystal.euler[0], crystal.euler[1], crystal.euler[2]},
                    s = crystal.slip_resistance;
        float q[4], output[SW_OUTPUTS], stress[6], sum[SW_MEANS] = {0}, slope[SW_TANGENT_COLUMNS][5] = {{0}};
        const sw_frame own = sw_frame_of_step(step);
        bool good = find(own, euler, q, output);
        sw_looked_up_stress(&hardening, &own, output, s, stress);
        good &= sw_crystal_advance(&hardening, &own, output, q, crystal.euler, &crystal.slip_resistance,
                                   sum) != 0;
        sw_looked_up_means(&own, stress, sum, number);
        if constexpr (TANGENT) {
#pragma unroll
            for (int k = 1; k < SW_POINT_STEPS; k++) {
                const sw_frame beside = sw_frame_of_step(step + k);
                good &= find(beside, euler, q, output);
                sw_looked_up_stress(&hardening, &beside, output, s, stress);
                sw_looked_up_slope(k, stress, own.rate * (float)(2 * SW_POINT_ASIDE), slope);
            }
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = slope[k / 5][k % 5];
        }
        return good;
    }
};

#endif
