/* What a texture looks like, into a results file. */
#ifndef SW_ONLINE_TAYLOR_TEXTURE_OUTPUT_H
#define SW_ONLINE_TAYLOR_TEXTURE_OUTPUT_H

#include <hdf5.h>
#include <stdint.h>

#include "common/status.h"

/* Write under the group `where`, for crystals euler [N][3] (Bunge, rad); densities in MRD, kernel of 7.5
 * degrees' half width (attribute kernel_halfwidth_degrees of `where`):
 *
 * pole_figure/{111,100,110}             float [101][101]  sample directions: x axis 1, y axis 2
 * inverse_pole_figure/axis_{1,2,3}      float [101][101]  crystal directions: x [100], y [010]
 *     index [y][x], both from -1 to 1, on the unit disk that shows the upper hemisphere with equal areas:
 *     direction (x sqrt(2 - r^2), y sqrt(2 - r^2), 1 - r^2), r^2 = x^2 + y^2; NaN outside the disk
 * odf                                   float [19][19][37]  phi2 0..90, Phi 0..90, phi1 0..180 degrees by 5;
 *     attribute sample_symmetry
 * texture_index                         double; NaN for a single crystal
 * component_fraction, component_fraction_random  double [components]; attributes names (with commas between)
 *     and tolerance_degrees (15)
 *
 * SW_ERR_RANGE for no crystal or angles that are not finite, SW_ERR_IO when something cannot be written. */
sw_status sw_texture_write(hid_t where, int64_t n_crystals, const double (*euler)[3]);

#endif
