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
                                          double slip_resistance, double slip_rate,
                                          double output[SW_OUTPUTS_MOST])
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
    for (int c = SW_OUTPUTS; c < SW_OUTPUTS_MOST; c++)
        output[c] = 0; /* sw_plane_outputs' */
}

/* Of a field to be transformed: in single precision, but on a GPU, whose transforms of other lengths than powers of two leave more
 * than rounding's own zeros of what symmetry forbids. */
#ifdef __CUDACC__
typedef double sw_field_number;
#else
typedef float sw_field_number;
#endif

/* An orbit's outputs from those of its distinct point, at `index` of the grid, to fields with phi2 reduced to its period: field [13]
 * of [shape0][shape1][shape2 / fold][row], row >= shape3; NULL: not that one. */
SW_HD static inline void sw_point_expand(const sw_symmetries *all, const int64_t shape[4], int64_t row,
                                         int64_t index, const double output[SW_OUTPUTS_MOST],
                                         sw_field_number *const field[SW_OUTPUTS_MOST])
{
    const int64_t period = shape[2] / all->fold;
    /* A point that an operation maps to itself has the outputs that the operation leaves alone: the mean over
     * such operations removes the round-off that does not. */
    double mean[SW_OUTPUTS_MOST] = {0};
    int fixed = 0;
    int64_t j[4], place[4];
    for (int d = 3; d >= 0; d--) {
        j[d] = index % shape[d];
        index /= shape[d];
    }
    for (int s = 0; s < all->count; s++) {
        const sw_symmetry *symmetry = &all->operation[s];
        int stays = 1;
        for (int d = 0; d < 4; d++)
            stays &= sw_symmetry_place(symmetry, shape, d, j[d]) == j[d];
        if (!stays)
            continue;
        fixed++;
        for (int c = 0; c < SW_OUTPUTS_MOST; c++)
            mean[c] += symmetry->output_sign[c] * output[symmetry->source[c]];
    }
    for (int s = 0; s < all->count; s++) {
        const sw_symmetry *symmetry = &all->operation[s];
        for (int d = 0; d < 4; d++)
            place[d] = sw_symmetry_place(symmetry, shape, d, j[d]);
        if (place[2] >= period)
            continue;
        for (int c = 0; c < SW_OUTPUTS_MOST; c++)
            if (field[c] != NULL)
                field[c][((place[0] * shape[1] + place[1]) * period + place[2]) * row + place[3]] =
                    (sw_field_number)(symmetry->output_sign[c] * mean[symmetry->source[c]] / fixed);
    }
}

#endif
