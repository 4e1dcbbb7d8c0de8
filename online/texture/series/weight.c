#include "weight.h"

#include <math.h>
#include <stddef.h>

sw_status sw_texture_weight(int64_t count, const double *weight, double *total)
{
    *total = weight == NULL ? (double)count : 0;
    for (int64_t i = 0; weight != NULL && i < count; i++) {
        if (!(weight[i] >= 0 && weight[i] < INFINITY))
            return sw_error(SW_ERR_RANGE, "orientation %lld of a texture weighs %g: need 0 or more",
                            (long long)i, weight[i]);
        *total += weight[i];
    }
    if (weight != NULL && !(*total > 0 && *total < INFINITY))
        return sw_error(SW_ERR_RANGE, "the orientations of a texture weigh %g together: need more than 0",
                        *total);
    return SW_OK;
}
