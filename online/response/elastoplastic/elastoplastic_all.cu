/* The kernels of solver `elastoplastic` for crystals whose systems have back-stresses. */
#define SW_WITH_FAMILIES 1
#define SW_LAW_ALL 1
#define SW_SLIP_UNROLL 1
#include "elastoplastic_kernel.cuh"

#include "elastoplastic_families.h"

sw_status sw_elastoplastic_all_step(sw_response *response, const struct sw_step *step,
                                    const sw_crystals *from, const sw_crystals *to, double *partial,
                                    double *sums, void *stream)
{
    return launch_step(response, step, from, to, partial, sums, stream);
}

sw_status sw_elastoplastic_all_points(sw_response *response, const sw_points_launch *launch)
{
    return launch_points(response, launch);
}

void sw_elastoplastic_all_forget(const sw_response *response) { forget(response); }
