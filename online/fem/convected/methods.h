/* The four iterations of Demeshko et al. 2011, section 5.3, for A z = b with a band matrix that is not symmetric, and
 * the direct solution beside them. All begin with z = 0 and end with |A z - b| <= tolerance |b|. */
#ifndef SW_ONLINE_FEM_CONVECTED_METHODS_H
#define SW_ONLINE_FEM_CONVECTED_METHODS_H

#include "band.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With r = A z - b:
 *     simple             z -= r 2 / |A|, by 5 % less: |A| bounds the eigenvalues
 *     minimal_residual   z -= r (A r, r) / (A r, A r): Eq. 2, the least |r| along r
 *     steepest_descent   z -= r (r, r) / (A r, r): of a symmetric matrix the least energy along r. What is not
 *                        symmetric here is small (stress over shear modulus), so that the form is kept; the one of
 *                        A' A squares the condition number
 *     biconjugate        biconjugate gradients with the diagonal as preconditioner
 *     direct             banded LU; on the CPU */
typedef enum {
    SW_FEM_SIMPLE,
    SW_FEM_MINIMAL_RESIDUAL,
    SW_FEM_STEEPEST_DESCENT,
    SW_FEM_BICONJUGATE,
    SW_FEM_DIRECT,
    SW_FEM_BAND_METHODS
} sw_fem_band_method;
extern const char *const sw_fem_band_method_names[SW_FEM_BAND_METHODS];

/* space->solution of space->right. *iterations: taken. SW_ERR_CONVERGENCE, with what |A z - b| / |b| is, after `most`
 * or where a method breaks down; z is then its last. */
sw_status sw_fem_band_solve(sw_fem_band_space *space, sw_fem_band_method method, double tolerance,
                            int64_t most, int64_t *iterations);

#ifdef __cplusplus
}
#endif

#endif
