#include "backend.h"

#include <inttypes.h>

const sw_kwn_axis *sw_kwn_axis_of(const sw_kwn *kwn) { return &kwn->axis; }

void sw_kwn_sum(const sw_kwn_axis *axis, const double *number, double obstacle, sw_kwn_sums *sums)
{
    *sums = (sw_kwn_sums){0};
    for (int32_t i = 0; i < axis->n; i++) {
        const double rho = axis->pivot[i];
        sums->number += number[i];
        sums->radius += number[i] * rho;
        sums->volume += number[i] * rho * rho * rho;
        sums->obstacle += number[i] * fmin(rho * obstacle, 1);
    }
}

sw_status sw_kwn_failure(int64_t index, const sw_kwn_point *point)
{
    return sw_error(SW_ERR_CONVERGENCE, "point %" PRId64 ": no step was small enough at %g s (%g K)", index,
                    point->time, point->temperature);
}
