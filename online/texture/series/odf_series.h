/* The ODF of crystals as a series of harmonics of rotations, f = sum of a_l C^l_mn D^l_mn up to l = SW_ODF_DEGREE: a_l of de
 * la Vallee Poussin's kernel, C^l_mn the crystals' (theory.md, section 9). All crystals cost a spreading each
 * (torus.h) and together one transform; so do points at which densities are asked for. Against sums of the kernel over
 * crystals (slipwave/texture.h) densities are off by 5e-4 of the largest at most, less where many crystals share it; none is
 * below 0. */
#ifndef SW_ONLINE_TEXTURE_SERIES_ODF_SERIES_H
#define SW_ONLINE_TEXTURE_SERIES_ODF_SERIES_H

#include "common/crystal/point_group.h"
#include "common/system/status.h"
#include "torus.h"

/* Kernels as wide as kappa's, or wider: of 7.5 degrees' half width. Higher degrees have less than 2e-5 of it. */
enum { SW_ODF_DEGREE = 44, SW_ODF_KAPPA = 162 };

typedef struct sw_odf_series sw_odf_series;

/* From the cells of a torus, [SIDE][SIDE][SIDE / fold]: phi1, Phi, phi2; their sum, above 0, is what crystals weigh. A cell may
 * be below 0 (../bin_moments.h), as a signed number is. Rotations of the group are applied exactly.
 * SW_ERR_RANGE unless 1 <= kappa <= SW_ODF_KAPPA, SW_ERR_MEMORY. */
sw_status sw_odf_series_create(const sw_point_group *group, const uint64_t *cell, int kappa,
                               sw_odf_series **series);
/* From crystals in host memory, as slipwave/texture.h has them, and its errors. */
sw_status sw_odf_series_of_crystals(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                                    const double *weight, int kappa, sw_odf_series **series);
void sw_odf_series_destroy(sw_odf_series *series); /* NULL is fine */

/* Densities [P] out, MRD: of a crystal direction's poles, both ends, at unit sample directions [P][3]; of the sample's
 * `axis` at unit crystal directions; at orientations (Bunge, rad). SW_ERR_RANGE for what is not finite; SW_ERR_MEMORY. */
sw_status sw_odf_series_pole_figure(const sw_odf_series *series, const double pole[3], int64_t n_points,
                                    const double (*direction)[3], double *density);
sw_status sw_odf_series_inverse(const sw_odf_series *series, const double axis[3], int64_t n_points,
                                const double (*direction)[3], double *density);
sw_status sw_odf_series_at(const sw_odf_series *series, int64_t n_points, const double (*point)[3],
                           double *density);

/* The mean over the crystals of the square of the cosine between their axis 3 and a sample direction (unit). */
double sw_odf_series_square(const sw_odf_series *series, const double axis[3]);

/* The mean of the ODF over the crystals. */
double sw_odf_series_mean(const sw_odf_series *series);

#endif
