#include "history.h"

#include <math.h>

#include "online/response/step/solver.h"

int64_t sw_response_history_numbers(const sw_response *response)
{
    return response->functions->history_numbers;
}

sw_status sw_response_history_save(const sw_response *response, int64_t first, int64_t n, double *number)
{
    return n == 0 ? SW_OK : response->functions->save_history(response, first, n, number);
}

sw_status sw_response_history_restore(sw_response *response, int64_t n_crystals, int64_t first, int64_t n,
                                      const double *number)
{
    for (int64_t i = 0; i < n * response->functions->history_numbers; i++)
        if (!isfinite(number[i]))
            return sw_error(SW_ERR_FORMAT, "state of crystal %lld: a number is not finite",
                            (long long)(first + i / response->functions->history_numbers));
    return n == 0 ? SW_OK : response->functions->restore_history(response, n_crystals, first, n, number);
}
