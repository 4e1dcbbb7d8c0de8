/* The Work of points_kernel.cuh for a solver that looks up, in the table of all thetas: a type Lookup as of
 * step_kernel.cuh, with `slopes` beside (grid/table_view.cuh). */
#ifndef SW_ONLINE_RESPONSE_POINTS_LOOK_UP_KERNEL_CUH
#define SW_ONLINE_RESPONSE_POINTS_LOOK_UP_KERNEL_CUH

#include "points_kernel.cuh"

#include "look_up.h"

template <class Lookup> struct sw_point_look_up {
    static constexpr int BLOCKS = 4, TANGENT_BLOCKS = 3;
    static constexpr int KEPT = 0, numbers = 0;
    Lookup lookup;
    float rate_sensitivity;

    template <bool TANGENT>
    __device__ bool take(const sw_step *step, const sw_hardening &hardening, sw_point_crystal<KEPT> &crystal,
                         float number[SW_NUMBERS]) const
    {
        const float begun = crystal.slip_resistance;
        const sw_frame own = sw_frame_of_step(step);
        float q[4], principal[4], output[SW_OUTPUTS], stress[6], sum[SW_MEANS] = {0};
        bool good;
        if constexpr (TANGENT) {
            float slope[SW_SLOPES][SW_SLOPED], tangent[SW_TANGENT_COLUMNS][5], s;
            sw_quaternion_from_euler(crystal.euler, q);
            sw_quaternion_product(own.to_principal, q, principal);
            good = lookup.slopes(principal, own.theta, output, slope);
            const float scale = sw_looked_up_scale(&hardening, &own, output, begun, &s);
            sw_looked_up_tangent(&hardening, &own, output, slope, rate_sensitivity, s, scale, tangent);
#pragma unroll
            for (int k = 0; k < 5 * SW_TANGENT_COLUMNS; k++)
                number[SW_MEANS + k] = tangent[k / 5][k % 5];
        } else {
            sw_crystal_orientation(&own, crystal.euler, q, principal);
            good = lookup(principal, own.theta, output);
        }
        sw_looked_up_stress(&hardening, &own, output, begun, stress);
        good &= sw_crystal_advance(&hardening, &own, output, q, crystal.euler, &crystal.slip_resistance,
                                   sum) != 0;
        sw_looked_up_means(&own, stress, sum, number);
        return good;
    }
};

#endif
