/* A point of the grid, on CPU and GPU: the crystal it is, and what the database keeps of it. Malahe 2018, sections 2.2, 2.3. */
#ifndef SW_OFFLINE_RESPONSE_POINT_H
#define SW_OFFLINE_RESPONSE_POINT_H

#include "common/crystal/symmetry.h"
#include "common/math/strain_rate.h"

/* Angles x [4] -> the crystal's orientation g, and its velocity gradient of a rate ||D|| (1/s), in the principal frame. */
SW_HD static inline void sw_point_begin(const double x[4], double strain_rate, double g[3][3],
                                        double velocity_gradient[3][3])
{
    double lambda[3];
    sw_rotation_from_euler(x, g);
    sw_principal_values(x[3], lambda);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            velocity_gradient[i][j] = i == j ? strain_rate * lambda[i] : 0;
}

/* What the database keeps of a crystal at the end of its increment, in multiples of s rate^m (stress) and of
 * the rate (spin, slip): sigma, Pa, and F* Lp F*^-1, 1/s, of a slip resistance s, Pa, and G, 1/s. While a crystal hardens,
 * part of D goes into growing its elastic strain: 0.8 % at copper's first hardening rate. The rate that counts is the
 * plastic one, sigma : Dp / sigma : D of ||D||; see docs/theory.md. */
SW_HD static inline void sw_point_outputs(const double x[4], double strain_rate, double rate_sensitivity,
                                          const double sigma[3][3], const double lp[3][3],
                                          double slip_resistance, double slip_rate, double output[SW_OUTPUTS])
{
    const double pressure = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3;
    double lambda[3], power = 0, plastic_power = 0;
    sw_principal_values(x[3], lambda);
    for (int i = 0; i < 3; i++) {
        power += (sigma[i][i] - pressure) * lambda[i] * strain_rate;
        for (int j = 0; j < 3; j++)
            plastic_power += (sigma[i][j] - (i == j ? pressure : 0)) * lp[i][j];
    }
    const double rate = strain_rate * plastic_power / power;
    const double stress = slip_resistance * pow(rate, rate_sensitivity);
    const double unscaled[SW_OUTPUTS] = {sigma[0][0] - pressure,
                                         sigma[1][1] - pressure,
                                         sigma[0][1],
                                         sigma[0][2],
                                         sigma[1][2],
                                         0.5 * (lp[0][1] - lp[1][0]),
                                         0.5 * (lp[0][2] - lp[2][0]),
                                         0.5 * (lp[1][2] - lp[2][1]),
                                         slip_rate};
    for (int c = 0; c < SW_OUTPUTS; c++)
        output[c] = unscaled[c] / (c < 5 ? stress : rate);
}

#endif
