/* Solver `elastoplastic` on a GPU: elastoplastic.h says what it is. */
#define SW_WITH_FAMILIES 0
#define SW_LAW_ALL 0
#include "elastoplastic_kernel.cuh"

#include <cstdlib>

#include "elastoplastic_families.h"

static void close_elastoplastic(sw_response *response)
{
    forget(response);
    sw_elastoplastic_families_forget(response);
    sw_elastoplastic_all_forget(response);
    free(response->data);
}

static sw_status open_elastoplastic(sw_response *response)
{
    sw_elastoplastic_model *model;
    SW_TRY(SW_ALLOCATE(model, 1, "elastoplastic solver"));
    response->data = model;
    return sw_elastoplastic_prepare(response->material, model);
}

static const sw_slip_law *law_of(const sw_response *response)
{
    return &((const sw_elastoplastic_model *)response->data)->slip.law;
}

static sw_status launch_any_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                                 const sw_crystals *to, double *partial, double *sums, void *stream)
{
    const sw_slip_law *law = law_of(response);
    return (sw_slip_law_wants_all(law) ? sw_elastoplastic_all_step
            : law->systems > 0         ? sw_elastoplastic_families_step
                                       : launch_step)(response, step, from, to, partial, sums, stream);
}

static sw_status launch_any_points(sw_response *response, const sw_points_launch *launch)
{
    const sw_slip_law *law = law_of(response);
    return (sw_slip_law_wants_all(law) ? sw_elastoplastic_all_points
            : law->systems > 0         ? sw_elastoplastic_families_points
                                       : launch_points)(response, launch);
}

extern "C" const sw_solver_functions sw_elastoplastic_cuda = {.open = open_elastoplastic,
                                                              .close = close_elastoplastic,
                                                              .launch_step = launch_any_step,
                                                              .tangent = SW_TANGENT_OWN,
                                                              .launch_points = launch_any_points};
