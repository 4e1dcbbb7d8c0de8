/* Shapes of particles and nuclei: spheroids by their aspect ratio, nuclei at boundaries, edges and corners of grains. */
#ifndef SW_ONLINE_KWN_MODEL_SHAPE_H
#define SW_ONLINE_KWN_MODEL_SHAPE_H

#include "alloy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a spheroid, the axis of rotation over the others > 0: its surface over that of the sphere of its volume, and its
 * electric capacity, which diffusion to it goes by, over that sphere's radius. */
double sw_kwn_spheroid_area(double aspect_ratio);
double sw_kwn_spheroid_capacity(double aspect_ratio);

/* Volume of a nucleus at a grain boundary, edge or corner over that of a sphere of its radius, by the contact angle (rad,
 * to pi / 2): Clemm and Fisher, Acta Metall. 3 (1955) 70, at corners by quadrature. 0 where the angle is so small that it wets. */
double sw_kwn_barrier_factor(sw_kwn_sites sites, double contact_angle);

#ifdef __cplusplus
}
#endif

#endif
