/* What a texture looks like, into a results file. */
#ifndef SW_ONLINE_TEXTURE_TEXTURE_OUTPUT_H
#define SW_ONLINE_TEXTURE_TEXTURE_OUTPUT_H

#include <stdint.h>

#include "common/files/hdf5_door.h"
#include "common/system/status.h"
#include "orientation_histogram.h"

/* Write under the group `where`, for crystals of a structure, euler [N][3] (Bunge, rad), of weight [N], or NULL: all alike;
 * c_over_a: of the axes of lattices where they differ; `crystals`: how many of equal weight make as sure a texture, for its index (texture.h). Densities in MRD, kernel
 * of 7.5 degrees' half width (attribute kernel_halfwidth_degrees of `where`):
 *
 * pole_figure/{111,100,110}, of body-centred metals {110,200,211}, of hexagonal ones {0002,10-10,10-11}  float [101][101]
 *     sample directions: x axis 1, y axis 2
 * inverse_pole_figure/axis_{1,2,3}      float [101][101]  crystal directions: along the crystal's x and y, of
 *     cubic and tetragonal ones [100] and [010], of hexagonal ones [2-1-10] and [01-10]
 *     index [y][x], both from -1 to 1, on the unit disk that shows the upper hemisphere with equal areas:
 *     direction (x sqrt(2 - r^2), y sqrt(2 - r^2), 1 - r^2), r^2 = x^2 + y^2; NaN outside the disk
 * odf                                   float [19][19][37]  phi2 0..90, of hexagonal crystals [13] 0..60, Phi 0..90, phi1
 *     0..180 degrees by 5; attribute sample_symmetry
 * kearns_factor                         double [3]  of lattices whose axes differ: the mean square of the cosine between the
 *     crystal's axis c and sample axes 1, 2, 3; their sum is 1
 * texture_index                         double; NaN where it would be off by more than 0.05: of one
 *     or two crystals, or of one that outweighs all others
 * component_fraction, component_fraction_random  double [components]; attributes names (with commas between)
 *     and tolerance_degrees (15)
 * odf_histogram        uint64 [72][72][72]  of more than SW_TEXTURE_CRYSTALS crystals: those in each bin: angles 2 atan r_i, i = 1,
 *     2, 3, from -45 to 45 degrees by 1.25 (attribute bin_degrees), where r is Rodrigues' vector of the crystal's equivalent
 *     nearest to the sample axes; compressed. With weights: what orientation_histogram.h counts, and an attribute
 *     counts_of_heaviest, SW_HISTOGRAM_HEAVIEST
 *
 * Densities are off by 5e-4 of those of one crystal at most (series/odf_series.h), of very many on a GPU by 8e-4 (bin_moments.h),
 * and the same bits for any number of threads or processes. component_fraction is that of the crystals, but for those within
 * 2e-5 rad of the limit.
 * SW_ERR_RANGE for no crystal, angles that are not finite or above 8192, or bad weights, SW_ERR_IO when something cannot be
 * written. */
sw_status sw_texture_write(hid_t where, const sw_lattice *lattice, double c_over_a, int64_t n_crystals,
                           const double (*euler)[3], const double *weight, double crystals);

enum { SW_TEXTURE_CRYSTALS = 1 << 15 };

/* The same from crystals that were counted where they are. */
sw_status sw_texture_write_histogram(hid_t where, const sw_orientation_histogram *histogram, double c_over_a,
                                     double crystals);

#endif
