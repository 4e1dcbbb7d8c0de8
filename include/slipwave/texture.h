/* What a set of orientations looks like: pole figures, inverse pole figures, ODF, disorientations. Dimension: N
 * crystals.
 *
 * weight [N]: for how much an orientation counts, or how many crystals it stands for; 0 or more, not all 0;
 * NULL: 1 each. An orientation of weight 2 is the same, to round-off, as two of weight 1; with equal weights, as
 * with NULL.
 *
 * Densities are estimates with de la Vallee Poussin's kernel (Schaeben 1997), in multiples of a
 * random distribution (MRD): on rotations K(w) = c cos^(2 kappa)(w/2), on directions its Radon
 * transform (1 + kappa) ((1 + cos w)/2)^kappa, so pole figures are exactly those of the ODF. Up to 2^26 crystals times points
 * they are sums; of more, where kappa <= 162 (half width 7.5 degrees or more), series of harmonics, off by 5e-4 of the
 * largest density at most, in a tenth of the time or less. */
#ifndef SLIPWAVE_TEXTURE_H
#define SLIPWAVE_TEXTURE_H

#include <stdint.h>

#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The rotations that leave a crystal as it is: "432", cubic; "422", tetragonal; "622", hexagonal; "222", orthorhombic. The crystal's axes: 3 is the
 * main one, 1 that of a half turn. Lives for ever. SW_ERR_RANGE for another name. */
typedef struct sw_point_group sw_point_group;
SW_API sw_status sw_point_group_find(const char *name, const sw_point_group **group);

/* kappa of the kernel whose density falls to one half at `halfwidth` (rad): an integer, so that
 * powers are products; 1 .. 10^6. */
SW_API int sw_texture_kappa(double halfwidth);

/* Density of the poles that are `pole` by symmetry at sample directions.
 * euler [N][3] rad; pole [3]: a direction of the crystal, of any length, of cubic crystals {hkl} itself: {1, 1, 1};
 * direction [P][3] unit; density [P] out, MRD. All variants of the pole, and both its ends, count. SW_ERR_RANGE for pole = 0, no crystal, a bad weight, kappa < 1, or an
 * angle or direction that is not finite, or arrays that share memory with what is written, or angles beyond 1000 rad; a warning of those beyond two
 * turns, which may be degrees; so below. */
SW_API sw_status sw_pole_figure(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                                const double *weight, const double pole[3], int kappa, int64_t n_points,
                                const double (*direction)[3], double *density);

/* Density of the sample direction `axis` (unit, [3]) over crystal directions; direction [P][3] unit, crystal
 * frame; density [P] out, MRD, the crystal's symmetry applied. */
SW_API sw_status sw_inverse_pole_figure(const sw_point_group *group, int64_t n_crystals,
                                        const double (*euler)[3], const double *weight, const double axis[3],
                                        int kappa, int64_t n_points, const double (*direction)[3],
                                        double *density);

typedef enum {
    SW_SAMPLE_TRICLINIC,    /* none */
    SW_SAMPLE_MONOCLINIC,   /* two-fold about axis 3: simple shear in the 1-2 plane */
    SW_SAMPLE_ORTHORHOMBIC, /* two-fold about axes 1, 2, 3: rolling, plane strain compression */
} sw_sample_symmetry;

/* ODF at orientations point [P][3] (Bunge, rad); density [P] out, MRD. Of narrow kernels (of cubic crystals
 * from kappa = 138 on, half width below 8.1 degrees) to within 1e-6 MRD: see nearest_suffices. */
SW_API sw_status sw_odf(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                        const double *weight, sw_sample_symmetry symmetry, int kappa, int64_t n_points,
                        const double (*point)[3], double *density);

/* Smallest rotation angle (rad) from `reference` [3] (Bunge, rad) to each crystal over the group's rotations
 * and the sample's; angle [N] out, good to 5e-8. NaN for a crystal whose angles are. */
SW_API sw_status sw_disorientation(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                                   sw_sample_symmetry symmetry, const double reference[3], double *angle);

#ifdef __cplusplus
}
#endif

#endif
