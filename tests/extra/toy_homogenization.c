/* A polycrystal that answers as its first crystal, as a newcomer would write it: what the crystals do is Taylor's affair, the means
 * are of one of each. On the CPU. */
#include <stdlib.h>

#include "online/response/homogenization/homogenization.h"

/* Weights [points each]: 1 for the first of each point, else 0. */
static sw_status weigh_first(int64_t points, int64_t each, float **weight)
{
    SW_TRY(SW_ALLOCATE(*weight, points * each, "weights"));
    for (int64_t p = 0; p < points; p++)
        (*weight)[p * each] = 1;
    return SW_OK;
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    sw_crystals own = *from;
    float *weight;
    SW_TRY(weigh_first(1, from->n, &weight));
    own.weight = weight;
    const sw_status status =
        sw_homogenization_taylor.advance(response, velocity_gradient, d, dt, &own, to, average);
    free(weight);
    return status;
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    sw_points own = *of;
    sw_crystals from = *of->from;
    float *weight;
    SW_TRY(weigh_first(of->points, of->each, &weight));
    from.weight = weight;
    own.from = &from;
    const sw_status status = sw_homogenization_taylor.points(response, &own, failed);
    free(weight);
    return status;
}

const sw_homogenization sw_homogenization_toy = {.name = "toy", .advance = advance, .points = points};
