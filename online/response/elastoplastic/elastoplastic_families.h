/* What a GPU does for solver `elastoplastic` with crystals whose families have their own resistances: solver.h. */
#ifndef SW_ONLINE_RESPONSE_ELASTOPLASTIC_ELASTOPLASTIC_FAMILIES_H
#define SW_ONLINE_RESPONSE_ELASTOPLASTIC_ELASTOPLASTIC_FAMILIES_H

#include "online/response/points/points_cuda.h"
#include "online/response/step/solver.h"

sw_status sw_elastoplastic_families_step(sw_response *response, const struct sw_step *step,
                                         const sw_crystals *from, const sw_crystals *to, double *partial,
                                         double *sums, void *stream);
sw_status sw_elastoplastic_families_points(sw_response *response, const sw_points_launch *launch);
/* The response closes. */
void sw_elastoplastic_families_forget(const sw_response *response);

/* The same of crystals whose systems have back-stresses. */
sw_status sw_elastoplastic_all_step(sw_response *response, const struct sw_step *step,
                                    const sw_crystals *from, const sw_crystals *to, double *partial,
                                    double *sums, void *stream);
sw_status sw_elastoplastic_all_points(sw_response *response, const sw_points_launch *launch);
void sw_elastoplastic_all_forget(const sw_response *response);

#endif
