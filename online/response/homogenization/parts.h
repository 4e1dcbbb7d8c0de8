/* Several materials in one polycrystal. */
#ifndef SW_ONLINE_RESPONSE_HOMOGENIZATION_PARTS_H
#define SW_ONLINE_RESPONSE_HOMOGENIZATION_PARTS_H

#include "slipwave/response.h"

/* One of them. */
typedef struct {
    sw_response *response;
    double fraction; /* of the volume; all together make 1 */
    const sw_crystals *from, *to;
    sw_response_average average;    /* out: of its crystals */
    double velocity_gradient[3][3]; /* out: 1/s, their mean */
} sw_response_part;

#endif
