/* sw_integrate_points (response_grid.h) on a GPU, for C and CUDA alike: a crystal a thread, by the same law in double precision
 * (crystal_model.h). Outputs agree with the CPU's as its law does with itself when rounded otherwise: to what its
 * steps are solved to; docs/validation.md has the measure. */
#ifndef SW_OFFLINE_INTEGRATE_CUDA_H
#define SW_OFFLINE_INTEGRATE_CUDA_H

#include "response_grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_point_integrator sw_point_integrator;

/* For calls of up to `most` points, of one material and increment, both borrowed, on the GPU in use. One is open at a time.
 * SW_ERR_UNAVAILABLE, SW_ERR_MEMORY. */
sw_status sw_point_integrator_open(const sw_material *material, const sw_increment *increment, int64_t most,
                                   sw_point_integrator **integrator);

/* Begin with n points x [n][4], of the host's memory, which it is done with when it returns. */
sw_status sw_point_integrator_begin(sw_point_integrator *integrator, int64_t n, const double (*x)[4]);

/* Wait for what was begun: the same x -> output [n][13], of the host's memory. Crystals whose steps do not succeed at once are left
 * to the CPU, which halves them. Statistics are added to. Every status of sw_integrate_points. */
sw_status sw_point_integrator_end(sw_point_integrator *integrator, int64_t n, const double (*x)[4],
                                  double (*output)[SW_OUTPUTS_MOST], sw_integration_statistics *statistics);

void sw_point_integrator_close(sw_point_integrator *integrator); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
