#include "set_up.h"

#include "common/math/strain_rate.h"
#include "common/system/progress.h"
#include "online/response/step/solver.h"

sw_status sw_response_open_timed(const sw_response_options *options, const double velocity_gradient[3][3],
                                 sw_response **response, sw_set_up *seconds)
{
    const double started = sw_seconds();
    SW_TRY(sw_response_open(options, response));
    seconds->open = sw_seconds() - started;
    const sw_solver_functions *functions = (*response)->functions;
    const sw_status status = functions->prepare != NULL
                                 ? functions->prepare(*response, sw_strain_rate_of(velocity_gradient).theta)
                                 : SW_OK;
    seconds->rate = sw_seconds() - started - seconds->open;
    if (status == SW_OK)
        return SW_OK;
    sw_response_close(*response);
    *response = NULL;
    return status;
}
