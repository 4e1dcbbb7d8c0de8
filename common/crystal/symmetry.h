/* Symmetries of a crystal's response over the grid of inputs (phi1, Phi, phi2, theta).
 *
 * In the principal frame of D the response is a field of nine outputs over four angles. The Euler
 * double cover, crystal rotations that map the angles to themselves, half-turns of the sample and the
 * exchange of axes 1 and 2 (theta -> -theta) each carry one grid point's response to another's by a
 * signed permutation of the outputs. Of cubic crystals together: 128 operations. */
#ifndef SW_COMMON_CRYSTAL_SYMMETRY_H
#define SW_COMMON_CRYSTAL_SYMMETRY_H

#include <stdint.h>

#include "common/system/device.h"
#include "common/system/status.h"
#include "point_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The nine outputs, in the order of every file and array: sigma' 11 22 12 13 23 over s rate^m; Wp 12 13 23
 * over the rate; G over the rate. Behind them, where a law of four coplanar resistances wants them, four of how slip is shared
 * among the planes (common/database/slip_planes.h): components 13, 23, 12 and (11 - 22)/2 of a tensor, over the rate. */
enum { SW_OUTPUTS = 9, SW_OUTPUTS_MOST = 13 };
extern const char *const sw_output_names[SW_OUTPUTS_MOST];

/* x -> x' with x'_d = sign_d x_d + twelfth_d (2 pi / 12); the response at x' is
 * output'[c] = output_sign[c] output[source[c]]. */
typedef struct {
    int sign[4], twelfth[4];
    int source[SW_OUTPUTS_MOST], output_sign[SW_OUTPUTS_MOST];
} sw_symmetry;

enum { SW_SYMMETRIES_MAX = 192 };

/* All of them; the identity first. */
typedef struct {
    int count;
    int fold; /* of the crystal's axis 3: a turn over it is the period of phi2 */
    sw_symmetry operation[SW_SYMMETRIES_MAX];
} sw_symmetries;

/* Of crystals of a point group with a half turn about axis 1. */
void sw_symmetries_of(const sw_point_group *group, sw_symmetries *all);

/* SW_ERR_RANGE, naming the dimension, unless the operations map the grid to itself: the first length a multiple of 4, the
 * second of 2, the third of the group's fold; lengths 4 .. SW_GRID_LENGTH_MAX. */
enum { SW_GRID_LENGTH_MAX = 8192 };
sw_status sw_grid_check(const sw_point_group *group, const int64_t shape[4]);

/* Where an operation takes place j of dimension d; shape as checked. */
SW_HD static inline int64_t sw_symmetry_place(const sw_symmetry *symmetry, const int64_t shape[4], int d,
                                              int64_t j)
{
    const int64_t n = shape[d],
                  place = symmetry->sign[d] * j + symmetry->twelfth[d] * n / 12; /* -n < place < 2 n */
    return place < 0 ? place + n : place < n ? place : place - n;
}

/* Linear index of the image of a grid point. */
SW_HD static inline int64_t sw_symmetry_image(const sw_symmetry *symmetry, const int64_t shape[4],
                                              int64_t index)
{
    int64_t image = 0, stride = 1;
    for (int d = 3; d >= 0; d--) {
        image += sw_symmetry_place(symmetry, shape, d, index % shape[d]) * stride;
        index /= shape[d];
        stride *= shape[d];
    }
    return image;
}

#ifdef __cplusplus
}
#endif

#endif
