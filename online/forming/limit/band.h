/* The band of Marciniak and Kuczynski: a strip of a sheet that is a little thinner than the rest, and what it is held to
 * in a step. Marciniak & Kuczynski, Int. J. Mech. Sci. 9 (1967) 609; inclined bands: Hutchinson & Neale 1978.
 *
 * The sheet is stretched along two axes at right angles in its plane, F = diag(exp e1, exp e2). The band's normal N is
 * inclined to the first of them. Both sides of it move alike along the band, and pull alike across it:
 *
 *     L_band = L_sheet + c (x) n,      n . sigma_band h_band = n . sigma_sheet h_sheet,      n ~ F^-T N,
 *
 * c in the plane; the band's thickness takes the trace. Neither shears out of the plane. Plane vectors are [2], stresses
 * 11 22 33 23 13 12, axes those of online/loading/condition.h. */
#ifndef SW_ONLINE_FORMING_LIMIT_BAND_H
#define SW_ONLINE_FORMING_LIMIT_BAND_H

#include <math.h>
#include <string.h>

#include "online/loading/condition.h"

/* What the normal does. */
enum { SW_BAND_ROTATES, SW_BAND_FIXED };

/* Angle of the normal to the axis of e1 after strains of the sheet, rad: of a line of material that is the band, and
 * tan(angle) = exp(e1 - e2) tan(initial). initial: from -pi/2 to pi/2. */
static inline double sw_band_angle(int band, double initial, const double strain[2])
{
    return band == SW_BAND_FIXED ? initial
                                 : atan2(sin(initial) * exp(-strain[1]), cos(initial) * exp(-strain[0]));
}

/* A stress's force across a line of this normal, by its length and the thickness: sigma n, Pa. */
static inline void sw_band_traction(const double stress[6], const double normal[2], double traction[2])
{
    traction[0] = stress[0] * normal[0] + stress[5] * normal[1];
    traction[1] = stress[5] * normal[0] + stress[1] * normal[1];
}

/* c along axis k. */
static inline void sw_band_jump(int k, const double normal[2], double along[3][3])
{
    memset(along, 0, 9 * sizeof(double));
    along[k][0] = normal[0];
    along[k][1] = normal[1];
    along[2][2] = -normal[k];
}

/* The band in a step. gradient: the sheet's L in its plane, 1/s; force: the sheet's traction times its thickness at the
 * step's end, Pa m; thickness: the band's at its beginning, m. */
static inline sw_condition sw_band_condition(const double gradient[3][3], const double normal[2],
                                             const double force[2], double thickness)
{
    sw_condition condition = {.free = 2, .thickness = thickness, .normal = 2};
    memcpy(condition.base, gradient, sizeof condition.base);
    for (int k = 0; k < 2; k++) {
        sw_band_jump(k, normal, condition.along[k]);
        condition.value[k] = force[k];
    }
    return condition;
}

#endif
