#include "gather.h"

#include <string.h>

#include "common/system/status.h"
#include "common/system/threads.h"

sw_status sw_dem_gather_crystals(sw_dem_gatherer *g, int64_t questions, int64_t each, const int32_t *particle,
                                 const sw_crystals *from, sw_crystals *to)
{
    if (from->device == SW_CUDA)
        return sw_dem_gather_crystals_cuda(g, questions, each, particle, from->crystal, to->crystal);
    const int64_t numbers = each * from->layout->numbers;
    const double nanoseconds = 10 + 1.0 * (double)(each + numbers / 4);
#pragma omp parallel for num_threads(sw_threads_for(questions, nanoseconds))
    for (int64_t q = 0; q < questions; q++) {
        memcpy(to->crystal + q * each, from->crystal + particle[q] * each,
               (size_t)each * sizeof *to->crystal);
        if (from->state != NULL)
            memcpy(to->state + q * numbers, from->state + particle[q] * numbers,
                   (size_t)numbers * sizeof *to->state);
    }
    return SW_OK;
}

#ifndef SW_HAVE_CUDA

sw_status sw_dem_gather_crystals_cuda(sw_dem_gatherer *g, int64_t questions, int64_t each,
                                      const int32_t *particle, const sw_crystal *from, sw_crystal *to)
{
    (void)g, (void)questions, (void)each, (void)particle, (void)from, (void)to;
    return sw_error(SW_ERR_UNAVAILABLE, "device = cuda: this build has no CUDA");
}

void sw_dem_gatherer_free_cuda(sw_dem_gatherer *g) { (void)g; }

#endif
