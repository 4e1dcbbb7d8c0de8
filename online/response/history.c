#include "history.h"

#include <math.h>

#include "online/response/step/kept.h"
#include "online/response/step/solver.h"

int64_t sw_response_history_numbers(const sw_response *response)
{
    const sw_solver_functions *f = response->functions;
    return f->kept > 0 ? f->kept : f->history_numbers;
}

sw_status sw_response_history_begin(sw_response *response, int64_t n, const sw_crystal *crystal)
{
    const sw_solver_functions *f = response->functions;
    return f->kept > 0                ? sw_kept_reserve(response, n)
           : f->begin_history != NULL ? f->begin_history(response, n, crystal)
                                      : SW_OK;
}

sw_status sw_response_history_save(const sw_response *response, int64_t first, int64_t n, double *number)
{
    if (n == 0)
        return SW_OK;
    return response->functions->kept > 0 ? sw_kept_save(response, first, n, number)
                                         : response->functions->save_history(response, first, n, number);
}

sw_status sw_response_history_restore(sw_response *response, int64_t n_crystals, int64_t first, int64_t n,
                                      const double *number)
{
    const int64_t numbers = sw_response_history_numbers(response);
    for (int64_t i = 0; i < n * numbers; i++)
        if (!isfinite(number[i]))
            return sw_error(SW_ERR_FORMAT, "state of crystal %lld: a number is not finite",
                            (long long)(first + i / numbers));
    if (n == 0)
        return SW_OK;
    if (response->functions->kept == 0)
        return response->functions->restore_history(response, n_crystals, first, n, number);
    SW_TRY(sw_kept_reserve(response, n_crystals));
    return sw_kept_restore(response, first, n, number);
}
