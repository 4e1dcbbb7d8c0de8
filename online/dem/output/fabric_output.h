/* Fabric of all elements, as they are, in a results file. */
#ifndef SW_ONLINE_DEM_OUTPUT_FABRIC_OUTPUT_H
#define SW_ONLINE_DEM_OUTPUT_FABRIC_OUTPUT_H

#include "common/files/hdf5_door.h"
#include "fabric.h"

/* Datasets of the group /fabric, float64, for R elements; NaN for those that failed:
 *
 * tensor, force_tensor          [R][6]      mean of n n, and with normal forces as weights; 11 22 33 23 13 12
 * anisotropy, force_anisotropy  [R]
 * plane_count, plane_force      [R][3][36]  contacts and their mean normal force (N) by angle: x-y, x-z, y-z
 * sphere_count, sphere_force    [R][36]     the same by cells of one solid angle
 * counts, chi_squared, p_value, reduced, cramer, excess
 *                               [R][4]      Pearson's test of x-y, x-z, y-z, sphere
 * particles                     [R][33]     how many have 0, 1, ..., 32 and more contacts
 *
 * SW_ERR_IO, SW_ERR_MEMORY. */
sw_status sw_dem_write_fabric(sw_dem *dem, int64_t n_elements, hid_t file);

#endif
