/* Vertices of the yield surface of a crystal whose slip systems all have the resistance 1: Bishop and Hill's
 * stress states (1951), for any table of slip systems.
 *
 * Rate-independent slip bears the deviatoric stresses v with |P_a . v| <= 1 for every system a, P_a the
 * symmetric part of direction x normal: a convex polyhedron. Deviatoric tensors are vectors of five here
 * (common/math/deviator.h) in the crystal axes. Dimensions: S slip systems, V vertices, one of each pair v, -v. */
#ifndef SW_COMMON_CRYSTAL_YIELD_VERTICES_H
#define SW_COMMON_CRYSTAL_YIELD_VERTICES_H

#include "common/math/deviator.h"
#include "lattice.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_YIELD_VERTICES_MAX = 1104 }; /* fcc and bcc 28, bcc24 216, bcc48 1104 */

/* schmid [S][5]: P_a. spin [S][3]: components 12, 13, 23 of the skew part of direction x normal. */
void sw_schmid_vectors(const sw_slip_systems *systems, double (*schmid)[5], double (*spin)[3]);

/* Whether slips make every strain: twins one way only, so that they count where they hold each other up. */
int sw_schmid_vectors_span(const sw_slip_systems *systems, const double (*schmid)[5]);

/* All V vertices -> vertex [SW_YIELD_VERTICES_MAX][5] and *count; the same order at every call. In at most
 * some 10 ms (bcc48). SW_ERR_CONVERGENCE if the systems bound no polyhedron, or one of too many vertices. */
sw_status sw_yield_vertices(const sw_slip_systems *systems, double (*vertex)[5], int *count);

#ifdef __cplusplus
}
#endif

#endif
