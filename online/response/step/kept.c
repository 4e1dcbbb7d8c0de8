#include "kept.h"

#include <stdlib.h>

#include "crystals.h"
#include "crystals_cuda.h"
#include "solver.h"

sw_status sw_kept_make(const sw_response *response, int64_t n, float **kept)
{
    const int64_t numbers = n * response->functions->kept;
    return response->device == SW_CUDA ? sw_numbers_allocate_cuda(numbers, kept)
                                       : SW_ALLOCATE(*kept, numbers, "states of crystals");
}

void sw_kept_release(const sw_response *response, float *kept)
{
    if (response->device == SW_CUDA)
        sw_numbers_free_cuda(kept);
    else
        free(kept);
}

sw_status sw_kept_copy(const sw_response *response, int64_t n, float *to, const float *from)
{
    return sw_numbers_copy(response->device, n * response->functions->kept, to, from);
}

sw_status sw_kept_reserve(sw_response *response, int64_t n)
{
    if (response->kept == NULL) {
        SW_TRY(sw_kept_make(response, n, &response->kept));
        response->n_kept = n;
    }
    return n == response->n_kept
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "%lld crystals: this response keeps the state of %lld", (long long)n,
                          (long long)response->n_kept);
}

void sw_kept_free(sw_response *response)
{
    sw_kept_release(response, response->kept);
    response->kept = NULL;
}

static sw_status check_range(const sw_response *response, int64_t first, int64_t n)
{
    if (response->kept != NULL && first >= 0 && n >= 0 && first + n <= response->n_kept)
        return SW_OK;
    return sw_error(SW_ERR_RANGE, "crystals %lld to %lld: this response keeps the state of %lld",
                    (long long)first, (long long)(first + n - 1), (long long)response->n_kept);
}

sw_status sw_kept_save(const sw_response *response, int64_t first, int64_t n, double *number)
{
    const int64_t k = response->functions->kept;
    float *one;
    SW_TRY(check_range(response, first, n));
    SW_TRY(SW_ALLOCATE(one, n * k, "states of crystals"));
    const sw_status status = sw_kept_copy(response, n, one, response->kept + first * k);
    for (int64_t i = 0; i < n * k; i++)
        number[i] = one[i];
    free(one);
    return status;
}

sw_status sw_kept_restore(sw_response *response, int64_t first, int64_t n, const double *number)
{
    const int64_t k = response->functions->kept;
    float *one;
    SW_TRY(check_range(response, first, n));
    SW_TRY(SW_ALLOCATE(one, n * k, "states of crystals"));
    for (int64_t i = 0; i < n * k; i++)
        one[i] = (float)number[i];
    const sw_status status = sw_kept_copy(response, n, response->kept + first * k, one);
    free(one);
    return status;
}
