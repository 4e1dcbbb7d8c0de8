/* Rigid tools that are surfaces of triangles, counter-clockwise from outside, closed or not; on the CPU.
 *
 * The gap is the distance from the nearest place of the surface along its normal there, which goes over from corner to corner
 * as Phong's does, so that a node that slides over an edge is not turned at once; edges of more than CREASE stay sharp. The
 * normal's gradient is a mean curvature of the triangle. Where the nearest place is the surface's own edge it is not touched. */
#ifndef SW_ONLINE_FEM_CONTACT_TRIANGLES_H
#define SW_ONLINE_FEM_CONTACT_TRIANGLES_H

#include "tool.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_fem_triangles sw_fem_triangles;

/* corner [n][3][3] m. SW_ERR_RANGE: none, a triangle without an area, a corner that is not finite; SW_ERR_MEMORY. */
sw_status sw_fem_triangles_make(int64_t n, const double (*corner)[3][3], sw_fem_triangles **triangles);
void sw_fem_triangles_free(sw_fem_triangles *triangles); /* NULL is fine */
/* A file of triangles (.stl), or of elements in space (.inp, .msh: hexahedra), whose outer faces are the surface. */
sw_status sw_fem_triangles_read(const char *path, double scale, sw_fem_triangles **triangles);
uint64_t sw_fem_triangles_hash(uint64_t h, const sw_fem_triangles *triangles);

#ifdef __cplusplus
}
#endif

#endif
